//! Steps that lack a program are reported as skipped, with the reason, and not as passed.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::root;

/// Programs by their names, each a script.
type Programs<'a> = &'a [(&'a str, &'a str)];

/// A folder of its own for each test, with these scripts as programs.
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

/// Runs `advisories.sh` with these programs first on the path, and returns the reason that it
/// writes.
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
fn unavailable_advisories_are_skipped_with_the_reason() {
    let without = [("cargo", "exit 101")];
    let old = [("cargo", "echo cargo-deny 0.15.1")];
    let far = [("cargo", "echo cargo-deny 0.18.3"), ("git", "exit 128")];
    let cases: [(&str, Programs<'_>, &str); 3] = [
        (
            "without",
            &without,
            "cargo-deny is missing; `cargo install --locked cargo-deny` installs it",
        ),
        ("old", &old, "cargo-deny 0.15.1 cannot read deny.toml; install 0.16 or later"),
        ("far", &far, "cannot reach https://github.com/rustsec/advisory-db"),
    ];
    for (name, programs, says) in cases {
        let (output, reason) = advisories(name, programs);
        assert_eq!(output.status.code(), Some(77), "{name}: {output:?}");
        assert_eq!(reason.trim(), says, "{name}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(says), "{output:?}");
    }
}

#[test]
fn available_advisories_pass_or_fail() {
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
fn a_task_reports_skipped_steps_and_passes_but_fails_in_ci() {
    // Only the programs that the script of the fuzzer needs before it searches a compiler.
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
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}");
    assert!(!printed.contains("all 1 steps passed"), "{printed}");
    assert!(printed.contains("xtask: fuzz: 0 of 1 steps passed, 1 SKIPPED in "), "{printed}");
    let last = printed.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("xtask: fuzz: fuzzing SKIPPED: a C++ compiler is missing"),
        "{printed}"
    );
    let output = run(true);
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("step `fuzzing` failed with exit code 77"), "{printed}");
}

#[test]
fn spelling_passes_or_fails_as_typos_does() {
    for (name, typos, code) in [("spelled", "exit 0", 0), ("misspelled", "exit 2", 2)] {
        let folder = programs(name, &[("typos", typos)]);
        let path = std::env::var("PATH").expect("there is one");
        let status = Command::new("sh")
            .arg(root().join("xtask/scripts/spelling.sh"))
            .env("PATH", format!("{}:{path}", folder.display()))
            .status()
            .expect("there is a shell");
        assert_eq!(status.code(), Some(code), "{name}");
    }
}
