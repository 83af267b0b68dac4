//! Cyclic games without gray nodes (Smith; Fraenkel and Perl).
//!
//! A node has value m if m is the mex of the values of its options and every other option has
//! itself an option of value m to revert to. The nodes left over are in cyclic zones, with
//! value ∞_D, where D holds the values of their options.
//!
//! ## Why it is exact
//! The argument of [`short`](super::short) answers every move in x + *m also here: options with a
//! value as there, and those without one by the option of value m that they have. Each answer rests
//! on values assigned earlier, so play comes to an end.
//!
//! Let x be left over, and m the mex of D. Beside *d, d in D, the mover wins by moving to d. Some
//! option of x is left over too and has no move to m: beside *m the mover holds the draw by it, and
//! beside a larger heap by moving to *m. Nor can the mover win beside *k if k is not in D: a move
//! to a value other than k, or in the heap, leaves something that is not P, and so does a move to a
//! node that is left over, as was just seen. Two zones at once are drawn: who leaves one of them
//! leaves the opponent in the other.
//!
//! ## Cost
//! Arcs × (largest value + 2), see the levels of the carry-on theory.
//!
//! ## References
//! [ACLNSS, Algorithm 2, Thm 1.10, Thm 1.11], [Smith1966, §9]

use crate::graph::digraph::Digraph;
use crate::graph::partition::Cut;
use crate::impartial::labelling::{Label, Labelling, LabellingBuilder, unknown};
use crate::impartial::theory::Theory;
use crate::impartial::theory::levels::{self, LevelState, Levels, Moves};
use crate::impartial::theory::sets::NodeSets;
use crate::impartial::value::{AnyValue, Value};
use crate::limits::Work;

/// Labels a digraph without gray nodes.
pub(crate) fn label(digraph: &Digraph, cut: Cut, work: &Work) -> Labelling {
    let predecessors = digraph.predecessor_rows();
    let start = |node| LevelState::open(digraph.options(node).len() as u32);
    let moves = Moves { ordinary: predecessors, again: None, start: &start };
    let levels = levels::solve(&moves, cut, work);
    if levels.unsettled.is_some() {
        return as_far_as_known(Theory::Cyclic, levels, cut);
    }
    // If few nodes are assigned, search backwards from them; if many are, search forwards from the
    // rest.
    let exits = if levels.order.len() < digraph.len() / 8 {
        NodeSets::reached(&levels, predecessors, None, cut)
    } else {
        NodeSets::among(&levels, digraph.option_rows(), cut)
    };
    let Levels { nimbers, order, work, .. } = levels;
    let mut builder = LabellingBuilder::from_codes(nimbers);
    let label = |set: &_| Label::White(AnyValue::CarryOn(Value::Cyclic(Clone::clone(set))));
    let places: Vec<u32> = exits.sets().iter().map(|set| builder.place(label(set))).collect();
    builder.set_rest(cut, |node| places[exits.place(node)]);
    builder.finish(Theory::Cyclic, order, work)
}

/// The nimbers that were found before the levels were interrupted.
fn as_far_as_known(theory: Theory, levels: Levels, cut: Cut) -> Labelling {
    let Levels { nimbers, order, work, unsettled, .. } = levels;
    let mut builder = LabellingBuilder::from_codes(nimbers);
    let Some((interrupted, won)) = unsettled else { return builder.finish(theory, order, work) };
    let most = won.iter().copied().max().unwrap_or(0);
    let places: Vec<u32> = (0..=most).map(|won| builder.place(unknown(false, won))).collect();
    builder.set_rest(cut, |node| places[won[node as usize] as usize]);
    builder.finish_interrupted(theory, order, work, interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Theory, label};

    fn values(len: usize, arcs: &[(u32, u32)]) -> Vec<String> {
        let digraph = Digraph::new(len, [], arcs.to_vec()).unwrap();
        let labelling = label(&digraph, Some(Theory::Cyclic), &Work::default()).unwrap();
        digraph.nodes().map(|node| labelling.value(node).unwrap().to_string()).collect()
    }

    #[test]
    fn a_loop_with_and_without_exits() {
        assert_eq!(values(1, &[(0, 0)]), ["∞"]);
        // 1 = {1, 0}: the mover leaves for 0 and wins.
        assert_eq!(values(2, &[(1, 1), (1, 0)]), ["0", "∞₀"]);
    }

    #[test]
    fn values_beyond_64_are_exits_too() {
        // A nim-heap of 70, and a loop with exits to 3, 64 and 70.
        let mut arcs: Vec<(u32, u32)> =
            (0..=70).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        arcs.extend([(71, 71), (71, 3), (71, 64), (71, 70)]);
        assert_eq!(values(72, &arcs)[71], "∞₃,₆₄,₇₀");
    }
}
