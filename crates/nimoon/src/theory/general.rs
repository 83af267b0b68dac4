//! Cycles with entailing moves of any outdegree: exact outcomes, without an algebra.
//!
//! No algebra is known for these digraphs, so a node is labelled by its outcomes beside every
//! nim-heap. Beside *k a player on a white node may also move in the heap, and what that is
//! worth is the best of the outcomes beside smaller heaps. This only improves as k grows, and
//! the outcomes beside *k depend on k through it alone. So the heaps are taken in order, each by
//! retrograde analysis, until a heap improves no node: from there on nothing changes. With n
//! nodes that happens after at most 2n + 1 heaps, each improvement being from a loss to a draw
//! or a win, or from a draw to a win.
//!
//! ## Why it is exact
//! Nothing is claimed but outcomes, and each is that of plain play. What is cut short is the list of heaps: if
//! a heap improves no node, the next one offers the same choices as this one, and has the same outcomes.
//!
//! ## Cost
//! Arcs × (number of heaps until nothing changes), and a byte per node and heap; the
//! budget counts nodes × heaps.

use crate::digraph::{Digraph, Node};
use crate::effort::{Effort, Interrupted};
use crate::labelling::{Label, Labelling, LabellingBuilder};
use crate::nimbers::{NimberSet, Nimbers};
use crate::outcome::Outcome;
use crate::theory::Theory;
use crate::value::{AnyValue, Cover, HeapOutcomes};

/// Labels any digraph.
pub(crate) fn label(digraph: &Digraph, effort: &Effort) -> Labelling {
    let mut in_heap = vec![Outcome::P; digraph.len()];
    let mut heaps: Vec<Vec<Outcome>> = Vec::new();
    let mut positions = 0_u64;
    let mut interrupted = None;
    loop {
        positions += digraph.len() as u64;
        // The first heap is always looked at: who wins alone is the least a user asks for.
        let admitted = if heaps.is_empty() {
            Ok(())
        } else {
            effort.admit(positions).map_err(|_| effort.over(None))
        };
        let outcomes = admitted
            .and_then(|()| effort.hold(positions))
            .and_then(|()| beside_heap(digraph, &in_heap, effort));
        match outcomes {
            Ok(outcomes) => heaps.push(outcomes),
            Err(error) => {
                interrupted = Some(error);
                break;
            }
        }
        let outcomes = &heaps[heaps.len() - 1];
        let mut improved = false;
        for node in digraph.nodes().filter(|&node| !digraph.is_gray(node)) {
            let best = &mut in_heap[node as usize];
            let better = match (outcomes[node as usize], *best) {
                (Outcome::P, Outcome::P | Outcome::D) => Outcome::N,
                (Outcome::D, Outcome::P) => Outcome::D,
                _ => continue,
            };
            *best = better;
            improved = true;
        }
        if !improved {
            break;
        }
    }
    let complete = interrupted.is_none();
    let work = digraph.arc_count() as u64 * heaps.len() as u64;
    let mut builder = LabellingBuilder::new(digraph);
    for node in digraph.nodes() {
        let outcomes = sets(node, &heaps, complete);
        let label = if digraph.is_gray(node) {
            let definite = complete && outcomes.draw.is_nothing();
            Label::Gray(Some(if definite {
                Cover::Heaps(outcomes.loss)
            } else {
                Cover::Mixed(outcomes)
            }))
        } else {
            Label::White(AnyValue::General(outcomes))
        };
        builder.set(node, label);
    }
    match interrupted {
        None => builder.finish(Theory::General, Vec::new(), work),
        Some(interrupted) => {
            builder.finish_interrupted(Theory::General, Vec::new(), work, interrupted)
        }
    }
}

/// The outcomes of all nodes beside a heap in which a move is worth `in_heap` to the mover.
fn beside_heap(
    digraph: &Digraph,
    in_heap: &[Outcome],
    effort: &Effort,
) -> Result<Vec<Outcome>, Interrupted> {
    let mut pace = effort.pace();
    pace.step()?;
    let mut outcomes = vec![Outcome::D; digraph.len()];
    let mut not_lost: Vec<u32> =
        digraph.nodes().map(|node| digraph.options(node).len() as u32).collect();
    let mut decided: Vec<Node> = Vec::new();
    for node in digraph.nodes() {
        let outcome = &mut outcomes[node as usize];
        match in_heap[node as usize] {
            Outcome::N => *outcome = Outcome::N,
            Outcome::P if not_lost[node as usize] == 0 => *outcome = Outcome::P,
            _ => continue,
        }
        decided.push(node);
    }
    while let Some(node) = decided.pop() {
        pace.step()?;
        let lost = outcomes[node as usize] == Outcome::N;
        for &from in digraph.predecessors(node) {
            if outcomes[from as usize] != Outcome::D {
                continue;
            }
            if lost {
                not_lost[from as usize] -= 1;
                if not_lost[from as usize] > 0 || in_heap[from as usize] != Outcome::P {
                    continue;
                }
                outcomes[from as usize] = Outcome::P;
            } else {
                outcomes[from as usize] = Outcome::N;
            }
            decided.push(from);
        }
    }
    Ok(outcomes)
}

/// The three sets of a node; the last heap stands for all larger ones if `complete`.
fn sets(node: Node, heaps: &[Vec<Outcome>], complete: bool) -> HeapOutcomes {
    let set = |outcome| {
        let heap_has = |heap: &Vec<Outcome>| heap[node as usize] == outcome;
        let with = |has: bool| -> Nimbers {
            (0..).zip(heaps).filter(|(_, heap)| heap_has(heap) == has).map(|(k, _)| k).collect()
        };
        if complete && heaps.last().is_some_and(heap_has) {
            NimberSet::AllExcept(with(false))
        } else {
            NimberSet::Only(with(true))
        }
    };
    HeapOutcomes { win: set(Outcome::N), loss: set(Outcome::P), draw: set(Outcome::D) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, label};

    fn value(digraph: &Digraph, node: Node) -> String {
        let labelling = label(digraph, Some(Theory::General), Budget::DEFAULT).unwrap();
        labelling.value(node).unwrap().to_string()
    }

    #[test]
    fn a_nim_heap_loses_beside_its_equal_alone() {
        let heap = Digraph::new(3, [], vec![(1, 0), (2, 0), (2, 1)]).unwrap();
        assert_eq!(value(&heap, 2), "win all but {2}, loss {2}, draw {}");
    }

    #[test]
    fn a_choice_for_the_entailed_player() {
        // 0; 1 = {0}; gray 2 → 0, 1; 3 → 3, 2: the opponent chooses *0 or *1, or 3 passes.
        let arcs = vec![(1, 0), (2, 0), (2, 1), (3, 3), (3, 2)];
        let digraph = Digraph::new(4, [2], arcs).unwrap();
        assert_eq!(value(&digraph, 3), "win all but {0,1}, loss {}, draw {0,1}");
    }

    #[test]
    fn a_budget_that_is_hit_leaves_the_outcomes_known_so_far() {
        let heap = Digraph::new(3, [], vec![(1, 0), (2, 0), (2, 1)]).unwrap();
        let labelling = label(&heap, Some(Theory::General), Budget::new(6)).unwrap();
        assert!(!labelling.is_complete());
        assert_eq!(labelling.value(2).unwrap().to_string(), "win {0,1}, loss {}, draw {}");
    }
}
