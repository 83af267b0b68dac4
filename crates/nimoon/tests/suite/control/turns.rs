//! Turns without the product: every reply within a turn has an answer, what a turn leaves is lost, and
//! the measure falls from turn to turn until the opponent cannot move.

use nimoon::impartial::turn::{Guide, Ply, Tree, solve};
use nimoon::{Digraph, Labelling, Limits, Node, Outcome, Sum, Theory, TurnKind, Work, label};
use proptest::prelude::*;

use crate::common::{Plain, config};
use crate::control::digraphs;

/// Six equal nim-heaps are added, which makes the product too large for these limits.
const HEAP: Node = 7;

fn limits() -> Work {
    Work::new(Limits::new(40_000))
}

/// The digraph with a nim-heap behind it, and the node of the heap.
fn with_heap(plain: &Plain) -> (Digraph, Node) {
    let first = plain.len() as Node;
    let gray = (0..first).filter(|&node| plain.gray[node as usize]);
    let own = (0..first)
        .flat_map(|from| plain.options[from as usize].iter().map(move |&to| (from, to as Node)));
    let heap = (0..=HEAP).flat_map(|a| (0..a).map(move |b| (first + a, first + b)));
    let digraph = Digraph::new(plain.len() + HEAP as usize + 1, gray, own.chain(heap).collect());
    (digraph.unwrap(), first + HEAP)
}

struct Played<'a> {
    digraph: &'a Digraph,
    labelling: &'a Labelling,
    /// How many turns were not over with their plies.
    trees: usize,
}

impl Played<'_> {
    fn outcome(&self, pieces: &[Node]) -> Outcome {
        let sum = Sum::new(self.digraph, self.labelling, pieces.to_vec()).unwrap();
        sum.outcome().unwrap()
    }

    fn make(&self, pieces: &mut [Node], ply: Ply) -> Result<(), TestCaseError> {
        let gray = pieces.iter().position(|&node| self.digraph.is_gray(node));
        prop_assert!(gray.is_none_or(|gray| gray == ply.component));
        prop_assert_eq!(pieces[ply.component], ply.from);
        prop_assert!(self.digraph.options(ply.from).contains(&ply.to));
        pieces[ply.component] = ply.to;
        Ok(())
    }

    /// All positions that a tree leaves.
    fn leaves(
        &self,
        pieces: &[Node],
        tree: &Tree,
        found: &mut Vec<Vec<Node>>,
    ) -> Result<(), TestCaseError> {
        let mut at = pieces.to_vec();
        self.make(&mut at, tree.ply)?;
        let due = at.iter().copied().find(|&node| self.digraph.is_gray(node));
        let replies = due.map_or(0, |node| self.digraph.options(node).len());
        prop_assert_eq!(tree.replies.len(), replies);
        if replies == 0 {
            prop_assert_eq!(self.outcome(&at), Outcome::P);
            found.push(at);
            return Ok(());
        }
        for reply in &tree.replies {
            let mut after = at.clone();
            self.make(&mut after, reply.ply)?;
            if let Some(then) = &reply.then {
                self.leaves(&after, then, found)?;
            }
        }
        Ok(())
    }

    /// The positions that a winning turn can leave.
    fn turn(&mut self, pieces: &[Node]) -> Result<Vec<Vec<Node>>, TestCaseError> {
        let sum = Sum::new(self.digraph, self.labelling, pieces.to_vec()).unwrap();
        let answer = solve(&sum, &limits()).unwrap();
        prop_assert_eq!(answer.guide, Guide::Measure);
        prop_assert_eq!(answer.outcome, Outcome::N);
        let turn = answer.turn.unwrap();
        prop_assert_eq!(turn.kind, TurnKind::Winning);
        let mut left = Vec::new();
        if let Some(tree) = answer.tree {
            self.trees += 1;
            self.leaves(pieces, &tree, &mut left)?;
        } else {
            let mut at = pieces.to_vec();
            for ply in turn.plies {
                self.make(&mut at, ply)?;
            }
            prop_assert_eq!(self.outcome(&at), Outcome::P, "{:?}", pieces);
            left.push(at);
        }
        Ok(left)
    }

    /// The sum of the places in the order of assignment.
    fn measure(&self, pieces: &[Node]) -> usize {
        let order = self.labelling.order();
        let place = |node: &Node| order.iter().position(|other| other == node).unwrap();
        pieces.iter().map(place).sum()
    }
}

/// Plays some games of winning turns against other moves.
fn wins(plain: &Plain, nodes: &[usize], seed: u64, trees: &mut usize) -> Result<(), TestCaseError> {
    let (digraph, heap) = with_heap(plain);
    let labelling = label(&digraph, Some(Theory::General), &Work::default()).unwrap();
    let mut played = Played { digraph: &digraph, labelling: &labelling, trees: 0 };
    let mut pieces: Vec<Node> = nodes.iter().map(|&node| node as Node).chain([heap; 6]).collect();
    if played.outcome(&pieces) != Outcome::N {
        return Ok(());
    }
    let mut random = seed;
    let mut below = |n: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % n
    };
    let mut before = None;
    for _ in 0..6 {
        let left = played.turn(&pieces)?;
        let measures: Vec<usize> = left
            .iter()
            .filter(|left| left.iter().all(|&node| !digraph.is_gray(node)))
            .map(|left| played.measure(left))
            .collect();
        if let Some(before) = before {
            prop_assert!(measures.iter().all(|&after| after < before), "{:?}", pieces);
        }
        let Some(next) = left.get(below(left.len().max(1))) else { break };
        pieces.clone_from(next);
        if pieces.iter().any(|&node| digraph.is_gray(node)) {
            // The opponent is stuck.
            break;
        }
        before = Some(played.measure(&pieces));
        let movable: Vec<usize> =
            (0..pieces.len()).filter(|&i| !digraph.options(pieces[i]).is_empty()).collect();
        let Some(&component) = movable.get(below(movable.len().max(1))) else { break };
        let options = digraph.options(pieces[component]);
        pieces[component] = options[below(options.len())];
        if played.outcome(&pieces) != Outcome::N {
            // The move must be answered and leads to more; what it leaves is won as well.
            prop_assert!(false, "{:?} is not won", pieces);
        }
        if Sum::new(&digraph, &labelling, pieces.clone()).is_ok_and(|sum| {
            solve(&sum, &limits()).is_ok_and(|answer| answer.guide != Guide::Measure)
        }) {
            break;
        }
    }
    *trees += played.trees;
    Ok(())
}

fn with_pieces(most: usize) -> impl Strategy<Value = (Plain, Vec<usize>, u64)> {
    let white = |plain: &Plain| -> Vec<usize> {
        (0..plain.len()).filter(|&node| !plain.gray[node]).collect()
    };
    digraphs(9).prop_filter("a white node", move |plain| !white(plain).is_empty()).prop_flat_map(
        move |plain| {
            let pieces = prop::collection::vec(prop::sample::select(white(&plain)), 1..=most);
            (Just(plain), pieces, any::<u64>())
        },
    )
}

#[test]
fn turns_without_the_product_win_against_every_reply() {
    let mut runner = proptest::test_runner::TestRunner::new(config(1500));
    let trees = std::cell::Cell::new(0);
    runner
        .run(&with_pieces(4), |(plain, nodes, seed)| {
            let mut found = trees.get();
            let result = wins(&plain, &nodes, seed, &mut found);
            trees.set(found);
            result
        })
        .unwrap();
    assert!(trees.get() > 10, "only {} trees", trees.get());
}
