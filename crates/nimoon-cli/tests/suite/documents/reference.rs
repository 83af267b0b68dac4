//! The reference: a page for each command with the options that it has, and a page for each
//! language.

use std::collections::BTreeSet;

use super::files::{below, read};
use super::program::run;

/// The languages that commands read.
const LANGUAGES: [&str; 7] =
    ["affine", "digraphs", "loopy", "ordinals", "positions", "scripts", "values"];

/// The help of a command, or of the program.
fn help(command: &[&str]) -> String {
    run(&[command, &["--help"]].concat().into_iter().map(str::to_owned).collect::<Vec<_>>(), false)
}

/// The commands that a help text lists: words that are indented by two blanks, before the options.
pub fn commands(help: &str) -> Vec<String> {
    let list = help.split("Options:").next().unwrap_or_default();
    let lines = list.lines().filter_map(|line| line.strip_prefix("  "));
    let words = lines.filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    let named =
        words.filter_map(|line| line.split_once("  ").map_or(Some(line), |(name, _)| Some(name)));
    let names =
        named.filter(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The option at the beginning of a text, as `--format`.
fn option(text: &str) -> Option<String> {
    let rest = text.strip_prefix("--")?;
    let name: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
    (!name.is_empty()).then(|| format!("--{name}"))
}

/// The options that a help text lists, in lines such as `-h, --help` or `--format <FORMAT>`.
fn options(help: &str) -> BTreeSet<String> {
    let lines = help.lines().map(str::trim_start);
    let long = lines.map(|line| match line.split_once(", ") {
        Some((short, long)) if short.len() == 2 && short.starts_with('-') => long,
        _ => line,
    });
    long.filter_map(option).filter(|name| name != "--help" && name != "--version").collect()
}

#[test]
fn every_command_has_a_page_and_every_page_a_command() {
    let names = commands(&help(&[]));
    assert!(names.len() > 20 && names.contains(&"label".to_owned()), "{names:?}");
    let mut pages: BTreeSet<String> =
        names.iter().map(|name| format!("docs/reference/{name}.md")).collect();
    pages.extend(["README", "glossary"].map(|name| format!("docs/reference/{name}.md")));
    pages.extend(LANGUAGES.map(|name| format!("docs/reference/languages/{name}.md")));
    assert_eq!(below("docs/reference", "md").into_iter().collect::<BTreeSet<_>>(), pages);
}

#[test]
fn a_page_lists_the_options_of_its_command() {
    for name in commands(&help(&[])) {
        let page = read(&format!("docs/reference/{name}.md"));
        let about = help(&[&name]);
        let mut there = options(&about);
        for inner in commands(&about) {
            there.extend(options(&help(&[&name, &inner])));
        }
        let rows = page.lines().filter_map(|line| option(line.strip_prefix("| `")?));
        assert_eq!(rows.collect::<BTreeSet<_>>(), there, "docs/reference/{name}.md");
    }
}

#[test]
fn a_page_has_a_synopsis_examples_and_exit_codes() {
    for name in commands(&help(&[])) {
        let page = read(&format!("docs/reference/{name}.md"));
        assert!(
            page.starts_with(&format!("# nimoon {name}\n\n`nimoon {name}")),
            "{name}: synopsis"
        );
        for heading in ["\n## Example", "\n## Exit codes\n"] {
            assert!(page.contains(heading), "docs/reference/{name}.md has no {heading:?}");
        }
        let takes_json = options(&help(&[&name])).contains("--format");
        assert!(!takes_json || page.contains("## JSON\n"), "docs/reference/{name}.md: JSON");
    }
}

#[test]
fn the_index_lists_every_page() {
    let index = read("docs/reference/README.md");
    for page in below("docs/reference", "md") {
        let link = format!("]({})", page.trim_start_matches("docs/reference/"));
        assert!(page.ends_with("reference/README.md") || index.contains(&link), "{link}");
    }
}

#[test]
fn a_language_has_a_grammar_or_a_table() {
    for language in LANGUAGES.iter().filter(|name| **name != "scripts") {
        let page = read(&format!("docs/reference/languages/{language}.md"));
        assert!(page.contains("<!-- not run: a grammar -->\n```text\n"), "{language}");
    }
    let scripts = read("docs/reference/languages/scripts.md");
    assert!(scripts.contains("\n## What scripts cannot do\n"));
}

#[test]
fn commands_and_options_are_read_from_help() {
    let help = "Usage: x\n\nCommands:\n  label  Text of\n         more\n  help   Print\n\nOptions:\n      --a-b <C>  Text\n  -h, --help  Print\n  -x, --y\n";
    assert_eq!(commands(help), ["label"]);
    assert_eq!(options(help), BTreeSet::from(["--a-b", "--y"].map(str::to_owned)));
}
