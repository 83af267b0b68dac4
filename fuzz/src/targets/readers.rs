//! Readers of files: any bytes are a graph or an error with its place, and what is written is read back.

use std::borrow::Cow;
use std::collections::BTreeSet;

use nimoon::{Digraph, Node, label};
use nimoon_formats::read::partizan::read as read_partizan;
use nimoon_formats::read::{Format, ReadError, read};
use nimoon_formats::write::{
    JsonDigraph, JsonPartizan, PictureOptions, Report, game as write_game, latex, svg, write_csv,
    write_dot, write_json, write_table,
};
use nimoon_formats::{Game, Names};

use crate::limits::little;

pub(super) fn json(bytes: &[u8]) {
    reads(Format::Json, bytes);
}

pub(super) fn game(bytes: &[u8]) {
    reads(Format::Game, bytes);
}

pub(super) fn dot(bytes: &[u8]) {
    reads(Format::Dot, bytes);
}

pub(super) fn edges(bytes: &[u8]) {
    reads(Format::Edges, bytes);
}

pub(super) fn aut(bytes: &[u8]) {
    reads(Format::Aut, bytes);
}

pub(super) fn pgsolver(bytes: &[u8]) {
    reads(Format::PgSolver, bytes);
}

/// Larger digraphs are read, and no more is done with them.
const MOST_NODES: usize = 200;
/// Up to here all that can be written is.
const MOST_LABELLED: usize = 12;

fn reads(format: Format, bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        any_names(format, text);
    }
    let source = match read(format, bytes) {
        Ok(source) => source,
        Err(error) => return told(&error, bytes),
    };
    let nodes = source.names.len();
    assert!(nodes > 0, "a file without nodes is an error");
    let below = |node: u32| assert!((node as usize) < nodes, "node {node} of {nodes}");
    source.arcs.iter().for_each(|&(from, to)| [from, to].into_iter().for_each(below));
    source.gray.iter().copied().for_each(below);
    source.terminals.iter().for_each(|&(node, _)| below(node));
    source.players.iter().for_each(|&(node, _)| below(node));
    if nodes > MOST_NODES {
        return;
    }
    let game = source.into_game().expect("readers leave no wrong node");
    let json = serde_json::to_vec(&JsonDigraph::new(&game.digraph, &game.names));
    let again = again(Format::Json, &json.expect("names are text"));
    assert_eq!((&again.digraph, &again.names), (&game.digraph, &game.names));
    if let Ok(text) = write_game(&game.digraph, &game.names) {
        same_names_and_arcs(&game, &self::again(Format::Game, text.as_bytes()));
    }
    if nodes <= MOST_LABELLED {
        writes(&game);
    }
}

/// Names are any text, and those that a fuzzer comes by in a file are mostly short and plain; so the lines of the input are taken for names too, written in
/// the format and read back.
fn any_names(format: Format, text: &str) {
    const MOST_NAMES: usize = 4;
    let lines: BTreeSet<&str> = text.split('\n').take(MOST_NAMES).collect();
    let names: Names = lines.into_iter().map(Cow::Borrowed).collect();
    let nodes = names.len() as Node;
    let arcs = (1..nodes).flat_map(|node| [(0, node), (node, node - 1)]).collect();
    let digraph = Digraph::new(names.len(), [nodes - 1], arcs).expect("all ends are nodes");
    let written = match format {
        Format::Json => serde_json::to_vec(&JsonDigraph::new(&digraph, &names)).ok(),
        Format::Game => write_game(&digraph, &names).ok().map(String::into_bytes),
        Format::Dot => {
            let labelling = label(&digraph, None, little()).expect("it is small");
            let report =
                Report { digraph: &digraph, names: &names, labelling: &labelling, rounds: None };
            let mut out = Vec::new();
            write_dot(&report, &mut out).expect("memory takes all");
            Some(out)
        }
        // Nothing is written in the others.
        _ => None,
    };
    if let Some(written) = written {
        let again = again(format, &written);
        let game = Game { digraph, names, ..again.clone() };
        same_names_and_arcs(&game, &again);
    }
}

/// An error has a place in the text, and something to say.
fn told(error: &ReadError, bytes: &[u8]) {
    let lines = bytes.split(|&byte| byte == b'\n').count();
    assert!((1..=lines + 1).contains(&error.line), "line {} of {lines}", error.line);
    assert!((1..=bytes.len() + 2).contains(&error.column), "column {}", error.column);
    let message = error.to_string();
    assert!(!message.is_empty() && !message.contains('\n'), "{message:?}");
    let _ = error.snippet(bytes);
}

fn again(format: Format, written: &[u8]) -> Game {
    let read = read(format, written);
    let read = read.unwrap_or_else(|error| {
        panic!("what was written is no {format}: {error}\n{}", String::from_utf8_lossy(written))
    });
    read.into_game().expect("readers leave no wrong node")
}

/// Nodes and arcs by name: formats without a list of nodes number them as they are met.
fn same_names_and_arcs(game: &Game, again: &Game) {
    let named = |game: &Game| {
        let name = |node| game.names.name(node).into_owned();
        let nodes: BTreeSet<(String, bool)> =
            game.digraph.nodes().map(|node| (name(node), game.digraph.is_gray(node))).collect();
        let arcs: BTreeSet<(String, String)> =
            game.digraph.arcs().map(|(from, to)| (name(from), name(to))).collect();
        (nodes, arcs)
    };
    assert_eq!(named(game), named(again));
}

/// Labels are written in every format; DOT is read back.
fn writes(game: &Game) {
    let Ok(labelling) = label(&game.digraph, None, little()) else { return };
    let Game { digraph, names, .. } = game;
    let report = Report { digraph, names, labelling: &labelling, rounds: None };
    let mut out = Vec::new();
    write_dot(&report, &mut out).expect("memory takes all");
    same_names_and_arcs(game, &again(Format::Dot, &out));
    out.clear();
    write_json(&report, &mut out).expect("memory takes all");
    serde_json::from_slice::<serde_json::Value>(&out).expect("it is JSON");
    out.clear();
    write_table(&report, &mut out).expect("memory takes all");
    write_csv(&report, &mut out).expect("memory takes all");
    std::str::from_utf8(&out).expect("it is text");
    let options = PictureOptions::default();
    let _ = (svg(&report, &options), latex(&report, &options));
}

pub(super) fn partizan(bytes: &[u8]) {
    let game = match read_partizan(bytes) {
        Ok(game) => game,
        Err(error) => return told(&error, bytes),
    };
    assert!((game.start as usize) < game.graph.len());
    assert_eq!(game.names.len(), game.graph.len());
    let written = |names: &Names| {
        serde_json::to_vec(&JsonPartizan::new(&game.graph, names, game.start)).expect("it is text")
    };
    let again = read_partizan(&written(&game.names)).expect("what is written is read");
    assert_eq!((&again.graph, &again.names), (&game.graph, &game.names));
    assert_eq!(again.start, game.start);
}
