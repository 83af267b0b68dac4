//! The search with AVX2: digits of 4 bits, 32 nim-sums in a vector.
//!
//! The pairs are read in blocks of four vectors. The groups found in a block are united before they
//! are compared with 0, since that comparison costs as much as a look-up. Only in a block with a
//! wanted number is each vector compared by itself. A number that occurs twice in a block is found
//! twice, but the second time it is no longer in the tables.

#![expect(
    clippy::needless_range_loop,
    reason = "adapters of iterators are not inlined into functions for special instructions"
)]

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8,
    _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_testz_si256, _mm256_xor_si256,
};

use crate::search::{Groups, Tables};

/// Digits at one place: of the one heap of each pair and of the other.
type Plane<'a> = (&'a [u8], &'a [u8]);

/// Vectors in a block.
const BLOCK: usize = 4;

/// Marks the wanted numbers among the nim-sums; they are then no longer wanted.
pub(crate) fn sweep<const PLANES: usize, const SETS: usize>(
    planes: [Plane<'_>; PLANES],
    groups: &mut Groups,
    seen: &mut [u64],
) {
    let mut tables = std::array::from_fn::<_, SETS, _>(|set| Tables::new(&groups.sets[set]));
    // SAFETY: planes of 4 bits are made only if the processor has these instructions.
    unsafe { run(planes, &mut tables, seen) };
    groups.remove_found(seen);
}

/// Checks the pairs whose bits are set, from a place on, and marks the nim-sums that are wanted.
#[inline]
fn look<const PLANES: usize, const SETS: usize>(
    planes: &[Plane<'_>; PLANES],
    place: usize,
    mut found: u64,
    tables: &mut [Tables; SETS],
    seen: &mut [u64],
) {
    while found != 0 {
        let pair = place + found.trailing_zeros() as usize;
        found &= found - 1;
        // With a moon the lowest digit is too large for the table.
        let digits = planes.map(|(one, other)| one[pair] ^ other[pair]);
        if tables.iter_mut().any(|tables| tables.take(digits)) {
            let upper = digits.iter().rev();
            let number = upper.fold(0, |number, &digit| number << 4 | usize::from(digit));
            seen[number / 64] |= 1 << (number % 64);
        }
    }
}

/// The number of pairs that all planes have.
fn length<const PLANES: usize>(planes: &[Plane<'_>; PLANES]) -> usize {
    planes.iter().map(|(one, other)| one.len().min(other.len())).min().unwrap_or(0)
}

/// The bytes before the next line of the cache; a load across two lines costs two.
fn before_line<const PLANES: usize>(planes: &[Plane<'_>; PLANES]) -> usize {
    planes.first().map_or(0, |(one, _)| one.as_ptr().align_offset(64)) % 64
}

/// The same tables in both halves of a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn load_tables<const PLANES: usize, const SETS: usize>(
    tables: &[Tables; SETS],
) -> [[__m256i; PLANES]; SETS] {
    let mut vectors = [[_mm256_setzero_si256(); PLANES]; SETS];
    for set in 0..SETS {
        for plane in 0..PLANES {
            let table: &[u8; 16] = &tables[set].0[plane];
            // SAFETY: a table has 16 bytes.
            let table = unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
            vectors[set][plane] = _mm256_broadcastsi128_si256(table);
        }
    }
    vectors
}

/// Bytes that are not 0 where one of 32 nim-sums belongs to a group.
///
/// # Safety
/// All lists have 32 bytes from `place` on.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn look_up<const PLANES: usize, const SETS: usize>(
    planes: &[Plane<'_>; PLANES],
    place: usize,
    tables: &[[__m256i; PLANES]; SETS],
) -> __m256i {
    let mut digits = [_mm256_setzero_si256(); PLANES];
    for plane in 0..PLANES {
        let (one, other) = planes[plane];
        // SAFETY: the caller promises that the bytes are there.
        digits[plane] = unsafe {
            _mm256_xor_si256(
                _mm256_loadu_si256(one.as_ptr().add(place).cast()),
                _mm256_loadu_si256(other.as_ptr().add(place).cast()),
            )
        };
    }
    let mut any = _mm256_setzero_si256();
    for tables in tables {
        let mut all = _mm256_shuffle_epi8(tables[0], digits[0]);
        for plane in 1..PLANES {
            all = _mm256_and_si256(all, _mm256_shuffle_epi8(tables[plane], digits[plane]));
        }
        any = _mm256_or_si256(any, all);
    }
    any
}

#[target_feature(enable = "avx2")]
fn run<const PLANES: usize, const SETS: usize>(
    planes: [Plane<'_>; PLANES],
    tables: &mut [Tables; SETS],
    seen: &mut [u64],
) {
    const VECTOR: usize = 32;
    let length = length(&planes);
    // AVX2 cannot load a part of a vector, so the ends are read pair by pair.
    let mut place = before_line(&planes).min(length);
    look(&planes, 0, u64::MAX.checked_shr(64 - place as u32).unwrap_or(0), tables, seen);
    let mut vectors = load_tables(tables);
    while place + BLOCK * VECTOR <= length {
        let mut found = [_mm256_setzero_si256(); BLOCK];
        let mut any = _mm256_setzero_si256();
        for vector in 0..BLOCK {
            // SAFETY: the whole block is within `length`, and every list has at least that length.
            found[vector] = unsafe { look_up(&planes, place + vector * VECTOR, &vectors) };
            any = _mm256_or_si256(any, found[vector]);
        }
        if _mm256_testz_si256(any, any) == 0 {
            for vector in 0..BLOCK {
                let none = _mm256_cmpeq_epi8(found[vector], _mm256_setzero_si256());
                let found = !_mm256_movemask_epi8(none).cast_unsigned();
                look(&planes, place + vector * VECTOR, u64::from(found), tables, seen);
            }
            vectors = load_tables(tables);
        }
        place += BLOCK * VECTOR;
    }
    while place < length {
        let count = (length - place).min(64);
        look(&planes, place, u64::MAX >> (64 - count), tables, seen);
        place += count;
    }
}
