//! Heaps of tokens side by side, as games leave them that split heaps.

use nimoon::notation::NotationError;

use crate::scan::Scanner;

/// Heaps in order of size, without empty ones.
///
/// They are written with commas, `3,4`, and no heap at all as `0`. Heaps are independent of each
/// other, so a ruleset says that each is a component.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Heaps(Vec<u64>);

/// A move in one heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeapMove {
    /// The size of the heap.
    pub(super) heap: u64,
    /// What it becomes, without empty heaps.
    pub(super) leaves: Vec<u64>,
}

/// Reads a single heap, such as `7`.
pub(super) fn single(text: &str) -> Result<u64, NotationError> {
    Scanner::whole(text, |scanner| scanner.number("the size of a heap")).map_err(|error| {
        let several = text.get(error.at..).is_some_and(|rest| rest.trim_start().starts_with(','));
        if !several {
            return error;
        }
        let NotationError { at, message, .. } = error;
        NotationError::at(
            at,
            format!("{message}; join several heaps by `+`, as in `nim:3 + nim:5`"),
        )
    })
}

impl Heaps {
    /// These heaps; empty ones are left out.
    ///
    /// ```
    /// # use nimoon_rulesets::heap::Heaps;
    /// assert_eq!(Heaps::new([4, 0, 3]).as_slice(), [3, 4]);
    /// ```
    pub fn new(heaps: impl IntoIterator<Item = u64>) -> Self {
        let mut heaps: Vec<_> = heaps.into_iter().filter(|&heap| heap > 0).collect();
        heaps.sort_unstable();
        Self(heaps)
    }

    /// The heaps in order of size.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }

    /// The size of the only heap, 0 if there is none.
    pub fn single(&self) -> Option<u64> {
        match self.0[..] {
            [] => Some(0),
            [heap] => Some(heap),
            _ => None,
        }
    }

    /// Each heap for itself.
    pub(super) fn split(self) -> Vec<Self> {
        self.0.into_iter().map(|heap| Self(vec![heap])).collect()
    }

    /// The sizes that occur, each once: moves in equal heaps are the same move.
    pub(super) fn sizes(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.chunk_by(|a, b| a == b).map(|equal| equal[0])
    }

    /// All heaps but one of this size.
    pub(super) fn without(&self, heap: u64) -> Self {
        let mut heaps = self.0.clone();
        if let Ok(place) = heaps.binary_search(&heap) {
            heaps.remove(place);
        }
        Self(heaps)
    }

    /// The heaps after a move.
    pub(super) fn after(&self, step: &HeapMove) -> Self {
        let Self(mut heaps) = self.without(step.heap);
        heaps.extend(&step.leaves);
        Self::new(heaps)
    }

    /// Reads heaps up to a character that is none of them.
    pub(super) fn scan(scanner: &mut Scanner<'_>) -> Result<Self, NotationError> {
        let mut heaps = vec![scanner.number("the size of a heap")?];
        while scanner.take(',') {
            heaps.push(scanner.number("the size of a heap")?);
        }
        Ok(Self::new(heaps))
    }

    /// Reads `7` or `3,4`.
    pub(super) fn read(text: &str) -> Result<Self, NotationError> {
        Scanner::whole(text, Self::scan)
    }

    /// Writes what [`Heaps::read`] reads.
    pub(super) fn write(&self) -> String {
        if self.0.is_empty() {
            return "0".to_owned();
        }
        let sizes: Vec<_> = self.0.iter().map(u64::to_string).collect();
        sizes.join(",")
    }

    /// A line of tokens for each heap.
    pub(super) fn board(&self) -> String {
        if self.0.is_empty() {
            return draw(0);
        }
        let lines: Vec<_> = self.0.iter().map(|&heap| draw(heap)).collect();
        lines.join("\n")
    }
}

/// A heap in one line: its size, then its tokens if they fit into a line.
pub(super) fn draw(heap: u64) -> String {
    const WIDEST: u64 = 70;
    let tokens = match heap {
        0 => "(empty)".to_owned(),
        1..=WIDEST => "o".repeat(heap as usize),
        _ => "(too many to draw)".to_owned(),
    };
    format!("{heap:>4}  {tokens}")
}

impl HeapMove {
    /// The ways to break `tokens` into two heaps.
    pub(super) fn into_two(heap: u64, tokens: u64) -> impl Iterator<Item = Self> {
        (1..=tokens / 2).map(move |a| Self { heap, leaves: vec![a, tokens - a] })
    }

    /// The ways to break `tokens` into three heaps.
    pub(super) fn into_three(heap: u64, tokens: u64) -> impl Iterator<Item = Self> {
        (1..=tokens / 3).flat_map(move |a| {
            let rest = tokens - a;
            (a..=rest / 2).map(move |b| Self { heap, leaves: vec![a, b, rest - b] })
        })
    }

    /// What the player does.
    pub(super) fn words(&self) -> String {
        let heap = self.heap;
        let taken = heap - self.leaves.iter().sum::<u64>();
        let parts = match self.leaves[..] {
            [] => return format!("take the whole heap of {heap}"),
            [_] => return format!("take {taken} of {heap}"),
            [a, b] => format!("{a} and {b}"),
            _ => {
                let sizes: Vec<_> = self.leaves.iter().map(u64::to_string).collect();
                sizes.join(" and ")
            }
        };
        if taken == 0 {
            format!("split the heap of {heap} into {parts}")
        } else {
            format!("take {taken} of {heap} and leave {parts}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_are_read_in_any_order_and_written_in_order() {
        assert_eq!(Heaps::read("4,3,0").unwrap().write(), "3,4");
        assert_eq!(Heaps::read("0").unwrap(), Heaps::default());
        assert_eq!(Heaps::default().write(), "0");
        assert_eq!(Heaps::read("3,").unwrap_err().at, 2);
        assert_eq!(Heaps::read("3 4").unwrap_err().at, 2);
    }

    #[test]
    fn moves_have_words() {
        let words = |leaves: &[u64]| HeapMove { heap: 7, leaves: leaves.to_vec() }.words();
        assert_eq!(words(&[]), "take the whole heap of 7");
        assert_eq!(words(&[5]), "take 2 of 7");
        assert_eq!(words(&[3, 4]), "split the heap of 7 into 3 and 4");
        assert_eq!(words(&[1, 2, 3]), "take 1 of 7 and leave 1 and 2 and 3");
    }

    #[test]
    fn a_board_shows_every_heap_and_does_not_draw_a_million_tokens() {
        let board = Heaps::new([2, 1_000_000]).board();
        assert_eq!(board, "   2  oo\n1000000  (too many to draw)");
    }
}
