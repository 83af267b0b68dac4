//! The program `nimoon`.
//!
//! Thin: arguments in, a library call, a writer out. Results go to standard output, one line that
//! begins with `error:` to standard error, and the exit code says which kind of end it was
//! ([`failure::Failure`]).

mod args;
mod certificates;
mod checkpoint;
mod commands;
mod expressions;
mod failure;
mod input;
mod interrupt;
mod limits;
mod lines;
mod long_lights;
mod output;
mod progress;
mod reading;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use failure::Failure;
use nimoon_memory::ReportingAllocator;
use output::complain;

/// Prints an error when the system has no memory left.
#[global_allocator]
static ALLOCATOR: ReportingAllocator = ReportingAllocator;

/// The beginnings of the messages of libraries when the system starts no thread, or has no room for one.
const NO_THREADS: [&str; 3] = [
    "The global thread pool has not been initialized",
    "failed to spawn thread",
    "failed to allocate an alternative stack",
];

fn main() -> ExitCode {
    limits::start_clock();
    // A panic is a bug; it still ends as the interface says, with one line and code 1.
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line()));
        let what = info.payload_as_str().unwrap_or("unknown");
        if NO_THREADS.iter().any(|begins| what.starts_with(begins)) {
            ReportingAllocator::begin_report();
            // Threads start when they are first needed, and a panic is the only sign that one did not.
            complain(format_args!(
                "error: the system starts no more threads: allow more memory or more processes (ulimit -v, ulimit -u)"
            ));
            // At once: the rest of the program would need memory too, and would print a second error.
            std::process::exit(Failure::OTHER.into());
        }
        complain(format_args!(
            "error: nimoon failed{}: {}; please report this with the input that caused it",
            place.unwrap_or_default(),
            what.lines().next().unwrap_or("unknown")
        ));
    }));
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return failure::report_usage(&error),
    };
    match catch_unwind(AssertUnwindSafe(|| run(args.command))) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.report(),
        Err(_) => ExitCode::from(Failure::OTHER),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    // Those who wait for somebody to type or to ask have their own way, and what only reads has nothing to tell.
    if !matches!(
        command,
        Command::Rulesets(_)
            | Command::Play(_)
            | Command::Repl(_)
            | Command::Serve(_)
            | Command::Cluster(_)
    ) {
        interrupt::catch();
    }
    match command {
        Command::Label(args) => commands::label::run(&args),
        Command::Sum(args) => commands::sum::run(&args),
        Command::Value(args) => commands::value::run(&args),
        Command::Table(args) => commands::table::run(&args),
        Command::Period(args) => commands::period::run(&args),
        Command::Rulesets(args) => commands::rulesets::run(&args),
        Command::Representative(args) => commands::representative::run(&args),
        Command::Loopy(args) => commands::loopy::run(&args),
        Command::Compare(args) => commands::compare::run(&args),
        Command::Affine(args) => commands::affine::run(&args),
        Command::Remoteness(args) => commands::remoteness::run(&args),
        Command::Compound(args) => commands::compound::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Audit(args) => commands::audit::run(&args),
        Command::Play(args) => commands::play::run(&args),
        Command::Unicycle(args) => commands::unicycle::run(&args),
        Command::Ordinal(args) => commands::ordinal::run(&args),
        Command::Repl(args) => commands::repl::run(&args),
        Command::Store(args) => commands::store::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Cluster(args) => commands::cluster::run(&args),
    }
}
