//! Periods of the values of heaps, proved where a theorem allows it.
//!
//! The values G(0), G(1), … of a game are *periodic* with period p after the preperiod n₀ if
//! G(n + p) = G(n) for all n ≥ n₀, and *arithmetically periodic* with saltus s > 0 if
//! G(n + p) = G(n) + s for all n ≥ n₀.
//!
//! # The theorem
//!
//! A game is played with heaps; a move takes k ≤ t tokens from a heap and leaves at most h
//! non-empty heaps, by a code whose last digit is at place t (a subtraction game has h = 1 and t
//! the largest number of its set). Let n₀ ≥ 1 and p ≥ 1. If G(n + p) = G(n) for all n with
//!
//! ```text
//! n₀ ≤ n < h·n₀ + (h − 1)·(p − 1) + t
//! ```
//!
//! then for all n ≥ n₀. (With h = 2 this is the theorem of Guy and Smith, one value sharper.)
//!
//! *Proof.* Let n be at least the upper end e, and G(m + p) = G(m) for n₀ ≤ m < n. It is shown that
//! the heaps n and n + p have options of the same values, hence the same value.
//! Taking a whole heap is a move in neither: n ≥ e ≥ n₀ + t > t.
//! - Let n have an option that takes k and leaves i ≥ 1 heaps. Together they have n − k ≥ e − t ≥
//!   h·n₀ tokens, so the largest, b, has at least n₀. Also b < n: either k ≥ 1, or a second heap is
//!   not empty. So G(b + p) = G(b), and b + p in place of b is an option of n + p with the same
//!   value, allowed by the same digit.
//! - Let n + p have an option that takes k and leaves i ≥ 1 heaps. Together they have n + p − k ≥
//!   e + p − t = h·(n₀ + p) − (h − 1) tokens. Were each of the i ≤ h heaps smaller than n₀ + p, they
//!   would have at most h·(n₀ + p − 1), which is less. So the largest, b, has b − p ≥ n₀ ≥ 1, and
//!   b − p < n as before. So G(b) = G(b − p), and b − p in place of b is an option of n with the same
//!   value. ∎
//!
//! The theorem needs n₀ ≥ 1, since a heap may not become empty in the last step. A preperiod of 0
//! is proved by the theorem for n₀ = 1, together with G(p) = G(0).
//!
//! # What is not proved
//!
//! For arithmetic periods theorems are known [Austin 1976; Howse and Nowakowski 2004], but their
//! conditions are not checked here: such a period is reported as observed. The search for one runs
//! only where a move can leave three heaps: finite octal codes have none [Austin 1976]. For
//! Grundy's game no theorem is known at all. An observed period must fill the window of the
//! theorem, half of all values, and repeat at least four times; still it is an observation.
//!
//! ## References
//! R. K. Guy, C. A. B. Smith, The G-values of various games (1956).
//! R. B. Austin, Impartial and partisan games (thesis, Calgary 1976).
//! S. Howse, R. J. Nowakowski, Periodicity and arithmetic-periodicity in hexadecimal games (2004).

use nimoon::impartial::value::EntailingValue::Nimber;
use nimoon::limits::Interrupted;
use nimoon::{
    Progress, Work,
    notation::NotationError,
    ruleset::{Sequence, Shortcuts},
};

use schemars::JsonSchema;
use serde::Serialize;

use super::period_report::JsonPeriod;
use super::{Base, Code, GrundysGame, Subtraction, TakeAndBreak};
use crate::pace::HeapPace;

/// What the theorem has to know of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves {
    /// The most tokens that a move takes, t.
    pub most_taken: u64,
    /// The most heaps that a move leaves, h.
    pub most_heaps: u64,
    /// Whether the game has a code or a set of numbers, as the theorem supposes.
    pub by_code: bool,
}

impl Moves {
    /// Those of a code.
    pub(super) fn of(code: &Code) -> Self {
        let [most_taken, most_heaps] =
            [code.most_taken(), code.most_heaps()].map(|most| most as u64);
        Self { most_taken, most_heaps, by_code: true }
    }

    /// The first n for which G(n + p) = G(n) need not be checked.
    fn window_end(self, preperiod: usize, period: usize) -> u64 {
        let heaps = self.most_heaps.max(1);
        let start = heaps.saturating_mul(preperiod.max(1) as u64);
        let shift = (heaps - 1).saturating_mul((period as u64).saturating_sub(1));
        start.saturating_add(shift).saturating_add(self.most_taken)
    }
}

/// A period of the values of heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first heap from which on the values repeat; the least there is.
    pub preperiod: usize,
    /// After how many heaps they repeat; the least there is.
    pub period: usize,
    /// How much they grow from one period to the next.
    pub saltus: u64,
    /// Whether it is proved that they repeat for ever, not merely observed.
    pub proved: bool,
    /// The largest heap whose value was checked.
    pub checked_to: usize,
}

/// The least period that these values of the heaps 0, 1, 2, … have, with its least preperiod.
///
/// None if there is none that the values suffice to prove, or to observe where no theorem is at
/// hand. Takes time in proportion to the number of values.
///
/// ```
/// use nimoon_rulesets::heap::{Moves, period};
/// // Take one or two tokens: 0 1 2 0 1 2 …
/// let moves = Moves { most_taken: 2, most_heaps: 1, by_code: true };
/// let found = period(&[0, 1, 2, 0, 1, 2], moves).unwrap();
/// assert_eq!((found.preperiod, found.period, found.proved), (0, 3, true));
/// assert_eq!(period(&[0, 1, 2, 0, 1], moves), None);
/// ```
pub fn period(values: &[u64], moves: Moves) -> Option<Period> {
    let checked_to = values.len().checked_sub(1)?;
    // Values grow evenly by periods exactly where their differences repeat. Differences are taken
    // modulo 2⁶⁴, and from the end, so that a common prefix is an agreement up to the last heap.
    let differences: Vec<_> =
        values.windows(2).rev().map(|pair| pair[1].wrapping_sub(pair[0])).collect();
    let agreements = common_prefixes(&differences);
    (1..=checked_to).find_map(|period| {
        let agreement = agreements.get(period).copied().unwrap_or(0) as usize;
        let last = checked_to - period;
        let preperiod = last - agreement;
        let saltus = values[checked_to].checked_sub(values[last])?;
        if moves.window_end(preperiod, period) > last as u64 + 1 {
            return None;
        }
        let proved = saltus == 0 && moves.by_code;
        let often = preperiod <= checked_to / 2 && (checked_to - preperiod) / 4 >= period;
        let possible = saltus == 0 || moves.most_heaps > 2;
        let found = Period { preperiod, period, saltus, proved, checked_to };
        (proved || often && possible).then_some(found)
    })
}

/// The least period that the values of the heaps 0, 1, 2, … have for ever, if they suffice to prove
/// one. It is that of [`period`], in less room.
pub(super) fn proved_period(nimbers: &[u32], moves: Moves) -> Option<usize> {
    if !moves.by_code {
        return None;
    }
    let from_the_end: Vec<u32> = nimbers.iter().rev().copied().collect();
    let agreements = common_prefixes(&from_the_end);
    (1..nimbers.len()).find(|&period| {
        let preperiod = nimbers.len() - period - agreements[period] as usize;
        moves.window_end(preperiod, period) <= (nimbers.len() - period) as u64
    })
}

/// For each i the length of the longest common prefix of the items and the items from i on. No
/// list of values has 2³² items.
fn common_prefixes<T: PartialEq>(items: &[T]) -> Vec<u32> {
    let mut lengths = vec![items.len() as u32; items.len().min(1)];
    // The items from `start` to `end` are known to be a prefix.
    let (mut start, mut end) = (0, 0);
    for i in 1..items.len() {
        let mut length = if i < end { (lengths[i - start] as usize).min(end - i) } else { 0 };
        while i + length < items.len() && items[length] == items[i + length] {
            length += 1;
        }
        if i + length > end {
            (start, end) = (i, i + length);
        }
        lengths.push(length as u32);
    }
    lengths
}

/// What a search for a period found out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(into = "JsonPeriod")]
#[schemars(from = "JsonPeriod")]
pub struct PeriodReport {
    /// The name of the ruleset, parameters included.
    pub ruleset: String,
    /// The period, if one was found.
    pub period: Option<Period>,
    /// The largest heap whose value was checked.
    pub checked_to: usize,
    /// The exceptional heaps, before the period sets in: their value is not that which the period
    /// has at their place.
    pub exceptions: Vec<usize>,
    /// What ended the search before the last heap, and before anything was proved.
    pub interrupted: Option<Interrupted>,
}

impl Period {
    /// The heaps before the preperiod whose values differ from those at their places in the period.
    ///
    /// ```
    /// use nimoon_rulesets::heap::Period;
    /// let period = Period { preperiod: 3, period: 2, saltus: 0, proved: true, checked_to: 6 };
    /// assert_eq!(period.exceptions(&[0, 1, 5, 1, 0, 1, 0]), [2]);
    /// ```
    pub fn exceptions(&self, values: &[u64]) -> Vec<usize> {
        let regular = |heap: usize| {
            let later = (self.preperiod - heap).div_ceil(self.period);
            let grown = self.saltus.checked_mul(later as u64)?;
            values.get(heap + later * self.period)?.checked_sub(grown)
        };
        (0..self.preperiod.min(values.len()))
            .filter(|&heap| regular(heap) != Some(values[heap]))
            .collect()
    }
}

/// Searches the values of the heaps up to `limit` for a period.
///
/// It stops as soon as a period is proved.
fn search(game: &impl Shortcuts, moves: Moves, limit: usize, work: &Work) -> Option<PeriodReport> {
    /// The first attempt; each next one checks twice as many heaps.
    const FIRST: usize = 64;
    let mut sequence = game.sequence()?;
    let mut values = Vec::new();
    let mut checked_to = limit.min(FIRST);
    loop {
        let interrupted = match extend(&mut values, &mut *sequence, checked_to, work) {
            Ok(whole) => whole.map(|()| None)?,
            Err(interrupted) => {
                checked_to = values.len().saturating_sub(1);
                Some(interrupted)
            }
        };
        let period = period(&values, moves);
        let proved = period.is_some_and(|period| period.proved);
        if checked_to >= limit || proved || interrupted.is_some() {
            let exceptions = period.map_or_else(Vec::new, |period| period.exceptions(&values));
            let ruleset = game.name();
            // What is proved is proved, however the search ended.
            let interrupted = interrupted.filter(|_| !proved);
            return Some(PeriodReport { ruleset, period, checked_to, exceptions, interrupted });
        }
        checked_to = checked_to.saturating_mul(2).min(limit);
    }
}

/// Finds the nimbers of the heaps up to `last`; none if a heap has none.
fn extend(
    values: &mut Vec<u64>,
    sequence: &mut dyn Sequence,
    last: usize,
    work: &Work,
) -> Result<Option<()>, Interrupted> {
    let mut pace = HeapPace::new();
    while values.len() <= last {
        if pace.is_due() {
            work.hold(HEAP_BYTES * values.len() as u64)?;
            work.report(Progress::Heaps { known: values.len() })?;
        }
        work.admit_listed(values.len() as u64 + 1)
            .map_err(|_| Interrupted::positions(work.limits().positions))?;
        let Nimber(nimber) = sequence.advance() else { return Ok(None) };
        values.push(nimber);
    }
    Ok(Some(()))
}

/// What a heap takes in memory, with its value here and there.
const HEAP_BYTES: u64 = 64;

/// Searches the values of a code game for a period, looking at heaps up to `limit`.
///
/// ```
/// use nimoon_rulesets::heap::{Base, Code, code_period};
/// let kayles = Code::read("0.77", Base::Octal).unwrap();
/// let found = code_period(kayles, 1_000).unwrap().period.unwrap();
/// assert_eq!((found.preperiod, found.period, found.proved), (71, 12, true));
/// ```
pub fn code_period(code: Code, limit: usize) -> Option<PeriodReport> {
    let work = Work::default();
    take_and_break_period(&TakeAndBreak::new(code), limit, &work)
}

fn take_and_break_period(game: &TakeAndBreak, limit: usize, work: &Work) -> Option<PeriodReport> {
    search(game, game.most(), limit, work)
}

/// Searches the values of a ruleset with heaps for a period, looking at heaps up to `limit`, as far
/// as positions, memory, clock and token allow; the ruleset is given by its name in the catalogue
/// and what stands in its brackets.
///
/// None for a ruleset whose values are not searched. The time is quadratic in the limit at most,
/// cubic for codes that leave three heaps, unless a period is proved before.
///
/// ```
/// use nimoon::Work;
/// use nimoon_rulesets::heap::heap_period;
/// let grundy = heap_period("grundys-game", "", 500, &Work::default()).unwrap().unwrap();
/// assert_eq!((grundy.period, grundy.checked_to), (None, 500));
/// assert!(heap_period("wythoff", "", 500, &Work::default()).is_none());
/// ```
///
/// # Errors
/// When the parameters cannot be read.
pub fn heap_period(
    name: &str,
    parameters: &str,
    limit: usize,
    work: &Work,
) -> Option<Result<PeriodReport, NotationError>> {
    let base = match name {
        "octal" => Some(Base::Octal),
        "hexadecimal" => Some(Base::Hexadecimal),
        _ => None,
    };
    if let Some(base) = base {
        return match Code::read(parameters, base) {
            Ok(code) => take_and_break_period(&TakeAndBreak::new(code), limit, work).map(Ok),
            Err(error) => Some(Err(error)),
        };
    }
    if let Some(game) = TakeAndBreak::named(name) {
        return take_and_break_period(&game, limit, work).map(Ok);
    }
    match name {
        "subtraction" => match Subtraction::from_parameters(parameters) {
            Ok(game) => search(&game, game.most(), limit, work).map(Ok),
            Err(error) => Some(Err(error)),
        },
        "grundys-game" => {
            let moves = Moves { most_taken: 0, most_heaps: 2, by_code: false };
            search(&GrundysGame::new(), moves, limit, work).map(Ok)
        }
        _ => None,
    }
}

#[cfg(test)]
#[path = "period/tests.rs"]
mod tests;
