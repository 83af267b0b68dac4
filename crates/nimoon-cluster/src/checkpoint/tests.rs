//! Parts of several moments in one folder, as after kills, and forged parts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::{Activity, Checkpoints, Every, Input, Plan};

/// Files by name.
type Files = BTreeMap<String, Vec<u8>>;

fn files(folder: &Path) -> Files {
    let Ok(entries) = std::fs::read_dir(folder) else { return Files::new() };
    let file = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    };
    entries.map(|entry| file(entry.unwrap())).collect()
}

fn write(folder: &Path, files: &Files) {
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}

/// The results of this many workers of one process.
fn workers<T: Send + 'static>(
    count: usize,
    work: impl Fn(&mut Exchange<'_>) -> T + Send + Sync + 'static,
) -> Vec<T> {
    let guards = timely::execute(timely::Config::process(count), move |worker| {
        work(&mut Exchange::new(worker))
    });
    guards.unwrap().join().into_iter().map(Result::unwrap).collect()
}

fn keeper(folder: &Path, run: u64, exchange: &Exchange<'_>) -> Keeper {
    Keeper::new(folder, "question".to_owned(), run, 0, exchange.index() == 0).unwrap()
}

/// The record of a worker at a moment.
fn record(run: u64, moment: usize, worker: usize) -> u32 {
    run as u32 * 100 + moment as u32 * 10 + worker as u32
}

/// The files of each moment of a run that keeps a node of each worker, with these serial numbers
/// one after the other.
fn kept(count: usize, run: u64, serials: &'static [u64]) -> Vec<Files> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let mut all = workers(count, move |exchange| {
        let mut keeper = keeper(&path, run, exchange);
        let worker = exchange.index();
        let mut moments = Vec::new();
        for (number, &serial) in serials.iter().enumerate() {
            let shards = vec![1; exchange.workers()];
            let (kind, first, notes, texts) = (Kind::Settled, worker as u32, vec![], vec![]);
            let moment = Moment { kind, first, shards, notes, texts };
            let fill = |sink: &mut Sink| sink.record(&[record(run, number, worker)]);
            keeper.keep(exchange, serial, moment, fill).unwrap();
            // Worker 0 has removed the earlier parts by now; the others would read during the
            // removal.
            if worker == 0 {
                moments.push(files(&path));
            }
            // No worker continues before worker 0 has read them.
            exchange.add_up(&mut []);
        }
        moments
    });
    all.swap_remove(0)
}

/// The records from which this many workers resume, given these files.
fn resumed(count: usize, parts: &Files) -> Result<Option<Vec<u32>>, String> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), parts);
    let path = folder.path().to_owned();
    let all = workers(count, move |exchange| {
        let keeper = keeper(&path, 0, exchange);
        let Some(set) = keeper.last(exchange, Kind::Settled)? else { return Ok(None) };
        let ranges = Ranges::new(&set.head.shards, exchange.workers()).unwrap();
        set.read(exchange, &ranges).map(Some)
    });
    let all: Result<Option<Vec<_>>, ClusterError> = all.into_iter().collect();
    let lists = all.map_err(|error| error.to_string())?;
    let lists = lists.map(|lists| lists.into_iter().flatten());
    Ok(lists.map(|lists| {
        lists
            .flat_map(|list| records(&list).flatten().flatten().copied().collect::<Vec<_>>())
            .collect()
    }))
}

/// A part with a changed head, and with a checksum and a name that fit.
fn forged(bytes: &[u8], change: impl Fn(&mut Head)) -> (String, Vec<u8>) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let mut head: Head = serde_json::from_slice(&bytes[..end]).unwrap();
    change(&mut head);
    let mut line = serde_json::to_vec(&head).unwrap();
    line.push(b'\n');
    let words = &bytes[end + 1..bytes.len() - 16];
    let mut sum = Sum::new(&line);
    for word in words.chunks_exact(4) {
        sum.add(u32::from_le_bytes(word.try_into().unwrap()));
    }
    let Head { kind, serial, worker, workers, .. } = head;
    let name =
        format!("{}-{serial:08}-{:04}-of-{workers:04}.part", kind.name(), worker.wrapping_add(1));
    let count = (words.len() as u64 / 4).to_le_bytes();
    (name, [&line, words, &count, &sum.0.to_le_bytes()].concat())
}

fn all_forged(files: &Files, change: impl Fn(&mut Head)) -> Files {
    files.values().map(|bytes| forged(bytes, &change)).collect()
}

/// Tries every way to take the part of each worker from one of these moments, whose parts have the
/// same names. A set is used if it belongs to one moment, and otherwise there is none.
fn check_all_mixtures(count: usize, moments: &[(Files, Vec<u32>)]) {
    let names: Vec<&String> = moments[0].0.keys().collect();
    assert_eq!(names.len(), count);
    for mixture in 0..moments.len().pow(count as u32) {
        let digit = |worker: usize| mixture / moments.len().pow(worker as u32) % moments.len();
        let part = |worker: usize| {
            let name = names[worker];
            (name.clone(), moments[digit(worker)].0[name].clone())
        };
        let parts: Files = (0..count).map(part).collect();
        let is_one = (0..count).all(|worker| digit(worker) == digit(0));
        let expected = is_one.then(|| moments[digit(0)].1.clone());
        for readers in [1, 3] {
            assert_eq!(resumed(readers, &parts), Ok(expected.clone()), "mixture {mixture}");
        }
    }
}

fn records_of(count: usize, run: u64, moment: usize) -> Vec<u32> {
    (0..count).map(|worker| record(run, moment, worker)).collect()
}

#[test]
fn parts_of_different_moments_are_never_combined() {
    // The same number again and again, as if it were the last one.
    for count in 1..=3 {
        let (one, other) = (kept(count, 7, &[5, 5, 5]), kept(count, 8, &[5]));
        let one = one.into_iter().enumerate().map(|(i, files)| (files, records_of(count, 7, i)));
        let other = other.into_iter().map(|files| (files, records_of(count, 8, 0)));
        check_all_mixtures(count, &one.chain(other).collect::<Vec<_>>());
    }
}

#[test]
fn a_forged_number_does_not_combine_moments() {
    for count in 1..=3 {
        let moments = kept(count, 7, &[4, 5, 6]).into_iter().enumerate();
        let moments = moments.map(|(i, files)| {
            (all_forged(&files, |head| head.serial = 6), records_of(count, 7, i))
        });
        check_all_mixtures(count, &moments.collect::<Vec<_>>());
    }
}

#[test]
fn a_part_under_another_name_and_one_of_a_missing_worker_are_ignored() {
    let moments = kept(2, 7, &[4, 5]);
    let (earlier, later) = (&moments[0], &moments[1]);
    let [first, second] = [0, 1].map(|i| later.iter().nth(i).unwrap());
    let with = |name: &str, bytes: &[u8]| {
        let mut files = earlier.clone();
        files.insert(first.0.clone(), first.1.clone());
        files.insert(name.to_owned(), bytes.to_owned());
        resumed(2, &files)
    };
    let (last, before) = (Ok(Some(records_of(2, 7, 1))), Ok(Some(records_of(2, 7, 0))));
    assert_eq!(with(second.0, second.1), last);
    assert_eq!(with("settled-00000005-0002-of-0003.part", second.1), before);
    assert_eq!(with("settled-00000006-0002-of-0002.part", second.1), before);
    for worker in [2, 7, usize::MAX] {
        let (name, bytes) = forged(second.1, |head| head.worker = worker);
        assert_eq!(with(&name, &bytes), before, "{worker}");
    }
    for workers in [0, 1, 3, usize::MAX] {
        let (name, bytes) = forged(second.1, |head| head.workers = workers);
        assert_eq!(with(&name, &bytes), before, "{workers}");
    }
}

#[test]
fn an_impossible_number_is_rejected() {
    let files = &kept(2, 7, &[4])[0];
    for serial in [0, 1, LAST_SERIAL] {
        let forged = all_forged(files, |head| head.serial = serial);
        assert_eq!(resumed(2, &forged), Ok(Some(records_of(2, 7, 0))), "{serial}");
    }
    for serial in [LAST_SERIAL + 1, u64::MAX] {
        let forged = all_forged(files, |head| head.serial = serial);
        let error = resumed(2, &forged).unwrap_err();
        let says = format!("has the impossible number {serial}: delete it");
        assert!(error.contains(&says), "{error}");
        // Even if it is not complete.
        let single = forged.into_iter().take(1).collect();
        assert!(resumed(2, &single).is_err_and(|error| error.contains(&says)), "{serial}");
    }
}

#[test]
fn a_run_continues_from_the_number_that_it_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let arcs: Vec<String> = (1..60).map(|node| format!("{node} {}\n", node - 1)).collect();
    std::fs::write(at("path.edges"), arcs.concat()).unwrap();
    let input = Input::Files { paths: vec![at("path.edges")], local: false };
    let mut plan = Plan::new(input, at("whole"));
    plan.shards = 4;
    plan.workers = 2;
    crate::label(&plan, Arc::new(|_| {})).unwrap();
    plan.out = at("out");
    plan.checkpoints = Some(Checkpoints { folder: at("kept"), every: Every::Supersteps(1) });
    // Ends as if killed when this many checkpoints are kept.
    let ended = |times: u64| {
        let left = AtomicU64::new(times);
        let watch = move |progress: crate::Progress| {
            if matches!(progress.stage, Activity::Kept { .. }) {
                assert_ne!(left.fetch_sub(1, Ordering::Relaxed), 1, "broken off");
            }
        };
        crate::label(&plan, Arc::new(watch)).map_err(|error| error.to_string())
    };
    ended(10).unwrap_err();
    let forge = |serial: u64| {
        let good = files(&at("kept"));
        for (name, bytes) in good.iter().filter(|(name, _)| name.starts_with("settled")) {
            std::fs::remove_file(at("kept").join(name)).unwrap();
            write(&at("kept"), &[forged(bytes, |head| head.serial = serial)].into());
        }
        assert_eq!(files(&at("kept")).len(), good.len());
        good
    };
    let good = forge(u64::MAX);
    let error = ended(u64::MAX).unwrap_err();
    assert!(error.contains("has the impossible number"), "{error}");
    for name in files(&at("kept")).keys().filter(|name| name.starts_with("settled")) {
        std::fs::remove_file(at("kept").join(name)).unwrap();
    }
    write(&at("kept"), &good);
    forge(LAST_SERIAL);
    // Two more are kept, each under its own number.
    ended(2).unwrap_err();
    let names: Vec<String> = files(&at("kept")).into_keys().collect();
    let number = format!("settled-{}-", LAST_SERIAL + 2);
    assert_eq!(names.iter().filter(|name| name.starts_with(&number)).count(), 2, "{names:?}");
    // These cannot come from any run.
    let error = ended(u64::MAX).unwrap_err();
    assert!(error.contains("has the impossible number"), "{error}");
    for name in names.iter().filter(|name| name.starts_with("settled")) {
        std::fs::remove_file(at("kept").join(name)).unwrap();
    }
    ended(u64::MAX).unwrap();
    assert_eq!(files(&at("out")), files(&at("whole")));
}
