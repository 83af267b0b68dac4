//! What the comments of the examples claim, against the program and against brute force.
//!
//! A line `# value NODE VALUE` tells the value of a white node as the CSV prints it, a line
//! `# sum NODE … VALUE OUTCOME` a sum, with `-` where there is no value.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use nimoon::AnyValue;
use nimoon_oracle::{Board, Contexts, Outcome, Product};
use serde_json::Value as Json;

use crate::cli::program::{ascii, examples, run};

struct Example {
    file: String,
    board: Board,
    nodes: BTreeMap<String, usize>,
    /// Nodes and their values.
    values: Vec<(String, String)>,
    sums: Vec<Claim>,
}

struct Claim {
    nodes: Vec<String>,
    value: String,
    outcome: String,
}

/// Reads an example without the reader of the program.
fn read(file: String) -> Example {
    let text = fs::read_to_string(examples().join(&file)).expect("the example is there");
    let mut nodes: BTreeMap<String, usize> = BTreeMap::new();
    let mut number = |name: &str| {
        let next = nodes.len();
        *nodes.entry(name.to_owned()).or_insert(next)
    };
    let (mut gray, mut arcs, mut values, mut sums) = (vec![], vec![], vec![], vec![]);
    for line in text.lines() {
        if let Some(claim) = line.strip_prefix("# value ") {
            let (node, value) = claim.split_once(' ').expect("a node and a value");
            values.push((node.to_owned(), value.to_owned()));
        } else if let Some(claim) = line.strip_prefix("# sum ") {
            let mut words: Vec<String> = claim.split(' ').map(str::to_owned).collect();
            let outcome = words.pop().expect("an outcome");
            let value = words.pop().expect("a value");
            sums.push(Claim { nodes: words, value, outcome });
        } else if let Some(names) = line.strip_prefix("gray ") {
            gray.extend(names.split(' ').map(&mut number));
        } else if !line.is_empty() && !line.starts_with('#') {
            let (node, options) = line.split_once(':').expect("a node and its options");
            let from = number(node);
            arcs.extend(options.split_whitespace().map(|to| (from, number(to))));
        }
    }
    let mut board = Board::white(vec![Vec::new(); nodes.len()]);
    for node in gray {
        board.gray[node] = true;
    }
    for (from, to) in arcs {
        board.options[from].push(to);
    }
    Example { file, board, nodes, values, sums }
}

fn all() -> Vec<Example> {
    let entries = fs::read_dir(examples()).expect("the examples are there");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let games = names.filter(|name| Path::new(name).extension().is_some_and(|end| end == "game"));
    let mut names: Vec<String> =
        games.map(|name| name.into_string().expect("a name in UTF-8")).collect();
    names.sort();
    assert!(names.len() >= 11, "{names:?}");
    names.into_iter().map(read).collect()
}

fn labels(example: &Example) -> Json {
    run(&["label", &example.file, "--format", "json"]).json()
}

#[test]
fn every_white_node_of_an_example_is_claimed_and_has_the_value_claimed() {
    for example in all() {
        let labels = labels(&example);
        let claimed: BTreeMap<&str, &str> =
            example.values.iter().map(|(node, value)| (node.as_str(), value.as_str())).collect();
        let printed = labels["nodes"].as_array().expect("a list of nodes");
        let printed: BTreeMap<&str, String> = printed
            .iter()
            .filter(|node| node["color"] == "white")
            .map(|node| (node["node"].as_str().expect("a name"), ascii(&node["value"])))
            .collect();
        let printed: BTreeMap<&str, &str> =
            printed.iter().map(|(node, value)| (*node, value.as_str())).collect();
        assert_eq!(claimed, printed, "{}", example.file);
    }
}

#[test]
fn the_csv_of_an_example_has_the_values_as_claimed() {
    for example in all() {
        let csv = run(&["label", &example.file, "--format", "csv"]).answer();
        for (node, value) in &example.values {
            let quoted = if value.contains(',') { format!("\"{value}\"") } else { value.clone() };
            let row = format!("{node},white,{quoted},");
            assert!(csv.lines().any(|line| line.starts_with(&row)), "{}: {row}", example.file);
        }
    }
}

#[test]
fn the_sums_of_an_example_are_as_claimed() {
    for example in all() {
        assert!(!example.sums.is_empty(), "{}", example.file);
        for claim in &example.sums {
            let mut arguments = vec!["sum", example.file.as_str(), "--format", "json"];
            arguments.extend(claim.nodes.iter().map(String::as_str));
            let answer = run(&arguments).json();
            let reply = (ascii(&answer["value"]), answer["outcome"].as_str().unwrap_or("?"));
            let claimed = (claim.value.clone(), claim.outcome.as_str());
            assert_eq!(reply, claimed, "{}: {:?}", example.file, claim.nodes);
        }
    }
}

#[test]
fn brute_force_agrees_with_the_sums_claimed() {
    for example in all() {
        for claim in &example.sums {
            let boards = vec![&example.board; claim.nodes.len()];
            let start: Vec<usize> = claim.nodes.iter().map(|name| example.nodes[name]).collect();
            let product = Product::reachable(&boards, &start).expect("a small sum");
            let outcome = product.outcome(&start).map(|outcome| format!("{outcome:?}"));
            assert_eq!(outcome.as_ref(), Some(&claim.outcome), "{} {:?}", example.file, start);
        }
    }
}

#[test]
fn brute_force_agrees_with_the_values_claimed() {
    for example in all() {
        let theory = labels(&example)["theory"].as_str().expect("a theory").to_owned();
        let largest = example.board.len() + 1;
        let contexts = Contexts::carry_on(largest);
        let product = contexts.beside(&example.board).expect("a small product");
        for (name, value) in &example.values {
            let node = example.nodes[name];
            let reply = format!("{} {name}", example.file);
            match theory.as_str() {
                "short" | "cyclic" | "carry-on" => {
                    let behaviour = contexts.behaviour(&product, node).expect("a white node");
                    let found = behaviour.value().map(|value| value.to_string());
                    assert_eq!(found.as_ref(), Some(value), "{reply}");
                }
                "entailing" => {
                    for k in 0..=largest {
                        let lost = value.parse() == Ok(k);
                        let outcome = if lost { Outcome::P } else { Outcome::N };
                        assert_eq!(product.outcome(&[node, k]), Some(outcome), "{reply} *{k}");
                    }
                }
                "general" => {
                    let list = |outcome| {
                        let heaps =
                            (0..=largest).filter(|&k| product.outcome(&[node, k]) == Some(outcome));
                        as_set(&heaps.collect::<Vec<_>>(), largest)
                    };
                    let (win, loss) = (list(Outcome::N), list(Outcome::P));
                    let found = format!("win {win}, loss {loss}, draw {}", list(Outcome::D));
                    let claimed: AnyValue = value.parse().expect("a value");
                    assert_eq!(found, claimed.heap_outcomes().to_string(), "{reply}");
                }
                other => panic!("no such theory: {other}"),
            }
        }
    }
}

/// A set of heaps in words, cofinite if the largest heap is in it.
fn as_set(heaps: &[usize], largest: usize) -> String {
    let list =
        |heaps: &[usize]| heaps.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    if heaps.contains(&largest) {
        let out: Vec<usize> = (0..=largest).filter(|k| !heaps.contains(k)).collect();
        if out.is_empty() { "all".to_owned() } else { format!("all but {{{}}}", list(&out)) }
    } else {
        format!("{{{}}}", list(heaps))
    }
}

#[test]
fn the_readme_lists_every_example() {
    let readme = fs::read_to_string(examples().join("README.md")).expect("there is a README");
    for example in all() {
        assert!(readme.contains(&format!("]({})", example.file)), "{}", example.file);
    }
    for entry in fs::read_dir(examples().join("formats")).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name in UTF-8");
        assert!(readme.contains(&format!("](formats/{name})")), "{name}");
    }
}
