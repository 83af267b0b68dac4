//! Files and streams.

use std::io::{self, Read};
use std::path::Path;

use nimoon::Effort;
use nimoon::effort::Interrupted;
use nimoon_formats::rule_files::{ContentsError, RuleFiles, contents};
use nimoon_formats::streams::{fill, interrupted, open, watched};

use crate::table::{Case, brief, case};

/// Some file.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");

fn left(read: io::Result<()>) -> Option<Interrupted> {
    let error = read.err()?;
    Some(interrupted(&error).unwrap_or_else(|| panic!("{error}")))
}

fn of_contents(read: Result<Vec<u8>, ContentsError>) -> Option<Interrupted> {
    match read.err()? {
        ContentsError::Interrupted { interrupted, .. } => Some(interrupted),
        other => panic!("{other}"),
    }
}

/// Reads piece by piece, to the end if there is one.
fn all(mut reader: impl Read) -> io::Result<()> {
    let mut room = [0; 1 << 12];
    while reader.read(&mut room)? > 0 {}
    Ok(())
}

pub(crate) fn cases() -> Vec<Case> {
    let endless = || io::repeat(b'a');
    let filled = move |effort: &Effort| {
        left(fill(&mut Vec::new(), &mut watched(endless(), effort), u64::MAX, effort))
    };
    vec![
        case("streams.rs watched", move |effort| left(all(watched(endless(), effort)))),
        case("streams.rs fill", filled),
        brief("streams.rs open", |effort| left(all(open(Path::new(FILE), effort)))),
        brief("rule_files.rs contents", |effort| {
            of_contents(contents(Path::new(FILE), u64::MAX, effort))
        }),
        brief("rule_files.rs read", |effort| {
            of_contents(RuleFiles::default().read(Path::new(FILE), u64::MAX, effort))
        }),
    ]
}
