//! Trust: `check` and `audit`.

use std::cell::Cell;

use nimoon::{Interrupted, Theory};
use nimoon_audit::{Algorithm, Audit, Mode, Plan, PrintableReport, Stop};
use nimoon_check::{Claim, Rejection, Unproved, Work as Steps, check_while};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::request::Chosen;
use crate::{Answer, Error, ErrorKind, Session, Work};

/// Asks whether a certificate proves its claim.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// What the file of the certificate holds.
    certificate: String,
}

/// What a certificate proves, or why it proves nothing.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum CheckReport {
    /// It proves this.
    Claim {
        /// True.
        valid: bool,
        /// What is proved.
        claim: String,
        /// What is taken as given.
        given: Vec<String>,
    },
    /// It proves nothing.
    Rejection {
        /// False.
        valid: bool,
        /// The statement that is wrong.
        at: String,
        /// Why.
        reason: String,
    },
}

impl CheckReport {
    fn new(found: Result<Claim, Rejection>) -> Self {
        match found {
            Ok(Claim { sentence, given, .. }) => {
                Self::Claim { valid: true, claim: sentence, given }
            }
            Err(Rejection { at, reason, .. }) => Self::Rejection { valid: false, at, reason },
        }
    }
}

/// What a certificate proves, or what is wrong with it.
///
/// # Errors
/// When a limit is hit.
pub fn checked(certificate: &[u8], work: &Work) -> Result<CheckReport, Interrupted> {
    let interrupted: Cell<Option<Interrupted>> = Cell::new(None);
    let go_on = |Steps { steps, bytes }| {
        let found = work.check().and_then(|()| work.admit(steps));
        interrupted.set(found.and_then(|()| work.hold(bytes)).err());
        interrupted.get().is_none()
    };
    match (check_while(certificate, &go_on), interrupted.get()) {
        (Err(Unproved::Ended), Some(interrupted)) => Err(interrupted),
        (found, _) => Ok(CheckReport::new(found.map_err(Rejection::from))),
    }
}

pub(crate) fn certificate(
    asked: &Request,
    _session: &Session,
    work: &Work,
) -> Result<Answer<CheckReport>, Error> {
    let checked = checked(asked.certificate.as_bytes(), work);
    checked.map(Answer::data).map_err(Error::limit)
}

/// Asks whether theory and brute force agree.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditRequest {
    /// Check all digraphs of this many nodes.
    exhaustive: Option<usize>,
    /// How many random digraphs to check.
    random: Option<u64>,
    /// What random digraphs depend on.
    #[serde(default = "usual_seed")]
    seed: u64,
    /// The most nodes of a random digraph.
    #[serde(default = "usual_nodes")]
    nodes: usize,
    /// The theory to use; `auto` takes the smallest that fits.
    #[serde(default)]
    theory: Chosen,
    /// Whether to audit the algorithm of the carry-on paper as printed.
    #[serde(default)]
    as_printed: bool,
    /// Whether assignments never change, with `as_printed`.
    #[serde(default)]
    frozen: bool,
}

fn usual_seed() -> u64 {
    Plan::SEED
}

fn usual_nodes() -> usize {
    Plan::MAX_NODES
}

pub(crate) fn audit(
    asked: &AuditRequest,
    _session: &Session,
    work: &Work,
) -> Result<Answer<PrintableReport>, Error> {
    if let Some(theory) = asked.theory.0
        && asked.as_printed
        && theory != Theory::CarryOn
    {
        return Err(Error::input(format!(
            "`as_printed` is the algorithm of the carry-on theory: it cannot be used with the {theory} theory"
        )));
    }
    let algorithm = match (asked.as_printed, asked.frozen) {
        (true, true) => Algorithm::Frozen,
        (true, false) => Algorithm::AsPrinted,
        (false, false) => Algorithm::Engine,
        (false, true) => {
            return Err(Error::new(ErrorKind::Request, "`frozen` needs `as_printed`"));
        }
    };
    let mode = match (asked.exhaustive, asked.random) {
        (Some(nodes), None) => Some(Mode::Exhaustive { nodes }),
        (None, Some(count)) => {
            Some(Mode::Random { count, seed: asked.seed, max_nodes: asked.nodes })
        }
        (None, None) => None,
        (Some(_), Some(_)) => {
            let message = "`exhaustive` and `random` cannot be used together";
            return Err(Error::new(ErrorKind::Request, message));
        }
    };
    let plan = Plan { algorithm, theory: asked.theory.0, mode, ..Plan::default() };
    let audit = Audit::new(plan).map_err(|error| Error::input(error.to_string()))?;
    let report = audit.within(work.child(work.limits())).run();
    let missing = match report.stop {
        Stop::Finished => None,
        Stop::Interrupted(interrupted) => Some(Error::interrupted(interrupted, &report.stop)),
    };
    Ok(Answer::data(PrintableReport::new(&report, algorithm)).short_of(missing))
}
