//! `nimoon run`: a session file, in which every command of the program is a line.
//!
//! ```text
//!   line       = name "=" text | "load" file | "for" name "in" values ":" line | "time" line
//!              | command arguments | expression | expression relation expression
//! ```
//!
//! A line is turned into the arguments of a command, which then runs as it always does; so a session knows
//! nothing of theories, and whatever the program learns can be asked here. The lines are those of
//! [`repl`](super::repl) too.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, CommandFactory, Parser, ValueEnum};
use nimoon::Limits;
use nimoon_formats::read::nearest;
use nimoon_session::table::Parameter;

use super::ordinal::is_ordinal;
use crate::args::{self, Command};
use crate::failure::Failure;
use crate::limits;
use crate::output::complain;
use crate::reading;

pub(crate) const EXAMPLES: &str = "\
A line is a command with its arguments, an expression, `name = expression`, `load FILE`, `for n in 0..9: LINE` or `time LINE`; # \
begins a comment.

Examples:
  nimoon run examples/session.nim
  nimoon run examples/session.nim --format json
  echo 'table kayles 0..9' | nimoon run -";

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The session file; `-` is standard input.
    file: PathBuf,

    /// Print each answer in this format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// As each command prints it.
    #[default]
    Text,
    /// One JSON value per answer.
    Json,
}

/// Commands that are a program of their own.
const REFUSED: [&str; 8] =
    ["run", "repl", "serve", "play", "cluster", "completions", "man", "help"];

/// The words in front of expressions that the session of `repl` knows.
const ASKED: [(&str, &[&str]); 5] = [
    ("value", &[]),
    ("outcome", &[]),
    ("turn", &[]),
    ("turns", &["--turns"]),
    ("explain", &["--explain"]),
];

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let work = limits::work(Limits::default());
    let name = reading::name(&args.file);
    let most = reading::MOST_OF_EXPRESSION;
    let bytes = if args.file == Path::new("-") {
        reading::all(reading::standard_input(&work), &name, most, &work)?
    } else {
        reading::file(&args.file, most, &work)?
    };
    let text = reading::text(bytes, &name)?;
    let mut lines = Lines { format: args.format, ..Lines::default() };
    for (number, line) in text.lines().enumerate() {
        lines.run(line).map_err(|failure| failure.in_line(&name, number + 1))?;
    }
    Ok(())
}

/// What the lines of a session have said so far.
#[derive(Default)]
pub(crate) struct Lines {
    pub(crate) format: Format,
    names: Vec<(String, String)>,
    rules: Vec<String>,
    /// How many lines stand inside each other.
    depth: usize,
}

impl Lines {
    /// The commands of the program that a session can run.
    pub(crate) fn commands() -> Vec<String> {
        let program = args::Args::command();
        let names = program.get_subcommands().map(|command| command.get_name().to_owned());
        names.filter(|name| !REFUSED.contains(&name.as_str())).collect()
    }

    /// Whether a line begins with one of them.
    pub(crate) fn is_command(word: &str) -> bool {
        Self::commands().iter().any(|name| name == word)
    }

    /// Whether a line begins with a word of sessions themselves.
    pub(crate) fn is_line(word: &str) -> bool {
        ["for", "time", "load"].contains(&word)
    }

    /// Adds the rules in this file.
    pub(crate) fn load(&mut self, file: &str) {
        self.rules.push(file.to_owned());
    }

    /// Runs a line.
    pub(crate) fn run(&mut self, line: &str) -> Result<(), Failure> {
        let line = line[..comment(line)].trim();
        if line.is_empty() {
            return Ok(());
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "for" => return self.deeper(|lines| lines.repeat(rest)),
            "time" => {
                let start = Instant::now();
                self.deeper(|lines| lines.run(rest))?;
                complain(format_args!("note: {:.3} s", start.elapsed().as_secs_f64()));
                return Ok(());
            }
            "load" if !rest.is_empty() => {
                self.load(rest);
                return Ok(());
            }
            _ => {}
        }
        if let Some((name, text)) = line.split_once('=')
            && is_name(name.trim())
            && !text.starts_with('=')
        {
            let text = self.named(text.trim());
            self.names.retain(|(other, _)| other != name.trim());
            self.names.push((name.trim().to_owned(), text));
            return Ok(());
        }
        let words = self.words(word, rest, line)?;
        self.command(words)
    }

    fn deeper(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        /// More lines inside each other are a mistake.
        const DEEPEST: usize = 16;
        if self.depth == DEEPEST {
            return Err(Failure::input("`for` and `time` stand too deep inside each other"));
        }
        self.depth += 1;
        let found = run(self);
        self.depth -= 1;
        found
    }

    /// `n in 0..9: value nim:{n}`
    fn repeat(&mut self, rest: &str) -> Result<(), Failure> {
        let usage = "expected `for NAME in VALUES: LINE`, as in `for n in 0..9: kayles:{n}`";
        let head = rest.split_once(": ").ok_or_else(|| Failure::input(usage))?;
        let (name, values) = head.0.split_once(" in ").ok_or_else(|| Failure::input(usage))?;
        let parameter: Parameter = format!("{}={}", name.trim(), values.trim())
            .parse()
            .map_err(|error| Failure::input(format!("{error}")))?;
        for value in parameter.texts() {
            self.run(&head.1.replace(&format!("{{{}}}", name.trim()), &value))?;
        }
        Ok(())
    }

    /// A text with the names in it replaced by what they stand for.
    fn named(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            if !is_word(first) {
                out.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            let meant = self.names.iter().find(|(name, _)| name == word);
            // In `kayles:9` and `digraph[x]` it is a ruleset or a part of a position.
            let is_alone = !behind.starts_with([':', '[', '-']) && !out.ends_with([':', '[', '-']);
            out.push_str(meant.filter(|_| is_alone).map_or(word, |(_, text)| text));
            rest = behind;
        }
        out
    }

    /// The arguments of a command.
    fn words(&self, word: &str, rest: &str, line: &str) -> Result<Vec<String>, Failure> {
        if let Some((_, options)) = ASKED.iter().find(|(name, _)| *name == word) {
            let words = split(rest)?;
            let (expression, given): (Vec<_>, Vec<_>) =
                words.into_iter().partition(|word| !word.starts_with("--"));
            let expression = self.named(&expression.join(" "));
            let options = options.iter().map(|&option| option.to_owned());
            return Ok(["value".to_owned(), expression]
                .into_iter()
                .chain(options)
                .chain(given)
                .collect());
        }
        if Self::is_command(word) {
            let words = split(rest)?.into_iter();
            let words = words.map(|given| {
                let meant = self.names.iter().find(|(name, _)| *name == given);
                meant.map_or(given, |(_, text)| text.clone())
            });
            return Ok(std::iter::once(word.to_owned()).chain(words).collect());
        }
        if REFUSED.contains(&word) {
            return Err(Failure::input(format!("`{word}` cannot be a line of a session")));
        }
        let expression = self.named(line);
        if is_identifier(word)
            && !rest.is_empty()
            && !rest.starts_with(['+', '-', '*', '=', '<', '>', '|', '&', '^'])
        {
            let names = Self::commands();
            let near = nearest(names.iter().map(String::as_str), word);
            let advice = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(Failure::input(format!("there is no command `{word}`{advice}")));
        }
        Ok(of_expression(&expression))
    }

    fn command(&self, mut words: Vec<String>) -> Result<(), Failure> {
        let program = args::Args::command();
        let has = |option: &str| {
            let command = program.find_subcommand(&words[0]);
            command.is_some_and(|c| c.get_arguments().any(|a| a.get_long() == Some(option)))
        };
        let (takes_rules, takes_format) = (has("rules"), has("format"));
        if takes_rules {
            words.extend(self.rules.iter().flat_map(|file| ["--rules".to_owned(), file.clone()]));
        }
        let is_given = words.iter().any(|word| word.starts_with("--format"));
        if takes_format && self.format == Format::Json && !is_given {
            words.extend(["--format", "json"].map(str::to_owned));
        }
        let parsed = args::Args::try_parse_from(std::iter::once("nimoon".to_owned()).chain(words));
        let args = parsed.map_err(|error| {
            let message = error.to_string();
            let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
            let message: Vec<&str> = lines.take_while(|line| !line.starts_with("Usage:")).collect();
            Failure::input(message.join("; ").trim_start_matches("error: ").to_owned())
        })?;
        match args.command {
            Some(Command::Run(_)) | None => Err(Failure::input("expected a command")),
            Some(command) => crate::dispatch(command),
        }
    }
}

/// The command that an expression of any theory means.
fn of_expression(text: &str) -> Vec<String> {
    let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let names_position = text.split(['+', ' ']).any(|part| {
        let name = part.split([':', '[']).next().unwrap_or_default();
        part.len() > name.len()
            && name.starts_with(char::is_alphabetic)
            && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
            && part.contains(':')
    });
    if names_position {
        return owned(&["value", &with_heaps(text)]);
    }
    // Values of impartial theories.
    let is_impartial = ["moon", "ninny", "oo{"].iter().any(|kind| text.contains(kind));
    let has_relation = text.contains([' ', '=']) && text.contains(['<', '>', '=', '|']);
    if is_impartial && !has_relation {
        return owned(&["value", text]);
    }
    if is_ordinal(text) {
        return owned(&["ordinal", text]);
    }
    for relation in ["||", "<=", ">=", "<", ">", "="] {
        if let Some((a, b)) = text.split_once(&format!(" {relation} ")) {
            return owned(&["compare", a.trim(), b.trim()]);
        }
    }
    owned(&["loopy", text])
}

/// Nim-heaps that are written as `*4`, beside positions.
fn with_heaps(text: &str) -> String {
    let terms = text.split('+').map(|term| {
        let plain = term.trim();
        let heap = plain.strip_prefix('*');
        match heap.filter(|heap| heap.chars().all(|c| c.is_ascii_digit())) {
            Some("") => " nim:1 ".to_owned(),
            Some(heap) => format!(" nim:{heap} "),
            None => term.to_owned(),
        }
    });
    terms.collect::<Vec<_>>().join("+").trim().to_owned()
}

/// Where a comment begins: at a `#` in front, or behind a space.
fn comment(line: &str) -> usize {
    let mut before = ' ';
    let found = line.char_indices().find(|&(_, c)| {
        let begins = c == '#' && before.is_whitespace();
        before = c;
        begins
    });
    found.map_or(line.len(), |(at, _)| at)
}

fn is_identifier(word: &str) -> bool {
    word.starts_with(char::is_alphabetic) && word.chars().all(|c| c.is_alphanumeric() || c == '-')
}

fn is_name(word: &str) -> bool {
    word.starts_with(char::is_alphabetic) && word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The words of a line; blanks within quotes do not part them.
fn split(line: &str) -> Result<Vec<String>, Failure> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(Failure::input("a quote is not closed"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        let words = |line| split(line).unwrap();
        assert_eq!(
            words("explore 'nim:3 + nim:1' --where \"a = 'x'\""),
            ["explore", "nim:3 + nim:1", "--where", "a = 'x'"]
        );
        assert_eq!(words("a '' b"), ["a", "", "b"]);
        assert!(split("a 'b").is_err());
    }

    #[test]
    fn names_stand_for_expressions_but_not_within_positions() {
        let names = vec![("x".to_owned(), "nim:3".to_owned())];
        let lines = Lines { names, ..Lines::default() };
        assert_eq!(lines.named("x + kayles:x + digraph[x]:x"), "nim:3 + kayles:x + digraph[x]:x");
    }

    #[test]
    fn expressions_go_to_the_command_of_their_theory() {
        assert_eq!(of_expression("kayles:9 + *4"), ["value", "kayles:9 + nim:4"]);
        assert_eq!(of_expression("{0|pass} + over"), ["loopy", "{0|pass} + over"]);
        assert_eq!(of_expression("moon{0} + oo{1}"), ["value", "moon{0} + oo{1}"]);
        assert_eq!(of_expression("moon{0} > oo{1}"), ["compare", "moon{0}", "oo{1}"]);
        assert_eq!(of_expression("over > upon"), ["compare", "over", "upon"]);
        assert_eq!(of_expression("w^2 + 1"), ["ordinal", "w^2 + 1"]);
    }
}
