//! Partizan rulesets: Left and Right have options of their own.

use std::fmt::Debug;
use std::hash::{BuildHasherDefault, Hash};

use indexmap::IndexSet;
use rustc_hash::FxHasher;

use super::{NotationError, PositionId};
use crate::player::Player;

/// The rules of a partizan game, which may go round in circles.
///
/// Four methods are enough, as for [`Ruleset`](super::Ruleset).
///
/// ```
/// use nimoon::player::Player;
/// use nimoon::{notation::NotationError, ruleset::PartizanRuleset};
///
/// /// A counter on a strip: Left takes one from it, Right may leave it as it is.
/// struct Over;
///
/// impl PartizanRuleset for Over {
///     type Position = u64;
///
///     fn name(&self) -> String {
///         "counter".into()
///     }
///     fn options(&self, counter: &u64, player: Player) -> impl Iterator<Item = u64> {
///         let left = counter.checked_sub(1).filter(|_| player == Player::Left);
///         let right = (player == Player::Right && *counter > 0).then_some(*counter);
///         left.into_iter().chain(right)
///     }
///     fn read(&self, text: &str) -> Result<u64, NotationError> {
///         text.parse().map_err(|_| NotationError::at(0, "expected a number"))
///     }
///     fn write(&self, counter: &u64) -> String {
///         counter.to_string()
///     }
/// }
///
/// assert_eq!(Over.options(&2, Player::Left).collect::<Vec<_>>(), [1]);
/// ```
pub trait PartizanRuleset: Send + Sync {
    /// A position.
    type Position: Clone + Eq + Hash + Send + Sync;

    /// The name in expressions, parameters included.
    fn name(&self) -> String;

    /// What a player can move to, always in the same order.
    fn options(
        &self,
        position: &Self::Position,
        player: Player,
    ) -> impl Iterator<Item = Self::Position>;

    /// Reads what stands after the colon in `name:position`.
    ///
    /// # Errors
    /// When it is not a position, with the place.
    fn read(&self, text: &str) -> Result<Self::Position, NotationError>;

    /// Writes a position such that [`PartizanRuleset::read`] reads it.
    fn write(&self, position: &Self::Position) -> String;

    /// The option with this number in words, in the imperative.
    fn words(
        &self,
        _position: &Self::Position,
        _player: Player,
        _number: usize,
        option: &Self::Position,
    ) -> String {
        format!("move to {}", self.write(option))
    }

    /// A picture of the position in text, of one or more lines.
    fn board(&self, position: &Self::Position) -> String {
        self.write(position)
    }

    /// One position for all that a symmetry makes equal.
    fn canonical(&self, position: Self::Position) -> Self::Position {
        position
    }
}

/// Positions of a partizan ruleset behind numbers, so that several rulesets can stand side by side.
pub trait PartizanPositions: Send {
    /// The name of the ruleset.
    fn name(&self) -> &str;

    /// Reads a position.
    ///
    /// # Errors
    /// When the text is not a position.
    fn read(&mut self, text: &str) -> Result<PositionId, NotationError>;

    /// Writes a position.
    fn text(&self, position: PositionId) -> String;

    /// What a player can move to from a position as it stands.
    fn options(&mut self, position: PositionId, player: Player) -> Vec<PositionId>;

    /// The number of the canonical form of a position.
    fn canonical(&mut self, position: PositionId) -> PositionId;

    /// The option with this number, in words.
    fn words(&self, position: PositionId, player: Player, number: usize, to: PositionId) -> String;

    /// A picture of the position in text.
    fn board(&self, position: PositionId) -> String;
}

/// A partizan ruleset with those of its positions that were met so far.
#[derive(Debug)]
pub struct InternedPartizan<R: PartizanRuleset> {
    ruleset: R,
    name: String,
    positions: IndexSet<R::Position, BuildHasherDefault<FxHasher>>,
}

impl<R: PartizanRuleset> InternedPartizan<R> {
    /// No position so far.
    pub fn new(ruleset: R) -> Self {
        let name = ruleset.name();
        Self { ruleset, name, positions: IndexSet::default() }
    }

    fn intern(&mut self, position: R::Position) -> PositionId {
        self.positions.insert_full(position).0 as PositionId
    }
}

impl<R: PartizanRuleset> PartizanPositions for InternedPartizan<R> {
    fn name(&self) -> &str {
        &self.name
    }

    fn read(&mut self, text: &str) -> Result<PositionId, NotationError> {
        let position = self.ruleset.read(text)?;
        Ok(self.intern(position))
    }

    fn text(&self, position: PositionId) -> String {
        self.ruleset.write(&self.positions[position as usize])
    }

    fn options(&mut self, position: PositionId, player: Player) -> Vec<PositionId> {
        let options: Vec<_> =
            self.ruleset.options(&self.positions[position as usize], player).collect();
        options.into_iter().map(|option| self.intern(option)).collect()
    }

    fn canonical(&mut self, position: PositionId) -> PositionId {
        let canonical = self.ruleset.canonical(self.positions[position as usize].clone());
        self.intern(canonical)
    }

    fn words(&self, position: PositionId, player: Player, number: usize, to: PositionId) -> String {
        let [from, to] = [position, to].map(|id| &self.positions[id as usize]);
        self.ruleset.words(from, player, number, to)
    }

    fn board(&self, position: PositionId) -> String {
        self.ruleset.board(&self.positions[position as usize])
    }
}
