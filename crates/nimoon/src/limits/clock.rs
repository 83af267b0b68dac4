//! The clock: that of the system, or on a target without one a clock that the embedder lends.
//!
//! `std::time::Instant::now` panics on wasm32-unknown-unknown. All crates that are to run there
//! take [`Instant`] from here. Until a clock is lent, no time passes, and a limit of time is never
//! hit.

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
mod lent;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use lent::{Instant, lend};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;
