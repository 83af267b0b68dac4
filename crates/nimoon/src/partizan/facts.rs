//! What comparisons have found out: whether Left survives a − b, for each player who may move first.
//!
//! Small numbers have a place in a table of bytes, larger ones are hashed. Most games are made of a few
//! dozen stoppers that are compared over and over, so a fact is mostly found by one load.

use rustc_hash::FxHashMap;

use super::simplify::RAW;
use crate::player::Player;

/// Numbers from this one on are hashed: 2^16 pairs have a place.
const DENSE: u32 = 1 << 8;

/// Facts about pairs of numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Numbers below this power of two have a place.
    side: u32,
    /// Two bits for each player: 0 if nothing is known.
    dense: Vec<u8>,
    hashed: FxHashMap<u64, u8>,
    len: usize,
}

impl Facts {
    /// How many facts there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn clear(&mut self) {
        if self.len > 0 {
            self.dense.fill(0);
            self.hashed = FxHashMap::default();
            self.len = 0;
        }
    }

    fn place(&self, a: u32, b: u32) -> usize {
        a as usize * self.side as usize + b as usize
    }

    #[inline]
    pub(super) fn get(&self, a: u32, b: u32, first: Player) -> Option<bool> {
        let both = if a < self.side && b < self.side {
            self.dense[self.place(a, b)]
        } else if a.max(b) < DENSE || self.hashed.is_empty() {
            0
        } else {
            self.hashed.get(&key(a, b)).copied().unwrap_or(0)
        };
        match both >> (2 * first.index()) & 3 {
            0 => None,
            bits => Some(bits == 2),
        }
    }

    pub(super) fn insert(&mut self, a: u32, b: u32, first: Player, survives: bool) {
        let largest = a.max(b);
        let both = if largest < DENSE {
            if largest >= self.side {
                self.grow(largest);
            }
            let place = self.place(a, b);
            &mut self.dense[place]
        } else {
            self.hashed.entry(key(a, b)).or_insert(0)
        };
        let shift = 2 * first.index();
        let before = *both >> shift & 3;
        self.len += usize::from(before == 0);
        *both = *both & !(3 << shift) | (1 + u8::from(survives)) << shift;
    }

    /// Makes places for numbers up to this one.
    fn grow(&mut self, largest: u32) {
        let side = (largest + 1).next_power_of_two().max(16);
        let mut dense = vec![0; side as usize * side as usize];
        if self.side > 0 {
            let rows = self.dense.chunks(self.side as usize);
            for (row, new) in rows.zip(dense.chunks_mut(side as usize)) {
                new[..row.len()].copy_from_slice(row);
            }
        }
        (self.side, self.dense) = (side, dense);
    }
}

/// The same about numbers of which at least one is marked by [`RAW`].
#[derive(Clone, Debug, Default)]
pub(super) struct RawFacts([Facts; 3]);

impl RawFacts {
    /// Facts with the same marks, and the numbers without them.
    fn unmarked(a: u32, b: u32) -> (usize, u32, u32) {
        let marks = (a & RAW != 0, b & RAW != 0);
        debug_assert!(marks.0 || marks.1);
        let kind = match marks {
            (true, true) => 0,
            (true, false) => 1,
            _ => 2,
        };
        (kind, a & !RAW, b & !RAW)
    }

    /// How many facts there are.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(Facts::len).sum()
    }

    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(Facts::clear);
    }

    pub(super) fn get(&self, a: u32, b: u32, first: Player) -> Option<bool> {
        let (kind, a, b) = Self::unmarked(a, b);
        self.0[kind].get(a, b, first)
    }

    pub(super) fn insert(&mut self, a: u32, b: u32, first: Player, survives: bool) {
        let (kind, a, b) = Self::unmarked(a, b);
        self.0[kind].insert(a, b, first, survives);
    }
}

fn key(a: u32, b: u32) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn facts_are_those_of_a_map() {
        let (mut facts, mut map) = (Facts::default(), HashMap::new());
        let mut state = 1_u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            ((state >> 33) % n) as u32
        };
        for most in [3, 20, 300, 1 << 31] {
            for _ in 0..2000 {
                let (a, b, survives) = (below(most), below(most), below(2) == 1);
                let first = Player::BOTH[below(2) as usize];
                assert_eq!(facts.get(a, b, first), map.get(&(a, b, first)).copied());
                facts.insert(a, b, first, survives);
                map.insert((a, b, first), survives);
                assert_eq!(facts.len(), map.len());
            }
        }
        for (&(a, b, first), &survives) in &map {
            assert_eq!(facts.get(a, b, first), Some(survives));
        }
    }
}
