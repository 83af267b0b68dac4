//! `nimoon compare`: the order of two games.

use serde_json::{Value as Json, json};

use crate::cli::program::{run, run_on, words};

fn relation(a: &str, b: &str) -> Json {
    run(&["compare", a, b, "--format", "json"]).json()["relation"].clone()
}

#[test]
fn the_answer_has_the_fixed_shape() {
    let text = run(&words("compare over 0 --format json")).answer();
    assert_eq!(
        text,
        "{\"ge_plus\":true,\"ge_minus\":true,\"le_plus\":false,\"le_minus\":false,\"relation\":\">\"}\n"
    );
    let dud = run(&words("compare dud 0 --format json")).json();
    assert_eq!(
        dud,
        json!({"ge_plus": true, "ge_minus": false, "le_plus": false, "le_minus": true, "relation": "||"})
    );
}

#[test]
fn games_are_ordered() {
    for (a, b, expected) in [
        ("over", "0", ">"),
        ("under", "0", "<"),
        ("over", "over.json", "="),
        ("over.json", "1", "<"),
        ("on", "1000", ">"),
        ("*", "0", "||"),
        ("dud", "dud", "="),
        ("dud", "on", "<"),
        ("on + off", "dud", "="),
    ] {
        assert_eq!(relation(a, b), expected, "{a} and {b}");
        let mirrored = match expected {
            ">" => "<",
            "<" => ">",
            same => same,
        };
        assert_eq!(relation(b, a), mirrored, "{b} and {a}");
    }
}

#[test]
fn arguments_that_begin_with_a_hyphen_are_expressions() {
    assert_eq!(relation("-1", "1"), "<");
    assert_eq!(relation("1", "-1"), ">");
    assert_eq!(relation("-over", "under"), "=");
    assert_eq!(run(&words("compare --format json -1 -2")).json()["relation"], ">");
}

#[test]
fn games_without_sides_are_compared_as_graphs() {
    assert_eq!(relation("carousel.json", "carousel.json"), "=");
    assert_eq!(relation("carousel.json", "3"), "<");
    assert_eq!(relation("-3", "carousel.json"), "<");
}

#[test]
fn one_game_may_be_on_standard_input() {
    let over = r#"{"left":[["over","0"]],"right":[["over","over"]],"start":"over"}"#;
    assert_eq!(run_on(over, &words("compare - 0 --format json")).json()["relation"], ">");
    assert_eq!(run_on(over, &words("compare 0 - --format json")).json()["relation"], "<");
    let twice = run_on(over, &words("compare - -"));
    assert_eq!((twice.code, twice.error_lines()), (Some(2), 1));
    assert!(twice.stderr.contains("only one of the two games"), "{}", twice.stderr);
}

#[test]
fn people_get_words() {
    insta::assert_snapshot!(crate::cli::program::transcript(&[
        "compare over 0",
        "compare -1 1",
        "compare dud 0",
        "compare over over.json",
        "compare carousel.json 0 --budget 1",
    ]));
}

#[test]
fn the_exit_code_says_what_cannot_be_compared() {
    for (line, code, says) in [
        ("compare over", 2, "required arguments were not provided"),
        ("compare over nonsense", 2, "1:1: "),
        ("compare missing.json 0", 1, "missing.json cannot be read"),
        ("compare carousel.json 0 --budget 3", 3, "raise it with --budget"),
    ] {
        let run = run(&words(line));
        assert_eq!((run.code, run.error_lines()), (Some(code), 1), "{line}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{line}: {}", run.stderr);
    }
    let hit = run(&words("compare carousel.json 0 --budget 3 --format json"));
    let known: Json = serde_json::from_str(&hit.stdout).expect("one JSON value");
    assert!(known["relation"].is_null(), "{known}");
}
