//! [ACLNSS, Algorithm 8] exactly as it is printed, to show where it goes wrong.
//!
//! Each step evaluates every node again from the state of the step before; a node for which no
//! case applies keeps what it has. Algorithm 5 (`Cr`) is read as its comment says: an infinite
//! run gives FALSE. At the end `D` and `F` are those of Definitions 2.1 and 2.2.
//!
//! ## Where it fails
//! - The set `P` includes gray options only once they are *assigned*. A gray node before a cyclic
//!   zone never is, although carrying on through it may protect values. So moons are missed:
//!
//!   ```text
//!   gray g h        z ──◄── g ──◄── c ──◄── h
//!   g: z            ▲               ⟲       ▲
//!   c: c g          └────────── x ──────────┘
//!   h: c
//!   x: z h          printed: x = ninny 0;  by play: x = ☾₀
//!   ```
//! - An unassigned node with two forced values has no case.
//! - The proof of Theorem 2.3 says that an assignment never changes. In this reading (`frozen`), a
//!   node that is first a moon by the values it protects stays one. But it may carry on to a
//!   checkmate, and is then a full moon: the label is wrong beside ∞_∅.
//!
//! ## Steps
//! Theorem 2.3 itself, that there are at most as many steps as nodes, survives. *Proof.* Only moons,
//! and gray nodes behind them, change after they are assigned, and they become full or new moons. A
//! node becomes one in step n because an option became one in step n − 1; so behind it there is a
//! chain of n + 1 different nodes that became one in the steps 0 to n. Let b be the last step up to
//! the last assignment, t, in which no node is assigned for the first time. Each of the steps b + 1
//! to t assigns a node that is not in the chain of step b, whose b + 1 nodes were all assigned by
//! then. If a change comes after the last first assignment, its own chain is long enough. So there
//! are more than t nodes. ∎
//!
//! ## References
//! [ACLNSS, Algorithms 5 to 8, Thm 2.3]. The corrected rule is in `nimoon::impartial::theory::carry_on`.

use std::collections::BTreeSet;

use nimoon::{
    AnyValue, Cover, Digraph, Interrupted, Label, NimberSet, Nimbers, Node, Theory, Value, Work,
};

use nimoon_formats::write::PrintedLabels;

use crate::check::Claims;

/// What a step knows of a node; nothing is the paper's initial ∞.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Assigned {
    Number(u64),
    Moon,
    FullMoon,
    Gray(Cover),
}

type State = Vec<Option<Assigned>>;

/// The labels of the printed algorithm, and its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The labels. A node has none if no printed case applies; no node has one if the steps do not
    /// end.
    pub claims: Claims,
    /// The step in which each node was assigned what it keeps; none if it is never assigned.
    pub steps: Vec<Option<u32>>,
}

impl From<Printed> for PrintedLabels {
    fn from(Printed { claims, steps }: Printed) -> Self {
        Self { labels: claims.labels, steps }
    }
}

/// Labels a digraph by the printed algorithm, or, if `frozen`, by its reading in the proof of
/// Theorem 2.3.
///
/// None if the digraph does not fit the carry-on theory. A node has no label if no printed case
/// applies; no node has one if the steps do not end.
///
/// ```
/// use nimoon::Digraph;
/// use nimoon_audit::as_printed;
/// // z terminal; g gray → z; c → c, g; h gray → c; x → z, h.
/// let arcs = vec![(1, 0), (2, 2), (2, 1), (3, 2), (4, 0), (4, 3)];
/// let digraph = Digraph::new(5, [1, 3], arcs).unwrap();
/// let printed = as_printed::label(&digraph, false).unwrap();
/// let x = printed.labels[4].as_ref().and_then(|label| label.value()).unwrap();
/// assert_eq!(format!("{x:#}"), "ninny{0}"); // it is moon{0}
/// ```
pub fn label(digraph: &Digraph, frozen: bool) -> Option<Claims> {
    let printed = steps(digraph, frozen, &mut Work::endless());
    let printed = printed.unwrap_or_else(|_| unreachable!("nothing interrupts it"));
    printed.map(|printed| printed.claims)
}

/// The same with the steps. Each step visits all nodes, which count as positions.
///
/// ```
/// use nimoon::{Digraph, Work};
/// use nimoon_audit::as_printed;
/// // z; g gray → z; x → z, g.
/// let digraph = Digraph::new(3, [1], vec![(1, 0), (2, 0), (2, 1)]).unwrap();
/// let printed = as_printed::steps(&digraph, false, &mut Work::default()).unwrap().unwrap();
/// assert_eq!(printed.steps, [Some(0), Some(1), Some(2)]);
/// ```
///
/// # Errors
/// When a limit is hit.
pub fn steps(
    digraph: &Digraph,
    frozen: bool,
    work: &mut Work,
) -> Result<Option<Printed>, Interrupted> {
    let fits = digraph.gray_nodes().all(|g| digraph.options(g).len() <= 1);
    if !fits {
        return Ok(None);
    }
    let (theory, len) = (Theory::CarryOn, digraph.len());
    Ok(Some(match final_state(digraph, frozen, work)? {
        Some((state, steps)) => {
            let labels = final_labels(digraph, &state, work)?;
            Printed { claims: Claims { theory, labels }, steps }
        }
        None => {
            Printed { claims: Claims { theory, labels: vec![None; len] }, steps: vec![None; len] }
        }
    }))
}

/// The step in which each node was assigned.
type Rounds = Vec<Option<u32>>;

/// Step 0, and then step n + 1 from step n until nothing changes; with the last step in which each
/// node was assigned something new.
fn final_state(
    digraph: &Digraph,
    frozen: bool,
    work: &mut Work,
) -> Result<Option<(State, Rounds)>, Interrupted> {
    let initial = digraph.nodes().map(|node| {
        digraph.options(node).is_empty().then(|| {
            if digraph.is_gray(node) { Assigned::Gray(Cover::NewMoon) } else { Assigned::Number(0) }
        })
    });
    let mut state: State = initial.collect();
    let mut steps: Vec<Option<u32>> =
        state.iter().map(|assigned| assigned.as_ref().map(|_| 0)).collect();
    // Theorem 2.3 promises as many steps as there are nodes; assignments do change, so allow more.
    for step in 1..=8 * digraph.len() as u32 + 64 {
        let mut next = state.clone();
        for node in digraph.nodes() {
            work.count_all(digraph.options(node).len() as u64 + 1)?;
            let old = &state[node as usize];
            if frozen && old.is_some() {
                continue;
            }
            let new = if digraph.is_gray(node) {
                gray_case(digraph, &state, node)
            } else {
                white_case(digraph, &state, node, work)?
            };
            if new.is_some() && new != *old {
                next[node as usize] = new;
                steps[node as usize] = Some(step);
            }
        }
        if next == state {
            return Ok(Some((state, steps)));
        }
        state = next;
    }
    Ok(None)
}

/// "Assignment of white nodes".
fn white_case(
    digraph: &Digraph,
    state: &State,
    node: Node,
    work: &mut Work,
) -> Result<Option<Assigned>, Interrupted> {
    let of = |option: &Node| state[*option as usize].as_ref();
    let options = digraph.options(node);
    if options.iter().any(|y| of(y) == Some(&Assigned::Gray(Cover::NewMoon))) {
        return Ok(Some(Assigned::FullMoon));
    }
    let mut direct_or_protected = NimberSet::nothing();
    for option in options {
        match of(option) {
            Some(Assigned::Number(n)) => {
                direct_or_protected = direct_or_protected.union(&NimberSet::only([*n]));
            }
            Some(Assigned::Gray(Cover::Heaps(covered))) => {
                direct_or_protected = direct_or_protected.union(covered);
            }
            _ => {}
        }
    }
    let Some(m) = direct_or_protected.mex() else { return Ok(Some(Assigned::Moon)) };
    for option in options.iter().filter(|option| of(option).is_none()) {
        if !reverts(digraph, state, *option, m, work)? {
            return Ok(None);
        }
    }
    Ok(Some(Assigned::Number(m)))
}

/// Whether a reply from this node leads to m, or onto a gray node that protects it.
fn reverts(
    digraph: &Digraph,
    state: &State,
    node: Node,
    m: u64,
    work: &mut Work,
) -> Result<bool, Interrupted> {
    let mut gray = Vec::new();
    for &reply in digraph.options(node) {
        if digraph.is_gray(reply) {
            gray.push(reply);
        } else if state[reply as usize] == Some(Assigned::Number(m)) {
            return Ok(true);
        }
    }
    covers(digraph, state, gray, m, work)
}

/// "Assignment of gray nodes".
fn gray_case(digraph: &Digraph, state: &State, node: Node) -> Option<Assigned> {
    let option = digraph.options(node).first()?;
    let cover = match state[*option as usize].as_ref()? {
        Assigned::FullMoon => Cover::NewMoon,
        Assigned::Number(k) => Cover::Heaps(NimberSet::all_except([*k])),
        Assigned::Moon => Cover::Heaps(NimberSet::everything()),
        Assigned::Gray(cover) => cover.clone().complement(),
    };
    Some(Assigned::Gray(cover))
}

/// Algorithm 5: whether moving to one of these gray nodes protects `k`. Gray nodes have one option,
/// so each is visited once; one that is met again on the way is an infinite run.
fn covers(
    digraph: &Digraph,
    state: &State,
    mut open: Vec<Node>,
    k: u64,
    work: &mut Work,
) -> Result<bool, Interrupted> {
    let mut met: BTreeSet<Node> = open.iter().copied().collect();
    while let Some(gray) = open.pop() {
        work.count()?;
        let Some(&reply) = digraph.options(gray).first() else { return Ok(true) };
        let at_reply = match &state[reply as usize] {
            Some(Assigned::Number(n)) => *n != k,
            Some(Assigned::Moon | Assigned::FullMoon) => true,
            Some(Assigned::Gray(_)) | None => false,
        };
        if at_reply {
            return Ok(true);
        }
        for &next in digraph.options(reply) {
            if !digraph.is_gray(next) {
                if state[next as usize] == Some(Assigned::Number(k)) {
                    return Ok(true);
                }
            } else if met.insert(next) {
                open.push(next);
            }
        }
    }
    Ok(false)
}

/// The values that the algorithm returns.
fn final_labels(
    digraph: &Digraph,
    state: &State,
    work: &mut Work,
) -> Result<Vec<Option<Label>>, Interrupted> {
    let direct = direct_values(digraph, state, work)?;
    let forcing = forcing_values(digraph, state, work)?;
    let value = |node: usize| match &state[node] {
        Some(Assigned::Number(n)) => Some(Value::Nimber(*n)),
        Some(Assigned::FullMoon) => Some(Value::FullMoon),
        Some(Assigned::Moon) => Some(Value::Moon(Nimbers::from(forcing[node].clone()))),
        Some(Assigned::Gray(_)) => None,
        None => match forcing[node].iter().copied().collect::<Vec<_>>()[..] {
            [] => Some(Value::Cyclic(Nimbers::from(direct[node].clone()))),
            [f] => Some(Value::Ninny(f)),
            _ => None,
        },
    };
    let labels = digraph
        .nodes()
        .map(|node| {
            if digraph.is_gray(node) {
                Some(Label::Gray(match &state[node as usize] {
                    Some(Assigned::Gray(cover)) => Some(cover.clone()),
                    _ => None,
                }))
            } else {
                value(node as usize).map(|value| Label::White(AnyValue::CarryOn(value)))
            }
        })
        .collect();
    Ok(labels)
}

fn number(state: &State, node: Node) -> Option<u64> {
    match state[node as usize] {
        Some(Assigned::Number(n)) => Some(n),
        _ => None,
    }
}

/// `D(G)` of every node [ACLNSS, Def. 2.1], as a least fixpoint.
fn direct_values(
    digraph: &Digraph,
    state: &State,
    work: &mut Work,
) -> Result<Vec<BTreeSet<u64>>, Interrupted> {
    least_fixpoint(digraph, work, |node, sets| {
        let mut found = BTreeSet::new();
        for &option in digraph.options(node) {
            if !digraph.is_gray(option) {
                found.extend(number(state, option));
            } else if let Some(&after) = digraph.options(option).first() {
                found.extend(&sets[after as usize]);
            }
        }
        found
    })
}

/// `F(G)` of every node [ACLNSS, Def. 2.2], as a least fixpoint.
fn forcing_values(
    digraph: &Digraph,
    state: &State,
    work: &mut Work,
) -> Result<Vec<BTreeSet<u64>>, Interrupted> {
    least_fixpoint(digraph, work, |node, sets| {
        let mut found = BTreeSet::new();
        for &option in digraph.options(node).iter().filter(|&&option| digraph.is_gray(option)) {
            if let Some(&after) = digraph.options(option).first() {
                found.extend(number(state, after));
                found.extend(&sets[after as usize]);
            }
        }
        found
    })
}

fn least_fixpoint(
    digraph: &Digraph,
    work: &mut Work,
    rule: impl Fn(Node, &[BTreeSet<u64>]) -> BTreeSet<u64>,
) -> Result<Vec<BTreeSet<u64>>, Interrupted> {
    let mut sets = vec![BTreeSet::new(); digraph.len()];
    loop {
        work.count_all(digraph.arc_count() as u64 + 1)?;
        let next: Vec<_> = digraph.nodes().map(|node| rule(node, &sets)).collect();
        if next == sets {
            return Ok(sets);
        }
        sets = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(digraph: &Digraph, frozen: bool) -> Vec<String> {
        let labels = label(digraph, frozen).unwrap().labels;
        let text = |label: Option<Label>| match label {
            Some(Label::White(value)) => format!("{value:#}"),
            Some(Label::Gray(Some(cover))) => format!("{cover:#}"),
            Some(Label::Gray(None)) => "null".to_owned(),
            None => "none".to_owned(),
        };
        labels.into_iter().map(text).collect()
    }

    #[test]
    fn the_printed_algorithm_takes_a_moon_for_a_ninny() {
        // z; g → z; c → c, g; h → c; x → z, h; y → x.
        let arcs = vec![(1, 0), (2, 2), (2, 1), (3, 2), (4, 0), (4, 3), (5, 4)];
        let digraph = Digraph::new(6, [1, 3], arcs).unwrap();
        for frozen in [false, true] {
            let expected = ["0", "all but {0}", "ninny{0}", "null", "ninny{0}", "0"];
            assert_eq!(values(&digraph, frozen), expected);
        }
    }

    #[test]
    fn the_printed_step_corrects_a_moon_that_a_frozen_one_keeps() {
        // z; h → z; t; y → t; g → y; x → z, h, g.
        let arcs = vec![(1, 0), (3, 2), (4, 3), (5, 0), (5, 1), (5, 4)];
        let digraph = Digraph::new(6, [1, 2, 4], arcs).unwrap();
        assert_eq!(values(&digraph, false)[5], "full-moon");
        assert_eq!(values(&digraph, true)[5], "moon{0}");
    }

    #[test]
    fn it_is_right_about_smiths_trap_and_chains() {
        let trap = Digraph::new(3, [], vec![(0, 1), (1, 0), (1, 2)]).unwrap();
        assert_eq!(values(&trap, false), ["0", "1", "0"]);
        // z; g → z; h → g; k → h; x → h: an ordinary move to 0 in two plies more.
        let chain = Digraph::new(5, [1, 2, 3], vec![(1, 0), (2, 1), (3, 2), (4, 2)]).unwrap();
        assert_eq!(values(&chain, false), ["0", "all but {0}", "{0}", "all but {0}", "1"]);
    }

    /// The proof of Theorem 2.3 counts nodes that are assigned one after the other, and assignments
    /// change; but a moon becomes a full moon only by a chain of nodes that did so step by step.
    /// With the nodes that are assigned later there are more nodes in the digraph than steps.
    #[test]
    fn there_are_fewer_steps_than_nodes() {
        let drawn =
            (0..3000).map(|number| crate::random::digraph(1, number, 9, Some(Theory::CarryOn)));
        let changing =
            Digraph::new(6, [1, 2, 4], vec![(1, 0), (3, 2), (4, 3), (5, 0), (5, 1), (5, 4)]);
        for digraph in drawn.chain([changing.unwrap()]) {
            let printed = steps(&digraph, false, &mut Work::endless()).unwrap().unwrap();
            let last = printed.steps.iter().flatten().max();
            assert!(last.is_none_or(|&last| (last as usize) < digraph.len()), "{digraph:?}");
        }
    }

    #[test]
    fn a_moon_that_becomes_a_full_moon_has_the_later_step() {
        let arcs = vec![(1, 0), (3, 2), (4, 3), (5, 0), (5, 1), (5, 4)];
        let digraph = Digraph::new(6, [1, 2, 4], arcs).unwrap();
        let step =
            |frozen| steps(&digraph, frozen, &mut Work::endless()).unwrap().unwrap().steps[5];
        assert_eq!([step(false), step(true)], [Some(3), Some(2)]);
    }

    #[test]
    fn gray_nodes_with_a_choice_get_no_labels() {
        let digraph = Digraph::new(3, [0], vec![(0, 1), (0, 2)]).unwrap();
        assert!(label(&digraph, false).is_none());
    }
}
