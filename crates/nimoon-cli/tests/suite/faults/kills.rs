//! `kill -9` at random moments: nothing is lost that was saved, and nothing wrong is resumed.

use std::cell::Cell;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nimoon_formats::checkpoint::read;
use nimoon_formats::sequence::Rows;
use nimoon_store::{Options, Store};

use crate::faults::program::{Random, argument, nimoon};

/// How often each kind of run is killed.
pub(crate) fn kills() -> usize {
    let all = std::env::var("NIMOON_KILLS").ok().and_then(|kills| kills.parse().ok());
    all.unwrap_or(21_usize).div_ceil(3)
}

/// The answer of a run that nobody disturbs, and how long it takes.
pub(crate) fn undisturbed(arguments: &[&str]) -> (Vec<u8>, Duration) {
    let_alone(&mut nimoon(arguments))
}

/// The same for a program that is ready to start.
fn let_alone(command: &mut Command) -> (Vec<u8>, Duration) {
    let start = Instant::now();
    let output = command.output().expect("the program runs");
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

/// Kills a run often enough, and calls `after` each time: it asserts what must hold, and returns
/// whether the kill could have lost something, which must be so at least once. Now and then a run
/// may end by itself.
fn kill_often(
    seed: u64,
    time: Duration,
    mut start: impl FnMut() -> Command,
    mut after: impl FnMut(usize) -> bool,
) -> usize {
    let mut random = Random(seed);
    let (mut done, mut tried, mut with_something) = (0, 0, false);
    while done < kills() || !with_something {
        tried += 1;
        assert!(tried < 100 * kills(), "it ends before it can be killed, or nothing is ever saved");
        if killed(&mut start(), moment(&mut random, time)) {
            done += 1;
            with_something |= after(done);
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
    for (seed, table) in [(1, ["top-entails", "0..20000"]), (2, ["nimstring:1x{}", "1..11"])] {
        let file = folder.path().join(format!("{seed}.checkpoint"));
        let plain = ["table", table[0], table[1], "--format", "csv"];
        let kept = ["--checkpoint", argument(&file), "--checkpoint-every", "0"];
        let kept: Vec<&str> = plain.iter().copied().chain(kept).collect();
        let truth = undisturbed(&plain).0;
        // Saving takes time as well.
        let (same, time) = undisturbed(&kept);
        assert_eq!(same, truth);
        fs::remove_file(&file).expect("it is there");
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
                if kill % 4 == 0 || kill >= kills() {
                    // Nobody disturbs it now, and it goes on to the same end.
                    assert_eq!(undisturbed(&kept).0, truth, "kill {kill}");
                    fs::remove_file(&file).expect("it is there");
                    saved = 0;
                }
                now > 0
            },
        );
        println!(
            "{done} kills of `nimoon {}`, {with_rows} with rows saved: nothing lost, nothing wrong",
            plain.join(" ")
        );
    }
}

/// How many entries a store has, none of which is damaged; none if there is no file.
fn entries(file: &Path) -> u64 {
    if !file.exists() {
        return 0;
    }
    let store = Store::open(file, Options::READ_ONLY).expect("it is a store");
    let checked = store.check().expect("it is read");
    assert_eq!(checked.damaged, 0, "{checked:?}");
    checked.good
}

/// Positions that are explored one after the other, each of them some thousands.
const EXPLORED: &str = "\
green-lime:0-1g,1-2l,2-3g,3-4l,4-5g,5-6l,1-6g,2-7l,3-8g,4-9g
green-lime:0-1l,1-2l,2-3l,3-4g,4-1g,2-5l,3-6g,4-7l,5-8l,6-9g
green-lime:0-1g,0-2l,1-2g,2-3l,3-4g,4-1l,3-5g,5-6g,6-7l,2-8g
green-lime:0-1l,1-2g,2-3l,3-0g,1-4l,2-5g,3-6l,4-5g,5-7l,6-8g
green-lime:0-1g,1-2g,1-3l,2-4l,3-4g,4-5g,5-6l,6-1g,2-7g,7-8g
";

/// What is explored is kept with each answer, and now and then before.
#[test]
fn explorations_that_are_killed_leave_a_store_that_is_whole_and_true_and_of_use() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (file, other, lines) = (at("solved.store"), at("other.store"), at("lines"));
    fs::write(&lines, EXPLORED).expect("the file is written");
    let session = |options: &[&str]| {
        let mut command = nimoon(&["repl"]);
        command.args(options).stdin(File::open(&lines).expect("it is there"));
        command
    };
    let (truth, time) = let_alone(&mut session(&[]));
    let kept = ["--store", argument(&file)];
    assert_eq!(let_alone(&mut session(&kept)).0, truth);
    let all = entries(&file);
    assert!(all > 10_000, "{all} entries");
    fs::remove_file(&file).expect("it is there");
    // What was saved, after how many kills.
    let (saved, since) = (Cell::new(0), Cell::new(0));
    let (mut met, mut in_part) = (0, 0);
    let done = kill_often(
        3,
        time,
        || {
            if entries(&file) >= all {
                fs::remove_file(&file).expect("it is there");
                saved.set(0);
                since.set(0);
            }
            session(&kept)
        },
        |kill| {
            let now = entries(&file);
            let before = saved.replace(now);
            assert!(now >= before, "kill {kill}: {before} entries were saved, and {now} are there");
            since.set(since.get() + 1);
            met += usize::from(now > 0);
            in_part += usize::from(0 < now && now < all);
            // Nobody disturbs who goes on with what was kept.
            if file.exists() {
                fs::copy(&file, &other).expect("it is copied");
            }
            let go_on = let_alone(&mut session(&["--store", argument(&other)]));
            assert_eq!(go_on.0, truth, "kill {kill}");
            // Who recalls has nothing to keep. An exploration that is there without the positions
            // that lead to it is kept again, of which each kill leaves one at most; and
            // explorations share some positions.
            let after = entries(&other);
            let most = all + since.get() + now / 10;
            assert!(after <= most, "kill {kill}: {now} entries, then {after}, and {all} are all");
            fs::remove_file(&other).expect("it is there");
            0 < now && now < all
        },
    );
    println!(
        "{done} kills of explorations with a store of {all} entries, {met} with some kept and {in_part} in mid-way: nothing \
         lost, nothing wrong, nothing found twice"
    );
}
