//! Scripts that loop, recurse and grow end with an error that names the limit. The tests run on
//! threads with two megabytes of stack, as those of the explorer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use insta::assert_snapshot;
use nimoon::limits::{Interrupted, Limit, Work};
use nimoon::ruleset::{Interned, Notation, Ruleset, Shortcuts};
use nimoon::solve::explore::Exploration;
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
fn the_steps_of_a_call_grow_with_the_values_that_it_uses() {
    // Each body takes the same number of steps of the interpreter, whatever is in the value.
    let loops = |value: &str, used: &str| {
        format!("let v = {value}; let i = 0; while i < 1000 {{ {used}; i += 1; }} []")
    };
    let long = format!("\"{}\"", "a".repeat(9_000));
    let many = format!("{:?}", vec![1; 9_000]);
    let wide: Vec<_> = (0..1_000).map(|n| format!("a{n}: 1")).collect();
    let wide = format!("#{{ {} }}", wide.join(", "));
    let uses = [
        ("\"a\"", &long, "v.contains(\"b\")"),
        ("\"a\"", &long, "v.index_of(\"b\")"),
        ("\"a\"", &long, "v.to_upper()"),
        ("\"a\"", &long, "v.split(\"b\")"),
        ("\"a\"", &long, "v == \"b\""),
        ("[1]", &many, "v.contains(2)"),
        ("[1]", &many, "v.index_of(2)"),
        ("[1]", &many, "v == [2]"),
        ("#{ a: 1 }", &wide, "v.contains(\"b\")"),
    ];
    let limits = Limits { operations: 30_000, ..Limits::default() };
    for (small, large, used) in uses {
        let source = format!("fn options(p) {{ {} }}", loops(small, used));
        let script = Script::compile("a.rhai", &source, limits.clone()).unwrap();
        assert!(script.moves(&5.into()).is_ok(), "{used}");
        let error = fails_within(&loops(large, used), limits.clone());
        assert_eq!(error.problem, Problem::Limit("operations"), "{used}: {error}");
        // The same for a constant outside the functions.
        let constant = |value: &str| {
            let body = loops("1", &used.replacen('v', "LONG", 1));
            let source = format!("const LONG = {value}; fn options(p) {{ {body} }}");
            Script::compile("a.rhai", &source, limits.clone()).unwrap().moves(&5.into())
        };
        assert!(constant(small).is_ok(), "{used}");
        let error = constant(large).unwrap_err();
        assert_eq!(error.problem, Problem::Limit("operations"), "{used}: {error}");
    }
    let padded = "let i = 0; while i < 1000 { \"\".pad(9000, \"a\"); i += 1; } []";
    assert_eq!(fails_within(padded, limits).problem, Problem::Limit("operations"));
}

#[test]
fn a_limit_within_read_write_and_parts_is_a_limit_of_the_reading() {
    let slow = "let i = 0; loop { i += 1; }";
    let sources = [
        format!("fn options(p) {{ [] }} fn read(t) {{ {slow} }}"),
        format!("fn options(p) {{ [] }} fn read(t) {{ try {{ {slow} }} catch {{ throw 1 }} }}"),
        format!("fn options(p) {{ [] }} fn write(p) {{ {slow} }}"),
        format!("fn options(p) {{ [] }} fn parts(p) {{ {slow} }}"),
        format!("fn options(p) {{ [] }} fn canonical(p) {{ {slow} }}"),
        format!(
            "fn options(p) {{ [] }} fn write(p) {{ \"x\" }} \
                 fn read(t) {{ if t == \"5\" {{ 5 }} else {{ {slow} }} }}"
        ),
    ];
    for source in sources {
        let limits = Limits { operations: 10_000, ..Limits::default() };
        let error = Script::compile("a.rhai", &source, limits).unwrap().read("5").unwrap_err();
        assert!(error.limit, "{source}: {error}");
        assert!(error.message.contains("limit `operations`"), "{source}: {error}");
    }
}

#[test]
fn statements_outside_the_functions_cannot_catch_a_limit() {
    let source =
        "fn options(p) { [] }\ntry { let s = \"a\"; s.pad(20000, \"a\"); s.len(); } catch { }";
    let error = Script::compile("my-game.rhai", source, Limits::default()).err().unwrap();
    assert_eq!(error.problem, Problem::Limit("string"), "{error}");
}

#[test]
fn a_script_cannot_list_its_functions() {
    for call in ["get_fn_metadata_list()", "get_fn_metadata_list(\"f\")"] {
        assert_eq!(fails(call).message, "a script cannot list its functions");
    }
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
    for body in ["let a = []; loop { a.push(to(s)); }", "let m = #{}; loop { m[s + m.len()] = 1; }"]
    {
        // Each use of the long string takes many steps.
        let body = format!("let s = \"\"; s.pad(9000, \"x\"); {body}");
        let error = fails_within(&body, Limits::default());
        assert_eq!(error.problem, Problem::Limit("memory"), "{body}: {error}");
    }
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
fn a_value_that_grows_too_large_is_a_limit_though_it_is_never_used_again() {
    assert_snapshot!(fails("let a = [];\na.pad(30000, 1);\n[]"), @"
    my-game.rhai:3:3: an array has more than 20000 elements (limit `array`)
      |
    3 | a.pad(30000, 1);
      |   ^
    in options(5)
    ");
    breaks("array", "let a = []; a.pad(150, [[]]); a.pad(10050, [1]); []");
    breaks("array", "let m = #{ a: [] }; m.a.pad(30000, 1); []");
    breaks("array", "try { let a = []; a.pad(9223372036854775807, []); } catch { } []");
    breaks("map", "let a = []; a.pad(2001, #{ a: 1 }); []");
    breaks("memory", "let s = \"\"; s.pad(9999, 'x'); let a = []; a.pad(1000, s); []");
    breaks("operations", "loop { [].pad(20000, 1); }");
    // The text of a value is at least as long as the value.
    breaks("string", "let a = []; a.pad(10000, 1000); let s = `${a}`; [s]");
    breaks("string", "let a = []; a.pad(10000, 1000); let s = a.to_string(); [s]");
    breaks("string", "let a = []; a.pad(10000, 1000); let s = [[a]].to_string(); [s]");
    breaks("string", "let a = []; a.pad(10000, 1000); let s = \"\" + [a]; [s]");
    breaks("string", "let a = []; a.pad(10000, 1000); let s = #{ a: a }.to_string(); [s]");
    breaks("string", "let s = \"\"; s.pad(15000, 'x'); []");
    breaks("string", "let s = \"\"; s.pad(15000, \"x\"); []");
    breaks("string", "let s = \"\"; s.pad(9000, 'ä'); []");
    breaks("string", "let s = \"\"; s.pad(9000, \"ä\"); []");
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
fn explored(work: &Work) -> Option<Interrupted> {
    let source = "fn options(p) { let n = 0; while n < 100000000 { n += 1; } [] }";
    let limits = Limits { operations: u64::MAX / 4, ..Limits::default() };
    let script = Script::compile("slow.rhai", source, limits).unwrap();
    let mut positions = Interned::new(script);
    let start = positions.intern(5.into());
    let mut exploration = Exploration::new(vec![Box::new(positions)]);
    exploration.part(0, start);
    exploration.explore(work).unwrap_err().interrupted()
}

#[test]
fn the_clock_is_checked_within_a_call() {
    let work = Work::new(nimoon::Limits::DEFAULT.time(Duration::from_millis(200)));
    let actual = explored(&work).unwrap();
    assert_eq!(actual.limit(), Some(Limit::Time));
}

#[test]
fn what_takes_long_to_write_is_written_without_the_script_when_the_time_is_over() {
    let source = r#"fn options(p) { [] }
        fn write(p) { let n = 0; while p > 0 && n < 100000000 { n += 1; } "heap " + p }"#;
    let limits = Limits { operations: u64::MAX / 4, ..Limits::default() };
    let mut script = Script::compile("slow.rhai", source, limits).unwrap();
    script.work_within(&Work::new(nimoon::Limits::DEFAULT.time(Duration::ZERO)));
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
    let work = Work::new(nimoon::Limits::new(100)).until(stop).on_progress(move |_| {
        begun.store(counted.fetch_add(1, Ordering::Relaxed) > 20, Ordering::Relaxed);
    });
    let setter = std::thread::spawn(move || {
        while !seen.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        theirs.store(true, Ordering::Relaxed);
    });
    assert_eq!(explored(&work), Some(Interrupted::Stopped));
    setter.join().unwrap();
    assert!(looks.load(Ordering::Relaxed) > 20);
}
