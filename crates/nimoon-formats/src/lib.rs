//! Digraph files and pictures for nimoon: text in, text out, no mathematics.

pub mod names;

pub use names::Names;
