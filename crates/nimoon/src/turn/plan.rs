//! Turns of the carry-on theory (and so of the cyclic and the short one) without the product.
//!
//! A P-position has a nimber in each component, with nim-sum 0. So a winning turn that does not
//! end in checkmate brings every component without a nimber to one by carry-on moves, and makes
//! one last ordinary move, in any component; the nim-sum of what is left must be 0. Which nimbers
//! each component can be brought to, and which ones it can be left for, is found by walking its
//! carry-on moves. Which of them to take is found by going through the components with a table:
//! the least measure for each nim-sum so far, with and without the last move made.
//!
//! The measure of a node with a nimber is its place in the order of assignment.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::digraph::Node;
use crate::outcome::Outcome;
use crate::sum::{Algebra, Sum};
use crate::theory::chains::{Carried, ChainMove, Chains};
use crate::turn::follow::{drawing_turn, drawing_walk};
use crate::turn::{Candidate, Judge, Ply, Turn, TurnKind, forced_reply};

/// The turn that wins by the least measure, holds the draw, or loses by the greatest measure.
pub(crate) fn by_measure(sum: &Sum<'_>, outcome: Outcome) -> Option<Turn> {
    if outcome == Outcome::D {
        return drawing(sum);
    }
    let mut planner = Planner::new(sum);
    let mut pieces = sum.pieces().to_vec();
    let mut plies = Vec::new();
    // A piece that must be moved comes first; the opponent may be the one to bring it on.
    if let Some(gray) = pieces.iter().position(|&node| sum.digraph.is_gray(node)) {
        let ends = planner.follow_chain(gray, pieces[gray], true, &mut plies);
        let kind = match outcome {
            Outcome::N => TurnKind::Winning,
            _ if plies.is_empty() => TurnKind::None,
            _ => TurnKind::Losing,
        };
        match ends {
            ChainEnd::Mover(white) => pieces[gray] = white,
            ChainEnd::Opponent | ChainEnd::Stuck => {
                return Some(Turn { kind, plies, endless: false });
            }
        }
    }
    let rest =
        if outcome == Outcome::N { planner.winning(&pieces)? } else { planner.losing(&pieces)? };
    let kind =
        if rest.kind == TurnKind::None && !plies.is_empty() { TurnKind::Losing } else { rest.kind };
    plies.extend(rest.plies);
    Some(Turn { kind, plies, ..rest })
}

/// Where a piece is after a gray chain, and who is to move.
enum ChainEnd {
    Mover(Node),
    Opponent,
    Stuck,
}

/// What the mover can make of a component in one turn.
struct Reach {
    nodes: Vec<Carried>,
    /// For each nimber that carry-on moves reach: the least measure, and which reached node.
    rests: Vec<(u64, u64, usize)>,
    /// For each nimber that an ordinary move after carry-on moves reaches: the least measure,
    /// from which reached node and by which option.
    exits: Vec<(u64, u64, usize, Node)>,
    /// An option that wins at once, and the reached node that has it.
    checkmate: Option<(usize, Node)>,
}

struct Planner<'a> {
    sum: &'a Sum<'a>,
    chains: Chains,
    measures: Vec<u64>,
    reaches: FxHashMap<Node, Rc<Reach>>,
}

/// What a component does in a plan.
#[derive(Clone, Copy)]
enum Part {
    Rest(usize),
    Exit(usize, Node),
}

/// The largest table that a plan may fill, in entries.
const TABLE: usize = 1 << 26;

impl<'a> Planner<'a> {
    fn new(sum: &'a Sum<'a>) -> Self {
        let mut measures = vec![0; sum.digraph.len()];
        for (place, &node) in (1..).zip(sum.labelling.order()) {
            measures[node as usize] = place;
        }
        Self { sum, chains: Chains::new(sum.digraph), measures, reaches: FxHashMap::default() }
    }

    fn nimber(&self, node: Node) -> Option<u64> {
        self.sum.labelling.nimber(node)
    }

    fn reach(&mut self, start: Node) -> Rc<Reach> {
        if let Some(reach) = self.reaches.get(&start) {
            return Rc::clone(reach);
        }
        let reach = Rc::new(self.walk(start));
        self.reaches.insert(start, Rc::clone(&reach));
        reach
    }

    /// Walks the carry-on moves from a node.
    fn walk(&self, start: Node) -> Reach {
        let nodes = self.chains.carry_ons(self.sum.digraph, start);
        let mut rests: FxHashMap<u64, (u64, usize)> = FxHashMap::default();
        let mut exits: FxHashMap<u64, (u64, usize, Node)> = FxHashMap::default();
        let mut checkmate = None;
        for (place, &Carried { node, .. }) in nodes.iter().enumerate() {
            if let Some(n) = self.nimber(node) {
                let measure = self.measures[node as usize];
                let best = rests.entry(n).or_insert((measure, place));
                *best = (*best).min((measure, place));
            }
            for &option in self.sum.digraph.options(node) {
                match self.chains.onto(option) {
                    ChainMove::Ordinary(to) => {
                        if let Some(n) = self.nimber(to) {
                            let measure = self.measures[to as usize];
                            let best = exits.entry(n).or_insert((measure, place, option));
                            *best = (*best).min((measure, place, option));
                        }
                    }
                    ChainMove::Wins if checkmate.is_none() => checkmate = Some((place, option)),
                    _ => {}
                }
            }
        }
        let mut rests: Vec<_> = rests.into_iter().map(|(n, (m, place))| (n, m, place)).collect();
        rests.sort_unstable();
        let mut exits: Vec<_> = exits.into_iter().map(|(n, (m, p, o))| (n, m, p, o)).collect();
        exits.sort_unstable();
        Reach { nodes, rests, exits, checkmate }
    }

    /// Adds the plies of a piece that goes on from a gray node, and tells where that ends. Nobody
    /// wins where chains run in a circle, so no plan follows one that does.
    fn follow_chain(
        &self,
        component: usize,
        gray: Node,
        mover: bool,
        plies: &mut Vec<Ply>,
    ) -> ChainEnd {
        debug_assert_ne!(self.chains.onto(gray), ChainMove::Endless);
        let mut node = gray;
        let mut mover = mover;
        while self.sum.digraph.is_gray(node) {
            let Some(&to) = self.sum.digraph.options(node).first() else {
                return ChainEnd::Stuck;
            };
            plies.push(Ply { component, from: node, to, forced: !mover });
            node = to;
            mover = !mover;
        }
        if mover { ChainEnd::Mover(node) } else { ChainEnd::Opponent }
    }

    /// Adds the plies of a move by an option, with all that it forces.
    fn play(&self, component: usize, from: Node, option: Node, plies: &mut Vec<Ply>) {
        plies.push(Ply { component, from, to: option, forced: false });
        self.follow_chain(component, option, false, plies);
    }

    /// Adds the plies of the carry-on moves to a reached node.
    fn carry_on(&self, component: usize, reach: &Reach, place: usize, plies: &mut Vec<Ply>) {
        let mut way = Vec::new();
        let mut place = place;
        while let Some((before, option)) = reach.nodes[place].by {
            way.push((reach.nodes[before].node, option));
            place = before;
        }
        for (from, option) in way.into_iter().rev() {
            self.play(component, from, option, plies);
        }
    }

    fn winning(&mut self, pieces: &[Node]) -> Option<Turn> {
        let mut plies = Vec::new();
        let reaches: Vec<Rc<Reach>> = pieces.iter().map(|&node| self.reach(node)).collect();
        let shortest = (0..)
            .zip(&reaches)
            .filter_map(|(component, reach)| Some((reach.checkmate?, component, reach)))
            .min_by_key(|&((place, _), component, _)| (place, component));
        if let Some(((place, option), component, reach)) = shortest {
            self.carry_on(component, reach, place, &mut plies);
            self.play(component, reach.nodes[place].node, option, &mut plies);
        } else {
            let parts = self.plan(pieces, &reaches)?;
            // Carry-on moves first, the last ordinary move at the end.
            for (component, part) in &parts {
                if let Part::Rest(place) = part {
                    self.carry_on(*component, &reaches[*component], *place, &mut plies);
                }
            }
            for (component, part) in &parts {
                if let Part::Exit(place, option) = part {
                    let reach = &reaches[*component];
                    self.carry_on(*component, reach, *place, &mut plies);
                    self.play(*component, reach.nodes[*place].node, *option, &mut plies);
                }
            }
        }
        Some(Turn { kind: TurnKind::Winning, plies, endless: false })
    }

    /// What each component that is touched does, for the least measure.
    fn plan(&self, pieces: &[Node], reaches: &[Rc<Reach>]) -> Option<Vec<(usize, Part)>> {
        let nimbers: Vec<Option<u64>> = pieces.iter().map(|&node| self.nimber(node)).collect();
        let mut settled = nimbers.iter().flatten().fold(0, |sum, n| sum ^ n);
        let open: Vec<usize> = (0..pieces.len()).filter(|&i| nimbers[i].is_none()).collect();
        // The best change of the measure by the last move in a settled component, for each
        // change of the nim-sum.
        let mut last_moves: FxHashMap<u64, (i128, usize, Part)> = FxHashMap::default();
        for (i, n) in nimbers.iter().enumerate().filter_map(|(i, n)| Some((i, (*n)?))) {
            let measure = i128::from(self.measures[pieces[i] as usize]);
            for &(to, after, place, option) in &reaches[i].exits {
                let change = i128::from(after) - measure;
                let best = last_moves.entry(n ^ to).or_insert((i128::MAX, 0, Part::Rest(0)));
                if change < best.0 {
                    *best = (change, i, Part::Exit(place, option));
                }
            }
        }
        let choices = |i: usize| {
            let reach = &reaches[i];
            let rests = reach.rests.iter().map(|&(n, m, place)| (n, m, Part::Rest(place)));
            let exits = reach.exits.iter().map(|&(n, m, p, option)| (n, m, Part::Exit(p, option)));
            rests.chain(exits)
        };
        let nodes: FxHashMap<Node, usize> = open.iter().map(|&i| (pieces[i], i)).collect();
        let largest = nodes.values().flat_map(|&i| choices(i)).map(|(n, ..)| n).max().unwrap_or(0);
        let size = largest.checked_add(1)?.checked_next_power_of_two()? as usize;
        // Of equal components few need a choice. The differences between what each takes and its
        // best rest can be thinned out until they are independent as vectors of bits, with the same
        // nim-sum and no greater measure: so no more of them than there are bits, and the one that
        // makes the last move, take anything but their best rest.
        let most = size.trailing_zeros() as usize + 1;
        let mut copies: FxHashMap<Node, usize> = FxHashMap::default();
        let mut fixed: Vec<(usize, Part)> = Vec::new();
        let mut open: Vec<usize> = open;
        open.retain(|&i| {
            let copies = copies.entry(pieces[i]).or_insert(0);
            *copies += 1;
            let best = reaches[i].rests.iter().min_by_key(|&&(n, measure, _)| (measure, n));
            match best {
                Some(&(n, _, place)) if *copies > most => {
                    settled ^= n;
                    fixed.push((i, Part::Rest(place)));
                    false
                }
                _ => true,
            }
        });
        let settled = settled;
        if size.checked_mul(2 * open.len().max(1))? > TABLE {
            return None;
        }
        // best[2 * nim-sum + last move made], and for each open component the choice taken.
        let mut best: Vec<Option<i128>> = vec![None; 2 * size];
        best[0] = Some(0);
        let mut taken: Vec<Vec<u32>> = Vec::with_capacity(open.len());
        for &i in &open {
            let mut next: Vec<Option<i128>> = vec![None; 2 * size];
            let mut taken_here = vec![u32::MAX; 2 * size];
            for (state, measure) in best.iter().enumerate() {
                let Some(measure) = measure else { continue };
                let (nim_sum, made) = (state / 2, state % 2);
                for (choice, (n, m, part)) in (0..).zip(choices(i)) {
                    let makes = usize::from(matches!(part, Part::Exit(..)));
                    if made + makes > 1 {
                        continue;
                    }
                    let after = 2 * (nim_sum ^ n as usize) + made + makes;
                    let total = measure + i128::from(m);
                    if next[after].is_none_or(|least| total < least) {
                        next[after] = Some(total);
                        taken_here[after] = choice;
                    }
                }
            }
            best = next;
            taken.push(taken_here);
        }
        let (_, mut state, last) = best
            .iter()
            .enumerate()
            .filter_map(|(state, measure)| {
                let (nim_sum, measure) = ((state / 2) as u64 ^ settled, (*measure)?);
                if state % 2 == 1 {
                    (nim_sum == 0).then_some((measure, state, None))
                } else {
                    let &(change, i, part) = last_moves.get(&nim_sum)?;
                    Some((measure + change, state, Some((i, part))))
                }
            })
            .min_by_key(|&(measure, state, _)| (measure, state))?;
        let mut parts: Vec<(usize, Part)> = last.into_iter().chain(fixed).collect();
        for (&i, taken) in open.iter().zip(&taken).rev() {
            let (n, _, part) = choices(i).nth(taken[state] as usize)?;
            parts.push((i, part));
            let made = usize::from(matches!(part, Part::Exit(..)));
            state = 2 * ((state / 2) ^ n as usize) + state % 2 - made;
        }
        parts.reverse();
        Some(parts)
    }

    /// In a position with nimbers only and nim-sum 0: the turn after which the opponent's best
    /// answer leaves the greatest measure.
    fn losing(&mut self, pieces: &[Node]) -> Option<Turn> {
        let reaches: Vec<Rc<Reach>> = pieces.iter().map(|&node| self.reach(node)).collect();
        let total: i128 = pieces.iter().map(|&v| i128::from(self.measures[v as usize])).sum();
        let replies = Replies::new(self, pieces, &reaches);
        let mut best: Option<(i128, usize, usize, Node)> = None;
        for (component, reach) in reaches.iter().enumerate() {
            let nimber = self.nimber(pieces[component])?;
            let rest = total - i128::from(self.measures[pieces[component] as usize]);
            for (place, reached) in reach.nodes.iter().enumerate() {
                for &option in self.sum.digraph.options(reached.node) {
                    let ChainMove::Ordinary(to) = self.chains.onto(option) else { continue };
                    let left = self.reach(to);
                    let measure = if left.checkmate.is_some() {
                        i128::MIN
                    } else {
                        rest + replies.least_after(&left, component, nimber)
                    };
                    if best.is_none_or(|(greatest, ..)| measure > greatest) {
                        best = Some((measure, component, place, option));
                    }
                }
            }
        }
        let mut plies = Vec::new();
        if let Some((_, component, place, option)) = best {
            self.carry_on(component, &reaches[component], place, &mut plies);
            let from = reaches[component].nodes[place].node;
            self.play(component, from, option, &mut plies);
        } else {
            self.last_carry_ons(pieces, &mut plies);
        }
        let kind = if plies.is_empty() { TurnKind::None } else { TurnKind::Losing };
        Some(Turn { kind, plies, endless: false })
    }

    /// Without an ordinary move anywhere: carry on until nothing is left, or there is only a
    /// suicide. Among nimbers carry-on moves never circle.
    fn last_carry_ons(&self, pieces: &[Node], plies: &mut Vec<Ply>) {
        let again = |node: Node| {
            self.sum.digraph.options(node).iter().find_map(|&option| {
                match self.chains.onto(option) {
                    ChainMove::Again(to) => Some((option, to)),
                    _ => None,
                }
            })
        };
        let mut pieces = pieces.to_vec();
        for (component, node) in pieces.iter_mut().enumerate() {
            while let Some((option, to)) = again(*node) {
                self.play(component, *node, option, plies);
                *node = to;
            }
        }
        // Only moves onto gray chains that end with the mover stuck are left now.
        let suicide = (0..).zip(&pieces).find_map(|(component, &node)| {
            Some((component, node, *self.sum.digraph.options(node).first()?))
        });
        if let Some((component, node, option)) = suicide {
            self.play(component, node, option, plies);
        }
    }
}

/// The best last moves in the other components, for each change of the nim-sum.
struct Replies {
    /// The two best changes of the measure, in different components.
    best: FxHashMap<u64, [(i128, usize); 2]>,
}

impl Replies {
    fn new(planner: &Planner<'_>, pieces: &[Node], reaches: &[Rc<Reach>]) -> Self {
        let none = (i128::MAX, usize::MAX);
        let mut best: FxHashMap<u64, [(i128, usize); 2]> = FxHashMap::default();
        for (i, (&node, reach)) in pieces.iter().zip(reaches).enumerate() {
            let Some(n) = planner.nimber(node) else { continue };
            let measure = i128::from(planner.measures[node as usize]);
            for &(to, after, ..) in &reach.exits {
                let change = i128::from(after) - measure;
                let two = best.entry(n ^ to).or_insert([none; 2]);
                if change < two[0].0 {
                    if two[0].1 != i {
                        two[1] = two[0];
                    }
                    two[0] = (change, i);
                } else if change < two[1].0 && two[0].1 != i {
                    two[1] = (change, i);
                }
            }
        }
        Self { best }
    }

    /// The least measure of this component and the changes elsewhere that an opponent who finds
    /// `left` in it can reach, when the others have nim-sum `nimber`.
    fn least_after(&self, left: &Reach, component: usize, nimber: u64) -> i128 {
        let here = left.exits.iter().filter(|exit| exit.0 == nimber).map(|exit| i128::from(exit.1));
        let elsewhere = left.rests.iter().filter_map(|&(n, measure, _)| {
            let two = self.best.get(&(n ^ nimber))?;
            let (change, _) =
                two.iter().find(|&&(change, i)| i != component && change < i128::MAX)?;
            Some(i128::from(measure) + change)
        });
        here.chain(elsewhere).min().unwrap_or(i128::MAX)
    }
}

/// How many positions are tried for a drawing turn that ends.
const EXPANSIONS: usize = 2_000;

/// A turn that leaves a draw: the first found by carrying on, towards nimbers first, until some
/// ordinary move keeps the draw.
fn drawing(sum: &Sum<'_>) -> Option<Turn> {
    let judge = Judge::Algebra(Algebra::new(sum.digraph, sum.labelling)?);
    let draws = |pieces: &[Node]| -> Vec<Candidate> {
        let mut found = judge.candidates(sum, pieces);
        found.retain(|candidate| candidate.outcome == Outcome::D);
        found
    };
    // Depth first; each entry has the carry-on moves still to be tried from a position.
    let mut pieces = sum.pieces().to_vec();
    let mut passed = FxHashSet::from_iter([pieces.clone()]);
    let mut plies: Vec<Ply> = Vec::new();
    let mut untried: Vec<(Vec<Candidate>, usize)> = vec![(draws(&pieces), 0)];
    while let Some((candidates, plies_before)) = untried.last_mut() {
        while plies.len() > *plies_before {
            if let Some(ply) = plies.pop() {
                pieces[ply.component] = ply.from;
            }
        }
        let gives_choice = |candidate: &Candidate| {
            !sum.digraph.is_gray(candidate.to) || sum.digraph.options(candidate.to).len() != 1
        };
        let ends = candidates.iter().position(gives_choice);
        if let Some(place) = ends {
            plies.push(candidates[place].play(&mut pieces));
            return Some(drawing_turn(plies, false));
        }
        let Some(candidate) = candidates.pop() else {
            untried.pop();
            continue;
        };
        plies.push(candidate.play(&mut pieces));
        if let Some(reply) = forced_reply(sum, &pieces) {
            plies.push(reply.play(&mut pieces));
        }
        if passed.len() < EXPANSIONS && passed.insert(pieces.clone()) {
            let mut next = draws(&pieces);
            // The last is tried first: moves that leave the component with a nimber.
            next.sort_by_key(|candidate| {
                let options = sum.digraph.options(candidate.to);
                options.first().is_some_and(|&to| sum.labelling.nimber(to).is_some())
            });
            untried.push((next, plies.len()));
        }
    }
    drawing_walk(sum, |pieces| draws(pieces).into_iter().next())
}
