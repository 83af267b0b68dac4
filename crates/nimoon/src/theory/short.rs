//! Short games: no cycles, no gray nodes (Sprague, Grundy).
//!
//! The value of a node is the mex of the values of its options; a sum has the nim-sum of the
//! values. Cost: one depth-first walk.
//!
//! ## References
//! [ACLNSS, Algorithm 1, Thm 1.8, Thm 1.9]

use crate::digraph::{Digraph, Node};
use crate::labelling::{Labelling, LabellingBuilder};
use crate::theory::Theory;

/// Labels an acyclic digraph without gray nodes, given an order with options first.
pub(crate) fn label(digraph: &Digraph, postorder: Vec<Node>) -> Labelling {
    let mut values = vec![0_u32; digraph.len()];
    // For rows too long for a mask: the last node that had an option of each value.
    let mut seen_at: Vec<Node> = Vec::new();
    for &node in &postorder {
        let options = digraph.options(node);
        // The mex is at most the number of options.
        values[node as usize] = if options.len() < 64 {
            let mut mask = 0_u64;
            for &option in options {
                mask |= 1_u64.checked_shl(values[option as usize]).unwrap_or(0);
            }
            mask.trailing_ones()
        } else {
            if seen_at.len() < options.len() + 1 {
                seen_at.resize(options.len() + 1, Node::MAX);
            }
            for &option in options {
                if let Some(seen) = seen_at.get_mut(values[option as usize] as usize) {
                    *seen = node;
                }
            }
            (0..).zip(&seen_at).find(|&(_, &at)| at != node).map_or(0, |(n, _)| n)
        };
    }
    let work = digraph.arc_count() as u64;
    LabellingBuilder::from_codes(values).finish(Theory::Short, postorder, work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, label};

    #[test]
    fn a_nim_heap_of_a_hundred_has_every_value_to_a_hundred() {
        let arcs = (0..=100).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let heap = Digraph::new(101, [], arcs).unwrap();
        let labelling = label(&heap, None, Budget::DEFAULT).unwrap();
        assert_eq!(labelling.theory(), Theory::Short);
        for n in 0..=100 {
            assert_eq!(labelling.nimber(n), Some(u64::from(n)));
        }
    }
}
