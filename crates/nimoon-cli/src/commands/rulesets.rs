//! `nimoon rulesets`.

use std::fmt::Write as _;

use nimoon_rulesets::expression::{NoLibrary, unknown};
use nimoon_rulesets::{Entry, Parameters, catalogue, find};
use serde::Serialize;

use crate::args::{AnswerFormat, RulesetsArgs};
use crate::failure::Failure;
use crate::output::{print_json, print_text};

pub(crate) fn run(args: &RulesetsArgs) -> Result<(), Failure> {
    let entries = match &args.name {
        None => catalogue(),
        Some(name) => {
            let found = find(name);
            vec![found.ok_or_else(|| Failure::input(unknown(name, &NoLibrary)))?]
        }
    };
    match (args.format, entries.as_slice()) {
        (AnswerFormat::Json, entries) => {
            print_json(&entries.iter().map(JsonEntry::new).collect::<Vec<_>>())
        }
        (AnswerFormat::Table, [entry]) if args.name.is_some() => print_text(&full(entry)),
        (AnswerFormat::Table, entries) => print_text(&list(entries)),
    }
}

/// All rulesets by board: the rules, the notation and an example of each.
pub(crate) fn list(entries: &[Entry]) -> String {
    let mut text = String::new();
    let mut board = None;
    for entry in entries {
        if board != Some(entry.board) {
            let gap = if board.is_some() { "\n" } else { "" };
            let _ = writeln!(text, "{gap}{}", entry.board.name().to_uppercase());
            board = Some(entry.board);
        }
        let _ = writeln!(text, "  {}", entry.name);
        let example = format!("{} = {}", entry.example, entry.value);
        for line in [entry.rules, entry.notation, &example] {
            let _ = writeln!(text, "      {}", wrapped(line, 6));
        }
    }
    text.push_str("\n`nimoon rulesets NAME` also tells where one comes from.\n");
    text
}

/// Everything about a ruleset.
pub(crate) fn full(entry: &Entry) -> String {
    let mut text = String::new();
    let parameters = parameters(entry).map(|what| format!("[…] is {what}"));
    let lines = [
        ("name", Some(entry.name.to_owned())),
        ("board", Some(entry.board.name().to_owned())),
        ("rules", Some(entry.rules.to_owned())),
        ("notation", Some(entry.notation.to_owned())),
        ("parameters", parameters),
        ("example", Some(format!("{} = {}", entry.example, entry.value))),
        ("source", Some(entry.source.to_owned())),
    ];
    for (what, line) in lines {
        if let Some(line) = line {
            let _ = writeln!(text, "{what:<12}{}", wrapped(&line, 12));
        }
    }
    text
}

/// The text in lines for a terminal, those after the first one indented.
fn wrapped(text: &str, indent: usize) -> String {
    const WIDTH: usize = 100;
    let mut lines = String::new();
    let mut column = indent;
    for (i, word) in text.split_whitespace().enumerate() {
        let width = word.chars().count();
        if i > 0 && column + 1 + width > WIDTH {
            let _ = write!(lines, "\n{:indent$}", "");
            column = indent;
        } else if i > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += width;
    }
    lines
}

/// What stands in brackets, in words.
fn parameters(entry: &Entry) -> Option<String> {
    match entry.parameters {
        Parameters::None => None,
        Parameters::Text(what) | Parameters::Rulesets(what) => Some(what.to_owned()),
        Parameters::File(what) => Some(format!("the name of a file: {what}")),
    }
}

#[derive(Serialize)]
struct JsonEntry {
    name: &'static str,
    board: &'static str,
    rules: &'static str,
    notation: &'static str,
    example: &'static str,
    value: &'static str,
    parameters: Option<String>,
    source: &'static str,
}

impl JsonEntry {
    fn new(entry: &Entry) -> Self {
        let &Entry { name, board, rules, notation, example, value, source, .. } = entry;
        let (board, parameters) = (board.name(), parameters(entry));
        Self { name, board, rules, notation, example, value, parameters, source }
    }
}
