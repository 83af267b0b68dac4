//! `nimoon play`: transcripts of games, with what a person types on standard input.

use insta::assert_snapshot;

use crate::program::{Run, run, run_on, words};

/// What a person sees who types these lines, in a game with these options.
fn game(expression: &str, options: &str, typed: &[&str]) -> String {
    let mut arguments = vec!["play", expression];
    arguments.extend(words(options));
    run_on(typed.join("\n"), &arguments).answer()
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or("")
}

#[test]
fn a_person_who_errs_at_nim_loses() {
    let text = game("nim:1 + nim:2 + nim:4", "", &["take 3 of 4", "nim:0", "1"]);
    assert_snapshot!(text);
    assert_eq!(last_line(&text), "You cannot move, and who cannot move loses. The engine wins.");
}

#[test]
fn a_person_who_follows_the_hints_wins() {
    let text = game("nim:1 + nim:3", "", &["hint", "take 2 of 3", "hint", "1"]);
    assert!(text.contains("You can win:\n  component 1: take 2 of 3 → nim:1\n"), "{text}");
    assert!(text.contains("You can win:\n  component 1: take 1 of 1 → nim:0\n"), "{text}");
    assert_eq!(last_line(&text), "The engine cannot move, and who cannot move loses. You win.");
}

#[test]
fn the_engine_may_begin() {
    let text = game("nim:3", "--first engine", &[]);
    assert!(text.contains("\nThe engine: take 3 of 3 → nim:0\n"), "{text}");
    assert_eq!(last_line(&text), "You cannot move, and who cannot move loses. The engine wins.");
}

#[test]
fn a_turn_with_carry_on_moves_is_played_step_by_step() {
    assert_snapshot!(game(
        "green-lime:ggl + nim:1",
        "",
        &["values", "hint", "2", "hint", "undo", "1", "nim:0"]
    ));
    assert_snapshot!(
        "a_carry_on_move_that_leaves_nothing_loses",
        game("green-lime:gl", "", &["green edge"])
    );
}

#[test]
fn an_entailing_move_is_answered_in_its_component() {
    assert_snapshot!(game("top-entails:4 + nim:1", "", &["1", "nim:0", "2", "1"]));
}

#[test]
fn a_draw_is_called_one_and_is_never_lost() {
    let typed = ["values", "hint", "1", "1", "1", "3", "draw"];
    assert_snapshot!(game("slide[-2,-3,+1;6]:5", "", &typed));
}

#[test]
fn what_cannot_be_understood_is_asked_again() {
    let typed = ["foo", "9", "0", "-1", "take", "", "  TAKE 1 of 2 ", "\u{1b}[31m", "quit"];
    assert_snapshot!(game("nim:2 + nim:3", "--opponent person", &typed));
}

#[test]
fn decisions_are_taken_back_one_by_one() {
    let text = game("nim:2 + nim:3", "", &["undo", "4", "undo", "undo", "2", "resign"]);
    assert_snapshot!(text);
}

#[test]
fn two_persons_share_a_terminal() {
    let typed = ["1", "draw", "no", "2", "hint", "nim:0"];
    assert_snapshot!(game("nim:1 + nim:2", "--opponent person", &typed));
}

#[test]
fn help_tells_what_can_be_typed() {
    let text = game("nim:2", "", &["help", "?"]);
    assert_eq!(text.matches("undo     take back your last decision").count(), 2, "{text}");
}

#[test]
fn the_end_of_the_input_leaves_the_game() {
    for typed in [&[][..], &["2"], &["draw"], &["hint", "values"]] {
        let text = game("nim:2 + nim:3", "--opponent person", typed);
        assert_eq!(last_line(&text), "The game is left unfinished.", "{typed:?}");
    }
    let text = game("nim:2 + nim:3", "", &["quit", "1"]);
    assert_eq!(text.matches("The game is left unfinished.").count(), 1);
    assert!(!text.contains("> 1"), "{text}");
}

#[test]
fn rules_from_a_script_are_played_too() {
    let text = game("nim:2", "--rules rules/nim.rhai", &["1"]);
    assert_eq!(last_line(&text), "The engine cannot move, and who cannot move loses. You win.");
}

#[test]
fn a_game_that_cannot_be_played_is_refused() {
    let refused = |run: Run, code: i32, says: &str| {
        assert_eq!((run.code, run.error_lines(), run.stdout.as_str()), (Some(code), 1, ""));
        assert!(run.stderr.contains(says), "{}", run.stderr);
    };
    refused(run(&["play", "nim:x"]), 2, "1:5: ");
    refused(run(&["play", "-"]), 2, "standard input is for the moves");
    refused(run(&words("play nim:3 --opponent person --first engine")), 2, "--first engine");
    refused(run(&words("play nimstring:3x3 --budget 10")), 3, "the budget of 10 positions");
    refused(run(&["play", "@missing.txt"]), 1, "missing.txt cannot be read");
}
