//! `nimoon ordinal`.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

use crate::cli::program::{Run, run, run_on};

fn ask(expression: &str) -> Run {
    run(&["ordinal", expression, "--format", "json"])
}

fn answer(expression: &str) -> Json {
    ask(expression).json()
}

/// What a user sees; these expressions have blanks, so there are quotes.
fn transcript(expressions: &[&str]) -> String {
    let mut text = String::new();
    for expression in expressions {
        let run = run(&["ordinal", expression]);
        text += &["$ nimoon ordinal '", expression, "'\n", &run.stdout].concat();
        if !run.stderr.is_empty() {
            text += &["[stderr]\n", &run.stderr].concat();
        }
        if run.code != Some(0) {
            writeln!(text, "[exit {:?}]", run.code).expect("text");
        }
        text.push('\n');
    }
    text
}

#[test]
fn the_answer_has_the_fixed_shape() {
    assert_eq!(ask("w^2*3 + w + 5").answer(), "{\"value\":\"w^2*3 + w + 5\",\"even\":false}\n");
    assert_eq!(answer("5 + w + 1"), json!({"value": "w + 1", "even": false}));
    assert_eq!(answer("natural(5, w, 1)"), json!({"value": "w + 6", "even": true}));
    assert_eq!(answer("nimproduct(4, 4)"), json!({"value": "6", "even": true}));
    assert_eq!(answer("w < w + 1"), json!({"value": true}));
    assert_eq!(answer("1 + w != w"), json!({"value": false}));
}

#[test]
fn nim_is_answered_with_its_outcome_and_a_move() {
    assert_eq!(
        ask("nim(w^2, w + 5)").answer(),
        "{\"value\":\"w^2 + w + 5\",\"even\":false,\"outcome\":\"N\",\"move\":{\"component\":0,\
         \"from\":\"w^2\",\"to\":\"w + 5\"}}\n"
    );
    assert_eq!(
        answer("nim(w, 3, w + 3)"),
        json!({"value": "0", "even": true, "outcome": "P", "move": null})
    );
    // Within a larger expression it is an ordinal like others.
    assert_eq!(answer("nim(w, 3) + 0"), json!({"value": "w + 3", "even": false}));
}

#[test]
fn games_of_dollars_and_cents_are_answered_with_their_remoteness_and_a_move() {
    assert_eq!(
        answer("dollars(1, 1)"),
        json!({"value": "w + 1", "even": false, "outcome": "N",
               "move": {"component": 0, "from": "w + 1", "to": "w"}})
    );
    assert_eq!(
        answer("dollars100(1, 0)"),
        json!({"value": "100", "even": true, "outcome": "P", "move": null})
    );
    assert_eq!(
        answer("conjunctive(w + 1, w + 2)"),
        json!({"value": "w + 1", "even": false, "outcome": "N", "moves": [
            {"component": 0, "from": "w + 1", "to": "w"},
            {"component": 1, "from": "w + 2", "to": "w + 1"}]})
    );
    // Barbara has taken 1000 cents for her dollar, and one of them; Abe must not take fewer.
    let later = answer("conjunctive(dollars(0, 999), dollars(1, 0), dollars100(10, 0))");
    assert_eq!(later["moves"][1]["to"], "999");
    assert_eq!(later["moves"][2]["to"], "dollars100(9, 99)");
    assert_eq!(
        answer("selective(w + 1, w, 3)"),
        json!({"value": "w*2 + 3", "even": false, "outcome": "N", "moves": [
            {"component": 0, "from": "w + 1", "to": "w"},
            {"component": 2, "from": "3", "to": "2"}]})
    );
    let lost = answer("selective(conjunctive(w, w + 1), 2)");
    assert_eq!(lost, json!({"value": "w + 2", "even": true, "outcome": "P", "moves": null}));
}

#[test]
fn people_get_words() {
    insta::assert_snapshot!(transcript(&[
        "w^2*3 + w + 5",
        "w^w^2*2",
        "2^10",
        "1 + w = w",
        "nim(w^w, w*3 + 5, w)",
        "nim(w, w)",
        "dollars(1, 1)",
        "dollars100(2, 0)",
        "conjunctive(w + 1, w + 2)",
        "conjunctive(7, w, w^2, dollars100(1, 0))",
        "selective(w + 1, w)",
        "selective(conjunctive(w, w + 1), 3)",
    ]));
}

#[test]
fn errors_have_their_place() {
    insta::assert_snapshot!(transcript(&[
        "",
        "w^",
        "w^-1",
        "w - 1",
        "-1",
        "e0",
        "w^w^w^…",
        "nim()",
        "frobnicate(w)",
        "2w",
        "w < w < w",
        "nimproduct(w, w)",
        "340282366920938463463374607431768211456",
        "w*340282366920938463463374607431768211455 + w",
        "(w + 1)^1000000",
        "w + dollars(w, 1)",
    ]));
}

#[test]
fn a_nim_value_is_not_taken_for_a_remoteness() {
    for (expression, column, reason) in [
        (
            "conjunctive(nim(2))",
            13,
            "expected a remoteness in conjunctive(…), and this is a nim-value",
        ),
        (
            "selective(nim(w, 2), w)",
            11,
            "expected a remoteness in selective(…), and this is a nim-value",
        ),
        ("nim(dollars(1, 1))", 5, "expected a nim-value in nim(…), and this is a remoteness"),
        ("nim(2) < dollars(0, 2)", 10, "a remoteness cannot be combined with a nim-value"),
    ] {
        let run = ask(expression);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{expression}");
        assert!(run.stderr.contains(&format!("error: 1:{column}: {reason}")), "{}", run.stderr);
    }
}

#[test]
fn limits_end_with_their_own_code() {
    let tower = vec!["w"; 30_000].join("^");
    let nested = "(".repeat(50_000);
    let digits = format!("w^({})", "9".repeat(100_000));
    let small = |expression| run(&["ordinal", expression, "--budget", "3"]);
    for (run, code) in [
        (ask(&tower), 3),
        (run_on(vec!["w"; 300_000].join("^"), &["ordinal", "-"]), 3),
        (ask("2^128"), 3),
        (small("w^2 + w"), 3),
        (ask(&nested), 2),
        (ask(&digits), 2),
        (run_on(vec!["w"; 2_500_000].join("+"), &["ordinal", "-"]), 3),
    ] {
        assert_eq!((run.code, run.error_lines()), (Some(code), 1), "{}", run.stderr);
        let nothing = ["value  not known\n", "{\"value\":null,\"even\":null}\n"];
        assert_eq!(nothing.contains(&run.stdout.as_str()), code == 3, "{}", run.stdout);
        assert!(code == 3 || run.stdout.is_empty(), "{}", run.stdout);
    }
    assert!(small("w^2 + w").stderr.contains("raise it with --budget"));
}

#[test]
fn expressions_come_from_standard_input_too() {
    let run = run_on("nim(w,\n  3)\n", &["ordinal", "-", "--format", "json"]);
    assert_eq!(run.json()["value"], "w + 3");
    let wrong = run_on("w +\n  w^\n", &["ordinal", "-"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.starts_with("error: standard input:3:1: "), "{}", wrong.stderr);
}
