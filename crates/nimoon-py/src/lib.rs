//! The Python package `nimoon`, as far as it is written in Rust: the module `nimoon._native`.
//!
//! Thin, as the other front ends are: an argument in, a library call, a writer out. Answers leave
//! as the JSON and the text of the writers, so that they equal those of the command line; the
//! classes around them are in `python/nimoon`.
//!
//! - `ask`: every question by its name.
//! - `value`: values with their algebra.
//! - `digraph`: digraphs, remoteness and compounds; `labelling`: their labels, and sums of pieces;
//!   `numbers`: arrays.
//! - `expression`: sums of positions, tables and periods.
//! - `rules`: rulesets that are written in Python.
//! - `shelf`: what expressions may name, scripts and files, and where solved positions are kept.
//! - `loopy`: partizan games with cycles, and unicycles.
//! - `special`: ordinals, affine forms and audits.
//! - `work`: threads without the lock of the interpreter, Ctrl-C and progress.
//! - `failure`: what can go wrong, as exceptions.
//!
//! # Why like this
//!
//! **JSON is the border.** Answers leave Rust as JSON and text, and classes of Python read them. So
//! an answer is that of the command line by construction, and a field that is added there appears
//! in Python. Values, digraphs, labellings and tables stay objects of Rust: they are large, or are
//! computed with.
//!
//! **The stable interface of Python 3.10**, so that one wheel serves all later versions and `cargo`
//! checks the crate without an interpreter. It has no tests in Rust, since these would have to be
//! linked with one.
//!
//! **Arrays without a dependency.** `NumPy` is not linked. Arrays cross as bytes: the buffer
//! protocol is not part of the stable interface before Python 3.11, and what it lends may be
//! written to by others while it is read. They come in pieces that stay in the cache until they are
//! narrowed to 4 bytes, so the copy costs no memory. Numbers of 8 bytes are checked before, so that
//! none wraps around.
//!
//! **A store needs rules that can be compared.** The text of a script or a file is part of the key
//! of its positions. Rules in Python may change between runs without notice, so a store does not
//! keep their positions, ordinal sums with them, or tables while such rules are given.
//!
//! **Threads.** A call works in a thread of its own with the interpreter released, while the thread
//! of the caller checks for signals twenty times a second. Rulesets in Python are called by one
//! thread, that of the caller: more of them would wait for each other, and their authors would have
//! to think of it.

mod ask;
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
    use super::ask::{ask, questions};
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
    #[pymodule_export]
    use super::work::forked;
}
