//! Looking for numbers among the nim-sums of many pairs.

use std::ops::Range;

use crate::portable;
use crate::values::{Form, Values};

/// Groups of wanted numbers: one for each bit of a byte.
const GROUPS: u32 = 8;
/// 14 bits are four digits of 4 bits.
const PLANES: usize = 4;

/// For each digit of a number, which groups it may belong to, the lowest digit first.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Tables(pub(crate) [[u8; 64]; PLANES]);

#[derive(Clone, Debug)]
enum Wanted {
    /// All numbers.
    All,
    /// Those with a flag.
    Flags(Box<portable::Flags>),
    /// Those in the tables.
    Tables(Tables),
}

/// A search for numbers among nim-sums.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    values: &'a Values,
    wanted: Wanted,
    limit: u32,
}

impl<'a> Search<'a> {
    pub(crate) fn new(values: &'a Values, seen: &[u64], from: u32, below: u32) -> Self {
        // Greater numbers are not wanted, or are not in reach.
        let mut limit = if below == values.width() { u32::MAX } else { below };
        let wanted = match &values.form {
            Form::Plain => {
                limit = u32::MAX;
                Wanted::All
            }
            Form::Halves(_) => {
                let mut flags = portable::no_flags();
                unseen(seen, from, below).for_each(|number| flags[number as usize] = 1);
                Wanted::Flags(flags)
            }
            Form::Digits { bits, planes } => {
                let mut tables = Tables([[0; 64]; PLANES]);
                let mut groups = 0;
                let mut last = None;
                for number in unseen(seen, from, below) {
                    let upper = number >> bits;
                    if last != Some(upper) {
                        if groups == GROUPS {
                            limit = number;
                            break;
                        }
                        groups += 1;
                        last = Some(upper);
                    }
                    let group = 1 << (groups - 1);
                    let mut rest = number;
                    for table in &mut tables.0[..planes.len()] {
                        table[(rest & ((1 << bits) - 1)) as usize] |= group;
                        rest >>= bits;
                    }
                }
                Wanted::Tables(tables)
            }
        };
        Self { values, wanted, limit }
    }

    /// Numbers from here on are not looked for: what was not met may still be there. If all numbers
    /// that are in reach are looked for this is `u32::MAX`.
    pub fn limit(&self) -> u32 {
        self.limit
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
