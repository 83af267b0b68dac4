//! Gray chains of carry-on digraphs, collapsed; and full moons.
//!
//! What a move onto a gray node amounts to is known at the end of the chain, and is told backwards along it, changing with every gray node:
//! who moves again after a chain of one has the turn passed after a chain of two. White nodes then tell the
//! ends of their chains that they have a move there. What hears nothing is in a circle of gray nodes.

use crate::ClusterError;
use crate::build::Share;
use crate::exchange::{Exchange, Outbox, Parcel};
use crate::rows::Rows;
use crate::shards::Number;

/// What a move onto a gray node amounts to: the topics of the first supersteps.
const AGAIN: u32 = 0;
const ORDINARY: u32 = 1;
const WINS: u32 = 2;
const LOSES: u32 = 3;

/// The same for a chain that is one gray node longer.
fn longer(kind: u32) -> u32 {
    kind ^ 1
}

/// What a move onto a gray node amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chain {
    /// The piece ends on this white node, and the same player moves again.
    Again(Number),
    /// The piece ends on this white node, and the turn passes.
    Ordinary(Number),
    /// The opponent is stuck.
    Wins,
    /// The mover is stuck.
    Loses,
    /// The piece runs in a circle for ever.
    Endless,
}

/// The moves between white nodes, with the chains collapsed.
pub(crate) struct Moves {
    /// From where carry-on moves lead to each node.
    pub(crate) again: Rows,
    /// From where ordinary moves lead to each node by way of gray ones; the others are in the share.
    pub(crate) ordinary: Rows,
    /// For each white node, the moves that may not lose; for others it is of no account.
    pub(crate) pending: Vec<u32>,
    pub(crate) full_moons: Vec<bool>,
    /// The kind and the end of each gray node's chain; nothing if there are no gray nodes.
    ends: Vec<(u8, Number)>,
}

/// In place of a kind: nothing was heard.
const ENDLESS: u8 = u8::MAX;

impl Moves {
    /// Collapses the chains.
    pub(crate) fn new(exchange: &mut Exchange<'_>, share: &Share) -> Result<Self, ClusterError> {
        let pending = share.here.options.clone();
        let mut moves = Self {
            again: Rows::default(),
            ordinary: Rows::default(),
            pending,
            full_moons: vec![false; share.len()],
            ends: Vec::new(),
        };
        if share.totals.gray == 0 {
            return Ok(moves);
        }
        moves.ends = vec![(ENDLESS, 0); share.len()];
        let found = moves.collapse(exchange, share);
        moves.connect(exchange, share, &found)?;
        moves.find_full_moons(exchange, share, found.wins);
        Ok(moves)
    }

    /// Follows all chains backwards.
    fn collapse(&mut self, exchange: &mut Exchange<'_>, share: &Share) -> Found {
        let own = exchange.index();
        let mut outbox = exchange.outbox(4);
        let mut telling = Telling { share, own, outbox: &mut outbox, here: Vec::new() };
        for node in 0..share.len() {
            if !share.here.gray[node] {
                telling.tell(share.here.from_gray.row(node), AGAIN, share.first + node as Number);
            } else if share.here.options[node] == 0 {
                self.ends[node] = (WINS as u8, 0);
                telling.of_gray(node, WINS, 0);
            }
        }
        let mut here = telling.here;
        let mut found = Found::default();
        loop {
            while !here.is_empty() {
                let mut telling = Telling { share, own, outbox: &mut outbox, here: Vec::new() };
                for (node, kind, end) in here {
                    self.heard(&mut telling, &mut found, node, kind, end);
                }
                here = telling.here;
            }
            let mut tally = [outbox.len() as u64];
            let inbox = exchange.step(&mut outbox, &mut tally);
            if tally[0] == 0 {
                return found;
            }
            for Parcel { topic, words, .. } in inbox {
                here.extend(
                    words.chunks_exact(2).map(|pair| (pair[0] - share.first, topic, pair[1])),
                );
            }
        }
    }

    fn heard(
        &mut self,
        telling: &mut Telling<'_>,
        found: &mut Found,
        node: u32,
        kind: u32,
        end: Number,
    ) {
        if telling.share.here.gray[node as usize] {
            self.ends[node as usize] = (kind as u8, end);
            telling.of_gray(node as usize, kind, end);
            return;
        }
        let from = telling.share.first + node;
        match kind {
            AGAIN => found.again.push((end, from)),
            ORDINARY => found.ordinary.push((end, from)),
            _ => {
                // Suicide loses against everything; who wins at once has no need of the rest.
                self.pending[node as usize] -= 1;
                if kind == WINS {
                    found.wins.push(node);
                }
            }
        }
    }

    /// Tells the ends of chains from where they come.
    fn connect(
        &mut self,
        exchange: &mut Exchange<'_>,
        share: &Share,
        found: &Found,
    ) -> Result<(), ClusterError> {
        let mut outbox = exchange.outbox(2);
        for (topic, pairs) in (0..).zip([&found.again, &found.ordinary]) {
            for &(end, from) in pairs {
                outbox.list(topic, share.ranges.owner(end)).extend([end, from]);
            }
        }
        let mut pairs = [Vec::new(), Vec::new()];
        for Parcel { topic, words, .. } in exchange.step(&mut outbox, &mut []) {
            let arcs = words.chunks_exact(2);
            pairs[topic as usize].extend(
                arcs.map(|pair| u64::from(pair[0] - share.first) << 32 | u64::from(pair[1])),
            );
        }
        let built = Rows::new(share.len(), &pairs[0])
            .and_then(|again| Ok((again, Rows::new(share.len(), &pairs[1])?)))
            .map_err(|_| ClusterError::TooManyArcs);
        (self.again, self.ordinary) = exchange.agree(built)?;
        Ok(())
    }

    /// A node with a move that wins at once is a full moon, and so is one with a carry-on move to a full moon. An ordinary move to one
    /// loses against everything.
    fn find_full_moons(&mut self, exchange: &mut Exchange<'_>, share: &Share, wins: Vec<u32>) {
        const IS_FULL_MOON: u32 = 0;
        const LOSES: u32 = 1;
        let own = exchange.index();
        let mut outbox = exchange.outbox(2);
        let mut new = Vec::new();
        for node in wins {
            if !std::mem::replace(&mut self.full_moons[node as usize], true) {
                new.push(node);
            }
        }
        loop {
            while let Some(node) = new.pop() {
                let node = node as usize;
                let rows = [share.here.from_white.row(node), self.ordinary.row(node)];
                for &from in rows.into_iter().flatten() {
                    let owner = share.ranges.owner(from);
                    if owner == own {
                        self.pending[(from - share.first) as usize] -= 1;
                    } else {
                        outbox.list(LOSES, owner).push(from);
                    }
                }
                for &from in self.again.row(node) {
                    let owner = share.ranges.owner(from);
                    if owner != own {
                        outbox.list(IS_FULL_MOON, owner).push(from);
                    } else if !std::mem::replace(
                        &mut self.full_moons[(from - share.first) as usize],
                        true,
                    ) {
                        new.push(from - share.first);
                    }
                }
            }
            let mut tally = [outbox.len() as u64];
            let inbox = exchange.step(&mut outbox, &mut tally);
            if tally[0] == 0 {
                return;
            }
            for Parcel { topic, words, .. } in inbox {
                for number in words {
                    let node = (number - share.first) as usize;
                    if topic == LOSES {
                        self.pending[node] -= 1;
                    } else if !std::mem::replace(&mut self.full_moons[node], true) {
                        new.push(node as u32);
                    }
                }
            }
        }
    }

    /// What a move onto a gray node amounts to.
    pub(crate) fn chain(&self, node: usize) -> Chain {
        let (kind, end) = self.ends[node];
        match u32::from(kind) {
            AGAIN => Chain::Again(end),
            ORDINARY => Chain::Ordinary(end),
            WINS => Chain::Wins,
            LOSES => Chain::Loses,
            _ => Chain::Endless,
        }
    }
}

/// The moves of white nodes that go by way of gray ones.
#[derive(Default)]
struct Found {
    /// Where they end, and from where.
    again: Vec<(Number, Number)>,
    ordinary: Vec<(Number, Number)>,
    /// Nodes with a move that wins at once, some of them often.
    wins: Vec<u32>,
}

struct Telling<'a> {
    share: &'a Share,
    own: usize,
    outbox: &'a mut Outbox,
    /// What is told to nodes that are here.
    here: Vec<(u32, u32, Number)>,
}

impl Telling<'_> {
    fn tell(&mut self, row: &[Number], kind: u32, end: Number) {
        for &from in row {
            let owner = self.share.ranges.owner(from);
            if owner == self.own {
                self.here.push((from - self.share.first, kind, end));
            } else {
                self.outbox.list(kind, owner).extend([from, end]);
            }
        }
    }

    /// A gray node tells white ones what it amounts to, and gray ones what that makes of them.
    fn of_gray(&mut self, node: usize, kind: u32, end: Number) {
        let share = self.share;
        self.tell(share.here.from_white.row(node), kind, end);
        self.tell(share.here.from_gray.row(node), longer(kind), end);
    }
}
