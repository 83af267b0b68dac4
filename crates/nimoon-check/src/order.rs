//! How two white nodes x and y of a digraph compare: x is at most y if the player to move fares in
//! x + S never better than in y + S, for every white S. A loss is worse than a draw, and a draw worse
//! than a win.
//!
//! For each of the two directions the certificate has one of two proofs:
//!
//! - *It holds*: pairs of places, as [`crate::control`] checks them. If neither node is a number, no
//!   sum with one of them is lost, which is a theorem (`docs/findings/general.md`). So it is enough
//!   that wins are kept. A number n is at most y if the mover can force n from y: then y wins beside
//!   all heaps but n, and a sum S without a number does not tell whether n was handed over.
//! - *It fails*: a white node s of the same digraph, and a strategy for each of x + s and y + s, as
//!   [`crate::sum`] checks them, by which the player to move fares better in the first. This uses no
//!   theorem.

use serde::Deserialize;

use crate::Claim;
use crate::algebra::Outcome;
use crate::control::{Checked, Pairs};
use crate::format::{Digraph, Rows};
use crate::heaps::{self, Ranks};
use crate::labels::Theory;
use crate::sum::{self, Entry, Sum};
use crate::watch::{Unproved, Watch};

/// A certificate.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Certificate {
    #[serde(rename = "certificate")]
    _kind: String,
    #[serde(rename = "version")]
    _version: u32,
    nodes: Vec<String>,
    gray: Vec<u32>,
    options: Rows,
    ranks: Ranks,
    /// The nodes that are compared.
    x: u32,
    y: u32,
    /// Whether x is at most y.
    below: Shown,
    /// Whether y is at most x.
    above: Shown,
    relation: Relation,
}

/// How two nodes compare.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
enum Relation {
    #[serde(rename = "=")]
    Equal,
    #[serde(rename = "<")]
    Below,
    #[serde(rename = ">")]
    Above,
    #[serde(rename = "||")]
    Incomparable,
}

/// Why one direction holds or fails.
#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Shown {
    Holds {
        pairs: Pairs,
    },
    Fails {
        /// A node beside which the nodes have other outcomes.
        context: u32,
        /// Of the node that would be below.
        first: Played,
        /// Of the other one.
        second: Played,
    },
}

/// Who wins a sum, with a strategy.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    outcome: Outcome,
    strategy: Vec<Entry>,
}

pub(crate) fn check(certificate: Certificate, watch: &Watch) -> Result<Claim, Unproved> {
    let Certificate { nodes, gray, options, ranks, x, y, below, above, relation, .. } = certificate;
    let digraph = Digraph::watched(nodes, &gray, options, watch)?;
    let outcomes = heaps::outcomes(&digraph, &ranks, watch)?;
    let checked = Checked::new(&digraph, outcomes.iter().collect(), watch)?;
    for (node, at) in [(x, "x"), (y, "y")] {
        checked.white(node, at)?;
    }
    let holds = [
        shown(&digraph, &checked, (x, y), &below, "below", watch)?,
        shown(&digraph, &checked, (y, x), &above, "above", watch)?,
    ];
    let found = match holds {
        [true, true] => Relation::Equal,
        [true, false] => Relation::Below,
        [false, true] => Relation::Above,
        [false, false] => Relation::Incomparable,
    };
    if found != relation {
        return Err(Unproved::wrong("relation", "it does not follow from the two directions"));
    }
    let words = match relation {
        Relation::Equal => "is equal to",
        Relation::Below => "is below",
        Relation::Above => "is above",
        Relation::Incomparable => "is neither below nor above",
    };
    let [x, y] = [x, y].map(|node| digraph.quoted(node));
    let sentence = format!("in the digraph of {}, {x} {words} {y}", digraph.size());
    Ok(Claim { sentence, given: vec!["the digraph as it is listed".to_owned()] })
}

/// Whether one direction holds.
fn shown(
    digraph: &Digraph,
    checked: &Checked<'_>,
    (low, high): (u32, u32),
    shown: &Shown,
    at: &str,
    watch: &Watch,
) -> Result<bool, Unproved> {
    let (context, first, second) = match shown {
        Shown::Holds { pairs } => {
            checked.check_order((low, high), pairs, &format!("{at}.pairs"), watch)?;
            return Ok(true);
        }
        Shown::Fails { context, first, second } => (*context, first, second),
    };
    checked.white(context, &format!("{at}.context"))?;
    for (node, Played { outcome, strategy }, of) in
        [(low, first, "first"), (high, second, "second")]
    {
        let claimed = Sum::by_strategy(vec![node, context], *outcome, strategy.clone());
        sum::check(digraph, Theory::General, &[], None, &claimed, watch).map_err(|wrong| {
            match wrong {
                Unproved::Wrong(wrong) => {
                    Unproved::wrong(format!("{at}.{of}"), format!("{}: {}", wrong.at, wrong.reason))
                }
                ended @ Unproved::Ended => ended,
            }
        })?;
    }
    if rank(first.outcome) <= rank(second.outcome) {
        return Err(Unproved::wrong(at, "the first does not fare better"));
    }
    Ok(false)
}

/// How good an outcome is for the player to move.
fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::P => 0,
        Outcome::D => 1,
        Outcome::N => 2,
    }
}
