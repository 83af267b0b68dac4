//! The limits of a command: the same three options everywhere, and the message when one is reached.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use clap::Args;
use nimoon::limits::Limit;
use nimoon::{Interrupted, Limits, Work};

use crate::failure::Failure;
use crate::interrupt;

/// The names of the limits on positions, bytes and time.
pub(crate) type LimitNames = [&'static str; 3];

/// Their names on the command line.
pub(crate) const OPTIONS: LimitNames = ["--budget", "--memory", "--time"];

/// The group of these options in help texts.
const GROUP: &str = "Limits";

/// When the program began.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The limits of a command, with the default number of positions.
#[derive(Clone, Debug, Args)]
pub(crate) struct BudgetArgs<const POSITIONS: u64 = { Limits::DEFAULT.positions }> {
    /// Stop after visiting this many positions, states, forms or terms.
    #[arg(long = "budget", value_name = "POSITIONS", default_value = text(POSITIONS),
          allow_negative_numbers = true, help_heading = GROUP)]
    pub(crate) positions: u64,

    /// Use at most this much memory, such as 512M or 2G (default: three quarters of physical
    /// memory, at most 8G).
    #[arg(long, value_name = "BYTES", value_parser = bytes, help_heading = GROUP)]
    pub(crate) memory: Option<u64>,

    /// Stop after this many seconds, and print what is known.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = GROUP)]
    pub(crate) time: Option<Duration>,
}

impl<const POSITIONS: u64> BudgetArgs<POSITIONS> {
    /// The limits as numbers.
    pub(crate) fn budget(&self) -> Limits {
        self.budget_with(self.memory.unwrap_or_else(default_memory))
    }

    fn budget_with(&self, bytes: u64) -> Limits {
        let budget = Limits::new(self.positions).bytes(bytes);
        self.time.map_or(budget, |time| budget.time(time))
    }

    /// Work within these limits. Its clock started with the program, and Ctrl-C cancels it if
    /// caught.
    pub(crate) fn work(&self) -> Work {
        work(self.budget()).since(*START)
    }

    /// The same with another default for the memory.
    pub(crate) fn work_with(&self, memory: u64) -> Work {
        work(self.budget_with(self.memory.unwrap_or(memory))).since(*START)
    }
}

/// The name of a limit on the command line.
pub(crate) fn name(limit: Limit) -> &'static str {
    match limit {
        Limit::Positions => OPTIONS[0],
        Limit::Bytes => OPTIONS[1],
        Limit::Time => OPTIONS[2],
    }
}

/// A default value as text. A default made by clap would be shared by all uses of a generic struct.
fn text(number: u64) -> &'static str {
    number.to_string().leak()
}

/// Work that Ctrl-C cancels if it is caught; the clock starts now.
pub(crate) fn work(budget: Limits) -> Work {
    Work::new(budget).until(interrupt::token())
}

/// Starts the clock.
pub(crate) fn start_clock() {
    LazyLock::force(&START);
}

/// The failure for interrupted work; `message` says what interrupted it.
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

/// The same for a command, with the default message.
pub(crate) fn over_budget(error: Interrupted) -> Failure {
    interrupted(error, error, OPTIONS)
}

/// The default memory limit: three quarters of physical memory, if the system reports it, and at
/// most [`Limits::DEFAULT`].
fn default_memory() -> u64 {
    let info = std::fs::read_to_string("/proc/meminfo").ok();
    let total = info.as_deref().and_then(|info| {
        let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    });
    let most = total.map_or(u64::MAX, |kilobytes| kilobytes.saturating_mul(1024) / 4 * 3);
    Limits::DEFAULT.bytes.min(most)
}

/// Parses a number of bytes with an optional unit: K or KiB for 1024, and so on.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected a number of bytes such as 512M or 2GiB, found `{text}`");
    let short = text.strip_suffix("iB").unwrap_or(text);
    let units = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];
    let unit = units.into_iter().find_map(|(unit, bits)| Some((short.strip_suffix(unit)?, bits)));
    let (digits, bits) = unit.unwrap_or((text, 0));
    let number: u64 = digits.trim_end().parse().map_err(|_| wrong())?;
    number.checked_mul(1 << bits).ok_or_else(wrong)
}

/// Parses a time.
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
    fn negative_numbers_and_words_are_not_seconds() {
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        for text in ["", "-1", "NaN", "inf", "soon"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
