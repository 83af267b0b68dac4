//! Searches for periods stop promptly when cancelled from another thread.

#[path = "../../../../nimoon/tests/suite/stopped/table.rs"]
mod table;

use nimoon_rulesets::heap::heap_period;
use table::{Case, brief, case};

fn cases() -> Vec<Case> {
    let heaps = [
        ("octal", "0.007"),
        ("hexadecimal", "0.8F3C"),
        ("subtraction", "1,97,10007,1000003"),
        ("grundys-game", ""),
    ];
    let search = |(ruleset, parameters)| {
        case("heap/period.rs heap_period", move |work| {
            let found = heap_period(ruleset, parameters, 20_000, work);
            found.unwrap().unwrap().interrupted
        })
    };
    let mut cases: Vec<Case> = heaps.map(search).into();
    // A period that is proved before.
    cases.push(brief("heap/period.rs heap_period, kayles", |work| {
        let found = heap_period("kayles", "", 500, work);
        found.unwrap().unwrap().interrupted
    }));
    cases
}

#[test]
fn searches_for_periods_are_left() {
    table::end(&cases());
}

#[test]
fn no_function_is_missing() {
    table::complete(concat!(env!("CARGO_MANIFEST_DIR"), "/src"), &cases());
}
