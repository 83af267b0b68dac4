//! The order of any two games [Siegel2009, Appendix].
//!
//! A *state* is a position with the player to move. a⁺ ≥ b⁺ exactly if Left, moving second, survives
//! a⁺ − b⁺: he gets the last move, or infinitely many moves are made in a. a⁻ ≥ b⁻ is (−b)⁺ ≥ (−a)⁺.

use std::fmt;

use super::graph::{Graph, Vertex};
use super::player::Player;
use super::survival::{Arena, Effort, Endless, Interrupted, Survival};

/// How two games compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent relations")]
pub struct Comparison {
    /// a⁺ ≥ b⁺.
    pub ge_plus: bool,
    /// a⁻ ≥ b⁻.
    pub ge_minus: bool,
    /// a⁺ ≤ b⁺.
    pub le_plus: bool,
    /// a⁻ ≤ b⁻.
    pub le_minus: bool,
}

/// The order of two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Equal.
    Equal,
    /// The first is greater.
    Greater,
    /// The first is less.
    Less,
    /// Neither: confused, or some sides one way and some the other.
    Incomparable,
}

impl Comparison {
    /// Whether a ≥ b.
    pub fn ge(self) -> bool {
        self.ge_plus && self.ge_minus
    }

    /// Whether a ≤ b.
    pub fn le(self) -> bool {
        self.le_plus && self.le_minus
    }

    /// The relation.
    pub fn relation(self) -> Relation {
        match (self.ge(), self.le()) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Greater,
            (false, true) => Relation::Less,
            (false, false) => Relation::Incomparable,
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "=",
            Self::Greater => ">",
            Self::Less => "<",
            Self::Incomparable => "||",
        })
    }
}

/// Two graphs side by side.
struct Both<'a> {
    first: &'a Graph,
    /// The options in the second graph, whose vertices are counted on from those of the first.
    second: Vec<[Vec<u32>; 2]>,
}

impl Arena for Both<'_> {
    fn options(&self, place: u32, player: Player) -> &[u32] {
        match place.checked_sub(self.first.len() as u32) {
            None => self.first.options(place, player),
            Some(place) => &self.second[place as usize][player.index()],
        }
    }

    fn known(&self, _a: u32, _b: u32, _first: Player) -> Option<bool> {
        None
    }
}

/// Whether a⁺ ≥ b⁺.
///
/// # Errors
/// When the effort is used up.
pub fn ge_plus(
    a: (&Graph, Vertex),
    b: (&Graph, Vertex),
    effort: &mut Effort,
) -> Result<bool, Interrupted> {
    let offset = a.0.len() as u32;
    let mut second = b.0.to_options();
    for list in second.iter_mut().flatten() {
        for to in list {
            *to += offset;
        }
    }
    let arena = Both { first: a.0, second };
    let endless = if b.0.is_stopper(b.1) { Endless::Any } else { Endless::InFirst };
    Survival::new(&arena, endless).solve(a.1, b.1 + offset, Player::Right, effort)
}

/// Compares two games, given as vertices of graphs.
///
/// # Errors
/// When the effort is used up.
///
/// ```
/// use nimoon::loopy::order::{Relation, compare};
/// use nimoon::loopy::{Effort, Graph};
/// // on = {on|} is greater than 1 = {0|}.
/// let graph = Graph::new(3, [(0, 0), (1, 2)], []).unwrap();
/// let compared = compare((&graph, 0), (&graph, 1), &mut Effort::default()).unwrap();
/// assert_eq!(compared.relation(), Relation::Greater);
/// ```
pub fn compare(
    a: (&Graph, Vertex),
    b: (&Graph, Vertex),
    effort: &mut Effort,
) -> Result<Comparison, Interrupted> {
    let [minus_a, minus_b] = [a.0.negative(), b.0.negative()];
    Ok(Comparison {
        ge_plus: ge_plus(a, b, effort)?,
        ge_minus: ge_plus((&minus_b, b.1), (&minus_a, a.1), effort)?,
        le_plus: ge_plus(b, a, effort)?,
        le_minus: ge_plus((&minus_a, a.1), (&minus_b, b.1), effort)?,
    })
}
