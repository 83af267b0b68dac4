//! Rulesets from script files.
mod engine;
mod error;
mod limits;
mod notation;
mod position;
mod script;

pub use error::{Place, Problem, ScriptError};
pub use limits::Limits;
pub use position::Position;
pub use script::Script;
