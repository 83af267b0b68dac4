//! The integration tests of `nimoon-cli`, in one program: `cargo test -p nimoon-cli --test suite
//! NAME`.

mod cli;
mod documents;
mod doors;
mod faults;
mod findings;
mod openapi;
