//! Digraphs: `label`, `sum` and `representative`.

use nimoon::explain::explain;
use nimoon::representative::{RepresentativeError, representative as simplest};
use nimoon::rounds::try_rounds;
use nimoon::theory::label_for_sums;
use nimoon::{AnyValue, DoesNotFit, Labelling, Node, SumError, Theory, label as labelled};
use nimoon_formats::read::{Format, nearest, read_impartial};
use nimoon_formats::write::{
    ExplanationReport, JsonDigraph, JsonDrawing, PictureOptions, Report, SumReport,
    game as game_text, latex, refutation_words, svg, write_csv, write_dot, write_json,
};
use nimoon_formats::{Game, Names};
use serde::Deserialize;

use super::request::{Chosen, TurnLimit};
use crate::failure::{Failure, Kind};
use crate::work::{Allowance, Answer, Lane};

/// The most nodes of a picture.
const MOST_DRAWN: u16 = 1000;

/// Texts of more bytes are slow.
const QUICK_BYTES: usize = 50_000;

/// A digraph in any format that is read.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    /// What a file would hold.
    text: String,
    /// The format: json, game, dot, edges, aut or pgsolver.
    #[serde(default = "usual")]
    format: String,
}

fn usual() -> String {
    Format::Game.name().to_owned()
}

impl Text {
    fn lane(&self) -> Lane {
        if self.text.len() > QUICK_BYTES { Lane::Slow } else { Lane::Quick }
    }

    fn game(&self, allowance: &Allowance) -> Result<Game, Failure> {
        let format: Format =
            self.format.parse().map_err(|error: nimoon_formats::read::UnknownFormat| {
                Failure::input(error.to_string())
            })?;
        let source = read_impartial(format, self.text.as_bytes(), &allowance.effort(), &|_| {})
            .map_err(|error| Failure::read(&error))?;
        source.into_game().map_err(|error| Failure::input(error.to_string()))
    }
}

fn node(game: &Game, name: &str) -> Result<Node, Failure> {
    game.names.node(name).ok_or_else(|| {
        let nearest = nearest(game.names.iter(), name)
            .map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"));
        Failure::input(format!("there is no node `{name}`{nearest}"))
    })
}

fn fitting(game: &Game, found: Result<Labelling, DoesNotFit>) -> Result<Labelling, Failure> {
    found.map_err(|error| {
        let because = refutation_words(&error.refutation, &game.names);
        Failure::input(format!(
            "the digraph does not fit the {} theory: {because}; the {} theory fits",
            error.theory, error.fitting
        ))
    })
}

fn cut_short(labelling: &Labelling) -> Option<String> {
    labelling.interrupted().map(|interrupted| match labelling.theory() {
        Theory::General => {
            format!("{interrupted}: the outcomes beside larger nim-heaps are not known")
        }
        _ => format!("{interrupted}: the values of some nodes are not known"),
    })
}

/// Asks for the labels of a digraph.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LabelRequest {
    digraph: Text,
    #[serde(default)]
    theory: Chosen,
    /// Whether to tell the rounds.
    #[serde(default)]
    steps: bool,
    /// The node to explain.
    explain: Option<String>,
    /// How to write the answer.
    #[serde(default)]
    output: Output,
    /// For pictures: only what is near this node.
    around: Option<String>,
    /// How many arcs away is near.
    #[serde(default = "near")]
    radius: usize,
    /// The most nodes to draw.
    #[serde(default = "drawn")]
    max_nodes: u16,
}

fn near() -> usize {
    2
}

fn drawn() -> u16 {
    300
}

impl LabelRequest {
    pub(super) fn lane(&self) -> Lane {
        self.digraph.lane()
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Output {
    #[default]
    Json,
    Csv,
    Dot,
    Svg,
    Latex,
    Game,
    /// The digraph alone, as JSON.
    Digraph,
    /// Labels, arcs and cyclic zones, for a program that draws.
    Drawing,
}

pub(super) fn label(asked: &LabelRequest, allowance: &Allowance) -> Result<Answer, Failure> {
    let game = asked.digraph.game(allowance)?;
    if asked.output == Output::Game {
        let text = game_text(&game.digraph, &game.names);
        return Ok(Answer::text(PLAIN, text.map_err(|error| Failure::input(error.to_string()))?));
    }
    if asked.output == Output::Digraph {
        return Answer::json(&JsonDigraph::new(&game.digraph, &game.names));
    }
    let found = labelled(&game.digraph, asked.theory.0, allowance.effort());
    let labelling = fitting(&game, found)?;
    if let Some(name) = &asked.explain {
        let node = node(&game, name)?;
        let explanation = explain(&game.digraph, &labelling, node, &allowance.effort())
            .map_err(|interrupted| Failure::interrupted(interrupted, &interrupted))?;
        let name = |node| game.names.name(node).into_owned();
        let report =
            ExplanationReport { node, name: &name, is_node: true, explanation: &explanation };
        return Ok(Answer::json(&report)?.short_of(cut_short(&labelling)));
    }
    let picture = matches!(asked.output, Output::Svg | Output::Latex);
    let steps = asked.steps || picture;
    let rounds = steps.then(|| try_rounds(&game.digraph, &labelling, &allowance.effort()));
    let rounds = rounds
        .transpose()
        .map_err(|interrupted| Failure::interrupted(interrupted, &interrupted))?;
    let report = Report {
        digraph: &game.digraph,
        names: &game.names,
        labelling: &labelling,
        rounds: rounds.as_deref(),
    };
    let around = asked.around.as_deref().map(|name| node(&game, name)).transpose()?;
    let max_nodes = asked.max_nodes.min(MOST_DRAWN).into();
    let options = PictureOptions { around, radius: asked.radius, max_nodes };
    written(asked.output, &report, &options).map(|answer| answer.short_of(cut_short(&labelling)))
}

const PLAIN: &str = "text/plain; charset=utf-8";

fn written(
    output: Output,
    report: &Report<'_>,
    options: &PictureOptions,
) -> Result<Answer, Failure> {
    let mut bytes = Vec::new();
    let kind = match output {
        Output::Json => write_json(report, &mut bytes).map(|()| "application/json"),
        Output::Csv => write_csv(report, &mut bytes).map(|()| "text/csv; charset=utf-8"),
        Output::Dot => write_dot(report, &mut bytes).map(|()| PLAIN),
        Output::Svg | Output::Latex => {
            let (kind, drawn) = match output {
                Output::Svg => ("image/svg+xml", svg(report, options)),
                _ => (PLAIN, latex(report, options)),
            };
            let drawn = drawn.map_err(|error| Failure::input(error.fact()))?;
            return Ok(Answer::text(kind, drawn));
        }
        Output::Drawing => return Answer::json(&JsonDrawing(report)),
        Output::Game | Output::Digraph => Ok(PLAIN),
    };
    let kind = kind.map_err(|error| Failure::new(Kind::Bug, error.to_string()))?;
    Ok(Answer::text(kind, bytes))
}

/// Asks about pieces on nodes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SumRequest {
    digraph: Text,
    /// The nodes with a piece; a node may be given more than once.
    nodes: Vec<String>,
    #[serde(default)]
    theory: Chosen,
    /// Whether to list the winning turns.
    #[serde(default)]
    turns: bool,
    /// The most turns to list, where they are listed.
    limit: Option<TurnLimit>,
}

impl SumRequest {
    pub(super) fn lane(&self) -> Lane {
        self.digraph.lane()
    }
}

pub(super) fn sum(asked: &SumRequest, allowance: &Allowance) -> Result<Answer, Failure> {
    if asked.limit.is_some() && !asked.turns {
        let message = "`limit` is the most turns to list: set `turns` to true, or leave it out";
        return Err(Failure::new(Kind::Request, message));
    }
    let game = asked.digraph.game(allowance)?;
    if asked.nodes.is_empty() {
        return Err(Failure::input("expected at least one node with a piece"));
    }
    let nodes: Result<Vec<_>, _> = asked.nodes.iter().map(|name| node(&game, name)).collect();
    let found = label_for_sums(&game.digraph, asked.theory.0, allowance.effort());
    let labelling = fitting(&game, found)?;
    let turns = asked.turns.then_some(asked.limit.unwrap_or_default().0);
    let answered = SumReport::of_nodes(&game, &labelling, nodes?, &allowance.effort(), turns);
    let (report, answer, missing) = answered.map_err(|error| match error {
        SumError::TwoGray { first, second } => Failure::input(format!(
            "`{}` and `{}` are both gray: at most one piece can stand on a gray node",
            asked.nodes[first], asked.nodes[second]
        )),
        error => Failure::input(error.to_string()),
    })?;
    let guide = answer.map(|answer| answer.guide);
    let missing = missing.map(|over| over.to_string());
    Ok(Answer::json(&report)?.by(guide).short_of(missing.or_else(|| cut_short(&labelling))))
}

/// Asks for the simplest digraph of a value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RepresentativeRequest {
    /// The value in ASCII, as in `moon{0,1}`.
    value: String,
    #[serde(default)]
    output: Output,
}

pub(super) fn representative(
    asked: &RepresentativeRequest,
    allowance: &Allowance,
) -> Result<Answer, Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::input(error.to_string());
    let value: AnyValue = asked.value.parse().map_err(|error| bad(&error))?;
    let found = simplest(&value, allowance.effort()).map_err(|error| match error {
        RepresentativeError::Interrupted { interrupted, .. } => {
            Failure::interrupted(interrupted, &error)
        }
        RepresentativeError::TooLarge { .. } => Failure::new(Kind::Budget, error.to_string()),
        error => bad(&error),
    })?;
    let names: Names = found.names.iter().collect();
    match asked.output {
        Output::Json | Output::Digraph => {
            return Answer::json(&JsonDigraph::new(&found.digraph, &names));
        }
        Output::Game => {
            let text = game_text(&found.digraph, &names).map_err(|error| bad(&error))?;
            return Ok(Answer::text(PLAIN, text));
        }
        _ => {}
    }
    // The values of the carry-on theory are finer than those of the smallest theory that fits.
    let carry_on = matches!(&value, AnyValue::CarryOn(value) if value.nimber().is_none());
    let theory = carry_on.then_some(Theory::CarryOn);
    let labelling =
        labelled(&found.digraph, theory, allowance.effort()).map_err(|error| bad(&error))?;
    let rounds = try_rounds(&found.digraph, &labelling, &allowance.effort())
        .map_err(|interrupted| Failure::interrupted(interrupted, &interrupted))?;
    let report = Report {
        digraph: &found.digraph,
        names: &names,
        labelling: &labelling,
        rounds: Some(&rounds),
    };
    written(asked.output, &report, &PictureOptions::default())
}
