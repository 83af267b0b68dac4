//! A checksum of 64 bits against damage, not against malice.
//!
//! Each step mixes in eight bytes. It is a bijection of the state for given bytes, and of the bytes
//! for a given state. So every change within eight bytes is found, and of other changes all but one
//! in 2⁶⁴. Keys are sorted by this checksum too.

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The checksum of these parts and their lengths.
pub(crate) fn checksum(parts: &[&[u8]]) -> u64 {
    let mut state = FACTOR;
    for part in parts {
        let (words, rest) = part.as_chunks::<8>();
        for word in words {
            state = mixed(state, u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        state = mixed(state, u64::from_le_bytes(last));
        state = mixed(state, part.len() as u64);
    }
    mixed(state, 0)
}

fn mixed(state: u64, word: u64) -> u64 {
    // High bits must reach low ones, or two flipped high bits would cancel out.
    let product = (state ^ word).wrapping_mul(FACTOR);
    product ^ (product >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_one_or_two_bits_is_found() {
        let good: Vec<u8> = (0..21_u8).map(|i| i.wrapping_mul(37)).collect();
        let sum = checksum(&[&good]);
        for first in 0..good.len() * 8 {
            for second in first..good.len() * 8 {
                let mut bad = good.clone();
                bad[first / 8] ^= 1 << (first % 8);
                if second > first {
                    bad[second / 8] ^= 1 << (second % 8);
                }
                assert_ne!(checksum(&[&bad]), sum, "{first} {second}");
            }
        }
    }

    #[test]
    fn the_boundaries_of_parts_count() {
        assert_ne!(checksum(&[b"ab", b"c"]), checksum(&[b"a", b"bc"]));
        assert_ne!(checksum(&[b"a"]), checksum(&[b"a\0"]));
        assert_ne!(checksum(&[]), checksum(&[b""]));
    }
}
