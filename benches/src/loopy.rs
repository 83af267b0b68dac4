//! Loopy partizan games: compares the engine with a plain implementation, in one run.
//!
//! Both run if the plain one is not too slow, that is for sums and smaller cases of the rest, and
//! their answers are compared. Every answer of the engine is also proved in another way, outside of
//! the time:
//!
//! - a multiple n·G by `order::compare` with the product graph of (n−1)·G and G, and by adding
//!   halves in place of single terms;
//! - the sides of a random graph by `order::compare` with the graph;
//! - a comparison in a random graph by that of the sides;
//! - a position by `order::compare` with the graph of all its followers.

mod fox_geese;
mod multiple;
mod plain;
mod random;

use std::time::Instant;

use nimoon::notation::NotationError;
use nimoon::partizan::notation::EvaluateError;
use nimoon::{Interrupted, partizan::GraphError};
use thiserror::Error;

use crate::machine::median;

/// Why the measurement stopped.
#[derive(Debug, Error)]
pub(crate) enum LoopyError {
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    #[error(transparent)]
    Graph(#[from] GraphError),
    #[error("{0}")]
    Notation(#[from] NotationError),
    #[error("WRONG ANSWER for {case}: {what}")]
    Wrong { case: String, what: &'static str },
}

fn wrong(case: &str, what: &'static str) -> LoopyError {
    LoopyError::Wrong { case: case.to_string(), what }
}

/// The measurements of one case.
struct Row {
    case: String,
    /// The size of the case, in words.
    size: String,
    engine: f64,
    /// Seconds of the plain implementation, if it ran too.
    plain: Option<f64>,
    answer: String,
}

impl Row {
    fn print(&self) {
        let Self { case, size, engine, plain, answer } = self;
        let (time, ratio) = match plain {
            Some(plain) => (format!("{plain:.6}"), format!("{:.5}", engine / plain)),
            None => ("–".to_string(), "–".to_string()),
        };
        println!("| {case} | {size} | {engine:.6} | {time} | {ratio} | {answer} |");
    }
}

/// Runs something that can fail, and returns the seconds that it took.
fn timed<T>(run: impl FnOnce() -> Result<T, LoopyError>) -> Result<(f64, T), LoopyError> {
    let start = Instant::now();
    let answer = run()?;
    Ok((start.elapsed().as_secs_f64(), answer))
}

/// Runs the engine and the plain implementation, if any, by turns. Returns the medians of their
/// times and their last answers.
#[expect(clippy::type_complexity, reason = "two pairs of a time and an answer")]
fn by_turns<E, P>(
    rounds: usize,
    mut engine: impl FnMut() -> Result<E, LoopyError>,
    mut plain: Option<&mut dyn FnMut() -> Result<P, LoopyError>>,
) -> Result<((f64, E), Option<(f64, P)>), LoopyError> {
    let (mut engine_times, mut plain_times) = (Vec::new(), Vec::new());
    let mut answers = None;
    for _ in 0..rounds.max(1) {
        let (seconds, answer) = timed(&mut engine)?;
        engine_times.push(seconds);
        let other = match &mut plain {
            Some(run) => {
                let (seconds, answer) = timed(run)?;
                plain_times.push(seconds);
                Some(answer)
            }
            None => None,
        };
        answers = Some((answer, other));
    }
    let Some((answer, other)) = answers else { unreachable!("there is at least one round") };
    Ok(((median(engine_times), answer), other.map(|other| (median(plain_times), other))))
}

/// The text of a game, or the size of its graph if that is shorter.
fn short(text: &str, vertices: usize) -> String {
    const MOST: usize = 24;
    if text.chars().count() <= MOST {
        format!("`{}`", text.replace('|', "\\|"))
    } else {
        format!("{vertices} vertices")
    }
}

/// Measures all families, each at both sizes.
pub(crate) fn run(rounds: usize) -> Result<(), LoopyError> {
    println!(
        "loopy: partizan games with cycles; medians of {rounds} runs by turns in one process; plain is \
         the same without counters or tables, on whole graphs; a ratio is nimoon by plain\n"
    );
    println!("| case | size | nimoon s | plain s | ratio | answer |");
    println!("|---|---|---:|---:|---:|---|");
    for (text, small, full) in [("a{0||||0|||a|*||*}", 10, 40), ("upon", 20, 80)] {
        multiple::measure(text, small, rounds)?.print();
        multiple::measure(text, full, rounds)?.print();
    }
    for (len, with_plain) in [(40, true), (320, false)] {
        random::measure_sides(len, with_plain, rounds)?.print();
        random::measure_comparison(len, with_plain, rounds)?.print();
    }
    for (text, with_plain) in fox_geese::POSITIONS {
        fox_geese::measure(text, with_plain, rounds)?.print();
    }
    println!("\nevery answer compared with the plain implementation or proved by comparison");
    Ok(())
}
