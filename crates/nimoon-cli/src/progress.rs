//! The progress of a long run, on standard error if that is a terminal. Short runs show nothing.

use std::fmt;
use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use nimoon::Progress as At;

use crate::interrupt;

/// Shows the stages of a run. Clears its line when it is dropped, and when Ctrl-C ends the program.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Closed when the run is over.
    over: Option<Sender<()>>,
    stage: Arc<Mutex<Stage>>,
}

/// The progress of the current stage.
#[derive(Clone, Copy)]
struct Stage {
    start: Instant,
    /// The work done, the total, and the time of this report.
    done: Option<(u64, u64, Instant)>,
    /// Whether the total is an upper bound.
    at_most: bool,
}

impl Stage {
    fn new() -> Self {
        Self { start: Instant::now(), done: None, at_most: false }
    }

    /// An estimate of the time left; none at the beginning of a stage.
    fn left(self, now: Instant) -> Option<Duration> {
        const EARLY: Duration = Duration::from_millis(300);
        let (done, all, reported) = self.done.filter(|&(done, ..)| done > 0)?;
        let took = reported.saturating_duration_since(self.start);
        if took < EARLY {
            return None;
        }
        let rest = all.saturating_sub(done) as f64 / done as f64;
        // About a year, to avoid overflow.
        let left = Duration::from_secs_f64((took.as_secs_f64() * rest).min(3e7));
        Some(left.saturating_sub(now.saturating_duration_since(reported)))
    }
}

/// A number of seconds, or something longer in words.
pub(crate) fn in_words(time: Duration) -> String {
    // `HumanDuration` rounds down.
    match (time + Duration::from_millis(500)).as_secs() {
        0 | 1 => "a second".to_owned(),
        seconds @ 2..60 => format!("{seconds} seconds"),
        seconds => HumanDuration(Duration::from_secs(seconds)).to_string(),
    }
}

impl Progress {
    pub(crate) fn new() -> Self {
        /// Shorter runs show no progress.
        const AFTER: Duration = Duration::from_millis(500);
        const EVERY: Duration = Duration::from_millis(200);
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let stage = Arc::new(Mutex::new(Stage::new()));
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise} {msg}{left}") {
            let stage = Arc::clone(&stage);
            bar.set_style(style.with_key(
                "left",
                move |_: &ProgressState, out: &mut dyn fmt::Write| {
                    let stage = *stage.lock().unwrap_or_else(PoisonError::into_inner);
                    let Some(left) = stage.left(Instant::now()) else { return };
                    let about = if stage.at_most { "at most about" } else { "about" };
                    let _ = write!(out, "; {about} {} left", in_words(left));
                    if stage.at_most {
                        let _ = out.write_str(" in this level");
                    }
                },
            ));
        }
        let ended = bar.clone();
        interrupt::clean_by(move || ended.finish_and_clear());
        if !std::io::stderr().is_terminal() {
            return Self { bar, over: None, stage };
        }
        let (over, is_over) = mpsc::channel::<()>();
        let shown = bar.clone();
        std::thread::spawn(move || {
            if is_over.recv_timeout(AFTER) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(EVERY);
            }
        });
        Self { bar, over: Some(over), stage }
    }

    fn change(&self, change: impl FnOnce(&mut Stage)) {
        if self.over.is_some() {
            change(&mut self.stage.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Shows the progress of reading or labelling.
    pub(crate) fn show(&self, progress: At) {
        match progress {
            At::Reading { read, all } => self.done(read as u64, all as u64),
            At::Labelling { level, assigned, nodes, visited, most } => {
                // The number of levels is unknown, so there is an estimate only for the current
                // one.
                let words =
                    format!("labelling: level {level}, {assigned} of {nodes} nodes have nimbers");
                if visited == 0 {
                    self.stage(words);
                } else {
                    self.say(words);
                    self.done_of_level(visited, most);
                }
            }
            _ => {}
        }
    }

    /// Starts a new stage.
    pub(crate) fn stage(&self, message: impl Into<String>) {
        self.change(|stage| *stage = Stage::new());
        self.say(message);
    }

    /// Changes the message of the current stage.
    pub(crate) fn say(&self, message: impl Into<String>) {
        if self.over.is_some() {
            self.bar.set_message(message.into());
        }
    }

    /// Updates the progress of the stage, unless the change is small.
    pub(crate) fn done(&self, done: u64, all: u64) {
        const STEPS: u64 = 256;
        self.change(|stage| {
            if stage.done.is_none_or(|(last, ..)| done >= last + all / STEPS) {
                stage.done = Some((done, all, Instant::now()));
            }
        });
    }

    /// Updates the progress of a level, whose total is at most `most`.
    pub(crate) fn done_of_level(&self, done: u64, most: u64) {
        self.done(done, most);
        self.change(|stage| stage.at_most = true);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.over = None;
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_estimated_when_some_of_a_stage_is_done() {
        let start = Instant::now();
        let later = |seconds: u64| start + Duration::from_secs(seconds);
        let stage = |done| Stage { start, done, at_most: false };
        assert_eq!(stage(None).left(later(10)), None);
        assert_eq!(stage(Some((0, 100, later(5)))).left(later(10)), None);
        assert_eq!(stage(Some((10, 100, start))).left(start), None);
        let stage_25 = stage(Some((25, 100, later(10))));
        assert_eq!(stage_25.left(later(10)), Some(Duration::from_secs(30)));
        assert_eq!(stage_25.left(later(14)), Some(Duration::from_secs(26)));
        assert_eq!(stage_25.left(later(99)), Some(Duration::ZERO));
        assert_eq!(stage(Some((100, 100, later(9)))).left(later(9)), Some(Duration::ZERO));
        assert_eq!(stage(Some((7, 3, later(9)))).left(later(9)), Some(Duration::ZERO));
    }

    #[test]
    fn short_times_are_in_seconds() {
        let words = |millis| in_words(Duration::from_millis(millis));
        assert_eq!([words(0), words(1400), words(1600)], ["a second", "a second", "2 seconds"]);
        assert_eq!([words(59_400), words(120_000)], ["59 seconds", "2 minutes"]);
    }
}
