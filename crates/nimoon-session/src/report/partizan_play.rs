//! A game of Left and Right as it stands.

use std::cmp::Reverse;

use nimoon::player::Player;
use nimoon::solve::partizan::{PartizanPlacement, PartizanPly, PartizanSolution};
use nimoon::solve::play::{Game, Playable};
use nimoon::{Interrupted, Kind, TurnKind};
use schemars::JsonSchema;
use serde::Serialize;

use super::answer::PlyReport;
use super::partizan_answer::{LoopyValue, PartizanSumReport};
use super::placement::Missing;
use super::play::{Choice, PlacedPartReport, Standing};

/// A game of Left and Right as it stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PartizanGame")]
pub struct PartizanPlayReport {
    /// The position: components, value, who wins, and what both players do best.
    #[serde(flatten)]
    pub sum: PartizanSumReport,
    /// Whether Left or Right is to move.
    side: Side,
    #[serde(flatten)]
    standing: Standing,
    /// What can be played: wins before draws before losses, quick wins first.
    moves: Vec<PartizanMoveReport>,
    /// How many moves there are; not all of them may be listed.
    count: usize,
}

/// Left or Right.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
}

/// A move that Left or Right can make.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PartizanMove")]
struct PartizanMoveReport {
    #[serde(flatten)]
    made: Choice,
    /// The value of the sum that it leaves; null if it was not found.
    value: Option<LoopyValue>,
    /// After how many plies the game ends; null where it does not, or that is not known.
    remoteness: Option<u32>,
}

impl PartizanPlayReport {
    /// What there is to say about a game, with up to `most` moves; and what of it is not known.
    pub fn new(
        game: &Game<PartizanSolution>,
        solution: &mut PartizanSolution,
        most: usize,
    ) -> (Self, Option<Interrupted>) {
        let PartizanPlacement { terms, player } = game.placement();
        let (sum, missing) = PartizanSumReport::of_terms(solution, terms);
        let parts = terms.iter().map(|&term| {
            vec![PlacedPartReport { place: 0, position: solution.text(term), due: false }]
        });
        let parts = parts.collect();
        let standing = Standing::new(game, parts, |before, made, _| ply(solution, before, made));
        let mut judge = Judge::default();
        let moves = game.moves().iter().enumerate().take(most);
        let mut moves: Vec<_> = moves
            .map(|(number, made)| {
                let ply = ply(solution, game.placement(), made);
                judge.judged(game, solution, Choice { number, part: 0, ply, achieves: None }, made)
            })
            .collect();
        moves.sort_by_key(|one| match one.made.achieves {
            Some(TurnKind::Winning) => (0, one.remoteness.unwrap_or(u32::MAX), Reverse(0)),
            Some(TurnKind::Drawing) => (1, 0, Reverse(0)),
            Some(_) => (2, 0, Reverse(one.remoteness.unwrap_or(0))),
            None => (3, 0, Reverse(0)),
        });
        let side = match player {
            Player::Left => Side::Left,
            Player::Right => Side::Right,
        };
        let report = Self { sum, side, standing, moves, count: game.moves().len() };
        (report, missing.map(Missing::into_reason).or(judge.achieves))
    }
}

/// Asks about one move after the other, until a limit is hit: the next would hit it too.
#[derive(Default)]
struct Judge {
    achieves: Option<Interrupted>,
    remoteness: Option<Interrupted>,
    value: Option<Interrupted>,
}

impl Judge {
    fn judged(
        &mut self,
        game: &Game<PartizanSolution>,
        sum: &mut PartizanSolution,
        choice: Choice,
        made: &PartizanPly,
    ) -> PartizanMoveReport {
        let after = Playable::after(sum, game.placement(), made);
        let PartizanPlacement { terms, player } = &after;
        let achieves = asked(&mut self.achieves, || game.achieves(sum, made));
        let remoteness = asked(&mut self.remoteness, || sum.remoteness(terms, *player)).flatten();
        let value = asked(&mut self.value, || sum.sides(terms));
        let value = value.and_then(|sides| LoopyValue::of_sides(sum, sides));
        let remoteness = remoteness.map(|plies| plies + 1);
        PartizanMoveReport { made: Choice { achieves, ..choice }, value, remoteness }
    }
}

/// The answer to a question, unless one of its kind was interrupted before.
fn asked<T>(
    interrupted: &mut Option<Interrupted>,
    ask: impl FnOnce() -> Result<T, Interrupted>,
) -> Option<T> {
    if interrupted.is_some() {
        return None;
    }
    ask().map_err(|reason| *interrupted = Some(reason)).ok()
}

/// A move in words.
fn ply(sum: &PartizanSolution, before: &PartizanPlacement, made: &PartizanPly) -> PlyReport {
    let from = before.terms[made.component];
    PlyReport {
        component: made.component,
        from: sum.text(from),
        to: sum.text((from.0, made.to)),
        forced: false,
        words: Some((Kind::Ordinary, Playable::words(sum, before, made))),
    }
}
