//! Runs the fuzzer, one target after the other, and prints the results.

mod arguments;
mod campaign;
mod record;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use arguments::{Arguments, HELP, Request};
use campaign::{Campaign, Result as Ran};

fn main() -> ExitCode {
    let arguments = match Request::read(std::env::args().skip(1)) {
        Ok(Request::Run(arguments)) => arguments,
        Ok(Request::Help) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Ok(Request::List) => {
            for target in nimoon_fuzz::Target::ALL {
                println!("{:<12} {}", target.name, target.about);
            }
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("error: {error}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of this package.
fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The fuzzer, which is built beside this program.
fn fuzzer() -> PathBuf {
    let this = std::env::current_exe().unwrap_or_default();
    this.with_file_name(format!("fuzzer{}", std::env::consts::EXE_SUFFIX))
}

/// Runs the requested targets, and returns whether nothing was found.
fn run(arguments: &Arguments) -> std::io::Result<bool> {
    let campaign = Campaign {
        fuzzer: fuzzer(),
        work: home().join("../target/fuzz"),
        finds: home().join("finds"),
        seconds: arguments.seconds,
        seed: arguments.seed,
    };
    // A long run is recorded target by target, so that an interrupted run has a record too.
    let recording = Mutex::new(());
    let commit = if arguments.record { record::commit(home()) } else { String::new() };
    let tell = |ran: &Ran| {
        println!("{ran}");
        let _one_at_a_time = recording.lock();
        if arguments.record
            && let Err(error) = record::write(&home().join("RECORD.md"), &commit, ran)
        {
            eprintln!("error: cannot write the record: {error}");
        }
    };
    let ran = campaign.run(&arguments.targets, arguments.jobs, &tell)?;
    let found: usize = ran.iter().map(|ran| ran.finds.len()).sum();
    let executions: u64 = ran.iter().map(|ran| ran.executions).sum();
    println!("{} targets, {executions} inputs, {found} finds", ran.len());
    for find in ran.iter().flat_map(|ran| &ran.finds) {
        println!("found: {}", find.display());
    }
    if found > 0 {
        println!(
            "each of them is an ordinary test now: cargo test --package nimoon-fuzz --test finds"
        );
    }
    Ok(found == 0)
}
