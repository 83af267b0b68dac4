//! The first position that satisfies a condition: `search`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::library::Given;
use crate::request::Chosen;
use crate::search::{SearchReport, Sought, failure, search as searched};
use crate::table::Pattern;
use crate::{Answer, Error, Session, Work};

/// The largest number of a row through a network.
const LARGEST: u64 = 100_000;

/// Asks for the first position that satisfies a condition.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SearchRequest")]
pub struct Request {
    /// A ruleset with its parameters, or positions with places as in `wythoff:{a},{b}`.
    pattern: String,
    /// The numbers, or what the named places go through, as in `a=0..5 b=0..5`; at most 100000 rows through a network.
    range: String,
    /// What to look for, as in `value != a xor b`.
    #[serde(rename = "where")]
    condition: String,
    /// How many rows to try at random; default: all rows in order.
    random: Option<u64>,
    /// What random rows depend on.
    #[serde(default = "usual_seed")]
    seed: u64,
    /// The theory to use; `auto` takes the smallest that fits.
    #[serde(default)]
    theory: Chosen,
    /// The files and scripts that the expression names.
    #[serde(default)]
    given: Given,
}

fn usual_seed() -> u64 {
    1
}

pub(crate) fn search(
    asked: &Request,
    session: &Session,
    work: &Work,
) -> Result<Answer<SearchReport>, Error> {
    let (pattern, range) = Pattern::with(&asked.pattern, &asked.range).map_err(failure)?;
    let too_long = format!("the rows go to {LARGEST} here: use `nimoon search` for more");
    session.at_most(range.last, LARGEST, too_long)?;
    let condition = pattern.condition(&asked.condition);
    let condition = condition.map_err(|error| Error::notation(&asked.condition, error))?;
    let sought = Sought {
        pattern: &pattern,
        range,
        condition: &condition,
        random: asked.random.map(|count| (count, asked.seed)),
        theory: asked.theory.0,
    };
    let mut library = asked.given.library(session, work)?;
    let (report, missing) = searched(&sought, &mut library, work)?;
    Ok(Answer::data(report).short_of(missing))
}
