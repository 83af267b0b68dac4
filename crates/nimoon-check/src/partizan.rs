//! Loopy partizan games: how two of them compare, and which stoppers are the sides of a graph.
//!
//! a⁺ ≥ b⁺ means that Left, moving second, *survives* a − b: Left gets the last move, or infinitely
//! many moves are made in a. In a − b a player moves in a by their own edges, and in b by the
//! opponent's. a⁻ ≥ b⁻ is (−b)⁺ ≥ (−a)⁺, where −a has Left and Right exchanged. A *state* is a pair
//! of vertices with the player to move. The certificate lists states with ranks, and with a move of
//! the player whose strategy it is. If a state is listed twice the last entry counts, and is
//! checked like all others.
//!
//! **It holds** if the pair of starts is listed with Right to move, and
//!
//! - with Left to move, the move leads to a listed state, and if it is made in b, the rank falls;
//! - with Right to move, every move leads to a listed state, and if it is made in b, the rank
//!   falls.
//!
//! Left is never stuck. In endless play the rank falls with each move in b, so there are infinitely
//! many in a.
//!
//! **It fails** if the same is listed, and
//!
//! - with Right to move, the move leads to a listed state, and the rank does not rise; if it is
//!   made in a, the rank falls;
//! - with Left to move, the same is true for every move.
//!
//! Right is never stuck. In endless play the rank falls with each move in a, so there are finitely
//! many.
//!
//! A graph is a *stopper* if no play with alternating moves goes on for ever. The check repeatedly
//! removes states all of whose options were removed. If G⁺ = S⁺ for a stopper S, it is the onside
//! of G, and if G⁻ = T⁻, T is the offside; if S = T then G = S. The claim does not say that S is
//! the simplest such graph.

use std::collections::HashMap;

use serde::Deserialize;

use crate::Claim;
use crate::remoteness::check_states;
use crate::watch::{Unproved, Watch};

/// A graph with Left and Right edges, as it is read.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct GraphFields {
    nodes: Vec<String>,
    left: Vec<(u32, u32)>,
    right: Vec<(u32, u32)>,
    start: u32,
}

/// A graph with Left and Right edges: options by vertex and player, 0 for Left.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    options: Vec<[Vec<u32>; 2]>,
    start: u32,
}

impl Graph {
    pub(crate) fn new(fields: GraphFields, at: &str, watch: &Watch) -> Result<Self, Unproved> {
        let GraphFields { nodes, left, right, start } = fields;
        let vertices = u32::try_from(nodes.len()).unwrap_or(0);
        if start >= vertices {
            return Err(Unproved::wrong(format!("{at}.start"), "unknown vertex"));
        }
        let edges = left.len() + right.len();
        watch.hold(held(nodes.len(), edges))?;
        let mut options = vec![[Vec::new(), Vec::new()]; nodes.len()];
        for (player, (edges, list)) in [(left, "left"), (right, "right")].into_iter().enumerate() {
            for (i, (from, to)) in edges.into_iter().enumerate() {
                watch.step(1)?;
                if from >= vertices || to >= vertices {
                    let at = format!("{at}.{list}[{i}]");
                    return Err(Unproved::wrong(at, "unknown vertex"));
                }
                options[from as usize][player].push(to);
            }
        }
        Ok(Self { options, start })
    }

    pub(crate) fn len(&self) -> usize {
        self.options.len()
    }

    /// How many vertices there are, in words.
    pub(crate) fn size(&self) -> String {
        let vertices = self.len();
        format!("{vertices} {}", if vertices == 1 { "vertex" } else { "vertices" })
    }

    pub(crate) fn options(&self, vertex: u32, player: usize) -> &[u32] {
        &self.options[vertex as usize][player]
    }

    fn negative(&self, watch: &Watch) -> Result<Self, Unproved> {
        let edges = self.options.iter().map(|[left, right]| left.len() + right.len()).sum();
        watch.hold(held(self.len(), edges))?;
        let mut negative = self.clone();
        negative.options.iter_mut().for_each(|both| both.swap(0, 1));
        Ok(negative)
    }

    /// Whether no play with alternating moves from the start goes on for ever.
    fn is_stopper(&self, watch: &Watch) -> Result<bool, Unproved> {
        /// The bytes of a vertex, for both players.
        const EACH: usize = 2 * size_of::<(bool, Vec<usize>, usize)>() + size_of::<bool>();
        watch.room(self.len().saturating_mul(EACH))?;
        let state = |vertex: u32, player: usize| 2 * vertex as usize + player;
        let mut reached = vec![false; 2 * self.len()];
        let mut before = vec![Vec::new(); 2 * self.len()];
        let mut open = vec![0_usize; 2 * self.len()];
        // Either player may start, and in a sum a player may move again: all vertices that edges
        // reach count.
        let mut vertices = vec![self.start];
        let mut seen = vec![false; self.len()];
        seen[self.start as usize] = true;
        let mut gone = Vec::new();
        while let Some(vertex) = vertices.pop() {
            for player in [0, 1] {
                let from = state(vertex, player);
                reached[from] = true;
                let options = self.options(vertex, player);
                watch.step(1 + options.len())?;
                open[from] = options.len();
                if options.is_empty() {
                    gone.push(from);
                }
                for &to in options {
                    before[state(to, 1 - player)].push(from);
                    if !std::mem::replace(&mut seen[to as usize], true) {
                        vertices.push(to);
                    }
                }
            }
        }
        let mut left = reached.iter().filter(|&&reached| reached).count();
        while let Some(state) = gone.pop() {
            left -= 1;
            watch.step(before[state].len())?;
            for &from in &before[state] {
                open[from] -= 1;
                if open[from] == 0 {
                    gone.push(from);
                }
            }
        }
        Ok(left == 0)
    }
}

/// The bytes of a graph of this size.
fn held(vertices: usize, edges: usize) -> usize {
    let both = vertices.saturating_mul(size_of::<[Vec<u32>; 2]>());
    both.saturating_add(edges.saturating_mul(size_of::<u32>()))
}

/// The proof that a relation holds, or fails.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shown {
    holds: bool,
    strategy: Vec<State>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    /// The vertices of a and b.
    at: (u32, u32),
    mover: Player,
    rank: u32,
    /// The component of the move, and its target.
    play: Option<(Component, u32)>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
enum Player {
    Left,
    Right,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Component {
    First,
    Second,
}

impl Player {
    fn index(self) -> usize {
        usize::from(self == Self::Right)
    }

    fn opponent(self) -> Self {
        if self == Self::Left { Self::Right } else { Self::Left }
    }
}

/// Checks the claim that a⁺ ≥ b⁺ holds, or fails.
fn check_order(
    (a, b): (&Graph, &Graph),
    shown: &Shown,
    at: &str,
    watch: &Watch,
) -> Result<(), Unproved> {
    /// The bytes of a state in the map of ranks.
    const STATE: usize = 2 * size_of::<((u32, u32), Player, u32)>();
    watch.room(shown.strategy.len().saturating_mul(STATE))?;
    let reject =
        |i: usize, reason: &str| Err(Unproved::wrong(format!("{at}.strategy[{i}]"), reason));
    let mut ranks = HashMap::with_capacity(shown.strategy.len());
    for (i, state) in shown.strategy.iter().enumerate() {
        watch.step(1)?;
        if state.at.0 as usize >= a.len() || state.at.1 as usize >= b.len() {
            return reject(i, "unknown vertices");
        }
        ranks.insert((state.at, state.mover), state.rank);
    }
    if !ranks.contains_key(&((a.start, b.start), Player::Right)) {
        return Err(Unproved::wrong(at, "the start is not listed with Right to move"));
    }
    let ours = if shown.holds { Player::Left } else { Player::Right };
    for (i, &State { at: (u, v), mover, rank, play }) in shown.strategy.iter().enumerate() {
        let leads = |(component, to): (Component, u32)| {
            let to = if component == Component::First { (to, v) } else { (u, to) };
            let Some(&after) = ranks.get(&(to, mover.opponent())) else { return false };
            match (shown.holds, component) {
                (true, Component::First) => true,
                (false, Component::Second) => after <= rank,
                (true, Component::Second) | (false, Component::First) => after < rank,
            }
        };
        let in_first = a.options(u, mover.index());
        let in_second = b.options(v, mover.opponent().index());
        watch.step(in_first.len() + in_second.len())?;
        match play {
            Some((component, to)) if mover == ours => {
                let moves = if component == Component::First { in_first } else { in_second };
                if !moves.contains(&to) || !leads((component, to)) {
                    return reject(i, "the move is illegal, or not good for its player");
                }
            }
            None if mover != ours => {
                let all = in_first.iter().map(|&to| (Component::First, to));
                let mut all = all.chain(in_second.iter().map(|&to| (Component::Second, to)));
                if !all.all(leads) {
                    return reject(i, "a move has no answer");
                }
            }
            _ => {
                return reject(
                    i,
                    "expected a move for the player whose strategy it is, and for no other",
                );
            }
        }
    }
    Ok(())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Comparison {
    #[serde(rename = "certificate")]
    _kind: String,
    #[serde(rename = "version")]
    _version: u32,
    first: GraphFields,
    second: GraphFields,
    ge_plus: Shown,
    ge_minus: Shown,
    le_plus: Shown,
    le_minus: Shown,
    relation: String,
}

pub(crate) fn check_comparison(certificate: Comparison, watch: &Watch) -> Result<Claim, Unproved> {
    let Comparison { first, second, ge_plus, ge_minus, le_plus, le_minus, relation, .. } =
        certificate;
    let a = Graph::new(first, "first", watch)?;
    let b = Graph::new(second, "second", watch)?;
    let (minus_a, minus_b) = (a.negative(watch)?, b.negative(watch)?);
    check_order((&a, &b), &ge_plus, "ge_plus", watch)?;
    check_order((&minus_b, &minus_a), &ge_minus, "ge_minus", watch)?;
    check_order((&b, &a), &le_plus, "le_plus", watch)?;
    check_order((&minus_a, &minus_b), &le_minus, "le_minus", watch)?;
    let (ge, le) = (ge_plus.holds && ge_minus.holds, le_plus.holds && le_minus.holds);
    let (right, words) = match (ge, le) {
        (true, true) => ("=", "the first game equals the second"),
        (true, false) => (">", "the first game is greater than the second"),
        (false, true) => ("<", "the first game is less than the second"),
        (false, false) => ("||", "neither of the two games is at least the other"),
    };
    if relation != right {
        return Err(Unproved::wrong("relation", format!("the four relations give {right}")));
    }
    let sentence = format!(
        "{words}; a⁺ ≥ b⁺ {}, a⁻ ≥ b⁻ {}, a⁺ ≤ b⁺ {}, a⁻ ≤ b⁻ {}, by strategies",
        holds(&ge_plus),
        holds(&ge_minus),
        holds(&le_plus),
        holds(&le_minus)
    );
    Ok(Claim { sentence, given: vec!["the two graphs as they are listed".to_owned()] })
}

fn holds(shown: &Shown) -> &'static str {
    if shown.holds { "holds" } else { "fails" }
}

/// A side with the strategies that prove it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Side {
    graph: GraphFields,
    /// The game is at least the side, and at most.
    ge: Shown,
    le: Shown,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Loopy {
    #[serde(rename = "certificate")]
    _kind: String,
    #[serde(rename = "version")]
    _version: u32,
    given: GraphFields,
    stopper: bool,
    remoteness: Vec<[Option<u32>; 2]>,
    onside: Option<Side>,
    offside: Option<Side>,
}

pub(crate) fn check_loopy(certificate: Loopy, watch: &Watch) -> Result<Claim, Unproved> {
    let Loopy { given, stopper, remoteness, onside, offside, .. } = certificate;
    let graph = Graph::new(given, "given", watch)?;
    check_states(&graph, false, &remoteness, watch)?;
    if graph.is_stopper(watch)? != stopper {
        return Err(Unproved::wrong("stopper", "the graph says otherwise"));
    }
    let is_equal = match (&onside, &offside) {
        (Some(onside), Some(offside)) => onside.graph == offside.graph,
        _ => false,
    };
    let mut said = Vec::new();
    for (side, at) in [(onside, "onside"), (offside, "offside")] {
        let Some(Side { graph: fields, ge, le }) = side else { continue };
        let form = Graph::new(fields, at, watch)?;
        if !form.is_stopper(watch)? {
            return Err(Unproved::wrong(format!("{at}.graph"), "this graph is not a stopper"));
        }
        if !ge.holds || !le.holds {
            return Err(Unproved::wrong(at, "a side needs a proof of `at most` and of `at least`"));
        }
        let (ge_at, le_at) = (format!("{at}.ge"), format!("{at}.le"));
        if at == "onside" {
            check_order((&graph, &form), &ge, &ge_at, watch)?;
            check_order((&form, &graph), &le, &le_at, watch)?;
        } else {
            let (minus, minus_form) = (graph.negative(watch)?, form.negative(watch)?);
            check_order((&minus_form, &minus), &ge, &ge_at, watch)?;
            check_order((&minus, &minus_form), &le, &le_at, watch)?;
        }
        said.push(format!("the {at} listed, of {}", form.size()));
    }
    let winner = |first: usize| match remoteness[graph.start as usize][first] {
        None => "nobody can force a win",
        Some(r) if (r % 2 == 1) == (first == 0) => "Left wins",
        Some(_) => "Right wins",
    };
    let sides = match (is_equal, said.len()) {
        (true, _) => format!(
            "the game equals the stopper listed, {}",
            &said[0]["the onside listed, ".len()..]
        ),
        (false, 0) => "nothing is claimed of its sides".to_owned(),
        (false, _) => format!("the game has {}", said.join(" and ")),
    };
    let sentence = format!(
        "if Left starts {}, if Right starts {}; {sides}; the graph as given is {}a stopper",
        winner(0),
        winner(1),
        if stopper { "" } else { "not " }
    );
    Ok(Claim { sentence, given: vec!["the graph as it is listed".to_owned()] })
}
