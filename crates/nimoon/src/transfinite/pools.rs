//! Several pools at once.

use thiserror::Error;

use super::ordinal::{Ordinal, OrdinalError};
use super::pool::Pool;
use crate::outcome::Outcome;

/// In which components a player moves [Smith1966, §6].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compound {
    /// In all of them. Play ends as soon as one component has ended.
    Conjunctive,
    /// In as many as the player likes, but not in none. Play ends when all components have ended.
    Selective,
}

impl Compound {
    /// R of a compound whose components have these remotenesses [Smith1966, (9), (13a), (13b)].
    ///
    /// ```
    /// use nimoon::transfinite::{Compound, Ordinal};
    /// let all = ["w + 1", "w + 2"].map(|text| text.parse::<Ordinal>().unwrap());
    /// assert_eq!(Compound::Conjunctive.try_remoteness(&all).unwrap().to_string(), "w + 1");
    /// assert_eq!(Compound::Selective.try_remoteness(&all).unwrap().to_string(), "w*2 + 3");
    /// ```
    ///
    /// # Errors
    /// If a coefficient is too large, or there are too many terms.
    pub fn try_remoteness(self, components: &[Ordinal]) -> Result<Ordinal, OrdinalError> {
        match self {
            Self::Conjunctive => Ok(components.iter().min().cloned().unwrap_or_default()),
            Self::Selective => {
                let odd = |r: &Ordinal| if r.is_even() { None } else { r.predecessor() };
                let even: Vec<_> =
                    components.iter().map(|r| odd(r).unwrap_or_else(|| r.clone())).collect();
                let sum = Ordinal::try_natural_sum(&even)?;
                if even == components { Ok(sum) } else { sum.successor() }
            }
        }
    }
}

/// A compound of pools; the player who makes the last move wins.
///
/// ## Conjunctive compounds
/// R is the least R of the components [Smith1966, (9)]. The player who can win moves in the
/// component j with the least R, which is odd, to Rⱼ − 1, and in each other component to a follower
/// with R at least Rⱼ − 1, which exists by Lemma 1. Such a follower depends on both components: of
/// a dollar one must get at least as many cents as are left in component j. In finite games it is
/// enough to play each component well by itself; here it is not.
///
/// ## Selective compounds
/// Let the components have remoteness Rₕ. If all are even, R is their natural sum (13a). Otherwise
/// let Eₕ be Rₕ, or Rₕ − 1 if that is odd; then R is the natural sum of the Eₕ, plus 1 (13b).
///
/// *Proof for ordinals,* by induction along moves. (4b): if some Rₕ are odd, an even follower must
/// leave no odd component. From even components all moves lead to odd ones, so they stay; each odd
/// one must be moved to an even R, the least of which is Rₕ − 1. So the least even follower has the
/// natural sum of the Eₕ. (4c): if all Rₕ are even, every follower has an odd component, and so is
/// odd. A move in component h alone, to an odd r, leaves the natural sum of the others and r − 1,
/// plus 1: that of the others and r; moves in more components leave less. The natural sum of all Rₕ
/// is the least ordinal above all that come from making one Rₕ smaller. It is enough to make it
/// smaller to odd r that followers have, since Rₕ is the least ordinal above these.
///
/// ```
/// use nimoon::{Outcome, transfinite::{Compound, Pool, Pools}};
/// let pools = |coins: [&str; 2]| coins.map(|coins| Pool::of_coins(coins.parse().unwrap())).to_vec();
/// let start = Pools::new(Compound::Conjunctive, pools(["w + 1", "w + 2"]));
/// assert_eq!(start.try_remoteness().unwrap().to_string(), "w + 1");
/// assert_eq!(start.outcome(), Outcome::N);
/// // Later on: who got 7 cents for the first dollar must not get less for the second.
/// let later = Pools::new(Compound::Conjunctive, pools(["7", "w"]));
/// let step = later.winning_move().unwrap();
/// assert_eq!(later.after(&step).unwrap().pools(), pools(["6", "7"]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pools {
    compound: Compound,
    pools: Vec<Pool>,
}

/// A move that the rules do not allow.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("this move is not possible in component {component}")]
pub struct IllegalMove {
    /// The component, counted from 0.
    pub component: usize,
}

impl Pools {
    /// A compound of these pools.
    ///
    /// ```
    /// use nimoon::transfinite::{Compound, Ordinal, Pool, Pools};
    /// let pools = Pools::new(Compound::Selective, vec![Pool::of_coins(Ordinal::omega())]);
    /// assert_eq!(pools.pools().len(), 1);
    /// ```
    pub fn new(compound: Compound, pools: Vec<Pool>) -> Self {
        Self { compound, pools }
    }

    /// The kind of compound.
    ///
    /// ```
    /// use nimoon::transfinite::{Compound, Pools};
    /// assert_eq!(Pools::new(Compound::Selective, vec![]).compound(), Compound::Selective);
    /// ```
    pub fn compound(&self) -> Compound {
        self.compound
    }

    /// The pools.
    ///
    /// ```
    /// use nimoon::transfinite::{Compound, Pools};
    /// assert!(Pools::new(Compound::Selective, vec![]).pools().is_empty());
    /// ```
    pub fn pools(&self) -> &[Pool] {
        &self.pools
    }

    /// D: the least of the components [Smith1966, (8)], or their natural sum (12).
    ///
    /// ```
    /// use nimoon::transfinite::{Compound, Ordinal, Pool, Pools};
    /// let pools = vec![Pool::of_coins(Ordinal::omega()); 2];
    /// let distance = |compound| Pools::new(compound, pools.clone()).try_distance().unwrap();
    /// assert_eq!(distance(Compound::Conjunctive).to_string(), "w");
    /// assert_eq!(distance(Compound::Selective).to_string(), "w*2");
    /// ```
    ///
    /// # Errors
    /// If a coefficient is too large, or there are too many terms.
    pub fn try_distance(&self) -> Result<Ordinal, OrdinalError> {
        let distances: Vec<Ordinal> = self.pools.iter().map(Pool::distance).collect();
        match self.compound {
            Compound::Conjunctive => Ok(distances.into_iter().min().unwrap_or_default()),
            Compound::Selective => Ordinal::try_natural_sum(&distances),
        }
    }

    /// R [Smith1966, (9), (13a), (13b)].
    ///
    /// ```
    /// use nimoon::transfinite::{Compound, Pool, Pools};
    /// let pools = ["w + 1", "w*2", "3"].map(|coins| Pool::of_coins(coins.parse().unwrap()));
    /// let pools = Pools::new(Compound::Selective, pools.to_vec());
    /// assert_eq!(pools.try_remoteness().unwrap().to_string(), "w*3 + 3");
    /// ```
    ///
    /// # Errors
    /// If a coefficient is too large, or there are too many terms.
    pub fn try_remoteness(&self) -> Result<Ordinal, OrdinalError> {
        let all: Vec<Ordinal> = self.pools.iter().map(Pool::remoteness).collect();
        self.compound.try_remoteness(&all)
    }

    /// Who wins: the next player if R is odd.
    ///
    /// ```
    /// use nimoon::{Outcome, transfinite::{Compound, Ordinal, Pool, Pools}};
    /// let pools = Pools::new(Compound::Selective, vec![Pool::of_coins(Ordinal::omega())]);
    /// assert_eq!(pools.outcome(), Outcome::P);
    /// ```
    pub fn outcome(&self) -> Outcome {
        if self.winning_move().is_some() { Outcome::N } else { Outcome::P }
    }

    /// A move after which R is even, if there is one: for each component the pool that is left, or
    /// none where the player does not move.
    ///
    /// R gets smaller by 1, which is the least R that can be left to the loser.
    ///
    /// ```
    /// use nimoon::transfinite::{Compound, Pool, Pools};
    /// let pool = |coins: &str| Pool::of_coins(coins.parse().unwrap());
    /// let pools = Pools::new(Compound::Selective, vec![pool("w + 1"), pool("w")]);
    /// assert_eq!(pools.winning_move(), Some(vec![Some(pool("w")), None]));
    /// ```
    pub fn winning_move(&self) -> Option<Vec<Option<Pool>>> {
        match self.compound {
            Compound::Conjunctive => {
                let least = self.pools.iter().map(Pool::remoteness).min()?;
                if least.is_even() {
                    return None;
                }
                self.lasting_move(&least.predecessor()?)
            }
            Compound::Selective => {
                let is_odd = |pool: &Pool| !pool.remoteness().is_even();
                if !self.pools.iter().any(is_odd) {
                    return None;
                }
                // What is odd has one follower.
                let step = |pool: &Pool| pool.follower_at_least(&Ordinal::ZERO);
                Some(self.pools.iter().map(|pool| step(pool).filter(|_| is_odd(pool))).collect())
            }
        }
    }

    /// A move in a lost position after which R is `bound` or more; there is one for each bound
    /// below R. By such moves the loser can last as long as he likes, if R is transfinite, but not
    /// for ever.
    ///
    /// ```
    /// use nimoon::transfinite::{Compound, Ordinal, Pool, Pools};
    /// let pools = Pools::new(Compound::Conjunctive, vec![Pool::of_coins(Ordinal::omega())]);
    /// let step = pools.lasting_move(&Ordinal::finite(1_000_000)).unwrap();
    /// assert_eq!(step, [Some(Pool::of_coins(Ordinal::finite(1_000_001)))]);
    /// ```
    pub fn lasting_move(&self, bound: &Ordinal) -> Option<Vec<Option<Pool>>> {
        if self.pools.is_empty() {
            return None;
        }
        if self.compound == Compound::Conjunctive {
            let followers = self.pools.iter().map(|pool| pool.follower_at_least(bound).map(Some));
            return followers.collect();
        }
        // A move in one component leaves more than moves in several.
        (0..self.pools.len()).find_map(|component| {
            let mut others: Vec<Ordinal> = self.pools.iter().map(Pool::remoteness).collect();
            others.remove(component);
            let lower_bound = bound.least_complement(&Ordinal::try_natural_sum(&others).ok()?);
            let mut step = vec![None; self.pools.len()];
            step[component] = Some(self.pools[component].follower_at_least(&lower_bound)?);
            let left = self.after(&step).ok()?.try_remoteness().ok()?;
            (left >= *bound).then_some(step)
        })
    }

    /// The pools after a move.
    ///
    /// ```
    /// use nimoon::transfinite::{Compound, Ordinal, Pool, Pools};
    /// let pools = Pools::new(Compound::Conjunctive, vec![Pool::of_coins(Ordinal::omega())]);
    /// assert!(pools.after(&[Some(Pool::of_coins(Ordinal::finite(5)))]).is_ok());
    /// assert!(pools.after(&[None]).is_err());
    /// ```
    ///
    /// # Errors
    /// If the rules do not allow it.
    pub fn after(&self, step: &[Option<Pool>]) -> Result<Self, IllegalMove> {
        if step.len() != self.pools.len() || step.iter().all(Option::is_none) {
            return Err(IllegalMove { component: 0 });
        }
        let moved =
            self.pools.iter().zip(step).enumerate().map(|(component, (pool, to))| match to {
                Some(to) if pool.is_move(to) => Ok(to.clone()),
                None if self.compound == Compound::Selective => Ok(pool.clone()),
                _ => Err(IllegalMove { component }),
            });
        Ok(Self { compound: self.compound, pools: moved.collect::<Result<_, _>>()? })
    }
}
