//! Compares the values of octal games with `baseline/octal.c`, a plain double loop.
//!
//! Ours are computed only by the recursion, on one thread, with each set of instructions, without
//! the search for a period that `nimoon table` makes. Both programs print the checksum of all
//! values, and it must be the same.

use std::path::{Path as FilePath, PathBuf};
use std::process::Command;
use std::time::Instant;

use nimoon::impartial::value::EntailingValue::{Moon, Nimber};
use nimoon::ruleset::Sequence;
use nimoon_rulesets::heap::{Base, Code, Path, code_sequence, grundys_game_sequence};
use thiserror::Error;

use crate::baseline::{BaselineError, compile, output};
use crate::top_entails::seconds_used;

/// Codes with and without sparse spaces, with small and large values.
const CODES: [&str; 8] = ["0.77", "0.07", "0.156", "0.007", "0.106", "4.7", "0.6", "0.45"];
/// The largest heap of these.
const HEAPS: usize = 40_000;
/// Codes with sparse spaces, which are compared up to larger heaps.
const SPARSE: [&str; 3] = ["0.16", "0.6", "0.165"];
/// The largest heap of these.
const FAR: usize = 200_000;
/// The largest heap without the baseline.
const FARTHEST: usize = 1_000_000;

/// Why the comparison stopped.
#[derive(Debug, Error)]
pub(crate) enum OctalError {
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    #[error("the output of {path} is not as expected: {text}", path = path.display())]
    Output { path: PathBuf, text: String },
    #[error("{0} is not an octal code")]
    Code(&'static str),
    #[error("WRONG ANSWER: {0}")]
    Wrong(String),
    #[error("cannot start a pool of one thread: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The checksum of all values, and the seconds that they took: processor time if the system reports
/// it, as in the baseline.
struct Measured {
    checksum: u64,
    seconds: f64,
}

/// Reads the checksum and the seconds of the processor that the baseline prints.
fn read(text: &str) -> Option<Measured> {
    let word = |start: &str| text.split_whitespace().find_map(|word| word.strip_prefix(start));
    let checksum = u64::from_str_radix(word("fnv=")?, 16).ok()?;
    Some(Measured { checksum, seconds: word("time=")?.parse().ok()? })
}

fn run_baseline(program: &FilePath, code: &str, heaps: usize) -> Result<Measured, OctalError> {
    let mut command = Command::new(program);
    command.args([code, &heaps.to_string()]);
    let text = output(command)?;
    read(&text).ok_or_else(|| OctalError::Output { path: program.to_owned(), text: text.clone() })
}

/// Computes the values of the heaps up to the last one, and their checksum as in the baseline.
fn run_ours(mut sequence: impl Sequence, heaps: usize) -> Measured {
    const OFFSET: u64 = 1_469_598_103_934_665_603;
    const PRIME: u64 = 1_099_511_628_211;
    let (start, before) = (Instant::now(), seconds_used());
    let mut checksum = OFFSET;
    for _ in 0..=heaps {
        let value = match sequence.advance() {
            Nimber(value) => value,
            Moon => u64::MAX,
        };
        checksum = (checksum ^ value).wrapping_mul(PRIME);
    }
    let used = seconds_used().zip(before).map(|(after, before)| after - before);
    Measured { checksum, seconds: used.unwrap_or_else(|| start.elapsed().as_secs_f64()) }
}

fn sequence(code: &'static str, path: Path) -> Result<impl Sequence, OctalError> {
    let code = Code::read(code, Base::Octal).map_err(|_| OctalError::Code(code))?;
    Ok(code_sequence(code, path))
}

/// Compares one code for each set of instructions, and prints a row for each.
fn compare(program: &FilePath, code: &'static str, heaps: usize) -> Result<(), OctalError> {
    let theirs = run_baseline(program, code, heaps)?;
    for path in Path::ALL.into_iter().filter(|path| path.available()) {
        let ours = run_ours(sequence(code, path)?, heaps);
        if ours.checksum != theirs.checksum {
            return Err(OctalError::Wrong(format!(
                "{code} to {heaps} by {} has the checksum {:016x}, the C loop {:016x}",
                path.name(),
                ours.checksum,
                theirs.checksum
            )));
        }
        println!(
            "| {code} | {heaps} | {} | {:.3} | {:.3} | {:.1} |",
            path.name(),
            theirs.seconds,
            ours.seconds,
            theirs.seconds / ours.seconds
        );
    }
    Ok(())
}

/// Runs all of it on one thread.
pub(crate) fn run() -> Result<(), OctalError> {
    let program = compile("octal")?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!("octal: the values of octal games by the recursion alone, all values compared\n");
    println!("| code | heaps | instructions | s of the C loop | s | times as fast |");
    println!("|---|---:|---|---:|---:|---:|");
    pool.install(|| {
        CODES.into_iter().try_for_each(|code| compare(&program, code, HEAPS))?;
        SPARSE.into_iter().try_for_each(|code| compare(&program, code, FAR))
    })?;
    println!("\nto heap {FARTHEST} with {}, without a comparison:\n", Path::best().name());
    println!("| game | s |");
    println!("|---|---:|");
    pool.install(|| {
        for code in SPARSE {
            let ours = run_ours(sequence(code, Path::best())?, FARTHEST);
            println!("| {code} | {:.2} |", ours.seconds);
        }
        let grundy = run_ours(grundys_game_sequence(Path::best()), FARTHEST);
        println!("| Grundy's game | {:.2} |", grundy.seconds);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_the_baseline_is_read() {
        let text = "octal 0.77 N=9 max=4 fnv=00000000000000ff time=0.250000 s  rss=1 KiB";
        let answer = read(text).unwrap();
        assert_eq!((answer.checksum, answer.seconds), (255, 0.25));
        assert!(read("octal 0.77").is_none());
    }

    #[test]
    fn the_checksum_is_that_of_the_baseline() {
        // octal 0.77 9
        for path in Path::ALL {
            let ours = run_ours(sequence("0.77", path).unwrap(), 9);
            assert_eq!(format!("{:016x}", ours.checksum), "1cfb29aacae07126", "{path:?}");
        }
    }
}
