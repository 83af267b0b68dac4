//! How the work of commands grows with their input, by counted instructions.
//!
//! Each row is a command with a size in it. It runs at four sizes, each twice the one before, under
//! `valgrind --tool=callgrind` with one thread, and once at a size that is next to nothing. The
//! instructions beyond that one are fitted by a power of the size. The exponent may exceed the one that
//! theory needs by no more than [`SLACK`], since sizes are small and logarithms count too.
//!
//! Counts of instructions are the same in every run, so no quiet machine is needed. An answer that is
//! wrong is an error, as in every bench: rows say what the answer must be.

mod inputs;
mod rows;

use std::io;
use std::path::PathBuf;
use std::process::Command;

use thiserror::Error;

use inputs::Inputs;
use rows::{ROWS, Row};

/// By how much an exponent may exceed the expected one.
const SLACK: f64 = 0.3;

/// Why the measurement stopped.
#[derive(Debug, Error)]
pub(crate) enum GrowthError {
    #[error("`valgrind` could not be started ({0}); install it to count instructions")]
    NoValgrind(io::Error),
    #[error("{path}: {error}", path = path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("`nimoon {command}` failed: {message}")]
    Failed { command: String, message: String },
    #[error("no count of instructions in what valgrind prints for `nimoon {command}`")]
    NoCount { command: String },
    #[error("WRONG ANSWER of `nimoon {command}`: it has no `{expected}`")]
    Wrong { command: String, expected: String },
    #[error("TOO FAST GROWTH: {0}")]
    TooFast(String),
}

/// What a row took at one size.
fn instructions(inputs: &Inputs, row: &Row, size: u64) -> Result<f64, GrowthError> {
    let arguments = inputs.arguments(row, size)?;
    let command = arguments.join(" ");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(inputs.program())
        .args(&arguments)
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .map_err(GrowthError::NoValgrind)?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let message = errors.lines().filter(|line| !line.starts_with("==")).collect();
        return Err(GrowthError::Failed { command, message });
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let expected = (row.answer)(size);
    if !printed.contains(&expected) {
        return Err(GrowthError::Wrong { command, expected });
    }
    collected(&errors).ok_or(GrowthError::NoCount { command })
}

/// The count in the line `==123== Collected : 456` of callgrind.
fn collected(errors: &str) -> Option<f64> {
    let line = errors.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

/// The slope of the straight line through these points, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let above: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let below: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    above / below
}

/// The exponent of a row, and the millions of instructions at each of its sizes.
fn exponent(inputs: &Inputs, row: &Row) -> Result<(f64, Vec<f64>), GrowthError> {
    let nothing = instructions(inputs, row, row.nothing)?;
    let mut points = Vec::new();
    let mut counts = Vec::new();
    for power in 0..4 {
        let size = row.first << power;
        let beyond = (instructions(inputs, row, size)? - nothing).max(1.0);
        points.push(((size as f64).ln(), beyond.ln()));
        counts.push(beyond / 1e6);
    }
    Ok((slope(&points), counts))
}

/// Counts all rows, and fails if one grows too fast.
pub(crate) fn run() -> Result<(), GrowthError> {
    let inputs = Inputs::new()?;
    println!(
        "growth: instructions by callgrind, one thread, at four sizes beyond those at a size of nothing; \
         an exponent may exceed the expected one by {SLACK}\n"
    );
    println!("| command | first size | instructions, 10^6 | exponent | expected |");
    println!("|---|---:|---|---:|---:|");
    let mut too_fast = Vec::new();
    for row in ROWS {
        let (found, counts) = exponent(&inputs, row)?;
        let counts: Vec<_> = counts.iter().map(|count| format!("{count:.1}")).collect();
        let (name, expected) = (row.name.replace('|', "\\|"), row.expected);
        println!("| {name} | {} | {} | {found:.2} | {expected} |", row.first, counts.join(", "));
        if found > expected + SLACK {
            too_fast.push(format!("{} by {found:.2}, expected {expected}", row.name));
        }
    }
    if !too_fast.is_empty() {
        return Err(GrowthError::TooFast(too_fast.join("; ")));
    }
    println!("\nno row grows faster than expected");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_of_a_power_is_found() {
        let points = [1.0_f64, 2.0, 4.0, 8.0].map(|n| (n.ln(), (5.0 * n.powf(2.5)).ln()));
        assert!((slope(&points) - 2.5).abs() < 1e-9);
    }

    #[test]
    fn the_count_is_read_from_what_callgrind_prints() {
        let printed = "==7== Callgrind\n==7== Collected : 123456\n==7== \n";
        assert_eq!(collected(printed), Some(123_456.0));
        assert_eq!(collected("nothing"), None);
    }

    #[test]
    fn names_and_sizes_of_rows_are_all_different() {
        for (place, row) in ROWS.iter().enumerate() {
            assert!(row.first > row.nothing, "{}", row.name);
            assert!(ROWS[..place].iter().all(|other| other.name != row.name), "{}", row.name);
        }
    }
}
