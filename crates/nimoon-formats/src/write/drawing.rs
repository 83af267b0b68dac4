//! What a program needs to draw a labelled digraph: labels, arcs, and cyclic zones with the ways out.

use nimoon::{AnyValue, Cover, Label, Node, Value};
use schemars::JsonSchema;
use serde::Serialize;

use super::json::JsonLabels;
use super::{Report, is_cyclic};

/// A labelled digraph as JSON, to be drawn: the labels as in [`write_json`](super::write_json), and
/// besides `arcs` and `zones`, which name nodes by their places in `nodes`.
///
/// A zone is a group of nodes without a nimber or a moon that are joined by arcs. Its `exits` are
/// the arcs by which a number is reached, be it that the player moves to it or that the opponent
/// is made to.
///
/// ```
/// # use nimoon::{Work, Digraph};
/// # use nimoon_formats::{Names, write::{JsonDrawing, Report}};
/// let digraph = Digraph::new(2, [], vec![(0, 0), (0, 1)]).unwrap();
/// let names: Names = ["a", "z"].into_iter().collect();
/// let labelling = nimoon::label(&digraph, None, &Work::default()).unwrap();
/// let report = Report::new(&digraph, &names, &labelling);
/// let text = serde_json::to_string(&JsonDrawing::from(report)).unwrap();
/// assert!(text.ends_with(r#""arcs":[[0,0],[0,1]],"zones":[{"nodes":[0],"exits":[[0,1]]}]}"#));
/// ```
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Drawing")]
pub struct JsonDrawing<'a> {
    #[serde(flatten)]
    labels: JsonLabels<'a>,
    /// The arcs, each as the places of two nodes in the list of nodes.
    arcs: Vec<(Node, Node)>,
    /// The cyclic zones.
    zones: Vec<JsonZone>,
}

/// Nodes in which play can be endless, and how it is left.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Zone")]
struct JsonZone {
    /// The places of the nodes.
    nodes: Vec<Node>,
    /// The arcs by which a number is reached.
    exits: Vec<(Node, Node)>,
}

impl<'a> From<Report<'a>> for JsonDrawing<'a> {
    fn from(report: Report<'a>) -> Self {
        let nodes = report.digraph.nodes();
        let labels: Vec<Label> = nodes.map(|node| report.labelling.label(node)).collect();
        let arcs: Vec<(Node, Node)> = report.digraph.arcs().collect();
        let zones = zones(&labels, &arcs);
        Self { labels: report.into(), arcs, zones }
    }
}

/// The zones in the order of their first nodes.
fn zones(labels: &[Label], arcs: &[(Node, Node)]) -> Vec<JsonZone> {
    let cyclic: Vec<bool> = labels.iter().map(is_cyclic).collect();
    let mut first: Vec<usize> = (0..labels.len()).collect();
    for &(from, to) in arcs {
        let (from, to) = (from as usize, to as usize);
        if cyclic[from] && cyclic[to] {
            let (a, b) = (root(&mut first, from), root(&mut first, to));
            first[a.max(b)] = a.min(b);
        }
    }
    let mut place = vec![usize::MAX; labels.len()];
    let mut zones: Vec<JsonZone> = Vec::new();
    for node in (0..labels.len()).filter(|&node| cyclic[node]) {
        // A root is the least node of its zone, so it comes first.
        let root = root(&mut first, node);
        if root == node {
            place[node] = zones.len();
            zones.push(JsonZone { nodes: Vec::new(), exits: Vec::new() });
        }
        place[node] = place[root];
        zones[place[root]].nodes.push(node as Node);
    }
    for &(from, to) in arcs {
        if let Some(zone) = zones.get_mut(place[from as usize])
            && leads_to_number(&labels[to as usize])
        {
            zone.exits.push((from, to));
        }
    }
    zones
}

/// The least node that is joined to a node, with shorter ways for later lookups.
fn root(first: &mut [usize], mut node: usize) -> usize {
    while first[node] != node {
        first[node] = first[first[node]];
        node = first[node];
    }
    node
}

/// Whether a piece that is moved here comes to a number: at once, or along gray nodes.
fn leads_to_number(label: &Label) -> bool {
    match label {
        Label::White(AnyValue::CarryOn(value)) => matches!(value, Value::Nimber(_)),
        Label::Gray(Some(Cover::Heaps(set))) => !set.is_nothing() && set.mex().is_some(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use nimoon::{Digraph, Work, label};

    use super::*;

    fn zones_of(len: usize, gray: &[Node], arcs: Vec<(Node, Node)>) -> Vec<JsonZone> {
        let digraph = Digraph::new(len, gray.iter().copied(), arcs).unwrap();
        let labelling = label(&digraph, None, &Work::default()).unwrap();
        let labels: Vec<Label> = digraph.nodes().map(|node| labelling.label(node)).collect();
        zones(&labels, &digraph.arcs().collect::<Vec<_>>())
    }

    #[test]
    fn zones_are_joined_by_arcs_and_left_by_exits() {
        // 5 is terminal and 4 is *1. The zone 0 ↔ 3 is left for *1, the loop 1 by way of gray 2.
        let arcs = vec![(0, 3), (3, 0), (3, 4), (4, 5), (1, 1), (1, 2), (2, 5)];
        let found = zones_of(6, &[2], arcs);
        let actual: Vec<_> = found.iter().map(|zone| (&zone.nodes[..], &zone.exits[..])).collect();
        assert_eq!(actual, [(&[0, 3][..], &[(3, 4)][..]), (&[1][..], &[(1, 2)][..])]);
    }

    #[test]
    fn a_cycle_of_numbers_is_not_a_zone() {
        assert!(zones_of(3, &[], vec![(0, 1), (1, 0), (1, 2)]).is_empty());
    }

    #[test]
    fn arcs_that_come_late_join_zones_that_were_apart() {
        let arcs = vec![(0, 0), (1, 1), (2, 2), (3, 3), (3, 2), (2, 0)];
        let found = zones_of(4, &[], arcs);
        let actual: Vec<_> = found.iter().map(|zone| &zone.nodes[..]).collect();
        assert_eq!(actual, [&[0, 2, 3][..], &[1][..]]);
    }
}
