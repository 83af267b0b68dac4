//! Loopy partizan games: graphs with Left and Right edges, and what they are worth.
//!
//! A player who cannot move loses; endless play is a draw. γ⁺ is γ with endless play counted as a
//! win for Left, γ⁻ as one for Right; γ ≥ δ means γ⁺ ≥ δ⁺ and γ⁻ ≥ δ⁻.
//!
//! A *stopper* is a game that ends if it is played alone with alternating moves. Equal stoppers
//! have the same graph-canonical form. The *onside* of γ is a stopper s with γ⁺ = s⁺, the *offside*
//! a stopper t with γ⁻ = t⁻; then γ is written s & t. Not every game has sides. What is found here
//! is checked, and what is not found is not guessed.
//!
//! Comparing is the base of everything: whether Left, moving second, survives a⁺ − b⁺ is a question
//! about finitely many states, pairs of positions with the player to move, and it is settled by
//! working backwards, in passes where it counts in which component play is endless.
//!
//! | to | use |
//! |---|---|
//! | write a game down as a graph | [`Graph`] |
//! | know who wins | [`Outcomes`] |
//! | compare any two games | [`order::compare`] |
//! | have canonical stoppers, and compare, negate and add them | [`Stoppers`] |
//! | find the sides of any game | [`Stoppers::sides`] |
//! | solve sums of positions of rulesets, and know what to play | [`PartizanSolution`](crate::solve::partizan::PartizanSolution) |
//! | have a player survive what he can | [`strategy::Strategy`], [`strategy::Difference`] |
//! | find or build unicycles of a pattern | [`unicycle`] |
//! | read and print games in the usual notation | [`notation::Expression`], [`Stoppers::text`] |
//!
//! ## References
//! [Siegel2009, §1–5], with the corrections in `docs/REFERENCES.md`; Winning Ways, chapter 11.

mod facts;
mod fusion;
mod graph;
pub mod notation;
mod numbers;
pub mod order;
mod outcome;
mod sides;
mod sidling;
mod simplify;
mod stoppers;
pub mod strategy;
mod survival;
pub mod unicycle;

pub(crate) use graph::state;
pub use graph::{Graph, GraphError, Vertex};
pub use outcome::{Outcomes, Winner};
pub use sides::Sides;
pub use stoppers::{Stopper, Stoppers};
