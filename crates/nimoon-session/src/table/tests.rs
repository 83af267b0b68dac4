use nimoon::limits::Limit;
use nimoon::{
    EntailingValue, Positions,
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Ruleset, Shortcuts},
};
use nimoon_formats::sequence::Row;

use super::*;

fn number(text: &str) -> Result<u64, NotationError> {
    text.parse().map_err(|_| NotationError::at(0, "expected a number"))
}

/// Take one token: 0 1 0 1 …, but every seventh heap is said to be a moon.
#[derive(Clone, Default)]
struct One(Vec<EntailingValue>);

impl Sequence for One {
    fn values(&self) -> &[EntailingValue] {
        &self.0
    }

    fn advance(&mut self) -> EntailingValue {
        let n = self.0.len() as u64;
        let value = if n % 7 == 6 { EntailingValue::Moon } else { EntailingValue::Nimber(n % 2) };
        self.0.push(value);
        value
    }

    fn resume(&mut self, values: Vec<EntailingValue>) {
        self.0 = values;
    }
}

struct Heaps;

impl Ruleset for Heaps {
    type Position = u64;

    fn name(&self) -> String {
        "heaps".into()
    }

    fn options(&self, heap: &u64) -> impl Iterator<Item = Move<u64>> {
        heap.checked_sub(1).map(Move::to).into_iter()
    }

    fn read(&self, text: &str) -> Result<u64, NotationError> {
        number(text)
    }

    fn write(&self, heap: &u64) -> String {
        heap.to_string()
    }
}

impl Notation for Heaps {}

impl Shortcuts for Heaps {
    fn sequence(&self) -> Option<Box<dyn Sequence>> {
        Some(Box::new(One::default()))
    }
}

/// The row n is n² steps from the end.
struct Squares;

impl Ruleset for Squares {
    type Position = u64;

    fn name(&self) -> String {
        "squares".into()
    }

    fn options(&self, heap: &u64) -> impl Iterator<Item = Move<u64>> {
        heap.checked_sub(1).map(Move::to).into_iter()
    }

    fn read(&self, text: &str) -> Result<u64, NotationError> {
        number(text).map(|n| n * n)
    }

    fn write(&self, heap: &u64) -> String {
        heap.to_string()
    }
}

impl Notation for Squares {}

impl Shortcuts for Squares {}

/// Rows that need larger theories the later they come: below 3 short ones, below 6 with carry-on
/// moves, below 9 with cycles, then with entailing moves.
struct Growing {
    entailing: bool,
}

impl Ruleset for Growing {
    type Position = u64;

    fn name(&self) -> String {
        if self.entailing { "growing-entailing".into() } else { "growing".into() }
    }

    fn options(&self, &n: &u64) -> impl Iterator<Item = Move<u64>> {
        let options = match n {
            0 => vec![],
            1 | 2 => vec![Move::to(n - 1), Move::to(0)],
            3..6 => vec![Move::again(0), Move::to(n - 3)],
            6..9 => vec![Move::to(n), Move::to(n - 6)],
            _ if self.entailing => vec![Move::entailing(4), Move::to(n)],
            _ => vec![Move::to(1), Move::again(n - 3)],
        };
        options.into_iter()
    }

    fn read(&self, text: &str) -> Result<u64, NotationError> {
        number(text)
    }

    fn write(&self, n: &u64) -> String {
        n.to_string()
    }
}

impl Notation for Growing {}

impl Shortcuts for Growing {}

struct Shelf;

impl Library for Shelf {
    fn file(&mut self, name: &str, _most: u64) -> Result<Vec<u8>, ExpressionError> {
        Err(ExpressionError::Unreadable { message: format!("file {name} not found") })
    }

    fn ruleset(&mut self, name: &str) -> Option<Box<dyn Positions>> {
        match name {
            "heaps" => Some(Box::new(Interned::new(Heaps))),
            "squares" => Some(Box::new(Interned::new(Squares))),
            "growing" => Some(Box::new(Interned::new(Growing { entailing: false }))),
            "growing-entailing" => Some(Box::new(Interned::new(Growing { entailing: true }))),
            _ => None,
        }
    }
}

/// The rows that were handed over: how many each time, and the last ones.
#[derive(Default)]
struct Notes {
    lengths: Vec<usize>,
    last: Option<Rows>,
}

impl Notes {
    fn take(&mut self, known: KnownRows<'_>) {
        self.lengths.push(known.len());
        self.last = Some(match known {
            KnownRows::Heaps(values) => Rows::Heaps(values.to_vec()),
            KnownRows::Explored { first, rows } => Rows::Explored { first, rows: rows.to_vec() },
        });
    }
}

fn request(pattern: &str, range: &str, theory: Option<Theory>) -> Request {
    let (pattern, range) = (pattern.parse().unwrap(), range.parse().unwrap());
    Request { pattern, range, theory }
}

fn plan(pattern: &str, range: &str, positions: u64) -> Plan {
    request(pattern, range, None).plan(&mut Shelf, Limits::new(positions)).unwrap()
}

fn run(plan: Plan, known: Rows, limits: Limits) -> Table {
    plan.run(known, &mut Shelf, &Work::new(limits), &mut |_| ()).unwrap()
}

fn table(pattern: &str, range: &str) -> Table {
    let plan = plan(pattern, range, 1000);
    let nothing = plan.nothing();
    run(plan, nothing, Limits::new(1000))
}

fn texts(table: &Table, range: std::ops::Range<u64>) -> Vec<String> {
    let value = |row: Row| row.value.map_or("-".into(), |value| format!("{value:#}"));
    range.map_while(|n| table.rows.row(n).map(value)).collect()
}

#[test]
fn heaps_come_from_the_sequence_and_go_on_from_what_is_known() {
    let whole = table("heaps", "5..20");
    assert_eq!(whole.theory, Theory::Entailing);
    assert_eq!(texts(&whole, 5..9), ["1", "moon", "1", "0"]);
    let mut notes = Notes::default();
    let known = table("heaps:{}", "0..16").rows;
    let found = plan("heaps", "5..20", 1000).run(
        known,
        &mut Shelf,
        &Work::new(Limits::new(1000)),
        &mut |known| notes.take(known),
    );
    assert_eq!(found.unwrap(), whole);
    assert_eq!(notes.lengths, [18, 19, 20, 21]);
}

#[test]
fn another_pattern_or_a_larger_theory_is_explored() {
    let plan = |pattern, theory| {
        request(pattern, "0..9", theory).plan(&mut Shelf, Limits::new(1000)).unwrap()
    };
    assert!(plan("heaps", Some(Theory::Entailing)).heaps.is_some());
    assert!(plan("heaps", Some(Theory::CarryOn)).heaps.is_none());
    assert!(plan("heaps:0{}", None).heaps.is_none());
    assert_eq!(texts(&table("heaps:1{}", "0..3"), 0..4), ["0", "1", "0", "1"]);
}

#[test]
fn rows_in_pieces_have_the_values_and_the_theory_of_the_whole() {
    for pattern in ["growing", "growing-entailing", "squares"] {
        for last in 0..12_usize {
            let range = format!("0..{last}");
            let whole = table(pattern, &range);
            let mut notes = Notes::default();
            let in_pieces = plan(pattern, &range, 1000).patience(Some(Duration::ZERO));
            let nothing = in_pieces.nothing();
            let work = Work::new(Limits::new(1000));
            let pieces =
                in_pieces.run(nothing, &mut Shelf, &work, &mut |known| notes.take(known)).unwrap();
            assert!(last == 0 || notes.lengths[0] == 1, "{:?}", notes.lengths);
            assert_eq!(pieces, whole, "{pattern} {range}");
            // And from every point on after an interruption.
            for known in 0..=last {
                let Rows::Explored { first, rows } = notes.last.clone().unwrap() else { panic!() };
                let rows = rows[..known].to_vec();
                let known_rows = Rows::Explored { first, rows };
                let resumed = run(plan(pattern, &range, 1000), known_rows, Limits::new(1000));
                assert_eq!(resumed, whole, "{pattern} {range} from {known}");
            }
        }
    }
}

#[test]
fn rows_kept_of_a_longer_table_do_not_change_the_theory_of_a_shorter_one() {
    for pattern in ["growing", "growing-entailing"] {
        let long = table(pattern, "0..11").rows;
        for last in 0..12 {
            let range = format!("0..{last}");
            let short = run(plan(pattern, &range, 1000), long.clone(), Limits::new(1000));
            assert_eq!(short, table(pattern, &range), "{pattern} {range}");
        }
    }
}

#[test]
fn the_theory_grows_with_the_rows() {
    let theory = |pattern, range| table(pattern, range).theory;
    assert_eq!(theory("growing", "0..2"), Theory::Short);
    assert_eq!(theory("growing", "0..5"), Theory::Entailing);
    assert_eq!(theory("growing", "6..8"), Theory::Cyclic);
    assert_eq!(theory("growing", "0..8"), Theory::CarryOn);
    assert_eq!(theory("growing-entailing", "0..9"), Theory::General);
}

#[test]
fn a_budget_that_is_hit_leaves_the_rows_before_it() {
    let plan = plan("squares", "0..20", 50);
    let nothing = plan.nothing();
    let table = run(plan, nothing, Limits::new(50));
    assert_eq!(texts(&table, 0..21).len(), 8);
    assert!(table.stopped.unwrap().contains("squares:8: the budget of 50 positions was hit"));
}

#[test]
fn a_budget_for_fewer_rows_leaves_as_many_as_it_allows() {
    let known = |pattern, range: &str, limits: Limits| {
        let plan = request(pattern, range, None).plan(&mut Shelf, limits).unwrap();
        let nothing = plan.nothing();
        let table = run(plan, nothing, limits);
        (texts(&table, 0..100).len(), table.interrupted)
    };
    let over = |limit, allowed, needed| {
        Some(Interrupted::OverBudget { limit, allowed, needed: Some(needed) })
    };
    for pattern in ["growing", "heaps"] {
        let few = Limits::new(20);
        assert_eq!(known(pattern, "0..50", few), (20, over(Limit::Positions, 20, 51)), "{pattern}");
        assert_eq!(known(pattern, "0..19", few), (20, None), "{pattern}");
    }
    let small = Limits::new(1000).bytes(5 * ROW_BYTES + 1);
    let too_many = over(Limit::Bytes, small.bytes, 51 * ROW_BYTES);
    assert_eq!(known("heaps", "0..50", small), (5, too_many));
    // Heaps before the first row count as well.
    assert_eq!(known("heaps", "60..61", Limits::new(50)).1, over(Limit::Positions, 50, 62));
}

#[test]
fn rows_that_take_too_long_together_come_one_after_the_other() {
    let time = Duration::from_secs(1);
    let plan = plan("wythoff:300,{}", "0..3000", u64::MAX);
    let nothing = plan.nothing();
    let table = run(plan, nothing, Limits::new(u64::MAX).time(time));
    assert_eq!(table.interrupted.and_then(Interrupted::limit), Some(Limit::Time));
    assert_eq!(texts(&table, 0..3)[1..], ["301", "302"]);
}

#[test]
fn rows_of_another_range_are_not_used() {
    let plan = plan("squares", "3..5", 1000);
    let wrong = Row { theory: Theory::Short, value: "77".parse().ok() };
    let known = Rows::Explored { first: 0, rows: vec![wrong] };
    assert!(!plan.fits(&known) && !plan.fits(&Rows::Heaps(Vec::new())));
    let table = run(plan, known, Limits::new(1000));
    assert_eq!(texts(&table, 3..6), ["1", "0", "1"]);
}

#[test]
fn wrong_ranges_and_patterns_are_errors() {
    let range = |text: &str| text.parse::<Range>().unwrap_err().to_string();
    assert!(range("5..2").contains("did you mean 2..5?"));
    for text in ["", "5", "a..b", "1..", "..2", "-1..2", "1..+2", "1...2", "0x1..2"] {
        assert!(range(text).contains("such as 0..200"), "{text}");
    }
    assert!(range("0..99999999999999999999").contains("too large"));
    assert!(range("0..100000000").contains("more than 100000000 rows"));
    assert!("0..99999999".parse::<Range>().is_ok());
    let pattern = |text: &str| text.parse::<Pattern>().map(|pattern| pattern.as_str().to_owned());
    assert!(matches!(pattern("nim:5"), Err(TableError::NoNumber { .. })));
    assert_eq!(pattern(" nim ").unwrap(), "nim:{}");
    let error =
        request("nim:{} + nim:1", "0..2", None).plan(&mut Shelf, Limits::DEFAULT).err().unwrap();
    assert!(error.to_string().contains("found a sum"), "{error}");
    let error = request("nym", "0..2", None).plan(&mut Shelf, Limits::DEFAULT).err().unwrap();
    assert!(error.to_string().contains("did you mean `nim`?"), "{error}");
}
