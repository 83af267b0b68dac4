//! Rulesets with a search of their own: when it is asked, and what becomes of its answers.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use nimoon::effort::{Effort, Interrupted};
use nimoon::ruleset::{Found, Interned, SearchProgress, Searching};
use nimoon::solution::{Solution, SolutionError};
use nimoon::value::EntailingValue::{self, Moon, Nimber};
use nimoon::{Budget, Move, NotationError, Outcome, Positions, Ruleset};

/// Heaps from which 1 to 9 tokens are taken, so that n has the value n mod 10; it takes a search a
/// thousand positions to say so. Heaps beyond a million are moons, to see what becomes of these.
struct Tens {
    /// How often each question was put: for a value, and for one nimber.
    asked: &'static [AtomicU64; 2],
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

    fn can_search(&self, _heap: &u64) -> bool {
        true
    }

    fn search(
        &self,
        heap: &u64,
        asked: Option<u64>,
        searching: &mut Searching<'_>,
    ) -> Result<Option<Found>, Interrupted> {
        self.asked[usize::from(asked.is_some())].fetch_add(1, Ordering::Relaxed);
        searching.count(SearchProgress { looked_at: 1000, ..SearchProgress::default() })?;
        Ok(Some(match (value(*heap), asked) {
            (Nimber(n), Some(asked)) if n != asked => Found::Another,
            (value, _) => Found::Value(value),
        }))
    }
}

fn asked() -> &'static [AtomicU64; 2] {
    Box::leak(Box::default())
}

fn solution(
    heaps: &[u64],
    budget: u64,
    asked: &'static [AtomicU64; 2],
) -> Result<Solution, SolutionError> {
    let mut tens = Interned::new(Tens { asked });
    let terms: Vec<_> = heaps.iter().map(|&heap| (0, tens.intern(heap))).collect();
    let fields: Vec<Box<dyn Positions>> = vec![Box::new(tens)];
    let mut watch = |_| ControlFlow::Continue(());
    Solution::new(fields, &terms, None, Budget::new(budget), &mut watch)
}

#[test]
fn what_is_small_is_explored_and_what_is_large_is_searched() {
    let count = asked();
    let small = solution(&[700], 4_000_000, count).unwrap();
    assert_eq!(small.value(small.start()).unwrap().to_string(), "0");
    assert_eq!(count[0].load(Ordering::Relaxed), 0);
    let large = solution(&[777_777, 5], 4_000_000, count).unwrap();
    assert_eq!(large.value(large.start()).unwrap().to_string(), "2");
    assert_eq!(count[0].load(Ordering::Relaxed), 2);
    assert_eq!(large.size().0, 2);
}

#[test]
fn a_winning_move_is_found_by_asking_for_one_nimber() {
    let count = asked();
    let mut large = solution(&[777_777, 100_004], 4_000_000, count).unwrap();
    let start = large.start().clone();
    assert_eq!(large.outcome(&start), Ok(Outcome::N));
    let answer = large.answer(&start).unwrap();
    let turn = answer.turn.unwrap();
    assert_eq!(turn.plies.len(), 1);
    assert_eq!(turn.plies[0].to, "tens:777774");
    // Values were asked for at the start alone.
    assert_eq!(count[0].load(Ordering::Relaxed), 2);
    assert!(count[1].load(Ordering::Relaxed) > 0);
    let after = large.after(&start, &answer.moves[0]);
    assert_eq!(large.outcome(&after), Ok(Outcome::P));
    // From there every move loses, and some move is made.
    let answer = large.answer(&after).unwrap();
    assert_eq!((answer.outcome, answer.moves.len()), (Outcome::P, 1));
    // A value that nobody asked for is not guessed.
    let other = large.after(&after, &answer.moves[0]);
    assert_eq!(large.value(&other), None);
    large.label(&other, 0);
    large.label(&other, 1);
    assert!(large.value(&other).is_some());
}

#[test]
fn a_moon_is_a_moon() {
    let mut large = solution(&[2_000_000, 100_004], 4_000_000, asked()).unwrap();
    let start = large.start().clone();
    assert_eq!(large.value(&start).unwrap().to_string(), "☾");
    assert_eq!(large.outcome(&start), Ok(Outcome::N));
}

#[test]
fn a_search_counts_against_the_budget_sixteen_positions_for_one() {
    let error = solution(&[777_777], 62, asked()).err().unwrap();
    assert_eq!(
        error,
        SolutionError::Search {
            interrupted: Interrupted::positions(62),
            looked_at: 1000,
            each: 16
        }
    );
    assert!(error.to_string().starts_with("the budget of 62 positions was hit: 1000 positions"));
    let mut solved = solution(&[777_777], 63, asked()).unwrap();
    solved.answer_within(Effort::default().until(Arc::new(AtomicBool::new(true))));
    let start = solved.start().clone();
    let broken_off = solved.answer(&start).unwrap_err();
    assert_eq!(broken_off.interrupted(), Some(Interrupted::Stopped));
}

#[test]
fn who_watches_is_told_how_far_the_search_is_and_can_stop_it() {
    let mut tens = Interned::new(Tens { asked: asked() });
    let terms = [(0, tens.intern(777_777))];
    let fields: Vec<Box<dyn Positions>> = vec![Box::new(tens)];
    let mut watch = |progress: nimoon::explore::Progress| match progress.search {
        Some(search) if search.looked_at == 1000 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let stopped = Solution::new(fields, &terms, None, Budget::DEFAULT, &mut watch).err().unwrap();
    assert!(
        matches!(stopped, SolutionError::Search { interrupted: Interrupted::Stopped, .. }),
        "{stopped}"
    );
}
