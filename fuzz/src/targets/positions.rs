//! Expressions of rulesets and tables of them.

use nimoon::player::Player;
use nimoon::ruleset::{PartizanPositions, PositionId};
use nimoon::solve::explore::Field;
use nimoon::solve::solution::Solution;
use nimoon::{AnyValue, Positions, Work};
use nimoon_formats::sequence::Rows;
use nimoon_rulesets::heap::{Base, Code};
use nimoon_session::expression::{
    AnyExpression, AnyPositions, Expression, ExpressionError, Library, MixedExpression, MixedTerm,
};
use nimoon_session::period::Searched;
use nimoon_session::report::{PartizanSumReport, SumReport};
use nimoon_session::table::{Range, Request, Table, TableError};

use crate::bytes::{Bytes, text, within};
use crate::limits::{little, little_work, very_little};

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
fn check_error(text: &str, error: &ExpressionError) {
    match error {
        ExpressionError::Text { at, message }
        | ExpressionError::Vacant { at, message }
        | ExpressionError::Limit { at, message } => {
            within(text, *at);
            assert!(!message.is_empty());
        }
        _ => {}
    }
}

/// An expression, and the same after writing and reading it.
fn read_twice(text: &str) -> Option<[AnyExpression; 2]> {
    let read = match AnyExpression::read(text, &mut Files) {
        Ok(read) => read,
        Err(error) => {
            check_error(text, &error);
            return None;
        }
    };
    let texts = written(&read);
    let joined = texts.join(" + ");
    let again = AnyExpression::read(&joined, &mut Files);
    let again = again.unwrap_or_else(|error| panic!("{text} was written {joined}: {error}"));
    assert_eq!(written(&again), texts, "{text}");
    Some([read, again])
}

/// Positions with at most this many moves are followed.
const MOST_MOVES: usize = 40;
/// This many moves are made.
const MOVES: usize = 5;

/// A position is written as it was read, and so are all positions that moves lead to, which nobody
/// has written by hand. The text ends with its line, and the bytes after it choose the moves.
pub(super) fn rulesets(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let Some(text) = text(&bytes[..end]) else { return };
    let mut chosen = Bytes::new(bytes.get(end + 1..).unwrap_or_default());
    let Some([read, _]) = read_twice(text) else { return };
    match read {
        AnyExpression::Impartial(Expression { mut fields, terms }) => {
            for (field, position) in terms {
                walk(&mut *fields[usize::from(field)], position, &mut chosen);
            }
        }
        AnyExpression::Mixed(MixedExpression { mut fields, terms, .. }) => {
            for MixedTerm { field, position, .. } in terms {
                match &mut fields[usize::from(field)] {
                    AnyPositions::Impartial(field) => walk(&mut **field, position, &mut chosen),
                    AnyPositions::Partizan(field) => {
                        walk_partizan(&mut **field, position, &mut chosen);
                    }
                }
            }
        }
    }
}

/// Makes some moves, and reads the target of each move on the way.
fn walk(field: &mut dyn Positions, start: PositionId, chosen: &mut Bytes<'_>) {
    // A choice of the opponent within a value has no notation of its own.
    if field.name() == "values" {
        return;
    }
    let mut at = start;
    for _ in 0..MOVES {
        let Ok(options) = field.options(at, MOST_MOVES) else { return };
        for (number, &(kind, to)) in options.iter().enumerate() {
            let text = field.text(to);
            // A position in which an answer is due cannot be a start.
            match field.read(&text) {
                Ok(read) => assert_eq!(read, to, "{}:{text} of {}", field.name(), field.text(at)),
                Err(error) => {
                    assert!(
                        field.must_be_answered(to) || field.must_be_answered(at),
                        "{}:{text} of {}: {}",
                        field.name(),
                        field.text(at),
                        error.message
                    );
                }
            }
            let kept = field.record(to);
            assert_eq!(field.restore(&kept), Some(to), "{}:{text} is kept as {kept}", field.name());
            if number < 3 {
                assert!(!field.words(at, number, kind, to).is_empty());
            }
        }
        let _ = field.board(at);
        let Some(&(_, to)) = options.get(chosen.below(options.len().max(1))) else { return };
        at = to;
    }
}

/// The same for partizan rulesets.
fn walk_partizan(field: &mut dyn PartizanPositions, start: PositionId, chosen: &mut Bytes<'_>) {
    let mut at = start;
    for _ in 0..MOVES {
        let player = Player::BOTH[chosen.below(2)];
        let options = field.options(at, player);
        for (number, &to) in options.iter().enumerate().take(MOST_MOVES) {
            let text = field.text(to);
            assert_eq!(field.read(&text).as_ref(), Ok(&to), "{}:{text}", field.name());
            assert!(!field.words(at, player, number, to).is_empty());
        }
        let _ = field.board(at);
        let Some(&to) = options.get(chosen.below(options.len().max(1))) else { return };
        at = to;
    }
}

/// An expression that is written in another way than it was read has the same value. [`rulesets`]
/// tests most of them too, so budgets are small here: a slow input finds nothing that a quick one
/// does not.
pub(super) fn expressions(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    // Heaps of thousands of Top Entails are computed heap by heap, which `tables` tests and which
    // takes seconds. Huge numbers of all other rulesets are tested here: one of them was a find.
    let is_digit = |c: char| c.is_ascii_digit();
    if text.contains("top-entails") && text.split(|c| !is_digit(c)).any(|number| number.len() > 3) {
        return;
    }
    let Some([read, again]) = read_twice(text) else { return };
    let same = written(&again).join(" + ") == text;
    match (read, again) {
        (AnyExpression::Impartial(read), AnyExpression::Impartial(again)) => {
            let Some(one) = solved(read) else { return };
            if !same && let Some(other) = solved(again) {
                assert_eq!(one, other, "{text}");
            }
        }
        (AnyExpression::Mixed(read), AnyExpression::Mixed(_)) => {
            if let Ok(mut solution) = read.solution(&Work::new(very_little())) {
                let (report, _) = PartizanSumReport::new(&mut solution);
                serde_json::to_string(&report).expect("it is text");
            }
        }
        _ => panic!("{text} is of two kinds"),
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
    let mut solution = Solution::new(fields, &terms, None, &Work::new(very_little())).ok()?;
    let start = solution.start().clone();
    for component in 0..start.len() {
        let _ = (solution.text(&start, component), solution.boards(&start, component));
    }
    let (report, _) = SumReport::of_placement(&mut solution, &start, Some(5));
    let value = solution.value(&start);
    Some((value, serde_json::to_string(&report).expect("it is text")))
}

/// A table that is resumed from any of its beginnings is the same table.
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
    let request = Request { pattern, range, theory: None };
    let run = |known: Option<Rows>| -> Result<Table, TableError> {
        let plan = request.clone().plan(&mut Files, little())?;
        let known = known.unwrap_or_else(|| plan.nothing());
        plan.run(known, &mut Files, &Work::new(little()), &mut |_| ())
    };
    let whole = match run(None) {
        Ok(whole) => whole,
        Err(TableError::Position { row, error }) => return check_error(&row, &error),
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

/// The name of a ruleset with its parameters, and codes: read, written and read again; a period
/// that is found is one.
pub(super) fn periods(bytes: &[u8]) {
    const LARGEST: usize = 60;
    let Some(text) = text(bytes) else { return };
    for base in [Base::Octal, Base::Hexadecimal] {
        match Code::read(text, base) {
            Ok(code) => {
                assert_eq!(Code::read(&code.to_string(), base).as_ref(), Ok(&code), "{text}");
            }
            Err(error) => within(text, error.at),
        }
    }
    let searched = match Searched::read(text) {
        Ok(searched) => searched,
        Err(error) => return check_error(text, &error),
    };
    match searched.search(LARGEST, &little_work()) {
        Ok(report) => {
            assert!(report.checked_to <= LARGEST);
            assert!(!report.sentence("up_to").is_empty());
            // Its name can be used in another request.
            let again = Searched::read(&report.ruleset).expect("the ruleset has a name");
            let again = again.search(LARGEST, &little_work());
            assert_eq!(again.expect("it was searched").ruleset, report.ruleset, "{text}");
        }
        Err(error) => check_error(text, &error),
    }
}
