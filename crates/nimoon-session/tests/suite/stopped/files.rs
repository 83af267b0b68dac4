//! Files that rules come from.

use std::path::Path;

use nimoon::limits::Interrupted;
use nimoon_session::rule_files::{ContentsError, RuleFiles, contents};

use crate::stopped::table::{Case, brief};

/// Some file.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");

fn of_contents(read: Result<Vec<u8>, ContentsError>) -> Option<Interrupted> {
    match read.err()? {
        ContentsError::Interrupted { interrupted, .. } => Some(interrupted),
        other => panic!("{other}"),
    }
}

pub(crate) fn cases() -> Vec<Case> {
    vec![
        brief("rule_files.rs contents", |work| {
            of_contents(contents(Path::new(FILE), u64::MAX, work))
        }),
        brief("rule_files.rs read", |work| {
            of_contents(RuleFiles::default().read(Path::new(FILE), u64::MAX, work))
        }),
    ]
}
