//! The notation of loopy partizan games, read and printed.
//!
//! | text | game |
//! |---|---|
//! | `3`, `-5/8` | numbers |
//! | `*`, `*2` | nimbers; `1*` is 1 + * |
//! | `^`, `v3`, `^2*3` | ups and downs, with a nimber; `^^*` is `^2*`, and `vvv` is `v3` |
//! | `^<n>`, `^[n]` | `{0\|v[n-1]*}`, and `^<1>+…+^<n>` |
//! | `on off over under upon dud` | {on\|}, −on, {0\|over}, −over, {upon\|*}, {dud\|dud} |
//! | `^[on]`, `^<on>`, `v[on]`, `v<on>` | upon, {0\|v\[on\]*}, and their negatives |
//! | `{0,*\|\|0\|-2}` | the longest run of bars splits first; a side may be empty |
//! | `a{0\|a}`, `{0\|pass}` | within named braces the name is their game; `pass` is the game whose option it is |
//! | `+-G`, `+-(G,H)` | {G\|−G}, {G,H\|−G,−H} |
//! | `Tiny(G)`, `Miny(G)` | {0\|\|0\|−G}, {G\|0\|\|0} |
//! | `-G`, `+G`, `3*G`, `G:H`, `G+H`, `G-H`, `G & H` | from what binds tightest to the loosest |
//!
//! `G:H` is the ordinal sum, `G & H` the game with the onside of G and the offside of H. Blanks may
//! stand between all these, but part a run of bars.
//!
//! ## What could be read in two ways
//! - `2*3` is a multiple, 6, and so is `2*^`. `2*` is 2 + * only where nothing follows that can
//!   begin a game. A minus does not count as such, so that `2*-1` is 2 + * − 1; `+-` does.
//! - `+-` is a switch only where a game is expected: `1+-1` is 0.
//! - `vv` and longer ones are downs where they are not names of braces: they may be such, as in
//!   `vv{0|vv}`, and `v` may not.
//! - Prefixes bind tighter than `:`, so that `-1:2` is (−1):2.
//! - A name can be bound again beside its braces, not within them. It stands for a game that is not
//!   complete, so it can be an option and nothing else: `a{0|a+1}` is refused.
//! - `pass` belongs to the innermost braces, including those that bars imply: `{0||0|0,pass}` is
//!   `{0|{0|0,pass}}`. A name belongs to the braces that are written after it: `a{0||0|0,a}` is
//!   `a{0|{0|0,a}}`.
//!
//! ## The graph as given
//! Braces give their literal graph, with the canonical forms of the numbers and names in them. An
//! operand of a sum, multiple or switch that equals a stopper is replaced by its canonical form;
//! the sum is the product of their graphs, made when it is needed. Ordinal sums depend on the form
//! of what is left, so nothing is replaced there. `G & H` has no graph.
//!
//! ## Limits
//! Numbers and multiples up to a million in size, denominators up to 2⁴⁰, nimbers up to *500,
//! `^[n]` and `^<n>` up to 1000. Nothing here recurs on the machine stack. Reading takes time
//! proportional to the text.

mod atoms;
mod evaluate;
mod game;
mod names;
mod read;
mod text;

pub use evaluate::EvaluateError;
pub use game::Game;

use super::numbers::Dyadic;

/// What has been read: a game in the [notation](self) of loopy partizan games.
///
/// ```
/// use nimoon::partizan::notation::Expression;
/// use nimoon::{Work, partizan::Stoppers};
/// let mut stoppers = Stoppers::new();
/// let expression: Expression = "a{1||a|0}".parse().unwrap();
/// let game = expression.evaluate(&mut stoppers, &mut Work::default()).unwrap();
/// assert_eq!(stoppers.sides_text(game.sides()).unwrap(), "2 & +-1");
/// let error = "{1|b}".parse::<Expression>().unwrap_err();
/// assert_eq!(error.at, 3);
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    /// Every node after its operands; the last is the whole.
    nodes: Vec<Node>,
    /// Where each node begins in the text.
    places: Vec<u32>,
    /// Whether a node is an option in braces.
    is_option: Vec<bool>,
    /// The options of all braces and switches.
    options: Vec<u32>,
    /// The node of each pair of braces that was written.
    scopes: Vec<u32>,
}

/// A range in [`Expression::options`].
type Side = (u32, u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Number {
        number: Dyadic,
        star: bool,
    },
    Nimber(u32),
    Up {
        up: Up,
        nimber: u32,
        down: bool,
    },
    Word(Word),
    Brace {
        left: Side,
        right: Side,
    },
    Reference {
        scope: u32,
    },
    /// The braces, written or implied, that this is an option of.
    Pass,
    Negative(u32),
    Switch(Side),
    Tiny(u32),
    Miny(u32),
    Multiple(u32, u32),
    Add(u32, u32),
    Ordinal(u32, u32),
    Sides(u32, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Up {
    /// `^3`.
    Times(u32),
    /// `^<3>`; none for `^<on>`.
    Angle(Option<u32>),
    /// `^[3]`; none for `^[on]`.
    Bracket(Option<u32>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    On,
    Off,
    Over,
    Under,
    Upon,
    Dud,
}
