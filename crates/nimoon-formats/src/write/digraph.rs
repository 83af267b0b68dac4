//! Digraphs without labels, in the two formats that are written to be read again.

use std::fmt::Write as _;

use nimoon::{Digraph, Node};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use crate::names::Names;

/// A digraph as JSON: `{"nodes":[…],"gray":[…],"arcs":[[…,…],…]}`.
///
/// ```
/// use nimoon::Digraph;
/// use nimoon_formats::{Names, write::JsonDigraph};
/// let digraph = Digraph::new(2, [1], vec![(0, 1)]).unwrap();
/// let names: Names = ["x", "g"].into_iter().collect();
/// assert_eq!(
///     serde_json::to_string(&JsonDigraph::new(&digraph, &names)).unwrap(),
///     r#"{"nodes":["x","g"],"gray":["g"],"arcs":[["x","g"]]}"#,
/// );
/// ```
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "DigraphJson")]
pub struct JsonDigraph {
    /// The names of the nodes.
    nodes: Vec<String>,
    /// Those that are gray.
    gray: Vec<String>,
    /// The arcs, each from one node to another.
    arcs: Vec<(String, String)>,
}

impl JsonDigraph {
    /// Names the nodes of a digraph.
    pub fn new(digraph: &Digraph, names: &Names) -> Self {
        let name = |node: Node| names.name(node).into_owned();
        Self {
            nodes: digraph.nodes().map(name).collect(),
            gray: digraph.gray_nodes().map(name).collect(),
            arcs: digraph.arcs().map(|(from, to)| (name(from), name(to))).collect(),
        }
    }
}

/// A name cannot be written in a `.game` file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "the name `{name}` has a blank, a `:` or a `#` in it, which .game files cannot have: use JSON"
)]
pub struct UnwritableName {
    /// The name.
    pub name: String,
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A digraph as a `.game` file.
///
/// ```
/// use nimoon::Digraph;
/// use nimoon_formats::{Names, write::game};
/// let digraph = Digraph::new(2, [1], vec![(0, 1), (0, 0)]).unwrap();
/// let names: Names = ["x", "g"].into_iter().collect();
/// assert_eq!(game(&digraph, &names).unwrap(), "gray g\nx: g x\ng:\n");
/// ```
///
/// # Errors
/// When a name cannot be written.
pub fn game(digraph: &Digraph, names: &Names) -> Result<String, UnwritableName> {
    for node in digraph.nodes() {
        let name = names.name(node);
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c == ':' || c == '#') {
            return Err(UnwritableName { name: name.into_owned() });
        }
    }
    let list = |nodes: &mut dyn Iterator<Item = Node>| {
        nodes.fold(String::new(), |mut text, node| {
            text.push(' ');
            text.push_str(&names.name(node));
            text
        })
    };
    let mut text = String::new();
    // A name that begins like a mark of byte order would be taken for one at the start of a file.
    if !digraph.has_gray() && !names.is_empty() && names.name(0).starts_with(BYTE_ORDER_MARK) {
        text.push(BYTE_ORDER_MARK);
    }
    if digraph.has_gray() {
        let _ = writeln!(text, "gray{}", list(&mut digraph.gray_nodes()));
    }
    for node in digraph.nodes() {
        let options = list(&mut digraph.options(node).iter().copied());
        let _ = writeln!(text, "{}:{options}", names.name(node));
    }
    Ok(text)
}
