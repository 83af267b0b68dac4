//! Positions of rulesets, explored by all workers: the same values as on one machine.

use crate::common::{files, labels, run};
use nimoon::solve::solution::Solution;
use nimoon::{Limits, Theory, Work};
use nimoon_cluster::{Input, Known, Labelled, Plan, nodes_of};
use nimoon_session::expression::{Expression, NoLibrary};

/// The value of a sum on one machine.
fn on_one_machine(expression: &str, theory: Theory) -> String {
    let Expression { fields, terms } = Expression::read(expression, &mut NoLibrary).unwrap();
    let solution = Solution::new(fields, &terms, Some(theory), &Work::default()).unwrap();
    format!("{:#}", solution.value(solution.start()).unwrap())
}

/// Explores with 1, 2 and 4 workers, and compares every white node; gray nodes are compared by the
/// values that depend on them.
fn compare(expression: &str, expected: Theory) {
    let folder = tempfile::tempdir().unwrap();
    let mut first = None;
    for workers in [1, 2, 4] {
        let out = folder.path().join(format!("out-{workers}"));
        let mut plan = Plan::new(Input::Expression(expression.to_owned()), &out);
        plan.workers = workers;
        plan.shards = 8;
        let manifest = run(&plan).unwrap();
        assert_eq!(manifest.theory.as_deref(), Some(expected.name()), "{expression}");
        assert_eq!(manifest.starts, nodes_of(expression).unwrap());
        let bytes = files(&out);
        if first.is_none() {
            let labels = labels(&out, &manifest);
            assert!(labels.len() > 5, "{expression}: {labels:?}");
            for (name, label) in labels.iter().filter(|(_, label)| !label.starts_with("gray ")) {
                assert_eq!(label, &on_one_machine(name, expected), "{name}");
            }
        }
        assert_eq!(first.get_or_insert(bytes.clone()), &bytes, "{expression}, {workers} workers");
    }
    let mut labelled = Labelled::open(&folder.path().join("out-2")).unwrap();
    for name in nodes_of(expression).unwrap() {
        let Some(Known::Label(label)) = labelled.node(&name).unwrap() else { panic!("{name}") };
        let value = label.value().map(|value| format!("{value:#}"));
        assert_eq!(value, Some(on_one_machine(&name, expected)));
    }
    assert_eq!(labelled.node("nim:12345").unwrap(), None);
}

#[test]
fn green_lime_hackenbush() {
    compare("green-lime:0-1g,1-2l,1-3g,2-3g", Theory::CarryOn);
    compare("green-lime:0-1l,1-2g,1-3l + green-lime:0-1g,1-2l,1-3l", Theory::CarryOn);
}

#[test]
fn nimstring() {
    compare("nimstring:1x3", Theory::Entailing);
    compare("nimstring:2x2", Theory::Entailing);
}

#[test]
fn entailing_and_short_games_that_split() {
    compare("top-entails:9", Theory::Entailing);
    compare("kayles:8 + nim:6", Theory::Short);
}

#[test]
fn a_budget_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let input = Input::Expression("nimstring:3x3".to_owned());
    let mut plan = Plan::new(input, folder.path().join("out"));
    plan.workers = 2;
    plan.work = Work::new(Limits::new(1000));
    assert!(run(&plan).unwrap_err().contains("the budget of 1000 positions was hit"));
    plan.input = Input::Expression("nimstring:".to_owned());
    assert!(run(&plan).is_err());
    plan.input = Input::Expression("fox-geese:3x3".to_owned());
    assert!(run(&plan).is_err());
}
