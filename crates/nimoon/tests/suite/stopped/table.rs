//! A test for every engine: another thread cancels it, or its time ends, while it works.
//! The tests of other crates include this file.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use nimoon::Limits;
use nimoon::limits::{Interrupted, Limit, Work};

pub(crate) type Ask = dyn Fn(&Work) -> Option<Interrupted> + Send + Sync;

/// A question to an engine; the answer says what interrupted the work.
pub(crate) struct Case {
    /// The file and the name of the function that takes the work; after a comma, which case of it.
    pub(crate) name: &'static str,
    /// The checks of clock and token at which the work is stopped. An engine that checks this often
    /// is in the midst of its work.
    pub(crate) looks: Vec<u64>,
    pub(crate) ask: Arc<Ask>,
}

pub(crate) fn case(
    name: &'static str,
    ask: impl Fn(&Work) -> Option<Interrupted> + Send + Sync + 'static,
) -> Case {
    Case { name, looks: vec![1, 4], ask: Arc::new(ask) }
}

/// The same for what is stopped at its first look alone.
pub(crate) fn brief(
    name: &'static str,
    ask: impl Fn(&Work) -> Option<Interrupted> + Send + Sync + 'static,
) -> Case {
    Case { looks: vec![1], ..case(name, ask) }
}

/// An engine that does not stop within this time fails.
const PATIENCE: Duration = Duration::from_mins(1);

/// Runs the engine in a thread of its own, and waits for the answer.
fn run(case: &Case, work: Work) -> Result<Option<Interrupted>, String> {
    let (sender, answer) = mpsc::channel();
    let ask = Arc::clone(&case.ask);
    thread::spawn(move || sender.send(ask(&work)));
    answer.recv_timeout(PATIENCE).map_err(|error| format!("{}: no end: {error}", case.name))
}

/// Sets the token from another thread while the engine works. The engine waits for it at its look,
/// so that it comes neither too early nor too late, however fast the machine is.
fn stopped_at(case: &Case, at: u64) -> Result<(), String> {
    let stop = Arc::new(AtomicBool::new(false));
    let looks = Arc::new(AtomicU64::new(0));
    let (begun, started) = mpsc::channel::<()>();
    let theirs = Arc::clone(&stop);
    let setter = thread::spawn(move || {
        if started.recv().is_ok() {
            theirs.store(true, Ordering::Relaxed);
        }
    });
    let flag = Arc::clone(&stop);
    let counted = Arc::clone(&looks);
    let work = Work::endless().until(stop).on_progress(move |_| {
        if counted.fetch_add(1, Ordering::Relaxed) + 1 == at {
            let _ = begun.send(());
            while !flag.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        }
    });
    let interrupted = run(case, work)?;
    let count = looks.load(Ordering::Relaxed);
    if interrupted != Some(Interrupted::Stopped) {
        return Err(format!("{}: {interrupted:?} after {count} looks of {at}", case.name));
    }
    setter.join().map_err(|_| "the token was not set".to_owned())
}

/// Lets the time run out while the engine works. The clock runs from the start, so that there is
/// more time for an engine that does not reach the check in the time that it has.
fn late_at(case: &Case, at: u64) -> Result<(), String> {
    const LEAST: Duration = Duration::from_millis(1);
    const MOST: Duration = Duration::from_secs(16);
    let mut time = LEAST;
    loop {
        let (interrupted, count) = late_after(case, at, time)?;
        if interrupted.and_then(Interrupted::limit) != Some(Limit::Time) {
            return Err(format!(
                "{}: {interrupted:?} after {count} looks of {at}, late",
                case.name
            ));
        }
        if count >= at {
            return Ok(());
        }
        if time > MOST {
            return Err(format!("{}: only {count} looks of {at} in {time:?}", case.name));
        }
        time *= 4;
    }
}

/// The result of a clock that has run out at this check, or before; and the number of checks.
fn late_after(case: &Case, at: u64, time: Duration) -> Result<(Option<Interrupted>, u64), String> {
    let start = Instant::now();
    let end = start + time;
    let looks = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&looks);
    let budget = Limits::ENDLESS.time(time);
    let work = Work::new(budget).since(start).on_progress(move |_| {
        if counted.fetch_add(1, Ordering::Relaxed) + 1 == at {
            thread::sleep(end.saturating_duration_since(Instant::now()));
        }
    });
    let interrupted = run(case, work)?;
    Ok((interrupted, looks.load(Ordering::Relaxed)))
}

/// Every case is ended by a token and by the clock, at its beginning and in the midst.
pub(crate) fn end(cases: &[Case]) {
    let results = cases.iter().map(|case| {
        case.looks.iter().try_for_each(|&at| stopped_at(case, at))?;
        case.looks.last().map_or(Ok(()), |&at| late_at(case, at))
    });
    let wrong: Vec<String> = results.filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The cases have every public function below this folder that takes a work, and no other.
pub(crate) fn complete(source: &str, cases: &[Case]) {
    let function = |case: &Case| case.name.split(',').next().unwrap_or_default().to_owned();
    let named: BTreeSet<String> = cases.iter().map(function).collect();
    let mut found = BTreeSet::new();
    public(Path::new(source), Path::new(source), &mut found);
    assert_eq!(found, named, "functions that take a work, and those that are tested");
}

fn public(root: &Path, folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            public(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let file = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            let text = std::fs::read_to_string(&path).unwrap();
            let code: Vec<&str> =
                text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            for function in code.join("\n").split("pub fn ").skip(1) {
                let head = function.split('{').next().unwrap_or_default();
                let taken = head.split("->").next().unwrap_or_default();
                if taken.contains("Work") {
                    let name = head.split(['(', '<']).next().unwrap_or_default();
                    found.insert(format!("{file} {name}"));
                }
            }
        }
    }
}
