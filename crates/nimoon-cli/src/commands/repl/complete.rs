//! Completes the word under the cursor.

use std::path::Path;

use nimoon::Theory;
use nimoon_rulesets::Parameters;
use nimoon_session::{catalogue, find};

use super::super::run::Lines;
use super::line::Command;
use crate::lines::completed;

/// Where the last word of a line begins, and its completions.
pub(super) fn completions(
    line: &str,
    names: &[String],
    scripts: &[String],
) -> (usize, Vec<String>) {
    if let Some(found) = files(line) {
        return found;
    }
    let mut words = line.split_whitespace();
    let first = words.next().filter(|_| line.trim_start().contains(char::is_whitespace));
    let command = first.and_then(Command::named);
    let entries = catalogue();
    match command {
        Some(Command::Theory) => {
            let theories = Theory::ALL.map(Theory::name).into_iter();
            completed(line, theories.chain(["auto"]).map(str::to_owned))
        }
        Some(Command::Help) => {
            let commands = Command::ALL.into_iter().map(Command::name);
            let rulesets = entries.iter().map(|entry| entry.name);
            let given = names.iter().chain(scripts).cloned();
            completed(line, commands.chain(rulesets).map(str::to_owned).chain(given))
        }
        Some(Command::Budget | Command::Vars | Command::Rulesets | Command::Quit) => {
            (line.len(), Vec::new())
        }
        _ => {
            let rulesets = entries.iter().map(|entry| match entry.parameters {
                Parameters::None => format!("{}:", entry.name),
                _ => format!("{}[", entry.name),
            });
            let scripts = scripts.iter().map(|name| format!("{name}:"));
            let words = rulesets.chain(scripts).chain(names.iter().cloned());
            let commands = Command::ALL.into_iter().filter(|_| first.is_none()).map(begun);
            let program = Lines::commands().into_iter().filter(|_| first.is_none());
            let program = program.filter(|name| Command::named(name).is_none());
            completed(line, words.chain(commands).chain(program.map(|name| format!("{name} "))))
        }
    }
}

/// A command, with a space if more can follow.
fn begun(command: Command) -> String {
    let space = match command {
        Command::Vars | Command::Rulesets | Command::Quit => "",
        _ => " ",
    };
    format!("{}{space}", command.name())
}

/// Completes a file name in open brackets.
fn files(line: &str) -> Option<(usize, Vec<String>)> {
    let open = line.rfind('[').filter(|&open| !line[open..].contains(']'))?;
    let before = &line[..open];
    let name = before.rsplit(|c: char| c.is_whitespace() || "+=[|".contains(c)).next()?;
    if !matches!(find(name)?.parameters, Parameters::File { .. }) {
        return None;
    }
    let typed = &line[open + 1..];
    let folder_end = typed.rfind('/').map_or(0, |slash| slash + 1);
    let (folder, beginning) = typed.split_at(folder_end);
    let listed =
        std::fs::read_dir(if folder.is_empty() { Path::new(".") } else { Path::new(folder) });
    let mut found: Vec<String> = listed
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|file| {
            let name = file.file_name().into_string().ok()?;
            let hidden = name.starts_with('.') && !beginning.starts_with('.');
            let end = if file.path().is_dir() { "/" } else { "]:" };
            (name.starts_with(beginning) && !hidden).then(|| format!("{name}{end}"))
        })
        .collect();
    found.sort();
    Some((open + 1 + folder_end, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Vec<String> {
        completions(line, &["nimble".to_owned()], &["my-nim".to_owned()]).1
    }

    #[test]
    fn a_word_becomes_a_command_a_ruleset_or_a_name() {
        assert_eq!(found("nim"), ["nim:", "nimble", "nimstring:"]);
        assert_eq!(found("  turn nim:3+ my"), ["my-nim:"]);
        assert_eq!(found("out"), ["outcome "]);
        assert_eq!(found("quit"), ["quit"]);
        assert_eq!(found("x = oct"), ["octal["]);
        assert_eq!(found("x + outc"), [""; 0]);
    }

    #[test]
    fn what_follows_a_command_depends_on_it() {
        assert_eq!(found("help nims"), ["nimstring"]);
        assert_eq!(found("help th"), ["theory"]);
        assert_eq!(found("theory c"), ["carry-on", "cyclic"]);
        assert_eq!(found("vars "), [""; 0]);
    }

    #[test]
    fn brackets_for_a_file_are_filled_with_files() {
        // Tests run in the folder of the package.
        assert_eq!(found("x = digraph[Car"), ["Cargo.toml]:"]);
        assert_eq!(found("digraph[src/comm"), ["commands/"]);
        assert_eq!(completions("digraph[src/comm", &[], &[]).0, 12);
        assert_eq!(found("digraph[no/such/"), [""; 0]);
        assert_eq!(found("octal[Car"), [""; 0]);
    }
}
