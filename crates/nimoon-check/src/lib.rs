//! A checker of certificates: it says what a certificate proves, or which statement in it is wrong.
//!
//! A certificate is a JSON file that `nimoon … --certificate FILE` writes: a game, an answer, and what shows the answer. This crate depends
//! on nothing of nimoon, and knows none of its algorithms. It looks at every statement by itself: whether it follows, by the rules of
//! play or a definition, from statements that come before it in some order. Each module opens with the proof that this is enough.
//!
//! | certificate | claim | module, with the proof |
//! |---|---|---|
//! | `labels` | values of all nodes of a digraph, by one of five theories | [`levels`], [`acyclic`], [`heaps`] |
//! | `sum` | the same; value and outcome of a sum on it, and the turn to play | [`sum`], [`algebra`] |
//! | `remoteness`, `partizan-remoteness` | remoteness and terminal distance of all nodes | [`remoteness`] |
//! | `comparison` | four relations of two loopy games | [`partizan`] |
//! | `loopy` | who wins a loopy game, and which stoppers are its sides | [`partizan`] |
//! | `table` | values of heaps | [`table`] |
//!
//! # Why acceptance implies the claim
//!
//! All proofs are of three kinds. *A win has ranks*: numbers that fall with every move, while the winner has a move and every move of the
//! loser is answered. So play ends, and not with the winner stuck. *A draw is a set* of positions that a player never has to
//! leave and in which he is never stuck. *A value follows from earlier ones*: nodes come in an order, and the
//! rules that give a node its value speak of earlier nodes alone; that a node has none is shown by the rules giving none at the end. The modules say what is
//! a theorem of the literature and not of the checker: how values add.
//!
//! What is claimed is claimed of the digraph that the certificate lists. Where that is the digraph of a ruleset with short rules,
//! the options are worked out anew ([`rules`]); for other rulesets the claim says that they are taken as given.
//!
//! ```
//! // b → a: a is terminal, so it has value 0, and b has value 1.
//! let certificate = r#"{"certificate":"labels","version":1,"theory":"short","nodes":["a","b"],
//!     "gray":[],"options":[[],[0]],"values":[0,1],"order":[0,1]}"#;
//! let claim = nimoon_check::check(certificate.as_bytes()).unwrap();
//! assert!(claim.sentence.starts_with("in the digraph of 2 nodes and 1 arcs all nodes have the values listed"));
//! let wrong = certificate.replace("\"values\":[0,1]", "\"values\":[0,2]");
//! assert_eq!(nimoon_check::check(wrong.as_bytes()).unwrap_err().at, "values[1]");
//! ```
//!
//! # Cost
//! Memory is a small multiple of the file. Time is linear in it, times the largest nimber for labels with cycles; of a table it is that of the moves of
//! all heaps, which are at most twice as many as it lists, and 4·10⁸ moves at most. Whoever does not trust a file bounds both by [`check_while`].

pub mod acyclic;
pub mod algebra;
pub mod format;
pub mod heaps;
pub mod labels;
pub mod levels;
pub mod partizan;
pub mod remoteness;
pub mod rules;
pub mod sum;
pub mod table;
mod watch;

use std::fmt;
use std::io::BufReader;

use serde::Deserialize;
use serde::de::DeserializeOwned;

pub use format::{Digraph, Label, Rows, Set, Value};
pub use labels::{Theory, check_labels};
pub use watch::{Unproved, Work};

use watch::{Reading, Watch};

/// What a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The claim, as a sentence without its end.
    pub sentence: String,
    /// What it supposes.
    pub given: Vec<String>,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The statement: a path such as `values[3]`, or a line and column.
    pub at: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Rejection {
    pub(crate) fn new(at: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { at: at.into(), reason: reason.into() }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.at, self.reason)
    }
}

impl std::error::Error for Rejection {}

/// The version of certificates that is read.
pub const VERSION: u32 = 1;

#[derive(Deserialize)]
struct Head {
    certificate: String,
    version: u32,
}

/// Checks a certificate.
///
/// # Errors
/// When it is no certificate, or a statement in it is not shown to be right.
pub fn check(bytes: &[u8]) -> Result<Claim, Rejection> {
    Ok(check_while(bytes, &|_| true)?)
}

/// Checks a certificate as long as one may go on: this is asked now and then, with what was done so far.
///
/// ```
/// use nimoon_check::{Unproved, check_while};
/// let certificate = r#"{"certificate":"table","version":1,"ruleset":"nim","first":0,"values":[0,1,2]}"#;
/// let within = |steps| check_while(certificate.as_bytes(), &|work| work.steps <= steps);
/// assert!(within(100).is_ok());
/// assert_eq!(within(2), Err(Unproved::Ended));
/// ```
///
/// # Errors
/// When it is no certificate, a statement in it is not shown to be right, or one may not go on.
pub fn check_while(bytes: &[u8], go_on: &dyn Fn(Work) -> bool) -> Result<Claim, Unproved> {
    let watch = &Watch::new(go_on);
    watch.ask()?;
    let head: Head = read(bytes, watch, 0)?;
    if head.version != VERSION {
        let reason = format!("version {} is not known here, only {VERSION}", head.version);
        return Err(Unproved::wrong("version", reason));
    }
    let claim = match head.certificate.as_str() {
        "labels" | "sum" => labels::check(whole(bytes, watch)?, watch),
        "remoteness" => remoteness::check(whole(bytes, watch)?, watch),
        "partizan-remoteness" => remoteness::check_partizan(whole(bytes, watch)?, watch),
        "comparison" => partizan::check_comparison(whole(bytes, watch)?, watch),
        "loopy" => partizan::check_loopy(whole(bytes, watch)?, watch),
        "table" => table::check(&whole(bytes, watch)?, watch),
        other => {
            let reason = format!("no kind of certificate is {}", format::quoted(other));
            Err(Unproved::wrong("certificate", reason))
        }
    }?;
    // The last steps count too.
    watch.ask()?;
    Ok(claim)
}

/// Reads all of a certificate.
fn whole<T: DeserializeOwned>(bytes: &[u8], watch: &Watch) -> Result<T, Unproved> {
    /// What a value takes in lists of names, labels, options and places, while they grow.
    const EACH: usize = 48;
    read(bytes, watch, EACH)
}

fn read<T: DeserializeOwned>(bytes: &[u8], watch: &Watch, each: usize) -> Result<T, Unproved> {
    let reading = BufReader::new(Reading { rest: bytes, watch, each });
    serde_json::from_reader(reading).map_err(|error| {
        if error.is_io() {
            return Unproved::Ended;
        }
        let at = format!("{}:{}", error.line(), error.column());
        let reason = error.to_string();
        // The place is told before.
        let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
        Unproved::wrong(at, format!("this is no certificate: {reason}"))
    })
}
