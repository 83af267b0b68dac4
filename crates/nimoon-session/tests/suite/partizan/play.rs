//! Games with the engine: it wins what is won, and in time; and it holds what is drawn.

use std::collections::HashSet;

use nimoon::solve::play::Player::{Engine, Person};
use nimoon::solve::play::{Ending, Game, Seat};
use nimoon::{
    player::Player,
    solve::partizan::{PartizanPlacement, PartizanSolution, PartizanTerm},
};

use super::rules::{Sum, Winners, all_chases, all_strips, read, sum_of};
use super::{solution, solution_within};

/// Looks at every one of these sums of some components. The engine's move must bring a win nearer
/// by a ply, keep a draw, or put a loss off as long as it goes; so by induction it does all that
/// against every reply.
fn engine_is_perfect(components: &[String], sums: &[Vec<usize>]) {
    let mut solution = solution(&components.join(" + "));
    let all: Vec<PartizanTerm> = solution.start().to_vec();
    let sums = sums.iter().map(|sum| sum.iter().map(|&i| all[i]).collect::<Vec<_>>());
    let sums: Vec<Vec<PartizanTerm>> = sums.collect();
    let plain: Vec<Sum> = sums.iter().map(|terms| sum_of(&solution, terms)).collect();
    let winners = Winners::of_all(&plain);
    for (terms, plain) in sums.iter().zip(&plain) {
        for player in Player::BOTH {
            let plies = winners.remoteness(plain, player);
            assert_eq!(solution.remoteness(terms, player), Ok(plies), "{plain:?}");
            let start = PartizanPlacement { terms: terms.clone(), player };
            let mut game = Game::new(&mut solution, start, [Engine, Person]).unwrap();
            if !game.go_on(&mut solution).unwrap() {
                assert_eq!(game.ending(), Some(Ending::Stuck { loser: Seat::First }));
                assert_eq!(plies, Some(0), "{plain:?}");
                continue;
            }
            assert!(!game.played()[0].may_detour);
            let after = sum_of(&solution, &game.placement().terms);
            let winner = winners.of(plain, player);
            assert_eq!(winners.of(&after, player.opponent()), winner, "{player} in {plain:?}");
            let left = winners.remoteness(&after, player.opponent());
            assert_eq!(left.map(|left| left + 1), plies, "{player} in {plain:?}");
        }
    }
}

fn each(count: usize) -> Vec<Vec<usize>> {
    (0..count).map(|i| vec![i]).collect()
}

#[test]
fn the_engine_is_perfect_in_all_small_strips() {
    let strips: Vec<String> = all_strips(6).iter().map(|s| format!("backsliding:{s}")).collect();
    engine_is_perfect(&strips, &each(strips.len()));
}

#[test]
fn the_engine_is_perfect_on_all_small_boards_of_fox_and_geese() {
    for (width, height) in [(2, 5), (3, 4), (4, 3), (5, 3)] {
        let chases = all_chases(width, height);
        let chases: Vec<String> = chases.iter().map(|c| format!("fox-geese:{c}")).collect();
        engine_is_perfect(&chases, &each(chases.len()));
    }
}

#[test]
fn the_engine_is_perfect_in_sums_of_two() {
    let mut components: Vec<String> =
        all_strips(3).iter().map(|s| format!("backsliding:{s}")).collect();
    components.extend(all_chases(3, 3).iter().map(|chase| format!("fox-geese:{chase}")));
    components.extend((0..3).map(|heap| format!("nim:{heap}")));
    let count = components.len();
    let pairs: Vec<Vec<usize>> = (0..count)
        .flat_map(|i| (i..count).map(move |j| vec![i, j]))
        // Not all: they are many.
        .filter(|pair| (7 * pair[0] + pair[1]) % 5 == 0)
        .collect();
    engine_is_perfect(&components, &pairs);
}

/// Plays out every game that a person can play against the engine.
fn engine_plays_out(text: &str) {
    let winners = Winners::new(&read(text));
    for (engine, players) in [(Seat::First, [Engine, Person]), (Seat::Second, [Person, Engine])] {
        for player in Player::BOTH {
            let mut sum = solution(text);
            let start = PartizanPlacement { terms: sum.start().to_vec(), player };
            let plain = sum_of(&sum, &start.terms);
            let winner = winners.of(&plain, player);
            let engines = if engine == Seat::First { player } else { player.opponent() };
            let most = winners.remoteness(&plain, player).filter(|_| winner == Some(engines));
            let mut open = vec![Game::new(&mut sum, start, players).unwrap()];
            let mut met = HashSet::new();
            let mut ends = 0;
            while let Some(mut game) = open.pop() {
                game.go_on(&mut sum).unwrap();
                if let Some(most) = most {
                    assert!(game.played().len() <= most as usize, "{text}: too slow");
                }
                if game.ending().is_some() {
                    ends += 1;
                    let loses = game.winner() == Some(engine.other());
                    assert!(!loses || winner == Some(engines.opponent()), "{text}");
                } else if met.insert(game.placement().clone()) {
                    for number in 0..game.moves().len() {
                        let mut next = game.clone();
                        next.play(&mut sum, number).unwrap();
                        open.push(next);
                    }
                }
            }
            assert!(most.is_none() || ends > 0, "{text}: no game ends");
        }
    }
}

#[test]
fn won_games_end_in_time_and_drawn_ones_are_not_lost_against_every_reply() {
    for text in [
        "backsliding:tt..ff",
        "backsliding:t. + backsliding:.f",
        "backsliding:t. + fox-geese:4/geese=3.1,3.3/fox=2.4",
        "backsliding:.tf. + nim:2 + backsliding:t.f",
        "fox-geese:4/geese=4.2,4.4/fox=2.2 + backsliding:.tf",
    ] {
        engine_plays_out(text);
    }
}

#[test]
fn what_was_taken_back_is_made_again_with_the_answers_of_the_engine() {
    let mut sum = solution("backsliding:tt..ff + nim:2");
    let start = PartizanPlacement { terms: sum.start().to_vec(), player: Player::Right };
    let mut game = Game::new(&mut sum, start.clone(), [Person, Engine]).unwrap();
    assert_eq!(
        [Seat::First, Seat::Second].map(|seat| game.side(seat).unwrap()),
        [Player::Right, Player::Left]
    );
    for _ in 0..2 {
        game.play(&mut sum, 0).unwrap();
        game.go_on(&mut sum).unwrap();
    }
    let after = game.placement().clone();
    while game.undo(&mut sum).unwrap() {}
    assert_eq!(game.placement(), &start);
    while game.redo(&mut sum).unwrap() {}
    assert_eq!((game.placement(), game.played().len()), (&after, 4));
}

/// A toad that can step to and fro, and a fox that can pass: Left wins with a goose, but can also
/// put that off for ever.
const PUT_OFF: &str = "backsliding:t. + fox-geese:4/geese=3.1,3.3/fox=2.4";

/// Enough for the values of it, and too little for a search.
const FOR_VALUES: u64 = 60;

#[test]
fn by_values_a_win_is_not_put_off_for_ever() {
    let winners = Winners::new(&read(PUT_OFF));
    let mut detours = 0;
    for person in 0..50_usize {
        let mut sum = solution_within(PUT_OFF, FOR_VALUES);
        let start = PartizanPlacement { terms: sum.start().to_vec(), player: Player::Left };
        let mut game = Game::new(&mut sum, start, [Engine, Person]).unwrap();
        let mut by_values = 0;
        while game.ending().is_none() {
            assert!(game.played().len() < 200, "it is put off for ever");
            let before = game.clone();
            game.go_on(&mut sum).unwrap();
            let last = game.played().last().unwrap();
            by_values += usize::from(last.may_detour);
            let seen = |after: &PartizanPlacement| {
                before.played().iter().any(|played| played.before == *after)
            };
            if last.may_detour && seen(game.placement()) {
                let others = before.moves().iter().map(|&ply| PartizanPlacement {
                    terms: PartizanSolution::after(&before.placement().terms, ply),
                    player: Player::Right,
                });
                for other in others {
                    let winner = winners.of(&sum_of(&sum, &other.terms), Player::Right);
                    assert!(seen(&other) || winner != Some(Player::Left), "a win was repeated");
                }
            }
            // Persons who choose in many ways.
            let count = game.moves().len();
            if count > 0 {
                let number = (person * (game.played().len() + 1) + person / 7) % count;
                game.play(&mut sum, number).unwrap();
            }
        }
        assert_eq!(game.winner(), Some(Seat::First));
        assert!(by_values > 0, "that was no play by values");
        detours += usize::from(game.played().iter().filter(|p| p.made.component == 0).count() > 2);
    }
    assert!(detours > 0, "nothing was put off, so nothing was shown");
}

#[test]
fn positions_of_many_components_count_for_more_since_they_fill_the_memory() {
    // Two positions with each player to move, a move of each player, and for 32 components of a
    // position 4 more.
    let sum = format!("nim:1{}", " + backsliding:tf".repeat(31));
    for (budget, fits) in [(9, false), (10, true)] {
        let mut sum = solution_within(&sum, budget);
        let start = sum.start().to_vec();
        assert_eq!(sum.remoteness(&start, Player::Left).is_ok(), fits, "{budget}");
    }
}
