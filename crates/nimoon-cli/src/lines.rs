//! Lines from a person, a pipe or a file.

use std::io::{BufRead, IsTerminal, Read};
use std::path::PathBuf;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use crate::failure::Failure;
use crate::interrupt;

/// A source of lines.
pub(crate) trait Lines {
    /// The next line, without its end; none at the end of the input.
    fn next(&mut self, prompt: &str) -> Result<Option<String>, Failure>;

    /// Whether a transcript must repeat the lines, because they are not on the screen.
    fn is_echoed(&self) -> bool {
        false
    }

    /// How many lines were read so far.
    fn count(&self) -> usize;
}

/// Lines without editing: a pipe, a file, or a terminal whose output goes elsewhere.
pub(crate) struct Plain<R> {
    reader: R,
    echo: bool,
    count: usize,
}

impl<R: BufRead> Plain<R> {
    /// Reads to the end; `echo` says whether a transcript repeats the lines.
    pub(crate) fn new(reader: R, echo: bool) -> Self {
        Self { reader, echo, count: 0 }
    }
}

/// The limit on the length of a line: some files are endless.
const LONGEST: u64 = 1 << 24;

impl<R: BufRead> Lines for Plain<R> {
    fn next(&mut self, _prompt: &str) -> Result<Option<String>, Failure> {
        interrupt::leave_if_asked();
        let mut line = Vec::new();
        let read = self.reader.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        let read = read.map_err(|error| Failure::other(format!("the input failed: {error}")))?;
        if read == 0 {
            return Ok(None);
        }
        self.count += 1;
        if read as u64 == LONGEST && !line.ends_with(b"\n") {
            let count = self.count;
            return Err(Failure::input(format!("line {count} has more than {LONGEST} bytes")));
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        // Some editors write a byte order mark at the start of a file.
        let text = text.strip_prefix('\u{FEFF}').filter(|_| self.count == 1).unwrap_or(text);
        Ok(Some(text.to_owned()))
    }

    fn is_echoed(&self) -> bool {
        self.echo
    }

    fn count(&self) -> usize {
        self.count
    }
}

/// Completes a line, given its text up to the cursor: returns where the last word begins, and its
/// possible completions.
pub(crate) type Complete = Box<dyn Fn(&str) -> (usize, Vec<String>)>;

/// Lines typed in a terminal, with editing, history and completion.
pub(crate) struct Edited {
    editor: Editor<Words, DefaultHistory>,
    history: Option<PathBuf>,
    interrupt: Interrupt,
    count: usize,
}

/// What Ctrl-C does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interrupt {
    /// It ends the input.
    Ends,
    /// It discards the line and returns an empty one.
    Cancels,
}

impl Edited {
    /// An editor, with the history of earlier sessions if there is a file for it.
    pub(crate) fn new(
        complete: Complete,
        history: Option<PathBuf>,
        interrupt: Interrupt,
    ) -> Result<Self, Failure> {
        interrupt::catch_termination();
        terminal::remember();
        let no_editor = |error| Failure::other(format!("the terminal cannot be used: {error}"));
        let config = Config::builder().auto_add_history(true);
        let config = config.max_history_size(HISTORY).map_err(no_editor)?;
        let config = config.completion_type(CompletionType::List).build();
        let mut editor = Editor::with_config(config).map_err(no_editor)?;
        editor.set_helper(Some(Words { complete }));
        if let Some(file) = &history {
            // The first session has no history, and a history that cannot be saved is not an error.
            let _ = file.parent().map(std::fs::create_dir_all);
            let _ = editor.load_history(file);
        }
        Ok(Self { editor, history, interrupt, count: 0 })
    }
}

/// How many lines a history remembers.
const HISTORY: usize = 1000;

impl Lines for Edited {
    fn next(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        interrupt::leave_if_asked();
        match self.editor.readline(prompt) {
            Ok(line) => {
                self.count += 1;
                if let Some(file) = &self.history {
                    // Save at once: the user may cancel a long answer and the program with it.
                    let _ = self.editor.append_history(file);
                }
                Ok(Some(line))
            }
            Err(ReadlineError::Interrupted) if self.interrupt == Interrupt::Cancels => {
                Ok(Some(String::new()))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(error) => Err(Failure::other(format!("the input failed: {error}"))),
        }
    }

    fn count(&self) -> usize {
        self.count
    }
}

struct Words {
    complete: Complete,
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((self.complete)(line.get(..at).unwrap_or(line)))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

/// Whether a person sits at a terminal, in both directions.
pub(crate) fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// The lines of standard input: edited if a person types them, else plain.
pub(crate) fn standard_input(complete: Complete) -> Result<Box<dyn Lines>, Failure> {
    if is_interactive() {
        Ok(Box::new(Edited::new(complete, None, Interrupt::Ends)?))
    } else {
        Ok(plain_standard_input())
    }
}

/// The lines of standard input without editing.
pub(crate) fn plain_standard_input() -> Box<dyn Lines> {
    interrupt::catch_in_script();
    let stdin = std::io::stdin();
    let echo = !stdin.is_terminal();
    Box::new(Plain::new(stdin.lock(), echo))
}

/// A file in the folder for state that programs can do without, such as histories.
pub(crate) fn state_file(name: &str) -> Option<PathBuf> {
    let set = |variable| std::env::var_os(variable).filter(|value| !value.is_empty());
    let folder = set("XDG_STATE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = folder
        .or_else(|| set("LOCALAPPDATA").map(PathBuf::from))
        .or_else(|| Some(PathBuf::from(set("HOME")?).join(".local/state")))?;
    Some(folder.join("nimoon").join(name))
}

/// The words that begin like the last word of a line.
pub(crate) fn completed(line: &str, words: impl Iterator<Item = String>) -> (usize, Vec<String>) {
    let start = line.rfind(|c: char| c.is_whitespace() || c == '+' || c == '=');
    let start = start.map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
    let mut found: Vec<_> = words.filter(|word| word.starts_with(&line[start..])).collect();
    found.sort();
    found.dedup();
    (start, found)
}

/// The settings of the terminal, which the editor changes while a line is typed.
#[cfg(unix)]
pub(crate) mod terminal {
    use std::io::stdin;
    use std::sync::{Mutex, PoisonError};

    use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};

    static SETTINGS: Mutex<Option<Termios>> = Mutex::new(None);

    pub(super) fn remember() {
        let mut settings = SETTINGS.lock().unwrap_or_else(PoisonError::into_inner);
        if settings.is_none() {
            *settings = tcgetattr(stdin()).ok();
        }
    }

    /// Sets the terminal to what it was before the first line was typed.
    pub(crate) fn restore() {
        if let Some(settings) = &*SETTINGS.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = tcsetattr(stdin(), SetArg::TCSANOW, settings);
        }
    }
}

/// The settings of the terminal are those of the editor alone.
#[cfg(not(unix))]
pub(crate) mod terminal {
    pub(super) fn remember() {}

    pub(crate) fn restore() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_a_line_is_completed() {
        let words = || ["nim:", "nimstring:", "value"].into_iter().map(str::to_owned);
        assert_eq!(completed("value ni", words()).0, 6);
        assert_eq!(completed("g=nims", words()), (2, vec!["nimstring:".to_owned()]));
        assert_eq!(completed("", words()).1.len(), 3);
        assert_eq!(completed("x\u{3000}v", words()), (4, vec!["value".to_owned()]));
    }

    #[test]
    fn lines_are_read_without_their_ends_and_with_any_bytes() {
        let mut lines = Plain::new(&b"\xEF\xBB\xBFa\r\nb\xFF\n\nc"[..], false);
        let mut next = || lines.next("> ").unwrap();
        assert_eq!(next().as_deref(), Some("a"));
        assert_eq!(next().as_deref(), Some("b\u{FFFD}"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!((next().as_deref(), next()), (Some("c"), None));
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut lines = Plain::new(std::io::BufReader::new(std::io::repeat(b'x')), false);
        assert!(matches!(lines.next("> "), Err(Failure::Input { .. })));
    }
}
