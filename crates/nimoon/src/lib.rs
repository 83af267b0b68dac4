//! Exact values of impartial games with cycles, entailing and carry-on moves.
//!
//! A game is a [`Digraph`] with white and gray nodes. Pieces stand on nodes, and a player moves one
//! piece along an arc; a piece on a gray node must be moved at once, by the player who finds it
//! there. A player who cannot move loses; play that never ends is a draw. A *carry-on move* goes through a
//! gray node with one option: the opponent moves on, and the mover moves again.
//!
//! # Which part do I need?
//!
//! | to | use |
//! |---|---|
//! | write down the rules of a game | [`Ruleset`] |
//! | solve a sum of positions: values, who wins, turns in words | [`solve::solution::Solution`] |
//! | play a game, with undo and the engine as a player | [`solve::play::Game`] |
//! | put one game on top of another | [`ruleset::ordinal_sum::OrdinalSum`], [`ruleset::ordinal_sum::colon`] |
//! | give every node its value | [`label`](label()), then [`Labelling::value`] |
//! | give every node its value by the smallest theory that fits what it reaches | [`label_smallest`] |
//! | know which theory fits a digraph | [`impartial::theory::smallest`] |
//! | add values, and read or write them as text | [`Value`], [`AnyValue`] |
//! | know the value of several pieces, and who wins | [`Sum::value`], [`Sum::outcome`] |
//! | know what to play | [`impartial::turn::solve`]; all winning turns: [`impartial::turn::best_turns`] |
//! | know why a node has its value | [`impartial::explain::explain`] |
//! | know in which round it got it | [`impartial::rounds::rounds`] |
//! | know D(G), F(G), P(G) and Cr of the carry-on paper | [`impartial::sets::Sets`] |
//! | have values where entailing moves have several options and there are cycles | [`impartial::control::Control`] |
//! | have the digraph of two pieces | [`graph::product::product`] |
//! | have a digraph of a given value | [`impartial::representative::representative`] |
//! | read, add, compare and evaluate literal forms over ∞ and −∞ | [`affine::Forms`] |
//! | know how far a position is from the end | [`smith::remoteness::Remoteness`]; with Left and Right [`smith::remoteness::PartizanRemoteness`] |
//! | know what players are sure of where play ends with a draw or a payoff | [`smith::remoteness::PayoffGame`], [`smith::remoteness::security`] |
//! | play games in all, in some or in one component | [`smith::compound::Compounds`] |
//! | have Smith's G, H and J | [`smith::grundy::GrundyPair`]; in the wide sense [`smith::grundy::wide`] |
//! | order partizan games with cycles, and have their sides and canonical forms | [`partizan::Stoppers`], [`partizan::order::compare`] |
//! | read and write these games as text | [`partizan::notation::Expression`] |
//! | have rulesets ready made, or as scripts | the crates `nimoon-rulesets` and `nimoon-script` |
//! | compute with ordinals, and play transfinite games | [`transfinite`] |
//! | prove an answer to readers who do not trust this crate | [`certificate`] |
//! | read files and draw pictures | the crate `nimoon-formats` |
//! | keep results for later | [`ruleset::memory::Memory`]; in a file: the crate `nimoon-store` |
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
//! use nimoon::{Digraph, Sum, Work, label, impartial::turn::solve};
//!
//! // z is terminal; g and h are gray; c is a loop.
//! let [z, g, c, h, x, a] = [0, 1, 2, 3, 4, 5];
//! let arcs = vec![(g, z), (c, c), (c, g), (h, c), (x, z), (x, h), (a, z)];
//! let digraph = Digraph::new(6, [g, h], arcs).unwrap();
//!
//! let labelling = label(&digraph, None, &Work::default()).unwrap();
//! assert_eq!(labelling.value(x).unwrap().to_string(), "☾₀");
//!
//! let sum = Sum::new(&digraph, &labelling, vec![x, a]).unwrap();
//! assert_eq!(sum.value().unwrap().to_string(), "☾₁");
//!
//! // Carry on from x to c and from c to z, then take the last move: a → z.
//! let turn = solve(&sum, &Work::default()).unwrap().turn.unwrap();
//! let plies: Vec<_> = turn.plies.iter().map(|ply| (ply.component, ply.to)).collect();
//! assert_eq!(plies, [(0, h), (0, c), (0, g), (0, z), (1, z)]);
//! ```
//!
//! # The modules, in order
//!
//! Each module uses only those before it; a test checks that.
//!
//! | module | what it holds |
//! |---|---|
//! | [`player`], [`outcome`], [`notation`] | Left and Right; who wins; errors in texts |
//! | [`limits`] | how much may be done, and what stops it |
//! | [`graph`] | digraphs of white and gray nodes, without names |
//! | [`impartial`] | values, the theories that label digraphs, sums and turns |
//! | [`partizan`] | games of Left and Right with cycles: order, stoppers, sides, notation |
//! | [`affine`] | literal forms {G^L \| G^R} over ∞ and −∞ |
//! | [`smith`] | remoteness, compounds, G, H and J on plain digraphs |
//! | [`transfinite`] | ordinals below ε₀ and infinite games |
//! | [`ruleset`] | what a position is, its options and its words |
//! | [`solve`] | from positions to values, turns, explanations and play |
//! | [`certificate`] | what shows that an answer is right |
//!
//! The crate does no input or output and holds no `unsafe` code.
//!
//! # As a textbook
//!
//! Each module opens with its definitions, the theorem that it rests on, why what it computes is exact,
//! what it costs, and where it is in print. In this order none needs one that comes later:
//!
//! 1. [`graph::digraph`], [`outcome`]: games as digraphs, and who wins.
//! 2. [`impartial::theory::short`], [`impartial::nimbers`]: the mex, and games without cycles.
//! 3. [`impartial::theory::cyclic`]: what becomes of the mex in a cycle.
//! 4. [`impartial::theory::entailing`]: moves that must be answered, without cycles; the moon.
//! 5. [`impartial::theory::chains`], [`impartial::theory::carry_on`]: moving again, with cycles; many moons.
//! 6. [`impartial::theory::general`]: what is known where there is no algebra.
//! 7. [`impartial::control`]: the algebra that holds for all of these.
//! 8. [`impartial::value`], [`impartial::sum`], [`impartial::turn`]: values add, and show what to play; why a win must also come to an end.
//! 9. [`ruleset`], [`solve`]: from the rules of a game to all of the above.
//! 10. [`smith`], then [`transfinite`]: how long it takes.
//! 11. [`affine`]: the games of 4 as forms. [`partizan`]: Left and Right, with cycles.
//!
//! `docs/tour` covers the same with pictures and without proofs; `docs/architecture.md` shows how the
//! crates fit together.
//!
//! # References
//!
//! Comments cite papers by key, such as [ACLNSS, Thm 2.5]:
//!
//! - **ACLNSS**: T. Abuku, A. Carvalho, U. Larsson, R. J. Nowakowski, C. P. Santos, K. Suetsugu,
//!   *Cyclic impartial games with carry-on moves*. The module [`impartial::theory::carry_on`] says where the
//!   algorithm here departs from the printed one, and why.
//! - **LNS2021**: U. Larsson, R. J. Nowakowski, C. P. Santos, *Impartial games with entailing moves*.
//! - **LNS-CLF**: U. Larsson, R. J. Nowakowski, C. P. Santos, *A complete solution for a nontrivial
//!   ruleset with entailing moves*.
//! - **Smith1966**: C. A. B. Smith, *Graphs and composite games*.
//! - **Siegel2009**: A. N. Siegel, *New results in loopy games*.
//!
//! The others, and all departures from print, are in `docs/REFERENCES.md`.

pub mod affine;
pub mod certificate;
mod count;
pub mod graph;
pub mod impartial;
pub mod limits;
pub mod notation;
pub mod outcome;
pub mod partizan;
pub mod player;
pub mod ruleset;
pub mod smith;
pub mod solve;
pub mod transfinite;

pub use graph::{Digraph, Node};
pub use impartial::labelling::{Label, Labelling};
pub use impartial::labels::{Labels, SmallestLabelling, label_smallest};
pub use impartial::nimbers::{NimberSet, Nimbers};
pub use impartial::notation::ValueError;
pub use impartial::sum::{Sum, SumError};
pub use impartial::theory::{DoesNotFit, Refutation, Theory, label};
pub use impartial::turn::{Answer, Guide, Ply, Turn, TurnKind, Turns};
pub use impartial::value::{AnyValue, Cover, EntailingValue, HeapOutcomes, Value};
pub use limits::{Interrupted, Limits, Progress, Work};
pub use notation::NotationError;
pub use outcome::Outcome;
pub use player::Player;
pub use ruleset::{Fault, Kind, Move, Notation, Positions, Ruleset, Shortcuts};
