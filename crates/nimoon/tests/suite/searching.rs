//! Rulesets with a search of their own: when it is called, and what becomes of its answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use nimoon::impartial::value::EntailingValue::{self, Moon, Nimber};
use nimoon::limits::{Interrupted, Work};
use nimoon::ruleset::{Found, Interned};
use nimoon::solve::solution::{Solution, SolutionError};
use nimoon::{
    Limits, Move, Notation, NotationError, Outcome, Positions, Progress, Ruleset, Shortcuts,
};

/// Heaps from which 1 to 9 tokens are taken, so that n has the value n mod 10; it takes a search a
/// thousand positions to say so. Heaps beyond a million are moons, to see what becomes of these.
struct Tens {
    /// How often each question was put: for a value, and for one nimber.
    calls: &'static [AtomicU64; 2],
}

fn value(heap: u64) -> EntailingValue {
    if heap > 1_000_000 { Moon } else { Nimber(heap % 10) }
}

impl Ruleset for Tens {
    type Position = u64;

    fn name(&self) -> String {
        "tens".into()
    }

    fn options(&self, heap: &u64) -> impl Iterator<Item = Move<u64>> {
        (heap.saturating_sub(9)..*heap).map(Move::to)
    }

    fn read(&self, text: &str) -> Result<u64, NotationError> {
        text.parse().map_err(|_| NotationError::at(0, "expected a number"))
    }

    fn write(&self, heap: &u64) -> String {
        heap.to_string()
    }
}

impl Notation for Tens {}

impl Shortcuts for Tens {
    fn can_search(&self, _heap: &u64) -> bool {
        true
    }

    fn search(
        &self,
        heap: &u64,
        nimber: Option<u64>,
        work: &mut Work,
    ) -> Result<Option<Found>, Interrupted> {
        self.calls[usize::from(nimber.is_some())].fetch_add(1, Ordering::Relaxed);
        work.count_all(1000)?;
        work.report(Progress::Searching {
            visited: work.used(),
            kept: 0,
            filled: 0,
            question: 0,
            answered: 0,
        })?;
        Ok(Some(match (value(*heap), nimber) {
            (Nimber(n), Some(nimber)) if n != nimber => Found::Another,
            (value, _) => Found::Value(value),
        }))
    }
}

fn calls() -> &'static [AtomicU64; 2] {
    Box::leak(Box::default())
}

fn solution(
    heaps: &[u64],
    budget: u64,
    calls: &'static [AtomicU64; 2],
) -> Result<Solution, SolutionError> {
    let mut tens = Interned::new(Tens { calls });
    let terms: Vec<_> = heaps.iter().map(|&heap| (0, tens.intern(heap))).collect();
    let fields: Vec<Box<dyn Positions>> = vec![Box::new(tens)];
    Solution::new(fields, &terms, None, &Work::new(Limits::new(budget)))
}

#[test]
fn what_is_small_is_explored_and_what_is_large_is_searched() {
    let count = calls();
    let small = solution(&[700], 4_000_000, count).unwrap();
    assert_eq!(small.value(small.start()).unwrap().to_string(), "0");
    assert_eq!(count[0].load(Ordering::Relaxed), 0);
    let large = solution(&[777_777, 5], 4_000_000, count).unwrap();
    assert_eq!(large.value(large.start()).unwrap().to_string(), "2");
    assert_eq!(count[0].load(Ordering::Relaxed), 2);
    assert_eq!(large.size().0, 2);
}

#[test]
fn a_winning_move_is_found_by_testing_one_nimber() {
    let count = calls();
    let mut large = solution(&[777_777, 100_004], 4_000_000, count).unwrap();
    let start = large.start().clone();
    assert_eq!(large.outcome(&start), Ok(Outcome::N));
    let answer = large.answer(&start).unwrap();
    let turn = answer.turn.unwrap();
    assert_eq!(turn.plies.len(), 1);
    assert_eq!(turn.plies[0].to, "tens:777774");
    // Values were computed only at the start.
    assert_eq!(count[0].load(Ordering::Relaxed), 2);
    assert!(count[1].load(Ordering::Relaxed) > 0);
    let after = large.after(&start, &answer.moves[0]);
    assert_eq!(large.outcome(&after), Ok(Outcome::P));
    // From there every move loses, and some move is made.
    let answer = large.answer(&after).unwrap();
    assert_eq!((answer.outcome, answer.moves.len()), (Outcome::P, 1));
    // A value that was not requested is not guessed.
    let other = large.after(&after, &answer.moves[0]);
    assert_eq!(large.value(&other), None);
    large.label(&other, 0);
    large.label(&other, 1);
    assert!(large.value(&other).is_some());
}

#[test]
fn a_moon_is_a_moon() {
    let mut large = solution(&[2_000_000, 100_004], 4_000_000, calls()).unwrap();
    let start = large.start().clone();
    assert_eq!(large.value(&start).unwrap().to_string(), "☾");
    assert_eq!(large.outcome(&start), Ok(Outcome::N));
}

#[test]
fn a_search_counts_against_the_budget_sixteen_positions_for_one() {
    let error = solution(&[777_777], 62, calls()).err().unwrap();
    assert_eq!(
        error,
        SolutionError::Search { interrupted: Interrupted::positions(62), visited: 1000, each: 16 }
    );
    assert!(error.to_string().starts_with("the budget of 62 positions was hit: 1000 positions"));
    let mut solved = solution(&[777_777], 63, calls()).unwrap();
    solved.answer_within(&Work::default().until(Arc::new(AtomicBool::new(true))));
    let start = solved.start().clone();
    let broken_off = solved.answer(&start).unwrap_err();
    assert_eq!(broken_off.interrupted(), Some(Interrupted::Stopped));
}

#[test]
fn a_callback_receives_progress_and_can_stop_the_search() {
    let mut tens = Interned::new(Tens { calls: calls() });
    let terms = [(0, tens.intern(777_777))];
    let fields: Vec<Box<dyn Positions>> = vec![Box::new(tens)];
    let work = Work::default();
    let token = work.token();
    let work = work.on_progress(move |progress| {
        if matches!(progress, Progress::Searching { visited: 1000, .. }) {
            token.store(true, Ordering::Relaxed);
        }
    });
    let stopped = Solution::new(fields, &terms, None, &work).err().unwrap();
    assert!(
        matches!(stopped, SolutionError::Search { interrupted: Interrupted::Stopped, .. }),
        "{stopped}"
    );
}
