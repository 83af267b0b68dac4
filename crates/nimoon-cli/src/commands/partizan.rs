//! `nimoon value` for sums with positions of partizan rulesets, and the same in a session.

use nimoon::Kind;
use nimoon::loopy::{
    Interrupted, PartizanPly, PartizanSolution, PartizanTerm, PartizanTurn, Player, Sides,
};
use nimoon::ruleset::ImpartialError;
use nimoon_formats::write::{
    LoopyValue, PartizanComponentReport, PartizanOutcome, PartizanSumReport, PartizanTurnReport,
    PlyReport,
};
use nimoon_rulesets::expression::MixedExpression;

use crate::args::{AnswerFormat, ValueArgs};
use crate::commands::loopy::over_budget;
use crate::expressions::{RAISE, Text};
use crate::failure::Failure;
use crate::output::{print_json, print_text};

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
        let message = format!("{option} is for sums of impartial games, and this one is partizan");
        return Err(Failure::input(message));
    }
    let wrong = |at, message: &str| text.wrong(at, message);
    let mut solution = solution(expression, args.theory.budget, RAISE, wrong)?;
    let (report, interrupted) = report(&mut solution);
    match args.format {
        AnswerFormat::Table => print_text(&report.text())?,
        AnswerFormat::Json => print_json(&report)?,
    }
    interrupted.map_or(Ok(()), |interrupted| Err(over_budget(interrupted)))
}

/// The sum of an expression; `raise` tells how a budget is raised, `wrong` makes an error of a place and
/// a message.
pub(crate) fn solution(
    expression: MixedExpression,
    budget: u64,
    raise: &str,
    wrong: impl Fn(usize, &str) -> Failure,
) -> Result<PartizanSolution, Failure> {
    expression.solution(budget).map_err(|(at, error)| match error {
        ImpartialError::OverBudget { .. } => {
            Failure::Budget { message: format!("{error}; {raise}") }
        }
        ImpartialError::Rules(message) => Failure::of_lines(&message),
        ImpartialError::Move { .. } => wrong(at, &error.to_string()),
    })
}

/// What is known; and why not all of it is.
pub(crate) fn report(solution: &mut PartizanSolution) -> (PartizanSumReport, Option<Interrupted>) {
    let mut interrupted = None;
    let start = solution.start().to_vec();
    let mut components = Vec::new();
    for &term in &start {
        components.push(PartizanComponentReport {
            position: solution.text(term),
            value: value(solution, &[term], &mut interrupted),
            outcome: outcome(solution, &[term], &mut interrupted),
        });
    }
    let turns = Player::BOTH.map(|player| {
        let turn = known(solution.turn(&start, player), &mut interrupted)?;
        Some(turn_report(solution, &start, player, turn))
    });
    let report = PartizanSumReport {
        components,
        value: value(solution, &start, &mut interrupted),
        outcome: outcome(solution, &start, &mut interrupted),
        turns,
    };
    (report, interrupted)
}

/// What was found, or the first reason why something was not.
fn known<T>(found: Result<T, Interrupted>, interrupted: &mut Option<Interrupted>) -> Option<T> {
    found.map_err(|reason| *interrupted = interrupted.or(Some(reason))).ok()
}

fn value(
    solution: &mut PartizanSolution,
    terms: &[PartizanTerm],
    interrupted: &mut Option<Interrupted>,
) -> Option<LoopyValue> {
    let sides: Sides = known(solution.sides(terms), interrupted)?;
    let text = solution.stoppers().sides_text(sides)?;
    Some(LoopyValue { text, is_stopper: sides.stopper().is_some() })
}

fn outcome(
    solution: &mut PartizanSolution,
    terms: &[PartizanTerm],
    interrupted: &mut Option<Interrupted>,
) -> PartizanOutcome {
    let winners = Player::BOTH.map(|first| known(solution.winner(terms, first), interrupted));
    PartizanOutcome(winners)
}

fn turn_report(
    solution: &PartizanSolution,
    terms: &[PartizanTerm],
    player: Player,
    turn: PartizanTurn,
) -> PartizanTurnReport {
    let PartizanTurn { kind, ply, guide } = turn;
    let told = |ply: PartizanPly| {
        let from = terms[ply.component];
        PlyReport {
            component: ply.component,
            from: solution.text(from),
            to: solution.text((from.0, ply.to)),
            forced: false,
            words: Some((Kind::Ordinary, solution.words(terms, player, ply))),
        }
    };
    PartizanTurnReport { kind, plies: ply.into_iter().map(told).collect(), guide }
}
