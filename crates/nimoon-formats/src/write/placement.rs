//! The answers for sums, found out from what was solved.

use std::collections::HashMap;

use nimoon::solution::{AnswerError, PartExplanation, Placement, Solution};
use nimoon::turn::{solve, winning_turns};
use nimoon::{
    Answer, Effort, Guide, Interrupted, Label, Labelling, Node, Outcome, Sum, SumError, Turn,
};
use serde::{Serialize, Serializer};

use super::answer::{ComponentReport, SumReport, TurnReport};
use super::explanation::ExplanationReport;
use crate::Game;

impl SumReport {
    /// Everything about a placement, with the winning turns up to a limit if there is one; and what of
    /// it is not known, and why.
    pub fn of_placement(
        solution: &mut Solution,
        placement: &Placement,
        turns: Option<usize>,
    ) -> (Self, Option<AnswerError>) {
        // Equal components are looked at once.
        let mut known: HashMap<Placement, ComponentReport> = HashMap::new();
        let components = (0..placement.len()).map(|component| {
            let report = known.entry(placement.component(component));
            let found = || ComponentReport::of_placement(solution, placement, component);
            report.or_insert_with(found).clone()
        });
        let components = components.collect();
        let outcome = solution.outcome(placement);
        let answer = solution.answer(placement);
        let turns = turns.map(|limit| solution.winning_turns(placement, limit));
        let listed = turns.as_ref().and_then(|turns| turns.as_ref().ok()).map(|list| {
            let turns = list.turns.iter().cloned();
            (turns.map(|turn| TurnReport::of_positions(turn, None)).collect(), list.truncated)
        });
        let report = Self {
            theory: Some(solution.theory()),
            complete: solution.is_complete(),
            components,
            value: solution.value(placement),
            outcome: outcome.as_ref().ok().copied(),
            turn: answer.as_ref().ok().and_then(|answer| {
                let turn = answer.turn.clone()?;
                Some(TurnReport::of_positions(turn, Some(answer.guide)))
            }),
            turns: listed,
        };
        (report, outcome.err().or(answer.err()).or(turns.and_then(Result::err)))
    }

    /// Everything about pieces on nodes of a digraph, with the winning turns up to a limit if there is one;
    /// beside it the answer of the search, and what kept some of this from being found.
    ///
    /// # Errors
    /// When two pieces stand on gray nodes.
    pub fn of_nodes(
        game: &Game,
        labelling: &Labelling,
        nodes: Vec<Node>,
        effort: &Effort,
        turns: Option<usize>,
    ) -> Result<(Self, Option<Answer>, Option<Interrupted>), SumError> {
        let sum = Sum::new(&game.digraph, labelling, nodes)?;
        let answer = solve(&sum, effort);
        let turns = turns.map(|limit| winning_turns(&sum, effort, limit));
        let named = |turn: &Turn, guide: Option<Guide>| {
            TurnReport::of_nodes(turn, |node| game.names.name(node).into_owned(), guide)
        };
        let mut missing = turns.as_ref().and_then(|turns| turns.as_ref().err().copied());
        // Where no algebra tells it, equal pieces are looked at once.
        let mut alone: HashMap<Node, Option<Outcome>> = HashMap::new();
        let components = sum.pieces().iter().map(|&node| {
            let outcome = labelling.outcome(node).or_else(|| {
                *alone.entry(node).or_insert_with(|| {
                    let alone = Sum::new(&game.digraph, labelling, vec![node]).ok()?;
                    alone.outcome().or_else(|| match solve(&alone, effort) {
                        Ok(answer) => Some(answer.outcome),
                        Err(interrupted) => {
                            missing.get_or_insert(interrupted);
                            None
                        }
                    })
                })
            });
            let position = game.names.name(node).into_owned();
            ComponentReport { position, label: Some(labelling.label(node)), outcome }
        });
        let report = Self {
            theory: Some(labelling.theory()),
            complete: labelling.is_complete(),
            components: components.collect(),
            value: sum.value(),
            outcome: answer.as_ref().map_or_else(|_| sum.outcome(), |answer| Some(answer.outcome)),
            turn: answer.as_ref().ok().and_then(|answer| {
                answer.turn.as_ref().map(|turn| named(turn, Some(answer.guide)))
            }),
            turns: turns.and_then(Result::ok).map(|turns| {
                let listed = turns.turns.iter().map(|turn| named(turn, None)).collect();
                (listed, turns.truncated)
            }),
        };
        let missing = answer.as_ref().err().copied().or(missing);
        Ok((report, answer.ok(), missing))
    }
}

impl ComponentReport {
    /// What there is to say about a component of a placement.
    pub fn of_placement(solution: &mut Solution, placement: &Placement, component: usize) -> Self {
        let label = solution.label(placement, component);
        let outcome = match &label {
            Label::White(value) => value.outcome(),
            Label::Gray(_) => None,
        };
        let outcome = outcome.or_else(|| alone(solution, placement, component));
        let position = solution.text(placement, component);
        Self { position, label: Some(label), outcome }
    }
}

/// Who wins a component alone.
fn alone(solution: &mut Solution, placement: &Placement, component: usize) -> Option<Outcome> {
    let alone = placement.component(component);
    solution.outcome(&alone).ok()
}

/// Why a part of a component has its value, ready to be written.
#[derive(Clone, Debug)]
pub struct PartReport(pub PartExplanation);

impl PartReport {
    /// The explanations of the components of a placement, as far as the budget goes; and what ended them
    /// before the last one.
    pub fn of_placement(
        solution: &mut Solution,
        placement: &Placement,
    ) -> (Vec<Self>, Option<AnswerError>) {
        let (parts, missing) = solution.explain_all(placement);
        (parts.into_iter().map(Self).collect(), missing)
    }

    /// The explanation in words.
    pub fn text(&self) -> String {
        self.with(|report| report.text())
    }

    fn with<T>(&self, use_it: impl FnOnce(ExplanationReport<'_>) -> T) -> T {
        let Self(part) = self;
        let name = |node| part.name(node).to_owned();
        use_it(ExplanationReport {
            node: part.node,
            name: &name,
            is_node: false,
            explanation: &part.explanation,
        })
    }
}

impl Serialize for PartReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.with(|report| report.serialize(serializer))
    }
}
