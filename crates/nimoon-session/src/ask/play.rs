//! Games: `moves`, `engine` and `explain`.
//!
//! The server keeps no games: a request tells the position at the start and the moves since then. What was
//! explored for a start is kept for a while, so that only its first request takes time.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::expression::Expression;
use crate::report::{ExplainedSum, Missing, PlayReport};
use nimoon::limits::{Interrupted, Limit, Limits};
use nimoon::solve::play::{Game, Player, Skill};
use nimoon::solve::solution::Solution;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sum::{cut_short, guide};
use crate::library::Given;
use crate::request::{Chosen, ChosenTurn};
use crate::{Answer, Error, ErrorKind, Session, Work};

/// The most moves that are listed, and that a game may have.
const MOST_LISTED: usize = 2000;
const MOST_PLAYED: usize = 10_000;

/// Asks about a game.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "GameRequest")]
pub struct Request {
    /// The position at the start; `expression` is another name for it.
    #[serde(alias = "expression")]
    position: String,
    /// The numbers of the moves that were made, each among those of its time.
    #[serde(default)]
    moves: Vec<usize>,
    /// Who sits on the first and the second seat. Play that goes round without a decision of a person ends as a draw.
    #[serde(default)]
    players: [Sitting; 2],
    /// The theory to use; `auto` takes the smallest that fits.
    #[serde(default)]
    theory: Chosen,
    /// The files and scripts that the expression names.
    #[serde(default)]
    given: Given,
    /// How the turn to play is chosen.
    #[serde(default)]
    turn: ChosenTurn,
}

/// Who sits there.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Sitting {
    /// A person.
    #[default]
    Person,
    /// The engine.
    Engine,
}

impl From<Sitting> for Player {
    fn from(sitting: Sitting) -> Self {
        match sitting {
            Sitting::Person => Self::Person,
            Sitting::Engine => Self::Engine,
        }
    }
}

/// Asks for the engine's next move, whoever sits there.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EngineRequest {
    /// The game.
    game: Request,
    /// From 0 to 10; default: 10, which makes no mistakes.
    #[schemars(range(max = 10))]
    skill: Option<u8>,
    /// What mistakes depend on.
    #[serde(default)]
    seed: u64,
}

/// Sums that were explored, the latest last.
#[derive(Default)]
pub(crate) struct Games(Mutex<VecDeque<(String, Solution)>>);

impl Games {
    /// How many sums are kept, and of how many parts the largest of them may be.
    const MOST: usize = 12;
    const LARGEST: usize = 100_000;

    fn take(&self, key: &str) -> Option<Solution> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, _)| known == key)?;
        kept.remove(place).map(|(_, solution)| solution)
    }

    fn keep(&self, key: String, solution: Solution) {
        if solution.size().0 > Self::LARGEST || key.len() > Self::LARGEST {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == Self::MOST {
            kept.pop_front();
        }
        kept.push_back((key, solution));
    }
}

pub(crate) fn moves(
    asked: &Request,
    session: &Session,
    work: &Work,
) -> Result<Answer<PlayReport>, Error> {
    let limits = asked.turn.within(work).limits();
    with_game(asked, session, work, |game, solution| {
        let (report, missing) = PlayReport::new(game, solution, MOST_LISTED);
        let guide = guide(&report.sum);
        let missing = missing.map(|error| Error::answer(&error));
        Ok(Answer::data(report).by(guide, limits).short_of(missing))
    })
}

/// What the engine plays.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EngineReport {
    /// The number of the move; null if there is none.
    r#move: Option<usize>,
}

pub(crate) fn engine(
    asked: &EngineRequest,
    session: &Session,
    work: &Work,
) -> Result<Answer<EngineReport>, Error> {
    let skill = asked.skill.map_or(Some(Skill::PERFECT), Skill::new);
    let skill = skill.ok_or_else(|| Error::input("skill is 0 to 10"))?;
    let limits = asked.game.turn.within(work).limits();
    with_game(&asked.game, session, work, |game, solution| {
        if game.ending().is_some() {
            return Ok(Answer::data(EngineReport { r#move: None }));
        }
        if !skill.is_perfect() {
            let seed = asked.seed.wrapping_add(game.played().len() as u64);
            let judged = solution.judged(game.placement(), MOST_LISTED);
            let judged = judged.map_err(|error| Error::answer(&error))?;
            if let Some(blunder) = skill.blunder(&judged, seed) {
                return Ok(Answer::data(EngineReport { r#move: Some(blunder.number) }));
            }
        }
        let advice = solution.answer(game.placement());
        let advice = advice.map_err(|error| Error::answer(&error))?;
        let first = advice.moves.first();
        let number = game.moves().iter().position(|made| Some(made) == first);
        Ok(Answer::data(EngineReport { r#move: number }).by(Some(advice.guide), limits))
    })
}

pub(crate) fn explain(
    asked: &Request,
    session: &Session,
    work: &Work,
) -> Result<Answer<ExplainedSum>, Error> {
    let limits = asked.turn.within(work).limits();
    with_game(asked, session, work, |game, solution| {
        let (report, (missing, unexplained)) =
            ExplainedSum::new(solution, game.placement(), None, true);
        let guide = guide(&report.sum);
        let answer = Answer::data(report).by(guide, limits);
        let missing = missing.map(Missing::into_reason).or(unexplained);
        let missing = missing.map(|error| Error::answer(&error));
        Ok(answer.short_of(missing.or_else(|| cut_short(solution))))
    })
}

/// Plays a game up to where it is now, and does something with it.
fn with_game<T>(
    asked: &Request,
    session: &Session,
    work: &Work,
    use_it: impl FnOnce(&Game, &mut Solution) -> Result<Answer<T>, Error>,
) -> Result<Answer<T>, Error> {
    if asked.moves.len() > MOST_PLAYED {
        return Err(Error::input(format!("a game has at most {MOST_PLAYED} moves here")));
    }
    let Request { position, given, theory, turn, .. } = asked;
    let work = &turn.within(work);
    let Limits { positions, bytes, turn, .. } = work.limits();
    let key = format!("{position}\n{:?}\n{}\n{positions} {bytes} {turn}", theory.0, given.key());
    let mut solution = if let Some(solution) = session.games().take(&key) {
        solution
    } else {
        let mut library = given.library(session, work)?;
        let expression = Expression::read(position, &mut library)
            .map_err(|error| Error::expression(position, error))?;
        super::sum::solution(expression, *theory, work)?
    };
    // One that was kept has the clock of another request.
    solution.answer_within(work);
    let answer = replayed(asked, &mut solution).and_then(|game| use_it(&game, &mut solution));
    // What was cut short by a clock would be longer the next time.
    let is_cut = |interrupted: Interrupted| matches!(interrupted.limit(), Some(Limit::Time) | None);
    if !solution.interrupted().is_some_and(is_cut) {
        session.games().keep(key, solution);
    }
    answer
}

fn replayed(asked: &Request, solution: &mut Solution) -> Result<Game, Error> {
    let start = solution.start().clone();
    let players = asked.players.map(Player::from);
    let mut game = Game::new(solution, start, players).map_err(|error| Error::answer(&error))?;
    for (place, &number) in asked.moves.iter().enumerate() {
        if number >= game.moves().len() || game.ending().is_some() {
            let count = game.moves().len();
            let message = format!(
                "there is no move {number} at place {place} of the game: there are {count} moves there"
            );
            return Err(Error::new(ErrorKind::Input, message));
        }
        game.play(solution, number).map_err(|error| Error::answer(&error))?;
    }
    Ok(game)
}
