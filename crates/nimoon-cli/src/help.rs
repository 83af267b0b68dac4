//! The help of the program: its commands in groups, and the welcome of `nimoon` alone.

use std::fmt::Write as _;

use clap::builder::StyledStr;
use clap::{Command, CommandFactory as _, FromArgMatches as _};

use crate::args::Args;

/// The groups of commands in `nimoon --help`.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Positions of games", &["value", "explore", "table", "search", "period", "rulesets"]),
    ("Play", &["play", "repl", "run", "serve"]),
    ("Digraphs", &["label", "sum", "representative", "remoteness", "compound"]),
    ("Other theories", &["loopy", "compare", "unicycle", "affine", "ordinal"]),
    ("Proofs, stores and large runs", &["check", "audit", "store", "cluster"]),
    ("Help", &["completions", "man", "help"]),
];

/// The column at which descriptions begin.
const COLUMN: usize = 18;

/// The text of `nimoon` alone.
pub(crate) fn welcome() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "\
nimoon {version} finds who wins a two-player game, which moves win, and what the game is worth.

Try:
  nimoon value 'nim:3 + kayles:9'    who wins two games side by side, and a winning turn
  nimoon play nimstring:2x2          play against the engine
  nimoon rulesets                    the games that nimoon knows
  nimoon table top-entails 0..20     the values of a family of positions
  nimoon serve                       boards, lessons and puzzles in your browser

`nimoon --help` lists all commands, and `nimoon COMMAND --help` describes one.
"
    )
}

/// The command line with its help.
pub(crate) fn command() -> Command {
    let mut command = Args::command();
    command.build();
    let template = template(&command);
    command.help_template(template)
}

/// Parses the arguments of the program.
pub(crate) fn parse() -> Result<Args, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The help text of the program, as clap's template.
fn template(command: &Command) -> StyledStr {
    let styles = command.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (group, names) in GROUPS {
        let _ = write!(text, "\n{header}{group}:{header:#}\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map_or_else(String::new, ToString::to_string);
            let gap = " ".repeat(COLUMN.saturating_sub(name.len() + 2));
            let _ = writeln!(text, "  {literal}{name}{literal:#}{gap}{about}");
        }
    }
    let _ = write!(text, "\n{header}Options:{header:#}\n{{options}}{{after-help}}");
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let command = command();
        let mut names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        names.sort_unstable();
        listed.sort_unstable();
        assert_eq!(names, listed);
    }

    #[test]
    fn descriptions_fit_a_line_of_eighty_columns() {
        for command in command().get_subcommands() {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(COLUMN + about.chars().count() <= 80, "{}: {about}", command.get_name());
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }
}
