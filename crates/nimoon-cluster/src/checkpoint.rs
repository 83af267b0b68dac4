//! Checkpoints: each worker keeps its nodes on the disk of its process, and all agree which set of
//! them is complete.
//!
//! A part is a file with a head, which is a line of JSON, and records of 32-bit words, each after
//! its length. At the end are the number of words and a checksum. Most kinds have a record for each
//! node of a worker, in the order of their numbers. Numbers do not depend on the number of workers,
//! so other workers can resume from the records: each part is read where it is on disk, and each
//! record is sent to the worker that has the node now.
//!
//! Parts of one moment have the number of their run, on which all workers agree at the beginning,
//! and the number of the checkpoint within that run. The two together identify one moment, since a
//! run counts its checkpoints from one on, whatever it finds on the disk. So parts of different
//! moments are never combined. A serial number, which continues from the checkpoint that was
//! resumed, identifies the last moment. Parts are complete when there is one of each worker,
//! wherever it is; the last complete ones are used. Earlier ones are removed when all workers agree
//! that all parts of a later moment are written.
//!
//! A part belongs to a version of the program, since a later version may be corrected, to a
//! question, and to the lines that were read. Names and lengths of files do not identify their
//! contents. So there is a checksum of the lines, and a run compares it with the lines that it
//! reads before it resumes.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::ClusterError;
use crate::exchange::{Exchange, joined};
use crate::manifest::Checksum;
use crate::shards::Ranges;

/// The version of the format; raised with every change.
const FORMAT: u32 = 4;

/// The last serial number that can be resumed. Runs count from one on and never get here, so a part
/// with a larger number is damaged or forged. There are as many numbers again after it, which no
/// run uses up.
const LAST_SERIAL: u64 = u64::MAX / 2;

/// The version of the program.
const PROGRAM: &str = concat!("nimoon ", env!("CARGO_PKG_VERSION"));

/// About how many words of a part are read and sent at once.
const WORDS_AT_ONCE: usize = 1 << 20;

/// The words at the end of a part: how many there were before, and their checksum.
const WORDS_AT_END: u64 = 4;

/// The longest head.
const MOST_HEAD: u64 = 1 << 26;

/// The contents of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// The nodes read or explored so far; they have no numbers yet.
    Building,
    /// The digraph, before it is labelled.
    Digraph,
    /// The short or the entailing theory, as far as nodes are settled.
    Settled,
    /// The levels, as far as they are settled.
    Levels,
    /// The heaps of the general theory.
    Heaps,
    /// The rounds of distance and remoteness.
    Rounds,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Building => "building",
            Self::Digraph => "digraph",
            Self::Settled => "settled",
            Self::Levels => "levels",
            Self::Heaps => "heaps",
            Self::Rounds => "rounds",
        }
    }

    /// Whether a checkpoint of this kind makes an earlier one of another kind useless.
    fn replaces(self, earlier: Self) -> bool {
        self == earlier
            || matches!(
                (self, earlier),
                (Self::Digraph, Self::Building) | (Self::Levels | Self::Heaps, Self::Settled)
            )
    }
}

/// The description of a checkpoint before its records.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) kind: Kind,
    /// The first number of this worker.
    pub(crate) first: u32,
    /// How many nodes each shard has.
    pub(crate) shards: Vec<u64>,
    /// Other notes, the same for all workers.
    pub(crate) notes: Vec<u64>,
    pub(crate) texts: Vec<String>,
}

impl Moment {
    /// For nodes without numbers.
    pub(crate) fn building(notes: Vec<u64>) -> Self {
        Self { kind: Kind::Building, first: 0, shards: Vec::new(), notes, texts: Vec::new() }
    }
}

/// The head of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    nimoon_checkpoint: u32,
    program: String,
    kind: Kind,
    /// The question.
    question: String,
    /// The checksum of the lines that were read by then: of all lines once there is a digraph.
    pub(crate) content: Checksum,
    /// The run that wrote it.
    run: u64,
    /// The number of the checkpoint within that run.
    moment: u64,
    pub(crate) serial: u64,
    worker: usize,
    pub(crate) workers: usize,
    first: u32,
    pub(crate) shards: Vec<u64>,
    pub(crate) notes: Vec<u64>,
    pub(crate) texts: Vec<String>,
}

/// Writes and finds checkpoints.
#[derive(Clone, Debug)]
pub(crate) struct Keeper {
    folder: PathBuf,
    question: String,
    /// The checksum of the lines that were read so far.
    content: Checksum,
    run: u64,
    /// How many checkpoints this run has written, or tried to write.
    moments: u64,
    process: usize,
    /// Whether this worker maintains the files of its process.
    first_of_process: bool,
}

impl Keeper {
    pub(crate) fn new(
        folder: &Path,
        question: String,
        run: u64,
        process: usize,
        first_of_process: bool,
    ) -> Result<Self, ClusterError> {
        std::fs::create_dir_all(folder).map_err(ClusterError::file(folder))?;
        let (folder, content) = (folder.to_owned(), Checksum::default());
        Ok(Self { folder, question, content, run, moments: 0, process, first_of_process })
    }

    /// Sets the checksum of the lines that were read.
    pub(crate) fn was_read(&mut self, content: Checksum) {
        self.content = content;
    }

    fn path(&self, kind: Kind, serial: u64, worker: usize, workers: usize) -> PathBuf {
        let name = format!("{}-{serial:08}-{:04}-of-{workers:04}.part", kind.name(), worker + 1);
        self.folder.join(name)
    }

    fn path_of(&self, head: &Head) -> PathBuf {
        self.path(head.kind, head.serial, head.worker, head.workers)
    }

    /// Writes the records of all workers. All call this at the same time; when it returns, the set
    /// is complete.
    pub(crate) fn keep(
        &mut self,
        exchange: &mut Exchange<'_>,
        serial: u64,
        moment: Moment,
        fill: impl FnOnce(&mut Sink),
    ) -> Result<(), ClusterError> {
        self.moments += 1;
        let (worker, workers) = (exchange.index(), exchange.workers());
        let Moment { kind, first, shards, notes, texts } = moment;
        let head = Head {
            nimoon_checkpoint: FORMAT,
            program: PROGRAM.to_owned(),
            kind,
            question: self.question.clone(),
            content: self.content,
            run: self.run,
            moment: self.moments,
            serial,
            worker,
            workers,
            first,
            shards,
            notes,
            texts,
        };
        let path = self.path_of(&head);
        let written = write_part(&path, &head, fill).map_err(ClusterError::file(&path));
        exchange.agree(written)?;
        if self.first_of_process {
            self.remove(|head| kind.replaces(head.kind) && head.serial < serial);
        }
        Ok(())
    }

    /// The last complete set of a kind, wherever its parts are; all workers get the same answer.
    pub(crate) fn last(
        &self,
        exchange: &mut Exchange<'_>,
        kind: Kind,
    ) -> Result<Option<Complete>, ClusterError> {
        let mut heads: Vec<Head> = Vec::new();
        let mut wrong = Ok(());
        if self.first_of_process {
            for (path, head) in self.heads() {
                if let Err(error) = self.owns(&path, &head) {
                    wrong = Err(error);
                }
                // A part with a wrong name would not be found again.
                let is_named = head.worker < head.workers && path == self.path_of(&head);
                if head.kind == kind && is_named {
                    heads.push(head);
                }
            }
        }
        exchange.agree(wrong)?;
        let text = serde_json::to_string(&(self.process, &heads)).unwrap_or_default();
        let shared = exchange.share_text(&text);
        let mut all: Vec<(usize, Head)> = Vec::new();
        for (process, heads) in
            shared.iter().filter_map(|text| serde_json::from_str::<(usize, Vec<Head>)>(text).ok())
        {
            all.extend(heads.into_iter().map(|head| (process, head)));
        }
        let set_of = |head: &Head| (head.serial, head.run, head.moment, head.workers);
        all.sort_by_key(|(process, head)| (std::cmp::Reverse(set_of(head)), head.worker, *process));
        for set in all.chunk_by(|(_, a), (_, b)| set_of(a) == set_of(b)) {
            let mut set = set.to_vec();
            set.dedup_by_key(|(_, head)| head.worker);
            let head = set[0].1.clone();
            let alike = |other: &Head| {
                (&other.shards, &other.notes, &other.texts)
                    == (&head.shards, &head.notes, &head.texts)
            };
            if set.len() == head.workers && set.iter().all(|(_, other)| alike(other)) {
                let readers = set.iter().map(|(process, _)| *process).collect();
                return Ok(Some(Complete { head, readers, keeper: self.clone() }));
            }
        }
        Ok(None)
    }

    /// Whether any worker has a checkpoint for which all lines were read. All workers call this at
    /// the same time.
    pub(crate) fn has_read_all(&self, exchange: &mut Exchange<'_>) -> bool {
        let is_later = |head: &Head| head.kind != Kind::Building && self.asks(head);
        let found = self.first_of_process && self.heads().iter().any(|(_, head)| is_later(head));
        let mut found = [u64::from(found)];
        exchange.add_up(&mut found);
        found[0] > 0
    }

    /// Whether a part belongs to this program and question.
    fn asks(&self, head: &Head) -> bool {
        (head.program.as_str(), &head.question) == (PROGRAM, &self.question)
    }

    /// Checks that a part belongs to this run, as far as its head shows. While the digraph was
    /// being built, the lines are known only from the notes.
    fn owns(&self, path: &Path, head: &Head) -> Result<(), ClusterError> {
        if head.program != PROGRAM {
            return Err(another(path, "version", &head.program, PROGRAM));
        }
        if head.question != self.question {
            return Err(another(path, "question", &head.question, &self.question));
        }
        if head.kind != Kind::Building && head.content != self.content {
            return Err(other_lines(path, head.content, self.content));
        }
        if head.serial > LAST_SERIAL {
            return Err(ClusterError::Checkpoint(format!(
                "{}: this part of a checkpoint has the impossible number {}: delete it; the run then resumes from an earlier checkpoint, or starts again",
                path.display(),
                head.serial
            )));
        }
        Ok(())
    }

    /// Removes all checkpoints of this question, when it is answered.
    pub(crate) fn clear(&self) {
        if self.first_of_process {
            self.remove(|_| true);
        }
    }

    /// Removes parts; a part that cannot be removed does no harm.
    fn remove(&self, which: impl Fn(&Head) -> bool) {
        for (path, head) in self.heads() {
            if self.asks(&head) && which(&head) {
                let _ = std::fs::remove_file(path);
            }
        }
    }

    /// The parts in the folder that have a head.
    fn heads(&self) -> Vec<(PathBuf, Head)> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let parts = paths.filter(|path| path.extension().is_some_and(|end| end == "part"));
        parts.filter_map(|path| Some((path.clone(), Records::open(&path)?.head))).collect()
    }
}

/// A complete set of parts.
#[derive(Clone, Debug)]
pub(crate) struct Complete {
    pub(crate) head: Head,
    /// For each part, the process that is to read it.
    readers: Vec<usize>,
    keeper: Keeper,
}

impl Complete {
    /// The parts that this worker is to read.
    pub(crate) fn parts(&self) -> Vec<usize> {
        let keeper = &self.keeper;
        let mine = |part: &usize| keeper.first_of_process && self.readers[*part] == keeper.process;
        (0..self.readers.len()).filter(mine).collect()
    }

    /// The process whose first worker reads a part.
    pub(crate) fn reader(&self, part: usize) -> Option<usize> {
        self.readers.get(part).copied()
    }

    /// One of the parts.
    pub(crate) fn part(&self, part: usize) -> Result<Records, ClusterError> {
        let Head { kind, serial, workers, .. } = self.head;
        let path = self.keeper.path(kind, serial, part, workers);
        let records = Records::open(&path).ok_or_else(|| damaged(&path))?;
        let expected = Head { worker: part, first: records.head.first, ..self.head.clone() };
        if records.head == expected { Ok(records) } else { Err(damaged(&path)) }
    }

    /// Checks that it was made from these lines.
    pub(crate) fn is_of(&self, content: Checksum) -> Result<(), ClusterError> {
        if content == self.head.content {
            return Ok(());
        }
        Err(other_lines(&self.keeper.folder.join(self.name()), self.head.content, content))
    }

    /// The error that its contents are damaged.
    pub(crate) fn is_damaged(&self) -> ClusterError {
        let message = format!(
            "{}: the checkpoint {} is damaged: delete it",
            self.keeper.folder.display(),
            self.name()
        );
        ClusterError::Checkpoint(message)
    }

    /// The beginning of the names of its parts.
    fn name(&self) -> String {
        let Head { kind, serial, .. } = &self.head;
        format!("{}-{serial:08}", kind.name())
    }

    /// Reads a set with a record for each node, by number: the records of this worker's nodes, in
    /// order, in several lists.
    pub(crate) fn read(
        &self,
        exchange: &mut Exchange<'_>,
        ranges: &Ranges,
    ) -> Result<Vec<Vec<u32>>, ClusterError> {
        let mut waiting = self.parts().into_iter();
        let mut open: Option<(Records, u32)> = None;
        let mut pieces: Vec<(u32, Vec<u32>)> = Vec::new();
        let mut outbox = exchange.outbox(1);
        loop {
            let mut send = || {
                if open.is_none()
                    && let Some(part) = waiting.next()
                {
                    let records = self.part(part)?;
                    let first = records.head.first;
                    open = Some((records, first));
                }
                let Some((records, next)) = &mut open else { return Ok(false) };
                // The records for a worker have consecutive numbers; the first number is sent at
                // the end.
                let mut firsts: Vec<(usize, u32)> = Vec::new();
                let mut sent = 0;
                let mut record = Vec::new();
                let mut more = true;
                while sent < WORDS_AT_ONCE {
                    more = records.next(&mut record)?;
                    if !more {
                        break;
                    }
                    if *next as usize >= ranges.len() {
                        return Err(damaged(&records.path));
                    }
                    let owner = ranges.owner(*next);
                    if firsts.last().is_none_or(|&(last, _)| last != owner) {
                        firsts.push((owner, *next));
                    }
                    let list = outbox.list(0, owner);
                    list.push(record.len() as u32);
                    list.extend_from_slice(&record);
                    sent += record.len() + 1;
                    *next += 1;
                }
                for (owner, first) in firsts {
                    outbox.list(0, owner).push(first);
                }
                if !more {
                    open = None;
                }
                Ok(true)
            };
            let sent = send();
            let sent = exchange.agree(sent)?;
            let mut tally = [u64::from(sent)];
            let mut inbox = exchange.step(&mut outbox, &mut tally);
            if tally[0] == 0 {
                break;
            }
            for from in 0..exchange.workers() as u32 {
                let mut words = joined(&mut inbox, from, 0);
                if let Some(first) = words.pop() {
                    pieces.push((first, words));
                }
            }
        }
        pieces.sort_by_key(|(first, _)| *first);
        Ok(pieces.into_iter().map(|(_, words)| words).collect())
    }
}

/// The records in a list of words, each after its length; none if the list ends within one.
pub(crate) fn records(words: &[u32]) -> impl Iterator<Item = Option<&[u32]>> {
    let mut rest = words;
    std::iter::from_fn(move || {
        let (&len, after) = rest.split_first()?;
        let Some((record, after)) = after.split_at_checked(len as usize) else {
            rest = &[];
            return Some(None);
        };
        rest = after;
        Some(Some(record))
    })
}

fn another(path: &Path, what: &str, theirs: &str, ours: &str) -> ClusterError {
    ClusterError::Checkpoint(format!(
        "{}: this is a checkpoint of another {what} ({theirs}); this run has {ours}: choose another folder, or delete it",
        path.display()
    ))
}

fn other_lines(path: &Path, theirs: Checksum, ours: Checksum) -> ClusterError {
    let [theirs, ours] = [theirs, ours].map(|sum| format!("lines with checksum {sum}"));
    another(path, "input", &theirs, &ours)
}

fn damaged(path: &Path) -> ClusterError {
    ClusterError::Checkpoint(format!(
        "{}: this part of a checkpoint is damaged: delete it; the run then resumes from an earlier checkpoint, or starts again",
        path.display()
    ))
}

/// A checksum of words that depends on their order.
#[derive(Clone, Copy, Debug)]
struct Sum(u64);

impl Sum {
    /// A sum that begins with the head.
    fn new(head: &[u8]) -> Self {
        Self(crate::shards::hash(head))
    }

    fn add(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }
}

/// Writes the records of a part.
pub(crate) struct Sink {
    out: BufWriter<File>,
    words: u64,
    sum: Sum,
    /// Whether all writes have succeeded so far.
    written: std::io::Result<()>,
}

impl Sink {
    fn word(&mut self, word: u32) {
        self.words += 1;
        self.sum.add(word);
        if self.written.is_ok() {
            self.written = self.out.write_all(&word.to_le_bytes());
        }
    }

    /// Writes a record.
    pub(crate) fn record(&mut self, words: &[u32]) {
        self.word(words.len() as u32);
        for &word in words {
            self.word(word);
        }
    }
}

fn write_part(path: &Path, head: &Head, fill: impl FnOnce(&mut Sink)) -> std::io::Result<()> {
    let beside = path.with_extension("new");
    let mut line = serde_json::to_vec(head)?;
    line.push(b'\n');
    let mut out = BufWriter::with_capacity(1 << 18, File::create(&beside)?);
    out.write_all(&line)?;
    let mut sink = Sink { out, words: 0, sum: Sum::new(&line), written: Ok(()) };
    fill(&mut sink);
    let Sink { mut out, words, sum, written } = sink;
    written?;
    out.write_all(&words.to_le_bytes())?;
    out.write_all(&sum.0.to_le_bytes())?;
    out.flush()?;
    out.get_ref().sync_data()?;
    drop(out);
    std::fs::rename(beside, path)
}

/// The records of a part, one after the other.
#[derive(Debug)]
pub(crate) struct Records {
    path: PathBuf,
    head: Head,
    file: BufReader<File>,
    /// How many words are left.
    left: u64,
    words: u64,
    sum: Sum,
}

impl Records {
    /// Opens a part; none if it is not a part of this version.
    fn open(path: &Path) -> Option<Self> {
        let file = File::open(path).ok()?;
        let bytes = file.metadata().ok()?.len();
        let mut file = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        file.by_ref().take(MOST_HEAD).read_until(b'\n', &mut line).ok()?;
        let head: Head = serde_json::from_slice(&line).ok()?;
        if head.nimoon_checkpoint != FORMAT {
            return None;
        }
        // A wrong length is reported when the end is read.
        let words = (bytes - line.len() as u64).div_ceil(4).saturating_sub(WORDS_AT_END);
        Some(Self { path: path.to_owned(), head, file, left: words, words, sum: Sum::new(&line) })
    }

    fn four(&mut self) -> Result<u32, ClusterError> {
        let mut four = [0; 4];
        self.file.read_exact(&mut four).map_err(|_| damaged(&self.path))?;
        Ok(u32::from_le_bytes(four))
    }

    fn word(&mut self) -> Result<u32, ClusterError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| damaged(&self.path))?;
        let word = self.four()?;
        self.sum.add(word);
        Ok(word)
    }

    /// Reads the next record; false at the end, after the checksum of all records was verified.
    pub(crate) fn next(&mut self, record: &mut Vec<u32>) -> Result<bool, ClusterError> {
        record.clear();
        if self.left == 0 {
            let mut both = || Ok(u64::from(self.four()?) | u64::from(self.four()?) << 32);
            let (words, sum) = (both()?, both()?);
            let whole = (words, sum) == (self.words, self.sum.0);
            return if whole { Ok(false) } else { Err(self.damaged()) };
        }
        let len = self.word()?;
        if u64::from(len) > self.left {
            return Err(self.damaged());
        }
        for _ in 0..len {
            record.push(self.word()?);
        }
        Ok(true)
    }

    /// The error that this part is damaged.
    pub(crate) fn damaged(&self) -> ClusterError {
        damaged(&self.path)
    }
}

#[cfg(test)]
mod tests;
