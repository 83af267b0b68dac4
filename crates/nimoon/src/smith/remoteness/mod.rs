//! Remoteness: how far a position is from the end, with a winner who hurries and a loser who
//! delays.
//!
//! ```text
//!   a ⇄ b ──► c      c is terminal: R(c) = 0, R(b) = 1, R(a) = 2. All plays from a may be endless,
//!                    so D(a) = D(b) = ∞; still the player who moves from b wins, by going to c.
//! ```
//!
//! # Definitions
//! - The *terminal distance* D is the length of the longest play, ∞ where plays have no bound (2),
//!   (3).
//! - The *remoteness* R is 0 at terminal positions; one more than the least even R of a follower,
//!   if there is one; one more than the largest R of a follower, if all are odd; ∞ otherwise (4).
//! - The *outcome* is N where R is odd, P where it is even, and a draw, Smith's class O, where it
//!   is ∞.
//! - In misère play the player who moves last loses: terminal positions have R′ = 1, and the rest
//!   is the same.
//! - A *good* move leads from R to R − 1, and from ∞ to ∞ (5), (6). A winner who plays good moves
//!   wins in at most R moves, and who loses by good moves lasts as long. Moving from N to P alone
//!   may circle for ever: from b above to a and back.
//! - The *generalized remoteness* Q speaks of one player's success at a set of terminal positions
//!   ([`PayoffGame`]), and gives what each player can be sure of ([`security`]).
//!
//! | to know | use |
//! |---|---|
//! | D, R and good moves on a digraph | [`Remoteness`] |
//! | the same with Left and Right edges | [`PartizanRemoteness`] |
//! | what players are sure of where play ends with a win, a draw, a loss or a payoff | [`PayoffGame`], [`security`] |
//! | remoteness of several games at once | [`compound`](crate::smith::compound) |
//!
//! # Cost
//! Retrograde analysis with one counter a position: each arc is visited once, see
//! [`Remoteness::work`].
//!
//! # Departures
//! Smith has no gray nodes. With a single piece they change nothing, since the piece that must be
//! moved is the only one there is; so they are taken as white here, and refused in compounds.
//!
//! ## References
//! [Smith1966, §3, §4, §5, §8]

mod partizan;
mod payoff;
mod retrograde;
pub mod security;

pub use partizan::PartizanRemoteness;
pub use payoff::{Generalized, PayoffGame, PayoffGameError, PayoffGoal, PayoffSolution};

use crate::graph::digraph::{Digraph, Node};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;
pub use retrograde::{ENDLESS, Measure};
pub(crate) use retrograde::{
    Retrograde, distances, finite, generalized, good, good_by_success, successes,
};

/// Whether the last move wins or loses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Play {
    /// The player who moves last wins.
    #[default]
    Normal,
    /// The player who moves last loses.
    Misere,
}

/// The outcome of a position with this remoteness, none if it is infinite [Smith1966, §4].
///
/// ```
/// use nimoon::{Outcome, smith::remoteness::outcome};
/// assert_eq!([Some(3), Some(4), None].map(outcome), [Outcome::N, Outcome::P, Outcome::D]);
/// ```
pub fn outcome(remoteness: Option<u64>) -> Outcome {
    match remoteness {
        Some(remoteness) if remoteness % 2 == 1 => Outcome::N,
        Some(_) => Outcome::P,
        None => Outcome::D,
    }
}

/// Terminal distance and remoteness of all nodes of a digraph.
///
/// ```
/// use nimoon::{Digraph, Outcome, smith::remoteness::{Play, Remoteness}};
/// // a ⇄ b → c
/// let [a, b, c] = [0, 1, 2];
/// let digraph = Digraph::new(3, [], vec![(a, b), (b, a), (b, c)]).unwrap();
/// let solved = Remoteness::new(&digraph, Play::Normal);
/// assert_eq!([a, b, c].map(|node| solved.distance(node)), [None, None, Some(0)]);
/// assert_eq!([a, b, c].map(|node| solved.remoteness(node)), [Some(2), Some(1), Some(0)]);
/// assert_eq!(solved.outcome(a), Outcome::P);
/// assert_eq!(solved.good_move(&digraph, b), Some(c));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remoteness {
    play: Play,
    distance: Vec<u32>,
    values: Vec<u32>,
    work: u64,
}

impl Remoteness {
    /// Solves a digraph; gray nodes count as white ones.
    pub fn new(digraph: &Digraph, play: Play) -> Self {
        let solved = Self::try_new(digraph, play, &Work::endless());
        solved.unwrap_or_else(|_| unreachable!("nothing interrupts it"))
    }

    /// The same within limits.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn try_new(digraph: &Digraph, play: Play, work: &Work) -> Result<Self, Interrupted> {
        work.admit_listed(digraph.len() as u64)?;
        let (options, predecessors) = (digraph.option_rows(), digraph.predecessor_rows());
        let distance = distances(options, predecessors, work)?;
        let normal = play == Play::Normal;
        let remoteness = generalized(options, predecessors, |_| normal, work)?;
        let work = distance.work + remoteness.work;
        Ok(Self { play, distance: distance.values, values: remoteness.values, work })
    }

    /// Whether the last move wins or loses.
    pub fn play(&self) -> Play {
        self.play
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.distance.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.distance.is_empty()
    }

    /// The length of the longest play from a node; none if there is no bound.
    pub fn distance(&self, node: Node) -> Option<u32> {
        finite(self.distance[node as usize])
    }

    /// The remoteness of a node; none if it is infinite.
    pub fn remoteness(&self, node: Node) -> Option<u32> {
        finite(self.values[node as usize])
    }

    /// Who wins from a node.
    pub fn outcome(&self, node: Node) -> Outcome {
        outcome(self.remoteness(node).map(u64::from))
    }

    /// The good moves from a node: those that win fastest, hold the draw, or lose slowest (5).
    pub fn good_moves<'a>(
        &'a self,
        digraph: &'a Digraph,
        node: Node,
    ) -> impl Iterator<Item = Node> + 'a {
        good(&self.values, digraph.option_rows(), node)
    }

    /// The first good move from a node, a strategy in the narrow sense (6); none from a terminal
    /// node.
    pub fn good_move(&self, digraph: &Digraph, node: Node) -> Option<Node> {
        self.good_moves(digraph, node).next()
    }

    /// How many nodes and arcs were visited.
    pub fn work(&self) -> u64 {
        self.work
    }
}
