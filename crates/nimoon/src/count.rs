//! Numbers with their nouns, in messages.

/// "1 node", "2 nodes".
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{s}")
}
