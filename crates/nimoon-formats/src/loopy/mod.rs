//! Loopy partizan games: what there is to say about one, and how two compare.

mod comparison;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use nimoon::effort::Limit;
use nimoon::loopy::notation::{self, EvaluateError, Expression};
use nimoon::loopy::{
    Effort, Graph, Interrupted, Outcomes, Player, Sides, Stopper, Stoppers, Vertex, Winner,
};
use nimoon::ruleset::NotationError;
use serde::ser::{Serialize, SerializeMap, Serializer};
use thiserror::Error;

use crate::read::partizan::PartizanGame;
use crate::write::terminal::padded;
use crate::write::{JsonPartizan, PartizanReport, PictureError, lettered, partizan_svg};

pub use comparison::ComparisonReport;

/// The largest canonical form that is shown to people as a table.
const SHOWN: usize = 40;
/// The longest text in that table.
const LONGEST: usize = 60;
/// The most vertices that are drawn.
const MOST_DRAWN: usize = 300;
/// The most vertices of a graph that are told one by one.
const MOST_TOLD: usize = 100;

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
    pub fn of_graph(given: PartizanGame, stoppers: &mut Stoppers, effort: &mut Effort) -> Self {
        let is_stopper = Some(given.graph.is_stopper(given.start));
        let (sides, interrupted) = match stoppers.sides(&given.graph, given.start, effort) {
            Ok(sides) => (sides, None),
            Err(interrupted) => (NO_SIDES, Some(interrupted)),
        };
        Self { source: Source::Graph(given), is_stopper, sides, interrupted }
    }

    /// Finds out about an expression.
    ///
    /// ```
    /// use nimoon::effort::Effort;
    /// use nimoon::loopy::Stoppers;
    /// use nimoon_formats::loopy::{LoopyGame, LoopyReport};
    /// let (mut stoppers, mut effort) = (Stoppers::new(), Effort::default());
    /// let game = LoopyGame::of_expression("{0|pass}", &mut stoppers, &mut effort).unwrap();
    /// let report = LoopyReport::new(&game, &mut stoppers, &mut effort);
    /// assert!(serde_json::to_string(&report).unwrap().contains(r#""text":"over""#));
    /// ```
    ///
    /// # Errors
    /// When it cannot be read, with the place.
    pub fn of_expression(
        text: &str,
        stoppers: &mut Stoppers,
        effort: &mut Effort,
    ) -> Result<Self, NotationError> {
        let expression: Expression = text.parse()?;
        let game = match expression.evaluate(stoppers, effort) {
            Ok(game) => game,
            Err(EvaluateError::Notation(error)) => return Err(error),
            Err(EvaluateError::Interrupted(interrupted)) => {
                let (sides, interrupted) = (NO_SIDES, Some(interrupted));
                return Ok(Self { source: Source::Nothing, is_stopper: None, sides, interrupted });
            }
        };
        let sides = game.sides();
        let (is_stopper, interrupted) = match game.is_stopper(stoppers, effort) {
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
        effort: &mut Effort,
    ) -> Result<Option<Cow<'_, PartizanGame>>, Interrupted> {
        Ok(match &self.source {
            Source::Graph(given) => Some(Cow::Borrowed(given)),
            Source::Expression(game) => {
                game.graph(stoppers, effort)?.map(|graph| Cow::Owned(named(graph)))
            }
            Source::Nothing => None,
        })
    }

    /// Who wins if Left starts and if Right starts, where that is known; and why not more is.
    fn winners(
        &self,
        stoppers: &mut Stoppers,
        effort: &mut Effort,
    ) -> ([Option<Winner>; 2], Option<Interrupted>) {
        let found = Player::BOTH.map(|first| stoppers.winner(self.sides, first, effort));
        let told = found.map(|winner| winner.ok().flatten());
        if told.iter().all(Option::is_some) {
            return (told, None);
        }
        let interrupted = found.into_iter().find_map(Result::err);
        match self.given(stoppers, effort) {
            Ok(Some(given)) => {
                let outcomes = Outcomes::new(&given.graph);
                (Player::BOTH.map(|first| Some(outcomes.winner(given.start, first))), None)
            }
            Ok(None) => (told, interrupted),
            Err(given) => (told, interrupted.or(Some(given))),
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

/// Everything that is told of a game.
#[derive(Debug, Default)]
pub struct LoopyReport {
    is_stopper: Option<bool>,
    /// If Left starts, and if Right starts.
    winners: [Option<Winner>; 2],
    text: Option<String>,
    canonical: Option<Canonical>,
    onside: Option<Canonical>,
    offside: Option<Canonical>,
    is_complete: bool,
    interrupted: Option<Interrupted>,
    vertices: Option<Vertices>,
}

/// What the vertices of each graph equal, where that was found and is not too much to tell.
#[derive(Debug)]
struct Vertices {
    given: Option<(PartizanGame, Option<Vec<String>>)>,
    onside: Option<Vec<String>>,
    offside: Option<Vec<String>>,
}

impl LoopyReport {
    /// What there is to say about a game.
    pub fn new(game: &LoopyGame, stoppers: &mut Stoppers, effort: &mut Effort) -> Self {
        let form = |stopper| Canonical::new(stoppers, stopper);
        let onside = game.sides.onside.map(form);
        // Large forms take time, so that equal ones are made once.
        let (canonical, offside, text) = if game.sides.stopper().is_some() {
            let text = onside.as_ref().map(|form| form.text.clone());
            (onside.clone(), onside.clone(), text)
        } else {
            (None, game.sides.offside.map(form), stoppers.sides_text(game.sides))
        };
        let (winners, interrupted) = game.winners(stoppers, effort);
        Self {
            canonical,
            onside,
            offside,
            text,
            winners,
            is_stopper: game.is_stopper,
            is_complete: game.interrupted.is_none(),
            interrupted: game.interrupted.or(interrupted),
            vertices: None,
        }
    }

    /// Why not more is told: of the game, of who wins it, or of its vertices.
    pub fn interrupted(&self) -> Option<Interrupted> {
        self.interrupted
    }

    /// Adds the graph as given, and what every vertex equals, of graphs that are small enough to be looked at
    /// vertex by vertex.
    ///
    /// ```
    /// use nimoon::effort::Effort;
    /// use nimoon::loopy::Stoppers;
    /// use nimoon_formats::loopy::{LoopyGame, LoopyReport};
    /// let (mut stoppers, mut effort) = (Stoppers::new(), Effort::default());
    /// let game = LoopyGame::of_expression("tis{tisn{|tis}|}", &mut stoppers, &mut effort).unwrap();
    /// let report = LoopyReport::new(&game, &mut stoppers, &mut effort);
    /// let report = report.with_vertices(&game, &mut stoppers, &mut effort);
    /// assert!(serde_json::to_string(&report).unwrap().contains(r#""values":["1 & 0","0 & -1"]"#));
    /// ```
    #[must_use]
    pub fn with_vertices(
        mut self,
        game: &LoopyGame,
        stoppers: &mut Stoppers,
        effort: &mut Effort,
    ) -> Self {
        let mut interrupted = None;
        let mut side = |form: &Option<Canonical>| {
            let graph = form.as_ref().map(|form| &form.game.graph);
            let graph = graph.filter(|graph| graph.len() <= MOST_TOLD)?;
            kept(values(graph, stoppers, effort, LONGEST), &mut interrupted)
        };
        let onside = side(&self.onside);
        let offside = if self.canonical.is_some() { onside.clone() } else { side(&self.offside) };
        let given = kept(game.given(stoppers, effort), &mut interrupted);
        let given = given.filter(|given| given.graph.len() <= MOST_DRAWN).map(|given| {
            let few = given.graph.len() <= MOST_TOLD;
            let values = if few { both_sides(&given.graph, stoppers, effort) } else { Ok(None) };
            (given.into_owned(), kept(values, &mut interrupted))
        });
        self.interrupted = self.interrupted.or(interrupted);
        self.vertices = Some(Vertices { given, onside, offside });
        self
    }

    /// The answer in words, for a terminal, and why not more is told; `effort` is for the values of the
    /// vertices.
    ///
    /// # Errors
    /// None that a text in memory can have.
    pub fn text(
        &self,
        stoppers: &mut Stoppers,
        effort: &Effort,
    ) -> io::Result<(String, Option<Interrupted>)> {
        let mut rows: Vec<(&str, String)> = Vec::new();
        rows.push(("value", self.value()));
        for (label, winner) in ["Left starts", "Right starts"].into_iter().zip(self.winners) {
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
            for (label, side) in [("onside", &self.onside), ("offside", &self.offside)] {
                let told = side.as_ref().map(|side| format!("{} ({})", side.text, side.size()));
                let none = if self.is_complete { "none was found" } else { UNKNOWN };
                rows.push((label, told.unwrap_or_else(|| none.to_owned())));
            }
        }
        let mut text = String::new();
        let mut interrupted = self.interrupted;
        for (label, told) in rows {
            let _ = writeln!(text, "{}{told}", padded(label, 14));
        }
        if let Some(Canonical { game, .. }) = &self.canonical {
            text.push('\n');
            if game.graph.len() > SHOWN {
                text.push_str(
                    "The canonical form is too large to be shown here: see --format json.\n",
                );
            } else {
                let values = values(&game.graph, stoppers, &mut Effort::from(effort), LONGEST);
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
            (Some(text), _) => format!("{text}, which equals no stopper"),
            (None, true) => "none to tell: not both sides were found".to_owned(),
            (None, false) => UNKNOWN.to_owned(),
        }
    }
}

const UNKNOWN: &str = "not known";

fn letter(winner: Winner) -> &'static str {
    match winner {
        Some(Player::Left) => "L",
        Some(Player::Right) => "R",
        None => "D",
    }
}

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
    effort: &mut Effort,
    longest: usize,
) -> Result<Option<Vec<String>>, Interrupted> {
    let mut value = |vertex| {
        let stopper = stoppers.onside(graph, vertex, effort)?;
        Ok(stopper.map(|stopper| shortened(stoppers.text(stopper), longest)))
    };
    (0..graph.len() as Vertex).map(&mut value).collect()
}

/// What each vertex of any graph equals; none if sides are not found.
fn both_sides(
    graph: &Graph,
    stoppers: &mut Stoppers,
    effort: &mut Effort,
) -> Result<Option<Vec<String>>, Interrupted> {
    let mut value = |vertex| {
        let sides = stoppers.sides(graph, vertex, effort)?;
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
pub enum DrawError {
    /// It is beyond the budget.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// Only its sides are known.
    #[error("there is no graph to draw: the game is given by its sides")]
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
    /// The canonical form as a picture, if the game equals a stopper and that is wanted; else the graph as
    /// given.
    ///
    /// # Errors
    /// When there is nothing to draw, it is too large, the time is over or somebody asks to stop.
    pub fn draw(
        &self,
        stoppers: &mut Stoppers,
        drawing: Drawing,
        as_given: bool,
        effort: &Effort,
    ) -> Result<String, DrawError> {
        let canonical = self.sides.stopper().filter(|_| !as_given);
        let canonical = canonical.map(|stopper| named(stoppers.graph(stopper)));
        let given = match canonical {
            Some(_) => None,
            None => self.given(stoppers, &mut Effort::from(effort))?,
        };
        let Some(drawn) = canonical.as_ref().or(given.as_deref()) else {
            return Err(self.interrupted.map_or(DrawError::NoGraph, DrawError::Interrupted));
        };
        let few = canonical.as_ref().filter(|drawn| drawn.graph.len() <= MOST_DRAWN);
        let values =
            few.map(|drawn| values(&drawn.graph, stoppers, &mut Effort::from(effort), LONGEST));
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

/// A side, and what its vertices equal, where that was asked for.
struct JsonSide<'a> {
    form: &'a Canonical,
    is_asked: bool,
    values: Option<&'a [String]>,
}

impl Canonical {
    fn json(&self) -> JsonPartizan {
        JsonPartizan::new(&self.game.graph, &self.game.names, self.game.start)
    }
}

impl Serialize for JsonSide<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("graph", &self.form.json())?;
        map.serialize_entry("text", &self.form.text)?;
        if self.is_asked {
            map.serialize_entry("values", &self.values)?;
        }
        map.end()
    }
}

impl Serialize for LoopyReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Outcome {
            left_first: Option<&'static str>,
            right_first: Option<&'static str>,
        }
        #[derive(serde::Serialize)]
        struct Sides<'a> {
            onside: Option<JsonSide<'a>>,
            offside: Option<JsonSide<'a>>,
        }
        #[derive(serde::Serialize)]
        struct Given<'a> {
            graph: JsonPartizan,
            values: Option<&'a [String]>,
        }
        let [left_first, right_first] = self.winners.map(|winner| winner.map(letter));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("stopper", &self.is_stopper)?;
        map.serialize_entry("outcome", &Outcome { left_first, right_first })?;
        map.serialize_entry("text", &self.text)?;
        map.serialize_entry("canonical", &self.canonical.as_ref().map(Canonical::json))?;
        let vertices = self.vertices.as_ref();
        let side = |form, values| JsonSide { form, is_asked: vertices.is_some(), values };
        let values = vertices.and_then(|vertices| vertices.onside.as_deref());
        let onside = self.onside.as_ref().map(|form| side(form, values));
        let values = vertices.and_then(|vertices| vertices.offside.as_deref());
        let offside = self.offside.as_ref().map(|form| side(form, values));
        map.serialize_entry("sides", &Sides { onside, offside })?;
        if let Some(vertices) = vertices {
            let given = vertices.given.as_ref().map(|(game, values)| Given {
                graph: JsonPartizan::new(&game.graph, &game.names, game.start),
                values: values.as_deref(),
            });
            map.serialize_entry("given", &given)?;
        }
        map.end()
    }
}
