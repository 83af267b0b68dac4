//! Positions under numbers: a list, and a table that finds a position in it.
//!
//! The table has eight bytes for each place: the number of a position and half of its hash, so that
//! another position is nearly never compared, and nothing is hashed again when the table grows. For
//! positions of eight bytes it takes 18 to 28 bytes a position; an index map took 30 to 44.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::PositionId;

/// Positions, each under the number of its place.
#[derive(Clone, Debug)]
pub(super) struct Numbers<P> {
    positions: Vec<P>,
    /// Numbers below the halves of hashes; as many as a power of two, and at least a quarter of them free.
    table: Vec<u64>,
}

const FREE: u64 = u64::MAX;

/// How many places there are at first.
const FEWEST: usize = 16;

impl<P: Eq + Hash> Numbers<P> {
    pub(super) fn new() -> Self {
        Self { positions: Vec::new(), table: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// The position with this number.
    #[inline]
    pub(super) fn get(&self, number: PositionId) -> &P {
        &self.positions[number as usize]
    }

    /// The number of a position, which is a new one if it was not met so far.
    #[inline]
    pub(super) fn number(&mut self, position: P) -> PositionId {
        if 4 * (self.positions.len() + 1) > 3 * self.table.len() {
            self.grow();
        }
        let hash = hash(&position);
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let entry = self.table[place];
            if entry == FREE {
                let number = self.positions.len() as PositionId;
                self.table[place] = u64::from(hash) << 32 | u64::from(number);
                self.positions.push(position);
                return number;
            }
            if (entry >> 32) as u32 == hash && self.positions[entry as u32 as usize] == position {
                return entry as u32;
            }
            place = (place + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let len = (2 * self.table.len()).max(FEWEST);
        let mut table = vec![FREE; len];
        for &entry in self.table.iter().filter(|&&entry| entry != FREE) {
            let mut place = (entry >> 32) as usize & (len - 1);
            while table[place] != FREE {
                place = (place + 1) & (len - 1);
            }
            table[place] = entry;
        }
        self.table = table;
    }
}

/// Half of a hash.
#[inline]
fn hash(position: &impl Hash) -> u32 {
    let mut hasher = FxHasher::default();
    position.hash(&mut hasher);
    let hash = hasher.finish();
    (hash ^ hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_positions_have_one_number_and_others_have_others() {
        let mut numbers = Numbers::new();
        let mut known = std::collections::HashMap::new();
        let mut state = 1_u64;
        for _ in 0..50_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            let position = (state >> 50, vec![(state >> 33) % 5]);
            let next = known.len() as PositionId;
            let expected = *known.entry(position.clone()).or_insert(next);
            assert_eq!(numbers.number(position.clone()), expected);
            assert_eq!(*numbers.get(expected), position);
        }
        assert_eq!(numbers.len(), known.len());
    }

    #[test]
    fn places_are_well_spread_for_rows_and_for_pairs() {
        // The number of entries that stand where their hash says.
        fn at_home<P: Eq + Hash>(positions: impl Iterator<Item = P>) -> f64 {
            let mut numbers = Numbers::new();
            positions.for_each(|position| {
                numbers.number(position);
            });
            let mask = numbers.table.len() - 1;
            let home = |&(place, &entry): &(usize, &u64)| (entry >> 32) as usize & mask == place;
            let entries = numbers.table.iter().enumerate().filter(|(_, entry)| **entry != FREE);
            entries.filter(home).count() as f64 / numbers.len() as f64
        }
        let pairs = (0..400_u64).flat_map(|a| (a..400).map(move |b| (a, b)));
        assert!(at_home(0..100_000_u64) > 0.5);
        assert!(at_home(pairs) > 0.5);
        assert!(at_home((0..100_000_u64).map(|n| vec![n % 7, n / 7])) > 0.5);
    }
}
