//! The modules of the crate stand in an order, and each uses only those before it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules in order, from what all others use to what uses all others.
const ORDER: [&str; 14] = [
    "count",
    "player",
    "outcome",
    "notation",
    "limits",
    "graph",
    "impartial",
    "partizan",
    "affine",
    "smith",
    "transfinite",
    "ruleset",
    "solve",
    "certificate",
];

fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path)
}

/// All source files below a path.
fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            files(&entry.unwrap().path(), found);
        }
    } else {
        found.push(path.to_owned());
    }
}

/// The code of a file: without comments, and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The first names of all paths that begin with `crate::`.
fn uses(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        if let Some(list) = after.strip_prefix('{') {
            // Only names at the outermost level of the list are modules.
            let (mut depth, mut item) = (0_usize, String::new());
            for c in list.chars() {
                match c {
                    '}' if depth == 0 => break,
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        names.insert(first(&item));
                        item.clear();
                        continue;
                    }
                    _ => {}
                }
                item.push(c);
            }
            names.insert(first(&item));
        } else {
            names.insert(first(after));
        }
    }
    names.remove("");
    names
}

fn first(path: &str) -> String {
    path.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn lists_of_imports_are_taken_apart() {
    let found = uses("use crate::{limits::{A, B}, graph::C}; let x = crate::outcome::D;");
    assert_eq!(found, ["limits", "graph", "outcome"].map(str::to_owned).into());
}

#[test]
fn every_module_has_a_place_in_the_order() {
    let lib = fs::read_to_string(source("lib.rs")).unwrap();
    let declared = lib.lines().filter_map(|line| line.split_once("mod ")?.1.strip_suffix(';'));
    assert_eq!(declared.collect::<BTreeSet<_>>(), ORDER.into());
}

#[test]
fn each_module_uses_only_those_before_it() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (place, name) in ORDER.iter().enumerate() {
        let mut found = Vec::new();
        let (file, folder) = (source(&format!("{name}.rs")), source(name));
        files(if folder.is_dir() { &folder } else { &file }, &mut found);
        for file in found {
            if file.components().any(|part| part.as_os_str() == "tests")
                || file.file_name().is_some_and(|name| name == "tests.rs")
            {
                continue;
            }
            seen += 1;
            for used in uses(&code(&fs::read_to_string(&file).unwrap())) {
                match ORDER.iter().position(|other| **other == used) {
                    Some(other) if other <= place => {}
                    Some(_) => {
                        wrong.push(format!("{} uses the later module {used}", file.display()));
                    }
                    // Names at the root are for other crates.
                    None => wrong.push(format!("{} uses `crate::{used}`", file.display())),
                }
            }
        }
    }
    assert!(seen > 100, "only {seen} files were found");
    assert_eq!(wrong, Vec::<String>::new());
}
