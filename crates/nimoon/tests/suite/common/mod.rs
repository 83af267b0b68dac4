//! Random digraphs for the tests, as the engine and the oracle see them.

// Each test program uses its own part of this.
use nimoon::{Digraph, Node};
use nimoon_oracle::Board;
use proptest::prelude::*;

/// A digraph in the plainest form, so that failures print well and shrink well.
#[derive(Clone, Debug)]
pub struct Plain {
    pub gray: Vec<bool>,
    pub options: Vec<Vec<usize>>,
}

impl Plain {
    pub fn len(&self) -> usize {
        self.gray.len()
    }

    pub fn digraph(&self) -> Digraph {
        let gray = (0..).zip(&self.gray).filter(|(_, gray)| **gray).map(|(node, _)| node);
        let arcs = (0..).zip(&self.options);
        let arcs = arcs.flat_map(|(from, to)| to.iter().map(move |&to| (from, to as Node)));
        Digraph::new(self.len(), gray, arcs.collect()).expect("a digraph")
    }

    pub fn board(&self) -> Board {
        Board { gray: self.gray.clone(), options: self.options.clone() }
    }
}

/// What the digraphs of a test may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Short,
    Cyclic,
    Entailing,
    CarryOn,
    General,
}

pub const KINDS: [Kind; 5] =
    [Kind::Short, Kind::Cyclic, Kind::Entailing, Kind::CarryOn, Kind::General];

/// Digraphs of one kind with at most `most` nodes.
pub fn digraphs(kind: Kind, most: usize) -> impl Strategy<Value = Plain> {
    let colour = match kind {
        Kind::Short | Kind::Cyclic => Just(false).boxed(),
        Kind::Entailing | Kind::CarryOn | Kind::General => proptest::bool::weighted(0.4).boxed(),
    };
    (1..=most).prop_flat_map(move |len| {
        let gray = prop::collection::vec(colour.clone(), len);
        let options = prop::collection::vec(prop::collection::vec(0..len, 0..4), len);
        (gray, options).prop_map(move |(gray, mut options)| {
            for (node, options) in options.iter_mut().enumerate() {
                if matches!(kind, Kind::Short | Kind::Entailing) {
                    options.retain(|&to| to < node);
                }
                options.sort_unstable();
                options.dedup();
                if kind == Kind::CarryOn && gray[node] {
                    options.truncate(1);
                }
            }
            Plain { gray, options }
        })
    })
}

/// A digraph of any kind with up to three pieces, at most one of them on a gray node.
pub fn sums(most: usize) -> impl Strategy<Value = (Plain, Vec<usize>)> {
    prop::sample::select(&KINDS[..]).prop_flat_map(move |kind| sums_of(kind, most))
}

/// A digraph of one kind with up to three pieces, at most one of them on a gray node.
pub fn sums_of(kind: Kind, most: usize) -> impl Strategy<Value = (Plain, Vec<usize>)> {
    digraphs(kind, most).prop_flat_map(|plain| {
        let pieces = prop::collection::vec(0..plain.len(), 1..4);
        (Just(plain), pieces).prop_map(|(plain, mut pieces)| {
            let mut gray = 0;
            pieces.retain(|&node| {
                gray += usize::from(plain.gray[node]);
                !plain.gray[node] || gray == 1
            });
            (plain, pieces)
        })
    })
}

/// Finds are kept as ordinary tests, not in files of seeds. `NIMOON_CASES=20` runs twenty times as
/// many cases.
pub fn config(cases: u32) -> ProptestConfig {
    let factor = std::env::var("NIMOON_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    ProptestConfig {
        cases: cases * factor,
        failure_persistence: None,
        max_shrink_iters: 50_000,
        ..Default::default()
    }
}
