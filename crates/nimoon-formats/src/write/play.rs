//! A game as it stands: the position, what was played, and what can be.

use nimoon::play::{Duty, Ending, Game, Seat};
use nimoon::solution::{AnswerError, JudgedMove, PlacedMove, PlacedPart, Placement, Solution};
use nimoon::{AnyValue, TurnKind};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::answer::{PlyReport, SumReport};
use super::json::JsonValue;

/// Everything that a player who looks at a game wants to know.
#[derive(Clone, Debug)]
pub struct PlayReport {
    /// The position: components, value, outcome, and the turn to play.
    pub sum: SumReport,
    /// For each component its parts.
    pub parts: Vec<Vec<PlacedPart>>,
    /// Who is to move.
    pub mover: Seat,
    /// What the player to move is bound to.
    pub duty: Duty,
    /// How the game ended, if it did.
    pub ending: Option<Ending>,
    /// How often this position stood before with the same player to move.
    pub repetitions: usize,
    /// What was played.
    pub played: Vec<(Seat, PlyReport)>,
    /// What can be played.
    pub moves: Vec<MoveReport>,
    /// How many moves there are; not all of them may be listed.
    pub count: usize,
}

/// A move that can be made.
#[derive(Clone, Debug)]
pub struct MoveReport {
    /// Its number in [`Game::moves`].
    pub number: usize,
    /// Which part of the component is moved.
    pub place: usize,
    /// What it does.
    pub ply: PlyReport,
    /// What it achieves; none if that is not known.
    pub achieves: Option<TurnKind>,
    /// The value of the sum that it leaves, where there is one.
    pub leaves: Option<AnyValue>,
    /// After how many plies the game ends, see [`JudgedMove::remoteness`].
    pub remoteness: Option<u32>,
}

impl PlayReport {
    /// What there is to say about a game, with up to `most` moves; and what of it is not known, and why.
    pub fn new(game: &Game, solution: &mut Solution, most: usize) -> (Self, Option<AnswerError>) {
        let placement = game.placement();
        let (sum, missing) = SumReport::of_placement(solution, placement, None);
        let parts = (0..placement.len()).map(|i| solution.parts(placement, i)).collect();
        let played = game.played().iter().map(|played| {
            let ply = ply(solution, &played.before, &played.made, played.forced);
            (played.seat, ply)
        });
        let played = played.collect();
        let judged = solution.judged(placement, most);
        let (moves, unjudged) = match judged {
            Ok(judged) => {
                let moves = judged.into_iter().map(|judged| {
                    let JudgedMove { number, made, achieves, leaves, remoteness } = judged;
                    let ply = ply(solution, placement, &made, false);
                    let (place, achieves) = (made.place(), Some(achieves));
                    MoveReport { number, place, ply, achieves, leaves, remoteness }
                });
                (moves.collect(), None)
            }
            Err(error) => {
                let moves = game.moves().iter().enumerate().take(most).map(|(number, made)| {
                    let ply = ply(solution, placement, made, false);
                    let (place, leaves) = (made.place(), None);
                    MoveReport { number, place, ply, achieves: None, leaves, remoteness: None }
                });
                (moves.collect(), Some(error))
            }
        };
        let report = Self {
            sum,
            parts,
            mover: game.mover(),
            duty: game.duty(),
            ending: game.ending(),
            repetitions: game.repetitions(),
            played,
            moves,
            count: game.moves().len(),
        };
        (report, missing.or(unjudged))
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

#[derive(Serialize)]
struct JsonPart<'a> {
    place: usize,
    position: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    due: bool,
}

impl<'a> JsonPart<'a> {
    fn new(part: &'a PlacedPart) -> Self {
        Self { place: part.place, position: &part.text, due: part.due }
    }
}

#[derive(Serialize)]
struct JsonPlayed<'a> {
    seat: u8,
    #[serde(flatten)]
    ply: &'a PlyReport,
}

impl Serialize for MoveReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Json<'a> {
            #[serde(rename = "move")]
            number: usize,
            part: usize,
            #[serde(flatten)]
            ply: &'a PlyReport,
            achieves: Option<&'static str>,
            value: Option<JsonValue<'a>>,
            remoteness: Option<u32>,
        }
        let json = Json {
            number: self.number,
            part: self.place,
            ply: &self.ply,
            achieves: self.achieves.map(TurnKind::name),
            value: self.leaves.as_ref().map(JsonValue),
            remoteness: self.remoteness,
        };
        json.serialize(serializer)
    }
}

struct JsonDuty(Duty);

impl Serialize for JsonDuty {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            Duty::Move => map.serialize_entry("kind", "move")?,
            Duty::Again => map.serialize_entry("kind", "again")?,
            Duty::Answer(component) => {
                map.serialize_entry("kind", "answer")?;
                map.serialize_entry("component", &component)?;
            }
        }
        map.end()
    }
}

#[derive(Serialize)]
struct JsonEnding {
    kind: &'static str,
    winner: Option<u8>,
}

impl From<Ending> for JsonEnding {
    fn from(ending: Ending) -> Self {
        let (kind, loser) = match ending {
            Ending::Stuck { loser } => ("stuck", Some(loser)),
            Ending::Resigned { loser } => ("resigned", Some(loser)),
            Ending::Agreed => ("agreed", None),
            Ending::Endless => ("endless", None),
        };
        Self { kind, winner: loser.map(|loser| number(loser.other())) }
    }
}

impl Serialize for PlayReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Json<'a> {
            #[serde(flatten)]
            sum: &'a SumReport,
            parts: Vec<Vec<JsonPart<'a>>>,
            mover: u8,
            duty: JsonDuty,
            ending: Option<JsonEnding>,
            repetitions: usize,
            played: Vec<JsonPlayed<'a>>,
            moves: &'a [MoveReport],
            count: usize,
        }
        let parts = self.parts.iter().map(|parts| parts.iter().map(JsonPart::new).collect());
        let played = self.played.iter();
        let played = played.map(|(seat, ply)| JsonPlayed { seat: number(*seat), ply }).collect();
        let json = Json {
            sum: &self.sum,
            parts: parts.collect(),
            mover: number(self.mover),
            duty: JsonDuty(self.duty),
            ending: self.ending.map(JsonEnding::from),
            repetitions: self.repetitions,
            played,
            moves: &self.moves,
            count: self.count,
        };
        json.serialize(serializer)
    }
}
