//! Numbers among stoppers, and what is added to them.
//!
//! A general sum meets all pairs of followers, and compares options in each of
//! them. With a number x that is not needed:
//!
//! - Two numbers are added as numbers.
//! - If G ends in any play and is not a number, x + G = {x + Gᴸ | x + Gᴿ} by the translation
//!   theorem. In canonical forms, as here, nothing in that is dominated or reversible, so it is the
//!   canonical form.
//!
//! ## Why that form is canonical
//! Adding x keeps the order, so nothing is dominated. An option x + Gᴸ where Gᴸ is not a number
//! leads to the games x + Gᴸᴿ, and x + Gᴸᴿ ≤ x + G is Gᴸᴿ ≤ G: it would be reversible in G already.
//! If Gᴸ is a number y, the canonical form of x + y leads to some number z > x + y. If z ≤ x + G,
//! then G > z − x, since G is not a number. So Left has a move from G − (z − x), and by avoidance
//! of numbers it is in G: there is another option Gᴸ ≥ z − x > y, which dominates y. For Right it
//! is the same.

use super::stoppers::{Stopper, Stoppers};
use super::survival::Arena;
use crate::limits::{Interrupted, Work};
use crate::player::Player;

/// numerator / 2^exponent, with an odd numerator or the exponent 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Dyadic {
    pub(super) numerator: i64,
    pub(super) exponent: u32,
}

impl Dyadic {
    pub(super) const ZERO: Self = Self { numerator: 0, exponent: 0 };
    /// The largest size of a number.
    pub(super) const MOST: i64 = 1_000_000;
    /// The largest exponent: numerators stay below 2⁶².
    pub(super) const MOST_EXPONENT: u32 = 40;
    const ONE: Self = Self { numerator: 1, exponent: 0 };

    pub(super) fn new(mut numerator: i64, mut exponent: u32) -> Self {
        while exponent > 0 && numerator % 2 == 0 {
            numerator /= 2;
            exponent -= 1;
        }
        Self { numerator, exponent }
    }

    pub(super) fn negative(self) -> Self {
        Self { numerator: -self.numerator, ..self }
    }

    /// Both numerators over a common denominator, with its exponent.
    fn common(self, other: Self) -> (i64, i64, u32) {
        let exponent = self.exponent.max(other.exponent);
        let over = |number: Self| number.numerator << (exponent - number.exponent);
        (over(self), over(other), exponent)
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let (a, b, exponent) = self.common(other);
        Self::new(a + b, exponent)
    }

    /// The number with these options, which are those of a canonical form: none where they are
    /// those of a switch or of a number and a star.
    pub(super) fn with_options(left: Option<Self>, right: Option<Self>) -> Option<Self> {
        match (left, right) {
            (None, None) => Some(Self::ZERO),
            // In canonical form no other number stands alone.
            (Some(a), None) => Some(a.plus(Self::ONE)),
            (None, Some(b)) => Some(b.plus(Self::ONE.negative())),
            (Some(a), Some(b)) => {
                let (a, b, exponent) = a.common(b);
                // Halfway, in canonical form.
                (a < b).then(|| Self::new(a + b, exponent + 1))
            }
        }
    }

    /// Whether it is small enough to be built.
    pub(super) fn fits(self) -> bool {
        self.exponent <= Self::MOST_EXPONENT
            && self.numerator.unsigned_abs() <= (Self::MOST as u64) << self.exponent
    }
}

/// What is known of a stopper at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number(Dyadic),
    /// Every play ends, and it is not a number.
    Ending,
    /// Play may go on forever, or a number in it is too large to represent.
    Other,
}

impl Stoppers {
    /// What the stopper with these options is.
    pub(super) fn kind_of(&self, options: &[Box<[u32]>; 2]) -> Kind {
        if options.iter().flatten().any(|&to| self.kinds[to as usize] == Kind::Other) {
            return Kind::Other;
        }
        let number = |list: &[u32]| match *list {
            [] => Some(None),
            [only] => self.number_of(Stopper(only)).map(Some),
            _ => None,
        };
        let number = match [number(&options[0]), number(&options[1])] {
            [Some(left), Some(right)] => Dyadic::with_options(left, right),
            _ => None,
        };
        match number {
            Some(number) if number.fits() => Kind::Number(number),
            Some(_) => Kind::Other,
            None => Kind::Ending,
        }
    }

    /// The number that a stopper is.
    pub(super) fn number_of(&self, stopper: Stopper) -> Option<Dyadic> {
        match self.kinds[stopper.0 as usize] {
            Kind::Number(number) => Some(number),
            Kind::Ending | Kind::Other => None,
        }
    }

    fn integer(&mut self, n: i64, work: &mut Work) -> Result<u32, Interrupted> {
        let side = usize::from(n < 0);
        let size = n.unsigned_abs() as usize;
        if self.integers[side].is_empty() {
            self.integers[side].push(Self::ZERO.0);
        }
        while self.integers[side].len() <= size {
            work.count()?;
            work.hold(self.bytes())?;
            let mut options = [self.integers[side].last().copied().into_iter().collect(), vec![]];
            if n < 0 {
                options.swap(0, 1);
            }
            let next = self.form(options);
            self.integers[side].push(next);
        }
        Ok(self.integers[side][size])
    }

    /// A number: halfway between its neighbours, from whole numbers on.
    pub(super) fn number(
        &mut self,
        number: Dyadic,
        work: &mut Work,
    ) -> Result<Stopper, Interrupted> {
        let Dyadic { numerator, exponent } = number;
        let floor = numerator >> exponent;
        let mut found = self.integer(floor, work)?;
        if exponent > 0 {
            let mut low = found;
            let mut high = self.integer(floor + 1, work)?;
            for bit in (0..exponent).rev() {
                work.count()?;
                found = self.form([vec![low], vec![high]]);
                if numerator >> bit & 1 == 1 {
                    low = found;
                } else {
                    high = found;
                }
            }
        }
        Ok(Stopper(found))
    }

    /// The sum of two stoppers, where one is a number and both end; none where this is not so.
    pub(super) fn translated(
        &mut self,
        a: Stopper,
        b: Stopper,
        work: &mut Work,
    ) -> Result<Option<Stopper>, Interrupted> {
        let (x, number, game) = match (self.number_of(a), self.number_of(b)) {
            (Some(number), _) => (a, number, b),
            (_, Some(number)) => (b, number, a),
            _ => return Ok(None),
        };
        if self.kinds[game.0 as usize] == Kind::Other {
            return Ok(None);
        }
        let mut followers = self.followers(game);
        // Where every play ends, options have their numbers before what leads to them.
        followers.sort_unstable();
        for follower in followers {
            let key = (x.0.min(follower), x.0.max(follower));
            if self.sums.contains_key(&key) {
                continue;
            }
            work.count()?;
            work.hold(self.bytes())?;
            let sum = match self.number_of(Stopper(follower)).map(|other| other.plus(number)) {
                Some(sum) if sum.fits() => self.number(sum, work)?.0,
                Some(_) => return Ok(None),
                None => {
                    let mut options = [Vec::new(), Vec::new()];
                    for player in Player::BOTH {
                        for &to in Arena::options(self, follower, player) {
                            work.count()?;
                            let key = (x.0.min(to), x.0.max(to));
                            options[player.index()].push(self.sums[&key]);
                        }
                    }
                    self.form(options)
                }
            };
            self.sums.insert(key, sum);
        }
        let key = (a.0.min(b.0), a.0.max(b.0));
        Ok(self.sums.get(&key).copied().map(Stopper))
    }
}
