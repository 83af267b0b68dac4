//! The integration tests of `nimoon-formats`, in one program: `cargo test -p nimoon-formats --test
//! suite NAME`.

mod partizan;
mod readers;
mod stopped;
mod writers;
