//! What it costs to find the value of a graph: an estimate for choosing which option to search
//! first.
//!
//! Costs are sums over chains and joints. The numbers are those with which the search had to visit
//! few positions, found by trying small changes on the boards of 3×4 and 2×6 and on positions of
//! 4×4, 3×5, 3×6 and 4×5 after some moves. More kinds of joints were tried: what was best for these
//! was worse for others.

use super::graph::{Chain, GROUND, Graph, LONG, MOST_JOINTS};

const TO_GROUND: [i32; 4] = [-5, 15, 40, 16];
const BETWEEN: [i32; 4] = [15, 37, 57, 0];
const JOINT: i32 = 12;
/// What a joint costs less if its degree is more than three.
const WIDE: i32 = 5;
/// What a joint costs less if it has no chain to the ground.
const INNER: i32 = 7;
const PART: i32 = 91;

/// What a part costs less if something is known of it.
pub(super) const KNOWN: i32 = 8;

fn of_chain(chain: Chain) -> i32 {
    let costs = if chain.ends()[0] == GROUND { &TO_GROUND } else { &BETWEEN };
    costs[usize::from(chain.coins())]
}

/// What the cost of a joint depends on.
#[derive(Clone, Copy, Debug, Default)]
struct Joint {
    degree: u8,
    /// How many chains it has to the ground.
    grounded: u8,
}

impl Joint {
    fn cost(self) -> i32 {
        if self.degree == 0 {
            return 0;
        }
        JOINT - WIDE * i32::from(self.degree > 3) - INNER * i32::from(self.grounded == 0)
    }

    /// Adds a chain, or takes one away.
    fn change(&mut self, chain: Chain, change: impl Fn(&mut u8)) {
        change(&mut self.degree);
        if chain.ends()[0] == GROUND {
            change(&mut self.grounded);
        }
    }
}

/// What it costs to search a part.
pub(super) fn cost(chains: &[Chain]) -> i32 {
    let mut joints = [Joint::default(); MOST_JOINTS + 1];
    let (chains, used) = sum(chains, &mut joints);
    PART + chains + joints[..used].iter().map(|joint| joint.cost()).sum::<i32>()
}

/// The sum of the costs of chains, with the joints that they make, and a number above theirs.
fn sum(chains: &[Chain], joints: &mut [Joint; MOST_JOINTS + 1]) -> (i32, usize) {
    let (mut sum, mut used) = (0, 0);
    for &chain in chains {
        sum += of_chain(chain);
        let [low, high] = chain.ends();
        joints[usize::from(high)].change(chain, |count| *count += 1);
        if low != GROUND {
            joints[usize::from(low)].change(chain, |count| *count += 1);
        }
        used = used.max(usize::from(high) + 1);
    }
    (sum, used)
}

/// The costs of what is left after cuts.
///
/// Most cuts change no more than the chains at two joints, so that the cost is known without
/// cutting. That takes away a tenth of the instructions of a search.
#[derive(Debug)]
pub(super) struct Costs {
    /// What the graph costs before it is cut.
    whole: i32,
    joints: [Joint; MOST_JOINTS + 1],
    /// The first chains at each joint.
    at: [[Chain; 3]; MOST_JOINTS + 1],
}

impl Default for Costs {
    fn default() -> Self {
        let none = Chain::new(GROUND, GROUND, 0);
        Self {
            whole: 0,
            joints: [Joint::default(); MOST_JOINTS + 1],
            at: [[none; 3]; MOST_JOINTS + 1],
        }
    }
}

impl Costs {
    pub(super) fn begin(&mut self, graph: &Graph) {
        self.joints.fill(Joint::default());
        let (chains, used) = sum(&graph.chains, &mut self.joints);
        self.whole =
            PART + chains + self.joints[..used].iter().map(|joint| joint.cost()).sum::<i32>();
        let mut met = [0_u8; MOST_JOINTS + 1];
        for &chain in &graph.chains {
            for end in chain.ends().map(usize::from) {
                if let Some(place) = self.at[end].get_mut(usize::from(met[end])) {
                    *place = chain;
                }
                met[end] = met[end].saturating_add(1);
            }
        }
    }

    /// The cost of what is left without the chain in this place; `after` is room for a graph.
    pub(super) fn without(&self, graph: &Graph, place: usize, after: &mut Graph) -> i32 {
        let known = self.simple(graph, graph.chains[place]);
        debug_assert!(known.is_none_or(|known| known == Self::by_cutting(graph, place, after)));
        known.unwrap_or_else(|| Self::by_cutting(graph, place, after))
    }

    fn by_cutting(graph: &Graph, place: usize, after: &mut Graph) -> i32 {
        after.copy(graph);
        after.cut(place);
        cost(&after.chains)
    }

    /// The cost without a chain, if no joint becomes the ground by it, and no chain meets another
    /// one at both of its ends.
    fn simple(&self, graph: &Graph, cut: Chain) -> Option<i32> {
        let [low, high] = cut.ends();
        if low == high {
            return None;
        }
        let mut changes = Changes { costs: self, joints: [(0, Joint::default()); 6], count: 0 };
        let mut sum = self.whole - of_chain(cut);
        let mut tied = 0;
        for end in [low, high] {
            if end == GROUND {
                continue;
            }
            let joint = changes.at(end);
            joint.change(cut, |count| *count -= 1);
            if joint.degree > 2 {
                continue;
            }
            *joint = Joint::default();
            let at = self.at[usize::from(end)];
            let cut_at = at.iter().position(|&chain| chain == cut)?;
            let [one, other] = [at[(cut_at + 1) % 3], at[(cut_at + 2) % 3]];
            let ends = [one.across(end), other.across(end)];
            // A loop, or a chain beside the one that is cut, needs a full count.
            if ends.iter().any(|&far| far != GROUND && (far == end || cut.touches(far))) {
                return None;
            }
            sum -= of_chain(one) + of_chain(other);
            let coins = one.coins() + other.coins() + 1;
            if coins >= LONG {
                for far in ends.into_iter().filter(|&far| far != GROUND) {
                    if (graph.tied() | tied) >> far & 1 == 1 {
                        return None;
                    }
                    tied |= 1 << far;
                    changes.at(far).grounded += 1;
                    sum += TO_GROUND[usize::from(LONG)];
                }
                continue;
            }
            let [one, other] = ends;
            if one != GROUND || other != GROUND {
                sum += of_chain(Chain::new(one, other, coins));
            }
            if (one == GROUND) != (other == GROUND) {
                changes.at(one | other).grounded += 1;
            }
        }
        Some(sum + changes.sum())
    }
}

/// The joints that a cut changes.
struct Changes<'a> {
    costs: &'a Costs,
    joints: [(u8, Joint); 6],
    count: usize,
}

impl Changes<'_> {
    fn at(&mut self, joint: u8) -> &mut Joint {
        let known = self.joints[..self.count].iter().position(|&(number, _)| number == joint);
        let place = known.unwrap_or(self.count);
        if place == self.count {
            self.joints[place] = (joint, self.costs.joints[usize::from(joint)]);
            self.count += 1;
        }
        &mut self.joints[place].1
    }

    /// How much the costs of the joints change.
    fn sum(&self) -> i32 {
        let change = |&(number, joint): &(u8, Joint)| {
            joint.cost() - self.costs.joints[usize::from(number)].cost()
        };
        self.joints[..self.count].iter().map(change).sum()
    }
}
