//! Random ordinals for the tests, as the engine and the oracle see them.

// Each test program uses its own part of this.
use nimoon::transfinite::Ordinal;
use nimoon_oracle::ordinals::Forest;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

pub fn ordinal(text: &str) -> Ordinal {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The ordinal as the oracle takes it: exponents as often as their coefficients say.
pub fn forest(ordinal: &Ordinal) -> Forest {
    let powers =
        ordinal.terms().flat_map(|(e, c)| vec![forest(e); usize::try_from(c).expect("small")]);
    Forest(powers.collect())
}

/// A text of the ordinal, each power by itself.
pub fn text(forest: &Forest) -> String {
    let powers = forest.0.iter().map(|exponent| format!("w^({})", text(exponent)));
    let sum = powers.collect::<Vec<_>>().join(" + ");
    if sum.is_empty() { "0".to_owned() } else { sum }
}

/// Forests of up to four exponents, each up to six times, most of them small.
pub fn forests() -> impl Strategy<Value = Forest> {
    let leaf = (0..7_usize).prop_map(Forest::number);
    leaf.prop_recursive(3, 40, 4, |exponents| {
        prop::collection::vec((exponents, 1..6_usize), 0..4).prop_map(|powers| {
            let mut all: Vec<Forest> =
                powers.into_iter().flat_map(|(exponent, count)| vec![exponent; count]).collect();
            all.sort_by(|a, b| b.cmp(a));
            Forest(all)
        })
    })
}

/// The same, as the engine takes them.
pub fn ordinals() -> impl Strategy<Value = Ordinal> {
    forests().prop_map(|forest| ordinal(&text(&forest)))
}

/// Random cases, the same in every run.
pub fn config(cases: u32) -> ProptestConfig {
    let factor = std::env::var("NIMOON_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    ProptestConfig {
        cases: cases * factor,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1966),
        ..Default::default()
    }
}

/// A generator of numbers for games against a random opponent.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u128) -> u128 {
        // The multiplier of MMIX; the upper bits are good enough for a game.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u128::from(self.0 >> 33) % bound
    }

    /// An ordinal below a bound that is not 0: some terms as they are, one made smaller, and
    /// anything below it.
    pub fn ordinal_below(&mut self, bound: &Ordinal) -> Ordinal {
        let terms: Vec<(&Ordinal, u128)> = bound.terms().collect();
        let kept = self.below(terms.len() as u128) as usize;
        let mut found = Ordinal::ZERO;
        let mut push = |exponent: &Ordinal, coefficient: u128| {
            let power = Ordinal::try_power_of_omega(exponent.clone()).expect("a small tower");
            let term = power.try_mul(&Ordinal::finite(coefficient)).expect("a small term");
            found = found.try_add(&term).expect("a small sum");
        };
        for &(exponent, coefficient) in &terms[..kept] {
            push(exponent, coefficient);
        }
        let (exponent, coefficient) = terms[kept];
        push(exponent, self.below(coefficient));
        let mut exponent = exponent.clone();
        for _ in 0..3 {
            if exponent.is_zero() || self.below(4) == 0 {
                break;
            }
            exponent = self.ordinal_below(&exponent);
            push(&exponent, self.below(9));
        }
        found
    }
}
