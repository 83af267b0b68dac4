//! The theories of impartial digraph games, and which of them fits a digraph.
//!
//! | theory | cycles | gray nodes | values |
//! |---|---|---|---|
//! | [`short`] | no | none | nimbers |
//! | [`cyclic`] | yes | none | nimbers, `∞_D` |
//! | [`entailing`] | no | any | nimbers, ☾ |
//! | [`carry_on`] | yes | at most one option each | nimbers, ○, `☾_F`, ninnies, `∞_D` |
//! | [`general`] | yes | any | outcomes beside every nim-heap |
//!
//! A digraph fits a theory as well when it has fewer of these features.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::budget::Budget;
use crate::digraph::{Digraph, Node};
use crate::labelling::Labelling;

/// A theory of impartial digraph games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theory {
    /// Sprague–Grundy: no cycles, no gray nodes.
    Short,
    /// Smith, Fraenkel and Perl: cycles, no gray nodes.
    Cyclic,
    /// Larsson, Nowakowski and Santos: gray nodes, no cycles.
    Entailing,
    /// Abuku and others: cycles, and gray nodes with at most one option.
    CarryOn,
    /// Cycles and gray nodes with any number of options: exact, but without an algebra.
    General,
}

impl Theory {
    /// All theories, the smaller ones first.
    pub const ALL: [Self; 5] =
        [Self::Short, Self::Cyclic, Self::Entailing, Self::CarryOn, Self::General];

    /// The name used on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Cyclic => "cyclic",
            Self::Entailing => "entailing",
            Self::CarryOn => "carry-on",
            Self::General => "general",
        }
    }
}

impl fmt::Display for Theory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no theory.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a theory: expected short, cyclic, entailing, carry-on or general")]
pub struct UnknownTheory(String);

impl FromStr for Theory {
    type Err = UnknownTheory;

    fn from_str(name: &str) -> Result<Self, UnknownTheory> {
        let found = Self::ALL.into_iter().find(|theory| theory.name() == name);
        found.ok_or_else(|| UnknownTheory(name.to_owned()))
    }
}

/// Why a digraph does not fit a theory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// A gray node, where the theory knows none.
    GrayNode(Node),
    /// A cycle, where the theory knows none: each node leads to the next, the last to the first.
    Cycle(Vec<Node>),
    /// A gray node with two or more options, where the theory allows one.
    ManyOptions(Node),
}

/// A digraph does not fit the theory asked for.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the digraph does not fit the {theory} theory")]
pub struct DoesNotFit {
    /// The theory asked for.
    pub theory: Theory,
    /// What refutes it.
    pub refutation: Refutation,
    /// The smallest theory that fits.
    pub fitting: Theory,
}
