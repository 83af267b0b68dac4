//! The list of all rulesets: their names, rules, notation, and how to make one.

use nimoon::{Interrupted, Positions, Work};
use nimoon::{notation::NotationError, ruleset::PartizanPositions};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

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
    /// Without brackets.
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

impl Parameters {
    /// What stands in brackets, in words.
    pub fn words(self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Text(what) | Self::Rulesets(what) => Some(what.to_owned()),
            Self::File { holds, .. } => Some(format!("the name of a file: {holds}")),
        }
    }
}

/// What a ruleset is made from.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The text in the brackets; empty without brackets.
    pub text: &'a str,
    /// The contents of the file that the text names, for [`Parameters::File`].
    pub file: &'a [u8],
    /// Within what it is made.
    pub work: &'a Work,
}

/// Why a ruleset is not made from its parameters.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum MakeError {
    /// Something is wrong with them.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A limit was hit.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// Makes a ruleset from its parameters.
#[derive(Clone, Copy, Debug)]
pub enum Make {
    /// One in which both players have the same moves.
    Impartial(fn(Given<'_>) -> Result<Box<dyn Positions>, MakeError>),
    /// One in which Left and Right have moves of their own.
    Partizan(fn(Given<'_>) -> Result<Box<dyn PartizanPositions>, MakeError>),
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

/// A ruleset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Ruleset")]
pub struct EntryReport {
    /// The name in expressions.
    pub name: String,
    /// Other names for it in expressions; left out if there are none.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub aliases: &'static [&'static str],
    /// What it is played on.
    pub board: &'static str,
    /// The rules, in a few sentences.
    pub rules: String,
    /// How positions are written.
    pub notation: Option<&'static str>,
    /// An expression to try.
    pub example: Option<&'static str>,
    /// The value of the example, as it is printed.
    pub value: Option<&'static str>,
    /// What stands in brackets.
    pub parameters: Option<String>,
    /// Where the game comes from.
    pub source: String,
}

/// Other names under which people know a ruleset.
const ALIASES: [(&str, &[&str]); 3] = [
    ("backsliding", &["toads-and-frogs"]),
    ("coins", &["strings-and-coins"]),
    ("nimstring", &["dots-and-boxes"]),
];

impl Entry {
    /// Other names of the ruleset.
    pub fn aliases(&self) -> &'static [&'static str] {
        ALIASES.iter().find(|(name, _)| *name == self.name).map_or(&[], |(_, aliases)| aliases)
    }

    /// Whether the ruleset has this name, in upper or lower case.
    pub fn is_called(&self, name: &str) -> bool {
        let mut names = self.aliases().iter().copied().chain([self.name]);
        names.any(|own| own.eq_ignore_ascii_case(name))
    }
}

impl EntryReport {
    /// The description of a ruleset in the list.
    pub fn new(entry: &Entry) -> Self {
        let &Entry { name, board, rules, notation, example, value, source, .. } = entry;
        Self {
            name: name.to_owned(),
            aliases: entry.aliases(),
            board: board.name(),
            rules: rules.to_owned(),
            notation: Some(notation),
            example: Some(example),
            value: Some(value),
            parameters: entry.parameters.words(),
            source: source.to_owned(),
        }
    }
}

/// All rulesets, board by board.
pub fn catalogue() -> Vec<Entry> {
    let boards = [
        crate::heap::entries(),
        crate::strip::entries(),
        crate::grid::entries(),
        crate::graph::entries(),
    ];
    boards.concat()
}
