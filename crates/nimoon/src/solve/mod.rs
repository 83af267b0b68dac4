//! From positions of rulesets to answers: exploring, sums of positions, play.

pub mod affine;
pub mod explore;
pub mod partizan;
pub mod play;
pub mod solution;
