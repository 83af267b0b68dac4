//! Readers of files: any bytes are a graph or an error with its place, and written files are read
//! back.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use nimoon::player::Player as Side;
use nimoon::{Digraph, Node, Work, label};
use nimoon_formats::read::partizan::{PartizanGame, read as read_partizan};
use nimoon_formats::read::{Format, ReadError, read};
use nimoon_formats::source::{Player, Terminal};
use nimoon_formats::write::{
    JsonDigraph, JsonPartizan, PictureOptions, Report, game as write_game, latex, svg, write_csv,
    write_dot, write_json, write_table,
};
use nimoon_formats::{Game, Names};
use serde_json::Value as Json;

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

/// Larger digraphs are only read.
const MOST_NODES: usize = 200;
/// Digraphs of at most this size are labelled and written in every format.
const MOST_LABELLED: usize = 12;

fn reads(format: Format, bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        any_names(format, text);
    }
    let source = match read(format, bytes) {
        Ok(source) => source,
        Err(error) => return check_error(&error, bytes),
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
    if format == Format::Json {
        same_as_any_json(&game, bytes);
    }
    let json = serde_json::to_vec(&JsonDigraph::new(&game.digraph, &game.names));
    let again = again(Format::Json, &json.expect("names are text"));
    assert_eq!((&again.digraph, &again.names), (&game.digraph, &game.names));
    same(&game, &self::again(Format::Json, &declared_json(&game)));
    if let Some(text) = declared_game(&game) {
        same(&game, &self::again(Format::Game, text.as_bytes()));
    }
    if nodes <= MOST_LABELLED {
        writes(&game);
    }
}

/// Names are any text, but those that a fuzzer finds in a file are mostly short and plain. So the
/// lines of the input are used as names too, written in the format and read back. The declarations
/// of the nodes are made up from their names: a reader that mistakes one word for another would
/// make the same mistake again, so reading its own output twice would not show it.
fn any_names(format: Format, text: &str) {
    const MOST_NAMES: usize = 4;
    let lines: BTreeSet<&str> = text.split('\n').take(MOST_NAMES).collect();
    let mut names: Names = lines.iter().copied().map(Cow::Borrowed).collect();
    let nodes = names.len() as Node;
    // Arcs from the first to all, and back from the second; the others are terminal.
    let arcs = (1..nodes).map(|node| (0, node)).chain((nodes > 1).then_some((1, 0))).collect();
    let has_gray = !matches!(format, Format::Aut | Format::PgSolver);
    let gray = has_gray.then_some(nodes - 1);
    let digraph = Digraph::new(names.len(), gray, arcs).expect("all ends are nodes");
    let (mut terminals, mut players) = (Vec::new(), Vec::new());
    if matches!(format, Format::Json | Format::Game) {
        for (node, name) in (0..).zip(&lines) {
            let what = name.bytes().fold(0, |sum: usize, byte| sum + usize::from(byte));
            let ending = [Terminal::Win, Terminal::Lose, Terminal::Draw, payoff(name)];
            let ending = ending.get(what % 5).filter(|_| digraph.options(node).is_empty());
            terminals.extend(ending.map(|&ending| (node, ending)));
            let player = [Player::Left, Player::Right].get(what / 5 % 3).copied();
            players.extend(player.map(|player| (node, player)));
        }
    }
    let written = match format {
        Format::Json | Format::Game => {
            let game = Game { digraph, names, terminals, players };
            if format == Format::Json {
                same(&game, &again(format, &declared_json(&game)));
            } else if let Some(text) = declared_game(&game) {
                same(&game, &again(format, text.as_bytes()));
            }
            return;
        }
        Format::Dot => {
            let labelling = label(&digraph, None, &Work::new(little())).expect("it is small");
            let report = Report::new(&digraph, &names, &labelling);
            let mut out = Vec::new();
            write_dot(&report, &mut out).expect("memory takes all");
            out
        }
        Format::Aut => {
            names = Names::numbered(nodes);
            let mut out = format!("des (0, {}, {nodes})\n", digraph.arcs().count());
            for ((from, to), line) in digraph.arcs().zip(lines.iter().cycle()) {
                let label = line.replace('\r', "");
                let _ = writeln!(out, "({from}, \"{label}\", {to})");
            }
            out.into_bytes()
        }
        Format::PgSolver => {
            // Any numbers, including the largest possible one.
            let identifier = |node: Node| Node::MAX - 1000 * node;
            names = (0..nodes).map(|node| Cow::Owned(identifier(node).to_string())).collect();
            let mut out = String::new();
            for (node, line) in (0..).zip(&lines) {
                let options = digraph.options(node).iter().map(|&to| identifier(to).to_string());
                let (options, name) =
                    (options.collect::<Vec<_>>().join(","), line.replace('"', ""));
                let _ = writeln!(out, "{} 7 {} {options} \"{name}\";", identifier(node), node % 2);
            }
            out.into_bytes()
        }
        // This format has no place for declarations.
        Format::Edges => return,
    };
    let game = Game { digraph, names, terminals, players };
    same(&game, &again(format, &written));
}

/// Some payoff, possibly the largest or the smallest.
fn payoff(name: &str) -> Terminal {
    let mut eight = [0; 8];
    eight.iter_mut().zip(name.bytes()).for_each(|(to, from)| *to = from);
    Terminal::Payoff(match name.len() % 4 {
        0 => i64::MIN,
        1 => i64::MAX,
        2 => -i64::from(eight[0]),
        _ => i64::from_be_bytes(eight),
    })
}

const fn ending(terminal: Terminal) -> Result<&'static str, i64> {
    match terminal {
        Terminal::Win => Ok("win"),
        Terminal::Lose => Ok("lose"),
        Terminal::Draw => Ok("draw"),
        Terminal::Payoff(payoff) => Err(payoff),
    }
}

const fn side(player: Player) -> &'static str {
    match player {
        Player::Left => "left",
        Player::Right => "right",
    }
}

/// The digraph as JSON, with the declarations of its nodes, which no writer of nimoon writes.
fn declared_json(game: &Game) -> Vec<u8> {
    let name = |node| game.names.name(node).into_owned();
    let terminals = game.terminals.iter().map(|&(node, terminal)| {
        (name(node), ending(terminal).map_or_else(Json::from, Json::from))
    });
    let players = game.players.iter().map(|&(node, player)| (name(node), side(player).into()));
    let digraph = serde_json::to_value(JsonDigraph::new(&game.digraph, &game.names));
    let mut json = digraph.expect("names are text");
    json["terminals"] = Json::Object(terminals.collect());
    json["player"] = Json::Object(players.collect());
    json.to_string().into_bytes()
}

/// The same as `.game`; none if the format cannot have one of the names.
fn declared_game(game: &Game) -> Option<String> {
    let mut text = write_game(&game.digraph, &game.names).ok()?;
    for &(node, terminal) in &game.terminals {
        let name = game.names.name(node);
        let _ = match ending(terminal) {
            Ok(word) => writeln!(text, "{word} {name}"),
            Err(payoff) => writeln!(text, "payoff {name} {payoff}"),
        };
    }
    for &(node, player) in &game.players {
        let _ = writeln!(text, "{} {}", side(player), game.names.name(node));
    }
    Some(text)
}

/// A file as another reader of JSON reads it.
fn any_json(bytes: &[u8]) -> Json {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice(bytes).expect("what is read is JSON")
}

/// Compares with what another reader of JSON finds in the file.
fn same_as_any_json(game: &Game, bytes: &[u8]) {
    let json = any_json(bytes);
    let text = |json: &Json| json.as_str().expect("it is a text").to_owned();
    let list = |field: &str| json[field].as_array().cloned().unwrap_or_default();
    let object = |field: &str| json[field].as_object().cloned().unwrap_or_default();
    let (gray, arcs) = (list("gray"), list("arcs"));
    let gray: BTreeSet<String> = gray.iter().map(text).collect();
    let arcs: BTreeSet<(String, String)> =
        arcs.iter().map(|arc| (text(&arc[0]), text(&arc[1]))).collect();
    let ends = arcs.iter().flat_map(|(from, to)| [from, to]).cloned();
    let nodes: BTreeSet<String> =
        list("nodes").iter().map(text).chain(ends).chain(gray.iter().cloned()).collect();
    let nodes = nodes.into_iter().map(|name| (name.clone(), gray.contains(&name))).collect();
    assert_eq!(named(game), (nodes, arcs));
    let terminals = object("terminals").into_iter().map(|(name, ending)| {
        let terminal = match ending.as_str() {
            Some("win") => Terminal::Win,
            Some("lose") => Terminal::Lose,
            Some("draw") => Terminal::Draw,
            Some(word) => panic!("unknown ending: {word}"),
            // The other reader reads `-0` as a fraction.
            None => Terminal::Payoff(ending.as_i64().unwrap_or(0)),
        };
        (name, terminal)
    });
    let players = object("player")
        .into_iter()
        .map(|(name, player)| (name, if player == "left" { Player::Left } else { Player::Right }));
    assert_eq!(declared(game), (terminals.collect(), players.collect()));
}

/// An error has a place in the text, and a message.
fn check_error(error: &ReadError, bytes: &[u8]) {
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
        panic!("the written file is not {format}: {error}\n{}", String::from_utf8_lossy(written))
    });
    read.into_game().expect("readers leave no wrong node")
}

/// Nodes by name, with whether they are gray.
type NamedNodes = BTreeSet<(String, bool)>;
type NamedArcs = BTreeSet<(String, String)>;

/// Nodes and arcs by name: formats without a list of nodes number them in the order of their first
/// mention.
fn named(game: &Game) -> (NamedNodes, NamedArcs) {
    let name = |node| game.names.name(node).into_owned();
    let nodes = game.digraph.nodes().map(|node| (name(node), game.digraph.is_gray(node)));
    let arcs = game.digraph.arcs().map(|(from, to)| (name(from), name(to)));
    (nodes.collect(), arcs.collect())
}

/// How play ends and who moves, by name.
fn declared(game: &Game) -> (BTreeMap<String, Terminal>, BTreeMap<String, Player>) {
    let name = |node| game.names.name(node).into_owned();
    let terminals = game.terminals.iter().map(|&(node, terminal)| (name(node), terminal));
    let players = game.players.iter().map(|&(node, player)| (name(node), player));
    (terminals.collect(), players.collect())
}

fn same(game: &Game, again: &Game) {
    assert_eq!(named(game), named(again));
    assert_eq!(declared(game), declared(again));
}

/// Labels are written in every format; DOT is read back.
fn writes(game: &Game) {
    let Ok(labelling) = label(&game.digraph, None, &Work::new(little())) else { return };
    let Game { digraph, names, .. } = game;
    let report = Report::new(digraph, names, &labelling);
    let mut out = Vec::new();
    write_dot(&report, &mut out).expect("memory takes all");
    assert_eq!(named(game), named(&again(Format::Dot, &out)));
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
        Err(error) => return check_error(&error, bytes),
    };
    assert!((game.start as usize) < game.graph.len());
    assert_eq!(game.names.len(), game.graph.len());
    same_edges_as_any_json(&game, bytes);
    let written = |names: &Names| {
        serde_json::to_vec(&JsonPartizan::new(&game.graph, names, game.start)).expect("it is text")
    };
    let again = read_partizan(&written(&game.names)).expect("what is written is read");
    assert_eq!((&again.graph, &again.names), (&game.graph, &game.names));
    assert_eq!(again.start, game.start);
}

/// Compares with what another reader of JSON finds in the file.
fn same_edges_as_any_json(game: &PartizanGame, bytes: &[u8]) {
    let json = any_json(bytes);
    let name = |vertex| game.names.name(vertex).into_owned();
    let text = |json: &Json| json.as_str().expect("it is a text").to_owned();
    assert_eq!(text(&json["start"]), name(game.start));
    for (side, field) in Side::BOTH.into_iter().zip(["left", "right"]) {
        let edges = json[field].as_array().into_iter().flatten();
        let edges: BTreeSet<_> = edges.map(|edge| (text(&edge[0]), text(&edge[1]))).collect();
        let read = (0..game.graph.len() as u32).flat_map(|from| {
            let options = game.graph.options(from, side).iter();
            options.map(move |&to| (name(from), name(to)))
        });
        assert_eq!(read.collect::<BTreeSet<_>>(), edges, "{field}");
    }
}
