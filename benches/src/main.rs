//! Benches of nimoon: `cargo xtask bench` builds what they need and runs them.
//!
//! Every bench compares or proves the answer before it prints a time. Speed is given as a
//! ratio to a named program in the same run: `baseline/sfp.c`, the labelling of Smith, Fraenkel
//! and Perl in C, `baseline/top_entails.c`, `baseline/octal.c`, or `loopy/plain.rs`, loopy partizan games on whole graphs. What was measured on which
//! machine is kept in `RECORD.md`.

mod answer;
mod arguments;
mod baseline;
mod certificate;
mod growth;
mod loopy;
mod machine;
mod octal;
mod top_entails;

use std::process::ExitCode;

use arguments::{Arguments, Bench};
use thiserror::Error;

/// Why the benches stopped early.
#[derive(Debug, Error)]
enum BenchError {
    #[error(transparent)]
    Baseline(#[from] baseline::BaselineError),
    #[error(transparent)]
    Growth(#[from] growth::GrowthError),
    #[error(transparent)]
    Loopy(#[from] loopy::LoopyError),
    #[error(transparent)]
    Octal(#[from] octal::OctalError),
    #[error(transparent)]
    TopEntails(#[from] top_entails::TopEntailsError),
}

fn run(benches: &[Bench], rounds: usize, heaps: usize) -> Result<(), BenchError> {
    println!("{}", machine::description());
    for bench in benches {
        println!();
        match bench {
            Bench::Baseline => baseline::times(rounds)?,
            Bench::Answers => baseline::answers()?,
            Bench::Growth => growth::run(rounds)?,
            Bench::Loopy => loopy::run(rounds)?,
            Bench::Octal => octal::run()?,
            Bench::TopEntails => top_entails::run(heaps)?,
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let (benches, rounds, heaps) = match arguments::read(std::env::args().skip(1)) {
        Ok(Arguments::Help) => {
            print!("{}", arguments::HELP);
            return ExitCode::SUCCESS;
        }
        Ok(Arguments::Run { benches, rounds, heaps }) => (benches, rounds, heaps),
        Err(error) => {
            eprintln!("error: {error}\n\n{}", arguments::HELP);
            return ExitCode::from(2);
        }
    };
    match run(&benches, rounds, heaps) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
