//! What every engine is put through: somebody else stops it, or its time is over, while it works.
//! The tests of other crates include this file.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use nimoon::Budget;
use nimoon::effort::{Effort, Interrupted, Limit};

pub(crate) type Ask = dyn Fn(&Effort) -> Option<Interrupted> + Send + Sync;

/// A question to an engine that takes an effort; it tells by what the work was interrupted.
pub(crate) struct Case {
    /// The file and the name of the function that takes the effort; after a comma, which case of it.
    pub(crate) name: &'static str,
    /// At which looks at clock and token the work is stopped. Whoever looks as often is in the midst of it.
    pub(crate) looks: Vec<u64>,
    pub(crate) ask: Arc<Ask>,
}

pub(crate) fn case(
    name: &'static str,
    ask: impl Fn(&Effort) -> Option<Interrupted> + Send + Sync + 'static,
) -> Case {
    Case { name, looks: vec![1, 4], ask: Arc::new(ask) }
}

/// The same for what is stopped at its first look alone.
pub(crate) fn brief(
    name: &'static str,
    ask: impl Fn(&Effort) -> Option<Interrupted> + Send + Sync + 'static,
) -> Case {
    Case { looks: vec![1], ..case(name, ask) }
}

/// Whoever takes as long to hear it does not hear it.
const PATIENCE: Duration = Duration::from_mins(1);

/// Asks in a thread of its own, and waits for the answer.
fn asked(case: &Case, effort: Effort) -> Result<Option<Interrupted>, String> {
    let (sender, answer) = mpsc::channel();
    let ask = Arc::clone(&case.ask);
    thread::spawn(move || sender.send(ask(&effort)));
    answer.recv_timeout(PATIENCE).map_err(|error| format!("{}: no end: {error}", case.name))
}

/// Sets the token from another thread while the engine works. The engine waits for it at its look, so
/// that it comes neither too early nor too late, however fast the machine is.
fn stopped_at(case: &Case, at: u64) -> Result<(), String> {
    let stop = Arc::new(AtomicBool::new(false));
    let looks = Arc::new(AtomicU64::new(0));
    let (begun, heard) = mpsc::channel::<()>();
    let theirs = Arc::clone(&stop);
    let setter = thread::spawn(move || {
        if heard.recv().is_ok() {
            theirs.store(true, Ordering::Relaxed);
        }
    });
    let flag = Arc::clone(&stop);
    let counted = Arc::clone(&looks);
    let effort =
        Effort::from(Budget::new(u64::MAX).bytes(u64::MAX)).until(stop).watched(move || {
            if counted.fetch_add(1, Ordering::Relaxed) + 1 == at {
                let _ = begun.send(());
                while !flag.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
            }
        });
    let told = asked(case, effort)?;
    let looked = looks.load(Ordering::Relaxed);
    if told != Some(Interrupted::Stopped) {
        return Err(format!("{}: {told:?} after {looked} looks of {at}", case.name));
    }
    setter.join().map_err(|_| "nobody set the token".to_owned())
}

/// Lets the time run out while the engine works. The clock runs from the start, so that there is more time
/// for those who do not come as far as the look in what they have.
fn late_at(case: &Case, at: u64) -> Result<(), String> {
    const LEAST: Duration = Duration::from_millis(1);
    const MOST: Duration = Duration::from_secs(16);
    let mut time = LEAST;
    loop {
        let (told, looked) = late_after(case, at, time)?;
        if told.and_then(Interrupted::limit) != Some(Limit::Time) {
            return Err(format!("{}: {told:?} after {looked} looks of {at}, late", case.name));
        }
        if looked >= at {
            return Ok(());
        }
        if time > MOST {
            return Err(format!("{}: only {looked} looks of {at} in {time:?}", case.name));
        }
        time *= 4;
    }
}

/// What is told of a clock that has run out at this look, or before; and how often was looked.
fn late_after(case: &Case, at: u64, time: Duration) -> Result<(Option<Interrupted>, u64), String> {
    let start = Instant::now();
    let end = start + time;
    let looks = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&looks);
    let budget = Budget::new(u64::MAX).bytes(u64::MAX).time(time);
    let effort = Effort::from(budget).since(start).watched(move || {
        if counted.fetch_add(1, Ordering::Relaxed) + 1 == at {
            thread::sleep(end.saturating_duration_since(Instant::now()));
        }
    });
    let told = asked(case, effort)?;
    Ok((told, looks.load(Ordering::Relaxed)))
}

/// Every case is ended by a token and by the clock, at its beginning and in the midst.
pub(crate) fn end(cases: &[Case]) {
    let asked = cases.iter().map(|case| {
        case.looks.iter().try_for_each(|&at| stopped_at(case, at))?;
        case.looks.last().map_or(Ok(()), |&at| late_at(case, at))
    });
    let wrong: Vec<String> = asked.filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The cases have every public function below this folder that takes an effort, and no other.
pub(crate) fn complete(source: &str, cases: &[Case]) {
    let function = |case: &Case| case.name.split(',').next().unwrap_or_default().to_owned();
    let named: BTreeSet<String> = cases.iter().map(function).collect();
    let mut found = BTreeSet::new();
    public(Path::new(source), Path::new(source), &mut found);
    assert_eq!(found, named, "functions that take an effort, and those that are tested");
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
                if taken.contains("Effort") {
                    let name = head.split(['(', '<']).next().unwrap_or_default();
                    found.insert(format!("{file} {name}"));
                }
            }
        }
    }
}
