//! Every move of a placement, judged by the engine and by playing everything out.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use nimoon::impartial::turn::Guide;
use nimoon::ruleset::Fault;
use nimoon::solve::play::Skill;
use nimoon::solve::solution::{Placement, Solution};
use nimoon::{Kind, Limits, TurnKind, Work};
use nimoon_session::expression::{Expression, NoLibrary};

fn solution(text: &str) -> Solution {
    let Expression { fields, terms } = Expression::read(text, &mut NoLibrary).expect("it is read");
    Solution::new(fields, &terms, None, &Work::default()).expect("it is solved")
}

/// Who wins for the player to move, and in how many plies; a carry-on move counts as two.
type Known = HashMap<Placement, (bool, u32)>;

/// Everything that can be reached, played out from its ends: no values, no theory.
fn played_out(solution: &mut Solution) -> (Vec<Placement>, Known) {
    let mut all = vec![solution.start().clone()];
    let mut seen: HashMap<Placement, usize> = HashMap::from([(all[0].clone(), 0)]);
    let mut options: Vec<Vec<(usize, Kind)>> = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let here = all[at].clone();
        let mut leads = Vec::new();
        for made in solution.moves(&here).expect("the moves are known") {
            let after = solution.after(&here, &made);
            let number = *seen.entry(after.clone()).or_insert_with(|| {
                all.push(after);
                all.len() - 1
            });
            leads.push((number, made.kind));
        }
        options.push(leads);
        at += 1;
    }
    // The plies are tried in order: whoever is decided after n plies is so because of those before.
    let mut known: Vec<Option<(bool, u32)>> = vec![None; all.len()];
    for plies in 0..4 * all.len() as u32 + 4 {
        for place in 0..all.len() {
            if known[place].is_some() {
                continue;
            }
            let reply = options[place].iter().map(|&(to, kind)| {
                let (wins, rest) = known[to]?;
                let again = kind == Kind::Again;
                Some((wins == again, rest + if again { 2 } else { 1 }))
            });
            let reply: Vec<Option<(bool, u32)>> = reply.collect();
            if reply.iter().flatten().any(|&(wins, rest)| wins && rest == plies) {
                known[place] = Some((true, plies));
            } else if reply
                .iter()
                .all(|reply| matches!(reply, Some((false, rest)) if *rest <= plies))
            {
                let last = reply.iter().flatten().map(|&(_, rest)| rest).max().unwrap_or(0);
                if last == plies {
                    known[place] = Some((false, plies));
                }
            }
        }
    }
    let known = all.iter().cloned().zip(known).filter_map(|(place, known)| Some((place, known?)));
    let known = known.collect();
    (all, known)
}

const SUMS: [&str; 12] = [
    "nim:2 + nim:3",
    "green-lime:0-1g,1-2l,1-3l + green-lime:lg",
    "green-lime:0-1l,1-2g,1-3l + nim:2",
    "nimstring:1x2 + nim:1",
    "nimstring:2x2/110011/001100",
    "lights:2b1s1b + lights:1b1s1b",
    "top-entails:4 + nim:2",
    "top-entails:5 + top-entails:2",
    "slide[-2,-3,+1;7]:5 + nim:1",
    "slide[-5,-6,+12;14]:13",
    "kayles:5 + nim:1",
    "coins:a-b,b-c,c-a,a-0,b-0",
];

#[test]
fn moves_are_judged_as_playing_everything_out_tells() {
    for text in SUMS {
        let mut sum = solution(text);
        let (all, known) = played_out(&mut sum);
        assert!(all.len() > 5, "{text}");
        for here in &all {
            let moves = sum.moves(here).expect("the moves are known");
            let judged = sum.judged(here, usize::MAX).expect("they are judged");
            assert_eq!(judged.len(), moves.len());
            let mut numbers: Vec<usize> = judged.iter().map(|judged| judged.number).collect();
            for judged in &judged {
                assert_eq!(judged.made, moves[judged.number], "{text}");
                let again = judged.made.kind == Kind::Again;
                let after = sum.after(here, &judged.made);
                let (achieves, plies) = match known.get(&after) {
                    None => (TurnKind::Drawing, None),
                    Some(&(wins, rest)) => {
                        let achieves =
                            if wins == again { TurnKind::Winning } else { TurnKind::Losing };
                        (achieves, Some(rest + if again { 2 } else { 1 }))
                    }
                };
                assert_eq!(judged.achieves, achieves, "{text}: {}", sum.words(here, &judged.made));
                if let Some(remoteness) = judged.remoteness {
                    assert_eq!(
                        Some(remoteness),
                        plies,
                        "{text}: {}",
                        sum.words(here, &judged.made)
                    );
                }
            }
            let rank = |kind| {
                [TurnKind::Winning, TurnKind::Drawing, TurnKind::Losing]
                    .iter()
                    .position(|&other| other == kind)
            };
            let ranks: Vec<_> = judged.iter().map(|judged| rank(judged.achieves)).collect();
            assert!(ranks.is_sorted(), "{text}");
            let wins = judged.iter().filter(|judged| judged.achieves == TurnKind::Winning);
            let wins: Vec<_> = wins.filter_map(|judged| judged.remoteness).collect();
            assert!(wins.is_sorted(), "{text}");
            numbers.sort_unstable();
            assert!(numbers.iter().copied().eq(0..moves.len()));
        }
    }
}

#[test]
fn the_first_of_the_judged_moves_is_as_good_as_the_recommended_turn() {
    for text in SUMS {
        let mut sum = solution(text);
        let start = sum.start().clone();
        let answer = sum.answer(&start).expect("it is answered");
        let judged = sum.judged(&start, 1000).expect("they are judged");
        assert_eq!(judged[0].achieves, answer.turn.expect("there is a turn").kind, "{text}");
        if let Guide::Search { remoteness: Some(plies) } = answer.guide {
            assert_eq!(judged[0].remoteness, Some(plies), "{text}");
        }
    }
}

#[test]
fn the_parts_of_a_component_have_their_places() {
    let mut sum = solution("top-entails:5 + nim:1");
    let start = sum.start().clone();
    let moves = sum.moves(&start).expect("the moves are known");
    let split = moves.iter().find(|made| sum.words(&start, made).contains("into 2 and 3"));
    let after = sum.after(&start, split.expect("a heap of 5 can be split"));
    let parts = sum.parts(&after, 0);
    let reply: Vec<_> =
        parts.iter().map(|part| (part.place, part.text.as_str(), part.due)).collect();
    assert_eq!(reply, [(0, "top-entails:2", false), (1, "top-entails:3", false)]);
    let top =
        moves.iter().find(|made| made.kind == Kind::Entailing).expect("a token can be removed");
    let after = sum.after(&start, top);
    assert!(sum.parts(&after, 0)[0].due && !sum.parts(&after, 1)[0].due);
}

#[test]
fn a_player_of_little_skill_makes_mistakes_and_a_perfect_one_none() {
    let mut sum = solution("nim:3 + nim:5 + nim:7");
    let start = sum.start().clone();
    let judged = sum.judged(&start, 1000).expect("they are judged");
    let mistakes = |skill: u8| {
        let skill = Skill::new(skill).expect("it is a skill");
        (0..1000).filter(|&seed| skill.blunder(&judged, seed).is_some()).count()
    };
    assert_eq!(mistakes(10), 0);
    assert_eq!(mistakes(0), 1000);
    assert!((380..620).contains(&mistakes(5)), "{}", mistakes(5));
    let chosen: std::collections::BTreeSet<usize> = (0..1000)
        .filter_map(|seed| Skill::new(0)?.blunder(&judged, seed).map(|judged| judged.number))
        .collect();
    assert_eq!(chosen.len(), judged.len(), "any move may be the mistake");
}

/// The heaps of a component as it is written.
fn heaps(text: &str) -> Vec<u64> {
    let parts = text.split(" + ").map(|part| part.split_once(':').expect("a position").1);
    let mut heaps: Vec<u64> = parts.map(|heap| heap.parse().expect("a heap")).collect();
    heaps.retain(|&heap| heap > 0);
    heaps.sort_unstable();
    heaps
}

#[test]
fn every_move_is_written_with_all_that_the_rules_leave() {
    // In Grundy's Game a heap is split into two of different sizes, so that nothing is ever lost.
    let split = |heaps: &[u64]| -> BTreeSet<Vec<u64>> {
        let mut options = BTreeSet::new();
        for (i, &heap) in heaps.iter().enumerate() {
            for smaller in 1..heap.div_ceil(2) {
                let mut after = heaps.to_vec();
                after[i] = smaller;
                after.push(heap - smaller);
                after.sort_unstable();
                options.insert(after);
            }
        }
        options
    };
    for text in ["grundys-game:9", "grundys-game:1,4,6 + nim:1"] {
        let mut sum = solution(text);
        for placement in played_out(&mut sum).0 {
            let before = heaps(&sum.text(&placement, 0));
            let parts = sum.parts(&placement, 0);
            let places: BTreeSet<usize> = parts.iter().map(|part| part.place).collect();
            assert_eq!(places.len(), parts.len(), "{before:?}: each part has its own place");
            let mut found = BTreeSet::new();
            for made in sum.moves(&placement).expect("the moves are known") {
                if made.component == 0 {
                    let moved = parts.iter().find(|part| part.place == made.place());
                    assert!(heaps(&moved.expect("a part").text)[0] > 2, "{before:?}");
                    found.insert(heaps(&sum.text(&sum.after(&placement, &made), 0)));
                }
            }
            assert_eq!(found, split(&before), "{before:?}");
        }
    }
}

#[test]
fn a_list_of_moves_keeps_within_memory_and_time() {
    let mut sum = solution("nim:100000");
    let start = sum.start().clone();
    assert_eq!(sum.moves(&start).expect("they are few").len(), 100_000);
    for budget in [Limits::DEFAULT.bytes(1 << 20), Limits::DEFAULT.time(Duration::ZERO)] {
        sum.answer_within(&Work::new(budget));
        assert!(matches!(sum.moves(&start), Err(Fault::Interrupted(_))), "{budget:?}");
    }
}
