//! A game as it stands: the position, what was played, and what can be.

use nimoon::solve::play::{Duty, Ending, Game, Playable, Seat};
use nimoon::solve::solution::{
    AnswerError, JudgedMove, PlacedMove, PlacedPart, Placement, Solution,
};
use nimoon::{AnyValue, TurnKind};
use schemars::JsonSchema;
use serde::Serialize;

use super::answer::{PlyReport, SumReport};
use super::placement::Missing;
use nimoon_formats::write::json::{Json, is_false, shaped};

/// A game as it stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Game")]
pub struct PlayReport {
    /// The position: components, value, outcome, and the turn to play.
    #[serde(flatten)]
    pub sum: SumReport,
    #[serde(flatten)]
    standing: Standing,
    /// What can be played: wins before draws before losses, quick wins first.
    moves: Vec<MoveReport>,
    /// How many moves there are; not all of them may be listed.
    count: usize,
}

/// What any game has: where it stands, and how it came there.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Standing")]
pub(super) struct Standing {
    /// For each component its parts.
    parts: Vec<Vec<PlacedPartReport>>,
    /// Who is to move: 0 for the player who began.
    mover: u8,
    /// What the player to move is bound to.
    duty: DutyReport,
    /// How the game ended; null if it goes on.
    ending: Option<EndingReport>,
    /// How often this position stood before with the same player to move.
    repetitions: usize,
    /// What was played.
    played: Vec<PlayedReport>,
}

/// A part of a component that is moved by itself.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Part")]
pub(super) struct PlacedPartReport {
    /// Its number in the component.
    pub(super) place: usize,
    /// What it is.
    pub(super) position: String,
    /// Whether the player to move must move here; left out if not.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) due: bool,
}

/// What the player to move is bound to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[schemars(rename = "Duty")]
enum DutyReport {
    /// Any move.
    Move,
    /// Another move after a carry-on move.
    Again,
    /// An answer to an entailing move.
    Answer {
        /// The component in which the player must move.
        component: usize,
    },
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Ending")]
struct EndingReport {
    /// What ended it.
    kind: EndingKind,
    /// Who won: 0 for the player who began; null for a draw.
    winner: Option<u8>,
}

/// What ended a game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum EndingKind {
    /// A player could not move.
    Stuck,
    /// A player resigned.
    Resigned,
    /// The players agreed to a draw.
    Agreed,
    /// Play went round without a decision.
    Endless,
}

/// A ply that was played.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Played")]
struct PlayedReport {
    /// Who played it: 0 for the player who began.
    seat: u8,
    #[serde(flatten)]
    ply: PlyReport,
}

/// A move that can be made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Move")]
struct MoveReport {
    #[serde(flatten)]
    made: Choice,
    /// The value of the sum that it leaves; null where there is none.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<AnyValue>>")]
    value: Option<AnyValue>,
    /// After how many plies the game ends, replies to carry-on moves included; null where it does not, or that is not known.
    remoteness: Option<u32>,
}

/// A move that can be made, and what it achieves.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Choice")]
pub(super) struct Choice {
    /// Its number, by which a request names it.
    #[serde(rename = "move")]
    pub(super) number: usize,
    /// The part of the component that is moved.
    pub(super) part: usize,
    #[serde(flatten)]
    pub(super) ply: PlyReport,
    /// What it achieves; null if that is not known.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<TurnKind>>")]
    pub(super) achieves: Option<TurnKind>,
}

impl PlayReport {
    /// What there is to say about a game, with up to `most` moves; and what of it is not known, and why.
    pub fn new(game: &Game, solution: &mut Solution, most: usize) -> (Self, Option<AnswerError>) {
        let placement = game.placement();
        let (sum, missing) = SumReport::of_placement(solution, placement, None);
        let missing = missing.map(Missing::into_reason);
        let parts = (0..placement.len()).map(|component| {
            let parts = solution.parts(placement, component).into_iter();
            let told = |part: PlacedPart| PlacedPartReport {
                place: part.place,
                position: part.text,
                due: part.due,
            };
            parts.map(told).collect()
        });
        let standing = Standing::new(game, parts.collect(), |before, made, forced| {
            ply(solution, before, made, forced)
        });
        let judged = solution.judged(placement, most);
        let (moves, unjudged) = match judged {
            Ok(judged) => {
                let moves = judged.into_iter().map(|judged| {
                    let JudgedMove { number, made, achieves, leaves, remoteness } = judged;
                    let ply = ply(solution, placement, &made, false);
                    let (part, achieves) = (made.place(), Some(achieves));
                    let made = Choice { number, part, ply, achieves };
                    MoveReport { made, value: leaves, remoteness }
                });
                (moves.collect(), None)
            }
            Err(error) => {
                let moves = game.moves().iter().enumerate().take(most).map(|(number, made)| {
                    let ply = ply(solution, placement, made, false);
                    let made = Choice { number, part: made.place(), ply, achieves: None };
                    MoveReport { made, value: None, remoteness: None }
                });
                (moves.collect(), Some(error))
            }
        };
        let report = Self { sum, standing, moves, count: game.moves().len() };
        (report, missing.or(unjudged))
    }
}

impl Standing {
    /// Where a game stands; `ply` puts a move from there into words.
    pub(super) fn new<S: Playable>(
        game: &Game<S>,
        parts: Vec<Vec<PlacedPartReport>>,
        ply: impl Fn(&S::Placement, &S::Move, bool) -> PlyReport,
    ) -> Self {
        let played = game.played().iter().map(|played| PlayedReport {
            seat: number(played.seat),
            ply: ply(&played.before, &played.made, played.forced),
        });
        Self {
            parts,
            mover: number(game.mover()),
            duty: game.duty().into(),
            ending: game.ending().map(EndingReport::from),
            repetitions: game.repetitions(),
            played: played.collect(),
        }
    }
}

/// A move in words.
fn ply(solution: &Solution, before: &Placement, made: &PlacedMove, forced: bool) -> PlyReport {
    let component = made.component;
    let after = solution.after(before, made);
    PlyReport {
        component,
        from: solution.text(before, component),
        to: solution.text(&after, component),
        forced,
        words: Some((made.kind, solution.words(before, made))),
    }
}

/// The number of a seat: 0 for the player who began.
fn number(seat: Seat) -> u8 {
    match seat {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

impl From<Duty> for DutyReport {
    fn from(duty: Duty) -> Self {
        match duty {
            Duty::Move => Self::Move,
            Duty::Again => Self::Again,
            Duty::Answer(component) => Self::Answer { component },
        }
    }
}

impl From<Ending> for EndingReport {
    fn from(ending: Ending) -> Self {
        let (kind, loser) = match ending {
            Ending::Stuck { loser } => (EndingKind::Stuck, Some(loser)),
            Ending::Resigned { loser } => (EndingKind::Resigned, Some(loser)),
            Ending::Agreed => (EndingKind::Agreed, None),
            Ending::Endless => (EndingKind::Endless, None),
        };
        Self { kind, winner: loser.map(|loser| number(loser.other())) }
    }
}
