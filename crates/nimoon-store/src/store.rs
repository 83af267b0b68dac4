//! An open store.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nimoon::ruleset::memory::{MEANING, Memory};
use nimoon::{Interrupted, Work};
use thiserror::Error;

use crate::atomic_file::{AtomicFile, remove_left_behind};
use crate::format::{ENGINE, Head, RECORD, WrongHead, batch, batch_length};
use crate::rewrite::{Kept, rewritten};
use crate::view::{View, ViewError, head, is_still};

/// How a store is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Open for reading only: a missing file is an error, and nothing is kept.
    pub read_only: bool,
    /// The limit in bytes of a file that is created now. An existing file has its own limit.
    pub most: u64,
}

impl Options {
    /// The default limit of a file: 1 GiB.
    pub const MOST: u64 = 1 << 30;
    /// The smallest limit of a file.
    pub const LEAST: u64 = 1 << 16;

    /// Options for reading only.
    pub const READ_ONLY: Self = Self { read_only: true, most: Self::MOST };
}

impl Default for Options {
    fn default() -> Self {
        Self { read_only: false, most: Self::MOST }
    }
}

/// Why a file cannot be used as a store. The file is unchanged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file cannot be opened, read or made.
    #[error("{}: cannot open the store: {error}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is something else.
    #[error("{}: not a store; the file is unchanged: name another file", file.display())]
    NotAStore {
        /// The file.
        file: PathBuf,
    },
    /// Its head is cut off or damaged.
    #[error(
        "{}: the head of this store is damaged; the file is unchanged: name another file, or remove \
         this one, which loses only time", file.display()
    )]
    Damaged {
        /// The file.
        file: PathBuf,
    },
    /// Another version of the program made it.
    #[error(
        "{}: another version of nimoon made this store: it has {what} {found}, not {expected}; the file \
         is unchanged: name another file, or remove this one, which loses only time",
        file.display()
    )]
    OtherVersion {
        /// The file.
        file: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the file has.
        found: String,
        /// What is needed.
        expected: String,
    },
    /// Another process was writing during the whole wait.
    #[error("{}: another process is writing to this store; try again", file.display())]
    Busy {
        /// The file.
        file: PathBuf,
    },
    /// The file can be read, but not written to.
    #[error("{}: cannot write to the store: {error}", file.display())]
    Unwritable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The work ended before everything was done, and nothing was changed.
    #[error("{}: {interrupted}; nothing was changed", file.display())]
    Interrupted {
        /// The file.
        file: PathBuf,
        /// Why it ended.
        interrupted: Interrupted,
    },
}

/// The interruption, if that is the error.
pub(crate) fn interrupted(error: &io::Error) -> Option<Interrupted> {
    error.get_ref()?.downcast_ref().copied()
}

impl StoreError {
    /// Whether the file itself is wrong, as opposed to an error of the system.
    pub fn is_wrong_file(&self) -> bool {
        matches!(self, Self::NotAStore { .. } | Self::Damaged { .. } | Self::OtherVersion { .. })
    }
}

/// A file with entries, open for any number of threads.
///
/// ```
/// use nimoon::ruleset::memory::Memory;
/// use nimoon_store::{Options, Store};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("solved.store");
/// let store = Store::open(&file, Options::default())?;
/// store.keep("nim", b"5", b"*5");
/// drop(store);
///
/// let store = Store::open(&file, Options::READ_ONLY)?;
/// assert_eq!(store.recall("nim", b"5").as_deref(), Some(&b"*5"[..]));
/// assert_eq!(store.recall("nim", b"6"), None);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    writable: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) view: View,
    /// Entries that are not in the file yet.
    pending: Pending,
    /// When entries were last written to the file.
    flushed: Instant,
    /// How long to wait until the next attempt: longer after each failure.
    wait: Duration,
    /// Why the last attempt to write entries failed.
    failed: Option<StoreError>,
    /// Why entries were forgotten since; not yet reported.
    lost: Option<StoreError>,
    /// When the file was last checked.
    checked: Instant,
    /// The number of attempts to write.
    #[cfg(test)]
    attempts: u32,
}

/// Entries of each ruleset, and about how many bytes of memory they take.
#[derive(Debug, Default)]
struct Pending {
    entries: Entries,
    bytes: u64,
}

/// The memory of an entry beside its key and value.
const BESIDE: u64 = 96;

/// How long to wait for another process that is writing, before continuing without keeping entries.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long to wait for it when there is nothing else to do.
pub(crate) const LONG_PATIENCE: Duration = Duration::from_secs(20);
/// Entries are written to the file after this time.
const FLUSH_AFTER: Duration = Duration::from_secs(2);
/// The longest wait between attempts, after any number of failures.
const LONGEST_WAIT: Duration = Duration::from_mins(5);
/// Entries are written to the file when they take this many bytes.
const FLUSH_BYTES: u64 = 64 << 20;
/// While writing fails, at most this many bytes stay in memory; more are forgotten.
const MOST_PENDING: u64 = 256 << 20;
/// The file is checked for new entries of other processes after this time.
const CHECK_AFTER: Duration = Duration::from_millis(250);
/// More batches than this are merged.
const MOST_BATCHES: usize = 1000;

impl Store {
    /// Opens a store, or creates one if there is no such file or an empty one. A file that cannot
    /// be written to is opened for reading only.
    ///
    /// # Errors
    /// When the file is something else, of another version, or cannot be read or made.
    pub fn open(path: &Path, options: Options) -> Result<Self, StoreError> {
        // A link stays a link: its target is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (view, writable) = opened(&path, options)?;
        let now = Instant::now();
        let state = State {
            view,
            pending: Pending::default(),
            flushed: now,
            wait: FLUSH_AFTER,
            failed: None,
            lost: None,
            checked: now,
            #[cfg(test)]
            attempts: 0,
        };
        Ok(Self { path, writable, state: Mutex::new(state) })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether entries can be kept.
    pub fn is_writable(&self) -> bool {
        self.writable
    }

    /// Writes the entries kept so far to the file, and syncs it to the disk. Waits at most two
    /// seconds for another process that is writing. Entries that could not be written are
    /// forgotten.
    ///
    /// # Errors
    /// Why entries were not written, or were forgotten before.
    pub fn flush(&self) -> Result<(), StoreError> {
        let mut state = self.state();
        let written = self.write(&mut state, PATIENCE);
        state.pending = Pending::default();
        let lost = state.lost.take();
        written.and(lost.map_or(Ok(()), Err))
    }

    /// Entries are always complete, so a panic elsewhere does no damage.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what is pending.
    fn write(&self, state: &mut State, patience: Duration) -> Result<(), StoreError> {
        state.flushed = Instant::now();
        if state.pending.entries.is_empty() || !self.writable {
            return Ok(());
        }
        #[cfg(test)]
        {
            state.attempts += 1;
        }
        let written = self.locked(state, patience, |state| {
            let (view, pending) = (&mut state.view, &mut state.pending);
            pending.reduce(view.head.most / 2);
            let length = pending.length();
            let full = view.end + length > view.head.most;
            // Rulesets have separate batches, so many rulesets always have many batches.
            if full || view.count() >= MOST_BATCHES + 2 * view.batches.len() {
                let room = if full { view.head.most / 2 - length } else { u64::MAX };
                let kept = Kept { room, most: view.head.most, forget: &|_| false };
                // The limit of the file bounds what can be kept.
                let work = &mut Work::endless();
                *view = rewritten(&self.path, view, &kept, &pending.entries, work)?;
            } else {
                append(view, &pending.entries)?;
            }
            *pending = Pending::default();
            Ok(())
        });
        // On a full disk each attempt would write all pending entries in vain.
        state.wait = if written.is_ok() { FLUSH_AFTER } else { (2 * state.wait).min(LONGEST_WAIT) };
        written
    }

    /// Runs `action` while no other process writes to the file, after reading new entries.
    pub(crate) fn locked(
        &self,
        state: &mut State,
        patience: Duration,
        act: impl FnOnce(&mut State) -> io::Result<()>,
    ) -> Result<(), StoreError> {
        const EVERY: Duration = Duration::from_millis(1);
        let unwritable = |error| StoreError::Unwritable { file: self.path.clone(), error };
        let deadline = Instant::now() + patience;
        loop {
            match state.view.file.try_lock() {
                // Another process may have replaced the file, or it may have been removed.
                Ok(()) if is_still(&self.path, state.view.head) => break,
                Ok(()) => {
                    let _ = state.view.file.unlock();
                    let most = state.view.head.most;
                    (state.view, _) = opened(&self.path, Options { read_only: false, most })?;
                }
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(EVERY);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Busy { file: self.path.clone() });
                }
                Err(TryLockError::Error(error)) => return Err(unwritable(error)),
            }
        }
        let done = cut_off(&mut state.view).and_then(|()| act(state));
        let _ = state.view.file.unlock();
        state.checked = Instant::now();
        done.map_err(|error| match interrupted(&error) {
            Some(interrupted) => StoreError::Interrupted { file: self.path.clone(), interrupted },
            None => unwritable(error),
        })
    }

    /// Reads the entries that other processes have kept.
    fn look(&self, state: &mut State) {
        if state.checked.elapsed() < CHECK_AFTER {
            return;
        }
        state.checked = Instant::now();
        if is_still(&self.path, state.view.head) {
            let _ = state.view.refresh();
        } else if self.path.exists() {
            let options = Options { read_only: !self.writable, most: state.view.head.most };
            if let Ok((view, _)) = opened(&self.path, options) {
                state.view = view;
            }
        }
    }
}

impl Memory for Store {
    fn recall(&self, ruleset: &str, key: &[u8]) -> Option<Box<[u8]>> {
        let mut state = self.state();
        let pending = state.pending.entries.get(ruleset).and_then(|entries| entries.get(key));
        if let Some(value) = pending {
            return Some(value.clone());
        }
        // An entry that cannot be read counts as unknown.
        let found = state.view.recall(ruleset, key).ok().flatten();
        if found.is_none() && state.checked.elapsed() >= CHECK_AFTER {
            self.look(&mut state);
            return state.view.recall(ruleset, key).ok().flatten();
        }
        found
    }

    /// Keeps an entry. It is written to the file by [`Store::flush`], when the store is dropped,
    /// and from time to time before.
    fn keep(&self, ruleset: &str, key: &[u8], value: &[u8]) {
        if !self.writable {
            return;
        }
        let mut state = self.state();
        state.pending.insert(ruleset, key, value);
        let much = state.pending.bytes >= FLUSH_BYTES && state.wait <= FLUSH_AFTER;
        if much || state.flushed.elapsed() >= state.wait {
            // If writing fails now, it may succeed later.
            state.failed = self.write(&mut state, Duration::ZERO).err();
        }
        if state.pending.bytes > MOST_PENDING {
            state.pending = Pending::default();
            state.lost = state.failed.take().or(state.lost.take());
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Entries that cannot be kept can be computed again.
        let _ = self.flush();
    }
}

impl Pending {
    fn insert(&mut self, name: &str, key: &[u8], value: &[u8]) {
        if u32::try_from(key.len().max(value.len())).is_err() {
            return;
        }
        let length = |value: &[u8]| (key.len() + value.len()) as u64 + BESIDE;
        self.bytes += length(value);
        if !self.entries.contains_key(name) {
            self.entries.insert(name.to_owned(), HashMap::new());
        }
        let entries = self.entries.get_mut(name);
        let before = entries.and_then(|entries| entries.insert(key.into(), value.into()));
        if let Some(before) = before {
            self.bytes -= length(&before);
        }
    }

    /// The bytes that the entries will take in the file.
    fn length(&self) -> u64 {
        let lengths = self.entries.iter().map(|(name, entries)| {
            let bytes = entries.iter().map(|(key, value)| (key.len() + value.len()) as u64);
            batch_length(name, entries.len() as u64, bytes.sum())
        });
        lengths.sum()
    }

    /// Forgets entries until they take at most this, large ones first.
    fn reduce(&mut self, most: u64) {
        let mut limit = most;
        while self.length() > most {
            limit /= 2;
            for entries in self.entries.values_mut() {
                entries.retain(|key, value| (key.len() + value.len()) as u64 + RECORD <= limit);
            }
            self.entries.retain(|_, entries| !entries.is_empty());
        }
    }
}

/// Entries to write, by ruleset.
pub(crate) type Entries = HashMap<String, HashMap<Box<[u8]>, Box<[u8]>>>;

/// The batches of these entries, beginning at a place of a file.
pub(crate) fn batches(entries: &Entries, mut start: u64, made: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut names: Vec<&String> = entries.keys().collect();
    names.sort_unstable();
    for name in names {
        let mut pairs: Vec<(&[u8], &[u8])> =
            entries[name].iter().map(|(key, value)| (&**key, &**value)).collect();
        // In the same order in every run.
        pairs.sort_unstable();
        let batch = batch(name, pairs.into_iter(), start, made);
        start += batch.len() as u64;
        bytes.extend(batch);
    }
    bytes
}

/// Writes entries at the end of the file, and syncs them to the disk. If that fails, complete
/// batches stay.
fn append(view: &mut View, entries: &Entries) -> io::Result<()> {
    let bytes = batches(entries, view.end, view.head.made);
    let written = io::Seek::seek(&mut view.file, io::SeekFrom::Start(view.end))
        .and_then(|_| view.file.write_all(&bytes))
        .and_then(|()| view.file.sync_data());
    written.and(cut_off(view))
}

/// Finds the complete batches, which others may have read already, and cuts off everything after
/// them.
fn cut_off(view: &mut View) -> io::Result<()> {
    view.refresh()?;
    if view.file.metadata()?.len() > view.end {
        view.file.set_len(view.end)?;
    }
    Ok(())
}

/// Opens a file, and returns whether it can be written to.
fn opened(path: &Path, options: Options) -> Result<(View, bool), StoreError> {
    let unreadable = |error| StoreError::Unreadable { file: path.to_owned(), error };
    let wrong = |error| match error {
        ViewError::Io(error) => unreadable(error),
        ViewError::Head(wrong) => refused(path, wrong),
    };
    let is_other = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    if is_other {
        return Err(StoreError::NotAStore { file: path.to_owned() });
    }
    let writing = OpenOptions::new().read(true).write(true).open(path);
    let (file, writable) = match writing {
        Ok(file) if !options.read_only => (file, true),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !options.read_only => {
            let made = made(path, options.most, AtomicFile::create).map_err(unreadable)?;
            // Another process may have created it meanwhile.
            let there = || OpenOptions::new().read(true).write(true).open(path);
            (made.map_or_else(there, Ok).map_err(unreadable)?, true)
        }
        // Without the right to write, reading is still useful.
        _ => (File::open(path).map_err(unreadable)?, false),
    };
    let (file, head) = match head(&file).map_err(wrong)? {
        Some(head) => (file, head),
        None if writable => {
            let file = filled(path, &file, options.most).map_err(unreadable)?;
            let head = self::head(&file).map_err(wrong)?;
            (file, head.ok_or_else(|| StoreError::NotAStore { file: path.to_owned() })?)
        }
        None => return Err(StoreError::NotAStore { file: path.to_owned() }),
    };
    let view = View::new(file, head).map_err(unreadable)?;
    Ok((view, writable))
}

/// Puts a new store in place of an empty file. Of several processes that do so at once, the first
/// one creates it, and the others open that one: it may have entries by then.
fn filled(path: &Path, empty: &File, most: u64) -> io::Result<File> {
    let deadline = Instant::now() + PATIENCE;
    while let Err(TryLockError::WouldBlock) = empty.try_lock() {
        if Instant::now() >= deadline {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let there = OpenOptions::new().read(true).write(true).open(path)?;
    if there.metadata()?.len() > 0 {
        return Ok(there);
    }
    let replaced = |atomic_file: AtomicFile, path: &Path| atomic_file.replace(path).map(Some);
    Ok(made(path, most, replaced)?.unwrap_or(there))
}

/// Creates an empty store; `name_it` gives it its name, or fails.
fn made(
    path: &Path,
    most: u64,
    name: impl FnOnce(AtomicFile, &Path) -> io::Result<Option<File>>,
) -> io::Result<Option<File>> {
    remove_left_behind(path);
    let mut atomic_file = AtomicFile::beside(path)?;
    atomic_file.file().write_all(&new_head(most).bytes())?;
    let file = name(atomic_file, path)?;
    file.map(|file| file.unlock().map(|()| file)).transpose()
}

/// The head of a new file.
pub(crate) fn new_head(most: u64) -> Head {
    // A different number for each file: the standard library has random keys for its hash tables.
    let made = RandomState::new().hash_one((std::process::id(), Instant::now()));
    Head { most: most.max(Options::LEAST), made }
}

fn refused(path: &Path, wrong: WrongHead) -> StoreError {
    let file = path.to_owned();
    match wrong {
        WrongHead::NotOne => StoreError::NotAStore { file },
        WrongHead::Damaged => StoreError::Damaged { file },
        WrongHead::OtherFormat(found) => {
            StoreError::OtherVersion { file, what: "format", found, expected: "1".into() }
        }
        WrongHead::OtherEngine(found) => {
            let expected = format!("{ENGINE}, meaning {MEANING}");
            StoreError::OtherVersion { file, what: "engine", found, expected }
        }
    }
}

#[cfg(test)]
#[path = "store/tests.rs"]
mod tests;
