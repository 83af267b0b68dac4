//! Kept files: damaged ones never give wrong data.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use nimoon::Work;
use nimoon::ruleset::memory::Memory;
use nimoon_formats::checkpoint::{Checksum, Header, check_beginning, read, write};
use nimoon_formats::sequence::Rows;
use nimoon_session::expression::NoLibrary;
use nimoon_session::table::{Request, Table, TableError};
use nimoon_store::{Options, Store};

use crate::bytes::Bytes;
use crate::limits::ENOUGH;

/// A table with its checkpoint.
struct Kept {
    request: Request,
    header: Header,
    table: Table,
    file: Vec<u8>,
}

/// Some small tables: of heaps with and without moons, and of explored positions.
fn tables() -> &'static [Kept] {
    static TABLES: OnceLock<Vec<Kept>> = OnceLock::new();
    let table = |(pattern, range): (&str, &str)| {
        let request = Request {
            pattern: pattern.parse().expect("it is a pattern"),
            range: range.parse().expect("it is a range"),
            theory: None,
        };
        let table = made(&request, None).expect("it is a table");
        let header = Header {
            program: "1".to_owned(),
            table: request.pattern.as_str().to_owned(),
            theory: None,
            files: 7,
        };
        let mut file = Vec::new();
        write(&header, table.rows.known(), &mut file).expect("memory takes all");
        Kept { request, header, table, file }
    };
    let asked = [
        ("top-entails", "0..20"),
        ("kayles", "0..20"),
        ("wythoff:{},3", "0..6"),
        ("lights:{}b2s", "1..5"),
    ];
    TABLES.get_or_init(|| asked.into_iter().map(table).collect())
}

fn made(request: &Request, known: Option<Rows>) -> Result<Table, TableError> {
    let plan = request.clone().plan(&mut NoLibrary, ENOUGH)?;
    let known = known.unwrap_or_else(|| plan.nothing());
    plan.run(known, &mut NoLibrary, &Work::new(ENOUGH), &mut |_| ())
}

/// Damages a file: bytes change, disappear, appear, or change places.
pub(super) fn damaged(file: &[u8], bytes: &mut Bytes<'_>) -> Vec<u8> {
    let mut file = file.to_vec();
    while !bytes.is_empty() && !file.is_empty() {
        let what = bytes.byte();
        let place = bytes.below_large(file.len());
        match what % 6 {
            0 => file[place] ^= 1 << (what / 6 % 8),
            1 => file[place] = bytes.byte(),
            2 => file.truncate(place),
            3 => drop(file.remove(place)),
            4 => file.insert(place, bytes.byte()),
            _ => {
                let other = bytes.below_large(file.len());
                let length = bytes.below(64).min(file.len() - place.max(other));
                for i in 0..length {
                    file.swap(place + i, other + i);
                }
            }
        }
    }
    file
}

/// The same file with an end that fits: not an accident, but no reason to panic.
fn sealed(mut file: Vec<u8>) -> Vec<u8> {
    let body = file.strip_suffix(b"\n").unwrap_or(&file);
    let last = body.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
    file.truncate(last);
    let head = 6;
    let rows = (file.split(|&byte| byte == b'\n').count() - 1).saturating_sub(head);
    let mut checksum = Checksum::default();
    checksum.update(&file);
    file.extend(format!("end {rows} {:016x}\n", checksum.value()).bytes());
    file
}

/// A checkpoint is rejected, or it is the one that was kept; a forged one does no harm.
pub(super) fn checkpoint(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let what = usize::from(bytes.byte());
    let kept = &tables()[what / 4 % tables().len()];
    let file = match what % 4 {
        0 => bytes.rest().to_vec(),
        1 => sealed(bytes.rest().to_vec()),
        2 => damaged(&kept.file, bytes),
        _ => sealed(damaged(&kept.file, bytes)),
    };
    let forged = what % 4 != 2;
    let _ = check_beginning(&file);
    let (header, rows) = match read(&file) {
        Ok(read) => read,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let mut again = Vec::new();
    write(&header, rows.known(), &mut again).expect("memory takes all");
    assert_eq!(read(&again), Ok((header.clone(), rows.clone())));
    if kept.header.check(&header).is_err() {
        return;
    }
    assert!(forged || file == kept.file, "a damaged checkpoint was accepted");
    let resumed = made(&kept.request, Some(rows));
    assert!(forged || resumed.as_ref() == Ok(&kept.table));
}

/// A store with some batches.
struct Stored {
    entries: Vec<(&'static str, Vec<u8>, Vec<u8>)>,
    file: Vec<u8>,
}

/// The path of the store of this process: in memory, if possible.
fn path() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let thread = format!("{:?}", std::thread::current().id());
    let thread: String = thread.chars().filter(char::is_ascii_digit).collect();
    folder.join(format!("nimoon-fuzz-{}-{thread}.store", std::process::id()))
}

fn stored() -> &'static Stored {
    static STORED: OnceLock<Stored> = OnceLock::new();
    STORED.get_or_init(|| {
        let path = path();
        let store = Store::open(&path, Options::default()).expect("it is made");
        let mut entries = Vec::new();
        for number in 0..12_u8 {
            let name = if number % 2 == 0 { "nim" } else { "octal[0.77]" };
            let (key, value) = (format!("key {number}").into_bytes(), vec![number; number.into()]);
            store.keep(name, &key, &value);
            entries.push((name, key, value));
            if number % 4 == 0 {
                store.flush().expect("it is written");
            }
        }
        store.flush().expect("it is written");
        drop(store);
        let file = fs::read(&path).expect("it is there");
        let _ = fs::remove_file(&path);
        Stored { entries, file }
    })
}

/// A store is rejected, or recalls only what was kept; and it can be written to.
pub(super) fn store(bytes: &[u8]) {
    let Stored { entries, file } = stored();
    let bytes = &mut Bytes::new(bytes);
    let what = bytes.byte();
    let contents = match what % 4 {
        0 => bytes.rest().to_vec(),
        // A valid head, and then any bytes.
        1 => [&file[..256], bytes.rest()].concat(),
        _ => damaged(file, bytes),
    };
    let path = path();
    fs::write(&path, &contents).expect("it is written");
    let options = if what & 64 == 0 { Options::default() } else { Options::READ_ONLY };
    match Store::open(&path, options) {
        Err(error) => assert!(error.is_wrong_file(), "{error}"),
        Ok(store) => {
            let mut found = 0;
            for (name, key, value) in entries {
                if let Some(recalled) = store.recall(name, key) {
                    assert_eq!(*recalled, **value);
                    found += 1;
                }
            }
            assert!(contents != *file || found == entries.len());
            let _ = (store.contents(), store.check());
            if store.is_writable() && what & 32 == 0 {
                store.keep("nim", b"more", b"and more");
                store.flush().expect("it is written");
                let again = Store::open(&path, Options::READ_ONLY).expect("it is good");
                assert_eq!(again.recall("nim", b"more").as_deref(), Some(&b"and more"[..]));
                store.forget(&|name| name == "nim").expect("it is written");
                assert!(store.check().expect("it is read").is_whole());
            }
        }
    }
    let _ = fs::remove_file(&path);
}
