//! Ordinal sums of impartial games, and the colon principle with entailing moves.
//!
//! In the ordinal sum G : H a player moves in the *base* G, which annihilates the *subordinate* H,
//! or in H, which leaves G as it is. In Hackenbush, G is a stalk and H what grows on its top.
//!
//! ```text
//!      H   │╱       a move in H leaves G : H′
//!          │
//!      G  ═╪═       a move in G leaves G′
//! ```
//!
//! Moves keep their kind: a carry-on move in either is one in the ordinal sum. An entailing move in
//! H must be answered in what it left, and that is the whole G : H′, so that the answer may also be
//! a move in G.
//!
//! ## What is true
//! Let S be the set of the nimbers beside which some move in G wins: the values of what its
//! ordinary moves leave, and what its other moves cover. The value of G is the least number not in
//! S, and a moon if there is none. *Let G and H have no cycles. If H = \*n, then G : H is the n-th
//! number not in S, counted from 0; it is a moon if there are not so many, or if H is a moon.* So
//! only the value of H counts, not its form.
//!
//! Why: write a(n) for the n-th number not in S, and W(X) for the nimbers beside which some move in
//! X wins. Then W(G : X) is S and the a(n) with n in W(X), for every follower X of H, also those
//! that must be answered. For, by induction, an ordinary move from X to \*n contributes a(n) or, if
//! there is no such number, a moon and so nothing; an entailing move to Y contributes all numbers
//! not in W(G : Y), which are the a(n) with n not in W(Y); a carry-on move to \*n all numbers but
//! a(n).
//!
//! ## What is not true
//! - Equal bases do not give equal sums: it is S that counts. Both {0} and {0, \*2} are \*, but
//!   with \* on top they are \*2 and \*3.
//! - Without entailing and carry-on moves an ordinal sum of nimbers is a nimber. With such moves in
//!   the base it can be a moon, though neither part is one: if G has a carry-on move to 0 and no
//!   other, then S is everything but 0, so that G = 0, and G : \* is a moon.
//! - With cycles nothing is claimed.
//!
//! ## References
//! [LNS-CLF, §2] for the definition. Its Theorems 9 and 10 are a moonlight theorem and a colon
//! principle for one ruleset, of the same form.

use crate::impartial::nimbers::NimberSet;
use crate::impartial::value::EntailingValue;
use crate::limits::Work;
use crate::{
    notation::NotationError,
    ruleset::{Fault, Move, Notation, Ruleset, Shortcuts},
};

/// The value of an ordinal sum, from the nimbers beside which some move in the base wins and the
/// value of the subordinate. None if it is a number that does not fit 64 bits.
///
/// ```
/// use nimoon::EntailingValue::{Moon, Nimber};
/// use nimoon::{NimberSet, ruleset::ordinal_sum::colon};
/// // A stalk of three edges, and on it whatever is worth 4.
/// assert_eq!(colon(&NimberSet::only([0, 1, 2]), Nimber(4)), Some(Nimber(7)));
/// // The base can be moved to 0, 2 and 3; what is not among these is 1, 4, 5, …
/// assert_eq!(colon(&NimberSet::only([0, 2, 3]), Nimber(1)), Some(Nimber(4)));
/// // The base is 5 and has a carry-on move.
/// assert_eq!(colon(&NimberSet::all_except([5]), Nimber(0)), Some(Nimber(5)));
/// assert_eq!(colon(&NimberSet::all_except([5]), Nimber(1)), Some(Moon));
/// ```
pub fn colon(won_by_base: &NimberSet, top: EntailingValue) -> Option<EntailingValue> {
    let EntailingValue::Nimber(n) = top else { return Some(EntailingValue::Moon) };
    match won_by_base {
        NimberSet::Only(elements) => {
            // Every element up to the number moves it one further.
            let nth = elements.iter().try_fold(n, |nth, element| {
                if element <= nth { nth.checked_add(1) } else { Some(nth) }
            });
            nth.map(EntailingValue::Nimber)
        }
        NimberSet::AllExcept(without) => {
            let nth = usize::try_from(n).ok().and_then(|n| without.as_slice().get(n));
            Some(nth.map_or(EntailingValue::Moon, |&nth| EntailingValue::Nimber(nth)))
        }
    }
}

/// The ordinal sum of a game of each of two rulesets.
///
/// A position is written `base | top`, or just `base` once the top is gone. A part that is an
/// ordinal sum itself is put in parentheses, as in `1 | (2 | 3)`; parentheses in the notations of
/// the two rulesets must come in pairs.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrdinalSum<B, T> {
    /// The ruleset of the base.
    pub base: B,
    /// The ruleset of the subordinate.
    pub top: T,
}

/// A position of an [`OrdinalSum`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ordinal<B, T> {
    /// Base and subordinate.
    Both(B, T),
    /// The base alone: it was moved in.
    Base(B),
}

impl<B, T> Ordinal<B, T> {
    /// The base, and the subordinate if it is still there.
    fn games(&self) -> (&B, Option<&T>) {
        match self {
            Self::Both(base, top) => (base, Some(top)),
            Self::Base(base) => (base, None),
        }
    }
}

/// A move in the base annihilates the subordinate.
fn in_base<B, T>(option: Move<B>) -> Move<Ordinal<B, T>> {
    Move { to: Ordinal::Base(option.to), kind: option.kind }
}

fn on_top<B: Clone, T>(base: &B, option: Move<T>) -> Move<Ordinal<B, T>> {
    Move { to: Ordinal::Both(base.clone(), option.to), kind: option.kind }
}

impl<B: Notation + Shortcuts, T: Notation + Shortcuts> Ruleset for OrdinalSum<B, T> {
    type Position = Ordinal<B::Position, T::Position>;

    fn name(&self) -> String {
        format!("ordinal[{} | {}]", self.base.name(), self.top.name())
    }

    /// The moves in the base, then those in the subordinate.
    fn options(&self, position: &Self::Position) -> impl Iterator<Item = Move<Self::Position>> {
        let (base, top) = position.games();
        let below = self.base.options(base).map(in_base);
        let above = top.into_iter().flat_map(|top| self.top.options(top));
        below.chain(above.map(|option| on_top(base, option)))
    }

    fn read(&self, text: &str) -> Result<Self::Position, NotationError> {
        let Some(bar) = bar(text)? else {
            return part(&self.base, text, 0).map(Ordinal::Base);
        };
        let base = part(&self.base, &text[..bar], 0)?;
        let top = part(&self.top, &text[bar + 1..], bar + 1)?;
        Ok(Ordinal::Both(base, top))
    }

    fn write(&self, position: &Self::Position) -> String {
        match position {
            Ordinal::Both(base, top) => format!(
                "{} | {}",
                in_parentheses(self.base.write(base)),
                in_parentheses(self.top.write(top))
            ),
            Ordinal::Base(base) => in_parentheses(self.base.write(base)),
        }
    }

    fn components(&self, position: Self::Position) -> Vec<Self::Position> {
        match position {
            // A move in any part of the base annihilates the top, so that they hang together.
            Ordinal::Both(..) => vec![position],
            Ordinal::Base(base) => {
                self.base.components(base).into_iter().map(Ordinal::Base).collect()
            }
        }
    }

    fn canonical(&self, position: Self::Position) -> Self::Position {
        match position {
            Ordinal::Base(base) => Ordinal::Base(self.base.canonical(base)),
            // Base and top may be made of several components, which `canonical` need not know.
            Ordinal::Both(..) => position,
        }
    }
}

impl<B: Notation + Shortcuts, T: Notation + Shortcuts> Notation for OrdinalSum<B, T> {
    fn words(
        &self,
        position: &Self::Position,
        number: usize,
        option: &Move<Self::Position>,
    ) -> String {
        match (position, &option.to) {
            (Ordinal::Both(base, _), Ordinal::Base(to)) => {
                let option = Move { to: to.clone(), kind: option.kind };
                format!("in the base, {}", self.base.words(base, number, &option))
            }
            (Ordinal::Both(base, top), Ordinal::Both(_, to)) => {
                let option = Move { to: to.clone(), kind: option.kind };
                let number = number.saturating_sub(self.base.options(base).take(number).count());
                format!("on top, {}", self.top.words(top, number, &option))
            }
            (Ordinal::Base(base), Ordinal::Base(to)) => {
                let option = Move { to: to.clone(), kind: option.kind };
                self.base.words(base, number, &option)
            }
            (Ordinal::Base(_), to @ Ordinal::Both(..)) => format!("move to {}", self.write(to)),
        }
    }

    /// The subordinate above the base.
    fn board(&self, position: &Self::Position) -> String {
        match position {
            Ordinal::Both(base, top) => {
                format!("{}\n──\n{}", self.top.board(top), self.base.board(base))
            }
            Ordinal::Base(base) => self.base.board(base),
        }
    }
}

impl<B: Notation + Shortcuts, T: Notation + Shortcuts> Shortcuts for OrdinalSum<B, T> {
    fn try_options(
        &self,
        position: &Self::Position,
        limit: usize,
    ) -> Result<Vec<Move<Self::Position>>, Fault> {
        let (base, top) = position.games();
        let below = self.base.try_options(base, limit)?;
        let mut options: Vec<_> = below.into_iter().map(in_base).collect();
        if let Some(top) = top {
            let above = self.top.try_options(top, limit)?;
            options.extend(above.into_iter().map(|option| on_top(base, option)));
        }
        if options.len() > limit { Err(Fault::TooMany { limit }) } else { Ok(options) }
    }

    fn work_within(&mut self, work: &Work) {
        self.base.work_within(work);
        self.top.work_within(work);
    }

    /// With both games there is one part, so that those of either are not needed.
    fn try_parts(&self, position: Self::Position) -> Result<Vec<Self::Position>, Fault> {
        match position {
            Ordinal::Both(..) => Ok(vec![position]),
            Ordinal::Base(base) => {
                Ok(self.base.try_parts(base)?.into_iter().map(Ordinal::Base).collect())
            }
        }
    }

    fn theorem(&self, position: &Self::Position) -> Option<EntailingValue> {
        match position {
            Ordinal::Both(..) => None,
            Ordinal::Base(base) => self.base.theorem(base),
        }
    }

    fn must_be_answered(&self, position: &Self::Position) -> bool {
        match position {
            Ordinal::Both(base, top) => {
                self.base.must_be_answered(base) || self.top.must_be_answered(top)
            }
            Ordinal::Base(base) => self.base.must_be_answered(base),
        }
    }
}

/// Where the bar is that is in no parentheses.
fn bar(text: &str) -> Result<Option<usize>, NotationError> {
    let mut depth = 0_usize;
    let mut bar = None;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 && bar.replace(at).is_some() => {
                let message = "expected one `|`: put a part that has one in parentheses";
                return Err(NotationError::at(at, message));
            }
            _ => {}
        }
    }
    Ok(bar)
}

/// Reads a part that begins at this byte of the whole text.
fn part<R: Ruleset>(ruleset: &R, text: &str, at: usize) -> Result<R::Position, NotationError> {
    let mut start = at + text.len() - text.trim_start().len();
    let mut text = text.trim();
    if let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'))
        && inner.contains('|')
    {
        text = inner;
        start += 1;
    }
    ruleset.read(text).map_err(|error| NotationError { at: start + error.at, ..error })
}

/// Puts a text that has a bar in parentheses.
fn in_parentheses(text: String) -> String {
    if text.contains('|') { format!("({text})") } else { text }
}

#[cfg(test)]
mod tests;
