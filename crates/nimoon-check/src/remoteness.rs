//! Remoteness and terminal distance.
//!
//! A *position* is a node, or where Left and Right have edges of their own a vertex with the player to move. Checked of the remoteness R
//! of every position:
//!
//! - without options: 0, or 1 in misère play;
//! - odd: some option has R − 1, and no option has a smaller even one;
//! - even: all options are odd, and the largest of them is R − 1;
//! - none: no option is even, and some option has none.
//!
//! By induction over n, the positions that are said to have remoteness n are those that have it [Smith1966, (4)]: options with
//! less are told right, and the conditions are the definition. If one is said to have none, but has n, take the least such n: n > 1 or the
//! position has options; if n is odd an option has the even n − 1 and is told right, against the condition; if n is even
//! all options are odd and told right, so that none of them has none. So the next player wins where R is odd, the
//! previous one where it is even, and nobody can force a win where there is none.
//!
//! The distance is 0 without options, one more than the largest of the options, and none if an option has none. Where it is
//! told it falls with every move, so it is right; where it is not, play can go on to such positions for ever.

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
            return Err(Unproved::wrong(at, "there is not one for each node"));
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
        "in the digraph of {} nodes and {} arcs all nodes have the terminal distance and the \
         remoteness listed, in {} play",
        digraph.len(),
        digraph.options.entries(),
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
        return Err(Unproved::wrong("distance", "there is not one for each vertex"));
    }
    for (vertex, both) in (0..).zip(&distance) {
        for (player, &told) in both.iter().enumerate() {
            let options = graph.options(vertex, player).iter();
            watch.step(1 + options.len())?;
            if !is_distance(told, options.map(|&to| distance[to as usize][1 - player])) {
                let at = format!("distance[{vertex}][{player}]");
                return Err(Unproved::wrong(at, "the options give another distance"));
            }
        }
    }
    let sentence = format!(
        "in the graph of {} vertices all have the terminal distance and the remoteness listed, if Left \
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
        return Err(Unproved::wrong("remoteness", "there is not one for each vertex"));
    }
    for (vertex, both) in (0..).zip(remoteness) {
        for (player, &told) in both.iter().enumerate() {
            let options = graph.options(vertex, player).iter();
            watch.step(1 + options.len())?;
            let options = options.map(|&to| remoteness[to as usize][1 - player]);
            if !is_remoteness(misere, told, options) {
                let at = format!("remoteness[{vertex}][{player}]");
                return Err(Unproved::wrong(at, "the options give another remoteness"));
            }
        }
    }
    Ok(())
}

fn is_remoteness(
    misere: bool,
    told: Option<u32>,
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
    told.map(u64::from) == right
}

fn is_distance(told: Option<u32>, options: impl Iterator<Item = Option<u32>>) -> bool {
    let mut options = options.map(|option| option.map(|n| u64::from(n) + 1));
    let right = options.try_fold(0, |most, option| Some(option?.max(most)));
    told.map(u64::from) == right
}
