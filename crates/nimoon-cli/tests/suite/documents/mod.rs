//! What the documents show is what the program does: README.md, everything in `docs`, and the pages
//! of the crates.
//!
//! Each fenced block is checked by what stands behind its fence:
//!
//! - `console` blocks hold commands, `$ nimoon …` or `$ curl …`, and all that they print, or the
//!   error if it is one; a command that is shown without output is followed by a `json` block, with
//!   the same JSON set for reading.
//! - `game`, `dot`, `edges`, `aut` and `pgsolver` blocks, and `json input` blocks, are digraph
//!   files.
//! - A block with a file behind its language, as `rhai examples/rules/nim.rhai`, is a part of that
//!   file, which has tests of its own.
//! - `python` blocks are run by `crates/nimoon-py/tests/test_documentation.py`, those of
//!   `docs/scripts.md` by `crates/nimoon-script/tests/suite/tutorial.rs`.
//! - Any other block is not run: a line `<!-- not run: why -->` before it says so, and they are
//!   counted.
//!
//! A line `<!-- FILE: nimoon … -->` says that a file, mostly a picture, is what a command prints.
//! `NIMOON_WRITE=1 cargo test -p nimoon-cli --test suite documents::` updates these files, and the
//! output in all `console` and `json` blocks.

mod blocks;
mod files;
mod layout;
mod program;
pub mod reference;
mod server;

use std::collections::BTreeSet;

use blocks::{Block, blocks};
use files::{documents, links, read, root};
use layout::layout;
use program::{check_digraph, print, run, words};
use serde_json::Value as Json;
use server::Server;

/// How many blocks of all documents are not run. Before each stands the reason.
const NOT_RUN: usize = 31;

/// What to do when the program prints something else than a document shows, and rightly so.
const REMEDY: &str =
    "to update it, run `NIMOON_WRITE=1 cargo test -p nimoon-cli --test suite documents::`";

/// Which document may leave its blocks of a language to another test.
const TESTED_ELSEWHERE: [(&str, &str); 4] = [
    ("rhai", "docs/scripts.md"),
    // The quick start and the library's example, below.
    ("sh", "README.md"),
    ("text", "README.md"),
    ("rust", "README.md"),
];

/// The most lines of documents that must be quick to read.
const MOST_LINES: [(&str, usize); 3] =
    [("README.md", 200), ("CONTRIBUTING.md", 80), ("docs/architecture.md", 200)];

/// A `console` block as the program prints it now, and the output of a command that shows none.
struct Console {
    text: String,
    unshown: Option<String>,
}

/// Runs the commands of a `console` block. The output of the last one may stand in a `json` block
/// below it.
fn run_console(
    file: &str,
    block: &str,
    json_follows: bool,
    server: &mut Option<Server>,
) -> Console {
    assert!(block.starts_with("$ "), "{file}: a console block begins with a command:\n{block}");
    let mut console = Console { text: String::new(), unshown: None };
    let entries: Vec<&str> = block.strip_prefix("$ ").unwrap_or(block).split("\n$ ").collect();
    for (number, entry) in entries.iter().enumerate() {
        let (command, shown) = entry.split_once('\n').unwrap_or((entry, ""));
        let mut words = words(command).into_iter();
        let rest = |words: std::vec::IntoIter<String>| words.collect::<Vec<String>>();
        let printed = match words.next().as_deref() {
            Some("nimoon") if is_writing() => print(&rest(words)).0,
            Some("nimoon") => {
                let fails = shown.lines().any(|line| line.starts_with("error:"));
                run(&rest(words), fails)
            }
            Some("curl") => server.get_or_insert_with(Server::start).curl(&rest(words)),
            _ => panic!("{file}: the tests cannot run `{command}`"),
        };
        console.text.extend(["$ ", command, "\n"]);
        if json_follows && number + 1 == entries.len() && shown.trim().is_empty() {
            console.unshown = Some(printed);
        } else if !printed.trim().is_empty() {
            console.text.extend([printed.trim_end(), "\n"]);
        }
    }
    console
}

fn parse(file: &str, text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{file}: {error}:\n{text}"))
}

/// Whether `NIMOON_WRITE` asks for documents and pictures as the program prints them now.
fn is_writing() -> bool {
    std::env::var_os("NIMOON_WRITE").is_some()
}

/// Replaces the text of a block in the file.
fn write_block(file: &str, fence: &str, old: &str, new: &str) {
    let page =
        read(file).replacen(&format!("```{fence}\n{old}```"), &format!("```{fence}\n{new}```"), 1);
    std::fs::write(root().join(file), page).expect("the file is written");
}

/// Checks all blocks; returns how many are not run.
fn check_document(file: &str) -> usize {
    let (mut unshown, mut server, mut not_run) = (None, None, 0);
    let blocks = blocks(&read(file));
    let followers = blocks.iter().skip(1).map(|block| block.language == "json");
    let json_follows: Vec<bool> = followers.chain([false]).collect();
    for (Block { language, path, text, excuse }, json_follows) in
        blocks.into_iter().zip(json_follows)
    {
        if let Some(excuse) = excuse {
            assert!(excuse.len() > 8, "{file}: why is a block not run?");
            not_run += 1;
            continue;
        }
        match (language.as_str(), path.as_deref()) {
            ("python", None) => {
                let tests = read("crates/nimoon-py/tests/test_documentation.py");
                assert!(tests.contains(&format!("\"{file}\"")), "the tests in Python omit {file}");
            }
            ("console", None) => {
                let console = run_console(file, &text, json_follows, &mut server);
                unshown = console.unshown;
                if is_writing() {
                    write_block(file, "console", &text, &console.text);
                } else {
                    assert_eq!(console.text.trim_end(), text.trim_end(), "{file}: {REMEDY}");
                }
            }
            ("json", None) => {
                let printed = unshown.take();
                let printed =
                    printed.unwrap_or_else(|| panic!("{file}: JSON of no command:\n{text}"));
                if !is_writing() {
                    assert_eq!(parse(file, &printed), parse(file, &text), "{file}: {REMEDY}");
                } else if serde_json::from_str::<Json>(&text).ok() != Some(parse(file, &printed)) {
                    write_block(file, "json", &text, &format!("{}\n", layout(&printed, 0)));
                }
            }
            ("json", Some("input")) => check_digraph("json", &text),
            ("game" | "dot" | "edges" | "aut" | "pgsolver", path) => {
                check_digraph(&language, &text);
                assert!(path.is_none_or(|path| read(path).contains(&text)), "{file}: {text}");
            }
            (_, Some(path)) => {
                assert!(read(path).contains(&text), "{file}: {path} has nothing like\n{text}");
            }
            (language, None) => {
                assert!(
                    TESTED_ELSEWHERE.contains(&(language, file)),
                    "{file}: no test runs this block; write `<!-- not run: why -->` before it:\n{text}"
                );
            }
        }
    }
    not_run
}

#[test]
fn short_documents_stay_short() {
    for (file, most) in MOST_LINES {
        let lines = read(file).lines().count();
        assert!(lines <= most, "{file} has {lines} lines, more than {most}");
    }
}

#[test]
fn every_block_of_every_document_is_run_or_says_why_not() {
    let not_run: Vec<(String, usize)> =
        documents().into_iter().map(|file| (file.clone(), check_document(&file))).collect();
    let total: usize = not_run.iter().map(|(_, count)| count).sum();
    assert_eq!(total, NOT_RUN, "blocks that are not run: {not_run:?}");
}

#[test]
fn the_documents_are_found() {
    let documents = documents();
    for file in ["README.md", "docs/tour/README.md", "docs/api.md", "docs/findings/README.md"] {
        assert!(documents.iter().any(|document| document == file), "{file}: {documents:?}");
    }
    assert!(documents.len() > 25, "{documents:?}");
}

#[test]
fn every_link_leads_somewhere() {
    let index = links("docs/README.md");
    for file in documents() {
        for link in links(&file) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            assert!(root().join(path).exists(), "{file}: there is no {path}");
            let text = if anchor.is_empty() { String::new() } else { read(path) };
            assert!(
                anchor.is_empty() || files::anchors(&text).contains(anchor),
                "{file}: {path} has no section #{anchor}"
            );
        }
        let is_listed = index.iter().any(|link| *link == file);
        let is_page = file.starts_with("docs/") && file.matches('/').count() == 1;
        assert!(is_listed || !is_page || file == "docs/README.md", "docs/README.md omits {file}");
    }
}

/// The files that documents say a command prints, each with its command.
fn printed_files() -> Vec<(String, String)> {
    let mut files = BTreeSet::new();
    for document in documents() {
        for line in read(&document).lines() {
            let comment = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"));
            if let Some((file, command)) = comment.and_then(|it| it.split_once(": nimoon ")) {
                files.insert((file.to_owned(), command.to_owned()));
            }
        }
    }
    // What a file of another folder is made from comes before the pictures.
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_by_key(|(file, _)| file.starts_with("docs/pictures"));
    files
}

#[test]
fn pictures_and_files_are_what_their_commands_print() {
    for (file, command) in printed_files() {
        let printed = run(&words(&command), false);
        if is_writing() {
            std::fs::write(root().join(&file), &printed).expect("the file is written");
        }
        let same = std::fs::read_to_string(root().join(&file)).is_ok_and(|kept| kept == printed);
        assert!(same, "{file} is not what `nimoon {command}` prints; {REMEDY}");
    }
}

#[test]
fn every_picture_says_how_it_was_made() {
    let made: Vec<String> = printed_files().into_iter().map(|(file, _)| file).collect();
    let pictures = files::below("docs/pictures", "svg");
    assert!(pictures.len() > 15, "{pictures:?}");
    for picture in pictures {
        // A problem of the paper, with the glasses that give it its name: drawn by hand.
        let by_hand = picture == "docs/pictures/bartender.svg";
        assert!(by_hand || made.contains(&picture), "no document says how {picture} is made");
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
    assert_eq!(run(&words(arguments), false), blocks[at + 1].text);
    // These two, and no other `sh` or `text` block.
    let of = |language: &str| blocks.iter().filter(|block| block.language == language).count();
    assert_eq!((of("sh"), of("text"), of("rust")), (1, 1, 1));
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

#[test]
fn the_api_is_documented_as_it_is() {
    let page = read("docs/api.md");
    for name in nimoon_session::Question::NAMES.iter().chain(&["openapi.json"]) {
        assert!(page.contains(&format!("`/api/{name}`")), "docs/api.md does not describe {name}");
    }
}

#[test]
fn the_tour_uses_every_command() {
    let help = run(&["--help".to_owned()], false);
    let pages = documents();
    let pages =
        pages.iter().filter(|file| file.starts_with("docs/tour/") || *file == "docs/api.md");
    let tour: String = pages.map(|file| read(file)).collect();
    for name in reference::commands(&help) {
        // A newcomer has no solved positions and no cluster, and can play without help in the
        // shell.
        let is_elsewhere = ["store", "cluster", "completions", "man"].contains(&&*name);
        let used = is_elsewhere || tour.contains(&format!("nimoon {name}"));
        assert!(used, "the tour does not use `nimoon {name}`");
    }
}
