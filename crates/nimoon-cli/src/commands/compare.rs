//! `nimoon compare`.

use clap::Args;
use nimoon::loopy::Stoppers;
use nimoon_formats::loopy::ComparisonReport;
use nimoon_formats::write::certificate::ComparisonCertificate;

use super::loopy::{Argument, evaluate, graph};
use crate::args::AnswerFormat;
use crate::certificates::{self, CertificateArgs};
use crate::failure::Failure;
use crate::limits::{BudgetArgs, over_budget};
use crate::output::{or_unknown, print_json, print_text};

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The first game: an expression, a .json file, `-` for a graph on standard input, or `@FILE`
    /// with an expression in it.
    #[arg(value_name = "A", allow_hyphen_values = true)]
    pub(crate) first: String,

    /// The second game.
    #[arg(value_name = "B", allow_hyphen_values = true)]
    pub(crate) second: String,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs,

    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,

    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,
}

pub(crate) fn run(args: &CompareArgs) -> Result<(), Failure> {
    or_unknown(answer(args), args.format == AnswerFormat::Json, &ComparisonReport::default())
}

fn answer(args: &CompareArgs) -> Result<(), Failure> {
    if args.first == "-" && args.second == "-" {
        return Err(Failure::input("only one of the two games can be on standard input"));
    }
    let within = args.limits.effort();
    let arguments = [Argument::read(&args.first, &within)?, Argument::read(&args.second, &within)?];
    let mut stoppers = Stoppers::new();
    let mut effort = args.limits.effort();
    let mut game = |argument| evaluate(argument, &mut stoppers, &mut effort);
    let [first, second] = arguments;
    let games = [game(first)?, game(second)?];
    let mut relations = ComparisonReport::default();
    let found = relations.find(&games, &mut stoppers, &mut effort);
    if args.certificate.is_asked() && found.is_ok() {
        let [a, b] = &games;
        let first = graph(a, &stoppers, &mut effort)?;
        let second = graph(b, &stoppers, &mut effort)?;
        let certificate = ComparisonCertificate::new(&first, &second, &mut effort)
            .map_err(certificates::failure)?;
        args.certificate.save(|out| Ok(serde_json::to_writer(out, &certificate)?))?;
    }
    match args.format {
        AnswerFormat::Table => print_text(&relations.text(&args.first, &args.second))?,
        AnswerFormat::Json => print_json(&relations)?,
    }
    found.map_err(over_budget)
}
