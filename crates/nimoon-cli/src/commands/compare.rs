//! `nimoon compare`.

use clap::Args;
use nimoon::partizan::Stoppers;
use nimoon_session::certificate::ComparisonCertificate;
use nimoon_session::loopy::ComparisonReport;

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

    /// Print the answer in this format.
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
    let within = args.limits.work();
    let arguments = [Argument::read(&args.first, &within)?, Argument::read(&args.second, &within)?];
    let mut stoppers = Stoppers::new();
    let mut work = args.limits.work();
    let mut game = |argument| evaluate(argument, &mut stoppers, &mut work);
    let [first, second] = arguments;
    let games = [game(first)?, game(second)?];
    let mut relations = ComparisonReport::default();
    let found = relations.find(&games, &mut stoppers, &mut work);
    if args.certificate.is_requested() && found.is_ok() {
        let [a, b] = &games;
        let first = graph(a, &stoppers, &mut work)?;
        let second = graph(b, &stoppers, &mut work)?;
        let certificate = ComparisonCertificate::new(&first, &second, &mut work)
            .map_err(certificates::failure)?;
        args.certificate.save(|out| Ok(serde_json::to_writer(out, &certificate)?))?;
    }
    match args.format {
        AnswerFormat::Table => print_text(&relations.text(&args.first, &args.second))?,
        AnswerFormat::Json => print_json(&relations)?,
    }
    found.map_err(over_budget)
}
