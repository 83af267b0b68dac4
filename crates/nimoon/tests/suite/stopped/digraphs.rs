//! Digraphs: labels, and the questions about them.

use std::sync::LazyLock;

use nimoon::certificate::{heaps as heap_ranks, strategy};
use nimoon::graph::product::{ProductError, product};
use nimoon::impartial::explain::explain;
use nimoon::impartial::representative::{RepresentativeError, representative};
use nimoon::impartial::rounds::try_rounds;
use nimoon::impartial::sets::Sets;
use nimoon::impartial::theory::label_for_sums;
use nimoon::impartial::turn::{best_turns, solve};
use nimoon::limits::Interrupted;
use nimoon::partizan::Graph;
use nimoon::smith::compound::{Compound, Compounds, Kind};
use nimoon::smith::grundy::{GrundyError, GrundyPair, wide};
use nimoon::smith::remoteness::{PartizanRemoteness, PayoffGame, PayoffSolution, Play, Remoteness};
use nimoon::transfinite::expression::{ExpressionErrorKind, read};
use nimoon::{
    AnyValue, Digraph, Labelling, Labels as _, Node, Sum, Theory, Work, label, label_smallest,
};

use crate::stopped::table::{Case, case};

/// Nim-heaps: each has arcs to all smaller ones.
pub(crate) fn heaps(count: Node) -> Vec<(Node, Node)> {
    (0..count).flat_map(|a| (0..a).map(move |b| (a, b))).collect()
}

/// A digraph with this number of nodes.
pub(crate) fn digraph(len: usize, gray: &[Node], arcs: Vec<(Node, Node)>) -> Digraph {
    Digraph::new(len, gray.iter().copied(), arcs).unwrap()
}

/// Many nodes in a row, each with a way back, and some heaps.
static LONG: LazyLock<(Digraph, Labelling)> = LazyLock::new(|| {
    const LEN: Node = 30_000;
    let mut arcs = heaps(40);
    arcs.extend((40..LEN).flat_map(|node| [(node, node - 1), (node - 1, node)]));
    labelled(digraph(LEN as usize, &[], arcs))
});

/// A node with many options that differ.
static WIDE: LazyLock<(Digraph, Labelling)> =
    LazyLock::new(|| labelled(digraph(300, &[], heaps(300))));

/// Circles with ways out.
static GENERAL: LazyLock<(Digraph, Labelling)> = LazyLock::new(|| {
    const LEN: Node = 200;
    let mut arcs: Vec<(Node, Node)> = (0..LEN).map(|node| (node, (node + 1) % LEN)).collect();
    arcs.extend([(0, LEN), (LEN, LEN + 1), (LEN, 1)]);
    labelled(digraph(LEN as usize + 2, &[LEN], arcs))
});

/// Carry-on moves, with values that add.
static CARRY_ON: LazyLock<(Digraph, Labelling)> = LazyLock::new(|| {
    const HEAPS: Node = 120;
    let mut arcs = heaps(HEAPS);
    // A gray node over each heap, and white nodes over these.
    arcs.extend((0..HEAPS).map(|heap| (HEAPS + heap, heap)));
    arcs.extend(
        (0..HEAPS).flat_map(|heap| [(2 * HEAPS + heap, HEAPS + heap), (2 * HEAPS + heap, heap)]),
    );
    let last = 3 * HEAPS;
    arcs.push((last, last));
    let gray: Vec<Node> = (HEAPS..2 * HEAPS).collect();
    labelled(digraph(last as usize + 1, &gray, arcs))
});

fn labelled(digraph: Digraph) -> (Digraph, Labelling) {
    let labelling = label(&digraph, None, &Work::default()).unwrap();
    (digraph, labelling)
}

/// A digraph that is long to label in this theory.
fn of_theory(theory: Theory) -> Digraph {
    const ROW: Node = 20_000;
    let mut arcs = heaps(60);
    arcs.extend((60..ROW).flat_map(|node| [(node, node - 1), (node, node % 50)]));
    let mut gray = Vec::new();
    let mut len = ROW;
    if theory != Theory::Short {
        // What makes the theory necessary.
        match theory {
            Theory::Cyclic => arcs.extend([(len, len), (len, 0)]),
            Theory::Entailing => {
                gray.push(len);
                arcs.extend([(len, 0), (len, 1), (5, len)]);
            }
            Theory::CarryOn | Theory::General => {
                gray.push(len);
                arcs.extend([(len, 1), (len + 1, len), (len + 1, len + 1)]);
                if theory == Theory::General {
                    arcs.push((len, 2));
                }
                len += 1;
            }
            Theory::Short => {}
        }
        len += 1;
    }
    digraph(len as usize, &gray, arcs)
}

static OF_THEORIES: LazyLock<[(Theory, Digraph); 5]> =
    LazyLock::new(|| Theory::ALL.map(|theory| (theory, of_theory(theory))));

static LABELLED: LazyLock<[(Digraph, Labelling); 2]> =
    LazyLock::new(|| [Theory::Short, Theory::Cyclic].map(|theory| labelled(of_theory(theory))));

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for place in 0..Theory::ALL.len() {
        cases.push(case("impartial/theory/mod.rs label", move |work| {
            let (theory, digraph) = &OF_THEORIES[place];
            label(digraph, Some(*theory), work).unwrap().interrupted()
        }));
        cases.push(case("impartial/theory/mod.rs label_for_sums", move |work| {
            let (theory, digraph) = &OF_THEORIES[place];
            label_for_sums(digraph, Some(*theory), work).unwrap().interrupted()
        }));
        cases.push(case("impartial/labels.rs label_smallest", move |work| {
            label_smallest(&OF_THEORIES[place].1, work).incomplete()?.interrupted()
        }));
    }
    cases.extend(about_digraphs());
    cases.extend(about_sums());
    cases.push(case("transfinite/expression.rs read", |work| {
        let text = vec!["nim(w^w + 5, w*3 + 7)"; 5000].join(" + ");
        match read(&text, &mut work.clone()).err()?.kind {
            ExpressionErrorKind::Interrupted(interrupted) => Some(interrupted),
            other => panic!("{other}"),
        }
    }));
    cases
}

fn about_digraphs() -> Vec<Case> {
    vec![
        case("impartial/rounds.rs try_rounds", |work| {
            let (digraph, labelling) = &LABELLED[0];
            try_rounds(digraph, labelling, work).err()
        }),
        case("impartial/rounds.rs try_rounds", |work| {
            let (digraph, labelling) = &LABELLED[1];
            try_rounds(digraph, labelling, work).err()
        }),
        case("impartial/explain.rs explain", |work| {
            let (digraph, labelling) = &*WIDE;
            explain(digraph, labelling, 299, work).err()
        }),
        case("smith/remoteness/mod.rs try_new", |work| {
            Remoteness::try_new(&LABELLED[0].0, Play::Normal, work).err()
        }),
        case("smith/remoteness/partizan.rs try_new", |work| {
            let row = |from| (from..30_000).step_by(2).map(|node| (node, node - 1));
            let graph = Graph::new(30_000, row(1), row(2)).unwrap();
            PartizanRemoteness::try_new(&graph, Play::Normal, work).err()
        }),
        case("smith/remoteness/payoff.rs try_of_payoffs", |work| {
            let game = PayoffGame::impartial(&LABELLED[0].0, |_| 1).unwrap();
            PayoffSolution::try_of_payoffs(&game, work).err()
        }),
        case("smith/remoteness/payoff.rs try_of_endings", |work| {
            let game = PayoffGame::impartial(&LABELLED[0].0, |_| 1).unwrap();
            PayoffSolution::try_of_endings(&game, work).err()
        }),
        case("impartial/sets.rs of", |work| Sets::of(&LONG.0, &LONG.1, work).err()),
        case("graph/product.rs product", |work| match product(&LONG.0, 29_999, 29_998, work) {
            Err(ProductError::Interrupted(interrupted, _)) => Some(interrupted),
            other => other.map(|_| None).unwrap(),
        }),
        case("smith/grundy/mod.rs try_new", |work| match GrundyPair::try_new(&LONG.0, work) {
            Err(GrundyError::Interrupted(interrupted)) => Some(interrupted),
            other => other.map(|_| None).unwrap(),
        }),
        // Few nodes, with many pairs of a node and a value.
        Case {
            looks: vec![1, 1000],
            ..case("smith/grundy/mod.rs try_new, dense", |work| {
                let digraph = digraph(400, &[], heaps(400));
                match GrundyPair::try_new(&digraph, work) {
                    Err(GrundyError::Interrupted(interrupted)) => Some(interrupted),
                    other => other.map(|_| None).unwrap(),
                }
            })
        },
        case("smith/grundy/wide.rs functions", |work| {
            // Each circle of two has two functions.
            let arcs = (0..60).map(|node: Node| (node, node ^ 1)).collect();
            wide::functions(&digraph(60, &[], arcs), usize::MAX, work).interrupted
        }),
        case("impartial/representative.rs representative", |work| {
            let value: AnyValue = "ninny{9000}".parse().unwrap();
            match representative(&value, work) {
                Err(RepresentativeError::Interrupted { interrupted, .. }) => Some(interrupted),
                other => other.map(|_| None).unwrap(),
            }
        }),
        case("smith/compound/evaluate.rs new", |work| {
            let compounds = Compounds::new(&LONG.0, work).unwrap();
            let two = Compound::new(Kind::Disjunctive, vec![29_999, 29_998]).unwrap();
            let answer = compounds.solve(&two, Play::Normal);
            answer.too_large.map(|over| over.interrupted)
        }),
        case("certificate/heaps.rs ranks", |work| heap_ranks::ranks(&OF_THEORIES[4].1, work).err()),
    ]
}

fn about_sums() -> Vec<Case> {
    fn sum((digraph, labelling): &'static (Digraph, Labelling), pieces: &[Node]) -> Sum<'static> {
        Sum::new(digraph, labelling, pieces.to_vec()).unwrap()
    }
    type Ask = fn(&Sum<'_>, &nimoon::Work) -> Option<Interrupted>;
    let asks: [(&'static str, Ask); 3] = [
        ("impartial/turn/mod.rs solve", |sum, work| solve(sum, work).err()),
        ("impartial/turn/mod.rs best_turns", |sum, work| best_turns(sum, work, 1 << 20).err()),
        ("certificate/strategy.rs strategy", |sum, work| strategy::strategy(sum, None, work).err()),
    ];
    let mut cases = Vec::new();
    for (name, ask) in asks {
        let general = case(name, move |work| ask(&sum(&GENERAL, &[0, 100, 150]), work));
        // Values tell which moves win: that takes few looks.
        let is_brief = !name.ends_with("strategy");
        cases.push(if is_brief { Case { looks: vec![1], ..general } } else { general });
        // A strategy needs the product, which must not be too large to be numbered.
        cases.push(case(name, move |work| ask(&sum(&CARRY_ON, &[350, 340, 118]), work)));
    }
    cases
}
