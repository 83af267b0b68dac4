//! The integration tests of `xtask`, in one program: `cargo test -p xtask --test suite NAME`.

mod dependencies;
mod layers;
mod skipped;
mod wording;

use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
