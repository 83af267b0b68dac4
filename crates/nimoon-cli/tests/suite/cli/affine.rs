//! `nimoon affine`.

use serde_json::{Value as Json, json};

use crate::cli::program::{Run, run, run_on, transcript};

fn answer(form: &str) -> Json {
    run(&["affine", form, "--format", "json"]).json()
}

fn refused(run: &Run, code: i32, says: &str) {
    assert_eq!(run.code, Some(code), "{}{}", run.stdout, run.stderr);
    assert_eq!(run.error_lines(), 1, "{}", run.stderr);
    assert!(run.stderr.contains(says), "{}", run.stderr);
}

#[test]
fn a_form_is_json_for_scripts() {
    let form = "{{oo|0},0|{0|-oo},0}";
    let expected = json!({
        "form": form, "affine_impartial": true, "outcome": "N", "quiet": true, "conway_form": false,
        "immediate": {"only": [0]}, "protected": {"all_except": [0]}, "value": {"kind": "moon"},
    });
    assert_eq!(answer(form), expected);
    assert_eq!(answer("{0,{∞|0}|…}"), expected);
    let five = answer("{moon,moon,{oo|0}|moon,moon,{0|-oo}}");
    assert_eq!(five["value"], json!({"kind": "nimber", "n": 0}));
    assert_eq!((&five["outcome"], &five["protected"]), (&json!("P"), &json!({"all_except": [0]})));
    assert_eq!(answer("*2 + *3")["value"], json!({"kind": "nimber", "n": 1}));
    assert_eq!(answer("moon + *3")["value"], json!({"kind": "moon"}));
    assert_eq!(
        run_on("{moon,{oo|*}|...}\n", &["affine", "-", "--format", "json"]).json()["value"]["n"],
        1
    );
}

#[test]
fn a_form_that_is_not_affine_impartial_has_no_value_and_a_reason() {
    let table = [
        ("oo", "L", "an infinity is not symmetric"),
        ("-oo", "R", "an infinity is not symmetric"),
        ("-1", "R", "it is not symmetric"),
        ("{oo|0}", "N", "it is not symmetric"),
        ("{{0|1}|{-1|0}}", "N", "its quiet follower"),
    ];
    for (form, outcome, reason) in table {
        let reply = answer(form);
        assert_eq!(reply["affine_impartial"], json!(false), "{form}");
        assert_eq!(reply["outcome"], json!(outcome), "{form}");
        for key in ["value", "immediate", "protected"] {
            assert!(reply.as_object().unwrap().contains_key(key) && reply[key].is_null(), "{form}");
        }
        assert!(reply["reason"].as_str().unwrap().contains(reason), "{reply}");
    }
}

#[test]
fn more_keys_are_printed_on_request() {
    let reply = run(&["affine", "{{oo|*}|...}", "--more", "--format", "json"]).json();
    assert_eq!(reply["conway_form"], json!(false));
    assert_eq!(reply["conway_game"], json!("*"));
    assert_eq!(reply["birthday"], json!(3));
    for (key, expected) in
        [("symmetric", true), ("maneuverable", false), ("loony", false), ("left_check", false)]
    {
        assert_eq!(reply[key], json!(expected), "{key}");
    }
    let moon = run(&["affine", "moon", "--more", "--format", "json"]).json();
    assert_eq!((&moon["loony"], &moon["conway_game"]), (&json!(true), &Json::Null));
    assert_eq!((&moon["left_check"], &moon["right_check"]), (&json!(true), &json!(true)));
}

#[test]
fn people_get_words() {
    insta::assert_snapshot!(transcript(&[
        "affine {{oo|0},0|{0|-oo},0}",
        "affine {{oo|*}|...}",
        "affine {{oo|2},0|{-2|-oo},0}",
        "affine -oo",
        "affine --of top-entails:5",
        "affine {{oo|*},*|...} --format game",
        "affine {{oo|*}|...}=*",
        "affine {{oo|0},0|...}~{{oo|*},*|...}",
        "affine {{oo|0},0|...}<={{oo|*},*|...}",
        "affine {oo|0}>={oo,0|0}",
    ]));
}

#[test]
fn positions_have_the_values_of_the_entailing_theory() {
    for heap in 0..=7 {
        let position = format!("top-entails:{heap}");
        let value = run(&["value", &position, "--format", "json"]).json()["value"].clone();
        let reply = run(&["affine", "--of", &position, "--format", "json"]).json();
        let n = reply["value"]["n"].clone();
        match value["kind"].as_str() {
            Some("moon") => assert_eq!(reply["value"], json!({"kind": "moon"}), "{heap}"),
            _ => assert_eq!(n, value["n"], "{heap}"),
        }
        assert_eq!(reply["affine_impartial"], json!(true));
    }
    let sum = run(&["affine", "--of", "nim:1 + nim:2", "--format", "json"]).json();
    assert_eq!(sum["value"], json!({"kind": "nimber", "n": 3}));
}

#[test]
fn the_digraph_of_a_form_has_its_value() {
    for (form, expected) in [("moon", "moon"), ("{moon,{oo|*}|...}", "1"), ("{|}", "0")] {
        let made = run(&["affine", form, "--format", "game"]).answer();
        let reply = run_on(made, &["label", "-", "--input", "game", "--format", "json"]).json();
        let first = &reply["nodes"][0];
        assert_eq!(first["node"], json!("x"));
        assert_eq!(crate::cli::program::ascii(&first["value"]), expected, "{form}");
        let made = run(&["affine", form, "--format", "digraph"]).answer();
        let reply = run_on(made, &["label", "-", "--input", "json", "--format", "json"]).json();
        assert_eq!(crate::cli::program::ascii(&reply["nodes"][0]["value"]), expected, "{form}");
    }
    refused(&run(&["affine", "1", "--format", "game"]), 2, "only affine impartial forms");
    refused(&run(&["affine", "1=1", "--format", "game"]), 2, "a comparison has no digraph");
}

#[test]
fn comparisons_are_json_for_scripts() {
    let reply = answer("{{oo|*}|...} = *");
    assert_eq!((&reply["holds"], &reply["relation"]), (&json!(true), &json!("=")));
    let table = [
        ("1 > 0", json!(true)),
        ("1 >= *", json!(true)),
        ("* >= 1", json!(false)),
        ("* > 0", json!(false)),
        ("-1 < 0", json!(true)),
        ("oo >= {oo|0}", json!(true)),
        ("{oo|0} <= -oo", json!(false)),
        ("{oo|0} = {oo,0|0}", Json::Null),
        ("moon ~ {{oo|0},0|...}", json!(true)),
        ("moon ~ *", json!(false)),
        ("moon ~ 1", Json::Null),
    ];
    for (question, holds) in table {
        assert_eq!(answer(question)["holds"], holds, "{question}");
    }
    let reply = answer("{{oo|0},0|...} <= {{oo|*},*|...}");
    assert_eq!(reply["holds"], json!(false));
    assert!(reply["reason"].as_str().unwrap().contains("{0|-1}"), "{reply}");
}

#[test]
fn bad_forms_are_refused_with_their_place() {
    let table = [
        ("oo + -oo", "1:4: oo + -oo is not defined"),
        ("oo - oo", "1:4: oo + -oo is not defined"),
        ("{0|\n{0|x}}", "2:4: `x` is not a form"),
        ("a{0|a}", "`nimoon loopy`"),
        ("{0|0", "1:5: expected `,` or `}`, found the end"),
        ("{0|0}}", "1:6: expected"),
        ("", "1:1: expected a form"),
        ("1/2", "1:2: expected"),
        ("0 >= 1 >= 2", "1:8: expected"),
        ("*9999", "1:2: the number is larger than 2000"),
    ];
    for (form, says) in table {
        let run = run(&["affine", form]);
        refused(&run, 2, says);
        assert_eq!(run.stdout, "", "{form}");
    }
    refused(&run(&["affine"]), 2, "required");
    refused(&run(&["affine", "0", "--of", "nim:1"]), 2, "cannot be used with");
    refused(&run(&["affine", "--of", "nothing:1"]), 2, "1:1: ");
    refused(&run(&["affine", "--of", "digraph[zones.game]:c"]), 2, "`nimoon loopy`");
    refused(&run(&["affine", "--of", "digraph[zones.game]:c"]), 2, "`nimoon label`");
    refused(&run(&["affine", "--of", "digraph[zones.game]:g"]), 2, "must be answered at once");
    refused(&run(&["affine", "@missing"]), 1, "missing cannot be read");
}

#[test]
fn a_budget_that_is_hit_leaves_what_is_known() {
    let hit = run(&["affine", "1000 + 1000 + 1000", "--format", "json", "--budget", "1000"]);
    refused(&hit, 3, "the budget of 1000 positions was hit; raise it with --budget");
    let known: Json = serde_json::from_str(&hit.stdout).expect("one JSON value");
    assert!(known["form"].is_null() && known["value"].is_null(), "{known}");
    let huge = vec!["{*2,{oo|*}|...}"; 40].join("+");
    refused(&run(&["affine", &huge]), 3, "was hit; raise it with --budget");
    refused(&run(&["affine", "--of", "top-entails:40"]), 3, "raise it with --budget");
    refused(&run(&["affine", "--of", "nim:100", "--budget", "10"]), 3, "raise it with --budget");
    // Too long to be printed as it is: quiet options become values.
    let long = run(&["affine", "--of", "top-entails:7", "--format", "json"]).json();
    assert_eq!(long["abbreviated"], json!(true));
    assert!(long["form"].as_str().unwrap().starts_with("{moon,"), "{long}");
}

#[test]
fn a_table_says_what_is_not_known_at_a_limit() {
    // Not even the form: a sum is read, or positions are explored, within the limits.
    let huge = vec!["{*2,{oo|*}|...}"; 40].join("+");
    for (line, limit) in [
        (vec!["1000 + 1000 + 1000"], ["--budget", "1000"]),
        (vec![&huge], ["--memory", "1M"]),
        (vec!["{{oo|0},0|...}"], ["--memory", "10"]),
        (vec!["{{oo|0},0|...}"], ["--time", "0"]),
        (vec!["moon >= *"], ["--time", "0"]),
        (vec!["--of", "top-entails:40"], ["--budget", "10000"]),
        (vec!["--of", "nim:100"], ["--budget", "10"]),
        (vec!["--of", "nim:100"], ["--memory", "1K"]),
        (vec!["--of", "nim:100"], ["--time", "0"]),
    ] {
        let hit = run(&[&["affine"], &line[..], &limit].concat());
        refused(&hit, 3, &format!("raise it with {}", limit[0]));
        assert_eq!(hit.stdout, "form          not known\n", "{line:?} {limit:?}");
        // A digraph is a file for other programs, which a table would spoil.
        let hit = run(&[&["affine", "--format", "game"], &line[..], &limit].concat());
        refused(&hit, 3, &format!("raise it with {}", limit[0]));
        assert_eq!(hit.stdout, "", "{line:?} {limit:?}");
    }
    // The form and what it shows at once, but not what is searched for.
    let mut seen = std::collections::BTreeSet::new();
    for budget in 0..40 {
        let form = "{{oo|0},0|{0|-oo},0}";
        let hit = run(&["affine", form, "--budget", &budget.to_string()]);
        if hit.code == Some(0) {
            assert!(!hit.stdout.contains("not known"), "{}", hit.stdout);
            seen.insert("all");
            break;
        }
        let positions = if budget == 1 { "position" } else { "positions" };
        refused(&hit, 3, &format!("the budget of {budget} {positions} was hit; raise it with"));
        let reply = |line: &str| hit.stdout.lines().any(|reply| reply == line);
        if reply("form          not known") {
            assert_eq!(hit.stdout.lines().count(), 1, "{}", hit.stdout);
            seen.insert("nothing");
        } else {
            assert!(reply(&format!("form          {form}")), "{}", hit.stdout);
            assert!(reply("outcome       N, the next player wins"), "{}", hit.stdout);
            assert!(reply("loony         not known"), "{}", hit.stdout);
            seen.insert(if reply("value         not known") { "form" } else { "value" });
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["all", "form", "nothing", "value"]);
}

#[test]
fn a_comparison_at_a_limit_is_not_known() {
    let line = ["affine", "{oo|0} >= {oo,0|0}", "--budget", "50"];
    let hit = run(&line);
    refused(&hit, 3, "the budget of 50 positions was hit; raise it with --budget");
    let expected = "{oo|0} >= {oo,0|0}
answer        not known
first ≥       not known
first ≤       not known
because       the budget of 50 positions was hit
";
    assert_eq!(hit.stdout, expected);
    let hit = run(&["affine", "moon ~ {{oo|*},*|...}", "--budget", "8"]);
    refused(&hit, 3, "raise it with --budget");
    assert!(hit.stdout.contains("\nanswer        not known\nbecause "), "{}", hit.stdout);
    let hit = run(&[&line[..], &["--format", "json"]].concat());
    refused(&hit, 3, "raise it with --budget");
    let reply: Json = serde_json::from_str(&hit.stdout).expect("one JSON value");
    let expected = json!({
        "first": "{oo|0}", "relation": ">=", "second": "{oo,0|0}", "holds": null, "ge": null, "le": null,
        "reason": "the budget of 50 positions was hit",
    });
    assert_eq!(reply, expected);
}

#[test]
fn a_hundred_thousand_braces_are_an_answer() {
    let depth = 100_000;
    let deep = format!("{}0{}", "{".repeat(depth), "|0}".repeat(depth));
    let reply = run_on(deep, &["affine", "-", "--format", "json"]).json();
    assert_eq!(reply["affine_impartial"], json!(false));
    let open = run_on("{".repeat(depth), &["affine", "-"]);
    refused(&open, 2, "standard input:1:100001: expected a form");
    let nested = format!("{}*{}", "{{oo|".repeat(depth), "}|...}".repeat(depth));
    let reply = run_on(nested, &["affine", "-", "--format", "json"]);
    assert!(reply.stdout.contains(r#""value":{"kind":"nimber","n":1}"#), "{}", reply.stderr);
}
