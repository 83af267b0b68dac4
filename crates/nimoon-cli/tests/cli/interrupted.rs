//! Ctrl-C ends every command that computes, with what is known.

use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// A command under way, which is ended in any case.
struct Running(Option<Child>);

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn start(arguments: &[&str]) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nimoon"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let running = Running(Some(command.spawn().expect("it starts")));
    let id = running.0.as_ref().map_or(0, Child::id);
    // Whether it catches signal 2, as the system says.
    let catches = || {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|m| m & 2 > 0)
    };
    let begun = Instant::now();
    while !catches() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{arguments:?} catches no Ctrl-C");
        thread::sleep(Duration::from_millis(10));
    }
    running
}

/// What a command says when it is stopped in the midst of its work.
fn interrupted(arguments: &[&str]) -> Output {
    let mut running = start(arguments);
    thread::sleep(Duration::from_millis(1500));
    let mut child = running.0.take().expect("it was started");
    assert!(child.try_wait().expect("it is ours").is_none(), "{arguments:?} has ended by itself");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("it is sent").success());
    // Who does not end by itself is ended after two seconds; the machine may be busy.
    let (ended, is_ended) = mpsc::channel::<()>();
    let impatient = thread::spawn(move || {
        if is_ended.recv_timeout(Duration::from_mins(1)) == Err(RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").args(["-KILL", &id]).status();
        }
    });
    let output = child.wait_with_output().expect("it has ended");
    drop(ended);
    impatient.join().expect("it only waits");
    output
}

fn told(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let told = String::from_utf8(output.stderr.clone()).expect("it is text");
    assert!(told.starts_with("error: ") && told.lines().count() == 1, "{told}");
    told
}

#[test]
fn what_is_known_is_printed() {
    let rows = interrupted(&["table", "hexadecimal[0.FFFF]", "0..100000"]);
    assert!(told(&rows).contains("stopped"));
    let rows = String::from_utf8(rows.stdout).expect("it is text");
    assert!((3..100_000).contains(&rows.lines().count()), "{rows}");

    let rows = interrupted(&["table", "wythoff:300,{}", "0..3000"]);
    assert!(told(&rows).contains("stopped"));
    let rows = String::from_utf8(rows.stdout).expect("it is text");
    assert!((3..3000).contains(&rows.lines().count()), "{rows}");

    let audit = interrupted(&["audit", "--exhaustive", "6"]);
    assert!(told(&audit).contains("stopped before everything was checked"));
    assert!(!audit.stdout.is_empty());
}

#[test]
fn where_nothing_is_known_that_is_said() {
    for arguments in [
        &["value", "nimstring:6x6", "--budget", "1000000000000"][..],
        &["affine", "--of", "top-entails:400", "--budget", "1000000000000"],
    ] {
        let output = interrupted(arguments);
        let told = told(&output);
        assert!(told.contains("nothing is known yet"), "{arguments:?}: {told}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_check_of_a_certificate_is_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("certificate.json");
    fs::write(&file, crate::certificate::long_certificate(2000)).expect("it is written");
    let output = interrupted(&["check", file.to_str().expect("it is text")]);
    assert!(told(&output).contains("stopped: nothing is known yet"), "{output:?}");
}

#[test]
fn workers_stop_and_what_they_know_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let [out, kept] = ["out", "kept"].map(|name| folder.path().join(name));
    let [out, kept] = [&out, &kept].map(|path| path.to_str().expect("it is text"));
    let label = ["cluster", "label", "--ruleset", "nimstring:6x6", "--workers", "2", "--out", out];
    assert!(told(&interrupted(&label)).contains("nothing is known yet"));
    let output = interrupted(&[&label[..], &["--checkpoint", kept]].concat());
    let told = told(&output);
    assert!(told.contains("stopped; the same command goes on from the last checkpoint in "));
    assert!(fs::read_dir(kept).expect("it is there").next().is_some(), "{told}");
}
