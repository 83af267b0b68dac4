//! The tasks of the repository: `cargo xtask help` lists them.
//!
//! It uses only the standard library, so that it builds in a moment on a fresh checkout.

mod page;
mod runner;
mod steps;
mod task;

use std::process::ExitCode;

use task::Task;

/// Runs steps that need rustfmt and clippy.
fn tests(task: &str, steps: &[steps::Step]) -> Result<(), runner::Failure> {
    runner::install_components().and_then(|()| runner::run_all(task, steps, &[]))
}

/// Packs the page around the engine that was built.
fn packed() -> ExitCode {
    match page::pack() {
        Ok(message) => {
            eprintln!("{message}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn main() -> ExitCode {
    let done = match Task::from_arguments(std::env::args().skip(1)) {
        Ok(Task::Check) => tests("check", steps::CHECK),
        Ok(Task::Test) => tests("test", steps::TEST),
        Ok(Task::Full) => tests("full", steps::FULL),
        Ok(Task::Bench(arguments)) => runner::run_all("bench", steps::BENCH, &arguments),
        Ok(Task::Release { rehearsal }) => {
            let steps = if rehearsal { steps::REHEARSAL } else { steps::RELEASE };
            runner::run_all("release", steps, &[])
        }
        Ok(Task::Page) => runner::run_all("page", steps::PAGE, &[]),
        Ok(Task::Pack) => return packed(),
        Ok(Task::Fuzz(arguments)) => runner::run_all("fuzz", steps::FUZZ, &arguments),
        Ok(Task::Help) => {
            print!("{}", task::HELP);
            Ok(())
        }
        Err(error) => {
            eprintln!("error: {error}\n\n{}", task::HELP);
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
