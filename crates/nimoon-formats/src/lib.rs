//! Digraph files and pictures for nimoon: text in, text out, no mathematics.
//!
//! - [`read`]: six file formats, told apart by [`read::Format`], into a [`Source`].
//! - [`source`]: what a file says, and the [`Game`] made of it.
//! - [`names`]: the names of the nodes.
//! - [`write`](mod@write): labellings, sums and explanations as text, data and pictures.
//! - [`sequence`]: the values of a table, and [`checkpoint`]: the file in which they are kept.
//! - [`kept`]: the same in a memory, and [`rule_files`]: what rules it belongs to.
//! - [`streams`]: reading what may have no end.
//! - [`loopy`]: what there is to say about loopy partizan games.
//! - [`unicycle`]: questions about unicycles, and their answers.
//! - [`affine`]: what there is to say about affine forms.
//! - [`layout`]: where the nodes and arcs of a picture go.

pub mod affine;
pub mod checkpoint;
pub mod kept;
pub mod layout;
pub mod loopy;
pub mod names;
pub mod read;
pub mod rule_files;
pub mod sequence;
pub mod source;
pub mod streams;
pub mod unicycle;
pub mod write;

pub use names::Names;
pub use source::{Game, Source};
