//! The questions, one module for each field: what may be asked, and how it is answered.

pub(crate) mod affine;
pub(crate) mod check;
pub(crate) mod digraph;
pub(crate) mod explore;
pub(crate) mod loopy;
pub(crate) mod ordinal;
pub(crate) mod play;
pub(crate) mod search;
pub(crate) mod smith;
pub(crate) mod sum;
pub(crate) mod table;
pub(crate) mod unicycle;
