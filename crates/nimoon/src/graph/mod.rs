//! Game digraphs without names, and what every theory needs of them.

pub(crate) mod components;
pub mod digraph;
pub(crate) mod partition;
pub mod product;

pub use digraph::{Digraph, Node};
