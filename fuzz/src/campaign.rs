//! Runs of the fuzzer as child processes.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use nimoon_fuzz::{Target, dictionary, seeds};

/// How to run targets.
pub(crate) struct Campaign {
    /// The program.
    pub(crate) fuzzer: PathBuf,
    /// The folder in which corpora are kept from run to run.
    pub(crate) work: PathBuf,
    /// The folder for finds.
    pub(crate) finds: PathBuf,
    pub(crate) seconds: u64,
    /// The seed of a run.
    pub(crate) seed: Option<u64>,
}

/// The result of a target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Result {
    pub(crate) target: &'static str,
    pub(crate) executions: u64,
    /// How many edges of the program were reached.
    pub(crate) edges: u64,
    /// How many inputs each reached something new.
    pub(crate) corpus: u64,
    pub(crate) time: Duration,
    pub(crate) finds: Vec<PathBuf>,
}

impl fmt::Display for Result {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, executions, edges, corpus, time, finds } = self;
        let (time, finds) = (time.as_secs(), finds.len());
        write!(
            f,
            "{target:<12} {executions:>10} inputs in {time:>4} s, {edges:>6} edges, {corpus:>6} kept, {finds} finds"
        )
    }
}

/// The limits of time and memory for one input.
const SECONDS_EACH: u64 = 25;
const MEGABYTES: u64 = 2_000;
/// The time for minimising a find.
const MINIMISING: u64 = 20;

impl Campaign {
    /// Runs targets, some at the same time, and reports each result.
    pub(crate) fn run(
        &self,
        targets: &[&'static str],
        jobs: usize,
        tell: &(dyn Fn(&Result) + Sync),
    ) -> io::Result<Vec<Result>> {
        let waiting = Mutex::new(targets.iter().copied().rev().collect::<Vec<_>>());
        let done = Mutex::new(Vec::new());
        let next = || waiting.lock().ok().and_then(|mut waiting| waiting.pop());
        let work = || {
            while let Some(target) = next() {
                let ran = self.target(target);
                if let Ok(ran) = &ran {
                    tell(ran);
                }
                if let Ok(mut done) = done.lock() {
                    done.push(ran);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..jobs.min(targets.len()) {
                scope.spawn(work);
            }
        });
        let mut done: Vec<Result> =
            done.into_inner().unwrap_or_default().into_iter().collect::<io::Result<_>>()?;
        done.sort_by_key(|ran| targets.iter().position(|&target| target == ran.target));
        Ok(done)
    }

    /// Runs one target for its time.
    fn target(&self, target: &'static str) -> io::Result<Result> {
        let folder = self.work.join(target);
        let [corpus, seeded, found] = ["corpus", "seeds", "found"].map(|name| folder.join(name));
        // Earlier finds are in `finds`, and seeds may have changed.
        for folder in [&seeded, &found] {
            let _ = fs::remove_dir_all(folder);
        }
        for folder in [&corpus, &seeded, &found] {
            fs::create_dir_all(folder)?;
        }
        for (number, seed) in seeds(target).iter().enumerate() {
            fs::write(seeded.join(format!("{number:04}")), seed)?;
        }
        let words = folder.join("dictionary");
        let dictionary = dictionary(target);
        fs::write(&words, &dictionary)?;
        let most = Target::find(target).map_or(512, |target| target.most);
        let mut prefix = found.clone().into_os_string();
        prefix.push("/");
        let mut run = self.fuzzer(target);
        run.arg(format!("-max_total_time={}", self.seconds))
            .arg(format!("-max_len={most}"))
            .args(self.seed.map(|seed| format!("-seed={seed}")))
            .arg("-print_final_stats=1")
            .arg("-use_value_profile=1")
            .args((!dictionary.is_empty()).then(|| option("-dict=", &words)))
            .arg(option("-artifact_prefix=", Path::new(&prefix)))
            .args(
                [&corpus, &seeded, &self.finds.join(target)]
                    .into_iter()
                    .filter(|folder| folder.is_dir()),
            );
        let start = Instant::now();
        let output = run.stdin(Stdio::null()).stdout(Stdio::null()).output()?;
        let time = start.elapsed();
        let log = String::from_utf8_lossy(&output.stderr);
        fs::write(folder.join("log"), log.as_bytes())?;
        let mut ran = Result { target, time, ..read_log(&log) };
        for file in fs::read_dir(&found)? {
            let file = file?;
            // libFuzzer records slow inputs, which are not finds if they are within the time limit.
            if !file.file_name().to_string_lossy().starts_with("slow-unit") {
                ran.finds.push(self.keep(target, &file.path())?);
            }
        }
        if ran.finds.is_empty() && !output.status.success() {
            let last = log.lines().last().unwrap_or_default();
            return Err(io::Error::other(format!("{target}: the fuzzer failed: {last}")));
        }
        Ok(ran)
    }

    /// The fuzzer with the limits of an input.
    fn fuzzer(&self, target: &str) -> Command {
        let mut command = Command::new(&self.fuzzer);
        command
            .env("NIMOON_FUZZ_TARGET", target)
            .arg(format!("-timeout={SECONDS_EACH}"))
            .arg(format!("-rss_limit_mb={MEGABYTES}"));
        command
    }

    /// Minimises a find, and keeps it among the tests.
    fn keep(&self, target: &str, find: &Path) -> io::Result<PathBuf> {
        let folder = self.finds.join(target);
        fs::create_dir_all(&folder)?;
        let name = find.file_name().map(OsString::from).unwrap_or_default();
        let kept = folder.join(&name);
        let small = find.with_extension("small");
        if name.to_string_lossy().starts_with("crash") {
            let mut run = self.fuzzer(target);
            run.arg("-minimize_crash=1")
                .arg(format!("-max_total_time={MINIMISING}"))
                .arg(option("-exact_artifact_path=", &small))
                .arg(find);
            let _ = run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        }
        let best = if small.is_file() { &small } else { find };
        fs::copy(best, &kept)?;
        Ok(kept)
    }
}

fn option(name: &str, path: &Path) -> OsString {
    let mut option = OsString::from(name);
    option.push(path);
    option
}

/// The summary of libFuzzer at the end, and its last report of progress.
fn read_log(log: &str) -> Result {
    let mut result = Result::default();
    for line in log.lines() {
        let number = |after: &str| -> Option<u64> {
            let rest = line.split_once(after)?.1.trim_start();
            rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        };
        if let Some(executions) = number("stat::number_of_executed_units:") {
            result.executions = executions;
        } else if line.starts_with('#') {
            result.executions = number("#").unwrap_or(result.executions);
            result.edges = number(" cov: ").unwrap_or(result.edges);
            result.corpus = number(" corp: ").unwrap_or(result.corpus);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_reports_what_was_reached() {
        let log = "INFO: seed corpus: files: 3\n#3\tINITED cov: 12 ft: 13 corp: 2/5b\n\
                   #9000\tNEW    cov: 40 ft: 80 corp: 17/300b lim: 4\n\
                   stat::number_of_executed_units: 9213\n";
        let result = read_log(log);
        assert_eq!((result.executions, result.edges, result.corpus), (9213, 40, 17));
    }

    #[test]
    fn a_fuzzer_that_does_not_start_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let campaign = Campaign {
            fuzzer: folder.path().join("nothing"),
            work: folder.path().join("work"),
            finds: folder.path().join("finds"),
            seconds: 1,
            seed: None,
        };
        assert!(campaign.run(&["json"], 1, &|_| {}).is_err());
    }
}
