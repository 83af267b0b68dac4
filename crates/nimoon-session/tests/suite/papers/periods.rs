//! Periods of games played with heaps: found, proved, and as the values themselves have them.

use nimoon::Work;
use nimoon_rulesets::heap::{Period, heap_period};

use crate::papers::engine;

/// The values of an octal game, whose digits allow what its moves leave, by the mex rule alone.
fn octal_values(digits: &[u8], last: usize) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
    for heap in 0..=last {
        let mut reached = vec![false; 1024];
        for (taken, &digit) in (1..).zip(digits) {
            let Some(left) = heap.checked_sub(taken) else { break };
            if digit & 1 != 0 && left == 0 {
                reached[0] = true;
            }
            if digit & 2 != 0 && left > 0 {
                reached[values[left] as usize] = true;
            }
            if digit & 4 != 0 {
                for one in 1..=left / 2 {
                    reached[(values[one] ^ values[left - one]) as usize] = true;
                }
            }
        }
        let mex = reached.iter().position(|reached| !reached).expect("few options");
        values.push(mex as u64);
    }
    values
}

/// The values of a table as numbers.
fn table(pattern: &str, last: usize) -> Vec<u64> {
    let values = engine::table(pattern, 0, last as u64);
    values.iter().map(|value| value.parse().expect("a nimber")).collect()
}

/// The period that is found is proved, is this one, and is that of the values, not one heap
/// earlier.
fn check(name: &str, code: &str, digits: &[u8], [period, preperiod]: [usize; 2], last: usize) {
    let parameters = if name == "octal" { code } else { "" };
    let report = heap_period(name, parameters, 20_000, &Work::default()).unwrap().unwrap();
    let found = report.period.expect("a period");
    let checked_to = report.checked_to;
    assert_eq!(found, Period { preperiod, period, saltus: 0, proved: true, checked_to }, "{name}");
    let values = octal_values(digits, last);
    let ruleset = if name == "octal" { format!("octal[{code}]") } else { name.to_owned() };
    assert_eq!(table(&ruleset, last), values, "{ruleset}");
    for heap in preperiod..=last - period {
        assert_eq!(values[heap], values[heap + period], "{ruleset}:{heap}");
    }
    assert_ne!(values[preperiod - 1], values[preperiod - 1 + period], "{ruleset}");
    // No smaller period fits the end of the values.
    let fits =
        |smaller: usize| (last - 2 * period..=last).all(|n| values[n] == values[n - smaller]);
    assert!(!(1..period).any(fits), "{ruleset}");
}

#[test]
fn kayles_has_period_12_after_71() {
    check("kayles", "0.77", &[7, 7], [12, 71], 1000);
    check("octal", "0.77", &[7, 7], [12, 71], 1000);
}

#[test]
fn dawsons_kayles_has_period_34_after_53() {
    check("dawsons-kayles", "0.07", &[0, 7], [34, 53], 1000);
}

#[test]
fn the_code_0_156_has_period_349_after_3479() {
    check("octal", "0.156", &[1, 5, 6], [349, 3479], 7500);
}

#[test]
fn periods_in_print_are_found_and_proved() {
    // R. K. Guy's table of octal games, as continued by A. Flammenkamp: period and preperiod.
    let printed = [
        ("0.055", [148, 259]),
        ("0.165", [1550, 5181]),
        ("0.356", [142, 7315]),
        ("0.45", [20, 498]),
        ("0.644", [442, 3256]),
    ];
    for (code, [period, preperiod]) in printed {
        let found = heap_period("octal", code, 40_000, &Work::default())
            .unwrap()
            .unwrap()
            .period
            .expect("a period");
        assert_eq!(
            (found.period, found.preperiod, found.proved),
            (period, preperiod, true),
            "{code}"
        );
    }
}

#[test]
fn no_period_is_found_for_grundys_game_and_none_is_claimed() {
    let last = 3000;
    let report = heap_period("grundys-game", "", last, &Work::default()).unwrap().unwrap();
    assert_eq!((report.ruleset.as_str(), report.period), ("grundys-game", None));
    assert_eq!(report.checked_to, last);
    let mut values: Vec<u64> = Vec::new();
    for heap in 0..=last {
        let mut reached = vec![false; 1024];
        for one in (1..heap).take_while(|one| 2 * one < heap) {
            reached[(values[one] ^ values[heap - one]) as usize] = true;
        }
        values.push(reached.iter().position(|reached| !reached).expect("few options") as u64);
    }
    assert_eq!(table("grundys-game", last), values);
}
