//! Files and streams.

use std::io::{self, Read};
use std::path::Path;

use nimoon::Work;
use nimoon::limits::Interrupted;
use nimoon_formats::streams::{fill, interrupted, open, watched};

use crate::stopped::table::{Case, brief, case};

/// Some file.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");

fn left(read: io::Result<()>) -> Option<Interrupted> {
    let error = read.err()?;
    Some(interrupted(&error).unwrap_or_else(|| panic!("{error}")))
}

/// Reads piece by piece, to the end if there is one.
fn all(mut reader: impl Read) -> io::Result<()> {
    let mut room = [0; 1 << 12];
    while reader.read(&mut room)? > 0 {}
    Ok(())
}

pub(crate) fn cases() -> Vec<Case> {
    let endless = || io::repeat(b'a');
    let filled = move |work: &Work| {
        left(fill(&mut Vec::new(), &mut watched(endless(), work), u64::MAX, work))
    };
    vec![
        case("streams.rs watched", move |work| left(all(watched(endless(), work)))),
        case("streams.rs fill", filled),
        brief("streams.rs open", |work| left(all(open(Path::new(FILE), work)))),
    ]
}
