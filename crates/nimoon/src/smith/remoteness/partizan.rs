//! Remoteness where Left and Right have moves of their own.

use super::{Play, distances, finite, generalized, good, outcome};
use crate::graph::digraph::Rows;
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;
use crate::{
    partizan::{Graph, Vertex},
    player::Player,
};

/// Terminal distance and remoteness of all positions of a graph with Left and Right edges.
///
/// A position is a vertex with a player to move, the bicoloured digraph of [Smith1966, §1]. It is
/// terminal if that player has no move there.
///
/// ```
/// use nimoon::Outcome;
/// use nimoon::{partizan::Graph, player::Player};
/// use nimoon::smith::remoteness::{PartizanRemoteness, Play};
/// // over = {0|over}
/// let graph = Graph::new(2, [(0, 1)], [(0, 0)]).unwrap();
/// let solved = PartizanRemoteness::new(&graph, Play::Normal);
/// assert_eq!(solved.remoteness(0, Player::Left), Some(1));
/// assert_eq!(solved.remoteness(0, Player::Right), Some(2));
/// assert_eq!(solved.distance(0, Player::Right), Some(2));
/// assert_eq!(solved.outcome(0, Player::Right), Outcome::P);
/// assert_eq!(solved.good_move(0, Player::Left), Some(1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartizanRemoteness {
    options: Rows,
    distance: Vec<u32>,
    remoteness: Vec<u32>,
    work: u64,
}

/// The number of a position. A graph has few enough vertices for it.
pub(super) const fn position(vertex: Vertex, player: Player) -> u32 {
    2 * vertex + player.index() as u32
}

impl PartizanRemoteness {
    /// Solves a graph.
    pub fn new(graph: &Graph, play: Play) -> Self {
        let solved = Self::try_new(graph, play, &Work::endless());
        solved.unwrap_or_else(|_| unreachable!("nothing interrupts it"))
    }

    /// The same within limits.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn try_new(graph: &Graph, play: Play, work: &Work) -> Result<Self, Interrupted> {
        work.admit_listed(graph.len() as u64)?;
        let options = Rows::new(2 * graph.len(), || {
            Player::BOTH.into_iter().flat_map(|player| {
                let to = move |to| position(to, player.opponent());
                graph.edges(player).map(move |(from, end)| (position(from, player), to(end)))
            })
        });
        let predecessors = options.reversed();
        let distance = distances(&options, &predecessors, work)?;
        let normal = play == Play::Normal;
        let remoteness = generalized(&options, &predecessors, |_| normal, work)?;
        let work = distance.work + remoteness.work;
        Ok(Self { options, distance: distance.values, remoteness: remoteness.values, work })
    }

    /// The length of the longest play when this player begins; none if there is no bound.
    pub fn distance(&self, vertex: Vertex, player: Player) -> Option<u32> {
        finite(self.distance[position(vertex, player) as usize])
    }

    /// The remoteness when this player begins; none if it is infinite.
    pub fn remoteness(&self, vertex: Vertex, player: Player) -> Option<u32> {
        finite(self.remoteness[position(vertex, player) as usize])
    }

    /// Who wins when this player begins: N is this player, P the other one.
    pub fn outcome(&self, vertex: Vertex, player: Player) -> Outcome {
        outcome(self.remoteness(vertex, player).map(u64::from))
    }

    /// The good moves of a player from a vertex (5).
    pub fn good_moves(&self, vertex: Vertex, player: Player) -> impl Iterator<Item = Vertex> + '_ {
        good(&self.remoteness, &self.options, position(vertex, player)).map(|to| to / 2)
    }

    /// The first good move of a player from a vertex (6); none if there is no move.
    pub fn good_move(&self, vertex: Vertex, player: Player) -> Option<Vertex> {
        self.good_moves(vertex, player).next()
    }

    /// How many positions and edges were visited.
    pub fn work(&self) -> u64 {
        self.work
    }
}
