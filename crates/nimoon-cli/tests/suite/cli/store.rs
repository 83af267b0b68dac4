//! `--store`, and `nimoon store`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nimoon::EntailingValue::Nimber;
use nimoon::ruleset::memory::Memory;
use nimoon_formats::checkpoint::{Header, write};
use nimoon_formats::sequence::KnownRows;
use nimoon_store::{Options, Store};
use tempfile::TempDir;

use crate::cli::bad_input::{failed, refused};
use crate::cli::program::{Run, examples, run, run_on, words};

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("solved.store");
    (folder, path)
}

/// Runs a command with this store.
fn with(path: &Path, command: &str) -> Run {
    let path = path.to_str().expect("a path in UTF-8");
    let mut words = words(command);
    words.extend(["--store", path]);
    run(&words)
}

/// Runs `nimoon store` on this file.
fn store(path: &Path, options: &str) -> Run {
    let mut all = vec!["store", path.to_str().expect("a path in UTF-8")];
    all.extend(words(options));
    run(&all)
}

#[test]
fn answers_are_the_same_with_a_store() {
    let (_folder, path) = folder();
    let commands = [
        "value nimstring:2x3 --turns",
        "value nimstring:2x2+nimstring:2x3 --format json",
        "value nimstring:2x3/000001000/00000000 --explain",
        "value green-lime:0-1g,1-2l,2-3g,3-0l,1-3g,3-4l+lights:bsbsbsbs --turns --explain",
        "value slide[-5,-6,+12;40]:33 --theory carry-on",
        "value lights:3b4s2bsb --rules rules/lights.rhai",
        "value lights:3b4s2bsb",
        "value ladders[rulesets/ladders.json]:3 --format json",
        "value backsliding:ttt..fff",
        "value nimstring:4x4 --budget 1000",
        "table top-entails 0..300 --format bfile",
        "table top-entails 0..300 --moons",
        "table top-entails 0..200",
        "table top-entails 100..700 --format csv",
        "table top-entails 0..5000 --format csv",
        "table nimstring:1x{} 1..6",
        "table nimstring:1x{} 1..8 --format csv",
        "table nimstring:1x{} 1..3",
        "table lights:{}bs3b 0..9 --rules rules/lights.rhai",
        "table slide[-5,-6,+12;14] 9..14",
    ];
    for round in 0..2 {
        for command in commands {
            let [expected, found] = [run(&words(command)), with(&path, command)];
            let [expected, found] = [expected, found].map(|run| (run.code, run.stdout, run.stderr));
            assert_eq!(found, expected, "{command}, round {round}");
        }
    }
    let reply = store(&path, "--check").answer();
    for (ruleset, what) in [("nimstring ", "explorations"), ("top-entails:{} ", "table")] {
        let mut lines = reply.lines().filter(|line| line.starts_with(ruleset));
        assert!(lines.any(|line| line.contains(what)), "{reply}");
    }
}

#[test]
fn what_was_explored_is_recalled_by_the_same_rules_alone() {
    let (_folder, path) = folder();
    let script = path.with_file_name("steps.rhai");
    let source = "fn options(n) { if n > 0 { [n - 1] } else { [] } }";
    fs::write(&script, source).expect("the script is written");
    let command = |size: u32| format!("value steps:{size} --rules {}", script.display());
    let length = || fs::metadata(&path).expect("the store is there").len();
    let first = with(&path, &command(300)).answer();
    let before = length();
    // Who explores keeps what was found, and who recalls has nothing to keep; followers are
    // recalled too.
    assert_eq!(with(&path, &command(300)).answer(), first);
    with(&path, &command(299)).answer();
    with(&path, &command(200)).answer();
    assert_eq!(length(), before);
    // What leads to it is explored up to there, and that is not worth keeping.
    with(&path, &command(310)).answer();
    assert_eq!(length(), before);
    // Another script of the same name is another ruleset.
    fs::write(&script, source.replace("[n - 1]", "[n - 1, 0]")).expect("the script is written");
    assert!(with(&path, &command(300)).answer().contains("steps:300  N  2\n"));
    assert!(length() > before);
}

#[test]
fn rows_of_tables_are_taken_from_the_store() {
    let (_folder, path) = folder();
    let header = Header {
        program: env!("CARGO_PKG_VERSION").into(),
        table: "kayles:{}".into(),
        theory: None,
        files: 0,
    };
    // What is not so shows where it comes from.
    let mut lie = Vec::new();
    write(&header, KnownRows::Heaps(&[Nimber(0), Nimber(2)]), &mut lie).expect("it is written");
    let store = Store::open(&path, Options::default()).expect("a store");
    let key = [&b"heaps "[..], &0_u64.to_le_bytes()].concat();
    store.keep("kayles:{}\ttable\tauto 0000000000000000", &key, &lie);
    drop(store);
    let reply = with(&path, "table kayles 0..1 --format bfile").answer();
    assert!(reply.ends_with("0 0\n1 2\n"), "{reply}");
    let reply = with(&path, "table kayles 0..1 --format bfile --theory short").answer();
    assert!(reply.ends_with("0 0\n1 1\n"), "{reply}");
}

#[test]
fn play_and_sessions_use_the_store() {
    let (_folder, path) = folder();
    let path = path.to_str().expect("a path in UTF-8");
    let game = ["play", "nimstring:2x2", "--first", "engine"];
    let expected = run_on("quit\n", &game).answer();
    let session = "nimstring:2x2 + nimstring:1x3\nx = green-lime:0-1g,1-2l,2-3g,3-0l,1-3g\nx + x\n";
    let answered = run_on(session, &["repl"]).answer();
    for _ in 0..2 {
        let stored = [&game[..], &["--store", path]].concat();
        assert_eq!(run_on("quit\n", &stored).answer(), expected);
        assert_eq!(run_on(session, &["repl", "--store", path]).answer(), answered);
    }
    let reply = store(Path::new(path), "").answer();
    assert!(reply.contains("green-lime") && reply.contains("nimstring"), "{reply}");
}

#[test]
fn other_files_are_rejected_as_stores_and_unchanged() {
    let (folder, path) = folder();
    let good = {
        with(&path, "value nimstring:2x2").answer();
        fs::read(&path).expect("the store is there")
    };
    let text = String::from_utf8_lossy(&good[..256]).into_owned();
    let newer = text.replace("format 1", "format 2");
    let cases: [&[u8]; 4] = [b"anything at all", newer.as_bytes(), &good[..200], &[0; 5000]];
    for bytes in cases {
        fs::write(&path, bytes).expect("it is written");
        for command in ["value nimstring:2x2", "table kayles 0..3"] {
            refused(&with(&path, command), &["store"]);
        }
        for options in ["", "--check", "--clear", "--size 1MiB", "--repair"] {
            refused(&store(&path, options), &["store"]);
        }
        assert_eq!(fs::read(&path).expect("it is there"), bytes);
    }
    let missing = folder.path().join("no/folder/a.store");
    failed(&with(&missing, "value nim:3"), 1, &["cannot open the store"]);
    failed(&store(&missing, "--clear"), 1, &["cannot open the store"]);
    refused(&with(folder.path(), "value nim:3"), &["not a store"]);
}

#[test]
fn a_store_is_looked_after() {
    let (_folder, path) = folder();
    assert!(
        store(&path, "--size 300KiB").answer().contains("0 entries, 256 bytes of at most 307200")
    );
    with(&path, "value nimstring:2x2").answer();
    with(&path, "table nimstring:1x{} 1..5").answer();
    with(&path, "table octal[0.77] 0..50").answer();
    let json = store(&path, "--format json --check").json();
    assert_eq!((&json["format"], &json["most"]), (&1.into(), &307_200.into()));
    assert_eq!(json["checked"]["damaged"], 0);
    let rulesets = json["rulesets"].as_array().expect("a list");
    let names: Vec<_> = rulesets.iter().filter_map(|ruleset| ruleset["ruleset"].as_str()).collect();
    assert_eq!(names, ["nimstring", "nimstring:1x{}", "octal[0.77]:{}"]);
    let reply = store(&path, "--forget nimstring").answer();
    assert!(!reply.contains("nimstring") && reply.contains("octal[0.77]:{}"), "{reply}");
    // One wrong bit in the values.
    let mut bytes = fs::read(&path).expect("the store is there");
    let place = bytes.windows(5).position(|window| window == b"rows ").expect("a table");
    bytes[place] ^= 4;
    fs::write(&path, bytes).expect("it is written");
    let checked = store(&path, "--check");
    failed(&checked, 2, &["damaged: 1 entry and 0 other bytes"]);
    assert!(checked.stdout.contains("0 entries good, 1 damaged"), "{}", checked.stdout);
    // Damaged entries are computed again and stored beside the old ones.
    let expected = run(&words("table octal[0.77] 0..40")).answer();
    assert_eq!(with(&path, "table octal[0.77] 0..40").answer(), expected);
    store(&path, "--repair").answer();
    store(&path, "--check").answer();
    assert!(store(&path, "--clear").answer().contains("0 entries"));
    for wrong in ["--size 5", "--size much", "--check --clear"] {
        assert_eq!(store(&path, wrong).code, Some(2), "{wrong}");
    }
}

#[test]
fn what_a_search_has_found_is_forgotten_with_its_ruleset() {
    let (_folder, path) = folder();
    for ruleset in ["nimstring", "coins"] {
        with(&path, "value nimstring:3x3").answer();
        with(&path, "table octal[0.77] 0..50").answer();
        let reply = store(&path, "").answer();
        assert!(reply.contains("\nstrings "), "{reply}");
        let reply = store(&path, &format!("--forget {ruleset}")).answer();
        assert!(!reply.contains("strings") && reply.contains("octal[0.77]:{}"), "{reply}");
        let before = fs::read(&path).expect("the store is there");
        for nothing in [ruleset, "coin", "octal"] {
            let refusal = store(&path, &format!("--forget octal[0.77] --forget {nothing}"));
            refused(&refusal, &[&format!("has no entries of `{nothing}`")]);
        }
        assert_eq!(fs::read(&path).expect("the store is there"), before);
    }
}

/// The program itself, to be stopped at any moment.
fn spawn(path: &Path, command: &str) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_nimoon"))
        .current_dir(examples())
        .args(words(command))
        .arg("--store")
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs")
}

#[test]
fn a_program_that_is_killed_leaves_a_store_that_can_be_used() {
    let (_folder, path) = folder();
    let mut wait = 1;
    for kill in 0..24 {
        let command = ["value nimstring:2x3", "table octal[0.6] 0..3000000"][kill % 2];
        let command = format!("{command} --budget {}", 4_000_000 + kill);
        let mut process = spawn(&path, &command);
        wait = wait * 7 % 211;
        std::thread::sleep(Duration::from_millis(wait));
        process.kill().expect("it can be killed");
        process.wait().expect("it ends");
        if path.exists() {
            store(&path, "--check").answer();
        }
    }
    let [expected, found] =
        [run(&words("value nimstring:2x3")), with(&path, "value nimstring:2x3")].map(Run::answer);
    assert_eq!(found, expected);
}

#[cfg(unix)]
#[test]
fn a_table_keeps_what_it_has_when_it_is_interrupted() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let (_folder, path) = folder();
        let mut process = spawn(&path, "table octal[0.6] 0..3000000");
        // It catches the signal once it has opened the store.
        let start = Instant::now();
        while !path.exists() && start.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(10));
        }
        std::thread::sleep(Duration::from_millis(800));
        let number = process.id().to_string();
        Command::new("kill").args([signal, &number]).status().expect("kill runs");
        let end = process.wait().expect("it ends");
        assert_eq!(end.code(), Some(130), "{signal}");
        let reply = store(&path, "--check").answer();
        assert!(reply.contains("octal[0.6]:{}  table"), "{reply}");
    }
}

#[test]
fn several_programs_use_a_store_at_once() {
    let (_folder, path) = folder();
    let commands = ["value nimstring:2x3", "value lights:bsbsbsbsbs", "table top-entails 0..2000"];
    for _ in 0..2 {
        let mut running: Vec<_> =
            commands.iter().cycle().take(6).map(|command| spawn(&path, command)).collect();
        for process in &mut running {
            assert!(process.wait().expect("it ends").success());
        }
    }
    let reply = store(&path, "--check").answer();
    for ruleset in ["nimstring", "lights", "top-entails"] {
        assert!(reply.contains(ruleset), "{reply}");
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_costs_nothing_but_time() {
    let (_folder, path) = folder();
    let program = env!("CARGO_BIN_EXE_nimoon");
    let expected = run(&words("value nimstring:2x3")).answer();
    // Files of more than 16 blocks of 512 or 1024 bytes cannot be written; with a signal, or
    // without.
    for trap in ["trap '' XFSZ; ", ""] {
        let line = format!(
            "{trap}ulimit -f 16; exec {program} value nimstring:2x3 --store {}",
            path.display()
        );
        let output = Command::new("sh").args(["-c", &line]).output().expect("a shell");
        if !trap.is_empty() {
            assert_eq!(output.status.code(), Some(0));
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
        }
        store(&path, "--check").answer();
        assert!(fs::metadata(&path).expect("the store is there").len() <= 16 * 1024);
    }
    assert_eq!(with(&path, "value nimstring:2x3").answer(), expected);
    assert!(fs::metadata(&path).expect("the store is there").len() > 16 * 1024);
}

#[cfg(unix)]
#[test]
fn a_store_that_cannot_be_written_to_is_read() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;
    let (folder, path) = folder();
    let expected = with(&path, "value nimstring:2x3").answer();
    let before = fs::read(&path).expect("the store is there");
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    set(&path, 0o444).and_then(|()| set(folder.path(), 0o555)).expect("they can be set");
    for expression in ["nimstring:2x3", "lights:bsbsbsbs"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nimoon"));
        command.args(["value", expression, "--store"]).arg(&path);
        if fs::metadata(folder.path()).is_ok_and(|metadata| metadata.uid() == 0) {
            // The superuser may write anywhere; nobody may not.
            command.uid(65_534);
        }
        match command.output() {
            Ok(output) if output.status.code() == Some(0) => {
                if expression == "nimstring:2x3" {
                    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
                }
            }
            // The program itself may stand where others cannot go.
            Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied),
        }
    }
    set(folder.path(), 0o755).expect("it can be set");
    assert_eq!(fs::read(&path).expect("the store is there"), before);
}

#[test]
fn deleting_the_store_loses_only_time() {
    let (_folder, path) = folder();
    let command = "value nimstring:2x2 --turns";
    let first = with(&path, command).answer();
    fs::remove_file(&path).expect("it is there");
    assert_eq!(with(&path, command).answer(), first);
    assert!(path.exists());
}

#[test]
fn a_store_is_looked_after_within_limits_and_changed_as_a_whole_or_not_at_all() {
    let (folder, path) = folder();
    with(&path, "value nimstring:2x3").answer();
    with(&path, "table kayles 0..300").answer();
    let before = fs::read(&path).expect("it is there");
    for (option, little) in [("--budget", "0"), ("--memory", "10"), ("--time", "0")] {
        for action in ["--check", "--repair", "--forget kayles", "--forget kayles --size 1GiB"] {
            let reply = store(&path, &format!("{action} {option} {little}"));
            assert_eq!((reply.code, reply.error_lines()), (Some(3), 1), "{}", reply.stderr);
            assert!(reply.stderr.contains(&format!("raise it with {option}")), "{}", reply.stderr);
            let said =
                if action == "--check" { "before everything" } else { "nothing was changed" };
            assert!(reply.stderr.contains(said), "{}", reply.stderr);
            assert_eq!(fs::read(&path).expect("it is there"), before, "{action} {option}");
            assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1, "{action}");
        }
    }
    // It reports what it found by then.
    let reply = store(&path, "--check --budget 1");
    assert!(reply.stdout.contains("checked: 1 entry good, 0 damaged"), "{}", reply.stdout);
    store(&path, "--forget kayles --budget 1000000 --memory 100M --time 100").answer();
    assert!(!store(&path, "--check").answer().contains("kayles"));
}
