//! The files that rules come from: their contents, and checksums of them.
//!
//! What was kept in another run is of use only to the same rules: a checkpoint belongs to all files
//! that were given or named, an entry of a store to those that its ruleset was made from.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use nimoon::{Interrupted, Work};
use thiserror::Error;

use nimoon_formats::checkpoint::Checksum;
use nimoon_formats::read::BOM;
use nimoon_formats::streams::{fill, interrupted, open};

/// Why there are no contents of a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContentsError {
    /// The system does not give them.
    #[error("{name} cannot be read: {error}")]
    Unreadable {
        /// The file.
        name: String,
        /// What it says.
        error: io::Error,
    },
    /// A limit was hit.
    #[error("{name}: {interrupted} while it was read")]
    Interrupted {
        /// The file.
        name: String,
        /// Which one.
        interrupted: Interrupted,
    },
    /// It may have no end.
    #[error("{name}: this is a device and not a file")]
    Device {
        /// The file.
        name: String,
    },
    /// It has too many.
    #[error("{name} is longer than the limit of {most} bytes")]
    TooLong {
        /// The file.
        name: String,
        /// How long it may be.
        most: u64,
    },
}

/// The contents of a file that an expression names, of at most `most` bytes; without the mark of
/// byte order that some editors put first.
///
/// # Errors
/// When it cannot be read, is longer, is a device, or a limit is hit: a pipe may never come to its
/// end.
pub fn contents(path: &Path, most: u64, work: &Work) -> Result<Vec<u8>, ContentsError> {
    let name = path.display().to_string();
    if is_device(path) {
        return Err(ContentsError::Device { name });
    }
    let mut bytes = Vec::new();
    let read = fill(&mut bytes, &mut open(path, work), most.saturating_add(1), work);
    match read {
        Err(error) => Err(match interrupted(&error) {
            Some(interrupted) => ContentsError::Interrupted { name, interrupted },
            None => ContentsError::Unreadable { name, error },
        }),
        Ok(()) if bytes.len() as u64 > most => Err(ContentsError::TooLong { name, most }),
        Ok(()) => {
            if bytes.starts_with(BOM) {
                bytes.drain(..BOM.len());
            }
            Ok(bytes)
        }
    }
}

#[cfg(unix)]
fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    std::fs::metadata(path).is_ok_and(|metadata| {
        let kind = metadata.file_type();
        kind.is_char_device() || kind.is_block_device()
    })
}

#[cfg(not(unix))]
fn is_device(_path: &Path) -> bool {
    false
}

/// The checksums of the files that were read so far.
#[derive(Clone, Debug, Default)]
pub struct RuleFiles {
    /// Of all files: scripts that were given, and files that expressions name.
    all: Option<Checksum>,
    /// Of the files for the ruleset that is being made.
    ruleset: Option<Checksum>,
    /// What came from pipes, which comes but once and may be asked for again.
    streams: HashMap<PathBuf, Vec<u8>>,
}

impl RuleFiles {
    /// A script was given, whether an expression names it or not.
    pub fn given(&mut self, file: &Path, bytes: &[u8]) {
        take_in(&mut self.all, file, bytes);
    }

    /// An expression names a script that was given.
    pub fn named(&mut self, file: &Path, bytes: &[u8]) {
        take_in(&mut self.ruleset, file, bytes);
    }

    /// The [contents] of a file that an expression names. Text from a pipe is returned again.
    ///
    /// # Errors
    /// As [`contents`].
    pub fn read(&mut self, file: &Path, most: u64, work: &Work) -> Result<Vec<u8>, ContentsError> {
        if let Some(bytes) = self.streams.get(file) {
            take_in(&mut self.ruleset, file, bytes);
            return Ok(bytes.clone());
        }
        let bytes = contents(file, most, work)?;
        take_in(&mut self.all, file, &bytes);
        take_in(&mut self.ruleset, file, &bytes);
        if std::fs::metadata(file).is_ok_and(|metadata| !metadata.is_file()) {
            self.streams.insert(file.to_owned(), bytes.clone());
        }
        Ok(bytes)
    }

    /// Reads pipes again from now on.
    pub fn forget_streams(&mut self) {
        self.streams.clear();
    }

    /// The checksum of all files; 0 if there is none.
    pub fn all(&self) -> u64 {
        self.all.map_or(0, Checksum::value)
    }

    /// The checksum of the files for the ruleset that was just made, as text; empty if there is
    /// none. The next ruleset starts a new checksum.
    pub fn of_ruleset(&mut self) -> String {
        self.ruleset.take().map_or(String::new(), |sum| format!("{:016x}", sum.value()))
    }
}

fn take_in(sum: &mut Option<Checksum>, file: &Path, bytes: &[u8]) {
    let sum = sum.get_or_insert_default();
    sum.update(file.file_name().map_or(&[][..], |name| name.as_encoded_bytes()));
    sum.update(&(bytes.len() as u64).to_le_bytes());
    sum.update(bytes);
}
