//! Exact values of impartial games with cycles, entailing and carry-on moves.
//!
//! A game is a [`Digraph`] with white and gray nodes. Pieces stand on nodes, and a player moves one
//! piece along an arc; a piece on a gray node must be moved at once, by the player who finds it
//! there. Who cannot move loses; play that never ends is a draw. A *carry-on move* goes through a
//! gray node with one option: the opponent moves on, and the mover moves again.
//!
//! # Which part do I need?
//!
//! | to | use |
//! |---|---|
//! | write down the rules of a game | [`Ruleset`] |
//! | solve a sum of positions: values, who wins, turns in words | [`solution::Solution`] |
//! | play a game, with undo and the engine as a player | [`play::Game`] |
//! | put one game on top of another | [`ordinal_sum::OrdinalSum`], [`ordinal_sum::colon`] |
//! | give every node its value | [`label`](label()), then [`Labelling::value`] |
//! | know which theory fits a digraph | [`theory::smallest`] |
//! | add values, and read or write them as text | [`Value`], [`AnyValue`] |
//! | know the value of several pieces, and who wins | [`Sum::value`], [`Sum::outcome`] |
//! | know what to play | [`turn::solve`]; all winning turns: [`turn::winning_turns`] |
//! | know why a node has its value | [`explain::explain`] |
//! | know in which round it got it | [`rounds::rounds`] |
//! | have the digraph of two pieces | [`product::product`] |
//! | have a digraph of a given value | [`representative::representative`] |
//! | read, add, compare and evaluate literal forms over ∞ and −∞ | [`affine::Forms`] |
//! | know how far a position is from the end | [`remoteness::Remoteness`]; with Left and Right [`remoteness::PartizanRemoteness`] |
//! | know what players are sure of where play ends with a draw or a payoff | [`remoteness::PayoffGame`], [`remoteness::security`] |
//! | play games in all, in some or in one component | [`compound::Compounds`] |
//! | have Smith's G, H and J | [`grundy::GrundyPair`]; in the wide sense [`grundy::wide`] |
//! | order partizan games with cycles, and have their sides and canonical forms | [`loopy::Stoppers`], [`loopy::order::compare`] |
//! | read and write these games as text | [`loopy::notation::Expression`] |
//! | have rulesets ready made, or as scripts | the crates `nimoon-rulesets` and `nimoon-script` |
//! | compute with ordinals, and play transfinite games | [`transfinite`] |
//! | show that an answer is right to somebody who trusts none of this | [`certificate`] |
//! | read files and draw pictures | the crate `nimoon-formats` |
//! | keep what was worked out for later | [`memory::Memory`]; in a file: the crate `nimoon-store` |
//!
//! # A first example
//!
//! ```text
//!   a ──► z ◄── g ◄── c ◄── h       g and h are gray, c has a loop.
//!         ▲           ⟲     ▲
//!         └─────── x ───────┘
//! ```
//!
//! The mover wins x alone by moving to z. Beside a nim-heap the mover wins too: move onto h, so that
//! the opponent must move to c; move onto g, so that the opponent must move to z; and take the
//! heap. So x is a moon, and the opponent can be made to move to 0: ☾₀. The node a is 1, and the
//! sum of both is ☾₁.
//!
//! ```
//! use nimoon::{Budget, Digraph, Sum, label, turn::solve};
//!
//! // z is terminal; g and h are gray; c is a loop.
//! let [z, g, c, h, x, a] = [0, 1, 2, 3, 4, 5];
//! let arcs = vec![(g, z), (c, c), (c, g), (h, c), (x, z), (x, h), (a, z)];
//! let digraph = Digraph::new(6, [g, h], arcs).unwrap();
//!
//! let labelling = label(&digraph, None, Budget::DEFAULT).unwrap();
//! assert_eq!(labelling.value(x).unwrap().to_string(), "☾₀");
//!
//! let sum = Sum::new(&digraph, &labelling, vec![x, a]).unwrap();
//! assert_eq!(sum.value().unwrap().to_string(), "☾₁");
//!
//! // Carry on from x to c and from c to z, then take the last move: a → z.
//! let turn = solve(&sum, Budget::DEFAULT).unwrap().turn.unwrap();
//! let plies: Vec<_> = turn.plies.iter().map(|ply| (ply.component, ply.to)).collect();
//! assert_eq!(plies, [(0, h), (0, c), (0, g), (0, z), (1, z)]);
//! ```
//!
//! # The line of data
//!
//! ```text
//! position → explorer → digraph → theory → values → sum → turn
//! ```
//!
//! Each module knows those before it and none after it.
//!
//! - [`ruleset`]: what a position is, its options and its words.
//! - [`explore`]: all followers of positions, split into parts; [`explore::digraph`] makes a digraph of
//!   them, and [`explore::parts`] finds values without one.
//! - [`digraph`]: white and gray nodes and arcs, without names.
//! - [`theory`]: which theory fits, and one module for each: [`theory::short`], [`theory::cyclic`],
//!   [`theory::entailing`], [`theory::carry_on`], [`theory::general`]; [`theory::chains`] collapses
//!   gray chains.
//! - [`value`], [`nimbers`], [`outcome`]: values and how they add; sets of nimbers; who wins.
//! - [`labelling`]: the labels of all nodes, four bytes each.
//! - [`sum`], [`turn`]: several pieces, and what to play; by the algebra of the theory, or by search
//!   within a [`Budget`].
//! - [`solution`], [`play`]: the whole line for sums of positions, and games on top of it.
//! - [`ordinal_sum`]: a ruleset made of two.
//! - [`transfinite`]: beside the line, ordinals below ε₀ and infinite games.
//! - [`remoteness`], [`compound`], [`grundy`]: Smith's theory of remoteness and composite games, on plain digraphs.
//! - [`loopy`]: a line of its own for partizan games with cycles, from their notation or a
//!   [`ruleset::PartizanRuleset`] to sides, strategies and play.
//! - [`explain`], [`rounds`], [`product`], [`representative`]: beside the line, for looking closer.
//! - [`affine`]: the same games as literal forms {G^L | G^R}, and partizan ones with entailing moves.
//!
//! The crate does no input or output and holds no `unsafe` code.
//!
//! # As a textbook
//!
//! Each module opens with its definitions, the theorem that it rests on, why what it computes is exact,
//! what it costs, and where it is in print. In this order none needs one that comes later:
//!
//! 1. [`digraph`], [`outcome`]: games as digraphs, and who wins.
//! 2. [`theory::short`], [`nimbers`]: the mex, and games without cycles.
//! 3. [`theory::cyclic`]: what becomes of the mex in a cycle.
//! 4. [`theory::entailing`]: moves that must be answered, without cycles; the moon.
//! 5. [`theory::chains`], [`theory::carry_on`]: moving again, with cycles; many moons.
//! 6. [`theory::general`]: what is known where there is no algebra.
//! 7. [`value`], [`sum`], [`turn`]: values add, and tell what to play; why a win must also come to an end.
//! 8. [`ruleset`], [`explore`], [`solution`], [`play`]: from the rules of a game to all of the above.
//! 9. [`remoteness`], [`compound`], [`grundy`], then [`transfinite`]: how long it takes.
//! 10. [`affine`]: the games of 4 as forms. [`loopy`]: Left and Right, with cycles.
//!
//! `docs/tour` tells the same with pictures and without proofs, `docs/design.md` has the longer proofs.
//!
//! # References
//!
//! Comments cite papers by key, such as [ACLNSS, Thm 2.5]:
//!
//! - **ACLNSS**: T. Abuku, A. Carvalho, U. Larsson, R. J. Nowakowski, C. P. Santos, K. Suetsugu,
//!   *Cyclic impartial games with carry-on moves*. The module [`theory::carry_on`] says where the
//!   algorithm here departs from the printed one, and why.
//! - **LNS2021**: U. Larsson, R. J. Nowakowski, C. P. Santos, *Impartial games with entailing moves*.
//! - **LNS-CLF**: U. Larsson, R. J. Nowakowski, C. P. Santos, *A complete solution for a nontrivial
//!   ruleset with entailing moves*.
//! - **Smith1966**: C. A. B. Smith, *Graphs and composite games*.
//! - **Siegel2009**: A. N. Siegel, *New results in loopy games*.
//!
//! The others, and all departures from print, are in `docs/REFERENCES.md`.

pub mod affine;
pub mod budget;
pub mod certificate;
mod components;
pub mod compound;
mod cut;
pub mod digraph;
pub mod effort;
pub mod explain;
pub mod explore;
pub mod grundy;
pub mod labelling;
pub mod loopy;
pub mod memory;
pub mod nimbers;
mod notation;
pub mod ordinal_sum;
pub mod outcome;
pub mod play;
pub mod product;
pub mod remoteness;
pub mod representative;
pub mod rounds;
pub mod ruleset;
mod search;
pub mod solution;
pub mod sum;
pub mod theory;
pub mod transfinite;
pub mod turn;
pub mod value;

pub use budget::Budget;
pub use digraph::{Digraph, Node};
pub use effort::{Effort, Interrupted};
pub use labelling::{Label, Labelling};
pub use nimbers::{NimberSet, Nimbers};
pub use notation::ValueError;
pub use outcome::Outcome;
pub use ruleset::{Fault, Kind, Move, NotationError, Positions, Ruleset};
pub use sum::{Sum, SumError};
pub use theory::{DoesNotFit, LabelProgress, Refutation, Theory, label, label_watched};
pub use turn::{Answer, Guide, Ply, Turn, TurnKind, Turns};
pub use value::{AnyValue, Cover, EntailingValue, HeapOutcomes, Value};
