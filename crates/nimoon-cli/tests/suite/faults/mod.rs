//! What goes wrong around the program: it is killed, the disk is full, files are damaged, streams
//! are closed, memory is short.
//!
//! `NIMOON_KILLS=200 cargo test -p nimoon-cli --test suite faults:: kill -- --nocapture` kills more
//! often than the default, and tells how often.

#![cfg(unix)]

mod certificates;
mod cluster;
mod damage;
mod inputs;
mod kills;
mod limits;
mod malformed;
mod program;
mod streams;
