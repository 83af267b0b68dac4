//! Cycles with entailing moves of any outdegree: exact outcomes, without an algebra.
//!
//! No algebra is known for these digraphs, so a node is labelled by its outcomes beside every
//! nim-heap. Beside *k a player on a white node may also move in the heap, and what that is
//! worth is the best of the outcomes beside smaller heaps. This only improves as k grows, and
//! the outcomes beside *k depend on k through it alone. So the heaps are taken in order, each by
//! retrograde analysis, until a heap improves no node: from there on nothing changes. With n
//! nodes that happens after at most 2n + 1 heaps, each improvement being from a loss to a draw or a
//! win, or from a draw to a win. So each set of heaps is finite, or has a finite complement.
//!
//! ## Why it is exact
//! Nothing is claimed but outcomes, and each is that of plain play. What is cut short is the list of heaps: if
//! a heap improves no node, the next one offers the same choices as this one, and has the same outcomes.
//!
//! ## Cost
//! Arcs × (number of heaps until nothing changes), and a byte per node and heap; the
//! budget counts nodes × heaps.

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::labelling::{Label, Labelling, LabellingBuilder};
use crate::impartial::nimbers::{NimberSet, Nimbers};
use crate::impartial::theory::Theory;
use crate::impartial::value::{AnyValue, Cover, HeapOutcomes};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// Labels any digraph.
pub(crate) fn label(digraph: &Digraph, work: &Work) -> Labelling {
    let mut in_heap = vec![Outcome::P; digraph.len()];
    let mut heaps: Vec<Vec<Outcome>> = Vec::new();
    let mut positions = 0_u64;
    let mut interrupted = None;
    loop {
        positions += digraph.len() as u64;
        // The first heap is always solved: it is the least that a user needs.
        let admitted = if heaps.is_empty() {
            Ok(())
        } else {
            work.admit(positions).map_err(|_| work.over(None))
        };
        let outcomes = admitted
            .and_then(|()| work.hold(positions))
            .and_then(|()| beside_heap(digraph, &in_heap, work));
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
            improved |= improve(&mut in_heap[node as usize], outcomes[node as usize]);
        }
        if !improved {
            break;
        }
    }
    let complete = interrupted.is_none();
    let work = digraph.arc_count() as u64 * heaps.len() as u64;
    let mut builder = LabellingBuilder::new(digraph);
    let mut outcomes = Vec::new();
    for node in digraph.nodes() {
        outcomes.clear();
        outcomes.extend(heaps.iter().map(|heap| heap[node as usize]));
        builder.set(node, node_label(digraph.is_gray(node), &outcomes, complete));
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
    work: &Work,
) -> Result<Vec<Outcome>, Interrupted> {
    let mut pace = work.pace();
    pace.step()?;
    let mut not_lost: Vec<u32> =
        digraph.nodes().map(|node| digraph.options(node).len() as u32).collect();
    let mut outcomes: Vec<Outcome> =
        not_lost.iter().zip(in_heap).map(|(&options, &in_heap)| begin(options, in_heap)).collect();
    let is_decided = |&node: &Node| outcomes[node as usize] != Outcome::D;
    let mut decided: Vec<Node> = digraph.nodes().filter(is_decided).collect();
    while let Some(node) = decided.pop() {
        pace.step()?;
        let option = outcomes[node as usize];
        for &from in digraph.predecessors(node) {
            let place = from as usize;
            if hear(&mut outcomes[place], option, &mut not_lost[place], in_heap[place]) {
                decided.push(from);
            }
        }
    }
    Ok(outcomes)
}

/// Notes the outcome of a white node beside a heap in what a move in larger heaps is worth to the mover
/// there, which is P before the first heap; whether that is more than before.
///
/// ```
/// use nimoon::{Outcome, impartial::theory::general};
/// let mut in_heap = Outcome::P;
/// assert!(general::improve(&mut in_heap, Outcome::D) && in_heap == Outcome::D);
/// assert!(general::improve(&mut in_heap, Outcome::P) && in_heap == Outcome::N);
/// assert!(!general::improve(&mut in_heap, Outcome::P));
/// ```
#[inline]
pub fn improve(in_heap: &mut Outcome, beside: Outcome) -> bool {
    *in_heap = match (beside, *in_heap) {
        (Outcome::P, Outcome::P | Outcome::D) => Outcome::N,
        (Outcome::D, Outcome::P) => Outcome::D,
        _ => return false,
    };
    true
}

/// The outcome of a node beside a heap, by what a move in the heap is worth and how many options the
/// node has; [`Outcome::D`] while it is not decided.
#[inline]
pub fn begin(options: u32, in_heap: Outcome) -> Outcome {
    match in_heap {
        Outcome::P if options > 0 => Outcome::D,
        in_heap => in_heap,
    }
}

/// Updates a node when the outcome of one of its options is decided; returns whether its own is decided by that.
/// `not_lost` counts its options that are not known to be won by the opponent.
///
/// ```
/// use nimoon::{Outcome, impartial::theory::general};
/// // Two options are won by the opponent, and so is a move in the heap.
/// let (mut outcome, mut not_lost) = (Outcome::D, 2);
/// assert!(!general::hear(&mut outcome, Outcome::N, &mut not_lost, Outcome::P));
/// assert!(general::hear(&mut outcome, Outcome::N, &mut not_lost, Outcome::P));
/// assert_eq!(outcome, Outcome::P);
/// ```
#[inline]
pub fn hear(outcome: &mut Outcome, option: Outcome, not_lost: &mut u32, in_heap: Outcome) -> bool {
    if *outcome != Outcome::D {
        return false;
    }
    if option == Outcome::P {
        *outcome = Outcome::N;
        return true;
    }
    *not_lost -= 1;
    let lost = *not_lost == 0 && in_heap == Outcome::P;
    if lost {
        *outcome = Outcome::P;
    }
    lost
}

/// The label of a node with these outcomes beside the heaps from 0 on; the last heap stands for all larger
/// ones if `complete`.
///
/// ```
/// use nimoon::{Outcome, impartial::theory::general};
/// let label = general::node_label(false, &[Outcome::P, Outcome::N], true);
/// assert_eq!(label.value().unwrap().to_string(), "win all but {0}, loss {0}, draw {}");
/// ```
pub fn node_label(is_gray: bool, outcomes: &[Outcome], complete: bool) -> Label {
    let set = |outcome| {
        let with = |has: bool| -> Nimbers {
            (0..).zip(outcomes).filter(|(_, o)| (**o == outcome) == has).map(|(k, _)| k).collect()
        };
        if complete && outcomes.last() == Some(&outcome) {
            NimberSet::AllExcept(with(false))
        } else {
            NimberSet::Only(with(true))
        }
    };
    let outcomes =
        HeapOutcomes { win: set(Outcome::N), loss: set(Outcome::P), draw: set(Outcome::D) };
    if !is_gray {
        Label::White(AnyValue::General(outcomes))
    } else if complete && outcomes.draw.is_nothing() {
        Label::Gray(Some(Cover::Heaps(outcomes.loss)))
    } else {
        Label::Gray(Some(Cover::Mixed(outcomes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, label};

    fn value(digraph: &Digraph, node: Node) -> String {
        let labelling = label(digraph, Some(Theory::General), &Work::default()).unwrap();
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
        let labelling = label(&heap, Some(Theory::General), &Work::new(Limits::new(6))).unwrap();
        assert!(!labelling.is_complete());
        assert_eq!(labelling.value(2).unwrap().to_string(), "win {0,1}, loss {}, draw {}");
    }
}
