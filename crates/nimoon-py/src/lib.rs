//! The Python package `nimoon`, as far as it is written in Rust: the module `nimoon._native`.
//!
//! Thin, as the other front ends are: an argument in, a library call, a writer out. Answers leave as the JSON and the
//! text of the writers, so that they equal those of the command line; the classes around them are in
//! `python/nimoon`.
//!
//! - `value`: values with their algebra.
//! - `digraph`: digraphs, remoteness and compounds; `labelling`: their labels, and sums of pieces; `numbers`: arrays.
//! - `expression`: sums of positions, tables and periods.
//! - `rules`: rulesets that are written in Python.
//! - `shelf`: what expressions may name, scripts and files, and where solved positions are kept.
//! - `loopy`: partizan games with cycles, and unicycles.
//! - `special`: ordinals, affine forms and audits.
//! - `work`: threads without the lock of the interpreter, Ctrl-C and progress.
//! - `failure`: what can go wrong, as exceptions.

mod digraph;
mod expression;
mod failure;
mod labelling;
mod loopy;
mod numbers;
mod rules;
mod shelf;
mod special;
mod value;
mod work;

/// The part of the package that is written in Rust.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use super::digraph::Digraph;
    #[pymodule_export]
    use super::expression::{Table, period, rulesets, table, value};
    #[pymodule_export]
    use super::labelling::Labelling;
    #[pymodule_export]
    use super::loopy::{Loopy, unicycle};
    #[pymodule_export]
    use super::rules::{Marked, again, entailing};
    #[pymodule_export]
    use super::shelf::contents_of;
    #[pymodule_export]
    use super::special::{affine, audit, ordinal, representative};
    #[pymodule_export]
    use super::value::Value;
}
