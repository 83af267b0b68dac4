//! Compounds of impartial games: several games played at once.
//!
//! A player moves in *every* component of a **conjunctive** compound, which ends as soon as one of
//! them ends; in *some* components, at least one, of a **selective** compound; and in *one*
//! component of a **disjunctive** compound. The last two end when all components have ended.
//! Compounds may be components of compounds.
//!
//! # What is known by formula
//! With D for terminal distance, R for remoteness and R′ for misère remoteness
//! ([`remoteness`](crate::smith::remoteness)):
//!
//! | compound | D | R | R′ |
//! |---|---|---|---|
//! | conjunctive | the least D (8) | the least R (9) | the least R′ (§8) |
//! | selective | the sum (12) | the sum if all are even; the sum − k + 1 if k of them are odd; ∞ if one is (13) | none; the outcome is that of normal play if two components have moves and all D are finite (§8) |
//! | disjunctive | the sum (15) | none; the outcome by nim-addition of G (36) | none |
//!
//! Where there is none, the compound is written out and searched, within a budget; an [`Answer`]
//! says for remoteness and for the outcome which it was. If at most one component has moves, a
//! selective or disjunctive compound is that component.
//!
//! # What to play
//! In a conjunctive compound a good move in each component. In a selective one, a good move in each
//! component of odd remoteness if there is one; otherwise a good move in a single one. Elsewhere as
//! the search says; and beyond the budget by H ([`grundy`](crate::smith::grundy)) in a disjunctive
//! compound and by §8 in a selective one under misère play, where the outcome is known.
//!
//! # Departures
//! The rule of §8 is stated for finite terminal distances, which it needs: with c → c, z and two
//! pieces on c it promises the next player a win, and play is drawn (`tests/compounds.rs`). So
//! elsewhere the compound is searched. Gray nodes are refused: a piece that must be moved at once
//! has no meaning in a conjunctive or selective compound, and disjunctive compounds with gray nodes
//! are [sums](crate::impartial::sum).
//!
//! ## References
//! [Smith1966, §6 to §10]

mod evaluate;
mod explicit;
mod expression;

pub use evaluate::{Answer, By, CompoundTurn, Compounds, Found, GrayNode, Guidance};
pub use explicit::TooLarge;
pub use expression::{Compound, CompoundError, Kind, Step};
