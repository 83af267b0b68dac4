//! A small digraph of each value.
//!
//! A state becomes a white node with a loop, moves to the nim-heaps at which the mover can hand
//! over, and a move to a gray node for each action, on which the opponent chooses. A loop makes
//! sure that the node has no number, and adds nothing: handing over at a node without a number wins
//! nothing (Theorem 2). Then arcs are taken away one by one, as long as the value stays the same;
//! what is left is small, but not always smallest.

use crate::graph::digraph::Node;
use crate::impartial::control::drawing::Drawing;
use crate::impartial::control::layers::Layers;
use crate::impartial::control::value::{Control, Member};
use crate::impartial::control::{Place, values};
use crate::impartial::representative::Representative;
use crate::limits::{Interrupted, Work};

/// Digraphs with more arcs are left as they are: each arc that may be needless is tried.
const ARCS: usize = 60;

impl Control {
    /// A small digraph with a node of this value.
    ///
    /// ```
    /// use nimoon::{Work, impartial::control::{Control, Layers, values}};
    /// let mut work = Work::default();
    /// let value = Control::read("[0/1, >0]", &mut work).unwrap();
    /// let found = value.representative(&mut work).unwrap();
    /// assert_eq!(found.names, ["*0", "*1", "J", "g"]);
    /// let layers = Layers::of(&found.digraph, &work);
    /// assert_eq!(values(&found.digraph, &layers, &[found.start], &mut work).unwrap(), [value]);
    /// ```
    ///
    /// # Errors
    /// When a limit is hit, such as by a nim-heap that is too large.
    pub fn representative(&self, work: &mut Work) -> Result<Representative, Interrupted> {
        let mut drawing = Drawing::default();
        for members in self.states() {
            for member in members {
                match member {
                    Member::Hand(k) => {
                        drawing.heap(*k, work)?;
                    }
                    Member::Meet(results) => {
                        for &result in results {
                            if let Place::Number(n) = result {
                                drawing.heap(n, work)?;
                            }
                        }
                    }
                }
            }
        }
        let start = match self.start() {
            Place::Number(n) => return drawing.at_heap(n, work),
            Place::State(start) => start as usize,
        };
        let nodes: Vec<Node> = self.states().iter().map(|_| drawing.white("J")).collect();
        for (&node, members) in nodes.iter().zip(self.states()) {
            drawing.arc(node, node);
            for member in members {
                work.count()?;
                match member {
                    Member::Hand(k) => {
                        let heap = drawing.heap(*k, work)?;
                        drawing.arc(node, heap);
                    }
                    Member::Meet(results) => {
                        let gray = drawing.gray("g");
                        drawing.arc(node, gray);
                        for &result in results {
                            let to = match result {
                                Place::Number(n) => drawing.heap(n, work)?,
                                Place::State(state) => nodes[state as usize],
                            };
                            drawing.arc(gray, to);
                        }
                    }
                }
            }
        }
        self.without_needless_arcs(&drawing, nodes[start], work)
    }

    fn without_needless_arcs(
        &self,
        drawing: &Drawing,
        start: Node,
        work: &mut Work,
    ) -> Result<Representative, Interrupted> {
        let mut arcs = drawing.arcs().to_vec();
        let mut tried = if arcs.len() > ARCS { 0 } else { arcs.len() };
        while tried > 0 {
            tried -= 1;
            let mut fewer = arcs.clone();
            fewer.remove(tried);
            let part = drawing.part(start, fewer.clone());
            let layers = Layers::of(&part.digraph, work);
            let found = values(&part.digraph, &layers, &[part.start], work)?;
            if found[0] == *self {
                arcs = fewer;
            }
        }
        Ok(drawing.part(start, arcs))
    }
}
