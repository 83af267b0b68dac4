//! The commands whose growth is measured, with the exponents that theory needs.

/// The extension of a file, and its text at a size.
type NamedText = (&'static str, fn(u64) -> String);

/// A command with a size in it.
pub(super) struct Row {
    /// The command with N for the size.
    pub(super) name: &'static str,
    /// The exponent that theory needs.
    pub(super) expected: f64,
    /// A size that is next to nothing.
    pub(super) nothing: u64,
    /// The first of the four sizes.
    pub(super) first: u64,
    /// The file that the arguments name as `FILE`: its extension, and its text at a size.
    pub(super) file: Option<NamedText>,
    pub(super) arguments: fn(u64) -> Vec<String>,
    /// What the output must have in it.
    pub(super) answer: fn(u64) -> String,
}

/// Words and one text.
fn words(words: &[&str], last: String) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).chain([last]).collect()
}

/// Texts with a sign between them.
fn joined(texts: impl Iterator<Item = String>, sign: &str) -> String {
    texts.collect::<Vec<_>>().join(sign)
}

/// A path from the ground: 0-1, 1-2, …
fn path(edges: u64) -> String {
    joined((0..edges).map(|vertex| format!("{vertex}-{}", vertex + 1)), ",")
}

/// A tree in which each vertex but the ground stands on the one of half its number.
fn tree(edges: u64) -> String {
    joined((1..=edges).map(|vertex| format!("{}-{vertex}", vertex / 2)), ",")
}

/// The Grundy value of that tree, by the colon principle.
fn tree_value(edges: u64) -> u64 {
    let mut values = vec![0; edges as usize + 1];
    for vertex in (1..=edges as usize).rev() {
        values[vertex / 2] ^= values[vertex] + 1;
    }
    values[0]
}

/// The Grundy value of a row of Kayles, by its definition.
fn kayles(pins: u64) -> u64 {
    let mut values: Vec<u64> = vec![0];
    for pins in 1..=pins as usize {
        let taken =
            (1..=2.min(pins)).flat_map(|taken| (0..=pins - taken).map(move |left| (taken, left)));
        let options: Vec<u64> =
            taken.map(|(taken, left)| values[left] ^ values[pins - taken - left]).collect();
        let mex = (0..=options.len() as u64).find(|value| !options.contains(value));
        values.push(mex.unwrap_or_default());
    }
    values[pins as usize]
}

fn nim_sum(value: u64) -> String {
    format!("sum  {value},")
}

/// The digraph of nim-heaps up to a size.
fn heaps(size: u64) -> String {
    let line = |heap: u64| format!("{heap}: {}", joined((0..heap).map(|to| to.to_string()), " "));
    joined((0..=size).map(line), "\n")
}

pub(super) const ROWS: &[Row] = &[
    Row {
        name: "value kayles:N",
        expected: 2.0,
        nothing: 1,
        first: 50,
        file: None,
        arguments: |n| words(&["value"], format!("kayles:{n}")),
        answer: |n| nim_sum(kayles(n)),
    },
    Row {
        name: "value nim:N + nim:1",
        expected: 1.0,
        nothing: 2,
        first: 20_000,
        file: None,
        arguments: |n| words(&["value"], format!("nim:{n} + nim:1")),
        answer: |n| nim_sum(n ^ 1),
    },
    Row {
        name: "value top-entails:2 + top-entails:2 + … (N)",
        expected: 1.0,
        nothing: 2,
        first: 1000,
        file: None,
        arguments: |n| words(&["value"], joined((0..n).map(|_| "top-entails:3".to_owned()), " + ")),
        answer: |n| nim_sum(n % 2),
    },
    Row {
        name: "value nim:N, by script",
        expected: 2.0,
        nothing: 1,
        first: 25,
        file: None,
        arguments: |n| words(&["value", "--rules", "RULES/nim.rhai"], format!("nim:{n}")),
        answer: nim_sum,
    },
    Row {
        name: "table kayles 1..N, by script",
        expected: 2.0,
        nothing: 1,
        first: 10,
        file: None,
        arguments: |n| {
            words(&["table", "--rules", "RULES/kayles.rhai", "kayles"], format!("1..{n}"))
        },
        answer: |n| kayles(n).to_string(),
    },
    Row {
        name: "table wythoff:N,{} 0..N",
        expected: 3.0,
        nothing: 1,
        first: 10,
        file: None,
        arguments: |n| {
            words(&["table"], format!("wythoff:{n},{{}} 0..{n}"))
                .into_iter()
                .flat_map(|word| word.split(' ').map(str::to_owned).collect::<Vec<_>>())
                .collect()
        },
        answer: |n| n.to_string(),
    },
    Row {
        name: "value slide[-2,-3,+1;N]:N/2",
        expected: 1.0,
        nothing: 4,
        first: 10_000,
        file: None,
        arguments: |n| words(&["value"], format!("slide[-2,-3,+1;{n}]:{}", n / 2)),
        answer: |_| "D: a draw".to_owned(),
    },
    Row {
        name: "value green-hackenbush, a path of N",
        expected: 1.0,
        nothing: 2,
        first: 200,
        file: None,
        arguments: |n| words(&["value"], format!("green-hackenbush:{}", path(n))),
        answer: nim_sum,
    },
    Row {
        name: "value green-hackenbush, a tree of N",
        expected: 1.0,
        nothing: 2,
        first: 200,
        file: None,
        arguments: |n| words(&["value"], format!("green-hackenbush:{}", tree(n))),
        answer: |n| nim_sum(tree_value(n)),
    },
    Row {
        name: "value coins, a path of N",
        expected: 1.0,
        nothing: 2,
        first: 20,
        file: None,
        arguments: |n| words(&["value"], format!("coins:{}", path(n))),
        answer: |_| "sum  ".to_owned(),
    },
    Row {
        name: "value backsliding:t.f + … (N)",
        expected: 1.0,
        nothing: 1,
        first: 4,
        file: None,
        arguments: |n| {
            words(&["value"], joined((0..n).map(|_| "backsliding:t.f".to_owned()), " + "))
        },
        answer: |_| "sum  ".to_owned(),
    },
    Row {
        name: "loopy *N",
        expected: 2.0,
        nothing: 1,
        first: 10,
        file: None,
        arguments: |n| words(&["loopy"], format!("*{n}")),
        answer: |n| format!("*{n}"),
    },
    Row {
        name: "representative oo{0,2,…,2N}",
        expected: 2.0,
        nothing: 1,
        first: 10,
        file: None,
        arguments: |n| {
            let exits = joined((0..=n).map(|exit| (2 * exit).to_string()), ",");
            words(&["representative"], format!("oo{{{exits}}}"))
        },
        answer: |_| String::new(),
    },
    Row {
        name: "compound disjunctive, N pieces",
        expected: 1.0,
        nothing: 2,
        first: 100,
        file: Some(("game", |_| heaps(8))),
        arguments: |n| {
            let pieces = (0..n).map(|_| "8".to_owned());
            words(&["compound", "disjunctive"], "FILE".to_owned())
                .into_iter()
                .chain(pieces)
                .collect()
        },
        answer: |_| "P: the previous player wins, by formula".to_owned(),
    },
    Row {
        name: "sum FILE --turns, N pieces",
        expected: 1.0,
        nothing: 2,
        first: 50,
        file: Some(("game", |_| heaps(8))),
        arguments: |n| {
            let pieces = (0..=n).map(|_| "8".to_owned());
            let last = ["--turns", "--limit", "5"].map(str::to_owned);
            words(&["sum"], "FILE".to_owned()).into_iter().chain(pieces).chain(last).collect()
        },
        answer: |_| "5 winning turns".to_owned(),
    },
    Row {
        name: "label, arcs between N nodes",
        expected: 1.0,
        nothing: 2,
        first: 5000,
        file: Some(("edges", |n| {
            joined((1..n).map(|node| format!("{node} {}\n{node} {}", node / 2, node / 3)), "\n")
        })),
        arguments: |_| words(&["label", "--format", "csv"], "FILE".to_owned()),
        answer: |_| "0,white,0,P".to_owned(),
    },
];
