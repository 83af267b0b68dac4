//! Digraph files and pictures for nimoon: text in, text out, no mathematics.
//!
//! - [`read`]: reads six file formats, listed in [`read::Format`], into a [`Source`].
//! - [`source`]: what a file says, and the [`Game`] made of it.
//! - [`names`]: the names of the nodes.
//! - [`write`](mod@write): labellings, sums and explanations as text, data and pictures.
//! - [`sequence`]: the values of a table, and [`checkpoint`]: the file in which they are kept.
//! - [`streams`]: reading what may have no end.
//! - [`layout`]: where the nodes and arcs of a picture go.
//!
//! Tables are written by our own writer: for a million rows comfy-table takes eight times as long.

pub mod checkpoint;
pub mod layout;
pub mod names;
pub mod read;
pub mod sequence;
pub mod source;
pub mod streams;
pub mod write;

pub use names::Names;
pub use source::{Game, Source};
