//! What is known so far is printed when a limit is hit.

use serde_json::{Value as Json, json};

use crate::cli::program::{Run, run, words};

/// A run that a limit has ended, with the name of the limit in what it says.
fn cut(arguments: &[&str], limit: &str) -> Run {
    let reply = run(arguments);
    assert_eq!((reply.code, reply.error_lines()), (Some(3), 1), "{arguments:?}: {}", reply.stderr);
    assert!(reply.stderr.contains(limit), "{arguments:?}: {}", reply.stderr);
    reply
}

fn cut_json(line: &str, limit: &str) -> Json {
    let reply = cut(&words(&format!("{line} --format json")), limit);
    serde_json::from_str(&reply.stdout).expect("one JSON value")
}

#[test]
fn a_value_is_printed_although_it_takes_too_long_to_explain_it() {
    for limit in ["--time 0.3", "--memory 16M"] {
        let line = format!("value nim:2000000 --explain {limit}");
        let name = limit.split(' ').next().expect("a name");
        let reply = cut(&words(&line), name);
        assert!(reply.stdout.contains("sum  2000000, N"), "{}", reply.stdout);
        assert!(reply.stderr.contains("before everything was explained"), "{}", reply.stderr);
        let answer = cut_json(&line, name);
        assert_eq!(answer["value"], json!({ "kind": "nimber", "n": 2_000_000 }));
        assert_eq!(answer["explanations"], json!([]));
    }
}

#[test]
fn an_explanation_of_many_options_is_soon_written() {
    let begin = std::time::Instant::now();
    let reply = run(&words("value nim:200000 --explain")).answer();
    assert_eq!(reply.lines().filter(|line| line.contains(" loses")).count(), 200_000);
    // With the square of the options it would take minutes.
    assert!(begin.elapsed().as_secs() < 60);
}

#[test]
fn components_are_explained_as_far_as_the_memory_goes() {
    let answer = cut_json("value nim:3+nim:2000000+nim:2 --explain --memory 16M", "--memory");
    let explained: Vec<&Json> = answer["explanations"].as_array().expect("a list").iter().collect();
    assert_eq!(explained.len(), 1, "{explained:?}");
    assert_eq!(explained[0]["node"], "nim:3");
    // Many small explanations are as long as a large one.
    let sum = vec!["nim:3000"; 300].join("+");
    let answer = cut_json(&format!("value {sum} --explain --memory 64M"), "--memory");
    let explained = answer["explanations"].as_array().expect("a list").len();
    assert!((1..200).contains(&explained), "{explained}");
}

#[test]
fn rows_are_printed_as_far_as_the_budget_goes() {
    for (line, rows) in [
        ("table top-entails 0..100 --budget 5", 5),
        ("table grundys-game 0..50 --budget 20", 20),
        ("table octal[0.77] 0..20 --budget 5", 5),
        ("table top-entails 90..99 --budget 95", 5),
        ("table top-entails 0..3000 --memory 8K", 170),
        ("table wythoff:3,{} 0..50 --memory 1K", 0),
    ] {
        let reply = cut_json(line, "raise it with --");
        let found = reply.as_array().expect("a list").len();
        assert!(found == rows || rows == 0, "{line}: {found}");
    }
    let reply = cut(&words("table top-entails 0..100 --budget 5 --format bfile"), "at least 101");
    assert!(reply.stdout.ends_with("\n4 1\n"), "{}", reply.stdout);
}

#[test]
fn rows_that_are_explored_are_printed_as_far_as_the_time_goes() {
    let rows = cut_json("table wythoff:300,{} 0..3000 --time 1", "--time");
    let first: Vec<&Json> = rows.as_array().expect("a list").iter().take(2).collect();
    assert_eq!(first.iter().map(|row| &row["value"]["n"]).collect::<Vec<_>>(), [300, 301]);
}

#[test]
fn no_theory_is_named_where_no_row_is_known() {
    let reply = cut(&words("table nimstring:5x{} 5..9 --budget 1"), "--budget");
    assert!(reply.stdout.starts_with("nimstring:5x{} for 5 to 9: 0 rows of 5"), "{}", reply.stdout);
}

#[test]
fn a_script_that_writes_for_long_does_not_hold_up_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("slow.rhai");
    let slow = "fn options(n) { if n > 0 { [n - 1] } else { [] } }
                fn write(n) { let s = 0; for i in 0..900000 { s += i; } n.to_string() }";
    std::fs::write(&rules, slow).expect("it is written");
    let rules = rules.to_str().expect("it is text");
    let begin = std::time::Instant::now();
    cut(&["table", "--rules", rules, "slow", "0..3000", "--time", "1"], "--time");
    // All rows together take many minutes.
    assert!(begin.elapsed().as_secs() < 60);
}

#[test]
fn an_ordinal_beyond_the_limits_is_not_known() {
    for line in ["ordinal 2^1000000", "ordinal (w+1)^2000000", "ordinal w^2+w --budget 1"] {
        assert_eq!(cut_json(line, ""), json!({ "value": null, "even": null }), "{line}");
        assert_eq!(cut(&words(line), "").stdout, "value  not known\n", "{line}");
    }
}

#[test]
fn a_digraph_that_was_not_read_has_no_nodes() {
    for limit in ["--time 0", "--memory 1"] {
        let reply = cut_json(&format!("label menagerie.game {limit}"), "raise it with --");
        assert_eq!(reply, json!({ "theory": null, "complete": false, "nodes": [] }), "{limit}");
    }
}

#[test]
fn one_json_value_is_printed_although_nothing_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("zero.json");
    let graph = r#"{"nodes":["a"],"left":[],"right":[],"start":"a"}"#;
    std::fs::write(&path, graph).expect("it is written");
    let graph = path.to_str().expect("it is text");
    let sum = json!({
        "theory": null, "components": [], "value": null, "outcome": null, "turn": null,
    });
    let relations = json!({
        "ge_plus": null, "ge_minus": null, "le_plus": null, "le_minus": null, "relation": null,
    });
    for (line, unknown) in [
        ("sum menagerie.game q --time 0", sum.clone()),
        ("sum menagerie.game q --memory 10", sum),
        ("remoteness nim.game --budget 2", json!([])),
        ("remoteness nim.game --memory 10", json!([])),
        ("remoteness nim.game --wide --time 0", json!({ "functions": [], "complete": false })),
        ("label nim.game --product 4 s4 --budget 3", Json::Null),
        ("label menagerie.game --explain q --memory 1", Json::Null),
        (&format!("compare over {graph} --memory 10"), relations),
    ] {
        assert_eq!(cut_json(line, "raise it with --"), unknown, "{line}");
    }
    for line in
        ["compound disjunctive nim.game 4 4 --budget 2", "compound selective nim.game 1 2 --time 0"]
    {
        let reply = cut_json(line, "raise it with --");
        for key in ["remoteness", "remoteness_by", "outcome", "outcome_by"] {
            assert_eq!(reply[key], Json::Null, "{line}: {reply}");
        }
    }
    let reply = cut_json(&format!("loopy {graph} --memory 10"), "raise it with --");
    assert_eq!(
        (&reply["stopper"], &reply["sides"]["onside"]),
        (&Json::Null, &Json::Null),
        "{reply}"
    );
}
