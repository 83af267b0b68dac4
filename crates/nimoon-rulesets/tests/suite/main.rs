//! The integration tests of `nimoon-rulesets`, in one program: `cargo test -p nimoon-rulesets
//! --test suite NAME`.

mod extending;
mod stopped;
