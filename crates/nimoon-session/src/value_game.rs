//! Values as positions: the simplest game of a value, with moves that do what the value says.
//!
//! A number n is the nim-heap *n. Any other value has a pass, a move to each nim-heap at which the mover can hand over, and an entailing
//! move for each choice that the opponent can be given. So a sum of values is a sum of positions like any other, with an outcome and turns.
//!
//! ```text
//!   [0/1, >0]  ──► itself, *0        0/1  ──► *0, *1
//!   [0/1, >0]  ──entails──► 0/1
//! ```
//!
//! The proof that the game has the value is that of [`Control::representative`].

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use nimoon::impartial::control::{Control, Member, Place, ReadError};
use nimoon::impartial::value::EntailingValue;
use nimoon::notation::NotationError;
use nimoon::ruleset::{Interned, Move, Notation, Ruleset, Shortcuts};
use nimoon::{AnyValue, Work};
use nimoon_rulesets::catalogue::{Board, Entry, Make, Parameters};

/// The name of the ruleset.
pub(crate) const NAME: &str = "values";

/// Values as positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct ValueGame;

/// A value as a position.
#[derive(Clone, Debug)]
pub struct ValuePosition {
    value: Arc<Control>,
    at: At,
}

/// Where play stands in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum At {
    /// On a number or a state.
    Place(Place),
    /// In a duel: the opponent chooses a result of a member of a state.
    Duel { state: u32, member: u32 },
}

impl ValuePosition {
    fn place(&self, place: Place) -> Self {
        match place {
            Place::Number(n) => Self::number(n),
            Place::State(_) => Self { value: Arc::clone(&self.value), at: At::Place(place) },
        }
    }

    fn number(n: u64) -> Self {
        let value = Control::number(n);
        let at = At::Place(value.start());
        Self { value: Arc::new(value), at }
    }

    fn as_number(&self) -> Option<u64> {
        match self.at {
            At::Place(Place::Number(n)) => Some(n),
            _ => None,
        }
    }

    /// The results of a duel.
    fn results(&self, state: u32, member: u32) -> &[Place] {
        match &self.value.states()[state as usize][member as usize] {
            Member::Meet(results) => results,
            Member::Hand(_) => &[],
        }
    }
}

impl PartialEq for ValuePosition {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && self.value == other.value
    }
}

impl Eq for ValuePosition {}

impl Hash for ValuePosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.at.hash(state);
        self.value.hash(state);
    }
}

impl Ruleset for ValueGame {
    type Position = ValuePosition;

    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn options(&self, position: &ValuePosition) -> impl Iterator<Item = Move<ValuePosition>> {
        let (numbers, moves) = match position.at {
            At::Place(Place::Number(n)) => (0..n, Vec::new()),
            At::Duel { state, member } => {
                let results = position.results(state, member).iter();
                (0..0, results.map(|&result| Move::to(position.place(result))).collect())
            }
            At::Place(Place::State(state)) => {
                let mut moves = vec![Move::to(position.clone())];
                let members = position.value.states()[state as usize].iter();
                moves.extend((0..).zip(members).map(|(member, what)| match what {
                    Member::Hand(n) => Move::to(ValuePosition::number(*n)),
                    Member::Meet(results) => {
                        if let [result] = results[..] {
                            return Move::again(position.place(result));
                        }
                        let at = At::Duel { state, member };
                        Move::entailing(ValuePosition { at, ..position.clone() })
                    }
                }));
                (0..0, moves)
            }
        };
        numbers.map(|n| Move::to(ValuePosition::number(n))).chain(moves)
    }

    fn read(&self, text: &str) -> Result<ValuePosition, NotationError> {
        let value = Control::read(text, &mut Work::default()).map_err(|error| match error {
            ReadError::Notation(error) => error,
            error => NotationError::limit(0, error.to_string()),
        })?;
        Ok(ValuePosition { at: At::Place(value.start()), value: Arc::new(value) })
    }

    fn write(&self, position: &ValuePosition) -> String {
        match position.at {
            At::Place(Place::Number(n)) => format!("*{n}"),
            At::Place(place) if place == position.value.start() => {
                // As the other theories write it, if they have it.
                format!("{:#}", AnyValue::from((*position.value).clone()))
            }
            At::Place(Place::State(state)) => position.value.state_text(state),
            At::Duel { state, member } => position.value.member_text(state, member as usize),
        }
    }
}

impl Notation for ValueGame {
    fn words(
        &self,
        position: &ValuePosition,
        _number: usize,
        option: &Move<ValuePosition>,
    ) -> String {
        let to = self.write(&option.to);
        match (position.at, option.to.at) {
            (At::Duel { .. }, _) => format!("choose {to}"),
            (_, At::Duel { state, member }) => {
                if option.to.results(state, member).is_empty() {
                    "checkmate".to_owned()
                } else {
                    format!("make the opponent choose between {}", to.replace('/', " and "))
                }
            }
            _ if option.to == *position => "pass".to_owned(),
            _ if option.kind == nimoon::Kind::Again => format!("keep control at {to}"),
            _ => format!("move to {to}"),
        }
    }
}

impl Shortcuts for ValueGame {
    fn theorem(&self, position: &ValuePosition) -> Option<EntailingValue> {
        position.as_number().map(EntailingValue::Nimber)
    }

    fn is_short(&self, position: &ValuePosition) -> bool {
        position.as_number().is_some()
    }
}

/// Whether a text begins like a value and not like the name of a ruleset.
pub(crate) fn begins(text: &str) -> bool {
    let words = ["full-moon", "(win)", "○", "moon{", "☾", "ninny{", "oo{", "∞", "*"];
    text.starts_with('[') || words.iter().any(|word| text.starts_with(word)) || is_equation(text)
}

/// Whether a text begins with a variable and `=`.
fn is_equation(text: &str) -> bool {
    let name = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    name > 0 && text[name..].trim_start().starts_with('=')
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: NAME,
        board: Board::Any,
        rules: "A value is a position. A number n is the nim-heap *n. Elsewhere pass, hand over \
                at k for each `>k`, or make the opponent choose between the results of another \
                member.",
        notation: "values:VALUE, or the value alone: *2, moon{0}, [0/1, >0]",
        example: "values:[0/1, >0]",
        value: "[0/1, >0]",
        parameters: Parameters::None,
        source: "docs/reference/languages/values.md",
        make: Make::Impartial(|_| Ok(Box::new(Interned::new(ValueGame)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> Vec<String> {
        let position = ValueGame.read(text).unwrap();
        let options = ValueGame.options(&position);
        options.map(|option| format!("{:?} {}", option.kind, ValueGame.write(&option.to))).collect()
    }

    #[test]
    fn a_value_has_a_move_for_each_of_its_members() {
        assert_eq!(options("2"), ["Ordinary *0", "Ordinary *1"]);
        assert_eq!(options("[0/1, >0]"), ["Ordinary [0/1, >0]", "Entailing 0/1", "Ordinary *0"]);
        assert_eq!(options("ninny{1}"), ["Ordinary ninny{1}", "Again *1"]);
        assert_eq!(options("(win)").len(), 2);
        assert_eq!(options("[0/[1, 2]]")[1], "Entailing 0/[1, 2]");
    }

    #[test]
    fn values_and_rulesets_differ() {
        for text in ["[0/1]", "*2", "moon{0}", "X = [>0]", "(win)", "oo{}", "full-moon", "☾₀"] {
            assert!(begins(text), "{text}");
        }
        for text in ["nim:3", "moons:4", "digraph[x]:y", "oops", "3", ""] {
            assert!(!begins(text), "{text}");
        }
    }

    #[test]
    fn errors_have_their_place() {
        assert_eq!(ValueGame.read("[0/>]").unwrap_err().at, 4);
    }
}
