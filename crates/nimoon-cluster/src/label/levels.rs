//! The cyclic and the carry-on theory, level by level, by messages.
//!
//! The rules for a node are those of [`nimoon::impartial::theory::levels`]. Within a level the
//! order of messages does not matter: messages to nodes of the same worker are processed at once,
//! those to other workers in the next superstep. A level ends when a superstep has sent nothing.
//!
//! A node that receives the value k of an option adds k to its exits, or, over a carry-on move, to
//! the numbers that it can force the opponent to move to. So these sets cost no messages; only
//! [`sets`](super::sets) follows carry-on moves again.

use nimoon::impartial::theory::levels::{Broadcast, Change, LevelState, News, Standing};
use rustc_hash::FxHashMap;

use crate::ClusterError;
use crate::build::Share;
use crate::exchange::{Exchange, Outbox, Parcel};
use crate::label::chains::Moves;
use crate::records::InLevels;
use crate::rows::Rows;
use crate::shards::Number;

/// The number of kinds of messages; their numbers are the topics.
pub(crate) const TOPICS: usize = News::ALL.len();

/// The state of a node: half a line of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct State {
    pub(crate) level: LevelState,
    /// Values below 64 that ordinary moves lead to, and that the opponent can be forced to move to.
    pub(crate) exits: u64,
    pub(crate) forced: u64,
}

impl State {
    /// The number of its words in a checkpoint.
    pub(crate) const WORDS: usize = 8;

    fn new(level: LevelState) -> Self {
        Self { level, exits: 0, forced: 0 }
    }

    pub(crate) fn words(&self) -> [u32; Self::WORDS] {
        let Self { level, exits, forced } = *self;
        let [pending, not_lost, stamp, mark] = level.words();
        let high = |word: u64| (word >> 32) as u32;
        [pending, not_lost, stamp, mark, exits as u32, high(exits), forced as u32, high(forced)]
    }

    pub(crate) fn of_words(words: [u32; Self::WORDS]) -> Self {
        let [pending, not_lost, stamp, mark, a, b, c, d] = words;
        let both = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let level = LevelState::of_words([pending, not_lost, stamp, mark]);
        Self { level, exits: both(a, b), forced: both(c, d) }
    }

    /// Whether the node is white, not a full moon, and has no nimber.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.level.standing(), Standing::Moon | Standing::Zone)
    }
}

/// The stage of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Values are being found.
    Values,
    /// Values are known, and safe nodes are being found.
    Safe,
}

/// Numbers from 64 on among the exits and the forced numbers of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Beyond {
    pub(crate) exits: Vec<u32>,
    pub(crate) forced: Vec<u32>,
}

/// The levels, as far as they are settled.
pub(crate) struct Levels<'a> {
    share: &'a Share,
    pub(crate) moves: Moves,
    pub(crate) states: Vec<State>,
    pub(crate) beyond: FxHashMap<u32, Beyond>,
    pub(crate) level: u32,
    pub(crate) stage: Stage,
    /// How many nodes of this worker have a value of this level.
    pub(crate) assigned: u64,
    of_level: Vec<u32>,
    /// Nodes that have won all levels before the next one.
    eligible: Vec<u32>,
    /// Nodes with messages to send.
    new_values: Vec<u32>,
    new_winners: Vec<u32>,
    /// A buffer for the receivers.
    receivers: Vec<Number>,
    own: usize,
}

impl<'a> Levels<'a> {
    pub(crate) fn new(exchange: &Exchange<'_>, share: &'a Share, mut moves: Moves) -> Self {
        let pending = std::mem::take(&mut moves.pending);
        let node = |(node, pending): (usize, u32)| {
            State::new(if share.here.gray[node] {
                LevelState::GRAY
            } else if moves.full_moons[node] {
                LevelState::FULL_MOON
            } else {
                LevelState::open(pending)
            })
        };
        let states: Vec<State> = pending.into_iter().enumerate().map(node).collect();
        moves.full_moons = Vec::new();
        let mut levels = Self {
            share,
            moves,
            states,
            beyond: FxHashMap::default(),
            level: 0,
            stage: Stage::Values,
            assigned: 0,
            of_level: Vec::new(),
            eligible: Vec::new(),
            new_values: Vec::new(),
            new_winners: Vec::new(),
            receivers: Vec::new(),
            own: exchange.index(),
        };
        levels.begin_level();
        levels
    }

    /// Resumes from a checkpoint: all messages had been sent, and those on their way are received
    /// now.
    pub(crate) fn resume(&mut self, kept: InLevels, level: u32, stage: Stage) {
        let InLevels { states, beyond, heard } = kept;
        self.states = states;
        self.beyond = beyond;
        self.level = level;
        self.stage = stage;
        let nodes = || (0..).zip(&self.states);
        let value = |state: &State| state.level.nimber() == Some(level);
        self.of_level = nodes().filter(|(_, state)| value(state)).map(|(node, _)| node).collect();
        let won = |state: &State| state.level.has_won_before(level + 1);
        self.eligible = nodes().filter(|(_, state)| won(state)).map(|(node, _)| node).collect();
        self.assigned = nodes().filter(|(_, state)| state.level.nimber().is_some()).count() as u64;
        self.new_values.clear();
        self.new_winners.clear();
        for (news, nodes) in News::ALL.into_iter().zip(heard) {
            self.receive(&nodes, news);
        }
    }

    /// Assigns the nodes that have won all levels before this one and have no other move.
    fn begin_level(&mut self) {
        let candidates = if self.level == 0 {
            (0..self.states.len() as u32).collect()
        } else {
            std::mem::take(&mut self.eligible)
        };
        self.of_level.clear();
        for node in candidates {
            if self.states[node as usize].level.begin(self.level) {
                self.new_values.push(node);
                self.beyond.remove(&node);
            }
        }
    }

    /// One superstep: sends all messages and receives the arrived ones; false when all levels are
    /// settled.
    ///
    /// `arrived` is called when the messages have arrived and before they are processed: then none
    /// is on its way.
    pub(crate) fn superstep(
        &mut self,
        exchange: &mut Exchange<'_>,
        outbox: &mut Outbox,
        due: bool,
        arrived: &mut OnArrival<'_, Self>,
    ) -> Result<bool, ClusterError> {
        self.send_all(outbox);
        let of_level = self.of_level.len() as u64;
        let mut tally = [outbox.len() as u64, of_level, self.assigned, u64::from(due)];
        let inbox = exchange.step(outbox, &mut tally);
        let [sent, of_level, assigned, due] = tally;
        arrived(exchange, self, &inbox, Summary { assigned, due: due > 0 })?;
        self.receive_all(inbox);
        if sent > 0 {
            return Ok(true);
        }
        match self.stage {
            Stage::Values if of_level == 0 => return Ok(false),
            Stage::Values if self.share.totals.gray > 0 => {
                self.stage = Stage::Safe;
                let values = std::mem::take(&mut self.of_level);
                let again = std::mem::take(&mut self.moves.again);
                self.send(&values, &again, News::Carries, outbox);
                self.moves.again = again;
                self.of_level = values;
            }
            Stage::Values | Stage::Safe => {
                self.stage = Stage::Values;
                self.level += 1;
                self.begin_level();
            }
        }
        Ok(true)
    }

    fn send_all(&mut self, outbox: &mut Outbox) {
        let again = std::mem::take(&mut self.moves.again);
        let ordinary = std::mem::take(&mut self.moves.ordinary);
        let plain = &self.share.here.from_white;
        while !(self.new_values.is_empty() && self.new_winners.is_empty()) {
            let values = std::mem::take(&mut self.new_values);
            let winners = std::mem::take(&mut self.new_winners);
            self.assigned += values.len() as u64;
            self.of_level.extend_from_slice(&values);
            let won = if self.stage == Stage::Safe { Broadcast::SAFE } else { Broadcast::WIN };
            for (nodes, broadcast) in [(values, Broadcast::VALUE), (winners, won)] {
                self.send(&nodes, plain, broadcast.ordinary, outbox);
                self.send(&nodes, &ordinary, broadcast.ordinary, outbox);
                self.send(&nodes, &again, broadcast.again, outbox);
            }
        }
        self.moves.again = again;
        self.moves.ordinary = ordinary;
    }

    /// Sends a message from nodes of this worker to all nodes in their rows.
    fn send(&mut self, nodes: &[u32], rows: &Rows, news: News, outbox: &mut Outbox) {
        /// This many nodes are processed at once, so that the processor waits for all of them
        /// together.
        const AT_ONCE: usize = 64;
        let first = self.share.first;
        let alone = self.share.ranges.worker(self.own).len() == self.share.ranges.len();
        let mut receivers = std::mem::take(&mut self.receivers);
        for nodes in nodes.chunks(AT_ONCE) {
            receivers.clear();
            if alone {
                rows.gather(nodes, |row| receivers.extend_from_slice(row));
            } else {
                rows.gather(nodes, |row| {
                    for &number in row {
                        let owner = self.share.ranges.owner(number);
                        if owner == self.own {
                            receivers.push(number - first);
                        } else {
                            outbox.list(news as u32, owner).push(number);
                        }
                    }
                });
            }
            self.receive(&receivers, news);
        }
        self.receivers = receivers;
    }

    fn receive_all(&mut self, inbox: Vec<Parcel>) {
        let first = self.share.first;
        for Parcel { topic, mut words, .. } in inbox {
            let Some(&news) = News::ALL.get(topic as usize) else { continue };
            for number in &mut words {
                *number -= first;
            }
            for nodes in words.chunks(256) {
                self.receive(nodes, news);
            }
        }
    }

    /// Delivers a message to nodes of this worker.
    fn receive(&mut self, nodes: &[u32], news: News) {
        let marks = nodes.iter().map(|&node| self.states[node as usize].level.mark());
        std::hint::black_box(marks.fold(0, |a, b| a ^ b));
        let level = self.level;
        for &node in nodes {
            let State { level: state, exits, forced } = &mut self.states[node as usize];
            if news == News::HasValue && state.is_undecided() {
                match 1_u64.checked_shl(level) {
                    Some(bit) => *exits |= bit,
                    None => push_once(&mut self.beyond.entry(node).or_default().exits, level),
                }
            } else if news == News::Carries && state.nimber().is_none() {
                match 1_u64.checked_shl(level) {
                    Some(bit) => *forced |= bit,
                    None => push_once(&mut self.beyond.entry(node).or_default().forced, level),
                }
            }
            match state.hear(news, level) {
                Change::Nothing => continue,
                Change::Assigned => {
                    self.new_values.push(node);
                    if level > 64 {
                        self.beyond.remove(&node);
                    }
                    continue;
                }
                Change::WonAll => self.eligible.push(node),
                Change::Won => {}
            }
            self.new_winners.push(node);
        }
    }
}

/// Levels come in order, so only the last number can be the same.
fn push_once(numbers: &mut Vec<u32>, n: u32) {
    if numbers.last() != Some(&n) {
        numbers.push(n);
    }
}

/// The callback of each superstep, with the messages that have arrived here and a summary over all
/// workers.
type OnArrival<'a, L> =
    dyn FnMut(&mut Exchange<'_>, &L, &[Parcel], Summary) -> Result<(), ClusterError> + 'a;

/// The summary of a superstep over all workers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    /// The number of nodes with a nimber.
    pub(crate) assigned: u64,
    /// Whether some worker has requested a checkpoint.
    pub(crate) due: bool,
}
