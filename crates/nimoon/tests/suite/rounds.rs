//! The rounds of assignment, against the papers' algorithms, executed step by step as they are
//! printed; Algorithm 8 with the corrected rule.

use std::collections::BTreeSet;

use crate::common::{Kind, Plain, config, digraphs};
use nimoon::impartial::rounds::rounds;
use nimoon::{Theory, Work, label};
use proptest::prelude::*;

/// What a node is assigned. Sets of numbers are bits; the last bit stands for all larger numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Data {
    Number(u32),
    Moon,
    FullMoon,
    NewMoon,
    Covers(u64),
}

/// The data 𝒢ₙ and 𝒞ₙ after step n, none for ∞.
type Step = Vec<Option<Data>>;

fn everything(plain: &Plain) -> u64 {
    (1 << (plain.len() + 2)) - 1
}

fn mex(set: u64) -> u32 {
    set.trailing_ones()
}

/// Step 0, which is the same in all algorithms.
fn initialization(plain: &Plain, gray: Data) -> Step {
    let data = |node: usize| if plain.gray[node] { gray } else { Data::Number(0) };
    (0..plain.len()).map(|node| plain.options[node].is_empty().then(|| data(node))).collect()
}

/// Executes steps until one changes nothing: the step in which each node gets the data that it
/// keeps.
fn execute(first: Step, next: impl Fn(&Step) -> Step) -> Vec<Option<u32>> {
    let mut rounds: Vec<Option<u32>> = first.iter().map(|data| data.map(|_| 0)).collect();
    let mut now = first;
    for step in 1.. {
        let then = next(&now);
        if then == now {
            break;
        }
        for (node, round) in rounds.iter_mut().enumerate() {
            if then[node] != now[node] {
                *round = Some(step);
            }
        }
        now = then;
    }
    rounds
}

/// Algorithms 1 and 4, of which only the order matters here: all options are assigned before.
fn algorithms_1_and_4(plain: &Plain) -> Vec<Option<u32>> {
    let assigned = |now: &Step, node: usize| {
        plain.options[node].iter().all(|&option| now[option].is_some()).then_some(Data::Moon)
    };
    execute(initialization(plain, Data::NewMoon), |now| {
        (0..plain.len()).map(|node| now[node].or_else(|| assigned(now, node))).collect()
    })
}

fn algorithm_2(plain: &Plain) -> Vec<Option<u32>> {
    let number = |now: &Step, node: usize| match now[node] {
        Some(Data::Number(n)) => n,
        _ => u32::MAX,
    };
    let assigned = |now: &Step, node: usize| {
        let options = &plain.options[node];
        let set = options.iter().map(|&option| number(now, option)).filter(|&n| n < u32::MAX);
        let m = mex(set.fold(0, |set, n| set | 1 << n));
        let reverts =
            |option: usize| plain.options[option].iter().any(|&reply| number(now, reply) == m);
        let mut higher = options.iter().filter(|&&option| number(now, option) > m);
        higher.all(|&option| reverts(option)).then_some(Data::Number(m))
    };
    execute(initialization(plain, Data::NewMoon), |now| {
        (0..plain.len()).map(|node| assigned(now, node).or(now[node])).collect()
    })
}

/// Algorithm 5: whether a move to a gray node protects k. An infinite run is false.
fn cr(plain: &Plain, now: &Step, gray: usize, k: u32, run: &mut BTreeSet<usize>) -> bool {
    if !run.insert(gray) {
        return false;
    }
    plain.options[gray].iter().all(|&option| {
        let is_other = match now[option] {
            Some(Data::Number(n)) => n != k,
            Some(Data::Moon | Data::FullMoon) => true,
            _ => false,
        };
        (!plain.gray[option] && is_other) || reverts(plain, now, option, k, run)
    })
}

/// Whether a node has a white option of value k, or a gray one that protects k.
fn reverts(plain: &Plain, now: &Step, node: usize, k: u32, run: &mut BTreeSet<usize>) -> bool {
    plain.options[node].iter().any(|&option| {
        if plain.gray[option] {
            cr(plain, now, option, k, run)
        } else {
            now[option] == Some(Data::Number(k))
        }
    })
}

/// The white node at the end of a chain of gray nodes, if it is reached with the same player to
/// move again.
fn carried_to(plain: &Plain, gray: usize) -> Option<usize> {
    let mut node = gray;
    for length in 0..=plain.len() {
        if !plain.gray[node] {
            return (length % 2 == 1).then_some(node);
        }
        node = *plain.options[node].first()?;
    }
    None
}

/// D ∪ P of a white node; corrected: with D ∪ P of unassigned nodes that carry-on moves lead to.
fn d_and_p(
    plain: &Plain,
    now: &Step,
    node: usize,
    corrected: bool,
    met: &mut BTreeSet<usize>,
) -> u64 {
    if !met.insert(node) {
        return 0;
    }
    let option = |&option: &usize| match now[option] {
        Some(Data::Number(n)) => 1 << n,
        Some(Data::Covers(set)) => set,
        None if plain.gray[option] && corrected => match carried_to(plain, option) {
            Some(to) if now[to].is_none() => d_and_p(plain, now, to, corrected, met),
            _ => 0,
        },
        _ => 0,
    };
    plain.options[node].iter().map(option).fold(0, |all, set| all | set)
}

fn white(plain: &Plain, now: &Step, node: usize, corrected: bool) -> Option<Data> {
    let options = &plain.options[node];
    if options.iter().any(|&option| now[option] == Some(Data::NewMoon)) {
        return Some(Data::FullMoon);
    }
    let set = d_and_p(plain, now, node, corrected, &mut BTreeSet::new());
    if set == everything(plain) {
        return Some(Data::Moon);
    }
    let m = mex(set);
    let mut unassigned = options.iter().filter(|&&option| now[option].is_none());
    let reverts = unassigned.all(|&option| reverts(plain, now, option, m, &mut BTreeSet::new()));
    if reverts { Some(Data::Number(m)) } else { now[node] }
}

fn gray(plain: &Plain, now: &Step, node: usize) -> Option<Data> {
    let all = everything(plain);
    let Some(&option) = plain.options[node].first() else { return now[node] };
    Some(match now[option]? {
        Data::FullMoon => Data::NewMoon,
        Data::NewMoon => Data::FullMoon,
        Data::Number(n) => Data::Covers(all & !(1 << n)),
        Data::Moon => Data::Covers(all),
        Data::Covers(set) => Data::Covers(all & !set),
    })
}

fn algorithm_8(plain: &Plain, corrected: bool) -> Vec<Option<u32>> {
    execute(initialization(plain, Data::NewMoon), |now| {
        let assigned = |node: usize| {
            if plain.gray[node] {
                gray(plain, now, node)
            } else {
                white(plain, now, node, corrected)
            }
        };
        (0..plain.len()).map(assigned).collect()
    })
}

fn found(plain: &Plain, theory: Theory) -> Vec<Option<u32>> {
    let digraph = plain.digraph();
    let labelling = label(&digraph, Some(theory), &Work::default()).expect("fits");
    rounds(&digraph, &labelling)
}

/// All digraphs of so many nodes, the white ones first, whose gray nodes have at most one option.
fn all_carry_on(len: usize) -> impl Iterator<Item = Plain> {
    (0..=len).flat_map(move |white| {
        let choices: Vec<usize> =
            (0..len).map(|node| if node < white { 1 << len } else { len + 1 }).collect();
        (0..choices.iter().product()).map(move |code: usize| {
            let mut rest = code;
            let mut options = |node: usize| {
                let choice = rest % choices[node];
                rest /= choices[node];
                let is_chosen = |to: &usize| {
                    if node < white { choice >> to & 1 == 1 } else { choice == to + 1 }
                };
                (0..len).filter(is_chosen).collect()
            };
            let options = (0..len).map(&mut options).collect();
            Plain { gray: (0..len).map(|node| node >= white).collect(), options }
        })
    })
}

#[test]
fn a_gray_option_counts_one_step_after_it_is_assigned() {
    // z is terminal; g is gray, with the option z; x has the options z and g.
    let plain =
        Plain { gray: vec![false, true, false], options: vec![vec![], vec![0], vec![0, 1]] };
    assert_eq!(found(&plain, Theory::CarryOn), [Some(0), Some(1), Some(2)]);
}

#[test]
fn a_moon_that_the_printed_step_misses_has_a_round() {
    // docs/findings/algorithm-8.game: z, c, x, and the gray nodes g before z and h before c.
    let gray = vec![false, false, false, true, true];
    let plain = Plain { gray, options: vec![vec![], vec![1, 3], vec![0, 4], vec![0], vec![1]] };
    assert_eq!(found(&plain, Theory::CarryOn), [Some(0), None, Some(2), Some(1), None]);
    assert_eq!(algorithm_8(&plain, false)[2], None);
}

#[test]
fn a_full_moon_counts_from_the_step_in_which_it_becomes_one() {
    // examples/frozen-moon.game: z, x, y, and the gray nodes h before z, t, which is terminal, and
    // g before y. In step 2 x is a moon.
    let gray = vec![false, false, false, true, true, true];
    let options = vec![vec![], vec![0, 3, 5], vec![4], vec![0], vec![], vec![2]];
    let plain = Plain { gray, options };
    let expected = [Some(0), Some(3), Some(1), Some(1), Some(0), Some(2)];
    assert_eq!(found(&plain, Theory::CarryOn), expected);
}

#[test]
fn rounds_are_the_steps_of_algorithm_8_on_all_digraphs_of_four_nodes() {
    for plain in (1..=4).flat_map(all_carry_on) {
        assert_eq!(found(&plain, Theory::CarryOn), algorithm_8(&plain, true), "{plain:?}");
    }
}

proptest! {
    #![proptest_config(config(5000))]

    #[test]
    fn rounds_are_the_steps_of_algorithm_8(
        plain in prop_oneof![digraphs(Kind::CarryOn, 7), digraphs(Kind::CarryOn, 16)]
    ) {
        prop_assert_eq!(found(&plain, Theory::CarryOn), algorithm_8(&plain, true));
    }

    #[test]
    fn rounds_are_the_steps_of_algorithm_2(plain in digraphs(Kind::Cyclic, 12)) {
        let expected = algorithm_2(&plain);
        prop_assert_eq!(&found(&plain, Theory::Cyclic), &expected);
        // Without gray nodes Algorithm 8 goes the same steps.
        prop_assert_eq!(&found(&plain, Theory::CarryOn), &expected);
        prop_assert_eq!(algorithm_8(&plain, true), expected);
    }

    #[test]
    fn rounds_are_the_steps_of_algorithms_1_and_4(
        short in digraphs(Kind::Short, 12),
        entailing in digraphs(Kind::Entailing, 12),
    ) {
        prop_assert_eq!(found(&short, Theory::Short), algorithms_1_and_4(&short));
        prop_assert_eq!(found(&entailing, Theory::Entailing), algorithms_1_and_4(&entailing));
    }
}
