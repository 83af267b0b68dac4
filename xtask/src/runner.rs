//! Runs the steps of a task one after another, and says how each of them went.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::steps::{SKIPPED, Step, Tool};

/// Why a task stopped early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A step ran and failed.
    Step {
        /// The name of the step.
        name: &'static str,
        /// How it ended.
        status: ExitStatus,
    },
    /// A step could not be started.
    NotStarted {
        /// The name of the step.
        name: &'static str,
        /// Why.
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
                write!(f, "step `{name}` could not be started: {error}")
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
    // The folder of this package lies in the root of the repository.
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    if cfg!(test) {
        // What a step prints goes past the test harness, and errors made on purpose would mislead.
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

/// Runs steps until one fails; the last of them gets `arguments` as well.
pub(crate) fn run_all(task: &str, steps: &[Step], arguments: &[String]) -> Result<(), Failure> {
    let start = Instant::now();
    let mut times = Vec::new();
    let mut skipped = 0;
    for (i, step) in steps.iter().enumerate() {
        let arguments = if i + 1 == steps.len() { arguments } else { &[] };
        eprintln!("xtask: [{}/{}] {}", i + 1, steps.len(), step.name);
        if let Some(time) = run(step, arguments)? {
            eprintln!("xtask: {} took {}", step.name, Seconds(time));
            times.push(format!("{} {}", step.name, Seconds(time)));
        } else {
            eprintln!("xtask: {} SKIPPED: what it needs is missing, see above", step.name);
            times.push(format!("{} SKIPPED", step.name));
            skipped += 1;
        }
    }
    let total = Seconds(start.elapsed());
    let (passed, times) = (steps.len() - skipped, times.join(", "));
    match skipped {
        0 => eprintln!("xtask: {task}: all {passed} steps passed in {total} ({times})"),
        _ => eprintln!(
            "xtask: {task}: {passed} steps passed, {skipped} skipped in {total} ({times})"
        ),
    }
    Ok(())
}

/// Runs a step and tells its time, or nothing if it was skipped.
fn run(step: &Step, arguments: &[String]) -> Result<Option<Duration>, Failure> {
    let start = Instant::now();
    let mut command = match step.tool {
        Tool::Cargo => cargo(),
        Tool::Nimoon => {
            let mut command = cargo();
            command.args(["run", "--release", "--quiet", "--package", "nimoon-cli", "--"]);
            command
        }
        Tool::Script => in_root("sh"),
    };
    let status = command
        .args(step.command)
        .args(arguments)
        .envs(step.environment.iter().copied())
        .status()
        .map_err(|error| Failure::NotStarted { name: step.name, error })?;
    if status.success() {
        return Ok(Some(start.elapsed()));
    }
    // Where changes are judged nothing may be missing.
    let may_skip = step.tool == Tool::Script && std::env::var_os("CI").is_none();
    if may_skip && status.code() == Some(SKIPPED) {
        return Ok(None);
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
    fn a_script_that_lacks_something_is_skipped_but_not_where_changes_are_judged() {
        let ends = |code| Step { tool: Tool::Script, command: code, ..UNKNOWN };
        let lacking = ends(&["-c", "exit 77"]);
        let result = run_all("test", &[lacking], &[]);
        assert_eq!(result.is_ok(), std::env::var_os("CI").is_none());
        assert!(run_all("test", &[ends(&["-c", "exit 1"])], &[]).is_err());
        assert!(run_all("test", &[ends(&["-c", "exit 0"])], &[]).is_ok());
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
