//! Whether Left survives a difference a − b: the algorithms of the appendix of [Siegel2009].
//!
//! A *state* is a pair (a, b) with the player to move. Left moves in a by Left edges, in −b by the
//! Right edges of b. *Survival* means that Left gets the last move, or that play is endless in a
//! way that does not lose:
//!
//! - for stoppers, any endless play (Algorithm 2);
//! - for a⁺ − b⁺, endless play with infinitely many moves in a (Algorithm 3). Endless play that is
//!   in the end confined to b is a loss.
//!
//! States are visited from the top, and only as long as the answer is open. Each has a counter of
//! its moves that are not yet bad for the mover, so that each edge is visited once when it is met,
//! once when its target is decided, and once in every later pass. Nothing recurs on the machine
//! stack. What was found about all states on the way is remembered for the next comparison, which
//! is why few of them take more than one step.
//!
//! After the first part, what is open has only open moves, or such as are bad for the mover:
//! endless play. In every pass of the second part a state is *good* if Left can make sure of a move
//! in a, to an open state; what is not good is lost, and that may lose more. Passes go on until
//! nothing is lost.
//!
//! ## References
//! [Siegel2009, Appendix, Algorithms 1 to 3]. The counters in place of rescans are ours.

use rustc_hash::FxHashMap;

use crate::limits::{Interrupted, Work};
use crate::player::Player;

/// Vertices that can be compared: their options, and what is known already.
pub(crate) trait Arena {
    /// The options of a player.
    fn options(&self, place: u32, player: Player) -> &[u32];

    /// Whether Left survives a − b if this player moves first, where that is known.
    fn known(&self, a: u32, b: u32, first: Player) -> Option<bool>;

    /// The memory used beside the comparison, in bytes.
    fn bytes(&self) -> u64 {
        0
    }

    /// How many vertices there are, if that is known.
    fn count(&self) -> Option<usize>;

    /// The number of a vertex, counted from 0.
    fn index(&self, place: u32) -> u32 {
        place
    }
}

/// Which endless play Left survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endless {
    /// All of it: right if b is a stopper.
    Any,
    /// That with infinitely many moves in a.
    InFirst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Not visited.
    New,
    Open,
    Survives,
    Lost,
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct State {
    a: u32,
    b: u32,
    mover: Player,
    first_edge: u32,
    end_edge: u32,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    from: u32,
    to: u32,
    in_first: bool,
    /// The edge before it to the same state.
    pred: u32,
}

/// The numbers of states.
#[derive(Clone, Debug, Default)]
struct Numbers {
    /// How many vertices have places for all their states; none if only those that were met have numbers.
    count: Option<usize>,
    /// A place for every state, with one more than its number. All are 0 between comparisons.
    places: Vec<u32>,
    /// The places that are not 0.
    taken: Vec<u32>,
    /// The states that were met, for each player: one more than their numbers.
    met: FxHashMap<u64, [u32; 2]>,
}

impl Numbers {
    /// Forgets all numbers, and prepares for vertices of which there are so many, if that is known.
    fn begin(&mut self, count: Option<usize>) {
        /// With more vertices than this, mostly a small part of all pairs is met.
        const MOST: usize = 1024;
        /// A map with room for so many more is not cleared but dropped, as that takes less.
        const ROOM: usize = 1 << 12;
        for place in self.taken.drain(..) {
            self.places[place as usize] = 0;
        }
        if self.met.capacity() > ROOM + 8 * self.met.len() {
            self.met = FxHashMap::default();
        } else {
            self.met.clear();
        }
        self.count = count.filter(|&count| count <= MOST);
        let places = self.count.map_or(0, |count| 2 * count * count);
        if self.places.len() < places {
            self.places.resize(places, 0);
        }
    }

    /// The number of a state; `next` if it is new.
    #[inline]
    fn number(&mut self, a: u32, b: u32, mover: Player, next: u32) -> u32 {
        let number = if let Some(count) = self.count {
            let place = 2 * (a as usize * count + b as usize) + mover.index();
            let number = &mut self.places[place];
            if *number == 0 {
                self.taken.push(place as u32);
            }
            number
        } else {
            let key = (u64::from(a) << 32) | u64::from(b);
            &mut self.met.entry(key).or_insert([0; 2])[mover.index()]
        };
        if *number == 0 {
            *number = next + 1;
        }
        *number - 1
    }
}

/// Room for a comparison. The next one uses it again: otherwise two fifths of the time of finding sides
/// went into memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    numbers: Numbers,
    states: Vec<State>,
    // Apart from the states, so that more of what is read most stays in the cache.
    status: Vec<Status>,
    /// Moves that are not yet bad for the mover.
    remaining: Vec<u32>,
    /// The last edge to a state.
    pred: Vec<u32>,
    edges: Vec<Edge>,
    visited: Vec<u32>,
    decided: Vec<u32>,
    stack: Vec<(u32, u32)>,
    /// Whether what is still open survives.
    complete: bool,
}

impl Room {
    /// Calls `tell` with everything that the last comparison found out: a, b, the player to move, and
    /// whether Left survives.
    pub(crate) fn found(&self, mut tell: impl FnMut(u32, u32, Player, bool)) {
        for &number in &self.visited {
            let State { a, b, mover, .. } = self.states[number as usize];
            match self.status[number as usize] {
                Status::Survives => tell(a, b, mover, true),
                Status::Lost => tell(a, b, mover, false),
                Status::New | Status::Open if self.complete => tell(a, b, mover, true),
                Status::New | Status::Open => {}
            }
        }
    }
}

/// One comparison, with everything that it finds out by the way.
pub(crate) struct Survival<'a, A> {
    arena: &'a A,
    endless: Endless,
    /// The memory used beside this.
    beside: u64,
    room: &'a mut Room,
}

impl<'a, A: Arena> Survival<'a, A> {
    pub(crate) fn new(arena: &'a A, endless: Endless, room: &'a mut Room) -> Self {
        let Room { numbers, states, status, remaining, pred, edges, .. } = room;
        let Room { visited, decided, stack, complete, .. } = room;
        numbers.begin(arena.count());
        states.clear();
        status.clear();
        [remaining, pred, visited, decided].into_iter().for_each(Vec::clear);
        edges.clear();
        stack.clear();
        *complete = false;
        Self { arena, endless, beside: arena.bytes(), room }
    }

    /// Whether Left survives a − b if `first` moves first.
    pub(crate) fn solve(
        &mut self,
        a: u32,
        b: u32,
        first: Player,
        work: &mut Work,
    ) -> Result<bool, Interrupted> {
        let root = self.number(a, b, first);
        self.search(root, work)?;
        match self.room.status[root as usize] {
            Status::Survives => return Ok(true),
            Status::Lost => return Ok(false),
            Status::New | Status::Open => {}
        }
        if self.endless == Endless::InFirst {
            self.lose_what_stays_in_the_second(work)?;
        }
        self.room.complete = true;
        Ok(self.room.status[root as usize] != Status::Lost)
    }

    fn number(&mut self, a: u32, b: u32, mover: Player) -> u32 {
        let next = self.room.states.len() as u32;
        let [a_index, b_index] = [a, b].map(|place| self.arena.index(place));
        let number = self.room.numbers.number(a_index, b_index, mover, next);
        if number == next {
            let known = if a == b && mover == Player::Right {
                Some(true)
            } else {
                self.arena.known(a, b, mover)
            };
            let status = match known {
                Some(true) => Status::Survives,
                Some(false) => Status::Lost,
                None => Status::New,
            };
            self.room.states.push(State { a, b, mover, first_edge: 0, end_edge: 0 });
            self.room.status.push(status);
            self.room.remaining.push(0);
            self.room.pred.push(NONE);
        }
        number
    }

    /// Visits states from the root on, until it is decided or everything has been seen.
    fn search(&mut self, root: u32, work: &mut Work) -> Result<(), Interrupted> {
        let mut stack = std::mem::take(&mut self.room.stack);
        if self.room.status[root as usize] == Status::New {
            self.visit(root, work)?;
            stack.push((root, self.room.states[root as usize].first_edge));
        }
        while let Some((state, next)) = stack.last_mut() {
            let end = self.room.states[*state as usize].end_edge;
            if self.room.status[*state as usize] != Status::Open || *next == end {
                stack.pop();
                continue;
            }
            let to = self.room.edges[*next as usize].to;
            *next += 1;
            if self.room.status[to as usize] == Status::New {
                self.visit(to, work)?;
                stack.push((to, self.room.states[to as usize].first_edge));
            }
        }
        self.room.stack = stack;
        Ok(())
    }

    /// The memory used, roughly.
    fn bytes(&self) -> u64 {
        // A state with its number, which is kept after the comparison too, and with what is known
        // of it.
        const STATE: usize = size_of::<State>() + 56;
        let states = STATE * self.room.states.len() + size_of::<Edge>() * self.room.edges.len();
        self.beside + states as u64
    }

    /// Visits the moves from a state.
    fn visit(&mut self, number: u32, work: &mut Work) -> Result<(), Interrupted> {
        work.hold(self.bytes())?;
        work.count()?;
        let State { a, b, mover, .. } = self.room.states[number as usize];
        let arena = self.arena;
        let [good, bad] = match mover {
            Player::Left => [Status::Survives, Status::Lost],
            Player::Right => [Status::Lost, Status::Survives],
        };
        let first_edge = self.room.edges.len() as u32;
        let mut remaining = 0;
        let in_first = arena.options(a, mover).iter().map(|&to| (to, b, true));
        let in_second = arena.options(b, mover.opponent()).iter().map(|&to| (a, to, false));
        let mut status = Status::Open;
        for (a, b, in_first) in in_first.chain(in_second) {
            let to = self.number(a, b, mover.opponent());
            let found = self.room.status[to as usize];
            if found == good {
                status = good;
                break;
            }
            if found != bad {
                remaining += 1;
                let edge = self.room.edges.len() as u32;
                let pred = std::mem::replace(&mut self.room.pred[to as usize], edge);
                self.room.edges.push(Edge { from: number, to, in_first, pred });
            }
        }
        if status == Status::Open && remaining == 0 {
            status = bad;
        }
        work.count_moves(self.room.edges.len() - first_edge as usize)?;
        let state = &mut self.room.states[number as usize];
        state.first_edge = first_edge;
        state.end_edge = self.room.edges.len() as u32;
        self.room.visited.push(number);
        self.room.status[number as usize] = Status::Open;
        self.room.remaining[number as usize] = remaining;
        if status != Status::Open {
            self.decide(number, status);
        }
        Ok(())
    }

    /// Marks a state, and all that this decides.
    fn decide(&mut self, number: u32, status: Status) {
        self.room.status[number as usize] = status;
        self.room.decided.push(number);
        while let Some(number) = self.room.decided.pop() {
            let status = self.room.status[number as usize];
            // The player who moved here.
            let by_left = self.room.states[number as usize].mover == Player::Right;
            let good = (status == Status::Survives) == by_left;
            let mut pred = self.room.pred[number as usize];
            while pred != NONE {
                let Edge { from, pred: before, .. } = self.room.edges[pred as usize];
                pred = before;
                if self.room.status[from as usize] != Status::Open {
                    continue;
                }
                let remaining = &mut self.room.remaining[from as usize];
                *remaining -= u32::from(!good);
                if good || *remaining == 0 {
                    self.room.status[from as usize] = status;
                    self.room.decided.push(from);
                }
            }
        }
    }

    /// The passes of Algorithm 3, over what is open.
    fn lose_what_stays_in_the_second(&mut self, work: &mut Work) -> Result<(), Interrupted> {
        let mut open = self.room.visited.clone();
        let mut good = vec![false; self.room.states.len()];
        // For Right to move: moves in b that lead to open states that are not good.
        let mut waiting = vec![0_u32; self.room.states.len()];
        loop {
            open.retain(|&number| self.room.status[number as usize] == Status::Open);
            let mut marked = Vec::new();
            for &number in &open {
                work.count()?;
                let state = &self.room.states[number as usize];
                let edges = &self.room.edges[state.first_edge as usize..state.end_edge as usize];
                let is_open = |edge: &&Edge| self.room.status[edge.to as usize] == Status::Open;
                let mut leading = edges.iter().filter(is_open);
                good[number as usize] = match state.mover {
                    Player::Left => leading.any(|edge| edge.in_first),
                    Player::Right => {
                        let count = leading.filter(|edge| !edge.in_first).count() as u32;
                        waiting[number as usize] = count;
                        count == 0
                    }
                };
                if good[number as usize] {
                    marked.push(number);
                }
            }
            while let Some(number) = marked.pop() {
                let mut pred = self.room.pred[number as usize];
                while pred != NONE {
                    let edge = self.room.edges[pred as usize];
                    pred = edge.pred;
                    let from = edge.from as usize;
                    if self.room.status[from] != Status::Open || good[from] {
                        continue;
                    }
                    let becomes = match self.room.states[from].mover {
                        Player::Left => true,
                        Player::Right if edge.in_first => false,
                        Player::Right => {
                            waiting[from] -= 1;
                            waiting[from] == 0
                        }
                    };
                    if becomes {
                        good[from] = true;
                        marked.push(edge.from);
                    }
                }
            }
            let lost: Vec<u32> =
                open.iter().copied().filter(|&number| !good[number as usize]).collect();
            if lost.is_empty() {
                return Ok(());
            }
            for number in lost {
                if self.room.status[number as usize] == Status::Open {
                    self.decide(number, Status::Lost);
                }
            }
        }
    }
}
