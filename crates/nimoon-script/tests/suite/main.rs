//! The integration tests of `nimoon-script`, in one program: `cargo test -p nimoon-script --test
//! suite NAME`.

mod callbacks;
mod constants;
mod errors;
mod examples;
mod limits;
mod parts;
mod rules;
mod tutorial;
