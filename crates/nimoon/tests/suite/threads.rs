//! Large digraphs, labelled by one thread and by several: everything is the same.

use nimoon::impartial::rounds::rounds;
use nimoon::impartial::turn::solve;
use nimoon::{Digraph, Labelling, Limits, Node, Sum, Theory, Work, label};

/// A random digraph, large enough that threads share the work. One node in five may be gray, with
/// one option.
fn large(len: Node, acyclic: bool, with_gray: bool) -> Digraph {
    let mut state = 5_u64;
    let mut below = |n: Node| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(n)) as Node
    };
    let mut arcs = Vec::new();
    for from in 1..len {
        let count = if with_gray && from % 5 == 0 { 1 } else { below(6) };
        for _ in 0..count {
            let anywhere = !acyclic && below(40) == 0;
            arcs.push((from, below(if anywhere { len } else { from })));
        }
    }
    let gray = (0..len).filter(|node| with_gray && node % 5 == 0);
    Digraph::new(len as usize, gray, arcs).expect("a digraph")
}

fn by_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(work)
}

#[test]
fn digraphs_labels_orders_rounds_and_turns_are_those_of_one_thread() {
    const LEN: Node = 90_000;
    for theory in [Theory::Short, Theory::Cyclic, Theory::Entailing, Theory::CarryOn] {
        let acyclic = matches!(theory, Theory::Short | Theory::Entailing);
        let with_gray = matches!(theory, Theory::Entailing | Theory::CarryOn);
        let found = |threads| -> (Digraph, Labelling) {
            by_threads(threads, || {
                let digraph = large(LEN, acyclic, with_gray);
                let labelling = label(&digraph, None, &Work::default()).expect("fits");
                (digraph, labelling)
            })
        };
        let (digraph, labelling) = found(1);
        assert_eq!(labelling.theory(), theory);
        assert!(digraph.arc_count() > 1 << 17, "too small to be shared");
        for threads in [2, 3] {
            let (other, shared) = found(threads);
            assert!(other == digraph, "{theory}, {threads} threads: another digraph");
            assert!(other.predecessor_rows() == digraph.predecessor_rows(), "{theory}");
            assert!(shared == labelling, "{theory}, {threads} threads: other labels");
            assert!(rounds(&other, &shared) == rounds(&digraph, &labelling), "{theory}");
            let white = digraph.nodes().filter(|&node| !digraph.is_gray(node)).take(3000);
            let white: Vec<Node> = white.collect();
            for pair in white.chunks_exact(2).step_by(100) {
                let turn = |digraph, labelling| {
                    let sum = Sum::new(digraph, labelling, pair.to_vec()).expect("a sum");
                    solve(&sum, &Work::new(Limits::new(1))).map(|answer| answer.turn)
                };
                assert_eq!(turn(&other, &shared), turn(&digraph, &labelling), "{pair:?}");
            }
        }
    }
}
