//! Partizan graphs in JSON.
//!
//! ```json
//! {
//!   "nodes": ["over", "0"],
//!   "left": [["over", "0"]],
//!   "right": [["over", "over"]],
//!   "start": "over"
//! }
//! ```
//!
//! One object with these fields, in any order and each at most once:
//!
//! - `start`: the vertex where play begins. It must be there.
//! - `left` and `right`: lists of edges, each a list of two names, for the moves of Left and Right.
//! - `nodes`: a list of all vertices. Where it is given, a vertex that is not in it is an error;
//!   where it is not, the start must be at some edge, unless there is none.
//!
//! A name is any string. A vertex twice in `nodes` is an error; an edge twice is not. Vertices are
//! numbered in the order of `nodes`, or without that field by first mention.

use std::borrow::Cow;

use nimoon::Work;
use nimoon::partizan::{Graph, Vertex};

use super::error::{Fault, excerpt};
use super::json::{order, renamed};
use super::json_syntax::JsonSyntax;
use super::watch::{NOBODY, Watch};
use super::words::Cursor;
use super::{ReadError, ReadErrorKind, text_of};
use crate::Names;

/// A graph with Left and Right edges, the names of its vertices, and where play begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartizanGame {
    /// The graph.
    pub graph: Graph,
    /// The names of its vertices.
    pub names: Names,
    /// Where play begins.
    pub start: Vertex,
}

/// Reads a partizan graph.
///
/// ```
/// use nimoon::player::Player;
/// use nimoon_formats::read::partizan::read;
/// let over = br#"{"left":[["over","0"]],"right":[["over","over"]],"start":"over"}"#;
/// let game = read(over).unwrap();
/// assert_eq!(game.graph.options(game.start, Player::Left), [1]);
/// assert_eq!(game.names.name(1), "0");
///
/// let error = read(br#"{"left":[["a","b"]]}"#).unwrap_err();
/// assert_eq!((error.line, error.column), (1, 20));
/// assert!(error.to_string().ends_with(r#"add the vertex where play begins, as in "start":"a""#));
/// ```
///
/// # Errors
/// When the bytes are not a partizan graph in JSON. Errors know their place.
pub fn read(bytes: &[u8]) -> Result<PartizanGame, ReadError> {
    read_watched(bytes, NOBODY)
}

/// The same, as far as memory, clock and token allow.
///
/// # Errors
/// As [`read`], and when the work is interrupted.
pub fn read_within(bytes: &[u8], work: &Work) -> Result<PartizanGame, ReadError> {
    read_watched(bytes, Watch { work: Some(work), ..NOBODY })
}

fn read_watched(bytes: &[u8], watch: Watch<'_>) -> Result<PartizanGame, ReadError> {
    let (skipped, text) = text_of(bytes)?;
    let result = if text.trim_ascii().is_empty() {
        let expected = "a graph, as in {\"left\":[[\"a\",\"b\"]],\"right\":[],\"start\":\"a\"}";
        Err(Fault::new(0, ReadErrorKind::NoNodes { expected }))
    } else {
        Reader::new(text, watch).game()
    };
    result.map_err(|Fault { place, kind }| ReadError::new(bytes, skipped + place, kind))
}

struct Reader<'a, 'w> {
    cursor: Cursor<'a>,
    names: Names,
    /// Where each vertex is mentioned first, for an error if `nodes` lacks it.
    mentions: Vec<usize>,
    /// The field `nodes`, when there is one.
    nodes: Option<Vec<Vertex>>,
    /// The edges of Left and of Right.
    edges: [Vec<(Vertex, Vertex)>; 2],
    start: Option<(usize, Vertex)>,
    watch: Watch<'w>,
}

impl<'a> JsonSyntax<'a> for Reader<'a, '_> {
    #[inline]
    fn cursor(&mut self) -> &mut Cursor<'a> {
        &mut self.cursor
    }

    fn look(&self) -> Result<(), Fault> {
        let edges = self.edges.iter().map(Vec::len).sum();
        self.watch.go_on(self.cursor.place, &self.names, edges)
    }
}

impl<'a, 'w> Reader<'a, 'w> {
    fn new(text: &'a str, watch: Watch<'w>) -> Self {
        Self {
            cursor: Cursor::new(text),
            names: Names::for_text_of(text.len()),
            mentions: Vec::new(),
            nodes: None,
            edges: [Vec::new(), Vec::new()],
            start: None,
            watch,
        }
    }

    fn game(mut self) -> Result<PartizanGame, Fault> {
        const FIELDS: [&str; 4] = ["nodes", "left", "right", "start"];
        let expected = "`{`, as in {\"left\":[[\"a\",\"b\"]],\"right\":[],\"start\":\"a\"}";
        self.fields(FIELDS, expected, |reader, index| match index {
            0 => reader.node_list(),
            1 => reader.list("`[` and a list of edges, as in [[\"a\",\"b\"]]", |reader| {
                let edge = reader.edge()?;
                reader.edges[0].push(edge);
                Ok(())
            }),
            2 => reader.list("`[` and a list of edges, as in [[\"a\",\"b\"]]", |reader| {
                let edge = reader.edge()?;
                reader.edges[1].push(edge);
                Ok(())
            }),
            _ => {
                let (place, name) = reader.name()?;
                let vertex = reader.vertex(place, &name)?;
                reader.start = Some((place, vertex));
                Ok(())
            }
        })?;
        let end = self.cursor.place.saturating_sub(1);
        self.end("the end of the file after the graph: a file has one graph")?;
        let edges = self.edges.iter().map(Vec::len).sum();
        self.watch.go_on(end, &self.names, edges)?;
        let no_start = || Fault::new(end, ReadErrorKind::NoStart);
        let (place, start) = self.start.ok_or_else(no_start)?;
        self.check_start(place, start)?;
        self.put_in_order(start)
    }

    /// Without a list of vertices, a start that is at no edge is most likely misspelt.
    fn check_start(&self, place: usize, start: Vertex) -> Result<(), Fault> {
        let mut edges = self.edges.iter().flatten();
        let at_edge = edges.any(|&(from, to)| from == start || to == start);
        if self.nodes.is_some() || at_edge || self.edges.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let name = excerpt(&self.names.name(start));
        Err(Fault::new(place, ReadErrorKind::StartApart { name }))
    }

    /// Numbers the vertices as `nodes` has them, and builds the graph.
    fn put_in_order(self, mut start: Vertex) -> Result<PartizanGame, Fault> {
        let Self { mut names, mentions, nodes, mut edges, .. } = self;
        if let Some(nodes) = nodes {
            match order(names.len(), &nodes, &[]) {
                Ok(None) => {}
                Ok(Some(new_of_old)) => {
                    let new = |old: Vertex| new_of_old[old as usize];
                    names = renamed(&names, &new_of_old);
                    start = new(start);
                    for (from, to) in edges.iter_mut().flatten() {
                        (*from, *to) = (new(*from), new(*to));
                    }
                }
                Err(unlisted) => {
                    let name = excerpt(&names.name(unlisted));
                    let place = mentions.get(unlisted as usize).copied().unwrap_or_default();
                    return Err(Fault::new(place, ReadErrorKind::NotAmongNodes { name }));
                }
            }
        }
        names.shrink_to_fit();
        let [left, right] = edges;
        let graph = Graph::new(names.len(), left, right)
            .map_err(|error| Fault::new(0, ReadErrorKind::TooLarge(error)))?;
        Ok(PartizanGame { graph, names, start })
    }

    fn node_list(&mut self) -> Result<(), Fault> {
        let mut nodes = Vec::new();
        let mut listed = Vec::new();
        self.list("`[` and a list of nodes", |reader| {
            let (place, name) = reader.name()?;
            let vertex = reader.vertex(place, &name)?;
            if vertex as usize >= listed.len() {
                listed.resize(vertex as usize + 1, false);
            }
            if std::mem::replace(&mut listed[vertex as usize], true) {
                let name = excerpt(&name);
                return Err(Fault::new(place, ReadErrorKind::ListedTwice { name, list: "nodes" }));
            }
            nodes.push(vertex);
            Ok(())
        })?;
        self.nodes = Some(nodes);
        Ok(())
    }

    fn edge(&mut self) -> Result<(Vertex, Vertex), Fault> {
        self.cursor.expect(b'[', "`[` and two names: an edge is written [\"a\",\"b\"]")?;
        let from = self.edge_end()?;
        self.cursor.expect(b',', "`,` and a second name: an edge is a list of two names")?;
        let to = self.edge_end()?;
        self.cursor.expect(b']', "`]`: an edge is a list of two names")?;
        Ok((from, to))
    }

    fn edge_end(&mut self) -> Result<Vertex, Fault> {
        let (place, name): (usize, Cow<'_, str>) = self.name()?;
        self.vertex(place, &name)
    }

    fn vertex(&mut self, place: usize, name: &str) -> Result<Vertex, Fault> {
        let full = || Fault::new(place, ReadErrorKind::TooManyNames);
        let vertex = self.names.try_intern(name).ok_or_else(full)?;
        if vertex as usize == self.mentions.len() {
            self.mentions.push(place);
        }
        Ok(vertex)
    }
}

#[cfg(test)]
mod tests {
    use nimoon::player::Player;

    use super::*;

    #[test]
    fn vertices_keep_their_order_wherever_they_are_listed() {
        for text in [
            r#"{"nodes":["z","a","b"],"left":[["a","b"]],"right":[["b","z"]],"start":"a"}"#,
            r#"{"start":"a","right":[["b","z"]],"left":[["a","b"]],"nodes":["z","a","b"]}"#,
        ] {
            let game = read(text.as_bytes()).unwrap();
            assert_eq!(game.names, ["z", "a", "b"].into_iter().collect(), "{text}");
            assert_eq!(game.start, 1, "{text}");
            assert_eq!(game.graph, Graph::new(3, [(1, 2)], [(2, 0)]).unwrap(), "{text}");
        }
    }

    #[test]
    fn without_a_list_vertices_are_numbered_as_they_are_met() {
        let text = r#"{"right":[["b","c"],["b","c"]],"left":[["a","c"]],"start":"a"}"#;
        let game = read(text.as_bytes()).unwrap();
        assert_eq!(game.names, ["b", "c", "a"].into_iter().collect());
        assert_eq!(game.graph.options(0, Player::Right), [1]);
        assert_eq!(game.start, 2);
    }

    #[test]
    fn a_start_alone_is_zero() {
        for text in [r#"{"start":"0"}"#, r#"{"nodes":["x","0"],"left":[["x","x"]],"start":"0"}"#] {
            let game = read(text.as_bytes()).unwrap();
            assert!(Player::BOTH.iter().all(|&p| game.graph.options(game.start, p).is_empty()));
        }
    }
}
