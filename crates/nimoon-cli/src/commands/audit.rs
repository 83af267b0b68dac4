//! `nimoon audit`.

use std::io::{IsTerminal, Write as _};

use clap::Args;
use nimoon::{Progress, Theory};
use nimoon_audit::{Algorithm, Audit, Mode, Plan, PrintableReport, Stop};

use crate::args::{AnswerFormat, ChosenTheory, theories};
use crate::failure::Failure;
use crate::limits::{self, BudgetArgs, OPTIONS};
use crate::output::{print_json, print_text};

#[derive(Debug, Args)]
#[command(mut_arg("positions", |budget| budget.value_name("COMPARISONS").help(
    "Stop after this many comparisons of theory and brute force, at the end of a digraph"
)))]
#[command(mut_arg("memory", |memory| memory.help(
    "Use at most this much memory for products, such as 512M or 2G (default: three quarters of physical memory, at most 8G)"
)))]
pub(crate) struct AuditArgs {
    /// Check all digraphs with this many nodes, up to isomorphism.
    #[arg(long, value_name = "NODES", conflicts_with = "random")]
    pub(crate) exhaustive: Option<usize>,

    /// Check this many random digraphs.
    #[arg(long, value_name = "COUNT")]
    pub(crate) random: Option<u64>,

    /// With --random: generate the digraphs from this seed.
    #[arg(long, default_value_t = nimoon_audit::Plan::SEED, requires = "random")]
    pub(crate) seed: u64,

    /// With --random: generate digraphs with at most this many nodes.
    #[arg(long, value_name = "NODES", default_value_t = nimoon_audit::Plan::MAX_NODES,
          requires = "random")]
    pub(crate) nodes: usize,

    /// Audit only this theory; `auto` selects the smallest that fits each digraph.
    #[arg(long, value_name = "THEORY", default_value = "auto", value_parser = theories())]
    pub(crate) theory: ChosenTheory,

    /// Audit Algorithm 8 of the carry-on theory as printed in the paper, where each step revises
    /// every node.
    #[arg(long)]
    pub(crate) as_printed: bool,

    /// With --as-printed: never change an assignment, as in the proof of Theorem 2.3.
    #[arg(long, requires = "as_printed")]
    pub(crate) frozen: bool,

    /// Print the report in this format.
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
    let work = args.limits.work().on_progress(move |progress| match progress {
        Progress::Auditing { digraphs, of, wrong_digraphs } if shows_progress => {
            let of = of.map_or_else(String::new, |of| format!(" of {of}"));
            eprint!("\r{digraphs}{of} digraphs, {wrong_digraphs} wrong ");
            let _ = std::io::stderr().flush();
        }
        _ => {}
    });
    let audit = Audit::new(plan).map_err(|error| Failure::input(error.to_string()))?;
    let report = audit.within(work).run();
    if shows_progress {
        eprint!("\r{:60}\r", "");
    }
    let printable = PrintableReport::new(&report, algorithm);
    match args.format {
        AnswerFormat::Table => print_text(&printable.text())?,
        AnswerFormat::Json => print_json(&printable)?,
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
