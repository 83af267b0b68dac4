//! Compares `nimoon cluster label` with `nimoon label` with one thread, and measures 1, 2 and 4
//! processes on this machine.
//!
//! All are child processes on the same file, from reading to the last label written. The first
//! process reports rounds and messages with `--log`, and the peak memory of a process is read from
//! `/proc` while it runs.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::answer::{self, AnswerError};
use crate::baseline::{BaselineError, FAMILIES, TestBed};
use crate::machine::median;

/// Why the comparison stopped.
#[derive(Debug, Error)]
pub(crate) enum ClusterError {
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    #[error("{path}: {error}", path = path.display())]
    File { path: PathBuf, error: std::io::Error },
    #[error("cannot find free ports on this machine: {0}")]
    Ports(std::io::Error),
    #[error("the output of nimoon on {path} is not as expected: {error}", path = path.display())]
    Output { path: PathBuf, error: AnswerError },
    #[error("`nimoon cluster label` did not report {0}: {1}")]
    NotReported(&'static str, String),
    #[error("WRONG ANSWER on {path}: {what}", path = path.display())]
    Wrong { path: PathBuf, what: String },
}

const NODES: u32 = 2_500_000;
const ARCS: u32 = 10_000_000;
const PROCESSES: [usize; 3] = [1, 2, 4];

fn file(path: &Path) -> impl FnOnce(std::io::Error) -> ClusterError {
    let path = path.to_owned();
    |error| ClusterError::File { path, error }
}

/// The time and memory of a run of several processes.
#[derive(Debug)]
struct Run {
    seconds: f64,
    /// The peak memory of the largest process in megabytes; not a number if the system does not
    /// report it.
    megabytes: f64,
    rounds: f64,
    messages: f64,
    checksum: String,
}

/// The peak memory of a process so far, in megabytes.
fn peak(child: &Child) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024.0 / 1e6)
}

/// Everything from reading to writing, by one thread of one process.
fn on_one_machine(bed: &TestBed, path: &Path, out: &Path) -> Result<f64, ClusterError> {
    let mut command = bed.program();
    command.args(["label", "--format", "csv", "--threads", "1", "--input", "edges"]).arg(path);
    let target = File::create(out).map_err(file(out))?;
    let start = Instant::now();
    let failed = |status: String| BaselineError::Failed {
        command: "nimoon label".to_owned(),
        status,
        message: String::new(),
    };
    let status = command.stdout(target).status().map_err(|error| failed(error.to_string()))?;
    let seconds = start.elapsed().as_secs_f64();
    if status.success() { Ok(seconds) } else { Err(failed(status.to_string()).into()) }
}

/// The same by several processes with one worker each, over loopback.
fn on_processes(
    bed: &TestBed,
    path: &Path,
    out: &Path,
    processes: usize,
) -> Result<Run, ClusterError> {
    let hosts = out.with_extension("hosts");
    let free: Result<Vec<TcpListener>, _> =
        (0..processes).map(|_| TcpListener::bind("127.0.0.1:0")).collect();
    let free: Result<Vec<String>, _> = free
        .map_err(ClusterError::Ports)?
        .iter()
        .map(|socket| socket.local_addr().map(|address| format!("{address}\n")))
        .collect();
    fs::write(&hosts, free.map_err(ClusterError::Ports)?.concat()).map_err(file(&hosts))?;
    let command = |process: usize| {
        let mut command: Command = bed.program();
        command.args(["cluster", "label"]).arg(path).arg("--out").arg(out).arg("--hosts");
        command.arg(&hosts).args(["--process", &process.to_string(), "--log"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let start = Instant::now();
    let mut children = Vec::with_capacity(processes);
    for process in 0..processes {
        let started = command(process).spawn();
        children.push(
            started.map_err(|error| BaselineError::NotStarted {
                path: PathBuf::from("nimoon"),
                error,
            })?,
        );
    }
    let mut megabytes = f64::NAN;
    let mut seconds = None;
    while seconds.is_none() {
        std::thread::sleep(Duration::from_millis(2));
        let mut running = false;
        for child in &mut children {
            running |= matches!(child.try_wait(), Ok(None));
            megabytes = megabytes.max(peak(child).unwrap_or(f64::NAN));
        }
        seconds = (!running).then(|| start.elapsed().as_secs_f64());
    }
    let mut outputs = Vec::new();
    for child in children {
        let output = child.wait_with_output().map_err(file(path))?;
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            let status = output.status.to_string();
            let command = "nimoon cluster label".to_owned();
            return Err(BaselineError::Failed { command, status, message: log }.into());
        }
        outputs.push((String::from_utf8_lossy(&output.stdout).into_owned(), log));
    }
    let (summary, log) = &outputs[0];
    let last = log.lines().last().unwrap_or_default();
    let number = |what: &'static str| {
        let words: Vec<&str> = last.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let place = words.iter().position(|&word| word == what).unwrap_or(0);
        let number = place.checked_sub(1).and_then(|place| words[place].parse::<f64>().ok());
        number.ok_or_else(|| ClusterError::NotReported(what, last.to_owned()))
    };
    let checksum = summary.lines().next().and_then(|line| line.split_once("checksum "));
    let checksum =
        checksum.ok_or_else(|| ClusterError::NotReported("checksum", summary.clone()))?;
    Ok(Run {
        seconds: seconds.unwrap_or(f64::NAN),
        megabytes,
        rounds: number("rounds")?,
        messages: number("messages")?,
        checksum: checksum.1.to_owned(),
    })
}

/// Compares every label of the shards with those of one machine.
fn compare(path: &Path, csv: &Path, out: &Path) -> Result<usize, ClusterError> {
    let unread = |error| ClusterError::Output { path: path.to_owned(), error };
    let text = fs::read_to_string(csv).map_err(file(csv))?;
    let expected = answer::read_csv(&text).map_err(unread)?;
    let mut compared = 0;
    for entry in fs::read_dir(out).map_err(file(out))? {
        let shard = entry.map_err(file(out))?.path();
        if shard.extension().is_none_or(|extension| extension != "tsv") {
            continue;
        }
        let text = fs::read_to_string(&shard).map_err(file(&shard))?;
        for (node, label) in answer::read_shard(&text).map_err(unread)? {
            if expected.get(&node) != Some(&label) {
                let what = format!("node {node} is {label} in {}", shard.display());
                return Err(ClusterError::Wrong { path: path.to_owned(), what });
            }
            compared += 1;
        }
    }
    if compared != expected.len() {
        let what = format!("{} nodes, but {compared} labels in shards", expected.len());
        return Err(ClusterError::Wrong { path: path.to_owned(), what });
    }
    Ok(compared)
}

/// Measures, and prints after every label was compared.
pub(crate) fn run(rounds: usize) -> Result<(), ClusterError> {
    println!(
        "cluster: {ARCS} arcs; whole runs, from reading to the last label written; medians of {rounds} \
         alternate runs\n"
    );
    println!(
        "| family | processes | nimoon label s | cluster s | ratio | MB a process | rounds | \
         messages of 4 bytes | an arc |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let bed = TestBed::new()?;
    for family in &FAMILIES {
        let path = bed.generate(family, NODES, ARCS, 1)?;
        let (csv, out) = (path.with_extension("csv"), path.with_extension("shards"));
        let mut one = Vec::new();
        let mut several: [Vec<Run>; PROCESSES.len()] = Default::default();
        for _ in 0..rounds {
            one.push(on_one_machine(&bed, &path, &csv)?);
            for (runs, processes) in several.iter_mut().zip(PROCESSES) {
                runs.push(on_processes(&bed, &path, &out, processes)?);
            }
        }
        compare(&path, &csv, &out)?;
        let one = median(one);
        let expected = several[0][0].checksum.clone();
        for (runs, processes) in several.iter().zip(PROCESSES) {
            if let Some(run) = runs.iter().find(|run| run.checksum != expected) {
                let what = format!("{processes} processes have checksum {}", run.checksum);
                return Err(ClusterError::Wrong { path, what });
            }
            let seconds = median(runs.iter().map(|run| run.seconds).collect());
            let megabytes = median(runs.iter().map(|run| run.megabytes).collect());
            let Run { rounds, messages, .. } = &runs[0];
            println!(
                "| {} | {processes} | {one:.2} | {seconds:.2} | {:.2} | {megabytes:.0} | {rounds} | \
                 {messages} | {:.2} |",
                family.name,
                seconds / one,
                messages / f64::from(ARCS),
            );
        }
        for path in [&path, &csv] {
            fs::remove_file(path).map_err(file(path))?;
        }
        fs::remove_dir_all(&out).map_err(file(&out))?;
    }
    println!("\nno label differs from one machine, and all checksums are the same");
    Ok(())
}
