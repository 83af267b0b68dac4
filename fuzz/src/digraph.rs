//! Digraphs as bytes: the kind, the number of nodes, and for each node its colour and its options.

use nimoon::{Digraph, Node};
use nimoon_oracle::Board;

use crate::bytes::Bytes;

/// The most options of a node.
const OPTIONS: usize = 5;

/// A digraph as plain lists, for the engine and for the oracle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    pub(crate) gray: Vec<bool>,
    pub(crate) options: Vec<Vec<usize>>,
}

impl Plain {
    /// A digraph with at most `most` nodes.
    pub(crate) fn read(bytes: &mut Bytes<'_>, most: usize) -> Self {
        let kind = bytes.byte();
        let (acyclic, white, carry_on) = (kind & 1 == 1, kind & 2 == 2, kind & 4 == 4);
        let len = 1 + bytes.below(most);
        let mut plain = Self { gray: Vec::new(), options: Vec::new() };
        for node in 0..len {
            let head = bytes.byte();
            let gray = head & 1 == 1 && !white;
            let count = usize::from(head >> 1) % (OPTIONS + 1);
            let mut options: Vec<usize> = (0..count).map(|_| bytes.below(len)).collect();
            if acyclic {
                options.retain(|&to| to < node);
            }
            options.sort_unstable();
            options.dedup();
            if gray && carry_on {
                options.truncate(1);
            }
            plain.gray.push(gray);
            plain.options.push(options);
        }
        plain
    }

    /// The bytes from which [`Self::read`] reads it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0, (self.len() - 1) as u8];
        for (gray, options) in self.gray.iter().zip(&self.options) {
            bytes.push((options.len() as u8) << 1 | u8::from(*gray));
            bytes.extend(options.iter().map(|&to| to as u8));
        }
        bytes
    }

    /// Whether [`Self::bytes`] can represent all of it.
    pub(crate) fn fits(&self, most: usize) -> bool {
        self.len() <= most && self.options.iter().all(|options| options.len() <= OPTIONS)
    }

    pub(crate) fn of(digraph: &Digraph) -> Self {
        let options = |node| digraph.options(node).iter().map(|&to| to as usize).collect();
        Self {
            gray: digraph.nodes().map(|node| digraph.is_gray(node)).collect(),
            options: digraph.nodes().map(options).collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.gray.len()
    }

    pub(crate) fn digraph(&self) -> Digraph {
        let gray = (0..).zip(&self.gray).filter(|(_, gray)| **gray).map(|(node, _)| node);
        let arcs = (0..).zip(&self.options);
        let arcs = arcs.flat_map(|(from, to)| to.iter().map(move |&to| (from, to as Node)));
        Digraph::new(self.len(), gray, arcs.collect()).expect("all ends are nodes")
    }

    pub(crate) fn board(&self) -> Board {
        Board { gray: self.gray.clone(), options: self.options.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_as_bytes_is_read_back() {
        let plain = Plain {
            gray: vec![false, true, false],
            options: vec![vec![], vec![0, 2], vec![0, 1, 2]],
        };
        let bytes = plain.bytes();
        assert_eq!(Plain::read(&mut Bytes::new(&bytes), 6), plain);
    }
}
