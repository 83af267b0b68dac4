//! Expressions on the command line: where they come from, and what they name.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use nimoon::explore::{ExploreError, Progress};
use nimoon::ruleset::{Interned, Ruleset, SearchProgress};
use nimoon::solution::{Solution, SolutionError};
use nimoon::{Budget, Positions, Theory};
use nimoon_formats::read::{line_and_column, snippet};
use nimoon_rulesets::expression::{AnyExpression, Expression, ExpressionError, Library};
use nimoon_script::{Limits, Script};

use crate::args::{RulesArgs, TheoryArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::reading;

/// An expression as it was given: `-` is standard input, `@FILE` a file.
pub(crate) struct Text {
    /// Where it is from; none for the command line itself.
    source: Option<String>,
    text: String,
}

impl Text {
    /// The text of an argument.
    pub(crate) fn of_argument(argument: &str) -> Result<Self, Failure> {
        let most = reading::MOST_OF_EXPRESSION;
        let (source, bytes) = if argument == "-" {
            let source = "standard input";
            (source, reading::all(std::io::stdin().lock(), source, most)?)
        } else if let Some(file) = argument.strip_prefix('@') {
            (file, reading::file(Path::new(file), most)?)
        } else {
            return Ok(Self { source: None, text: argument.to_owned() });
        };
        let text = reading::text(bytes, source)?;
        Ok(Self { source: Some(source.to_owned()), text })
    }

    /// A text that is no argument.
    pub(crate) fn new(text: &str) -> Self {
        Self { source: None, text: text.to_owned() }
    }

    /// Reads the expression.
    pub(crate) fn read(&self, rules: &mut Rules) -> Result<Expression, Failure> {
        Expression::read(&self.text, rules).map_err(|error| self.failure(error))
    }

    /// Reads the expression, which may name partizan rulesets.
    pub(crate) fn read_any(&self, rules: &mut Rules) -> Result<AnyExpression, Failure> {
        AnyExpression::read(&self.text, rules).map_err(|error| self.failure(error))
    }

    /// What to tell about an error in the text or in a file that it names.
    pub(crate) fn failure(&self, error: ExpressionError) -> Failure {
        match error {
            ExpressionError::Text { at, message } | ExpressionError::Vacant { at, message } => {
                self.wrong(at, &message)
            }
            ExpressionError::File { message } => Failure::input(message),
            ExpressionError::Unreadable { message } => Failure::other(message),
        }
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

/// The rulesets of the catalogue and those of scripts, and the files that expressions name.
#[derive(Default)]
pub(crate) struct Rules {
    scripts: Vec<Script>,
    /// For each script, what there is to tell about it.
    about: Vec<AboutScript>,
}

/// What there is to tell about a script.
pub(crate) struct AboutScript {
    /// Where it is from.
    pub(crate) file: String,
    /// The comment that it begins with.
    pub(crate) comment: String,
    /// All of it.
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
    /// Reads the scripts.
    pub(crate) fn new(args: &RulesArgs) -> Result<Self, Failure> {
        let mut rules = Self::default();
        for path in &args.rules {
            let file = path.display().to_string();
            let limits = Limits::default();
            let source = reading::file(path, limits.script as u64)?;
            let source = reading::text(source, &file)?;
            let script = Script::compile(&file, &source, limits)
                .map_err(|error| Failure::of_lines(&error.to_string()))?;
            if rules.scripts.iter().any(|other| other.name() == script.name()) {
                let name = script.name();
                return Err(Failure::input(format!("{file}: there are two scripts for `{name}`")));
            }
            rules.scripts.push(script);
            rules.about.push(AboutScript::new(&file, source));
        }
        Ok(rules)
    }

    /// What there is to tell about each script.
    pub(crate) fn scripts(&self) -> impl Iterator<Item = (String, &AboutScript)> {
        self.scripts.iter().map(Ruleset::name).zip(&self.about)
    }

    /// What there is to tell about the script with this name.
    pub(crate) fn about(&self, name: &str) -> Option<&AboutScript> {
        let number = self.scripts.iter().position(|script| script.name() == name)?;
        self.about.get(number)
    }
}

impl Library for Rules {
    fn file(&mut self, name: &str, most: u64) -> Result<Vec<u8>, ExpressionError> {
        reading::large_file(Path::new(name), most).map_err(|failure| match failure {
            Failure::Input { message, .. } => ExpressionError::File { message },
            failure => ExpressionError::Unreadable { message: failure.into_message() },
        })
    }

    /// A script comes before a ruleset of the catalogue with the same name.
    fn ruleset(&mut self, name: &str) -> Option<Box<dyn Positions>> {
        let script = self.scripts.iter().find(|script| script.name() == name)?;
        Some(Box::new(Interned::new(script.clone())))
    }

    fn names(&self) -> Vec<String> {
        self.scripts.iter().map(Ruleset::name).collect()
    }
}

/// Explores and labels what an expression says, with a line of progress on a terminal.
pub(crate) fn solution(expression: Expression, theory: &TheoryArgs) -> Result<Solution, Failure> {
    solution_within(expression, theory.theory(), theory.budget())
}

/// The same with a theory, or the smallest that fits, and a budget.
pub(crate) fn solution_within(
    expression: Expression,
    theory: Option<Theory>,
    budget: Budget,
) -> Result<Solution, Failure> {
    solution_or(expression, theory, budget, RAISE)
}

/// How a budget is raised on the command line.
pub(crate) const RAISE: &str = "raise it by --budget";

/// The same, with what to tell a user whose budget was hit.
pub(crate) fn solution_or(
    expression: Expression,
    theory: Option<Theory>,
    budget: Budget,
    raise: &str,
) -> Result<Solution, Failure> {
    let mut line = ProgressLine::new();
    let Expression { fields, terms } = expression;
    let mut found =
        Solution::new(fields, &terms, theory, budget, &mut |progress| line.show(progress));
    line.clear();
    if let Ok(solution) = &mut found {
        solution.break_off_if(interrupt::asked);
    }
    found.map_err(|error| match error {
        SolutionError::Explore(ExploreError::OverBudget { .. })
        | SolutionError::TooLarge { .. }
        | SolutionError::SearchOverBudget { .. } => {
            Failure::Budget { message: format!("{error}; {raise}") }
        }
        SolutionError::Explore(ExploreError::Stopped(_)) => Failure::other(error.to_string()),
        error => Failure::of_lines(&error.to_string()),
    })
}

/// What the explorer is doing, on standard error if that is a terminal.
struct ProgressLine {
    terminal: bool,
    shown: Option<Instant>,
    start: Instant,
}

impl ProgressLine {
    fn new() -> Self {
        Self { terminal: std::io::stderr().is_terminal(), shown: None, start: Instant::now() }
    }

    fn show(&mut self, progress: Progress) -> ControlFlow<()> {
        /// Quick answers need no progress.
        const AFTER: Duration = Duration::from_millis(500);
        const EVERY: Duration = Duration::from_millis(100);
        if self.terminal
            && self.start.elapsed() > AFTER
            && self.shown.is_none_or(|shown| shown.elapsed() > EVERY)
        {
            self.shown = Some(Instant::now());
            let Progress { expanded, met, options, search } = progress;
            if let Some(SearchProgress { looked_at, kept, filled }) = search {
                let seconds = self.start.elapsed().as_secs();
                eprint!(
                    "\r\x1b[Ksearching: {looked_at} positions in {seconds} s, {kept} kept in \
                     {filled} % of the memory"
                );
            } else {
                eprint!("\r\x1b[Kexploring: {expanded} of {met} positions, {options} options");
            }
        }
        if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn clear(&self) {
        if self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
