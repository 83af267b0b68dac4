//! Tables: the values of a family of positions, indexed by a number.
//!
//! A [`Pattern`] has `{}` where the number goes, or several named parameters. Where the ruleset knows the values of its heaps one
//! after the other ([`Sequence`]), they are taken from there. Otherwise all rows are explored as
//! one sum, since later rows share most positions with earlier ones. Where that is over the
//! budget, or takes long, they are explored in pieces: small ones at first, larger ones as long as that
//! pays. After some time all that are left are tried at once again, and so on with ever more time. So a table
//! that is ended has rows, and one that is not takes a few times as long as one attempt would have.
//!
//! All values of a table are of one theory, the smallest that fits all rows. If the rows were
//! explored in pieces, those of a smaller theory are computed again. A theory fits a sum exactly when it
//! fits each component, so pieces and the whole lead to the same one.
//!
//! The rows of a script are first tried in one pass, which keeps no moves.
//!
//! A number at which the game has no position, as a token on the start of a ladder, makes a row
//! without a value.

use std::str::FromStr;
use std::time::Duration;

use nimoon::limits::{Interrupted, Work};
use nimoon::ruleset::Sequence;
use nimoon::solve::solution::SolutionError;
use nimoon::{Limits, Progress, Theory};
use nimoon_formats::sequence::{KnownRows, Rows};
use thiserror::Error;

use crate::expression::{Expression, ExpressionError, Library};
use nimoon_rulesets::HeapPace;

#[path = "table/explored.rs"]
mod explored;
#[path = "table/family.rs"]
mod family;
#[path = "table/one_pass.rs"]
mod one_pass;
#[path = "table/partizan.rs"]
mod partizan;

pub use family::{Parameter, Pattern};
pub use partizan::{PartizanRow, PartizanTable, is_partizan};

use explored::Explorer;

/// The most rows of a table.
pub const MOST_ROWS: u64 = 100_000_000;

/// What a row takes in memory.
const ROW_BYTES: u64 = 48;

/// What a table that was stopped says of it.
pub(crate) const STOPPED: &str = "the table was stopped before its last row";

/// The numbers of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first number.
    pub first: u64,
    /// The last number, not below the first one.
    pub last: u64,
}

impl FromStr for Range {
    type Err = TableError;

    /// Reads `0..200`, both ends included.
    ///
    /// ```
    /// use nimoon_session::table::Range;
    /// assert_eq!("0..200".parse::<Range>().unwrap(), Range { first: 0, last: 200 });
    /// assert!("5..2".parse::<Range>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, TableError> {
        let bad = || TableError::BadRange { text: text.to_owned() };
        let number = |text: &str| {
            let text = text.trim();
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if !digits {
                return Err(bad());
            }
            text.parse::<u64>().map_err(|_| TableError::LargeNumber { number: text.to_owned() })
        };
        let (first, last) = text.split_once("..").ok_or_else(bad)?;
        let (first, last) = (number(first)?, number(last)?);
        if last < first {
            return Err(TableError::EmptyRange { first, last });
        }
        if last - first >= MOST_ROWS {
            return Err(TableError::TooManyRows { text: text.to_owned() });
        }
        Ok(Self { first, last })
    }
}

/// Why there is no table.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// A position where a pattern was needed.
    #[error("`{text}` is one position: write {{}} where the number of the row goes")]
    NoNumber {
        /// What was given.
        text: String,
    },
    /// A parameter that is wrong.
    #[error("`{text}`: {message}")]
    BadParameter {
        /// What was given.
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// A pattern that does not fit its parameters.
    #[error("`{text}`: {message}")]
    BadPattern {
        /// What was given.
        text: String,
        /// What is wrong with it.
        message: String,
    },
    /// The text is not a range.
    #[error("invalid range `{text}`: expected two numbers such as 0..200")]
    BadRange {
        /// What was given.
        text: String,
    },
    /// A number that no row has.
    #[error("the number {number} is too large: expected one below 2^64")]
    LargeNumber {
        /// What was given.
        number: String,
    },
    /// A range without rows.
    #[error("the range {first}..{last} is empty: did you mean {last}..{first}?")]
    EmptyRange {
        /// The first number.
        first: u64,
        /// The last number.
        last: u64,
    },
    /// More rows than anyone can use.
    #[error("the range {text} has more than {MOST_ROWS} rows: make several tables of it")]
    TooManyRows {
        /// What was given.
        text: String,
    },
    /// A row is not a position.
    #[error("{error}")]
    Position {
        /// The text of the row.
        row: String,
        /// What is wrong with it.
        error: ExpressionError,
    },
    /// A row without a solution, and not for want of a budget.
    #[error(transparent)]
    Solution(SolutionError),
}

/// A table that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The positions.
    pub pattern: Pattern,
    /// Their numbers.
    pub range: Range,
    /// The theory; none for the smallest that fits all rows.
    pub theory: Option<Theory>,
}

/// A table, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The theory of the values.
    pub theory: Theory,
    /// The rows that are known, without a gap from the first one on.
    pub rows: Rows,
    /// What ended the table before its last row, in words.
    pub stopped: Option<String>,
    /// Which limit it was, or that somebody asked to stop.
    pub interrupted: Option<Interrupted>,
}

/// How a table will be made.
pub struct Plan {
    request: Request,
    /// The values of heaps, and the theory that they are of.
    heaps: Option<(Box<dyn Sequence>, Theory)>,
    most: Most,
    patience: Option<Duration>,
}

/// How many rows the limits allow; of heaps, with those before the first row.
struct Most {
    rows: u64,
    /// What is said of more of them, where the table has more.
    over: Option<Interrupted>,
}

impl Most {
    fn new(limits: Limits, needed: u64) -> Self {
        let work = Work::new(limits);
        let fits = work.admit(needed);
        let fits = fits.and_then(|()| work.hold(needed.saturating_mul(ROW_BYTES)));
        Self { rows: limits.positions.min(limits.bytes / ROW_BYTES), over: fits.err() }
    }

    /// How many more rows there may be.
    fn left(&self, rows: usize) -> usize {
        usize::try_from(self.rows).unwrap_or(usize::MAX).saturating_sub(rows)
    }

    /// What ends a table with so many rows, of which the first one that is asked for is this.
    fn reached(&self, rows: u64, first: u64) -> Option<Interrupted> {
        // Where that is out of reach, those before it are of no use.
        self.over.filter(|_| rows >= self.rows || first >= self.rows)
    }
}

impl Request {
    /// Chooses how to make the table, and checks what can be checked beforehand. Of the limits, the positions
    /// bound one row at least, and the rows, or the heaps up to the last row.
    ///
    /// # Errors
    /// When the ends of the range are not positions.
    pub fn plan(self, library: &mut dyn Library, limits: Limits) -> Result<Plan, TableError> {
        let mut ends = Expression::default();
        self.add_if_any(&mut ends, self.range.first, library)?;
        if let Err(error) = self.add_if_any(&mut ends, self.range.last, library) {
            return Err(self.first_wrong(ends, error, library));
        }
        let field = ends.fields.first().filter(|_| self.pattern.is_heap());
        let heaps = field.and_then(|field| {
            let short = ends.terms.iter().all(|&(_, position)| field.is_short(position));
            let theory = if short { Theory::Short } else { Theory::Entailing };
            // The values of heaps have no more than this to say.
            let enough = self.theory.is_none_or(|asked| asked == theory);
            enough.then(|| field.sequence()).flatten().map(|sequence| (sequence, theory))
        });
        let needed = match heaps {
            Some(_) => self.range.last.saturating_add(1),
            None => self.range.last - self.range.first + 1,
        };
        let most = Most::new(limits, needed);
        Ok(Plan { request: self, heaps, most, patience: None })
    }

    /// The error of the first row that is not a position, if the first row of all is one and the last is
    /// not. If positions come and go, it may be any such row after a position.
    fn first_wrong(
        &self,
        mut rows: Expression,
        error: TableError,
        library: &mut dyn Library,
    ) -> TableError {
        let (Range { first: mut good, last: mut wrong }, mut error) = (self.range, error);
        while wrong - good > 1 {
            let middle = good.midpoint(wrong);
            match self.add_if_any(&mut rows, middle, library) {
                Ok(_) => good = middle,
                Err(earlier) => (wrong, error) = (middle, earlier),
            }
        }
        error
    }

    /// Adds a row, and returns whether the game has a position with this number.
    fn add_if_any(
        &self,
        expression: &mut Expression,
        number: u64,
        library: &mut dyn Library,
    ) -> Result<bool, TableError> {
        let row = self.pattern.row(number);
        match expression.add(&row, library) {
            Ok(()) => Ok(true),
            Err(ExpressionError::Vacant { .. }) => Ok(false),
            Err(error) => Err(TableError::Position { row, error }),
        }
    }
}

impl Plan {
    /// The same where one attempt to explore all rows at once may take this long, and is not tried again. Else
    /// it is tried for a second, and later for longer.
    #[must_use]
    pub fn patience(self, patience: Option<Duration>) -> Self {
        Self { patience, ..self }
    }

    /// What is known before the first row is.
    pub fn nothing(&self) -> Rows {
        match self.heaps {
            Some(_) => Rows::Heaps(Vec::new()),
            None => Rows::Explored { first: self.request.range.first, rows: Vec::new() },
        }
    }

    /// Which limit will end the table before its last row, where that is known before the work begins.
    pub fn over(&self) -> Option<Interrupted> {
        self.most.over
    }

    /// Whether rows kept from another run are rows that this plan can go on from.
    pub fn fits(&self, rows: &Rows) -> bool {
        match (rows, self.nothing()) {
            (Rows::Heaps(_), Rows::Heaps(_)) => true,
            (Rows::Explored { first, .. }, Rows::Explored { first: wanted, .. }) => {
                *first == wanted
            }
            _ => false,
        }
    }

    /// Makes the table, going on from rows that are known already, and hands over all rows that are known
    /// whenever there are more. Rows that do not fit are not used.
    ///
    /// # Errors
    /// When a row is not a position or has no solution. Reaching a limit is not an error: the table
    /// contains the rows before it.
    pub fn run(
        self,
        known: Rows,
        library: &mut dyn Library,
        work: &Work,
        hand_over: &mut dyn FnMut(KnownRows<'_>),
    ) -> Result<Table, TableError> {
        let known = if self.fits(&known) { known } else { self.nothing() };
        match (self.heaps, known) {
            (Some((mut sequence, theory)), Rows::Heaps(values)) => {
                if !values.is_empty() {
                    sequence.resume(values);
                }
                let mut interrupted = None;
                let mut pace = HeapPace::new();
                while sequence.values().len() as u64 <= self.request.range.last {
                    let heaps = sequence.values().len() as u64;
                    interrupted = if work.is_cancelled() {
                        Some(Interrupted::Stopped)
                    } else if pace.is_due() {
                        work.report(Progress::Heaps { known: heaps as usize }).err()
                    } else {
                        None
                    };
                    interrupted =
                        interrupted.or_else(|| self.most.reached(heaps, self.request.range.first));
                    if interrupted.is_some() {
                        break;
                    }
                    sequence.advance();
                    hand_over(KnownRows::Heaps(sequence.values()));
                }
                let rows = Rows::Heaps(sequence.values().to_vec());
                Ok(Table { theory, rows, stopped: interrupted.map(stopped), interrupted })
            }
            (_, known) => {
                let rows = match known {
                    Rows::Explored { rows, .. } => rows,
                    Rows::Heaps(_) => Vec::new(),
                };
                let Self { request, most, patience, .. } = self;
                // Scripts are slow to ask again, and have no shortcuts.
                if rows.is_empty()
                    && request.pattern.is_of(&library.names())
                    && let Some(table) = one_pass::run(&request, &most, library, work, hand_over)?
                {
                    return Ok(table);
                }
                Explorer { request, most, patience, work, rows }.run(library, hand_over)
            }
        }
    }
}

/// In words, why a table ends before its last row.
fn stopped(interrupted: Interrupted) -> String {
    match interrupted {
        Interrupted::Stopped => STOPPED.to_owned(),
        over @ Interrupted::OverBudget { needed: Some(_), .. } => format!("{over} for this table"),
        over => format!("{over} before the last row"),
    }
}

#[cfg(test)]
#[path = "table/tests.rs"]
mod tests;
