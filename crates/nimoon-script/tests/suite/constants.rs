//! A constant outside the functions is never changed: what would change it is refused, with the
//! name of the constant and the place. What only reads it works, and a copy can be changed.

use insta::assert_snapshot;
use nimoon_script::{Limits, Position, Problem, Script, ScriptError};

const CONSTANTS: &str = "const A = [3, 1, 1, 2];\nconst M = #{ a: 1, b: 2, rows: [[2, 1]] };\n\
                         const S = \"abcb\";\nconst N = 5; const F = |x| x + 1;\nconst C = 'c';\nconst R = 1..4;\n\
                         const I = 1..=4;\nconst ROWS = [[3, 1], [2]];\n";

/// Calls of every function that changes an array.
const OF_ARRAYS: [&str; 40] = [
    "A.set(0, 1)",
    "A.push(1)",
    "A.append([1])",
    "A.insert(0, 1)",
    "A.pad(9, 1)",
    "A.pop()",
    "A.shift()",
    "A.remove(0)",
    "A.clear()",
    "A.truncate(1)",
    "A.chop(1)",
    "A.reverse()",
    "A.splice(0..1, [])",
    "A.splice(0..=1, [])",
    "A.splice(0, 1, [])",
    "A.split(1)",
    "A.dedup()",
    "A.dedup(|x, y| x == y)",
    "A.dedup(\"is_same\")",
    "A.sort()",
    "A.sort_desc()",
    "A.sort(|x, y| x - y)",
    "A.sort(\"difference\")",
    "A.sort_by(|x, y| x - y)",
    "A.sort_by(\"difference\")",
    "A.drain(|x| x == 1)",
    "A.drain(\"is_one\")",
    "A.drain(0..1)",
    "A.drain(0..=1)",
    "A.drain(0, 1)",
    "A.retain(|x| x == 1)",
    "A.retain(\"is_one\")",
    "A.retain(0..1)",
    "A.retain(0..=1)",
    "A.retain(0, 1)",
    "A.take()",
    "A.set_tag(1)",
    "A.tag = 1",
    "A += [1]",
    "A = [1]",
];

/// Calls of every function that changes an object map.
const OF_MAPS: [&str; 12] = [
    "M.set(\"a\", 1)",
    "M.clear()",
    "M.remove(\"a\")",
    "M.mixin(#{})",
    "M.fill_with(#{})",
    "M.drain(|k| k == \"a\")",
    "M.drain(|k, v| v == 1)",
    "M.retain(|k| k == \"a\")",
    "M.retain(|k, v| v == 1)",
    "M.take()",
    "M += #{}",
    "M = #{}",
];

/// Calls of every function that changes a string, a character or an integer.
const OF_STRINGS: [&str; 29] = [
    "S.append(\"x\")",
    "S.append('x')",
    "S.append(1)",
    "S.remove(\"b\")",
    "S.remove('b')",
    "S.clear()",
    "S.truncate(1)",
    "S.trim()",
    "S.pop()",
    "S.pop(1)",
    "S.make_upper()",
    "S.make_lower()",
    "S.set(0, 'x')",
    "S.crop(1)",
    "S.crop(1, 1)",
    "S.crop(0..1)",
    "S.crop(0..=1)",
    "S.replace(\"b\", \"x\")",
    "S.replace(\"b\", 'x')",
    "S.replace('b', \"x\")",
    "S.replace('b', 'x')",
    "S.pad(9, 'x')",
    "S.pad(9, \"xy\")",
    "S.take()",
    "S += \"x\"",
    "C.make_upper()",
    "C.make_lower()",
    "N.take()",
    "N += 1",
];

/// Changes of an element or a property.
const OF_PARTS: [(&str, &str); 28] = [
    ("A", "A[0] = 1"),
    ("A", "A[0] += 1"),
    ("A", "A[p - 5] -= 1"),
    ("A", "A[A[1]] = 1"),
    ("ROWS", "ROWS[0][1] = 1"),
    ("ROWS", "ROWS[0] = []"),
    ("ROWS", "ROWS[0].push(1)"),
    ("ROWS", "ROWS[A[1]].push(1)"),
    ("ROWS", "ROWS[0].sort(|x, y| x - y)"),
    ("ROWS", "ROWS[0].reverse()"),
    ("ROWS", "[ROWS[0].pop()]"),
    ("ROWS", "ROWS[0].split(1).len()"),
    ("ROWS", "[7][ROWS[1].pop() - 2]"),
    ("ROWS", "ROWS[0].pop().abs()"),
    ("ROWS", "let x = |q| ROWS[0].pop(); x.call(1)"),
    ("M", "M.a = 1"),
    ("M", "M.a += 1"),
    ("M", "M.c = 1"),
    ("M", "M[\"c\"] = 1"),
    ("M", "M[`${p}`] = 1"),
    ("M", "M.rows[0] = 1"),
    ("M", "M.rows[0][0] = 1"),
    ("M", "M.rows.push(1)"),
    ("M", "M.rows[0].push(1)"),
    ("M", "M[\"rows\"][0].push(1)"),
    ("S", "S[0] = 'x'"),
    ("N", "N[0] = false"),
    ("N", "N[0..2] = 1"),
];

/// What only reads the constants, and what it gives.
const READS: [(&str, &str); 64] = [
    ("[A.len()]", "4"),
    ("[A.len]", "4"),
    ("[A[0], A[-1]]", "3 2"),
    ("[A.get(0), A.get(-1)]", "3 2"),
    ("[A.get(-9)]", "3"),
    ("[A.get(9) == ()]", "true"),
    ("[A.contains(1), 1 in A, 9 in A]", "true true false"),
    ("[A.is_empty(), A.index_of(1)]", "false 1"),
    ("A.filter(|x| x > 1)", "3 2"),
    ("A.map(|x| x + 1)", "4 2 2 3"),
    ("A.map(|x| { x += 1; x })", "4 2 2 3"),
    ("ROWS.map(|row| { row.push(9); row })", "[3,1,9] [2,9]"),
    ("A.for_each(|i| i); [1]", "1"),
    ("A.for_each(|| 0); [1]", "1"),
    ("A.order()", "1 1 2 3"),
    ("A.order_desc()", "3 2 1 1"),
    ("A.order(|x, y| x - y)", "1 1 2 3"),
    ("A.order_by(|x, y| y - x)", "3 2 1 1"),
    ("A.extract(1)", "1 1 2"),
    ("A.extract(-1)", "2"),
    ("A.extract(1, 2)", "1 1"),
    ("A.extract(1, -2)", ""),
    ("A.extract(1..3)", "1 1"),
    ("A.extract(-5..1)", "3"),
    ("A.extract(3..1)", ""),
    ("A.extract(1..=3)", "1 1 2"),
    ("A.extract(0..9223372036854775807)", "3 1 1 2"),
    ("A.extract(0..=9223372036854775807)", "3 1 1 2"),
    ("A.zip([5], |x, y| x + y)", "8"),
    ("[A.reduce(|s, x| s + x, 0)]", "7"),
    ("[A.some(|x| x == 1), A.all(|x| x == 1)]", "true false"),
    ("[A == [3, 1, 1, 2], A != []]", "true true"),
    ("A + [7]", "3 1 1 2 7"),
    ("A", "3 1 1 2"),
    ("[A.to_string(), `${A}`]", "\"[3, 1, 1, 2]\" \"[3, 1, 1, 2]\""),
    ("[M.a, M[\"b\"], M.len()]", "1 2 3"),
    ("M.keys()", "\"a\" \"b\" \"rows\""),
    ("[M.contains(\"a\"), \"z\" in M]", "true false"),
    ("[M.filter(|k| k == \"a\")]", "{a:1}"),
    ("[M.rows[0].len(), M.rows[0][1]]", "2 1"),
    ("[S.len(), S[0], S.to_upper()]", "4 'a' \"ABCB\""),
    ("[S.sub_string(1), S.contains(\"b\"), S.index_of(\"b\")]", "\"bcb\" true 1"),
    ("S.split(\"b\")", "\"a\" \"c\" \"\""),
    ("[S + \"x\", S == \"abcb\", `${S}`]", "\"abcbx\" true \"abcb\""),
    ("[ROWS[0].order(), ROWS[0].len()]", "[1,3] 2"),
    ("[N + 1, N.abs(), -N, N.to_string()]", "6 5 -5 \"5\""),
    ("[C.to_upper(), C == 'c']", "'C' true"),
    ("[R.contains(1), R.contains(4), 2 in R, R.start]", "true false true 1"),
    ("[I.contains(4), I.contains(5), 4 in I]", "true false true"),
    ("let a = []; for x in A { x += 1; a.push(x); } a", "4 2 2 3"),
    ("let a = []; for row in ROWS { row.push(9); a.push(row); } a", "[3,1,9] [2,9]"),
    ("let a = []; for i in R { a.push(i); } a", "1 2 3"),
    ("let a = A; a.sort(|x, y| x - y); a[0] = 7; a + A", "7 1 2 3 3 1 1 2"),
    ("let a = []; a = A; a.sort(); a", "1 1 2 3"),
    ("let a = [A, S, N]; a[0].push(1); a[1] += \"x\"; a[2] = 7; a", "[3,1,1,2,1] \"abcbx\" 7"),
    ("let a = []; a.push(N); a[0] = 6; a[0] += 1; a.push(A); a[1].sort(); a", "7 [1,1,2,3]"),
    ("let m = #{ a: A, n: N }; m.a.push(1); m.n += 1; [m]", "{a:[3,1,1,2,1],n:6}"),
    ("let m = #{}; m.a = A; m.a.reverse(); m.set(\"n\", N); m.n += 1; [m]", "{a:[2,1,1,3],n:6}"),
    ("[added(A)]", "[3,1,1,2,9]"),
    ("[F.call(1), call(F, 2)]", "2 3"),
    ("A.map(F)", "4 2 2 3"),
    ("let a = if p > 0 { A } else { [] }; a.push(9); a", "3 1 1 2 9"),
    ("let A = [7]; A[0] = 8; A.push(1); A", "8 1"),
    ("let f = |a| { a.push(9); a }; [f.call(A), call(f, A)]", "[3,1,1,2,9] [3,1,1,2,9]"),
];

const HELPERS: &str = "
    fn is_same(x, y) { x == y }
    fn is_one(x) { x == 1 }
    fn difference(x, y) { x - y }
    fn added(a) { a.push(9); a }";

fn options(body: &str) -> Result<Vec<Position>, ScriptError> {
    options_of(&format!("{CONSTANTS}fn options(p) {{\n{body}\n}}{HELPERS}"))
}

/// The same with the constants inside the function.
fn options_with_local_constants(body: &str) -> Result<Vec<Position>, ScriptError> {
    options_of(&format!("fn options(p) {{\n{CONSTANTS}{body}\n}}{HELPERS}"))
}

fn options_of(source: &str) -> Result<Vec<Position>, ScriptError> {
    let script = Script::compile("my-game.rhai", source, Limits::default())?;
    Ok(script.moves(&5.into())?.into_iter().map(|option| option.to).collect())
}

/// The body is refused, since it would change the constant.
fn refuses(constant: &str, body: &str) {
    let names = [format!("constant `{constant}`"), format!("constant {constant}")];
    let outside = options(&format!("{body}; []"));
    // Functions without a name see only the constants outside.
    let inside = options_with_local_constants(&format!("{body}; []"));
    let inside = (!body.contains("|q|")).then_some(inside);
    for options in [Some(outside), inside].into_iter().flatten() {
        let error = options.expect_err(body);
        assert_eq!(error.place.as_ref().map(|place| place.line), Some(10), "{body}: {error}");
        assert!(names.iter().any(|name| error.message.contains(name)), "{body}: {error}");
        let is_mistake = matches!(error.problem, Problem::Rules | Problem::Syntax);
        assert!(is_mistake, "{body}: {error}");
    }
}

/// The same call as a function: `A.push(1)` as `push(A, 1)`.
fn as_function(call: &str) -> Option<String> {
    let (constant, rest) = call.split_once('.')?;
    let (function, arguments) = rest.split_once('(')?;
    let comma = if arguments.starts_with(')') { "" } else { ", " };
    Some(format!("{function}({constant}{comma}{arguments}"))
}

#[test]
fn every_function_that_changes_a_constant_is_refused() {
    for call in OF_ARRAYS.iter().chain(&OF_MAPS).chain(&OF_STRINGS) {
        let constant = &call[..1];
        refuses(constant, call);
        refuses(constant, &format!("if p > 0 {{ {call} }}"));
        refuses(constant, &format!("let f = |q| {{ {call}; 1 }}; f.call(1)"));
        if let Some(call) = as_function(call) {
            refuses(constant, &call);
            refuses(constant, &format!("let x = [{call}]"));
        }
    }
}

#[test]
fn every_function_that_changes_a_copy_works() {
    for call in OF_ARRAYS.iter().chain(&OF_MAPS).chain(&OF_STRINGS) {
        let (constant, rest) = call.split_at(1);
        let body = format!("let copy = {constant}; copy{rest}; []");
        assert_eq!(options(&body), Ok(Vec::new()), "{body}");
    }
}

#[test]
fn every_change_of_a_part_of_a_constant_is_refused() {
    for (constant, change) in OF_PARTS {
        refuses(constant, change);
        refuses(constant, &format!("while p > 0 {{ p -= 1; {change} }}"));
        let body = format!("let copy = {constant}; {}; []", change.replacen(constant, "copy", 1));
        if !change.contains('|') {
            assert_eq!(options(&body), Ok(Vec::new()), "{body}");
        }
    }
}

#[test]
fn what_only_reads_a_constant_works() {
    for (body, expected) in READS {
        for options in [options(body), options_with_local_constants(body)] {
            let found = options.unwrap_or_else(|error| panic!("{body}: {error}"));
            let found: Vec<_> = found.iter().map(Position::to_string).collect();
            assert_eq!(found.join(" "), expected, "{body}");
        }
    }
}

#[test]
fn statements_outside_the_functions_cannot_change_a_constant() {
    for change in ["X.push(1);", "X[0] = 1;", "X.sort(|x, y| x - y);", "ROWS[0].push(1);"] {
        let source = format!(
            "const X = [3, 1];\nconst ROWS = [[1]];\n{change}\nfn options(p) {{ [X[0] - 1] }}"
        );
        let error = Script::compile("my-game.rhai", &source, Limits::default()).expect_err(change);
        assert_eq!(error.problem, Problem::Rules, "{change}: {error}");
        assert_eq!(error.place.as_ref().map(|place| place.line), Some(3), "{change}: {error}");
    }
}

#[test]
fn the_error_names_the_constant_and_the_place() {
    assert_snapshot!(options("A.sort(|a, b| a - b);\n[A[0] - 1]").unwrap_err(), @"
    my-game.rhai:10:3: `sort` would change the constant `A`; change a copy of it: `let copy = A;`
       |
    10 | A.sort(|a, b| a - b);
       |   ^
    in options(5)
    ");
    assert_snapshot!(options("let x = A.split(2).len();\n[x]").unwrap_err(), @"
    my-game.rhai:10:11: `split` would change the constant `A`; change a copy of it: `let copy = A;`
       |
    10 | let x = A.split(2).len();
       |           ^
    in options(5)
    ");
    assert_snapshot!(options("[1, push(A, 1)]").unwrap_err(), @"
    my-game.rhai:10:5: `push` would change the constant `A`; change a copy of it: `let copy = A;`
       |
    10 | [1, push(A, 1)]
       |     ^
    in options(5)
    ");
    assert_snapshot!(options("if p > 0 { M.rows[0].push(1); }\n[]").unwrap_err(), @"
    my-game.rhai:10:22: `push` would change the constant `M`; change a copy of it: `let copy = M;`
       |
    10 | if p > 0 { M.rows[0].push(1); }
       |                      ^
    in options(5)
    ");
    assert_snapshot!(options("S[0] = 'x';\n[S]").unwrap_err(), @"
    my-game.rhai:10:1: an assignment would change the constant `S`; change a copy of it: `let copy = S;`
       |
    10 | S[0] = 'x';
       | ^
    ");
}
