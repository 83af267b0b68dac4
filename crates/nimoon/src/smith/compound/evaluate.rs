//! Remoteness, outcome and moves of a compound: by formula where there is one, and else by search.
//!
//! Every pass goes over the postfix list of terms once. First come the terminal distances, by
//! formula; they tell which components have moves. A term without a formula is written out as a
//! whole, so nothing within it is evaluated for itself.

use std::cell::OnceCell;
use std::ops::Range;

use thiserror::Error;

use super::explicit::{Explicit, TooLarge};
use super::expression::{Compound, Kind, Step, Term};
use crate::graph::digraph::{Digraph, Node};
use crate::impartial::turn::TurnKind;
use crate::limits::Work;
use crate::outcome::Outcome;
use crate::smith::grundy::{GrundyPair, GrundySum};
use crate::smith::remoteness::{Play, Remoteness, outcome};

/// How something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    /// By a formula.
    Formula,
    /// By writing out a compound.
    Search,
}

impl By {
    /// The name used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Formula => "formula",
            Self::Search => "search",
        }
    }
}

/// Something, and how it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// What was found.
    pub value: T,
    /// How.
    pub by: By,
}

/// What a move was chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guidance {
    /// Remoteness: it wins fastest, holds the draw or loses slowest.
    Remoteness,
    /// A rule that keeps the outcome and comes to an end, but does not count moves: H in disjunctive compounds, §8 in
    /// selective ones under misère play.
    Rule,
}

/// What to play in a compound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompoundTurn {
    /// What it leads to.
    pub kind: TurnKind,
    /// The pieces that go, and where to.
    pub steps: Vec<Step>,
    /// What it was chosen by.
    pub guide: Guidance,
}

/// What is known of a compound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The length of the longest play, none for ∞ (8), (12), (15).
    pub distance: Option<u64>,
    /// The remoteness, with none for ∞; none at all if it is not known.
    pub remoteness: Option<Found<Option<u64>>>,
    /// Who wins, if it is known.
    pub outcome: Option<Found<Outcome>>,
    /// What to play, if it is known.
    pub turn: Option<CompoundTurn>,
    /// G, H and J of a disjunctive compound of nodes under normal play.
    pub grundy: Option<GrundySum>,
    /// Why not everything is known.
    pub too_large: Option<TooLarge>,
}

/// Compounds are for digraphs without gray nodes.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("node {node} is gray: compounds are for digraphs without gray nodes")]
pub struct GrayNode {
    /// A gray node.
    pub node: Node,
}

/// Solves compounds of pieces on one digraph.
///
/// ```
/// use nimoon::smith::compound::{By, Compound, Compounds, Kind};
/// use nimoon::smith::remoteness::Play;
/// use nimoon::{Work, Digraph};
/// // A way of three arcs: 3 → 2 → 1 → 0.
/// let digraph = Digraph::new(4, [], vec![(1, 0), (2, 1), (3, 2)]).unwrap();
/// let compounds = Compounds::new(&digraph, &Work::default()).unwrap();
/// let remoteness = |kind| {
///     let compound = Compound::new(kind, vec![3, 2]).unwrap();
///     let found = compounds.solve(&compound, Play::Normal).remoteness.unwrap();
///     (found.value, found.by)
/// };
/// assert_eq!(remoteness(Kind::Conjunctive), (Some(2), By::Formula));
/// assert_eq!(remoteness(Kind::Selective), (Some(5), By::Formula));
/// assert_eq!(remoteness(Kind::Disjunctive), (Some(5), By::Search));
/// ```
pub struct Compounds<'a> {
    digraph: &'a Digraph,
    work: Work,
    normal: Remoteness,
    misere: OnceCell<Remoteness>,
    pair: OnceCell<Option<GrundyPair>>,
}

/// What is known about a term under one way of play.
#[derive(Clone, Debug)]
struct Side {
    remoteness: Option<Found<Option<u64>>>,
    outcome: Option<Found<Outcome>>,
    /// A good move; without any step if there is none, or none is known.
    steps: Vec<Step>,
    guide: Guidance,
}

impl Side {
    const UNKNOWN: Self =
        Self { remoteness: None, outcome: None, steps: Vec::new(), guide: Guidance::Remoteness };

    fn exact(remoteness: Option<u64>, by: By, steps: Vec<Step>) -> Self {
        Self {
            remoteness: Some(Found { value: remoteness, by }),
            outcome: Some(Found { value: outcome(remoteness), by }),
            steps,
            guide: Guidance::Remoteness,
        }
    }

    fn by_rule(outcome: Found<Outcome>, steps: Vec<Step>) -> Self {
        // A draw lasts for ever, however it is played.
        let drawn = outcome.value == Outcome::D;
        let remoteness = drawn.then_some(Found { value: None, by: outcome.by });
        let guide = if drawn { Guidance::Remoteness } else { Guidance::Rule };
        Self { remoteness, outcome: Some(outcome), steps, guide }
    }

    fn is(&self, outcome: Outcome) -> bool {
        self.outcome.is_some_and(|found| found.value == outcome)
    }
}

/// The shape of a compound: what each term is made of.
struct Shape {
    /// The terms of each compound, in order; none for a piece.
    components: Vec<Vec<usize>>,
    /// The terms that a term is made of, itself included.
    terms: Vec<Range<usize>>,
    /// The first piece of each term.
    first_piece: Vec<usize>,
    /// The terminal distance of each term.
    distance: Vec<Option<u64>>,
}

impl<'a> Compounds<'a> {
    /// Prepares a digraph, in linear time. The work is for each question by itself.
    ///
    /// # Errors
    /// When some node is gray.
    pub fn new(digraph: &'a Digraph, work: &Work) -> Result<Self, GrayNode> {
        if let Some(node) = digraph.gray_nodes().next() {
            return Err(GrayNode { node });
        }
        let normal = Remoteness::new(digraph, Play::Normal);
        let work = work.child(work.limits());
        Ok(Self { digraph, work, normal, misere: OnceCell::new(), pair: OnceCell::new() })
    }

    /// Solves a compound; what the budget does not allow stays open.
    pub fn solve(&self, compound: &Compound, play: Play) -> Answer {
        let shape = self.shape(&compound.terms);
        let mut solver = Solver { compounds: self, terms: &compound.terms, shape, too_large: None };
        let light = match play {
            Play::Normal => Vec::new(),
            Play::Misere => {
                let keep = solver.needed_for_misere();
                solver.sides(Play::Normal, false, &[], &keep)
            }
        };
        let keep = vec![false; compound.terms.len()];
        let mut sides = solver.sides(play, true, &light, &keep);
        let mut side = sides.pop().flatten().unwrap_or(Side::UNKNOWN);
        side.steps.sort_unstable();
        let distance = solver.shape.distance.last().copied().flatten();
        let turn = side.outcome.and_then(|found| {
            let kind = match found.value {
                _ if distance == Some(0) => TurnKind::None,
                Outcome::N => TurnKind::Winning,
                Outcome::D => TurnKind::Drawing,
                Outcome::P => TurnKind::Losing,
            };
            let is_known = kind == TurnKind::None || !side.steps.is_empty();
            is_known.then_some(CompoundTurn { kind, steps: side.steps, guide: side.guide })
        });
        let is_sum = matches!(compound.terms.last(), Some(Term::Of(Kind::Disjunctive, arity))
            if arity + 1 == compound.terms.len());
        let grundy = (is_sum && play == Play::Normal)
            .then(|| Some(self.pair()?.sum(self.digraph, &compound.pieces())));
        Answer {
            distance,
            remoteness: side.remoteness,
            outcome: side.outcome,
            turn,
            grundy: grundy.flatten(),
            too_large: solver.too_large,
        }
    }

    fn remoteness(&self, play: Play) -> &Remoteness {
        match play {
            Play::Normal => &self.normal,
            Play::Misere => self.misere.get_or_init(|| Remoteness::new(self.digraph, Play::Misere)),
        }
    }

    fn pair(&self) -> Option<&GrundyPair> {
        // The positions of the budget are those of a search; what is prepared is linear in the digraph.
        let work = self.work.child(self.work.limits().positions(u64::MAX));
        self.pair.get_or_init(|| GrundyPair::try_new(self.digraph, &work).ok()).as_ref()
    }

    fn shape(&self, terms: &[Term]) -> Shape {
        let mut shape = Shape {
            components: Vec::with_capacity(terms.len()),
            terms: Vec::with_capacity(terms.len()),
            first_piece: Vec::with_capacity(terms.len()),
            distance: Vec::with_capacity(terms.len()),
        };
        let mut open: Vec<usize> = Vec::new();
        let mut pieces = 0;
        for (place, term) in terms.iter().enumerate() {
            let (components, start, first_piece, distance) = match *term {
                Term::Node(node) => {
                    pieces += 1;
                    let distance = self.normal.distance(node).map(u64::from);
                    (Vec::new(), place, pieces - 1, distance)
                }
                Term::Of(kind, arity) => {
                    let components = open.split_off(open.len() - arity);
                    let distances = components.iter().map(|&part| shape.distance[part]);
                    let distance = match kind {
                        // (8): the least, where ∞ is more than any.
                        Kind::Conjunctive => distances.flatten().min(),
                        // (12), (15)
                        Kind::Selective | Kind::Disjunctive => distances
                            .collect::<Option<Vec<u64>>>()
                            .map(|all| all.into_iter().fold(0, u64::saturating_add)),
                    };
                    let first = components[0];
                    let start = shape.terms[first].start;
                    let first_piece = shape.first_piece[first];
                    (components, start, first_piece, distance)
                }
            };
            shape.components.push(components);
            shape.terms.push(start..place + 1);
            shape.first_piece.push(first_piece);
            shape.distance.push(distance);
            open.push(place);
        }
        shape
    }
}

struct Solver<'a> {
    compounds: &'a Compounds<'a>,
    terms: &'a [Term],
    shape: Shape,
    too_large: Option<TooLarge>,
}

impl Solver<'_> {
    /// What is known about each term, as far as it is needed. With `search`, the terms that are written out are
    /// searched, and those within them are left out, since they are not needed. `normal` has what formulas say about
    /// normal play. A compound takes what is known about its components with it, but for those in `keep`: copies of
    /// everything would be quadratic in the depth.
    fn sides(
        &mut self,
        play: Play,
        search: bool,
        normal: &[Option<Side>],
        keep: &[bool],
    ) -> Vec<Option<Side>> {
        let within =
            if search { self.within_searches(play) } else { vec![false; self.terms.len()] };
        let mut sides: Vec<Option<Side>> = Vec::with_capacity(self.terms.len());
        for (place, within) in within.into_iter().enumerate() {
            let side = (!within).then(|| {
                let parts = self.shape.components[place].iter();
                let parts = parts.map(|&part| {
                    let side = if keep[part] { sides[part].clone() } else { sides[part].take() };
                    (part, side.unwrap_or(Side::UNKNOWN))
                });
                let parts: Vec<(usize, Side)> = parts.collect();
                self.side(place, play, search, parts, normal)
            });
            sides.push(side);
        }
        sides
    }

    /// The terms for which the rule of §8 needs the result of normal play.
    fn needed_for_misere(&self) -> Vec<bool> {
        let within = self.within_searches(Play::Misere);
        let mut needed = vec![false; self.terms.len()];
        for place in (0..self.terms.len()).filter(|&place| !within[place]) {
            if matches!(self.terms[place], Term::Of(Kind::Selective, _)) {
                for &part in &self.shape.components[place] {
                    needed[part] = true;
                }
            }
        }
        needed
    }

    /// The components of a term that have moves.
    fn movable(&self, place: usize) -> Vec<usize> {
        let components = self.shape.components[place].iter().copied();
        components.filter(|&part| self.shape.distance[part] != Some(0)).collect()
    }

    /// Whether each term lies within one that has no formula.
    fn within_searches(&self, play: Play) -> Vec<bool> {
        let mut within = vec![false; self.terms.len()];
        for place in (0..self.terms.len()).rev() {
            let Term::Of(kind, _) = self.terms[place] else { continue };
            let has_formula = match (kind, play) {
                (Kind::Conjunctive, _) | (Kind::Selective, Play::Normal) => true,
                (Kind::Selective, Play::Misere) | (Kind::Disjunctive, _) => {
                    self.movable(place).len() < 2
                }
            };
            let covers = within[place] || !has_formula;
            for &part in &self.shape.components[place] {
                within[part] = covers;
            }
        }
        within
    }

    fn side(
        &mut self,
        place: usize,
        play: Play,
        search: bool,
        mut parts: Vec<(usize, Side)>,
        normal: &[Option<Side>],
    ) -> Side {
        if self.shape.distance[place] == Some(0) {
            return Side::exact(Some(u64::from(play == Play::Misere)), By::Formula, Vec::new());
        }
        let kind = match self.terms[place] {
            Term::Node(node) => return self.piece(place, node, play),
            Term::Of(kind, _) => kind,
        };
        parts.retain(|&(part, _)| self.shape.distance[part] != Some(0));
        let movable: Vec<usize> = parts.iter().map(|&(part, _)| part).collect();
        let mut parts = parts.into_iter().map(|(_, side)| side);
        if kind != Kind::Conjunctive && movable.len() == 1 {
            return parts.next().unwrap_or(Side::UNKNOWN);
        }
        match (kind, play) {
            (Kind::Conjunctive, _) => conjunctive(parts.collect()),
            (Kind::Selective, Play::Normal) => selective(parts.collect()),
            (Kind::Selective, Play::Misere) => {
                let by_rule = self.misere_selective(&movable, normal);
                if search { self.searched(place, play, by_rule) } else { by_rule }
            }
            (Kind::Disjunctive, Play::Normal) => {
                let by_rule = self.disjunctive(&movable);
                let is_open = by_rule.remoteness.is_none();
                if search && is_open { self.searched(place, play, by_rule) } else { by_rule }
            }
            (Kind::Disjunctive, Play::Misere) if search => {
                self.searched(place, play, Side::UNKNOWN)
            }
            (Kind::Disjunctive, Play::Misere) => Side::UNKNOWN,
        }
    }

    fn piece(&self, place: usize, node: Node, play: Play) -> Side {
        let solved = self.compounds.remoteness(play);
        let component = self.shape.first_piece[place];
        let to = solved.good_move(self.compounds.digraph, node);
        let steps = to.map(|to| Step { component, to }).into_iter().collect();
        Side::exact(solved.remoteness(node).map(u64::from), By::Formula, steps)
    }

    /// Writes out a term and solves it, and adds the result of a rule.
    fn searched(&mut self, place: usize, play: Play, by_rule: Side) -> Side {
        let terms = &self.terms[self.shape.terms[place].clone()];
        let work = &self.compounds.work;
        // Where a rule says who wins, only the remoteness is left to search for.
        let limits = work.limits();
        let limits = if by_rule.outcome.is_some() { limits.for_turns() } else { limits };
        let work = &work.child(limits);
        let searched = Explicit::new(self.compounds.digraph, terms, work)
            .and_then(|explicit| explicit.solve(play, work));
        match searched {
            Ok((remoteness, mut steps)) => {
                for step in &mut steps {
                    step.component += self.shape.first_piece[place];
                }
                let found = Side::exact(remoteness.map(u64::from), By::Search, steps);
                Side { outcome: by_rule.outcome.or(found.outcome), ..found }
            }
            Err(too_large) => {
                self.too_large = Some(too_large);
                if by_rule.outcome.is_none() && play == Play::Normal {
                    self.by_values(place)
                } else {
                    by_rule
                }
            }
        }
    }

    /// A disjunctive compound of pieces, by G and H.
    fn disjunctive(&self, movable: &[usize]) -> Side {
        let node = |&part: &usize| match self.terms[part] {
            Term::Node(node) => Some(node),
            Term::Of(..) => None,
        };
        let nodes: Option<Vec<Node>> = movable.iter().map(node).collect();
        let (Some(nodes), Some(pair)) = (nodes, self.compounds.pair()) else {
            return Side::UNKNOWN;
        };
        let digraph = self.compounds.digraph;
        let value = pair.outcome(digraph, &nodes);
        let step = pair.guided_move(digraph, &nodes).map(|(component, to)| Step {
            component: self.shape.first_piece[movable[component]],
            to,
        });
        Side::by_rule(Found { value, by: By::Formula }, step.into_iter().collect())
    }

    /// The outcome of a disjunctive compound whose components can be written out one by one, but not
    /// together: their G add.
    fn by_values(&self, place: usize) -> Side {
        let mut nim_sum = 0;
        let mut exits = None;
        for &part in &self.shape.components[place] {
            let terms = &self.terms[self.shape.terms[part].clone()];
            let work = &self.compounds.work;
            let explicit = Explicit::new(self.compounds.digraph, terms, work);
            let digraph = explicit.ok().and_then(|explicit| explicit.digraph());
            let pair = digraph.as_ref().and_then(|digraph| GrundyPair::try_new(digraph, work).ok());
            let (Some(digraph), Some(pair)) = (digraph, pair) else {
                return Side::UNKNOWN;
            };
            match pair.g(0) {
                Some(g) => nim_sum ^= g,
                None if exits.is_some() => exits = Some(Vec::new()),
                None => exits = Some(pair.j(&digraph, 0)),
            }
        }
        let value = match exits {
            Some(exits) if exits.contains(&nim_sum) => Outcome::N,
            Some(_) => Outcome::D,
            None if nim_sum == 0 => Outcome::P,
            None => Outcome::N,
        };
        Side::by_rule(Found { value, by: By::Search }, Vec::new())
    }

    /// A selective compound under misère play, by the rule of §8: two components or more have moves.
    fn misere_selective(&self, movable: &[usize], normal: &[Option<Side>]) -> Side {
        let normals: Option<Vec<&Side>> =
            movable.iter().map(|&part| normal.get(part)?.as_ref()).collect();
        let is_bounded = movable.iter().all(|&part| self.shape.distance[part].is_some());
        let Some(normals) = normals.filter(|_| is_bounded) else {
            return Side::UNKNOWN;
        };
        if normals.iter().any(|side| side.outcome.is_none()) {
            return Side::UNKNOWN;
        }
        let wins = normals.iter().any(|side| side.is(Outcome::N));
        let value = if wins { Outcome::N } else { Outcome::P };
        let steps = if wins {
            self.winning_steps(movable, &normals).unwrap_or_default()
        } else {
            normals[0].steps.clone()
        };
        Side::by_rule(Found { value, by: By::Formula }, steps)
    }

    /// The winner's move by the rule of §8, where all components are pieces: as in normal play, unless that would
    /// leave fewer than two components with moves. Then one component is left with even R′.
    fn winning_steps(&self, movable: &[usize], normals: &[&Side]) -> Option<Vec<Step>> {
        let is_n = |index: usize| normals[index].is(Outcome::N);
        let ends = |index: usize| normals[index].remoteness.is_some_and(|r| r.value == Some(1));
        let left: Vec<usize> = (0..movable.len()).filter(|&index| !ends(index)).collect();
        let kept = match left.as_slice() {
            [] => Some(0),
            &[only] => Some(only),
            _ => None,
        };
        let mut steps = Vec::new();
        for index in (0..movable.len()).filter(|&index| is_n(index) && Some(index) != kept) {
            steps.extend_from_slice(&normals[index].steps);
        }
        if let Some(kept) = kept {
            let Term::Node(node) = self.terms[movable[kept]] else {
                return None;
            };
            let side = self.piece(movable[kept], node, Play::Misere);
            if !side.is(Outcome::P) {
                steps.extend(side.steps);
            }
        }
        Some(steps)
    }
}

/// (9), and the same for R′: the least remoteness, by a good move in each component.
fn conjunctive(components: Vec<Side>) -> Side {
    let known: Option<Vec<Found<Option<u64>>>> =
        components.iter().map(|side| side.remoteness).collect();
    let Some(known) = known else {
        return Side::UNKNOWN;
    };
    let by = known.iter().map(|found| found.by).max().unwrap_or(By::Formula);
    let least = known.iter().filter_map(|found| found.value).min();
    // All components have moves. Where it is only known that one is drawn, but not by which move, no move is known.
    let is_known = components.iter().all(|side| !side.steps.is_empty());
    let steps = if is_known { joined(components) } else { Vec::new() };
    Side::exact(least, by, steps)
}

/// (13): the sum of all remoteness, less what is saved by moving in all components of odd remoteness at once.
fn selective(components: Vec<Side>) -> Side {
    let outcomes: Option<Vec<Found<Outcome>>> =
        components.iter().map(|side| side.outcome).collect();
    let Some(outcomes) = outcomes else {
        return Side::UNKNOWN;
    };
    let by = outcomes.iter().map(|found| found.by).max().unwrap_or(By::Formula);
    let has = |outcome| outcomes.iter().any(|found| found.value == outcome);
    if has(Outcome::D) {
        // One drawn component is enough to hold the draw.
        let drawn = components.into_iter().find(|side| side.is(Outcome::D));
        return Side::exact(None, by, drawn.map_or_else(Vec::new, |side| side.steps));
    }
    let value = if has(Outcome::N) { Outcome::N } else { Outcome::P };
    let odd = outcomes.iter().filter(|found| found.value == Outcome::N).count() as u64;
    let known: Option<Vec<Found<Option<u64>>>> =
        components.iter().map(|side| side.remoteness).collect();
    let moving: Vec<Side> = match value {
        Outcome::N => components.into_iter().filter(|side| side.is(Outcome::N)).collect(),
        _ => components.into_iter().take(1).collect(),
    };
    // Without the move of each component that has to move, no move is known.
    let is_known = moving.iter().all(|side| !side.steps.is_empty());
    let steps = if is_known { joined(moving) } else { Vec::new() };
    let Some(known) = known else {
        return Side::by_rule(Found { value, by }, steps);
    };
    let by = known.iter().map(|found| found.by).max().unwrap_or(by).max(by);
    let sum = known.iter().filter_map(|found| found.value).fold(0, u64::saturating_add);
    let remoteness = if odd == 0 { sum } else { sum - odd + 1 };
    Side::exact(Some(remoteness), by, steps)
}

/// The steps of all, in any order. The longest list is extended by the others, so that deep compounds copy little.
fn joined(sides: Vec<Side>) -> Vec<Step> {
    let mut lists: Vec<Vec<Step>> = sides.into_iter().map(|side| side.steps).collect();
    let longest = (0..lists.len()).max_by_key(|&list| lists[list].len());
    let mut steps = longest.map_or_else(Vec::new, |longest| lists.swap_remove(longest));
    steps.extend(lists.into_iter().flatten());
    steps
}
