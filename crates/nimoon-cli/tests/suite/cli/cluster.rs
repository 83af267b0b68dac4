//! `nimoon cluster`: processes over loopback, what they leave, and how they end when something is
//! wrong.

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
    wrong(&case.run("--out out --hosts hosts.txt --process 2"), 2, "unknown process 2");
    wrong(&case.run("--out out --workers 9"), 2, "9 workers need at least as many shards");
    wrong(
        &case.run("--out out --hosts hosts.txt --process 0 --patience 1"),
        1,
        "process 1 at 127.0.0.1:",
    );
    let taken = TcpListener::bind(("127.0.0.1", case.hosts[0])).unwrap();
    wrong(&case.run("--out out --hosts hosts.txt --process 0 --patience 1"), 1, "cannot listen on");
    drop(taken);
}

#[test]
fn a_hosts_file_that_says_nothing_usable_is_refused() {
    let case = Case::new("a b\n", 1);
    let cases = [
        ("", 2, "bad.txt: found no address, expected a line for each process"),
        ("# nobody\n\n", 2, "bad.txt: found no address"),
        ("127.0.0.1:2101\n127.0.0.1\n", 2, "bad.txt: line 2: found `127.0.0.1`, expected"),
        ("127.0.0.1:port\n", 2, "bad.txt: line 1: found `127.0.0.1:port`"),
        ("127.0.0.1:0\n", 2, "bad.txt: line 1: found `127.0.0.1:0`"),
        ("127.0.0.1:2101\n127.0.0.1:2101\n", 2, "line 2: found `127.0.0.1:2101` a second time"),
        ("127.0.0.1:2101\nno host at all:2102\n", 2, "bad.txt: line 2: found `no host"),
        ("nobody.invalid:2101\n127.0.0.1:2102\n", 1, "cannot find the host of nobody.invalid:2101"),
    ];
    for (text, code, expected) in cases {
        std::fs::write(case.path("bad.txt"), text).unwrap();
        wrong(&case.run("--out out --hosts bad.txt --process 0 --patience 60"), code, expected);
    }
    wrong(&case.run("--out out --hosts hosts.txt --process 1"), 2, "unknown process 1");
    let output = case.run("--out out --hosts hosts.txt");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn a_process_that_sends_nothing_is_reported() {
    let case = Case::new("a b\n", 2);
    // Process 1 calls somebody who accepts and never answers, and then one who answers with
    // something else.
    let silent = TcpListener::bind(("127.0.0.1", case.hosts[0])).unwrap();
    let child = case.start("--out out --hosts hosts.txt --process 1 --patience 2");
    let (_held, _) = silent.accept().unwrap();
    wrong(&ended(child), 1, "did not answer as process 0 within 2 seconds");
    drop(silent);
    // Process 0 is called by such people, and waits for process 1.
    let child = case.start("--out out --hosts hosts.txt --process 0 --patience 2");
    let mut held = [called(case.hosts[0]), called(case.hosts[0])];
    held[0].write_all(b"{").unwrap();
    wrong(&ended(child), 1, "did not connect within 2 seconds");
}

#[cfg(unix)]
#[test]
fn a_process_that_stands_still_is_given_up() {
    let signal = |name: &str, child: &Child| {
        let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
    };
    let case = Case::new(&path(3000), 2);
    let options = "--out out --checkpoint kept --every-rounds 1 --patience 5";
    let mut children = case.start_all(options);
    let start = Instant::now();
    let kept = || case.path("kept").exists() && !case.shards("kept").is_empty();
    while !kept() {
        assert!(start.elapsed() < LIMIT, "nothing is kept");
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut stopped = children.remove(1);
    signal("-STOP", &stopped);
    let output = ended(children.remove(0));
    stopped.kill().unwrap();
    stopped.wait().unwrap();
    wrong(&output, 1, "process 1 at 127.0.0.1:");
    assert!(String::from_utf8_lossy(&output.stderr).contains("is gone"));
}

#[test]
fn processes_that_are_started_differently_are_refused_on_both_sides() {
    let case = Case::new("a b\n", 2);
    for (first, second) in [
        ("--workers 2", "--workers 1"),
        ("--remoteness normal", "--remoteness misere"),
        ("--theory cyclic", "--theory short"),
    ] {
        let start = |process: usize, options: &str| {
            case.start(&format!("--out out --hosts hosts.txt --process {process} {options}"))
        };
        let children = [start(0, first), start(1, second)];
        let [zero, one] = children.map(ended);
        wrong(&zero, 2, second);
        wrong(&one, 2, first);
        wrong(&one, 2, "start all of them with the same arguments");
    }
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
    // A client that is not nimoon is ignored; the two processes differ in their theory.
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
    wrong(&query(folder, &["out", "nobody"]), 2, "unknown node `nobody`");
    wrong(&query(folder, &["out", "g", "h"]), 2, "are both gray");
    wrong(&query(folder, &["digraph.edges", "x"]), 2, "not a manifest");
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

#[test]
fn a_manifest_or_a_shard_that_is_not_what_it_was_is_refused() {
    let case = Case::new("a b\nb c\nc a\nc d\ne d\nf e\n", 1);
    good(&case.run("--out out --workers 2"));
    let folder = case.folder.path();
    let manifest = case.path("out/manifest.json");
    let whole = std::fs::read_to_string(&manifest).unwrap();
    let lists = |name: &str| {
        let text = std::fs::read_to_string(case.path("out").join(name)).unwrap();
        text.lines().any(|line| line.starts_with("a\t"))
    };
    let shards: Vec<String> =
        case.shards("out").into_keys().filter(|name| name.starts_with("shard-")).collect();
    let of_a = shards.iter().find(|name| lists(name)).unwrap();
    let other = shards.iter().find(|name| {
        let len = std::fs::metadata(case.path("out").join(name)).unwrap().len();
        *name != of_a && len > 0
    });
    // Truncated, swapped with another one, and a folder in its place.
    let shard = case.path("out").join(of_a);
    let text = std::fs::read(&shard).unwrap();
    for bytes in [&text[..text.len() - 1], &text[..1], &[]] {
        std::fs::write(&shard, bytes).unwrap();
        let output = query(folder, &["out", "a"]);
        if bytes.len() + 1 < text.len() {
            wrong(&output, 2, "it is damaged, or of another run");
        }
    }
    std::fs::copy(case.path("out").join(other.unwrap()), &shard).unwrap();
    wrong(&query(folder, &["out", "a"]), 2, "it is damaged, or of another run");
    std::fs::remove_file(&shard).unwrap();
    std::fs::create_dir(&shard).unwrap();
    wrong(&query(folder, &["out", "a"]), 1, of_a);
    std::fs::remove_dir(&shard).unwrap();
    std::fs::write(&shard, &text).unwrap();
    good(&query(folder, &["out", "a"]));
    // The manifest: truncated, of another format, without shards, of an unknown theory.
    for (changed, expected) in [
        (whole[..whole.len() / 2].to_owned(), "not a manifest"),
        (whole.replace("\"nimoon_manifest\": 1", "\"nimoon_manifest\": 99"), "has format 99"),
        (whole.replace("\"nodes\"", "\"knots\""), "the manifest is damaged"),
        (whole.replace("\"cyclic\"", "\"psychic\""), "psychic"),
        ("{}".to_owned(), "not a manifest"),
        (String::new(), "not a manifest"),
    ] {
        assert_ne!(changed, whole);
        std::fs::write(&manifest, changed).unwrap();
        wrong(&query(folder, &["out", "a"]), 2, expected);
    }
    std::fs::remove_file(&manifest).unwrap();
    wrong(&query(folder, &["out", "a"]), 1, "manifest.json");
}

#[test]
fn positions_may_stand_where_files_do() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nimoon"));
        let output = command
            .args(["cluster", "label", "--format", "json"])
            .args(arguments.split_whitespace())
            .current_dir(folder.path())
            .output()
            .expect("it runs");
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, manifest) = run("kayles:9");
    assert_eq!(code, Some(0));
    assert!(folder.path().join("labels/manifest.json").is_file());
    assert_eq!(run("--ruleset kayles:9 --out named"), (code, manifest));
    assert_ne!(run("no-ruleset:9").0, Some(0));
}

#[test]
fn a_limit_ends_all_processes_which_then_resume_from_checkpoints() {
    let case = Case::new(&path(3000), 2);
    good(&case.run("--out whole --workers 2"));
    for (option, little) in [("--memory", "1K"), ("--time", "0")] {
        let reply = format!("raise it with {option}");
        wrong(&case.run(&format!("--out out {option} {little}")), 3, &reply);
        // The first process ends, and so the other one does.
        let limits = format!("{option} {little} --checkpoint kept");
        let first = case.start(&format!("--hosts hosts.txt --process 0 --out out {limits}"));
        let second = case.start("--hosts hosts.txt --process 1 --out out --checkpoint kept");
        for process in [first, second] {
            wrong(&ended(process), 3, &format!("{reply}; the command then resumes from"));
        }
        assert!(case.path("kept").read_dir().unwrap().next().is_some());
    }
    let output = case.run("--out out --checkpoint kept --log");
    good(&output);
    assert!(String::from_utf8_lossy(&output.stderr).contains("resumed from"), "{output:?}");
    assert_eq!(case.shards("out"), case.shards("whole"));
}

#[test]
fn a_checkpoint_of_other_contents_is_refused() {
    let case = Case::new(&path(3000), 1);
    for local in ["", "--local --hosts hosts.txt --process 0 "] {
        let run = format!("{local}--workers 2 --out out --checkpoint kept --every-rounds 5");
        wrong(&case.run(&format!("{run} --time 0")), 3, "raise it with --time");
        let text = std::fs::read_to_string(case.path("digraph.edges")).unwrap();
        // One arc elsewhere, and as many bytes as before.
        let other = text.replacen("0 end\n", "1 end\n", 1);
        assert_ne!(text, other);
        std::fs::write(case.path("digraph.edges"), other).unwrap();
        wrong(&case.run(&run), 2, "a checkpoint of another input");
        std::fs::write(case.path("digraph.edges"), text).unwrap();
        good(&case.run(&run));
    }
}
