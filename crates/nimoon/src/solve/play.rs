//! Games between two players, move by move: who is to move, what was played, how it ended.
//!
//! A [`Game`] does no input or output, and knows no screen: a terminal and a page in a browser
//! show the same one. It makes moves of three kinds:
//!
//! - a person's decision, by [`Game::play`];
//! - the engine's moves, one at a time, by [`Game::go_on`]: the engine plans a whole turn and keeps
//!   to it until a person decides something;
//! - replies to entailing moves that leave no choice, by [`Game::go_on`] too, no matter which
//!   player makes them.
//!
//! The sum is any [`Playable`]: a [`Solution`] of impartial games, or a
//! [`PartizanSolution`](crate::solve::partizan::PartizanSolution), where the seats are those of
//! Left and Right.
//!
//! A player who cannot move loses. Play that comes back to a position without a decision of a
//! person since then goes round for ever, so it ends there as a draw. Where persons decide, a
//! repetition ends nothing, but [`Game::repetitions`] counts it, so that a draw can be offered.

mod playable;
mod skill;

use std::collections::VecDeque;
use std::fmt;

use crate::impartial::turn::TurnKind;
use crate::player::Player as Side;
use crate::ruleset::Kind;
use crate::solve::solution::{PlacedMove, Placement, Solution};

pub use playable::{Plan, Playable};
pub use skill::Skill;

/// Which of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// The player who begins.
    First,
    /// The other one.
    Second,
}

impl Seat {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// Who sits there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// A person who decides by [`Game::play`].
    Person,
    /// The engine.
    Engine,
}

/// What the player to move is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Duty {
    /// To move anywhere.
    Move,
    /// To move again, anywhere, after a carry-on move.
    Again,
    /// To answer in this component, after an entailing move.
    Answer(usize),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A player had to move and could not.
    Stuck {
        /// Who has lost.
        loser: Seat,
    },
    /// A player gave up.
    Resigned {
        /// Who has lost.
        loser: Seat,
    },
    /// Both agreed on a draw.
    Agreed,
    /// Play goes round for ever without a decision of a person: a draw.
    Endless,
}

/// A move that was made.
#[derive(Clone, Debug)]
pub struct PlayedMove<P = Placement, M = PlacedMove> {
    /// Who made it.
    pub seat: Seat,
    /// Where.
    pub before: P,
    /// The move.
    pub made: M,
    /// Whether it was the only answer to an entailing move.
    pub forced: bool,
    /// Whether the engine made it to win, but without a measure that falls, see
    /// [`Plan::may_detour`].
    pub may_detour: bool,
}

/// A move of a game with this sum.
type Played<S> = PlayedMove<<S as Playable>::Placement, <S as Playable>::Move>;

/// What was taken back at once.
#[derive(Clone, Debug)]
struct Undone<P, M> {
    played: Vec<PlayedMove<P, M>>,
    ending: Option<Ending>,
}

/// A game from its start to where it is now.
pub struct Game<S: Playable = Solution> {
    /// Who sits on the first and the second seat.
    players: [Player; 2],
    placement: S::Placement,
    mover: Seat,
    moves: Vec<S::Move>,
    played: Vec<Played<S>>,
    /// What was taken back since the last decision, the latest last.
    undone: Vec<Undone<S::Placement, S::Move>>,
    /// What the engine will play, forced replies included, unless a person decides something.
    plan: VecDeque<S::Move>,
    plan_is_endless: bool,
    plan_may_detour: bool,
    ending: Option<Ending>,
}

/// Not derived: the sum itself is not a part of a game, and need not be copied.
impl<S: Playable> Clone for Game<S> {
    fn clone(&self) -> Self {
        Self {
            players: self.players,
            placement: self.placement.clone(),
            mover: self.mover,
            moves: self.moves.clone(),
            played: self.played.clone(),
            undone: self.undone.clone(),
            plan: self.plan.clone(),
            plan_is_endless: self.plan_is_endless,
            plan_may_detour: self.plan_may_detour,
            ending: self.ending,
        }
    }
}

impl<S: Playable> fmt::Debug for Game<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("players", &self.players)
            .field("played", &self.played)
            .field("placement", &self.placement)
            .field("mover", &self.mover)
            .field("ending", &self.ending)
            .finish_non_exhaustive()
    }
}

impl<S: Playable> Game<S> {
    /// A game from this position of a sum, with the first and the second player.
    ///
    /// # Errors
    /// When the moves are not known, see [`Playable::moves`].
    pub fn new(sum: &mut S, start: S::Placement, players: [Player; 2]) -> Result<Self, S::Error> {
        let moves = sum.moves(&start)?;
        let ending = moves.is_empty().then_some(Ending::Stuck { loser: Seat::First });
        Ok(Self {
            players,
            placement: start,
            mover: Seat::First,
            moves,
            played: Vec::new(),
            undone: Vec::new(),
            plan: VecDeque::new(),
            plan_is_endless: false,
            plan_may_detour: false,
            ending,
        })
    }

    /// Who sits there.
    pub fn player(&self, seat: Seat) -> Player {
        self.players[match seat {
            Seat::First => 0,
            Seat::Second => 1,
        }]
    }

    /// Left or Right, if the sum is partizan.
    pub fn side(&self, seat: Seat) -> Option<Side> {
        let side = S::side(&self.placement)?;
        Some(if seat == self.mover { side } else { side.opponent() })
    }

    /// The position.
    pub fn placement(&self) -> &S::Placement {
        &self.placement
    }

    /// Who is to move.
    pub fn mover(&self) -> Seat {
        self.mover
    }

    /// What the player to move is bound to.
    pub fn duty(&self) -> Duty {
        match (S::due(&self.placement), self.played.last()) {
            (Some(component), _) => Duty::Answer(component),
            (None, Some(last)) if S::kind(&last.made) == Kind::Again => Duty::Again,
            _ => Duty::Move,
        }
    }

    /// The moves of the player to move.
    pub fn moves(&self) -> &[S::Move] {
        &self.moves
    }

    /// What was played so far.
    pub fn played(&self) -> &[PlayedMove<S::Placement, S::Move>] {
        &self.played
    }

    /// How the game ended, if it did.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Who has won, if the game is won.
    pub fn winner(&self) -> Option<Seat> {
        match self.ending? {
            Ending::Stuck { loser } | Ending::Resigned { loser } => Some(loser.other()),
            Ending::Agreed | Ending::Endless => None,
        }
    }

    /// How often this position stood before with the same player to move.
    pub fn repetitions(&self) -> usize {
        self.played.iter().filter(|played| self.stands_before(played)).count()
    }

    fn stands_before(&self, played: &Played<S>) -> bool {
        played.seat == self.mover && played.before == self.placement
    }

    fn is_decision(&self, played: &Played<S>) -> bool {
        !played.forced && self.player(played.seat) == Player::Person
    }

    /// Whether the player to move has one answer only, to an entailing move.
    fn is_forced(&self) -> bool {
        S::due(&self.placement).is_some() && self.moves.len() == 1
    }

    /// Makes the move with this number of [`Game::moves`], for the player to move. Nothing happens
    /// if there is no such move, or if the game is over.
    ///
    /// # Errors
    /// When the moves after it are not known; the game then is where it was.
    pub fn play(&mut self, sum: &mut S, number: usize) -> Result<(), S::Error> {
        match self.moves.get(number) {
            Some(made) if self.ending.is_none() => {
                let made = made.clone();
                let forced = self.is_forced();
                self.make(sum, made, forced, false)?;
                self.forget_plan();
                self.undone.clear();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Makes the next move that no person decides: the engine's, or an only answer to an entailing
    /// move. Returns whether there was one.
    ///
    /// # Errors
    /// When the engine finds no answer within its budget; the game then is where it was, and
    /// [`Game::play`] can make a move for the engine.
    pub fn go_on(&mut self, sum: &mut S) -> Result<bool, S::Error> {
        if self.ending.is_some() {
            return Ok(false);
        }
        let forced = self.is_forced();
        let planned = self.plan.front().cloned();
        let made = if forced {
            self.moves[0].clone()
        } else if self.player(self.mover) == Player::Person {
            return Ok(false);
        } else if let Some(planned) = planned {
            planned
        } else {
            self.plan(sum)?
        };
        let may_detour = !forced && self.plan_may_detour;
        self.make(sum, made, forced, may_detour)?;
        self.plan.pop_front();
        if self.plan.is_empty() && self.plan_is_endless && self.ending.is_none() {
            self.ending = Some(Ending::Endless);
        }
        Ok(true)
    }

    /// What the player to move should do, as the engine would.
    ///
    /// # Errors
    /// When that is not known within the budget.
    pub fn advice(&self, sum: &mut S) -> Result<Plan<S::Move>, S::Error> {
        let stood = |placement: &S::Placement| {
            self.played.iter().filter(|played| played.before == *placement).count()
        };
        sum.plan(&self.placement, &stood)
    }

    /// Asks for the engine's turn, and gives the first move of it.
    fn plan(&mut self, sum: &mut S) -> Result<S::Move, S::Error> {
        let plan = self.advice(sum)?;
        // The game continues, so there is a move.
        let first = plan.moves.first().unwrap_or(&self.moves[0]).clone();
        self.plan_is_endless = plan.endless;
        self.plan_may_detour = plan.may_detour;
        self.plan = plan.moves.into();
        Ok(first)
    }

    fn forget_plan(&mut self) {
        self.plan.clear();
        self.plan_is_endless = false;
        self.plan_may_detour = false;
    }

    fn make(
        &mut self,
        sum: &mut S,
        made: S::Move,
        forced: bool,
        may_detour: bool,
    ) -> Result<(), S::Error> {
        let after = sum.after(&self.placement, &made);
        self.moves = sum.moves(&after)?;
        let before = std::mem::replace(&mut self.placement, after);
        let seat = self.mover;
        self.mover = next(seat, S::kind(&made));
        self.played.push(PlayedMove { seat, before, made, forced, may_detour });
        if self.moves.is_empty() {
            self.ending = Some(Ending::Stuck { loser: self.mover });
        } else if self.goes_round() {
            self.ending = Some(Ending::Endless);
        }
        Ok(())
    }

    /// Whether this position stood before, and no person has decided anything since.
    fn goes_round(&self) -> bool {
        let since = self.played.iter().rev().take_while(|played| !self.is_decision(played));
        since.into_iter().any(|played| self.stands_before(played))
    }

    /// Takes back the last decision of a person and everything after it; returns whether there was
    /// one. Giving up and agreeing on a draw are decisions too.
    ///
    /// # Errors
    /// When the moves there are not known any more; the game then is where it was.
    pub fn undo(&mut self, sum: &mut S) -> Result<bool, S::Error> {
        if matches!(self.ending, Some(Ending::Resigned { .. } | Ending::Agreed)) {
            self.undone.push(Undone { played: Vec::new(), ending: self.ending.take() });
            return Ok(true);
        }
        let last = self.played.iter().rposition(|played| self.is_decision(played));
        let Some(last) = last else { return Ok(false) };
        self.moves = sum.moves(&self.played[last].before)?;
        let played = self.played.split_off(last);
        self.placement = played[0].before.clone();
        self.mover = played[0].seat;
        self.forget_plan();
        self.undone.push(Undone { played, ending: self.ending.take() });
        Ok(true)
    }

    /// Makes again what [`Game::undo`] took back last, if no player has decided anything since
    /// then; returns whether there was something.
    ///
    /// # Errors
    /// When the moves there are not known any more; the game then is where it was.
    pub fn redo(&mut self, sum: &mut S) -> Result<bool, S::Error> {
        let Some(undone) = self.undone.last() else { return Ok(false) };
        if let Some(last) = undone.played.last() {
            let after = sum.after(&last.before, &last.made);
            self.moves = sum.moves(&after)?;
            self.placement = after;
            self.mover = next(last.seat, S::kind(&last.made));
        }
        if let Some(undone) = self.undone.pop() {
            self.played.extend(undone.played);
            self.ending = undone.ending;
        }
        self.forget_plan();
        Ok(true)
    }

    /// The player to move gives up.
    pub fn resign(&mut self) {
        self.end(Ending::Resigned { loser: self.mover });
    }

    /// Both players agree on a draw.
    pub fn agree_on_draw(&mut self) {
        self.end(Ending::Agreed);
    }

    fn end(&mut self, ending: Ending) {
        if self.ending.is_none() {
            self.ending = Some(ending);
            self.undone.clear();
        }
    }

    /// Whether the opponent of the player to move cannot win, and so should agree on a draw.
    ///
    /// # Errors
    /// When that is not known within the budget.
    pub fn opponent_cannot_win(&self, sum: &mut S) -> Result<bool, S::Error> {
        Ok(sum.prospect(&self.placement)? != TurnKind::Losing)
    }

    /// What a move of the player to move achieves, if both play well after it.
    ///
    /// # Errors
    /// When that is not known within the budget.
    pub fn achieves(&self, sum: &mut S, made: &S::Move) -> Result<TurnKind, S::Error> {
        let after = sum.after(&self.placement, made);
        Ok(match (sum.prospect(&after)?, S::kind(made)) {
            (TurnKind::Drawing, _) => TurnKind::Drawing,
            (TurnKind::Winning, Kind::Again) => TurnKind::Winning,
            (TurnKind::Winning, _) | (_, Kind::Again) => TurnKind::Losing,
            _ => TurnKind::Winning,
        })
    }
}

/// Who moves after a move.
fn next(seat: Seat, kind: Kind) -> Seat {
    if kind == Kind::Again { seat } else { seat.other() }
}
