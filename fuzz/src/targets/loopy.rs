//! Loopy partizan games: arbitrary small graphs against plain fixpoints, their notation, and
//! unicycles.

use nimoon::partizan::notation::{EvaluateError, Expression};
use nimoon::partizan::unicycle::Pattern;
use nimoon::{
    partizan::{Graph, Outcomes, Sides, Stoppers, Vertex, Winner, order},
    player::Player,
};
use nimoon_oracle::loopy::{Difference, Endless, Order, Partizan, Player as Plain};

use crate::bytes::{Bytes, text, within};
use crate::limits::{enough_work, little_work, some_work};

/// The most vertices of a graph.
pub(crate) const MOST_VERTICES: usize = 7;
/// The longest text that is read back.
const MOST_TEXT: usize = 2_000;
/// The most options of a player.
const MOST_OPTIONS: usize = 4;

/// A graph from bytes: the number of vertices, and for each the numbers of options and the options.
fn graph(bytes: &mut Bytes<'_>) -> Partizan {
    let len = 1 + bytes.below(MOST_VERTICES);
    let mut graph = Partizan { left: Vec::new(), right: Vec::new() };
    for _ in 0..len {
        let head = usize::from(bytes.byte());
        let mut options = |count: usize| {
            let mut options: Vec<usize> = (0..count).map(|_| bytes.below(len)).collect();
            options.sort_unstable();
            options.dedup();
            options
        };
        graph.left.push(options(head % (MOST_OPTIONS + 1)));
        graph.right.push(options(head / 16 % (MOST_OPTIONS + 1)));
    }
    graph
}

/// The bytes that [`graph`] reads as this one; none if it is too large.
pub(crate) fn graph_bytes(left: &[Vec<usize>], right: &[Vec<usize>]) -> Option<Vec<u8>> {
    let small = |lists: &[Vec<usize>]| lists.iter().all(|list| list.len() <= MOST_OPTIONS);
    if left.len() > MOST_VERTICES || !small(left) || !small(right) {
        return None;
    }
    let mut bytes = vec![left.len() as u8 - 1];
    for (left, right) in left.iter().zip(right) {
        bytes.push((right.len() * 16 + left.len()) as u8);
        bytes.extend(left.iter().chain(right).map(|&to| to as u8));
    }
    Some(bytes)
}

fn engine(plain: &Partizan) -> Graph {
    let edges = |lists: &[Vec<usize>]| {
        let lists = lists.iter().zip(0..);
        let edges = lists.flat_map(|(list, from)| list.iter().map(move |&to| (from, to as Vertex)));
        edges.collect::<Vec<(Vertex, Vertex)>>()
    };
    Graph::new(plain.len(), edges(&plain.left), edges(&plain.right)).expect("ends are vertices")
}

fn oracle(graph: &Graph) -> Partizan {
    let lists = |player: Player| {
        let options = (0..graph.len() as Vertex).map(|vertex| graph.options(vertex, player));
        options.map(|list| list.iter().map(|&to| to as usize).collect()).collect()
    };
    Partizan { left: lists(Player::Left), right: lists(Player::Right) }
}

fn winner(winner: Winner) -> Option<Plain> {
    winner.map(|player| match player {
        Player::Left => Plain::Left,
        Player::Right => Plain::Right,
    })
}

/// Outcomes, order, sides and their text.
pub(super) fn sides(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let plain = graph(bytes);
    let start = bytes.below(plain.len());
    let other = bytes.below(plain.len());
    let graph = engine(&plain);
    let vertex = start as Vertex;
    let outcomes = Outcomes::new(&graph);
    for (first, player) in Player::BOTH.into_iter().enumerate() {
        let compared = winner(outcomes.winner(vertex, player));
        assert_eq!(compared, plain.outcomes()[start][first], "{plain:?} at {start}, {player:?}");
    }
    assert_eq!(graph.is_stopper(vertex), plain.is_stopper(start));
    let order = Order::new(&plain, &plain);
    let compared = order::compare((&graph, vertex), (&graph, other as Vertex), &mut enough_work());
    let compared = compared.expect("the budget is enough");
    assert_eq!(compared.ge_plus, order.ge_plus(start, other), "{plain:?}: {start} {other}");
    assert_eq!(compared.ge_minus, order.ge_minus(start, other), "{plain:?}: {start} {other}");
    assert_eq!(compared.le_plus, order.ge_plus(other, start), "{plain:?}: {start} {other}");
    assert_eq!(compared.le_minus, order.ge_minus(other, start), "{plain:?}: {start} {other}");
    let mut stoppers = Stoppers::new();
    let found = stoppers.sides(&graph, vertex, &mut enough_work()).expect("the budget is enough");
    for (side, endless) in [(found.onside, Endless::InFirst), (found.offside, Endless::InSecond)] {
        let Some(side) = side else {
            assert!(!plain.is_stopper(start), "a stopper has its sides: {plain:?}");
            continue;
        };
        let side = oracle(&stoppers.graph(side));
        assert!(side.is_stopper(0));
        let equal = Difference::new(&side, &plain, endless).survives(0, start, Plain::Right)
            && Difference::new(&plain, &side, endless).survives(start, 0, Plain::Right);
        assert!(equal, "{plain:?} at {start}: {side:?} is not its side");
    }
    read_back(&mut stoppers, found);
}

/// The text of sides is read as the same sides.
fn read_back(stoppers: &mut Stoppers, sides: Sides) {
    let Some(text) = stoppers.sides_text(sides) else { return };
    // Options are written at every occurrence, and reading texts of many kilobytes takes long.
    if text.len() > MOST_TEXT || text.contains("...") {
        return;
    }
    let read: Expression = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    match read.evaluate(stoppers, &mut some_work()) {
        Ok(game) => assert_eq!(game.sides(), sides, "{text}"),
        Err(EvaluateError::Interrupted(_)) => {}
        Err(error) => panic!("{text}: {error}"),
    }
}

/// Any text is a game or an error at a place; the value of a game is printed and read back.
pub(super) fn notation(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let expression: Expression = match text.parse() {
        Ok(expression) => expression,
        Err(error) => return within(text, error.at),
    };
    let mut stoppers = Stoppers::new();
    let game = match expression.evaluate(&mut stoppers, &mut little_work()) {
        Ok(game) => game,
        Err(EvaluateError::Notation(error)) => return within(text, error.at),
        Err(_) => return,
    };
    let sides = game.sides();
    let mut work = little_work();
    let _ = game.is_stopper(&stoppers, &mut work);
    if let Ok(Some(graph)) = game.graph(&stoppers, &mut work)
        && let Ok(again) = stoppers.sides(&graph, 0, &mut work)
    {
        for (one, other) in [(sides.onside, again.onside), (sides.offside, again.offside)] {
            assert!(one.is_none() || other.is_none() || one == other, "{text}");
        }
    }
    read_back(&mut stoppers, sides);
}

/// Patterns are printed as they are read, and their necklace is a rotation.
pub(super) fn unicycles(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let Ok(pattern) = text.parse::<Pattern>() else { return };
    let printed = pattern.to_string();
    assert_eq!(printed.parse::<Pattern>().as_ref(), Ok(&pattern));
    let necklace = pattern.necklace();
    assert_eq!(necklace.necklace(), necklace);
    assert!(printed.repeat(2).contains(&necklace.to_string()));
    assert_eq!(pattern.admissible().is_ok(), necklace.admissible().is_ok());
}
