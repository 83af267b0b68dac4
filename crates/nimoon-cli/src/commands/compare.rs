//! `nimoon compare`.

use std::path::PathBuf;

use clap::Args;
use nimoon::partizan::Stoppers;
use nimoon_session::certificate::ComparisonCertificate;
use nimoon_session::impartial_order::{ImpartialComparison, is_impartial, value};
use nimoon_session::loopy::ComparisonReport;

use super::loopy::{Argument, evaluate, graph};
use crate::args::{AnswerFormat, RulesArgs};
use crate::certificates::{self, CertificateArgs};
use crate::expressions::{Rules, Text, solution_within};
use crate::failure::Failure;
use crate::limits::{BudgetArgs, over_budget};
use crate::output::{or_unknown, print_json, print_text};

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The first game: an expression, a .json file, `-` for a graph on standard input, or `@FILE`
    /// with an expression in it; or an impartial value or sum of positions, as in `[0/1]` or
    /// `top-entails:7`.
    #[arg(value_name = "A", allow_hyphen_values = true)]
    pub(crate) first: String,

    /// The second game.
    #[arg(value_name = "B", allow_hyphen_values = true)]
    pub(crate) second: String,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// For impartial values: write a digraph that tells them apart to this .game file.
    #[arg(long, value_name = "FILE")]
    pub(crate) context: Option<PathBuf>,

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
    if is_impartial(&args.first) || is_impartial(&args.second) {
        return impartial(args);
    }
    if args.context.is_some() {
        return Err(Failure::input("--context is for impartial values, and these are loopy games"));
    }
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

/// Compares impartial values.
fn impartial(args: &CompareArgs) -> Result<(), Failure> {
    args.certificate.refuse("the order of impartial values")?;
    let work = args.limits.work();
    let mut rules = Rules::new(&args.rules, &work)?;
    let mut side = |argument: &String| {
        let text = Text::of_argument(argument, &work)?;
        let found = value(|theory| solution_within(text.read(&mut rules)?, theory, &work))?;
        found.ok_or_else(|| {
            Failure::input(format!(
                "`{argument}` has no value to compare: something in it must be answered, or a \
                 limit was hit"
            ))
        })
    };
    let values = [side(&args.first)?, side(&args.second)?];
    let report = ImpartialComparison::new(&values, &mut args.limits.work()).map_err(over_budget)?;
    if let Some(file) = &args.context {
        let Some(context) = report.contexts.first() else {
            return Err(Failure::input("the values are equal: there is no context to write"));
        };
        std::fs::write(file, &context.file)
            .map_err(|error| Failure::other(format!("{}: {error}", file.display())))?;
    }
    match args.format {
        AnswerFormat::Table => print_text(&report.text(&args.first, &args.second)),
        AnswerFormat::Json => print_json(&report),
    }
}
