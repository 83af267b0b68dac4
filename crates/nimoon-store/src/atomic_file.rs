//! Files that are replaced as a whole.
//!
//! A new file is written beside the old one and synced to the disk. Only then is it renamed, and
//! the folder is synced too. So at any moment, power cuts included, the name belongs to a complete
//! file, the old one or the new one.
//!
//! The temporary file is called `FILE.PROCESS-NUMBER.part` and is locked while it is written. A
//! process that is killed leaves it behind without the lock, and [`remove_left_behind`] removes it.
//! A file that another process is still writing is locked, and stays.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A temporary file beside the file that it will replace. It is removed when dropped, unless it was
/// renamed.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    file: File,
    named: bool,
}

impl AtomicFile {
    /// Creates a new and empty temporary file beside `file`.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn beside(file: &Path) -> io::Result<Self> {
        /// More existing files would be a sign of another problem.
        const MOST: u32 = 100;
        /// No two temporary files of a process have the same name.
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
                    // Another process may have had the lock, taken the file for one left behind,
                    // and removed it. On systems without locks, no file is removed.
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

    /// The file, for writing.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Syncs the file to the disk and renames it to `file`, in place of the old one. The new file
    /// is still locked.
    ///
    /// # Errors
    /// When that fails. The old file is then still in place, unless only the folder could not be
    /// synced.
    pub fn replace(mut self, file: &Path) -> io::Result<File> {
        self.file.sync_all()?;
        self.rename(file)?;
        sync_folder(file)?;
        self.file.try_clone()
    }

    /// As [`Self::replace`]. Where renaming is [not permitted](is_refused), returns the temporary
    /// file, complete and synced: in a folder where only owners may rename files, or if the file is
    /// a mount point.
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
        // The lock protects the temporary file from other processes until it is renamed.
        fs::rename(&self.path, file)?;
        self.named = true;
        Ok(())
    }
}

/// Whether an operation is not permitted there at all, so that neither a retry nor more room would
/// help.
///
/// ```
/// use std::io::ErrorKind::{PermissionDenied, StorageFull};
/// assert!(nimoon_store::atomic_file::is_refused(&PermissionDenied.into()));
/// assert!(!nimoon_store::atomic_file::is_refused(&StorageFull.into()));
/// ```
pub fn is_refused(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    // The name of the temporary file is longer than that of the file.
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | ResourceBusy | InvalidFilename)
}

impl AtomicFile {
    /// Syncs the file to the disk and gives it the name `file`, unless that name is taken: then
    /// returns none and changes nothing. Of several processes that create a file at once, one
    /// succeeds.
    ///
    /// # Errors
    /// When that fails.
    pub fn create(self, file: &Path) -> io::Result<Option<File>> {
        self.file.sync_all()?;
        match fs::hard_link(&self.path, file) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            // Some media do not support several names for a file.
            Err(_) => return self.replace(file).map(Some),
        }
        sync_folder(file)?;
        self.file.try_clone().map(Some)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.named {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the temporary files beside a file that no process is writing any more.
pub fn remove_left_behind(file: &Path) {
    let Some(name) = file.file_name() else { return };
    let Ok(entries) = fs::read_dir(folder(file)) else { return };
    for entry in entries.flatten() {
        if is_temporary(&entry.file_name(), name) {
            let part = entry.path();
            let Ok(file) = File::open(&part) else { continue };
            // The lock is released after the removal, so that a process that has just created it
            // notices.
            if file.try_lock().is_ok() {
                let _ = fs::remove_file(part);
            }
        }
    }
}

/// Whether this is the name of a temporary file beside the file with that name.
fn is_temporary(name: &OsStr, file: &OsStr) -> bool {
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

/// Syncs the folder of a file to the disk, where a folder can be opened.
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
    fn only_temporary_files_of_this_file_are_recognized() {
        let is_temporary = |name: &str| is_temporary(OsStr::new(name), OsStr::new("t.checkpoint"));
        assert!(is_temporary("t.checkpoint.12-0.part"));
        let others = ["t.checkpoint", "t.checkpoint.part", "t.checkpoint.12.part", "u.12-0.part"];
        let others =
            others.into_iter().chain(["t.checkpoint.12-0-1.part", "t.checkpoint.a-0.part"]);
        for other in others.chain(["t.checkpoint.-.part", "t.checkpoint.12-0.parts"]) {
            assert!(!is_temporary(other), "{other}");
        }
    }
    #[test]
    fn a_new_temporary_file_is_not_removed_as_left_behind() {
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
                let part = AtomicFile::beside(&path).unwrap();
                std::thread::yield_now();
                !part.path.exists()
            });
            done.store(true, Ordering::Relaxed);
            assert_eq!(lost, None);
        });
    }
}
