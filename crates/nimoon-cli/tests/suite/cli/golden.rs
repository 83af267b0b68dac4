//! The verified cases, through the program.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use crate::cli::program::run;

fn cases(file: &str) -> Vec<Json> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(file);
    let text = fs::read_to_string(path).expect("the golden file is there");
    let json: Json = serde_json::from_str(&text).expect("the golden file is JSON");
    json["cases"].as_array().expect("a list of cases").clone()
}

/// Labels every digraph of a file; `sums` of the cases are asked for as well.
fn check(file: &str, theory: &str, every: usize) -> (usize, usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut values, mut sums) = (0, 0);
    for (i, case) in cases(file).iter().enumerate() {
        let path = folder.path().join(format!("{i}.json"));
        fs::write(&path, case["digraph"].to_string()).expect("the digraph is written");
        let path = path.to_str().expect("a path in UTF-8");
        let labels = run(&["label", path, "--theory", theory, "--format", "json"]).json();
        assert_eq!(labels["theory"], theory);
        let nodes = labels["nodes"].as_array().expect("a list of nodes");
        let expected = case["values"].as_object().expect("values by node");
        let white = nodes.iter().filter(|node| node["color"] == "white");
        for node in white {
            let name = node["node"].as_str().expect("a name");
            assert_eq!(node["value"], expected[name], "{file}, case {i}, {name}");
            values += 1;
        }
        if i % every != 0 {
            continue;
        }
        for sum in case["sums"].as_array().into_iter().flatten() {
            let pieces = sum["nodes"].as_array().expect("a list of nodes").iter();
            let mut arguments = vec!["sum", path, "--theory", theory, "--format", "json"];
            arguments.extend(pieces.map(|node| node.as_str().expect("a name")));
            let answer = run(&arguments).json();
            assert_eq!(answer["value"], sum["value"], "{file}, case {i}, {sum}");
            assert_eq!(answer["outcome"], sum["outcome"], "{file}, case {i}, {sum}");
            let kind = answer["turn"]["kind"].as_str().expect("a kind");
            let fits = match sum["outcome"].as_str() {
                Some("N") => kind == "winning",
                Some("D") => kind == "drawing",
                _ => kind == "losing" || kind == "none",
            };
            assert!(fits, "{file}, case {i}, {sum}: {kind}");
            sums += 1;
        }
    }
    (values, sums)
}

#[test]
fn the_verified_carry_on_cases_come_out_right() {
    let (values, sums) = check("carry_on.json", "carry-on", 10);
    assert!(values > 1000 && sums == 180, "{values} values, {sums} sums");
}

#[test]
fn the_verified_entailing_cases_come_out_right() {
    let (values, _) = check("entailing.json", "entailing", 1);
    assert!(values > 200, "{values}");
}
