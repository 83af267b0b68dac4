//! `nimoon audit`.

use std::io::{IsTerminal, Write as _};

use clap::Args;
use nimoon::Theory;
use nimoon_audit::{Algorithm, Audit, Mode, Plan, Progress, Stop, ToldReport};

use crate::args::{AnswerFormat, ChosenTheory, theories};
use crate::failure::Failure;
use crate::limits::{self, BudgetArgs, OPTIONS};
use crate::output::{print_json, print_text};

#[derive(Debug, Args)]
#[command(mut_arg("positions", |budget| budget.value_name("COMPARISONS").help(
    "How many times the theory may be compared with brute force. A digraph that is begun is checked to its end; \
     the same comparisons are made each time"
)))]
#[command(mut_arg("memory", |memory| memory.help(
    "How much memory the products on which brute force plays may take, as in 512M or 2G; most of what the machine has, and no more than 8G, unless told"
)))]
pub(crate) struct AuditArgs {
    /// Run through all digraphs of this many nodes, up to isomorphism.
    #[arg(long, value_name = "NODES", conflicts_with = "random")]
    pub(crate) exhaustive: Option<usize>,

    /// Run through this many random digraphs.
    #[arg(long, value_name = "COUNT")]
    pub(crate) random: Option<u64>,

    /// With --random: the seed of the digraphs.
    #[arg(long, default_value_t = nimoon_audit::Plan::SEED, requires = "random")]
    pub(crate) seed: u64,

    /// With --random: how many nodes the largest digraph has.
    #[arg(long, value_name = "NODES", default_value_t = nimoon_audit::Plan::MAX_NODES,
          requires = "random")]
    pub(crate) nodes: usize,

    /// Audit this theory only; `auto` takes for each digraph the smallest that fits.
    #[arg(long, value_name = "THEORY", default_value = "auto", value_parser = theories())]
    pub(crate) theory: ChosenTheory,

    /// Audit Algorithm 8 of the carry-on theory as the paper prints it: each step looks at every
    /// node again.
    #[arg(long)]
    pub(crate) as_printed: bool,

    /// With --as-printed: the reading of the proof of Theorem 2.3, that assignments never change.
    #[arg(long, requires = "as_printed")]
    pub(crate) frozen: bool,

    /// How to print the report.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs<{ Plan::COMPARISONS }>,
}

pub(crate) fn run(args: &AuditArgs) -> Result<(), Failure> {
    if let Some(theory) = args.theory.0
        && args.as_printed
        && theory != Theory::CarryOn
    {
        return Err(Failure::input(format!(
            "--as-printed is the algorithm of the carry-on theory: it cannot be used with --theory \
             {theory}"
        )));
    }
    let algorithm = match (args.as_printed, args.frozen) {
        (false, _) => Algorithm::Engine,
        (true, false) => Algorithm::AsPrinted,
        (true, true) => Algorithm::Frozen,
    };
    let random = |count| Mode::Random { count, seed: args.seed, max_nodes: args.nodes };
    let mode = match args.exhaustive {
        Some(nodes) => Some(Mode::Exhaustive { nodes }),
        None => args.random.map(random),
    };
    let plan = Plan { algorithm, theory: args.theory.0, mode, ..Plan::default() };
    let shows_progress = std::io::stderr().is_terminal();
    let show = |progress: Progress| {
        if shows_progress {
            let of = progress.of.map_or_else(String::new, |of| format!(" of {of}"));
            eprint!("\r{}{of} digraphs, {} wrong ", progress.digraphs, progress.wrong_digraphs);
            let _ = std::io::stderr().flush();
        }
    };
    let audit = Audit::new(plan).map_err(|error| Failure::input(error.to_string()))?;
    let report = audit.on_progress(&show).within(args.limits.effort()).run();
    if shows_progress {
        eprint!("\r{:60}\r", "");
    }
    let told = ToldReport::new(&report, algorithm);
    match args.format {
        AnswerFormat::Table => print_text(&told.text())?,
        AnswerFormat::Json => print_json(&told)?,
    }
    if report.wrong > 0 && algorithm == Algorithm::Engine {
        return Err(Failure::other("the engine is wrong: please report the counterexample"));
    }
    match report.stop {
        Stop::Finished => Ok(()),
        Stop::Interrupted(interrupted) => {
            Err(limits::interrupted(interrupted, report.stop, OPTIONS))
        }
    }
}
