//! Top Entails: split a heap into two, or remove its top token, which entails.
//!
//! ```text
//!    4  oooo   →   3           the opponent must answer in this heap
//!              →   1,3   2,2   the opponent moves anywhere
//! ```
//!
//! A player who removes the last token of a heap wins, whatever else is on the board: the opponent
//! must answer in a heap without tokens. So a heap of 1 is a moon, and no player leaves one.
//!
//! The value of a heap follows from those of the smaller ones by [LNS2021, Thm 21], see
//! [`top_entails_sets`](super::top_entails_sets). Moons are rare: 1, 3, 2403, 2505, 33243,
//! 640193, 696157, 696401, 3701153, …
//!
//! A heap that must be answered is written with `!` in front: `!2` is a heap of 2 that must be
//! answered, and `!2,3,5` the same beside others. The latter arise where heaps are not taken apart.
//!
//! ## References
//! [LNS2021, §5]; E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, chapter 12; J. West, New
//! values for Top Entails (1996).

use nimoon::impartial::value::EntailingValue;
use nimoon::limits::{Interrupted, Work};
use nimoon::{
    NimberSet,
    notation::NotationError,
    ruleset::{Found, Interned, Move, Notation, Ruleset, Sequence, Shortcuts},
};

use super::heaps::{HeapMove, Heaps, draw};
use super::sequence::{ByGroups, HeapValues, Kept};
use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;

/// Split a heap into two, or remove its top token, which entails.
#[derive(Debug)]
pub struct TopEntails {
    values: Kept<ByGroups>,
}

/// Heaps, one of which may have to be answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tops {
    /// The heap that must be answered. A heap alone is marked at the start only: later the move
    /// that left it says the same.
    entailed: Option<u64>,
    /// The other heaps.
    heaps: Heaps,
}

impl Tops {
    /// Heaps of which none must be answered.
    pub fn free(heaps: Heaps) -> Self {
        Self { entailed: None, heaps }
    }

    /// What an entailing move leaves: a heap that must be answered, beside others that must not.
    pub fn entailed(heap: u64, others: Heaps) -> Self {
        if others.as_slice().is_empty() {
            return Self::free(Heaps::new([heap]));
        }
        Self { entailed: Some(heap), heaps: others }
    }
}

impl TopEntails {
    /// Heaps up to this one have a value at once, larger ones by a search that can be broken off.
    const LARGEST: u64 = 100_000;

    /// Heaps above this one are not searched: their values alone would take a day.
    const LARGEST_SEARCHED: u64 = 20_000_000;

    /// The game.
    pub fn new() -> Self {
        Self { values: Kept::alone() }
    }
}

impl Default for TopEntails {
    fn default() -> Self {
        Self::new()
    }
}

/// All moves, heap by heap: the top token first, then the ways to split. With them, the heaps that
/// the move does not touch.
fn moves(position: &Tops) -> impl Iterator<Item = (HeapMove, Heaps)> + '_ {
    let free = position.heaps.sizes().take_while(|_| position.entailed.is_none());
    position.entailed.into_iter().chain(free).flat_map(|heap| {
        let others = match position.entailed {
            Some(_) => position.heaps.clone(),
            None => position.heaps.without(heap),
        };
        let top = (heap > 0).then(|| HeapMove { heap, leaves: vec![heap - 1] });
        let steps = top.into_iter().chain(HeapMove::into_two(heap, heap));
        steps.map(move |step| (step, others.clone()))
    })
}

impl Ruleset for TopEntails {
    type Position = Tops;

    fn name(&self) -> String {
        "top-entails".into()
    }

    fn options(&self, position: &Tops) -> impl Iterator<Item = Move<Tops>> {
        moves(position).map(|(step, others)| {
            if let [left] = step.leaves[..] {
                return Move::entailing(Tops::entailed(left, others));
            }
            let heaps = others.as_slice().iter().chain(&step.leaves).copied();
            Move::to(Tops::free(Heaps::new(heaps)))
        })
    }

    fn read(&self, text: &str) -> Result<Tops, NotationError> {
        Scanner::whole(text, |scanner| {
            if !scanner.take('!') {
                return Ok(Tops::free(Heaps::scan(scanner)?));
            }
            let heap = scanner.number("the size of the heap that must be answered")?;
            let heaps = if scanner.take(',') { Heaps::scan(scanner)? } else { Heaps::default() };
            Ok(Tops { entailed: Some(heap), heaps })
        })
    }

    fn write(&self, position: &Tops) -> String {
        let heaps = position.heaps.write();
        match position.entailed {
            None => heaps,
            Some(heap) if position.heaps.as_slice().is_empty() => format!("!{heap}"),
            Some(heap) => format!("!{heap},{heaps}"),
        }
    }

    fn components(&self, position: Tops) -> Vec<Tops> {
        match position.entailed {
            Some(_) => vec![position],
            None => position.heaps.split().into_iter().map(Tops::free).collect(),
        }
    }
}

impl Notation for TopEntails {
    fn words(&self, position: &Tops, number: usize, option: &Move<Tops>) -> String {
        match moves(position).nth(number) {
            Some((step, _)) if step.leaves.len() == 1 => {
                format!("remove the top token of the heap of {}, which entails", step.heap)
            }
            Some((step, _)) => step.words(),
            None => format!("move to {}", self.write(&option.to)),
        }
    }

    fn board(&self, position: &Tops) -> String {
        let heaps = position.heaps.board();
        let marked = |heap| format!("{}  <- must be answered", draw(heap));
        match position.entailed {
            None => heaps,
            Some(heap) if position.heaps.as_slice().is_empty() => marked(heap),
            Some(heap) => format!("{}\n{heaps}", marked(heap)),
        }
    }
}

impl Shortcuts for TopEntails {
    fn work_within(&mut self, work: &Work) {
        self.values.work_within(work);
    }

    fn theorem(&self, position: &Tops) -> Option<EntailingValue> {
        match position.entailed {
            Some(_) => None,
            None => self.values.value(position.heaps.single()?, Self::LARGEST),
        }
    }

    fn theorem_due(&self, position: &Tops) -> Option<NimberSet> {
        match position.entailed {
            Some(_) => None,
            None => self.values.covered(position.heaps.single()?, Self::LARGEST),
        }
    }

    fn can_search(&self, position: &Tops) -> bool {
        let single = position.heaps.single().filter(|_| position.entailed.is_none());
        single.is_some_and(|heap| heap <= Self::LARGEST_SEARCHED)
    }

    fn search(
        &self,
        position: &Tops,
        _asked: Option<u64>,
        work: &mut Work,
    ) -> Result<Option<Found>, Interrupted> {
        let single = position.heaps.single().filter(|_| self.can_search(position));
        let value = single.map(|heap| self.values.search(heap, work)).transpose()?;
        Ok(value.map(Found::Value))
    }

    fn must_be_answered(&self, position: &Tops) -> bool {
        position.entailed.is_some()
    }

    fn sequence(&self) -> Option<Box<dyn Sequence>> {
        Some(Box::new(HeapValues::new(ByGroups::default())))
    }
}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "top-entails",
        board: Board::Heap,
        rules: "Split a heap into two heaps, or remove one token from a heap: then the opponent must \
                answer in the same heap, and loses if it is empty.",
        notation: "top-entails:N, a heap of N tokens; several heaps as 3,4; a heap of 2 that must be \
                   answered as !2, and beside others as !2,3,4",
        example: "top-entails:7",
        value: "1",
        parameters: Parameters::None,
        source: "Winning Ways; LNS2021 §5",
        make: Make::Impartial(|_| Ok(Box::new(Interned::new(TopEntails::new())))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use nimoon::limits::{Limit, Limits, Progress, Work};

    use super::*;
    use crate::heap::definition::Definition;
    use crate::heap::top_entails_sets;

    #[test]
    fn values_by_the_sequence_are_those_of_the_definition() {
        let game = TopEntails::new();
        let mut definition = Definition::new(&game);
        for heap in 0..=40 {
            let position = Tops::free(Heaps::new([heap]));
            assert_eq!(game.theorem(&position), Some(definition.value(&position)), "{heap}");
        }
    }

    #[test]
    fn what_a_heap_covers_is_what_its_replies_leave() {
        let game = TopEntails::new();
        let mut last = NimberSet::only([]);
        for (heap, sets) in (0..=1500).zip(top_entails_sets().skip(1)) {
            // P of the next heap is what the removal that leaves this one wins beside.
            let covered = game.theorem_due(&Tops::free(Heaps::new([heap]))).unwrap();
            assert_eq!(covered, sets.entailed, "{heap}");
            assert_ne!(covered, last);
            last = covered;
        }
    }

    #[test]
    fn large_heaps_are_searched_and_gone_on_with_after_a_stop() {
        let game = TopEntails::new();
        let heap = TopEntails::LARGEST + 700;
        let position = Tops::free(Heaps::new([heap]));
        assert_eq!(game.theorem(&position), None);
        let last = Arc::new(AtomicU64::new(0));
        let noted = Arc::clone(&last);
        let work = Work::default().on_progress(move |progress| {
            if let Progress::Searching { kept, .. } = progress {
                noted.store(kept, Ordering::Relaxed);
            }
        });
        let few = |positions| work.child(Limits::new(positions));
        let stopped = game.search(&position, None, &mut few(1000));
        assert_eq!(stopped, Err(Interrupted::positions(1000)));
        let mut little = Work::new(Limits::DEFAULT.bytes(1 << 20));
        let stopped = game.search(&position, None, &mut little);
        assert_eq!(stopped.map_err(Interrupted::limit), Err(Some(Limit::Bytes)));
        let kept = last.load(Ordering::Relaxed);
        assert!((500..=1500).contains(&kept), "{kept}");
        let most = heap + 1 - kept;
        let found = game.search(&position, None, &mut few(most));
        let mut sequence = HeapValues::new(ByGroups::default());
        let value = (0..=heap).map(|_| sequence.advance()).last().unwrap();
        assert_eq!(found, Ok(Some(Found::Value(value))));
        assert_eq!(game.theorem(&position), Some(value));
        assert!(!game.can_search(&Tops::entailed(4, Heaps::new([5]))));
        assert!(!game.can_search(&Tops::free(Heaps::new([u64::MAX]))));
    }

    #[test]
    fn heaps_side_by_side_have_the_value_of_their_sum() {
        let game = TopEntails::new();
        let mut definition = Definition::new(&game);
        for heaps in [[0, 1, 4], [0, 4, 4], [2, 5, 6], [4, 6, 7], [3, 4, 5]] {
            let position = Tops::free(Heaps::new(heaps));
            assert_eq!(definition.whole(&position), definition.value(&position), "{heaps:?}");
        }
    }

    #[test]
    fn a_removed_token_binds_the_opponent_to_its_heap() {
        let game = TopEntails::new();
        let position = game.read("2,4").unwrap();
        let options: Vec<_> = game.options(&position).collect();
        let actual: Vec<_> = options.iter().map(|option| game.write(&option.to)).collect();
        assert_eq!(actual, ["!1,4", "1,1,4", "!3,2", "1,2,3", "2,2,2"]);
        assert!(game.must_be_answered(&options[0].to));
        assert!(!game.must_be_answered(&options[1].to));
        let answers: Vec<_> = game.options(&options[2].to).collect();
        let actual: Vec<_> = answers.iter().map(|option| game.write(&option.to)).collect();
        assert_eq!(actual, ["!2,2", "1,2,2"]);
        let stuck = game.read("!0,4").unwrap();
        assert_eq!(game.options(&stuck).count(), 0);
    }

    #[test]
    fn moves_have_words() {
        let game = TopEntails::new();
        let position = game.read("3").unwrap();
        let actual: Vec<_> = (0..)
            .zip(game.options(&position))
            .map(|(number, option)| game.words(&position, number, &option))
            .collect();
        let top = "remove the top token of the heap of 3, which entails";
        assert_eq!(actual, [top, "split the heap of 3 into 1 and 2"]);
    }

    #[test]
    fn positions_are_read_and_written() {
        let game = TopEntails::new();
        for text in ["0", "7", "3,4", "!0,4", "!5,1,1", "!5", "!0"] {
            assert_eq!(game.write(&game.read(text).unwrap()), text);
        }
        assert_eq!(game.read("!5,0"), game.read("!5"));
        assert_eq!(game.read("!").unwrap_err().at, 1);
        assert_eq!(game.read("!5,").unwrap_err().at, 3);
        assert_eq!(game.read("3,!4").unwrap_err().at, 2);
        let board = game.board(&game.read("!0,2").unwrap());
        assert_eq!(board, "   0  (empty)  <- must be answered\n   2  oo");
        assert_eq!(game.board(&game.read("!2").unwrap()), "   2  oo  <- must be answered");
    }

    #[test]
    fn a_heap_that_must_be_answered_has_the_moves_of_the_heap() {
        let game = TopEntails::new();
        for heap in 0..8 {
            let [due, free] = [format!("!{heap}"), heap.to_string()];
            let [due, free] = [due, free].map(|text| game.read(&text).unwrap());
            assert!(game.must_be_answered(&due) && !game.must_be_answered(&free));
            assert!(game.options(&due).eq(game.options(&free)), "{heap}");
            assert_eq!(game.components(due.clone()), std::slice::from_ref(&due));
            assert_eq!((game.theorem(&due), game.can_search(&due)), (None, false));
        }
    }
}
