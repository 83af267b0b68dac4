//! Transfinite games: played to their end against random and stubborn opponents, and compared with
//! play written out.

use std::collections::BTreeMap;

use crate::transfinite_common::{Random, config, ordinal, ordinals};
use nimoon::Outcome;
use nimoon::transfinite::game::{Ending, Game, Moves, Player};
use nimoon::transfinite::{Compound, Exchange, Followers, Nim, NimMove, Ordinal, Pool, Pools};
use nimoon_oracle::ordinals::{Pool as Plain, remoteness};
use proptest::prelude::*;

fn pool(dollars: u128, cents: u128) -> Pool {
    Pool::try_new(Exchange::AnyEven, dollars, cents).expect("a small pool")
}

fn conjunctive(pools: Vec<Pool>) -> Pools {
    Pools::new(Compound::Conjunctive, pools)
}

fn outcome_of(remoteness: &Ordinal) -> Outcome {
    if remoteness.is_even() { Outcome::P } else { Outcome::N }
}

/// How an opponent without a winning move plays.
#[derive(Clone, Copy, Debug)]
enum Opponent {
    /// Anything.
    Random,
    /// With as much left as comes to mind.
    Stubborn,
    /// With nothing left, to get it over with.
    Hasty,
}

impl Opponent {
    /// Opponents are not stubborn for ever: from ω^5 on that takes too long.
    fn after(self, plies: usize) -> Self {
        if plies < 80 { self } else { Self::Hasty }
    }
}

fn nim_reply(nim: &Nim, opponent: Opponent, random: &mut Random) -> Option<NimMove> {
    let heaps: Vec<usize> = (0..nim.heaps().len()).filter(|&i| !nim.heaps()[i].is_zero()).collect();
    let heap = match opponent {
        _ if heaps.is_empty() => return None,
        Opponent::Random | Opponent::Hasty => heaps[random.below(heaps.len() as u128) as usize],
        Opponent::Stubborn => heaps.into_iter().max_by_key(|&i| &nim.heaps()[i])?,
    };
    let size = &nim.heaps()[heap];
    let to = match opponent {
        Opponent::Random => random.ordinal_below(size),
        Opponent::Hasty => Ordinal::ZERO,
        // One less where that is possible; at a limit the largest of some tries.
        Opponent::Stubborn => size.predecessor().unwrap_or_else(|| {
            (0..9).map(|_| random.ordinal_below(size)).max().unwrap_or_default()
        }),
    };
    Some(NimMove { heap, to })
}

proptest! {
    #![proptest_config(config(150))]

    /// The engine moves where it can win, and wins; the natural sum of the heaps falls with each
    /// move.
    #[test]
    fn transfinite_nim_is_won_against_random_and_stubborn_opponents(
        heaps in prop::collection::vec(ordinals(), 1..5), seed: u64,
    ) {
        for opponent in [Opponent::Random, Opponent::Stubborn] {
            let mut random = Random(seed);
            let mut nim = Nim::new(heaps.clone());
            let mut engine_moves = nim.outcome() == Outcome::N;
            let mut distance = nim.try_distance().expect("small heaps");
            for plies in 0.. {
                let step = if engine_moves {
                    let moves = nim.winning_moves();
                    prop_assert_eq!(nim.winning_move(), moves.first().cloned());
                    Some(moves[random.below(moves.len() as u128) as usize].clone())
                } else {
                    prop_assert_eq!(nim.winning_move(), None);
                    nim_reply(&nim, opponent.after(plies), &mut random)
                };
                let Some(step) = step else { break };
                nim = nim.after(&step).expect("a legal move");
                let left = nim.try_distance().expect("small heaps");
                prop_assert!(left < distance);
                distance = left;
                if engine_moves {
                    prop_assert!(nim.value().is_zero());
                }
                engine_moves = !engine_moves;
            }
            // The opponent could not move.
            prop_assert!(!engine_moves && distance.is_zero());
        }
    }

    #[test]
    fn every_winning_move_of_nim_is_found(heaps in prop::collection::vec(ordinals(), 1..5)) {
        let nim = Nim::new(heaps);
        let found = nim.winning_moves();
        for (heap, size) in nim.heaps().iter().enumerate() {
            let mut others = nim.heaps().to_vec();
            others.remove(heap);
            let to = Ordinal::nim_sum(&others);
            let step = NimMove { heap, to };
            prop_assert_eq!(found.contains(&step), step.to < *size);
        }
        prop_assert_eq!(found.is_empty(), nim.outcome() == Outcome::P);
    }

    /// Small coins of all kinds, and games played to their end.
    #[test]
    fn compounds_of_pools_are_won_against_random_and_stubborn_opponents(
        coins in prop::collection::vec((0..3_u128, 0..3_u128, 0..6_u128), 1..4), seed: u64, selective: bool,
    ) {
        let pools = coins.into_iter().map(|(a, b, c)| match a {
            0 => Pool::try_new(Exchange::Hundred, b % 2, c).expect("a small pool"),
            1 => pool(b, c),
            _ => Pool::of_coins(ordinal(&format!("w^2 + w*{b} + {c}"))),
        });
        let compound = if selective { Compound::Selective } else { Compound::Conjunctive };
        prop_assert!(win(&Pools::new(compound, pools.collect()), seed, 5_000), "the game did not end");
    }

    /// Large ones, and the first moves only: what is left falls with each of them.
    #[test]
    fn games_of_large_pools_are_played_as_well(
        coins in prop::collection::vec(ordinals(), 1..4), seed: u64, selective: bool,
    ) {
        let compound = if selective { Compound::Selective } else { Compound::Conjunctive };
        win(&Pools::new(compound, coins.into_iter().map(Pool::of_coins).collect()), seed, 40);
    }

    #[test]
    fn the_loser_can_last_beyond_every_bound_below_the_remoteness(
        coins in prop::collection::vec(ordinals(), 1..4), seed: u64,
    ) {
        let mut random = Random(seed);
        for compound in [Compound::Conjunctive, Compound::Selective] {
            let pools = Pools::new(compound, coins.iter().cloned().map(Pool::of_coins).collect());
            let remoteness = pools.try_remoteness().expect("small");
            if !remoteness.is_even() {
                continue;
            }
            prop_assert_eq!(pools.lasting_move(&remoteness), None);
            for _ in 0..if remoteness.is_zero() { 0 } else { 4 } {
                let bound = random.ordinal_below(&remoteness);
                let step = pools.lasting_move(&bound).expect("there is such a move");
                let left = pools.after(&step).expect("a legal move").try_remoteness().expect("small");
                prop_assert!(left >= bound && left < remoteness && !left.is_even());
            }
        }
    }
}

/// Plays where the engine can win, against each opponent, and checks whether the games came to an
/// end in so many plies.
fn win(start: &Pools, seed: u64, plies: usize) -> bool {
    [Opponent::Random, Opponent::Stubborn].into_iter().all(|opponent| {
        let mut random = Random(seed);
        let mut pools = start.clone();
        let mut left = pools.try_remoteness().expect("small");
        assert_eq!(pools.outcome(), outcome_of(&left));
        let mut engine_moves = pools.outcome() == Outcome::N;
        for _ in 0..plies {
            let step = if engine_moves {
                pools.winning_move()
            } else {
                assert_eq!(pools.winning_move(), None);
                reply(&pools, opponent, &mut random)
            };
            let Some(step) = step else {
                assert!(!engine_moves && left.is_zero());
                return true;
            };
            pools = pools.after(&step).expect("a legal move");
            let next = pools.try_remoteness().expect("small");
            assert!(next < left, "{next} after {left}");
            assert_eq!(next.is_even(), engine_moves);
            if engine_moves {
                assert_eq!(next.successor(), Ok(left), "the win is not put off");
            }
            left = next;
            engine_moves = !engine_moves;
        }
        false
    })
}

/// A move of the opponent.
fn reply(pools: &Pools, opponent: Opponent, random: &mut Random) -> Option<Vec<Option<Pool>>> {
    let remoteness = pools.try_remoteness().expect("small");
    if remoteness.is_zero() {
        return None;
    }
    if matches!(opponent, Opponent::Stubborn) {
        let bound = (0..3).map(|_| random.ordinal_below(&remoteness)).max().unwrap_or_default();
        return pools.lasting_move(&bound);
    }
    let mut follower = |pool: &Pool| match pool.followers() {
        Followers::None => None,
        Followers::One(only) => Some(only),
        Followers::Odd { coin, rest } => {
            let below = random.ordinal_below(&coin);
            let odd = if below.is_even() { below.successor().expect("small") } else { below };
            Some(Pool::of_coins(rest.try_add(&odd).expect("small")))
        }
    };
    let all: Vec<Option<Pool>> = pools.pools().iter().map(&mut follower).collect();
    if pools.compound() == Compound::Conjunctive {
        return Some(all);
    }
    loop {
        let chosen: Vec<Option<Pool>> =
            all.iter().map(|to| to.clone().filter(|_| random.below(2) == 0)).collect();
        if chosen.iter().any(Option::is_some) {
            return Some(chosen);
        }
    }
}

/// [Smith1966, §11]: D and R of pools of dollars and cents.
#[test]
fn the_distance_of_dollars_and_cents_is_as_printed() {
    for dollars in 0..4 {
        for cents in [0, 1, 2, 99, 100, 250] {
            let hundred = Pool::try_new(Exchange::Hundred, dollars, cents).expect("a small pool");
            assert_eq!(hundred.distance(), Ordinal::finite(100 * dollars + cents));
            assert_eq!(hundred.remoteness(), hundred.distance());
            let free = pool(dollars, cents);
            assert_eq!(free.distance(), ordinal(&format!("w*{dollars} + {cents}")));
            assert_eq!(free.remoteness(), free.distance());
        }
    }
}

/// D is the least ordinal above those of all followers: none is as large, and none that is smaller
/// is above all of them.
#[test]
fn distances_are_the_least_above_those_of_followers() {
    for coins in ["w", "w*3", "w^2", "w^2 + w", "w^w", "w^(w + 1)*2", "w^w^w + w^2"] {
        let pool = Pool::of_coins(ordinal(coins));
        for seed in 0..200 {
            let bound = Random(seed).ordinal_below(pool.coins());
            let follower = pool.follower_at_least(&bound).expect("there is one above each bound");
            assert!(pool.is_move(&follower));
            assert!(follower.distance() >= bound && follower.distance() < pool.distance());
            assert!(!follower.remoteness().is_even());
        }
        assert_eq!(pool.follower_at_least(pool.coins()), None);
    }
}

/// The finite rule as it is; the free rule with at most `MOST` cents for a dollar, and `MOST` for
/// ω.
#[test]
fn remoteness_is_that_of_play_with_a_most_generous_exchange() {
    const MOST: usize = 6;
    let mut known = BTreeMap::new();
    let rates: Vec<usize> = (1..=MOST / 2).map(|half| 2 * half).collect();
    let plain = |&(dollars, cents): &(usize, usize)| Plain { dollars, cents, rates: rates.clone() };
    let free = |&(dollars, cents): &(usize, usize)| pool(dollars as u128, cents as u128);
    // ω is MOST.
    let finite = |ordinal: &Ordinal| -> u128 {
        let power = |e: &Ordinal| {
            (MOST as u128).pow(u32::try_from(e.as_finite().expect("small")).expect("small"))
        };
        ordinal.terms().map(|(e, c)| power(e) * c).sum()
    };
    let pairs: Vec<(usize, usize)> = (0..3).flat_map(|d| (0..MOST).map(move |c| (d, c))).collect();
    let mut positions: Vec<Vec<(usize, usize)>> = Vec::new();
    for &a in &pairs {
        positions.push(vec![a]);
        for &b in &pairs {
            positions.push(vec![a, b]);
        }
    }
    for i in 0..200 {
        let at = |step: usize| pairs[(i * step + step) % 12];
        positions.push(vec![at(5), at(7), at(11)]);
    }
    for position in &positions {
        let written: Vec<Plain> = position.iter().map(plain).collect();
        for (compound, selective) in [(Compound::Conjunctive, false), (Compound::Selective, true)] {
            let pools = Pools::new(compound, position.iter().map(free).collect());
            let played = remoteness(&written, selective, &mut known);
            let measure = pools.try_remoteness().expect("small");
            assert_eq!(finite(&measure), played as u128, "{compound:?} {position:?}");
            assert_eq!(measure.is_even(), played.is_multiple_of(2), "{compound:?} {position:?}");
        }
    }
    for (d, c) in [(0, 0), (0, 7), (1, 0), (1, 3), (2, 0)] {
        let written = Plain { dollars: d, cents: c, rates: vec![100] };
        let hundred = Pool::try_new(Exchange::Hundred, d as u128, c as u128).expect("small");
        let played = remoteness(&[written], false, &mut known);
        assert_eq!(hundred.remoteness(), Ordinal::finite(played as u128));
    }
}

/// The example of [Smith1966, §11]: $1.01 and $1.02, with every exchange up to 60 cents by Barbara.
#[test]
fn abe_wins_the_pools_of_a_dollar_and_a_cent_and_a_dollar_and_two_against_every_reply() {
    fn wins(pools: &Pools, longest: &mut usize, plies: usize) {
        let step = pools.winning_move().expect("Abe wins");
        let left = pools.after(&step).expect("a legal move");
        *longest = plies.max(*longest);
        let choices = left.pools().iter().map(|pool| match pool.followers() {
            Followers::None => Vec::new(),
            Followers::One(only) => vec![only],
            Followers::Odd { rest, .. } => {
                let odd = (0..30).map(|half| Ordinal::finite(2 * half + 1));
                odd.map(|odd| Pool::of_coins(rest.try_add(&odd).expect("small"))).collect()
            }
        });
        let choices: Vec<Vec<Pool>> = choices.collect();
        for first in &choices[0] {
            for second in &choices[1] {
                let reply = [Some(first.clone()), Some(second.clone())];
                wins(&left.after(&reply).expect("a legal move"), longest, plies + 2);
            }
        }
    }
    let start = conjunctive(vec![pool(1, 1), pool(1, 2)]);
    assert_eq!(start.try_remoteness(), Ok(ordinal("w + 1")));
    let mut longest = 1;
    wins(&start, &mut longest, 1);
    // Barbara got 60 cents: 59 are left after her move, and Abe takes the last of them.
    assert_eq!(longest, 2 + 59);
}

/// To play each component well by itself is not enough: Abe must not get fewer cents than Barbara
/// got.
#[test]
fn a_good_move_in_each_component_can_lose_the_compound() {
    let after_barbara = conjunctive(vec![pool(0, 9), pool(1, 0)]);
    let abe =
        |cents| after_barbara.after(&[Some(pool(0, 8)), Some(pool(0, cents))]).expect("legal");
    for cents in [1, 3, 5, 7] {
        assert_eq!(abe(cents).outcome(), Outcome::N, "{cents}: Barbara wins");
    }
    for cents in [9, 11, 999] {
        assert_eq!(abe(cents).outcome(), Outcome::P, "{cents}: Abe wins");
    }
    let step = after_barbara.winning_move().expect("Abe wins");
    assert_eq!(step, [Some(pool(0, 8)), Some(pool(0, 9))]);
}

#[test]
fn illegal_moves_are_refused() {
    let compound = |kind| Pools::new(kind, vec![pool(1, 0), pool(0, 2)]);
    let [both, some] = [Compound::Conjunctive, Compound::Selective].map(compound);
    assert!(both.after(&[Some(pool(0, 3)), Some(pool(0, 1))]).is_ok());
    assert!(some.after(&[None, Some(pool(0, 1))]).is_ok());
    for step in [
        vec![],
        vec![None, None],
        vec![Some(pool(0, 3))],
        vec![Some(pool(0, 2)), Some(pool(0, 1))],
        vec![Some(pool(0, 3)), Some(pool(0, 0))],
        vec![Some(pool(1, 0)), Some(pool(0, 1))],
    ] {
        assert!(both.after(&step).is_err() && some.after(&step).is_err(), "{step:?}");
    }
    assert!(both.after(&[None, Some(pool(0, 1))]).is_err());
    let hundred = |d, c| Pool::try_new(Exchange::Hundred, d, c).expect("small");
    assert!(hundred(1, 0).is_move(&hundred(0, 99)));
    assert!(!hundred(1, 0).is_move(&hundred(0, 97)) && !hundred(1, 0).is_move(&pool(0, 99)));
    assert!(!pool(1, 0).is_move(&hundred(0, 99)));
}

/// A pool written out position by position, with at most this many cents for a dollar; returns its
/// start.
fn write_out(
    positions: &mut Vec<(Player, Moves)>,
    mover: Player,
    (dollars, cents): (usize, usize),
    most: usize,
    ending: Ending,
) -> usize {
    let followers: Vec<(usize, usize)> = match (dollars, cents) {
        (0, 0) => vec![],
        (d, 0) => (1..=most / 2).map(|half| (d - 1, 2 * half - 1)).collect(),
        (d, c) => vec![(d, c - 1)],
    };
    let moves: Vec<usize> = followers
        .into_iter()
        .map(|next| write_out(positions, mover.opponent(), next, most, ending))
        .collect();
    positions.push((mover, if moves.is_empty() { Moves::End(ending) } else { Moves::To(moves) }));
    positions.len() - 1
}

/// Q of a pool as one position is that of the pool written out, with the most cents for ω; where
/// the exchanging player hurries, it is the same for every such bound.
#[test]
fn pools_in_games_of_abe_and_barbara_are_those_written_out() {
    let most = 8;
    for mover in [Player::Abe, Player::Barbara] {
        for ending in [Ending::Abe, Ending::Draw, Ending::Barbara] {
            for (dollars, cents) in [(0, 0), (0, 3), (1, 0), (1, 1), (1, 2), (2, 0), (2, 3), (3, 1)]
            {
                let coins = ordinal(&format!("w*{dollars} + {cents}"));
                let one = Game::new(vec![(mover, Moves::Pool(coins, ending))]).expect("a game");
                let mut positions = Vec::new();
                let start = write_out(&mut positions, mover, (dollars, cents), most, ending);
                let all = Game::new(positions).expect("a game");
                for success in [[true, false, false], [true, true, false], [true; 3], [false; 3]] {
                    let has_success = |ending| success[ending as usize];
                    let q = one.try_remoteness(has_success).expect("small")[0]
                        .clone()
                        .expect("it ends");
                    let played = all.try_remoteness(has_success).expect("small")[start]
                        .clone()
                        .expect("it ends");
                    let finite: u128 = q
                        .terms()
                        .map(|(e, c)| if e.is_zero() { c } else { c * most as u128 })
                        .sum();
                    assert_eq!(
                        Ordinal::finite(finite),
                        played,
                        "{mover:?} {ending:?} {dollars} {cents} {q}"
                    );
                }
                let distance = all.try_distances().expect("small")[start].clone();
                assert_eq!(distance, Some(Ordinal::finite((most * dollars + cents) as u128)));
            }
        }
    }
}

/// The conditions (4a) to (4e) on random games with cycles and pools, position by position.
#[test]
fn remoteness_keeps_the_conditions_of_its_definition() {
    let endings = [Ending::Abe, Ending::Draw, Ending::Barbara];
    let (mut infinite, mut transfinite) = (0, 0);
    for seed in 0..2_000 {
        let mut random = Random(seed);
        let count = 2 + random.below(8) as usize;
        let mover = |i: usize| if i.is_multiple_of(2) { Player::Abe } else { Player::Barbara };
        let positions: Vec<(Player, Moves)> = (0..count)
            .map(|i| {
                let ending = endings[random.below(3) as usize];
                let others: Vec<usize> =
                    (0..count).filter(|j| (i + j) % 2 == 1 && random.below(3) == 0).collect();
                let moves = match random.below(6) {
                    0 => Moves::End(ending),
                    1 => Moves::Pool(random.ordinal_below(&ordinal("w^2")), ending),
                    _ if others.is_empty() => Moves::End(ending),
                    _ => Moves::To(others),
                };
                (mover(i), moves)
            })
            .collect();
        let game = Game::new(positions).expect("a game");
        let q = game.try_remoteness(|ending| ending == Ending::Abe).expect("small");
        let d = game.try_distances().expect("small");
        for (i, (_, moves)) in game.positions().iter().enumerate() {
            let Moves::To(followers) = moves else { continue };
            let evens = followers.iter().filter_map(|&j| q[j].as_ref()).filter(|q| q.is_even());
            let largest: Option<Vec<&Ordinal>> = followers.iter().map(|&j| q[j].as_ref()).collect();
            let expected = match evens.min() {
                Some(even) => Some(even.successor().expect("small")),
                None => largest
                    .and_then(|all| all.into_iter().max())
                    .map(|q| q.successor().expect("small")),
            };
            assert_eq!(q[i], expected, "{i} in {game:?}");
            infinite += usize::from(expected.is_none());
            transfinite += usize::from(expected.is_some_and(|q| q.as_finite().is_none()));
            let all: Option<Vec<&Ordinal>> = followers.iter().map(|&j| d[j].as_ref()).collect();
            let expected =
                all.and_then(|all| all.into_iter().max()).map(|d| d.successor().expect("small"));
            assert_eq!(d[i], expected, "{i} in {game:?}");
        }
    }
    assert!(infinite > 100 && transfinite > 100, "{infinite} and {transfinite}");
}
