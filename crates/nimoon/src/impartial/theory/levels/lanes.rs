//! Rounds of many nodes: news is sorted by lanes of nodes, and delivered lane by lane.
//!
//! A lane is 65,536 neighbouring nodes or more, as many as keep their states in the cache while
//! they receive their news.

use super::{Change, Delivery, LevelState, News};
use crate::graph::digraph::Node;

/// News from some nodes, sorted by lanes.
#[derive(Default)]
pub(super) struct Outbox {
    news: News,
    to: Vec<Vec<Node>>,
}

impl Outbox {
    pub(super) fn fill(&mut self, delivery: Delivery<'_>, lanes: usize, lane_bits: u32) {
        self.news = delivery.news;
        self.to.resize_with(lanes, Vec::new);
        for list in &mut self.to {
            list.clear();
        }
        delivery.rows.gather(delivery.nodes, |row| {
            for &node in row {
                self.to[node as usize >> lane_bits].push(node);
            }
        });
    }

    /// How many nodes receive news.
    pub(super) fn receivers(&self) -> usize {
        self.to.iter().map(Vec::len).sum()
    }
}

/// Neighbouring nodes whose states fit the cache.
#[derive(Default)]
pub(super) struct Lane {
    /// Nodes that have won all levels so far: they may have the next one as value.
    pub(super) eligible: Vec<Node>,
    /// What the last round found, sorted.
    pub(super) assigned: Vec<Node>,
    pub(super) winners: Vec<Node>,
    marks: [Marks; 2],
}

impl Lane {
    pub(super) fn new(eligible: Vec<Node>) -> Self {
        Self { eligible, ..Self::default() }
    }

    /// Finds those that take the value of this level at its beginning.
    pub(super) fn begin_level(&mut self, first: usize, states: &mut [LevelState], level: u32) {
        /// Fewer are sorted at once.
        const MANY: usize = 256;
        let Self { eligible, assigned, marks: [marks, _], .. } = self;
        let begins = |node: &Node| states[*node as usize - first].begin(level);
        assigned.extend(eligible.drain(..).filter(begins));
        if assigned.len() < MANY {
            assigned.sort_unstable();
        } else {
            for node in assigned.drain(..) {
                marks.put(node as usize - first, states.len());
            }
            marks.take(first, assigned);
        }
    }

    /// Hears what outboxes hold for this lane.
    pub(super) fn hear(
        &mut self,
        lane: usize,
        first: usize,
        states: &mut [LevelState],
        outboxes: &[Outbox],
        level: u32,
    ) {
        let Self { eligible, assigned, winners, marks: [values, wins] } = self;
        let len = states.len();
        let mut received = false;
        for outbox in outboxes {
            let news = outbox.news;
            for &node in &outbox.to[lane] {
                let place = node as usize - first;
                match states[place].hear(news, level) {
                    Change::Nothing => continue,
                    Change::Assigned => {
                        received = true;
                        values.put(place, len);
                        continue;
                    }
                    Change::WonAll => eligible.push(node),
                    Change::Won => {}
                }
                received = true;
                wins.put(place, len);
            }
        }
        if received {
            values.take(first, assigned);
            wins.take(first, winners);
        }
    }
}

/// A set of the nodes of a lane.
#[derive(Default)]
struct Marks(Vec<u64>);

impl Marks {
    #[inline]
    fn put(&mut self, place: usize, len: usize) {
        if self.0.is_empty() {
            self.0.resize(len.div_ceil(64), 0);
        }
        self.0[place / 64] |= 1 << (place % 64);
    }

    /// Empties the set into a list, sorted.
    fn take(&mut self, first: usize, into: &mut Vec<Node>) {
        for (i, word) in self.0.iter_mut().enumerate() {
            let mut word = std::mem::take(word);
            while word != 0 {
                into.push((first + 64 * i) as Node + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }
}
