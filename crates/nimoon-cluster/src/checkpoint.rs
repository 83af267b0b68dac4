//! Checkpoints: each worker keeps its nodes on the disk of its process, and all agree on which set of them is complete.
//!
//! A part is a file with a head, which is a line of JSON, and a record of 32-bit words for each node of a worker, in the order of their
//! numbers. Numbers do not depend on how many workers there are, so other workers can take the records up: whoever
//! has a part on disk reads it and sends each record to the worker that has the node now.
//!
//! Parts of one moment have one serial number. They are complete when there is one of each worker, wherever it
//! lies; of these the last are taken. Earlier ones are removed when it is agreed that all parts of a later moment are written.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::ClusterError;
use crate::exchange::{Exchange, Parcel};
use crate::shards::Ranges;

/// The format of checkpoints; raised with every change of it.
const FORMAT: u32 = 1;

/// What is kept in a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// The digraph, before it is labelled.
    Digraph,
    /// The levels, as far as they are settled.
    Levels,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Digraph => "digraph",
            Self::Levels => "levels",
        }
    }
}

/// What a part says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    nimoon_checkpoint: u32,
    pub(crate) kind: Kind,
    /// What was asked.
    question: String,
    pub(crate) serial: u64,
    worker: usize,
    workers: usize,
    /// The first number of this part.
    first: u32,
    /// How many nodes each shard has.
    pub(crate) shards: Vec<u64>,
    /// Whatever else there is to know, the same in all parts.
    pub(crate) notes: Vec<u64>,
    pub(crate) texts: Vec<String>,
    /// How many words follow, and what they add up to.
    words: u64,
    checksum: u64,
}

/// A set of parts that is complete.
#[derive(Clone, Debug)]
pub(crate) struct Complete {
    pub(crate) head: Head,
    /// For each part, the process that is to read it.
    readers: Vec<usize>,
}

/// Where checkpoints are kept.
pub(crate) struct Keeper {
    folder: PathBuf,
    question: String,
    process: usize,
    /// Whether this worker looks after the files of its process.
    first_of_process: bool,
}

impl Keeper {
    pub(crate) fn new(
        folder: &Path,
        question: String,
        process: usize,
        first_of_process: bool,
    ) -> Result<Self, ClusterError> {
        std::fs::create_dir_all(folder).map_err(ClusterError::file(folder))?;
        Ok(Self { folder: folder.to_owned(), question, process, first_of_process })
    }

    fn path(&self, kind: Kind, serial: u64, worker: usize, workers: usize) -> PathBuf {
        let name = format!("{}-{serial:08}-{:04}-of-{workers:04}.part", kind.name(), worker + 1);
        self.folder.join(name)
    }

    /// Keeps the records of all workers. All call this at the same time; when it returns, the set is complete.
    #[expect(clippy::too_many_arguments, reason = "what a head holds")]
    pub(crate) fn keep(
        &self,
        exchange: &mut Exchange<'_>,
        kind: Kind,
        serial: u64,
        ranges: &Ranges,
        notes: Vec<u64>,
        texts: Vec<String>,
        words: &[u32],
    ) -> Result<(), ClusterError> {
        let (worker, workers) = (exchange.index(), exchange.workers());
        let head = Head {
            nimoon_checkpoint: FORMAT,
            kind,
            question: self.question.clone(),
            serial,
            worker,
            workers,
            first: ranges.worker(worker).start,
            shards: ranges.counts(),
            notes,
            texts,
            words: words.len() as u64,
            checksum: checksum(words),
        };
        let path = self.path(kind, serial, worker, workers);
        let written = write_part(&path, &head, words).map_err(ClusterError::file(&path));
        exchange.agree(written)?;
        if self.first_of_process {
            self.remove(|head| head.kind == kind && head.serial < serial);
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
                if head.question != self.question {
                    wrong = Err(ClusterError::Checkpoint(format!(
                        "{}: this is a checkpoint of another question ({}), here it is {}: choose another folder, or delete it",
                        path.display(),
                        head.question,
                        self.question
                    )));
                }
                if head.kind == kind {
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
        all.sort_by_key(|(process, head)| {
            (std::cmp::Reverse(head.serial), head.workers, head.worker, *process)
        });
        for set in all.chunk_by(|(_, a), (_, b)| (a.serial, a.workers) == (b.serial, b.workers)) {
            let mut set = set.to_vec();
            set.dedup_by_key(|(_, head)| head.worker);
            let head = set[0].1.clone();
            let alike = |other: &Head| other.shards == head.shards && other.notes == head.notes;
            if set.len() == head.workers && set.iter().all(|(_, other)| alike(other)) {
                let readers = set.iter().map(|(process, _)| *process).collect();
                return Ok(Some(Complete { head, readers }));
            }
        }
        Ok(None)
    }

    /// Reads a complete set: the records of this worker's nodes, in order, one after the other.
    pub(crate) fn read(
        &self,
        exchange: &mut Exchange<'_>,
        set: &Complete,
        ranges: &Ranges,
    ) -> Result<Vec<u32>, ClusterError> {
        let Head { kind, serial, workers, .. } = set.head;
        let mine = |worker: &usize| self.first_of_process && set.readers[*worker] == self.process;
        let mut waiting = (0..workers).filter(mine).collect::<Vec<_>>().into_iter();
        let mut pieces: Vec<(u32, Vec<u32>)> = Vec::new();
        loop {
            let mut outbox = exchange.outbox(2);
            let next = waiting.next();
            let sent = next.map_or(Ok(()), |worker| {
                let path = self.path(kind, serial, worker, workers);
                let (head, words) = read_part(&path)?;
                let damaged = || damaged(&path);
                if head.worker != worker || head.question != self.question {
                    return Err(damaged());
                }
                for (number, record) in (head.first..).zip(records(&words)) {
                    let record = record.ok_or_else(damaged)?;
                    if number as usize >= ranges.len() {
                        return Err(damaged());
                    }
                    let list = outbox.list(1, ranges.owner(number));
                    list.push(record.len() as u32);
                    list.extend_from_slice(record);
                }
                for to in 0..exchange.workers() {
                    outbox.list(0, to).push(head.first);
                }
                Ok(())
            });
            exchange.agree(sent)?;
            let mut tally = [u64::from(next.is_some())];
            let inbox = exchange.step(&mut outbox, &mut tally);
            if tally[0] == 0 {
                break;
            }
            for Parcel { from, topic, words, .. } in inbox {
                match (topic, pieces.last_mut()) {
                    (0, _) => pieces.push((words[0], vec![])),
                    (_, Some((_, piece))) => piece.extend(words),
                    (_, None) => unreachable!("worker {from} says first where its records begin"),
                }
            }
        }
        pieces.sort_by_key(|(first, _)| *first);
        Ok(pieces.into_iter().flat_map(|(_, words)| words).collect())
    }

    /// Removes everything that belongs to this question, when it is answered.
    pub(crate) fn clear(&self) {
        if self.first_of_process {
            self.remove(|_| true);
        }
    }

    /// Removes parts; one that stays all the same does no harm.
    fn remove(&self, which: impl Fn(&Head) -> bool) {
        for (path, head) in self.heads() {
            if head.question == self.question && which(&head) {
                let _ = std::fs::remove_file(path);
            }
        }
    }

    /// The parts in the folder that have a head.
    fn heads(&self) -> Vec<(PathBuf, Head)> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let parts = paths.filter(|path| path.extension().is_some_and(|end| end == "part"));
        parts.filter_map(|path| Some((path.clone(), read_head(&path)?.0))).collect()
    }
}

/// The records in a list of words, each after its length; none where the list ends within one.
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

fn checksum(words: &[u32]) -> u64 {
    words.iter().fold(words.len() as u64, |sum, &word| {
        (sum ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
    })
}

fn damaged(path: &Path) -> ClusterError {
    ClusterError::Checkpoint(format!(
        "{}: this part of a checkpoint is damaged: delete it, and an earlier one is taken, or the beginning",
        path.display()
    ))
}

fn write_part(path: &Path, head: &Head, words: &[u32]) -> std::io::Result<()> {
    let beside = path.with_extension("new");
    let mut out = std::io::BufWriter::with_capacity(1 << 18, std::fs::File::create(&beside)?);
    serde_json::to_writer(&mut out, head)?;
    out.write_all(b"\n")?;
    for word in words {
        out.write_all(&word.to_le_bytes())?;
    }
    out.flush()?;
    out.get_ref().sync_data()?;
    drop(out);
    std::fs::rename(beside, path)
}

/// The head of a part, and what comes after it; none if it is no part of this version.
fn read_head(path: &Path) -> Option<(Head, std::io::BufReader<std::fs::File>)> {
    use std::io::BufRead;
    let mut file = std::io::BufReader::with_capacity(1 << 16, std::fs::File::open(path).ok()?);
    let mut line = Vec::new();
    file.by_ref().take(1 << 26).read_until(b'\n', &mut line).ok()?;
    let head: Head = serde_json::from_slice(&line).ok()?;
    (head.nimoon_checkpoint == FORMAT).then_some((head, file))
}

fn read_part(path: &Path) -> Result<(Head, Vec<u32>), ClusterError> {
    let (head, mut file) = read_head(path).ok_or_else(|| damaged(path))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(ClusterError::file(path))?;
    let word = |four: &[u8]| four.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    let words: Vec<u32> = bytes.chunks_exact(4).map(word).collect();
    let whole = bytes.len() as u64 == 4 * head.words && checksum(&words) == head.checksum;
    if whole { Ok((head, words)) } else { Err(damaged(path)) }
}
