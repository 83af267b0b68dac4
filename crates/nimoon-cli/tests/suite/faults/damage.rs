//! Files that are damaged, exchanged or gone.

use std::fs;

use nimoon_formats::checkpoint::read;

use crate::faults::program::{argument, failed, nimoon};

const TABLE: [&str; 5] = ["table", "top-entails", "0..30", "--format", "csv"];

/// A checkpoint of a small table.
fn good() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("good");
    let output = nimoon(&TABLE).args(["--checkpoint", argument(&file)]).output();
    assert!(output.expect("the program runs").status.success());
    fs::read(&file).expect("a checkpoint")
}

#[test]
fn every_flipped_bit_of_a_checkpoint_is_found() {
    let good = good();
    assert!(read(&good).is_ok());
    for bit in 0..8 * good.len() {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        assert!(read(&bad).is_err(), "bit {bit}");
    }
}

#[test]
fn every_truncation_of_a_checkpoint_is_found() {
    let good = good();
    for length in 0..good.len() {
        assert!(read(&good[..length]).is_err(), "{length} bytes");
    }
}

#[test]
fn lines_of_a_checkpoint_that_changed_places_are_found() {
    let good = String::from_utf8(good()).expect("it is text");
    let lines: Vec<&str> = good.lines().collect();
    for one in 0..lines.len() {
        for other in one + 1..lines.len() {
            let mut bad = lines.clone();
            bad.swap(one, other);
            let same = lines[one] == lines[other];
            let bad = bad.join("\n") + "\n";
            assert_eq!(read(bad.as_bytes()).is_ok(), same, "lines {one} and {other}");
        }
    }
}

/// What is refused in the file is refused by the program, with what to do, and left alone.
#[test]
fn a_damaged_checkpoint_is_refused_and_left_as_it_is() {
    let good = good();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bad");
    let mut bad: Vec<Vec<u8>> = Vec::new();
    for place in (0..good.len()).step_by(7) {
        let mut flipped = good.clone();
        flipped[place] ^= 1 << (place % 8);
        bad.push(flipped);
        // A new file is empty, and so no damage.
        bad.push(good[..place.max(1)].to_vec());
    }
    for bytes in bad {
        fs::write(&file, &bytes).expect("the file is written");
        let output = nimoon(&TABLE).args(["--checkpoint", argument(&file)]).output();
        failed(&output.expect("the program runs"), 2, &["the file is unchanged"]);
        assert_eq!(fs::read(&file).expect("it is there"), bytes);
    }
}

#[test]
fn the_checkpoint_of_another_computation_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("good");
    fs::write(&file, good()).expect("the file is written");
    let others: [(&[&str], &str); 4] = [
        (&["table", "kayles", "0..30"], "its ruleset is"),
        (&["table", "top-entails", "0..30", "--theory", "general"], "its theory is"),
        (&["table", "nimstring:1x{}", "1..3"], "its ruleset is"),
        (
            &["table", "top-entails", "0..30", "--rules", "rules/top-entails.rhai"],
            "files with the rules",
        ),
    ];
    for (arguments, says) in others {
        let output = nimoon(arguments).args(["--checkpoint", argument(&file)]).output();
        failed(&output.expect("the program runs"), 2, &["does not belong to this table", says]);
    }
}

#[test]
fn a_damaged_store_costs_only_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("solved.store");
    let line = ["value", "nimstring:2x2", "--format", "json", "--store", argument(&file)];
    let run = || nimoon(&line).output().expect("the program runs");
    let truth = run().stdout;
    let good = fs::read(&file).expect("a store");
    let head = 256;
    for place in (0..good.len()).step_by(good.len() / 40) {
        let mut bad = good.clone();
        bad[place] ^= 1 << (place % 8);
        fs::write(&file, &bad).expect("the file is written");
        let output = run();
        if place < head {
            failed(&output, 2, &["solved.store"]);
        } else {
            assert_eq!(output.stdout, truth, "{place}");
        }
    }
    for length in (1..good.len()).step_by(good.len() / 20) {
        fs::write(&file, &good[..length]).expect("the file is written");
        let output = run();
        if length < head {
            failed(&output, 2, &["solved.store"]);
        } else {
            assert_eq!(output.stdout, truth, "{length}");
        }
    }
}

/// A file that vanishes between two runs, or while it is read by name: the next run says so, and
/// what was saved stays.
#[test]
fn a_checkpoint_whose_folder_vanishes_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).expect("a folder");
    let file = inner.join("table.checkpoint");
    let line = ["table", "top-entails", "0..30000", "--checkpoint", argument(&file)];
    let child = nimoon(&line)
        .args(["--checkpoint-every", "0"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    while !file.exists() {
        std::thread::yield_now();
    }
    fs::rename(&inner, folder.path().join("elsewhere")).expect("it is moved");
    let output = child.wait_with_output().expect("it ends");
    failed(&output, 1, &["the checkpoint", "cannot be written"]);
    let elsewhere = folder.path().join("elsewhere/table.checkpoint");
    assert!(read(&fs::read(elsewhere).expect("it is there")).is_ok());
}
