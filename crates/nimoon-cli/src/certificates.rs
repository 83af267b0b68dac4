//! Certificates: where they are written to, and what is told where there is none.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use nimoon_formats::write::certificate::NoCertificate;

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
        File::create(path).and_then(|mut file| write(&mut file)).map_err(|error| {
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
