//! Many positions of a ruleset: `table` and `period`.

use crate::table::{Range, Request as TableOf, STOPPED, TableError};
use nimoon::limits::{Interrupted, Limit};
use nimoon_formats::write::{JsonRow, SequenceReport};
use nimoon_rulesets::heap::PeriodReport;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{CSV, PLAIN};
use crate::library::Given;
use crate::period::Searched;
use crate::request::Chosen;
use crate::{Answer, Error, ErrorKind, Session, Work};

/// The largest number of a row. Where values are found one after the other, those before the first
/// row take their time too; what is not found in time is left out, and the answer says so.
const LARGEST: u64 = 100_000;

/// Tables up to here are quick.
const QUICK: u64 = 500;

/// Asks for a table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// A ruleset with its parameters, or positions with `{}` where the number goes.
    pattern: String,
    /// The numbers, as in `0..200`; at most 100000 through a network.
    range: String,
    /// Whether to list only the moons.
    #[serde(default)]
    moons: bool,
    /// The theory to use; `auto` takes the smallest that fits.
    #[serde(default)]
    theory: Chosen,
    /// The files and scripts that the expression names.
    #[serde(default)]
    given: Given,
    /// How to write the answer.
    #[serde(default)]
    output: Output,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "TableOutput")]
enum Output {
    /// Data.
    #[default]
    Json,
    /// Comma-separated values.
    Csv,
    /// A table for a paper.
    Latex,
    /// A b-file, as the OEIS has them.
    Bfile,
}

impl Request {
    pub(crate) fn is_slow(&self) -> bool {
        self.range.parse::<Range>().is_ok_and(|range| range.last > QUICK)
    }
}

pub(crate) fn table(
    asked: &Request,
    session: &Session,
    work: &Work,
) -> Result<Answer<Vec<JsonRow>>, Error> {
    let range: Range = asked.range.parse().map_err(failure)?;
    let too_long = format!("the rows go to {LARGEST} here: use `nimoon table` for longer ones");
    session.at_most(range.last, LARGEST, too_long)?;
    let request =
        TableOf { pattern: asked.pattern.parse().map_err(failure)?, range, theory: asked.theory.0 };
    let pattern = request.pattern.clone();
    let mut library = asked.given.library(session, work)?;
    let plan = request.plan(&mut library, work.limits()).map_err(failure)?;
    let known = plan.nothing();
    let table = plan.run(known, &mut library, work, &mut |_| ()).map_err(failure)?;
    let report = SequenceReport {
        pattern: pattern.as_str(),
        first: range.first,
        last: range.last,
        theory: table.theory,
        rows: &table.rows,
        moons_only: asked.moons,
    };
    let answer = match asked.output {
        Output::Json => Ok(Answer::data(report.json().collect::<Vec<_>>())),
        Output::Csv => Answer::written(CSV, |body| report.write_csv(body)),
        Output::Latex => Answer::written(PLAIN, |body| report.write_latex(body)),
        Output::Bfile => {
            let text = report.b_file().map_err(|error| Error::input(error.to_string()))?;
            Ok(Answer::text(PLAIN, text))
        }
    };
    let missing = table.stopped.map(|message| match table.interrupted {
        Some(interrupted) if interrupted.limit() == Some(Limit::Time) => {
            Error::interrupted(Interrupted::Stopped, &STOPPED)
        }
        Some(interrupted) => Error::interrupted(interrupted, &message),
        None => Error::new(ErrorKind::Budget, message),
    });
    Ok(answer?.short_of(missing))
}

fn failure(error: TableError) -> Error {
    match error {
        TableError::Position { row, error } => Error::expression(&row, error),
        TableError::Solution(error) => Error::solution(&error),
        error => Error::input(error.to_string()),
    }
}

/// Asks for the period of the values of heaps.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PeriodRequest {
    /// A ruleset, as in `kayles` or `octal[0.156]`.
    ruleset: String,
    /// The largest heap to compute; default: 10000, or 2000 for hexadecimal codes.
    up_to: Option<u64>,
    /// Whether to list the exceptional heaps before the period.
    #[serde(default)]
    exceptions: bool,
}

impl PeriodRequest {
    /// The largest heap through a network. The time grows with its square; where three heaps may be
    /// left, with the cube.
    fn most(&self) -> u64 {
        if self.ruleset.trim_start().starts_with("hexadecimal") { 2000 } else { 20_000 }
    }

    pub(crate) fn is_slow(&self) -> bool {
        self.up_to.is_none_or(|heap| heap > QUICK)
    }
}

/// A period, and the heaps that do not follow it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PeriodAnswer {
    #[serde(flatten)]
    report: PeriodReport,
    /// The exceptional heaps before the period, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    exceptions: Option<Vec<usize>>,
}

pub(crate) fn period(
    asked: &PeriodRequest,
    session: &Session,
    work: &Work,
) -> Result<Answer<PeriodAnswer>, Error> {
    let text = asked.ruleset.as_str();
    let failure = |error| Error::expression(text, error);
    let searched = Searched::read(text).map_err(failure)?;
    let largest = searched.largest(asked.up_to);
    let largest = largest.map_err(|most| Error::input(format!("`up_to` is at most {most}")))?;
    let most = asked.most();
    let too_large = format!("up_to may be {most} at most here: use `nimoon period` for more");
    session.at_most(largest as u64, most, too_large)?;
    let report = searched.search(largest, work).map_err(failure)?;
    let exceptions = asked.exceptions.then(|| report.exceptions.clone());
    let missing = report.interrupted.map(Error::limit);
    Ok(Answer::data(PeriodAnswer { report, exceptions }).short_of(missing))
}
