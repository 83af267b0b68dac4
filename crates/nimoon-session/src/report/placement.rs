//! The answers for sums, found out from what was solved.

use std::collections::HashMap;

use nimoon::impartial::turn::{best_turns, solve};
use nimoon::solve::solution::{AnswerError, Placement, Solution};
use nimoon::{
    Answer, Guide, Interrupted, Label, Labelling, Node, Outcome, Sum, SumError, Turn, Work,
};

use super::answer::{ComponentReport, SumReport, TreeReport, TurnList, TurnReport};
use super::explanation::ExplanationReport;
use nimoon_formats::Game;

/// What a report does not say, with the reason.
///
/// A report is asked for values, outcome and, if there is a limit for them, the winning turns. A
/// turn to play comes with the outcome: an answer without it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing<E> {
    /// Something that was asked for.
    Answer(E),
    /// Nothing but the turn to play, because a budget was hit.
    Turn(E),
}

impl<E> Missing<E> {
    /// The reason, whatever is missing.
    pub fn into_reason(self) -> E {
        match self {
            Self::Answer(reason) | Self::Turn(reason) => reason,
        }
    }

    /// The reason why something is missing that was asked for.
    pub fn into_lack(self) -> Option<E> {
        match self {
            Self::Answer(reason) => Some(reason),
            Self::Turn(_) => None,
        }
    }
}

/// An answer about pieces on nodes: the report, the answer of the search, and what is missing.
pub type NodesAnswer = (SumReport, Option<Answer>, Option<Missing<Interrupted>>);

/// What is missing from the requested results, or a turn. A reason other than a limit concerns a
/// requested result.
pub(super) fn missing<E>(
    asked: Option<E>,
    turn: Option<E>,
    is_budget: impl Fn(&E) -> bool,
) -> Option<Missing<E>> {
    match (asked, turn) {
        (None, Some(reason)) if is_budget(&reason) => Some(Missing::Turn(reason)),
        (asked, turn) => asked.or(turn).map(Missing::Answer),
    }
}

impl SumReport {
    /// Everything about a placement, with the winning turns up to a limit if there is one; and what
    /// of it is not known.
    pub fn of_placement(
        solution: &mut Solution,
        placement: &Placement,
        turns: Option<usize>,
    ) -> (Self, Option<Missing<AnswerError>>) {
        // Equal components are solved once.
        let mut known: HashMap<Placement, ComponentReport> = HashMap::new();
        let components = (0..placement.len()).map(|component| {
            let report = known.entry(placement.component(component));
            let found = || ComponentReport::of_placement(solution, placement, component);
            report.or_insert_with(found).clone()
        });
        let components = components.collect();
        let outcome = solution.outcome(placement);
        let answer = solution.answer(placement);
        let turns = turns.map(|limit| solution.best_turns(placement, limit));
        let listed = turns.as_ref().and_then(|turns| turns.as_ref().ok()).map(|list| {
            let turns = list.turns.iter().cloned();
            let turns = turns.map(|turn| TurnReport::of_positions(turn, None)).collect();
            TurnList { turns, truncated: list.truncated }
        });
        let report = Self {
            theory: Some(solution.theory()),
            complete: solution.is_complete(),
            components,
            value: solution.value(placement),
            outcome: outcome.as_ref().ok().copied(),
            turn: answer.as_ref().ok().and_then(|answer| {
                let turn = TurnReport::of_positions(answer.turn.clone()?, Some(answer.guide));
                Some(turn.with_tree(answer.tree.clone().map(TreeReport::from)))
            }),
            turns: listed,
        };
        let asked = outcome.err().or(turns.and_then(Result::err));
        (report, missing(asked, answer.err(), AnswerError::is_budget))
    }

    /// Everything about pieces on nodes of a digraph, with the winning turns up to a limit if there
    /// is one; beside it the answer of the search, and what kept some of this from being found.
    ///
    /// # Errors
    /// When two pieces stand on gray nodes.
    pub fn of_nodes(
        game: &Game,
        labelling: &Labelling,
        nodes: Vec<Node>,
        work: &Work,
        turns: Option<usize>,
    ) -> Result<NodesAnswer, SumError> {
        let sum = Sum::new(&game.digraph, labelling, nodes)?;
        let answer = solve(&sum, work);
        let turns = turns.map(|limit| best_turns(&sum, work, limit));
        let named = |turn: &Turn, guide: Option<Guide>| {
            TurnReport::of_nodes(turn, |node| game.names.name(node).into_owned(), guide)
        };
        let mut asked = turns.as_ref().and_then(|turns| turns.as_ref().err().copied());
        // Without an algebra, equal pieces are solved once.
        let mut alone: HashMap<Node, Option<Outcome>> = HashMap::new();
        let components = sum.pieces().iter().map(|&node| {
            let outcome = labelling.outcome(node).or_else(|| {
                *alone.entry(node).or_insert_with(|| {
                    let alone = Sum::new(&game.digraph, labelling, vec![node]).ok()?;
                    alone.outcome().or_else(|| match solve(&alone, work) {
                        Ok(answer) => Some(answer.outcome),
                        Err(interrupted) => {
                            asked.get_or_insert(interrupted);
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
            value: sum.value_within(work).ok().flatten(),
            outcome: match &answer {
                Ok(answer) => Some(answer.outcome),
                Err(_) => sum.outcome_within(work).ok().flatten(),
            },
            turn: answer.as_ref().ok().and_then(|answer| {
                let name = |node| game.names.name(node).into_owned();
                let tree = answer.tree.as_ref().map(|tree| TreeReport::of_nodes(tree, &name));
                answer.turn.as_ref().map(|turn| named(turn, Some(answer.guide)).with_tree(tree))
            }),
            turns: turns.and_then(Result::ok).map(|turns| {
                let listed = turns.turns.iter().map(|turn| named(turn, None)).collect();
                TurnList { turns: listed, truncated: turns.truncated }
            }),
        };
        let searched = answer.as_ref().err().copied();
        let asked = asked.or(searched.filter(|_| report.outcome.is_none()));
        let missing = missing(asked, searched, |interrupted| interrupted.limit().is_some());
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

impl ExplanationReport {
    /// The explanations of the components of a placement, as far as the budget goes; and what ended
    /// them before the last one.
    pub fn of_placement(
        solution: &mut Solution,
        placement: &Placement,
    ) -> (Vec<Self>, Option<AnswerError>) {
        let (parts, missing) = solution.explain_all(placement);
        (parts.iter().map(Self::of_position).collect(), missing)
    }
}
