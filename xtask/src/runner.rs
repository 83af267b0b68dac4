//! Runs the steps of a task one after another, and reports the result of each.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::steps::{REASON, SKIPPED, Step, Tool};

/// Why a task stopped early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A step ran and failed.
    Step {
        /// The name of the step.
        name: &'static str,
        /// The exit status.
        status: ExitStatus,
    },
    /// A step could not be started.
    NotStarted {
        /// The name of the step.
        name: &'static str,
        /// The reason.
        error: io::Error,
    },
    /// A part of the toolchain is missing and could not be installed.
    Component(&'static str),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step { name, status } => match status.code() {
                Some(code) => write!(f, "step `{name}` failed with exit code {code}"),
                None => write!(f, "step `{name}` was stopped: {status}"),
            },
            Self::NotStarted { name, error } => {
                write!(f, "could not start step `{name}`: {error}")
            }
            Self::Component(component) => write!(
                f,
                "{component} is missing, and `rustup component add {component}` failed; \
                 install it by hand and run this again"
            ),
        }
    }
}

/// The cargo that runs this program, so that every step uses the same toolchain.
fn cargo() -> Command {
    in_root(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

/// A program that runs in the root of the repository.
fn in_root(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    // The folder of this package is in the root of the repository.
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    if cfg!(test) {
        // The output of a step is not captured by the test harness, and deliberate errors would mislead.
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    command
}

/// Installs rustfmt and clippy where they are missing.
pub(crate) fn install_components() -> Result<(), Failure> {
    for (component, subcommand) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let mut check = cargo();
        check.args([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
        if succeeds(&mut check) {
            continue;
        }
        eprintln!("xtask: {component} is missing; running `rustup component add {component}`");
        if !succeeds(Command::new("rustup").args(["component", "add", component])) {
            return Err(Failure::Component(component));
        }
    }
    Ok(())
}

fn succeeds(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}

/// The result of a step that did not fail.
#[derive(Debug, PartialEq, Eq)]
enum StepResult {
    /// It passed in this time.
    Passed(Duration),
    /// It was skipped for this reason.
    Skipped(String),
}

/// Runs steps until one fails; the last of them also gets `arguments`.
pub(crate) fn run_all(task: &str, steps: &[Step], arguments: &[String]) -> Result<(), Failure> {
    let start = Instant::now();
    let judged = std::env::var_os("CI").is_some();
    let mut all = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let arguments = if i + 1 == steps.len() { arguments } else { &[] };
        eprintln!("xtask: [{}/{}] {}", i + 1, steps.len(), step.name);
        let done = run(step, arguments, judged)?;
        match &done {
            StepResult::Passed(time) => eprintln!("xtask: {} took {}", step.name, Seconds(*time)),
            StepResult::Skipped(reason) => eprintln!("xtask: {} SKIPPED: {reason}", step.name),
        }
        all.push((step.name, done));
    }
    eprint!("{}", summary(task, &all, start.elapsed()));
    Ok(())
}

/// How many steps passed and their times, and a line for each skipped step.
fn summary(task: &str, all: &[(&str, StepResult)], total: Duration) -> String {
    let (mut times, mut skipped) = (Vec::new(), Vec::new());
    for (name, done) in all {
        match done {
            StepResult::Passed(time) => times.push(format!("{name} {}", Seconds(*time))),
            StepResult::Skipped(reason) => {
                skipped.push(format!("xtask: {task}: {name} SKIPPED: {reason}\n"));
            }
        }
    }
    let (passed, total) = (times.len(), Seconds(total));
    let counts = match skipped.len() {
        0 => format!("all {passed} steps passed"),
        number => format!("{passed} of {} steps passed, {number} SKIPPED", all.len()),
    };
    let times = times.join(", ");
    format!("xtask: {task}: {counts} in {total} ({times})\n{}", skipped.concat())
}

/// Runs a step. If changes are `judged`, as in CI, a step that lacks something fails.
fn run(step: &Step, arguments: &[String], judged: bool) -> Result<StepResult, Failure> {
    /// No two files for reasons have the same name.
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let start = Instant::now();
    let mut command = match step.tool {
        Tool::Cargo => cargo(),
        Tool::Nimoon => {
            let mut command = cargo();
            command.args(["run", "--release", "--quiet", "--package", "nimoon-cli", "--"]);
            command
        }
        Tool::Script | Tool::Outlook | Tool::Needed => in_root("sh"),
    };
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let reason = std::env::temp_dir().join(format!("xtask-{}-{number}", std::process::id()));
    let status = command
        .args(step.command)
        .args(arguments)
        .envs(step.environment.iter().copied())
        .env(REASON, &reason)
        .status()
        .map_err(|error| Failure::NotStarted { name: step.name, error })?;
    let text = fs::read_to_string(&reason).unwrap_or_default();
    // The file does not exist if nothing was skipped.
    let _ = fs::remove_file(&reason);
    if status.success() {
        return Ok(StepResult::Passed(start.elapsed()));
    }
    let may_skip = match step.tool {
        Tool::Cargo | Tool::Nimoon | Tool::Needed => false,
        Tool::Script => !judged,
        Tool::Outlook => true,
    };
    if may_skip && status.code() == Some(SKIPPED) {
        let reason = match text.trim() {
            "" => "something that it needs is missing, see above",
            text => text,
        };
        return Ok(StepResult::Skipped(reason.to_owned()));
    }
    Err(Failure::Step { name: step.name, status })
}

/// A wall time, in seconds with one digit after the point.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} s", self.0.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNKNOWN: Step = Step {
        name: "impossible",
        tool: Tool::Cargo,
        command: &["no-such-subcommand"],
        environment: &[],
    };

    #[test]
    fn a_failing_step_stops_the_task_and_is_named_with_its_exit_code() {
        let failure = run_all("test", &[UNKNOWN, UNKNOWN], &[]).unwrap_err();
        assert_eq!(failure.to_string(), "step `impossible` failed with exit code 101");
    }

    #[test]
    fn a_script_that_lacks_something_is_skipped_but_fails_in_ci() {
        let ends = |tool, command| Step { tool, command, ..UNKNOWN };
        let why: &[&str] = &["-c", "echo no moon tonight >$XTASK_REASON; exit 77"];
        let (silent, fails): (&[&str], &[&str]) = (&["-c", "exit 77"], &["-c", "exit 1"]);
        for (tool, command, judged, expected) in [
            (Tool::Script, silent, false, Some("something that it needs is missing, see above")),
            (Tool::Script, why, false, Some("no moon tonight")),
            (Tool::Script, why, true, None),
            (Tool::Outlook, why, false, Some("no moon tonight")),
            (Tool::Outlook, why, true, Some("no moon tonight")),
            (Tool::Needed, why, false, None),
            (Tool::Script, fails, false, None),
            (Tool::Outlook, fails, true, None),
        ] {
            let skipped = expected.map(|reason| StepResult::Skipped(reason.to_owned()));
            let found = run(&ends(tool, command), &[], judged).ok();
            assert_eq!(found, skipped, "{tool:?}, {command:?}, {judged}");
        }
        let passes = ends(Tool::Script, &["-c", "echo nothing >$XTASK_REASON"]);
        assert!(matches!(run(&passes, &[], true), Ok(StepResult::Passed(_))));
    }

    #[test]
    fn skipped_steps_are_not_reported_as_passed() {
        let passed = || StepResult::Passed(Duration::from_millis(1_200));
        let total = Duration::from_secs(3);
        let both = [("lints", passed()), ("tests", passed())];
        assert_eq!(
            summary("test", &both, total),
            "xtask: test: all 2 steps passed in 3.0 s (lints 1.2 s, tests 1.2 s)\n"
        );
        let skipped = StepResult::Skipped("cargo-deny is missing".to_owned());
        assert_eq!(
            summary("test", &[("lints", passed()), ("advisories", skipped)], total),
            "xtask: test: 1 of 2 steps passed, 1 SKIPPED in 3.0 s (lints 1.2 s)\n\
             xtask: test: advisories SKIPPED: cargo-deny is missing\n"
        );
    }

    #[test]
    fn arguments_go_to_the_last_step_only() {
        let version = Step { name: "version", command: &["--version"], ..UNKNOWN };
        let locate = Step { name: "locate", command: &["locate-project"], ..UNKNOWN };
        assert!(run_all("test", &[version, locate], &["--workspace".to_owned()]).is_ok());
        assert!(run_all("test", &[locate, locate], &["--no-such-flag".to_owned()]).is_err());
    }

    #[test]
    fn a_missing_component_says_what_to_do() {
        let message = Failure::Component("clippy").to_string();
        assert!(message.contains("rustup component add clippy"), "{message}");
    }
}
