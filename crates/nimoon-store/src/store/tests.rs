//! What is counted inside: looks at batches, and attempts to write.

use super::*;

fn open(folder: &tempfile::TempDir) -> Store {
    Store::open(&folder.path().join("a.store"), Options::default()).unwrap()
}

fn looks(store: &Store) -> u64 {
    store.state().view.looks.get()
}

#[test]
fn what_is_not_there_is_not_looked_for_in_the_file_however_many_batches_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    for number in 0..100_u32 {
        for part in 0..10_u32 {
            store.keep("r", &(10 * number + part).to_le_bytes(), b"value");
        }
        store.flush().unwrap();
        // Some are asked for on the way, so that what was made of them must be added to.
        assert!(store.recall("r", &(10 * number).to_le_bytes()).is_some());
        assert!(store.recall("r", &(10 * number + 10).to_le_bytes()).is_none());
    }
    let before = looks(&store);
    for number in 1000..101_000_u32 {
        assert_eq!(store.recall("r", &number.to_le_bytes()), None);
    }
    let in_vain = looks(&store) - before;
    assert!(in_vain < 20, "{in_vain} looks for 100,000 keys that are not there");
    for number in 0..1000_u32 {
        assert!(store.recall("r", &number.to_le_bytes()).is_some(), "{number}");
    }
    let found = looks(&store) - before - in_vain;
    assert!(found < 1010, "{found} looks for 1000 keys in 100 batches");
}

#[test]
fn one_question_does_not_read_all_indices_of_a_large_store() {
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

/// Lets every attempt to write fail, without waiting.
fn break_file(store: &Store) {
    fs::remove_file(store.path()).unwrap();
    fs::create_dir(store.path()).unwrap();
}

#[test]
fn writing_that_fails_is_tried_again_later_and_later() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    break_file(&store);
    let large = vec![0; 1 << 20];
    for number in 0..100_u32 {
        store.keep("r", &number.to_le_bytes(), &large);
    }
    // Once when 64 MiB were there; on a slow machine time may pass too.
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
fn no_more_is_held_than_the_bound_while_writing_fails() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    break_file(&store);
    let large = vec![0; 16 << 20];
    for number in 0..40_u32 {
        store.keep("r", &number.to_le_bytes(), &large);
        assert!(store.state().pending.bytes <= MOST_PENDING, "{number}");
    }
    // Small entries count by what they take in memory.
    for number in 0..1000_u32 {
        store.keep("s", &number.to_le_bytes(), b"");
    }
    assert!(store.state().pending.bytes >= 1000 * BESIDE);
}

#[test]
fn of_what_was_not_written_to_its_end_whole_batches_stay() {
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
fn several_that_make_an_empty_file_a_store_at_once_lose_nothing() {
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
