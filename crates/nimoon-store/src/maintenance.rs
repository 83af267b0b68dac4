//! Maintenance of a store: listing its contents, checking it, and forgetting entries.

use std::collections::HashMap;
use std::io;

use nimoon::ruleset::memory::MEANING;
use nimoon::{Interrupted, Work};

use crate::format::{ENGINE, key_sum};
use crate::rewrite::{Kept, rewritten};
use crate::store::{LONG_PATIENCE, Options, Store, StoreError, interrupted};

/// What is in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The version of the engine that made it.
    pub engine: &'static str,
    /// The meaning of its entries.
    pub meaning: u32,
    /// The most bytes of the file.
    pub most: u64,
    /// The bytes of the file up to the end of the last entry.
    pub bytes: u64,
    /// Bytes that can no longer be read.
    pub damaged: u64,
    /// The contents for each ruleset, by name.
    pub rulesets: Vec<RulesetContents>,
}

/// What a store has for one ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesetContents {
    /// The name of the ruleset when entries were kept.
    pub ruleset: String,
    /// The number of entries. An entry that was kept again counts again, until the file is next
    /// rewritten.
    pub entries: u64,
    /// Their bytes in the file.
    pub bytes: u64,
}

/// What a check has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// The number of entries with a correct checksum.
    pub good: u64,
    /// The number of damaged entries.
    pub damaged: u64,
    /// Bytes between entries that can no longer be read.
    pub illegible: u64,
    /// Why not all entries were checked.
    pub interrupted: Option<Interrupted>,
}

impl Checked {
    /// Whether everything that was checked is undamaged.
    pub fn is_whole(&self) -> bool {
        self.damaged == 0 && self.illegible == 0
    }
}

impl Store {
    /// What is in the file.
    pub fn contents(&self) -> Contents {
        let state = self.state();
        let view = &state.view;
        let rulesets = view.batches.iter().map(|(name, labels)| RulesetContents {
            ruleset: name.clone(),
            entries: labels.iter().map(|label| label.count).sum(),
            bytes: labels.iter().map(|label| label.length).sum(),
        });
        Contents {
            engine: ENGINE,
            meaning: MEANING,
            most: view.head.most,
            bytes: view.end,
            damaged: view.damaged,
            rulesets: rulesets.collect(),
        }
    }

    /// Reads every entry and compares its checksum.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn check(&self) -> Result<Checked, StoreError> {
        self.check_within(&mut Work::endless())
    }

    /// The same within limits: a position is an entry, and memory is what one read takes.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn check_within(&self, work: &mut Work) -> Result<Checked, StoreError> {
        let state = self.state();
        let view = &state.view;
        let mut checked = Checked { illegible: view.damaged, ..Checked::default() };
        for (name, labels) in &view.batches {
            for &label in labels {
                let damaged = view.each_entry(label, name, work, |key, value| {
                    // An entry that the index does not list is lost, even if it is good itself.
                    match view.find(name, key, key_sum(key), (0..labels.len()).rev()) {
                        Ok(Some(found)) if *found == *value || labels.len() > 1 => {
                            checked.good += 1;
                        }
                        _ => checked.damaged += 1,
                    }
                });
                match damaged {
                    Ok(damaged) => checked.damaged += damaged,
                    Err(error) => {
                        checked.interrupted = interrupted(&error);
                        let error = self.unreadable(error);
                        return checked.interrupted.map_or(Err(error), |_| Ok(checked));
                    }
                }
            }
        }
        Ok(checked)
    }

    /// Forgets everything about the rulesets that `is_meant` selects, and all damaged entries.
    ///
    /// # Errors
    /// When the file cannot be written to.
    pub fn forget(&self, is_meant: &dyn Fn(&str) -> bool) -> Result<(), StoreError> {
        self.change_within(None, is_meant, &mut Work::endless())
    }

    /// Changes the limit of the file. If the file is larger, older entries are removed.
    ///
    /// # Errors
    /// When the file cannot be written to.
    pub fn set_most(&self, most: u64) -> Result<(), StoreError> {
        self.change_within(Some(most), &|_| false, &mut Work::endless())
    }

    /// Changes the limit of the file if `most` is given, and forgets the rulesets that `is_meant`
    /// selects and all damaged entries. If the work ends early, nothing changes. A position is an
    /// entry, and memory is what one read takes.
    ///
    /// # Errors
    /// When the file cannot be written to, or the work ends.
    pub fn change_within(
        &self,
        most: Option<u64>,
        is_meant: &dyn Fn(&str) -> bool,
        work: &mut Work,
    ) -> Result<(), StoreError> {
        if !self.is_writable() {
            let error = io::ErrorKind::PermissionDenied.into();
            return Err(StoreError::Unwritable { file: self.path().to_owned(), error });
        }
        let mut state = self.state();
        self.locked(&mut state, LONG_PATIENCE, |state| {
            let most = most.map_or(state.view.head.most, |most| most.max(Options::LEAST));
            let room = if state.view.end > most { most / 2 } else { u64::MAX };
            let kept = Kept { room, most, forget: is_meant };
            let none = HashMap::new();
            state.view = rewritten(self.path(), &state.view, &kept, &none, work)?;
            Ok(())
        })
    }

    fn unreadable(&self, error: io::Error) -> StoreError {
        StoreError::Unreadable { file: self.path().to_owned(), error }
    }
}
