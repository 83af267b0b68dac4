//! Partizan graphs: vertices with Left and Right edges.
//!
//! ```text
//!           L            over = {0|over}: Left moves to 0, Right stays.
//!   over ──────► 0
//!    ⟲ R
//! ```

use thiserror::Error;

use crate::graph::components::strongly_connected;
use crate::player::Player;

/// A vertex of a [`Graph`]: an index below [`Graph::len`].
pub type Vertex = u32;

/// A finite directed graph with separate Left and Right edges; loops are allowed.
///
/// Edges are sets: one that is given twice counts once. A vertex stands for the game that starts
/// there; a player who cannot move loses, and endless play is a draw.
///
/// ```
/// use nimoon::{partizan::Graph, player::Player};
/// // over = {0|over}
/// let graph = Graph::new(2, [(0, 1)], [(0, 0)]).unwrap();
/// assert_eq!(graph.options(0, Player::Left), [1]);
/// assert_eq!(graph.options(0, Player::Right), [0]);
/// assert!(graph.is_stopper(0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// For each vertex and player the first option in `targets`; one more at the end.
    starts: Vec<u32>,
    targets: Vec<Vertex>,
}

/// Why a graph is rejected.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphError {
    /// An edge to or from a vertex that does not exist.
    #[error("an edge names vertex {vertex}, but only vertices below {len} exist")]
    NoSuchVertex {
        /// The vertex.
        vertex: Vertex,
        /// How many there are.
        len: usize,
    },
    /// More vertices or edges than can be numbered.
    #[error("a graph may have at most {most} vertices and edges")]
    TooLarge {
        /// The most there may be.
        most: u32,
    },
}

/// The most vertices, and the most edges.
const MOST: u32 = u32::MAX / 4;

impl Graph {
    /// The graph on `0..len` with these edges.
    ///
    /// # Errors
    /// When an edge names another vertex, or there are too many.
    pub fn new(
        len: usize,
        left: impl IntoIterator<Item = (Vertex, Vertex)>,
        right: impl IntoIterator<Item = (Vertex, Vertex)>,
    ) -> Result<Self, GraphError> {
        let mut options = vec![[Vec::new(), Vec::new()]; len.min(MOST as usize)];
        let left = left.into_iter().map(|edge| (Player::Left, edge));
        let right = right.into_iter().map(|edge| (Player::Right, edge));
        let mut edges = 0_usize;
        for (player, (from, to)) in left.chain(right) {
            let vertex = from.max(to);
            if vertex as usize >= len {
                return Err(GraphError::NoSuchVertex { vertex, len });
            }
            edges += 1;
            if len > MOST as usize || edges > MOST as usize {
                return Err(GraphError::TooLarge { most: MOST });
            }
            options[from as usize][player.index()].push(to);
        }
        if len > MOST as usize {
            return Err(GraphError::TooLarge { most: MOST });
        }
        Ok(Self::of_options(options))
    }

    /// The graph with these options of each vertex, for Left and for Right, all of which exist.
    pub(crate) fn of_options(options: impl IntoIterator<Item = [Vec<Vertex>; 2]>) -> Self {
        let mut graph = Self { starts: vec![0], targets: Vec::new() };
        for both in options {
            for mut list in both {
                list.sort_unstable();
                list.dedup();
                graph.targets.extend(list);
                graph.starts.push(graph.targets.len() as u32);
            }
        }
        graph
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.starts.len() / 2
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.starts.len() < 2
    }

    /// The vertices that a player can move to, in order.
    pub fn options(&self, vertex: Vertex, player: Player) -> &[Vertex] {
        let row = 2 * vertex as usize + player.index();
        &self.targets[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// The edges of a player.
    pub fn edges(&self, player: Player) -> impl Iterator<Item = (Vertex, Vertex)> {
        (0..self.len() as Vertex)
            .flat_map(move |from| self.options(from, player).iter().map(move |&to| (from, to)))
    }

    /// All options as lists.
    pub(crate) fn to_options(&self) -> Vec<[Vec<Vertex>; 2]> {
        let vertices = 0..self.len() as Vertex;
        vertices.map(|v| Player::BOTH.map(|player| self.options(v, player).to_vec())).collect()
    }

    /// The graph with Left and Right exchanged: every game becomes its negative.
    ///
    /// ```
    /// use nimoon::{partizan::Graph, player::Player};
    /// let one = Graph::new(2, [(0, 1)], []).unwrap();
    /// assert_eq!(one.negative().options(0, Player::Right), [1]);
    /// ```
    #[must_use]
    pub fn negative(&self) -> Self {
        let mut options = self.to_options();
        for both in &mut options {
            both.swap(0, 1);
        }
        Self::of_options(options)
    }

    /// What can be reached from a vertex, which becomes vertex 0.
    #[must_use]
    pub fn reachable(&self, start: Vertex) -> Self {
        const NEW: Vertex = Vertex::MAX;
        let mut number = vec![NEW; self.len()];
        let mut order = vec![start];
        number[start as usize] = 0;
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            next += 1;
            for player in Player::BOTH {
                for &to in self.options(vertex, player) {
                    if number[to as usize] == NEW {
                        number[to as usize] = order.len() as Vertex;
                        order.push(to);
                    }
                }
            }
        }
        Self::of_options(order.iter().map(|&vertex| {
            Player::BOTH.map(|player| {
                self.options(vertex, player).iter().map(|&to| number[to as usize]).collect()
            })
        }))
    }

    /// Whether no alternating cycle can be reached from a vertex, so that every play with
    /// alternating moves ends [Siegel2009, Def. 5].
    ///
    /// An alternating cycle is a closed walk in the graph of [states](super::order): a vertex may
    /// recur on it.
    pub fn is_stopper(&self, start: Vertex) -> bool {
        let part = self.reachable(start);
        let states = part.state_components();
        let cyclic = |from: Vertex, player: Player| {
            let [from_state, to_player] = [state(from, player), player.opponent().index() as u32];
            part.options(from, player)
                .iter()
                .any(|&to| states[from_state as usize] == states[(2 * to + to_player) as usize])
        };
        let vertices = 0..part.len() as Vertex;
        !vertices.into_iter().any(|v| Player::BOTH.iter().any(|&player| cyclic(v, player)))
    }

    /// For each state, vertex and player to move, the number of its strongly connected component.
    pub(crate) fn state_components(&self) -> Vec<u32> {
        state_components(self.len(), |vertex, player| self.options(vertex, player))
    }
}

/// The number of the state with this player to move.
pub(crate) fn state(vertex: Vertex, player: Player) -> u32 {
    2 * vertex + player.index() as u32
}

/// For each state, the number of its strongly connected component in the state graph
/// [Siegel2009, Def. 17]. Options beyond `0..len` are ignored.
pub(crate) fn state_components<'a>(
    len: usize,
    options: impl Fn(Vertex, Player) -> &'a [Vertex],
) -> Vec<u32> {
    let components = strongly_connected(2 * len, |from, list| {
        let player = if from % 2 == 0 { Player::Left } else { Player::Right };
        let next = options(from / 2, player).iter().filter(|&&to| (to as usize) < len);
        list.extend(next.map(|&to| state(to, player.opponent())));
    });
    let mut place = vec![0; 2 * len];
    for (i, component) in components.iter().enumerate() {
        for &member in component {
            place[member as usize] = i as u32;
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_may_recur_on_an_alternating_cycle() {
        // dud = {dud|dud}; on = {on|}; x = {0|y}, y = {x|0}.
        let dud = Graph::new(1, [(0, 0)], [(0, 0)]).unwrap();
        assert!(!dud.is_stopper(0));
        let on = Graph::new(1, [(0, 0)], []).unwrap();
        assert!(on.is_stopper(0));
        let two = Graph::new(3, [(0, 2), (1, 0)], [(0, 1), (1, 2)]).unwrap();
        assert!(!two.is_stopper(0));
        // Left, Left, Right round a triangle: an alternating walk must stop.
        let triangle = Graph::new(3, [(0, 1), (1, 2)], [(2, 0)]).unwrap();
        assert!(triangle.is_stopper(0));
        // Both colours on every edge of a triangle: the walk goes round twice.
        let both = [(0, 1), (1, 2), (2, 0)];
        assert!(!Graph::new(3, both, both).unwrap().is_stopper(0));
    }

    #[test]
    fn what_cannot_be_reached_does_not_count() {
        let graph = Graph::new(3, [(0, 1), (2, 2)], [(2, 2)]).unwrap();
        assert!(graph.is_stopper(0));
        assert!(!graph.is_stopper(2));
        assert_eq!(graph.reachable(0).len(), 2);
    }

    #[test]
    fn edges_must_lie_between_vertices() {
        let error = Graph::new(2, [(0, 2)], []).unwrap_err();
        assert_eq!(error, GraphError::NoSuchVertex { vertex: 2, len: 2 });
    }
}
