//! The files that rules come from, as checksums.
//!
//! What was kept in another run is of use only to the same rules: a checkpoint belongs to all files
//! that were given or named, an entry of a store to those that its ruleset was made from.

use std::path::Path;

use crate::checkpoint::Checksum;

/// The checksums of the files that were read so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleFiles {
    /// Of all files: scripts that were given, and files that expressions name.
    all: Option<Checksum>,
    /// Of the files for the ruleset that is being made.
    ruleset: Option<Checksum>,
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

    /// An expression names a file.
    pub fn asked_for(&mut self, file: &Path, bytes: &[u8]) {
        take_in(&mut self.all, file, bytes);
        take_in(&mut self.ruleset, file, bytes);
    }

    /// The checksum of all files; 0 if there is none.
    pub fn all(&self) -> u64 {
        self.all.map_or(0, Checksum::value)
    }

    /// The checksum of the files for the ruleset that was just made, as text; empty if there is
    /// none. The next ruleset begins anew.
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
