//! One code for all graphs of joints and chains that differ only in the numbers of their joints.
//!
//! Joints get colours: mixed numbers made of the chains to the ground, and then, again and again,
//! of the colours of the joints across. Colours depend on nothing but the graph, so once they are
//! all different, their order numbers the joints. If joints remain that look alike, one of them is
//! set apart, each in turn, and of the numberings found the one with the smallest list of chains is
//! taken. The code tells the chains in full, so graphs of equal code are the same graph, whatever
//! the colours are.

use super::graph::{Chain, GROUND, MOST_JOINTS};

/// After so many numberings the smallest so far is taken. Only graphs with many symmetries come to
/// that, and may have several codes.
const MOST_NUMBERINGS: usize = 64;

type Colors = [u32; MOST_JOINTS + 1];

/// A mixed number for each number of coins of a chain.
const COINS: [u32; 4] = [0x9e37_79b9, 0x85eb_ca6b, 0xc2b2_ae35, 0x27d4_eb2f];

fn mixed(color: u32, coins: u8) -> u32 {
    let product = (color ^ COINS[usize::from(coins)]).wrapping_mul(0x2c1b_3c6d);
    (product ^ product >> 15).wrapping_mul(0x297a_2d39)
}

/// Finds codes; it keeps its lists from one graph to the next.
#[derive(Debug, Default)]
pub(super) struct Coder {
    /// The chains between joints, by the places of these.
    between: Vec<[u8; 3]>,
    chains: Vec<Chain>,
    /// The chains as numbered last, and the smallest list so far.
    numbered: Vec<Chain>,
    best: Vec<Chain>,
    left: usize,
}

impl Coder {
    /// Adds the code of a connected graph to `bytes`.
    pub(super) fn code(&mut self, chains: &[Chain], bytes: &mut Vec<u8>) {
        let mut places = [0_u8; MOST_JOINTS + 1];
        let mut colors: Colors = [0; MOST_JOINTS + 1];
        let mut joints = 0;
        self.between.clear();
        self.chains.clear();
        for chain in chains {
            let [low, high] = chain.ends().map(|end| {
                if end == GROUND {
                    return GROUND;
                }
                let place = &mut places[usize::from(end)];
                if *place == 0 {
                    joints += 1;
                    *place = joints;
                }
                *place
            });
            let coins = chain.coins();
            self.chains.push(Chain::new(low, high, coins));
            if low == GROUND {
                let color = &mut colors[usize::from(high)];
                *color = color.wrapping_add(mixed(1, coins));
            } else {
                self.between.push([low, high, coins]);
            }
        }
        self.best.clear();
        self.left = MOST_NUMBERINGS;
        self.descend(usize::from(joints), colors);
        pack(&self.best, bytes);
    }

    /// Looks at the numberings that agree with the colours.
    fn descend(&mut self, joints: usize, mut colors: Colors) {
        let mut ranks = [0; MOST_JOINTS + 1];
        let mut ties = usize::MAX;
        loop {
            self.refine(joints, &mut colors);
            self.refine(joints, &mut colors);
            let mut sum = 0;
            let all = &colors[1..=joints];
            for (rank, color) in ranks[1..=joints].iter_mut().zip(all) {
                *rank = all.iter().map(|other| u8::from(other < color)).sum::<u8>();
                sum += usize::from(*rank);
            }
            // The ranks of different colours are 0, 1, 2, …; each pair of equal ones is one less.
            let found = joints * (joints - 1) / 2 - sum;
            if found == 0 {
                return self.consider(&ranks);
            }
            if found >= ties {
                break;
            }
            ties = found;
        }
        let alike = |rank: u8| (1..=joints).filter(move |&joint| ranks[joint] == rank);
        let Some(cell) = (0..joints as u8).find(|&rank| alike(rank).nth(1).is_some()) else {
            return;
        };
        for joint in alike(cell) {
            let mut apart = colors;
            apart[joint] = mixed(colors[joint], 3) ^ 1;
            self.descend(joints, apart);
            if self.left == 0 {
                return;
            }
        }
    }

    /// Mixes the colours of the joints across into each colour.
    fn refine(&self, joints: usize, colors: &mut Colors) {
        let mut sums: Colors = [0; MOST_JOINTS + 1];
        for &[low, high, coins] in &self.between {
            let [low, high] = [low, high].map(usize::from);
            sums[low] = sums[low].wrapping_add(mixed(colors[high], coins));
            sums[high] = sums[high].wrapping_add(mixed(colors[low], coins));
        }
        for (color, sum) in colors[1..=joints].iter_mut().zip(&sums[1..=joints]) {
            *color = mixed(color.rotate_left(5).wrapping_add(*sum), 0);
        }
    }

    /// Numbers the joints by rank, and keeps the list of chains if it is the smallest.
    fn consider(&mut self, ranks: &[u8]) {
        let number = |end: u8| if end == GROUND { GROUND } else { ranks[usize::from(end)] + 1 };
        self.numbered.clear();
        self.numbered.extend(self.chains.iter().map(|chain| {
            let [low, high] = chain.ends();
            Chain::new(number(low), number(high), chain.coins())
        }));
        self.numbered.sort_unstable();
        if self.best.is_empty() || self.numbered < self.best {
            std::mem::swap(&mut self.numbered, &mut self.best);
        }
        self.left -= 1;
    }
}

/// How many bits the lower end of a chain takes whose higher end is this.
fn width(high: u8) -> u32 {
    u8::BITS - high.leading_zeros()
}

/// Adds the number of chains as a byte and then, as bits, for each chain by how much its higher
/// end is more than that of the chain before, its lower end, and its coins.
fn pack(chains: &[Chain], bytes: &mut Vec<u8>) {
    bytes.push(chains.len() as u8);
    let (mut bits, mut count) = (0_u64, 0);
    let mut at = 1;
    for chain in chains {
        let [low, high] = chain.ends();
        for _ in at..high {
            bits |= 1 << count;
            count += 1;
            if count >= 32 {
                bytes.extend_from_slice(&(bits as u32).to_le_bytes());
                bits >>= 32;
                count -= 32;
            }
        }
        at = high;
        count += 1;
        bits |= u64::from(low) << count;
        count += width(high);
        bits |= u64::from(chain.coins()) << count;
        count += 2;
        if count >= 32 {
            bytes.extend_from_slice(&(bits as u32).to_le_bytes());
            bits >>= 32;
            count -= 32;
        }
    }
    let rest = count.div_ceil(8) as usize;
    bytes.extend_from_slice(&bits.to_le_bytes()[..rest]);
}

/// The chains that a code tells.
pub(super) fn unpack(code: &[u8]) -> impl Iterator<Item = Chain> {
    let (&count, mut rest) = code.split_first().unwrap_or((&0, &[]));
    let (mut bits, mut known) = (0_u64, 0);
    let mut take = move |width: u32| {
        while known < width {
            let byte = rest.split_off_first().copied().unwrap_or(0);
            bits |= u64::from(byte) << known;
            known += 8;
        }
        let taken = bits & ((1 << width) - 1);
        bits >>= width;
        known -= width;
        taken as u8
    };
    let mut high = 1;
    (0..count).map(move |_| {
        while take(1) == 1 {
            high += 1;
        }
        let low = take(width(high));
        Chain::new(low, high, take(2))
    })
}
