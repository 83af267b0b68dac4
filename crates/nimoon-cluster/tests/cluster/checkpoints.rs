//! Runs that break off, and others that take them up with any number of workers.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::{Random, Shape, digraph, files, plan, run, write_edges};
use nimoon_cluster::{Checkpoints, Doing, Every, Plan};

fn keeping(edges: &Path, out: &Path, workers: usize, folder: &Path, every: u64) -> Plan {
    let mut plan = plan(edges, out, workers);
    let every = Every::Supersteps(every);
    plan.checkpoints = Some(Checkpoints { folder: folder.to_owned(), every });
    plan
}

/// Runs until this checkpoint is kept, and breaks off as if the process had died. False if it came to its end before.
fn break_off(plan: &Plan, after: u64) -> bool {
    let broken = nimoon_cluster::label(
        plan,
        Arc::new(move |told| {
            if matches!(told.stage, Doing::Kept { serial } if serial >= after) {
                panic!("broken off");
            }
        }),
    );
    broken.is_err()
}

#[test]
fn a_run_that_broke_off_is_taken_up_by_any_number_of_workers() {
    let mut random = Random(21);
    for gray in [0, 30] {
        let shape = Shape { cycles: true, gray, gray_options: 1, options: 3 };
        let digraph = digraph(&mut random, 400, shape);
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        write_edges(&digraph, &at("edges"));
        run(&plan(&at("edges"), &at("whole"), 1)).unwrap();
        let mut broken = 0;
        for (case, after) in [0, 1, 2, 4, 7, 11, 16].into_iter().enumerate() {
            let (first, second) = ([1, 2, 4, 3][case % 4], [2, 1, 3, 4][case % 4]);
            let [out, kept] = ["out", "kept"].map(|name| at(&format!("{name}-{case}")));
            if !break_off(&keeping(&at("edges"), &out, first, &kept, 1), after) {
                continue;
            }
            broken += 1;
            let parts = files(&kept).len();
            assert!(parts > 0, "something was kept");
            let resumed = Arc::new(AtomicU64::new(u64::MAX));
            let told = Arc::clone(&resumed);
            let plan = keeping(&at("edges"), &out, second, &kept, 1000);
            let watch = move |progress: nimoon_cluster::Progress| {
                if let Doing::Resumed { serial } = progress.stage {
                    told.store(serial, Ordering::Relaxed);
                }
            };
            nimoon_cluster::label(&plan, Arc::new(watch)).unwrap();
            assert_eq!(resumed.load(Ordering::Relaxed), after, "{first} to {second} workers");
            assert_eq!(files(&out), files(&at("whole")), "{first} to {second} workers, {after}");
            assert!(files(&kept).is_empty(), "what is answered need not be kept");
        }
        assert!(broken > 3, "{broken} runs broke off");
    }
}

#[test]
fn an_incomplete_checkpoint_is_passed_over_and_a_damaged_one_is_refused() {
    let mut random = Random(22);
    let shape = Shape { cycles: true, gray: 20, gray_options: 1, options: 3 };
    let digraph = digraph(&mut random, 300, shape);
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_edges(&digraph, &at("edges"));
    run(&plan(&at("edges"), &at("whole"), 1)).unwrap();
    let plan = keeping(&at("edges"), &at("out"), 2, &at("kept"), 1);
    assert!(break_off(&plan, 3));
    let levels = |files: &std::collections::BTreeMap<String, String>| {
        files.keys().filter(|name| name.starts_with("levels")).cloned().collect::<Vec<_>>()
    };
    let names = levels(&files(&at("kept")));
    assert_eq!(names.len(), 2, "{names:?}");
    // Damaged: refused, with the file.
    let last = at("kept").join(&names[0]);
    let whole = std::fs::read(&last).unwrap();
    let mut bytes = whole.clone();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&last, &bytes).unwrap();
    let error = run(&plan).unwrap_err();
    assert!(error.contains(&names[0]) && error.contains("damaged"), "{error}");
    // Another question: refused.
    let mut other = plan.clone();
    other.shards = 16;
    std::fs::write(&last, &whole).unwrap();
    assert!(run(&other).unwrap_err().contains("a checkpoint of another question"));
    // Missing: the digraph is there still.
    std::fs::remove_file(&last).unwrap();
    run(&plan).unwrap();
    assert_eq!(files(&at("out")), files(&at("whole")));
}
