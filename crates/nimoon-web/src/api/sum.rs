//! Sums of positions: `value` and `turns`.

use nimoon::Guide;
use nimoon::loopy::PartizanSolution;
use nimoon::ruleset::ImpartialError;
use nimoon::solution::Solution;
use nimoon_formats::write::{PartizanSumReport, SumReport};
use nimoon_rulesets::expression::{AnyExpression, Expression};
use serde::Deserialize;

use super::library::Given;
use super::request::{Chosen, TurnLimit};
use crate::failure::Failure;
use crate::work::{Allowance, Answer};

/// Asks about a sum.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    /// Positions as `ruleset:position`, joined by `+`.
    pub(super) expression: String,
    #[serde(default)]
    pub(super) theory: Chosen,
    #[serde(default)]
    pub(super) given: Given,
}

/// Asks about a sum and its winning turns.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TurnsRequest {
    /// Positions as `ruleset:position`, joined by `+`.
    expression: String,
    #[serde(default)]
    theory: Chosen,
    #[serde(default)]
    given: Given,
    /// The most turns to list.
    #[serde(default)]
    limit: TurnLimit,
}

pub(super) fn value(asked: &Request, allowance: &Allowance) -> Result<Answer, Failure> {
    match read(&asked.expression, &asked.given, allowance)? {
        AnyExpression::Impartial(expression) => {
            let mut solution = solution(expression, asked.theory, allowance)?;
            let start = solution.start().clone();
            let (report, missing) = SumReport::of_placement(&mut solution, &start, None);
            let missing = missing.map(|error| error.to_string());
            let answer = Answer::json(&report)?.by(guide(&report));
            Ok(answer.short_of(missing.or_else(|| cut_short(&solution))))
        }
        AnyExpression::Mixed(expression) => {
            if asked.theory.0.is_some() {
                return Err(only_impartial("a theory"));
            }
            let solved = expression.solution(allowance.effort());
            let mut solution: PartizanSolution = solved.map_err(|(at, error)| match error {
                ImpartialError::Interrupted { interrupted, .. } => {
                    Failure::interrupted(interrupted, &error)
                }
                ImpartialError::Rules(message) => Failure::input(message),
                ImpartialError::Move { .. } => {
                    Failure::at(&asked.expression, at, error.to_string())
                }
            })?;
            let (report, interrupted) = PartizanSumReport::new(&mut solution);
            Ok(Answer::json(&report)?.short_of(interrupted.map(|error| error.to_string())))
        }
    }
}

pub(super) fn turns(asked: &TurnsRequest, allowance: &Allowance) -> Result<Answer, Failure> {
    let AnyExpression::Impartial(expression) = read(&asked.expression, &asked.given, allowance)?
    else {
        return Err(only_impartial("turns"));
    };
    let mut solution = solution(expression, asked.theory, allowance)?;
    let start = solution.start().clone();
    let (report, missing) = SumReport::of_placement(&mut solution, &start, Some(asked.limit.0));
    let missing = missing.map(|error| error.to_string());
    let answer = Answer::json(&report)?.by(guide(&report));
    Ok(answer.short_of(missing.or_else(|| cut_short(&solution))))
}

/// What the turn of an answer was chosen by.
pub(super) fn guide(report: &SumReport) -> Option<Guide> {
    report.turn.as_ref().and_then(|turn| turn.guide)
}

fn read(expression: &str, given: &Given, allowance: &Allowance) -> Result<AnyExpression, Failure> {
    AnyExpression::read(expression, &mut given.library(allowance)?)
        .map_err(|error| Failure::expression(expression, error))
}

fn only_impartial(what: &str) -> Failure {
    Failure::input(format!(
        "there are {what} for sums of impartial games alone, and this one is partizan"
    ))
}

/// Explores and labels what an expression says.
pub(super) fn solution(
    expression: Expression,
    theory: Chosen,
    allowance: &Allowance,
) -> Result<Solution, Failure> {
    let Expression { fields, terms } = expression;
    Solution::new(fields, &terms, theory.0, allowance.effort(), &mut allowance.watch())
        .map_err(|error| Failure::solution(&error))
}

pub(super) fn cut_short(solution: &Solution) -> Option<String> {
    solution.interrupted().map(|interrupted| {
        format!("{interrupted}: the values of the components are not known beside larger nim-heaps")
    })
}
