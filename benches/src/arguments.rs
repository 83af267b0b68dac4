//! The arguments of the bench program.

use thiserror::Error;

use crate::{BENCHES, Bench, Settings};

/// The text of `cargo xtask bench help`.
pub(crate) fn help() -> String {
    let width = BENCHES.iter().map(|bench| bench.name.len()).max().unwrap_or(0);
    let listed = |bench: &Bench| format!("  {:width$}  {}", bench.name, bench.about);
    let benches = BENCHES.iter().map(listed).collect::<Vec<_>>().join("\n");
    format!(
        "Usage: cargo xtask bench [BENCH…] [--rounds N] [--heaps N]\n\n\
         Benches (default: all):\n{benches}\n\n\
         --rounds N  measure each time N times, for the median (default: 3)\n\
         --heaps N   for top-entails: the largest heap (default: 600000); measured once\n"
    )
}

/// The arguments.
#[derive(Debug)]
pub(crate) enum Arguments {
    /// The help.
    Help,
    /// These benches, in the order of [`BENCHES`] and each once.
    Run(Vec<&'static Bench>, Settings),
}

/// Why the arguments are invalid.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum ArgumentError {
    #[error("unknown bench `{0}`: expected one of those below")]
    Unknown(String),
    #[error("`{0}` needs a whole number from 1 on")]
    Number(&'static str),
}

/// Reads the arguments that follow the name of the program.
pub(crate) fn read(
    arguments: impl IntoIterator<Item = String>,
) -> Result<Arguments, ArgumentError> {
    let mut named = vec![false; BENCHES.len()];
    let mut settings = Settings::default();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let mut number = |option| {
            let number = arguments.next().and_then(|text| text.parse().ok());
            number.filter(|&n| n > 0).ok_or(ArgumentError::Number(option))
        };
        match argument.as_str() {
            "help" | "--help" | "-h" => return Ok(Arguments::Help),
            "--heaps" => settings.heaps = number("--heaps")?,
            "--rounds" => settings.rounds = number("--rounds")?,
            name => match BENCHES.iter().position(|bench| bench.name == name) {
                Some(place) => named[place] = true,
                None => return Err(ArgumentError::Unknown(argument)),
            },
        }
    }
    let all = !named.contains(&true);
    let benches = BENCHES.iter().zip(named).filter(|&(_, named)| all || named);
    Ok(Arguments::Run(benches.map(|(bench, _)| bench).collect(), settings))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(arguments: &[&str]) -> (Vec<&'static str>, usize, usize) {
        match read(arguments.iter().map(ToString::to_string)).unwrap() {
            Arguments::Run(benches, Settings { rounds, heaps }) => {
                (benches.iter().map(|bench| bench.name).collect(), rounds, heaps)
            }
            Arguments::Help => panic!("{arguments:?} requests the help"),
        }
    }

    fn refused(arguments: &[&str]) -> ArgumentError {
        read(arguments.iter().map(ToString::to_string)).unwrap_err()
    }

    #[test]
    fn all_benches_run_unless_some_are_named() {
        let all: Vec<_> = BENCHES.iter().map(|bench| bench.name).collect();
        assert_eq!(run(&[]), (all, 3, 600_000));
        assert_eq!(run(&["--rounds", "5", "growth"]), (vec!["growth"], 5, 600_000));
        assert_eq!(run(&["top-entails", "--heaps", "9"]), (vec!["top-entails"], 3, 9));
    }

    #[test]
    fn the_bench_that_measures_memory_comes_first() {
        assert_eq!(run(&["growth", "baseline", "growth"]).0, ["baseline", "growth"]);
    }

    #[test]
    fn bad_arguments_are_refused() {
        assert_eq!(refused(&["grwth"]), ArgumentError::Unknown("grwth".into()));
        for bad in [&["--rounds"][..], &["--rounds", "0"], &["--rounds", "x"]] {
            assert_eq!(refused(bad), ArgumentError::Number("--rounds"));
        }
        assert_eq!(refused(&["--heaps", "0"]), ArgumentError::Number("--heaps"));
    }

    #[test]
    fn the_help_lists_every_bench() {
        for bench in BENCHES {
            let listed = |line: &str| line.trim_start().starts_with(bench.name);
            assert!(help().lines().any(listed), "{}", bench.name);
        }
    }
}
