//! Unicycles: stoppers with a single cycle, from each vertex of which one player continues and the
//! other leaves [Siegel2009, Def. 13].
//!
//! ```text
//!          L           L           R           R           pattern LLRR
//!   s0 ───────► s1 ───────► s2 ───────► s3 ───────► s0
//!   │ R         │ R         │ L         │ L
//!   ▼           ▼           ▼           ▼
//!   0           0           *           *                  exits 0, 0, *, *
//! ```
//!
//! The *pattern* is the cyclic word of the players who go on. At vertex i the player Pᵢ moves to
//! vertex i + 1 mod n, and the other moves to the *exit* eᵢ, a loopfree game. A unicycle is meant
//! to be in graph-canonical form.
//!
//! ## When a unicycle is in graph-canonical form
//! Each vertex has one option for each player, so none is dominated. Nothing is reversible exactly
//! if
//!
//! | | for every i with | there is no |
//! |---|---|---|
//! | (X) | Pᵢ = L, or R | Left option of eᵢ that is ≥ sᵢ; Right option of eᵢ that is ≤ sᵢ |
//! | (LL) | PᵢPᵢ₊₁ = LL | eᵢ₊₁ ≤ sᵢ |
//! | (RR) | PᵢPᵢ₊₁ = RR | eᵢ₊₁ ≥ sᵢ |
//! | (LR) | PᵢPᵢ₊₁ = LR | sᵢ₊₂ ≤ sᵢ |
//! | (RL) | PᵢPᵢ₊₁ = RL | sᵢ₊₂ ≥ sᵢ |
//!
//! In that case equal vertices have equal options [Siegel2009, Thm 6]. A vertex equal to a loopfree
//! game would make the next one equal to an option of that, and so on for ever, which cannot be. So
//! equal vertices have the same letter, the same exit and equal next vertices: a rotation of the
//! cycle preserves letters and exits. Hence the five conditions, and that no rotation but the
//! trivial one does so, are necessary and sufficient.
//!
//! ## Theorem
//! A P-unicycle with n ≥ 2 letters exists exactly if P has at least two L, at least two R, and does
//! not strictly alternate. For n = 1 both patterns have one: under = {under|0} and over = {0|over}.
//! The exits may be taken to be nimbers if LL or RR is missing from P, and otherwise integers and a
//! single switch {0|−M}. This answers the open problem of [Siegel2009, §4]; [`construct`] builds
//! them.
//!
//! | to | use |
//! |---|---|
//! | read and turn patterns, and find why they have no unicycle | [`Pattern`] |
//! | find all choices among given exits | [`Search`] |
//! | have one for every admissible pattern | [`construct`] |
//! | check one by the engine | [`Unicycle::is_canonical`] |
//!
//! ## References
//! [Siegel2009, §4]. The conditions, the theorem and its proof are ours.

mod bounds;
mod construct;
mod cycle;
mod loopfree;
mod pattern;
mod search;

pub use construct::construct;
pub use cycle::{Unicycle, UnicycleError};
pub use pattern::{Inadmissible, Pattern, PatternError};
pub use search::{Search, SearchError};
