//! Readers of digraph files: good files, malformed files with the place and the text of every
//! error, and arbitrary bytes.

use std::fmt::Write as _;

use nimoon_formats::Source;
use nimoon_formats::read::{Format, ReadError, ReadErrorKind, read};
use nimoon_formats::source::{Player, Terminal};
use proptest::prelude::*;

/// The errors of files that are wrong, each with its snippet.
fn errors(format: Format, files: &[&[u8]]) -> String {
    let mut report = String::new();
    for &bytes in files {
        let error = read(format, bytes).expect_err(&String::from_utf8_lossy(bytes));
        writeln!(report, "{error}").unwrap();
        match error.snippet(bytes) {
            Some(snippet) => writeln!(report, "{snippet}\n").unwrap(),
            None => writeln!(report).unwrap(),
        }
    }
    report
}

/// A digraph in `.game`, for the eye and for reading back.
fn print_game(source: &Source) -> String {
    let name = |node: u32| source.names.name(node);
    let mut text = String::new();
    for node in 0..source.names.len() as u32 {
        write!(text, "{}:", name(node)).unwrap();
        for &(_, to) in source.arcs.iter().filter(|&&(from, _)| from == node) {
            write!(text, " {}", name(to)).unwrap();
        }
        text.push('\n');
    }
    for &node in &source.gray {
        writeln!(text, "gray {}", name(node)).unwrap();
    }
    for &(node, terminal) in &source.terminals {
        match terminal {
            Terminal::Win => writeln!(text, "win {}", name(node)),
            Terminal::Lose => writeln!(text, "lose {}", name(node)),
            Terminal::Draw => writeln!(text, "draw {}", name(node)),
            Terminal::Payoff(payoff) => writeln!(text, "payoff {} {payoff}", name(node)),
        }
        .unwrap();
    }
    for &(node, player) in &source.players {
        let player = if player == Player::Left { "left" } else { "right" };
        writeln!(text, "{player} {}", name(node)).unwrap();
    }
    text
}

fn print_json(source: &Source) -> String {
    let name = |node: u32| serde_json::Value::from(&*source.names.name(node));
    let terminal = |&(node, terminal): &(u32, Terminal)| {
        let value = match terminal {
            Terminal::Win => "win".into(),
            Terminal::Lose => "lose".into(),
            Terminal::Draw => "draw".into(),
            Terminal::Payoff(payoff) => payoff.into(),
        };
        (source.names.name(node).into_owned(), value)
    };
    let player = |&(node, player): &(u32, Player)| {
        let value = if player == Player::Left { "left" } else { "right" };
        (source.names.name(node).into_owned(), value.into())
    };
    let terminals = source.terminals.iter().map(terminal).collect::<serde_json::Map<_, _>>();
    let players = source.players.iter().map(player).collect::<serde_json::Map<_, _>>();
    serde_json::json!({
        "arcs": source.arcs.iter().map(|&(v, w)| [name(v), name(w)]).collect::<Vec<_>>(),
        "nodes": (0..source.names.len() as u32).map(name).collect::<Vec<_>>(),
        "gray": source.gray.iter().map(|&node| name(node)).collect::<Vec<_>>(),
        "terminals": terminals,
        "player": players,
    })
    .to_string()
}

/// One digraph in every format; those that know gray nodes have one.
const GOOD: [(Format, &str); 6] = [
    (
        Format::Json,
        "{\"nodes\":[\"a\",\"b\",\"z\"],\n \"gray\":[\"b\"],\n \
         \"arcs\":[[\"a\",\"b\"],[\"a\",\"a\"],[\"b\",\"z\"]],\n \
         \"terminals\":{\"z\":\"lose\"},\"player\":{\"a\":\"left\"}}\n",
    ),
    (Format::Game, "# example\ngray b\na: b a\nb: z\nlose z\nleft a\n"),
    (
        Format::Dot,
        "digraph {\n  a -> {b a};\n  b [color=gray]; /* to */ b -> \"z\" [label=<<i>x</i>>]\n}\n",
    ),
    (Format::Edges, "# example\na b\na a\nb z\ngray b\nz\n"),
    (Format::Aut, "des (0, 3, 3)\n(0, \"x, y\", 1)\n(0, i, 0)\n(1, !f(x), 2)\n"),
    (Format::PgSolver, "parity 2;\nstart 0;\n0 3 0 1,0 \"a\";\n1 0 1 2;\n2 0 0;\n"),
];

#[test]
fn good_files_give_the_same_digraph() {
    for (format, text) in GOOD {
        for text in [text.to_owned(), text.replace('\n', "\r\n"), format!("\u{FEFF}{text}")] {
            let source = read(format, text.as_bytes()).unwrap();
            assert_eq!(source.arcs, [(0, 1), (0, 0), (1, 2)], "{format}");
            assert_eq!(source.names.len(), 3, "{format}");
            let knows_gray = !matches!(format, Format::Aut | Format::PgSolver);
            assert_eq!(source.gray, if knows_gray { vec![1] } else { vec![] }, "{format}");
            let names = if knows_gray { ["a", "b", "z"] } else { ["0", "1", "2"] };
            assert_eq!(source.names, names.into_iter().collect(), "{format}");
            let knows_ends = matches!(format, Format::Json | Format::Game);
            assert_eq!(source.terminals.len(), usize::from(knows_ends), "{format}");
            let game = source.into_game().unwrap();
            assert_eq!(game.digraph.options(0), [1, 0]);
        }
    }
}

#[test]
fn without_a_line_end_at_the_end_all_is_there() {
    for (format, text) in GOOD {
        let whole = read(format, text.as_bytes()).unwrap();
        assert_eq!(read(format, text.trim_end().as_bytes()).unwrap(), whole, "{format}");
    }
}

#[test]
fn a_file_without_nodes_says_so() {
    let mut report = String::new();
    for (format, nothing) in Format::ALL.into_iter().zip([
        "{\"nodes\":[]}",
        "# nothing\n",
        "digraph {}",
        "# nothing\n",
        "des (0, 0, 0)\n",
        "parity 0;\n",
    ]) {
        let error = read(format, nothing.as_bytes()).unwrap_err();
        writeln!(report, "{format}: {error}").unwrap();
        for empty in ["", "\u{FEFF}", " \r\n\t\n"] {
            let same = read(format, empty.as_bytes()).unwrap_err();
            assert_eq!(same.to_string(), error.to_string());
        }
    }
    insta::assert_snapshot!(report);
}

#[test]
fn errors_in_utf8_have_a_position() {
    for format in Format::ALL {
        let error = read(format, b"\xEF\xBB\xBFa: \xC3\xA9\n\xC3\xA9 \xFF\xFE").unwrap_err();
        assert_eq!((error.line, error.column, error.offset), (2, 3, 12));
        assert_eq!(error.kind, ReadErrorKind::NotUtf8 { byte: 0xFF });
    }
}

#[test]
fn errors_in_json_have_a_position() {
    let files: [&[u8]; 34] = [
        b"[]",
        b"{\"arcs\":[[\"a\",\"b\"]]",
        b"{\"arcs\":[[\"a\",\"b\"]]} x",
        b"{\"arcs\":[[\"a\",\"b\"]],\n \"vertices\":[]}",
        b"{\"arcs\":[],\n \"arcs\":[]}",
        b"{\"arcs\":[[\"a\",\"b\"],\n  [\"a\"]]}",
        b"{\"arcs\":[[\"a\",\"b\"],\n  [\"a\", \"b\", \"c\"]]}",
        b"{\"arcs\":[[\"a\",\"b\"],\n  []]}",
        b"{\"arcs\":[[\"a\", 7]]}",
        b"{\"arcs\":[\"a\"]}",
        b"{\"arcs\":{\"a\":\"b\"}}",
        b"{\"nodes\":\"a\"}",
        b"{\"nodes\":[\"a\",\n \"b\", \"a\"]}",
        b"{\"gray\":[\"a\",\"a\"]}",
        b"{\"nodes\":[\"a\"],\n\"arcs\":[[\"a\",\"b\"]]}",
        "{\"arcs\":[[\"é\",\"a\"], [\"é\",\"b\"]],\n\"nodes\":[\"a\",\"é\"]}".as_bytes(),
        b"{\"arcs\":[[\"a\",\"b\"]],\"terminals\":{\"c\":\"win\"}}",
        b"{\"arcs\":[[\"a\",\"b\"]],\"terminals\":{\"a\":\"win\"}}",
        b"{\"arcs\":[[\"a\",\"b\"]],\"terminals\":{\"b\":\"won\"}}",
        b"{\"arcs\":[[\"a\",\"b\"]],\"terminals\":{\"b\":1.5}}",
        b"{\"arcs\":[[\"a\",\"b\"]],\"terminals\":{\"b\":99999999999999999999}}",
        b"{\"arcs\":[[\"a\",\"b\"]],\"terminals\":{\"b\":01}}",
        b"{\"arcs\":[[\"a\",\"b\"]],\"terminals\":{\"b\":1,\n\"b\":2}}",
        b"{\"arcs\":[[\"a\",\"b\"]],\"player\":{\"c\":\"left\"}}",
        b"{\"arcs\":[[\"a\",\"b\"]],\"player\":{\"a\":null}}",
        b"{\"nodes\":[\"a\\x\"]}",
        b"{\"nodes\":[\"a\\ud800\"]}",
        b"{\"nodes\":[\"a\nb\"]}",
        b"{\"nodes\":[\"a\", \"b]}",
        b"{\"nodes\":[\"a\",]}",
        b"{nodes:[\"a\"]}",
        b"{\"arcs\":[[\"a\",\"b\"]],}",
        b"{\"arcs\":[[\"a\",\"b\"]],\n \"terminals\":{\"b\":1 , }}",
        b"{\"arcs\":[[\"a\",\"b\"]], 7}",
    ];
    insta::assert_snapshot!(errors(Format::Json, &files));
}

#[test]
fn errors_in_game_files_have_a_position() {
    let files: [&[u8]; 23] = [
        b"a: b\nb c\n",
        b"a: b\n  a : c\n",
        b"a b: c",
        b": c",
        b"a: b c:d",
        b"gray a:",
        b"gray",
        b"a: b\ngray a b\ngray b # again",
        b"gray a a",
        b"a: b\nwin c",
        b"a: b\nlose a",
        b"a: b\nwin b\ndraw b",
        b"a: b\nleft c",
        b"a: b\nleft a\nright b a",
        b"a: b\npayoff b",
        b"a: b\npayoff",
        b"a: b\npayoff b 3 4",
        b"a: b\npayoff b 3.5",
        "ä: ö\r\n\tgrau\u{1b}[31m ö\r\n".as_bytes(),
        b"a#: b\n",
        b"a: b\nc # : d\n",
        b"a: b\npayoff b x#y",
        b"a: b\npayoff b 3 c#d",
    ];
    insta::assert_snapshot!(errors(Format::Game, &files));
}

#[test]
fn errors_in_dot_have_a_position() {
    let files: [&[u8]; 25] = [
        b"graph { a -- b }",
        b"strict graph { a }",
        b"digraph {\n a -> b\n b -- c }",
        b"digraph { a -> b -> c -- d }",
        b"a -> b",
        b"digraph a b { }",
        b"digraph { a -> b",
        b"digraph { a -> }",
        b"digraph { a -> b } digraph { c }",
        b"digraph { a [color=] }",
        b"digraph { a [color gray=maybe] }",
        b"digraph { a [color=gray }",
        b"digraph { a [color=gray",
        b"digraph { node }",
        b"digraph { edge -> a }",
        b"digraph { a -> node }",
        b"digraph { a: }",
        b"digraph { \"a }",
        b"digraph { <a<b> }",
        b"digraph { /* a }",
        b"digraph { 1a }",
        b"digraph { a \n -> b @ c }",
        b"digraph { \"a\" + b }",
        b"digraph { subgraph a -> b }",
        b"digraph { {a} [x=y] }",
    ];
    insta::assert_snapshot!(errors(Format::Dot, &files));
}

#[test]
fn errors_in_edge_lists_have_a_position() {
    let files: [&[u8]; 8] = [
        b"a b c",
        b"1 2\n3 4\n5 6 7\n",
        b"1 2 3\n",
        b"1 2\r\n3 4 5\r\n",
        b"a\tb\n\n  grey a b\n",
        b"1 2 # x\n1 2 3 # x\n",
        "ä ö ü".as_bytes(),
        b"1,2 -> 3",
    ];
    insta::assert_snapshot!(errors(Format::Edges, &files));
}

#[test]
fn errors_in_aut_have_a_position() {
    let files: [&[u8]; 26] = [
        b"(0, a, 1)",
        b"des 0, 1, 2",
        b"des (0, 1)",
        b"des (0, 1, 2",
        b"des (0, 1, 2) x",
        b"des (x, 1, 2)",
        b"des (0, -1, 2)",
        b"des (2, 0, 2)",
        b"des (0, 0, 999999999999)",
        b"des (0, 0, 99999999999999999999999)",
        b"des (0, 0, 4294967295)",
        b"des (0, 2, 2)\n(0, a, 1)\n",
        b"des (0, 1, 2)\n(0, a, 1)\n (1, a, 0)\n",
        b"des (0, 18446744073709551615, 2)\n(0, a, 1)\n",
        b"des (0, 1, 2)\n(0, a, 2)\n",
        b"des (0, 1, 2)\n(7, a, 0)\n",
        b"des (0, 1, 2)\n(0, a, x)\n",
        b"des (0, 1, 2)\n(0, a)\n",
        b"des (0, 1, 2)\n(0)\n",
        b"des (0, 1, 2)\n0 1\n",
        b"des (0, 1, 2)\n(0, \"a, 1)\n",
        b"des (0, 1, 2)\n(0, \"a, 1\n",
        b"des (0, 1, 2)\n(0, a, 1)x\n",
        b"des (0, 1, 2)\n(0, a, 1\n",
        b"des (0, 1, 2)\n(0, a,\n",
        b"des (0, 2, 2)\n(0, a,\n(1, a, 0)\n",
    ];
    insta::assert_snapshot!(errors(Format::Aut, &files));
}

#[test]
fn errors_in_pgsolver_files_have_a_position() {
    let files: [&[u8]; 18] = [
        b"parity;\n0 0 0 0;",
        b"parity 1\n0 0 0 0;",
        b"parity 1;\n0 0 0 0\n1 0 0 1;",
        b"0 0 0 0",
        b"0 0 2 0;",
        b"0 0;",
        b"0;",
        b"0 0 0 0,;",
        b"0 0 0 0,1;",
        b"0 0 0 0;\n1 0 0 0;\n0 0 0 1;",
        b"0 0 0 0 \"a;",
        b"0 0 0 0 a;",
        b"99999999999 0 0 0;",
        b"0 99999999999999999999 0 0;",
        b"0 0 0 4294967296;",
        b"-1 0 0 0;",
        b"start 1;\n0 0 0 0;",
        b"0 0x 0 0;",
    ];
    insta::assert_snapshot!(errors(Format::PgSolver, &files));
}

#[test]
fn deep_nesting_is_harmless() {
    let kind = |format, text: String| read(format, text.as_bytes()).unwrap_err().kind;
    assert!(matches!(
        kind(Format::Json, "[".repeat(100_000)),
        ReadErrorKind::Unexpected { expected, .. } if expected.starts_with("`{`")
    ));
    let arcs = format!("{{\"arcs\":{}", "[".repeat(100_000));
    assert!(matches!(kind(Format::Json, arcs), ReadErrorKind::Unexpected { .. }));
    let objects = "{\"terminals\":".repeat(100_000);
    assert!(matches!(kind(Format::Json, objects), ReadErrorKind::Unexpected { .. }));
    for opening in ["{", "subgraph {", "a -> {", "{{"] {
        let dot = format!("digraph {{ {}", opening.repeat(100_000));
        assert_eq!(kind(Format::Dot, dot), ReadErrorKind::TooDeep { limit: 100 });
    }
    let html = format!("digraph {{ {}", "<".repeat(100_000));
    assert!(matches!(kind(Format::Dot, html), ReadErrorKind::Unexpected { .. }));
    let legal = format!("digraph {{ {} a {} }}", "{".repeat(100), "}".repeat(100));
    assert_eq!(read(Format::Dot, legal.as_bytes()).unwrap().names.len(), 1);
}

#[test]
fn huge_numbers_are_names_like_others_in_an_edge_list() {
    let text = "4294967295 4294967296\n123456789012345678901234567890 0\n1000000000 999999999\n";
    let source = read(Format::Edges, text.as_bytes()).unwrap();
    let names: Vec<_> = text.split_ascii_whitespace().collect();
    assert_eq!(source.names, names.into_iter().collect());
    assert_eq!(source.arcs, [(0, 1), (2, 3), (4, 5)]);
}

#[test]
fn a_long_line_is_shown_in_part() {
    let text = format!("{{\"arcs\":[{}7]}}", "[\"a\",\"b\"],".repeat(10_000));
    let error = read(Format::Json, text.as_bytes()).unwrap_err();
    assert_eq!((error.line, error.column), (1, 100_010));
    let (line, caret) = ("[\"a\",\"b\"],".repeat(5), " ".repeat(49));
    let snippet = format!("…{}7]}}\n{caret}^", &line[2..]);
    assert_eq!(error.snippet(text.as_bytes()).unwrap(), snippet);
}

/// Names that `.game` can have.
fn any_source() -> impl Strategy<Value = Source> {
    let names = proptest::collection::vec("[a-zé0-9+.,;\"\\\\-]{1,3}|[0-9]{1,2}", 1..12);
    let arcs = proptest::collection::vec((any::<u32>(), any::<u32>()), 0..30);
    let marks = proptest::collection::vec(0..4_u8, 12);
    (names, arcs, marks).prop_map(|(names, arcs, marks)| {
        let names: nimoon_formats::Names = names.into_iter().collect();
        let len = names.len() as u32;
        let mut arcs: Vec<_> = arcs.into_iter().map(|(v, w)| (v % len, w % len)).collect();
        arcs.sort_unstable();
        let marked = |bit: u8| (0..len).filter(move |&v| marks[v as usize] & bit != 0);
        let gray = marked.clone()(1).collect();
        let is_terminal = |v: &u32| arcs.iter().all(|&(from, _)| from != *v);
        let ends = [Terminal::Win, Terminal::Lose, Terminal::Draw, Terminal::Payoff(-7)];
        let terminals = marked.clone()(2).filter(is_terminal).map(|v| (v, ends[v as usize % 4]));
        let terminals = terminals.collect();
        let player = |v| (v, if v % 2 == 0 { Player::Left } else { Player::Right });
        let players = marked(2).map(player).collect();
        Source { names, gray, arcs, terminals, players }
    })
}

/// As sets, since the printed JSON sorts its objects.
fn sorted(mut source: Source) -> Source {
    source.terminals.sort_by_key(|&(node, _)| node);
    source.players.sort_by_key(|&(node, _)| node);
    source
}

/// The order of nodes in `.game` is that of first mention, which need not be the one printed.
fn by_name(source: &Source) -> (Vec<String>, Vec<String>) {
    let mut nodes: Vec<_> = source.names.iter().map(std::borrow::Cow::into_owned).collect();
    nodes.sort();
    let mut lines: Vec<_> = print_game(source).lines().map(str::to_owned).collect();
    lines.sort();
    (nodes, lines)
}

/// A good file with a few bytes changed, removed or doubled.
fn mutated() -> impl Strategy<Value = (Format, Vec<u8>)> {
    let edits = proptest::collection::vec((any::<usize>(), 0..5_u8, any::<u8>()), 0..6);
    (0..GOOD.len(), edits).prop_map(|(index, edits)| {
        let (format, text) = GOOD[index];
        let mut bytes = text.as_bytes().to_vec();
        for (place, kind, byte) in edits {
            let place = place % (bytes.len() + 1);
            let sign = b"\"\\{}[]()<>:;,#-+=0189 \n\r\tu/*"[byte as usize % 27];
            match kind {
                0 => bytes.insert(place, byte),
                1 => bytes.insert(place, sign),
                2 => bytes.truncate(place),
                3 if place < bytes.len() => bytes[place] = sign,
                4 if place < bytes.len() => drop(bytes.drain(place..(place + 5).min(bytes.len()))),
                _ => bytes.extend_from_within(place..),
            }
        }
        (format, bytes)
    })
}

/// What holds of every answer.
fn check(format: Format, bytes: &[u8]) -> Result<(), ReadError> {
    let result = read(format, bytes);
    match &result {
        Ok(source) => {
            assert!(!source.names.is_empty());
            for node in 0..source.names.len() as u32 {
                assert_eq!(source.names.node(&source.names.name(node)), Some(node));
            }
            let game = source.clone().into_game().unwrap();
            for (node, _) in game.terminals {
                assert!(game.digraph.options(node).is_empty());
            }
        }
        Err(error) => {
            let before = &bytes[..error.offset];
            assert_eq!(error.line, before.split(|&byte| byte == b'\n').count());
            assert!(error.column <= before.len() + 1);
            let message = error.to_string();
            assert!(!message.chars().any(char::is_control), "{message:?}");
            assert!(message.len() < 500, "{message}");
            if let Some(snippet) = error.snippet(bytes) {
                assert_eq!(snippet.lines().count(), 2);
                assert!(snippet.lines().all(|line| line.chars().count() <= 80));
                assert!(!snippet.chars().any(|c| c.is_control() && c != '\n'));
            }
        }
    }
    result.map(drop)
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        for format in Format::ALL {
            let _ = check(format, &bytes);
        }
    }

    #[test]
    fn arbitrary_signs_never_panic(text in "[a-c01\\n \"{}()<>:;,#=>/*+\\[\\]\\\\é-]{0,40}") {
        for format in Format::ALL {
            let _ = check(format, text.as_bytes());
            let _ = check(Format::Dot, format!("digraph {{ {text} }}").as_bytes());
        }
    }

    #[test]
    fn changed_files_never_panic((format, bytes) in mutated()) {
        let result = check(format, &bytes);
        // What this reader of JSON takes is JSON.
        if format == Format::Json && result.is_ok() {
            let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
            prop_assert!(serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok());
        }
    }

    #[test]
    fn json_is_read_back(source in any_source()) {
        let text = print_json(&source);
        prop_assert_eq!(sorted(read(Format::Json, text.as_bytes()).unwrap()), sorted(source));
    }

    #[test]
    fn game_files_are_read_back(source in any_source()) {
        prop_assume!(!source.names.iter().any(|name| name.contains(['#', ':'])));
        let text = print_game(&source);
        let read_back = read(Format::Game, text.as_bytes()).unwrap();
        prop_assert_eq!(by_name(&read_back), by_name(&source));
    }
}
