//! The first position of a family that satisfies a condition.
//!
//! Rows are tried in ever larger pieces, each explored in one go as a table, so that the rows before the first
//! one that satisfies the condition are explored about twice at most.

use std::fmt::Write as _;

use nimoon::limits::Limit;
use nimoon::{Theory, Work};
use nimoon_formats::sequence::Row;
use nimoon_formats::write::{JsonRow, SequenceReport};
use schemars::JsonSchema;
use serde::Serialize;

use crate::condition::Condition;
use crate::expression::Library;
use crate::table::{
    PartizanRow, PartizanTable, Pattern, Range, Request, Table, TableError, is_partizan,
};
use crate::{Error, ErrorKind};

/// What to look for, and where.
#[derive(Clone, Copy, Debug)]
pub struct Sought<'a> {
    /// The positions.
    pub pattern: &'a Pattern,
    /// Their numbers.
    pub range: Range,
    /// What to look for.
    pub condition: &'a Condition,
    /// How many rows to try at random, and the seed; default: all rows in order.
    pub random: Option<(u64, u64)>,
    /// The theory of the values; default: the smallest that fits.
    pub theory: Option<Theory>,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Search")]
pub struct SearchReport {
    /// The first position that satisfies the condition; null if none was found.
    pub found: Option<FoundRow>,
    /// How many rows were checked.
    pub searched: u64,
    /// Whether something was found, or there is nothing among all rows that were asked for.
    pub complete: bool,
}

/// A row of either kind.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FoundRow {
    /// Of an impartial game.
    Impartial(JsonRow),
    /// Of a partizan game.
    Partizan(PartizanRow),
}

impl SearchReport {
    /// Nothing is known.
    pub fn nothing() -> Self {
        Self { found: None, searched: 0, complete: false }
    }

    /// The answer in words.
    pub fn text(&self) -> String {
        let rows = if self.searched == 1 { "row" } else { "rows" };
        let mut text = match &self.found {
            Some(FoundRow::Impartial(row)) => row.line(),
            Some(FoundRow::Partizan(row)) => row.line(),
            None => format!("nothing found in {} {rows}", self.searched),
        };
        if self.found.is_some() {
            let _ = write!(text, "\nfound after {} {rows}", self.searched);
        } else if !self.complete {
            text.push_str("; the search was cut short");
        }
        text.push('\n');
        text
    }
}

/// Searches a family; also returns what is missing because a limit was hit.
///
/// ```
/// use nimoon::Work;
/// use nimoon_session::expression::NoLibrary;
/// use nimoon_session::search::{Sought, search};
/// use nimoon_session::table::Pattern;
/// let (pattern, range) = Pattern::with("kayles", "1..100").unwrap();
/// let condition = pattern.condition("value = n").unwrap();
/// let sought = Sought { pattern: &pattern, range, condition: &condition, random: None, theory: None };
/// let (report, missing) = search(&sought, &mut NoLibrary, &Work::default()).unwrap();
/// assert_eq!(report.text(), "kayles:1  1  N\nfound after 1 row\n");
/// assert_eq!(missing, None);
/// ```
///
/// # Errors
/// When a row is not a position, or the rules fail.
pub fn search(
    sought: &Sought<'_>,
    library: &mut dyn Library,
    work: &Work,
) -> Result<(SearchReport, Option<Error>), Error> {
    let partizan = is_partizan(sought.pattern, sought.range, library);
    let mut report = SearchReport::nothing();
    for piece in pieces(sought) {
        if let Err(interrupted) = work.check() {
            return Ok((report, Some(Error::limit(interrupted))));
        }
        let (found, seen, missing) = if partizan {
            of_partizan(sought, piece, library, work)?
        } else {
            of_impartial(sought, piece, library, work)?
        };
        report.searched += seen;
        if found.is_some() {
            report.complete = true;
            report.found = found;
            return Ok((report, None));
        }
        if missing.is_some() {
            return Ok((report, missing));
        }
    }
    report.complete = true;
    Ok((report, None))
}

/// A piece of a table: what was found, how many rows were checked, and what is missing.
type Piece = (Option<FoundRow>, u64, Option<Error>);

fn of_impartial(
    sought: &Sought<'_>,
    range: Range,
    library: &mut dyn Library,
    work: &Work,
) -> Result<Piece, Error> {
    let Sought { pattern, condition, theory, .. } = *sought;
    let request = Request { pattern: pattern.clone(), range, theory };
    let plan = request.plan(library, work.limits()).map_err(failure)?;
    let known = plan.nothing();
    let table = plan.run(known, library, work, &mut |_| ()).map_err(failure)?;
    let holds = |n: u64, row: &Row| pattern.holds(condition, n, row.value.as_ref());
    let Range { first, last } = range;
    let seen = (first..=last).take_while(|&n| table.rows.row(n).is_some()).count() as u64;
    let place = (first..=last).find(|&n| table.rows.row(n).is_some_and(|row| holds(n, &row)));
    let report = SequenceReport {
        family: pattern,
        first,
        last,
        theory: table.theory,
        rows: &table.rows,
        moons_only: false,
        shown: Some(&holds),
    };
    let found = report.json().next().map(FoundRow::Impartial);
    let seen = place.map_or(seen, |place| place - first + 1);
    Ok((found, seen, missing(&table)))
}

fn of_partizan(
    sought: &Sought<'_>,
    range: Range,
    library: &mut dyn Library,
    work: &Work,
) -> Result<Piece, Error> {
    let Sought { pattern, condition, .. } = *sought;
    let table = PartizanTable::new(pattern, range, Some(condition), library, work)?;
    let all = range.last - range.first + 1;
    let found = table.rows.into_iter().next();
    let seen = found.as_ref().map_or(all, |row| row.number() - range.first + 1);
    Ok((found.map(FoundRow::Partizan), seen, table.missing))
}

fn missing(table: &Table) -> Option<Error> {
    let message = table.stopped.as_ref()?;
    Some(match table.interrupted {
        Some(interrupted) if interrupted.limit() != Some(Limit::Time) => {
            Error::interrupted(interrupted, message)
        }
        Some(interrupted) => Error::limit(interrupted),
        None => Error::new(ErrorKind::Budget, message.clone()),
    })
}

pub(crate) fn failure(error: TableError) -> Error {
    match error {
        TableError::Position { row, error } => Error::expression(&row, error),
        TableError::Solution(error) => Error::solution(&error),
        error => Error::input(error.to_string()),
    }
}

/// The pieces to try: ever larger ones in order, or single rows at random.
fn pieces(sought: &Sought<'_>) -> Vec<Range> {
    /// How many rows come first.
    const FIRST: u64 = 16;
    /// More random rows than this are not tried.
    const MOST: u64 = 1_000_000;
    let Range { first, last } = sought.range;
    if let Some((count, seed)) = sought.random {
        let mut state = seed;
        return (0..count.min(MOST))
            .map(|_| {
                let number = first + next(&mut state) % (last - first + 1);
                Range { first: number, last: number }
            })
            .collect();
    }
    let mut pieces = Vec::new();
    let (mut start, mut size) = (first, FIRST);
    while start <= last {
        let end = last.min(start.saturating_add(size - 1));
        pieces.push(Range { first: start, last: end });
        start = end + 1;
        size *= 2;
    }
    pieces
}

/// The next number of a sequence that looks random: splitmix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
