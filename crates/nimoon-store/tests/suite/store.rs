//! Keeping and recalling, the limit, other processes, and files that are not stores.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::{Random, child, children, value};
use nimoon::ruleset::memory::Memory;
use nimoon_store::{Options, Store, StoreError};

fn open(path: &Path) -> Store {
    Store::open(path, Options::default()).unwrap()
}

fn limited(path: &Path, most: u64) -> Store {
    Store::open(path, Options { most, ..Options::default() }).unwrap()
}

#[test]
fn what_is_kept_is_recalled_now_and_later_and_by_its_own_ruleset_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let store = open(&path);
    for number in 0..5000_u32 {
        store.keep("even", &number.to_le_bytes(), &value(2 * number));
        if number % 1000 < 3 {
            store.flush().unwrap();
        }
    }
    store.keep("odd", b"", b"");
    // One after the other: an open store reads new entries of others only from time to time.
    let opened: [Box<dyn FnOnce() -> Store>; 3] = [
        Box::new(|| store),
        Box::new(|| open(&path)),
        Box::new(|| Store::open(&path, Options::READ_ONLY).unwrap()),
    ];
    for opened in opened {
        let store = opened();
        for number in 0..5000_u32 {
            let found = store.recall("even", &number.to_le_bytes());
            assert_eq!(found.as_deref(), Some(&value(2 * number)[..]), "{number}");
        }
        assert_eq!(store.recall("odd", b"").as_deref(), Some(&[][..]));
        assert_eq!(store.recall("odd", &0_u32.to_le_bytes()), None);
        assert_eq!(store.recall("even", &5000_u32.to_le_bytes()), None);
        assert_eq!(store.recall("eve", &0_u32.to_le_bytes()), None);
        drop(store);
        assert!(open(&path).check().unwrap().is_whole());
    }
}

#[test]
fn one_large_batch_is_searched_in_all_its_places() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let store = open(&path);
    for number in 0..100_000_u32 {
        store.keep("r", &number.to_le_bytes(), &number.to_be_bytes());
    }
    store.flush().unwrap();
    for number in 0..100_000_u32 {
        let found = store.recall("r", &number.to_le_bytes());
        assert_eq!(found.as_deref(), Some(&number.to_be_bytes()[..]), "{number}");
        assert_eq!(store.recall("r", &(number + 100_000).to_le_bytes()), None);
    }
}

#[test]
fn the_value_kept_last_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let store = open(&path);
    for number in 0..40_u32 {
        store.keep("r", b"key", &number.to_le_bytes());
        if number % 3 == 0 {
            store.flush().unwrap();
        }
        let found = store.recall("r", b"key");
        assert_eq!(found.as_deref(), Some(&number.to_le_bytes()[..]));
    }
    store.forget(&|_| false).unwrap();
    assert_eq!(store.contents().rulesets[0].entries, 1);
    assert_eq!(store.recall("r", b"key").as_deref(), Some(&39_u32.to_le_bytes()[..]));
}

#[test]
fn the_file_is_never_larger_than_its_limit_and_the_newest_entries_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let store = limited(&path, 1 << 17);
    let mut random = Random(1);
    for number in 0..1500_u32 {
        let long = vec![number as u8; (random.next() % 2000) as usize];
        store.keep(if number % 3 == 0 { "one" } else { "two" }, &number.to_le_bytes(), &long);
        if number % 7 == 0 {
            store.flush().unwrap();
            assert!(fs::metadata(&path).unwrap().len() <= 1 << 17);
            let name = if number % 3 == 0 { "one" } else { "two" };
            assert!(store.recall(name, &number.to_le_bytes()).is_some(), "{number}");
        }
    }
    assert_eq!(store.recall("one", &0_u32.to_le_bytes()), None, "old entries make room");
    store.keep("one", b"large", &vec![1; 100_000]);
    store.keep("one", b"small", b"1");
    store.flush().unwrap();
    assert_eq!(store.recall("one", b"large"), None, "more than half of the limit");
    assert!(store.recall("one", b"small").is_some());
    assert!(store.check().unwrap().is_whole());
    assert_eq!(open(&path).contents().most, 1 << 17, "the limit is that of the file");
}

#[test]
fn the_limit_can_be_changed_and_rulesets_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let store = open(&path);
    for number in 0..200_u32 {
        store.keep("one", &number.to_le_bytes(), &[1; 1000]);
        store.keep("two", &number.to_le_bytes(), &[2; 1000]);
        store.flush().unwrap();
    }
    store.set_most(1 << 18).unwrap();
    let contents = store.contents();
    assert_eq!(contents.most, 1 << 18);
    assert!(contents.bytes <= 1 << 18 && fs::metadata(&path).unwrap().len() == contents.bytes);
    assert!(store.recall("two", &199_u32.to_le_bytes()).is_some());
    assert_eq!(store.recall("two", &0_u32.to_le_bytes()), None);
    store.forget(&|name| name == "two").unwrap();
    assert_eq!(store.recall("two", &199_u32.to_le_bytes()), None);
    assert!(store.recall("one", &199_u32.to_le_bytes()).is_some());
    store.forget(&|_| true).unwrap();
    assert!(store.contents().rulesets.is_empty());
}

#[test]
fn many_small_batches_are_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let store = open(&path);
    let mut lengths = Vec::new();
    for number in 0..1100_u32 {
        store.keep("r", &number.to_le_bytes(), &value(number));
        store.flush().unwrap();
        lengths.push(fs::metadata(&path).unwrap().len());
    }
    assert!(lengths.windows(2).any(|pair| pair[1] < pair[0]));
    for number in 0..1100_u32 {
        let found = store.recall("r", &number.to_le_bytes());
        assert_eq!(found.as_deref(), Some(&value(number)[..]));
    }
}

#[test]
fn other_files_are_refused_and_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    drop(open(&path));
    let good = fs::read_to_string(&path).unwrap();
    let newer = good.replace("format 1", "format 2");
    let other = good.replace("engine ", "engine 9");
    let cases = [
        ("anything", "not a store"),
        ("\n", "not a store"),
        (newer.as_str(), "another version of nimoon made this store: it has format 2, not 1"),
        (other.as_str(), "the head of this store is damaged"),
        (&good[..100], "the head of this store is damaged"),
    ];
    for (text, expected) in cases {
        fs::write(&path, text).unwrap();
        for options in [Options::default(), Options::READ_ONLY] {
            let error = Store::open(&path, options).unwrap_err();
            assert!(error.is_wrong_file());
            assert!(error.to_string().contains(expected), "{error}");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let error = Store::open(folder.path(), Options::default()).unwrap_err();
    assert!(matches!(error, StoreError::NotAStore { .. }));
}

#[test]
fn an_empty_file_becomes_a_store_but_none_is_made_for_reading_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let error = Store::open(&path, Options::READ_ONLY).unwrap_err();
    assert!(matches!(error, StoreError::Unreadable { .. }));
    File::create(&path).unwrap();
    assert!(Store::open(&path, Options::READ_ONLY).is_err());
    open(&path).keep("r", b"1", b"2");
    assert!(open(&path).recall("r", b"1").is_some());
    assert!(Store::open(&folder.path().join("no/folder"), Options::default()).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn a_reader_keeps_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    open(&path).keep("r", b"1", b"2");
    let before = fs::read(&path).unwrap();
    let store = Store::open(&path, Options::READ_ONLY).unwrap();
    store.keep("r", b"3", b"4");
    store.flush().unwrap();
    assert_eq!(store.recall("r", b"3"), None);
    assert!(store.forget(&|_| true).is_err());
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn deleting_the_file_loses_only_time_also_while_it_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let store = open(&path);
    store.keep("r", b"1", b"2");
    store.flush().unwrap();
    fs::remove_file(&path).unwrap();
    assert!(store.recall("r", b"1").is_some());
    store.keep("r", b"3", b"4");
    store.flush().unwrap();
    let again = open(&path);
    assert!(again.recall("r", b"1").is_none() && again.recall("r", b"3").is_some());
}

#[test]
fn readers_see_what_others_keep_also_in_a_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let writer = open(&path);
    let reader = Store::open(&path, Options::READ_ONLY).unwrap();
    for number in 0..3_u32 {
        writer.keep("r", &number.to_le_bytes(), b"value");
        writer.flush().unwrap();
        if number == 1 {
            writer.set_most(1 << 20).unwrap();
        }
        let start = Instant::now();
        while reader.recall("r", &number.to_le_bytes()).is_none() {
            assert!(start.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn while_another_process_writes_a_store_continues_without_keeping() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let store = open(&path);
    store.keep("r", b"1", b"2");
    store.flush().unwrap();
    let other = File::open(&path).unwrap();
    other.lock().unwrap();
    store.keep("r", b"3", b"4");
    assert!(matches!(store.flush(), Err(StoreError::Busy { .. })));
    assert!(store.recall("r", b"1").is_some(), "reading needs no lock");
    drop(other);
    store.keep("r", b"5", b"6");
    store.flush().unwrap();
    assert!(open(&path).recall("r", b"5").is_some());
}

#[test]
fn threads_share_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let store = Arc::new(open(&path));
    std::thread::scope(|scope| {
        for thread in 0..4_u32 {
            let store = Arc::clone(&store);
            scope.spawn(move || {
                for number in 0..500_u32 {
                    let key = (thread * 1000 + number).to_le_bytes();
                    store.keep("r", &key, &value(number));
                    assert_eq!(store.recall("r", &key).as_deref(), Some(&value(number)[..]));
                    if number % 100 == 0 {
                        store.flush().unwrap();
                    }
                }
            });
        }
    });
    store.flush().unwrap();
    assert_eq!(open(&path).check().unwrap().good, 2000);
}

/// Not a test of its own: the work of the other processes.
#[test]
fn child_process() {
    child();
}

#[test]
fn several_processes_write_at_once_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let mut running = children(&path, 4, 40);
    for (process, _) in &mut running {
        assert!(process.wait().unwrap().success());
    }
    let store = open(&path);
    assert!(store.check().unwrap().is_whole());
    for (number, _) in running.iter().enumerate() {
        for step in 0..40_u32 {
            let key = format!("{number} {step}");
            let found = store.recall("r", key.as_bytes());
            assert_eq!(found.as_deref(), Some(&value(step)[..]), "{key}");
        }
    }
}
