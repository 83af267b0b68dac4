//! `kill -9` at random moments: nothing is lost that was saved, and nothing wrong is resumed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nimoon_formats::checkpoint::read;
use nimoon_formats::sequence::Rows;
use nimoon_store::{Options, Store};

use crate::program::{Random, argument, nimoon};

/// How often each kind of run is killed.
pub(crate) fn kills() -> usize {
    let all = std::env::var("NIMOON_KILLS").ok().and_then(|kills| kills.parse().ok());
    all.unwrap_or(21_usize).div_ceil(3)
}

/// The answer of a run that nobody disturbs, and how long it takes.
pub(crate) fn undisturbed(arguments: &[&str]) -> (Vec<u8>, Duration) {
    let start = Instant::now();
    let output = nimoon(arguments).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.stdout, start.elapsed())
}

/// Starts the program and kills it some time later; whether it was still running then.
pub(crate) fn killed(command: &mut Command, after: Duration) -> bool {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program runs");
    std::thread::sleep(after);
    let running = child.try_wait().expect("it is our child").is_none();
    child.kill().expect("it is our child");
    child.wait().expect("it ends");
    running
}

/// A moment within some time.
pub(crate) fn moment(random: &mut Random, within: Duration) -> Duration {
    within.mul_f64(random.below(10_000) as f64 / 10_000.0)
}

/// Kills a run until it was killed often enough, with something to be true after each kill; it may be let alone for one run now
/// and then.
fn kill_often(
    seed: u64,
    time: Duration,
    mut start: impl FnMut() -> Command,
    mut after: impl FnMut(usize),
) -> usize {
    let mut random = Random(seed);
    let (mut done, mut tried) = (0, 0);
    while done < kills() {
        tried += 1;
        assert!(tried < 100 * kills(), "it ends before it can be killed");
        if killed(&mut start(), moment(&mut random, time)) {
            done += 1;
            after(done);
        }
    }
    done
}

/// The values in a checkpoint; none if there is no file, and it is never there in part.
fn values(file: &Path) -> usize {
    let Ok(bytes) = fs::read(file) else { return 0 };
    match read(&bytes).expect("it is whole").1 {
        Rows::Heaps(values) => values.len(),
        Rows::Explored { rows, .. } => rows.len(),
    }
}

#[test]
fn a_table_that_is_killed_goes_on_from_what_was_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    for (seed, table) in [(1, ["top-entails", "0..6000"]), (2, ["nimstring:1x{}", "1..11"])] {
        let file = folder.path().join(format!("{seed}.checkpoint"));
        let plain = ["table", table[0], table[1], "--format", "csv"];
        let kept = ["--checkpoint", argument(&file), "--checkpoint-every", "0"];
        let kept: Vec<&str> = plain.iter().copied().chain(kept).collect();
        let (truth, time) = undisturbed(&plain);
        let (mut saved, mut with_rows) = (0, 0);
        let done = kill_often(
            seed,
            time,
            || nimoon(&kept),
            |kill| {
                let now = values(&file);
                assert!(now >= saved, "kill {kill}: {saved} rows were saved, and {now} are there");
                saved = now;
                with_rows += usize::from(now > 0);
                if kill % 4 == 0 || kill == kills() {
                    // Nobody disturbs it now, and it goes on to the same end.
                    assert_eq!(undisturbed(&kept).0, truth, "kill {kill}");
                    fs::remove_file(&file).expect("it is there");
                    saved = 0;
                }
            },
        );
        assert!(with_rows > 0, "nothing was ever saved before a kill");
        println!(
            "{done} kills of `nimoon {}`, {with_rows} with rows saved: nothing lost, nothing wrong",
            plain.join(" ")
        );
    }
}

#[test]
fn an_exploration_that_is_killed_leaves_a_store_that_is_whole_and_true() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("solved.store");
    let plain = ["value", "nimstring:2x4", "--format", "json"];
    let kept: Vec<&str> = plain.iter().copied().chain(["--store", argument(&file)]).collect();
    let (truth, time) = undisturbed(&plain);
    let mut saved = 0;
    let done = kill_often(
        3,
        time,
        || nimoon(&kept),
        |kill| {
            if file.exists() {
                let store = Store::open(&file, Options::READ_ONLY).expect("it is a store");
                let checked = store.check().expect("it is read");
                assert_eq!(checked.damaged, 0, "kill {kill}: {checked:?}");
                assert!(
                    checked.good >= saved,
                    "kill {kill}: {saved} entries were saved: {checked:?}"
                );
                saved = checked.good;
            }
            if kill % 4 == 0 || kill == kills() {
                assert_eq!(undisturbed(&kept).0, truth, "kill {kill}");
                fs::remove_file(&file).expect("it is there");
                saved = 0;
            }
        },
    );
    println!(
        "{done} kills of `nimoon {}` with a store: nothing lost, nothing wrong",
        plain.join(" ")
    );
}
