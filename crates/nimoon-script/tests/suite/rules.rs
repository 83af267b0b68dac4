//! Partizan scripts, parameters, sums, what is printed, and lists that grow.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use nimoon::player::Player;
use nimoon::ruleset::PartizanPositions;
use nimoon::{Limits as Allowed, Notation, Ruleset, Shortcuts, Work};
use nimoon_script::{Limits, Problem, Script, ScriptPositions, Setup};

fn compile(source: &str) -> Script {
    Script::compile("mine.rhai", source, Limits::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn refusal(source: &str) -> String {
    Script::compile("mine.rhai", source, Limits::default()).expect_err(source).to_string()
}

fn options(game: &Script, position: &str) -> Vec<String> {
    let position = game.read(position).unwrap();
    let options = game.try_options(&position, 100_000).unwrap();
    options.iter().map(|option| game.write(&option.to)).collect()
}

#[test]
fn left_and_right_have_moves_of_their_own() {
    let script = compile("fn left(n) { if n > 0 { [n - 1] } else { [] } } fn right(n) { [n] }");
    assert!(script.is_partizan());
    let mut game = ScriptPositions::new(script, &Work::default());
    let start = game.read("2").unwrap();
    let left = game.options(start, Player::Left);
    assert_eq!(left.iter().map(|&to| game.text(to)).collect::<Vec<_>>(), ["1"]);
    assert_eq!(game.options(start, Player::Right), [start]);
}

#[test]
fn what_fails_in_a_partizan_script_is_an_error_of_the_reading() {
    let read = |source: &str, budget: u64| {
        let work = Work::new(Allowed::new(budget));
        ScriptPositions::new(compile(source), &work).read("3").unwrap_err()
    };
    let right = "fn right(n) { [] }";
    let error =
        read(&format!("fn left(n) {{ if n == 1 {{ missing }} else {{ [n - 1] }} }} {right}"), 99);
    assert!(error.message.contains("missing") && error.message.contains("left(1)"), "{error}");
    let error = read(&format!("fn left(n) {{ [again(n - 1)] }} {right}"), 99);
    assert!(error.message.contains("move in turn"), "{error}");
    // An infinite game names the last position that was met.
    let error = read(&format!("fn left(n) {{ [n + 1] }} {right}"), 50);
    assert!(error.limit && error.message.contains("the last of them mine:5"), "{error}");
}

#[test]
fn a_script_has_options_or_left_and_right() {
    assert!(refusal("fn left(p) { [] }").contains("needs a function `fn right(p)"));
    assert!(refusal("fn right(p) { [] }").contains("needs a function `fn left(p)"));
    let both = "fn options(p) { [] } fn left(p) { [] } fn right(p) { [] }";
    assert!(refusal(both).contains("either `options`"));
    let meant = refusal("fn left_options(p) { [] } fn right_options(p) { [] }");
    assert!(
        meant.contains("nimoon never calls `left_options`") && meant.contains("`left(p)`"),
        "{meant}"
    );
    assert!(refusal("fn optoins(p) { [] }").contains("is called `options(p)`"));
}

#[test]
fn a_misspelt_function_is_a_warning_unless_something_calls_it() {
    let warned = compile("fn options(p) { [] }\nfn cannonical(p) { p }");
    assert_eq!(
        warned.warnings(),
        ["mine.rhai:2:4: nothing calls `cannonical`; did you mean `canonical`?"]
    );
    let called = compile("fn options(p) { [bord(p)] } fn bord(p) { p }");
    assert_eq!(called.warnings(), [""; 0]);
    let other = compile("fn options(p) { [] } fn helper(p) { p }");
    assert_eq!(other.warnings(), [""; 0]);
}

#[test]
fn parameters_are_what_stands_in_brackets() {
    let script = compile(
        "const TAKE = parameters; fn options(n) { let m = []; for k in TAKE { m.push(n - k); } m }",
    );
    let given = script.with_parameters(Some("1, 3")).unwrap();
    assert_eq!(given.name(), "mine[1,3]");
    assert_eq!(options(&given, "5"), ["4", "2"]);
    let words = compile("fn options(p) { parameters }").with_parameters(Some("a,7")).unwrap();
    assert_eq!(options(&words, "0"), ["a", "7"]);
    let none = compile("fn options(n) { [] }").with_parameters(Some("3")).unwrap_err();
    assert!(none.message.contains("takes nothing in brackets"), "{none}");
    // A script that cannot do without them says so when it is used without.
    let needs = compile("const K = parameters[0]; fn options(n) { [n - K] }");
    assert_eq!(needs.with_parameters(None).unwrap_err().problem, Problem::Rules);
    assert_eq!(options(&needs.with_parameters(Some("2")).unwrap(), "5"), ["3"]);
}

#[test]
fn sums_fall_into_parts_without_a_call() {
    let script =
        compile("fn options(n) { splits(n) + [sum([n - 1, 1, 1]), to(sum(2, 3), \"words\")] }");
    let heap = script.read("5").unwrap();
    let moves = script.try_options(&heap, 99).unwrap();
    let parts = |number: usize| {
        let parts = script.try_parts(moves[number].to.clone()).unwrap();
        parts.iter().map(|part| script.write(part)).collect::<Vec<_>>()
    };
    assert_eq!([parts(0), parts(1)], [["1", "4"], ["2", "3"]]);
    assert_eq!(parts(2), ["4", "1", "1"]);
    assert_eq!(parts(3), ["2", "3"]);
    assert_eq!(script.words(&heap, 3, &moves[3]), "words");
    // As it stands, a sum has the moves of its parts, and its text is read again.
    let sum = script.read(&script.write(&moves[1].to)).unwrap();
    assert_eq!(sum, moves[1].to);
    assert_eq!(script.try_options(&sum, 99).unwrap().len(), 3 + 3);
    let empty = compile("fn options(n) { [] } fn parts(p) { [] }");
    assert_eq!(options(&empty, "5"), [""; 0]);
}

#[test]
fn what_is_printed_goes_where_it_is_asked_to() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    let print = Some(Arc::new(move |line: &str| kept.lock().unwrap().push(line.to_owned())) as _);
    let setup = Setup { print, ..Setup::default() };
    let game = Script::with("mine.rhai", "fn options(n) { print(`at ${n}`); [] }", &setup).unwrap();
    assert_eq!(options(&game, "5"), [""; 0]);
    assert_eq!(*lines.lock().unwrap(), ["at 5"]);
}

/// The time for the options of a position.
fn seconds(game: &Script, position: i64) -> f64 {
    let start = Instant::now();
    assert_eq!(game.moves(&position.into()).unwrap().len(), usize::try_from(position).unwrap());
    start.elapsed().as_secs_f64()
}

#[test]
fn a_list_of_options_is_built_in_linear_time() {
    let limits = Limits { array: 100_000, ..Limits::default() };
    for body in [
        "let moves = []; for k in 0..n { moves.push(k); } moves",
        "let moves = []; for k in 0..n { let q = k; moves += [to(q)]; } return moves;",
    ] {
        let source = format!("fn options(n) {{ {body} }}");
        let game = Script::compile("mine.rhai", &source, limits.clone()).unwrap();
        let few = seconds(&game, 4_000).min(seconds(&game, 4_000));
        let many = seconds(&game, 16_000).min(seconds(&game, 16_000));
        // Four times as many; 16 times as long if each use went through the whole list.
        assert!(many < 10.0 * few, "{body}: {few} s, {many} s");
    }
}

#[test]
fn growing_lists_keep_to_the_limits() {
    let limits = Limits { array: 100, memory: 4_000, ..Limits::default() };
    let broken = |body: &str| {
        let source = format!("fn options(n) {{ {body} }}");
        let game = Script::compile("mine.rhai", &source, limits.clone()).unwrap();
        game.moves(&5.into()).expect_err(body).problem
    };
    for (body, limit) in [
        ("let a = []; for k in 0..200 { a.push(k); } []", "array"),
        ("let a = []; for k in 0..20 { a.push([1, 2, 3, 4, 5, 6]); } []", "array"),
        (
            "let a = []; for k in 0..80 { a.push(\"a long text that takes room, and more of it, and more of it\"); } []",
            "memory",
        ),
        // A new list in the place of an old one is measured from its beginning.
        (
            "for k in 0..3 { let a = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]; for j in 0..(k * 4) { a.push([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]); } a.len(); } let b = []; for k in 0..101 { b.push(k); } b.len(); []",
            "array",
        ),
        ("let a = [1]; for k in 0..10 { a += a; } []", "array"),
        ("let a = [1]; for k in 0..10 { a.push(a); } []", "array"),
        ("let a = [1, 2]; for k in 0..200 { a[0] = a; } []", "array"),
        ("let s = \"ab\"; for k in 0..30 { s += s; } []", "memory"),
    ] {
        assert!(
            matches!(broken(body), Problem::Limit(name) if name == limit || name == "depth"),
            "{body}: {:?}",
            broken(body)
        );
    }
}
