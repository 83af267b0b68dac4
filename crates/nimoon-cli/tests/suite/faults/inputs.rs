//! Missing input, input of the wrong kind and truncated input have their own messages and exit
//! codes.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::faults::program::{argument, examples, failed, nimoon};

/// Every way to name an input, where `%` stands for it without its extension.
const READERS: [&[&str]; 11] = [
    &["label", "%.game"],
    &["label", "%.json", "--format", "json"],
    &["sum", "%.game", "a"],
    &["remoteness", "%.edges"],
    &["compound", "selective", "%.game", "a", "b"],
    &["loopy", "%.json"],
    &["compare", "%.json", "0"],
    &["check", "%.json"],
    &["value", "nim:3", "--rules", "%.rhai"],
    &["value", "@%.txt"],
    &["affine", "@%.txt"],
];

/// The program with `%` replaced.
fn run(line: &[&str], name: &Path) -> Output {
    let arguments: Vec<String> =
        line.iter().map(|word| word.replace('%', argument(name))).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    nimoon(&arguments).output().expect("the program runs")
}

/// The extension of the input of such a line.
fn extension(line: &[&str]) -> &'static str {
    let all = ["game", "json", "edges", "rhai", "txt"];
    let of = |extension: &&&str| line.iter().any(|word| word.ends_with(*extension));
    all.iter().find(of).expect("it has an input")
}

#[test]
fn an_error_says_which_input_cannot_be_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("file"), "a: b").expect("the file is written");
    for line in READERS {
        let with = |name: &str| at(&format!("{name}.{}", extension(line)));
        // The same names are made for several lines.
        for name in ["dangling", "loop", "folder", "socket", "closed"] {
            let _ = fs::remove_file(with(name));
            let _ = fs::remove_dir(with(name));
        }
        symlink(at("nowhere"), with("dangling")).expect("a link");
        symlink(with("loop"), with("loop")).expect("a link");
        fs::create_dir(with("folder")).expect("a folder");
        let _socket = UnixListener::bind(with("socket")).expect("a socket");
        fs::write(with("closed"), "a: b").expect("the file is written");
        fs::set_permissions(with("closed"), fs::Permissions::from_mode(0o000)).expect("it is ours");
        let mut cases = vec![
            ("gone", "No such file or directory"),
            ("dangling", "No such file or directory"),
            ("file/inside", "Not a directory"),
            ("folder", "Is a directory"),
        ];
        if cfg!(target_os = "linux") {
            cases.push(("loop", "Too many levels of symbolic links"));
            cases.push(("socket", "No such device or address"));
        }
        // Nothing is closed to who may do everything.
        if File::open(with("closed")).is_err() {
            cases.push(("closed", "Permission denied"));
        }
        for (name, reason) in cases {
            let says = format!("{} cannot be read: {reason}", with(name).display());
            let output = run(line, &at(name));
            failed(&output, 1, &[&says]);
            assert!(output.stdout.is_empty(), "{line:?}: {output:?}");
        }
    }
}

/// Stores and checkpoints: a missing file is an error, and a file of another kind stays unchanged.
#[test]
fn an_error_says_which_store_or_checkpoint_cannot_be_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("folder")).expect("a folder");
    fs::write(at("file"), "a: b").expect("the file is written");
    symlink(at("nowhere"), at("dangling")).expect("a link");
    let (store, keep) = (["store", "%"], ["value", "nim:3", "--store", "%"]);
    let table = ["table", "nim", "0..3", "--checkpoint", "%"];
    let cases: [(&[&str], &str, i32, &str); 10] = [
        (&store, "gone", 1, ": cannot open the store: No such file or directory"),
        (&store, "dangling", 1, ": cannot open the store: No such file or directory"),
        (&store, "file/inside", 1, ": cannot open the store: Not a directory"),
        (&store, "folder", 2, ": not a store; the file is unchanged: name another file"),
        (&store, "file", 2, ": not a store; the file is unchanged: name another file"),
        (&keep, "file/inside", 1, ": cannot open the store: Not a directory"),
        (&keep, "folder", 2, ": not a store; the file is unchanged: name another file"),
        (&table, "file/inside", 1, " cannot be read: Not a directory"),
        (&table, "folder", 2, ": a checkpoint must be a regular file; the file is unchanged"),
        (&table, "file", 2, ": this is not a checkpoint of a table; the file is unchanged"),
    ];
    for (line, name, code, says) in cases {
        let says = format!("{}{says}", at(name).display());
        failed(&run(line, &at(name)), code, &[&says]);
    }
}

/// A pipe whose writer dies ends there, and the error has the place.
#[test]
fn input_whose_writer_dies_in_the_middle_has_an_error_with_the_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases: [(&[&str], &str, usize, &str); 10] = [
        (&["label", "%.json"], "formats/tavern.json", 0, "line 1, column 1: the file has no nodes"),
        (
            &["label", "%.json"],
            "formats/tavern.json",
            100,
            "line 4, column 34: found the end of the file, expected",
        ),
        (&["label", "%.game"], "zones.game", 0, "line 1, column 1: the file has no nodes"),
        (
            &["label", "%.dot"],
            "formats/tavern.dot",
            150,
            "line 7, column 16: found the end of the file, expected a node",
        ),
        (
            &["loopy", "%.json"],
            "over.json",
            30,
            "line 2, column 2: found the end of the file, expected `\"` at the end of the string",
        ),
        (
            &["check", "%.json"],
            "certificates/trap.json",
            150,
            "this proves nothing: 6:20: not a certificate: EOF while parsing a string",
        ),
        (&["check", "%.json"], "certificates/trap.json", 0, "this proves nothing: 1:0: "),
        (
            &["value", "x:3", "--rules", "%.rhai"],
            "rules/squares.rhai",
            300,
            ":8:11: Script is incomplete",
        ),
        (
            &["value", "x:3", "--rules", "%.rhai"],
            "rules/squares.rhai",
            0,
            "a ruleset needs a function `fn options(p) { … }`",
        ),
        (&["value", "@%.txt"], "rulesets/x", 0, "1:1: expected `ruleset:position`"),
    ];
    for (line, file, length, says) in cases {
        let name = folder.path().join("pipe");
        let whole = fs::read(examples().join(file)).unwrap_or_default();
        let pipe = name.with_extension(
            line.iter().find_map(|word| word.split_once("%.")).expect("an input").1,
        );
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo").success());
        // Half of it is written; then the writer is gone without a word.
        let part = whole[..length].to_vec();
        let to = pipe.clone();
        let writer = std::thread::spawn(move || {
            let mut pipe = File::options().write(true).open(to).expect("it is opened");
            pipe.write_all(&part).expect("it is read");
        });
        let output = run(line, &name);
        writer.join().expect("it is done");
        failed(&output, 2, &[argument(&pipe), says]);
        assert!(output.stdout.is_empty(), "{line:?}: {output:?}");
        fs::remove_file(&pipe).expect("it is removed");
    }
}

/// Two arcs, and remarks between them that take some time to read.
#[cfg(target_os = "linux")]
fn write_long(file: &Path) {
    let remark = format!("# {}\n", "-".repeat(1021));
    fs::write(file, format!("a b\n{}b c\n", remark.repeat(32 << 10))).expect("it is written");
}

/// Starts the program, does something to a file once it is open, and waits for the end.
#[cfg(target_os = "linux")]
fn meanwhile(line: &[&str], file: &Path, act: impl FnOnce()) -> Output {
    let mut command = nimoon(line);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let folder = format!("/proc/{}/fd", child.id());
    let is_open = || {
        let open = fs::read_dir(&folder).into_iter().flatten().flatten();
        open.map(|open| fs::read_link(open.path())).any(|to| to.is_ok_and(|to| to == file))
    };
    while !is_open() && child.try_wait().expect("it is our child").is_none() {}
    act();
    child.wait_with_output().expect("it ends")
}

/// What is left is a digraph too, but not the one that was asked for.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_becomes_shorter_while_it_is_read_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = fs::canonicalize(folder.path()).expect("it is there").join("long.edges");
    let line = ["label", argument(&file), "--format", "csv"];
    let mut answered = 0;
    loop {
        write_long(&file);
        let cut = || {
            let opened = File::options().write(true).open(&file).expect("it is ours");
            opened.set_len(4 + 1024).expect("it is cut");
        };
        let output = meanwhile(&line, &file, cut);
        if output.status.success() {
            // It was read to its end before; then it is the answer for all of it.
            let reply = String::from_utf8_lossy(&output.stdout);
            assert_eq!(reply.lines().count(), 4, "an answer for a part: {reply}");
            answered += 1;
            assert!(answered < 50, "it is always read before it can be cut");
            continue;
        }
        let says = format!("{} cannot be read: it became shorter while it was read", line[1]);
        failed(&output, 1, &[&says]);
        assert!(output.stdout.is_empty(), "{output:?}");
        return;
    }
}

/// Who has a file open can read it to its end, whatever happens to its name.
#[cfg(target_os = "linux")]
#[test]
fn a_file_whose_name_vanishes_while_it_is_read_is_read_to_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = fs::canonicalize(folder.path()).expect("it is there").join("long.edges");
    let line = ["label", argument(&file), "--format", "csv"];
    write_long(&file);
    let output = meanwhile(&line, &file, || fs::remove_file(&file).expect("it is there"));
    assert!(output.status.success() && !file.exists(), "{output:?}");
    let reply = String::from_utf8_lossy(&output.stdout);
    assert_eq!(reply.lines().count(), 4, "{reply}");
    let output = nimoon(&line).output().expect("the program runs");
    failed(&output, 1, &["long.edges cannot be read: No such file or directory"]);
}
