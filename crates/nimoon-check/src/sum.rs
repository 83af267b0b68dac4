//! Sums: several pieces on a digraph, who wins, and the turn to play.
//!
//! A player moves one piece along an arc. A piece on a gray node must be moved at once, so at most
//! one piece is on a gray node. There are two ways to prove who wins.
//!
//! **By a strategy.** A list of positions. If one is listed twice the last entry counts. Positions
//! that play does not reach do not count, such as positions of more pieces. For a win each has a
//! rank, and some have a move:
//!
//! - with a move, the next player wins: the move leads to a listed position without one, of lower
//!   rank;
//! - without a move, the previous player wins: every move leads to a listed position with one, of
//!   lower rank.
//!
//! Ranks fall, so the winner follows the moves until the opponent cannot move. For a draw there are
//! no ranks; it is enough that neither player loses:
//!
//! - with a move, the next player does not lose: the move leads to a position that *holds*;
//! - where it holds, the previous player does not lose: every move leads to a position with a move.
//!
//! A player who follows the moves is never stuck. If the start has a move and holds, both players
//! avoid a loss. No theorem is used.
//!
//! **By values.** The labels are checked, and the values are added ([`crate::algebra`],
//! [`crate::control`]). This uses the theorems of the theory.
//!
//! A *turn* is a list of plies. Every second ply is the opponent's, from a gray node with one
//! option, so it is forced. The claim about a turn is proved by the position that it leaves: in the
//! strategy, or by values. A turn that leads *back* to an earlier position Q of the same turn holds
//! a proved draw. The player can repeat it from Q, with the same player to move at the end, and
//! then again and again; or with the other player to move. Then Q is neither a win nor a loss of
//! its mover. If the player is the mover of Q, a win there would be a win from the start, and a
//! loss there could be passed on to the opponent. If the opponent is the mover, the player could
//! take over the win, or had one from the start. So Q is a draw for either player to move.

use std::collections::HashMap;

use serde::Deserialize;

use crate::algebra::{Outcome, add, outcome};
use crate::control::{Checked, Total};
use crate::format::{Digraph, Label, Value, no_node};
use crate::labels::Theory;
use crate::levels::{Way, ways};
use crate::watch::{Unproved, Watch};

/// The claim of a certificate about a sum.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// The nodes with a piece.
    pub pieces: Vec<u32>,
    /// The value of the sum, where there is one.
    pub total: Option<Label>,
    /// Who wins.
    pub outcome: Outcome,
    /// What to play.
    pub turn: Option<Turn>,
    /// The proof; without a strategy the proof is by values.
    pub strategy: Option<Vec<Entry>>,
    /// In the general theory, the values of the first piece, of the first two and so on.
    pub totals: Option<Vec<Total>>,
}

impl Sum {
    /// The claim that a sum has this outcome, by this strategy.
    pub(crate) fn by_strategy(pieces: Vec<u32>, outcome: Outcome, strategy: Vec<Entry>) -> Self {
        let strategy = Some(strategy);
        Self { pieces, total: None, outcome, turn: None, strategy, totals: None }
    }
}

/// What to play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// What the turn achieves.
    pub kind: Kind,
    /// The component and the node that it is moved to, ply by ply.
    pub plies: Vec<(usize, u32)>,
    /// Whether it leads back to an earlier position of the turn.
    #[serde(default)]
    pub endless: bool,
}

/// What a turn achieves.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It wins.
    Winning,
    /// It holds the draw.
    Drawing,
    /// It loses.
    Losing,
    /// There is no move.
    None,
}

/// A position of a strategy.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The nodes of the pieces.
    pub at: Vec<u32>,
    /// For a win.
    pub rank: Option<u64>,
    /// The component to move, and where to.
    pub play: Option<(usize, u32)>,
    /// For a draw: the previous player does not lose.
    #[serde(default)]
    pub holds: bool,
}

type Position = Vec<u32>;

/// Checks the claim about a sum, given labels that are right. Returns whether the proof is a
/// strategy.
///
/// # Errors
/// The first wrong statement.
pub(crate) fn check(
    digraph: &Digraph,
    theory: Theory,
    labels: &[Label],
    control: Option<&Checked<'_>>,
    sum: &Sum,
    watch: &Watch,
) -> Result<bool, Unproved> {
    if let Some(&node) = sum.pieces.iter().find(|&&node| node as usize >= digraph.len()) {
        return Err(no_node("sum.pieces".into(), node));
    }
    if sum.pieces.iter().filter(|&&node| digraph.is_gray(node)).count() > 1 {
        return Err(Unproved::wrong(
            "sum.pieces",
            "two pieces on gray nodes: a sum has at most one",
        ));
    }
    let values = Values::new(digraph, theory, labels, watch)?;
    let total = match &values {
        Some(values) => values.total(&sum.pieces)?.map(Label::White),
        None => None,
    };
    if sum.total != total {
        return Err(Unproved::wrong(
            "sum.total",
            "the values of the components do not add up to it",
        ));
    }
    let by_control = match (&sum.totals, control) {
        (Some(totals), Some(control)) => Some(control.check_sum(&sum.pieces, totals, watch)?),
        (Some(_), None) => {
            let reason = "totals need the values of the nodes in `control`";
            return Err(Unproved::wrong("sum.totals", reason));
        }
        (None, _) => None,
    };
    if let Some(outcome) = by_control
        && outcome != sum.outcome
    {
        return Err(Unproved::wrong("sum.outcome", "it does not follow from the totals"));
    }
    if by_control.is_some() && sum.strategy.is_none() {
        if sum.turn.is_some() {
            return Err(Unproved::wrong("sum.turn", "a turn needs a strategy here"));
        }
        return Ok(false);
    }
    let judge = match (&sum.strategy, values) {
        (Some(entries), _) => Judge::Strategy(strategy(digraph, sum, entries, watch)?),
        (None, Some(values)) => Judge::Values(values),
        (None, None) => {
            let reason = "without totals the general theory needs a strategy";
            return Err(Unproved::wrong("sum.strategy", reason));
        }
    };
    if !judge.shows(&sum.pieces, sum.outcome)? {
        let reason = "it does not follow for these pieces";
        return Err(Unproved::wrong("sum.outcome", reason));
    }
    if let Some(turn) = &sum.turn {
        check_turn(digraph, sum, turn, &judge, watch)?;
    }
    Ok(sum.strategy.is_some())
}

/// The moves of a position: the piece, and its target.
fn moves<'a>(digraph: &'a Digraph, at: &'a [u32]) -> impl Iterator<Item = (usize, u32)> + 'a {
    let gray = at.iter().position(|&node| digraph.is_gray(node));
    let movable = (0..at.len()).filter(move |&piece| gray.is_none_or(|gray| gray == piece));
    movable.flat_map(|piece| digraph.options.row(at[piece]).iter().map(move |&to| (piece, to)))
}

fn after(at: &[u32], (piece, to): (usize, u32)) -> Position {
    let mut after = at.to_vec();
    after[piece] = to;
    after
}

fn is_move(
    digraph: &Digraph,
    at: &[u32],
    play: (usize, u32),
    watch: &Watch,
) -> Result<bool, Unproved> {
    watch.step(at.len())?;
    for found in moves(digraph, at) {
        watch.step(1)?;
        if found == play {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Checks a strategy.
fn strategy<'a>(
    digraph: &Digraph,
    sum: &Sum,
    entries: &'a [Entry],
    watch: &Watch,
) -> Result<HashMap<&'a [u32], &'a Entry>, Unproved> {
    /// The bytes of an entry in the map.
    const EACH: usize = 2 * size_of::<(&[u32], &Entry)>();
    let reject = |i: usize, reason| Err(Unproved::wrong(format!("sum.strategy[{i}]"), reason));
    watch.hold(entries.len().saturating_mul(EACH))?;
    let mut listed: HashMap<&[u32], &Entry> = HashMap::with_capacity(entries.len());
    for (i, entry) in entries.iter().enumerate() {
        watch.step(1 + entry.at.len())?;
        if entry.at.iter().any(|&node| node as usize >= digraph.len()) {
            return reject(i, "unknown nodes");
        }
        if entry.rank.is_some() == (sum.outcome == Outcome::D) {
            return reject(i, "each position has a rank for a win, and none for a draw");
        }
        listed.insert(&entry.at, entry);
    }
    for (i, Entry { at, rank, play, holds }) in entries.iter().enumerate() {
        let leads = |play| listed.get(&after(at, play)[..]);
        let lower = |other: &&&Entry| rank.is_none() || other.rank < *rank;
        if let Some(play) = play {
            if !is_move(digraph, at, *play, watch)? {
                return reject(i, "the move is illegal here");
            }
            let good = |other: &&Entry| {
                if rank.is_some() { other.play.is_none() } else { other.holds }
            };
            if leads(*play).filter(lower).is_none_or(|other| !good(other)) {
                return reject(
                    i,
                    "the move does not lead to a listed position that is good for its player",
                );
            }
        }
        if play.is_none() && rank.is_some() || *holds {
            let answered =
                |play| leads(play).filter(lower).is_some_and(|other| other.play.is_some());
            for play in moves(digraph, at) {
                watch.step(1 + at.len())?;
                if !answered(play) {
                    return reject(i, "a move has no answer");
                }
            }
        }
    }
    Ok(listed)
}

/// The proof of outcomes.
enum Judge<'a> {
    Strategy(HashMap<&'a [u32], &'a Entry>),
    Values(Values<'a>),
}

impl Judge<'_> {
    /// Whether a position is proved to have an outcome.
    fn shows(&self, at: &[u32], wanted: Outcome) -> Result<bool, Unproved> {
        Ok(match self {
            Self::Values(values) => values.outcome(at)? == Some(wanted),
            Self::Strategy(listed) => listed.get(at).is_some_and(|entry| match wanted {
                // Here all positions have ranks, since no win is needed in a draw.
                Outcome::N => entry.play.is_some(),
                Outcome::P => entry.play.is_none(),
                Outcome::D => entry.play.is_some() && entry.holds,
            }),
        })
    }

    /// Whether the next player is proved not to lose, or the previous one.
    fn keeps(&self, at: &[u32], next: bool) -> Result<bool, Unproved> {
        match self {
            Self::Values(_) => self.shows(at, Outcome::D),
            Self::Strategy(listed) => Ok(listed
                .get(at)
                .is_some_and(|entry| if next { entry.play.is_some() } else { entry.holds })),
        }
    }
}

/// The algebra of values.
struct Values<'a> {
    digraph: &'a Digraph,
    labels: &'a [Label],
    /// In the entailing theory none.
    ways: Option<Vec<Way>>,
    watch: &'a Watch<'a>,
}

impl<'a> Values<'a> {
    /// None if no algebra is known.
    fn new(
        digraph: &'a Digraph,
        theory: Theory,
        labels: &'a [Label],
        watch: &'a Watch,
    ) -> Result<Option<Self>, Unproved> {
        let ways = match theory {
            Theory::General => return Ok(None),
            Theory::Short | Theory::Entailing => None,
            Theory::Cyclic | Theory::CarryOn => Some(ways(digraph, watch)?),
        };
        Ok(Some(Self { digraph, labels, ways, watch }))
    }

    /// The value of a sum of white pieces.
    fn total(&self, pieces: &[u32]) -> Result<Option<Value>, Unproved> {
        let mut total = Value::Nimber(0);
        for &node in pieces {
            self.watch.step(1)?;
            let Label::White(value) = &self.labels[node as usize] else { return Ok(None) };
            let Some(sum) = add(&total, value, self.watch)? else { return Ok(None) };
            total = sum;
        }
        Ok(Some(total))
    }

    /// Who wins; one of the pieces may be on a gray node.
    fn outcome(&self, at: &[u32]) -> Result<Option<Outcome>, Unproved> {
        let Some(gray) = at.iter().position(|&node| self.digraph.is_gray(node)) else {
            return Ok(self.total(at)?.map(|total| outcome(&total)));
        };
        let beside = || {
            let rest: Vec<u32> = [&at[..gray], &at[gray + 1..]].concat();
            self.total(&rest)
        };
        let Some(ways) = &self.ways else {
            let Label::Covers(covered) = &self.labels[at[gray] as usize] else { return Ok(None) };
            let loses = beside()?.map(|beside| match beside {
                Value::Nimber(n) => covered.contains(n),
                // Beside a moon a move to a white node does not help; a move to a gray node does if
                // its cover is cofinite.
                _ => covered.all_except,
            });
            return Ok(loses.map(|loses| if loses { Outcome::P } else { Outcome::N }));
        };
        // From the view of the player who moved onto the gray node, not of the next player.
        Ok(match ways[at[gray] as usize] {
            Way::Ordinary(to) => self.outcome(&after(at, (gray, to)))?,
            Way::Again(to) => self.outcome(&after(at, (gray, to)))?.map(Outcome::reversed),
            Way::Wins => Some(Outcome::P),
            Way::Loses => Some(Outcome::N),
            Way::Endless => Some(Outcome::D),
        })
    }
}

/// Checks that a turn is legal, and achieves what is claimed.
fn check_turn(
    digraph: &Digraph,
    sum: &Sum,
    turn: &Turn,
    judge: &Judge,
    watch: &Watch,
) -> Result<(), Unproved> {
    let reject = |at: &str, reason| Err(Unproved::wrong(format!("sum.turn.{at}"), reason));
    let fits = match turn.kind {
        Kind::Winning => sum.outcome == Outcome::N,
        Kind::Drawing => sum.outcome == Outcome::D,
        Kind::Losing => sum.outcome == Outcome::P,
        // So the previous player wins, which was proved already.
        Kind::None => moves(digraph, &sum.pieces).next().is_none(),
    };
    if !fits || (turn.kind == Kind::None) != turn.plies.is_empty() {
        return reject("kind", "it does not fit the outcome");
    }
    let mut at = sum.pieces.clone();
    let mut before = Vec::new();
    for (i, &play) in turn.plies.iter().enumerate() {
        let place = format!("plies[{i}]");
        if !is_move(digraph, &at, play, watch)? {
            return reject(&place, "this move is illegal here");
        }
        if i % 2 == 1
            && !(digraph.is_gray(at[play.0]) && digraph.options.row(at[play.0]).len() == 1)
        {
            return reject(&place, "the opponent need not make this move");
        }
        watch.hold(at.len().saturating_mul(size_of::<u32>()))?;
        before.push(at.clone());
        at[play.0] = play.1;
    }
    let opponent_moves = turn.plies.len() % 2 == 1;
    if turn.endless {
        if turn.kind == Kind::Winning || !before.contains(&at) {
            return reject("endless", "it does not lead back to a position, or it claims a win");
        }
        return Ok(());
    }
    let right = match turn.kind {
        Kind::Winning => judge.shows(&at, if opponent_moves { Outcome::P } else { Outcome::N })?,
        Kind::Drawing => judge.keeps(&at, !opponent_moves)?,
        Kind::Losing | Kind::None => true,
    };
    if right {
        Ok(())
    } else {
        reject("plies", "the position that they lead to is not proved to be good")
    }
}
