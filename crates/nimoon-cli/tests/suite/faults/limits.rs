//! A disk that is full, and memory that is short.

use std::fs;
use std::process::Command;

use nimoon_formats::checkpoint::read;

use crate::faults::program::{Random, after, argument, examples, failed};

/// A file may have four kilobytes, and a write beyond that fails as on a full disk.
const FULL: &str = "trap '' XFSZ; ulimit -f 8";

#[test]
fn a_full_disk_keeps_the_last_checkpoint_and_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("table.checkpoint");
    let line = ["table", "top-entails", "0..20000", "--checkpoint", argument(&file)];
    let every = ["--checkpoint-every", "0"];
    let output = after(FULL, &[&line[..], &every].concat());
    failed(&output, 1, &["the checkpoint", "cannot be written"]);
    // The table itself is printed, and the file has what fitted.
    assert!(String::from_utf8_lossy(&output.stdout).contains("20000"));
    assert!(read(&fs::read(&file).expect("it is there")).is_ok());
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left behind");
}

/// The same on a file system that really is full, where one can be made.
#[cfg(target_os = "linux")]
#[test]
fn a_full_file_system_keeps_the_last_checkpoint_and_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = argument(folder.path());
    let script = "mount -t tmpfs -o size=64k none \"$1\" || exit 77; cd \"$2\"; \
                  \"$0\" table top-entails 0..30000 --checkpoint \"$1/c\" --checkpoint-every 0 >/dev/null; code=$?; \
                  cat \"$1/c\"; exit $code";
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_nimoon"), here])
        .arg(examples())
        .output();
    let Ok(output) = output else { return };
    if output.status.code() == Some(77)
        || String::from_utf8_lossy(&output.stderr).contains("unshare")
    {
        // Mounting is not allowed here; the test above has the same with a limit.
        return;
    }
    failed(&output, 1, &["the checkpoint", "cannot be written", "No space left"]);
    assert!(read(&output.stdout).is_ok(), "the last one that fitted is whole");
}

#[test]
fn a_store_on_a_full_disk_costs_only_time_and_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("solved.store");
    let plain = ["value", "nimstring:2x3", "--format", "json"];
    let truth = after(":", &plain).stdout;
    let line = [&plain[..], &["--store", argument(&file)]].concat();
    for (preparation, kept) in [(FULL, false), ("trap '' XFSZ; ulimit -f 0", false), (":", true)] {
        let output = after(preparation, &line);
        assert_eq!(
            (output.status.code(), output.stdout),
            (Some(0), truth.clone()),
            "{preparation}"
        );
        let reply = String::from_utf8_lossy(&output.stderr);
        let note = "warning: could not update the store, so some positions will be solved again: ";
        assert!(reply.lines().count() == usize::from(!kept), "{preparation}: {reply}");
        assert!(kept || reply.starts_with(note) && reply.contains("solved.store"), "{reply}");
    }
}

/// Wherever the limit lies: an answer, or one sentence that says what happened.
#[cfg(target_os = "linux")]
#[test]
fn short_memory_is_reported_in_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("large.edges");
    let mut random = Random(6);
    let arcs: Vec<String> =
        (0..200_000).map(|node| format!("{node} {}", random.below(200_000))).collect();
    fs::write(&file, arcs.join("\n")).expect("the file is written");
    let lines: [&[&str]; 3] = [
        &["label", argument(&file), "--format", "none"],
        &["value", "nimstring:2x4"],
        &["table", "top-entails", "0..3000"],
    ];
    let within = |kilobytes: u32, line| after(&format!("ulimit -v {kilobytes}"), line);
    // With less the program itself cannot be loaded.
    let least = (10_000..1_000_000)
        .step_by(1_000)
        .find(|&kilobytes| within(kilobytes, &["--version"]).status.success())
        .expect("a gigabyte is enough to be loaded");
    let (mut reply, mut answered) = (0, 0);
    for line in lines {
        for more in [0, 1_000, 2_000, 4_000, 6_000, 10_000, 1_000_000] {
            let output = within(least + more, line);
            if output.status.success() {
                answered += 1;
                continue;
            }
            reply += 1;
            // Where the C library itself has no memory for a new thread, it says so and aborts.
            let said = String::from_utf8_lossy(&output.stderr);
            if said.starts_with("Fatal glibc error") && said.trim_end().ends_with("out of memory") {
                assert_eq!((said.lines().count(), output.status.code()), (1, None), "{said}");
                continue;
            }
            failed(&output, 1, &["memory"]);
        }
    }
    assert!(reply > 2 && answered > 2, "{reply} sentences, {answered} answers");
}
