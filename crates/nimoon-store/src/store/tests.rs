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
