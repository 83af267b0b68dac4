//! Cycles with entailing moves of any outdegree: an algebra of control.
//!
//! [ACLNSS, §5] ends with the remark that a theory of all types of entailing moves would be very
//! heavy. This is one. It contains the short, the cyclic and the carry-on theory: their values are
//! those in which the opponent never chooses. The numbers of the entailing theory are numbers here,
//! and its one moon splits into many values: acyclic positions do not tell them apart, others do.
//!
//! ## Definitions
//! o(G) is the outcome of a sum G, and G ≡ H means o(G + S) = o(H + S) for every S. A white node
//! is *numbered* n if it is lost beside *n. W(x) is the set of k such that x + *k is won by the
//! player to move. The *mover* is in control as long as the opponent is never free to move: every
//! move of the mover enters a gray node, where a *duel* begins, and each duel ends with a forced
//! move of the opponent to a white node.
//!
//! ## Numbers (Theorem 1)
//! If G + H is lost, then G ≡ H. *Proof.* It is enough that a player who wins H + S wins G + S in
//! the same role. The player keeps two imaginary boards, G + H and H + S, with winning strategies
//! on both, and lets the two copies of H answer each other: a move of the opponent in G is answered
//! on the first board, in G and then in reality, or in H; the latter is entered on the second board
//! as a move of the opponent, and so on. A duel in H goes back and forth between the boards, so the
//! answer always exists. Each play by a winning strategy on a finite digraph ends, so the answer
//! reaches reality. ∎ So a node numbered n equals *n.
//!
//! ## Everything else (Theorem 2)
//! *A sum of white components, one of them without a number, is not lost.* So it is won exactly if
//! the mover can keep control until all components are numbers with nim-sum 0 and the opponent is
//! free, or until the opponent is stuck. *Proof.* By Theorem 1 it is enough that u + v is not lost
//! for single nodes without numbers. Let x + y be a lost such pair that lasts least; then x ≡ y.
//! 1. If x + *k is won for every k, take one that no node has as its number. The mover wins x + *k
//!    without ever leaving the opponent free, until the component stands on a numbered node u or
//!    the opponent is stuck. The same play in x + y leaves u + y, which is as won as u + x:
//!    contradiction.
//! 2. Otherwise let m be the least k such that x + *k is not won; it is drawn, so some move to x'
//!    draws. The mover plays it in x + y. A win of the opponent lasts less than x + y, so the first
//!    white sum that it leaves to the mover consists of numbers. The mover prevents that: with the
//!    opponent to move, both components beside *m are not won; with the mover to move on a gray
//!    node, that component beside *m is not lost. From the latter some move leads to the former;
//!    from the former a move of the opponent leads to the latter, or to a number, which would be m
//!    because of the other component, and would be lost beside *m: contradiction. ∎
//!
//! ## Values (Theorems 4 and 5)
//! What remains of a component is its *control automaton*: for each white node without a number,
//! the set W and the minimal sets of results to which the mover can limit the opponent in a duel
//! ([`Forcing`] and the [limits](#limits-and-cost) below say more). The *comparison game* orders
//! automata: x ≤ y exactly if y + S is won whenever x + S is. In one direction the mover in y + S
//! imitates x + S; in the other, [`Control::context`] builds an S from the play of the spoiler.
//!
//! If control cannot run in cycles, the automaton is a term over the generators `j` (control with
//! the component on the number j) and `>k` (handing over at k), where `>k` is below `j` for k ≠ j.
//! A join is a choice of the mover, a meet a choice of the opponent. The comparison game is then
//! Whitman's algorithm for free lattices, in Dean's form for lattices over an order, rule by rule;
//! and every term is the value of a position ([`Control::representative`]). So the values are the
//! free lattice over the generators, with a bottom `[]` and a top `(win)`, and have Whitman's
//! canonical form: no joinand is a join, they are incomparable, and no meetand of one is below the
//! whole; and the other way around. Two terms are equal exactly if their canonical forms are.
//!
//! *The old kinds* are the joins of generators and the top: ∞_D is `[>d, …]`, ninny f is `[f]`, ☾_F
//! is `[f, …]` (with `>f` if F has one element), ○ is `(win)`. If gray nodes have at most one
//! option there are no other ones.
//!
//! ## Control cycles
//! Cycles make least solutions of equations. Some of them equal a term, and whether one does can be
//! decided. Those that equal none are *essentially cyclic*; the smallest has six nodes:
//!
//! ```text
//!   X ⟲ ──► *0 ◄── *1 ◄── ⟲ Y        X = [>0, 1/Y]
//!   X ──► g ──► *1, Y                Y = [>1, 0/X]
//!   Y ──► h ──► *0, X                g and h are gray.
//! ```
//!
//! They are compared and added as automata, and written with equations.
//!
//! ## Sums (Theorem 7)
//! A duel is fought in one component, so the automaton of a sum has the pairs of places as its
//! places, and the duels of both components. Nobody hands over beside a component without a number.
//! On terms:
//!
//! ```text
//!   x + y = the join of  ⋀ (e + y) for each meet e ∧ … among the members of x,
//!                        ⋀ (x + e) for each meet e ∧ … among the members of y,
//!                        and of the sums of generators:
//!           i + j = i ⊕ j,   i + >j = >(i ⊕ j),   >i + >j = [].
//! ```
//!
//! A number n adds as the generator `n` does, except to another number. A sum without a number is
//! won exactly if `>0` is below it, and drawn otherwise.
//!
//! ## Departures
//! - Approximants of control cycles keep `>k` for k below a bound only: all others would be
//!   an infinite join, which no position has.
//! - Whether a value is of an old kind is read off its canonical form. That the opponent has a
//!   least choice is not needed: `[1/[>0, >1], >1]` is ∞_{0,1}, although neither 1 nor `[>0, >1]`
//!   is below the other.
//! - The order of values counts a loss less than a draw. So a number n is below `[n]`, which is
//!   drawn beside *n, and two different numbers are incomparable.
//!
//! ## Limits and cost
//! Layers take the arcs times the number of layers. The minimal sets of results of duels can be
//! exponentially many, and terms as long; both are counted as positions, and at a limit the
//! numbers, the sets W, ○ and what can be forced are still known, since these need no such sets.
//! Comparing is polynomial in the automata. Essentially cyclic values have no canonical form here:
//! equal ones may be written with different equations, and [`Control::relation`] tells. For sums of
//! many components with meets no polynomial bound is known.
//!
//! ## References
//! P. M. Whitman, *Free lattices*, Annals of Mathematics 42 (1941); R. A. Dean, *Completely free
//! lattices generated by partially ordered sets*, Transactions of the American Mathematical Society
//! 83 (1956). [ACLNSS, Thm 2.4, Thm 2.5] and \[LNS2021\] are the cases without a meet.

mod automaton;
mod context;
mod drawing;
mod duels;
mod form;
mod layers;
mod name;
mod notation;
mod order;
mod proof;
mod reduce;
mod representative;
mod settle;
mod term;
mod value;
pub(crate) mod virtuals;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::graph::digraph::{Digraph, Node};
use crate::limits::{Interrupted, Work};

pub use automaton::Place;
pub use context::Context;
pub use duels::{Action, ActionResult, Forcing, actions};
pub use layers::Layers;
pub use notation::ReadError;
pub use proof::{Pairs, Prover, TotalProof, ValueProof, totals};
pub use value::{Control, Member};

/// The values of some white nodes of a digraph.
///
/// ```
/// use nimoon::{Digraph, Work, impartial::control::{Layers, values}};
/// // Node 3 passes, or enters the gray node 2, where the opponent chooses between 0 and 1.
/// let arcs = vec![(1, 0), (2, 0), (2, 1), (3, 3), (3, 2)];
/// let digraph = Digraph::new(4, [2], arcs).unwrap();
/// let mut work = Work::default();
/// let layers = Layers::of(&digraph, &work);
/// let found = values(&digraph, &layers, &[1, 3], &mut work).unwrap();
/// assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1", "[0/1]"]);
/// ```
///
/// # Errors
/// When a limit is hit, such as by duels with very many sets of results. What [`Layers`] and
/// [`Forcing`] say needs none of these.
pub fn values(
    digraph: &Digraph,
    layers: &Layers,
    nodes: &[Node],
    work: &mut Work,
) -> Result<Vec<Control>, Interrupted> {
    if let Some(interrupted) = layers.interrupted() {
        return Err(interrupted);
    }
    let (automaton, places) = automaton::Automaton::of_digraph(digraph, layers, nodes, work)?;
    Control::of_places(&automaton, &places, work)
}

/// Calls `take` with the white nodes without a number, those of equal values together, except that
/// essentially cyclic values may come several times.
///
/// # Errors
/// When a limit is hit; some values were then found.
pub(crate) fn each_value(
    digraph: &Digraph,
    layers: &Layers,
    work: &mut Work,
    mut take: impl FnMut(&[Node], Control),
) -> Result<(), Interrupted> {
    let settled = settle::Settled::of(digraph, layers, work)?;
    let mut groups: IndexMap<term::Term, Vec<Node>, FxBuildHasher> = IndexMap::default();
    for node in digraph.nodes() {
        if let Some(name) = settled.name(node) {
            groups.entry(name).or_default().push(node);
        }
    }
    for (name, nodes) in groups {
        take(&nodes, Control::of_term(&settled.terms, name, work)?);
    }
    if settled.open().is_empty() {
        return Ok(());
    }
    let found = values(digraph, layers, settled.open(), work)?;
    for (&node, value) in settled.open().iter().zip(found) {
        take(&[node], value);
    }
    Ok(())
}
