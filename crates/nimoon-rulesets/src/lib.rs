//! Rulesets for nimoon, grouped by board as the field does.
//!
//! | board | rulesets |
//! |---|---|
//! | [`heap`] | nim, wythoff, subtraction, octal and hexadecimal codes (kayles, …), grundys-game, top-entails, grab-refund |
//! | [`strip`] | lights, lamps, slide, ladders, backsliding |
//! | [`grid`] | nimstring, fox-geese |
//! | [`graph`] | green-hackenbush, green-lime, coins |
//!
//! Each is one type with the trait [`Ruleset`](nimoon::Ruleset), or
//! [`PartizanRuleset`](nimoon::ruleset::PartizanRuleset) where Left and Right have moves of their own
//! (backsliding, fox-geese), in a file of its own, and uses nothing of the engine but that trait: a ruleset from elsewhere is a peer of these. The [catalogue](catalogue())
//! lists them all with their rules, notation and an example, and makes them from their parameters.

pub mod catalogue;
pub mod graph;
pub mod grid;
pub mod heap;
mod pace;
#[cfg(test)]
mod play;
mod scan;
mod strings;
pub mod strip;

pub use pace::HeapPace;

pub use catalogue::{Board, Entry, EntryReport, Make, Parameters, catalogue};
