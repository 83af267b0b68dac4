//! Scripts that loop, recurse and grow end with an error that names the limit. The tests run on
//! threads with two megabytes of stack, as those of the explorer.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use insta::assert_snapshot;
use nimoon::Budget;
use nimoon::effort::{Effort, Interrupted, Limit};
use nimoon::explore::Exploration;
use nimoon::ruleset::{Interned, Ruleset};
use nimoon_script::{Limits, Problem, Script, ScriptError};

fn fails_within(body: &str, limits: Limits) -> ScriptError {
    let source = format!("fn options(p) {{\n{body}\n}}");
    Script::compile("my-game.rhai", &source, limits).unwrap().moves(&5.into()).unwrap_err()
}

fn fails(body: &str) -> ScriptError {
    fails_within(body, Limits { operations: 100_000, ..Limits::default() })
}

/// The body breaks this limit.
fn breaks(name: &'static str, body: &str) {
    let error = fails(body);
    assert_eq!(error.problem, Problem::Limit(name), "{body}: {error}");
    assert!(error.place.is_some(), "{error}");
}

#[test]
fn a_loop_without_end_is_stopped_and_shown() {
    assert_snapshot!(fails("let n = 0;\nloop {\n    n += 1;\n}"), @"
    my-game.rhai:4:5: a call takes more than 100000 steps (limit `operations`); is there a loop without an end?
      |
    4 |     n += 1;
      |     ^
    in options(5)
    ");
    assert_snapshot!(fails("loop {}"), @"
    my-game.rhai:1:4: a call takes more than 100000 steps (limit `operations`); is there a loop without an end?
      |
    1 | fn options(p) {
      |    ^
    in options(5)
    ");
    breaks("operations", "while true {}");
    breaks("operations", "for n in 0..9223372036854775807 {}");
    breaks("operations", "try { loop {} } catch { [] }");
}

#[test]
fn the_clock_stops_a_call() {
    let limits = Limits { time: Duration::from_millis(20), ..Limits::default() };
    assert_snapshot!(fails_within("loop {}", limits), @"
    my-game.rhai:1:4: a call takes longer than 20ms (limit `time`)
      |
    1 | fn options(p) {
      |    ^
    in options(5)
    ");
}

#[test]
fn recursion_without_end_is_stopped_and_shown() {
    assert_snapshot!(fails("options(p + 1)"), @"
    my-game.rhai:2:9: calls are nested deeper than 32 (limit `calls`); does a function call itself without an end?
      |
    2 | options(p + 1)
      |         ^
    in options, called by options(5)
    ");
    breaks("calls", "[p].map(|q| options(q))");
    // Sorting ignores the errors of what it calls.
    breaks("calls", "[2, 1].sort(|a, b| options(a)); []");
    breaks("calls", "try { options(p) } catch { [] }");
}

#[test]
fn the_deepest_text_and_the_deepest_calls_together_fit_the_stack() {
    let nests = [
        ("(1 + ", ")"),
        ("[p].map(|p| ", ")"),
        ("if p >= 0 { ", "}"),
        ("switch p { _ => ", "}"),
        ("for p in [p] { ", "}"),
        ("`${", "}`"),
        ("#{ a: ", "}"),
        ("abs(", ")"),
    ];
    for (open, close) in nests {
        let source = |depth: usize| {
            let (open, close) = (open.repeat(depth), close.repeat(depth));
            format!("fn options(p) {{ {open}options(p){close} }}")
        };
        let compile = |depth| Script::compile("a.rhai", &source(depth), Limits::default());
        let deepest = (1..64).rev().find_map(|depth| compile(depth).ok()).unwrap();
        let error = deepest.moves(&5.into()).unwrap_err();
        assert_eq!(error.problem, Problem::Limit("calls"), "{open}");
    }
}

#[test]
fn growth_without_end_is_stopped_and_shown() {
    assert_snapshot!(fails("let s = \"x\";\nloop { s += s; }"), @"
    my-game.rhai:3:13: a string has more than 10000 bytes (limit `string`)
      |
    3 | loop { s += s; }
      |             ^
    in options(5)
    ");
    breaks("string", "let s = \"x\"; s.pad(1000000000, \"y\"); []");
    breaks("string", "let s = \"x\"; s.pad(9999, \"x\"); let t = s; s.replace(\"x\", t); [s]");
    breaks("array", "let a = [1]; loop { a += a; }");
    breaks("array", "let a = []; a.pad(1000000000, 1); []");
    breaks("array", "let a = []; loop { a.push(a); }");
    breaks("map", "let m = #{}; let i = 0; loop { m[i.to_string()] = 1; i += 1; }");
    breaks("memory", "let s = \"\"; s.pad(9000, \"x\"); let a = []; loop { a.push(to(s)); }");
    breaks(
        "memory",
        "let s = \"\"; s.pad(9000, \"x\"); let m = #{}; let i = 0; loop { m[s + i] = i; i += 1; }",
    );
    let variables: Vec<_> = (0..100).map(|n| format!("let a{n} = 1;")).collect();
    breaks("variables", &variables.concat());
}

#[test]
fn nesting_without_end_is_stopped_and_shown() {
    assert_snapshot!(fails("let a = [];\nloop { a = [a]; }"), @"
    my-game.rhai:3:13: arrays and maps are nested deeper than 32 (limit `depth`)
      |
    3 | loop { a = [a]; }
      |             ^
    in options(5)
    ");
    breaks("depth", "let m = #{}; loop { m = #{ x: m }; }");
    breaks("depth", "let m = #{}; loop { m.x = m; }");
    breaks("depth", "let a = [0]; loop { a[0] = a; }");
    breaks("depth", "let a = [[]]; loop { a = a.map(|v| [v]); }");
}

#[test]
fn text_nested_too_deeply_is_refused() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("!", ""), ("1 + ", ""), ("|x| ", "")]
    {
        let source =
            format!("fn options(p) {{ {}p{} }}", open.repeat(50_000), close.repeat(50_000));
        let error = Script::compile("a.rhai", &source, Limits::default()).unwrap_err();
        assert_eq!(error.problem, Problem::Limit("nesting"), "{open}");
    }
    let switches =
        format!("fn options(p) {{ {}p{} }}", "switch p { _ => ".repeat(25), "}".repeat(25));
    assert!(Script::compile("a.rhai", &switches, Limits::default()).is_ok());
    let long = " ".repeat(2_000_000);
    let error = Script::compile("a.rhai", &long, Limits::default()).unwrap_err();
    assert_snapshot!(error, @"a.rhai: the script has more than 1000000 bytes (limit `script`)");
}

#[test]
fn positions_that_are_too_large_are_refused() {
    assert_snapshot!(fails("let a = [];\na.pad(15000, 1);\n[to(a)]"), @"
    my-game.rhai:4:2: a position has a size of more than 10000 (limit `position`)
      |
    4 | [to(a)]
      |  ^
    in options(5)
    ");
}

#[test]
fn statements_outside_the_functions_are_limited_too() {
    let source = "const A = 1;\nloop { }\nfn options(p) { [] }";
    let error = Script::compile("my-game.rhai", source, Limits::default()).unwrap_err();
    assert_snapshot!(error, @"
    my-game.rhai:2:6: a call takes more than 10000000 steps (limit `operations`); is there a loop without an end?
      |
    2 | loop { }
      |      ^
    in the statements outside the functions
    ");
}

#[test]
fn limits_that_would_endanger_the_stack_are_lowered() {
    let wild =
        Limits { calls: usize::MAX, nesting: usize::MAX, depth: usize::MAX, ..Limits::default() };
    assert_eq!(fails_within("options(p)", wild.clone()).problem, Problem::Limit("calls"));
    assert_eq!(
        fails_within("let a = []; loop { a = [a]; }", wild).problem,
        Problem::Limit("depth")
    );
}

/// What ends an exploration of a game whose `options` takes long, and how far the script was.
fn explored(effort: &Effort) -> Option<Interrupted> {
    let source = "fn options(p) { let n = 0; while n < 100000000 { n += 1; } [] }";
    let limits =
        Limits { operations: u64::MAX / 4, time: Duration::from_hours(1), ..Limits::default() };
    let script = Script::compile("slow.rhai", source, limits).unwrap();
    let mut positions = Interned::new(script);
    let start = positions.intern(5.into());
    let mut exploration = Exploration::new(vec![Box::new(positions)]);
    exploration.part(0, start);
    let mut go_on = |_| ControlFlow::Continue(());
    exploration.explore(effort, &mut go_on).unwrap_err().interrupted()
}

#[test]
fn the_clock_of_an_effort_is_looked_at_within_a_call() {
    let budget = Budget::DEFAULT.time(Duration::from_millis(200));
    let told = explored(&budget.into()).unwrap();
    assert_eq!(told.limit(), Some(Limit::Time));
}

#[test]
fn what_takes_long_to_write_is_written_without_the_script_when_the_time_is_over() {
    let source = r#"fn options(p) { [] }
        fn write(p) { let n = 0; while p > 0 && n < 100000000 { n += 1; } "heap " + p }"#;
    let limits = Limits { operations: u64::MAX / 4, time: Duration::MAX, ..Limits::default() };
    let mut script = Script::compile("slow.rhai", source, limits).unwrap();
    script.work_within(&Budget::DEFAULT.time(Duration::ZERO).into());
    assert_eq!(script.write(&5.into()), "5");
    assert_eq!(script.write(&0.into()), "heap 0");
    assert_eq!(script.board(&5.into()), "5");
}

#[test]
fn a_token_that_another_thread_sets_ends_a_call() {
    let stop = Arc::new(AtomicBool::new(false));
    let looks = Arc::new(AtomicU64::new(0));
    let [theirs, seen] = [Arc::clone(&stop), Arc::new(AtomicBool::new(false))];
    let (begun, counted) = (Arc::clone(&seen), Arc::clone(&looks));
    // The first look is that of the explorer; the others are made within the call.
    let effort = Effort::new(100).until(stop).watched(move || {
        begun.store(counted.fetch_add(1, Ordering::Relaxed) > 20, Ordering::Relaxed);
    });
    let setter = std::thread::spawn(move || {
        while !seen.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        theirs.store(true, Ordering::Relaxed);
    });
    assert_eq!(explored(&effort), Some(Interrupted::Stopped));
    setter.join().unwrap();
    assert!(looks.load(Ordering::Relaxed) > 20);
}
