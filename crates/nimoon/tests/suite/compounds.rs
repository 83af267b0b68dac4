//! Compounds by formula and by search, against compounds written out by the oracle.

use crate::common::{Kind as Shape, Plain, config, digraphs};
use nimoon::smith::compound::{Answer, By, Compound, Compounds, Guidance, Kind};
use nimoon::smith::remoteness::Play;
use nimoon::{Digraph, Limits, Node, Outcome, TurnKind, Work};
use nimoon_oracle::compounds::{self, Options};
use proptest::prelude::*;

const PLAYS: [Play; 2] = [Play::Normal, Play::Misere];

fn oracle_kind(kind: Kind) -> compounds::Kind {
    match kind {
        Kind::Conjunctive => compounds::Kind::Conjunctive,
        Kind::Selective => compounds::Kind::Selective,
        Kind::Disjunctive => compounds::Kind::Disjunctive,
    }
}

fn remoteness(options: &Options, play: Play) -> Vec<Option<u64>> {
    let found = compounds::remoteness(options, &vec![play == Play::Misere; options.len()]);
    found.into_iter().map(|value| value.map(|value| value as u64)).collect()
}

fn outcome(remoteness: Option<u64>) -> Outcome {
    match remoteness.map(|remoteness| remoteness % 2) {
        Some(0) => Outcome::P,
        Some(_) => Outcome::N,
        None => Outcome::D,
    }
}

/// Digraphs side by side on one board, and where each begins.
fn beside(boards: &[&Plain]) -> (Digraph, Vec<usize>) {
    let mut all = Plain { gray: Vec::new(), options: Vec::new() };
    let mut starts = Vec::new();
    for board in boards {
        let start = all.options.len();
        starts.push(start);
        let moved = |row: &Vec<usize>| row.iter().map(|to| to + start).collect();
        all.options.extend(board.options.iter().map(moved));
        all.gray.extend(&board.gray);
    }
    (all.digraph(), starts)
}

/// A compound of pieces, one on each of several boards, written out by the oracle.
struct Written<'a> {
    boards: &'a [&'a Plain],
    starts: &'a [usize],
    options: &'a Options,
    remoteness: &'a [Option<u64>],
}

impl Written<'_> {
    /// The position with pieces on these nodes of their boards.
    fn position(&self, nodes: &[usize]) -> usize {
        nodes.iter().zip(self.boards).fold(0, |place, (node, board)| place * board.len() + node)
    }

    /// What the engine says about a position must be true, the turn included.
    fn check(&self, nodes: &[usize], answer: &Answer) {
        let position = self.position(nodes);
        let expected = self.remoteness[position];
        let distance = compounds::distances(self.options)[position].map(|d| d as u64);
        assert_eq!(answer.distance, distance);
        if let Some(found) = answer.remoteness {
            assert_eq!(found.value, expected, "{:?}", found.by);
        }
        if let Some(found) = answer.outcome {
            assert_eq!(found.value, outcome(expected), "{:?}", found.by);
        }
        let Some(turn) = &answer.turn else { return };
        if self.options[position].is_empty() {
            assert_eq!((turn.kind, turn.steps.len()), (TurnKind::None, 0));
            return;
        }
        let mut after = nodes.to_vec();
        for step in &turn.steps {
            after[step.component] = step.to as usize - self.starts[step.component];
        }
        let to = self.position(&after);
        assert!(self.options[position].contains(&to), "no move: {:?}", turn.steps);
        let kind = match outcome(expected) {
            Outcome::N => TurnKind::Winning,
            Outcome::P => TurnKind::Losing,
            Outcome::D => TurnKind::Drawing,
        };
        assert_eq!(turn.kind, kind);
        match turn.guide {
            Guidance::Remoteness => {
                assert_eq!(self.remoteness[to], expected.map(|remoteness| remoteness - 1));
            }
            Guidance::Rule if kind == TurnKind::Winning => {
                assert_eq!(outcome(self.remoteness[to]), Outcome::P);
            }
            Guidance::Rule => {}
        }
    }
}

/// All tuples of nodes, one from each board.
fn tuples(boards: &[&Plain]) -> Vec<Vec<usize>> {
    boards.iter().fold(vec![Vec::new()], |tuples, board| {
        let longer = |tuple: &Vec<usize>| {
            let tuple = tuple.clone();
            (0..board.len()).map(move |node| [tuple.clone(), vec![node]].concat())
        };
        tuples.iter().flat_map(longer).collect()
    })
}

fn placed(nodes: &[usize], starts: &[usize]) -> Vec<Node> {
    nodes.iter().zip(starts).map(|(node, start)| (node + start) as Node).collect()
}

/// Compares every position of the compounds of some boards.
fn check_all(boards: &[&Plain]) {
    let (digraph, starts) = beside(boards);
    let search = Compounds::new(&digraph, &Work::new(Limits::new(100_000))).unwrap();
    let formula = Compounds::new(&digraph, &Work::new(Limits::new(0))).unwrap();
    for kind in Kind::ALL {
        let (first, rest) = boards.split_first().unwrap();
        let options = rest.iter().fold(first.options.clone(), |options, board| {
            compounds::compound(oracle_kind(kind), &options, &board.options)
        });
        for play in PLAYS {
            let expected = remoteness(&options, play);
            let written =
                Written { boards, starts: &starts, options: &options, remoteness: &expected };
            for nodes in tuples(boards) {
                let compound = Compound::new(kind, placed(&nodes, &starts)).unwrap();
                let found = search.solve(&compound, play);
                assert!(found.remoteness.is_some() && found.outcome.is_some());
                assert!(found.turn.is_some() && found.too_large.is_none());
                written.check(&nodes, &found);
                let known = formula.solve(&compound, play);
                written.check(&nodes, &known);
                let by = |found: &Answer| {
                    (found.remoteness.map(|found| found.by), found.outcome.map(|found| found.by))
                };
                let moving = nodes
                    .iter()
                    .zip(boards)
                    .filter(|(node, board)| !board.options[**node].is_empty());
                match (kind, play, moving.count()) {
                    // (9), (13), and (9) for R′: by formula, and nothing else is needed.
                    (Kind::Conjunctive, ..)
                    | (Kind::Selective, Play::Normal, _)
                    | (_, _, 0 | 1) => {
                        assert_eq!(by(&found), (Some(By::Formula), Some(By::Formula)));
                        assert_eq!(found, known);
                    }
                    (Kind::Disjunctive, Play::Normal, _) => {
                        assert_eq!(found.outcome.unwrap().by, By::Formula);
                        assert_eq!(known.outcome, found.outcome);
                        assert!(known.turn.is_some());
                        let drawn = outcome(written.remoteness[written.position(&nodes)]);
                        let expected = if drawn == Outcome::D { By::Formula } else { By::Search };
                        assert_eq!(found.remoteness.unwrap().by, expected);
                    }
                    (Kind::Disjunctive, Play::Misere, _) => {
                        assert_eq!(by(&found), (Some(By::Search), Some(By::Search)));
                        assert!(known.outcome.is_none() && known.too_large.is_some());
                    }
                    (Kind::Selective, Play::Misere, _) => {
                        assert_eq!(found.remoteness.unwrap().by, By::Search);
                        let is_bounded = found.distance.is_some();
                        let expected = if is_bounded { By::Formula } else { By::Search };
                        assert_eq!(found.outcome.unwrap().by, expected);
                        assert_eq!(known.outcome.is_some(), is_bounded);
                        assert_eq!(known.turn.is_some(), is_bounded);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config(2500))]

    /// (8), (9), (12), (13), (15), (33a) and §8, position by position.
    #[test]
    fn two_components_are_what_the_written_out_compound_is(
        first in digraphs(Shape::Cyclic, 5),
        second in digraphs(Shape::Cyclic, 4),
    ) {
        check_all(&[&first, &second]);
    }

    #[test]
    fn two_bounded_components_are_what_the_written_out_compound_is(
        first in digraphs(Shape::Short, 5),
        second in digraphs(Shape::Short, 5),
    ) {
        check_all(&[&first, &second]);
    }
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn three_components_are_what_the_written_out_compound_is(
        first in digraphs(Shape::Cyclic, 3),
        second in digraphs(Shape::Cyclic, 3),
        third in digraphs(Shape::Short, 3),
    ) {
        check_all(&[&first, &second, &third]);
    }

    #[test]
    fn nested_compounds_are_what_the_written_out_compound_is(
        first in digraphs(Shape::Cyclic, 3),
        second in digraphs(Shape::Cyclic, 3),
        third in digraphs(Shape::Short, 4),
    ) {
        let boards = [&first, &second, &third];
        let (digraph, starts) = beside(&boards);
        for outer in Kind::ALL {
            for inner in Kind::ALL {
                let two = compounds::compound(oracle_kind(inner), &first.options, &second.options);
                let options = compounds::compound(oracle_kind(outer), &two, &third.options);
                for play in PLAYS {
                    let expected = remoteness(&options, play);
                    let written = Written {
                        boards: &boards, starts: &starts, options: &options, remoteness: &expected,
                    };
                    // Without a budget some is known still, and none of it may be wrong.
                    for budget in [0, 8, 100_000] {
                        let solver = Compounds::new(&digraph, &Work::new(Limits::new(budget))).unwrap();
                        for nodes in tuples(&boards) {
                            let placed = placed(&nodes, &starts);
                            let two = Compound::new(inner, placed[..2].to_vec()).unwrap();
                            let three = Compound::new(outer, placed[2..].to_vec()).unwrap();
                            let compound = Compound::of(outer, [two, three]).unwrap();
                            let answer = solver.solve(&compound, play);
                            written.check(&nodes, &answer);
                            if budget > 8 {
                                prop_assert!(answer.remoteness.is_some() && answer.turn.is_some());
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The winner by the rule of §8, without a search, against every reply.
fn misere_rule_wins(solver: &Compounds<'_>, digraph: &Digraph, nodes: &[Node], to_move: bool) {
    let compound = Compound::new(Kind::Selective, nodes.to_vec()).unwrap();
    let answer = solver.solve(&compound, Play::Misere);
    let stuck = nodes.iter().all(|&node| digraph.options(node).is_empty());
    if to_move {
        assert_eq!(answer.outcome.unwrap().value, Outcome::N, "{nodes:?}");
        // Who finds no move has won.
        if stuck {
            return;
        }
        let mut after = nodes.to_vec();
        let turn = answer.turn.unwrap();
        assert!(!turn.steps.is_empty());
        for step in turn.steps {
            assert!(digraph.options(nodes[step.component]).contains(&step.to));
            after[step.component] = step.to;
        }
        misere_rule_wins(solver, digraph, &after, false);
    } else {
        assert!(!stuck, "the winner has moved last");
        let mut replies = vec![Vec::new()];
        for &node in nodes {
            let stay_or_go = || std::iter::once(node).chain(digraph.options(node).iter().copied());
            replies = replies
                .into_iter()
                .flat_map(|reply| stay_or_go().map(move |to| [reply.clone(), vec![to]].concat()))
                .collect();
        }
        for reply in replies.into_iter().filter(|reply| reply != nodes) {
            misere_rule_wins(solver, digraph, &reply, true);
        }
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn the_rule_for_misere_selective_compounds_wins_against_every_reply(
        plain in digraphs(Shape::Short, 5),
        pieces in prop::collection::vec(0..5_usize, 2..4),
    ) {
        let digraph = plain.digraph();
        let solver = Compounds::new(&digraph, &Work::new(Limits::new(0))).unwrap();
        let nodes: Vec<Node> = pieces.iter().map(|&node| (node % plain.len()) as Node).collect();
        let compound = Compound::new(Kind::Selective, nodes.clone()).unwrap();
        let won = solver.solve(&compound, Play::Misere).outcome.unwrap().value;
        misere_rule_wins(&solver, &digraph, &nodes, won == Outcome::N);
    }
}

#[test]
fn the_rule_for_misere_selective_compounds_needs_bounded_distances() {
    // c → c, z, with two pieces on c: in normal play the mover wins by moving both to z; in misère
    // play the mover finds only a draw, since the opponent may always stay. No digraph of one node
    // distinguishes the two.
    let digraph = Digraph::new(2, [], vec![(1, 1), (1, 0)]).unwrap();
    let solver = Compounds::new(&digraph, &Work::default()).unwrap();
    let compound = Compound::new(Kind::Selective, vec![1, 1]).unwrap();
    let [normal, misere] = PLAYS.map(|play| solver.solve(&compound, play).outcome.unwrap());
    assert_eq!((normal.value, normal.by), (Outcome::N, By::Formula));
    assert_eq!((misere.value, misere.by), (Outcome::D, By::Search));
    let options: Options = vec![vec![], vec![1, 0]];
    let both = compounds::compound(compounds::Kind::Selective, &options, &options);
    let found = PLAYS.map(|play| outcome(remoteness(&both, play)[3]));
    assert_eq!(found, [Outcome::N, Outcome::D]);
}

#[test]
fn many_components_are_evaluated_by_a_formula() {
    let arcs = (1..1000).map(|node| (node, node - 1)).collect();
    let way = Digraph::new(1000, [], arcs).unwrap();
    let solver = Compounds::new(&way, &Work::new(Limits::new(1000))).unwrap();
    let nodes: Vec<Node> = (0..100_000).map(|i| i % 1000).collect();
    let answer = |kind| solver.solve(&Compound::new(kind, nodes.clone()).unwrap(), Play::Normal);
    let conjunctive = answer(Kind::Conjunctive);
    assert_eq!(conjunctive.remoteness.unwrap().value, Some(0));
    let selective = answer(Kind::Selective);
    let sum: u64 = nodes.iter().map(|&node| u64::from(node)).sum();
    assert_eq!(selective.remoteness.unwrap().value, Some(sum - 50_000 + 1));
    assert_eq!(selective.turn.unwrap().steps.len(), 50_000);
    let disjunctive = answer(Kind::Disjunctive);
    assert_eq!(disjunctive.outcome.unwrap().value, Outcome::P);
    assert_eq!(disjunctive.grundy.unwrap().h, Some(sum));
    assert!(disjunctive.remoteness.is_none() && disjunctive.too_large.is_some());
    let misere = solver.solve(&Compound::new(Kind::Selective, nodes).unwrap(), Play::Misere);
    assert_eq!(misere.outcome.unwrap().value, Outcome::N);
    assert_eq!(misere.turn.unwrap().guide, Guidance::Rule);
}

#[test]
fn a_conjunctive_compound_has_a_move_in_every_component_or_none_that_is_known() {
    // 5 → 4 → 3 → 2 → 1 → 0, and a loop on 6.
    let arcs = (1..6).map(|node| (node, node - 1)).chain([(6, 6)]).collect();
    let digraph = Digraph::new(7, [], arcs).unwrap();
    // The sum is drawn by its loop, and too large to be written out; each of its components is not.
    let text = "conjunctive(disjunctive(selective(5,5),selective(5,5),6),3)";
    let compound = Compound::read(text, |name| name.parse().ok()).unwrap();
    let within = |budget| {
        let answer = Compounds::new(&digraph, &Work::new(Limits::new(budget))).unwrap();
        answer.solve(&compound, Play::Normal)
    };
    let few = within(100);
    assert!(few.too_large.is_some());
    assert_eq!(few.remoteness.unwrap().value, Some(3));
    assert_eq!(few.turn, None);
    let many = within(10_000);
    assert_eq!(many.remoteness.unwrap().value, Some(3));
    let moved: Vec<usize> = many.turn.unwrap().steps.iter().map(|step| step.component).collect();
    assert!(moved.contains(&5) && moved.iter().any(|&component| component < 5), "{moved:?}");
}

#[test]
fn deep_compounds_are_evaluated() {
    let arcs = (1..10).map(|node| (node, node - 1)).collect();
    let way = Digraph::new(10, [], arcs).unwrap();
    let solver = Compounds::new(&way, &Work::new(Limits::new(1000))).unwrap();
    let node = |name: &str| name.parse().ok();
    for [open, close] in
        [["selective(conjunctive(5,", "),4)"], ["selective(4,conjunctive(", ",5))"]]
    {
        let text = open.repeat(20_000) + "7" + &close.repeat(20_000);
        let compound = Compound::read(&text, node).unwrap();
        for play in PLAYS {
            let answer = solver.solve(&compound, play);
            // Play ends after five moves in the outermost conjunctive compound and four beside it.
            assert!(answer.distance.is_some());
            assert!(answer.remoteness.is_some() || play == Play::Misere);
        }
    }
}

#[test]
fn gray_nodes_are_refused() {
    let digraph = Digraph::new(2, [1], vec![(0, 1)]).unwrap();
    let error = Compounds::new(&digraph, &Work::default()).err().unwrap();
    assert_eq!(error.node, 1);
}
