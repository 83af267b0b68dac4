//! A misspelt name: which one was meant.

/// The name that differs least from the given one, if it differs little; or else the shortest
/// one that has it as a part. Capital letters differ from small ones only where it is a tie.
///
/// ```
/// use nimoon_formats::read::nearest;
/// let names = ["nim", "kayles", "slide"];
/// assert_eq!(nearest(names, "kales").as_deref(), Some("kayles"));
/// assert_eq!(nearest(names, "NIM").as_deref(), Some("nim"));
/// assert_eq!(nearest(names, "yles").as_deref(), Some("kayles"));
/// assert_eq!(nearest(names, "chess"), None);
/// ```
pub fn nearest<S: AsRef<str>>(names: impl IntoIterator<Item = S>, name: &str) -> Option<String> {
    /// A search in more names than this takes too long, and a longer name is not a typing error.
    const MOST_NAMES: usize = 10_000;
    const LONGEST: usize = 100;
    /// Shorter parts are those of many names.
    const LEAST_PART: usize = 4;
    let length = name.chars().count();
    if length > LONGEST {
        return None;
    }
    let small = name.to_lowercase();
    let mut least: Option<((usize, usize), S)> = None;
    // The shortest name with this part, by its length.
    let mut whole: Option<(usize, String)> = None;
    for (i, other) in names.into_iter().enumerate() {
        if i == MOST_NAMES {
            return None;
        }
        let other_small = other.as_ref().to_lowercase();
        let longer = other_small.chars().count();
        if length >= LEAST_PART
            && other_small.contains(&small)
            && whole.as_ref().is_none_or(|(shortest, _)| longer < *shortest)
        {
            whole = Some((longer, other.as_ref().to_owned()));
        }
        let changes = (distance(&small, &other_small), distance(name, other.as_ref()));
        if least.as_ref().is_none_or(|(least, _)| changes < *least) {
            least = Some((changes, other));
        }
    }
    let ((changes, _), nearest) = least?;
    // Of a name with one letter, every other one is as near.
    if changes <= 1 + length / 3 && changes < length {
        return Some(nearest.as_ref().to_owned());
    }
    whole.map(|(_, name)| name)
}

/// The number of characters to insert, delete or replace (V. I. Levenshtein, 1966).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(200).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, from) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &to) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_changes() {
        assert_eq!(distance("nim", "nim"), 0);
        assert_eq!(distance("kayles", "kales"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("octal", "coins"), 5);
    }

    #[test]
    fn names_that_differ_little_are_found() {
        let names = ["start", "end"];
        for (typed, meant) in
            [("strat", Some("start")), ("stat", Some("start")), ("s", None), ("q", None)]
        {
            assert_eq!(nearest(names, typed).as_deref(), meant, "{typed}");
        }
        assert_eq!(nearest(names, &"s".repeat(101)), None);
        assert_eq!(nearest(["A", "a", "b"], "a1").as_deref(), Some("a"));
        assert_eq!(nearest(["NODE", "node", "mode"], "Node").as_deref(), Some("node"));
        let long = ["a-start-of-all", "the-start-of"];
        assert_eq!(nearest(long, "START").as_deref(), Some("the-start-of"));
        assert_eq!(nearest(long, "art"), None);
        assert_eq!(nearest(vec!["nin"; 10_001], "nim"), None);
    }
}
