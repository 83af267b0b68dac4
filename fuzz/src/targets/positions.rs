//! Expressions of rulesets and tables of them.

use std::ops::ControlFlow;

use nimoon::AnyValue;
use nimoon::explore::Field;
use nimoon::solution::Solution;
use nimoon_formats::sequence::Rows;
use nimoon_formats::write::{PartizanSumReport, SumReport};
use nimoon_rulesets::expression::{
    AnyExpression, AnyPositions, Expression, ExpressionError, Library, MixedTerm,
};
use nimoon_rulesets::table::{NoWatcher, Range, Request, Table, TableError};

use crate::bytes::{text, within};
use crate::limits::little;

/// Two small files, by any name.
struct Files;

impl Library for Files {
    fn file(&mut self, name: &str, most: u64) -> Result<Vec<u8>, ExpressionError> {
        let extension = name.rsplit('.').next();
        let file: &[u8] = if extension == Some("json") {
            br#"{"gray":["g"],"arcs":[["a","b"],["b","a"],["b","c"],["a","g"],["g","c"],["d","g"]]}"#
        } else if extension == Some("game") {
            b"gray g\na: b g\nb: a c\ng: c\nd: g\n"
        } else {
            let message = format!("`{name}` cannot be read");
            return Err(ExpressionError::Unreadable { message });
        };
        assert!(file.len() as u64 <= most);
        Ok(file.to_vec())
    }
}

/// An error points into the text.
fn told(text: &str, error: &ExpressionError) {
    match error {
        ExpressionError::Text { at, message } | ExpressionError::Vacant { at, message } => {
            within(text, *at);
            assert!(!message.is_empty());
        }
        ExpressionError::Unreadable { .. } | ExpressionError::File { .. } => {}
    }
}

/// An expression is written as it was read, and both have the same value.
pub(super) fn expressions(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let read = match AnyExpression::read(text, &mut Files) {
        Ok(read) => read,
        Err(error) => return told(text, &error),
    };
    let texts = written(&read);
    let joined = texts.join(" + ");
    let again = AnyExpression::read(&joined, &mut Files);
    let again = again.unwrap_or_else(|error| panic!("{text} was written {joined}: {error}"));
    assert_eq!(written(&again), texts, "{text}");
    match (read, again) {
        (AnyExpression::Impartial(read), AnyExpression::Impartial(again)) => {
            if let (Some(one), Some(other)) = (solved(read), solved(again)) {
                assert_eq!(one, other, "{text} and {joined}");
            }
        }
        (AnyExpression::Mixed(read), AnyExpression::Mixed(_)) => {
            if let Ok(mut solution) = read.solution(little()) {
                let (report, _) = PartizanSumReport::new(&mut solution);
                serde_json::to_string(&report).expect("it is text");
            }
        }
        _ => panic!("{text} and {joined} are of two kinds"),
    }
}

/// The terms as text.
fn written(read: &AnyExpression) -> Vec<String> {
    match read {
        AnyExpression::Impartial(Expression { fields, terms }) => {
            let term = |&(field, position): &(Field, _)| {
                let field = &fields[usize::from(field)];
                format!("{}:{}", field.name(), field.text(position))
            };
            terms.iter().map(term).collect()
        }
        AnyExpression::Mixed(read) => {
            let term = |term: &MixedTerm| match &read.fields[usize::from(term.field)] {
                AnyPositions::Impartial(field) => {
                    format!("{}:{}", field.name(), field.text(term.position))
                }
                AnyPositions::Partizan(field) => {
                    format!("{}:{}", field.name(), field.text(term.position))
                }
            };
            read.terms.iter().map(term).collect()
        }
    }
}

/// The value and the report of a sum, if it is within the budget.
fn solved(read: Expression) -> Option<(Option<AnyValue>, String)> {
    let Expression { fields, terms } = read;
    let mut go_on = |_| ControlFlow::Continue(());
    let mut solution = Solution::new(fields, &terms, None, little(), &mut go_on).ok()?;
    let start = solution.start().clone();
    for component in 0..start.len() {
        let _ = (solution.text(&start, component), solution.boards(&start, component));
    }
    let (report, _) = SumReport::of_placement(&mut solution, &start, Some(5));
    let value = solution.value(&start);
    Some((value, serde_json::to_string(&report).expect("it is text")))
}

/// A table that goes on from any of its beginnings is the same table.
pub(super) fn tables(bytes: &[u8]) {
    const LARGEST: u64 = 60;
    let Some(text) = text(bytes) else { return };
    let mut lines = text.splitn(3, '\n');
    let (pattern, range) = (lines.next().unwrap_or_default(), lines.next().unwrap_or("0..20"));
    let cut = lines.next().map_or(3, str::len);
    let (Ok(pattern), Ok(range)) = (pattern.parse(), range.parse::<Range>()) else { return };
    if range.last - range.first > LARGEST || range.last > 2 * LARGEST {
        return;
    }
    let request = Request { pattern, range, theory: None, budget: little() };
    let run = |known: Option<Rows>| -> Result<Table, TableError> {
        let plan = request.clone().plan(&mut Files)?;
        let known = known.unwrap_or_else(|| plan.nothing());
        plan.run(known, &mut Files, &mut NoWatcher)
    };
    let whole = match run(None) {
        Ok(whole) => whole,
        Err(TableError::Position { row, error }) => return told(&row, &error),
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    if whole.stopped.is_some() {
        return;
    }
    let beginning = match &whole.rows {
        Rows::Heaps(values) => Rows::Heaps(values[..cut.min(values.len())].to_vec()),
        Rows::Explored { first, rows } => {
            Rows::Explored { first: *first, rows: rows[..cut.min(rows.len())].to_vec() }
        }
    };
    assert_eq!(run(Some(beginning)).as_ref(), Ok(&whole), "{text}");
}
