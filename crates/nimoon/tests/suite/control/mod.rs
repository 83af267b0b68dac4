//! Cycles with entailing moves of any outdegree, against brute force.

mod examples;
mod play;
mod small;
mod turns;

use nimoon::impartial::control::{Control, Layers, values};
use nimoon::{Digraph, Limits, Node, Work};
use nimoon_oracle::Board;
use proptest::prelude::*;

use crate::common::Plain;

/// More than any test needs.
pub(crate) fn work() -> Work {
    Work::new(Limits::new(50_000_000))
}

pub(crate) fn read(text: &str) -> Control {
    Control::read(text, &mut work()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The values of all nodes of a digraph; none for gray ones.
pub(crate) fn all_values(digraph: &Digraph) -> Vec<Option<Control>> {
    let mut work = work();
    let layers = Layers::of(digraph, &work);
    let white: Vec<Node> = digraph.nodes().filter(|&node| !digraph.is_gray(node)).collect();
    let found = values(digraph, &layers, &white, &mut work).expect("no limit");
    let mut all = vec![None; digraph.len()];
    for (node, value) in white.into_iter().zip(found) {
        all[node as usize] = Some(value);
    }
    all
}

/// A digraph as the oracle sees it.
pub(crate) fn board(digraph: &Digraph) -> Board {
    let gray = digraph.nodes().map(|node| digraph.is_gray(node)).collect();
    let options = digraph.nodes();
    let options = options.map(|node| digraph.options(node).iter().map(|&to| to as usize).collect());
    Board { gray, options: options.collect() }
}

/// Digraphs rich in values that are not numbers: the heaps 0 to 2, white nodes with loops, and gray
/// nodes between them with two options or three.
pub(crate) fn rich(most: usize) -> impl Strategy<Value = Plain> {
    (2..=3_usize, 1..=3_usize, 1..=3_usize).prop_flat_map(move |(heaps, white, gray)| {
        let white = white.min(most - heaps - 1);
        let gray = gray.min(most - heaps - white);
        let len = heaps + white + gray;
        let duels = prop::collection::vec(prop::collection::vec(0..len, 1..4), gray);
        let own = prop::collection::vec(
            (prop::collection::vec(heaps + white..len, 1..3), 0..8_usize, any::<bool>()),
            white,
        );
        (duels, own).prop_map(move |(duels, own)| {
            let mut options: Vec<Vec<usize>> = (0..heaps).map(|n| (0..n).collect()).collect();
            for (node, (duels, exits, passes)) in (heaps..).zip(own) {
                let mut row = duels;
                row.extend((0..heaps).filter(|k| exits >> k & 1 == 1));
                row.extend(passes.then_some(node));
                options.push(row);
            }
            options.extend(duels);
            for row in &mut options {
                row.sort_unstable();
                row.dedup();
            }
            Plain { gray: (0..len).map(|node| node >= heaps + white).collect(), options }
        })
    })
}

/// Digraphs in which control can run in cycles: the heaps 0 to 2, and white nodes that lead to gray
/// ones, on which the opponent chooses between a heap and a white node.
pub(crate) fn cycling() -> impl Strategy<Value = Plain> {
    const HEAPS: usize = 3;
    let choice = || (0..HEAPS, 0..3_usize);
    let own = (0..8_usize, prop::collection::vec(choice(), 1..=1));
    prop::collection::vec(own, 2..=3).prop_map(|own| {
        let white = own.len();
        let mut options: Vec<Vec<usize>> = (0..HEAPS).map(|n| (0..n).collect()).collect();
        let mut duels = Vec::new();
        for (node, (exits, choices)) in (HEAPS..).zip(own) {
            let mut row: Vec<usize> = (0..HEAPS).filter(|k| exits >> k & 1 == 1).collect();
            row.push(node);
            for (heap, other) in choices {
                row.push(HEAPS + white + duels.len());
                duels.push(vec![heap, HEAPS + other % white]);
            }
            options.push(row);
        }
        options.extend(duels);
        let gray = (0..options.len()).map(|node| node >= HEAPS + white).collect();
        Plain { gray, options }
    })
}

/// Digraphs of any kind, rich ones, and ones with control cycles.
pub(crate) fn digraphs(most: usize) -> impl Strategy<Value = Plain> {
    let any = crate::common::digraphs(crate::common::Kind::General, most);
    prop_oneof![any, rich(most), cycling()]
}
