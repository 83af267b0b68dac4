//! The rulesets: `rulesets`.

use nimoon_rulesets::{EntryReport, catalogue};

use crate::failure::Failure;
use crate::work::Answer;

pub(super) fn list() -> Result<Answer, Failure> {
    let entries: Vec<EntryReport> = catalogue().iter().map(EntryReport::new).collect();
    Answer::json(&entries)
}
