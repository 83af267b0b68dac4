//! Certificates of values that have cycles and entailing moves of any outdegree, and of their order.

use nimoon::certificate::heaps;
use nimoon::certificate::strategy::{Answered, strategy};
use nimoon::impartial::control::{
    Control, Layers, Member, Pairs, Place, Prover, TotalProof, ValueProof, totals as total_proofs,
};
use nimoon::impartial::turn::solve;
use nimoon::{Digraph, Interrupted, Node, Outcome, Sum, Theory, Work, label};
use nimoon_formats::Names;
use nimoon_formats::write::json::Shaped as _;
use serde::Serialize;

use super::{NoCertificate, VERSION};

/// The values of all white nodes without a number.
pub(super) fn values(
    digraph: &Digraph,
    work: &Work,
) -> Result<Vec<(Node, ValueProof)>, Interrupted> {
    let mut work = work.child(work.limits());
    let layers = Layers::of(digraph, &work);
    if let Some(interrupted) = layers.interrupted() {
        return Err(interrupted);
    }
    Prover::new(digraph, &layers, &mut work)?.values(&mut work)
}

/// The values of partial sums of these pieces; none if one stands on a gray node.
pub(super) fn totals(
    digraph: &Digraph,
    values: &[(Node, ValueProof)],
    pieces: &[Node],
    work: &Work,
) -> Result<Option<Vec<TotalProof>>, Interrupted> {
    let mut work = work.child(work.limits());
    let layers = Layers::of(digraph, &work);
    let value = |&piece: &Node| {
        if let Some(n) = layers.number(piece) {
            Some(Control::number(n))
        } else {
            let found = values.binary_search_by_key(&piece, |&(node, _)| node).ok()?;
            Some(values[found].1.value.clone())
        }
    };
    let values: Option<Vec<Control>> = pieces.iter().map(value).collect();
    values.map(|values| total_proofs(&values, &mut work)).transpose()
}

/// A place: a number, or the number of a state.
#[derive(Serialize)]
#[serde(untagged)]
enum JsonPlace {
    State(u32),
    Number { n: u64 },
}

impl From<Place> for JsonPlace {
    fn from(place: Place) -> Self {
        match place {
            Place::State(state) => Self::State(state),
            Place::Number(n) => Self::Number { n },
        }
    }
}

/// What the mover can choose at a state.
#[derive(Serialize)]
struct JsonChoices {
    hand: Vec<u64>,
    keep: Vec<Vec<JsonPlace>>,
}

#[derive(Serialize)]
struct JsonControl {
    start: JsonPlace,
    states: Vec<JsonChoices>,
}

impl From<&Control> for JsonControl {
    fn from(value: &Control) -> Self {
        let states = value.states().iter().map(|members| {
            let mut choices = JsonChoices { hand: Vec::new(), keep: Vec::new() };
            for member in members {
                match member {
                    Member::Hand(k) => choices.hand.push(*k),
                    Member::Meet(results) => {
                        choices.keep.push(results.iter().map(|&place| place.into()).collect());
                    }
                }
            }
            choices
        });
        Self { start: value.start().into(), states: states.collect() }
    }
}

fn pairs(pairs: &Pairs) -> Vec<(u32, JsonPlace)> {
    pairs.iter().map(|&(p, q)| (p, q.into())).collect()
}

/// A value, and why something equals it.
#[derive(Serialize)]
pub(super) struct JsonProof {
    value: JsonControl,
    below: Vec<(u32, JsonPlace)>,
    above: Vec<(u32, JsonPlace)>,
}

impl JsonProof {
    pub(super) fn new(ValueProof { value, below, above }: &ValueProof) -> Self {
        Self { value: value.into(), below: pairs(below), above: pairs(above) }
    }
}

/// The value of a partial sum.
#[derive(Serialize)]
pub(super) struct JsonTotal {
    places: Vec<(JsonPlace, JsonPlace)>,
    equals: JsonProof,
}

impl JsonTotal {
    pub(super) fn new(TotalProof { places, proof }: &TotalProof) -> Self {
        let places = places.iter().map(|&(p, q)| (p.into(), q.into())).collect();
        Self { places, equals: JsonProof::new(proof) }
    }
}

/// A certificate of how two white nodes of a digraph compare.
#[derive(Serialize)]
pub struct OrderCertificate {
    certificate: &'static str,
    version: u32,
    nodes: Vec<String>,
    gray: Vec<Node>,
    options: Vec<Vec<Node>>,
    ranks: Vec<Vec<Option<u32>>>,
    x: Node,
    y: Node,
    below: JsonShown,
    above: JsonShown,
    relation: &'static str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonShown {
    Holds { pairs: Vec<(u32, JsonPlace)> },
    Fails { context: Node, first: JsonPlayed, second: JsonPlayed },
}

#[derive(Serialize)]
struct JsonPlayed {
    outcome: nimoon_formats::write::json::Json<Outcome>,
    strategy: Vec<JsonAnswered>,
}

#[derive(Serialize)]
struct JsonAnswered {
    at: Vec<Node>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    play: Option<(usize, Node)>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    holds: bool,
}

impl From<Answered> for JsonAnswered {
    fn from(Answered { at, rank, play, holds }: Answered) -> Self {
        Self { at, rank, play, holds }
    }
}

/// The parts of one digraph that come from different ones.
struct Joined {
    names: Names,
    gray: Vec<Node>,
    arcs: Vec<(Node, Node)>,
}

impl Joined {
    /// Adds a digraph, and says how many nodes come before it.
    fn add(&mut self, digraph: &Digraph, name: impl Fn(Node) -> String) -> Node {
        let first = self.names.len() as Node;
        for node in digraph.nodes() {
            let mut name = name(node);
            while self.names.node(&name).is_some() {
                name.push('\'');
            }
            self.names.intern(&name);
        }
        self.gray.extend(digraph.gray_nodes().map(|node| node + first));
        self.arcs.extend(digraph.arcs().map(|(from, to)| (from + first, to + first)));
        first
    }

    fn digraph(&self) -> Digraph {
        let made = Digraph::new(self.names.len(), self.gray.iter().copied(), self.arcs.clone());
        made.unwrap_or_else(|_| unreachable!("all arcs lead to nodes that were added"))
    }
}

impl OrderCertificate {
    /// Compares two white nodes. If one is not at most the other, a context that shows it is added to
    /// the digraph.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn new(
        digraph: &Digraph,
        names: &Names,
        (x, y): (Node, Node),
        work: &Work,
    ) -> Result<Self, NoCertificate> {
        let mut work = work.child(work.limits());
        let layers = Layers::of(digraph, &work);
        if let Some(interrupted) = layers.interrupted() {
            return Err(interrupted.into());
        }
        let prover = Prover::new(digraph, &layers, &mut work)?;
        let values = nimoon::impartial::control::values(digraph, &layers, &[x, y], &mut work)?;
        let mut joined = Joined { names: Names::default(), gray: Vec::new(), arcs: Vec::new() };
        joined.add(digraph, |node| names.name(node).into_owned());
        let mut found = Vec::new();
        for (low, high) in [(0, 1), (1, 0)] {
            let [of_low, of_high] = [low, high].map(|place| [x, y][place]);
            let holds = prover.below(of_low, of_high, &mut work)?;
            let context = values[low].context(&values[high], &mut work)?;
            found.push(match (holds, context) {
                (Some(pairs), _) => Ok(pairs),
                (None, Some(context)) => {
                    let first =
                        joined.add(&context.digraph, |node| context.names[node as usize].clone());
                    Err((of_low, of_high, context.start + first))
                }
                (None, None) => unreachable!("what is not below has a context"),
            });
        }
        let whole = joined.digraph();
        let mut shown = Vec::new();
        for found in found {
            shown.push(match found {
                Ok(found) => JsonShown::Holds { pairs: pairs(&found) },
                Err((low, high, context)) => JsonShown::Fails {
                    context,
                    first: played(&whole, [low, context], &work)?,
                    second: played(&whole, [high, context], &work)?,
                },
            });
        }
        let relation = match &shown[..] {
            [JsonShown::Holds { .. }, JsonShown::Holds { .. }] => "=",
            [JsonShown::Holds { .. }, _] => "<",
            [_, JsonShown::Holds { .. }] => ">",
            _ => "||",
        };
        let mut shown = shown.into_iter();
        let [Some(below), Some(above)] = [shown.next(), shown.next()] else {
            unreachable!("there are two directions");
        };
        Ok(Self {
            certificate: "order",
            version: VERSION,
            nodes: joined.names.iter().map(std::borrow::Cow::into_owned).collect(),
            gray: whole.gray_nodes().collect(),
            options: whole.nodes().map(|node| whole.options(node).to_vec()).collect(),
            ranks: heaps::ranks(&whole, &work)?,
            x,
            y,
            below,
            above,
            relation,
        })
    }
}

/// Who wins a sum of two pieces, with a strategy.
fn played(digraph: &Digraph, pieces: [Node; 2], work: &Work) -> Result<JsonPlayed, NoCertificate> {
    let labelling = label(digraph, Some(Theory::General), work)
        .unwrap_or_else(|_| unreachable!("every digraph fits the general theory"));
    let sum = Sum::new(digraph, &labelling, pieces.to_vec())
        .unwrap_or_else(|_| unreachable!("both pieces are white"));
    let outcome = solve(&sum, work)?.outcome;
    let found = strategy(&sum, None, work)?;
    let strategy = found.into_iter().map(Into::into).collect();
    Ok(JsonPlayed { outcome: outcome.shape(), strategy })
}
