//! `nimoon ordinal`.

use clap::Args;
use nimoon::Work;
use nimoon::transfinite::expression::{ExpressionErrorKind, read};
use nimoon_session::report::OrdinalReport;

use crate::args::AnswerFormat;
use crate::certificates::NoCertificateArgs;
use crate::expressions::Text;
use crate::failure::Failure;
use crate::limits::{self, BudgetArgs, OPTIONS};
use crate::output::{print_json, print_text};

#[derive(Debug, Args)]
pub(crate) struct OrdinalArgs {
    /// An expression, such as `w^2*3 + w + 5` or `nim(w, 3)`; `-` is standard input, `@FILE` a
    /// file.
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expression: String,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs,

    /// Print the answer in this format.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    certificate: NoCertificateArgs,
}

pub(crate) fn run(args: &OrdinalArgs) -> Result<(), Failure> {
    args.certificate
        .refuse("ordinals: their games have no bound, so that they cannot be listed")?;
    let mut work = args.limits.work();
    let text = Text::of_argument(&args.expression, &work)?;
    let answer = read(text.as_str(), &mut work).map_err(|error| {
        let message = error.to_string();
        match error.kind {
            ExpressionErrorKind::Limit(_) => {
                Failure::Budget { message: text.wrong(error.at, &message).into_message() }
            }
            ExpressionErrorKind::Interrupted(interrupted) => {
                let message = text.wrong(error.at, &message).into_message();
                limits::interrupted(interrupted, message, OPTIONS)
            }
            _ => text.wrong(error.at, &message),
        }
    });
    let (report, ended) = match answer {
        Ok(answer) => (OrdinalReport::new(&answer), Ok(())),
        Err(ended) if ended.is_cut() => (OrdinalReport::unknown(), Err(ended)),
        Err(wrong) => return Err(wrong),
    };
    match args.format {
        AnswerFormat::Table => print_text(&report.text())?,
        AnswerFormat::Json => print_json(&report)?,
    }
    ended
}

/// Whether a text is an expression of ordinals that no other theory has: one with `w`, or a game of ordinals.
pub(crate) fn is_ordinal(text: &str) -> bool {
    let named = text.contains('w') || text.contains('(');
    named && read(text, &mut Work::default()).is_ok()
}
