//! The searches with vector instructions of x86-64.
//!
//! Both go through the pairs in blocks of four vectors. The groups found in them are united before
//! they are looked at, since the question whether a vector is 0 costs as much as a look-up. Only in
//! a block that has a wanted number each vector is asked for its own. A number that is met twice in a
//! block is found twice, and is not in the tables any more the second time.

use std::arch::x86_64::{
    __m256i, __m512i, _mm_loadu_si128, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_testz_si256, _mm256_xor_si256,
    _mm512_and_si512, _mm512_loadu_si512, _mm512_maskz_loadu_epi8, _mm512_or_si512,
    _mm512_permutexvar_epi8, _mm512_setzero_si512, _mm512_test_epi8_mask, _mm512_xor_si512,
};

use crate::search::Tables;

/// Digits at one place: of the one heap of each pair and of the other.
type Plane<'a> = (&'a [u8], &'a [u8]);

/// Vectors in a block.
const BLOCK: usize = 4;

/// Marks the wanted numbers among the nim-sums, and takes them out of the tables.
pub(crate) fn sweep_avx512<const PLANES: usize>(
    planes: [Plane<'_>; PLANES],
    tables: &mut Tables,
    seen: &mut [u64],
) {
    // SAFETY: planes of 6 bits are made only if the processor has these instructions.
    unsafe { avx512(planes, tables, seen) }
}

/// The same for digits of 4 bits.
pub(crate) fn sweep_avx2<const PLANES: usize>(
    planes: [Plane<'_>; PLANES],
    tables: &mut Tables,
    seen: &mut [u64],
) {
    // SAFETY: planes of 4 bits are made only if the processor has these instructions.
    unsafe { avx2(planes, tables, seen) }
}

/// Looks at the pairs whose bits are set, from a place on, and marks the nim-sums that are wanted.
#[inline]
fn look<const PLANES: usize>(
    planes: &[Plane<'_>; PLANES],
    bits: u32,
    place: usize,
    mut found: u64,
    tables: &mut Tables,
    seen: &mut [u64],
) {
    while found != 0 {
        let pair = place + found.trailing_zeros() as usize;
        found &= found - 1;
        // With a moon the lowest digit is too large for the table.
        let digits = planes.map(|(one, other)| one[pair] ^ other[pair]);
        if tables.take(digits) {
            let upper = digits.iter().rev();
            let number = upper.fold(0, |number, &digit| number << bits | usize::from(digit));
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

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn load_tables_512<const PLANES: usize>(tables: &Tables) -> [__m512i; PLANES] {
    let mut vectors = [_mm512_setzero_si512(); PLANES];
    for (vector, table) in vectors.iter_mut().zip(&tables.0) {
        // SAFETY: a table has 64 bytes.
        *vector = unsafe { _mm512_loadu_si512(table.as_ptr().cast()) };
    }
    vectors
}

/// The groups that 64 nim-sums belong to, as bytes.
///
/// # Safety
/// All lists have 64 bytes from `place` on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
unsafe fn groups_512<const PLANES: usize>(
    planes: &[Plane<'_>; PLANES],
    place: usize,
    tables: &[__m512i; PLANES],
) -> __m512i {
    let mut all = _mm512_setzero_si512();
    for (number, ((one, other), &table)) in planes.iter().zip(tables).enumerate() {
        // SAFETY: the caller says that the bytes are there.
        let digits = unsafe {
            _mm512_xor_si512(
                _mm512_loadu_si512(one.as_ptr().add(place).cast()),
                _mm512_loadu_si512(other.as_ptr().add(place).cast()),
            )
        };
        let groups = _mm512_permutexvar_epi8(digits, table);
        all = if number == 0 { groups } else { _mm512_and_si512(all, groups) };
    }
    all
}

/// Which of at most 64 nim-sums are in a group, for the ends of the lists.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn found_in_part_512<const PLANES: usize>(
    planes: &[Plane<'_>; PLANES],
    place: usize,
    count: usize,
    tables: &[__m512i; PLANES],
) -> u64 {
    let there = u64::MAX >> (64 - count);
    let mut all = _mm512_setzero_si512();
    for (number, ((one, other), &table)) in planes.iter().zip(tables).enumerate() {
        let (one, other) = (&one[place..place + count], &other[place..place + count]);
        // SAFETY: only the first `count` bytes are read, and they are within the slices.
        let digits = unsafe {
            _mm512_xor_si512(
                _mm512_maskz_loadu_epi8(there, one.as_ptr().cast()),
                _mm512_maskz_loadu_epi8(there, other.as_ptr().cast()),
            )
        };
        let groups = _mm512_permutexvar_epi8(digits, table);
        all = if number == 0 { groups } else { _mm512_and_si512(all, groups) };
    }
    _mm512_test_epi8_mask(all, all) & there
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn avx512<const PLANES: usize>(planes: [Plane<'_>; PLANES], tables: &mut Tables, seen: &mut [u64]) {
    const BITS: u32 = 6;
    const VECTOR: usize = 64;
    let length = length(&planes);
    let mut vectors = load_tables_512(tables);
    let mut place = 0;
    let mut next = before_line(&planes).min(length);
    loop {
        // Vectors in part: up to the first line, and after the last block.
        while place < next {
            let count = (next - place).min(VECTOR);
            let found = found_in_part_512(&planes, place, count, &vectors);
            if found != 0 {
                look(&planes, BITS, place, found, tables, seen);
                vectors = load_tables_512(tables);
            }
            place += count;
        }
        if place == length {
            return;
        }
        while place + BLOCK * VECTOR <= length {
            let mut groups = [_mm512_setzero_si512(); BLOCK];
            let mut all = _mm512_setzero_si512();
            for (start, here) in (place..).step_by(VECTOR).zip(&mut groups) {
                // SAFETY: the whole block is within `length`, which no list is shorter than.
                *here = unsafe { groups_512(&planes, start, &vectors) };
                all = _mm512_or_si512(all, *here);
            }
            if _mm512_test_epi8_mask(all, all) != 0 {
                for (start, here) in (place..).step_by(VECTOR).zip(groups) {
                    let found = _mm512_test_epi8_mask(here, here);
                    look(&planes, BITS, start, found, tables, seen);
                }
                vectors = load_tables_512(tables);
            }
            place += BLOCK * VECTOR;
        }
        next = length;
    }
}

#[target_feature(enable = "avx2")]
fn load_tables_256<const PLANES: usize>(tables: &Tables) -> [__m256i; PLANES] {
    let mut vectors = [_mm256_setzero_si256(); PLANES];
    for (vector, table) in vectors.iter_mut().zip(&tables.0) {
        // SAFETY: a table has 64 bytes, of which 16 are read.
        *vector = _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) });
    }
    vectors
}

/// The groups that 32 nim-sums belong to, as bytes.
///
/// # Safety
/// All lists have 32 bytes from `place` on.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn groups_256<const PLANES: usize>(
    planes: &[Plane<'_>; PLANES],
    place: usize,
    tables: &[__m256i; PLANES],
) -> __m256i {
    let mut all = _mm256_setzero_si256();
    for (number, ((one, other), &table)) in planes.iter().zip(tables).enumerate() {
        // SAFETY: the caller says that the bytes are there.
        let digits = unsafe {
            _mm256_xor_si256(
                _mm256_loadu_si256(one.as_ptr().add(place).cast()),
                _mm256_loadu_si256(other.as_ptr().add(place).cast()),
            )
        };
        let groups = _mm256_shuffle_epi8(table, digits);
        all = if number == 0 { groups } else { _mm256_and_si256(all, groups) };
    }
    all
}

#[target_feature(enable = "avx2")]
fn avx2<const PLANES: usize>(planes: [Plane<'_>; PLANES], tables: &mut Tables, seen: &mut [u64]) {
    const BITS: u32 = 4;
    const VECTOR: usize = 32;
    let length = length(&planes);
    let mut vectors = load_tables_256(tables);
    // Without loads of a part, the ends go pair by pair.
    let start = before_line(&planes).min(length);
    look(&planes, BITS, 0, u64::MAX.checked_shr(64 - start as u32).unwrap_or(0), tables, seen);
    let mut place = start;
    if start > 0 {
        vectors = load_tables_256(tables);
    }
    while place + BLOCK * VECTOR <= length {
        let mut groups = [_mm256_setzero_si256(); BLOCK];
        let mut all = _mm256_setzero_si256();
        for (start, here) in (place..).step_by(VECTOR).zip(&mut groups) {
            // SAFETY: the whole block is within `length`, which no list is shorter than.
            *here = unsafe { groups_256(&planes, start, &vectors) };
            all = _mm256_or_si256(all, *here);
        }
        if _mm256_testz_si256(all, all) == 0 {
            for (start, here) in (place..).step_by(VECTOR).zip(groups) {
                let none = _mm256_cmpeq_epi8(here, _mm256_setzero_si256());
                let found = !_mm256_movemask_epi8(none).cast_unsigned();
                look(&planes, BITS, start, u64::from(found), tables, seen);
            }
            vectors = load_tables_256(tables);
        }
        place += BLOCK * VECTOR;
    }
    while place < length {
        let count = (length - place).min(64);
        look(&planes, BITS, place, u64::MAX >> (64 - count), tables, seen);
        place += count;
    }
}
