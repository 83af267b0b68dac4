//! The integration tests of `nimoon-check`, in one program: `cargo test -p nimoon-check --test
//! suite NAME`.

mod claims;
mod common;
mod conditions;
mod control;
mod digraphs;
mod forged;
mod limits;
mod other;
mod sums;
