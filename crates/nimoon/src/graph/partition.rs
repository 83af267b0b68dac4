//! How the work on a large digraph is cut into pieces, and shared among threads.
//!
//! Digraphs of at least 2¹⁷ nodes or arcs are built and labelled by the threads of the rayon pool
//! in which the function is called. With one thread nothing is handed to the pool. rayon is a
//! dependency of the core for three reasons: pieces differ in work, and idle threads take over what
//! others have not begun; a level has up to hundreds of rounds, so threads must exist and not be
//! started for each; and a front end sets the number of threads by its pool, without an argument on
//! the way. All of it is safe code: a node is owned by one thread at a time, as a part of a list
//! that was split.
//!
//! Answers never depend on how work is cut. The tests compare cuts of all sizes on digraphs that
//! are small enough for it.
//!
//! | stage | how it is shared | why the result is the same |
//! |---|---|---|
//! | rows | ranges of arcs are sorted into heaps of neighbouring sources, each range for itself; then ranges of heaps into rows | a row takes its entries from the ranges in order |
//! | repetitions | with the rows, which are in the cache just then | the first of equal entries stays; gaps are closed afterwards |
//! | acyclic digraphs | depth-first walks from different nodes; a walk passes over what another has settled | value and height are functions of the node, and written in one piece |
//! | levels | by lanes, round by round | a round finds the same nodes in any order, and they are sorted |
//! | exits | ranges of nodes; different sets are numbered afterwards, as they are first met | by range and then within it is by node |

use rayon::prelude::*;

use crate::limits::threads;

use crate::graph::digraph::Node;

/// Sizes of pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// How many threads share the work. One does everything itself and starts no other.
    pub(crate) threads: usize,
    /// The nodes of a *lane* are 2 to this power, one after the other: as many as keep their states
    /// in the cache of a processor while it works on them.
    pub(crate) lane_bits: u32,
    /// From this number of nodes on, messages to predecessors go lane by lane; fewer go one by one.
    pub(crate) bulk: usize,
}

impl Cut {
    /// For what is not worth sharing.
    pub(crate) const ALONE: Self = Self { threads: 1, lane_bits: 16, bulk: 8192 };

    /// For a digraph with this many nodes and arcs.
    pub(crate) fn of(nodes: usize, arcs: usize) -> Self {
        /// Smaller digraphs are done before other threads have begun.
        const SMALL: usize = 1 << 17;
        /// More lanes than this are too many places to write to at a time.
        const LANES: usize = 512;
        if nodes.max(arcs) < SMALL {
            return Self::ALONE;
        }
        let bits = usize::BITS - (nodes / LANES).leading_zeros();
        let lane_bits = bits.max(Self::ALONE.lane_bits);
        Self { threads: threads::count(), lane_bits, ..Self::ALONE }
    }

    /// The number of pieces of a list: more than threads, since some of these may be busy
    /// elsewhere.
    pub(crate) fn pieces(self) -> usize {
        if self.threads == 1 { 1 } else { 4 * self.threads }
    }

    /// Cuts `0..len` into ranges of nearly equal length, in order.
    pub(crate) fn ranges(self, len: usize) -> Vec<std::ops::Range<usize>> {
        let pieces = self.pieces().min(len).max(1);
        (0..pieces).map(|i| len * i / pieces..len * (i + 1) / pieces).collect()
    }

    /// What `of` gives for the nodes `0..len`, in order.
    pub(crate) fn map<R: Send>(self, len: usize, of: impl Fn(Node) -> R + Sync + Send) -> Vec<R> {
        let nodes = 0..len as Node;
        if self.threads == 1 {
            nodes.map(of).collect()
        } else {
            nodes.into_par_iter().map(of).collect()
        }
    }

    /// Does all tasks, each by one thread, and returns what they give in the order of the tasks.
    pub(crate) fn each<T: Send, R: Send>(
        self,
        tasks: Vec<T>,
        work: impl Fn(T) -> R + Sync + Send,
    ) -> Vec<R> {
        if self.threads == 1 {
            tasks.into_iter().map(work).collect()
        } else {
            tasks.into_par_iter().with_max_len(1).map(work).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_everything_in_order() {
        for threads in [1, 2, 3] {
            for len in [0, 1, 5, 8, 100] {
                let cut = Cut { threads, ..Cut::ALONE };
                let covered: Vec<usize> = cut.ranges(len).into_iter().flatten().collect();
                assert_eq!(covered, (0..len).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_small_digraph_is_not_shared() {
        assert_eq!(Cut::of(1000, 4000).threads, 1);
    }
}
