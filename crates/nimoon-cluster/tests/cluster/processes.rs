//! Processes over loopback: this program starts itself again, which then runs [`child`].

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nimoon_cluster::{Checkpoints, Every, Processes};

use crate::common::{Random, Shape, digraph, files, plan, run, write_edges};

/// No test here takes this long.
const LIMIT: Duration = Duration::from_mins(2);

const VARIABLE: &str = "NIMOON_CLUSTER_CHILD";

/// The work of a process that a test of this file has started; does nothing otherwise.
#[test]
fn child() {
    let Ok(given) = std::env::var(VARIABLE) else { return };
    let given: Vec<&str> = given.split('|').collect();
    let [folder, out, kept, process, workers, ports] = given[..] else { panic!("{given:?}") };
    let at = |name: &str| Path::new(folder).join(name);
    let mut plan = plan(&at("edges"), &at(out), workers.parse().unwrap());
    let hosts = ports.split(',').map(|port| format!("127.0.0.1:{port}")).collect();
    let patience = Duration::from_mins(1);
    plan.processes = Some(Processes { hosts, process: process.parse().unwrap(), patience });
    plan.checkpoints = Some(Checkpoints { folder: at(kept), every: Every::Supersteps(1) });
    nimoon_cluster::hush_connections();
    // A process that learns that another is gone reports it and ends, whatever its threads do.
    if let Err(error) = nimoon_cluster::label(&plan, Arc::new(|_| {})) {
        eprintln!("child: {error}");
        std::process::exit(7);
    }
}

fn start(folder: &Path, out: &str, kept: &str, workers: usize) -> Vec<Child> {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let ports = listeners.map(|socket| socket.local_addr().unwrap().port().to_string()).join(",");
    (0..2)
        .map(|process| {
            let given = format!("{}|{out}|{kept}|{process}|{workers}|{ports}", folder.display());
            Command::new(std::env::current_exe().unwrap())
                .args(["processes::child", "--exact", "--nocapture"])
                .env(VARIABLE, given)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect()
}

/// Waits for the end, but not for ever, and returns the exit code and the output.
fn ended(mut child: Child) -> (Option<i32>, String) {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > LIMIT {
            child.kill().unwrap();
            panic!("it hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn processes_write_the_same_bytes_as_one_worker_and_resume_after_a_kill() {
    let mut random = Random(31);
    let shape = Shape { cycles: true, gray: 20, gray_options: 1, options: 3 };
    let digraph = digraph(&mut random, 500, shape);
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_edges(&digraph, &at("edges"));
    run(&plan(&at("edges"), &at("whole"), 1)).unwrap();
    for workers in [1, 2] {
        let out = format!("out-{workers}");
        for child in start(folder.path(), &out, "kept", workers) {
            let (code, said) = ended(child);
            assert_eq!(code, Some(0), "{said}");
        }
        assert_eq!(files(&at(&out)), files(&at("whole")), "{workers} workers each");
    }
    for (moment, wanted) in ["digraph-00000001", "levels-00000002"].into_iter().enumerate() {
        let (out, kept) = (format!("killed-{moment}"), format!("kept-{moment}"));
        let mut children = start(folder.path(), &out, &kept, 1);
        let begun = Instant::now();
        let there = || {
            let entries = std::fs::read_dir(at(&kept)).into_iter().flatten().flatten();
            let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
            names.any(|name| name[..6] == wanted[..6] && name.as_str() >= wanted)
        };
        while !there() && children[0].try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < LIMIT, "no {wanted}");
        }
        let mut killed = children.remove(1);
        killed.kill().unwrap();
        killed.wait().unwrap();
        let (code, said) = ended(children.remove(0));
        assert_eq!(code, Some(7), "{said}");
        assert!(said.contains("child: process 1 at 127.0.0.1:"), "{said}");
        for child in start(folder.path(), &out, &kept, 2) {
            let (code, said) = ended(child);
            assert_eq!(code, Some(0), "{said}");
        }
        assert_eq!(files(&at(&out)), files(&at("whole")), "{wanted}");
    }
}
