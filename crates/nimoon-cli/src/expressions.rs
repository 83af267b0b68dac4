//! Expressions on the command line: their sources, and the rulesets and files that they name.

use std::io::{IsTerminal, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nimoon::ruleset::memory::Memory;
use nimoon::ruleset::{Remembered, Ruleset};
use nimoon::solve::solution::{Solution, SolutionError};
use nimoon::{Positions, Progress, Theory, Work};
use nimoon_formats::read::{line_and_column, snippet};
use nimoon_formats::streams;
use nimoon_script::{Limits, Script, ScriptError, Setup};
use nimoon_session::expression::{
    AnyExpression, AnyPositions, Expression, ExpressionError, Library, of_script,
};
use nimoon_session::rule_files::{ContentsError, RuleFiles, contents};
use nimoon_session::{Error, ErrorKind};
use nimoon_store::{Options, Store, StoreError};

use crate::args::{RulesArgs, StoreArgs, TheoryArgs};
use crate::failure::Failure;
use crate::limits::{self, LimitNames, OPTIONS};
use crate::long_lights::LongLights;
use crate::output::complain;
use crate::reading;

/// The kinds of arguments.
pub(crate) enum Given {
    /// Any expression.
    Text(Text),
    /// A fixture of lights that is too long for memory.
    Lights(LongLights),
}

/// An expression as it was given: `-` is standard input, `@FILE` a file.
pub(crate) struct Text {
    /// Its source; none for the command line itself.
    source: Option<String>,
    text: String,
}

impl Text {
    /// The text of an argument, read within these limits.
    pub(crate) fn of_argument(argument: &str, work: &Work) -> Result<Self, Failure> {
        let most = reading::MOST_OF_EXPRESSION;
        let (source, bytes) = if argument == "-" {
            let source = reading::STANDARD_INPUT;
            (source, reading::all(reading::standard_input(work), source, most, work)?)
        } else if let Some(file) = argument.strip_prefix('@') {
            (file, reading::file(named(file)?, most, work)?)
        } else {
            return Ok(Self { source: None, text: argument.to_owned() });
        };
        let text = reading::text(bytes, source)?;
        Ok(Self { source: Some(source.to_owned()), text })
    }

    /// The text of an argument, or the answer if it is a fixture of lights that is too long for
    /// memory. A script may be called `lights`, so this requires that no script is given.
    pub(crate) fn of_argument_or_lights(
        argument: &str,
        rules: &RulesArgs,
        work: &Work,
    ) -> Result<Given, Failure> {
        let most = reading::MOST_OF_EXPRESSION;
        let (source, mut reader): (&str, Box<dyn Read>) = if argument == "-" {
            (reading::STANDARD_INPUT, Box::new(reading::standard_input(work)))
        } else if let Some(file) = argument.strip_prefix('@') {
            (file, Box::new(streams::open(named(file)?, work)))
        } else {
            return Self::of_argument(argument, work).map(Given::Text);
        };
        let (bytes, more) = reading::beginning(&mut reader, source, most, work)?;
        if !more {
            let text = reading::text(bytes, source)?;
            return Ok(Given::Text(Self { source: Some(source.to_owned()), text }));
        }
        if !rules.rules.is_empty() || !LongLights::is_named(&bytes) {
            return Err(reading::too_long(source, most));
        }
        LongLights::read(source, bytes, reader).map(Given::Lights)
    }

    /// A text that does not come from an argument.
    pub(crate) fn new(text: &str) -> Self {
        Self { source: None, text: text.to_owned() }
    }

    /// Reads the expression.
    pub(crate) fn read(&self, rules: &mut Rules) -> Result<Expression, Failure> {
        Expression::read(&self.text, rules).map_err(|error| self.failure(error))
    }

    /// Reads an expression that may name partizan rulesets.
    pub(crate) fn read_any(&self, rules: &mut Rules) -> Result<AnyExpression, Failure> {
        AnyExpression::read(&self.text, rules).map_err(|error| self.failure(error))
    }

    /// Converts an error in the text, or in a file that it names.
    pub(crate) fn failure(&self, error: ExpressionError) -> Failure {
        match error {
            ExpressionError::Text { at, message } | ExpressionError::Vacant { at, message } => {
                self.wrong(at, &message)
            }
            ExpressionError::Limit { at, message } => self.wrong(at, &message).into_limit(),
            ExpressionError::Unreadable { message } => Failure::other(message),
            ExpressionError::Interrupted { interrupted, .. } => {
                limits::interrupted(interrupted, error, OPTIONS)
            }
            error => Failure::input(error.to_string()),
        }
    }

    /// The failure for an error of the session, whose place is in this text.
    pub(crate) fn unanswered(&self, error: &Error) -> Failure {
        if let Some(ended) = error.interrupted {
            return limits::interrupted(ended, error, OPTIONS);
        }
        match (error.kind, error.place) {
            (ErrorKind::Budget | ErrorKind::Time, _) => Failure::limit(&error.message),
            (ErrorKind::File | ErrorKind::Bug, _) => Failure::other(&*error.message),
            (_, Some((line, column))) => self.wrong(self.offset(line, column), &error.message),
            (_, None) => Failure::of_lines(&error.message),
        }
    }

    /// The byte at a line and a column.
    fn offset(&self, line: usize, column: usize) -> usize {
        let before = self.text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
        let rest = &self.text[before..];
        before + rest.char_indices().nth(column - 1).map_or(rest.len(), |(at, _)| at)
    }

    /// The text itself.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// An error at a place of the text.
    pub(crate) fn wrong(&self, at: usize, message: &str) -> Failure {
        let bytes = self.text.as_bytes();
        let (line, column) = line_and_column(bytes, at);
        let source = self.source.as_ref().map_or(String::new(), |source| format!("{source}:"));
        let shown = snippet(bytes, at.min(bytes.len()));
        Failure::in_text(&format!("{source}{line}:{column}: "), message, shown)
    }
}

/// The file name after an `@`.
fn named(file: &str) -> Result<&Path, Failure> {
    if file.is_empty() {
        return Err(Failure::input("expected the name of a file after `@`"));
    }
    Ok(Path::new(file))
}

/// The rulesets of the catalogue and those of scripts, and the files that expressions name.
#[derive(Default)]
pub(crate) struct Rules {
    scripts: Vec<Script>,
    /// The description of each script.
    about: Vec<AboutScript>,
    sources: RuleFiles,
    /// The store of solved positions.
    store: Option<Arc<Store>>,
    /// The limits for reading expressions.
    work: Work,
}

/// The description of a script.
pub(crate) struct AboutScript {
    /// Its file name.
    pub(crate) file: String,
    /// The comment at its beginning.
    pub(crate) comment: String,
    /// The complete text.
    pub(crate) source: String,
}

impl AboutScript {
    fn new(file: &str, source: String) -> Self {
        let comment = source.lines().map_while(|line| line.trim().strip_prefix("//"));
        let comment: Vec<&str> =
            comment.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
        Self { file: file.to_owned(), comment: comment.join("\n"), source }
    }
}

impl Rules {
    /// Reads the scripts. The limits apply to them and to expressions.
    pub(crate) fn new(args: &RulesArgs, work: &Work) -> Result<Self, Failure> {
        let mut rules = Self { work: work.clone(), ..Self::default() };
        for path in &args.rules {
            rules.add(path)?;
        }
        Ok(rules)
    }

    /// Adds a script.
    pub(crate) fn add(&mut self, path: &Path) -> Result<(), Failure> {
        let file = path.display().to_string();
        let limits = Limits::default();
        let source = contents(path, limits.script as u64, &self.work);
        let source = source.map_err(|error| {
            let is_limit = matches!(error, ContentsError::TooLong { .. });
            let failure = Text::new("").failure(error.into());
            if is_limit { failure.into_limit() } else { failure }
        })?;
        let source = reading::text(source, &file)?;
        let print = Arc::new(|line: &str| complain(format_args!("{line}")));
        let setup = Setup { limits, print: Some(print), ..Setup::default() };
        let script = Script::with(&file, &source, &setup).map_err(|error| {
            let failure = Failure::of_lines(&error.to_string());
            if error.is_limit() { failure.into_limit() } else { failure }
        })?;
        for warning in script.warnings() {
            complain(format_args!("warning: {warning}"));
        }
        if self.scripts.iter().any(|other| other.name() == script.name()) {
            let name = script.name();
            return Err(Failure::input(format!("{file}: two scripts are called `{name}`")));
        }
        self.scripts.push(script);
        self.sources.given(path, source.as_bytes());
        self.about.push(AboutScript::new(&file, source));
        Ok(())
    }

    /// The same with a store, if the user named one.
    pub(crate) fn with_store(
        args: &RulesArgs,
        store: &StoreArgs,
        work: &Work,
    ) -> Result<Self, Failure> {
        let mut rules = Self::new(args, work)?;
        if let Some(file) = &store.store {
            let store = Store::open(file, Options::default()).map_err(|error| of_store(&error))?;
            rules.store = Some(Arc::new(store));
        }
        Ok(rules)
    }

    /// Sets the limits for reading expressions.
    pub(crate) fn read_within(&mut self, work: &Work) {
        self.work = work.clone();
    }

    /// Reads pipes again from now on.
    pub(crate) fn forget_streams(&mut self) {
        self.sources.forget_streams();
    }

    /// The store of solved positions.
    pub(crate) fn store(&self) -> Option<&Arc<Store>> {
        self.store.as_ref()
    }

    /// The checksum of all files that the rules come from.
    pub(crate) fn files(&self) -> u64 {
        self.sources.all()
    }

    /// Writes the new entries to the file of the store. A failure is a warning and not an error: it
    /// costs only the time to solve the positions again.
    pub(crate) fn flush(&self) {
        if let Some(Err(error)) = self.store.as_ref().map(|store| store.flush()) {
            complain(format_args!(
                "warning: could not update the store, so some positions will be solved again: {error}"
            ));
        }
    }

    /// The description of each script.
    pub(crate) fn scripts(&self) -> impl Iterator<Item = (String, &AboutScript)> {
        self.scripts.iter().map(Ruleset::name).zip(&self.about)
    }

    /// The description of the script with this name.
    pub(crate) fn about(&self, name: &str) -> Option<&AboutScript> {
        let number = self.scripts.iter().position(|script| script.name() == name)?;
        self.about.get(number)
    }
}

impl Library for Rules {
    fn file(&mut self, name: &str, most: u64) -> Result<Vec<u8>, ExpressionError> {
        Ok(self.sources.read(Path::new(name), most, &self.work)?)
    }

    /// A script hides a ruleset of the catalogue with the same name.
    fn scripted(
        &mut self,
        name: &str,
        parameters: Option<&str>,
    ) -> Option<Result<AnyPositions, ScriptError>> {
        let number = self.scripts.iter().position(|script| script.name() == name)?;
        let AboutScript { file, source, .. } = &self.about[number];
        self.sources.named(Path::new(file), source.as_bytes());
        Some(of_script(&self.scripts[number], parameters, &self.work))
    }

    fn work(&self) -> Option<&Work> {
        Some(&self.work)
    }

    fn names(&self) -> Vec<String> {
        self.scripts.iter().map(Ruleset::name).collect()
    }

    fn remembering(&mut self, made: Box<dyn Positions>) -> Box<dyn Positions> {
        let sources = self.sources.of_ruleset();
        match &self.store {
            // Computing the options of a heap is faster than reading them.
            Some(store) if made.sequence().is_none() => {
                let memory: Arc<dyn Memory> = Arc::clone(store) as _;
                Box::new(Remembered::new(made, memory, &sources))
            }
            _ => made,
        }
    }
}

/// Converts an error of a store: a file of another kind is bad input.
pub(crate) fn of_store(error: &StoreError) -> Failure {
    if let StoreError::Interrupted { interrupted, .. } = *error {
        limits::interrupted(interrupted, error, OPTIONS)
    } else if error.is_wrong_file() {
        Failure::input(error.to_string())
    } else {
        Failure::other(error.to_string())
    }
}

/// Explores and labels the positions of an expression, with a line of progress on a terminal.
pub(crate) fn solution(
    expression: Expression,
    theory: &TheoryArgs,
    work: &Work,
) -> Result<Solution, Failure> {
    solution_within(expression, theory.theory(), work)
}

/// The same with a theory, or the smallest that fits, and a budget.
pub(crate) fn solution_within(
    expression: Expression,
    theory: Option<Theory>,
    work: &Work,
) -> Result<Solution, Failure> {
    solution_or(expression, theory, work, OPTIONS)
}

/// The same, with the names of the limits.
pub(crate) fn solution_or(
    expression: Expression,
    theory: Option<Theory>,
    work: &Work,
    names: LimitNames,
) -> Result<Solution, Failure> {
    let line = Arc::new(Mutex::new(ProgressLine::new()));
    let shown = Arc::clone(&line);
    let work = work.child(work.limits()).on_progress(move |progress| {
        shown.lock().unwrap_or_else(PoisonError::into_inner).show(progress);
    });
    let Expression { fields, terms } = expression;
    let found = Solution::new(fields, &terms, theory, &work);
    line.lock().unwrap_or_else(PoisonError::into_inner).clear();
    found.map_err(|error| unsolved(&error, names))
}

/// Why positions were not explored or labelled.
pub(crate) fn unsolved(error: &SolutionError, names: LimitNames) -> Failure {
    match error.interrupted() {
        Some(interrupted) => limits::interrupted(interrupted, error, names),
        None if error.is_limit_of_rules() => Failure::limit(&error.to_string()),
        None => Failure::of_lines(&error.to_string()),
    }
}

/// The progress of the explorer, on standard error if that is a terminal.
struct ProgressLine {
    terminal: bool,
    shown: Option<Instant>,
    start: Instant,
    /// The number of the current question, its start, and the largest share of it that was
    /// reported as answered, in thousandths.
    question: (u32, Instant, u16),
}

impl ProgressLine {
    fn new() -> Self {
        let start = Instant::now();
        let terminal = std::io::stderr().is_terminal();
        Self { terminal, shown: None, start, question: (0, start, 0) }
    }

    fn show(&mut self, progress: Progress) {
        /// Quick answers need no progress.
        const AFTER: Duration = Duration::from_millis(500);
        const EVERY: Duration = Duration::from_millis(100);
        if !self.terminal
            || self.start.elapsed() <= AFTER
            || self.shown.is_some_and(|shown| shown.elapsed() <= EVERY)
        {
            return;
        }
        let message = match progress {
            Progress::Searching { visited, kept, filled, question, answered } => {
                let seconds = self.start.elapsed().as_secs();
                let left = self.time_left(question, answered);
                format!(
                    "searching: {visited} positions in {seconds} s, {kept} stored in {filled} % of \
                     the memory; {left}"
                )
            }
            Progress::Exploring { expanded, met, options } => {
                format!("exploring: {expanded} of {met} positions, {options} options")
            }
            _ => return,
        };
        self.shown = Some(Instant::now());
        eprint!("\r\x1b[K{message}");
    }

    /// An estimate of the time left for a question.
    fn time_left(&mut self, question: u32, answered: u16) -> String {
        let (asked, since, most) = &mut self.question;
        if *asked != question {
            (*asked, *since, *most) = (question, Instant::now(), 0);
        }
        *most = answered.clamp(*most, 1000);
        match f64::from(*most) / 1000.0 {
            0.0 => "no estimate of the time left yet".to_owned(),
            share => {
                let left = since.elapsed().as_secs_f64() * (1.0 - share) / share;
                format!("perhaps {} s left for question {}", left.ceil(), question + 1)
            }
        }
    }

    /// Clears the line and stops showing progress.
    fn clear(&mut self) {
        if self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
        self.terminal = false;
    }
}
