//! Partizan games with cycles.

use nimoon::partizan::unicycle::{Pattern, PatternError};
use nimoon::smith::remoteness::{PartizanRemoteness, Play};
use nimoon::{Work, partizan::Stoppers};
use nimoon_formats::read::partizan;
use nimoon_session::loopy::{ComparisonReport, DrawError, Drawing, LoopyGame, LoopyReport};
use nimoon_session::report::PartizanRemotenessReport;
use nimoon_session::unicycle::{UnicycleAnswer, UnicycleError, UnicycleOptions, Unicycles};
use pyo3::prelude::*;

use crate::digraph::{Told, complete, json, rows};
use crate::failure::Failure;
use crate::work::{Limits, run};

/// What a game was made from.
#[derive(Clone)]
enum Source {
    Expression(String),
    /// A graph as JSON.
    Graph(String),
}

impl Source {
    fn game(&self, stoppers: &mut Stoppers, work: &mut Work) -> Result<LoopyGame, Failure> {
        match self {
            Self::Expression(text) => LoopyGame::of_expression(text, stoppers, work)
                .map_err(|error| Failure::notation(text, &error)),
            Self::Graph(text) => {
                let game = partizan::read_within(text.as_bytes(), work);
                let game = game.map_err(|error| Failure::read(None, &error))?;
                Ok(LoopyGame::of_graph(game, stoppers, work))
            }
        }
    }
}

/// A game, evaluated.
#[pyclass(frozen, module = "nimoon._native")]
pub(crate) struct Loopy {
    source: Source,
    budget: Limits,
    reply: Told,
    /// The game by its sides, if both were found.
    value: Option<String>,
}

impl Loopy {
    fn evaluate(py: Python<'_>, source: Source, budget: Limits) -> PyResult<Self> {
        run(py, None, move |watch| {
            let (mut stoppers, mut work) = (Stoppers::new(), watch.work(budget));
            let game = source.game(&mut stoppers, &mut work)?;
            let report = LoopyReport::new(&game, &mut stoppers, &mut work);
            let reply = report.text(&mut stoppers, &work.child(work.limits()));
            let (text, interrupted) = reply.map_err(Failure::bug)?;
            let reply = complete((json(&report)?, text), interrupted.map(Failure::interrupted))?;
            let value = stoppers.sides_text(game.sides);
            Ok(Self { source, budget, reply, value })
        })
    }
}

#[pymethods]
impl Loopy {
    #[staticmethod]
    fn of_expression(py: Python<'_>, text: String, budget: Limits) -> PyResult<Self> {
        Self::evaluate(py, Source::Expression(text), budget)
    }

    /// A graph with Left and Right edges, as JSON.
    #[staticmethod]
    fn of_graph(py: Python<'_>, text: String, budget: Limits) -> PyResult<Self> {
        Self::evaluate(py, Source::Graph(text), budget)
    }

    /// How much was allowed.
    fn limits(&self) -> Limits {
        self.budget
    }

    /// What is allowed for the two together: the more of each.
    fn larger(&self, other: &Self) -> Limits {
        let ((positions, bytes, time), (more, of_bytes, of_time)) = (self.budget, other.budget);
        let bytes = bytes.zip(of_bytes).map(|(a, b)| a.max(b));
        (positions.max(more), bytes, time.zip(of_time).map(|(a, b)| a.max(b)))
    }

    /// What there is to tell, as JSON and text.
    fn reply(&self) -> Told {
        self.reply.clone()
    }

    /// An expression of the same value, or none: a game without sides that was given as a graph.
    fn expression(&self) -> Option<String> {
        match (&self.value, &self.source) {
            (Some(value), _) => Some(value.clone()),
            (None, Source::Expression(text)) => Some(text.clone()),
            (None, Source::Graph(_)) => None,
        }
    }

    /// How the games compare, as JSON and text.
    fn compare(&self, py: Python<'_>, other: &Self, budget: Limits) -> PyResult<Told> {
        let (first, second) = (self.source.clone(), other.source.clone());
        let name = |game: &Self| game.expression().unwrap_or_else(|| "a graph".to_owned());
        let names = [name(self), name(other)];
        run(py, None, move |watch| {
            let (mut stoppers, mut work) = (Stoppers::new(), watch.work(budget));
            let mut game = |source: &Source| source.game(&mut stoppers, &mut work);
            let games = [game(&first)?, game(&second)?];
            let mut report = ComparisonReport::default();
            let found = report.find(&games, &mut stoppers, &mut work);
            let reply = (json(&report)?, report.text(&names[0], &names[1]));
            complete(reply, found.err().map(Failure::interrupted))
        })
    }

    /// A picture: `dot` or `svg`.
    fn draw(
        &self,
        py: Python<'_>,
        format: &str,
        as_given: bool,
        budget: Limits,
    ) -> PyResult<String> {
        let drawing = match format {
            "dot" => Drawing::Dot,
            "svg" => Drawing::Svg,
            _ => {
                let message = format!("unknown format `{format}`: expected dot or svg");
                return Err(Failure::input(message).into());
            }
        };
        let source = self.source.clone();
        run(py, None, move |watch| {
            let (mut stoppers, mut work) = (Stoppers::new(), watch.work(budget));
            let game = source.game(&mut stoppers, &mut work)?;
            let more = work.child(work.limits());
            game.draw(&mut stoppers, drawing, as_given, &more).map_err(|error| match error {
                DrawError::Interrupted(interrupted) => Failure::interrupted(interrupted),
                DrawError::Picture(error) => Failure::input(error.fact()),
                DrawError::NoGraph => Failure::input(error.to_string()),
                _ => Failure::bug(error),
            })
        })
    }

    /// How far each node of a graph is from the end, as JSON and text.
    #[staticmethod]
    fn remoteness(
        py: Python<'_>,
        graph: String,
        misere: bool,
        strategy: bool,
        budget: Limits,
    ) -> PyResult<Told> {
        run(py, None, move |watch| {
            let work = watch.work(budget);
            let game = partizan::read_within(graph.as_bytes(), &work);
            let game = game.map_err(|error| Failure::read(None, &error))?;
            let play = if misere { Play::Misere } else { Play::Normal };
            let solved = PartizanRemoteness::try_new(&game.graph, play, &work);
            rows(&PartizanRemotenessReport {
                graph: &game.graph,
                names: &game.names,
                remoteness: &solved.map_err(Failure::interrupted)?,
                strategy,
            })
        })
    }
}

/// Unicycles of a pattern, or of all admissible ones of a length, as JSON.
#[pyfunction]
#[pyo3(signature = (pattern, length, exits, count, limit, construct, budget))]
#[expect(clippy::too_many_arguments, reason = "they are those of one call in Python")]
pub(crate) fn unicycle(
    py: Python<'_>,
    pattern: Option<String>,
    length: usize,
    exits: String,
    count: bool,
    limit: Option<usize>,
    construct: bool,
    budget: Limits,
) -> PyResult<String> {
    run(py, None, move |watch| {
        let of = |error: UnicycleError| match error {
            UnicycleError::Exits { .. } => Failure::input(format!("`exits`: {error}")),
            _ => Failure::bug(error),
        };
        let options = UnicycleOptions { count, all: limit, construct };
        let mut question = Unicycles::new(&exits, options, watch.work(budget)).map_err(of)?;
        let over_budget = |answer: &UnicycleAnswer| {
            answer.interrupted.map(|interrupted| {
                let message = format!("{interrupted} before the search was complete");
                Failure::over(interrupted, message)
            })
        };
        if let Some(pattern) = pattern {
            let pattern: Pattern = pattern
                .parse()
                .map_err(|error: PatternError| Failure::input(format!("pattern: {error}")))?;
            let answer = question.answer(&pattern).map_err(of)?;
            let missing = over_budget(&answer);
            return complete((json(&answer)?, String::new()), missing).map(|(json, _)| json);
        }
        let patterns = Pattern::necklaces(length).filter(|pattern| pattern.admissible().is_ok());
        let answers = question.answer_all(&patterns.collect::<Vec<_>>()).map_err(of)?;
        let missing = answers.iter().find_map(over_budget);
        complete((json(&answers)?, String::new()), missing).map(|(json, _)| json)
    })
}
