//! Keeping a long table in a file, such that no interruption can spoil it.
//!
//! The file is never written in place. A new one is written beside it, brought to the disk, and
//! only then given its name; then the folder is brought to the disk too. So at any moment, power
//! cuts included, the name belongs to a whole file, the old one or the new one. What is in the file,
//! and how damage to it is found out, is a matter of [`nimoon_formats::checkpoint`].
//!
//! The file beside it is called `FILE.PROCESS-NUMBER.part` and is locked as long as it is being
//! written. Whoever is killed meanwhile leaves it behind without its lock; the next run on the same
//! checkpoint removes it. A part of another run that is still at work is locked, and stays.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nimoon_formats::checkpoint::{BEGINNING, Header, check_beginning, read, write};
use nimoon_formats::sequence::{KnownRows, Rows};

use crate::failure::Failure;
use crate::interrupt;

/// A checkpoint file and what is in it.
pub(crate) struct Checkpoint {
    file: PathBuf,
    header: Header,
    every: Duration,
    /// What the file has; none if it is not there yet.
    saved: Option<Saved>,
    /// When it was last looked at, and how long writing it took.
    last: Instant,
    took: Duration,
    /// Why the last attempt to write failed.
    failed: Option<io::Error>,
}

/// What is in a file.
#[derive(Clone, Copy)]
struct Saved {
    rows: usize,
    checksum: u64,
}

/// Saving takes at most this part of the time.
const SHARE: u32 = 20;

/// A checkpoint that is of no use here, and why.
pub(crate) fn refused(file: &Path, reason: &str) -> Failure {
    Failure::input(format!(
        "{}: {reason}; it was left as it is: name another file, or remove this one",
        file.display()
    ))
}

impl Checkpoint {
    /// Opens a checkpoint: the rows that are kept in the file, or none if it is not there yet.
    pub(crate) fn open(
        file: &Path,
        header: Header,
        every: Duration,
    ) -> Result<(Self, Option<Rows>), Failure> {
        let rows = match contents(file)? {
            None => None,
            Some(bytes) => {
                let checked = read(&bytes).and_then(|(found, rows)| {
                    header.check(&found)?;
                    Ok(rows)
                });
                Some(checked.map_err(|error| refused(file, &error.to_string()))?)
            }
        };
        let saved = rows.as_ref().and_then(|rows| Saved::new(&header, rows.known()));
        // A link stays a link: what it leads to is replaced.
        let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        let (last, took, failed) = (Instant::now(), Duration::ZERO, None);
        Ok((Self { file, header, every, saved, last, took, failed }, rows))
    }

    /// Saves what is known, if there is more than in the file and it is time.
    pub(crate) fn offer(&mut self, known: KnownRows<'_>) {
        if self.last.elapsed() >= self.every.max(self.took * SHARE) {
            self.save_news(known);
        }
    }

    /// Saves what is known if there is more than in the file, and tells if that fails.
    pub(crate) fn finish(&mut self, known: KnownRows<'_>) -> Result<(), Failure> {
        self.save_news(known);
        self.told()
    }

    /// Saves what is known and ends the program, since somebody asked for it.
    pub(crate) fn end(&mut self, known: KnownRows<'_>) -> ! {
        let (rows, file) = (known.len(), self.file.display().to_string());
        match self.finish(known) {
            Ok(()) => interrupt::end(&format!("{rows} rows are kept in {file}")),
            Err(failure) => interrupt::end(&failure.into_message()),
        }
    }

    /// Saves what is known for the first time, to find out at once if that fails; and removes what
    /// runs that were killed left behind.
    pub(crate) fn begin(&mut self, known: KnownRows<'_>) -> Result<(), Failure> {
        self.remove_old_parts();
        if self.saved.is_none() {
            self.save(known);
        }
        self.told()
    }

    fn told(&mut self) -> Result<(), Failure> {
        match self.failed.take() {
            None => Ok(()),
            Some(error) => {
                let name = self.file.display();
                Err(Failure::other(format!("the checkpoint {name} cannot be written: {error}")))
            }
        }
    }

    /// Saves what is known unless the file has as much. As many rows may still be news: they may
    /// have been found anew in a larger theory.
    fn save_news(&mut self, known: KnownRows<'_>) {
        let start = Instant::now();
        let is_news = self.saved.is_none_or(|saved| {
            known.len() > saved.rows
                || known.len() == saved.rows
                    && Saved::new(&self.header, known)
                        .is_some_and(|new| new.checksum != saved.checksum)
        });
        if is_news {
            self.save(known);
        } else {
            self.last = Instant::now();
            self.took = start.elapsed();
        }
    }

    /// A failure is kept: it may pass, and the work must not be lost for it.
    fn save(&mut self, known: KnownRows<'_>) {
        let start = Instant::now();
        match self.replace(known) {
            Ok(checksum) => {
                self.saved = Some(Saved { rows: known.len(), checksum });
                self.failed = None;
            }
            Err(error) => self.failed = Some(error),
        }
        self.last = Instant::now();
        self.took = start.elapsed();
    }

    fn replace(&self, known: KnownRows<'_>) -> io::Result<u64> {
        let (part, file) = self.new_part()?;
        let done = self.write_to(file, known).and_then(|(checksum, file)| {
            fs::rename(&part, &self.file)?;
            // Until it has its name, nobody may take it for one that was left behind.
            drop(file);
            Ok(checksum)
        });
        if done.is_err() {
            let _ = fs::remove_file(&part);
        }
        let checksum = done?;
        sync_folder(&self.file)?;
        Ok(checksum)
    }

    /// A new file beside the checkpoint, which nobody else has.
    fn new_part(&self) -> io::Result<(PathBuf, File)> {
        /// More files of one process would be a sign of something else.
        const MOST: u32 = 100;
        let mut number = 0;
        loop {
            let mut name = OsString::from(self.file.as_os_str());
            name.push(format!(".{}-{number}.part", std::process::id()));
            let part = PathBuf::from(name);
            match OpenOptions::new().write(true).create_new(true).open(&part) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < MOST => {
                    number += 1;
                }
                Err(error) => return Err(error),
                Ok(file) => {
                    // Where files cannot be locked, none is removed either.
                    let _ = file.try_lock();
                    return Ok((part, file));
                }
            }
        }
    }

    fn write_to(&self, file: File, known: KnownRows<'_>) -> io::Result<(u64, File)> {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        let checksum = write(&self.header, known, &mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        Ok((checksum, file))
    }

    /// Removes the parts that nobody is writing any more.
    fn remove_old_parts(&self) {
        let Some(name) = self.file.file_name() else { return };
        let Ok(entries) = fs::read_dir(folder(&self.file)) else { return };
        for entry in entries.flatten() {
            if is_part(&entry.file_name(), name) {
                let part = entry.path();
                let is_left = File::open(&part).is_ok_and(|file| file.try_lock().is_ok());
                if is_left {
                    let _ = fs::remove_file(part);
                }
            }
        }
    }
}

impl Saved {
    fn new(header: &Header, known: KnownRows<'_>) -> Option<Self> {
        let checksum = write(header, known, &mut io::sink()).ok()?;
        Some(Self { rows: known.len(), checksum })
    }
}

/// What is in a file; none if it is not there, or empty as a new file is.
fn contents(file: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let cannot = |error| Failure::other(format!("{} cannot be read: {error}", file.display()));
    match fs::metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(cannot(error)),
        Ok(metadata) if !metadata.is_file() => {
            return Err(refused(file, "this is no file that a checkpoint can be kept in"));
        }
        Ok(_) => {}
    }
    let mut opened = File::open(file).map_err(cannot)?;
    let mut bytes = Vec::new();
    opened.by_ref().take(BEGINNING as u64).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    check_beginning(&bytes).map_err(|error| refused(file, &error.to_string()))?;
    opened.read_to_end(&mut bytes).map_err(cannot)?;
    Ok(Some(bytes))
}

/// Whether this is the name of a part of the checkpoint with that name.
fn is_part(name: &OsStr, checkpoint: &OsStr) -> bool {
    let rest = name.as_encoded_bytes().strip_prefix(checkpoint.as_encoded_bytes());
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
    fn only_parts_of_this_checkpoint_are_taken_for_parts_of_it() {
        let is_part = |name: &str| is_part(OsStr::new(name), OsStr::new("t.checkpoint"));
        assert!(is_part("t.checkpoint.12-0.part"));
        let others = ["t.checkpoint", "t.checkpoint.part", "t.checkpoint.12.part", "u.12-0.part"];
        let others =
            others.into_iter().chain(["t.checkpoint.12-0-1.part", "t.checkpoint.a-0.part"]);
        for other in others.chain(["t.checkpoint.-.part", "t.checkpoint.12-0.parts"]) {
            assert!(!is_part(other), "{other}");
        }
    }
}
