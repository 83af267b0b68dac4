//! All positions that play can reach, with what is known of each.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use nimoon::ruleset::Kind;
use nimoon::{AnyValue, Label, Outcome, Theory};
use nimoon_formats::write::json::{Json, is_true, label_or_null, shaped};
use nimoon_formats::write::terminal::{cell_width, visible, width};
use nimoon_formats::write::{csv_field, outcome_letter, write_row};
use schemars::JsonSchema;
use serde::Serialize;

use super::{LoopyValue, PartizanOutcome};
use crate::condition::Fact;

/// All positions that play can reach.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Explored_{R}")]
pub struct ExploreReport<R = ExploredRow> {
    /// The theory of the values: the smallest that fits all of them; null where they are not known.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<Theory>>")]
    pub theory: Option<Theory>,
    /// False where a limit was hit; left out otherwise.
    #[serde(skip_serializing_if = "is_true")]
    pub complete: bool,
    /// The positions; where none is filtered out, the first is where play begins.
    pub positions: Vec<R>,
}

/// A position of an impartial game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ExploredPosition")]
pub struct ExploredRow {
    /// The position in its notation, parts joined by `+`.
    pub position: String,
    /// The value; null where it is not known. What must be answered has `covers` instead.
    #[serde(flatten, serialize_with = "label_or_null")]
    #[schemars(with = "Json<Label>")]
    pub label: Option<Label>,
    /// The value as it is printed; null where there is none.
    pub text: Option<String>,
    /// Who wins; null where that is not known.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<Outcome>>")]
    pub outcome: Option<Outcome>,
    /// How many plies play takes if the winner hurries and the loser delays; null if nobody wins, or it is not
    /// known.
    pub remoteness: Option<u32>,
    /// The moves, each once.
    pub options: Vec<ExploredMove>,
    /// Whether the remoteness is known to be infinite.
    #[serde(skip)]
    pub is_draw: bool,
}

/// A move of an impartial game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExploredMove {
    /// The position that it leaves.
    pub to: String,
    /// Who moves then.
    pub kind: MoveKind,
}

/// Who moves after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MoveKind {
    /// The opponent, anywhere.
    Move,
    /// The same player, anywhere.
    Again,
    /// The opponent, in what the move left.
    Entails,
}

impl From<Kind> for MoveKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Ordinary => Self::Move,
            Kind::Again => Self::Again,
            Kind::Entailing => Self::Entails,
        }
    }
}

/// A position of a partizan game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ExploredPartizanPosition")]
pub struct PartizanExploredRow {
    /// The position in its notation.
    pub position: String,
    /// The value; null where it is not known.
    pub value: Option<LoopyValue>,
    /// The value as it is printed; null where it is not known.
    pub text: Option<String>,
    /// Who wins.
    pub outcome: PartizanOutcome,
    /// How many plies play takes.
    pub remoteness: PartizanRemotenessPair,
    /// The moves, each once.
    pub options: Vec<PartizanExploredMove>,
}

/// How many plies play takes if Left starts, and if Right starts.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct PartizanRemotenessPair {
    /// If Left starts; null if nobody wins, or it is not known.
    pub left_first: Option<u32>,
    /// If Right starts.
    pub right_first: Option<u32>,
}

/// A move of a partizan game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PartizanExploredMove {
    /// The position that it leaves.
    pub to: String,
    /// Who moves then: always the opponent.
    pub kind: MoveKind,
    /// Who makes the move: left or right.
    pub player: &'static str,
}

/// What is printed of a position.
pub trait ExploredCells {
    /// The names of the columns.
    const HEADER: &'static [&'static str];

    /// What is known under a name.
    fn fact(&self, name: &str) -> Fact;

    /// The cells: in ASCII for data, or for people.
    fn cells(&self, ascii: bool) -> Vec<String>;
}

/// What is known of a value.
pub fn value_fact(value: Option<&AnyValue>) -> Fact {
    value.map_or(Fact::Unknown, |value| {
        Fact::Value(format!("{value:#}"), value.nimber().map(i128::from))
    })
}

impl ExploredRow {
    fn value(&self) -> Option<&AnyValue> {
        match &self.label {
            Some(Label::White(value)) => Some(value),
            _ => None,
        }
    }

    fn value_text(&self, ascii: bool) -> String {
        match &self.label {
            Some(Label::White(value)) if ascii => format!("{value:#}"),
            Some(Label::White(value)) => value.to_string(),
            Some(Label::Gray(Some(cover))) => format!("covers {cover}"),
            _ => if ascii { "" } else { "-" }.to_owned(),
        }
    }
}

impl ExploredCells for ExploredRow {
    const HEADER: &'static [&'static str] =
        &["position", "value", "outcome", "remoteness", "options"];

    fn fact(&self, name: &str) -> Fact {
        match name {
            "position" => Fact::Text(self.position.clone()),
            "value" => value_fact(self.value()),
            "outcome" => {
                self.outcome.map_or(Fact::Unknown, |outcome| Fact::Text(outcome.to_string()))
            }
            "remoteness" => match self.remoteness {
                Some(plies) => Fact::Number(plies.into()),
                None if self.is_draw => Fact::Infinite,
                None => Fact::Unknown,
            },
            "options" => Fact::Number(self.options.len() as i128),
            _ => Fact::Unknown,
        }
    }

    fn cells(&self, ascii: bool) -> Vec<String> {
        let remoteness = match self.remoteness {
            Some(plies) => plies.to_string(),
            None if ascii => String::new(),
            None if self.is_draw => "∞".to_owned(),
            None => "-".to_owned(),
        };
        let outcome = match self.outcome {
            None if ascii => "",
            outcome => outcome_letter(outcome),
        };
        let options = self.options.iter().map(|option| match option.kind {
            MoveKind::Move => option.to.clone(),
            MoveKind::Again => format!("again {}", option.to),
            MoveKind::Entails => format!("entails {}", option.to),
        });
        let options = options.collect::<Vec<_>>().join("; ");
        vec![self.position.clone(), self.value_text(ascii), outcome.to_owned(), remoteness, options]
    }
}

impl PartizanExploredRow {
    fn letters(&self) -> [String; 2] {
        self.outcome.letters().map(|letter| letter.unwrap_or("?").to_owned())
    }
}

/// The class of an outcome by who wins if Left starts and if Right starts: L, R, N, P or D, or both letters.
pub fn outcome_class(outcome: PartizanOutcome) -> Option<String> {
    let [left, right] = outcome.letters();
    let (left, right) = (left?, right?);
    Some(match (left, right) {
        ("L", "L") => "L".to_owned(),
        ("R", "R") => "R".to_owned(),
        ("L", "R") => "N".to_owned(),
        ("R", "L") => "P".to_owned(),
        ("D", "D") => "D".to_owned(),
        (left, right) => format!("{left}{right}"),
    })
}

/// What is known of the value of a partizan position.
pub fn loopy_fact(value: Option<&LoopyValue>) -> Fact {
    value.map_or(Fact::Unknown, |value| Fact::Value(value.text.clone(), value.text.parse().ok()))
}

impl ExploredCells for PartizanExploredRow {
    const HEADER: &'static [&'static str] =
        &["position", "value", "left_first", "right_first", "left", "right"];

    fn fact(&self, name: &str) -> Fact {
        let letter = |player: usize| {
            self.outcome.letters()[player]
                .map_or(Fact::Unknown, |letter| Fact::Text(letter.to_owned()))
        };
        match name {
            "position" => Fact::Text(self.position.clone()),
            "value" => loopy_fact(self.value.as_ref()),
            "outcome" => outcome_class(self.outcome).map_or(Fact::Unknown, Fact::Text),
            "left_first" => letter(0),
            "right_first" => letter(1),
            "remoteness" => {
                let longest = self.remoteness.left_first.max(self.remoteness.right_first);
                longest.map_or(Fact::Unknown, |plies| Fact::Number(plies.into()))
            }
            _ => Fact::Number(self.options.len() as i128),
        }
    }

    fn cells(&self, ascii: bool) -> Vec<String> {
        let [left_first, right_first] = self.letters();
        let moves = |player: &str| {
            let moves = self.options.iter().filter(|option| option.player == player);
            moves.map(|option| &*option.to).collect::<Vec<_>>().join("; ")
        };
        let unknown = if ascii { "" } else { "-" };
        let value = self.text.clone().unwrap_or_else(|| unknown.to_owned());
        let (left, right) = (moves("left"), moves("right"));
        vec![self.position.clone(), value, left_first, right_first, left, right]
    }
}

impl<R: ExploredCells> ExploreReport<R> {
    /// What was found, in a line.
    fn title(&self, found: usize) -> String {
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let mut title = String::new();
        if let Some(theory) = self.theory {
            let _ = write!(title, "{theory} theory: ");
        }
        title.push_str(&count(found, "position"));
        if self.positions.len() < found {
            let _ = write!(title, ", {} shown", self.positions.len());
        }
        if !self.complete {
            title.push_str("; incomplete, since a limit was hit");
        }
        title
    }

    /// A table for people; `found` counts those that are filtered out too.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_table(&self, found: usize, out: &mut dyn Write) -> io::Result<()> {
        let mut out = io::BufWriter::new(out);
        writeln!(out, "{}", self.title(found))?;
        if self.positions.is_empty() {
            return out.flush();
        }
        let header: Vec<String> = R::HEADER.iter().map(ToString::to_string).collect();
        let shown = |row: &R| -> Vec<String> {
            row.cells(false).iter().map(|cell| visible(cell).into_owned()).collect()
        };
        let mut widths: Vec<usize> = header.iter().map(|cell| width(cell)).collect();
        for row in &self.positions {
            for (widest, cell) in widths.iter_mut().zip(shown(row)) {
                *widest = (*widest).max(cell_width(&cell));
            }
        }
        writeln!(out)?;
        write_row(&header, &widths, &mut out)?;
        let lines: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        write_row(&lines, &widths, &mut out)?;
        for row in &self.positions {
            write_row(&shown(row), &widths, &mut out)?;
        }
        out.flush()
    }

    /// Comma-separated values, with values in ASCII.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = io::BufWriter::new(out);
        writeln!(out, "{}", R::HEADER.join(","))?;
        for row in &self.positions {
            let cells = row.cells(true);
            let fields: Vec<Cow<'_, str>> = cells.iter().map(|cell| csv_field(cell)).collect();
            writeln!(out, "{}", fields.join(","))?;
        }
        out.flush()
    }
}
