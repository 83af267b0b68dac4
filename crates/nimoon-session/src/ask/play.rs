//! Games: `moves`, `engine` and `explain`.
//!
//! The server keeps no games: a request tells the position at the start and the moves since then. What was
//! explored for a start is kept for a while, so that only its first request takes time.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::expression::AnyExpression;
use crate::report::{ExplainedSum, Missing, PartizanPlayReport, PlayReport};
use nimoon::limits::{Interrupted, Limit, Limits};
use nimoon::player;
use nimoon::solve::partizan::{PartizanPlacement, PartizanSolution};
use nimoon::solve::play::{Game, Playable, Player, Skill};
use nimoon::solve::solution::{AnswerError, Solution};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sum::{cut_short, guide, only_impartial};
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
    moves: Vec<u64>,
    /// Who sits on the first and the second seat. Play that goes round without a decision of a person ends as a draw.
    #[serde(default)]
    players: [Sitting; 2],
    /// Who begins a sum with partizan components; default: left.
    starts: Option<Starting>,
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

/// The player who begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Starting {
    /// Left.
    #[default]
    Left,
    /// Right.
    Right,
}

impl From<Starting> for player::Player {
    fn from(starting: Starting) -> Self {
        match starting {
            Starting::Left => Self::Left,
            Starting::Right => Self::Right,
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

/// A sum that was explored.
#[allow(clippy::large_enum_variant, reason = "few of them are kept")]
enum Explored {
    Impartial(Solution),
    Partizan(PartizanSolution),
}

impl Explored {
    /// How many positions it holds.
    fn size(&self) -> usize {
        match self {
            Self::Impartial(sum) => sum.size().0,
            Self::Partizan(sum) => sum.size(),
        }
    }

    /// Whether something is missing that a longer time would find.
    fn is_cut(&self) -> bool {
        let by_time =
            |interrupted: Interrupted| matches!(interrupted.limit(), Some(Limit::Time) | None);
        match self {
            Self::Impartial(sum) => sum.interrupted().is_some_and(by_time),
            // It searches again where a limit was hit.
            Self::Partizan(_) => false,
        }
    }
}

/// Sums that were explored, the latest last.
#[derive(Default)]
pub(crate) struct Games(Mutex<VecDeque<(String, Explored)>>);

impl Games {
    /// How many sums are kept, and of how many parts the largest of them may be.
    const MOST: usize = 12;
    const LARGEST: usize = 100_000;

    fn take(&self, key: &str) -> Option<Explored> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, _)| known == key)?;
        kept.remove(place).map(|(_, explored)| explored)
    }

    fn keep(&self, key: String, explored: Explored) {
        if explored.is_cut() || explored.size() > Self::LARGEST || key.len() > Self::LARGEST {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == Self::MOST {
            kept.pop_front();
        }
        kept.push_back((key, explored));
    }
}

/// A game as it stands.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "there is one for each answer")]
pub enum MovesReport {
    /// With impartial positions.
    Impartial(PlayReport),
    /// With positions of which some are partizan.
    Partizan(PartizanPlayReport),
}

pub(crate) fn moves(
    asked: &Request,
    session: &Session,
    work: &Work,
) -> Result<Answer<MovesReport>, Error> {
    let limits = asked.turn.within(work).limits();
    with_explored(asked, session, work, |explored| match explored {
        Explored::Impartial(sum) => {
            let game = impartial(asked, sum)?;
            let (report, missing) = PlayReport::new(&game, sum, MOST_LISTED);
            let guide = guide(&report.sum);
            let missing = missing.map(|error| Error::answer(&error));
            Ok(Answer::data(MovesReport::Impartial(report)).by(guide, limits).short_of(missing))
        }
        Explored::Partizan(sum) => {
            let game = partizan(asked, sum)?;
            let (report, missing) = PartizanPlayReport::new(&game, sum, MOST_LISTED);
            Ok(Answer::data(MovesReport::Partizan(report)).short_of(missing.map(Error::limit)))
        }
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
    let answer = |number| Answer::data(EngineReport { r#move: number });
    let limits = asked.game.turn.within(work).limits();
    with_explored(&asked.game, session, work, |explored| match explored {
        Explored::Impartial(sum) => {
            let game = impartial(&asked.game, sum)?;
            if game.ending().is_some() {
                return Ok(answer(None));
            }
            if !skill.is_perfect() {
                let judged = sum.judged(game.placement(), MOST_LISTED);
                let judged = judged.map_err(|error| Error::answer(&error))?;
                if let Some(blunder) = skill.blunder(&judged, asked.seed_of(&game)) {
                    return Ok(answer(Some(blunder.number)));
                }
            }
            let advice = sum.answer(game.placement());
            let advice = advice.map_err(|error| Error::answer(&error))?;
            let first = advice.moves.first();
            let number = game.moves().iter().position(|made| Some(made) == first);
            Ok(answer(number).by(Some(advice.guide), limits))
        }
        Explored::Partizan(sum) => {
            let game = partizan(&asked.game, sum)?;
            if game.ending().is_some() {
                return Ok(answer(None));
            }
            let all: Vec<usize> = (0..game.moves().len()).collect();
            if let Some(&blunder) = skill.blunder(&all, asked.seed_of(&game)) {
                return Ok(answer(Some(blunder)));
            }
            let plan = game.advice(sum).map_err(Error::limit)?;
            let first = plan.moves.first();
            Ok(answer(game.moves().iter().position(|made| Some(made) == first)))
        }
    })
}

impl EngineRequest {
    /// What a mistake at this moment depends on.
    fn seed_of<S: Playable>(&self, game: &Game<S>) -> u64 {
        self.seed.wrapping_add(game.played().len() as u64)
    }
}

pub(crate) fn explain(
    asked: &Request,
    session: &Session,
    work: &Work,
) -> Result<Answer<ExplainedSum>, Error> {
    let limits = asked.turn.within(work).limits();
    with_explored(asked, session, work, |explored| {
        let Explored::Impartial(sum) = explored else { return Err(only_impartial("reasons")) };
        let game = impartial(asked, sum)?;
        let (report, (missing, unexplained)) = ExplainedSum::new(sum, game.placement(), None, true);
        let guide = guide(&report.sum);
        let answer = Answer::data(report).by(guide, limits);
        let missing = missing.map(Missing::into_reason).or(unexplained);
        let missing = missing.map(|error| Error::answer(&error));
        Ok(answer.short_of(missing.or_else(|| cut_short(sum))))
    })
}

/// Does something with the sum of a game, which is explored once for many requests.
fn with_explored<T>(
    asked: &Request,
    session: &Session,
    work: &Work,
    use_it: impl FnOnce(&mut Explored) -> Result<Answer<T>, Error>,
) -> Result<Answer<T>, Error> {
    if asked.moves.len() > MOST_PLAYED {
        return Err(Error::input(format!("a game has at most {MOST_PLAYED} moves here")));
    }
    let Request { position, given, theory, turn, .. } = asked;
    let work = &turn.within(work);
    let Limits { positions, bytes, turn, .. } = work.limits();
    let key = format!("{position}\n{:?}\n{}\n{positions} {bytes} {turn}", theory.0, given.key());
    let mut explored = match session.games().take(&key) {
        Some(explored) => explored,
        None => explore(asked, session, work)?,
    };
    // One that was kept has the clock of another request.
    match &mut explored {
        Explored::Impartial(sum) => sum.answer_within(work),
        Explored::Partizan(sum) => sum.answer_within(work),
    }
    let answer = use_it(&mut explored);
    session.games().keep(key, explored);
    answer
}

fn explore(asked: &Request, session: &Session, work: &Work) -> Result<Explored, Error> {
    let Request { position, given, theory, .. } = asked;
    let mut library = given.library(session, work)?;
    let read = AnyExpression::read(position, &mut library)
        .map_err(|error| Error::expression(position, error))?;
    match read {
        AnyExpression::Impartial(expression) => {
            super::sum::solution(expression, *theory, work).map(Explored::Impartial)
        }
        AnyExpression::Mixed(_) if theory.0.is_some() => Err(only_impartial("a theory")),
        AnyExpression::Mixed(expression) => expression
            .solution(work)
            .map(Explored::Partizan)
            .map_err(|(at, error)| Error::impartial(position, at, &error)),
    }
}

/// The game of impartial positions that is asked about.
fn impartial(asked: &Request, sum: &mut Solution) -> Result<Game, Error> {
    if asked.starts.is_some() {
        let message = "`starts` is for partizan sums alone, and this one is impartial";
        return Err(Error::input(message));
    }
    let start = sum.start().clone();
    replayed(asked, sum, start, |error: AnswerError| Error::answer(&error))
}

/// The game of Left and Right that is asked about.
fn partizan(asked: &Request, sum: &mut PartizanSolution) -> Result<Game<PartizanSolution>, Error> {
    let player = asked.starts.unwrap_or_default().into();
    let start = PartizanPlacement { terms: sum.start().to_vec(), player };
    replayed(asked, sum, start, Error::limit)
}

/// Plays a game up to where it is now.
fn replayed<S: Playable>(
    asked: &Request,
    sum: &mut S,
    start: S::Placement,
    failed: impl Fn(S::Error) -> Error,
) -> Result<Game<S>, Error> {
    let players = asked.players.map(Player::from);
    let mut game = Game::new(sum, start, players).map_err(&failed)?;
    for (place, &number) in asked.moves.iter().enumerate() {
        let chosen = usize::try_from(number).ok().filter(|&chosen| chosen < game.moves().len());
        let Some(chosen) = chosen.filter(|_| game.ending().is_none()) else {
            let count = game.moves().len();
            let message = format!(
                "there is no move {number} at place {place} of the game: there are {count} moves there"
            );
            return Err(Error::new(ErrorKind::Input, message));
        };
        game.play(sum, chosen).map_err(&failed)?;
    }
    Ok(game)
}
