//! The table of a plan: the least measure for each nim-sum that components can be brought to.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::graph::digraph::Node;
use crate::impartial::theory::chains::Carried;

/// What the mover can make of a component in one turn.
pub(crate) struct Reach {
    pub(crate) nodes: Vec<Carried>,
    /// For each nimber that carry-on moves reach: the least measure, and which reached node.
    pub(crate) rests: Vec<(u64, u64, usize)>,
    /// For each nimber that an ordinary move after carry-on moves reaches: the least measure,
    /// from which reached node and by which option.
    pub(crate) exits: Vec<(u64, u64, usize, Node)>,
    /// An option that wins at once, and the reached node that has it.
    pub(crate) checkmate: Option<(usize, Node)>,
}

/// What a component does in a plan.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Rest(usize),
    Exit(usize, Node),
}

/// One of the things that a component without a nimber can do in a plan.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    /// What is left in the component.
    pub(crate) nimber: u64,
    pub(crate) measure: u64,
    pub(crate) part: Part,
}

impl Choice {
    /// Whether the last move is made here.
    pub(crate) fn is_last(self) -> bool {
        matches!(self.part, Part::Exit(..))
    }
}

impl Reach {
    pub(crate) fn choices(&self) -> impl Iterator<Item = Choice> {
        let rests = self.rests.iter().map(|&(nimber, measure, place)| Choice {
            nimber,
            measure,
            part: Part::Rest(place),
        });
        let exits = self.exits.iter().map(|&(nimber, measure, place, option)| Choice {
            nimber,
            measure,
            part: Part::Exit(place, option),
        });
        rests.chain(exits)
    }

    /// The rest of least measure.
    pub(crate) fn best_rest(&self) -> Option<Choice> {
        let rests = self.choices().filter(|choice| !choice.is_last());
        rests.min_by_key(|choice| (choice.measure, choice.nimber))
    }
}

/// Leaves a choice to few of equal components, and fixes the others where their measure is least.
///
/// The differences between what each component takes and its best rest can be thinned out until
/// they are independent as vectors of bits, with the same nim-sum and no greater measure. So no
/// more of them than there are bits, and the one that makes the last move, need anything else.
pub(crate) fn thin_out(
    open: &[usize],
    pieces: &[Node],
    reaches: &[Rc<Reach>],
    size: usize,
) -> (Vec<usize>, Vec<(usize, Choice)>) {
    let most = size.trailing_zeros() as usize + 1;
    let mut copies: FxHashMap<Node, usize> = FxHashMap::default();
    let mut choosing = Vec::new();
    let mut fixed = Vec::new();
    for &i in open {
        let copies = copies.entry(pieces[i]).or_insert(0);
        *copies += 1;
        match reaches[i].best_rest() {
            Some(rest) if *copies > most => fixed.push((i, rest)),
            _ => choosing.push(i),
        }
    }
    (choosing, fixed)
}

/// The least measure for each nim-sum of some components, with and without the last move made.
pub(crate) struct Table<'a> {
    components: Vec<&'a Reach>,
    /// At 2 × nim-sum, and one more with the last move made.
    pub(crate) best: Vec<Option<i128>>,
    /// For each component and each state after it, which choice is taken.
    taken: Vec<Vec<u32>>,
}

/// The largest table that a plan may fill, in entries.
pub(crate) const TABLE: usize = 1 << 25;

impl<'a> Table<'a> {
    /// Goes through components whose nimbers are below `size`, a power of two.
    /// None when `go_on`, which is called before each of them, returns none.
    pub(crate) fn new(
        components: Vec<&'a Reach>,
        size: usize,
        go_on: impl Fn() -> Option<()>,
    ) -> Option<Self> {
        let mut best: Vec<Option<i128>> = vec![None; 2 * size];
        best[0] = Some(0);
        let mut taken = Vec::with_capacity(components.len());
        for reach in &components {
            go_on()?;
            let mut next: Vec<Option<i128>> = vec![None; 2 * size];
            let mut taken_here = vec![u32::MAX; 2 * size];
            for (state, measure) in best.iter().enumerate() {
                let Some(measure) = measure else { continue };
                let made = state % 2 == 1;
                for (number, choice) in (0..).zip(reach.choices()) {
                    if made && choice.is_last() {
                        continue;
                    }
                    let after = Self::after(state, choice);
                    let total = measure + i128::from(choice.measure);
                    if next[after].is_none_or(|least| total < least) {
                        next[after] = Some(total);
                        taken_here[after] = number;
                    }
                }
            }
            best = next;
            taken.push(taken_here);
        }
        Some(Self { components, best, taken })
    }

    /// The state that a choice leads to; it leads back as well.
    fn after(state: usize, choice: Choice) -> usize {
        state ^ (2 * choice.nimber as usize) ^ usize::from(choice.is_last())
    }

    /// The choices that lead to a state, component by component.
    pub(crate) fn choices(&self, state: usize) -> Vec<Choice> {
        let mut state = state;
        let mut choices = Vec::with_capacity(self.taken.len());
        for (reach, taken) in self.components.iter().zip(&self.taken).rev() {
            if let Some(choice) = reach.choices().nth(taken[state] as usize) {
                choices.push(choice);
                state = Self::after(state, choice);
            }
        }
        choices.reverse();
        choices
    }
}

/// Which nim-sums some components can be brought to rest at, without regard to the measure.
pub(crate) struct Reachable<'a> {
    components: Vec<&'a Reach>,
    /// For each component that reaches new nim-sums: those reached before it.
    before: Vec<Option<FixedBitSet>>,
    reached: FixedBitSet,
    /// The nim-sum of the others, which rest where their measure is least.
    fixed: u64,
}

impl<'a> Reachable<'a> {
    /// Goes through components whose nimbers are below `size`, a power of two. One that adds
    /// nothing to what is reached adds nothing later either, so few have a choice to make.
    pub(crate) fn new(components: Vec<&'a Reach>, size: usize) -> Self {
        let mut reached = FixedBitSet::with_capacity(size);
        reached.insert(0);
        let mut before = Vec::with_capacity(components.len());
        let mut fixed = 0;
        for reach in &components {
            let mut after = FixedBitSet::with_capacity(size);
            if !reached.is_full() {
                for &(n, ..) in &reach.rests {
                    reached.ones().for_each(|m| after.insert(m ^ n as usize));
                }
            }
            if reached.is_full() || after.count_ones(..) == reached.count_ones(..) {
                fixed ^= reach.best_rest().map_or(0, |rest| rest.nimber);
                before.push(None);
            } else {
                before.push(Some(std::mem::replace(&mut reached, after)));
            }
        }
        Self { components, before, reached, fixed }
    }

    /// The rests that have this nim-sum, component by component, if there are any.
    pub(crate) fn choices(&self, nim_sum: u64) -> Option<Vec<Choice>> {
        let mut left = (nim_sum ^ self.fixed) as usize;
        if !self.reached.contains(left) {
            return None;
        }
        let mut choices = Vec::with_capacity(self.components.len());
        for (reach, before) in self.components.iter().zip(&self.before).rev() {
            let choice = match before {
                None => reach.best_rest()?,
                Some(before) => {
                    let mut rests = reach.choices().filter(|choice| !choice.is_last());
                    let found = rests.find(|rest| before.contains(left ^ rest.nimber as usize))?;
                    left ^= found.nimber as usize;
                    found
                }
            };
            choices.push(choice);
        }
        choices.reverse();
        Some(choices)
    }
}
