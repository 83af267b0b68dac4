//! Ctrl-C, and the signals that ask a program to end: SIGTERM, and SIGHUP when the terminal is
//! closed.
//!
//! Each signal sets the cancel token, which ends every command that computes. The command prints
//! what it knows, and its exit code is that of a program ended by Ctrl-C. If a command does not
//! check the token, as while it reads a large file, it is ended after a short time with nothing
//! known. A second Ctrl-C ends the program at once. The other signals do not, because the system
//! may send them twice. A table with a checkpoint or a store, and workers with checkpoints, always
//! finish saving first.
//!
//! In a session Ctrl-C cancels the answer, and the session keeps its names; while a line is typed,
//! Ctrl-C belongs to the editor. The other signals end the session, and so does Ctrl-C if the lines
//! come from a pipe or a file. A program started by `nohup` continues when the terminal is closed.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once, PoisonError};
use std::thread;
use std::time::Duration;

use crate::lines::terminal;
use crate::output::complain;

static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether the work ends by itself after a signal, and must not be ended from outside.
static PATIENT: AtomicBool = AtomicBool::new(false);

/// Whether a session is about to end.
static LEAVING: AtomicBool = AtomicBool::new(false);

/// Whether an answer is being printed, or was.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Cleans the terminal.
static CLEAN: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);

/// The exit code that shells report for a program ended by Ctrl-C.
pub(crate) const ENDED: u8 = 130;

/// The time that a command may take to print what it knows.
const GRACE: Duration = Duration::from_secs(2);

/// The kinds of signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM or SIGHUP.
    Terminate,
}

/// The signals to catch, from now on. Needs a tokio runtime.
pub(crate) struct Signals {
    #[cfg(unix)]
    interrupt: Option<tokio::signal::unix::Signal>,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hangup: Option<tokio::signal::unix::Signal>,
    #[cfg(not(unix))]
    interrupt: bool,
}

impl Signals {
    /// Catches signals, and Ctrl-C if `interrupt` is true.
    #[cfg(unix)]
    pub(crate) fn new(interrupt: bool) -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let optional = |is_caught: bool, kind| is_caught.then(|| signal(kind)).transpose();
        Ok(Self {
            interrupt: optional(interrupt, SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: optional(!nimoon_kernels::ignores_hangup(), SignalKind::hangup())?,
        })
    }

    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
    pub(crate) fn new(interrupt: bool) -> io::Result<Self> {
        Ok(Self { interrupt })
    }

    /// The next signal.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) -> Signal {
        async fn of(signal: Option<&mut tokio::signal::unix::Signal>) {
            match signal {
                Some(signal) => _ = signal.recv().await,
                None => std::future::pending().await,
            }
        }
        tokio::select! {
            () = of(self.interrupt.as_mut()) => Signal::Interrupt,
            () = of(Some(&mut self.terminate)) => Signal::Terminate,
            () = of(self.hangup.as_mut()) => Signal::Terminate,
        }
    }

    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) -> Signal {
        if !self.interrupt || tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Signal::Interrupt
    }
}

/// Calls `heard` for every signal from now on. A second call changes nothing.
fn listen(interrupt: bool, heard: fn(Signal)) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without a handler a signal ends the program.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let Ok(runtime) = runtime else { return };
        let signals = {
            let _entered = runtime.enter();
            Signals::new(interrupt)
        };
        let Ok(mut signals) = signals else { return };
        let listen = move || {
            runtime.block_on(async {
                loop {
                    heard(signals.next().await);
                }
            });
        };
        let _ = thread::Builder::new().name("signals".to_owned()).spawn(listen);
    });
}

/// Catches all signals from now on. Ends the program if the work does not end soon after one.
pub(crate) fn catch() {
    listen(true, stop);
}

/// The same for work that ends by itself as soon as it can.
pub(crate) fn catch_patiently() {
    PATIENT.store(true, Ordering::Relaxed);
    catch();
}

/// Catches all signals in a session. The session continues after Ctrl-C.
pub(crate) fn catch_in_session() {
    PATIENT.store(true, Ordering::Relaxed);
    listen(true, |signal| match signal {
        Signal::Interrupt => stop(signal),
        Signal::Terminate => leave(),
    });
}

/// The same if the lines come from a pipe or a file: Ctrl-C ends the session.
pub(crate) fn catch_in_script() {
    listen(true, |_| leave());
}

/// Catches SIGTERM and SIGHUP, and leaves Ctrl-C as it is.
pub(crate) fn catch_termination() {
    listen(false, |_| leave());
}

fn stop(signal: Signal) {
    if ASKED.swap(true, Ordering::Relaxed) {
        if signal == Signal::Interrupt {
            clean();
            std::process::exit(ENDED.into());
        }
        return;
    }
    thread::spawn(|| {
        thread::sleep(GRACE);
        if !PATIENT.load(Ordering::Relaxed) && !ANSWERED.load(Ordering::Relaxed) {
            end("nothing is known yet");
        }
    });
}

/// Ends a session at the next prompt, or after a short time.
fn leave() {
    ASKED.store(true, Ordering::Relaxed);
    if !LEAVING.swap(true, Ordering::Relaxed) {
        thread::spawn(|| {
            thread::sleep(GRACE);
            end("the session has ended");
        });
    }
}

/// Ends a session after a signal.
pub(crate) fn leave_if_asked() {
    if LEAVING.load(Ordering::Relaxed) {
        end("the session has ended");
    }
}

/// Sets a function to call before a signal ends the program.
pub(crate) fn clean_by(clean: impl Fn() + Send + 'static) {
    *CLEAN.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(clean));
}

fn clean() {
    if let Some(clean) = CLEAN.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
        clean();
    }
    terminal::restore();
}

/// Ends the program as after Ctrl-C, and prints what became of its work.
pub(crate) fn end(what: &str) -> ! {
    clean();
    complain(format_args!("error: interrupted: {what}"));
    std::process::exit(ENDED.into());
}

/// Notes that an answer is being printed: only a second Ctrl-C stops it.
pub(crate) fn answering() {
    ANSWERED.store(true, Ordering::Relaxed);
}

/// Whether an answer was printed.
pub(crate) fn answered() -> bool {
    ANSWERED.load(Ordering::Relaxed)
}

/// The cancel token.
pub(crate) fn token() -> Arc<AtomicBool> {
    Arc::clone(&ASKED)
}

/// Whether a signal arrived.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Resets the token before the next answer.
pub(crate) fn clear() {
    ASKED.store(false, Ordering::Relaxed);
}
