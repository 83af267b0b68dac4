//! Compares the search for Nimstring with exploration, and all positions of one board with brute
//! force.
//!
//! Empty boards are solved by the search of the program, and if possible also by exploring all
//! their positions, as for any ruleset; both must give the known value. Then all 2^24 sets of edges
//! of the 3x3 board are searched, and compared with a plain loop over these sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use nimoon::impartial::value::EntailingValue::{self, Moon, Nimber};
use nimoon::ruleset::{Found, Ruleset, Shortcuts};
use nimoon::solve::solution::{Solution, SolutionError};
use nimoon::{Limits, Progress, Theory, Work};
use nimoon_rulesets::grid::Nimstring;
use nimoon_session::expression::{Expression, ExpressionError, NoLibrary};
use thiserror::Error;

/// Why the bench stopped.
#[derive(Debug, Error)]
pub(crate) enum NimstringError {
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    #[error(transparent)]
    Solution(#[from] SolutionError),
    #[error("WRONG ANSWER: {0}")]
    Wrong(String),
}

/// Boards with their values, and whether all their positions can be explored. Brute force over all
/// sets of edges gives the value of 3x3; the others were found by the search and by a separate
/// prototype of the same method.
const BOARDS: [(&str, &str, bool); 4] =
    [("3x3", "2", true), ("3x4", "0", false), ("2x6", "1", false), ("4x4", "1", false)];

/// The value of a board, and the number of visited positions.
fn solve(board: &str, theory: Option<Theory>) -> Result<(String, u64), NimstringError> {
    let text = format!("nimstring:{board}");
    let Expression { fields, terms } = Expression::read(&text, &mut NoLibrary)?;
    let visited = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&visited);
    let work = Work::new(Limits::new(1 << 30)).on_progress(move |progress| match progress {
        Progress::Exploring { expanded, .. } => counter.store(expanded as u64, Ordering::Relaxed),
        Progress::Searching { visited, .. } => counter.store(visited, Ordering::Relaxed),
        _ => {}
    });
    let solution = Solution::new(fields, &terms, theory, &work)?;
    let visited = visited.load(Ordering::Relaxed);
    let value = solution.value(solution.start());
    Ok((value.map_or_else(|| "none".to_owned(), |value| value.to_string()), visited))
}

/// The values of all sets of drawn edges of the 3x3 board, by the definition.
fn brute_force() -> Vec<EntailingValue> {
    const SIDE: usize = 3;
    const EDGES: usize = 24;
    let boxes: Vec<u32> = (0..SIDE * SIDE)
        .map(|place| {
            let (row, column) = (place / SIDE, place % SIDE);
            let left = EDGES / 2 + row * (SIDE + 1) + column;
            1 << place | 1 << (place + SIDE) | 1 << left | 1 << (left + 1)
        })
        .collect();
    let mut values = vec![Moon; 1 << EDGES];
    for drawn in (0..1_u32 << EDGES).rev() {
        // The heaps of less than 64 tokens beside which a first move here wins.
        let mut wins = 0_u64;
        for edge in (0..EDGES).filter(|edge| drawn >> edge & 1 == 0) {
            let after = drawn | 1 << edge;
            let again = boxes.iter().any(|sides| sides >> edge & 1 == 1 && sides & after == *sides);
            wins |= match (again, values[after as usize]) {
                (false, Moon) => 0,
                (false, Nimber(heap)) => 1 << heap,
                (true, Moon) => u64::MAX,
                (true, Nimber(heap)) => !(1 << heap),
            };
        }
        if wins != u64::MAX {
            values[drawn as usize] = Nimber(u64::from(wins.trailing_ones()));
        }
    }
    values
}

/// Searches all positions of the 3x3 board.
fn compare_all() -> Result<(), NimstringError> {
    let start = Instant::now();
    let values = brute_force();
    let brute = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let nimstring = Nimstring::default();
    let mut moons = 0;
    for (drawn, &expected) in values.iter().enumerate() {
        let bit = |edge: usize| if drawn >> edge & 1 == 1 { '1' } else { '0' };
        let across: String = (0..12).map(bit).collect();
        let down: String = (12..24).map(bit).collect();
        let text = format!("3x3/{across}/{down}");
        let wrong = |what: String| NimstringError::Wrong(format!("{text}: {what}"));
        let position = nimstring.read(&text).map_err(|error| wrong(error.to_string()))?;
        let found = nimstring.search(&position, None, &mut Work::new(Limits::new(u64::MAX)));
        if found != Ok(Some(Found::Value(expected))) {
            return Err(wrong(format!("{found:?}, by brute force {expected}")));
        }
        moons += u32::from(expected == Moon);
    }
    let all = values.len();
    let search = start.elapsed().as_secs_f64();
    println!(
        "\nall {all} positions of 3x3 agree with brute force, {moons} of them moons: {search:.0} s \
         by search one by one, {brute:.0} s by brute force together"
    );
    Ok(())
}

/// Runs the bench.
pub(crate) fn run() -> Result<(), NimstringError> {
    println!("nimstring: empty boards by search, and by exploring if that ends\n");
    println!(
        "| board | value | s by search | positions | s by exploring | positions | times as fast |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for (board, known, explored) in BOARDS {
        let timed = |theory| {
            let start = Instant::now();
            let (value, visited) = solve(board, theory)?;
            if value != known {
                return Err(NimstringError::Wrong(format!("{board}: {value} and not {known}")));
            }
            Ok((start.elapsed().as_secs_f64(), visited))
        };
        let (search, visited) = timed(None)?;
        print!("| {board} | {known} | {search:.2} | {visited} |");
        if explored {
            // The carry-on theory has no search, so this one explores; the value is the same
            // number.
            let (exploring, positions) = timed(Some(Theory::CarryOn))?;
            println!(" {exploring:.2} | {positions} | {:.1} |", exploring / search);
        } else {
            println!(" – | – | – |");
        }
    }
    compare_all()
}
