//! Cycles with entailing moves of any outdegree.

use std::sync::LazyLock;

use nimoon::impartial::control::{Control, Forcing, Layers, Prover, ReadError, totals, values};
use nimoon::{AnyValue, Digraph, Labelling, Node, Sum, Theory, Work, label};

use crate::stopped::digraphs::{digraph, heaps};
use crate::stopped::table::{Case, brief, case};

/// A term with so many subterms.
fn chain(len: u32) -> String {
    let equation = |i| format!("X{i} = [>{}, {}/X{}]", i % 2, (i + 1) % 2, i + 1);
    let equations = (0..len).map(equation);
    let last = format!("X{len} = [>{}]", len % 2);
    equations.chain([last]).collect::<Vec<_>>().join(", ")
}

static CHAINS: LazyLock<[Control; 2]> = LazyLock::new(|| {
    let mut work = Work::endless();
    let chain = Control::read(&chain(100), &mut work).unwrap();
    let shifted = Control::sum(&[chain.clone(), Control::number(1)], &mut work).unwrap();
    [chain, shifted]
});

/// Positions of these values in one digraph, labelled.
static LABELLED: LazyLock<(Digraph, Labelling, Vec<Node>)> = LazyLock::new(|| {
    let mut work = Work::endless();
    let (mut arcs, mut gray, mut len, mut starts) = (Vec::new(), Vec::new(), 0, Vec::new());
    for value in &*CHAINS {
        let found = value.representative(&mut work).unwrap();
        starts.push(found.start + len);
        arcs.extend(found.digraph.arcs().map(|(from, to)| (from + len, to + len)));
        gray.extend(found.digraph.gray_nodes().map(|node| node + len));
        len += found.digraph.len() as Node;
    }
    let digraph = digraph(len as usize, &gray, arcs);
    let labelling = label(&digraph, Some(Theory::General), &work).unwrap();
    (digraph, labelling, starts)
});

fn chains() -> Sum<'static> {
    let (digraph, labelling, starts) = &*LABELLED;
    Sum::new(digraph, labelling, starts.clone()).unwrap()
}

/// Where the duel below begins.
const START: Node = 6000;

/// Many numbers, and a duel with very many sets of results.
static DUELS: LazyLock<Digraph> = LazyLock::new(|| {
    let mut arcs = heaps(60);
    arcs.extend((60..START).flat_map(|node| [(node, node - 1), (node, node % 5)]));
    let first = START + 1;
    arcs.extend([(START, START), (START, first)]);
    let mut gray = vec![first];
    for way in 0..30 {
        let choice = first + 1 + 3 * way;
        arcs.extend([(first, choice), (choice, choice + 1), (choice, choice + 2)]);
        arcs.extend([(choice + 1, 2 * way), (choice + 2, 2 * way + 1)]);
        gray.extend([choice, choice + 1, choice + 2]);
    }
    digraph(first as usize + 91, &gray, arcs)
});

static LAYERS: LazyLock<Layers> = LazyLock::new(|| Layers::of(&DUELS, &Work::endless()));

/// A digraph with the first of the chains, and where it begins.
static CHAINED: LazyLock<(Prover, Node)> = LazyLock::new(|| {
    let mut work = Work::endless();
    let drawn = CHAINS[0].representative(&mut work).unwrap();
    let layers = Layers::of(&drawn.digraph, &work);
    (Prover::new(&drawn.digraph, &layers, &mut work).unwrap(), drawn.start)
});

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case("impartial/control/proof.rs new", |work| {
            Prover::new(&DUELS, &LAYERS, &mut work.clone()).err()
        }),
        case("impartial/control/proof.rs values", |work| CHAINED.0.values(&mut work.clone()).err()),
        case("impartial/control/proof.rs below", |work| {
            let (prover, start) = &*CHAINED;
            prover.below(*start, *start, &mut work.clone()).err()
        }),
        case("impartial/control/proof.rs totals", |work| {
            totals(&CHAINS[..], &mut work.clone()).err()
        }),
        case("impartial/control/layers.rs of", |work| Layers::of(&DUELS, work).interrupted()),
        case("impartial/control/duels.rs of", |work| {
            Forcing::of(&DUELS, &LAYERS, work, |_| true).err()
        }),
        case("impartial/control/mod.rs values", |work| {
            values(&DUELS, &LAYERS, &[START], &mut work.clone()).err()
        }),
        case("impartial/control/notation.rs read", |work| {
            match Control::read(&chain(400), &mut work.clone()) {
                Err(ReadError::Interrupted(interrupted)) => Some(interrupted),
                other => other.map(|_| None).unwrap(),
            }
        }),
        case("impartial/control/value.rs forced", |work| CHAINS[0].forced(&mut work.clone()).err()),
        case("impartial/control/value.rs relation", |work| {
            CHAINS[0].relation(&CHAINS[1], &mut work.clone()).err()
        }),
        case("impartial/control/value.rs sum", |work| {
            Control::sum(&CHAINS[..], &mut work.clone()).err()
        }),
        brief("impartial/control/value.rs meet", |work| {
            Control::meet(&CHAINS[..], &mut work.clone()).err()
        }),
        case("impartial/sum.rs value_within", |work| chains().value_within(work).err()),
        case("impartial/sum.rs outcome_within", |work| chains().outcome_within(work).err()),
        case("impartial/value.rs sum", |work| {
            let values = CHAINS.clone().map(AnyValue::from);
            AnyValue::sum(&values, &mut work.clone()).err()
        }),
        case("impartial/control/context.rs context", |work| {
            CHAINS[0].context(&CHAINS[1], &mut work.clone()).err()
        }),
        case("impartial/control/representative.rs representative", |work| {
            let value = Control::read("[0/1, 0/2, >1]", &mut Work::endless()).unwrap();
            value.representative(&mut work.clone()).err()
        }),
    ]
}
