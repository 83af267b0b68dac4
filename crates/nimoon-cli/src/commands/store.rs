//! `nimoon store`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use nimoon_formats::write::terminal::{cell_width, padded_cell, visible};
use nimoon_store::{Checked, Contents, Options, Store};
use serde::Serialize;

use crate::args::AnswerFormat;
use crate::expressions::of_store;
use crate::failure::Failure;
use crate::limits::{self, BudgetArgs, OPTIONS};
use crate::output::{print_json, print_text};

pub(crate) const EXAMPLES: &str = "You can delete a store: nimoon then solves the positions again. A command uses a store only if you \
     name it with `--store`.\n\nExamples:\n  \
     nimoon value nimstring:3x3 --store solved.store\n  nimoon store solved.store\n  nimoon store \
     solved.store --check\n  nimoon store solved.store --forget nimstring\n  nimoon store \
     solved.store --size 4GiB";

/// More entries than a file has.
const ENTRIES: u64 = 1_000_000_000_000_000;

#[derive(Debug, Args)]
#[command(mut_arg("positions", |budget| budget.value_name("ENTRIES").help(
    "Stop after reading this many entries for --check or a change"
)))]
#[command(mut_arg("memory", |memory| memory.help(
    "Use at most this much memory for entries, such as 512M or 2G (default: no limit)"
)))]
#[command(mut_arg("time", |time| time.help(
    "Stop after this many seconds; an unfinished change leaves the store as it was"
)))]
pub(crate) struct StoreCommandArgs {
    /// The store.
    pub(crate) file: PathBuf,

    /// Read everything and compare all checksums.
    #[arg(long, conflicts_with_all = ["forget", "clear", "size", "repair"])]
    pub(crate) check: bool,

    /// Delete damaged entries.
    #[arg(long)]
    pub(crate) repair: bool,

    /// Delete all entries of a ruleset with its parameters, such as octal[0.77]. Search results
    /// that nimstring and coins share are listed as strings; forgetting either deletes them.
    #[arg(long, value_name = "RULESET")]
    pub(crate) forget: Vec<String>,

    /// Delete all entries.
    #[arg(long, conflicts_with = "forget")]
    pub(crate) clear: bool,

    /// Limit the file to this size, such as 500MiB or 4GiB, and create it if necessary
    /// (default: 1GiB).
    #[arg(long, value_name = "BYTES", value_parser = size)]
    pub(crate) size: Option<u64>,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs<ENTRIES>,

    /// Print the contents in this format.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,
}

pub(crate) fn run(args: &StoreCommandArgs) -> Result<(), Failure> {
    let changes = args.clear || args.repair || !args.forget.is_empty();
    let options = match args.size {
        Some(most) => Options { most, ..Options::default() },
        // Do not create a store just to show or change it.
        None if changes && args.file.exists() => Options::default(),
        None => Options::READ_ONLY,
    };
    let failure = |error| of_store(&error);
    let store = Store::open(&args.file, options).map_err(failure)?;
    for ruleset in &args.forget {
        if !store.contents().rulesets.iter().any(|kept| is_of(&kept.ruleset, ruleset)) {
            let file = args.file.display();
            return Err(Failure::input(format!(
                "{file} has no entries of `{ruleset}`, so nothing changed; `nimoon store \
                 {file}` lists its entries"
            )));
        }
    }
    let work = args.limits.work_with(u64::MAX);
    let most = args.size.filter(|&most| most != store.contents().most);
    if changes || most.is_some() {
        let is_meant =
            |name: &str| args.clear || args.forget.iter().any(|ruleset| is_of(name, ruleset));
        store.change_within(most, &is_meant, &mut work.child(work.limits())).map_err(failure)?;
    }
    let checked = if args.check {
        Some(store.check_within(&mut work.child(work.limits())).map_err(failure)?)
    } else {
        None
    };
    let report =
        Report { file: args.file.display().to_string(), contents: store.contents(), checked };
    match args.format {
        AnswerFormat::Table => print_text(&report.text())?,
        AnswerFormat::Json => print_json(&JsonReport::new(&report))?,
    }
    match checked {
        Some(checked) if !checked.is_whole() => Err(Failure::input(format!(
            "{}: damaged: {} and {} other bytes; nimoon does not use them, and --repair deletes them",
            report.file,
            entries(checked.damaged),
            checked.illegible
        ))),
        Some(Checked { interrupted: Some(interrupted), .. }) => {
            let message = format!("{}: {interrupted} before everything was checked", report.file);
            Err(limits::interrupted(interrupted, message, OPTIONS))
        }
        _ => Ok(()),
    }
}

/// The name under which several rulesets share search results, and these rulesets.
const SHARED: (&str, [&str; 2]) = ("strings", ["nimstring", "coins"]);

/// Whether entries with this name belong to a ruleset: its positions or its tables.
fn is_of(name: &str, ruleset: &str) -> bool {
    let (named, _) = parts(name);
    if named == SHARED.0 && SHARED.1.contains(&ruleset) {
        return true;
    }
    let rest = named.strip_prefix(ruleset);
    !ruleset.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
}

/// A name of the store as the ruleset and the kind of its entries.
fn parts(name: &str) -> (&str, &str) {
    match name.split_once('\t') {
        None => (name, "values"),
        Some((ruleset, rest)) => match rest.split('\t').next() {
            Some("explored") => (ruleset, "explorations"),
            Some("table") => (ruleset, "table"),
            _ => (ruleset, "other"),
        },
    }
}

/// A number of entries.
fn entries(count: u64) -> String {
    format!("{count} {}", if count == 1 { "entry" } else { "entries" })
}

struct Report {
    file: String,
    contents: Contents,
    checked: Option<Checked>,
}

impl Report {
    fn text(&self) -> String {
        let Contents { engine, bytes, most, rulesets, .. } = &self.contents;
        let entries: u64 = rulesets.iter().map(|ruleset| ruleset.entries).sum();
        let count = self::entries(entries);
        let mut text = format!(
            "{}, of nimoon {engine}: {count}, {bytes} bytes of at most {most}\n",
            visible(&self.file)
        );
        if let Some(Checked { good, damaged, illegible, .. }) = self.checked {
            let _ = writeln!(
                text,
                "checked: {} good, {damaged} damaged, {illegible} unreadable bytes",
                self::entries(good)
            );
        }
        if rulesets.is_empty() {
            return text;
        }
        let mut rows = vec![["ruleset", "what", "entries", "bytes"].map(str::to_owned)];
        rows.extend(rulesets.iter().map(|kept| {
            let (ruleset, what) = parts(&kept.ruleset);
            let ruleset = visible(ruleset).into_owned();
            [ruleset, what.to_owned(), kept.entries.to_string(), kept.bytes.to_string()]
        }));
        let widths = [0, 1, 2, 3].map(|column| {
            rows.iter().map(|row| cell_width(&row[column])).max().unwrap_or_default()
        });
        rows.insert(1, widths.map(|width| "─".repeat(width)));
        text.push('\n');
        for row in rows {
            let cells = row.iter().zip(widths).map(|(cell, wide)| padded_cell(cell, wide));
            let line = cells.collect::<Vec<_>>().join("  ");
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

#[derive(Serialize)]
struct JsonReport<'a> {
    format: u32,
    engine: &'a str,
    meaning: u32,
    most: u64,
    bytes: u64,
    rulesets: Vec<JsonRuleset<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<JsonChecked>,
}

#[derive(Serialize)]
struct JsonRuleset<'a> {
    ruleset: &'a str,
    what: &'a str,
    entries: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct JsonChecked {
    good: u64,
    damaged: u64,
    illegible: u64,
}

impl<'a> JsonReport<'a> {
    fn new(report: &'a Report) -> Self {
        let Contents { engine, meaning, most, bytes, rulesets, .. } = &report.contents;
        let rulesets = rulesets.iter().map(|kept| {
            let (ruleset, what) = parts(&kept.ruleset);
            JsonRuleset { ruleset, what, entries: kept.entries, bytes: kept.bytes }
        });
        let checked = report.checked.map(|Checked { good, damaged, illegible, .. }| JsonChecked {
            good,
            damaged,
            illegible,
        });
        Self {
            format: 1,
            engine,
            meaning: *meaning,
            most: *most,
            bytes: *bytes,
            rulesets: rulesets.collect(),
            checked,
        }
    }
}

/// The most bytes of a store.
fn size(text: &str) -> Result<u64, String> {
    match limits::bytes(text)? {
        bytes if bytes < Options::LEAST => Err("expected at least 64KiB".to_owned()),
        bytes => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_has_room() {
        assert_eq!(size("64KiB"), Ok(65536));
        assert!(size("65535").is_err() && size("1KiB").is_err());
    }

    #[test]
    fn a_ruleset_is_meant_with_its_tables_and_without_others() {
        assert!(is_of("nim", "nim") && is_of("nim\texplored\t", "nim"));
        assert!(is_of("octal[0.77]:{}\ttable\tauto 0", "octal[0.77]"));
        assert!(!is_of("nimstring\texplored\t", "nim") && !is_of("nim", ""));
        assert!(is_of("strings", "nimstring") && is_of("strings", "coins"));
        assert!(is_of("strings", "strings") && !is_of("strings", "nim"));
    }
}
