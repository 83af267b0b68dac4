//! The same digraph in each file format.

use serde_json::Value as Json;

use crate::cli::program::{ascii, run};

/// The nodes with what is said about them, sorted by name.
fn labels(arguments: &[&str]) -> Vec<(String, String, String)> {
    let mut arguments = arguments.to_vec();
    arguments.extend(["--format", "json"]);
    let labels = run(&arguments).json();
    let nodes = labels["nodes"].as_array().expect("a list of nodes").iter();
    let text = |json: &Json| json.as_str().expect("a text").to_owned();
    let mut nodes: Vec<_> = nodes
        .map(|node| {
            let label = if node["color"] == "gray" {
                node["covers"].to_string()
            } else {
                ascii(&node["value"])
            };
            (text(&node["node"]), text(&node["color"]), label)
        })
        .collect();
    nodes.sort();
    nodes
}

#[test]
fn a_digraph_without_gray_nodes_is_labelled_alike_in_all_six_formats() {
    let game = labels(&["label", "formats/trap.game"]);
    assert_eq!(game.len(), 4);
    for extension in ["json", "dot", "edges", "aut", "pg"] {
        let file = format!("formats/trap.{extension}");
        assert_eq!(labels(&["label", &file]), game, "{extension}");
    }
}

#[test]
fn a_digraph_with_gray_nodes_is_labelled_alike_in_the_formats_that_have_them() {
    let game = labels(&["label", "formats/tavern.game"]);
    assert_eq!(game.len(), 6);
    for extension in ["json", "dot", "edges"] {
        let file = format!("formats/tavern.{extension}");
        assert_eq!(labels(&["label", &file]), game, "{extension}");
    }
}

#[test]
fn the_format_that_is_asked_for_outranks_the_extension() {
    assert_eq!(
        labels(&["label", "--input", "edges", "formats/trap.edges"]),
        labels(&["label", "formats/trap.game"]),
    );
    assert_eq!(run(&["label", "--input", "json", "formats/trap.game"]).code, Some(2));
}

#[test]
fn what_dot_and_product_write_is_read_again() {
    let written = run(&["label", "menagerie.game", "--format", "dot"]).answer();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("menagerie.dot");
    std::fs::write(&file, written).expect("the file is written");
    let file = file.to_str().expect("a path in UTF-8");
    assert_eq!(labels(&["label", file]), labels(&["label", "menagerie.game"]));

    let product = run(&["label", "menagerie.game", "--product", "n1", "m2"]).answer();
    let file = folder.path().join("product.game");
    std::fs::write(&file, product).expect("the file is written");
    let found = labels(&["label", file.to_str().expect("a path in UTF-8")]);
    let start = found.iter().find(|(name, ..)| name == "(n1,m2)").expect("the start");
    assert_eq!(start.2, "moon{1,3}");
}
