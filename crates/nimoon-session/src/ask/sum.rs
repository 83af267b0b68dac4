//! Sums of positions: `value` and `turns`.

use crate::expression::{AnyExpression, Expression};
use crate::report::{Missing, PartizanSumReport, SumReport};
use nimoon::Guide;
use nimoon::solve::partizan::PartizanSolution;
use nimoon::solve::solution::{AnswerError, Solution};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::library::Given;
use crate::request::{Chosen, ChosenTurn, TurnLimit};
use crate::{Answer, Error, Session, Work};

/// Asks about a sum.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Positions as `ruleset:position`, joined by `+`.
    pub(crate) expression: String,
    /// The theory to use; `auto` takes the smallest that fits.
    #[serde(default)]
    pub(crate) theory: Chosen,
    /// The files and scripts that the expression names.
    #[serde(default)]
    pub(crate) given: Given,
    /// How the turn to play is chosen.
    #[serde(default)]
    pub(crate) turn: ChosenTurn,
}

/// Asks about a sum and its winning turns.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnsRequest {
    /// Positions as `ruleset:position`, joined by `+`.
    expression: String,
    /// The theory to use; `auto` takes the smallest that fits.
    #[serde(default)]
    theory: Chosen,
    /// The files and scripts that the expression names.
    #[serde(default)]
    given: Given,
    /// The most turns to list; default: 100.
    #[serde(default)]
    limit: TurnLimit,
    /// How the turn to play is chosen.
    #[serde(default)]
    turn: ChosenTurn,
}

impl Request {
    /// Asks about this sum, of rulesets of the catalogue.
    pub(crate) fn new(expression: &str) -> Self {
        let expression = expression.to_owned();
        let (theory, given, turn) = Default::default();
        Self { expression, theory, given, turn }
    }
}

/// The value of a sum.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ValueReport {
    /// Of impartial positions.
    Impartial(Box<SumReport>),
    /// Of positions of which some are partizan.
    Partizan(PartizanSumReport),
}

pub(crate) fn value(
    asked: &Request,
    session: &Session,
    work: &Work,
) -> Result<Answer<ValueReport>, Error> {
    let work = &asked.turn.within(work);
    match read(&asked.expression, &asked.given, session, work)? {
        AnyExpression::Impartial(expression) => {
            let mut solution = solution(expression, asked.theory, work)?;
            let start = solution.start().clone();
            let (report, missing) = SumReport::of_placement(&mut solution, &start, None);
            let guide = guide(&report);
            let answer =
                Answer::data(ValueReport::Impartial(Box::new(report))).by(guide, work.limits());
            Ok(lacking(answer, missing, &solution))
        }
        AnyExpression::Mixed(expression) => {
            if asked.theory.0.is_some() {
                return Err(only_impartial("a theory"));
            }
            let solved = expression.solution(work);
            let mut solution: PartizanSolution =
                solved.map_err(|(at, error)| Error::impartial(&asked.expression, at, &error))?;
            let (report, missing) = PartizanSumReport::new(&mut solution);
            let answer = Answer::data(ValueReport::Partizan(report));
            Ok(match missing {
                Some(Missing::Turn(error)) => answer.noting(Some(no_turn(&error))),
                Some(Missing::Answer(error)) => answer.short_of(Some(Error::limit(error))),
                None => answer,
            })
        }
    }
}

pub(crate) fn turns(
    asked: &TurnsRequest,
    session: &Session,
    work: &Work,
) -> Result<Answer<SumReport>, Error> {
    let work = &asked.turn.within(work);
    let AnyExpression::Impartial(expression) =
        read(&asked.expression, &asked.given, session, work)?
    else {
        return Err(only_impartial("turns"));
    };
    let mut solution = solution(expression, asked.theory, work)?;
    let start = solution.start().clone();
    let (report, missing) = SumReport::of_placement(&mut solution, &start, Some(asked.limit.0));
    let guide = guide(&report);
    Ok(lacking(Answer::data(report).by(guide, work.limits()), missing, &solution))
}

/// What the turn of an answer was chosen by.
pub(crate) fn guide(report: &SumReport) -> Option<Guide> {
    report.turn.as_ref().and_then(|turn| turn.guide)
}

/// Says what is missing from the answer for a sum.
fn lacking<T>(
    answer: Answer<T>,
    missing: Option<Missing<AnswerError>>,
    solution: &Solution,
) -> Answer<T> {
    match missing {
        Some(Missing::Turn(error)) => {
            answer.noting(Some(no_turn(&error))).short_of(cut_short(solution))
        }
        Some(Missing::Answer(error)) => answer.short_of(Some(Error::answer(&error))),
        None => answer.short_of(cut_short(solution)),
    }
}

/// Says why an answer has no turn.
pub(crate) fn no_turn(reason: &impl std::fmt::Display) -> String {
    format!("the turn is not listed: {reason}")
}

fn read(
    expression: &str,
    given: &Given,
    session: &Session,
    work: &Work,
) -> Result<AnyExpression, Error> {
    AnyExpression::read(expression, &mut given.library(session, work)?)
        .map_err(|error| Error::expression(expression, error))
}

pub(crate) fn only_impartial(what: &str) -> Error {
    Error::input(format!(
        "there are {what} for sums of impartial games alone, and this one is partizan"
    ))
}

/// Explores and labels what an expression says.
pub(crate) fn solution(
    expression: Expression,
    theory: Chosen,
    work: &Work,
) -> Result<Solution, Error> {
    let Expression { fields, terms } = expression;
    Solution::new(fields, &terms, theory.0, work).map_err(|error| Error::solution(&error))
}

pub(crate) fn cut_short(solution: &Solution) -> Option<Error> {
    let interrupted = solution.interrupted()?;
    let message = format!(
        "{interrupted}: the values of the components are not known beside larger nim-heaps"
    );
    Some(Error::interrupted(interrupted, &message))
}
