//! The list of all rulesets: their names, rules, notation, and how to make one.

use nimoon::Positions;
use nimoon::ruleset::{NotationError, PartizanPositions};

/// What a game is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Board {
    /// Heaps of tokens.
    Heap,
    /// A row of squares or things.
    Strip,
    /// A rectangle of squares.
    Grid,
    /// Vertices and edges.
    Graph,
    /// Whatever the games are played on that it is made of.
    Any,
}

impl Board {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Heap => "heap",
            Self::Strip => "strip",
            Self::Grid => "grid",
            Self::Graph => "graph",
            Self::Any => "any",
        }
    }
}

/// What stands in the brackets of `name[…]:position`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// There are no brackets.
    None,
    /// Text; this says what it is.
    Text(&'static str),
    /// The name of a file.
    File {
        /// What is in it.
        holds: &'static str,
        /// How many bytes it has at most.
        most: u64,
    },
    /// Two rulesets with a bar between them; this says which.
    Rulesets(&'static str),
}

/// What a ruleset is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given<'a> {
    /// The text in the brackets; empty without brackets.
    pub text: &'a str,
    /// The contents of the file that the text names, for [`Parameters::File`].
    pub file: &'a [u8],
}

/// Makes a ruleset from its parameters.
#[derive(Clone, Copy, Debug)]
pub enum Make {
    /// One in which both players have the same moves.
    Impartial(fn(Given<'_>) -> Result<Box<dyn Positions>, NotationError>),
    /// One in which Left and Right have moves of their own.
    Partizan(fn(Given<'_>) -> Result<Box<dyn PartizanPositions>, NotationError>),
}

/// A ruleset in the list.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name in expressions.
    pub name: &'static str,
    /// What it is played on.
    pub board: Board,
    /// The rules, in a few sentences.
    pub rules: &'static str,
    /// How positions are written.
    pub notation: &'static str,
    /// An expression to try.
    pub example: &'static str,
    /// The value of the example, as it is printed.
    pub value: &'static str,
    /// What stands in brackets.
    pub parameters: Parameters,
    /// Where the game comes from.
    pub source: &'static str,
    /// Makes it from its parameters.
    pub make: Make,
}

/// All rulesets, board by board.
pub fn catalogue() -> Vec<Entry> {
    let boards = [
        crate::heap::entries(),
        crate::strip::entries(),
        crate::grid::entries(),
        crate::graph::entries(),
        vec![crate::ordinal_sum::entry()],
    ];
    boards.concat()
}

/// The ruleset of this name.
///
/// ```
/// assert_eq!(nimoon_rulesets::find("nim").unwrap().example, "nim:5");
/// assert!(nimoon_rulesets::find("chess").is_none());
/// ```
pub fn find(name: &str) -> Option<Entry> {
    catalogue().into_iter().find(|entry| entry.name == name)
}
