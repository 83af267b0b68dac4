//! `nimoon value` for sums with partizan positions, also in a session.

use nimoon::Work;
use nimoon::ruleset::ImpartialError;
use nimoon::solve::partizan::PartizanSolution;
use nimoon_session::expression::MixedExpression;
use nimoon_session::report::{Missing, PartizanSumReport};

use crate::args::{AnswerFormat, ValueArgs};
use crate::commands::value::note_turn;
use crate::expressions::Text;
use crate::failure::Failure;
use crate::limits::{self, LimitNames, OPTIONS, over_budget};
use crate::output::{print_answer_text, print_json};

pub(crate) fn run(
    args: &ValueArgs,
    text: &Text,
    expression: MixedExpression,
) -> Result<(), Failure> {
    let only_impartial = [
        ("--theory", args.theory.theory().is_some()),
        ("--explain", args.explain),
        ("--turns", args.turns),
    ];
    if let Some((option, _)) = only_impartial.into_iter().find(|(_, is_given)| *is_given) {
        let message =
            format!("{option} works only for sums of impartial games, and this sum is partizan");
        return Err(Failure::input(message));
    }
    let wrong = |at, message: &str| text.wrong(at, message);
    let mut solution = solution(expression, &args.theory.limits.work(), OPTIONS, wrong)?;
    let (report, missing) = PartizanSumReport::new(&mut solution);
    match args.format {
        AnswerFormat::Table => print_answer_text(&report.text())?,
        AnswerFormat::Json => print_json(&report)?,
    }
    match missing {
        Some(Missing::Answer(interrupted)) => Err(over_budget(interrupted)),
        Some(Missing::Turn(interrupted)) => {
            note_turn(&over_budget(interrupted).into_message());
            Ok(())
        }
        None => Ok(()),
    }
}

/// The sum of an expression. `names` are the names of the limits; `wrong` makes an error from a
/// place and a message.
pub(crate) fn solution(
    expression: MixedExpression,
    work: &Work,
    names: LimitNames,
    wrong: impl Fn(usize, &str) -> Failure,
) -> Result<PartizanSolution, Failure> {
    expression.solution(work).map_err(|(at, error)| match error {
        ImpartialError::Interrupted { interrupted, .. } => {
            limits::interrupted(interrupted, error, names)
        }
        ImpartialError::Rules(message) => Failure::of_lines(&message),
        ImpartialError::Limit(message) => Failure::limit(&message),
        _ => wrong(at, &error.to_string()),
    })
}
