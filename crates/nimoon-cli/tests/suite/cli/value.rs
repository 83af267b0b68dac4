//! `nimoon value`.

use std::fs;
use std::path::PathBuf;

use insta::assert_snapshot;
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::cli::bad_input::{failed, refused};
use crate::cli::program::{run, run_on, transcript, words};

#[test]
fn every_example_of_the_list_has_the_value_that_the_list_shows() {
    let list = run(&words("rulesets --format json")).json();
    for entry in list.as_array().expect("a list") {
        let text = |key: &str| entry[key].as_str().expect("a text");
        // The examples are written for the folder above.
        let example = text("example").replace("examples/", "");
        let answer = run(&["value", &example]).answer();
        let value = text("value");
        // Behind the value of an impartial game stands its outcome.
        let shown = [", ", "\n"].map(|end| format!("\n sum  {value}{end}"));
        let is_shown = shown.iter().any(|shown| answer.contains(shown));
        assert!(is_shown, "{example} = {value}: {answer}");
    }
}

#[test]
fn positions_are_text_for_people() {
    assert_snapshot!(transcript(&[
        "value nim:3+nim:5",
        "value kayles:7+top-entails:5",
        "value lights:2b1s3b1s1b3s1b",
        "value slide[-5,-6,+12;14]:13",
        "value green-lime:ggl+digraph[menagerie.game]:q",
        "value digraph[menagerie.game]:g0+nim:2",
        "value digraph[general.game]:x+nim:1",
        "value nim:0",
    ]));
}

#[test]
fn positions_are_json_for_scripts() {
    assert_snapshot!(transcript(&[
        "value kayles:7+top-entails:5 --format json",
        "value coins:a-b,b-c,c-0,b-0 --format json",
        "value slide[-2,-3,+1;20]:7+nim:1 --format json",
        "value digraph[menagerie.game]:g0+nim:2 --format json",
        "value digraph[general.game]:x+nim:1 --format json",
        "value nim:0 --format json",
    ]));
}

#[test]
fn a_component_that_splits_keeps_its_number() {
    let answer = run(&words("value nim:1+kayles:5+nim:1 --format json")).json();
    let ply = &answer["turn"]["plies"][0];
    assert_eq!((&ply["component"], &ply["from"]), (&json!(1), &json!("kayles:5")));
    assert_eq!(ply["to"], "kayles:2 + kayles:2");
}

#[test]
fn what_a_move_leaves_is_written_with_the_parts_that_have_no_moves() {
    // A position, and where its first turn and all the others lead; all parts of it are there, so
    // that `to` is what the rules leave.
    let cases: [(&str, &[&str]); 6] = [
        ("grundys-game:3", &["1 + 2"]),
        ("grundys-game:1,3", &["1 + 1 + 2"]),
        ("dawsons-kayles:4", &["1 + 1"]),
        ("octal[0.251]:4", &["1 + 1"]),
        ("hexadecimal[4.A]:4", &["1 + 1 + 1", "1 + 3", "2 + 2"]),
        // A heap that is gone is none.
        ("dawsons-kayles:2,1", &["1"]),
    ];
    for (position, leads) in cases {
        let (ruleset, _) = position.split_once(':').expect("a position");
        let answer = run(&["value", position, "--turns", "--format", "json"]).json();
        let to = |turn: &Json| turn["plies"][0]["to"].as_str().expect("a text").to_owned();
        let reply = |leads: &str| {
            let parts = leads.split(" + ").map(|part| format!("{ruleset}:{part}"));
            parts.collect::<Vec<_>>().join(" + ")
        };
        assert_eq!(to(&answer["turn"]), reply(leads[0]), "{position}");
        let turns = answer["turns"].as_array().expect("a list");
        let leads: Vec<_> = leads.iter().map(|leads| reply(leads)).collect();
        assert_eq!(turns.iter().map(to).collect::<Vec<_>>(), leads, "{position}");
    }
}

#[test]
fn winning_turns_are_listed_up_to_a_limit() {
    assert_snapshot!(transcript(&[
        "value nim:3+nim:5+nim:7 --turns",
        "value nim:3+nim:5+nim:7 --turns --limit 2",
        "value nim:3+nim:5+nim:7 --turns --limit 2 --format json",
        "value nim:3+nim:3 --turns",
    ]));
}

#[test]
fn each_component_is_explained() {
    assert_snapshot!(transcript(&[
        "value top-entails:3 --explain",
        "value kayles:4+nim:1 --explain",
        "value green-lime:ggl --explain",
        "value kayles:2 --explain --format json",
    ]));
}

#[test]
fn an_expression_may_come_from_standard_input_or_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sum.txt");
    let text = "  nim:3\n+ kayles:5\n+nim : 7\n";
    fs::write(&file, text).expect("the file is written");
    let named = format!("@{}", file.display());
    let expected = run(&["value", "nim:3 + kayles:5 + nim:7"]).answer();
    assert_eq!(run_on(text, &["value", "-"]).answer(), expected);
    assert_eq!(run(&["value", &named]).answer(), expected);
    let wrong = "nim:3 +\n kayles:5x";
    let reply = run_on(wrong, &["value", "-"]);
    refused(&reply, &["standard input:2:10: "]);
    assert!(reply.stderr.ends_with("|  kayles:5x\n  |          ^\n"), "{}", reply.stderr);
    fs::write(&file, wrong).expect("the file is written");
    refused(&run(&["value", &named]), &["sum.txt:2:10: "]);
    fs::write(&file, b"nim:\xFF").expect("the file is written");
    refused(&run(&["value", &named]), &["sum.txt:1:5: found the byte 0xFF, which is not UTF-8"]);
    refused(&run_on("", &["value", "-"]), &["standard input:1:1: expected `ruleset:position`"]);
    failed(&run(&["value", "@nowhere.txt"]), 1, &["nowhere.txt cannot be read"]);
}

#[test]
fn a_larger_theory_may_be_insisted_on_and_a_smaller_one_is_refuted() {
    let theory = |line: &str| run(&words(line)).json()["theory"].clone();
    assert_eq!(theory("value nim:4 --format json"), "short");
    assert_eq!(theory("value nim:4 --theory carry-on --format json"), "carry-on");
    refused(&run(&words("value top-entails:4 --theory short")), &["short theory"]);
    refused(&run(&words("value slide[-1,+1;9]:4 --theory entailing")), &["entailing theory"]);
}

/// The parts of an answer that do not depend on who wrote the rules.
fn values(answer: &Json) -> [&Json; 4] {
    let component = &answer["components"][0];
    [&component["value"], &component["outcome"], &answer["value"], &answer["outcome"]]
}

#[test]
fn a_script_has_the_values_of_the_ruleset_that_it_describes() {
    let cases = [("nim", "4", "4"), ("kayles", "9,", "9"), ("lights", "2b1s1b", "2b1s1b")];
    for (name, scripted, built_in) in cases {
        let script = format!("rules/{name}.rhai");
        let position = format!("{name}:{scripted}");
        let by_script = run(&["value", &position, "--rules", &script, "--format", "json"]).json();
        let position = format!("{name}:{built_in}");
        let by_catalogue = run(&["value", &position, "--format", "json"]).json();
        assert_eq!(values(&by_script), values(&by_catalogue), "{name}");
    }
}

/// For each ruleset a position that is none: what is said of it, with the place.
const BAD_POSITIONS: &[(&str, &str)] = &[
    ("nim:x", "1:5: expected the size of a heap, found `x`"),
    ("nim:", "1:5: expected the size of a heap, found the end"),
    ("nim:99999999999999999999", "1:5: the number 99999999999999999999 is too large"),
    ("nim:3 + nim:4x", "1:14: expected the end, found `x`"),
    ("nim:3 + 5", "after a `+` the ruleset is named again"),
    ("nim[2]:3", "1:5: `nim` takes nothing in brackets"),
    ("nim[2:3", "1:4: this bracket is not closed"),
    ("wythoff:3", "1:10: expected `,`, found the end"),
    ("subtraction[1,3]:x", "1:18: expected the size of a heap"),
    ("subtraction[1,x]:3", "1:15: expected a number of tokens"),
    ("subtraction:3", "1:12: `subtraction` needs"),
    ("octal[0.77]:2,x", "1:15: expected the size of a heap"),
    ("octal[0.9]:2", "1:9: expected a digit from 0 to 7, found `9`"),
    ("hexadecimal[0.3F]:-", "1:19: expected the size of a heap"),
    ("hexadecimal[0.G]:2", "1:15: expected a digit from 0 to F"),
    ("kayles:3,", "1:10: expected the size of a heap, found the end"),
    ("dawsons-kayles:a", "1:16: expected"),
    ("dawsons-chess:a", "1:15: expected"),
    ("treblecross:a", "1:13: expected"),
    ("guiles:a", "1:8: expected"),
    ("officers:a", "1:10: expected"),
    ("grundys-game:-1", "1:14: expected the size of a heap, found `-`"),
    ("top-entails:!", "1:14: expected the size of the heap that must be answered"),
    ("lights:2b3x", "1:11: expected `b` for a bulb"),
    ("slide[-2;5]:9", "1:13: the squares are 0 to 5, found 9"),
    ("slide[-2]:9", "1:9: expected `;`"),
    ("ladders[rulesets/ladders.json]:99", "1:32: the squares are 0 to 20, found 99"),
    ("ladders[nim.game]:1", "nim.game"),
    ("backsliding:t.x", "1:15: expected `t`, `f` or `.`, found `x`"),
    ("fox-geese:4/geese=1.2/fox=2.2", "1:19: 1.2 is not in use"),
    ("nimstring:2x2/1/1", "1:16: expected `0` or `1`"),
    ("nimstring:99999x99999", "1:11: expected a board with at most"),
    ("green-lime:1-2g", "1:12: expected edges that are connected to the ground"),
    ("green-lime:gx", "1:13: expected a colour"),
    ("grab-refund[3;8]:9", "1:18: a heap has at most 8 coins, found 9"),
    ("grab-refund[1;8]:3", "1:13: a grab takes at least 2 coins, found 1"),
    ("lamps:01x", "1:9: expected `0` or `1`, found `x`"),
    ("coins:a-", "1:9: expected the name of a coin"),
    ("green-hackenbush:0-1,2-3", "1:22: expected edges that are connected to the ground"),
    ("digraph[zones.game]:nobody", "1:21: zones.game has no node `nobody`"),
    ("ordinal[nim | nim]:3 | x", "1:24: expected the size of a heap"),
    ("ordinal[nim]:3", "1:12: expected `|`"),
    ("nims:3", "1:1: unknown ruleset `nims`; did you mean `nim`?"),
    ("nim:2 + kayls:3", "1:9: unknown ruleset `kayls`; did you mean `kayles`?"),
    ("draughts:3", "`nimoon rulesets` lists all of them"),
    ("values:[0/>]", "1:12: expected a number after `>`"),
    ("[0/1] + [2/3", "1:13: expected `,`, `/` or `]`"),
    ("hackenbush:0-1", "did you mean `green-hackenbush`?"),
    ("+", "1:1: expected a position before the `+`"),
    ("nim:5 + ", "1:8: expected a position after the `+`"),
    ("digraph[zones.game]:x +", "1:24: expected a position after the `+`"),
    ("digraph[]:9", "1:9: expected the name of a file"),
    ("ladders[]:9", "1:9: expected the name of a file"),
    ("wythoff:3 , x", "1:13: expected the size of the second heap"),
    ("nim:3\nnim:4", "1:6: expected the end, found the end of the line"),
    ("nim", "1:4: expected `:` and a position"),
    (":3", "1:1: expected the name of a ruleset"),
    ("", "1:1: expected `ruleset:position`"),
];

#[test]
fn a_position_that_is_none_is_refused_at_the_character_where_it_goes_wrong() {
    for (expression, says) in BAD_POSITIONS {
        for format in ["table", "json"] {
            refused(&run(&["value", expression, "--format", format]), &[says]);
        }
    }
    let list = run(&words("rulesets --format json")).json();
    for entry in list.as_array().expect("a list") {
        let name = entry["name"].as_str().expect("a name");
        let has_name = |(text, _): &(&str, &str)| text.split([':', '[']).next() == Some(name);
        assert!(BAD_POSITIONS.iter().any(has_name), "{name} has no case");
    }
}

#[test]
fn spaces_are_free() {
    for (spaced, dense) in [
        ("slide[ -2 , -3 , +1 ; 20 ]:7 + kayles: 3, 4", "slide[-2,-3,+1;20]:7+kayles:3,4"),
        ("lights:2b 3s", "lights:2b3s"),
    ] {
        assert_eq!(run(&["value", spaced]).answer(), run(&["value", dense]).answer());
    }
}

#[test]
fn invalid_json_has_its_line_and_column() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bad.json");
    fs::write(&file, "{\"goal\":20,\n\"steps\":[1}").expect("the file is written");
    let expression = format!("ladders[{}]:3", file.display());
    refused(&run(&["value", &expression]), &["bad.json:2:11: expected `,` or `]`"]);
}

/// `/dev/zero` is a file without an end.
#[cfg(unix)]
#[test]
fn what_has_no_end_is_not_read_for_ever() {
    let cases: &[(&[&str], &str)] = &[
        (&["value", "@/dev/zero"], "/dev/zero is longer than the limit of 16777216 bytes"),
        (&["value", "nim:3", "--rules", "/dev/zero"], "this is a device and not a file"),
        (&["table", "nim", "0..3", "--rules", "/dev/zero"], "this is a device and not a file"),
        (&["value", "digraph[/dev/zero]:x"], "this is a device and not a file"),
        (&["value", "ladders[/dev/zero]:3"], "this is a device and not a file"),
        (&["table", "ladders[/dev/zero]", "0..3"], "this is a device and not a file"),
    ];
    for (arguments, says) in cases {
        refused(&run(arguments), &["/dev/zero", says]);
    }
    let long = " ".repeat((1 << 24) + 1);
    refused(
        &run_on(long, &["value", "-"]),
        &["standard input is longer than the limit of 16777216 bytes"],
    );
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("long.json");
    fs::write(&file, " ".repeat((1 << 24) + 1)).expect("the file is written");
    let expression = format!("ladders[{}]:3", file.display());
    refused(
        &run(&["value", &expression]),
        &["long.json is longer than the limit of 16777216 bytes"],
    );
    let file = file.to_str().expect("it is text");
    for command in ["value nim:3", "table nim 0..3"] {
        let arguments = [words(command), vec!["--rules", file]].concat();
        failed(&run(&arguments), 3, &["long.json is longer than the limit of 1000000 bytes"]);
    }
}

#[test]
fn what_a_script_says_in_several_lines_stands_in_several_lines() {
    let cases = [
        ("fn options(n) { [] }\nfn read(text) { throw `no\nnever` }\n", 2, "1:6: no"),
        (
            "fn options(n) { [] }\nfn write(n) {\n    loop { }\n}\n",
            3,
            "a call takes more than 10000000 steps (limit `operations`)",
        ),
    ];
    for (text, code, says) in cases {
        let (_folder, file) = script("mine", text);
        let file = file.to_str().expect("a path in UTF-8");
        let run = run(&["value", "mine:3", "--rules", file]);
        failed(&run, code, &[says]);
        assert!(!run.stderr.contains('\u{FFFD}'), "{}", run.stderr);
        assert!(run.stderr.lines().count() > 2, "{}", run.stderr);
        assert!(run.stderr.lines().skip(1).all(|line| line.starts_with("  | ")), "{}", run.stderr);
    }
    let (_folder, file) = script(
        "mine",
        "fn options(n) { if n > 0 { [n - 1] } else { [] } }\nfn words(p, q) { q.x }",
    );
    let file = file.to_str().expect("a path in UTF-8");
    let answer = run(&["value", "mine:3", "--rules", file]).answer();
    assert!(answer.contains("move to 2") && !answer.contains("Unknown"), "{answer}");
}

#[test]
fn a_script_that_fails_is_refused_in_an_ordinal_sum_as_alone() {
    let options = "fn options(n) { if n == 3 { throw `odd` } else { [n - 1] } }";
    let parts = "fn options(n) { if n > 0 { [n - 1] } else { [] } }\n\
                 fn parts(n) { if n == 3 { throw `odd` } else { [n] } }";
    for text in [options, parts] {
        let (_folder, file) = script("mine", text);
        let file = file.to_str().expect("a path in UTF-8");
        for expression in ["mine:5", "ordinal[mine | nim]:5 | 2"] {
            refused(&run(&["value", expression, "--rules", file]), &["mine.rhai:", ": odd"]);
        }
    }
}

#[test]
fn a_file_that_an_expression_names_must_be_there() {
    failed(&run(&["value", "digraph[nowhere.game]:x"]), 1, &["nowhere.game cannot be read"]);
    failed(&run(&["value", "ladders[nowhere.json]:1"]), 1, &["nowhere.json cannot be read"]);
    failed(&run(&words("value nim:1 --rules nowhere.rhai")), 1, &["nowhere.rhai cannot be read"]);
}

#[test]
fn heaps_on_the_way_to_a_period_count_as_positions() {
    // The period is proved by heap 256.
    let short = run(&words("value kayles:991999774 --budget 300"));
    assert!(short.stdout.contains("kayles:991999774  N  2"), "{}", short.stdout);
    // No period of this game is known.
    let long = run(&words("value treblecross:991999774 --budget 300"));
    failed(&long, 3, &["the budget of 300 positions was hit", "--budget"]);
}

#[test]
fn a_position_too_large_for_the_budget_says_how_far_it_got_and_what_to_raise() {
    let run_within = |line: &str| run(&words(line));
    let far = run_within("value nimstring:5x5 --budget 500");
    failed(
        &far,
        3,
        &["the budget of 500 positions was hit: ", " visited in search of a value", "--budget"],
    );
    // A theorem tells the value all the same.
    let large = run_within("value kayles:1000000000");
    assert_eq!(large.code, Some(0), "{}", large.stderr);
    assert!(large.stdout.contains("\n sum  1, N"), "{}", large.stdout);
    let note = "note: the turn is not listed: there are more than 4000000 options to examine; \
                raise it with --budget\n";
    assert_eq!(large.stderr, note);
    let json = run_within("value kayles:1000000000 --format json");
    assert_eq!((json.code, json.stderr.as_str()), (Some(0), note));
    let json: Json = serde_json::from_str(&json.stdout).expect("one JSON value");
    assert_eq!((&json["outcome"], &json["turn"]), (&json!("N"), &Json::Null));
    // Winning turns that were asked for are part of the answer.
    failed(&run_within("value kayles:1000000000 --turns"), 3, &["raise it with --budget"]);
    // Nim needs no list of its moves for a win.
    let nim = run_within("value nim:1000000000");
    assert_eq!(nim.code, Some(0), "{}", nim.stderr);
    assert!(nim.stdout.contains("take 1000000000 of 1000000000"), "{}", nim.stdout);
    refused(&run_within("value nim:5 --budget -1"), &["invalid value '-1' for '--budget"]);
}

/// A script in a folder of its own.
pub(crate) fn script(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(format!("{name}.rhai"));
    fs::write(&file, text).expect("the script is written");
    (folder, file)
}

#[test]
fn an_error_in_a_script_has_its_place() {
    let cases = [
        ("fn options(n) {\n    let moves = [;\n}\n", ":2:18: Unexpected ';'"),
        ("fn options(n) {\n    [nothing]\n}\n", ":2:6: "),
        ("fn options(n) { 7 }\n", "expected an array of moves"),
        ("fn option(n) { [] }\n", "the function with the moves is called `options(p)`"),
        ("", "needs a function `fn options(p)"),
    ];
    for (text, says) in cases {
        let (_folder, file) = script("mine", text);
        let file = file.to_str().expect("a path in UTF-8");
        for arguments in [["value", "mine:3"].as_slice(), &["table", "mine", "3..4"]] {
            let run = run(&[arguments, &["--rules", file]].concat());
            refused(&run, &["mine.rhai", says]);
            // The lines of the script stand below, as they are.
            assert!(!run.stderr.contains('\u{FFFD}'), "{}", run.stderr);
        }
    }
    let (_folder, file) = script("mine", "fn options(n) { [n + 1] }\n");
    let file = file.to_str().expect("a path in UTF-8");
    let endless = run(&["value", "mine:3", "--rules", file, "--budget", "1000"]);
    failed(&endless, 3, &["the budget of 1000 positions was hit: 1001 positions met"]);
    let lights = words("value lights:2b3x --rules rules/lights.rhai");
    refused(&run(&lights), &["1:11: expected a number, b or s, found x"]);
    let twice = run(&["value", "mine:3", "--rules", file, "--rules", file]);
    refused(&twice, &["two scripts are called `mine`"]);
}

#[test]
fn what_must_be_answered_has_covers_beside_what_splits_too() {
    let answer = run(&words("value digraph[zones.game]:g+kayles:9 --format json")).json();
    let component = &answer["components"][0];
    assert_eq!(component["covers"], json!({"all_except": [0]}));
    assert!(component.get("value").is_none());
    assert_eq!(answer["value"], Json::Null);
    let explained = run(&words("value digraph[zones.game]:g+kayles:2 --explain")).answer();
    assert!(explained.contains(":g is gray and covers all but {0}"), "{explained}");
    assert!(explained.contains("kayles:2 has value 2"), "{explained}");
    assert!(explained.contains("take 1 of 2 "), "{explained}");
}

#[test]
fn a_budget_that_is_hit_leaves_what_is_known_of_the_components() {
    // What a first attempt found helps the second, which asks for each component: both together
    // must not be enough.
    let over = run(&words("value nim:5+nimstring:3x3 --budget 100 --format json"));
    let known: Json = serde_json::from_str(&over.stdout).expect("JSON");
    assert_eq!(known["components"][0]["value"], json!({"kind": "nimber", "n": 5}));
    assert_eq!(known["components"][1]["value"], Json::Null);
    assert_eq!(known["outcome"], Json::Null);
    failed(&over, 3, &["the budget of 100 positions was hit"]);
}

#[test]
fn a_board_that_is_too_large_to_be_explored_quickly_is_searched() {
    let reply = run(&words("value nimstring:3x3+nim:3 --explain")).answer();
    assert!(reply.contains("nimstring:3x3  N  2"), "{reply}");
    assert!(reply.contains("\n sum  1, N: the next player wins (entailing theory)"), "{reply}");
    assert!(reply.contains("nimstring:3x3 has value 2"), "{reply}");
    let json = run(&words("value nimstring:3x3+nim:2 --format json")).answer();
    let json: Json = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["outcome"], "P");
    assert_eq!(json["turn"]["kind"], "losing");
}

#[test]
fn a_theory_that_does_not_fit_is_refused_before_anything_is_built() {
    let refused = run(&words("value nimstring:2x3 --theory short"));
    failed(&refused, 2, &["the short theory does not fit: there are carry-on moves"]);
}

#[test]
fn a_byte_order_mark_is_skipped_wherever_text_comes_from() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("\u{FEFF}{text}")).expect("it is written");
        path.to_str().expect("it is text").to_owned()
    };
    let expected = run(&words("value nim:3")).answer();
    assert_eq!(run_on("\u{FEFF}nim:3", &["value", "-"]).answer(), expected);
    let position = file("position.txt", "nim:3");
    assert_eq!(run(&["value", &format!("@{position}")]).answer(), expected);
    let ladders = file("ladders.json", r#"{"goal":5,"steps":[1],"carries":[]}"#);
    run(&["value", &format!("ladders[{ladders}]:0")]).answer();
    let wrong = file("wrong.txt", "nim:x");
    refused(&run(&["value", &format!("@{wrong}")]), &["wrong.txt:1:5: "]);
    refused(&run(&["value", "@"]), &["expected the name of a file after `@`"]);
}
