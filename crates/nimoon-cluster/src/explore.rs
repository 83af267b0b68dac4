//! All workers together explore everything that play reaches from positions of rulesets.
//!
//! The worker that has a node computes its options, and requests their places from the workers that
//! have them. A node is identified by its text, which is compared in full: `nimstring:… +
//! nimstring:…` for the parts of a component, in order; the same after `again ` if the player who
//! has just moved moves again; and `answer … beside …` if the first parts must be moved. As in
//! [`nimoon::solve::explore::digraph`], a carry-on move passes through a gray node with one option,
//! and an entailing move leads to a gray node with the options of the position that it left.

use nimoon::ruleset::{Fault, Kind, PositionId};
use nimoon::{Positions, Work};
use nimoon_formats::Names;
use nimoon_session::expression::{Expression, NoLibrary};
use rustc_hash::FxHashMap;

use crate::ClusterError;
use crate::build::Builder;
use crate::exchange::Exchange;

/// How many nodes a worker expands between two supersteps, and about how many options it finds at
/// most.
const NODES_AT_ONCE: usize = 1 << 14;
const OPTIONS_AT_ONCE: usize = 1 << 18;

/// The most options of one position.
const MOST_OPTIONS: usize = 1 << 22;

/// A ruleset forgets its positions when it has found this many, since nodes are identified by their
/// text.
const MOST_POSITIONS: usize = 1 << 20;

const AGAIN: &str = "again ";
const ANSWER: &str = "answer ";
const BESIDE: &str = " beside ";

/// The state of a node, as parts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Free(Vec<PositionId>),
    Again(Vec<PositionId>),
    Answer { due: Vec<PositionId>, beside: Vec<PositionId> },
}

/// One ruleset with its recent positions.
struct Field {
    /// The ruleset and a colon.
    prefix: String,
    /// The text between two parts.
    joint: String,
    /// An expression of this ruleset, to start again from.
    expression: String,
    positions: Box<dyn Positions>,
    dead: FxHashMap<PositionId, bool>,
}

impl Field {
    fn new(positions: Box<dyn Positions>, position: PositionId) -> Self {
        let prefix = format!("{}:", positions.name());
        let expression = format!("{prefix}{}", positions.text(position));
        let joint = format!(" + {prefix}");
        Self { prefix, joint, expression, positions, dead: FxHashMap::default() }
    }

    /// Forgets the positions found so far.
    fn forget_positions(&mut self) -> Result<(), ClusterError> {
        let mut read = read(&self.expression)?;
        if let Some(positions) = read.fields.pop() {
            self.positions = positions;
            self.dead.clear();
        }
        Ok(())
    }

    fn fault(&self, fault: &Fault) -> ClusterError {
        ClusterError::Input(format!("{} {fault}", self.prefix))
    }

    /// Whether a part has no options.
    fn is_dead(&mut self, part: PositionId) -> Result<bool, ClusterError> {
        if let Some(&dead) = self.dead.get(&part) {
            return Ok(dead);
        }
        let expanded = self.positions.expand(&[part], MOST_OPTIONS, 1);
        let dead = expanded.map_err(|fault| self.fault(&fault))?[0].is_empty();
        self.dead.insert(part, dead);
        Ok(dead)
    }

    /// These parts without those that have no options; for several parts, since a single part is
    /// identified by its text.
    fn living(&mut self, parts: Vec<PositionId>) -> Result<Vec<PositionId>, ClusterError> {
        if parts.len() < 2 {
            return Ok(parts);
        }
        let first = parts[0];
        let mut living = Vec::with_capacity(parts.len());
        for part in parts {
            if !self.is_dead(part)? {
                living.push(part);
            }
        }
        if living.is_empty() {
            living.push(first);
        }
        Ok(living)
    }

    /// The state after a move.
    fn after(
        &mut self,
        kind: Kind,
        left: &[PositionId],
        beside: &[PositionId],
    ) -> Result<State, ClusterError> {
        let all = || [left, beside].concat();
        Ok(match kind {
            Kind::Ordinary => State::Free(self.living(all())?),
            Kind::Again => State::Again(self.living(all())?),
            Kind::Entailing => {
                let due = self.living(left.to_vec())?;
                // Beside the parts where an answer is due, parts without moves can be dropped.
                let mut living = Vec::new();
                for &part in beside {
                    if !self.is_dead(part)? {
                        living.push(part);
                    }
                }
                State::Answer { due, beside: living }
            }
        })
    }

    /// The options of a state.
    fn options(&mut self, state: &State) -> Result<Vec<State>, ClusterError> {
        let (due, beside): (&[PositionId], &[PositionId]) = match state {
            State::Free(parts) => (parts, &[]),
            State::Again(parts) => return Ok(vec![State::Free(parts.clone())]),
            State::Answer { due, beside } => (due, beside),
        };
        let expanded = self.positions.expand(due, MOST_OPTIONS, 1);
        let expanded = expanded.map_err(|fault| self.fault(&fault))?;
        let mut options = Vec::new();
        for (i, branches) in expanded.iter().enumerate() {
            // Equal parts have equal options.
            if due[..i].contains(&due[i]) {
                continue;
            }
            let others = due.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &part)| part);
            let others: Vec<PositionId> = others.chain(beside.iter().copied()).collect();
            for branch in branches {
                options.push(self.after(branch.kind, &branch.parts, &others)?);
            }
        }
        Ok(options)
    }

    /// The text of some parts, in order; an error if it could be read as other parts.
    fn join(&self, parts: &[PositionId]) -> Result<String, ClusterError> {
        let mut texts: Vec<String> = parts.iter().map(|&part| self.positions.text(part)).collect();
        texts.sort_unstable();
        let ambiguous = |text: &&String| text.contains(&self.joint) || text.contains(BESIDE);
        if let Some(text) = texts.iter().find(ambiguous) {
            let message = format!("`{}{text}` cannot stand in a sum of parts", self.prefix);
            return Err(ClusterError::Input(message));
        }
        Ok(format!("{}{}", self.prefix, texts.join(&self.joint)))
    }

    fn split(&mut self, text: &str) -> Option<Vec<PositionId>> {
        let inside = text.strip_prefix(self.prefix.as_str())?;
        let parts = inside.split(self.joint.as_str());
        parts
            .map(|part| {
                let position = self.positions.read(part).ok()?;
                Some(self.positions.canonical(position))
            })
            .collect()
    }

    fn write(&self, state: &State) -> Result<String, ClusterError> {
        Ok(match state {
            State::Free(parts) => self.join(parts)?,
            State::Again(parts) => format!("{AGAIN}{}", self.join(parts)?),
            State::Answer { due, beside } if beside.is_empty() => {
                format!("{ANSWER}{}", self.join(due)?)
            }
            State::Answer { due, beside } => {
                format!("{ANSWER}{}{BESIDE}{}", self.join(due)?, self.join(beside)?)
            }
        })
    }

    /// The state of a text; none if the text is not of this ruleset.
    fn read(&mut self, text: &str) -> Option<State> {
        if let Some(rest) = text.strip_prefix(AGAIN) {
            return Some(State::Again(self.split(rest)?));
        }
        let Some(rest) = text.strip_prefix(ANSWER) else {
            return Some(State::Free(self.split(text)?));
        };
        let (due, beside) = match rest.split_once(BESIDE) {
            Some((due, beside)) => (due, self.split(beside)?),
            None => (rest, Vec::new()),
        };
        Some(State::Answer { due: self.split(due)?, beside })
    }
}

fn read(expression: &str) -> Result<Expression, ClusterError> {
    Expression::read(expression, &mut NoLibrary)
        .map_err(|error| ClusterError::Input(format!("{expression}: {error}")))
}

/// The names of the nodes for the terms of an expression, after an exploration.
///
/// ```
/// assert_eq!(nimoon_cluster::nodes_of("nim: 3 + kayles:2").unwrap(), ["nim:3", "kayles:2"]);
/// ```
///
/// # Errors
/// When the text is not an expression of impartial games.
pub fn nodes_of(expression: &str) -> Result<Vec<String>, ClusterError> {
    Ok(Explorer::new(expression)?.starts)
}

/// The rulesets of an expression.
pub(crate) struct Explorer {
    fields: Vec<Field>,
    starts: Vec<String>,
}

impl Explorer {
    /// Reads the positions to start from: each term of a sum is one.
    pub(crate) fn new(expression: &str) -> Result<Self, ClusterError> {
        let Expression { fields, terms } = read(expression)?;
        let first = |field: usize| terms.iter().find(|term| usize::from(term.0) == field);
        let mut made = Vec::with_capacity(fields.len());
        for (i, positions) in fields.into_iter().enumerate() {
            if let Some(&(_, position)) = first(i) {
                made.push(Field::new(positions, position));
            }
        }
        let mut starts = Vec::with_capacity(terms.len());
        for (field, position) in terms {
            let field = &mut made[usize::from(field)];
            starts.push(field.start(position)?);
        }
        Ok(Self { fields: made, starts })
    }

    /// The names of the nodes for the terms.
    pub(crate) fn starts(&self) -> &[String] {
        &self.starts
    }

    /// The names of the options of a node, and whether each is gray.
    fn options(&mut self, name: &str) -> Result<Vec<(String, bool)>, ClusterError> {
        for field in &mut self.fields {
            if field.positions.len() > MOST_POSITIONS {
                field.forget_positions()?;
            }
            let Some(state) = field.read(name) else { continue };
            // A text that is read as something else would be another node.
            if field.write(&state)? != name {
                break;
            }
            let options = field.options(&state)?;
            let named = options
                .iter()
                .map(|option| Ok((field.write(option)?, !matches!(option, State::Free(_)))));
            return named.collect();
        }
        let message = format!("`{name}` is a position that its ruleset writes, but does not read");
        Err(ClusterError::Input(message))
    }

    /// Requests the nodes to start from. All workers call this at the same time.
    pub(crate) fn begin(
        &self,
        exchange: &mut Exchange<'_>,
        builder: &mut Builder,
    ) -> Result<(), ClusterError> {
        let gray = |name: &str| name.starts_with(AGAIN) || name.starts_with(ANSWER);
        let mut names = Names::default();
        if exchange.index() == 0 {
            for start in &self.starts {
                names.intern(start);
            }
        }
        let marked: Vec<u32> =
            (0..names.len() as u32).filter(|&node| gray(&names.name(node))).collect();
        builder.places(exchange, &names, &marked)?;
        Ok(())
    }

    /// Explores everything from the nodes that were not yet expanded. All workers call this at the
    /// same time. `watch` is called after each round, with the number of expanded nodes of this
    /// worker, the number of nodes that all have found, and the number still to expand.
    pub(crate) fn explore(
        &mut self,
        exchange: &mut Exchange<'_>,
        builder: &mut Builder,
        mut next: usize,
        work: &Work,
        watch: &mut Watch<'_>,
    ) -> Result<(), ClusterError> {
        let budget = work.limits().positions;
        loop {
            let mut found = Found::default();
            let expanded = self.expand(builder, &mut next, work, &mut found);
            exchange.agree(expanded)?;
            let places = builder.places(exchange, &found.names, &found.gray)?;
            for (from, option) in found.arcs {
                builder.add_arc(from, places[option as usize]);
            }
            let mut tally = [builder.len() as u64, (builder.len() - next) as u64];
            exchange.add_up(&mut tally);
            let [count, left] = tally;
            watch(exchange, builder, next, (count, left))?;
            if count > budget {
                return Err(ClusterError::OverBudget { budget, found: count });
            }
            if left == 0 {
                return Ok(());
            }
        }
    }

    /// Computes the options of some nodes of this worker, of fewer if a limit is hit.
    fn expand(
        &mut self,
        builder: &Builder,
        next: &mut usize,
        work: &Work,
        found: &mut Found,
    ) -> Result<(), ClusterError> {
        let end = builder.len().min(*next + NODES_AT_ONCE);
        while *next < end && found.arcs.len() < OPTIONS_AT_ONCE && work.check().is_ok() {
            let from = *next as u32;
            for (name, gray) in self.options(&builder.name(from))? {
                let option = found.names.try_intern(&name).ok_or(ClusterError::TooManyNodes)?;
                if gray {
                    found.gray.push(option);
                }
                found.arcs.push((from, option));
            }
            *next += 1;
        }
        Ok(())
    }
}

/// The callback after each round.
pub(crate) type Watch<'a> =
    dyn FnMut(&mut Exchange<'_>, &Builder, usize, (u64, u64)) -> Result<(), ClusterError> + 'a;

/// The nodes and arcs found between two supersteps.
#[derive(Default)]
struct Found {
    names: Names,
    gray: Vec<u32>,
    arcs: Vec<(u32, u32)>,
}

impl Field {
    /// The name of the node of a position.
    fn start(&mut self, position: PositionId) -> Result<String, ClusterError> {
        let parts = self.positions.try_parts(position).map_err(|fault| self.fault(&fault))?;
        let due = self.positions.must_be_answered(position);
        let kind = if due { Kind::Entailing } else { Kind::Ordinary };
        let state = self.after(kind, &parts, &[])?;
        self.write(&state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let expressions = [
            "nimstring:2x2",
            "green-lime:0-1g,1-2l,1-3g,2-3g",
            "kayles:9",
            "top-entails:5",
            "coins:a-b,b-c",
        ];
        for expression in expressions {
            let Ok(mut explorer) = Explorer::new(expression) else { continue };
            let mut seen: Vec<String> = explorer.starts().to_vec();
            let mut next = 0;
            while next < seen.len().min(300) {
                for (name, _) in explorer.options(&seen[next].clone()).unwrap() {
                    let field = &mut explorer.fields[0];
                    let state = field.read(&name).unwrap();
                    assert_eq!(field.write(&state).unwrap(), name);
                    if !seen.contains(&name) {
                        seen.push(name);
                    }
                }
                next += 1;
            }
            assert!(seen.len() > 3, "{expression}");
        }
    }
}
