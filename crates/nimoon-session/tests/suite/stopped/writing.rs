//! Certificates, payoffs and sums of pieces on nodes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use nimoon::limits::Interrupted;
use nimoon::partizan::Stoppers;
use nimoon::{Digraph, Labelling, Node, Outcome, Sum, Theory, Work, label};
use nimoon_formats::read::{Format, read};
use nimoon_formats::source::Terminal;
use nimoon_formats::{Game, Names};
use nimoon_session::certificate::{
    ComparisonCertificate, LabelsCertificate, LoopyCertificate, NoCertificate, OrderCertificate,
};
use nimoon_session::report::{Missing, Payoffs, PayoffsError, SumReport};

use crate::stopped::loopy::{circle, game, switches};
use crate::stopped::table::{Case, brief, case};

type Labelled = (Game, Labelling);

fn labelled(len: Node, gray: &[Node], arcs: Vec<(Node, Node)>) -> Labelled {
    let digraph = Digraph::new(len as usize, gray.iter().copied(), arcs).unwrap();
    let labelling = label(&digraph, None, &Work::default()).unwrap();
    let game =
        Game { digraph, names: Names::numbered(len), terminals: Vec::new(), players: Vec::new() };
    (game, labelling)
}

/// A circle with a way out, which has no value in the general theory that adds.
static CIRCLE: LazyLock<Labelled> = LazyLock::new(|| {
    const LEN: Node = 200;
    let mut arcs: Vec<(Node, Node)> = (0..LEN).map(|node| (node, (node + 1) % LEN)).collect();
    arcs.extend([(0, LEN), (LEN, LEN + 1), (LEN, 1)]);
    labelled(LEN + 2, &[LEN], arcs)
});

/// The same with a long row before it.
static LONG: LazyLock<Labelled> = LazyLock::new(|| {
    const LEN: Node = 20_000;
    let mut arcs: Vec<(Node, Node)> = (1..LEN).map(|node| (node, node - 1)).collect();
    arcs.extend([(LEN, 1), (LEN, 2), (LEN + 1, LEN), (LEN + 1, LEN + 1)]);
    labelled(LEN + 2, &[LEN], arcs)
});

/// Nim-heaps, where values tell everything and the search has to list the turns.
static HEAPS: LazyLock<Labelled> = LazyLock::new(|| {
    let arcs = (0..200).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    labelled(200, &[], arcs)
});

fn uncertified<T>(made: Result<T, NoCertificate>) -> Option<Interrupted> {
    match made.err()? {
        NoCertificate::Interrupted(interrupted) => Some(interrupted),
        other => panic!("{other}"),
    }
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = certificates();
    cases.extend(sums());
    cases.push(case("report/payoffs.rs new, payoffs", |work| {
        let game = payoff_game(Terminal::Payoff);
        solved(&game, work)
    }));
    cases.push(case("report/payoffs.rs new, endings", |work| {
        let game = payoff_game(|_| Terminal::Draw);
        solved(&game, work)
    }));
    cases
}

fn certificates() -> Vec<Case> {
    vec![
        case("certificate.rs new, of labels", |work| {
            let (game, labelling) = &*LONG;
            assert_eq!(labelling.theory(), Theory::General);
            uncertified(LabelsCertificate::new(&game.digraph, labelling, work))
        }),
        case("certificate.rs new, of a comparison", |work| {
            let [a, b] = [circle(300), circle(301)];
            uncertified(ComparisonCertificate::new(&a, &b, &mut work.clone()))
        }),
        case("certificate.rs new, of a loopy game", |work| {
            let mut stoppers = Stoppers::new();
            let game = game(&switches(8, 1), &mut stoppers);
            let given = game.given(&stoppers, &mut Work::default()).unwrap().unwrap();
            let sides = game.sides;
            uncertified(LoopyCertificate::new(&given, sides, &stoppers, &mut work.clone()))
        }),
        case("certificate/control.rs new", |work| {
            let (game, _) = &*LONG;
            let nodes = (20_001, 1);
            uncertified(OrderCertificate::new(&game.digraph, &game.names, nodes, work))
        }),
        case("certificate.rs with_sum", |work| {
            let (game, labelling) = &*CIRCLE;
            // A strategy is made of no more than 200,000 positions.
            let sum = Sum::new(&game.digraph, labelling, vec![0, 100]).unwrap();
            let labels =
                LabelsCertificate::new(&game.digraph, labelling, &Work::default()).unwrap();
            uncertified(labels.with_sum(&sum, Outcome::N, None, work))
        }),
    ]
}

/// How often the clock is checked.
fn looks(ask: impl Fn(&Work) -> Option<Interrupted>) -> u64 {
    let looks = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&looks);
    let work = Work::default().on_progress(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(ask(&work), None);
    looks.load(Ordering::Relaxed)
}

fn sums() -> Vec<Case> {
    fn reply(
        (game, labelling): &Labelled,
        nodes: &[Node],
        turns: Option<usize>,
        work: &Work,
    ) -> Option<Interrupted> {
        let (_, _, missing) =
            SumReport::of_nodes(game, labelling, nodes.to_vec(), work, turns).unwrap();
        missing.map(Missing::into_reason)
    }
    const FOUR: [Node; 4] = [199, 198, 197, 190];
    let before = looks(|work| reply(&HEAPS, &FOUR, None, work));
    let turns = case("report/placement.rs of_nodes, the turns", |work| {
        reply(&HEAPS, &FOUR, Some(usize::MAX), work)
    });
    vec![
        brief("report/placement.rs of_nodes, the answer", |work| {
            reply(&CIRCLE, &[0, 100, 150], None, work)
        }),
        Case { looks: vec![before + 1], ..turns },
    ]
}

/// A row with an end beside each node.
fn payoff_game(end: impl Fn(i64) -> Terminal) -> Game {
    const LEN: Node = 5000;
    let lines = (1..LEN).map(|node| format!("{node}: {} z{node}", node - 1));
    let lines = lines.collect::<Vec<_>>().join("\n");
    let mut game = read(Format::Game, lines.as_bytes()).unwrap().into_game().unwrap();
    let terminal = |node: &Node| game.digraph.options(*node).is_empty();
    let ends = game.digraph.nodes().filter(terminal);
    game.terminals = ends.map(|node| (node, end(i64::from(node % 50)))).collect();
    game
}

fn solved(game: &Game, work: &Work) -> Option<Interrupted> {
    let solved =
        Payoffs::new(game, work).and_then(|game_of| game_of.with_report(&game.names, |_| ()));
    match solved.err()? {
        PayoffsError::Interrupted { interrupted, .. } => Some(interrupted),
        other => panic!("{other}"),
    }
}
