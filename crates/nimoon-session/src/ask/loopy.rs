//! Loopy partizan games: `loopy` and `compare`.

use crate::expression::Expression;
use crate::impartial_order::{ImpartialComparison, is_impartial, value};
use crate::library::Given as Files;
use crate::loopy::{ComparisonReport, DrawError, Drawing, LoopyGame, LoopyReport};
use nimoon::impartial::control::Control;
use nimoon::partizan::Stoppers;
use nimoon_formats::read::partizan;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::sum::solution;
use crate::answer::{PLAIN, SVG};
use crate::request::Chosen;
use crate::{Answer, Error, ErrorKind, Session, Work};

/// A game: an expression, or a graph as JSON.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "LoopyGame")]
enum Given {
    /// An expression, as in `{0||0|-2}` or `upon`.
    Expression(String),
    /// A graph with `nodes`, `left`, `right` and `start`.
    Graph(#[schemars(with = "Map<String, Value>")] Value),
}

impl Given {
    fn game(&self, stoppers: &mut Stoppers, work: &Work) -> Result<LoopyGame, Error> {
        let mut work = work.child(work.limits());
        match self {
            Self::Expression(text) => LoopyGame::of_expression(text, stoppers, &mut work)
                .map_err(|error| Error::notation(text, error)),
            Self::Graph(graph) => {
                let read = partizan::read_within(graph.to_string().as_bytes(), &work);
                let game = read.map_err(|error| Error::read(&error).without_place())?;
                Ok(LoopyGame::of_graph(game, stoppers, &mut work))
            }
        }
    }
}

/// Asks about a game.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The game.
    game: Given,
    /// How to write the answer.
    #[serde(default)]
    output: Output,
    /// For pictures: whether to draw the graph as given instead of the canonical form.
    #[serde(default)]
    as_given: bool,
    /// For data: whether to add the graph as given, and what the vertices of small graphs equal.
    #[serde(default)]
    vertices: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "LoopyOutput")]
enum Output {
    /// Data.
    #[default]
    Json,
    /// A graph for Graphviz.
    Dot,
    /// A picture.
    Svg,
}

pub(crate) fn game(
    asked: &Request,
    _session: &Session,
    work: &Work,
) -> Result<Answer<LoopyReport>, Error> {
    let mut stoppers = Stoppers::new();
    let game = asked.game.game(&mut stoppers, work)?;
    let mut interrupted = game.interrupted;
    let answer = match asked.output {
        Output::Json => {
            let mut work = work.child(work.limits());
            let mut report = LoopyReport::new(&game, &mut stoppers, &mut work);
            if asked.vertices {
                report = report.with_vertices(&game, &mut stoppers, &mut work);
            }
            interrupted = report.interrupted();
            Answer::data(report)
        }
        Output::Dot => {
            let text = draw(asked, &game, &mut stoppers, Drawing::Dot, work)?;
            Answer::text(PLAIN, text)
        }
        Output::Svg => {
            let text = draw(asked, &game, &mut stoppers, Drawing::Svg, work)?;
            Answer::text(SVG, text)
        }
    };
    Ok(answer.short_of(interrupted.map(Error::limit)))
}

fn draw(
    asked: &Request,
    game: &LoopyGame,
    stoppers: &mut Stoppers,
    drawing: Drawing,
    work: &Work,
) -> Result<String, Error> {
    let drawn = game.draw(stoppers, drawing, asked.as_given, work);
    drawn.map_err(|error| match error {
        DrawError::Interrupted(interrupted) => Error::limit(interrupted),
        DrawError::Picture(error) => Error::input(error.fact()),
        DrawError::NoGraph => Error::input(error.to_string()),
        DrawError::Write(_) => Error::new(ErrorKind::Bug, error.to_string()),
    })
}

/// Asks how two games compare.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareRequest {
    /// The first game: a loopy game, or an impartial value or position, as in `[0/1]` or `top-entails:7`.
    a: Given,
    /// The second game, of the same kind.
    b: Given,
    /// The files and scripts that impartial positions name.
    #[serde(default)]
    given: Files,
}

/// How two games compare.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum CompareReport {
    /// Loopy partizan games.
    Partizan(ComparisonReport),
    /// Impartial values.
    Impartial(Box<ImpartialComparison>),
}

pub(crate) fn compare(
    asked: &CompareRequest,
    session: &Session,
    work: &Work,
) -> Result<Answer<CompareReport>, Error> {
    if let (Given::Expression(a), Given::Expression(b)) = (&asked.a, &asked.b)
        && (is_impartial(a) || is_impartial(b))
    {
        let value = |text: &String| impartial(text, &asked.given, session, work);
        let values = [value(a)?, value(b)?];
        let found = ImpartialComparison::new(&values, &mut work.child(work.limits()));
        return Ok(Answer::data(CompareReport::Impartial(Box::new(found.map_err(Error::limit)?))));
    }
    let mut stoppers = Stoppers::new();
    let games = [asked.a.game(&mut stoppers, work)?, asked.b.game(&mut stoppers, work)?];
    let mut report = ComparisonReport::default();
    let found = report.find(&games, &mut stoppers, &mut work.child(work.limits()));
    let answer = Answer::data(CompareReport::Partizan(report));
    Ok(answer.short_of(found.err().map(Error::limit)))
}

/// The value of an impartial expression.
fn impartial(text: &str, given: &Files, session: &Session, work: &Work) -> Result<Control, Error> {
    let found = value(|theory| {
        let mut library = given.library(session, work)?;
        let read = Expression::read(text, &mut library);
        let expression = read.map_err(|error| Error::expression(text, error))?;
        solution(expression, Chosen(theory), work)
    })?;
    found.ok_or_else(|| no_value(text))
}

/// A position without a value.
pub(crate) fn no_value(text: &str) -> Error {
    Error::input(format!(
        "`{text}` has no value to compare: something in it must be answered, or a limit was hit"
    ))
}
