//! Digraph files and pictures for nimoon: text in, text out, no mathematics.

pub mod layout;
pub mod names;
pub mod write;

pub use names::Names;
