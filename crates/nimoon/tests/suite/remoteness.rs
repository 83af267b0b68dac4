//! Terminal distance and remoteness against sweeps, and good strategies against every reply.

use crate::common::{Kind, Plain, config, digraphs};
use nimoon::smith::remoteness::{PartizanRemoteness, Play, Remoteness};
use nimoon::{Digraph, Node, Outcome, partizan::Graph, player::Player};
use nimoon_oracle::compounds::{self, Options};
use proptest::prelude::*;

const PLAYS: [Play; 2] = [Play::Normal, Play::Misere];

fn as_found(values: &[Option<usize>]) -> Vec<Option<u32>> {
    values.iter().map(|value| value.map(|value| value as u32)).collect()
}

/// The lengths of all plays in which one player follows a strategy; none if one of them is endless.
///
/// `chosen` has the moves at a position with this player to move or not.
fn lengths(
    start: (Node, bool),
    chosen: &dyn Fn(Node, bool) -> Vec<Node>,
    path: &mut Vec<(Node, bool)>,
) -> Option<(u32, u32)> {
    if path.contains(&start) {
        return None;
    }
    path.push(start);
    let (node, follows) = start;
    let mut range: Option<(u32, u32)> = None;
    for to in chosen(node, follows) {
        let (least, most) = lengths((to, !follows), chosen, path)?;
        let (least, most) = (least + 1, most + 1);
        range = Some(range.map_or((least, most), |(a, b)| (a.min(least), b.max(most))));
    }
    path.pop();
    Some(range.unwrap_or((0, 0)))
}

#[test]
fn the_three_nodes_of_smith_are_solved_and_the_strategy_ends() {
    let [one, two, three] = [0, 1, 2];
    let digraph = Digraph::new(3, [], vec![(one, two), (two, one), (two, three)]).unwrap();
    let solved = Remoteness::new(&digraph, Play::Normal);
    let all = [one, two, three];
    assert_eq!(all.map(|node| solved.distance(node)), [None, None, Some(0)]);
    assert_eq!(all.map(|node| solved.remoteness(node)), [Some(2), Some(1), Some(0)]);
    assert_eq!(all.map(|node| solved.outcome(node)), [Outcome::P, Outcome::N, Outcome::P]);
    // From N to P alone there are two ways, one of which circles; the good one ends.
    let to_p: Vec<Node> = digraph.options(two).to_vec();
    assert!(to_p.iter().all(|&to| solved.outcome(to) == Outcome::P) && to_p.len() == 2);
    assert_eq!(solved.good_moves(&digraph, two).collect::<Vec<_>>(), [three]);
    let chosen = |node, follows| {
        if follows {
            solved.good_move(&digraph, node).into_iter().collect()
        } else {
            digraph.options(node).to_vec()
        }
    };
    assert_eq!(lengths((two, true), &chosen, &mut Vec::new()), Some((1, 1)));
    assert_eq!(lengths((one, false), &chosen, &mut Vec::new()), Some((2, 2)));
}

#[test]
fn a_gray_node_changes_nothing_for_a_single_piece() {
    let arcs = vec![(0, 1), (1, 2), (1, 0), (2, 2)];
    let white = Digraph::new(3, [], arcs.clone()).unwrap();
    let gray = Digraph::new(3, [1, 2], arcs).unwrap();
    assert_eq!(Remoteness::new(&white, Play::Normal), Remoteness::new(&gray, Play::Normal));
}

/// Winners by good moves win within the remoteness, and losers last as long.
fn check_strategies(plain: &Plain, play: Play) {
    let digraph = plain.digraph();
    let solved = Remoteness::new(&digraph, play);
    let extra = u32::from(play == Play::Misere);
    for node in digraph.nodes() {
        let good = |node: Node| solved.good_move(&digraph, node).into_iter().collect::<Vec<_>>();
        let all = |node: Node| digraph.options(node).to_vec();
        if let Some(remoteness) = solved.remoteness(node) {
            let winner_moves = remoteness % 2 == 1;
            // In misère play the count has one move more, which a player who is stuck would make.
            let chosen = |node, follows| if follows { good(node) } else { all(node) };
            let (_, most) = lengths((node, winner_moves), &chosen, &mut Vec::new())
                .expect("the winner comes to an end");
            assert!(most <= remoteness, "{plain:?} {node}");
            // The loser may as well meet a winner who keeps winning in any other way.
            let winning = |node: Node| {
                let to_p = |&to: &Node| solved.outcome(to) == Outcome::P;
                digraph.options(node).iter().copied().filter(to_p).collect::<Vec<_>>()
            };
            let chosen = |node, follows| if follows { good(node) } else { winning(node) };
            if let Some((least, _)) = lengths((node, !winner_moves), &chosen, &mut Vec::new()) {
                assert!(least + extra >= remoteness, "{plain:?} {node}");
            }
        } else {
            // Neither player can be made to lose: no end that is lost is reached.
            let chosen = |node, follows| if follows { good(node) } else { all(node) };
            let mut seen = vec![(node, true), (node, false)];
            let mut next = 0;
            while let Some(&(at, follows)) = seen.get(next) {
                next += 1;
                let moves = chosen(at, follows);
                let loses = follows == (play == Play::Normal);
                assert!(!(moves.is_empty() && loses), "{plain:?} {node}");
                for to in moves {
                    if !seen.contains(&(to, !follows)) {
                        seen.push((to, !follows));
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn distance_and_remoteness_are_those_of_the_definitions(plain in digraphs(Kind::Cyclic, 9)) {
        let digraph = plain.digraph();
        for play in PLAYS {
            let solved = Remoteness::new(&digraph, play);
            let expected =
                compounds::remoteness(&plain.options, &vec![play == Play::Misere; plain.len()]);
            let found: Vec<_> = digraph.nodes().map(|node| solved.remoteness(node)).collect();
            prop_assert_eq!(found, as_found(&expected));
            let found: Vec<_> = digraph.nodes().map(|node| solved.distance(node)).collect();
            prop_assert_eq!(found, as_found(&compounds::distances(&plain.options)));
            // (7), with the conventional move more in misère play.
            let more = u32::from(play == Play::Misere);
            for node in digraph.nodes() {
                if let Some(distance) = solved.distance(node) {
                    prop_assert!(solved.remoteness(node).is_some_and(|r| r <= distance + more));
                }
            }
        }
    }

    #[test]
    fn remoteness_with_left_and_right_is_that_of_the_bicoloured_digraph(
        left in prop::collection::vec((0..6_u32, 0..6_u32), 0..12),
        right in prop::collection::vec((0..6_u32, 0..6_u32), 0..12),
    ) {
        let graph = Graph::new(6, left.clone(), right.clone()).unwrap();
        let mut options: Options = vec![Vec::new(); 12];
        for (edges, mover) in [(&left, 0), (&right, 1)] {
            for &(from, to) in edges {
                options[2 * from as usize + mover].push(2 * to as usize + 1 - mover);
            }
        }
        for play in PLAYS {
            let solved = PartizanRemoteness::new(&graph, play);
            let remoteness = compounds::remoteness(&options, &[play == Play::Misere; 12]);
            let distances = compounds::distances(&options);
            for vertex in 0..6 {
                for (player, mover) in [(Player::Left, 0), (Player::Right, 1)] {
                    let at = 2 * vertex as usize + mover;
                    prop_assert_eq!(solved.remoteness(vertex, player), as_found(&remoteness)[at]);
                    prop_assert_eq!(solved.distance(vertex, player), as_found(&distances)[at]);
                    let good = solved.good_move(vertex, player);
                    prop_assert_eq!(good.is_none(), options[at].is_empty());
                    if let Some(to) = good {
                        let expected = remoteness[at].map(|r| r as u32 - 1);
                        prop_assert_eq!(solved.remoteness(to, player.opponent()), expected);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn good_strategies_win_fast_and_lose_slowly_against_every_reply(
        plain in digraphs(Kind::Cyclic, 6),
    ) {
        for play in PLAYS {
            check_strategies(&plain, play);
        }
    }
}

#[test]
fn the_work_is_linear_in_nodes_and_arcs() {
    // A long way with a loop at every node, a deep tree of cycles, and a complete digraph.
    let len = 20_000_u32;
    let mut arcs: Vec<(Node, Node)> = (1..len).map(|node| (node, node - 1)).collect();
    arcs.extend((1..len).step_by(3).map(|node| (node, node)));
    let way = Digraph::new(len as usize, [], arcs).unwrap();
    let pairs = (0..200).flat_map(|from| (0..200).map(move |to| (from, to))).collect();
    let complete = Digraph::new(200, [], pairs).unwrap();
    let shuffled = (0..60_000_u32)
        .map(|i| (i % 20_000, (i.wrapping_mul(2_654_435_761) >> 8) % 20_000))
        .filter(|(from, _)| from % 7 != 0)
        .collect();
    let random = Digraph::new(20_000, [], shuffled).unwrap();
    for digraph in [way, complete, random] {
        for play in PLAYS {
            let solved = Remoteness::new(&digraph, play);
            // Each of the two functions visits a node once and an arc at most once.
            let most = 2 * (digraph.len() + digraph.arc_count()) as u64;
            assert!(solved.work() <= most, "{} of {most}", solved.work());
        }
    }
}
