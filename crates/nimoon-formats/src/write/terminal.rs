//! Names in text for terminals.

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr;

/// A name on one line, with what a terminal would act on escaped.
pub fn visible(name: &str) -> Cow<'_, str> {
    if !name.contains(char::is_control) {
        return Cow::Borrowed(name);
    }
    let escaped =
        |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    Cow::Owned(name.chars().map(escaped).collect())
}

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// A text with spaces behind it up to this many columns.
pub fn padded(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{text}{:missing$}", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(visible("a\nb\u{1b}[31m"), "a\\nb\\u{1b}[31m");
    }

    #[test]
    fn columns_are_counted_as_terminals_do() {
        assert_eq!(padded("月", 3), "月 ");
        assert_eq!(padded("e\u{301}", 3), "e\u{301}  ");
        assert_eq!(padded("long", 3), "long");
    }
}
