//! Why a component has its value, in the words of its ruleset.

use rustc_hash::{FxHashMap, FxHashSet};

use super::placement::{PlacedMove, Placement};
use super::{AnswerError, Labelled, Method, Solution, most_replies, narrate, unknown_placement};
use crate::digraph::Node;
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

impl Solution {
    /// Explains the value of a component, part by part where the parts are known.
    ///
    /// # Errors
    /// When a position has more options than the budget allows.
    pub fn explain(
        &mut self,
        placement: &Placement,
        component: usize,
    ) -> Result<Vec<PartExplanation>, AnswerError> {
        // Alone, so that what must be answered elsewhere does not keep it from moving.
        let placement = &placement.component(component);
        let component = 0;
        let moves = placement.moves(&mut self.exploration, &self.effort)?;
        let unit = match &self.method {
            Method::Digraph(labelled) => Some(labelled.states.unit),
            Method::Parts { .. } => None,
        };
        let places: Vec<usize> = (0..placement.components[component].len()).collect();
        match unit {
            Some(Unit::Component) => Ok(vec![self.by_digraph(placement, component, None, &moves)?]),
            Some(Unit::Part) => places
                .into_iter()
                .map(|place| self.by_digraph(placement, component, Some(place), &moves))
                .collect(),
            None => places
                .into_iter()
                .map(|place| self.by_values(placement, component, place, &moves))
                .collect(),
        }
    }

    fn by_digraph(
        &self,
        placement: &Placement,
        component: usize,
        place: Option<usize>,
        moves: &[PlacedMove],
    ) -> Result<PartExplanation, AnswerError> {
        let Method::Digraph(labelled) = &self.method else {
            return Err(unknown_placement());
        };
        let Labelled { states, labelling } = labelled.as_ref();
        let state = placement.state(&self.exploration, component, place);
        let node = states.node(&state).ok_or_else(unknown_placement)?;
        let mut explanation = explain(&states.digraph, labelling, node, &self.effort)?;
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
        for made in moves.iter().filter(|made| place.is_none_or(|place| place == made.place)) {
            let after = placement.state_after(&self.exploration, made, place.is_some());
            if let Some(option) = states.node(&after) {
                names.entry(option).or_insert_with(|| self.option_name(placement, made));
            }
        }
        let mut name = |node: Node| {
            let text = || narrate::state(&self.exploration, states.state(node));
            names.entry(node).or_insert_with(text);
        };
        for fact in &explanation.options {
            name(fact.option);
            if let Onto::Chain(ChainMove::Ordinary(to) | ChainMove::Again(to)) = fact.onto {
                name(to);
            }
            if let Against::Reverts { reply } = fact.against {
                name(reply);
            }
        }
        names.insert(node, self.place_text(placement, component, place));
        Ok(PartExplanation { node, explanation, names })
    }

    /// What the player does, and what it leaves.
    fn option_name(&self, placement: &Placement, made: &PlacedMove) -> String {
        let ply = narrate::ply(&self.exploration, &mut placement.clone(), made, false);
        format!("{} → {}", ply.words, ply.to)
    }

    /// A part of a component as it stands, or all of it.
    fn place_text(&self, placement: &Placement, component: usize, place: Option<usize>) -> String {
        let Some(place) = place else { return placement.text(&self.exploration, component) };
        let alone = placement.components[component][place];
        let alone = Placement::of_part(alone);
        alone.text(&self.exploration, 0)
    }

    /// From the values of what the options leave.
    fn by_values(
        &mut self,
        placement: &Placement,
        component: usize,
        place: usize,
        moves: &[PlacedMove],
    ) -> Result<PartExplanation, AnswerError> {
        let limit = most_replies(&self.effort);
        let theory = self.theory();
        let Method::Parts { values, .. } = &mut self.method else {
            return Err(unknown_placement());
        };
        let mut options: Vec<OptionFact> = Vec::new();
        let mut seen = FxHashSet::<State>::default();
        let mut chosen = Vec::new();
        for made in moves.iter().filter(|made| made.place == place) {
            let state = placement.state_after(&self.exploration, made, true);
            if !seen.insert(state) {
                continue;
            }
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
        let part = placement.components[component][place].part;
        let wins = options.iter().fold(NimberSet::nothing(), |all, fact| all.union(&fact.wins));
        let label = if placement.due.is_some() && placement.is_movable(component, place) {
            Label::Gray(Some(Cover::Heaps(wins.clone().complement())))
        } else {
            Label::White(values.value(&self.exploration, part))
        };
        let mut names = FxHashMap::default();
        names.insert(0, self.place_text(placement, component, Some(place)));
        for (fact, made) in options.iter().zip(&chosen) {
            names.insert(fact.option, self.option_name(placement, made));
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
