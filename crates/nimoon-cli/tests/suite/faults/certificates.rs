//! Certificates: whatever happens while one is written, its name belongs to a whole one, the old or
//! the new.

use std::fs::{self, File, Permissions};
use std::io::{Read as _, Seek as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::faults::kills::{killed, kills, moment, undisturbed};
use crate::faults::program::{Random, after, argument, examples, failed, nimoon};

/// A command of each kind that writes certificates.
const WRITERS: [&[&str]; 7] = [
    &["label", "zones.game"],
    &["sum", "zones.game", "d", "e"],
    &["value", "nim:3"],
    &["table", "top-entails", "0..30"],
    &["remoteness", "smith-trap.game"],
    &["loopy", "a{1||a|0}"],
    &["compare", "upon", "over"],
];

/// Whether `nimoon check` accepts a file.
fn is_good(file: &Path) -> bool {
    nimoon(&["check", argument(file)]).output().expect("the program runs").status.success()
}

/// Writes a certificate of something small, and gives its bytes.
fn write_good(file: &Path) -> Vec<u8> {
    undisturbed(&["label", "zones.game", "--certificate", argument(file)]);
    fs::read(file).expect("it is there")
}

/// The names of the files in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("a name in UTF-8");
    let mut names: Vec<_> = entries.map(|entry| name(entry.expect("an entry"))).collect();
    names.sort();
    names
}

/// A digraph whose certificate takes some time to write.
fn write_digraph(file: &Path) {
    let mut random = Random(7);
    let arcs: Vec<String> =
        (0..30_000).map(|node| format!("{node} {}", random.below(30_000))).collect();
    fs::write(file, arcs.join("\n")).expect("the file is written");
}

#[test]
fn a_full_disk_keeps_the_old_certificate_of_every_command_and_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("proof.json");
    for writer in WRITERS {
        let good = write_good(&file);
        let line = [writer, &["--certificate", argument(&file)]].concat();
        let output = after("trap '' XFSZ; ulimit -f 0", &line);
        failed(&output, 1, &["the certificate", "proof.json cannot be written"]);
        assert_eq!(fs::read(&file).expect("it is there"), good, "{writer:?}");
        assert_eq!(names(folder.path()), ["proof.json"], "{writer:?}: nothing is left behind");
        // Who is ended by the limit cannot tell, and may leave a part behind.
        let output = after("ulimit -f 0", &line);
        assert_eq!(output.status.code(), None, "{writer:?}: {output:?}");
        assert_eq!(fs::read(&file).expect("it is there"), good, "{writer:?}");
        // The disk has room again.
        undisturbed(&line);
        assert!(is_good(&file), "{writer:?}");
        assert_eq!(names(folder.path()), ["proof.json"], "{writer:?}: what was left is removed");
    }
}

#[test]
fn a_disk_that_is_full_in_the_middle_keeps_the_old_certificate_or_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (digraph, file) = (at("large.edges"), at("proof.json"));
    write_digraph(&digraph);
    let line = ["label", argument(&digraph), "--format", "none", "--certificate", argument(&file)];
    for old in [None, Some(())] {
        let old = old.map(|()| write_good(&file));
        // A write beyond 64 kilobytes fails.
        let output = after("trap '' XFSZ; ulimit -f 128", &line);
        failed(&output, 1, &["the certificate", "proof.json cannot be written"]);
        assert_eq!(fs::read(&file).ok(), old);
        assert_eq!(names(folder.path()).len(), 1 + usize::from(old.is_some()));
    }
}

/// The same on a file system that really is full, where one can be made.
#[cfg(target_os = "linux")]
#[test]
fn a_full_file_system_keeps_the_old_certificate_and_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (here, digraph, good) = (at("here"), at("large.edges"), at("good.json"));
    fs::create_dir(&here).expect("a folder");
    write_digraph(&digraph);
    write_good(&good);
    let script = "mount -t tmpfs -o size=64k none \"$1\" || exit 77; cd \"$2\"; \
                  cp \"$4\" \"$1/c\"; \
                  \"$0\" label \"$3\" --format none --certificate \"$1/c\"; code=$?; \
                  cmp \"$4\" \"$1/c\" || exit 79; ls \"$1\"; exit $code";
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_nimoon")])
        .args([&here, &examples(), &digraph, &good])
        .output();
    let Ok(output) = output else { return };
    if output.status.code() == Some(77)
        || String::from_utf8_lossy(&output.stderr).contains("unshare")
    {
        // Mounting is not allowed here; the tests above have the same with a limit.
        return;
    }
    failed(&output, 1, &["the certificate", "cannot be written", "No space left"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "c\n", "nothing is left behind");
}

/// Starts a run and kills it some time after it began to change a folder; whether it was running
/// then.
fn killed_while_writing(command: &mut Command, folder: &Path, after: Duration) -> bool {
    let state = || -> Vec<_> {
        let length = |name: &String| fs::metadata(folder.join(name)).map(|file| file.len()).ok();
        names(folder).into_iter().map(|name| (length(&name), name)).collect()
    };
    let before = state();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    while state() == before && child.try_wait().expect("it is our child").is_none() {}
    std::thread::sleep(after);
    let running = child.try_wait().expect("it is our child").is_none();
    child.kill().expect("it is our child");
    child.wait().expect("it ends");
    running
}

#[test]
fn a_label_run_that_is_killed_leaves_the_old_certificate_or_the_new_one_or_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path().join("here");
    fs::create_dir(&here).expect("a folder");
    let (digraph, file) = (folder.path().join("large.edges"), here.join("proof.json"));
    write_digraph(&digraph);
    let old = write_good(&file);
    let line = ["label", argument(&digraph), "--format", "csv", "--certificate", argument(&file)];
    let (_, time) = undisturbed(&line);
    let new = fs::read(&file).expect("it is there");
    assert!(is_good(&file) && old != new);
    let mut random = Random(8);
    let (mut none, mut was_old, mut was_new, mut parts) = (0, 0, 0, 0);
    let (mut done, mut tried) = (0, 0);
    while done < kills() || parts == 0 {
        tried += 1;
        assert!(tried < 100 * kills(), "it ends before it can be killed");
        let before = (tried % 2 == 0).then_some(&old);
        match before {
            Some(old) => fs::write(&file, old).expect("the file is written"),
            None => drop(fs::remove_file(&file)),
        }
        // Writing is a small part of the work, so every other kill waits for it.
        let running = if tried % 4 < 2 {
            killed(&mut nimoon(&line), moment(&mut random, time))
        } else {
            killed_while_writing(&mut nimoon(&line), &here, moment(&mut random, time / 8))
        };
        if !running {
            continue;
        }
        done += 1;
        match fs::read(&file) {
            Err(_) => {
                assert_eq!(before, None, "kill {done}: the old one is gone");
                none += 1;
            }
            Ok(found) => {
                let is_new = found == new;
                let length = found.len();
                assert!(is_new || Some(&found) == before, "kill {done}: {length} bytes are left");
                assert!(is_good(&file), "kill {done}");
                was_new += usize::from(is_new);
                was_old += usize::from(!is_new);
            }
        }
        for name in names(&here).iter().filter(|name| *name != "proof.json") {
            let part = name.strip_prefix("proof.json.").and_then(|rest| rest.strip_suffix(".part"));
            assert!(part.is_some(), "kill {done}: {name} was left behind");
            parts += 1;
        }
        if parts > 0 && done % 4 == 0 || done == kills() {
            // Nobody disturbs it now, and it clears away what was left behind.
            undisturbed(&line);
            assert!(fs::read(&file).expect("it is there") == new, "kill {done}");
            assert_eq!(names(&here), ["proof.json"], "kill {done}");
        }
    }
    println!(
        "{done} kills of `nimoon label --certificate`: {was_old} times the old one, {was_new} times the new one, \
         {none} times none; {parts} parts left behind"
    );
}

#[test]
fn a_certificate_goes_into_pipes_and_open_files_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let good = write_good(&at("good.json"));
    let pipe = at("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo").success());
    let mut child = nimoon(&["label", "zones.game", "--certificate", argument(&pipe)])
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    let mut read = Vec::new();
    let mut reader = File::open(&pipe).expect("it is opened");
    reader.read_to_end(&mut read).expect("it is read");
    assert!(child.wait().expect("it ends").success());
    assert!(read == good && fs::metadata(&pipe).expect("it is there").file_type().is_fifo());
    fs::remove_file(&pipe).expect("it is removed");
    for stream in ["/dev/stdout", "/dev/fd/1"] {
        // A pipe, and a file that somebody else has open as well.
        let line = ["label", "zones.game", "--format", "none", "--certificate", stream];
        assert_eq!(undisturbed(&line).0, good, "{stream}");
        let file = at("redirected");
        let mut open = File::options();
        let open = open.create(true).truncate(true).read(true).write(true).open(&file);
        let mut open = open.expect("a file");
        let output = nimoon(&line).stdout(open.try_clone().expect("a handle")).status();
        assert!(output.expect("the program runs").success());
        let mut read = Vec::new();
        open.rewind().expect("it is a file");
        open.read_to_end(&mut read).expect("it is read");
        assert_eq!(read, good, "{stream}");
        assert_eq!(names(folder.path()), ["good.json", "redirected"], "{stream}");
    }
}

#[test]
fn a_certificate_takes_the_place_of_what_a_link_leads_to_and_keeps_its_permissions() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (file, link) = (at("file.json"), at("link.json"));
    symlink("file.json", &link).expect("a link");
    // First the link leads to nothing, then to a file.
    let good = write_good(&link);
    fs::write(&file, "old").expect("the file is written");
    fs::set_permissions(&file, Permissions::from_mode(0o640)).expect("it is ours");
    assert_eq!(write_good(&link), good);
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    let found = fs::symlink_metadata(&file).expect("it is there");
    assert!(found.is_file() && found.permissions().mode() & 0o777 == 0o640);
    assert_eq!(names(folder.path()), ["file.json", "link.json"]);
    // A folder is not a file.
    let line = ["label", "zones.game", "--certificate", argument(folder.path())];
    let output = nimoon(&line).output().expect("the program runs");
    failed(&output, 1, &["the certificate", "cannot be written: Is a directory"]);
}

#[test]
fn all_names_of_a_file_belong_to_the_new_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let good = write_good(&at("good.json"));
    let (file, other, link) = (at("file.json"), at("other.json"), at("link.json"));
    // Longer than the new one, of which nothing may be left.
    fs::write(&file, "old".repeat(good.len())).expect("the file is written");
    fs::hard_link(&file, &other).expect("another name");
    symlink("other.json", &link).expect("a link");
    for name in [&file, &other, &link] {
        fs::write(&other, "old".repeat(good.len())).expect("the file is written");
        assert_eq!(write_good(name), good);
        assert_eq!(fs::read(&file).expect("it is there"), good);
        assert_eq!(fs::read(&other).expect("it is there"), good);
        assert_eq!(fs::metadata(&file).expect("it is there").nlink(), 2);
        let all = ["file.json", "good.json", "link.json", "other.json"];
        assert_eq!(names(folder.path()), all, "nothing is left beside it");
    }
    // A full disk leaves an incomplete certificate, which `check` rejects.
    let line = ["label", "zones.game", "--certificate", argument(&file)];
    failed(&after("trap '' XFSZ; ulimit -f 0", &line), 1, &["file.json cannot be written"]);
    assert!(!is_good(&other));
}

#[test]
fn a_name_that_leaves_no_room_for_another_beside_it_gets_a_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = write_good(&folder.path().join("good.json"));
    let file = folder.path().join("n".repeat(255));
    for _ in ["new", "old"] {
        assert_eq!(write_good(&file), good);
    }
    let line = ["label", "zones.game", "--certificate", &format!("{}n", argument(&file))];
    let output = nimoon(&line).output().expect("the program runs");
    failed(
        &output,
        1,
        &["cannot be written: File name too long", "choose another file with --certificate"],
    );
}

/// Runs the program as somebody to whom folders and files can be closed: the superuser may do
/// everything, nobody may not. None, aloud, where nobody cannot run it.
fn as_somebody(arguments: &[&str], owner: &fs::Metadata) -> Option<Output> {
    const NOBODY: u32 = 65_534;
    let mut command = nimoon(arguments);
    if owner.uid() == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied);
            eprintln!("SKIPPED: the program or the examples stand where nobody may go");
            None
        }
    }
}

#[test]
fn a_file_that_may_be_written_to_gets_a_certificate_where_its_folder_may_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path().join("here");
    fs::create_dir(&here).expect("a folder");
    let good = write_good(&folder.path().join("good.json"));
    let set = |path: &Path, mode| {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
    };
    set(folder.path(), 0o755);
    let (open, closed, new) = (here.join("open"), here.join("closed"), here.join("new"));
    fs::write(&open, "old".repeat(good.len())).expect("the file is written");
    fs::write(&closed, "old").expect("the file is written");
    set(&open, 0o666);
    set(&closed, 0o444);
    set(&here, 0o555);
    let owner = fs::metadata(&here).expect("it is there");
    let write = |file: &Path| {
        as_somebody(&["label", "zones.game", "--certificate", argument(file)], &owner)
    };
    let Some(output) = write(&open) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read(&open).expect("it is there"), good);
    for file in [&closed, &new] {
        let output = write(file).expect("it ran before");
        let says =
            ["cannot be written: Permission denied", "choose another file with --certificate"];
        failed(&output, 1, &says);
    }
    assert_eq!(fs::read(&closed).expect("it is there"), b"old");
    assert_eq!(names(&here), ["closed", "open"]);
    // Where everybody may make files, nobody gives the name of somebody else's to another.
    set(&here, 0o1777);
    if owner.uid() != 0 {
        eprintln!("SKIPPED: there is no file of somebody else, which only the superuser makes");
    } else {
        fs::write(&open, "old".repeat(good.len())).expect("the file is written");
        let output = write(&open).expect("it ran before");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(fs::read(&open).expect("it is there"), good);
        assert_eq!(names(&here), ["closed", "open"]);
    }
    set(&here, 0o755);
}
