//! Ctrl-C, and the signals that ask a program to end: SIGTERM, and SIGHUP when the terminal is closed.
//!
//! All of them set the token under which everything works, and so end every command that computes. What is known by then is
//! printed, and the exit code is that of a program which Ctrl-C ended. What does not hear the token, such as the reading of a
//! large file, is ended soon after, with nothing known. A second Ctrl-C ends everything at once; the system may send the other
//! signals twice, so these do not. A table that is kept in a file, and workers that keep checkpoints, are ended when all that is
//! known was saved, however long that takes.
//!
//! In a session Ctrl-C breaks off the answer and the session stays, with the names that were given in it; while a line is typed,
//! Ctrl-C belongs to the editor. The other signals end the session, and so does Ctrl-C if the lines come from a pipe or a file.
//! A program started by `nohup` goes on when the terminal is closed.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Once, PoisonError};
use std::thread;
use std::time::Duration;

use crate::lines::terminal;
use crate::output::complain;

static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether the work ends by itself when it is asked to, and must not be ended from outside.
static PATIENT: AtomicBool = AtomicBool::new(false);

/// Whether a session is about to end.
static LEAVING: AtomicBool = AtomicBool::new(false);

/// Whether an answer is being printed, or was.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// What leaves the terminal clean.
static CLEAN: Mutex<Option<Box<dyn Fn() + Send>>> = Mutex::new(None);

/// What shells call a program that Ctrl-C ended.
pub(crate) const ENDED: u8 = 130;

/// How long what hears the token may take to tell what is known.
const GRACE: Duration = Duration::from_secs(2);

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM or SIGHUP.
    Terminate,
}

/// The signals that are caught, from when this is made. It needs a runtime of tokio.
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
    /// Catches signals, Ctrl-C among them if that is wanted.
    #[cfg(unix)]
    pub(crate) fn new(interrupt: bool) -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let wanted = |is_wanted: bool, kind| is_wanted.then(|| signal(kind)).transpose();
        Ok(Self {
            interrupt: wanted(interrupt, SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: wanted(!nimoon_kernels::ignores_hangup(), SignalKind::hangup())?,
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

/// Calls `heard` for every signal from now on; where that is done already nothing changes.
fn listen(interrupt: bool, heard: fn(Signal)) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without a handler a signal ends the program, as everywhere.
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

/// Catches all signals from now on. What does not end soon after one is ended.
pub(crate) fn catch() {
    listen(true, stop);
}

/// The same for what ends by itself, as soon as it can.
pub(crate) fn catch_patiently() {
    PATIENT.store(true, Ordering::Relaxed);
    catch();
}

/// Catches all signals in a session, which stays after Ctrl-C.
pub(crate) fn catch_in_session() {
    PATIENT.store(true, Ordering::Relaxed);
    listen(true, |signal| match signal {
        Signal::Interrupt => stop(signal),
        Signal::Terminate => leave(),
    });
}

/// The same where the lines of the session come from a pipe or a file: Ctrl-C ends it too.
pub(crate) fn catch_in_script() {
    listen(true, |_| leave());
}

/// Catches what ends a session, and leaves Ctrl-C as it is.
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

/// Ends a session: at the next prompt, or soon.
fn leave() {
    ASKED.store(true, Ordering::Relaxed);
    if !LEAVING.swap(true, Ordering::Relaxed) {
        thread::spawn(|| {
            thread::sleep(GRACE);
            end("the session is over");
        });
    }
}

/// Ends a session that was asked to end.
pub(crate) fn leave_if_asked() {
    if LEAVING.load(Ordering::Relaxed) {
        end("the session is over");
    }
}

/// What is done before a signal ends the program.
pub(crate) fn clean_by(clean: impl Fn() + Send + 'static) {
    *CLEAN.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(clean));
}

fn clean() {
    if let Some(clean) = CLEAN.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
        clean();
    }
    terminal::restore();
}

/// Ends the program, as Ctrl-C does, and tells what became of its work.
pub(crate) fn end(what: &str) -> ! {
    clean();
    complain(format_args!("error: interrupted: {what}"));
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
