//! How far work has come.

/// How far work has come, as its callback receives it
/// ([`Work::on_progress`](super::Work::on_progress)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// The clock and the token were checked; nothing more is known.
    Working,
    /// A text is being read.
    Reading {
        /// How many bytes were read.
        read: usize,
        /// How many bytes there are.
        all: usize,
    },
    /// Positions of rulesets are being explored.
    Exploring {
        /// Parts whose options are known.
        expanded: usize,
        /// Parts that were met.
        met: usize,
        /// Options that were found.
        options: usize,
    },
    /// A ruleset searches for a value.
    Searching {
        /// Positions that were visited.
        visited: u64,
        /// Positions that are kept in memory.
        kept: u64,
        /// How much of the memory that the search may take is full, in percent.
        filled: u8,
        /// How many questions were answered before the current one: a value takes several.
        question: u32,
        /// How much of this question is answered, in thousandths: an estimate.
        answered: u16,
    },
    /// A digraph is being labelled under the cyclic or the carry-on theory.
    Labelling {
        /// The level that is being settled: whether nodes have this nimber as value. How many
        /// levels there will be is not known before the last.
        level: u32,
        /// The number of nodes with a nimber so far.
        assigned: usize,
        /// The number of nodes.
        nodes: usize,
        /// How many arcs were visited in this level.
        visited: u64,
        /// How many these can be at most: a node notifies its predecessors once in a level.
        most: u64,
    },
    /// Digraphs are audited.
    Auditing {
        /// Digraphs checked so far.
        digraphs: u64,
        /// Digraphs to check, where that is known beforehand.
        of: Option<u64>,
        /// Digraphs with a wrong comparison so far.
        wrong_digraphs: u64,
    },
    /// The values of heaps are found one after the other.
    Heaps {
        /// How many are known.
        known: usize,
    },
}
