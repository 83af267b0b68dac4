//! Many positions of a ruleset: `table` and `period`.

use crate::condition::Condition;
use crate::expression::Library;
use crate::table::{
    PartizanRow, PartizanTable, Pattern, Range, Request as TableOf, STOPPED, TableError,
    is_partizan,
};
use nimoon::limits::{Interrupted, Limit};
use nimoon_formats::sequence::Row;
use nimoon_formats::write::{JsonRow, Plot, SequenceReport};
use nimoon_rulesets::heap::PeriodReport;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::{CSV, PLAIN, PNG, SVG};
use crate::library::Given;
use crate::period::{FoundPeriod, Searched, USUAL_ROWS, is_only_found};
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
    /// A ruleset with its parameters, or positions with `{}` where the number goes, or with named places as in
    /// `wythoff:{a},{b}`.
    pattern: String,
    /// The numbers, as in `0..200`, or what the named parameters go through, as in `a=0..5 b=0..5`; at most 100000 rows
    /// through a network.
    range: String,
    /// List only the rows that satisfy this condition, as in `value = moon and n > 5`.
    #[serde(rename = "where")]
    condition: Option<String>,
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
    /// A picture: points for one parameter, a colour map for two.
    Svg,
    /// The same in pixels, without words.
    Png,
}

impl Request {
    pub(crate) fn is_slow(&self) -> bool {
        let rows = Pattern::with(&self.pattern, &self.range);
        rows.is_ok_and(|(_, range)| range.last > QUICK)
    }
}

/// The rows of a table.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TableAnswer {
    /// Of impartial positions.
    Impartial(Vec<JsonRow>),
    /// Of partizan positions.
    Partizan(Vec<PartizanRow>),
}

impl From<Vec<JsonRow>> for TableAnswer {
    fn from(rows: Vec<JsonRow>) -> Self {
        Self::Impartial(rows)
    }
}

fn partizan(
    asked: &Request,
    pattern: &Pattern,
    range: Range,
    condition: Option<&Condition>,
    library: &mut dyn Library,
    work: &Work,
) -> Result<Answer<TableAnswer>, Error> {
    if asked.moons || asked.theory.0.is_some() {
        let message =
            "moons and theories are for impartial games, and these positions are partizan";
        return Err(Error::input(message));
    }
    let table = PartizanTable::new(pattern, range, condition, library, work)?;
    let missing = table.missing.clone();
    let answer = match asked.output {
        Output::Json => Ok(Answer::data(TableAnswer::Partizan(table.rows))),
        Output::Csv => Answer::written(CSV, |body| table.write_csv(body)),
        _ => Err(Error::input("tables of partizan positions are written as json or csv")),
    };
    Ok(answer?.short_of(missing))
}

pub(crate) fn table(
    asked: &Request,
    session: &Session,
    work: &Work,
) -> Result<Answer<TableAnswer>, Error> {
    let (pattern, range) = Pattern::with(&asked.pattern, &asked.range).map_err(failure)?;
    let condition = asked.condition.as_deref();
    let condition = condition
        .map(|text| pattern.condition(text).map_err(|error| Error::notation(text, error)))
        .transpose()?;
    let too_long = format!("the rows go to {LARGEST} here: use `nimoon table` for longer ones");
    session.at_most(range.last, LARGEST, too_long)?;
    let mut library = asked.given.library(session, work)?;
    if is_partizan(&pattern, range, &mut library) {
        return partizan(asked, &pattern, range, condition.as_ref(), &mut library, work);
    }
    let request = TableOf { pattern: pattern.clone(), range, theory: asked.theory.0 };
    let plan = request.plan(&mut library, work.limits()).map_err(failure)?;
    let known = plan.nothing();
    let table = plan.run(known, &mut library, work, &mut |_| ()).map_err(failure)?;
    let holds = |n: u64, row: &Row| {
        condition.as_ref().is_none_or(|condition| pattern.holds(condition, n, row.value.as_ref()))
    };
    let report = SequenceReport {
        family: &pattern,
        first: range.first,
        last: range.last,
        theory: table.theory,
        rows: &table.rows,
        moons_only: asked.moons,
        shown: condition.is_some().then_some(&holds as _),
    };
    let plot = || {
        let plot = Plot::new(&report, &pattern.lengths());
        plot.map_err(|error| Error::input(error.to_string()))
    };
    let answer = match asked.output {
        Output::Json => Ok(Answer::data(report.json().collect::<Vec<_>>())),
        Output::Csv => Answer::written(CSV, |body| report.write_csv(body)),
        Output::Latex => Answer::written(PLAIN, |body| report.write_latex(body)),
        Output::Bfile => {
            let text = report.b_file().map_err(|error| Error::input(error.to_string()))?;
            Ok(Answer::text(PLAIN, text))
        }
        Output::Svg => Ok(Answer::text(SVG, plot()?.svg())),
        Output::Png => Ok(Answer::text(PNG, plot()?.png())),
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
    /// A ruleset, as in `kayles` or `octal[0.156]`, or a family as in `wythoff:3,{}`.
    ruleset: String,
    /// The largest heap to compute; default: 10000, or 2000 for hexadecimal codes.
    up_to: Option<u64>,
    /// Whether to list the exceptional heaps before the period.
    #[serde(default)]
    exceptions: bool,
    /// The files and scripts that the ruleset names.
    #[serde(default)]
    given: Given,
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

/// A period that was searched for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum AnyPeriod {
    /// Of a ruleset with a theorem.
    Searched(SearchedPeriod),
    /// Of the values that were computed.
    Found(FoundPeriod),
}

/// A period, and the heaps that do not follow it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SearchedPeriod {
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
) -> Result<Answer<AnyPeriod>, Error> {
    let text = asked.ruleset.as_str();
    let mut library = asked.given.library(session, work)?;
    if is_only_found(text, &library) {
        let largest = asked.up_to.map_or(USUAL_ROWS, |row| row);
        let too_large = format!("up_to may be {LARGEST} at most here");
        session.at_most(largest, LARGEST, too_large)?;
        let found = FoundPeriod::search(text, largest, &mut library, work);
        let found = found.map_err(self::failure)?;
        let missing = found.interrupted.map(Error::limit);
        return Ok(Answer::data(AnyPeriod::Found(found)).short_of(missing));
    }
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
    let answer = AnyPeriod::Searched(SearchedPeriod { report, exceptions });
    Ok(Answer::data(answer).short_of(missing))
}
