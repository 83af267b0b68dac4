//! A proof, label by label, that a labelling of a digraph without gray nodes is right.
//!
//! Let the nodes with nimbers be given in an order. The labels are those of Smith, Fraenkel and
//! Perl if
//!
//! - a node `x` of nimber `m` has an earlier option of each nimber below `m`, and each option of
//!   `x` either is one of these or has itself an option of nimber `m` that is earlier than `x`;
//! - no infinite node could be added at the end of the order by the same rule;
//! - the exits of an infinite node are the nimbers among its options.
//!
//! The first says that the labelling rule can assign all these nimbers, in this order; the
//! second that it then stops. Where it stops does not depend on the order. [Smith1966, §9]

use nimoon::{AnyValue, Digraph, Labelling, Node, Value};
use thiserror::Error;

/// What is wrong with a labelling.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub(crate) enum Defect {
    #[error("the order lists node {0} twice, or it has no nimber")]
    Order(Node),
    #[error("node {0} has a nimber, but the order leaves it out")]
    LeftOut(Node),
    #[error("the nimber of node {0} is not justified by earlier ones")]
    Unjustified(Node),
    #[error("node {0} is infinite, but the labelling rule gives it a nimber")]
    Assignable(Node),
    #[error("node {0} is infinite, but its exits are not the nimbers among its options")]
    Exits(Node),
}

/// Checks every label, and returns the largest nimber and the number of infinite nodes.
pub(crate) fn check(digraph: &Digraph, labelling: &Labelling) -> Result<(u64, usize), Defect> {
    let nimbers: Vec<Option<u64>> = digraph.nodes().map(|v| labelling.nimber(v)).collect();
    check_nimbers(digraph, &nimbers, labelling.order())?;
    let mut infinite = 0;
    for node in digraph.nodes().filter(|&v| nimbers[v as usize].is_none()) {
        infinite += 1;
        let mut exits: Vec<u64> =
            digraph.options(node).iter().filter_map(|&y| nimbers[y as usize]).collect();
        exits.sort_unstable();
        exits.dedup();
        match labelling.value(node) {
            Some(AnyValue::CarryOn(Value::Cyclic(set))) if set.as_slice() == exits => {}
            _ => return Err(Defect::Exits(node)),
        }
    }
    Ok((nimbers.into_iter().flatten().max().unwrap_or(0), infinite))
}

/// The first two conditions.
fn check_nimbers(digraph: &Digraph, nimbers: &[Option<u64>], order: &[Node]) -> Result<(), Defect> {
    // The place of each node in the order; infinite nodes come after all of it.
    let mut places = vec![usize::MAX; digraph.len()];
    for (place, &node) in order.iter().enumerate() {
        if nimbers[node as usize].is_none() || places[node as usize] != usize::MAX {
            return Err(Defect::Order(node));
        }
        places[node as usize] = place;
    }
    for node in digraph.nodes() {
        let place = places[node as usize];
        match nimbers[node as usize] {
            Some(_) if place == usize::MAX => return Err(Defect::LeftOut(node)),
            Some(n) if assignable(digraph, nimbers, &places, node, place) != Some(n) => {
                return Err(Defect::Unjustified(node));
            }
            None if assignable(digraph, nimbers, &places, node, order.len()).is_some() => {
                return Err(Defect::Assignable(node));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The nimber that the labelling rule gives a node when all places before `place` are assigned.
fn assignable(
    digraph: &Digraph,
    nimbers: &[Option<u64>],
    places: &[usize],
    node: Node,
    place: usize,
) -> Option<u64> {
    let earlier = |y: Node| nimbers[y as usize].filter(|_| places[y as usize] < place);
    let options = digraph.options(node);
    let mut known: Vec<u64> = options.iter().filter_map(|&y| earlier(y)).collect();
    known.sort_unstable();
    known.dedup();
    let mex = (0..).zip(&known).take_while(|&(i, &n)| i == n).count() as u64;
    let loses = |&y: &Node| {
        earlier(y).is_some_and(|n| n < mex)
            || digraph.options(y).iter().any(|&z| earlier(z) == Some(mex))
    };
    options.iter().all(loses).then_some(mex)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 is terminal, 1 → 0, 2 → 2 and 0, 3 → 1 and 4, 4 → 3, 5 → 5.
    fn digraph() -> Digraph {
        Digraph::new(6, [], vec![(1, 0), (2, 2), (2, 0), (3, 1), (3, 4), (4, 3), (5, 5)]).unwrap()
    }

    const RIGHT: [Option<u64>; 6] = [Some(0), Some(1), None, None, None, None];

    #[test]
    fn right_nimbers_in_a_right_order_pass() {
        assert_eq!(check_nimbers(&digraph(), &RIGHT, &[0, 1]), Ok(()));
    }

    #[test]
    fn an_order_that_does_not_justify_is_refused() {
        let check = |nimbers: &[Option<u64>], order: &[Node]| {
            check_nimbers(&digraph(), nimbers, order).unwrap_err()
        };
        assert_eq!(check(&RIGHT, &[1, 0]), Defect::Unjustified(1));
        assert_eq!(check(&RIGHT, &[0]), Defect::LeftOut(1));
        assert_eq!(check(&RIGHT, &[0, 1, 1]), Defect::Order(1));
        assert_eq!(check(&RIGHT, &[0, 1, 2]), Defect::Order(2));
    }

    #[test]
    fn a_wrong_or_missing_nimber_is_found() {
        let mut wrong = RIGHT;
        wrong[2] = Some(1);
        assert_eq!(check_nimbers(&digraph(), &wrong, &[0, 1, 2]), Err(Defect::Unjustified(2)));
        let mut missing = RIGHT;
        missing[1] = None;
        assert_eq!(check_nimbers(&digraph(), &missing, &[0]), Err(Defect::Assignable(1)));
        // Two nodes that justify each other are not justified.
        let mut circular = RIGHT;
        (circular[3], circular[4]) = (Some(0), Some(1));
        let error = check_nimbers(&digraph(), &circular, &[0, 1, 3, 4]);
        assert_eq!(error, Err(Defect::Unjustified(3)));
    }
}
