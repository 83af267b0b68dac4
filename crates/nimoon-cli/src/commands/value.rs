//! `nimoon value`.

use std::collections::HashMap;

use nimoon::effort::Interrupted;
use nimoon::explore::Field;
use nimoon::ruleset::PositionId;
use nimoon::solution::{AnswerError, PartExplanation, Placement, Solution};
use nimoon::{Budget, Fault, Label, Outcome};
use nimoon_formats::write::{ComponentReport, ExplanationReport, SumReport, TurnReport};
use nimoon_rulesets::expression::AnyExpression;
use serde::Serialize;

use crate::args::{AnswerFormat, TheoryArgs, ValueArgs};
use crate::commands::partizan;
use crate::expressions::{Given, RAISE, Rules, Text, solution, solution_within};
use crate::failure::Failure;
use crate::output::{print_json, print_text};

pub(crate) fn run(args: &ValueArgs) -> Result<(), Failure> {
    let text = match Text::of_argument_or_lights(&args.expression, &args.rules)? {
        Given::Text(text) => text,
        Given::Lights(lights) => return lights.print(args),
    };
    let mut rules = Rules::with_store(&args.rules, &args.store)?;
    let expression = match text.read_any(&mut rules)? {
        AnyExpression::Impartial(expression) => expression,
        AnyExpression::Mixed(expression) => return partizan::run(args, &text, expression),
    };
    let mut solution = match solution(expression, &args.theory) {
        Err(over @ Failure::Budget { .. }) => {
            let known = components_alone(&text, &mut rules, &args.theory)?;
            match args.format {
                AnswerFormat::Table => print_text(&known.text())?,
                AnswerFormat::Json => print_json(&known)?,
            }
            return Err(over);
        }
        solved => solved?,
    };
    let start = solution.start().clone();
    let (report, missing) = report(&mut solution, &start, args.turns.then_some(args.limit));
    let explanations = if args.explain { explanations(&mut solution, &start) } else { Ok(vec![]) };
    let told = explanations.as_deref().unwrap_or(&[]);
    match args.format {
        AnswerFormat::Table if told.is_empty() => print_text(&report.text())?,
        AnswerFormat::Table => {
            print_text(&format!("{}\n{}", report.text(), explanations_text(told)))?;
        }
        AnswerFormat::Json => print_json(&JsonAnswer {
            report: &report,
            explanations: args.explain.then(|| told.iter().map(JsonExplanation).collect()),
        })?,
    }
    rules.flush();
    match missing.or(explanations.err()) {
        Some(error) => Err(failure(&error, RAISE)),
        None => complete(&solution, args.theory.budget, RAISE),
    }
}

/// What is known of a sum that is beyond the budget: the components that are small enough alone.
fn components_alone(
    text: &Text,
    rules: &mut Rules,
    theory: &TheoryArgs,
) -> Result<SumReport, Failure> {
    /// The whole sum has taken long enough: so few positions, and so few components one by one.
    const MOST: u64 = 100_000;
    const TRIED: usize = 64;
    let budget = Budget::new(theory.budget.min(MOST));
    let whole = text.read(rules)?;
    let written = |(field, position): (Field, PositionId)| {
        let field = &whole.fields[usize::from(field)];
        format!("{}:{}", field.name(), field.text(position))
    };
    let mut known: HashMap<(Field, PositionId), ComponentReport> = HashMap::new();
    let mut different = whole.terms.clone();
    different.sort_unstable();
    different.dedup();
    let mut tried = 0;
    for terms in different.chunk_by(|a, b| a.0 == b.0) {
        // Positions of one ruleset are looked at together, since they have followers in common.
        let joined = terms.iter().map(|&term| written(term)).collect::<Vec<_>>().join(" + ");
        let together = Text::new(&joined).read(rules)?;
        if let Ok(mut solution) = solution_within(together, theory.theory(), budget) {
            let start = solution.start().clone();
            for (component, &term) in terms.iter().enumerate() {
                known.insert(term, component_report(&mut solution, &start, component));
            }
            continue;
        }
        for &term in terms.iter().take(TRIED.saturating_sub(tried)) {
            tried += 1;
            let alone = Text::new(&written(term)).read(rules)?;
            if let Ok(mut solution) = solution_within(alone, theory.theory(), budget) {
                let start = solution.start().clone();
                known.insert(term, component_report(&mut solution, &start, 0));
            }
        }
    }
    let components = whole.terms.iter().map(|&term| {
        let unknown = || ComponentReport { position: written(term), label: None, outcome: None };
        known.get(&term).cloned().unwrap_or_else(unknown)
    });
    let components = components.collect();
    let complete = true;
    let (value, outcome, turn, turns) = (None, None, None, None);
    Ok(SumReport { theory: None, complete, components, value, outcome, turn, turns })
}

/// Complains if the values are not known beside all nim-heaps.
pub(crate) fn complete(solution: &Solution, budget: u64, raise: &str) -> Result<(), Failure> {
    if solution.is_complete() {
        return Ok(());
    }
    let message = format!(
        "the budget was hit: the outcome holds, but the values of the components are not known \
         beside larger nim-heaps; {raise} (it was {budget})"
    );
    Err(Failure::Budget { message })
}

/// Everything about a placement; and what of it is not known, and why.
pub(crate) fn report(
    solution: &mut Solution,
    placement: &Placement,
    turns: Option<usize>,
) -> (SumReport, Option<AnswerError>) {
    // Equal components are looked at once.
    let mut known: HashMap<Placement, ComponentReport> = HashMap::new();
    let components = (0..placement.len()).map(|component| {
        let alone = placement.component(component);
        let report = known.entry(alone);
        report.or_insert_with(|| component_report(solution, placement, component)).clone()
    });
    let components = components.collect();
    let outcome = solution.outcome(placement);
    let answer = solution.answer(placement);
    let turns = turns.map(|limit| solution.winning_turns(placement, limit));
    let listed = turns.as_ref().and_then(|turns| turns.as_ref().ok()).map(|list| {
        let turns = list.turns.iter().cloned();
        (turns.map(|turn| TurnReport::of_positions(turn, None)).collect(), list.truncated)
    });
    let report = SumReport {
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

fn component_report(
    solution: &mut Solution,
    placement: &Placement,
    component: usize,
) -> ComponentReport {
    let label = solution.label(placement, component);
    let outcome = match &label {
        Label::White(value) => value.outcome(),
        Label::Gray(_) => None,
    };
    let outcome = outcome.or_else(|| alone(solution, placement, component));
    let position = solution.text(placement, component);
    ComponentReport { position, label: Some(label), outcome }
}

/// Who wins a component alone.
fn alone(solution: &mut Solution, placement: &Placement, component: usize) -> Option<Outcome> {
    let alone = placement.component(component);
    solution.outcome(&alone).ok()
}

pub(crate) fn explanations(
    solution: &mut Solution,
    placement: &Placement,
) -> Result<Vec<PartExplanation>, AnswerError> {
    let mut all = Vec::new();
    for component in 0..placement.len() {
        all.extend(solution.explain(placement, component)?);
    }
    Ok(all)
}

/// Explanations one after the other, in words.
pub(crate) fn explanations_text(explanations: &[PartExplanation]) -> String {
    let texts = explanations.iter().map(|part| with_report(part, |report| report.text()));
    texts.collect::<Vec<_>>().join("\n")
}

/// Makes the report of an explanation.
fn with_report<T>(
    explanation: &PartExplanation,
    use_it: impl FnOnce(ExplanationReport<'_>) -> T,
) -> T {
    let name = |node| explanation.name(node).to_owned();
    use_it(ExplanationReport {
        node: explanation.node,
        name: &name,
        is_node: false,
        explanation: &explanation.explanation,
    })
}

/// What to tell about an answer that is not known, and about a budget.
pub(crate) fn failure(error: &AnswerError, raise: &str) -> Failure {
    match error {
        AnswerError::OverBudget(_)
        | AnswerError::Search(Interrupted::OverBudget { .. })
        | AnswerError::Fault(Fault::TooMany { .. }) => {
            Failure::Budget { message: format!("{error}; {raise}") }
        }
        AnswerError::TurnTooLong { .. } => Failure::Budget { message: error.to_string() },
        AnswerError::Search(Interrupted::Stopped) => Failure::other(error.to_string()),
        AnswerError::Fault(Fault::Rules(message)) => Failure::of_lines(message),
    }
}

#[derive(Serialize)]
struct JsonAnswer<'a> {
    #[serde(flatten)]
    report: &'a SumReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanations: Option<Vec<JsonExplanation<'a>>>,
}

struct JsonExplanation<'a>(&'a PartExplanation);

impl Serialize for JsonExplanation<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        with_report(self.0, |report| report.serialize(serializer))
    }
}
