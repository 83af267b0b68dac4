//! Graphs of joints and chains: positions in which no coin can be taken.

/// The ground, in the place of a joint.
pub(super) const GROUND: u8 = 0;

/// How many joints a graph may have: a [`Chain`] has six bits for each end, and
/// sets of joints are the bits of one number.
pub(super) const MOST_JOINTS: usize = 63;

/// How many chains a graph may have. Its value is at most that, and must be less than 128; all
/// boards have fewer edges.
pub(super) const MOST_CHAINS: usize = 127;

/// Chains of so many coins, or more, are long.
pub(super) const LONG: u8 = 3;

/// What lies between two joints, or between a joint and the ground: a number of coins in a row,
/// joined by strings, 0, 1, 2, or [`LONG`] for more.
///
/// Long chains end in the ground, with their other end in a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Chain(u16);

impl Chain {
    pub(super) fn new(one: u8, other: u8, coins: u8) -> Self {
        let (low, high) = if one < other { (one, other) } else { (other, one) };
        Self(u16::from(high) << 8 | u16::from(low) << 2 | u16::from(coins))
    }

    /// The ends, the ground first.
    pub(super) fn ends(self) -> [u8; 2] {
        [(self.0 >> 2 & 63) as u8, (self.0 >> 8) as u8]
    }

    pub(super) fn coins(self) -> u8 {
        (self.0 & 3) as u8
    }

    pub(super) fn is_long(self) -> bool {
        self.coins() == LONG
    }

    pub(super) fn touches(self, joint: u8) -> bool {
        let [low, high] = self.ends();
        low == joint || high == joint
    }

    /// The end that is not this one; for a loop, this one.
    pub(super) fn across(self, joint: u8) -> u8 {
        let [low, high] = self.ends();
        low ^ high ^ joint
    }
}

/// A set of joints.
pub(super) type Joints = u64;

/// The joints at which these chains end.
pub(super) fn joints(chains: &[Chain]) -> Joints {
    let ends = chains.iter().flat_map(|chain| chain.ends());
    ends.fold(0, |joints, end| joints | only(end)) & !only(GROUND)
}

fn only(joint: u8) -> Joints {
    1 << joint
}

/// Joints 1, 2, …, each of degree three or more, with the chains between them.
///
/// While a chain is cut, joints may disappear and leave gaps in the numbers.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) chains: Vec<Chain>,
    /// How many ends of chains each joint has.
    degrees: [u8; MOST_JOINTS + 1],
    /// The joints from which a long chain goes.
    tied: Joints,
    /// The nim-sum of what came loose: chains and loops with no joint.
    pub(super) loose: u8,
}

impl Default for Graph {
    fn default() -> Self {
        Self { chains: Vec::new(), degrees: [0; MOST_JOINTS + 1], tied: 0, loose: 0 }
    }
}

impl Graph {
    /// The graph of chains that are as they should be: each joint has three ends of chains or more,
    /// at most one of them of a long chain.
    pub(super) fn set(&mut self, chains: impl Iterator<Item = Chain>) {
        self.chains.clear();
        self.chains.extend(chains);
        self.degrees.fill(0);
        self.tied = 0;
        self.loose = 0;
        for &chain in &self.chains {
            let [low, high] = chain.ends();
            self.degrees[usize::from(low)] += 1;
            self.degrees[usize::from(high)] += 1;
            self.tied |= Joints::from(chain.is_long()) << high;
        }
        self.degrees[usize::from(GROUND)] = 0;
    }

    /// The joints from which a long chain goes.
    pub(super) fn tied(&self) -> Joints {
        self.tied
    }

    /// Makes this graph the same as another one.
    pub(super) fn copy(&mut self, other: &Self) {
        self.chains.clone_from(&other.chains);
        self.degrees = other.degrees;
        self.tied = other.tied;
        self.loose = other.loose;
    }

    /// Whether a chain can be cut without giving all to the opponent: it is not long, and no loop
    /// at a joint of degree three.
    pub(super) fn can_be_cut(&self, chain: Chain) -> bool {
        let [low, high] = chain.ends();
        !chain.is_long() && (low != high || self.degrees[usize::from(low)] > 3)
    }

    /// Takes away the chain in this place, and what remains of its ends as joints.
    pub(super) fn cut(&mut self, place: usize) {
        let ends = self.chains.swap_remove(place).ends();
        for end in ends {
            self.degrees[usize::from(end)] = self.degrees[usize::from(end)].wrapping_sub(1);
        }
        self.degrees[usize::from(GROUND)] = 0;
        for end in ends {
            self.settle(end);
        }
    }

    /// Makes one chain of the two that meet in a coin with only two strings.
    fn settle(&mut self, coin: u8) {
        if self.degrees[usize::from(coin)] != 2 {
            return;
        }
        self.degrees[usize::from(coin)] = 0;
        let Some(first) = self.chains.iter().position(|chain| chain.touches(coin)) else { return };
        let rest = &self.chains[first + 1..];
        let Some(second) = rest.iter().position(|chain| chain.touches(coin)) else {
            // A loop with no joint: cut, if it is short, and nothing is left of it.
            let coins = self.chains.swap_remove(first).coins() + 1;
            self.loose ^= u8::from(coins <= LONG);
            return;
        };
        let second = self.chains.swap_remove(first + 1 + second);
        let first = self.chains.swap_remove(first);
        self.tied &= !only(coin);
        let coins = (first.coins() + second.coins() + 1).min(LONG);
        self.join(first.across(coin), second.across(coin), coins);
    }

    /// Puts a chain between ends that are already counted in the degrees.
    fn join(&mut self, one: u8, other: u8, coins: u8) {
        if coins >= LONG {
            self.tie(one);
            self.tie(other);
        } else if one == GROUND && other == GROUND {
            self.loose ^= 1;
        } else {
            self.chains.push(Chain::new(one, other, coins));
        }
    }

    /// Hangs a joint on a long chain; with two of them it is as good as the ground.
    fn tie(&mut self, joint: u8) {
        if joint == GROUND || self.degrees[usize::from(joint)] == 0 {
            return;
        }
        if self.tied & only(joint) == 0 {
            self.tied |= only(joint);
            self.chains.push(Chain::new(GROUND, joint, LONG));
            return;
        }
        self.tied &= !only(joint);
        self.degrees[usize::from(joint)] = 0;
        let mut place = 0;
        while place < self.chains.len() {
            let chain = self.chains[place];
            if !chain.touches(joint) {
                place += 1;
                continue;
            }
            let [low, high] = chain.ends().map(|end| if end == joint { GROUND } else { end });
            if (low, high) == (GROUND, GROUND) {
                self.loose ^= u8::from(!chain.is_long());
                self.chains.swap_remove(place);
            } else {
                self.chains[place] = Chain::new(low, high, chain.coins());
                place += 1;
            }
        }
    }

    /// Calls `part` with the chains and the joints of each connected part; the ground does not
    /// connect.
    pub(super) fn parts(&self, mut part: impl FnMut(&[Chain], Joints)) {
        let mut neighbours = [0; MOST_JOINTS + 1];
        let mut left: Joints = 0;
        for chain in &self.chains {
            let [low, high] = chain.ends();
            left |= only(high);
            if low != GROUND {
                neighbours[usize::from(low)] |= only(high);
                neighbours[usize::from(high)] |= only(low);
            }
        }
        let mut chains = Vec::new();
        while left != 0 {
            let mut reached: Joints = left & left.wrapping_neg();
            let mut fresh = reached;
            while fresh != 0 {
                let joint = fresh.trailing_zeros() as usize;
                fresh &= fresh - 1;
                let more = neighbours[joint] & !reached;
                reached |= more;
                fresh |= more;
            }
            if reached == left && chains.is_empty() {
                return part(&self.chains, reached);
            }
            left &= !reached;
            chains.clear();
            let here = |chain: &&Chain| reached & only(chain.ends()[1]) != 0;
            chains.extend(self.chains.iter().filter(here));
            part(&chains, reached);
        }
    }
}
