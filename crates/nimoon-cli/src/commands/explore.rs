//! `nimoon explore`.

use clap::{Args, ValueEnum};
use nimoon_formats::write::PictureOptions;
use nimoon_session::Error;
use nimoon_session::condition::Condition;
use nimoon_session::explore::{ExploreOptions, Explored, NAMES, explore};
use nimoon_session::followers::Symmetry;
use nimoon_session::report::{ExploreReport, ExploredRow};

use crate::args::{PictureArgs, RulesArgs, TheoryArgs};
use crate::expressions::{Rules, Text};
use crate::failure::Failure;
use crate::output::{or_unknown, print, print_json, print_text};

pub(crate) const EXAMPLES: &str = "\
A condition compares position, value, outcome, left_first, right_first, remoteness or options (their number) by =, !=, <, <=, > \
or >=, and joins comparisons by and, or and not.

Examples:
  nimoon explore green-lime:gl
  nimoon explore green-lime:0-1g,1-2l,1-3l --format svg > green-lime.svg
  nimoon explore kayles:9 --merge --where 'outcome = P'
  nimoon explore slide:20 --rules examples/rules/slide.rhai --where 'remoteness > 5'";

#[derive(Debug, Args)]
pub(crate) struct ExploreArgs {
    /// Positions as `ruleset:position`, joined by `+`; `-` is standard input, `@FILE` a file.
    #[arg(value_name = "EXPR")]
    expression: String,

    /// List only positions that satisfy this condition, such as 'outcome = P and remoteness > 5'.
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    condition: Option<String>,

    /// Merge positions that a symmetry makes equal, and all positions without moves.
    #[arg(long)]
    merge: bool,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    theory: TheoryArgs,

    /// Print the positions in this format.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,

    /// Draw at most this many nodes, up to 1000 (svg and latex).
    #[arg(long, value_name = "NODES", default_value_t = 300,
          value_parser = clap::value_parser!(u16).range(1..=i64::from(PictureArgs::MOST_NODES)))]
    max_nodes: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Csv,
    Json,
    Game,
    Dot,
    Svg,
    Latex,
}

/// Reads the condition of an option.
pub(crate) fn condition(text: Option<&str>, names: &[&str]) -> Result<Option<Condition>, Failure> {
    let read = text.map(|text| {
        Condition::read(text, names).map_err(|error| {
            let at = Text::new(text).wrong(error.at, &error.message);
            at.in_option("--where")
        })
    });
    read.transpose()
}

pub(crate) fn run(args: &ExploreArgs) -> Result<(), Failure> {
    let nothing: ExploreReport<ExploredRow> =
        ExploreReport { theory: None, complete: false, positions: Vec::new() };
    or_unknown(answer(args), args.format == Format::Json, &nothing)
}

fn answer(args: &ExploreArgs) -> Result<(), Failure> {
    let work = args.theory.limits.work();
    let condition = condition(args.condition.as_deref(), NAMES)?;
    let text = Text::of_argument(&args.expression, &work)?;
    let mut rules = Rules::new(&args.rules, &work)?;
    let options = ExploreOptions {
        symmetry: if args.merge { Symmetry::Merged } else { Symmetry::Apart },
        condition: condition.as_ref(),
        theory: args.theory.theory(),
    };
    let found = explore(text.as_str(), &options, &mut rules, &work);
    let found = found.map_err(|error| text.unanswered(&error))?;
    write(args, &found).and_then(|written| {
        written.map_err(|error| {
            let mut failure = text.unanswered(&error);
            if let Failure::Input { message, .. } = &mut failure
                && matches!(args.format, Format::Svg | Format::Latex)
                && args.max_nodes < PictureArgs::MOST_NODES
            {
                message.push_str(": raise the limit by --max-nodes, or print another format");
            }
            failure
        })
    })?;
    found.missing.map_or(Ok(()), |error| Err(text.unanswered(&error)))
}

/// Prints what was found; an error within says that there is nothing to print in this format.
fn write(args: &ExploreArgs, found: &Explored) -> Result<Result<(), Error>, Failure> {
    let picture = PictureOptions { max_nodes: args.max_nodes.into(), ..PictureOptions::default() };
    let printed = |text: Result<String, Error>| match text {
        Ok(text) => print_text(&text).map(Ok),
        Err(error) => Ok(Err(error)),
    };
    match args.format {
        Format::Table => print(|out| found.write_table(out)).map(Ok),
        Format::Csv => print(|out| found.write_csv(out)).map(Ok),
        Format::Json => print_json(&found.answer).map(Ok),
        Format::Game => printed(found.game()),
        Format::Dot => match found.dot() {
            Ok(text) => print(|out| out.write_all(&text)).map(Ok),
            Err(error) => Ok(Err(error)),
        },
        Format::Svg => printed(found.svg(&picture)),
        Format::Latex => printed(found.latex(&picture)),
    }
}
