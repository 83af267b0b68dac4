//! Tables: the values of many positions of a ruleset, told apart by a number.
//!
//! A [`Pattern`] has `{}` where the number goes. Where the ruleset knows the values of its heaps one
//! after the other ([`Sequence`]), they are taken from there. Otherwise all rows are explored as
//! one sum, since later rows share most positions with earlier ones. Where that is over the
//! budget, or takes too long for one who keeps checkpoints, they are explored in pieces: small ones
//! at first, larger ones as long as that pays.
//!
//! All values of a table are of one theory, the smallest that fits all rows. Where the rows were
//! explored in pieces, those of a smaller theory are found anew. A theory fits a sum exactly when it
//! fits each component, so pieces and the whole lead to the same one.
//!
//! A number at which the game has no position, as a token on the start of a ladder, makes a row
//! without a value.

use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use nimoon::effort::{Effort, Interrupted, Limit};
use nimoon::explore::Progress;
use nimoon::ruleset::Sequence;
use nimoon::solution::{Solution, SolutionError};
use nimoon::{AnyValue, Budget, EntailingValue, Label, Theory, Value};
use nimoon_formats::sequence::{KnownRows, Row, Rows};
use thiserror::Error;

use crate::expression::{Expression, ExpressionError, Library, has_position};

/// The most rows of a table.
pub const MOST_ROWS: u64 = 100_000_000;

/// What a row takes in memory.
const ROW_BYTES: u64 = 48;

/// After so many heaps the clock is looked at.
const HEAPS_PER_LOOK: usize = 64;

/// What a table that was stopped says of it.
const STOPPED: &str = "the table was stopped before its last row";

/// Positions with `{}` where a number goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
}

impl FromStr for Pattern {
    type Err = TableError;

    /// Reads a pattern, or a ruleset, of which it makes `ruleset:{}`.
    ///
    /// ```
    /// use nimoon_rulesets::table::Pattern;
    /// assert_eq!("octal[0.77]".parse::<Pattern>().unwrap().row(5), "octal[0.77]:5");
    /// assert_eq!("wythoff:3,{}".parse::<Pattern>().unwrap().row(5), "wythoff:3,5");
    /// assert!("wythoff:3,5".parse::<Pattern>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, TableError> {
        let text = text.trim();
        if text.contains("{}") {
            Ok(Self { text: text.to_owned() })
        } else if has_position(text) {
            Err(TableError::NoNumber { text: text.to_owned() })
        } else {
            Ok(Self { text: format!("{text}:{{}}") })
        }
    }
}

impl Pattern {
    /// The text, with `{}`.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The position with this number.
    pub fn row(&self, number: u64) -> String {
        self.text.replace("{}", &number.to_string())
    }

    /// Whether the number alone is the position.
    fn is_heap(&self) -> bool {
        self.text.strip_suffix(":{}").is_some_and(|ruleset| !ruleset.contains("{}"))
    }
}

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
    /// use nimoon_rulesets::table::Range;
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
pub enum TableError {
    /// A position where a pattern was needed.
    #[error("`{text}` is one position: write {{}} where the number of the row goes")]
    NoNumber {
        /// What was given.
        text: String,
    },
    /// Text that is no range.
    #[error("`{text}` is no range: expected two numbers such as 0..200")]
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
    /// A budget that cannot be enough.
    #[error("{0} for this table")]
    BeyondBudget(Interrupted),
    /// A row that is no position.
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

/// Who waits for a table.
pub trait Watcher {
    /// More rows are known. It is called often.
    fn rows(&mut self, known: KnownRows<'_>);

    /// The explorer has come this far.
    fn exploring(&mut self, _progress: Progress) {}

    /// Whether to stop before all rows are known. It is asked often.
    fn stops(&self) -> bool {
        false
    }

    /// A flag that stops the work within a piece, where there is one.
    fn token(&self) -> Option<Arc<AtomicBool>> {
        None
    }

    /// How long one piece may take; without an answer everything is explored at once.
    fn patience(&self) -> Option<Duration> {
        None
    }
}

/// Nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWatcher;

impl Watcher for NoWatcher {
    fn rows(&mut self, _known: KnownRows<'_>) {}
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
    /// How many positions may be looked at, for one row at least; memory, and time for all rows.
    pub budget: Budget,
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
}

impl Request {
    /// Chooses how to make the table, and checks what can be checked beforehand.
    ///
    /// # Errors
    /// When the ends of the range are no positions, or the budget cannot be enough.
    pub fn plan(self, library: &mut dyn Library) -> Result<Plan, TableError> {
        let mut ends = Expression::default();
        for number in [self.range.first, self.range.last] {
            self.add_if_any(&mut ends, number, library)?;
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
        let effort = Effort::from(self.budget);
        let over = |limit, allowed, needed| {
            let over = Interrupted::OverBudget { limit, allowed, needed: Some(needed) };
            Err(TableError::BeyondBudget(over))
        };
        if needed > self.budget.positions {
            return over(Limit::Positions, self.budget.positions, needed);
        }
        effort.hold(needed.saturating_mul(ROW_BYTES)).map_err(TableError::BeyondBudget)?;
        Ok(Plan { request: self, heaps })
    }

    /// Adds a row, and tells whether the game has a position with this number.
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
    /// What is known before the first row is.
    pub fn nothing(&self) -> Rows {
        match self.heaps {
            Some(_) => Rows::Heaps(Vec::new()),
            None => Rows::Explored { first: self.request.range.first, rows: Vec::new() },
        }
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

    /// Makes the table, going on from rows that are known already. Rows that do not fit are not
    /// used.
    ///
    /// # Errors
    /// When a row is no position or has no solution. A budget that is hit is no error: the table
    /// has the rows before it.
    pub fn run(
        self,
        known: Rows,
        library: &mut dyn Library,
        watcher: &mut dyn Watcher,
    ) -> Result<Table, TableError> {
        let known = if self.fits(&known) { known } else { self.nothing() };
        let effort = Effort::from(self.request.budget);
        let effort = match watcher.token() {
            Some(token) => effort.until(token),
            None => effort,
        };
        match (self.heaps, known) {
            (Some((mut sequence, theory)), Rows::Heaps(values)) => {
                if !values.is_empty() {
                    sequence.resume(values);
                }
                let mut interrupted = None;
                while sequence.values().len() as u64 <= self.request.range.last {
                    interrupted = if watcher.stops() {
                        Some(Interrupted::Stopped)
                    } else if sequence.values().len().is_multiple_of(HEAPS_PER_LOOK) {
                        effort.check().err()
                    } else {
                        None
                    };
                    if interrupted.is_some() {
                        break;
                    }
                    sequence.advance();
                    watcher.rows(KnownRows::Heaps(sequence.values()));
                }
                let rows = Rows::Heaps(sequence.values().to_vec());
                Ok(Table { theory, rows, stopped: interrupted.map(stopped), interrupted })
            }
            (_, Rows::Explored { rows, .. }) => {
                Explorer { request: self.request, effort, rows }.run(library, watcher)
            }
            (None, Rows::Heaps(_)) => {
                let rows = Vec::new();
                Explorer { request: self.request, effort, rows }.run(library, watcher)
            }
        }
    }
}

/// Why some rows were not found together.
enum Cut {
    /// They are too many for the budget, which this says.
    Budget(Interrupted, String),
    /// The time is over, or somebody asked to stop.
    Ended(Interrupted),
    /// They are too many at once for some other reason.
    TooMany,
    Error(TableError),
}

/// In words, why a table ends before its last row.
fn stopped(interrupted: Interrupted) -> String {
    match interrupted {
        Interrupted::Stopped => STOPPED.to_owned(),
        over @ Interrupted::OverBudget { .. } => format!("{over} before the last row"),
    }
}

struct Explorer {
    request: Request,
    effort: Effort,
    rows: Vec<Row>,
}

impl Explorer {
    fn run(
        mut self,
        library: &mut dyn Library,
        watcher: &mut dyn Watcher,
    ) -> Result<Table, TableError> {
        let range = self.request.range;
        let total = usize::try_from(range.last - range.first + 1).unwrap_or(usize::MAX);
        let mut stopped: Option<(Option<Interrupted>, String)> = None;
        // A checkpoint may have more rows than this table needs. Rows that were found together have
        // the theory of all of them, which may be larger than these need.
        if self.rows.len() > total {
            self.rows.truncate(total);
            if self.request.theory.is_none()
                && !self.rows.iter().all(|row| row.theory == Theory::Short)
            {
                self.rows.clear();
            }
        }
        let mut pieces = Pieces::new(total.saturating_sub(self.rows.len()));
        let mut deadline = watcher.patience().map(|patience| Instant::now() + patience);
        while self.rows.len() < total {
            let ended =
                if watcher.stops() { Err(Interrupted::Stopped) } else { self.effort.check() };
            if let Err(interrupted) = ended {
                stopped = Some((Some(interrupted), self::stopped(interrupted)));
                break;
            }
            let count = pieces.size.min(total - self.rows.len());
            let numbers = range.first + self.rows.len() as u64..=range.last;
            let start = Instant::now();
            let theory = self.request.theory;
            let numbers: Vec<u64> = numbers.take(count).collect();
            // Only the attempt to take all rows at once is broken off for its time.
            let until = deadline.take().filter(|_| count > 1);
            match self.solve(&numbers, theory, until, library, watcher) {
                Ok(found) => {
                    self.rows.extend(found);
                    let rows = &self.rows;
                    watcher.rows(KnownRows::Explored { first: range.first, rows });
                    pieces.found(count, start.elapsed());
                }
                Err(Cut::Budget(..) | Cut::TooMany | Cut::Ended(_)) if count > 1 => {
                    pieces.failed(count);
                }
                Err(Cut::Budget(interrupted, message)) => {
                    stopped = Some((Some(interrupted), message));
                    break;
                }
                Err(Cut::Ended(interrupted)) => {
                    stopped = Some((Some(interrupted), self::stopped(interrupted)));
                    break;
                }
                Err(Cut::TooMany) => {
                    let message = format!("{} was too much", self.request.pattern.row(numbers[0]));
                    stopped = Some((None, message));
                    break;
                }
                Err(Cut::Error(error)) => return Err(error),
            }
        }
        let theory = self.unite(&mut stopped, library, watcher)?;
        let rows = Rows::Explored { first: range.first, rows: self.rows };
        let (interrupted, stopped) = stopped.unzip();
        Ok(Table { theory, rows, stopped, interrupted: interrupted.flatten() })
    }

    /// The values of these rows, found together.
    fn solve(
        &self,
        numbers: &[u64],
        theory: Option<Theory>,
        deadline: Option<Instant>,
        library: &mut dyn Library,
        watcher: &mut dyn Watcher,
    ) -> Result<Vec<Row>, Cut> {
        let mut expression = Expression::default();
        // The component of each row, if the game has such a position.
        let mut components = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let component = expression.terms.len();
            let added = self.request.add_if_any(&mut expression, number, library);
            components.push(added.map_err(Cut::Error)?.then_some(component));
        }
        let Expression { fields, terms } = expression;
        if terms.is_empty() {
            let theory = theory.unwrap_or(Theory::Short);
            return Ok(vec![Row { theory, value: None }; numbers.len()]);
        }
        let mut watch = |progress| {
            watcher.exploring(progress);
            match deadline {
                _ if watcher.stops() => ControlFlow::Break(()),
                Some(deadline) if Instant::now() > deadline => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        };
        let row = || self.request.pattern.row(numbers[0]);
        let cut = |interrupted: Interrupted, error: &dyn std::fmt::Display| {
            match interrupted.limit() {
                // Who watches may have lost patience.
                None => self.effort.check().map_or_else(Cut::Ended, |()| Cut::TooMany),
                Some(Limit::Time) => Cut::Ended(interrupted),
                Some(Limit::Positions | Limit::Bytes) => {
                    Cut::Budget(interrupted, format!("{}: {error}", row()))
                }
            }
        };
        let found = Solution::new(fields, &terms, theory, &self.effort, &mut watch);
        let mut solution = found.map_err(|error| match (error.interrupted(), error) {
            (Some(interrupted), error) => cut(interrupted, &error),
            (None, SolutionError::TwoDue { .. }) => Cut::TooMany,
            (None, error) => Cut::Error(TableError::Solution(error)),
        })?;
        if let Some(interrupted) = solution.interrupted() {
            return Err(cut(interrupted, &interrupted));
        }
        let start = solution.start().clone();
        let theory = solution.theory();
        let mut value = |component| match solution.label(&start, component) {
            Label::White(value) => Some(value),
            Label::Gray(_) => None,
        };
        let rows = components.into_iter().map(|component| component.and_then(&mut value));
        Ok(rows.map(|value| Row { theory, value }).collect())
    }

    /// Brings all rows to one theory.
    fn unite(
        &mut self,
        stopped: &mut Option<(Option<Interrupted>, String)>,
        library: &mut dyn Library,
        watcher: &mut dyn Watcher,
    ) -> Result<Theory, TableError> {
        let least = self.request.theory.unwrap_or(Theory::Short);
        let mut theory = self.rows.iter().fold(least, |theory, row| join(theory, row.theory));
        let mut place = 0;
        while place < self.rows.len() {
            let row = &mut self.rows[place];
            if row.theory == theory || lift(row, theory) {
                row.theory = theory;
                place += 1;
                continue;
            }
            let number = self.request.range.first + place as u64;
            match self.solve(&[number], Some(theory), None, library, watcher) {
                Ok(mut found) => {
                    if let Some(row) = found.pop() {
                        self.rows[place] = row;
                    }
                    place += 1;
                    let (first, rows) = (self.request.range.first, &self.rows);
                    watcher.rows(KnownRows::Explored { first, rows });
                }
                // The join of two theories is the general one only if it has to be.
                Err(Cut::Error(TableError::Solution(SolutionError::DoesNotFit { .. })))
                    if theory != Theory::General =>
                {
                    theory = Theory::General;
                    place = 0;
                }
                Err(Cut::Budget(interrupted, message)) => {
                    self.rows.truncate(place);
                    *stopped = Some((Some(interrupted), message));
                }
                Err(Cut::Ended(interrupted)) => {
                    self.rows.truncate(place);
                    *stopped = Some((Some(interrupted), self::stopped(interrupted)));
                }
                Err(Cut::TooMany) if watcher.stops() => {
                    self.rows.truncate(place);
                    let interrupted = Interrupted::Stopped;
                    *stopped = Some((Some(interrupted), self::stopped(interrupted)));
                }
                Err(Cut::TooMany) => place += 1,
                Err(Cut::Error(error)) => return Err(error),
            }
        }
        Ok(theory)
    }
}

/// The smallest theory that may fit what these two fit.
fn join(one: Theory, other: Theory) -> Theory {
    use Theory::{CarryOn, Cyclic, Entailing, General, Short};
    match (one, other) {
        (one, other) if one == other => one,
        (Short, other) => other,
        (one, Short) => one,
        (General, _) | (_, General) => General,
        (Cyclic | CarryOn | Entailing, _) => CarryOn,
    }
}

/// Takes a value over into a larger theory where it says the same there.
fn lift(row: &mut Row, theory: Theory) -> bool {
    let Some(value) = &row.value else { return false };
    match (theory, row.theory, value.nimber()) {
        (Theory::General, ..) => false,
        (Theory::Entailing, _, Some(n)) => {
            row.value = Some(AnyValue::Entailing(EntailingValue::Nimber(n)));
            true
        }
        // The cover of a row in the entailing theory says nothing about cycles, but a nimber is one
        // in any of them.
        (_, _, Some(n)) => {
            row.value = Some(AnyValue::CarryOn(Value::Nimber(n)));
            true
        }
        (Theory::CarryOn, Theory::Cyclic, None) => true,
        _ => false,
    }
}

/// How many rows to explore at once.
struct Pieces {
    size: usize,
    /// More than this are too many.
    most: usize,
    /// Rows in a second, of the last piece that was found.
    rate: Option<f64>,
}

impl Pieces {
    /// Rows that are quick are taken in larger pieces.
    const QUICK: Duration = Duration::from_secs(2);
    /// Rows that are slow are taken in smaller ones.
    const SLOW: Duration = Duration::from_secs(5);

    fn new(all: usize) -> Self {
        Self { size: all.max(1), most: all.max(1), rate: None }
    }

    fn found(&mut self, count: usize, took: Duration) {
        let rate = count as f64 / took.as_secs_f64().max(1e-9);
        // Rows that share their positions are found faster the more there are.
        if took < Self::QUICK || self.rate.is_none_or(|before| rate > 1.5 * before) {
            self.size = (2 * count).min(self.most);
        } else if took > Self::SLOW {
            self.size = (count / 2).max(1);
        }
        self.rate = Some(rate);
    }

    fn failed(&mut self, count: usize) {
        // After the attempt to take all rows the first ones, which are mostly the least, come alone.
        self.most = (count / 2).max(1);
        self.size = if self.rate.is_none() { 1 } else { self.most };
    }
}

#[cfg(test)]
#[path = "table/tests.rs"]
mod tests;
