//! Tables of heaps, by plain recursion: [`crate::rules`] has the moves of a heap.
//!
//! The value of a heap of n is the least number that no move reaches. A move that leaves heaps
//! reaches the nim-sum of their values if all of them have numbers, and nothing otherwise. A move
//! that must be answered in a heap of m reaches all numbers that no move from there reaches
//! [LNS2021, Thm 20, Thm 21]. If every number is reached the heap is a moon. The certificate
//! contains only the values, and the checker computes them again.
//!
//! The checker computes the heaps before the first listed one too, so there may be at most as many
//! of them as listed heaps: a short file must not cause much work.
//!
//! Cost: moves of all heaps.

use serde::Deserialize;

use crate::Claim;
use crate::format::{Label, Set, Value, printable, quoted};
use crate::rules::{Move, Rules};
use crate::watch::{Unproved, Watch};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Certificate {
    #[serde(rename = "certificate")]
    _kind: String,
    #[serde(rename = "version")]
    _version: u32,
    ruleset: String,
    first: u64,
    values: Vec<Label>,
}

/// The largest number of moves to check: some seconds.
const MOST_MOVES: u64 = 400_000_000;

pub(crate) fn check(certificate: &Certificate, watch: &Watch) -> Result<Claim, Unproved> {
    let Certificate { ruleset, first, values, .. } = certificate;
    let Some(rules) = Rules::of(ruleset) else {
        let reason = format!("the checker does not know the rules of {}", quoted(ruleset));
        return Err(Unproved::wrong("ruleset", reason));
    };
    let Some(last) = (values.len() as u64).checked_sub(1).and_then(|rows| first.checked_add(rows))
    else {
        return Err(Unproved::wrong("values", "expected at least one, and not so many"));
    };
    if *first > values.len() as u64 {
        let reason = format!(
            "the checker would have to compute {first} heaps before the {} listed: a table must begin at 0, or list half of all heaps",
            values.len()
        );
        return Err(Unproved::wrong("first", reason));
    }
    if too_long(&rules, last) {
        let reason = format!("{last} tokens are too many for plain recursion");
        return Err(Unproved::wrong("values", reason));
    }
    watch.hold((last as usize).saturating_mul(size_of::<Option<u64>>()))?;
    // For each heap its value, none for a moon; and the numbers that moves reach, where they may be
    // needed.
    let mut known: Vec<Option<u64>> = Vec::new();
    let mut before = Set::only(Vec::new());
    let mut reached = vec![false; 1];
    for heap in 0..=last {
        watch.step(1 + reached.len())?;
        reached.fill(false);
        let mut covered = None;
        rules.for_each_move(heap, |Move { leaves, entails }| {
            watch.step(1)?;
            if entails {
                covered = Some(before.complement());
                return Ok(());
            }
            let sum = leaves.iter().try_fold(0, |sum, &left| Some(sum ^ known[left as usize]?));
            if let Some(sum) = sum {
                if reached.len() <= sum as usize {
                    reached.resize(2 * sum as usize + 1, false);
                }
                reached[sum as usize] = true;
            }
            Ok::<(), Unproved>(())
        })?;
        let value = match covered {
            None => Some(reached.iter().take_while(|&&reached| reached).count() as u64),
            Some(covered) => {
                let numbers =
                    (0..).zip(&reached).filter(|(_, reached)| **reached).map(|(n, _)| n).collect();
                before = covered.union(&Set::only(numbers));
                before.mex()
            }
        };
        known.push(value);
        if let Some(place) = heap.checked_sub(*first) {
            let right = Label::White(value.map_or(Value::Moon(None), Value::Nimber));
            if values[place as usize] != right {
                let reason = format!("a heap of {heap} has another value");
                return Err(Unproved::wrong(format!("values[{place}]"), reason));
            }
        }
    }
    let ruleset = printable(ruleset);
    let sentence = format!("heaps of {first} to {last} of {ruleset} have the values listed");
    let given = vec![format!("nothing about {ruleset}: the values were computed again")];
    Ok(Claim { sentence, given })
}

/// Whether a table up to this heap is beyond plain recursion.
fn too_long(rules: &Rules, last: u64) -> bool {
    let each = match rules {
        Rules::Nim | Rules::Grundy | Rules::TopEntails => last,
        Rules::Subtraction(set) => set.len() as u64,
        Rules::Code(digits) => {
            let each = |&digit: &u64| match digit {
                8.. => last.saturating_mul(last),
                4.. => last,
                _ => 2,
            };
            digits.iter().map(each).fold(1, u64::saturating_add)
        }
    };
    last.saturating_add(1).saturating_mul(each.saturating_add(1)) > MOST_MOVES
}

/// Whether there is a certificate for a table of this ruleset up to this heap.
pub fn can_check(ruleset: &str, last: u64) -> bool {
    Rules::of(ruleset).is_some_and(|rules| !too_long(&rules, last))
}
