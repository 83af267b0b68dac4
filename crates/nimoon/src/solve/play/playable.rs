//! What a game needs of a sum: positions, moves, and the engine's advice.

use std::fmt;

use crate::impartial::turn::TurnKind;
use crate::outcome::Outcome;
use crate::player::Player as Side;
use crate::ruleset::{Fault, Kind};
use crate::solve::solution::{AnswerError, PlacedMove, Placement, Solution};

/// A sum that can be played.
///
/// ```
/// use nimoon::solve::play::{Game, Playable, Player};
/// use nimoon::{Work, ruleset::{Interned, Move}, notation::NotationError};
/// use nimoon::solve::solution::Solution;
/// use nimoon::{Notation, Positions, Ruleset, Shortcuts, TurnKind};
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
/// let mut nim = Interned::new(Nim);
/// let terms = [(0, nim.read("3").unwrap())];
/// let fields: Vec<Box<dyn Positions>> = vec![Box::new(nim)];
/// let mut sum = Solution::new(fields, &terms, None, &Work::default()).unwrap();
/// let start = sum.start().clone();
/// assert_eq!(sum.prospect(&start), Ok(TurnKind::Winning));
/// let mut game = Game::new(&mut sum, start, [Player::Engine, Player::Person]).unwrap();
/// assert!(game.go_on(&mut sum).unwrap());
/// assert!(game.ending().is_some());
/// ```
pub trait Playable {
    /// A position of the sum, with all that the moves there depend on.
    type Placement: Clone + PartialEq + fmt::Debug;
    /// A move.
    type Move: Clone + fmt::Debug;
    /// Why something is not known.
    type Error: fmt::Display;

    /// The moves of the player to move.
    ///
    /// # Errors
    /// When they are not known.
    fn moves(&mut self, placement: &Self::Placement) -> Result<Vec<Self::Move>, Self::Error>;

    /// The position after a move.
    fn after(&self, placement: &Self::Placement, made: &Self::Move) -> Self::Placement;

    /// What the player to move should do. `stood` returns how often a position has been on the
    /// board.
    ///
    /// # Errors
    /// When that is not known within the budget.
    fn plan(
        &mut self,
        placement: &Self::Placement,
        stood: &dyn Fn(&Self::Placement) -> usize,
    ) -> Result<Plan<Self::Move>, Self::Error>;

    /// What the player to move achieves if both play well: a win, a draw or a loss.
    ///
    /// # Errors
    /// When that is not known within the budget.
    fn prospect(&mut self, placement: &Self::Placement) -> Result<TurnKind, Self::Error>;

    /// How many components there are.
    fn components(placement: &Self::Placement) -> usize;

    /// The component of a move.
    fn component(made: &Self::Move) -> usize;

    /// Who moves after a move, and where.
    fn kind(_made: &Self::Move) -> Kind {
        Kind::Ordinary
    }

    /// The component that must be answered at once, if there is one.
    fn due(_placement: &Self::Placement) -> Option<usize> {
        None
    }

    /// Left or Right, the player to move, if that makes a difference.
    fn side(_placement: &Self::Placement) -> Option<Side> {
        None
    }

    /// A component as text: `ruleset:position`.
    fn text(&self, placement: &Self::Placement, component: usize) -> String;

    /// Pictures of the parts of a component.
    fn boards(&self, placement: &Self::Placement, component: usize) -> Vec<String>;

    /// A move in words.
    fn words(&self, placement: &Self::Placement, made: &Self::Move) -> String;
}

/// What a player should do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan<M> {
    /// What it achieves.
    pub kind: TurnKind,
    /// The moves up to the moment the opponent is free to choose, with the forced replies between
    /// them.
    pub moves: Vec<M>,
    /// Whether they repeat for ever.
    pub endless: bool,
    /// In how many plies the game ends if both play well, where either wins and that is known.
    pub remoteness: Option<u32>,
    /// Whether the win is kept, but may be put off, since no measure that falls is known.
    pub may_detour: bool,
}

impl Playable for Solution {
    type Placement = Placement;
    type Move = PlacedMove;
    type Error = AnswerError;

    fn moves(&mut self, placement: &Placement) -> Result<Vec<PlacedMove>, AnswerError> {
        Ok(Self::moves(self, placement)?)
    }

    fn after(&self, placement: &Placement, made: &PlacedMove) -> Placement {
        Self::after(self, placement, made)
    }

    fn plan(
        &mut self,
        placement: &Placement,
        _stood: &dyn Fn(&Placement) -> usize,
    ) -> Result<Plan<PlacedMove>, AnswerError> {
        let answer = self.answer(placement)?;
        let turn = answer.turn.filter(|_| !answer.moves.is_empty());
        let turn = turn.ok_or_else(|| Fault::Rules("no turn was found".into()))?;
        Ok(Plan {
            kind: turn.kind,
            moves: answer.moves,
            endless: turn.endless,
            remoteness: None,
            may_detour: false,
        })
    }

    fn prospect(&mut self, placement: &Placement) -> Result<TurnKind, AnswerError> {
        Ok(match self.outcome(placement)? {
            Outcome::N => TurnKind::Winning,
            Outcome::P => TurnKind::Losing,
            Outcome::D => TurnKind::Drawing,
        })
    }

    fn components(placement: &Placement) -> usize {
        placement.len()
    }

    fn component(made: &PlacedMove) -> usize {
        made.component
    }

    fn kind(made: &PlacedMove) -> Kind {
        made.kind
    }

    fn due(placement: &Placement) -> Option<usize> {
        placement.due()
    }

    fn text(&self, placement: &Placement, component: usize) -> String {
        Self::text(self, placement, component)
    }

    fn boards(&self, placement: &Placement, component: usize) -> Vec<String> {
        Self::boards(self, placement, component)
    }

    fn words(&self, placement: &Placement, made: &PlacedMove) -> String {
        Self::words(self, placement, made)
    }
}
