//! Tables of partizan positions.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

use nimoon::{Interrupted, Work};
use nimoon_formats::write::terminal::{cell_width, visible, width};
use nimoon_formats::write::{ParameterValue, csv_field, write_row};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Pattern, Range, TableError};
use crate::condition::{Condition, Fact};
use crate::expression::{AnyExpression, ExpressionError, Library, MixedExpression, MixedTerm};
use crate::report::{
    LoopyValue, PartizanOutcome, loopy_fact, outcome_class, partizan_outcome, partizan_value,
};
use crate::{Error, ErrorKind};

/// A row of a table of partizan positions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PartizanTableRow")]
pub struct PartizanRow {
    /// The parameters by their names: `n`, where there is one number alone.
    #[serde(flatten)]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    parameters: BTreeMap<String, ParameterValue>,
    /// The position.
    position: String,
    /// Its value; null where it has none or it was not found.
    value: Option<LoopyValue>,
    /// The value as it is printed.
    text: Option<String>,
    /// Who wins.
    outcome: PartizanOutcome,
    #[serde(skip)]
    number: u64,
}

/// A table of partizan positions.
#[derive(Debug)]
pub struct PartizanTable {
    /// The rows that are known and satisfy the condition.
    pub rows: Vec<PartizanRow>,
    /// What is missing because a limit was hit.
    pub missing: Option<Error>,
    title: String,
    names: Vec<String>,
}

/// Whether the first positions of a family are partizan.
pub fn is_partizan(pattern: &Pattern, range: Range, library: &mut dyn Library) -> bool {
    /// Some numbers have no position.
    const TRIED: u64 = 8;
    let rows = range.first..=range.last.min(range.first.saturating_add(TRIED));
    let mut read = rows.map(|number| AnyExpression::read(&pattern.row(number), library));
    let found = read.find(|read| !matches!(read, Err(ExpressionError::Vacant { .. })));
    matches!(found, Some(Ok(AnyExpression::Mixed(_))))
}

impl PartizanTable {
    /// Finds the values of the positions of a family, all in one go.
    ///
    /// # Errors
    /// When a row is not a position, or the rules fail.
    pub fn new(
        pattern: &Pattern,
        range: Range,
        condition: Option<&Condition>,
        library: &mut dyn Library,
        work: &Work,
    ) -> Result<Self, Error> {
        let numbers = range.first..=range.last;
        work.admit(range.last - range.first + 1).map_err(Error::limit)?;
        let mut sum = MixedExpression::default();
        let mut places: Vec<Option<MixedTerm>> = Vec::new();
        for number in numbers.clone() {
            work.check().map_err(Error::limit)?;
            let row = pattern.row(number);
            match sum.extend(&row, library) {
                Ok(()) => places.push(sum.terms.last().copied()),
                Err(ExpressionError::Vacant { .. }) => places.push(None),
                Err(error) => return Err(failure(TableError::Position { row, error })),
            }
        }
        let solution = sum.solution(work);
        let mut solution =
            solution.map_err(|(_, error)| Error::impartial("", 0, &error).without_place())?;
        let mut ended: Option<Interrupted> = None;
        let mut rows = Vec::new();
        for (number, place) in numbers.zip(places) {
            let terms: Vec<_> = place.iter().map(|term| (term.field, term.position)).collect();
            let value = place.and_then(|_| partizan_value(&mut solution, &terms, &mut ended));
            let outcome = match place {
                Some(_) => partizan_outcome(&mut solution, &terms, &mut ended),
                None => PartizanOutcome::default(),
            };
            if ended.is_some() {
                break;
            }
            let names = pattern.names().into_iter().map(str::to_owned);
            let row = PartizanRow {
                parameters: names.zip(pattern.values(number)).collect(),
                position: pattern.row(number),
                text: value.as_ref().map(|value| value.text.clone()),
                value,
                outcome,
                number,
            };
            if condition.is_none_or(|condition| row.holds(pattern, condition)) {
                rows.push(row);
            }
        }
        let all = range.last - range.first + 1;
        let title =
            format!("{}: {} of {all} rows, partizan", visible(pattern.as_str()), rows.len());
        let names = pattern.names().into_iter().map(str::to_owned).collect();
        let missing = ended.map(|interrupted| {
            let message = format!("{interrupted} before the last row");
            Error::interrupted(interrupted, &message)
        });
        Ok(Self { rows, missing, title, names })
    }

    /// A table for people.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        writeln!(out, "{}", self.title)?;
        let header = self.header();
        let cells = |row: &PartizanRow| -> Vec<String> {
            let cells = self.cells(row, "-").into_iter();
            cells.map(|cell| visible(&cell).into_owned()).collect()
        };
        let mut widths: Vec<usize> = header.iter().map(|cell| width(cell)).collect();
        for row in &self.rows {
            for (widest, cell) in widths.iter_mut().zip(cells(row)) {
                *widest = (*widest).max(cell_width(&cell));
            }
        }
        if !self.rows.is_empty() {
            writeln!(out)?;
            write_row(&header, &widths, &mut out)?;
            let lines: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
            write_row(&lines, &widths, &mut out)?;
        }
        for row in &self.rows {
            write_row(&cells(row), &widths, &mut out)?;
        }
        out.flush()
    }

    /// Comma-separated values.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        writeln!(out, "{}", self.header().join(","))?;
        for row in &self.rows {
            let cells = self.cells(row, "");
            let fields: Vec<_> = cells.iter().map(|cell| csv_field(cell)).collect();
            writeln!(out, "{}", fields.join(","))?;
        }
        out.flush()
    }

    fn header(&self) -> Vec<String> {
        let others = ["position", "value", "left_first", "right_first"].map(str::to_owned);
        self.names.iter().cloned().chain(others).collect()
    }

    fn cells(&self, row: &PartizanRow, unknown: &str) -> Vec<String> {
        let parameters = self.names.iter().map(|name| row.parameters[name].to_string());
        let mut cells: Vec<String> = parameters.collect();
        cells.push(row.position.clone());
        cells.push(row.text.clone().unwrap_or_else(|| unknown.to_owned()));
        cells.extend(row.outcome.letters().map(|letter| letter.unwrap_or(unknown).to_owned()));
        cells
    }
}

impl PartizanRow {
    /// The number of the row.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The position, its value and who wins, in a line.
    pub(crate) fn line(&self) -> String {
        let [left, right] = self.outcome.letters().map(|letter| letter.unwrap_or("?"));
        let value = self.text.as_deref().unwrap_or("-");
        let position = visible(&self.position);
        format!("{position}  {value}  {left} if Left starts, {right} if Right starts")
    }

    /// Whether it satisfies a condition.
    fn holds(&self, pattern: &Pattern, condition: &Condition) -> bool {
        let letter = |player: usize| {
            let letter = self.outcome.letters()[player];
            letter.map_or(Fact::Unknown, |letter| Fact::Text(letter.to_owned()))
        };
        condition.holds(&|name| match name {
            "position" => Fact::Text(self.position.clone()),
            "value" => loopy_fact(self.value.as_ref()),
            "outcome" => outcome_class(self.outcome).map_or(Fact::Unknown, Fact::Text),
            "left_first" => letter(0),
            "right_first" => letter(1),
            name => pattern.fact(name, self.number),
        })
    }
}

fn failure(error: TableError) -> Error {
    match error {
        TableError::Position { row, error } => Error::expression(&row, error),
        error => Error::new(ErrorKind::Input, error.to_string()),
    }
}
