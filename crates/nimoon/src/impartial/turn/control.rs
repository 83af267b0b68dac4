//! Turns of the general theory without the product.
//!
//! A turn is played by goals, one after the other; each is reached in finitely many plies, whatever
//! the opponent replies.
//!
//! **One component without a number, or none.** The others are together as good as a nim-heap *k.
//! The goal is to win the component beside *k by the plan of the [layer](super::layer). It ends
//! with the opponent stuck, with the opponent free in a component of number k, or with the mover in
//! control on a number j < k. Then all components have numbers, their nim-sum is not 0, and one of
//! them, of number a, is to be brought to a number b < a: by its plan beside *b. This goes on only
//! while numbers fall.
//!
//! **Several components without a number.** They cannot be finished by handing over (Theorem 2), so
//! the mover needs control until at most one is left. In place of each component there stands a
//! term below its value, at first the canonical one; for an essentially cyclic value an approximant
//! that is enough to win. By the formula for sums some member of one of these terms is a meet such
//! that the sum is won with each of its results. The goal is to bring the component to a node whose
//! value is above one of the results ([`Attractor`]); the comparison game shows that the mover can.
//! The result then takes the place of the term. Terms become smaller with each goal, so there are
//! finitely many.
//!
//! **From turn to turn** the measure falls, the places of the components in the order in which they
//! got their numbers, added up. After a won turn all components have numbers, with nim-sum 0. The
//! opponent then makes a turn in one of them, x, of number m, and leaves it where it is won beside
//! *m; that was found before x got its number. So the plan beside *m leaves the component with a
//! smaller place. Where all components have numbers, the component is chosen with which the plan
//! leaves the least measure in the worst case: it is not more than with that one. Other components
//! that are moved are left with smaller numbers, which have smaller places. ∎
//!
//! The plan is made for the whole turn: a duel is fought for its goal. A turn that is planned again
//! in the middle of a duel wins as well, but of several components without a number it may go the
//! same way twice.

use std::cmp::Reverse;
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::graph::digraph::Node;
use crate::impartial::control::virtuals::{Virtual, Virtuals};
use crate::impartial::sum::{Algebra, Duel, Sum};
use crate::impartial::turn::attractor::Attractor;
use crate::impartial::turn::drawing::drawing;
use crate::impartial::turn::follow::decided;
use crate::impartial::turn::layer::Layer;
use crate::impartial::turn::tree::{self, Chooser, Tree};
use crate::impartial::turn::{Ply, Turn, each_once};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// The turn that wins, holds the draw or loses, and its tree if the opponent chooses in between.
pub(crate) fn by_values(
    sum: &Sum<'_>,
    outcome: Outcome,
    work: &Work,
) -> Result<(Option<Turn>, Option<Tree>), Interrupted> {
    if outcome == Outcome::D {
        return Ok((drawing(sum, work)?, None));
    }
    let mut planner = Planner::new(sum, outcome, work);
    let start = Plan { pieces: sum.pieces().to_vec(), virtuals: None, goal: None };
    let (plies, tree) = tree::follow(sum, start, outcome, &mut planner)?;
    Ok((Some(decided(outcome, plies)), tree))
}

/// A position within a turn, and what is planned.
#[derive(Clone)]
struct Plan {
    pieces: Vec<Node>,
    /// What stands in place of the components, while several have no number.
    virtuals: Option<Vec<Virtual>>,
    goal: Option<Goal>,
}

/// What is to be done with a component.
#[derive(Clone)]
enum Goal {
    /// To win it beside a nim-heap.
    Win { component: usize, layer: Rc<Layer> },
    /// To bring it to one of some nodes, in place of one of these results.
    Reach { component: usize, attractor: Rc<Attractor>, results: Rc<[Virtual]> },
}

struct Planner<'a> {
    sum: &'a Sum<'a>,
    outcome: Outcome,
    work: &'a Work,
    /// The place of each node in the order of assignment, from 1 on.
    measures: Vec<u32>,
    layers: FxHashMap<u64, Rc<Layer>>,
    attractors: FxHashMap<Vec<Virtual>, Rc<Attractor>>,
    virtuals: Virtuals,
}

impl<'a> Planner<'a> {
    fn new(sum: &'a Sum<'a>, outcome: Outcome, work: &'a Work) -> Self {
        let mut measures = vec![0; sum.digraph.len()];
        for (place, &node) in (1..).zip(sum.labelling.order()) {
            measures[node as usize] = place;
        }
        Self {
            sum,
            outcome,
            work,
            measures,
            layers: FxHashMap::default(),
            attractors: FxHashMap::default(),
            virtuals: Virtuals::new(work),
        }
    }

    fn layer(&mut self, heap: u64) -> Result<Rc<Layer>, Interrupted> {
        if let Some(known) = self.layers.get(&heap) {
            return Ok(Rc::clone(known));
        }
        let layer = Rc::new(Layer::new(self.sum, &self.measures, heap, self.work)?);
        self.layers.insert(heap, Rc::clone(&layer));
        Ok(layer)
    }

    /// The nim-sum of all components but one; none if one of them has no number.
    fn others(&self, pieces: &[Node], component: usize) -> Option<u64> {
        let others = pieces.iter().enumerate().filter(|&(i, _)| i != component);
        others
            .map(|(_, &node)| self.sum.labelling.nimber(node))
            .try_fold(0, |sum, n| Some(sum ^ n?))
    }

    /// The move of a piece on a gray node, where no goal is known.
    fn on_gray(&self, pieces: &[Node], component: usize) -> Result<Option<Node>, Interrupted> {
        let digraph = self.sum.digraph;
        let Some(algebra) = Algebra::new(digraph, self.sum.labelling, self.work) else {
            return Ok(None);
        };
        let others = pieces.iter().enumerate().filter(|&(i, _)| i != component);
        let rest = algebra.total(others.map(|(_, &node)| node));
        let node = pieces[component];
        let duel = Duel::of(digraph, node, |white| algebra.outcome(&rest, white));
        let rank = |&option: &Node| {
            if digraph.is_gray(option) {
                duel.rank(option).filter(|rank| rank % 2 == 0)
            } else {
                (algebra.outcome(&rest, option) == Outcome::P).then_some(0)
            }
        };
        let options = digraph.options(node).iter().copied();
        let best = options.filter_map(|option| Some((rank(&option)?, option))).min();
        algebra.interrupted().map_or(Ok(best.map(|(_, option)| option)), Err)
    }

    /// What to do in a won position of white nodes.
    fn goal(&mut self, plan: &mut Plan) -> Result<Option<Goal>, Interrupted> {
        let numbers: Vec<Option<u64>> =
            plan.pieces.iter().map(|&node| self.sum.labelling.nimber(node)).collect();
        let mut open = numbers.iter().zip(0..).filter(|(n, _)| n.is_none()).map(|(_, i)| i);
        let (first, second) = (open.next(), open.next());
        match (first, second) {
            (Some(component), None) => {
                plan.virtuals = None;
                let Some(heap) = self.others(&plan.pieces, component) else { return Ok(None) };
                let layer = self.layer(heap)?;
                let wins = layer.wins(plan.pieces[component]);
                Ok(wins.then_some(Goal::Win { component, layer }))
            }
            (None, _) => {
                plan.virtuals = None;
                self.number_to_change(&plan.pieces)
            }
            (Some(_), Some(_)) => self.result_to_reach(plan),
        }
    }

    /// Where all components have numbers: the one to change.
    fn number_to_change(&mut self, pieces: &[Node]) -> Result<Option<Goal>, Interrupted> {
        let number = |node: Node| self.sum.labelling.nimber(node).unwrap_or(0);
        let total = pieces.iter().fold(0, |sum, &node| sum ^ number(node));
        let candidates: Vec<(usize, Node, u64)> = each_once(pieces, 1)
            .map(|(component, node)| (component, node, number(node) ^ total))
            .filter(|&(_, node, heap)| heap < number(node))
            .collect();
        let mut best: Option<(i64, Goal)> = None;
        for (component, node, heap) in candidates {
            let layer = self.layer(heap)?;
            let change = i64::from(layer.worst(node)) - i64::from(self.measures[node as usize]);
            if best.as_ref().is_none_or(|(least, _)| change < *least) {
                best = Some((change, Goal::Win { component, layer }));
            }
        }
        Ok(best.map(|(_, goal)| goal))
    }

    /// Where several components have no number: an action of a term all of whose results win.
    fn result_to_reach(&mut self, plan: &mut Plan) -> Result<Option<Goal>, Interrupted> {
        let virtuals = if let Some(known) = plan.virtuals.take() {
            known
        } else {
            let values = plan.pieces.iter().filter_map(|&node| self.sum.labelling.value(node));
            let values: Vec<_> = values.collect();
            let Some(found) = self.virtuals.of_values(&values)? else { return Ok(None) };
            found
        };
        let found = self.virtuals.winning_action(&virtuals)?;
        plan.virtuals = Some(virtuals);
        let Some((component, results)) = found else { return Ok(None) };
        let attractor = self.attractor(&results)?;
        let node = plan.pieces[component];
        let can = attractor.is_target(node) || attractor.next(node).is_some();
        Ok(can.then(|| Goal::Reach { component, attractor, results: results.into() }))
    }

    fn attractor(&mut self, results: &[Virtual]) -> Result<Rc<Attractor>, Interrupted> {
        if let Some(known) = self.attractors.get(results) {
            return Ok(Rc::clone(known));
        }
        let mut targets = FixedBitSet::with_capacity(self.sum.digraph.len());
        let mut known = FxHashMap::default();
        for node in self.sum.digraph.nodes() {
            let Some(value) = self.sum.labelling.value(node) else { continue };
            let is_target = if let Some(&known) = known.get(&value) {
                known
            } else {
                let found = self.virtuals.reached(results, &value)?.is_some();
                known.insert(value, found);
                found
            };
            targets.set(node as usize, is_target);
        }
        let attractor = Rc::new(Attractor::new(self.sum, targets, self.work)?);
        self.attractors.insert(results.to_vec(), Rc::clone(&attractor));
        Ok(attractor)
    }

    /// The next ply for the goal; none if it is reached.
    fn step(&mut self, plan: &mut Plan) -> Result<Option<(usize, Node)>, Interrupted> {
        match &plan.goal {
            None => Ok(None),
            Some(Goal::Win { component, layer }) => {
                let next = layer.next(plan.pieces[*component]);
                Ok(next.map(|to| (*component, to)))
            }
            Some(Goal::Reach { component, attractor, results }) => {
                let (component, node) = (*component, plan.pieces[*component]);
                if !attractor.is_target(node) {
                    return Ok(attractor.next(node).map(|to| (component, to)));
                }
                if let (Some(value), Some(virtuals)) =
                    (self.sum.labelling.value(node), &mut plan.virtuals)
                    && let Some(reached) = self.virtuals.reached(results, &value)?
                {
                    virtuals[component] = reached;
                }
                Ok(None)
            }
        }
    }

    /// What to play in a lost position: it should last, so the piece stays where it got its number
    /// late.
    fn losing(&self, pieces: &[Node]) -> Option<Ply> {
        let digraph = self.sum.digraph;
        let gray = pieces.iter().position(|&node| digraph.is_gray(node));
        let movable = each_once(pieces, 1).filter(|&(i, _)| gray.is_none_or(|gray| gray == i));
        let plies = movable.flat_map(|(component, from)| {
            let options = digraph.options(from).iter();
            options.map(move |&to| Ply { component, from, to, forced: false })
        });
        let lasts = |to: Node| match self.sum.labelling.nimber(to) {
            _ if digraph.is_gray(to) => (u32::from(!digraph.options(to).is_empty()), 0),
            Some(_) => (2, self.measures[to as usize]),
            None => (3, 0),
        };
        plies.min_by_key(|ply| Reverse(lasts(ply.to)))
    }
}

impl Chooser for Planner<'_> {
    type State = Plan;

    fn pieces<'s>(&self, plan: &'s mut Plan) -> &'s mut Vec<Node> {
        &mut plan.pieces
    }

    fn choose(&mut self, plan: &mut Plan) -> Result<Option<Ply>, Interrupted> {
        self.work.check()?;
        if self.outcome != Outcome::N {
            return Ok(self.losing(&plan.pieces));
        }
        let gray = plan.pieces.iter().position(|&node| self.sum.digraph.is_gray(node));
        if let (Some(component), None) = (gray, &plan.goal) {
            // Beside numbers the plan of a layer knows gray nodes too.
            if let Some(heap) = self.others(&plan.pieces, component) {
                let layer = self.layer(heap)?;
                if layer.wins(plan.pieces[component]) {
                    plan.goal = Some(Goal::Win { component, layer });
                }
            }
        }
        loop {
            if let Some((component, to)) = self.step(plan)? {
                let from = plan.pieces[component];
                return Ok(Some(Ply { component, from, to, forced: false }));
            }
            let gray = plan.pieces.iter().position(|&node| self.sum.digraph.is_gray(node));
            if let Some(component) = gray {
                let to = self.on_gray(&plan.pieces, component)?;
                let from = plan.pieces[component];
                return Ok(to.map(|to| Ply { component, from, to, forced: false }));
            }
            plan.goal = self.goal(plan)?;
            if plan.goal.is_none() {
                return Ok(None);
            }
        }
    }
}
