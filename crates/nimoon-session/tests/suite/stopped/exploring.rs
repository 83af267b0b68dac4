//! Positions that are listed, searched for or put into a table.

use nimoon::limits::Interrupted;
use nimoon_script::{Limits, Script};
use nimoon_session::explore::{ExploreOptions, digraph_of, explore};
use nimoon_session::expression::{AnyExpression, AnyPositions, Expression, NoLibrary, of_script};
use nimoon_session::followers::{Followers, PartizanFollowers, Symmetry};
use nimoon_session::period::FoundPeriod;
use nimoon_session::search::{Sought, search};
use nimoon_session::table::Pattern;
use nimoon_session::{Error, Work};

use crate::stopped::table::{Case, brief, case};

/// A sum with very many followers.
const LARGE: &str = "wythoff:900,901";

fn of_error(error: Option<Error>) -> Option<Interrupted> {
    error.and_then(|error| error.interrupted)
}

/// Searches for a value that nothing has.
fn sought(pattern: &str, range: &str, condition: &str, work: &Work) -> Option<Interrupted> {
    let (pattern, range) = Pattern::with(pattern, range).unwrap();
    let condition = pattern.condition(condition).unwrap();
    let sought =
        Sought { pattern: &pattern, range, condition: &condition, random: None, theory: None };
    match search(&sought, &mut NoLibrary, work) {
        Ok((_, missing)) => of_error(missing),
        Err(error) => error.interrupted,
    }
}

pub(crate) fn cases() -> Vec<Case> {
    vec![
        case("explore.rs explore", |work| {
            let options = ExploreOptions::default();
            of_error(explore(LARGE, &options, &mut NoLibrary, work).unwrap().missing)
        }),
        case("explore.rs digraph_of", |work| {
            of_error(digraph_of(LARGE, &mut NoLibrary, work).err())
        }),
        case("followers/mod.rs new", |work| {
            let sum = Expression::read(LARGE, &mut NoLibrary).unwrap();
            Followers::new(sum, Symmetry::Apart, work).unwrap().cut?.interrupted
        }),
        case("followers/partizan.rs new", |work| {
            let text = "fox-geese:8/geese=7.1,7.3,7.5,7.7/fox=2.2";
            let AnyExpression::Mixed(sum) = AnyExpression::read(text, &mut NoLibrary).unwrap()
            else {
                panic!("{text} is partizan")
            };
            let mut sum = sum.solution(&Work::default()).unwrap();
            PartizanFollowers::new(&mut sum, work).cut?.interrupted
        }),
        case("expression.rs of_script", |work| {
            let rules = "fn left(n) { [n + 1] } fn right(n) { [n + 1] }";
            let script = Script::compile("steps.rhai", rules, Limits::default()).unwrap();
            let AnyPositions::Partizan(mut positions) = of_script(&script, None, work).unwrap()
            else {
                panic!("the script is partizan")
            };
            // Positions are met while the first one is read.
            let error = positions.read("0").err()?;
            assert!(error.limit, "{error}");
            work.check().err()
        }),
        case("search.rs search", |work| {
            sought("wythoff:3000,{}", "2000..3000", "value = -1", work)
        }),
        brief("table/partizan.rs new", |work| {
            sought("backsliding:ttt..{}f", "0..1", "outcome = P and value = 7", work)
        }),
        case("period/found.rs search", |work| {
            let found = FoundPeriod::search("wythoff:3000,{}", 3000, &mut NoLibrary, work);
            found.unwrap().interrupted
        }),
    ]
}
