//! `nimoon value`.

use std::borrow::Cow;
use std::collections::HashMap;

use nimoon::effort::Interrupted;
use nimoon::explore::Field;
use nimoon::ruleset::PositionId;
use nimoon::solution::Placement;
use nimoon::solution::{AnswerError, Solution};
use nimoon::turn::solve;
use nimoon::{Budget, Fault, Sum};
use nimoon_formats::write::certificate::LabelsCertificate;
use nimoon_formats::write::{ComponentReport, PartReport, SumReport};
use nimoon_rulesets::expression::AnyExpression;
use serde::Serialize;

use crate::args::{AnswerFormat, TheoryArgs, ValueArgs};
use crate::certificates;
use crate::commands::partizan;
use crate::expressions::{Given, RAISE, Rules, Text, solution, solution_within};
use crate::failure::Failure;
use crate::output::{print_json, print_text};

pub(crate) fn run(args: &ValueArgs) -> Result<(), Failure> {
    let text = match Text::of_argument_or_lights(&args.expression, &args.rules)? {
        Given::Text(text) => text,
        Given::Lights(lights) => {
            args.certificate.refuse("a fixture of lights of this length")?;
            return lights.print(args);
        }
    };
    let mut rules = Rules::with_store(&args.rules, &args.store)?;
    let expression = match text.read_any(&mut rules)? {
        AnyExpression::Impartial(expression) => expression,
        AnyExpression::Mixed(expression) => {
            args.certificate.refuse("sums of partizan positions")?;
            return partizan::run(args, &text, expression);
        }
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
    if args.certificate.is_asked() && solution.is_complete() {
        certify(args, &solution, &start)?;
    }
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
            print_json(&JsonAnswer {
                report: &report,
                explanations: args.explain.then_some(told),
            })?;
        }
    }
    rules.flush();
    match missing.or(explanations.err()) {
        Some(error) => Err(failure(&error, RAISE)),
        None => complete(&solution, args.theory.budget, RAISE),
    }
}

/// Writes a certificate for a sum whose positions are explored in full.
fn certify(args: &ValueArgs, solution: &Solution, start: &Placement) -> Result<(), Failure> {
    let Some(found) = solution.placement_digraph(start) else {
        return Err(certificates::none(
            "values that rest on a theorem, a search or the parts of positions, which are too many \
             to be listed",
        ));
    };
    let sum = Sum::new(found.digraph, found.labelling, found.pieces.clone())
        .map_err(|error| Failure::other(error.to_string()))?;
    let budget = args.theory.budget();
    let answer = solve(&sum, budget)
        .map_err(|over| Failure::Budget { message: format!("{over}; {RAISE}") })?;
    let certificate = LabelsCertificate::new(found.digraph, found.labelling)
        .and_then(|labels| labels.with_sum(&sum, answer.outcome, answer.turn, budget))
        .map_err(certificates::failure)?
        .with_rules(&found.rulesets);
    let name = |node: u32| Cow::Borrowed(found.names[node as usize].as_str());
    args.certificate.save(|out| certificate.write(name, out))
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
                known.insert(term, ComponentReport::of_placement(&mut solution, &start, component));
            }
            continue;
        }
        for &term in terms.iter().take(TRIED.saturating_sub(tried)) {
            tried += 1;
            let alone = Text::new(&written(term)).read(rules)?;
            if let Ok(mut solution) = solution_within(alone, theory.theory(), budget) {
                let start = solution.start().clone();
                known.insert(term, ComponentReport::of_placement(&mut solution, &start, 0));
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

/// Explanations one after the other, in words.
pub(crate) fn explanations_text(explanations: &[PartReport]) -> String {
    explanations.iter().map(PartReport::text).collect::<Vec<_>>().join("\n")
}

/// What to tell about an answer that is not known, and about a budget.
pub(crate) fn failure(error: &AnswerError, raise: &str) -> Failure {
    match error {
        AnswerError::OverBudget(_)
        | AnswerError::Search(Interrupted::OverBudget { .. })
        | AnswerError::Fault(Fault::TooMany { .. }) => {
            Failure::Budget { message: format!("{error}; {raise}") }
        }
        AnswerError::TurnTooLong { .. } | AnswerError::Unknown { .. } => {
            Failure::Budget { message: error.to_string() }
        }
        AnswerError::Search(Interrupted::Stopped) => Failure::other(error.to_string()),
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
