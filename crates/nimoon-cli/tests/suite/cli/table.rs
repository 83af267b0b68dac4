//! `nimoon table`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use insta::assert_snapshot;
use tempfile::TempDir;

use crate::cli::bad_input::{failed, refused};
use crate::cli::program::{examples, run, transcript, words};

#[test]
fn a_table_has_a_form_for_people_scripts_spreadsheets_papers_and_sequences() {
    assert_snapshot!(transcript(&[
        "table top-entails 0..24",
        "table top-entails 20..33 --format latex",
        "table top-entails 0..5 --format csv",
        "table top-entails 0..5 --format json",
        "table top-entails 0..5 --format bfile",
    ]));
}

#[test]
fn positions_may_have_the_number_anywhere() {
    assert_snapshot!(transcript(&[
        "table wythoff:3,{} 0..6 --format csv",
        "table octal[0.{}7]:{} 1..4 --format csv",
        "table slide[-5,-6,+12;14] 9..14",
        "table slide[-5,-6,+12;14] 9..14 --format latex",
        "table nimstring:1x{} 1..3 --format json",
        "table nim 3..5 --rules rules/nim.rhai --format csv",
    ]));
}

#[test]
fn only_the_moons_are_listed_if_wanted() {
    assert_snapshot!(transcript(&[
        "table top-entails 0..2600 --moons",
        "table top-entails 0..2600 --moons --format csv",
        "table top-entails 0..2600 --moons --format bfile",
        "table top-entails 0..2600 --moons --format json",
        "table top-entails 0..9 --moons --format latex",
        "table nim 0..9 --moons",
        "table nim 0..9 --moons --format json",
    ]));
}

#[test]
fn both_ends_of_the_range_are_included() {
    let numbers = |range: &str| {
        let text = run(&["table", "kayles", range, "--format", "bfile"]).answer();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| line.split(' ').next().expect("a number").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(numbers("3..6"), ["3", "4", "5", "6"]);
    assert_eq!(numbers("7..7"), ["7"]);
    assert_eq!(numbers("0..0"), ["0"]);
}

#[test]
fn a_table_has_the_values_that_its_positions_have_alone() {
    for pattern in ["top-entails:{}", "slide[-5,-6,+12;14]:{}", "nimstring:1x{}"] {
        let table = run(&["table", pattern, "1..4", "--format", "json"]).json();
        for row in table.as_array().expect("a list") {
            let position = row["position"].as_str().expect("a position");
            let alone = run(&["value", position, "--format", "json"]).json();
            assert_eq!(row["value"], alone["value"], "{position}");
        }
    }
}

#[test]
fn wrong_ranges_and_rulesets_are_rejected() {
    let cases: &[(&[&str], &str)] = &[
        (&["nim", "5..3"], "the range 5..3 is empty: did you mean 3..5?"),
        (&["nim", "0..10^30"], "invalid range `0..10^30`"),
        (&["nim", "0..1000000000000000000000000000000"], "is too large: expected one below 2^64"),
        (&["nim", "0..99999999999"], "has more than 100000000 rows"),
        (&["nim", "--", "-3..5"], "invalid range `-3..5`"),
        (&["nim", "3"], "invalid range `3`"),
        (&["nim", ""], "expected what its parameters go through, as in 0..20"),
        (&["nim:5", "0..3"], "`nim:5` is one position: write {}"),
        (&["nim:{} + nim:3", "0..3"], "1:7: expected one position, found a sum"),
        (&["nims", "0..3"], "1:1: unknown ruleset `nims`; did you mean `nim`?"),
        (&["wythoff", "0..3"], "1:10: expected `,`"),
        (&["slide[-1;9]", "0..10"], "1:13: the squares are 0 to 9, found 10"),
        (&["nimstring:1x{}", "0..3"], "expected a board with at least one column"),
        (&["octal[0.79]", "0..3"], "1:10: expected a digit from 0 to 7"),
        (&["", "0..3"], "1:1: expected the name of a ruleset"),
        (&["slide[-5,-6,+12;14]", "0..14", "--format", "bfile"], "use another format"),
        (&["top-entails", "0..9", "--theory", "short"], "short theory"),
        (&["nim", "0..3", "--checkpoint-every", "1"], "required arguments were not provided"),
        (&["nim", "0..3", "--checkpoint", "c", "--checkpoint-every", "-1"], "-1"),
        (&["nim", "0..3", "--format", "xml"], "invalid value 'xml' for '--format"),
    ];
    for (arguments, says) in cases {
        refused(&run(&[&["table"], *arguments].concat()), &[says]);
    }
}

#[test]
fn the_largest_numbers_are_numbers_as_any_other() {
    let last = u64::MAX;
    let range = format!("{}..{last}", last - 1);
    let text = run(&["table", "nim", &range, "--format", "csv"]).answer();
    assert!(text.ends_with(&format!("\n{last},nim:{last},{last},N\n")), "{text}");
    failed(&run(&["table", "top-entails", &range]), 3, &["raise it with --budget"]);
}

#[test]
fn a_budget_that_is_hit_leaves_the_rows_before_it() {
    assert_snapshot!(transcript(&[
        "table nimstring:2x{} 1..6 --budget 300",
        "table nimstring:2x{} 1..6 --budget 300 --format bfile",
        "table top-entails 0..99999999 --budget 5",
    ]));
}

/// A checkpoint in a folder of its own.
struct Kept {
    folder: TempDir,
}

impl Kept {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("table.checkpoint")
    }

    /// The arguments for a table with this checkpoint.
    fn arguments(&self, line: &str) -> Vec<String> {
        let mut arguments: Vec<String> = words(line).into_iter().map(str::to_owned).collect();
        let file = self.file().to_str().expect("a path in UTF-8").to_owned();
        arguments.extend(["--checkpoint".to_owned(), file]);
        arguments
    }

    fn run(&self, line: &str) -> crate::cli::program::Run {
        let arguments = self.arguments(line);
        run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).expect("a checkpoint")
    }

    fn set(&self, text: impl AsRef<[u8]>) {
        fs::write(self.file(), text).expect("the file is written");
    }

    /// How many rows the checkpoint has; none if it is not there, and it is never there in part.
    #[track_caller]
    fn rows(&self) -> usize {
        if !self.file().exists() {
            return 0;
        }
        let text = self.text();
        let end = text.strip_suffix('\n').and_then(|text| text.lines().last());
        let count = end.and_then(|end| end.strip_prefix("end ")?.split(' ').next()?.parse().ok());
        count.expect("a whole file")
    }

    /// The names of all files in the folder.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("a folder");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<_> = entries.map(|entry| name(entry.expect("an entry"))).collect();
        names.sort();
        names
    }

    fn start(&self, line: &str) -> Child {
        Command::new(env!("CARGO_BIN_EXE_nimoon"))
            .args(self.arguments(line))
            .current_dir(examples())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs")
    }
}

/// A checkpoint with its last line: the number of rows, and the checksum (FNV-1a) of all above.
fn ended(body: &str, rows: usize) -> String {
    let sum = body.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{body}end {rows} {sum:016x}\n")
}

const SEQUENCE: &str = "table top-entails 0..300 --format bfile";
const EXPLORED: &str = "table slide[-5,-6,+12;14] 2..14 --format csv";

#[test]
fn a_table_goes_on_from_its_checkpoint_and_comes_out_the_same() {
    let cases =
        [(SEQUENCE, "table top-entails 0..100"), (EXPLORED, "table slide[-5,-6,+12;14] 2..9")];
    for (line, first_part) in cases {
        let plain = run(&words(line)).answer();
        let whole = Kept::new();
        assert_eq!(whole.run(line).answer(), plain);
        let resumed = Kept::new();
        resumed.run(first_part).answer();
        assert!(resumed.rows() > 0 && resumed.rows() < whole.rows());
        assert_eq!(resumed.run(line).answer(), plain);
        assert_eq!(resumed.text(), whole.text());
        // A finished table is not written again, and a shorter one removes nothing.
        let before = fs::metadata(whole.file()).and_then(|file| file.modified()).expect("a time");
        assert_eq!(whole.run(line).answer(), plain);
        let shorter = run(&words(first_part)).answer();
        assert_eq!(whole.run(first_part).answer(), shorter);
        let after = fs::metadata(whole.file()).and_then(|file| file.modified()).expect("a time");
        assert_eq!((before, resumed.text()), (after, whole.text()));
        assert_eq!(whole.names(), ["table.checkpoint"]);
    }
}

#[test]
fn rows_are_taken_from_the_checkpoint_and_not_found_again() {
    // With a row that is wrong, and a checksum that is right: what is kept is believed.
    let kept = Kept::new();
    kept.run("table slide[-5,-6,+12;14] 2..14").answer();
    let text = kept.text();
    let body = &text[..text.rfind("end ").expect("an end")];
    let body = body.replace("explored from 2\ncyclic 1\n", "explored from 2\ncyclic 77\n");
    assert!(body.contains("cyclic 77"), "{text}");
    kept.set(ended(&body, 13));
    assert!(kept.run(EXPLORED).answer().contains("\n2,\"slide[-5,-6,+12;14]:2\",77,N\n"));
}

#[test]
fn a_table_that_is_killed_in_the_middle_comes_out_the_same() {
    const LINE: &str = "table top-entails 0..60000 --format bfile";
    let whole = Kept::new();
    let plain = whole.run(LINE).answer();
    let kept = Kept::new();
    for least in [1, 5_000, 12_000, 30_000] {
        let mut child = kept.start(&format!("{LINE} --checkpoint-every 0"));
        while kept.rows() <= least && child.try_wait().expect("it runs").is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        // The file is whole, whatever the moment.
        assert!(kept.rows() > least, "{}", kept.rows());
    }
    assert_eq!(kept.run(LINE).answer(), plain);
    assert_eq!(kept.text(), whole.text());
    assert_eq!(kept.names(), ["table.checkpoint"]);
}

#[test]
fn a_table_does_not_depend_on_the_number_of_threads() {
    const LINE: &str = "table top-entails 0..9000 --format bfile";
    let plain = run(&words(LINE)).answer();
    for threads in ["1", "2", "5"] {
        let line = format!("{LINE} --threads {threads}");
        assert_eq!(run(&words(&line)).answer(), plain);
    }
    // Half of it by one thread, the rest by several.
    let kept = Kept::new();
    kept.run("table top-entails 0..5500 --threads 1").answer();
    assert_eq!(kept.run(&format!("{LINE} --threads 3")).answer(), plain);
    run(&words("table nim 0..3 --threads 256")).answer();
    for wrong in ["0", "257", "100000000", "99999999999999999999", "two"] {
        let says = format!("invalid value '{wrong}' for '--threads <N>'");
        let refusal = run(&words(&format!("table nim 0..3 --threads {wrong}")));
        refused(&refusal, &[&says, "expected a number of threads from 1 to 256"]);
    }
}

#[test]
fn a_table_does_not_depend_on_the_instructions() {
    const LINE: &str = "table top-entails 0..9000 --format bfile";
    let plain = run(&words(LINE)).answer();
    assert_eq!(run(&words(&format!("{LINE} --instructions auto"))).answer(), plain);
    for path in nimoon_rulesets::heap::Path::ALL {
        let name = path.name();
        for threads in [1, 2] {
            let line = format!("{LINE} --instructions {name} --threads {threads}");
            if path.available() {
                assert_eq!(run(&words(&line)).answer(), plain, "{line}");
            } else {
                let says = format!("--instructions {name}: this processor has no {name}; it has");
                refused(&run(&words(&line)), &[&says]);
            }
        }
    }
    let line = "table top-entails 0..9 --instructions mmx";
    refused(&run(&words(line)), &["invalid value 'mmx' for '--instructions"]);
}

#[cfg(unix)]
#[test]
fn a_table_that_is_interrupted_keeps_all_that_is_known() {
    // It would not save by itself.
    const LINE: &str = "table top-entails 0..20000 --format bfile";
    let plain = run(&words(LINE)).answer();
    let kept = Kept::new();
    let mut rows = 0;
    for signal in ["-INT", "-TERM", "-HUP"] {
        // A busy machine may have no new row after the first wait.
        let mut waits = [300, 1_000, 3_000, 10_000].into_iter();
        let before = rows;
        while rows == before {
            let wait = waits.next().expect("a new row within some seconds");
            let child = Command::new(env!("CARGO_BIN_EXE_nimoon"))
                .args(kept.arguments("table top-entails 0..3900000 --checkpoint-every 80000"))
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("it starts");
            std::thread::sleep(Duration::from_millis(wait));
            let signal = Command::new("kill").args([signal, &child.id().to_string()]).status();
            assert!(signal.expect("a signal").success());
            let output = child.wait_with_output().expect("it ends");
            assert_eq!(output.status.code(), Some(130), "{output:?}");
            assert_eq!(output.stdout, b"");
            let error = String::from_utf8(output.stderr).expect("text");
            let kept_rows = error.strip_prefix("error: interrupted: ").expect("what was kept");
            rows = kept.rows();
            assert!(kept_rows.starts_with(&format!("saved {rows} rows in ")), "{error}");
        }
    }
    assert_eq!(kept.run(LINE).answer(), plain);
}

#[test]
fn what_killed_runs_left_behind_is_removed_and_nothing_else() {
    let kept = Kept::new();
    let beside = |name: &str| kept.folder.path().join(name);
    let others = ["other.checkpoint.1-0.part", "table.checkpoint.bak", "table.checkpoint.my.part"];
    for name in
        others.into_iter().chain(["table.checkpoint.1-0.part", "table.checkpoint.77-3.part"])
    {
        fs::write(beside(name), "half a ta").expect("the file is written");
    }
    // One that is being written is locked.
    let busy = fs::File::create(beside("table.checkpoint.5-0.part")).expect("a file");
    busy.lock().expect("a lock");
    kept.run(SEQUENCE).answer();
    let mut left = vec!["table.checkpoint", "table.checkpoint.5-0.part"];
    left.extend(others);
    left.sort_unstable();
    assert_eq!(kept.names(), left);
    drop(busy);
    kept.run(SEQUENCE).answer();
    assert!(!kept.names().contains(&"table.checkpoint.5-0.part".to_owned()));
}

#[test]
fn a_checkpoint_that_does_not_fit_is_refused_and_left_as_it_is() {
    let kept = Kept::new();
    kept.run(SEQUENCE).answer();
    let good = kept.text();
    let check = |text: &str, line: &str, says: &str| {
        kept.set(text);
        refused(&kept.run(line), &["table.checkpoint: ", says, "the file is unchanged"]);
        assert_eq!(kept.text(), text);
    };
    check(&good, "table kayles 0..9", "its ruleset is `top-entails:{}`, not `kayles:{}`");
    check(&good, "table top-entails 0..9 --theory entailing", "theory is `auto`, not `entailing`");
    let version = format!("program {}\n", env!("CARGO_PKG_VERSION"));
    let start = good.replace(&version, "program 0.0.9\n");
    let body = &start[..start.rfind("end ").expect("an end")];
    check(&ended(body, 301), SEQUENCE, "its version of the program is `0.0.9`");
    let other_format = good.replace("checkpoint format 1", "checkpoint format 2");
    check(&other_format, SEQUENCE, "another version of nimoon wrote it");
    check(&good[..good.len() / 2], SEQUENCE, "this checkpoint is damaged: its end is missing");
    check(&good[..10], SEQUENCE, "this checkpoint is damaged: its end is missing");
    check(&good.replace("\n4\n", "\n5\n"), SEQUENCE, "its checksum is wrong");
    check("dear diary\n", SEQUENCE, "this is not a checkpoint of a table");
    kept.set("");
    kept.run("table slide[-5,-6,+12;14] 2..14").answer();
    let explored = kept.text();
    check(&explored, "table slide[-5,-6,+12;14] 3..14", "does not begin with row 3");
}

#[test]
fn a_checkpoint_knows_the_files_that_the_rules_come_from() {
    let kept = Kept::new();
    let script = kept.folder.path().join("mine.rhai");
    let line = format!("table mine 0..5 --format csv --rules {}", script.display());
    fs::write(&script, "fn options(n) { if n > 0 { [n - 1] } else { [] } }").expect("a script");
    let one = kept.run(&line).answer();
    assert_eq!(kept.run(&line).answer(), one);
    fs::write(&script, "fn options(n) { if n > 1 { [n - 2] } else { [] } }").expect("a script");
    refused(&kept.run(&line), &["checksum of the files with the rules"]);
}

#[test]
fn an_empty_file_is_a_new_checkpoint() {
    let kept = Kept::new();
    kept.set("");
    kept.run(SEQUENCE).answer();
    assert_eq!(kept.rows(), 301);
}

#[test]
fn a_checkpoint_that_cannot_be_written_is_reported_before_the_work_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    let directory = folder.path().to_str().expect("a path in UTF-8");
    let line = ["table", "nim", "0..3", "--checkpoint", directory];
    refused(&run(&line), &["a checkpoint must be a regular file"]);
    let nowhere = Path::new(directory).join("nowhere/c");
    let nowhere = nowhere.to_str().expect("a path in UTF-8");
    let run = run(&["table", "nim", "0..3", "--checkpoint", nowhere]);
    failed(&run, 1, &["nowhere/c cannot be written"]);
    assert_eq!(run.stdout, "");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_checkpoint_stays_a_link() {
    let kept = Kept::new();
    let real = kept.folder.path().join("real");
    fs::write(&real, "").expect("the file is written");
    std::os::unix::fs::symlink(&real, kept.file()).expect("a link");
    kept.run(SEQUENCE).answer();
    assert!(fs::symlink_metadata(kept.file()).expect("a link").is_symlink());
    assert_eq!(fs::read(real).expect("a file"), kept.text().into_bytes());
}

#[cfg(unix)]
#[test]
fn a_device_cannot_be_a_checkpoint() {
    let line = words("table nim 0..3 --checkpoint /dev/zero");
    refused(&run(&line), &["/dev/zero: a checkpoint must be a regular file"]);
}

#[test]
fn a_number_without_a_position_makes_a_row_without_a_value() {
    let rows = run(&words("table ladders[rulesets/ladders.json] 0..20 --format json")).json();
    let rows = rows.as_array().expect("a list");
    let vacant = |n: &usize| rows[*n]["value"].is_null();
    assert_eq!((0..rows.len()).filter(vacant).collect::<Vec<_>>(), [4, 17]);
    assert_eq!(rows.len(), 21);
    // The others are what they are alone.
    let alone = run(&words("value ladders[rulesets/ladders.json]:16 --format json")).json();
    assert_eq!(rows[16]["value"], alone["value"]);
    let only = run(&words("table ladders[rulesets/ladders.json] 4..4 --format csv")).answer();
    assert_eq!(only, "n,position,value,outcome\n4,ladders[rulesets/ladders.json]:4,,\n");
    // Past the goal there is no square.
    let past = run(&words("table ladders[rulesets/ladders.json] 0..21"));
    refused(&past, &["the squares are 0 to 20, found 21"]);
}

#[test]
fn the_first_row_that_is_not_a_position_is_reported() {
    refused(&run(&words("table slide[-1;7] 0..1000000")), &["the squares are 0 to 7, found 8"]);
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("n.game");
    std::fs::write(&file, "7: 6 5\n6: 4 3\n5: 2\n1: 0\n").expect("a file");
    let pattern = format!("digraph[{}]", file.display());
    refused(&run(&["table", &pattern, "0..9"]), &["n.game has no node `8`"]);
}

#[test]
fn the_help_mentions_rows_that_must_be_answered() {
    let rows = run(&words("table top-entails:!{} 0..3 --format json")).json();
    assert!(rows.as_array().expect("a list").iter().all(|row| row["value"].is_null()), "{rows}");
    let help = run(&["table", "--help"]).answer();
    assert!(help.contains("the position must be answered, like a gray node"), "{help}");
}
