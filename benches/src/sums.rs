//! Compares value, outcome and turn of sums of many components with a plain list of all options.

use std::time::Instant;

use nimoon::solve::solution::{AnswerError, Solution, SolutionError};
use nimoon::{Outcome, Work};
use nimoon_session::expression::{Expression, ExpressionError, NoLibrary};
use thiserror::Error;

use crate::machine::median;

/// Why the comparison stopped.
#[derive(Debug, Error)]
pub(crate) enum SumsError {
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    #[error(transparent)]
    Solution(#[from] SolutionError),
    #[error(transparent)]
    Answer(#[from] AnswerError),
    #[error("WRONG ANSWER: {0}")]
    Wrong(String),
}

const COMPONENTS: usize = 10_000;

/// The components of random sums.
const KINDS: [(&str, &[&str]); 4] = [
    ("nim heaps below 1000", &[]),
    ("kayles and nim", &["kayles:9", "kayles:40", "nim:7", "kayles:23", "nim:12"]),
    ("entailing", &["top-entails:7", "top-entails:40", "kayles:9", "nimstring:1x3", "nim:6"]),
    (
        "carry-on",
        &[
            "green-lime:lg",
            "green-lime:0-1g,1-2l,1-3g,2-3g",
            "slide[-1,-2;20]:7",
            "nim:5",
            "kayles:5",
        ],
    ),
];

fn expression(positions: &[&str]) -> String {
    let mut state = 11_u64;
    let mut below = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let term = |_| match positions.len() {
        0 => format!("nim:{}", below(1000)),
        len => positions[below(len)].to_owned(),
    };
    (0..COMPONENTS).map(term).collect::<Vec<_>>().join(" + ")
}

/// The outcome of a sum of nim heaps, by checking every option of every component.
fn plain_nim(heaps: &[u64]) -> Option<(usize, u64)> {
    let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
    let mut found = None;
    for (i, &heap) in heaps.iter().enumerate() {
        for to in 0..heap {
            if sum ^ heap ^ to == 0 && found.is_none() {
                found = Some((i, to));
            }
        }
    }
    std::hint::black_box(found)
}

/// Plays the turn and checks the position that it leaves.
fn check(solution: &mut Solution) -> Result<Outcome, SumsError> {
    let start = solution.start().clone();
    let value = solution.value(&start);
    let answer = solution.answer(&start)?;
    let wrong = |what: &str| SumsError::Wrong(format!("{what}: value {value:?}"));
    if value.as_ref().and_then(nimoon::AnyValue::outcome) != Some(answer.outcome) {
        return Err(wrong("the outcome is not that of the value"));
    }
    let mut left = start;
    for made in &answer.moves {
        left = solution.after(&left, made);
    }
    if answer.outcome == Outcome::N && solution.outcome(&left)? != Outcome::P {
        return Err(wrong("the turn does not win"));
    }
    Ok(answer.outcome)
}

/// Measures value, outcome and turn after exploration and labelling.
pub(crate) fn run(rounds: usize) -> Result<(), SumsError> {
    println!("sums of {COMPONENTS} components: value, outcome and turn, once explored\n");
    println!("| components | explored s | ms | outcome |");
    println!("|---|---:|---:|---|");
    for (name, positions) in KINDS {
        let text = expression(positions);
        let start = Instant::now();
        let Expression { fields, terms } = Expression::read(&text, &mut NoLibrary)?;
        let mut solution = Solution::new(fields, &terms, None, &Work::default())?;
        let explored = start.elapsed().as_secs_f64();
        let outcome = check(&mut solution)?;
        let placement = solution.start().clone();
        let mut ours = Vec::new();
        for _ in 0..rounds {
            let start = Instant::now();
            let value = solution.value(&placement);
            let answer = solution.answer(&placement)?;
            ours.push(1e3 * start.elapsed().as_secs_f64());
            std::hint::black_box((value, answer));
        }
        let ours = median(ours);
        println!("| {name} | {explored:.3} | {ours:.2} | {outcome} |");
        if positions.is_empty() {
            let heaps = text
                .split("nim:")
                .skip(1)
                .filter_map(|heap| heap.split(' ').next().and_then(|heap| heap.parse().ok()));
            let heaps: Vec<u64> = heaps.collect();
            let start = Instant::now();
            let found = plain_nim(&heaps);
            let theirs = 1e3 * start.elapsed().as_secs_f64();
            if found.is_some() != (outcome == Outcome::N) {
                return Err(SumsError::Wrong("the plain list disagrees".to_owned()));
            }
            println!("| the same by a plain list of all options | – | {theirs:.2} | {outcome} |");
        }
    }
    println!("\nevery winning turn was played, and leaves a P-position by its values");
    Ok(())
}
