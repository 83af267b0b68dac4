//! How the work on a large digraph is cut into pieces, and shared among threads.
//!
//! Threads are those of the rayon pool in which a function is called. Answers never depend on how
//! work is cut: the tests compare cuts of all sizes on digraphs that are small enough for it.

use rayon::prelude::*;

use crate::digraph::Node;

/// Sizes of pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    /// How many threads share the work. One does everything itself and starts no other.
    pub(crate) threads: usize,
    /// The nodes of a *lane* are 2 to this power, one after the other: as many as keep their states
    /// in the cache of a processor while it works on them.
    pub(crate) lane_bits: u32,
    /// As many nodes as this tell their predecessors lane by lane, fewer do it one by one.
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
        Self { threads: rayon::current_num_threads(), lane_bits, ..Self::ALONE }
    }

    /// The number of pieces of a list: more than threads, since some of these may be busy elsewhere.
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
