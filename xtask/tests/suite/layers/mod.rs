//! Which crate may use which, and what only front ends may do.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use source::{Source, files};

/// The crates of ours that a crate may use.
struct Layer {
    name: &'static str,
    uses: &'static [&'static str],
    /// The crates that its tests may use in addition.
    tests: &'static [&'static str],
}

const fn layer(
    name: &'static str,
    uses: &'static [&'static str],
    tests: &'static [&'static str],
) -> Layer {
    Layer { name, uses, tests }
}

/// Everything below the front ends.
const BELOW: &[&str] = &[
    "nimoon",
    "nimoon-audit",
    "nimoon-check",
    "nimoon-formats",
    "nimoon-kernels",
    "nimoon-memory",
    "nimoon-rulesets",
    "nimoon-script",
    "nimoon-session",
    "nimoon-store",
];

/// The crates, each after those that it uses. The oracle and the checker share nothing with the engine; the tests
/// of the checker and of the store are the only ones that use a crate above.
const LAYERS: [Layer; 16] = [
    layer("nimoon-oracle", &[], &[]),
    layer("nimoon-kernels", &[], &[]),
    layer("nimoon-memory", &[], &[]),
    layer("nimoon", &[], &["nimoon-oracle"]),
    layer("nimoon-formats", &["nimoon"], &[]),
    layer("nimoon-script", &["nimoon"], &[]),
    layer("nimoon-rulesets", &["nimoon", "nimoon-kernels"], &["nimoon-oracle", "nimoon-script"]),
    layer("nimoon-audit", &["nimoon", "nimoon-formats", "nimoon-oracle"], &[]),
    layer("nimoon-store", &["nimoon"], &["nimoon-script", "nimoon-session"]),
    layer(
        "nimoon-check",
        &[],
        &["nimoon", "nimoon-audit", "nimoon-formats", "nimoon-oracle", "nimoon-session"],
    ),
    layer(
        "nimoon-session",
        &[
            "nimoon",
            "nimoon-audit",
            "nimoon-check",
            "nimoon-formats",
            "nimoon-rulesets",
            "nimoon-script",
            "nimoon-store",
        ],
        &["nimoon-oracle"],
    ),
    layer("nimoon-cluster", BELOW, &["nimoon-oracle"]),
    layer("nimoon-web", BELOW, &["nimoon-oracle"]),
    layer("nimoon-wasm", &["nimoon", "nimoon-session"], &[]),
    layer("nimoon-py", BELOW, &[]),
    // The program starts the server and the processes of a cluster.
    layer("nimoon-cli", BELOW, &["nimoon-oracle"]),
];

/// The front ends that the program starts.
const STARTED: [&str; 2] = ["nimoon-cluster", "nimoon-web"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// Nothing for an ordinary one; `dev` for one of the tests.
    kind: Option<String>,
    /// Nothing for a crate of the repository.
    source: Option<String>,
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates")
}

/// The packages of the folder `crates`.
fn packages() -> BTreeMap<String, Vec<Dependency>> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let output = command.current_dir(crates()).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Metadata = serde_json::from_slice(&output.stdout).expect("metadata");
    let ours = metadata.packages.into_iter().filter(|package| {
        let folder = package.manifest_path.ancestors().nth(2);
        folder.is_some_and(|folder| folder.ends_with("crates"))
    });
    ours.map(|package| (package.name, package.dependencies)).collect()
}

#[test]
fn every_crate_stands_after_those_that_it_uses() {
    for (place, Layer { name, uses, tests }) in LAYERS.iter().enumerate() {
        let is_before = |used: &&&str| LAYERS[..place].iter().any(|layer| layer.name == **used);
        let above: Vec<_> = uses.iter().filter(|used| !is_before(used)).collect();
        assert!(above.is_empty(), "{name} uses {above:?}");
        if !["nimoon-check", "nimoon-store"].contains(name) {
            let above: Vec<_> = tests.iter().filter(|used| !is_before(used)).collect();
            assert!(above.is_empty(), "the tests of {name} use {above:?}");
        }
    }
}

#[test]
fn every_crate_uses_only_those_that_it_may() {
    let packages = packages();
    let mut listed: Vec<&str> = LAYERS.iter().map(|layer| layer.name).collect();
    listed.sort_unstable();
    assert_eq!(packages.keys().collect::<Vec<_>>(), listed, "the crates, and those with a layer");
    let mut wrong = Vec::new();
    for Layer { name, uses, tests } in &LAYERS {
        for Dependency { name: used, kind, source } in &packages[*name] {
            let used = used.as_str();
            let is_started = *name == "nimoon-cli" && STARTED.contains(&used);
            let is_test = kind.as_deref() == Some("dev") && tests.contains(&used);
            if source.is_none() && !uses.contains(&used) && !is_started && !is_test {
                wrong.push(format!("{name} uses {used} ({})", kind.as_deref().unwrap_or("normal")));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// What `nimoon-formats` may name of the core: plain data, limits for reading, clock and threads.
const DATA: [&str; 30] = [
    "nimoon::AnyValue",
    "nimoon::Cover",
    "nimoon::Digraph",
    "nimoon::Work",
    "nimoon::EntailingValue",
    "nimoon::Guide",
    "nimoon::Interrupted",
    "nimoon::Label",
    "nimoon::Labels",
    "nimoon::NimberSet",
    "nimoon::Nimbers",
    "nimoon::Node",
    "nimoon::Outcome",
    "nimoon::Progress",
    "nimoon::Refutation",
    "nimoon::Theory",
    "nimoon::TurnKind",
    "nimoon::Value",
    "nimoon::graph::digraph::DigraphError",
    // Where the clock and the threads come from.
    "nimoon::limits::clock::Instant",
    "nimoon::limits::threads",
    // Values, sets and the positions of a sum, as they are written.
    "nimoon::impartial::control::Control",
    "nimoon::impartial::sets::Sets",
    "nimoon::solve::solution::PositionDigraph",
    // The name of an algorithm.
    "nimoon::impartial::rounds::algorithm",
    "nimoon::partizan::Graph",
    "nimoon::partizan::GraphError",
    "nimoon::partizan::Vertex",
    "nimoon::player::Player",
    // How a turn was chosen.
    "nimoon::solve::partizan::PartizanGuide",
];

#[test]
fn formats_call_no_engine() {
    let mut used = BTreeMap::new();
    for file in files(&crates().join("nimoon-formats/src")) {
        let source = Source::new(&std::fs::read_to_string(&file).expect("it is read"));
        for path in source.paths("nimoon") {
            used.insert(path, file.clone());
        }
    }
    let is_below = |path: &str, data: &str| {
        path.strip_prefix(data).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    for data in DATA {
        assert!(used.keys().any(|path| is_below(path, data)), "{data} is not used: remove it");
    }
    used.retain(|path, _| !DATA.iter().any(|data| is_below(path, data)));
    assert_eq!(used, BTreeMap::new(), "not plain data");
}

/// Libraries that the page does not link: it has no files to keep anything in.
const NOT_IN_THE_PAGE: [&str; 1] = ["nimoon-store"];

#[test]
fn the_clock_comes_from_the_core_where_a_page_has_none() {
    let mut wrong = Vec::new();
    let linked = libraries().filter(|name| !NOT_IN_THE_PAGE.contains(name));
    for library in linked.chain(["nimoon-wasm"]) {
        for file in files(&crates().join(library).join("src")) {
            let source = Source::new(&std::fs::read_to_string(&file).expect("it is read"));
            let paths = source.paths("std");
            let mut clocks = paths.iter().filter(|path| path.starts_with("std::time::Instant"));
            if !file.ends_with("nimoon/src/limits/clock.rs") && clocks.next().is_some() {
                wrong.push(file);
            }
        }
    }
    assert_eq!(wrong, Vec::<PathBuf>::new(), "use nimoon::limits::clock::Instant");
}

/// The crates that are not front ends.
fn libraries() -> impl Iterator<Item = &'static str> {
    let is_library = |name: &&str| BELOW.contains(name) || *name == "nimoon-oracle";
    LAYERS.iter().map(|layer| layer.name).filter(is_library)
}

/// The command-line flags in a text, as in `--budget`.
fn flags(text: &str) -> Vec<&str> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let starts = text.match_indices("--").filter(|(at, _)| !text[..*at].ends_with(word));
    let names = starts.map(|(at, _)| text[at..].split(|c| !word(c)).next().unwrap_or_default());
    names.filter(|name| name[2..].starts_with(|c: char| c.is_ascii_lowercase())).collect()
}

#[test]
fn flags_are_found_in_texts() {
    assert_eq!(flags("see --format json, or raise `--max-nodes`."), ["--format", "--max-nodes"]);
    assert_eq!(flags("a--b --- -- --1 -x"), Vec::<&str>::new());
}

#[test]
fn libraries_name_no_command_line_flag() {
    let mut named = Vec::new();
    for library in libraries() {
        for file in files(&crates().join(library).join("src")) {
            let source = Source::new(&std::fs::read_to_string(&file).expect("it is read"));
            for flag in source.literals.iter().flat_map(|literal| flags(literal)) {
                named.push((flag.to_owned(), file.clone()));
            }
        }
    }
    assert_eq!(named, Vec::new(), "the front end knows what a limit is called there");
}

/// The public enums of errors, and whether other crates must expect more variants.
fn errors(code: &str) -> Vec<(&str, bool)> {
    let found = code.match_indices("pub enum ").filter_map(|(at, before_name)| {
        let attributes = code[..at].rsplit([';', '{', '}']).next().unwrap_or_default();
        let name = code[at + before_name.len()..].split([' ', '<']).next().unwrap_or_default();
        let derived = attributes.split(['(', ',', ')']).any(|part| part.trim() == "Error");
        (derived || name.ends_with("Error"))
            .then(|| (name, attributes.contains("#[non_exhaustive]")))
    });
    found.collect()
}

#[test]
fn enums_of_errors_are_found() {
    let code = "use a::{B, C};\n#[derive(Debug, Error)]\n#[non_exhaustive]\npub enum Fault {\n    A,\n}\n\
                #[derive(Debug)]\npub enum ReadError<T> {}\npub enum Kind {}";
    assert_eq!(errors(code), [("Fault", true), ("ReadError", false)]);
}

#[test]
fn errors_of_libraries_may_get_more_variants() {
    let (mut closed, mut seen) = (Vec::new(), 0);
    for library in libraries().filter(|name| *name != "nimoon-oracle") {
        for file in files(&crates().join(library).join("src")) {
            let source = Source::new(&std::fs::read_to_string(&file).expect("it is read"));
            for (name, is_open) in errors(&source.code) {
                seen += 1;
                if !is_open {
                    closed.push((name.to_owned(), file.clone()));
                }
            }
        }
    }
    assert!(seen > 30, "only {seen} were found");
    assert_eq!(closed, Vec::new(), "add `#[non_exhaustive]`");
}

/// The modules of the core with the rules of the theories for one node, which the cluster schedules.
const RULES: [&str; 6] = [
    "nimoon::impartial::theory::carry_on",
    "nimoon::impartial::theory::chains::ChainMove",
    "nimoon::impartial::theory::entailing::settle",
    "nimoon::impartial::theory::general",
    "nimoon::impartial::theory::levels::LevelState",
    "nimoon::smith::remoteness::Measure",
];

#[test]
fn the_cluster_labels_by_the_rules_of_the_core() {
    let mut used = BTreeSet::new();
    for file in files(&crates().join("nimoon-cluster/src/label")) {
        let source = Source::new(&std::fs::read_to_string(&file).expect("it is read"));
        used.extend(source.paths("nimoon"));
    }
    for rules in RULES {
        assert!(
            used.iter().any(|path| path.starts_with(rules)),
            "the cluster does not use {rules}"
        );
    }
}
