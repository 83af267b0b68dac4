//! Nimbers of a digraph with cycles and carry-on moves, level by level.
//!
//! [`carry_on`](super::carry_on) states the rules for W(x, k), "x wins k", and V(x, k), "x has
//! value k", and proves that they are exact, that level k needs only levels up to k, and that a
//! level without a new value is the last. This module derives the facts: one level after the other,
//! each by retrograde analysis with one counter per node, of the moves that do not yet lose beside
//! *k. The cyclic theory is the same without carry-on moves.
//!
//! ## Safe nodes
//! Let S(k) be the nodes without a value from which carry-on moves reach a node of value k or
//! below, after level k. By rules 2 and 3 they win every level after k, so none of them ever gets a
//! value: V and W exclude each other. And an ordinary move to one of them loses beside every later
//! *j, by rule 4. So when level k is done, each new node of S(k) notifies the nodes with an
//! ordinary move to it that they have one move less to count, for ever, and takes no part in the
//! later levels. A node of S(k) wins all levels exactly if it has won those up to k: so it is known
//! then whether it is a moon.
//!
//! ## Rounds, and the order of assignment
//! A level proceeds in rounds. In the first, the nodes that have won all levels before and have no
//! move left to count get the value of the level. In each later one, all nodes that were assigned
//! or won in the round before notify their predecessors, and what follows from that is the next
//! round.
//!
//! A counter only falls and a win is noted once, so the nodes that a round finds do not depend on
//! the order of the news: a node is assigned in the round in which the last of its moves is found
//! to lose, and wins in the first round in which the news arrives; it never does both, as V and W
//! exclude each other. The nodes of a round are appended to the order by their numbers. So the
//! order is by level, round and number. It is a function of the digraph alone, and threads may
//! share a round in any way.
//!
//! **Each value rests on values with smaller places in the order.** V(x, m) is found in a round of
//! level m. W(x, j) for j < m and values below m belong to earlier levels, which are appended
//! before. A move counted as lost in this level was reported by a node that won it, or has it as
//! value, in an earlier round. A move that was counted as lost before leads to a value of an
//! earlier level, to a full moon, or to a safe node, whose wins rest on values of earlier levels by
//! rules 2 and 3. W(y, m) itself was found in an earlier round than V(x, m); it rests by rule 1 on
//! a value of a round before that, by rule 2 on one of an earlier level, and by rule 3 on W(z, m)
//! of a round before its own, so by induction on values with smaller places. Within a round no node
//! is justified by another of the same round, so they can be sorted.
//!
//! ## Cost
//! In each level every arc is visited at most twice, so the work is proportional to arcs × (largest
//! value + 2). A node needs four numbers, 16 bytes, whatever the values are. Keeping wins(x) as a
//! set instead would work too, since in this theory it is always finite, everything but one number,
//! or everything; but finite sets grow with the values, and each event must say which number it is
//! about.
//!
//! On large digraphs nearly every step is a cache miss, since nodes are visited in no predictable
//! order. So the same step is made for 64 nodes before the next one: where the rows are, then what
//! is in them, then the states of the nodes named there. The processor then waits for many misses
//! at once, which halved the time of labelling. Rounds of many nodes go by lanes (`lanes`); rounds
//! of few nodes, as on long paths, are notified directly. The outcome is the same.
//! `benches/RECORD.md` has the figures.
//!
//! The rules are in [`LevelState`] and [`Broadcast`], which know one node at a time. Code that
//! schedules them, such as a cluster of machines, may store nodes and pass news on in any way.

mod lanes;
mod rules;

pub use rules::{Broadcast, Change, LevelState, News, Standing};

use fixedbitset::FixedBitSet;

use crate::graph::digraph::{GATHERED, Node, Rows, touch};
use crate::graph::partition::Cut;
use crate::limits::{Interrupted, Progress, Work};
use lanes::{Lane, Outbox};

/// The moves of the white nodes, as levels need them.
pub(crate) struct Moves<'a> {
    /// From where an ordinary move leads to each node.
    pub(crate) ordinary: &'a Rows,
    /// From where a carry-on move leads to each node; none if there are no carry-on moves.
    pub(crate) again: Option<&'a Rows>,
    /// What is known of each node before level 0.
    pub(crate) start: &'a (dyn Fn(Node) -> LevelState + Sync),
}

/// The result of the levels.
pub(crate) struct Levels {
    /// The nimber of each node, or [`Levels::NONE`].
    pub(crate) nimbers: Vec<u32>,
    /// The largest nimber.
    pub(crate) largest: Option<u32>,
    /// The nodes with a nimber, in an order in which each is justified by earlier ones.
    pub(crate) order: Vec<Node>,
    /// The nodes that win every level, if there are carry-on moves.
    pub(crate) moons: FixedBitSet,
    /// The number of arcs visited.
    pub(crate) work: u64,
    /// If the levels are not all settled: why, and how many levels from 0 on each node is known to
    /// win, whose nimber is not known. The nimbers that are there are right.
    pub(crate) unsettled: Option<(Interrupted, Vec<u32>)>,
}

impl Levels {
    /// In place of a nimber.
    pub(crate) const NONE: u32 = u32::MAX;
}

/// News from some nodes to those from which a move of one kind leads to them.
#[derive(Clone, Copy)]
struct Delivery<'a> {
    nodes: &'a [Node],
    rows: &'a Rows,
    news: News,
}

struct Solver {
    cut: Cut,
    states: Vec<LevelState>,
    lanes: Vec<Lane>,
    level: u32,
    order: Vec<Node>,
    /// Nodes that were assigned in the last round, sorted.
    assigned: Vec<Node>,
    /// Nodes that won this level in the last round, or became safe at its end.
    winners: Vec<Node>,
    /// Room for the receivers of news, one by one or lane by lane.
    receivers: Vec<Node>,
    outboxes: Vec<Outbox>,
    work: u64,
}

impl Solver {
    fn new(len: usize, start: &(dyn Fn(Node) -> LevelState + Sync), cut: Cut) -> Self {
        let states = cut.map(len, start);
        let lane = |(first, states): (usize, &[LevelState])| {
            let nodes = ((first << cut.lane_bits) as Node..).zip(states);
            Lane::new(nodes.filter(|(_, state)| state.is_idle()).map(|(node, _)| node).collect())
        };
        let lanes = cut.each(states.chunks(1 << cut.lane_bits).enumerate().collect(), lane);
        Self {
            cut,
            states,
            lanes,
            level: 0,
            order: Vec::new(),
            assigned: Vec::new(),
            winners: Vec::new(),
            receivers: Vec::new(),
            outboxes: Vec::new(),
            work: 0,
        }
    }

    /// Assigns those that have won all levels before this one and have no other move.
    fn begin_level(&mut self) {
        let Self { cut, states, lanes, level, assigned, order, .. } = self;
        let candidates: usize = lanes.iter().map(|lane| lane.eligible.len()).sum();
        let cut = if candidates < cut.bulk { Cut { threads: 1, ..*cut } } else { *cut };
        if let [lane] = &mut lanes[..] {
            lane.begin_level(0, states, *level);
        } else {
            let tasks = lanes.iter_mut().zip(states.chunks_mut(1 << cut.lane_bits)).enumerate();
            cut.each(tasks.collect(), |(i, (lane, states))| {
                lane.begin_level(i << cut.lane_bits, states, *level);
            });
        }
        for lane in lanes {
            assigned.append(&mut lane.assigned);
        }
        order.extend_from_slice(assigned);
    }

    /// Delivers news to predecessors, and finds the nodes that have news after that.
    fn round(&mut self, deliveries: &[Delivery<'_>]) {
        let nodes: usize = deliveries.iter().map(|delivery| delivery.nodes.len()).sum();
        if self.lanes.len() > 1 && nodes >= self.cut.bulk {
            self.deliver_by_lanes(deliveries, nodes);
        } else {
            for &delivery in deliveries {
                self.deliver_one_by_one(delivery);
            }
            self.assigned.sort_unstable();
        }
        self.order.extend_from_slice(&self.assigned);
    }

    fn deliver_one_by_one(&mut self, delivery: Delivery<'_>) {
        let Delivery { nodes, rows, news } = delivery;
        for nodes in nodes.chunks(GATHERED) {
            self.receivers.clear();
            rows.gather(nodes, |row| self.receivers.extend_from_slice(row));
            self.work += self.receivers.len() as u64;
            touch(self.receivers.iter().map(|&node| self.states[node as usize].mark()));
            for &node in &self.receivers {
                let lane = node as usize >> self.cut.lane_bits;
                match self.states[node as usize].hear(news, self.level) {
                    Change::Nothing => continue,
                    Change::Assigned => {
                        self.assigned.push(node);
                        continue;
                    }
                    Change::WonAll => self.lanes[lane].eligible.push(node),
                    Change::Won => {}
                }
                self.winners.push(node);
            }
        }
    }

    /// News is first sorted by lanes, and then delivered to each lane.
    ///
    /// The states of a lane fit the cache, and one thread handles each lane.
    fn deliver_by_lanes(&mut self, deliveries: &[Delivery<'_>], nodes: usize) {
        let Self { cut, states, lanes, level, assigned, winners, outboxes, work, .. } = self;
        let (cut, level) = (*cut, *level);
        let piece = nodes.div_ceil(cut.pieces()).max(GATHERED);
        let pieces: Vec<Delivery<'_>> = deliveries
            .iter()
            .flat_map(|delivery| {
                let nodes = delivery.nodes.chunks(piece);
                nodes.map(|nodes| Delivery { nodes, ..*delivery })
            })
            .collect();
        if outboxes.len() < pieces.len() {
            outboxes.resize_with(pieces.len(), Outbox::default);
        }
        let outboxes = &mut outboxes[..pieces.len()];
        cut.each(outboxes.iter_mut().zip(pieces).collect(), |(outbox, piece)| {
            outbox.fill(piece, lanes.len(), cut.lane_bits);
        });
        *work += outboxes.iter().map(|outbox| outbox.receivers() as u64).sum::<u64>();
        let tasks = lanes.iter_mut().zip(states.chunks_mut(1 << cut.lane_bits)).enumerate();
        cut.each(tasks.collect(), |(i, (lane, states))| {
            lane.hear(i, i << cut.lane_bits, states, outboxes, level);
        });
        for lane in lanes {
            assigned.append(&mut lane.assigned);
            winners.append(&mut lane.winners);
        }
    }

    /// The nodes with news; `room` is used for the next ones.
    fn take_news(&mut self, room: &mut [Vec<Node>; 2]) {
        let [assigned, winners] = room;
        assigned.clear();
        winners.clear();
        std::mem::swap(assigned, &mut self.assigned);
        std::mem::swap(winners, &mut self.winners);
    }
}

/// Settles all levels, or as many as the clock and the token allow.
pub(crate) fn solve(moves: &Moves<'_>, cut: Cut, work: &Work) -> Levels {
    let mut solver = Solver::new(moves.ordinary.len(), moves.start, cut);
    let interrupted = settle(&mut solver, moves, work).err();
    let Solver { states, level, order, work, .. } = solver;
    let nimber = |node| states[node as usize].nimber().unwrap_or(Levels::NONE);
    let nimbers = cut.map(states.len(), nimber);
    let mut moons = FixedBitSet::new();
    if moves.again.is_some() {
        moons.extend((0..states.len()).filter(|&node| states[node].is_moon()));
    }
    let unsettled = interrupted.map(|interrupted| {
        let won = cut.map(states.len(), |node| states[node as usize].won());
        (interrupted, won)
    });
    Levels { nimbers, largest: level.checked_sub(1), order, moons, work, unsettled }
}

fn settle(solver: &mut Solver, moves: &Moves<'_>, work: &Work) -> Result<(), Interrupted> {
    /// This many arcs are visited in some milliseconds.
    const ARCS_PER_REPORT: u64 = 1 << 18;
    let Moves { ordinary, again, .. } = *moves;
    let most = (ordinary.entry_count() + again.map_or(0, Rows::entry_count)) as u64;
    let mut room = [Vec::new(), Vec::new()];
    loop {
        let level_start = solver.order.len();
        let before = solver.work;
        let report = |solver: &Solver, assigned: usize| {
            let visited = solver.work - before;
            let (level, nodes) = (solver.level, solver.states.len());
            work.report(Progress::Labelling { level, assigned, nodes, visited, most })
        };
        report(solver, level_start)?;
        solver.begin_level();
        let mut reported = before;
        while !(solver.assigned.is_empty() && solver.winners.is_empty()) {
            if solver.work >= reported + ARCS_PER_REPORT {
                reported = solver.work;
                report(solver, solver.order.len())?;
            }
            solver.take_news(&mut room);
            let [assigned, winners] = &room;
            let by_ordinary = [
                Delivery { nodes: assigned, rows: ordinary, news: Broadcast::VALUE.ordinary },
                Delivery { nodes: winners, rows: ordinary, news: Broadcast::WIN.ordinary },
            ];
            let Some(again) = again else {
                solver.round(&by_ordinary);
                continue;
            };
            let [a, b] = by_ordinary;
            let c = Delivery { nodes: assigned, rows: again, news: Broadcast::VALUE.again };
            let d = Delivery { nodes: winners, rows: again, news: Broadcast::WIN.again };
            solver.round(&[a, b, c, d]);
        }
        if solver.order.len() == level_start {
            return Ok(());
        }
        if let Some(again) = again {
            // No value is found meanwhile, so the order is not needed elsewhere.
            let order = std::mem::take(&mut solver.order);
            let values = &order[level_start..];
            solver.round(&[Delivery { nodes: values, rows: again, news: News::Carries }]);
            solver.order = order;
            while !solver.winners.is_empty() {
                if solver.work >= reported + ARCS_PER_REPORT {
                    reported = solver.work;
                    report(solver, solver.order.len())?;
                }
                solver.take_news(&mut room);
                let [_, safe] = &room;
                solver.round(&[
                    Delivery { nodes: safe, rows: again, news: Broadcast::SAFE.again },
                    Delivery { nodes: safe, rows: ordinary, news: Broadcast::SAFE.ordinary },
                ]);
            }
        }
        solver.level += 1;
    }
}
