//! What README.md, docs/formats.md and docs/findings show is what the program does.
//!
//! - `console` blocks hold commands, `$ nimoon …`, and all that they print; a command that is shown
//!   without output is followed by a `json` block, with the same JSON set for reading.
//! - `game`, `dot`, `edges`, `aut` and `pgsolver` blocks, and `json input` blocks, are digraph files.
//! - The Rust example of README.md is the one in the documentation of the library, which is tested.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value as Json;

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).expect(file)
}

/// A fenced block: what stands behind the fence, and the text within.
struct Block {
    language: String,
    text: String,
}

fn blocks(markdown: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for line in markdown.lines() {
        match (line.strip_prefix("```"), open) {
            (Some(language), false) => {
                open = true;
                blocks.push(Block { language: language.to_owned(), text: String::new() });
            }
            (Some(_), true) => open = false,
            (None, true) => {
                if let Some(block) = blocks.last_mut() {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
            }
            (None, false) => {}
        }
    }
    assert!(!open, "a block does not end");
    blocks
}

/// The words of a command; single quotes keep blanks and braces together.
fn words(command: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (i, part) in command.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn nimoon(arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nimoon"));
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Runs the commands of a `console` block; returns what a command without output printed.
fn run_console(block: &str) -> Option<String> {
    let mut unshown = None;
    for entry in block.split("$ nimoon ").skip(1) {
        let (command, shown) = entry.split_once('\n').expect("a line");
        let printed = stdout(&nimoon(&words(command)).output().expect("the program starts"));
        if shown.is_empty() {
            unshown = Some(printed);
        } else {
            assert_eq!(printed, shown, "nimoon {command}");
        }
    }
    unshown
}

fn check_file(format: &str, text: &str) {
    use std::io::Write as _;
    let arguments = ["label", "-", "--input", format].map(str::to_owned);
    let mut command = nimoon(&arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(text.as_bytes()).expect("the program reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let error = String::from_utf8_lossy(&output.stderr);
    // What only later commands will use is read, and then refused by its meaning alone.
    let refused = error.contains("values and sums are for");
    assert!(output.status.success() || refused, "{format}:\n{text}{error}");
}

fn check_document(file: &str) {
    let blocks = blocks(&read(file));
    let mut unshown = None;
    for Block { language, text } in &blocks {
        match language.as_str() {
            "console" => unshown = run_console(text),
            "json" => {
                let parse = |text: &str| -> Json { serde_json::from_str(text).expect(text) };
                let printed = unshown.take().expect("a command before its JSON");
                assert_eq!(parse(&printed), parse(text), "{file}");
            }
            "json input" => check_file("json", text),
            "game" | "dot" | "edges" | "aut" | "pgsolver" => check_file(language, text),
            // The Python package checks its own, in `crates/nimoon-py/tests/test_documentation.py`.
            "sh" | "text" | "rust" | "jsonc" | "python" => {}
            other => panic!("{file}: nobody checks `{other}` blocks"),
        }
    }
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    check_document("README.md");
}

#[test]
fn the_formats_are_as_documented() {
    check_document("docs/formats.md");
}

#[test]
fn the_findings_are_reproduced_by_their_commands() {
    let folder = std::fs::read_dir(root().join("docs/findings")).expect("docs/findings");
    let names = folder.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("UTF-8"));
    let mut pages: Vec<String> = names.filter(|name| name.strip_suffix(".md").is_some()).collect();
    pages.sort_unstable();
    assert!(pages.len() > 5, "a page is missing: {pages:?}");
    for page in pages {
        check_document(&format!("docs/findings/{page}"));
    }
}

#[test]
fn the_digraph_of_a_finding_is_the_one_in_its_file() {
    let page = blocks(&read("docs/findings/algorithm-8.md"));
    let shown = page.iter().find(|block| block.language == "game").expect("a digraph");
    let file = read("docs/findings/algorithm-8.game");
    assert!(file.ends_with(&shown.text), "{file}");
}

#[test]
fn the_quick_start_prints_what_the_readme_shows() {
    let blocks = blocks(&read("README.md"));
    let at = blocks.iter().position(|block| block.language == "sh").expect("a quick start");
    let commands: Vec<&str> = blocks[at].text.lines().collect();
    assert_eq!(commands.len(), 2);
    let arguments = commands[0].strip_prefix("cargo run --release -- ").expect(commands[0]);
    assert_eq!(commands[1], "cargo xtask test");
    let printed = stdout(&nimoon(&words(arguments)).output().expect("the program starts"));
    assert_eq!(printed, blocks[at + 1].text);
}

#[test]
fn the_example_of_the_readme_is_tested_with_the_library() {
    let library = read("crates/nimoon/src/lib.rs");
    let lines = library.lines().filter_map(|line| line.strip_prefix("//!"));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let docs = lines.join("\n");
    let readme = blocks(&read("README.md"));
    let example = readme.iter().find(|block| block.language == "rust").expect("an example");
    assert!(docs.contains(&example.text), "lib.rs has another example than README.md");
}

/// What the picture says about each node, wherever it draws it.
fn titles(svg: &str) -> Vec<&str> {
    let mut titles: Vec<&str> = svg.split("<title>").skip(1).collect();
    for title in &mut titles {
        *title = title.split("</title>").next().unwrap_or_default();
    }
    titles.sort_unstable();
    titles
}

/// Compares a kept picture with what the command draws now; returns what that is.
fn check_picture(command: &str, file: &str) -> String {
    let printed = stdout(&nimoon(&words(command)).output().expect("the program starts"));
    let kept = read(file);
    let remedy = format!("run `nimoon {command} > {file}`");
    assert!(!titles(&printed).is_empty(), "{command}");
    assert_eq!(titles(&kept), titles(&printed), "{remedy}");
    printed
}

#[test]
fn the_picture_of_the_readme_shows_the_values_of_the_example() {
    let printed =
        check_picture("label examples/zones.game --format svg", "docs/pictures/zones.svg");
    assert!(titles(&printed).contains(&"x: ☾₀, outcome N"));
}

#[test]
fn the_pictures_of_the_findings_are_those_of_their_files() {
    let digraph = "label docs/findings/algorithm-8.game --format svg";
    let printed = check_picture(digraph, "docs/pictures/algorithm-8.svg");
    assert!(titles(&printed).contains(&"x: ☾₀, outcome N"));
    let unicycle = "loopy docs/findings/unicycle-LLLRLRRRLR.json --format svg --given";
    check_picture(unicycle, "docs/pictures/unicycle.svg");
}
