//! Sides of any loopy games and of sums against plain fixpoints, and the laws of sums.

use crate::loopy_common::{
    all_graphs, all_stoppers, config, engine, graphs, oracle, plain, stopper, stopper_graphs,
};
use nimoon::{
    Limits, Work,
    partizan::{Graph, Sides, Stopper, Stoppers, Vertex},
    player::Player,
};
use nimoon_oracle::loopy::{Difference, Endless, Partizan, Player as Plain, Sum};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value as Json;

fn sides(stoppers: &mut Stoppers, graph: &Graph, vertex: usize) -> Sides {
    stoppers.sides(graph, vertex as Vertex, &mut Work::default()).expect("within the budget")
}

fn sum(stoppers: &mut Stoppers, a: Sides, b: Sides) -> Sides {
    stoppers.sum(a, b, &mut Work::default()).expect("within the budget")
}

/// Whether two vertices are equal if endless play is a win for Left, or for Right.
fn equal(a: (&Partizan, usize), b: (&Partizan, usize), plus: bool) -> bool {
    let endless = if plus { Endless::InFirst } else { Endless::InSecond };
    Difference::new(a.0, b.0, endless).survives(a.1, b.1, Plain::Right)
        && Difference::new(b.0, a.0, endless).survives(b.1, a.1, Plain::Right)
}

/// Whether sides, as far as they were found, are those of a vertex.
fn check_sides(
    stoppers: &Stoppers,
    sides: Sides,
    graph: &Partizan,
    vertex: usize,
) -> Result<(), TestCaseError> {
    for (side, plus) in [(sides.onside, true), (sides.offside, false)] {
        if let Some(side) = side {
            let side = oracle(&stoppers.graph(side));
            prop_assert!(side.is_stopper(0));
            let sign = if plus { "plus" } else { "minus" };
            prop_assert!(
                equal((&side, 0), (graph, vertex), plus),
                "{} at {}: {:?}",
                sign,
                vertex,
                side
            );
        }
    }
    Ok(())
}

/// Sides are found or not, but never contradict each other.
fn agree(a: Sides, b: Sides) -> Result<(), TestCaseError> {
    for (one, other) in [(a.onside, b.onside), (a.offside, b.offside)] {
        if let (Some(one), Some(other)) = (one, other) {
            prop_assert_eq!(one, other);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn sides_are_those_of_the_fixpoint(graph in all_graphs(8)) {
        let engine = engine(&graph);
        let mut stoppers = Stoppers::new();
        for vertex in 0..graph.len() {
            let sides = sides(&mut stoppers, &engine, vertex);
            check_sides(&stoppers, sides, &graph, vertex)?;
        }
    }

    #[test]
    fn sides_show_who_wins(graph in all_graphs(8)) {
        let engine = engine(&graph);
        let outcomes = graph.outcomes();
        let mut stoppers = Stoppers::new();
        for (vertex, outcome) in outcomes.iter().enumerate() {
            let sides = sides(&mut stoppers, &engine, vertex);
            for (first, &known) in Player::BOTH.into_iter().zip(outcome) {
                let actual = stoppers.winner(sides, first, &mut Work::default()).unwrap();
                match actual {
                    Some(actual) => prop_assert_eq!(actual.map(plain), known, "vertex {}", vertex),
                    None => prop_assert!(sides.onside.is_none() || sides.offside.is_none()),
                }
            }
        }
    }

    #[test]
    fn the_sides_of_the_negative_are_the_negatives_exchanged(graph in all_graphs(7)) {
        let [plus, minus] = [engine(&graph), engine(&graph.negative())];
        let mut stoppers = Stoppers::new();
        for vertex in 0..graph.len() {
            let [one, other] =
                [&plus, &minus].map(|graph| sides(&mut stoppers, graph, vertex));
            let negative = |stoppers: &mut Stoppers, side: Option<Stopper>| {
                side.map(|side| stoppers.negative(side))
            };
            prop_assert_eq!(negative(&mut stoppers, one.onside), other.offside);
            prop_assert_eq!(negative(&mut stoppers, one.offside), other.onside);
        }
    }
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn sums_have_the_sides_of_the_product(a in graphs(4), b in all_graphs(3)) {
        let product = Sum::new(&[&a, &b]);
        let [of_a, of_b, of_product] = [engine(&a), engine(&b), engine(&product.graph)];
        let mut stoppers = Stoppers::new();
        let [u, v] = [a.len() - 1, b.len() - 1];
        let start = product.place(&[u, v]);
        let [one, other] = [sides(&mut stoppers, &of_a, u), sides(&mut stoppers, &of_b, v)];
        let actual = sum(&mut stoppers, one, other);
        check_sides(&stoppers, actual, &product.graph, start)?;
        agree(actual, sides(&mut stoppers, &of_product, start))?;
        prop_assert_eq!(actual, sum(&mut stoppers, other, one));
    }

    #[test]
    fn sums_of_stoppers_have_the_sides_of_the_product(a in all_stoppers(5), b in stopper_graphs(4)) {
        let product = Sum::new(&[&a, &b]);
        let [of_a, of_b] = [engine(&a), engine(&b)];
        let mut stoppers = Stoppers::new();
        let [u, v] = [a.len() - 1, b.len() - 1];
        let [one, other] = [stopper(&mut stoppers, &of_a, u), stopper(&mut stoppers, &of_b, v)];
        let actual = sum(&mut stoppers, Sides::of(one), Sides::of(other));
        check_sides(&stoppers, actual, &product.graph, product.place(&[u, v]))?;
    }

    #[test]
    fn sums_commute_and_associate(a in all_graphs(5), b in graphs(4), c in graphs(4)) {
        let mut stoppers = Stoppers::new();
        let [a, b, c] = [a, b, c].map(|graph| sides(&mut stoppers, &engine(&graph), graph.len() - 1));
        let a_b = sum(&mut stoppers, a, b);
        prop_assert_eq!(a_b, sum(&mut stoppers, b, a));
        let b_c = sum(&mut stoppers, b, c);
        let one = sum(&mut stoppers, a_b, c);
        let other = sum(&mut stoppers, a, b_c);
        agree(one, other)?;
        let zero = sum(&mut stoppers, a, Sides::of(Stoppers::ZERO));
        prop_assert_eq!(zero, a);
    }

    #[test]
    fn adding_the_same_keeps_the_order(graph in all_stoppers(6), c in graphs(4)) {
        let mut stoppers = Stoppers::new();
        let engine_graph = engine(&graph);
        let c = sides(&mut stoppers, &engine(&c), 0);
        let from = graph.len().saturating_sub(5);
        let forms: Vec<Stopper> =
            (from..graph.len()).map(|v| stopper(&mut stoppers, &engine_graph, v)).collect();
        for &a in &forms {
            for &b in &forms {
                if !stoppers.ge(a, b, &mut Work::default()).unwrap() {
                    continue;
                }
                let [more, less] = [a, b].map(|form| sum(&mut stoppers, Sides::of(form), c));
                for (more, less) in [(more.onside, less.onside), (more.offside, less.offside)] {
                    if let (Some(more), Some(less)) = (more, less) {
                        prop_assert!(stoppers.ge(more, less, &mut Work::default()).unwrap());
                    }
                }
            }
        }
    }

    #[test]
    fn a_stopper_and_its_negative_add_up_to_both_sides_of_0(graph in stopper_graphs(5)) {
        let mut stoppers = Stoppers::new();
        let engine = engine(&graph);
        for vertex in 0..graph.len() {
            let form = stopper(&mut stoppers, &engine, vertex);
            let minus = stoppers.negative(form);
            let actual = sum(&mut stoppers, Sides::of(form), Sides::of(minus));
            let mut work = Work::default();
            if let Some(onside) = actual.onside {
                prop_assert!(stoppers.ge(onside, Stoppers::ZERO, &mut work).unwrap());
            }
            if let Some(offside) = actual.offside {
                prop_assert!(stoppers.ge(Stoppers::ZERO, offside, &mut work).unwrap());
            }
        }
    }
}

/// Graphs with so many vertices that their onsides are guessed before vertices are compared.
fn large_graphs() -> impl Strategy<Value = Partizan> {
    (14_usize..=24).prop_flat_map(|len| {
        let edge = (any::<bool>(), 0..len, 0..len);
        prop::collection::vec(edge, 2 * len..5 * len).prop_map(move |edges| {
            let empty = || vec![Vec::new(); len];
            let mut graph = Partizan { left: empty(), right: empty() };
            for (left, from, to) in edges {
                let lists = if left { &mut graph.left } else { &mut graph.right };
                if !lists[from].contains(&to) {
                    lists[from].push(to);
                }
            }
            graph
        })
    })
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn sides_of_large_graphs_are_those_of_the_fixpoint(graph in large_graphs()) {
        let of_graph = engine(&graph);
        // One at a time, and together with what was found for the others.
        let mut together = Stoppers::new();
        for vertex in 0..graph.len() {
            let mut alone = Stoppers::new();
            let actual = sides(&mut alone, &of_graph, vertex);
            check_sides(&alone, actual, &graph, vertex)?;
            let again = sides(&mut together, &of_graph, vertex);
            for (one, other) in [(actual.onside, again.onside), (actual.offside, again.offside)] {
                if let (Some(one), Some(other)) = (one, other) {
                    prop_assert_eq!(alone.graph(one), together.graph(other));
                }
            }
        }
    }
}

#[test]
fn nearly_all_random_graphs_get_both_sides() {
    let mut runner = TestRunner::new(config(1));
    let (mut both, mut all) = (0, 0);
    let mut stoppers = Stoppers::new();
    for _ in 0..4000 {
        let graph = graphs(8).new_tree(&mut runner).expect("a graph").current();
        let start = graph.len() - 1;
        if graph.is_stopper(start) {
            continue;
        }
        let sides = sides(&mut stoppers, &engine(&graph), start);
        all += 1;
        both += u32::from(sides.onside.is_some() && sides.offside.is_some());
    }
    println!("{both} of {all} random graphs that are not stoppers get both sides");
    assert!(all > 1000 && both * 100 >= all * 99, "{both} of {all}");
}

#[test]
fn options_that_bring_back_each_other_do_not_go_round() {
    // Bypassing options of Left brings others back here, which are reversible in turn.
    let left = [
        (0, 0),
        (0, 1),
        (0, 5),
        (1, 0),
        (2, 1),
        (2, 3),
        (3, 3),
        (3, 7),
        (4, 2),
        (4, 3),
        (6, 3),
        (7, 2),
        (7, 5),
        (7, 7),
    ];
    let right = [
        (0, 1),
        (0, 4),
        (0, 5),
        (1, 3),
        (1, 4),
        (2, 1),
        (3, 1),
        (4, 1),
        (4, 6),
        (5, 7),
        (6, 1),
        (6, 3),
        (6, 5),
        (7, 5),
    ];
    let graph = Graph::new(8, left, right).unwrap();
    let mut stoppers = Stoppers::new();
    let sides = stoppers.sides(&graph, 0, &mut Work::new(Limits::new(100_000))).expect("it ends");
    check_sides(&stoppers, sides, &oracle(&graph), 0).unwrap();
    assert!(sides.offside.is_some());
}

#[test]
fn no_wrong_step_is_taken() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/loopy.json");
    let cases: Json =
        serde_json::from_str(&std::fs::read_to_string(file).expect(file)).expect(file);
    let graph = |json: &Json| {
        let [left, right] = ["L", "R"].map(|key| {
            let lists = json[key].as_array().expect("lists").iter();
            let vertex = |to: &Json| to.as_u64().expect("a vertex") as usize;
            lists
                .map(|list| list.as_array().expect("a list").iter().map(vertex).collect())
                .collect()
        });
        Partizan { left, right }
    };
    let traps = cases["lemma_traps"].as_array().expect("traps");
    let mut found = 0;
    for trap in traps {
        let [before, after] = ["before", "after"].map(|key| graph(&trap[key]));
        for negated in [false, true] {
            let [before, after] = [&before, &after]
                .map(|graph| if negated { graph.negative() } else { graph.clone() });
            let mut stoppers = Stoppers::new();
            for (vertex, kept) in
                trap["plus_value_preserved"].as_array().unwrap().iter().enumerate()
            {
                let sides = sides(&mut stoppers, &engine(&before), vertex);
                found += usize::from(sides.onside.is_some()) + usize::from(sides.offside.is_some());
                check_sides(&stoppers, sides, &before, vertex).expect("the sides");
                // The trap is one: the oracle says so too.
                if let Some(kept) = kept.as_bool() {
                    let same = equal((&before, vertex), (&after, vertex), !negated);
                    assert_eq!(same, kept, "{}", trap["note"]);
                }
            }
        }
    }
    println!("{found} sides in {} traps", traps.len());
    assert!(traps.len() >= 8 && found > 60, "{found}");
}
