//! Internal counts: reads of batches, and attempts to write.

use super::*;

fn open(folder: &tempfile::TempDir) -> Store {
    Store::open(&folder.path().join("a.store"), Options::default()).unwrap()
}

fn reads(store: &Store) -> u64 {
    store.state().view.reads.get()
}

#[test]
fn absent_keys_are_not_searched_in_the_file_with_many_batches() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    for number in 0..100_u32 {
        for part in 0..10_u32 {
            store.keep("r", &(10 * number + part).to_le_bytes(), b"value");
        }
        store.flush().unwrap();
        // Some keys are requested in between, so that the directory must be extended.
        assert!(store.recall("r", &(10 * number).to_le_bytes()).is_some());
        assert!(store.recall("r", &(10 * number + 10).to_le_bytes()).is_none());
    }
    let before = reads(&store);
    for number in 1000..101_000_u32 {
        assert_eq!(store.recall("r", &number.to_le_bytes()), None);
    }
    let in_vain = reads(&store) - before;
    assert!(in_vain < 20, "{in_vain} reads for 100,000 keys that are not there");
    for number in 0..1000_u32 {
        assert!(store.recall("r", &number.to_le_bytes()).is_some(), "{number}");
    }
    let found = reads(&store) - before - in_vain;
    assert!(found < 1010, "{found} reads for 1000 keys in 100 batches");
}

#[test]
fn one_query_does_not_read_all_indices_of_a_large_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    for number in 0..100_000_u32 {
        store.keep("r", &number.to_le_bytes(), b"value");
    }
    store.flush().unwrap();
    for number in 0..100_u32 {
        assert!(store.recall("r", &number.to_le_bytes()).is_some());
        assert!(store.state().view.has_no_directory("r"));
    }
    for number in 100..10_000_u32 {
        assert!(store.recall("r", &number.to_le_bytes()).is_some());
    }
    assert!(!store.state().view.has_no_directory("r"));
}

/// Makes every attempt to write fail, without waiting.
fn break_file(store: &Store) {
    fs::remove_file(store.path()).unwrap();
    fs::create_dir(store.path()).unwrap();
}

#[test]
fn failed_writes_are_retried_after_longer_and_longer_times() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    break_file(&store);
    let large = vec![0; 1 << 20];
    for number in 0..100_u32 {
        store.keep("r", &number.to_le_bytes(), &large);
    }
    // Once for 64 MiB of entries; on a slow machine also because time has passed.
    let attempts = store.state().attempts;
    assert!((1..4).contains(&attempts), "{attempts} attempts for 100 entries");
    let mut waits = Vec::new();
    for number in 100..110_u32 {
        let mut state = store.state();
        waits.push(state.wait);
        state.flushed = Instant::now().checked_sub(state.wait).unwrap();
        let before = state.attempts;
        drop(state);
        store.keep("r", &number.to_le_bytes(), b"");
        store.keep("r", &number.to_le_bytes(), b"1");
        assert_eq!(store.state().attempts, before + 1);
    }
    assert!(waits.windows(2).all(|pair| pair[1] == (2 * pair[0]).min(LONGEST_WAIT)), "{waits:?}");
    assert_eq!(waits.last(), Some(&LONGEST_WAIT));
    fs::remove_dir(store.path()).unwrap();
    store.flush().unwrap();
    assert_eq!(store.state().wait, FLUSH_AFTER);
    assert!(store.recall("r", &7_u32.to_le_bytes()).is_some());
    assert!(store.recall("r", &109_u32.to_le_bytes()).is_some());
}

#[test]
fn pending_entries_are_bounded_while_writing_fails() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    break_file(&store);
    let large = vec![0; 16 << 20];
    for number in 0..40_u32 {
        store.keep("r", &number.to_le_bytes(), &large);
        assert!(store.state().pending.bytes <= MOST_PENDING, "{number}");
    }
    // Small entries count by their memory.
    for number in 0..1000_u32 {
        store.keep("s", &number.to_le_bytes(), b"");
    }
    assert!(store.state().pending.bytes >= 1000 * BESIDE);
}

#[test]
fn complete_batches_stay_after_an_interrupted_write() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let mut state = store.state();
    let mut pending = Pending::default();
    pending.insert("one", b"key", b"1");
    pending.insert("two", b"key", b"2");
    let view = &mut state.view;
    let bytes = batches(&pending.entries, view.end, view.head.made);
    let start = view.end;
    io::Seek::seek(&mut view.file, io::SeekFrom::Start(start)).unwrap();
    view.file.write_all(&bytes[..bytes.len() - 1]).unwrap();
    let mut reader = View::new(File::open(store.path()).unwrap(), view.head).unwrap();
    assert!(reader.recall("one", b"key").unwrap().is_some());
    cut_off(view).unwrap();
    assert_eq!((view.count(), view.end), (1, reader.end));
    assert_eq!(view.file.metadata().unwrap().len(), reader.end);
    assert!(reader.recall("one", b"key").unwrap().is_some());
}

#[test]
fn processes_that_create_a_store_at_once_lose_nothing() {
    for _ in 0..40 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.store");
        File::create(&path).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4_u8 {
                let path = &path;
                scope.spawn(move || {
                    let store = Store::open(path, Options::default()).unwrap();
                    store.keep("r", &[thread], b"value");
                    store.flush().unwrap();
                });
            }
        });
        let store = Store::open(&path, Options::default()).unwrap();
        for thread in 0..4_u8 {
            assert!(store.recall("r", &[thread]).is_some(), "{thread}");
        }
    }
}
