//! Reads files and streams, which may be endless, within the limits of a command.

use std::io::{self, Read};
use std::path::Path;

use nimoon::{Interrupted, Work};
use nimoon_formats::read::{ReadErrorKind, line_and_column, snippet};
use nimoon_formats::streams::{self, fill, open};

use crate::failure::Failure;
use crate::limits::{self, OPTIONS};

/// The most bytes of an expression.
pub(crate) const MOST_OF_EXPRESSION: u64 = 1 << 24;

/// The name of standard input in messages.
pub(crate) const STANDARD_INPUT: &str = "standard input";

/// Reads everything, if it is at most `most` bytes; `name` is for messages.
pub(crate) fn all(
    mut reader: impl Read,
    name: &str,
    most: u64,
    work: &Work,
) -> Result<Vec<u8>, Failure> {
    let (bytes, more) = beginning(&mut reader, name, most, work)?;
    if more { Err(too_long(name, most)) } else { Ok(bytes) }
}

/// Reads at most one byte more than `most`, and returns whether there is more than `most`.
pub(crate) fn beginning(
    reader: &mut impl Read,
    name: &str,
    most: u64,
    work: &Work,
) -> Result<(Vec<u8>, bool), Failure> {
    let mut bytes = Vec::new();
    let read = fill(&mut bytes, reader, most.saturating_add(1), work);
    read.map_err(|error| cannot(name, &error))?;
    let more = bytes.len() as u64 > most;
    Ok((bytes, more))
}

/// The error for more than `most` bytes.
pub(crate) fn too_long(name: &str, most: u64) -> Failure {
    Failure::input(format!("{name} is longer than the limit of {most} bytes"))
}

/// The name of a file in messages; `-` is standard input.
pub(crate) fn name(file: &Path) -> String {
    if file == Path::new("-") { STANDARD_INPUT.to_owned() } else { file.display().to_string() }
}

/// Standard input, which is read until a limit is reached.
pub(crate) fn standard_input(work: &Work) -> impl Read + use<> {
    streams::watched(io::stdin(), work)
}

/// The contents of a file of at most `most` bytes.
pub(crate) fn file(path: &Path, most: u64, work: &Work) -> Result<Vec<u8>, Failure> {
    all(open(path, work), &path.display().to_string(), most, work)
}

/// The error for input that could not be read, or not to its end because of a limit.
pub(crate) fn cannot(name: &str, error: &io::Error) -> Failure {
    match streams::interrupted(error) {
        Some(Interrupted::Stopped) => Failure::Stopped { message: "interrupted".to_owned() },
        Some(interrupted) => {
            let message = format!("{name}: {interrupted} while it was read");
            limits::interrupted(interrupted, message, OPTIONS)
        }
        None => Failure::other(format!("{name} cannot be read: {error}")),
    }
}

/// Decodes UTF-8, and removes the byte order mark that some editors write.
pub(crate) fn text(bytes: Vec<u8>, name: &str) -> Result<String, Failure> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let (line, column) = line_and_column(bytes, at);
        let wrong = ReadErrorKind::NotUtf8 { byte: bytes[at] };
        let place = format!("{name}:{line}:{column}: ");
        Failure::in_text(&place, &wrong.to_string(), snippet(bytes, at))
    })?;
    Ok(match text.strip_prefix('\u{FEFF}') {
        Some(text) => text.to_owned(),
        None => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use nimoon::Limits;

    #[test]
    fn endless_input_is_rejected_and_input_that_just_fits_is_read() {
        let all = |reader: &mut dyn Read| all(reader, "x", 5, &Work::new(Limits::new(0)));
        assert!(matches!(all(&mut io::repeat(b'x')), Err(Failure::Input { .. })));
        assert!(matches!(all(&mut &b"123456"[..]), Err(Failure::Input { .. })));
        assert_eq!(all(&mut &b"12345"[..]).expect("it is read"), b"12345");
    }

    #[test]
    fn a_limit_does_not_count_as_wrong_input() {
        let little = Work::new(Limits::new(0).bytes(5 << 20));
        let read = all(io::repeat(b'x'), "x", u64::MAX, &little);
        assert!(matches!(read, Err(Failure::Budget { .. })));
    }
}
