//! `pass` and bars in the notation of loopy games. A translator of its own names every pair of
//! braces, including those that bars imply, and writes the name in place of `pass`.

use std::fmt::Write as _;

use nimoon::partizan::notation::{Expression, Game};
use nimoon::{
    Limits, Work,
    partizan::{Graph, Sides, Stoppers, Vertex},
    player::Player,
};

/// The text with every pair of braces written and named, one bar in each, and without `pass`; none
/// if two runs of bars of the same length compete.
fn explicit(text: &str) -> Option<String> {
    let mut names = 0;
    let (item, rest) = item(text);
    assert_eq!(rest, "", "{text}");
    written(&item, "", &[], &mut names)
}

/// A part of a side.
enum Item<'a> {
    Atom(&'a str),
    /// The name, or nothing, and the sides with the number of bars after each.
    Braces(&'a str, Vec<(Vec<Item<'a>>, usize)>),
}

fn item(text: &str) -> (Item<'_>, &str) {
    let end = text.find(['{', '}', ',', '|']).unwrap_or(text.len());
    let (word, mut rest) = text.split_at(end);
    if !rest.starts_with('{') {
        return (Item::Atom(word), rest);
    }
    let mut sides = Vec::new();
    loop {
        rest = rest[1..].trim_start();
        let mut side = Vec::new();
        while !rest.starts_with(['|', '}']) {
            let (next, after) = item(rest);
            side.push(next);
            rest = after.strip_prefix(',').unwrap_or(after);
        }
        let bars = rest.len() - rest.trim_start_matches('|').len();
        sides.push((side, bars));
        if bars == 0 {
            return (Item::Braces(word, sides), &rest[1..]);
        }
        rest = &rest[bars - 1..];
    }
}

/// `around` is the name of the game that this is an option of; `known` has the given names.
fn written<'a>(
    item: &Item<'a>,
    around: &str,
    known: &[(&'a str, String)],
    names: &mut usize,
) -> Option<String> {
    match item {
        Item::Atom("pass") => Some(around.to_owned()),
        Item::Atom(word) => {
            let bound = known.iter().rfind(|(name, _)| name == word);
            Some(bound.map_or_else(|| (*word).to_owned(), |(_, name)| name.clone()))
        }
        Item::Braces(word, sides) => split(sides, word, known, names),
    }
}

/// Sides with bars between them, as braces around a left and a right part.
fn split<'a>(
    sides: &[(Vec<Item<'a>>, usize)],
    word: &'a str,
    known: &[(&'a str, String)],
    names: &mut usize,
) -> Option<String> {
    let bars = &sides[..sides.len() - 1];
    let longest = bars.iter().map(|&(_, bars)| bars).max().expect("braces have bars");
    let mut of_this_length = (0..bars.len()).filter(|&i| bars[i].1 == longest);
    let (middle, None) = (of_this_length.next()?, of_this_length.next()) else { return None };
    let name = format!("n{names}");
    *names += 1;
    let mut known = known.to_vec();
    if !word.is_empty() {
        known.push((word, name.clone()));
    }
    let mut text = format!("{name}{{");
    for (part, close) in [(&sides[..=middle], "|"), (&sides[middle + 1..], "}")] {
        if let [(only, _)] = part {
            for (i, item) in only.iter().enumerate() {
                let item = written(item, &name, &known, names)?;
                write!(text, "{}{item}", if i == 0 { "" } else { "," }).expect("a string");
            }
        } else {
            text.push_str(&split(part, "", &known, names)?);
        }
        text.push_str(close);
    }
    Some(text)
}

fn evaluate(stoppers: &mut Stoppers, text: &str) -> Game {
    let expression: Expression = text.parse().unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let work = &mut Work::new(Limits::new(20_000_000));
    expression.evaluate(stoppers, work).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Whether text and translation have the same graph, vertex by vertex, and the same sides; or the
/// text is refused where there is no translation.
fn check(stoppers: &mut Stoppers, text: &str) -> Option<String> {
    let Some(explicit) = explicit(text) else {
        assert!(text.parse::<Expression>().is_err(), "{text}");
        return None;
    };
    let [given, named] = [text, &explicit].map(|text| {
        let game = evaluate(stoppers, text);
        let graph = game.graph(stoppers, &mut Work::default()).unwrap().expect("a graph");
        let edges = Player::BOTH.map(|player| graph.edges(player).collect::<Vec<_>>());
        (graph.len(), edges, game.sides())
    });
    assert_eq!(given, named, "{text} and {explicit}");
    Some(explicit)
}

/// Numbers that look random (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

#[test]
fn the_translator_writes_every_pair_of_braces() {
    for (text, translated) in [
        ("{0||0|0,pass}", "n0{0|n1{0|0,n1}}"),
        ("a{a,pass|0||a}", "n0{n1{n0,n1|0}|n0}"),
        ("a{0|{pass|a{pass|a}}}", "n0{0|n1{n1|n2{n2|n2}}}"),
        ("{|||1|{|pass}}", "n0{|n1{1|n2{|n2}}}"),
    ] {
        assert_eq!(explicit(text).as_deref(), Some(translated), "{text}");
    }
    assert_eq!(explicit("{0|1|2}"), None);
}

#[test]
fn pass_belongs_to_the_innermost_braces_including_those_that_bars_imply() {
    let mut stoppers = Stoppers::new();
    for (text, same) in [
        ("{0||0|0,pass}", "{0|{0|0,pass}}"),
        ("{0,*||*|pass}", "{0,*|{*|pass}}"),
        ("{0,pass|0||0}", "{{0,pass|0}|0}"),
        ("{pass|*||0,*}", "{{pass|*}|0,*}"),
        ("{0||0,pass|0,*}", "{0|{0,pass|0,*}}"),
        ("{pass||pass|0}", "a{a|b{b|0}}"),
        ("{2||pass|0}", "{2|a{a|0}}"),
    ] {
        let [a, b] = [text, same].map(|text| evaluate(&mut stoppers, text).sides());
        assert!(a.onside.is_some() && a == b, "{text} and {same}");
        check(&mut stoppers, text);
    }
    let tiny_on = evaluate(&mut stoppers, "{0||0|0,pass}").sides();
    assert_eq!(stoppers.sides_text(tiny_on).unwrap(), "^<on>");
}

#[test]
fn bars_are_read_as_the_braces_that_they_imply() {
    let mut stoppers = Stoppers::new();
    let (mut read, mut refused) = (0, 0);
    let mut tally = |found: Option<String>| match found {
        Some(_) => read += 1,
        None => refused += 1,
    };
    // A blank parts the bars around an empty side.
    let sides = [" ", "0", "*", "pass", "0,pass", "{pass|0}"];
    for (a, b) in (1..=3).flat_map(|a| (1..=3).map(move |b| (a, b))) {
        let [a, b] = [a, b].map(|bars| "|".repeat(bars));
        for (x, y, z) in triples(&sides) {
            tally(check(&mut stoppers, &format!("{{{x}{a}{y}{b}{z}}}")));
        }
    }
    let sides = [" ", "0", "1,pass", "pass"];
    for bars in 0..27 {
        let [a, b, c] = [bars % 3, bars / 3 % 3, bars / 9].map(|bars| "|".repeat(bars + 1));
        for (x, y, z) in triples(&sides) {
            for w in ["*", "pass", "a", "0,pass,a"] {
                tally(check(&mut stoppers, &format!("a{{{x}{a}{y}{b}{z}{c}{w}}}")));
            }
        }
    }
    // Two runs of the same length need a longer one between them.
    assert_eq!((read, refused), (6 * 216 + 9 * 256, 3 * 216 + 18 * 256));
}

fn triples<'a>(of: &'a [&'a str]) -> impl Iterator<Item = (&'a str, &'a str, &'a str)> {
    of.iter().flat_map(move |x| of.iter().flat_map(move |y| of.iter().map(move |z| (*x, *y, *z))))
}

/// Random nested braces with names, bars and `pass`.
fn braces(random: &mut Random, depth: usize, names: usize) -> String {
    let labels = ["a", "b", "c", "d"];
    let named = random.below(2) == 0;
    let mut text = if named { labels[names].to_owned() } else { String::new() };
    let names = names + usize::from(named);
    text.push('{');
    let sides = 2 + random.below(3);
    for side in 0..sides {
        for i in 0..random.below(3) {
            if i > 0 {
                text.push(',');
            }
            match random.below(8) {
                0 | 1 => text.push_str("pass"),
                2 if names > 0 => text.push_str(labels[random.below(names)]),
                3 | 4 if depth > 0 => text.push_str(&braces(random, depth - 1, names)),
                other => text.push_str(["0", "*", "1", "-1", "^", "0", "over", "*"][other]),
            }
        }
        if side + 1 < sides {
            text.push_str(&"|".repeat(1 + random.below(3)));
        }
    }
    text.push('}');
    text
}

#[test]
fn random_braces_are_read_as_their_translation() {
    let mut random = Random(3);
    let mut stoppers = Stoppers::new();
    let mut read = 0;
    for _ in 0..20_000 {
        let text = braces(&mut random, 2, 0);
        read += usize::from(check(&mut stoppers, &text).is_some());
    }
    assert!(read > 5_000, "{read}");
}

/// Prints both sides and reads the text, as it is and translated; the texts.
fn printed(stoppers: &mut Stoppers, sides: Sides) -> Vec<String> {
    let both = [sides.onside, sides.offside].into_iter().flatten();
    let mut texts = Vec::new();
    for stopper in both {
        let text = stoppers.text(stopper);
        let explicit = explicit(&text).unwrap_or_else(|| panic!("{text}"));
        for read in [&text, &explicit] {
            assert_eq!(evaluate(stoppers, read).sides(), Sides::of(stopper), "{text} as {read}");
        }
        texts.push(text);
    }
    texts
}

#[test]
fn what_is_printed_of_random_graphs_reads_back_as_the_same_game() {
    let mut random = Random(17);
    let mut stoppers = Stoppers::new();
    let mut texts = Vec::new();
    for _ in 0..20_000 {
        let len = 2 + random.below(6);
        let [left, right] = [(); 2].map(|()| {
            let count = 1 + random.below(2 * len);
            let mut vertex = || random.below(len) as Vertex;
            (0..count).map(|_| (vertex(), vertex())).collect::<Vec<_>>()
        });
        let graph = Graph::new(len, left, right).unwrap();
        let sides = stoppers.sides(&graph, 0, &mut Work::default()).unwrap();
        texts.extend(printed(&mut stoppers, sides));
    }
    assert!(texts.len() > 20_000);
    assert!(texts.iter().filter(|text| text.contains("pass")).count() > 200);
}

#[test]
fn what_is_printed_of_random_braces_reads_back_as_the_same_game() {
    let mut random = Random(23);
    let mut stoppers = Stoppers::new();
    let mut texts = Vec::new();
    for _ in 0..20_000 {
        let text = braces(&mut random, 2, 0);
        if text.parse::<Expression>().is_ok() {
            let sides = evaluate(&mut stoppers, &text).sides();
            texts.extend(printed(&mut stoppers, sides));
        }
    }
    for part in ["pass", "||"] {
        assert!(texts.iter().filter(|text| text.contains(part)).count() > 100, "{part}");
    }
}
