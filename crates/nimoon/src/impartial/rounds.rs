//! The round in which each node is assigned, as in the papers' figures.
//!
//! The algorithms of \[ACLNSS\] go in steps, each of which visits all nodes together and reads only
//! the values of the step before. A round is the number of a step; terminal nodes are assigned in
//! step
//! 0. Nodes in cyclic zones are assigned in none.
//!
//! - Short theory, Algorithm 1, and entailing theory, Algorithm 4: a node is assigned one step
//!   after the last of its options.
//! - Cyclic theory, Algorithm 2: a node is assigned m, the mex of its assigned options, if every
//!   option that is unassigned has an option of value m.
//! - Carry-on theory, Algorithm 8 with the corrected rule below. A gray node is assigned one step
//!   after its option, and what it protects counts from the next step on.
//! - General theory: there is no such algorithm, and there are no rounds.
//!
//! # The corrected rule
//! Let x be a white node, D the set of the numbers of its assigned white options, and P the union
//! of what its assigned gray options protect. As printed, x becomes a moon if D ∪ P is everything.
//! That misses moons ([`carry_on`](crate::impartial::theory::carry_on)), so here P also has *all
//! that is in D ∪ P of y in the same step, for each carry-on move x ↻ y to an unassigned node y*.
//! For nodes that carry on to each other these are the smallest sets for which that is so. Nothing
//! else differs from print: in particular an unassigned gray node before an assigned one adds
//! nothing yet, and unassigned options are tested by Algorithm 5.
//!
//! ```text
//!   x ──► g ──► z      z is terminal and g gray. Step 0 assigns 0 to z, step 1 all but 0 to g, and
//!   ╰───────────▲      step 2, in which D = {0} and P is all but 0, makes x a moon.
//! ```
//!
//! # Departures
//! A moon may become a full moon in a later step, against [ACLNSS, Thm 2.3]. Its round is then that
//! later step, in which it gets the value that it keeps; the nodes before it were assigned from the
//! moon on.
//!
//! # Cost
//! The values being known, each node just counts the facts that it waits for, so the work is
//! proportional to arcs × (largest value + 2), not to the number of rounds; except that a node that
//! is about to become a moon is tested in each step until it does.
//!
//! ## References
//! [ACLNSS, Algorithms 1, 2, 4, 5 and 8]

mod steps;

use crate::graph::digraph::Digraph;
use crate::impartial::labelling::Labelling;
use crate::impartial::theory::Theory;
use crate::limits::{Interrupted, Work};
use steps::Steps;

/// Whose steps the rounds of a theory are; none if it has no rounds.
///
/// ```
/// use nimoon::{Theory, impartial::rounds::algorithm};
/// assert_eq!(algorithm(Theory::Cyclic), Some("Algorithm 2"));
/// assert_eq!(algorithm(Theory::General), None);
/// ```
pub fn algorithm(theory: Theory) -> Option<&'static str> {
    match theory {
        Theory::Short => Some("Algorithm 1"),
        Theory::Cyclic => Some("Algorithm 2"),
        Theory::Entailing => Some("Algorithm 4"),
        Theory::CarryOn => Some("Algorithm 8, with the corrected rule"),
        Theory::General => None,
    }
}

/// The round of each node; none where nothing is ever assigned.
///
/// ```
/// use nimoon::{Digraph, Work, label, impartial::rounds::rounds};
/// // Smith's trap: 0 reverts through 1 to 2, which is terminal.
/// let trap = Digraph::new(3, [], vec![(0, 1), (1, 0), (1, 2)]).unwrap();
/// let labelling = label(&trap, None, &Work::default()).unwrap();
/// assert_eq!(rounds(&trap, &labelling), [Some(1), Some(2), Some(0)]);
/// ```
pub fn rounds(digraph: &Digraph, labelling: &Labelling) -> Vec<Option<u32>> {
    let found = try_rounds(digraph, labelling, &Work::endless());
    found.unwrap_or_else(|_| unreachable!("nothing interrupts it"))
}

/// The same within limits: it takes up to five bits for each node and nimber.
///
/// # Errors
/// When the work is interrupted.
pub fn try_rounds(
    digraph: &Digraph,
    labelling: &Labelling,
    work: &Work,
) -> Result<Vec<Option<u32>>, Interrupted> {
    work.check()?;
    Ok(match labelling.theory() {
        Theory::Short | Theory::Entailing => heights(digraph, labelling, work)?,
        Theory::Cyclic | Theory::CarryOn => {
            let mut steps = Steps::new(digraph, labelling, work)?;
            steps.run(work)?;
            steps.rounds
        }
        Theory::General => vec![None; digraph.len()],
    })
}

fn heights(
    digraph: &Digraph,
    labelling: &Labelling,
    work: &Work,
) -> Result<Vec<Option<u32>>, Interrupted> {
    let mut pace = work.pace();
    let mut rounds = vec![None; digraph.len()];
    for &node in labelling.order() {
        pace.step()?;
        let last = digraph.options(node).iter().filter_map(|&option| rounds[option as usize]).max();
        rounds[node as usize] = Some(last.map_or(0, |last: u32| last + 1));
    }
    Ok(rounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label;

    #[test]
    fn gray_nodes_come_one_round_after_their_option() {
        // 0; gray 1 → 0; 2 → 0, 1; gray 3, terminal; 4 → 3; 5 → 5.
        let arcs = vec![(1, 0), (2, 0), (2, 1), (4, 3), (5, 5)];
        let digraph = Digraph::new(6, [1, 3], arcs).unwrap();
        let labelling = label(&digraph, None, &Work::default()).unwrap();
        let expected = [Some(0), Some(1), Some(2), Some(0), Some(1), None];
        assert_eq!(rounds(&digraph, &labelling), expected);
    }
}
