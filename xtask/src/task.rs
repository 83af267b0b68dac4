//! The task that the arguments select.

use std::fmt;

/// What `cargo xtask help` prints.
pub(crate) const HELP: &str = "\
Usage: cargo xtask TASK

Tasks:
  check           format, lints, wording, spelling, unit tests and the tests of the core:
                  after every change
  test            check, and all tests, documentation, the page in a browser and the
                  Python package in short: before a change goes in
  full            everything: the rest of the browser tests and of the Python tests,
                  the oldest Rust, fuzzing, kills and audits in release mode
                  A task stops at the first step that fails. It skips steps whose
                  programs cannot be installed. As root, with apt-get, it installs a
                  browser, Node and a C++ compiler if they are missing
  bench [ARGS]    the benches in release mode; ARGS go to the bench program
                  (`cargo xtask bench help` lists them)
  release         the program, the wheel, the documentation and the packages,
                  with checksums, in target/bundle; publishes nothing.
                  `release rehearse` ignores uncommitted changes and the changelog
  page            the page that needs no server: target/page/dist, a folder for any
                  static host, and target/page/nimoon.html, one file that works from
                  disk. It needs Rust's target wasm32-unknown-unknown, which it adds
                  with rustup, or else Debian's compiler, which it downloads
  fuzz [ARGS]     the fuzzer, some seconds for each target; needs a C++ compiler,
                  which it installs as above
                  (`cargo xtask fuzz help` lists its arguments)
  help            this text
";

/// A task of the repository.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Run the quick steps.
    Check,
    /// Run everything that must pass before a change is merged.
    Test,
    /// Run everything.
    Full,
    /// Run the benches, with these arguments.
    Bench(Vec<String>),
    /// Build a release.
    Release {
        /// Whether to ignore uncommitted changes and a missing section of the changelog.
        rehearsal: bool,
    },
    /// Run the fuzzer, with these arguments.
    Fuzz(Vec<String>),
    /// Build the page that needs no server.
    Page,
    /// Pack that page around an engine that is built: the last part of `page`.
    Pack,
    /// Print the help.
    Help,
}

/// Why the arguments do not name a task.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TaskError {
    /// There were none.
    Missing,
    /// The first is not a task.
    Unknown(String),
    /// The task takes no such argument.
    Unexpected {
        /// The task.
        task: &'static str,
        /// The first argument that it does not take.
        argument: String,
    },
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("no task given"),
            Self::Unknown(name) => write!(f, "unknown task `{name}`"),
            Self::Unexpected { task, argument } => {
                write!(f, "unknown argument `{argument}` of `{task}`")
            }
        }
    }
}

impl Task {
    /// Reads the arguments that follow the name of the program.
    pub(crate) fn from_arguments(
        arguments: impl IntoIterator<Item = String>,
    ) -> Result<Self, TaskError> {
        let mut arguments = arguments.into_iter();
        let name = arguments.next().ok_or(TaskError::Missing)?;
        let mut alone = |task, name| match arguments.next() {
            None => Ok(task),
            Some(argument) => Err(TaskError::Unexpected { task: name, argument }),
        };
        match name.as_str() {
            "check" => alone(Self::Check, "check"),
            "test" => alone(Self::Test, "test"),
            "full" => alone(Self::Full, "full"),
            "page" => alone(Self::Page, "page"),
            "pack" => alone(Self::Pack, "pack"),
            "help" | "--help" | "-h" => alone(Self::Help, "help"),
            "bench" => Ok(Self::Bench(arguments.collect())),
            "release" => match arguments.next() {
                None => Ok(Self::Release { rehearsal: false }),
                Some(word) if word == "rehearse" => match arguments.next() {
                    None => Ok(Self::Release { rehearsal: true }),
                    Some(argument) => Err(TaskError::Unexpected { task: "release", argument }),
                },
                Some(argument) => Err(TaskError::Unexpected { task: "release", argument }),
            },
            "fuzz" => Ok(Self::Fuzz(arguments.collect())),
            _ => Err(TaskError::Unknown(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Task, TaskError> {
        Task::from_arguments(arguments.iter().map(ToString::to_string))
    }

    #[test]
    fn each_task_is_read_by_its_name() {
        assert_eq!(read(&["check"]), Ok(Task::Check));
        assert_eq!(read(&["test"]), Ok(Task::Test));
        assert_eq!(read(&["full"]), Ok(Task::Full));
        assert_eq!(read(&["page"]), Ok(Task::Page));
        assert_eq!(read(&["pack"]), Ok(Task::Pack));
        assert_eq!(read(&["bench"]), Ok(Task::Bench(vec![])));
        assert_eq!(read(&["fuzz"]), Ok(Task::Fuzz(vec![])));
        for help in ["help", "--help", "-h"] {
            assert_eq!(read(&[help]), Ok(Task::Help));
        }
    }

    #[test]
    fn arguments_after_bench_belong_to_the_bench_program() {
        let arguments = vec!["growth".to_owned(), "--rounds".to_owned(), "1".to_owned()];
        assert_eq!(read(&["bench", "growth", "--rounds", "1"]), Ok(Task::Bench(arguments)));
    }

    #[test]
    fn a_release_may_be_a_rehearsal_and_nothing_else() {
        assert_eq!(read(&["release"]), Ok(Task::Release { rehearsal: false }));
        assert_eq!(read(&["release", "rehearse"]), Ok(Task::Release { rehearsal: true }));
        for arguments in [&["release", "now"][..], &["release", "rehearse", "now"]] {
            let error = read(arguments).unwrap_err();
            assert_eq!(error.to_string(), "unknown argument `now` of `release`");
        }
    }

    #[test]
    fn a_missing_or_unknown_task_is_an_error_that_names_it() {
        assert_eq!(read(&[]), Err(TaskError::Missing));
        let error = read(&["tset"]).unwrap_err();
        assert_eq!(error, TaskError::Unknown("tset".to_owned()));
        assert_eq!(error.to_string(), "unknown task `tset`");
    }

    #[test]
    fn test_and_help_take_no_arguments() {
        let error = read(&["test", "--fast"]).unwrap_err();
        assert_eq!(error.to_string(), "unknown argument `--fast` of `test`");
        assert!(read(&["help", "test"]).is_err());
    }

    #[test]
    fn the_help_lists_every_task() {
        for task in ["check", "test", "full", "bench", "fuzz", "page", "release", "help"] {
            assert!(HELP.lines().any(|line| line.trim_start().starts_with(task)), "{task}");
        }
    }
}
