//! `nimoon sum`.

use nimoon::{Sum, SumError};
use nimoon_session::certificate::LabelsCertificate;
use nimoon_session::report::{Missing, SumReport};
use serde_json::json;

use crate::args::{AnswerFormat, SumArgs};
use crate::certificates;
use crate::commands::value::{VALUES_UNKNOWN, note_turn};
use crate::failure::Failure;
use crate::input;
use crate::limits::{self, OPTIONS};
use crate::output::{or_unknown, print_answer_text, print_json};

pub(crate) fn run(args: &SumArgs) -> Result<(), Failure> {
    or_unknown(answer(args), args.format == AnswerFormat::Json, &unknown())
}

/// The answer for a sum about which nothing is known.
pub(crate) fn unknown() -> serde_json::Value {
    json!({ "theory": null, "components": [], "value": null, "outcome": null, "turn": null })
}

fn answer(args: &SumArgs) -> Result<(), Failure> {
    let work = args.theory.limits.work();
    let game = input::game_or_positions(&args.input, &args.rules, &work)?;
    let nodes: Result<Vec<_>, _> =
        args.nodes.iter().map(|name| input::node(&args.input, &game.names, name)).collect();
    let nodes = nodes?;
    let labelling = input::labelling_for_sums(&args.input, &args.theory, &game)?;
    let turns = args.turns.then_some(args.limit);
    let work = args.turn.within(&args.theory.limits.work());
    let answered = SumReport::of_nodes(&game, &labelling, nodes.clone(), &work, turns);
    let (report, answer, missing) = answered.map_err(|error| match error {
        SumError::TwoGray { first, second } => Failure::input(format!(
            "`{}` and `{}` are both gray: at most one piece can stand on a gray node, so this \
             sum does not exist",
            args.nodes[first], args.nodes[second]
        )),
        error => Failure::input(error.to_string()),
    })?;
    if let Some(answer) = &answer
        && args.certificate.is_requested()
        && labelling.is_complete()
    {
        let sum = Sum::new(&game.digraph, &labelling, nodes)
            .map_err(|error| Failure::input(error.to_string()))?;
        let (outcome, turn) = (answer.outcome, answer.turn.clone());
        let certificate = LabelsCertificate::new(&game.digraph, &labelling, &work)
            .and_then(|labels| labels.with_sum(&sum, outcome, turn, &work))
            .map_err(certificates::failure)?;
        args.certificate.save(|out| certificate.write(|node| game.names.name(node), out))?;
    }
    match args.format {
        AnswerFormat::Table => print_answer_text(&report.text())?,
        AnswerFormat::Json => print_json(&report)?,
    }
    let turn = answer.and_then(|answer| answer.turn);
    match (turn, missing) {
        (_, Some(Missing::Answer(interrupted))) => return Err(limits::over_budget(interrupted)),
        (_, Some(Missing::Turn(interrupted))) => {
            note_turn(&limits::over_budget(interrupted).into_message());
        }
        (None, None) => {
            return Err(Failure::other(
                "no turn was found although the outcome is known: please report this with the input",
            ));
        }
        (Some(_), None) => {}
    }
    labelling.interrupted().map_or(Ok(()), |interrupted| {
        let message = format!("{interrupted}: {VALUES_UNKNOWN}");
        Err(limits::interrupted(interrupted, message, OPTIONS))
    })
}
