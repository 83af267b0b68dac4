//! What can be typed in a session.

use std::fmt::Write as _;

use nimoon::Theory;
use nimoon_formats::read::nearest;
use nimoon_session::expression::Library;
use nimoon_session::find;

use super::line::Command;
use super::names::{Names, known};
use crate::commands::rulesets;
use crate::expressions::Rules;

/// What a session begins with in a terminal.
pub(super) const GREETING: &str = concat!(
    "nimoon ",
    env!("CARGO_PKG_VERSION"),
    ". Type an expression, such as nim:3 + nim:5; `help` tells the rest, Ctrl-D ends.\n"
);

const EXPRESSIONS: &str = "\
An expression is answered with its value, who wins, and the whole turn to play:
  nim:3 + lights:2b3s5b
  x = top-entails:7       gives it a name, to be used as in x + nim:2
  _                       is the expression that was answered last
  # …                     is a comment
";

const MORE: &str = "\
`help COMMAND` tells more about a command, `help RULESET` the rules and the notation of a game.
";

/// How a command is written, what it does in a few words, and everything else about it.
fn about(command: Command) -> (&'static str, &'static str, &'static str) {
    match command {
        Command::Value => (
            "value EXPR",
            "the value, who wins, and the turn to play",
            "The same as the expression alone.",
        ),
        Command::Outcome => (
            "outcome EXPR",
            "who wins",
            "N: the next player wins; P: the previous player wins; D: a draw, play that never ends. \
             Of a partizan game: who wins if Left starts, and if Right does.",
        ),
        Command::Turn => (
            "turn EXPR",
            "a whole turn to play",
            "Everything up to the moment the opponent is free to choose: moves, moves again after \
             carry-ons, and replies that the opponent has no say in. In a partizan game, a move for Left and \
             one for Right.",
        ),
        Command::Turns => (
            "turns EXPR",
            "all winning turns",
            "The winning turns that repeat no position, shorter ones first, up to a hundred.",
        ),
        Command::Explain => (
            "explain EXPR",
            "why each component has its value",
            "In words and sets: what each option achieves, and what follows from that.",
        ),
        Command::Play => (
            "play EXPR",
            "a game against the engine",
            "You begin, in a partizan game as Left; `play right EXPR` makes you Right. `help` in the \
             game tells what can be typed there, `quit` comes back here.",
        ),
        Command::Theory => (
            "theory [THEORY]",
            "the theory in use, or another one from now on",
            "`theory auto` takes the smallest that fits, as at the start; the others are",
        ),
        Command::Budget => (
            "budget [POSITIONS]",
            "how many positions a search may look at",
            "Without a number it tells the budget, with one it changes it.",
        ),
        Command::Vars => {
            ("vars", "the names that were given", "One line for each, in their order.")
        }
        Command::Rulesets => (
            "rulesets",
            "all games, with an example of each",
            "`help NAME` tells everything about one of them.",
        ),
        Command::Help => (
            "help [WORD]",
            "this, or about a command or a ruleset",
            "The word may be a command, a ruleset, or a name that was given.",
        ),
        Command::Quit => ("quit", "ends the session", "So do `exit` and Ctrl-D."),
    }
}

/// What to tell for `help`, or for `help WORD`.
pub(super) fn help(word: &str, names: &Names, rules: &Rules) -> Result<String, String> {
    // A position or brackets behind the name of a ruleset do not matter.
    let ruleset = word.split([':', '[']).next().unwrap_or(word).trim_end();
    if word.is_empty() {
        Ok(overview())
    } else if let Some(command) = Command::named(word) {
        Ok(of_command(command))
    } else if let Some(assigned) = names.get(word) {
        Ok(format!("{word} = {assigned}\n"))
    } else if let Some(about) = rules.about(ruleset) {
        Ok(rulesets::of_script(ruleset, about))
    } else if let Some(entry) = find(ruleset) {
        Ok(rulesets::full(&entry))
    } else {
        let scripts = rules.names();
        let commands = Command::ALL.map(Command::name).into_iter();
        let words = commands.chain(names.iter().map(|(name, _)| name)).chain(known(&scripts));
        let remedy = nearest(words, ruleset).map_or_else(
            || "`help` lists the commands, `rulesets` the rulesets".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        Err(format!("there is no command and no ruleset `{ruleset}`; {remedy}"))
    }
}

fn overview() -> String {
    let mut text = format!("{EXPRESSIONS}\n");
    for command in Command::ALL {
        let (usage, short, _) = about(command);
        let _ = writeln!(text, "  {usage:<22}  {short}");
    }
    let _ = write!(text, "\n{MORE}");
    text
}

fn of_command(command: Command) -> String {
    let (usage, short, long) = about(command);
    let theories = match command {
        Command::Theory => format!(" {}.", Theory::ALL.map(Theory::name).join(", ")),
        _ => String::new(),
    };
    format!("{usage}: {short}.\n{long}{theories}\n")
}
