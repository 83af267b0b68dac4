//! `nimoon value`.

use nimoon::effort::Interrupted;
use nimoon::solution::{AnswerError, PartExplanation, Placement, Solution};
use nimoon::{Budget, Fault, Label, Outcome};
use nimoon_formats::write::{ComponentReport, ExplanationReport, SumReport, TurnReport};
use nimoon_rulesets::expression::AnyExpression;
use serde::Serialize;

use crate::args::{AnswerFormat, TheoryArgs, ValueArgs};
use crate::commands::partizan;
use crate::expressions::{RAISE, Rules, Text, solution, solution_within};
use crate::failure::Failure;
use crate::output::{print_json, print_text};

pub(crate) fn run(args: &ValueArgs) -> Result<(), Failure> {
    let text = Text::of_argument(&args.expression)?;
    let mut rules = Rules::new(&args.rules)?;
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
    /// The whole sum has taken long enough: so few positions, and so few components.
    const MOST: u64 = 100_000;
    const TRIED: usize = 64;
    let budget = Budget::new(theory.budget.min(MOST));
    let whole = text.read(rules)?;
    let mut components = Vec::new();
    for (i, &(field, position)) in whole.terms.iter().enumerate() {
        let mut known = None;
        if i < TRIED {
            let mut alone = text.read(rules)?;
            alone.terms = vec![alone.terms[i]];
            known = solution_within(alone, theory.theory(), budget).ok();
        }
        components.push(if let Some(mut known) = known {
            let start = known.start().clone();
            component_report(&mut known, &start, 0)
        } else {
            let named = &whole.fields[usize::from(field)];
            let position = format!("{}:{}", named.name(), named.text(position));
            ComponentReport { position, label: None, outcome: None }
        });
    }
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
    let components =
        (0..placement.len()).map(|component| component_report(solution, placement, component));
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
