//! Files: many lines, and few that are long.

use nimoon::limits::Interrupted;
use nimoon_formats::read::{
    Format, ReadError, ReadErrorKind, partizan, read, read_impartial, read_within, unfit,
};

use crate::stopped::table::{Case, case};

const MANY: usize = 100_000;

fn many(item: impl Fn(usize) -> String, between: &str) -> String {
    (0..MANY).map(item).collect::<Vec<_>>().join(between)
}

fn interrupted<T>(read: Result<T, ReadError>) -> Option<Interrupted> {
    match read.err()?.kind {
        ReadErrorKind::Interrupted(interrupted) => Some(interrupted),
        other => panic!("{other}"),
    }
}

pub(crate) fn cases() -> Vec<Case> {
    let digraphs = lines().into_iter().chain(fields()).chain(graphviz());
    let mut cases: Vec<Case> = digraphs
        .map(|(name, format, text, look)| {
            let read =
                case(name, move |work| interrupted(read_within(format, text.as_bytes(), work)));
            Case { looks: vec![1, look], ..read }
        })
        .collect();
    let partizan = [
        ("read/partizan.rs read_within, edges", many(|i| format!(r#"["a{i}","b"]"#), ","), "left"),
        ("read/partizan.rs read_within, nodes", many(|i| format!(r#""a{i}""#), ","), "nodes"),
    ];
    for (name, list, field) in partizan {
        let text = format!(r#"{{"{field}":[{list}],"start":"a1"}}"#);
        let read =
            case(name, move |work| interrupted(partizan::read_within(text.as_bytes(), work)));
        cases.push(Case { looks: vec![1, OFTEN], ..read });
    }
    cases.extend(impartial());
    cases
}

/// Files that must be impartial games, one of which is none: it is read once more, for the place.
fn impartial() -> [Case; 2] {
    let arcs = many(|i| format!("a{i}: b"), "\n");
    let wrong = format!("{arcs}\nlose b\n");
    let found = read(Format::Game, wrong.as_bytes()).expect("it is read").check_impartial();
    let found = found.expect_err("play ends with a loss");
    let read = case("read/mod.rs read_impartial", move |work| {
        interrupted(read_impartial(Format::Game, arcs.as_bytes(), work))
    });
    let place = case("read/mod.rs unfit", move |work| {
        let error = unfit(Format::Game, wrong.as_bytes(), found.clone(), work);
        match error.kind {
            ReadErrorKind::Unfit(_) => None,
            _ => interrupted::<()>(Err(error)),
        }
    });
    [read, place].map(|case| Case { looks: vec![1, OFTEN], ..case })
}

/// The clock is checked this often only if that happens within lines and lists.
const OFTEN: u64 = 40;

/// What is read, and at which look it is left.
type File = (&'static str, Format, String, u64);

fn lines() -> Vec<File> {
    let header = format!("des (0, {MANY}, {MANY})\n");
    let names = many(|i| format!("b{i}"), " ");
    let zeros = many(|_| "0".to_owned(), ",");
    vec![
        // Such lines are read many at once.
        ("read/mod.rs read_within, edges", Format::Edges, many(|i| format!("a{i} b"), "\n"), 4),
        (
            "read/mod.rs read_within, edges with a line of gray nodes",
            Format::Edges,
            format!("gray {names}"),
            OFTEN,
        ),
        ("read/mod.rs read_within, game", Format::Game, many(|i| format!("a{i}: b"), "\n"), OFTEN),
        (
            "read/mod.rs read_within, game with a line of options",
            Format::Game,
            format!("a: {names}"),
            OFTEN,
        ),
        (
            "read/mod.rs read_within, game with a line of gray nodes",
            Format::Game,
            format!("gray {names}"),
            OFTEN,
        ),
        (
            "read/mod.rs read_within, game with a line of losses",
            Format::Game,
            format!("lose {names}"),
            OFTEN,
        ),
        (
            "read/mod.rs read_within, aut",
            Format::Aut,
            header + &many(|i| format!("({i}, x, 0)"), "\n"),
            OFTEN,
        ),
        (
            "read/mod.rs read_within, pgsolver",
            Format::PgSolver,
            many(|i| format!("{i} 0 0 0;"), "\n"),
            OFTEN,
        ),
        (
            "read/mod.rs read_within, pgsolver with a line of successors",
            Format::PgSolver,
            format!("0 0 0 {zeros};"),
            OFTEN,
        ),
    ]
}

fn fields() -> Vec<File> {
    let names = many(|i| format!(r#""a{i}""#), ",");
    let arcs = many(|i| format!(r#"["a{i}","b"]"#), ",");
    let ends = many(|i| format!(r#""a{i}":"lose""#), ",");
    let players = many(|i| format!(r#""a{i}":"left""#), ",");
    [
        ("read/mod.rs read_within, json with arcs", format!(r#"{{"arcs":[{arcs}]}}"#)),
        ("read/mod.rs read_within, json with nodes", format!(r#"{{"nodes":[{names}]}}"#)),
        ("read/mod.rs read_within, json with gray nodes", format!(r#"{{"gray":[{names}]}}"#)),
        ("read/mod.rs read_within, json with endings", format!(r#"{{"terminals":{{{ends}}}}}"#)),
        ("read/mod.rs read_within, json with players", format!(r#"{{"player":{{{players}}}}}"#)),
    ]
    .map(|(name, text)| (name, Format::Json, text, OFTEN))
    .to_vec()
}

fn graphviz() -> Vec<File> {
    let arcs = many(|i| format!("a{i} -> b"), "\n");
    let attributes = many(|_| "x=y".to_owned(), ",");
    let equations = many(|_| "x=y".to_owned(), ";");
    let few = (0..1000).map(|i| format!("a{i}")).collect::<Vec<_>>().join(" ");
    [
        ("read/mod.rs read_within, dot", arcs, OFTEN),
        ("read/mod.rs read_within, dot with attributes", format!("a [{attributes}]"), OFTEN),
        ("read/mod.rs read_within, dot with equations", equations, OFTEN),
        // Each of the 2000 nodes is a look, and there are a million arcs.
        ("read/mod.rs read_within, dot with subgraphs", format!("{{{few}}} -> {{{few}}}"), 2030),
    ]
    .map(|(name, text, look)| (name, Format::Dot, format!("digraph {{ {text} }}"), look))
    .to_vec()
}
