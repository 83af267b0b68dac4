//! `nimoon value` for sums with positions of partizan rulesets.

use insta::assert_snapshot;
use serde_json::json;

use crate::cli::bad_input::refused;
use crate::cli::program::{run, run_on, transcript};

const SUM: &str = "backsliding:t..f + fox-geese:4/geese=3.1,3.3/fox=2.2";

#[test]
fn a_sum_has_its_value_the_winners_and_moves() {
    assert_snapshot!(transcript(&[
        "value backsliding:t..f+fox-geese:4/geese=3.1,3.3/fox=2.2",
        "value backsliding:t..f+nim:2",
        "value backsliding:t.+backsliding:.f",
        "value backsliding:ttt..fff",
        "value fox-geese:4/geese=3.1,3.3/fox=2.4+kayles:5",
        "value backsliding:tf",
        "value backsliding:.f --format json",
        "value backsliding:tt..ff+slide[-1,+1;1]:1 --format json",
    ]));
}

#[test]
fn the_json_of_a_partizan_sum_is_as_the_interface_says() {
    let answer = run(&["value", "backsliding:.tf + nim:0", "--format", "json"]).json();
    let expected = json!({
        "components": [
            {
                "position": "backsliding:.tf",
                "value": {"kind": "loopy", "text": "*", "stopper": true},
                "outcome": {"left_first": "L", "right_first": "R"},
            },
            {
                "position": "nim:0",
                "value": {"kind": "loopy", "text": "0", "stopper": true},
                "outcome": {"left_first": "R", "right_first": "L"},
            },
        ],
        "value": {"kind": "loopy", "text": "*", "stopper": true},
        "outcome": {"left_first": "L", "right_first": "R"},
        "turns": {
            "left": {
                "kind": "winning",
                "plies": [{
                    "component": 0,
                    "from": "backsliding:.tf",
                    "to": "backsliding:t.f",
                    "words": "step back with the toad on square 2 to 1",
                }],
                "guide": "search",
                "remoteness": answer["turns"]["left"]["remoteness"],
            },
            "right": {
                "kind": "winning",
                "plies": [{
                    "component": 0,
                    "from": "backsliding:.tf",
                    "to": "backsliding:ft.",
                    "words": "jump with the frog on square 3 to 1",
                }],
                "guide": "search",
                "remoteness": answer["turns"]["right"]["remoteness"],
            },
        },
    });
    assert_eq!(answer, expected);
}

#[test]
fn a_partizan_sum_can_come_from_standard_input() {
    let given = run_on(SUM, &["value", "-", "--format", "json"]).json();
    assert_eq!(given, run(&["value", SUM, "--format", "json"]).json());
}

#[test]
fn positions_that_are_printed_are_read_again() {
    let answer = run(&["value", "backsliding:t.f + kayles:7", "--format", "json"]).json();
    let to = answer["turns"]["left"]["plies"][0]["to"].as_str().expect("a position").to_owned();
    let after = run(&["value", &format!("backsliding:t.f + {to}"), "--format", "json"]).json();
    assert_eq!(after["outcome"]["right_first"], json!("L"), "{to}: {after}");
}

#[test]
fn wrong_partizan_positions_are_pointed_at() {
    refused(&run(&["value", "backsliding:t.x"]), &["1:15: expected `t`, `f` or `.`, found `x`"]);
    refused(
        &run(&["value", "nim:1 + fox-geese:4/geese=1.2/fox=2.2"]),
        &["1:27: 1.2 is not in use"],
    );
    refused(&run(&["value", "backslide:t."]), &["did you mean `backsliding`?"]);
    refused(&run(&["value", "backsliding[3]:t."]), &["takes nothing in brackets"]);
}

#[test]
fn moves_that_are_not_ordinary_are_refused_beside_partizan_games() {
    let again = run(&["value", "backsliding:t. + nimstring:1x1"]);
    refused(&again, &["1:18: `nimstring` has moves", "the same player moves again"]);
    let entailing = run(&["value", "top-entails:5 + backsliding:t."]);
    refused(&entailing, &["1:1: `top-entails` has moves", "answer in the same place"]);
}

#[test]
fn options_for_impartial_games_are_refused_for_partizan_ones() {
    for option in ["--explain", "--turns", "--theory=short"] {
        let name = option.split('=').next().expect("a name");
        refused(&run(&["value", SUM, option]), &[name, "impartial"]);
    }
    assert_eq!(run(&["value", SUM, "--theory=auto"]).code, Some(0));
}

#[test]
fn commands_for_impartial_games_say_that_a_game_is_partizan() {
    let reply =
        ["`backsliding` is a partizan game", "`nimoon value`, `play` and `repl` know such games"];
    refused(&run(&["table", "backsliding:{}", "0..3"]), &reply);
    let ordinal = run(&["value", "ordinal[nim | backsliding]:1 | t."]);
    refused(&ordinal, &["1:15: `backsliding` is a partizan game", "made of impartial games"]);
}

#[test]
fn over_the_budget_the_known_part_of_a_partizan_sum_is_printed() {
    let run_within = |sum: &str, budget: &str| {
        let run = run(&["value", sum, "--budget", budget, "--format", "json"]);
        assert_eq!((run.code, run.error_lines()), (Some(3), 1), "{sum} {}", run.stderr);
        assert!(run.stderr.contains("raise it with --budget"), "{}", run.stderr);
        // The number that was asked for, whatever is counted.
        let asked = format!("the budget of {budget} positions was hit");
        assert!(run.stderr.contains(&asked), "{}", run.stderr);
        run.stdout
    };
    let answer: serde_json::Value =
        serde_json::from_str(&run_within("backsliding:t..f + backsliding:ttt...fff", "500"))
            .expect("JSON");
    assert_eq!(answer["components"][0]["value"]["text"], json!("*"));
    assert_eq!(answer["components"][1]["value"], json!(null));
    assert_eq!(answer["value"], json!(null));
    assert_eq!(answer["outcome"]["left_first"], json!(null));
    assert_eq!(answer["turns"]["right"], json!(null));
    run_within("backsliding:t.f", "0");
    let unknown: serde_json::Value =
        serde_json::from_str(&run_within("backsliding:t.f + nim:1000000000000", "1000"))
            .expect("JSON");
    assert_eq!(unknown["components"], json!([]));
}
