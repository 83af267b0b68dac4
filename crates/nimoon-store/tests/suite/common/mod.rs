//! Shared by the tests: values, random numbers, and processes that write.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use nimoon::ruleset::memory::Memory;
use nimoon_store::{Options, Store, StoreError};

/// Numbers that look random (a linear congruential generator; its high bits).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

/// A value that depends on its number.
pub fn value(number: u32) -> Vec<u8> {
    let length = number.wrapping_mul(2_654_435_761) >> 20;
    (0..length).map(|place| (number.wrapping_add(place) & 0xff) as u8).collect()
}

/// What a writing process does: it keeps entries one after the other, and prints a line when each
/// is in the file.
pub fn child() {
    let Ok(order) = std::env::var("NIMOON_STORE_TEST") else { return };
    let words: Vec<&str> = order.splitn(4, ' ').collect();
    let [name, steps, most, path] = words[..] else { panic!("{order}") };
    let options = Options { most: most.parse().unwrap(), ..Options::default() };
    let store = Store::open(Path::new(path), options).unwrap();
    for step in 0..steps.parse::<u32>().unwrap() {
        store.keep("r", format!("{name} {step}").as_bytes(), &value(step));
        // If other processes write all the time, the entry is forgotten, and kept again.
        while let Err(error) = store.flush() {
            assert!(matches!(error, StoreError::Busy { .. }), "{error}");
            store.keep("r", format!("{name} {step}").as_bytes(), &value(step));
        }
        // Directly to standard output, since the output of tests is captured.
        let _ = writeln!(std::io::stdout().lock(), "kept {step}");
    }
}

/// A process that writes this many entries, with this name, to a file with this limit.
pub fn writer(path: &Path, name: usize, steps: u32, most: u64) -> (Child, ChildStdout) {
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "store::child_process", "--nocapture", "--test-threads", "1"])
        .env("NIMOON_STORE_TEST", format!("{name} {steps} {most} {}", path.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = process.stdout.take().unwrap();
    (process, output)
}

/// Processes that write at the same time.
pub fn children(path: &Path, count: usize, steps: u32) -> Vec<(Child, ChildStdout)> {
    (0..count).map(|name| writer(path, name, steps, Options::MOST)).collect()
}
