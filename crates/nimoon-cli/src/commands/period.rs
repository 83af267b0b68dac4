//! `nimoon period`.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use nimoon_rulesets::expression::{ExpressionError, NoLibrary, unknown};
use nimoon_rulesets::heap::{Period, PeriodReport, heap_period, watched_period};
use nimoon_rulesets::{Entry, Parameters, catalogue, find};
use serde::Serialize;

use crate::args::{PeriodArgs, PeriodFormat};
use crate::expressions::Text;
use crate::failure::Failure;
use crate::output::{print_json, print_text};

/// The largest heap to look at: unless told otherwise, and at most. What is allowed takes minutes
/// where values lie in a sparse space, and hours at the worst; it takes some hundred megabytes.
struct Limit {
    usual: u64,
    most: u64,
}

impl Limit {
    /// The time grows at most with the square of the largest heap; where three heaps may be left, with
    /// the cube.
    fn of(name: &str) -> Self {
        match name {
            "hexadecimal" => Self { usual: 2_000, most: 20_000 },
            _ => Self { usual: 10_000, most: 10_000_000 },
        }
    }

    fn choose(&self, asked: Option<u64>) -> Result<usize, Failure> {
        let heap = asked.unwrap_or(self.usual);
        let heap = usize::try_from(heap).ok().filter(|_| heap <= self.most);
        heap.ok_or_else(|| {
            let most = self.most;
            Failure::input(format!("--up-to may be {most} at most, or the search takes too long"))
        })
    }
}

pub(crate) fn run(args: &PeriodArgs) -> Result<(), Failure> {
    let text = Text::new(&args.ruleset);
    let named = Named::read(&args.ruleset).map_err(|error| text.failure(error))?;
    let limit = Limit::of(named.name).choose(args.up_to)?;
    let mut pace = Pace::new(limit);
    let mut watch = |heaps| pace.tell(heaps);
    let searched = watched_period(named.name, named.parameters, limit, &mut watch);
    pace.bar.finish_and_clear();
    let Some(searched) = searched else {
        return Err(text.failure(named.not_searched()));
    };
    let report = searched
        .map_err(|error| text.failure(wrong(named.parameters_at + error.at, error.message)))?;
    match args.format {
        PeriodFormat::Text => print_text(&format!("{}\n", sentence(&report, named.name))),
        PeriodFormat::Json => print_json(&JsonPeriod::new(&report)),
    }
}

/// Shows how far a search is, and when it will have seen all heaps at the latest.
struct Pace {
    bar: ProgressBar,
    limit: usize,
    start: Instant,
    shown: bool,
    told: Instant,
    /// How many heaps were known when, at the last two times that their number had doubled.
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
        Self { bar, limit, start, shown: false, told: start, doubled: [(1, Duration::ZERO); 2] }
    }

    /// Takes note of the heaps that are known, and tells it now and then.
    fn tell(&mut self, heaps: usize) {
        const EVERY: Duration = Duration::from_millis(500);
        // The clock is slower than many heaps.
        if !heaps.is_multiple_of(64) {
            return;
        }
        let elapsed = self.start.elapsed();
        if heaps >= 2 * self.doubled[1].0 {
            self.doubled = [self.doubled[1], (heaps, elapsed)];
        }
        if self.told.elapsed() < EVERY {
            return;
        }
        self.told = Instant::now();
        if !self.shown && std::io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.shown = true;
        self.bar.set_position(heaps as u64);
        let left = time_left(self.doubled[0], (heaps, elapsed), self.limit);
        self.bar.set_message(format!("at most about {} left", HumanDuration(left)));
    }
}

/// The time for the heaps that are left, if it goes on to grow as it did from one number of heaps to
/// another: with the square in general, evenly in a sparse space.
fn time_left(before: (usize, Duration), now: (usize, Duration), all: usize) -> Duration {
    /// A year is long enough to say that it is long.
    const MOST: f64 = 3e7;
    let [earlier, later] =
        [before, now].map(|(heaps, time)| ((heaps as f64).max(1.0), time.as_secs_f64().max(1e-6)));
    let power = (later.1 / earlier.1).ln() / (later.0 / earlier.0).ln().max(0.1);
    let growth = (all as f64 / later.0).max(1.0).powf(power.clamp(1.0, 3.0));
    Duration::from_secs_f64((later.1 * (growth - 1.0)).min(MOST))
}

fn wrong(at: usize, message: impl Into<String>) -> ExpressionError {
    ExpressionError::Text { at, message: message.into() }
}

/// A ruleset of the catalogue, as it was written.
struct Named<'a> {
    name: &'a str,
    at: usize,
    parameters: &'a str,
    parameters_at: usize,
}

impl<'a> Named<'a> {
    /// Reads `name` or `name[parameters]`.
    fn read(text: &'a str) -> Result<Self, ExpressionError> {
        let at = text.len() - text.trim_start().len();
        let end = text.trim_end().len().max(at);
        let open = text.find('[');
        let name = text[at..open.unwrap_or(end).max(at)].trim_end();
        if let Some((name, _)) = name.split_once(':') {
            let message = "expected a ruleset alone, without a position";
            return Err(wrong(at + name.len(), message));
        }
        let entry = find(name).ok_or_else(|| match name {
            "" => wrong(at, "expected the name of a ruleset, as in `kayles`"),
            name => {
                let unknown = unknown(name, &NoLibrary);
                wrong(at, format!("{unknown} (the rules of scripts are not searched for periods)"))
            }
        })?;
        let Some(open) = open else {
            let named = Self { name, at, parameters: "", parameters_at: end };
            return match entry.parameters {
                Parameters::Text(what) if is_searched(&entry) => {
                    let ruleset = example(&entry).0;
                    let message = format!("`{name}` needs {what} in brackets, as in `{ruleset}`");
                    Err(wrong(end, message))
                }
                _ => Ok(named),
            };
        };
        let close = text[open..].find(']').map(|length| open + length);
        let close = close.ok_or_else(|| wrong(open, "this bracket is not closed"))?;
        let behind = close + 1;
        if behind < end {
            let rest = text[behind..].trim_start();
            let message = match rest.strip_prefix(':') {
                Some(_) => "expected a ruleset alone, without a position",
                None => "expected the end after the brackets",
            };
            return Err(wrong(text.len() - rest.len(), message));
        }
        let inside = &text[open + 1..close];
        let parameters_at = open + 1 + inside.len() - inside.trim_start().len();
        let named = Self { name, at, parameters: inside.trim(), parameters_at };
        if entry.parameters == Parameters::None && is_searched(&entry) {
            return Err(wrong(open, format!("`{name}` takes nothing in brackets")));
        }
        Ok(named)
    }

    /// What to say of a ruleset whose values are not searched.
    fn not_searched(&self) -> ExpressionError {
        let searched = catalogue().into_iter().filter(is_searched);
        let names: Vec<_> = searched.map(|entry| example(&entry).0).collect();
        let name = self.name;
        let names = names.join(", ");
        wrong(self.at, format!("`{name}` has no search for a period; these have one: {names}"))
    }
}

/// The ruleset of the example, and what stands in its brackets.
fn example(entry: &Entry) -> (&'static str, &'static str) {
    let ruleset = match entry.example.find(']') {
        Some(close) => &entry.example[..=close],
        None => entry.example.split(':').next().unwrap_or(entry.name),
    };
    let parameters = ruleset.split_once('[').map_or("", |(_, rest)| rest.trim_end_matches(']'));
    (ruleset, parameters)
}

fn is_searched(entry: &Entry) -> bool {
    heap_period(entry.name, example(entry).1, 0).is_some()
}

/// What was found, in words.
fn sentence(report: &PeriodReport, name: &str) -> String {
    let PeriodReport { ruleset, period, checked_to, .. } = report;
    let Some(Period { preperiod, period, saltus, proved, .. }) = *period else {
        let hope = match name {
            "subtraction" => "every subtraction game has one, so raise it by --up-to",
            _ => "none is claimed",
        };
        return format!("{ruleset}: no period found up to heap {checked_to}; {hope}");
    };
    let growth = if saltus > 0 { format!(" and saltus {saltus}") } else { String::new() };
    let after = if preperiod > 0 { format!("after {preperiod}") } else { "from heap 0 on".into() };
    let certainty = if proved {
        "proved by the Guy–Smith bound".to_owned()
    } else {
        format!("observed up to heap {checked_to}, not proved")
    };
    format!("{ruleset}: period {period}{growth} {after}, {certainty}")
}

#[derive(Serialize)]
struct JsonPeriod<'a> {
    ruleset: &'a str,
    period: Option<usize>,
    preperiod: Option<usize>,
    saltus: Option<u64>,
    proved: bool,
    checked_to: usize,
}

impl<'a> JsonPeriod<'a> {
    fn new(report: &'a PeriodReport) -> Self {
        let found = report.period.as_ref();
        Self {
            ruleset: &report.ruleset,
            period: found.map(|found| found.period),
            preperiod: found.map(|found| found.preperiod),
            saltus: found.map(|found| found.saltus),
            proved: found.is_some_and(|found| found.proved),
            checked_to: report.checked_to,
        }
    }
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
        // Evenly, with the square, and at the end.
        assert_eq!(left((100, 10), (200, 20), 400), 20);
        assert_eq!(left((100, 10), (200, 40), 400), 120);
        assert_eq!(left((100, 10), (200, 40), 200), 0);
        assert_eq!(left((1, 0), (64, 1), usize::MAX), 30_000_000);
    }
}
