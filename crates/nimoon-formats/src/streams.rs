//! Reading files and streams that may have no end, or not begin, within limits.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use nimoon::{Effort, Interrupted};

/// How much is read before the memory that it takes is counted.
const PIECE: u64 = 1 << 20;

/// Reads on until there are `most` bytes, or to the end.
///
/// # Errors
/// When something cannot be read, or takes more memory than is allowed, see [`interrupted`].
pub fn fill(
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

/// A file, which is opened and read until the limits are hit.
///
/// A pipe may have no writer for long, so it is opened when it is first read, and read in a thread of its own.
pub fn open(path: &Path, effort: &Effort) -> impl Read + use<> {
    Watched::new(Unopened::Named(path.to_owned()), effort)
}

/// What is read in a thread of its own, until the limits are hit.
pub fn watched<R: Read + Send + 'static>(reader: R, effort: &Effort) -> impl Read + use<R> {
    Watched::new(reader, effort)
}

/// Whether this is no error of the system, but a limit that was hit.
pub fn interrupted(error: &io::Error) -> Option<Interrupted> {
    error.get_ref()?.downcast_ref::<Interrupted>().copied()
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
    use nimoon::effort::Limit;

    fn all(mut reader: impl Read, effort: &Effort) -> Result<Vec<u8>, Interrupted> {
        let mut bytes = Vec::new();
        match fill(&mut bytes, &mut reader, u64::MAX, effort) {
            Ok(()) => Ok(bytes),
            Err(error) => Err(interrupted(&error).expect("a limit")),
        }
    }

    #[test]
    fn all_pieces_are_read_in_order() {
        let endless = Effort::new(0);
        for length in [0, 1, 65_535, 65_536, 3_000_000] {
            let bytes: Vec<u8> = (0..251).cycle().take(length).collect();
            let reader = watched(io::Cursor::new(bytes.clone()), &endless);
            assert_eq!(all(reader, &endless), Ok(bytes));
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
        let limit = |read: Result<Vec<u8>, Interrupted>| read.unwrap_err().limit();
        assert_eq!(limit(all(watched(Silent, &soon), &soon)), Some(Limit::Time));
        let little = Effort::from(Budget::new(0).bytes(5 << 20));
        assert_eq!(limit(all(io::repeat(b'x'), &little)), Some(Limit::Bytes));
    }
}
