//! The integration tests of `nimoon-store`, in one program: `cargo test -p nimoon-store --test
//! suite NAME`.

mod answers;
mod common;
mod damage;
mod store;
