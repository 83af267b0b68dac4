//! Compares the dependencies of nimoon with `deny.toml` and `docs/dependencies.md`, and checks the
//! contents of its packages.
//!
//! `deny.toml` is a file of cargo-deny, which takes long to install and uses a database that not
//! every machine can reach. So these tests check licences, duplicates and sources with `cargo
//! metadata`; `xtask/scripts/advisories.sh` runs cargo-deny if it is installed.

mod expression;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use expression::is_allowed;
use serde::Deserialize;

#[derive(Deserialize)]
struct Policy {
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    package: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    skip: Vec<Skip>,
}

#[derive(Deserialize)]
struct Skip {
    /// As `syn@2`.
    #[serde(rename = "crate")]
    package: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    /// Nothing for a package of the repository.
    source: Option<String>,
    description: Option<String>,
    readme: Option<String>,
    keywords: Vec<String>,
    rust_version: Option<String>,
    /// None if it may be published anywhere.
    publish: Option<Vec<String>>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    source: Option<String>,
    /// `dev` for one of the tests.
    kind: Option<String>,
    req: String,
}

impl Package {
    fn is_published(&self) -> bool {
        self.source.is_none() && self.publish.is_none()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn policy() -> Policy {
    basic_toml::from_str(&read("deny.toml")).expect("deny.toml")
}

/// What cargo prints with these arguments.
fn cargo(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    let output = command.args(arguments).current_dir(root()).output().expect("cargo starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {}:\n{error}", arguments.join(" "));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn packages() -> Vec<Package> {
    let metadata = cargo(&["metadata", "--format-version", "1", "--all-features", "--locked"]);
    let metadata: Metadata = serde_json::from_str(&metadata).expect("metadata");
    assert!(metadata.packages.len() > 50);
    metadata.packages
}

#[test]
fn every_licence_is_allowed_and_every_exception_is_needed() {
    let policy = policy().licenses;
    let mut needed = BTreeSet::new();
    for package in packages() {
        let license = package.license.unwrap_or_default();
        let general = |name: &str| policy.allow.iter().any(|allowed| allowed == name);
        if is_allowed(&license, &general) {
            continue;
        }
        let own = policy.exceptions.iter().filter(|it| it.package == package.name);
        let own: Vec<&String> = own.flat_map(|it| &it.allow).collect();
        let with_own = |name: &str| general(name) || own.iter().any(|allowed| *allowed == name);
        assert!(is_allowed(&license, &with_own), "{}: may we use `{license}`?", package.name);
        needed.insert(package.name);
    }
    let listed: BTreeSet<String> = policy.exceptions.into_iter().map(|it| it.package).collect();
    assert_eq!(listed, needed, "deny.toml lists exceptions for the first");
}

#[test]
fn no_package_has_two_versions_except_listed_ones() {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages() {
        versions.entry(package.name).or_default().insert(package.version);
    }
    let skipped = policy().bans.skip;
    for Skip { package } in &skipped {
        let (name, start) = package.split_once('@').expect("a version");
        let found = versions.get_mut(name).expect(name);
        let twice = found.len() > 1;
        let start = format!("{start}.");
        let before = found.len();
        found.retain(|version| !version.starts_with(&start));
        assert!(twice && found.len() < before, "deny.toml skips {package} for nothing");
    }
    versions.retain(|_, found| found.len() > 1);
    assert!(versions.is_empty(), "two versions: {versions:?}");
}

#[test]
fn everything_comes_from_one_registry_with_a_checksum() {
    let registries = policy().sources.allow_registry;
    for package in packages() {
        let Some(source) = package.source else { continue };
        let known =
            source.strip_prefix("registry+").is_some_and(|it| registries.contains(&it.into()));
        assert!(known, "{} comes from {source}", package.name);
    }
    let lock = read("Cargo.lock");
    let count = |text: &str| lock.matches(text).count();
    assert_eq!(count("\nsource = \"registry+"), count("\nchecksum = "));
}

#[test]
fn the_page_on_dependencies_lists_them_with_their_licences() {
    let packages = packages();
    let ours = packages.iter().filter(|package| package.source.is_none());
    let direct = ours.flat_map(|package| &package.dependencies);
    let direct: BTreeSet<&str> =
        direct.filter(|it| it.source.is_some()).map(|it| it.name.as_str()).collect();
    let page = read("docs/dependencies.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows = rows.filter_map(|row| row.split_once("` | "));
    let rows: BTreeMap<&str, &str> = rows.collect();
    assert_eq!(rows.keys().copied().collect::<BTreeSet<_>>(), direct, "the page lists the first");
    for package in packages.iter().filter(|package| direct.contains(package.name.as_str())) {
        let license = package.license.as_deref().unwrap_or_default().replace('/', " OR ");
        let row = rows[package.name.as_str()];
        assert!(row.ends_with(&format!("| {license} |")), "{}: {license}", package.name);
    }
}

#[test]
fn packages_have_what_a_registry_requires() {
    let all = packages();
    let ours: Vec<&Package> = all.iter().filter(|package| package.source.is_none()).collect();
    let readme = read("README.md");
    for package in &ours {
        let version = package.rust_version.as_deref().expect("a rust-version");
        assert_eq!(version, ours[0].rust_version.as_deref().expect("a rust-version"));
        let stated = format!("Rust {}", version.trim_end_matches(".0"));
        assert!(readme.contains(&stated), "README.md does not say {stated}");
    }
    for package in ours.iter().filter(|package| package.is_published()) {
        let name = &package.name;
        assert!(package.description.as_ref().is_some_and(|it| it.len() > 20), "{name}");
        assert!(package.license.is_some() && package.readme.is_some(), "{name}");
        assert!((1..=5).contains(&package.keywords.len()), "{name}");
        assert!(package.keywords.iter().all(|word| word.len() <= 20), "{name}: too long");
        for dependency in &package.dependencies {
            // Crates of the repository that only tests use by path are left out of the published
            // package.
            let is_left_out =
                dependency.kind.as_deref() == Some("dev") && dependency.source.is_none();
            assert!(
                is_left_out || dependency.req != "*",
                "{name}: {} has no version",
                dependency.name
            );
            let inner = ours.iter().find(|it| it.name == dependency.name);
            assert!(inner.is_none_or(|it| it.is_published()), "{name}: {}", dependency.name);
        }
    }
    let published = ours.iter().filter(|package| package.is_published());
    let published: BTreeSet<&str> = published.map(|package| package.name.as_str()).collect();
    assert!(published.len() >= 10 && published.contains("nimoon"), "{published:?}");
    for inner in ["xtask", "nimoon-benches", "nimoon-fuzz", "nimoon-py"] {
        assert!(!published.contains(inner), "{inner}");
    }
}

#[test]
fn every_crate_can_be_packaged_with_its_licences_and_without_its_tests() {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/packages");
    let _ = std::fs::remove_dir_all(folder);
    let quick = ["package", "--workspace", "--no-verify", "--allow-dirty", "--locked"];
    cargo(&[&quick[..], &["--target-dir", folder]].concat());
    for package in packages().into_iter().filter(Package::is_published) {
        let name = package.name;
        let file = format!("{folder}/package/{name}-{}.crate", package.version);
        assert!(Path::new(&file).exists(), "{file}");
        let files = cargo(&["package", "--list", "--allow-dirty", "--locked", "-p", &name]);
        let files: Vec<&str> = files.lines().collect();
        for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "Cargo.lock"] {
            assert!(files.contains(&file), "{name}: no {file}: {files:?}");
        }
        assert!(files.iter().any(|file| file.starts_with("src/")), "{name}");
        assert!(!files.iter().any(|file| file.starts_with("tests/")), "{name}");
    }
}
