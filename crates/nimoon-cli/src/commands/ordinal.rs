//! `nimoon ordinal`.

use clap::Args;
use nimoon::Budget;
use nimoon::transfinite::expression::{ExpressionErrorKind, read};
use nimoon_formats::write::OrdinalReport;

use crate::args::AnswerFormat;
use crate::certificates::NoCertificateArgs;
use crate::expressions::Text;
use crate::failure::Failure;
use crate::output::{print_json, print_text};

#[derive(Debug, Args)]
pub(crate) struct OrdinalArgs {
    /// An expression, such as `w^2*3 + w + 5` or `nim(w, 3)`; `-` is standard input, `@FILE` a
    /// file.
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expression: String,

    /// How many terms of ordinals may be written down.
    #[arg(long, value_name = "TERMS", default_value_t = Budget::DEFAULT.positions,
          allow_negative_numbers = true)]
    pub(crate) budget: u64,

    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    certificate: NoCertificateArgs,
}

pub(crate) fn run(args: &OrdinalArgs) -> Result<(), Failure> {
    args.certificate
        .refuse("ordinals: their games have no bound, so that they cannot be listed")?;
    let text = Text::of_argument(&args.expression)?;
    let answer = read(text.as_str(), Budget::new(args.budget)).map_err(|error| {
        let message = error.to_string();
        match error.kind {
            ExpressionErrorKind::Notation(_) => text.wrong(error.at, &message),
            ExpressionErrorKind::Limit(_) => {
                Failure::Budget { message: text.wrong(error.at, &message).into_message() }
            }
            ExpressionErrorKind::OverBudget { .. } => Failure::Budget {
                message: format!(
                    "{}; raise it by --budget",
                    text.wrong(error.at, &message).into_message()
                ),
            },
        }
    })?;
    let report = OrdinalReport::new(&answer);
    match args.format {
        AnswerFormat::Table => print_text(&report.text()),
        AnswerFormat::Json => print_json(&report),
    }
}
