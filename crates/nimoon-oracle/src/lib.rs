//! Brute force for digraph games, to compare theories with.
//!
//! This crate uses no theory, and shares nothing with the engine: a position is a tuple of nodes,
//! its options are written out one by one, and the whole graph of positions is solved by retrograde
//! analysis. That is slow for sums, but easily seen to be correct.
//!
//! | to know | use |
//! |---|---|
//! | outcome and remoteness on an explicit graph | [`Graph`], [`solve`] |
//! | a sum of boards with white and gray nodes | [`Board`], [`Product`] |
//! | positions of known behaviour | [`Contexts`] |
//! | the value of a position by its behaviour | [`Behaviour`] |
//! | outcomes, survival and order of partizan games with cycles | [`loopy`] |
//! | play in sums of affine forms | [`affine`] |
//! | ordinals below ε₀, and games with them | [`ordinals`] |
//! | remoteness, compounds and Sprague–Grundy functions as Smith defines them | [`compounds`] |
//!
//! ```
//! use nimoon_oracle::{Board, Outcome, Product};
//! // Smith's trap: a → b, b → a and b → c. The nodes are worth 0, 1 and 0.
//! let (a, b, c) = (0, 1, 2);
//! let board = Board::white(vec![vec![b], vec![a, c], vec![]]);
//! let pairs = Product::new(&[&board, &board]).unwrap();
//! assert_eq!(pairs.outcome(&[b, c]), Some(Outcome::N));
//! assert_eq!(pairs.outcome(&[a, b]), Some(Outcome::N));
//! assert_eq!(pairs.outcome(&[b, b]), Some(Outcome::P));
//! ```
//!
//! ## Limits and cost
//! Time and memory are linear in the positions and moves of the product. The number of positions is
//! the product of the sizes of the boards; [`Product::LIMIT`] bounds it.
//!
//! ## References
//! [ACLNSS, Def. 1.1, 1.3, 1.7] for the play, [Smith1966, §2] for remoteness.

pub mod affine;
pub mod compounds;
pub mod contexts;
pub mod graph;
pub mod loopy;
pub mod ordinals;
pub mod product;

pub use contexts::{Behaviour, Context, Contexts, Value};
pub use graph::{Graph, Outcome, Solution, solve};
pub use product::{Board, Product, ProductError};
