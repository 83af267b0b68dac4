//! Positions of rulesets: exploring them, the values of their parts, and sums of them.

use nimoon::limits::Interrupted;
use nimoon::ruleset::{Found, Impartial, ImpartialError, Interned, Move};
use nimoon::solve::explore::Exploration;
use nimoon::solve::explore::digraph::{State, StateDigraph, Unit};
use nimoon::solve::explore::parts::{PartValues, PartsError, Shape};
use nimoon::solve::solution::{PositionDigraph, Solution};
use nimoon::{Limits, Notation, NotationError, Positions, Ruleset, Shortcuts, Theory, Work};

use crate::stopped::table::{Case, case};

/// Nim with a counter of passes beside each heap, and a search that never ends.
pub(crate) struct Nim {
    passes: fn(u64) -> u64,
    searches: bool,
}

impl Ruleset for Nim {
    type Position = (u64, u64);

    fn name(&self) -> String {
        "nim".into()
    }

    fn options(&self, &(heap, pass): &(u64, u64)) -> impl Iterator<Item = Move<(u64, u64)>> {
        let passes = (self.passes)(heap);
        let pass = (passes > 0).then(|| Move::to((heap, (pass + 1) % passes)));
        (0..heap).map(|less| Move::to((less, 0))).chain(pass)
    }

    fn read(&self, text: &str) -> Result<(u64, u64), NotationError> {
        Ok((text.parse().map_err(|_| NotationError::at(0, "expected a number"))?, 0))
    }

    fn write(&self, (heap, _): &(u64, u64)) -> String {
        heap.to_string()
    }
}

impl Notation for Nim {}

impl Shortcuts for Nim {
    fn can_search(&self, _: &(u64, u64)) -> bool {
        self.searches
    }

    fn search(
        &self,
        _: &(u64, u64),
        _: Option<u64>,
        work: &mut Work,
    ) -> Result<Option<Found>, Interrupted> {
        loop {
            work.count()?;
        }
    }
}

pub(crate) fn nim(passes: fn(u64) -> u64) -> Interned<Nim> {
    Interned::new(Nim { passes, searches: false })
}

/// What is reached from a heap.
fn explored(heap: &str, passes: fn(u64) -> u64) -> Exploration {
    let mut nim = nim(passes);
    let start = nim.read(heap).unwrap();
    let mut exploration = Exploration::new(vec![Box::new(nim)]);
    exploration.part(0, start);
    exploration.explore(&Work::default()).unwrap();
    exploration
}

fn fields(nim: Interned<Nim>) -> Vec<Box<dyn Positions>> {
    vec![Box::new(nim)]
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = vec![
        case("solve/explore/mod.rs explore", |work| {
            let mut nim = nim(|_| 0);
            let start = nim.read("100000").unwrap();
            let mut exploration = Exploration::new(fields(nim));
            exploration.part(0, start);
            exploration.explore(work).unwrap_err().interrupted()
        }),
        case("solve/explore/digraph.rs new", |work| {
            let exploration = explored("5", |_| 8000);
            let start = State::Free([0].into());
            StateDigraph::new(&exploration, Unit::Part, [start], work).err()
        }),
        case("ruleset/impartial.rs new", |work| {
            let mut nim = nim(|_| 0);
            let start = nim.read("2000").unwrap();
            let mut impartial = Impartial::new(Box::new(nim), work);
            match impartial.explore(start) {
                Err(ImpartialError::Interrupted { interrupted, .. }) => Some(interrupted),
                other => other.map(|()| None).unwrap(),
            }
        }),
        case("solve/solution/mod.rs new", |work| {
            let mut nim = nim(|_| 0);
            let terms = [(0, nim.read("100000").unwrap())];
            let solved = Solution::new(fields(nim), &terms, None, work);
            solved.err().unwrap().interrupted()
        }),
        case("solve/solution/mod.rs new", |work| {
            let mut nim = Interned::new(Nim { passes: |_| 0, searches: true });
            let terms = [(0, nim.read("7").unwrap())];
            let solved = Solution::new(fields(nim), &terms, None, work);
            solved.err().unwrap().interrupted()
        }),
        case("solve/solution/certified.rs new", |work| {
            let mut nim = nim(|_| 0);
            let terms = [(0, nim.read("100000").unwrap())];
            PositionDigraph::new(fields(nim), &terms, work).err().unwrap().interrupted()
        }),
        case("solve/solution/mod.rs answer_within", |work| {
            let mut nim = nim(|_| 0);
            let terms = [(0, nim.read("700").unwrap()), (0, nim.read("500").unwrap())];
            let budget = Work::new(Limits::new(1 << 20));
            let solved = Solution::new(fields(nim), &terms, None, &budget);
            let mut sum = solved.unwrap();
            let start = sum.start().clone();
            sum.answer_within(work);
            sum.answer(&start).err().and_then(|error| error.interrupted())
        }),
        case("solve/solution/mod.rs answer_within, explained", |work| {
            let mut nim = nim(|_| 0);
            let terms = [(0, nim.read("700").unwrap()), (0, nim.read("500").unwrap())];
            let budget = Work::new(Limits::new(1 << 20));
            let solved = Solution::new(fields(nim), &terms, None, &budget);
            let mut sum = solved.unwrap();
            let start = sum.start().clone();
            sum.answer_within(work);
            sum.explain_all(&start).1.and_then(|error| error.interrupted())
        }),
    ];
    for (heap, passes, theory) in [("4000", 0, Theory::Short), ("5", 8000, Theory::Cyclic)] {
        let passes: fn(u64) -> u64 = if passes == 0 { |_| 0 } else { |_| 8000 };
        cases.push(case("solve/explore/parts.rs new", move |work| {
            let mut exploration = explored(heap, passes);
            let shape = Shape::new(&exploration);
            match PartValues::new(&mut exploration, &shape, theory, work) {
                Err(PartsError::Interrupted(interrupted)) => Some(interrupted),
                other => other.map(|_| None).unwrap(),
            }
        }));
    }
    cases
}
