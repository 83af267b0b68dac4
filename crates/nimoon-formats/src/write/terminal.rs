//! Names and tables in text for terminals.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

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
    // A width in a format string must be below 2¹⁶, and a name can be longer.
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The most columns of a cell in a table for people.
const MOST_COLUMNS: usize = 200;

/// A cell of a table: one that is too long for a table has `…` for its middle.
pub fn shortened(text: &str) -> Cow<'_, str> {
    /// What is kept at the end.
    const END: usize = 49;
    if width(text) <= MOST_COLUMNS {
        return Cow::Borrowed(text);
    }
    let start = bytes_within(text.chars(), MOST_COLUMNS - END - 1);
    let end = text.len() - bytes_within(text.chars().rev(), END);
    Cow::Owned(format!("{}…{}", &text[..start], &text[end..]))
}

/// How many bytes the first characters take that fit into this many columns.
fn bytes_within(characters: impl Iterator<Item = char>, columns: usize) -> usize {
    let mut left = columns;
    let fitting = characters.take_while(|c| {
        let rest = left.checked_sub(c.width().unwrap_or(0));
        left = rest.unwrap_or(left);
        rest.is_some()
    });
    fitting.map(char::len_utf8).sum()
}

/// How many columns a cell takes.
pub fn cell_width(text: &str) -> usize {
    width(&shortened(text))
}

/// A cell with spaces behind it up to this many columns.
pub fn padded_cell(text: &str, columns: usize) -> String {
    padded(&shortened(text), columns)
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

    #[test]
    fn any_number_of_columns_can_be_padded() {
        for columns in [0, 65_534, 65_535, 65_536, 200_000] {
            assert_eq!(padded("", columns).len(), columns);
        }
    }

    #[test]
    fn long_cells_keep_their_ends() {
        let exact = "a".repeat(MOST_COLUMNS);
        assert_eq!(shortened(&exact), exact);
        let long = format!("{}{}", "a".repeat(100_000), "z".repeat(100_000));
        assert_eq!(shortened(&long), format!("{}…{}", "a".repeat(150), "z".repeat(49)));
        // A character of two columns is not split.
        let wide = "月".repeat(1000);
        assert_eq!(shortened(&wide), format!("{}…{}", "月".repeat(75), "月".repeat(24)));
        assert_eq!(cell_width(&wide), 199);
        // A character without a width goes with those before it.
        let marked = "e\u{301}".repeat(1000);
        assert_eq!(cell_width(&marked), MOST_COLUMNS);
    }
}
