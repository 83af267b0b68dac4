//! The search for any processor: a table with a flag for each wanted number.

/// Pairs whose flags are added up before the sum is compared with 0.
const CHUNK: usize = 64;

/// A flag for each half word, so that none needs to be checked. Those with the mark of a moon are
/// never set.
pub(crate) type Flags = [u8; 1 << 16];

pub(crate) fn no_flags() -> Box<Flags> {
    let flags = vec![0; 1 << 16].into_boxed_slice();
    flags.try_into().expect("there is a flag for each half word")
}

/// Marks the wanted numbers among the nim-sums, and clears their flags.
pub(crate) fn sweep(forward: &[u16], backward: &[u16], flags: &mut Flags, seen: &mut [u64]) {
    let (chunks, rest) = forward.as_chunks::<CHUNK>();
    let (others, other_rest) = backward.as_chunks::<CHUNK>();
    for (one, other) in chunks.iter().zip(others) {
        if any(one, other, flags) {
            look(one, other, flags, seen);
        }
    }
    look(rest, other_rest, flags, seen);
}

/// Whether some nim-sum is wanted. Four numbers are read and added at once. Half of the flags are
/// united and half of them are counted. Otherwise compilers would make one chain, in which each
/// step waits for the one before.
#[inline]
fn any(one: &[u16; CHUNK], other: &[u16; CHUNK], flags: &Flags) -> bool {
    let (mut found, mut count) = (0, 0_u8);
    for (a, b) in one.as_chunks::<4>().0.iter().zip(other.as_chunks::<4>().0) {
        let sums = word(*a) ^ word(*b);
        let flag = |place: u32| flags[usize::from((sums >> (16 * place)) as u16)];
        found |= flag(0) | flag(2);
        count = count.wrapping_add(flag(1)).wrapping_add(flag(3));
    }
    found != 0 || count != 0
}

/// Four half words in one, in any order. With shifts, the compiler would not read them at once.
#[inline]
fn word(halves: [u16; 4]) -> u64 {
    // SAFETY: any 64 bits are a number.
    unsafe { std::mem::transmute::<[u16; 4], u64>(halves) }
}

#[cold]
#[inline(never)]
fn look(forward: &[u16], backward: &[u16], flags: &mut Flags, seen: &mut [u64]) {
    for (one, other) in forward.iter().zip(backward) {
        let sum = usize::from(one ^ other);
        if flags[sum] != 0 {
            flags[sum] = 0;
            seen[sum / 64] |= 1 << (sum % 64);
        }
    }
}
