//! One code for all graphs of joints and chains that differ only in the numbers of their joints.
//!
//! Joints get colours: mixed numbers made of the chains to the ground, and then, again and again,
//! of the colours of the joints across. Colours depend on nothing but the graph, so once they are
//! all different, their order numbers the joints. If joints remain that look alike, one of them is
//! set apart, each in turn, and of the numberings found the one with the smallest list of chains is
//! taken. The code contains all chains, so graphs of equal code are the same graph, whatever
//! the colours are.

use super::graph::{Chain, GROUND, Joints, LONG, MOST_CHAINS, MOST_JOINTS};

/// After this many numberings the smallest so far is taken. Only graphs with many symmetries come
/// to that, and may have several codes.
const MOST_NUMBERINGS: usize = 64;

/// The colour of a joint that is not there: no other is larger.
const NONE: i32 = i32::MAX;

/// What the ground mixes into a colour.
const GROUNDED: i32 = 0x2c1b_3c6d;

/// How far a colour is turned when it is mixed in through a chain of so many coins.
const TURNS: [u32; 4] = [0, 7, 15, 23];

/// Shifts and sums mix many colours at once on any machine, where products do not.
fn mixed(color: i32) -> i32 {
    let mut bits = color.cast_unsigned();
    bits = bits.wrapping_add(bits << 10);
    bits ^= bits >> 6;
    bits = bits.wrapping_add(bits << 3);
    bits ^= bits >> 11;
    bits.wrapping_add(bits << 15).cast_signed()
}

/// Finds codes; it keeps its lists from one graph to the next.
#[derive(Debug, Default)]
pub(super) struct Coder {
    /// The chains between joints.
    between: Vec<[u8; 3]>,
    /// The chains as numbered last, before and after they are sorted, and the smallest list so far.
    unsorted: Vec<Chain>,
    numbered: Vec<Chain>,
    best: Vec<Chain>,
    left: usize,
}

impl Coder {
    /// Adds the code of a connected graph to `bytes`.
    pub(super) fn code(&mut self, chains: &[Chain], joints: Joints, bytes: &mut Vec<u8>) {
        self.best.clear();
        self.left = MOST_NUMBERINGS;
        // Few joints take little room and little time.
        match Joints::BITS - joints.leading_zeros() {
            0..=16 => self.begin::<16>(chains, joints),
            17..=32 => self.begin::<32>(chains, joints),
            _ => self.begin::<{ MOST_JOINTS + 1 }>(chains, joints),
        }
        pack(&self.best, bytes);
    }

    /// Colours the joints by the chains to the ground, and goes on from there.
    fn begin<const ROOM: usize>(&mut self, chains: &[Chain], joints: Joints) {
        let mut colors = [0_i32; ROOM];
        self.between.clear();
        for chain in chains {
            let [low, high] = chain.ends();
            if low == GROUND {
                let color = &mut colors[usize::from(high) % ROOM];
                *color =
                    color.wrapping_add(GROUNDED.rotate_left(TURNS[usize::from(chain.coins())]));
            } else {
                self.between.push([low, high, chain.coins()]);
            }
        }
        let mut present = [0; ROOM];
        for (joint, present) in present.iter_mut().enumerate() {
            *present = -((joints >> joint & 1) as i32);
        }
        self.descend(chains, &present, colors);
    }

    /// Visits the numberings that agree with the colours; `present` is −1 for the joints that are
    /// there, and 0 for others.
    fn descend<const ROOM: usize>(
        &mut self,
        chains: &[Chain],
        present: &[i32; ROOM],
        mut colors: [i32; ROOM],
    ) {
        let joints = present.iter().map(|present| -present).sum::<i32>();
        let mut ranks = [0; ROOM];
        let mut ties = i32::MAX;
        loop {
            self.refine(present, &mut colors);
            self.refine(present, &mut colors);
            let mut sum = 0;
            ranks.fill(0);
            for &other in &colors {
                for (rank, &color) in ranks.iter_mut().zip(&colors) {
                    *rank += i32::from(other < color);
                }
            }
            for (rank, present) in ranks.iter().zip(present) {
                sum += rank & present;
            }
            // The ranks of different colours are 0, 1, 2, …; each pair of equal ones is one less.
            let found = joints * (joints - 1) / 2 - sum;
            if found == 0 {
                return self.consider(chains, &ranks);
            }
            if found >= ties {
                break;
            }
            ties = found;
        }
        let alike =
            |rank: i32| (0..ROOM).filter(move |&joint| present[joint] != 0 && ranks[joint] == rank);
        let Some(cell) = (0..joints).find(|&rank| alike(rank).nth(1).is_some()) else { return };
        for joint in alike(cell) {
            let mut apart = colors;
            apart[joint] = mixed(!colors[joint]);
            self.descend(chains, present, apart);
            if self.left == 0 {
                return;
            }
        }
    }

    /// Mixes the colours of the joints across into each colour.
    fn refine<const ROOM: usize>(&self, present: &[i32; ROOM], colors: &mut [i32; ROOM]) {
        let mut sums = [0_i32; ROOM];
        for &[low, high, coins] in &self.between {
            let [low, high] = [low, high].map(|end| usize::from(end) % ROOM);
            let turn = TURNS[usize::from(coins % 4)];
            sums[low] = sums[low].wrapping_add(colors[high].rotate_left(turn));
            sums[high] = sums[high].wrapping_add(colors[low].rotate_left(turn));
        }
        for ((color, sum), present) in colors.iter_mut().zip(&sums).zip(present) {
            let new = mixed(color.rotate_left(5).wrapping_add(*sum)) & present;
            *color = new | (NONE & !present);
        }
    }

    /// Numbers the joints by rank, and keeps the list of chains if it is the smallest.
    fn consider<const ROOM: usize>(&mut self, chains: &[Chain], ranks: &[i32; ROOM]) {
        let mut numbers = [0_u8; ROOM];
        for (number, rank) in numbers.iter_mut().zip(ranks) {
            *number = rank.cast_unsigned() as u8 + 1;
        }
        numbers[usize::from(GROUND)] = GROUND;
        // Sorted by their higher ends first: those that have the same one are few.
        let mut places = [0_u8; ROOM];
        self.unsorted.clear();
        self.unsorted.extend(chains.iter().map(|chain| {
            let [low, high] = chain.ends().map(|end| numbers[usize::from(end) % ROOM]);
            let chain = Chain::new(low, high, chain.coins());
            places[usize::from(chain.ends()[1]) % ROOM] += 1;
            chain
        }));
        let mut before = 0;
        for place in &mut places {
            before += std::mem::replace(place, before);
        }
        self.numbered.clear();
        self.numbered.resize(chains.len(), Chain::new(0, 0, 0));
        for &chain in &self.unsorted {
            let place = &mut places[usize::from(chain.ends()[1]) % ROOM];
            let mut at = usize::from(*place);
            *place += 1;
            while at > 0 && self.numbered[at - 1] > chain {
                self.numbered[at] = self.numbered[at - 1];
                at -= 1;
            }
            self.numbered[at] = chain;
        }
        if self.best.is_empty() || self.numbered < self.best {
            std::mem::swap(&mut self.numbered, &mut self.best);
        }
        self.left -= 1;
    }
}

/// No code takes this many bytes: a chain takes two bits, six for an end and three for coins at
/// most, and each joint one more.
const MOST_BYTES: usize = (8 + 11 * MOST_CHAINS + MOST_JOINTS) / 8 + 9;

/// How many bits the lower end of a chain takes whose higher end is this, if it is not the ground.
fn width(high: u8) -> u32 {
    u8::BITS - (high - 1).leading_zeros()
}

/// The bits for a number of coins, and how many they are: most chains have none.
const COINS: [(u64, u32); 4] = [(0b0, 1), (0b01, 2), (0b011, 3), (0b111, 3)];

/// Adds the number of chains as a byte and then, as bits, for each chain by how much its higher
/// end is more than that of the chain before, its lower end, and its coins.
fn pack(chains: &[Chain], bytes: &mut Vec<u8>) {
    let (mut bits, mut count) = (chains.len() as u64, 8);
    let mut at = 1;
    let mut words = [0_u8; MOST_BYTES];
    let mut length = 0;
    for chain in chains {
        let [low, high] = chain.ends();
        let mut more = u32::from(high - at);
        at = high;
        while more > 16 {
            bits |= u64::from(u16::MAX) << count;
            (count, more) = (count + 16, more - 16);
            if count >= 32 {
                words[length..length + 4].copy_from_slice(&(bits as u32).to_le_bytes());
                (bits, count, length) = (bits >> 32, count - 32, length + 4);
            }
        }
        bits |= ((1 << more) - 1) << count;
        count += more + 1;
        if low == GROUND {
            count += 1;
        } else {
            bits |= (1 | u64::from(low - 1) << 1) << count;
            count += 1 + width(high);
        }
        let (coins, many) = COINS[usize::from(chain.coins())];
        bits |= coins << count;
        count += many;
        if count >= 32 {
            words[length..length + 4].copy_from_slice(&(bits as u32).to_le_bytes());
            (bits, count, length) = (bits >> 32, count - 32, length + 4);
        }
    }
    words[length..length + 8].copy_from_slice(&bits.to_le_bytes());
    bytes.extend_from_slice(&words[..length + count.div_ceil(8) as usize]);
}

/// The chains that a code contains.
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
        let low = if take(1) == 0 { GROUND } else { take(width(high)) + 1 };
        let mut coins = 0;
        while coins < LONG && take(1) == 1 {
            coins += 1;
        }
        Chain::new(low, high, coins)
    })
}
