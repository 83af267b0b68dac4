//! The texts for partizan sums.

use std::fmt::Write as _;

use nimoon::solve::play::{Game, Playable, Player, Seat};
use nimoon::{
    Interrupted, TurnKind,
    partizan::Sides,
    solve::partizan::{PartizanPlacement, PartizanSolution},
};
use nimoon_formats::write::terminal::visible;
use nimoon_rulesets::Make;
use nimoon_session::find;

use super::{Shown, screen};
use crate::commands::rulesets::wrapped;
use crate::failure::Failure;
use crate::limits::over_budget;

impl Shown for PartizanSolution {
    /// The sides of the players, and the rules for Left and Right.
    fn introduction(&mut self, game: &Game<Self>, names: screen::Names) -> String {
        let seats = [Seat::First, Seat::Second];
        let mut text = String::new();
        if let Some(you) = seats.into_iter().find(|&seat| names.subject(game, seat) == "You")
            && let [Some(yours), Some(other)] = [you, you.other()].map(|seat| game.side(seat))
        {
            let begins = names.does(game, Seat::First, "begin");
            let _ = writeln!(text, "You are {yours}, the engine is {other}. {begins}.");
        }
        let placement = game.placement();
        let mut described: Vec<&str> = Vec::new();
        for component in 0..placement.terms.len() {
            let notation = Playable::text(self, placement, component);
            let name = notation.split([':', '[']).next().unwrap_or_default();
            if let Some(entry) = find(name)
                && matches!(entry.make, Make::Partizan(_))
                && !described.contains(&entry.name)
            {
                described.push(entry.name);
                let _ = writeln!(text, "{}", wrapped(&format!("{name}: {}", entry.rules), 0));
            }
        }
        let engine_plays = seats.into_iter().any(|seat| game.player(seat) == Player::Engine);
        if engine_plays && self.remoteness(&placement.terms, placement.player).is_err() {
            text.push_str(
                "There are more positions than the budget allows, so the engine plays by values until \
                 a search fits.\n",
            );
        }
        text
    }

    fn hint(&mut self, game: &Game<Self>) -> Result<String, Interrupted> {
        let plan = game.advice(self)?;
        let ends = match plan.remoteness {
            Some(1) => " at once".to_owned(),
            Some(plies) => format!(" in {plies} plies"),
            None => String::new(),
        };
        let mut text = match plan.kind {
            TurnKind::Winning if plan.may_detour => format!("You can win{}:\n", screen::DETOUR),
            TurnKind::Winning => format!("You can win{ends}:\n"),
            TurnKind::Drawing => {
                "A theoretical draw: neither player can force a win. This move keeps the draw:\n"
                    .to_owned()
            }
            TurnKind::Losing if plan.remoteness.is_some() => {
                format!(
                    "Every move loses against good play; this one lasts longest, and loses{ends}:\n"
                )
            }
            TurnKind::Losing => {
                "Every move loses against good play, such as this one:\n".to_owned()
            }
            TurnKind::None => "There is no move.\n".to_owned(),
        };
        for made in &plan.moves {
            let _ = writeln!(text, "  {}", screen::described(self, game.placement(), made));
        }
        Ok(text)
    }

    fn values(&mut self, game: &Game<Self>, all: bool) -> Result<String, Interrupted> {
        let placement = game.placement();
        let mut components = Vec::new();
        for (component, &term) in placement.terms.iter().enumerate() {
            let name = visible(&Playable::text(self, placement, component)).into_owned();
            let value = self.sides(&[term]).ok().and_then(|sides| value(self, sides));
            components.push((name, value.unwrap_or_else(|| "not known".to_owned())));
        }
        let (mover, other) = (placement.player, placement.player.opponent());
        let prospect = match self.prospect(placement)? {
            TurnKind::Winning => format!("{mover}, who is to move, can win"),
            TurnKind::Drawing => "a theoretical draw, neither player can force a win".to_owned(),
            _ => format!("{other} can win, though {mover} is to move"),
        };
        let ends = match self.remoteness(&placement.terms, mover) {
            Ok(Some(plies)) => format!(": {plies} plies if both play well"),
            _ => String::new(),
        };
        let mut judge = Judge { remoteness: true, values: true };
        let total =
            judge.value(self, placement).map_or(String::new(), |value| format!("{value}, "));
        let mut said = Vec::new();
        for made in game.moves().iter().take(screen::moves_judged(game, all)) {
            let achieves = screen::achieved(game.achieves(self, made)?);
            let after = Playable::after(self, placement, made);
            let plies = judge.remoteness(self, &after);
            let plies = plies.map_or(String::new(), |plies| format!(" in {}", plies + 1));
            let value = judge.value(self, &after);
            let value = value.map_or(String::new(), |value| format!(", leaves {value}"));
            said.push(format!("{achieves}{plies}{value}"));
        }
        let known = screen::known(&components, &format!("{total}{prospect}{ends}"));
        Ok(format!("{known}{}", screen::judged(self, game, &said)))
    }

    fn failure(error: &Interrupted) -> Failure {
        over_budget(*error)
    }
}

/// Judges one move after the other until a limit is reached; the next one would reach it too.
struct Judge {
    remoteness: bool,
    values: bool,
}

impl Judge {
    fn remoteness(
        &mut self,
        sum: &mut PartizanSolution,
        placement: &PartizanPlacement,
    ) -> Option<u32> {
        let asked = self.remoteness.then(|| sum.remoteness(&placement.terms, placement.player));
        self.remoteness = asked?.is_ok();
        asked?.ok()?
    }

    fn value(
        &mut self,
        sum: &mut PartizanSolution,
        placement: &PartizanPlacement,
    ) -> Option<String> {
        let asked = self.values.then(|| sum.sides(&placement.terms));
        self.values = asked?.is_ok();
        value(sum, asked?.ok()?)
    }
}

fn value(sum: &PartizanSolution, sides: Sides) -> Option<String> {
    sum.stoppers().sides_text(sides)
}
