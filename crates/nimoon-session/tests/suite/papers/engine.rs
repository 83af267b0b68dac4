//! The engine as the program uses it.

use nimoon::solve::solution::{PlyInWords, Solution};
use nimoon::{AnyValue, Kind, Label, Limits, Theory, Work};
use nimoon_formats::sequence::Row;
use nimoon_session::expression::{Expression, ExpressionError, Library, NoLibrary};
use nimoon_session::table::{Pattern, Range, Request};

use crate::papers::rules::LADDERS;

/// Explores and labels what an expression says.
pub fn solution_in(text: &str, theory: Option<Theory>, library: &mut dyn Library) -> Solution {
    let read = Expression::read(text, library);
    let Expression { fields, terms } = read.unwrap_or_else(|error| panic!("{text}: {error}"));
    let budget = Limits::DEFAULT;
    let found = Solution::new(fields, &terms, theory, &Work::new(budget));
    found.unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// One file, for boards of Adders-and-Ladders.
pub struct Files;

impl Library for Files {
    fn file(&mut self, name: &str, _most: u64) -> Result<Vec<u8>, ExpressionError> {
        let known = (name == "small.json").then(|| LADDERS.as_bytes().to_vec());
        known.ok_or_else(|| ExpressionError::Unreadable {
            message: format!("file {name} not found"),
        })
    }
}

/// The same in the smallest theory that fits.
pub fn solution(text: &str) -> Solution {
    solution_in(text, None, &mut Files)
}

/// A value in ASCII.
pub fn ascii(value: Option<&AnyValue>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| format!("{value:#}"))
}

/// The value of an expression in ASCII.
pub fn value(text: &str) -> String {
    let solution = solution(text);
    ascii(solution.value(solution.start()).as_ref())
}

/// The values of positions, found together as the components of one sum.
pub fn values(texts: &[String]) -> Vec<String> {
    let mut solution = solution(&texts.join(" + "));
    values_of_components(&mut solution)
}

/// The values of the components of a sum.
pub fn values_of_components(solution: &mut Solution) -> Vec<String> {
    let start = solution.start().clone();
    let label = |component| match solution.label(&start, component) {
        Label::White(value) => ascii(Some(&value)),
        Label::Gray(_) => "none".to_owned(),
    };
    (0..start.len()).map(label).collect()
}

/// A table of values, both ends included.
pub fn table(pattern: &str, first: u64, last: u64) -> Vec<String> {
    let pattern: Pattern = pattern.parse().expect("a pattern");
    let range = Range { first, last };
    let request = Request { pattern, range, theory: None };
    let plan = request.plan(&mut NoLibrary, Limits::DEFAULT).expect("a table");
    let nothing = plan.nothing();
    let table = plan.run(nothing, &mut NoLibrary, &Work::default(), &mut |_| ()).expect("a table");
    let row = |number| {
        let Row { value, .. } = table.rows.row(number).expect("a row");
        ascii(value.as_ref())
    };
    (first..=last).map(row).collect()
}

/// A turn as a list of component, position after the move, and what the move lets happen then.
pub fn plain_turn(plies: &[PlyInWords]) -> Vec<(usize, &str, Kind)> {
    plies.iter().map(|ply| (ply.component, ply.to.as_str(), ply.kind)).collect()
}

/// The winning turns of a sum.
pub fn best_turns(solution: &mut Solution) -> Vec<Vec<PlyInWords>> {
    let start = solution.start().clone();
    let found = solution.best_turns(&start, 1000).expect("within the budget");
    assert!(!found.truncated);
    found.turns.into_iter().map(|turn| turn.plies).collect()
}

/// Numbers that look random, the same in every run.
pub struct Dice(pub u64);

impl Dice {
    /// A number below a bound (the mixing of G. Steele, D. Lea and C. Flood, 2014).
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}
