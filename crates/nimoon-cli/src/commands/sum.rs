//! `nimoon sum`.

use nimoon::SumError;
use nimoon_formats::write::SumReport;

use crate::args::{AnswerFormat, SumArgs};
use crate::commands::value::VALUES_UNKNOWN;
use crate::failure::Failure;
use crate::input;
use crate::limits::{self, OPTIONS};
use crate::output::{print_json, print_text};

pub(crate) fn run(args: &SumArgs) -> Result<(), Failure> {
    let game = input::game(&args.input)?;
    let nodes: Result<Vec<_>, _> =
        args.nodes.iter().map(|name| input::node(&args.input, &game.names, name)).collect();
    let nodes = nodes?;
    let labelling = input::labelling(&args.input, &args.theory, &game)?;
    let turns = args.turns.then_some(args.limit);
    let answered =
        SumReport::of_nodes(&game, &labelling, nodes, &args.theory.limits.effort(), turns);
    let (report, answer) = answered.map_err(|error| match error {
        SumError::TwoGray { first, second } => Failure::input(format!(
            "`{}` and `{}` are both gray: at most one piece can stand on a gray node, so this \
             sum does not exist",
            args.nodes[first], args.nodes[second]
        )),
        error => Failure::input(error.to_string()),
    })?;
    match args.format {
        AnswerFormat::Table => print_text(&report.text())?,
        AnswerFormat::Json => print_json(&report)?,
    }
    match answer {
        Err(interrupted) => Err(limits::over_budget(interrupted)),
        Ok(answer) if answer.turn.is_none() => Err(Failure::other(
            "no turn was found although the outcome is known: please report this with the input",
        )),
        Ok(_) => labelling.interrupted().map_or(Ok(()), |interrupted| {
            let message = format!("{interrupted}: {VALUES_UNKNOWN}");
            Err(limits::interrupted(interrupted, message, OPTIONS))
        }),
    }
}
