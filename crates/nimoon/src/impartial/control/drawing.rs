//! Digraphs made node by node, with nim-heaps and names.

use rustc_hash::FxHashMap;

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::control::context::Context;
use crate::impartial::representative::Representative;
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// A digraph being made.
#[derive(Default)]
pub(crate) struct Drawing {
    names: Vec<String>,
    gray: Vec<Node>,
    arcs: Vec<(Node, Node)>,
    heaps: Vec<Node>,
    /// How many nodes have each name.
    used: FxHashMap<&'static str, usize>,
}

impl Drawing {
    fn node(&mut self, name: String) -> Node {
        self.names.push(name);
        self.names.len() as Node - 1
    }

    /// A white node; its name gets a number if it is not the first one of that name.
    pub(crate) fn white(&mut self, name: &'static str) -> Node {
        let used = self.used.entry(name).or_insert(0);
        let number = if *used == 0 { String::new() } else { used.to_string() };
        *used += 1;
        self.node(format!("{name}{number}"))
    }

    pub(crate) fn gray(&mut self, name: &'static str) -> Node {
        let node = self.white(name);
        self.gray.push(node);
        node
    }

    pub(crate) fn arc(&mut self, from: Node, to: Node) {
        self.arcs.push((from, to));
    }

    /// The node of the nim-heap *n.
    pub(crate) fn heap(&mut self, n: u64, work: &mut Work) -> Result<Node, Interrupted> {
        /// What an arc takes in memory.
        const BYTES: u64 = 24;
        let size = n.saturating_mul(n) / 2;
        work.admit(size)?;
        work.hold(size.saturating_mul(BYTES))?;
        while self.heaps.len() as u64 <= n {
            let node = self.node(format!("*{}", self.heaps.len()));
            self.arcs.extend(self.heaps.iter().map(|&smaller| (node, smaller)));
            self.heaps.push(node);
        }
        Ok(self.heaps[n as usize])
    }

    /// The digraph of a nim-heap alone.
    pub(crate) fn at_heap(
        mut self,
        n: u64,
        work: &mut Work,
    ) -> Result<Representative, Interrupted> {
        let start = self.heap(n, work)?;
        Ok(self.part(start, self.arcs.clone()))
    }

    pub(crate) fn arcs(&self) -> &[(Node, Node)] {
        &self.arcs
    }

    /// The digraph with these of the arcs.
    pub(crate) fn digraph(&self, arcs: Vec<(Node, Node)>) -> Digraph {
        let digraph = Digraph::new(self.names.len(), self.gray.iter().copied(), arcs);
        digraph.unwrap_or_else(|_| unreachable!("all arcs lead to nodes that were made"))
    }

    /// What can be reached from a node by these arcs.
    pub(crate) fn part(&self, start: Node, arcs: Vec<(Node, Node)>) -> Representative {
        let whole = self.digraph(arcs);
        let mut kept = whole.followers(&[start]);
        kept.sort_unstable();
        let place = |node: Node| kept.binary_search(&node).ok().map(|place| place as Node);
        let arcs = whole.arcs().filter_map(|(from, to)| Some((place(from)?, place(to)?)));
        let gray = self.gray.iter().filter_map(|&node| place(node));
        let digraph = Digraph::new(kept.len(), gray, arcs.collect());
        let digraph =
            digraph.unwrap_or_else(|_| unreachable!("all arcs lead to nodes that were kept"));
        let names = kept.iter().map(|&node| self.names[node as usize].clone()).collect();
        let start = place(start).unwrap_or_else(|| unreachable!("a node reaches itself"));
        Representative { digraph, names, start }
    }

    /// A context that starts at a node.
    pub(crate) fn finish(
        self,
        start: Node,
        first: Outcome,
        second: Outcome,
        work: &mut Work,
    ) -> Result<Context, Interrupted> {
        work.count_all(self.arcs.len() as u64)?;
        let Representative { digraph, names, start } = self.part(start, self.arcs.clone());
        Ok(Context { digraph, names, start, first, second })
    }
}
