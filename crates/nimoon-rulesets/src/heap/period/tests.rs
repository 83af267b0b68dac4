use nimoon::impartial::value::EntailingValue::Moon;

use super::*;
use crate::heap::Heaps;
use crate::heap::definition::Definition;

fn found(name: &str, parameters: &str, limit: usize) -> Period {
    heap_period(name, parameters, limit, &Work::default()).unwrap().unwrap().period.unwrap()
}

fn proved(name: &str, parameters: &str, limit: usize) -> (usize, usize) {
    let found = found(name, parameters, limit);
    assert!(found.proved && found.saltus == 0);
    (found.period, found.preperiod)
}

#[test]
fn kayles_has_the_period_12_after_71() {
    assert_eq!(proved("kayles", "", 10_000), (12, 71));
    assert_eq!(proved("octal", "0.77", 10_000), (12, 71));
}

#[test]
fn dawsons_kayles_has_the_period_34_after_53() {
    assert_eq!(proved("dawsons-kayles", "", 10_000), (34, 53));
}

#[test]
fn code_0_156_has_the_period_349_after_3479() {
    assert_eq!(proved("octal", "0.156", 20_000), (349, 3479));
}

#[test]
fn no_period_is_found_for_grundys_game() {
    let report = heap_period("grundys-game", "", 2_000, &Work::default()).unwrap().unwrap();
    assert_eq!((report.period, report.checked_to), (None, 2_000));
}

#[test]
fn a_limit_that_is_too_low_for_the_proof_finds_nothing() {
    // Kayles needs the heaps up to 2·71 + 11 + 2 − 1 + 12.
    let report = |limit| heap_period("kayles", "", limit, &Work::default()).unwrap().unwrap();
    assert_eq!((report(165).period, report(165).checked_to), (None, 165));
    assert!(report(166).period.is_some_and(|period| period.proved));
}

#[test]
fn kayles_has_fourteen_exceptional_heaps() {
    // Guy and Smith: the values of Winning Ways, chapter 4, in brackets.
    let report = heap_period("kayles", "", 1_000, &Work::default()).unwrap().unwrap();
    let known = [0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70];
    assert_eq!(report.exceptions, known);
}

#[test]
fn subtraction_games_are_periodic() {
    assert_eq!(proved("subtraction", "1,3,4", 1_000), (7, 0));
    assert_eq!(proved("subtraction", "2,5,6", 1_000), (11, 0));
    let huge = heap_period("subtraction", "1,18446744073709551615", 1_000, &Work::default())
        .unwrap()
        .unwrap();
    assert_eq!((huge.period, huge.checked_to), (None, 1_000));
}

/// The same by looking at every preperiod and period, and only as far as the values go.
fn by_trial(values: &[u64], moves: Moves) -> Option<(usize, usize)> {
    let last = values.len() - 1;
    (1..=last).find_map(|period| {
        let holds = |from: usize| (from..=last - period).all(|n| values[n] == values[n + period]);
        let preperiod = (0..=last - period).find(|&from| holds(from))?;
        (moves.window_end(preperiod, period) <= (last - period + 1) as u64)
            .then_some((period, preperiod))
    })
}

#[test]
fn the_search_finds_what_trying_everything_finds() {
    for a in 0..8 {
        for b in 0..8 {
            for c in 0..8 {
                let code = Code::read(&format!("0.{a}{b}{c}"), Base::Octal).unwrap();
                let game = TakeAndBreak::new(code);
                let moves = Moves {
                    most_taken: game.code().most_taken() as u64,
                    most_heaps: game.code().most_heaps() as u64,
                    by_code: true,
                };
                let mut values = Vec::new();
                extend(&mut values, &mut *game.sequence().unwrap(), 200, &Work::default()).unwrap();
                let found = period(&values, moves).map(|found| (found.period, found.preperiod));
                assert_eq!(found, by_trial(&values, moves), "0.{a}{b}{c}");
            }
        }
    }
}

#[test]
fn proved_periods_hold_far_beyond_the_window() {
    let codes = (0..512).map(|code| (Base::Octal, format!("0.{code:03o}"), 2_000));
    let three = (0..64).flat_map(|a| (8..16).map(move |b| format!("0.{a:02X}{b:X}")));
    let three = three.map(|code| (Base::Hexadecimal, code, 150));
    for (base, text, far) in codes.chain(three) {
        let code = Code::read(&text, base).unwrap();
        let report = code_period(code.clone(), far / 4).unwrap();
        let Some(found) = report.period.filter(|found| found.proved) else { continue };
        let mut values = Vec::new();
        extend(
            &mut values,
            &mut *TakeAndBreak::new(code).sequence().unwrap(),
            far,
            &Work::default(),
        )
        .unwrap();
        for n in found.preperiod..=far - found.period {
            assert_eq!(values[n], values[n + found.period], "{text}:{n}");
        }
        if let Some(before) = found.preperiod.checked_sub(1) {
            assert_ne!(values[before], values[before + found.period], "{text}");
        }
    }
}

#[test]
fn code_0_3f_grows_by_3_every_6_heaps_as_far_as_one_looks() {
    let seen = found("hexadecimal", "0.3F", 400);
    let (preperiod, period, saltus) = (seen.preperiod, seen.period, seen.saltus);
    assert_eq!((preperiod, period, saltus, seen.proved), (0, 6, 3, false));
    let game = TakeAndBreak::new(Code::read("0.3F", Base::Hexadecimal).unwrap());
    let mut definition = Definition::new(&game);
    let mut value = |heap| match definition.value(&Heaps::new([heap])) {
        Nimber(value) => value,
        Moon => unreachable!("no move entails"),
    };
    for heap in 0..30 {
        assert_eq!(value(heap + 6), value(heap) + 3, "{heap}");
    }
}

#[test]
fn a_code_that_leaves_three_heaps_can_be_periodic() {
    assert_eq!(proved("hexadecimal", "0.20B", 100), (2, 4));
    assert_eq!(proved("hexadecimal", "0.27A", 100), (4, 1));
}

#[test]
fn parameters_that_cannot_be_read_are_an_error_and_other_rulesets_are_not_searched() {
    assert_eq!(heap_period("octal", "0.9", 10, &Work::default()).unwrap().unwrap_err().at, 2);
    assert_eq!(heap_period("subtraction", "0", 10, &Work::default()).unwrap().unwrap_err().at, 0);
    assert!(
        heap_period("nim", "", 10, &Work::default()).is_none()
            && heap_period("top-entails", "", 10, &Work::default()).is_none()
    );
    assert_eq!(heap_period("kayles", "", 0, &Work::default()).unwrap().unwrap().period, None);
}

#[test]
fn few_values_never_prove_a_period_that_more_values_refute() {
    // 0.1 starts 0 1 0: with the window of the preperiod 0 that would do for the period 2.
    assert_eq!(heap_period("octal", "0.1", 2, &Work::default()).unwrap().unwrap().period, None);
    for text in (0..16 * 16 * 16).map(|code| format!("0.{code:03X}")) {
        let game = TakeAndBreak::new(Code::read(&text, Base::Hexadecimal).unwrap());
        let moves = Moves {
            most_taken: game.code().most_taken() as u64,
            most_heaps: game.code().most_heaps() as u64,
            by_code: true,
        };
        let mut values = Vec::new();
        extend(&mut values, &mut *game.sequence().unwrap(), 60, &Work::default()).unwrap();
        for few in 0..40 {
            let Some(found) = period(&values[..few], moves).filter(|found| found.proved) else {
                continue;
            };
            let goes_on = |n: usize| values[n] == values[n + found.period];
            assert!((found.preperiod..=60 - found.period).all(goes_on), "{text}: {found:?}");
        }
    }
}
