//! Digraphs of states, labelled.

use super::placement::Placement;
use super::{SolutionError, narrate};
use crate::graph::digraph::Node;
use crate::impartial::labelling::{Label, Labelling};
use crate::impartial::theory::{Refutation, Theory, label};
use crate::limits::{Interrupted, Work};
use crate::solve::explore::Exploration;
use crate::solve::explore::digraph::{State, StateDigraph, Unit};

/// A digraph of states with the labels of its nodes.
pub(super) struct Labelled {
    pub(super) states: StateDigraph,
    pub(super) labelling: Labelling,
}

impl Labelled {
    pub(super) fn label(&self, state: &State) -> Label {
        match self.states.node(state) {
            Some(node) => self.labelling.label(node),
            None => Label::Gray(None),
        }
    }

    /// The nodes of a placement: one for each part, or for each component.
    pub(super) fn pieces(
        &self,
        exploration: &Exploration,
        placement: &Placement,
    ) -> Option<Vec<Node>> {
        Self::nodes(&self.states, exploration, placement)
    }

    /// The same on a digraph without labels.
    pub(super) fn nodes(
        states: &StateDigraph,
        exploration: &Exploration,
        placement: &Placement,
    ) -> Option<Vec<Node>> {
        let mut pieces = Vec::new();
        for (component, parts) in placement.components.iter().enumerate() {
            let places: Vec<Option<usize>> = match states.unit {
                Unit::Component => vec![None],
                Unit::Part => (0..parts.len()).map(Some).collect(),
            };
            for place in places {
                let state = placement.state(exploration, component, place);
                pieces.push(states.node(&state)?);
            }
        }
        Some(pieces)
    }
}

/// The digraph of everything that the start reaches.
pub(super) fn states(
    exploration: &Exploration,
    start: &Placement,
    unit: Unit,
    work: &Work,
) -> Result<StateDigraph, Interrupted> {
    let mut starts = Vec::new();
    for (component, parts) in start.components.iter().enumerate() {
        match unit {
            Unit::Component => starts.push(start.state(exploration, component, None)),
            Unit::Part => {
                let places = 0..parts.len();
                starts.extend(places.map(|i| start.state(exploration, component, Some(i))));
            }
        }
    }
    StateDigraph::new(exploration, unit, starts, work)
}

/// Labels a digraph of states.
pub(super) fn labelled(
    exploration: &Exploration,
    states: StateDigraph,
    theory: Option<Theory>,
    work: &Work,
) -> Result<Labelled, SolutionError> {
    match label(&states.digraph, theory, work) {
        Ok(labelling) => Ok(Labelled { states, labelling }),
        Err(refuted) => {
            let text = |node: Node| narrate::state(exploration, &states.state(node));
            let because = match refuted.refutation {
                Refutation::Cycle(cycle) => {
                    let mut texts: Vec<_> = cycle.iter().take(4).map(|&node| text(node)).collect();
                    texts.dedup();
                    let more = if cycle.len() > 4 { " → …" } else { "" };
                    format!("{}{more} goes round in a circle", texts.join(" → "))
                }
                Refutation::GrayNode(node) => match states.state(node) {
                    State::Again(_) => format!("a carry-on move leads to {}", text(node)),
                    _ => format!("an entailing move leads to {}", text(node)),
                },
                Refutation::ManyOptions(node) => {
                    format!("an entailing move leads to {}, which has several options", text(node))
                }
            };
            Err(SolutionError::DoesNotFit {
                theory: refuted.theory,
                because,
                fitting: refuted.fitting,
            })
        }
    }
}
