//! Edge lists, each worker reading its own lines.
//!
//! All files together are one text, end to end, which is cut into as many ranges of bytes as there
//! are workers. A line belongs to the range of its first byte, so every line is read once. A worker
//! reads its range in pieces, so that a file need not fit into memory.
//!
//! The checksum of the lines is the sum of their hashes. Neither the digraph nor the sum depends on
//! the order of the lines, so the sum is the same for every way to cut them, and for any processes
//! that have them.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use nimoon_formats::Source;
use nimoon_formats::read::{Format, ReadErrorKind, read};

use crate::ClusterError;
use crate::build::Builder;
use crate::exchange::Exchange;
use crate::manifest::Checksum;

/// Files with edge lists, with their lengths.
#[derive(Clone, Debug)]
pub(crate) struct EdgeFiles {
    files: Vec<(PathBuf, u64)>,
    /// About how many bytes a worker reads at once.
    piece: usize,
}

impl EdgeFiles {
    /// Finds the lengths of the files; a folder stands for all files in it, by name.
    pub(crate) fn new(given: &[PathBuf], piece: usize) -> Result<Self, ClusterError> {
        let mut paths = Vec::new();
        for path in given {
            if !path.is_dir() {
                paths.push(path.clone());
                continue;
            }
            let entries = std::fs::read_dir(path).map_err(ClusterError::file(path))?;
            let mut inside = Vec::new();
            for entry in entries {
                let entry = entry.map_err(ClusterError::file(path))?.path();
                if entry.is_file() {
                    inside.push(entry);
                }
            }
            if inside.is_empty() {
                let message = format!("{}: the folder has no files in it", path.display());
                return Err(ClusterError::Input(message));
            }
            inside.sort();
            paths.extend(inside);
        }
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            if let Some(extension) = path.extension().and_then(|extension| extension.to_str())
                && let Some(format) = Format::from_extension(extension)
                && format != Format::Edges
            {
                return Err(ClusterError::Input(format!(
                    "{}: only edge lists can be split among workers: write one arc a line, as in `a b`",
                    path.display()
                )));
            }
            let about = std::fs::metadata(&path).map_err(ClusterError::file(&path))?;
            if !about.is_file() {
                let message =
                    format!("{}: expected a file, since it is read in parts", path.display());
                return Err(ClusterError::Input(message));
            }
            files.push((path, about.len()));
        }
        Ok(Self { files, piece })
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> u64 {
        self.files.iter().map(|(_, len)| len).sum()
    }

    /// The whole text, as ranges to read.
    pub(crate) fn whole(&self) -> Vec<Range<u64>> {
        std::iter::once(0..self.len()).collect()
    }

    /// The share of one of `readers` readers in some ranges of the whole text: files with their
    /// places in the text, and ranges in them.
    fn ranges(&self, left: &[Range<u64>], reader: usize, readers: usize) -> VecDeque<InFile> {
        let all: u64 = left.iter().map(|range| range.end - range.start).sum();
        let cut = |i: usize| (u128::from(all) * i as u128 / readers as u128) as u64;
        let (start, end) = (cut(reader), cut(reader + 1));
        let mut found = VecDeque::new();
        // How much comes before, in the ranges and in the files.
        let mut before = 0;
        for range in left {
            let len = range.end - range.start;
            let from = range.start + (start.clamp(before, before + len) - before);
            let to = range.start + (end.clamp(before, before + len) - before);
            before += len;
            let mut base = 0;
            for (path, len) in &self.files {
                let within = |at: u64| at.clamp(base, base + len) - base;
                let range = within(from)..within(to);
                if !range.is_empty() {
                    found.push_back(InFile { path: path.clone(), base, range });
                }
                base += len;
            }
        }
        found
    }

    /// Reads everything that is left, and returns the checksum of this worker's lines. All workers
    /// call this at the same time; `reader` of `readers` share these files. `watch` is called after
    /// each piece, with what this worker has read and what is left for it.
    pub(crate) fn read(
        &self,
        exchange: &mut Exchange<'_>,
        builder: &mut Builder,
        left: &[Range<u64>],
        reader: Reader,
        watch: &mut Watch<'_>,
    ) -> Result<Checksum, ClusterError> {
        // The reader of files would use all processors; this worker is one of several.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok();
        let next = |lines: &mut Lines| {
            let mut read = || lines.next_piece();
            match &pool {
                Some(pool) => pool.install(read),
                None => read(),
            }
        };
        self.pieces(exchange, left, reader, next, |exchange, source, lines| {
            builder.add(exchange, &source.unwrap_or_default())?;
            watch(exchange, builder, lines)
        })
    }

    /// The checksum of this worker's part of some ranges, without parsing the lines. All workers
    /// call this at the same time; `watch` is called after each piece.
    pub(crate) fn checksum(
        &self,
        exchange: &mut Exchange<'_>,
        ranges: &[Range<u64>],
        reader: Reader,
        mut watch: impl FnMut(&mut Exchange<'_>) -> Result<(), ClusterError>,
    ) -> Result<Checksum, ClusterError> {
        let next = |lines: &mut Lines| Ok(lines.next_bytes()?.map(drop));
        self.pieces(exchange, ranges, reader, next, |exchange, _, _| watch(exchange))
    }

    /// Reads ranges piece by piece, until no worker has any left.
    fn pieces<T>(
        &self,
        exchange: &mut Exchange<'_>,
        ranges: &[Range<u64>],
        (reader, readers): Reader,
        mut next: impl FnMut(&mut Lines) -> Result<Option<T>, ClusterError>,
        mut take: impl FnMut(&mut Exchange<'_>, Option<T>, &Lines) -> Result<(), ClusterError>,
    ) -> Result<Checksum, ClusterError> {
        let mut lines = Lines::new(self.ranges(ranges, reader, readers), self.piece);
        loop {
            let piece = next(&mut lines);
            let piece = exchange.agree(piece)?;
            let mut tally = [u64::from(piece.is_some())];
            exchange.add_up(&mut tally);
            if tally[0] == 0 {
                return Ok(lines.sum);
            }
            take(exchange, piece, &lines)?;
        }
    }
}

/// The number of a reader, and the number of all readers.
pub(crate) type Reader = (usize, usize);

/// The callback after each piece.
pub(crate) type Watch<'a> =
    dyn FnMut(&mut Exchange<'_>, &Builder, &Lines) -> Result<(), ClusterError> + 'a;

/// A range of a file, which begins at this byte of the whole text.
#[derive(Clone, Debug)]
struct InFile {
    path: PathBuf,
    base: u64,
    range: Range<u64>,
}

/// The lines of a worker.
pub(crate) struct Lines {
    ranges: VecDeque<InFile>,
    /// The first range, which is being read.
    place: Option<(BufReader<File>, u64)>,
    piece: usize,
    /// The checksum of the lines that were read so far.
    pub(crate) sum: Checksum,
}

impl Lines {
    fn new(ranges: VecDeque<InFile>, piece: usize) -> Self {
        Self { ranges, place: None, piece, sum: Checksum::default() }
    }

    /// The ranges that are left, in the whole text.
    pub(crate) fn left(&self) -> Vec<Range<u64>> {
        let mut left: Vec<Range<u64>> = Vec::new();
        for (i, InFile { base, range, .. }) in self.ranges.iter().enumerate() {
            let start = match &self.place {
                Some((_, at)) if i == 0 => range.end.min(*at),
                _ => range.start,
            };
            if start < range.end {
                left.push(base + start..base + range.end);
            }
        }
        left
    }

    /// The next lines, with their file and place; none at the end.
    fn next_bytes(&mut self) -> Result<Option<(PathBuf, u64, Vec<u8>)>, ClusterError> {
        loop {
            let Some(InFile { path, range, .. }) = self.ranges.front().cloned() else {
                return Ok(None);
            };
            let (mut file, start) = match self.place.take() {
                Some(place) => place,
                None => open_at_line(&path, range.start).map_err(ClusterError::file(&path))?,
            };
            if start >= range.end {
                self.ranges.pop_front();
                continue;
            }
            let most = (range.end - start).min(self.piece as u64);
            let mut bytes = Vec::with_capacity(most as usize + 256);
            let piece = (|| {
                file.by_ref().take(most).read_to_end(&mut bytes)?;
                if !bytes.ends_with(b"\n") {
                    file.read_until(b'\n', &mut bytes)?;
                }
                Ok(())
            })();
            piece.map_err(ClusterError::file(&path))?;
            if bytes.is_empty() {
                self.ranges.pop_front();
                continue;
            }
            self.place = Some((file, start + bytes.len() as u64));
            let lines = bytes.strip_suffix(b"\n").unwrap_or(&bytes).split(|&byte| byte == b'\n');
            lines.for_each(|line| self.sum.add_line(line));
            return Ok(Some((path, start, bytes)));
        }
    }

    /// The contents of the next lines; none at the end.
    fn next_piece(&mut self) -> Result<Option<Source>, ClusterError> {
        while let Some((path, start, bytes)) = self.next_bytes()? {
            match read(Format::Edges, &bytes) {
                Ok(source) => return Ok(Some(source)),
                Err(error) if matches!(error.kind, ReadErrorKind::NoNodes { .. }) => {}
                Err(error) => {
                    let line = error.line + lines_before(&path, start);
                    return Err(ClusterError::Input(format!(
                        "{}: line {line}, column {}: {}",
                        path.display(),
                        error.column,
                        error.kind
                    )));
                }
            }
        }
        Ok(None)
    }
}

/// Opens a file at the first line that begins at this byte or later.
fn open_at_line(path: &Path, at: u64) -> std::io::Result<(BufReader<File>, u64)> {
    let mut file = BufReader::new(File::open(path)?);
    if at == 0 {
        return Ok((file, 0));
    }
    file.seek(SeekFrom::Start(at - 1))?;
    let skipped = file.skip_until(b'\n')?;
    Ok((file, at - 1 + skipped as u64))
}

/// How many lines end before this byte; only for a message.
fn lines_before(path: &Path, at: u64) -> usize {
    let Ok(file) = File::open(path) else { return 0 };
    let mut file = BufReader::new(file.take(at));
    let mut lines = 0;
    while let Ok(1..) = file.skip_until(b'\n') {
        lines += 1;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_once_for_every_way_to_cut() {
        let folder = tempfile::tempdir().unwrap();
        let texts =
            ["a b\nb c\n# nothing\n\nlong-name another-long-name\r\n", "c d", "gray d\nd e\n"];
        let mut files = Vec::new();
        for (i, text) in texts.iter().enumerate() {
            let path = folder.path().join(format!("part-{i}.edges"));
            std::fs::write(&path, text).unwrap();
            files.push(path);
        }
        let expected = [
            ("a", "b"),
            ("another-long-name", ""),
            ("b", "c"),
            ("c", "d"),
            ("d", "e"),
            ("e", ""),
            ("long-name", "another-long-name"),
        ];
        let mut whole = Checksum::default();
        texts
            .iter()
            .flat_map(|text| text.split_terminator('\n'))
            .for_each(|line| whole.add_line(line.as_bytes()));
        for piece in [1, 7, 1000] {
            let files = EdgeFiles::new(&[folder.path().to_owned()], piece).unwrap();
            for readers in 1..12 {
                let (mut arcs, mut gray) = (Vec::new(), Vec::new());
                let mut sum = Checksum::default();
                for reader in 0..readers {
                    let ranges = files.ranges(&files.whole(), reader, readers);
                    let mut lines = Lines::new(ranges, piece);
                    while let Some(source) = lines.next_piece().unwrap() {
                        // Other readers that take over read the rest.
                        let ranges = files.ranges(&lines.left(), 0, 1);
                        let read = std::mem::replace(&mut lines, Lines::new(ranges, piece)).sum;
                        sum.join(read);
                        let name = |node: u32| source.names.name(node).into_owned();
                        arcs.extend(source.arcs.iter().map(|&(a, b)| (name(a), name(b))));
                        gray.extend(source.gray.iter().map(|&node| name(node)));
                    }
                    // Lines without nodes may come last.
                    sum.join(lines.sum);
                }
                arcs.sort();
                let expected: Vec<_> = expected
                    .iter()
                    .filter(|(_, b)| !b.is_empty())
                    .map(|&(a, b)| (a.to_owned(), b.to_owned()))
                    .collect();
                assert_eq!(arcs, expected, "{readers} readers, {piece} bytes");
                assert_eq!(gray, ["d"]);
                assert_eq!(sum, whole, "{readers} readers, {piece} bytes");
            }
        }
    }

    #[test]
    fn an_error_knows_its_line_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.edges");
        std::fs::write(&path, "a b\nb c\nc d\nd e f\n").unwrap();
        let files = EdgeFiles::new(&[path], 1).unwrap();
        let mut lines = Lines::new(files.ranges(&files.whole(), 1, 2), 1);
        let error = loop {
            match lines.next_piece() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("the last line is wrong"),
                Err(error) => break error,
            }
        };
        assert!(error.to_string().contains("line 4, column 5: found `f`"), "{error}");
    }
}
