//! Pools of dollars and cents.

use std::fmt;

use super::ordinal::{Ordinal, OrdinalError, Term};

/// What a player may get for a dollar [Smith1966, §11].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exchange {
    /// A hundred cents.
    Hundred,
    /// Any even number of cents but 0, however large.
    AnyEven,
}

/// A pool of coins that two players empty cent by cent; the player who takes the last one wins
/// [Smith1966, §11].
///
/// A player takes a cent. If there is none, the player must first exchange a dollar, as the rule of
/// [`Exchange`] says. D and R are equal: 100·d + c with hundred cents for a dollar, ω·d + c with
/// any even number, since the followers of ω·d have all the distances ω·(d − 1) + n with n odd.
///
/// Under the second rule there are also coins worth ω^γ for each γ > 1. Only when there is nothing
/// smaller, the smallest of these is exchanged, for any even amount below its worth of which a cent
/// can be taken, and that is done at once. What is left of it is any odd ordinal below ω^γ. These
/// have no upper bound below ω^γ, so D = R = α for the pool of coins α, by the same induction:
/// successors have one follower, and all followers of a limit are odd.
///
/// ```
/// use nimoon::transfinite::{Exchange, Pool};
/// let pool = |exchange, dollars, cents| Pool::try_new(exchange, dollars, cents).unwrap();
/// assert_eq!(pool(Exchange::Hundred, 1, 1).remoteness().to_string(), "101");
/// assert_eq!(pool(Exchange::AnyEven, 1, 1).remoteness().to_string(), "w + 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    exchange: Exchange,
    /// Dollars are ω, cents 1, under both rules.
    coins: Ordinal,
}

/// Where a player can move in a pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Followers {
    /// Nowhere: the pool is empty.
    None,
    /// To one pool only.
    One(Pool),
    /// To `rest` + n for every odd n below `coin`.
    Odd {
        /// The coins that stay.
        rest: Ordinal,
        /// The worth of the coin that is exchanged.
        coin: Ordinal,
    },
}

impl Pool {
    /// A pool of dollars and cents.
    ///
    /// ```
    /// use nimoon::transfinite::{Exchange, Pool};
    /// assert!(Pool::try_new(Exchange::Hundred, u128::MAX, 0).is_err());
    /// ```
    ///
    /// # Errors
    /// If its distance is too large, which hundred cents for a dollar can make it.
    pub fn try_new(exchange: Exchange, dollars: u128, cents: u128) -> Result<Self, OrdinalError> {
        if exchange == Exchange::Hundred {
            let all = dollars.checked_mul(100).and_then(|all| all.checked_add(cents));
            all.ok_or(OrdinalError::Coefficient)?;
        }
        Ok(Self { exchange, coins: dollars_and_cents(dollars, cents) })
    }

    /// The pool with D = R = `coins` under the rule of [`Exchange::AnyEven`].
    ///
    /// ```
    /// use nimoon::transfinite::{Ordinal, Pool};
    /// assert_eq!(Pool::of_coins(Ordinal::omega()).distance(), Ordinal::omega());
    /// ```
    pub fn of_coins(coins: Ordinal) -> Self {
        Self { exchange: Exchange::AnyEven, coins }
    }

    /// The rule.
    ///
    /// ```
    /// use nimoon::transfinite::{Exchange, Ordinal, Pool};
    /// assert_eq!(Pool::of_coins(Ordinal::omega()).exchange(), Exchange::AnyEven);
    /// ```
    pub fn exchange(&self) -> Exchange {
        self.exchange
    }

    /// The coins, with ω for a dollar and 1 for a cent under both rules.
    ///
    /// ```
    /// use nimoon::transfinite::{Exchange, Pool};
    /// let pool = Pool::try_new(Exchange::Hundred, 2, 3).unwrap();
    /// assert_eq!(pool.coins().to_string(), "w*2 + 3");
    /// ```
    pub fn coins(&self) -> &Ordinal {
        &self.coins
    }

    /// D, the terminal distance [Smith1966, (2), §11].
    ///
    /// ```
    /// use nimoon::transfinite::{Exchange, Pool};
    /// let pool = |exchange| Pool::try_new(exchange, 2, 3).unwrap();
    /// assert_eq!(pool(Exchange::Hundred).distance().to_string(), "203");
    /// assert_eq!(pool(Exchange::AnyEven).distance().to_string(), "w*2 + 3");
    /// ```
    pub fn distance(&self) -> Ordinal {
        match self.exchange {
            Exchange::AnyEven => self.coins.clone(),
            // That this fits was found out when the pool was made, and moves make it smaller.
            Exchange::Hundred => Ordinal::finite(self.dollars() * 100 + self.coins.finite_part()),
        }
    }

    /// R, the remoteness, which is D [Smith1966, (4), §11].
    ///
    /// ```
    /// use nimoon::transfinite::{Ordinal, Pool};
    /// assert_eq!(Pool::of_coins(Ordinal::omega()).remoteness(), Ordinal::omega());
    /// ```
    pub fn remoteness(&self) -> Ordinal {
        self.distance()
    }

    /// The dollars of a pool that has nothing larger.
    fn dollars(&self) -> u128 {
        self.coins
            .terms
            .first()
            .filter(|term| !term.exponent.is_zero())
            .map_or(0, |t| t.coefficient)
    }

    /// Where a player can move.
    ///
    /// ```
    /// use nimoon::transfinite::{Followers, Ordinal, Pool};
    /// let followers = Pool::of_coins("w*2".parse().unwrap()).followers();
    /// assert_eq!(followers, Followers::Odd { rest: Ordinal::omega(), coin: Ordinal::omega() });
    /// ```
    pub fn followers(&self) -> Followers {
        let exchange = self.exchange;
        if let Some(coins) = self.coins.predecessor() {
            return Followers::One(Self { exchange, coins });
        }
        let mut rest = self.coins.clone();
        let Some(Term { exponent, coefficient }) = rest.terms.pop() else { return Followers::None };
        if exchange == Exchange::Hundred {
            return Followers::One(Self {
                exchange,
                coins: dollars_and_cents(coefficient - 1, 99),
            });
        }
        rest.terms.extend(Ordinal::term(exponent.clone(), coefficient - 1).terms);
        Followers::Odd { rest, coin: Ordinal::term(exponent, 1) }
    }

    /// Whether a move leads to that pool.
    ///
    /// ```
    /// use nimoon::transfinite::Pool;
    /// let pool = |text: &str| Pool::of_coins(text.parse().unwrap());
    /// assert!(pool("w*2").is_move(&pool("w + 7")));
    /// assert!(!pool("w*2").is_move(&pool("w + 6")) && !pool("w*2").is_move(&pool("7")));
    /// ```
    pub fn is_move(&self, to: &Self) -> bool {
        match self.followers() {
            Followers::None => false,
            Followers::One(only) => only == *to,
            Followers::Odd { rest, coin } => {
                let left = to.coins.remainder_after(&rest);
                self.exchange == to.exchange && left.is_some_and(|n| !n.is_even() && n < coin)
            }
        }
    }

    /// The least follower whose remoteness is not below `bound`; there is one for each bound below
    /// the remoteness.
    ///
    /// ```
    /// use nimoon::transfinite::{Ordinal, Pool};
    /// let follower = Pool::of_coins(Ordinal::omega()).follower_at_least(&Ordinal::finite(8));
    /// assert_eq!(follower, Some(Pool::of_coins(Ordinal::finite(9))));
    /// ```
    pub fn follower_at_least(&self, bound: &Ordinal) -> Option<Self> {
        let follower = match self.followers() {
            Followers::None => return None,
            Followers::One(only) => only,
            Followers::Odd { rest, .. } => {
                let least = Ordinal::finite(1);
                let target = bound.remainder_after(&rest).filter(|n| *n > least).unwrap_or(least);
                let odd = if target.is_even() { target.successor().ok()? } else { target };
                Self { exchange: self.exchange, coins: rest.try_add(&odd).ok()? }
            }
        };
        (self.is_move(&follower) && follower.remoteness() >= *bound).then_some(follower)
    }
}

fn dollars_and_cents(dollars: u128, cents: u128) -> Ordinal {
    let mut coins = Ordinal::term(Ordinal::finite(1), dollars);
    coins.terms.extend(Ordinal::finite(cents).terms);
    coins
}

/// As in [expressions](super::expression): `w + 1` under the free rule, `dollars100(1, 1)` under
/// the other.
impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exchange {
            Exchange::AnyEven => self.coins.fmt(f),
            Exchange::Hundred => {
                write!(f, "dollars100({}, {})", self.dollars(), self.coins.finite_part())
            }
        }
    }
}
