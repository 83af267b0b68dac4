//! Benches of nimoon: `cargo xtask bench` builds what they need and runs them.
//!
//! Every bench compares or proves the answer before it prints a time. Speed is given as a
//! ratio to a named program in the same run: `baseline/sfp.c`, the labelling of Smith, Fraenkel
//! and Perl in C, `baseline/octal.c`, `baseline/top_entails.c`, or a plain program in the bench itself,
//! such as `loopy/plain.rs`, loopy partizan games on whole graphs. `RECORD.md` has the measurements with
//! their machines.

mod answer;
mod arguments;
mod baseline;
mod carry_on;
mod certificate;
mod cluster;
mod explore;
mod growth;
mod levels;
mod lights;
mod loopy;
mod machine;
mod nimstring;
mod octal;
mod reading;
mod sums;
mod top_entails;

use std::process::ExitCode;

use arguments::Arguments;
use thiserror::Error;

/// Why the benches stopped early.
#[derive(Debug, Error)]
enum BenchError {
    #[error(transparent)]
    Baseline(#[from] baseline::BaselineError),
    #[error(transparent)]
    CarryOn(#[from] carry_on::CarryOnError),
    #[error(transparent)]
    Cluster(#[from] cluster::ClusterError),
    #[error(transparent)]
    Explore(#[from] explore::ExplorerError),
    #[error(transparent)]
    Growth(#[from] growth::GrowthError),
    #[error(transparent)]
    Levels(#[from] levels::LevelsError),
    #[error(transparent)]
    Loopy(#[from] loopy::LoopyError),
    #[error(transparent)]
    Reading(#[from] reading::ReadingError),
    #[error(transparent)]
    Lights(#[from] lights::LightsError),
    #[error(transparent)]
    Sums(#[from] sums::SumsError),
    #[error(transparent)]
    Nimstring(#[from] nimstring::NimstringError),
    #[error(transparent)]
    Octal(#[from] octal::OctalError),
    #[error(transparent)]
    TopEntails(#[from] top_entails::TopEntailsError),
}

/// The settings of a run.
#[derive(Clone, Copy, Debug)]
struct Settings {
    /// How often each time is measured.
    rounds: usize,
    /// The largest heap of Top Entails.
    heaps: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { rounds: 3, heaps: 600_000 }
    }
}

/// A bench.
#[derive(Debug)]
struct Bench {
    /// Its name on the command line.
    name: &'static str,
    /// Its description in the help.
    about: &'static str,
    run: fn(Settings) -> Result<(), BenchError>,
}

/// All benches, in the order in which they run: the first measures the memory of its child processes,
/// which needs this process to be small.
const BENCHES: &[Bench] = &[
    Bench {
        name: "baseline",
        about: "time and memory compared with sfp.c, with one and two threads, 4·10^6 and 10^7 arcs",
        run: |settings| Ok(baseline::times(settings.rounds)?),
    },
    Bench {
        name: "answers",
        about: "labels compared with sfp.c node by node, on many smaller digraphs",
        run: |_| Ok(baseline::answers()?),
    },
    Bench {
        name: "carry-on",
        about: "the carry-on theory compared with the cyclic theory, a fifth of the nodes gray",
        run: |settings| Ok(carry_on::run(settings.rounds)?),
    },
    Bench {
        name: "cluster",
        about: "nimoon cluster label compared with nimoon label, and 1, 2 and 4 processes, 10^7 arcs",
        run: |settings| Ok(cluster::run(settings.rounds)?),
    },
    Bench {
        name: "explore",
        about: "positions of three rulesets compared with a plain program in C++",
        run: |settings| Ok(explore::run(settings.rounds)?),
    },
    Bench {
        name: "growth",
        about: "exponents of commands by counted instructions, compared with those that theory needs",
        run: |_| Ok(growth::run()?),
    },
    Bench {
        name: "levels",
        about: "time and visited arcs per arc, 10^5 to 10^7 arcs",
        run: |settings| Ok(levels::run(settings.rounds)?),
    },
    Bench {
        name: "reading",
        about: "edge lists of numbers and of names compared with plain readers",
        run: |settings| Ok(reading::run(settings.rounds)?),
    },
    Bench {
        name: "lights",
        about: "the value of 10^8 lights compared with a plain pass",
        run: |settings| Ok(lights::run(settings.rounds)?),
    },
    Bench {
        name: "sums",
        about: "value and turn of sums of 10,000 components",
        run: |settings| Ok(sums::run(settings.rounds)?),
    },
    Bench {
        name: "loopy",
        about: "loopy partizan games compared with a plain implementation",
        run: |settings| Ok(loopy::run(settings.rounds)?),
    },
    Bench {
        name: "nimstring",
        about: "Nimstring by search compared with the exploration of all positions",
        run: |_| Ok(nimstring::run()?),
    },
    Bench {
        name: "octal",
        about: "values of octal games compared with octal.c, for each set of instructions",
        run: |_| Ok(octal::run()?),
    },
    Bench {
        name: "top-entails",
        about: "values of Top Entails compared with top_entails.c, for each set of instructions",
        run: |settings| Ok(top_entails::run(settings.heaps)?),
    },
];

fn run(benches: &[&Bench], settings: Settings) -> Result<(), BenchError> {
    println!("{}", machine::description());
    for bench in benches {
        println!();
        (bench.run)(settings)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let (benches, settings) = match arguments::read(std::env::args().skip(1)) {
        Ok(Arguments::Help) => {
            print!("{}", arguments::help());
            return ExitCode::SUCCESS;
        }
        Ok(Arguments::Run(benches, settings)) => (benches, settings),
        Err(error) => {
            eprintln!("error: {error}\n\n{}", arguments::help());
            return ExitCode::from(2);
        }
    };
    match run(&benches, settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
