//! Ranks of all nodes beside nim-heaps, for the [general
//! theory](crate::impartial::theory::general).
//!
//! A rank is even where the previous player wins and odd where the next one does. Along the arcs of
//! a win it falls; a move in the heap leads to a smaller heap, so that its ranks need not be
//! compared.

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::theory::general::improve;
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// For each heap from 0 on the rank of every node, none where play is drawn, up to the first heap
/// that improves no move in the heap: from there on nothing changes.
///
/// ```
/// use nimoon::{Digraph, Work, certificate::heaps::ranks};
/// // 0 is terminal, 1 has a move to 0 and a loop.
/// let digraph = Digraph::new(2, [], vec![(1, 0), (1, 1)]).unwrap();
/// let ranks = ranks(&digraph, &Work::default()).unwrap();
/// // Beside *1 the next player takes the heap of 0 + *1, and 1 + *1 is drawn.
/// assert_eq!(ranks[..2], [[Some(0), Some(1)], [Some(1), None]]);
/// ```
///
/// # Errors
/// When the time has ended, the work is cancelled, or the ranks take more bytes than are allowed.
/// Positions are not counted, since a labelling shows that the ranks end.
pub fn ranks(digraph: &Digraph, work: &Work) -> Result<Vec<Vec<Option<u32>>>, Interrupted> {
    let mut in_heap = vec![Outcome::P; digraph.len()];
    let mut heaps: Vec<Vec<Option<u32>>> = Vec::new();
    loop {
        let positions = (heaps.len() as u64 + 1).saturating_mul(digraph.len() as u64);
        work.hold(positions.saturating_mul(size_of::<Option<u32>>() as u64))?;
        let ranks = beside_heap(digraph, &in_heap, work)?;
        let mut improved = false;
        for node in digraph.nodes().filter(|&node| !digraph.is_gray(node)) {
            let outcome = match ranks[node as usize] {
                Some(rank) if rank % 2 == 0 => Outcome::P,
                Some(_) => Outcome::N,
                None => Outcome::D,
            };
            improved |= improve(&mut in_heap[node as usize], outcome);
        }
        heaps.push(ranks);
        if !improved {
            return Ok(heaps);
        }
    }
}

/// The ranks of all nodes beside a heap in which a move is worth `in_heap` to the mover.
fn beside_heap(
    digraph: &Digraph,
    in_heap: &[Outcome],
    work: &Work,
) -> Result<Vec<Option<u32>>, Interrupted> {
    let mut ranks: Vec<Option<u32>> = vec![None; digraph.len()];
    let mut open: Vec<usize> = digraph.nodes().map(|v| digraph.options(v).len()).collect();
    let is_lost = |&v: &Node| open[v as usize] == 0 && in_heap[v as usize] == Outcome::P;
    let is_won = |&v: &Node| in_heap[v as usize] == Outcome::N;
    // First come, first served: then ranks do not fall along the list.
    let mut decided: Vec<Node> = digraph.nodes().filter(is_lost).collect();
    for &node in &decided {
        ranks[node as usize] = Some(0);
    }
    for node in digraph.nodes().filter(is_won) {
        ranks[node as usize] = Some(1);
        decided.push(node);
    }
    let mut next = 0;
    let mut pace = work.pace();
    while let Some(&node) = decided.get(next) {
        pace.step()?;
        next += 1;
        let Some(rank) = ranks[node as usize] else { continue };
        for &from in digraph.predecessors(node) {
            if ranks[from as usize].is_some() {
                continue;
            }
            if rank % 2 == 1 {
                open[from as usize] -= 1;
                if open[from as usize] > 0 || in_heap[from as usize] != Outcome::P {
                    continue;
                }
            }
            ranks[from as usize] = Some(rank + 1);
            decided.push(from);
        }
    }
    Ok(ranks)
}
