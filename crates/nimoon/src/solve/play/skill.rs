//! Opponents who are not perfect.

/// How well the engine plays: from 0, any move at all, to [`Skill::PERFECT`].
///
/// In between, a player of skill s blunders with probability 1 − s/10: plays any move, good or bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Skill(u8);

impl Skill {
    /// No blunders.
    pub const PERFECT: Self = Self(10);

    /// A skill of 0 to 10; none above.
    pub fn new(skill: u8) -> Option<Self> {
        (skill <= Self::PERFECT.0).then_some(Self(skill))
    }

    /// Whether no blunder is made.
    pub fn is_perfect(self) -> bool {
        self == Self::PERFECT
    }

    /// The move that such a player blunders into, if this is the moment: one of these moves, all with
    /// the same probability. The same seed gives the same answer.
    ///
    /// ```
    /// use nimoon::solve::play::Skill;
    /// assert!(Skill::PERFECT.blunder(&[1, 2, 3], 7).is_none());
    /// assert!(Skill::new(0).unwrap().blunder(&[1, 2, 3], 7).is_some());
    /// assert!(Skill::new(11).is_none());
    /// ```
    pub fn blunder<M>(self, moves: &[M], seed: u64) -> Option<&M> {
        let roll = mixed(seed);
        let blunders = roll % 10 >= u64::from(self.0);
        if !blunders || moves.is_empty() {
            return None;
        }
        moves.get((mixed(roll) % moves.len() as u64) as usize)
    }
}

/// A number that has little to do with the one it is made from (G. L. Steele, D. Lea, C. H. Flood,
/// Fast splittable pseudorandom number generators, 2014).
fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
