//! Questions about combinatorial games in a web page without a server.
//!
//! Compiled for `wasm32-unknown-unknown` this is a module with three exports:
//!
//! | export | what it does |
//! |---|---|
//! | `start()` | prepares the module; the page calls it once |
//! | `room(length) -> address` | makes room for a question, which the page writes there |
//! | `ask() -> address << 32 \| length` | answers it; the reply stays there until the next question |
//!
//! and three imports from the page, in the module `page`: `now() -> milliseconds`, `progress(address, length)` and
//! `failed(address, length)`, which receive a text.
//!
//! A question is the name of a question, a line break, and its fields as JSON. A reply is one line of JSON with
//! `status`, `type` and `budget`, as a server would send them in headers, and then the answer itself. The answers are those of
//! `nimoon serve` with the same limits. On other targets this is an ordinary library, so that tests can compare the
//! answers of both.

mod desk;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod exports;
mod progress;

pub use desk::Desk;
