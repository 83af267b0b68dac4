//! Ordinals below ε₀, and the games whose plays have no bound on their length.
//!
//! A position of an infinite game can be such that every play from it ends, and yet no number is
//! large enough to say after how many moves. Its terminal distance D and its remoteness R are then
//! transfinite ordinals, and nearly all of the theory of finite games stays as it is [Smith1966,
//! §11].
//!
//! | to | use |
//! |---|---|
//! | write, compare and add ordinals | [`Ordinal`] |
//! | know who wins transfinite Nim, and by which move | [`Nim`] |
//! | play with pools of dollars and cents | [`Pool`], [`Exchange`] |
//! | play with several of them at once | [`Pools`], [`Compound`] |
//! | build games of two players with transfinite positions | [`game::Game`] |
//! | read any of these from a text | [`expression::read`] |
//!
//! ```
//! use nimoon::transfinite::{Nim, Ordinal};
//! let heap = |text: &str| text.parse::<Ordinal>().unwrap();
//! let nim = Nim::new(vec![heap("w^2"), heap("w + 5")]);
//! assert_eq!(nim.value().to_string(), "w^2 + w + 5");
//! let step = nim.winning_move().unwrap();
//! assert_eq!((step.heap, step.to.to_string()), (0, "w + 5".to_owned()));
//! ```
//!
//! ## The theorems used
//! - Each ordinal has one Cantor normal form ω^a₁·c₁ + … + ω^aₙ·cₙ, with a₁ > … > aₙ and finite
//!   coefficients above 0. Below ε₀ each exponent is smaller than the ordinal itself, so forms are
//!   finite trees.
//! - The expansion in the scale of 2 [Smith1966, (38)] is the same form with the coefficients in
//!   binary; [`Ordinal::nim_sum`] has the proof. So natural sums (39), nim-sums (40) and parity are
//!   found from coefficients.
//! - G of transfinite Nim is the nim-sum [Smith1966, §11].
//! - D = R = ω·d + c for a pool of d dollars and c cents; R of a conjunctive compound is the least
//!   R (9); R of a selective compound is that of (13a) and (13b), with natural sums. [`Pools`] has
//!   the proof for ordinals.
//!
//! ## Departures
//! - Smith's pools have dollars and cents. Here a coin can be worth any ω^γ, so that there is a
//!   pool for each ordinal; below ω² these are Smith's.
//!
//! ## Limits and cost
//! Coefficients are below 2¹²⁸. Wider ones need a type of numbers that the crate does without, and
//! they would buy little: 2¹²⁸ is itself a field under nim-addition and nim-multiplication, so that
//! these never leave the range; and a sum, product or power that does is an error, never a wrong
//! answer. Towers of exponents are at most [`Ordinal::MOST_DEPTH`] high, and what recurs (order,
//! copies, printing) recurs on that height alone. The height is that of the first exponent plus
//! one, so a tower is refused before it is built; a chain of powers is read into a list and
//! evaluated from its end, without recursion. An ordinal has at most [`Ordinal::MOST_TERMS`] terms,
//! exponents included, and a product says how large it will be before it is made. Sums take time
//! proportional to their operands (natural and nim-sums: times a logarithm), products proportional
//! to the result.
//!
//! ## References
//! [Smith1966, §§3, 4, 6, 7, 11], Hessenberg (1906), Conway (1976).

mod arithmetic;
pub mod expression;
pub mod game;
mod natural;
mod nim;
mod ordinal;
mod pool;
mod pools;

pub use nim::{Nim, NimMove};
pub use ordinal::{Ordinal, OrdinalError};
pub use pool::{Exchange, Followers, Pool};
pub use pools::{Compound, IllegalMove, Pools};
