//! Affine normal play: literal forms {G^L | G^R} over ∞ and −∞, and what those that are impartial
//! are worth.
//!
//! Left wins as soon as either player moves to ∞, in any component, and Right as soon as either
//! moves to −∞. These two are the only forms without options: 0 is {−∞|∞}, and who moves in it
//! loses. A move to {∞|G} is a *check*: the opponent must answer it, or lose. So entailing and
//! carry-on moves become options like any others, and components can be added.
//!
//! | to | use |
//! |---|---|
//! | make forms, add them, conjugate them | [`Forms`] |
//! | read and print them | [`Forms::read`], [`Forms::text`] |
//! | know who wins | [`Forms::outcome`], [`Forms::outcome_of_sum`] |
//! | know whether a form is symmetric, affine impartial (or why not), maneuverable, loony | [`Forms::is_symmetric`], [`Forms::affine_impartial`], [`Forms::is_maneuverable`], [`Forms::is_loony`] |
//! | have the immediate and protected nimbers and the value | [`Forms::impartial`] |
//! | compare two games | [`Forms::ge`], [`Forms::relation`]; modulo affine impartial games [`Forms::equal_modulo_impartial`] |
//! | find the Conway form that a game equals | [`Forms::conway_game`] |
//! | go from a digraph or a position to its form, and back | [`Forms::of_digraph`], [`Forms::of_position`], [`Forms::digraph`] |
//!
//! ## Definitions and theorems
//! - *Form*: equal if identical; options are sets. Every form but ∞ and −∞ has an option on each
//!   side [LNS2021, §2].
//! - *Check*, *quiet*, *Conway form* [Defs 2 to 4], *conjugate* [Def. 5], *symmetric*, *affine
//!   impartial* [Defs 6, 7], *loony* [Def. 9], *immediate* and *protected* nimbers [Defs 10, 11],
//!   *maneuverable* [Def. 12].
//! - The value of an affine impartial form is a nimber or the moon [Thm 17], by the mex of its
//!   immediate and protected nimbers [Thm 20]; two of them are equal modulo affine impartial games
//!   if their values are.
//! - A game is compared with a Conway game H by the outcome of G + H̄ [Thm 7].
//!
//! ## Beyond the source
//! Two definitions of the paper speak of infinitely many games. They are decided all the same.
//! - *Conway game* [Def. 4], a form that equals a Conway form. It is one exactly if G + Ḡ ∈ P. One
//!   direction is Theorem 5; [`Forms::conway_game`] has the proof of the other, and builds the
//!   Conway form.
//! - *Loony* [Def. 9], a game that the first player wins beside every quiet X of outcome N or P.
//!   Three X are enough; [`Forms::is_loony`] says which and why.
//!
//! ## Departures
//! - Day zero of the paper has four forms. With options as sets there are nine: {∞,−∞|∞} is one
//!   more. Nothing rests on it.
//! - The remark after Definition 7, that affine impartial games are closed under taking options,
//!   holds for quiet options: {∞|0} is an option of {0,{∞|0}|0,{0|−∞}} and is not symmetric. The
//!   theorems need no more.
//! - 0 is neutral for equality and not for forms: 0 + * is {−∞,0|∞,0}.
//!
//! ## Limits and cost
//! Forms are numbered in an arena, each after its options, as sets in an order that does not depend
//! on what was made before. So everything but a sum is a loop over the followers and their options,
//! and nothing recurs on the machine stack: a hundred thousand nested braces are an answer. Who
//! wins, and whether there are checks, is known as soon as a form is made. The literal sum has as
//! many followers as the product of its terms; for comparisons the outcome of a sum of two is
//! played from the top with a memory, without making the form. What can grow is counted by an
//! [`Work`](crate::Work).
//!
//! ## References
//! [LNS2021, §§1–6]

mod convert;
mod forms;
mod impartial;
mod loony;
mod notation;
mod order;
mod outcome;

pub use convert::{ConvertError, FormDigraph};
pub use forms::{Form, Forms, UndefinedSum};
pub use impartial::{Impartial, NotAffineImpartial};
pub use notation::{Question, ReadError, Relation};
pub use order::{Comparison, Decision, Ground};
pub use outcome::AffineOutcome;
