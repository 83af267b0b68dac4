//! `nimoon repl` without a terminal: what is answered, and what ends a session.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};

use insta::assert_snapshot;

use crate::cli::program::{Run, examples, run, run_on, transcript};

/// The answers to these lines.
fn session(lines: &[&str]) -> String {
    run_on(lines.join("\n"), &["repl"]).answer()
}

#[test]
fn an_expression_is_answered_as_by_value() {
    for expression in ["nim:3 + lights:2b3s5b", "digraph[figure-1.game]:b", "green-lime:gl"] {
        assert_eq!(session(&[expression]), run(&["value", expression]).answer());
        assert_eq!(session(&[&format!("value {expression}")]), session(&[expression]));
    }
}

#[test]
fn commands_tell_one_thing_each() {
    assert_snapshot!(session(&[
        "x = nim:3 + top-entails:7 # two components",
        "",
        "# nothing is printed for a name",
        "outcome x",
        "turn x",
        "turns x + nim:2",
        "explain nim:1",
        "outcome _",
        "vars",
    ]));
}

#[test]
fn names_and_the_last_expression_are_terms() {
    let text = session(&["x = nim:3 + nim:4", "y = x + nim:1", "x = nim:9", "y", "_ + x", "vars"]);
    assert_eq!(text.matches("nim:3").count(), 3, "{text}");
    assert!(text.contains("   3  nim:9  N  9\n"), "{text}");
    assert!(text.ends_with("x = nim:9\ny = nim:3 + nim:4 + nim:1\n"), "{text}");
}

#[test]
fn the_theory_and_the_budget_can_be_asked_for_and_changed() {
    let lines =
        ["theory", "theory carry-on", "theory", "theory auto", "theory", "budget 77", "budget"];
    assert_eq!(session(&lines), "auto\ncarry-on\nauto\n77\n");
    let text = session(&["theory carry-on", "nim:2"]);
    assert!(text.contains("(carry-on theory)"), "{text}");
    let run = run_on("theory\nbudget", &["repl", "--theory", "short", "--budget", "5"]);
    assert_eq!(run.answer(), "short\n5\n");
}

#[test]
fn every_command_and_every_ruleset_has_help() {
    let overview = session(&["help"]);
    assert_snapshot!(overview);
    for line in overview.lines().skip(6).filter(|line| line.starts_with("  ")) {
        let word = line.split_whitespace().next().expect("a command");
        let text = session(&[&format!("help {word}")]);
        assert!(text.starts_with(word) && text.lines().count() == 2, "{word}: {text}");
    }
    let list = run(&["rulesets", "--format", "json"]).json();
    let rulesets = list.as_array().expect("a list");
    assert!(rulesets.len() > 10);
    for ruleset in rulesets {
        let name = ruleset["name"].as_str().expect("a name");
        assert_eq!(session(&[&format!("help {name}")]), run(&["rulesets", name]).answer());
    }
    assert_eq!(session(&["rulesets"]), run(&["rulesets"]).answer());
    assert_eq!(session(&["x = nim:3", "help x"]), "x = nim:3\n");
}

#[test]
fn the_options_are_those_of_value() {
    assert_snapshot!(transcript(&["repl --help"]));
}

#[test]
fn a_script_is_a_ruleset_with_its_comment_as_help() {
    let lines = "help kayles\nrulesets\noutcome kayles:7,\nkayles = nim:3\n";
    let run = run_on(lines, &["repl", "--rules", "rules/kayles.rhai", "-"]);
    assert!(run.stdout.starts_with("kayles has the rules of rules/kayles.rhai.\n\nKayles: knock"));
    assert!(run.stdout.contains("\nSCRIPTS\n  kayles\n"));
    assert!(run.stdout.ends_with("\nN: the next player wins\n"));
    assert_eq!(
        run.stderr.lines().next(),
        Some("error: standard input:4:1: `kayles` is a ruleset; take another name")
    );
}

#[test]
fn a_game_is_played_with_the_lines_that_follow() {
    assert_snapshot!(session(&["x = nim:2", "play x + nim:1", "take 1 of 2", "1", "outcome x"]));
    let run = run_on("play nim:2\n\nquit\nnim:x", &["repl"]);
    assert!(run.stderr.starts_with("error: standard input:4:5: "), "{}", run.stderr);
}

#[test]
fn a_session_ends_at_quit() {
    for word in ["quit", "exit", " quit # now"] {
        assert_eq!(session(&["outcome nim:0", word, "nonsense"]), "P: the previous player wins\n");
    }
    assert_eq!(session(&[]), "");
    assert_eq!(session(&["", "   ", "# nothing"]), "");
}

/// A line that is wrong, the column, and what is said.
type BadLine = (&'static str, usize, &'static str);

const BAD_LINES: &[BadLine] = &[
    ("nim:x", 5, "expected the size of a heap"),
    ("  x + nim:1 + nim:y", 19, "expected the size of a heap"),
    ("x + nym:1", 5, "did you mean `nim`?"),
    ("x + xx", 5, "nothing is called `xx`"),
    ("turn nim:3 + nowhere", 14, "nothing is called `nowhere`"),
    ("x +", 4, "expected `ruleset:position`"),
    ("x nim:3", 3, "expected `+` after `x`"),
    ("nim 3", 4, "expected `:` and a position"),
    ("nim", 4, "expected `:` and a position, as in `nim:5`"),
    ("vlaue nim:3", 1, "unknown command `vlaue`; did you mean `value`?"),
    ("hepl", 1, "did you mean `help`?"),
    ("outcome", 8, "expected `ruleset:position`"),
    ("outcome # x", 8, "expected `ruleset:position`"),
    ("y = nim:3 + nim:z", 17, "expected the size of a heap"),
    ("y = ", 4, "expected `ruleset:position`"),
    ("= nim:3", 1, "expected a name before the `=`"),
    ("nim = nim:3", 1, "`nim` is a ruleset"),
    ("turns = nim:3", 1, "`turns` is a command"),
    ("_ = nim:3", 1, "`_` is always the last expression"),
    ("a-b = nim:3", 2, "a name is one word"),
    ("2b = nim:3", 1, "a name is one word"),
    ("theory shrot", 8, "expected a theory: auto, short,"),
    ("budget -1", 8, "expected a number of positions"),
    ("help nimm", 6, "did you mean `nim`?"),
    ("vars x", 6, "expected nothing after `vars`"),
    ("quit x", 6, "expected nothing after `quit`"),
    ("étude + x", 1, "nothing is called `étude`"),
    ("x + été + nim:q", 5, "nothing is called `été`"),
    ("digraph[nim.game]:zz", 19, "has no node `zz`"),
    ("nim:3\u{1b}[31m", 6, "expected the end"),
];

#[test]
fn the_first_bad_line_ends_a_session_with_its_place() {
    for (line, column, says) in BAD_LINES {
        let lines = format!("x = nim:3\r\noutcome nim:0\r\n{line}\r\nnim:7\r\n");
        let run = run_on(lines, &["repl"]);
        assert_eq!((run.code, run.error_lines()), (Some(2), 1), "{line}: {}", run.stderr);
        assert_eq!(run.stdout, "P: the previous player wins\n", "{line}");
        let start = format!("error: standard input:3:{column}: ");
        assert!(run.stderr.starts_with(&start), "{line}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{line}: {}", run.stderr);
        assert!(
            run.stderr.lines().last().is_some_and(|line| line.ends_with('^')),
            "{}",
            run.stderr
        );
        assert!(!run.stderr.contains('\u{1b}'));
    }
}

#[test]
fn before_the_first_answer_there_is_no_last_one() {
    let run = run_on("x = nim:3\nx + _", &["repl"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.starts_with("error: standard input:2:5: no expression was answered yet"));
}

#[test]
fn an_error_in_a_file_names_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("session.txt");
    fs::write(&file, "\u{feff}outcome nim:0\nx = nim:3 +\n").expect("the file is written");
    let name = file.to_str().expect("a name in UTF-8");
    let run = self::run(&["repl", name]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), "P: the previous player wins\n"));
    assert!(run.stderr.starts_with(&format!("error: {name}:2:")), "{}", run.stderr);
    let missing = self::run(&["repl", "missing.txt"]);
    assert_eq!((missing.code, missing.error_lines()), (Some(1), 1));
}

#[test]
fn what_is_not_wrong_in_the_line_has_its_own_exit_code() {
    let ended = |lines: &str| -> Run { run_on(lines, &["repl"]) };
    let run = ended("outcome nim:0\nbudget 10\nturn nimstring:3x3");
    assert_eq!((run.code, run.stdout.as_str()), (Some(3), "P: the previous player wins\n"));
    assert!(
        run.stderr.starts_with("error: standard input:3:6: the budget of 10"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.ends_with("raise it with `budget POSITIONS`\n"), "{}", run.stderr);
    let run = ended("digraph[missing.game]:a");
    assert_eq!((run.code, run.error_lines()), (Some(1), 1));
    assert!(run.stderr.starts_with("error: standard input:1:1: missing.game cannot be read"));
    let run = ended("theory short\nslide[-1,+1;5]:2");
    assert_eq!((run.code, run.error_lines()), (Some(2), 1));
    assert!(run.stderr.contains("standard input:2:1: the short theory does not fit"));
}

#[test]
fn names_that_double_are_stopped() {
    let lines = format!("x = nim:1\n{}", "x = x + x\n".repeat(40));
    let run = run_on(lines, &["repl"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("error: standard input:15:9: more than 10000 components"));
}

#[test]
fn noise_is_refused_in_one_line() {
    for noise in [&b"\xFF\xFE\x00"[..], b"nim:3 \xC3(", b"\0\0\0", b"[[[[[[", b"]:]:]:+", b"+++"] {
        let run = run_on(noise, &["repl"]);
        assert_eq!((run.code, run.error_lines(), run.stdout.as_str()), (Some(2), 1, ""));
    }
}

fn spawned() -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_nimoon"))
        .arg("repl")
        .current_dir(examples())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs")
}

#[test]
fn each_line_is_answered_before_the_next_is_read() {
    let mut child = spawned();
    let mut typed = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe"));
    for (line, answer) in [("outcome nim:0\n", "P: "), ("outcome nim:1\n", "N: ")] {
        typed.write_all(line.as_bytes()).expect("the program listens");
        let mut said = String::new();
        answers.read_line(&mut said).expect("the program answers");
        assert!(said.starts_with(answer), "{said}");
    }
    drop(typed);
    assert!(child.wait().expect("the program ends").success());
}

#[test]
fn a_reader_that_goes_away_ends_the_session() {
    let mut child = spawned();
    let mut typed = child.stdin.take().expect("a pipe");
    let mut answers = child.stdout.take().expect("a pipe");
    typed.write_all(b"outcome nim:0\n").expect("the program listens");
    answers.read_exact(&mut [0]).expect("something is printed");
    drop(answers);
    // It may be gone before the second line.
    let _ = typed.write_all(b"outcome nim:0\nnim:1\n");
    drop(typed);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(
        (String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()),
        ("", Some(0))
    );
}

// ---- partizan games ----

#[test]
fn a_partizan_expression_is_answered_as_by_value() {
    for expression in ["backsliding:t..f + nim:2", "fox-geese:4/geese=3.1,3.3/fox=2.4"] {
        assert_eq!(session(&[expression]), run(&["value", expression]).answer());
        assert_eq!(session(&[&format!("value {expression}")]), session(&[expression]));
    }
}

#[test]
fn commands_and_names_know_partizan_games() {
    assert_snapshot!(session(&[
        "toads = backsliding:t..f",
        "outcome toads",
        "turn toads + nim:1",
        "outcome _ + toads",
        "vars",
    ]));
}

#[test]
fn a_partizan_game_is_played_on_the_side_that_is_asked_for() {
    let text = session(&["play right backsliding:t.f", "1", "quit", "x = nim:1", "outcome x"]);
    assert!(text.contains("You are Right, the engine is Left. You begin.\n"), "{text}");
    assert!(text.contains("You: step with the frog on square 3 to 2"), "{text}");
    assert!(text.ends_with("N: the next player wins\n"), "{text}");
    let text = session(&["right = backsliding:t.f", "play right"]);
    assert!(text.contains("You are Left, the engine is Right."), "{text}");
}

#[test]
fn what_is_wrong_in_a_partizan_line_is_pointed_at() {
    for (lines, reply) in [
        (["x = nim:1", "x + backsliding:t.x"], "standard input:2:19: expected `t`, `f` or `.`"),
        (["x = nim:1", "x + backsliding:t. + top-entails:5"], "standard input:2:22: `top-entails`"),
        (["x = backsliding:t.", "explain x"], "standard input:2:9: `explain` is only for sums"),
        (
            ["x = backsliding:t.", "turns x"],
            "standard input:2:7: `turns` is only for sums of impartial",
        ),
        (
            ["theory short", "backsliding:t."],
            "standard input:2:1: the short theory (see `theory auto`)",
        ),
        (["x = nim:1", "play left x"], "standard input:2:6: a side is for partizan games"),
    ] {
        let run = run_on(lines.join("\n"), &["repl"]);
        assert_eq!((run.code, run.error_lines()), (Some(2), 1), "{}", run.stderr);
        assert!(run.stderr.contains(reply), "{}", run.stderr);
    }
}
