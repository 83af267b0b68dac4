//! Interrupted runs, and others that resume them with any number of workers.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::common::{Random, Shape, digraph, files, plan, run, write_edges};
use nimoon::smith::remoteness::Play;
use nimoon::{Digraph, Limits, Theory, Work};
use nimoon_cluster::{Activity, Checkpoints, Every, Input, Plan, Question};

fn keeping(plan: &Plan, workers: usize, out: &Path, folder: &Path, every: u64) -> Plan {
    let mut plan = plan.clone();
    plan.workers = workers;
    plan.out = out.into();
    let every = Every::Supersteps(every);
    plan.checkpoints = Some(Checkpoints { folder: folder.to_owned(), every });
    plan
}

/// Runs until this checkpoint is kept, and stops as if the process had died. False if the run ended
/// before.
fn interrupt(plan: &Plan, after: u64) -> bool {
    let broken = nimoon_cluster::label(
        plan,
        Arc::new(move |progress: nimoon_cluster::Progress| {
            if matches!(progress.stage, Activity::Kept { serial } if serial >= after) {
                panic!("interrupted");
            }
        }),
    );
    broken.is_err()
}

/// Runs, and returns the checkpoint that was resumed last.
fn resumed_from(plan: &Plan) -> u64 {
    let resumed = Arc::new(AtomicU64::new(0));
    let last = Arc::clone(&resumed);
    let watch = move |progress: nimoon_cluster::Progress| {
        if let Activity::Resumed { serial } = progress.stage {
            last.store(serial, Ordering::Relaxed);
        }
    };
    nimoon_cluster::label(plan, Arc::new(watch)).unwrap();
    resumed.load(Ordering::Relaxed)
}

/// Interrupts a run after many of its checkpoints, resumes it, and returns the kinds of checkpoints
/// that were resumed.
fn interrupt_everywhere(plan: &Plan) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut whole = plan.clone();
    whole.out = at("whole");
    run(&whole).unwrap();
    let mut kinds = BTreeSet::new();
    for (case, after) in (1..13).chain([17, 24, 40]).enumerate() {
        let (first, second) = ([1, 2, 4, 3][case % 4], [2, 1, 3, 4][case % 4]);
        let [out, kept] = ["out", "kept"].map(|name| at(&format!("{name}-{case}")));
        if !interrupt(&keeping(plan, first, &out, &kept, 1), after) {
            continue;
        }
        let serial = format!("-{after:08}-");
        let names: Vec<String> = files(&kept).into_keys().collect();
        let last: Vec<&String> = names.iter().filter(|name| name.contains(&serial)).collect();
        assert_eq!(last.len(), first, "a part of each worker: {names:?}");
        kinds.extend(last[0].split_once('-').map(|(kind, _)| kind.to_owned()));
        let resumed = resumed_from(&keeping(plan, second, &out, &kept, 1000));
        assert_eq!(resumed, after, "{first} to {second} workers: {names:?}");
        assert_eq!(files(&out), files(&at("whole")), "{first} to {second} workers: {names:?}");
        assert!(files(&kept).is_empty(), "checkpoints are removed after the answer");
    }
    kinds
}

#[track_caller]
fn has_all(kinds: &BTreeSet<String>, expected: &[&str]) {
    assert!(expected.iter().all(|&kind| kinds.contains(kind)), "{kinds:?}");
}

fn with_edges(seed: u64, len: u64, shape: Shape, folder: &Path) -> Plan {
    write_edges(&digraph(&mut Random(seed), len, shape), &folder.join("edges"));
    let mut plan = plan(&folder.join("edges"), &folder.join("out"), 1);
    plan.piece = 8000;
    plan
}

#[test]
fn any_number_of_workers_resume_levels() {
    for (seed, gray) in [(21, 0), (22, 30)] {
        let folder = tempfile::tempdir().unwrap();
        let shape = Shape { cycles: true, gray, gray_options: 1, options: 3 };
        let mut plan = with_edges(seed, 400, shape, folder.path());
        has_all(&interrupt_everywhere(&plan), &["building", "digraph", "levels"]);
        // Without a search for cycles before.
        plan.piece = 1 << 20;
        let theory = if gray == 0 { Theory::Cyclic } else { Theory::CarryOn };
        plan.question = Question::Label(Some(theory));
        has_all(&interrupt_everywhere(&plan), &["building", "digraph", "levels"]);
    }
}

#[test]
fn any_number_of_workers_resume_short_and_entailing_labels() {
    for (seed, gray, options) in [(23, 0, 3), (24, 30, 3), (25, 20, 150)] {
        let folder = tempfile::tempdir().unwrap();
        let shape = Shape { cycles: false, gray, gray_options: 3, options };
        let mut plan = with_edges(seed, 300, shape, folder.path());
        plan.piece = 1 << 20;
        has_all(&interrupt_everywhere(&plan), &["building", "digraph", "settled"]);
    }
}

#[test]
fn any_number_of_workers_resume_heaps() {
    let folder = tempfile::tempdir().unwrap();
    let shape = Shape { cycles: true, gray: 20, gray_options: 3, options: 4 };
    let mut plan = with_edges(30, 200, shape, folder.path());
    plan.piece = 1 << 20;
    plan.question = Question::Label(Some(Theory::General));
    has_all(&interrupt_everywhere(&plan), &["building", "heaps"]);
}

#[test]
fn any_number_of_workers_resume_remoteness() {
    for (seed, play, len) in
        [(26, Play::Normal, 300), (27, Play::Misere, 60), (28, Play::Normal, 2)]
    {
        let folder = tempfile::tempdir().unwrap();
        let shape = Shape { cycles: true, gray: 10, gray_options: 3, options: 2 };
        let mut plan = with_edges(seed, len, shape, folder.path());
        plan.piece = 1 << 20;
        plan.question = Question::Remoteness(play);
        has_all(&interrupt_everywhere(&plan), &["building", "rounds"]);
    }
}

#[test]
fn any_number_of_workers_resume_an_exploration() {
    for expression in ["green-lime:0-1g,1-2l,1-3g,2-3g", "nimstring:2x2", "top-entails:9 + nim:7"] {
        let mut plan = Plan::new(Input::Expression(expression.to_owned()), "");
        plan.shards = 8;
        has_all(&interrupt_everywhere(&plan), &["building"]);
    }
}

/// Heaps of Nim with the general theory, which solves each of them beside all heaps.
fn heaps_of_nim(folder: &Path) -> Plan {
    let arcs = (0..30).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    write_edges(&Digraph::new(30, [], arcs).unwrap(), &folder.join("edges"));
    let mut plan = plan(&folder.join("edges"), &folder.join("whole"), 2);
    plan.question = Question::Label(Some(Theory::General));
    plan
}

/// Runs into a limit before any checkpoint is due, and resumes without limits.
fn end_and_resume(plan: &Plan, work: Work, kind: &str, folder: &Path) {
    let [out, kept] = ["out", "kept"].map(|name| folder.join(name));
    let mut ended = keeping(plan, 2, &out, &kept, 1_000_000);
    ended.work = work;
    run(&ended).unwrap_err();
    assert!(!parts(&kept, kind).is_empty(), "nothing was kept of the {kind}");
    assert!(resumed_from(&keeping(plan, 3, &out, &kept, 1_000_000)) > 0);
    run(plan).unwrap();
    assert_eq!(files(&out), files(&plan.out));
}

#[test]
fn positions_beyond_a_budget_are_kept_for_a_larger_one() {
    let folder = tempfile::tempdir().unwrap();
    end_and_resume(
        &heaps_of_nim(folder.path()),
        Work::new(Limits::new(300)),
        "heaps",
        folder.path(),
    );
    let folder = tempfile::tempdir().unwrap();
    let input = Input::Expression("nimstring:2x2".to_owned());
    let mut plan = Plan::new(input, folder.path().join("whole"));
    plan.shards = 8;
    end_and_resume(&plan, Work::new(Limits::new(100)), "building", folder.path());
}

#[test]
fn heaps_before_the_interrupted_one_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let plan = heaps_of_nim(folder.path());
    let stopped_at = |look: u64| {
        let (looks, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (counted, set) = (Arc::clone(&looks), Arc::clone(&stop));
        let work = Work::default().until(stop).on_progress(move |_| {
            if counted.fetch_add(1, Ordering::Relaxed) + 1 == look {
                set.store(true, Ordering::Relaxed);
            }
        });
        (work, looks)
    };
    let (work, looks) = stopped_at(u64::MAX);
    run(&Plan { work, ..plan.clone() }).unwrap();
    let (work, _) = stopped_at(looks.load(Ordering::Relaxed) / 4 * 3);
    end_and_resume(&plan, work, "heaps", folder.path());
}

/// The parts of a kind.
fn parts(kept: &Path, kind: &str) -> Vec<String> {
    files(kept).into_keys().filter(|name| name.starts_with(kind)).collect()
}

#[test]
fn an_incomplete_checkpoint_is_ignored_and_a_damaged_one_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let shape = Shape { cycles: true, gray: 20, gray_options: 1, options: 3 };
    let mut given = with_edges(29, 300, shape, folder.path());
    given.piece = 1 << 20;
    let mut whole = given.clone();
    whole.out = at("whole");
    run(&whole).unwrap();
    let plan = keeping(&given, 2, &at("out"), &at("kept"), 1);
    // The third is the digraph or later; continue until there are levels.
    let found = (3..30).find(|&after| {
        let _ = std::fs::remove_dir_all(at("kept"));
        interrupt(&plan, after) && !parts(&at("kept"), "levels").is_empty()
    });
    let after = found.expect("levels are kept");
    let names = parts(&at("kept"), "levels");
    assert_eq!(names.len(), 2, "{names:?}");
    // Damaged in any place: rejected, with the file or the checkpoint.
    let last = at("kept").join(&names[0]);
    let good = std::fs::read(&last).unwrap();
    let head = good.iter().position(|&byte| byte == b'\n').unwrap();
    for at in [head + 1, head + 2, head + 40, good.len() / 2, good.len() - 9, good.len() - 1] {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        std::fs::write(&last, &bytes).unwrap();
        let error = run(&plan).unwrap_err();
        assert!(error.contains(&names[0]) && error.contains("damaged"), "byte {at}: {error}");
    }
    for len in [head + 1, head + 2, head + 21, good.len() - 4, good.len() - 1] {
        std::fs::write(&last, &good[..len]).unwrap();
        let error = run(&plan).unwrap_err();
        assert!(error.contains(&names[0]) && error.contains("damaged"), "{len} bytes: {error}");
    }
    // The other worker's part under this name: not of this worker, so the set is incomplete.
    std::fs::copy(at("kept").join(&names[1]), &last).unwrap();
    let incomplete = keeping(&given, 2, &at("swapped"), &at("kept"), 1000);
    let copy = tempfile::tempdir().unwrap();
    let copied = |to: &Path| {
        for (name, _) in files(&at("kept")) {
            std::fs::copy(at("kept").join(&name), to.join(&name)).unwrap();
        }
    };
    copied(copy.path());
    let mut elsewhere = incomplete.clone();
    elsewhere.checkpoints =
        Some(Checkpoints { folder: copy.path().to_owned(), every: Every::Supersteps(1000) });
    assert!(resumed_from(&elsewhere) < after);
    assert_eq!(files(&at("swapped")), files(&at("whole")));
    // A part of another run of the same question: ignored.
    std::fs::write(&last, &good).unwrap();
    let other = keeping(&given, 2, &at("other"), &at("other-kept"), 1);
    assert!(interrupt(&other, after));
    std::fs::copy(at("other-kept").join(&names[0]), &last).unwrap();
    let copy = tempfile::tempdir().unwrap();
    copied(copy.path());
    elsewhere.checkpoints =
        Some(Checkpoints { folder: copy.path().to_owned(), every: Every::Supersteps(1000) });
    assert!(resumed_from(&elsewhere) < after);
    // Another question: rejected.
    std::fs::write(&last, &good).unwrap();
    let mut other = plan.clone();
    other.shards = 16;
    assert!(run(&other).unwrap_err().contains("a checkpoint of another question"));
    // Missing: the digraph is still there.
    std::fs::remove_file(&last).unwrap();
    assert!(resumed_from(&keeping(&given, 2, &at("out"), &at("kept"), 1000)) < after);
    assert_eq!(files(&at("out")), files(&at("whole")));
}

/// Exchanges texts of equal length in a file.
fn exchange(file: &Path, from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let text = std::fs::read(file).unwrap();
    let at = text.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
    let text = [&text[..at], to.as_bytes(), &text[at + from.len()..]].concat();
    std::fs::write(file, text).unwrap();
}

#[test]
fn a_checkpoint_of_other_lines_or_of_another_version_is_rejected_in_every_stage() {
    let shape = Shape { cycles: true, gray: 20, gray_options: 1, options: 3 };
    for local in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let edges = at("edges").join("part-0.edges");
        let mut given = with_edges(33, 300, shape, folder.path());
        given.piece = 4000;
        given.question = Question::Label(Some(Theory::CarryOn));
        given.input = Input::Files { paths: vec![at("edges")], local };
        let mut whole = given.clone();
        whole.out = at("whole");
        run(&whole).unwrap();
        let mut kinds = BTreeSet::new();
        for after in [1, 2, 3, 4, 6, 9, 13] {
            let [out, kept] = ["out", "kept"].map(|name| at(&format!("{name}-{after}")));
            if !interrupt(&keeping(&given, 2, &out, &kept, 1), after) {
                break;
            }
            let names: Vec<String> = files(&kept).into_keys().collect();
            kinds.extend(names.iter().map(|name| name.split_once('-').unwrap().0.to_owned()));
            let plan = keeping(&given, 3, &out, &kept, 1000);
            // The first line, which is read at once; the files have the same names and lengths as
            // before.
            exchange(&edges, "node-0-", "node-X-");
            let error = run(&plan).unwrap_err();
            assert!(error.contains("a checkpoint of another input (lines with"), "{error}");
            assert!(error.contains("choose another folder, or delete it"), "{error}");
            exchange(&edges, "node-X-", "node-0-");
            for name in &names {
                exchange(&kept.join(name), "\"nimoon 0.", "\"nimoon 7.");
            }
            let error = run(&plan).unwrap_err();
            assert!(error.contains("a checkpoint of another version (nimoon 7."), "{error}");
            for name in &names {
                exchange(&kept.join(name), "\"nimoon 7.", "\"nimoon 0.");
            }
            assert_eq!(resumed_from(&plan), after, "{names:?}");
            assert_eq!(files(&out), files(&at("whole")), "{names:?}");
        }
        has_all(&kinds, &["building", "digraph", "levels"]);
    }
}

#[test]
fn labels_of_other_lines_are_rejected_without_their_digraph() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let shape = Shape { cycles: true, gray: 0, gray_options: 1, options: 3 };
    let given = with_edges(34, 300, shape, folder.path());
    let plan = keeping(&given, 2, &at("out"), &at("kept"), 1);
    let found = (3..40).any(|after| {
        let _ = std::fs::remove_dir_all(at("kept"));
        interrupt(&plan, after) && !parts(&at("kept"), "levels").is_empty()
    });
    assert!(found, "levels are kept");
    for name in parts(&at("kept"), "digraph") {
        std::fs::remove_file(at("kept").join(name)).unwrap();
    }
    exchange(&at("edges").join("part-0.edges"), "node-0-", "node-X-");
    let error = run(&plan).unwrap_err();
    assert!(error.contains("a checkpoint of another input"), "{error}");
}

#[test]
fn lines_that_were_not_read_yet_may_be_other_ones() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let shape = Shape { cycles: true, gray: 0, gray_options: 1, options: 3 };
    let mut given = with_edges(35, 300, shape, folder.path());
    given.piece = 500;
    let [out, kept] = ["out", "kept"].map(at);
    assert!(interrupt(&keeping(&given, 1, &out, &kept, 1), 1));
    exchange(&at("edges").join("part-2.edges"), "\n299\n", "\n2X9\n");
    assert_eq!(resumed_from(&keeping(&given, 2, &out, &kept, 1000)), 1);
    let mut whole = given.clone();
    whole.out = at("whole");
    run(&whole).unwrap();
    assert_eq!(files(&out), files(&whole.out));
    // A file of one process alone that has grown since then.
    given.input = Input::Files { paths: vec![at("edges")], local: true };
    assert!(interrupt(&keeping(&given, 1, &out, &kept, 1), 1));
    let grown = at("edges").join("part-2.edges");
    let text = std::fs::read_to_string(&grown).unwrap();
    std::fs::write(&grown, text + "one more\n").unwrap();
    let error = run(&keeping(&given, 2, &out, &kept, 1000)).unwrap_err();
    assert!(error.contains("a checkpoint of another input"), "{error}");
}
