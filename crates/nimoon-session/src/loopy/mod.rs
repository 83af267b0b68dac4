//! Loopy partizan games: what there is to say about one, and how two compare.

mod comparison;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use nimoon::limits::Limit;
use nimoon::notation::NotationError;
use nimoon::{
    Interrupted, Work,
    partizan::notation,
    partizan::notation::{EvaluateError, Expression},
    partizan::{Graph, Outcomes, Sides, Stopper, Stoppers, Vertex, Winner},
    player::Player,
};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use crate::report::PartizanOutcome;
use nimoon_formats::read::partizan::PartizanGame;
use nimoon_formats::write::json::{Shaped, shaped};
use nimoon_formats::write::terminal::padded;
use nimoon_formats::write::{JsonPartizan, PartizanReport, PictureError, lettered, partizan_svg};

pub use comparison::ComparisonReport;

/// The largest canonical form that is shown to people as a table.
const SHOWN: usize = 40;
/// The longest text in that table.
const LONGEST: usize = 60;
/// The most vertices that are drawn.
const MOST_DRAWN: usize = 300;
/// The maximal number of vertices that are listed one by one.
const MOST_LISTED: usize = 100;

/// What is known of a game.
#[derive(Debug)]
pub struct LoopyGame {
    source: Source,
    /// Whether the graph as given has no alternating cycle.
    is_stopper: Option<bool>,
    /// The sides, as far as they were found.
    pub sides: Sides,
    /// Why not more is known.
    pub interrupted: Option<Interrupted>,
}

/// Where the graph as given comes from.
#[derive(Debug)]
enum Source {
    Graph(PartizanGame),
    Expression(notation::Game),
    Nothing,
}

const NO_SIDES: Sides = Sides { onside: None, offside: None };

impl LoopyGame {
    /// Finds out about a graph.
    pub fn of_graph(given: PartizanGame, stoppers: &mut Stoppers, work: &mut Work) -> Self {
        let is_stopper = Some(given.graph.is_stopper(given.start));
        let (sides, interrupted) = match stoppers.sides(&given.graph, given.start, work) {
            Ok(sides) => (sides, None),
            Err(interrupted) => (NO_SIDES, Some(interrupted)),
        };
        Self { source: Source::Graph(given), is_stopper, sides, interrupted }
    }

    /// Finds out about an expression.
    ///
    /// ```
    /// use nimoon::limits::Work;
    /// use nimoon::partizan::Stoppers;
    /// use nimoon_session::loopy::{LoopyGame, LoopyReport};
    /// let (mut stoppers, mut work) = (Stoppers::new(), Work::default());
    /// let game = LoopyGame::of_expression("{0|pass}", &mut stoppers, &mut work).unwrap();
    /// let report = LoopyReport::new(&game, &mut stoppers, &mut work);
    /// assert!(serde_json::to_string(&report).unwrap().contains(r#""text":"over""#));
    /// ```
    ///
    /// # Errors
    /// When it cannot be read, with the place.
    pub fn of_expression(
        text: &str,
        stoppers: &mut Stoppers,
        work: &mut Work,
    ) -> Result<Self, NotationError> {
        let expression: Expression = text.parse()?;
        let game = match expression.evaluate(stoppers, work) {
            Ok(game) => game,
            Err(EvaluateError::Interrupted(interrupted)) => {
                let (sides, interrupted) = (NO_SIDES, Some(interrupted));
                return Ok(Self { source: Source::Nothing, is_stopper: None, sides, interrupted });
            }
            Err(EvaluateError::Notation(error)) => return Err(error),
            Err(error) => return Err(NotationError::at(0, error.to_string())),
        };
        let sides = game.sides();
        let (is_stopper, interrupted) = match game.is_stopper(stoppers, work) {
            Ok(is_stopper) => (Some(is_stopper), None),
            Err(interrupted) => (None, Some(interrupted)),
        };
        Ok(Self { source: Source::Expression(game), is_stopper, sides, interrupted })
    }

    /// The graph as given, where there is one.
    ///
    /// # Errors
    /// When it is beyond the budget.
    pub fn given(
        &self,
        stoppers: &Stoppers,
        work: &mut Work,
    ) -> Result<Option<Cow<'_, PartizanGame>>, Interrupted> {
        Ok(match &self.source {
            Source::Graph(given) => Some(Cow::Borrowed(given)),
            Source::Expression(game) => {
                game.graph(stoppers, work)?.map(|graph| Cow::Owned(named(graph)))
            }
            Source::Nothing => None,
        })
    }

    /// Who wins if Left starts and if Right starts, where that is known; and why not more is.
    fn winners(
        &self,
        stoppers: &mut Stoppers,
        work: &mut Work,
    ) -> ([Option<Winner>; 2], Option<Interrupted>) {
        let found = Player::BOTH.map(|first| stoppers.winner(self.sides, first, work));
        let reply = found.map(|winner| winner.ok().flatten());
        if reply.iter().all(Option::is_some) {
            return (reply, None);
        }
        let interrupted = found.into_iter().find_map(Result::err);
        match self.given(stoppers, work) {
            Ok(Some(given)) => {
                let outcomes = Outcomes::new(&given.graph);
                (Player::BOTH.map(|first| Some(outcomes.winner(given.start, first))), None)
            }
            Ok(None) => (reply, interrupted),
            Err(given) => (reply, interrupted.or(Some(given))),
        }
    }
}

/// A graph with letters for names, from its first vertex.
fn named(graph: Graph) -> PartizanGame {
    PartizanGame { names: lettered(graph.len()), graph, start: 0 }
}

/// A stopper with its canonical form.
#[derive(Clone, Debug)]
struct Canonical {
    game: PartizanGame,
    text: String,
}

impl Canonical {
    fn new(stoppers: &Stoppers, stopper: Stopper) -> Self {
        Self { game: named(stoppers.graph(stopper)), text: stoppers.text(stopper) }
    }

    fn size(&self) -> String {
        let graph = &self.game.graph;
        let edges = |player| graph.edges(player).count();
        format!(
            "{}, {}, {}",
            count(graph.len(), "vertex", "vertices"),
            count(edges(Player::Left), "Left edge", "Left edges"),
            count(edges(Player::Right), "Right edge", "Right edges"),
        )
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Everything that nimoon reports about a game.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Loopy")]
pub struct LoopyReport {
    /// Whether the graph as given has no alternating cycle; null where that is not known.
    #[serde(rename = "stopper")]
    is_stopper: Option<bool>,
    /// Who wins.
    outcome: PartizanOutcome,
    /// The value; null if it was not found.
    text: Option<String>,
    /// The canonical form; null where the game equals no stopper or that is not known.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Option<JsonPartizan>")]
    canonical: Option<Canonical>,
    /// The stoppers that the game equals if Left wins endless play, and if Right does.
    sides: SidesReport,
    /// The graph as given, where it was asked for and is not too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<GivenReport>")]
    given: Option<Option<GivenReport>>,
    #[serde(skip)]
    is_complete: bool,
    #[serde(skip)]
    interrupted: Option<Interrupted>,
}

/// The sides of a game; null where a side was not found.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Sides")]
struct SidesReport {
    /// The side where Left wins endless play.
    onside: Option<SideReport>,
    /// The side where Right wins endless play.
    offside: Option<SideReport>,
}

/// A side of a game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Side")]
struct SideReport {
    /// Its canonical form.
    #[serde(rename = "graph", serialize_with = "shaped")]
    #[schemars(with = "JsonPartizan")]
    form: Canonical,
    /// The side in the notation of loopy games.
    text: String,
    /// What each vertex equals, where that was asked for; null if one equals no stopper or there
    /// are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<String>>")]
    values: Option<Option<Vec<String>>>,
}

/// A graph as it was given.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "GivenGraph")]
struct GivenReport {
    /// The graph.
    graph: JsonPartizan,
    /// What each vertex equals; null if sides were not found or there are too many vertices.
    values: Option<Vec<String>>,
}

impl Shaped for Canonical {
    type Shape<'a> = JsonPartizan;

    fn shape(&self) -> JsonPartizan {
        json(&self.game)
    }
}

fn json(game: &PartizanGame) -> JsonPartizan {
    JsonPartizan::new(&game.graph, &game.names, game.start)
}

impl From<Canonical> for SideReport {
    fn from(form: Canonical) -> Self {
        Self { text: form.text.clone(), form, values: None }
    }
}

impl LoopyReport {
    /// What there is to say about a game.
    pub fn new(game: &LoopyGame, stoppers: &mut Stoppers, work: &mut Work) -> Self {
        let form = |stopper| Canonical::new(stoppers, stopper);
        let onside = game.sides.onside.map(form);
        // Large forms take time, so that equal ones are made once.
        let (canonical, offside, text) = if game.sides.stopper().is_some() {
            let text = onside.as_ref().map(|form| form.text.clone());
            (onside.clone(), onside.clone(), text)
        } else {
            (None, game.sides.offside.map(form), stoppers.sides_text(game.sides))
        };
        let (winners, interrupted) = game.winners(stoppers, work);
        let [onside, offside] = [onside, offside].map(|side| side.map(SideReport::from));
        Self {
            is_stopper: game.is_stopper,
            outcome: PartizanOutcome(winners),
            text,
            canonical,
            sides: SidesReport { onside, offside },
            given: None,
            is_complete: game.interrupted.is_none(),
            interrupted: game.interrupted.or(interrupted),
        }
    }

    /// Why the report is incomplete: about the game, its outcome or its vertices.
    pub fn interrupted(&self) -> Option<Interrupted> {
        self.interrupted
    }

    /// Adds the graph as given and the value of every vertex, if the graph is small enough to list.
    ///
    /// ```
    /// use nimoon::limits::Work;
    /// use nimoon::partizan::Stoppers;
    /// use nimoon_session::loopy::{LoopyGame, LoopyReport};
    /// let (mut stoppers, mut work) = (Stoppers::new(), Work::default());
    /// let game = LoopyGame::of_expression("tis{tisn{|tis}|}", &mut stoppers, &mut work).unwrap();
    /// let report = LoopyReport::new(&game, &mut stoppers, &mut work);
    /// let report = report.with_vertices(&game, &mut stoppers, &mut work);
    /// assert!(serde_json::to_string(&report).unwrap().contains(r#""values":["1 & 0","0 & -1"]"#));
    /// ```
    #[must_use]
    pub fn with_vertices(
        mut self,
        game: &LoopyGame,
        stoppers: &mut Stoppers,
        work: &mut Work,
    ) -> Self {
        let mut interrupted = None;
        let SidesReport { onside, offside } = &mut self.sides;
        let mut side = |side: &Option<SideReport>| {
            let graph = side.as_ref().map(|side| &side.form.game.graph);
            let graph = graph.filter(|graph| graph.len() <= MOST_LISTED)?;
            kept(values(graph, stoppers, work, LONGEST), &mut interrupted)
        };
        let of_onside = side(onside);
        let of_offside = if self.canonical.is_some() { of_onside.clone() } else { side(offside) };
        for (side, values) in [(onside, of_onside), (offside, of_offside)] {
            if let Some(side) = side {
                side.values = Some(values);
            }
        }
        let given = kept(game.given(stoppers, work), &mut interrupted);
        let given = given.filter(|given| given.graph.len() <= MOST_DRAWN).map(|given| {
            let few = given.graph.len() <= MOST_LISTED;
            let values = if few { both_sides(&given.graph, stoppers, work) } else { Ok(None) };
            GivenReport { graph: json(&given), values: kept(values, &mut interrupted) }
        });
        self.interrupted = self.interrupted.or(interrupted);
        self.given = Some(given);
        self
    }

    /// The answer in words, for a terminal, and why it is incomplete; `work` is for the values of
    /// the vertices.
    ///
    /// # Errors
    /// None that a text in memory can have.
    pub fn text(
        &self,
        stoppers: &mut Stoppers,
        work: &Work,
    ) -> io::Result<(String, Option<Interrupted>)> {
        let mut rows: Vec<(&str, String)> = Vec::new();
        rows.push(("value", self.value()));
        for (label, winner) in ["Left starts", "Right starts"].into_iter().zip(self.outcome.0) {
            rows.push((label, winner.map_or(UNKNOWN, in_words).to_owned()));
        }
        rows.push((
            "stopper",
            match self.is_stopper {
                Some(true) => "yes, the graph as given has no alternating cycle".to_owned(),
                Some(false) => "no, the graph as given has an alternating cycle".to_owned(),
                None => UNKNOWN.to_owned(),
            },
        ));
        if let Some(canonical) = &self.canonical {
            rows.push(("canonical", canonical.size()));
        } else {
            let SidesReport { onside, offside } = &self.sides;
            for (label, side) in [("onside", onside), ("offside", offside)] {
                let reply =
                    side.as_ref().map(|side| format!("{} ({})", side.text, side.form.size()));
                let none = if self.is_complete { "not found" } else { UNKNOWN };
                rows.push((label, reply.unwrap_or_else(|| none.to_owned())));
            }
        }
        let mut text = String::new();
        let mut interrupted = self.interrupted;
        for (label, reply) in rows {
            let _ = writeln!(text, "{}{reply}", padded(label, 14));
        }
        if let Some(Canonical { game, .. }) = &self.canonical {
            text.push('\n');
            if game.graph.len() > SHOWN {
                text.push_str(
                    "The canonical form is too large to be shown here; the JSON has all of it.\n",
                );
            } else {
                let values = values(&game.graph, stoppers, &mut work.child(work.limits()), LONGEST);
                // Without them the table says what is known.
                let values = values.unwrap_or_else(|error| {
                    interrupted.get_or_insert(error);
                    None
                });
                let mut out = Vec::new();
                PartizanReport { game, values: values.as_deref() }.write_table(&mut out)?;
                text.push_str(&String::from_utf8_lossy(&out));
            }
        }
        Ok((text, interrupted))
    }

    fn value(&self) -> String {
        match (&self.text, self.is_complete) {
            (Some(text), _) if self.canonical.is_some() => text.clone(),
            (Some(text), _) => format!("{text}, which does not equal a stopper"),
            (None, true) => "unknown: nimoon did not find both sides".to_owned(),
            (None, false) => UNKNOWN.to_owned(),
        }
    }
}

const UNKNOWN: &str = "not known";

fn in_words(winner: Winner) -> &'static str {
    match winner {
        Some(Player::Left) => "Left wins",
        Some(Player::Right) => "Right wins",
        None => "a draw: play is endless",
    }
}

/// What was found, unless that was interrupted: then it is noted by what.
fn kept<T>(
    found: Result<Option<T>, Interrupted>,
    interrupted: &mut Option<Interrupted>,
) -> Option<T> {
    found.unwrap_or_else(|by| {
        interrupted.get_or_insert(by);
        None
    })
}

/// What each vertex of a canonical form equals, shortened; none if one equals no stopper.
fn values(
    graph: &Graph,
    stoppers: &mut Stoppers,
    work: &mut Work,
    longest: usize,
) -> Result<Option<Vec<String>>, Interrupted> {
    let mut value = |vertex| {
        let stopper = stoppers.onside(graph, vertex, work)?;
        Ok(stopper.map(|stopper| shortened(stoppers.text(stopper), longest)))
    };
    (0..graph.len() as Vertex).map(&mut value).collect()
}

/// What each vertex of any graph equals; none if sides are not found.
fn both_sides(
    graph: &Graph,
    stoppers: &mut Stoppers,
    work: &mut Work,
) -> Result<Option<Vec<String>>, Interrupted> {
    let mut value = |vertex| {
        let sides = stoppers.sides(graph, vertex, work)?;
        Ok(stoppers.sides_text(sides).map(|text| shortened(text, LONGEST)))
    };
    (0..graph.len() as Vertex).map(&mut value).collect()
}

fn shortened(text: String, longest: usize) -> String {
    let short: String = text.chars().take(longest).collect();
    if short.len() < text.len() { format!("{short}…") } else { text }
}

/// Why a game cannot be drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// It is beyond the budget.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// Only its sides are known.
    #[error("cannot draw a graph: the game is given by its sides")]
    NoGraph,
    /// It is too large to be read.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// How a graph is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// For Graphviz.
    Dot,
    /// As a picture.
    Svg,
}

impl LoopyGame {
    /// The canonical form as a picture, if the game equals a stopper and that is wanted; else the
    /// graph as given.
    ///
    /// # Errors
    /// When there is nothing to draw, it is too large, the time is over or somebody asks to stop.
    pub fn draw(
        &self,
        stoppers: &mut Stoppers,
        drawing: Drawing,
        as_given: bool,
        work: &Work,
    ) -> Result<String, DrawError> {
        let canonical = self.sides.stopper().filter(|_| !as_given);
        let canonical = canonical.map(|stopper| named(stoppers.graph(stopper)));
        let given = match canonical {
            Some(_) => None,
            None => self.given(stoppers, &mut work.child(work.limits()))?,
        };
        let Some(drawn) = canonical.as_ref().or(given.as_deref()) else {
            return Err(self.interrupted.map_or(DrawError::NoGraph, DrawError::Interrupted));
        };
        let few = canonical.as_ref().filter(|drawn| drawn.graph.len() <= MOST_DRAWN);
        let values = few
            .map(|drawn| values(&drawn.graph, stoppers, &mut work.child(work.limits()), LONGEST));
        let values = match values.transpose() {
            Ok(values) => values.flatten(),
            // A picture without them is small enough.
            Err(over) if matches!(over.limit(), Some(Limit::Positions | Limit::Bytes)) => None,
            Err(interrupted) => return Err(interrupted.into()),
        };
        let report = PartizanReport { game: drawn, values: values.as_deref() };
        Ok(match drawing {
            Drawing::Dot => {
                let mut out = Vec::new();
                report.write_dot(&mut out)?;
                String::from_utf8_lossy(&out).into_owned()
            }
            Drawing::Svg => partizan_svg(&report, MOST_DRAWN)?,
        })
    }
}
