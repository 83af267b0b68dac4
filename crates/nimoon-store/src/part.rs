//! Files that are replaced as a whole.
//!
//! A new file is written beside the old one, brought to the disk, and only then given its name; then
//! the folder is brought to the disk too. So at any moment, power cuts included, the name belongs to a
//! whole file, the old one or the new one.
//!
//! The file beside it is called `FILE.PROCESS-NUMBER.part` and is locked as long as it is being
//! written. Whoever is killed meanwhile leaves it behind without its lock; [`remove_left_behind`]
//! removes it. A part that somebody is still writing is locked, and stays.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A new file beside another one, which nobody else has. It is removed unless it gets its name.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    file: File,
    named: bool,
}

impl Part {
    /// A new and empty file.
    ///
    /// # Errors
    /// When there can be none.
    pub fn beside(file: &Path) -> io::Result<Self> {
        /// More that are there already would be a sign of something else.
        const MOST: u32 = 100;
        /// No two parts of a process have the same name.
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let mut tries = 0;
        loop {
            tries += 1;
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let mut name = OsString::from(file.as_os_str());
            name.push(format!(".{}-{number}.part", std::process::id()));
            let path = PathBuf::from(name);
            match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < MOST => {}
                Err(error) => return Err(error),
                Ok(file) => {
                    // Who had the lock before took it for one that was left behind, and removed it.
                    // Where files cannot be locked, none is removed either.
                    let _ = file.lock();
                    if path.exists() {
                        return Ok(Self { path, file, named: false });
                    }
                    if tries >= MOST {
                        return Err(io::ErrorKind::NotFound.into());
                    }
                }
            }
        }
    }

    /// The file, to be written to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Brings the file to the disk and gives it its name, in place of what had it; the file is still
    /// locked.
    ///
    /// # Errors
    /// When that fails. The name then belongs to what had it before, unless it was only the folder
    /// that could not be brought to the disk.
    pub fn replace(mut self, file: &Path) -> io::Result<File> {
        self.file.sync_all()?;
        self.rename(file)?;
        sync_folder(file)?;
        self.file.try_clone()
    }

    /// As [`Self::replace`], but where the name [may not](is_refused) be given to another file, the answer is
    /// the part, whole and on the disk: in a folder where nobody renames what belongs to others, or if a file
    /// is mounted there by itself.
    ///
    /// # Errors
    /// When that fails for another reason.
    pub fn replace_if_allowed(mut self, file: &Path) -> io::Result<Option<Self>> {
        self.file.sync_all()?;
        match self.rename(file) {
            Err(error) if is_refused(&error) => return Ok(Some(self)),
            done => done?,
        }
        sync_folder(file)?;
        Ok(None)
    }

    fn rename(&mut self, file: &Path) -> io::Result<()> {
        // Until it has its name, nobody may take it for one that was left behind.
        fs::rename(&self.path, file)?;
        self.named = true;
        Ok(())
    }
}

/// Whether something may not be done there at all, however often it is tried and however much room there is.
///
/// ```
/// use std::io::ErrorKind::{PermissionDenied, StorageFull};
/// assert!(nimoon_store::part::is_refused(&PermissionDenied.into()));
/// assert!(!nimoon_store::part::is_refused(&StorageFull.into()));
/// ```
pub fn is_refused(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    // The name of a part is longer than that of its file.
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | ResourceBusy | InvalidFilename)
}

impl Part {
    /// Brings the file to the disk and gives it its name, unless something has that name already: then
    /// the answer is none, and nothing changes. Of several processes that make a file at once, one does.
    ///
    /// # Errors
    /// When that fails.
    pub fn found(self, file: &Path) -> io::Result<Option<File>> {
        self.file.sync_all()?;
        match fs::hard_link(&self.path, file) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            // Where files have one name only, as on some media.
            Err(_) => return self.replace(file).map(Some),
        }
        sync_folder(file)?;
        self.file.try_clone().map(Some)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.named {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the parts of a file that nobody is writing any more.
pub fn remove_left_behind(file: &Path) {
    let Some(name) = file.file_name() else { return };
    let Ok(entries) = fs::read_dir(folder(file)) else { return };
    for entry in entries.flatten() {
        if is_part(&entry.file_name(), name) {
            let part = entry.path();
            let Ok(file) = File::open(&part) else { continue };
            // The lock is held until it is removed, so that who has just made it can tell.
            if file.try_lock().is_ok() {
                let _ = fs::remove_file(part);
            }
        }
    }
}

/// Whether this is the name of a part of the file with that name.
fn is_part(name: &OsStr, file: &OsStr) -> bool {
    let rest = name.as_encoded_bytes().strip_prefix(file.as_encoded_bytes());
    let middle = rest.and_then(|rest| rest.strip_prefix(b"."));
    let middle = middle.and_then(|middle| middle.strip_suffix(b".part"));
    middle.is_some_and(|middle| {
        let mut numbers = middle.split(|&byte| byte == b'-');
        let mut number = || {
            numbers
                .next()
                .is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
        };
        number() && number() && numbers.next().is_none()
    })
}

fn folder(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Brings the names in the folder of a file to the disk, where a folder can be opened.
fn sync_folder(file: &Path) -> io::Result<()> {
    match File::open(folder(file)) {
        Ok(folder) if cfg!(unix) => folder.sync_all(),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_of_this_file_are_taken_for_parts_of_it() {
        let is_part = |name: &str| is_part(OsStr::new(name), OsStr::new("t.checkpoint"));
        assert!(is_part("t.checkpoint.12-0.part"));
        let others = ["t.checkpoint", "t.checkpoint.part", "t.checkpoint.12.part", "u.12-0.part"];
        let others =
            others.into_iter().chain(["t.checkpoint.12-0-1.part", "t.checkpoint.a-0.part"]);
        for other in others.chain(["t.checkpoint.-.part", "t.checkpoint.12-0.parts"]) {
            assert!(!is_part(other), "{other}");
        }
    }
    #[test]
    fn a_part_that_was_just_made_is_not_taken_for_one_that_was_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    remove_left_behind(&path);
                }
            });
            let lost = (0..5000).find(|_| {
                let part = Part::beside(&path).unwrap();
                std::thread::yield_now();
                !part.path.exists()
            });
            done.store(true, Ordering::Relaxed);
            assert_eq!(lost, None);
        });
    }
}
