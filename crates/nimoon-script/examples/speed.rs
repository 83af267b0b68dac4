//! How many options a second a script finds: `cargo run --release -p nimoon-script --example
//! speed`.

use std::time::Instant;

use nimoon::Shortcuts;
use nimoon_script::{Limits, Script};

fn main() {
    let source = include_str!("../../../examples/rules/nim.rhai");
    let nim = match Script::compile("nim.rhai", source, Limits::default()) {
        Ok(nim) => nim,
        Err(error) => return eprintln!("error: {error}"),
    };
    for heap in [1, 10, 100, 1000] {
        let (start, mut calls, mut options) = (Instant::now(), 0, 0);
        while start.elapsed().as_millis() < 500 {
            let found = nim.try_options(&heap.into(), usize::MAX).map_or(0, |moves| moves.len());
            assert_eq!(i64::try_from(found), Ok(heap));
            calls += 1;
            options += found;
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "heap of {heap}: {:.0} options a second, {:.1} microseconds a call",
            options as f64 / seconds,
            1e6 * seconds / f64::from(calls)
        );
    }
}
