//! Who wins, for each starting player, with draws.
//!
//! A *state* is a vertex with the player to move. A player wins a state with a move to one that he
//! wins, and loses it if every move leads to one that the opponent wins, in particular if there is
//! none. What is left when this is applied backwards from the ends of play is drawn: the player to
//! move there can stay among such states.

use super::graph::{Graph, Vertex, state};
use super::sides::Sides;
use super::stoppers::Stoppers;
use crate::limits::{Interrupted, Work};
use crate::player::Player;

/// Who wins from a vertex if this player starts; none in a draw.
pub type Winner = Option<Player>;

/// The winners of all states of a graph, by retrograde analysis: each edge is visited once.
#[derive(Clone, Debug)]
pub struct Outcomes {
    winners: Vec<Winner>,
}

impl Outcomes {
    /// Finds all winners.
    ///
    /// ```
    /// use nimoon::{partizan::{Graph, Outcomes}, player::Player};
    /// // over = {0|over}: Left wins if he starts, and Right cannot but pass.
    /// let graph = Graph::new(2, [(0, 1)], [(0, 0)]).unwrap();
    /// let outcomes = Outcomes::new(&graph);
    /// assert_eq!(outcomes.winner(0, Player::Left), Some(Player::Left));
    /// assert_eq!(outcomes.winner(0, Player::Right), Some(Player::Left));
    /// ```
    pub fn new(graph: &Graph) -> Self {
        let count = 2 * graph.len();
        let mut winners: Vec<Winner> = vec![None; count];
        let mut remaining = vec![0_u32; count];
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut decided = Vec::new();
        for vertex in 0..graph.len() as Vertex {
            for player in Player::BOTH {
                let here = state(vertex, player);
                let options = graph.options(vertex, player);
                remaining[here as usize] = options.len() as u32;
                for &to in options {
                    before[state(to, player.opponent()) as usize].push(here);
                }
                if options.is_empty() {
                    winners[here as usize] = Some(player.opponent());
                    decided.push(here);
                }
            }
        }
        while let Some(here) = decided.pop() {
            let winner = winners[here as usize];
            for &from in &before[here as usize] {
                let mover = if from % 2 == 0 { Player::Left } else { Player::Right };
                if winners[from as usize].is_some() {
                    continue;
                }
                let good = winner == Some(mover);
                remaining[from as usize] -= u32::from(!good);
                if good || remaining[from as usize] == 0 {
                    winners[from as usize] = winner;
                    decided.push(from);
                }
            }
        }
        Self { winners }
    }

    /// Who wins from a vertex if `first` starts; none in a draw.
    pub fn winner(&self, vertex: Vertex, first: Player) -> Winner {
        self.winners[state(vertex, first) as usize]
    }
}

impl Stoppers {
    /// Who wins a game with these sides if `first` starts; none in a draw. `None` where a side that
    /// is needed was not found.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn winner(
        &mut self,
        sides: Sides,
        first: Player,
        work: &mut Work,
    ) -> Result<Option<Winner>, Interrupted> {
        // Left wins if he survives even where endless play is Right's.
        if let Some(offside) = sides.offside
            && self.survives(offside, Self::ZERO, first, work)?
        {
            return Ok(Some(Some(Player::Left)));
        }
        let Some(onside) = sides.onside else { return Ok(None) };
        if !self.survives(onside, Self::ZERO, first, work)? {
            return Ok(Some(Some(Player::Right)));
        }
        Ok(sides.offside.map(|_| None))
    }
}
