//! The digraph of positions, for labels and for certificates: every position that play reaches, with a
//! name.

use std::collections::HashSet;

use super::labelled::{Labelled, states};
use super::placement::Placement;
use super::{Method, Solution, SolutionError, explored, unit_of};
use crate::graph::digraph::{Digraph, Node};
use crate::impartial::labelling::Labelling;
use crate::limits::Work;
use crate::ruleset::{PositionId, Positions};
use crate::solve::explore::digraph::{State, StateDigraph};
use crate::solve::explore::parts::Shape;
use crate::solve::explore::{Exploration, Field, Part};

/// A labelled digraph with the pieces of a placement on it.
#[derive(Clone, Debug)]
pub struct PlacementDigraph<'a> {
    /// The digraph.
    pub digraph: &'a Digraph,
    /// Its labels.
    pub labelling: &'a Labelling,
    /// The nodes of the placement: one for each part, or for each component.
    pub pieces: Vec<Node>,
    /// The names of the nodes, all different.
    pub names: Vec<String>,
    /// The rulesets of the positions.
    pub rulesets: Vec<String>,
}

impl Solution {
    /// The digraph of all positions that play reaches from a placement; none where they are too many, or where some are known by a theorem or a
    /// search alone.
    ///
    /// A free position is named by its parts, joined by `+`, or `no moves`; one that a carry-on move leads to `move again: …`; and one that
    /// must be answered `answer in … beside …`.
    pub fn placement_digraph(&self, placement: &Placement) -> Option<PlacementDigraph<'_>> {
        let labelled = match &self.method {
            Method::Digraph(labelled) => labelled,
            Method::Parts { whole, .. } => whole.as_deref()?,
        };
        if !self.exploration.is_complete() {
            return None;
        }
        let pieces = labelled.pieces(&self.exploration, placement)?;
        let names = names(&self.exploration, &labelled.states, true);
        let mut fields: Vec<_> = (0..self.exploration.len() as Part)
            .map(|part| self.exploration.position(part).0)
            .collect();
        fields.sort_unstable();
        fields.dedup();
        let rulesets = fields.iter().map(|&field| self.exploration.field(field).name().to_owned());
        Some(PlacementDigraph {
            digraph: &labelled.states.digraph,
            labelling: &labelled.labelling,
            pieces,
            names,
            rulesets: rulesets.collect(),
        })
    }
}

/// The digraph of everything that play reaches from some positions, without labels.
#[derive(Clone, Debug)]
pub struct PositionDigraph {
    /// The digraph.
    pub digraph: Digraph,
    /// The nodes of the positions: one for each part, or for each position.
    pub pieces: Vec<Node>,
    /// The names of the nodes, all different. If there is one ruleset, they do not repeat it.
    pub names: Vec<String>,
}

impl PositionDigraph {
    /// Explores positions, each given with the number of its ruleset among `fields`. Nodes are named
    /// as in [`Solution::placement_digraph`].
    ///
    /// # Errors
    /// When a limit is hit, or the rules fail.
    pub fn new(
        mut fields: Vec<Box<dyn Positions>>,
        terms: &[(Field, PositionId)],
        work: &Work,
    ) -> Result<Self, SolutionError> {
        for field in &mut fields {
            field.work_within(work);
        }
        let (mut exploration, over) = explored(fields, terms, &[], work)?;
        if let Some(over) = over {
            return Err(over.into());
        }
        let start = Placement::new(&mut exploration, terms);
        let shape = Shape::new(&exploration);
        let unit = unit_of(&exploration, &shape)?;
        let found = states(&exploration, &start, unit, work).map_err(SolutionError::Whole)?;
        let mut rulesets = terms.iter().map(|(field, _)| field);
        let first = rulesets.next();
        let several = rulesets.any(|other| Some(other) != first);
        let names = names(&exploration, &found, several);
        let pieces = Labelled::nodes(&found, &exploration, &start);
        let pieces = pieces.unwrap_or_else(|| unreachable!("the digraph begins with them"));
        Ok(Self { digraph: found.digraph, pieces, names })
    }
}

/// The names of all nodes, with those of the rulesets where positions are of several.
fn names(exploration: &Exploration, states: &StateDigraph, with_rulesets: bool) -> Vec<String> {
    let mut seen = HashSet::new();
    let names = states.digraph.nodes().map(|node| {
        let mut name = name_of_state(exploration, &states.state(node), with_rulesets);
        // A notation that says too little must not make two positions one.
        while !seen.insert(name.clone()) {
            name = format!("{name} ({node})");
        }
        name
    });
    names.collect()
}

fn name_of_state(exploration: &Exploration, state: &State, with_rulesets: bool) -> String {
    let parts = |parts: &[Part]| {
        let text = |&part: &Part| {
            let (field, position) = exploration.position(part);
            let field = exploration.field(field);
            let position = field.text(position);
            if with_rulesets { format!("{}:{position}", field.name()) } else { position }
        };
        let texts: Vec<String> = parts.iter().map(text).collect();
        if texts.is_empty() { "no moves".to_owned() } else { texts.join(" + ") }
    };
    match state {
        State::Free(free) => parts(free),
        State::Again(free) => format!("move again: {}", parts(free)),
        State::Entailed { due, beside } if beside.is_empty() => {
            format!("answer in {}", parts(due))
        }
        State::Entailed { due, beside } => {
            format!("answer in {} beside {}", parts(due), parts(beside))
        }
    }
}
