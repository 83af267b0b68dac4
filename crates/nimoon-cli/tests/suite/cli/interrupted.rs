//! Ctrl-C, SIGTERM and SIGHUP end every command that computes, with what is known.

use std::fs;
use std::io::{self, Read as _};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::openpty;
use nix::sys::termios::tcgetattr;

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

/// Ctrl-C, a system that shuts down, and a terminal that is closed.
const SIGNALS: [&str; 3] = ["-INT", "-TERM", "-HUP"];

fn start(arguments: &[&str]) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nimoon"));
    command.args(arguments);
    start_as(command)
}

fn start_as(mut command: Command) -> Running {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let running = Running(Some(command.spawn().expect("it starts")));
    let id = running.0.as_ref().map_or(0, Child::id);
    // Whether it catches signals 2 and 15, as the system says.
    let catches = || {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        caught
            .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .is_some_and(|m| m & 2 > 0 && m & (1 << 14) > 0)
    };
    let begun = Instant::now();
    while !catches() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{command:?} catches no signals");
        thread::sleep(Duration::from_millis(10));
    }
    running
}

/// What a command says when it is stopped in the midst of its work.
fn interrupted(arguments: &[&str]) -> Output {
    stopped(start(arguments), &["-INT"])
}

/// The same for these signals, one after the other.
fn stopped(mut running: Running, signals: &[&str]) -> Output {
    thread::sleep(Duration::from_millis(1500));
    let mut child = running.0.take().expect("it was started");
    assert!(child.try_wait().expect("it is ours").is_none(), "it has ended by itself");
    let id = child.id().to_string();
    for signal in signals {
        assert!(Command::new("kill").args([*signal, &id]).status().expect("it is sent").success());
    }
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

fn reply(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let reply = String::from_utf8(output.stderr.clone()).expect("it is text");
    assert!(reply.starts_with("error: ") && reply.lines().count() == 1, "{reply}");
    reply
}

const LONG: &[&str] = &["table", "hexadecimal[0.FFFF]", "0..100000"];

/// The rows of this table that are known by then.
fn some_rows(output: &Output) {
    assert!(reply(output).contains("stopped"));
    let rows = String::from_utf8(output.stdout.clone()).expect("it is text");
    assert!((3..100_000).contains(&rows.lines().count()), "{rows}");
}

#[test]
fn a_terminal_that_is_closed_may_send_its_signal_twice() {
    some_rows(&stopped(start(LONG), &["-HUP", "-HUP", "-TERM"]));
}

#[test]
fn a_command_goes_on_when_the_terminal_is_closed_if_the_signal_is_ignored() {
    let mut nohup = Command::new("sh");
    let script = "trap '' HUP; exec \"$0\" \"$@\"";
    nohup.args(["-c", script, env!("CARGO_BIN_EXE_nimoon")]).args(LONG);
    let running = start_as(nohup);
    let id = running.0.as_ref().map_or(0, Child::id).to_string();
    assert!(Command::new("kill").args(["-HUP", &id]).status().expect("it is sent").success());
    some_rows(&stopped(running, &["-TERM"]));
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_that_cannot_be_printed_keeps_its_code() {
    let full = fs::File::options().write(true).open("/dev/full").expect("a full disk");
    let mut command = Command::new(env!("CARGO_BIN_EXE_nimoon"));
    let ended = command.args(["value", "no-such-ruleset:1"]).stderr(full).status();
    assert_eq!(ended.expect("it runs").code(), Some(2));
}

#[test]
fn sessions_end_and_leave_the_terminal_as_it_was() {
    for session in [&["repl"][..], &["play", "nim:3 + nim:2"]] {
        for signal in ["-TERM", "-HUP"] {
            let terminal = openpty(None, None).expect("a terminal");
            let before = tcgetattr(&terminal.slave).expect("it has settings");
            let folder = tempfile::tempdir().expect("a folder");
            let end = || Stdio::from(terminal.slave.try_clone().expect("another end"));
            let mut command = Command::new(env!("CARGO_BIN_EXE_nimoon"));
            command.args(session).env("XDG_STATE_HOME", folder.path()).env("TERM", "xterm");
            command.stdin(end()).stdout(end()).stderr(end());
            let mut running = Running(Some(command.spawn().expect("it starts")));
            let mut screen = fs::File::from(terminal.master);
            let mut shown = Vec::new();
            // The editor has changed the settings when it shows the prompt.
            while !String::from_utf8_lossy(&shown).contains("> ") {
                let mut bytes = [0; 1000];
                let read = screen.read(&mut bytes).expect("it shows something");
                shown.extend(&bytes[..read]);
            }
            // Somebody must read what it still shows.
            let reading = thread::spawn(move || io::copy(&mut screen, &mut io::sink()));
            while tcgetattr(&terminal.slave).expect("it has settings") == before {
                thread::sleep(Duration::from_millis(10));
            }
            let child = running.0.as_mut().expect("it was started");
            let id = child.id().to_string();
            let sent = Command::new("kill").args([signal, &id]).status();
            assert!(sent.expect("it is sent").success());
            assert_eq!(child.wait().expect("it ends").code(), Some(130), "{session:?} {signal}");
            let after = tcgetattr(&terminal.slave).expect("it has settings");
            assert!(after == before, "{session:?} {signal}");
            drop((command, terminal.slave));
            let _ = reading.join().expect("it only reads");
        }
    }
}

#[test]
fn sessions_that_read_a_pipe_end_as_ctrl_c_ends_a_command() {
    for session in [&["repl"][..], &["play", "nim:3 + nim:2"]] {
        for signal in SIGNALS {
            let mut running = start(session);
            // At the end of its input a session ends by itself.
            let input = running.0.as_mut().and_then(|child| child.stdin.take());
            let reply = reply(&stopped(running, &[signal]));
            assert_eq!(
                reply, "error: interrupted: the session has ended\n",
                "{session:?} {signal}"
            );
            drop(input);
        }
    }
}

#[test]
fn a_game_that_is_being_solved_ends_as_a_command_does() {
    for signal in SIGNALS {
        let mut running = start(&["play", "nimstring:6x6", "--budget", "1000000000000"]);
        let input = running.0.as_mut().and_then(|child| child.stdin.take());
        reply(&stopped(running, &[signal]));
        drop(input);
    }
}

#[test]
fn what_is_known_is_printed() {
    for signal in SIGNALS {
        some_rows(&stopped(start(LONG), &[signal]));
    }

    let rows = interrupted(&["table", "wythoff:300,{}", "0..3000"]);
    assert!(reply(&rows).contains("stopped"));
    let rows = String::from_utf8(rows.stdout).expect("it is text");
    assert!((3..3000).contains(&rows.lines().count()), "{rows}");

    let audit = interrupted(&["audit", "--exhaustive", "6"]);
    assert!(reply(&audit).contains("stopped before everything was checked"));
    assert!(!audit.stdout.is_empty());
}

#[test]
fn where_nothing_is_known_that_is_said() {
    for arguments in [
        &["value", "nimstring:6x6", "--budget", "1000000000000"][..],
        &["affine", "--of", "top-entails:400", "--budget", "1000000000000"],
    ] {
        let output = interrupted(arguments);
        let reply = reply(&output);
        assert!(reply.contains("nothing is known yet"), "{arguments:?}: {reply}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_check_of_a_certificate_is_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("certificate.json");
    fs::write(&file, crate::cli::certificate::long_certificate(2000)).expect("it is written");
    let output = interrupted(&["check", file.to_str().expect("it is text")]);
    assert!(reply(&output).contains("stopped: nothing is known yet"), "{output:?}");
}

#[test]
fn workers_stop_and_what_they_know_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let [out, kept] = ["out", "kept"].map(|name| folder.path().join(name));
    let [out, kept] = [&out, &kept].map(|path| path.to_str().expect("it is text"));
    let label = ["cluster", "label", "--ruleset", "nimstring:6x6", "--workers", "2", "--out", out];
    assert!(reply(&interrupted(&label)).contains("nothing is known yet"));
    for signal in SIGNALS {
        let running = start(&[&label[..], &["--checkpoint", kept]].concat());
        let reply = reply(&stopped(running, &[signal]));
        assert!(reply.contains("stopped; the same command resumes from the last checkpoint in "));
        assert!(fs::read_dir(kept).expect("it is there").next().is_some(), "{reply}");
        fs::remove_dir_all(kept).expect("it can be removed");
    }
}
