//! The record of the longest run of each target.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use nimoon_fuzz::Target;

use crate::campaign::Result as Ran;

const HEAD: &str = "\
# What the fuzzer has reached

Written by `cargo xtask fuzz --seconds 600 --record`: the longest run of each target. `edges` counts places in the program where control
goes on, as far as they were reached; `kept` are inputs that each reached something new. A find stays in `finds`, and is mended.

| target | seconds | inputs | edges | kept | open finds |
|---|---:|---:|---:|---:|---:|
";

/// Replaces the line of a target that ran, unless it ran longer before. Another run that ends at the same time waits, so that no line is lost.
pub(crate) fn write(path: &Path, ran: &Ran) -> io::Result<()> {
    let file = File::options().read(true).append(true).create(true).open(path)?;
    file.lock()?;
    let before = fs::read_to_string(path)?;
    fs::write(path, updated(&before, ran))
}

fn updated(before: &str, ran: &Ran) -> String {
    let mut lines: BTreeMap<String, String> = BTreeMap::new();
    for line in before.lines() {
        if let Some(name) = line.strip_prefix("| ").and_then(|line| line.split(' ').next()) {
            lines.insert(name.to_owned(), line.to_owned());
        }
    }
    let seconds = |line: &str| -> u64 {
        line.split('|').nth(2).and_then(|field| field.trim().parse().ok()).unwrap_or(0)
    };
    let Ran { target, executions, edges, corpus, time, finds } = ran;
    let line = format!(
        "| {target} | {} | {executions} | {edges} | {corpus} | {} |",
        time.as_secs(),
        finds.len()
    );
    let longer = lines.get(*target).is_none_or(|known| seconds(known) <= seconds(&line));
    if longer || !finds.is_empty() {
        lines.insert((*target).to_owned(), line);
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
    fn runs_that_end_together_keep_both_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("RECORD.md");
        std::thread::scope(|scope| {
            for target in Target::ALL {
                let ran = Ran { target: target.name, ..Ran::default() };
                let path = &path;
                scope.spawn(move || write(path, &ran).unwrap());
            }
        });
        let text = fs::read_to_string(path).unwrap();
        assert!(Target::ALL.iter().all(|target| text.contains(&format!("| {} |", target.name))));
    }

    #[test]
    fn the_longest_run_of_each_target_stays() {
        let ran = |target, seconds, executions| Ran {
            target,
            executions,
            time: Duration::from_secs(seconds),
            ..Ran::default()
        };
        let runs = [ran("json", 600, 5), ran("dot", 600, 7), ran("json", 3, 1), ran("dot", 700, 8)];
        let text = runs.iter().fold(String::new(), |before, ran| updated(&before, ran));
        assert!(
            text.contains("| json | 600 | 5 |") && text.contains("| dot | 700 | 8 |"),
            "{text}"
        );
        assert_eq!(text.matches("| json |").count(), 1);
    }
}
