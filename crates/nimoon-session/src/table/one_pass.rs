//! Rows of a script in one pass: the value of each part from those of its followers, without keeping moves.
//!
//! Only for games of ordinary moves that end, where a value is the smallest number that no move leads to, and a
//! sum is worth the nim-sum of its parts [Sprague; Grundy]. Where a move of another kind or a cycle is met, the
//! pass is given up, and the rows are explored as all others are; so this changes no value, and a test compares
//! the two ways.

use std::collections::HashSet;

use nimoon::limits::{Interrupted, Work};
use nimoon::ruleset::{Branch, Fault, Kind, PositionId, Positions};
use nimoon::{AnyValue, Progress, Theory, Value};
use nimoon_formats::sequence::{KnownRows, Row, Rows};

use super::{Most, Request, Table, TableError, stopped};
use crate::expression::{Expression, ExpressionError, Library};

/// Why the pass ends early.
enum End {
    /// This game does not allow it: the rows are to be explored.
    GivenUp,
    /// The time is over, or somebody asked to stop.
    Interrupted(Interrupted),
}

/// What is known of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// Its followers are being visited.
    Begun,
    Value(u64),
}

/// A part whose followers are being visited.
struct Frame {
    part: PositionId,
    moves: Vec<Branch>,
    /// How many of the moves are dealt with.
    done: usize,
    reached: HashSet<u64>,
}

struct Pass<'a> {
    work: &'a Work,
    known: Vec<Known>,
    moves: usize,
}

/// The rows of a table; none where they are to be explored.
pub(super) fn run(
    request: &Request,
    most: &Most,
    library: &mut dyn Library,
    work: &Work,
    hand_over: &mut dyn FnMut(KnownRows<'_>),
) -> Result<Option<Table>, TableError> {
    /// How many rows are handed over at once.
    const ROWS: usize = 256;
    if request.theory.is_some_and(|theory| theory != Theory::Short) {
        return Ok(None);
    }
    let range = request.range;
    let mut pass = Pass { work, known: Vec::new(), moves: 0 };
    let mut expression = Expression::default();
    let mut rows: Vec<Row> = Vec::new();
    let mut ended = None;
    for number in range.first..=range.last {
        ended = most.reached(rows.len() as u64, 0);
        if ended.is_some() {
            break;
        }
        let read = match request.add_if_any(&mut expression, number, library) {
            Err(TableError::Position {
                error: ExpressionError::Limit { .. } | ExpressionError::Interrupted { .. },
                ..
            }) => return Ok(None),
            read => read?,
        };
        let value = if read {
            let Some((field, position)) = expression.terms.pop() else { return Ok(None) };
            let field = &mut *expression.fields[usize::from(field)];
            if rows.is_empty() {
                field.work_within(work);
            }
            match pass.position(field, position) {
                Ok(value) => Some(AnyValue::CarryOn(Value::Nimber(value))),
                Err(End::GivenUp) => return Ok(None),
                Err(End::Interrupted(interrupted)) => {
                    ended = Some(interrupted);
                    break;
                }
            }
        } else {
            None
        };
        rows.push(Row { theory: Theory::Short, value });
        if rows.len().is_multiple_of(ROWS) {
            hand_over(KnownRows::Explored { first: range.first, rows: &rows });
        }
    }
    let rows = Rows::Explored { first: range.first, rows };
    let theory = Theory::Short;
    Ok(Some(Table { theory, rows, stopped: ended.map(stopped), interrupted: ended }))
}

impl Pass<'_> {
    /// The value of a position.
    fn position(&mut self, field: &mut dyn Positions, position: PositionId) -> Result<u64, End> {
        if field.must_be_answered(position) {
            return Err(End::GivenUp);
        }
        let parts = field.try_parts(position).map_err(ended)?;
        parts.into_iter().try_fold(0, |sum, part| Ok(sum ^ self.part(field, part)?))
    }

    fn known(&self, part: PositionId) -> Known {
        self.known.get(part as usize).copied().unwrap_or(Known::Nothing)
    }

    fn set(&mut self, part: PositionId, known: Known) {
        let place = part as usize;
        if self.known.len() <= place {
            self.known.resize(place + 1, Known::Nothing);
        }
        self.known[place] = known;
    }

    /// The value of a part, from those of its followers.
    fn part(&mut self, field: &mut dyn Positions, start: PositionId) -> Result<u64, End> {
        if let Known::Value(value) = self.known(start) {
            return Ok(value);
        }
        let mut frames = vec![self.frame(field, start)?];
        loop {
            let Some(frame) = frames.last_mut() else { return Err(End::GivenUp) };
            let Some(branch) = frame.moves.get(frame.done) else {
                let value = mex(&frame.reached);
                let part = frame.part;
                self.set(part, Known::Value(value));
                frames.pop();
                if frames.is_empty() {
                    return Ok(value);
                }
                continue;
            };
            let mut sum = 0;
            let mut missing = None;
            for &part in &branch.parts {
                match self.known(part) {
                    Known::Value(value) => sum ^= value,
                    Known::Begun => return Err(End::GivenUp),
                    Known::Nothing => missing = Some(part),
                }
            }
            match missing {
                None => {
                    frame.reached.insert(sum);
                    frame.done += 1;
                }
                Some(part) => frames.push(self.frame(field, part)?),
            }
        }
    }

    /// Begins with a part.
    fn frame(&mut self, field: &mut dyn Positions, part: PositionId) -> Result<Frame, End> {
        /// What a position takes in memory, roughly.
        const POSITION_BYTES: u64 = 128;
        let (expanded, met) = (part as usize, field.len());
        let progress = Progress::Exploring { expanded, met, options: self.moves };
        self.work.report(progress).map_err(End::Interrupted)?;
        let limits = self.work.limits();
        let fits =
            met as u64 <= limits.positions && self.work.hold(POSITION_BYTES * met as u64).is_ok();
        if !fits || field.must_be_answered(part) {
            return Err(End::GivenUp);
        }
        let limit = usize::try_from(limits.positions).unwrap_or(usize::MAX);
        let moves = field.listed(&[part], limit, 1).map_err(ended)?;
        let moves: Vec<Branch> = moves.into_iter().flatten().collect();
        if moves.iter().any(|branch| branch.kind != Kind::Ordinary) {
            return Err(End::GivenUp);
        }
        self.moves += moves.len();
        self.set(part, Known::Begun);
        Ok(Frame { part, moves, done: 0, reached: HashSet::new() })
    }
}

/// The least number that is not among these.
fn mex(reached: &HashSet<u64>) -> u64 {
    let mut least = 0;
    while reached.contains(&least) {
        least += 1;
    }
    least
}

/// What ends the pass where the rules do; mistakes are reported when the rows are explored.
#[allow(clippy::needless_pass_by_value, reason = "it maps errors")]
fn ended(fault: Fault) -> End {
    match fault {
        Fault::Interrupted(interrupted) => End::Interrupted(interrupted),
        _ => End::GivenUp,
    }
}
