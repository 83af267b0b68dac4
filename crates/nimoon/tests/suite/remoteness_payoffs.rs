//! Generalized remoteness and security levels, against the modified game of the definition and
//! against strategies that are played out.

use std::collections::HashSet;

use crate::common::{Kind, Plain, config, digraphs};
use nimoon::Node;
use nimoon::player::Player::{self, Left, Right};
use nimoon::smith::remoteness::security::{Assurance, Ending, table_1};
use nimoon::smith::remoteness::{Generalized, PayoffGame, PayoffSolution};
use nimoon_oracle::compounds::{self, Options};
use proptest::prelude::*;

/// The number of a position: a node with a player to move.
fn at(node: usize, player: Player) -> usize {
    2 * node + usize::from(player == Right)
}

/// The bicoloured digraph, and what Left is paid at its terminal positions.
fn bicoloured(plain: &Plain, pays: &[i64]) -> (Options, Vec<i64>) {
    let mut options = vec![Vec::new(); 2 * plain.len()];
    let mut paid = vec![0; 2 * plain.len()];
    for node in 0..plain.len() {
        for player in Player::BOTH {
            options[at(node, player)] =
                plain.options[node].iter().map(|&to| at(to, player.opponent())).collect();
        }
        paid[at(node, Right)] = pays[node];
        paid[at(node, Left)] = -pays[node];
    }
    (options, paid)
}

/// Q by the definition: one more move where the last player has failed, and then remoteness.
fn by_definition(options: &Options, previous: &dyn Fn(usize) -> bool) -> Vec<Option<u32>> {
    let mut modified = options.clone();
    for position in 0..options.len() {
        if options[position].is_empty() && !previous(position) {
            let end = modified.len();
            modified[position].push(end);
            modified.push(Vec::new());
        }
    }
    let remoteness = compounds::remoteness(&modified, &vec![false; modified.len()]);
    remoteness[..options.len()].iter().map(|value| value.map(|value| value as u32)).collect()
}

/// How plays may end when each player has these moves: what Left is paid, and whether some play is
/// endless.
fn endings(
    options: &Options,
    paid: &[i64],
    start: usize,
    chosen: &dyn Fn(usize) -> Option<usize>,
) -> (HashSet<i64>, bool, usize) {
    fn visit(
        walk: &mut (Vec<usize>, HashSet<i64>, bool, usize),
        options: &Options,
        paid: &[i64],
        position: usize,
        chosen: &dyn Fn(usize) -> Option<usize>,
    ) {
        if walk.0.contains(&position) {
            walk.2 = true;
            return;
        }
        walk.0.push(position);
        if options[position].is_empty() {
            walk.1.insert(paid[position]);
            walk.3 = walk.3.max(walk.0.len() - 1);
        }
        match chosen(position) {
            Some(to) => visit(walk, options, paid, to, chosen),
            None => {
                for &to in &options[position] {
                    visit(walk, options, paid, to, chosen);
                }
            }
        }
        walk.0.pop();
    }
    let mut walk = (Vec::new(), HashSet::new(), false, 0);
    visit(&mut walk, options, paid, start, chosen);
    (walk.1, walk.2, walk.3)
}

/// The good strategy of one player, on positions.
fn strategy<'a>(
    game: &'a PayoffGame,
    q: &'a Generalized,
    player: Player,
) -> impl Fn(usize) -> Option<usize> + 'a {
    move |position| {
        let is_mine = position % 2 == usize::from(player == Right);
        let to = q.good_move(game, (position / 2) as Node, player).filter(|_| is_mine)?;
        Some(at(to as usize, player.opponent()))
    }
}

/// A strategy as printed: the first move that lowers Q by one, or keeps it infinite.
fn by_q<'a>(
    plain: &'a Plain,
    q: &'a Generalized,
    player: Player,
) -> impl Fn(usize) -> Option<usize> + 'a {
    move |position| {
        let node = position / 2;
        let target = q.value(node as Node, player).map(|value| value.wrapping_sub(1));
        let leaves = |to: &usize| q.value(*to as Node, player.opponent()) == target;
        let is_mine = position % 2 == usize::from(player == Right);
        let to = plain.options[node].iter().copied().find(leaves).filter(|_| is_mine)?;
        Some(at(to, player.opponent()))
    }
}

fn games() -> impl Strategy<Value = (Plain, Vec<i64>)> {
    digraphs(Kind::Cyclic, 5).prop_flat_map(|plain| {
        let pays = prop::collection::vec(-1..2_i64, plain.len());
        (Just(plain), pays)
    })
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn q_is_the_remoteness_of_the_modified_game((plain, pays) in games(), least in -2..3_i64) {
        let game = PayoffGame::impartial(&plain.digraph(), |node| pays[node as usize]).unwrap();
        let (options, paid) = bicoloured(&plain, &pays);
        let q = game.generalized((least < 2).then_some(least));
        let previous = |position: usize| {
            (least < 2 && paid[position] >= least) == (position % 2 == 1)
        };
        let expected = by_definition(&options, &previous);
        for node in 0..plain.len() {
            for player in Player::BOTH {
                prop_assert_eq!(q.value(node as Node, player), expected[at(node, player)]);
            }
        }
        prop_assert!(q.work() <= game.size());
    }

    /// The five cases of §5, with the strategies of (ii) and (iv) exchanged.
    #[test]
    fn in_each_of_the_five_cases_both_players_get_what_is_promised((plain, pays) in games()) {
        let game = PayoffGame::impartial(&plain.digraph(), |node| pays[node as usize]).unwrap();
        let (options, paid) = bicoloured(&plain, &pays);
        let [q1, q0] = [1, 0].map(|least| game.generalized(Some(least)));
        for node in 0..plain.len() {
            let start = at(node, Left);
            let [one, zero] = [&q1, &q0].map(|q| q.value(node as Node, Left));
            let odd = |q: Option<u32>| q.is_some_and(|q| q % 2 == 1);
            let even = |q: Option<u32>| q.is_some_and(|q| q % 2 == 0);
            let play = |q: &Generalized, player| {
                endings(&options, &paid, start, &strategy(&game, q, player))
            };
            if odd(one) {
                let (ends, endless, longest) = play(&q1, Left);
                prop_assert!(!endless && ends.iter().all(|&end| end == 1));
                prop_assert!(longest <= one.unwrap() as usize);
            } else {
                // (ii), (iv), (v): Barbara keeps Abe from winning.
                let (ends, _, _) = play(&q1, Right);
                prop_assert!(ends.iter().all(|&end| end < 1));
            }
            if odd(zero) {
                let (ends, endless, longest) = play(&q0, Left);
                prop_assert!(!endless && ends.iter().all(|&end| end >= 0));
                prop_assert!(longest <= zero.unwrap() as usize);
            }
            if even(zero) {
                let (ends, endless, longest) = play(&q0, Right);
                prop_assert!(!endless && ends.iter().all(|&end| end == -1));
                prop_assert!(longest <= zero.unwrap() as usize);
            } else {
                let (ends, _, _) = play(&q0, Left);
                prop_assert!(ends.iter().all(|&end| end > -1));
            }
            if even(one) {
                let (ends, endless, _) = play(&q1, Right);
                prop_assert!(!endless && ends.iter().all(|&end| end <= 0));
            }
            if one.is_none() && zero.is_none() {
                let (ends, _, _) = play(&q1, Left);
                prop_assert!(ends.iter().all(|&end| end == 1));
                let (ends, _, _) = play(&q0, Right);
                prop_assert!(ends.iter().all(|&end| end == -1));
            }
        }
    }

    #[test]
    fn security_levels_are_reached_by_their_strategies_and_nothing_better_is(
        (plain, pays) in games(),
    ) {
        let game = PayoffGame::impartial(&plain.digraph(), |node| pays[node as usize]).unwrap();
        let (options, paid) = bicoloured(&plain, &pays);
        let functions = [Some(2), Some(1), Some(0), Some(-1)].map(|v| game.generalized(v));
        let [q2, q1, q0, end] = &functions;
        for node in 0..plain.len() {
            let start = at(node, Left);
            for (player, three, sign) in [(Left, [q1, q0, end], 1), (Right, [q0, q1, q2], -1)] {
                let values = three.map(|q| q.value(node as Node, Left));
                for level in table_1(values, player == Left) {
                    let [win, draw, loss] = three;
                    let q = match level.goal {
                        Ending::Win => win,
                        Ending::Draw => draw,
                        Ending::Loss => loss,
                    };
                    let (ends, endless, longest) =
                        endings(&options, &paid, start, &strategy(&game, q, player));
                    let least = ends.iter().map(|&end| sign * end).min();
                    let promised = match level.ending() {
                        Ending::Win => 1,
                        Ending::Draw => 0,
                        Ending::Loss => -1,
                    };
                    prop_assert!(least.is_none_or(|least| least >= promised));
                    prop_assert_eq!(level.assurance, match level.moves {
                        Some(_) => Assurance::Bounded,
                        None => Assurance::Unterminated,
                    });
                    if let Some(moves) = level.moves {
                        prop_assert!(!endless && longest <= moves as usize);
                    }
                }
            }
        }
    }

    #[test]
    fn what_players_are_sure_of_holds_when_it_is_played((plain, pays) in games(), factor in 0..40_i64) {
        // Wins, draws and losses without a factor; else more different payoffs than three.
        let place = |i: i64| if factor == 0 { 0 } else { i };
        let pays: Vec<i64> =
            (0..).zip(&pays).map(|(i, pay)| pay * factor.max(1) + place(i)).collect();
        let game = PayoffGame::impartial(&plain.digraph(), |node| pays[node as usize]).unwrap();
        let (options, paid) = bicoloured(&plain, &pays);
        let solution = match factor {
            0 => PayoffSolution::of_endings(&game),
            _ => PayoffSolution::of_payoffs(&game),
        };
        for node in 0..plain.len() {
            for (mover, viewer) in [(Left, Left), (Left, Right), (Right, Left), (Right, Right)] {
                let sign = if viewer == Left { 1 } else { -1 };
                let levels = solution.levels(node as Node, mover, viewer);
                for level in &levels {
                    let chosen = |position: usize| {
                        let is_mine = position % 2 == usize::from(viewer == Right);
                        let node = (position / 2) as Node;
                        let to = solution.good_move(level.goal, node, viewer);
                        Some(at(to.filter(|_| is_mine)? as usize, viewer.opponent()))
                    };
                    let (ends, endless, longest) =
                        endings(&options, &paid, at(node, mover), &chosen);
                    prop_assert!(ends.iter().all(|&end| sign * end >= level.goal.pay));
                    prop_assert_eq!(level.moves.is_none(), level.assurance == Assurance::Unterminated);
                    if let Some(moves) = level.moves {
                        prop_assert!(!endless && longest <= moves as usize);
                    }
                }
                // The best that is sure by the definition is the best that is reported.
                let all = if factor == 0 { &[-1, 0, 1] } else { game.payoffs() };
                let is_sure = |&pay: &i64| {
                    let abe = |p: usize| if viewer == Left { paid[p] >= pay } else { -paid[p] < pay };
                    let q = by_definition(&options, &|p| abe(p) == (p % 2 == 1))[at(node, mover)];
                    q.is_some_and(|q| (q % 2 == 1) == (mover == viewer))
                };
                let best = all.iter().map(|&pay| sign * pay).filter(is_sure).max();
                let best_level = levels.iter().find(|level| level.moves.is_some());
                prop_assert_eq!(best_level.map(|level| level.goal.pay), best);
            }
        }
    }

    #[test]
    fn payoffs_are_reached_in_order((plain, pays) in games(), factor in 1..40_i64) {
        // More different payoffs than three.
        let pays: Vec<i64> = (0..).zip(&pays).map(|(i, pay)| pay * factor + i).collect();
        let game = PayoffGame::impartial(&plain.digraph(), |node| pays[node as usize]).unwrap();
        let (options, paid) = bicoloured(&plain, &pays);
        for node in 0..plain.len() {
            let start = at(node, Left);
            let mut was_sure = true;
            for &least in game.payoffs() {
                let q = game.generalized(Some(least));
                let value = q.value(node as Node, Left);
                let sure = value.is_some_and(|value| value % 2 == 1);
                // Who is sure of much is sure of little.
                prop_assert!(was_sure || !sure);
                was_sure = sure;
                let mine = if value.is_some_and(|value| value % 2 == 0) { Right } else { Left };
                let (ends, endless, _) =
                    endings(&options, &paid, start, &strategy(&game, &q, mine));
                prop_assert!(ends.iter().all(|&end| (end >= least) == (mine == Left)));
                prop_assert!(!endless || value.is_none());
            }
        }
    }
}

fn game(options: &[&[usize]], pays: &[i64]) -> (Plain, PayoffGame, Options, Vec<i64>) {
    let options: Vec<Vec<usize>> = options.iter().map(|row| row.to_vec()).collect();
    let plain = Plain { gray: vec![false; options.len()], options };
    let game = PayoffGame::impartial(&plain.digraph(), |node| pays[node as usize]).unwrap();
    let (options, paid) = bicoloured(&plain, pays);
    (plain, game, options, paid)
}

/// Whether Barbara by σ₀ in case (ii), or Abe by σ₁ in case (iv), gets less than a draw from a
/// node.
fn refutes_as_printed(options: &[&[usize]], pays: &[i64], node: usize) -> bool {
    let (plain, game, options, paid) = game(options, pays);
    let [q1, q0] = [1, 0].map(|least| game.generalized(Some(least)));
    let [one, zero] = [&q1, &q0].map(|q| q.value(node as Node, Left).map(|q| q % 2));
    let play = |q, player| endings(&options, &paid, at(node, Left), &by_q(&plain, q, player)).0;
    let case_ii = zero == Some(1) && one != Some(1) && play(&q0, Right).contains(&1);
    let case_iv = one == Some(0) && zero != Some(0) && play(&q1, Left).contains(&-1);
    // With the strategies exchanged it never happens.
    assert!(zero != Some(1) || one == Some(1) || !play(&q1, Right).contains(&1));
    assert!(one != Some(0) || zero == Some(0) || !play(&q0, Left).contains(&-1));
    case_ii || case_iv
}

#[test]
fn the_strategies_of_cases_ii_and_iv_are_not_those_printed() {
    // The player who moves last at 0 loses, and 1 is a draw. From 2 one moves to either or stays,
    // and Abe begins. To end play at all is a success for the opponent in these Q-functions, so
    // they do not distinguish 0 from 1.
    assert!(refutes_as_printed(&[&[], &[], &[0, 1, 2]], &[-1, 0, 0], 2));
    // A longer one, without a choice among good moves: from 1 one draws at 2, or goes a long way to
    // lose at 6.
    let long: &[&[usize]] = &[&[1], &[2, 3], &[], &[4], &[5], &[6], &[]];
    assert!([0, 1].iter().all(|&node| refutes_as_printed(long, &[0, 0, 0, 0, 0, 0, 1], node)));
    // None of two nodes does.
    let rows: [&[usize]; 5] = [&[], &[0], &[1], &[0, 1], &[1, 0]];
    for (first, second) in rows.iter().flat_map(|first| rows.map(|second| (*first, second))) {
        for pays in (-1..2).flat_map(|a| (-1..2).map(move |b| [a, b])) {
            assert!((0..2).all(|node| !refutes_as_printed(&[first, second], &pays, node)));
        }
    }
}

/// A row of Table 1 that finite games have: a game, its Q-functions at node 0 for Abe, the first of
/// which is a win, and what he is sure of.
#[test]
fn each_finite_row_of_table_1_has_a_game_for_abe_and_for_barbara() {
    use Assurance::{Bounded, Unterminated};
    use Ending::{Draw, Loss, Win};
    type Row<'a> = (&'a [&'a [usize]], &'a [i64], [Option<u32>; 3], Vec<(Ending, Assurance)>);
    let rows: [Row; 8] = [
        // Abe moves to 1 and wins.
        (&[&[1], &[]], &[0, 1], [Some(1); 3], vec![(Win, Bounded)]),
        // Abe moves to 1, a draw.
        (&[&[1], &[]], &[0, 0], [Some(2), Some(1), Some(1)], vec![(Draw, Bounded)]),
        // Abe draws at 1, or moves to the loop.
        (&[&[1, 2], &[], &[2]], &[0; 3], [None, Some(1), Some(1)], vec![(Draw, Bounded)]),
        // Abe loses at 1, or moves to the loop.
        (
            &[&[1, 2], &[], &[2]],
            &[0, -1, 0],
            [None, None, Some(1)],
            vec![(Draw, Unterminated), (Loss, Bounded)],
        ),
        // As before with a longer cycle, which only Barbara can leave, for a draw at 3.
        (
            &[&[1, 2], &[], &[3, 4], &[], &[2]],
            &[0, -1, 0, 0, 0],
            [Some(2), None, Some(1)],
            vec![(Draw, Unterminated), (Loss, Bounded)],
        ),
        (&[&[0]], &[0], [None; 3], vec![(Draw, Unterminated)]),
        // Abe moves to 1 and loses.
        (&[&[1], &[]], &[0, -1], [Some(2), Some(2), Some(1)], vec![(Loss, Bounded)]),
        // Abe must move to 1; Barbara wins at 2, or lets play go on.
        (&[&[1], &[2, 3], &[], &[1]], &[0, 0, 1, 0], [Some(2), Some(2), None], vec![]),
    ];
    for (options, pays, expected, levels) in rows {
        let (plain, game, ..) = game(options, pays);
        let functions = [1, 0, -1].map(|least| game.generalized(Some(least)));
        let values = functions.each_ref().map(|q| q.value(0, Left));
        assert_eq!(values, expected, "{plain:?} {pays:?}");
        let found = table_1(values, true);
        let found: Vec<_> = found.iter().map(|level| (level.ending(), level.assurance)).collect();
        assert_eq!(found, levels, "{plain:?} {pays:?}");
        // For Barbara the same game with a move of Abe's before it.
        let mut longer: Vec<Vec<usize>> = options.iter().map(|row| row.to_vec()).collect();
        longer.push(vec![0]);
        let first = longer.len() - 1;
        let rows: Vec<&[usize]> = longer.iter().map(Vec::as_slice).collect();
        let mut pays = pays.to_vec();
        pays.push(0);
        let (plain, game, ..) = self::game(&rows, &pays);
        let barbara = [Some(0), Some(1), Some(2)].map(|least| game.generalized(least));
        let values = barbara.each_ref().map(|q| q.value(first as Node, Left));
        let found = table_1(values, false);
        let found: Vec<_> = found.iter().map(|level| (level.ending(), level.assurance)).collect();
        assert_eq!(found, levels, "{plain:?} for Barbara: {values:?}");
    }
}

#[test]
fn q_of_any_end_is_never_even_where_abe_moves() {
    // Exhaustively on all games of three nodes: the printed last row of Table 1 has no game.
    for code in 0..1_u32 << 9 {
        let row = |node: u32| (0..3).filter(move |to| code >> (3 * node + to) & 1 == 1);
        let options: Vec<Vec<usize>> =
            (0..3).map(|node| row(node).map(|to| to as usize).collect()).collect();
        let plain = Plain { gray: vec![false; 3], options };
        for pays in 0..27_i64 {
            let pay = |node: Node| pays / 3_i64.pow(node) % 3 - 1;
            let game = PayoffGame::impartial(&plain.digraph(), pay).unwrap();
            let end = game.generalized(Some(-1));
            for node in 0..3 {
                assert!(end.value(node, Left).is_none_or(|value| value % 2 == 1));
            }
        }
    }
}
