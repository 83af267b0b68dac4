//! `nimoon rulesets`.

use nimoon::Limits;
use std::fmt::Write as _;

use nimoon_rulesets::{Entry, EntryReport};
use nimoon_session::expression::unknown;
use nimoon_session::{catalogue, find};

use crate::args::{AnswerFormat, RulesetsArgs};
use crate::expressions::{AboutScript, Rules};
use crate::failure::Failure;
use crate::limits;
use crate::output::{print_json, print_text};

pub(crate) fn run(args: &RulesetsArgs) -> Result<(), Failure> {
    let rules = Rules::new(&args.rules, &limits::work(Limits::DEFAULT))?;
    let Some(name) = &args.name else {
        return match args.format {
            AnswerFormat::Json => {
                let entries = catalogue();
                let entries = entries.iter().map(EntryReport::new);
                let scripts = rules.scripts();
                let scripts = scripts.map(|(name, about)| script_report(name, about));
                print_json(&entries.chain(scripts).collect::<Vec<_>>())
            }
            AnswerFormat::Table => print_text(&all(&rules)),
        };
    };
    // As in expressions, a script hides a ruleset of the catalogue.
    if let Some(about) = rules.about(name) {
        return match args.format {
            AnswerFormat::Json => print_json(&[script_report(name.clone(), about)]),
            AnswerFormat::Table => print_text(&of_script(name, about)),
        };
    }
    let entry = find(name).ok_or_else(|| Failure::input(unknown(name, &rules)))?;
    match args.format {
        AnswerFormat::Json => print_json(&[EntryReport::new(&entry)]),
        AnswerFormat::Table => print_text(&full(&entry)),
    }
}

/// All rulesets, those of scripts last.
pub(crate) fn all(rules: &Rules) -> String {
    let mut text = list(&catalogue());
    for (i, (name, about)) in rules.scripts().enumerate() {
        let heading = if i == 0 { "\nSCRIPTS\n" } else { "" };
        let _ = writeln!(text, "{heading}  {name}\n      {}", about.file);
    }
    text
}

/// Everything about the ruleset of a script.
pub(crate) fn of_script(name: &str, about: &AboutScript) -> String {
    let comment = match about.comment.as_str() {
        "" => String::new(),
        comment => format!("\n{comment}\n"),
    };
    format!("{name} has the rules of {}.\n{comment}", about.file)
}

/// All rulesets by board: the rules, the notation and an example of each.
fn list(entries: &[Entry]) -> String {
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
    text.push_str("\n`nimoon rulesets NAME` also shows the source of a ruleset.\n");
    text
}

/// Everything about a ruleset.
pub(crate) fn full(entry: &Entry) -> String {
    let mut text = String::new();
    let parameters = entry.parameters.words().map(|what| format!("[…] is {what}"));
    let aliases = entry.aliases();
    let aliases = (!aliases.is_empty()).then(|| aliases.join(", "));
    let lines = [
        ("name", Some(entry.name.to_owned())),
        ("also", aliases),
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

/// Wraps a text for a terminal, and indents all lines but the first. A line that begins with a
/// blank is part of a picture and stays unchanged.
pub(crate) fn wrapped(text: &str, indent: usize) -> String {
    let margin = " ".repeat(indent);
    let line = |line: &str| {
        if line.starts_with(' ') { line.to_owned() } else { wrapped_line(line, indent) }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join(&format!("\n{margin}"))
}

fn wrapped_line(text: &str, indent: usize) -> String {
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

/// The ruleset of a script. Its rules are the comment at the beginning of the script.
fn script_report(name: String, about: &AboutScript) -> EntryReport {
    let (rules, source) = (about.comment.clone(), about.file.clone());
    let (notation, example, value, parameters) = (None, None, None, None);
    EntryReport {
        name,
        aliases: &[],
        board: "script",
        rules,
        notation,
        example,
        value,
        parameters,
        source,
    }
}
