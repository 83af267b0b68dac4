//! `nimoon audit`.

use insta::assert_snapshot;

use crate::cli::program::{run, transcript, words};

#[test]
fn the_engine_is_right_on_all_small_digraphs() {
    assert_snapshot!(transcript(&[
        "audit --exhaustive 2",
        "audit --exhaustive 2 --format json",
        "audit --exhaustive 3 --format json",
        "audit --random 100 --seed 7 --format json",
        "audit --random 50 --seed 7 --nodes 5 --theory general --format json",
    ]));
}

#[test]
fn the_printed_algorithm_is_wrong_and_the_audit_shows_where() {
    assert_snapshot!(transcript(&[
        "audit --as-printed --random 300",
        "audit --as-printed --random 300 --format json",
        "audit --as-printed --frozen --random 300",
        "audit --as-printed --frozen --random 300 --format json",
    ]));
}

#[test]
fn the_help_says_what_a_budget_counts() {
    let help = run(&["audit", "--help"]).answer();
    let budget =
        "--budget <COMPARISONS>  Stop after this many comparisons of theory and brute force";
    assert!(help.contains(budget), "{help}");
}

#[test]
fn the_printed_algorithm_is_of_the_carry_on_theory() {
    let audit = |theory| {
        let line = format!("audit --as-printed --random 30 --format json --theory {theory}");
        run(&words(&line)).json()
    };
    assert!(audit("carry-on")["digraphs"].as_u64() > Some(0));
    assert!(audit("auto")["digraphs"].as_u64() > Some(0));
}

#[test]
fn a_seed_decides_what_random_is() {
    let audit = |seed| run(&["audit", "--random", "40", "--seed", seed, "--format", "json"]).json();
    assert_eq!(audit("3"), audit("3"));
    assert_ne!(audit("3"), audit("4"));
}

#[test]
fn the_report_has_the_fields_that_scripts_rely_on() {
    let right = run(&words("audit --exhaustive 2 --format json")).json();
    let fields: Vec<&String> = right.as_object().expect("an object").keys().collect();
    assert_eq!(fields, ["counterexample", "digraphs", "positions", "sums", "wrong"]);
    assert!(right["counterexample"].is_null() && right["wrong"] == 0);
    let wrong = run(&words("audit --as-printed --random 300 --format json")).json();
    assert!(wrong["wrong"].as_u64() > Some(0));
    let fields: Vec<&String> = wrong["counterexample"].as_object().expect("one").keys().collect();
    assert_eq!(fields, ["arcs", "gray", "nodes"]);
}

#[test]
fn a_time_limit_ends_an_audit_with_what_was_checked() {
    let run = run(&words("audit --random 100000000 --time 1 --format json"));
    assert_eq!((run.code, run.error_lines()), (Some(3), 1));
    assert!(run.stdout.contains(r#""wrong":0"#) && run.stdout.lines().count() == 1);
}

#[test]
fn a_budget_of_comparisons_is_hit_in_the_same_place_each_time() {
    let audit = || run(&words("audit --random 1000 --budget 10 --format json"));
    let first = audit();
    assert_eq!((first.code, first.error_lines()), (Some(3), 1));
    let reply = "error: the budget of 10 comparisons was hit before everything was checked; \
                raise it with --budget\n";
    assert_eq!(first.stderr, reply);
    for _ in 0..10 {
        assert_eq!(audit().stdout, first.stdout);
    }
}

#[test]
fn comparisons_and_memory_end_an_audit_with_what_was_checked() {
    for (limit, name) in [("--budget 5000", "--budget"), ("--memory 20K", "--memory")] {
        let run = run(&words(&format!("audit --random 100000000 {limit} --format json")));
        assert_eq!((run.code, run.error_lines()), (Some(3), 1), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("raise it with {name}")), "{}", run.stderr);
        assert!(run.stdout.contains(r#""wrong":0"#) && run.stdout.lines().count() == 1);
    }
}
