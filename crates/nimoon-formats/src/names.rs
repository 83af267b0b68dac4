//! Names of nodes, kept beside the digraph.

use std::borrow::Cow;

use nimoon::Node;
use rustc_hash::FxHashMap;

/// The names of the nodes of a digraph, all different, in the order of the nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    names: Vec<String>,
    nodes: FxHashMap<String, Node>,
}

impl Names {
    /// The number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The name of a node.
    pub fn name(&self, node: Node) -> Cow<'_, str> {
        Cow::Borrowed(&self.names[node as usize])
    }

    /// The node with this name.
    pub fn node(&self, name: &str) -> Option<Node> {
        self.nodes.get(name).copied()
    }

    /// The node with this name, which gets the next number if the name is new.
    pub fn intern(&mut self, name: &str) -> Node {
        if let Some(node) = self.node(name) {
            return node;
        }
        let node = self.names.len() as Node;
        self.names.push(name.to_owned());
        self.nodes.insert(name.to_owned(), node);
        node
    }
}

impl<S: AsRef<str>> FromIterator<S> for Names {
    /// Equal names are taken as one.
    fn from_iter<I: IntoIterator<Item = S>>(iter: I) -> Self {
        let mut names = Self::default();
        for name in iter {
            names.intern(name.as_ref());
        }
        names
    }
}
