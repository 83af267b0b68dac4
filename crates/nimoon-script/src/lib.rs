//! Your own ruleset, without compiling anything: a small script says what the options of a position
//! are, and nimoon does the rest.
//!
//! ```text
//! // one-or-two.rhai: take one or two tokens.
//! fn options(n) {
//!     let moves = [];
//!     if n >= 1 { moves.push(to(n - 1)) }
//!     if n >= 2 { moves.push(to(n - 2)) }
//!     moves
//! }
//! ```
//!
//! `docs/scripts.md` teaches how to write one, and `examples/rules` has some to start from.
//! [`Script::compile`] reads one; what comes out is a [`Ruleset`](nimoon::Ruleset) as any other.
//!
//! | module | what it does |
//! |---|---|
//! | `script` | [`Script`]: calls the functions of a script |
//! | `engine` | the interpreter: what is offered to scripts, and how they are stopped |
//! | `callbacks` | the functions of arrays and maps that call a function of the script |
//! | `growing` | arrays to which elements are only added, which are measured step by step |
//! | `hooks` | the functions that mean something, and their names nearly written right |
//! | `partizan` | [`ScriptPositions`]: rulesets with `left` and `right` |
//! | `constants` | what would change a constant, which is refused |
//! | `limits` | [`Limits`]: how much a call may use |
//! | `position` | [`Position`]: values that can be compared and hashed |
//! | `notation` | how positions are written where the script does not say it |
//! | `error` | [`ScriptError`]: what is wrong, and where |
//!
//! ## Why Rhai
//!
//! A ruleset from a stranger must not harm: so the language must bound steps, depth and sizes, and
//! reach nothing outside. It must run on several threads at once, and in a browser, so it should be
//! pure Rust; and a mistake must be shown with its line. Rhai does all of this, is under MIT or
//! Apache-2.0, has kept its interface since 2021 and is released several times a year; its syntax
//! reads like Rust. It walks a tree and is slow, some hundred thousand options a second, which is
//! enough to explore a game before it is written in Rust. The others that were weighed:
//!
//! - **mlua** binds Lua, which is written in C: unsafe code, a C compiler, no browser without a C
//!   library, and values that cannot be shared between threads without a lock.
//! - **piccolo** is Lua in pure Rust with fuel for steps, but it calls itself experimental, was
//!   last released in 2024, and an interpreter serves one thread.
//! - **starlark** is deterministic by design and well kept, but under Apache-2.0 alone and with
//!   many dependencies; it has no `while`, and values live on a heap that must be frozen before
//!   threads share it.
//! - **koto** is pleasant and pure Rust, but warns of use at one's own risk before 1.0, and bounds
//!   the time alone, not steps and sizes.
//! - **steel** is a Scheme: few who know games read it, its engine is bound to one thread by its
//!   book, and its interface may still change.
//!
//! ## What can go wrong
//!
//! Every function of a script may fail. [`Shortcuts::try_options`](nimoon::Shortcuts::try_options)
//! and [`Shortcuts::try_parts`](nimoon::Shortcuts::try_parts) report it, and these are what the
//! explorer calls. The methods that cannot fail do what is never wrong: a position that does not
//! split stays in one piece, and one without canonical form stands for itself.
//!
//! ## Limits of the limits
//!
//! The limits hold for each call and each variable. A hostile script can fill each variable of each
//! nested call, and so use some gigabytes before its steps are used up; what it holds is freed when
//! the call ends. A step on a value that no variable holds, such as a long string in the text of
//! the script, takes longer than others, but no longer than the limits of sizes allow.

mod callbacks;
mod constants;
mod engine;
mod error;
mod growing;
mod hooks;
mod limits;
mod notation;
mod partizan;
mod position;
mod script;

pub use error::{Place, Problem, ScriptError};
pub use limits::Limits;
pub use partizan::ScriptPositions;
pub use position::Position;
pub use script::{Printer, Script, Setup};
