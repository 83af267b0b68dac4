//! `nimoon period`.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use nimoon::Progress;
use nimoon_session::period::{FoundPeriod, Searched, USUAL_ROWS, is_only_found};

use crate::args::{PeriodArgs, PeriodFormat};
use crate::expressions::{Rules, Text};
use crate::failure::Failure;
use crate::limits::over_budget;
use crate::output::{print_json, print_text};

pub(crate) fn run(args: &PeriodArgs) -> Result<(), Failure> {
    let text = Text::new(&args.ruleset);
    let work = args.limits.work();
    let mut rules = Rules::new(&args.rules, &work)?;
    if is_only_found(&args.ruleset, &rules) {
        let largest = args.up_to.unwrap_or(USUAL_ROWS);
        let found = FoundPeriod::search(&args.ruleset, largest, &mut rules, &work);
        let report = found.map_err(super::table::failure)?;
        match args.format {
            PeriodFormat::Text => print_text(&format!("{}\n", report.sentence()))?,
            PeriodFormat::Json => print_json(&report)?,
        }
        return report.interrupted.map_or(Ok(()), |interrupted| Err(over_budget(interrupted)));
    }
    let ruleset = Searched::read(&args.ruleset).map_err(|error| text.failure(error))?;
    let limit = ruleset.largest(args.up_to).map_err(|most| {
        Failure::input(format!("--up-to may be {most} at most, or the search takes too long"))
    })?;
    let pace = Pace::new(limit);
    let (bar, pace) = (pace.bar.clone(), Mutex::new(pace));
    let work = args.limits.work().on_progress(move |progress| {
        if let Progress::Heaps { known } = progress {
            pace.lock().unwrap_or_else(PoisonError::into_inner).tell(known);
        }
    });
    let searched = ruleset.search(limit, &work);
    bar.finish_and_clear();
    let report = searched.map_err(|error| text.failure(error))?;
    match args.format {
        PeriodFormat::Text => print_text(&format!("{}\n", report.sentence("--up-to")))?,
        PeriodFormat::Json => print_json(&report)?,
    }
    report.interrupted.map_or(Ok(()), |interrupted| Err(over_budget(interrupted)))
}

/// Shows the progress of a search, and a bound on the time left.
struct Pace {
    bar: ProgressBar,
    limit: usize,
    start: Instant,
    shown: bool,
    shown_at: Instant,
    /// The last two times at which the number of known heaps had doubled.
    doubled: [(usize, Duration); 2],
}

impl Pace {
    fn new(limit: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(limit as u64), ProgressDrawTarget::hidden());
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {pos} of {len} heaps, {elapsed_precise} {msg}")
        {
            bar.set_style(style);
        }
        let start = Instant::now();
        Self { bar, limit, start, shown: false, shown_at: start, doubled: [(1, Duration::ZERO); 2] }
    }

    /// Notes the known heaps, and updates the display now and then.
    fn tell(&mut self, heaps: usize) {
        const EVERY: Duration = Duration::from_millis(500);
        let elapsed = self.start.elapsed();
        if heaps >= 2 * self.doubled[1].0 {
            self.doubled = [self.doubled[1], (heaps, elapsed)];
        }
        if self.shown_at.elapsed() < EVERY {
            return;
        }
        self.shown_at = Instant::now();
        if !self.shown && std::io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.shown = true;
        self.bar.set_position(heaps as u64);
        let left = time_left(self.doubled[0], (heaps, elapsed), self.limit);
        self.bar.set_message(format!("at most about {} left", HumanDuration(left)));
    }
}

/// An estimate of the time left from the growth between two numbers of heaps: quadratic in general,
/// linear in a sparse space.
fn time_left(before: (usize, Duration), now: (usize, Duration), all: usize) -> Duration {
    /// About a year, to avoid overflow.
    const MOST: f64 = 3e7;
    let [earlier, later] =
        [before, now].map(|(heaps, time)| ((heaps as f64).max(1.0), time.as_secs_f64().max(1e-6)));
    let power = (later.1 / earlier.1).ln() / (later.0 / earlier.0).ln().max(0.1);
    let growth = (all as f64 / later.0).max(1.0).powf(power.clamp(1.0, 3.0));
    Duration::from_secs_f64((later.1 * (growth - 1.0)).min(MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_grows_as_it_did_before() {
        let left = |before, now, all| {
            let at = |(heaps, seconds)| (heaps, Duration::from_secs(seconds));
            (time_left(at(before), at(now), all) + Duration::from_millis(1)).as_secs()
        };
        // Linear, quadratic, and at the end.
        assert_eq!(left((100, 10), (200, 20), 400), 20);
        assert_eq!(left((100, 10), (200, 40), 400), 120);
        assert_eq!(left((100, 10), (200, 40), 200), 0);
        assert_eq!(left((1, 0), (64, 1), usize::MAX), 30_000_000);
    }
}
