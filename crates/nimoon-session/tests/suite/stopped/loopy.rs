//! Reports about loopy games, and unicycles.

use nimoon::Work;
use nimoon::impartial::control::Control;
use nimoon::limits::Interrupted;
use nimoon::partizan::{Graph, Stoppers, Vertex};
use nimoon_formats::read::partizan::PartizanGame;
use nimoon_formats::write::lettered;
use nimoon_session::impartial_order::ImpartialComparison;
use nimoon_session::loopy::{ComparisonReport, DrawError, Drawing, LoopyGame, LoopyReport};
use nimoon_session::unicycle::{UnicycleOptions, Unicycles};

use crate::stopped::table::{Case, brief, case};

/// Two rows that end, in which each player moves in one direction.
fn row(len: Vertex) -> PartizanGame {
    let left = (1..len).map(|v| (v, v - 1));
    let right = (2..len).map(|v| (v, v - 2));
    let graph = Graph::new(len as usize, left, right).unwrap();
    PartizanGame { names: lettered(graph.len()), graph, start: len - 1 }
}

/// A circle with ways out on both sides, in which nothing is equal to anything.
pub(crate) fn circle(len: Vertex) -> PartizanGame {
    let next = |v: Vertex| (v + 1) % len;
    let left = (0..len).flat_map(|v| [(v, next(v)), (v, (v * 7 + 3) % len)]);
    let right = (0..len).flat_map(|v| [(v, next(next(v))), (v, (v * 5 + 2) % len)]);
    let (left, right) = (left.chain([(0, len)]), right.chain([(len / 2, len)]));
    let graph = Graph::new(len as usize + 1, left, right).unwrap();
    PartizanGame { names: lettered(graph.len()), graph, start: 0 }
}

/// A sum of switches of different temperatures, with as many followers as subsets.
pub(crate) fn switches(count: u32, from: u32) -> String {
    let terms: Vec<_> =
        (from..from + count).map(|n| format!("{{{}|-{}}}", 3 * n + 1, 2 * n + 1)).collect();
    terms.join(" + ")
}

/// A game that was found out without limits.
pub(crate) fn game(text: &str, stoppers: &mut Stoppers) -> LoopyGame {
    let game = LoopyGame::of_expression(text, stoppers, &mut Work::default()).unwrap();
    assert_eq!(game.interrupted, None);
    game
}

/// Asks about a game that is known.
fn of(
    name: &'static str,
    text: impl Fn() -> String + Send + Sync + 'static,
    ask: impl Fn(&LoopyGame, &mut Stoppers, &Work) -> Option<Interrupted> + Send + Sync + 'static,
) -> Case {
    case(name, move |work| {
        let mut stoppers = Stoppers::new();
        let game = game(&text(), &mut stoppers);
        ask(&game, &mut stoppers, work)
    })
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = of_games();
    cases.extend(of_reports());
    cases.extend(of_unicycles());
    cases
}

fn of_games() -> Vec<Case> {
    vec![
        case("loopy/mod.rs of_graph", |work| {
            LoopyGame::of_graph(row(20_000), &mut Stoppers::new(), &mut work.clone()).interrupted
        }),
        case("loopy/mod.rs of_expression, its sides", |work| {
            let mut stoppers = Stoppers::new();
            let game = LoopyGame::of_expression(&switches(16, 1), &mut stoppers, &mut work.clone());
            game.unwrap().interrupted
        }),
        of(
            "loopy/mod.rs given",
            || "10000*dud + 10000*{dud|3}".to_owned(),
            |game, stoppers, work| game.given(stoppers, &mut work.clone()).err(),
        ),
        brief("impartial_order.rs new", |work| {
            let value = |text| Control::read(text, &mut Work::endless()).unwrap();
            let values = ["[0/[1, 2]]", "[0/1, 0/2]"].map(value);
            ImpartialComparison::new(&values, &mut work.clone()).err()
        }),
        case("loopy/comparison.rs find", |work| {
            let mut stoppers = Stoppers::new();
            let games = [1, 9].map(|from| game(&switches(8, from), &mut stoppers));
            let mut report = ComparisonReport::default();
            report.find(&games, &mut stoppers, &mut work.clone()).err()
        }),
        of(
            "loopy/mod.rs draw, a graph as given",
            || "10000*dud + 10000*{dud|3}".to_owned(),
            |game, stoppers, work| match game.draw(stoppers, Drawing::Dot, true, work) {
                Err(DrawError::Interrupted(interrupted)) => Some(interrupted),
                other => other.map(|_| None).unwrap(),
            },
        ),
        of(
            "loopy/mod.rs draw, a canonical form",
            || switches(7, 1),
            |game, stoppers, work| match game.draw(stoppers, Drawing::Dot, false, work) {
                Err(DrawError::Interrupted(interrupted)) => Some(interrupted),
                other => other.map(|_| None).unwrap(),
            },
        ),
    ]
}

fn of_reports() -> Vec<Case> {
    vec![
        // Where deciding takes long, simplifying takes much longer.
        brief("loopy/mod.rs new", |work| {
            let mut stoppers = Stoppers::new();
            let game = game(&switches(8, 1), &mut stoppers);
            LoopyReport::new(&game, &mut stoppers, &mut work.clone()).interrupted()
        }),
        of(
            "loopy/mod.rs with_vertices",
            || switches(5, 1),
            |game, stoppers, work| {
                let report = LoopyReport::new(game, stoppers, &mut Work::default());
                report.with_vertices(game, stoppers, &mut work.clone()).interrupted()
            },
        ),
        // The values of at most 40 vertices, which are left out where they are not found in time.
        brief("loopy/mod.rs text", |work| {
            let mut stoppers = Stoppers::new();
            let game = game(&switches(2, 1), &mut stoppers);
            let report = LoopyReport::new(&game, &mut stoppers, &mut Work::default());
            report.text(&mut stoppers, work).unwrap().1
        }),
    ]
}

fn of_unicycles() -> Vec<Case> {
    vec![
        case("unicycle.rs new, the search", |work| {
            let exits = (0..28).map(|n| format!("*{n}")).collect::<Vec<_>>().join(",");
            let options = UnicycleOptions { count: true, ..UnicycleOptions::default() };
            let mut unicycles = Unicycles::new(&exits, options, work.clone()).unwrap();
            let pattern = "LLLRLRRRLRLLRLRRLLRLRR".parse().unwrap();
            unicycles.answer(&pattern).unwrap().interrupted
        }),
        Case {
            looks: vec![1, 20],
            ..case("unicycle.rs new, the exits", |work| {
                let (exit, options) = (switches(9, 1), UnicycleOptions::default());
                let mut unicycles = Unicycles::new(&exit, options, work.clone()).unwrap();
                // It ends before the search.
                work.check().err()?;
                unicycles.answer(&"LLRR".parse().unwrap()).unwrap().interrupted
            })
        },
    ]
}
