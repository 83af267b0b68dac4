//! All positions of few nodes.

use std::collections::BTreeSet;

use nimoon::Digraph;
use nimoon::impartial::control::{Layers, values};

use crate::control::work;

/// The names of the values of the white node 0 of all digraphs of so many nodes.
fn names(len: usize) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut work = work();
    // Node 0 is white, and the last nodes are gray.
    for gray in 0..len {
        for bits in 0..1_u32 << (len * len) {
            let row = |node: usize| bits >> (node * len) & ((1 << len) - 1);
            // Other nodes of a colour may be exchanged: their rows are in order of size.
            let size = |node: usize| row(node).count_ones();
            let white = 1..len - gray;
            let ordered = |range: std::ops::Range<usize>| {
                range.clone().zip(range.skip(1)).all(|(a, b)| size(a) <= size(b))
            };
            if !ordered(white) || !ordered(len - gray..len) {
                continue;
            }
            let arcs = (0..len as u32).flat_map(|from| {
                let to =
                    (0..len as u32).filter(move |to| bits >> (from as usize * len) >> to & 1 == 1);
                to.map(move |to| (from, to))
            });
            let nodes = (len - gray..len).map(|node| node as u32);
            let digraph = Digraph::new(len, nodes, arcs.collect()).unwrap();
            let layers = Layers::of(&digraph, &work);
            let value = &values(&digraph, &layers, &[0], &mut work).unwrap()[0];
            if !names.contains(&format!("{value:#}")) {
                names.insert(format!("{value:#}"));
            }
        }
    }
    names
}

#[test]
fn four_nodes_have_twenty_two_values() {
    let counts: Vec<usize> = (1..=3).map(|len| names(len).len()).collect();
    assert_eq!(counts, [2, 5, 10]);
    let four = names(4);
    assert_eq!(four.len(), 22);
    let new = ["[0/1]", "[0/1, >0]", "[0/1, >1]", "[0/1, >0, >1]", "[0/>0]"];
    let is_old = |name: &&String| crate::control::read(name).value().is_some();
    let found: BTreeSet<&str> =
        four.iter().filter(|name| !is_old(name)).map(String::as_str).collect();
    assert_eq!(found, new.into());
}
