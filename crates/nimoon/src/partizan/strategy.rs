//! Complete survival strategies [Siegel2009, Def. 1 to 3, Lemma 4].
//!
//! A *strategy* of a player recommends an option of every follower from which he can move. It is a
//! *complete survival strategy* if he survives by it from every follower that he can survive at
//! all, moving first. There always is one. Here it is found directly: a position that can be
//! survived has a rank, and what is recommended either makes a move that counts, to such a position
//! again, or leads to one of lower rank. So endless play makes infinitely many moves that count.
//!
//! | in | a move counts if | surviving is |
//! |---|---|---|
//! | a game, to win | never | getting the last move |
//! | a game, to survive | always | getting the last move or a draw |
//! | a⁺ − b⁺ | it is made in a | the last move, or infinitely many moves in a |
//!
//! ## References
//! [Siegel2009, §2]. The ranks are those of games with a Büchi condition.

use super::graph::{Graph, Vertex, state};
use crate::limits::{Interrupted, Work};
use crate::player::Player;

/// Positions with a player to move; `ours` is the one who wants to survive.
struct Positions {
    ours: Vec<bool>,
    /// The moves of each position, up to its end: where to, and whether the move counts.
    moves: Vec<(u32, bool)>,
    ends: Vec<u32>,
}

impl Positions {
    fn moves(&self, position: usize) -> &[(u32, bool)] {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.moves[start as usize..self.ends[position] as usize]
    }

    /// The place among its moves of the one that is recommended at each of our positions which
    /// survives; for the opponent's positions any place stands for survival.
    fn survive(&self, work: &mut Work) -> Result<Vec<Option<u32>>, Interrupted> {
        let len = self.ours.len();
        // From where moves lead here, with their places there.
        let mut before: Vec<Vec<(u32, u32)>> = vec![Vec::new(); len];
        for from in 0..len {
            for (place, &(to, _)) in (0..).zip(self.moves(from)) {
                before[to as usize].push((from as u32, place));
            }
        }
        let mut lost = vec![false; len];
        // Moves that are not lost, of our positions.
        let mut left: Vec<u32> = (0..len).map(|p| self.moves(p).len() as u32).collect();
        let mut losing: Vec<u32> =
            (0..len as u32).filter(|&p| self.ours[p as usize] && left[p as usize] == 0).collect();
        for &position in &losing {
            lost[position as usize] = true;
        }
        loop {
            while let Some(position) = losing.pop() {
                for &(from, _) in &before[position as usize] {
                    let from = from as usize;
                    left[from] -= u32::from(self.ours[from]);
                    if !lost[from] && (!self.ours[from] || left[from] == 0) {
                        lost[from] = true;
                        losing.push(from as u32);
                    }
                }
            }
            let recommended = self.reach_what_counts(&before, &lost, work)?;
            for position in 0..len {
                if !lost[position] && recommended[position].is_none() {
                    lost[position] = true;
                    losing.push(position as u32);
                }
            }
            if losing.is_empty() {
                return Ok(recommended);
            }
        }
    }

    /// Among positions that are not lost, those from which we can make sure of a move that counts
    /// or of the last move, with the place of our move.
    fn reach_what_counts(
        &self,
        before: &[Vec<(u32, u32)>],
        lost: &[bool],
        work: &mut Work,
    ) -> Result<Vec<Option<u32>>, Interrupted> {
        let mut recommended: Vec<Option<u32>> = vec![None; lost.len()];
        // Moves of the opponent that do not count and lead to what is not yet reached.
        let mut open = vec![0_u32; lost.len()];
        let mut reached = Vec::new();
        for position in 0..lost.len() {
            work.count()?;
            if lost[position] {
                continue;
            }
            let moves = self.moves(position);
            recommended[position] = if self.ours[position] {
                let counts = moves.iter().position(|&(to, counts)| counts && !lost[to as usize]);
                counts.map(|place| place as u32)
            } else {
                open[position] = moves.iter().filter(|(_, counts)| !counts).count() as u32;
                (open[position] == 0).then_some(0)
            };
            if recommended[position].is_some() {
                reached.push(position as u32);
            }
        }
        // First come, first served: so wins come soon.
        let mut next = 0;
        while let Some(&position) = reached.get(next) {
            next += 1;
            for &(from, place) in &before[position as usize] {
                let at = from as usize;
                let (_, counts) = self.moves(at)[place as usize];
                if counts || lost[at] || recommended[at].is_some() {
                    continue;
                }
                if !self.ours[at] {
                    open[at] -= 1;
                    if open[at] > 0 {
                        continue;
                    }
                }
                recommended[at] = Some(place);
                reached.push(from);
            }
        }
        Ok(recommended)
    }
}

/// A complete survival strategy of a player for all vertices of a graph: he wins what he can win,
/// and draws what he can draw.
///
/// ```
/// use nimoon::partizan::strategy::Strategy;
/// use nimoon::{partizan::Graph, player::Player};
/// // Left moves from 0 to 1 or 2, and Right from 1 back to 0; 2 is the end.
/// let graph = Graph::new(3, [(0, 1), (0, 2)], [(1, 0)]).unwrap();
/// let strategy = Strategy::survival(&graph, Player::Left);
/// assert_eq!(strategy.recommended(0), Some(2));
/// assert!(strategy.wins(0, Player::Left));
/// // Right draws at best, and that only if Left lets her.
/// let strategy = Strategy::survival(&graph, Player::Right);
/// assert_eq!(strategy.recommended(1), Some(0));
/// assert!(!strategy.survives(1, Player::Right));
/// ```
#[derive(Clone, Debug)]
pub struct Strategy {
    player: Player,
    recommended: Vec<Option<Vertex>>,
    survives: Vec<bool>,
    wins: Vec<bool>,
}

impl Strategy {
    /// Finds a strategy.
    ///
    /// ```
    /// use nimoon::partizan::strategy::Strategy;
    /// use nimoon::{partizan::Graph, player::Player};
    /// // over = {0|over}: Right can only stay, and that loses.
    /// let graph = Graph::new(2, [(0, 1)], [(0, 0)]).unwrap();
    /// let strategy = Strategy::survival(&graph, Player::Right);
    /// assert_eq!(strategy.recommended(0), Some(0));
    /// assert!(!strategy.survives(0, Player::Right));
    /// ```
    pub fn survival(graph: &Graph, player: Player) -> Self {
        let solve = |counts: bool| {
            let mut positions = Positions { ours: Vec::new(), moves: Vec::new(), ends: Vec::new() };
            for vertex in 0..graph.len() as Vertex {
                for mover in Player::BOTH {
                    let options = graph.options(vertex, mover).iter();
                    let moves = options.map(|&to| (state(to, mover.opponent()), counts));
                    positions.moves.extend(moves);
                    positions.ours.push(mover == player);
                    positions.ends.push(positions.moves.len() as u32);
                }
            }
            // Each pass visits all positions, and there are at most as many passes.
            positions.survive(&mut Work::endless()).unwrap_or_default()
        };
        let [to_win, to_survive] = [solve(false), solve(true)];
        let recommended = (0..graph.len() as Vertex).map(|vertex| {
            let options = graph.options(vertex, player);
            let here = state(vertex, player) as usize;
            let place = to_win[here].or(to_survive[here]).unwrap_or(0);
            options.get(place as usize).copied()
        });
        Self {
            player,
            recommended: recommended.collect(),
            survives: to_survive.iter().map(Option::is_some).collect(),
            wins: to_win.iter().map(Option::is_some).collect(),
        }
    }

    /// Whose strategy it is.
    pub fn player(&self) -> Player {
        self.player
    }

    /// The option that is recommended, at every vertex from which the player can move.
    pub fn recommended(&self, vertex: Vertex) -> Option<Vertex> {
        self.recommended[vertex as usize]
    }

    /// Whether the player does not lose if `first` moves first and he plays by the strategy.
    pub fn survives(&self, vertex: Vertex, first: Player) -> bool {
        self.survives[state(vertex, first) as usize]
    }

    /// Whether the player wins if `first` moves first and he plays by the strategy.
    pub fn wins(&self, vertex: Vertex, first: Player) -> bool {
        self.wins[state(vertex, first) as usize]
    }
}

/// A move in a difference a − b, and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// In a, to this vertex.
    InFirst(Vertex),
    /// In −b, to this vertex of b.
    InSecond(Vertex),
}

impl Move {
    /// The vertices of a and b after the move.
    ///
    /// ```
    /// use nimoon::partizan::strategy::Move;
    /// assert_eq!(Move::InSecond(5).after(1, 2), (1, 5));
    /// ```
    #[must_use]
    pub fn after(self, a: Vertex, b: Vertex) -> (Vertex, Vertex) {
        match self {
            Self::InFirst(a) => (a, b),
            Self::InSecond(b) => (a, b),
        }
    }
}

/// A complete survival strategy of Left for a⁺ − b⁺, for all vertices a and b of two graphs.
///
/// a⁺ ≥ b⁺ exactly if it survives with Right to move. For a⁻ ≥ b⁻ take (−b)⁺ − (−a)⁺.
///
/// ```
/// use nimoon::partizan::strategy::{Difference, Move};
/// use nimoon::{Work, partizan::Graph, player::Player};
/// // on = {on|} and 1 = {0|}.
/// let graph = Graph::new(3, [(0, 0), (1, 2)], []).unwrap();
/// let strategy = Difference::new(&graph, &graph, &mut Work::default()).unwrap();
/// assert!(strategy.survives(0, 1, Player::Right));
/// // Left stays in on for ever.
/// assert_eq!(strategy.recommended(0, 1), Some(Move::InFirst(0)));
/// assert!(!strategy.survives(1, 0, Player::Right));
/// ```
#[derive(Clone, Debug)]
pub struct Difference {
    width: usize,
    recommended: Vec<Option<Move>>,
    survives: Vec<bool>,
}

impl Difference {
    /// Finds a strategy.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn new(a: &Graph, b: &Graph, work: &mut Work) -> Result<Self, Interrupted> {
        let width = b.len();
        // A position with its moves in both directions, of which there is one at least.
        work.hold((2 * 64 * width as u64).saturating_mul(a.len() as u64))?;
        let place = |u: Vertex, v: Vertex, mover: Player| {
            state((u as usize * width + v as usize) as u32, mover)
        };
        let mut positions = Positions { ours: Vec::new(), moves: Vec::new(), ends: Vec::new() };
        for u in 0..a.len() as Vertex {
            for v in 0..width as Vertex {
                for mover in Player::BOTH {
                    work.count()?;
                    let next = mover.opponent();
                    let in_first = a.options(u, mover).iter().map(|&to| (place(to, v, next), true));
                    let in_second =
                        b.options(v, next).iter().map(|&to| (place(u, to, next), false));
                    positions.moves.extend(in_first.chain(in_second));
                    positions.ours.push(mover == Player::Left);
                    positions.ends.push(positions.moves.len() as u32);
                }
            }
        }
        let found = positions.survive(work)?;
        let mut recommended = Vec::with_capacity(found.len() / 2);
        for u in 0..a.len() as Vertex {
            for v in 0..width as Vertex {
                let chosen = found[place(u, v, Player::Left) as usize].unwrap_or(0) as usize;
                let [left, right] = [a.options(u, Player::Left), b.options(v, Player::Right)];
                recommended.push(match left.get(chosen) {
                    Some(&to) => Some(Move::InFirst(to)),
                    None => right.get(chosen - left.len()).copied().map(Move::InSecond),
                });
            }
        }
        let survives = found.iter().map(Option::is_some).collect();
        Ok(Self { width, recommended, survives })
    }

    /// The move that is recommended to Left, where he can move.
    pub fn recommended(&self, a: Vertex, b: Vertex) -> Option<Move> {
        self.recommended[a as usize * self.width + b as usize]
    }

    /// Whether Left survives by the strategy if `first` moves first.
    pub fn survives(&self, a: Vertex, b: Vertex, first: Player) -> bool {
        let pair = a as usize * self.width + b as usize;
        self.survives[state(pair as u32, first) as usize]
    }
}
