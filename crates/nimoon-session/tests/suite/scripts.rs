//! The scripts in `examples/rules` against the rules, said again here and played by brute force.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "rows have some squares, and no index is negative"
)]

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

use nimoon_oracle::{Board, Outcome, Product};
use nimoon_session::{Question, Session, Work};
use serde_json::{Value, json};

/// Who moves after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Move,
    Again,
    Entails,
}

use Kind::{Again, Entails, Move};

/// A move of a part: who moves then, and the parts that it leaves.
type Moves<P> = Vec<(Kind, Vec<P>)>;

/// What a node of the board stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State<P> {
    Free(Vec<P>),
    Again(Vec<P>),
    Due(Vec<P>, Vec<P>),
}

/// All that play reaches, written out; the start is the first node.
fn board<P: Clone + Eq + Hash + Ord>(start: &[P], moves: &dyn Fn(&P) -> Moves<P>) -> Board {
    let sorted = |mut parts: Vec<P>| {
        parts.sort();
        parts
    };
    let mut states = vec![State::Free(sorted(start.to_vec()))];
    let mut numbers: HashMap<State<P>, usize> = HashMap::from([(states[0].clone(), 0)]);
    let mut options: Vec<Vec<usize>> = Vec::new();
    while options.len() < states.len() {
        let after: Vec<State<P>> = match states[options.len()].clone() {
            State::Again(parts) => vec![State::Free(parts)],
            State::Free(parts) => all_moves(&parts, &[], moves),
            State::Due(due, beside) => all_moves(&due, &beside, moves),
        };
        let after = after.into_iter().map(|state| match state {
            State::Free(parts) => State::Free(sorted(parts)),
            State::Again(parts) => State::Again(sorted(parts)),
            State::Due(due, beside) => State::Due(sorted(due), sorted(beside)),
        });
        let numbered = after.map(|state| {
            let next = states.len();
            *numbers.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                next
            })
        });
        let numbered = numbered.collect();
        options.push(numbered);
    }
    let gray = states.iter().map(|state| !matches!(state, State::Free(_))).collect();
    Board { options, gray }
}

fn all_moves<P: Clone>(due: &[P], beside: &[P], moves: &dyn Fn(&P) -> Moves<P>) -> Vec<State<P>> {
    let mut all = Vec::new();
    for (place, part) in due.iter().enumerate() {
        let mut others = due.to_vec();
        others.remove(place);
        others.extend(beside.iter().cloned());
        for (kind, left) in moves(part) {
            let together = [left.clone(), others.clone()].concat();
            all.push(match kind {
                Move => State::Free(together),
                Again => State::Again(together),
                Entails => State::Due(left, others.clone()),
            });
        }
    }
    all
}

macro_rules! source {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../examples/rules/", $name, ".rhai")))
    };
}

fn ask(question: &str, fields: &Value) -> Value {
    let read = Question::read(question, fields.to_string().as_bytes());
    let (question, _) = read.unwrap_or_else(|error| panic!("{fields}: {error}"));
    let answer = Session::default().ask(&question, &Work::default());
    let answer = answer.unwrap_or_else(|error| panic!("{fields}: {error}"));
    assert_eq!(answer.missing, None, "{fields}");
    answer.value().unwrap().unwrap()
}

/// Checks the outcome of positions of a script beside nim-heaps.
fn check<P: Clone + Eq + Hash + Ord + Debug>(
    (name, source): (&str, &str),
    brackets: &str,
    positions: &[(String, Vec<P>)],
    moves: &dyn Fn(&P) -> Moves<P>,
) {
    for (text, start) in positions {
        let board = board(start, moves);
        for heap in 0..4 {
            let product = Product::new(&[&board, &Board::heap(heap)]).unwrap();
            let expected = match product.outcome(&[0, heap]).unwrap() {
                Outcome::N => "N",
                Outcome::P => "P",
                Outcome::D => "D",
            };
            let expression = format!("{name}{brackets}:{text} + nim:{heap}");
            let fields = json!({"expression": expression, "given": {"rules": {name: source}}});
            assert_eq!(ask("value", &fields)["outcome"], expected, "{expression}");
        }
    }
}

#[test]
fn goldbach_splits_into_primes_or_entails() {
    let is_prime = |n: u64| n > 1 && (2..n).all(|d| !n.is_multiple_of(d));
    let moves = |&heap: &u64| {
        let mut moves: Moves<u64> = Vec::new();
        for p in 2..heap {
            if p <= heap - p && is_prime(p) && is_prime(heap - p) {
                moves.push((Move, vec![p, heap - p]));
            }
        }
        if heap > 0 {
            moves.push((Entails, vec![heap - 1]));
        }
        moves
    };
    let positions: Vec<_> = (0..=12).map(|n| (n.to_string(), vec![n])).collect();
    check(source!("goldbach"), "", &positions, &moves);
}

#[test]
fn queens_entail_along_diagonals() {
    let moves = |&(x, y): &(u64, u64)| {
        let mut moves: Moves<(u64, u64)> = Vec::new();
        moves.extend((0..x).map(|left| (Move, vec![(left, y)])));
        moves.extend((0..y).map(|down| (Move, vec![(x, down)])));
        moves.extend((1..=x.min(y)).map(|step| (Entails, vec![(x - step, y - step)])));
        moves
    };
    let all = (0..5).flat_map(|x| (0..5).map(move |y| (x, y)));
    let positions: Vec<_> = all.map(|(x, y)| (format!("{x},{y}"), vec![(x, y)])).collect();
    check(source!("queens"), "", &positions, &moves);
}

#[test]
fn euclid_may_pass_as_long_as_play_goes_on() {
    let moves = |&(a, b): &(u64, u64)| {
        let mut moves: Moves<(u64, u64)> = Vec::new();
        if a > 0 && b > 0 {
            moves.push((Move, vec![(a, b)]));
            let (small, large) = (a.min(b), a.max(b));
            for times in 1..=large / small {
                moves.push((Move, vec![(small, large - times * small)]));
            }
        }
        moves
    };
    let all = (0..7).flat_map(|a| (0..7).map(move |b| (a, b)));
    let positions: Vec<_> = all.map(|(a, b)| (format!("{a},{b}"), vec![(a, b)])).collect();
    check(source!("euclid"), "", &positions, &moves);
}

/// All words over an alphabet up to a length.
fn words(alphabet: &str, longest: usize) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = words.clone();
    for _ in 0..longest {
        last = last
            .iter()
            .flat_map(|word| alphabet.chars().map(move |letter| format!("{word}{letter}")))
            .collect();
        words.extend(last.iter().cloned());
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn lime_between_two_others_moves_again() {
    let moves = |row: &String| {
        let tokens: Vec<char> = row.chars().collect();
        let mut moves: Moves<String> = Vec::new();
        for (i, token) in tokens.iter().enumerate() {
            let sides = [&tokens[..i], &tokens[i + 1..]];
            let left: Vec<String> = sides
                .iter()
                .filter(|side| !side.is_empty())
                .map(|side| side.iter().collect())
                .collect();
            let inner = *token == 'l' && left.len() == 2;
            moves.push((if inner { Again } else { Move }, left));
        }
        moves
    };
    let positions: Vec<_> = words("gl", 5).into_iter().map(|w| (w.clone(), vec![w])).collect();
    check(source!("lime-path"), "", &positions, &moves);
}

#[test]
fn tokens_that_capture_move_again() {
    let boards: [Vec<Vec<usize>>; 2] = [
        vec![vec![1, 2], vec![2, 3], vec![3, 0], vec![]],
        vec![vec![1], vec![2, 4], vec![0, 3], vec![4], vec![1, 5], vec![]],
    ];
    for (number, arcs) in boards.iter().enumerate() {
        let moves = |tokens: &Vec<usize>| {
            let mut moves: Moves<Vec<usize>> = Vec::new();
            for (i, &from) in tokens.iter().enumerate() {
                let mut others = tokens.clone();
                others.remove(i);
                for &next in &arcs[from] {
                    if others.contains(&next) {
                        moves.push((Again, vec![vec![next]]));
                    } else {
                        let mut after = others.clone();
                        after.push(next);
                        after.sort_unstable();
                        moves.push((Move, vec![after]));
                    }
                }
            }
            moves
        };
        let nodes = arcs.len();
        let pairs = (0..nodes).flat_map(|a| (a..nodes).map(move |b| (a, b)));
        let positions: Vec<_> =
            pairs.map(|(a, b)| (format!("{a},{b}"), vec![vec![a, b]])).collect();
        let brackets = if number == 0 { String::new() } else { format!("[{number}]") };
        check(source!("tokens"), &brackets, &positions, &moves);
    }
}

#[test]
fn boxes_on_a_strip_move_again_when_they_close_one() {
    let moves = |walls: &String| {
        let bytes = walls.as_bytes();
        let mut moves: Moves<String> = Vec::new();
        for i in 0..bytes.len() {
            if bytes[i] == b'.' {
                let mut after = bytes.to_vec();
                after[i] = b'|';
                let near = [i.checked_sub(1), Some(i + 1)];
                let closes = near.iter().flatten().any(|&j| bytes.get(j) == Some(&b'|'));
                let after = String::from_utf8(after).unwrap();
                moves.push((if closes { Again } else { Move }, vec![after]));
            }
        }
        moves
    };
    let positions: Vec<_> = words(".|", 5).into_iter().map(|w| (w.clone(), vec![w])).collect();
    check(source!("boxes"), "", &positions, &moves);
}

#[test]
fn a_sylver_coin_cannot_be_made_of_others() {
    const LAST: usize = 8;
    let sums = |named: &[usize]| {
        let mut sums = vec![false; LAST + 1];
        sums[0] = true;
        for n in 1..=LAST {
            sums[n] = named.iter().any(|&m| m <= n && sums[n - m]);
        }
        sums
    };
    // A position is the list of numbers in the order in which they were named.
    let moves = |named: &Vec<usize>| {
        let sums = sums(named);
        let free = (2..=LAST).filter(|&n| !sums[n]);
        free.map(|n| (Move, vec![[named.clone(), vec![n]].concat()])).collect::<Moves<_>>()
    };
    let mut positions = vec![("start".to_owned(), vec![Vec::new()])];
    positions.extend((2..=LAST).map(|n| (n.to_string(), vec![vec![n]])));
    positions.push(("4,7".to_owned(), vec![vec![4, 7]]));
    check(source!("sylver"), "[8]", &positions, &moves);
}

/// Who wins, by going back from the ends: for each position if Left starts and if Right starts.
fn outcomes<P: Clone + Eq + Hash>(
    start: P,
    moves: &dyn Fn(&P, bool) -> Vec<P>,
) -> HashMap<P, [&'static str; 2]> {
    let mut positions = vec![start];
    let mut options: Vec<[Vec<usize>; 2]> = Vec::new();
    while options.len() < positions.len() {
        let position = positions[options.len()].clone();
        let both = [true, false].map(|left| {
            let after = moves(&position, left).into_iter();
            let place = |to: P| {
                positions.iter().position(|known| *known == to).unwrap_or_else(|| {
                    positions.push(to);
                    positions.len() - 1
                })
            };
            after.map(place).collect()
        });
        options.push(both);
    }
    let names = ["L", "R"];
    let mut winner: Vec<[Option<usize>; 2]> = vec![[None; 2]; positions.len()];
    loop {
        let before = winner.clone();
        for (place, both) in options.iter().enumerate() {
            for player in 0..2 {
                let after = both[player].iter().map(|&to| before[to][1 - player]);
                let after: Vec<_> = after.collect();
                if after.contains(&Some(player)) {
                    winner[place][player] = Some(player);
                } else if after.iter().all(|won| *won == Some(1 - player)) {
                    winner[place][player] = Some(1 - player);
                }
            }
        }
        if winner == before {
            break;
        }
    }
    let letter = |won: Option<usize>| won.map_or("D", |player| names[player]);
    positions.into_iter().zip(winner).map(|(p, won)| (p, won.map(letter))).collect()
}

/// Compares all positions that play reaches.
fn check_partizan<P: Clone + Eq + Hash + Debug>(
    (name, source): (&str, &str),
    text: &str,
    start: P,
    read: &dyn Fn(&str) -> P,
    moves: &dyn Fn(&P, bool) -> Vec<P>,
) {
    let expected = outcomes(start, moves);
    let expression = format!("{name}:{text}");
    let fields = json!({"expression": expression, "given": {"rules": {name: source}}});
    let answer = ask("explore", &fields);
    let rows = answer["positions"].as_array().unwrap();
    for row in rows {
        let text = row["position"].as_str().unwrap();
        let position = read(text.split_once(':').unwrap().1);
        let [left, right] = expected[&position];
        assert_eq!(row["outcome"]["left_first"], left, "{text}");
        assert_eq!(row["outcome"]["right_first"], right, "{text}");
    }
    assert_eq!(rows.len(), expected.len(), "{expression}");
}

#[test]
fn only_toads_step_back() {
    let moves = |row: &Vec<u8>, left: bool| {
        let animal = if left { b't' } else { b'f' };
        let (ahead, other) = if left { (1_isize, b'f') } else { (-1, b't') };
        let at = |i: isize| usize::try_from(i).ok().and_then(|i| row.get(i)).copied();
        let mut after = Vec::new();
        for i in 0..row.len() as isize {
            if at(i) != Some(animal) {
                continue;
            }
            let mut targets = vec![i + ahead];
            if at(i + ahead) == Some(other) {
                targets.push(i + 2 * ahead);
            }
            if left {
                targets.push(i - 1);
            }
            for target in targets {
                if at(target) == Some(b'.') {
                    let mut row = row.clone();
                    row.swap(i as usize, target as usize);
                    after.push(row);
                }
            }
        }
        after
    };
    for text in ["t.f", "t..f", "tt.ff", "t.f.t", "tf..f", "t.tf."] {
        let read = |text: &str| text.as_bytes().to_vec();
        check_partizan(source!("stepping-toads"), text, read(text), &read, &moves);
    }
}

#[test]
fn hounds_never_go_back() {
    const COLUMN: [u8; 8] = [0, 1, 1, 1, 2, 2, 2, 3];
    let edges = [
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 2),
        (2, 3),
        (1, 4),
        (1, 5),
        (2, 5),
        (3, 5),
        (3, 6),
        (4, 5),
        (5, 6),
        (4, 7),
        (5, 7),
        (6, 7),
    ];
    let near = |a: usize, b: usize| edges.contains(&(a, b)) || edges.contains(&(b, a));
    let moves = |&[one, two, hare]: &[usize; 3], left: bool| {
        let free = |from: usize| {
            (0..8).filter(move |&to| near(from, to) && ![one, two, hare].contains(&to))
        };
        let mut after: Vec<[usize; 3]> = Vec::new();
        if left {
            after.extend(
                free(one).filter(|&to| COLUMN[to] >= COLUMN[one]).map(|to| [to, two, hare]),
            );
            after.extend(
                free(two).filter(|&to| COLUMN[to] >= COLUMN[two]).map(|to| [one, to, hare]),
            );
        } else {
            after.extend(free(hare).map(|to| [one, two, to]));
        }
        after
    };
    let read = |text: &str| -> [usize; 3] {
        let numbers: Vec<usize> = text.split(',').map(|word| word.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    };
    check_partizan(source!("hounds"), "0,2,7", [0, 2, 7], &read, &moves);
}
