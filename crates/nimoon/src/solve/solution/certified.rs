//! The digraph of a placement, for a certificate: every position that play reaches, with a name.

use std::collections::HashSet;

use super::placement::Placement;
use super::{Method, Solution};
use crate::graph::digraph::{Digraph, Node};
use crate::impartial::labelling::Labelling;
use crate::solve::explore::Part;
use crate::solve::explore::digraph::State;

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
        let mut seen = HashSet::new();
        let names = labelled.states.digraph.nodes().map(|node| {
            let mut name = self.name_of_state(&labelled.states.state(node));
            // A notation that says too little must not make two positions one.
            while !seen.insert(name.clone()) {
                name = format!("{name} ({node})");
            }
            name
        });
        let names = names.collect();
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

    fn name_of_state(&self, state: &State) -> String {
        let parts = |parts: &[Part]| {
            let text = |&part: &Part| {
                let (field, position) = self.exploration.position(part);
                let field = self.exploration.field(field);
                format!("{}:{}", field.name(), field.text(position))
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
}
