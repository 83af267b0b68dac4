//! Acyclic games with entailing moves of any outdegree (Larsson, Nowakowski, Santos).
//!
//! A gray node g covers the set C(g) of those k beside which the player who must move from it
//! loses: the complement of the nimbers among its white options and of what its gray options
//! cover. A white node has the mex of the nimbers among its white options and of what its gray
//! options cover, and is a moon when these are everything. Every sum with a moon is a moon.
//!
//! C(g) is cofinite exactly when the player who must move from g loses beside a moon: no move to
//! a white node helps there, and a move to a gray node helps if that one is cofinite.
//!
//! ## Why it is exact
//! By induction. Who must move from g in g + *k wins by a move to a white y if y + *k is P, that
//! is, if y has value k; and by a move to a gray h if k is in C(h). C(g) is where neither is so.
//! Likewise the mover wins x + *k by a move in x exactly if k is among the nimbers and the covered
//! sets of which the mex is taken. Let m be the mex. Then no move in x wins beside *m, a move in
//! the heap is answered in x, and beside a larger heap the mover moves to *m: x + *k is P for k = m
//! alone. If there is no mex, the mover wins beside every heap. That this determines the value in
//! every sum is [LNS2021, Thm 20].
//!
//! ## Cost
//! One depth-first walk, and set operations of at most (largest value + 1) per arc.
//!
//! ## References
//! [ACLNSS, Def. 1.13, Thm 1.14, Algorithm 4], [LNS2021, Thm 20]

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::labelling::{Label, Labelling, LabellingBuilder};
use crate::impartial::nimbers::{NimberSet, Nimbers};
use crate::impartial::theory::Theory;
use crate::impartial::value::{AnyValue, Cover, EntailingValue};
use crate::limits::Work;

/// Labels an acyclic digraph, given an order with options first.
pub(crate) fn label(digraph: &Digraph, mut postorder: Vec<Node>, work: &Work) -> Labelling {
    let mut builder = LabellingBuilder::unknown(digraph);
    let mut pace = work.pace();
    let moon = builder.place(Label::White(AnyValue::Entailing(EntailingValue::Moon)));
    // A nimber, or none for a moon; only for white nodes.
    let mut nimbers: Vec<Option<u32>> = vec![None; digraph.len()];
    // Which distinct cover a gray node has.
    let mut cover_of = vec![0_u32; digraph.len()];
    for (place, &node) in postorder.iter().enumerate() {
        if let Err(interrupted) = pace.step() {
            postorder.truncate(place);
            return builder.finish_interrupted(Theory::Entailing, postorder, 0, interrupted);
        }
        let (gray, white): (Vec<Node>, Vec<Node>) =
            digraph.options(node).iter().partition(|&&option| digraph.is_gray(option));
        let mut winning = NimberSet::Only(
            white.iter().filter_map(|&w| nimbers[w as usize]).map(u64::from).collect::<Nimbers>(),
        );
        let mut covers: Vec<u32> = gray.iter().map(|&g| cover_of[g as usize]).collect();
        covers.sort_unstable();
        covers.dedup();
        for place in covers {
            if let Label::Gray(Some(Cover::Heaps(set))) = builder.at(place) {
                winning = winning.union(set);
            }
        }
        match settle(digraph.is_gray(node), winning) {
            Settled::Covers(set) => {
                let place = builder.place(Label::Gray(Some(Cover::Heaps(set))));
                cover_of[node as usize] = place;
                builder.set_place(node, place);
            }
            Settled::Nimber(n) => {
                nimbers[node as usize] = Some(n);
                builder.set_nimber(node, n);
            }
            Settled::Moon => builder.set_place(node, moon),
        }
    }
    builder.finish(Theory::Entailing, postorder, digraph.arc_count() as u64)
}

/// What a node is when all of its options are settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// A white node equal to a nimber.
    Nimber(u32),
    /// A white node that is a moon.
    Moon,
    /// A gray node that covers these nim-heaps.
    Covers(NimberSet),
}

/// Settles a node beside whose options the mover wins these heaps: the nimbers of the white ones,
/// and what the gray ones cover.
///
/// ```
/// use nimoon::{NimberSet, impartial::theory::entailing::{Settled, settle}};
/// assert_eq!(settle(false, NimberSet::only([0, 1, 3])), Settled::Nimber(2));
/// assert_eq!(settle(false, NimberSet::everything()), Settled::Moon);
/// assert_eq!(settle(true, NimberSet::only([0])), Settled::Covers(NimberSet::all_except([0])));
/// ```
pub fn settle(is_gray: bool, winning: NimberSet) -> Settled {
    if is_gray {
        return Settled::Covers(winning.complement());
    }
    winning.mex().map_or(Settled::Moon, |n| Settled::Nimber(n as u32))
}

#[cfg(test)]
mod tests {
    use crate::{Digraph, Theory, Work, label};

    #[test]
    fn checkmate_and_the_two_ways_to_be_a_moon() {
        // 0 terminal, 1 gray → 0, 2 = {0, 1}; 3 gray terminal, 4 = {3}.
        let digraph = Digraph::new(5, [1, 3], vec![(1, 0), (2, 0), (2, 1), (4, 3)]).unwrap();
        let labelling = label(&digraph, None, &Work::default()).unwrap();
        assert_eq!(labelling.theory(), Theory::Entailing);
        assert_eq!(labelling.value(2).unwrap().to_string(), "☾");
        assert_eq!(labelling.value(4).unwrap().to_string(), "☾");
        assert_eq!(labelling.cover(1).unwrap().to_string(), "all but {0}");
        assert_eq!(labelling.cover(3).unwrap().to_string(), "all");
    }
}
