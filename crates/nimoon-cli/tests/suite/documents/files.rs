//! The documents of the repository, and what they link to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

pub fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The files below a folder with this extension, without folders of builds and packages.
pub fn below(folder: &str, extension: &str) -> Vec<String> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).expect(folder) {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("UTF-8");
        let path = if folder == "." { name.clone() } else { format!("{folder}/{name}") };
        let kind = entry.file_type().expect("a kind");
        let foreign =
            name.starts_with('.') || ["target", "node_modules", "snapshots"].contains(&&*name);
        if kind.is_dir() && !foreign {
            files.extend(below(&path, extension));
        } else if kind.is_file() && Path::new(&name).extension().is_some_and(|end| end == extension)
        {
            files.push(path);
        }
    }
    files.sort_unstable();
    files
}

/// All documents.
pub fn documents() -> Vec<String> {
    below(".", "md")
}

/// What stands between the two texts, wherever it does.
fn between<'a>(text: &'a str, before: &'a str, after: char) -> impl Iterator<Item = &'a str> {
    text.split(before).skip(1).filter_map(move |rest| Some(rest.split_once(after)?.0))
}

/// The files, with their anchors, that a document links to or shows, from the root on.
pub fn links(file: &str) -> BTreeSet<String> {
    let mut prose = String::new();
    let mut in_block = false;
    for line in read(file).lines() {
        in_block ^= line.trim_start().starts_with("```");
        if !in_block {
            prose.extend([line, "\n"]);
        }
    }
    let links = between(&prose, "](", ')').chain(between(&prose, "src=\"", '"'));
    let links = links.filter(|link| !link.contains("://") && !link.contains(' '));
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let resolve = |link: &str| {
        let (path, anchor) = link.split_once('#').map_or((link, None), |(p, a)| (p, Some(a)));
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in path.split('/') {
            match part {
                ".." => drop(parts.pop()),
                "." | "" => {}
                part => parts.push(part),
            }
        }
        let path = if path.is_empty() { file.to_owned() } else { parts.join("/") };
        anchor.map_or(path.clone(), |anchor| format!("{path}#{anchor}"))
    };
    links.map(resolve).collect()
}

/// The anchors of the headings of a document: lower case, without signs, blanks as `-`; numbered
/// where they recur.
pub fn anchors(markdown: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for heading in
        markdown.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(' '))
    {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String =
            kept.flat_map(char::to_lowercase).collect::<String>().replace(' ', "-");
        let numbered =
            (1..=anchors.len()).map(|n| format!("{anchor}-{n}")).find(|it| !anchors.contains(it));
        let recurs = anchors.contains(&anchor);
        anchors.insert(if recurs { numbered.unwrap_or(anchor) } else { anchor });
    }
    anchors
}

#[test]
fn anchors_are_those_of_the_headings() {
    let anchors = anchors("# File formats\n## JSON\ntext\n## JSON\n### .game\n");
    for anchor in ["file-formats", "json", "json-1", "game"] {
        assert!(anchors.contains(anchor), "{anchors:?}");
    }
}
