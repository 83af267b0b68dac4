//! In which batches of a ruleset a key may be, told without reading the file.
//!
//! A table in memory has for each entry 20 bits of the checksum of its key and the number of its
//! batch, in four bytes; at most three quarters of it are full, so it takes 6 to 11 bytes an entry,
//! while the entry takes 33 or more in the file. A key that is not in the file is found in the table
//! for one in 100,000, and then looked for in one batch in vain.
//!
//! It is made once a ruleset has been asked for often enough to be worth it: who asks for one
//! position of a large store need not read all its indices.

/// The table of one ruleset.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    /// Entries by the low bits of the checksum, or at the next free place; 0 is free.
    slots: Vec<u32>,
    entries: u64,
}

/// The bits of a slot that tell a batch.
const BATCH: u32 = 12;
/// Batches that are so far apart look the same. There are hardly ever so many.
const APART: u32 = (1 << BATCH) - 1;

impl Directory {
    /// One with room for so many entries.
    pub(crate) fn with_room(entries: u64) -> Self {
        Self { slots: vec![0; slots_for(entries)], entries: 0 }
    }

    /// Whether so many more entries have room.
    pub(crate) fn has_room(&self, more: u64) -> bool {
        slots_for(self.entries + more) <= self.slots.len()
    }

    /// Adds an entry of a batch, for which there is room.
    pub(crate) fn add(&mut self, sum: u64, batch: usize) {
        debug_assert!(self.has_room(1));
        let mut place = self.first(sum);
        while self.slots[place] != 0 {
            place = self.after(place);
        }
        self.slots[place] = slot(sum, batch);
        self.entries += 1;
    }

    /// The batches, of so many, that may have a key with this checksum, newer ones first.
    pub(crate) fn batches(&self, sum: u64, count: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut place = self.first(sum);
        while self.slots[place] != 0 {
            let slot = self.slots[place];
            if slot >> BATCH == mark(sum) {
                let number = (slot & APART) as usize - 1;
                found.extend((number..count).step_by(APART as usize));
            }
            place = self.after(place);
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        found
    }

    fn first(&self, sum: u64) -> usize {
        sum as usize & (self.slots.len() - 1)
    }

    fn after(&self, place: usize) -> usize {
        (place + 1) & (self.slots.len() - 1)
    }
}

/// A power of two, so that a quarter at least is free.
fn slots_for(entries: u64) -> usize {
    (entries as usize + entries as usize / 3 + 2).next_power_of_two()
}

fn mark(sum: u64) -> u32 {
    (sum >> (32 + BATCH)) as u32
}

fn slot(sum: u64, batch: usize) -> u32 {
    mark(sum) << BATCH | ((batch % APART as usize) as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_batch_of_a_key_is_found_the_newest_first_and_hardly_any_other() {
        let sum = |number: u64| crate::format::key_sum(&number.to_le_bytes());
        let mut directory = Directory::with_room(3000);
        for number in 0..1000 {
            directory.add(sum(number), 3);
            directory.add(sum(number), number as usize);
            directory.add(sum(number), 5000);
        }
        let mut more = 0;
        for number in 0..1000_u64 {
            let found = directory.batches(sum(number), 5001);
            let mut expected = vec![3, number as usize, 5000];
            // Those that look the same.
            expected.extend([5000 - APART as usize, 3 + APART as usize]);
            expected.extend(Some(number as usize + APART as usize).filter(|&batch| batch <= 5000));
            expected.sort_unstable_by(|a, b| b.cmp(a));
            expected.dedup();
            assert!(found.is_sorted_by(|a, b| a > b));
            assert!(expected.iter().all(|batch| found.contains(batch)), "{number}");
            more += found.len() - expected.len();
        }
        assert!(more < 20, "{more}");
        let wrong =
            (1000..100_000).filter(|&other| !directory.batches(sum(other), 5001).is_empty());
        assert!(wrong.count() < 20);
    }

    #[test]
    fn a_quarter_is_free_with_any_number_of_entries() {
        for entries in 0..10_000 {
            let mut directory = Directory::with_room(entries);
            assert!(directory.has_room(entries) && directory.slots.len() as u64 * 3 > entries * 4);
            directory.entries = entries;
            assert_eq!(directory.batches(1, 1), [0_usize; 0]);
        }
    }
}
