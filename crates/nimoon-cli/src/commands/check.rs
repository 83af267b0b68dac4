//! `nimoon check`.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::args::AnswerFormat;
use crate::failure::Failure;
use crate::input;
use crate::output::{print_json, print_text};

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The certificate; `-` is standard input.
    pub(crate) file: PathBuf,

    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,
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
    let bytes = input::bytes(&args.file)?;
    match nimoon_check::check(&bytes) {
        Ok(claim) => match args.format {
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
        Err(rejection) => {
            if args.format == AnswerFormat::Json {
                let (at, reason) = (rejection.at.as_str(), rejection.reason.as_str());
                print_json(&JsonRejection { valid: false, at, reason })?;
            }
            let file = args.file.display();
            Err(Failure::input(format!("{file}: this proves nothing: {rejection}")))
        }
    }
}
