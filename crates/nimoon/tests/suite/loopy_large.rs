//! Graphs that are long, and questions that are stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nimoon::partizan::order::{Relation, compare};
use nimoon::{
    Interrupted, Limits, Work,
    partizan::{Graph, Outcomes, Sides, Stoppers, Vertex},
    player::Player,
};

const LONG: Vertex = 100_000;

/// A chain of Left's moves to 0: the integer of its length.
fn chain(len: Vertex) -> Graph {
    Graph::new(len as usize + 1, (0..len).map(|v| (v, v + 1)), []).expect("a chain")
}

/// Steps round a cycle: Left's where `left` says so, with Right's exit to 0 or the other way round.
fn cycle(len: Vertex, left: impl Fn(Vertex) -> bool, exits: bool) -> Graph {
    let mut edges = [Vec::new(), Vec::new()];
    for v in 0..len {
        let side = usize::from(!left(v));
        edges[side].push((v, (v + 1) % len));
        if exits {
            edges[1 - side].push((v, len));
        }
    }
    let [left, right] = edges;
    Graph::new(len as usize + 1, left, right).expect("a cycle")
}

fn both_sides(stoppers: &mut Stoppers, graph: &Graph) -> Sides {
    stoppers.sides(graph, 0, &mut Work::default()).expect("within the budget")
}

#[test]
fn a_long_chain_is_an_integer() {
    let graph = chain(LONG);
    assert!(graph.is_stopper(0));
    let outcomes = Outcomes::new(&graph);
    assert_eq!(outcomes.winner(0, Player::Right), Some(Player::Left));
    let compared = compare((&graph, 0), (&graph, 1), &mut Work::default()).unwrap();
    assert_eq!(compared.relation(), Relation::Greater);
    let mut stoppers = Stoppers::new();
    let sides = both_sides(&mut stoppers, &graph);
    let integer = sides.stopper().expect("an integer");
    assert_eq!(stoppers.len(), LONG as usize + 1);
    let actual = stoppers.graph(integer);
    assert_eq!(actual.len(), LONG as usize + 1);
    assert!((0..LONG).all(|v| actual.options(v, Player::Left) == [v + 1]));
}

#[test]
fn a_long_chain_of_both_players_is_0_or_star() {
    let edges = || (0..LONG).map(|v| (v, v + 1));
    let graph = Graph::new(LONG as usize + 1, edges(), edges()).unwrap();
    let mut stoppers = Stoppers::new();
    assert_eq!(both_sides(&mut stoppers, &graph).stopper(), Some(Stoppers::ZERO));
    assert_eq!(stoppers.len(), 2);
    assert_eq!(Outcomes::new(&graph).winner(0, Player::Left), Some(Player::Right));
}

#[test]
fn a_long_cycle_of_one_colour_is_on() {
    let graph = cycle(LONG, |_| true, false);
    assert!(graph.is_stopper(0));
    assert_eq!(Outcomes::new(&graph).winner(0, Player::Right), Some(Player::Left));
    let on = Graph::new(1, [(0, 0)], []).unwrap();
    let compared = compare((&graph, 0), (&on, 0), &mut Work::default()).unwrap();
    assert_eq!(compared.relation(), Relation::Equal);
    let mut stoppers = Stoppers::new();
    let actual = both_sides(&mut stoppers, &graph).stopper().expect("a stopper");
    assert_eq!(stoppers.graph(actual), on);
}

#[test]
fn a_long_cycle_of_both_colours_is_dud() {
    let edges = || (0..LONG).map(|v| (v, (v + 1) % LONG));
    let graph = Graph::new(LONG as usize, edges(), edges()).unwrap();
    assert_eq!(Outcomes::new(&graph).winner(0, Player::Left), None);
    let dud = Graph::new(1, [(0, 0)], [(0, 0)]).unwrap();
    let compared = compare((&graph, 0), (&dud, 0), &mut Work::default()).unwrap();
    assert_eq!(compared.relation(), Relation::Equal);
    let mut stoppers = Stoppers::new();
    let actual = both_sides(&mut stoppers, &graph);
    assert_eq!(actual, both_sides(&mut stoppers, &dud));
}

#[test]
fn a_long_cycle_with_exits_to_0_is_a_short_one() {
    // under = {under|0}
    let graph = cycle(LONG, |_| true, true);
    let mut stoppers = Stoppers::new();
    let actual = both_sides(&mut stoppers, &graph).stopper().expect("a stopper");
    assert_eq!(stoppers.graph(actual), Graph::new(2, [(0, 0)], [(0, 1)]).unwrap());
    assert_eq!(Outcomes::new(&graph).winner(0, Player::Left), Some(Player::Right));
}

/// A canonical cycle of any length: Left's steps in two runs with single steps of Right between
/// them, the exits * and *2 on the runs, 0 for Left.
fn unicycle(run: Vertex) -> Graph {
    let len = 2 * run + 2;
    let [zero, star, star2] = [len, len + 1, len + 2];
    let mut left = vec![(star, zero), (star2, zero), (star2, star)];
    let mut right = left.clone();
    for v in 0..len {
        let next = (v + 1) % len;
        if v == run || v == 2 * run + 1 {
            right.push((v, next));
            left.push((v, zero));
        } else {
            left.push((v, next));
            right.push((v, if v < run { star } else { star2 }));
        }
    }
    Graph::new(len as usize + 3, left, right).expect("a cycle")
}

#[test]
fn a_long_canonical_cycle_stays_as_it_is() {
    let graph = unicycle(300);
    let mut stoppers = Stoppers::new();
    let actual = both_sides(&mut stoppers, &graph).stopper().expect("a stopper");
    let form = stoppers.graph(actual);
    assert_eq!(form.len(), graph.len());
    let minus = stoppers.negative(actual);
    assert_ne!(minus, actual);
    assert_eq!(stoppers.negative(minus), actual);
    let turned = stoppers.onside(&form, 0, &mut Work::default()).unwrap();
    assert_eq!(turned, Some(actual));
}

#[test]
fn a_small_budget_is_kept() {
    let budget = 100;
    let over = Interrupted::positions(budget);
    let graph = chain(1000);
    let mut work = Work::new(Limits::new(budget));
    assert_eq!(compare((&graph, 0), (&graph, 1), &mut work), Err(over));
    // It stays used up.
    assert_eq!(compare((&graph, 1000), (&graph, 999), &mut work), Err(over));
    let mut stoppers = Stoppers::new();
    assert_eq!(stoppers.sides(&graph, 0, &mut Work::new(Limits::new(budget))), Err(over));
    let short = unicycle(20);
    assert_eq!(stoppers.sides(&short, 0, &mut Work::new(Limits::new(budget))), Err(over));
    let actual = both_sides(&mut stoppers, &short);
    let sum = stoppers.sum(actual, actual, &mut Work::new(Limits::new(budget)));
    assert_eq!(sum, Err(over));
    // What was interrupted does no harm to what comes after.
    let mut other = Stoppers::new();
    let again = both_sides(&mut other, &short).stopper().expect("a stopper");
    let actual = actual.stopper().expect("a stopper");
    assert_eq!(other.graph(again), stoppers.graph(actual));
}

#[test]
fn a_flag_stops_a_long_comparison() {
    let stop = Arc::new(AtomicBool::new(true));
    let stopped = || Work::default().until(Arc::clone(&stop));
    let graph = chain(5000);
    let mut work = stopped();
    assert_eq!(compare((&graph, 0), (&graph, 1), &mut work), Err(Interrupted::Stopped));
    assert!(work.used() <= 1024, "{} states", work.used());
    let mut stoppers = Stoppers::new();
    assert_eq!(stoppers.sides(&graph, 0, &mut stopped()), Err(Interrupted::Stopped));
    let canonical = unicycle(600);
    assert_eq!(stoppers.onside(&canonical, 0, &mut stopped()), Err(Interrupted::Stopped));
}

#[test]
fn a_flag_that_is_set_by_another_thread_stops_too() {
    let stop = Arc::new(AtomicBool::new(false));
    let mut work = Work::new(Limits::new(u64::MAX)).until(Arc::clone(&stop));
    // Left can always move in the first, Right in the negative of the second. So nothing is decided
    // before every pair of vertices has been seen, far too many.
    let [a, b] = [99_991, 99_989].map(|len| {
        let edges = || (0..len).map(|v| (v, (v + 1) % len));
        Graph::new(len as usize, edges(), edges().skip(1)).expect("a cycle")
    });
    let other = std::thread::spawn(move || stop.store(true, Ordering::Relaxed));
    assert_eq!(compare((&a, 0), (&b, 0), &mut work), Err(Interrupted::Stopped));
    other.join().expect("the other thread");
}
