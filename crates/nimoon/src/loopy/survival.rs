//! Whether Left survives a difference a − b: the algorithms of the appendix of [Siegel2009].
//!
//! A *state* is a pair (a, b) with the player to move. Left moves in a by Left edges, in −b by the
//! Right edges of b. *Survival* means that Left gets the last move, or that play is endless in a
//! way that is no loss:
//!
//! - for stoppers, any endless play (Algorithm 2);
//! - for a⁺ − b⁺, endless play with infinitely many moves in a (Algorithm 3). Endless play that is
//!   in the end confined to b is a loss.
//!
//! States are visited from the top, and only as long as the answer is open. Each has a counter of
//! its moves that are not yet bad for the mover, so that each edge is looked at once when it is
//! met, once when its target is decided, and once in every later pass. Nothing recurs on the machine stack.
//!
//! After the first part, what is open has only open moves, or such as are bad for the mover: endless
//! play. In every pass of the second part a state is *good* if Left can make sure of a move in
//! a, to an open state; what is not good is lost, and that may lose more. Passes go on until nothing is lost.
//!
//! ## References
//! [Siegel2009, Appendix, Algorithms 1 to 3]. The counters in place of rescans are ours.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::player::Player;

/// Vertices that can be compared: their options, and what is known already.
pub(crate) trait Arena {
    /// The options of a player.
    fn options(&self, place: u32, player: Player) -> &[u32];

    /// Whether Left survives a − b if this player moves first, where that is known.
    fn known(&self, a: u32, b: u32, first: Player) -> Option<bool>;
}

/// Which endless play Left survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endless {
    /// All of it: right if b is a stopper.
    Any,
    /// That with infinitely many moves in a.
    InFirst,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Interrupted {
    /// The budget was hit.
    #[error("the budget of {budget} positions was hit")]
    OverBudget {
        /// What was allowed.
        budget: u64,
    },
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}

/// How much may be done, and how much has been.
#[derive(Clone, Debug)]
pub struct Effort {
    budget: u64,
    used: u64,
    stop: Option<Arc<AtomicBool>>,
}

impl Effort {
    /// As many states as this may be looked at.
    pub fn new(budget: u64) -> Self {
        Self { budget, used: 0, stop: None }
    }

    /// Stops soon after the flag is set.
    #[must_use]
    pub fn until(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// How many states were looked at.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Counts one more state.
    pub(crate) fn count(&mut self) -> Result<(), Interrupted> {
        self.used += 1;
        if self.used > self.budget {
            return Err(Interrupted::OverBudget { budget: self.budget });
        }
        match &self.stop {
            Some(stop) if self.used.is_multiple_of(1024) && stop.load(Ordering::Relaxed) => {
                Err(Interrupted::Stopped)
            }
            _ => Ok(()),
        }
    }
}

impl Default for Effort {
    fn default() -> Self {
        Self::new(100_000_000)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Open,
    Survives,
    Lost,
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct State {
    a: u32,
    b: u32,
    mover: Player,
    status: Status,
    visited: bool,
    /// Moves that are not yet bad for the mover.
    remaining: u32,
    first_edge: u32,
    end_edge: u32,
    /// The last edge to here.
    pred: u32,
}

#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    to: u32,
    in_first: bool,
    /// The edge before it to the same state.
    pred: u32,
}

/// One comparison, with everything that it finds out by the way.
pub(crate) struct Survival<'a, A> {
    arena: &'a A,
    endless: Endless,
    numbers: FxHashMap<(u32, u32, Player), u32>,
    states: Vec<State>,
    edges: Vec<Edge>,
    decided: Vec<u32>,
    complete: bool,
}

impl<'a, A: Arena> Survival<'a, A> {
    pub(crate) fn new(arena: &'a A, endless: Endless) -> Self {
        Self {
            arena,
            endless,
            numbers: FxHashMap::default(),
            states: Vec::new(),
            edges: Vec::new(),
            decided: Vec::new(),
            complete: false,
        }
    }

    /// Whether Left survives a − b if `first` moves first.
    pub(crate) fn solve(
        &mut self,
        a: u32,
        b: u32,
        first: Player,
        effort: &mut Effort,
    ) -> Result<bool, Interrupted> {
        let root = self.number(a, b, first);
        self.search(root, effort)?;
        match self.states[root as usize].status {
            Status::Survives => return Ok(true),
            Status::Lost => return Ok(false),
            Status::Open => {}
        }
        if self.endless == Endless::InFirst {
            self.lose_what_stays_in_the_second(effort)?;
        }
        self.complete = true;
        Ok(self.states[root as usize].status != Status::Lost)
    }

    /// Everything that was found out: a, b, the player to move, and whether Left survives.
    pub(crate) fn found(&self) -> impl Iterator<Item = (u32, u32, Player, bool)> {
        self.states.iter().filter(|state| state.visited).filter_map(|state| match state.status {
            Status::Survives => Some((state.a, state.b, state.mover, true)),
            Status::Lost => Some((state.a, state.b, state.mover, false)),
            Status::Open => self.complete.then_some((state.a, state.b, state.mover, true)),
        })
    }

    fn number(&mut self, a: u32, b: u32, mover: Player) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.numbers.entry((a, b, mover)).or_insert(next);
        if number == next {
            let known = if a == b && mover == Player::Right {
                Some(true)
            } else {
                self.arena.known(a, b, mover)
            };
            let status = match known {
                Some(true) => Status::Survives,
                Some(false) => Status::Lost,
                None => Status::Open,
            };
            self.states.push(State {
                a,
                b,
                mover,
                status,
                visited: false,
                remaining: 0,
                first_edge: 0,
                end_edge: 0,
                pred: NONE,
            });
        }
        number
    }

    /// Visits states from the root on, until it is decided or everything has been seen.
    fn search(&mut self, root: u32, effort: &mut Effort) -> Result<(), Interrupted> {
        let mut stack: Vec<(u32, u32)> = Vec::new();
        if self.states[root as usize].status == Status::Open {
            self.visit(root, effort)?;
            stack.push((root, self.states[root as usize].first_edge));
        }
        while let Some((state, next)) = stack.last_mut() {
            let here = &self.states[*state as usize];
            if here.status != Status::Open || *next == here.end_edge {
                stack.pop();
                continue;
            }
            let to = self.edges[*next as usize].to;
            *next += 1;
            let target = &self.states[to as usize];
            if target.status == Status::Open && !target.visited {
                self.visit(to, effort)?;
                stack.push((to, self.states[to as usize].first_edge));
            }
        }
        Ok(())
    }

    /// Looks at the moves from a state.
    fn visit(&mut self, number: u32, effort: &mut Effort) -> Result<(), Interrupted> {
        effort.count()?;
        let State { a, b, mover, .. } = self.states[number as usize];
        let arena = self.arena;
        let [good, bad] = match mover {
            Player::Left => [Status::Survives, Status::Lost],
            Player::Right => [Status::Lost, Status::Survives],
        };
        let first_edge = self.edges.len() as u32;
        let mut remaining = 0;
        let in_first = arena.options(a, mover).iter().map(|&to| (to, b, true));
        let in_second = arena.options(b, mover.opponent()).iter().map(|&to| (a, to, false));
        let mut status = Status::Open;
        for (a, b, in_first) in in_first.chain(in_second) {
            let to = self.number(a, b, mover.opponent());
            let target = &mut self.states[to as usize];
            if target.status == good {
                status = good;
                break;
            }
            if target.status == Status::Open {
                remaining += 1;
                let edge = self.edges.len() as u32;
                self.edges.push(Edge { from: number, to, in_first, pred: target.pred });
                target.pred = edge;
            }
        }
        if status == Status::Open && remaining == 0 {
            status = bad;
        }
        let state = &mut self.states[number as usize];
        state.visited = true;
        state.first_edge = first_edge;
        state.end_edge = self.edges.len() as u32;
        state.remaining = remaining;
        if status != Status::Open {
            self.decide(number, status);
        }
        Ok(())
    }

    /// Marks a state, and all that this decides.
    fn decide(&mut self, number: u32, status: Status) {
        self.states[number as usize].status = status;
        self.decided.push(number);
        while let Some(number) = self.decided.pop() {
            let State { status, mut pred, .. } = self.states[number as usize];
            while pred != NONE {
                let Edge { from, pred: before, .. } = self.edges[pred as usize];
                pred = before;
                let state = &mut self.states[from as usize];
                if state.status != Status::Open {
                    continue;
                }
                let good = (status == Status::Survives) == (state.mover == Player::Left);
                state.remaining -= u32::from(!good);
                if good || state.remaining == 0 {
                    state.status = status;
                    self.decided.push(from);
                }
            }
        }
    }

    /// The passes of Algorithm 3, over what is open.
    fn lose_what_stays_in_the_second(&mut self, effort: &mut Effort) -> Result<(), Interrupted> {
        let mut open: Vec<u32> = (0..self.states.len() as u32).collect();
        let mut good = vec![false; self.states.len()];
        // For Right to move: moves in b that lead to open states that are not good.
        let mut waiting = vec![0_u32; self.states.len()];
        loop {
            let still = |number: &u32| {
                let state = &self.states[*number as usize];
                state.visited && state.status == Status::Open
            };
            open.retain(still);
            let mut marked = Vec::new();
            for &number in &open {
                effort.count()?;
                let state = &self.states[number as usize];
                let edges = &self.edges[state.first_edge as usize..state.end_edge as usize];
                let is_open = |edge: &&Edge| self.states[edge.to as usize].status == Status::Open;
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
                let mut pred = self.states[number as usize].pred;
                while pred != NONE {
                    let edge = self.edges[pred as usize];
                    pred = edge.pred;
                    let from = edge.from as usize;
                    let state = &self.states[from];
                    if !state.visited || state.status != Status::Open || good[from] {
                        continue;
                    }
                    let becomes = match state.mover {
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
                if self.states[number as usize].status == Status::Open {
                    self.decide(number, Status::Lost);
                }
            }
        }
    }
}
