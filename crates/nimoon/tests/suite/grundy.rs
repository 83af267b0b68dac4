//! G, H and J against sweeps, sums against compounds written out, and play by H against every
//! reply.

use crate::common::{Kind, Plain, config, digraphs};
use nimoon::smith::grundy::GrundyPair;
use nimoon::smith::grundy::wide::functions;
use nimoon::smith::remoteness::{Play, Remoteness};
use nimoon::{Digraph, Limits, Node, Outcome, Work};
use nimoon_oracle::compounds::{self, Options};
use proptest::prelude::*;

fn small(value: Option<u32>) -> Option<usize> {
    value.map(|value| value as usize)
}

fn disjunctive(boards: &[&Options]) -> Options {
    let (first, rest) = boards.split_first().unwrap();
    rest.iter().fold((*first).clone(), |options, board| {
        compounds::compound(compounds::Kind::Disjunctive, &options, board)
    })
}

/// Digraphs with enough arcs for values above 1, and cycles.
fn dense(most: usize) -> impl Strategy<Value = Plain> {
    (1..=most).prop_flat_map(|len| {
        let downward = prop::collection::vec(proptest::bool::weighted(0.6), len * len);
        let back = prop::collection::vec(proptest::bool::weighted(0.12), len * len);
        (downward, back).prop_map(move |(downward, back)| {
            let is_arc = |from: usize, to: usize| {
                if to < from { downward[from * len + to] } else { back[from * len + to] }
            };
            let row = |from| (0..len).filter(move |&to| is_arc(from, to)).collect();
            Plain { gray: vec![false; len], options: (0..len).map(row).collect() }
        })
    })
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn g_and_the_least_h_are_those_of_the_definitions(
        plain in prop_oneof![dense(7), digraphs(Kind::Cyclic, 8)],
    ) {
        let digraph = plain.digraph();
        let pair = GrundyPair::new(&digraph).unwrap();
        let g: Vec<_> = digraph.nodes().map(|node| small(pair.g(node))).collect();
        let h: Vec<_> = digraph.nodes().map(|node| small(pair.h(node))).collect();
        prop_assert_eq!(&g, &compounds::strict_grundy(&plain.options));
        prop_assert_eq!(&h, &compounds::least_h(&plain.options, &g));
        prop_assert_eq!(compounds::violation(&plain.options, &g, &h), None);
        let solved = Remoteness::new(&digraph, Play::Normal);
        for node in digraph.nodes() {
            if let Some(distance) = solved.distance(node) {
                // (17), and D is an H where it is finite.
                prop_assert!(pair.g(node).is_some_and(|g| g <= distance));
                prop_assert!(pair.h(node).is_some_and(|h| h <= distance));
            }
            if let Some(h) = pair.h(node) {
                // (30), (31), (24), (25)
                prop_assert!(solved.remoteness(node).is_some_and(|remoteness| remoteness <= h));
                prop_assert!(pair.g(node).is_some_and(|g| g <= h));
                let j = pair.j(&digraph, node);
                let comin = (0..=j.len() as u32).find(|value| !j.contains(value));
                prop_assert_eq!(pair.g(node), comin);
                prop_assert!(!j.contains(&comin.unwrap()));
            }
            // (32)
            let expected = match (pair.g(node), pair.j(&digraph, node).contains(&0)) {
                (Some(0), _) => Outcome::P,
                (_, true) => Outcome::N,
                (_, false) => Outcome::D,
            };
            prop_assert_eq!(solved.outcome(node), expected);
        }
        // H visits each arc once, and twice more for each value that followers have.
        let largest = g.iter().flatten().max().map_or(0, |&g| g as u64);
        prop_assert!(pair.work() <= digraph.arc_count() as u64 * (largest + 3));
    }

    #[test]
    fn conditions_are_judged_alike_by_engine_and_oracle(
        plain in digraphs(Kind::Cyclic, 5),
        changes in prop::collection::vec((0..5_usize, 0..4_u32, 0..6_u32), 0..3),
    ) {
        let digraph = plain.digraph();
        let pair = GrundyPair::new(&digraph).unwrap();
        let mut g: Vec<_> = digraph.nodes().map(|node| small(pair.g(node))).collect();
        let mut h: Vec<_> = digraph.nodes().map(|node| small(pair.h(node))).collect();
        for (node, value, height) in changes {
            let node = node % plain.len();
            g[node] = (value < 3).then_some(value as usize);
            h[node] = (height < 5).then_some(height as usize);
        }
        let found = GrundyPair::violation(
            &digraph,
            |node| g[node as usize].map(|g| g as u64),
            |node| h[node as usize].map(|h| h as u64),
        );
        let expected = compounds::violation(&plain.options, &g, &h);
        prop_assert_eq!(found.map(|found| found.node as usize), expected.map(|(node, _)| node));
    }

    /// (33a) and (33b): the sum of the H is an H of the compound.
    #[test]
    fn two_components_have_the_nim_sum_of_g_and_the_sum_of_h_as_an_h(
        first in prop_oneof![dense(5), digraphs(Kind::Cyclic, 5)],
        second in prop_oneof![dense(4), digraphs(Kind::Cyclic, 4)],
    ) {
        check_sums(&[&first, &second])?;
    }
}

proptest! {
    #![proptest_config(config(300))]

    /// (36a), (36b) and (36c).
    #[test]
    fn three_components_have_the_nim_sum_of_g_and_the_sum_of_h_as_an_h(
        first in dense(4),
        second in prop_oneof![dense(3), digraphs(Kind::Cyclic, 3)],
        third in digraphs(Kind::Cyclic, 3),
    ) {
        check_sums(&[&first, &second, &third])?;
    }

    #[test]
    fn play_by_h_wins_against_every_reply(
        first in prop_oneof![dense(5), digraphs(Kind::Cyclic, 5)],
        second in prop_oneof![dense(4), digraphs(Kind::Cyclic, 4)],
    ) {
        let (digraph, start) = beside(&first, &second);
        let pair = GrundyPair::new(&digraph).unwrap();
        for x in 0..first.len() {
            for y in 0..second.len() {
                let nodes = [x as Node, (start + y) as Node];
                match pair.outcome(&digraph, &nodes) {
                    Outcome::N => wins(&digraph, &pair, &nodes, true, u64::MAX),
                    Outcome::P => wins(&digraph, &pair, &nodes, false, u64::MAX),
                    Outcome::D => holds(&digraph, &pair, &nodes),
                }
            }
        }
    }

    #[test]
    fn functions_in_the_wide_sense_are_found_by_trying_everything(
        plain in prop_oneof![dense(5), digraphs(Kind::Cyclic, 6)],
        limit in 0..4_usize,
    ) {
        let expected = compounds::wide_grundy(&plain.options);
        let digraph = plain.digraph();
        let found = functions(&digraph, 1000, &Work::default());
        let as_numbers = |function: &Vec<u32>| -> Vec<usize> {
            function.iter().map(|&value| value as usize).collect()
        };
        prop_assert!(found.complete);
        let all: Vec<_> = found.functions.iter().map(as_numbers).collect();
        prop_assert_eq!(&all, &expected);
        let some = functions(&digraph, limit, &Work::default());
        prop_assert_eq!(some.functions.len(), limit.min(expected.len()));
        prop_assert_eq!(some.complete, limit >= expected.len());
    }
}

fn beside(first: &Plain, second: &Plain) -> (Digraph, usize) {
    let start = first.len();
    let moved = second.options.iter().map(|row| row.iter().map(|to| to + start).collect());
    let options: Options = first.options.iter().cloned().chain(moved).collect();
    (Plain { gray: vec![false; options.len()], options }.digraph(), start)
}

/// Compares G, H and J of all positions of the disjunctive compound of some boards.
fn check_sums(boards: &[&Plain]) -> Result<(), TestCaseError> {
    let rows: Vec<&Options> = boards.iter().map(|board| &board.options).collect();
    let options = disjunctive(&rows);
    let mut all = Plain { gray: Vec::new(), options: Vec::new() };
    let mut starts = Vec::new();
    for board in boards {
        let start = all.options.len();
        starts.push(start);
        let moved = |row: &Vec<usize>| row.iter().map(|to| to + start).collect();
        all.options.extend(board.options.iter().map(moved));
        all.gray.extend(&board.gray);
    }
    let digraph = all.digraph();
    let pair = GrundyPair::new(&digraph).unwrap();
    let mut sums = Vec::new();
    for position in 0..options.len() {
        let mut rest = position;
        let mut nodes: Vec<Node> = Vec::new();
        for (board, start) in boards.iter().zip(&starts).rev() {
            nodes.push((rest % board.len() + start) as Node);
            rest /= board.len();
        }
        sums.push(pair.sum(&digraph, &nodes));
    }
    let g: Vec<_> = sums.iter().map(|sum| sum.g.map(|g| g as usize)).collect();
    let h: Vec<_> = sums.iter().map(|sum| sum.h.map(|h| h as usize)).collect();
    prop_assert_eq!(&g, &compounds::strict_grundy(&options));
    prop_assert_eq!(compounds::violation(&options, &g, &h), None);
    let least = compounds::least_h(&options, &g);
    prop_assert!(least.iter().zip(&h).all(|(least, h)| least <= h));
    for (position, sum) in sums.iter().enumerate() {
        let mut j: Vec<u64> =
            options[position].iter().filter_map(|&to| g[to]).map(|g| g as u64).collect();
        j.sort_unstable();
        j.dedup();
        prop_assert_eq!(&sum.j, &j);
    }
    Ok(())
}

/// The winner moves by H, the opponent in every way; H falls at each P-position that is left.
fn wins(digraph: &Digraph, pair: &GrundyPair, nodes: &[Node], to_move: bool, below: u64) {
    if to_move {
        let (component, to) = pair.guided_move(digraph, nodes).expect("a winner can move");
        assert!(digraph.options(nodes[component]).contains(&to));
        let mut after = nodes.to_vec();
        after[component] = to;
        wins(digraph, pair, &after, false, below);
    } else {
        let sum = pair.sum(digraph, nodes);
        assert_eq!(sum.g, Some(0));
        let height = sum.h.unwrap();
        assert!(height < below, "H does not fall");
        for (component, &node) in nodes.iter().enumerate() {
            for &to in digraph.options(node) {
                let mut after = nodes.to_vec();
                after[component] = to;
                wins(digraph, pair, &after, true, height);
            }
        }
    }
}

/// A player who keeps the draw never comes to a lost position.
fn holds(digraph: &Digraph, pair: &GrundyPair, nodes: &[Node]) {
    let mut seen = vec![nodes.to_vec()];
    let mut next = 0;
    while let Some(nodes) = seen.get(next).cloned() {
        next += 1;
        assert_ne!(pair.outcome(digraph, &nodes), Outcome::P);
        let (component, to) = pair.guided_move(digraph, &nodes).expect("there is a move");
        let mut after = nodes.clone();
        after[component] = to;
        assert_ne!(pair.outcome(digraph, &after), Outcome::N);
        for (component, &node) in after.iter().enumerate() {
            for &to in digraph.options(node) {
                let mut reply = after.clone();
                reply[component] = to;
                if !seen.contains(&reply) {
                    seen.push(reply);
                }
            }
        }
    }
}

#[test]
fn the_sum_of_h_is_not_the_least_h_of_the_compound() {
    let options: Options = vec![vec![1, 2], vec![], vec![0]];
    let plain = Plain { gray: vec![false; 3], options: options.clone() };
    let digraph = plain.digraph();
    let pair = GrundyPair::new(&digraph).unwrap();
    assert_eq!([0, 1, 2].map(|node| pair.h(node)), [Some(3), Some(0), Some(2)]);
    assert_eq!(pair.sum(&digraph, &[0, 0]).h, Some(6));
    let both = disjunctive(&[&options, &options]);
    let g = compounds::strict_grundy(&both);
    assert_eq!(compounds::least_h(&both, &g)[0], Some(4));
}

#[test]
fn loops_have_no_function_in_the_wide_sense_and_cycles_of_two_have_two() {
    let count = |len, arcs| {
        let digraph = Digraph::new(len, [], arcs).unwrap();
        functions(&digraph, 100, &Work::default()).functions.len()
    };
    assert_eq!(count(1, vec![(0, 0)]), 0);
    assert_eq!(count(3, vec![(0, 1), (1, 2), (2, 0)]), 0);
    assert_eq!(count(3, vec![(0, 1), (1, 2)]), 1);
    assert_eq!(count(2, vec![(0, 1), (1, 0)]), 2);
    assert_eq!(count(4, vec![(0, 1), (1, 0), (2, 3), (3, 2)]), 4);
    // The strict function knows none of these.
    let cycle = Digraph::new(2, [], vec![(0, 1), (1, 0)]).unwrap();
    assert_eq!(GrundyPair::new(&cycle).unwrap().g(0), None);
}

#[test]
fn a_search_in_the_wide_sense_stops_at_its_budget() {
    // Twenty cycles of two have a million functions.
    let arcs = (0..20).flat_map(|i| [(2 * i, 2 * i + 1), (2 * i + 1, 2 * i)]).collect();
    let digraph = Digraph::new(40, [], arcs).unwrap();
    let found = functions(&digraph, 5, &Work::default());
    assert_eq!((found.functions.len(), found.complete), (5, false));
    let found = functions(&digraph, usize::MAX, &Work::new(Limits::new(1000)));
    assert!(!found.complete && !found.functions.is_empty());
}

/// Lemma 3, for three numbers.
#[test]
fn below_a_nim_sum_one_of_the_numbers_can_be_lowered() {
    for (x, y, z) in
        (0..8_u32).flat_map(|x| (0..8).flat_map(move |y| (0..8).map(move |z| (x, y, z))))
    {
        for u in 0..x ^ y ^ z {
            assert!([x, y, z].iter().any(|&one| u ^ x ^ y ^ z ^ one < one));
        }
    }
}
