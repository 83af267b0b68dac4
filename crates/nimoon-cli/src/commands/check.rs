//! `nimoon check`.

use std::cell::Cell;
use std::path::PathBuf;

use clap::Args;
use nimoon::{Effort, Interrupted};
use nimoon_check::{Claim, Rejection, Unproved, Work, check_while};
use serde::Serialize;

use crate::args::AnswerFormat;
use crate::failure::Failure;
use crate::input;
use crate::limits::{self, BudgetArgs, OPTIONS};
use crate::output::{print_json, print_text};

/// More than a machine gets through in a week.
const STEPS: u64 = 1_000_000_000_000_000;

#[derive(Debug, Args)]
#[command(mut_arg("positions", |budget| budget.value_name("STATEMENTS").help(
    "How many statements may be looked at, and moves that they speak of"
)))]
#[command(mut_arg("memory", |memory| memory.help(
    "How much memory may be taken beside the file, as in 512M or 2G; as much as there is, unless told"
)))]
pub(crate) struct CheckArgs {
    /// The certificate; `-` is standard input.
    pub(crate) file: PathBuf,

    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs<STEPS>,
}

#[derive(Serialize)]
struct JsonClaim {
    valid: bool,
    claim: String,
    given: Vec<String>,
}

#[derive(Serialize)]
struct JsonRejection<'a> {
    valid: bool,
    at: &'a str,
    reason: &'a str,
}

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let effort = args.limits.effort_with(u64::MAX);
    let bytes = input::bytes(&args.file, &effort)?;
    match checked(&bytes, &effort) {
        Err(interrupted) => {
            let message = format!("{}: {interrupted}", args.file.display());
            Err(limits::interrupted(interrupted, message, OPTIONS))
        }
        Ok(Ok(claim)) => match args.format {
            AnswerFormat::Json => {
                let (claim, given) = (claim.sentence, claim.given);
                print_json(&JsonClaim { valid: true, claim, given })
            }
            AnswerFormat::Table => {
                let given: Vec<String> =
                    claim.given.iter().map(|given| format!("taken as given: {given}\n")).collect();
                print_text(&format!("proves: {}.\n{}", claim.sentence, given.concat()))
            }
        },
        Ok(Err(rejection)) => {
            if args.format == AnswerFormat::Json {
                let (at, reason) = (rejection.at.as_str(), rejection.reason.as_str());
                print_json(&JsonRejection { valid: false, at, reason })?;
            }
            let file = args.file.display();
            Err(Failure::input(format!("{file}: this proves nothing: {rejection}")))
        }
    }
}

/// What a certificate proves, or what is wrong with it, found within the limits.
fn checked(bytes: &[u8], effort: &Effort) -> Result<Result<Claim, Rejection>, Interrupted> {
    let interrupted = Cell::new(None);
    let go_on = |Work { steps, bytes }| {
        let found = effort.check().and_then(|()| effort.admit(steps));
        interrupted.set(found.and_then(|()| effort.hold(bytes)).err());
        interrupted.get().is_none()
    };
    match (check_while(bytes, &go_on), interrupted.get()) {
        (Err(Unproved::Ended), Some(interrupted)) => Err(interrupted),
        (found, _) => Ok(found.map_err(Rejection::from)),
    }
}
