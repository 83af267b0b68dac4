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
//! ## Why it is exact
//! The rules are sound: each says of x + *k that the mover, or the opponent, has an answer to every
//! move, by facts that were derived before, so that play ends. They are complete, since a level without
//! a new value is the last, and what has won every level up to there wins every level. The module
//! `levels` states them as facts about one heap at a time; `docs/design.md`, "The carry-on
//! theory, level by level", has the proofs.
//!
//! ## Cost
//! Arcs × (largest value + 2).
//!
//! ## References
//! [ACLNSS, §2, Algorithm 8, Thm 2.3 to 2.5]

use std::ops::Range;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::cut::Cut;
use crate::digraph::{Digraph, Node, Rows};
use crate::effort::Effort;
use crate::labelling::{Label, Labelling, LabellingBuilder, unknown};
use crate::nimbers::NimberSet;
use crate::theory::chains::{ChainMove, Chains};
use crate::theory::levels::{self, Levels, Moves};
use crate::theory::sets::NodeSets;
use crate::theory::{LabelProgress, Theory};
use crate::value::{AnyValue, Cover, Value};

/// Labels a digraph whose gray nodes have at most one option.
pub(crate) fn label(
    digraph: &Digraph,
    cut: Cut,
    effort: &Effort,
    watch: &mut dyn FnMut(LabelProgress),
) -> Labelling {
    let chains = Chains::new(digraph);
    let collapsed = Collapsed::new(digraph, &chains, cut);
    let Collapsed { ordinary, again, .. } = &collapsed;
    let pending =
        |node| collapsed.is_labelled(digraph, node).then(|| collapsed.pending[node as usize]);
    let moves = Moves { ordinary, again: Some(again), pending: &pending };
    let levels = levels::solve(&moves, cut, effort, watch);
    if levels.unsettled.is_some() {
        return as_far_as_known(digraph, &chains, &collapsed, levels);
    }
    let forced = NodeSets::reached(&levels, again, Some(again), cut);
    let direct = NodeSets::reached(&levels, ordinary, Some(again), cut);
    let Levels { nimbers, order, moons, work, .. } = levels;
    let mut builder = LabellingBuilder::from_codes(nimbers);
    let mut is_moon = FixedBitSet::with_capacity(digraph.len());
    is_moon.extend(moons.iter().map(|&node| node as usize));
    // Nodes with the same set and kind share a label, which is looked up once for each.
    let mut places: FxHashMap<(bool, usize, usize), u32> = FxHashMap::default();
    for node in digraph.nodes() {
        if builder.is_nimber(node) || !collapsed.is_labelled(digraph, node) {
            continue;
        }
        let is_moon = is_moon.contains(node as usize);
        let key = (is_moon, forced.place(node), if is_moon { 0 } else { direct.place(node) });
        let place = *places.entry(key).or_insert_with(|| {
            let value = match forced.get(node).as_slice() {
                _ if is_moon => Value::Moon(forced.get(node).clone()),
                [] => Value::Cyclic(direct.get(node).clone()),
                [f] => Value::Ninny(*f),
                several => unreachable!("two forced values {several:?} make a moon"),
            };
            builder.place(Label::White(AnyValue::CarryOn(value)))
        });
        builder.set_place(node, place);
    }
    label_full_moons(&collapsed, &mut builder);
    label_gray(digraph, &chains, &mut builder);
    builder.finish(Theory::CarryOn, order, work)
}

/// The full moons, the nimbers that were found before the levels were interrupted, and the gray nodes
/// that lead to either.
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
            let label = match onto {
                ChainMove::Again(white) | ChainMove::Ordinary(white)
                    if builder.value_of(builder.code(white)).is_none() =>
                {
                    unknown(true, 0)
                }
                _ => Label::Gray(cover(onto, |node| builder.value_of(builder.code(node)))),
            };
            builder.place(label)
        });
        builder.set_place(gray, place);
    }
}

/// What a gray node covers, given what a move onto it amounts to.
fn cover(onto: ChainMove, value: impl Fn(Node) -> Option<Value>) -> Option<Cover> {
    let before = |white| match value(white)? {
        Value::Nimber(n) => Some(Cover::Heaps(NimberSet::all_except([n]))),
        Value::FullMoon => Some(Cover::NewMoon),
        Value::Moon(_) => Some(Cover::Heaps(NimberSet::everything())),
        Value::Ninny(_) | Value::Cyclic(_) => None,
    };
    match onto {
        ChainMove::Again(white) => before(white),
        ChainMove::Ordinary(white) => before(white).map(Cover::complement),
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
                *pending += 1;
                match chains.by(digraph, option) {
                    ChainMove::Ordinary(to) => found.ordinary.push((to, from)),
                    ChainMove::Again(to) => found.again.push((to, from)),
                    ChainMove::Endless => {}
                    // Suicide loses against everything; who wins at once has no need of the rest.
                    ChainMove::Loses => *pending -= 1,
                    ChainMove::Wins => {
                        *pending -= 1;
                        found.wins.push(from);
                    }
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
    use crate::{Budget, Digraph, Theory, label};

    fn values(len: usize, gray: &[u32], arcs: &[(u32, u32)]) -> Vec<String> {
        let digraph = Digraph::new(len, gray.iter().copied(), arcs.to_vec()).unwrap();
        let labelling = label(&digraph, Some(Theory::CarryOn), Budget::DEFAULT).unwrap();
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
