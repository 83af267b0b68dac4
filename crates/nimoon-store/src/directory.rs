//! Finds the batches of a ruleset that may have a key, without reading the file.
//!
//! A table in memory stores four bytes for each entry: 20 bits of the checksum of its key, and the
//! number of its batch. At most three quarters of it are full, so an entry takes 6 to 11 bytes,
//! compared with 33 or more in the file. About one of 100,000 absent keys is found in the table by
//! mistake and then searched in one batch in vain.
//!
//! The table is made when enough keys of a ruleset have been requested. A single query to a large
//! store does not read all its indices.

/// The table of one ruleset.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    /// Entries by the low bits of the checksum, or at the next free place; 0 is free.
    slots: Vec<u32>,
    entries: u64,
}

/// The bits of a slot that identify a batch.
const BATCH: u32 = 12;
/// Batches this far apart have the same bits. There are hardly ever so many.
const APART: u32 = (1 << BATCH) - 1;

impl Directory {
    /// A directory with room for this many entries.
    pub(crate) fn with_room(entries: u64) -> Self {
        Self { slots: vec![0; slots_for(entries)], entries: 0 }
    }

    /// Whether there is room for this many more entries.
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

    /// Which of the first `count` batches may have a key with this checksum, newer ones first.
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
            // Those with the same bits.
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
