//! For tests of rulesets with cycles and entailing moves: their digraphs, values, and boards to
//! play on.

use nimoon::impartial::control::{Control, Layers, values};
use nimoon::ruleset::{Kind, Ruleset};
use nimoon::{Digraph, Node, Work};
use nimoon_oracle::Board;

/// The digraph of these positions, which are all there are. Each has a white node with its number,
/// and behind all white nodes a gray one, for what an entailing move leaves.
pub(crate) fn digraph<R: Ruleset>(ruleset: &R, positions: &[R::Position]) -> Digraph {
    let len = positions.len();
    let place = |position: &R::Position| {
        positions.iter().position(|other| other == position).expect("all positions are given")
    };
    let mut arcs: Vec<(Node, Node)> = Vec::new();
    for (from, position) in positions.iter().enumerate() {
        for option in ruleset.options(position) {
            let to = match option.kind {
                Kind::Ordinary => place(&option.to),
                Kind::Entailing => len + place(&option.to),
                Kind::Again => unreachable!("tests of other rulesets"),
            };
            arcs.extend([from, len + from].map(|from| (from as Node, to as Node)));
        }
    }
    let gray = len as Node..2 * len as Node;
    Digraph::new(2 * len, gray, arcs).expect("a digraph")
}

/// The engine's values of these positions, which are all there are.
pub(crate) fn values_of<R: Ruleset>(ruleset: &R, positions: &[R::Position]) -> Vec<Control> {
    let digraph = digraph(ruleset, positions);
    let nodes: Vec<Node> = (0..positions.len() as Node).collect();
    let mut work = Work::default();
    let layers = Layers::of(&digraph, &work);
    values(&digraph, &layers, &nodes, &mut work).expect("no limit is hit")
}

/// The digraph in the form of the oracle.
pub(crate) fn board(digraph: &Digraph) -> Board {
    let options = |node| digraph.options(node).iter().map(|&to| to as usize).collect();
    Board {
        gray: digraph.nodes().map(|node| digraph.is_gray(node)).collect(),
        options: digraph.nodes().map(options).collect(),
    }
}
