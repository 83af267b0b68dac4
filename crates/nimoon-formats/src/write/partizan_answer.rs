//! What there is to say about a sum of partizan positions.

use std::fmt::Write as _;

use nimoon::TurnKind;
use nimoon::loopy::{PartizanGuide, Player, Winner};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::answer::PlyReport;
use super::terminal::{padded, visible, width};

/// The value of a loopy game, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopyValue {
    /// In the notation of loopy games.
    pub text: String,
    /// Whether the game equals a stopper; if not, the text has two sides.
    pub is_stopper: bool,
}

impl Serialize for LoopyValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("kind", "loopy")?;
        map.serialize_entry("text", &self.text)?;
        map.serialize_entry("stopper", &self.is_stopper)?;
        map.end()
    }
}

/// Who wins if Left starts, and if Right starts, where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartizanOutcome(pub [Option<Winner>; 2]);

impl PartizanOutcome {
    /// Who wins, in words, with a line for each starter.
    ///
    /// ```
    /// use nimoon::loopy::Player;
    /// use nimoon_formats::write::PartizanOutcome;
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
    /// use nimoon::loopy::Player;
    /// use nimoon_formats::write::PartizanOutcome;
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

impl Serialize for PartizanOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [left_first, right_first] = self.letters();
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("left_first", &left_first)?;
        map.serialize_entry("right_first", &right_first)?;
        map.end()
    }
}

/// What a player does best.
#[derive(Clone, Debug)]
pub struct PartizanTurnReport {
    /// What it achieves.
    pub kind: TurnKind,
    /// The move; none if there is none.
    pub plies: Vec<PlyReport>,
    /// What it was chosen by.
    pub guide: PartizanGuide,
}

impl Serialize for PartizanTurnReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.kind.name())?;
        map.serialize_entry("plies", &self.plies)?;
        map.serialize_entry("guide", self.guide.name())?;
        if let PartizanGuide::Search { remoteness } = self.guide {
            map.serialize_entry("remoteness", &remoteness)?;
        }
        map.end()
    }
}

impl PartizanTurnReport {
    /// The turn in words, for a terminal.
    pub fn text(&self, player: Player) -> String {
        let by_search = matches!(self.guide, PartizanGuide::Search { .. });
        let heading = match self.kind {
            TurnKind::Winning => "wins",
            TurnKind::Drawing => "holds the draw",
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

/// One component of a sum.
#[derive(Clone, Debug)]
pub struct PartizanComponentReport {
    /// The position, in the notation it was given in.
    pub position: String,
    /// Its value; none if it was not found.
    pub value: Option<LoopyValue>,
    /// Who wins it alone.
    pub outcome: PartizanOutcome,
}

impl Serialize for PartizanComponentReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("position", &self.position)?;
        map.serialize_entry("value", &self.value)?;
        map.serialize_entry("outcome", &self.outcome)?;
        map.end()
    }
}

/// Everything about a sum of partizan positions.
#[derive(Clone, Debug)]
pub struct PartizanSumReport {
    /// The components.
    pub components: Vec<PartizanComponentReport>,
    /// The value; none if it was not found.
    pub value: Option<LoopyValue>,
    /// Who wins.
    pub outcome: PartizanOutcome,
    /// What Left and Right do best when they are to move; none if a budget was hit.
    pub turns: [Option<PartizanTurnReport>; 2],
}

impl Serialize for PartizanSumReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Turns<'a> {
            left: Option<&'a PartizanTurnReport>,
            right: Option<&'a PartizanTurnReport>,
        }
        let [left, right] = self.turns.each_ref().map(Option::as_ref);
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("components", &self.components)?;
        map.serialize_entry("value", &self.value)?;
        map.serialize_entry("outcome", &self.outcome)?;
        map.serialize_entry("turns", &Turns { left, right })?;
        map.end()
    }
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
        let widest = names.iter().map(|name| width(name)).max().unwrap_or(0).max("position".len());
        let mut line = |number: &str, name: &str, [left, right]: [&str; 2], value: &str| {
            let name = padded(name, widest);
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
        for (player, turn) in Player::BOTH.into_iter().zip(&self.turns) {
            if let Some(turn) = turn {
                let _ = write!(text, "\n{}", turn.text(player));
            }
        }
        text
    }
}
