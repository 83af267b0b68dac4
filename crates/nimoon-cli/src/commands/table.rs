//! `nimoon table`.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nimoon::{AnyValue, EntailingValue, Interrupted, Progress};
use nimoon_formats::checkpoint::Header;
use nimoon_formats::sequence::{KnownRows, Row};
use nimoon_formats::write::{Plot, SequenceReport};
use nimoon_rulesets::heap::Path;
use nimoon_session::certificate::write_table_certificate;
use nimoon_session::condition::Condition;
use nimoon_session::kept::KeptRows;
use nimoon_session::table::{PartizanTable, Pattern, Range, Request, TableError, is_partizan};
use nimoon_store::Store;

use crate::args::{Instructions, TableArgs, TableFormat};
use crate::certificates;
use crate::checkpoint::{self, Checkpoint};
use crate::expressions::{Rules, Text};
use crate::failure::Failure;
use crate::interrupt;
use crate::limits::{self, OPTIONS};
use crate::output::{complain, print, print_answer, print_json, print_text};
use crate::progress::in_words;

#[allow(clippy::too_many_lines, reason = "it goes through the options in order")]
pub(crate) fn run(args: &TableArgs) -> Result<(), Failure> {
    let ranges = args.ranges.join(" ");
    let (pattern, range) = Pattern::with(&args.pattern, &ranges).map_err(failure)?;
    let condition = args.condition.as_deref().map(|text| {
        let read = pattern.condition(text);
        read.map_err(|e| Text::new(text).wrong(e.at, &e.message).in_option("--where"))
    });
    let condition = condition.transpose()?;
    let request = Request { pattern: pattern.clone(), range, theory: args.theory.theory() };
    args.threads.start()?;
    insist_on(args.instructions)?;
    let mut rules = Rules::with_store(&args.rules, &args.store, &args.theory.limits.work())?;
    if is_partizan(&pattern, range, &mut rules) {
        return partizan(args, &pattern, range, condition.as_ref(), &mut rules);
    }
    if args.certificate.is_requested() {
        need_certificates(pattern.as_str(), range.last, &rules)?;
    }
    let budget = args.theory.limits.budget();
    let plan = request.plan(&mut rules, budget).map_err(failure)?;
    // Warn early, so that the user can request other rows.
    if let Some(over) = plan.over().filter(|_| std::io::stderr().is_terminal()) {
        announce_early_end(over);
    }
    let mut known = plan.nothing();
    let mut progress =
        TableProgress::new(args, range, matches!(known.known(), KnownRows::Heaps(_)));
    let header = Header {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        table: pattern.key(),
        theory: args.theory.theory(),
        files: rules.files(),
    };
    if let Some(store) = rules.store() {
        let mut rows = KeptRows::new(Arc::clone(store), header.clone());
        known = rows.recall(known, range.last);
        progress.kept = Some(rows);
        interrupt::catch_patiently();
    }
    if let Some(file) = &args.checkpoint {
        let (mut checkpoint, kept) = Checkpoint::open(file, header, progress.every)?;
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
        progress.checkpoint = Some(checkpoint);
        interrupt::catch_patiently();
    }
    progress.begin(known.known());
    let patience = progress.checkpoint.as_ref().map(|_| 2 * progress.every);
    let shared = Arc::new(Mutex::new(progress));
    let shown = Arc::clone(&shared);
    let work = limits::work(budget);
    let work = work.on_progress(move |progress| lock(&shown).show_progress(progress));
    let keep = &mut |known: KnownRows<'_>| lock(&shared).rows(known);
    let table = plan.patience(patience).run(known, &mut rules, &work, keep);
    let mut progress = lock(&shared);
    progress.bar.finish_and_clear();
    let table = table.map_err(failure)?;
    if table.interrupted == Some(Interrupted::Stopped) {
        progress.end_if_asked(Some(table.rows.known()));
    }
    if let Some(kept) = &mut progress.kept {
        kept.keep(table.rows.known());
    }
    rules.flush();
    let saved =
        progress.checkpoint.take().map_or(Ok(()), |mut kept| kept.finish(table.rows.known()));
    if args.certificate.is_requested() && table.stopped.is_none() {
        let ruleset = pattern.as_str().trim_end_matches(":{}");
        let value = |number| match table.rows.row(number)?.value? {
            AnyValue::Entailing(value) => Some(value),
            value => value.nimber().map(EntailingValue::Nimber),
        };
        // The proof of a value uses the values of all smaller heaps.
        let values: Option<Vec<_>> = (0..=range.last).map(value).collect();
        let values = values.ok_or_else(|| {
            certificates::none("rows without a value, or a table that does not begin with row 0")
        })?;
        args.certificate.save(|out| write_table_certificate(ruleset, 0, &values, out))?;
    }
    let holds = |n: u64, row: &Row| {
        condition.as_ref().is_none_or(|condition| pattern.holds(condition, n, row.value.as_ref()))
    };
    let report = SequenceReport {
        family: &pattern,
        first: range.first,
        last: range.last,
        theory: table.theory,
        rows: &table.rows,
        moons_only: args.moons,
        shown: condition.is_some().then_some(&holds as _),
    };
    print_rows(&report, &pattern, args.format)?;
    saved?;
    match table.stopped {
        Some(message) => Err(match table.interrupted {
            None => Failure::limit(&message),
            Some(interrupted) => limits::interrupted(interrupted, message, OPTIONS),
        }),
        None => Ok(()),
    }
}

/// Tabulates partizan positions.
fn partizan(
    args: &TableArgs,
    pattern: &Pattern,
    range: Range,
    condition: Option<&Condition>,
    rules: &mut Rules,
) -> Result<(), Failure> {
    args.certificate.refuse("tables of partizan positions")?;
    let given = [
        ("--theory", args.theory.theory.is_some()),
        ("--moons", args.moons),
        ("--checkpoint", args.checkpoint.is_some()),
        ("--store", args.store.store.is_some()),
    ];
    if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::input(format!(
            "{option} is for impartial games, and these positions are partizan"
        )));
    }
    let work = args.theory.limits.work();
    let text = Text::new(&pattern.row(range.first));
    let table = PartizanTable::new(pattern, range, condition, rules, &work);
    let table = table.map_err(|error| text.unanswered(&error))?;
    match args.format {
        TableFormat::Table => print(|out| table.write_table(out))?,
        TableFormat::Csv => print(|out| table.write_csv(out))?,
        TableFormat::Json => print_json(&table.rows)?,
        _ => {
            let message = "tables of partizan positions are printed as table, csv or json";
            return Err(Failure::input(message));
        }
    }
    table.missing.map_or(Ok(()), |error| Err(text.unanswered(&error)))
}

/// Prints the rows in this format.
fn print_rows(
    report: &SequenceReport<'_>,
    pattern: &Pattern,
    format: TableFormat,
) -> Result<(), Failure> {
    let plot = || {
        let plot = Plot::new(report, &pattern.lengths());
        plot.map_err(|error| Failure::input(error.to_string()))
    };
    match format {
        TableFormat::Svg => print_text(&plot()?.svg()),
        TableFormat::Png => {
            let picture = plot()?.png();
            print(|out| out.write_all(&picture))
        }
        TableFormat::Table => print_answer(|mut out| report.write_table(&mut out)),
        TableFormat::Json => print(|mut out| report.write_json(&mut out)),
        TableFormat::Csv => print(|mut out| report.write_csv(&mut out)),
        TableFormat::Latex => print(|mut out| report.write_latex(&mut out)),
        TableFormat::Bfile => {
            let text = report.b_file().map_err(|error| Failure::input(error.to_string()))?;
            print(|out| out.write_all(&text))
        }
    }
}

fn announce_early_end(over: Interrupted) {
    let advice = over.advise(over, OPTIONS);
    complain(format_args!("note: {advice} for this table, which will end early"));
}

/// Returns an error for tables that have no certificate.
fn need_certificates(pattern: &str, last: u64, rules: &Rules) -> Result<(), Failure> {
    let ruleset = pattern.strip_suffix(":{}").filter(|ruleset| !ruleset.contains("{}"));
    if let Some(script) = ruleset.and_then(|ruleset| rules.about(ruleset)) {
        let file = &script.file;
        return Err(certificates::none(&format!(
            "a table of `{pattern}` by the rules of {file}: `nimoon value` writes one for a position of a script"
        )));
    }
    if ruleset.is_some_and(|ruleset| nimoon_check::table::can_check(ruleset, last)) {
        return Ok(());
    }
    Err(certificates::none(&format!(
        "a table of `{pattern}` up to {last}: tables with certificates are those of nim, subtraction, \
         octal and hexadecimal codes, grundys-game and top-entails, up to the limit of plain recursion"
    )))
}

fn insist_on(instructions: Instructions) -> Result<(), Failure> {
    let path = match instructions {
        Instructions::Auto => return Ok(()),
        Instructions::Portable => Path::Portable,
        Instructions::Avx2 => Path::Avx2,
        Instructions::Avx512 => Path::Avx512,
    };
    path.insist().map_err(|error| {
        Failure::input(format!("--instructions {}: {error}; try auto", path.name()))
    })
}

pub(crate) fn failure(error: TableError) -> Failure {
    match error {
        TableError::Position { row, error } => Text::new(&row).failure(error),
        TableError::Solution(error) if error.is_limit_of_rules() => {
            Failure::limit(&error.to_string())
        }
        TableError::Solution(error) => Failure::of_lines(&error.to_string()),
        error => Failure::input(error.to_string()),
    }
}

/// Shows the progress of a table and saves its rows.
struct TableProgress {
    bar: ProgressBar,
    start: Instant,
    shown: bool,
    every: Duration,
    checkpoint: Option<Checkpoint>,
    /// The rows in the store.
    kept: Option<KeptRows<Store>>,
    /// For heaps, their total number.
    heaps: Option<u64>,
    pace: Pace,
    /// When the estimate of the time left was last shown.
    shown_at: Instant,
}

impl TableProgress {
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
        let heaps = heaps.then_some(rows);
        let (checkpoint, kept, pace) = (None, None, Pace::default());
        Self { bar, start, shown: false, every, checkpoint, kept, heaps, pace, shown_at: start }
    }

    /// Notes the rows that are known before the work begins.
    fn begin(&mut self, known: KnownRows<'_>) {
        self.start = Instant::now();
        self.pace.note(known.len() as u64, Duration::ZERO);
        self.rows(known);
    }

    /// Shows an estimate of the time left, every half second.
    fn show_time_left(&mut self, known: u64) {
        const EVERY: Duration = Duration::from_millis(500);
        let Some(all) = self.heaps else { return };
        if self.shown_at.elapsed() > EVERY {
            self.shown_at = Instant::now();
            self.pace.note(known, self.start.elapsed());
            if let Some(left) = self.pace.left(all) {
                self.bar.set_message(format!("about {} left", in_words(left)));
            }
        }
    }

    /// Ends the program after a signal, once everything that is known was saved.
    fn end_if_asked(&mut self, known: Option<KnownRows<'_>>) {
        if !interrupt::asked() || (self.checkpoint.is_none() && self.kept.is_none()) {
            return;
        }
        self.bar.finish_and_clear();
        if let Some(kept) = &mut self.kept {
            if let Some(known) = known {
                kept.keep(known);
            }
            // Without the flush only time is lost.
            let _ = kept.memory().flush();
        }
        match (&mut self.checkpoint, known) {
            (Some(checkpoint), Some(known)) => checkpoint.end(known),
            _ => interrupt::end("the rows that the store has will be reused"),
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

/// The time per heap so far.
///
/// The time for a heap grows as some power of its size: constant in a sparse space, linear if all
/// splits are considered, and different at the beginning. So the power is fitted to the latest
/// half.
#[derive(Default)]
struct Pace {
    /// The number of known heaps, and the time at which they were known.
    noted: Vec<(u64, Duration)>,
}

impl Pace {
    fn note(&mut self, known: u64, after: Duration) {
        if self.noted.last().is_none_or(|&(last, _)| last < known) {
            self.noted.push((known, after));
        }
    }

    /// An estimate of the time left until `all` heaps are known; none with too few notes.
    fn left(&self, all: u64) -> Option<Duration> {
        /// About a year, to avoid overflow.
        const MOST: f64 = 3e7;
        /// A steeper growth is noise.
        const STEEPEST: f64 = 2.0;
        let (&(begin, _), &(known, _)) = (self.noted.first()?, self.noted.last()?);
        // The first, middle and last place of the latest half.
        let place = |heaps: u64| self.noted.partition_point(|&(noted, _)| noted < heaps);
        let last = self.noted.len() - 1;
        let first = place(begin + (known - begin) / 2).min(last.checked_sub(2)?);
        let middle = place(self.noted[first].0.midpoint(known)).clamp(first + 1, last - 1);
        let pace = |from: usize, to: usize| {
            let ((heaps, after), (more, later)) = (self.noted[from], self.noted[to]);
            let for_each = (later.saturating_sub(after)).as_secs_f64() / (more - heaps) as f64;
            (heaps.midpoint(more).max(1) as f64, for_each.max(1e-12))
        };
        let [(size, earlier), (at, now)] = [pace(first, middle), pace(middle, last)];
        let power = ((now / earlier).ln() / (at / size).ln().max(1e-9)).clamp(0.0, STEEPEST);
        // The integral of the time for a heap over those that are left.
        let up_to = |heaps: u64| (heaps as f64 / at).powf(power + 1.0);
        let left = now * at / (power + 1.0) * (up_to(all) - up_to(known));
        Some(Duration::from_secs_f64(left.clamp(0.0, MOST)))
    }
}

fn lock(progress: &Mutex<TableProgress>) -> MutexGuard<'_, TableProgress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TableProgress {
    /// Shows and saves the known rows.
    fn rows(&mut self, known: KnownRows<'_>) {
        self.show();
        self.bar.set_position(known.len() as u64);
        self.show_time_left(known.len() as u64);
        self.end_if_asked(Some(known));
        if let Some(checkpoint) = &mut self.checkpoint {
            checkpoint.offer(known);
        }
        if let Some(kept) = &mut self.kept {
            kept.offer(known);
        }
    }

    /// Shows the progress of exploring.
    fn show_progress(&mut self, progress: Progress) {
        let message = match progress {
            Progress::Searching { visited, .. } => format!("searching: {visited} positions"),
            Progress::Exploring { expanded, met, .. } => {
                format!("exploring: {expanded} of {met} positions")
            }
            _ => return,
        };
        self.end_if_asked(None);
        self.show();
        if self.shown {
            self.bar.set_message(message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The estimate for the remaining heaps if the first `n` heaps took `time(n)`.
    fn left(known: &[u64], all: u64, time: impl Fn(f64) -> f64) -> Option<f64> {
        let mut pace = Pace::default();
        let first = time(known[0] as f64);
        for &heaps in known {
            pace.note(heaps, Duration::from_secs_f64(time(heaps as f64) - first));
        }
        pace.left(all).map(|left| left.as_secs_f64())
    }

    #[test]
    fn the_time_left_is_estimated_from_the_latest_heaps() {
        let known: Vec<u64> = (0..=100).map(|i| 1000 * i).collect();
        let close = |found: Option<f64>, right: f64| {
            let found = found.expect("enough is noted");
            assert!((found / right - 1.0).abs() < 0.05, "{found} for {right}");
        };
        // Each heap as long as another; in proportion to its size; and as the square of it.
        for power in [1.0, 2.0, 3.0] {
            let time = |heaps: f64| 10.0 * (heaps / 1e5).powf(power);
            close(left(&known, 1_000_000, time), time(1e6) - time(1e5));
            // The same when most was known before.
            close(left(&known[60..], 1_000_000, time), time(1e6) - time(1e5));
        }
        // A slow beginning does not count.
        let time = |heaps: f64| if heaps < 4e4 { heaps } else { 4e4 + heaps / 1e3 };
        close(left(&known, 1_000_000, time), 900.0);
    }

    #[test]
    fn the_time_left_is_not_estimated_too_early_and_has_a_bound() {
        let time = |heaps: f64| heaps;
        assert_eq!(left(&[5], 100, time), None);
        assert_eq!(left(&[0, 50], 100, time), None);
        assert_eq!(left(&[0, 50, 100], 100, time), Some(0.0));
        assert_eq!(left(&[0, 50, 100], 10, time), Some(0.0));
        assert_eq!(left(&[0, 1, 2], u64::MAX, time), Some(30_000_000.0));
        // Blocks that took no time, and heaps that are reported twice.
        assert!(left(&[0, 0, 1, 1, 2, 3], 100, |_| 0.0).is_some());
    }
}
