//! Certificates: where they are written to, and what is told where there is none.

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
    /// Writes a certificate, if one is asked for.
    pub(crate) fn save(
        &self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.certificate else { return Ok(()) };
        replace(path, write).map_err(|error| {
            let remedy = if is_refused(&error) {
                "; choose by --certificate a file or a folder that you may write to"
            } else {
                ""
            };
            let file = path.display();
            Failure::other(format!("the certificate {file} cannot be written: {error}{remedy}"))
        })
    }

    /// Whether one is asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.certificate.is_some()
    }

    /// Refuses to write one for what there is none for.
    pub(crate) fn refuse(&self, what: &str) -> Result<(), Failure> {
        if self.is_asked() { Err(none(what)) } else { Ok(()) }
    }
}

/// Writes a file, whose name belongs at any moment to the whole old one or the whole new one
/// ([`nimoon_store::atomic_file`]), except where only the file itself can be [written to](write_in_place). What is
/// no file, such as a pipe, is written to as it is.
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
        // Who may not write to the old one may not replace it either.
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
        // Where there are no permissions there are none to be kept.
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

/// Writes to the file that has the name, or makes it if there is none. So it is where a file has other names too,
/// which would stay with the old certificate; where nothing may be made beside it, as in a folder that may not be
/// written to; and where its name may not be given to another file. What is lost is that a full disk or a kill
/// leaves the old one: it leaves the beginning of the new one, which `nimoon check` refuses.
fn write_in_place(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // Where everybody may make files, some systems let nobody offer to make one that belongs to somebody else.
    let file = match OpenOptions::new().write(true).truncate(true).open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => File::create_new(file)?,
        file => file?,
    };
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// Whether a file has several names, none of which is a link to another.
#[cfg(unix)]
fn has_other_names(file: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(file) > 1
}

/// Other systems do not tell.
#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

/// Where links lead to, so that they stay links; none for the name of a stream that is open, such as
/// `/dev/stdout`. What somebody holds open under another name would not be written to by replacing it.
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

/// For a command whose answers have no certificate: it knows the option, so that it can tell what to do instead.
#[derive(Debug, Default, Args)]
pub(crate) struct NoCertificateArgs {
    #[arg(long, value_name = "FILE", hide = true)]
    certificate: Option<PathBuf>,
}

impl NoCertificateArgs {
    /// Refuses to write one.
    pub(crate) fn refuse(&self, what: &str) -> Result<(), Failure> {
        if self.certificate.is_some() { Err(none(what)) } else { Ok(()) }
    }
}

/// There is no certificate for something.
pub(crate) fn none(what: &str) -> Failure {
    Failure::input(format!(
        "no certificate for {what}; available for labels and sums of digraphs, positions that are \
         explored in full, remoteness, loopy games and their order, and tables of heaps"
    ))
}

/// Why there is no certificate.
pub(crate) fn failure(error: NoCertificate) -> Failure {
    match error {
        NoCertificate::Interrupted(interrupted) => over_budget(interrupted),
        error => Failure::Budget {
            message: format!("no certificate: {error}; raise the budget by --budget"),
        },
    }
}
