//! Keeping a long table in a file, such that no interruption can spoil it.
//!
//! The file is never written in place. A new one is written beside it, brought to the disk, and
//! only then given its name; then the folder is brought to the disk too. So at any moment, power
//! cuts included, the name belongs to a whole file, the old one or the new one. What is in the file,
//! and how damage to it is found out, is a matter of [`nimoon_formats::checkpoint`].

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nimoon_formats::checkpoint::{Header, read, write};
use nimoon_formats::sequence::{KnownRows, Rows};

use crate::failure::Failure;

/// A checkpoint file and what is in it.
pub(crate) struct Checkpoint {
    file: PathBuf,
    header: Header,
    every: Duration,
    /// How many rows the file has.
    saved: usize,
    /// When it was last written, and how long that took.
    last: Instant,
    took: Duration,
    /// Why the last attempt to write failed.
    failed: Option<io::Error>,
}

/// Saving takes at most this part of the time.
const SHARE: u32 = 20;

impl Checkpoint {
    /// Opens a checkpoint: the rows that are kept in the file, or none if it is not there yet.
    pub(crate) fn open(
        file: &Path,
        header: Header,
        every: Duration,
    ) -> Result<(Self, Option<Rows>), Failure> {
        let name = file.display();
        let found = match fs::read(file) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Failure::other(format!("{name} cannot be read: {error}"))),
        };
        let rows = found.map(|bytes| {
            let (found, rows) = read(&bytes)?;
            header.check(&found).map(|()| rows)
        });
        let rows = rows.transpose().map_err(|error| {
            Failure::input(format!("{name}: {error}; it was left as it is, so name another file"))
        })?;
        let saved = rows.as_ref().map_or(0, |rows| rows.known().len());
        let (took, failed) = (Duration::ZERO, None);
        let file = file.to_owned();
        Ok((Self { file, header, every, saved, last: Instant::now(), took, failed }, rows))
    }

    /// Saves what is known, if there is more than in the file and it is time.
    pub(crate) fn offer(&mut self, known: KnownRows<'_>) {
        if known.len() > self.saved && self.last.elapsed() >= self.every.max(self.took * SHARE) {
            self.save(known);
        }
    }

    /// Saves what is known if there is more than in the file, and tells if that fails.
    pub(crate) fn finish(&mut self, known: KnownRows<'_>) -> Result<(), Failure> {
        if known.len() > self.saved {
            self.save(known);
        }
        self.told()
    }

    /// Saves what is known for the first time, to find out at once if that fails.
    pub(crate) fn begin(&mut self, known: KnownRows<'_>) -> Result<(), Failure> {
        if !self.file.exists() {
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

    /// A failure is kept: it may pass, and the work must not be lost for it.
    fn save(&mut self, known: KnownRows<'_>) {
        let start = Instant::now();
        self.failed = self.replace(known).err();
        if self.failed.is_none() {
            self.saved = known.len();
        }
        self.last = Instant::now();
        self.took = start.elapsed();
    }

    fn replace(&self, known: KnownRows<'_>) -> io::Result<()> {
        // Two runs at a time do not write into one file.
        let mut name = OsString::from(self.file.as_os_str());
        name.push(format!(".{}.part", std::process::id()));
        let part = PathBuf::from(name);
        let done = self.write_to(&part, known).and_then(|()| fs::rename(&part, &self.file));
        if done.is_err() {
            let _ = fs::remove_file(&part);
        }
        done.and_then(|()| sync_folder(&self.file))
    }

    fn write_to(&self, part: &Path, known: KnownRows<'_>) -> io::Result<()> {
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(part)?;
        let mut out = BufWriter::with_capacity(1 << 16, file);
        write(&self.header, known, &mut out)?;
        out.flush()?;
        out.get_ref().sync_all()
    }
}

/// Brings the names in the folder of a file to the disk, where a folder can be opened.
fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match File::open(folder.unwrap_or(Path::new("."))) {
        Ok(folder) if cfg!(unix) => folder.sync_all(),
        _ => Ok(()),
    }
}
