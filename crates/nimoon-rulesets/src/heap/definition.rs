//! Values straight from the rules, for tests: the slow way that the theorems are checked against.

use std::collections::HashMap;

use nimoon::NimberSet;
use nimoon::impartial::value::EntailingValue::{self, Moon, Nimber};
use nimoon::ruleset::{Kind, Ruleset};

/// The values of the positions of a ruleset, by recursion over their options.
pub(super) struct Definition<'a, R: Ruleset> {
    ruleset: &'a R,
    known: HashMap<R::Position, NimberSet>,
}

impl<'a, R: Ruleset> Definition<'a, R> {
    pub(super) fn new(ruleset: &'a R) -> Self {
        Self { ruleset, known: HashMap::new() }
    }

    /// The value: of a position that splits, the sum of the values of its parts.
    pub(super) fn value(&mut self, position: &R::Position) -> EntailingValue {
        let parts = self.ruleset.components(position.clone());
        if parts.len() < 2 {
            return self.whole(position);
        }
        parts.iter().map(|part| self.whole(part)).fold(Nimber(0), |sum, value| sum + value)
    }

    /// The value without splitting the position.
    pub(super) fn whole(&mut self, position: &R::Position) -> EntailingValue {
        self.beaten(position).mex().map_or(Moon, Nimber)
    }

    /// The nim-heaps beside which the mover wins by a move in the position.
    fn beaten(&mut self, position: &R::Position) -> NimberSet {
        if let Some(known) = self.known.get(position) {
            return known.clone();
        }
        let options: Vec<_> = self.ruleset.options(position).collect();
        let mut beaten = NimberSet::only([]);
        for option in options {
            let more = match (option.kind, self.value(&option.to)) {
                (Kind::Ordinary, Nimber(value)) => NimberSet::only([value]),
                (Kind::Ordinary, Moon) => NimberSet::only([]),
                (Kind::Again, Nimber(value)) => NimberSet::all_except([value]),
                (Kind::Again, Moon) => NimberSet::all_except([]),
                (Kind::Entailing, _) => self.beaten(&option.to).complement(),
            };
            beaten = beaten.union(&more);
        }
        self.known.insert(position.clone(), beaten.clone());
        beaten
    }
}
