//! The same labels with any number of workers, and on one machine.

use std::collections::BTreeMap;

use crate::common::{
    Random, Shape, checksum, digraph, files, labels, name, plan, run, write_edges,
};
use nimoon::smith::remoteness::{Play, Remoteness};
use nimoon::{AnyValue, Digraph, Label, Limits, Theory, Work};
use nimoon_cluster::{Question, label_text};

/// The labels on one machine, by name.
fn on_one_machine(digraph: &Digraph, theory: Option<Theory>) -> (Theory, BTreeMap<String, String>) {
    let labelling = nimoon::label(digraph, theory, &Work::default()).unwrap();
    // Of the general theory the cluster has outcomes beside nim-heaps, and no values.
    let label = |node| match (labelling.theory(), labelling.value(node)) {
        (Theory::General, Some(value)) => Label::White(AnyValue::General(value.heap_outcomes())),
        _ => labelling.label(node),
    };
    let label = |node| (name(node), label_text(&label(node)));
    (labelling.theory(), digraph.nodes().map(label).collect())
}

/// Labels with 1, 2 and 4 workers, and compares.
fn compare(digraph: &Digraph, asked: Option<Theory>) -> Theory {
    let (theory, expected) = on_one_machine(digraph, asked);
    let folder = tempfile::tempdir().unwrap();
    let edges = folder.path().join("edges");
    write_edges(digraph, &edges);
    let mut first = None;
    for workers in [1, 2, 4] {
        let out = folder.path().join(format!("out-{workers}"));
        let mut plan = plan(&edges, &out, workers);
        plan.question = Question::Label(asked);
        let manifest = run(&plan).unwrap();
        assert_eq!(manifest.theory.as_deref(), Some(theory.name()));
        assert_eq!(manifest.arcs, digraph.arc_count() as u64);
        assert_eq!(labels(&out, &manifest), expected, "{workers} workers");
        assert_eq!(manifest.checksum, checksum(&expected));
        let bytes = files(&out);
        assert_eq!(first.get_or_insert(bytes.clone()), &bytes, "{workers} workers");
    }
    theory
}

#[test]
fn short_digraphs_have_the_labels_of_one_machine() {
    let mut random = Random(11);
    for len in [1, 2, 10, 300] {
        let shape = Shape { cycles: false, gray: 0, gray_options: 0, options: 4 };
        assert_eq!(compare(&digraph(&mut random, len, shape), None), Theory::Short);
    }
    let many = Shape { cycles: false, gray: 0, gray_options: 0, options: 400 };
    compare(&digraph(&mut random, 300, many), None);
}

#[test]
fn entailing_digraphs_have_the_labels_of_one_machine() {
    let mut random = Random(12);
    for (len, gray, options) in [(10, 30, 3), (200, 30, 4), (300, 50, 4), (400, 10, 300)] {
        let shape = Shape { cycles: false, gray, gray_options: 4, options };
        let digraph = digraph(&mut random, len, shape);
        compare(&digraph, None);
        compare(&digraph, Some(Theory::Entailing));
    }
}

#[test]
fn cyclic_digraphs_have_the_labels_of_one_machine() {
    let mut random = Random(13);
    for (len, options) in [(2, 2), (10, 2), (10, 3), (300, 2), (300, 3), (1000, 5)] {
        let shape = Shape { cycles: true, gray: 0, gray_options: 0, options };
        compare(&digraph(&mut random, len, shape), Some(Theory::Cyclic));
        compare(&digraph(&mut random, len, shape), None);
    }
    // The same by levels where there is no cycle.
    let shape = Shape { cycles: false, gray: 0, gray_options: 0, options: 5 };
    compare(&digraph(&mut random, 200, shape), Some(Theory::Cyclic));
}

#[test]
fn carry_on_digraphs_have_the_labels_of_one_machine() {
    let mut random = Random(14);
    for round in 0..30 {
        let len = [3, 6, 12, 40, 200, 1000][round % 6];
        let options = 1 + random.below(4);
        let gray = [20, 40, 70][round / 2 % 3];
        let cycles = !round.is_multiple_of(5);
        let shape = Shape { cycles, gray, gray_options: 1, options };
        compare(&digraph(&mut random, len, shape), Some(Theory::CarryOn));
    }
}

#[test]
fn general_digraphs_have_the_labels_of_one_machine() {
    let mut random = Random(16);
    let mut general = 0;
    for round in 0..24 {
        let len = [3, 6, 12, 40, 150][round % 5];
        let options = 1 + random.below(4);
        let shape = Shape { cycles: true, gray: 30, gray_options: 3, options };
        let digraph = digraph(&mut random, len, shape);
        general += u32::from(compare(&digraph, None) == Theory::General);
        compare(&digraph, Some(Theory::General));
    }
    assert!(general > 12, "{general} need the general theory");
}

#[test]
fn a_budget_ends_the_general_theory() {
    let arcs = (0..30).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let digraph = Digraph::new(30, [], arcs).unwrap();
    let folder = tempfile::tempdir().unwrap();
    write_edges(&digraph, &folder.path().join("edges"));
    let mut plan = plan(&folder.path().join("edges"), &folder.path().join("out"), 2);
    plan.question = Question::Label(Some(Theory::General));
    plan.work = Work::new(Limits::new(300));
    assert!(run(&plan).unwrap_err().contains("the budget of 300 positions was hit"));
}

#[test]
fn values_from_64_on_are_exits_and_forced_too() {
    // A nim-heap of 70 with a gray node before each heap; loops with exits and carry-on moves to
    // them; and nodes that carry on to these.
    let mut arcs: Vec<(u32, u32)> = (0..=70).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let mut gray: Vec<u32> = (0..=70).map(|n| 100 + n).collect();
    arcs.extend((0..=70).map(|n| (100 + n, n)));
    arcs.extend([(200, 200), (200, 3), (200, 64), (200, 70)]);
    arcs.extend([(201, 201), (201, 166), (202, 202), (202, 166), (202, 170), (202, 102)]);
    // Carry-on moves from 203 to 200, from 204 to 202 and from 205 to 204.
    gray.extend([303, 304, 305]);
    arcs.extend([
        (203, 203),
        (203, 303),
        (303, 200),
        (204, 304),
        (304, 202),
        (205, 305),
        (305, 204),
    ]);
    arcs.extend([(203, 68), (206, 206), (206, 203), (206, 65)]);
    let digraph = Digraph::new(306, gray, arcs).unwrap();
    let (_, expected) = on_one_machine(&digraph, Some(Theory::CarryOn));
    assert!(expected.values().any(|label| label == "oo{3,64,68,70}"), "{expected:?}");
    compare(&digraph, Some(Theory::CarryOn));
}

#[test]
fn a_long_path_takes_many_supersteps() {
    let arcs =
        (1..600).map(|node| (node, node - 1)).chain([(0, 0), (600, 599), (600, 600)]).collect();
    compare(&Digraph::new(601, [], arcs).unwrap(), None);
    let chain = (1..600).map(|node| (node, node - 1)).collect();
    compare(&Digraph::new(600, (1..599).step_by(2), chain).unwrap(), Some(Theory::CarryOn));
    let gray_chain = (1..300).map(|node| (node, node - 1)).collect();
    compare(&Digraph::new(300, 1..299, gray_chain).unwrap(), Some(Theory::CarryOn));
}

#[test]
fn remoteness_and_terminal_distance_are_those_of_one_machine() {
    let mut random = Random(15);
    for (len, cycles) in [(1, false), (10, true), (200, true), (200, false), (500, true)] {
        let shape = Shape { cycles, gray: 10, gray_options: 3, options: 3 };
        let digraph = digraph(&mut random, len, shape);
        let folder = tempfile::tempdir().unwrap();
        let edges = folder.path().join("edges");
        write_edges(&digraph, &edges);
        for play in [Play::Normal, Play::Misere] {
            let solved = Remoteness::new(&digraph, play);
            let number = |n: Option<u32>| n.map_or("oo".to_owned(), |n| n.to_string());
            let expected: BTreeMap<String, String> = digraph
                .nodes()
                .map(|node| {
                    let [r, d] = [solved.remoteness(node), solved.distance(node)].map(number);
                    (name(node), format!("{r} {d}"))
                })
                .collect();
            for workers in [1, 2, 4] {
                let out = folder.path().join(format!("out-{workers}-{play:?}"));
                let mut plan = plan(&edges, &out, workers);
                plan.question = Question::Remoteness(play);
                let manifest = run(&plan).unwrap();
                assert_eq!(labels(&out, &manifest), expected, "{workers} workers");
                assert_eq!(manifest.checksum, checksum(&expected));
            }
        }
    }
}

#[test]
fn a_theory_that_does_not_fit_is_rejected_with_a_node() {
    let folder = tempfile::tempdir().unwrap();
    let case = |text: &str, theory: Option<Theory>, workers: usize| {
        let file = folder.path().join("case.edges");
        std::fs::write(&file, text).unwrap();
        let mut plan = plan(&file, &folder.path().join("out"), workers);
        plan.question = Question::Label(theory);
        run(&plan).unwrap_err()
    };
    let cycle = "a b\nb c\nc b\n";
    for workers in [1, 3] {
        let error = case(cycle, Some(Theory::Short), workers);
        assert!(error.contains("does not fit the short theory: play from `"), "{error}");
        assert!(error.ends_with("the smallest that fits is cyclic"), "{error}");
        let error = case("a b\ngray b\n", Some(Theory::Cyclic), workers);
        assert!(error.contains("the node `b` is gray"), "{error}");
        assert!(error.ends_with("the smallest that fits is entailing"), "{error}");
        let many = "a b\ngray b\nb c\nb d\nc a\n";
        let error = case(many, Some(Theory::CarryOn), workers);
        assert!(error.contains("the gray node `b` has two or more options"), "{error}");
        assert!(error.ends_with("the smallest that fits is general"), "{error}");
        assert!(case("", None, workers).contains("the input has no nodes"));
        assert!(case("a b\na b c\n", None, workers).contains("case.edges: line 2, column 5"));
    }
}
