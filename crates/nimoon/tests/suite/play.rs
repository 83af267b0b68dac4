//! Turns against the oracle: they are legal, they keep the outcome, and they win in the end.

use std::collections::{HashMap, HashSet};

use crate::common::{Kind, Plain, sums, sums_of};
use nimoon::impartial::turn::{best_turns, solve};
use nimoon::{
    Answer, Digraph, Guide, Labelling, Limits, Node, Sum, Theory, Turn, TurnKind, Work, label,
};
use nimoon_oracle::{Outcome, Product};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// The sum by brute force, from any position of it.
struct Oracle<'a> {
    plain: &'a Plain,
    product: Product,
}

impl<'a> Oracle<'a> {
    fn new(plain: &'a Plain, pieces: usize) -> Self {
        let board = plain.board();
        let boards = vec![&board; pieces];
        Self { plain, product: Product::new(&boards).expect("small") }
    }

    fn outcome(&self, pieces: &[usize]) -> Outcome {
        self.product.outcome(pieces).expect("a position")
    }

    fn plies(&self, pieces: &[usize]) -> Vec<(usize, usize)> {
        let gray = pieces.iter().position(|&node| self.plain.gray[node]);
        let movable = |component: &usize| gray.is_none_or(|gray| gray == *component);
        let components = (0..pieces.len()).filter(movable);
        components
            .flat_map(|i| self.plain.options[pieces[i]].iter().map(move |&to| (i, to)))
            .collect()
    }

    /// The opponent has no say: a piece on a gray node with one option.
    fn forced(&self, pieces: &[usize]) -> bool {
        let gray = pieces.iter().find(|&&node| self.plain.gray[node]);
        gray.is_some_and(|&node| self.plain.options[node].len() == 1)
    }
}

/// Plays a turn, checking every ply; returns the position after it and whether the opponent is
/// the one to move there.
fn play(oracle: &Oracle<'_>, pieces: &[usize], turn: &Turn) -> (Vec<usize>, bool) {
    let mut pieces = pieces.to_vec();
    let mut mover = true;
    let mut passed = HashSet::from([pieces.clone()]);
    let mut passed_with = HashSet::from([(pieces.clone(), mover)]);
    for (i, ply) in turn.plies.iter().enumerate() {
        let to = ply.to as usize;
        assert_eq!(pieces[ply.component], ply.from as usize, "{turn:?}");
        assert!(oracle.plies(&pieces).contains(&(ply.component, to)), "{ply:?} of {turn:?}");
        assert_eq!(ply.forced, !mover, "{ply:?} of {turn:?}");
        assert!(mover || oracle.forced(&pieces), "{ply:?} of {turn:?} is the opponent's choice");
        pieces[ply.component] = to;
        mover = !mover;
        // An endless turn stops where a position repeats. One that ends may come through a
        // position twice, with the other player to move.
        let repeats = !passed.insert(pieces.clone()) && turn.endless;
        assert_eq!(repeats, turn.endless && i + 1 == turn.plies.len(), "{turn:?}");
        assert!(turn.endless || passed_with.insert((pieces.clone(), mover)), "{turn:?}");
    }
    if !turn.endless {
        let stuck = oracle.plies(&pieces).is_empty();
        assert!(stuck || (!mover && !oracle.forced(&pieces)), "{turn:?} stops too early");
    }
    (pieces, !mover)
}

fn check_turn(oracle: &Oracle<'_>, pieces: &[usize], answer: &Answer) -> (Vec<usize>, bool) {
    let turn = answer.turn.as_ref().expect("a turn");
    let outcome = oracle.outcome(pieces);
    let (after, opponents) = play(oracle, pieces, turn);
    let kind = match outcome {
        Outcome::N => TurnKind::Winning,
        Outcome::D => TurnKind::Drawing,
        Outcome::P if turn.plies.is_empty() => TurnKind::None,
        Outcome::P => TurnKind::Losing,
    };
    assert_eq!(turn.kind, kind, "{turn:?}");
    match kind {
        TurnKind::Winning => assert!(opponents && oracle.outcome(&after) == Outcome::P, "{turn:?}"),
        TurnKind::Drawing => {
            assert!(
                turn.endless || (opponents && oracle.outcome(&after) == Outcome::D),
                "{turn:?}"
            );
        }
        TurnKind::Losing => assert!(!turn.endless, "{turn:?}"),
        TurnKind::None => assert!(oracle.plies(pieces).is_empty()),
    }
    (after, opponents)
}

/// Plays the engine's winning turns against every reply and counts the engine's turns of the
/// longest play; a play that never ends comes back to a position that is still open.
fn turns_to_win(
    engine: &mut dyn FnMut(&[usize]) -> Answer,
    oracle: &Oracle<'_>,
    pieces: &[usize],
    known: &mut HashMap<Vec<usize>, Option<usize>>,
) -> usize {
    match known.get(pieces) {
        Some(Some(turns)) => return *turns,
        Some(None) => panic!("the engine circles through {pieces:?}"),
        None => {}
    }
    known.insert(pieces.to_vec(), None);
    let (after, _) = check_turn(oracle, pieces, &engine(pieces));
    let mut longest = 0;
    for (component, to) in oracle.plies(&after) {
        let mut reply = after.clone();
        reply[component] = to;
        longest = longest.max(turns_to_win(engine, oracle, &reply, known));
    }
    known.insert(pieces.to_vec(), Some(longest + 1));
    longest + 1
}

fn nodes(pieces: &[usize]) -> Vec<Node> {
    pieces.iter().map(|&node| node as Node).collect()
}

fn answer(digraph: &Digraph, labelling: &Labelling, pieces: &[usize], budget: Limits) -> Answer {
    let sum = Sum::new(digraph, labelling, nodes(pieces)).expect("at most one gray piece");
    solve(&sum, &Work::new(budget)).expect("an algebra or enough budget")
}

/// Too little for any product, so that the falling measure must guide.
const BY_MEASURE: Limits = Limits::new(0);

fn check_sum(plain: &Plain, pieces: &[usize], budget: Limits) -> Result<(), TestCaseError> {
    let digraph = plain.digraph();
    let labelling = label(&digraph, None, &Work::default()).expect("some theory fits");
    let oracle = Oracle::new(plain, pieces.len());
    let first = answer(&digraph, &labelling, pieces, budget);
    let remoteness = match first.guide {
        Guide::Search { remoteness } => Some(remoteness.map(|r| r as usize)),
        Guide::Measure => None,
    };
    prop_assert_eq!(remoteness.is_none(), budget == BY_MEASURE);
    prop_assert_eq!(first.outcome.to_string(), format!("{:?}", oracle.outcome(pieces)));
    check_turn(&oracle, pieces, &first);
    if let Some(remoteness) = remoteness {
        prop_assert_eq!(remoteness, oracle.product.remoteness(pieces));
    }
    if oracle.outcome(pieces) == Outcome::N {
        let mut engine = |pieces: &[usize]| answer(&digraph, &labelling, pieces, budget);
        turns_to_win(&mut engine, &oracle, pieces, &mut HashMap::new());
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::common::config(1500))]

    #[test]
    fn by_remoteness_the_engine_wins_against_every_reply((plain, pieces) in sums(7)) {
        check_sum(&plain, &pieces, Limits::DEFAULT)?;
    }

    #[test]
    fn by_measure_the_engine_wins_carry_on_sums((plain, pieces) in sums_of(Kind::CarryOn, 8)) {
        check_sum(&plain, &pieces, BY_MEASURE)?;
    }

    #[test]
    fn by_measure_the_engine_wins_cyclic_sums((plain, pieces) in sums_of(Kind::Cyclic, 8)) {
        check_sum(&plain, &pieces, BY_MEASURE)?;
    }

    #[test]
    fn by_height_the_engine_wins_entailing_sums((plain, pieces) in sums_of(Kind::Entailing, 8)) {
        check_sum(&plain, &pieces, BY_MEASURE)?;
    }

    #[test]
    fn the_list_of_winning_turns_is_what_plain_enumeration_finds((plain, pieces) in sums(5)) {
        let digraph = plain.digraph();
        let labelling = label(&digraph, None, &Work::default()).expect("some theory fits");
        let sum = Sum::new(&digraph, &labelling, nodes(&pieces)).expect("one gray piece at most");
        let found = best_turns(&sum, &Work::default(), 5000).expect("enough budget");
        let oracle = Oracle::new(&plain, pieces.len());
        // A turn that wins leaves a lost position, and one that holds a draw leaves a draw.
        let wanted = match oracle.outcome(&pieces) {
            Outcome::D => Outcome::D,
            _ => Outcome::P,
        };
        prop_assert!(found.turns.iter().is_sorted_by_key(|turn| turn.plies.len()));
        let listed: HashSet<Vec<(usize, usize)>> = found
            .turns
            .iter()
            .map(|turn| turn.plies.iter().map(|ply| (ply.component, ply.to as usize)).collect())
            .collect();
        prop_assert_eq!(listed.len(), found.turns.len(), "a turn is listed twice");
        for turn in &found.turns {
            let (after, opponents) = play(&oracle, &pieces, turn);
            prop_assert!(opponents && oracle.outcome(&after) == wanted);
            prop_assert_eq!(turn.kind == TurnKind::Drawing, wanted == Outcome::D);
        }
        if !found.truncated {
            let mut all = HashSet::new();
            let mut passed = vec![pieces.clone()];
            let mut plies = Vec::new();
            enumerate(&oracle, wanted, &pieces, true, &mut plies, &mut passed, &mut all);
            prop_assert_eq!(listed, all);
        }
    }
}

/// Every turn that repeats no position and leaves a position of this outcome for an opponent to move
/// in.
fn enumerate(
    oracle: &Oracle<'_>,
    wanted: Outcome,
    pieces: &[usize],
    mover: bool,
    plies: &mut Vec<(usize, usize)>,
    passed: &mut Vec<Vec<usize>>,
    all: &mut HashSet<Vec<(usize, usize)>>,
) {
    if !mover && !oracle.forced(pieces) {
        if oracle.outcome(pieces) == wanted {
            all.insert(plies.clone());
        }
        return;
    }
    for (component, to) in oracle.plies(pieces) {
        let mut after = pieces.to_vec();
        after[component] = to;
        if passed.contains(&after) {
            continue;
        }
        plies.push((component, to));
        passed.push(after.clone());
        enumerate(oracle, wanted, &after, !mover, plies, passed, all);
        passed.pop();
        plies.pop();
    }
}

/// A small generator with a seed, for games that are played once.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

/// Mostly downhill, with some arcs back and some gray nodes: all kinds of values occur.
fn hilly(len: usize, gray_share: usize, dice: &mut Dice) -> Digraph {
    let mut arcs = Vec::new();
    let mut gray = Vec::new();
    for v in 1..len {
        let is_gray = dice.below(100) < gray_share;
        if is_gray {
            gray.push(v as Node);
        }
        for _ in 0..if is_gray { 1 } else { 1 + dice.below(4) } {
            let back = dice.below(12) == 0;
            let to = if back { dice.below(len) } else { v - 1 - dice.below(v.min(25)) };
            arcs.push((v as Node, to as Node));
        }
    }
    Digraph::new(len, gray, arcs).expect("a digraph")
}

/// Pieces on white nodes, drawn at random.
fn white_pieces(digraph: &Digraph, count: usize, dice: &mut Dice) -> Vec<Node> {
    std::iter::repeat_with(|| dice.below(digraph.len()) as Node)
        .filter(|&node| !digraph.is_gray(node))
        .take(count)
        .collect()
}

fn legal_plies(digraph: &Digraph, pieces: &[Node]) -> Vec<(usize, Node)> {
    let gray = pieces.iter().position(|&node| digraph.is_gray(node));
    let movable = gray.map_or(0..pieces.len(), |only| only..only + 1);
    movable.flat_map(|i| digraph.options(pieces[i]).iter().map(move |&to| (i, to))).collect()
}

/// The number of turns in which the engine beats an opponent, who moves at random or as stubbornly
/// as the engine would.
fn beat(
    digraph: &Digraph,
    labelling: &Labelling,
    mut pieces: Vec<Node>,
    mut random: Option<&mut Dice>,
) -> usize {
    let bound = digraph.len() * pieces.len();
    let turn = |pieces: &[Node]| {
        let sum = Sum::new(digraph, labelling, pieces.to_vec()).expect("one gray piece at most");
        solve(&sum, &Work::new(BY_MEASURE)).expect("an algebra").turn.expect("a turn")
    };
    for turns in 0..bound {
        let winning = turn(&pieces);
        assert_eq!(winning.kind, TurnKind::Winning, "after {turns} turns");
        winning.plies.iter().for_each(|ply| pieces[ply.component] = ply.to);
        let replies = legal_plies(digraph, &pieces);
        match &mut random {
            _ if replies.is_empty() => return turns + 1,
            Some(dice) => {
                let (component, to) = replies[dice.below(replies.len())];
                pieces[component] = to;
            }
            None => {
                let losing = turn(&pieces);
                assert_eq!(losing.kind, TurnKind::Losing);
                losing.plies.iter().for_each(|ply| pieces[ply.component] = ply.to);
                let stuck = legal_plies(digraph, &pieces).is_empty();
                // Stuck at the end of its own turn, the opponent has lost.
                if stuck && losing.plies.last().is_some_and(|ply| ply.forced) {
                    return turns + 1;
                }
            }
        }
    }
    panic!("no win in {bound} turns");
}

#[test]
fn on_large_sums_the_engine_beats_random_and_stubborn_opponents() {
    let mut dice = Dice(2026);
    let mut won = 0;
    for game in 0..400 {
        let digraph = hilly(120, [0, 15, 30][game % 3], &mut dice);
        let labelling = label(&digraph, Some(Theory::CarryOn), &Work::default()).expect("fits");
        let pieces: Vec<Node> = white_pieces(&digraph, 2 + game % 9, &mut dice);
        let sum = Sum::new(&digraph, &labelling, pieces.clone()).expect("white pieces");
        if sum.outcome() == Some(nimoon::Outcome::N) {
            won += 1;
            beat(&digraph, &labelling, pieces.clone(), Some(&mut dice));
            beat(&digraph, &labelling, pieces, None);
        }
    }
    assert!(won > 100, "only {won} positions were won");
}

#[test]
fn on_large_sums_the_engine_holds_the_draw_against_random_opponents() {
    let mut dice = Dice(7);
    let mut drawn = 0;
    for game in 0..200 {
        let digraph = hilly(100, [0, 15, 30][game % 3], &mut dice);
        let labelling = label(&digraph, Some(Theory::CarryOn), &Work::default()).expect("fits");
        let mut pieces: Vec<Node> = white_pieces(&digraph, 2 + game % 5, &mut dice);
        for _ in 0..40 {
            let sum = Sum::new(&digraph, &labelling, pieces.clone()).expect("one gray at most");
            if sum.outcome() != Some(nimoon::Outcome::D) {
                break;
            }
            let turn =
                solve(&sum, &Work::new(BY_MEASURE)).expect("an algebra").turn.expect("a turn");
            assert_eq!(turn.kind, TurnKind::Drawing);
            if turn.endless {
                break;
            }
            drawn += 1;
            turn.plies.iter().for_each(|ply| pieces[ply.component] = ply.to);
            let after = Sum::new(&digraph, &labelling, pieces.clone()).expect("one gray at most");
            assert_eq!(after.outcome(), Some(nimoon::Outcome::D));
            let replies = legal_plies(&digraph, &pieces);
            let (component, to) = replies[dice.below(replies.len())];
            pieces[component] = to;
        }
    }
    assert!(drawn > 500, "only {drawn} drawing turns");
}

/// The places of the pieces in the order of assignment, added up.
fn measure(labelling: &Labelling, pieces: &[Node]) -> usize {
    let place = |node: &Node| labelling.order().iter().position(|other| other == node);
    pieces.iter().map(|node| place(node).map_or(usize::MAX / 8, |place| place + 1)).sum()
}

fn after(pieces: &[Node], turn: &Turn) -> Vec<Node> {
    let mut pieces = pieces.to_vec();
    turn.plies.iter().for_each(|ply| pieces[ply.component] = ply.to);
    pieces
}

proptest! {
    // About one sum in ten is of the kind in question.
    #![proptest_config(crate::common::config(6000))]

    #[test]
    fn by_measure_a_winning_turn_leaves_the_least((plain, pieces) in sums_of(Kind::CarryOn, 8)) {
        let digraph = plain.digraph();
        let labelling = label(&digraph, Some(Theory::CarryOn), &Work::default()).expect("fits");
        let sum = Sum::new(&digraph, &labelling, nodes(&pieces)).expect("one gray piece at most");
        let chosen = solve(&sum, &Work::new(BY_MEASURE)).expect("an algebra").turn.expect("a turn");
        let left = after(sum.pieces(), &chosen);
        let checkmates = left.iter().any(|&node| digraph.is_gray(node));
        let starts_gray = pieces.iter().any(|&node| plain.gray[node]);
        if chosen.kind != TurnKind::Winning || checkmates || starts_gray {
            return Ok(());
        }
        let listed = best_turns(&sum, &Work::default(), 500).expect("an algebra");
        for turn in listed.turns {
            let left_by_turn = after(sum.pieces(), &turn);
            let last = turn.plies.last().expect("plies").component;
            // Carrying on among equal nimbers without need is not what a plan does.
            let needless = |i: usize| {
                i != last && labelling.nimber(sum.pieces()[i]).is_some()
                    && sum.pieces()[i] != left_by_turn[i]
            };
            let checkmate = left_by_turn.iter().any(|&node| digraph.is_gray(node));
            if !checkmate && !(0..pieces.len()).any(needless) {
                prop_assert!(measure(&labelling, &left) <= measure(&labelling, &left_by_turn));
            }
        }
    }

    #[test]
    fn by_measure_a_losing_turn_leaves_the_most((plain, pieces) in sums_of(Kind::Cyclic, 8)) {
        let digraph = plain.digraph();
        let labelling = label(&digraph, Some(Theory::Cyclic), &Work::default()).expect("fits");
        let sum = Sum::new(&digraph, &labelling, nodes(&pieces)).expect("no gray pieces");
        let chosen = solve(&sum, &Work::new(BY_MEASURE)).expect("an algebra").turn.expect("a turn");
        if chosen.kind != TurnKind::Losing {
            return Ok(());
        }
        let after_best_reply = |pieces: Vec<Node>| {
            let sum = Sum::new(&digraph, &labelling, pieces).expect("no gray pieces");
            let reply = solve(&sum, &Work::new(BY_MEASURE)).expect("an algebra").turn.expect("a turn");
            measure(&labelling, &after(sum.pieces(), &reply))
        };
        let left = after_best_reply(after(sum.pieces(), &chosen));
        for (component, to) in legal_plies(&digraph, sum.pieces()) {
            let mut other = sum.pieces().to_vec();
            other[component] = to;
            prop_assert!(left >= after_best_reply(other));
        }
    }
}

#[test]
fn a_list_of_turns_that_was_cut_still_has_one() {
    // 600 pieces on {0, ↻0} and {↻0, ↻*}: each must be brought to a nimber.
    let [zero, one, c0, c1, g, h] = [0, 1, 2, 3, 4, 5];
    let arcs = vec![(one, zero), (c0, zero), (c1, one), (g, zero), (g, c0), (h, c0), (h, c1)];
    let digraph = Digraph::new(6, [c0, c1], arcs).expect("a digraph");
    let labelling = label(&digraph, Some(Theory::CarryOn), &Work::default()).expect("fits");
    let pieces: Vec<Node> = (0..600).map(|i| if i % 2 == 0 { g } else { h }).collect();
    let sum = Sum::new(&digraph, &labelling, pieces).expect("white pieces");
    let list = best_turns(&sum, &Work::default(), 10).expect("an algebra");
    assert!(list.truncated && !list.turns.is_empty());
}

#[test]
fn sums_of_many_equal_components_are_won_too() {
    let mut dice = Dice(11);
    let mut won = 0;
    for game in 0..600 {
        let digraph = hilly(60, [15, 30, 45][game % 3], &mut dice);
        let labelling = label(&digraph, Some(Theory::CarryOn), &Work::default()).expect("fits");
        let kinds: Vec<Node> = white_pieces(&digraph, 3, &mut dice);
        // Up to twenty copies of each, of which few can need a choice.
        let copies: Vec<usize> = kinds.iter().map(|_| dice.below(21)).collect();
        let pieces: Vec<Node> =
            kinds.iter().zip(copies).flat_map(|(&node, n)| std::iter::repeat_n(node, n)).collect();
        let sum = Sum::new(&digraph, &labelling, pieces.clone()).expect("white pieces");
        if sum.outcome() != Some(nimoon::Outcome::N) {
            continue;
        }
        won += 1;
        let turn = solve(&sum, &Work::new(BY_MEASURE)).expect("an algebra").turn.expect("a turn");
        assert_eq!(turn.kind, TurnKind::Winning);
        let left = after(&pieces, &turn);
        let after = Sum::new(&digraph, &labelling, left).expect("one gray piece at most");
        assert_eq!(after.outcome(), Some(nimoon::Outcome::P));
    }
    assert!(won > 150, "only {won} positions were won");
}

#[test]
fn a_draw_at_the_end_of_a_long_gray_chain_is_found_in_linear_space() {
    // 0 passes or not, a chain of gray nodes leads to it, and the last node starts the chain.
    let len = 60_001;
    let mut arcs: Vec<(Node, Node)> = (1..len).map(|node| (node, node - 1)).collect();
    arcs.push((0, 0));
    let digraph = Digraph::new(len as usize, 1..len - 1, arcs).expect("a digraph");
    let labelling = label(&digraph, None, &Work::default()).expect("fits");
    for budget in [Limits::DEFAULT, BY_MEASURE] {
        let sum = Sum::new(&digraph, &labelling, vec![len - 1]).expect("one piece");
        let turn = solve(&sum, &Work::new(budget)).expect("an algebra").turn.expect("a turn");
        assert_eq!((turn.kind, turn.endless), (TurnKind::Drawing, false));
        assert_eq!(turn.plies.last().map(|ply| ply.to), Some(0));
    }
}
