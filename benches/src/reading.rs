//! Reading files: compares numbers with the reader of `baseline/sfp.c`, names with a plain reader
//! that splits lines and keeps names in a map of strings, and reads the same arcs in several
//! formats.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Instant;

use nimoon_formats::Source;
use nimoon_formats::read::{Format, ReadError, read};
use thiserror::Error;

use crate::answer;
use crate::baseline::{BaselineError, FAMILIES, TestBed};
use crate::machine::median;

/// Why the comparison stopped.
#[derive(Debug, Error)]
pub(crate) enum ReadingError {
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    #[error("{0}: cannot read the file: {1}")]
    Refused(&'static str, ReadError),
    #[error("WRONG ANSWER on {0}: the plain reader has other nodes or arcs")]
    Wrong(&'static str),
}

const NODES: u32 = 1_000_000;
const ARCS: u32 = 4_000_000;

/// Reads lines of two words: the names by first mention, and the arcs.
fn plainly(text: &str) -> (Vec<String>, Vec<(u32, u32)>) {
    let mut nodes: HashMap<String, u32> = HashMap::new();
    let mut names = Vec::new();
    let mut node = |name: &str| {
        if let Some(&node) = nodes.get(name) {
            return node;
        }
        nodes.insert(name.to_owned(), names.len() as u32);
        names.push(name.to_owned());
        names.len() as u32 - 1
    };
    let mut arcs = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        if let (Some(from), Some(to)) = (words.next(), words.next()) {
            arcs.push((node(from), node(to)));
        }
    }
    (names, arcs)
}

/// A kind of names, and the function that writes one.
type Kind = (&'static str, fn(u32) -> String);

const KINDS: [Kind; 4] = [
    ("numbers", |node| node.to_string()),
    ("node_123456", |node| format!("node_{node:06}")),
    ("long names", |node| format!("some/folder/with/a_rather_long_name_of_a_position_{node}")),
    ("UTF-8", |node| format!("θέση_{node}")),
];

/// Random arcs.
fn arcs() -> impl Iterator<Item = (u32, u32)> {
    let mut state = 1_u64;
    let mut below = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((state >> 33) * u64::from(NODES)) >> 31) as u32
    };
    (0..ARCS / 2).map(move |_| (below(), below()))
}

/// An edge list.
fn edges(arcs: impl Iterator<Item = (u32, u32)>, name: fn(u32) -> String) -> String {
    let mut text = String::new();
    for (from, to) in arcs {
        let _ = writeln!(text, "{} {}", name(from), name(to));
    }
    text
}

/// The arcs of an edge list in another format.
fn in_format(format: Format, edges: &str) -> String {
    let (mut text, mut last) = (String::new(), None);
    let arcs = edges.lines().filter_map(|line| line.split_once(' '));
    for (from, to) in arcs {
        let _ = match format {
            Format::Json if last.is_none() => write!(text, "{{\"arcs\":[[\"{from}\",\"{to}\"]"),
            Format::Json => write!(text, ",\n[\"{from}\",\"{to}\"]"),
            Format::Dot if last.is_none() => write!(text, "digraph {{\n{from} -> {to};\n"),
            Format::Dot => writeln!(text, "{from} -> {to};"),
            Format::Game if last == Some(from) => write!(text, " {to}"),
            Format::Game => write!(text, "\n{from}: {to}"),
            _ => writeln!(text, "{from} {to}"),
        };
        last = Some(from);
    }
    text.push_str(match format {
        Format::Json => "]}\n",
        Format::Dot => "}\n",
        _ => "\n",
    });
    text
}

fn same(source: &Source, names: &[String], arcs: &[(u32, u32)]) -> bool {
    source.arcs == arcs && source.names.iter().eq(names.iter().map(String::as_str))
}

/// Files of numbers with both programs, then names with both readers in this one.
pub(crate) fn run(rounds: usize) -> Result<(), ReadingError> {
    println!("reading: {ARCS} arcs between {NODES} numbers, by `read_s` of both programs\n");
    println!("| family | MB | sfp s | nimoon s | MB/s | times as fast |");
    println!("|---|---:|---:|---:|---:|---:|");
    let bed = TestBed::new()?;
    for family in &FAMILIES {
        let path = bed.generate(family, NODES, ARCS, 1)?;
        let unread = |program| {
            let path = path.clone();
            move |error| BaselineError::Output { program, path, error }
        };
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let text = bed.run_baseline(&path, false)?;
            let [time] = answer::read_numbers(&text, ["read_s"]).map_err(unread("sfp"))?;
            theirs.push(time);
            let text = bed.run_program(&path, &["--format", "none", "--timing", "json"])?;
            let [time] = answer::read_numbers(&text, ["read_s"]).map_err(unread("nimoon"))?;
            ours.push(time);
        }
        let (theirs, ours) = (median(theirs), median(ours));
        let bytes = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
        let megabytes = bytes as f64 / 1e6;
        let (name, rate, ratio) = (family.name, megabytes / ours, theirs / ours);
        println!("| {name} | {megabytes:.0} | {theirs:.3} | {ours:.3} | {rate:.0} | {ratio:.2} |");
    }
    println!("\nreading: {} arcs between names in memory, against a plain reader\n", ARCS / 2);
    println!("| names | MB | plain s | nimoon s | MB/s | times as fast |");
    println!("|---|---:|---:|---:|---:|---:|");
    for (kind, name) in KINDS {
        let text = edges(arcs(), name);
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        // Not in turns: after a million strings are freed, the next allocations are slow.
        let mut last = None;
        for _ in 0..rounds {
            drop(last.take());
            let start = Instant::now();
            let found = read(Format::Edges, text.as_bytes());
            ours.push(start.elapsed().as_secs_f64());
            last = Some(found.map_err(|error| ReadingError::Refused(kind, error))?);
        }
        for round in 0..rounds {
            let start = Instant::now();
            let (names, arcs) = plainly(&text);
            theirs.push(start.elapsed().as_secs_f64());
            let is_same = |source| same(source, &names, &arcs);
            if round == 0 && !last.as_ref().is_some_and(is_same) {
                return Err(ReadingError::Wrong(kind));
            }
        }
        let (theirs, ours) = (median(theirs), median(ours));
        let megabytes = text.len() as f64 / 1e6;
        let (rate, ratio) = (megabytes / ours, theirs / ours);
        println!("| {kind} | {megabytes:.0} | {theirs:.3} | {ours:.3} | {rate:.0} | {ratio:.2} |");
    }
    println!("\nall nodes and arcs of the second table are those of the plain reader");
    in_formats(rounds)
}

/// The same arcs, sorted by sources, in several formats.
fn in_formats(rounds: usize) -> Result<(), ReadingError> {
    let (kind, name) = KINDS[1];
    let mut sorted: Vec<(u32, u32)> = arcs().collect();
    sorted.sort_by_key(|arc| (arc.0.wrapping_mul(0x9E37_79B1), arc.0));
    let edges = edges(sorted.into_iter(), name);
    let (names, arcs) = plainly(&edges);
    println!("\nreading: {} arcs between names such as {kind} in memory\n", arcs.len());
    println!("| format | MB | nimoon s | MB/s |");
    println!("|---|---:|---:|---:|");
    for format in [Format::Edges, Format::Json, Format::Game, Format::Dot] {
        let text = in_format(format, &edges);
        let mut times = Vec::new();
        for _ in 0..rounds {
            let start = Instant::now();
            let source = read(format, text.as_bytes());
            times.push(start.elapsed().as_secs_f64());
            let source = source.map_err(|error| ReadingError::Refused(format.name(), error))?;
            if !same(&source, &names, &arcs) {
                return Err(ReadingError::Wrong(format.name()));
            }
        }
        let (time, megabytes) = (median(times), text.len() as f64 / 1e6);
        println!("| {format} | {megabytes:.0} | {time:.3} | {:.0} |", megabytes / time);
    }
    println!("\nall of them have the same nodes and arcs");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_reader_numbers_by_first_mention() {
        let (names, arcs) = plainly("b a\na b\nc c\n");
        assert_eq!(names, ["b", "a", "c"]);
        assert_eq!(arcs, [(0, 1), (1, 0), (2, 2)]);
    }

    #[test]
    fn all_formats_give_the_same_digraph() {
        let edges = "b a\nb c\na b\nd d\n";
        let (names, arcs) = plainly(edges);
        for format in [Format::Edges, Format::Json, Format::Game, Format::Dot] {
            let source = read(format, in_format(format, edges).as_bytes()).expect("a digraph");
            assert!(same(&source, &names, &arcs), "{format}");
        }
    }
}
