//! Ctrl-C: it sets the token under which everything works, and so ends every command that computes.
//!
//! What is known by then is printed, and the exit code is that of a program which Ctrl-C ended. What does not hear the
//! token, such as the reading of a large file, is ended soon after, with nothing known; a second Ctrl-C ends everything at
//! once. A table that is kept in a file, and workers that keep checkpoints, are ended when all that is known was saved, however long that takes. In a session the answer is broken off and
//! the session stays, with the names that were given in it; while a line is typed, Ctrl-C belongs to the editor.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether the work ends by itself when it is asked to, and must not be ended from outside.
static PATIENT: AtomicBool = AtomicBool::new(false);

/// Whether an answer is being printed, or was.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// What leaves the terminal clean.
static CLEAN: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);

/// What shells call a program that Ctrl-C ended.
pub(crate) const ENDED: u8 = 130;

/// How long after Ctrl-C what hears the token may take to tell what is known.
const GRACE: Duration = Duration::from_secs(2);

/// Catches Ctrl-C from now on. What does not end soon after it is ended.
pub(crate) fn catch() {
    // Without a handler Ctrl-C ends the program, as everywhere.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            clean();
            std::process::exit(ENDED.into());
        }
        thread::spawn(|| {
            thread::sleep(GRACE);
            if !PATIENT.load(Ordering::Relaxed) && !ANSWERED.load(Ordering::Relaxed) {
                end("nothing is known yet");
            }
        });
    });
}

/// The same for what ends by itself, as soon as it can.
pub(crate) fn catch_patiently() {
    PATIENT.store(true, Ordering::Relaxed);
    catch();
}

/// What is done before Ctrl-C ends the program.
pub(crate) fn clean_by(clean: impl Fn() + Send + 'static) {
    *CLEAN.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(clean));
}

fn clean() {
    if let Some(clean) = CLEAN.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
        clean();
    }
}

/// Ends the program, as Ctrl-C does, and tells what became of its work.
pub(crate) fn end(what: &str) -> ! {
    clean();
    eprintln!("error: interrupted: {what}");
    std::process::exit(ENDED.into());
}

/// Takes note that an answer is printed: nothing cuts it short but a second Ctrl-C.
pub(crate) fn answering() {
    ANSWERED.store(true, Ordering::Relaxed);
}

/// Whether something was printed.
pub(crate) fn answered() -> bool {
    ANSWERED.load(Ordering::Relaxed)
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
