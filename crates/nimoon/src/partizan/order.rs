//! The order of any two games [Siegel2009, Appendix].
//!
//! A *state* is a position with the player to move. a⁺ ≥ b⁺ exactly if Left, moving second,
//! survives a⁺ − b⁺: he gets the last move, or infinitely many moves are made in a. a⁻ ≥ b⁻ is
//! (−b)⁺ ≥ (−a)⁺.

use std::fmt;

use super::graph::{Graph, Vertex};
use super::stoppers::{WITHIN, coarsest};
use super::survival::{Arena, Endless, Room, Survival};
use crate::limits::{Interrupted, Work};
use crate::player::Player;

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

/// Two graphs as one, in which vertices that no play distinguishes are one.
struct Both {
    options: Vec<[Vec<u32>; 2]>,
    first: Vec<u32>,
    second: Vec<u32>,
}

impl Both {
    fn new(first: &Graph, second: &Graph) -> Self {
        let mut shape = first.to_options();
        let offset = shape.len() as u32;
        if !std::ptr::eq(first, second) {
            let mut others = second.to_options();
            others.iter_mut().flatten().flatten().for_each(|to| *to += offset);
            shape.extend(others);
        }
        shape.iter_mut().flatten().flatten().for_each(|to| *to |= WITHIN);
        let mut first = coarsest(&shape);
        let count = first.iter().max().map_or(0, |most| *most as usize + 1);
        let mut options = vec![[Vec::new(), Vec::new()]; count];
        for (vertex, &class) in shape.iter().zip(&first) {
            options[class as usize] = vertex.each_ref().map(|list| {
                let classes = list.iter().map(|to| first[(to & !WITHIN) as usize]);
                let mut classes: Vec<u32> = classes.collect();
                classes.sort_unstable();
                classes.dedup();
                classes
            });
        }
        let second = match first.split_off(offset as usize) {
            others if others.is_empty() => first.clone(),
            others => others,
        };
        Self { options, first, second }
    }
}

/// The same, or its negative, in which the players change places.
struct Side<'a> {
    both: &'a Both,
    negative: bool,
}

impl Arena for Side<'_> {
    fn options(&self, place: u32, player: Player) -> &[u32] {
        let player = if self.negative { player.opponent() } else { player };
        &self.both.options[place as usize][player.index()]
    }

    fn known(&self, _a: u32, _b: u32, _first: Player) -> Option<bool> {
        None
    }

    fn count(&self) -> Option<usize> {
        Some(self.both.options.len())
    }
}

/// Two vertices to be compared.
struct Pair {
    both: Both,
    classes: [u32; 2],
    are_stoppers: [bool; 2],
    room: Room,
}

impl Pair {
    fn new(a: (&Graph, Vertex), b: (&Graph, Vertex)) -> Self {
        let both = Both::new(a.0, b.0);
        let classes = [both.first[a.1 as usize], both.second[b.1 as usize]];
        let are_stoppers = [a, b].map(|(graph, vertex)| graph.is_stopper(vertex));
        Self { both, classes, are_stoppers, room: Room::default() }
    }

    /// Whether x⁺ ≥ y⁺ for these two of a and b, or for their negatives.
    fn ge_plus(
        &mut self,
        [x, y]: [usize; 2],
        negative: bool,
        work: &mut Work,
    ) -> Result<bool, Interrupted> {
        let [x_class, y_class] = [x, y].map(|which| self.classes[which]);
        if x_class == y_class {
            return Ok(true);
        }
        let endless = if self.are_stoppers[y] { Endless::Any } else { Endless::InFirst };
        let side = Side { both: &self.both, negative };
        Survival::new(&side, endless, &mut self.room).solve(x_class, y_class, Player::Right, work)
    }
}

/// Whether a⁺ ≥ b⁺.
///
/// # Errors
/// When the work is interrupted.
pub fn ge_plus(
    a: (&Graph, Vertex),
    b: (&Graph, Vertex),
    work: &mut Work,
) -> Result<bool, Interrupted> {
    Pair::new(a, b).ge_plus([0, 1], false, work)
}

/// Compares two games, given as vertices of graphs.
///
/// # Errors
/// When the work is interrupted.
///
/// ```
/// use nimoon::partizan::order::{Relation, compare};
/// use nimoon::{Work, partizan::Graph};
/// // on = {on|} is greater than 1 = {0|}.
/// let graph = Graph::new(3, [(0, 0), (1, 2)], []).unwrap();
/// let compared = compare((&graph, 0), (&graph, 1), &mut Work::default()).unwrap();
/// assert_eq!(compared.relation(), Relation::Greater);
/// ```
pub fn compare(
    a: (&Graph, Vertex),
    b: (&Graph, Vertex),
    work: &mut Work,
) -> Result<Comparison, Interrupted> {
    let mut pair = Pair::new(a, b);
    Ok(Comparison {
        ge_plus: pair.ge_plus([0, 1], false, work)?,
        ge_minus: pair.ge_plus([1, 0], true, work)?,
        le_plus: pair.ge_plus([1, 0], false, work)?,
        le_minus: pair.ge_plus([0, 1], true, work)?,
    })
}
