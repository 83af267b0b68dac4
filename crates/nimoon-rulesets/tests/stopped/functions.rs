//! The functions that take an effort.

use std::ops::ControlFlow;

use nimoon::Effort;
use nimoon::effort::Interrupted;
use nimoon::ruleset::ImpartialError;
use nimoon::solution::Solution;
use nimoon_rulesets::catalogue::MakeError;
use nimoon_rulesets::expression::{AnyExpression, MixedExpression, NoLibrary, components_alone};
use nimoon_rulesets::graph::DigraphFile;
use nimoon_rulesets::heap::{Searched, watched_period};

use crate::table::{Case, brief, case};

pub(crate) fn mixed(text: &str) -> MixedExpression {
    match AnyExpression::read(text, &mut NoLibrary).unwrap() {
        AnyExpression::Mixed(read) => read,
        AnyExpression::Impartial(_) => panic!("{text} is impartial"),
    }
}

/// What ends the search for components: nothing is asked after that, and the others stay unknown.
fn alone(text: &str, effort: &Effort) -> Option<Interrupted> {
    let mut ended: Option<Interrupted> = None;
    let known = components_alone(text, &mut NoLibrary, effort, &mut |sum, share| {
        assert_eq!(ended, None, "asked again");
        let watch = &mut |_| ControlFlow::Continue(());
        let solved = Solution::new(sum.fields, &sum.terms, None, share, watch);
        solved.map_err(|error| ended = error.interrupted()).ok()
    });
    let mut components = known.unwrap().components.into_iter();
    let unknown = components.any(|component| component.label.is_none());
    effort.check().err().filter(|_| unknown)
}

pub(crate) fn cases() -> Vec<Case> {
    let path: Vec<String> = (0..100_000).map(|i| format!("n{i}: n{}", i + 1)).collect();
    let path = path.join("\n");
    let mut cases = vec![
        case("expression/alone.rs components_alone", |effort| {
            alone("wythoff:300,250 + wythoff:200,280 + nim:3 + kayles:5", effort)
        }),
        case("expression/mixed.rs solution, an impartial component", |effort| {
            match mixed("backsliding:t..f + wythoff:300,300").solution(effort) {
                Err((_, ImpartialError::Interrupted { interrupted, .. })) => Some(interrupted),
                other => other.map(|_| None).unwrap(),
            }
        }),
        case("expression/mixed.rs solution, partizan components", |effort| {
            let mut sum = mixed("fox-geese:8/geese=7.1,7.3,7.5,7.7/fox=2.2").solution(effort);
            let sum = sum.as_mut().unwrap();
            let start = sum.start().to_vec();
            sum.sides(&start).err()
        }),
        case("graph/digraph.rs new", move |effort| {
            match DigraphFile::new("path.game", path.as_bytes(), effort) {
                Err(MakeError::Interrupted(interrupted)) => Some(interrupted),
                other => other.map(|_| None).unwrap(),
            }
        }),
    ];
    for (ruleset, parameters) in [
        ("octal", "0.007"),
        ("hexadecimal", "0.8F3C"),
        ("subtraction", "1,97,10007,1000003"),
        ("grundys-game", ""),
    ] {
        cases.push(case("heap/period.rs watched_period", move |effort| {
            let found = watched_period(ruleset, parameters, 20_000, effort, &mut |_| ());
            found.unwrap().unwrap().interrupted
        }));
        cases.push(case("heap/searched.rs search", move |effort| {
            let text = match parameters {
                "" => ruleset.to_owned(),
                _ => format!("{ruleset}[{parameters}]"),
            };
            let searched = Searched::read(&text).unwrap();
            searched.search(20_000, effort, &mut |_| ()).unwrap().interrupted
        }));
    }
    // A period that is proved before.
    cases.push(brief("heap/searched.rs search, kayles", |effort| {
        Searched::read("kayles").unwrap().search(500, effort, &mut |_| ()).unwrap().interrupted
    }));
    cases
}
