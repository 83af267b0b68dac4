//! `nimoon rulesets`.

use insta::assert_snapshot;
use serde_json::json;

use crate::cli::bad_input::refused;
use crate::cli::program::{run, run_on, transcript, words};

#[test]
fn the_list_has_every_ruleset_with_its_rules_notation_and_an_example() {
    assert_snapshot!(transcript(&["rulesets"]));
}

#[test]
fn one_ruleset_is_described_in_full() {
    assert_snapshot!(transcript(&[
        "rulesets nim",
        "rulesets octal",
        "rulesets ladders",
        "rulesets ordinal",
        "rulesets octal --format json",
        "rulesets nimstring",
    ]));
}

#[test]
fn the_picture_in_the_notation_is_read() {
    let reply = run(&["rulesets", "nimstring"]).answer();
    let lines: Vec<&str> = reply.lines().skip_while(|line| line.trim() != "nimstring:").collect();
    let picture = lines[..4].join("\n");
    let answer = run_on(picture, &words("value - --format json")).json();
    let same = run(&words("value nimstring:1x2/1011/101 --format json")).json();
    assert_eq!(answer, same);
}

#[test]
fn the_list_is_json_for_scripts() {
    let all = run(&words("rulesets --format json")).json();
    let all = all.as_array().expect("a list");
    assert!(all.len() > 20);
    for entry in all {
        let keys: Vec<_> = entry.as_object().expect("an object").keys().collect();
        let expected = "board example name notation parameters rules source value";
        let mut sorted = keys.clone();
        // Only some rulesets have other names.
        sorted.retain(|key| *key != "aliases");
        sorted.sort();
        assert_eq!(sorted, words(expected));
        // A ruleset alone has the same entry as in the list.
        let name = entry["name"].as_str().expect("a name");
        let alone = run(&["rulesets", name, "--format", "json"]).json();
        assert_eq!(alone.as_array().expect("a list"), std::slice::from_ref(entry));
    }
}

#[test]
fn no_line_of_the_list_is_wider_than_a_terminal() {
    for line in run(&["rulesets"]).answer().lines() {
        assert!(line.chars().count() <= 100 && line == line.trim_end(), "{line}");
    }
}

#[test]
fn a_ruleset_that_is_not_in_the_list_gets_the_nearest_name() {
    refused(&run(&["rulesets", "kayls"]), &["unknown ruleset `kayls`; did you mean `kayles`?"]);
    refused(&run(&["rulesets", "chess960"]), &["`nimoon rulesets` lists all of them"]);
    refused(&run(&["rulesets", ""]), &["the name of a ruleset"]);
    refused(&run(&["rulesets", "nim", "kayles"]), &["unexpected argument"]);
}

#[test]
fn scripts_are_listed_and_told_too() {
    let script = ["--rules", "rules/kayles.rhai"];
    let reply = |arguments: &[&str]| run(&[&["rulesets"], arguments, &script].concat());
    let list = reply(&[]).answer();
    assert!(list.ends_with("\nSCRIPTS\n  kayles\n      rules/kayles.rhai\n"), "{list}");
    let alone = reply(&["kayles"]).answer();
    assert!(alone.starts_with("kayles has the rules of rules/kayles.rhai.\n\n"), "{alone}");
    // Other rulesets are the same as without scripts.
    assert_eq!(reply(&["nim"]).answer(), run(&["rulesets", "nim"]).answer());
    let all = reply(&["--format", "json"]).json();
    let last = all.as_array().and_then(|all| all.last()).expect("a list");
    assert_eq!((&last["name"], &last["board"]), (&"kayles".into(), &"script".into()));
    assert_eq!(reply(&["kayles", "--format", "json"]).json()[0], *last);
    let comment = last["rules"].as_str().expect("a text");
    assert!(!comment.is_empty() && alone.ends_with(&format!("{comment}\n")), "{comment}");
    refused(&reply(&["kayls"]), &["did you mean `kayles`?"]);
}

#[test]
fn a_picture_is_read_as_a_game_shows_it() {
    let shown = run_on("2\n", &["play", "nimstring:2x2/101000/100100"]).answer();
    // A board stands below its notation.
    let shown: Vec<&str> = shown.lines().collect();
    let begin = shown.iter().position(|line| line.starts_with("0  nimstring:")).expect("a board");
    let (notation, picture) =
        (shown[begin].trim_start_matches("0  "), &shown[begin + 1..begin + 6]);
    assert!(picture[0].starts_with("   +"), "{picture:?}");
    let value = |text: String| run_on(text, &words("value - --format json")).json();
    let picture = format!("nimstring:\n{}\n", picture.join("\n"));
    assert_eq!(value(picture), value(notation.to_owned()));
}

#[test]
fn a_heap_that_must_be_answered_is_a_position() {
    let answer = run(&words("value top-entails:!2+nim:3 --format json")).json();
    let due = &answer["components"][0];
    assert_eq!(due["position"], "top-entails:!2");
    assert!(due["covers"].is_object() && due.get("value").is_none(), "{due}");
    assert_eq!(answer["turn"]["plies"][0]["from"], "top-entails:!2");
    // The answer to `top-entails:3` beside nothing is that to the heap of 2 that its top token
    // leaves.
    let answer = run(&words("value top-entails:!0 --format json")).json();
    assert_eq!((&answer["outcome"], &answer["turn"]["kind"]), (&json!("P"), &json!("none")));
}

#[test]
fn the_carry_on_theory_knows_entailing_moves_with_one_answer() {
    for (heap, value) in [(1, json!({"kind": "full-moon"})), (2, json!({"kind": "nimber", "n": 0}))]
    {
        let position = format!("top-entails:{heap}");
        let arguments = ["value", &position, "--theory", "carry-on", "--format", "json"];
        assert_eq!(run(&arguments).json()["value"], value, "{position}");
    }
    for position in ["top-entails:3", "top-entails:!3", "top-entails:2+top-entails:4"] {
        refused(
            &run(&["value", position, "--theory", "carry-on"]),
            &["the carry-on theory does not fit: there are entailing moves", "several answers"],
        );
    }
}

#[test]
fn the_names_of_coins_are_of_ascii_letters() {
    refused(
        &run(&["value", "coins:ä-0"]),
        &["1:7: expected the name of a coin, letters from A to Z"],
    );
}
