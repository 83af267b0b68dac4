//! Green-Lime Hackenbush: cut an edge of a drawing, or swap two colours.
//!
//! Edges are green or lime, and each is connected to the ground. A move is one of
//!
//! - *remove* an edge; what is no longer connected to the ground falls. A player who removes a green edge
//!   such that some lime edge falls must move again.
//! - *toggle*: a green and a lime edge that share a vertex swap their colours. The ground is not
//!   such a vertex, else parts that meet only there would not be independent.
//!
//! ```text
//!     2   3
//!    l \ / l
//!       1         green-lime:0-1g,1-2l,1-3l
//!       | g
//!  ═════0═════
//! ```
//!
//! Here removing 0-1 makes both lime edges fall, and the mover moves again. Toggles can be undone,
//! so play may never end. Where all edges have one colour there are neither toggles nor carry-on
//! moves, and the game is Green Hackenbush.
//!
//! ## References
//! [ACLNSS, §3].

use std::fmt;
use std::rc::Rc;

use nimoon::impartial::value::EntailingValue;
use nimoon::{
    notation::NotationError,
    ruleset::{Fault, Interned, Move, Notation, Ruleset, Shortcuts},
};

use super::canonical;
use super::drawing::draw;
use super::edges::{Graph, fall_in_words, need_ground, read_edges, read_ends, remaining, select};
use super::green_hackenbush::value_of_one_color;
use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;

/// The colour of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// Removing it is a carry-on move if a lime edge falls.
    Green,
    /// Removing it passes the turn.
    Lime,
}

impl Color {
    fn letter(self) -> char {
        match self {
            Self::Green => 'g',
            Self::Lime => 'l',
        }
    }

    fn read(scanner: &mut Scanner<'_>) -> Result<Self, NotationError> {
        if scanner.take('g') {
            Ok(Self::Green)
        } else if scanner.take('l') {
            Ok(Self::Lime)
        } else {
            Err(scanner.expected("a colour, `g` or `l`"))
        }
    }
}

/// An edge of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Its vertices, the smaller one first; 0 is the ground.
    pub ends: [u32; 2],
    /// Its colour.
    pub color: Color,
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ends[0], self.ends[1])
    }
}

/// Remove an edge, or swap the colours of two edges that share a vertex.
///
/// A position is the sorted list of edges.
#[derive(Clone, Copy, Debug, Default)]
pub struct GreenLime;

#[derive(Clone, Copy, Debug)]
enum Change {
    Remove(usize),
    Toggle(usize, usize),
}

fn graph(edges: &[Edge]) -> Graph<u32> {
    Graph::new(0, edges.iter().map(|edge| edge.ends))
}

/// All changes, removals first, in the order of the edges. They are computed one by one:
/// there can be far more toggles than edges.
fn changes(edges: &[Edge], graph: Rc<Graph<u32>>) -> impl Iterator<Item = Change> {
    let toggles = (0..edges.len()).flat_map(move |one| {
        let vertices = graph.ends(one).into_iter().filter(|&vertex| vertex != 0);
        let touching = vertices.flat_map(|vertex| graph.edges_at(vertex));
        let mut others: Vec<_> = touching
            .map(|&other| other as usize)
            .filter(|&other| other > one && edges[other].color != edges[one].color)
            .collect();
        others.sort_unstable();
        others.dedup();
        others.into_iter().map(move |other| Change::Toggle(one, other))
    });
    (0..edges.len()).map(Change::Remove).chain(toggles)
}

fn change(edges: &[Edge], graph: &Graph<u32>, change: Change) -> Move<Vec<Edge>> {
    match change {
        Change::Remove(edge) => {
            let falling = graph.falling(edge);
            let to = remaining(edges, edge, &falling);
            let lime_falls = falling.iter().any(|&edge| edges[edge].color == Color::Lime);
            if edges[edge].color == Color::Green && lime_falls {
                Move::again(to)
            } else {
                Move::to(to)
            }
        }
        Change::Toggle(one, other) => {
            let mut to = edges.to_vec();
            (to[one].color, to[other].color) = (to[other].color, to[one].color);
            // Parallel edges are sorted by their colours.
            to.sort_unstable();
            Move::to(to)
        }
    }
}

/// Whether the edges are a stalk with its vertices in order, 0-1, 1-2, …
fn is_stalk(edges: &[Edge]) -> bool {
    (0..).zip(edges).all(|(vertex, edge)| edge.ends == [vertex, vertex + 1])
}

/// The options of a stalk, in the order of [`changes`]. All that is above a removed edge falls, so no
/// graph is needed, which takes ten times as long.
fn stalk_options(edges: &[Edge]) -> impl Iterator<Item = Move<Vec<Edge>>> {
    let highest_lime = edges.iter().rposition(|edge| edge.color == Color::Lime);
    let removals = (0..edges.len()).map(move |place| {
        let to = edges[..place].to_vec();
        let again = edges[place].color == Color::Green && highest_lime.is_some_and(|at| at > place);
        if again { Move::again(to) } else { Move::to(to) }
    });
    let toggles = (1..edges.len()).filter_map(|place| {
        let [below, above] = [place - 1, place].map(|place| edges[place].color);
        (below != above).then(|| {
            let mut to = edges.to_vec();
            (to[place - 1].color, to[place].color) = (above, below);
            Move::to(to)
        })
    });
    removals.chain(toggles)
}

impl Ruleset for GreenLime {
    type Position = Vec<Edge>;

    fn name(&self) -> String {
        "green-lime".into()
    }

    fn options(&self, edges: &Vec<Edge>) -> impl Iterator<Item = Move<Vec<Edge>>> {
        let stalk = is_stalk(edges).then(|| stalk_options(edges));
        let general = stalk.is_none().then(|| {
            let graph = Rc::new(graph(edges));
            changes(edges, Rc::clone(&graph)).map(move |next| change(edges, &graph, next))
        });
        stalk.into_iter().flatten().chain(general.into_iter().flatten())
    }

    fn read(&self, text: &str) -> Result<Vec<Edge>, NotationError> {
        if text == "0" {
            return Ok(Vec::new());
        }
        if text.starts_with(['g', 'l']) {
            return Scanner::whole(text, read_stalk);
        }
        let read = Scanner::whole(text, |scanner| {
            read_edges(scanner, |scanner| {
                Ok(Edge { ends: read_ends(scanner)?, color: Color::read(scanner)? })
            })
        })?;
        need_ground(&read, |edge| edge.ends)?;
        let mut edges: Vec<_> = read.into_iter().map(|(_, edge)| edge).collect();
        edges.sort_unstable();
        Ok(edges)
    }

    fn write(&self, edges: &Vec<Edge>) -> String {
        if edges.is_empty() {
            return "0".into();
        }
        let written = edges.iter().map(|edge| format!("{edge}{}", edge.color.letter()));
        written.collect::<Vec<_>>().join(",")
    }

    fn components(&self, edges: Vec<Edge>) -> Vec<Vec<Edge>> {
        graph(&edges).parts().iter().map(|part| select(&edges, part)).collect()
    }

    fn canonical(&self, edges: Vec<Edge>) -> Vec<Edge> {
        let color_of = |number| if number == 0 { Color::Green } else { Color::Lime };
        match canonical::form(&graph(&edges), |edge| edges[edge].color as u8) {
            None => edges,
            Some(form) => form
                .into_iter()
                .map(|(ends, color)| Edge { ends, color: color_of(color) })
                .collect(),
        }
    }
}

impl Notation for GreenLime {
    fn words(&self, edges: &Vec<Edge>, number: usize, _option: &Move<Vec<Edge>>) -> String {
        let graph = Rc::new(graph(edges));
        match changes(edges, Rc::clone(&graph)).nth(number) {
            None => String::new(),
            Some(Change::Remove(edge)) => {
                let color = if edges[edge].color == Color::Green { "green" } else { "lime" };
                let falling = select(edges, &graph.falling(edge));
                format!("remove the {color} edge {}{}", edges[edge], fall_in_words(&falling))
            }
            Some(Change::Toggle(one, other)) => {
                format!("swap the colours of {} and {}", edges[one], edges[other])
            }
        }
    }

    fn board(&self, edges: &Vec<Edge>) -> String {
        let write = |edge: usize| format!("{}{}", edges[edge], edges[edge].color.letter());
        draw(&graph(edges), |edge| edges[edge].color.letter(), write)
    }
}

impl Shortcuts for GreenLime {
    /// A stalk is one part, and its own form.
    fn add_parts(&self, edges: Vec<Edge>, parts: &mut Vec<Vec<Edge>>) -> Result<(), Fault> {
        if is_stalk(&edges) {
            parts.push(edges);
        } else {
            parts.extend(self.try_parts(edges)?);
        }
        Ok(())
    }

    fn size(&self, edges: &Vec<Edge>) -> usize {
        size_of_val(edges.as_slice())
    }

    /// With one colour there is nothing to swap, and no lime edge falls with a green one.
    fn is_short(&self, edges: &Vec<Edge>) -> bool {
        self.theorem(edges).is_some()
    }

    fn theorem(&self, edges: &Vec<Edge>) -> Option<EntailingValue> {
        let one_color = edges.windows(2).all(|pair| pair[0].color == pair[1].color);
        one_color.then(|| EntailingValue::Nimber(value_of_one_color(&graph(edges))))
    }
}

/// Reads a stalk, given by its colours from the ground up.
fn read_stalk(scanner: &mut Scanner<'_>) -> Result<Vec<Edge>, NotationError> {
    let mut edges = Vec::new();
    while scanner.peek().is_some() {
        let vertex = edges.len() as u32;
        edges.push(Edge { ends: [vertex, vertex + 1], color: Color::read(scanner)? });
    }
    Ok(edges)
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "green-lime",
        board: Board::Graph,
        rules: "Edges are green or lime. Remove an edge; what is no longer connected to the ground \
                falls. If you remove a green edge and a lime edge falls, move again. Or swap the \
                colours of a green and a lime edge that share a vertex other than the ground.",
        notation: "green-lime:0-1g,1-2l,… is a list of edges, each with two vertices and its colour, \
                   g or l; a vertex is a number, and 0 is the ground; green-lime:gl is a stalk read \
                   from the ground; 0 alone has no edges",
        example: "green-lime:0-1g,1-2l,1-3l",
        value: "☾₀",
        parameters: Parameters::None,
        source: "ACLNSS, section 3",
        make: Make::Impartial(|_| Ok(Box::new(Interned::new(GreenLime)))),
    }
}

#[cfg(test)]
mod tests;
