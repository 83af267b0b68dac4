//! Which task the arguments ask for.

use std::fmt;

/// What `cargo xtask help` prints.
pub(crate) const HELP: &str = "\
Usage: cargo xtask TASK

Tasks:
  test            format, lints, documentation, tests, a check by the oldest Rust,
                  advisories, the page in a browser, the Python package, fuzzing,
                  and audits in release mode; stops at the first that fails.
                  Skips what needs more than is there; as root, with apt-get, it
                  installs a browser, Node and a C++ compiler if they are missing
  bench [ARGS]    the benches in release mode; ARGS go to the bench program
                  (`cargo xtask bench help` lists them)
  release         the program, the wheel, the documentation and the packages,
                  with checksums, in target/dist; publishes nothing.
                  `release rehearse` minds neither changes nor the changelog
  fuzz [ARGS]     the fuzzer, some seconds for each target; needs a C++ compiler,
                  which it installs as above
                  (`cargo xtask fuzz help` lists its arguments)
  help            this text
";

/// Something to do to the repository.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Run everything that must pass.
    Test,
    /// Run the benches, with these arguments.
    Bench(Vec<String>),
    /// Build what is released.
    Release {
        /// Whatever the working tree and the changelog say.
        rehearsal: bool,
    },
    /// Run the fuzzer, with these arguments.
    Fuzz(Vec<String>),
    /// Say what there is to do.
    Help,
}

/// Why the arguments name no task.
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
            Self::Unknown(name) => write!(f, "there is no task `{name}`"),
            Self::Unexpected { task, argument } => {
                write!(f, "`{task}` takes no such argument as `{argument}`")
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
            "test" => alone(Self::Test, "test"),
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
        assert_eq!(read(&["test"]), Ok(Task::Test));
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
            assert_eq!(error.to_string(), "`release` takes no such argument as `now`");
        }
    }

    #[test]
    fn a_missing_or_unknown_task_is_an_error_that_names_it() {
        assert_eq!(read(&[]), Err(TaskError::Missing));
        let error = read(&["tset"]).unwrap_err();
        assert_eq!(error, TaskError::Unknown("tset".to_owned()));
        assert_eq!(error.to_string(), "there is no task `tset`");
    }

    #[test]
    fn test_and_help_take_no_arguments() {
        let error = read(&["test", "--fast"]).unwrap_err();
        assert_eq!(error.to_string(), "`test` takes no such argument as `--fast`");
        assert!(read(&["help", "test"]).is_err());
    }

    #[test]
    fn the_help_lists_every_task() {
        for task in ["test", "bench", "fuzz", "release", "help"] {
            assert!(HELP.lines().any(|line| line.trim_start().starts_with(task)), "{task}");
        }
    }
}
