//! Compares the explorer with `baseline/explore.cpp`, a hash table and rows.
//!
//! The numbers of positions and of options must agree, and for games that are labelled the value too.

use std::process::Command;
use std::time::Instant;

use nimoon::solve::explore::{Exploration, ExploreError, Part};
use nimoon::solve::solution::{Solution, SolutionError};
use nimoon::{Limits, Work};
use nimoon_session::expression::{Expression, ExpressionError, NoLibrary};
use thiserror::Error;

use crate::answer::{AnswerError, read_numbers};
use crate::baseline::{BaselineError, compile};
use crate::machine::median;

/// Why the comparison stopped.
#[derive(Debug, Error)]
pub(crate) enum ExplorerError {
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    #[error("the baseline could not be started: {0}")]
    NotStarted(#[from] std::io::Error),
    #[error(transparent)]
    Answer(#[from] AnswerError),
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    #[error(transparent)]
    Explore(#[from] ExploreError),
    #[error(transparent)]
    Solution(#[from] SolutionError),
    #[error("WRONG ANSWER for {case}: {what} is {found}, and {expected} by the baseline")]
    Wrong { case: &'static str, what: &'static str, found: f64, expected: f64 },
}

/// Each position with the arguments of the baseline.
const CASES: [(&str, &[&str]); 3] = [
    ("slide[-2,-3,+1;1000000]:500000", &["slide", "1000000", "500000", "-2", "-3", "1"]),
    ("wythoff:400,401", &["wythoff", "400", "401"]),
    ("green-lime:glglglglglglglgl", &["stalk", "glglglglglglglgl"]),
];

/// What the baseline says of stalks, which it does not label.
const UNLABELLED: f64 = -2.0;

fn work() -> Work {
    Work::new(Limits::new(1 << 26).bytes(u64::MAX))
}

/// Positions, options and the seconds that exploring took.
fn explore(case: &str) -> Result<[f64; 3], ExplorerError> {
    let Expression { fields, terms } = Expression::read(case, &mut NoLibrary)?;
    let start = Instant::now();
    let mut exploration = Exploration::new(fields);
    for (field, position) in terms {
        exploration.part(field, position);
    }
    exploration.explore(&work())?;
    let seconds = start.elapsed().as_secs_f64();
    let options = |part: Part| exploration.options(part).count();
    let options: usize = (0..exploration.len() as Part).map(options).sum();
    Ok([exploration.len() as f64, options as f64, seconds])
}

/// The nimber, −1 if it is infinite, and the seconds from rules to value.
fn value(case: &str) -> Result<[f64; 2], ExplorerError> {
    let Expression { fields, terms } = Expression::read(case, &mut NoLibrary)?;
    let start = Instant::now();
    let solution = Solution::new(fields, &terms, None, &work())?;
    let value = solution.value(solution.start());
    let seconds = start.elapsed().as_secs_f64();
    Ok([value.and_then(|value| value.nimber()).map_or(-1.0, |n| n as f64), seconds])
}

fn same(
    case: &'static str,
    what: &'static str,
    found: f64,
    expected: f64,
) -> Result<(), ExplorerError> {
    if (found - expected).abs() < 0.5 {
        return Ok(());
    }
    Err(ExplorerError::Wrong { case, what, found, expected })
}

/// Explores each case by both, in turns.
pub(crate) fn run(rounds: usize) -> Result<(), ExplorerError> {
    let baseline = compile("explore")?;
    println!(
        "explore: positions and options by nimoon and by a plain program in C++; medians of {rounds} \
         runs by turns; a ratio is nimoon by C++\n"
    );
    println!(
        "| position | positions | options | C++ s | nimoon s | ratio | C++ with values s | nimoon with \
         values s | ratio | C++ MB |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (case, arguments) in CASES {
        let (mut plain, mut plain_all) = (Vec::new(), Vec::new());
        let (mut ours, mut ours_all) = (Vec::new(), Vec::new());
        let mut size = [0.0; 3];
        for _ in 0..rounds.max(1) {
            let output = Command::new(&baseline).args(arguments).output()?;
            let output = String::from_utf8_lossy(&output.stdout).into_owned();
            let names = ["explore_s", "label_s", "positions", "options", "value", "rss_mb"];
            let [explore_s, label_s, positions, options, expected, rss] =
                read_numbers(&output, names)?;
            let [found_positions, found_options, seconds] = explore(case)?;
            same(case, "the number of positions", found_positions, positions)?;
            same(case, "the number of options", found_options, options)?;
            let [nimber, all] = value(case)?;
            if expected > UNLABELLED {
                same(case, "the nimber", nimber, expected)?;
            }
            plain.push(explore_s);
            plain_all.push(explore_s + label_s);
            ours.push(seconds);
            ours_all.push(all);
            size = [positions, options, rss];
        }
        let [plain, plain_all, ours, ours_all] = [plain, plain_all, ours, ours_all].map(median);
        let [positions, options, rss] = size;
        println!(
            "| `{case}` | {positions} | {options} | {plain:.3} | {ours:.3} | {:.2} | {plain_all:.3} | \
             {ours_all:.3} | {:.2} | {rss:.0} |",
            ours / plain,
            ours_all / plain_all
        );
    }
    println!("\npositions, options and values agree");
    Ok(())
}
