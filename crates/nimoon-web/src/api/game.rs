//! Games: `moves`, `engine` and `explain`.
//!
//! The server keeps no games: a request tells the position at the start and the moves since then. What was
//! explored for a start is kept for a while, so that only its first request takes time.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use nimoon::effort::{Interrupted, Limit};
use nimoon::play::{Game, Player, Skill};
use nimoon::solution::Solution;
use nimoon_formats::write::{AdditionReport, PartReport, PlayReport, SumReport, TurnReasonReport};
use nimoon_rulesets::expression::Expression;
use serde::{Deserialize, Serialize};

use super::library::Given;
use super::request::Chosen;
use super::sum::{cut_short, guide};
use crate::failure::{Failure, Kind};
use crate::work::{Allowance, Answer};

/// The most moves that are listed, and that a game may have.
const MOST_LISTED: usize = 2000;
const MOST_PLAYED: usize = 10_000;

/// Asks about a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// The position at the start.
    #[serde(alias = "expression")]
    position: String,
    /// The numbers of the moves that were made, each among those of its time.
    #[serde(default)]
    moves: Vec<usize>,
    /// Who sits on the first and the second seat.
    #[serde(default)]
    players: [Sitting; 2],
    #[serde(default)]
    theory: Chosen,
    #[serde(default)]
    given: Given,
}

/// Who sits there.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Sitting {
    #[default]
    Person,
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
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EngineRequest {
    game: Request,
    /// 0 to 10; 10 makes no mistakes.
    skill: Option<u8>,
    /// What mistakes depend on.
    #[serde(default)]
    seed: u64,
}

/// Sums that were explored, the latest last.
#[derive(Default)]
pub(super) struct Games(Mutex<VecDeque<(String, Solution)>>);

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

pub(super) fn moves(
    asked: &Request,
    games: &Games,
    allowance: &Allowance,
) -> Result<Answer, Failure> {
    with_game(asked, games, allowance, |game, solution| {
        let (report, missing) = PlayReport::new(game, solution, MOST_LISTED);
        let answer = Answer::json(&report)?.by(guide(&report.sum));
        Ok(answer.short_of(missing.map(|error| error.to_string())))
    })
}

pub(super) fn engine(
    asked: &EngineRequest,
    games: &Games,
    allowance: &Allowance,
) -> Result<Answer, Failure> {
    #[derive(Serialize)]
    struct Json {
        r#move: Option<usize>,
    }
    let skill = asked.skill.map_or(Some(Skill::PERFECT), Skill::new);
    let skill = skill.ok_or_else(|| Failure::input("skill is 0 to 10"))?;
    with_game(&asked.game, games, allowance, |game, solution| {
        if game.ending().is_some() {
            return Answer::json(&Json { r#move: None });
        }
        if !skill.is_perfect() {
            let seed = asked.seed.wrapping_add(game.played().len() as u64);
            let judged = solution.judged(game.placement(), MOST_LISTED);
            let judged = judged.map_err(|error| Failure::answer(&error))?;
            if let Some(blunder) = skill.blunder(&judged, seed) {
                return Answer::json(&Json { r#move: Some(blunder.number) });
            }
        }
        let advice = solution.answer(game.placement());
        let advice = advice.map_err(|error| Failure::answer(&error))?;
        let first = advice.moves.first();
        let number = game.moves().iter().position(|made| Some(made) == first);
        Ok(Answer::json(&Json { r#move: number })?.by(Some(advice.guide)))
    })
}

pub(super) fn explain(
    asked: &Request,
    games: &Games,
    allowance: &Allowance,
) -> Result<Answer, Failure> {
    #[derive(Serialize)]
    struct Json<'a> {
        #[serde(flatten)]
        report: &'a SumReport,
        explanations: &'a [PartReport],
        addition: Option<AdditionReport>,
        reason: Option<TurnReasonReport>,
    }
    with_game(asked, games, allowance, |game, solution| {
        let placement = game.placement();
        let (report, missing) = SumReport::of_placement(solution, placement, None);
        let (explanations, unexplained) = PartReport::of_placement(solution, placement);
        let addition = AdditionReport::new(&report);
        let reason = TurnReasonReport::new(solution, placement);
        let json = Json {
            report: &report,
            explanations: &explanations,
            addition,
            reason: reason.as_ref().ok().cloned().flatten(),
        };
        let answer = Answer::json(&json)?.by(guide(&report));
        let missing = missing.or(unexplained).or(reason.err());
        let missing = missing.map(|error| error.to_string());
        Ok(answer.short_of(missing.or_else(|| cut_short(solution))))
    })
}

/// Plays a game up to where it is now, and does something with it.
fn with_game(
    asked: &Request,
    games: &Games,
    allowance: &Allowance,
    use_it: impl FnOnce(&Game, &mut Solution) -> Result<Answer, Failure>,
) -> Result<Answer, Failure> {
    if asked.moves.len() > MOST_PLAYED {
        return Err(Failure::input(format!("a game has at most {MOST_PLAYED} moves here")));
    }
    let Request { position, given, theory, .. } = asked;
    let key = format!("{position}\n{:?}\n{}\n{}", theory.0, given.key(), allowance.key());
    let mut solution = if let Some(solution) = games.take(&key) {
        solution
    } else {
        let mut library = given.library(allowance)?;
        let expression = Expression::read(position, &mut library)
            .map_err(|error| Failure::expression(position, error))?;
        super::sum::solution(expression, *theory, allowance)?
    };
    // One that was kept has the clock of another request.
    solution.answer_within(allowance.effort());
    let answer = replayed(asked, &mut solution).and_then(|game| use_it(&game, &mut solution));
    // What was cut short by a clock would be longer the next time.
    let is_cut = |interrupted: Interrupted| matches!(interrupted.limit(), Some(Limit::Time) | None);
    if !solution.interrupted().is_some_and(is_cut) {
        games.keep(key, solution);
    }
    answer
}

fn replayed(asked: &Request, solution: &mut Solution) -> Result<Game, Failure> {
    let start = solution.start().clone();
    let players = asked.players.map(Player::from);
    let mut game = Game::new(solution, start, players).map_err(|error| Failure::answer(&error))?;
    for (place, &number) in asked.moves.iter().enumerate() {
        if number >= game.moves().len() || game.ending().is_some() {
            let count = game.moves().len();
            let message = format!(
                "there is no move {number} at place {place} of the game: there are {count} moves there"
            );
            return Err(Failure::new(Kind::Input, message));
        }
        game.play(solution, number).map_err(|error| Failure::answer(&error))?;
    }
    Ok(game)
}
