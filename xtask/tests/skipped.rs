//! Steps that lack what they need: they are told as skipped, with the reason, and not as passed.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Programs by their names, each a script.
type Programs<'a> = &'a [(&'a str, &'a str)];

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A folder of its own for each test, with programs that do as told.
fn programs(name: &str, scripts: Programs<'_>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It may be there from an earlier run.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (program, script) in scripts {
        let file = folder.join(program);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("the file is written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    folder
}

/// `advisories.sh` where these programs come first, and the reason that it leaves.
fn advisories(name: &str, scripts: Programs<'_>) -> (Output, String) {
    let folder = programs(name, scripts);
    let path = std::env::var("PATH").expect("there is one");
    let reason = folder.join("reason");
    let output = Command::new("sh")
        .arg(root().join("xtask/scripts/advisories.sh"))
        .env("PATH", format!("{}:{path}", folder.display()))
        .env("XTASK_REASON", &reason)
        .output()
        .expect("there is a shell");
    (output, fs::read_to_string(reason).unwrap_or_default())
}

#[test]
fn advisories_that_nobody_could_ask_for_are_skipped_with_the_reason() {
    let without = [("cargo", "exit 101")];
    let old = [("cargo", "echo cargo-deny 0.15.1")];
    let far = [("cargo", "echo cargo-deny 0.18.3"), ("git", "exit 128")];
    let cases: [(&str, Programs<'_>, &str); 3] = [
        (
            "without",
            &without,
            "there is no cargo-deny; `cargo install --locked cargo-deny` brings it",
        ),
        ("old", &old, "cargo-deny 0.15.1 cannot read deny.toml; it takes 0.16 or later"),
        ("far", &far, "https://github.com/rustsec/advisory-db cannot be reached from here"),
    ];
    for (name, programs, says) in cases {
        let (output, reason) = advisories(name, programs);
        assert_eq!(output.status.code(), Some(77), "{name}: {output:?}");
        assert_eq!(reason.trim(), says, "{name}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(says), "{output:?}");
    }
}

#[test]
fn advisories_that_were_asked_for_pass_or_fail() {
    let known = "case \"$*\" in *advisories) exit 1 ;; esac; echo cargo-deny 0.18.3";
    let licence = "case \"$*\" in *licenses*) exit 4 ;; esac; echo cargo-deny 0.18.3";
    for (name, cargo, code) in
        [("none", "echo cargo-deny 0.18.3", 0), ("one", known, 1), ("licence", licence, 4)]
    {
        let (output, reason) = advisories(name, &[("cargo", cargo), ("git", "exit 0")]);
        assert_eq!(output.status.code(), Some(code), "{name}: {output:?}");
        assert_eq!(reason, "", "{name}");
    }
}

#[test]
fn a_task_tells_what_it_skipped_and_passes_but_not_where_changes_are_judged() {
    // Nothing but what the script of the fuzzer needs until it looks for a compiler.
    let folder = programs("bare", &[("id", "echo 1000")]);
    let links = [("sh", "/bin/sh"), ("dirname", "/usr/bin/dirname")];
    for (name, to) in links {
        std::os::unix::fs::symlink(to, folder.join(name)).expect("a link");
    }
    let run = |judged: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.arg("fuzz").env("PATH", &folder).env_remove("CI").env_remove("CXX");
        if judged {
            command.env("CI", "1");
        }
        command.output().expect("it runs")
    };
    let output = run(false);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(!told.contains("all 1 steps passed"), "{told}");
    assert!(told.contains("xtask: fuzz: 0 of 1 steps passed, 1 SKIPPED in "), "{told}");
    let last = told.lines().last().unwrap_or_default();
    assert!(last.starts_with("xtask: fuzz: fuzzing SKIPPED: a C++ compiler is missing"), "{told}");
    let output = run(true);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("step `fuzzing` failed with exit code 77"), "{told}");
}
