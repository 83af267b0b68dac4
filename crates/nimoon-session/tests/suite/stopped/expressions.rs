//! Expressions, digraph files and searches for periods.

use nimoon::Work;
use nimoon::limits::Interrupted;
use nimoon::ruleset::ImpartialError;
use nimoon::solve::solution::Solution;
use nimoon_rulesets::catalogue::MakeError;
use nimoon_session::DigraphFile;
use nimoon_session::expression::{AnyExpression, MixedExpression, NoLibrary, components_alone};
use nimoon_session::period::Searched;

use crate::stopped::table::{Case, brief, case};

pub(crate) fn mixed(text: &str) -> MixedExpression {
    match AnyExpression::read(text, &mut NoLibrary).unwrap() {
        AnyExpression::Mixed(read) => read,
        AnyExpression::Impartial(_) => panic!("{text} is impartial"),
    }
}

/// What ends the search for components: nothing is asked after that, and the others stay unknown.
fn alone(text: &str, work: &Work) -> Option<Interrupted> {
    let mut ended: Option<Interrupted> = None;
    let known = components_alone(text, &mut NoLibrary, work, &mut |sum, share| {
        assert_eq!(ended, None, "asked again");
        let solved = Solution::new(sum.fields, &sum.terms, None, share);
        solved.map_err(|error| ended = error.interrupted()).ok()
    });
    let mut components = known.unwrap().components.into_iter();
    let unknown = components.any(|component| component.label.is_none());
    work.check().err().filter(|_| unknown)
}

pub(crate) fn cases() -> Vec<Case> {
    let path: Vec<String> = (0..100_000).map(|i| format!("n{i}: n{}", i + 1)).collect();
    let path = path.join("\n");
    let mut cases = vec![
        case("expression/alone.rs components_alone", |work| {
            alone("wythoff:300,250 + wythoff:200,280 + nim:3 + kayles:5", work)
        }),
        case("expression/mixed.rs solution, an impartial component", |work| {
            match mixed("backsliding:t..f + wythoff:300,300").solution(work) {
                Err((_, ImpartialError::Interrupted { interrupted, .. })) => Some(interrupted),
                other => other.map(|_| None).unwrap(),
            }
        }),
        case("expression/mixed.rs solution, partizan components", |work| {
            let mut sum = mixed("fox-geese:8/geese=7.1,7.3,7.5,7.7/fox=2.2").solution(work);
            let sum = sum.as_mut().unwrap();
            let start = sum.start().to_vec();
            sum.sides(&start).err()
        }),
        case("digraph_file.rs new", move |work| {
            match DigraphFile::new("path.game", path.as_bytes(), work) {
                Err(MakeError::Interrupted(interrupted)) => Some(interrupted),
                other => other.map(|_| None).unwrap(),
            }
        }),
    ];
    for text in
        ["octal[0.007]", "hexadecimal[0.8F3C]", "subtraction[1,97,10007,1000003]", "grundys-game"]
    {
        cases.push(case("period.rs search", move |work| {
            let searched = Searched::read(text).unwrap();
            searched.search(20_000, work).unwrap().interrupted
        }));
    }
    // A period that is proved before.
    cases.push(brief("period.rs search, kayles", |work| {
        Searched::read("kayles").unwrap().search(500, work).unwrap().interrupted
    }));
    cases
}
