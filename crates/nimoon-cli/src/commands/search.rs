//! `nimoon search`.

use clap::{Args, ValueEnum};
use nimoon_session::search::{SearchReport, Sought, search};
use nimoon_session::table::Pattern;

use crate::args::{RulesArgs, TheoryArgs};
use crate::expressions::{Rules, Text};
use crate::failure::Failure;
use crate::output::{or_unknown, print_json, print_text};

pub(crate) const EXAMPLES: &str = "\
Examples:
  nimoon search 'wythoff:{a},{b}' a=0..20 b=0..20 --where 'value != a xor b'
  nimoon search top-entails 4..3000 --where 'value = moon'
  nimoon search 'green-lime:{w}' 'w=words(gl,1..6)' --where 'outcome = P' --random 100";

#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// A ruleset with its parameters, or positions with places as in 'wythoff:{a},{b}'.
    #[arg(value_name = "RULESET")]
    pattern: String,

    /// The numbers, as in 0..200; or the values of each named place, as in a=0..50.
    #[arg(value_name = "RANGE", required = true)]
    ranges: Vec<String>,

    /// Look for the first row that satisfies this condition.
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    condition: String,

    /// Try this many rows at random.
    #[arg(long, value_name = "COUNT")]
    random: Option<u64>,

    /// With --random: what the rows depend on.
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "random")]
    seed: u64,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    theory: TheoryArgs,

    /// Print the answer in this format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(crate) fn run(args: &SearchArgs) -> Result<(), Failure> {
    or_unknown(answer(args), args.format == Format::Json, &SearchReport::nothing())
}

fn answer(args: &SearchArgs) -> Result<(), Failure> {
    let work = args.theory.limits.work();
    let (pattern, range) = Pattern::with(&args.pattern, &args.ranges.join(" "))
        .map_err(|error| Failure::input(error.to_string()))?;
    let condition = pattern.condition(&args.condition).map_err(|error| {
        Text::new(&args.condition).wrong(error.at, &error.message).in_option("--where")
    })?;
    let mut rules = Rules::new(&args.rules, &work)?;
    let sought = Sought {
        pattern: &pattern,
        range,
        condition: &condition,
        random: args.random.map(|count| (count, args.seed)),
        theory: args.theory.theory(),
    };
    let text = Text::new(&pattern.row(range.first));
    let (report, missing) =
        search(&sought, &mut rules, &work).map_err(|error| text.unanswered(&error))?;
    match args.format {
        Format::Text => print_text(&report.text())?,
        Format::Json => print_json(&report)?,
    }
    missing.map_or(Ok(()), |error| Err(text.unanswered(&error)))
}
