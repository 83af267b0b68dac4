//! How far a long question is, in words.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nimoon::Progress;
use nimoon::limits::clock::Instant;

/// How much time passes between two reports.
const PACE: Duration = Duration::from_millis(250);

/// Passes progress on to `show`, in words and not too often.
#[cfg_attr(not(target_family = "wasm"), allow(dead_code, reason = "only a page shows it"))]
pub(crate) fn paced(show: impl Fn(&str) + Send + Sync) -> impl Fn(Progress) + Send + Sync {
    let last = Mutex::new(Instant::now());
    move |progress| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= PACE {
            *last = Instant::now();
            show(&words(progress));
        }
    }
}

fn words(progress: Progress) -> String {
    match progress {
        Progress::Reading { read, all } => format!("{}\u{a0}% read", percent(read, all)),
        Progress::Exploring { expanded, met, .. } => {
            format!("{expanded} of {met} known positions explored")
        }
        Progress::Searching { visited, answered, .. } => {
            format!("{visited} positions searched, about {}\u{a0}%", answered / 10)
        }
        Progress::Labelling { level, assigned, nodes, .. } => {
            format!("level {level}, {assigned} of {nodes} nodes have a nimber")
        }
        Progress::Auditing { digraphs, .. } => format!("{digraphs} digraphs checked"),
        Progress::Heaps { known } => format!("{known} heaps known"),
        _ => "computing".to_owned(),
    }
}

fn percent(done: usize, all: usize) -> usize {
    (done.saturating_mul(100)).checked_div(all).unwrap_or(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_a_phrase() {
        let searching =
            Progress::Searching { visited: 1200, kept: 3, filled: 1, question: 0, answered: 345 };
        assert_eq!(words(searching), "1200 positions searched, about 34\u{a0}%");
        assert_eq!(words(Progress::Reading { read: 1, all: 4 }), "25\u{a0}% read");
        assert_eq!(words(Progress::Reading { read: 0, all: 0 }), "100\u{a0}% read");
        assert_eq!(words(Progress::Working), "computing");
    }

    #[test]
    fn quick_questions_report_nothing() {
        let show = paced(|words| panic!("{words}"));
        show(Progress::Working);
        show(Progress::Heaps { known: 3 });
    }
}
