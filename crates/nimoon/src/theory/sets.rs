//! Finite sets of nimbers for very many nodes: found 64 nimbers at a time, stored once each.

use rustc_hash::FxHashMap;

use crate::digraph::{Node, Rows};
use crate::nimbers::Nimbers;
use crate::theory::levels::Levels;

/// One finite set of nimbers per node; equal sets are stored once.
pub(crate) struct NodeSets {
    set_of: Vec<u32>,
    sets: Vec<Nimbers>,
}

impl NodeSets {
    /// For each node without a nimber: the nimbers from which a row of `direct` leads back to it,
    /// and those of all nodes that carry-on moves from it reach. `again` has the rows of
    /// predecessors by carry-on moves.
    pub(crate) fn reached(levels: &Levels, direct: &Rows, again: Option<&Rows>) -> Self {
        let nimber = |node: Node| levels.nimbers[node as usize];
        let mut set_of = vec![0; levels.nimbers.len()];
        let mut sets = vec![Nimbers::EMPTY];
        let mut places: FxHashMap<(u32, u64), u32> = FxHashMap::default();
        let mut masks = vec![0_u64; levels.nimbers.len()];
        let count = levels.largest.map_or(0, |largest| largest + 1);
        for base in (0..count).step_by(64) {
            for &node in &levels.order {
                // Nimbers below the base wrap around to something large.
                let bit = 1_u64.checked_shl(nimber(node).wrapping_sub(base)).unwrap_or(0);
                if bit != 0 {
                    for &from in direct.row(node) {
                        masks[from as usize] |= bit;
                    }
                }
            }
            if let Some(again) = again {
                spread(&mut masks, again);
            }
            places.clear();
            for ((set, mask), &nimber) in set_of.iter_mut().zip(&mut masks).zip(&levels.nimbers) {
                let mask = std::mem::take(mask);
                if mask == 0 || nimber != Levels::NONE {
                    continue;
                }
                *set = *places.entry((*set, mask)).or_insert_with(|| {
                    let here = (0..64).filter(|bit| mask >> bit & 1 == 1);
                    let here = here.map(|bit| u64::from(base) + bit);
                    sets.push(sets[*set as usize].iter().chain(here).collect());
                    (sets.len() - 1) as u32
                });
            }
        }
        Self { set_of, sets }
    }

    /// The set of a node, as a place in [`Self::sets`].
    pub(crate) fn place(&self, node: Node) -> usize {
        self.set_of[node as usize] as usize
    }

    /// The different sets.
    pub(crate) fn sets(&self) -> &[Nimbers] {
        &self.sets
    }

    /// The set of a node.
    pub(crate) fn get(&self, node: Node) -> &Nimbers {
        &self.sets[self.place(node)]
    }
}

/// Adds to each mask those of the nodes that carry-on moves reach.
fn spread(masks: &mut [u64], again: &Rows) {
    let mut changed: Vec<Node> =
        (0..).zip(&*masks).filter(|(_, mask)| **mask != 0).map(|(node, _)| node).collect();
    while let Some(node) = changed.pop() {
        let mask = masks[node as usize];
        for &from in again.row(node) {
            let before = masks[from as usize];
            if before | mask != before {
                masks[from as usize] |= mask;
                changed.push(from);
            }
        }
    }
}
