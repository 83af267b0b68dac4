//! What ends a call of a script ends the command: with exit code 3 if it is a limit, and 2 if it is
//! an error.

use serde_json::Value as Json;

use crate::cli::bad_input::{failed, refused};
use crate::cli::program::{Run, run, words};
use crate::cli::value::script;

/// What a question about the script says.
fn ask(text: &str, question: &str) -> Run {
    let (_folder, file) = script("mine", text);
    let file = file.to_str().expect("a path in UTF-8");
    run(&[words(question), vec!["--rules", file]].concat())
}

const QUESTIONS: [&str; 5] = [
    "value mine:3",
    "value mine:3+nim:2 --turns",
    "table mine 3..4",
    "affine --of mine:3",
    "value mine:3+backsliding:tf",
];

#[test]
fn a_limit_in_any_function_of_a_script_is_not_an_answer() {
    let cases = [
        ("fn options(n) {\n    loop { }\n}\n", "is there a loop without an end?"),
        ("fn options(n) {\n    options(n + 1)\n}\n", ":2:13: calls are nested deeper than"),
        (
            "fn options(n) {\n    let a = [n];\n    loop { a += a; }\n}\n",
            ":3:17: an array has more",
        ),
        ("fn options(n) { [] }\nfn parts(n) { loop { } }\n", "limit `operations`"),
        ("fn options(n) { [] }\nfn canonical(n) { loop { } }\n", "limit `operations`"),
        ("fn options(n) { [] }\nfn read(t) { loop { } }\n", "limit `operations`"),
        ("fn options(n) { let a = [2, 1]; a.sort(|x, y| options(x)); a }\n", "limit `calls`"),
        ("fn options(n) { try { options(n) } catch { [] } }\n", "limit `calls`"),
    ];
    for (text, says) in cases {
        for question in QUESTIONS {
            let run = ask(text, question);
            failed(&run, 3, &["mine.rhai", says]);
            // The lines of the script stand below, as they are.
            assert!(!run.stderr.contains('\u{FFFD}'), "{}", run.stderr);
        }
        let unknown = ask(text, "value mine:3 --format json");
        failed(&unknown, 3, &["mine.rhai", says]);
        let unknown: Json = serde_json::from_str(&unknown.stdout).expect("one JSON value");
        assert_eq!((&unknown["outcome"], &unknown["value"]), (&Json::Null, &Json::Null));
    }
}

#[test]
fn an_error_in_a_comparison_is_not_an_answer() {
    let sorts = "fn options(n) { let a = [3, 1, 2]; a.sort(|x, y| x - z); [a[0]] }\n";
    let dedups = "fn options(n) { let a = [1, 1, 2]; a.dedup(|x, y| x.same(y)); a }\n";
    for (text, says) in [(sorts, "Variable not found: z"), (dedups, "Function not found: same (")] {
        for question in QUESTIONS {
            refused(&ask(text, question), &["mine.rhai", says]);
        }
    }
}

#[test]
fn a_slow_comparison_is_a_limit_whatever_the_load_of_the_machine() {
    let text = r#"
        fn slow(x) {
            let s = "a"; s.pad(9000, "a"); let i = 0;
            while i < 40000 { s.contains("ab"); s.index_of("b"); i += 1; }
            x
        }
        fn options(p) {
            if p == 0 { return []; }
            let a = [3, 1, 2, 0];
            a.sort(|x, y| if slow(x) < slow(y) { -1 } else { 1 });
            [a[0]]
        }"#;
    let slow = ask(text, "value mine:9");
    failed(&slow, 3, &["mine.rhai:4:", "limit `operations`"]);
    assert!(slow.stdout.contains("outcome not known"), "{}", slow.stdout);
    let quick = ask(&text.replace("40000", "40"), "value mine:9").answer();
    assert!(quick.contains(" sum  1, N: the next player wins"), "{quick}");
}

#[test]
fn rows_before_a_limit_of_a_script_are_printed() {
    let text = "fn options(n) { if n == 5 { loop {} } if n == 0 { [] } else { [n - 1] } }";
    let table = ask(text, "table mine 0..9");
    failed(&table, 3, &["limit `operations`"]);
    let rows = ["mine:0    0", "mine:1    1", "mine:2    0", "mine:3    1", "mine:4    0"];
    assert!(rows.iter().all(|row| table.stdout.contains(row)), "{}", table.stdout);
    assert!(!table.stdout.contains("mine:5"), "{}", table.stdout);
}

#[test]
fn no_part_is_the_empty_sum() {
    let text = "fn options(n) { [n + 1] } fn parts(n) { if n == 3 { [] } else { [n] } }";
    let empty = ask(text, "value mine:3").answer();
    assert!(empty.contains(" sum  0, P: the previous player wins"), "{empty}");
    let before = ask(text, "value mine:2").answer();
    assert!(before.contains(" sum  1, N: the next player wins"), "{before}");
}

#[test]
fn a_limit_met_while_a_script_is_read_is_a_limit() {
    let deep = format!("const A = {}1{};\n", "[".repeat(70), "]".repeat(70));
    let cases = [
        ("const A = 1;\nloop { }\n", ":2:6: a call takes more than 10000000 steps"),
        ("const A = f(1);\nfn f(n) { f(n + 1) }\n", "limit `calls`"),
        ("const A = [];\nlet a = [];\na.pad(30000, 1);\n", ":3:3: an array has more than 20000"),
        (&deep, "limit `nesting`"),
    ];
    for (text, says) in cases {
        let text = format!("{text}fn options(n) {{ [] }}\n");
        for question in QUESTIONS {
            failed(&ask(&text, question), 3, &["mine.rhai", says]);
        }
        let unknown = ask(&text, "value mine:3 --format json");
        failed(&unknown, 3, &["mine.rhai", says]);
        let unknown: Json = serde_json::from_str(&unknown.stdout).expect("one JSON value");
        assert_eq!((&unknown["outcome"], &unknown["value"]), (&Json::Null, &Json::Null));
    }
    let long = format!("fn options(n) {{ [] }}\n//{}", "x".repeat(1_000_000));
    failed(
        &ask(&long, "value mine:3"),
        3,
        &["mine.rhai is longer than the limit of 1000000 bytes"],
    );
    for mistake in ["const A = B;\n", "const A = [1][2];\n", "throw \"odd\";\n", "const A = ;\n"] {
        let text = format!("{mistake}fn options(n) {{ [] }}\n");
        refused(&ask(&text, "value mine:3"), &["mine.rhai:1:"]);
    }
}

#[test]
fn an_array_that_grows_too_long_is_a_limit_though_it_is_never_used_again() {
    let text = "fn options(n) {\n    let a = [];\n    a.pad(30000, 1);\n    []\n}\n";
    failed(&ask(text, "value mine:3"), 3, &["mine.rhai:3:7: an array has more than 20000"]);
}

#[test]
fn a_change_of_a_constant_is_not_an_answer() {
    let sorted = "const X = [3, 1];\nfn options(n) { if n == 0 { return [] }\nX.sort(|a, b| a - b);\n[X[0] - 1] }\n";
    let assigned =
        "const X = [3, 1];\nfn options(n) { if n == 0 { return [] }\nX[0] = 1;\n[X[0] - 1] }\n";
    for (text, place) in [(sorted, "mine.rhai:3:3: "), (assigned, "mine.rhai:3:1: ")] {
        for question in QUESTIONS {
            refused(&ask(text, question), &[place, "would change the constant `X`"]);
        }
    }
}

#[test]
fn a_position_that_is_too_large_for_a_script_is_a_limit() {
    let long = "x".repeat(10_001);
    let deep = format!("={}1{}", "[".repeat(33), "]".repeat(33));
    for (text, position, limit) in [
        ("fn options(n) { [] }", &long, "limit `position`"),
        ("fn options(n) { [] }", &deep, "limit `depth`"),
        ("fn options(n) { [] } fn read(t) { t } fn write(p) { p }", &long, "limit `string`"),
    ] {
        failed(&ask(text, &format!("value mine:{position}")), 3, &[limit]);
    }
}
