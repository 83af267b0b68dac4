//! What the documents show is what the program does: README.md, everything in `docs`, and the pages of the crates.
//!
//! Each fenced block is checked by what stands behind its fence:
//!
//! - `console` blocks hold commands, `$ nimoon …` or `$ curl …`, and all that they print, or the error if it is one; a
//!   command that is shown without output is followed by a `json` block, with the same JSON set for reading.
//! - `game`, `dot`, `edges`, `aut` and `pgsolver` blocks, and `json input` blocks, are digraph files.
//! - A block with a file behind its language, as `rhai examples/rules/nim.rhai`, is a part of that file, which has tests of
//!   its own.
//! - `python` blocks are run by `crates/nimoon-py/tests/test_documentation.py`, those of `docs/scripts.md` by
//!   `crates/nimoon-script/tests/tutorial.rs`.
//! - Any other block is not run: a line `<!-- not run: why -->` before it says so, and they are counted.
//!
//! A line `<!-- FILE: nimoon … -->` says that a file, mostly a picture, is what a command prints.
//! `NIMOON_WRITE=1 cargo test -p nimoon-cli --test documents` writes these files anew.

mod blocks;
mod files;
mod program;
mod server;

use std::collections::BTreeSet;

use blocks::{Block, blocks};
use files::{documents, links, read, root};
use program::{check_digraph, nimoon, run, words};
use serde_json::Value as Json;
use server::Server;

/// How many blocks of all documents are not run. Who adds one says why before it, and raises this.
const NOT_RUN: usize = 17;

/// Which document may leave its blocks of a language to another test.
const TESTED_ELSEWHERE: [(&str, &str); 4] = [
    ("rhai", "docs/scripts.md"),
    // The quick start and the library's example, below.
    ("sh", "README.md"),
    ("text", "README.md"),
    ("rust", "README.md"),
];

/// Runs the commands of a `console` block; returns what a command without output printed.
fn check_console(file: &str, block: &str, server: &mut Option<Server>) -> Option<String> {
    assert!(block.starts_with("$ "), "{file}: a console block begins with a command:\n{block}");
    let mut unshown = None;
    for entry in block.strip_prefix("$ ").unwrap_or(block).split("\n$ ") {
        let (command, shown) = entry.split_once('\n').unwrap_or((entry, ""));
        let mut words = words(command).into_iter();
        let rest = |words: std::vec::IntoIter<String>| words.collect::<Vec<String>>();
        let printed = match words.next().as_deref() {
            Some("nimoon") => run(&rest(words), shown.starts_with("error:")),
            Some("curl") => server.get_or_insert_with(Server::start).curl(&rest(words)),
            _ => panic!("{file}: nobody runs `{command}`"),
        };
        if shown.trim().is_empty() {
            unshown = Some(printed);
        } else {
            // Commands of one block stand one below the other.
            assert_eq!(printed.trim_end(), shown.trim_end(), "{file}: {command}");
        }
    }
    unshown
}

fn parse(file: &str, text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{file}: {error}:\n{text}"))
}

/// Checks all blocks; returns how many are not run.
fn check_document(file: &str) -> usize {
    let (mut unshown, mut server, mut not_run) = (None, None, 0);
    for Block { language, path, text, excuse } in blocks(&read(file)) {
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
            ("console", None) => unshown = check_console(file, &text, &mut server),
            ("json", None) => {
                let printed = unshown.take();
                let printed =
                    printed.unwrap_or_else(|| panic!("{file}: JSON of no command:\n{text}"));
                assert_eq!(parse(file, &printed), parse(file, &text), "{file}");
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
                    "{file}: nobody runs this block; write `<!-- not run: why -->` before it:\n{text}"
                );
            }
        }
    }
    not_run
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
        if std::env::var_os("NIMOON_WRITE").is_some() {
            std::fs::write(root().join(&file), &printed).expect("the file is written");
        }
        let remedy = "NIMOON_WRITE=1 cargo test -p nimoon-cli --test documents";
        let same = std::fs::read_to_string(root().join(&file)).is_ok_and(|kept| kept == printed);
        assert!(same, "{file} is not what `nimoon {command}` prints; run `{remedy}`");
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
    let description = parse("openapi.json", &read("crates/nimoon-web/assets/openapi.json"));
    for path in description["paths"].as_object().expect("paths").keys() {
        assert!(page.contains(&format!("`{path}`")), "docs/api.md does not tell of {path}");
    }
}

#[test]
fn the_documents_name_commands_that_there_are() {
    let help =
        String::from_utf8(nimoon(&["--help".to_owned()]).output().expect("it starts").stdout)
            .expect("UTF-8");
    let commands = help.split("Commands:\n").nth(1).expect("a list").split("\n\n").next();
    let names = commands.expect("a list").lines().filter(|line| !line.starts_with("   "));
    let tour: String = documents()
        .iter()
        .filter(|file| file.starts_with("docs/tour/") || *file == "docs/api.md")
        .map(|file| read(file))
        .collect();
    for name in names.filter_map(|line| line.split_whitespace().next()) {
        let elsewhere = ["help", "store", "cluster"];
        let told = elsewhere.contains(&name) || tour.contains(&format!("nimoon {name}"));
        assert!(told, "the tour does not tell of `nimoon {name}`");
    }
}
