//! `nimoon sum`.

use std::collections::HashMap;

use nimoon::turn::{solve, winning_turns};
use nimoon::{Guide, Node, Outcome, Sum, SumError, Turn};
use nimoon_formats::Game;
use nimoon_formats::write::{ComponentReport, SumReport, TurnReport};

use crate::args::{AnswerFormat, SumArgs};
use crate::failure::Failure;
use crate::input;
use crate::output::{print_json, print_text};

pub(crate) fn run(args: &SumArgs) -> Result<(), Failure> {
    let game = input::game(&args.input)?;
    let nodes: Result<Vec<_>, _> =
        args.nodes.iter().map(|name| input::node(&args.input, &game.names, name)).collect();
    let nodes = nodes?;
    let labelling = input::labelling(&args.input, &args.theory, &game)?;
    let sum = Sum::new(&game.digraph, &labelling, nodes).map_err(|error| match error {
        SumError::TwoGray { first, second } => Failure::input(format!(
            "`{}` and `{}` are both gray: at most one piece can stand on a gray node, so this \
             sum does not exist",
            args.nodes[first], args.nodes[second]
        )),
        error => Failure::input(error.to_string()),
    })?;
    let budget = args.theory.budget();
    let answer = solve(&sum, budget);
    let turns = args.turns.then(|| winning_turns(&sum, budget, args.limit));
    // Where no algebra tells it, equal pieces are looked at once.
    let mut alone: HashMap<Node, Option<Outcome>> = HashMap::new();
    let components = sum.pieces().iter().zip(&args.nodes).map(|(&node, name)| {
        let outcome = labelling.outcome(node).or_else(|| {
            let found = || Sum::new(&game.digraph, &labelling, vec![node]).ok();
            *alone.entry(node).or_insert_with(|| outcome_alone(&found()?, args))
        });
        ComponentReport { position: name.clone(), label: Some(labelling.label(node)), outcome }
    });
    let report = SumReport {
        theory: Some(labelling.theory()),
        complete: labelling.is_complete(),
        components: components.collect(),
        value: sum.value(),
        outcome: answer.as_ref().ok().map(|answer| answer.outcome),
        turn: answer.as_ref().ok().and_then(|answer| {
            answer.turn.as_ref().map(|turn| named(&game, turn, Some(answer.guide)))
        }),
        turns: turns.and_then(Result::ok).map(|turns| {
            let named = turns.turns.iter().map(|turn| named(&game, turn, None)).collect();
            (named, turns.truncated)
        }),
    };
    match args.format {
        AnswerFormat::Table => print_text(&report.text())?,
        AnswerFormat::Json => print_json(&report)?,
    }
    let raise = "raise it by --budget";
    match answer {
        Err(over) => Err(Failure::Budget { message: format!("{over}; {raise}") }),
        Ok(answer) if answer.turn.is_none() => Err(Failure::other(
            "no turn was found although the outcome is known: please report this with the input",
        )),
        Ok(_) if !labelling.is_complete() => Err(Failure::Budget {
            message: format!(
                "the budget was hit: the outcome holds, but the values of the components are not \
                 known beside larger nim-heaps; {raise} (it was {})",
                args.theory.budget
            ),
        }),
        Ok(_) => Ok(()),
    }
}

/// Who wins with this piece alone, by the algebra or by search.
fn outcome_alone(alone: &Sum<'_>, args: &SumArgs) -> Option<Outcome> {
    alone.outcome().or_else(|| Some(solve(alone, args.theory.budget()).ok()?.outcome))
}

fn named(game: &Game, turn: &Turn, guide: Option<Guide>) -> TurnReport {
    TurnReport::of_nodes(turn, |node| game.names.name(node).into_owned(), guide)
}
