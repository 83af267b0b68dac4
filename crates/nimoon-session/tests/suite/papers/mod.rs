//! What the papers say about rulesets, through the engine: expression, solution, value, outcome,
//! turn.

mod engine;
mod golden;
mod green_lime;

mod lights;
mod nimstring;
mod periods;
mod rules;
mod scripts;
mod sums;

mod top_entails;
