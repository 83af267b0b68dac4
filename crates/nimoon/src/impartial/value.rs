//! Values of positions and how they add.
//!
//! Each kind of theory has its type, because each is another notion of equality. [`AnyValue`] is one
//! of them.
//!
//! - [`Value`] is for digraphs with cycles and carry-on moves, and so for short and merely cyclic
//!   ones. Two positions have the same value exactly when no sum of such positions distinguishes
//!   them. Cyclic components distinguish a moon from a full moon, and moons with different forced values
//!   from each other.
//! - [`EntailingValue`] is for acyclic digraphs. No sum there distinguishes moons, so there is one,
//!   and it absorbs every sum.
//! - [`Control`] is for all digraphs. Where the value is one of [`Value`] as well, it is given as that.
//! - [`HeapOutcomes`] is not a value: two positions with the same outcomes beside every nim-heap
//!   may differ beside each other. It is what is known of a position when a limit is hit before its
//!   value is found. It does not add.
//!
//! A gray node has a [`Cover`] in place of a value: a piece on it must be moved at once, so it
//! cannot be part of any sum with another such piece.
//!
//! Addition is commutative and associative, 0 changes nothing, and nimbers alone have negatives. It takes a few
//! operations on sets of nimbers.
//!
//! ## References
//! [ACLNSS, Thm 2.4, Thm 2.5], [LNS2021, Thm 20] for the entailing moon.

use std::ops::Add;
use std::sync::Arc;

use crate::impartial::control::Control;
use crate::impartial::nimbers::{NimberSet, Nimbers};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// The value of a position of the carry-on theory [ACLNSS, §2].
///
/// Two positions have the same value exactly when no sum of such positions distinguishes them.
/// Values add by the table of [ACLNSS, Thm 2.5]:
///
/// ```
/// use nimoon::{Nimbers, Outcome, Value};
/// // The bartender's problem: ninny 0 + 2 + ∞₀,₂ + ☾₀.
/// let sum: Value = [
///     Value::Ninny(0),
///     Value::Nimber(2),
///     Value::Cyclic(Nimbers::from([0, 2])),
///     Value::Moon(Nimbers::from([0])),
/// ]
/// .iter()
/// .sum();
/// assert_eq!(sum, Value::Cyclic(Nimbers::from([0, 2])));
/// assert_eq!(sum.outcome(), Outcome::N);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Equal to the nim-heap `*n`.
    Nimber(u64),
    /// ○: the mover has a checkmate, whatever else is on the board.
    FullMoon,
    /// `☾_F`: the mover wins beside every nim-heap, and can make the opponent move to any `*f`,
    /// `f ∈ F`.
    Moon(Nimbers),
    /// Ninny f: in a cyclic zone, but the mover can make the opponent move to `*f`.
    Ninny(u64),
    /// `∞_D`: in a cyclic zone that the mover can leave by moving to any `*d`, `d ∈ D`.
    Cyclic(Nimbers),
}

impl Value {
    /// The value of a position without moves.
    pub const ZERO: Self = Self::Nimber(0);

    /// Who wins a position of this value [ACLNSS, Thm 2.4].
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Nimber(0) => Outcome::P,
            Self::Ninny(0) => Outcome::D,
            Self::Cyclic(exits) if !exits.contains(0) => Outcome::D,
            _ => Outcome::N,
        }
    }

    /// The nimber, if the value is one.
    pub fn nimber(&self) -> Option<u64> {
        match self {
            Self::Nimber(n) => Some(*n),
            _ => None,
        }
    }

    /// The nim-heaps beside which the player to move wins without touching the heap first.
    ///
    /// ```
    /// use nimoon::{NimberSet, Value};
    /// assert_eq!(Value::Ninny(2).wins_beside(), NimberSet::all_except([2]));
    /// ```
    pub fn wins_beside(&self) -> NimberSet {
        match self {
            Self::Nimber(n) | Self::Ninny(n) => NimberSet::all_except([*n]),
            Self::FullMoon | Self::Moon(_) => NimberSet::everything(),
            Self::Cyclic(exits) => NimberSet::Only(exits.clone()),
        }
    }

    /// The values that the opponent can be made to move to; for a nimber, itself.
    fn forced(&self) -> Option<Nimbers> {
        match self {
            Self::Nimber(n) | Self::Ninny(n) => Some(Nimbers::from([*n])),
            Self::Moon(forced) => Some(forced.clone()),
            Self::FullMoon | Self::Cyclic(_) => None,
        }
    }
}

impl Add for &Value {
    type Output = Value;

    /// The value of a disjunctive sum [ACLNSS, Thm 2.5].
    fn add(self, other: &Value) -> Value {
        use Value::{Cyclic, FullMoon, Moon, Nimber, Ninny};
        match (self, other) {
            (FullMoon, _) | (_, FullMoon) => FullMoon,
            (Cyclic(_), Cyclic(_)) => Cyclic(Nimbers::EMPTY),
            (Nimber(a), Nimber(b)) => Nimber(a ^ b),
            (Nimber(a) | Ninny(a), Nimber(b) | Ninny(b)) => Ninny(a ^ b),
            (Nimber(n) | Ninny(n), Cyclic(exits)) | (Cyclic(exits), Nimber(n) | Ninny(n)) => {
                Cyclic(exits.nim_add(*n))
            }
            (Moon(forced), Cyclic(exits)) | (Cyclic(exits), Moon(forced)) => {
                Cyclic(forced.nim_sum(exits))
            }
            (Moon(forced), other) | (other, Moon(forced)) => {
                Moon(other.forced().map_or_else(Nimbers::default, |set| forced.nim_sum(&set)))
            }
        }
    }
}

impl<'a> std::iter::Sum<&'a Value> for Value {
    fn sum<I: Iterator<Item = &'a Value>>(iter: I) -> Self {
        iter.fold(Self::ZERO, |sum, value| &sum + value)
    }
}

/// The value of a position of the entailing theory: a nimber, or the one absorbing moon
/// [ACLNSS, Thm 1.15].
///
/// ```
/// use nimoon::EntailingValue::{Moon, Nimber};
/// assert_eq!(Nimber(1) + Nimber(3), Nimber(2));
/// assert_eq!(Nimber(1) + Moon, Moon);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntailingValue {
    /// Equal to the nim-heap `*n`.
    Nimber(u64),
    /// ☾: the mover wins, whatever else is on the board.
    Moon,
}

impl EntailingValue {
    /// Who wins a position of this value [ACLNSS, Thm 1.16].
    pub fn outcome(self) -> Outcome {
        if self == Self::Nimber(0) { Outcome::P } else { Outcome::N }
    }
}

impl Add for EntailingValue {
    type Output = Self;

    #[expect(clippy::suspicious_arithmetic_impl, reason = "nimbers add without carrying")]
    fn add(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nimber(a), Self::Nimber(b)) => Self::Nimber(a ^ b),
            _ => Self::Moon,
        }
    }
}

/// The outcomes of a position beside each nim-heap, where its value is not known.
///
/// The three sets are disjoint and together hold every nimber, unless the search for them was
/// cut short: then they hold the heaps that were decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HeapOutcomes {
    /// The heaps beside which the next player wins.
    pub win: NimberSet,
    /// The heaps beside which the previous player wins.
    pub loss: NimberSet,
    /// The heaps beside which play is drawn.
    pub draw: NimberSet,
    /// The numbers that a player in control can force, where that is known and the value is not.
    pub forced: Option<NimberSet>,
}

impl HeapOutcomes {
    /// Those of a position that is won beside these heaps and lost beside at most one.
    fn of(win: NimberSet, number: Option<u64>) -> Self {
        let loss = NimberSet::only(number);
        let draw = win.union(&loss).complement();
        Self { win, loss, draw, forced: None }
    }

    /// The outcome beside a heap of `n`, if it is known.
    pub fn beside(&self, n: u64) -> Option<Outcome> {
        if self.win.contains(n) {
            Some(Outcome::N)
        } else if self.loss.contains(n) {
            Some(Outcome::P)
        } else {
            self.draw.contains(n).then_some(Outcome::D)
        }
    }
}

/// A value of one of the theories.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AnyValue {
    /// Of the short, cyclic or carry-on theory, and of the general theory where they have it.
    CarryOn(Value),
    /// Of the entailing theory.
    Entailing(EntailingValue),
    /// Of the general theory alone.
    Control(Arc<Control>),
    /// What is known where a limit was hit.
    General(HeapOutcomes),
}

impl From<Control> for AnyValue {
    /// As a value of the carry-on theory, if it is one.
    fn from(control: Control) -> Self {
        match control.value() {
            Some(value) => Self::CarryOn(value),
            None => Self::Control(Arc::new(control)),
        }
    }
}

impl AnyValue {
    /// Who wins a position of this value; none only for a search that was cut short.
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::CarryOn(value) => Some(value.outcome()),
            Self::Entailing(value) => Some(value.outcome()),
            Self::Control(value) => Some(value.outcome()),
            Self::General(outcomes) => outcomes.beside(0),
        }
    }

    /// The value of the sum, where both are of one theory and adding takes a few operations. A nimber is the same
    /// game in each of them. [`AnyValue::sum`] adds values of the general theory too.
    ///
    /// ```
    /// use nimoon::AnyValue;
    /// let value = |text: &str| text.parse::<AnyValue>().unwrap();
    /// assert_eq!(value("2").try_add(&value("oo{0}")), Some(value("oo{2}")));
    /// assert_eq!(value("2").try_add(&value("moon")), Some(value("moon")));
    /// assert_eq!(value("moon").try_add(&value("oo{0}")), None);
    /// ```
    pub fn try_add(&self, other: &Self) -> Option<Self> {
        use EntailingValue::Nimber;
        match (self, other) {
            (Self::CarryOn(a), Self::CarryOn(b)) => Some(Self::CarryOn(a + b)),
            (Self::Entailing(a), Self::Entailing(b)) => Some(Self::Entailing(*a + *b)),
            (Self::CarryOn(Value::Nimber(n)), Self::Entailing(b))
            | (Self::Entailing(b), Self::CarryOn(Value::Nimber(n))) => {
                Some(Self::Entailing(Nimber(*n) + *b))
            }
            _ => None,
        }
    }

    /// The value of the sum of all of these; none if they are not all of one theory, or some are
    /// outcomes beside nim-heaps.
    ///
    /// ```
    /// use nimoon::{AnyValue, Work};
    /// let values = ["moon{0}", "[0/1]", "2"].map(|text| text.parse::<AnyValue>().unwrap());
    /// let sum = AnyValue::sum(&values, &mut Work::default()).unwrap();
    /// assert_eq!(sum, Some("[[2, >2]/[3, >3]]".parse().unwrap()));
    /// ```
    ///
    /// # Errors
    /// When a limit is hit, which only values of the general theory can do.
    pub fn sum<'a>(
        values: impl IntoIterator<Item = &'a Self>,
        work: &mut Work,
    ) -> Result<Option<Self>, Interrupted> {
        let mut total = Self::CarryOn(Value::ZERO);
        let mut others: Vec<Control> = Vec::new();
        for value in values {
            match (total.try_add(value), value) {
                (Some(sum), _) => total = sum,
                (None, Self::Control(other)) => others.push((**other).clone()),
                (None, _) => return Ok(None),
            }
        }
        if others.is_empty() {
            return Ok(Some(total));
        }
        let Self::CarryOn(known) = total else { return Ok(None) };
        others.push(Control::of_value(&known));
        Control::sum(&others, work).map(|sum| Some(sum.into()))
    }

    /// The nimber, if the value is one.
    pub fn nimber(&self) -> Option<u64> {
        match self {
            Self::CarryOn(Value::Nimber(n)) | Self::Entailing(EntailingValue::Nimber(n)) => {
                Some(*n)
            }
            _ => None,
        }
    }

    /// The value as one of the general theory; none for the moon of the entailing theory, which stands
    /// for many values, and for outcomes beside nim-heaps.
    pub fn control(&self) -> Option<Control> {
        match self {
            Self::CarryOn(value) => Some(Control::of_value(value)),
            Self::Entailing(EntailingValue::Nimber(n)) => Some(Control::number(*n)),
            Self::Control(value) => Some((**value).clone()),
            Self::Entailing(EntailingValue::Moon) | Self::General(_) => None,
        }
    }

    /// The outcomes beside each nim-heap.
    ///
    /// ```
    /// use nimoon::AnyValue;
    /// let outcomes = |text: &str| text.parse::<AnyValue>().unwrap().heap_outcomes().to_string();
    /// assert_eq!(outcomes("2"), "win all but {2}, loss {2}, draw {}");
    /// assert_eq!(outcomes("[0/1]"), "win all but {0,1}, loss {}, draw {0,1}");
    /// ```
    pub fn heap_outcomes(&self) -> HeapOutcomes {
        match self {
            Self::CarryOn(value) => HeapOutcomes::of(value.wins_beside(), value.nimber()),
            Self::Entailing(EntailingValue::Nimber(n)) => {
                HeapOutcomes::of(NimberSet::all_except([*n]), Some(*n))
            }
            Self::Entailing(EntailingValue::Moon) => {
                HeapOutcomes::of(NimberSet::everything(), None)
            }
            Self::Control(value) => HeapOutcomes::of(value.wins_beside(), value.as_number()),
            Self::General(outcomes) => outcomes.clone(),
        }
    }
}

/// What a gray node covers: the nim-heaps beside which a player who finds the piece there loses.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cover {
    /// ●: the player who finds the piece here loses, whatever else is on the board.
    NewMoon,
    /// ○: the player who finds the piece here wins, whatever else is on the board.
    FullMoon,
    /// They lose beside these nim-heaps, and win beside the others.
    Heaps(NimberSet),
    /// Beside some nim-heaps play is drawn, or nothing is known: what happens beside each. Of the
    /// general theory alone.
    Mixed(HeapOutcomes),
}

impl Cover {
    /// What a gray node covers whose only option is a gray node that covers `self`.
    #[must_use]
    pub fn complement(self) -> Self {
        match self {
            Self::NewMoon => Self::FullMoon,
            Self::FullMoon => Self::NewMoon,
            Self::Heaps(set) => Self::Heaps(set.complement()),
            Self::Mixed(HeapOutcomes { win, loss, draw, .. }) => {
                Self::Mixed(HeapOutcomes { win: loss, loss: win, draw, forced: None })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subsets(of: &[u64]) -> impl Iterator<Item = Nimbers> + '_ {
        (0..1_u32 << of.len()).map(|bits| {
            of.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, &n)| n).collect()
        })
    }

    /// Every value with numbers up to 3 (sets up to 2, so that triples stay few).
    fn values() -> Vec<Value> {
        let mut all = vec![Value::FullMoon];
        all.extend((0..4).map(Value::Nimber));
        all.extend((0..4).map(Value::Ninny));
        all.extend(subsets(&[0, 1, 2]).map(Value::Cyclic));
        all.extend(subsets(&[0, 1, 2]).filter(|f| !f.is_empty()).map(Value::Moon));
        all
    }

    #[test]
    fn addition_is_commutative_and_associative_with_zero() {
        let all = values();
        for a in &all {
            assert_eq!(&(a + &Value::ZERO), a);
            for b in &all {
                let ab = a + b;
                assert_eq!(ab, b + a);
                for c in &all {
                    assert_eq!(&ab + c, a + &(b + c), "{a:?} {b:?} {c:?}");
                }
            }
        }
    }

    #[test]
    fn a_sum_with_a_full_moon_is_a_full_moon_and_two_cyclic_zones_have_no_exit() {
        for a in values() {
            assert_eq!(&a + &Value::FullMoon, Value::FullMoon);
        }
        let cyclic = Value::Cyclic(Nimbers::from([0, 1]));
        assert_eq!(&cyclic + &cyclic, Value::Cyclic(Nimbers::EMPTY));
    }
}
