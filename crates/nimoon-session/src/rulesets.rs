//! The rulesets that expressions can name: those of `nimoon-rulesets`, digraphs in files, values, and
//! ordinal sums.

use nimoon_rulesets::Entry;

/// All rulesets, board by board.
pub fn catalogue() -> Vec<Entry> {
    let mut entries = nimoon_rulesets::catalogue();
    entries.extend([
        crate::digraph_file::entry(),
        crate::ordinal_sum::entry(),
        crate::value_game::entry(),
    ]);
    entries
}

/// The ruleset with this name or alias, in upper or lower case.
///
/// ```
/// assert_eq!(nimoon_session::find("nim").unwrap().example, "nim:5");
/// assert!(nimoon_session::find("digraph").is_some());
/// assert_eq!(nimoon_session::find("Dots-and-Boxes").unwrap().name, "nimstring");
/// assert!(nimoon_session::find("chess").is_none());
/// ```
pub fn find(name: &str) -> Option<Entry> {
    catalogue().into_iter().find(|entry| entry.is_called(name))
}
