//! A good citizen of a terminal: the welcome, the help, colours, completions and manual pages.

use std::fs;

use crate::cli::program::{Run, command, run, words};
use crate::documents::reference::commands;

/// Runs a command as in a terminal that shows colours.
fn run_in_colour(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = command(arguments);
    command.env_remove("NO_COLOR").envs(variables.iter().copied());
    let output = command.output().expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn help(arguments: &[&str]) -> String {
    run(&[arguments, &["--help"]].concat()).answer()
}

/// All commands with their subcommands.
fn all_commands() -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for name in commands(&help(&[])) {
        for inner in commands(&help(&[&name])) {
            all.push(vec![name.clone(), inner]);
        }
        all.push(vec![name]);
    }
    all
}

#[test]
fn nimoon_alone_prints_a_welcome_with_commands_that_work() {
    let welcome = run(&[]).answer();
    let tries: Vec<&str> =
        welcome.lines().filter_map(|line| line.trim_start().strip_prefix("nimoon ")).collect();
    // The first line of the welcome begins with the name too.
    let tries: Vec<&str> =
        tries.iter().filter_map(|line| line.split_once("  ")).map(|(line, _)| line).collect();
    assert_eq!(tries.len(), 5, "{welcome}");
    for line in tries.iter().filter(|line| !line.starts_with("serve")) {
        let quoted: Vec<&str> = line.split('\'').collect();
        let arguments = match quoted[..] {
            [before, expression, _] => [words(before), vec![expression]].concat(),
            _ => words(line),
        };
        assert_eq!(run(&arguments).code, Some(0), "{line}");
    }
    assert!(welcome.lines().all(|line| line.chars().count() <= 100), "{welcome}");
}

#[test]
fn every_help_fits_two_screens_of_a_hundred_columns_and_forty_lines() {
    let mut all = all_commands();
    assert!(all.len() > 22, "{all:?}");
    all.push(Vec::new());
    for name in all {
        let text = help(&name.iter().map(String::as_str).collect::<Vec<_>>());
        let lines = text.lines().count();
        let columns = text.lines().map(|line| line.chars().count()).max();
        assert!(
            lines <= 80 && columns <= Some(100),
            "{name:?}: {lines} lines, {columns:?}\n{text}"
        );
    }
}

#[test]
fn help_lists_the_commands_in_groups() {
    let text = help(&[]);
    for heading in ["Positions of games:", "Play:", "Digraphs:", "Options:"] {
        assert!(text.lines().any(|line| line == heading), "{heading}\n{text}");
    }
    assert!(text.contains("\n  value           Find value"), "{text}");
}

#[test]
fn limits_have_a_group_of_their_own() {
    let text = help(&["value"]);
    let (before, limits) = text.split_once("\nLimits:\n").expect("a group");
    assert!(before.contains("--store") && before.contains("--format"), "{text}");
    for option in ["--budget", "--memory", "--time"] {
        assert!(limits.contains(option) && !before.contains(option), "{text}");
    }
    assert!(!limits.contains("--store"), "{text}");
}

#[test]
fn outcomes_are_in_colour_unless_the_user_or_a_pipe_forbids_it() {
    let sum = ["value", "nim:3 + nim:5"];
    let plain = run(&sum).answer();
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    let forced = run_in_colour(&sum, &[("CLICOLOR_FORCE", "1")]);
    assert!(forced.contains("  \u{1b}[1m\u{1b}[32mN\u{1b}[0m  3\n"), "{forced:?}");
    let refused = run_in_colour(&sum, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]);
    assert_eq!(refused, plain);
    for table in ["label zones.game", "table nim 0..3", "remoteness nim.game"] {
        let forced = run_in_colour(&words(table), &[("CLICOLOR_FORCE", "1")]);
        assert!(forced.contains("\u{1b}[1m\u{1b}["), "{table}: {forced:?}");
    }
    for data in [
        "label zones.game --format csv",
        "table nim 0..3 --format bfile",
        "value nim:3 --format json",
    ] {
        let forced = run_in_colour(&words(data), &[("CLICOLOR_FORCE", "1")]);
        assert!(!forced.contains('\u{1b}'), "{data}: {forced:?}");
    }
}

#[test]
fn boards_are_in_colour_and_keep_their_columns() {
    let game = ["play", "green-lime:ggl + nim:1"];
    let plain = run(&game).answer();
    let forced = run_in_colour(&game, &[("CLICOLOR_FORCE", "1")]);
    assert!(forced.contains("0 -\u{1b}[32mg\u{1b}[0m- 1"), "{forced:?}");
    let mut stripped = forced;
    for code in ["\u{1b}[32m", "\u{1b}[93m", "\u{1b}[0m"] {
        stripped = stripped.replace(code, "");
    }
    assert_eq!(stripped, plain);
}

#[test]
fn errors_begin_with_a_word_in_colour() {
    let mut wrong = command(&["value", "nim:"]);
    let output = wrong.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").output().expect("it runs");
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(text.starts_with("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m 1:5: "), "{text:?}");
    assert!(run(&["value", "nim:"]).stderr.starts_with("error: 1:5: "));
}

#[test]
fn completions_know_every_command_in_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell]).answer();
        for name in all_commands().iter().filter_map(|names| names.first()) {
            assert!(script.contains(name.as_str()), "{shell}: {name}");
        }
    }
    let wrong: Run = run(&["completions", "tcsh"]);
    assert_eq!((wrong.code, wrong.error_lines()), (Some(2), 1));
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    let out = pages.to_str().expect("UTF-8");
    assert_eq!(run(&["man", "--out", out]).answer(), "");
    for names in all_commands() {
        let page = fs::read_to_string(pages.join(format!("nimoon-{}.1", names.join("-"))));
        let page = page.unwrap_or_else(|error| panic!("{names:?}: {error}"));
        assert!(page.contains(".SH NAME") && page.contains(".SH OPTIONS"), "{names:?}");
    }
    let page = fs::read_to_string(pages.join("nimoon.1")).expect("the page of the program");
    assert_eq!(run(&["man"]).answer(), page);
    let page = fs::read_to_string(pages.join("nimoon-value.1")).expect("the page of a command");
    assert_eq!(run(&["man", "value"]).answer(), page);
    let wrong = run(&["man", "vlaue"]);
    assert_eq!(wrong.stderr, "error: unknown command `vlaue`; did you mean `value`?\n");
    assert_eq!(wrong.code, Some(2));
}

#[test]
fn rulesets_have_aliases_and_upper_and_lower_case_do_not_matter() {
    for (other, name) in [
        ("dots-and-boxes:2x2", "nimstring:2x2"),
        ("Toads-And-Frogs:t..f", "backsliding:t..f"),
        ("strings-and-coins:a-b", "coins:a-b"),
        ("NIM:3 + Kayles:9", "nim:3 + kayles:9"),
        ("ordinal[NIM | Kayles]:3 | 4", "ordinal[nim | kayles]:3 | 4"),
    ] {
        assert_eq!(run(&["value", other]).answer(), run(&["value", name]).answer(), "{other}");
    }
    assert_eq!(run(&["period", "KAYLES"]).answer(), run(&["period", "kayles"]).answer());
    let about = run(&["rulesets", "Dots-And-Boxes"]).answer();
    assert!(about.starts_with("name        nimstring\nalso        dots-and-boxes\n"), "{about}");
    let json = run(&["rulesets", "coins", "--format", "json"]).json();
    assert_eq!(json[0]["aliases"], serde_json::json!(["strings-and-coins"]));
    // A script has its name in any case, too.
    let rules = ["value", "--rules", "rules/squares.rhai"];
    let script = |name: &str| run(&[&rules[..], &[name]].concat()).answer();
    assert_eq!(script("Squares:8"), script("squares:8"));
    let wrong = run(&["value", "dot-and-boxes:2x2"]);
    assert!(wrong.stderr.contains("did you mean `dots-and-boxes`?"), "{}", wrong.stderr);
}
