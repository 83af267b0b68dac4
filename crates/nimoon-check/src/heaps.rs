//! Outcomes beside every nim-heap, where no algebra is known.
//!
//! The certificate has, for the heaps 0 to K, a *rank* for every node x. An even rank says that the
//! previous player wins x + *k, an odd rank that the next player does, and no rank that nobody can
//! force a win. Checked for every k ≤ K:
//!
//! - even: every option has a smaller odd rank; and if x is white, x + *j has an odd rank for all j
//!   < k;
//! - odd: some option has a smaller even rank; or x is white, and x + *j has an even rank for some
//!   j < k;
//! - no rank: no option has an even rank, and for a white x neither has x + *j with j < k; and some
//!   option has no rank, or for a white x some x + *j with j < k has no rank.
//!
//! Each move along an arc lowers the rank, and each move in the heap lowers k, so a player with a
//! win gets it after finitely many moves. Without a rank, no move leads to a lost position, and
//! each player can avoid the won ones: play is endless.
//!
//! **Beyond K nothing changes.** Beside *k it matters only whether moves in the heap lead to an
//! even rank, or to a position without a rank. No white node may be even beside *K. Then the ranks
//! of *K fulfil the conditions for *(K + 1) too: the moves in the heap only gain draws, and only
//! for nodes that have no rank anyway. So by induction they are right for all larger heaps, and the
//! outcome sets follow.
//!
//! Cost: arcs × heaps.

use serde::Deserialize;

use crate::format::{Digraph, Label, Outcomes, Set};
use crate::watch::{Unproved, Watch};

/// For each heap, the rank of every node.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Ranks(pub Vec<Vec<Option<u32>>>);

/// What moves in the heap can lead to, so far.
#[derive(Clone, Copy, Default)]
struct HeapMoves {
    lost: bool,
    drawn: bool,
}

/// Checks the outcome sets of all nodes.
///
/// # Errors
/// The first wrong rank or set.
pub(crate) fn check(
    digraph: &Digraph,
    labels: &[Label],
    ranks: &Ranks,
    watch: &Watch,
) -> Result<(), Unproved> {
    let found = outcomes(digraph, ranks, watch)?;
    for (node, outcomes) in digraph.nodes().zip(found) {
        if labels[node as usize] != Label::Outcomes(Box::new(outcomes)) {
            return Err(digraph.reject("values", node, "the ranks give other sets"));
        }
    }
    Ok(())
}

/// The outcome sets of all nodes, by ranks that are checked.
///
/// # Errors
/// The first wrong rank.
pub(crate) fn outcomes(
    digraph: &Digraph,
    ranks: &Ranks,
    watch: &Watch,
) -> Result<Vec<Outcomes>, Unproved> {
    watch.hold(digraph.len().saturating_mul(size_of::<HeapMoves>()))?;
    let mut heap_moves = vec![HeapMoves::default(); digraph.len()];
    let mut last_changes = true;
    for (k, row) in ranks.0.iter().enumerate() {
        if row.len() != digraph.len() {
            return Err(Unproved::wrong(format!("ranks[{k}]"), "not one rank for each node"));
        }
        for node in digraph.nodes() {
            watch.step(1 + digraph.options.row(node).len())?;
            if !follows(digraph, row, heap_moves[node as usize], node) {
                let list = format!("ranks[{k}]");
                return Err(digraph.reject(&list, node, "the rank does not follow"));
            }
        }
        // From a gray node there is no move in the heap, so its entry stays empty.
        last_changes = false;
        for node in digraph.nodes().filter(|&node| !digraph.is_gray(node)) {
            let heap_moves = &mut heap_moves[node as usize];
            match row[node as usize] {
                None => heap_moves.drawn = true,
                Some(rank) if rank % 2 == 0 => {
                    last_changes = true;
                    heap_moves.lost = true;
                }
                Some(_) => {}
            }
        }
    }
    if last_changes {
        let reason =
            "a node is lost beside the last heap, so it is won beside larger ones: they are needed";
        return Err(Unproved::wrong("ranks", reason));
    }
    let mut found = Vec::with_capacity(digraph.len());
    for node in digraph.nodes() {
        watch.step(ranks.0.len())?;
        let outcome = |row: &Vec<Option<u32>>| row[node as usize].map(|rank| rank % 2);
        let set = |wanted: Option<u32>| {
            let with = |has: bool| -> Vec<u64> {
                let rows = (0..).zip(&ranks.0);
                rows.filter(|(_, row)| (outcome(row) == wanted) == has).map(|(k, _)| k).collect()
            };
            let for_ever = ranks.0.last().is_some_and(|row| outcome(row) == wanted);
            if for_ever { Set::all_except(with(false)) } else { Set::only(with(true)) }
        };
        let (win, loss, draw) = (set(Some(1)), set(Some(0)), set(None));
        found.push(Outcomes { win, loss, draw });
    }
    Ok(found)
}

fn follows(digraph: &Digraph, row: &[Option<u32>], heap: HeapMoves, node: u32) -> bool {
    let mut options = digraph.options.row(node).iter().map(|&option| row[option as usize]);
    match row[node as usize] {
        Some(rank) if rank % 2 == 0 => {
            let won =
                |other: Option<u32>| other.is_some_and(|other| other % 2 == 1 && other < rank);
            options.all(won) && !heap.lost && !heap.drawn
        }
        Some(rank) => {
            let lost =
                |other: Option<u32>| other.is_some_and(|other| other % 2 == 0 && other < rank);
            heap.lost || options.any(lost)
        }
        None => {
            let mut drawn = heap.drawn;
            let none_is_lost = options.all(|other| {
                drawn |= other.is_none();
                other.is_none_or(|other| other % 2 == 1)
            });
            none_is_lost && drawn && !heap.lost
        }
    }
}
