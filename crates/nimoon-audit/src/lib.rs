//! Theory against brute force, over all small digraphs and many random ones.
//!
//! An audit labels digraphs and compares all that follows from the labels with play: each node
//! beside nim-heaps and beside positions of known behaviour, all pairs and triples of nodes, and
//! what gray nodes cover. The labeller can be the engine, the algorithm of the paper as printed, or
//! a function of your own. If something is wrong, the audit shrinks the smallest digraph found and
//! reports it with both results.
//!
//! | to | use |
//! |---|---|
//! | audit the engine | [`Plan::exhaustive`], [`Plan::random`], [`Audit::run`] |
//! | see where the printed algorithm fails | [`Plan::as_printed`] |
//! | audit a labeller of your own | [`Audit::run_labeller`] |
//! | check one digraph | [`Checker`] |
//!
//! ```
//! use nimoon_audit::{Audit, Kind, Plan};
//! let report = Audit::new(Plan::random(200, 1, 6, None)).unwrap().run();
//! assert_eq!((report.digraphs, report.wrong), (200, 0));
//! assert!(report.seen(Kind::Ninny) > 0);
//! ```
//!
//! ## Limits and cost
//! A digraph of n nodes costs about n³ positions for the triples and 60·n for the known ones.
//! Digraphs are generated one after the other and not kept.

pub mod as_printed;
pub mod audit;
pub mod check;
mod control;
pub mod exhaustive;
mod printable;
pub mod random;
pub mod report;
pub mod shrink;

pub use audit::{Algorithm, Audit, Mode, Plan, PlanError};
pub use check::{Checker, Claims, Findings};
pub use printable::PrintableReport;
pub use report::{Counterexample, Kind, Piece, Report, Stop};
