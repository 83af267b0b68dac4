//! Digraph files and pictures for nimoon: text in, text out, no mathematics.
//!
//! - [`read`]: six file formats, told apart by [`read::Format`], into a [`Source`].
//! - [`source`]: what a file says, and the [`Game`] made of it.
//! - [`names`]: the names of the nodes.

pub mod names;
pub mod read;
pub mod source;

pub use names::Names;
pub use source::{Game, Source};
