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
//! ## References
//! [ACLNSS, Algorithms 5 to 8, Thm 2.3]. The corrected rule is in `nimoon::impartial::theory::carry_on`.

use std::collections::BTreeSet;

use nimoon::{AnyValue, Cover, Digraph, Label, NimberSet, Nimbers, Node, Theory, Value};

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
    let fits = digraph.gray_nodes().all(|g| digraph.options(g).len() <= 1);
    if !fits {
        return None;
    }
    let labels = match final_state(digraph, frozen) {
        Some(state) => final_labels(digraph, &state),
        None => vec![None; digraph.len()],
    };
    Some(Claims { theory: Theory::CarryOn, labels })
}

/// Step 0, and then step n + 1 from step n until nothing changes.
fn final_state(digraph: &Digraph, frozen: bool) -> Option<State> {
    let initial = digraph.nodes().map(|node| {
        digraph.options(node).is_empty().then(|| {
            if digraph.is_gray(node) { Assigned::Gray(Cover::NewMoon) } else { Assigned::Number(0) }
        })
    });
    let mut state: State = initial.collect();
    // Theorem 2.3 promises as many steps as there are nodes; assignments do change, so allow more.
    for _ in 0..8 * digraph.len() + 64 {
        let next: State = digraph
            .nodes()
            .map(|node| {
                let old = &state[node as usize];
                if frozen && old.is_some() {
                    return old.clone();
                }
                let new = if digraph.is_gray(node) {
                    gray_case(digraph, &state, node)
                } else {
                    white_case(digraph, &state, node)
                };
                new.or_else(|| old.clone())
            })
            .collect();
        if next == state {
            return Some(state);
        }
        state = next;
    }
    None
}

/// "Assignment of white nodes".
fn white_case(digraph: &Digraph, state: &State, node: Node) -> Option<Assigned> {
    let of = |option: &Node| state[*option as usize].as_ref();
    let options = digraph.options(node);
    if options.iter().any(|y| of(y) == Some(&Assigned::Gray(Cover::NewMoon))) {
        return Some(Assigned::FullMoon);
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
    let Some(m) = direct_or_protected.mex() else { return Some(Assigned::Moon) };
    let reverts = |y: &Node| {
        digraph.options(*y).iter().any(|z| {
            if digraph.is_gray(*z) {
                covers(digraph, state, *z, m, &mut BTreeSet::new())
            } else {
                of(z) == Some(&Assigned::Number(m))
            }
        })
    };
    options.iter().filter(|y| of(y).is_none()).all(reverts).then_some(Assigned::Number(m))
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

/// Algorithm 5: whether moving to the gray node `g` protects `k`. A node that is visited twice on
/// the way is an infinite run. Gray nodes have one option, so a node that failed before fails again.
fn covers(digraph: &Digraph, state: &State, g: Node, k: u64, met: &mut BTreeSet<Node>) -> bool {
    let Some(&reply) = digraph.options(g).first() else { return true };
    if !met.insert(g) {
        return false;
    }
    let at_reply = match &state[reply as usize] {
        Some(Assigned::Number(n)) => *n != k,
        Some(Assigned::Moon | Assigned::FullMoon) => true,
        Some(Assigned::Gray(_)) | None => false,
    };
    at_reply
        || digraph.options(reply).iter().any(|&next| {
            if digraph.is_gray(next) {
                covers(digraph, state, next, k, met)
            } else {
                state[next as usize] == Some(Assigned::Number(k))
            }
        })
}

/// The values that the algorithm returns.
fn final_labels(digraph: &Digraph, state: &State) -> Vec<Option<Label>> {
    let direct = direct_values(digraph, state);
    let forcing = forcing_values(digraph, state);
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
    digraph
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
        .collect()
}

fn number(state: &State, node: Node) -> Option<u64> {
    match state[node as usize] {
        Some(Assigned::Number(n)) => Some(n),
        _ => None,
    }
}

/// `D(G)` of every node [ACLNSS, Def. 2.1], as a least fixpoint.
fn direct_values(digraph: &Digraph, state: &State) -> Vec<BTreeSet<u64>> {
    least_fixpoint(digraph, |node, sets| {
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
fn forcing_values(digraph: &Digraph, state: &State) -> Vec<BTreeSet<u64>> {
    least_fixpoint(digraph, |node, sets| {
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
    rule: impl Fn(Node, &[BTreeSet<u64>]) -> BTreeSet<u64>,
) -> Vec<BTreeSet<u64>> {
    let mut sets = vec![BTreeSet::new(); digraph.len()];
    loop {
        let next: Vec<_> = digraph.nodes().map(|node| rule(node, &sets)).collect();
        if next == sets {
            return sets;
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

    #[test]
    fn gray_nodes_with_a_choice_get_no_labels() {
        let digraph = Digraph::new(3, [0], vec![(0, 1), (0, 2)]).unwrap();
        assert!(label(&digraph, false).is_none());
    }
}
