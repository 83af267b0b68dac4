//! Names and positions of very many columns: tables stay readable, and data has all of them.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::cli::program::{Run, run, run_on};

/// Widths about the largest that format strings take, and a larger one.
const LENGTHS: [usize; 4] = [65_534, 65_535, 65_536, 200_000];

/// The system takes no longer arguments.
const LONGEST_ARGUMENT: usize = 100_000;

/// No line of a table of short and long cells has more columns than a few cells.
const COLUMNS: usize = 500;

fn assert_readable(run: Run) {
    let text = run.answer();
    for line in text.lines() {
        assert!(line.chars().count() <= COLUMNS, "{} columns", line.chars().count());
    }
    assert!(text.contains("aaa…aaa"));
}

/// A digraph with a cycle and a long name, and its path.
fn digraph(folder: &Path, name: &str) -> String {
    let path = folder.join("long.game");
    fs::write(&path, format!("gray g\n{name}: z g\nz:\ng: z\nc: c {name}\n")).expect("written");
    path.display().to_string()
}

#[test]
fn tables_of_long_names_are_readable_and_data_has_them_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    for length in LENGTHS {
        let name = "a".repeat(length);
        let file = digraph(folder.path(), &name);
        assert_readable(run(&["label", &file]));
        assert_readable(run(&["label", &file, "--steps"]));
        assert_readable(run(&["label", &file, "--smallest"]));
        assert_readable(run(&["label", &file, "--explain", "c"]));
        let json = run(&["label", &file, "--format", "json"]).json();
        assert_eq!(json["nodes"][0]["node"], name);
        let csv = run(&["label", &file, "--format", "csv"]).answer();
        assert!(csv.lines().any(|line| line.starts_with(&format!("{name},white"))));
        let white = folder.path().join("white.game");
        fs::write(&white, format!("{name}: z\nz:\n")).expect("written");
        let white = white.display().to_string();
        assert_readable(run(&["remoteness", &white]));
        assert_readable(run(&["remoteness", &white, "--grundy", "--strategy"]));
        let json = run(&["remoteness", &white, "--format", "json"]).json();
        assert_eq!(json[0]["node"], name);
        if length < LONGEST_ARGUMENT {
            let sum = ["sum", &file, &name, "z", "--format"];
            let table = run(&[&sum[..], &["table"]].concat()).answer();
            assert!(table.lines().next().is_some_and(|line| line.chars().count() <= COLUMNS));
            let json = run(&[&sum[..], &["json"]].concat()).json();
            assert_eq!(json["components"][0]["position"], name);
            let compound = ["compound", "disjunctive", &white, &name, "z", "z"];
            assert_eq!(run(&compound).code, Some(0));
        }
    }
}

#[test]
fn long_positions_are_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    for length in LENGTHS {
        let name = "a".repeat(length);
        let file = digraph(folder.path(), &name);
        let sum = format!("digraph[{file}]:{name} + nim:1");
        assert!(run_on(sum.as_str(), &["value", "-", "--explain"]).answer().contains("aaa…aaa"));
        let json = run_on(sum.as_str(), &["value", "-", "--format", "json"]).json();
        assert_eq!(json["components"][0]["position"], format!("digraph[{file}]:{name}"));
        // A component that is not impartial.
        let loose = folder.path().join("loose.game");
        fs::write(&loose, format!("{name}: z\nz:\n")).expect("written");
        let sum = format!("digraph[{}]:{name} + backsliding:t..f", loose.display());
        assert!(run_on(sum.as_str(), &["value", "-"]).answer().contains("aaa…aaa"));
        // A session, and a game in it.
        let position = format!("digraph[{file}]:{name}");
        let lines = format!("{position} + nim:1\nexplain {position}\nplay {position}\nvalues\n");
        assert_eq!(run_on(lines, &["repl"]).code, Some(0));
        let graph = folder.path().join("long.json");
        let edges = json!([[name, "0"], [name, "1"]]);
        let partizan = json!({ "left": edges, "right": [["1", "0"]], "start": name });
        fs::write(&graph, partizan.to_string()).expect("written");
        assert_eq!(run(&["loopy", &graph.display().to_string()]).code, Some(0));
        if length < LONGEST_ARGUMENT {
            let pattern = format!("nim:{}{{}}", "0".repeat(length));
            let table = run(&["table", &pattern, "0..2"]).answer();
            assert!(table.lines().skip(1).all(|line| line.chars().count() <= COLUMNS));
            let json: Json = run(&["table", &pattern, "0..2", "--format", "json"]).json();
            assert_eq!(json[2]["position"], pattern.replace("{}", "2"));
        }
    }
}
