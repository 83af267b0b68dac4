//! `nimoon value`.

use nimoon::solution::{AnswerError, Solution};
use nimoon::{Budget, Fault};
use nimoon_formats::write::{ComponentReport, PartReport, SumReport};
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
    let turns = args.turns.then_some(args.limit);
    let (report, missing) = SumReport::of_placement(&mut solution, &start, turns);
    let explanations =
        if args.explain { PartReport::of_placement(&mut solution, &start) } else { Ok(vec![]) };
    let told = explanations.as_deref().unwrap_or(&[]);
    match args.format {
        AnswerFormat::Table if told.is_empty() => print_text(&report.text())?,
        AnswerFormat::Table => {
            print_text(&format!("{}\n{}", report.text(), explanations_text(told)))?;
        }
        AnswerFormat::Json => {
            print_json(&JsonAnswer { report: &report, explanations: args.explain.then_some(told) })?
        }
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
            ComponentReport::of_placement(&mut known, &start, 0)
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

/// Explanations one after the other, in words.
pub(crate) fn explanations_text(explanations: &[PartReport]) -> String {
    explanations.iter().map(PartReport::text).collect::<Vec<_>>().join("\n")
}

/// What to tell about an answer that is not known, and about a budget.
pub(crate) fn failure(error: &AnswerError, raise: &str) -> Failure {
    match error {
        AnswerError::OverBudget(_) | AnswerError::Fault(Fault::TooMany { .. }) => {
            Failure::Budget { message: format!("{error}; {raise}") }
        }
        AnswerError::TurnTooLong { .. } => Failure::Budget { message: error.to_string() },
        AnswerError::Fault(Fault::Rules(message)) => Failure::of_lines(message),
    }
}

#[derive(Serialize)]
struct JsonAnswer<'a> {
    #[serde(flatten)]
    report: &'a SumReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanations: Option<&'a [PartReport]>,
}
