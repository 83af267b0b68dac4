//! All positions that play can reach: `explore`.

use nimoon_formats::write::PictureOptions;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::answer::{CSV, PLAIN, SVG};
use crate::condition::Condition;
use crate::explore::{ExploreOptions, NAMES, explore as explored};
use crate::followers::Symmetry;
use crate::library::Given;
use crate::request::Chosen;
use crate::{Answer, Error, Session, Work};

pub use crate::explore::ExploreAnswer;

/// The most nodes of a picture through a network.
const MOST_DRAWN: usize = 1000;

/// Asks for all positions that play can reach.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Positions as `ruleset:position`, joined by `+`.
    expression: String,
    /// List only the positions that satisfy this condition, as in `outcome = P and remoteness > 5`.
    #[serde(rename = "where")]
    condition: Option<String>,
    /// Whether positions that a symmetry makes equal are one.
    #[serde(default)]
    merge: bool,
    /// The theory to use; `auto` takes the smallest that fits.
    #[serde(default)]
    theory: Chosen,
    /// The files and scripts that the expression names.
    #[serde(default)]
    given: Given,
    /// How to write the answer.
    #[serde(default)]
    output: Output,
    /// The most nodes of a picture.
    #[serde(default = "drawn")]
    max_nodes: u16,
}

fn drawn() -> u16 {
    300
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ExploreOutput")]
enum Output {
    /// Data.
    #[default]
    Json,
    /// Comma-separated values.
    Csv,
    /// A `.game` file.
    Game,
    /// A digraph for Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A picture for a paper.
    Latex,
}

pub(crate) fn explore(
    asked: &Request,
    session: &Session,
    work: &Work,
) -> Result<Answer<ExploreAnswer>, Error> {
    let condition = asked.condition.as_deref();
    let condition = condition
        .map(|text| Condition::read(text, NAMES).map_err(|error| Error::notation(text, error)));
    let condition = condition.transpose()?;
    let options = ExploreOptions {
        symmetry: if asked.merge { Symmetry::Merged } else { Symmetry::Apart },
        condition: condition.as_ref(),
        theory: asked.theory.0,
    };
    let mut library = asked.given.library(session, work)?;
    let found = explored(&asked.expression, &options, &mut library, work)?;
    let max_nodes = session.capped(asked.max_nodes.into(), MOST_DRAWN);
    let picture = PictureOptions { max_nodes, ..PictureOptions::default() };
    let missing = found.missing.clone();
    let answer = match asked.output {
        Output::Json => Answer::data(found.answer),
        Output::Csv => Answer::written(CSV, |body| found.write_csv(body))?,
        Output::Game => Answer::text(PLAIN, found.game()?),
        Output::Dot => Answer::text(PLAIN, found.dot()?),
        Output::Svg => Answer::text(SVG, found.svg(&picture)?),
        Output::Latex => Answer::text(PLAIN, found.latex(&picture)?),
    };
    Ok(answer.short_of(missing))
}
