//! Rows of numbers, end to end: for each node of a worker, the sources of the arcs to it.

use crate::shards::Number;

/// For each node of a worker, some numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rows {
    /// The beginning of each row, and one more; empty if all rows are empty.
    starts: Vec<u32>,
    entries: Vec<Number>,
}

/// A worker has more arcs than it can number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyArcs;

impl Rows {
    /// From pairs of a row, in the upper half, and an entry.
    pub(crate) fn new(len: usize, pairs: &[u64]) -> Result<Self, TooManyArcs> {
        if pairs.is_empty() {
            return Ok(Self::default());
        }
        if pairs.len() >= u32::MAX as usize {
            return Err(TooManyArcs);
        }
        let mut starts = vec![0_u32; len + 1];
        for pair in pairs {
            starts[(pair >> 32) as usize] += 1;
        }
        // Each start is the end of its row, until the entries have moved it to the beginning.
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut entries = vec![0; pairs.len()];
        for pair in pairs.iter().rev() {
            let place = &mut starts[(pair >> 32) as usize];
            *place -= 1;
            entries[*place as usize] = *pair as Number;
        }
        Ok(Self { starts, entries })
    }

    /// From the length of each row, and the entries.
    pub(crate) fn of_lengths(lengths: &[u32], entries: Vec<Number>) -> Self {
        if entries.is_empty() {
            return Self::default();
        }
        let mut end = 0;
        let mut starts = vec![0];
        starts.extend(lengths.iter().map(|length| {
            end += length;
            end
        }));
        Self { starts, entries }
    }

    #[inline]
    pub(crate) fn row(&self, node: usize) -> &[Number] {
        if self.starts.is_empty() {
            return &[];
        }
        &self.entries[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// The rows of some nodes, one after the other. It first reads all their places and then their
    /// contents, so that the processor waits for many of them at once.
    #[inline]
    pub(crate) fn gather(&self, nodes: &[u32], mut take: impl FnMut(&[Number])) {
        const AT_ONCE: usize = 64;
        if self.starts.is_empty() {
            return;
        }
        let mut places = [(0, 0); AT_ONCE];
        for nodes in nodes.chunks(AT_ONCE) {
            for (place, &node) in places.iter_mut().zip(nodes) {
                *place = (self.starts[node as usize], self.starts[node as usize + 1]);
            }
            let places = &places[..nodes.len()];
            let first = |&(start, _): &(u32, u32)| self.entries.get(start as usize);
            std::hint::black_box(places.iter().filter_map(first).fold(0, |a, b| a ^ b));
            for &(start, end) in places {
                take(&self.entries[start as usize..end as usize]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_the_order_of_the_pairs() {
        let pair = |row: u64, entry: u64| row << 32 | entry;
        let rows = Rows::new(3, &[pair(2, 5), pair(0, 7), pair(2, 4), pair(0, 7)]).unwrap();
        assert_eq!([0, 1, 2].map(|row| rows.row(row)), [&[7, 7][..], &[], &[5, 4]]);
        let mut gathered = Vec::new();
        rows.gather(&[2, 1, 0], |row| gathered.extend_from_slice(row));
        assert_eq!(gathered, [5, 4, 7, 7]);
        assert_eq!(Rows::of_lengths(&[2, 0, 2], vec![7, 7, 5, 4]), rows);
    }
}
