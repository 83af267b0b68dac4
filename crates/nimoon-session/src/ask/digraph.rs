//! Digraphs: `label`, `sum` and `representative`.

use crate::explore::digraph_of;
use crate::expression::Expression;
use crate::expression::NoLibrary;
use crate::library::Given;
use crate::report::{ExplanationReport, Missing, SumReport};
use nimoon::impartial::representative::{RepresentativeError, representative as simplest};
use nimoon::impartial::rounds::try_rounds;
use nimoon::impartial::sets::Sets;
use nimoon::impartial::theory::label_for_sums;
use nimoon::solve::solution::PositionDigraph;
use nimoon::{
    AnyValue, Digraph, DoesNotFit, Labelling, Labels, Node, Refutation, SumError, Theory,
    label as labelled, label_smallest,
};
use nimoon_audit::as_printed;
use nimoon_formats::read::{Format, UnknownFormat, nearest, read_impartial, read_within};
use nimoon_formats::write::json::{Shaped, shaped};
use nimoon_formats::write::{
    JsonDigraph, JsonDrawing, JsonLabels, PictureError, PictureOptions, PrintedLabels, Report,
    game as game_text, latex, missing_words, refutation_words, svg, write_csv, write_dot,
};
use nimoon_formats::{Game, Names, Source};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::sum::no_turn;
use crate::answer::{CSV, PLAIN, SVG};
use crate::request::{Chosen, ChosenTurn, TurnLimit};
use crate::{Answer, Error, ErrorKind, Session, Work};

/// The most nodes of a picture through a network.
const MOST_DRAWN: usize = 1000;

/// Texts of more bytes are slow.
const QUICK_BYTES: usize = 50_000;

/// A digraph in any format that is read, or that of all that play reaches from positions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Digraph")]
#[allow(clippy::struct_field_names, reason = "the fields are those of the request")]
pub struct Text {
    /// What a file would hold.
    #[serde(default)]
    text: String,
    /// Positions as `ruleset:position`, joined by `+`, in place of a text.
    position: Option<String>,
    /// The format of the text.
    #[serde(default = "usual")]
    #[schemars(extend("enum" = Format::ALL.map(Format::name)))]
    format: String,
}

fn usual() -> String {
    Format::Game.name().to_owned()
}

impl Text {
    pub(crate) fn is_slow(&self) -> bool {
        self.text.len() > QUICK_BYTES
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    pub(crate) fn format(&self) -> Result<Format, Error> {
        self.format.parse().map_err(|error: UnknownFormat| Error::input(error.to_string()))
    }

    /// What the text says, whoever moves and however play ends.
    pub(crate) fn source(&self, work: &Work) -> Result<Source, Error> {
        read_within(self.format()?, self.bytes(), work).map_err(|error| Error::read(&error))
    }

    /// The digraph, and whether it is that of an impartial game with normal play.
    pub(crate) fn any_game(&self, work: &Work) -> Result<(Game, bool), Error> {
        if self.position.is_some() {
            return Ok((self.game(work)?, true));
        }
        let source = self.source(work)?;
        let impartial = source.check_impartial().is_ok();
        let game = source.into_game().map_err(|error| Error::input(error.to_string()))?;
        Ok((game, impartial))
    }

    /// The digraph of an impartial game with normal play.
    pub(crate) fn game(&self, work: &Work) -> Result<Game, Error> {
        if let Some(position) = &self.position {
            if !self.text.is_empty() {
                let message = "expected either `text` or `position`";
                return Err(Error::new(ErrorKind::Request, message));
            }
            return digraph_of(position, &mut NoLibrary, work);
        }
        let source = read_impartial(self.format()?, self.bytes(), work)
            .map_err(|error| Error::read(&error))?;
        source.into_game().map_err(|error| Error::input(error.to_string()))
    }
}

pub(crate) fn node(game: &Game, name: &str) -> Result<Node, Error> {
    game.names.node(name).ok_or_else(|| {
        let nearest = nearest(game.names.iter(), name)
            .map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"));
        Error::input(format!("unknown node `{name}`{nearest}"))
    })
}

fn fitting(game: &Game, found: Result<Labelling, DoesNotFit>) -> Result<Labelling, Error> {
    found.map_err(|error| {
        let because = refutation_words(&error.refutation, &game.names);
        Error::input(format!(
            "the digraph does not fit the {} theory: {because}; the {} theory fits",
            error.theory, error.fitting
        ))
    })
}

/// What is missing from labels that are not complete.
fn unlabelled(labels: &dyn Labels) -> Option<Error> {
    let interrupted = labels.incomplete()?.interrupted()?;
    Some(Error::interrupted(interrupted, &missing_words(labels)?))
}

/// Asks for the labels of a digraph.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "one for each part of the answer")]
pub struct LabelRequest {
    /// The digraph; or `position` in its place.
    digraph: Option<Text>,
    /// Positions as `ruleset:position`, joined by `+`: the digraph is everything that play reaches
    /// from them.
    position: Option<String>,
    /// The files and scripts that `position` names.
    #[serde(default)]
    given: Given,
    /// The theory to use; `auto` takes the smallest that fits.
    #[serde(default)]
    theory: Chosen,
    /// Whether to label each node by the smallest theory that fits what it reaches. Each node of the answer then has its
    /// `theory`, and `theory` must be `auto`.
    #[serde(default)]
    smallest: bool,
    /// Whether to give the round in which each node was assigned.
    #[serde(default)]
    steps: bool,
    /// Whether to give D(G), F(G), P(G) and Cr of the carry-on paper.
    #[serde(default)]
    sets: bool,
    /// Whether to give what Algorithm 8 of the carry-on paper says as it is printed.
    #[serde(default)]
    as_printed: bool,
    /// A node to explain; the answer is then why it has its label.
    explain: Option<String>,
    /// How to write the answer.
    #[serde(default)]
    output: Output,
    /// For pictures: only what is near this node.
    around: Option<String>,
    /// How many arcs away is near.
    #[serde(default = "near")]
    radius: usize,
    /// The most nodes to draw; at most 1000 through a network.
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
    pub(crate) fn is_slow(&self) -> bool {
        self.digraph.as_ref().is_none_or(Text::is_slow)
    }

    fn game(&self, session: &Session, work: &Work) -> Result<Game, Error> {
        match (&self.digraph, &self.position) {
            (Some(digraph), None) => digraph.game(work),
            (None, Some(position)) => explored(position, &self.given, session, work),
            _ => {
                let message = "expected either `digraph` or `position`";
                Err(Error::new(ErrorKind::Request, message))
            }
        }
    }
}

/// The digraph of everything that play reaches from a sum of positions.
fn explored(position: &str, given: &Given, session: &Session, work: &Work) -> Result<Game, Error> {
    let expression = Expression::read(position, &mut given.library(session, work)?);
    let expression = expression.map_err(|error| Error::expression(position, error))?;
    let Expression { fields, terms } = expression;
    let found = PositionDigraph::new(fields, &terms, work);
    found.map(Game::from).map_err(|error| Error::solution(&error))
}

/// D(G), F(G), P(G) and Cr of all nodes.
fn sets(digraph: &Digraph, names: &Names, labels: &dyn Labels, work: &Work) -> Result<Sets, Error> {
    let found = Sets::of(digraph, labels, work).map_err(Error::limit)?;
    found.ok_or_else(|| several_options("`sets`", digraph, names))
}

/// What Algorithm 8 gives as it is printed.
fn as_printed(digraph: &Digraph, names: &Names, work: &Work) -> Result<PrintedLabels, Error> {
    let found = as_printed::steps(digraph, false, &mut work.child(work.limits()));
    let found = found.map_err(Error::limit)?;
    found.map(Into::into).ok_or_else(|| several_options("`as_printed`", digraph, names))
}

fn several_options(what: &str, digraph: &Digraph, names: &Names) -> Error {
    let gray = digraph.gray_nodes().find(|&gray| digraph.options(gray).len() > 1);
    let because = refutation_words(&Refutation::ManyOptions(gray.unwrap_or_default()), names);
    Error::input(format!("{what} is for digraphs that fit the carry-on theory: {because}"))
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "LabelOutput")]
enum Output {
    /// Data.
    #[default]
    Json,
    /// Comma-separated values.
    Csv,
    /// A digraph for Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// A picture for a paper.
    Latex,
    /// A `.game` file.
    Game,
    /// The digraph alone, as JSON.
    Digraph,
    /// Labels, arcs and cyclic zones, for a program that draws.
    Drawing,
}

/// The labels of a digraph, or the digraph itself.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum LabelReport {
    /// The labels.
    Labels(
        #[serde(serialize_with = "shaped")]
        #[schemars(with = "JsonLabels")]
        Labelled,
    ),
    /// Labels, arcs and cyclic zones, for a program that draws.
    Drawing(
        #[serde(serialize_with = "drawing")]
        #[schemars(with = "JsonDrawing")]
        Labelled,
    ),
    /// The digraph alone.
    Digraph(JsonDigraph),
    /// Why a node has its label.
    Explanation(ExplanationReport),
}

/// A digraph with its labels.
#[derive(Debug)]
pub struct Labelled {
    digraph: Digraph,
    names: Names,
    labelling: Box<dyn Labels>,
    rounds: Option<Vec<Option<u32>>>,
    sets: Option<Sets>,
    printed: Option<PrintedLabels>,
}

impl Labelled {
    fn report(&self) -> Report<'_> {
        let Self { digraph, names, labelling, rounds, .. } = self;
        let (sets, printed) = (self.sets.as_ref(), self.printed.as_ref());
        let rounds = rounds.as_deref();
        Report { rounds, sets, printed, ..Report::new(digraph, names, &**labelling) }
    }
}

impl Shaped for Labelled {
    type Shape<'a> = JsonLabels<'a>;

    fn shape(&self) -> JsonLabels<'_> {
        self.report().into()
    }
}

fn drawing<S: Serializer>(labelled: &Labelled, serializer: S) -> Result<S::Ok, S::Error> {
    JsonDrawing::from(labelled.report()).serialize(serializer)
}

pub(crate) fn label(
    asked: &LabelRequest,
    session: &Session,
    work: &Work,
) -> Result<Answer<LabelReport>, Error> {
    let game = asked.game(session, work)?;
    if asked.output == Output::Game {
        let text = game_text(&game.digraph, &game.names);
        return Ok(Answer::text(PLAIN, text.map_err(|error| Error::input(error.to_string()))?));
    }
    if asked.output == Output::Digraph {
        return Ok(Answer::data(JsonDigraph::new(&game.digraph, &game.names)));
    }
    let labelling = labels(asked, &game, work)?;
    if let Some(name) = &asked.explain {
        let node = node(&game, name)?;
        let explanation = labelling.explain(&game.digraph, node, work).map_err(Error::limit)?;
        let name = |node| game.names.name(node).into_owned();
        let report = ExplanationReport::of_node(node, name, &explanation);
        return Ok(Answer::data(report).short_of(unlabelled(&*labelling)));
    }
    let picture = matches!(asked.output, Output::Svg | Output::Latex);
    let steps = asked.steps || picture;
    let rounds = steps.then(|| labelling.try_rounds(&game.digraph, work));
    let rounds = rounds.transpose().map_err(Error::limit)?;
    let around = asked.around.as_deref().map(|name| node(&game, name)).transpose()?;
    let max_nodes = session.capped(asked.max_nodes.into(), MOST_DRAWN);
    let options = PictureOptions { around, radius: asked.radius, max_nodes };
    let missing = unlabelled(&*labelling);
    let Game { digraph, names, .. } = game;
    let sets = asked.sets.then(|| sets(&digraph, &names, &*labelling, work)).transpose()?;
    let printed = asked.as_printed.then(|| as_printed(&digraph, &names, work)).transpose()?;
    let labelled = Labelled { digraph, names, labelling, rounds, sets, printed };
    written(asked.output, labelled, &options).map(|answer| answer.short_of(missing))
}

fn labels(asked: &LabelRequest, game: &Game, work: &Work) -> Result<Box<dyn Labels>, Error> {
    if !asked.smallest {
        let found = labelled(&game.digraph, asked.theory.0, work);
        return Ok(Box::new(fitting(game, found)?));
    }
    if asked.theory.0.is_some() {
        let message =
            "`smallest` finds the theory of each node: set `theory` to `auto`, or leave it out";
        return Err(Error::new(ErrorKind::Request, message));
    }
    Ok(Box::new(label_smallest(&game.digraph, work)))
}

fn written(
    output: Output,
    labelled: Labelled,
    options: &PictureOptions,
) -> Result<Answer<LabelReport>, Error> {
    let report = &labelled.report();
    let drawn = |kind, drawn: Result<String, PictureError>| match drawn {
        Ok(text) => Ok(Answer::text(kind, text)),
        Err(error) => Err(Error::input(error.fact())),
    };
    match output {
        Output::Json => Ok(Answer::data(LabelReport::Labels(labelled))),
        Output::Csv => Answer::written(CSV, |body| write_csv(report, body)),
        Output::Dot => Answer::written(PLAIN, |body| write_dot(report, body)),
        Output::Svg => drawn(SVG, svg(report, options)),
        Output::Latex => drawn(PLAIN, latex(report, options)),
        Output::Drawing => Ok(Answer::data(LabelReport::Drawing(labelled))),
        Output::Digraph => Ok(Answer::data(JsonDigraph::new(report.digraph, report.names))),
        Output::Game => {
            let text = game_text(report.digraph, report.names);
            Ok(Answer::text(PLAIN, text.map_err(|error| Error::input(error.to_string()))?))
        }
    }
}

impl From<JsonDigraph> for LabelReport {
    fn from(digraph: JsonDigraph) -> Self {
        Self::Digraph(digraph)
    }
}

impl From<ExplanationReport> for LabelReport {
    fn from(explanation: ExplanationReport) -> Self {
        Self::Explanation(explanation)
    }
}

/// Asks about pieces on nodes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SumRequest {
    /// The digraph.
    digraph: Text,
    /// The nodes with a piece; a node may be given more than once.
    nodes: Vec<String>,
    /// The theory to use; `auto` takes the smallest that fits.
    #[serde(default)]
    theory: Chosen,
    /// Whether to list the winning turns.
    #[serde(default)]
    turns: bool,
    /// The most turns to list, with `turns`; default: 100.
    limit: Option<TurnLimit>,
    /// How the turn to play is chosen.
    #[serde(default)]
    turn: ChosenTurn,
}

impl SumRequest {
    pub(crate) fn is_slow(&self) -> bool {
        self.digraph.is_slow()
    }
}

pub(crate) fn sum(
    asked: &SumRequest,
    _session: &Session,
    work: &Work,
) -> Result<Answer<SumReport>, Error> {
    let work = &asked.turn.within(work);
    if asked.limit.is_some() && !asked.turns {
        let message = "`limit` is the most turns to list: set `turns` to true, or leave it out";
        return Err(Error::new(ErrorKind::Request, message));
    }
    let game = asked.digraph.game(work)?;
    if asked.nodes.is_empty() {
        return Err(Error::input("expected at least one node with a piece"));
    }
    let nodes: Result<Vec<_>, _> = asked.nodes.iter().map(|name| node(&game, name)).collect();
    let found = label_for_sums(&game.digraph, asked.theory.0, work);
    let labelling = fitting(&game, found)?;
    let turns = asked.turns.then_some(asked.limit.unwrap_or_default().0);
    let answered = SumReport::of_nodes(&game, &labelling, nodes?, work, turns);
    let (report, answer, missing) = answered.map_err(|error| match error {
        SumError::TwoGray { first, second } => Error::input(format!(
            "`{}` and `{}` are both gray: at most one piece can stand on a gray node",
            asked.nodes[first], asked.nodes[second]
        )),
        error => Error::input(error.to_string()),
    })?;
    let guide = answer.map(|answer| answer.guide);
    let answer = Answer::data(report).by(guide, work.limits());
    Ok(match missing {
        Some(Missing::Turn(interrupted)) => answer.noting(Some(no_turn(&interrupted))),
        Some(Missing::Answer(interrupted)) => answer.short_of(Some(Error::limit(interrupted))),
        None => answer.short_of(unlabelled(&labelling)),
    })
}

/// Asks for the simplest digraph of a value.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepresentativeRequest {
    /// The value in ASCII, as in `moon{0,1}`.
    value: String,
    /// How to write the answer.
    #[serde(default)]
    output: Output,
}

pub(crate) fn representative(
    asked: &RepresentativeRequest,
    _session: &Session,
    work: &Work,
) -> Result<Answer<LabelReport>, Error> {
    let bad = |error: &dyn std::fmt::Display| Error::input(error.to_string());
    let value: AnyValue = asked.value.parse().map_err(|error| bad(&error))?;
    let found = simplest(&value, work).map_err(|error| match error {
        RepresentativeError::Interrupted { interrupted, .. } => {
            Error::interrupted(interrupted, &error)
        }
        RepresentativeError::TooLarge { .. } => Error::new(ErrorKind::Budget, error.to_string()),
        error => bad(&error),
    })?;
    let names: Names = found.names.iter().collect();
    match asked.output {
        Output::Json | Output::Digraph => {
            return Ok(Answer::data(JsonDigraph::new(&found.digraph, &names)));
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
    let labelling = labelled(&found.digraph, theory, work).map_err(|error| bad(&error))?;
    let rounds = try_rounds(&found.digraph, &labelling, work).map_err(Error::limit)?;
    let digraph = found.digraph;
    let labelling = Box::new(labelling);
    let rounds = Some(rounds);
    let labelled = Labelled { digraph, names, labelling, rounds, sets: None, printed: None };
    written(asked.output, labelled, &PictureOptions::default())
}
