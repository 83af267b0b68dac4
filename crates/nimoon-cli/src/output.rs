//! Standard output.

use std::fmt;
use std::io::{self, BufWriter, Write};

use serde::Serialize;

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

/// Prints one JSON value on a line.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(|out| json_line(value, out))
}

/// Prints a note about an answer, on standard error.
pub(crate) fn note(message: &str) {
    complain(format_args!("note: {}", message.replace(char::is_control, " ")));
}

/// Where JSON was asked for and a limit was hit before there was anything to print, prints the answer of which
/// nothing is known, so that whoever reads it finds one value in any case.
pub(crate) fn or_unknown(
    done: Result<(), Failure>,
    is_json: bool,
    unknown: &impl Serialize,
) -> Result<(), Failure> {
    if is_json && done.as_ref().is_err_and(Failure::is_cut) && !interrupt::answered() {
        // It is no answer: whoever asked to stop is told that nothing is known.
        write_out(|out| json_line(unknown, out))?;
    }
    done
}

/// Prints a line on standard error, if anybody can still see it: the terminal may be closed, or the disk full.
pub(crate) fn complain(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn json_line(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}
