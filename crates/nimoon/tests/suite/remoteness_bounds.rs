//! The bounds on the moves of what players are sure of, against minimax to a bounded depth.

use crate::common::{Kind, Plain, config, digraphs};
use nimoon::Node;
use nimoon::player::Player::{self, Left, Right};
use nimoon::smith::remoteness::{PayoffGame, PayoffSolution};
use proptest::prelude::*;

/// A game as the oracle sees it: each node has an owner, or none if either player may move from it.
struct Small {
    plain: Plain,
    owners: Vec<Option<Player>>,
    /// What the player who moved last is paid at a terminal node.
    pays: Vec<i64>,
}

impl Small {
    fn is_end(&self, node: usize) -> bool {
        self.plain.options[node].is_empty()
    }

    /// For each depth, node and player to move: whether `viewer` can be paid at least `least`
    /// within that many moves, whatever the other player does.
    fn within(&self, viewer: Player, least: i64) -> Vec<Vec<[bool; 2]>> {
        let all = |sure: &dyn Fn(usize, Player) -> bool| -> Vec<[bool; 2]> {
            (0..self.plain.len())
                .map(|node| [Left, Right].map(|to_move| sure(node, to_move)))
                .collect()
        };
        let paid = |node: usize, to_move: Player| {
            let last = to_move.opponent();
            let pay = if last == viewer { self.pays[node] } else { -self.pays[node] };
            self.is_end(node) && pay >= least
        };
        let mut depths = vec![all(&paid)];
        // Two positions a node: a strategy that repeats none needs no more moves.
        for _ in 0..2 * self.plain.len() {
            let before = depths.last().expect("depth 0");
            let now = all(&|node, to_move| {
                let sure = |&to: &usize| before[to][usize::from(to_move == Left)];
                let options = &self.plain.options[node];
                match options.as_slice() {
                    [] => paid(node, to_move),
                    _ if to_move == viewer => options.iter().any(sure),
                    _ => options.iter().all(sure),
                }
            });
            depths.push(now);
        }
        depths
    }

    fn check(&self, of_endings: bool) {
        let digraph = self.plain.digraph();
        let pay = |node: Node| self.pays[node as usize];
        let game = if self.owners.iter().all(Option::is_none) {
            PayoffGame::impartial(&digraph, pay)
        } else {
            PayoffGame::bicoloured(&digraph, |node| self.owners[node as usize], pay)
        };
        let game = game.expect("a game");
        let solution = if of_endings {
            PayoffSolution::of_endings(&game)
        } else {
            PayoffSolution::of_payoffs(&game)
        };
        let payoffs: Vec<i64> = if of_endings { vec![-1, 0, 1] } else { game.payoffs().to_vec() };
        for viewer in Player::BOTH {
            let sign = if viewer == Left { 1 } else { -1 };
            let mut goals: Vec<i64> = payoffs.iter().map(|pay| sign * pay).collect();
            goals.sort_unstable();
            // What the oracle knows, from the best goal to the worst.
            let tables: Vec<_> =
                goals.into_iter().rev().map(|pay| (pay, self.within(viewer, pay))).collect();
            for node in 0..self.plain.len() {
                for to_move in Player::BOTH {
                    if self.owners[node].is_some_and(|owner| owner != to_move) {
                        continue;
                    }
                    let place = usize::from(to_move == Right);
                    let truth = tables.iter().find_map(|(pay, depths)| {
                        Some((*pay, depths.iter().position(|depth| depth[node][place])? as u32))
                    });
                    let levels = solution.levels(node as Node, to_move, viewer);
                    let found: Vec<(i64, u32)> = levels
                        .iter()
                        .filter_map(|level| Some((level.goal.pay, level.moves?)))
                        .collect();
                    assert_eq!(
                        found,
                        Vec::from_iter(truth),
                        "{:?} {:?} {:?}: {viewer} from {node}, {to_move} to move",
                        self.plain,
                        self.owners,
                        self.pays
                    );
                }
            }
        }
    }
}

fn none(len: usize) -> Vec<Option<Player>> {
    vec![None; len]
}

/// Ways to own the nodes of a digraph, so that every arc leads from one player's node to the
/// other's.
fn ownerships(plain: &Plain) -> Vec<Vec<Option<Player>>> {
    let all = (0..1_u32 << plain.len()).map(|code| -> Vec<Player> {
        (0..plain.len()).map(|node| if code >> node & 1 == 1 { Left } else { Right }).collect()
    });
    let alternate = |owners: &Vec<Player>| {
        let mut arcs = plain
            .options
            .iter()
            .enumerate()
            .flat_map(|(from, row)| row.iter().map(move |&to| (from, to)));
        arcs.all(|(from, to)| owners[from] != owners[to])
    };
    all.filter(alternate).map(|owners| owners.into_iter().map(Some).collect()).collect()
}

#[test]
fn a_loss_at_the_end_is_reached_without_the_move_that_q_adds() {
    // c → c, b; b → z; the player who moves last at z loses. From c the next player wins within 2
    // moves.
    let plain = Plain { gray: vec![false; 3], options: vec![vec![0, 1], vec![2], vec![]] };
    let digraph = plain.digraph();
    let game = PayoffGame::impartial(&digraph, |_| -1).expect("a game");
    let solution = PayoffSolution::of_endings(&game);
    let sure = solution.levels(0, Left, Left);
    assert_eq!((sure.len(), sure[0].goal.pay, sure[0].moves), (1, 1, Some(2)));
    assert_eq!(solution.good_move(sure[0].goal, 0, Left), Some(1));
    Small { plain, owners: none(3), pays: vec![-1; 3] }.check(true);
}

#[test]
fn bounds_are_exact_on_all_digraphs_of_three_nodes() {
    for code in 0..1_u32 << 9 {
        let row = |node: usize| (0..3).filter(|to| code >> (3 * node + to) & 1 == 1).collect();
        let plain = Plain { gray: vec![false; 3], options: (0..3).map(row).collect() };
        let ends = plain.options.iter().filter(|row| row.is_empty()).count() as u32;
        for choice in 0..3_i64.pow(ends) {
            let mut rest = choice;
            let pays: Vec<i64> = plain
                .options
                .iter()
                .map(|row| {
                    let pay = if row.is_empty() { rest % 3 - 1 } else { 0 };
                    rest /= if row.is_empty() { 3 } else { 1 };
                    pay
                })
                .collect();
            for owners in ownerships(&plain).into_iter().chain([none(3)]) {
                Small { plain: plain.clone(), owners, pays: pays.clone() }.check(true);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn bounds_are_exact_on_random_digraphs(
        plain in digraphs(Kind::Cyclic, 7),
        pays in prop::collection::vec(-4..5_i64, 7),
        owned in any::<bool>(),
        of_endings in any::<bool>(),
    ) {
        let len = plain.len();
        let cut = |pay: &i64| if of_endings { pay.signum() } else { *pay };
        let pays = pays[..len].iter().map(cut).collect();
        // Where nodes have owners, only the arcs between even and odd nodes are kept.
        let (plain, owners) = if owned {
            let mut plain = plain;
            for (from, row) in plain.options.iter_mut().enumerate() {
                row.retain(|to| (from + to) % 2 == 1);
            }
            let owner = |node| Some(if node % 2 == 0 { Left } else { Right });
            (plain, (0..len).map(owner).collect())
        } else {
            (plain, none(len))
        };
        Small { plain, owners, pays }.check(of_endings);
    }
}
