//! Audits of the engine, of the printed algorithm and of engines broken on purpose.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use nimoon::limits::Limit;
use nimoon::{AnyValue, Cover, EntailingValue, Label, NimberSet, Nimbers, Outcome, Value};

use super::*;
use crate::report::{Kind, Piece};

fn run(plan: Plan) -> Report {
    Audit::new(plan).unwrap().run()
}

#[test]
fn the_engine_is_right_about_all_digraphs_of_up_to_three_nodes_under_every_theory() {
    for nodes in 1..=3 {
        for theory in Theory::ALL.map(Some).into_iter().chain([None]) {
            let report = run(Plan::exhaustive(nodes, theory));
            assert_eq!(report.wrong, 0, "{}", report.counterexample.unwrap());
            assert_eq!(report.stop, Stop::Finished);
        }
    }
    assert_eq!(run(Plan::exhaustive(3, None)).digraphs, 752);
}

#[test]
fn random_digraphs_show_every_theory_and_every_kind_of_value() {
    let report = run(Plan::random(2000, 5, Plan::MAX_NODES, None));
    assert_eq!(report.wrong, 0, "{}", report.counterexample.unwrap());
    assert_eq!(report.digraphs, 2000);
    for kind in Kind::ALL {
        assert!(report.seen(kind) >= 5, "{kind}: {}", report.seen(kind));
    }
    for theory in Theory::ALL {
        assert!(report.labelled_under(theory) > 300, "{theory}");
    }
}

#[test]
fn the_printed_algorithm_fails_on_five_nodes_and_not_on_fewer() {
    // All digraphs of up to four nodes are in the plan: a smaller one would have been reported.
    let found = run(Plan::as_printed(false)).counterexample.unwrap();
    assert_eq!(found.size(), (5, 6, 2));
    assert_eq!((found.theory, found.brute_force_says.as_str()), (Theory::CarryOn, "N"));
    assert!(found.theory_says.contains("= ninny{0}, so"), "{found}");
}

#[test]
fn the_frozen_reading_fails_where_the_printed_steps_are_right() {
    let found = run(Plan::as_printed(true)).counterexample.unwrap();
    assert_eq!(found.size(), (6, 6, 3));
    assert_eq!(found.pieces[1], Piece::Known(Value::Cyclic(Nimbers::EMPTY)));
    assert!(found.theory_says.contains("= moon{0}, so"), "{found}");
    let printed = as_printed::label(&found.digraph, false).unwrap();
    assert_eq!(Checker::new().check(&found.digraph, &printed).wrong, 0);
}

/// Changes a label in some way.
type Break = fn(Label) -> Label;

/// The engine with its labels changed.
fn broken(break_it: Break) -> impl Fn(&Digraph) -> Option<Claims> + Sync {
    move |digraph| {
        let mut claims = Algorithm::Engine.label(digraph, None)?;
        for label in &mut claims.labels {
            *label = label.take().map(break_it);
        }
        Some(claims)
    }
}

fn of_value(label: Label, change: fn(Value) -> Value) -> Label {
    match label {
        Label::White(AnyValue::CarryOn(value)) => Label::White(AnyValue::CarryOn(change(value))),
        other => other,
    }
}

fn of_cover(label: Label, change: fn(Option<Cover>) -> Option<Cover>) -> Label {
    match label {
        Label::Gray(cover) => Label::Gray(change(cover)),
        other @ Label::White(_) => other,
    }
}

#[test]
fn every_way_to_break_the_engine_is_found() {
    let breaks: [(&str, Break); 12] = [
        ("a number is one too large", |label| {
            of_value(label, |value| match value {
                Value::Nimber(n) => Value::Nimber(n + 1),
                other => other,
            })
        }),
        ("a ninny is taken for a cyclic zone", |label| {
            of_value(label, |value| match value {
                Value::Ninny(f) => Value::Cyclic(Nimbers::from([f])),
                other => other,
            })
        }),
        ("a ninny is taken for a number", |label| {
            of_value(label, |value| match value {
                Value::Ninny(f) => Value::Nimber(f),
                other => other,
            })
        }),
        ("a moon forces one value only", |label| {
            of_value(label, |value| match value {
                Value::Moon(forced) => Value::Moon(forced.iter().take(1).collect()),
                other => other,
            })
        }),
        ("a moon is full", |label| {
            of_value(label, |value| match value {
                Value::Moon(_) => Value::FullMoon,
                other => other,
            })
        }),
        ("a full moon is not", |label| {
            of_value(label, |value| match value {
                Value::FullMoon => Value::Moon(Nimbers::from([0])),
                other => other,
            })
        }),
        ("a cyclic zone loses its last exit", |label| {
            of_value(label, |value| match value {
                Value::Cyclic(exits) => {
                    Value::Cyclic(exits.iter().take(exits.len().saturating_sub(1)).collect())
                }
                other => other,
            })
        }),
        ("the moon of the entailing theory is 2", |label| match label {
            Label::White(AnyValue::Entailing(EntailingValue::Moon)) => {
                Label::White(AnyValue::Entailing(EntailingValue::Nimber(2)))
            }
            other => other,
        }),
        ("draws are taken for losses", |label| match label {
            Label::White(AnyValue::Control(value)) => {
                let mut outcomes = AnyValue::Control(value).heap_outcomes();
                outcomes.loss = outcomes.loss.union(&outcomes.draw);
                outcomes.draw = NimberSet::nothing();
                Label::White(AnyValue::General(outcomes))
            }
            other => other,
        }),
        ("covers are the wrong way round", |label| {
            of_cover(label, |cover| cover.map(Cover::complement))
        }),
        ("covers are forgotten", |label| of_cover(label, |_| None)),
        ("a cover of everything is taken for a new moon", |label| {
            of_cover(label, |cover| match cover {
                Some(Cover::Heaps(set)) if set.is_everything() => Some(Cover::NewMoon),
                other => other,
            })
        }),
    ];
    let audit = Audit::new(Plan::random(1500, 9, Plan::MAX_NODES, None)).unwrap();
    for (name, break_it) in breaks {
        let report = audit.run_labeller(broken(break_it));
        assert!(report.wrong > 0, "not found: {name}");
        let example = report.counterexample.unwrap();
        assert!(example.digraph.len() <= 7, "{name}: {example}");
        let claims = broken(break_it)(&example.digraph).unwrap();
        assert!(Checker::new().check(&example.digraph, &claims).wrong > 0);
    }
}

#[test]
fn a_label_of_the_wrong_colour_or_theory_is_wrong() {
    let audit = Audit::new(Plan::exhaustive(1, None)).unwrap();
    let white = |value: AnyValue| {
        move |digraph: &Digraph| {
            let labels = vec![Some(Label::White(value.clone())); digraph.len()];
            Some(Claims { theory: Theory::CarryOn, labels })
        }
    };
    // Of ∘, ∘↺, •, •↺ only the first is 0.
    let report = audit.run_labeller(white(AnyValue::CarryOn(Value::ZERO)));
    assert_eq!(report.wrong_digraphs, 3);
    // The entailing theory's 0 does not add to what the carry-on theory knows.
    let report = audit.run_labeller(white(AnyValue::Entailing(EntailingValue::Nimber(0))));
    assert_eq!(report.wrong_digraphs, 4);
    let none = |_: &Digraph| Some(Claims { theory: Theory::General, labels: Vec::new() });
    assert_eq!(audit.run_labeller(none).wrong_digraphs, 4);
}

#[test]
fn a_report_does_not_depend_on_the_number_of_threads() {
    let report = |threads| {
        let threads = NonZeroUsize::new(threads);
        let plan = Plan { threads, ..Plan::random(600, 3, 6, Some(Theory::CarryOn)) };
        let audit = Audit::new(plan).unwrap();
        let report = audit.run_labeller(broken(|label| {
            of_value(label, |value| match value {
                Value::Moon(_) => Value::FullMoon,
                other => other,
            })
        }));
        let counts = (report.digraphs, report.positions, report.sums, report.wrong);
        (counts, report.wrong_digraphs, report.kinds, report.counterexample)
    };
    assert!(report(1).3.is_some());
    assert_eq!(report(1), report(3));
}

#[test]
fn a_report_that_a_budget_of_comparisons_ends_does_not_depend_on_the_number_of_threads() {
    let forgetful = |digraph: &Digraph| {
        let mut claims = Algorithm::Engine.label(digraph, None)?;
        *claims.labels.last_mut()? = None;
        Some(claims)
    };
    let report = |threads, budget| {
        let plan = Plan { threads: NonZeroUsize::new(threads), ..Plan::random(600, 1, 6, None) };
        let audit = Audit::new(plan).unwrap().within(Work::new(Limits::new(budget)));
        let report = audit.run_labeller(forgetful);
        assert_eq!(report.stop, Stop::Interrupted(Interrupted::positions(budget)));
        let counts = (report.digraphs, report.positions, report.sums, report.wrong);
        (counts, report.wrong_digraphs, report.kinds, report.theories, report.counterexample)
    };
    for budget in [0, 1, 10, 1000, 20_000] {
        let alone = report(1, budget);
        assert_eq!(alone.0.0 == 0, budget == 0);
        for threads in [2, 3, 8, 8, 8] {
            assert_eq!(report(threads, budget), alone, "{threads} threads, {budget} comparisons");
        }
    }
}

#[test]
fn an_audit_can_be_watched_and_stopped() {
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, seen) = mpsc::channel();
    let token = Arc::clone(&stop);
    let work = Work::new(Limits::new(u64::MAX)).until(stop).on_progress(move |progress| {
        if let Progress::Auditing { of, .. } = progress {
            sender.send(of).unwrap();
            token.store(true, Ordering::Relaxed);
        }
    });
    let plan = Plan::random(u64::MAX, 1, 4, None);
    let report = Audit::new(plan).unwrap().within(work).run();
    assert_eq!(report.stop, Stop::Interrupted(Interrupted::Stopped));
    assert!(report.digraphs > 0);
    let seen: Vec<Option<u64>> = seen.try_iter().collect();
    assert!(!seen.is_empty() && seen.iter().all(|&of| of == Some(u64::MAX)));
}

#[test]
fn every_limit_ends_an_audit_with_what_was_checked() {
    let within = |plan: Plan, budget: Limits| {
        let report = Audit::new(plan).unwrap().within(Work::new(budget)).run();
        let limit = match report.stop {
            Stop::Interrupted(interrupted) => interrupted.limit(),
            Stop::Finished => None,
        };
        (limit, report.digraphs)
    };
    let endless = Plan { threads: NonZeroUsize::new(1), ..Plan::random(u64::MAX, 1, 6, None) };
    let all = Limits::new(u64::MAX);
    let (limit, digraphs) = within(endless.clone(), Limits::new(5000));
    assert!(limit == Some(Limit::Positions) && (1..1000).contains(&digraphs), "{digraphs}");
    // Digraphs of three nodes are small enough, and some of four are not.
    let growing = Plan { threads: NonZeroUsize::new(1), ..Plan::default() };
    let (limit, digraphs) = within(growing, all.bytes(10_000));
    assert!(limit == Some(Limit::Bytes) && digraphs > 0, "{digraphs}");
    let (limit, _) = within(endless, all.time(Duration::from_millis(5)));
    assert_eq!(limit, Some(Limit::Time));
    // A limit equal to their number is enough.
    let whole = run(Plan::exhaustive(2, None));
    let exact = Limits::new(whole.positions + whole.sums);
    assert_eq!(within(Plan::exhaustive(2, None), exact), (None, whole.digraphs));
}

#[test]
fn plans_for_no_nodes_or_too_many_are_refused() {
    let error = |plan| Audit::new(plan).err().unwrap().to_string();
    assert_eq!(error(Plan::exhaustive(0, None)), "0 nodes: expected from 1 to 8");
    assert_eq!(error(Plan::exhaustive(9, None)), "9 nodes: expected from 1 to 8");
    assert_eq!(error(Plan::random(1, 1, 33, None)), "33 nodes: expected from 1 to 32");
}

#[test]
fn the_first_opinion_names_the_sum() {
    let a_loop = Digraph::new(1, [], vec![(0, 0)]).unwrap();
    let labels = vec![Some(Label::White(AnyValue::CarryOn(Value::Nimber(2))))];
    let claims = Claims { theory: Theory::Cyclic, labels };
    let example = Checker::new().check(&a_loop, &claims).first.unwrap();
    assert_eq!(example.pieces, [Piece::Node(0), Piece::Heap(0)]);
    assert_eq!(
        example.to_string(),
        "The cyclic theory says: a = 2, so a is N. Brute force says: D."
    );
    assert_eq!(Value::Nimber(2).outcome(), Outcome::N);
}
