//! The program `nimoon`.
//!
//! A thin adapter: it parses arguments, calls a library and prints the result. Results go to standard
//! output, and one line that begins with `error:` to standard error. [`failure::Failure`] has the
//! exit codes.

mod args;
mod certificates;
mod checkpoint;
mod colours;
mod commands;
mod expressions;
mod failure;
mod help;
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

use args::{Args, Command};
use failure::Failure;
use nimoon_memory::ReportingAllocator;
use output::complain;

/// Prints an error when the system has no memory left.
#[global_allocator]
static ALLOCATOR: ReportingAllocator = ReportingAllocator;

/// The messages of libraries when the system cannot start a thread begin like this.
const NO_THREADS: [&str; 3] = [
    "The global thread pool has not been initialized",
    "failed to spawn thread",
    "failed to allocate an alternative stack",
];

fn main() -> ExitCode {
    limits::start_clock();
    // A panic is a bug; it still prints one line and exits with code 1.
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line()));
        let what = info.payload_as_str().unwrap_or("unknown");
        if NO_THREADS.iter().any(|begins| what.starts_with(begins)) {
            ReportingAllocator::begin_report();
            // Libraries panic if a thread does not start, and have no other way to report it.
            complain(format_args!(
                "error: the system cannot start more threads: allow more memory or more processes (ulimit -v, ulimit -u)"
            ));
            // Exit at once: the rest of the program would need memory too, and print a second error.
            std::process::exit(Failure::OTHER.into());
        }
        complain(format_args!(
            "error: nimoon failed{}: {}; please report this with the input that caused it",
            place.unwrap_or_default(),
            what.lines().next().unwrap_or("unknown")
        ));
    }));
    let command = match help::parse() {
        Ok(Args { command: Some(command) }) => command,
        Ok(Args { command: None }) => {
            return output::print_text(&help::welcome())
                .map_or_else(Failure::report, |()| ExitCode::SUCCESS);
        }
        Err(error) => return failure::report_usage(&error),
    };
    match catch_unwind(AssertUnwindSafe(|| run(command))) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.report(),
        Err(_) => ExitCode::from(Failure::OTHER),
    }
}

fn run(command: Command) -> Result<(), Failure> {
    // Sessions and servers handle signals themselves, and `rulesets` needs no handler.
    if !matches!(
        command,
        Command::Rulesets(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Play(_)
            | Command::Repl(_)
            | Command::Serve(_)
            | Command::Cluster(_)
    ) {
        interrupt::catch();
    }
    dispatch(command)
}

/// Runs a command.
pub(crate) fn dispatch(command: Command) -> Result<(), Failure> {
    match command {
        Command::Label(args) => commands::label::run(&args),
        Command::Sum(args) => commands::sum::run(&args),
        Command::Value(args) => commands::value::run(&args),
        Command::Table(args) => commands::table::run(&args),
        Command::Explore(args) => commands::explore::run(&args),
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
        Command::Search(args) => commands::search::run(&args),
        Command::Run(args) => commands::run::run(&args),
        Command::Store(args) => commands::store::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Cluster(args) => commands::cluster::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Man(args) => commands::man::run(&args),
    }
}
