//! `nimoon compound`: games in all, in some or in one component.

use serde_json::{Value as Json, json};

use crate::cli::program::{Run, run, run_on, words};

fn compound(line: &str) -> Json {
    run(&words(&format!("compound {line} --format json"))).json()
}

#[test]
fn the_answer_has_the_fixed_shape() {
    let found = compound("selective nim.game s3 s4");
    let fixed = ["remoteness", "remoteness_by", "outcome", "outcome_by"].map(|key| &found[key]);
    assert_eq!(fixed, [&json!(5), &json!("formula"), &json!("N"), &json!("formula")]);
    assert_eq!(found["turn"]["moves"], json!([{"component": 1, "from": "s4", "to": "s3"}]));
}

#[test]
fn each_kind_says_how_it_was_solved() {
    for (line, remoteness, remoteness_by, outcome, outcome_by) in [
        ("conjunctive smith-trap.game a b", json!(1), "formula", "N", "formula"),
        ("selective smith-trap.game a b", json!(3), "formula", "N", "formula"),
        ("disjunctive smith-trap.game a b", json!(3), "search", "N", "formula"),
        ("disjunctive smith-trap.game b b", json!(4), "search", "P", "formula"),
        ("conjunctive smith-trap.game a b --misere", Json::Null, "formula", "D", "formula"),
        ("selective smith-trap.game a b --misere", Json::Null, "search", "D", "search"),
        ("selective nim.game 1 1 --misere", json!(3), "search", "N", "formula"),
        ("disjunctive nim.game 1 1 --misere", json!(3), "search", "N", "search"),
        ("disjunctive nim.game 0 s3", json!(2), "formula", "P", "formula"),
    ] {
        let found = compound(line);
        let seen = ["remoteness", "remoteness_by", "outcome", "outcome_by"].map(|key| &found[key]);
        let expected = [remoteness, json!(remoteness_by), json!(outcome), json!(outcome_by)];
        assert_eq!(seen, expected.each_ref(), "{line}");
    }
}

#[test]
fn compounds_nest() {
    let nested =
        run(&["compound", "selective(conjunctive(s3,4),s4)", "nim.game", "--format", "json"])
            .json();
    // The least of 2 and 1 is 1, and s4 has 3.
    assert_eq!((&nested["remoteness"], &nested["remoteness_by"]), (&json!(3), &json!("formula")));
    assert_eq!(nested["turn"]["moves"].as_array().map(Vec::len), Some(3));
    let quoted = run_on(
        r#"{"arcs":[["a,b","(z"]]}"#,
        &["compound", r#"selective("a,b", "(z")"#, "-", "--input", "json", "--format", "json"],
    );
    assert_eq!(quoted.json()["remoteness"], 1);
}

#[test]
fn people_get_words() {
    insta::assert_snapshot!(crate::cli::program::transcript(&[
        "compound conjunctive nim.game s3 4",
        "compound selective(conjunctive(s3,4),s4) nim.game",
        "compound disjunctive smith-trap.game b b",
        "compound selective nim.game 4 s3 --misere",
        "compound disjunctive nim.game 4 3 2 --budget 9",
        "compound disjunctive nim.game 0 0",
    ]));
}

fn refused(run: &Run, code: i32, says: &str) {
    assert_eq!((run.code, run.error_lines()), (Some(code), 1), "{}", run.stderr);
    assert!(run.stderr.contains(says), "{}", run.stderr);
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (line, says) in [
        ("sum nim.game 1", "unknown compound `sum`"),
        ("selective nim.game", "at least one component"),
        ("selective nim.game 1 x", "has no node `x`"),
        ("selective(1,x) nim.game", "1:13: no node has the name `x`"),
        ("selective(1,2 nim.game", "1:1: the `(` of this selective compound is never closed"),
        ("selective(1,,2) nim.game", "1:13: found `,`"),
        ("selective(1,2)) nim.game", "1:15: found `)`, expected the end"),
        ("sum(1,2) nim.game", "1:1: unknown kind of compound `sum`"),
        ("selective(1,2) nim.game 1", "already names its nodes"),
        ("selective zones.game a b", "`nimoon sum`"),
    ] {
        refused(&run(&words(&format!("compound {line}"))), 2, says);
    }
    refused(&run(&words("compound @missing.txt nim.game")), 1, "missing.txt");
}

#[test]
fn a_hundred_thousand_parentheses_are_read() {
    let deep = format!("{}4{}", "selective(".repeat(100_000), ")".repeat(100_000));
    let found = run_on(deep, &words("compound - nim.game --format json")).json();
    assert_eq!(found["remoteness"], 1);
    let open = "(".repeat(100_000);
    refused(&run_on(open, &words("compound - nim.game")), 2, "1:1: found `(`");
    let open = "selective(".repeat(100_000);
    refused(&run_on(open, &words("compound - nim.game")), 2, "found the end");
}

#[test]
fn over_the_budget_the_known_part_is_printed() {
    let hit = run(&words("compound disjunctive nim.game 4 3 2 --budget 9 --format json"));
    // Who wins is known by a formula: that is an answer.
    assert_eq!(hit.code, Some(0), "{}", hit.stderr);
    let note = "note: the remoteness is not known: the budget of 9 positions was hit: the compound has \
                60 positions or more, so it was not listed; raise it with --budget\n";
    assert_eq!(hit.stderr, note);
    let known: Json = serde_json::from_str(&hit.stdout).expect("one JSON value");
    assert_eq!((&known["outcome"], &known["outcome_by"]), (&json!("N"), &json!("formula")));
    assert_eq!((&known["remoteness"], &known["remoteness_by"]), (&Json::Null, &Json::Null));
    assert_eq!((&known["g"], &known["turn"]["guide"]), (&json!(5), &json!("rule")));
    let hit = run(&words("compound disjunctive nim.game 4 3 2 --misere --budget 9 --format json"));
    refused(&hit, 3, "raise it with --budget");
    let known: Json = serde_json::from_str(&hit.stdout).expect("one JSON value");
    assert_eq!((&known["outcome"], &known["turn"]), (&Json::Null, &Json::Null));
}

#[test]
fn a_compound_that_is_too_large_is_not_begun() {
    // 5^40 positions, and a budget of so many that a search would fill the memory first.
    let heaps = vec!["4"; 40].join(" ");
    let line = format!("compound disjunctive nim.game {heaps} --budget 9000000000000000000");
    let hit = run(&words(&line));
    assert_eq!(hit.code, Some(0), "{}", hit.stderr);
    assert!(hit.stdout.contains("P: the previous player wins, by formula"), "{}", hit.stdout);
    assert!(hit.stderr.starts_with("note: the remoteness is not known: "), "{}", hit.stderr);
    let misere = run(&words(&format!("{line} --misere")));
    refused(&misere, 3, "positions or more, so it was not listed");
}
