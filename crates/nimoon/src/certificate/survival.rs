//! Strategies that show whether a⁺ ≥ b⁺ [Siegel2009, §2].
//!
//! In a − b a move *counts* if it is made in a. Left survives if he gets the last move, or
//! infinitely many moves count. Where he does, his states have ranks that fall with every move that
//! does not count; where he does not, Right has a strategy with ranks that never rise, and fall
//! with every move that counts.
//!
//! States are settled in passes. What forces Left to be stuck, or leads to what is lost already, is
//! lost; its rank is higher than all before. Of the rest, those states are *good* from which Left
//! can make sure of the last move or of a move that counts, in as many moves as the rank says. The
//! others are lost together, with one rank: there Right makes moves that do not count, and all that
//! count lead to what was lost before. When all are good, they survive.

use rustc_hash::FxHashMap;

use crate::limits::{Interrupted, Work};
use crate::partizan::strategy::Move;
use crate::{
    partizan::{Graph, Vertex},
    player::Player,
};

/// A state of a strategy: the vertices of a and b and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The vertices of a and b.
    pub at: (Vertex, Vertex),
    /// Who moves.
    pub mover: Player,
    /// Falls as the module says.
    pub rank: u32,
    /// The move of the player whose strategy it is.
    pub play: Option<Move>,
}

/// What shows that a⁺ ≥ b⁺ holds, by a strategy of Left, or that it fails, by one of Right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Whether it holds.
    pub holds: bool,
    /// The states that play can reach if the strategy is followed.
    pub strategy: Vec<State>,
}

/// Finds out whether a⁺ ≥ b⁺, with a strategy.
///
/// ```
/// use nimoon::certificate::survival::ge_plus;
/// use nimoon::partizan::strategy::Move;
/// use nimoon::{Work, partizan::Graph};
/// // on = {on|} and 1 = {0|}.
/// let graph = Graph::new(3, [(0, 0), (1, 2)], []).unwrap();
/// let shown = ge_plus((&graph, 0), (&graph, 1), &mut Work::default()).unwrap();
/// assert!(shown.holds);
/// // After Right has moved from −1 to 0, Left stays in on for ever.
/// assert!(shown.strategy.iter().any(|state| state.play == Some(Move::InFirst(0))));
/// ```
///
/// # Errors
/// When the work is interrupted.
pub fn ge_plus(
    a: (&Graph, Vertex),
    b: (&Graph, Vertex),
    work: &mut Work,
) -> Result<Shown, Interrupted> {
    let arena = Arena::new(a, b, work)?;
    let (lost, good) = arena.solve(work)?;
    let holds = lost[0].is_none();
    let chosen = if holds { good } else { lost };
    let ours = if holds { Player::Left } else { Player::Right };
    let mut strategy = Vec::new();
    let mut met = vec![false; arena.states.len()];
    met[0] = true;
    let mut open = vec![0_usize];
    while let Some(number) = open.pop() {
        let (u, v, mover) = arena.states[number];
        let Some(Chosen { rank, place }) = chosen[number] else { continue };
        let moves = arena.moves(number);
        let played = place.filter(|_| mover == ours).and_then(|place| moves.get(place));
        let play = played.map(|&(to, counts)| {
            let (u, v, _) = arena.states[to as usize];
            if counts { Move::InFirst(u) } else { Move::InSecond(v) }
        });
        let followed =
            if mover == ours { played.map_or(&[][..], std::slice::from_ref) } else { moves };
        for &(to, _) in followed {
            if !std::mem::replace(&mut met[to as usize], true) {
                open.push(to as usize);
            }
        }
        strategy.push(State { at: (u, v), mover, rank, play });
    }
    Ok(Shown { holds, strategy })
}

/// All states that play can reach from the start with Right to move; that is the first.
struct Arena {
    states: Vec<(Vertex, Vertex, Player)>,
    /// The moves of each state, up to its end: where to, and whether the move counts.
    moves: Vec<(u32, bool)>,
    ends: Vec<usize>,
}

/// The rank of a state, and the place of the move among its moves.
#[derive(Clone, Copy)]
struct Chosen {
    rank: u32,
    place: Option<usize>,
}

type Settled = Vec<Option<Chosen>>;

impl Arena {
    fn new(
        (a, u): (&Graph, Vertex),
        (b, v): (&Graph, Vertex),
        work: &mut Work,
    ) -> Result<Self, Interrupted> {
        let start = (u, v, Player::Right);
        let mut arena = Self { states: vec![start], moves: Vec::new(), ends: Vec::new() };
        let mut numbers: FxHashMap<(Vertex, Vertex, Player), u32> = FxHashMap::default();
        numbers.insert(start, 0);
        while let Some(&(u, v, mover)) = arena.states.get(arena.ends.len()) {
            work.count()?;
            // States with their numbers, and moves in both directions.
            work.hold(96 * arena.states.len() as u64 + 24 * arena.moves.len() as u64)?;
            let next = mover.opponent();
            let in_first = a.options(u, mover).iter().map(|&to| ((to, v, next), true));
            let in_second = b.options(v, next).iter().map(|&to| ((u, to, next), false));
            for (to, counts) in in_first.chain(in_second) {
                work.count()?;
                let number = *numbers.entry(to).or_insert_with(|| {
                    arena.states.push(to);
                    (arena.states.len() - 1) as u32
                });
                arena.moves.push((number, counts));
            }
            arena.ends.push(arena.moves.len());
        }
        Ok(arena)
    }

    fn moves(&self, state: usize) -> &[(u32, bool)] {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.moves[start..self.ends[state]]
    }

    fn is_left(&self, state: usize) -> bool {
        self.states[state].2 == Player::Left
    }

    /// What is lost for Left, with Right's moves, and what is good, with Left's.
    fn solve(&self, work: &mut Work) -> Result<(Settled, Settled), Interrupted> {
        let len = self.states.len();
        let mut before: Vec<Vec<(u32, u32)>> = vec![Vec::new(); len];
        for from in 0..len {
            for (place, &(to, _)) in (0..).zip(self.moves(from)) {
                before[to as usize].push((from as u32, place));
            }
        }
        let mut lost: Settled = vec![None; len];
        let mut left: Vec<usize> = (0..len).map(|state| self.moves(state).len()).collect();
        let mut rank = 0;
        let mut losing: Vec<usize> =
            (0..len).filter(|&state| self.is_left(state) && left[state] == 0).collect();
        for &state in &losing {
            lost[state] = Some(Chosen { rank, place: None });
        }
        loop {
            while let Some(state) = losing.pop() {
                for &(from, place) in &before[state] {
                    work.count()?;
                    let from = from as usize;
                    left[from] -= 1;
                    if lost[from].is_some() || self.is_left(from) && left[from] > 0 {
                        continue;
                    }
                    rank += 1;
                    let place = (!self.is_left(from)).then_some(place as usize);
                    lost[from] = Some(Chosen { rank, place });
                    losing.push(from);
                }
            }
            let good = self.good(&before, &lost, work)?;
            rank += 1;
            for state in 0..len {
                if lost[state].is_some() || good[state].is_some() {
                    continue;
                }
                losing.push(state);
            }
            if losing.is_empty() {
                return Ok((lost, good));
            }
            let open = |to: u32| lost[to as usize].is_none() && good[to as usize].is_none();
            let stays: Vec<Option<usize>> = losing
                .iter()
                .map(|&state| {
                    let stays = |&(to, counts): &(u32, bool)| !counts && open(to);
                    self.moves(state).iter().position(stays).filter(|_| !self.is_left(state))
                })
                .collect();
            for (&state, place) in losing.iter().zip(stays) {
                lost[state] = Some(Chosen { rank, place });
            }
        }
    }

    /// Among what is not lost, the states from which Left can make sure of the last move or a move
    /// that counts.
    fn good(
        &self,
        before: &[Vec<(u32, u32)>],
        lost: &Settled,
        work: &mut Work,
    ) -> Result<Settled, Interrupted> {
        let len = self.states.len();
        let mut good: Settled = vec![None; len];
        // Moves of Right that do not count, and lead to what is not yet good.
        let mut open = vec![0_usize; len];
        let mut reached = Vec::new();
        for state in (0..len).filter(|&state| lost[state].is_none()) {
            work.count()?;
            let moves = self.moves(state);
            let place = if self.is_left(state) {
                let counts = |&(to, counts): &(u32, bool)| counts && lost[to as usize].is_none();
                let Some(place) = moves.iter().position(counts) else { continue };
                Some(place)
            } else {
                open[state] = moves.iter().filter(|(_, counts)| !counts).count();
                if open[state] > 0 {
                    continue;
                }
                None
            };
            good[state] = Some(Chosen { rank: 0, place });
            reached.push(state);
        }
        // First come, first served: so ranks do not fall along the list.
        let mut next = 0;
        while let Some(&state) = reached.get(next) {
            next += 1;
            let rank = good[state].map_or(0, |chosen| chosen.rank) + 1;
            for &(from, place) in &before[state] {
                let (from, place) = (from as usize, place as usize);
                let (_, counts) = self.moves(from)[place];
                if counts || lost[from].is_some() || good[from].is_some() {
                    continue;
                }
                if !self.is_left(from) {
                    open[from] -= 1;
                    if open[from] > 0 {
                        continue;
                    }
                }
                good[from] = Some(Chosen { rank, place: Some(place) });
                reached.push(from);
            }
        }
        Ok(good)
    }
}
