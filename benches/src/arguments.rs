//! The arguments of the bench program.

use thiserror::Error;

/// What `cargo xtask bench help` prints.
pub(crate) const HELP: &str = "\
Usage: cargo xtask bench [BENCH…] [--rounds N] [--heaps N]

Benches (all of them unless some are named):
  baseline    time and memory against the baseline, 10^6 nodes and 4·10^6 arcs
  answers     node by node against the baseline, on many smaller digraphs
  growth      time and arcs looked at per arc, 10^5 to 10^7 arcs
  loopy       loopy partizan games against a plain implementation
  octal       values of octal games against a plain loop in C, for each set of instructions
  top-entails values of Top Entails against a plain loop in C, for each set of instructions

--rounds N    how often each time is measured, for the median (3)
--heaps N     for top-entails: the largest heap (600000); measured once
";

/// One of the benches. They always run in this order: the first measures the memory of processes
/// that it starts, and needs this one to be small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bench {
    /// Time and memory against the baseline.
    Baseline,
    /// Only the answers, against the baseline.
    Answers,
    /// Linear growth.
    Growth,
    /// Loopy partizan games.
    Loopy,
    /// Values of octal games.
    Octal,
    /// Values of Top Entails.
    TopEntails,
}

/// All of them.
const ALL: [Bench; 6] =
    [Bench::Baseline, Bench::Answers, Bench::Growth, Bench::Loopy, Bench::Octal, Bench::TopEntails];

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    /// The help.
    Help,
    /// These benches.
    Run {
        /// In their order, each once.
        benches: Vec<Bench>,
        /// How often each time is measured.
        rounds: usize,
        /// The largest heap of Top Entails.
        heaps: usize,
    },
}

/// Why the arguments are no good.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum ArgumentError {
    #[error(
        "there is no bench `{0}`: expected answers, baseline, growth, loopy, octal or top-entails"
    )]
    Unknown(String),
    #[error("`--rounds` needs a whole number from 1 on")]
    Rounds,
    #[error("`--heaps` needs a whole number from 1 on")]
    Heaps,
}

/// Reads the arguments that follow the name of the program.
pub(crate) fn read(
    arguments: impl IntoIterator<Item = String>,
) -> Result<Arguments, ArgumentError> {
    let mut benches = Vec::new();
    let mut rounds = 3;
    let mut heaps = 600_000;
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "help" | "--help" | "-h" => return Ok(Arguments::Help),
            "answers" => benches.push(Bench::Answers),
            "baseline" => benches.push(Bench::Baseline),
            "growth" => benches.push(Bench::Growth),
            "loopy" => benches.push(Bench::Loopy),
            "octal" => benches.push(Bench::Octal),
            "top-entails" => benches.push(Bench::TopEntails),
            "--heaps" => {
                let number = arguments.next().and_then(|text| text.parse().ok());
                heaps = number.filter(|&n| n > 0).ok_or(ArgumentError::Heaps)?;
            }
            "--rounds" => {
                let number = arguments.next().and_then(|text| text.parse().ok());
                rounds = number.filter(|&n| n > 0).ok_or(ArgumentError::Rounds)?;
            }
            _ => return Err(ArgumentError::Unknown(argument)),
        }
    }
    if benches.is_empty() {
        benches = ALL.to_vec();
    }
    benches.sort_unstable();
    benches.dedup();
    Ok(Arguments::Run { benches, rounds, heaps })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(arguments: &[&str]) -> Result<Arguments, ArgumentError> {
        read(arguments.iter().map(ToString::to_string))
    }

    #[test]
    fn all_benches_run_unless_some_are_named() {
        let all = ALL.to_vec();
        let heaps = 600_000;
        assert_eq!(read_all(&[]), Ok(Arguments::Run { benches: all, rounds: 3, heaps }));
        let growth = Arguments::Run { benches: vec![Bench::Growth], rounds: 5, heaps };
        assert_eq!(read_all(&["--rounds", "5", "growth"]), Ok(growth));
    }

    #[test]
    fn the_bench_that_measures_memory_comes_first() {
        let benches = vec![Bench::Baseline, Bench::Growth];
        let expected = Arguments::Run { benches, rounds: 3, heaps: 600_000 };
        assert_eq!(read_all(&["growth", "baseline", "growth"]), Ok(expected));
    }

    #[test]
    fn bad_arguments_are_refused() {
        assert_eq!(read_all(&["grwth"]), Err(ArgumentError::Unknown("grwth".into())));
        for bad in [&["--rounds"][..], &["--rounds", "0"], &["--rounds", "x"]] {
            assert_eq!(read_all(bad), Err(ArgumentError::Rounds));
        }
        assert_eq!(read_all(&["--heaps", "0"]), Err(ArgumentError::Heaps));
        let few = Arguments::Run { benches: vec![Bench::TopEntails], rounds: 3, heaps: 9 };
        assert_eq!(read_all(&["top-entails", "--heaps", "9"]), Ok(few));
    }

    #[test]
    fn the_help_lists_every_bench() {
        for bench in ["answers", "baseline", "growth", "loopy", "octal", "top-entails"] {
            assert!(HELP.lines().any(|line| line.trim_start().starts_with(bench)), "{bench}");
        }
    }
}
