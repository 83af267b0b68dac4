//! Parses a line of a session: an expression, an assignment or a command.

/// A piece of a line, and the byte where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Piece<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// Some bytes of it.
    pub(super) fn part(self, from: usize, to: usize) -> Self {
        Self { text: &self.text[from..to], at: self.at + from }
    }

    /// The same without spaces around it.
    pub(super) fn trimmed(self) -> Self {
        let text = self.text.trim_start();
        Self { text: text.trim_end(), at: self.at + self.text.len() - text.len() }
    }

    /// The byte after it.
    pub(super) fn end(self) -> usize {
        self.at + self.text.len()
    }

    /// Its first word, and the rest, both without spaces around them.
    pub(super) fn first_word(self) -> (Self, Self) {
        let piece = self.trimmed();
        let end = piece.text.find(char::is_whitespace).unwrap_or(piece.text.len());
        (piece.part(0, end), piece.part(end, piece.text.len()).trimmed())
    }
}

/// A parsed line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A comment, or an empty line.
    Nothing,
    Expression(Piece<'a>),
    Assignment {
        name: Piece<'a>,
        expression: Piece<'a>,
    },
    Command {
        command: Command,
        rest: Piece<'a>,
    },
}

impl<'a> Line<'a> {
    pub(super) fn of(line: &'a str) -> Self {
        let line = Piece::new(&line[..comment(line)], 0).trimmed();
        if line.text.is_empty() {
            return Self::Nothing;
        }
        if let Some(sign) = assignment(line.text) {
            let name = line.part(0, sign).trimmed();
            return Self::Assignment { name, expression: line.part(sign + 1, line.text.len()) };
        }
        let (word, rest) = line.first_word();
        match Command::named(word.text) {
            Some(command) => Self::Command { command, rest },
            None => Self::Expression(line),
        }
    }
}

/// Where a comment begins: at a `#` at the start of the line, or after a space outside of brackets.
fn comment(line: &str) -> usize {
    let mut depth = 0_usize;
    let mut before = ' ';
    let found = line.char_indices().find(|&(_, c)| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let begins = c == '#' && depth == 0 && before.is_whitespace();
        before = c;
        begins
    });
    found.map_or(line.len(), |(at, _)| at)
}

/// The sign of an assignment. After the name of a ruleset, `=` belongs to a position.
fn assignment(line: &str) -> Option<usize> {
    let sign = line.find('=')?;
    (!line[..sign].contains([':', '['])).then_some(sign)
}

/// Whether a word can be a name: letters, digits and `_`, with no digit in front.
pub(super) fn is_identifier(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && letters.all(|c| c.is_alphanumeric() || c == '_')
}

/// The commands of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Value,
    Outcome,
    Turn,
    Turns,
    Explain,
    Play,
    Theory,
    Budget,
    Vars,
    Rulesets,
    Help,
    Quit,
}

impl Command {
    pub(super) const ALL: [Self; 12] = [
        Self::Value,
        Self::Outcome,
        Self::Turn,
        Self::Turns,
        Self::Explain,
        Self::Play,
        Self::Theory,
        Self::Budget,
        Self::Vars,
        Self::Rulesets,
        Self::Help,
        Self::Quit,
    ];

    pub(super) fn named(word: &str) -> Option<Self> {
        match word {
            "exit" => Some(Self::Quit),
            "?" => Some(Self::Help),
            _ => Self::ALL.into_iter().find(|command| command.name() == word),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Outcome => "outcome",
            Self::Turn => "turn",
            Self::Turns => "turns",
            Self::Explain => "explain",
            Self::Play => "play",
            Self::Theory => "theory",
            Self::Budget => "budget",
            Self::Vars => "vars",
            Self::Rulesets => "rulesets",
            Self::Help => "help",
            Self::Quit => "quit",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_expression_an_assignment_or_a_command() {
        let piece = Piece::new;
        assert_eq!(Line::of(" nim:3 # three"), Line::Expression(piece("nim:3", 1)));
        let (name, expression) = (piece("x", 0), piece("  nim:3", 3));
        assert_eq!(Line::of("x =  nim:3 "), Line::Assignment { name, expression });
        let rest = piece("x + nim:3", 8);
        assert_eq!(Line::of("  turn  x + nim:3"), Line::Command { command: Command::Turn, rest });
        assert_eq!(Line::of(" # x = 3"), Line::Nothing);
        assert_eq!(Line::of("\t"), Line::Nothing);
    }

    #[test]
    fn signs_in_positions_and_file_names_have_no_other_meaning() {
        let line = "fox-geese:4/geese=3.1,3.3/fox=2.2";
        assert_eq!(Line::of(line), Line::Expression(Piece::new(line, 0)));
        let line = "digraph[a #=b]:c#d";
        assert_eq!(Line::of(line), Line::Expression(Piece::new(line, 0)));
        assert_eq!(Line::of("values"), Line::Expression(Piece::new("values", 0)));
    }

    #[test]
    fn names_are_words() {
        for word in ["x", "x_1", "_", "été"] {
            assert!(is_identifier(word), "{word}");
        }
        for word in ["", "1x", "a-b", "a b", "x:"] {
            assert!(!is_identifier(word), "{word}");
        }
    }
}
