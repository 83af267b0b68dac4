//! `--certificate` and `check`.

use std::fs;

use nimoon::Theory;
use nimoon_rulesets::Make;
use nimoon_session::catalogue;
use serde_json::json;

use crate::cli::program::run;

/// Every command that writes certificates, with an example.
const COMMANDS: [&[&str]; 19] = [
    &["label", "zones.game"],
    &["label", "general.game"],
    &["label", "entailing.game"],
    &["label", "missed-moon.game", "--product", "x", "c", "--format", "none"],
    &["sum", "zones.game", "x", "a"],
    &["sum", "zones.game", "c"],
    &["sum", "zones.game", "x", "a", "--budget", "1"],
    &["sum", "general.game", "a"],
    &["value", "green-lime:0-1g,1-2l,1-3g,2-3g + green-lime:lg + green-lime:0-1l,1-2g,1-3l"],
    &["value", "top-entails:7 + nimstring:1x3 + kayles:9"],
    &["value", "digraph[zones.game]:x + nim:3"],
    &["remoteness", "smith-trap.game"],
    &["remoteness", "smith-trap.game", "--misere"],
    &["remoteness", "over.json"],
    &["loopy", "over"],
    &["loopy", "carousel.json"],
    &["compare", "over", "0"],
    &["table", "top-entails", "0..200"],
    &["table", "octal[0.156]", "50..100"],
];

#[test]
fn what_every_command_writes_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.json");
    let file = file.to_str().unwrap();
    for command in COMMANDS {
        let plain = run(command);
        let written = run(&[command, &["--certificate", file]].concat());
        assert_eq!((written.code, written.stdout), (plain.code, plain.stdout), "{command:?}");
        assert_eq!(written.stderr, plain.stderr, "{command:?}");
        let reply = run(&["check", file]).answer();
        assert!(reply.starts_with("proves: "), "{command:?}: {reply}");
        let claim = run(&["check", file, "--format", "json"]).json();
        assert_eq!(claim["valid"], true);
        assert!(reply.contains(claim["claim"].as_str().unwrap()), "{reply}");
    }
}

#[test]
fn the_example_of_every_ruleset_is_checked_under_every_theory_that_fits() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.json");
    let file = file.to_str().unwrap();
    let mut count = 0;
    for entry in catalogue() {
        // Its files are named from the root of the repository.
        let example = entry.example.replace("examples/", "");
        let mut fits = false;
        for theory in Theory::ALL {
            let theory = theory.to_string();
            let line = ["value", &example, "--theory", &theory, "--format", "json"];
            let _ = fs::remove_file(file);
            let written = run(&[&line[..], &["--certificate", file]].concat());
            if matches!(entry.make, Make::Partizan(_)) {
                let reply = "error: no certificate for sums of partizan positions";
                assert!(written.code == Some(2) && written.stderr.starts_with(reply), "{example}");
                fits = true;
                continue;
            }
            if written.code != Some(0) {
                assert!(written.stderr.contains("theory does not fit"), "{}", written.stderr);
                continue;
            }
            fits = true;
            let claim = run(&["check", file, "--format", "json"]).json();
            assert_eq!(claim["valid"], true, "{example} in the {theory} theory");
            let given = claim["given"].to_string();
            assert!(given.contains(entry.name), "{example}: {given}");
            count += 1;
        }
        assert!(fits, "{example}");
    }
    assert!(count > 60, "{count} certificates");
}

#[test]
fn a_wrong_certificate_is_bad_input_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.json");
    let right =
        fs::read_to_string(crate::cli::program::examples().join("certificates/trap.json")).unwrap();
    fs::write(&file, right.replace("\"values\":[0,1,0]", "\"values\":[0,2,0]")).unwrap();
    let file = file.to_str().unwrap();
    let found = run(&["check", file]);
    assert_eq!((found.code, found.stdout.as_str()), (Some(2), ""));
    assert!(
        found.stderr.starts_with("error: ") && found.stderr.contains("values"),
        "{}",
        found.stderr
    );
    let found = run(&["check", file, "--format", "json"]);
    assert_eq!(found.code, Some(2));
    let reply: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!((&reply["valid"], &reply["at"]), (&json!(false), &json!("values")));
}

#[test]
fn where_there_is_no_certificate_it_is_said_which_there_are() {
    for command in [
        &["value", "nim:1000000000"][..],
        &["value", "backsliding:TF"],
        &["table", "wythoff:3,{}", "0..5"],
        &["remoteness", "payoffs.json"],
        &["remoteness", "smith-trap.game", "--wide"],
        &["value", "nimstring:3x3"],
        &["value", "top-entails:500"],
        &["loopy", "on & off"],
        &["compare", "on & off", "0"],
        &["affine", "{oo|0}"],
        &["ordinal", "w + 1"],
    ] {
        let found = run(&[command, &["--certificate", "/nowhere/certificate.json"]].concat());
        assert_eq!(found.code, Some(2), "{command:?}: {}", found.stderr);
        assert!(found.stderr.starts_with("error: no certificate for"), "{}", found.stderr);
        assert!(found.stderr.contains("available for"), "{}", found.stderr);
        assert_eq!((found.stderr.lines().count(), found.stdout.as_str()), (1, ""), "{command:?}");
    }
    let found = run(&["label", "zones.game", "--certificate", "/nowhere/certificate.json"]);
    assert_eq!(found.code, Some(1), "{}", found.stderr);
}

/// A valid certificate that takes long: nim-heaps in the cyclic theory, where each value needs a
/// pass over all arcs.
pub(crate) fn long_certificate(heaps: usize) -> String {
    let options: Vec<Vec<usize>> = (0..heaps).map(|heap| (0..heap).collect()).collect();
    let numbers: Vec<usize> = (0..heaps).collect();
    let names: Vec<String> = numbers.iter().map(usize::to_string).collect();
    json!({"certificate": "labels", "version": 1, "theory": "cyclic", "nodes": names, "gray": [],
        "options": options, "values": numbers, "order": numbers})
    .to_string()
}

#[test]
fn a_check_is_bounded_by_each_limit_and_what_is_ended_is_not_called_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.json");
    let file = file.to_str().unwrap();
    fs::write(file, long_certificate(100)).unwrap();
    for (option, little, enough) in
        [("--budget", "1000", "10000000"), ("--memory", "1K", "1G"), ("--time", "0", "1000")]
    {
        for format in ["table", "json"] {
            let reply = run(&["check", file, option, little, "--format", format]);
            assert_eq!((reply.code, reply.error_lines()), (Some(3), 1), "{}", reply.stderr);
            assert!(reply.stderr.contains(&format!("raise it with {option}")), "{}", reply.stderr);
            assert!(!reply.stderr.contains("proves nothing") && reply.stdout.is_empty());
        }
        run(&["check", file, option, enough]).answer();
    }
    // What is wrong is so within any limits that let it be found.
    let wrong = r#"{"certificate":"table","version":1,"ruleset":"nim","first":0,"values":[1]}"#;
    fs::write(file, wrong).unwrap();
    assert_eq!(run(&["check", file, "--budget", "10"]).code, Some(2));
    // The clock is checked meanwhile.
    fs::write(file, long_certificate(1500)).unwrap();
    let reply = run(&["check", file, "--time", "0.5"]);
    assert_eq!(reply.code, Some(3), "{}", reply.stderr);
    assert!(reply.stderr.contains("the budget of 500 ms was hit; raise it with --time"));
}

#[test]
fn a_script_is_not_certified_as_the_ruleset_whose_name_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (script, file) = (at("nim.rhai"), at("certificate.json"));
    let one_at_a_time = "fn options(n) { if n > 0 { [n - 1] } else { [] } }
        fn read(text) { parse_int(text) }
        fn write(n) { n.to_string() }";
    fs::write(&script, one_at_a_time).unwrap();
    let value = ["value", "--rules", &script, "nim:7", "--format", "json"];
    let reply = run(&[&value[..], &["--certificate", &file]].concat()).json();
    assert_eq!(reply["value"], json!({"kind": "nimber", "n": 1}));
    let claim = run(&["check", &file, "--format", "json"]).json();
    assert_eq!(claim["given"], json!(["that the options of the script `nim` are those listed"]));
    let refused = run(&["table", "--rules", &script, "nim", "0..7", "--certificate", &file]);
    assert_eq!(refused.code, Some(2));
    let reply = "no certificate for a table of `nim:{}` by the rules of ";
    assert!(refused.stderr.contains(reply), "{}", refused.stderr);
}

#[test]
fn a_table_of_large_heaps_is_certified_from_the_first_heap_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.json");
    let file = file.to_str().unwrap();
    run(&["table", "kayles", "500..501", "--certificate", file]).answer();
    let reply = run(&["check", file]).answer();
    assert!(reply.starts_with("proves: heaps of 0 to 501 of kayles have"), "{reply}");
}

#[test]
fn g_h_and_j_are_said_to_be_without_proof() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.json");
    let file = file.to_str().unwrap();
    let made = run(&["remoteness", "smith-trap.game", "--grundy", "--certificate", file]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    assert!(made.stderr.starts_with("warning: ") && made.stderr.contains("but not G, H and J"));
    let reply = run(&["check", file]).answer();
    assert!(reply.contains("; nothing is claimed of G, H and J."), "{reply}");
    let without = run(&["remoteness", "smith-trap.game", "--certificate", file]);
    assert_eq!((without.code, without.stderr.as_str()), (Some(0), ""));
}

#[test]
fn names_in_a_certificate_do_not_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.json");
    let name = "b` the previous player wins\n\u{1b}[31mproves: everything";
    let certificate = json!({"certificate": "sum", "version": 1, "theory": "short", "rules": [name],
        "nodes": [name], "gray": [], "options": [[]], "values": [0], "order": [0],
        "sum": {"pieces": [0], "total": 0, "outcome": "P", "turn": {"kind": "none", "plies": []},
            "strategy": null}});
    fs::write(&file, certificate.to_string()).unwrap();
    let reply = run(&["check", file.to_str().unwrap()]).answer();
    assert_eq!(reply.matches("\nproves: ").count(), 0, "{reply}");
    assert!(!reply.trim_end().contains(|c: char| c.is_control() && c != '\n'), "{reply}");
    assert_eq!(
        reply.lines().filter(|line| line.starts_with("taken as given: ")).count(),
        reply.lines().count() - 1
    );
}
