//! Labels, sums and orders of random digraphs against play itself.

use std::cmp::Ordering;

use nimoon::impartial::control::{Control, Forcing, Layers};
use nimoon::{Node, Outcome, Theory};
use nimoon_oracle::{Board, Product};
use proptest::prelude::*;

use crate::common::{Plain, config};
use crate::control::{all_values, board, digraphs, work};

fn white(plain: &Plain) -> Vec<usize> {
    (0..plain.len()).filter(|&node| !plain.gray[node]).collect()
}

/// A digraph, and some of its white nodes, often the same.
fn with_pieces(most: usize, pieces: usize) -> impl Strategy<Value = (Plain, Vec<usize>)> {
    let with_white = digraphs(most).prop_filter("a white node", |plain| !white(plain).is_empty());
    with_white.prop_flat_map(move |plain| {
        let pieces = prop::collection::vec(prop::sample::select(white(&plain)), 1..=pieces);
        (Just(plain), pieces)
    })
}

/// Outcomes beside heaps are those of play, numbers are where play is lost, and what can be forced
/// without minimal sets of results is what the values say.
fn labels_are_right(plain: &Plain) -> Result<(), TestCaseError> {
    let digraph = plain.digraph();
    let work = work();
    let layers = Layers::of(&digraph, &work);
    let heaps = plain.len() + 1;
    let play = Product::new(&[&plain.board(), &Board::heap(heaps)]).unwrap();
    for node in digraph.nodes() {
        let outcomes = layers.outcomes(node);
        for k in 0..=heaps {
            let found = outcomes.beside(k as u64).map(|outcome| outcome.to_string());
            let played = play.outcome(&[node as usize, k]).map(|outcome| outcome.to_string());
            prop_assert_eq!(found, played, "node {} beside {}", node, k);
        }
    }
    let labelling = nimoon::label(&digraph, Some(Theory::General), &work).unwrap();
    prop_assert!(labelling.is_complete());
    for (node, value) in all_values(&digraph).into_iter().enumerate() {
        let Some(value) = value else { continue };
        // Terms that are found for all nodes at once are those of the automaton of each.
        let label = labelling.value(node as Node).and_then(|value| value.control()).unwrap();
        prop_assert_eq!(label.is_cyclic(), value.is_cyclic());
        if value.is_cyclic() {
            let relation = label.relation(&value, &mut self::work()).unwrap();
            prop_assert_eq!(relation, Some(Ordering::Equal));
        } else {
            prop_assert_eq!(&label, &value, "node {} of {:?}", node, plain);
        }
        prop_assert_eq!(value.wins_beside(), layers.outcomes(node as Node).win);
        prop_assert_eq!(value.as_number(), layers.number(node as Node));
        let forced = value.forced(&mut self::work()).unwrap();
        for number in 0..4 {
            let forcing = Forcing::of(&digraph, &layers, &work, |n| n == number).unwrap();
            prop_assert_eq!(forcing.can(node as Node), forced.contains(number));
        }
        let full = Forcing::of(&digraph, &layers, &work, |_| false).unwrap();
        prop_assert_eq!(full.can(node as Node), forced.is_everything());
    }
    Ok(())
}

fn sums_are_right(plain: &Plain, pieces: &[usize]) -> Result<(), TestCaseError> {
    let values = all_values(&plain.digraph());
    let parts = pieces.iter().map(|&node| values[node].clone().unwrap());
    let parts: Vec<Control> = parts.collect();
    let total = Control::sum(&parts, &mut work()).unwrap();
    let board = plain.board();
    let played = Product::reachable(&vec![&board; pieces.len()], pieces).unwrap();
    let played = played.outcome(pieces).map(|outcome| outcome.to_string());
    prop_assert_eq!(Some(total.outcome().to_string()), played, "{:?}", total);
    // In another order, and one after the other.
    let mut backwards = Control::number(0);
    for part in parts.iter().rev() {
        backwards = Control::sum(&[part.clone(), backwards], &mut work()).unwrap();
    }
    prop_assert_eq!(total.relation(&backwards, &mut work()).unwrap(), Some(Ordering::Equal));
    if !total.is_cyclic() {
        prop_assert_eq!(total, backwards);
    }
    Ok(())
}

/// The value of a node of the product digraph is the sum of the values.
fn products_are_sums(plain: &Plain, x: usize, y: usize) -> Result<(), TestCaseError> {
    let digraph = plain.digraph();
    let values = all_values(&digraph);
    let parts = [x, y].map(|node| values[node].clone().unwrap());
    let total = Control::sum(&parts, &mut work()).unwrap();
    let product = nimoon::graph::product::product(&digraph, x as Node, y as Node, &work()).unwrap();
    let found = all_values(&product.digraph)[0].clone().unwrap();
    prop_assert_eq!(found.relation(&total, &mut work()).unwrap(), Some(Ordering::Equal));
    if !total.is_cyclic() {
        prop_assert_eq!(found, total);
    }
    Ok(())
}

/// Two nodes compare as play says: a context that tells them apart does so in play, and where there
/// is none they have the order of their outcomes beside every node of the digraph and its heaps.
fn orders_are_right(plain: &Plain, x: usize, y: usize) -> Result<(), TestCaseError> {
    let rank = |outcome: nimoon_oracle::Outcome| match outcome {
        nimoon_oracle::Outcome::P => 0,
        nimoon_oracle::Outcome::D => 1,
        nimoon_oracle::Outcome::N => 2,
    };
    let values = all_values(&plain.digraph());
    let [a, b] = [x, y].map(|node| values[node].clone().unwrap());
    let relation = a.relation(&b, &mut work()).unwrap();
    if !a.is_cyclic() && !b.is_cyclic() {
        prop_assert_eq!(relation == Some(Ordering::Equal), a == b, "{} and {}", a, b);
    } else {
        prop_assert!(a != b || relation == Some(Ordering::Equal));
    }
    let own = plain.board();
    for (low, high, low_node, high_node) in [(&a, &b, x, y), (&b, &a, y, x)] {
        let below = if std::ptr::eq(low, &raw const a) {
            matches!(relation, Some(Ordering::Less | Ordering::Equal))
        } else {
            matches!(relation, Some(Ordering::Greater | Ordering::Equal))
        };
        let Some(context) = low.context(high, &mut work()).unwrap() else {
            prop_assert!(below, "{} and {}", low, high);
            // Beside all white nodes, and pairs of them with a heap.
            let pair = Product::new(&[&own, &own]).unwrap();
            let triple = Product::new(&[&own, &own, &Board::heap(2)]).unwrap();
            for node in white(plain) {
                let [first, second] =
                    [low_node, high_node].map(|piece| rank(pair.outcome(&[piece, node]).unwrap()));
                prop_assert!(first <= second, "{} below {} beside {}", low, high, node);
                for k in 0..=2 {
                    let [first, second] = [low_node, high_node]
                        .map(|piece| rank(triple.outcome(&[piece, node, k]).unwrap()));
                    prop_assert!(first <= second, "{} below {} beside {}", low, high, node);
                }
            }
            continue;
        };
        prop_assert!(!below, "{} and {}", low, high);
        prop_assert!(!context.digraph.is_gray(context.start));
        let beside = board(&context.digraph);
        let start = context.start as usize;
        let outcomes = [low_node, high_node].map(|piece| {
            let sum = [piece, start];
            Product::reachable(&[&own, &beside], &sum).unwrap().outcome(&sum).unwrap()
        });
        let named = [context.first, context.second].map(|outcome: Outcome| outcome.to_string());
        prop_assert_eq!(outcomes.map(|outcome| outcome.to_string()), named);
        prop_assert!(rank(outcomes[0]) > rank(outcomes[1]));
    }
    Ok(())
}

/// What is written is read back, and a digraph drawn for a value has it.
fn values_are_written_and_drawn(plain: &Plain) -> Result<(), TestCaseError> {
    for value in all_values(&plain.digraph()).into_iter().flatten() {
        let mut work = work();
        for text in [format!("{value}"), format!("{value:#}")] {
            let read = Control::read(&text, &mut work);
            let read = read.map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
            prop_assert_eq!(read.relation(&value, &mut work).unwrap(), Some(Ordering::Equal));
            prop_assert!(value.is_cyclic() || read == value, "{}", text);
        }
        if let Some(kind) = value.value() {
            prop_assert_eq!(&Control::of_value(&kind), &value);
        }
        let drawn = value.representative(&mut work).unwrap();
        let found = all_values(&drawn.digraph)[drawn.start as usize].clone().unwrap();
        prop_assert_eq!(found.relation(&value, &mut work).unwrap(), Some(Ordering::Equal));
    }
    Ok(())
}

/// The random digraphs have values that no term has, and ones that only control cycles make terms
/// of.
#[test]
fn random_digraphs_have_control_cycles() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut cyclic = 0;
    for _ in 0..1000 {
        let plain = crate::control::cycling().new_tree(&mut runner).unwrap().current();
        cyclic += all_values(&plain.digraph()).iter().flatten().filter(|v| v.is_cyclic()).count();
    }
    assert!(cyclic > 20, "only {cyclic} essentially cyclic values");
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn labels(plain in digraphs(9)) {
        labels_are_right(&plain)?;
    }

    #[test]
    fn sums_of_two_and_three((plain, pieces) in with_pieces(9, 3)) {
        sums_are_right(&plain, &pieces)?;
    }

    #[test]
    fn orders_and_contexts((plain, pieces) in with_pieces(9, 2)) {
        orders_are_right(&plain, pieces[0], pieces[pieces.len() - 1])?;
    }

    #[test]
    fn texts_and_representatives(plain in digraphs(9)) {
        values_are_written_and_drawn(&plain)?;
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn sums_of_four((plain, pieces) in with_pieces(7, 4)) {
        sums_are_right(&plain, &pieces)?;
    }

    #[test]
    fn products((plain, pieces) in with_pieces(6, 2)) {
        products_are_sums(&plain, pieces[0], pieces[pieces.len() - 1])?;
    }
}
