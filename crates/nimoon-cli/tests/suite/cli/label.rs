//! `nimoon label`.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value as Json;

use crate::cli::bad_input::{failed, refused};
use crate::cli::program::{DIFFICULT, pretty, run, run_on, transcript, words};

#[test]
fn a_labelling_is_a_table_for_people() {
    assert_snapshot!(transcript(&[
        "label nim.game",
        "label smith-trap.game --steps",
        "label figure-1.game",
        "label menagerie.game --steps",
        "label entailing.game",
        "label general.game",
    ]));
}

#[test]
fn rounds_are_the_steps_of_the_printed_algorithm() {
    let line = words("label - --input game --theory carry-on --steps");
    let reply = run_on("gray g\nz:\ng: z\nx: z g\n", &line).answer();
    assert!(
        reply.contains("\nrounds: the steps of Algorithm 8, with the corrected rule\n"),
        "{reply}"
    );
    let rounds: Vec<&str> =
        reply.lines().filter_map(|line| line.split_whitespace().last()).collect();
    assert_eq!(rounds[rounds.len() - 3..], ["0", "1", "2"]);
}

#[test]
fn a_labelling_is_json_for_scripts() {
    assert_snapshot!(transcript(&[
        "label menagerie.game --format json",
        "label menagerie.game --format json --steps",
        "label entailing.game --format json",
        "label general.game --format json",
        "label endless.game --format json",
    ]));
}

#[test]
fn a_labelling_is_csv_for_spreadsheets() {
    assert_snapshot!(transcript(&[
        "label menagerie.game --format csv",
        "label menagerie.game --format csv --steps",
        "label general.game --format csv",
    ]));
}

#[test]
fn a_labelling_is_dot_for_graphviz() {
    assert_snapshot!(transcript(&["label three-moons.game --format dot"]));
}

#[test]
fn a_labelling_is_a_picture() {
    assert_snapshot!("svg", transcript(&["label missed-moon.game --format svg"]));
    assert_snapshot!("latex", transcript(&["label missed-moon.game --format latex"]));
}

#[test]
fn a_picture_of_the_same_file_is_the_same_picture() {
    for format in ["svg", "latex", "dot"] {
        let line = format!("label menagerie.game --format {format}");
        assert_eq!(run(&words(&line)).answer(), run(&words(&line)).answer());
    }
}

#[test]
fn a_picture_can_be_of_a_neighbourhood() {
    let near = run(&words("label menagerie.game --format svg --around p --radius 1")).answer();
    let far = run(&words("label menagerie.game --format svg --around p --radius 9")).answer();
    assert!(near.starts_with("<svg") && near.len() < far.len());
    // Names are there as titles or texts: those within one arc of p, and no others.
    for (name, is_near) in [("q", true), ("1", true), ("b", true), ("n1", false), ("f", false)] {
        let shown = near.contains(&format!(">{name}<")) || near.contains(&format!(">{name}:"));
        let shown = shown || near.contains(&format!("<title>{name} "));
        assert_eq!(shown, is_near, "{name} in {near}");
    }
    assert_snapshot!(transcript(&[
        "label menagerie.game --format latex --around p --radius 0",
        "label menagerie.game --format latex --around p --radius 1",
    ]));
}

#[test]
fn no_format_prints_nothing() {
    assert_eq!(run(&words("label menagerie.game --format none")).answer(), "");
}

#[test]
fn timing_has_three_numbers() {
    let timing = run(&words("label menagerie.game --format none --timing json")).json();
    let fields: Vec<&String> = timing.as_object().expect("an object").keys().collect();
    assert_eq!(fields, ["label_s", "peak_rss_mb", "read_s"]);
    for field in ["read_s", "label_s"] {
        assert!(timing[field].as_f64().expect("seconds") >= 0.0);
    }
    let with_labels = run(&words("label menagerie.game --format json --timing json"));
    assert_eq!(with_labels.code, Some(0));
    assert!(with_labels.stdout.starts_with(r#"{"theory""#));
    assert!(with_labels.stderr.starts_with(r#"{"read_s""#));
    assert_eq!(with_labels.stdout.lines().count(), 1);
}

#[test]
fn any_number_of_threads_gives_the_same_labels() {
    // Large enough that threads share the work, with carry-on moves and cycles.
    let mut edges = String::new();
    for node in 1..60_000_u64 {
        let far = node * 2_654_435_761 % 60_000;
        let near = node * node % node.max(7);
        for to in [node / 2, near, far] {
            edges.extend([&node.to_string(), " ", &to.to_string(), "\n"]);
        }
    }
    edges += "gray new-gray\nnew-gray 5\n9 new-gray\n";
    let labels = |threads: &str| {
        let arguments = format!("label - --input edges --format csv --threads {threads}");
        run_on(edges.as_bytes(), &words(&arguments)).answer()
    };
    let one = labels("1");
    assert_eq!(one.lines().count(), 60_002);
    for threads in ["2", "3"] {
        assert!(labels(threads) == one, "{threads} threads give other labels");
    }
    let none = run(&words("label nim.game --threads 0"));
    assert_eq!(none.code, Some(2));
}

/// Ctrl-C while the program waits for its input.
#[cfg(target_os = "linux")]
#[test]
fn an_interruption_ends_it_with_the_code_of_interruptions() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_nimoon"))
        .args(["label", "-", "--input", "edges"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Until it catches SIGINT, the second bit of the mask.
    let status = format!("/proc/{}/status", child.id());
    loop {
        let status = std::fs::read_to_string(&status).expect("it runs");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a mask");
        if u64::from_str_radix(mask.trim(), 16).expect("hexadecimal digits") & 2 != 0 {
            break;
        }
        std::thread::yield_now();
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let stdin = child.stdin.take();
    let output = child.wait_with_output().expect("it ends");
    drop(stdin);
    assert_eq!(output.status.code(), Some(130));
    assert!(output.stdout.is_empty());
    assert_eq!(output.stderr, b"error: interrupted: nothing is known yet\n");
}

#[test]
fn each_kind_of_value_is_explained() {
    assert_snapshot!(transcript(&[
        "label menagerie.game --explain 0",
        "label menagerie.game --explain b",
        "label menagerie.game --explain p",
        "label menagerie.game --explain d",
        "label menagerie.game --explain n1",
        "label menagerie.game --explain m2",
        "label menagerie.game --explain e",
        "label menagerie.game --explain f",
        "label missed-moon.game --explain x",
        "label smith-trap.game --explain a",
        "label nim.game --explain s3",
        "label endless.game --explain r",
        "label endless.game --explain s",
    ]));
}

#[test]
fn gray_nodes_are_explained() {
    assert_snapshot!(transcript(&[
        "label menagerie.game --explain g2",
        "label menagerie.game --explain k",
        "label menagerie.game --explain ge",
        "label menagerie.game --explain gd",
        "label endless.game --explain g",
        "label entailing.game --explain f",
        "label entailing.game --explain k",
        "label general.game --explain e",
    ]));
}

#[test]
fn the_theories_with_entailing_moves_explain_themselves() {
    assert_snapshot!(transcript(&[
        "label entailing.game --explain x",
        "label entailing.game --explain y",
        "label entailing.game --explain w",
        "label general.game --explain 0",
        "label general.game --explain v",
        "label general.game --explain w",
    ]));
}

#[test]
fn an_explanation_is_json_for_scripts() {
    assert_snapshot!(transcript(&[
        "label menagerie.game --explain b --format json",
        "label menagerie.game --explain n1 --format json",
        "label menagerie.game --explain gd --format json",
        "label menagerie.game --explain f --format json",
        "label entailing.game --explain x --format json",
        "label general.game --explain v --format json",
    ]));
}

#[test]
fn a_product_is_written_as_a_digraph() {
    assert_snapshot!(transcript(&[
        "label smith-trap.game --product a b",
        "label missed-moon.game --product x g1",
        "label smith-trap.game --product a b --format csv",
    ]));
    assert_snapshot!(
        "product_as_json",
        pretty("label smith-trap.game --product c b --format json")
    );
    assert!(
        run(&words("label smith-trap.game --product a b --format svg")).answer().contains("(a,b)")
    );
}

#[test]
fn a_name_may_begin_with_a_dash() {
    let on = |line: &str| run_on("-x: y\n", &words(line)).answer();
    let start = "label - --input game";
    assert!(on(&format!("{start} --explain -x")).starts_with("-x is white and has value 1."));
    assert!(on(&format!("{start} --product -x y")).contains("(-x,y): (y,y)"));
    assert!(on(&format!("{start} --product y -x --format csv")).contains("\"(y,-x)\",white,1"));
    assert!(on(&format!("{start} --format svg --around -x")).contains("-x"));
}

#[test]
fn names_in_explanations_are_harmless_and_aligned() {
    let arguments = ["label", "-", "--input", "json", "--explain", "\u{1b}[31mred"];
    let text = run_on(DIFFICULT, &arguments).answer();
    assert!(text.starts_with("\\u{1b}[31mred is white"), "{text}");
    assert!(text.contains("\n  n\\nl  ordinary") && text.contains("\n  月    ordinary"), "{text}");
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn large_pictures_are_drawn_up_to_a_ceiling() {
    let path = |nodes: usize| {
        let arcs: Vec<String> = (1..nodes).map(|i| format!("{} {i}", i - 1)).collect();
        arcs.join("\n")
    };
    let arguments = words("label - --input edges --format svg --max-nodes 1000");
    assert!(run_on(path(1000), &arguments).answer().starts_with("<svg"));
    let refused = run_on(path(1001), &arguments);
    assert_eq!(refused.code, Some(2));
    assert!(!refused.stderr.contains("--max-nodes"), "{}", refused.stderr);
}

#[test]
fn help_and_version_are_answers() {
    assert!(run(&["--version"]).answer().starts_with("nimoon "));
    assert!(run(&["help", "label"]).answer().contains("--max-nodes"));
}

#[test]
fn a_larger_theory_may_be_insisted_on() {
    assert_snapshot!(transcript(&[
        "label smith-trap.game --format csv --theory cyclic",
        "label smith-trap.game --format csv --theory carry-on",
        "label smith-trap.game --format csv --theory general",
        "label nim.game --format csv --theory entailing",
        "label frozen-moon.game --format csv --theory general",
    ]));
}

#[test]
fn a_budget_that_is_hit_leaves_what_is_known() {
    assert_snapshot!(transcript(&[
        "label general.game --budget 3",
        "label general.game --budget 3 --format json",
        "label general.game --budget 0 --format csv",
        "label general.game --budget 0 --explain v",
    ]));
}

#[test]
fn each_node_may_be_labelled_by_the_smallest_theory_of_what_it_reaches() {
    assert_snapshot!(transcript(&[
        "label general.game --smallest",
        "label general.game --smallest --steps --format csv",
        "label general.game --smallest --format json",
        "label zones.game --smallest --steps",
        "label general.game --smallest --explain 2",
        "label general.game --smallest --theory general",
        "label general.game --smallest --certificate x.json",
        "label nim.game --smallest --product 1 2",
        "label general.game --smallest --budget 5",
    ]));
    let alone =
        run_on("z:\n1: z\n2: z 1\n", &["label", "-", "--input", "game", "--format", "json"]);
    let labels = run(&words("label general.game --smallest --format json")).json();
    let alone = alone.json();
    for (place, node) in [(0, "z"), (1, "1"), (2, "2")] {
        assert_eq!(labels["nodes"][place]["value"], alone["nodes"][place]["value"], "{node}");
    }
}

#[test]
fn the_help_lists_all_options() {
    assert_snapshot!(transcript(&[
        "--help",
        "label --help",
        "sum --help",
        "value --help",
        "table --help",
        "period --help",
        "rulesets --help",
        "representative --help",
        "audit --help",
    ]));
}

#[test]
fn a_budget_counts_the_nodes_of_a_digraph_in_every_command_and_theory() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let path = write("path.edges", "a b\nb c\nc d\n");
    let payoffs = write("payoffs.game", "a: b\nb: c\nc: d\npayoff d 3\n");
    let partizan = write(
        "partizan.json",
        r#"{"nodes":["a","b","c","d"],"left":[["a","b"]],"right":[["a","c"]],"start":"a"}"#,
    );
    let theories = ["auto", "short", "cyclic", "entailing", "carry-on", "general"];
    let labels = theories.map(|theory| format!("label {path} --theory {theory}"));
    let others = [
        format!("remoteness {path}"),
        format!("remoteness {path} --grundy"),
        format!("remoteness {payoffs}"),
        format!("remoteness {partizan}"),
        format!("compound conjunctive {path} a b"),
    ];
    for command in labels.iter().chain(&others) {
        let within = |budget| run(&words(&format!("{command} --budget {budget}")));
        let over = within(3);
        failed(&over, 3, &["budget of 3 positions was hit", "raise it with --budget"]);
        if !command.contains("general") {
            assert_eq!(within(4).code, Some(0), "{command}");
        }
    }
    // What is known goes with it: that there are these nodes.
    let known = run(&words(&format!("label {path} --format json --budget 3")));
    let known: Json = serde_json::from_str(&known.stdout).expect("JSON");
    assert_eq!(known["nodes"].as_array().expect("a list").len(), 4);
}

/// Figures 12 to 15 of the carry-on paper: stalks, glasses and full glasses.
#[test]
fn the_digraph_of_a_position_has_the_values_of_the_paper() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/rulesets/values.txt");
    let golden = std::fs::read_to_string(golden).expect("golden values");
    let mut checked = 0;
    for line in golden.lines().filter(|line| line.starts_with("green-lime:")) {
        let (claim, _) = line.split_once(" #").expect("a source");
        let (position, value) = claim.split_once(" = ").expect("a value");
        if position.contains('+') {
            continue;
        }
        let arguments = ["label", position, "--theory", "carry-on", "--format", "csv"];
        let rows = run(&arguments).answer();
        // The position is the first node; `value` is the third cell, maybe in quotes.
        let row = rows.lines().nth(1).expect("a row");
        let cell = row.split_once(",white,").expect("a white node").1;
        assert!(cell.trim_start_matches('"').starts_with(value), "{position}: {row}");
        checked += 1;
    }
    assert!(checked > 25, "only {checked} positions");
}

#[test]
fn every_output_of_a_digraph_file_is_there_for_positions_too() {
    let stalks = "green-lime:gl + green-lime:lg";
    for format in ["table", "json", "csv", "dot", "svg", "latex", "none"] {
        run(&["label", stalks, "--format", format, "--steps"]).answer();
    }
    let json = run(&["label", stalks, "--format", "json", "--sets", "--as-printed"]).json();
    let first = &json["nodes"][0];
    assert_eq!(first["value"], serde_json::json!({"kind": "nimber", "n": 0}));
    assert_eq!(first["printed"]["value"], first["value"]);
    assert!(first["sets"]["D"].get("only").is_some(), "{first}");
    let name = first["node"].as_str().expect("a name");
    let explained = run(&["label", stalks, "--explain", name]).answer();
    assert!(explained.starts_with(&format!("{name} is white and has value 0")), "{explained}");
    refused(&run(&["label", "green-lime:gx"]), &["1:13:"]);
    refused(&run(&["label", "no-such-game:3"]), &["unknown ruleset `no-such-game`"]);
}

/// The paper needs two steps for x here: g is assigned in the first one.
#[test]
fn the_printed_algorithm_stands_beside_the_corrected_one() {
    let printed = |game: &str| {
        let arguments =
            words("label - --input game --theory carry-on --as-printed --steps --format csv");
        run_on(game, &arguments).answer()
    };
    let rows = printed("gray g\nz:\ng: z\nx: z g\n");
    assert_eq!(
        rows,
        "node,color,value,outcome,covers,round,printed,printed_round\n\
         z,white,0,P,,0,0,0\n\
         g,gray,,,all but {0},1,all but {0},1\n\
         x,white,moon{0},N,,2,moon{0},2\n"
    );
    let missed = printed("gray g1 g2\nz:\ng1: z\nc: c g1\ng2: c\nx: z g2\n");
    assert!(missed.contains("x,white,moon{0},N,,2,ninny{0},\n"), "{missed}");
    let changed = printed("gray h t g\nz:\nh: z\nt:\ny: t\ng: y\nx: z h g\n");
    assert!(changed.contains("x,white,full-moon,N,,3,full-moon,3\n"), "{changed}");
    let choice = "gray g\na:\nb: a g\ng: a b\n";
    for option in ["--as-printed", "--sets"] {
        let arguments = ["label", "-", "--input", "game", option];
        refused(&run_on(choice, &arguments), &["the gray node `g` has more than one option"]);
    }
}

/// The smallest example against the proof of Theorem 2.5: D and P of a ninny and a moon.
#[test]
fn the_sets_of_the_paper_are_printed_under_their_names() {
    let game = "gray g0 h0\n0:\n1: 0\n2: 0 1\n3: 0 1 2\ng0: 0\nh0: 0\nx: x g0 3\ny: 0 h0\n";
    let rows = run_on(game, &words("label - --input game --sets --format csv")).answer();
    assert!(rows.starts_with("node,color,value,outcome,covers,D,F,P,Cr\n"), "{rows}");
    assert!(rows.contains("x,white,ninny{0},D,,{3},{0},all but {0},\n"), "{rows}");
    assert!(rows.contains("y,white,moon{0},N,,{0},{0},all but {0},\n"), "{rows}");
    assert!(rows.contains("g0,gray,,,all but {0},{0},{},,all but {0}\n"), "{rows}");
    let sum =
        run_on(game, &words("label - --input game --product x y --sets --format csv")).answer();
    assert!(sum.contains("\"(x,y)\",white,moon{0},N,,\"{0,3}\",{0},all,\n"), "{sum}");
}
