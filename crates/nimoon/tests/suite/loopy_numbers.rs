//! What is added to a number is the canonical form of the product, and large sums are found at
//! once.

use crate::loopy_common::{engine, oracle, stopper};
use nimoon::partizan::notation::Expression;
use nimoon::{
    Limits, Work,
    partizan::{Graph, Sides, Stopper, Stoppers, Vertex},
};
use nimoon_oracle::loopy::Sum;

/// The game of a text.
fn value(stoppers: &mut Stoppers, text: &str, work: &mut Work) -> Sides {
    let expression: Expression = text.parse().expect("a game");
    expression.evaluate(stoppers, work).expect("within the budget").sides()
}

/// The stopper with these options.
fn with_options(stoppers: &mut Stoppers, left: &[Stopper], right: &[Stopper]) -> Stopper {
    let mut options = vec![[Vec::new(), Vec::new()]];
    for (side, list) in [left, right].into_iter().enumerate() {
        for &option in list {
            let graph = stoppers.graph(option);
            let base = options.len() as Vertex;
            options[0][side].push(base);
            options.extend((0..graph.len() as Vertex).map(|vertex| {
                nimoon::player::Player::BOTH.map(|player| {
                    graph.options(vertex, player).iter().map(|to| base + to).collect::<Vec<_>>()
                })
            }));
        }
    }
    let edges = |side: usize| {
        let lists = (0..).zip(&options);
        let edges =
            lists.flat_map(move |(from, both)| both[side].iter().map(move |&to| (from, to)));
        edges.collect::<Vec<_>>()
    };
    let graph = Graph::new(options.len(), edges(0), edges(1)).expect("a graph");
    stopper(stoppers, &graph, 0)
}

/// All games with at most so many options in all, at most two for each player, among these.
fn next_day(stoppers: &mut Stoppers, games: &[Stopper], most: usize) -> Vec<Stopper> {
    let mut lists: Vec<Vec<Stopper>> = vec![Vec::new()];
    lists.extend(games.iter().map(|&game| vec![game]));
    for (i, &one) in games.iter().enumerate() {
        lists.extend(games[..i].iter().map(|&other| vec![other, one]));
    }
    let mut found = Vec::new();
    for left in &lists {
        for right in lists.iter().filter(|right| left.len() + right.len() <= most) {
            found.push(with_options(stoppers, left, right));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A number and a game add up to what the product of their graphs is.
fn check_sum(stoppers: &mut Stoppers, number: Stopper, game: Stopper) {
    let [a, b] = [number, game].map(|term| oracle(&stoppers.graph(term)));
    let sum = stoppers.sum_onside(number, game, &mut Work::default()).expect("within the budget");
    let product = Sum::new(&[&a, &b]);
    let expected = stopper(stoppers, &engine(&product.graph), product.place(&[0, 0]));
    let text = |stopper| stoppers.text(stopper);
    assert_eq!(sum, Some(expected), "{} + {}", text(number), text(game));
}

#[test]
fn games_of_the_first_days_are_added_to_numbers() {
    let mut stoppers = Stoppers::new();
    let first = next_day(&mut stoppers, &[Stoppers::ZERO], 2);
    assert_eq!(first.len(), 4);
    let second = next_day(&mut stoppers, &first, 4);
    assert_eq!(second.len(), 22);
    let third = next_day(&mut stoppers, &second, 3);
    assert!(third.len() > 500, "{}", third.len());
    let numbers = ["1", "-1", "1/2", "-3/4", "3", "5/8", "-2"]
        .map(|text| value(&mut stoppers, text, &mut Work::default()).stopper().expect("a number"));
    for (i, &game) in third.iter().enumerate() {
        check_sum(&mut stoppers, numbers[i % numbers.len()], game);
    }
    for &game in &second {
        for number in numbers {
            check_sum(&mut stoppers, number, game);
        }
    }
}

#[test]
fn a_large_number_and_a_large_nimber_take_few_steps() {
    let mut stoppers = Stoppers::new();
    for text in ["1000+*100", "-9999+*3", "62+v300*5", "{62+*40|62+*41}", "*500-999999/1024"] {
        let sides = value(&mut stoppers, text, &mut Work::default());
        let printed = stoppers.sides_text(sides).expect("sides");
        assert_eq!(value(&mut stoppers, &printed, &mut Work::default()), sides, "{text}");
    }
}

#[test]
fn long_texts_of_sums_are_read_back_in_few_steps() {
    let enough = || Work::new(Limits::new(100_000_000));
    let mut stoppers = Stoppers::new();
    let sides = value(&mut stoppers, "61:1:*20:v2*", &mut enough());
    let printed = stoppers.sides_text(sides).expect("sides");
    assert!(printed.contains("62+*19"), "{printed}");
    assert_eq!(value(&mut stoppers, &printed, &mut enough()), sides);
    // Without what is known already.
    let mut others = Stoppers::new();
    let again = value(&mut others, &printed, &mut enough());
    assert_eq!(others.sides_text(again), Some(printed));
}
