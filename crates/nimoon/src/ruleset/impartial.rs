//! Impartial games as partizan ones: both players have the same moves.

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::{Fault, Kind, NotationError, PartizanPositions, PositionId, Positions};
use crate::limits::{Interrupted, Work};
use crate::player::Player;

/// Positions of an impartial ruleset, beside partizan ones.
///
/// All followers of a position are visited as soon as it is added, since the rules of an
/// impartial game may fail, or know moves that partizan sums do not.
///
/// ```
/// use nimoon::Limits;
/// use nimoon::{Work, player::Player, partizan::Stoppers};
/// use nimoon::{Notation, Ruleset, Shortcuts, notation::NotationError};
/// use nimoon::ruleset::{Impartial, Interned, Move, PartizanPositions};
/// # struct Nim;
/// # impl Ruleset for Nim {
/// #     type Position = u64;
/// #     fn name(&self) -> String { "nim".into() }
/// #     fn options(&self, heap: &u64) -> impl Iterator<Item = Move<u64>> { (0..*heap).map(Move::to) }
/// #     fn read(&self, text: &str) -> Result<u64, NotationError> {
/// #         text.parse().map_err(|_| NotationError::at(0, "expected a number"))
/// #     }
/// #     fn write(&self, heap: &u64) -> String { heap.to_string() }
/// # }
/// # impl Notation for Nim {}
/// # impl Shortcuts for Nim {}
/// let mut nim = Impartial::new(Box::new(Interned::new(Nim)), &Work::new(Limits::new(1000)));
/// let heap = nim.read("2").unwrap();
/// assert_eq!(nim.options(heap, Player::Left), nim.options(heap, Player::Right));
/// let mut stoppers = Stoppers::new();
/// let sides = stoppers.position(&mut nim, heap, &mut Work::default()).unwrap();
/// assert_eq!(stoppers.sides_text(sides).unwrap(), "*2");
/// ```
pub struct Impartial {
    positions: Box<dyn Positions>,
    options: FxHashMap<PositionId, Box<[PositionId]>>,
    work: Work,
    used: u64,
}

/// Why an impartial position cannot stand beside partizan ones.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImpartialError {
    /// A move after which the opponent is not free to move anywhere.
    #[error("{}", unknown_move(name, *kind))]
    Move {
        /// The ruleset.
        name: String,
        /// Who moves then, and where.
        kind: Kind,
    },
    /// More moves than the limit, each of which counts as a position; or the work was interrupted.
    #[error("{interrupted} in `{name}`, where each move counts as one")]
    Interrupted {
        /// The ruleset.
        name: String,
        /// What ended it.
        interrupted: Interrupted,
    },
    /// The rules failed.
    #[error("{0}")]
    Rules(String),
    /// The rules hit a limit of their own.
    #[error("{0}")]
    Limit(String),
}

fn unknown_move(name: &str, kind: Kind) -> String {
    let what = match kind {
        Kind::Again => "the same player moves again",
        Kind::Entailing => "the opponent must answer in the same place",
        Kind::Ordinary => "the opponent moves",
    };
    format!(
        "`{name}` has moves from here after which {what}; beside partizan games the players must \
         move in turn, each where they like"
    )
}

impl Impartial {
    /// Takes any positions; each of their moves counts as a position.
    pub fn new(mut positions: Box<dyn Positions>, work: &Work) -> Self {
        positions.work_within(work);
        let work = work.child(work.limits());
        Self { positions, options: FxHashMap::default(), work, used: 0 }
    }

    /// Visits all followers of a position.
    ///
    /// # Errors
    /// When there is a move that is not ordinary, there are too many, or the rules fail.
    pub fn explore(&mut self, start: PositionId) -> Result<(), ImpartialError> {
        let mut open = vec![start];
        while let Some(position) = open.pop() {
            if self.options.contains_key(&position) {
                continue;
            }
            if self.positions.must_be_answered(position) {
                return Err(self.unknown(Kind::Entailing));
            }
            self.work.check().map_err(|interrupted| self.interrupted(interrupted))?;
            let allowed = self.work.limits().positions;
            let left = usize::try_from(allowed - self.used).unwrap_or(usize::MAX);
            let options = match self.positions.options(position, left) {
                Ok(options) if options.len() < left => options,
                Ok(_) | Err(Fault::TooMany { .. }) => {
                    return Err(self.interrupted(self.work.over(None)));
                }
                Err(Fault::Rules(message)) => return Err(ImpartialError::Rules(message)),
                Err(Fault::Limit(message)) => return Err(ImpartialError::Limit(message)),
                Err(Fault::Interrupted(interrupted)) => return Err(self.interrupted(interrupted)),
            };
            // The position itself counts too, or a heap without moves would cost nothing.
            self.used += options.len() as u64 + 1;
            if let Some(&(kind, _)) = options.iter().find(|(kind, _)| *kind != Kind::Ordinary) {
                return Err(self.unknown(kind));
            }
            let options: Box<[_]> = options.into_iter().map(|(_, to)| to).collect();
            open.extend(options.iter().filter(|to| !self.options.contains_key(to)));
            self.options.insert(position, options);
        }
        Ok(())
    }

    fn interrupted(&self, interrupted: Interrupted) -> ImpartialError {
        ImpartialError::Interrupted { name: self.positions.name().to_owned(), interrupted }
    }

    fn unknown(&self, kind: Kind) -> ImpartialError {
        ImpartialError::Move { name: self.positions.name().to_owned(), kind }
    }
}

impl PartizanPositions for Impartial {
    fn name(&self) -> &str {
        self.positions.name()
    }

    fn read(&mut self, text: &str) -> Result<PositionId, NotationError> {
        let position = self.positions.read(text)?;
        self.explore(position).map_err(|error| NotationError::at(0, error.to_string()))?;
        Ok(position)
    }

    fn text(&self, position: PositionId) -> String {
        self.positions.text(position)
    }

    /// The options of what was explored.
    fn options(&mut self, position: PositionId, _player: Player) -> Vec<PositionId> {
        self.options.get(&position).map(|options| options.to_vec()).unwrap_or_default()
    }

    /// Symmetries of impartial positions are those of their parts, so each is its own.
    fn canonical(&mut self, position: PositionId) -> PositionId {
        position
    }

    fn words(
        &self,
        position: PositionId,
        _player: Player,
        number: usize,
        to: PositionId,
    ) -> String {
        self.positions.words(position, number, Kind::Ordinary, to)
    }

    fn board(&self, position: PositionId) -> String {
        self.positions.board(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::ruleset::{Interned, Move, Notation, Ruleset, Shortcuts};

    /// Take one token; from the heap in the field the last kind of move is possible too.
    struct Tokens(Kind);

    impl Ruleset for Tokens {
        type Position = u64;

        fn name(&self) -> String {
            "tokens".into()
        }

        fn options(&self, heap: &u64) -> impl Iterator<Item = Move<u64>> {
            let kind = if *heap == 3 { self.0 } else { Kind::Ordinary };
            heap.checked_sub(1).map(|to| Move { to, kind }).into_iter()
        }

        fn read(&self, text: &str) -> Result<u64, NotationError> {
            text.parse().map_err(|_| NotationError::at(0, "expected a number"))
        }

        fn write(&self, heap: &u64) -> String {
            heap.to_string()
        }
    }

    impl Notation for Tokens {}

    impl Shortcuts for Tokens {}

    fn read(kind: Kind, budget: u64, text: &str) -> Result<PositionId, NotationError> {
        let tokens = Box::new(Interned::new(Tokens(kind)));
        Impartial::new(tokens, &Work::new(Limits::new(budget))).read(text)
    }

    #[test]
    fn only_positions_that_can_lead_to_other_than_ordinary_moves_are_refused() {
        for kind in [Kind::Again, Kind::Entailing] {
            assert!(read(kind, 100, "2").is_ok());
            let error = read(kind, 100, "5").unwrap_err();
            assert!(error.message.contains("move in turn"), "{error}");
        }
        assert!(read(Kind::Ordinary, 100, "5").is_ok());
    }

    #[test]
    fn no_more_is_explored_than_the_budget_says() {
        let error = read(Kind::Ordinary, 100, "1000000").unwrap_err();
        assert!(error.message.contains("budget of 100 positions"), "{error}");
        assert!(read(Kind::Ordinary, 0, "0").is_err());
    }
}
