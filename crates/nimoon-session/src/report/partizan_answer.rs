//! What there is to say about a sum of partizan positions.

use std::fmt::Write as _;

use nimoon::TurnKind;
use nimoon::partizan::{Sides, Winner};
use nimoon::player::Player;
use nimoon::solve::partizan::{PartizanGuide, PartizanSolution};
use schemars::JsonSchema;
use serde::Serialize;

use super::answer::PlyReport;
use nimoon_formats::write::json::{Json, shaped};
use nimoon_formats::write::terminal::{cell_width, padded_cell, visible};

/// The value of a partizan game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LoopyValue {
    /// Which kind of value it is.
    kind: LoopyKind,
    /// The value in the notation of loopy games.
    pub text: String,
    /// Whether the game equals a stopper; if not, the text has two sides.
    #[serde(rename = "stopper")]
    pub is_stopper: bool,
}

/// The kind of the value of a partizan game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum LoopyKind {
    /// A loopy game.
    Loopy,
}

impl LoopyValue {
    /// The value with these sides; none if a side was not found.
    pub(super) fn of_sides(solution: &PartizanSolution, sides: Sides) -> Option<Self> {
        let text = solution.stoppers().sides_text(sides)?;
        Some(Self { kind: LoopyKind::Loopy, text, is_stopper: sides.stopper().is_some() })
    }
}

/// Who wins if Left starts, and if Right starts, where that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(into = "JsonLetters")]
#[schemars(from = "JsonLetters")]
pub struct PartizanOutcome(pub [Option<Winner>; 2]);

impl PartizanOutcome {
    /// Who wins, in words, with a line for each starter.
    ///
    /// ```
    /// use nimoon::player::Player;
    /// use nimoon_session::report::PartizanOutcome;
    /// let text = PartizanOutcome([Some(Some(Player::Left)), Some(None)]).text();
    /// assert_eq!(text, "if Left starts: Left wins\nif Right starts: a draw, play is endless\n");
    /// ```
    pub fn text(self) -> String {
        let mut text = String::new();
        for (player, winner) in Player::BOTH.into_iter().zip(self.0) {
            let said = match winner {
                Some(Some(winner)) => format!("{winner} wins"),
                Some(None) => "a draw, play is endless".to_owned(),
                None => "not known".to_owned(),
            };
            let _ = writeln!(text, "if {player} starts: {said}");
        }
        text
    }

    /// Who wins, in a letter for each starter: L, R, or D for a draw.
    ///
    /// ```
    /// use nimoon::player::Player;
    /// use nimoon_session::report::PartizanOutcome;
    /// let outcome = PartizanOutcome([Some(Some(Player::Left)), Some(None)]);
    /// assert_eq!(outcome.letters(), [Some("L"), Some("D")]);
    /// ```
    pub fn letters(self) -> [Option<&'static str>; 2] {
        self.0.map(|winner| {
            winner.map(|winner| match winner {
                Some(Player::Left) => "L",
                Some(Player::Right) => "R",
                None => "D",
            })
        })
    }
}

/// The letters of an outcome, as JSON.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PartizanOutcome")]
struct JsonLetters {
    /// Who wins if Left starts: L, R, or D for a draw; null where that is not known.
    left_first: Option<&'static str>,
    /// The same if Right starts.
    right_first: Option<&'static str>,
}

impl From<PartizanOutcome> for JsonLetters {
    fn from(outcome: PartizanOutcome) -> Self {
        let [left_first, right_first] = outcome.letters();
        Self { left_first, right_first }
    }
}

/// What a player does best.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PartizanTurn")]
pub struct PartizanTurnReport {
    /// What it achieves.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<TurnKind>")]
    pub kind: TurnKind,
    /// The move; empty if there is none.
    pub plies: Vec<PlyReport>,
    /// What it was chosen by.
    #[serde(flatten, serialize_with = "shaped")]
    #[schemars(with = "Json<PartizanGuide>")]
    pub guide: PartizanGuide,
}

impl PartizanTurnReport {
    /// The turn in words, for a terminal.
    pub fn text(&self, player: Player) -> String {
        let by_search = matches!(self.guide, PartizanGuide::Search { .. });
        let heading = match self.kind {
            TurnKind::Winning => "wins",
            TurnKind::Drawing => "keeps the draw",
            TurnKind::Losing if by_search => "loses with every move; this one lasts longest",
            TurnKind::Losing => "loses with every move, such as this one",
            TurnKind::None => return format!("{player} to move has no move, and loses.\n"),
        };
        let guide = match self.guide {
            PartizanGuide::Search { remoteness: Some(1) } => {
                ", by search: the game ends after 1 ply".to_owned()
            }
            PartizanGuide::Search { remoteness: Some(plies) } => {
                format!(", by search: the game ends after {plies} plies of good play")
            }
            PartizanGuide::Search { remoteness: None } => ", by search".to_owned(),
            PartizanGuide::Values => ", by the values of the components".to_owned(),
        };
        let mut text = format!("{player} to move {heading}{guide}:\n");
        for ply in &self.plies {
            let (from, to) = (visible(&ply.from), visible(&ply.to));
            let words = ply.words.as_ref().map(|(_, words)| format!("{}:  ", visible(words)));
            let words = words.unwrap_or_default();
            let _ = writeln!(text, "  component {}:  {words}{from} → {to}", ply.component);
        }
        text
    }
}

/// One component of a partizan sum.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PartizanComponent")]
pub struct PartizanComponentReport {
    /// The position, in the notation it was given in.
    pub position: String,
    /// Its value; null if it was not found.
    pub value: Option<LoopyValue>,
    /// Who wins it alone.
    pub outcome: PartizanOutcome,
}

/// Everything about a sum of partizan positions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PartizanSum")]
pub struct PartizanSumReport {
    /// The components.
    pub components: Vec<PartizanComponentReport>,
    /// The value; none if it was not found.
    pub value: Option<LoopyValue>,
    /// Who wins.
    pub outcome: PartizanOutcome,
    /// What the players do best when they are to move.
    pub turns: PartizanTurns,
}

/// What Left and Right do best when they are to move; null if a limit was hit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PartizanTurns {
    /// The turn of Left.
    pub left: Option<PartizanTurnReport>,
    /// The turn of Right.
    pub right: Option<PartizanTurnReport>,
}

/// A value for people.
fn value_text(value: Option<&LoopyValue>) -> &str {
    value.map_or("not known", |value| &value.text)
}

impl PartizanSumReport {
    /// The answer in words, for a terminal.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let names: Vec<_> = self.components.iter().map(|c| visible(&c.position)).collect();
        let widest =
            names.iter().map(|name| cell_width(name)).max().unwrap_or(0).max("position".len());
        let mut line = |number: &str, name: &str, [left, right]: [&str; 2], value: &str| {
            let name = padded_cell(name, widest);
            let _ = writeln!(text, "{number:>4}  {name}  {left:<10}  {right:<11}  {value}");
        };
        line("", "position", ["Left first", "Right first"], "value");
        for (i, (component, name)) in self.components.iter().zip(&names).enumerate() {
            let winners = component.outcome.0.map(|winner| match winner {
                Some(Some(Player::Left)) => "Left",
                Some(Some(Player::Right)) => "Right",
                Some(None) => "draw",
                None => "?",
            });
            line(&i.to_string(), name, winners, value_text(component.value.as_ref()));
        }
        let _ = writeln!(text, "\n sum  {}", value_text(self.value.as_ref()));
        for line in self.outcome.text().lines() {
            let _ = writeln!(text, "      {line}");
        }
        for (player, turn) in Player::BOTH.into_iter().zip([&self.turns.left, &self.turns.right]) {
            if let Some(turn) = turn {
                let _ = write!(text, "\n{}", turn.text(player));
            }
        }
        text
    }
}
