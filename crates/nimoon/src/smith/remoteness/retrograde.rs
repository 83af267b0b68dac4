//! Retrograde analysis from the terminal positions, with one counter a position.
//!
//! Positions are decided in the order of their remoteness, by the first follower that is lost for
//! the opponent or by the last one that is not, so each arc is visited once. Terminal positions
//! start with 0 or 1, which is the only difference between normal play, misère play and the
//! Q-functions of [Smith1966, §5].

use crate::graph::digraph::{Node, Rows};
use crate::limits::{Interrupted, Work};

/// Stands for ∞, the value of positions that are never decided.
pub const ENDLESS: u32 = u32::MAX;

/// How far a position is from the end, by how long the longest play is or by the hurry of a winner.
///
/// ```
/// use nimoon::smith::remoteness::Measure;
/// // A position with two followers: an odd remoteness does not decide it, an even one does.
/// let mut undecided = 2;
/// assert_eq!(Measure::Remoteness.hear(3, &mut undecided), None);
/// assert_eq!(Measure::Remoteness.hear(4, &mut undecided), Some(5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The terminal distance (2), (3): the last follower decides.
    Distance,
    /// The remoteness (4): the first follower that is even decides, or the last of all.
    Remoteness,
}

impl Measure {
    /// What the value of a follower makes of a position that is not decided, with the number of its
    /// followers that are not; none if that does not decide it. Values of followers come in
    /// increasing order.
    #[inline]
    pub fn hear(self, follower: u32, undecided: &mut u32) -> Option<u32> {
        *undecided -= 1;
        let decides = self == Self::Remoteness && follower.is_multiple_of(2);
        (decides || *undecided == 0).then_some(follower + 1)
    }
}

/// A number, or none for ∞.
pub(crate) fn finite(value: u32) -> Option<u32> {
    (value != ENDLESS).then_some(value)
}

/// A number for each position, [`ENDLESS`] for ∞, and how many positions and arcs it took.
pub(crate) struct Retrograde {
    pub(crate) values: Vec<u32>,
    pub(crate) work: u64,
}

/// Terminal distances (2), (3): a position gets its own when the last of its followers has one.
pub(crate) fn distances(
    options: &Rows,
    predecessors: &Rows,
    work: &Work,
) -> Result<Retrograde, Interrupted> {
    let hear = |value, undecided: &mut u32| Measure::Distance.hear(value, undecided);
    solve(options, predecessors, |_| 0, hear, work)
}

/// Generalized remoteness (4b–e): `previous` says at which terminal positions the previous player
/// succeeds, with 0; at the others the next one does, with 1.
pub(crate) fn generalized(
    options: &Rows,
    predecessors: &Rows,
    previous: impl Fn(Node) -> bool,
    work: &Work,
) -> Result<Retrograde, Interrupted> {
    let terminal = |node| u32::from(!previous(node));
    let hear = |value, undecided: &mut u32| Measure::Remoteness.hear(value, undecided);
    solve(options, predecessors, terminal, hear, work)
}

/// Within how many moves a player succeeds, and which: twice the number of moves, and one more if
/// it is the next player. `previous` says at which terminal positions the previous player succeeds.
pub(crate) fn successes(
    options: &Rows,
    predecessors: &Rows,
    previous: impl Fn(Node) -> bool,
    work: &Work,
) -> Result<Retrograde, Interrupted> {
    let terminal = |node| u32::from(!previous(node));
    // The players change places with each move.
    let hear = |code: u32, undecided: &mut u32| {
        let longer = Measure::Remoteness.hear(code, undecided)?;
        Some(if code.is_multiple_of(2) { longer + 2 } else { longer })
    };
    solve(options, predecessors, terminal, hear, work)
}

/// A position gets the value that `hear` makes of that of a follower. Positions are decided in the
/// order of the moves that they are from the end, those of terminal positions, with 0 and 1, in
/// this order.
fn solve(
    options: &Rows,
    predecessors: &Rows,
    terminal: impl Fn(Node) -> u32,
    hear: impl Fn(u32, &mut u32) -> Option<u32>,
    work: &Work,
) -> Result<Retrograde, Interrupted> {
    /// What a position takes in memory.
    const BYTES: u64 = 12;
    let len = options.len();
    work.hold(BYTES * len as u64)?;
    let mut pace = work.pace();
    pace.step()?;
    let mut values = vec![ENDLESS; len];
    let mut undecided: Vec<u32> = Vec::with_capacity(len);
    let mut order: Vec<Node> = Vec::new();
    let mut later: Vec<Node> = Vec::new();
    for node in 0..len as Node {
        let count = options.row(node).len();
        undecided.push(count as u32);
        if count == 0 {
            let value = terminal(node);
            values[node as usize] = value;
            if value == 0 { &mut order } else { &mut later }.push(node);
        }
    }
    order.append(&mut later);
    let mut work = len as u64;
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        pace.step()?;
        let value = values[node as usize];
        let row = predecessors.row(node);
        work += row.len() as u64;
        for &from in row {
            let place = from as usize;
            if values[place] != ENDLESS {
                continue;
            }
            if let Some(before) = hear(value, &mut undecided[place]) {
                values[place] = before;
                order.push(from);
            }
        }
    }
    Ok(Retrograde { values, work })
}

/// The followers one nearer to the end, or as endless (5).
pub(crate) fn good<'a>(
    values: &'a [u32],
    options: &'a Rows,
    node: Node,
) -> impl Iterator<Item = Node> + 'a {
    leaving(values, options, node, |value| value.wrapping_sub(1))
}

/// The same for what [`successes`] gives.
pub(crate) fn good_by_success<'a>(
    codes: &'a [u32],
    options: &'a Rows,
    node: Node,
) -> impl Iterator<Item = Node> + 'a {
    leaving(codes, options, node, |code| code.wrapping_sub(if code % 2 == 1 { 3 } else { 1 }))
}

/// The followers with the value `after` that of a position, or as endless.
fn leaving<'a>(
    values: &'a [u32],
    options: &'a Rows,
    node: Node,
    after: impl Fn(u32) -> u32,
) -> impl Iterator<Item = Node> + 'a {
    let value = values[node as usize];
    let target = if value == ENDLESS { ENDLESS } else { after(value) };
    options.row(node).iter().copied().filter(move |&to| values[to as usize] == target)
}
