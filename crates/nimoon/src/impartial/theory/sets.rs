//! Finite sets of nimbers for very many nodes: found 64 nimbers at a time, stored once each.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::graph::digraph::{Node, Rows};
use crate::graph::partition::Cut;
use crate::impartial::nimbers::Nimbers;
use crate::impartial::theory::levels::Levels;

/// One finite set of nimbers per node; equal sets are stored once.
pub(crate) struct NodeSets {
    set_of: Vec<u32>,
    sets: Vec<Nimbers>,
}

impl NodeSets {
    /// For each node without a nimber: the nimbers among the entries of its row.
    pub(crate) fn among(levels: &Levels, options: &Rows, cut: Cut) -> Self {
        Self::new(levels, cut, |base, masks| {
            fill(masks, cut, |node| {
                if levels.nimbers[node as usize] != Levels::NONE {
                    return 0;
                }
                let nimbers = options.row(node).iter().map(|&to| levels.nimbers[to as usize]);
                nimbers.fold(0, |mask, nimber| mask | bit(nimber, base))
            });
        })
    }

    /// For each node without a nimber: the nimbers from which a row of `direct` leads back to it,
    /// and those of all nodes without a nimber that carry-on moves from it reach. `again` has the
    /// rows of predecessors by carry-on moves.
    ///
    /// Carry-on moves from a node with a nimber lead to the same nimber, so nothing is missed by
    /// not following them.
    pub(crate) fn reached(levels: &Levels, direct: &Rows, again: Option<&Rows>, cut: Cut) -> Self {
        let nimber = |node: Node| levels.nimbers[node as usize];
        Self::new(levels, cut, |base, masks| {
            // The order is by values first.
            for same in levels.order.chunk_by(|&a, &b| nimber(a) == nimber(b)) {
                let bit = bit(nimber(same[0]), base);
                if bit != 0 {
                    direct.gather(same, |row| {
                        for &from in row {
                            masks[from as usize] |= bit;
                        }
                    });
                }
            }
            if let Some(again) = again {
                spread(masks, again, &levels.nimbers);
            }
        })
    }

    /// The sets whose parts from `base` to `base` + 63 are found by `find`.
    fn new(levels: &Levels, cut: Cut, find: impl Fn(u32, &mut Vec<u64>)) -> Self {
        let len = levels.nimbers.len();
        let mut all = Self { set_of: vec![0; len], sets: vec![Nimbers::EMPTY] };
        let mut masks = vec![0_u64; len];
        let count = levels.largest.map_or(0, |largest| largest + 1);
        for base in (0..count).step_by(64) {
            find(base, &mut masks);
            all.add(base, &masks, &levels.nimbers, cut);
            if base + 64 < count {
                masks.fill(0);
            }
        }
        all
    }

    /// Adds the elements from `base` on to the set of each node without a nimber.
    ///
    /// Sets are numbered as they are met first, so the numbers do not depend on the cut.
    fn add(&mut self, base: u32, masks: &[u64], nimbers: &[u32], cut: Cut) {
        let ranges = cut.ranges(masks.len());
        let mut pieces = Vec::new();
        let mut rest = &mut self.set_of[..];
        for range in ranges {
            let (piece, after) = rest.split_at_mut(range.len());
            rest = after;
            pieces.push((piece, &masks[range.clone()], &nimbers[range]));
        }
        let found = cut.each(pieces, |(set_of, masks, nimbers)| {
            let found = number(set_of, masks, nimbers);
            (set_of, found)
        });
        let mut places: FxHashMap<(u32, u64), u32> = FxHashMap::default();
        let renumbered = found.into_iter().map(|(set_of, found)| {
            let place = |(set, mask): (u32, u64)| {
                if mask == 0 {
                    return set;
                }
                *places.entry((set, mask)).or_insert_with(|| {
                    let here = (0..64).filter(|bit| mask >> bit & 1 == 1);
                    let here = here.map(|bit| u64::from(base) + bit);
                    self.sets.push(self.sets[set as usize].iter().chain(here).collect());
                    (self.sets.len() - 1) as u32
                })
            };
            (set_of, found.into_iter().map(place).collect())
        });
        let renumbered: Vec<(&mut [u32], Vec<u32>)> = renumbered.collect();
        cut.each(renumbered, |(set_of, places)| {
            for set in set_of {
                *set = places[*set as usize];
            }
        });
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

/// The bit of a nimber from `base` on; those below wrap around to something large.
#[inline]
fn bit(nimber: u32, base: u32) -> u64 {
    1_u64.checked_shl(nimber.wrapping_sub(base)).unwrap_or(0)
}

/// Finds the mask of each node for itself.
fn fill(masks: &mut [u64], cut: Cut, mask: impl Fn(Node) -> u64 + Sync + Send) {
    let mut pieces = Vec::new();
    let ranges = cut.ranges(masks.len());
    let mut rest = masks;
    for range in ranges {
        let (piece, after) = rest.split_at_mut(range.len());
        rest = after;
        pieces.push((range, piece));
    }
    cut.each(pieces, |(range, piece): (Range<usize>, &mut [u64])| {
        for (node, place) in range.zip(piece) {
            *place = mask(node as Node);
        }
    });
}

/// Numbers the different pairs of a set and a mask as they are met: each node gets the number of
/// its pair in place of its set.
fn number(set_of: &mut [u32], masks: &[u64], nimbers: &[u32]) -> Vec<(u32, u64)> {
    const NOTHING: (u32, u64) = (0, 0);
    let mut numbers: FxHashMap<(u32, u64), u32> = FxHashMap::default();
    // Most nodes have a nimber or nothing new, and neighbours are often alike.
    let mut found = vec![NOTHING];
    let mut last = (NOTHING, 0);
    for ((set, &mask), &nimber) in set_of.iter_mut().zip(masks).zip(nimbers) {
        let pair = (*set, if nimber == Levels::NONE { mask } else { 0 });
        if pair == NOTHING {
            continue;
        }
        *set = if pair == last.0 {
            last.1
        } else {
            *numbers.entry(pair).or_insert_with(|| {
                found.push(pair);
                (found.len() - 1) as u32
            })
        };
        last = (pair, *set);
    }
    found
}

/// Adds to each mask those of the nodes that carry-on moves reach, among nodes without a nimber.
fn spread(masks: &mut [u64], again: &Rows, nimbers: &[u32]) {
    let starts = (0..).zip(&*masks).zip(nimbers);
    let starts = starts.filter(|((_, mask), nimber)| **mask != 0 && **nimber == Levels::NONE);
    let mut changed: Vec<Node> = starts.map(|((node, _), _)| node).collect();
    while let Some(node) = changed.pop() {
        let mask = masks[node as usize];
        for &from in again.row(node) {
            let before = masks[from as usize];
            if before | mask != before && nimbers[from as usize] == Levels::NONE {
                masks[from as usize] |= mask;
                changed.push(from);
            }
        }
    }
}
