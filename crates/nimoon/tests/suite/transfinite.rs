//! Ordinals against forests, which share no code with them, and the laws of their arithmetic.

use crate::transfinite_common::{Random, config, forest, forests, ordinal, ordinals, text};
use nimoon::transfinite::expression::{Answer, ExpressionErrorKind, read};
use nimoon::transfinite::{Ordinal, OrdinalError};
use nimoon::{Limits, Work};
use nimoon_oracle::ordinals::{nim_products, nim_table};
use proptest::prelude::*;

fn natural(a: &Ordinal, b: &Ordinal) -> Ordinal {
    Ordinal::try_natural_sum(&[a.clone(), b.clone()]).expect("a small sum")
}

fn nim(a: &Ordinal, b: &Ordinal) -> Ordinal {
    Ordinal::nim_sum(&[a.clone(), b.clone()])
}

fn plus(a: &Ordinal, b: &Ordinal) -> Ordinal {
    a.try_add(b).expect("a small sum")
}

fn times(a: &Ordinal, b: &Ordinal) -> Ordinal {
    a.try_mul(b).expect("a small product")
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn arithmetic_is_that_of_forests(a in forests(), b in forests()) {
        let [x, y] = [&a, &b].map(|forest| ordinal(&text(forest)));
        prop_assert_eq!(forest(&x), a.clone());
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.is_even(), a.is_even());
        prop_assert_eq!(forest(&plus(&x, &y)), a.plus(&b));
        prop_assert_eq!(forest(&natural(&x, &y)), a.natural(&b));
        prop_assert_eq!(forest(&nim(&x, &y)), a.nim(&b));
        prop_assert_eq!(forest(&times(&x, &y)), a.times(&b));
    }

    #[test]
    fn what_is_printed_is_read_back(a in ordinals()) {
        prop_assert_eq!(ordinal(&a.to_string()), a.clone());
        prop_assert_eq!(ordinal(&a.to_string().replace('w', "ω").replace(' ', "")), a);
    }

    #[test]
    fn sums_and_products_keep_their_laws(a in ordinals(), b in ordinals(), c in ordinals()) {
        prop_assert_eq!(plus(&plus(&a, &b), &c), plus(&a, &plus(&b, &c)));
        prop_assert_eq!(times(&times(&a, &b), &c), times(&a, &times(&b, &c)));
        prop_assert_eq!(times(&a, &plus(&b, &c)), plus(&times(&a, &b), &times(&a, &c)));
        // Strictly monotone on the right, monotone on the left.
        prop_assert_eq!(plus(&a, &b).cmp(&plus(&a, &c)), b.cmp(&c));
        prop_assert!(b > c || plus(&b, &a) <= plus(&c, &a));
        prop_assert_eq!(plus(&a, &b).remainder_after(&a), Some(b.clone()));
        prop_assert_eq!(a.remainder_after(&b).is_some(), a >= b);
        if let Some(rest) = a.remainder_after(&b) {
            prop_assert_eq!(plus(&b, &rest), a);
        }
    }

    #[test]
    fn natural_sums_are_commutative_associative_and_strictly_monotone(
        a in ordinals(), b in ordinals(), c in ordinals(), seed: u64,
    ) {
        prop_assert_eq!(natural(&a, &b), natural(&b, &a));
        prop_assert_eq!(natural(&natural(&a, &b), &c), natural(&a, &natural(&b, &c)));
        prop_assert_eq!(natural(&a, &b).cmp(&natural(&a, &c)), b.cmp(&c));
        prop_assert!(natural(&a, &b) >= plus(&a, &b));
        prop_assert_eq!(natural(&a, &b).is_even(), a.is_even() == b.is_even());
        // It is the least ordinal above all that come from making one operand smaller.
        let sum = natural(&a, &b);
        if !sum.is_zero() {
            let below = Random(seed).ordinal_below(&sum);
            let reaches = |x: &Ordinal, y: &Ordinal| {
                // Some x' < x has x' ⊕ y ≥ below: the finite parts and exponents of x show which to
                // try.
                candidates(x).iter().any(|smaller| natural(smaller, y) >= below)
            };
            prop_assert!(reaches(&a, &b) || reaches(&b, &a), "{} below {}", below, sum);
        }
    }

    #[test]
    fn nim_sums_are_a_group_in_which_every_element_is_its_own_inverse(
        a in ordinals(), b in ordinals(), c in ordinals(),
    ) {
        prop_assert_eq!(nim(&a, &b), nim(&b, &a));
        prop_assert_eq!(nim(&nim(&a, &b), &c), nim(&a, &nim(&b, &c)));
        prop_assert_eq!(nim(&a, &Ordinal::ZERO), a.clone());
        prop_assert_eq!(nim(&a, &a), Ordinal::ZERO);
        prop_assert!(nim(&a, &b) <= natural(&a, &b));
        prop_assert_eq!(nim(&a, &b).is_even(), a.is_even() == b.is_even());
    }

    /// [Smith1966, Lemma 3]: the nim-sum is the mex.
    #[test]
    fn all_that_is_below_a_nim_sum_is_reached_and_the_sum_itself_is_not(
        a in ordinals(), b in ordinals(), seed: u64,
    ) {
        let (sum, mut random) = (nim(&a, &b), Random(seed));
        for _ in 0..8 {
            if !sum.is_zero() {
                let below = random.ordinal_below(&sum);
                prop_assert!(below < sum);
                prop_assert!(nim(&below, &b) < a || nim(&below, &a) < b);
            }
            if !a.is_zero() {
                prop_assert_ne!(nim(&random.ordinal_below(&a), &b), sum.clone());
            }
        }
    }

    #[test]
    fn successors_and_predecessors_are_inverse(a in ordinals()) {
        let next = a.successor().expect("a small number");
        prop_assert!(next > a);
        prop_assert_eq!(next.predecessor(), Some(a.clone()));
        prop_assert_eq!(next.is_even(), !a.is_even());
        prop_assert_eq!(a.predecessor().is_none(), a.is_zero() || a.is_limit());
        prop_assert_eq!(plus(&a.limit_part(), &Ordinal::finite(a.finite_part())), a.clone());
        prop_assert!(a.limit_part().is_zero() || a.limit_part().is_limit());
    }

    #[test]
    fn powers_keep_their_laws(a in ordinals(), b in ordinals(), c in ordinals(), n in 0..5_u128) {
        let pow = |a: &Ordinal, b: &Ordinal| a.try_pow(b);
        if let (Ok(first), Ok(second), Ok(both)) = (pow(&a, &b), pow(&a, &c), pow(&a, &plus(&b, &c)))
            && let Ok(product) = first.try_mul(&second)
        {
            prop_assert_eq!(product, both);
        }
        if let (Ok(first), Ok(both)) = (pow(&a, &b), pow(&a, &times(&b, &c)))
            && let Ok(power) = pow(&first, &c)
        {
            prop_assert_eq!(power, both);
        }
        let repeated = (0..n).fold(Ordinal::finite(1), |power, _| times(&power, &a));
        prop_assert_eq!(pow(&a, &Ordinal::finite(n)), Ok(repeated));
    }

    #[test]
    fn nim_products_of_numbers_are_those_of_a_field(a: u128, b: u128, c: u128) {
        let product = |a: u128, b: u128| {
            let product = Ordinal::nim_product(&Ordinal::finite(a), &Ordinal::finite(b));
            product.and_then(|product| product.as_finite()).expect("a number")
        };
        prop_assert_eq!(product(a, b), product(b, a));
        prop_assert_eq!(product(product(a, b), c), product(a, product(b, c)));
        prop_assert_eq!(product(a, b ^ c), product(a, b) ^ product(a, c));
        prop_assert_eq!(product(a, 1), a);
        prop_assert!(a == 0 || b == 0 || product(a, b) != 0);
    }

    #[test]
    fn any_text_is_an_answer_or_an_error_with_a_place(text in "[w0-9+*^(), <=>a-z.-]{0,40}|\\PC{0,12}") {
        if let Err(error) = read(&text, &mut Work::new(Limits::new(10_000))) {
            prop_assert!(error.at <= text.len() && text.is_char_boundary(error.at));
            prop_assert!(!error.to_string().is_empty());
        }
    }
}

/// Ordinals below one that come near it: the last power is replaced by smaller ones.
fn candidates(ordinal: &Ordinal) -> Vec<Ordinal> {
    let mut found = Vec::new();
    let terms: Vec<(&Ordinal, u128)> = ordinal.terms().collect();
    for (place, (exponent, coefficient)) in terms.iter().enumerate() {
        let mut begun = Ordinal::ZERO;
        let mut push = |exponent: &Ordinal, coefficient: u128| {
            let power = Ordinal::try_power_of_omega(exponent.clone()).expect("a small tower");
            begun = natural(&begun, &times(&power, &Ordinal::finite(coefficient)));
        };
        for &(exponent, coefficient) in &terms[..place] {
            push(exponent, coefficient);
        }
        push(exponent, coefficient - 1);
        found.push(begun.clone());
        for smaller in candidates(exponent) {
            let power = Ordinal::try_power_of_omega(smaller).expect("a small tower");
            found.push(natural(&begun, &times(&power, &Ordinal::finite(1_000))));
        }
    }
    found
}

#[test]
fn sums_and_products_are_not_commutative() {
    let [one, two, omega] = ["1", "2", "w"].map(ordinal);
    assert_eq!(plus(&one, &omega), omega);
    assert_ne!(plus(&omega, &one), omega);
    assert_eq!(times(&two, &omega), omega);
    assert_eq!(times(&omega, &two), plus(&omega, &omega));
    // Products do not distribute over sums on the left: (1 + 1)·ω = ω, not ω·2.
    assert_ne!(times(&plus(&one, &one), &omega), plus(&omega, &omega));
    // Parity is that of natural sums; of usual sums it is not: 1 + ω is even.
    assert!(plus(&one, &omega).is_even() && !natural(&one, &omega).is_even());
}

/// The heaps of a list form a game of Nim by themselves. Where the list is closed under nim-sums,
/// its mex is the true one.
#[test]
fn nim_sums_are_the_mex_of_what_moves_leave() {
    for (high, low) in
        [("w", "1"), ("w^2", "w"), ("w^w", "w"), ("w^w^2", "w^(w + 1)"), ("w^(w*3)", "w^w")]
    {
        let [high, low] = [high, low].map(ordinal);
        let heaps: Vec<Ordinal> = (0..4_u128)
            .flat_map(|a| (0..8_u128).map(move |b| [a, b]))
            .map(|[a, b]| {
                plus(&times(&high, &Ordinal::finite(a)), &times(&low, &Ordinal::finite(b)))
            })
            .collect();
        assert!(heaps.is_sorted_by(|a, b| a < b));
        for (row, a) in nim_table(heaps.len()).iter().zip(&heaps) {
            for (&value, b) in row.iter().zip(&heaps) {
                assert_eq!(nim(a, b), heaps[value], "{a} and {b}");
            }
        }
    }
}

#[test]
fn nim_products_are_those_of_the_definition() {
    for (a, row) in nim_products(20).iter().enumerate() {
        for (b, &product) in row.iter().enumerate() {
            let [a, b, product] = [a, b, product].map(|n| Ordinal::finite(n as u128));
            assert_eq!(Ordinal::nim_product(&a, &b), Some(product), "{a} and {b}");
        }
    }
    let [zero, one, omega] = ["0", "1", "w"].map(ordinal);
    assert_eq!(Ordinal::nim_product(&zero, &omega), Some(zero));
    assert_eq!(Ordinal::nim_product(&omega, &one), Some(omega.clone()));
    assert_eq!(Ordinal::nim_product(&omega, &ordinal("2")), None);
}

/// A finite list, and all of it in order.
#[test]
fn ordinals_are_well_ordered_as_they_are_written() {
    let rising = [
        "0",
        "1",
        "2",
        "340282366920938463463374607431768211455",
        "w",
        "w + 1",
        "w + 2",
        "w*2",
        "w*2 + 1",
        "w^2",
        "w^2 + 1",
        "w^2 + w",
        "w^2*3 + w + 5",
        "w^3",
        "w^w",
        "w^w + 1",
        "w^w*2",
        "w^(w + 1)",
        "w^(w*2)",
        "w^w^2",
        "w^w^w",
        "w^w^w + w^w",
        "w^(w^w + 1)",
        "w^w^w^w",
    ];
    let ordinals = rising.map(ordinal);
    assert!(ordinals.is_sorted_by(|a, b| a < b));
    for (text, ordinal) in rising.iter().zip(&ordinals) {
        assert_eq!(ordinal.to_string(), *text);
    }
}

#[test]
fn other_ways_to_write_are_read() {
    for (text, printed) in [
        ("ω^2·3+ω+5", "w^2*3 + w + 5"),
        ("omega × 2", "w*2"),
        ("  w ^ w ^ 2 ", "w^w^2"),
        ("w^(w^2)", "w^w^2"),
        ("(w^w)^2", "w^(w*2)"),
        ("w^(w+1)", "w^(w + 1)"),
        ("w^0 + w^1", "w"),
        ("w^1", "w"),
        ("w*0 + 0", "0"),
        ("2^w", "w"),
        ("2^(w*5 + 3)", "w^5*8"),
        ("3^(w^w)", "w^w^w"),
        ("(w + 1)^3", "w^3 + w^2 + w + 1"),
        ("(w^2*2 + w)^w^2", "w^w^2"),
        ("0^0 + 0^w + 1^w^w", "2"),
        ("w*w*w", "w^3"),
        ("007", "7"),
        ("nim(w + 1, w) + nim(3, 5)", "7"),
        ("natural(1, w, natural(2))", "w + 3"),
        ("nimproduct(4, 4)*w + nimproduct(1, w)", "w*2"),
        ("selective(conjunctive(w, w + 1), w, 3)", "w*2 + 3"),
    ] {
        assert_eq!(ordinal(text).to_string(), printed, "{text}");
    }
}

#[test]
fn comparisons_are_answered() {
    for (text, answer) in [
        ("w < w + 1", true),
        ("w > w", false),
        ("1 + w = w", true),
        ("w + 1 == w", false),
        ("w != w", false),
        ("w^w ≥ w^100", true),
        ("w ≤ 5", false),
        ("2 >= 2", true),
        ("w ≠ 1", true),
        ("nim(w, w) <= 0", true),
    ] {
        assert_eq!(read(text, &mut Work::default()), Ok(Answer::Truth(answer)), "{text}");
    }
}

/// What is wrong, where, and a part of what is said about it.
#[test]
fn errors_have_their_position() {
    for (text, at, says) in [
        ("", 0, "expected an ordinal"),
        ("w^", 2, "expected an exponent"),
        ("w^-1", 2, "none is negative"),
        ("w^(-1)", 3, "no negatives"),
        ("-1", 0, "no negatives"),
        ("w - 1", 2, "no subtraction"),
        ("w + ", 4, "expected an ordinal"),
        ("w * * 2", 4, "expected an ordinal"),
        ("e0", 0, "below ε₀"),
        ("w + ε₀", 4, "below ε₀"),
        ("epsilon0", 0, "below ε₀"),
        ("w^w^...", 4, "below ε₀"),
        ("w^w^w^…", 6, "below ε₀"),
        ("w^^w", 2, "expected an exponent"),
        ("nim()", 4, "at least one heap"),
        ("nim(w,)", 6, "expected an ordinal"),
        ("nim(w", 5, "a comma or )"),
        ("nim w", 4, "expected ( behind nim"),
        ("nimm(w)", 0, "unknown name `nimm`: expected a number, w, or one of nim, natural"),
        ("w2", 0, "a product is written with *"),
        ("2w", 1, "a product is written with *"),
        ("ww", 0, "a product is written with *"),
        ("(w", 2, "+, *, ^ or )"),
        ("w)", 1, "a comparison or the end"),
        ("w < w < w", 6, "only one comparison"),
        ("(w < 1)", 3, "within parentheses"),
        ("nim(w < 1)", 6, "within parentheses"),
        ("w / 2", 2, "`/` means nothing"),
        ("340282366920938463463374607431768211456", 0, "39 digits"),
        ("nimproduct(w, 2)", 14, "finite ordinals only"),
        ("dollars(1)", 0, "dollars and cents"),
        ("dollars(w, 1)", 8, "the number of dollars is finite"),
        ("dollars100(1, w)", 14, "the number of cents is finite"),
        ("conjunctive()", 12, "at least one component"),
    ] {
        let error = read(text, &mut Work::default()).expect_err(text);
        assert!(matches!(error.kind, ExpressionErrorKind::Notation(_)), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
        assert!(error.to_string().contains(says), "{text}: {error}");
    }
    assert!("w < w".parse::<Ordinal>().is_err());
}

#[test]
fn limits_are_errors_and_never_a_crash() {
    let limit = |text: &str| match read(text, &mut Work::default()) {
        Err(error) => error.kind,
        Ok(answer) => panic!("{answer:?}"),
    };
    let largest = u128::MAX;
    for text in [
        format!("{largest} + 1"),
        format!("w*{largest} + w"),
        format!("natural(w*{largest}, w)"),
        "2^128".to_owned(),
        "w^(2^127*2)".to_owned(),
        "(w + 1)*2^127*2".to_owned(),
        format!("dollars100({largest}, 0)"),
        format!("selective({largest}, 1, {largest})"),
    ] {
        let expected = ExpressionErrorKind::Limit(OrdinalError::Coefficient);
        assert_eq!(limit(&text), expected, "{text}");
    }
    let tower = vec!["w"; 100_000].join("^");
    assert_eq!(limit(&tower), ExpressionErrorKind::Limit(OrdinalError::Depth));
    assert_eq!(limit("(w^2 + w + 1)^1000000"), ExpressionErrorKind::Limit(OrdinalError::Terms));
    assert!(matches!(
        limit("(w + 1)^10 + (w + 1)^500000"),
        ExpressionErrorKind::Limit(OrdinalError::Terms)
    ));
    for nested in ["(", "nim(", "w^(", "w+(", "natural(w, "] {
        let error = limit(&nested.repeat(100_000));
        assert!(error.to_string().contains("limit of 256"), "{nested}: {error}");
    }
    let digits = "9".repeat(100_000);
    assert!(limit(&format!("w^({digits})")).to_string().contains("100000 digits"));
    let budget =
        read("w^3 + w^2 + w", &mut Work::new(Limits::new(5))).expect_err("too little").kind;
    assert_eq!(budget, ExpressionErrorKind::Interrupted(nimoon::Interrupted::positions(5)));
    let long = vec!["w^7"; 100_000].join("*") + " < w";
    assert_eq!(read(&long, &mut Work::default()), Ok(Answer::Truth(false)));
}

#[test]
fn the_deepest_tower_and_the_deepest_parentheses_are_read() {
    let most = Ordinal::MOST_DEPTH;
    // The exponent of the last ω is 1, which is a power too.
    let tower = vec!["w"; most - 1].join("^");
    let read_back = ordinal(&tower);
    assert_eq!((read_back.depth(), read_back.to_string()), (most, tower));
    assert_eq!(Ordinal::try_power_of_omega(read_back), Err(OrdinalError::Depth));
    let nested = "nim(w+(".repeat(most / 2) + "5" + &"))".repeat(most / 2);
    assert!(!ordinal(&nested).is_zero());
}
