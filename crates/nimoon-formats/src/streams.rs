//! Reading files and streams that may have no end, or not begin, within limits.
//!
//! Standard input and files are read by a thread of their own, piece by piece. So the clock and the
//! token are noticed while nothing arrives, and bytes are counted while too much does. A pipe may
//! be opened only after the reader who waited for it has gone: then nothing is read from it, and
//! its contents are for the next reader.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use nimoon::{Interrupted, Work};

/// How much is read before the memory that it takes is counted.
const PIECE: u64 = 1 << 20;

/// Reads on until there are `most` bytes, or to the end.
///
/// # Errors
/// When something cannot be read, or takes more memory than is allowed, see [`interrupted`].
pub fn fill(bytes: &mut Vec<u8>, reader: &mut impl Read, most: u64, work: &Work) -> io::Result<()> {
    loop {
        let room = most.saturating_sub(bytes.len() as u64).min(PIECE);
        let read = reader.by_ref().take(room).read_to_end(bytes)?;
        work.hold(bytes.len() as u64).map_err(io::Error::other)?;
        if (read as u64) < PIECE {
            return Ok(());
        }
    }
}

/// A file, which is opened and read until the limits are hit.
///
/// A pipe may have no writer for long, so it is opened in a thread of its own too.
pub fn open(path: &Path, work: &Work) -> impl Read + use<> {
    let path = path.to_owned();
    Watched::new(move || Whole::open(&path), work)
}

/// What is read in a thread of its own, until the limits are hit.
pub fn watched<R: Read + Send + 'static>(reader: R, work: &Work) -> impl Read + use<R> {
    Watched::new(move || Ok(reader), work)
}

/// Whether this is a limit that was hit, and not an error of the system.
pub fn interrupted(error: &io::Error) -> Option<Interrupted> {
    error.get_ref()?.downcast_ref::<Interrupted>().copied()
}

/// A file that must not end before the length that it had when it was opened: what is left of one
/// that was cut short meanwhile may look like a whole one, and would be answered for.
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
        // Some systems report more for files that they make up than there is to read.
        let is_cut = || Ok::<_, io::Error>(self.file.metadata()?.len() < self.length);
        if read == 0 && self.left > 0 && !room.is_empty() && is_cut()? {
            let message = "it became shorter while it was read";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
        }
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}

/// A reader in a thread of its own, so that the clock and the token are checked also while nothing
/// arrives, as from a terminal or a slow program.
struct Watched {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    /// How much of the piece was handed on.
    read: usize,
    work: Work,
}

impl Watched {
    /// What is opened is read until the limits are hit.
    fn new<R: Read>(open: impl FnOnce() -> io::Result<R> + Send + 'static, work: &Work) -> Self {
        let (sender, pieces) = sync_channel(4);
        // It ends with what is read, with its receiver or with the program.
        let started = thread::Builder::new().spawn({
            let sender = sender.clone();
            move || {
                if let Err(error) = open().and_then(|reader| hand_on(reader, &sender)) {
                    // If the receiver is gone, the error does not matter.
                    let _ = sender.send(Err(error));
                }
            }
        });
        if let Err(error) = started {
            // The channel has room, and the receiver is still here.
            let _ = sender.send(Err(error));
        }
        Self { pieces, piece: Vec::new(), read: 0, work: work.clone() }
    }
}

/// Sends what is read in blocks, to its end or until the receiver is gone.
fn hand_on(mut reader: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) -> io::Result<()> {
    const PIECE: usize = 1 << 16;
    // A pipe may be opened only now, long after its reader ran out of time. Its contents are for
    // the next reader.
    let mut piece = Vec::new();
    while sender.send(Ok(piece)).is_ok() {
        piece = vec![0; PIECE];
        let length = match reader.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
            Ok(0) => return Ok(()),
            length => length?,
        };
        piece.truncate(length);
    }
    Ok(())
}

impl Read for Watched {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        /// The clock and the token are checked at this interval.
        const LOOK: Duration = Duration::from_millis(20);
        while self.read == self.piece.len() {
            self.work.check().map_err(io::Error::other)?;
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

    use nimoon::Limits;
    use nimoon::limits::Limit;

    fn all(mut reader: impl Read, work: &Work) -> Result<Vec<u8>, Interrupted> {
        let mut bytes = Vec::new();
        match fill(&mut bytes, &mut reader, u64::MAX, work) {
            Ok(()) => Ok(bytes),
            Err(error) => Err(interrupted(&error).expect("a limit")),
        }
    }

    #[test]
    fn all_pieces_are_read_in_order() {
        let endless = Work::new(Limits::new(0));
        for length in [0, 1, 65_535, 65_536, 3_000_000] {
            let bytes: Vec<u8> = (0..251).cycle().take(length).collect();
            let reader = watched(io::Cursor::new(bytes.clone()), &endless);
            assert_eq!(all(reader, &endless), Ok(bytes));
        }
    }

    #[test]
    fn a_reader_that_stopped_before_the_pipe_was_opened_reads_nothing() {
        struct Pipe(std::sync::mpsc::Sender<()>);
        impl Read for Pipe {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                self.0.send(()).map_err(io::Error::other)?;
                Ok(0)
            }
        }
        let (opens, opened) = std::sync::mpsc::channel();
        let (reads, read) = std::sync::mpsc::channel();
        let open = move || {
            opened.recv().map_err(io::Error::other)?;
            Ok(Pipe(reads))
        };
        drop(Watched::new(open, &Work::new(Limits::new(0))));
        opens.send(()).unwrap();
        assert!(read.recv().is_err(), "it is dropped, and was not read");
    }

    #[test]
    fn limits_stop_a_reader_while_nothing_arrives() {
        /// Nothing, for a very long time.
        struct Silent;
        impl Read for Silent {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                thread::sleep(Duration::from_mins(1));
                Ok(0)
            }
        }
        let soon = Work::new(Limits::new(0).time(Duration::from_millis(50)));
        let limit = |read: Result<Vec<u8>, Interrupted>| read.unwrap_err().limit();
        assert_eq!(limit(all(watched(Silent, &soon), &soon)), Some(Limit::Time));
        let little = Work::new(Limits::new(0).bytes(5 << 20));
        assert_eq!(limit(all(io::repeat(b'x'), &little)), Some(Limit::Bytes));
    }
}
