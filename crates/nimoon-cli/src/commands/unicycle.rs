//! `nimoon unicycle`.

use std::fmt::Write as _;

use clap::Args;
use nimoon::loopy::notation::{EvaluateError, Expression};
use nimoon::loopy::unicycle::{Pattern, PatternError, Search, SearchError, Unicycle, construct};
use nimoon::loopy::{Effort, Interrupted, Stopper, Stoppers};
use serde::Serialize;

use crate::args::AnswerFormat;
use crate::failure::Failure;
use crate::output::{print_json, print_text};

#[derive(Debug, Args)]
pub(crate) struct UnicycleArgs {
    /// The players who go on, vertex by vertex, as in LLRR.
    #[arg(required_unless_present = "length", allow_hyphen_values = true)]
    pub(crate) pattern: Option<String>,

    /// All admissible patterns of this length, up to rotation.
    #[arg(long, value_name = "N", conflicts_with_all = ["pattern", "all"],
          value_parser = clap::value_parser!(u8).range(1..=20))]
    pub(crate) length: Option<u8>,

    /// The loopfree games to choose exits from, separated by commas, as in 0,*,-1,{0|-6}.
    #[arg(long, value_name = "GAMES", default_value = "0,*,*2,*3", allow_hyphen_values = true)]
    pub(crate) exits: String,

    /// Count all assignments of exits.
    #[arg(long)]
    pub(crate) count: bool,

    /// List all assignments of exits.
    #[arg(long)]
    pub(crate) all: bool,

    /// With --all: the most assignments to list.
    #[arg(long, value_name = "ASSIGNMENTS", default_value_t = 1000, requires = "all")]
    pub(crate) limit: usize,

    /// Build a unicycle that every admissible pattern has, and do not search.
    #[arg(long, conflicts_with_all = ["exits", "count", "all"])]
    pub(crate) construct: bool,

    /// How many states a search may look at, in all.
    #[arg(long, value_name = "STATES", default_value_t = Self::BUDGET,
          allow_negative_numbers = true)]
    pub(crate) budget: u64,

    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,
}

impl UnicycleArgs {
    /// Some seconds of search.
    const BUDGET: u64 = 300_000_000;
}

pub(crate) fn run(args: &UnicycleArgs) -> Result<(), Failure> {
    let mut stoppers = Stoppers::new();
    let exits = read_exits(&args.exits, &mut stoppers)?;
    let mut question = Question { args, stoppers, exits, effort: Effort::new(args.budget) };
    let Some(length) = args.length else {
        let text = args.pattern.as_deref().unwrap_or_default();
        let pattern: Pattern = text
            .parse()
            .map_err(|error: PatternError| Failure::input(format!("pattern: {error}")))?;
        let answer = question.answer(&pattern)?;
        match args.format {
            AnswerFormat::Table => print_text(&text_of(&answer, args))?,
            AnswerFormat::Json => print_json(&answer)?,
        }
        return if answer.exhaustive { Ok(()) } else { Err(over_budget(args)) };
    };
    let patterns = Pattern::necklaces(usize::from(length));
    let patterns: Vec<Pattern> = patterns.filter(|pattern| pattern.admissible().is_ok()).collect();
    let mut answers: Vec<Answer> = Vec::new();
    for pattern in &patterns {
        answers.push(question.answer(pattern)?);
        if answers.last().is_some_and(|last| !last.exhaustive) {
            break;
        }
    }
    match args.format {
        AnswerFormat::Table => print_text(&table(&answers, patterns.len(), args))?,
        AnswerFormat::Json => print_json(&answers)?,
    }
    if answers.iter().all(|answer| answer.exhaustive) { Ok(()) } else { Err(over_budget(args)) }
}

fn over_budget(args: &UnicycleArgs) -> Failure {
    let message = format!(
        "the budget of {} states was hit before the search was complete; raise it by --budget",
        args.budget
    );
    Failure::Budget { message }
}

/// What is asked of each pattern.
struct Question<'a> {
    args: &'a UnicycleArgs,
    stoppers: Stoppers,
    exits: Vec<Stopper>,
    effort: Effort,
}

#[derive(Serialize)]
struct Answer {
    pattern: String,
    admissible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Those of the first unicycle that was found.
    exits: Option<Vec<String>>,
    /// With --count or --all; only those that were found if the search is not exhaustive.
    count: Option<u64>,
    /// False if the budget was hit before the question was answered.
    exhaustive: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<Vec<Vec<String>>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

impl Question<'_> {
    fn answer(&mut self, pattern: &Pattern) -> Result<Answer, Failure> {
        let counts = self.args.count || self.args.all;
        let refused = pattern.admissible().err();
        let mut answer = Answer {
            pattern: pattern.to_string(),
            admissible: refused.is_none(),
            reason: refused.map(|reason| reason.to_string()),
            exits: None,
            count: counts.then_some(0),
            exhaustive: true,
            all: self.args.all.then(Vec::new),
            truncated: false,
        };
        if answer.admissible {
            let done = if self.args.construct {
                self.construct(pattern, &mut answer)
            } else {
                self.search(pattern, &mut answer)
            };
            match done {
                Ok(()) => {}
                Err(Stop::Interrupted) => answer.exhaustive = false,
                Err(Stop::Failure(failure)) => return Err(failure),
            }
        }
        Ok(answer)
    }

    fn construct(&mut self, pattern: &Pattern, answer: &mut Answer) -> Result<(), Stop> {
        let unicycle = construct(pattern, &mut self.stoppers)
            .map_err(|reason| Failure::other(format!("{pattern}: {reason}")))?;
        answer.exits = Some(self.checked(&unicycle)?);
        Ok(())
    }

    fn search(&mut self, pattern: &Pattern, answer: &mut Answer) -> Result<(), Stop> {
        let search = Search::new(pattern, &self.exits, &mut self.stoppers, &mut self.effort);
        let mut search = search.map_err(|error| match error {
            SearchError::Interrupted(interrupted) => interrupted.into(),
            error => Stop::Failure(Failure::input(format!("--exits: {error}"))),
        })?;
        while let Some(unicycle) = search.next(&mut self.effort)? {
            let exits = self.checked(&unicycle)?;
            if let Some(all) = &mut answer.all {
                if all.len() < self.args.limit {
                    all.push(exits.clone());
                } else {
                    answer.truncated = true;
                }
            }
            answer.exits.get_or_insert(exits);
            match &mut answer.count {
                Some(count) => *count += 1,
                None => break,
            }
        }
        Ok(())
    }

    /// The exits in words, once the engine has found the graph to be its own canonical form.
    fn checked(&mut self, unicycle: &Unicycle) -> Result<Vec<String>, Stop> {
        // What the engine learns about one unicycle is of no use for the next.
        let mut stoppers = self.stoppers.clone();
        let words: Vec<String> = unicycle.exits().iter().map(|&exit| stoppers.text(exit)).collect();
        if unicycle.is_canonical(&mut stoppers, &mut self.effort)? {
            return Ok(words);
        }
        Err(Stop::Failure(Failure::other(format!(
            "the exits {} of {} are not in graph-canonical form: please report this",
            words.join(","),
            unicycle.pattern()
        ))))
    }
}

/// Why a question was not answered in full.
enum Stop {
    Interrupted,
    Failure(Failure),
}

impl From<Interrupted> for Stop {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

fn text_of(answer: &Answer, args: &UnicycleArgs) -> String {
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

fn table(answers: &[Answer], patterns: usize, args: &UnicycleArgs) -> String {
    let mut text = String::new();
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
    let _ = match answers.iter().rposition(|answer| answer.exhaustive).map_or(0, |last| last + 1) {
        done if done < answers.len() => writeln!(
            text,
            "{done} of {patterns} admissible patterns up to rotation were looked at, {found} have a \
             unicycle{exits}"
        ),
        _ => writeln!(
            text,
            "{patterns} admissible patterns up to rotation, {found} with a unicycle{exits}"
        ),
    };
    text
}

/// Reads a list of games, each of which must equal a stopper. Commas within brackets belong to a game.
fn read_exits(text: &str, stoppers: &mut Stoppers) -> Result<Vec<Stopper>, Failure> {
    // The budget is for the search; what is typed must be small.
    let mut effort = Effort::new(10_000_000);
    let wrong = |at: usize, message: &str| {
        let column = text[..at].chars().count() + 1;
        Failure::input(format!("--exits: 1:{column}: {message}"))
    };
    let mut list = Vec::new();
    let mut depth = 0_usize;
    let items = text.split(|c: char| {
        depth = match c {
            '{' | '(' | '[' | '<' => depth + 1,
            '}' | ')' | ']' | '>' => depth.saturating_sub(1),
            _ => depth,
        };
        c == ',' && depth == 0
    });
    let mut start = 0;
    for item in items {
        let game = item.parse::<Expression>().map_err(EvaluateError::from);
        let game = game.and_then(|expression| expression.evaluate(stoppers, &mut effort));
        let game = game.map_err(|error| match error {
            EvaluateError::Notation(error) => wrong(start + error.at, &error.message),
            EvaluateError::Interrupted(_) => wrong(start, "this game is too large"),
        })?;
        let message = "expected a loopfree game such as `0`, `*2`, `-1` or `{0|-6}`";
        list.push(game.sides().stopper().ok_or_else(|| wrong(start, message))?);
        start += item.len() + 1;
    }
    Ok(list)
}
