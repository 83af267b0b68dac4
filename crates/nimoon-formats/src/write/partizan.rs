//! Partizan graphs as text: JSON to be read again, tables for people, DOT for Graphviz.

use std::io::{self, BufWriter, Write};

use nimoon::{
    partizan::{Graph, Vertex},
    player::Player,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::dot::{Id, LabelText};
use super::table::write_row;
use super::terminal::{cell_width, visible, width};
use crate::names::Names;
use crate::read::partizan::PartizanGame;

/// Left edges and Right edges in pictures, where dashes distinguish them without colour.
pub(super) const LEFT_COLOUR: &str = "#1f4fbf";
pub(super) const RIGHT_COLOUR: &str = "#c62828";

/// The names `a`, `b`, …, `z`, `aa`, `ab`, … of vertices that have none, which cannot be mistaken
/// for numbers that games equal.
///
/// ```
/// use nimoon_formats::write::lettered;
/// let names = lettered(28);
/// assert_eq!([names.name(0), names.name(25), names.name(27)], ["a", "z", "ab"]);
/// ```
pub fn lettered(len: usize) -> Names {
    let name = |mut number: usize| {
        let mut letters = Vec::new();
        loop {
            letters.push(char::from(b'a' + (number % 26) as u8));
            match number / 26 {
                0 => return letters.into_iter().rev().collect::<String>(),
                rest => number = rest - 1,
            }
        }
    };
    (0..len).map(name).collect()
}

/// A partizan graph as JSON: `{"nodes":[…],"left":[[…,…],…],"right":[…],"start":…}`.
///
/// ```
/// use nimoon::partizan::Graph;
/// use nimoon_formats::write::{JsonPartizan, lettered};
/// // over = {0|over}
/// let over = Graph::new(2, [(0, 1)], [(0, 0)]).unwrap();
/// assert_eq!(
///     serde_json::to_string(&JsonPartizan::new(&over, &lettered(2), 0)).unwrap(),
///     r#"{"nodes":["a","b"],"left":[["a","b"]],"right":[["a","a"]],"start":"a"}"#,
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Graph")]
pub struct JsonPartizan {
    /// The names of the vertices.
    nodes: Vec<String>,
    /// The Left edges, each from one vertex to another.
    left: Vec<(String, String)>,
    /// The Right edges.
    right: Vec<(String, String)>,
    /// The vertex at which play begins.
    start: String,
}

impl JsonPartizan {
    /// Names the vertices of a graph.
    pub fn new(graph: &Graph, names: &Names, start: Vertex) -> Self {
        let name = |vertex: Vertex| names.name(vertex).into_owned();
        let edges = |player| graph.edges(player).map(|(from, to)| (name(from), name(to))).collect();
        Self {
            nodes: (0..graph.len() as Vertex).map(name).collect(),
            left: edges(Player::Left),
            right: edges(Player::Right),
            start: name(start),
        }
    }
}

/// A partizan graph, ready to be written.
#[derive(Clone, Copy, Debug)]
pub struct PartizanReport<'a> {
    /// The graph, the names of its vertices, and its start.
    pub game: &'a PartizanGame,
    /// What each vertex is worth, if values were requested.
    pub values: Option<&'a [String]>,
}

impl PartizanReport<'_> {
    pub(super) fn vertices(&self) -> std::ops::Range<Vertex> {
        0..self.game.graph.len() as Vertex
    }

    pub(super) fn value(&self, vertex: Vertex) -> Option<&str> {
        Some(self.values?.get(vertex as usize)?.as_str())
    }

    /// Writes a table: each vertex with the options of Left and Right and what it is worth, the
    /// start with an arrow.
    ///
    /// ```
    /// use nimoon_formats::read::partizan::read;
    /// use nimoon_formats::write::PartizanReport;
    /// let over = br#"{"left":[["over","0"]],"right":[["over","over"]],"start":"over"}"#;
    /// let game = read(over).unwrap();
    /// let mut out = Vec::new();
    /// PartizanReport { game: &game, values: None }.write_table(&mut out).unwrap();
    /// let table = String::from_utf8(out).unwrap();
    /// assert!(table.ends_with("→ over    0     over\n  0       -     -\n"));
    /// ```
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_table(&self, out: &mut impl Write) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let mut header = vec!["  vertex".to_owned(), "Left".to_owned(), "Right".to_owned()];
        header.extend(self.values.map(|_| "value".to_owned()));
        let mut widths: Vec<usize> = header.iter().map(|cell| width(cell)).collect();
        for vertex in self.vertices() {
            for (widest, cell) in widths.iter_mut().zip(self.row(vertex)) {
                *widest = (*widest).max(cell_width(&cell));
            }
        }
        write_row(&header, &widths, &mut out)?;
        let mut rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        rules[0] = format!("  {}", "─".repeat(widths[0] - 2));
        write_row(&rules, &widths, &mut out)?;
        for vertex in self.vertices() {
            write_row(&self.row(vertex), &widths, &mut out)?;
        }
        out.flush()
    }

    fn row(&self, vertex: Vertex) -> Vec<String> {
        let name = |vertex: &Vertex| visible(&self.game.names.name(*vertex)).into_owned();
        let options = |player| {
            let options = self.game.graph.options(vertex, player);
            let names: Vec<String> = options.iter().map(name).collect();
            if names.is_empty() { "-".to_owned() } else { names.join(", ") }
        };
        let mark = if vertex == self.game.start { "→" } else { " " };
        let mut row = vec![
            format!("{mark} {}", name(&vertex)),
            options(Player::Left),
            options(Player::Right),
        ];
        row.extend(self.value(vertex).map(|value| visible(value).into_owned()));
        row
    }

    /// Writes the graph in DOT: Left edges blue, Right edges red and dashed, the start with two
    /// borders.
    ///
    /// ```
    /// use nimoon_formats::read::partizan::read;
    /// use nimoon_formats::write::PartizanReport;
    /// let game = read(br#"{"left":[["a","b"]],"right":[],"start":"a"}"#).unwrap();
    /// let mut out = Vec::new();
    /// PartizanReport { game: &game, values: None }.write_dot(&mut out).unwrap();
    /// let text = String::from_utf8(out).unwrap();
    /// assert!(text.contains(r#""a" [label="a", peripheries=2];"#));
    /// ```
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_dot(&self, out: &mut impl Write) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let name = |vertex: Vertex| self.game.names.name(vertex);
        writeln!(out, "digraph {{")?;
        writeln!(out, "  // Left edges are solid, Right edges are dashed.")?;
        writeln!(out, "  node [shape=ellipse];")?;
        for vertex in self.vertices() {
            let own = name(vertex);
            write!(out, "  {} [label=\"{}", Id(&own), LabelText(&own))?;
            if let Some(value) = self.value(vertex) {
                write!(out, "\\n{}", LabelText(value))?;
            }
            write!(out, "\"")?;
            if vertex == self.game.start {
                write!(out, ", peripheries=2")?;
            }
            writeln!(out, "];")?;
        }
        for player in Player::BOTH {
            let style = match player {
                Player::Left => format!("color=\"{LEFT_COLOUR}\""),
                Player::Right => format!("color=\"{RIGHT_COLOUR}\", style=dashed"),
            };
            writeln!(out, "  edge [{style}];")?;
            for (from, to) in self.game.graph.edges(player) {
                writeln!(out, "  {} -> {};", Id(&name(from)), Id(&name(to)))?;
            }
        }
        writeln!(out, "}}")?;
        out.flush()
    }
}
