//! Compares the values of Top Entails with `baseline/top_entails.c`, a plain double loop.
//!
//! The time is processor time if the system reports it, since other programs change it less. It is
//! the time of one thread, for the baseline and for ours. For several threads only elapsed time can
//! be compared, with that of one thread.

use std::path::{Path as FilePath, PathBuf};
use std::process::Command;
use std::time::Instant;

use nimoon::impartial::value::EntailingValue::{Moon, Nimber};
use nimoon::ruleset::Sequence;
use nimoon_rulesets::heap::{Path, top_entails_sequence};
use thiserror::Error;

use crate::baseline::{BaselineError, compile, output};

/// Why the comparison stopped.
#[derive(Debug, Error)]
pub(crate) enum TopEntailsError {
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    #[error("the output of {path} is not as expected: {text}", path = path.display())]
    Output { path: PathBuf, text: String },
    #[error("WRONG ANSWER: {0}")]
    Wrong(String),
    #[error("cannot start a pool of {0} threads: {1}")]
    Threads(usize, rayon::ThreadPoolBuildError),
}

/// The results on which two programs must agree.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    moons: Vec<usize>,
    largest: u64,
}

/// An answer with its elapsed seconds, and its processor seconds if known.
struct Measured {
    answer: Answer,
    passed: f64,
    used: Option<f64>,
}

/// The processor seconds of this thread.
pub(crate) fn seconds_used() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// The processor seconds of children that have ended.
fn seconds_of_children() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain any text; the fields after it are plain.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(13)?.parse().ok()?;
    // Linux reports these times in hundredths of a second.
    Some(ticks / 100.0)
}

fn run_baseline(program: &FilePath, heaps: usize) -> Result<Measured, TopEntailsError> {
    let mut command = Command::new(program);
    command.arg(heaps.to_string());
    let (start, before) = (Instant::now(), seconds_of_children());
    let text = output(command)?;
    let passed = start.elapsed().as_secs_f64();
    let used = seconds_of_children().zip(before).map(|(after, before)| after - before);
    let answer = read(&text)
        .ok_or_else(|| TopEntailsError::Output { path: program.to_owned(), text: text.clone() })?;
    Ok(Measured { answer, passed, used })
}

/// Reads `moon N` lines and `n=N max=N SECONDS s`.
fn read(text: &str) -> Option<Answer> {
    let moons = text.lines().filter_map(|line| line.strip_prefix("moon ")?.parse().ok());
    let largest = text.split_whitespace().find_map(|word| word.strip_prefix("max=")?.parse().ok());
    Some(Answer { moons: moons.collect(), largest: largest? })
}

fn run_ours(path: Path, heaps: usize) -> Measured {
    let (start, before) = (Instant::now(), seconds_used());
    let mut sequence = top_entails_sequence(path);
    let mut answer = Answer { moons: Vec::new(), largest: 0 };
    for heap in 0..=heaps {
        match sequence.advance() {
            Moon => answer.moons.push(heap),
            Nimber(value) => answer.largest = answer.largest.max(value),
        }
    }
    let passed = start.elapsed().as_secs_f64();
    let used = seconds_used().zip(before).map(|(after, before)| after - before);
    Measured { answer, passed, used }
}

/// Runs the baseline and all paths, on one thread, and then the best path on all processors.
pub(crate) fn run(heaps: usize) -> Result<(), TopEntailsError> {
    let program = compile("top_entails")?;
    println!(
        "top-entails: the values of the heaps 0 to {heaps}, moons and largest value compared\n"
    );
    println!("| program | threads | s passed | s used | pairs per ns | times as fast |");
    println!("|---|---:|---:|---:|---:|---:|");
    let baseline = run_baseline(&program, heaps)?;
    let pairs = heaps as f64 * heaps as f64 / 4.0;
    let row = |name: &str, threads: usize, measured: &Measured, used: Option<f64>, ratio: f64| {
        let text = used.map_or_else(|| "–".to_owned(), |used| format!("{used:.2}"));
        let per = pairs / 1e9 / used.unwrap_or(measured.passed);
        println!(
            "| {name} | {threads} | {:.2} | {text} | {per:.2} | {ratio:.2} |",
            measured.passed
        );
    };
    row("C loop", 1, &baseline, baseline.used, 1.0);
    let pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|error| TopEntailsError::Threads(threads, error))
    };
    let check = |name: &str, measured: &Measured| {
        if measured.answer == baseline.answer {
            return Ok(());
        }
        let (ours, theirs) = (&measured.answer, &baseline.answer);
        Err(TopEntailsError::Wrong(format!("{name} has {ours:?}, the C loop {theirs:?}")))
    };
    for path in Path::ALL.into_iter().filter(|path| path.available()) {
        let measured = pool(1)?.install(|| run_ours(path, heaps));
        check(path.name(), &measured)?;
        let ratio = match (baseline.used, measured.used) {
            (Some(theirs), Some(ours)) => theirs / ours,
            _ => baseline.passed / measured.passed,
        };
        row(path.name(), 1, &measured, measured.used, ratio);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    if threads > 1 {
        let measured = pool(threads)?.install(|| run_ours(Path::best(), heaps));
        check(Path::best().name(), &measured)?;
        let ratio = baseline.passed / measured.passed;
        row(Path::best().name(), threads, &measured, None, ratio);
    }
    println!(
        "\nthe ratio is of the seconds used on one thread, of those passed on several; no answer differs"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_of_the_baseline_is_read() {
        let answer = read("moon 1\nmoon 3\nn=9 max=3 0.000 s\n");
        assert_eq!(answer, Some(Answer { moons: vec![1, 3], largest: 3 }));
        assert_eq!(read("moon 1\n"), None);
    }

    #[test]
    fn all_paths_agree_on_a_few_heaps() {
        for path in Path::ALL {
            let answer = Answer { moons: vec![1, 3], largest: 3 };
            assert_eq!(run_ours(path, 9).answer, answer, "{path:?}");
        }
    }
}
