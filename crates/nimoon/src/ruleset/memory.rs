//! A memory for what was computed before: in another run, in another process, or just now.
//!
//! The crate does no input or output, so it only says what it needs: bytes under a key, for each
//! ruleset. The crate `nimoon-store` keeps them in a file. What a memory forgets is computed
//! again, so it may forget anything at any time; what it must never do is to give back other bytes
//! than were kept.
//!
//! ```
//! use std::collections::HashMap;
//! use std::sync::Mutex;
//!
//! use nimoon::ruleset::memory::Memory;
//!
//! /// A memory that lasts as long as the program runs.
//! #[derive(Default)]
//! struct Library(Mutex<HashMap<(String, Vec<u8>), Box<[u8]>>>);
//!
//! impl Memory for Library {
//!     fn recall(&self, ruleset: &str, key: &[u8]) -> Option<Box<[u8]>> {
//!         self.0.lock().unwrap().get(&(ruleset.to_owned(), key.to_vec())).cloned()
//!     }
//!     fn keep(&self, ruleset: &str, key: &[u8], value: &[u8]) {
//!         self.0.lock().unwrap().insert((ruleset.to_owned(), key.to_vec()), value.into());
//!     }
//! }
//!
//! let library = Library::default();
//! library.keep("nim", b"5", b"*5");
//! assert_eq!(library.recall("nim", b"5").as_deref(), Some(&b"*5"[..]));
//! assert_eq!(library.recall("kayles", b"5"), None);
//! ```

/// What entries mean: positions as text, their options, and values. It is raised whenever a ruleset
/// gets other options, another canonical form or another notation, or an entry another encoding, so
/// that nothing is recalled that was kept by an engine with other rules.
pub const MEANING: u32 = 1;

/// Bytes that are kept under keys, for each ruleset.
///
/// A ruleset is named with its parameters and with everything else that its rules depend on, such
/// as the contents of a script. Nothing here can fail: what cannot be kept is forgotten.
pub trait Memory: Send + Sync {
    /// What was kept under a key, if it is still known.
    fn recall(&self, ruleset: &str, key: &[u8]) -> Option<Box<[u8]>>;

    /// Keeps a value under a key; a value that was there before is replaced.
    fn keep(&self, ruleset: &str, key: &[u8], value: &[u8]);
}
