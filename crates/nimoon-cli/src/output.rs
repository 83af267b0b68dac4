//! Standard output.

use std::fmt;
use std::io::{self, BufWriter, Write};

use serde::Serialize;

use crate::colours::{self, Outcomes};
use crate::failure::Failure;
use crate::interrupt;

/// Writes to standard output, buffered and flushed.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    interrupt::answering();
    write_out(write)
}

fn write_out(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ClosedOutput,
        _ => Failure::other(format!("standard output cannot be written: {error}")),
    })
}

/// Prints a text.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    print(|out| out.write_all(text.as_bytes()))
}

/// Prints a table for people: outcomes are in colour in a terminal.
pub(crate) fn print_answer(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    print(|out| {
        let mut coloured = Outcomes::new(out);
        write(&mut coloured)?;
        coloured.finish()
    })
}

/// Prints a text for people: outcomes are in colour in a terminal.
pub(crate) fn print_answer_text(text: &str) -> Result<(), Failure> {
    print_answer(|out| out.write_all(text.as_bytes()))
}

/// Prints one JSON value on a line.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(|out| json_line(value, out))
}

/// Prints a note about an answer, on standard error.
pub(crate) fn note(message: &str) {
    complain(format_args!("note: {}", message.replace(char::is_control, " ")));
}

/// With JSON output, prints an answer full of nulls if a limit was reached before anything was
/// printed. So the output is always one JSON value.
pub(crate) fn or_unknown(
    done: Result<(), Failure>,
    is_json: bool,
    unknown: &impl Serialize,
) -> Result<(), Failure> {
    if is_json && done.as_ref().is_err_and(Failure::is_cut) && !interrupt::answered() {
        // This does not count as an answer: after a signal, the error says that nothing is known.
        write_out(|out| json_line(unknown, out))?;
    }
    done
}

/// Prints a line on standard error, and ignores a closed terminal or a full disk.
pub(crate) fn complain(line: fmt::Arguments<'_>) {
    let line = line.to_string();
    let _ = writeln!(io::stderr(), "{}", colours::message(&line));
}

fn json_line(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
