//! The simplest digraph of each value: nim-heaps with a pass, carry-on moves, or both.
//!
//! | value | form |
//! |---|---|
//! | `n` | `*n = {0, *, …, *(n−1)}` |
//! | ○, and ☾ of the entailing theory | `{●}`, a move to a terminal gray node |
//! | `☾_f` | `{*f, ↻*f}` |
//! | `☾_F`, two values or more | `{↻*f : f ∈ F}` |
//! | ninny f | `J = {J, ↻*f}` |
//! | `∞_D` | `J = {J, *d : d ∈ D}` |
//!
//! For values of the general theory see [`Control::representative`](crate::impartial::control::Control::representative).
//!
//! ## References
//! [ACLNSS, §4, Figure 16]

use thiserror::Error;

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::value::{AnyValue, EntailingValue, Value};
use crate::limits::{Interrupted, Work};

/// A digraph with names, and a node of it that has the requested value.
#[derive(Clone, Debug)]
pub struct Representative {
    /// The digraph.
    pub digraph: Digraph,
    /// The names of its nodes: `*0`, `*1`, … for nim-heaps, `G` or `J` for the start, `c0`, … for
    /// gray nodes that carry on.
    pub names: Vec<String>,
    /// The node with the value.
    pub start: Node,
}

/// Why no digraph is given.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepresentativeError {
    /// A nim-heap of this size has more arcs than the budget allows, each of which counts as a
    /// position.
    #[error("{interrupted} for a nim-heap of {n}, whose arcs count as positions")]
    Interrupted {
        /// The size of the heap.
        n: u64,
        /// Which limit was hit.
        interrupted: Interrupted,
    },
    /// No budget helps.
    #[error("a nim-heap of {n} is too large: its arcs would fill the memory")]
    TooLarge {
        /// The size of the heap.
        n: u64,
    },
    /// A limit was hit while a digraph of a value of the general theory was made.
    #[error("{interrupted} while a digraph of this value was made")]
    Control {
        /// Which limit was hit.
        interrupted: Interrupted,
    },
    /// Outcomes beside nim-heaps are not a value: many different games have them.
    #[error("outcomes beside nim-heaps do not make a value")]
    NoAlgebra,
    /// There is no such moon.
    #[error("a moon needs at least one forced value")]
    EmptyMoon,
}

/// What an arc takes in memory while the digraph is made.
const BYTES: u64 = 24;

/// The simplest digraph with a node of this value.
///
/// ```
/// use nimoon::{Work, AnyValue, label, impartial::representative::representative};
/// let value: AnyValue = "ninny{1}".parse().unwrap();
/// let found = representative(&value, &Work::default()).unwrap();
/// assert_eq!(found.names, ["*0", "*1", "J", "c1"]);
/// let labelling = label(&found.digraph, None, &Work::default()).unwrap();
/// assert_eq!(labelling.value(found.start), Some(value));
/// ```
///
/// # Errors
/// When the value is too large for the budget, or is not a value of an algebra.
pub fn representative(
    value: &AnyValue,
    work: &Work,
) -> Result<Representative, RepresentativeError> {
    let value = match value {
        AnyValue::CarryOn(value) => value.clone(),
        AnyValue::Entailing(EntailingValue::Nimber(n)) => Value::Nimber(*n),
        AnyValue::Entailing(EntailingValue::Moon) => Value::FullMoon,
        AnyValue::Control(value) => {
            let limits = work.limits();
            let found = value.representative(&mut work.child(limits));
            return found.map_err(|interrupted| RepresentativeError::Control { interrupted });
        }
        AnyValue::General(_) => return Err(RepresentativeError::NoAlgebra),
    };
    let (ordinary, again, pass): (Vec<u64>, Vec<u64>, bool) = match &value {
        Value::Nimber(n) => (vec![*n], vec![], false),
        Value::FullMoon => (vec![], vec![], false),
        Value::Moon(forced) => match forced.as_slice() {
            [] => return Err(RepresentativeError::EmptyMoon),
            [f] => (vec![*f], vec![*f], false),
            several => (vec![], several.to_vec(), false),
        },
        Value::Ninny(f) => (vec![], vec![*f], true),
        Value::Cyclic(exits) => (exits.as_slice().to_vec(), vec![], true),
    };
    let largest = ordinary.iter().chain(&again).copied().max();
    let heaps = largest.map_or(0, |n| n.saturating_add(1));
    let n = largest.unwrap_or_default();
    if heaps > 1 << 20 {
        return Err(RepresentativeError::TooLarge { n });
    }
    let size = heaps.saturating_mul(heaps) / 2;
    work.check()
        .and_then(|()| work.admit(size))
        .and_then(|()| work.hold(size.saturating_mul(BYTES)))
        .map_err(|interrupted| RepresentativeError::Interrupted { n, interrupted })?;
    let mut names: Vec<String> = (0..heaps).map(|n| format!("*{n}")).collect();
    let heaps = heaps as Node;
    let mut arcs: Vec<(Node, Node)> = Vec::new();
    for a in 0..heaps {
        // A large heap has as many arcs as are written between two looks elsewhere.
        if a.is_multiple_of(64) {
            let ended = |interrupted| RepresentativeError::Interrupted { n, interrupted };
            work.check().map_err(ended)?;
        }
        arcs.extend((0..a).map(|b| (a, b)));
    }
    if let Value::Nimber(_) = value {
        let digraph = build(names.len(), [], arcs);
        return Ok(Representative { digraph, names, start: heaps - 1 });
    }
    let start = heaps;
    names.push(if pass { "J" } else { "G" }.to_owned());
    if pass {
        arcs.push((start, start));
    }
    arcs.extend(ordinary.iter().map(|&n| (start, n as Node)));
    let mut gray = Vec::new();
    if value == Value::FullMoon {
        gray.push(names.len() as Node);
        arcs.push((start, names.len() as Node));
        names.push("mate".to_owned());
    }
    for n in again {
        let node = names.len() as Node;
        gray.push(node);
        arcs.extend([(start, node), (node, n as Node)]);
        names.push(format!("c{n}"));
    }
    Ok(Representative { digraph: build(names.len(), gray, arcs), names, start })
}

fn build(len: usize, gray: impl IntoIterator<Item = Node>, arcs: Vec<(Node, Node)>) -> Digraph {
    Digraph::new(len, gray, arcs).unwrap_or_else(|error| unreachable!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Theory, label};

    #[test]
    fn every_kind_of_value_has_its_representative() {
        let texts = [
            "0",
            "1",
            "5",
            "full-moon",
            "moon{0}",
            "moon{3}",
            "moon{0,1}",
            "moon{1,2,4}",
            "ninny{0}",
            "ninny{3}",
            "oo{}",
            "oo{0}",
            "oo{1,3}",
            "[0/1, >0]",
            "[0/[1, 2]]",
            "X = [>0, 1/Y], Y = [>1, 0/X]",
        ];
        for text in texts {
            let value: AnyValue = text.parse().unwrap();
            let found = representative(&value, &Work::default()).unwrap();
            let theory = match value {
                AnyValue::Control(_) => Theory::General,
                _ => Theory::CarryOn,
            };
            let labelling = label(&found.digraph, Some(theory), &Work::default()).unwrap();
            assert_eq!(labelling.value(found.start), Some(value), "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let huge = AnyValue::CarryOn(Value::Nimber(u64::MAX));
        assert!(matches!(
            representative(&huge, &Work::default()),
            Err(RepresentativeError::TooLarge { .. })
        ));
        let empty = AnyValue::CarryOn(Value::Moon(crate::Nimbers::EMPTY));
        assert_eq!(
            representative(&empty, &Work::default()).unwrap_err(),
            RepresentativeError::EmptyMoon
        );
    }
}
