//! `nimoon representative`.

use insta::assert_snapshot;

use crate::cli::program::{ascii, run, run_on, transcript};

#[test]
fn every_kind_of_value_has_a_simplest_digraph() {
    assert_snapshot!(transcript(&[
        "representative 0",
        "representative 3",
        "representative full-moon",
        "representative moon",
        "representative moon{0}",
        "representative moon{0,2}",
        "representative ninny{1}",
        "representative oo{}",
        "representative oo{0,2}",
        "representative ∞₀,₂",
        "representative ☾₁",
        "representative ∞*₂ --format json",
        "representative moon{1} --format dot",
        "representative ninny{0} --format latex",
    ]));
}

#[test]
fn a_representative_has_the_value_it_represents() {
    let values = [
        "0",
        "5",
        "full-moon",
        "moon{3}",
        "moon{0,1,4}",
        "ninny{0}",
        "ninny{4}",
        "oo{}",
        "oo{1,3}",
    ];
    for value in values {
        let game = run(&["representative", value]).answer();
        let start = game.split_whitespace().nth(1).expect("the name of the start").to_owned();
        let arguments =
            ["label", "-", "--input", "game", "--format", "json", "--theory", "carry-on"];
        let labels = run_on(game, &arguments).json();
        let nodes = labels["nodes"].as_array().expect("a list of nodes");
        let node = nodes.iter().find(|node| node["node"] == start.as_str()).expect("the start");
        assert_eq!(ascii(&node["value"]), value);
    }
}

#[test]
fn the_value_belongs_to_the_theory_that_is_named() {
    for value in
        ["0", "4", "moon", "full-moon", "moon{0}", "moon{0,2}", "ninny{1}", "oo{}", "oo{0,2}"]
    {
        let game = run(&["representative", value]).answer();
        let first = game.lines().next().expect("a comment").to_owned();
        let start = first.split_whitespace().nth(1).expect("the name of the start").to_owned();
        let mut arguments = vec!["label", "-", "--input", "game", "--format", "json"];
        if first.ends_with(" in the carry-on theory (--theory carry-on)") {
            arguments.extend(["--theory", "carry-on"]);
        } else {
            assert!(first.ends_with(&format!(" has value {value}")), "{first}");
        }
        let labels = run_on(game, &arguments).json();
        let nodes = labels["nodes"].as_array().expect("a list of nodes");
        let node = nodes.iter().find(|node| node["node"] == start.as_str()).expect("the start");
        assert_eq!(ascii(&node["value"]), value);
    }
}
