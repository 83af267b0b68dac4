//! The theory of `docs/extending.md`, which shows this file piece by piece: cyclic games, straight
//! from the paper.

#![allow(clippy::suspicious_arithmetic_impl, reason = "nimbers add by exclusive or")]

use std::collections::BTreeSet;
use std::ops::Add;

use nimoon::{Digraph, Node, Outcome, Theory, Work, label};
use nimoon_oracle::{Board, Outcome as Brute, Product};

/// What a node is worth: a nimber, or ∞ with the nimbers that the mover can leave a cyclic zone
/// for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Loopy {
    Nimber(u64),
    Infinite(BTreeSet<u64>),
}

impl Loopy {
    /// Who wins it alone.
    fn outcome(&self) -> Outcome {
        match self {
            Self::Nimber(0) => Outcome::P,
            Self::Nimber(_) => Outcome::N,
            Self::Infinite(exits) if exits.contains(&0) => Outcome::N,
            Self::Infinite(_) => Outcome::D,
        }
    }
}

/// [Smith1966, §9], [ACLNSS, Thm 1.11].
impl Add for &Loopy {
    type Output = Loopy;

    fn add(self, other: &Loopy) -> Loopy {
        match (self, other) {
            (Loopy::Nimber(m), Loopy::Nimber(n)) => Loopy::Nimber(m ^ n),
            (Loopy::Nimber(n), Loopy::Infinite(exits))
            | (Loopy::Infinite(exits), Loopy::Nimber(n)) => {
                Loopy::Infinite(exits.iter().map(|exit| exit ^ n).collect())
            }
            (Loopy::Infinite(_), Loopy::Infinite(_)) => Loopy::Infinite(BTreeSet::new()),
        }
    }
}

/// The values of all nodes; nothing if there is a gray node, which this theory does not know.
fn values(digraph: &Digraph) -> Option<Vec<Loopy>> {
    if digraph.has_gray() {
        return None;
    }
    let mut nimbers: Vec<Option<u64>> = vec![None; digraph.len()];
    let known = |nimbers: &[Option<u64>], node: Node| -> BTreeSet<u64> {
        digraph.options(node).iter().filter_map(|&to| nimbers[to as usize]).collect()
    };
    // One node at a time, until no node gets a value: the order does not matter.
    while let Some((node, value)) = digraph.nodes().find_map(|node| {
        let found = known(&nimbers, node);
        let mex = (0..=found.len() as u64).find(|n| !found.contains(n))?;
        let is_new = nimbers[node as usize].is_none();
        let reverts =
            |&to: &Node| nimbers[to as usize].is_some() || known(&nimbers, to).contains(&mex);
        (is_new && digraph.options(node).iter().all(reverts)).then_some((node, mex))
    }) {
        nimbers[node as usize] = Some(value);
    }
    let value = |node| match nimbers[node as usize] {
        Some(n) => Loopy::Nimber(n),
        None => Loopy::Infinite(known(&nimbers, node)),
    };
    Some(digraph.nodes().map(value).collect())
}

/// A digraph of white nodes whose arcs are the bits of a number, as the engine and the oracle see
/// it.
fn numbered(len: usize, arcs: u32) -> (Digraph, Board) {
    let has = |from: usize, to: usize| arcs >> (from * len + to) & 1 == 1;
    let rows = (0..len).map(|from| (0..len).filter(|&to| has(from, to)).collect());
    let rows: Vec<Vec<usize>> = rows.collect();
    let arcs =
        rows.iter().zip(0..).flat_map(|(row, from)| row.iter().map(move |&to| (from, to as Node)));
    (Digraph::new(len, [], arcs.collect()).unwrap(), Board::white(rows))
}

#[test]
fn the_trap_of_smith_has_the_values_of_the_paper() {
    let (trap, _) = numbered(3, 0b000_101_010);
    let values = values(&trap).unwrap();
    assert_eq!(values, [Loopy::Nimber(0), Loopy::Nimber(1), Loopy::Nimber(0)]);
}

#[test]
fn sums_on_all_digraphs_of_three_nodes_are_those_of_play() {
    let heaps = Board::heap(4);
    for arcs in 0..1 << 9 {
        let (digraph, board) = numbered(3, arcs);
        let values = values(&digraph).unwrap();
        let pairs = Product::new(&[&board, &board, &heaps]).unwrap();
        for (first, second, heap) in
            (0..3).flat_map(|a| (0..3).flat_map(move |b| (0..=4).map(move |k| (a, b, k))))
        {
            let sum = &(&values[first] + &values[second]) + &Loopy::Nimber(heap as u64);
            let played = match pairs.outcome(&[first, second, heap]) {
                Some(Brute::N) => Outcome::N,
                Some(Brute::P) => Outcome::P,
                _ => Outcome::D,
            };
            assert_eq!(sum.outcome(), played, "{arcs:b}: {first} + {second} + *{heap}");
        }
    }
}

#[test]
fn the_engine_says_the_same_about_all_digraphs_of_four_nodes() {
    for arcs in 0..1 << 16 {
        let (digraph, _) = numbered(4, arcs);
        let labelling = label(&digraph, Some(Theory::Cyclic), &Work::default()).unwrap();
        for (node, value) in digraph.nodes().zip(values(&digraph).unwrap()) {
            let text = match value {
                Loopy::Nimber(n) => n.to_string(),
                Loopy::Infinite(exits) => {
                    let exits: Vec<String> = exits.iter().map(ToString::to_string).collect();
                    format!("oo{{{}}}", exits.join(","))
                }
            };
            assert_eq!(format!("{:#}", labelling.value(node).unwrap()), text, "{arcs:b}");
        }
    }
}
