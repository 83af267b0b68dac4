//! Sets of small numbers as bits, for the values that a heap's options have.

/// A set of numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// The empty set, with room for the numbers below `width`.
    pub(super) fn new(width: usize) -> Self {
        Self(vec![0; width.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    pub(super) fn contains(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Adds the numbers of the other set.
    pub(super) fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// Adds the nim-sums of one number with all of the other set, a word at a time: a nim-sum moves
    /// words as wholes, and then bits within them.
    pub(super) fn add_sums(&mut self, number: u32, other: &Self) {
        let upper = number as usize / 64;
        let words = other.0.len().max(upper + 1).next_power_of_two();
        if self.0.len() < words {
            self.0.resize(words, 0);
        }
        for (place, &word) in other.0.iter().enumerate().filter(|&(_, &word)| word != 0) {
            self.0[place ^ upper] |= moved(word, number);
        }
    }

    /// The set as words of 64 bits, the lowest first.
    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }

    /// Drops the numbers of the other set.
    pub(super) fn drop_all(&mut self, other: &Self) {
        for (word, less) in self.0.iter_mut().zip(&other.0) {
            *word &= !less;
        }
    }

    /// The least number in the set.
    pub(super) fn least(&self) -> Option<u32> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word as u32 * 64 + self.0[word].trailing_zeros())
    }

    /// The least number that is not in the set.
    pub(super) fn mex(&self) -> u32 {
        let full = self.0.iter().take_while(|&&word| word == u64::MAX).count();
        full as u32 * 64 + self.0.get(full).map_or(0, |word| word.trailing_ones())
    }

    /// The numbers in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(&self.0).flat_map(|(place, &word)| {
            // Each step drops the lowest bit.
            let step = |&word: &u64| (word != 0).then(|| word & (word - 1));
            let rest = std::iter::successors(Some(word), step).filter(|&word| word != 0);
            rest.map(move |word| place * 64 + word.trailing_zeros())
        })
    }
}

/// The set of the nim-sums of a number with the places of bits, of the number only the lowest six
/// bits.
fn moved(mut word: u64, number: u32) -> u64 {
    /// Places without the lowest bit, the second one, …
    const WITHOUT: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    for (bit, without) in WITHOUT.into_iter().enumerate() {
        if number >> bit & 1 == 1 {
            word = (word & without) << (1 << bit) | word >> (1 << bit) & without;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_hold_a_set_of_numbers() {
        let mut set = Bits::new(10);
        for number in [0, 1, 3, 64, 200] {
            set.insert(number);
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 1, 3, 64, 200]);
        assert!(set.contains(64) && !set.contains(65) && !set.contains(100_000));
        assert_eq!((set.mex(), set.least()), (2, Some(0)));
        let mut other = Bits::new(0);
        assert_eq!((other.mex(), other.least()), (0, None));
        other.add(&set);
        set.drop_all(&other);
        assert_eq!((set.least(), other.iter().count()), (None, 5));
    }

    #[test]
    fn sums_with_a_number_are_those_of_each_number() {
        let mut other = Bits::new(0);
        for number in [0, 1, 5, 63, 64, 100, 191] {
            other.insert(number);
        }
        for number in (0..70).chain([127, 128, 200, 511]) {
            let (mut sums, mut expected) = (Bits::new(0), Bits::new(0));
            sums.insert(3);
            expected.insert(3);
            sums.add_sums(number, &other);
            other.iter().for_each(|one| expected.insert(one ^ number));
            assert!(sums.iter().eq(expected.iter()), "{number}");
        }
    }

    #[test]
    fn the_least_number_left_out_may_lie_beyond_full_words() {
        let mut set = Bits::new(0);
        (0..128).for_each(|number| set.insert(number));
        assert_eq!(set.mex(), 128);
    }
}
