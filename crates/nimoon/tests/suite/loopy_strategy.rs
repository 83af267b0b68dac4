//! Complete survival strategies, played against every reply.

use crate::loopy_common::{all_graphs, config, engine, plain};
use nimoon::partizan::strategy::{Difference, Move, Strategy};
use nimoon::{
    Limits, Work,
    partizan::{Graph, Vertex},
    player::Player,
};
use nimoon_oracle::loopy::{Difference as Brute, Endless, Partizan};
use proptest::prelude::*;

/// What can happen if a player plays by his strategy: the positions that are met from a start, each
/// with the moves that may be made there and whether these count.
struct Plays {
    moves: Vec<Vec<(usize, bool)>>,
    ours: Vec<bool>,
}

impl Plays {
    /// Follows all plays from a start.
    fn new<P: Copy + PartialEq>(
        start: P,
        ours: impl Fn(P) -> bool,
        moves: impl Fn(P) -> Vec<(P, bool)>,
    ) -> Self {
        let mut met = vec![start];
        let mut plays = Self { moves: Vec::new(), ours: Vec::new() };
        while let Some(&position) = met.get(plays.moves.len()) {
            let mut list = Vec::new();
            for (to, counts) in moves(position) {
                let known = met.iter().position(|&other| other == to);
                let place = known.unwrap_or_else(|| {
                    met.push(to);
                    met.len() - 1
                });
                list.push((place, counts));
            }
            plays.moves.push(list);
            plays.ours.push(ours(position));
        }
        plays
    }

    /// Whether we never run out of moves.
    fn never_stuck(&self) -> bool {
        self.moves.iter().zip(&self.ours).all(|(moves, &ours)| !ours || !moves.is_empty())
    }

    /// Whether every endless play makes infinitely many moves that count: the others alone lead
    /// round no cycle. Positions are taken away as long as no such move leads from them to one that
    /// is left.
    fn endless_play_counts(&self) -> bool {
        let mut left: Vec<bool> = vec![true; self.moves.len()];
        loop {
            let before = left.clone();
            for (position, moves) in self.moves.iter().enumerate() {
                left[position] = moves.iter().any(|&(to, counts)| !counts && before[to]);
            }
            if left == before {
                return !left.contains(&true);
            }
        }
    }
}

/// All plays from a state of a graph in which the player of a strategy follows it.
fn plays(graph: &Graph, strategy: &Strategy, start: Vertex, first: Player, counts: bool) -> Plays {
    let ours = |(_, mover): (Vertex, Player)| mover == strategy.player();
    Plays::new((start, first), ours, |(vertex, mover)| {
        let to = if mover == strategy.player() {
            strategy.recommended(vertex).into_iter().collect()
        } else {
            graph.options(vertex, mover).to_vec()
        };
        to.into_iter().map(|to| ((to, mover.opponent()), counts)).collect()
    })
}

/// All plays from a state of a difference in which Left follows a strategy.
fn plays_of_difference(
    [a, b]: [&Graph; 2],
    strategy: &Difference,
    start: (Vertex, Vertex),
    first: Player,
) -> Plays {
    let ours = |(_, _, mover): (Vertex, Vertex, Player)| mover == Player::Left;
    Plays::new((start.0, start.1, first), ours, |(u, v, mover)| {
        let moves: Vec<Move> = match mover {
            Player::Left => strategy.recommended(u, v).into_iter().collect(),
            Player::Right => {
                let in_first = a.options(u, mover).iter().copied().map(Move::InFirst);
                let in_second = b.options(v, Player::Left).iter().copied().map(Move::InSecond);
                in_first.chain(in_second).collect()
            }
        };
        let next = moves.into_iter().map(|step| {
            let (u, v) = step.after(u, v);
            ((u, v, mover.opponent()), matches!(step, Move::InFirst(_)))
        });
        next.collect()
    })
}

fn check_strategy(graph: &Partizan, player: Player) -> Result<(), TestCaseError> {
    let outcomes = graph.outcomes();
    let graph = engine(graph);
    let strategy = Strategy::survival(&graph, player);
    for vertex in 0..graph.len() as Vertex {
        let options = graph.options(vertex, player);
        match strategy.recommended(vertex) {
            Some(to) => prop_assert!(options.contains(&to)),
            None => prop_assert!(options.is_empty()),
        }
        for (first, &winner) in Player::BOTH.into_iter().zip(&outcomes[vertex as usize]) {
            let survives = winner != Some(plain(player.opponent()));
            let wins = winner == Some(plain(player));
            prop_assert_eq!(strategy.survives(vertex, first), survives, "{}", vertex);
            prop_assert_eq!(strategy.wins(vertex, first), wins, "{}", vertex);
            if survives {
                let plays = plays(&graph, &strategy, vertex, first, true);
                prop_assert!(plays.never_stuck(), "{} loses {}", player, vertex);
            }
            if wins {
                let plays = plays(&graph, &strategy, vertex, first, false);
                prop_assert!(plays.never_stuck(), "{} loses {}", player, vertex);
                prop_assert!(plays.endless_play_counts(), "{} draws {}", player, vertex);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(4000))]

    #[test]
    fn strategies_survive_and_win_whatever_can_be(graph in all_graphs(8)) {
        check_strategy(&graph, Player::Left)?;
        check_strategy(&graph, Player::Right)?;
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn strategies_survive_differences(a in all_graphs(5), b in all_graphs(5)) {
        let brute = Brute::new(&a, &b, Endless::InFirst);
        let [a, b] = [engine(&a), engine(&b)];
        let strategy = Difference::new(&a, &b, &mut Work::default()).unwrap();
        // Exits of cycles come first, and are dull.
        let [from_u, from_v] = [&a, &b].map(|graph| graph.len().saturating_sub(5));
        for u in from_u..a.len() {
            for v in from_v..b.len() {
                let (u_vertex, v_vertex) = (u as Vertex, v as Vertex);
                let options =
                    a.options(u_vertex, Player::Left).len() + b.options(v_vertex, Player::Right).len();
                prop_assert_eq!(strategy.recommended(u_vertex, v_vertex).is_some(), options > 0);
                for first in Player::BOTH {
                    let survives = brute.survives(u, v, plain(first));
                    prop_assert_eq!(strategy.survives(u_vertex, v_vertex, first), survives);
                    if survives {
                        let plays =
                            plays_of_difference([&a, &b], &strategy, (u_vertex, v_vertex), first);
                        prop_assert!(plays.never_stuck(), "{} - {}", u, v);
                        prop_assert!(plays.endless_play_counts(), "{} - {}", u, v);
                    }
                }
            }
        }
    }
}

#[test]
fn left_must_leave_a_loop_in_the_second_game() {
    // over − off: Left could stay in on = −off, but would lose if Right did so as well.
    let over = Graph::new(2, [(0, 1)], [(0, 0)]).unwrap();
    let off = Graph::new(1, [], [(0, 0)]).unwrap();
    let strategy = Difference::new(&over, &off, &mut Work::default()).unwrap();
    assert!(strategy.survives(0, 0, Player::Right));
    // dud − dud: endless play within the second alone is a loss.
    let dud = Graph::new(1, [(0, 0)], [(0, 0)]).unwrap();
    let strategy = Difference::new(&dud, &dud, &mut Work::default()).unwrap();
    assert!(strategy.survives(0, 0, Player::Right));
    assert_eq!(strategy.recommended(0, 0), Some(Move::InFirst(0)));
}

#[test]
fn a_long_chain_and_a_long_cycle_have_strategies() {
    let long: Vertex = 100_000;
    let chain = Graph::new(long as usize + 1, (0..long).map(|v| (v, v + 1)), []).unwrap();
    let strategy = Strategy::survival(&chain, Player::Left);
    assert!(strategy.wins(0, Player::Right) && !strategy.survives(long, Player::Left));
    let edges = || (0..long).map(|v| (v, (v + 1) % long));
    let cycle = Graph::new(long as usize, edges(), edges()).unwrap();
    let strategy = Strategy::survival(&cycle, Player::Right);
    assert!(strategy.survives(0, Player::Left) && !strategy.wins(0, Player::Left));
    let zero = Graph::new(1, [], []).unwrap();
    let strategy = Difference::new(&cycle, &zero, &mut Work::default()).unwrap();
    assert!(strategy.survives(0, 0, Player::Right));
    assert!(Difference::new(&cycle, &zero, &mut Work::new(Limits::new(1000))).is_err());
}
