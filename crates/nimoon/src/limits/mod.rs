//! How much work may be done for an answer, how much has been done, and what stops it.
//!
//! [`Limits`] are plain numbers. A [`Work`] is the account of what is done within them: counters, a
//! clock, a token that cancels the work, and a callback that receives the [`Progress`].
//! [`Interrupted`] says why the work ended early.
//!
//! ## Who counts
//! Everything that can run long takes a work. Functions that take `&mut Work` count positions in
//! it, so questions that follow one another under the same work share its positions;
//! `work.child(limits)` makes an account with its own count and the same clock, token and callback.
//! Functions that take `&Work` count nothing there: they compare the size of each question with the
//! limits, and check clock and token, perhaps in several threads at once.
//!
//! | limit | how it is kept |
//! |---|---|
//! | positions | counted, or known before the work begins |
//! | bytes | estimated before something large is allocated ([`Work::hold`]) |
//! | time, token | checked now and then ([`Work::check`]), also by several threads at once |
//!
//! ## What counts
//! The nodes of a digraph that is given, and the heaps up to the one that a search for a period is
//! limited to, count as positions: a limit of 1000 is hit at the 1001st. The default number is
//! meant for positions that are still to be found. It lets these pass ([`Work::admit_listed`]),
//! since a digraph of 25 million nodes is labelled in seconds, and its owner knows how
//! large it is.
//!
//! ## What it costs
//! Clock and token are checked once in some thousand steps, by each thread by itself; a counted
//! step compares two numbers. Bytes are estimated from the lists that an engine is about to make,
//! and not measured: a bound that needs no allocator of its own, and is close and no more. Stoppers
//! and forms are kept as long as questions follow one another, so the memory that all of them take
//! is compared with the limit at each state; so are the names and arcs of a file that is read.
//!
//! ## Rules that take long to answer
//! An explorer gives every ruleset its work
//! ([`Shortcuts::work_within`](crate::Shortcuts::work_within)). Rules that are quick ignore it. A
//! script checks its clock and token every few steps, and a call that ends this way is not a fault
//! of the script but `Fault::Interrupted`. Writing, words and boards cannot report that they were
//! interrupted, and are needed to show what is known when the time is over. So such a call has some
//! 20,000 steps in any case; if it needs more after the work has ended, the answer is shown without
//! the script. Reading is bounded only by the script's own limits; code that reads many positions,
//! as a table or a sum does, checks the work between them.
//!
//! ## How it is tested
//! A test lists every public function that takes a work and fails if one is missing. From the
//! callback it cancels each of them at its first check and in the midst of its work; then it lets
//! the time run out.

pub mod clock;
mod interrupted;
#[expect(clippy::module_inception, reason = "the limits are one type of the module")]
mod limits;
mod progress;
pub mod threads;
mod work;

pub use interrupted::{Interrupted, Limit};
pub use limits::Limits;
pub use progress::Progress;
pub(crate) use work::Pace;
pub use work::Work;
