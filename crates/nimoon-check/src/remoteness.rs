//! Remoteness and terminal distance.
//!
//! A *position* is a node, or a vertex with the player to move if Left and Right have edges of
//! their own. The checks of the remoteness R of every position are:
//!
//! - without options: 0, or 1 in misère play;
//! - odd: some option has R − 1, and no option has a smaller even remoteness;
//! - even: all options are odd, and the largest of them is R − 1;
//! - no remoteness: no option is even, and some option has no remoteness.
//!
//! By induction over n, the positions listed with remoteness n are those that have it [Smith1966,
//! (4)]: options with a smaller remoteness are listed correctly, and the conditions are the
//! definition. Suppose that a position is listed without remoteness, but has n, and take the least
//! such n. Then n > 1 or the position has options. If n is odd, an option has the even n − 1 and is
//! listed correctly, against the condition. If n is even, all options are odd and listed correctly,
//! so each has a remoteness. So the next player wins if R is odd, the previous one if it is even,
//! and nobody can force a win if there is no remoteness.
//!
//! The distance is 0 without options, otherwise one more than the largest distance of the options;
//! there is none if an option has none. A listed distance falls with every move, so it is right.
//! Without a distance, play can go on to such positions for ever.

use serde::Deserialize;

use crate::Claim;
use crate::format::{Digraph, Rows};
use crate::partizan::{Graph, GraphFields};
use crate::watch::{Unproved, Watch};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Certificate {
    #[serde(rename = "certificate")]
    _kind: String,
    #[serde(rename = "version")]
    _version: u32,
    misere: bool,
    nodes: Vec<String>,
    options: Rows,
    distance: Vec<Option<u32>>,
    remoteness: Vec<Option<u32>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartizanCertificate {
    #[serde(rename = "certificate")]
    _kind: String,
    #[serde(rename = "version")]
    _version: u32,
    misere: bool,
    graph: GraphFields,
    /// For each vertex, if Left is to move and if Right is.
    distance: Vec<[Option<u32>; 2]>,
    remoteness: Vec<[Option<u32>; 2]>,
}

fn play(misere: bool) -> &'static str {
    if misere { "misère" } else { "normal" }
}

pub(crate) fn check(certificate: Certificate, watch: &Watch) -> Result<Claim, Unproved> {
    let Certificate { misere, nodes, options, distance, remoteness, .. } = certificate;
    // A piece alone must be moved anyway, so gray nodes count as white ones.
    let digraph = Digraph::watched(nodes, &[], options, watch)?;
    for (list, at) in [(&distance, "distance"), (&remoteness, "remoteness")] {
        if list.len() != digraph.len() {
            return Err(Unproved::wrong(at, "expected one for each node"));
        }
    }
    for node in digraph.nodes() {
        watch.step(1 + digraph.options.row(node).len())?;
        let options = || digraph.options.row(node).iter().map(|&option| option as usize);
        if !is_distance(distance[node as usize], options().map(|o| distance[o])) {
            return Err(digraph.reject("distance", node, "the options give another distance"));
        }
        if !is_remoteness(misere, remoteness[node as usize], options().map(|o| remoteness[o])) {
            return Err(digraph.reject("remoteness", node, "the options give another remoteness"));
        }
    }
    let sentence = format!(
        "in the digraph of {} all nodes have the terminal distance and the \
         remoteness listed, in {} play; nothing is claimed of G, H and J",
        digraph.size(),
        play(misere)
    );
    Ok(Claim { sentence, given: vec!["the digraph as it is listed".to_owned()] })
}

pub(crate) fn check_partizan(
    certificate: PartizanCertificate,
    watch: &Watch,
) -> Result<Claim, Unproved> {
    let PartizanCertificate { misere, graph, distance, remoteness, .. } = certificate;
    let graph = Graph::new(graph, "graph", watch)?;
    check_states(&graph, misere, &remoteness, watch)?;
    if distance.len() != graph.len() {
        return Err(Unproved::wrong("distance", "expected one for each vertex"));
    }
    for (vertex, both) in (0..).zip(&distance) {
        for (player, &claimed) in both.iter().enumerate() {
            let options = graph.options(vertex, player).iter();
            watch.step(1 + options.len())?;
            if !is_distance(claimed, options.map(|&to| distance[to as usize][1 - player])) {
                let at = format!("distance[{vertex}][{player}]");
                return Err(Unproved::wrong(at, "the options give another distance"));
            }
        }
    }
    let sentence = format!(
        "in the graph of {} all have the terminal distance and the remoteness listed, if Left \
         starts and if Right does, in {} play",
        graph.len(),
        play(misere)
    );
    Ok(Claim { sentence, given: vec!["the graph as it is listed".to_owned()] })
}

/// Checks the remoteness of all vertices, if Left is to move and if Right is.
pub(crate) fn check_states(
    graph: &Graph,
    misere: bool,
    remoteness: &[[Option<u32>; 2]],
    watch: &Watch,
) -> Result<(), Unproved> {
    if remoteness.len() != graph.len() {
        return Err(Unproved::wrong("remoteness", "expected one for each vertex"));
    }
    for (vertex, both) in (0..).zip(remoteness) {
        for (player, &claimed) in both.iter().enumerate() {
            let options = graph.options(vertex, player).iter();
            watch.step(1 + options.len())?;
            let options = options.map(|&to| remoteness[to as usize][1 - player]);
            if !is_remoteness(misere, claimed, options) {
                let at = format!("remoteness[{vertex}][{player}]");
                return Err(Unproved::wrong(at, "the options give another remoteness"));
            }
        }
    }
    Ok(())
}

fn is_remoteness(
    misere: bool,
    claimed: Option<u32>,
    options: impl Iterator<Item = Option<u32>>,
) -> bool {
    let (mut any, mut none, mut least_even, mut largest_odd) = (false, false, None, None);
    for option in options {
        any = true;
        match option {
            None => none = true,
            Some(even) if even % 2 == 0 => {
                least_even = Some(least_even.map_or(even, |least: u32| least.min(even)));
            }
            odd => largest_odd = largest_odd.max(odd),
        }
    }
    let plus_one = |n: Option<u32>| n.map(|n| u64::from(n) + 1);
    let right = match (any, least_even) {
        (false, _) => Some(u64::from(misere)),
        (true, Some(_)) => plus_one(least_even),
        (true, None) if none => None,
        (true, None) => plus_one(largest_odd),
    };
    claimed.map(u64::from) == right
}

fn is_distance(claimed: Option<u32>, options: impl Iterator<Item = Option<u32>>) -> bool {
    let mut options = options.map(|option| option.map(|n| u64::from(n) + 1));
    let right = options.try_fold(0, |most, option| Some(option?.max(most)));
    claimed.map(u64::from) == right
}
