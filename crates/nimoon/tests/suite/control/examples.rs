//! Values that are known beforehand.

use std::cmp::Ordering;

use nimoon::impartial::control::{Control, Forcing, Layers, values};
use nimoon::{Digraph, Limits, Node, Outcome, Work};

use crate::control::{all_values, read, work};

/// A digraph as in `w0>0,2 w1> g2>1`: white and gray nodes and their options.
fn digraph(text: &str) -> Digraph {
    let (mut gray, mut arcs) = (Vec::new(), Vec::new());
    let mut len = 0;
    for word in text.split_whitespace() {
        let (node, options) = word[1..].split_once('>').expect("an arrow");
        let node: Node = node.parse().expect("a node");
        gray.extend(word.starts_with('g').then_some(node));
        let options = options.split(',').filter(|option| !option.is_empty());
        arcs.extend(options.map(|option| (node, option.parse().expect("a node"))));
        len += 1;
    }
    Digraph::new(len, gray, arcs).expect("a digraph")
}

fn value_of(text: &str) -> Control {
    all_values(&digraph(text))[0].clone().expect("white")
}

/// The name of a value, its outcomes beside the heaps 0 to 3, and a digraph.
const EXAMPLES: [(&str, &str, &str); 12] = [
    ("[]", "DDDD", "w0>0"),
    ("[0]", "DNNN", "w0>0,2 w1> g2>1"),
    ("[0, 1]", "NNNN", "w0>3,4 w1>2 w2> g3>2 g4>1"),
    ("[0/1]", "DDNN", "w0>0,3 w1>2 w2> g3>1,2"),
    ("[0/1, >0]", "NDNN", "w0>0,2,3 w1>2 w2> g3>1,2"),
    ("[0/1, >0, >1]", "NNNN", "w0>1,2,3 w1>2 w2> g3>1,2"),
    ("[0/>0]", "DDDD", "w0>0,3 w1>0,2 w2> g3>1,2"),
    ("[0/[>0, >1]]", "DNDD", "w0>0,4 w1>0,2,3 w2>3 w3> g4>1,3"),
    ("[0/1, 0/2]", "DNNN", "w0>0,5 w1> w2>1 w3>1,2 g4>6,7 g5>1,4 g6>2 g7>3"),
    ("[0/[1, 2]]", "DNNN", "w0>0,5 w1> w2>1 w3>1,2 w4>4,6,7 g5>1,4 g6>2 g7>3"),
    ("[0/[1, 2]]", "DNNN", "w0>0,5 w1> w2>1 w3>1,2 w4>6,7 g5>1,4 g6>2 g7>3"),
    ("[>0, >1]", "NNDD", "w0>0,2,4 w1>1,2,3 w2>3 w3> g4>1,2"),
];

#[test]
fn the_values_of_small_digraphs_have_their_names() {
    for (name, beside, text) in EXAMPLES {
        let value = value_of(text);
        assert_eq!(format!("{value:#}"), name, "{text}");
        assert_eq!(value, read(name));
        for (k, outcome) in beside.chars().enumerate() {
            let sum = [value.clone(), Control::number(k as u64)];
            let sum = Control::sum(&sum, &mut work()).unwrap();
            assert_eq!(sum.outcome().to_string(), outcome.to_string(), "{name} beside {k}");
        }
    }
}

const CYCLIC: &str = "w0>0,3,4 w1>1,2,5 w2>3 w3> g4>1,2 g5>0,3";

#[test]
fn six_nodes_can_have_a_value_that_no_term_has() {
    let value = value_of(CYCLIC);
    assert!(value.is_cyclic());
    assert_eq!(value.to_string(), "X = [>0, 1/Y], Y = [>1, 0/X]");
    assert_eq!(value, read("X = [>0, 1/Y], Y = [>1, 0/X]"));
    assert_eq!(value.value(), None);
    let other = all_values(&digraph(CYCLIC))[1].clone().unwrap();
    assert_eq!(value.relation(&other, &mut work()).unwrap(), None);
    // Its approximants rise towards it and never reach it.
    let mut text = "[>0]".to_owned();
    let mut below = read(&text);
    for _ in 0..8 {
        assert_eq!(below.relation(&value, &mut work()).unwrap(), Some(Ordering::Less));
        text = format!("[>0, 1/{}]", swapped(&text));
        let next = read(&text);
        assert_eq!(below.relation(&next, &mut work()).unwrap(), Some(Ordering::Less));
        below = next;
    }
    // Shifted by 1 it is the other one, and beside that one there are new values.
    let shifted = Control::sum(&[value.clone(), Control::number(1)], &mut work()).unwrap();
    assert_eq!(shifted.relation(&other, &mut work()).unwrap(), Some(Ordering::Equal));
    assert_eq!(value.outcome(), Outcome::N);
    assert_eq!(other.outcome(), Outcome::D);
}

/// A text with 0 and 1 exchanged.
fn swapped(text: &str) -> String {
    let swap = |c| match c {
        '0' => '1',
        '1' => '0',
        c => c,
    };
    text.chars().map(swap).collect()
}

/// Beside [0/1/2, >0] the first value wins and the second one draws, although both win beside the
/// same heaps and the same sets of numbers can be reached in both.
#[test]
fn sets_of_numbers_do_not_tell_all_values_apart() {
    let [high, low, context] = ["[0/[1, 2]]", "[0/1, 0/2]", "[0/1/2, >0]"].map(read);
    assert_eq!(high.wins_beside(), low.wins_beside());
    assert_eq!(low.relation(&high, &mut work()).unwrap(), Some(Ordering::Less));
    let outcome = |value: &Control| {
        Control::sum(&[value.clone(), context.clone()], &mut work()).unwrap().outcome()
    };
    assert_eq!([outcome(&high), outcome(&low)], [Outcome::N, Outcome::D]);
}

#[test]
fn a_hundred_components_are_added_at_once() {
    let kinds = ["[0/1, >0]", "[0/2]", "[0/[>0, >1]]", "[1/2, >1]", "3", "[0/1/[>0, >1], >1]"];
    let parts: Vec<Control> = (0..100).map(|i| read(kinds[i % kinds.len()])).collect();
    let mut work = Work::new(Limits::new(1_000_000));
    let sum = Control::sum(&parts, &mut work).unwrap();
    assert_eq!(sum.outcome(), Outcome::D);
    let sets: Vec<Control> = (0..100).map(|i| read(["[0/1]", "[0/2]", "[5]"][i % 3])).collect();
    let sum = Control::sum(&sets, &mut work).unwrap();
    assert_eq!(sum.to_string(), "[4/5/6/7]");
}

/// A gray node with n gray options, each with two ways to go on, has 2ⁿ minimal sets of results.
/// The limit is reported, and numbers, wins and what can be forced are known all the same.
#[test]
fn duels_with_very_many_sets_of_results_hit_a_limit() {
    // 0 is the start, 1 the first gray node; then 30 gray nodes with two gray options each, which
    // lead to heaps.
    let (heaps, ways) = (61_u32, 30_u32);
    let mut arcs: Vec<(Node, Node)> =
        (0..heaps).flat_map(|n| (0..n).map(move |m| (n, m))).collect();
    let (start, first) = (heaps, heaps + 1);
    arcs.extend([(start, start), (start, first)]);
    let mut gray = vec![first];
    let mut next = first + 1;
    for way in 0..ways {
        let choice = next;
        arcs.extend([(first, choice), (choice, choice + 1), (choice, choice + 2)]);
        arcs.extend([(choice + 1, 2 * way), (choice + 2, 2 * way + 1)]);
        gray.extend([choice, choice + 1, choice + 2]);
        next += 3;
    }
    let digraph = Digraph::new(next as usize, gray, arcs).unwrap();
    let mut work = Work::new(Limits::new(100_000));
    let layers = Layers::of(&digraph, &work);
    let error = values(&digraph, &layers, &[start], &mut work).unwrap_err();
    assert_eq!(error.to_string(), "the budget of 100000 positions was hit");
    // Beside *k the mover chooses the other one of each pair.
    assert!(layers.outcomes(start).win.is_everything());
    assert_eq!(layers.number(start), None);
    let can =
        |wanted: fn(u64) -> bool| Forcing::of(&digraph, &layers, &work, wanted).unwrap().can(start);
    assert!(can(|_| true) && !can(|_| false) && !can(|n| n == 7) && can(|n| n % 2 == 1));
}
