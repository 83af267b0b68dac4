//! `nimoon table`.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use nimoon::explore::Progress;
use nimoon_formats::checkpoint::Header;
use nimoon_formats::sequence::KnownRows;
use nimoon_formats::write::SequenceReport;
use nimoon_rulesets::heap::Path;
use nimoon_rulesets::table::{Range, Request, TableError, Watcher};

use crate::args::{Instructions, TableArgs, TableFormat};
use crate::checkpoint::{self, Checkpoint};
use crate::expressions::{Rules, Text};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::print;
use crate::rows::KeptRows;

pub(crate) fn run(args: &TableArgs) -> Result<(), Failure> {
    let range: Range = args.range.parse().map_err(failure)?;
    let request = Request {
        pattern: args.pattern.parse().map_err(failure)?,
        range,
        theory: args.theory.theory(),
        budget: args.theory.budget(),
    };
    args.threads.start()?;
    insist_on(args.instructions)?;
    let pattern = request.pattern.clone();
    let mut rules = Rules::with_store(&args.rules, &args.store)?;
    let plan = request.plan(&mut rules).map_err(failure)?;
    let mut known = plan.nothing();
    let mut desk = Desk::new(args, range, matches!(known.known(), KnownRows::Heaps(_)));
    let header = Header {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        table: pattern.as_str().to_owned(),
        theory: args.theory.theory(),
        files: rules.files(),
    };
    if let Some(store) = rules.store() {
        let mut rows = KeptRows::new(Arc::clone(store), header.clone());
        known = rows.recall(known, range.last);
        desk.kept = Some(rows);
        interrupt::catch();
    }
    if let Some(file) = &args.checkpoint {
        let (mut checkpoint, kept) = Checkpoint::open(file, header, desk.every)?;
        if let Some(kept) = kept {
            if !plan.fits(&kept) {
                let first = range.first;
                let reason = format!("this checkpoint does not begin with row {first}");
                return Err(checkpoint::refused(file, &reason));
            }
            if kept.known().len() >= known.known().len() {
                known = kept;
            }
        }
        checkpoint.begin(known.known())?;
        desk.checkpoint = Some(checkpoint);
        interrupt::catch();
    }
    desk.begin(known.known());
    let table = plan.run(known, &mut rules, &mut desk);
    desk.bar.finish_and_clear();
    let table = table.map_err(failure)?;
    if let Some(kept) = &mut desk.kept {
        kept.keep(table.rows.known());
    }
    rules.flush();
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

fn insist_on(instructions: Instructions) -> Result<(), Failure> {
    let path = match instructions {
        Instructions::Auto => return Ok(()),
        Instructions::Portable => Path::Portable,
        Instructions::Avx2 => Path::Avx2,
        Instructions::Avx512 => Path::Avx512,
    };
    path.insist().map_err(|error| {
        Failure::input(format!("--instructions {}: {error}, or take auto", path.name()))
    })
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

/// Shows how far a table is, and keeps it.
struct Desk {
    bar: ProgressBar,
    start: Instant,
    shown: bool,
    every: Duration,
    checkpoint: Option<Checkpoint>,
    /// The rows in the store.
    kept: Option<KeptRows>,
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
        Self { bar, start, shown: false, every, checkpoint: None, kept: None, heaps, told: start }
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

    /// Ends the program if somebody asked for it, after everything that is known was kept.
    fn end_if_asked(&mut self, known: Option<KnownRows<'_>>) {
        if !interrupt::asked() || (self.checkpoint.is_none() && self.kept.is_none()) {
            return;
        }
        self.bar.finish_and_clear();
        if let Some(kept) = &mut self.kept {
            if let Some(known) = known {
                kept.keep(known);
            }
            kept.flush();
        }
        match (&mut self.checkpoint, known) {
            (Some(checkpoint), Some(known)) => checkpoint.end(known),
            _ => interrupt::end("the rows that were kept so far are found again"),
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
        self.end_if_asked(Some(known));
        if let Some(checkpoint) = &mut self.checkpoint {
            checkpoint.offer(known);
        }
        if let Some(kept) = &mut self.kept {
            kept.offer(known);
        }
    }

    fn exploring(&mut self, progress: Progress) {
        self.end_if_asked(None);
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
