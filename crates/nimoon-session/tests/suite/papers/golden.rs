//! The verified values of `golden/rulesets/values.txt`.

use std::collections::HashSet;

use nimoon::Outcome;

use crate::papers::engine;

const VALUES: &str = include_str!("../../../../../golden/rulesets/values.txt");

/// Expression, value and source of each line.
fn lines() -> Vec<(&'static str, &'static str, &'static str)> {
    let lines = VALUES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &'static str| {
        let (expression, rest) = line.split_once(" = ")?;
        let (value, source) = rest.split_once(" # ")?;
        Some((expression, value, source))
    };
    lines
        .map(|line| read(line).unwrap_or_else(|| panic!("no value in this line: {line}")))
        .collect()
}

/// Who wins a position of one of the values of the list: nobody a ninny 0, the previous player 0,
/// and the next player all others.
fn outcome(value: &str) -> Outcome {
    match value {
        "0" => Outcome::P,
        "ninny{0}" => Outcome::D,
        _ => Outcome::N,
    }
}

#[test]
fn every_value_of_the_list_is_found_by_the_engine_with_its_outcome() {
    let lines = lines();
    assert_eq!(lines.len(), 95);
    for (expression, value, source) in lines {
        let mut solution = engine::solution(expression);
        let start = solution.start().clone();
        let found = engine::ascii(solution.value(&start).as_ref());
        assert_eq!(found, value, "{expression}, {source}");
        assert_eq!(solution.outcome(&start), Ok(outcome(value)), "{expression}, {source}");
    }
}

#[test]
fn each_position_is_listed_once_with_a_source() {
    let mut met = HashSet::new();
    for (expression, _, source) in lines() {
        assert!(met.insert(expression), "{expression} is listed twice");
        let keys = ["ACLNSS, ", "LNS2021, ", "LNS-CLF, ", "West1996"];
        let known = keys.iter().any(|key| source.starts_with(key));
        assert!(known || source == "rules", "{expression}: {source}");
    }
}
