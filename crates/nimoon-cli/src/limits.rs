//! How much a command may do: the same three options everywhere, and what is said when one is hit.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use clap::Args;
use nimoon::limits::Limit;
use nimoon::{Interrupted, Limits, Work};

use crate::failure::Failure;
use crate::interrupt;

/// How the limits are called: of positions, bytes and time.
pub(crate) type LimitNames = [&'static str; 3];

/// How they are called on the command line.
pub(crate) const OPTIONS: LimitNames = ["--budget", "--memory", "--time"];

/// When the program began.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The limits of a command; most commands look at no more than the usual number of positions.
#[derive(Clone, Debug, Args)]
pub(crate) struct BudgetArgs<const POSITIONS: u64 = { Limits::DEFAULT.positions }> {
    /// Stop after visiting this many positions, states, forms or terms.
    #[arg(long = "budget", value_name = "POSITIONS", default_value = text(POSITIONS),
          allow_negative_numbers = true)]
    pub(crate) positions: u64,

    /// Use at most this much memory, such as 512M or 2G (default: three quarters of physical memory,
    /// at most 8G).
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) memory: Option<u64>,

    /// Stop after this many seconds, and print what is known.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<Duration>,
}

impl<const POSITIONS: u64> BudgetArgs<POSITIONS> {
    /// What is allowed.
    pub(crate) fn budget(&self) -> Limits {
        self.budget_with(self.memory.unwrap_or_else(usual_memory))
    }

    fn budget_with(&self, bytes: u64) -> Limits {
        let budget = Limits::new(self.positions).bytes(bytes);
        self.time.map_or(budget, |time| budget.time(time))
    }

    /// The same with the clock that runs since the program began, and with Ctrl-C where that is caught.
    pub(crate) fn work(&self) -> Work {
        work(self.budget()).since(*START)
    }

    /// The same with this much memory unless told.
    pub(crate) fn work_with(&self, memory: u64) -> Work {
        work(self.budget_with(self.memory.unwrap_or(memory))).since(*START)
    }
}

/// How a limit is called on the command line.
pub(crate) fn name(limit: Limit) -> &'static str {
    match limit {
        Limit::Positions => OPTIONS[0],
        Limit::Bytes => OPTIONS[1],
        Limit::Time => OPTIONS[2],
    }
}

/// A number as clap takes it. Of the texts that clap makes itself there is one for all uses of a generic struct.
fn text(number: u64) -> &'static str {
    number.to_string().leak()
}

/// Work that Ctrl-C ends, where that is caught; its clock starts now.
pub(crate) fn work(budget: Limits) -> Work {
    Work::new(budget).until(interrupt::token())
}

/// Begins to count the time.
pub(crate) fn start_clock() {
    LazyLock::force(&START);
}

/// What to tell when the work was interrupted: `message` says by what.
pub(crate) fn interrupted(
    interrupted: Interrupted,
    message: impl std::fmt::Display,
    names: LimitNames,
) -> Failure {
    match interrupted {
        Interrupted::OverBudget { .. } => {
            Failure::Budget { message: interrupted.advise(message, names) }
        }
        _ => Failure::Stopped { message: message.to_string() },
    }
}

/// The same for a command, with nothing more to say.
pub(crate) fn over_budget(error: Interrupted) -> Failure {
    interrupted(error, error, OPTIONS)
}

/// Three quarters of the memory of the machine, where the system tells it, or the usual amount if that
/// is less.
fn usual_memory() -> u64 {
    let told = std::fs::read_to_string("/proc/meminfo").ok();
    let total = told.as_deref().and_then(|told| {
        let line = told.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    });
    let most = total.map_or(u64::MAX, |kilobytes| kilobytes.saturating_mul(1024) / 4 * 3);
    Limits::DEFAULT.bytes.min(most)
}

/// A number of bytes, perhaps with a unit: K or KiB for 1024, and so on.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected a number of bytes such as 512M or 2GiB, found `{text}`");
    let short = text.strip_suffix("iB").unwrap_or(text);
    let units = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];
    let unit = units.into_iter().find_map(|(unit, bits)| Some((short.strip_suffix(unit)?, bits)));
    let (digits, bits) = unit.unwrap_or((text, 0));
    let number: u64 = digits.trim_end().parse().map_err(|_| wrong())?;
    number.checked_mul(1 << bits).ok_or_else(wrong)
}

/// A time to wait.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| (0.0..1e9).contains(seconds));
    let seconds = seconds.ok_or_else(|| format!("expected a number of seconds, found `{text}`"))?;
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_with_and_without_a_unit() {
        for (text, expected) in
            [("0", 0), ("17", 17), ("3K", 3 << 10), ("512M", 512 << 20), ("2 GiB", 2 << 30)]
        {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for text in ["", "M", "iB", "3iB", "1GB", "-1", "1.5G", "2 X", "99999999999T", "é"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn seconds_are_no_negative_numbers_and_no_words() {
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        for text in ["", "-1", "NaN", "inf", "soon"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
