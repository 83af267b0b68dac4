//! `nimoon loopy`: answers, pictures, and what is refused.

use std::fs;

use serde_json::{Value as Json, json};

use crate::cli::program::{Run, run, run_on, words};

fn answer(arguments: &[&str]) -> Json {
    run(&[&["loopy", "--format", "json"], arguments].concat()).json()
}

#[track_caller]
fn refused(run: &Run, code: i32, says: &str) {
    assert_eq!((run.code, run.error_lines()), (Some(code), 1), "{}", run.stderr);
    let line = run.stderr.lines().next().unwrap_or_default();
    assert!(line.starts_with("error: ") && line.contains(says), "no `{says}` in: {line}");
}

#[test]
fn the_answer_has_the_fixed_shape() {
    let over =
        json!({"nodes": ["a", "b"], "left": [["a", "b"]], "right": [["a", "a"]], "start": "a"});
    let side = json!({"graph": over, "text": "over"});
    let expected = json!({
        "stopper": true,
        "outcome": {"left_first": "L", "right_first": "L"},
        "text": "over",
        "canonical": over,
        "sides": {"onside": side, "offside": side},
    });
    assert_eq!(answer(&["over"]), expected);
    assert_eq!(answer(&["over.json"]), expected);
    let text = run(&words("loopy over --format json")).answer();
    let keys = ["\"stopper\"", "\"outcome\"", "\"text\"", "\"canonical\"", "\"sides\""];
    let places: Vec<_> = keys.iter().map(|key| text.find(key)).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{text}");
}

#[test]
fn a_game_that_equals_no_stopper_has_two_sides() {
    let dud = answer(&["dud"]);
    assert_eq!(dud["stopper"], false);
    assert_eq!(dud["outcome"], json!({"left_first": "D", "right_first": "D"}));
    assert_eq!((&dud["text"], &dud["canonical"]), (&json!("dud"), &Json::Null));
    assert_eq!(dud["sides"]["onside"]["text"], "on");
    assert_eq!(dud["sides"]["offside"]["text"], "off");
    let sum = answer(&["over + under"]);
    assert_eq!((&sum["text"], &sum["canonical"]), (&json!("over & under"), &Json::Null));
}

#[test]
fn a_graph_with_an_alternating_cycle_may_equal_a_stopper() {
    // {on,dud|}, where dud is dominated.
    let text = r#"{"left":[["s","on"],["s","dud"],["on","on"],["dud","dud"]],
        "right":[["dud","dud"]],"start":"s"}"#;
    let found = run_on(text, &words("loopy - --format json")).json();
    assert_eq!((&found["stopper"], &found["text"]), (&json!(false), &json!("on")));
    let on = json!({"nodes": ["a"], "left": [["a", "a"]], "right": [], "start": "a"});
    assert_eq!(found["canonical"], on);
}

#[test]
fn the_carousel_has_no_sides() {
    let carousel = answer(&["carousel.json"]);
    assert_eq!(carousel["stopper"], false);
    assert_eq!(carousel["sides"], json!({"onside": null, "offside": null}));
    assert_eq!((&carousel["text"], &carousel["canonical"]), (&Json::Null, &Json::Null));
    for starter in ["left_first", "right_first"] {
        assert!(carousel["outcome"][starter].is_string(), "{carousel}");
    }
    let text = run(&words("loopy carousel.json")).answer();
    assert_eq!(text.matches("not found").count(), 2, "{text}");
}

#[test]
fn a_canonical_form_that_is_read_again_is_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    for game in ["over", "-3", "*2", "on", "1/2", "{1||0|-2}", "upon", "a{0|b{*|a}}"] {
        let first = answer(&[game]);
        let file = folder.path().join("canonical.json");
        fs::write(&file, first["canonical"].to_string()).expect("the file is written");
        let file = file.to_str().expect("a path in UTF-8");
        let second = answer(&[file]);
        assert_eq!(first["canonical"], second["canonical"], "{game}");
        assert_eq!(first["text"], second["text"], "{game}");
        assert_eq!(second["stopper"], true, "{game}");
        let compared = run(&["compare", file, game, "--format", "json"]).json();
        assert_eq!(compared["relation"], "=", "{game}");
    }
}

#[test]
fn an_argument_that_begins_with_a_hyphen_is_an_expression() {
    for line in ["loopy -1 --format json", "loopy --format json -1", "loopy --format=json -- -1"] {
        assert_eq!(run(&words(line)).json()["text"], "-1", "{line}");
    }
    assert_eq!(answer(&["-over"])["text"], "under");
    assert_eq!(answer(&["-{0|1}"])["text"], "-1/2");
    refused(&run(&words("loopy --nonsense")), 2, "1:3: ");
    assert_eq!(answer(&["-v"])["text"], "^");
    assert!(run(&words("loopy -h")).answer().contains("Usage: nimoon loopy"));
}

#[test]
fn games_come_from_standard_input_and_from_files() {
    let over =
        fs::read_to_string(crate::cli::program::examples().join("over.json")).expect("a file");
    assert_eq!(run_on(over, &words("loopy - --format json")).json()["text"], "over");
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).expect("the file is written");
        file.to_str().expect("a path in UTF-8").to_owned()
    };
    let expression = write("expression", "over\n");
    assert_eq!(answer(&[&format!("@{expression}")])["text"], "over");
    // Without the extension, a file that is there is a graph all the same.
    let graph = write("graph", r#"{"start":"z"}"#);
    assert_eq!(answer(&[&graph])["text"], "0");
    refused(&run(&["loopy", &expression]), 2, "line 1, column 1: found `over`, expected `{`");
}

#[test]
fn people_see_the_value_the_outcome_and_the_canonical_form() {
    insta::assert_snapshot!(crate::cli::program::transcript(&[
        "loopy over.json",
        "loopy dud",
        "loopy carousel.json",
        "loopy on",
        "loopy -2",
        "loopy over.json --format dot",
        "loopy over.json --format dot --given",
    ]));
}

#[test]
fn pictures_show_the_canonical_form_or_the_graph_as_given() {
    let canonical = run(&words("loopy over.json --format svg")).answer();
    assert!(canonical.contains("<title>a = over, the start</title>"), "{canonical}");
    assert!(canonical.contains("stroke-dasharray"), "{canonical}");
    let given = run(&words("loopy over.json --format svg --given")).answer();
    assert!(given.contains("<title>over, the start</title>"), "{given}");
    let carousel = run(&words("loopy carousel.json --format svg")).answer();
    assert_eq!(carousel.matches("<rect class=\"node\"").count(), 8, "{carousel}");
}

#[test]
fn bad_graphs_are_refused_with_the_place_and_the_reason() {
    let table: &[(&str, &str)] = &[
        ("", "line 1, column 1: the file has no nodes: write a graph, as in"),
        ("[]", "line 1, column 1: found `[`, expected `{`"),
        ("{}", "line 1, column 2: the graph has no start: add"),
        (r#"{"left":[["a","b"]]}"#, "line 1, column 20: the graph has no start: add"),
        (
            r#"{"start":"a","arcs":[]}"#,
            "column 14: found the field `arcs`, expected one of `nodes`, `left`",
        ),
        (r#"{"start":"a","start":"b"}"#, "column 14: found the field `start` a second time"),
        (r#"{"nodes":["a","a"],"start":"a"}"#, "column 15: found `a` a second time in `nodes`"),
        (
            "{\"nodes\":[\"a\"],\n\"left\":[[\"a\",\"b\"]],\"start\":\"a\"}",
            "line 2, column 14: found `b`, which is not in `nodes`",
        ),
        (
            r#"{"left":[["a","b"]],"start":"a","nodes":["a"]}"#,
            "column 15: found `b`, which is not in `nodes`",
        ),
        (r#"{"nodes":["a"],"start":"b"}"#, "column 24: found `b`, which is not in `nodes`"),
        (
            r#"{"left":[["a","b"]],"start":"A"}"#,
            "column 29: found the start `A`, which is at no edge",
        ),
        (r#"{"left":[["a"]],"start":"a"}"#, "column 14: found `]`, expected `,` and a second name"),
        (r#"{"left":[["a","b","c"]],"start":"a"}"#, "column 18: found `,`, expected `]`"),
        (r#"{"right":[["a",1]],"start":"a"}"#, "column 16: found `1`, expected the name"),
        (
            r#"{"right":{"a":"b"},"start":"a"}"#,
            "column 10: found `{`, expected `[` and a list of edges",
        ),
        (r#"{"start":0}"#, "column 10: found `0`, expected the name"),
        (r#"{"start":"a"} {}"#, "column 15: found `{`, expected the end of the file"),
        (r#"{"start":"a""#, "the end of the file"),
        (r#"{"start":"\ud800"}"#, "half of a surrogate pair"),
    ];
    for (text, says) in table {
        let run = run_on(*text, &["loopy", "-"]);
        refused(&run, 2, says);
        refused(&run, 2, "standard input: line ");
        assert_eq!(run.stdout, "", "{text}");
    }
    refused(&run_on(&b"{\"start\":\"\xFF\"}"[..], &["loopy", "-"]), 2, "is not UTF-8");
    let deep = "[".repeat(100_000);
    refused(&run_on(deep.clone(), &["loopy", "-"]), 2, "line 1, column 1");
    refused(&run_on(format!("{{\"left\":{deep}"), &["loopy", "-"]), 2, "line 1, column 11");
}

#[test]
fn the_exit_code_says_what_cannot_be_answered() {
    refused(&run(&words("loopy missing.json")), 1, "missing.json cannot be read");
    refused(&run(&words("loopy @missing")), 1, "missing cannot be read");
    refused(&run(&words("loopy nonsense")), 2, "1:1: ");
    refused(&run(&["loopy", ""]), 2, "1:1: ");
    refused(&run(&words("loopy")), 2, "required arguments were not provided");
    refused(&run(&words("loopy over --format csv")), 2, "invalid value 'csv'");
    refused(&run(&words("loopy over --given")), 2, "use it with --format dot or svg");
    refused(&run(&words("loopy over under")), 2, "unexpected argument 'under'");
}

#[test]
fn a_budget_that_is_hit_leaves_what_is_known() {
    let hit = run(&words("loopy carousel.json --budget 3 --format json"));
    refused(&hit, 3, "the budget of 3 positions was hit; raise it with --budget");
    let known: Json = serde_json::from_str(&hit.stdout).expect("one JSON value");
    let whole = answer(&["carousel.json"]);
    assert_eq!((&known["stopper"], &known["outcome"]), (&whole["stopper"], &whole["outcome"]));
    assert_eq!(known["sides"], json!({"onside": null, "offside": null}));
    let reply = run(&words("loopy carousel.json --budget 3"));
    refused(&reply, 3, "raise it with --budget");
    assert!(reply.stdout.contains("value         not known"), "{}", reply.stdout);
    let expression = run(&words("loopy over+under --budget 0 --format json"));
    refused(&expression, 3, "raise it with --budget");
    let known: Json = serde_json::from_str(&expression.stdout).expect("one JSON value");
    assert!(known["text"].is_null(), "{known}");
}
