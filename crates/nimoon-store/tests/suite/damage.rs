//! Processes that are killed, files that are cut off, and bits that flip.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Duration;

use crate::common::{Random, value, writer};
use nimoon::ruleset::memory::Memory;
use nimoon_store::{Options, Store};

#[test]
fn a_process_that_is_killed_at_any_moment_leaves_a_whole_store() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(7);
    // With the small limit the file is sometimes replaced, and old entries are removed.
    for (most, kills) in [(Options::MOST, 20), (1 << 17, 20)] {
        let path = folder.path().join(format!("{most}.store"));
        let mut kept = 0;
        for kill in 0..kills {
            let (mut process, output) = writer(&path, kill, u32::MAX, most);
            let mut lines = BufReader::new(output).lines().map_while(Result::ok);
            let mut last = None;
            let mut note = |line: String| {
                let number = line.split("kept ").nth(1).and_then(|number| number.parse().ok());
                last = number.or(last);
            };
            // The process is killed some time after it has begun.
            lines.by_ref().take(4).for_each(&mut note);
            std::thread::sleep(Duration::from_micros(random.next() % 30_000));
            process.kill().unwrap();
            process.wait().unwrap();
            lines.for_each(&mut note);
            let store = Store::open(&path, Options::default()).unwrap();
            let checked = store.check().unwrap();
            assert!(checked.is_whole(), "kill {kill}: {checked:?}");
            let last: u32 = last.unwrap_or_default();
            for step in 0..=last {
                let found = store.recall("r", format!("{kill} {step}").as_bytes());
                // Every entry that was reported as kept is there, unless it had to make room.
                match found {
                    Some(found) => assert_eq!(*found, *value(step)),
                    None => assert!(most < Options::MOST && step < last, "{kill} {step}"),
                }
            }
            kept += last;
        }
        assert!(kept > 0);
        assert_eq!(leftovers(folder.path()), 0, "the next writer removes what was left behind");
    }
}

/// The number of files beside the stores; opening for writing and rewriting removes them.
fn leftovers(folder: &Path) -> usize {
    let stores = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let stores = stores.filter(|path| path.extension().is_some_and(|end| end == "store"));
    for store in stores.collect::<Vec<_>>() {
        Store::open(&store, Options::default()).unwrap().forget(&|_| false).unwrap();
    }
    let files = fs::read_dir(folder).unwrap().flatten();
    files.filter(|entry| entry.path().extension().is_none_or(|end| end != "store")).count()
}

/// A store with some batches, and what is in it.
fn sample(path: &Path) -> BTreeMap<(String, Vec<u8>), Vec<u8>> {
    let store = Store::open(path, Options::default()).unwrap();
    let mut entries = BTreeMap::new();
    for number in 0..60_u32 {
        let name = if number % 2 == 0 { "nim" } else { "octal[0.77]" };
        let (key, value) = (format!("key {number}"), vec![number as u8; number as usize]);
        store.keep(name, key.as_bytes(), &value);
        entries.insert((name.to_owned(), key.into_bytes()), value);
        if number % 20 == 0 {
            store.flush().unwrap();
        }
    }
    entries
}

/// The number of entries of a file, all of which must be right; none if the file is rejected.
fn right_entries(
    path: &Path,
    entries: &BTreeMap<(String, Vec<u8>), Vec<u8>>,
    write: bool,
) -> Option<usize> {
    let store = match Store::open(path, Options::default()) {
        Ok(store) => store,
        Err(error) => {
            assert!(error.is_wrong_file(), "{error}");
            return None;
        }
    };
    let mut found = 0;
    for ((name, key), value) in entries {
        if let Some(recalled) = store.recall(name, key) {
            assert_eq!(*recalled, **value);
            found += 1;
        }
    }
    if store.check().unwrap().is_whole() && fs::metadata(path).unwrap().len() > 256 {
        let batches: u64 = store.contents().rulesets.iter().map(|ruleset| ruleset.entries).sum();
        assert_eq!(found as u64, batches, "what is whole is found");
    }
    if !write {
        return Some(found);
    }
    // It can still be written to.
    store.keep("nim", b"more", b"and more");
    store.flush().unwrap();
    drop(store);
    let again = Store::open(path, Options::READ_ONLY).unwrap();
    assert_eq!(again.recall("nim", b"more").as_deref(), Some(&b"and more"[..]));
    Some(found)
}

#[test]
fn a_flipped_bit_is_never_used_and_costs_one_batch_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (folder.path().join("good.store"), folder.path().join("bad.store"));
    let entries = sample(&good);
    let bytes = fs::read(&good).unwrap();
    let mut refused = 0;
    for place in 0..bytes.len() {
        let mut wrong = bytes.clone();
        wrong[place] ^= 1 << (place % 8);
        fs::write(&bad, &wrong).unwrap();
        match right_entries(&bad, &entries, place % 16 == 0) {
            None => refused += 1,
            Some(found) => assert!(found >= 35, "{place}: {found} of {}", entries.len()),
        }
    }
    assert_eq!(refused, 256, "the head");
}

#[test]
fn a_file_that_is_cut_off_anywhere_still_has_what_is_before_that() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (folder.path().join("good.store"), folder.path().join("bad.store"));
    let entries = sample(&good);
    let bytes = fs::read(&good).unwrap();
    let mut before = 0;
    for length in 1..=bytes.len() {
        fs::write(&bad, &bytes[..length]).unwrap();
        let found = right_entries(&bad, &entries, length % 16 == 0);
        assert_eq!(found.is_none(), length < 256, "{length}");
        assert!(found.unwrap_or(0) >= before);
        before = found.unwrap_or(0);
    }
    assert_eq!(before, entries.len());
}

#[test]
fn zeros_and_noise_in_place_of_entries_are_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let (good, bad) = (folder.path().join("good.store"), folder.path().join("bad.store"));
    let entries = sample(&good);
    let bytes = fs::read(&good).unwrap();
    let mut random = Random(3);
    for round in 0..400 {
        let mut wrong = bytes.clone();
        let from = 256 + (random.next() as usize) % (bytes.len() - 256);
        let to = from + (random.next() as usize) % (bytes.len() - from);
        for byte in &mut wrong[from..to] {
            *byte = if round % 2 == 0 { 0 } else { random.next() as u8 };
        }
        fs::write(&bad, &wrong).unwrap();
        assert!(right_entries(&bad, &entries, round % 8 == 0).is_some());
    }
}

#[test]
fn a_check_reports_damage_and_forgetting_repairs_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.store");
    let entries = sample(&path);
    let mut bytes = fs::read(&path).unwrap();
    let place = bytes.windows(6).position(|window| window == b"key 43").unwrap();
    bytes[place + 5] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let store = Store::open(&path, Options::default()).unwrap();
    let checked = store.check().unwrap();
    assert_eq!((checked.damaged, checked.good), (1, entries.len() as u64 - 1));
    store.forget(&|_| false).unwrap();
    assert!(store.check().unwrap().is_whole());
    assert_eq!(store.check().unwrap().good, entries.len() as u64 - 1);
}
