//! Exact values of impartial games with cycles, entailing and carry-on moves.

pub mod budget;
pub mod digraph;
pub mod labelling;
pub mod nimbers;
mod notation;
pub mod outcome;
pub mod theory;
pub mod value;

pub use budget::Budget;
pub use digraph::{Digraph, Node};
pub use labelling::{Label, Labelling};
pub use nimbers::{NimberSet, Nimbers};
pub use notation::ValueError;
pub use outcome::Outcome;
pub use theory::{DoesNotFit, Refutation, Theory, label};
pub use value::{AnyValue, Cover, EntailingValue, HeapOutcomes, Value};
