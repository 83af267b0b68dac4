//! Digraphs, their labels, and pieces on them.

use std::path::PathBuf;
use std::sync::Arc;

use nimoon::graph::product::{ProductError, product};
use nimoon::impartial::theory::label_for_sums;
use nimoon::smith::compound::{Compound, Compounds, Kind as CompoundKind};
use nimoon::smith::grundy::wide::functions;
use nimoon::smith::grundy::{GrundyError, GrundyPair};
use nimoon::smith::remoteness::{Play, Remoteness};
use nimoon::{AnyValue, DoesNotFit, Interrupted, Node, Theory, Work, label, label_smallest};
use nimoon_formats::read::{Format, UnknownFormat, nearest, read_within};
use nimoon_formats::write::{JsonDigraph, game as game_text, refutation_words};
use nimoon_formats::{Game, Names, Source};
use nimoon_session::report::{
    CompoundReport, NodeRows, Payoffs, PayoffsError, RemotenessReport, WideReport, write_node_json,
    write_node_table,
};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;

use crate::failure::{Failure, Kind};
use crate::labelling::Labelling;
use crate::numbers::Numbers;
use crate::shelf::contents_within;
use crate::work::{Limits, choosing, forks, run};

/// The theory with a name; none for `auto`.
pub(crate) fn theory(name: Option<&str>) -> Result<Option<Theory>, Failure> {
    match name {
        None | Some("auto") => Ok(None),
        Some(name) => name.parse().map(Some).map_err(|_| {
            let names = Theory::ALL.map(Theory::name).join(", ");
            Failure::input(format!("unknown theory `{name}`: expected auto, {names}"))
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

pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(Failure::bug)
}

/// A row for each node, as JSON and text.
pub(crate) fn rows(report: &impl NodeRows) -> Result<Told, Failure> {
    let (mut json, mut text) = (Vec::new(), Vec::new());
    write_node_json(report, &mut json).map_err(Failure::bug)?;
    write_node_table(report, &mut text).map_err(Failure::bug)?;
    Ok((utf8(json)?, utf8(text)?))
}

/// A digraph with names, as the readers make it.
#[pyclass(frozen, module = "nimoon._native")]
pub(crate) struct Digraph {
    game: Arc<Game>,
    /// How many forks there were when it was made.
    forks: u32,
}

impl Digraph {
    pub(crate) fn of(game: Game) -> Self {
        Self { game: Arc::new(game), forks: forks() }
    }

    /// The game for a call. A digraph finds its predecessors once, under a lock that a thread of the parent may have
    /// held at a fork: the child uses a copy, which has a lock of its own.
    fn shared(&self) -> Arc<Game> {
        if self.forks == forks() {
            Arc::clone(&self.game)
        } else {
            Arc::new(Game::clone(&self.game))
        }
    }

    /// Reads a text; `name` is that of the file that it is from, for errors.
    fn read(
        format: Format,
        bytes: &[u8],
        name: Option<&str>,
        work: &Work,
    ) -> Result<Self, Failure> {
        let source = read_within(format, bytes, work);
        let source = source.map_err(|error| Failure::read(name, &error))?;
        Self::of_source(source)
    }

    fn named(&self, name: &str) -> Result<Node, Failure> {
        node(&self.game, name)
    }

    /// Refuses ends of play and players, which values and sums know nothing of.
    fn is_normal(&self) -> Result<(), Failure> {
        self.game.check_impartial().map_err(|unfit| Failure::input(unfit.to_string()))
    }
}

/// An option has no meaning for a digraph with ends of play or players.
fn says_itself(option: &str) -> Failure {
    Failure::input(format!(
        "`{option}` cannot be used here: the digraph defines how play ends, or who moves"
    ))
}

/// Refuses what Sprague–Grundy functions know nothing of.
fn is_impartial_and_white(game: &Game, option: &str) -> Result<(), Failure> {
    if game.check_impartial().is_err() {
        return Err(says_itself(option));
    }
    match game.digraph.gray_nodes().next() {
        Some(gray) => Err(Failure::input(format!(
            "node `{}` is gray: Sprague–Grundy functions need digraphs without gray nodes; `label` \
             finds the values of other digraphs",
            game.names.name(gray)
        ))),
        None => Ok(()),
    }
}
/// That a digraph does not fit the theory that was asked for.
fn unfit(game: &Game, error: &DoesNotFit) -> Failure {
    let because = refutation_words(&error.refutation, &game.names);
    Failure::input(format!(
        "the digraph does not fit the {} theory: {because}; `theory` {} fits",
        error.theory, error.fitting
    ))
}

fn node(game: &Game, name: &str) -> Result<Node, Failure> {
    game.names.node(name).ok_or_else(|| {
        let nearest = nearest(game.names.iter(), name)
            .map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"));
        Failure::input(format!("unknown node `{name}`{nearest}"))
    })
}

#[pymethods]
impl Digraph {
    /// A digraph by the names of its nodes, with gray nodes and arcs given by number.
    #[staticmethod]
    fn of_names(
        py: Python<'_>,
        names: Vec<String>,
        gray: Vec<Node>,
        arcs: Vec<(Node, Node)>,
    ) -> PyResult<Self> {
        run(py, None, move |_| {
            let mut taken = Names::default();
            for (number, name) in names.iter().enumerate() {
                if taken.try_intern(name) != u32::try_from(number).ok() {
                    return Err(Failure::input(format!(
                        "two nodes are written `{name}`: their names must differ"
                    )));
                }
            }
            Self::of_source(Source { names: taken, gray, arcs, ..Source::default() })
        })
    }

    /// A digraph of numbered nodes, from the bytes of arrays; see `Numbers`. Without a number of nodes, the largest
    /// that is named is the last.
    ///
    /// The arcs come in pieces, tails and heads, each small enough for the cache: so what Python copies stays there
    /// until it is narrowed, and no page of memory is asked for but those of the list itself.
    #[staticmethod]
    fn of_numbers(
        py: Python<'_>,
        nodes: Option<u64>,
        width: usize,
        gray: &[u8],
        count: usize,
        pieces: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let gray = Numbers::new(gray, width).nodes()?;
        let mut arcs: Vec<(Node, Node)> = Vec::new();
        arcs.try_reserve_exact(count)
            .map_err(|_| PyMemoryError::new_err(format!("{count} arcs need more memory")))?;
        for piece in pieces.try_iter()? {
            let (tails, heads): (Bound<'_, PyBytes>, Bound<'_, PyBytes>) = piece?.extract()?;
            let [tails, heads] =
                [&tails, &heads].map(|bytes| Numbers::new(bytes.as_bytes(), width));
            tails.join(&heads, &mut arcs)?;
        }
        run(py, None, move |_| {
            let wanted = nodes.unwrap_or_else(|| {
                let ends = arcs.par_iter().map(|&(tail, head)| tail.max(head)).max();
                let largest = ends.max(gray.iter().copied().max());
                largest.map_or(0, |largest| u64::from(largest) + 1)
            });
            let count = Node::try_from(wanted).ok().filter(|&count| count < Node::MAX);
            let count = count.ok_or_else(|| {
                Failure::input(format!("there are at most {} nodes, not {wanted}", Node::MAX - 1))
            })?;
            let names = Names::numbered(count);
            Self::of_source(Source { names, gray, arcs, ..Source::default() })
        })
    }

    /// What a text says.
    #[staticmethod]
    fn of_bytes(py: Python<'_>, format: &str, bytes: &[u8], budget: Limits) -> PyResult<Self> {
        let format = self::format(format)?;
        let bytes = bytes.to_vec();
        run(py, None, move |watch| Self::read(format, &bytes, None, &watch.work(budget)))
    }

    /// What a file says.
    #[staticmethod]
    fn of_file(py: Python<'_>, format: &str, path: PathBuf, budget: Limits) -> PyResult<Self> {
        let format = self::format(format)?;
        run(py, None, move |watch| {
            let work = watch.work(budget);
            let bytes = contents_within(&path, None, &work)?;
            Self::read(format, &bytes, Some(&path.display().to_string()), &work)
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
            return Err(Failure::input(format!("unknown node {node}")).into());
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
        smallest: bool,
        budget: Limits,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Labelling> {
        let theory = self::theory(theory)?;
        if smallest && theory.is_some() {
            let message = "`smallest` cannot be used with `theory`";
            return Err(Failure::input(message.to_owned()).into());
        }
        self.is_normal()?;
        let game = self.shared();
        run(py, progress, move |watch| {
            if smallest {
                let work = watch.work(budget);
                let labels = Arc::new(label_smallest(&game.digraph, &work));
                return Ok(Labelling { game, labels, budget });
            }
            let labelling = label(&game.digraph, theory, &watch.work(budget));
            let labelling = labelling.map_err(|error| unfit(&game, &error))?;
            Ok(Labelling { game, labels: Arc::new(labelling), budget })
        })
    }

    /// The same for sums, where the positions of the budget are those of the search.
    fn label_for_sums(
        &self,
        py: Python<'_>,
        theory: Option<&str>,
        budget: Limits,
    ) -> PyResult<Labelling> {
        let theory = self::theory(theory)?;
        self.is_normal()?;
        let game = self.shared();
        run(py, None, move |watch| {
            let labelling = label_for_sums(&game.digraph, theory, &watch.work(budget));
            let labelling = labelling.map_err(|error| unfit(&game, &error))?;
            Ok(Labelling { game, labels: Arc::new(labelling), budget })
        })
    }

    /// The digraph of two pieces.
    fn product(&self, py: Python<'_>, x: Node, y: Node, budget: Limits) -> PyResult<Self> {
        let game = self.shared();
        run(py, None, move |watch| {
            let found = product(&game.digraph, x, y, &watch.work(budget));
            let found = found.map_err(|error| match error {
                ProductError::Interrupted(interrupted, _) => Failure::over(interrupted, error),
                error => {
                    let [x, y] = [x, y].map(|node| game.names.name(node));
                    Failure::input(format!("`{x}` and `{y}`: {error}"))
                }
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
        budget: Limits,
    ) -> PyResult<Told> {
        let game = self.shared();
        run(py, None, move |watch| {
            let work = watch.work(budget);
            if game.check_impartial().is_err() {
                let given = [("misere", misere), ("grundy", grundy)];
                if let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
                    return Err(says_itself(option));
                }
                let failure = |error: PayoffsError| match &error {
                    PayoffsError::Interrupted { interrupted, .. } => {
                        Failure::over(*interrupted, &error)
                    }
                    _ => Failure::input(error.to_string()),
                };
                let solved = Payoffs::new(&game, &work).map_err(failure)?;
                return solved.with_report(&game.names, |report| rows(report)).map_err(failure)?;
            }
            if misere && !game.terminals.is_empty() {
                return Err(Failure::input(
                    "`misere` cannot be used here: the digraph says that the last player wins",
                ));
            }
            if grundy && misere {
                return Err(Failure::input(
                    "`grundy` cannot be used with `misere`: G, H and J are functions of normal play, and do not give \
                     the outcomes of misère play",
                ));
            }
            if grundy {
                is_impartial_and_white(&game, "grundy")?;
            }
            let play = if misere { Play::Misere } else { Play::Normal };
            let solved = Remoteness::try_new(&game.digraph, play, &work);
            let remoteness = &solved.map_err(Failure::interrupted)?;
            // Return the remoteness, which is cheapest, even if a limit stops the search for G.
            let pair = grundy.then(|| GrundyPair::try_new(&game.digraph, &work)).transpose();
            let (pair, missing) = match pair {
                Ok(pair) => (pair, None),
                Err(GrundyError::Interrupted(interrupted)) => {
                    (None, Some(Failure::interrupted(interrupted)))
                }
                Err(error) => return Err(Failure::input(error.to_string())),
            };
            let told = rows(&RemotenessReport {
                digraph: &game.digraph,
                names: &game.names,
                remoteness,
                strategy,
                pair: pair.as_ref(),
            })?;
            complete(told, missing)
        })
    }

    /// The Sprague–Grundy functions in the wide sense, as JSON and text.
    fn wide(&self, py: Python<'_>, limit: usize, budget: Limits) -> PyResult<Told> {
        let game = self.shared();
        run(py, None, move |watch| {
            is_impartial_and_white(&game, "wide")?;
            let found = functions(&game.digraph, limit, &watch.work(budget));
            let missing = (!found.complete).then(|| match found.interrupted {
                Some(interrupted) => Failure::interrupted(interrupted),
                None => Failure::new(
                    Kind::Budget,
                    format!("there are more than {limit} functions; raise the limit with `limit`"),
                ),
            });
            let report = WideReport::new(game.names.clone(), found);
            complete((json(&report)?, report.text()), missing)
        })
    }

    /// Several pieces at once, as JSON and text.
    fn compound(
        &self,
        py: Python<'_>,
        kind: String,
        nodes: Vec<Node>,
        misere: bool,
        quickest: bool,
        budget: Limits,
    ) -> PyResult<Told> {
        self.is_normal()?;
        let game = self.shared();
        run(py, None, move |watch| {
            let compound = match CompoundKind::from_name(&kind) {
                Some(named) => Compound::new(named, nodes).ok_or_else(|| {
                    Failure::input(format!(
                        "a {named} compound has at least one component: name nodes after the kind"
                    ))
                })?,
                None if !kind.contains('(') => {
                    return Err(Failure::input(format!(
                        "unknown compound `{kind}`: expected conjunctive, selective or disjunctive, \
                         or a compound such as selective(conjunctive(a,b),c)"
                    )));
                }
                None if !nodes.is_empty() => {
                    return Err(Failure::input(format!(
                        "unexpected node `{}`: the compound already names its nodes",
                        game.names.name(nodes[0])
                    )));
                }
                None => Compound::read(&kind, |name| game.names.node(name))
                    .map_err(|error| Failure::at(&kind, error.at, error.message))?,
            };
            let play = if misere { Play::Misere } else { Play::Normal };
            let work = choosing(quickest, watch.work(budget));
            let admitted = work.admit_listed(game.digraph.len() as u64);
            admitted.map_err(|over| Failure::over(over, over))?;
            let compounds = Compounds::new(&game.digraph, &work).map_err(|gray| {
                Failure::input(format!(
                    "node `{}` is gray: compounds are for digraphs without gray nodes; `sum` adds \
                     positions with them",
                    game.names.name(gray.node)
                ))
            })?;
            let answer = compounds.solve(&compound, play);
            let report = CompoundReport::new(&compound, &game.names, play, &answer);
            let too_large = answer.too_large.filter(|_| !report.has_outcome());
            let missing = too_large.map(|over| Failure::over(over.interrupted, over));
            complete((json(&report)?, report.text()), missing)
        })
    }
}

impl Digraph {
    fn of_source(source: Source) -> Result<Self, Failure> {
        source.into_game().map_err(|error| Failure::input(error.to_string())).map(Self::of)
    }
}

/// The format with this name.
fn format(name: &str) -> Result<Format, Failure> {
    name.parse().map_err(|error: UnknownFormat| Failure::input(error.to_string()))
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
pub(crate) fn representative_of(value: &AnyValue, work: &Work) -> Result<(Digraph, Node), Failure> {
    use nimoon::impartial::representative::{RepresentativeError, representative};
    let found = representative(value, work).map_err(|error| match error {
        RepresentativeError::Interrupted { interrupted, .. } => Failure::over(interrupted, error),
        RepresentativeError::TooLarge { .. } => Failure::new(Kind::Budget, error.to_string()),
        error => Failure::input(error.to_string()),
    })?;
    let names: Names = found.names.iter().collect();
    let (terminals, players) = (Vec::new(), Vec::new());
    let game = Game { digraph: found.digraph, names, terminals, players };
    Ok((Digraph::of(game), found.start))
}
