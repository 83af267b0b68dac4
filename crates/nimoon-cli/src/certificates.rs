//! Certificates: where they are written to, and what is told where there is none.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use nimoon_formats::write::certificate::NoCertificate;
use nimoon_store::part::{Part, remove_left_behind};

use crate::failure::Failure;
use crate::limits::over_budget;

/// Where a certificate goes.
#[derive(Debug, Default, Args)]
pub(crate) struct CertificateArgs {
    /// Also write a proof of the answer to this file, for `nimoon check`.
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
            Failure::other(format!("the certificate {} cannot be written: {error}", path.display()))
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
/// ([`nimoon_store::part`]). What is no file, such as a pipe, is written to as it is.
fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let old = match fs::metadata(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let Some(file) = followed(path).filter(|_| old.as_ref().is_none_or(Metadata::is_file)) else {
        return write(&mut File::create(path)?);
    };
    if old.is_some() {
        // Who may not write to the old one may not replace it either.
        OpenOptions::new().write(true).open(&file)?;
    }
    remove_left_behind(&file);
    let mut part = Part::beside(&file)?;
    if let Some(old) = old {
        // Where there are no permissions there are none to be kept.
        let _ = part.file().set_permissions(old.permissions());
    }
    let mut out = BufWriter::with_capacity(1 << 16, part.file());
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?;
    part.replace(&file)?;
    Ok(())
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
        NoCertificate::Incomplete | NoCertificate::NoStrategy => Failure::Budget {
            message: format!("no certificate: {error}; raise the budget by --budget"),
        },
    }
}
