//! The help of a session.

use std::fmt::Write as _;

use nimoon::Theory;
use nimoon_formats::read::nearest;
use nimoon_session::expression::Library;
use nimoon_session::find;

use super::line::Command;
use super::names::{Names, known};
use crate::commands::rulesets;
use crate::expressions::Rules;

/// The first line of a session in a terminal.
pub(super) const GREETING: &str = concat!(
    "nimoon ",
    env!("CARGO_PKG_VERSION"),
    ". Type an expression, such as nim:3 + nim:5. `help` lists the commands; Ctrl-D ends the session.\n"
);

const EXPRESSIONS: &str = "\
Type an expression to see its value, who wins, and a complete turn to play:
  nim:3 + lights:2b3s5b
  x = top-entails:7       give an expression a name; then type x + nim:2
  _                       the last expression
  # …                     a comment
";

const MORE: &str = "\
`help COMMAND` describes a command, `help RULESET` the rules and the notation of a game.
";

/// The synopsis of a command, a short description, and details.
fn about(command: Command) -> (&'static str, &'static str, &'static str) {
    match command {
        Command::Value => (
            "value EXPR",
            "the value, who wins, and the turn to play",
            "An expression without a command has the same answer.",
        ),
        Command::Outcome => (
            "outcome EXPR",
            "who wins",
            "N: the next player wins; P: the previous player wins; D: a draw, play that never ends. \
             For a partizan game: who wins if Left starts, and if Right starts.",
        ),
        Command::Turn => (
            "turn EXPR",
            "a complete turn to play",
            "A turn ends when the opponent has a choice. It includes further moves after carry-on moves, and \
             forced replies. In a partizan game, a move for Left and one for Right.",
        ),
        Command::Turns => (
            "turns EXPR",
            "all winning turns",
            "The winning turns, or in a draw those that hold it, that repeat no position, shorter ones first, up to a hundred.",
        ),
        Command::Explain => (
            "explain EXPR",
            "why each component has its value",
            "What each option achieves, and what follows from that.",
        ),
        Command::Play => (
            "play EXPR",
            "a game against the engine",
            "You begin, in a partizan game as Left; `play right EXPR` makes you Right. In the game, `help` \
             lists its commands and `quit` returns to the session.",
        ),
        Command::Theory => (
            "theory [THEORY]",
            "show or change the theory",
            "`theory auto`, the default, selects the smallest theory that fits; the others are",
        ),
        Command::Budget => (
            "budget [POSITIONS]",
            "show or change the budget",
            "A search stops after visiting this many positions.",
        ),
        Command::Vars => {
            ("vars", "list the names", "One line per name, in the order of their definition.")
        }
        Command::Rulesets => (
            "rulesets",
            "list all games, with an example of each",
            "`help NAME` describes one of them.",
        ),
        Command::Help => (
            "help [WORD]",
            "show this help, or describe a command or a ruleset",
            "The word can be a command, a ruleset, or a name of yours.",
        ),
        Command::Quit => ("quit", "end the session", "`exit` and Ctrl-D do the same."),
    }
}

/// The text for `help` or `help WORD`.
pub(super) fn help(word: &str, names: &Names, rules: &Rules) -> Result<String, String> {
    // Ignore a position or brackets after the name of a ruleset.
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
        Err(format!("unknown command or ruleset `{ruleset}`; {remedy}"))
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
