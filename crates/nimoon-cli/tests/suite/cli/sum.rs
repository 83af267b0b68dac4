//! `nimoon sum`.

use insta::assert_snapshot;

use crate::cli::program::{DIFFICULT, run, run_on, transcript, words};

#[test]
fn a_sum_is_text_for_people() {
    assert_snapshot!(transcript(&[
        "sum figure-1.game b d u",
        "sum smith-trap.game b",
        "sum smith-trap.game a",
        "sum smith-trap.game c",
        "sum menagerie.game q m2",
        "sum menagerie.game p m1",
        "sum pass.game J1' 2",
        "sum pass.game J1' 1",
        "sum three-moons.game G pass",
        "sum entailing.game x 2",
        "sum general.game x w",
    ]));
}

#[test]
fn a_sum_is_json_for_scripts() {
    assert_snapshot!(transcript(&[
        "sum figure-1.game b d u --format json",
        "sum smith-trap.game a --format json",
        "sum smith-trap.game c --format json",
        "sum menagerie.game q m2 --format json",
        "sum menagerie.game p m1 --format json",
        "sum three-moons.game G pass --format json",
        "sum entailing.game x 2 --format json",
        "sum general.game x w --format json",
        "sum general.game y v --format json",
    ]));
}

#[test]
fn turns_without_end_say_so() {
    assert_snapshot!(transcript(&[
        "sum endless.game r",
        "sum endless.game s",
        "sum endless.game r --format json",
        "sum endless.game s --format json",
        "sum endless.game r s --format json",
    ]));
}

#[test]
fn a_piece_may_stand_on_a_gray_node_at_the_start() {
    assert_snapshot!(transcript(&[
        "sum menagerie.game g2 3",
        "sum menagerie.game k p",
        "sum menagerie.game ge 1 --format json",
        "sum menagerie.game gd 1 --format json",
        "sum menagerie.game k 3 --format json",
        "sum endless.game g 1 --format json",
        "sum entailing.game f 2 --format json",
        "sum entailing.game e 2 --format json",
        "sum general.game e 1 --format json",
    ]));
}

#[test]
fn winning_turns_are_listed_up_to_a_limit() {
    assert_snapshot!(transcript(&[
        "sum menagerie.game q m2 --turns",
        "sum menagerie.game d m2 n1 --turns --limit 1",
        "sum menagerie.game d m2 n1 --turns --limit 1 --format json",
        "sum menagerie.game p m1 --turns",
        "sum menagerie.game p m1 --turns --format json",
        "sum nim.game 1 4 --turns --format json",
        "sum general.game v 1 --turns --format json",
    ]));
}

#[test]
fn a_measure_answers_where_the_budget_forbids_a_search() {
    assert_snapshot!(transcript(&[
        "sum figure-1.game b d u --budget 1",
        "sum figure-1.game b d u --budget 1 --format json",
        "sum figure-1.game b d c --budget 1 --format json",
        "sum menagerie.game q m2 --budget 1 --format json",
        "sum menagerie.game p m1 --budget 1 --format json",
        "sum menagerie.game 3 2 b --budget 1",
        "sum entailing.game x 2 --budget 1 --format json",
        "sum endless.game r --budget 1 --format json",
        "sum endless.game s --budget 1 --format json",
        "sum smith-trap.game c --budget 1 --format json",
    ]));
}

#[test]
fn without_an_algebra_a_budget_that_is_hit_leaves_what_is_known() {
    assert_snapshot!(transcript(&[
        "sum general.game x w --budget 1",
        "sum general.game x w --budget 1 --format json",
        "sum general.game x w --budget 30",
        "sum general.game x w --budget 30 --format json",
    ]));
}

#[test]
fn the_turn_does_not_walk_into_the_trap_of_smith() {
    for budget in ["1", "1000"] {
        let line = format!("sum smith-trap.game b --format json --budget {budget}");
        let answer = run(&words(&line)).json();
        assert_eq!(answer["turn"]["plies"][0]["to"], "c");
    }
}

#[test]
fn many_pieces_are_added_without_a_search() {
    let mut arguments = vec!["sum", "menagerie.game", "--format", "json"];
    arguments.extend(["3"; 101]);
    arguments.extend(["n1"; 100]);
    let answer = run(&arguments).json();
    assert_eq!(answer["value"], serde_json::json!({"kind": "ninny", "forced": 3}));
    assert_eq!(answer["turn"]["kind"], "winning");
    assert_eq!(answer["turn"]["guide"], "measure");
}

#[test]
fn names_in_sums_are_harmless_and_aligned() {
    let arguments = ["sum", "-", "--input", "json", "\u{1b}[31mred", "n\nl", "月", "--turns"];
    let text = run_on(DIFFICULT, &arguments).answer();
    assert!(text.contains("\n   1  n\\nl           P  0\n"), "{text}");
    assert!(text.contains("\n   2  月             P  0\n"), "{text}");
    assert!(text.contains("\\u{1b}[31mred → n\\nl"), "{text}");
    assert!(!text.contains('\u{1b}') && !text.contains("n\nl"));
}
