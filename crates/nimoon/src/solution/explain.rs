//! Why a component has its value, in the words of its ruleset.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use super::placement::{PlacedMove, Placement};
use super::{AnswerError, Labelled, Method, Solution, most_replies, narrate, unknown_placement};
use crate::digraph::Node;
use crate::effort::{Effort, Interrupted};
use crate::explain::{Against, Explanation, Onto, OptionFact, explain};
use crate::explore::digraph::{State, Unit};
use crate::explore::{Part, for_searches};
use crate::labelling::Label;
use crate::nimbers::{NimberSet, Nimbers};
use crate::outcome::Outcome;
use crate::ruleset::Kind;
use crate::theory::chains::ChainMove;
use crate::value::{AnyValue, Cover, Value};

/// Why a part of a component, or a component as a whole, has its value.
#[derive(Clone, Debug)]
pub struct PartExplanation {
    /// What is explained, as a node of the explanation.
    pub node: Node,
    /// The explanation.
    pub explanation: Explanation,
    names: FxHashMap<Node, String>,
}

impl PartExplanation {
    /// What a node of the explanation stands for: for an option, what the player does.
    pub fn name(&self, node: Node) -> &str {
        self.names.get(&node).map_or("?", String::as_str)
    }
}

/// What was explained so far, what it takes, and the effort that it is done under.
struct Told {
    parts: Vec<PartExplanation>,
    bytes: u64,
    effort: Effort,
}

impl Told {
    /// What an option takes without its name, with the label, the sets and the state that it has.
    const OPTION_BYTES: u64 = 2 * size_of::<OptionFact>() as u64;

    /// Whether to go on, and to hold this much more.
    fn hold(&mut self, bytes: u64) -> Result<(), Interrupted> {
        self.effort.check()?;
        self.bytes = self.bytes.saturating_add(bytes);
        self.effort.hold(self.bytes)
    }

    /// The same for a name, which is written as well.
    fn hold_name(&mut self, name: String) -> Result<String, Interrupted> {
        self.hold(2 * name.len() as u64)?;
        Ok(name)
    }
}

impl Solution {
    /// Explains the value of a component, part by part where the parts are known.
    ///
    /// # Errors
    /// When there is more to tell than the budget allows.
    pub fn explain(
        &mut self,
        placement: &Placement,
        component: usize,
    ) -> Result<Vec<PartExplanation>, AnswerError> {
        let (parts, missing) = self.explained(placement, [component]);
        missing.map_or(Ok(parts), Err)
    }

    /// Explains the values of all components, one after the other; and why there are no more explanations,
    /// if there are not.
    pub fn explain_all(
        &mut self,
        placement: &Placement,
    ) -> (Vec<PartExplanation>, Option<AnswerError>) {
        self.explained(placement, 0..placement.len())
    }

    fn explained(
        &mut self,
        placement: &Placement,
        components: impl IntoIterator<Item = usize>,
    ) -> (Vec<PartExplanation>, Option<AnswerError>) {
        let mut told = Told { parts: Vec::new(), bytes: 0, effort: self.effort.clone() };
        // Alone, so that what must be answered elsewhere does not keep it from moving.
        let alone = components.into_iter().map(|component| placement.component(component));
        let ended = { alone }.try_for_each(|alone| self.explain_alone(&alone, &mut told));
        let missing = ended.err().map(|error| match error.interrupted() {
            Some(interrupted) => AnswerError::Explaining(interrupted),
            None => error,
        });
        (told.parts, missing)
    }

    /// Explains the only component of a placement.
    fn explain_alone(&mut self, placement: &Placement, told: &mut Told) -> Result<(), AnswerError> {
        told.hold(0)?;
        let moves = placement.moves(&mut self.exploration, &told.effort)?;
        let unit = match &self.method {
            Method::Digraph(labelled) => Some(labelled.states.unit),
            Method::Parts { .. } => None,
        };
        if unit == Some(Unit::Component) {
            let part = self.by_digraph(placement, None, &moves, told)?;
            told.parts.push(part);
            return Ok(());
        }
        // The moves come place by place.
        let mut rest = moves.as_slice();
        for place in 0..placement.components[0].len() {
            let (here, others) = rest.split_at(rest.partition_point(|made| made.place <= place));
            rest = others;
            let part = match unit {
                Some(_) => self.by_digraph(placement, Some(place), here, told)?,
                None => self.by_values(placement, place, here, told)?,
            };
            told.parts.push(part);
        }
        Ok(())
    }

    /// From the labels of a digraph; the moves are those in this place, or all.
    fn by_digraph(
        &self,
        placement: &Placement,
        place: Option<usize>,
        moves: &[PlacedMove],
        told: &mut Told,
    ) -> Result<PartExplanation, AnswerError> {
        let Method::Digraph(labelled) = &self.method else {
            return Err(unknown_placement());
        };
        let Labelled { states, labelling } = labelled.as_ref();
        let state = placement.state(&self.exploration, 0, place);
        let node = states.node(&state).ok_or_else(unknown_placement)?;
        let mut explanation = explain(&states.digraph, labelling, node, &told.effort)?;
        told.hold(explanation.options.len() as u64 * Told::OPTION_BYTES)?;
        for fact in &mut explanation.options {
            // Where there are entailing moves, a carry-on move is explained as one of them.
            if let (Onto::Entailing(option), State::Again(_)) =
                (fact.onto, states.state(fact.option))
                && let &[to] = states.digraph.options(option)
            {
                fact.onto = Onto::Chain(ChainMove::Again(to));
                fact.label = Some(labelling.label(to));
            }
        }
        let mut names = FxHashMap::default();
        for made in moves {
            told.hold(0)?;
            let after = placement.state_after(&self.exploration, made, place.is_some());
            if let Some(option) = states.node(&after)
                && let Entry::Vacant(unnamed) = names.entry(option)
            {
                unnamed.insert(told.hold_name(self.option_name(placement, made))?);
            }
        }
        for fact in &explanation.options {
            let to = match fact.onto {
                Onto::Chain(ChainMove::Ordinary(to) | ChainMove::Again(to)) => Some(to),
                _ => None,
            };
            let reply = match fact.against {
                Against::Reverts { reply } => Some(reply),
                _ => None,
            };
            for node in [Some(fact.option), to, reply].into_iter().flatten() {
                if let Entry::Vacant(unnamed) = names.entry(node) {
                    let text = narrate::state(&self.exploration, states.state(node));
                    unnamed.insert(told.hold_name(text)?);
                }
            }
        }
        names.insert(node, self.place_text(placement, place));
        Ok(PartExplanation { node, explanation, names })
    }

    /// What the player does, and what it leaves.
    fn option_name(&self, placement: &Placement, made: &PlacedMove) -> String {
        let ply = narrate::ply(&self.exploration, &mut placement.clone(), made, false);
        format!("{} → {}", ply.words, ply.to)
    }

    /// A part of the only component as it stands, or all of it.
    fn place_text(&self, placement: &Placement, place: Option<usize>) -> String {
        let Some(place) = place else { return placement.text(&self.exploration, 0) };
        let alone = placement.components[0][place];
        let alone = Placement::of_part(alone);
        alone.text(&self.exploration, 0)
    }

    /// From the values of what the options leave.
    fn by_values(
        &mut self,
        placement: &Placement,
        place: usize,
        moves: &[PlacedMove],
        told: &mut Told,
    ) -> Result<PartExplanation, AnswerError> {
        let limit = most_replies(&self.effort);
        let theory = self.theory();
        let Method::Parts { values, .. } = &mut self.method else {
            return Err(unknown_placement());
        };
        let mut options: Vec<OptionFact> = Vec::new();
        let mut seen = FxHashSet::<State>::default();
        let mut chosen = Vec::new();
        for made in moves {
            told.hold(0)?;
            let state = placement.state_after(&self.exploration, made, true);
            if !seen.insert(state) {
                continue;
            }
            told.hold(Told::OPTION_BYTES)?;
            let option = options.len() as Node + 1;
            let left: Vec<Part> = self.exploration.normal(made.left_parts());
            let searches = for_searches(&self.effort);
            self.exploration.search_within(&left, &searches).map_err(AnswerError::Search)?;
            let (onto, label) = if made.kind == Kind::Entailing {
                let cover = Cover::Heaps(values.cover(
                    &mut self.exploration,
                    &left,
                    limit,
                    &self.effort,
                )?);
                (Onto::Entailing(option), Label::Gray(Some(cover)))
            } else {
                let value = Label::White(values.total(&self.exploration, &left));
                let onto = match made.kind {
                    Kind::Again => ChainMove::Again(option),
                    _ => ChainMove::Ordinary(option),
                };
                (Onto::Chain(onto), value)
            };
            let wins = wins(made.kind, &label);
            let fact =
                OptionFact { option, onto, label: Some(label), wins, against: Against::NoHeap };
            options.push(fact);
            chosen.push(made);
        }
        let part = placement.components[0][place].part;
        let wins = NimberSet::union_of(options.iter().map(|fact| &fact.wins));
        let label = if placement.due.is_some() && placement.is_movable(0, place) {
            Label::Gray(Some(Cover::Heaps(wins.clone().complement())))
        } else {
            Label::White(values.value(&self.exploration, part))
        };
        let mut names = FxHashMap::default();
        names.insert(0, self.place_text(placement, Some(place)));
        for (fact, made) in options.iter().zip(&chosen) {
            names.insert(fact.option, told.hold_name(self.option_name(placement, made))?);
        }
        if let Some(mex) = wins.mex() {
            for fact in &mut options {
                fact.against = against(fact, mex);
            }
        }
        let (direct, forced) = reached(&options);
        let explanation = Explanation { theory, label, options, wins, direct, forced };
        Ok(PartExplanation { node: 0, explanation, names })
    }
}

/// The nim-heaps beside which a move of this kind wins.
fn wins(kind: Kind, label: &Label) -> NimberSet {
    match (kind, label) {
        (_, Label::Gray(Some(Cover::Heaps(set)))) => set.clone(),
        (Kind::Ordinary, Label::White(value)) => NimberSet::only(value.nimber()),
        (Kind::Again, Label::White(AnyValue::Entailing(value))) => {
            NimberSet::all_except(AnyValue::Entailing(*value).nimber())
        }
        (Kind::Again, Label::White(AnyValue::CarryOn(value))) => value.wins_beside(),
        _ => NimberSet::nothing(),
    }
}

/// What becomes of a move beside the heap of the mex.
fn against(fact: &OptionFact, mex: u64) -> Against {
    let Some(Label::White(value)) = &fact.label else { return Against::Loses };
    let beside = match value {
        AnyValue::CarryOn(value) => (value + &Value::Nimber(mex)).outcome(),
        _ => Outcome::N,
    };
    match (fact.onto, beside) {
        (Onto::Chain(ChainMove::Again(_)), _) if value.nimber() == Some(mex) => Against::Same,
        (_, Outcome::D) => Against::Holds,
        _ => Against::Loses,
    }
}

/// The numbers that the mover can move to and those the opponent can be made to move to, as far
/// as the values of the options tell.
fn reached(options: &[OptionFact]) -> (Nimbers, Nimbers) {
    let (mut direct, mut forced) = (Vec::new(), Vec::new());
    for fact in options {
        let Some(Label::White(value)) = &fact.label else { continue };
        match (fact.onto, value) {
            (Onto::Chain(ChainMove::Ordinary(_)), value) => direct.extend(value.nimber()),
            (_, AnyValue::CarryOn(Value::Nimber(n) | Value::Ninny(n))) => forced.push(*n),
            (_, AnyValue::CarryOn(Value::Moon(set))) => forced.extend(set.iter()),
            (_, AnyValue::CarryOn(Value::Cyclic(exits))) => direct.extend(exits.iter()),
            _ => {}
        }
    }
    (direct.into_iter().collect(), forced.into_iter().collect())
}
