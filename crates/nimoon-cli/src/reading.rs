//! Reading files and streams that may have no end.

use std::io::Read;
use std::path::Path;

use crate::failure::Failure;

/// The most bytes of an expression.
pub(crate) const MOST_OF_EXPRESSION: u64 = 1 << 24;

/// Everything that there is to read, if it is not more than `most` bytes; `name` says what it is.
pub(crate) fn all(mut reader: impl Read, name: &str, most: u64) -> Result<Vec<u8>, Failure> {
    let (bytes, more) = beginning(&mut reader, name, most)?;
    if more { Err(too_long(name, most)) } else { Ok(bytes) }
}

/// What there is to read, up to one byte more than `most`, and whether it is more than that.
pub(crate) fn beginning(
    reader: &mut impl Read,
    name: &str,
    most: u64,
) -> Result<(Vec<u8>, bool), Failure> {
    let mut bytes = Vec::new();
    let read = reader.take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| cannot(name, &error))?;
    let more = bytes.len() as u64 > most;
    Ok((bytes, more))
}

/// The complaint about more than `most` bytes.
pub(crate) fn too_long(name: &str, most: u64) -> Failure {
    Failure::input(format!("{name} has more than {most} bytes, which is the limit"))
}

/// Opens a file.
pub(crate) fn open(path: &Path) -> Result<std::fs::File, Failure> {
    std::fs::File::open(path).map_err(|error| cannot(&path.display().to_string(), &error))
}

/// The contents of a file of at most `most` bytes.
pub(crate) fn file(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    all(open(path)?, &path.display().to_string(), most)
}

pub(crate) fn cannot(name: &str, error: &std::io::Error) -> Failure {
    Failure::other(format!("{name} cannot be read: {error}"))
}

/// Text, or the complaint that it is none.
pub(crate) fn text(bytes: Vec<u8>, name: &str) -> Result<String, Failure> {
    let text = String::from_utf8(bytes);
    text.map_err(|_| Failure::input(format!("{name}: expected text in UTF-8")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused_and_what_just_fits_is_read() {
        assert!(matches!(all(std::io::repeat(b'x'), "x", 5), Err(Failure::Input { .. })));
        assert!(matches!(all(&b"123456"[..], "x", 5), Err(Failure::Input { .. })));
        assert_eq!(all(&b"12345"[..], "x", 5).expect("it is read"), b"12345");
    }
}
