//! Processes of `nimoon cluster` killed at random moments: the others say so and end, and whoever
//! takes the work up comes to the same end.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::faults::program::{Random, argument, nimoon};

/// Nothing here takes so long.
const LIMIT: Duration = Duration::from_mins(2);

/// How often each kind of run is killed: a quarter of all kills.
fn kills() -> usize {
    let all = std::env::var("NIMOON_KILLS").ok().and_then(|kills| kills.parse().ok());
    all.unwrap_or(12_usize).div_ceil(4)
}

/// Waits for the end, but not for ever.
fn ended(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().expect("it is our child").is_none() {
        if start.elapsed() > LIMIT {
            child.kill().expect("it is our child");
            panic!("it hangs: {:?}", child.wait_with_output());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("it ends")
}

/// A hosts file with ports that are free, or were a moment ago.
fn write_hosts(file: &Path) {
    let free = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
    let lines = free.map(|socket| format!("{}\n", socket.local_addr().expect("its address")));
    fs::write(file, lines.concat()).expect("the file is written");
}

/// A program that ends in time, and its summary; what differs with the folder is left out.
fn summary(command: &mut Command) -> String {
    let output = ended(
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs"),
    );
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
}

/// Kills one of two processes again and again; now and then nobody disturbs a run, which has
/// another number of workers.
fn kill_often(seed: u64, question: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (hosts, out, kept, whole) = (at("hosts.txt"), at("out"), at("kept"), at("whole"));
    let command = |out: &Path, options: &[&str]| {
        let mut command = nimoon(&["cluster", "label"]);
        command.args(question).args(["--shards", "8", "--out"]).arg(out).args(options);
        command
    };
    let start = Instant::now();
    let truth = summary(&mut command(&whole, &[]));
    // Two processes that keep checkpoints take longer.
    let time = 4 * start.elapsed();
    let keeps = ["--checkpoint", argument(&kept), "--every-rounds", "2"];
    let mut random = Random(seed);
    let (mut disturbed, mut resumed) = (0, 0);
    for kill in 1..=kills() {
        write_hosts(&hosts);
        let mut children: Vec<Child> = ["0", "1"]
            .map(|process| {
                let mut command = command(&out, &keeps);
                command.args([
                    "--hosts",
                    argument(&hosts),
                    "--process",
                    process,
                    "--patience",
                    "5",
                ]);
                let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
                command.spawn().expect("the program runs")
            })
            .into();
        std::thread::sleep(time.mul_f64(random.below(1000) as f64 / 1000.0));
        let mut killed = children.remove(random.below(2));
        killed.kill().expect("it is our child");
        killed.wait().expect("it ends");
        let other = ended(children.remove(0));
        let said = String::from_utf8_lossy(&other.stderr).into_owned();
        match other.status.code() {
            // It was done before, and checkpoints are removed.
            Some(0) => {}
            Some(1) => {
                assert_eq!(said.lines().count(), 1, "{said}");
                let expected = ["is gone", "did not connect", "did not answer"];
                assert!(expected.iter().any(|words| said.contains(words)), "{said}");
                disturbed += 1;
            }
            _ => panic!("kill {kill}: {other:?}"),
        }
        if kill % 3 == 0 || kill == kills() {
            resumed +=
                usize::from(fs::read_dir(&kept).is_ok_and(|mut parts| parts.next().is_some()));
            let workers = ["1", "2", "3"][random.below(3)];
            let mut command = command(&out, &keeps);
            assert_eq!(summary(command.args(["--workers", workers])), truth, "kill {kill}");
            for entry in fs::read_dir(&whole).expect("a folder") {
                let file = entry.expect("an entry").path();
                let same = out.join(file.file_name().expect("a name"));
                assert_eq!(
                    fs::read(&file).ok(),
                    fs::read(&same).ok(),
                    "kill {kill}: {}",
                    file.display()
                );
            }
            fs::remove_dir_all(&out).expect("a folder");
        }
    }
    println!(
        "{} kills of `nimoon cluster label {}`: {disturbed} in mid-run, {resumed} times resumed, the same checksum",
        kills(),
        question.join(" ")
    );
}

/// A path with a loop at its end, and arcs back.
fn write_path(file: &Path, cycles: bool) {
    let mut lines = Vec::new();
    for node in 1..400 {
        lines.push(format!("{node} {}", node - 1));
        if node % 7 == 0 {
            lines.push(format!("{node} g{node}\ng{node} {}\ngray g{node}", node - 3));
        }
    }
    if cycles {
        lines.push("0 0\n0 end".to_owned());
    }
    fs::write(file, lines.join("\n")).expect("the file is written");
}

#[test]
fn processes_killed_at_random_moments_are_taken_up_to_the_same_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    write_path(&at("cyclic.edges"), true);
    write_path(&at("acyclic.edges"), false);
    kill_often(11, &[argument(&at("cyclic.edges"))]);
    kill_often(12, &[argument(&at("acyclic.edges"))]);
    kill_often(13, &[argument(&at("cyclic.edges")), "--remoteness", "normal"]);
    kill_often(14, &["--ruleset", "nimstring:2x2"]);
}
