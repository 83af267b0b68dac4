//! The values of heaps 0, 1, 2, … in one pass.
//!
//! A heap's value is the least number that no option has, and options are sums of smaller heaps.
//! [`code_values`] describes how they are found for codes and for Grundy's game.
//!
//! Top Entails follows [LNS2021, Thm 21]. Let S be the numbers that splitting a heap reaches, and P
//! those beside which removing the top token wins; the mover wins beside S ∪ P. The heap's value is
//! the least number outside, or a moon if there is none. A player who has to answer in the heap n −
//! 1 wins beside its S ∪ P, so P of n is the complement of that. Each S is finite, so S ∪ P is
//! finite for even n and cofinite for odd n, and a bit set holds the exceptions. That is how the
//! sets themselves are found. For values alone there is a faster way, see [`top_entails_values`].
//!
//! [`code_values`]: super::code_values
//! [`top_entails_values`]: super::top_entails_values
//!
//! ## References
//! [LNS2021] for Top Entails.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use nimoon::NimberSet;
use nimoon::impartial::value::EntailingValue::{self, Moon, Nimber};
use nimoon::limits::{Interrupted, Limits, Progress, Work};
use nimoon::ruleset::Sequence;
use nimoon_kernels::Path;

use super::bits::Bits;
use super::period::{Moves, Period, period};
use super::top_entails_values::{Cut, TopEntailsValues};

/// Stands for a moon among nimbers. Nimbers of heaps are far below it.
const MOON: u32 = 1 << 31;

/// The nimbers of heaps 0, 1, 2, …
#[derive(Debug, Default)]
pub(super) struct Known {
    nimbers: Vec<u32>,
    /// A power of two above all of them, hence also above their nim-sums.
    width: u32,
}

impl Known {
    fn push(&mut self, nimber: u32) {
        self.nimbers.push(nimber);
        if nimber < MOON {
            self.width = self.width.max((nimber + 1).next_power_of_two());
        }
    }

    /// The nimbers, heap by heap.
    pub(super) fn nimbers(&self) -> &[u32] {
        &self.nimbers
    }

    /// The nim-sums of two non-empty heaps with `total` tokens together, moons left out.
    pub(super) fn pairs(&self, total: usize) -> Bits {
        let mut sums = Bits::new(self.width as usize);
        let largest = total / 2;
        if largest > 0 {
            let small = &self.nimbers[1..=largest];
            let large = self.nimbers[total - largest..total].iter().rev();
            for (&a, &b) in small.iter().zip(large) {
                if a | b < MOON {
                    sums.insert(a ^ b);
                }
            }
        }
        sums
    }

    /// Whether a number is in S ∪ P of a heap of Top Entails, if this is known from the heap's
    /// value and from whether it is in S.
    fn settled(&self, number: u32, heap: usize, in_split: bool) -> Option<bool> {
        let value = self.nimbers[heap];
        if in_split || number < value {
            Some(true)
        } else if number == value || heap == 0 {
            Some(false)
        } else {
            None
        }
    }
}

/// The non-empty heaps with each nimber, from the smallest on.
struct ByNimber(Vec<Vec<usize>>);

impl ByNimber {
    fn new(nimbers: &[u32]) -> Self {
        let mut heaps: Vec<Vec<usize>> = Vec::new();
        for (heap, &nimber) in nimbers.iter().enumerate().skip(1) {
            if nimber < MOON {
                let nimber = nimber as usize;
                if heaps.len() <= nimber {
                    heaps.resize_with(nimber + 1, Vec::new);
                }
                heaps[nimber].push(heap);
            }
        }
        Self(heaps)
    }

    /// The most tokens, but at most `largest`, of two heaps with this nim-sum.
    fn largest_pair(&self, sum: u32, largest: usize) -> Option<usize> {
        let mut best = None;
        for (nimber, small) in self.0.iter().enumerate() {
            let other = nimber ^ sum as usize;
            let Some(large) = self.0.get(other).filter(|_| nimber <= other) else { continue };
            let mut large = large.as_slice();
            for &heap in small {
                while let [rest @ .., last] = large
                    && heap + last > largest
                {
                    large = rest;
                }
                best = best.max(large.last().map(|last| heap + last));
            }
        }
        best
    }
}

/// How the value of a heap follows from those of the smaller ones.
pub(super) trait Recursion: Send {
    /// Whether a heap can be a moon.
    const MOONS: bool = false;

    /// The nimber of the next heap, or [`MOON`].
    fn next(&mut self, known: &Known) -> u32;

    /// Makes ready for the heap after those that are known, where they were not found by
    /// [`Recursion::next`].
    fn resume(&mut self, _known: &Known) {}
}

/// The values of the heaps of one game.
#[derive(Debug)]
pub(super) struct HeapValues<R> {
    recursion: R,
    known: Known,
    values: Vec<EntailingValue>,
}

impl<R: Recursion> HeapValues<R> {
    pub(super) fn new(recursion: R) -> Self {
        Self { recursion, known: Known::default(), values: Vec::new() }
    }

    fn push(&mut self, nimber: u32) -> EntailingValue {
        let value = if nimber == MOON { Moon } else { Nimber(u64::from(nimber)) };
        self.known.push(nimber);
        self.values.push(value);
        value
    }
}

impl<R: Recursion> Sequence for HeapValues<R> {
    fn values(&self) -> &[EntailingValue] {
        &self.values
    }

    fn advance(&mut self) -> EntailingValue {
        let nimber = self.recursion.next(&self.known);
        self.push(nimber)
    }

    /// Values from the first that is out of reach for a heap of its size are dropped, to be found
    /// again: no file can make the sets here larger than the heaps themselves would.
    fn resume(&mut self, values: Vec<EntailingValue>) {
        self.known = Known::default();
        self.values.clear();
        for (heap, value) in values.into_iter().enumerate() {
            let nimber = match value {
                Moon if R::MOONS => MOON,
                Nimber(nimber) if nimber <= 2 * heap as u64 => nimber as u32,
                _ => break,
            };
            self.push(nimber);
        }
        self.recursion.resume(&self.known);
    }
}

/// Values that are computed at the first request and kept.
#[derive(Debug)]
pub(super) struct Kept<R> {
    values: Mutex<HeapValues<R>>,
    /// The result of the search for a period, if one is proved.
    period: OnceLock<Option<Period>>,
    /// What may be done for a question; each heap whose value is found counts as a position.
    work: Work,
}

impl<R: Recursion> Kept<R> {
    pub(super) fn new(recursion: R) -> Self {
        let values = Mutex::new(HeapValues::new(recursion));
        Self { values, period: OnceLock::new(), work: Work::new(Limits::new(100_000_000)) }
    }

    /// Finds values within this work from now on.
    pub(super) fn work_within(&mut self, work: &Work) {
        self.work = work.child(work.limits());
    }

    /// The value of a heap: by the period if the heap is larger than `largest` and the values up to
    /// there prove one. None too if the work ends before.
    pub(super) fn value_by_period(
        &self,
        heap: u64,
        largest: u64,
        moves: Moves,
    ) -> Option<EntailingValue> {
        if heap <= largest {
            return self.value(heap, largest);
        }
        let found = if let Some(found) = self.period.get() {
            *found
        } else {
            let found = self.proved_period(largest, moves).ok()?;
            *self.period.get_or_init(|| found)
        };
        let Period { preperiod, period, .. } = found?;
        let (start, period) = (preperiod as u64, period as u64);
        self.value(start + (heap - start) % period, largest)
    }

    /// The period that the values up to `largest` prove.
    fn proved_period(&self, largest: u64, moves: Moves) -> Result<Option<Period>, Interrupted> {
        /// Most periods are short, so short attempts come first. Many are proved by this heap.
        const FIRST: u64 = 256;
        for last in [FIRST, largest / 64, largest / 8, largest] {
            let values = self.up_to(last)?;
            let nimbers = values.values.iter().map(|value| match value {
                Nimber(nimber) => Some(*nimber),
                Moon => None,
            });
            let nimbers: Option<Vec<u64>> = nimbers.collect();
            let found = nimbers.and_then(|nimbers| period(&nimbers, moves));
            if let Some(found) = found.filter(|found| found.proved) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The value of a heap, unless it is larger than `largest` and was not reached before, or the
    /// work ends.
    pub(super) fn value(&self, heap: u64, largest: u64) -> Option<EntailingValue> {
        let values = if heap <= largest { self.up_to(heap).ok()? } else { self.lock() };
        values.values.get(usize::try_from(heap).ok()?).copied()
    }

    /// The values, with all up to this heap. What is found before it is interrupted is kept.
    fn up_to(&self, heap: u64) -> Result<MutexGuard<'_, HeapValues<R>>, Interrupted> {
        let mut values = self.lock();
        let missing = heap.saturating_add(1).saturating_sub(values.values.len() as u64);
        self.work.admit(missing)?;
        for _ in 0..missing {
            self.work.check()?;
            values.advance();
        }
        Ok(values)
    }

    fn lock(&self) -> MutexGuard<'_, HeapValues<R>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value of a heap that may be large, and is found meanwhile from all smaller ones.
    ///
    /// # Errors
    /// When the budget is hit, or the work is cancelled. What was found until then is kept.
    pub(super) fn search(&self, heap: u64, work: &mut Work) -> Result<EntailingValue, Interrupted> {
        const EACH: u64 = 256;
        /// Nimber, value, and what the search for the next ones has of it.
        const BYTES: u64 = 24;
        work.hold(heap.saturating_mul(BYTES))?;
        let mut values = self.lock();
        loop {
            let known = values.values.len() as u64;
            if known > heap {
                return Ok(values.values[heap as usize]);
            }
            let more = EACH.min(heap + 1 - known);
            for _ in 0..more {
                values.advance();
            }
            // The work for a heap is in proportion to its size.
            let square = |heaps: u64| u128::from(heaps).pow(2);
            let answered = (1000 * square(known) / square(heap).max(1)) as u16;
            work.count_all(more)?;
            let (visited, kept) = (work.used(), known + more);
            work.report(Progress::Searching { visited, kept, filled: 0, question: 0, answered })?;
        }
    }
}

/// Take a number of tokens that is in a set.
#[derive(Clone, Debug)]
pub(super) struct BySubtraction(pub(super) Vec<u64>);

impl Recursion for BySubtraction {
    fn next(&mut self, known: &Known) -> u32 {
        let heap = known.nimbers.len();
        let mut reached = Bits::new(known.width as usize);
        for &taken in self.0.iter().take_while(|&&taken| taken <= heap as u64) {
            reached.insert(known.nimbers[heap - taken as usize]);
        }
        reached.mex()
    }
}

/// Split a heap into two, or remove the top token, which entails.
#[derive(Clone, Debug, Default)]
pub(super) struct ByTopEntails {
    /// S of the last heap found.
    split: Bits,
    /// The numbers in S ∪ P of the last heap if it is even, those not in it if it is odd.
    exceptions: Bits,
    /// P of the last heap in the same way.
    entailed: Bits,
}

/// The numbers that decide the value of a heap of Top Entails [LNS2021, Thm 21].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopEntailsSets {
    /// S: the numbers that splitting the heap reaches.
    pub split: NimberSet,
    /// P: the numbers beside which removing the top token wins.
    pub entailed: NimberSet,
}

/// The sets S and P of the heaps 0, 1, 2, …, without end.
///
/// ```
/// use nimoon::NimberSet;
/// use nimoon_rulesets::heap::top_entails_sets;
/// let seven = top_entails_sets().nth(7).unwrap();
/// assert_eq!(seven.split, NimberSet::only([0]));
/// assert_eq!(seven.entailed, NimberSet::all_except([0, 1]));
/// ```
pub fn top_entails_sets() -> impl Iterator<Item = TopEntailsSets> {
    let mut values = HeapValues::new(ByTopEntails::default());
    (0usize..).map(move |heap| {
        values.advance();
        let numbers = |set: &Bits| set.iter().map(u64::from).collect::<Vec<_>>();
        let ByTopEntails { split, entailed, .. } = &values.recursion;
        let entailed = numbers(entailed);
        let entailed = if heap.is_multiple_of(2) {
            NimberSet::only(entailed)
        } else {
            NimberSet::all_except(entailed)
        };
        TopEntailsSets { split: NimberSet::only(numbers(split)), entailed }
    })
}

impl Recursion for ByTopEntails {
    const MOONS: bool = true;

    fn next(&mut self, known: &Known) -> u32 {
        let heap = known.nimbers.len();
        self.split = known.pairs(heap);
        // P is the complement of the last S ∪ P: finite where that was cofinite, with the same
        // exceptions. Heap 0 has no moves.
        self.entailed.clone_from(&self.exceptions);
        if heap.is_multiple_of(2) {
            self.exceptions.add(&self.split);
            self.exceptions.mex()
        } else {
            self.exceptions.drop_all(&self.split);
            self.exceptions.least().unwrap_or(MOON)
        }
    }

    fn resume(&mut self, known: &Known) {
        *self = Self::default();
        if let Some(last) = known.nimbers.len().checked_sub(1) {
            self.exceptions = Self::exceptions(known, last);
        }
    }
}

impl ByTopEntails {
    /// The numbers in S ∪ P of a heap if it is even, those not in it if it is odd.
    ///
    /// Whether a number is in S ∪ P of a heap is settled where it is in S, where it is at most the
    /// heap's value, and for heap 0; from heap to heap it changes where it is not in S. So it is
    /// enough to go back to the last heap that settles it. That is close for most numbers, and far
    /// for large ones, which few sums of heaps have or none: these are searched for one by one.
    fn exceptions(known: &Known, last: usize) -> Bits {
        const STEPS: usize = 16;
        let mut exceptions = Bits::default();
        let mut open: Vec<u32> = (0..known.width).collect();
        let near = last.saturating_sub(STEPS)..=last;
        for heap in near.clone().rev() {
            let split = known.pairs(heap);
            open.retain(|&number| {
                let settled = known.settled(number, heap, split.contains(number));
                if settled == Some(heap.is_multiple_of(2)) {
                    exceptions.insert(number);
                }
                settled.is_none()
            });
        }
        let Some(before) = near.start().checked_sub(1).filter(|_| !open.is_empty()) else {
            return exceptions;
        };
        let heaps = ByNimber::new(&known.nimbers[..=before]);
        for number in open {
            let split = heaps.largest_pair(number, before);
            let least = split.unwrap_or(0);
            let settled = (least..=before).rev().find_map(|heap| {
                let inside = known.settled(number, heap, split == Some(heap))?;
                Some(inside == heap.is_multiple_of(2))
            });
            if settled == Some(true) {
                exceptions.insert(number);
            }
        }
        exceptions
    }
}

/// The same in groups of heaps, with threads and vector instructions.
#[derive(Clone, Debug)]
pub(super) struct ByGroups {
    cut: Cut,
    values: TopEntailsValues,
}

impl ByGroups {
    pub(super) fn new(cut: Cut) -> Self {
        Self { cut, values: TopEntailsValues::new(cut) }
    }
}

impl Default for ByGroups {
    /// With the instructions that were insisted on, or else the best that the processor has.
    fn default() -> Self {
        Self::new(Cut::best(Path::chosen()))
    }
}

impl Kept<ByGroups> {
    /// Values that are found by the calling thread: it holds the lock meanwhile, which others of
    /// its pool may wait for.
    pub(super) fn alone() -> Self {
        Self::new(ByGroups::new(Cut { threads: false, ..Cut::best(Path::chosen()) }))
    }
}

/// The values of the heaps of Top Entails, found with these instructions; a path that the
/// processor does not have is taken for the portable one. The values do not depend on it, nor on
/// the number of threads, which is that of the rayon pool.
///
/// ```
/// use nimoon::ruleset::Sequence;
/// use nimoon::impartial::value::EntailingValue::{Moon, Nimber};
/// use nimoon_rulesets::heap::{Path, top_entails_sequence};
/// let mut values = top_entails_sequence(Path::Portable);
/// let first: Vec<_> = (0..5).map(|_| values.advance()).collect();
/// assert_eq!(first, [Nimber(0), Moon, Nimber(0), Moon, Nimber(1)]);
/// ```
pub fn top_entails_sequence(path: Path) -> impl Sequence {
    HeapValues::new(ByGroups::new(Cut::best(path)))
}

impl Recursion for ByGroups {
    const MOONS: bool = true;

    fn next(&mut self, _known: &Known) -> u32 {
        self.values.next().unwrap_or(MOON)
    }

    fn resume(&mut self, known: &Known) {
        self.values = TopEntailsValues::new(self.cut);
        for &nimber in &known.nimbers {
            self.values.push((nimber != MOON).then_some(nimber));
        }
    }
}

impl Kept<ByGroups> {
    /// The numbers beside which the player loses who must answer in a heap, unless it is larger
    /// than `largest`: all that are not in S ∪ P.
    pub(super) fn covered(&self, heap: u64, largest: u64) -> Option<NimberSet> {
        self.value(heap, largest)?;
        let values = self.lock();
        let exceptions = ByTopEntails::exceptions(&values.known, heap as usize);
        let numbers = exceptions.iter().map(u64::from).collect::<Vec<_>>();
        Some(if heap.is_multiple_of(2) {
            NimberSet::all_except(numbers)
        } else {
            NimberSet::only(numbers)
        })
    }
}

#[cfg(test)]
#[path = "sequence/tests.rs"]
pub(super) mod tests;
