//! The sum of values and who wins it [ACLNSS, Thm 2.4, Thm 2.5], [LNS2021, Thm 20].

use serde::Deserialize;

use crate::format::Value;
use crate::watch::{Unproved, Watch};

/// Who wins: the next player, the previous one, or nobody.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub enum Outcome {
    /// The next player.
    N,
    /// The previous player.
    P,
    /// Nobody.
    D,
}

impl Outcome {
    /// The same outcome for the other player.
    pub(crate) fn reversed(self) -> Self {
        match self {
            Self::N => Self::P,
            Self::P => Self::N,
            Self::D => Self::D,
        }
    }

    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::N => "the next player wins",
            Self::P => "the previous player wins",
            Self::D => "nobody can force a win",
        }
    }
}

/// All nim-sums of an element of one set and one of the other.
fn nim_sums(one: &[u64], other: &[u64], watch: &Watch) -> Result<Vec<u64>, Unproved> {
    let count = one.len().saturating_mul(other.len());
    watch.step(count)?;
    watch.room(count.saturating_mul(size_of::<u64>()))?;
    let mut sums: Vec<u64> = one.iter().flat_map(|a| other.iter().map(move |b| a ^ b)).collect();
    sums.sort_unstable();
    sums.dedup();
    Ok(sums)
}

/// The value of a sum of two; none for values of different theories.
pub(crate) fn add(one: &Value, other: &Value, watch: &Watch) -> Result<Option<Value>, Unproved> {
    use Value::{Cyclic, FullMoon, Moon, Nimber, Ninny};
    Ok(Some(match (one, other) {
        (Moon(None), Nimber(_) | Moon(None)) | (Nimber(_), Moon(None)) => Moon(None),
        (Moon(None), _) | (_, Moon(None)) => return Ok(None),
        (FullMoon, _) | (_, FullMoon) => FullMoon,
        (Nimber(a), Nimber(b)) => Nimber(a ^ b),
        (Nimber(a) | Ninny(a), Nimber(b) | Ninny(b)) => Ninny(a ^ b),
        (Cyclic(_), Cyclic(_)) => Cyclic(Vec::new()),
        (Cyclic(set), Nimber(n) | Ninny(n)) | (Nimber(n) | Ninny(n), Cyclic(set)) => {
            Cyclic(nim_sums(set, &[*n], watch)?)
        }
        (Cyclic(set), Moon(Some(forced))) | (Moon(Some(forced)), Cyclic(set)) => {
            Cyclic(nim_sums(set, forced, watch)?)
        }
        (Moon(Some(forced)), Nimber(n) | Ninny(n)) | (Nimber(n) | Ninny(n), Moon(Some(forced))) => {
            Moon(Some(nim_sums(forced, &[*n], watch)?))
        }
        (Moon(Some(one)), Moon(Some(other))) => Moon(Some(nim_sums(one, other, watch)?)),
    }))
}

/// Who wins a sum of this value.
pub(crate) fn outcome(value: &Value) -> Outcome {
    match value {
        Value::Nimber(0) => Outcome::P,
        Value::Ninny(0) => Outcome::D,
        Value::Cyclic(exits) if !exits.contains(&0) => Outcome::D,
        _ => Outcome::N,
    }
}
