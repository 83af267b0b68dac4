//! Retrograde analysis from the terminal positions, with one counter a position.

use crate::digraph::{Node, Rows};
use crate::effort::{Effort, Interrupted};

/// Stands for ∞.
pub(crate) const ENDLESS: u32 = u32::MAX;

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
    effort: &Effort,
) -> Result<Retrograde, Interrupted> {
    solve(options, predecessors, |_| 0, |_| false, effort)
}

/// Generalized remoteness (4b–e): `previous` says at which terminal positions the previous player
/// succeeds, with 0; at the others the next one does, with 1.
pub(crate) fn generalized(
    options: &Rows,
    predecessors: &Rows,
    previous: impl Fn(Node) -> bool,
    effort: &Effort,
) -> Result<Retrograde, Interrupted> {
    let terminal = |node| u32::from(!previous(node));
    solve(options, predecessors, terminal, |value| value % 2 == 0, effort)
}

/// A position is decided by a follower with a deciding value, or by the last of its followers, and
/// its value is one more. Positions are decided in the order of their values, since each value is one
/// more than an earlier one and those of terminal positions, 0 and 1, are told in this order.
fn solve(
    options: &Rows,
    predecessors: &Rows,
    terminal: impl Fn(Node) -> u32,
    decides: impl Fn(u32) -> bool,
    effort: &Effort,
) -> Result<Retrograde, Interrupted> {
    /// What a position takes in memory.
    const BYTES: u64 = 12;
    let len = options.len();
    effort.hold(BYTES * len as u64)?;
    let mut pace = effort.pace();
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
            undecided[place] -= 1;
            if decides(value) || undecided[place] == 0 {
                values[place] = value + 1;
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
    let value = values[node as usize];
    let wanted = if value == ENDLESS { ENDLESS } else { value.wrapping_sub(1) };
    options.row(node).iter().copied().filter(move |&to| values[to as usize] == wanted)
}
