//! Solved positions that outlive a run.

/// Keeps what a search of its own has found, so that another run can go on from there.
///
/// What is kept is up to the ruleset: it asks for a key that it has kept before, and gets the bytes
/// that it gave. A memory may forget anything at any time.
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::Mutex;
/// use nimoon::memory::Memory;
///
/// #[derive(Default)]
/// struct Kept(Mutex<HashMap<(String, Vec<u8>), Vec<u8>>>);
///
/// impl Memory for Kept {
///     fn recall(&self, ruleset: &str, key: &[u8]) -> Option<Box<[u8]>> {
///         let kept = self.0.lock().unwrap();
///         kept.get(&(ruleset.to_owned(), key.to_vec())).map(|value| value.clone().into())
///     }
///     fn keep(&self, ruleset: &str, key: &[u8], value: &[u8]) {
///         self.0.lock().unwrap().insert((ruleset.to_owned(), key.to_vec()), value.to_vec());
///     }
/// }
///
/// let kept = Kept::default();
/// kept.keep("nimstring", b"a position", &[2]);
/// assert_eq!(kept.recall("nimstring", b"a position").as_deref(), Some(&[2][..]));
/// assert_eq!(kept.recall("nimstring", b"another one"), None);
/// ```
pub trait Memory: Send + Sync {
    /// What was kept under this key.
    fn recall(&self, ruleset: &str, key: &[u8]) -> Option<Box<[u8]>>;

    /// Keeps a value under this key, in place of what was kept there before.
    fn keep(&self, ruleset: &str, key: &[u8], value: &[u8]);
}
