//! A file in which nimoon keeps what it has computed: explorations, values, tables.
//!
//! [`Store`] is a [`Memory`](nimoon::ruleset::memory::Memory): bytes under keys, for each ruleset.
//! It promises:
//!
//! - **Damaged entries are not used.** Each entry has a checksum over ruleset, key and value. A
//!   damaged entry counts as absent, so it is computed again.
//! - **A crash loses at most what was not yet written.** Entries are added at the end of the file
//!   in batches. An incomplete batch does not count, and the next writer removes it.
//! - **Any number of processes** can use one file. Readers need no lock and never wait. One process
//!   writes at a time. Another waits for at most two seconds and then continues without keeping its
//!   entries. Programs write only for moments.
//! - **The file has a limit,** 1 GiB by default. When it is reached, the newest half is copied into
//!   a new file, which then replaces the old one. An entry that would take more than half of the
//!   limit is not kept.
//! - **Other files are not overwritten.** A file that is not a store, or a store of another
//!   version, is an error.
//! - **Deleting the file loses only time,** also while programs are using it.
//!
//! # Why not a database
//!
//! We first tried a general database, redb 4.4. With one random flipped bit, 197 of 3000 files made
//! it panic, and more files silently lost entries. A process that reads also blocks all writers, so
//! a page or a session with an open store would lock it. A store needs less than a database offers:
//! entries never change, and may be forgotten.
//!
//! - `format`: the file byte by byte.
//! - `view`: the file as a reader sees it.
//! - `directory`: the keys in memory, so that absent keys are not searched in the file.
//! - `store`: keeping and recalling, and the lock for writers.
//! - `rewrite`: a new file in place of the old one.
//! - `maintenance`: contents, checks, forgetting.
//! - [`atomic_file`]: files that are replaced as a whole.

pub mod atomic_file;
mod checksum;
mod directory;
mod format;
mod maintenance;
mod rewrite;
mod store;
mod view;

pub use maintenance::{Checked, Contents, RulesetContents};
pub use store::{Options, Store, StoreError};
