//! `nimoon unicycle`.

use insta::assert_snapshot;
use serde_json::json;

use crate::cli::program::{run, transcript};

#[test]
fn exits_are_found_counted_listed_and_constructed() {
    assert_snapshot!(transcript(&[
        "unicycle LLRR",
        "unicycle LLRR --count",
        "unicycle LLRR --all",
        "unicycle LLRR --all --limit 2 --format json",
        "unicycle LLLRLRRRLR",
        "unicycle LLLRLRRRLR --exits 0,-1 --all",
        "unicycle LLLRLRRRLR --construct",
        "unicycle RRLRRL --construct --format json",
        "unicycle L --count",
        "unicycle LLLR",
        "unicycle LRLR --count --format json",
        "unicycle --length 6 --count",
        "unicycle --length 4 --format json",
        "unicycle --length 5 --construct",
        "unicycle --length 3",
    ]));
}

#[test]
fn what_is_wrong_with_the_arguments_is_pointed_at() {
    assert_snapshot!(transcript(&[
        "unicycle LLxR",
        "unicycle llrr",
        "unicycle LLRR --exits 0,*2,x",
        "unicycle LLRR --exits 0,*65",
        "unicycle LLRR --exits {0|{0|-1}}",
        "unicycle LLRR --exits 0,,*",
        "unicycle LLRR --exits -",
        "unicycle --length 21",
        "unicycle LLRR --length 4",
        "unicycle LLRR --construct --count",
    ]));
}

#[test]
fn the_json_is_as_the_interface_says() {
    let answer = run(&["unicycle", "LLRR", "--exits", "0,*,*2,*3", "--count", "--format", "json"]);
    let expected = json!({
        "pattern": "LLRR", "admissible": true, "exits": ["0", "0", "*", "*"], "count": 6,
        "exhaustive": true,
    });
    assert_eq!(answer.json(), expected);
}

#[test]
fn nothing_is_searched_for_a_construction() {
    let answer = run(&["unicycle", "LLRR", "--construct", "--format", "json"]).json();
    assert!(answer["exits"].is_array() && answer["count"].is_null(), "{answer}");
    assert_eq!(answer["exhaustive"], json!(false));
    let answers = run(&["unicycle", "--length", "5", "--construct", "--format", "json"]).json();
    let answers = answers.as_array().expect("a list");
    assert_eq!(answers.len(), 4);
    assert!(answers.iter().all(|answer| answer["exits"].is_array()), "{answers:?}");
    // There is none, and that is certain.
    let answer = run(&["unicycle", "LRLR", "--construct", "--format", "json"]).json();
    assert_eq!((&answer["exits"], &answer["exhaustive"]), (&json!(null), &json!(true)));
}

#[test]
fn patterns_that_were_not_searched_are_listed_too() {
    let whole = run(&["unicycle", "--length", "5", "--count", "--format", "json"]).json();
    let cut = run(&["unicycle", "--length", "5", "--count", "--budget", "3", "--format", "json"]);
    assert_eq!((cut.code, cut.error_lines()), (Some(3), 1));
    let cut: serde_json::Value = serde_json::from_str(&cut.stdout).expect("JSON");
    let patterns = |answers: &serde_json::Value| -> Vec<serde_json::Value> {
        answers.as_array().expect("a list").iter().map(|it| it["pattern"].clone()).collect()
    };
    assert_eq!(patterns(&cut), patterns(&whole));
    assert_eq!(
        cut[3],
        json!({
            "pattern": "LRLRR", "admissible": true, "exits": null, "count": null, "exhaustive": false,
        })
    );
    // The table has the count.
    let cut = run(&["unicycle", "--length", "5", "--budget", "3"]);
    assert_eq!(
        cut.stdout,
        "LLLRR  not known\nsearched 0 of 4 admissible patterns up to rotation, 0 with a \
         unicycle from 0,*,*2,*3\n"
    );
}

#[test]
fn exits_are_read_and_written_alike() {
    let exits = "{0|-6},+-1,1/2,{*2|-3},0,-3,12,*,*2,*64";
    let run = run(&["unicycle", "R", "--exits", exits, "--all", "--format", "json"]);
    let answer = run.json();
    let all = answer["all"].as_array().expect("a list").iter();
    let words: Vec<&str> = all.map(|exits| exits[0].as_str().expect("a text")).collect();
    // R = {exit|R} is canonical with all of them.
    assert_eq!(words.join(","), exits);
}

#[test]
fn over_the_budget_the_known_part_and_the_whole_budget_are_printed() {
    let long = "LLLRRR".repeat(20);
    for arguments in [
        ["unicycle", "LLRLRR", "--count", "--budget=10000"],
        ["unicycle", &long, "--count", "--budget=1000000"],
        ["unicycle", &long, "--construct", "--budget=1000"],
        ["unicycle", "LLRR", "--count", "--budget=0"],
    ] {
        let run = run(&[arguments.as_slice(), &["--format", "json"]].concat());
        assert_eq!((run.code, run.error_lines()), (Some(3), 1), "{arguments:?} {}", run.stdout);
        let answer: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!(answer["exhaustive"], json!(false), "{answer}");
    }
    let run = run(&["unicycle", "--length", "20", "--budget", "1000000"]);
    assert_eq!((run.code, run.error_lines()), (Some(3), 1));
    assert!(run.stdout.contains(" of 52483 admissible patterns"), "{}", run.stdout);
}

#[test]
fn an_empty_pattern_is_refused() {
    let run = run(&["unicycle", ""]);
    assert_eq!((run.code, run.stdout.as_str(), run.error_lines()), (Some(2), "", 1));
    assert!(run.stderr.starts_with("error: pattern: 1:1: the pattern is empty"), "{}", run.stderr);
}

#[test]
fn a_pattern_that_is_too_long_is_refused() {
    let run = run(&["unicycle", &"LLRR".repeat(1000)]);
    assert_eq!((run.code, run.stdout.as_str(), run.error_lines()), (Some(2), "", 1));
    assert_eq!(run.stderr, "error: pattern: 1:129: a pattern has at most 128 letters\n");
}
