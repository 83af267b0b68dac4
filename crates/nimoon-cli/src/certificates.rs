//! Certificates: where nimoon writes them, and the error if an answer has none.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use nimoon_session::certificate::NoCertificate;
use nimoon_store::atomic_file::{AtomicFile, is_refused, remove_left_behind};

use crate::failure::Failure;
use crate::limits::over_budget;

/// Where a certificate goes.
#[derive(Debug, Default, Args)]
pub(crate) struct CertificateArgs {
    /// Write a proof of the answer to this file, for `nimoon check`.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
}

impl CertificateArgs {
    /// Writes a certificate, if the user requested one.
    pub(crate) fn save(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.certificate else { return Ok(()) };
        replace(path, write).map_err(|error| {
            let remedy = if is_refused(&error) {
                "; choose another file with --certificate, in a folder that you may write to"
            } else {
                ""
            };
            let file = path.display();
            Failure::other(format!("the certificate {file} cannot be written: {error}{remedy}"))
        })
    }

    /// Whether the user requested one.
    pub(crate) fn is_requested(&self) -> bool {
        self.certificate.is_some()
    }

    /// Returns an error if the user requested a certificate; `what` has none.
    pub(crate) fn refuse(&self, what: &str) -> Result<(), Failure> {
        if self.is_requested() { Err(none(what)) } else { Ok(()) }
    }
}

/// Replaces a file atomically: at any moment its name belongs to the complete old file or the
/// complete new one ([`nimoon_store::atomic_file`]). If only the file itself is writable, writes
/// [in place](write_in_place). Writes directly to a pipe.
fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let old = match fs::metadata(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let Some(file) = followed(path).filter(|_| old.as_ref().is_none_or(Metadata::is_file)) else {
        return write(&mut File::create(path)?);
    };
    if let Some(old) = &old {
        // A user who may not write to the old file may not replace it either.
        OpenOptions::new().write(true).open(&file)?;
        if has_other_names(old) {
            return write_in_place(&file, write);
        }
    }
    remove_left_behind(&file);
    let mut part = match AtomicFile::beside(&file) {
        Err(error) if is_refused(&error) => return write_in_place(&file, write),
        part => part?,
    };
    if let Some(old) = &old {
        // Some systems have no permissions.
        let _ = part.file().set_permissions(old.permissions());
    }
    let mut out = BufWriter::with_capacity(1 << 16, part.file());
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?;
    let Some(mut part) = part.replace_if_allowed(&file)? else { return Ok(()) };
    let whole = part.file();
    whole.rewind()?;
    write_in_place(&file, |out| io::copy(whole, out).map(drop))
}

/// Overwrites the file, or creates it. This is for files with hard links, for folders in which the
/// user may not create files, and for names that may not be given to another file. If the disk is
/// full or the process is killed, the beginning of the new certificate remains, and `nimoon check`
/// rejects it.
fn write_in_place(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // In world-writable folders, some systems forbid `O_CREAT` on a file of another user.
    let file = match OpenOptions::new().write(true).truncate(true).open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => File::create_new(file)?,
        file => file?,
    };
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// Whether a file has several names (hard links).
#[cfg(unix)]
fn has_other_names(file: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(file) > 1
}

/// Other systems do not report hard links.
#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

/// The target of a symbolic link, so that the link stays a link. None for the name of an open
/// stream such as `/dev/stdout`, because replacing the name would not write to the stream.
fn followed(path: &Path) -> Option<PathBuf> {
    let mut file = path.to_owned();
    loop {
        let folder = match file.parent()? {
            empty if empty.as_os_str().is_empty() => Path::new("."),
            folder => folder,
        };
        let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        if real.starts_with("/proc") || real.starts_with("/dev/fd") {
            return None;
        }
        match fs::read_link(&file) {
            Ok(link) => file = folder.join(link),
            Err(_) => return Some(file),
        }
    }
}

/// For a command whose answers have no certificate: it accepts the option to explain what to do.
#[derive(Debug, Default, Args)]
pub(crate) struct NoCertificateArgs {
    #[arg(long, value_name = "FILE", hide = true)]
    certificate: Option<PathBuf>,
}

impl NoCertificateArgs {
    /// Returns an error if the user requested a certificate.
    pub(crate) fn refuse(&self, what: &str) -> Result<(), Failure> {
        if self.certificate.is_some() { Err(none(what)) } else { Ok(()) }
    }
}

/// The error that `what` has no certificate.
pub(crate) fn none(what: &str) -> Failure {
    Failure::input(format!(
        "no certificate for {what}; certificates are available for labels and sums of digraphs, fully \
         explored positions, remoteness, loopy games and their order, and tables of heaps"
    ))
}

/// Why there is no certificate.
pub(crate) fn failure(error: NoCertificate) -> Failure {
    match error {
        NoCertificate::Interrupted(interrupted) => over_budget(interrupted),
        error => Failure::Budget {
            message: format!("no certificate: {error}; raise the limit with --budget"),
        },
    }
}
