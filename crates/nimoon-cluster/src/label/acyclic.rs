//! The short and the entailing theory: a node is settled when all of its options are.
//!
//! Every node counts its unsettled options, and collects messages of the settled ones: the nimber
//! of a white one, the set of covered nim-heaps of a gray one. When the count is zero, the node is
//! settled ([`settle`]). If nodes are left over, there is a cycle.
//!
//! A set is one word if possible: bits 0 to 62 for the numbers below 63, and bit 63 for all others
//! together. Other sets are stored separately.

use nimoon::impartial::theory::entailing::{Settled, settle};
use nimoon::{AnyValue, Cover, EntailingValue, Label, NimberSet, Nimbers, Theory};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ClusterError;
use crate::build::Share;
use crate::checkpoint::{Kind, Sink, records};
use crate::course::Course;
use crate::exchange::{Exchange, Outbox, Parcel};
use crate::label::{FIRST_OTHER, Labels};
use crate::plan::Activity;

/// A white option has this nimber: pairs of a node and a nimber.
const NIMBER: u32 = 0;
/// A white option is a moon.
const MOON: u32 = 1;
/// A gray option covers a set: pairs of a node and the place of the set among those of the sender.
const COVERS: u32 = 2;
/// Sets that the sender will refer to, see [`push_set`].
const SETS: u32 = 3;

/// Stands for all numbers from 63 on.
const LARGE: u64 = 1 << 63;

/// The state while nodes are being settled.
pub(crate) struct Acyclic<'a> {
    share: &'a Share,
    theory: Theory,
    /// The number of unsettled options of each node; not used for settled nodes.
    unsettled: Vec<u32>,
    masks: Vec<u64>,
    /// Numbers from 63 on, and sets that do not fit into a word.
    numbers: FxHashMap<u32, FxHashSet<u32>>,
    sets: FxHashMap<u32, NimberSet>,
    labels: Labels,
    moon: u32,
    /// Settled nodes that have not sent their messages yet.
    new: Vec<u32>,
    /// How many nodes of this worker are settled.
    settled: u64,
    /// How many of the labels were announced to the others.
    announced: usize,
    /// The announcements of the others, by worker.
    heard: Vec<Vec<NimberSet>>,
}

fn word(set: &NimberSet) -> Option<u64> {
    let (elements, all_but) = match set {
        NimberSet::Only(elements) => (elements, false),
        NimberSet::AllExcept(elements) => (elements, true),
    };
    let mut mask = 0;
    for n in elements.iter() {
        if n >= 63 {
            return None;
        }
        mask |= 1 << n;
    }
    Some(if all_but { !mask } else { mask })
}

fn set_of(word: u64) -> NimberSet {
    let all_but = word & LARGE != 0;
    let bits = if all_but { !word } else { word };
    let elements: Nimbers = (0..63).filter(|n| bits >> n & 1 == 1).collect();
    if all_but { NimberSet::AllExcept(elements) } else { NimberSet::Only(elements) }
}

/// Appends a set: the number of listed elements, whether they are those left out, and the elements.
fn push_set(words: &mut Vec<u32>, set: &NimberSet) {
    let (elements, all_but) = match set {
        NimberSet::Only(elements) => (elements, 0),
        NimberSet::AllExcept(elements) => (elements, 1),
    };
    words.extend([elements.len() as u32, all_but]);
    words.extend(elements.iter().map(|n| n as u32));
}

/// Reads what [`push_set`] wrote; none at the end.
fn pop_set(words: &mut impl Iterator<Item = u32>) -> Option<NimberSet> {
    let (len, all_but) = (words.next()?, words.next()?);
    let elements: Nimbers = words.take(len as usize).map(u64::from).collect();
    Some(if all_but == 0 { NimberSet::Only(elements) } else { NimberSet::AllExcept(elements) })
}

impl<'a> Acyclic<'a> {
    pub(crate) fn new(exchange: &Exchange<'_>, share: &'a Share, theory: Theory) -> Self {
        let mut labels = Labels::new(share.len());
        let moon = labels.code(Label::White(AnyValue::Entailing(EntailingValue::Moon)));
        let mut all = Self {
            share,
            theory,
            unsettled: share.here.options.clone(),
            masks: vec![0; share.len()],
            numbers: FxHashMap::default(),
            sets: FxHashMap::default(),
            labels,
            moon,
            new: Vec::new(),
            settled: 0,
            announced: 0,
            heard: vec![Vec::new(); exchange.workers()],
        };
        for node in 0..share.len() as u32 {
            if all.unsettled[node as usize] == 0 {
                all.settle(node);
            }
        }
        all
    }

    /// Settles all possible nodes and returns the labels, or none if there is a cycle.
    pub(crate) fn run(
        mut self,
        exchange: &mut Exchange<'_>,
        course: &mut Course<'_>,
    ) -> Result<Result<Labels, Unsettled>, ClusterError> {
        if let Some(set) = course.last(exchange, Kind::Settled)? {
            let lists = set.read(exchange, &self.share.ranges)?;
            let taken = self.resume(&lists).ok_or_else(|| set.is_damaged());
            exchange.agree(taken)?;
        }
        let mut outbox = exchange.outbox(4);
        loop {
            while !self.new.is_empty() {
                self.send(exchange.index(), &mut outbox);
            }
            self.announce(exchange.index(), &mut outbox);
            let mut tally = [outbox.len() as u64, self.settled, course.is_due()];
            let inbox = exchange.step(&mut outbox, &mut tally);
            let [sent, labelled, due] = tally;
            let nodes = self.share.totals.nodes;
            course.report(exchange, Activity::Labelling { level: 0, labelled, nodes });
            if sent == 0 {
                if labelled == nodes {
                    return Ok(Ok(self.labels));
                }
                let left = self.unsettled.iter().position(|&count| count != 0);
                return Ok(Err(Unsettled { here: left }));
            }
            self.receive(inbox);
            if due > 0 {
                let share = self.share;
                course
                    .keep_nodes(exchange, share, Kind::Settled, vec![], |sink| self.keep(sink))?;
            }
        }
    }

    /// Writes a record for each node: its label and whether it was sent, or the messages that it
    /// has received.
    fn keep(&self, sink: &mut Sink) {
        let unsent: FxHashSet<u32> = self.new.iter().copied().collect();
        let mut words = Vec::new();
        for node in 0..self.share.len() as u32 {
            words.clear();
            let count = self.unsettled[node as usize];
            words.push(count);
            if count == 0 {
                let code = self.labels.codes[node as usize];
                words.push(u32::from(unsent.contains(&node)));
                words.push(code.min(FIRST_OTHER + u32::from(code != self.moon)));
                if let Some(place) = code.checked_sub(FIRST_OTHER)
                    && let Label::Gray(Some(Cover::Heaps(set))) =
                        &self.labels.others()[place as usize]
                {
                    push_set(&mut words, set);
                }
            } else {
                let mask = self.masks[node as usize];
                words.extend([mask as u32, (mask >> 32) as u32]);
                let numbers = self.numbers.get(&node);
                words.push(numbers.map_or(0, FxHashSet::len) as u32);
                words.extend(numbers.into_iter().flatten());
                if let Some(set) = self.sets.get(&node) {
                    push_set(&mut words, set);
                }
            }
            sink.record(&words);
        }
    }

    /// Resumes from a checkpoint; none if it is damaged.
    fn resume(&mut self, lists: &[Vec<u32>]) -> Option<()> {
        self.new.clear();
        self.settled = 0;
        let mut nodes = 0;
        for (node, record) in (0..).zip(lists.iter().flat_map(|words| records(words))) {
            let (&count, mut rest) = record?.split_first()?;
            nodes += 1;
            *self.unsettled.get_mut(node as usize)? = count;
            if count == 0 {
                let (&[unsent, code], set) = rest.split_first_chunk()?;
                self.settled += 1;
                if unsent == 1 {
                    self.new.push(node);
                }
                let set = pop_set(&mut set.iter().copied());
                self.labels.codes[node as usize] = match (code.checked_sub(FIRST_OTHER), set) {
                    (None, _) => code,
                    (Some(0), _) => self.moon,
                    (_, set) => self.labels.code(Label::Gray(Some(Cover::Heaps(set?)))),
                };
                continue;
            }
            let (&[low, high, len], after) = rest.split_first_chunk()?;
            self.masks[node as usize] = u64::from(low) | u64::from(high) << 32;
            let numbers;
            (numbers, rest) = after.split_at_checked(len as usize)?;
            if !numbers.is_empty() {
                self.numbers.insert(node, numbers.iter().copied().collect());
            }
            if let Some(set) = pop_set(&mut rest.iter().copied()) {
                self.sets.insert(node, set);
            }
        }
        (nodes == self.share.len()).then_some(())
    }

    /// Sends the labels of newly settled nodes to the sources of the arcs to them.
    fn send(&mut self, own: usize, outbox: &mut Outbox) {
        let share = self.share;
        let new = std::mem::take(&mut self.new);
        for &node in &new {
            let code = self.labels.codes[node as usize];
            let rows = [&share.here.from_white, &share.here.from_gray];
            for &from in rows.iter().flat_map(|rows| rows.row(node as usize)) {
                let owner = share.ranges.owner(from);
                if owner == own {
                    self.take(from - share.first, code);
                    continue;
                }
                match code.checked_sub(FIRST_OTHER) {
                    None => outbox.list(NIMBER, owner).extend([from, code]),
                    Some(_) if code == self.moon => outbox.list(MOON, owner).push(from),
                    Some(place) => outbox.list(COVERS, owner).extend([from, place]),
                }
            }
        }
    }

    /// Announces sets that the others do not know yet.
    fn announce(&mut self, own: usize, outbox: &mut Outbox) {
        let others = self.labels.others();
        let mut words = Vec::new();
        for label in &others[self.announced..] {
            let set = match label {
                Label::Gray(Some(Cover::Heaps(set))) => set.clone(),
                // The place of the moon, so that places agree.
                _ => NimberSet::Only(Nimbers::EMPTY),
            };
            push_set(&mut words, &set);
        }
        // Without gray nodes there are no sets.
        if others.len() > 1 {
            self.announced = others.len();
            for to in (0..self.heard.len()).filter(|&to| to != own) {
                outbox.list(SETS, to).extend_from_slice(&words);
            }
        }
    }

    fn receive(&mut self, inbox: Vec<Parcel>) {
        let first = self.share.first;
        let mut announced = vec![Vec::new(); self.heard.len()];
        for parcel in inbox.iter().filter(|parcel| parcel.topic == SETS) {
            announced[parcel.from as usize].extend_from_slice(&parcel.words);
        }
        for (words, heard) in announced.iter().zip(&mut self.heard) {
            let mut words = words.iter().copied();
            heard.extend(std::iter::from_fn(|| pop_set(&mut words)));
        }
        for Parcel { from, topic, words, .. } in inbox {
            match topic {
                NIMBER => {
                    for pair in words.chunks_exact(2) {
                        self.take(pair[0] - first, pair[1]);
                    }
                }
                MOON => words.iter().for_each(|&node| self.one_less(node - first)),
                COVERS => {
                    for pair in words.chunks_exact(2) {
                        let set = self.heard[from as usize][pair[1] as usize].clone();
                        self.take_set(pair[0] - first, &set);
                    }
                }
                _ => {}
            }
        }
    }

    /// Receives the message of an option.
    fn take(&mut self, node: u32, code: u32) {
        match code.checked_sub(FIRST_OTHER) {
            None => {
                if code < 63 {
                    self.masks[node as usize] |= 1 << code;
                } else {
                    self.numbers.entry(node).or_default().insert(code);
                }
                self.one_less(node);
            }
            Some(_) if code == self.moon => self.one_less(node),
            Some(place) => {
                if let Label::Gray(Some(Cover::Heaps(set))) = &self.labels.others()[place as usize]
                {
                    let set = set.clone();
                    self.take_set(node, &set);
                }
            }
        }
    }

    fn take_set(&mut self, node: u32, set: &NimberSet) {
        if let Some(word) = word(set) {
            self.masks[node as usize] |= word;
        } else {
            let all = self.sets.entry(node).or_insert_with(NimberSet::nothing);
            *all = all.union(set);
        }
        self.one_less(node);
    }

    fn one_less(&mut self, node: u32) {
        let count = &mut self.unsettled[node as usize];
        *count -= 1;
        if *count == 0 {
            self.settle(node);
        }
    }

    fn settle(&mut self, node: u32) {
        self.settled += 1;
        self.new.push(node);
        let mask = self.masks[node as usize];
        let gray = self.share.here.gray[node as usize];
        let small = mask.trailing_ones();
        let code = if !gray && small < 63 {
            small
        } else {
            let numbers = self.numbers.remove(&node).unwrap_or_default();
            let numbers = NimberSet::Only(numbers.into_iter().map(u64::from).collect());
            let mut winning = set_of(mask).union(&numbers);
            if let Some(sets) = self.sets.remove(&node) {
                winning = winning.union(&sets);
            }
            match settle(gray, winning) {
                Settled::Covers(set) => self.labels.code(Label::Gray(Some(Cover::Heaps(set)))),
                Settled::Nimber(n) => n,
                Settled::Moon => self.moon,
            }
        };
        self.labels.codes[node as usize] = code;
        if gray || small < 63 {
            self.numbers.remove(&node);
            self.sets.remove(&node);
        }
        debug_assert!(self.theory == Theory::Entailing || !gray);
    }
}

/// Some nodes cannot be settled: play from them need not end.
pub(crate) struct Unsettled {
    /// One of those of this worker.
    pub(crate) here: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_survive_as_words() {
        for set in [
            NimberSet::only([0, 3, 62]),
            NimberSet::all_except([1, 62]),
            NimberSet::everything(),
            NimberSet::only([]),
        ] {
            assert_eq!(set_of(word(&set).unwrap()), set);
        }
        assert_eq!(word(&NimberSet::only([63])), None);
        assert_eq!(word(&NimberSet::all_except([64])), None);
    }
}
