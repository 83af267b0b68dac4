//! Certificates: proof that an answer is right, for readers who trust neither this crate nor its
//! algorithms.
//!
//! A certificate is chosen so that every statement can be checked by itself, from the rules of play
//! or a definition and statements that come before it: an order of assignment for values, ranks
//! that fall for a win, a closed set for a draw, two kinds of ranks for survival in loopy games.
//! Values with their order of assignment are shown by a [`Labelling`](crate::Labelling) itself;
//! here is what else a certificate needs:
//!
//! | to show | use |
//! |---|---|
//! | who wins a sum, by a strategy that answers every move | [`strategy::strategy`] |
//! | outcomes beside every nim-heap, where no algebra is known | [`heaps::ranks`] |
//! | that a⁺ ≥ b⁺ holds or fails for loopy partizan games | [`survival::ge_plus`] |
//!
//! Some things are left out on purpose. Facts W(x, k) are not listed: there are as many as arcs
//! times levels, and their times follow from the order by reachability, which the checker does
//! itself. The product of a sum is not listed either, but only what play can reach if the strategy
//! is followed. How values add is a theorem of the papers; where a strategy is given, it is not
//! used.
//!
//! The crate `nimoon-check` says what is checked, and why that is enough; it shares no code with
//! this one. Certificates are written by `nimoon_session::certificate`.

pub mod heaps;
pub mod strategy;
pub mod survival;
