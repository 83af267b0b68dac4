//! The cyclic and the carry-on theory, level by level, by messages.
//!
//! The rules are those of `docs/design.md`: x *wins* k if x → y and y has value k, or x ↻ y and y has a value below k or wins k; x
//! *has value* k if x wins all j < k, every x → y has a value below k or wins k, and every x ↻ y has value k. Levels
//! are settled one after the other. Within a level counters only fall and wins are noted once, so it does not matter in
//! which order messages arrive: what is here is followed as far as it leads, and what is elsewhere is told in the next superstep. A level is at its end
//! when a superstep has sent nothing.
//!
//! When a level is at its end, nodes from which carry-on moves reach its values are *safe*: they win every later level, say so once, and
//! are left alone; those that have won all levels up to here are the moons.
//!
//! Who hears that an option has value k notes k among its exits, or, over a carry-on move, among the numbers that the opponent can be made to
//! move to. So these sets cost no messages; only [`sets`](super::sets) follows carry-on moves once more.

use rustc_hash::FxHashMap;

use crate::ClusterError;
use crate::build::Share;
use crate::exchange::{Exchange, Outbox, Parcel};
use crate::label::chains::Moves;
use crate::records::InLevels;
use crate::rows::Rows;
use crate::shards::Number;

/// The move loses against this level.
const LOSES: u32 = 0;
/// The ordinary move leads to a node of this level: it wins here, and loses later.
const HAS_VALUE: u32 = 1;
/// The carry-on move wins this level.
const WINS: u32 = 2;
/// The carry-on move leads to a node that is safe.
const IS_SAFE: u32 = 3;
/// The ordinary move leads to a node that is safe: it loses against every later level.
const LOSES_LATER: u32 = 4;
/// The carry-on move leads to a node of this level, which is at its end.
const CARRIES: u32 = 5;
/// How many kinds of news there are.
pub(crate) const TOPICS: usize = 6;

const ASSIGNED: u32 = 1 << 31;
/// The mark of nodes that no level changes: gray nodes, full moons and safe nodes.
const LEFT_OUT: u32 = u32::MAX;

/// What a node that is left out is, in place of its stamp.
const GRAY: u32 = 0;
const FULL_MOON: u32 = 1;
const SAFE: u32 = 2;
const MOON: u32 = 3;

/// What is known of a node: half a line of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct State {
    /// Moves that do not lose against every later level.
    pending: u32,
    /// Moves that do not yet lose against the level of the stamp.
    not_lost: u32,
    /// The last level that touched this node, plus one, doubled; odd if the node won it.
    stamp: u32,
    /// With a value: that and `ASSIGNED`. Without: how many levels were won from 0 on.
    mark: u32,
    /// Values below 64 that ordinary moves lead to, and that the opponent can be made to move to.
    pub(crate) exits: u64,
    pub(crate) forced: u64,
}

impl State {
    /// How many words it takes in a checkpoint.
    pub(crate) const WORDS: usize = 8;

    pub(crate) fn words(&self) -> [u32; Self::WORDS] {
        let Self { pending, not_lost, stamp, mark, exits, forced } = *self;
        let high = |word: u64| (word >> 32) as u32;
        [pending, not_lost, stamp, mark, exits as u32, high(exits), forced as u32, high(forced)]
    }

    pub(crate) fn of_words(words: [u32; Self::WORDS]) -> Self {
        let [pending, not_lost, stamp, mark, a, b, c, d] = words;
        let both = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        Self { pending, not_lost, stamp, mark, exits: both(a, b), forced: both(c, d) }
    }

    /// The nimber, if there is one.
    pub(crate) fn nimber(&self) -> Option<u32> {
        (self.mark & ASSIGNED != 0 && self.mark != LEFT_OUT).then_some(self.mark & !ASSIGNED)
    }

    /// What a node without a nimber is; in doubt, in a cyclic zone.
    pub(crate) fn rest(&self) -> Rest {
        match (self.mark, self.stamp) {
            (LEFT_OUT, GRAY) => Rest::Gray,
            (LEFT_OUT, FULL_MOON) => Rest::FullMoon,
            (LEFT_OUT, MOON) => Rest::Moon,
            _ => Rest::Zone,
        }
    }

    /// Whether the node is white, no full moon, and has no nimber.
    pub(crate) fn is_open(&self) -> bool {
        self.nimber().is_none() && matches!(self.rest(), Rest::Moon | Rest::Zone)
    }
}

/// What a node without a nimber is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    Gray,
    FullMoon,
    Moon,
    Zone,
}

/// Where a level is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Values are being found.
    Values,
    /// They are found, and safe nodes are.
    Safe,
}

/// Numbers from 64 on among the exits and the forced ones of a node.
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
    /// How many nodes have a value, here and of this level.
    pub(crate) assigned: u64,
    of_level: Vec<u32>,
    /// Nodes that have won all levels before the next one.
    eligible: Vec<u32>,
    /// Nodes with something to tell.
    new_values: Vec<u32>,
    new_winners: Vec<u32>,
    /// Room for those who are told.
    told: Vec<Number>,
    own: usize,
}

impl<'a> Levels<'a> {
    pub(crate) fn new(exchange: &Exchange<'_>, share: &'a Share, mut moves: Moves) -> Self {
        let pending = std::mem::take(&mut moves.pending);
        let node = |(node, pending): (usize, u32)| {
            let left_out = |what| State { mark: LEFT_OUT, stamp: what, ..State::default() };
            if share.here.gray[node] {
                left_out(GRAY)
            } else if moves.full_moons[node] {
                left_out(FULL_MOON)
            } else {
                State { pending, ..State::default() }
            }
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
            told: Vec::new(),
            own: exchange.index(),
        };
        levels.begin_level();
        levels
    }

    /// Goes on from a checkpoint: all that was found had been told, and what was on its way is heard now.
    pub(crate) fn resume(&mut self, kept: InLevels, level: u32, stage: Stage) {
        let InLevels { states, beyond, heard } = kept;
        self.states = states;
        self.beyond = beyond;
        self.level = level;
        self.stage = stage;
        let nodes = || (0..).zip(&self.states);
        let value = |state: &State| state.nimber() == Some(level);
        self.of_level = nodes().filter(|(_, state)| value(state)).map(|(node, _)| node).collect();
        let won = |state: &State| state.nimber().is_none() && state.mark == level + 1;
        self.eligible = nodes().filter(|(_, state)| won(state)).map(|(node, _)| node).collect();
        self.assigned = nodes().filter(|(_, state)| state.nimber().is_some()).count() as u64;
        self.new_values.clear();
        self.new_winners.clear();
        for (news, nodes) in (0..).zip(heard) {
            self.hear(&nodes, news);
        }
    }

    /// Assigns those that have won all levels before this one and have no other move.
    fn begin_level(&mut self) {
        let candidates = if self.level == 0 {
            let idle = |(_, state): &(u32, &State)| state.pending == 0 && state.mark == 0;
            (0..).zip(&self.states).filter(idle).map(|(node, _)| node).collect()
        } else {
            std::mem::take(&mut self.eligible)
        };
        self.of_level.clear();
        for node in candidates {
            let state = &mut self.states[node as usize];
            if state.mark == self.level && state.pending == 0 {
                state.mark = ASSIGNED | self.level;
                self.new_values.push(node);
                self.beyond.remove(&node);
            }
        }
    }

    /// One superstep: tells what there is to tell, hears what comes back; false when all levels are settled.
    ///
    /// `told` is called when what was sent has arrived and was not yet heard: nothing is on its way then.
    pub(crate) fn superstep(
        &mut self,
        exchange: &mut Exchange<'_>,
        outbox: &mut Outbox,
        due: bool,
        told: &mut Hear<'_, Self>,
    ) -> Result<bool, ClusterError> {
        self.tell_all(outbox);
        let of_level = self.of_level.len() as u64;
        let mut tally = [outbox.len() as u64, of_level, self.assigned, u64::from(due)];
        let inbox = exchange.step(outbox, &mut tally);
        let [sent, of_level, assigned, due] = tally;
        told(exchange, self, &inbox, Told { assigned, due: due > 0 })?;
        self.hear_all(inbox);
        if sent > 0 {
            return Ok(true);
        }
        match self.stage {
            Stage::Values if of_level == 0 => return Ok(false),
            Stage::Values if self.share.totals.gray > 0 => {
                self.stage = Stage::Safe;
                let values = std::mem::take(&mut self.of_level);
                let again = std::mem::take(&mut self.moves.again);
                self.tell(&values, &again, CARRIES, outbox);
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

    fn tell_all(&mut self, outbox: &mut Outbox) {
        let again = std::mem::take(&mut self.moves.again);
        let ordinary = std::mem::take(&mut self.moves.ordinary);
        let plain = &self.share.here.from_white;
        while !(self.new_values.is_empty() && self.new_winners.is_empty()) {
            let values = std::mem::take(&mut self.new_values);
            let winners = std::mem::take(&mut self.new_winners);
            if self.stage == Stage::Safe {
                self.tell(&winners, &again, IS_SAFE, outbox);
                self.tell(&winners, plain, LOSES_LATER, outbox);
                self.tell(&winners, &ordinary, LOSES_LATER, outbox);
                continue;
            }
            self.assigned += values.len() as u64;
            self.of_level.extend_from_slice(&values);
            self.tell(&values, plain, HAS_VALUE, outbox);
            self.tell(&winners, plain, LOSES, outbox);
            self.tell(&values, &ordinary, HAS_VALUE, outbox);
            self.tell(&winners, &ordinary, LOSES, outbox);
            self.tell(&values, &again, LOSES, outbox);
            self.tell(&winners, &again, WINS, outbox);
        }
        self.moves.again = again;
        self.moves.ordinary = ordinary;
    }

    /// Lets nodes that are here tell all in their rows.
    fn tell(&mut self, nodes: &[u32], rows: &Rows, news: u32, outbox: &mut Outbox) {
        /// So many nodes are told of at once, so that the processor waits for all of them together.
        const AT_ONCE: usize = 64;
        let first = self.share.first;
        let alone = self.share.ranges.worker(self.own).len() == self.share.ranges.len();
        let mut told = std::mem::take(&mut self.told);
        for nodes in nodes.chunks(AT_ONCE) {
            told.clear();
            if alone {
                rows.gather(nodes, |row| told.extend_from_slice(row));
            } else {
                rows.gather(nodes, |row| {
                    for &number in row {
                        let owner = self.share.ranges.owner(number);
                        if owner == self.own {
                            told.push(number - first);
                        } else {
                            outbox.list(news, owner).push(number);
                        }
                    }
                });
            }
            self.hear(&told, news);
        }
        self.told = told;
    }

    fn hear_all(&mut self, inbox: Vec<Parcel>) {
        let first = self.share.first;
        for Parcel { topic, mut words, .. } in inbox {
            for number in &mut words {
                *number -= first;
            }
            for nodes in words.chunks(256) {
                self.hear(nodes, topic);
            }
        }
    }

    /// Lets nodes that are here hear something.
    fn hear(&mut self, nodes: &[u32], news: u32) {
        let marks = nodes.iter().map(|&node| self.states[node as usize].mark);
        std::hint::black_box(marks.fold(0, |a, b| a ^ b));
        let touched = (self.level + 1) << 1;
        for &node in nodes {
            let level = self.level;
            let state = &mut self.states[node as usize];
            if matches!(news, HAS_VALUE | LOSES_LATER) {
                // Meaningless for nodes that are left out.
                state.pending = state.pending.wrapping_sub(1);
            }
            if news == CARRIES && state.nimber().is_none() {
                match 1_u64.checked_shl(level) {
                    Some(bit) => state.forced |= bit,
                    None => push_once(&mut self.beyond.entry(node).or_default().forced, level),
                }
            }
            if state.mark & ASSIGNED != 0 {
                continue;
            }
            match news {
                LOSES => {
                    if state.stamp < touched {
                        state.stamp = touched;
                        state.not_lost = state.pending;
                    }
                    // Meaningless for a node that won this level: that one gets no value here.
                    state.not_lost = state.not_lost.wrapping_sub(1);
                    if state.not_lost == 0 && state.mark == level {
                        state.mark = ASSIGNED | level;
                        self.new_values.push(node);
                        if level > 64 {
                            self.beyond.remove(&node);
                        }
                    }
                }
                HAS_VALUE | WINS => {
                    if news == HAS_VALUE {
                        match 1_u64.checked_shl(level) {
                            Some(bit) => state.exits |= bit,
                            None => {
                                push_once(&mut self.beyond.entry(node).or_default().exits, level);
                            }
                        }
                    }
                    if state.stamp == touched | 1 {
                        continue;
                    }
                    state.stamp = touched | 1;
                    if state.mark == level {
                        state.mark += 1;
                        self.eligible.push(node);
                    }
                    self.new_winners.push(node);
                }
                IS_SAFE | CARRIES => {
                    state.stamp = if state.mark == level + 1 { MOON } else { SAFE };
                    state.mark = LEFT_OUT;
                    self.new_winners.push(node);
                }
                _ => {}
            }
        }
    }
}

/// Levels come in order, so that only the last number can be the same.
fn push_once(numbers: &mut Vec<u32>, n: u32) {
    if numbers.last() != Some(&n) {
        numbers.push(n);
    }
}

/// Who is called in each superstep, with what has arrived here and what was told everywhere.
type Hear<'a, L> =
    dyn FnMut(&mut Exchange<'_>, &L, &[Parcel], Told) -> Result<(), ClusterError> + 'a;

/// What a superstep has told, everywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told {
    /// Nodes with a nimber.
    pub(crate) assigned: u64,
    /// Whether some worker has asked for a checkpoint.
    pub(crate) due: bool,
}
