//! Loopy partizan games: graphs with Left and Right edges, and what they are worth.
//!
//! Who cannot move loses; endless play is a draw. γ⁺ is γ with endless play counted as a win for
//! Left, γ⁻ as one for Right; γ ≥ δ means γ⁺ ≥ δ⁺ and γ⁻ ≥ δ⁻.
//!
//! | to | use |
//! |---|---|
//! | write a game down as a graph | [`Graph`] |
//! | know who wins | [`Outcomes`] |
//! | compare any two games | [`order::compare`] |
//! | have canonical stoppers, and compare, negate and add them | [`Stoppers`] |
//! | find the sides of any game | [`Stoppers::sides`] |
//! | solve sums of positions of rulesets, and know what to play | [`PartizanSolution`] |
//! | have a player survive what he can | [`strategy::Strategy`], [`strategy::Difference`] |
//! | find or build unicycles of a pattern | [`unicycle`] |
//! | read and print games in the usual notation | [`notation::Expression`], [`Stoppers::text`] |
//!
//! ## References
//! [Siegel2009, §1–5], with the corrections in `docs/REFERENCES.md`; Winning Ways, chapter 11.

mod fusion;
mod graph;
pub mod notation;
pub mod order;
mod outcome;
mod player;
mod sides;
mod sidling;
mod simplify;
mod solution;
mod stoppers;
pub mod strategy;
mod survival;
pub mod unicycle;

pub use crate::effort::{Effort, Interrupted};
pub use graph::{Graph, GraphError, Vertex};
pub use outcome::{Outcomes, Winner};
pub use player::Player;
pub use sides::Sides;
pub use solution::{
    PartizanGuide, PartizanPlacement, PartizanPly, PartizanSolution, PartizanTerm, PartizanTurn,
};
pub use stoppers::{Stopper, Stoppers};
