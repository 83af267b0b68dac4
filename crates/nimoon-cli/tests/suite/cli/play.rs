//! `nimoon play`: transcripts of games, with what a person types on standard input.

use insta::assert_snapshot;

use crate::cli::program::{Run, run, run_on, words};

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
    assert_eq!(
        last_line(&text),
        "You cannot move, and a player who cannot move loses. The engine wins."
    );
}

#[test]
fn a_person_who_follows_the_hints_wins() {
    let text = game("nim:1 + nim:3", "", &["hint", "take 2 of 3", "hint", "1"]);
    assert!(text.contains("You can win:\n  component 1: take 2 of 3 → nim:1\n"), "{text}");
    assert!(text.contains("You can win:\n  component 1: take 1 of 1 → nim:0\n"), "{text}");
    assert_eq!(
        last_line(&text),
        "The engine cannot move, and a player who cannot move loses. You win."
    );
}

#[test]
fn the_engine_may_begin() {
    let text = game("nim:3", "--first engine", &[]);
    assert!(text.contains("\nThe engine: take 3 of 3 → nim:0\n"), "{text}");
    assert_eq!(
        last_line(&text),
        "You cannot move, and a player who cannot move loses. The engine wins."
    );
}

#[test]
fn the_start_is_shown_before_anything_happens_that_nobody_decides() {
    // A heap of 1 has only one answer, which the program plays at once.
    let text = game("top-entails:!1 + nim:2", "", &[]);
    let [start, made] = ["\n0  top-entails:!1 ", "You have only one move"]
        .map(|reply| text.find(reply).unwrap_or_else(|| panic!("no `{reply}` in {text}")));
    assert!(start < made, "{text}");
    let begins = "You are to move, and must answer in component 0: it was an entailing move.\n\n\
                  You have only one move: ";
    assert!(text.contains(begins), "{text}");
    let text = game("nim:3", "--first engine", &[]);
    assert!(text.contains("\n0  nim:3\n   3  ooo\n\nThe engine is to move.\n\nThe engine: take 3"));
    // Who is asked first sees the start once.
    assert_eq!(game("nim:3", "", &["quit"]).matches("0  nim:3\n").count(), 1);
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
fn help_lists_the_commands() {
    let text = game("nim:2", "", &["help", "?"]);
    assert_eq!(text.matches("undo     take back your last decision").count(), 2, "{text}");
}

#[test]
fn the_end_of_the_input_leaves_the_game() {
    for typed in [&[][..], &["2"], &["draw"], &["hint", "values"]] {
        let text = game("nim:2 + nim:3", "--opponent person", typed);
        assert_eq!(last_line(&text), "You left the game unfinished.", "{typed:?}");
    }
    let text = game("nim:2 + nim:3", "", &["quit", "1"]);
    assert_eq!(text.matches("You left the game unfinished.").count(), 1);
    assert!(!text.contains("> 1"), "{text}");
}

#[test]
fn rules_from_a_script_are_played_too() {
    let text = game("nim:2", "--rules rules/nim.rhai", &["1"]);
    assert_eq!(
        last_line(&text),
        "The engine cannot move, and a player who cannot move loses. You win."
    );
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

// ---- partizan games ----

#[test]
fn a_person_plays_toads_against_the_engines_frogs() {
    let typed = ["values", "hint", "step with the toad on square 1", "foo", "9", "1", "1", "1"];
    assert_snapshot!(game("backsliding:t..f + nim:1", "", &typed));
}

#[test]
fn the_fox_may_be_the_person_and_the_engine_may_begin() {
    let text = game("fox-geese:4/geese=3.1,3.3/fox=2.4", "--side right --first engine", &["hint"]);
    assert_snapshot!(text);
}

#[test]
fn a_person_who_follows_the_hints_wins_a_partizan_game() {
    // The hint is typed after it was seen, so the moves are those that it gives.
    let mut typed: Vec<String> = Vec::new();
    for _ in 0..30 {
        let mut asked = typed.clone();
        asked.push("hint".to_owned());
        let lines: Vec<&str> = asked.iter().map(String::as_str).collect();
        let text = game("backsliding:tt..ff", "", &lines);
        if text.contains("The engine cannot move") {
            assert_eq!(
                last_line(&text),
                "The engine cannot move, and a player who cannot move loses. You win."
            );
            return;
        }
        let hint = text.split("You can win").last().and_then(|text| text.lines().nth(1));
        let words = hint.and_then(|line| line.split(" →").next()).expect("a hint");
        typed.push(words.trim().to_owned());
    }
    panic!("thirty hints do not win: {typed:?}");
}

#[test]
fn a_draw_by_endless_play_is_offered_in_a_partizan_game() {
    let typed = ["hint", "1", "1", "draw"];
    let text = game("backsliding:t. + backsliding:.f", "", &typed);
    assert!(text.contains("A theoretical draw"), "{text}");
    assert!(text.contains("occurred once before"), "{text}");
    assert!(text.contains("The engine cannot force a win and agrees."), "{text}");
    assert_eq!(last_line(&text), "A draw by agreement.");
}

#[test]
fn persons_play_as_left_and_right() {
    let text =
        game("backsliding:t.f", "--opponent person --side right", &["1", "undo", "redo", "resign"]);
    assert_snapshot!(text);
}

#[test]
fn a_sum_beyond_the_search_is_played_by_values() {
    let text = game(
        "backsliding:t. + fox-geese:4/geese=3.1,3.3/fox=2.4",
        "--first engine --side right --budget 60",
        &["1", "quit"],
    );
    assert!(text.contains("the engine plays by values until a search fits.\n"), "{text}");
    assert!(text.contains(" (by values: the win may take a detour)\n"), "{text}");
}

#[test]
fn a_side_is_chosen_in_partizan_games_only() {
    let run = run(&["play", "nim:3", "--side", "left"]);
    assert_eq!((run.code, run.error_lines()), (Some(2), 1), "{}", run.stderr);
    assert!(run.stderr.contains("--side is for partizan games"), "{}", run.stderr);
}

#[test]
fn partizan_positions_that_cannot_be_played_are_pointed_at() {
    for (text, reply) in [
        ("backsliding:t.x", "1:15: expected `t`, `f` or `.`"),
        ("backsliding:t. + top-entails:5", "1:18: `top-entails` has moves"),
    ] {
        let run = run(&["play", text]);
        assert_eq!((run.code, run.error_lines()), (Some(2), 1), "{}", run.stderr);
        assert!(run.stderr.contains(reply), "{}", run.stderr);
    }
}
