//! Digraphs, their labels, and pieces on them.

use std::sync::Arc;

use nimoon::compound::{Compound, Compounds, Kind as CompoundKind};
use nimoon::explain::explain;
use nimoon::grundy::{GrundyError, GrundyPair};
use nimoon::product::{ProductError, product};
use nimoon::remoteness::{Play, Remoteness};
use nimoon::rounds::rounds;
use nimoon::{
    AnyValue, Budget, Effort, Interrupted, LabelProgress, Node, SumError, Theory, label_watched,
};
use nimoon_formats::read::{Format, UnknownFormat, nearest, read};
use nimoon_formats::source::Terminal;
use nimoon_formats::write::json::JsonCover;
use nimoon_formats::write::{
    CompoundReport, ExplanationReport, JsonDigraph, NodeRows, Payoffs, PayoffsError,
    PictureOptions, RemotenessReport, Report, SumReport, game as game_text, latex,
    refutation_words, svg, write_csv, write_dot, write_json, write_node_json, write_node_table,
    write_table,
};
use nimoon_formats::{Game, Names, Source};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;

use crate::failure::{Failure, Kind};
use crate::value::Value;
use crate::work::run;

/// The theory with a name; none for `auto`.
pub(crate) fn theory(name: Option<&str>) -> Result<Option<Theory>, Failure> {
    match name {
        None | Some("auto") => Ok(None),
        Some(name) => name.parse().map(Some).map_err(|_| {
            let names = Theory::ALL.map(Theory::name).join(", ");
            Failure::input(format!("`{name}` is no theory: expected auto, {names}"))
        }),
    }
}

/// JSON and text of an answer, and what is missing in it.
pub(crate) type Told = (String, String);

/// An answer, or the failure to give all of it.
pub(crate) fn complete(told: Told, missing: Option<Failure>) -> Result<Told, Failure> {
    match missing {
        Some(failure) if failure.is_budget() => Err(failure.knowing(told.0, told.1)),
        Some(failure) => Err(failure),
        None => Ok(told),
    }
}

pub(crate) fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(Failure::bug)
}

fn utf8(bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(Failure::bug)
}

/// A row for each node, as JSON and text.
pub(crate) fn rows(report: &impl NodeRows) -> Result<Told, Failure> {
    let (mut json, mut text) = (Vec::new(), Vec::new());
    write_node_json(report, &mut json).map_err(Failure::bug)?;
    write_node_table(report, &mut text).map_err(Failure::bug)?;
    Ok((utf8(json)?, utf8(text)?))
}

/// Nodes that an array holds: whole numbers of four bytes without a sign, or of eight with one.
fn nodes_of(bytes: &[u8], width: usize) -> Result<Vec<Node>, Failure> {
    if width == 4 {
        let numbers = bytes.as_chunks::<4>().0;
        return Ok(numbers.par_iter().map(|&number| Node::from_ne_bytes(number)).collect());
    }
    let numbers = bytes.as_chunks::<8>().0;
    let node = |&number: &[u8; 8]| {
        let number = i64::from_ne_bytes(number);
        Node::try_from(number).map_err(|_| number)
    };
    numbers.par_iter().map(node).collect::<Result<_, _>>().map_err(|number| {
        Failure::input(format!(
            "nodes are numbered from 0 to {}: there is no node {number}",
            Node::MAX - 1
        ))
    })
}

/// A digraph with names, as the readers make it.
#[pyclass(frozen, module = "nimoon._native")]
pub(crate) struct Digraph {
    game: Arc<Game>,
}

impl Digraph {
    pub(crate) fn of(game: Game) -> Self {
        Self { game: Arc::new(game) }
    }

    fn named(&self, name: &str) -> Result<Node, Failure> {
        node(&self.game, name)
    }

    /// Refuses ends of play and players, which values and sums know nothing of.
    fn is_normal(&self) -> Result<(), Failure> {
        let name = |node| self.game.names.name(node);
        if let Some((node, _)) = self.game.terminals.iter().find(|(_, end)| *end != Terminal::Win) {
            return Err(Failure::input(format!(
                "play does not end with a win for the last player at `{}`: values and sums are for \
                 normal play; leave out the ends of play, or see `remoteness`",
                name(*node)
            )));
        }
        if let Some((node, _)) = self.game.players.first() {
            return Err(Failure::input(format!(
                "only one player may move at `{}`: values and sums are for impartial games; leave out \
                 the players, or see `remoteness`",
                name(*node)
            )));
        }
        Ok(())
    }
}

fn node(game: &Game, name: &str) -> Result<Node, Failure> {
    game.names.node(name).ok_or_else(|| {
        let nearest = nearest(game.names.iter(), name)
            .map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"));
        Failure::input(format!("there is no node `{name}`{nearest}"))
    })
}

#[pymethods]
impl Digraph {
    /// A digraph by the names of its nodes, with gray nodes and arcs given by number.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "lists of Python are taken by value")]
    fn of_names(names: Vec<String>, gray: Vec<Node>, arcs: Vec<(Node, Node)>) -> PyResult<Self> {
        let mut taken = Names::default();
        for (number, name) in names.iter().enumerate() {
            if taken.try_intern(name) != u32::try_from(number).ok() {
                let message = format!("two nodes are written `{name}`: their names must differ");
                return Err(Failure::input(message).into());
            }
        }
        Self::of_source(Source { names: taken, gray, arcs, ..Source::default() })
    }

    /// A digraph of numbered nodes, from the bytes of arrays; see `nodes_of`. Without a number of nodes, the largest
    /// that is named is the last.
    #[staticmethod]
    fn of_numbers(
        py: Python<'_>,
        nodes: Option<u64>,
        width: usize,
        gray: &[u8],
        sources: &[u8],
        targets: &[u8],
    ) -> PyResult<Self> {
        // The bytes belong to Python, and are read before the work goes to a thread of its own.
        let read = py.detach(|| {
            let lists = [gray, sources, targets].map(|bytes| nodes_of(bytes, width));
            let [gray, tails, heads] = lists;
            let (gray, tails, heads) = (gray?, tails?, heads?);
            let largest =
                [&gray, &tails, &heads].into_iter().filter_map(|list| list.par_iter().max());
            let named = largest.max().map_or(0, |&largest| u64::from(largest) + 1);
            let arcs: Vec<(Node, Node)> = tails.into_par_iter().zip(heads).collect();
            Ok::<_, Failure>((gray, arcs, named))
        });
        let (gray, arcs, named) = read?;
        let count = nodes.unwrap_or(named);
        if named > count {
            let message =
                format!("an arc or a gray node is {}, and there are only {count} nodes", named - 1);
            return Err(Failure::input(message).into());
        }
        let count =
            Node::try_from(count).ok().filter(|&count| count < Node::MAX).ok_or_else(|| {
                Failure::input(format!("there are at most {} nodes, not {count}", Node::MAX - 1))
            })?;
        run(py, None, move |_| {
            let source = Source { names: Names::numbered(count), gray, arcs, ..Source::default() };
            source.into_game().map_err(|error| Failure::input(error.to_string())).map(Self::of)
        })
    }

    /// What a file holds; `name` is that of the file, for errors.
    #[staticmethod]
    fn of_bytes(
        py: Python<'_>,
        format: &str,
        bytes: &[u8],
        name: Option<String>,
    ) -> PyResult<Self> {
        let format: Format =
            format.parse().map_err(|error: UnknownFormat| Failure::input(error.to_string()))?;
        let bytes = bytes.to_vec();
        run(py, None, move |_| {
            let source = read(format, &bytes).map_err(|e| Failure::read(name.as_deref(), &e))?;
            source.into_game().map_err(|error| Failure::input(error.to_string())).map(Self::of)
        })
    }

    /// The format of files with this extension, if there is one.
    #[staticmethod]
    fn format_of(extension: &str) -> Option<&'static str> {
        Format::from_extension(extension).map(Format::name)
    }

    fn __len__(&self) -> usize {
        self.game.digraph.len()
    }

    fn arc_count(&self) -> usize {
        self.game.digraph.arc_count()
    }

    fn names(&self) -> Vec<String> {
        self.game.names.iter().map(std::borrow::Cow::into_owned).collect()
    }

    /// The number of the node with this name.
    fn node(&self, name: &str) -> PyResult<Node> {
        Ok(self.named(name)?)
    }

    fn gray(&self) -> Vec<Node> {
        self.game.digraph.gray_nodes().collect()
    }

    fn arcs(&self) -> Vec<(Node, Node)> {
        self.game.digraph.arcs().collect()
    }

    fn options(&self, node: Node) -> PyResult<Vec<Node>> {
        if node as usize >= self.game.digraph.len() {
            return Err(Failure::input(format!("there is no node {node}")).into());
        }
        Ok(self.game.digraph.options(node).to_vec())
    }

    fn json(&self) -> PyResult<String> {
        Ok(json(&JsonDigraph::new(&self.game.digraph, &self.game.names))?)
    }

    /// The text of a `.game` file.
    fn game(&self) -> PyResult<String> {
        let text = game_text(&self.game.digraph, &self.game.names);
        Ok(text.map_err(|error| Failure::input(error.to_string()))?)
    }

    fn label(
        &self,
        py: Python<'_>,
        theory: Option<&str>,
        budget: u64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Labelling> {
        let theory = self::theory(theory)?;
        self.is_normal()?;
        let game = Arc::clone(&self.game);
        run(py, progress, move |watch| {
            let all = game.digraph.len();
            let tell = &mut |LabelProgress { level, assigned, .. }| {
                watch.tell(|| format!("labelling: level {level}; {assigned} of {all} nodes"));
            };
            let labelling = label_watched(&game.digraph, theory, watch.effort(budget), tell);
            let labelling = labelling.map_err(|error| {
                let because = refutation_words(&error.refutation, &game.names);
                Failure::input(format!(
                    "the digraph does not fit the {} theory: {because}; the {} theory fits",
                    error.theory, error.fitting
                ))
            })?;
            Ok(Labelling { game, labels: Arc::new(labelling), budget })
        })
    }

    /// The digraph of two pieces.
    fn product(&self, py: Python<'_>, x: Node, y: Node, budget: u64) -> PyResult<Self> {
        let game = Arc::clone(&self.game);
        run(py, None, move |watch| {
            let found = product(&game.digraph, x, y, watch.effort(budget));
            let found = found.map_err(|error| match error {
                ProductError::TwoGray => Failure::input(error.to_string()),
                ProductError::Interrupted(interrupted, _) => Failure::over(interrupted, error),
            })?;
            let pair = |&(x, y)| format!("({},{})", game.names.name(x), game.names.name(y));
            let names: Names = found.pairs.iter().map(pair).collect();
            if names.len() < found.pairs.len() {
                return Err(Failure::input(
                    "two pairs of nodes get the same name: rename nodes whose names hold `,`",
                ));
            }
            let (terminals, players) = (Vec::new(), Vec::new());
            Ok(Self::of(Game { digraph: found.digraph, names, terminals, players }))
        })
    }

    /// How far each node is from the end, as JSON and text.
    fn remoteness(
        &self,
        py: Python<'_>,
        misere: bool,
        strategy: bool,
        grundy: bool,
        budget: u64,
    ) -> PyResult<Told> {
        let game = Arc::clone(&self.game);
        run(py, None, move |watch| {
            let effort = watch.effort(budget);
            let is_normal = game.terminals.iter().all(|(_, end)| *end == Terminal::Win);
            if !is_normal || !game.players.is_empty() {
                if misere || grundy {
                    return Err(Failure::input(
                        "`misere` and `grundy` cannot be used here: the digraph says itself how play \
                         ends, or who moves",
                    ));
                }
                let failure = |error: PayoffsError| match &error {
                    PayoffsError::Interrupted { interrupted, .. } => {
                        Failure::over(*interrupted, &error)
                    }
                    PayoffsError::Game(message) => Failure::input(message.clone()),
                };
                let solved = Payoffs::new(&game, &effort).map_err(failure)?;
                return solved.with_report(&game.names, |report| rows(report)).map_err(failure)?;
            }
            if let Some(gray) = game.digraph.gray_nodes().next().filter(|_| grundy) {
                return Err(Failure::input(format!(
                    "node `{}` is gray: Sprague–Grundy functions are for digraphs without gray nodes",
                    game.names.name(gray)
                )));
            }
            let pair = grundy.then(|| GrundyPair::try_new(&game.digraph, &effort)).transpose();
            let pair = pair.map_err(|error| match error {
                GrundyError::Interrupted(interrupted) => Failure::interrupted(interrupted),
                GrundyError::DoesNotFit(error) => Failure::input(error.to_string()),
            })?;
            let play = if misere { Play::Misere } else { Play::Normal };
            let solved = Remoteness::try_new(&game.digraph, play, &effort);
            rows(&RemotenessReport {
                digraph: &game.digraph,
                names: &game.names,
                remoteness: &solved.map_err(Failure::interrupted)?,
                strategy,
                pair: pair.as_ref(),
            })
        })
    }

    /// Several pieces at once, as JSON and text.
    fn compound(
        &self,
        py: Python<'_>,
        kind: String,
        nodes: Vec<Node>,
        misere: bool,
        budget: u64,
    ) -> PyResult<Told> {
        self.is_normal()?;
        let game = Arc::clone(&self.game);
        run(py, None, move |watch| {
            let compound = match CompoundKind::from_name(&kind) {
                Some(named) => Compound::new(named, nodes).ok_or_else(|| {
                    Failure::input(format!("a {named} compound has at least one component"))
                })?,
                None => Compound::read(&kind, |name| game.names.node(name))
                    .map_err(|error| Failure::at(&kind, error.at, error.message))?,
            };
            let play = if misere { Play::Misere } else { Play::Normal };
            let compounds =
                Compounds::new(&game.digraph, watch.effort(budget)).map_err(|gray| {
                    Failure::input(format!(
                        "node `{}` is gray: compounds are for digraphs without gray nodes",
                        game.names.name(gray.node)
                    ))
                })?;
            let answer = compounds.solve(&compound, play);
            let report = CompoundReport::new(&compound, &game.names, play, &answer);
            let too_large = answer.too_large.filter(|_| !report.is_complete());
            let missing = too_large.map(|over| Failure::over(over.interrupted, over));
            complete((json(&report)?, report.text()), missing)
        })
    }
}

impl Digraph {
    fn of_source(source: Source) -> PyResult<Self> {
        let game = source.into_game().map_err(|error| Failure::input(error.to_string()))?;
        Ok(Self::of(game))
    }
}

/// The labels of a digraph.
#[pyclass(frozen, module = "nimoon._native")]
pub(crate) struct Labelling {
    game: Arc<Game>,
    labels: Arc<nimoon::Labelling>,
    budget: u64,
}

impl Labelling {
    fn check(&self, node: Node) -> Result<Node, Failure> {
        if (node as usize) < self.labels.len() {
            Ok(node)
        } else {
            Err(Failure::input(format!("there is no node {node}")))
        }
    }

    fn with_report<T>(&self, steps: bool, use_it: impl FnOnce(&Report<'_>) -> T) -> T {
        let rounds = steps.then(|| rounds(&self.game.digraph, &self.labels));
        use_it(&Report {
            digraph: &self.game.digraph,
            names: &self.game.names,
            labelling: &self.labels,
            rounds: rounds.as_deref(),
        })
    }
}

#[pymethods]
impl Labelling {
    fn theory(&self) -> &'static str {
        self.labels.theory().name()
    }

    fn is_complete(&self) -> bool {
        self.labels.is_complete()
    }

    fn value(&self, node: Node) -> PyResult<Option<Value>> {
        Ok(self.labels.value(self.check(node)?).map(Value))
    }

    /// What a gray node covers, as JSON; none for a white one.
    fn covers(&self, node: Node) -> PyResult<Option<String>> {
        let node = self.check(node)?;
        if !self.game.digraph.is_gray(node) {
            return Ok(None);
        }
        Ok(Some(json(&JsonCover(self.labels.cover(node).as_ref()))?))
    }

    /// The nimbers of all nodes, four bytes each; −1 where there is none.
    fn nimbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let nodes = self.labels.len() as Node;
        PyBytes::new_with(py, 4 * self.labels.len(), |bytes| {
            for (node, place) in (0..nodes).zip(bytes.as_chunks_mut::<4>().0) {
                // Nimbers of a labelling are below 2^31.
                let nimber = self.labels.nimber(node).and_then(|n| i32::try_from(n).ok());
                *place = nimber.unwrap_or(-1).to_ne_bytes();
            }
            Ok(())
        })
    }

    /// The letters of the outcomes of all nodes; a gray node has `-`.
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let nodes = self.labels.len() as Node;
        PyBytes::new_with(py, self.labels.len(), |bytes| {
            for (node, place) in (0..nodes).zip(bytes) {
                let outcome = self.labels.outcome(node).map(|outcome| outcome.to_string());
                *place = outcome.and_then(|text| text.bytes().next()).unwrap_or(b'-');
            }
            Ok(())
        })
    }

    /// The labels in a format of the command line.
    fn write(
        &self,
        format: &str,
        steps: bool,
        around: Option<Node>,
        radius: usize,
        max_nodes: usize,
    ) -> PyResult<String> {
        let around = around.map(|node| self.check(node)).transpose()?;
        let options = PictureOptions { around, radius, max_nodes };
        let is_picture = matches!(format, "svg" | "latex");
        let written = self.with_report(steps || is_picture, |report| {
            let mut out = Vec::new();
            let written = match format {
                "table" => write_table(report, &mut out),
                "json" => write_json(report, &mut out),
                "csv" => write_csv(report, &mut out),
                "dot" => write_dot(report, &mut out),
                "svg" | "latex" => {
                    let drawn = if format == "svg" { svg } else { latex };
                    return drawn(report, &options).map_err(|e| Failure::input(e.to_string()));
                }
                _ => {
                    return Err(Failure::input(format!(
                        "`{format}` is no format: expected table, json, csv, dot, svg or latex"
                    )));
                }
            };
            written.map_err(Failure::bug)?;
            utf8(out)
        });
        Ok(written?)
    }

    /// Why a node has its label, as JSON and text.
    fn explain(&self, node: Node) -> PyResult<Told> {
        let node = self.check(node)?;
        let explanation = explain(&self.game.digraph, &self.labels, node, &Effort::default())
            .map_err(Failure::interrupted)?;
        let name = |node| self.game.names.name(node).into_owned();
        let report =
            ExplanationReport { node, name: &name, is_node: true, explanation: &explanation };
        Ok((json(&report)?, report.text()))
    }

    /// What there is to tell about pieces on nodes, as JSON and text.
    fn sum(&self, py: Python<'_>, nodes: Vec<Node>, turns: Option<usize>) -> PyResult<Told> {
        for &node in &nodes {
            self.check(node)?;
        }
        let (game, labelling) = (Arc::clone(&self.game), Arc::clone(&self.labels));
        let budget = self.budget;
        run(py, None, move |watch| {
            let named = |i: usize| game.names.name(nodes[i]).into_owned();
            let answered =
                SumReport::of_nodes(&game, &labelling, nodes.clone(), &watch.effort(budget), turns);
            let (report, answer) = answered.map_err(|error| match error {
                SumError::TwoGray { first, second } => Failure::input(format!(
                    "`{}` and `{}` are both gray: at most one piece can stand on a gray node, so this \
                     sum does not exist",
                    named(first),
                    named(second)
                )),
                error => Failure::input(error.to_string()),
            })?;
            let cut = || labelling.interrupted().map(cut_short);
            let missing = answer.err().map(Failure::interrupted).or_else(cut);
            complete((json(&report)?, report.text()), missing)
        })
    }
}

/// The outcome is known, and the values only in part.
pub(crate) fn cut_short(interrupted: Interrupted) -> Failure {
    let message = format!(
        "{interrupted}: the outcome holds, but the values of the components are not known beside \
         larger nim-heaps"
    );
    Failure::over(interrupted, message)
}

/// The simplest digraph of a value, with its start.
pub(crate) fn representative_of(value: &AnyValue) -> Result<(Digraph, Node), Failure> {
    use nimoon::representative::{RepresentativeError, representative};
    let found = representative(value, Budget::DEFAULT).map_err(|error| match error {
        RepresentativeError::Interrupted { .. } | RepresentativeError::TooLarge { .. } => {
            Failure::new(Kind::Budget, error.to_string())
        }
        error => Failure::input(error.to_string()),
    })?;
    let names: Names = found.names.iter().collect();
    let (terminals, players) = (Vec::new(), Vec::new());
    let game = Game { digraph: found.digraph, names, terminals, players };
    Ok((Digraph::of(game), found.start))
}
