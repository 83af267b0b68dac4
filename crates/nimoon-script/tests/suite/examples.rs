//! The scripts in `examples/rules` against the rules, said again here, and against known values.

use std::collections::{BTreeSet, HashMap};

use nimoon::impartial::control::{Layers, values};
use nimoon::ruleset::Kind::{Again, Entailing, Ordinary};
use nimoon::ruleset::{Interned, Kind, Move, Notation, Positions, Ruleset, Shortcuts};
use nimoon::{Digraph, Work};
use nimoon_script::{Limits, Position, Script};

macro_rules! example {
    ($name:literal) => {
        Script::compile(
            concat!("examples/rules/", $name, ".rhai"),
            include_str!(concat!("../../../../examples/rules/", $name, ".rhai")),
            Limits::default(),
        )
        .unwrap()
    };
}

/// The options of a position by their text.
fn options(game: &Script, position: &str) -> Vec<(Kind, String)> {
    let position = game.read(position).unwrap();
    let options = game.try_options(&position, 100_000).unwrap();
    options.iter().map(|option| (option.kind, game.write(&option.to))).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Nimber(u64),
    Moon,
}

/// Values by the definition, for rulesets without cycles.
struct Evaluator<'a> {
    game: &'a Script,
    known: HashMap<Position, Value>,
}

impl<'a> Evaluator<'a> {
    fn new(game: &'a Script) -> Self {
        Self { game, known: HashMap::new() }
    }

    fn value(&mut self, position: &str) -> Value {
        self.sum(self.game.read(position).unwrap())
    }

    fn sum(&mut self, position: Position) -> Value {
        let parts = self.game.try_parts(position).unwrap();
        parts.into_iter().fold(Value::Nimber(0), |sum, part| match (sum, self.part(&part)) {
            (Value::Nimber(a), Value::Nimber(b)) => Value::Nimber(a ^ b),
            _ => Value::Moon,
        })
    }

    fn part(&mut self, part: &Position) -> Value {
        if let Some(&value) = self.known.get(part) {
            return value;
        }
        let covered = self.covered(part);
        let value = (0..BOUND).find(|n| !covered.contains(n)).map_or(Value::Moon, Value::Nimber);
        self.known.insert(part.clone(), value);
        value
    }

    /// The numbers beside which the player to move wins, among those below [`BOUND`].
    fn covered(&mut self, part: &Position) -> BTreeSet<u64> {
        let mut covered = BTreeSet::new();
        for Move { to, kind } in self.game.try_options(part, 10_000).unwrap() {
            match kind {
                Ordinary => {
                    if let Value::Nimber(n) = self.sum(to) {
                        covered.insert(n);
                    }
                }
                Again => match self.sum(to) {
                    Value::Moon => covered.extend(0..BOUND),
                    Value::Nimber(n) => covered.extend((0..BOUND).filter(|&m| m != n)),
                },
                Entailing => {
                    let answered = self.covered(&to);
                    covered.extend((0..BOUND).filter(|n| !answered.contains(n)));
                }
            }
        }
        covered
    }
}

/// Above all numbers that occur in these tests.
const BOUND: u64 = 64;

#[test]
fn nim_has_all_smaller_heaps_as_options() {
    let game = example!("nim");
    for heap in 0..40_u64 {
        let expected: Vec<_> = (0..heap).map(|left| (Ordinary, left.to_string())).collect();
        assert_eq!(options(&game, &heap.to_string()), expected);
    }
    assert_eq!(Evaluator::new(&game).value("9"), Value::Nimber(9));
    let five = game.read("5").unwrap();
    let option = &game.try_options(&five, 9).unwrap()[2];
    assert_eq!(game.words(&five, 2, option), "take 3 of 5");
    assert_eq!(game.board(&five), "ooooo (5)");
}

#[test]
fn kayles_knocks_down_one_or_two_pins_side_by_side() {
    let game = example!("kayles");
    for row in 1..30_usize {
        // Pins as letters: knock down each one and each two, and look at what stands.
        let mut expected = BTreeSet::new();
        for pins in 1..=2 {
            for first in 0..(row + 1).saturating_sub(pins) {
                let mut standing = vec!["I"; row];
                standing[first..first + pins].fill(" ");
                let standing = standing.concat();
                let mut rows: Vec<_> = standing.split_whitespace().map(str::len).collect();
                rows.sort_unstable();
                expected.insert(rows);
            }
        }
        let mut found = BTreeSet::new();
        for (kind, text) in options(&game, &row.to_string()) {
            assert_eq!(kind, Ordinary);
            let rows = text.split(',').filter(|row| !row.is_empty());
            let mut rows: Vec<usize> = rows.map(|row| row.parse().unwrap()).collect();
            rows.sort_unstable();
            found.insert(rows);
        }
        assert_eq!(found, expected, "{row}");
    }
}

#[test]
fn kayles_has_its_known_values() {
    let game = example!("kayles");
    let mut evaluator = Evaluator::new(&game);
    // Winning Ways, chapter 4.
    let known = [1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1];
    for (row, value) in (1..).zip(known) {
        assert_eq!(evaluator.value(&format!("{row}")), Value::Nimber(value), "{row}");
    }
    assert_eq!(evaluator.value("5,7"), Value::Nimber(4 ^ 2));
    assert_eq!(game.board(&game.read("3,2").unwrap()), "III   II");
}

#[test]
fn top_entails_splits_or_takes_the_top() {
    let game = example!("top-entails");
    for heap in 0..40_u64 {
        let mut expected = BTreeSet::new();
        if heap > 0 {
            expected.insert((Entailing, (heap - 1).to_string()));
        }
        for (a, b) in (1..heap).map(|a| (a, heap - a)).filter(|(a, b)| a <= b) {
            expected.insert((Ordinary, format!("{a},{b}")));
        }
        let found = options(&game, &heap.to_string());
        assert_eq!(found.len(), expected.len());
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected, "{heap}");
    }
}

#[test]
fn top_entails_has_the_values_of_the_paper() {
    let game = example!("top-entails");
    let mut evaluator = Evaluator::new(&game);
    let known = "0 ☾ 0 ☾ 1 0 2 1 3 0 1 3 4 0 3 4 2 5 1 6 2 0 3 2 7";
    for (heap, known) in known.split(' ').enumerate() {
        let known = known.parse().map_or(Value::Moon, Value::Nimber);
        assert_eq!(evaluator.value(&heap.to_string()), known, "{heap}");
    }
}

#[test]
fn lights_take_all_to_the_right_and_sockets_join() {
    let game = example!("lights");
    for length in 0..=7 {
        for bits in 0..1_u32 << length {
            let light = |at: usize| if bits >> at & 1 == 1 { 'b' } else { 's' };
            let lights: Vec<char> = (0..length).map(light).collect();
            let text = |lights: &[char]| lights.iter().collect::<String>();
            let option = |at: usize| {
                if lights[at] == 'b' {
                    return (Ordinary, text(&lights[..at]));
                }
                let left = at > 0 && lights[at - 1] == 'b';
                let right = lights.get(at + 1) == Some(&'b');
                let joined = [&lights[..at], &lights[at + 1..]].concat().iter().collect();
                (if left && right { Again } else { Ordinary }, joined)
            };
            let expected: Vec<_> = (0..length).map(option).collect();
            assert_eq!(options(&game, &text(&lights)), expected, "{lights:?}");
        }
    }
}

#[test]
fn lights_have_the_values_of_the_paper() {
    let game = example!("lights");
    let mut evaluator = Evaluator::new(&game);
    assert_eq!(evaluator.value("2b1s3b1s1b3s1b"), Value::Moon);
    assert_eq!(evaluator.value("2b3s5b1s4b2s2b"), Value::Nimber(14));
    assert_eq!(evaluator.value("bbb"), Value::Nimber(3));
}

#[test]
fn lights_point_at_what_is_wrong() {
    let game = example!("lights");
    let error = game.read("bbx").unwrap_err();
    assert_eq!((error.at, error.message.as_str()), (2, "expected a number, b or s, found x"));
    let error = game.read("b12").unwrap_err();
    assert_eq!((error.at, error.message.as_str()), (3, "expected b or s after the number"));
}

#[test]
fn slide_stays_on_the_board() {
    let game = example!("slide");
    for square in 0..=20_i64 {
        let next = [square - 2, square - 3, square + 1].into_iter();
        let next = next.filter(|next| (0..=20).contains(next));
        let expected: Vec<_> = next.map(|next| (Ordinary, next.to_string())).collect();
        assert_eq!(options(&game, &square.to_string()), expected);
    }
    assert_eq!(game.read("21").unwrap_err().message, "the squares are 0 to 20, found 21");
    let three = game.read("3").unwrap();
    assert_eq!(game.board(&three), "...o.................");
    let option = &game.try_options(&three, 9).unwrap()[1];
    assert_eq!(game.words(&three, 1, option), "go down 3");
}

#[test]
fn refund_takes_two_and_grabs_or_refunds_with_a_duty_to_answer() {
    let game = example!("refund");
    for heap in 0..=11_i64 {
        let mut expected = Vec::new();
        expected.extend((heap >= 2).then(|| (Ordinary, (heap - 2).to_string())));
        expected.extend((1..11).contains(&heap).then(|| (Entailing, (heap + 1).to_string())));
        expected.extend((heap >= 3).then(|| (Entailing, (heap - 3).to_string())));
        assert_eq!(options(&game, &heap.to_string()), expected);
    }
    assert_eq!(game.read("12").unwrap_err().message, "a heap has 0 to 11 coins, found 12");
    assert_eq!(game.board(&game.read("3").unwrap()), "ooo........");
}

#[test]
fn refund_has_values_of_no_older_kind() {
    let game = example!("refund");
    let len = 12;
    let mut arcs = Vec::new();
    for heap in 0..len {
        for (kind, to) in options(&game, &heap.to_string()) {
            let to = to.parse::<u32>().unwrap() + if kind == Entailing { len } else { 0 };
            arcs.extend([(heap, to), (len + heap, to)]);
        }
    }
    let digraph = Digraph::new(2 * len as usize, len..2 * len, arcs).unwrap();
    let mut work = Work::default();
    let layers = Layers::of(&digraph, &work);
    let heaps: Vec<u32> = (0..len).collect();
    let found = values(&digraph, &layers, &heaps, &mut work).unwrap();
    let known = "0 | 0 | 1 | (win) | 2 | [0] | [>2] | [0/1] | [] | [0/1/2] | [] | [2/>2]";
    let texts: Vec<String> = found.iter().map(|value| format!("{value:#}")).collect();
    assert_eq!(texts.join(" | "), known);
}

#[test]
fn two_threads_find_what_one_finds() {
    let expanded = [1, 2].map(|threads| {
        let mut positions = Interned::new(example!("top-entails"));
        let ids: Vec<_> = (0..200).map(|heap| positions.read(&heap.to_string()).unwrap()).collect();
        positions.expand(&ids, 10_000, threads).unwrap()
    });
    assert_eq!(expanded[0], expanded[1]);
    assert_eq!(expanded[0][10].len(), 6);
}
