//! A checker of certificates: it reports what a certificate proves, or which statement in it is
//! wrong.
//!
//! A certificate is a JSON file that `nimoon … --certificate FILE` writes: a game, an answer, and a
//! proof of the answer. This crate depends on no other crate of nimoon, and contains none of its
//! algorithms. It checks every statement by itself: whether it follows, by the rules of play or a
//! definition, from statements that come before it in some order. Each module begins with the proof
//! that this is enough.
//!
//! | certificate | claim | module, with the proof |
//! |---|---|---|
//! | `labels` | values of all nodes of a digraph, by one of five theories | [`levels`], [`acyclic`], [`heaps`], [`control`] |
//! | `sum` | the same; value and outcome of a sum on it, and the turn to play | [`sum`], [`algebra`], [`control`] |
//! | `order` | how two nodes of a digraph compare beside all sums | [`order`] |
//! | `remoteness`, `partizan-remoteness` | remoteness and terminal distance of all nodes | [`remoteness`] |
//! | `comparison` | four relations of two loopy games | [`partizan`] |
//! | `loopy` | who wins a loopy game, and which stoppers are its sides | [`partizan`] |
//! | `table` | values of heaps | [`table`] |
//!
//! # Why acceptance implies the claim
//!
//! There are three kinds of proofs. *A win has ranks*: numbers that fall with every move, while the
//! winner always has a move and answers every move of the loser. So play ends, and the winner makes
//! the last move. *A draw is a set* of positions that a player never has to leave and in which this
//! player always has a move. *A value follows from earlier ones*: nodes come in an order, and the
//! rules that give a node its value use only earlier nodes. A node has no value if the rules give
//! none at the end. The modules say which statement is a theorem of the literature that is not
//! checked: how values add.
//!
//! A claim is about the digraph that the certificate lists. If it is the digraph of a ruleset with
//! short rules, the checker computes the options again ([`rules`]); for other rulesets the claim
//! says that they are taken as given.
//!
//! ```
//! // b → a: a is terminal, so it has value 0, and b has value 1.
//! let certificate = r#"{"certificate":"labels","version":1,"theory":"short","nodes":["a","b"],
//!     "gray":[],"options":[[],[0]],"values":[0,1],"order":[0,1]}"#;
//! let claim = nimoon_check::check(certificate.as_bytes()).unwrap();
//! assert!(claim.sentence.starts_with("in the digraph of 2 nodes and 1 arc all nodes have the values listed"));
//! let wrong = certificate.replace("\"values\":[0,1]", "\"values\":[0,2]");
//! assert_eq!(nimoon_check::check(wrong.as_bytes()).unwrap_err().at, "values[1]");
//! ```
//!
//! # Can its tests fail?
//! Two kinds of tests would find a checker that accepts too much. Single changes to true
//! certificates are rejected, or the changed statement is true by brute force. But a changed entry
//! mostly does not fit the others, so it is rejected for another reason. Therefore the tests also
//! forge whole strategies, turns, ranks with the sets that they claim, and orders of loopy games.
//! For nearly every condition there is a certificate that is wrong in that one place and is
//! rejected there. We removed or weakened all conditions of the checker, one at a time: 204,
//! including those that reject unknown fields. Each time a test failed. Five of them only bound
//! time and memory: without them a test does not end, or reports another place. The limit of four
//! billion nodes is not among them, since no test reaches it.
//!
//! The checker has no conditions that cannot matter. Options, gray nodes, positions of a strategy
//! and nodes of the short theory's order may be listed twice: play is the same, and of two entries
//! the last one counts and is checked like all others. Two nodes may be the same position of a
//! ruleset: each has one node for every option, and no other. A level of the carry-on theory
//! depends on lower levels at any time, so times are compared only within a level. The ranks of the
//! general theory go far enough if no white node is lost beside the last heap, since new draws in
//! the heap change nothing. And a turn that leads back to a position holds a proved draw, whoever
//! is to move there.
//!
//! The checker does not use the clock or budget of the engine, since it shares no code with it.
//! Instead it calls a function of its caller with the steps done and the bytes in use so far, which
//! decides whether to continue ([`check_while`]).
//!
//! # Cost
//! Memory is a small multiple of the file. Time is linear in its size, times the largest nimber for
//! labels with cycles. For a table it is proportional to the moves of all heaps, which are at most
//! twice as many heaps as it lists, and at most 4·10⁸ moves. If you do not trust a file, bound both
//! with [`check_while`].

pub mod acyclic;
pub mod algebra;
pub mod control;
pub mod format;
pub mod heaps;
pub mod labels;
pub mod levels;
pub mod order;
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
    /// What the claim assumes.
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

/// The supported version of certificates.
pub const VERSION: u32 = 1;

#[derive(Deserialize)]
struct Head {
    certificate: String,
    version: u32,
}

/// Checks a certificate.
///
/// # Errors
/// When the file is not a certificate, or a statement in it is not proved.
pub fn check(bytes: &[u8]) -> Result<Claim, Rejection> {
    Ok(check_while(bytes, &|_| true)?)
}

/// Checks a certificate while `go_on` returns true. It is called from time to time with the work
/// done so far.
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
/// When the file is not a certificate, a statement in it is not proved, or `go_on` returned false.
pub fn check_while(bytes: &[u8], go_on: &dyn Fn(Work) -> bool) -> Result<Claim, Unproved> {
    let watch = &Watch::new(go_on);
    watch.ask()?;
    let head: Head = read(bytes, watch, 0)?;
    if head.version != VERSION {
        let reason = format!("unknown version {}; expected {VERSION}", head.version);
        return Err(Unproved::wrong("version", reason));
    }
    let claim = match head.certificate.as_str() {
        "labels" | "sum" => labels::check(whole(bytes, watch)?, watch),
        "remoteness" => remoteness::check(whole(bytes, watch)?, watch),
        "partizan-remoteness" => remoteness::check_partizan(whole(bytes, watch)?, watch),
        "order" => order::check(whole(bytes, watch)?, watch),
        "comparison" => partizan::check_comparison(whole(bytes, watch)?, watch),
        "loopy" => partizan::check_loopy(whole(bytes, watch)?, watch),
        "table" => table::check(&whole(bytes, watch)?, watch),
        other => {
            let reason = format!("unknown kind of certificate {}", format::quoted(other));
            Err(Unproved::wrong("certificate", reason))
        }
    }?;
    // The last steps count too.
    watch.ask()?;
    Ok(claim)
}

/// Reads a whole certificate.
fn whole<T: DeserializeOwned>(bytes: &[u8], watch: &Watch) -> Result<T, Unproved> {
    /// The bytes of a value in growing lists of names, labels, options and places.
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
        // The place is reported separately.
        let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
        // Some reasons quote the input.
        let reason = format::printable(reason);
        Unproved::wrong(at, format!("not a certificate: {reason}"))
    })
}
