//! Standard output that is closed, full, or has no reader: for every command.

use std::fs::OpenOptions;
use std::process::{Command, Stdio};

use crate::faults::program::{after, failed, nimoon};

/// A line for every command that prints something.
const COMMANDS: [&[&str]; 22] = [
    &["label", "zones.game"],
    &["label", "zones.game", "--format", "json"],
    &["sum", "zones.game", "d", "e"],
    &["value", "top-entails:7"],
    &["value", "backsliding:t..f"],
    &["table", "nim", "0..9"],
    &["period", "octal[0.156]"],
    &["rulesets"],
    &["rulesets", "nim"],
    &["representative", "ninny{1}"],
    &["loopy", "a{1||a|0}"],
    &["compare", "upon", "over"],
    &["affine", "{oo|0}"],
    &["remoteness", "smith-trap.game"],
    &["compound", "selective", "smith-trap.game", "a", "b"],
    &["audit", "--exhaustive", "2"],
    &["unicycle", "LLRR"],
    &["ordinal", "w^2+1"],
    &["play", "nim:3"],
    &["help"],
    &["--version"],
    &["label", "--help"],
];

#[test]
fn every_command_ends_quietly_where_standard_output_is_closed() {
    for line in COMMANDS {
        let output = after("exec >&-", line);
        let reply = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), reply.as_str()), (Some(0), ""), "{line:?}");
    }
}

#[test]
fn every_command_ends_quietly_where_the_reader_has_gone() {
    for line in COMMANDS {
        // A pipe whose other end was closed before the program starts.
        let mut gone = Command::new("true").stdin(Stdio::piped()).spawn().expect("there is true");
        let pipe = gone.stdin.take().expect("a pipe");
        gone.wait().expect("it ends");
        let output = nimoon(line).stdout(pipe).stderr(Stdio::piped()).output();
        let output = output.expect("the program runs");
        let reply = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), reply.as_str()), (Some(0), ""), "{line:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_tells_that_standard_output_is_full() {
    for line in COMMANDS {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("the device is there");
        let output = nimoon(line).stdout(full).stderr(Stdio::piped()).output();
        failed(&output.expect("the program runs"), 1, &["standard output cannot be written"]);
    }
}
