//! `nimoon table`.

use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use nimoon::Positions;
use nimoon::explore::Progress;
use nimoon_formats::checkpoint::{Checksum, Header};
use nimoon_formats::sequence::KnownRows;
use nimoon_formats::write::SequenceReport;
use nimoon_rulesets::expression::{ExpressionError, Library};
use nimoon_rulesets::table::{Range, Request, TableError, Watcher};

use crate::args::{TableArgs, TableFormat};
use crate::checkpoint::{self, Checkpoint};
use crate::expressions::{Rules, Text};
use crate::failure::Failure;
use crate::output::print;

pub(crate) fn run(args: &TableArgs) -> Result<(), Failure> {
    let range: Range = args.range.parse().map_err(failure)?;
    let request = Request {
        pattern: args.pattern.parse().map_err(failure)?,
        range,
        theory: args.theory.theory(),
        budget: args.theory.budget(),
    };
    if let Some(threads) = args.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get());
        pool.build_global()
            .map_err(|error| Failure::other(format!("{threads} threads cannot be had: {error}")))?;
    }
    let pattern = request.pattern.clone();
    let mut rules = WatchedRules::new(args)?;
    let plan = request.plan(&mut rules).map_err(failure)?;
    let mut known = plan.nothing();
    let mut desk = Desk::new(args, range, matches!(known.known(), KnownRows::Heaps(_)));
    if let Some(file) = &args.checkpoint {
        let header = Header {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            table: pattern.as_str().to_owned(),
            theory: args.theory.theory(),
            files: rules.files.map_or(0, Checksum::value),
        };
        let (mut checkpoint, kept) = Checkpoint::open(file, header, desk.every)?;
        if let Some(kept) = kept {
            if !plan.fits(&kept) {
                let first = range.first;
                let reason = format!("this checkpoint does not begin with row {first}");
                return Err(checkpoint::refused(file, &reason));
            }
            known = kept;
        }
        checkpoint.begin(known.known())?;
        desk.checkpoint = Some(checkpoint);
    }
    desk.begin(known.known());
    let table = plan.run(known, &mut rules, &mut desk);
    desk.bar.finish_and_clear();
    let table = table.map_err(failure)?;
    let saved = desk.checkpoint.map_or(Ok(()), |mut kept| kept.finish(table.rows.known()));
    let report = SequenceReport {
        pattern: pattern.as_str(),
        first: range.first,
        last: range.last,
        theory: table.theory,
        rows: &table.rows,
        moons_only: args.moons,
    };
    match args.format {
        TableFormat::Table => print(|mut out| report.write_table(&mut out))?,
        TableFormat::Json => print(|mut out| report.write_json(&mut out))?,
        TableFormat::Csv => print(|mut out| report.write_csv(&mut out))?,
        TableFormat::Latex => print(|mut out| report.write_latex(&mut out))?,
        TableFormat::Bfile => {
            let text = report.b_file().map_err(|error| Failure::input(error.to_string()))?;
            print(|out| out.write_all(&text))?;
        }
    }
    saved?;
    match table.stopped {
        Some(message) => {
            Err(Failure::Budget { message: format!("{message}; raise it by --budget") })
        }
        None => Ok(()),
    }
}

fn failure(error: TableError) -> Failure {
    match error {
        TableError::Position { row, error } => Text::new(&row).failure(error),
        TableError::BeyondBudget { .. } => Failure::Budget {
            message: format!("{error}: raise it by --budget, or take a smaller range"),
        },
        TableError::Solution(error) => Failure::of_lines(&error.to_string()),
        error => Failure::input(error.to_string()),
    }
}

/// Rules that keep the checksum of all files that they come from.
struct WatchedRules {
    rules: Rules,
    files: Option<Checksum>,
}

impl WatchedRules {
    fn new(args: &TableArgs) -> Result<Self, Failure> {
        let mut watched = Self { rules: Rules::new(&args.rules)?, files: None };
        let scripts = watched.rules.scripts();
        let scripts: Vec<_> =
            scripts.map(|(_, about)| (about.file.clone(), about.source.clone())).collect();
        for (file, source) in scripts {
            watched.take_in(Path::new(&file), source.as_bytes());
        }
        Ok(watched)
    }

    fn take_in(&mut self, file: &Path, bytes: &[u8]) {
        let files = self.files.get_or_insert_default();
        files.update(file.file_name().map_or(&[][..], |name| name.as_encoded_bytes()));
        files.update(&(bytes.len() as u64).to_le_bytes());
        files.update(bytes);
    }
}

impl Library for WatchedRules {
    fn file(&mut self, name: &str, most: u64) -> Result<Vec<u8>, ExpressionError> {
        let bytes = self.rules.file(name, most)?;
        self.take_in(Path::new(name), &bytes);
        Ok(bytes)
    }

    fn ruleset(&mut self, name: &str) -> Option<Box<dyn Positions>> {
        self.rules.ruleset(name)
    }

    fn names(&self) -> Vec<String> {
        self.rules.names()
    }
}

/// Shows how far a table is, and keeps it.
struct Desk {
    bar: ProgressBar,
    start: Instant,
    shown: bool,
    every: Duration,
    checkpoint: Option<Checkpoint>,
    /// For heaps, how many there will be and how many were known before.
    heaps: Option<(u64, u64)>,
    /// When the time that is left was last told.
    told: Instant,
}

impl Desk {
    fn new(args: &TableArgs, range: Range, heaps: bool) -> Self {
        // Heaps are counted from 0, since those below the range take their time too.
        let below = if heaps { 0 } else { range.first };
        let rows = (range.last - below).saturating_add(1);
        let bar = ProgressBar::with_draw_target(Some(rows), ProgressDrawTarget::hidden());
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {pos} of {len} rows, {elapsed_precise} {msg}")
        {
            bar.set_style(style);
        }
        let every = Duration::from_secs_f64(args.checkpoint_every);
        let start = Instant::now();
        let heaps = heaps.then_some((rows, 0));
        Self { bar, start, shown: false, every, checkpoint: None, heaps, told: start }
    }

    /// Takes note of what is known before the work begins.
    fn begin(&mut self, known: KnownRows<'_>) {
        if let Some((_, before)) = &mut self.heaps {
            *before = known.len() as u64;
        }
        self.start = Instant::now();
        self.rows(known);
    }

    /// Tells the time that is left, now and then.
    fn tell_time_left(&mut self, known: u64) {
        const EVERY: Duration = Duration::from_millis(500);
        let Some((all, before)) = self.heaps.filter(|_| self.shown) else { return };
        if self.told.elapsed() > EVERY {
            self.told = Instant::now();
            let left = time_left(self.start.elapsed(), before, known, all);
            self.bar.set_message(format!("about {} left", HumanDuration(left)));
        }
    }

    /// Quick answers need no progress.
    fn show(&mut self) {
        const AFTER: Duration = Duration::from_millis(500);
        if !self.shown && self.start.elapsed() > AFTER {
            self.shown = true;
            if std::io::stderr().is_terminal() {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
        }
    }
}

/// The time for the heaps that are left, since those from `before` to `known` took so long. The
/// time for a heap grows with its size, as the number of ways to split it does.
fn time_left(took: Duration, before: u64, known: u64, all: u64) -> Duration {
    /// A year is long enough to say that it is long.
    const MOST: f64 = 3e7;
    let work = |heaps: u64| heaps as f64 * heaps as f64;
    let done = work(known) - work(before);
    let left = (work(all) - work(known)).max(0.0);
    Duration::from_secs_f64((took.as_secs_f64() * left / done.max(1.0)).min(MOST))
}

impl Watcher for Desk {
    fn rows(&mut self, known: KnownRows<'_>) {
        self.show();
        self.bar.set_position(known.len() as u64);
        self.tell_time_left(known.len() as u64);
        if let Some(checkpoint) = &mut self.checkpoint {
            checkpoint.offer(known);
        }
    }

    fn exploring(&mut self, progress: Progress) {
        self.show();
        if self.shown {
            let Progress { expanded, met, search, .. } = progress;
            self.bar.set_message(match search {
                Some(search) => format!("searching: {} positions", search.looked_at),
                None => format!("exploring: {expanded} of {met} positions"),
            });
        }
    }

    fn patience(&self) -> Option<Duration> {
        self.checkpoint.as_ref().map(|_| 2 * self.every)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_a_quadratic_job() {
        let left = |took, before, known, all| {
            time_left(Duration::from_secs(took), before, known, all).as_secs()
        };
        assert_eq!(left(10, 0, 100, 200), 30);
        assert_eq!(left(10, 100, 200, 300), 16);
        assert_eq!(left(10, 0, 200, 200), 0);
        assert_eq!(left(10, 200, 200, 100), 0);
        assert_eq!(left(1000, 0, 0, u64::MAX), 30_000_000);
    }
}
