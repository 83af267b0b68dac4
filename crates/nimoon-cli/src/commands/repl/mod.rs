//! `nimoon repl`.
//!
//! [`line`] parses lines, [`names`] reads expressions with names, and the answers are those of
//! `nimoon value`. At a terminal the session continues after an error; a session from a file or a
//! pipe ends with the first error.

mod complete;
mod help;
mod line;
mod names;

use std::cell::RefCell;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;
use nimoon::solve::play::Player;
use nimoon::solve::solution::Solution;
use nimoon::{Limits, Theory, Work, player::Player as Side, solve::partizan::PartizanSolution};
use nimoon_formats::read::{line_and_column, nearest, snippet};
use nimoon_formats::write::terminal::visible;
use nimoon_session::expression::{AnyExpression, ExpressionError, Library, MixedExpression};
use nimoon_session::find;
use nimoon_session::report::{
    ExplanationReport, Missing, PartizanSumReport, SumReport, TurnReport, outcome_words, turns_text,
};

use super::run::Lines as Program;
use super::{partizan, play, rulesets, value};
use crate::args::{RulesArgs, StoreArgs, TheoryArgs};
use crate::expressions::{Rules, solution_or};
use crate::failure::Failure;
use crate::interrupt;
use crate::limits::{self, LimitNames};
use crate::lines::{self, Complete, Edited, Interrupt, Lines, Plain};
use crate::output::print_answer_text;
use line::{Command, Line, Piece, is_identifier};
use names::{Assigned, Names};

/// The names of the limits in a session. Options set memory and time at its start.
const LIMITS: LimitNames = ["`budget POSITIONS`", "--memory", "--time"];

/// The players in a session.
const PLAYERS: [Player; 2] = [Player::Person, Player::Engine];

/// The maximal number of winning turns in a list.
const TURNS: usize = 100;

#[derive(Debug, Args)]
pub(crate) struct ReplArgs {
    /// A file with the lines of a session (default: `-`, standard input).
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) theory: TheoryArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

pub(crate) fn run(args: &ReplArgs) -> Result<(), Failure> {
    let rules = Rules::with_store(&args.rules, &args.store, &args.theory.limits.work())?;
    let words = Rc::new(RefCell::new(Vec::new()));
    let file = args.file.as_deref().filter(|file| *file != Path::new("-"));
    let (source, lines): (_, Box<dyn Lines>) = match file {
        Some(file) => {
            interrupt::catch_in_script();
            let name = file.display().to_string();
            let opened = std::fs::File::open(file);
            let opened = opened
                .map_err(|error| Failure::other(format!("{name} cannot be read: {error}")))?;
            (Some(name), Box::new(Plain::new(BufReader::new(opened), true)))
        }
        None if args.file.is_none() && lines::is_interactive() => {
            let complete = completion(Rc::clone(&words), rules.names());
            interrupt::catch_in_session();
            let history = lines::state_file("repl-history");
            (None, Box::new(Edited::new(complete, history, Interrupt::Cancels)?))
        }
        None => (Some("standard input".to_owned()), lines::plain_standard_input()),
    };
    let mut session = Session {
        rules,
        names: Names::default(),
        theory: args.theory.theory(),
        budget: args.theory.limits.budget(),
        work: args.theory.limits.work(),
        source,
        lines,
        words,
        gap: Gap::None,
        program: Program::default(),
    };
    for file in &args.rules.rules {
        session.program.load(&file.display().to_string());
    }
    session.run()
}

fn completion(words: Rc<RefCell<Vec<String>>>, scripts: Vec<String>) -> Complete {
    Box::new(move |line| complete::completions(line, &words.borrow(), &scripts))
}

struct Session {
    rules: Rules,
    names: Names,
    theory: Option<Theory>,
    budget: Limits,
    /// The work of the last line.
    work: Work,
    /// The source of the lines; none if a person types them.
    source: Option<String>,
    lines: Box<dyn Lines>,
    /// The assigned names, for completion.
    words: Rc<RefCell<Vec<String>>>,
    gap: Gap,
    /// The lines that are commands of the program.
    program: Program,
}

/// Whether the next answer needs an empty line before it, if there is no prompt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    /// If it has several lines.
    BeforeLong,
    Always,
}

/// The answer to a line: a text, which may be partial, and a failure.
#[derive(Default)]
struct Answer {
    text: String,
    failure: Option<Failure>,
}

impl Answer {
    fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), failure: None }
    }
}

impl Session {
    fn run(&mut self) -> Result<(), Failure> {
        if self.source.is_none() {
            print_answer_text(help::GREETING)?;
        }
        while let Some(line) = self.lines.next("> ")? {
            if let Line::Command { command: Command::Quit, rest } = Line::of(&line)
                && rest.text.is_empty()
            {
                break;
            }
            let answer = self
                .answer(&line)
                .unwrap_or_else(|failure| Answer { text: String::new(), failure: Some(failure) });
            self.print(&answer.text)?;
            match answer.failure {
                None => {}
                Some(Failure::ClosedOutput) => return Err(Failure::ClosedOutput),
                Some(failure) if self.source.is_some() => return Err(failure),
                // Report it; the session continues.
                Some(failure) => _ = failure.report(),
            }
        }
        Ok(())
    }

    /// Prints an answer, with an empty line around long ones.
    fn print(&mut self, text: &str) -> Result<(), Failure> {
        if text.is_empty() {
            return Ok(());
        }
        let is_long = text.lines().nth(1).is_some();
        if self.source.is_none() {
            return print_answer_text(&format!("{text}{}", if is_long { "\n" } else { "" }));
        }
        let apart = self.gap == Gap::Always || is_long && self.gap == Gap::BeforeLong;
        self.gap = if is_long { Gap::Always } else { Gap::BeforeLong };
        print_answer_text(&format!("{}{text}", if apart { "\n" } else { "" }))
    }

    fn answer(&mut self, line: &str) -> Result<Answer, Failure> {
        let (word, rest) = Piece::new(line, 0).first_word();
        let is_position = rest.text.starts_with([':', '[', '=', '+']);
        let is_ours = Command::named(word.text).is_some() || is_position;
        if !is_ours && (Program::is_line(word.text) || Program::is_command(word.text)) {
            return self.of_program(line, word.text, rest);
        }
        match Line::of(line) {
            Line::Nothing => Ok(Answer::default()),
            Line::Expression(expression) => {
                self.check_word(line, expression)?;
                self.of_expression(line, Command::Value, expression)
            }
            Line::Assignment { name, expression } => {
                let wrong = |error| self.wrong(line, name.at, error);
                Names::check(name, &self.rules).map_err(wrong)?;
                let (_, assigned) = self.read(line, expression)?;
                self.names.assign(name.text, assigned);
                let words = self.names.iter().map(|(name, _)| name.to_owned()).collect();
                self.words.replace(words);
                Ok(Answer::default())
            }
            Line::Command { command, rest } => self.of_command(line, command, rest),
        }
    }

    /// Runs a command of the program.
    fn of_program(&mut self, line: &str, word: &str, rest: Piece<'_>) -> Result<Answer, Failure> {
        interrupt::clear();
        if word == "load" {
            self.work = limits::work(self.budget);
            self.rules.read_within(&self.work);
            let loaded = self.rules.add(Path::new(rest.text));
            loaded.map_err(|failure| self.placed(line, rest.at, failure))?;
        }
        self.gap = Gap::Always;
        self.program.run(line).map_err(|failure| self.placed(line, 0, failure))?;
        Ok(Answer::default())
    }

    /// Returns an error for a first word that is neither a command nor part of an expression.
    fn check_word(&self, line: &str, expression: Piece<'_>) -> Result<(), Failure> {
        let (word, rest) = expression.first_word();
        let name = word.text;
        if rest.text.is_empty() || rest.text.starts_with(['+', ':', '[']) {
            return Ok(());
        }
        if find(name).is_some() || self.rules.about(name).is_some() {
            let message = "expected `:` and a position after the name of a ruleset";
            return Err(self.wrong_at(line, word.end(), message));
        }
        if self.names.get(name).is_some() {
            return Err(self.wrong_at(line, rest.at, &format!("expected `+` after `{name}`")));
        }
        if !is_identifier(name) {
            return Ok(());
        }
        let near = nearest(Command::ALL.map(Command::name), name);
        let remedy =
            near.map_or("`help` lists them".to_owned(), |near| format!("did you mean `{near}`?"));
        let message = format!("unknown command `{name}`; {remedy}");
        Err(self.wrong_at(line, word.at, &message))
    }

    fn of_command(
        &mut self,
        line: &str,
        command: Command,
        rest: Piece<'_>,
    ) -> Result<Answer, Failure> {
        match command {
            Command::Value
            | Command::Outcome
            | Command::Turn
            | Command::Turns
            | Command::Explain
            | Command::Play => self.of_expression(line, command, rest),
            Command::Theory => self.choose_theory(line, rest),
            Command::Budget => self.choose_budget(line, rest),
            Command::Help => help::help(rest.text, &self.names, &self.rules)
                .map(Answer::text)
                .map_err(|message| self.wrong_at(line, rest.at, &message)),
            Command::Vars | Command::Rulesets | Command::Quit if !rest.text.is_empty() => {
                let message = format!("expected nothing after `{}`", command.name());
                Err(self.wrong_at(line, rest.at, &message))
            }
            Command::Vars => {
                let names = self.names.iter();
                let lines = names.map(|(name, text)| format!("{name} = {text}\n"));
                Ok(Answer::text(lines.collect::<String>()))
            }
            Command::Rulesets => Ok(Answer::text(rulesets::all(&self.rules))),
            Command::Quit => Ok(Answer::default()),
        }
    }

    fn choose_theory(&mut self, line: &str, rest: Piece<'_>) -> Result<Answer, Failure> {
        match rest.text {
            "" => {
                let name = self.theory.map_or("auto", Theory::name);
                return Ok(Answer::text(format!("{name}\n")));
            }
            "auto" => self.theory = None,
            name => {
                let theory = name.parse().map_err(|_| {
                    let known = Theory::ALL.map(Theory::name).join(", ");
                    let message =
                        format!("expected a theory: auto, {known}; found `{}`", visible(name));
                    self.wrong_at(line, rest.at, &message)
                })?;
                self.theory = Some(theory);
            }
        }
        Ok(Answer::default())
    }

    fn choose_budget(&mut self, line: &str, rest: Piece<'_>) -> Result<Answer, Failure> {
        if rest.text.is_empty() {
            return Ok(Answer::text(format!("{}\n", self.budget.positions)));
        }
        let positions = rest.text.parse().map_err(|_| {
            let message = format!("expected a number of positions, found `{}`", visible(rest.text));
            self.wrong_at(line, rest.at, &message)
        })?;
        self.budget = Limits { positions, ..self.budget };
        Ok(Answer::default())
    }

    /// Reads an expression with names in it.
    fn read(
        &mut self,
        line: &str,
        expression: Piece<'_>,
    ) -> Result<(AnyExpression, Assigned), Failure> {
        interrupt::clear();
        self.work = limits::work(self.budget);
        self.rules.read_within(&self.work);
        self.rules.forget_streams();
        let read = self.names.read(expression, &mut self.rules);
        read.map_err(|error| self.wrong(line, expression.trimmed().at, error))
    }

    fn of_expression(
        &mut self,
        line: &str,
        command: Command,
        expression: Piece<'_>,
    ) -> Result<Answer, Failure> {
        let (side, expression) = match command {
            Command::Play => side(expression),
            _ => (None, expression),
        };
        let (read, assigned) = self.read(line, expression)?;
        let at = expression.trimmed().at;
        let read = match read {
            AnyExpression::Impartial(read) => read,
            AnyExpression::Mixed(read) => {
                return self.of_partizan(line, command, at, read, assigned, side);
            }
        };
        if let Some((_, place)) = side {
            let message = format!("a side {}", play::NOT_PARTIZAN);
            return Err(self.wrong_at(line, place, &message));
        }
        let solved = solution_or(read, self.theory, &self.work, LIMITS);
        self.rules.flush();
        let solution = solved.map_err(|failure| self.placed(line, at, failure))?;
        self.names.answered(assigned);
        if command == Command::Play {
            return self.play(|lines| play::play(solution, PLAYERS, lines));
        }
        let mut answer = answer_of(solution, command);
        answer.failure = answer.failure.map(|failure| self.placed(line, at, failure));
        Ok(answer)
    }

    /// The same for a sum with a partizan component; `at` is where it begins.
    fn of_partizan(
        &mut self,
        line: &str,
        command: Command,
        at: usize,
        read: MixedExpression,
        assigned: Assigned,
        side: Option<(Side, usize)>,
    ) -> Result<Answer, Failure> {
        let refused = match command {
            Command::Turns | Command::Explain => Some(format!("`{}` is", command.name())),
            Command::Play => None,
            _ => self.theory.map(|theory| format!("the {theory} theory (see `theory auto`) is")),
        };
        if let Some(what) = refused {
            let message =
                format!("{what} only for sums of impartial games, and this sum is partizan");
            return Err(self.wrong_at(line, at, &message));
        }
        let wrong = |at, message: &str| self.wrong_at(line, at, message);
        let solved = partizan::solution(read, &self.work, LIMITS, wrong);
        let solution = solved.map_err(|failure| match failure {
            // It already has its place.
            Failure::Input { context: Some(_), .. } => failure,
            failure => self.placed(line, at, failure),
        })?;
        self.names.answered(assigned);
        if command == Command::Play {
            let side = side.map_or(Side::Left, |(side, _)| side);
            return self.play(|lines| play::play_partizan(solution, PLAYERS, side, lines));
        }
        let mut answer = partizan_answer_of(solution, command);
        answer.failure = answer.failure.map(|failure| self.placed(line, at, failure));
        Ok(answer)
    }

    /// Plays a game. At a terminal it has its own completion and no history.
    fn play(
        &mut self,
        game: impl FnOnce(&mut dyn Lines) -> Result<(), Failure>,
    ) -> Result<Answer, Failure> {
        if self.source.is_none() {
            game(lines::standard_input(play::completion())?.as_mut())?;
        } else {
            self.gap = Gap::Always;
            game(self.lines.as_mut())?;
        }
        Ok(Answer::default())
    }

    /// An error in a line or in a file that it names.
    fn wrong(&self, line: &str, at: usize, error: ExpressionError) -> Failure {
        match error {
            ExpressionError::Text { at, message } | ExpressionError::Vacant { at, message } => {
                self.wrong_at(line, at, &message)
            }
            ExpressionError::Limit { at, message } => {
                self.wrong_at(line, at, &message).into_limit()
            }
            ExpressionError::Unreadable { message } => {
                self.placed(line, at, Failure::other(message))
            }
            ExpressionError::Interrupted { interrupted, .. } => {
                self.placed(line, at, limits::interrupted(interrupted, error, LIMITS))
            }
            error => self.placed(line, at, Failure::input(error.to_string())),
        }
    }

    /// An error at a byte of a line.
    fn wrong_at(&self, line: &str, at: usize, message: &str) -> Failure {
        let at = at.min(line.len());
        Failure::in_text(&self.place(line, at), message, snippet(line.as_bytes(), at))
    }

    /// Adds the place of the expression to a failure without one.
    fn placed(&self, line: &str, at: usize, failure: Failure) -> Failure {
        if self.source.is_none() {
            return failure;
        }
        let place = self.place(line, at);
        match failure {
            Failure::Input { message, context } => Failure::Input {
                message: format!("{place}{message}"),
                context: context.or_else(|| snippet(line.as_bytes(), at)),
            },
            Failure::Budget { message } => Failure::Budget { message: format!("{place}{message}") },
            Failure::Limit { message, context } => {
                Failure::Limit { message: format!("{place}{message}"), context }
            }
            Failure::Other { message } => Failure::Other { message: format!("{place}{message}") },
            Failure::Stopped { message } => {
                Failure::Stopped { message: format!("{place}{message}") }
            }
            Failure::ClosedOutput => Failure::ClosedOutput,
        }
    }

    /// Source, line and column; at a terminal only the column.
    fn place(&self, line: &str, at: usize) -> String {
        let (_, column) = line_and_column(line.as_bytes(), at);
        match &self.source {
            Some(source) => format!("{source}:{}:{column}: ", self.lines.count()),
            None => format!("column {column}: "),
        }
    }
}

/// A side before an expression, with its place, and the expression.
fn side(expression: Piece<'_>) -> (Option<(Side, usize)>, Piece<'_>) {
    let (word, rest) = expression.first_word();
    let side = match word.text {
        "left" => Side::Left,
        "right" => Side::Right,
        _ => return (None, expression),
    };
    // It may be the name of an expression.
    if rest.text.is_empty() || rest.text.starts_with('+') {
        return (None, expression);
    }
    (Some((side, word.at)), rest)
}

/// The answer to a command about a partizan sum.
fn partizan_answer_of(mut solution: PartizanSolution, command: Command) -> Answer {
    let (report, missing) = PartizanSumReport::new(&mut solution);
    let (text, is_complete) = match command {
        Command::Outcome => (report.outcome.text(), report.outcome.0.iter().all(Option::is_some)),
        Command::Turn => {
            let turns = [report.turns.left, report.turns.right];
            let texts = Side::BOTH.into_iter().zip(&turns);
            let texts = texts.filter_map(|(side, turn)| Some(turn.as_ref()?.text(side)));
            (texts.collect::<Vec<_>>().join("\n"), turns.iter().all(Option::is_some))
        }
        _ => {
            if let Some(Missing::Turn(interrupted)) = missing {
                let failure = limits::interrupted(interrupted, interrupted, LIMITS);
                value::note_turn(&failure.into_message());
            }
            (report.text(), matches!(missing, Some(Missing::Turn(_))))
        }
    };
    let interrupted = missing.filter(|_| !is_complete).map(Missing::into_reason);
    let failure =
        interrupted.map(|interrupted| limits::interrupted(interrupted, interrupted, LIMITS));
    Answer { text, failure }
}

/// The answer to a command about a sum.
fn answer_of(mut solution: Solution, command: Command) -> Answer {
    let start = solution.start().clone();
    let answer = match command {
        Command::Outcome => {
            solution.outcome(&start).map(|outcome| format!("{}\n", outcome_words(Some(outcome))))
        }
        Command::Turn => solution.answer(&start).map(|answer| match answer.turn {
            Some(turn) => {
                TurnReport::of_positions(turn, Some(answer.guide)).text(solution.theory())
            }
            None => "No turn was found.\n".to_owned(),
        }),
        Command::Turns => solution.best_turns(&start, TURNS).map(|found| {
            let turns = found.turns.into_iter();
            let turns: Vec<_> = turns.map(|turn| TurnReport::of_positions(turn, None)).collect();
            turns_text(&turns, found.truncated)
        }),
        Command::Explain => {
            let (explanations, missing) = ExplanationReport::of_placement(&mut solution, &start);
            let explained = value::explanations_text(&explanations);
            let Some(error) = missing else { return Answer::text(explained) };
            // Components without an explanation still have a value.
            let (report, _) = SumReport::of_placement(&mut solution, &start, None);
            let mut text = report.text();
            if !explained.is_empty() {
                text = format!("{text}\n{explained}");
            }
            return Answer { text, failure: Some(value::failure(&error, LIMITS)) };
        }
        _ => {
            let (report, missing) = SumReport::of_placement(&mut solution, &start, None);
            if let Some(Missing::Turn(error)) = &missing {
                value::note_turn(&value::failure(error, LIMITS).into_message());
            }
            let failure = match missing.and_then(Missing::into_lack) {
                Some(error) => Some(value::failure(&error, LIMITS)),
                None => value::complete(&solution, LIMITS).err(),
            };
            return Answer { text: report.text(), failure };
        }
    };
    match answer {
        Ok(text) => Answer::text(text),
        Err(error) => Answer { text: String::new(), failure: Some(value::failure(&error, LIMITS)) },
    }
}
