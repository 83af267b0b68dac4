//! The ways in which a command can fail, with their messages and exit codes.

use std::io;
use std::process::ExitCode;

use crate::interrupt;
use crate::output::complain;

/// The kinds of failures.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input or the arguments are wrong: one line, and lines that show where.
    Input { message: String, context: Option<String> },
    /// A limit was reached; nimoon has printed what is known.
    Budget { message: String },
    /// A script reached one of its limits: one line, and lines that show where.
    Limit { message: String, context: Option<String> },
    /// A signal stopped the command; nimoon has printed what is known.
    Stopped { message: String },
    /// The reader of standard output closed it, which is not an error.
    ClosedOutput,
    /// Anything else.
    Other { message: String },
}

impl Failure {
    /// The exit code for files that cannot be opened, and for bugs.
    pub(crate) const OTHER: u8 = 1;
    const INPUT: u8 = 2;
    const BUDGET: u8 = 3;

    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::Input { message: message.into(), context: None }
    }

    /// Wrong input, in several lines: the first is the message, the others show where.
    pub(crate) fn of_lines(text: &str) -> Self {
        let (message, context) = match text.split_once('\n') {
            Some((message, rest)) => (message, Some(rest.to_owned())),
            None => (text, None),
        };
        Self::Input { message: message.to_owned(), context }
    }

    /// The same about a line of a file.
    pub(crate) fn in_line(self, file: &str, line: usize) -> Self {
        let placed = |message: String| format!("{file}:{line}: {message}");
        match self {
            Self::Input { message, context } => Self::Input { message: placed(message), context },
            Self::Budget { message } => Self::Budget { message: placed(message) },
            Self::Limit { message, context } => Self::Limit { message: placed(message), context },
            Self::Stopped { message } => Self::Stopped { message: placed(message) },
            Self::Other { message } => Self::Other { message: placed(message) },
            Self::ClosedOutput => Self::ClosedOutput,
        }
    }

    /// The same about the text of an option.
    pub(crate) fn in_option(self, option: &str) -> Self {
        match self {
            Self::Input { message, context } => {
                Self::Input { message: format!("{option}: {message}"), context }
            }
            other => other,
        }
    }

    /// A limit of a script, in several lines.
    pub(crate) fn limit(text: &str) -> Self {
        Self::of_lines(text).into_limit()
    }

    /// Turns wrong input into a limit of a script, with the same message.
    pub(crate) fn into_limit(self) -> Self {
        match self {
            Self::Input { message, context } => Self::Limit { message, context },
            other => other,
        }
    }

    /// Wrong input at a place; `shown` is the text around it. Further lines of the message follow
    /// below it.
    pub(crate) fn in_text(place: &str, message: &str, shown: Option<String>) -> Self {
        let (message, more) = match message.split_once('\n') {
            Some((message, more)) => (message, Some(more.to_owned())),
            None => (message, None),
        };
        let context: Vec<_> = shown.into_iter().chain(more).collect();
        let context = (!context.is_empty()).then(|| context.join("\n"));
        Self::Input { message: format!("{place}{message}"), context }
    }

    pub(crate) fn other(message: impl Into<String>) -> Self {
        Self::Other { message: message.into() }
    }

    /// Whether a limit or a signal ended the work, so that partial results should be printed.
    pub(crate) fn is_cut(&self) -> bool {
        matches!(self, Self::Budget { .. } | Self::Limit { .. } | Self::Stopped { .. })
    }

    /// The message, in one line.
    pub(crate) fn into_message(self) -> String {
        match self {
            Self::Input { message, .. }
            | Self::Budget { message }
            | Self::Limit { message, .. }
            | Self::Stopped { message }
            | Self::Other { message } => message,
            Self::ClosedOutput => String::new(),
        }
    }

    /// Prints the error and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        let (code, message, context) = match self {
            Self::Input { message, context } => (Self::INPUT, message, context),
            Self::Budget { message } => (Self::BUDGET, message, None),
            Self::Limit { message, context } => (Self::BUDGET, message, context),
            Self::Stopped { message } if interrupt::answered() => (interrupt::ENDED, message, None),
            Self::Stopped { message } => {
                (interrupt::ENDED, format!("{message}: nothing is known yet"), None)
            }
            Self::Other { message } => (Self::OTHER, message, None),
            Self::ClosedOutput => return ExitCode::SUCCESS,
        };
        // Names from files may contain control characters; the message stays one line.
        complain(format_args!("error: {}", harmless(&message)));
        for line in context.iter().flat_map(|context| context.lines()) {
            complain(format_args!("  | {}", harmless_but_tabs(line)));
        }
        ExitCode::from(code)
    }
}

/// Prints the output of clap: help and version as an answer, wrong arguments as an error.
pub(crate) fn report_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return match error.print() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Failure::other(format!("standard output cannot be written: {error}")).report()
            }
            // The reader closed the output early.
            _ => ExitCode::SUCCESS,
        };
    }
    // The text quotes arguments, which may contain control characters.
    for (i, line) in error.render().to_string().lines().enumerate() {
        let indent = if i > 0 && line.starts_with("error:") { "  " } else { "" };
        complain(format_args!("{indent}{}", harmless(line)));
    }
    ExitCode::from(Failure::INPUT)
}

/// The same, but keeps tabs, for lines of a script.
fn harmless_but_tabs(text: &str) -> String {
    text.split('\t').map(harmless).collect::<Vec<_>>().join("\t")
}

/// The text without control characters.
fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}
