//! A file as a reader sees it: its batches, and the entries in them.
//!
//! The contents never change, and new batches come only at the end, so a reader needs no lock. A
//! file that was replaced stays as it was for processes that have it open.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io;
use std::path::Path;

use nimoon::Work;

use crate::checksum::checksum;
use crate::directory::Directory;
use crate::format::{
    HEAD, Head, LABEL, Label, MARK, PLACE, RECORD, WrongHead, key_sum, record_sum,
};

/// An open file, and its batches.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) file: File,
    pub(crate) head: Head,
    /// The batches of each ruleset, older ones first.
    pub(crate) batches: BTreeMap<String, Vec<Label>>,
    /// Where the last batch ends.
    pub(crate) end: u64,
    /// Bytes between batches that belong to no batch.
    pub(crate) damaged: u64,
    /// How often rulesets were queried.
    queries: HashMap<String, Queries>,
    /// How often a batch was read.
    #[cfg(test)]
    pub(crate) reads: std::cell::Cell<u64>,
}

/// How often a ruleset was queried so far.
#[derive(Debug)]
enum Queries {
    /// This many batches were read.
    Seldom(u64),
    /// Often: there is a directory of this many of its batches.
    Often(Directory, usize),
}

/// Why a file cannot be viewed.
#[derive(Debug)]
pub(crate) enum ViewError {
    Io(io::Error),
    Head(WrongHead),
}

impl From<io::Error> for ViewError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The head of a file; none if it is empty, as a new file is.
pub(crate) fn head(file: &File) -> Result<Option<Head>, ViewError> {
    let length = file.metadata()?.len().min(HEAD);
    let bytes = bytes_at(file, 0, length)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    Head::read(&bytes).map(Some).map_err(ViewError::Head)
}

/// Whether the file of this name has this head.
pub(crate) fn is_still(path: &Path, expected: Head) -> bool {
    File::open(path).is_ok_and(|file| head(&file).is_ok_and(|found| found == Some(expected)))
}

impl View {
    /// Opens a view of a file with this head.
    pub(crate) fn new(file: File, head: Head) -> io::Result<Self> {
        let mut view = Self {
            file,
            head,
            batches: BTreeMap::new(),
            end: HEAD,
            damaged: 0,
            queries: HashMap::new(),
            #[cfg(test)]
            reads: std::cell::Cell::default(),
        };
        view.refresh()?;
        Ok(view)
    }

    /// Reads new batches. An incomplete batch at the end of the file is not counted, since another
    /// process may be writing it.
    pub(crate) fn refresh(&mut self) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        while let Some(label) = self.next_label(length)? {
            self.damaged += label.start - self.end;
            self.end = label.end();
            let name = bytes_at(&self.file, label.start + LABEL, u64::from(label.name))?;
            match String::from_utf8(name) {
                Ok(name) if checksum(&[name.as_bytes()]) == label.name_sum => {
                    self.batches.entry(name).or_default().push(label);
                }
                _ => self.damaged += label.length,
            }
        }
        Ok(())
    }

    /// The next complete batch, wherever it begins.
    fn next_label(&self, length: u64) -> io::Result<Option<Label>> {
        /// The number of bytes read at once.
        const WINDOW: u64 = 1 << 16;
        if self.end + LABEL > length {
            return Ok(None);
        }
        if let Some(label) = self.label(self.end)? {
            // An incomplete batch is being written, or its writer was interrupted.
            return Ok(Some(label).filter(|label| label.end() <= length));
        }
        // Something is damaged: batches begin at multiples of eight.
        let mut from = self.end;
        while from + LABEL <= length {
            let window = bytes_at(&self.file, from, WINDOW.min(length - from))?;
            for (place, word) in window.as_chunks::<8>().0.iter().enumerate() {
                let start = from + 8 * place as u64;
                if *word == MARK
                    && start + LABEL <= length
                    && let Some(label) = self.label(start)?
                    && label.end() <= length
                {
                    return Ok(Some(label));
                }
            }
            from += WINDOW;
        }
        Ok(None)
    }

    fn label(&self, start: u64) -> io::Result<Option<Label>> {
        let mut bytes = [0; LABEL as usize];
        read_exact_at(&self.file, &mut bytes, start)?;
        Ok(Label::read(&bytes, start, self.head.made))
    }

    /// How many batches there are.
    pub(crate) fn count(&self) -> usize {
        self.batches.values().map(Vec::len).sum()
    }

    /// The last entry kept under this key. A ruleset that is queried often gets a directory, so
    /// that an absent key costs no access to the file.
    pub(crate) fn recall(&mut self, name: &str, key: &[u8]) -> io::Result<Option<Box<[u8]>>> {
        /// Reading one batch takes about as long as putting this many entries into a directory.
        const WORTH: u64 = 32;
        let Some(labels) = self.batches.get(name) else { return Ok(None) };
        let count = labels.len();
        match self.queries.get_mut(name) {
            Some(Queries::Often(_, known)) if *known == count => {}
            Some(Queries::Often(..)) => self.extend_directory(name)?,
            Some(Queries::Seldom(reads)) => {
                *reads += count as u64;
                let entries: u64 = labels.iter().map(|label| label.count).sum();
                if *reads * WORTH > entries {
                    self.extend_directory(name)?;
                }
            }
            None => drop(self.queries.insert(name.to_owned(), Queries::Seldom(0))),
        }
        let sum = key_sum(key);
        match &self.queries[name] {
            Queries::Often(directory, _) => {
                self.find(name, key, sum, directory.batches(sum, count).into_iter())
            }
            Queries::Seldom(_) => self.find(name, key, sum, (0..count).rev()),
        }
    }

    /// The entry for a key in the first of these batches that has it, by the indices of the file.
    pub(crate) fn find(
        &self,
        name: &str,
        key: &[u8],
        sum: u64,
        batches: impl Iterator<Item = usize>,
    ) -> io::Result<Option<Box<[u8]>>> {
        let labels = &self.batches[name];
        for batch in batches {
            let label = labels[batch];
            #[cfg(test)]
            self.reads.update(|reads| reads + 1);
            for place in self.places(label, sum)? {
                if let Some(value) = self.record(label, place, name, key)? {
                    return Ok(Some(value));
                }
            }
        }
        Ok(None)
    }

    /// Makes a directory of a ruleset, or extends it by the new batches.
    fn extend_directory(&mut self, name: &str) -> io::Result<()> {
        let labels = &self.batches[name];
        // If something cannot be read, there is no directory, and a later query starts again.
        let (mut directory, mut known) = match self.queries.insert(name.into(), Queries::Seldom(0))
        {
            Some(Queries::Often(directory, known)) => (directory, known),
            _ => (Directory::default(), 0),
        };
        let entries = |labels: &[Label]| labels.iter().map(|label| label.count).sum();
        if known == 0 || !directory.has_room(entries(&labels[known..])) {
            (directory, known) = (Directory::with_room(entries(labels)), 0);
        }
        for (batch, &label) in labels.iter().enumerate().skip(known) {
            for (sum, _) in self.index(label, 0, label.count)? {
                directory.add(sum, batch);
            }
        }
        self.queries.insert(name.into(), Queries::Often(directory, labels.len()));
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn has_no_directory(&self, name: &str) -> bool {
        !matches!(self.queries.get(name), Some(Queries::Often(..)))
    }

    /// The places of the records whose keys have this checksum. Checksums are spread evenly, so the
    /// search starts near the right place.
    fn places(&self, label: Label, sum: u64) -> io::Result<Vec<u64>> {
        /// The number of entries read at once.
        const WINDOW: u64 = 64;
        let (mut low, mut high) = (0, label.count);
        let mut tries = 0;
        while high - low > WINDOW {
            tries += 1;
            let guess = if tries < 4 {
                ((u128::from(sum) * u128::from(label.count)) >> 64) as u64
            } else {
                low + (high - low) / 2
            };
            let from = guess.saturating_sub(WINDOW / 2).clamp(low, high - WINDOW);
            let window = self.index(label, from, from + WINDOW)?;
            let [first, last] = [&window[0], &window[window.len() - 1]].map(|entry| entry.0);
            // Each step shortens the range, whatever a damaged index says.
            match (first.cmp(&sum), last.cmp(&sum)) {
                (Less, Greater) => (low, high) = (from, from + WINDOW),
                (Less, Less) => low = from + WINDOW,
                (Less, Equal) => low = from + 1,
                (Equal, _) => high = from + WINDOW - 1,
                (Greater, _) => high = from,
            }
        }
        let window = self.index(label, low, high)?;
        Ok(window.into_iter().filter(|entry| entry.0 == sum).map(|entry| entry.1).collect())
    }

    fn index(&self, label: Label, from: u64, to: u64) -> io::Result<Vec<(u64, u64)>> {
        let start = label.start + label.index + from * PLACE;
        let bytes = bytes_at(&self.file, start, (to - from) * PLACE)?;
        let (entries, _) = bytes.as_chunks::<{ PLACE as usize }>();
        let word = |half: &[u8]| {
            let mut word = [0; 8];
            word.copy_from_slice(half);
            u64::from_le_bytes(word)
        };
        Ok(entries.iter().map(|entry| (word(&entry[..8]), word(&entry[8..]))).collect())
    }

    /// The value of a record, if it has this key and is not damaged.
    fn record(
        &self,
        label: Label,
        place: u64,
        name: &str,
        key: &[u8],
    ) -> io::Result<Option<Box<[u8]>>> {
        if place < label.records() || place > label.index.saturating_sub(RECORD) {
            return Ok(None);
        }
        let start = label.start + place;
        let lengths = bytes_at(&self.file, start, 8)?;
        let Some((key_length, value_length)) = lengths_of(&lengths) else { return Ok(None) };
        let whole = RECORD + key_length + value_length;
        if key_length != key.len() as u64 || place + whole > label.index {
            return Ok(None);
        }
        let bytes = bytes_at(&self.file, start + 8, whole - 8)?;
        let (found, rest) = bytes.split_at(key.len());
        let (value, sum) = rest.split_at(value_length as usize);
        let right = found == key && sum == record_sum(name, key, value).to_le_bytes();
        Ok(right.then(|| value.into()))
    }

    /// Calls `visit` with every undamaged entry of a batch, and returns how many are damaged. The
    /// end of the work is an error of another kind than those of the system.
    pub(crate) fn each_entry(
        &self,
        label: Label,
        name: &str,
        work: &mut Work,
        mut visit: impl FnMut(&[u8], &[u8]),
    ) -> io::Result<u64> {
        work.hold(label.length).and_then(|()| work.check()).map_err(io::Error::other)?;
        let bytes = bytes_at(&self.file, label.start, label.index)?;
        let mut places: Vec<u64> =
            self.index(label, 0, label.count)?.into_iter().map(|(_, place)| place).collect();
        places.sort_unstable();
        places.dedup();
        let mut good = 0;
        for place in places {
            work.count().map_err(io::Error::other)?;
            if let Some((key, value)) =
                entry_at(&bytes[label.records() as usize..], label, place, name)
            {
                good += 1;
                visit(key, value);
            }
        }
        Ok(label.count.saturating_sub(good))
    }
}

/// The entry at a place of a batch, given its records.
fn entry_at<'a>(
    records: &'a [u8],
    label: Label,
    place: u64,
    name: &str,
) -> Option<(&'a [u8], &'a [u8])> {
    let start = usize::try_from(place.checked_sub(label.records())?).ok()?;
    let record = records.get(start..)?;
    let (key_length, value_length) = lengths_of(record.get(..8)?)?;
    let (key, rest) = record[8..].split_at_checked(key_length as usize)?;
    let (value, rest) = rest.split_at_checked(value_length as usize)?;
    let sum = record_sum(name, key, value).to_le_bytes();
    (rest.get(..8)? == sum).then_some((key, value))
}

fn lengths_of(bytes: &[u8]) -> Option<(u64, u64)> {
    let (words, _) = bytes.as_chunks::<4>();
    let [key, value] = words else { return None };
    Some((u64::from(u32::from_le_bytes(*key)), u64::from(u32::from_le_bytes(*value))))
}

fn bytes_at(file: &File, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    read_exact_at(file, &mut bytes, offset)?;
    Ok(bytes)
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        let read = file.seek_read(bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        offset += read as u64;
    }
    Ok(())
}
