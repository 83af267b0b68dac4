//! Supersteps: messages that workers send in one superstep arrive before the next.
//!
//! ```text
//!   worker 0   work ──► outbox ─┐              ┌─► inbox ──► work
//!   worker 1   work ──► outbox ─┼─ superstep ──┼─► inbox ──► work
//!   worker 2   work ──► outbox ─┘              └─► inbox ──► work
//! ```
//!
//! There is one dataflow with one input, one exchange and one probe. A superstep is an epoch of the
//! input: a worker hands over its parcels, closes the epoch, and steps until the probe has passed
//! it. timely's progress tracking allows that when everything sent in that epoch has arrived
//! everywhere. Each superstep also has a *tally*, a list of numbers that are added up over all
//! workers: it shows whether any worker has work left.
//!
//! Parcels are lists of 32-bit numbers with a topic. Within a process they are passed as they are;
//! between processes they are written as little-endian bytes.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use nimoon::limits::Limit;
use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::container::NoopBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::dataflow::operators::generic::Operator as _;
use timely::dataflow::operators::probe::Handle as ProbeHandle;
use timely::dataflow::operators::{Input as _, Probe as _};
use timely::worker::Worker;

use crate::{ClusterError, End, RemoteError};

/// The topic of a parcel. Each phase has its own meaning for the numbers below [`Topic::MAX`].
pub(crate) type Topic = u32;

/// The topic of the tally.
const TALLY: Topic = Topic::MAX;

/// The most words in one parcel: longer lists are cut, so that no large buffer is needed. Messages
/// of two to six words are never cut.
const MOST_WORDS: usize = 60 << 14;

/// The kinds of errors that workers send each other, as the digits of their places here.
const ENDS: [End; 6] = [
    End::Other,
    End::Input,
    End::Budget(Limit::Positions),
    End::Budget(Limit::Bytes),
    End::Budget(Limit::Time),
    End::Stopped,
];

/// Numbers from one worker to another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parcel {
    pub(crate) from: u32,
    to: u32,
    pub(crate) topic: Topic,
    pub(crate) words: Vec<u32>,
}

impl Accountable for Parcel {
    fn record_count(&self) -> i64 {
        1
    }
}

impl ContainerBytes for Parcel {
    fn from_bytes(bytes: Bytes) -> Self {
        let mut words = bytes.chunks_exact(4).map(|word| {
            let mut four = [0; 4];
            four.copy_from_slice(word);
            u32::from_le_bytes(four)
        });
        let mut head = || words.next().unwrap_or(0);
        let [from, to, topic, len] = [head(), head(), head(), head()];
        Self { from, to, topic, words: words.take(len as usize).collect() }
    }

    fn length_in_bytes(&self) -> usize {
        // Messages begin at multiples of eight bytes.
        (16 + 4 * self.words.len() + 7) & !7
    }

    fn into_bytes<W: std::io::Write>(&self, writer: &mut W) {
        let head = [self.from, self.to, self.topic, self.words.len() as u32];
        let padding = (!self.words.len().is_multiple_of(2)).then_some(&0);
        let mut room = [0_u8; 4096];
        let mut used = 0;
        for word in head.iter().chain(&self.words).chain(padding) {
            room[used..used + 4].copy_from_slice(&word.to_le_bytes());
            used += 4;
            if used == room.len() {
                // The writer is a buffer of the requested length.
                writer.write_all(&room).unwrap_or_else(|_| unreachable!("the room was requested"));
                used = 0;
            }
        }
        writer.write_all(&room[..used]).unwrap_or_else(|_| unreachable!("the room was requested"));
    }
}

/// Sends each parcel to its worker.
struct ToWorker;

impl Distributor<Parcel> for ToWorker {
    fn partition<T: Clone, P: Push<Message<T, Parcel>>>(
        &mut self,
        parcel: &mut Parcel,
        time: &T,
        pushers: &mut [P],
    ) {
        let to = parcel.to as usize;
        Message::push_at(parcel, time.clone(), &mut pushers[to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Parcel>>>(&mut self, _: &T, _: &mut [P]) {}
}

/// The messages of a worker for the next superstep: for each topic and worker, a list of numbers.
#[derive(Debug)]
pub(crate) struct Outbox {
    /// By topic, then by worker.
    lists: Vec<Vec<Vec<u32>>>,
}

impl Outbox {
    pub(crate) fn new(topics: usize, workers: usize) -> Self {
        Self { lists: vec![vec![Vec::new(); workers]; topics] }
    }

    #[inline]
    pub(crate) fn list(&mut self, topic: Topic, to: usize) -> &mut Vec<u32> {
        &mut self.lists[topic as usize][to]
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.lists.iter().flatten().map(Vec::len).sum()
    }
}

/// One end of the supersteps: each worker has one.
pub(crate) struct Exchange<'a> {
    worker: &'a mut Worker,
    input: InputHandle<u64, NoopBuilder<Parcel>>,
    probe: ProbeHandle<u64>,
    /// The parcels that have arrived, by the parity of the epoch: no worker is two epochs ahead.
    inboxes: Rc<RefCell<[Vec<Parcel>; 2]>>,
    epoch: u64,
    /// Numbers that all workers have sent to others.
    sent: u64,
}

impl<'a> Exchange<'a> {
    pub(crate) fn new(worker: &'a mut Worker) -> Self {
        let inboxes: Rc<RefCell<[Vec<Parcel>; 2]>> = Rc::default();
        let filled = Rc::clone(&inboxes);
        let mut input = InputHandle::new_with_builder();
        let probe = worker.dataflow::<u64, _, _>(|scope| {
            let arrived = scope.input_from(&mut input).unary::<NoopBuilder<Parcel>, _, _, _>(
                DistributorPact(|_| ToWorker),
                "superstep",
                |_, _| {
                    move |input, _output| {
                        input.for_each(|time, parcel| {
                            let parity = (*time.time() % 2) as usize;
                            filled.borrow_mut()[parity].push(std::mem::take(parcel));
                        });
                    }
                },
            );
            arrived.probe().0
        });
        Self { worker, input, probe, inboxes, epoch: 0, sent: 0 }
    }

    /// The number of this worker.
    pub(crate) fn index(&self) -> usize {
        self.worker.index()
    }

    /// The number of workers.
    pub(crate) fn workers(&self) -> usize {
        self.worker.peers()
    }

    /// How many supersteps there were.
    pub(crate) fn supersteps(&self) -> u64 {
        self.epoch
    }

    /// How many numbers all workers have sent to others, without the tallies.
    pub(crate) fn sent(&self) -> u64 {
        self.sent
    }

    pub(crate) fn outbox(&self, topics: usize) -> Outbox {
        Outbox::new(topics, self.workers())
    }

    /// One superstep: sends the outbox, and waits for the messages of all others.
    ///
    /// The result is sorted by sender, in the order of each sender, and includes the worker's
    /// messages to itself. The numbers of the tally are added up over all workers.
    pub(crate) fn step(&mut self, outbox: &mut Outbox, tally: &mut [u64]) -> Vec<Parcel> {
        let (index, workers) = (self.index(), self.workers());
        let from = index as u32;
        let mut own = Vec::new();
        let mut sent = 0;
        for (topic, lists) in (0..).zip(&mut outbox.lists) {
            for (to, list) in lists.iter_mut().enumerate().filter(|(_, list)| !list.is_empty()) {
                let words = std::mem::take(list);
                if to == index {
                    own.push(Parcel { from, to: from, topic, words });
                    continue;
                }
                sent += words.len() as u64;
                if words.len() <= MOST_WORDS {
                    self.send(Parcel { from, to: to as u32, topic, words });
                    continue;
                }
                for words in words.chunks(MOST_WORDS) {
                    self.send(Parcel { from, to: to as u32, topic, words: words.to_vec() });
                }
            }
        }
        let numbers = tally.iter().chain([&sent]);
        let words: Vec<u32> =
            numbers.flat_map(|number| [*number as u32, (number >> 32) as u32]).collect();
        for to in (0..workers).filter(|to| *to != index) {
            self.send(Parcel { from, to: to as u32, topic: TALLY, words: words.clone() });
        }
        let parity = (self.epoch % 2) as usize;
        self.epoch += 1;
        self.input.advance_to(self.epoch);
        // A message wakes the thread up; the time limit is for everything else.
        let patience = Some(Duration::from_millis(5));
        while self.probe.less_than(&self.epoch) {
            self.worker.step_or_park(patience);
        }
        let mut arrived = std::mem::take(&mut self.inboxes.borrow_mut()[parity]);
        arrived.append(&mut own);
        let mut heard_of = 1;
        arrived.retain(|parcel| {
            if parcel.topic == TALLY {
                heard_of += 1;
                let numbers = tally.iter_mut().chain([&mut sent]);
                for (number, words) in numbers.zip(parcel.words.chunks_exact(2)) {
                    *number += u64::from(words[0]) | u64::from(words[1]) << 32;
                }
            }
            parcel.topic != TALLY
        });
        self.sent += sent;
        // A worker that failed counts as one without messages; conclusions from that would be
        // wrong.
        assert!(heard_of == workers, "only {heard_of} of {workers} workers are there");
        // Parcels of one sender arrive in order, and the sort is stable.
        arrived.sort_by_key(|parcel| parcel.from);
        arrived
    }

    fn send(&mut self, mut parcel: Parcel) {
        self.input.send_batch(&mut parcel);
    }

    /// One superstep with only a tally.
    pub(crate) fn add_up(&mut self, tally: &mut [u64]) {
        let mut nothing = self.outbox(0);
        self.step(&mut nothing, tally);
    }

    /// One superstep in which every worker sends some numbers to all others: the lists of all, by
    /// worker.
    pub(crate) fn share(&mut self, words: &[u32]) -> Vec<Vec<u32>> {
        let mut outbox = self.outbox(1);
        for to in 0..self.workers() {
            outbox.list(0, to).extend_from_slice(words);
        }
        let mut shared = vec![Vec::new(); self.workers()];
        for parcel in self.step(&mut outbox, &mut []) {
            shared[parcel.from as usize].extend(parcel.words);
        }
        shared
    }

    /// Continues if no worker has failed; otherwise all get the error of the first worker that has
    /// one.
    pub(crate) fn agree<T>(&mut self, result: Result<T, ClusterError>) -> Result<T, ClusterError> {
        let text = match &result {
            Ok(_) => String::new(),
            Err(error) => {
                let end = ENDS.iter().position(|end| *end == error.end()).unwrap_or(0);
                format!("{end}{error}")
            }
        };
        let mut said = self.share_text(&text).into_iter().filter(|text| !text.is_empty());
        let Some(first) = said.next() else { return result };
        let end = usize::from(first.as_bytes()[0].wrapping_sub(b'0'));
        let end = ENDS.get(end).copied().unwrap_or(End::Other);
        Err(ClusterError::Elsewhere(Box::new(RemoteError { message: first[1..].to_owned(), end })))
    }

    /// As [`share`](Self::share), with text.
    pub(crate) fn share_text(&mut self, text: &str) -> Vec<String> {
        let shared = self.share(&words_of_text(text));
        shared.iter().map(|words| text_of_words(words)).collect()
    }
}

/// Text as numbers: its length in bytes, and the bytes by fours.
pub(crate) fn words_of_text(text: &str) -> Vec<u32> {
    let mut words = vec![text.len() as u32];
    push_bytes(&mut words, text.as_bytes());
    words
}

/// Appends bytes by fours, the last ones with zeros after them.
pub(crate) fn push_bytes(words: &mut Vec<u32>, bytes: &[u8]) {
    let fours = bytes.chunks(4).map(|chunk| {
        let mut four = [0; 4];
        four[..chunk.len()].copy_from_slice(chunk);
        u32::from_le_bytes(four)
    });
    words.extend(fours);
}

/// Takes this many bytes from the front.
pub(crate) fn take_bytes(words: &mut &[u32], len: usize, bytes: &mut Vec<u8>) {
    let (these, rest) = words.split_at(len.div_ceil(4).min(words.len()));
    *words = rest;
    bytes.clear();
    bytes.extend(these.iter().flat_map(|word| word.to_le_bytes()));
    bytes.truncate(len);
}

/// Removes the words of one topic from one worker from an inbox.
pub(crate) fn joined(inbox: &mut [Parcel], from: u32, topic: u32) -> Vec<u32> {
    let mut words = Vec::new();
    for parcel in inbox.iter_mut().filter(|p| p.from == from && p.topic == topic) {
        if words.is_empty() {
            words = std::mem::take(&mut parcel.words);
        } else {
            words.append(&mut parcel.words);
        }
    }
    words
}

/// Reads what [`words_of_text`] wrote.
fn text_of_words(mut words: &[u32]) -> String {
    let Some((&len, rest)) = words.split_first() else { return String::new() };
    words = rest;
    let mut bytes = Vec::new();
    take_bytes(&mut words, len as usize, &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parcel_is_read_back_from_its_bytes() {
        for len in [0, 1, 2, 5, 1020, 1021, 5000] {
            let words: Vec<u32> = (0..len).map(|i: u32| i.wrapping_mul(0x0101_0101)).collect();
            let parcel = Parcel { from: 3, to: 1, topic: 7, words };
            let mut bytes = Vec::new();
            parcel.into_bytes(&mut bytes);
            assert_eq!(bytes.len(), parcel.length_in_bytes());
            let mut slab = timely::bytes::arc::BytesMut::from(bytes).freeze();
            let back = Parcel::from_bytes(slab.extract_to(parcel.length_in_bytes()));
            assert_eq!((back.from, back.to, back.topic), (3, 1, 7));
            assert_eq!(back.words, parcel.words);
        }
    }

    #[test]
    fn every_worker_hears_every_worker() {
        for workers in [1, 2, 4] {
            let guards = timely::execute(timely::Config::process(workers), |worker| {
                let mut exchange = Exchange::new(worker);
                for round in 0..20 {
                    let mut outbox = exchange.outbox(2);
                    for to in 0..exchange.workers() {
                        outbox.list(1, to).push(100 * exchange.index() as u32 + to as u32 + round);
                    }
                    let mut tally = [u64::from(round) << 32, 1];
                    let inbox = exchange.step(&mut outbox, &mut tally);
                    let heard: Vec<_> = inbox.iter().map(|p| (p.topic, p.words.clone())).collect();
                    let expected: Vec<_> = (0..exchange.workers() as u32)
                        .map(|from| (1, vec![100 * from + exchange.index() as u32 + round]))
                        .collect();
                    assert_eq!(heard, expected);
                    let workers = exchange.workers() as u64;
                    assert_eq!(tally, [(u64::from(round) << 32) * workers, workers]);
                }
                let texts = exchange.share_text(&format!("I am {}", exchange.index()));
                assert_eq!(texts.last(), Some(&format!("I am {}", exchange.workers() - 1)));
            });
            for ended in guards.unwrap().join() {
                ended.unwrap();
            }
        }
    }
}
