//! Many positions of a ruleset: `table` and `period`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nimoon_formats::sequence::KnownRows;
use nimoon_formats::write::SequenceReport;
use nimoon_rulesets::expression::{NoLibrary, unknown};
use nimoon_rulesets::find;
use nimoon_rulesets::heap::{PeriodReport, watched_period};
use nimoon_rulesets::table::{Range, Request as TableOf, TableError, Watcher};
use serde::{Deserialize, Serialize};

use super::library::Given;
use super::request::Chosen;
use crate::failure::{Failure, Kind};
use crate::work::{Allowance, Answer, Lane};

/// The largest number of a row. Where values are found one after the other, those before the first row take
/// their time too; what is not found in time is left out, and the answer says so.
const LARGEST: u64 = 100_000;

/// Tables up to here are quick.
const QUICK: u64 = 500;

/// Asks for a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// A ruleset with its parameters, or positions with {} where the number goes.
    pattern: String,
    /// The numbers, as in `0..200`.
    range: String,
    #[serde(default)]
    moons: bool,
    #[serde(default)]
    theory: Chosen,
    #[serde(default)]
    given: Given,
    #[serde(default)]
    output: Output,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Output {
    #[default]
    Json,
    Csv,
    Latex,
    Bfile,
}

impl Request {
    pub(super) fn lane(&self) -> Lane {
        let last = self.range.parse::<Range>().map_or(0, |range| range.last);
        if last > QUICK { Lane::Slow } else { Lane::Quick }
    }
}

/// One who stops in time to tell what was found.
struct Patient<'a>(&'a Allowance);

impl Watcher for Patient<'_> {
    fn rows(&mut self, _known: KnownRows<'_>) {}

    fn stops(&self) -> bool {
        self.0.is_late()
    }

    fn token(&self) -> Option<Arc<AtomicBool>> {
        Some(self.0.token())
    }
}

pub(super) fn table(asked: &Request, allowance: &Allowance) -> Result<Answer, Failure> {
    let range: Range = asked.range.parse().map_err(failure)?;
    if range.last > LARGEST {
        return Err(Failure::input(format!(
            "the rows go to {LARGEST} here: use `nimoon table` for longer ones"
        )));
    }
    let request = TableOf {
        pattern: asked.pattern.parse().map_err(failure)?,
        range,
        theory: asked.theory.0,
        budget: allowance.budget(),
    };
    let pattern = request.pattern.clone();
    let mut library = asked.given.library(allowance)?;
    let plan = request.plan(&mut library).map_err(failure)?;
    let known = plan.nothing();
    let table = plan.run(known, &mut library, &mut Patient(allowance)).map_err(failure)?;
    let report = SequenceReport {
        pattern: pattern.as_str(),
        first: range.first,
        last: range.last,
        theory: table.theory,
        rows: &table.rows,
        moons_only: asked.moons,
    };
    let mut bytes = Vec::new();
    let (kind, written) = match asked.output {
        Output::Json => ("application/json", report.write_json(&mut bytes)),
        Output::Csv => ("text/csv; charset=utf-8", report.write_csv(&mut bytes)),
        Output::Latex => (PLAIN, report.write_latex(&mut bytes)),
        Output::Bfile => {
            bytes = report.b_file().map_err(|error| Failure::input(error.to_string()))?;
            (PLAIN, Ok(()))
        }
    };
    written.map_err(|error| Failure::new(Kind::Bug, error.to_string()))?;
    Ok(Answer::text(kind, bytes).short_of(table.stopped))
}

const PLAIN: &str = "text/plain; charset=utf-8";

fn failure(error: TableError) -> Failure {
    match error {
        TableError::Position { row, error } => Failure::expression(&row, error),
        TableError::Solution(error) => Failure::solution(&error),
        error => Failure::input(error.to_string()),
    }
}

/// Asks for the period of the values of heaps.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PeriodRequest {
    /// A ruleset, as in `kayles` or `octal[0.156]`.
    ruleset: String,
    /// The largest heap to look at.
    up_to: Option<usize>,
    /// Whether to list the exceptional heaps before the period.
    #[serde(default)]
    exceptions: bool,
}

impl PeriodRequest {
    /// The time grows with the square of the largest heap; where three heaps may be left, with the cube.
    fn limits(&self) -> (usize, usize) {
        if self.ruleset.trim_start().starts_with("hexadecimal") {
            (1000, 2000)
        } else {
            (10_000, 20_000)
        }
    }

    pub(super) fn lane(&self) -> Lane {
        if self.up_to.is_some_and(|heap| heap <= QUICK as usize) { Lane::Quick } else { Lane::Slow }
    }
}

pub(super) fn period(asked: &PeriodRequest, allowance: &Allowance) -> Result<Answer, Failure> {
    #[derive(Serialize)]
    struct Json<'a> {
        #[serde(flatten)]
        report: &'a PeriodReport,
        #[serde(skip_serializing_if = "Option::is_none")]
        exceptions: Option<&'a [usize]>,
    }
    let (usual, most) = asked.limits();
    let up_to = asked.up_to.unwrap_or(usual);
    if up_to > most {
        return Err(Failure::input(format!(
            "up_to may be {most} at most here: use `nimoon period` for more"
        )));
    }
    let text = asked.ruleset.trim();
    let (name, parameters) = match text.split_once('[') {
        Some((name, rest)) => {
            let inside = rest.strip_suffix(']');
            let at = asked.ruleset.len();
            let unclosed = || Failure::at(&asked.ruleset, at, "expected `]` at the end");
            (name.trim(), inside.ok_or_else(unclosed)?.trim())
        }
        None => (text, ""),
    };
    if find(name).is_none() {
        return Err(Failure::at(&asked.ruleset, 0, unknown(name, &NoLibrary)));
    }
    let effort = allowance.effort();
    let Some(searched) = watched_period(name, parameters, up_to, &effort, &mut |_| ()) else {
        let message = format!("`{name}` has no search for a period");
        return Err(Failure::at(&asked.ruleset, 0, message));
    };
    let report = searched.map_err(|error| {
        let at = asked.ruleset.find('[').map_or(0, |open| open + 1);
        Failure::at(&asked.ruleset, at + error.at, error.message)
    })?;
    let exceptions = asked.exceptions.then_some(report.exceptions.as_slice());
    let missing = report.interrupted.map(|interrupted| interrupted.to_string());
    Ok(Answer::json(&Json { report: &report, exceptions })?.short_of(missing))
}
