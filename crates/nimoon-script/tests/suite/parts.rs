//! A position that a script splits into no part is the empty sum.

use nimoon::ruleset::{Interned, Ruleset, Shortcuts};
use nimoon::solve::solution::Solution;
use nimoon::{Outcome, Work};
use nimoon_script::{Limits, Script};

/// Heaps in a row from which one token is taken; `options` fails where no heap has a token.
const HEAPS: &str = "
    fn options(heaps) {
        if heaps.all(|heap| heap == 0) { throw `options of ${heaps}` }
        let moves = [];
        for i in 0..heaps.len() {
            if heaps[i] > 0 { let after = heaps; after[i] -= 1; moves.push(after); }
        }
        moves
    }
    fn parts(heaps) { heaps.filter(|heap| heap > 0).map(|heap| [heap]) }
    fn canonical(heaps) { if heaps.len() != 1 { throw `canonical of ${heaps}` } heaps }";

fn heaps() -> Script {
    Script::compile("heaps.rhai", HEAPS, Limits::default()).unwrap()
}

fn outcome(text: &str) -> Outcome {
    let mut positions = Interned::new(heaps());
    let position = positions.intern(heaps().read(text).unwrap());
    let fields: Vec<Box<dyn nimoon::Positions>> = vec![Box::new(positions)];
    let mut solution = Solution::new(fields, &[(0, position)], None, &Work::default()).unwrap();
    let start = solution.start().clone();
    solution.outcome(&start).unwrap()
}

#[test]
fn the_empty_list_of_parts_is_the_empty_sum_and_needs_no_options() {
    let game = heaps();
    for text in [",", "0,", "0,0,0"] {
        let empty = game.read(text).unwrap();
        assert_eq!(game.parts(&empty).unwrap(), []);
        assert_eq!(game.components(empty.clone()), []);
        assert_eq!(game.try_options(&empty, 10).unwrap(), []);
        assert_eq!(game.options(&empty).count(), 0);
        assert_eq!(outcome(text), Outcome::P);
    }
}

#[test]
fn moves_to_no_part_leave_nothing() {
    for (text, expected) in [("1,", Outcome::N), ("1,1", Outcome::P), ("0,2,1", Outcome::N)] {
        assert_eq!(outcome(text), expected, "{text}");
    }
}

#[test]
fn a_position_without_parts_is_0_whatever_options_would_give() {
    let source = "fn options(n) { [n - 1] } fn parts(n) { if n == 3 { [] } else { [n] } }";
    let game = Script::compile("a.rhai", source, Limits::default()).unwrap();
    assert_eq!(game.try_options(&3.into(), 10).unwrap(), []);
    assert_eq!(game.try_options(&4.into(), 10).unwrap().len(), 1);
}
