//! The texts for sums of impartial games.

use std::fmt::Write as _;

use nimoon::solve::play::Game;
use nimoon::solve::solution::{AnswerError, PlacementAnswer, Solution};
use nimoon::{Kind, Label, Outcome, TurnKind};
use nimoon_formats::write::terminal::visible;

use super::{Shown, screen};
use crate::commands::value;
use crate::failure::Failure;
use crate::limits::OPTIONS;

impl Shown for Solution {
    fn hint(&mut self, game: &Game) -> Result<String, AnswerError> {
        Ok(hint(&self.answer(game.placement())?, game.placement().len()))
    }

    fn values(&mut self, game: &Game, all: bool) -> Result<String, AnswerError> {
        values(self, game, all)
    }

    fn failure(error: &AnswerError) -> Failure {
        value::failure(error, OPTIONS)
    }
}

/// What the engine would play, and what that achieves.
fn hint(answer: &PlacementAnswer, components: usize) -> String {
    let Some(turn) = &answer.turn else { return "No turn was found.\n".to_owned() };
    let mut text = match turn.kind {
        TurnKind::Winning => "You can win:\n",
        TurnKind::Drawing => {
            "A theoretical draw: neither player can force a win. This turn keeps the draw:\n"
        }
        TurnKind::Losing => "Every turn loses if the opponent plays well. This one lasts long:\n",
        TurnKind::None => "There is no move.\n",
    }
    .to_owned();
    for ply in &turn.plies {
        let who = if ply.forced { "the only answer: " } else { "" };
        let place = match components {
            1 => String::new(),
            _ => format!("component {}: ", ply.component),
        };
        let then = match ply.kind {
            Kind::Ordinary => "",
            Kind::Again => ", then move again",
            Kind::Entailing => ", to be answered there",
        };
        let (words, to) = (visible(&ply.words), visible(&ply.to));
        let _ = writeln!(text, "  {who}{place}{words} → {to}{then}");
    }
    if turn.endless {
        text.push_str("  and so on for ever\n");
    }
    text
}

/// The values of the components and of the sum, and what each move achieves.
fn values(solution: &mut Solution, game: &Game, all: bool) -> Result<String, AnswerError> {
    let placement = game.placement();
    let mut components = Vec::new();
    for component in 0..placement.len() {
        let name = visible(&solution.text(placement, component)).into_owned();
        components.push((name, label(&solution.label(placement, component))));
    }
    let value = solution.value(placement).map_or(String::new(), |value| format!("{value}, "));
    let outcome = match solution.outcome(placement)? {
        Outcome::N => "N: the player to move can win",
        Outcome::P => "P: the player to move loses against good play",
        Outcome::D => "D: a theoretical draw, neither player can force a win",
    };
    let mut said = Vec::new();
    for made in game.moves().iter().take(screen::moves_judged(game, all)) {
        let achieves = screen::achieved(game.achieves(solution, made)?);
        let value = solution.value(&solution.after(placement, made));
        let value = value.map_or(String::new(), |value| format!(", leaves {value}"));
        said.push(format!("{achieves}{value}"));
    }
    let known = screen::known(&components, &format!("{value}{outcome}"));
    Ok(format!("{known}{}", screen::judged(solution, game, &said)))
}

/// What is known about a component.
fn label(label: &Label) -> String {
    match label {
        Label::White(value) => value.to_string(),
        Label::Gray(Some(cover)) => format!("must be answered, covers {cover}"),
        Label::Gray(None) => "no value".to_owned(),
    }
}
