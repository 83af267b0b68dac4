//! Saves a long table to a file, so that no interruption can damage it.
//!
//! The file is never written in place, but replaced as a whole ([`nimoon_store::atomic_file`]).
//! [`nimoon_formats::checkpoint`] defines its contents and detects damage.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nimoon_formats::checkpoint::{BEGINNING, Header, check_beginning, read, write};
use nimoon_formats::sequence::{KnownRows, Rows};
use nimoon_store::atomic_file::{AtomicFile, remove_left_behind};

use crate::failure::Failure;
use crate::interrupt;

/// A checkpoint file and its contents.
pub(crate) struct Checkpoint {
    file: PathBuf,
    header: Header,
    every: Duration,
    /// What the file contains; none if it does not exist yet.
    saved: Option<Saved>,
    /// When it was last checked, and how long writing it took.
    last: Instant,
    took: Duration,
    /// Why the last attempt to write failed.
    failed: Option<io::Error>,
}

/// The contents of a file.
#[derive(Clone, Copy)]
struct Saved {
    rows: usize,
    checksum: u64,
}

/// Saving takes at most this part of the time.
const SHARE: u32 = 20;

/// The error for a checkpoint that does not fit this table.
pub(crate) fn refused(file: &Path, reason: &str) -> Failure {
    Failure::input(format!(
        "{}: {reason}; the file is unchanged: name another file, or remove this one",
        file.display()
    ))
}

impl Checkpoint {
    /// Opens a checkpoint: the rows in the file, or none if the file does not exist yet.
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
        // A link stays a link: the target is replaced.
        let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        let (last, took, failed) = (Instant::now(), Duration::ZERO, None);
        Ok((Self { file, header, every, saved, last, took, failed }, rows))
    }

    /// Saves the known rows if there are new ones and it is time.
    pub(crate) fn offer(&mut self, known: KnownRows<'_>) {
        if self.last.elapsed() >= self.every.max(self.took * SHARE) {
            self.save_news(known);
        }
    }

    /// Saves the known rows if there are new ones, and reports a failure.
    pub(crate) fn finish(&mut self, known: KnownRows<'_>) -> Result<(), Failure> {
        self.save_news(known);
        self.report()
    }

    /// Saves the known rows and ends the program after a signal.
    pub(crate) fn end(&mut self, known: KnownRows<'_>) -> ! {
        let (rows, file) = (known.len(), self.file.display().to_string());
        match self.finish(known) {
            Ok(()) => interrupt::end(&format!(
                "saved {rows} {} in {file}",
                if rows == 1 { "row" } else { "rows" }
            )),
            Err(failure) => interrupt::end(&failure.into_message()),
        }
    }

    /// Saves the known rows for the first time, so that a failure is reported at once, and removes
    /// files left behind by killed runs.
    pub(crate) fn begin(&mut self, known: KnownRows<'_>) -> Result<(), Failure> {
        remove_left_behind(&self.file);
        if self.saved.is_none() {
            self.save(known);
        }
        self.report()
    }

    fn report(&mut self) -> Result<(), Failure> {
        match self.failed.take() {
            None => Ok(()),
            Some(error) => {
                let name = self.file.display();
                Err(Failure::other(format!("the checkpoint {name} cannot be written: {error}")))
            }
        }
    }

    /// Saves the known rows unless the file has them. The same number of rows may be new ones,
    /// found in a larger theory.
    fn save_news(&mut self, known: KnownRows<'_>) {
        let start = Instant::now();
        let has_news = self.saved.is_none_or(|saved| {
            known.len() > saved.rows
                || known.len() == saved.rows
                    && Saved::new(&self.header, known)
                        .is_some_and(|new| new.checksum != saved.checksum)
        });
        if has_news {
            self.save(known);
        } else {
            self.last = Instant::now();
            self.took = start.elapsed();
        }
    }

    /// Remembers a failure and continues, because the failure may be temporary.
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
        let mut part = AtomicFile::beside(&self.file)?;
        let mut out = BufWriter::with_capacity(1 << 16, part.file());
        let checksum = write(&self.header, known, &mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?;
        part.replace(&self.file)?;
        Ok(checksum)
    }
}

impl Saved {
    fn new(header: &Header, known: KnownRows<'_>) -> Option<Self> {
        let checksum = write(header, known, &mut io::sink()).ok()?;
        Some(Self { rows: known.len(), checksum })
    }
}

/// The contents of a file; none if it does not exist or is empty.
fn contents(file: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let cannot = |error| Failure::other(format!("{} cannot be read: {error}", file.display()));
    match fs::metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(cannot(error)),
        Ok(metadata) if !metadata.is_file() => {
            return Err(refused(file, "a checkpoint must be a regular file"));
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
