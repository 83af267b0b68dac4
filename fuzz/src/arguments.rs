//! The arguments of the program.

use std::fmt;

use nimoon_fuzz::Target;

pub(crate) const HELP: &str = "\
Usage: cargo xtask fuzz [--seconds N] [--target NAME]... [--jobs N] [--seed N] [--record] [--list]

  --seconds N     run each target for N seconds (default: 3)
  --target NAME   run only this target; may be repeated (default: all)
  --jobs N        run N targets at the same time (default: the number of processors)
  --seed N        start with this seed, to repeat a run (default: random)
  --record        write the results to fuzz/RECORD.md
  --list          list the targets
";

/// A requested run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) seconds: u64,
    pub(crate) targets: Vec<&'static str>,
    pub(crate) jobs: usize,
    pub(crate) seed: Option<u64>,
    pub(crate) record: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Run(Arguments),
    List,
    Help,
}

/// Why the arguments are invalid.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ArgumentError {
    Unknown(String),
    Missing(&'static str),
    NotANumber { option: &'static str, text: String },
    NoTarget(String),
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(argument) => write!(f, "unknown argument `{argument}`"),
            Self::Missing(option) => write!(f, "`{option}` needs a value"),
            Self::NotANumber { option, text } => {
                write!(f, "expected a number above 0 after `{option}`, found `{text}`")
            }
            Self::NoTarget(name) => {
                write!(f, "unknown target `{name}`; `--list` lists them")
            }
        }
    }
}

impl Request {
    pub(crate) fn read(arguments: impl IntoIterator<Item = String>) -> Result<Self, ArgumentError> {
        let mut arguments = arguments.into_iter();
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let mut read = Arguments {
            seconds: 3,
            targets: Vec::new(),
            jobs: processors,
            seed: None,
            record: false,
        };
        while let Some(argument) = arguments.next() {
            let mut after = |option| arguments.next().ok_or(ArgumentError::Missing(option));
            match argument.as_str() {
                "--seconds" => read.seconds = number("--seconds", after("--seconds")?)?,
                "--jobs" => read.jobs = number("--jobs", after("--jobs")?)? as usize,
                "--seed" => read.seed = Some(number("--seed", after("--seed")?)?),
                "--target" => {
                    let name = after("--target")?;
                    let target = Target::find(&name).ok_or(ArgumentError::NoTarget(name))?;
                    read.targets.push(target.name);
                }
                "--record" => read.record = true,
                "--list" => return Ok(Self::List),
                "--help" | "-h" | "help" => return Ok(Self::Help),
                _ => return Err(ArgumentError::Unknown(argument)),
            }
        }
        if read.targets.is_empty() {
            read.targets = Target::ALL.iter().map(|target| target.name).collect();
        }
        Ok(Self::Run(read))
    }
}

fn number(option: &'static str, text: String) -> Result<u64, ArgumentError> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(ArgumentError::NotANumber { option, text }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Request, ArgumentError> {
        Request::read(arguments.iter().map(ToString::to_string))
    }

    #[test]
    fn without_arguments_all_targets_run_for_some_seconds() {
        let Ok(Request::Run(all)) = read(&[]) else { panic!("it is a run") };
        assert_eq!((all.seconds, all.targets.len()), (3, Target::ALL.len()));
    }

    #[test]
    fn options_are_read() {
        let asked = [
            "--seconds",
            "600",
            "--target",
            "dot",
            "--target",
            "api",
            "--jobs",
            "1",
            "--seed",
            "7",
        ];
        let expected = Arguments {
            seconds: 600,
            targets: vec!["dot", "api"],
            jobs: 1,
            seed: Some(7),
            record: false,
        };
        assert_eq!(read(&asked), Ok(Request::Run(expected)));
        assert_eq!(read(&["--list"]), Ok(Request::List));
    }

    #[test]
    fn errors_name_the_argument() {
        let error = |arguments: &[&str]| read(arguments).unwrap_err().to_string();
        assert_eq!(error(&["--fast"]), "unknown argument `--fast`");
        assert_eq!(error(&["--seconds"]), "`--seconds` needs a value");
        assert!(error(&["--seconds", "0"]).contains("found `0`"));
        assert!(error(&["--target", "yaml"]).contains("unknown target `yaml`"));
    }
}
