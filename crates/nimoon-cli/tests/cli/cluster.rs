//! `nimoon cluster`: processes over loopback, what they leave, and how they end when something is wrong.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Nothing here takes so long.
const LIMIT: Duration = Duration::from_mins(2);

/// A folder with a digraph, and processes on it.
struct Case {
    folder: TempDir,
    hosts: Vec<u16>,
}

impl Case {
    /// With so many ports that are free, or were a moment ago.
    fn new(text: &str, processes: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("digraph.edges"), text).unwrap();
        let listeners: Vec<TcpListener> =
            (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let hosts = listeners.iter().map(|socket| socket.local_addr().unwrap().port()).collect();
        let case = Self { folder, hosts };
        let lines: Vec<_> = case.hosts.iter().map(|port| format!("127.0.0.1:{port}\n")).collect();
        std::fs::write(case.path("hosts.txt"), lines.concat()).unwrap();
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `nimoon cluster label` on the digraph, with these options, in this folder.
    fn start(&self, options: &str) -> Child {
        Command::new(env!("CARGO_BIN_EXE_nimoon"))
            .args(["cluster", "label", "digraph.edges", "--shards", "8"])
            .args(options.split_whitespace())
            .current_dir(self.folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts")
    }

    fn start_all(&self, options: &str) -> Vec<Child> {
        (0..self.hosts.len())
            .map(|process| self.start(&format!("--hosts hosts.txt --process {process} {options}")))
            .collect()
    }

    fn run(&self, options: &str) -> Output {
        ended(self.start(options))
    }

    fn shards(&self, out: &str) -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(self.path(out)).unwrap().map(|entry| entry.unwrap().path());
        entries
            .map(|path| {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                (name, std::fs::read(path).unwrap())
            })
            .collect()
    }
}

/// Waits for the end, but not for ever.
fn ended(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > LIMIT {
            child.kill().unwrap();
            panic!("it hangs: {:?}", child.wait_with_output());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

fn good(output: &Output) {
    assert!(output.status.success(), "{output:?}");
}

/// One line of error, with this in it.
fn wrong(output: &Output, code: i32, expected: &str) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    assert!(error.starts_with("error: ") && error.contains(expected), "{error}");
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
}

/// A path with a loop at its end and gray nodes on the way: many rounds.
fn path(len: usize) -> String {
    let mut text = String::from("0 0\n0 end\n");
    for node in 1..len {
        writeln!(text, "{node} {}", node - 1).unwrap();
        if node.is_multiple_of(7) {
            writeln!(text, "{node} g{node}\ng{node} {}\ngray g{node}", node - 3).unwrap();
        }
    }
    text
}

#[test]
fn processes_leave_the_same_bytes_as_threads() {
    let case = Case::new(&path(300), 2);
    good(&case.run("--out one"));
    good(&case.run("--out four --workers 4"));
    for child in case.start_all("--out two --workers 1") {
        good(&ended(child));
    }
    let children = case.start_all("--out twice-two --workers 2");
    for child in children {
        good(&ended(child));
    }
    let expected = case.shards("one");
    for out in ["four", "two", "twice-two"] {
        assert_eq!(case.shards(out), expected, "{out}");
    }
}

#[test]
fn a_process_that_is_killed_ends_all_and_the_rest_is_done_later() {
    let case = Case::new(&path(600), 2);
    good(&case.run("--out whole"));
    for (moment, kept) in ["digraph-", "levels-00000003", "levels-00000040"].into_iter().enumerate()
    {
        let out = format!("out-{moment}");
        let options = format!("--out {out} --checkpoint kept-{moment} --every-rounds 1");
        let mut children = case.start_all(&options);
        let start = Instant::now();
        let kept_now = || {
            let entries = std::fs::read_dir(case.path(&format!("kept-{moment}"))).ok();
            entries.into_iter().flatten().flatten().any(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                !name.contains(".new") && name.as_str() >= kept && name.starts_with(&kept[..6])
            })
        };
        while !kept_now() {
            assert!(start.elapsed() < LIMIT, "no checkpoint {kept}");
            assert!(children[0].try_wait().unwrap().is_none(), "it ended before it was killed");
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut killed = children.remove(1);
        killed.kill().unwrap();
        killed.wait().unwrap();
        wrong(&ended(children.remove(0)), 1, "process 1 at 127.0.0.1:");
        // Two processes go on, or one with three workers.
        if moment == 1 {
            good(&case.run(&format!("{options} --workers 3")));
        } else {
            for child in case.start_all(&options) {
                good(&ended(child));
            }
        }
        assert_eq!(case.shards(&out), case.shards("whole"), "{kept}");
    }
}

#[test]
fn hosts_and_numbers_that_do_not_fit_are_refused() {
    let case = Case::new("a b\n", 2);
    wrong(&case.run("--out out --hosts nowhere.txt --process 0"), 1, "nowhere.txt");
    std::fs::write(case.path("bad.txt"), "127.0.0.1:2101\nlocalhost\n").unwrap();
    wrong(
        &case.run("--out out --hosts bad.txt --process 0"),
        2,
        "bad.txt: line 2: found `localhost`",
    );
    wrong(&case.run("--out out --hosts hosts.txt --process 2"), 2, "there is no process 2");
    wrong(&case.run("--out out --workers 9"), 2, "9 workers need as many shards");
    wrong(&case.run("--out out --theory general"), 2, "the general theory goes by search");
    wrong(
        &case.run("--out out --hosts hosts.txt --process 0 --patience 1"),
        1,
        "process 1 at 127.0.0.1:",
    );
    let taken = TcpListener::bind(("127.0.0.1", case.hosts[0])).unwrap();
    wrong(
        &case.run("--out out --hosts hosts.txt --process 0 --patience 1"),
        1,
        "cannot be listened on",
    );
    drop(taken);
}

#[test]
fn processes_of_another_version_or_question_are_refused() {
    let case = Case::new("a b\n", 2);
    // Another version calls the first process.
    let child = case.start("--out out --hosts hosts.txt --process 0 --patience 60");
    let mut stream = called(case.hosts[0]);
    let greeting = r#"{"nimoon":"nimoon 9.9.9, protocol 7","process":1,"processes":2,"workers":1,"question":"","data":false}"#;
    writeln!(stream, "{greeting}").unwrap();
    let mut answer = String::new();
    BufReader::new(stream.try_clone().unwrap()).read_line(&mut answer).unwrap();
    assert!(answer.contains("\"nimoon\":\"nimoon "), "{answer}");
    wrong(&ended(child), 2, "process 1 has nimoon 9.9.9, protocol 7, this one nimoon ");
    // Who is no process of nimoon is passed over; the others differ in their theory.
    let first = case.start("--out out --hosts hosts.txt --process 0 --theory cyclic --patience 60");
    called(case.hosts[0]).write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let second = case.start("--out out --hosts hosts.txt --process 1 --patience 60");
    wrong(&ended(first), 2, "--theory auto");
    wrong(&ended(second), 2, "--theory cyclic");
}

/// A connection, as soon as somebody listens.
fn called(port: u16) -> TcpStream {
    let start = Instant::now();
    loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => return stream,
            Err(error) => assert!(start.elapsed() < LIMIT, "{error}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn query(folder: &Path, arguments: &[&str]) -> Output {
    let child = Command::new(env!("CARGO_BIN_EXE_nimoon"))
        .args(["cluster", "query"])
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    ended(child)
}

#[test]
fn values_and_sums_come_from_the_manifest() {
    // The digraph of the first example: x is a moon, a is 1.
    let case = Case::new("gray g h\na z\ng z\nc c\nc g\nh c\nx z\nx h\n", 1);
    let output = case.run("--out out --workers 2");
    good(&output);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.starts_with("carry-on theory: 6 nodes (2 gray), 7 arcs; checksum "), "{text}");
    let folder = case.folder.path();
    let output = query(folder, &["out/manifest.json", "x", "a"]);
    good(&output);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "x  N  ☾₀\na  N  1\n\nsum  ☾₁, N (carry-on theory)\n"
    );
    let output = query(folder, &["out", "x", "g", "--format", "json"]);
    good(&output);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["nodes"][0]["value"]["kind"], "moon");
    assert_eq!(json["nodes"][1]["color"], "gray");
    assert_eq!(json["sum"], serde_json::Value::Null);
    wrong(&query(folder, &["out", "nobody"]), 2, "there is no node `nobody`");
    wrong(&query(folder, &["out", "g", "h"]), 2, "are both gray");
    wrong(&query(folder, &["digraph.edges", "x"]), 2, "this is no manifest");
    wrong(&query(folder, &["nowhere.json", "x"]), 1, "nowhere.json");
    // A shard that is damaged, and then missing.
    let shards: Vec<String> =
        case.shards("out").into_keys().filter(|name| name.starts_with("shard-")).collect();
    let of_x = shards
        .iter()
        .find(|name| std::fs::read_to_string(case.path("out").join(name)).unwrap().contains("x\t"));
    let shard = case.path("out").join(of_x.unwrap());
    let mut text = String::new();
    std::fs::File::open(&shard).unwrap().read_to_string(&mut text).unwrap();
    std::fs::write(&shard, text.replace("x\tmoon{0}", "x\tmoon{1}")).unwrap();
    wrong(&query(folder, &["out", "x"]), 2, "it is damaged, or of another run");
    std::fs::remove_file(&shard).unwrap();
    wrong(&query(folder, &["out", "x"]), 2, "the shard is missing");
}
