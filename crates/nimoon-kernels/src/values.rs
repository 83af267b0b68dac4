//! The values of heaps, in the forms that searches read.

use std::ops::Range;

use crate::{Path, Search};

/// Stands for a moon among numbers.
pub(crate) const MOON: u32 = 1 << 31;

/// Halves of words have numbers of 14 bits and two marks.
const MOST_OF_HALVES: u32 = (1 << 14) - 1;

/// The values of the heaps 0, 1, 2, …: numbers, or moons, which have no nim-sum with anything.
#[derive(Clone, Debug)]
pub struct Values {
    plain: BothWays<u32>,
    /// The same as half words, as long as no value is above the cap.
    pub(crate) halves: BothWays<u16>,
    /// The largest number.
    top: u32,
    /// Values above this are searched pair by pair.
    cap: u32,
    pub(crate) form: Form,
}

/// The data that a search reads.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// The plain values: some value is above the cap.
    Plain,
    /// The half words, on the portable path.
    Halves,
    /// Planes of digits, the lowest first.
    Digits { bits: u32, planes: Vec<BothWays<u8>> },
}

/// A list that is also stored backwards, so that the places of two heaps with a given total
/// increase together.
#[derive(Clone, Debug)]
pub(crate) struct BothWays<T> {
    length: usize,
    /// How many there is room for, in both directions.
    room: usize,
    forward: Vec<T>,
    /// Where the list begins, such that it begins with a line of the cache.
    start: usize,
    /// What has place i in the list has place `room - 1 - i` here.
    backward: Vec<T>,
}

impl<T: Copy + Default> BothWays<T> {
    fn new() -> Self {
        Self { length: 0, room: 0, forward: Vec::new(), start: 0, backward: Vec::new() }
    }

    fn push(&mut self, forward: T, backward: T) {
        if self.length == self.room {
            self.double();
        }
        self.forward[self.start + self.length] = forward;
        self.backward[self.room - 1 - self.length] = backward;
        self.length += 1;
    }

    #[cold]
    fn double(&mut self) {
        const LINE: usize = 64;
        let more = self.room.max(512);
        let room = self.room + more;
        let mut forward = vec![T::default(); room + LINE];
        let start = forward.as_ptr().align_offset(LINE) % LINE;
        forward[start..start + self.length]
            .copy_from_slice(&self.forward[self.start..self.start + self.length]);
        let mut backward = vec![T::default(); room];
        backward[more..].copy_from_slice(&self.backward);
        *self = Self { length: self.length, room, forward, start, backward };
    }

    fn get(&self, place: usize) -> Option<T> {
        self.forward[self.start..][..self.length].get(place).copied()
    }

    /// The values of the heaps in `parts`, and those of the rests of `total`.
    #[inline]
    pub(crate) fn pairs(&self, total: usize, parts: &Range<usize>) -> (&[T], &[T]) {
        let other = self.room + parts.start - 1 - total;
        (
            &self.forward[self.start + parts.start..][..parts.len()],
            &self.backward[other..][..parts.len()],
        )
    }
}

impl BothWays<u8> {
    fn mark_last(&mut self, forward: u8, backward: u8) {
        self.forward[self.start + self.length - 1] |= forward;
        self.backward[self.room - self.length] |= backward;
    }
}

/// Numbers that are the nim-sum of some pair, see [`Values::sample`].
///
/// Each has a byte. Bytes are written without being read before, so that no pair waits for another.
#[derive(Clone, Debug)]
pub struct Sample {
    /// All half words have a flag, those above the width for pairs with a moon.
    flags: Vec<u8>,
    width: usize,
}

impl Sample {
    /// An empty sample for these values.
    pub fn new(values: &Values) -> Self {
        let width = values.width() as usize;
        Self { flags: vec![0; width.next_multiple_of(64).max(1 << 16)], width }
    }

    /// The numbers as bits, bit k % 64 of word k / 64 for the number k. The sample is empty then.
    pub fn take(&mut self) -> Vec<u64> {
        let flags = &mut self.flags[..self.width.next_multiple_of(64)];
        let words = flags.as_chunks::<64>().0.iter();
        let words = words.map(|flags| {
            let bytes = flags.as_chunks::<8>().0.iter().rev();
            // Flag i of eight goes to bit 56 + i, and no two go to the same bit.
            bytes.fold(0, |word, &byte| {
                let bits = u64::from_le_bytes(byte).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                word << 8 | bits
            })
        });
        let words = words.collect();
        flags.fill(0);
        words
    }
}

impl Values {
    /// No values yet. A path that the processor does not have is taken for the portable one.
    pub fn new(path: Path) -> Self {
        Self::with_cap(path, MOST_OF_HALVES)
    }

    /// The same, but values above `cap` are searched pair by pair, and not only those above 16383.
    ///
    /// Any number up to 2³¹ − 1 can be a value. Those of heaps grow so slowly that none above
    /// 16383 is in reach, so what happens there is tested with a lower cap.
    ///
    /// ```
    /// use nimoon_kernels::{Path, Values};
    /// let mut values = Values::with_cap(Path::best(), 3);
    /// values.push(Some(70_000));
    /// values.push(None);
    /// assert_eq!((values.get(0), values.get(1)), (Some(Some(70_000)), Some(None)));
    /// ```
    pub fn with_cap(path: Path, cap: u32) -> Self {
        let path = if path.available() { path } else { Path::Portable };
        let form = match path {
            Path::Portable => Form::Halves,
            Path::Avx2 => Form::Digits { bits: 4, planes: vec![BothWays::new(); 3] },
            Path::Avx512 => Form::Digits { bits: 6, planes: vec![BothWays::new(); 2] },
        };
        Self {
            plain: BothWays::new(),
            halves: BothWays::new(),
            top: 0,
            cap: cap.min(MOST_OF_HALVES),
            form,
        }
    }

    /// How many heaps are known.
    pub fn len(&self) -> usize {
        self.plain.length
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.plain.length == 0
    }

    /// The value of a heap if it is known: a number, or none for a moon.
    pub fn get(&self, heap: usize) -> Option<Option<u32>> {
        self.plain.get(heap).map(|value| (value != MOON).then_some(value))
    }

    /// The largest number that is a value; 0 if there is none.
    pub fn top(&self) -> u32 {
        self.top
    }

    /// A power of two above all numbers, hence also above their nim-sums.
    ///
    /// ```
    /// use nimoon_kernels::{Path, Values};
    /// let mut values = Values::new(Path::best());
    /// assert_eq!(values.width(), 1);
    /// values.push(Some(5));
    /// assert_eq!(values.width(), 8);
    /// ```
    pub fn width(&self) -> u32 {
        (self.top + 1).next_power_of_two()
    }

    /// Adds the value of the next heap: a number below 2³¹, or none for a moon.
    ///
    /// # Panics
    /// If the number is not below 2³¹.
    pub fn push(&mut self, value: Option<u32>) {
        assert!(value.is_none_or(|value| value < MOON), "a value below 2^31");
        let number = value.unwrap_or(0);
        self.top = self.top.max(number);
        if self.top > self.cap {
            self.form = Form::Plain;
            self.halves = BothWays::new();
        } else {
            // With the marks of a moon, a nim-sum with any number or with another moon is not a
            // number.
            let (forward, backward) =
                value.map_or((0x8000, 0x4000), |value| (value as u16, value as u16));
            self.halves.push(forward, backward);
        }
        match &mut self.form {
            Form::Plain | Form::Halves => {}
            Form::Digits { bits, planes } => {
                while self.top >> (*bits * planes.len() as u32) != 0 {
                    let mut plane = BothWays::new();
                    (0..self.plain.length).for_each(|_| plane.push(0, 0));
                    planes.push(plane);
                }
                let mut rest = number;
                for plane in &mut *planes {
                    let digit = (rest & ((1 << *bits) - 1)) as u8;
                    rest >>= *bits;
                    // The mark of a moon is above the digits of the lowest plane.
                    plane.push(digit, digit);
                }
                if value.is_none() {
                    planes[0].mark_last(0x80, 0x40);
                }
            }
        }
        self.plain.push(value.unwrap_or(MOON), value.unwrap_or(MOON));
    }

    /// Marks the nim-sums of all pairs of a heap in `parts` with the rest of `total`.
    /// Bit k % 64 of word k / 64 stands for the number k.
    ///
    /// ```
    /// use nimoon_kernels::{Path, Values};
    /// let mut values = Values::new(Path::best());
    /// for value in [Some(0), None, Some(2), Some(5)] {
    ///     values.push(value);
    /// }
    /// let mut seen = [0];
    /// values.mark(5, 2..4, &mut seen);
    /// assert_eq!(seen, [1 << 7]);
    /// values.mark(4, 1..4, &mut seen);
    /// assert_eq!(seen, [1 << 7 | 1 << 0]);
    /// ```
    ///
    /// # Panics
    /// If one of the heaps is not known, or `seen` has no room for a nim-sum.
    pub fn mark(&self, total: usize, parts: Range<usize>, seen: &mut [u64]) {
        if parts.is_empty() {
            return;
        }
        self.check(total, &parts);
        let (ones, others) = self.plain.pairs(total, &parts);
        for (one, other) in ones.iter().zip(others) {
            let sum = one ^ other;
            if (one | other) < MOON {
                seen[(sum / 64) as usize] |= 1 << (sum % 64);
            }
        }
    }

    /// The same with a byte for each number, which becomes 1; nim-sums that have none are left out.
    /// Bytes are written without being read before, so that no pair waits for another.
    ///
    /// ```
    /// use nimoon_kernels::{Path, Values};
    /// let mut values = Values::new(Path::best());
    /// for value in [Some(0), None, Some(2), Some(5)] {
    ///     values.push(value);
    /// }
    /// let mut flags = [0; 8];
    /// values.flag(5, 2..4, &mut flags);
    /// assert_eq!(flags, [0, 0, 0, 0, 0, 0, 0, 1]);
    /// ```
    ///
    /// # Panics
    /// If one of the heaps is not known.
    pub fn flag(&self, total: usize, parts: Range<usize>, flags: &mut [u8]) {
        if parts.is_empty() {
            return;
        }
        self.check(total, &parts);
        let (ones, others) = self.plain.pairs(total, &parts);
        for (one, other) in ones.iter().zip(others) {
            // A nim-sum of two moons is 0.
            let sum = (one ^ other) | (one & MOON);
            if let Some(flag) = flags.get_mut(sum as usize) {
                *flag = 1;
            }
        }
    }

    /// Puts the nim-sums of these pairs into a sample. It is made for the values as they are now.
    ///
    /// ```
    /// use nimoon_kernels::{Path, Sample, Values};
    /// let mut values = Values::new(Path::best());
    /// for value in [Some(0), None, Some(2), Some(5)] {
    ///     values.push(value);
    /// }
    /// let mut sample = Sample::new(&values);
    /// values.sample(5, 2..4, &mut sample);
    /// assert_eq!(sample.take(), [1 << 7]);
    /// assert_eq!(sample.take(), [0]);
    /// ```
    ///
    /// # Panics
    /// If one of the heaps is not known, or the sample was made when values were smaller.
    pub fn sample(&self, total: usize, parts: Range<usize>, sample: &mut Sample) {
        /// Nim-sums that are computed before they are recorded.
        const CHUNK: usize = 32;
        if parts.is_empty() {
            return;
        }
        if let Form::Plain = self.form {
            self.flag(total, parts, &mut sample.flags);
            return;
        }
        self.check(total, &parts);
        let flags: &mut [u8; 1 << 16] =
            sample.flags.first_chunk_mut().expect("a sample has a flag for each half word");
        let (ones, others) = self.halves.pairs(total, &parts);
        let ((ones, ones_left), (others, others_left)) =
            (ones.as_chunks::<CHUNK>(), others.as_chunks::<CHUNK>());
        for (one, other) in ones.iter().zip(others) {
            // All nim-sums come first, so that the compiler uses vectors for them.
            let mut sums = [0; CHUNK];
            for (sum, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
                *sum = one ^ other;
            }
            for sum in sums {
                flags[usize::from(sum)] = 1;
            }
        }
        for (one, other) in ones_left.iter().zip(others_left) {
            flags[usize::from(one ^ other)] = 1;
        }
    }

    /// Whether a number is the nim-sum of one of these pairs.
    ///
    /// ```
    /// use nimoon_kernels::{Path, Values};
    /// let mut values = Values::new(Path::best());
    /// for value in [0, 1, 2, 4, 7] {
    ///     values.push(Some(value));
    /// }
    /// assert!(!values.meets(5, 1..3, 3));
    /// assert!(values.meets(5, 1..3, 6));
    /// ```
    ///
    /// # Panics
    /// If one of the heaps is not known.
    pub fn meets(&self, total: usize, parts: Range<usize>, number: u32) -> bool {
        /// Most numbers are found soon.
        const CHUNK: usize = 4096;
        if number >= self.width() {
            return false;
        }
        let mut search = self.search(total, Vec::new());
        search.choose(number..number + 1, 1);
        parts.clone().step_by(CHUNK).any(|start| {
            search.sweep(start..(start + CHUNK).min(parts.end));
            search.seen()[(number / 64) as usize] >> (number % 64) & 1 == 1
        })
    }

    /// A search among the nim-sums of two heaps with `total` tokens together, for numbers that are
    /// not in `seen`. Nothing is wanted yet: see [`Search::choose`].
    pub fn search(&self, total: usize, seen: Vec<u64>) -> Search<'_> {
        Search::new(self, total, seen)
    }

    /// Whether all heaps of these pairs are known.
    pub(crate) fn check(&self, total: usize, parts: &Range<usize>) {
        let known =
            parts.end <= self.len() && parts.end <= total + 1 && total - parts.start < self.len();
        assert!(known, "pairs of known heaps: {parts:?} of {total}, of {} heaps", self.len());
    }
}
