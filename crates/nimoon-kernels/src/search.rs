//! Looking for numbers among the nim-sums of many pairs.

use std::ops::Range;

use crate::portable;
use crate::values::{Form, Values};

/// Groups of wanted numbers that are looked for at once: one for each bit of a byte.
const SLOTS: usize = 8;
/// 14 bits are four digits of 4 bits.
const PLANES: usize = 4;
/// Without digits, groups have 64 numbers.
const BITS: u32 = 6;

/// For each digit of a number, which groups it may belong to, the lowest digit first.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Tables(pub(crate) [[u8; 64]; PLANES]);

#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "the tables are read at every step, and there is one search at a time"
)]
enum Wanted {
    /// All numbers.
    All,
    /// Those with a flag.
    Flags(Box<portable::Flags>),
    /// Those in the tables.
    Tables(Tables),
}

/// A search for numbers among nim-sums.
///
/// Numbers are looked for in groups of neighbours, and in eight groups at once, which have a slot
/// each. When all numbers of a group were met its slot is free for the next group.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    values: &'a Values,
    wanted: Wanted,
    /// Numbers of a group differ in their lowest bits, so many.
    bits: u32,
    /// What the numbers in each slot have above these bits.
    slots: [Option<u32>; SLOTS],
    /// Numbers from here on had no slot yet.
    next: u32,
    /// The width of the values.
    width: u32,
}

impl<'a> Search<'a> {
    /// How many groups are looked for at once.
    pub const SLOTS: usize = SLOTS;

    pub(crate) fn new(values: &'a Values) -> Self {
        let (bits, wanted) = match &values.form {
            Form::Plain => (0, Wanted::All),
            Form::Halves(_) => (BITS, Wanted::Flags(portable::no_flags())),
            Form::Digits { bits, .. } => (*bits, Wanted::Tables(Tables([[0; 64]; PLANES]))),
        };
        Self { values, wanted, bits, slots: [None; SLOTS], next: 0, width: values.width() }
    }

    /// A search for one number.
    pub(crate) fn only(values: &'a Values, number: u32) -> Self {
        let mut search = Self::new(values);
        search.next = search.width;
        if number < search.width {
            let upper = number >> search.bits;
            search.slots[0] = Some(upper);
            search.want(0, upper, std::iter::once(number));
        }
        search
    }

    /// Gives free slots to the next groups that have numbers which are not in `seen`, in ascending
    /// order. The answer has a bit for each slot with a new group.
    pub fn refill(&mut self, seen: &[u64]) -> u8 {
        let used = self.used();
        let mut new = 0;
        for slot in 0..SLOTS {
            if used >> slot & 1 == 0 {
                self.free(slot);
                if self.fill(slot, seen) {
                    new |= 1 << slot;
                }
            }
        }
        new
    }

    /// The least number of the group in a slot, if there is one.
    pub fn first(&self, slot: usize) -> Option<u32> {
        self.slots.get(slot).copied().flatten().map(|upper| upper << self.bits)
    }

    /// Numbers from here on were in no slot yet. If there are no more that are in reach this is
    /// `u32::MAX`.
    pub fn next(&self) -> u32 {
        if self.next < self.width { self.next } else { u32::MAX }
    }

    /// Goes through all pairs of a heap in `parts` with what it leaves of `total`, and adds to
    /// `seen` all nim-sums that are looked for, and no number that is no nim-sum.
    ///
    /// # Panics
    /// If one of the heaps is not known, or `seen` has no room for a number that is looked for.
    pub fn sweep(&mut self, total: usize, parts: Range<usize>, seen: &mut [u64]) {
        if parts.is_empty() {
            return;
        }
        self.values.check(total, &parts);
        match (&mut self.wanted, &self.values.form) {
            (Wanted::Flags(flags), Form::Halves(halves)) => {
                let (forward, backward) = halves.pairs(total, &parts);
                portable::sweep(forward, backward, flags, seen);
            }
            #[cfg(target_arch = "x86_64")]
            (Wanted::Tables(tables), Form::Digits { bits, planes }) => {
                let pairs = |place: usize| planes[place].pairs(total, &parts);
                match (bits, planes.len()) {
                    (6, 2) => crate::x86::sweep_avx512([pairs(0), pairs(1)], tables, seen),
                    (6, _) => {
                        crate::x86::sweep_avx512([pairs(0), pairs(1), pairs(2)], tables, seen);
                    }
                    (_, 3) => {
                        crate::x86::sweep_avx2([pairs(0), pairs(1), pairs(2)], tables, seen);
                    }
                    _ => {
                        let planes = [pairs(0), pairs(1), pairs(2), pairs(3)];
                        crate::x86::sweep_avx2(planes, tables, seen);
                    }
                }
            }
            _ => self.values.mark(total, parts, seen),
        }
    }

    /// The slots with a number that was not met, as bits.
    fn used(&self) -> u8 {
        match &self.wanted {
            Wanted::All => u8::from(self.slots[0].is_some()),
            Wanted::Flags(flags) => (0..SLOTS).fold(0, |used, slot| {
                let group = self.slots[slot]
                    .map_or(&[][..], |upper| &flags[(upper as usize) << BITS..][..1 << BITS]);
                used | u8::from(group.iter().any(|&flag| flag != 0)) << slot
            }),
            Wanted::Tables(tables) => {
                let words = tables.0[0].as_chunks::<8>().0.iter();
                let all = words.fold(0, |all, &word| all | u64::from_ne_bytes(word));
                all.to_ne_bytes().into_iter().fold(0, |used, byte| used | byte)
            }
        }
    }

    /// Empties a slot none of whose numbers are looked for any more.
    fn free(&mut self, slot: usize) {
        let Some(upper) = self.slots[slot].take() else { return };
        if let Wanted::Tables(tables) = &mut self.wanted {
            let mut rest = upper;
            for table in &mut tables.0[1..] {
                table[(rest & ((1 << self.bits) - 1)) as usize] &= !(1 << slot);
                rest >>= self.bits;
            }
        }
    }

    /// Puts the next group into a free slot, if there is one.
    fn fill(&mut self, slot: usize, seen: &[u64]) -> bool {
        if let Wanted::All = self.wanted {
            let is_new = self.next < self.width;
            self.slots[slot] = is_new.then_some(0);
            self.next = self.width;
            return is_new;
        }
        let Some(number) = unseen(seen, self.next, self.width).next() else {
            self.next = self.width;
            return false;
        };
        let upper = number >> self.bits;
        self.slots[slot] = Some(upper);
        self.next = (upper + 1) << self.bits;
        let numbers = unseen(seen, number, self.next.min(self.width));
        self.want(slot, upper, numbers);
        true
    }

    /// Looks for numbers of one group in this slot.
    #[inline]
    fn want(&mut self, slot: usize, upper: u32, numbers: impl Iterator<Item = u32>) {
        match &mut self.wanted {
            Wanted::All => {}
            Wanted::Flags(flags) => numbers.for_each(|number| flags[number as usize] = 1),
            Wanted::Tables(tables) => {
                let mask = (1 << self.bits) - 1;
                let [lowest, others @ ..] = &mut tables.0;
                numbers.for_each(|number| lowest[(number & mask) as usize % 64] |= 1 << slot);
                let mut rest = upper;
                for table in others {
                    table[(rest & mask) as usize] |= 1 << slot;
                    rest >>= self.bits;
                }
            }
        }
    }
}

impl Tables {
    /// Takes a number out if it is wanted, and tells whether it was. Of the digits the lowest comes
    /// first; a digit that is too large belongs to no number.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) fn take<const PLANES: usize>(&mut self, digits: [u8; PLANES]) -> bool {
        let mut groups = 0xff;
        for (table, digit) in self.0.iter().zip(digits) {
            groups &= table.get(usize::from(digit)).copied().unwrap_or(0);
        }
        self.0[0][usize::from(digits[0] & 63)] &= !groups;
        groups != 0
    }
}

/// The numbers from `from` on and below `below` that are not in `seen`.
fn unseen(seen: &[u64], from: u32, below: u32) -> impl Iterator<Item = u32> + '_ {
    let mut place = from;
    std::iter::from_fn(move || {
        while place < below {
            let word = seen.get((place / 64) as usize).copied().unwrap_or(0);
            let left = !word >> (place % 64);
            if left == 0 {
                place = (place | 63) + 1;
                continue;
            }
            let number = place + left.trailing_zeros();
            place = number + 1;
            return (number < below).then_some(number);
        }
        None
    })
}
