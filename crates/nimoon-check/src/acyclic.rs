//! Labels of the short and the entailing theory, by the recursion that defines them.
//!
//! The certificate has all nodes in an order with options first, so the digraph has no cycles, and
//! the recursion can be followed in that order:
//!
//! - a gray node g covers C(g), the complement of the nimbers among its white options and of what
//!   its gray options cover: beside these heaps the player who must move from g loses;
//! - a white node has the least number that is neither a nimber of a white option nor covered by a
//!   gray one, and is a moon if there is none.
//!
//! By induction along the order, the nimber n of x says that the previous player wins x + *k for k
//! = n alone, and a moon that the next one wins beside every heap: from x + *n a move to a white y
//! ≠ *n is answered as in Nim, or y is a moon; one to a gray g by what g does not cover; one in the
//! heap to *k, k < n, since k is an option's nimber or covered. That nimbers add by nim-sum, and
//! that every sum with a moon is a moon, is [LNS2021, Thm 20]; without gray nodes it is the theorem
//! of Sprague and Grundy.
//!
//! Cost: set operations of the size of the largest value for each arc.

use crate::format::{Digraph, Label, Set, Value, no_node};
use crate::watch::{Unproved, Watch};

/// Checks the labels of all nodes; `order` lists them, options first. A repeated node is checked
/// again, without effect.
///
/// # Errors
/// The first wrong label, or a node listed before one of its options.
pub(crate) fn check(
    digraph: &Digraph,
    labels: &[Label],
    order: &[u32],
    watch: &Watch,
) -> Result<(), Unproved> {
    watch.hold(digraph.len())?;
    let mut done = vec![false; digraph.len()];
    for (place, &node) in order.iter().enumerate() {
        let at = || format!("order[{place}]");
        if node as usize >= digraph.len() {
            return Err(no_node(at(), node));
        }
        let options = digraph.options.row(node);
        watch.step(1 + options.len())?;
        if options.iter().any(|&option| !done[option as usize]) {
            return Err(Unproved::wrong(at(), "listed before one of its options"));
        }
        done[node as usize] = true;
        // The options come earlier, so their labels are already known to be right.
        let mut numbers = Vec::new();
        let mut covered = Set::only(Vec::new());
        for &option in options {
            match &labels[option as usize] {
                Label::White(Value::Nimber(n)) => numbers.push(*n),
                Label::Covers(set) => {
                    watch.step(covered.numbers.len() + set.numbers.len())?;
                    covered = covered.union(set);
                }
                _ => {}
            }
        }
        let winning = covered.union(&Set::only(numbers));
        let right = match (digraph.is_gray(node), winning.mex()) {
            (true, _) => Label::Covers(winning.complement()),
            (false, Some(n)) => Label::White(Value::Nimber(n)),
            (false, None) => Label::White(Value::Moon(None)),
        };
        if labels[node as usize] != right {
            return Err(digraph.reject("values", node, "the recursion gives another label"));
        }
    }
    match done.iter().position(|done| !done) {
        Some(node) => Err(digraph.reject("values", node as u32, "the order leaves it out")),
        None => Ok(()),
    }
}
