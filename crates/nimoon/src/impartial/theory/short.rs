//! Short games: no cycles, no gray nodes (Sprague, Grundy).
//!
//! The value of a node is the mex of the values of its options: the least number that is not among
//! them. A sum has the nim-sum of the values.
//!
//! ## Why it is exact
//! Let x have value m, and put the nim-heap *m beside it. A move in x to a smaller value j is
//! answered in the heap, by *j; a move to a larger value has itself a move to m, by which it is
//! reverted; a move in the heap to *j is answered in x, by the option of value j, which there is as
//! m is the mex. So x + *m is always answered, and play ends: it is P, and x equals *m.
//!
//! ## Cost
//! One depth-first walk, by several threads at the same time. Value and height of a node are one
//! number of 64 bits, stored when all options have theirs; a walk passes over what another one has
//! settled. Two walks that meet an unsettled node both go on, one from the first option and one
//! from the last, and store the same number; the work is at most that of a walk for each thread.
//!
//! If there is a cycle, none of its nodes can be settled, so each walk that enters it goes around
//! and meets its own path: a cycle is found if there is one, and only then. The order of assignment
//! is by heights, and by numbers within a height, whatever the walks were.
//!
//! ## References
//! Sprague1935, Grundy1939; [ACLNSS, Algorithm 1, Thm 1.8, Thm 1.9]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use fixedbitset::FixedBitSet;

use crate::graph::digraph::{Digraph, Node};
use crate::graph::partition::Cut;
use crate::impartial::labelling::{Labelling, LabellingBuilder, unknown};
use crate::impartial::theory::Theory;
use crate::limits::{Interrupted, Work};

/// The value and the height of a node: the length of the longest play from it.
#[derive(Clone, Copy)]
struct Settled {
    value: u32,
    height: u32,
}

/// A node that is not settled. No height is that large.
const UNSETTLED: u64 = u64::MAX;

impl Settled {
    fn code(self) -> u64 {
        u64::from(self.height) << 32 | u64::from(self.value)
    }

    fn of(code: u64) -> Self {
        Self { value: code as u32, height: (code >> 32) as u32 }
    }
}

/// Values and heights of all nodes of an acyclic digraph, whatever their colour.
pub(crate) struct Heights {
    codes: Vec<AtomicU64>,
    /// What kept some nodes from being settled.
    interrupted: Option<Interrupted>,
}

impl Heights {
    /// Settles all nodes, or none if there is a cycle. When it is interrupted, those that were
    /// settled are known, and whether there is a cycle is not.
    pub(crate) fn new(digraph: &Digraph, cut: Cut, work: &Work) -> Option<Self> {
        let codes = cut.map(digraph.len(), |_| AtomicU64::new(UNSETTLED));
        let heights = Self { codes, interrupted: None };
        let (taken, cyclic) = (AtomicUsize::new(0), AtomicBool::new(false));
        let interrupted = Mutex::new(None);
        cut.each((0..cut.threads).collect(), |thread| {
            let open = FixedBitSet::with_capacity(digraph.len());
            let (backwards, path, seen_at) = (thread % 2 == 1, Vec::new(), Vec::new());
            let cyclic = &cyclic;
            let steps = 0;
            let walked = Walker {
                digraph,
                codes: &heights.codes,
                cyclic,
                backwards,
                open,
                path,
                seen_at,
                work,
                steps,
            }
            .walk(&taken);
            if let (Err(error), Ok(mut interrupted)) = (walked, interrupted.lock()) {
                *interrupted = Some(error);
            }
        });
        let interrupted = interrupted.into_inner().unwrap_or(None);
        (!cyclic.into_inner()).then_some(Self { interrupted, ..heights })
    }

    /// What kept some nodes from being settled.
    pub(crate) fn interrupted(&self) -> Option<Interrupted> {
        self.interrupted
    }
}

/// Walks depth first.
struct Walker<'a> {
    digraph: &'a Digraph,
    codes: &'a [AtomicU64],
    /// Whether some walker has found a cycle.
    cyclic: &'a AtomicBool,
    /// Whether to try the last option first: so that two who meet part again.
    backwards: bool,
    /// The nodes on the path, each with the number of its options that were tried.
    path: Vec<(Node, usize)>,
    open: FixedBitSet,
    /// For rows too long for a mask: the last node that had an option of each value.
    seen_at: Vec<Node>,
    work: &'a Work,
    /// How many nodes were entered.
    steps: u32,
}

impl Walker<'_> {
    /// Walks from all nodes that no walk has taken yet, some at a time.
    fn walk(&mut self, taken: &AtomicUsize) -> Result<(), Interrupted> {
        const AT_A_TIME: usize = 1024;
        loop {
            let first = taken.fetch_add(AT_A_TIME, Ordering::Relaxed);
            if first >= self.codes.len() {
                return Ok(());
            }
            for root in first..(first + AT_A_TIME).min(self.codes.len()) {
                if self.code(root as Node) == UNSETTLED {
                    self.walk_from(root as Node)?;
                }
                if self.cyclic.load(Ordering::Relaxed) {
                    return Ok(());
                }
            }
        }
    }

    // What is stored is the whole of what is known of a node, so no order between the memory
    // accesses of threads is needed.
    #[inline]
    fn code(&self, node: Node) -> u64 {
        self.codes[node as usize].load(Ordering::Relaxed)
    }

    fn walk_from(&mut self, root: Node) -> Result<(), Interrupted> {
        self.enter(root)?;
        while let Some(&(node, tried)) = self.path.last() {
            let options = self.digraph.options(node);
            let unsettled = |option: &Node| self.code(*option) == UNSETTLED;
            let next = if self.backwards {
                options.iter().rev().skip(tried).position(unsettled)
            } else {
                options.iter().skip(tried).position(unsettled)
            };
            let Some(skipped) = next else {
                let code = self.settle(node, options).code();
                self.codes[node as usize].store(code, Ordering::Relaxed);
                self.open.remove(node as usize);
                self.path.pop();
                continue;
            };
            let at = tried + skipped;
            let option = options[if self.backwards { options.len() - 1 - at } else { at }];
            if let Some(last) = self.path.last_mut() {
                last.1 = at + 1;
            }
            if self.open.contains(option as usize) {
                self.cyclic.store(true, Ordering::Relaxed);
            } else {
                self.enter(option)?;
            }
            if self.cyclic.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
        Ok(())
    }

    fn enter(&mut self, node: Node) -> Result<(), Interrupted> {
        /// This many nodes are settled in some hundred microseconds.
        const UNWATCHED: u32 = 1 << 12;
        if self.steps.is_multiple_of(UNWATCHED) {
            self.work.check()?;
        }
        self.steps = self.steps.wrapping_add(1);
        self.open.insert(node as usize);
        self.path.push((node, 0));
        Ok(())
    }

    /// The value and height of a node whose options are settled.
    fn settle(&mut self, node: Node, options: &[Node]) -> Settled {
        // The mex is at most the number of options.
        let (mut mask, mut height) = (0_u64, 0);
        for &option in options {
            let option = Settled::of(self.code(option));
            mask |= 1_u64.checked_shl(option.value).unwrap_or(0);
            height = height.max(option.height + 1);
        }
        if options.len() < 64 {
            return Settled { value: mask.trailing_ones(), height };
        }
        if self.seen_at.len() < options.len() + 1 {
            self.seen_at.resize(options.len() + 1, Node::MAX);
        }
        for &option in options {
            let value = Settled::of(self.code(option)).value;
            if let Some(seen) = self.seen_at.get_mut(value as usize) {
                *seen = node;
            }
        }
        let mex = (0..).zip(&self.seen_at).find(|&(_, &at)| at != node);
        Settled { value: mex.map_or(0, |(n, _)| n), height }
    }
}

/// Labels an acyclic digraph without gray nodes.
///
/// The order is by heights and, within a height, by numbers, so that options come first.
pub(crate) fn label(digraph: &Digraph, heights: &Heights, cut: Cut) -> Labelling {
    let at = |code: &AtomicU64| Settled::of(code.load(Ordering::Relaxed));
    if let Some(interrupted) = heights.interrupted {
        return as_far_as_known(digraph, heights, Theory::Short, interrupted);
    }
    let settled = || heights.codes.iter().map(at);
    let values = cut.map(digraph.len(), |node| at(&heights.codes[node as usize]).value);
    let mut starts: Vec<u32> = Vec::new();
    for Settled { height, .. } in settled() {
        if starts.len() < height as usize + 2 {
            starts.resize(height as usize + 2, 0);
        }
        starts[height as usize + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    let mut order = vec![0; digraph.len()];
    for (node, Settled { height, .. }) in (0..).zip(settled()) {
        let place = &mut starts[height as usize];
        order[*place as usize] = node;
        *place += 1;
    }
    let work = digraph.arc_count() as u64;
    LabellingBuilder::from_codes(values).finish(Theory::Short, order, work)
}

/// The nodes that were settled before the walk was interrupted. Below them there is no cycle, so
/// that they have these values in the cyclic theory too.
pub(crate) fn as_far_as_known(
    digraph: &Digraph,
    heights: &Heights,
    theory: Theory,
    interrupted: Interrupted,
) -> Labelling {
    let mut builder = LabellingBuilder::new(digraph);
    let rest = builder.place(unknown(false, 0));
    let mut order = Vec::new();
    for (node, code) in digraph.nodes().zip(&heights.codes) {
        match code.load(Ordering::Relaxed) {
            UNSETTLED => builder.set_place(node, rest),
            code => {
                let Settled { value, height } = Settled::of(code);
                builder.set_nimber(node, value);
                order.push((height, node));
            }
        }
    }
    order.sort_unstable();
    let order = order.into_iter().map(|(_, node)| node).collect();
    builder.finish_interrupted(theory, order, 0, interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label;

    #[test]
    fn a_nim_heap_of_a_hundred_has_every_value_to_a_hundred() {
        let arcs = (0..=100).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let heap = Digraph::new(101, [], arcs).unwrap();
        let labelling = label(&heap, None, &Work::default()).unwrap();
        assert_eq!(labelling.theory(), Theory::Short);
        for n in 0..=100 {
            assert_eq!(labelling.nimber(n), Some(u64::from(n)));
        }
    }
}
