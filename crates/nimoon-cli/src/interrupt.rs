//! Ctrl-C while a session works out an answer, or a table is kept in a file.
//!
//! It ends a table when all that is known of it was saved. In a session it breaks off the answer and
//! leaves the session, with the names that were given in it. What cannot be broken off is ended by a
//! second one, with the whole program. While a line is typed, Ctrl-C belongs to the editor. Other
//! commands do not catch it, but for those that must leave the terminal clean.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// What shells call a program that Ctrl-C ended.
const ENDED: i32 = 130;

/// Catches Ctrl-C from now on.
pub(crate) fn catch() {
    // Without a handler Ctrl-C ends the program, as everywhere.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(ENDED);
        }
    });
}

/// From now on Ctrl-C ends the program, after this.
pub(crate) fn end_after(clean: impl Fn() + Send + 'static) {
    let _ = ctrlc::set_handler(move || {
        clean();
        std::process::exit(ENDED);
    });
}

/// Ends the program, as Ctrl-C does, and tells what became of its work.
pub(crate) fn end(what: &str) -> ! {
    eprintln!("error: interrupted: {what}");
    std::process::exit(ENDED);
}

/// The flag that says so, for all that can be broken off.
pub(crate) fn token() -> Arc<AtomicBool> {
    Arc::clone(&ASKED)
}

/// Whether somebody asked to break off.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Forgets about it, before the next answer.
pub(crate) fn clear() {
    ASKED.store(false, Ordering::Relaxed);
}
