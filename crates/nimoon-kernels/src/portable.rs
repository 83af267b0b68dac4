//! The search for any processor: a table with a flag for each wanted number.

/// Numbers in one look: flags are added up for so many pairs before they are looked at.
const CHUNK: usize = 64;

/// A flag for each number of 14 bits; marks of moons are above.
pub(crate) type Flags = [u8; 1 << 14];

pub(crate) fn no_flags() -> Box<Flags> {
    Box::new([0; 1 << 14])
}

/// Marks the wanted numbers among the nim-sums, and takes their flags away.
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

/// Whether some nim-sum may be wanted. Four numbers are read and added at once.
#[inline]
fn any(one: &[u16; CHUNK], other: &[u16; CHUNK], flags: &Flags) -> bool {
    let mut found = 0;
    for (a, b) in one.as_chunks::<4>().0.iter().zip(other.as_chunks::<4>().0) {
        let four = |n: &[u16; 4]| {
            n.iter().rev().fold(0u64, |four, &number| four << 16 | u64::from(number))
        };
        let sums = four(a) ^ four(b);
        for place in 0..4 {
            // The mark of a moon is cut off here and seen when the pair is looked at.
            found |= flags[(sums >> (16 * place)) as usize % flags.len()];
        }
    }
    found != 0
}

#[cold]
#[inline(never)]
fn look(forward: &[u16], backward: &[u16], flags: &mut Flags, seen: &mut [u64]) {
    for (one, other) in forward.iter().zip(backward) {
        let sum = usize::from(one ^ other);
        if let Some(flag) = flags.get_mut(sum).filter(|flag| **flag != 0) {
            *flag = 0;
            seen[sum / 64] |= 1 << (sum % 64);
        }
    }
}
