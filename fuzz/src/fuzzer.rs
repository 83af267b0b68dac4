//! The fuzzer itself: libFuzzer with the target that the environment names.
//!
//! `nimoon-fuzz` builds it, with crates that count which code runs, and starts it with the options
//! of libFuzzer.

#![no_main]

use std::sync::OnceLock;

use nimoon_fuzz::Target;

static RUN: OnceLock<fn(&[u8])> = OnceLock::new();

/// Finds the target, before anything runs.
fn choose() {
    let name = std::env::var("NIMOON_FUZZ_TARGET").unwrap_or_default();
    let Some(target) = Target::find(&name) else {
        eprintln!("error: NIMOON_FUZZ_TARGET is not a target: `{name}`");
        std::process::exit(2);
    };
    let _ = RUN.set(target.run);
}

libfuzzer_sys::fuzz_target!(init: choose(), |bytes: &[u8]| {
    if let Some(run) = RUN.get() {
        run(bytes);
    }
});
