//! Whatever ends a function of the script ends the call, through every function of the language
//! that calls it back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use nimoon::limits::{Interrupted, Work};
use nimoon::ruleset::{Fault, Shortcuts};
use nimoon_script::{Limits, Position, Problem, Script, ScriptError};

/// Calls of every function that calls back, with a function that calls `f` before it answers.
const CALLS: [&str; 47] = [
    "[1, 2].for_each(|| f(0)); []",
    "[1, 2].for_each(|i| f(i)); []",
    "[1, 2].map(|x| f(x))",
    "[1, 2].map(|x, i| f(x) + i)",
    "[1, 2].map(\"f\")",
    "[1, 2].filter(|x| f(x) > 1)",
    "[1, 2].filter(|x, i| f(x) > i)",
    "[1, 2].filter(\"f_is_two\")",
    "[[1, 2].index_of(|x| f(x) == 2)]",
    "[[1, 2].index_of(|x| f(x) == 2, 1)]",
    "[[1, 2].find(|x| f(x) == 2)]",
    "[[1, 2].find(|x| f(x) == 2, 1)]",
    "[[1, 2].find_map(|x| if f(x) == 2 { 7 })]",
    "[[1, 2].find_map(|x| if f(x) == 2 { 7 }, 1)]",
    "[[1, 2].some(|x| f(x) == 2)]",
    "[[1, 2].some(\"f_is_two\")]",
    "[[1, 2].all(|x| f(x) > 0)]",
    "[[1, 2].all(\"f_is_two\")]",
    "let a = [1, 1, 2]; a.dedup(|x, y| f(x) == f(y)); a",
    "let a = [1, 1, 2]; a.dedup(\"f_is_same\"); a",
    "[[1, 2].reduce(|s, x| f(x) + if s == () { 0 } else { s })]",
    "[[1, 2].reduce(|s, x| f(x) + s, 5)]",
    "[[1, 2].reduce(|s, x, i| f(x) + s + i, 5)]",
    "[[1, 2].reduce(\"f_sum\")]",
    "[[1, 2].reduce(\"f_sum\", 5)]",
    "[[1, 2].reduce_rev(|s, x| f(x) + if s == () { 0 } else { s })]",
    "[[1, 2].reduce_rev(|s, x| f(x) - s, 5)]",
    "[[1, 2].reduce_rev(\"f_sum\")]",
    "[[1, 2].reduce_rev(\"f_sum\", 5)]",
    "[1, 2].zip([3, 4], |x, y| f(x) + y)",
    "[1, 2].zip([3, 4], |x, y, i| f(x) + y + i)",
    "let a = [2, 1]; a.sort(|x, y| f(x) - f(y)); a",
    "let a = [2, 1]; a.sort(|x, y| f(x) < f(y)); a",
    "let a = [2, 1]; a.sort(\"f_compare\"); a",
    "let a = [2, 1]; a.sort_by(|x, y| f(x) - f(y)); a",
    "[2, 1].order(|x, y| f(x) - f(y))",
    "[2, 1].order_by(|x, y| f(x) - f(y))",
    "let a = [1, 2]; let b = a.drain(|x| f(x) == 2); a + b",
    "let a = [1, 2]; let b = a.drain(\"f_is_two\"); a + b",
    "let a = [1, 2]; let b = a.retain(|x| f(x) == 2); a + b",
    "let a = [1, 2]; let b = a.retain(\"f_is_two\"); a + b",
    "let m = #{ a: 1, b: 2 }; m.map(|k, v| f(v)).values()",
    "let m = #{ a: 1, b: 2 }; m.map(|k| f(1)).values()",
    "let m = #{ a: 1, b: 2 }; m.filter(|k, v| f(v) == 2).values()",
    "let m = #{ a: 1, b: 2 }; m.drain(|k, v| f(v) == 2).values() + m.values()",
    "let m = #{ a: 1, b: 2 }; m.retain(|k, v| f(v) == 2).values() + m.values()",
    "let g = |x| f(x); [g.call(1), call(g, 2)]",
];

/// What each of [`CALLS`] gives if `f` gives its argument.
const OPTIONS: [&str; 47] = [
    "", "", "1 2", "1 3", "1 2", "2", "1 2", "2", "1", "1", "2", "2", "7", "7", "true", "true",
    "true", "false", "1 2", "1 2", "3", "8", "9", "3", "8", "3", "4", "3", "8", "4 6", "4 7",
    "1 2", "1 2", "1 2", "1 2", "1 2", "1 2", "1 2", "1 2", "2 1", "2 1", "1 2", "1 1", "2", "2 1",
    "1 2", "1 2",
];

/// The names by which functions are called back.
const NAMED: &str = "
    fn f_is_two(x) { f(x) == 2 }
    fn f_is_same(x, y) { f(x) == f(y) }
    fn f_sum(s, x) { f(x) + if s == () { 0 } else { s } }
    fn f_compare(x, y) { f(x) - f(y) }";

fn script(f: &str, options: &str, limits: Limits) -> Script {
    let source = format!("{f}\n{NAMED}\nfn options(p) {{ {options} }}");
    Script::compile("a.rhai", &source, limits).unwrap_or_else(|error| panic!("{error}"))
}

fn options_of(script: &Script) -> Result<Vec<Position>, ScriptError> {
    Ok(script.moves(&5.into())?.into_iter().map(|option| option.to).collect())
}

fn few_steps() -> Limits {
    Limits { operations: 20_000, map: 100, ..Limits::default() }
}

/// What `f` does to break each limit that a call can break.
const BREAKS: [(&str, &str); 12] = [
    ("operations", "fn f(x) { loop { x += 1; } }"),
    ("operations", "fn f(x) { loop {} }"),
    ("operations", "fn f(x) { let s = \"\"; s.pad(9000, \"a\"); loop { s.contains(\"b\"); } }"),
    ("calls", "fn f(x) { f(x + 1) }"),
    ("calls", "fn f(x) { f(1) }"),
    ("variables", "fn f(x) { let a = 0; LET }"),
    ("string", "fn f(x) { let s = \"x\"; loop { s += s; } }"),
    ("string", "fn f(x) { let s = \"x\"; s.pad(1000000, 'y'); 1 }"),
    ("array", "fn f(x) { let a = []; a.pad(1000000, 1); 1 }"),
    ("map", "fn f(x) { let m = #{}; let i = 0; loop { m[`${i}`] = 1; i += 1; } }"),
    ("depth", "fn f(x) { let a = []; loop { a = [a]; } }"),
    ("position", "fn f(x) { let s = \"\"; s.pad(9000, \"a\"); to([s, s]); 1 }"),
];

#[test]
fn functions_that_call_back_do_what_they_say() {
    for (call, expected) in CALLS.iter().zip(OPTIONS) {
        let found = options_of(&script("fn f(x) { x }", call, Limits::default()));
        let found: Vec<_> = found.unwrap().iter().map(Position::to_string).collect();
        assert_eq!(found.join(" "), expected, "{call}");
    }
}

#[test]
fn every_limit_ends_every_call_back() {
    let many = (0..100).map(|n| format!("let a{n} = 1;")).collect::<Vec<_>>().concat();
    for (limit, f) in BREAKS {
        let f = f.replace("LET", &many);
        for call in CALLS {
            let caught = format!("try {{ {call} }} catch {{ [] }}");
            let caught_within = format!("try {{ h() }} catch {{ [] }} }} fn h() {{ {call}");
            for call in [call, &caught, &caught_within] {
                let error =
                    options_of(&script(&f, call, few_steps())).expect_err(&format!("{f}: {call}"));
                assert_eq!(error.problem, Problem::Limit(limit), "{f}: {call}: {error}");
                assert!(matches!(Fault::from(error), Fault::Limit(_)));
            }
        }
    }
}

#[test]
fn memory_is_limited_in_every_call_back() {
    let f = "fn f(x) { let s = \"\"; s.pad(9000, \"x\"); let a = []; loop { a.push(to(s)); } }";
    for call in CALLS {
        let error = options_of(&script(f, call, Limits::default())).expect_err(call);
        assert_eq!(error.problem, Problem::Limit("memory"), "{call}: {error}");
    }
}

#[test]
fn every_error_ends_every_call_back() {
    let errors = [
        ("fn f(x) { y }", Problem::Rules, "Variable not found: y"),
        ("fn f(x) { g(x) }", Problem::Rules, "Function not found: g (i64)"),
        ("fn f(x) { throw \"odd\" }", Problem::Thrown, "odd"),
        ("fn f(x) { [][x] }", Problem::Rules, "Array index"),
    ];
    for (f, problem, message) in errors {
        for call in CALLS {
            let error = options_of(&script(f, call, few_steps())).expect_err(call);
            assert_eq!(error.problem, problem, "{f}: {call}: {error}");
            assert!(error.message.starts_with(message), "{f}: {call}: {error}");
            assert!(error.place.is_some(), "{f}: {call}: {error}");
            assert!(matches!(Fault::from(error), Fault::Rules(_)));
        }
    }
}

#[test]
fn cancelling_ends_every_callback() {
    for call in CALLS {
        let mut script =
            script("fn f(x) { let i = 0; while i < 500 { i += 1; } x }", call, few_steps());
        let looks = Arc::new(AtomicU64::new(0));
        let (counted, stop) = (Arc::clone(&looks), Arc::new(AtomicBool::new(false)));
        let token = Arc::clone(&stop);
        // The last look that is certain to be made within the function.
        let work = Work::new(nimoon::Limits::new(100)).until(stop).on_progress(move |_| {
            token.store(counted.fetch_add(1, Ordering::Relaxed) >= 3, Ordering::Relaxed);
        });
        script.work_within(&work);
        let stopped = Fault::Interrupted(Interrupted::Stopped);
        assert_eq!(script.try_options(&5.into(), 100).expect_err(call), stopped, "{call}");
        assert!(looks.load(Ordering::Relaxed) <= 5, "{call}: it continued");
    }
}

#[test]
fn a_predicate_answers_with_a_boolean_and_a_comparison_with_an_integer_or_a_boolean() {
    let wrong = [
        ("[1, 2].filter(|x| { let y = x > 1; })", "Output type incorrect: () (expecting bool)"),
        ("[[1, 2].all(|x| x)]", "Output type incorrect: i64 (expecting bool)"),
        ("[[1, 2].some(|x| \"yes\")]", "Output type incorrect: string (expecting bool)"),
        ("[[1, 2].find(|x| x)]", "Output type incorrect: i64 (expecting bool)"),
        ("[[1, 2].index_of(|x| x)]", "Output type incorrect: i64 (expecting bool)"),
        ("let a = [1, 2]; a.retain(|x| x); a", "Output type incorrect: i64 (expecting bool)"),
        ("let a = [1, 2]; a.drain(|x| x); a", "Output type incorrect: i64 (expecting bool)"),
        ("let a = [1, 2]; a.dedup(|x, y| 1); a", "Output type incorrect: i64 (expecting bool)"),
        (
            "let a = [1, 2]; a.sort(|x, y| { let z = x - y; }); a",
            "Output type incorrect: () (expecting integer or bool)",
        ),
        ("#{ a: 1 }.filter(|k, v| v).values()", "Output type incorrect: i64 (expecting bool)"),
        ("let a = [to(1), to(1)]; a.dedup(); a", "Function not found: == (move, move)"),
    ];
    for (call, message) in wrong {
        let error = options_of(&script("", call, Limits::default())).expect_err(call);
        assert_eq!(error.message, message, "{call}");
    }
}

/// Sorting as it is defined, one exchange after the other.
fn exchanged(mut items: Vec<i64>, is_less: impl Fn(i64, i64) -> bool) -> Vec<i64> {
    for end in (1..items.len()).rev() {
        for i in 0..end {
            if is_less(items[i + 1], items[i]) {
                items.swap(i, i + 1);
            }
        }
    }
    items
}

#[test]
fn sorting_keeps_equal_elements_in_order() {
    let mut seed = 1_u64;
    for length in 0..60 {
        let items: Vec<i64> = (0..length)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (seed >> 40).cast_signed() % 40
            })
            .collect();
        let expected = exchanged(items.clone(), |x, y| x / 10 < y / 10);
        for comparison in ["x / 10 - y / 10", "x / 10 < y / 10"] {
            let call = format!("let a = {items:?}; a.sort(|x, y| {comparison}); a");
            let found = options_of(&script("", &call, Limits::default())).unwrap();
            let expected: Vec<Position> = expected.iter().copied().map(Into::into).collect();
            assert_eq!(found, expected, "{call}");
        }
    }
}

#[test]
fn a_comparison_that_contradicts_itself_gives_some_order_always_the_same() {
    let call = "let a = []; for i in 0..100 { a.push(i * 37 % 100); } a.sort(|x, y| -1); a";
    let sort = || options_of(&script("", call, Limits::default())).unwrap();
    let mut found = sort();
    assert_eq!(sort(), found);
    found.sort();
    assert_eq!(found, (0..100).map(Into::into).collect::<Vec<Position>>());
}

#[test]
fn an_array_is_as_it_was_if_its_sorting_fails() {
    for change in ["sort", "dedup", "drain", "retain"] {
        let (parameters, odd) =
            if change == "sort" || change == "dedup" { ("x, y", "y") } else { ("x", "x") };
        let call = format!(
            "let a = [3, 3, 1, 2]; try {{ a.{change}(|{parameters}| if {odd} == 2 {{ throw 1 }} \
             else {{ x == 3 }}); }} catch {{ }} a"
        );
        let found = options_of(&script("", &call, Limits::default())).unwrap();
        assert_eq!(found, [3, 3, 1, 2].map(Position::from), "{change}");
    }
}

#[test]
fn a_string_is_found_in_an_array_even_if_a_function_has_its_name() {
    let call =
        "let a = [1, \"f\", \"x\"]; [a.index_of(\"f\"), a.index_of(\"x\", -1), a.index_of(\"y\")]";
    let found = options_of(&script("fn f(x) { true }", call, Limits::default())).unwrap();
    assert_eq!(found, [1, 2, -1].map(Position::from));
}

#[test]
fn padding_with_nothing_is_an_error_and_not_a_loop_without_end() {
    let call = "let s = \"a\"; s.pad(10, \"\"); [s]";
    let error = options_of(&script("", call, Limits::default())).unwrap_err();
    assert_eq!(error.message, "`pad` needs something to pad with, found an empty string");
    let call = "let s = \"ab\"; s.pad(2, \"\"); s.pad(-1, \"x\"); s.pad(7, \"xyz\"); [s]";
    let found = options_of(&script("", call, Limits::default())).unwrap();
    assert_eq!(found[0].to_string(), "\"abxyzxy\"");
}
