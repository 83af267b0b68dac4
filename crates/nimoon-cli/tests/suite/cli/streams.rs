//! Standard input and output, and input that is noise.

use std::fs;
use std::io::{Read as _, Write as _};
#[cfg(unix)]
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::bad_input::refused;
use crate::cli::program::{examples, run, run_on, words};

#[test]
fn a_digraph_may_come_from_standard_input() {
    let text = fs::read(examples().join("menagerie.game")).expect("the example is there");
    let arguments = words("label - --input game --format json");
    let file = run(&words("label menagerie.game --format json")).json();
    assert_eq!(run_on(text, &arguments).json(), file);
}

#[test]
fn a_reader_that_goes_away_is_not_an_error() {
    // More than a pipe holds, so that the program is still writing when the pipe breaks.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("path.edges");
    let arcs: Vec<String> = (0..50_000).map(|i| format!("{i} {}", i + 1)).collect();
    fs::write(&file, arcs.join("\n")).expect("the file is written");
    for format in ["table", "json", "csv", "dot"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nimoon"))
            .args(["label", "--format", format])
            .arg(&file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut first = [0_u8; 16];
        let mut out = child.stdout.take().expect("a pipe");
        out.read_exact(&mut first).expect("something is printed");
        drop(out);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{format}");
        assert_eq!(output.status.code(), Some(0), "{format}");
    }
}

/// Every command that reads standard input.
const READERS: [&str; 9] = [
    "label - --input edges",
    "sum - a --input game",
    "remoteness - --input edges",
    "compound conjunctive - a b --input edges",
    "check -",
    "loopy -",
    "value -",
    "ordinal -",
    "affine -",
];

#[test]
fn silence_on_standard_input_ends_with_the_time() {
    for reader in READERS {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nimoon"))
            .args(words(reader))
            .args(["--time", "0.2"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        // It stays open until the program has ended.
        let silence = child.stdin.take().expect("a pipe");
        let output = child.wait_with_output().expect("the program ends");
        drop(silence);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{reader}: {stderr}");
        assert!(stderr.contains("the budget of 200 ms was hit"), "{reader}: {stderr}");
        assert!(stderr.contains("--time"), "{reader}: {stderr}");
    }
}

/// A pipe with a name, which nobody writes to.
#[cfg(unix)]
fn pipe_in(folder: &Path) -> PathBuf {
    let pipe = folder.join("pipe.game");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    pipe
}

#[cfg(unix)]
#[test]
fn a_pipe_without_a_writer_ends_with_the_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = pipe_in(folder.path());
    let pipe = pipe.to_str().expect("it is text");
    let node = format!("digraph[{pipe}]:a");
    for line in [
        &["label", pipe][..],
        &["value", &format!("@{pipe}")],
        &["value", &node],
        &["value", "nim:1", "--rules", pipe],
        &["play", &node],
        &["play", "nim:1", "--rules", pipe],
        &["affine", "--of", &node],
        &["affine", "--of", "nim:1", "--rules", pipe],
        &["table", &format!("digraph[{pipe}]:{{}}"), "0..3"],
        &["table", "nim", "0..3", "--rules", pipe],
        &["repl", "--rules", pipe],
    ] {
        let reply = run(&[line, &["--time", "0.2"]].concat());
        assert_eq!((reply.code, reply.error_lines()), (Some(3), 1), "{line:?}: {}", reply.stderr);
        assert!(reply.stderr.contains("--time"), "{line:?}: {}", reply.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_line_about_a_pipe_without_a_writer_ends_with_the_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = pipe_in(folder.path());
    let lines = format!("outcome nim:2\noutcome digraph[{}]:a\noutcome nim:2\n", pipe.display());
    let reply = run_on(lines.into_bytes(), &words("repl - --time 0.2"));
    assert_eq!((reply.code, reply.stdout.lines().count()), (Some(3), 1), "{}", reply.stdout);
    assert!(reply.stderr.contains("standard input:2:9: "), "{}", reply.stderr);
    assert!(reply.stderr.contains("the budget of 200 ms was hit"), "{}", reply.stderr);
}

#[cfg(unix)]
#[test]
fn a_store_keys_pipes_by_their_content() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = pipe_in(folder.path());
    let store = folder.path().join("store");
    let store = store.to_str().expect("it is text");
    let path: Vec<String> = (1..=60).map(|i| format!("n{i}: n{}\n", i - 1)).collect();
    let path = path.concat();
    for (text, values) in [(path.clone(), "0 1 0"), (path + "n0: z\n", "1 0 1")] {
        let writer = {
            let pipe = pipe.clone();
            std::thread::spawn(move || fs::write(pipe, text))
        };
        let pattern = format!("digraph[{}]:n{{}}", pipe.display());
        let reply = run(&["table", &pattern, "58..60", "--store", store, "--format", "csv"]);
        writer.join().expect("it writes").expect("the pipe is read");
        let lines = reply.stdout.lines().skip(1).map(|line| line.split(',').nth(2));
        let found: Vec<&str> = lines.map(Option::unwrap_or_default).collect();
        assert_eq!(found.join(" "), values, "{}{}", reply.stdout, reply.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_again_in_another_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = pipe_in(folder.path());
    let line =
        format!("outcome digraph[{0}]:a + digraph[{0}]:a + digraph[{0}]:a\n", pipe.display());
    let writer = std::thread::spawn(move || {
        for text in ["a: b\nb: c\nc:\n", "a: b\nb:\n"] {
            fs::write(&pipe, text).expect("the pipe is read");
            // Whoever writes while the last reader is there is read by it.
            std::thread::sleep(std::time::Duration::from_millis(300));
        }
    });
    let reply = run_on(line.repeat(2).into_bytes(), &words("repl -"));
    writer.join().expect("it writes");
    let reply: Vec<_> = reply.stdout.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(reply, ["P", "N"]);
}

#[cfg(unix)]
#[test]
fn what_came_from_a_pipe_is_known_also_where_a_limit_is_hit() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = pipe_in(folder.path());
    let writer = {
        let pipe = pipe.clone();
        // It opens the pipe once: who reads it a second time would wait for ever.
        std::thread::spawn(move || fs::write(pipe, "a: b\nb:\n"))
    };
    let expression = format!("digraph[{}]:a + wythoff:30,30", pipe.display());
    let reply = run(&["value", &expression, "--budget", "10"]);
    writer.join().expect("it writes").expect("the pipe is read");
    assert_eq!(reply.code, Some(3), "{}", reply.stderr);
    let known = reply.stdout.lines().find(|line| line.contains("pipe.game"));
    assert!(known.is_some_and(|line| line.ends_with('1')), "{}", reply.stdout);
}

#[test]
fn a_digraph_that_an_expression_names_is_read_within_the_limits() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("long.edges");
    let arcs: Vec<String> = (0..600_000).map(|i| format!("node{i} node{}", i + 1)).collect();
    fs::write(&file, arcs.join("\n")).expect("the file is written");
    let node = format!("digraph[{}]:node0", file.display());
    let stopped = |limit: [&str; 2]| {
        let reply = run(&[&["value", &node][..], &limit].concat());
        assert_eq!(reply.code, Some(3), "{limit:?}: {}", reply.stderr);
        assert!(reply.stderr.contains(limit[0]), "{limit:?}: {}", reply.stderr);
        reply.stderr.contains("while it was read")
    };
    assert!(stopped(["--memory", "17M"]));
    // On a busy machine the shortest time is over before the file is opened.
    assert!(["0.01", "0.02", "0.04", "0.08", "0.16"].iter().any(|time| stopped(["--time", time])));
}

#[test]
fn a_flood_on_standard_input_ends_with_the_memory() {
    for reader in READERS {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nimoon"))
            .args(words(reader))
            .args(["--memory", "8M"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut flood = child.stdin.take().expect("a pipe");
        let piece = b"a b\n".repeat(1 << 16);
        // It is written to until the program goes away.
        let mut written = 0;
        while written < 64 << 20 && flood.write_all(&piece).is_ok() {
            written += piece.len();
        }
        drop(flood);
        let output = child.wait_with_output().expect("the program ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{reader}: {stderr}");
        assert!(stderr.contains("8 MiB of memory") && stderr.contains("--memory"), "{stderr}");
        assert!(written < 16 << 20, "{reader}: {written} bytes were taken");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn input_without_an_end_is_refused() {
    for command in ["label", "sum"] {
        for device in ["/dev/zero", "/dev/urandom", "/dev/null"] {
            let nodes: &[&str] = if command == "sum" { &["a"] } else { &[] };
            let by_name = run(&[&[command, device], nodes, &["--input", "edges"]].concat());
            refused(&by_name, &[device, "this is a device"]);
        }
    }
    for device in ["/dev/zero", "/dev/urandom"] {
        let endless = fs::File::open(device).expect("the device is there");
        let output = Command::new(env!("CARGO_BIN_EXE_nimoon"))
            .args(["label", "-", "--input", "edges"])
            .stdin(endless)
            .output()
            .expect("the program runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr.starts_with("error: standard input: not a text file"), "{stderr}");
    }
    let nothing = run_on("", &words("label - --input edges"));
    assert_ne!(nothing.code, Some(1), "an empty input is not a device");
}
