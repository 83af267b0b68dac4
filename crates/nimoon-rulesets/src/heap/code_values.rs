//! The values of heaps that are taken from and broken by a code, and of Grundy's game.
//!
//! Where at most two heaps are left, [`splits`](super::splits) finds the least number that no
//! option has, without looking at all options. Where three may be left, S(m), the nim-sums of two
//! heaps with m tokens together, is kept for all m as a set of bits, and the nim-sums of three
//! heaps are the union of G(a) ⊕ S(m − a) over the least heap a. A nim-sum with a number moves
//! words of 64 bits as wholes, and bits within a word by six swaps at most.
//!
//! With 64, 128, 256, … values the program searches for a period. As soon as one is proved
//! ([`proved_period`]), all other values are copied from it, so a table of Kayles takes as long as
//! writing it. Values are the same either way, which tests compare.
//!
//! ## References
//! R. K. Guy, C. A. B. Smith, The G-values of various games (1956).

use nimoon::ruleset::Sequence;
use nimoon_kernels::Path;

use super::bits::Bits;
use super::code::Code;
use super::period::{Moves, proved_period};
use super::sequence::{HeapValues, Known, Recursion};
use super::splits::{Cut, Splits};

/// Split a heap into two unequal ones.
#[derive(Clone, Debug)]
pub(super) struct ByUnequalParts {
    cut: Cut,
    splits: Splits,
}

impl ByUnequalParts {
    pub(super) fn new(cut: Cut) -> Self {
        Self { cut, splits: Splits::new(cut, 0, false) }
    }

    /// Found by the calling thread: it may hold a lock that others of its pool wait for.
    pub(super) fn alone() -> Self {
        Self::new(Cut { threads: false, ..Cut::best(Path::chosen()) })
    }
}

impl Default for ByUnequalParts {
    /// With the instructions that were insisted on, or the best that the processor has.
    fn default() -> Self {
        Self::new(Cut::best(Path::chosen()))
    }
}

impl Recursion for ByUnequalParts {
    fn next(&mut self, known: &Known) -> u32 {
        let heap = known.nimbers().len();
        let nimber = self.splits.mex(known.nimbers(), &[heap], &[]);
        self.splits.push(nimber);
        nimber
    }

    fn resume(&mut self, known: &Known) {
        self.splits = Splits::new(self.cut, 0, false);
        known.nimbers().iter().for_each(|&nimber| self.splits.push(nimber));
    }
}

/// Take and break by a code.
#[derive(Clone, Debug)]
pub(super) struct ByCode {
    code: Code,
    cut: Cut,
    sums: Sums,
    repetition: Option<Repetition>,
}

/// The nim-sums of the heaps that a move leaves, as far as they are kept.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each game")]
enum Sums {
    OfTwo(Splits),
    OfThree(Triples),
}

impl ByCode {
    /// By the recursion only, without a search for a period.
    pub(super) fn without_period(code: Code, cut: Cut) -> Self {
        let sums = if code.most_heaps() > 2 {
            Sums::OfThree(Triples::default())
        } else {
            Sums::OfTwo(Splits::new(cut, code.most_taken() + 1, true))
        };
        Self { code, cut, sums, repetition: None }
    }

    /// With the instructions that were insisted on, or the best that the processor has.
    pub(super) fn new(code: Code) -> Self {
        Self::with_cut(code, Cut::best(Path::chosen()))
    }

    /// Found by the calling thread: it may hold a lock that others of its pool wait for.
    pub(super) fn alone(code: Code) -> Self {
        Self::with_cut(code, Cut { threads: false, ..Cut::best(Path::chosen()) })
    }

    fn with_cut(code: Code, cut: Cut) -> Self {
        let repetition = Some(Repetition::new(&code));
        Self { repetition, ..Self::without_period(code, cut) }
    }
}

/// The values of the heaps of a code, by the recursion alone, with these instructions; a path that
/// the processor does not have is taken for the portable one. The values do not depend on it, nor
/// on the number of threads, which is that of the rayon pool. Unlike a table, this does not search
/// for a period, so it can be used to check one.
///
/// ```
/// use nimoon::ruleset::Sequence;
/// use nimoon::impartial::value::EntailingValue::Nimber;
/// use nimoon_rulesets::heap::{Base, Code, Path, code_sequence};
/// let mut kayles = code_sequence(Code::read("0.77", Base::Octal).unwrap(), Path::Portable);
/// let first: Vec<_> = (0..8).map(|_| kayles.advance()).collect();
/// assert_eq!(first, [0, 1, 2, 3, 1, 4, 3, 2].map(Nimber));
/// ```
pub fn code_sequence(code: Code, path: Path) -> impl Sequence {
    HeapValues::new(ByCode::without_period(code, Cut::best(path)))
}

/// The values of the heaps of Grundy's game in the same way.
///
/// ```
/// use nimoon::ruleset::Sequence;
/// use nimoon::impartial::value::EntailingValue::Nimber;
/// use nimoon_rulesets::heap::{Path, grundys_game_sequence};
/// let mut values = grundys_game_sequence(Path::Portable);
/// let first: Vec<_> = (0..8).map(|_| values.advance()).collect();
/// assert_eq!(first, [0, 0, 0, 1, 0, 2, 1, 0].map(Nimber));
/// ```
pub fn grundys_game_sequence(path: Path) -> impl Sequence {
    HeapValues::new(ByUnequalParts::new(Cut::best(path)))
}

impl Recursion for ByCode {
    fn next(&mut self, known: &Known) -> u32 {
        let nimbers = known.nimbers();
        let heap = nimbers.len();
        if let Some(period) = self.repetition.as_mut().and_then(|found| found.period(nimbers)) {
            return nimbers[heap - period];
        }
        let mut reached = Bits::default();
        let mut totals = Vec::new();
        if let Sums::OfThree(triples) = &mut self.sums {
            triples.extend(&self.code, known);
        }
        for (taken, digit) in self.code.digits().iter().enumerate().take(heap + 1) {
            let left = heap - taken;
            if digit & 1 != 0 && left == 0 {
                reached.insert(0);
            }
            if digit & 2 != 0 && left > 0 {
                reached.insert(nimbers[left]);
            }
            match &self.sums {
                Sums::OfTwo(_) if digit & 4 != 0 => totals.push(left),
                Sums::OfThree(triples) => triples.add(&mut reached, *digit, left),
                Sums::OfTwo(_) => {}
            }
        }
        match &mut self.sums {
            Sums::OfTwo(splits) => {
                let nimber = splits.mex(nimbers, &totals, reached.words());
                splits.push(nimber);
                nimber
            }
            Sums::OfThree(_) => reached.mex(),
        }
    }

    fn resume(&mut self, known: &Known) {
        if self.repetition.is_some() {
            self.repetition = Some(Repetition::new(&self.code));
        }
        match &mut self.sums {
            Sums::OfTwo(splits) => {
                *splits = Splits::new(self.cut, self.code.most_taken() + 1, true);
                known.nimbers().iter().for_each(|&nimber| splits.push(nimber));
            }
            Sums::OfThree(triples) => {
                *triples = Triples::default();
                (0..known.nimbers().len()).for_each(|_| triples.extend(&self.code, known));
            }
        }
    }
}

/// The nim-sums of two and of three heaps, by the number of tokens in them.
#[derive(Clone, Debug, Default)]
struct Triples {
    pairs: Vec<Bits>,
    /// Dropped when no longer needed.
    triples: Vec<Bits>,
}

impl Triples {
    /// Finds the sums for the next number of tokens.
    fn extend(&mut self, code: &Code, known: &Known) {
        let total = self.pairs.len();
        self.pairs.push(known.pairs(total));
        let mut triples = Bits::default();
        // The least heap of three has at most a third of the tokens. Where values are taken over,
        // what no heap needs any more is left out.
        if total + code.most_taken() >= known.nimbers().len() {
            for least in 1..=total / 3 {
                triples.add_sums(known.nimbers()[least], &self.pairs[total - least]);
            }
        }
        self.triples.push(triples);
        if let Some(old) = total.checked_sub(code.most_taken() + 1) {
            self.triples[old] = Bits::default();
        }
    }

    /// Adds the sums that a digit allows.
    fn add(&self, reached: &mut Bits, digit: u8, total: usize) {
        if digit & 4 != 0 {
            reached.add(&self.pairs[total]);
        }
        if digit & 8 != 0 {
            reached.add(&self.triples[total]);
        }
    }
}

/// The search for a period while values are found.
#[derive(Clone, Debug)]
struct Repetition {
    moves: Moves,
    period: Option<usize>,
    /// The number of values at which the search is repeated.
    look: usize,
}

impl Repetition {
    fn new(code: &Code) -> Self {
        /// Fewer are found at once.
        const FIRST: usize = 64;
        Self { moves: Moves::of(code), period: None, look: FIRST }
    }

    /// The period, if these values prove one or fewer did.
    fn period(&mut self, nimbers: &[u32]) -> Option<usize> {
        if self.period.is_none() && nimbers.len() >= self.look {
            self.period = proved_period(nimbers, self.moves);
            // All searches together take as long as the last two.
            self.look = 2 * nimbers.len();
        }
        self.period
    }
}

#[cfg(test)]
#[path = "code_values/tests.rs"]
mod tests;
