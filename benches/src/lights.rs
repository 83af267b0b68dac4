//! Compares one pass over a long fixture of lights with a plain pass from its right end and with
//! adding up the bytes.

use std::time::Instant;

use nimoon::impartial::value::EntailingValue::{self, Moon, Nimber};
use nimoon_rulesets::strip::LightsPass;
use thiserror::Error;

use crate::machine::median;

/// Why the comparison stopped.
#[derive(Debug, Error)]
pub(crate) enum LightsError {
    #[error("WRONG ANSWER: the pass has {0:?}, the plain one {1:?}")]
    Wrong(EntailingValue, EntailingValue),
    #[error("cannot read the fixture: {0}")]
    Refused(nimoon::NotationError),
}

const PIECES: usize = 100_000_000;

/// The size of the blocks for the pass, as from a file.
const BLOCK: usize = 1 << 18;

/// Random bulbs and sockets; a new run begins after about `length` pieces.
fn fixture(pieces: usize, length: u64) -> Vec<u8> {
    let mut state = 3_u64;
    let mut piece = b'b';
    let mut text = Vec::with_capacity(pieces);
    for _ in 0..pieces {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if (state >> 33).is_multiple_of(length) {
            piece = if piece == b'b' { b's' } else { b'b' };
        }
        text.push(piece);
    }
    text
}

/// The theorems piece by piece from the right end.
fn plainly(text: &[u8]) -> EntailingValue {
    let (mut value, mut sockets) = (0_u64, 0_u64);
    for &piece in text.iter().rev() {
        if piece == b's' {
            sockets += 1;
            continue;
        }
        value = match (value, sockets) {
            (_, 0) => value,
            (1, 1) => return Moon,
            (0, m) => m % 2,
            (1, m) => (m + 1) % 2,
            (i, m) => i ^ ((m + 1) % 2),
        } + 1;
        sockets = 0;
    }
    Nimber(value ^ (sockets % 2))
}

fn pass(text: &[u8]) -> Result<EntailingValue, LightsError> {
    let mut pass = LightsPass::default();
    for block in text.chunks(BLOCK) {
        pass.push(block).map_err(LightsError::Refused)?;
    }
    pass.finish().map_err(LightsError::Refused)
}

/// Times all three.
pub(crate) fn run(rounds: usize) -> Result<(), LightsError> {
    println!("lights: the value of {PIECES} bulbs and sockets at random\n");
    println!(
        "| mean run | value | sum of bytes s | plain pass s | nimoon s | pieces per ns | times as fast as the plain pass |"
    );
    println!("|---:|---|---:|---:|---:|---:|---:|");
    for length in [2, 10, 1000] {
        let text = fixture(PIECES, length);
        let (mut sums, mut theirs, mut ours) = (Vec::new(), Vec::new(), Vec::new());
        let mut value = Nimber(0);
        for _ in 0..rounds {
            let start = Instant::now();
            let sum: u64 = text.iter().map(|&byte| u64::from(byte)).sum();
            std::hint::black_box(sum);
            sums.push(start.elapsed().as_secs_f64());
            let start = Instant::now();
            let expected = plainly(&text);
            theirs.push(start.elapsed().as_secs_f64());
            let start = Instant::now();
            value = pass(&text)?;
            ours.push(start.elapsed().as_secs_f64());
            if value != expected {
                return Err(LightsError::Wrong(value, expected));
            }
        }
        let [sum, theirs, ours] = [sums, theirs, ours].map(median);
        let (rate, ratio) = (PIECES as f64 / 1e9 / ours, theirs / ours);
        println!(
            "| {length} | {value} | {sum:.3} | {theirs:.3} | {ours:.3} | {rate:.2} | {ratio:.2} |"
        );
    }
    println!("\nall values are those of the plain pass");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_passes_agree_on_short_fixtures() {
        for pieces in 1..300 {
            for length in 1..5 {
                let text = fixture(pieces, length);
                assert_eq!(pass(&text).unwrap(), plainly(&text), "{pieces} {length}");
            }
        }
    }
}
