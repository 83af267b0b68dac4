//! Collapses the gray chains of carry-on digraphs, and finds full moons.
//!
//! The effect of a move onto a gray node is known at the end of its chain. It is sent backwards
//! along the chain, and changes with every gray node ([`ChainMove::longer`]). White nodes then send
//! a message to the ends of their chains. Gray nodes that receive no message lie on a cycle of gray
//! nodes.

use nimoon::impartial::theory::chains::ChainMove;

use crate::ClusterError;
use crate::build::Share;
use crate::exchange::{Exchange, Outbox, Parcel};
use crate::rows::Rows;
use crate::shards::Number;

/// The topics of the first supersteps: the effects of a move onto a gray node.
const AGAIN: u32 = 0;
const ORDINARY: u32 = 1;
const WINS: u32 = 2;
const LOSES: u32 = 3;

/// A topic, and the end of the chain if it has one. There are no messages about cycles of gray
/// nodes.
fn topic(chain: ChainMove) -> Option<(u32, Number)> {
    let topic = match chain {
        ChainMove::Again(_) => AGAIN,
        ChainMove::Ordinary(_) => ORDINARY,
        ChainMove::Wins => WINS,
        ChainMove::Loses => LOSES,
        ChainMove::Endless => return None,
    };
    Some((topic, chain.end().unwrap_or(0)))
}

/// The inverse of [`topic`].
fn of_topic(topic: u32, end: Number) -> ChainMove {
    match topic {
        AGAIN => ChainMove::Again(end),
        ORDINARY => ChainMove::Ordinary(end),
        WINS => ChainMove::Wins,
        _ => ChainMove::Loses,
    }
}

/// The moves between white nodes, with the chains collapsed.
pub(crate) struct Moves {
    /// The sources of carry-on moves to each node.
    pub(crate) again: Rows,
    /// The sources of ordinary moves to each node through gray nodes; the others are in the share.
    pub(crate) ordinary: Rows,
    /// For each white node, the number of moves that may not lose; not used for other nodes.
    pub(crate) pending: Vec<u32>,
    pub(crate) full_moons: Vec<bool>,
    /// The effect of a move onto each gray node; empty without gray nodes.
    pub(crate) chains: Vec<ChainMove>,
}

impl Moves {
    /// Collapses the chains.
    pub(crate) fn new(exchange: &mut Exchange<'_>, share: &Share) -> Result<Self, ClusterError> {
        let pending = share.here.options.clone();
        let mut moves = Self {
            again: Rows::default(),
            ordinary: Rows::default(),
            pending,
            full_moons: vec![false; share.len()],
            chains: Vec::new(),
        };
        if share.totals.gray == 0 {
            return Ok(moves);
        }
        moves.chains = vec![ChainMove::Endless; share.len()];
        let found = moves.collapse(exchange, share);
        moves.connect(exchange, share, &found)?;
        moves.find_full_moons(exchange, share, found.wins);
        Ok(moves)
    }

    /// Follows all chains backwards.
    fn collapse(&mut self, exchange: &mut Exchange<'_>, share: &Share) -> ChainMoves {
        let own = exchange.index();
        let mut outbox = exchange.outbox(4);
        let mut messages = Messages { share, own, outbox: &mut outbox, here: Vec::new() };
        for node in 0..share.len() {
            if !share.here.gray[node] {
                let onto = ChainMove::Ordinary(share.first + node as Number);
                messages.send(share.here.from_gray.row(node), onto.longer());
            } else if share.here.options[node] == 0 {
                self.chains[node] = ChainMove::Loses.longer();
                messages.of_gray(node, self.chains[node]);
            }
        }
        let mut here = messages.here;
        let mut found = ChainMoves::default();
        loop {
            while !here.is_empty() {
                let mut messages = Messages { share, own, outbox: &mut outbox, here: Vec::new() };
                for (node, chain) in here {
                    self.receive(&mut messages, &mut found, node, chain);
                }
                here = messages.here;
            }
            let mut tally = [outbox.len() as u64];
            let inbox = exchange.step(&mut outbox, &mut tally);
            if tally[0] == 0 {
                return found;
            }
            for Parcel { topic, words, .. } in inbox {
                let pairs = words.chunks_exact(2);
                here.extend(pairs.map(|pair| (pair[0] - share.first, of_topic(topic, pair[1]))));
            }
        }
    }

    fn receive(
        &mut self,
        messages: &mut Messages<'_>,
        found: &mut ChainMoves,
        node: u32,
        chain: ChainMove,
    ) {
        if messages.share.here.gray[node as usize] {
            self.chains[node as usize] = chain;
            messages.of_gray(node as usize, chain);
            return;
        }
        let from = messages.share.first + node;
        if !chain.is_pending() {
            self.pending[node as usize] -= 1;
        }
        match chain {
            ChainMove::Again(end) => found.again.push((end, from)),
            ChainMove::Ordinary(end) => found.ordinary.push((end, from)),
            ChainMove::Wins => found.wins.push(node),
            ChainMove::Loses | ChainMove::Endless => {}
        }
    }

    /// Sends the sources of chains to their ends.
    fn connect(
        &mut self,
        exchange: &mut Exchange<'_>,
        share: &Share,
        found: &ChainMoves,
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

    /// A node with an immediately winning move is a full moon, and so is a node with a carry-on
    /// move to a full moon. An ordinary move to a full moon loses against everything.
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
}

/// The moves of white nodes through gray ones.
#[derive(Default)]
struct ChainMoves {
    /// Their ends and sources.
    again: Vec<(Number, Number)>,
    ordinary: Vec<(Number, Number)>,
    /// Nodes with an immediately winning move, possibly repeated.
    wins: Vec<u32>,
}

struct Messages<'a> {
    share: &'a Share,
    own: usize,
    outbox: &'a mut Outbox,
    /// Messages to nodes of this worker.
    here: Vec<(u32, ChainMove)>,
}

impl Messages<'_> {
    fn send(&mut self, row: &[Number], chain: ChainMove) {
        let Some((topic, end)) = topic(chain) else { return };
        for &from in row {
            let owner = self.share.ranges.owner(from);
            if owner == self.own {
                self.here.push((from - self.share.first, chain));
            } else {
                self.outbox.list(topic, owner).extend([from, end]);
            }
        }
    }

    /// A gray node sends its effect to white nodes, and the effect of a longer chain to gray ones.
    fn of_gray(&mut self, node: usize, chain: ChainMove) {
        let share = self.share;
        self.send(share.here.from_white.row(node), chain);
        self.send(share.here.from_gray.row(node), chain.longer());
    }
}
