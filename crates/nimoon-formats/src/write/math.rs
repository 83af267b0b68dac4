//! Labels of nodes broken into pieces that the drawing formats can set.

use nimoon::{AnyValue, Cover, EntailingValue, Label, NimberSet, Value};

/// A piece of a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// Plain text.
    Text(String),
    /// ∞.
    Infinity,
    /// Text below the line.
    Subscript(String),
    /// ☾.
    Moon,
    /// ○.
    FullMoon,
    /// ●.
    NewMoon,
}

/// A line of a label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) pieces: Vec<Piece>,
    /// The size of its type.
    pub(super) size: f64,
}

const VALUE_SIZE: f64 = 15.0;
const COVER_SIZE: f64 = 10.5;
const HEAPS_SIZE: f64 = 9.5;
/// Subscripts relative to the line.
pub(super) const SUBSCRIPT: f64 = 0.7;
/// Sets longer than this are cut short in pictures; the title of the node has them in full.
const LONGEST: usize = 26;

impl Line {
    /// About how wide the line is in a wide serif type.
    pub(super) fn width(&self) -> f64 {
        self.pieces.iter().map(|piece| self.size * piece.ems()).sum()
    }

    /// How high the line is, with the space below it.
    pub(super) fn height(&self) -> f64 {
        self.size * 1.15
    }
}

impl Piece {
    /// About how wide the piece is, relative to the size of the line.
    pub(super) fn ems(&self) -> f64 {
        match self {
            Self::Text(text) => text_ems(text),
            Self::Subscript(text) => SUBSCRIPT * text_ems(text),
            Self::Infinity => 0.95,
            Self::Moon | Self::FullMoon | Self::NewMoon => 0.72,
        }
    }
}

/// About how wide a text is, relative to its size.
pub(super) fn text_ems(text: &str) -> f64 {
    let width = |c: char| match c {
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | ' ' | ',' | '.' | ':' | ';' | '|' | '\'' | '('
        | ')' | '[' | ']' | 'I' | '!' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 0.98,
        'A'..='Z' | '+' | '=' | '<' | '>' => 0.76,
        '\0'..='\u{02ff}' => 0.62,
        '\u{0300}'..='\u{036f}' => 0.0,
        '\u{1100}'.. => 1.05,
        _ => 0.7,
    };
    text.chars().map(width).sum()
}

/// A text cut to a number of characters, the last of them `…` where something was cut.
pub(super) fn shortened(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(longest.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// The lines to set beside a node.
pub(super) fn lines(label: &Label) -> Vec<Line> {
    let one = |pieces, size| vec![Line { pieces, size }];
    match label {
        Label::White(AnyValue::General(outcomes)) | Label::Gray(Some(Cover::Mixed(outcomes))) => {
            let sets = [("N", &outcomes.win), ("P", &outcomes.loss), ("D", &outcomes.draw)];
            let lines: Vec<Line> = sets
                .into_iter()
                .filter(|(_, set)| !set.is_nothing())
                .map(|(outcome, set)| Line {
                    pieces: vec![set_piece(&format!("{outcome}: "), set)],
                    size: HEAPS_SIZE,
                })
                .collect();
            if lines.is_empty() { one(vec![Piece::Text("?".into())], VALUE_SIZE) } else { lines }
        }
        Label::White(value) => one(value_pieces(value), VALUE_SIZE),
        Label::Gray(None) => Vec::new(),
        Label::Gray(Some(Cover::NewMoon)) => one(vec![Piece::NewMoon], COVER_SIZE),
        Label::Gray(Some(Cover::FullMoon)) => one(vec![Piece::FullMoon], COVER_SIZE),
        Label::Gray(Some(Cover::Heaps(set))) => one(vec![set_piece("", set)], COVER_SIZE),
    }
}

fn set_piece(before: &str, set: &NimberSet) -> Piece {
    Piece::Text(format!("{before}{}", shortened(&set.to_string(), LONGEST)))
}

fn value_pieces(value: &AnyValue) -> Vec<Piece> {
    let below = |numbers: String| {
        (!numbers.is_empty()).then(|| Piece::Subscript(shortened(&numbers, LONGEST)))
    };
    match value {
        AnyValue::Entailing(EntailingValue::Moon) => vec![Piece::Moon],
        AnyValue::CarryOn(Value::FullMoon) => vec![Piece::FullMoon],
        AnyValue::CarryOn(Value::Moon(forced)) => {
            [Some(Piece::Moon), below(forced.to_string())].into_iter().flatten().collect()
        }
        AnyValue::CarryOn(Value::Ninny(forced)) => {
            [Some(Piece::Infinity), below(format!("*{forced}"))].into_iter().flatten().collect()
        }
        AnyValue::CarryOn(Value::Cyclic(exits)) => {
            [Some(Piece::Infinity), below(exits.to_string())].into_iter().flatten().collect()
        }
        other => vec![Piece::Text(shortened(&other.to_string(), LONGEST))],
    }
}

#[cfg(test)]
mod tests {
    use nimoon::Nimbers;

    use super::*;

    #[test]
    fn a_cyclic_value_has_its_exits_below_the_line() {
        let exits = Nimbers::from([0, 2]);
        let label = Label::White(AnyValue::CarryOn(Value::Cyclic(exits)));
        assert_eq!(lines(&label)[0].pieces, [Piece::Infinity, Piece::Subscript("0,2".into())]);
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(shortened("abcdef", 4), "abc…");
        assert_eq!(shortened("abcd", 4), "abcd");
    }
}
