//! `nimoon check`.

use std::path::PathBuf;

use clap::Args;
use nimoon_session::{CheckReport, checked};

use crate::args::AnswerFormat;
use crate::failure::Failure;
use crate::input;
use crate::limits::{self, BudgetArgs, OPTIONS};
use crate::output::{print_json, print_text};

/// More than a machine checks in a week.
const STEPS: u64 = 1_000_000_000_000_000;

#[derive(Debug, Args)]
#[command(mut_arg("positions", |budget| budget.value_name("STATEMENTS").help(
    "Stop after checking this many statements and moves"
)))]
#[command(mut_arg("memory", |memory| memory.help(
    "Use at most this much memory beside the file, such as 512M or 2G (default: no limit)"
)))]
pub(crate) struct CheckArgs {
    /// The certificate; `-` is standard input.
    pub(crate) file: PathBuf,

    /// Print the answer in this format.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs<STEPS>,
}

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let work = args.limits.work_with(u64::MAX);
    let bytes = input::bytes(&args.file, &work)?;
    let file = args.file.display();
    let report = checked(&bytes, &work).map_err(|interrupted| {
        limits::interrupted(interrupted, format!("{file}: {interrupted}"), OPTIONS)
    })?;
    match (args.format, &report) {
        (AnswerFormat::Json, report) => print_json(report)?,
        (AnswerFormat::Table, CheckReport::Claim { claim, given, .. }) => {
            let given: Vec<String> =
                given.iter().map(|given| format!("taken as given: {given}\n")).collect();
            print_text(&format!("proves: {claim}.\n{}", given.concat()))?;
        }
        (AnswerFormat::Table, CheckReport::Rejection { .. }) => {}
    }
    match report {
        CheckReport::Claim { .. } => Ok(()),
        CheckReport::Rejection { at, reason, .. } => {
            Err(Failure::input(format!("{file}: this proves nothing: {at}: {reason}")))
        }
    }
}
