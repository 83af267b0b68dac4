//! From position to position, through all that play can reach.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

use indexmap::IndexSet;
use nimoon::ruleset::{Fault, Kind, Positions};
use nimoon::{Digraph, Interrupted, Node, Progress, Work};
use nimoon_formats::Names;
use rustc_hash::{FxHashMap, FxHasher};

use super::{Cut, Follower, FollowerMove, Followers, FollowersError, Symmetry, Term};

/// What a node takes in memory, roughly, and an arc.
const NODE_BYTES: u64 = 160;
const ARC_BYTES: u64 = 40;

/// Parts in order.
type Parts = Box<[Term]>;

/// What a node stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    /// The player to move is free.
    Free(Parts),
    /// The same player moves again, from there.
    Again(Parts),
    /// One of `due` must be moved.
    Due { due: Parts, beside: Parts },
}

/// The options of a part: who moves then, and the parts that are left.
type Options = Rc<[(Kind, Parts)]>;

/// Why the walk ends early.
enum End {
    Cut(Cut),
    Error(FollowersError),
}

pub(super) struct Walk<'a> {
    fields: Vec<Box<dyn Positions>>,
    symmetry: Symmetry,
    work: &'a Work,
    options: FxHashMap<Term, Options>,
    states: IndexSet<State, BuildHasherDefault<FxHasher>>,
    arcs: Vec<(Node, Node)>,
    /// For each node that was expanded and is a position, its moves as the player sees them.
    moves: FxHashMap<Node, Vec<(Node, Kind)>>,
    /// The position without moves that stands for all of them, where they are merged.
    end: Option<Parts>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        mut fields: Vec<Box<dyn Positions>>,
        symmetry: Symmetry,
        work: &'a Work,
    ) -> Self {
        for field in &mut fields {
            field.work_within(work);
        }
        Self {
            fields,
            symmetry,
            work,
            options: FxHashMap::default(),
            states: IndexSet::default(),
            arcs: Vec::new(),
            moves: FxHashMap::default(),
            end: None,
        }
    }

    pub(super) fn run(mut self, terms: &[Term]) -> Result<Followers, FollowersError> {
        let cut = match self.walk(terms) {
            Ok(()) => None,
            Err(End::Cut(cut)) => Some(cut),
            Err(End::Error(error)) => return Err(error),
        };
        if cut.is_some() && self.states.is_empty() {
            let parts: Parts = terms.into();
            self.states.insert(State::Free(parts));
        }
        self.followers(cut)
    }

    fn walk(&mut self, terms: &[Term]) -> Result<(), End> {
        let start = self.start(terms)?;
        self.states.insert(start);
        let mut next = 0;
        while let Some(state) = self.states.get_index(next).cloned() {
            self.go_on(next)?;
            let from = next as Node;
            next += 1;
            match state {
                State::Again(parts) => {
                    let to = self.node(State::Free(parts));
                    self.arcs.push((from, to));
                }
                State::Free(parts) => self.expand(from, &parts, &[])?,
                State::Due { due, beside } => self.expand(from, &due, &beside)?,
            }
        }
        Ok(())
    }

    /// Where play begins.
    fn start(&mut self, terms: &[Term]) -> Result<State, End> {
        let (mut due, mut beside): (Vec<Term>, Vec<Term>) = (Vec::new(), Vec::new());
        for &term in terms {
            let parts = self.parts(term)?;
            if self.must_be_answered(term) {
                if let Some(&first) = due.first() {
                    let [first, second] = [first, term].map(|term| self.text(&[term]));
                    return Err(End::Error(FollowersError::TwoDue { first, second }));
                }
                due.push(term);
            } else {
                beside.extend(parts);
            }
        }
        if due.is_empty() {
            return Ok(State::Free(self.normal(beside)?));
        }
        Ok(State::Due { due: self.normal(due)?, beside: self.normal(beside)? })
    }

    /// Whether one more node may be visited.
    fn go_on(&mut self, expanded: usize) -> Result<(), End> {
        let (met, options) = (self.states.len(), self.arcs.len());
        let bytes = NODE_BYTES * met as u64 + ARC_BYTES * options as u64;
        let allowed = self.work.limits().positions;
        let found = self.work.report(Progress::Exploring { expanded, met, options });
        let found = found.and_then(|()| self.work.check());
        let found = found.and_then(|()| self.work.hold(bytes));
        let over = met as u64 > allowed || options as u64 > allowed.saturating_mul(16);
        let ended = found.err().or_else(|| over.then(|| Interrupted::positions(allowed)));
        match ended {
            None => Ok(()),
            Some(interrupted) => {
                Err(End::Cut(self.cut(interrupted.to_string(), Some(interrupted))))
            }
        }
    }

    fn cut(&self, message: String, interrupted: Option<Interrupted>) -> Cut {
        let last = self.states.last().map_or_else(String::new, |state| self.text_of(state));
        Cut { message, interrupted, met: self.states.len(), last }
    }

    /// Finds the options of a node: a move in one of `due`.
    fn expand(&mut self, from: Node, due: &[Term], beside: &[Term]) -> Result<(), End> {
        let is_position = self.is_position(from);
        let mut moves: Vec<(Node, Kind)> = Vec::new();
        let mut seen = HashSet::new();
        for (i, &part) in due.iter().enumerate() {
            // Equal parts have equal options.
            if i > 0 && due[i - 1] == part {
                continue;
            }
            let mut others: Vec<Term> = due.to_vec();
            others.remove(i);
            others.extend(beside);
            let options = self.options(part)?;
            for (kind, left) in options.iter() {
                let (arc, position) = self.after(*kind, left, &others)?;
                self.arcs.push((from, arc));
                if is_position && seen.insert((position, *kind)) {
                    moves.push((position, *kind));
                }
            }
        }
        if is_position {
            self.moves.insert(from, moves);
        }
        Ok(())
    }

    /// The node that a move leads to, and the position that it leaves.
    fn after(&mut self, kind: Kind, left: &[Term], others: &[Term]) -> Result<(Node, Node), End> {
        let all = self.normal([left, others].concat())?;
        match kind {
            Kind::Ordinary => {
                let node = self.node(State::Free(all));
                Ok((node, node))
            }
            Kind::Again => {
                let position = self.node(State::Free(all.clone()));
                Ok((self.node(State::Again(all)), position))
            }
            Kind::Entailing => {
                let answered = left.iter().any(|&part| self.must_be_answered(part));
                let due = self.normal(left.to_vec())?;
                let beside = self.normal(others.to_vec())?;
                let position = (!answered).then(|| self.node(State::Free(all)));
                let node = self.node(State::Due { due, beside });
                Ok((node, position.unwrap_or(node)))
            }
        }
    }

    fn node(&mut self, state: State) -> Node {
        self.states.insert_full(state).0 as Node
    }

    /// Whether a node is a position on the board, and not only what is due after a move to one.
    fn is_position(&self, node: Node) -> bool {
        match &self.states[node as usize] {
            State::Free(_) => true,
            State::Again(_) => false,
            State::Due { due, .. } => due.iter().any(|&part| self.must_be_answered(part)),
        }
    }

    fn must_be_answered(&self, (field, position): Term) -> bool {
        self.fields[usize::from(field)].must_be_answered(position)
    }

    /// The independent parts of a position.
    fn parts(&mut self, (field, position): Term) -> Result<Vec<Term>, End> {
        let positions = &mut self.fields[usize::from(field)];
        let canonical = positions.try_parts(position);
        let parts = match (self.symmetry, canonical) {
            (_, Err(fault)) => return Err(self.fault(fault)),
            (Symmetry::Merged, Ok(parts)) => parts,
            (Symmetry::Apart, Ok(_)) => self.fields[usize::from(field)].parts(position),
        };
        Ok(parts.into_iter().map(|part| (field, part)).collect())
    }

    /// The options of a part.
    fn options(&mut self, part: Term) -> Result<Options, End> {
        if let Some(known) = self.options.get(&part) {
            return Ok(Rc::clone(known));
        }
        let (field, position) = part;
        let limit = usize::try_from(self.work.limits().positions).unwrap_or(usize::MAX);
        let found = self.fields[usize::from(field)].options(position, limit.saturating_mul(16));
        let found = found.map_err(|fault| self.fault(fault))?;
        let mut options = Vec::with_capacity(found.len());
        for (kind, to) in found {
            options.push((kind, self.parts((field, to))?.into()));
        }
        let options: Options = options.into();
        self.options.insert(part, Rc::clone(&options));
        Ok(options)
    }

    fn fault(&self, fault: Fault) -> End {
        match fault {
            Fault::Rules(message) => End::Error(FollowersError::Rules(message)),
            Fault::Limit(message) => End::Cut(self.cut(message, None)),
            Fault::Interrupted(interrupted) => {
                End::Cut(self.cut(interrupted.to_string(), Some(interrupted)))
            }
            fault => {
                let interrupted = Interrupted::positions(self.work.limits().positions);
                End::Cut(self.cut(fault.to_string(), Some(interrupted)))
            }
        }
    }

    /// Parts in order, those without moves only where there are no others.
    fn normal(&mut self, mut parts: Vec<Term>) -> Result<Parts, End> {
        if parts.is_empty() {
            return Ok(parts.into());
        }
        parts.sort_unstable();
        let mut alive = Vec::with_capacity(parts.len());
        for &part in &parts {
            if self.must_be_answered(part) || !self.options(part)?.is_empty() {
                alive.push(part);
            }
        }
        if !alive.is_empty() {
            return Ok(alive.into());
        }
        let parts: Parts = parts.into();
        match self.symmetry {
            Symmetry::Apart => Ok(parts),
            Symmetry::Merged => Ok(self.end.get_or_insert(parts).clone()),
        }
    }

    /// A sum in its notation.
    fn text(&self, parts: &[Term]) -> String {
        let texts = parts.iter().map(|&(field, position)| {
            let field = &self.fields[usize::from(field)];
            format!("{}:{}", field.name(), field.text(position))
        });
        texts.collect::<Vec<_>>().join(" + ")
    }

    /// The position that a node is about.
    fn text_of(&self, state: &State) -> String {
        match state {
            State::Free(parts) | State::Again(parts) => self.text(parts),
            State::Due { due, beside } => self.text(&self.joined(due, beside)),
        }
    }

    /// What must be moved, with what stands beside it; parts without moves only where there are no others.
    fn joined(&self, due: &[Term], beside: &[Term]) -> Vec<Term> {
        let all = [due, beside].concat();
        let is_alive = |part: &Term| {
            let dead = self.options.get(part).is_some_and(|options| options.is_empty());
            !dead || self.must_be_answered(*part)
        };
        let alive: Vec<Term> = all.iter().copied().filter(is_alive).collect();
        if alive.is_empty() { all } else { alive }
    }

    /// The name of a node.
    fn name(&self, node: Node, state: &State) -> String {
        match state {
            State::Free(parts) => self.text(parts),
            State::Again(parts) => format!("again({})", self.text(parts)),
            State::Due { .. } if self.is_position(node) => self.text_of(state),
            State::Due { due, beside } => {
                let is_dead = |part| self.options.get(part).is_some_and(|o| o.is_empty());
                let mut name = format!("answer({})", self.text(due));
                if !beside.iter().all(is_dead) {
                    name = format!("{name} + {}", self.text(beside));
                }
                name
            }
        }
    }

    fn followers(mut self, cut: Option<Cut>) -> Result<Followers, FollowersError> {
        let mut seen = HashSet::new();
        let names: Names = self
            .states
            .iter()
            .enumerate()
            .map(|(node, state)| {
                let mut name = self.name(node as Node, state);
                // A notation that says too little must not make two positions one.
                while !seen.insert(name.clone()) {
                    name = format!("{name} ({node})");
                }
                name
            })
            .collect();
        let nodes = 0..self.states.len() as Node;
        let nodes: Vec<Node> = nodes.filter(|&node| self.is_position(node)).collect();
        let mut places = vec![usize::MAX; self.states.len()];
        for (place, &node) in nodes.iter().enumerate() {
            places[node as usize] = place;
        }
        let positions = nodes.into_iter().map(|node| {
            let moves = self.moves.remove(&node);
            let is_expanded = moves.is_some();
            let moves = moves.into_iter().flatten();
            let moves = moves.map(|(to, kind)| FollowerMove { to: places[to as usize], kind });
            let text = names.name(node).into_owned();
            Follower { node, text, moves: moves.collect(), is_expanded }
        });
        let positions = positions.collect();
        let gray = self.states.iter().enumerate();
        let gray = gray.filter(|(_, state)| !matches!(state, State::Free(_)));
        let gray: Vec<Node> = gray.map(|(node, _)| node as Node).collect();
        let arcs = std::mem::take(&mut self.arcs);
        let digraph = Digraph::new(self.states.len(), gray, arcs)
            .map_err(|error| FollowersError::Rules(error.to_string()))?;
        Ok(Followers { digraph, names, positions, cut })
    }
}
