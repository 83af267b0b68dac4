//! Unicycles: `unicycle`.

use nimoon::partizan::unicycle::{Pattern, PatternError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::unicycle::{UnicycleAnswer, UnicycleError, UnicycleOptions, Unicycles};
use crate::{Answer, Error, ErrorKind, Session, Work};

/// The longest pattern whose length alone may be given.
const LONGEST: u8 = 20;

/// The most assignments of exits that are listed through a network.
const MOST_LISTED: usize = 1000;

/// Asks for the unicycles with a pattern, or with all admissible patterns of a length.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The players who go on, vertex by vertex, as in `LLRR`.
    pattern: Option<String>,
    /// All admissible patterns of this length, up to rotation.
    length: Option<u8>,
    /// The loopfree games to choose exits from, separated by commas.
    #[serde(default = "usual_exits")]
    exits: String,
    /// Whether to count all assignments of exits.
    #[serde(default)]
    count: bool,
    /// Whether to list them.
    #[serde(default)]
    all: bool,
    /// The most assignments to list.
    #[serde(default = "usual_limit")]
    limit: usize,
    /// Whether to build a unicycle that every admissible pattern has, without a search.
    #[serde(default)]
    construct: bool,
}

fn usual_exits() -> String {
    "0,*,*2,*3".to_owned()
}

fn usual_limit() -> usize {
    MOST_LISTED
}

/// What is known about patterns.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum UnicycleReport {
    /// About one pattern.
    One(UnicycleAnswer),
    /// About all admissible patterns of a length.
    All(Vec<UnicycleAnswer>),
}

pub(crate) fn unicycles(
    asked: &Request,
    session: &Session,
    work: &Work,
) -> Result<Answer<UnicycleReport>, Error> {
    let limit = session.capped(asked.limit, MOST_LISTED);
    let options = UnicycleOptions {
        count: asked.count,
        all: asked.all.then_some(limit),
        construct: asked.construct,
    };
    let mut unicycles = Unicycles::new(&asked.exits, options, work.child(work.limits()))
        .map_err(|error| failure(&error))?;
    match (&asked.pattern, asked.length) {
        (Some(text), None) => {
            let pattern: Pattern = text
                .parse()
                .map_err(|error: PatternError| Error::input(format!("`pattern`: {error}")))?;
            let answer = unicycles.answer(&pattern).map_err(|error| failure(&error))?;
            let missing = missing(std::slice::from_ref(&answer));
            Ok(Answer::data(UnicycleReport::One(answer)).short_of(missing))
        }
        (None, Some(length @ 1..=LONGEST)) => {
            let patterns = Pattern::necklaces(usize::from(length));
            let patterns: Vec<Pattern> =
                patterns.filter(|pattern| pattern.admissible().is_ok()).collect();
            let answers = unicycles.answer_all(&patterns).map_err(|error| failure(&error))?;
            let missing = missing(&answers);
            Ok(Answer::data(UnicycleReport::All(answers)).short_of(missing))
        }
        (None, Some(length)) => {
            Err(Error::input(format!("`length` is a number from 1 to {LONGEST}, not {length}")))
        }
        _ => Err(Error::new(ErrorKind::Request, "expected either `pattern` or `length`")),
    }
}

fn failure(error: &UnicycleError) -> Error {
    match error {
        UnicycleError::Exits { .. } => Error::input(format!("`exits`: {error}")),
        UnicycleError::Bug(_) => Error::new(ErrorKind::Bug, error.to_string()),
    }
}

/// What ended a search before it was complete.
fn missing(answers: &[UnicycleAnswer]) -> Option<Error> {
    let interrupted = answers.iter().find_map(|answer| answer.interrupted)?;
    let message = format!("{interrupted} before the search was complete");
    Some(Error::interrupted(interrupted, &message))
}
