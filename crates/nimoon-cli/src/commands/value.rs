//! `nimoon value`.

use std::borrow::Cow;
use std::time::Instant;

use nimoon::impartial::turn::solve;
use nimoon::solve::solution::Placement;
use nimoon::solve::solution::{AnswerError, Solution};
use nimoon::{Fault, Limits, Sum, Work};
use nimoon_session::certificate::LabelsCertificate;
use nimoon_session::expression::{AnyExpression, components_alone};
use nimoon_session::report::{ExplainedSum, ExplanationReport, Missing};

use crate::args::{AnswerFormat, ValueArgs};
use crate::certificates;
use crate::commands::{partizan, sum};
use crate::expressions::{Given, Rules, Text, solution, solution_within};
use crate::failure::Failure;
use crate::limits::{self, LimitNames, OPTIONS};
use crate::output::{note, or_unknown, print_answer_text, print_json};

pub(crate) fn run(args: &ValueArgs) -> Result<(), Failure> {
    or_unknown(answer(args), args.format == AnswerFormat::Json, &sum::unknown())
}

fn answer(args: &ValueArgs) -> Result<(), Failure> {
    let work = args.theory.limits.work();
    let text = match Text::of_argument_or_lights(&args.expression, &args.rules, &work)? {
        Given::Text(text) => text,
        Given::Lights(lights) => {
            args.certificate.refuse("a fixture of lights of this length")?;
            return lights.print(args);
        }
    };
    let mut rules = Rules::with_store(&args.rules, &args.store, &work)?;
    let expression = match text.read_any(&mut rules)? {
        AnyExpression::Impartial(expression) => expression,
        AnyExpression::Mixed(expression) => {
            args.certificate.refuse("sums of partizan positions")?;
            return partizan::run(args, &text, expression);
        }
    };
    let mut solution = match solution(expression, &args.theory, &chosen(args)) {
        Err(over @ (Failure::Budget { .. } | Failure::Limit { .. })) => {
            // The time may have run out, so listing the components gets the same time again.
            let work = args.theory.limits.work();
            rules.read_within(&work.clone().since(Instant::now()));
            let solve =
                &mut |sum, share: &Work| solution_within(sum, args.theory.theory(), share).ok();
            let known = components_alone(text.as_str(), &mut rules, &work, solve);
            let Ok(known) = known else { return Err(over) };
            match args.format {
                AnswerFormat::Table => print_answer_text(&known.text())?,
                AnswerFormat::Json => print_json(&known)?,
            }
            return Err(over);
        }
        solved => solved?,
    };
    let start = solution.start().clone();
    if args.certificate.is_requested() && solution.is_complete() {
        certify(args, &rules, &solution, &start)?;
    }
    let turns = args.turns.then_some(args.limit);
    let (report, (missing, unexplained)) =
        ExplainedSum::new(&mut solution, &start, turns, args.explain);
    match args.format {
        AnswerFormat::Table => print_answer_text(&report.text())?,
        AnswerFormat::Json => print_json(&report)?,
    }
    rules.flush();
    if let Some(Missing::Turn(error)) = &missing {
        note_turn(&failure(error, OPTIONS).into_message());
    }
    match missing.and_then(Missing::into_lack).or(unexplained) {
        Some(error) => Err(failure(&error, OPTIONS)),
        None => complete(&solution, OPTIONS),
    }
}

/// What may be done, and how the turn is chosen. A certificate lists all positions, so more of them are
/// explored where a theorem knows the values.
fn chosen(args: &ValueArgs) -> Work {
    const LISTED: u64 = 100_000;
    let work = args.turn.within(&args.theory.limits.work());
    let limits = work.limits();
    let turn = if args.certificate.is_requested() { limits.turn.max(LISTED) } else { limits.turn };
    work.child(Limits { turn, ..limits })
}

/// Says why an answer has no turn.
pub(crate) fn note_turn(reason: &str) {
    note(&format!("the turn is not listed: {reason}"));
}

/// Writes a certificate for a sum whose positions are explored in full.
fn certify(
    args: &ValueArgs,
    rules: &Rules,
    solution: &Solution,
    start: &Placement,
) -> Result<(), Failure> {
    let Some(found) = solution.placement_digraph(start) else {
        return Err(certificates::none(
            "values found by a theorem, a search or components, without a list of all positions; \
             try a smaller position, or `nimoon table` for heaps",
        ));
    };
    let sum = Sum::new(found.digraph, found.labelling, found.pieces.clone())
        .map_err(|error| Failure::other(error.to_string()))?;
    let work = chosen(args);
    let answer = solve(&sum, &work).map_err(limits::over_budget)?;
    let (scripts, rulesets): (Vec<String>, Vec<String>) =
        found.rulesets.into_iter().partition(|name| rules.about(name).is_some());
    let certificate = LabelsCertificate::new(found.digraph, found.labelling, &work)
        .and_then(|labels| labels.with_sum(&sum, answer.outcome, answer.turn, &work))
        .map_err(certificates::failure)?
        .with_rules(&rulesets, &scripts);
    let name = |node: u32| Cow::Borrowed(found.names[node as usize].as_str());
    args.certificate.save(|out| certificate.write(name, out))
}

/// Returns an error if the values are not known beside all nim-heaps.
pub(crate) fn complete(solution: &Solution, names: LimitNames) -> Result<(), Failure> {
    solution.interrupted().map_or(Ok(()), |interrupted| {
        let message = format!("{interrupted}: {VALUES_UNKNOWN}");
        Err(limits::interrupted(interrupted, message, names))
    })
}

/// The message if a search found the outcome, and labelling was interrupted.
pub(crate) const VALUES_UNKNOWN: &str = "the outcome holds, but the values of the components are \
                                         not known beside larger nim-heaps";

/// The explanations in words, one after the other.
pub(crate) fn explanations_text(explanations: &[ExplanationReport]) -> String {
    explanations.iter().map(ExplanationReport::text).collect::<Vec<_>>().join("\n")
}

/// The failure for an unknown answer, or for a limit.
pub(crate) fn failure(error: &AnswerError, names: LimitNames) -> Failure {
    match error {
        AnswerError::Interrupted(interrupted)
        | AnswerError::Search(interrupted)
        | AnswerError::Explaining(interrupted)
        | AnswerError::Fault(Fault::Interrupted(interrupted)) => {
            limits::interrupted(*interrupted, error, names)
        }
        AnswerError::Fault(Fault::TooMany { .. }) => {
            Failure::Budget { message: format!("{error}; raise it with {}", names[0]) }
        }
        AnswerError::Fault(Fault::Limit(message)) => Failure::limit(message),
        AnswerError::Fault(Fault::Rules(message)) => Failure::of_lines(message),
        _ => Failure::Budget { message: error.to_string() },
    }
}
