//! Turns of the carry-on theory (and so of the cyclic and the short one) without the product.
//!
//! A P-position has a nimber in each component, with nim-sum 0. So a winning turn that does not end
//! in checkmate brings every component without a nimber to one by carry-on moves, and makes one
//! last ordinary move, in any component; the nim-sum of what is left must be 0. Which nimbers each
//! component can be brought to, and which ones it can be left for, is found by walking its carry-on
//! moves. Which of them to take is found by going through the components with a table: the least
//! measure for each nim-sum so far, with and without the last move made.
//!
//! The measure of a node with a nimber is its place in the order of assignment; [`turn`](super)
//! proves that it falls.
//!
//! ## Equal components
//! They do not make the table larger. Let each component rest where its measure is least, and
//! consider the differences between what a turn of least measure takes and these rests, as vectors
//! of bits. Any nim-sum of them is the nim-sum of a subset that is linearly independent, and
//! leaving out the others makes the measure no greater. So at most as many components as there are
//! bits, and the one that makes the last move, take anything but their best rest; of equal
//! components only so many get a choice.
//!
//! Should the table be too large all the same, any turn that leaves a P-position is taken. The
//! measure may rise once: from then on all components have numbers but for the one that the
//! opponent has just moved, and the table is small.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::graph::digraph::Node;
use crate::impartial::sum::Sum;
use crate::impartial::theory::chains::{Carried, ChainMove, Chains};
use crate::impartial::turn::drawing::drawing;
use crate::impartial::turn::table::{Choice, Part, Reach, Reachable, TABLE, Table, thin_out};
use crate::impartial::turn::{Ply, Turn, TurnKind, each_once};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// The turn that wins by the least measure, holds the draw, or loses by the greatest measure.
///
/// # Errors
/// When the work is interrupted.
pub(crate) fn by_measure(
    sum: &Sum<'_>,
    outcome: Outcome,
    work: &Work,
) -> Result<Option<Turn>, Interrupted> {
    if outcome == Outcome::D {
        return drawing(sum, work);
    }
    let mut planner = Planner::new(sum, work);
    let turn = planned(&mut planner, outcome);
    planner.interrupted.get().map_or(Ok(turn), Err)
}

fn planned(planner: &mut Planner<'_>, outcome: Outcome) -> Option<Turn> {
    let sum = planner.sum;
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

struct Planner<'a> {
    sum: &'a Sum<'a>,
    chains: Chains,
    measures: Vec<u64>,
    reaches: FxHashMap<Node, Rc<Reach>>,
    /// The largest table that a plan may fill, in entries.
    table: usize,
    work: &'a Work,
    /// What ended the work: nothing is planned from then on.
    interrupted: Cell<Option<Interrupted>>,
}

impl<'a> Planner<'a> {
    fn new(sum: &'a Sum<'a>, work: &'a Work) -> Self {
        let mut measures = vec![0; sum.digraph.len()];
        for (place, &node) in (1..).zip(sum.labelling.order()) {
            measures[node as usize] = place;
        }
        let chains = Chains::new(sum.digraph);
        let (reaches, interrupted) = (FxHashMap::default(), Cell::new(None));
        Self { sum, chains, measures, reaches, table: TABLE, work, interrupted }
    }

    /// None when the work is interrupted, which is kept in mind.
    fn go_on(&self) -> Option<()> {
        self.work.check().map_err(|interrupted| self.interrupted.set(Some(interrupted))).ok()
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

    /// Adds the plies of a piece that continues from a gray node, and returns where that ends.
    /// Neither player wins where chains run in a circle, so no plan follows one that does.
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
    fn carry_on(&self, component: usize, nodes: &[Carried], place: usize, plies: &mut Vec<Ply>) {
        let mut way = Vec::new();
        let mut place = place;
        while let Some((before, option)) = nodes[place].by {
            way.push((nodes[before].node, option));
            place = before;
        }
        for (from, option) in way.into_iter().rev() {
            self.play(component, from, option, plies);
        }
    }

    fn winning(&mut self, pieces: &[Node]) -> Option<Turn> {
        let mut plies = Vec::new();
        if let Some(nim_sum) = self.nim_sum(pieces) {
            // Nimbers everywhere: one of them is changed by the nim-sum, for the least measure.
            let (component, place, option) = self.last_move(pieces, nim_sum)?;
            let nodes = self.chains.carry_ons(self.sum.digraph, pieces[component]);
            self.carry_on(component, &nodes, place, &mut plies);
            self.play(component, nodes[place].node, option, &mut plies);
            return Some(Turn { kind: TurnKind::Winning, plies, endless: false });
        }
        let reaches: Vec<Rc<Reach>> = pieces.iter().map(|&node| self.reach(node)).collect();
        let shortest = (0..)
            .zip(&reaches)
            .filter_map(|(component, reach)| Some((reach.checkmate?, component, reach)))
            .min_by_key(|&((place, _), component, _)| (place, component));
        if let Some(((place, option), component, reach)) = shortest {
            self.carry_on(component, &reach.nodes, place, &mut plies);
            self.play(component, reach.nodes[place].node, option, &mut plies);
        } else {
            let parts = self.plan(pieces, &reaches)?;
            // Carry-on moves first, the last ordinary move at the end.
            for (component, part) in &parts {
                if let Part::Rest(place) = part {
                    self.carry_on(*component, &reaches[*component].nodes, *place, &mut plies);
                }
            }
            for (component, part) in &parts {
                if let Part::Exit(place, option) = part {
                    let reach = &reaches[*component];
                    self.carry_on(*component, &reach.nodes, *place, &mut plies);
                    self.play(*component, reach.nodes[*place].node, *option, &mut plies);
                }
            }
        }
        Some(Turn { kind: TurnKind::Winning, plies, endless: false })
    }

    /// The nim-sum, if all pieces have nimbers.
    fn nim_sum(&self, pieces: &[Node]) -> Option<u64> {
        pieces.iter().try_fold(0, |sum, &node| Some(sum ^ self.nimber(node)?))
    }

    /// The last move in a component with a nimber that changes the nimber by `nim_sum`, with the
    /// least change of the measure: the component, the node reached by carry-on moves, and the
    /// option.
    ///
    /// Each node is visited once, however many pieces stand on it, and no table is made of its
    /// options: ten thousand heaps cost as much as the different ones among them.
    fn last_move(&self, pieces: &[Node], nim_sum: u64) -> Option<(usize, usize, Node)> {
        let mut best: Option<(i128, usize, usize, Node)> = None;
        for (i, node) in each_once(pieces, 1) {
            self.go_on()?;
            let target = self.nimber(node)? ^ nim_sum;
            let measure = i128::from(self.measures[node as usize]);
            for (place, carried) in
                self.chains.carry_ons(self.sum.digraph, node).into_iter().enumerate()
            {
                for &option in self.sum.digraph.options(carried.node) {
                    let ChainMove::Ordinary(to) = self.chains.onto(option) else { continue };
                    if self.nimber(to) != Some(target) {
                        continue;
                    }
                    let change = i128::from(self.measures[to as usize]) - measure;
                    let found = (change, i, place, option);
                    if best.is_none_or(|best| found < best) {
                        best = Some(found);
                    }
                }
            }
        }
        best.map(|(_, component, place, option)| (component, place, option))
    }

    /// What each component that is touched does, for the least measure.
    fn plan(&self, pieces: &[Node], reaches: &[Rc<Reach>]) -> Option<Vec<(usize, Part)>> {
        let last_moves = self.last_moves(pieces, reaches);
        let is_open = |&i: &usize| self.nimber(pieces[i]).is_none();
        let open: Vec<usize> = (0..pieces.len()).filter(is_open).collect();
        let distinct: FxHashMap<Node, usize> = open.iter().map(|&i| (pieces[i], i)).collect();
        let nimbers = distinct.values().flat_map(|&i| reaches[i].choices());
        let largest = nimbers.map(|choice| choice.nimber).max().unwrap_or(0);
        let size = largest.checked_add(1)?.checked_next_power_of_two()? as usize;
        let (choosing, fixed) = thin_out(&open, pieces, reaches, size);
        if size.checked_mul(2 * choosing.len().max(1))? > self.table {
            return self.any_plan(pieces, reaches, &open, size);
        }
        let open = choosing;
        let settled = pieces.iter().filter_map(|&node| self.nimber(node));
        let settled = settled.chain(fixed.iter().map(|(_, choice)| choice.nimber));
        let settled = settled.fold(0, |nim_sum, n| nim_sum ^ n);
        let components = open.iter().map(|&i| &*reaches[i]).collect();
        let table = Table::new(components, size, || self.go_on())?;
        let finished = table.best.iter().enumerate().filter_map(|(state, measure)| {
            let (nim_sum, measure) = ((state / 2) as u64 ^ settled, (*measure)?);
            if state % 2 == 1 {
                (nim_sum == 0).then_some((measure, state, None))
            } else {
                let &(change, i, part) = last_moves.get(&nim_sum)?;
                Some((measure + change, state, Some((i, part))))
            }
        });
        let (_, state, last) = finished.min_by_key(|&(measure, state, _)| (measure, state))?;
        let mut parts: Vec<(usize, Part)> = Vec::new();
        for (i, choice) in open.iter().zip(table.choices(state)) {
            parts.push((*i, choice.part));
        }
        parts.extend(fixed.into_iter().map(|(i, choice)| (i, choice.part)));
        parts.extend(last);
        Some(parts)
    }

    /// What each component that is touched does, for any measure, where the table would be too
    /// large.
    ///
    /// That costs the winner nothing: it happens only while many different components have no
    /// nimber, and after this turn none but the one that the opponent moves can be without.
    fn any_plan(
        &self,
        pieces: &[Node],
        reaches: &[Rc<Reach>],
        open: &[usize],
        size: usize,
    ) -> Option<Vec<(usize, Part)>> {
        let settled = pieces.iter().filter_map(|&node| self.nimber(node));
        let settled = settled.fold(0, |nim_sum, n| nim_sum ^ n);
        let (zones, moons): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|&&i| reaches[i].rests.is_empty());
        if let Some(&zone) = zones.first() {
            // The zone must be left, so the others must rest at what that leaves.
            let reachable = Reachable::new(moons.iter().map(|&i| &*reaches[i]).collect(), size);
            let (choices, exit) =
                reaches[zone].exits.iter().find_map(|&(n, _, place, option)| {
                    Some((reachable.choices(n ^ settled)?, Part::Exit(place, option)))
                })?;
            let rests = moons.into_iter().zip(choices).map(|(i, choice)| (i, choice.part));
            return Some(rests.chain([(zone, exit)]).collect());
        }
        let mut rests: Vec<(usize, Choice)> = Vec::new();
        for &i in open {
            rests.push((i, reaches[i].best_rest()?));
        }
        let mut nim_sum = rests.iter().fold(settled, |sum, (_, choice)| sum ^ choice.nimber);
        if nim_sum == 0 {
            // Let a moon move to what it would rest at, or rest at something else.
            let leaves = |&(i, rest): &(usize, Choice)| {
                let same = reaches[i].exits.iter().find(|exit| exit.0 == rest.nimber)?;
                Some((i, Part::Exit(same.2, same.3)))
            };
            if let Some((last, exit)) = rests.iter().find_map(leaves) {
                let others = rests.into_iter().filter(|&(i, _)| i != last);
                return Some(
                    others.map(|(i, rest)| (i, rest.part)).chain([(last, exit)]).collect(),
                );
            }
            let (other, rest) = rests.iter().enumerate().find_map(|(k, &(i, rest))| {
                let differs = |choice: &Choice| !choice.is_last() && choice.nimber != rest.nimber;
                Some((reaches[i].choices().find(differs)?, k))
            })?;
            nim_sum ^= rests[rest].1.nimber ^ other.nimber;
            rests[rest].1 = other;
        }
        // Nimbers everywhere now, and a nim-sum that one last move can make 0.
        let resting = rests.iter().map(|&(i, choice)| (i, choice.nimber));
        let numbers = (0..pieces.len()).filter_map(|i| Some((i, self.nimber(pieces[i])?)));
        let (last, exit) = numbers.chain(resting).find_map(|(i, n)| {
            let exit = reaches[i].exits.iter().find(|exit| exit.0 == n ^ nim_sum)?;
            Some((i, Part::Exit(exit.2, exit.3)))
        })?;
        let others = rests.into_iter().filter(|&(i, _)| i != last);
        Some(others.map(|(i, rest)| (i, rest.part)).chain([(last, exit)]).collect())
    }

    /// The best change of the measure by a last move in a component with a nimber, for each change
    /// of the nim-sum.
    fn last_moves(
        &self,
        pieces: &[Node],
        reaches: &[Rc<Reach>],
    ) -> FxHashMap<u64, (i128, usize, Part)> {
        let mut best: FxHashMap<u64, (i128, usize, Part)> = FxHashMap::default();
        for (i, node) in each_once(pieces, 1) {
            let Some(n) = self.nimber(node) else { continue };
            let measure = i128::from(self.measures[node as usize]);
            for &(to, after, place, option) in &reaches[i].exits {
                let change = i128::from(after) - measure;
                let part = Part::Exit(place, option);
                let best = best.entry(n ^ to).or_insert((change, i, part));
                if change < best.0 {
                    *best = (change, i, part);
                }
            }
        }
        best
    }

    /// In a position with nimbers only and nim-sum 0: the turn after which the opponent's best
    /// answer leaves the greatest measure.
    fn losing(&mut self, pieces: &[Node]) -> Option<Turn> {
        let reaches: Vec<Rc<Reach>> = pieces.iter().map(|&node| self.reach(node)).collect();
        let total: i128 = pieces.iter().map(|&v| i128::from(self.measures[v as usize])).sum();
        let replies = Replies::new(self, pieces, &reaches);
        let mut best: Option<(i128, usize, usize, Node)> = None;
        for (component, node) in each_once(pieces, 1) {
            let reach = &reaches[component];
            self.go_on()?;
            let nimber = self.nimber(node)?;
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
            self.carry_on(component, &reaches[component].nodes, place, &mut plies);
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
        // Two pieces on a node, since the answer may be in another one than that which was moved.
        for (i, node) in each_once(pieces, 2) {
            let Some(n) = planner.nimber(node) else { continue };
            let measure = i128::from(planner.measures[node as usize]);
            for &(to, after, ..) in &reaches[i].exits {
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
        // Exits are in the order of their nimbers, each of which is there once.
        let here = left.exits.binary_search_by_key(&nimber, |exit| exit.0).ok();
        let here = here.map(|place| i128::from(left.exits[place].1)).into_iter();
        let elsewhere = left.rests.iter().filter_map(|&(n, measure, _)| {
            let two = self.best.get(&(n ^ nimber))?;
            let (change, _) =
                two.iter().find(|&&(change, i)| i != component && change < i128::MAX)?;
            Some(i128::from(measure) + change)
        });
        here.chain(elsewhere).min().unwrap_or(i128::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Digraph, Theory, label};

    /// Digraphs mostly downhill with some gray nodes, from a seed.
    fn digraph(state: &mut u64) -> Digraph {
        let mut below = |n: u32| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((*state >> 33) % u64::from(n)) as u32
        };
        let (mut gray, mut arcs) = (Vec::new(), Vec::new());
        for v in 1..20 {
            let is_gray = below(3) == 0;
            if is_gray {
                gray.push(v);
            }
            for _ in 0..if is_gray { 1 } else { 1 + below(4) } {
                arcs.push((v, if below(10) == 0 { below(20) } else { below(v) }));
            }
        }
        Digraph::new(20, gray, arcs).unwrap()
    }

    #[test]
    fn without_a_table_the_plan_wins_all_the_same() {
        let work = Work::default();
        let mut state = 5;
        let (mut won, mut with_zone) = (0, 0);
        for _ in 0..3_000 {
            let digraph = digraph(&mut state);
            let labelling = label(&digraph, Some(Theory::CarryOn), &Work::default()).unwrap();
            let white: Vec<Node> = digraph.nodes().filter(|&v| !digraph.is_gray(v)).collect();
            let pieces: Vec<Node> = (0..5)
                .map(|k| white[((state >> (11 * k)) % white.len() as u64) as usize])
                .collect();
            let sum = Sum::new(&digraph, &labelling, pieces.clone()).unwrap();
            if sum.outcome() != Some(Outcome::N) {
                continue;
            }
            won += 1;
            let values = pieces.iter().map(|&node| labelling.value(node).unwrap().to_string());
            let zone = |value: &String| value.starts_with('∞') && !value.starts_with("∞*");
            with_zone += usize::from(values.filter(zone).count() == 1);
            let mut planner = Planner { table: 0, ..Planner::new(&sum, &work) };
            let turn = planner.winning(&pieces).unwrap();
            let mut left = pieces;
            for ply in turn.plies {
                ply.play(&mut left);
            }
            let left = Sum::new(&digraph, &labelling, left).unwrap();
            assert_eq!(left.outcome(), Some(Outcome::P));
        }
        assert!(won > 500 && with_zone > 20, "{won} won, {with_zone} by leaving a zone");
    }
}
