//! Loopy partizan games: `loopy` and `compare`.

use nimoon::loopy::Stoppers;
use nimoon_formats::loopy::{ComparisonReport, DrawError, Drawing, LoopyGame, LoopyReport};
use nimoon_formats::read::partizan;
use serde::Deserialize;
use serde_json::Value;

use crate::failure::{Failure, Kind};
use crate::work::{Allowance, Answer};

/// A game: an expression, or a graph as JSON.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Given {
    Expression(String),
    Graph(Value),
}

impl Given {
    fn game(&self, stoppers: &mut Stoppers, allowance: &Allowance) -> Result<LoopyGame, Failure> {
        let mut effort = allowance.effort();
        match self {
            Self::Expression(text) => LoopyGame::of_expression(text, stoppers, &mut effort)
                .map_err(|error| Failure::notation(text, error)),
            Self::Graph(graph) => {
                let read = partizan::read_within(graph.to_string().as_bytes(), &effort);
                let game = read.map_err(|error| Failure::read(&error).without_place())?;
                Ok(LoopyGame::of_graph(game, stoppers, &mut effort))
            }
        }
    }
}

/// Asks about a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    game: Given,
    #[serde(default)]
    output: Output,
    /// For pictures: the graph as given, and not the canonical form.
    #[serde(default)]
    as_given: bool,
    /// With JSON: the graph as given too, and what the vertices of small graphs equal.
    #[serde(default)]
    vertices: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Output {
    #[default]
    Json,
    Dot,
    Svg,
}

pub(super) fn game(asked: &Request, allowance: &Allowance) -> Result<Answer, Failure> {
    let mut stoppers = Stoppers::new();
    let game = asked.game.game(&mut stoppers, allowance)?;
    let mut interrupted = game.interrupted;
    let answer = match asked.output {
        Output::Json => {
            let mut effort = allowance.effort();
            let mut report = LoopyReport::new(&game, &mut stoppers, &mut effort);
            if asked.vertices {
                report = report.with_vertices(&game, &mut stoppers, &mut effort);
            }
            interrupted = report.interrupted();
            Answer::json(&report)?
        }
        Output::Dot => {
            let text = draw(asked, &game, &mut stoppers, Drawing::Dot, allowance)?;
            Answer::text("text/plain; charset=utf-8", text)
        }
        Output::Svg => {
            let text = draw(asked, &game, &mut stoppers, Drawing::Svg, allowance)?;
            Answer::text("image/svg+xml", text)
        }
    };
    Ok(answer.short_of(interrupted.map(|interrupted| interrupted.to_string())))
}

fn draw(
    asked: &Request,
    game: &LoopyGame,
    stoppers: &mut Stoppers,
    drawing: Drawing,
    allowance: &Allowance,
) -> Result<String, Failure> {
    let drawn = game.draw(stoppers, drawing, asked.as_given, &allowance.effort());
    drawn.map_err(|error| match error {
        DrawError::Interrupted(interrupted) => Failure::interrupted(interrupted, &interrupted),
        DrawError::Picture(error) => Failure::input(error.fact()),
        DrawError::NoGraph => Failure::input(error.to_string()),
        DrawError::Write(_) => Failure::new(Kind::Bug, error.to_string()),
    })
}

/// Asks how two games compare.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CompareRequest {
    a: Given,
    b: Given,
}

pub(super) fn compare(asked: &CompareRequest, allowance: &Allowance) -> Result<Answer, Failure> {
    let mut stoppers = Stoppers::new();
    let games = [asked.a.game(&mut stoppers, allowance)?, asked.b.game(&mut stoppers, allowance)?];
    let mut report = ComparisonReport::default();
    let found = report.find(&games, &mut stoppers, &mut allowance.effort());
    Ok(Answer::json(&report)?.short_of(found.err().map(|interrupted| interrupted.to_string())))
}
