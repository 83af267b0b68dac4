//! `nimoon unicycle`.

use std::fmt::Write as _;

use clap::Args;
use nimoon::partizan::unicycle::{Pattern, PatternError};
use nimoon_session::unicycle::{UnicycleAnswer, UnicycleError, UnicycleOptions, Unicycles};

use crate::args::AnswerFormat;
use crate::failure::Failure;
use crate::limits::{self, BudgetArgs, OPTIONS};
use crate::output::{print_json, print_text};

#[derive(Debug, Args)]
pub(crate) struct UnicycleArgs {
    /// The player who moves on along the cycle at each vertex, such as LLRR.
    #[arg(required_unless_present = "length", allow_hyphen_values = true)]
    pub(crate) pattern: Option<String>,

    /// Run all admissible patterns of this length, up to rotation.
    #[arg(long, value_name = "N", conflicts_with_all = ["pattern", "all"],
          value_parser = clap::value_parser!(u8).range(1..=20))]
    pub(crate) length: Option<u8>,

    /// Choose exits from these loopfree games, separated by commas, such as 0,*,-1,{0|-6}.
    #[arg(long, value_name = "GAMES", default_value = "0,*,*2,*3", allow_hyphen_values = true)]
    pub(crate) exits: String,

    /// Count all assignments of exits.
    #[arg(long)]
    pub(crate) count: bool,

    /// List all assignments of exits.
    #[arg(long)]
    pub(crate) all: bool,

    /// With --all: list at most this many.
    #[arg(long, value_name = "ASSIGNMENTS", default_value_t = 1000, requires = "all")]
    pub(crate) limit: usize,

    /// Construct a unicycle instead of searching; every admissible pattern has one.
    #[arg(long, conflicts_with_all = ["exits", "count", "all"])]
    pub(crate) construct: bool,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs<SOME_SECONDS>,

    /// Print the answer in this format.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,
}

/// The number of states that a search visits in some seconds.
const SOME_SECONDS: u64 = 300_000_000;

pub(crate) fn run(args: &UnicycleArgs) -> Result<(), Failure> {
    let options = UnicycleOptions {
        count: args.count,
        all: args.all.then_some(args.limit),
        construct: args.construct,
    };
    let question = Unicycles::new(&args.exits, options, args.limits.work());
    let mut question = question.map_err(|error| failure(&error))?;
    let Some(length) = args.length else {
        let text = args.pattern.as_deref().unwrap_or_default();
        let pattern: Pattern = text
            .parse()
            .map_err(|error: PatternError| Failure::input(format!("pattern: {error}")))?;
        let answer = question.answer(&pattern).map_err(|error| failure(&error))?;
        match args.format {
            AnswerFormat::Table => print_text(&text_of(&answer, args))?,
            AnswerFormat::Json => print_json(&answer)?,
        }
        return complete(std::slice::from_ref(&answer));
    };
    let patterns = Pattern::necklaces(usize::from(length));
    let patterns: Vec<Pattern> = patterns.filter(|pattern| pattern.admissible().is_ok()).collect();
    let answers = question.answer_all(&patterns).map_err(|error| failure(&error))?;
    match args.format {
        AnswerFormat::Table => print_text(&table(&answers, args))?,
        AnswerFormat::Json => print_json(&answers)?,
    }
    complete(&answers)
}

fn failure(error: &UnicycleError) -> Failure {
    match error {
        UnicycleError::Exits { .. } => Failure::input(format!("--exits: {error}")),
        _ => Failure::other(error.to_string()),
    }
}

/// Returns an error if a search was not complete.
fn complete(answers: &[UnicycleAnswer]) -> Result<(), Failure> {
    let interrupted = answers.iter().find_map(|answer| answer.interrupted);
    interrupted.map_or(Ok(()), |interrupted| {
        let message = format!("{interrupted} before the search was complete");
        Err(limits::interrupted(interrupted, message, OPTIONS))
    })
}

fn text_of(answer: &UnicycleAnswer, args: &UnicycleArgs) -> String {
    let mut text = format!("pattern  {}\n", answer.pattern);
    if let Some(reason) = &answer.reason {
        let _ = writeln!(text, "exits    none: {reason}");
        return text;
    }
    let _ = match (&answer.exits, answer.exhaustive) {
        (Some(exits), _) => writeln!(text, "exits    {}", exits.join(",")),
        (None, true) => writeln!(
            text,
            "exits    none from {}; --construct builds a unicycle with others",
            args.exits
        ),
        (None, false) => writeln!(text, "exits    not known"),
    };
    if let Some(count) = answer.count {
        let least = if answer.exhaustive { "" } else { "at least " };
        let _ = writeln!(text, "count    {least}{count}");
    }
    if let Some(all) = &answer.all {
        for exits in all {
            let _ = writeln!(text, "  {}", exits.join(","));
        }
        if answer.truncated {
            let _ = writeln!(text, "  … (--limit {})", args.limit);
        }
    }
    text
}

fn table(answers: &[UnicycleAnswer], args: &UnicycleArgs) -> String {
    let mut text = String::new();
    let patterns = answers.len();
    let done = answers.iter().take_while(|answer| answer.interrupted.is_none()).count();
    // Only count those that were not searched.
    let answers = &answers[..patterns.min(done + 1)];
    let width = answers.iter().filter_map(|answer| answer.count).max();
    let width = width.map(|most| most.to_string().len());
    for answer in answers {
        let exits = match (&answer.exits, answer.exhaustive) {
            (Some(exits), _) => exits.join(","),
            (None, true) => "none".to_owned(),
            (None, false) => "not known".to_owned(),
        };
        let count = match (answer.count, width) {
            (Some(count), Some(width)) => format!("{count:>width$}  "),
            _ => String::new(),
        };
        let _ = writeln!(text, "{}  {count}{exits}", answer.pattern);
    }
    let found = answers.iter().filter(|answer| answer.exits.is_some()).count();
    let exits = if args.construct { String::new() } else { format!(" from {}", args.exits) };
    let _ = if done < patterns {
        writeln!(
            text,
            "searched {done} of {patterns} admissible patterns up to rotation, {found} with a \
             unicycle{exits}"
        )
    } else {
        writeln!(
            text,
            "{patterns} admissible patterns up to rotation, {found} with a unicycle{exits}"
        )
    };
    text
}
