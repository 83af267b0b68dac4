//! Input that cannot be answered: the exit code, one line that says why, and no answer.

use std::fs;
use std::path::Path;

use crate::cli::program::{Run, run, run_on, words};

/// A file that cannot be read as a digraph, or not as asked: extension, text, what is said.
type BadFile = (&'static str, &'static [u8], &'static str);

const BAD_FILES: &[BadFile] = &[
    // .game
    ("game", b"", "line 1, column 1: the file has no nodes"),
    ("game", b"# only a comment\n", "the file has no nodes"),
    ("game", b"a b c\n", "line 1, column"),
    ("game", b"a: b\nb: c:d\n", "line 2, column 5: found a second `:`"),
    ("game", b"a: b\n\na: c\n", "line 3, column 1: found a second line for the node `a`"),
    ("game", b": a\n", "line 1, column 1"),
    ("game", b"a: b\nwin a\n", "but it has options"),
    ("game", b"a:\nwin b\n", "there is no such node"),
    ("game", b"a:\npayoff a x\n", "line 2, column 10"),
    ("game", b"a: b\xFF\n", "found the byte 0xFF, which is not UTF-8"),
    ("game", b"\x00\x01\x02", "line 1, column 1"),
    ("game", b"a:\nlose a\n", "line 2, column 6: play does not end with a win"),
    ("game", b"a: b\nwin b\nc:\ndraw c\n", "line 4, column 6: play does not end with a win"),
    ("game", b"a:\npayoff a 3\n", "line 2, column 8: play does not end with a win"),
    ("game", b"a: b\nleft a\n", "line 2, column 6: only one player may move at `a`"),
    // JSON
    ("json", b"", "line 1, column 1"),
    ("json", b"[]", "line 1, column 1"),
    ("json", b"{}", "the file has no nodes"),
    ("json", br#"{"nodes":[],"arcs":[]}"#, "the file has no nodes"),
    ("json", br#"{"nodes":["a"],"arcs":[["a","b"]]}"#, "`b`, which is in neither"),
    ("json", br#"{"nodes":["a","a"],"arcs":[]}"#, "`a` a second time in `nodes`"),
    ("json", br#"{"gray":["a","a"],"arcs":[]}"#, "`a` a second time in `gray`"),
    ("json", br#"{"arcs":[["a"]]}"#, "line 1, column 14"),
    ("json", br#"{"arcs":[["a","b","c"]]}"#, "line 1, column 18"),
    ("json", br#"{"arcs":[["a",1]]}"#, "line 1, column 15"),
    ("json", br#"{"arcs":[["a","b"]]} x"#, "line 1, column 22"),
    ("json", br#"{"arcs":[["a","b"]]"#, "the end of the file"),
    ("json", br#"{"arks":[]}"#, "the field `arks`"),
    ("json", br#"{"arcs":[],"arcs":[]}"#, "the field `arcs` a second time"),
    ("json", br#"{"arcs":[["a","\ud800"]]}"#, "line 1, column"),
    ("json", br#"{"nodes":["z"],"terminals":{"z":"victory"}}"#, "line 1, column 33"),
    (
        "json",
        br#"{"nodes":["z"],"player":{"z":"left"}}"#,
        "line 1, column 26: only one player may move",
    ),
    ("json", b"\xEF\xBB\xBF{", "line 1, column"),
    // DOT
    ("dot", b"", "line 1, column 1"),
    ("dot", b"graph { a -- b }", "an undirected `graph`"),
    ("dot", b"digraph { a -> }", "line 1, column 16"),
    ("dot", b"digraph { a -> b", "the end of the file"),
    ("dot", b"digraph { \"a }", "a double quote"),
    ("dot", b"digraph { }", "the file has no nodes"),
    // Edge lists
    ("edges", b"", "the file has no nodes"),
    ("edges", b"a b\nb c d\n", "line 2, column 5: found `d`"),
    ("txt", b"1 2 3\n", "line 1, column 5: found `3`"),
    ("el", b"\xC3(\n", "is not UTF-8"),
    // Aldebaran
    ("aut", b"", "the file has no nodes: write a header"),
    ("aut", b"des (0, 1, 2)\n", "found 0 transitions, but the header counts 1"),
    ("aut", b"des (0, 1, 2)\n(0, a, 5)\n", "the state 5"),
    ("aut", b"des (0, 0, 4294967295)\n", "found 4294967295 states"),
    ("aut", b"des (0, 0, 99999999999999999999999)\n", "which is too large"),
    ("aut", b"des (0, 0, 0)\n", "line 1, column"),
    // PGSolver
    ("pg", b"", "line 1, column 1"),
    ("pg", b"parity 1;\n0 0 0 7;\n", "line 2, column 7"),
    ("pg", b"0 0 2 0;\n", "line 1, column 5"),
    ("pg", b"0 0 0 0;\n0 0 0 0;\n", "line 2, column 1"),
    ("pg", b"0 0 0 0", "line 1, column 8"),
    ("gm", b"99999999999 0 0 0;\n", "which is too large"),
    // No format
    ("xyz", b"a b\n", "choose the format with --input"),
];

#[test]
fn bad_files_are_refused_with_the_place_and_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    for (i, (extension, text, says)) in BAD_FILES.iter().enumerate() {
        let path = folder.path().join(format!("{i}.{extension}"));
        fs::write(&path, text).expect("the file is written");
        let path = path.to_str().expect("a path in UTF-8");
        for format in ["table", "json"] {
            refused(&run(&["label", path, "--format", format]), &[path, says]);
        }
        refused(&run(&["sum", path, "a"]), &[path, says]);
    }
}

/// Bad input or usage: one line that says all this, and no answer.
#[track_caller]
pub(crate) fn refused(run: &Run, says: &[&str]) {
    failed(run, 2, says);
    assert_eq!(run.stdout, "");
}

#[track_caller]
pub(crate) fn failed(run: &Run, code: i32, says: &[&str]) {
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    assert_eq!(run.error_lines(), 1, "{}", run.stderr);
    let line = run.stderr.lines().next().expect("a line");
    for part in says {
        assert!(line.starts_with("error: ") && line.contains(part), "no `{part}` in: {line}");
    }
}

#[test]
fn a_file_that_cannot_be_opened_is_reported_before_its_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let inside = |name: &str| folder.path().join(name).display().to_string();
    fs::create_dir(inside("folder")).expect("a folder");
    fs::write(inside("file.xyz"), "a b\n").expect("a file");
    for (command, nodes) in [("label", &[][..]), ("remoteness", &[]), ("sum", &["a"])] {
        for name in ["nofile", "nofile.xyz", "nofile.game", "folder"] {
            let path = inside(name);
            let run = run(&[&[command, &path], nodes].concat());
            failed(&run, 1, &[&path, "cannot be read"]);
        }
        let path = inside("file.xyz");
        refused(&run(&[&[command, &path], nodes].concat()), &["unknown extension"]);
    }
}

#[test]
fn a_byte_that_is_not_text_has_its_line_and_column() {
    let wrong = ["found the byte 0xFF, which is not UTF-8"];
    for command in ["value -", "ordinal -", "affine -"] {
        let run = run_on(b"\n nim:\xff".to_vec(), &words(command));
        refused(&run, &["standard input:2:6: ", wrong[0]]);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.txt");
    fs::write(&file, b"{0|\xff}").expect("a file");
    let path = file.display().to_string();
    for command in ["loopy", "value"] {
        let run = run(&[command, &format!("@{path}")]);
        refused(&run, &[&format!("{path}:1:4: "), wrong[0]]);
    }
}

#[test]
fn a_file_of_ladders_that_makes_no_sense_has_its_line_and_column() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lad.json").display().to_string();
    fs::write(&file, "{\"goal\":5,\"steps\":[1],\n \"carries\":[[1,9]]}").expect("a file");
    let run = run(&["value", &format!("ladders[{file}]:0")]);
    refused(&run, &["lad.json:2:13: the carry [1,9]: 9 is past the goal 5"]);
}

#[test]
fn bad_arguments_are_refused_with_the_reason() {
    let table: &[(&str, &str)] = &[
        ("labels nim.game", "unrecognized subcommand 'labels'"),
        ("label", "required arguments were not provided"),
        ("label nim.game --colour", "unexpected argument '--colour'"),
        ("label nim.game nim.game", "unexpected argument"),
        ("label nim.game --format pdf", "invalid value 'pdf' for '--format"),
        ("label nim.game --theory misere", "invalid value 'misere' for '--theory"),
        ("label nim.game --input xml", "invalid value 'xml' for '--input"),
        ("label nim.game --budget", "a value is required for '--budget"),
        ("label nim.game --budget -1", "invalid value '-1' for '--budget"),
        ("label nim.game --budget many", "invalid value 'many' for '--budget"),
        ("label nim.game --budget 99999999999999999999", "'--budget"),
        ("label nim.game --timing xml", "invalid value 'xml' for '--timing"),
        ("label nim.game --radius -2", "-2"),
        ("label nim.game --product 1", "2 values required for '--product"),
        ("label nim.game --product 1 9", "nim.game has no node `9`"),
        ("label nim.game --product 1 2 --explain 1", "cannot be used with"),
        ("label general.game --product e e", "two pieces on gray nodes"),
        ("label nim.game --explain s5", "has no node `s5`; did you mean `s1`?"),
        ("label nim.game --explain 1 --format svg", "--explain prints as table or json only"),
        ("label nim.game --format svg --around 9", "has no node `9`"),
        (
            "label nim.game --format svg --max-nodes 3",
            "cannot be read (the limit is 3): ask for a neighbourhood with --around NODE and a \
             small --radius, or raise the limit by --max-nodes",
        ),
        ("label nim.game --format latex --max-nodes 0", "0 is not in 1..=1000"),
        ("label nim.game --format svg --max-nodes 1001", "1001 is not in 1..=1000"),
        ("label nim.game --around 1", "use it with --format svg or latex"),
        ("label nim.game --around 1 --format none", "use it with --format svg or latex"),
        ("label nim.game --around 1 --explain 1", "use it with --format svg or latex"),
        ("label nim.game --explain 1 --steps", "cannot be used with '--steps'"),
        ("label nim.game --product 1 2 --steps", "--steps cannot be used with --product"),
        ("label nim.game --product 1 2 --timing json", "--timing cannot be used with --product"),
        ("label nim.game --product 1 2 --theory auto", "--theory cannot be used with --product"),
        (
            "label nim.game --product 1 2 --theory short --format json",
            "--theory cannot be used with --product",
        ),
        ("label -", "choose the format with --input"),
        ("label figure-1.game --theory short", "theory: it has the cycle"),
        ("label figure-1.game --theory entailing", "it has the cycle"),
        ("label menagerie.game --theory short", "is gray; --theory carry-on fits"),
        ("label menagerie.game --theory cyclic", "is gray; --theory carry-on fits"),
        ("label menagerie.game --theory entailing", "it has the cycle"),
        ("label entailing.game --theory carry-on", "the gray node `e` has more than one option"),
        ("label general.game --theory carry-on", "the gray node `e` has more than one option"),
        ("label general.game --theory entailing", "it has the cycle x → x"),
        ("sum nim.game", "required arguments were not provided"),
        ("sum nim.game 9", "nim.game has no node `9`"),
        ("sum figure-1.game u --theory short", "it has the cycle"),
        ("sum menagerie.game g0 k", "`g0` and `k` are both gray"),
        ("sum menagerie.game 1 g0 2 g0", "`g0` and `g0` are both gray"),
        ("sum general.game e e", "`e` and `e` are both gray"),
        ("sum nim.game 1 --turns --limit -1", "-1"),
        ("sum nim.game 1 --format csv", "invalid value 'csv' for '--format"),
        ("representative", "required arguments were not provided"),
        ("representative nonsense", "`nonsense` is not a value"),
        ("representative moon{}", "needs at least one number"),
        ("representative ninny{0,1}", "`ninny{0,1}` needs"),
        ("representative oo{0", "oo{0"),
        ("representative oo{x}", "`x` in `oo{x}` is not a whole number"),
        ("representative 99999999999999999999", "is not a whole number below 2^64"),
        ("representative -- -1", "-1"),
        ("representative 100 --format svg", "(the limit is 1500): use --format game or json"),
        ("representative 301 --format latex", "(the limit is 300): use --format game or json"),
        ("representative 1 --format csv", "invalid value 'csv' for '--format"),
        ("audit --exhaustive 2 --random 3", "cannot be used with"),
        ("audit --frozen", "required arguments were not provided"),
        ("audit --as-printed --theory cyclic", "cannot be used with --theory cyclic"),
        ("audit --as-printed --frozen --theory general", "cannot be used with --theory general"),
        ("audit --seed 3", "required arguments were not provided"),
        ("audit --nodes 3", "required arguments were not provided"),
        ("sum nim.game 1 --limit 3", "required arguments were not provided"),
        ("label nim.game --format svg --radius 1", "required arguments were not provided"),
        ("audit --exhaustive 99", "99"),
        ("audit --exhaustive x", "invalid value 'x'"),
        ("audit --random -5", "-5"),
        ("audit --theory misere", "invalid value 'misere' for '--theory"),
    ];
    for (line, says) in table {
        refused(&run(&words(line)), &[says]);
    }
}

#[test]
fn what_would_take_too_much_is_a_budget_hit() {
    let table: &[(&str, &str, bool)] = &[
        ("label general.game --budget 3", "raise it with --budget", true),
        ("label general.game --budget 0 --format json", "raise it with --budget", true),
        ("sum general.game x w --budget 0", "1 position is needed; raise it with --budget", true),
        ("label nim.game --product 4 s4 --budget 3", "raise it with --budget", false),
        ("label nim.game --product 4 s4 --budget 0", "raise it with --budget", false),
        ("representative 5000", "a nim-heap of 5000", false),
        (
            "representative moon{0,1000000000000000000}",
            "a nim-heap of 1000000000000000000 is too large",
            false,
        ),
    ];
    for (line, says, is_answered) in table {
        let run = run(&words(line));
        failed(&run, 3, &[says]);
        assert_eq!(!run.stdout.is_empty(), *is_answered, "{line}");
    }
}

#[test]
fn a_budget_is_of_no_concern_to_a_sum_where_an_algebra_is_known() {
    run(&words("sum menagerie.game q m2 --budget 0")).answer();
}

#[test]
fn a_file_that_cannot_be_opened_is_not_bad_input() {
    failed(&run(&["label", "nowhere.game"]), 1, &["nowhere.game cannot be read"]);
    failed(&run(&["sum", "nowhere.game", "a"]), 1, &["nowhere.game cannot be read"]);
    let folder = tempfile::tempdir().expect("a folder");
    let directory = folder.path().join("folder.game");
    fs::create_dir(&directory).expect("a folder");
    let directory = directory.to_str().expect("a path in UTF-8");
    failed(&run(&["label", directory]), 1, &["cannot be read"]);
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep =
        |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    let cases = [
        ("json", deep("[", "]")),
        ("json", format!(r#"{{"arcs":{}}}"#, deep("[", "]"))),
        ("json", format!(r#"{{"arcs":[["a",{}]]}}"#, deep(r#"{"a":"#, "}"))),
        ("dot", format!("digraph {{ {} }}", deep("{", "}"))),
        ("dot", format!("digraph {{ {}", "subgraph {".repeat(100_000))),
        ("dot", format!("digraph {{ {} }}", deep("<", ">"))),
        ("game", format!("a: {}", deep("(", ")"))),
        ("pgsolver", deep("\"", ";")),
        ("aut", format!("des {}", deep("(", ")"))),
    ];
    for (format, text) in cases {
        let run = run_on(text, &["label", "-", "--input", format, "--format", "none"]);
        if run.code != Some(0) {
            refused(&run, &["line 1, column"]);
        }
    }
    let value = deep("{", "}");
    refused(&run(&["representative", &format!("oo{}", &value[..100_000])]), &["oo{"]);
}

#[test]
fn an_error_is_one_line_however_long_the_cycle_or_the_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cycle.edges");
    let arcs: Vec<String> = (0..5000).map(|i| format!("{i} {}", (i + 1) % 5000)).collect();
    fs::write(&path, arcs.join("\n")).expect("the file is written");
    let file = path.to_str().expect("a path in UTF-8");
    refused(&run(&["label", file, "--theory", "short"]), &["(5000 nodes)"]);
    refused(&run(&["label", file, "--format", "svg"]), &["5000"]);
    let name = "n\n".repeat(1000);
    refused(&run(&["label", file, "--explain", &name]), &["has no node"]);
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_unicode_is_rejected() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let name = OsStr::from_bytes(b"\xFF\xFE");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_nimoon"))
        .args(["label".as_ref(), Path::new("nim.game").as_os_str(), "--explain".as_ref(), name])
        .current_dir(crate::cli::program::examples())
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stderr.starts_with(b"error: ") && output.stdout.is_empty());
}

#[test]
fn names_with_control_characters_do_not_reach_the_terminal() {
    let text = r#"{"arcs":[["a\u001b[31m","a\u001b[31m"]]}"#;
    let run = run_on(text, &["label", "-", "--input", "json", "--theory", "short"]);
    refused(&run, &["it has the cycle"]);
    assert!(!run.stderr.contains('\u{1b}'));
}

#[test]
fn arguments_with_control_characters_do_not_reach_the_terminal() {
    let run = run(&["label", "nim.game", "--format", "x\nerror: y\u{1b}[31m\rerror: z"]);
    refused(&run, &["invalid value 'x"]);
    assert!(run.stderr.contains("\n  error: y"), "{}", run.stderr);
    assert!(!run.stderr.contains(['\u{1b}', '\r']), "{:?}", run.stderr);
}

#[test]
fn closed_standard_input_is_an_empty_file() {
    refused(&run_on("", &["label", "-", "--input", "edges"]), &["the file has no nodes"]);
}

#[cfg(unix)]
#[test]
fn a_program_without_standard_streams_does_not_panic() {
    let shell = |redirection: &str| {
        let line = format!("exec \"$0\" label - --input edges {redirection}");
        std::process::Command::new("sh")
            .args(["-c", &line, env!("CARGO_BIN_EXE_nimoon")])
            .stdin(std::process::Stdio::null())
            .output()
            .expect("the program runs")
            .status
            .code()
    };
    for redirection in ["<&-", "<&- 2>&-", "<&- >&- 2>&-"] {
        let code = shell(redirection);
        assert!(matches!(code, Some(1 | 2)), "{redirection}: {code:?}");
    }
}
