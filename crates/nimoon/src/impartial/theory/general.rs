//! Cycles with entailing moves of any outdegree, labelled by the [algebra of control](crate::impartial::control).
//!
//! - The [layers](Layers) give the numbers, the order in which they were found, and the outcomes of all other nodes beside every nim-heap.
//! - What a player in control can do gives the values of white nodes without a number. One that a smaller theory has too is labelled as
//!   there.
//! - A gray node covers the heaps beside which it is lost, as in the entailing theory.
//!
//! ## Limits
//! The values of duels can be exponentially long. When a limit is hit while they are computed, the numbers and the full moons are known, and
//! of the other nodes the outcomes beside all nim-heaps and the numbers that can be forced: a label has these then in place of a value.
//!
//! ## Heap by heap
//! [`begin`], [`hear`], [`improve`] and [`node_label`] are rules for the outcomes beside nim-heaps alone, node by node, for digraphs that are
//! spread over several machines. Beside *k a player on a white node may also move in the heap, and what that is worth is the best of the
//! outcomes beside smaller heaps. This only improves as k grows, and the outcomes beside *k depend on k through it alone. So the heaps are
//! taken in order, each by retrograde analysis, until a heap improves no node: from there on nothing changes. With n nodes that happens
//! after at most 2n + 1 heaps, each improvement being from a loss to a draw or a win, or from a draw to a win.
//!
//! ## Cost
//! Arcs × (number of layers), and what the [values](crate::impartial::control) take.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::control::{Forcing, Layers, each_value};
use crate::impartial::labelling::{Label, Labelling, LabellingBuilder};
use crate::impartial::nimbers::{NimberSet, Nimbers};
use crate::impartial::theory::Theory;
use crate::impartial::value::{AnyValue, Cover, HeapOutcomes, Value};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// How many steps each position of a limit allows for the values of duels.
const STEPS_PER_POSITION: u64 = 16;

/// So many different numbers are tried where a value is not known.
const FORCED: u64 = 64;

/// Labels any digraph.
pub(crate) fn label(digraph: &Digraph, work: &Work) -> Labelling {
    let layers = Layers::of_admitted(digraph, work);
    let mut builder = LabellingBuilder::new(digraph);
    let mut known = FixedBitSet::with_capacity(digraph.len());
    let found = match layers.interrupted() {
        Some(interrupted) => Err(interrupted),
        None => values(digraph, &layers, &mut builder, &mut known, work),
    };
    let complete = layers.interrupted().is_none();
    let forced = match found {
        Err(_) if complete => Forced::of(digraph, &layers, work),
        _ => Forced::default(),
    };
    let mut places = FxHashMap::default();
    for node in digraph.nodes().filter(|&node| !known.contains(node as usize)) {
        if let Some(n) = layers.number(node) {
            builder.set_nimber(node, n as u32);
            continue;
        }
        let is_gray = digraph.is_gray(node);
        let forced = if is_gray { None } else { forced.at(node) };
        if forced.as_ref().is_some_and(NimberSet::is_everything) {
            builder.set(node, Label::White(AnyValue::CarryOn(Value::FullMoon)));
            continue;
        }
        let key = (is_gray, layers.changes(node), forced);
        let place = *places.entry(key).or_insert_with_key(|(_, _, forced)| {
            let outcomes = HeapOutcomes { forced: forced.clone(), ..layers.outcomes(node) };
            builder.place(label_of(is_gray, outcomes, complete))
        });
        builder.set_place(node, place);
    }
    drop(places);
    let cost = digraph.arc_count() as u64 * layers.len() as u64;
    let order = layers.into_order();
    match found {
        Ok(()) => builder.finish(Theory::General, order, cost),
        Err(interrupted) => builder.finish_interrupted(Theory::General, order, cost, interrupted),
    }
}

/// Labels the white nodes without a number by their values, as far as these are found.
fn values(
    digraph: &Digraph,
    layers: &Layers,
    builder: &mut LabellingBuilder,
    known: &mut FixedBitSet,
    work: &Work,
) -> Result<(), Interrupted> {
    let limits = work.limits();
    let steps = limits.positions.saturating_mul(STEPS_PER_POSITION);
    let mut work = work.child(limits.positions(steps));
    each_value(digraph, layers, &mut work, |nodes, value| {
        let place = builder.place(Label::White(value.into()));
        for &node in nodes {
            known.insert(node as usize);
            builder.set_place(node, place);
        }
    })
}

/// What can be forced from the nodes, where values are not known.
#[derive(Default)]
struct Forced {
    /// From where the opponent can be stuck.
    moons: Option<Forcing>,
    /// For each number, from where it can be forced; none if there are too many.
    numbers: Option<Vec<(u64, Forcing)>>,
}

impl Forced {
    /// As far as the time allows.
    fn of(digraph: &Digraph, layers: &Layers, work: &Work) -> Self {
        let moons = Forcing::of(digraph, layers, work, |_| false).ok();
        let most = digraph.nodes().filter_map(|node| layers.number(node)).max();
        let numbers = most.map_or(0, |most| most + 1);
        let force =
            |n: u64| Some((n, Forcing::of(digraph, layers, work, |number| number == n).ok()?));
        let numbers = (numbers <= FORCED).then(|| (0..numbers).map(force).collect()).flatten();
        Self { moons, numbers }
    }

    fn at(&self, node: Node) -> Option<NimberSet> {
        if self.moons.as_ref()?.can(node) {
            return Some(NimberSet::everything());
        }
        let forced = self.numbers.as_ref()?.iter().filter(|(_, forcing)| forcing.can(node));
        Some(NimberSet::only(forced.map(|&(n, _)| n)))
    }
}

/// The label of a node by its outcomes beside nim-heaps alone.
fn label_of(is_gray: bool, outcomes: HeapOutcomes, complete: bool) -> Label {
    if !is_gray {
        Label::White(AnyValue::General(outcomes))
    } else if complete && outcomes.draw.is_nothing() {
        Label::Gray(Some(Cover::Heaps(outcomes.loss)))
    } else {
        Label::Gray(Some(Cover::Mixed(outcomes)))
    }
}

/// Notes the outcome of a white node beside a heap in what a move in larger heaps is worth to the mover
/// there, which is P before the first heap; whether that is more than before.
///
/// ```
/// use nimoon::{Outcome, impartial::theory::general};
/// let mut in_heap = Outcome::P;
/// assert!(general::improve(&mut in_heap, Outcome::D) && in_heap == Outcome::D);
/// assert!(general::improve(&mut in_heap, Outcome::P) && in_heap == Outcome::N);
/// assert!(!general::improve(&mut in_heap, Outcome::P));
/// ```
#[inline]
pub fn improve(in_heap: &mut Outcome, beside: Outcome) -> bool {
    *in_heap = match (beside, *in_heap) {
        (Outcome::P, Outcome::P | Outcome::D) => Outcome::N,
        (Outcome::D, Outcome::P) => Outcome::D,
        _ => return false,
    };
    true
}

/// The outcome of a node beside a heap, by what a move in the heap is worth and how many options the
/// node has; [`Outcome::D`] while it is not decided.
#[inline]
pub fn begin(options: u32, in_heap: Outcome) -> Outcome {
    match in_heap {
        Outcome::P if options > 0 => Outcome::D,
        in_heap => in_heap,
    }
}

/// Updates a node when the outcome of one of its options is decided; returns whether its own is decided by that.
/// `not_lost` counts its options that are not known to be won by the opponent.
///
/// ```
/// use nimoon::{Outcome, impartial::theory::general};
/// // Two options are won by the opponent, and so is a move in the heap.
/// let (mut outcome, mut not_lost) = (Outcome::D, 2);
/// assert!(!general::hear(&mut outcome, Outcome::N, &mut not_lost, Outcome::P));
/// assert!(general::hear(&mut outcome, Outcome::N, &mut not_lost, Outcome::P));
/// assert_eq!(outcome, Outcome::P);
/// ```
#[inline]
pub fn hear(outcome: &mut Outcome, option: Outcome, not_lost: &mut u32, in_heap: Outcome) -> bool {
    if *outcome != Outcome::D {
        return false;
    }
    if option == Outcome::P {
        *outcome = Outcome::N;
        return true;
    }
    *not_lost -= 1;
    let lost = *not_lost == 0 && in_heap == Outcome::P;
    if lost {
        *outcome = Outcome::P;
    }
    lost
}

/// The label of a node, by outcomes alone, with these outcomes beside the heaps from 0 on; the last heap stands for all larger
/// ones if `complete`.
///
/// ```
/// use nimoon::{Outcome, impartial::theory::general};
/// let label = general::node_label(false, &[Outcome::P, Outcome::N], true);
/// assert_eq!(label.value().unwrap().to_string(), "win all but {0}, loss {0}, draw {}");
/// ```
pub fn node_label(is_gray: bool, outcomes: &[Outcome], complete: bool) -> Label {
    let set = |outcome| {
        let with = |has: bool| -> Nimbers {
            (0..).zip(outcomes).filter(|(_, o)| (**o == outcome) == has).map(|(k, _)| k).collect()
        };
        if complete && outcomes.last() == Some(&outcome) {
            NimberSet::AllExcept(with(false))
        } else {
            NimberSet::Only(with(true))
        }
    };
    let [win, loss, draw] = [Outcome::N, Outcome::P, Outcome::D].map(set);
    label_of(is_gray, HeapOutcomes { win, loss, draw, forced: None }, complete)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, label};

    fn value(digraph: &Digraph, node: Node) -> String {
        let labelling = label(digraph, Some(Theory::General), &Work::default()).unwrap();
        labelling.value(node).unwrap().to_string()
    }

    #[test]
    fn values_of_other_theories_are_those_of_this_one() {
        let heap = Digraph::new(3, [], vec![(1, 0), (2, 0), (2, 1)]).unwrap();
        assert_eq!(value(&heap, 2), "2");
        let zone = Digraph::new(2, [], vec![(1, 0), (1, 1)]).unwrap();
        assert_eq!(value(&zone, 1), "∞₀");
    }

    #[test]
    fn a_choice_for_the_entailed_player() {
        // 0; 1 = {0}; gray 2 → 0, 1; 3 → 3, 2: the opponent chooses *0 or *1, or 3 passes.
        let arcs = vec![(1, 0), (2, 0), (2, 1), (3, 3), (3, 2)];
        let digraph = Digraph::new(4, [2], arcs).unwrap();
        assert_eq!(value(&digraph, 3), "[0/1]");
    }

    /// A gray node with n gray options, each of which leads to two others with one white option.
    fn exponential(n: Node) -> Digraph {
        // 0, …, 2n are nim-heaps in a chain of moves; then the node, its gray node, and the rest.
        let heaps = 2 * n + 1;
        let mut arcs: Vec<(Node, Node)> =
            (0..heaps).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let (start, entry) = (heaps, heaps + 1);
        arcs.extend([(start, start), (start, entry)]);
        let mut gray = vec![entry];
        for i in 0..n {
            let middle = heaps + 2 + 3 * i;
            arcs.extend([(entry, middle), (middle, middle + 1), (middle, middle + 2)]);
            arcs.extend([(middle + 1, 2 * i), (middle + 2, 2 * i + 1)]);
            gray.extend([middle, middle + 1, middle + 2]);
        }
        Digraph::new(heaps as usize + 2 + 3 * n as usize, gray, arcs).unwrap()
    }

    #[test]
    fn a_limit_in_duels_leaves_outcomes_and_what_can_be_forced() {
        let digraph = exponential(3);
        assert_eq!(value(&digraph, 7).matches('/').count(), 2 * 8);
        let digraph = exponential(16);
        let labelling =
            label(&digraph, Some(Theory::General), &Work::new(Limits::new(1000))).unwrap();
        assert!(!labelling.is_complete());
        assert_eq!(labelling.nimber(32), Some(32));
        let Some(AnyValue::General(outcomes)) = labelling.value(33) else {
            panic!("its value is known");
        };
        assert!(outcomes.forced.unwrap().is_nothing() && outcomes.win.is_everything());
    }
}
