//! Games between two players, move by move: who is to move, what was played, how it ended.
//!
//! A [`Game`] does no input or output, and knows no screen: a terminal and a page in a browser
//! show the same one. It makes moves of three kinds:
//!
//! - a person's decision, by [`Game::play`];
//! - the engine's moves, one at a time, by [`Game::go_on`]: the engine plans a whole turn and keeps
//!   to it until a person decides something;
//! - replies to entailing moves that leave no choice, by [`Game::go_on`] too, whoever must make
//!   them.
//!
//! Who cannot move loses. Play that comes back to a position without a decision of a person since
//! then goes round for ever, so it ends there as a draw. Where persons decide, a repetition ends
//! nothing, but [`Game::repetitions`] counts it, so that a draw can be offered.

use std::collections::VecDeque;

use crate::outcome::Outcome;
use crate::ruleset::{Fault, Kind};
use crate::solution::{AnswerError, PlacedMove, Placement, Solution};
use crate::turn::TurnKind;

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
    /// Somebody who decides by [`Game::play`].
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
pub struct PlayedMove {
    /// Who made it.
    pub seat: Seat,
    /// Where.
    pub before: Placement,
    /// The move.
    pub made: PlacedMove,
    /// Whether it was the only answer to an entailing move.
    pub forced: bool,
}

/// A game from its start to where it is now.
#[derive(Clone, Debug)]
pub struct Game {
    /// Who sits on the first and the second seat.
    players: [Player; 2],
    placement: Placement,
    mover: Seat,
    moves: Vec<PlacedMove>,
    played: Vec<PlayedMove>,
    /// What the engine will play, forced replies included, unless a person decides something.
    plan: VecDeque<PlacedMove>,
    plan_is_endless: bool,
    ending: Option<Ending>,
}

impl Game {
    /// A game from the start of a solution.
    ///
    /// # Errors
    /// When the moves are not known, see [`Solution::moves`].
    pub fn new(solution: &mut Solution, first: Player, second: Player) -> Result<Self, Fault> {
        let placement = solution.start().clone();
        let moves = solution.moves(&placement)?;
        let ending = moves.is_empty().then_some(Ending::Stuck { loser: Seat::First });
        Ok(Self {
            players: [first, second],
            placement,
            mover: Seat::First,
            moves,
            played: Vec::new(),
            plan: VecDeque::new(),
            plan_is_endless: false,
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

    /// The position.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Who is to move.
    pub fn mover(&self) -> Seat {
        self.mover
    }

    /// What the player to move is bound to.
    pub fn duty(&self) -> Duty {
        match (self.placement.due(), self.played.last()) {
            (Some(component), _) => Duty::Answer(component),
            (None, Some(last)) if last.made.kind == Kind::Again => Duty::Again,
            _ => Duty::Move,
        }
    }

    /// The moves of the player to move.
    pub fn moves(&self) -> &[PlacedMove] {
        &self.moves
    }

    /// What was played so far.
    pub fn played(&self) -> &[PlayedMove] {
        &self.played
    }

    /// How the game ended, if it did.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Who has won, if somebody has.
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

    fn stands_before(&self, played: &PlayedMove) -> bool {
        played.seat == self.mover && played.before == self.placement
    }

    fn is_decision(&self, played: &PlayedMove) -> bool {
        !played.forced && self.player(played.seat) == Player::Person
    }

    /// Whether the player to move has one answer only, to an entailing move.
    fn is_forced(&self) -> bool {
        self.placement.due().is_some() && self.moves.len() == 1
    }

    /// Makes the move with this number of [`Game::moves`], for the player to move. Nothing happens
    /// if there is no such move, or if the game is over.
    ///
    /// # Errors
    /// When the moves after it are not known; the game then is where it was.
    pub fn play(&mut self, solution: &mut Solution, number: usize) -> Result<(), Fault> {
        match self.moves.get(number) {
            Some(made) if self.ending.is_none() => {
                let made = made.clone();
                let forced = self.is_forced();
                self.make(solution, made, forced)?;
                self.plan.clear();
                self.plan_is_endless = false;
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
    pub fn go_on(&mut self, solution: &mut Solution) -> Result<bool, AnswerError> {
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
            self.plan(solution)?
        };
        self.make(solution, made, forced)?;
        self.plan.pop_front();
        if self.plan.is_empty() && self.plan_is_endless && self.ending.is_none() {
            self.ending = Some(Ending::Endless);
        }
        Ok(true)
    }

    /// Asks for the engine's turn, and gives the first move of it.
    fn plan(&mut self, solution: &mut Solution) -> Result<PlacedMove, AnswerError> {
        let answer = solution.answer(&self.placement)?;
        let first = answer.moves.first().cloned();
        let first = first.ok_or_else(|| Fault::Rules("no turn was found".into()))?;
        self.plan_is_endless = answer.turn.is_some_and(|turn| turn.endless);
        self.plan = answer.moves.into();
        Ok(first)
    }

    fn make(
        &mut self,
        solution: &mut Solution,
        made: PlacedMove,
        forced: bool,
    ) -> Result<(), Fault> {
        let after = solution.after(&self.placement, &made);
        self.moves = solution.moves(&after)?;
        let before = std::mem::replace(&mut self.placement, after);
        let seat = self.mover;
        if made.kind != Kind::Again {
            self.mover = seat.other();
        }
        self.played.push(PlayedMove { seat, before, made, forced });
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
    pub fn undo(&mut self, solution: &mut Solution) -> Result<bool, Fault> {
        if matches!(self.ending, Some(Ending::Resigned { .. } | Ending::Agreed)) {
            self.ending = None;
            return Ok(true);
        }
        let last = self.played.iter().rposition(|played| self.is_decision(played));
        let Some(last) = last else { return Ok(false) };
        self.moves = solution.moves(&self.played[last].before)?;
        let first = self.played.swap_remove(last);
        self.played.truncate(last);
        self.placement = first.before;
        self.mover = first.seat;
        self.plan.clear();
        self.plan_is_endless = false;
        self.ending = None;
        Ok(true)
    }

    /// The player to move gives up.
    pub fn resign(&mut self) {
        self.ending.get_or_insert(Ending::Resigned { loser: self.mover });
    }

    /// Both players agree on a draw.
    pub fn agree_on_draw(&mut self) {
        self.ending.get_or_insert(Ending::Agreed);
    }

    /// Whether the opponent of the player to move cannot win, and so should agree on a draw.
    ///
    /// # Errors
    /// When that is not known within the budget.
    pub fn opponent_cannot_win(&self, solution: &mut Solution) -> Result<bool, AnswerError> {
        Ok(solution.outcome(&self.placement)? != Outcome::P)
    }

    /// What a move of the player to move achieves, if both play well after it.
    ///
    /// # Errors
    /// When that is not known within the budget.
    pub fn achieves(
        &self,
        solution: &mut Solution,
        made: &PlacedMove,
    ) -> Result<TurnKind, AnswerError> {
        let after = solution.after(&self.placement, made);
        let outcome = solution.outcome(&after)?;
        Ok(match (outcome, made.kind) {
            (Outcome::D, _) => TurnKind::Drawing,
            (Outcome::N, Kind::Again) | (Outcome::P, Kind::Ordinary | Kind::Entailing) => {
                TurnKind::Winning
            }
            _ => TurnKind::Losing,
        })
    }
}
