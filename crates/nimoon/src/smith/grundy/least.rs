//! The least H beside a Sprague–Grundy function.
//!
//! With G known, the conditions (23) say that H of a position with G = g is greater than each of
//! - the least H of the followers with G = y, for each y < g (23c);
//! - for each follower, its own H, or one more than the least H of *its* followers with G = g,
//!   whichever is smaller (23e).
//!
//! (23d) holds by (24). So the least H is one more than the largest of these: any function that
//! exceeds all bounds meets the conditions, and the least such function is what the counters find.
//! Each bound depends on smaller values of H, and values are found in increasing order: a position
//! counts its conditions, and gets its H with the last one. The first follower with G = y that gets
//! its H has the least one, so it is enough to visit each pair of a position and a value once,
//! and a position needs a counter and no list.

use rustc_hash::FxHashMap;

use super::INFINITE;
use crate::graph::digraph::{Digraph, Node};
use crate::limits::{Interrupted, Work};

/// The least H of each node, and how many arcs were visited.
pub(super) fn least(
    digraph: &Digraph,
    g: &[u32],
    work: &Work,
) -> Result<(Vec<u32>, u64), Interrupted> {
    let mut pace = work.pace();
    let mut solver = Solver {
        g,
        h: vec![INFINITE; g.len()],
        waits: Vec::with_capacity(g.len()),
        next: Vec::new(),
        after_next: Vec::new(),
    };
    let mut level: Vec<Node> = Vec::new();
    for node in digraph.nodes() {
        let value = g[node as usize];
        let conditions = digraph.options(node).len() as u64 + u64::from(value);
        solver.waits.push(conditions);
        if value != INFINITE && conditions == 0 {
            solver.h[node as usize] = 0;
            level.push(node);
        }
    }
    let mut first: FxHashMap<(Node, u32), u32> = FxHashMap::default();
    let mut height = 0;
    let mut work = 0;
    while !(level.is_empty() && solver.next.is_empty() && solver.after_next.is_empty()) {
        let mut fresh: Vec<(Node, u32)> = Vec::new();
        for &node in &level {
            let value = g[node as usize];
            let row = digraph.predecessors(node);
            work += row.len() as u64;
            for &from in row {
                pace.step()?;
                let key = (from, value);
                if first.contains_key(&key) {
                    continue;
                }
                first.insert(key, height);
                fresh.push(key);
                if g[from as usize] != INFINITE && value < g[from as usize] {
                    solver.meet(from, height, height);
                }
            }
        }
        for &node in &level {
            let row = digraph.predecessors(node);
            work += row.len() as u64;
            for &from in row {
                pace.step()?;
                let target = g[from as usize];
                let met_before =
                    || first.get(&(node, target)).is_some_and(|&before| before < height);
                if target != INFINITE && !met_before() {
                    solver.meet(from, height, height);
                }
            }
        }
        for (node, value) in fresh {
            if solver.h[node as usize] <= height {
                continue;
            }
            let row = digraph.predecessors(node);
            work += row.len() as u64;
            for &from in row {
                pace.step()?;
                if g[from as usize] == value {
                    solver.meet(from, height + 1, height);
                }
            }
        }
        level = std::mem::replace(&mut solver.next, std::mem::take(&mut solver.after_next));
        height += 1;
    }
    Ok((solver.h, work))
}

struct Solver<'a> {
    g: &'a [u32],
    h: Vec<u32>,
    /// The conditions of each node that are not met yet.
    waits: Vec<u64>,
    /// The nodes of the next level, and of the one after it.
    next: Vec<Node>,
    after_next: Vec<Node>,
}

impl Solver<'_> {
    /// One more condition of a node is met, by any H above `above`; conditions are met in this
    /// order.
    fn meet(&mut self, node: Node, above: u32, level: u32) {
        debug_assert!(self.g[node as usize] != INFINITE);
        let waits = &mut self.waits[node as usize];
        *waits -= 1;
        if *waits == 0 {
            self.h[node as usize] = above + 1;
            if above == level { &mut self.next } else { &mut self.after_next }.push(node);
        }
    }
}
