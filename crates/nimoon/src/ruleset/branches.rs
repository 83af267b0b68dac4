//! Options of many positions, written one after the other.

use super::{Branch, Kind, PositionId};

/// The options of some parts. The lists are used again for the next parts, so that exploring takes no
/// memory for a single option.
///
/// ```
/// use nimoon::ruleset::{Branches, Kind};
///
/// let mut branches = Branches::default();
/// branches.leave(7);
/// branches.end_option(Kind::Ordinary);
/// branches.leave(4);
/// branches.leave(2);
/// branches.end_option(Kind::Ordinary);
/// branches.end_sorted_part();
/// let options: Vec<_> = branches.of(0).collect();
/// assert_eq!(options, [(Kind::Ordinary, &[2, 4][..]), (Kind::Ordinary, &[7])]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Branches {
    /// For each part, the end of its options.
    ends: Vec<usize>,
    /// For each option, its kind and the end of what it leaves.
    options: Vec<(Kind, usize)>,
    left: Vec<PositionId>,
    /// Room for sorting.
    single: Vec<(Kind, PositionId)>,
    sorted: Vec<Branch>,
}

impl Branches {
    /// Forgets the options.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.options.clear();
        self.left.clear();
    }

    /// Adds a part that the next option leaves.
    #[inline]
    pub fn leave(&mut self, part: PositionId) {
        self.left.push(part);
    }

    /// Ends an option, which leaves at least one part.
    #[inline]
    pub fn end_option(&mut self, kind: Kind) {
        self.options.push((kind, self.left.len()));
    }

    /// Ends the options of a part.
    pub fn end_part(&mut self) {
        self.ends.push(self.options.len());
    }

    /// Ends the options of a part, sorts them, and keeps each once.
    pub fn end_sorted_part(&mut self) {
        let first = self.ends.last().copied().unwrap_or(0);
        let first_left = first.checked_sub(1).map_or(0, |before| self.options[before].1);
        if self.left.len() - first_left == self.options.len() - first {
            let kinds = self.options[first..].iter().map(|&(kind, _)| kind);
            self.single.clear();
            self.single.extend(kinds.zip(self.left[first_left..].iter().copied()));
            self.single.sort_unstable();
            self.single.dedup();
            self.options.truncate(first);
            self.left.truncate(first_left);
            for &(kind, part) in &self.single {
                self.left.push(part);
                self.options.push((kind, self.left.len()));
            }
        } else {
            self.sort_lists(first, first_left);
        }
        self.end_part();
    }

    /// The same where some option leaves several parts.
    fn sort_lists(&mut self, first: usize, first_left: usize) {
        let mut start = first_left;
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.extend(self.options.drain(first..).map(|(kind, end)| {
            let mut parts = self.left[start..end].to_vec();
            parts.sort_unstable();
            start = end;
            Branch { kind, parts }
        }));
        sorted.sort_unstable();
        sorted.dedup();
        self.left.truncate(first_left);
        for Branch { kind, parts } in sorted.drain(..) {
            self.left.extend(parts);
            self.options.push((kind, self.left.len()));
        }
        self.sorted = sorted;
    }

    /// Adds the options of a part as they are.
    pub fn add_part(&mut self, branches: &[Branch]) {
        for Branch { kind, parts } in branches {
            self.left.extend(parts);
            self.end_option(*kind);
        }
        self.end_part();
    }

    /// How many parts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no parts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many options the part with this place has.
    pub fn count(&self, place: usize) -> usize {
        self.ends[place] - self.start(place)
    }

    fn start(&self, place: usize) -> usize {
        place.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// The options of the part with this place, and what each leaves.
    pub fn of(&self, place: usize) -> impl Iterator<Item = (Kind, &[PositionId])> {
        let (start, end) = (self.start(place), self.ends[place]);
        let mut from = start.checked_sub(1).map_or(0, |before| self.options[before].1);
        self.options[start..end].iter().map(move |&(kind, to)| {
            let left = &self.left[from..to];
            from = to;
            (kind, left)
        })
    }

    /// The options of each part in a list of its own.
    pub(super) fn lists(&self) -> Vec<Vec<Branch>> {
        let list = |place| {
            let options = self.of(place);
            options.map(|(kind, left)| Branch { kind, parts: left.to_vec() }).collect()
        };
        (0..self.len()).map(list).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_sorted_as_lists_of_their_own_are() {
        let mut state = 1_u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            (state >> 33) % n
        };
        let kinds = [Kind::Ordinary, Kind::Again, Kind::Entailing];
        for most in [1, 3] {
            let mut branches = Branches::default();
            let mut expected = Vec::new();
            for _ in 0..200 {
                let mut list = Vec::new();
                for _ in 0..below(6) {
                    let parts: Vec<_> = (0..=below(most)).map(|_| below(4) as PositionId).collect();
                    let kind = kinds[below(3) as usize];
                    for &part in &parts {
                        branches.leave(part);
                    }
                    branches.end_option(kind);
                    list.push(Branch { kind, parts });
                }
                branches.end_sorted_part();
                for branch in &mut list {
                    branch.parts.sort_unstable();
                }
                list.sort_unstable();
                list.dedup();
                expected.push(list);
            }
            assert_eq!(branches.lists(), expected);
            assert!((0..200).all(|place| branches.count(place) == expected[place].len()));
        }
    }
}
