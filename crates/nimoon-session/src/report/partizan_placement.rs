//! The answers for partizan sums, found out from what was solved.

use nimoon::{
    Interrupted, Kind,
    partizan::Sides,
    player::Player,
    solve::partizan::{PartizanPly, PartizanSolution, PartizanTerm, PartizanTurn},
};

use super::answer::PlyReport;
use super::partizan_answer::{
    LoopyValue, PartizanComponentReport, PartizanOutcome, PartizanSumReport, PartizanTurnReport,
    PartizanTurns,
};
use super::placement::{Missing, missing};

impl PartizanSumReport {
    /// What is known of a sum; and what of it is not.
    pub fn new(solution: &mut PartizanSolution) -> (Self, Option<Missing<Interrupted>>) {
        let start = solution.start().to_vec();
        Self::of_terms(solution, &start)
    }

    /// What is known of a sum that play can come to; and what of it is not.
    pub(super) fn of_terms(
        solution: &mut PartizanSolution,
        terms: &[PartizanTerm],
    ) -> (Self, Option<Missing<Interrupted>>) {
        let (mut interrupted, mut no_turn) = (None, None);
        let mut components = Vec::new();
        for &term in terms {
            components.push(PartizanComponentReport {
                position: solution.text(term),
                value: value(solution, &[term], &mut interrupted),
                outcome: outcome(solution, &[term], &mut interrupted),
            });
        }
        let [left, right] = Player::BOTH.map(|player| {
            let turn = known(solution.turn(terms, player), &mut no_turn)?;
            Some(turn_report(solution, terms, player, turn))
        });
        let report = Self {
            components,
            value: value(solution, terms, &mut interrupted),
            outcome: outcome(solution, terms, &mut interrupted),
            turns: PartizanTurns { left, right },
        };
        (report, missing(interrupted, no_turn, |reason| reason.limit().is_some()))
    }
}

/// What was found, or the first reason why something was not.
fn known<T>(found: Result<T, Interrupted>, interrupted: &mut Option<Interrupted>) -> Option<T> {
    found.map_err(|reason| *interrupted = interrupted.or(Some(reason))).ok()
}

pub(crate) fn value(
    solution: &mut PartizanSolution,
    terms: &[PartizanTerm],
    interrupted: &mut Option<Interrupted>,
) -> Option<LoopyValue> {
    let sides: Sides = known(solution.sides(terms), interrupted)?;
    LoopyValue::of_sides(solution, sides)
}

pub(crate) fn outcome(
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
