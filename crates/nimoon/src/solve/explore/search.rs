//! Values of parts that are not expanded, by searches of their rulesets.

use super::{Exploration, OPTIONS_PER_POSITION, Part};
use crate::impartial::value::EntailingValue;
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;
use crate::ruleset::Found;

/// How many positions a search may visit: as many as the explorer may meet options.
pub(crate) fn for_searches(work: &Work) -> Work {
    let limits = work.limits();
    work.child(limits.positions(limits.positions.saturating_mul(OPTIONS_PER_POSITION)))
}

impl Exploration {
    /// The value of a part that is not expanded, by a search that was made or by a theorem.
    pub(crate) fn leaf_value(&self, part: Part) -> Option<EntailingValue> {
        let (field, position) = self.position(part);
        self.found.get(&part).copied().or_else(|| self.field(field).theorem(position))
    }

    /// Whether the value of a part must be searched for before it is known.
    pub(crate) fn needs_search(&self, part: Part) -> bool {
        let (field, position) = self.position(part);
        !self.is_expanded(part)
            && self.field(field).can_search(position)
            && self.leaf_value(part).is_none()
    }

    /// Whether there are parts that are known by searches alone, or have to be.
    pub(crate) fn may_search(&self) -> bool {
        self.may_search
    }

    /// The parts that were met and whose values must be searched for.
    pub(crate) fn unsearched(&self) -> Vec<Part> {
        let parts = 0..self.leaves.len() as Part;
        parts.filter(|&part| self.leaves[part as usize] && self.needs_search(part)).collect()
    }

    /// Finds the values of these parts, where searches are needed for that.
    ///
    /// # Errors
    /// When the budget is hit, or the work is cancelled.
    pub(crate) fn search(&mut self, parts: &[Part], work: &mut Work) -> Result<(), Interrupted> {
        for &part in parts {
            if self.needs_search(part) {
                self.search_part(part, None, work)?;
            }
        }
        Ok(())
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// As said.
    pub(crate) fn search_within(&mut self, parts: &[Part], work: &Work) -> Result<(), Interrupted> {
        self.search(parts, &mut work.child(work.limits()))
    }

    /// Who wins a sum of parts, if some of them must be searched for. The last of these is only
    /// tested for equality with the others, which is less than to find its value.
    ///
    /// # Errors
    /// As said.
    pub(crate) fn search_outcome(
        &mut self,
        known: EntailingValue,
        unknown: &[Part],
        work: &Work,
    ) -> Result<Outcome, Interrupted> {
        let mut work = work.child(work.limits());
        let mut sum = known;
        for (place, &part) in unknown.iter().enumerate() {
            let EntailingValue::Nimber(nimber) = sum else { return Ok(Outcome::N) };
            let goal = (place + 1 == unknown.len()).then_some(nimber);
            let known = match self.leaf_value(part) {
                Some(value) => Some(value),
                None => self.search_part(part, goal, &mut work)?,
            };
            let Some(value) = known else { return Ok(Outcome::N) };
            sum = sum + value;
        }
        Ok(if sum == EntailingValue::Nimber(0) { Outcome::P } else { Outcome::N })
    }

    /// Runs the search of the ruleset, and keeps the value if that was found.
    fn search_part(
        &mut self,
        part: Part,
        goal: Option<u64>,
        work: &mut Work,
    ) -> Result<Option<EntailingValue>, Interrupted> {
        let (field, position) = self.position(part);
        let found = self.field(field).search(position, goal, work)?;
        let Some(Found::Value(value)) = found else { return Ok(None) };
        self.found.insert(part, value);
        Ok(Some(value))
    }
}
