//! The record of a long run of each target.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Command;

use nimoon_fuzz::Target;

use crate::campaign::Result as Ran;

const HEAD: &str = "\
# What the fuzzer has reached

Written by `cargo xtask fuzz --seconds 600 --record`: the last run of each target that took 600
seconds or more, or the longest. `commit` is what was fuzzed, with a `+` if files were changed
since, and `?` if it was not noted. `edges` counts the edges of control flow that were reached;
`kept` are inputs that each reached something new. A find stays in `finds`, and is fixed.

| target | commit | seconds | inputs | edges | kept | open finds |
|---|---|---:|---:|---:|---:|---:|
";

/// A run of this many seconds is long. It replaces older records, which are of an older program.
const LONG: u64 = 600;

/// The commit that is fuzzed, according to git.
pub(crate) fn commit(folder: &Path) -> String {
    let git = |arguments: &[&str]| {
        let ran = Command::new("git").current_dir(folder).args(arguments).output().ok()?;
        ran.status.success().then(|| String::from_utf8_lossy(&ran.stdout).trim().to_owned())
    };
    let Some(hash) = git(&["rev-parse", "--short", "HEAD"]) else { return "?".to_owned() };
    // The record itself changes with every target.
    let same = git(&["diff", "--quiet", "HEAD", "--", ":/", ":(exclude)RECORD.md"]).is_some();
    hash + if same { "" } else { "+" }
}

/// Replaces the line of a target that ran, unless this run was short and the one before longer.
/// Another run that ends at the same time waits, so that no line is lost.
pub(crate) fn write(path: &Path, commit: &str, ran: &Ran) -> io::Result<()> {
    let file = File::options().read(true).append(true).create(true).open(path)?;
    file.lock()?;
    let before = fs::read_to_string(path)?;
    fs::write(path, updated(&before, commit, ran))
}

fn updated(before: &str, commit: &str, ran: &Ran) -> String {
    let mut lines: BTreeMap<&str, String> = BTreeMap::new();
    for line in before.lines() {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        match fields[..] {
            // Without a commit, as in older records.
            ["", target, seconds, inputs, edges, kept, finds, ""] => {
                let fields = [target, "?", seconds, inputs, edges, kept, finds];
                lines.insert(target, format!("| {} |", fields.join(" | ")));
            }
            ["", target, ..] => drop(lines.insert(target, line.to_owned())),
            _ => {}
        }
    }
    let seconds = |line: &str| -> u64 {
        line.split('|').nth(3).and_then(|field| field.trim().parse().ok()).unwrap_or(0)
    };
    let Ran { target, executions, edges, corpus, time, finds } = ran;
    let time = time.as_secs();
    let line = format!(
        "| {target} | {commit} | {time} | {executions} | {edges} | {corpus} | {} |",
        finds.len()
    );
    let longer = lines.get(target).is_none_or(|known| seconds(known) <= time);
    if longer || time >= LONG || !finds.is_empty() {
        lines.insert(target, line);
    }
    let mut text = HEAD.to_owned();
    for line in Target::ALL.iter().filter_map(|target| lines.get(target.name)) {
        let _ = writeln!(text, "{line}");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn runs_that_end_at_the_same_time_keep_both_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("RECORD.md");
        std::thread::scope(|scope| {
            for target in Target::ALL {
                let ran = Ran { target: target.name, ..Ran::default() };
                let path = &path;
                scope.spawn(move || write(path, "0123abc", &ran).unwrap());
            }
        });
        let text = fs::read_to_string(path).unwrap();
        assert!(Target::ALL.iter().all(|target| text.contains(&format!("| {} |", target.name))));
    }

    fn ran(target: &'static str, seconds: u64, executions: u64) -> Ran {
        Ran { target, executions, time: Duration::from_secs(seconds), ..Ran::default() }
    }

    fn recorded(runs: &[(&str, Ran)]) -> String {
        runs.iter().fold(String::new(), |before, (commit, ran)| updated(&before, commit, ran))
    }

    #[test]
    fn the_longest_of_short_runs_stays() {
        let text = recorded(&[
            ("a1", ran("json", 30, 5)),
            ("a1", ran("dot", 30, 7)),
            ("b2", ran("json", 3, 1)),
            ("b2", ran("dot", 40, 8)),
        ]);
        assert!(text.contains("| json | a1 | 30 | 5 |"), "{text}");
        assert!(text.contains("| dot | b2 | 40 | 8 |"), "{text}");
        assert_eq!(text.matches("| json |").count(), 1);
    }

    #[test]
    fn a_long_run_replaces_earlier_ones() {
        let text = recorded(&[("a1", ran("json", 7000, 5)), ("b2", ran("json", 601, 4))]);
        assert!(text.contains("| json | b2 | 601 | 4 |") && !text.contains("7000"), "{text}");
        let text = updated(&text, "c3", &ran("json", 599, 9));
        assert!(text.contains("| json | b2 | 601 | 4 |"), "{text}");
    }

    #[test]
    fn a_line_without_a_commit_is_read() {
        let before = "| target | seconds | inputs | edges | kept | open finds |\n|---|---:|\n\
                      | json | 606 | 2145260 | 7271 | 4636 | 0 |\n";
        let text = updated(before, "b2", &ran("dot", 3, 1));
        assert!(text.contains("\n| json | ? | 606 | 2145260 | 7271 | 4636 | 0 |\n"), "{text}");
        assert_eq!(text.matches("| target |").count(), 1, "{text}");
    }

    #[test]
    fn the_commit_comes_from_git_or_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(commit(folder.path()), "?");
        let here = commit(crate::home());
        let hash = here.trim_end_matches('+');
        assert!(hash == "?" || hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{here}");
    }

    #[test]
    fn every_target_ran_for_long_and_has_no_open_find() {
        let text = fs::read_to_string(crate::home().join("RECORD.md")).unwrap();
        for target in Target::ALL {
            let beginning = format!("| {} |", target.name);
            let line = text.lines().find(|line| line.starts_with(&beginning));
            let line = line.unwrap_or_else(|| panic!("{} is not in the record", target.name));
            let fields: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [_, _, seconds, .., finds] = fields[..] else { panic!("{line}") };
            assert!(seconds.parse::<u64>().unwrap() >= LONG, "not run for long: {line}");
            assert_eq!(finds, "0", "found and not fixed: {line}");
        }
    }
}
