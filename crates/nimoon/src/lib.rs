//! Exact values of impartial games with cycles, entailing and carry-on moves.

pub mod budget;
pub mod digraph;
pub mod explain;
pub mod labelling;
pub mod nimbers;
mod notation;
pub mod outcome;
pub mod product;
pub mod representative;
pub mod rounds;
mod search;
pub mod sum;
pub mod theory;
pub mod turn;
pub mod value;

pub use budget::Budget;
pub use digraph::{Digraph, Node};
pub use labelling::{Label, Labelling};
pub use nimbers::{NimberSet, Nimbers};
pub use notation::ValueError;
pub use outcome::Outcome;
pub use search::OverBudget;
pub use sum::{Sum, SumError};
pub use theory::{DoesNotFit, Refutation, Theory, label};
pub use turn::{Answer, Guide, Ply, Turn, TurnKind, Turns};
pub use value::{AnyValue, Cover, EntailingValue, HeapOutcomes, Value};
