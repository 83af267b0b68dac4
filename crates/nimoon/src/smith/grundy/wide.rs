//! Sprague–Grundy functions in the wide sense: everywhere the mex of the followers (16a).
//!
//! Nodes are given values one after the other, followers first as far as cycles allow. A node with
//! all followers known has one value to try; another one tries those that its followers may still
//! justify. What does not fit is taken back at once. Telling whether there is such a function at
//! all is hard in general, so the search has a budget.
//!
//! ## References
//! [Smith1966, §9]

use crate::graph::components::strongly_connected;
use crate::graph::digraph::{Digraph, Node};
use crate::limits::{Interrupted, Work};

/// Sprague–Grundy functions in the wide sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WideSense {
    /// The functions, each with the value of every node.
    pub functions: Vec<Vec<u32>>,
    /// Whether these are all.
    pub complete: bool,
    /// Why they are not all, unless the search stopped at the requested number.
    pub interrupted: Option<Interrupted>,
}

const NONE: u32 = u32::MAX;

/// What a function takes beside its values: the list of them, and where that is kept.
const FUNCTION_BYTES: u64 = 48;

/// Lists Sprague–Grundy functions in the wide sense, at most `limit` of them.
///
/// ```
/// use nimoon::{Work, Digraph, smith::grundy::wide::functions};
/// let all = |len, arcs| {
///     let digraph = Digraph::new(len, [], arcs).unwrap();
///     functions(&digraph, 10, &Work::default()).functions
/// };
/// assert!(all(1, vec![(0, 0)]).is_empty());
/// assert_eq!(all(2, vec![(0, 1), (1, 0)]), [[0, 1], [1, 0]]);
/// assert_eq!(all(3, vec![(0, 1), (0, 2), (1, 2)]), [[2, 1, 0]]);
/// ```
pub fn functions(digraph: &Digraph, limit: usize, work: &Work) -> WideSense {
    let mut pace = work.pace();
    let components = strongly_connected(digraph.len(), |node, list| {
        list.extend_from_slice(digraph.options(node));
    });
    let order: Vec<Node> = components.into_iter().flatten().collect();
    let mut values = vec![NONE; digraph.len()];
    let mut functions = Vec::new();
    let mut steps = 0_u64;
    let mut depth = 0;
    // The value to try next at each depth.
    let mut candidates = vec![0_u32; digraph.len() + 1];
    loop {
        if depth == order.len() {
            if functions.len() == limit {
                return WideSense { functions, complete: false, interrupted: None };
            }
            functions.push(values.clone());
            match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return finished(functions),
            }
            continue;
        }
        let node = order[depth];
        values[node as usize] = NONE;
        let found = candidate(digraph, &mut values, node, candidates[depth], &mut steps);
        let listed =
            (functions.len() as u64).saturating_mul(FUNCTION_BYTES + 4 * digraph.len() as u64);
        let admitted = work.admit(steps).map_err(|_| work.over(None));
        if let Err(interrupted) =
            admitted.and_then(|()| work.hold(listed)).and_then(|()| pace.step())
        {
            return WideSense { functions, complete: false, interrupted: Some(interrupted) };
        }
        if let Some(value) = found {
            values[node as usize] = value;
            candidates[depth] = value + 1;
            depth += 1;
            candidates[depth] = 0;
        } else {
            match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return finished(functions),
            }
        }
    }
}

fn finished(mut functions: Vec<Vec<u32>>) -> WideSense {
    functions.sort_unstable();
    WideSense { functions, complete: true, interrupted: None }
}

/// The least value from `least` on that a node may have beside those known.
fn candidate(
    digraph: &Digraph,
    values: &mut [u32],
    node: Node,
    least: u32,
    steps: &mut u64,
) -> Option<u32> {
    let most = digraph.options(node).len() as u32;
    (least..=most).find(|&value| {
        values[node as usize] = value;
        let mut rows = std::iter::once(&node).chain(digraph.predecessors(node));
        let fits = rows.all(|&row| {
            *steps += 1 + digraph.options(row).len() as u64;
            may_be(digraph, values, row)
        });
        values[node as usize] = NONE;
        fits
    })
}

/// Whether the value of a node, if it has one, may still become the mex of its followers.
fn may_be(digraph: &Digraph, values: &[u32], node: Node) -> bool {
    let value = values[node as usize];
    if value == NONE {
        return true;
    }
    let options = digraph.options(node);
    let mut found = vec![false; value as usize];
    let mut open = 0;
    for &to in options {
        match values[to as usize] {
            NONE => open += 1,
            same if same == value => return false,
            other if other < value => found[other as usize] = true,
            _ => {}
        }
    }
    found.iter().filter(|&&found| !found).count() <= open
}
