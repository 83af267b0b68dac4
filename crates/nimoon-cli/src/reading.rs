//! Reading files and streams that may have no end, within the limits of a command.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use nimoon::{Effort, Interrupted};
use nimoon_formats::read::{ReadErrorKind, line_and_column, snippet};

use crate::failure::Failure;
use crate::limits::{self, OPTIONS};

/// The most bytes of an expression.
pub(crate) const MOST_OF_EXPRESSION: u64 = 1 << 24;

/// What messages call standard input.
pub(crate) const STANDARD_INPUT: &str = "standard input";

/// How much is read before the memory that it takes is counted.
const PIECE: u64 = 1 << 20;

/// Everything that there is to read, if it is not more than `most` bytes; `name` says what it is.
pub(crate) fn all(
    mut reader: impl Read,
    name: &str,
    most: u64,
    effort: &Effort,
) -> Result<Vec<u8>, Failure> {
    let (bytes, more) = beginning(&mut reader, name, most, effort)?;
    if more { Err(too_long(name, most)) } else { Ok(bytes) }
}

/// What there is to read, up to one byte more than `most`, and whether it is more than that.
pub(crate) fn beginning(
    reader: &mut impl Read,
    name: &str,
    most: u64,
    effort: &Effort,
) -> Result<(Vec<u8>, bool), Failure> {
    let mut bytes = Vec::new();
    let read = fill(&mut bytes, reader, most.saturating_add(1), effort);
    read.map_err(|error| cannot(name, &error))?;
    let more = bytes.len() as u64 > most;
    Ok((bytes, more))
}

/// Reads on until there are `most` bytes, or to the end.
///
/// # Errors
/// When something cannot be read, or takes more memory than is allowed, see [`cannot`].
pub(crate) fn fill(
    bytes: &mut Vec<u8>,
    reader: &mut impl Read,
    most: u64,
    effort: &Effort,
) -> io::Result<()> {
    loop {
        let room = most.saturating_sub(bytes.len() as u64).min(PIECE);
        let read = reader.by_ref().take(room).read_to_end(bytes)?;
        effort.hold(bytes.len() as u64).map_err(io::Error::other)?;
        if (read as u64) < PIECE {
            return Ok(());
        }
    }
}

/// The complaint about more than `most` bytes.
pub(crate) fn too_long(name: &str, most: u64) -> Failure {
    Failure::input(format!("{name} has more than {most} bytes, which is the limit"))
}

/// What messages call a file; `-` is standard input.
pub(crate) fn name(file: &Path) -> String {
    if file == Path::new("-") { STANDARD_INPUT.to_owned() } else { file.display().to_string() }
}

/// Standard input, which is read until the limits are hit.
pub(crate) fn standard_input(effort: &Effort) -> impl Read + use<> {
    Watched::new(io::stdin(), effort)
}

/// A file, which is opened and read until the limits are hit.
pub(crate) fn open(path: &Path, effort: &Effort) -> impl Read + use<> {
    Watched::new(Unopened::Named(path.to_owned()), effort)
}

/// A file that is opened when it is first read: a pipe without a writer keeps waiting whoever opens it.
enum Unopened {
    Named(PathBuf),
    Opened(Whole),
}

impl Read for Unopened {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if let Self::Named(path) = self {
            *self = Self::Opened(Whole::open(path)?);
        }
        match self {
            Self::Opened(file) => file.read(room),
            Self::Named(_) => Ok(0),
        }
    }
}

/// The contents of a file of at most `most` bytes.
pub(crate) fn file(path: &Path, most: u64, effort: &Effort) -> Result<Vec<u8>, Failure> {
    all(open(path, effort), &path.display().to_string(), most, effort)
}

/// That something cannot be read, or was not read to its end because a limit was hit.
pub(crate) fn cannot(name: &str, error: &io::Error) -> Failure {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<Interrupted>());
    match inner {
        Some(Interrupted::Stopped) => Failure::Stopped { message: "interrupted".to_owned() },
        Some(&interrupted) => {
            let message = format!("{name}: {interrupted} while it was read");
            limits::interrupted(interrupted, message, OPTIONS)
        }
        None => Failure::other(format!("{name} cannot be read: {error}")),
    }
}

/// Text, or the complaint that it is none. The mark of byte order that some editors put first is left out.
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

/// A file that must not end before the length that it had when it was opened: what is left of one that was cut short
/// meanwhile may look like a whole one, and would be answered for.
struct Whole {
    file: File,
    /// How many bytes are to come at least; none of a stream.
    left: u64,
    /// How many there were when it was opened.
    length: u64,
}

impl Whole {
    fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let left = if metadata.is_file() { metadata.len() } else { 0 };
        Ok(Self { file, left, length: left })
    }
}

impl Read for Whole {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(room)?;
        // Some systems tell more for files that they make up than there is to read.
        let is_cut = || Ok::<_, io::Error>(self.file.metadata()?.len() < self.length);
        if read == 0 && self.left > 0 && !room.is_empty() && is_cut()? {
            let told = "it became shorter while it was read";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, told));
        }
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}

/// What is read in a thread of its own: so the clock and the token are heard also while nothing comes, as
/// from a terminal or a program that thinks.
struct Watched {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    /// How much of the piece was handed on.
    read: usize,
    effort: Effort,
}

impl Watched {
    fn new(mut reader: impl Read + Send + 'static, effort: &Effort) -> Self {
        const PIECE: usize = 1 << 16;
        let (sender, pieces) = sync_channel(4);
        // It ends with what is read, with its receiver or with the program.
        thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE];
                let read = reader.read(&mut piece);
                let last = match read {
                    Ok(length) => {
                        piece.truncate(length);
                        length == 0
                    }
                    Err(ref error) => error.kind() != io::ErrorKind::Interrupted,
                };
                if sender.send(read.map(|_| piece)).is_err() || last {
                    return;
                }
            }
        });
        Self { pieces, piece: Vec::new(), read: 0, effort: effort.clone() }
    }
}

impl Read for Watched {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        /// So often the clock and the token are looked at.
        const LOOK: Duration = Duration::from_millis(20);
        while self.read == self.piece.len() {
            self.effort.check().map_err(io::Error::other)?;
            match self.pieces.recv_timeout(LOOK) {
                Ok(piece) => (self.piece, self.read) = (piece?, 0),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
        let length = room.len().min(self.piece.len() - self.read);
        room[..length].copy_from_slice(&self.piece[self.read..self.read + length]);
        self.read += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use nimoon::Budget;

    fn endless() -> Effort {
        Effort::new(0)
    }

    #[test]
    fn what_has_no_end_is_refused_and_what_just_fits_is_read() {
        let all = |reader: &mut dyn Read| all(reader, "x", 5, &endless());
        assert!(matches!(all(&mut io::repeat(b'x')), Err(Failure::Input { .. })));
        assert!(matches!(all(&mut &b"123456"[..]), Err(Failure::Input { .. })));
        assert_eq!(all(&mut &b"12345"[..]).expect("it is read"), b"12345");
    }

    #[test]
    fn all_pieces_are_read_in_order() {
        for length in [0, 1, 65_535, 65_536, 3_000_000] {
            let bytes: Vec<u8> = (0..251).cycle().take(length).collect();
            let reader = Watched::new(io::Cursor::new(bytes.clone()), &endless());
            assert_eq!(all(reader, "x", u64::MAX, &endless()).expect("it is read"), bytes);
        }
    }

    #[test]
    fn limits_end_the_reading_also_where_nothing_comes() {
        /// Nothing, for longer than anybody waits.
        struct Silent;
        impl Read for Silent {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                thread::sleep(Duration::from_mins(1));
                Ok(0)
            }
        }
        let soon = Effort::from(Budget::new(0).time(Duration::from_millis(50)));
        let read = all(Watched::new(Silent, &soon), "x", u64::MAX, &soon);
        assert!(matches!(read, Err(Failure::Budget { .. })));
        let little = Effort::from(Budget::new(0).bytes(5 << 20));
        let read = all(io::repeat(b'x'), "x", u64::MAX, &little);
        assert!(matches!(read, Err(Failure::Budget { .. })));
    }
}
