//! Rows that are explored: all at once, or in pieces where that is too much.

use std::time::Duration;

use nimoon::limits::clock::Instant;
use nimoon::limits::{Interrupted, Limit, Work};
use nimoon::solve::solution::{Solution, SolutionError};
use nimoon::{AnyValue, EntailingValue, Label, Theory, Value};
use nimoon_formats::sequence::{KnownRows, Row, Rows};

use super::{Most, Request, Table, TableError, stopped as in_words};
use crate::expression::{Expression, ExpressionError, Library};

/// Why some rows were not found together.
enum Cut {
    /// They are too many for the budget, or for a limit of the rules, which this says.
    Budget(Option<Interrupted>, String),
    /// The time is over, or somebody asked to stop.
    Ended(Interrupted),
    /// They are too many at once for some other reason.
    TooMany,
    Error(TableError),
}

/// Rows that are explored, as far as they are known.
pub(super) struct Explorer<'a> {
    pub(super) request: Request,
    pub(super) most: Most,
    pub(super) patience: Option<Duration>,
    pub(super) work: &'a Work,
    pub(super) rows: Vec<Row>,
}

impl Explorer<'_> {
    /// Finds the rest.
    pub(super) fn run(
        mut self,
        library: &mut dyn Library,
        hand_over: &mut dyn FnMut(KnownRows<'_>),
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
        let mut whole = Whole::new(self.patience, self.work.limits().time);
        while self.rows.len() < total {
            let reached = self.most.reached(self.rows.len() as u64, 0);
            let ended = self.work.check().err().or(reached);
            if let Some(interrupted) = ended {
                stopped = Some((Some(interrupted), in_words(interrupted)));
                break;
            }
            let left = (total - self.rows.len()).min(self.most.left(self.rows.len()));
            // An attempt to take all rows is given up after some time, if they are several.
            let attempt = whole.patience().filter(|_| left > 1 && left <= pieces.most);
            let count = if attempt.is_some() { left } else { pieces.size.min(left) };
            let numbers = range.first + self.rows.len() as u64..=range.last;
            let start = Instant::now();
            let theory = self.request.theory;
            let numbers: Vec<u64> = numbers.take(count).collect();
            let limits = self.work.limits();
            let work = self.work.child(attempt.map_or(limits, |patience| limits.time(patience)));
            match self.solve(&numbers, theory, &work, library) {
                Ok(found) => {
                    self.rows.extend(found);
                    let rows = &self.rows;
                    hand_over(KnownRows::Explored { first: range.first, rows });
                    pieces.found(count, start.elapsed());
                }
                Err(Cut::TooMany) if attempt.is_some() => whole.failed(),
                Err(Cut::Budget(..) | Cut::TooMany | Cut::Ended(_)) if count > 1 => {
                    pieces.failed(count);
                }
                Err(Cut::Budget(interrupted, message)) => {
                    stopped = Some((interrupted, message));
                    break;
                }
                Err(Cut::Ended(interrupted)) => {
                    stopped = Some((Some(interrupted), in_words(interrupted)));
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
        let theory = self.unite(&mut stopped, library, hand_over)?;
        let rows = Rows::Explored { first: range.first, rows: self.rows };
        let (interrupted, stopped) = stopped.unzip();
        Ok(Table { theory, rows, stopped, interrupted: interrupted.flatten() })
    }

    /// The values of these rows, found together.
    fn solve(
        &self,
        numbers: &[u64],
        theory: Option<Theory>,
        work: &Work,
        library: &mut dyn Library,
    ) -> Result<Vec<Row>, Cut> {
        let mut expression = Expression::default();
        // The component of each row, if the game has such a position.
        let mut components = Vec::with_capacity(numbers.len());
        for &number in numbers {
            // To read a position may take long where a script does it.
            work.check().map_err(|_| self.cut())?;
            let component = expression.terms.len();
            let added = self.request.add_if_any(&mut expression, number, library);
            let added = added.map_err(|error| match error {
                TableError::Position {
                    row,
                    error: ExpressionError::Interrupted { interrupted, message },
                } => match interrupted.limit() {
                    None | Some(Limit::Time) => Cut::Ended(interrupted),
                    Some(Limit::Positions | Limit::Bytes) => {
                        Cut::Budget(Some(interrupted), format!("{row}: {message}"))
                    }
                },
                TableError::Position { row, error: ExpressionError::Limit { message, .. } } => {
                    Cut::Budget(None, format!("{row}: {message}"))
                }
                error => Cut::Error(error),
            })?;
            components.push(added.then_some(component));
        }
        let Expression { fields, terms } = expression;
        if terms.is_empty() {
            let theory = theory.unwrap_or(Theory::Short);
            return Ok(vec![Row { theory, value: None }; numbers.len()]);
        }
        let row = || self.request.pattern.row(numbers[0]);
        let cut =
            |interrupted: Interrupted, error: &dyn std::fmt::Display| match interrupted.limit() {
                None | Some(Limit::Time) => self.cut(),
                Some(Limit::Positions | Limit::Bytes) => {
                    Cut::Budget(Some(interrupted), format!("{}: {error}", row()))
                }
            };
        let found = Solution::new(fields, &terms, theory, work);
        let mut solution = found.map_err(|error| match (error.interrupted(), error) {
            (Some(interrupted), error) => cut(interrupted, &error),
            (None, SolutionError::TwoDue { .. }) => Cut::TooMany,
            (None, error) if error.is_limit_of_rules() => Cut::Budget(None, error.to_string()),
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

    /// Why rows were not found when a clock or a token ended it: that may have been an attempt
    /// alone.
    fn cut(&self) -> Cut {
        self.work.check().map_or_else(Cut::Ended, |()| Cut::TooMany)
    }

    /// Brings all rows to one theory.
    fn unite(
        &mut self,
        stopped: &mut Option<(Option<Interrupted>, String)>,
        library: &mut dyn Library,
        hand_over: &mut dyn FnMut(KnownRows<'_>),
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
            match self.solve(&[number], Some(theory), self.work, library) {
                Ok(mut found) => {
                    if let Some(row) = found.pop() {
                        self.rows[place] = row;
                    }
                    place += 1;
                    let (first, rows) = (self.request.range.first, &self.rows);
                    hand_over(KnownRows::Explored { first, rows });
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
                    *stopped = Some((interrupted, message));
                }
                Err(Cut::Ended(interrupted)) => {
                    self.rows.truncate(place);
                    *stopped = Some((Some(interrupted), in_words(interrupted)));
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

/// When to try all rows that are left at once, and for how long.
///
/// That takes least where rows share their positions, but leaves no row if it is cut short. So it
/// is given up after some time, then smaller pieces are taken for as long, and then it has twice
/// the time.
struct Whole {
    patience: Duration,
    /// Whether it is tried again.
    again: bool,
    /// Since when pieces are taken.
    pieces: Option<Instant>,
}

impl Whole {
    /// What is done after this time needs no pieces.
    const QUICK: Duration = Duration::from_secs(1);

    /// Who has a patience of their own loses no more than that at once.
    fn new(patience: Option<Duration>, time: Option<Duration>) -> Self {
        let first = Self::QUICK.min(time.map_or(Self::QUICK, |time| time / 4));
        Self { patience: patience.unwrap_or(first), again: patience.is_none(), pieces: None }
    }

    /// How long to try it now, if it is to be tried.
    fn patience(&self) -> Option<Duration> {
        let due = self.pieces.is_none_or(|since| self.again && since.elapsed() > self.patience / 2);
        due.then_some(self.patience)
    }

    fn failed(&mut self) {
        self.patience = self.patience.saturating_mul(2);
        self.pieces = Some(Instant::now());
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

    /// The first rows, which are mostly the least, come alone.
    fn new(all: usize) -> Self {
        Self { size: 1, most: all.max(1), rate: None }
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
        self.most = (count / 2).max(1);
        self.size = if self.rate.is_none() { 1 } else { self.most };
    }
}
