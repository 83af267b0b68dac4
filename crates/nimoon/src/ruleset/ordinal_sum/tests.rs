use std::collections::HashMap;
use std::hash::Hash;

use nimoon_oracle::{Board, Outcome, Product};

use super::*;
use crate::impartial::value::EntailingValue::{Moon, Nimber};
use crate::ruleset::Kind;

/// A game without cycles: node v has the options `0[v]`, to smaller nodes.
#[derive(Clone, Debug)]
struct Acyclic(Vec<Vec<Move<usize>>>);

impl Ruleset for Acyclic {
    type Position = usize;

    fn name(&self) -> String {
        "acyclic".into()
    }

    fn options(&self, node: &usize) -> impl Iterator<Item = Move<usize>> {
        self.0[*node].iter().cloned()
    }

    fn read(&self, text: &str) -> Result<usize, NotationError> {
        let error = || NotationError::at(0, "expected a node");
        text.parse().ok().filter(|&node| node < self.0.len()).ok_or_else(error)
    }

    fn write(&self, node: &usize) -> String {
        node.to_string()
    }
}

impl Notation for Acyclic {}

impl Shortcuts for Acyclic {
    fn must_be_answered(&self, node: &usize) -> bool {
        self.0.iter().flatten().any(|option| option.to == *node && option.kind == Kind::Entailing)
    }
}

impl Acyclic {
    fn heap(size: usize) -> Self {
        Self((0..=size).map(|heap| (0..heap).map(Move::to).collect()).collect())
    }

    fn root(&self) -> usize {
        self.0.len() - 1
    }
}

/// All games on `len` nodes, with every pair of nodes joined by no move or by one of any kind.
fn games(len: usize) -> impl Iterator<Item = Acyclic> {
    let pairs = len * (len - 1) / 2;
    (0..1_usize << (2 * pairs)).map(move |mut code| {
        let mut options = |node| {
            (0..node)
                .filter_map(|to| {
                    let kind = code & 3;
                    code >>= 2;
                    let kinds = [Kind::Ordinary, Kind::Again, Kind::Entailing];
                    kinds.get(kind).map(|&kind| Move { to, kind })
                })
                .collect()
        };
        Acyclic((0..len).map(&mut options).collect())
    })
}

/// The nimbers beside which some move wins, by the rule for entailing moves.
fn won<R: Ruleset>(
    ruleset: &R,
    position: &R::Position,
    known: &mut HashMap<R::Position, NimberSet>,
) -> NimberSet {
    if let Some(set) = known.get(position) {
        return set.clone();
    }
    let mut set = NimberSet::nothing();
    for Move { to, kind } in ruleset.options(position) {
        let after = won(ruleset, &to, known);
        set = set.union(&match (kind, after.mex()) {
            (Kind::Entailing, _) => after.complement(),
            (Kind::Again, n) => NimberSet::all_except(n),
            (Kind::Ordinary, n) => NimberSet::only(n),
        });
    }
    known.insert(position.clone(), set.clone());
    set
}

fn value<R: Ruleset>(ruleset: &R, position: &R::Position) -> EntailingValue {
    won(ruleset, position, &mut HashMap::new()).mex().map_or(Moon, Nimber)
}

fn check(base: &Acyclic, top: &Acyclic) {
    let sum = OrdinalSum { base: base.clone(), top: top.clone() };
    let by_definition = value(&sum, &Ordinal::Both(base.root(), top.root()));
    let won_by_base = won(base, &base.root(), &mut HashMap::new());
    let by_colon = colon(&won_by_base, value(top, &top.root()));
    assert_eq!(by_colon, Some(by_definition), "{base:?} : {top:?}");
}

#[test]
fn the_colon_principle_holds_for_all_small_games_with_moves_of_every_kind() {
    let small: Vec<_> = (1..=3).flat_map(games).collect();
    let large: Vec<_> = games(4).collect();
    for game in small.iter().chain(&large) {
        for other in &small {
            check(game, other);
            check(other, game);
        }
        for size in 0..5 {
            check(game, &Acyclic::heap(size));
            check(&Acyclic::heap(size), game);
        }
    }
}

/// The game as a board of white and gray nodes, the given position first: a carry-on move goes
/// through a gray node with one option.
fn board<R: Ruleset>(ruleset: &R, position: R::Position) -> Board
where
    R::Position: Eq + Hash,
{
    let mut board = Board { gray: vec![false], options: vec![vec![]] };
    let mut nodes = HashMap::from([((position.clone(), false), 0)]);
    let mut open = vec![(position, 0)];
    while let Some((position, node)) = open.pop() {
        for Move { to, kind } in ruleset.options(&position) {
            let gray = kind == Kind::Entailing;
            let target = *nodes.entry((to.clone(), gray)).or_insert_with(|| {
                board.gray.push(gray);
                board.options.push(vec![]);
                open.push((to, board.gray.len() - 1));
                board.gray.len() - 1
            });
            if kind == Kind::Again {
                board.gray.push(true);
                board.options.push(vec![target]);
                board.options[node].push(board.gray.len() - 1);
            } else {
                board.options[node].push(target);
            }
        }
    }
    board
}

#[test]
fn the_value_is_the_heap_beside_which_the_previous_player_wins() {
    const LARGEST: usize = 5;
    let small: Vec<_> = games(3).collect();
    for (base, top) in small.iter().flat_map(|base| small.iter().map(move |top| (base, top))) {
        let won_by_base = won(base, &base.root(), &mut HashMap::new());
        let value = colon(&won_by_base, value(top, &top.root())).unwrap();
        let sum = OrdinalSum { base: base.clone(), top: top.clone() };
        let board = board(&sum, Ordinal::Both(base.root(), top.root()));
        let play = Product::new(&[&board, &Board::heap(LARGEST)]).unwrap();
        for heap in 0..=LARGEST {
            let lost = play.outcome(&[0, heap]) == Some(Outcome::P);
            assert_eq!(lost, value == Nimber(heap as u64), "{base:?} : {top:?} + {heap}");
        }
    }
}

#[test]
fn the_form_of_the_base_counts() {
    let star = Acyclic(vec![vec![], vec![Move::to(0)]]);
    // 0, *, *2, and {0, *2}.
    let reversible = Acyclic(vec![
        vec![],
        vec![Move::to(0)],
        vec![Move::to(0), Move::to(1)],
        vec![Move::to(0), Move::to(2)],
    ]);
    assert_eq!(value(&star, &1), value(&reversible, &3));
    let low = OrdinalSum { base: star.clone(), top: star.clone() };
    let high = OrdinalSum { base: reversible, top: star };
    assert_eq!(value(&low, &Ordinal::Both(1, 1)), Nimber(2));
    assert_eq!(value(&high, &Ordinal::Both(3, 1)), Nimber(3));
}

#[test]
fn two_nimbers_can_make_a_moon_where_the_base_has_a_carry_on_move() {
    let base = Acyclic(vec![vec![], vec![Move::again(0)]]);
    assert_eq!(value(&base, &1), Nimber(0));
    let sum = OrdinalSum { base, top: Acyclic::heap(1) };
    assert_eq!(value(&sum, &Ordinal::Both(1, 1)), Moon);
}

#[test]
fn a_number_that_does_not_fit_is_not_a_value() {
    assert_eq!(colon(&NimberSet::only([0]), Nimber(u64::MAX)), None);
    assert_eq!(colon(&NimberSet::nothing(), Nimber(u64::MAX)), Some(Nimber(u64::MAX)));
    assert_eq!(colon(&NimberSet::all_except([3]), Nimber(u64::MAX)), Some(Moon));
    assert_eq!(colon(&NimberSet::nothing(), Moon), Some(Moon));
}

#[test]
fn moves_in_the_base_annihilate_the_top_and_are_listed_first() {
    let top = Acyclic(vec![vec![], vec![Move::entailing(0)]]);
    let base = Acyclic(vec![vec![], vec![Move::again(0)]]);
    let sum = OrdinalSum { base, top };
    let position = Ordinal::Both(1, 1);
    let options: Vec<_> = sum.options(&position).collect();
    let expected = [Move::again(Ordinal::Base(0)), Move::entailing(Ordinal::Both(1, 0))];
    assert_eq!(options, expected);
    assert_eq!(sum.words(&position, 0, &options[0]), "in the base, move to 0");
    assert_eq!(sum.words(&position, 1, &options[1]), "on top, move to 0");
    assert_eq!(sum.board(&position), "1\n──\n1");
    assert!(sum.must_be_answered(&Ordinal::Both(1, 0)) && !sum.must_be_answered(&position));
    assert!(!sum.must_be_answered(&Ordinal::Base(0)));
    let alone: Vec<_> = sum.options(&Ordinal::Base(1)).collect();
    assert_eq!(sum.words(&Ordinal::Base(1), 0, &alone[0]), "move to 0");
}

/// Two heaps side by side.
struct TwoHeaps;

impl Ruleset for TwoHeaps {
    type Position = [u8; 2];

    fn name(&self) -> String {
        "two-heaps".into()
    }

    fn options(&self, &[a, b]: &[u8; 2]) -> impl Iterator<Item = Move<[u8; 2]>> {
        (0..a).map(move |a| Move::to([a, b])).chain((0..b).map(move |b| Move::to([a, b])))
    }

    fn read(&self, _text: &str) -> Result<[u8; 2], NotationError> {
        Err(NotationError::at(0, "not needed here"))
    }

    fn write(&self, heaps: &[u8; 2]) -> String {
        format!("{heaps:?}")
    }

    fn components(&self, [a, b]: [u8; 2]) -> Vec<[u8; 2]> {
        vec![[a, 0], [0, b]]
    }

    fn canonical(&self, [a, b]: [u8; 2]) -> [u8; 2] {
        [a.max(b), a.min(b)]
    }
}

impl Notation for TwoHeaps {}

impl Shortcuts for TwoHeaps {}

#[test]
fn a_base_splits_once_the_top_is_gone_and_not_before() {
    let sum = OrdinalSum { base: TwoHeaps, top: Acyclic::heap(1) };
    let both = Ordinal::Both([1, 2], 1);
    assert_eq!(sum.components(both), [both]);
    assert_eq!(sum.canonical(both), both);
    let parts = sum.components(Ordinal::Base([1, 2]));
    assert_eq!(parts, [Ordinal::Base([1, 0]), Ordinal::Base([0, 2])]);
    assert_eq!(sum.canonical(parts[1]), Ordinal::Base([2, 0]));
    // * + *2 has options worth 0, 1 and 2: with * on top it is the second number after these.
    assert_eq!(value(&TwoHeaps, &[1, 2]), Nimber(3));
    assert_eq!(value(&sum, &both), Nimber(4));
}

#[test]
fn positions_are_written_and_read_also_nested_ones() {
    let heap = || Acyclic::heap(9);
    let pair = || OrdinalSum { base: heap(), top: heap() };
    assert_eq!(pair().read("2 | 3"), Ok(Ordinal::Both(2, 3)));
    assert_eq!(pair().read("2|3"), Ok(Ordinal::Both(2, 3)));
    assert_eq!(pair().read(" 2 "), Ok(Ordinal::Base(2)));
    let nested = OrdinalSum { base: pair(), top: pair() };
    let positions = [Ordinal::Both(1, 2), Ordinal::Both(0, 9), Ordinal::Base(0), Ordinal::Base(7)];
    for base in positions {
        let read = nested.read(&nested.write(&Ordinal::Base(base)));
        assert_eq!(read, Ok(Ordinal::Base(base)));
        for top in positions {
            let position = Ordinal::Both(base, top);
            assert_eq!(nested.read(&nested.write(&position)), Ok(position));
        }
    }
    assert_eq!(nested.write(&Ordinal::Both(positions[0], positions[3])), "(1 | 2) | 7");
    let place = |text| nested.read(text).unwrap_err().at;
    assert_eq!(place("(1 | 2) | x"), 10);
    assert_eq!(place("(1 | xx) | 3"), 5);
    assert_eq!(place("1 | 2 | 3"), 6);
    assert_eq!(place("1 | (2 | 10)"), 9);
    assert_eq!(place(""), 0);
    assert_eq!(place("1 |"), 3);
    for text in ["(", ")", "(|", "|)", "((|))", "|", "é|é", "()|()"] {
        assert!(nested.read(text).is_err(), "{text}");
    }
}
