//! Cyclic games with carry-on moves (Abuku, Carvalho, Larsson, Nowakowski, Santos, Suetsugu).
//!
//! Gray nodes have at most one option, so gray chains collapse to ordinary moves x → y,
//! carry-on moves x ↻ y, immediate wins and losses, and moves into gray circles
//! ([`chains`](super::chains)). Let wins(x) be the set of those k for which the mover is known
//! to win x + *k by playing in x first.
//!
//! - x is a full moon if it has an immediate win, or x ↻ y with y a full moon.
//! - x is a moon if wins(x) is everything.
//! - x has value m = mex wins(x) if every move of it loses against *m.
//! - D(x) holds the numbers that the mover can move to, F(x) those that the opponent can be made
//!   to move to: with a moon goes F, and of the nodes left over those with F = {f} are ninny f,
//!   those with F empty ∞_D. A node with two forced values is a moon.
//!
//! ## Departures from the source
//! [ACLNSS, Algorithm 8] applies the mex rule to gray options that are assigned already, and so
//! misses moons whose carry-on moves lead through nodes that stay unassigned; and the proof of
//! [ACLNSS, Thm 2.3] says that assignments are permanent, which they are not (a moon may turn
//! out to be a full moon). Here wins(x) takes every option into account, as the proof of
//! [ACLNSS, Thm 2.4] does, and full moons are found first. The tests
//! `the_printed_algorithm_misses_this_moon` and `a_full_moon_outranks_the_moon` show both.
//!
//! ## The rules, level by level
//! Full moons are found first, by plain reachability, and are then left out: a move *to* a full
//! moon loses beside everything and is not counted. For the other white nodes there are two kinds
//! of facts about a level k:
//!
//! - W(x, k), "x wins k": the mover wins x + *k by playing in x first;
//! - V(x, k), "x has value k".
//!
//! They follow from four rules:
//!
//! 1. W(x, k) if x → y and V(y, k).
//! 2. W(x, k) if x ↻ y and V(y, j) for some j < k.
//! 3. W(x, k) if x ↻ y and W(y, k).
//! 4. V(x, k) if W(x, j) for all j < k; and for each x → y, y is a full moon, or V(y, j) for some
//!    j < k, or W(y, k); and for each x ↻ y, V(y, k); and x has no move into a circle of gray
//!    nodes.
//!
//! ## Why it is exact
//! **The rules are sound.** By induction on the order in which facts are derived, W(x, k) says that
//! the mover wins x + *k, and V(x, k) that the previous player does. Rule 1 moves to a lost
//! position. In rule 2 the mover carries on to y and then moves in the heap, from *k to *j. Rule 3
//! is plain. In rule 4 every move loses:
//!
//! - a move in the heap, to *j, is answered by W(x, j);
//! - a move to a full moon is answered by checkmate;
//! - a move to a y of value j < k is answered by a move in the heap, to *j;
//! - a move to a y with W(y, k) is answered by that win;
//! - a carry-on move to a y of value k leaves the same player to move in y + *k, which is lost;
//! - a move that leaves its mover stuck loses anyway.
//!
//! Each answer rests on facts derived earlier, so play ends. Hence no node has two values, and none
//! has both V(x, k) and W(x, k). That x then equals *k in all sums is [ACLNSS, Thm 2.4 and 2.5].
//!
//! **They are the rules of the paper's proof.** That proof speaks of wins(x). For x ↻ y, the node y
//! contributes everything but j if y has value j, everything if y is a moon, and wins(y) otherwise.
//! If y has a value above k, then k is in wins(y), since the value is the mex of wins(y); if y is a
//! moon, k is in wins(y) too. In both cases rule 3 covers it, and rule 2 covers what is left. In
//! the same way rule 4 need not speak of values above k.
//!
//! **A fact about level k follows from facts about levels up to k.** This can be read off the
//! rules. They are also monotone: more facts never make fewer. So there is one least set of facts,
//! and settling the levels one after the other, each to its end, finds it.
//!
//! **A level without a new value is the last.** Let level K assign no value. Rule 1 gives nothing
//! there, so W(x, K) holds exactly for the set S of nodes from which carry-on moves reach a node of
//! value below K. Suppose that some later level assigns a value, let L be the first such level and
//! x its first node. By rule 4, W(x, K) holds, so x is in S and has a carry-on move x ↻ y. By rule
//! 4 again, V(y, L) was derived before V(x, L). But x was the first.
//!
//! **A node that has then won every level is a moon.** For k ≥ K, W(x, k) holds exactly for the
//! nodes of S, by the same argument. So a node that has won all levels from 0 to K wins all levels:
//! the mover beats every nim-heap. A node that has not won them all does not. Every moon is in S,
//! so its mover can make the opponent move to some number, and its F is not empty.
//!
//! **The remaining nodes.** D and F are reachability over carry-on moves. If F has two elements, f
//! and f', then x wins all levels but f by carrying on to *f, and f by carrying on to *f': it is a
//! moon. So an unassigned node has F empty, which makes it ∞_D, or F = {f}, which makes it ninny f.
//!
//! ## Cost
//! Arcs × (largest value + 2): the levels with a value, and one without. Within a level each node
//! needs one counter, of the moves that do not yet lose beside *k, and each arc is visited at most
//! twice.
//!
//! The algorithms of the papers visit all nodes again in each step. There can be as many steps as
//! nodes, so that work is quadratic. Here a node reacts to events: a neighbour got a value, or won
//! the level. The rounds of the papers' figures are computed separately, on request
//! ([`rounds`](crate::impartial::rounds)).
//!
//! ## References
//! [ACLNSS, §2, Algorithm 8, Thm 2.3 to 2.5]

use std::ops::Range;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::graph::digraph::{Digraph, Node, Rows};
use crate::graph::partition::Cut;
use crate::impartial::labelling::{Label, Labelling, LabellingBuilder, unknown};
use crate::impartial::nimbers::Nimbers;
use crate::impartial::theory::Theory;
use crate::impartial::theory::chains::{ChainMove, Chains};
use crate::impartial::theory::levels::{self, LevelState, Levels, Moves};
use crate::impartial::theory::sets::NodeSets;
use crate::impartial::value::{AnyValue, Cover, Value};
use crate::limits::Work;

/// Labels a digraph whose gray nodes have at most one option.
pub(crate) fn label(digraph: &Digraph, cut: Cut, work: &Work) -> Labelling {
    let chains = Chains::new(digraph);
    let collapsed = Collapsed::new(digraph, &chains, cut);
    let Collapsed { ordinary, again, .. } = &collapsed;
    let start = |node| {
        if digraph.is_gray(node) {
            LevelState::GRAY
        } else if collapsed.full_moons.contains(node as usize) {
            LevelState::FULL_MOON
        } else {
            LevelState::open(collapsed.pending[node as usize])
        }
    };
    let moves = Moves { ordinary, again: Some(again), start: &start };
    let levels = levels::solve(&moves, cut, work);
    if levels.unsettled.is_some() {
        return as_far_as_known(digraph, &chains, &collapsed, levels);
    }
    let forced = NodeSets::reached(&levels, again, Some(again), cut);
    let direct = NodeSets::reached(&levels, ordinary, Some(again), cut);
    let Levels { nimbers, order, moons, work, .. } = levels;
    let mut builder = LabellingBuilder::from_codes(nimbers);
    // Nodes with the same set and kind share a label, which is looked up once for each.
    let mut places: FxHashMap<(bool, usize, usize), u32> = FxHashMap::default();
    for node in digraph.nodes() {
        if builder.is_nimber(node) || !collapsed.is_labelled(digraph, node) {
            continue;
        }
        let is_moon = moons.contains(node as usize);
        let key = (is_moon, forced.place(node), if is_moon { 0 } else { direct.place(node) });
        let place = *places.entry(key).or_insert_with(|| {
            let value = value(is_moon, forced.get(node), direct.get(node));
            builder.place(Label::White(AnyValue::CarryOn(value)))
        });
        builder.set_place(node, place);
    }
    label_full_moons(&collapsed, &mut builder);
    label_gray(digraph, &chains, &mut builder);
    builder.finish(Theory::CarryOn, order, work)
}

/// The full moons, the nimbers that were found before the levels were interrupted, and the gray
/// nodes that lead to either.
fn as_far_as_known(
    digraph: &Digraph,
    chains: &Chains,
    collapsed: &Collapsed,
    levels: Levels,
) -> Labelling {
    let Levels { nimbers, order, work, unsettled, .. } = levels;
    let mut builder = LabellingBuilder::from_codes(nimbers);
    if let Some((_, won)) = &unsettled {
        for (node, &won) in digraph.nodes().zip(won) {
            if !builder.is_nimber(node) {
                builder.set(node, unknown(false, won));
            }
        }
    }
    label_full_moons(collapsed, &mut builder);
    label_gray(digraph, chains, &mut builder);
    match unsettled {
        Some((interrupted, _)) => {
            builder.finish_interrupted(Theory::CarryOn, order, work, interrupted)
        }
        None => builder.finish(Theory::CarryOn, order, work),
    }
}

fn label_full_moons(collapsed: &Collapsed, builder: &mut LabellingBuilder) {
    let full_moon = builder.place(Label::White(AnyValue::CarryOn(Value::FullMoon)));
    for node in collapsed.full_moons.ones() {
        builder.set_place(node as Node, full_moon);
    }
}

/// Labels the gray nodes by what they cover, when the white ones are labelled.
fn label_gray(digraph: &Digraph, chains: &Chains, builder: &mut LabellingBuilder) {
    // What is covered depends on the kind of move and the label of the node that it leads to.
    let mut places: FxHashMap<(ChainMove, u32), u32> = FxHashMap::default();
    for gray in digraph.gray_nodes() {
        let onto = chains.onto(gray);
        let key = match onto {
            ChainMove::Again(white) => (ChainMove::Again(0), builder.code(white)),
            ChainMove::Ordinary(white) => (ChainMove::Ordinary(0), builder.code(white)),
            _ => (onto, 0),
        };
        let place = *places.entry(key).or_insert_with(|| {
            let end = onto.end().map(|white| builder.value_of(builder.code(white)));
            let label = match end {
                Some(None) => unknown(true, 0),
                end => Label::Gray(cover(onto, end.flatten().as_ref())),
            };
            builder.place(label)
        });
        builder.set_place(gray, place);
    }
}

/// The value of a white node that is not a full moon and has no nimber: `forced` are the numbers
/// that the opponent can be made to move to, `exits` those that the mover can move to.
///
/// ```
/// use nimoon::{Nimbers, Value, impartial::theory::carry_on};
/// let [none, two] = [Nimbers::EMPTY, Nimbers::from([2])];
/// assert_eq!(carry_on::value(false, &two, &none), Value::Ninny(2));
/// assert_eq!(carry_on::value(false, &none, &two), Value::Cyclic(two));
/// ```
pub fn value(is_moon: bool, forced: &Nimbers, exits: &Nimbers) -> Value {
    match forced.as_slice() {
        _ if is_moon => Value::Moon(forced.clone()),
        [f, others @ ..] => {
            debug_assert!(others.is_empty(), "two forced values make a moon");
            Value::Ninny(*f)
        }
        [] => Value::Cyclic(exits.clone()),
    }
}

/// What a gray node covers, given what a move onto it amounts to and the value of the white node at
/// the end of its chain; none where neither player wins.
///
/// ```
/// use nimoon::{Cover, NimberSet, Value, impartial::theory::carry_on, impartial::theory::chains::ChainMove};
/// let covered = carry_on::cover(ChainMove::Again(0), Some(&Value::Nimber(3)));
/// assert_eq!(covered, Some(Cover::Heaps(NimberSet::all_except([3]))));
/// ```
pub fn cover(onto: ChainMove, end: Option<&Value>) -> Option<Cover> {
    match onto {
        ChainMove::Again(_) => match end? {
            Value::FullMoon => Some(Cover::NewMoon),
            value @ (Value::Nimber(_) | Value::Moon(_)) => Some(Cover::Heaps(value.wins_beside())),
            Value::Ninny(_) | Value::Cyclic(_) => None,
        },
        ChainMove::Ordinary(white) => cover(ChainMove::Again(white), end).map(Cover::complement),
        ChainMove::Wins => Some(Cover::NewMoon),
        ChainMove::Loses => Some(Cover::FullMoon),
        ChainMove::Endless => None,
    }
}

/// The moves that the gray chains leave, between white nodes.
struct Collapsed {
    /// From where ordinary moves and carry-on moves lead to each node.
    ordinary: Rows,
    again: Rows,
    full_moons: FixedBitSet,
    /// For each white node, the number of its moves that may not lose.
    pending: Vec<u32>,
}

/// What the moves of the white nodes of a range amount to.
#[derive(Default)]
struct Found {
    /// Where ordinary moves and carry-on moves lead, and from where.
    ordinary: Vec<(Node, Node)>,
    again: Vec<(Node, Node)>,
    /// For each node of the range, the number of its moves that may not lose.
    pending: Vec<u32>,
    /// The nodes with a move that wins at once, some of them often.
    wins: Vec<Node>,
}

impl Found {
    fn new(digraph: &Digraph, chains: &Chains, range: Range<usize>) -> Self {
        let mut found = Self { pending: vec![0; range.len()], ..Self::default() };
        // Most moves are ordinary ones in most digraphs.
        let options = |node: usize| digraph.options(node as Node);
        found.ordinary.reserve_exact(range.clone().map(|node| options(node).len()).sum());
        for (node, pending) in range.zip(&mut found.pending) {
            let from = node as Node;
            if digraph.is_gray(from) {
                continue;
            }
            for &option in options(node) {
                let onto = chains.by(digraph, option);
                *pending += u32::from(onto.is_pending());
                match onto {
                    ChainMove::Ordinary(to) => found.ordinary.push((to, from)),
                    ChainMove::Again(to) => found.again.push((to, from)),
                    ChainMove::Wins => found.wins.push(from),
                    ChainMove::Loses | ChainMove::Endless => {}
                }
            }
        }
        found
    }
}

impl Collapsed {
    /// Looks every move up once: where a chain leads is a cache miss for most of them.
    fn new(digraph: &Digraph, chains: &Chains, cut: Cut) -> Self {
        let ranges = cut.ranges(digraph.len());
        let found = cut.each(ranges, |range| Found::new(digraph, chains, range));
        let mut pending = Vec::with_capacity(digraph.len());
        let mut full_moons = FixedBitSet::with_capacity(digraph.len());
        let (mut ordinary, mut again) = (Vec::new(), Vec::new());
        let mut new: Vec<Node> = Vec::new();
        for part in found {
            pending.extend(part.pending);
            ordinary.push(part.ordinary);
            again.push(part.again);
            new.extend(part.wins.into_iter().filter(|&node| !full_moons.put(node as usize)));
        }
        let ordinary = Rows::of_lists(digraph.len(), ordinary, cut);
        let again = Rows::of_lists(digraph.len(), again, cut);
        while let Some(node) = new.pop() {
            // A move to a full moon loses against everything.
            for &from in ordinary.row(node) {
                pending[from as usize] -= 1;
            }
            for &from in again.row(node) {
                if !full_moons.put(from as usize) {
                    new.push(from);
                }
            }
        }
        Self { ordinary, again, full_moons, pending }
    }

    /// Whether a node is white and not a full moon.
    fn is_labelled(&self, digraph: &Digraph, node: Node) -> bool {
        !digraph.is_gray(node) && !self.full_moons.contains(node as usize)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Digraph, Theory, Work, label};

    fn values(len: usize, gray: &[u32], arcs: &[(u32, u32)]) -> Vec<String> {
        let digraph = Digraph::new(len, gray.iter().copied(), arcs.to_vec()).unwrap();
        let labelling = label(&digraph, Some(Theory::CarryOn), &Work::default()).unwrap();
        let text = |node| match labelling.label(node) {
            crate::Label::White(value) => value.to_string(),
            crate::Label::Gray(Some(cover)) => cover.to_string(),
            crate::Label::Gray(None) => "-".to_owned(),
        };
        digraph.nodes().map(text).collect()
    }

    #[test]
    fn the_printed_algorithm_misses_this_moon() {
        // z; g1 gray → z; c → c, g1; g2 gray → c; x → z, g2; and y whose only option is x.
        let [z, g1, c, g2, x, y] = [0, 1, 2, 3, 4, 5];
        let arcs = [(g1, z), (c, c), (c, g1), (g2, c), (x, z), (x, g2), (y, x)];
        let expected = ["0", "all but {0}", "∞*₀", "-", "☾₀", "0"];
        assert_eq!(values(6, &[g1, g2], &arcs), expected);
    }

    #[test]
    fn a_full_moon_outranks_the_moon() {
        // z; h gray → z; t gray, terminal; y → t; g gray → y; x → z, h, g.
        let [z, h, t, y, g, x] = [0, 1, 2, 3, 4, 5];
        let arcs = [(h, z), (y, t), (g, y), (x, z), (x, h), (x, g)];
        let expected = ["0", "all but {0}", "●", "○", "●", "○"];
        assert_eq!(values(6, &[h, t, g], &arcs), expected);
    }

    #[test]
    fn a_move_into_a_gray_circle_is_a_draw() {
        // 1 and 2 are a gray circle, 0 may enter it, 3 may pass through 0 or stop.
        assert_eq!(values(3, &[1, 2], &[(0, 1), (1, 2), (2, 1)]), ["∞", "-", "-"]);
    }
}
