//! The search with AVX-512: digits of 6 bits, 64 nim-sums in a vector.
//!
//! Searches for consecutive totals share the one heap of each pair, and the other heap is one place
//! further on for each next total. Together they read little more than one alone, and need nothing
//! to stay in the nearest cache.
//!
//! The pairs are read in blocks. The groups found in a block are united before they are compared
//! with 0, since that comparison costs as much as a look-up. A block with a wanted number is read a
//! second time, and the digits of all numbers that were found are put into a list, without a branch
//! for each. When the list is long, and at the end, its numbers are recorded and the tables are
//! made again. A number may be in the list many times, but that costs only some cycles.

#![expect(
    clippy::needless_range_loop,
    reason = "adapters of iterators are not inlined into functions for special instructions"
)]

use std::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_loadu_si512, _mm512_mask_add_epi8,
    _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_or_si512, _mm512_permutexvar_epi8,
    _mm512_set1_epi8, _mm512_setzero_si512, _mm512_storeu_si512, _mm512_test_epi8_mask,
    _mm512_xor_si512,
};
use std::mem::MaybeUninit;

use crate::search::{EightGroups, Job, Lists};

/// Nim-sums in a vector.
const VECTOR: usize = 64;
/// Look-ups of vectors in a block.
const BLOCK: usize = 8;
/// Nim-sums are recorded in groups of this size.
const MANY: usize = 96;
/// Room for one block more, whose last vector is written as a whole.
const ROOM: usize = MANY + (BLOCK + 1) * VECTOR;

/// Marks the wanted numbers among the nim-sums; they are then no longer wanted.
pub(crate) fn sweep<const PLANES: usize, const SETS: usize, const HEAPS: usize>(
    lists: &Lists<'_>,
    jobs: [Job<'_>; HEAPS],
) {
    // SAFETY: planes of 6 bits are made only if the processor has these instructions.
    unsafe { run::<PLANES, SETS, HEAPS>(lists, jobs) }
}

/// The tables of a search: for each eight groups, for each digit.
type Tables<const PLANES: usize, const SETS: usize> = [[__m512i; PLANES]; SETS];

/// The digits of 64 nim-sums, plane by plane.
type Digits<const PLANES: usize> = [__m512i; PLANES];

/// Digits of heaps: of the one heap of each pair, plane by plane, and of the other for each search.
struct Pairs<'a, const PLANES: usize, const HEAPS: usize> {
    length: usize,
    ones: [&'a [u8]; PLANES],
    others: [[&'a [u8]; HEAPS]; PLANES],
}

impl<'a, const PLANES: usize, const HEAPS: usize> Pairs<'a, PLANES, HEAPS> {
    fn new(lists: &Lists<'a>) -> Self {
        let pairs =
            |plane: usize, heap| lists.planes[plane].pairs(lists.total + heap, &lists.parts);
        let ones = std::array::from_fn(|plane| pairs(plane, 0).0);
        let others = std::array::from_fn(|plane| std::array::from_fn(|heap| pairs(plane, heap).1));
        let all = ones.iter().chain(others.as_flattened());
        let length = all.map(|list| list.len()).min().unwrap_or(0);
        Self { length, ones, others }
    }

    /// The bytes before the next line of the cache; a load across two lines costs two.
    fn before_line(&self) -> usize {
        (self.ones[0].as_ptr().align_offset(VECTOR) % VECTOR).min(self.length)
    }

    /// # Safety
    /// There are 64 pairs from `place` on.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi2")]
    unsafe fn load_ones(&self, place: usize) -> Digits<PLANES> {
        debug_assert!(place + VECTOR <= self.length);
        let mut digits = [_mm512_setzero_si512(); PLANES];
        for plane in 0..PLANES {
            // SAFETY: the caller promises that the bytes are there.
            digits[plane] =
                unsafe { _mm512_loadu_si512(self.ones[plane].as_ptr().add(place).cast()) };
        }
        digits
    }

    /// # Safety
    /// There are 64 pairs from `place` on.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi2")]
    unsafe fn add_others(&self, heap: usize, place: usize, ones: Digits<PLANES>) -> Digits<PLANES> {
        debug_assert!(place + VECTOR <= self.length);
        let mut digits = ones;
        for plane in 0..PLANES {
            // SAFETY: the caller promises that the bytes are there.
            let others =
                unsafe { _mm512_loadu_si512(self.others[plane][heap].as_ptr().add(place).cast()) };
            digits[plane] = _mm512_xor_si512(ones[plane], others);
        }
        digits
    }

    /// At most 64 nim-sums, for the ends of the lists.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi2")]
    fn part(&self, heap: usize, place: usize, count: usize) -> Digits<PLANES> {
        let there = u64::MAX >> (64 - count);
        let mut digits = [_mm512_setzero_si512(); PLANES];
        for plane in 0..PLANES {
            let one = &self.ones[plane][place..place + count];
            let other = &self.others[plane][heap][place..place + count];
            // SAFETY: only the first `count` bytes are read, and they are within the slices.
            digits[plane] = unsafe {
                _mm512_xor_si512(
                    _mm512_maskz_loadu_epi8(there, one.as_ptr().cast()),
                    _mm512_maskz_loadu_epi8(there, other.as_ptr().cast()),
                )
            };
        }
        digits
    }
}

/// Nim-sums that were found and not yet recorded.
struct Found<const PLANES: usize> {
    /// Their digits, plane by plane; the first `count` are written.
    digits: [[MaybeUninit<u8>; ROOM]; PLANES],
    count: usize,
}

impl<const PLANES: usize> Found<PLANES> {
    /// Adds the chosen ones of 64.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi2")]
    fn add(&mut self, chosen: u64, digits: Digits<PLANES>) {
        let count = self.count;
        for plane in 0..PLANES {
            let room: &mut [MaybeUninit<u8>; VECTOR] = self.digits[plane][count..]
                .first_chunk_mut()
                .expect("a block fits behind a list that is not long");
            // SAFETY: 64 bytes are written to an array of 64.
            unsafe {
                _mm512_storeu_si512(
                    room.as_mut_ptr().cast(),
                    _mm512_maskz_compress_epi8(chosen, digits[plane]),
                );
            }
        }
        self.count = count + chosen.count_ones() as usize;
    }

    /// Records the numbers in the list if it is long, and returns whether it was.
    #[inline]
    fn record_many(&mut self, job: &mut Job<'_>) -> bool {
        let many = self.count >= MANY;
        if many {
            self.note(job);
        }
        many
    }

    /// Records the numbers in the list, and clears it.
    #[inline(never)]
    fn note(&mut self, job: &mut Job<'_>) {
        for place in 0..self.count {
            // SAFETY: the first `count` digits of each plane are written.
            let digit = |plane: usize| unsafe { self.digits[plane][place].assume_init() };
            let lowest = digit(0);
            let mut word = 0;
            for plane in (1..PLANES).rev() {
                word = word << 6 | usize::from(digit(plane));
            }
            // With a moon the lowest digit is too large, which the tables do not show.
            job.seen[word] |= u64::from(lowest < 64) << (lowest % 64);
        }
        if self.count > 0 {
            self.count = 0;
            job.groups.remove_found(job.seen);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi2")]
fn run<const PLANES: usize, const SETS: usize, const HEAPS: usize>(
    lists: &Lists<'_>,
    mut jobs: [Job<'_>; HEAPS],
) {
    let pairs = Pairs::<PLANES, HEAPS>::new(lists);
    let length = pairs.length;
    let mut tables = make_tables::<PLANES, SETS, HEAPS>(&jobs);
    let mut met =
        [const { Found { digits: [[MaybeUninit::uninit(); ROOM]; PLANES], count: 0 } }; HEAPS];
    let vectors = BLOCK / HEAPS;
    let mut place = 0;
    let mut next = pairs.before_line();
    loop {
        // Vectors in part: up to the first line, and after the last block.
        while place < next {
            let part = (next - place).min(VECTOR);
            let there = u64::MAX >> (64 - part);
            let mut many = false;
            for heap in 0..HEAPS {
                let digits = pairs.part(heap, place, part);
                let found = look_up(&digits, &tables[heap]);
                met[heap].add(_mm512_test_epi8_mask(found, found) & there, digits);
                many |= met[heap].record_many(&mut jobs[heap]);
            }
            if many {
                tables = make_tables(&jobs);
            }
            place += part;
        }
        if place == length {
            break;
        }
        // More sets mean many wanted numbers, and most vectors have one.
        while SETS > 1 && place + VECTOR <= length {
            // SAFETY: the vector is within `length`.
            let ones = unsafe { pairs.load_ones(place) };
            let mut many = false;
            for heap in 0..HEAPS {
                // SAFETY: as before.
                let digits = unsafe { pairs.add_others(heap, place, ones) };
                let found = look_up(&digits, &tables[heap]);
                met[heap].add(_mm512_test_epi8_mask(found, found), digits);
                many |= met[heap].count >= MANY;
            }
            if many {
                for heap in 0..HEAPS {
                    met[heap].record_many(&mut jobs[heap]);
                }
                tables = make_tables(&jobs);
            }
            place += VECTOR;
        }
        while SETS == 1 && place + vectors * VECTOR <= length {
            let mut all = _mm512_setzero_si512();
            for vector in 0..vectors {
                let start = place + vector * VECTOR;
                // SAFETY: the whole block is within `length`.
                let ones = unsafe { pairs.load_ones(start) };
                for heap in 0..HEAPS {
                    // SAFETY: as before.
                    let digits = unsafe { pairs.add_others(heap, start, ones) };
                    all = _mm512_or_si512(all, look_up(&digits, &tables[heap]));
                }
            }
            if _mm512_test_epi8_mask(all, all) != 0
                && collect(&pairs, place, vectors, tables, &mut met, &mut jobs)
            {
                tables = make_tables(&jobs);
            }
            place += vectors * VECTOR;
        }
        next = length;
    }
    for (met, job) in met.iter_mut().zip(&mut jobs) {
        met.note(job);
    }
}

/// Puts all wanted numbers of a block into the lists, and returns whether tables must be made
/// again. This is a separate function that repeats the work for the block, so that the plain loop
/// has all registers.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi2")]
fn collect<const PLANES: usize, const SETS: usize, const HEAPS: usize>(
    pairs: &Pairs<'_, PLANES, HEAPS>,
    place: usize,
    vectors: usize,
    tables: [Tables<PLANES, SETS>; HEAPS],
    met: &mut [Found<PLANES>; HEAPS],
    jobs: &mut [Job<'_>; HEAPS],
) -> bool {
    for vector in 0..vectors {
        let start = place + vector * VECTOR;
        // SAFETY: the whole block is within the lists.
        let ones = unsafe { pairs.load_ones(start) };
        for heap in 0..HEAPS {
            // SAFETY: as before.
            let digits = unsafe { pairs.add_others(heap, start, ones) };
            let found = look_up(&digits, &tables[heap]);
            let chosen = _mm512_test_epi8_mask(found, found);
            if chosen != 0 {
                met[heap].add(chosen, digits);
            }
        }
    }
    let mut many = false;
    for heap in 0..HEAPS {
        many |= met[heap].record_many(&mut jobs[heap]);
    }
    many
}

/// The tables of the groups, made in registers: memory would take as long as many vectors.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi2")]
fn make_tables<const PLANES: usize, const SETS: usize, const HEAPS: usize>(
    jobs: &[Job<'_>; HEAPS],
) -> [Tables<PLANES, SETS>; HEAPS] {
    let mut all = [[[_mm512_setzero_si512(); PLANES]; SETS]; HEAPS];
    for heap in 0..HEAPS {
        for set in 0..SETS {
            all[heap][set] = make_set(&jobs[heap].groups.sets[set]);
        }
    }
    all
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi2")]
fn make_set<const PLANES: usize>(groups: &EightGroups) -> [__m512i; PLANES] {
    let mut tables = [_mm512_setzero_si512(); PLANES];
    for slot in 0..groups.wanted.len() {
        let bit = _mm512_set1_epi8((1_u8 << slot).cast_signed());
        let (mut chosen, mut rest) = (groups.wanted[slot], groups.upper[slot]);
        for plane in 0..PLANES {
            // Their entries do not have this bit yet.
            tables[plane] = _mm512_mask_add_epi8(tables[plane], chosen, tables[plane], bit);
            chosen = 1 << (rest % 64);
            rest /= 64;
        }
    }
    tables
}

/// Bytes that are not 0 where one of 64 nim-sums belongs to a group.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt,bmi2")]
fn look_up<const PLANES: usize, const SETS: usize>(
    digits: &Digits<PLANES>,
    tables: &Tables<PLANES, SETS>,
) -> __m512i {
    let mut any = _mm512_setzero_si512();
    for tables in tables {
        let mut all = _mm512_permutexvar_epi8(digits[0], tables[0]);
        for plane in 1..PLANES {
            all = _mm512_and_si512(all, _mm512_permutexvar_epi8(digits[plane], tables[plane]));
        }
        any = _mm512_or_si512(any, all);
    }
    any
}
