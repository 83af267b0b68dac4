//! From positions of rulesets to forms.
//!
//! Each part of a position has a form; what an option leaves is the literal sum of the forms of its
//! parts, S.
//!
//! | move | option of Left |
//! |---|---|
//! | ordinary | S |
//! | again (carry-on) | {∞\|S} |
//! | entailing | {∞\|S^R}: the opponent must move in what is left |
//!
//! This is how the paper writes the heaps of top entails [LNS2021, §5]: **2** = {**1** + **1**,
//! {∞|**1**^R} | …}.
//!
//! Such forms share most of their followers and have few of them, but as text they are long: then
//! the text has quiet options as values.

use thiserror::Error;

use crate::affine::{Form, Forms};
use crate::graph::components::strongly_connected;
use crate::limits::{Interrupted, Work};
use crate::player::Player;
use crate::ruleset::{Fault, Kind, PositionId, Positions};
use crate::solve::explore::{Exploration, ExploreError, Field, Part};

/// Why a position has no form.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// A position comes back.
    #[error(
        "{position} can come back, and affine forms have no cycles: use `nimoon value` or `nimoon label` for \
         values with cycles, or `nimoon loopy` for partizan games"
    )]
    Cycle {
        /// A position on the cycle.
        position: String,
    },
    /// A move in it must be answered at once.
    #[error(
        "{position} must be answered at once: it has a form only as an option, after a move of one of the players"
    )]
    Due {
        /// The position.
        position: String,
    },
    /// The explorer was stopped.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// The rules failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The form is too large.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl Forms {
    /// The literal form of a sum of positions of impartial rulesets.
    ///
    /// ```
    /// use nimoon::{Work, affine::Forms};
    /// use nimoon::{Notation, Positions, Ruleset, Shortcuts};
    /// use nimoon::{ruleset::{Interned, Move}, notation::NotationError};
    /// /// A row of coins: take one, and if it was not the last, take another.
    /// struct Row;
    /// impl Ruleset for Row {
    ///     type Position = u8;
    ///     fn name(&self) -> String { "row".into() }
    ///     fn options(&self, coins: &u8) -> impl Iterator<Item = Move<u8>> {
    ///         let left = coins.checked_sub(1);
    ///         left.map(|left| if left == 0 { Move::to(0) } else { Move::again(left) }).into_iter()
    ///     }
    ///     fn read(&self, _: &str) -> Result<u8, NotationError> { Ok(2) }
    ///     fn write(&self, coins: &u8) -> String { coins.to_string() }
    /// }
    /// impl Notation for Row {}
    /// impl Shortcuts for Row {}
    /// let mut row = Interned::new(Row);
    /// let two = row.read("2").unwrap();
    /// let mut forms = Forms::new();
    /// let form = forms.of_position(vec![Box::new(row)], &[(0, two)], &mut Work::default());
    /// assert_eq!(forms.text(form.unwrap()), "{{oo|*}|{*|-oo}}");
    /// ```
    ///
    /// # Errors
    /// When a position comes back or must be answered at once, the rules fail, or a budget is hit.
    pub fn of_position(
        &mut self,
        fields: Vec<Box<dyn Positions>>,
        terms: &[(Field, PositionId)],
        work: &mut Work,
    ) -> Result<Form, PositionError> {
        let mut exploration = Exploration::new(fields);
        exploration.work_within(work);
        let mut start: Vec<Part> = Vec::new();
        for &(field, position) in terms {
            let positions = exploration.field_mut(field);
            if positions.must_be_answered(position) {
                let position = format!("{}:{}", positions.name(), positions.text(position));
                return Err(PositionError::Due { position });
            }
            for part in positions.try_parts(position)? {
                start.push(exploration.part(field, part));
            }
        }
        exploration.explore(work)?;
        let found = self.forms_of_parts(&exploration, work)?;
        let start = exploration.normal(start);
        Ok(self.sum_of(&start, &found, work)?)
    }

    /// The forms of all parts.
    fn forms_of_parts(
        &mut self,
        exploration: &Exploration,
        work: &mut Work,
    ) -> Result<Vec<Form>, PositionError> {
        let successors = |part: Part, into: &mut Vec<Part>| {
            into.extend(exploration.options(part).flat_map(|(_, left)| left));
        };
        let mut found = vec![Form::ZERO; exploration.len()];
        for component in strongly_connected(exploration.len(), successors) {
            let part = component[0];
            let mut options = exploration.options(part);
            if component.len() > 1 || options.any(|(_, left)| left.contains(&part)) {
                let (field, position) = exploration.position(part);
                let field = exploration.field(field);
                let position = format!("{}:{}", field.name(), field.text(position));
                return Err(PositionError::Cycle { position });
            }
            let [mut left, mut right] = [Vec::new(), Vec::new()];
            for (kind, parts) in exploration.options(part) {
                self.step(work)?;
                let sum = self.sum_of(parts, &found, work)?;
                let option = match kind {
                    Kind::Ordinary => sum,
                    Kind::Again => self.braces([Form::INFINITY], [sum]),
                    Kind::Entailing => {
                        let answers = self.options(sum, Player::Right).to_vec();
                        self.braces([Form::INFINITY], answers)
                    }
                };
                left.push(option);
                right.push(self.conjugate(option, work)?);
            }
            found[part as usize] = self.braces(left, right);
        }
        Ok(found)
    }

    /// The literal sum of the forms of parts, from the first to the last.
    fn sum_of(
        &mut self,
        parts: &[Part],
        found: &[Form],
        work: &mut Work,
    ) -> Result<Form, Interrupted> {
        let Some((&first, others)) = parts.split_first() else { return Ok(Form::ZERO) };
        let mut sum = found[first as usize];
        for &part in others {
            // Parts are not infinities, so that the sum is defined.
            sum = self.sum(sum, found[part as usize], work)?.unwrap_or(sum);
        }
        Ok(sum)
    }
}
