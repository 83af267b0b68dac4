//! Nimbers of a digraph with cycles and carry-on moves, level by level.
//!
//! Two kinds of facts about a level k, for white nodes and with gray chains collapsed:
//!
//! - x *wins* k: the mover wins x + *k by playing in x first. So it is if x → y and y has value
//!   k; if x ↻ y and y has a value below k; if x ↻ y and y wins k.
//! - x *has value* k: x wins all j < k, every x → y has a value below k or wins k, and every
//!   x ↻ y has value k.
//!
//! A fact about level k follows from facts about levels up to k alone: if x ↻ y and y has a value
//! above k, or is a moon, then y wins k already. So the levels are settled one after the other,
//! each by retrograde analysis with one counter per node: the moves that do not yet lose against
//! level k. When a level assigns no value, no later one does.
//!
//! Nodes from which carry-on moves reach a value of level k, and that have no value themselves, are
//! *safe* from then on: they win every later level. They say so once, and not in every level; those
//! that have won all levels up to k as well are the moons.
//!
//! A level goes in rounds: all nodes that were assigned or won in the round before tell their
//! predecessors. What a round finds does not depend on the order in which they do so, and nodes
//! are appended to the order sorted. So threads may share a round as they like.
//!
//! Cost: in each level every arc is looked at twice at most, so the work is proportional to arcs
//! × (largest value + 2). The four numbers of a node lie side by side, since nodes are visited
//! in no order that a cache could guess.

mod lanes;

use crate::cut::Cut;
use crate::digraph::{GATHERED, Node, Rows, touch};
use crate::effort::{Effort, Interrupted};
use crate::theory::LabelProgress;
use lanes::{Lane, Outbox};

/// The moves of the white nodes, as levels need them.
pub(crate) struct Moves<'a> {
    /// From where an ordinary move leads to each node.
    pub(crate) ordinary: &'a Rows,
    /// From where a carry-on move leads to each node; none if there are no carry-on moves.
    pub(crate) again: Option<&'a Rows>,
    /// For each white node that is no full moon, the number of its moves that do not lose against
    /// every level from the start: ordinary moves to nodes that are labelled, carry-on moves, and
    /// moves into gray circles, which never lose. None for nodes that are not to be labelled.
    pub(crate) pending: &'a (dyn Fn(Node) -> Option<u32> + Sync),
}

/// What the levels tell.
pub(crate) struct Levels {
    /// The nimber of each node, or [`Levels::NONE`].
    pub(crate) nimbers: Vec<u32>,
    /// The largest nimber.
    pub(crate) largest: Option<u32>,
    /// The nodes with a nimber, in an order in which each is justified by earlier ones.
    pub(crate) order: Vec<Node>,
    /// The nodes that win every level.
    pub(crate) moons: Vec<Node>,
    /// The number of arcs looked at.
    pub(crate) work: u64,
    /// If the levels are not all settled: why, and how many levels from 0 on each node is known to win,
    /// whose nimber is not known. The nimbers that are there are right.
    pub(crate) unsettled: Option<(Interrupted, Vec<u32>)>,
}

impl Levels {
    /// In place of a nimber.
    pub(crate) const NONE: u32 = u32::MAX;
}

const ASSIGNED: u32 = 1 << 31;
/// The mark of nodes that no event changes: they are not to be labelled, or safe.
const LEFT_OUT: u32 = u32::MAX;

#[derive(Clone, Copy)]
#[repr(align(16))]
struct State {
    /// Moves that do not lose against every later level.
    pending: u32,
    /// Moves that do not yet lose against the level of the stamp.
    not_lost: u32,
    /// The last level that touched this node, plus one, doubled; odd if the node won it.
    stamp: u32,
    /// With a value: that and `ASSIGNED`. Without: how many levels were won from 0 on.
    mark: u32,
}

/// What a node hears from a node that one of its moves leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum News {
    /// The move loses against this level.
    #[default]
    Loses,
    /// The ordinary move leads to a node of this level: it wins here, and loses later.
    HasValue,
    /// The carry-on move wins this level.
    Wins,
    /// The carry-on move leads to a node that is safe, or of this level, which is at its end.
    IsSafe,
    /// The ordinary move leads to a node that is safe: it loses against every later level.
    LosesLater,
}

/// What news make of a node.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    Nothing,
    Assigned,
    Won,
    /// It won this level and all before.
    WonAll,
    Safe,
    Moon,
}

impl State {
    fn new(pending: Option<u32>) -> Self {
        let mark = if pending.is_some() { 0 } else { LEFT_OUT };
        Self { pending: pending.unwrap_or(0), not_lost: 0, stamp: 0, mark }
    }

    /// Takes the value of a level that has just begun, if every move loses against it.
    fn begin(&mut self, level: u32) -> bool {
        let has_value = self.mark == level && self.pending == 0;
        if has_value {
            self.mark = ASSIGNED | level;
        }
        has_value
    }

    #[inline]
    fn hear(&mut self, news: News, level: u32) -> Change {
        if matches!(news, News::HasValue | News::LosesLater) {
            // Meaningless for nodes that are left out.
            self.pending = self.pending.wrapping_sub(1);
        }
        if self.mark & ASSIGNED != 0 {
            return Change::Nothing;
        }
        let touched = (level + 1) << 1;
        match news {
            News::Loses => {
                if self.stamp < touched {
                    self.stamp = touched;
                    self.not_lost = self.pending;
                }
                // Meaningless for a node that won this level: that one gets no value here.
                self.not_lost = self.not_lost.wrapping_sub(1);
                if self.not_lost == 0 && self.mark == level {
                    self.mark = ASSIGNED | level;
                    return Change::Assigned;
                }
                Change::Nothing
            }
            News::HasValue | News::Wins => {
                if self.stamp == touched | 1 {
                    return Change::Nothing;
                }
                self.stamp = touched | 1;
                if self.mark == level {
                    self.mark += 1;
                    return Change::WonAll;
                }
                Change::Won
            }
            News::IsSafe => {
                let won_all = self.mark == level + 1;
                self.mark = LEFT_OUT;
                if won_all { Change::Moon } else { Change::Safe }
            }
            News::LosesLater => Change::Nothing,
        }
    }

    /// How many levels from 0 on are known to be won, without a value.
    fn won(self) -> u32 {
        if self.mark & ASSIGNED == 0 { self.mark } else { 0 }
    }

    fn nimber(self) -> u32 {
        match self.mark {
            LEFT_OUT => Levels::NONE,
            mark if mark & ASSIGNED != 0 => mark & !ASSIGNED,
            _ => Levels::NONE,
        }
    }
}

/// Nodes that have something to tell those from where a move of one kind leads to them.
#[derive(Clone, Copy)]
struct Telling<'a> {
    nodes: &'a [Node],
    rows: &'a Rows,
    news: News,
}

struct Solver {
    cut: Cut,
    states: Vec<State>,
    lanes: Vec<Lane>,
    level: u32,
    order: Vec<Node>,
    /// Nodes that were assigned in the last round, sorted.
    assigned: Vec<Node>,
    /// Nodes that won this level in the last round, or became safe at its end.
    winners: Vec<Node>,
    /// Room for those who are told one by one, or lane by lane.
    told: Vec<Node>,
    outboxes: Vec<Outbox>,
    work: u64,
}

impl Solver {
    fn new(len: usize, pending: &(dyn Fn(Node) -> Option<u32> + Sync), cut: Cut) -> Self {
        let states = cut.map(len, |node| State::new(pending(node)));
        let lane = |(first, states): (usize, &[State])| {
            let nodes = ((first << cut.lane_bits) as Node..).zip(states);
            Lane::new(nodes.filter(|(_, state)| state.pending == 0).map(|(node, _)| node).collect())
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
            told: Vec::new(),
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

    /// Lets nodes tell their predecessors, and finds those that have something to tell then.
    fn round(&mut self, tellings: &[Telling<'_>]) {
        let nodes: usize = tellings.iter().map(|telling| telling.nodes.len()).sum();
        if self.lanes.len() > 1 && nodes >= self.cut.bulk {
            self.tell_by_lanes(tellings, nodes);
        } else {
            for &telling in tellings {
                self.tell_one_by_one(telling);
            }
            self.assigned.sort_unstable();
        }
        self.order.extend_from_slice(&self.assigned);
    }

    fn tell_one_by_one(&mut self, telling: Telling<'_>) {
        let Telling { nodes, rows, news } = telling;
        for nodes in nodes.chunks(GATHERED) {
            self.told.clear();
            rows.gather(nodes, |row| self.told.extend_from_slice(row));
            self.work += self.told.len() as u64;
            touch(self.told.iter().map(|&node| self.states[node as usize].mark));
            for &node in &self.told {
                let lane = node as usize >> self.cut.lane_bits;
                match self.states[node as usize].hear(news, self.level) {
                    Change::Nothing => continue,
                    Change::Assigned => {
                        self.assigned.push(node);
                        continue;
                    }
                    Change::WonAll => self.lanes[lane].eligible.push(node),
                    Change::Moon => self.lanes[lane].moons.push(node),
                    Change::Won | Change::Safe => {}
                }
                self.winners.push(node);
            }
        }
    }

    /// What is told is first sorted by lanes, and then each lane hears it.
    ///
    /// The states of a lane fit the cache, and each lane is heard by one thread alone.
    fn tell_by_lanes(&mut self, tellings: &[Telling<'_>], nodes: usize) {
        let Self { cut, states, lanes, level, assigned, winners, outboxes, work, .. } = self;
        let (cut, level) = (*cut, *level);
        let piece = nodes.div_ceil(cut.pieces()).max(GATHERED);
        let pieces: Vec<Telling<'_>> = tellings
            .iter()
            .flat_map(|telling| {
                let nodes = telling.nodes.chunks(piece);
                nodes.map(|nodes| Telling { nodes, ..*telling })
            })
            .collect();
        if outboxes.len() < pieces.len() {
            outboxes.resize_with(pieces.len(), Outbox::default);
        }
        let outboxes = &mut outboxes[..pieces.len()];
        cut.each(outboxes.iter_mut().zip(pieces).collect(), |(outbox, piece)| {
            outbox.fill(piece, lanes.len(), cut.lane_bits);
        });
        *work += outboxes.iter().map(|outbox| outbox.told() as u64).sum::<u64>();
        let tasks = lanes.iter_mut().zip(states.chunks_mut(1 << cut.lane_bits)).enumerate();
        cut.each(tasks.collect(), |(i, (lane, states))| {
            lane.hear(i, i << cut.lane_bits, states, outboxes, level);
        });
        for lane in lanes {
            assigned.append(&mut lane.assigned);
            winners.append(&mut lane.winners);
        }
    }

    /// The nodes with something to tell; `room` is used for the next ones.
    fn take_news(&mut self, room: &mut [Vec<Node>; 2]) {
        let [assigned, winners] = room;
        assigned.clear();
        winners.clear();
        std::mem::swap(assigned, &mut self.assigned);
        std::mem::swap(winners, &mut self.winners);
    }
}

/// Settles all levels, or as many as the clock and the token allow.
pub(crate) fn solve(
    moves: &Moves<'_>,
    cut: Cut,
    effort: &Effort,
    watch: &mut dyn FnMut(LabelProgress),
) -> Levels {
    let mut solver = Solver::new(moves.ordinary.len(), moves.pending, cut);
    let interrupted = settle(&mut solver, moves, effort, watch).err();
    let Solver { states, lanes, level, order, work, .. } = solver;
    let nimbers = cut.map(states.len(), |node| states[node as usize].nimber());
    let moons = lanes.into_iter().flat_map(|lane| lane.moons).collect();
    let unsettled = interrupted.map(|interrupted| {
        let won = cut.map(states.len(), |node| states[node as usize].won());
        (interrupted, won)
    });
    Levels { nimbers, largest: level.checked_sub(1), order, moons, work, unsettled }
}

fn settle(
    solver: &mut Solver,
    moves: &Moves<'_>,
    effort: &Effort,
    watch: &mut dyn FnMut(LabelProgress),
) -> Result<(), Interrupted> {
    /// So many arcs are looked at in some milliseconds.
    const TOLD: u64 = 1 << 18;
    let Moves { ordinary, again, .. } = *moves;
    let most = (ordinary.entry_count() + again.map_or(0, Rows::entry_count)) as u64;
    let mut room = [Vec::new(), Vec::new()];
    loop {
        let level_start = solver.order.len();
        let before = solver.work;
        let mut tell = |solver: &Solver, assigned: usize| {
            let looked_at = solver.work - before;
            watch(LabelProgress { level: solver.level, assigned, looked_at, most });
            effort.check()
        };
        tell(solver, level_start)?;
        solver.begin_level();
        let mut told = before;
        while !(solver.assigned.is_empty() && solver.winners.is_empty()) {
            if solver.work >= told + TOLD {
                told = solver.work;
                tell(solver, solver.order.len())?;
            }
            solver.take_news(&mut room);
            let [assigned, winners] = &room;
            let by_ordinary = [
                Telling { nodes: assigned, rows: ordinary, news: News::HasValue },
                Telling { nodes: winners, rows: ordinary, news: News::Loses },
            ];
            let Some(again) = again else {
                solver.round(&by_ordinary);
                continue;
            };
            let [a, b] = by_ordinary;
            let c = Telling { nodes: assigned, rows: again, news: News::Loses };
            let d = Telling { nodes: winners, rows: again, news: News::Wins };
            solver.round(&[a, b, c, d]);
        }
        if solver.order.len() == level_start {
            return Ok(());
        }
        if let Some(again) = again {
            // No value is found meanwhile, so the order is not needed elsewhere.
            let order = std::mem::take(&mut solver.order);
            let values = &order[level_start..];
            solver.round(&[Telling { nodes: values, rows: again, news: News::IsSafe }]);
            solver.order = order;
            while !solver.winners.is_empty() {
                if solver.work >= told + TOLD {
                    told = solver.work;
                    tell(solver, solver.order.len())?;
                }
                solver.take_news(&mut room);
                let [_, safe] = &room;
                solver.round(&[
                    Telling { nodes: safe, rows: again, news: News::IsSafe },
                    Telling { nodes: safe, rows: ordinary, news: News::LosesLater },
                ]);
            }
        }
        solver.level += 1;
    }
}
