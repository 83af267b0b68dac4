//! All positions that play can reach, against brute force by the oracle, and against `value`.

#![allow(clippy::needless_range_loop, reason = "nodes are indices of several lists")]

use nimoon::Work;
use nimoon_session::condition::Condition;
use nimoon_session::explore::{ExploreAnswer, ExploreOptions, NAMES, digraph_of, explore};
use nimoon_session::expression::NoLibrary;
use nimoon_session::followers::Symmetry;
use nimoon_session::report::{ExploreReport, ExploredRow, MoveKind};

fn explored(expression: &str, symmetry: Symmetry) -> ExploreReport<ExploredRow> {
    let options = ExploreOptions { symmetry, ..ExploreOptions::default() };
    let found = explore(expression, &options, &mut NoLibrary, &Work::default()).unwrap();
    assert_eq!(found.missing, None, "{expression}");
    match found.answer {
        ExploreAnswer::Impartial(report) => report,
        ExploreAnswer::Partizan(_) => panic!("{expression} is impartial"),
    }
}

/// Sums with each kind of move, with splits, cycles and symmetries.
const SUMS: [&str; 9] = [
    "nim:3 + nim:1",
    "kayles:5",
    "top-entails:5",
    "top-entails:4 + nim:2",
    "green-lime:0-1g,1-2l,1-3l",
    "lights:bsb + nim:1",
    "slide[-1,+1;4]:3",
    "nimstring:1x2",
    "wythoff:2,3",
];

#[test]
fn each_position_has_the_value_and_the_outcome_that_it_has_alone() {
    for sum in SUMS {
        for symmetry in [Symmetry::Apart, Symmetry::Merged] {
            let report = explored(sum, symmetry);
            for row in &report.positions {
                let alone = nimoon_session::value(&row.position);
                let alone = alone.unwrap_or_else(|error| panic!("{}: {error}", row.position));
                let json = serde_json::to_value(row).unwrap();
                assert_eq!(json["outcome"], alone["outcome"], "{sum}: {}", row.position);
                // Beside others a position may have a value of a larger theory; numbers stay.
                if alone["value"]["kind"] == "nimber" {
                    assert_eq!(json["value"], alone["value"], "{sum}: {}", row.position);
                }
            }
        }
    }
}

#[test]
fn outcomes_and_remoteness_are_those_of_plain_search() {
    for sum in SUMS {
        let game = digraph_of(sum, &mut NoLibrary, &Work::default()).unwrap();
        let nodes = game.digraph.len();
        // Who wins in how many plies, from the ends back: no code of the engine.
        let mut plies: Vec<Option<u32>> = vec![None; nodes];
        loop {
            let mut next = plies.clone();
            for node in 0..nodes {
                let options = game.digraph.options(node as u32);
                let known: Vec<Option<u32>> = options.iter().map(|&o| plies[o as usize]).collect();
                let lost = known.iter().flatten().filter(|n| *n % 2 == 0).min();
                next[node] = match lost {
                    Some(lost) => Some(lost + 1),
                    None if known.iter().all(Option::is_some) => {
                        Some(known.iter().flatten().max().map_or(0, |most| most + 1))
                    }
                    None => None,
                };
            }
            if next == plies {
                break;
            }
            plies = next;
        }
        for row in &explored(sum, Symmetry::Apart).positions {
            let node = game.names.node(&row.position).expect("a node for each position");
            let plies = plies[node as usize];
            assert_eq!(row.remoteness, plies, "{sum}: {}", row.position);
            let outcome = plies.map_or("D", |n| if n % 2 == 0 { "P" } else { "N" });
            assert_eq!(row.outcome.unwrap().to_string(), outcome, "{sum}: {}", row.position);
        }
    }
}

#[test]
fn the_positions_are_those_that_moves_lead_to() {
    for sum in SUMS {
        let report = explored(sum, Symmetry::Apart);
        let known: std::collections::HashSet<&str> =
            report.positions.iter().map(|row| &*row.position).collect();
        assert_eq!(known.len(), report.positions.len(), "{sum}: positions are listed once");
        let mut led: std::collections::HashSet<&str> =
            std::iter::once(&*report.positions[0].position).collect();
        for row in &report.positions {
            for option in &row.options {
                assert!(known.contains(&*option.to), "{sum}: {}", option.to);
                led.insert(&option.to);
            }
        }
        assert_eq!(led, known, "{sum}");
    }
}

#[test]
fn kinds_of_moves_are_those_of_the_rules() {
    let kinds = |sum: &str, position: &str| -> Vec<(String, MoveKind)> {
        let report = explored(sum, Symmetry::Apart);
        let row = report.positions.iter().find(|row| row.position == position);
        let row = row.unwrap_or_else(|| panic!("{sum}: no {position}"));
        let mut kinds: Vec<(String, MoveKind)> =
            row.options.iter().map(|option| (option.to.clone(), option.kind)).collect();
        kinds.sort_by(|a, b| a.0.cmp(&b.0));
        kinds
    };
    assert_eq!(
        kinds("top-entails:2", "top-entails:2"),
        [
            ("top-entails:1".to_owned(), MoveKind::Entails),
            ("top-entails:1 + top-entails:1".to_owned(), MoveKind::Move),
        ]
    );
    let lights = kinds("lights:bsb", "lights:1b1s1b");
    assert!(lights.contains(&("lights:2b".to_owned(), MoveKind::Again)), "{lights:?}");
}

#[test]
fn merging_leaves_one_of_equal_positions() {
    let count = |symmetry| explored("kayles:7", symmetry).positions.len();
    let (apart, merged) = (count(Symmetry::Apart), count(Symmetry::Merged));
    assert!(merged <= apart, "{merged} {apart}");
    let green = |symmetry| explored("green-lime:0-1g,1-2l,1-3l", symmetry).positions.len();
    assert!(green(Symmetry::Merged) < green(Symmetry::Apart));
}

#[test]
fn conditions_filter_and_pictures_show_everything() {
    let condition = Condition::read("outcome = P and options > 0", NAMES).unwrap();
    let options = ExploreOptions { condition: Some(&condition), ..ExploreOptions::default() };
    let found = explore("wythoff:3,5", &options, &mut NoLibrary, &Work::default()).unwrap();
    let ExploreAnswer::Impartial(report) = &found.answer else { panic!("impartial") };
    let texts: Vec<&str> = report.positions.iter().map(|row| &*row.position).collect();
    assert_eq!(texts, ["wythoff:3,5", "wythoff:2,1", "wythoff:1,2"]);
    assert!(found.game().unwrap_err().message.contains("leave out the condition"));
    let whole = ExploreOptions::default();
    let found = explore("wythoff:1,2", &whole, &mut NoLibrary, &Work::default()).unwrap();
    assert!(found.game().unwrap().starts_with("1,2:"));
}

#[test]
fn a_limit_leaves_the_positions_that_were_met_and_names_the_last() {
    let work = Work::new(nimoon::Limits::new(50));
    let found = explore("wythoff:9,9", &ExploreOptions::default(), &mut NoLibrary, &work).unwrap();
    let missing = found.missing.expect("the budget is small");
    assert!(missing.message.contains("the last of them wythoff:"), "{}", missing.message);
    let ExploreAnswer::Impartial(report) = &found.answer else { panic!("impartial") };
    assert!(report.positions.len() > 50 && !report.complete);
    assert!(report.positions.iter().all(|row| row.label.is_none() && row.outcome.is_none()));
}

#[test]
fn partizan_positions_have_the_values_that_they_have_alone() {
    let found =
        explore("backsliding:t..f", &ExploreOptions::default(), &mut NoLibrary, &Work::default());
    let found = found.unwrap();
    let json = serde_json::to_value(&found.answer).unwrap();
    let rows = json["positions"].as_array().unwrap();
    assert!(rows.len() > 3);
    for row in rows {
        let alone = nimoon_session::value(row["position"].as_str().unwrap()).unwrap();
        assert_eq!(row["value"], alone["value"], "{row}");
        assert_eq!(row["outcome"], alone["outcome"], "{row}");
    }
}
