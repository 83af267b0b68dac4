//! Periods of families without a theorem: of scripts, and of games with moons and cycles.
//!
//! What is found here is a conjecture: the values repeat as far as they were computed, at least twice.

use std::fmt::Write as _;

use nimoon::{AnyValue, Interrupted, Work};
use nimoon_formats::sequence::Row;
use schemars::JsonSchema;
use serde::Serialize;

use crate::expression::Library;
use crate::table::{Pattern, Range, Request, TableError};

/// A period that repeats as far as values were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Repeats {
    /// After how many rows the values repeat.
    pub period: usize,
    /// From which row on.
    pub preperiod: usize,
}

/// The period of the values of a family, as far as they were computed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "FoundPeriod")]
pub struct FoundPeriod {
    /// The family.
    pub ruleset: String,
    /// After how many rows the values repeat; null if no period was found.
    pub period: Option<usize>,
    /// From which row on they repeat.
    pub preperiod: Option<usize>,
    /// What is added in each period: always 0 here.
    pub saltus: Option<u64>,
    /// False: no theorem says that it goes on so.
    pub proved: bool,
    /// The last row whose value was computed; null if there is none.
    pub checked_to: Option<u64>,
    /// The period of the places of the moons, where there are some and it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moons: Option<Repeats>,
    /// What ended the computation before the last row.
    #[serde(skip)]
    pub interrupted: Option<Interrupted>,
}

/// The shortest period that a sequence has from some place on, and at least two repetitions of it.
///
/// ```
/// use nimoon_session::period::{Repeats, repeats};
/// assert_eq!(repeats(&[5, 0, 1, 0, 1, 0, 1, 0]), Some(Repeats { period: 2, preperiod: 1 }));
/// assert_eq!(repeats(&[0, 1, 2, 3, 4, 5, 6]), None);
/// ```
pub fn repeats<T: PartialEq>(values: &[T]) -> Option<Repeats> {
    (1..=values.len() / 3).find_map(|period| {
        let differs = (0..values.len() - period).rev().find(|&i| values[i] != values[i + period]);
        let preperiod = differs.map_or(0, |last| last + 1);
        let repeated = values.len() - preperiod;
        (repeated >= 3 * period).then_some(Repeats { period, preperiod })
    })
}

impl FoundPeriod {
    /// Computes the values of a family with one number, and looks for a period.
    ///
    /// # Errors
    /// When a row is not a position, or the rules fail.
    pub fn search(
        ruleset: &str,
        largest: u64,
        library: &mut dyn Library,
        work: &Work,
    ) -> Result<Self, TableError> {
        let pattern: Pattern = ruleset.parse()?;
        let range = Range { first: 0, last: largest };
        let plan = Request { pattern, range, theory: None }.plan(library, work.limits())?;
        let known = plan.nothing();
        let table = plan.run(known, library, work, &mut |_| ())?;
        let rows: Vec<Row> = (0..=largest).map_while(|n| table.rows.row(n)).collect();
        let values: Vec<&Option<AnyValue>> = rows.iter().map(|row| &row.value).collect();
        let moons: Vec<bool> = rows.iter().map(Row::is_moon).collect();
        let found = repeats(&values);
        Ok(Self {
            ruleset: ruleset.trim().to_owned(),
            period: found.map(|found| found.period),
            preperiod: found.map(|found| found.preperiod),
            saltus: found.map(|_| 0),
            proved: false,
            checked_to: (rows.len() as u64).checked_sub(1),
            moons: repeats(&moons).filter(|_| moons.contains(&true)),
            interrupted: table.interrupted,
        })
    }

    /// The answer in words.
    pub fn sentence(&self) -> String {
        let Self { ruleset, .. } = self;
        let Some(last) = self.checked_to else { return format!("{ruleset}: nothing is known") };
        let mut text = match (self.period, self.preperiod) {
            (Some(period), Some(preperiod)) => format!(
                "{ruleset}: period {period} after {preperiod}, found up to row {last} and not proved"
            ),
            _ => format!("{ruleset}: no period found up to row {last}; none is claimed"),
        };
        if let Some(Repeats { period, preperiod }) = self.moons {
            let _ = write!(text, "; the moons have period {period} after {preperiod}");
        }
        text
    }
}
