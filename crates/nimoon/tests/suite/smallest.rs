//! Labels by the smallest theory of each node, against labelling what the node reaches by itself.

use std::collections::BTreeSet;

use crate::common::{Plain, config};
use nimoon::impartial::rounds::rounds;
use nimoon::{
    Digraph, Labels, Limits, Node, Theory, Work, impartial::theory, label, label_smallest,
};
use proptest::prelude::*;

/// Digraphs in which most arcs lead to smaller nodes, so that few nodes reach everything.
fn mixed(most: usize) -> impl Strategy<Value = Plain> {
    (1..=most).prop_flat_map(|len| {
        let gray = prop::collection::vec(prop::bool::weighted(0.3), len);
        let arc = (0..len, prop::bool::weighted(0.15));
        let options = prop::collection::vec(prop::collection::vec(arc, 0..4), len);
        (gray, options).prop_map(|(gray, options)| {
            let options = options.into_iter().enumerate().map(|(node, options)| {
                let smaller = |(to, anywhere): (usize, bool)| match (anywhere, node) {
                    (true, _) => Some(to),
                    (false, 0) => None,
                    (false, node) => Some(to % node),
                };
                options.into_iter().filter_map(smaller).collect::<BTreeSet<usize>>()
            });
            let options = options.map(|options| options.into_iter().collect()).collect();
            Plain { gray, options }
        })
    })
}

/// What a node reaches, as a digraph of its own in which the node comes first; and its nodes.
fn reach(plain: &Plain, start: usize) -> (Plain, Vec<usize>) {
    let mut nodes = vec![start];
    let mut next = 0;
    while let Some(&node) = nodes.get(next) {
        for &to in &plain.options[node] {
            if !nodes.contains(&to) {
                nodes.push(to);
            }
        }
        next += 1;
    }
    let place = |to: &usize| nodes.iter().position(|node| node == to).unwrap();
    let gray = nodes.iter().map(|&node| plain.gray[node]).collect();
    let options = nodes.iter().map(|&node| plain.options[node].iter().map(place).collect());
    (Plain { gray, options: options.collect() }, nodes)
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn each_node_has_the_label_of_what_it_reaches_alone(plain in mixed(14)) {
        let digraph = plain.digraph();
        let labels = label_smallest(&digraph, &Work::default());
        let steps = labels.try_rounds(&digraph, &Work::default()).unwrap();
        prop_assert!(labels.is_complete());
        prop_assert_eq!(Labels::theory(&labels), theory::smallest(&digraph));
        for node in digraph.nodes() {
            let (alone, nodes) = reach(&plain, node as usize);
            let alone = alone.digraph();
            let labelling = label(&alone, None, &Work::default()).unwrap();
            prop_assert_eq!(labels.theory_of(node), labelling.theory());
            prop_assert_eq!(labels.label(node), labelling.label(0), "node {} of {:?}", node, plain);
            prop_assert_eq!(labels.nimber(node), labelling.nimber(0));
            prop_assert_eq!(steps[node as usize], rounds(&alone, &labelling)[0]);
            let explanation = labels.explain(&digraph, node, &Work::default()).unwrap();
            let expected = Labels::explain(&labelling, &alone, 0, &Work::default()).unwrap();
            let options: Vec<Node> = expected.options.iter().map(|fact| nodes[fact.option as usize] as Node).collect();
            prop_assert!(explanation.options.iter().map(|fact| fact.option).eq(options));
            prop_assert_eq!(explanation.theory, expected.theory);
            prop_assert_eq!(explanation.wins, expected.wins);
        }
    }
}

/// A terminal node, one that leads to it, a gray node with both as options, and a loop before that
/// one.
fn with_a_choice() -> Digraph {
    Digraph::new(4, [2], vec![(1, 0), (2, 0), (2, 1), (3, 2), (3, 3)]).unwrap()
}

#[test]
fn a_gray_node_with_two_options_changes_no_value_of_nodes_that_do_not_reach_it() {
    let digraph = with_a_choice();
    let whole = label(&digraph, None, &Work::default()).unwrap();
    assert_eq!((whole.theory(), whole.nimber(0)), (Theory::General, Some(0)));
    let labels = label_smallest(&digraph, &Work::default());
    let values = [0, 1].map(|node| labels.value(node).unwrap().to_string());
    assert_eq!(values, ["0", "1"]);
    let theories = [0, 1, 2, 3].map(|node| labels.theory_of(node));
    assert_eq!(theories, [Theory::Short, Theory::Short, Theory::Entailing, Theory::General]);
}

#[test]
fn limits_leave_labels_unknown_and_say_so() {
    let digraph = with_a_choice();
    let labels = label_smallest(&digraph, &Work::new(Limits::new(3)));
    assert!(!labels.is_complete());
    let theories: Vec<Theory> = labels
        .labellings()
        .iter()
        .filter(|part| !part.is_complete())
        .map(|part| part.theory())
        .collect();
    assert_eq!(theories, [Theory::Short, Theory::Entailing, Theory::General]);
    assert_eq!(labels.nimber(1), None);
    let labels = label_smallest(&digraph, &Work::new(Limits::DEFAULT.bytes(1)));
    assert!(!labels.is_complete());
    assert!(digraph.nodes().all(|node| labels.nimber(node).is_none()));
}

#[test]
fn a_digraph_without_nodes_has_no_labels() {
    let digraph = Digraph::new(0, [], vec![]).unwrap();
    let labels = label_smallest(&digraph, &Work::default());
    assert_eq!(Labels::theory(&labels), Theory::Short);
    assert!(labels.is_complete() && labels.labellings().is_empty());
}
