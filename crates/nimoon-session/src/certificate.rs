//! Certificates: an answer with what shows it, for `nimoon check` and anyone else.
//! `docs/formats.md` describes them.
//!
//! Digraphs, labels and orders are written as they go, so that a million nodes need no memory of
//! their own.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use nimoon::certificate::strategy::{Answered, strategy};
use nimoon::certificate::{heaps, survival};
use nimoon::impartial::control::{TotalProof, ValueProof};
use nimoon::partizan::strategy::Move;
use nimoon::smith::remoteness::{PartizanRemoteness, Play, Remoteness};
use nimoon::{
    AnyValue, Cover, Digraph, EntailingValue, HeapOutcomes, Interrupted, Label, Labelling,
    NimberSet, Node, Outcome, Sum, Theory, Turn, Work,
    partizan::{Graph, Sides, Stoppers},
    player::Player,
};
use serde::Serialize;
use thiserror::Error;

use nimoon_formats::Names;
use nimoon_formats::read::partizan::PartizanGame;
use nimoon_formats::write::json::{JsonNimberSet, JsonValue, Shaped as _};
use nimoon_formats::write::lettered;

mod control;

pub use control::OrderCertificate;

/// The version of the format.
const VERSION: u32 = 1;

/// The most positions of a strategy that is written; where there are more the values speak.
const MOST_ANSWERS: u64 = 200_000;

/// Why there is no certificate.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoCertificate {
    /// The labels are not known in full.
    #[error("the labels are not known in full")]
    Incomplete,
    /// No algebra is known, and the search would be too large.
    #[error("no algebra is known, and a strategy would have more than {MOST_ANSWERS} positions")]
    NoStrategy,
    /// A search among states was broken off.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// A certificate of the labels of a digraph, and of a sum on it.
#[derive(Debug)]
pub struct LabelsCertificate<'a> {
    digraph: &'a Digraph,
    labelling: &'a Labelling,
    /// The rulesets and the scripts whose positions the nodes are.
    rules: Option<(&'a [String], &'a [String])>,
    ranks: Option<Vec<Vec<Option<u32>>>>,
    /// The values of white nodes without a number in the general theory, if they were found.
    control: Option<Vec<(Node, ValueProof)>>,
    sum: Option<SumPart>,
}

/// What is said of a sum.
#[derive(Debug)]
struct SumPart {
    pieces: Vec<Node>,
    total: Option<AnyValue>,
    outcome: Outcome,
    turn: Option<Turn>,
    strategy: Option<Vec<Answered>>,
    totals: Option<Vec<TotalProof>>,
}

impl<'a> LabelsCertificate<'a> {
    /// Of all labels.
    ///
    /// # Errors
    /// When they are not known in full, or the work ends.
    pub fn new(
        digraph: &'a Digraph,
        labelling: &'a Labelling,
        work: &Work,
    ) -> Result<Self, NoCertificate> {
        if !labelling.is_complete() {
            return Err(NoCertificate::Incomplete);
        }
        let (ranks, control) = match labelling.theory() {
            Theory::General => {
                let control = control::values(digraph, work).ok();
                work.check()?;
                (Some(heaps::ranks(digraph, work)?), control)
            }
            _ => (None, None),
        };
        Ok(Self { digraph, labelling, rules: None, ranks, control, sum: None })
    }

    /// The same, with positions of these rulesets and scripts as nodes. They are separate lists,
    /// because a script may have the name of a ruleset and other rules.
    #[must_use]
    pub fn with_rules(self, rulesets: &'a [String], scripts: &'a [String]) -> Self {
        Self { rules: Some((rulesets, scripts)), ..self }
    }

    /// The same, with a sum: who wins, and this turn. It is shown by a strategy if that fits the
    /// budget, and by the values otherwise.
    ///
    /// # Errors
    /// When there is neither.
    pub fn with_sum(
        self,
        sum: &Sum<'_>,
        outcome: Outcome,
        turn: Option<Turn>,
        work: &Work,
    ) -> Result<Self, NoCertificate> {
        let most = work.child(work.limits().at_most(MOST_ANSWERS));
        let strategy = strategy(sum, turn.as_ref(), &most).ok();
        work.check()?;
        let pieces = sum.pieces().to_vec();
        let is_general = self.labelling.theory() == Theory::General;
        let totals = self
            .control
            .as_ref()
            .and_then(|values| control::totals(self.digraph, values, &pieces, work).ok().flatten());
        work.check()?;
        if strategy.is_none() && is_general && totals.is_none() {
            return Err(NoCertificate::NoStrategy);
        }
        // Without an algebra of a smaller theory a turn is proved by a strategy alone.
        let turn = turn.filter(|_| strategy.is_some() || !is_general);
        // In the general theory the totals say what the value is.
        let total = if is_general { None } else { sum.value_within(work)? };
        let part = SumPart { pieces, total, outcome, turn, strategy, totals };
        Ok(Self { sum: Some(part), ..self })
    }

    /// Writes the certificate, with the names of the nodes.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write<'n>(
        &self,
        name: impl Fn(Node) -> Cow<'n, str>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let out = &mut BufWriter::with_capacity(1 << 16, out);
        let kind = if self.sum.is_some() { "sum" } else { "labels" };
        write!(out, r#"{{"certificate":"{kind}","version":{VERSION},"theory":"#)?;
        serde_json::to_writer(&mut *out, self.labelling.theory().name())?;
        if let Some((rules, scripts)) = self.rules {
            field(out, "rules", &rules)?;
            if !scripts.is_empty() {
                field(out, "scripts", &scripts)?;
            }
        }
        let nodes = || self.digraph.nodes();
        list(out, "nodes", nodes(), |out, node| json(out, &name(node)))?;
        list(out, "gray", self.digraph.gray_nodes(), |out, node| write!(out, "{node}"))?;
        list(out, "options", nodes(), |out, node| numbers(out, self.digraph.options(node)))?;
        let general = self.labelling.theory() == Theory::General;
        list(out, "values", nodes(), |out, node| match self.labelling.label(node) {
            // In the general theory, a gray node has the outcomes of the player who must move from
            // it.
            Label::Gray(Some(Cover::Heaps(loss))) if general => {
                let (win, draw) = (loss.clone().complement(), NimberSet::nothing());
                json(out, &JsonOutcomes::new(&HeapOutcomes { win, loss, draw, forced: None }))
            }
            Label::White(value) if general => json(out, &JsonOutcomes::new(&value.heap_outcomes())),
            reply => label(out, &reply),
        })?;
        match &self.ranks {
            Some(ranks) => list(out, "ranks", ranks, json)?,
            None => list(out, "order", self.labelling.order(), |out, node| write!(out, "{node}"))?,
        }
        if let Some(control) = &self.control {
            list(out, "control", control, |out, (node, proof)| {
                json(out, &(node, control::JsonProof::new(proof)))
            })?;
        }
        if let Some(sum) = &self.sum {
            sum.write(out)?;
        }
        out.write_all(b"}\n")?;
        out.flush()
    }
}

impl SumPart {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(b",\"sum\":{\"pieces\":")?;
        numbers(out, &self.pieces)?;
        out.write_all(b",\"total\":")?;
        match &self.total {
            Some(total) => label(out, &Label::White(total.clone()))?,
            None => out.write_all(b"null")?,
        }
        out.write_all(b",\"outcome\":")?;
        json(out, &self.outcome.shape())?;
        if let Some(Turn { kind, plies, endless }) = &self.turn {
            write!(out, r#","turn":{{"kind":"{}""#, kind.name())?;
            list(out, "plies", plies, |out, ply| write!(out, "[{},{}]", ply.component, ply.to))?;
            if *endless {
                out.write_all(b",\"endless\":true")?;
            }
            out.write_all(b"}")?;
        }
        if let Some(strategy) = &self.strategy {
            list(out, "strategy", strategy, |out, Answered { at, rank, play, holds }| {
                out.write_all(b"\n{\"at\":")?;
                numbers(out, at)?;
                if let Some(rank) = rank {
                    write!(out, r#","rank":{rank}"#)?;
                }
                if let Some((component, to)) = play {
                    write!(out, r#","play":[{component},{to}]"#)?;
                }
                out.write_all(if *holds { br#","holds":true}"# } else { b"}" })
            })?;
        }
        if let Some(totals) = &self.totals {
            list(out, "totals", totals, |out, total| json(out, &control::JsonTotal::new(total)))?;
        }
        out.write_all(b"}")
    }
}

/// Writes a certificate of remoteness and terminal distance.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_remoteness(
    digraph: &Digraph,
    names: &Names,
    solved: &Remoteness,
    out: &mut dyn Write,
) -> io::Result<()> {
    let out = &mut BufWriter::with_capacity(1 << 16, out);
    let misere = solved.play() == Play::Misere;
    write!(out, r#"{{"certificate":"remoteness","version":{VERSION},"misere":{misere}"#)?;
    let nodes = || digraph.nodes();
    list(out, "nodes", nodes(), |out, node| json(out, &names.name(node)))?;
    list(out, "options", nodes(), |out, node| numbers(out, digraph.options(node)))?;
    list(out, "distance", nodes(), |out, node| json(out, &solved.distance(node)))?;
    list(out, "remoteness", nodes(), |out, node| json(out, &solved.remoteness(node)))?;
    out.write_all(b"}\n")?;
    out.flush()
}

/// Writes the same for a graph with Left and Right edges.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_partizan_remoteness(
    game: &PartizanGame,
    play: Play,
    solved: &PartizanRemoteness,
    out: &mut dyn Write,
) -> io::Result<()> {
    let out = &mut BufWriter::with_capacity(1 << 16, out);
    let misere = play == Play::Misere;
    write!(out, r#"{{"certificate":"partizan-remoteness","version":{VERSION},"misere":{misere}"#)?;
    field(out, "graph", &JsonGraph::new(game))?;
    let vertices = || 0..game.graph.len() as u32;
    let both = |out: &mut BufWriter<_>, reply: &dyn Fn(Player) -> Option<u32>| {
        json(out, &Player::BOTH.map(reply))
    };
    list(out, "distance", vertices(), |out, v| both(out, &|p| solved.distance(v, p)))?;
    list(out, "remoteness", vertices(), |out, v| both(out, &|p| solved.remoteness(v, p)))?;
    out.write_all(b"}\n")?;
    out.flush()
}

/// A graph with Left and Right edges as pairs of places.
#[derive(Serialize)]
struct JsonGraph<'a> {
    nodes: Vec<Cow<'a, str>>,
    left: Vec<(u32, u32)>,
    right: Vec<(u32, u32)>,
    start: u32,
}

impl<'a> JsonGraph<'a> {
    fn new(PartizanGame { graph, names, start }: &'a PartizanGame) -> Self {
        let edges = |player| graph.edges(player).collect();
        let (left, right) = (edges(Player::Left), edges(Player::Right));
        Self { nodes: names.iter().collect(), left, right, start: *start }
    }
}

#[derive(Serialize)]
struct JsonShown {
    holds: bool,
    strategy: Vec<JsonState>,
}

#[derive(Serialize)]
struct JsonState {
    at: (u32, u32),
    mover: &'static str,
    rank: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    play: Option<(&'static str, u32)>,
}

/// What shows whether a⁺ ≥ b⁺.
fn ge_plus(a: (&Graph, u32), b: (&Graph, u32), work: &mut Work) -> Result<JsonShown, Interrupted> {
    let survival::Shown { holds, strategy } = survival::ge_plus(a, b, work)?;
    let state = |state: &survival::State| JsonState {
        at: state.at,
        mover: if state.mover == Player::Left { "left" } else { "right" },
        rank: state.rank,
        play: state.play.map(|play| match play {
            Move::InFirst(to) => ("first", to),
            Move::InSecond(to) => ("second", to),
        }),
    };
    Ok(JsonShown { holds, strategy: strategy.iter().map(state).collect() })
}

/// A certificate of how two loopy games compare.
#[derive(Serialize)]
pub struct ComparisonCertificate<'a> {
    certificate: &'static str,
    version: u32,
    first: JsonGraph<'a>,
    second: JsonGraph<'a>,
    ge_plus: JsonShown,
    ge_minus: JsonShown,
    le_plus: JsonShown,
    le_minus: JsonShown,
    relation: &'static str,
}

impl<'a> ComparisonCertificate<'a> {
    /// Compares two games, with strategies.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn new(
        first: &'a PartizanGame,
        second: &'a PartizanGame,
        work: &mut Work,
    ) -> Result<Self, NoCertificate> {
        let (minus_a, minus_b) = (first.graph.negative(), second.graph.negative());
        let (a, b) = ((&first.graph, first.start), (&second.graph, second.start));
        let (minus_a, minus_b) = ((&minus_a, first.start), (&minus_b, second.start));
        let plus = [ge_plus(a, b, work)?, ge_plus(b, a, work)?];
        let minus = [ge_plus(minus_b, minus_a, work)?, ge_plus(minus_a, minus_b, work)?];
        let [[ge_plus, le_plus], [ge_minus, le_minus]] = [plus, minus];
        let relation = match (ge_plus.holds && ge_minus.holds, le_plus.holds && le_minus.holds) {
            (true, true) => "=",
            (true, false) => ">",
            (false, true) => "<",
            (false, false) => "||",
        };
        let (certificate, version) = ("comparison", VERSION);
        let (first, second) = (JsonGraph::new(first), JsonGraph::new(second));
        #[rustfmt::skip]
        let certificate = Self {
            certificate, version, first, second, ge_plus, ge_minus, le_plus, le_minus, relation,
        };
        Ok(certificate)
    }
}

/// A side with what shows it.
#[derive(Serialize)]
struct JsonSide {
    graph: serde_json::Value,
    ge: JsonShown,
    le: JsonShown,
}

/// A certificate of who wins a loopy game, and of its sides.
#[derive(Serialize)]
pub struct LoopyCertificate<'a> {
    certificate: &'static str,
    version: u32,
    given: JsonGraph<'a>,
    stopper: bool,
    remoteness: Vec<[Option<u32>; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    onside: Option<JsonSide>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offside: Option<JsonSide>,
}

impl<'a> LoopyCertificate<'a> {
    /// Compares a game with its sides, with strategies.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn new(
        given: &'a PartizanGame,
        sides: Sides,
        stoppers: &Stoppers,
        work: &mut Work,
    ) -> Result<Self, NoCertificate> {
        let solved = PartizanRemoteness::try_new(&given.graph, Play::Normal, work)?;
        let both = |vertex| Player::BOTH.map(|player| solved.remoteness(vertex, player));
        let remoteness = (0..given.graph.len() as u32).map(both).collect();
        let negative = given.graph.negative();
        let mut side = |stopper, is_onside: bool| -> Result<_, NoCertificate> {
            let graph = stoppers.graph(stopper);
            let form = PartizanGame { names: lettered(graph.len()), graph, start: 0 };
            let minus_form = form.graph.negative();
            let (ge, le) = if is_onside {
                let (game, form) = ((&given.graph, given.start), (&form.graph, 0));
                (ge_plus(game, form, work)?, ge_plus(form, game, work)?)
            } else {
                let (game, form) = ((&negative, given.start), (&minus_form, 0));
                (ge_plus(form, game, work)?, ge_plus(game, form, work)?)
            };
            let graph = serde_json::to_value(JsonGraph::new(&form)).unwrap_or_default();
            Ok(JsonSide { graph, ge, le })
        };
        Ok(Self {
            certificate: "loopy",
            version: VERSION,
            stopper: given.graph.is_stopper(given.start),
            remoteness,
            onside: sides.onside.map(|stopper| side(stopper, true)).transpose()?,
            offside: sides.offside.map(|stopper| side(stopper, false)).transpose()?,
            given: JsonGraph::new(given),
        })
    }
}

/// Writes a certificate of a table: the values of heaps from `first` on.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_table_certificate(
    ruleset: &str,
    first: u64,
    values: &[EntailingValue],
    out: &mut dyn Write,
) -> io::Result<()> {
    let out = &mut BufWriter::with_capacity(1 << 16, out);
    write!(out, r#"{{"certificate":"table","version":{VERSION}"#)?;
    field(out, "ruleset", &ruleset)?;
    field(out, "first", &first)?;
    list(out, "values", values, |out, &value| {
        label(out, &Label::White(AnyValue::Entailing(value)))
    })?;
    out.write_all(b"}\n")?;
    out.flush()
}

/// A nimber as a number, everything else as in the answers of `nimoon label`.
fn label(out: &mut impl Write, label: &Label) -> io::Result<()> {
    match label {
        Label::White(AnyValue::General(outcomes)) | Label::Gray(Some(Cover::Mixed(outcomes))) => {
            json(out, &JsonOutcomes::new(outcomes))
        }
        Label::White(value) => match value.nimber() {
            Some(n) => write!(out, "{n}"),
            None => json(out, &JsonValue::from(value)),
        },
        Label::Gray(cover) => json(out, &cover.shape()),
    }
}

#[derive(Serialize)]
struct JsonOutcomes<'a> {
    win: JsonNimberSet<'a>,
    loss: JsonNimberSet<'a>,
    draw: JsonNimberSet<'a>,
}

impl<'a> JsonOutcomes<'a> {
    fn new(HeapOutcomes { win, loss, draw, .. }: &'a HeapOutcomes) -> Self {
        let [win, loss, draw] = [win, loss, draw].map(JsonNimberSet::from);
        Self { win, loss, draw }
    }
}

fn json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    Ok(serde_json::to_writer(out, value)?)
}

fn field(out: &mut impl Write, name: &str, value: &impl Serialize) -> io::Result<()> {
    write!(out, ",\"{name}\":")?;
    json(out, value)
}

/// Writes a field with a list, entry by entry.
fn list<W: Write, T>(
    out: &mut W,
    name: &str,
    entries: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut W, T) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, ",\n\"{name}\":[")?;
    for (i, entry) in entries.into_iter().enumerate() {
        if i > 0 {
            out.write_all(b",")?;
        }
        write(out, entry)?;
    }
    out.write_all(b"]")
}

fn numbers(out: &mut impl Write, numbers: &[u32]) -> io::Result<()> {
    out.write_all(b"[")?;
    for (i, number) in numbers.iter().enumerate() {
        if i > 0 {
            out.write_all(b",")?;
        }
        write!(out, "{number}")?;
    }
    out.write_all(b"]")
}
