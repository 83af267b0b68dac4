//! Standard output.

use std::io::{self, BufWriter, Write};

use crate::failure::Failure;
use crate::interrupt;

/// Writes to standard output, buffered and flushed.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    interrupt::answering();
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
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    print(|out| {
        serde_json::to_writer(&mut *out, value)?;
        out.write_all(b"\n")
    })
}
