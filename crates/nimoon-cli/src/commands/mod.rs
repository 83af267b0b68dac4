//! One file per command.

pub(crate) mod affine;
pub(crate) mod audit;
pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod compound;
pub(crate) mod label;
pub(crate) mod loopy;
pub(crate) mod man;
pub(crate) mod ordinal;
pub(crate) mod partizan;
pub(crate) mod period;
pub(crate) mod play;
pub(crate) mod remoteness;
pub(crate) mod repl;
pub(crate) mod representative;
pub(crate) mod rulesets;
pub(crate) mod serve;
pub(crate) mod store;
pub(crate) mod sum;
pub(crate) mod table;
pub(crate) mod unicycle;
pub(crate) mod value;
