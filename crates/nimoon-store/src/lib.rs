//! A file in which nimoon keeps what it has worked out: explorations, values, tables.
//!
//! [`Store`] is a [`Memory`](nimoon::memory::Memory): bytes under keys, for each ruleset. What it
//! promises:
//!
//! - **Nothing wrong is believed.** Each entry has a checksum over ruleset, key and value. A damaged
//!   one is not found, and so worked out again.
//! - **A crash costs at most what was not yet written.** Entries are added at the end of the file in
//!   batches; one that is not there to its last byte does not count, and the next writer removes it.
//! - **Any number of processes** can use one file. Reading needs no lock, and never waits. One process
//!   writes at a time; another waits for two seconds at most, and then goes on without keeping what it
//!   has. Programs write for moments only.
//! - **It does not grow for ever.** The file has a limit, 1 GiB unless told otherwise. When it is
//!   reached, the newest half is taken over into a new file, which then replaces the old one. Entries
//!   that alone would take more than half of it are not kept.
//! - **Nothing else is overwritten.** A file that is no store, or one of another version, is an error.
//! - **Deleting it loses only time,** also while programs are using it.
//!
//! # Why no database
//!
//! A general one was tried first, redb 4.4. With one bit flipped at random, 197 of 3000 files made it
//! panic, and more were silently read as having fewer entries; and a process that reads keeps all others
//! from writing, so that a page or a session with an open store would lock it. What is needed here is
//! less than a database offers: entries are never changed, and may be forgotten.
//!
//! - `format`: the file byte by byte.
//! - `view`: what a reader sees of it.
//! - `directory`: what is in it, in memory, so that what is not there is not looked for.
//! - `store`: keeping and recalling, and who may write.
//! - `rewrite`: a new file in place of the old one.
//! - `care`: contents, checks, forgetting.
//! - [`part`]: files that are replaced as a whole.

mod care;
mod checksum;
mod directory;
mod format;
pub mod part;
mod rewrite;
mod store;
mod view;

pub use care::{Checked, Contents, RulesetContents};
pub use store::{Options, Store, StoreError};
