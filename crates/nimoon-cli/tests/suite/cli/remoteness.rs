//! `nimoon remoteness`: how far the end is, and what players can be sure of.

use serde_json::{Value as Json, json};

use crate::cli::bad_input::failed;
use crate::cli::program::{Run, run, run_on, words};

#[test]
fn the_answer_has_the_fixed_shape() {
    let trap = run(&words("remoteness smith-trap.game --format json")).json();
    assert_eq!(
        trap,
        json!([
            {"node": "a", "distance": null, "remoteness": 2, "outcome": "P"},
            {"node": "b", "distance": null, "remoteness": 1, "outcome": "N"},
            {"node": "c", "distance": 0, "remoteness": 0, "outcome": "P"},
        ])
    );
    let misere = run(&words("remoteness smith-trap.game --format json --misere")).json();
    assert_eq!(misere[2]["remoteness"], 1);
    assert_eq!((&misere[0]["remoteness"], &misere[0]["outcome"]), (&Json::Null, &json!("D")));
    let over = run(&words("remoteness over.json --format json")).json();
    let over = &over[0];
    assert_eq!(over["left"], json!({"distance": 1, "remoteness": 1, "outcome": "N"}));
    assert_eq!(over["right"], json!({"distance": 2, "remoteness": 2, "outcome": "P"}));
}

#[test]
fn people_get_tables() {
    insta::assert_snapshot!(crate::cli::program::transcript(&[
        "remoteness smith-trap.game --strategy",
        "remoteness smith-trap.game --grundy",
        "remoteness figure-1.game --misere",
        "remoteness over.json --strategy",
        "remoteness endings.json",
        "remoteness payoffs.json",
        "remoteness smith-trap.game --wide",
    ]));
}

#[test]
fn every_format_is_read() {
    let expected = run(&words("remoteness formats/trap.game --format json")).json();
    for format in ["json", "dot", "edges"] {
        let file = format!("formats/trap.{format}");
        let found = run(&["remoteness", &file, "--format", "json"]).json();
        assert_eq!(found, expected, "{file}");
    }
    for file in ["formats/trap.aut", "formats/trap.pg"] {
        let found = run(&["remoteness", file, "--format", "json"]).json();
        let outcomes = |rows: &Json| -> Vec<String> {
            let rows = rows.as_array().expect("a list");
            rows.iter().map(|row| format!("{} {}", row["remoteness"], row["outcome"])).collect()
        };
        assert_eq!(outcomes(&found), outcomes(&expected), "{file}");
    }
}

#[test]
fn g_h_and_j_are_printed_on_request() {
    let game = "0: 1 2\n2: 0\nloop: loop 0\n";
    let found = run_on(game, &words("remoteness - --input game --grundy --format json")).json();
    let triple = |row: &Json| (row["g"].clone(), row["h"].clone(), row["j"].clone());
    assert_eq!(triple(&found[0]), (json!(1), json!(3), json!([0])));
    assert_eq!(triple(&found[2]), (json!(0), json!(2), json!([1])));
    assert_eq!(triple(&found[3]), (Json::Null, Json::Null, json!([1])));
}

#[test]
fn functions_in_the_wide_sense_are_counted() {
    let wide =
        |game: &str| run_on(game, &words("remoteness - --input game --wide --format json")).json();
    assert_eq!(wide("a: a\n"), json!({"functions": [], "complete": true}));
    assert_eq!(wide("a: b\n")["functions"], json!([{"a": 1, "b": 0}]));
    assert_eq!(wide("a: b\nb: a\n")["functions"], json!([{"a": 0, "b": 1}, {"a": 1, "b": 0}]));
    let more = run_on("a: b\nb: a\n", &words("remoteness - --input game --wide --limit 1"));
    assert_eq!((more.code, more.error_lines()), (Some(3), 1), "{}", more.stderr);
    assert!(more.stdout.contains("a=0 b=1") || more.stdout.contains("a=1 b=0"), "{}", more.stdout);
}

#[test]
fn ends_of_play_and_payoffs_tell_what_players_are_sure_of() {
    // From a the next player draws at b, or gives the opponent a win at d.
    let game = "a: b c\nc: d\ndraw b\nwin d\n";
    let found = run_on(game, &words("remoteness - --input game --format json")).json();
    assert_eq!(
        found[0],
        json!({"node": "a", "distance": 2, "remoteness": null, "outcome": "D",
            "next": [{"at_least": "draw", "assurance": "bounded", "moves": 1, "to": "b"}],
            "previous": [{"at_least": "draw", "assurance": "bounded", "moves": 2}]})
    );
    let game = "a: b c\nc: d\npayoff b 5\npayoff d -7\n";
    let found = run_on(game, &words("remoteness - --input game --format json")).json();
    let sure = &found[0]["next"][0];
    assert_eq!((&sure["at_least"], &sure["to"]), (&json!(7), &json!("c")));
    assert_eq!(found[0]["outcome"], "N");
}

#[test]
fn bounds_count_no_move_after_the_last_one() {
    // From c the next player moves to b, and the opponent must lose at z.
    let game = "c: c b\nb: z\nz:\nlose z\n";
    let found = run_on(game, &words("remoteness - --input game --format json")).json();
    assert_eq!(
        found[0],
        json!({"node": "c", "distance": null, "remoteness": 3, "outcome": "N",
            "next": [{"at_least": "win", "assurance": "bounded", "moves": 2, "to": "b"}],
            "previous": [{"at_least": "lose", "assurance": "bounded", "moves": 3}]})
    );
}

#[test]
fn nodes_may_belong_to_players() {
    let game = "a: b z\nb: a z\nleft a\nright b\nlose z\n";
    let found = run_on(game, &words("remoteness - --input game --format json")).json();
    assert_eq!((&found[0]["player"], &found[0]["outcome"]), (&json!("left"), &json!("D")));
    assert_eq!(found[0]["next"][0]["to"], "b");
}

#[test]
fn gray_nodes_count_as_white_ones_for_a_single_piece() {
    let found =
        run_on("gray g\na: g\ng: z\n", &words("remoteness - --input game --format json")).json();
    assert_eq!(found[0]["remoteness"], 2);
}

fn refused(run: &Run, code: i32, says: &str) {
    assert_eq!((run.code, run.error_lines()), (Some(code), 1), "{}", run.stderr);
    assert!(run.stderr.contains(says), "{}", run.stderr);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let line = words("remoteness - --input game");
    for (game, says) in [
        ("a: b c\npayoff b 1\n", "line 2, column 8: play ends at `c` without a payoff"),
        ("a: b c\nwin c\npayoff b 1\n", "line 3, column 8: play ends at `c` without a payoff"),
        ("a: b\npayoff a 1\n", "line 2, column 8: found `a` declared to pay"),
        ("a: b\npayoff x 1\n", "line 2, column 8: "),
        ("a: b\npayoff b much\n", "line 2, column 10: "),
        ("a: b\nb: a\nleft a b\n", "line 3, column 8: `a` and `b` are both Left's"),
        ("a: b\nb: a\nleft a\n", "line 3, column 6: `b` has options and no player"),
    ] {
        refused(&run_on(game, &line), 2, says);
    }
    for (arguments, game, says) in [
        ("--misere", "a: b\ndraw b\n", "--misere cannot be used"),
        ("--misere", "a: b\nwin b\n", "--misere cannot be used"),
        ("--grundy", "a: b\nlose b\n", "--grundy cannot be used"),
        ("--grundy", "gray a\na: b\n", "node `a` is gray"),
        ("--wide --misere", "a: b\n", "cannot be used with"),
        ("--grundy --misere", "a: b\n", "G, H and J are functions of normal play"),
        ("--misere --grundy --format json", "a: b\n", "--grundy cannot be used with --misere"),
    ] {
        refused(&run_on(game, &[line.clone(), words(arguments)].concat()), 2, says);
    }
    refused(&run(&words("remoteness over.json --grundy")), 2, "Left and Right edges");
    refused(&run(&words("remoteness missing.game")), 1, "cannot be read");
    let deep = "[".repeat(100_000);
    refused(&run_on(deep, &words("remoteness - --input json")), 2, "line 1, column 1: ");
}

#[test]
fn label_and_sum_point_to_remoteness() {
    for line in ["label - --input game", "sum - a --input game"] {
        let run = run_on("a: b\ndraw b\n", &words(line));
        refused(&run, 2, "see `remoteness`");
        refused(&run_on("a: b\nleft a\n", &words(line)), 2, "see `remoteness`");
    }
}

#[test]
fn many_payoffs_on_many_positions_hit_the_budget() {
    let lines = (0..100).map(|i| format!("a{i}: z{i}\npayoff z{i} {i}\n"));
    let game: String = lines.collect();
    let line = words("remoteness - --input game --budget 100");
    refused(&run_on(game, &line), 3, "different payoffs");
}

#[test]
fn a_list_of_functions_in_the_wide_sense_keeps_within_the_memory() {
    // Each pair of nodes that lead to each other doubles the number of functions.
    let pairs: Vec<String> = (0..20).map(|i| format!("a{i}: b{i}\nb{i}: a{i}\n")).collect();
    let line =
        words("remoteness - --input game --wide --limit 1000000000 --memory 1M --format json");
    let over = run_on(pairs.concat(), &line);
    failed(&over, 3, &["the budget of 1 MiB of memory was hit", "raise it with --memory"]);
    let listed: Json = serde_json::from_str(&over.stdout).expect("one JSON value");
    let count = listed["functions"].as_array().expect("a list").len();
    // One more is found to be too many; each has forty values, and a place in the list.
    assert!(count > 1000 && (count - 1) * (4 * 40 + 48) <= 1 << 20, "{count}");
}
