//! Smith's questions about digraphs: `remoteness` and `compound`.

use nimoon::Node;
use nimoon::smith::compound::{Compound, Compounds, Kind};
use nimoon::smith::grundy::wide::functions;
use nimoon::smith::grundy::{GrundyError, GrundyPair};
use nimoon::smith::remoteness::{PartizanRemoteness, Play, Remoteness};
use nimoon_formats::Game;
use nimoon_formats::read::{Format, partizan, unfit};
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::digraph::{Text, node};
use crate::report::{
    CompoundReport, NodeRows, PartizanRemotenessReport, PartizanRemotenessRow, PayoffRow, Payoffs,
    PayoffsError, RemotenessReport, RemotenessRow, WideReport,
};
use crate::request::ChosenTurn;
use crate::{Answer, Error, ErrorKind, Session, Work};

/// The most functions in the wide sense that are listed through a network.
const MOST_LISTED: usize = 1000;

// Each field is an option of its own.
#[allow(clippy::struct_excessive_bools)]
/// Asks how far each node is from the end of play.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemotenessRequest {
    /// The digraph.
    digraph: Text,
    /// Whether the player who moves last loses.
    #[serde(default)]
    misere: bool,
    /// Whether to name a good move from each node.
    #[serde(default)]
    strategy: bool,
    /// Whether to give Smith's functions G, H and J.
    #[serde(default)]
    grundy: bool,
    /// Whether to list the Sprague–Grundy functions in the wide sense instead.
    #[serde(default)]
    wide: bool,
    /// The most functions to list.
    #[serde(default = "usual_limit")]
    limit: usize,
}

fn usual_limit() -> usize {
    100
}

impl RemotenessRequest {
    pub(crate) fn is_slow(&self) -> bool {
        self.digraph.is_slow()
    }

    fn play(&self) -> Play {
        if self.misere { Play::Misere } else { Play::Normal }
    }

    /// Rejects a field that has no meaning for this digraph.
    fn refuse(&self, fields: &[&str], why: &str) -> Result<(), Error> {
        let given = [("misere", self.misere), ("grundy", self.grundy), ("wide", self.wide)];
        let found = given.iter().find(|(field, given)| *given && fields.contains(field));
        found.map_or(Ok(()), |(field, _)| {
            Err(Error::input(format!("`{field}` cannot be used here: the digraph {why}")))
        })
    }
}

pub(crate) fn remoteness(
    asked: &RemotenessRequest,
    session: &Session,
    work: &Work,
) -> Result<Answer<RemotenessAnswer>, Error> {
    if asked.misere && asked.grundy {
        let message = "`grundy` cannot be used with `misere`: G, H and J are functions of normal play, and do not give the outcomes of misère play";
        return Err(Error::input(message));
    }
    if asked.wide && (asked.misere || asked.strategy || asked.grundy) {
        let message = "`wide` cannot be used with `misere`, `strategy` or `grundy`";
        return Err(Error::new(ErrorKind::Request, message));
    }
    let format = asked.digraph.format()?;
    let bytes = asked.digraph.bytes();
    if format == Format::Json && is_partizan(bytes) {
        return of_partizan(asked, work);
    }
    let (game, impartial) = asked.digraph.any_game(work)?;
    if !impartial {
        return of_payoffs(asked, &game, format, work);
    }
    if !game.terminals.is_empty() {
        asked.refuse(&["misere"], "says that the last player wins")?;
    }
    if let Some(gray) = game.digraph.gray_nodes().next().filter(|_| asked.grundy || asked.wide) {
        let name = game.names.name(gray);
        return Err(Error::input(format!(
            "node `{name}` is gray: Sprague–Grundy functions are for digraphs without gray nodes"
        )));
    }
    if asked.wide {
        let limit = session.capped(asked.limit, MOST_LISTED);
        return Ok(in_the_wide_sense(game, limit, work));
    }
    // The remoteness takes least, and is given although G may be out of reach.
    let remoteness = Remoteness::try_new(&game.digraph, asked.play(), work);
    let remoteness = remoteness.map_err(Error::limit)?;
    let pair = asked.grundy.then(|| GrundyPair::try_new(&game.digraph, work)).transpose();
    let (pair, missing) = match pair {
        Ok(pair) => (pair, None),
        Err(GrundyError::Interrupted(interrupted)) => {
            let message = format!("{interrupted}: G, H and J are not known");
            (None, Some(Error::interrupted(interrupted, &message)))
        }
        Err(error) => return Err(Error::input(error.to_string())),
    };
    let report = RemotenessReport {
        digraph: &game.digraph,
        names: &game.names,
        remoteness: &remoteness,
        strategy: asked.strategy,
        pair: pair.as_ref(),
    };
    Ok(Answer::data(RemotenessAnswer::Nodes(rows(&report))).short_of(missing))
}

/// What is known of the nodes of a digraph.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum RemotenessAnswer {
    /// Of a digraph.
    Nodes(Vec<RemotenessRow>),
    /// Of a graph with Left and Right edges.
    Partizan(Vec<PartizanRemotenessRow>),
    /// Of a digraph that says itself how play ends, or who moves.
    Payoffs(Vec<PayoffRow>),
    /// The Sprague–Grundy functions in the wide sense.
    Wide(WideReport),
}

fn rows<R: NodeRows>(report: &R) -> Vec<R::Row> {
    (0..report.len() as Node).map(|node| report.row(node)).collect()
}

/// The fields that a graph with Left and Right edges has, and a digraph has not.
#[derive(Deserialize)]
struct PartizanFields {
    left: Option<IgnoredAny>,
    right: Option<IgnoredAny>,
    start: Option<IgnoredAny>,
}

/// Whether JSON holds a graph with Left and Right edges.
pub fn is_partizan(bytes: &[u8]) -> bool {
    serde_json::from_slice(bytes).is_ok_and(|PartizanFields { left, right, start }| {
        left.is_some() || right.is_some() || start.is_some()
    })
}

fn of_partizan(asked: &RemotenessRequest, work: &Work) -> Result<Answer<RemotenessAnswer>, Error> {
    asked.refuse(
        &["grundy", "wide"],
        "has Left and Right edges, and values G are for impartial games",
    )?;
    let game =
        partizan::read_within(asked.digraph.bytes(), work).map_err(|error| Error::read(&error))?;
    let remoteness = PartizanRemoteness::try_new(&game.graph, asked.play(), work);
    let report = PartizanRemotenessReport {
        graph: &game.graph,
        names: &game.names,
        remoteness: &remoteness.map_err(Error::limit)?,
        strategy: asked.strategy,
    };
    Ok(Answer::data(RemotenessAnswer::Partizan(rows(&report))))
}

fn of_payoffs(
    asked: &RemotenessRequest,
    game: &Game,
    format: Format,
    work: &Work,
) -> Result<Answer<RemotenessAnswer>, Error> {
    asked.refuse(&["misere", "grundy", "wide"], "says itself how play ends, or who moves")?;
    let failure = |error: PayoffsError| match error {
        PayoffsError::Interrupted { interrupted, .. } => Error::interrupted(interrupted, &error),
        PayoffsError::Unfit(found) => {
            Error::read(&unfit(format, asked.digraph.bytes(), found, work))
        }
        PayoffsError::Game(error) => Error::input(error.to_string()),
    };
    let solved = Payoffs::new(game, work).map_err(failure)?;
    let found = solved.with_report(&game.names, |report| rows(report)).map_err(failure)?;
    Ok(Answer::data(RemotenessAnswer::Payoffs(found)))
}

fn in_the_wide_sense(game: Game, limit: usize, work: &Work) -> Answer<RemotenessAnswer> {
    let found = functions(&game.digraph, limit, work);
    let missing = (!found.complete).then(|| match found.interrupted {
        Some(interrupted) => Error::limit(interrupted),
        None => Error::new(ErrorKind::Budget, format!("there are more than {limit} functions")),
    });
    let report = WideReport::new(game.names, found);
    Answer::data(RemotenessAnswer::Wide(report)).short_of(missing)
}

/// Asks who wins a compound of positions in a digraph.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompoundRequest {
    /// `conjunctive`, `selective` or `disjunctive`, with `nodes`; or a compound such as `selective(conjunctive(a,b),c)`.
    compound: String,
    /// The digraph.
    digraph: Text,
    /// The nodes with a piece, one for each component.
    #[serde(default)]
    nodes: Vec<String>,
    /// Whether the player who moves last loses.
    #[serde(default)]
    misere: bool,
    /// How the turn to play is chosen, where a formula says who wins. The remoteness comes with the quickest turn.
    #[serde(default)]
    turn: ChosenTurn,
}

impl CompoundRequest {
    pub(crate) fn is_slow(&self) -> bool {
        self.digraph.is_slow()
    }

    fn read(&self, game: &Game) -> Result<Compound, Error> {
        if let Some(kind) = Kind::from_name(&self.compound) {
            let nodes: Result<Vec<_>, _> = self.nodes.iter().map(|name| node(game, name)).collect();
            return Compound::new(kind, nodes?).ok_or_else(|| {
                Error::input(format!("a {kind} compound has at least one component"))
            });
        }
        if !self.compound.contains('(') {
            return Err(Error::input(format!(
                "unknown compound `{}`; expected conjunctive, selective or disjunctive, or a compound such as selective(conjunctive(a,b),c)",
                self.compound
            )));
        }
        if let Some(node) = self.nodes.first() {
            return Err(Error::input(format!(
                "`{node}` stands beside a compound that names its nodes itself: leave it out"
            )));
        }
        let node = |name: &str| game.names.node(name);
        Compound::read(&self.compound, node)
            .map_err(|error| Error::at(&self.compound, error.at, error.message))
    }
}

pub(crate) fn compound(
    asked: &CompoundRequest,
    _session: &Session,
    work: &Work,
) -> Result<Answer<CompoundReport>, Error> {
    let game = asked.digraph.game(work)?;
    work.admit_listed(game.digraph.len() as u64).map_err(Error::limit)?;
    let compound = asked.read(&game)?;
    let play = if asked.misere { Play::Misere } else { Play::Normal };
    let work = &asked.turn.within(work);
    let compounds = Compounds::new(&game.digraph, work).map_err(|gray| {
        let name = game.names.name(gray.node);
        Error::input(format!(
            "node `{name}` is gray: compounds are for digraphs without gray nodes"
        ))
    })?;
    let answer = compounds.solve(&compound, play);
    let report = CompoundReport::new(&compound, &game.names, play, &answer);
    let (missing, has_outcome) = (report.missing(), report.has_outcome());
    let found = Answer::data(report);
    let (Some(too_large), Some(missing)) = (answer.too_large, missing) else {
        return Ok(found);
    };
    if has_outcome {
        return Ok(found.noting(Some(format!("{missing}: {too_large}"))));
    }
    Ok(found.short_of(Some(Error::interrupted(too_large.interrupted, &too_large))))
}
