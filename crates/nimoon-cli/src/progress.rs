//! What a long run is at, on standard error if that is a terminal; quick answers show nothing.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::interrupt;

/// Tells the stages of a run. Nothing is left of it on the terminal when it is dropped, or when Ctrl-C
/// ends the program.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Closed when the run is over.
    over: Option<Sender<()>>,
}

impl Progress {
    pub(crate) fn new() -> Self {
        /// What takes less time needs no progress.
        const AFTER: Duration = Duration::from_millis(500);
        const EVERY: Duration = Duration::from_millis(200);
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise} {msg}") {
            bar.set_style(style);
        }
        let ended = bar.clone();
        interrupt::end_after(move || ended.finish_and_clear());
        if !std::io::stderr().is_terminal() {
            return Self { bar, over: None };
        }
        let (over, is_over) = mpsc::channel::<()>();
        let shown = bar.clone();
        std::thread::spawn(move || {
            if is_over.recv_timeout(AFTER) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(EVERY);
            }
        });
        Self { bar, over: Some(over) }
    }

    /// Tells what is being done now.
    pub(crate) fn stage(&self, message: impl Into<String>) {
        if self.over.is_some() {
            self.bar.set_message(message.into());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.over = None;
        self.bar.finish_and_clear();
    }
}
