//! Running the program under adverse conditions.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program, to be run where the examples are.
pub(crate) fn nimoon(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nimoon"));
    command.current_dir(examples()).args(arguments).env_remove("RUST_BACKTRACE");
    command.stdin(Stdio::null());
    command
}

/// The program, run by a shell that first does something to itself, such as setting a limit.
pub(crate) fn after(preparation: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.current_dir(examples()).env_remove("RUST_BACKTRACE").stdin(Stdio::null());
    command.args([
        "-c",
        &format!("{preparation}; exec \"$0\" \"$@\""),
        env!("CARGO_BIN_EXE_nimoon"),
    ]);
    command.args(arguments).output().expect("there is a shell")
}

/// The folder of examples.
pub(crate) fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// A path as an argument.
pub(crate) fn argument(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// It failed with this code, and one line of standard error that says so.
#[track_caller]
pub(crate) fn failed(output: &Output, code: i32, says: &[&str]) {
    let reply = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{reply}");
    assert_eq!(reply.lines().filter(|line| line.starts_with("error:")).count(), 1, "{reply}");
    for words in says {
        assert!(reply.contains(words), "{reply}: no `{words}`");
    }
    assert!(!reply.contains("please report"), "{reply}");
}

/// Random numbers that are the same every time (`SplitMix64`).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
