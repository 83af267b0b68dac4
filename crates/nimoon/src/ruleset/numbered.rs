//! Numbered positions as a ruleset again, so that combinations of rulesets take any of them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Fault, Move, Notation, NotationError, PositionId, Positions, Ruleset, Shortcuts};
use crate::impartial::nimbers::NimberSet;
use crate::impartial::value::EntailingValue;
use crate::limits::Work;

/// A ruleset whose positions are the numbers of those of another.
pub struct Numbered(Mutex<Box<dyn Positions>>);

impl Numbered {
    /// Takes any positions.
    pub fn new(positions: Box<dyn Positions>) -> Self {
        Self(Mutex::new(positions))
    }

    /// A number once given stays, so a panic elsewhere leaves nothing half done.
    fn positions(&self) -> MutexGuard<'_, Box<dyn Positions>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ruleset for Numbered {
    type Position = PositionId;

    fn name(&self) -> String {
        self.positions().name().to_owned()
    }

    fn options(&self, position: &PositionId) -> impl Iterator<Item = Move<PositionId>> {
        self.try_options(position, usize::MAX).unwrap_or_default().into_iter()
    }

    fn read(&self, text: &str) -> Result<PositionId, NotationError> {
        self.positions().read(text)
    }

    fn write(&self, position: &PositionId) -> String {
        self.positions().text(*position)
    }

    fn components(&self, position: PositionId) -> Vec<PositionId> {
        self.positions().parts(position)
    }

    fn canonical(&self, position: PositionId) -> PositionId {
        self.positions().canonical(position)
    }
}

impl Notation for Numbered {
    fn record(&self, position: &PositionId) -> String {
        self.positions().record(*position)
    }

    fn restore(&self, text: &str) -> Option<PositionId> {
        self.positions().restore(text)
    }

    fn words(&self, position: &PositionId, number: usize, option: &Move<PositionId>) -> String {
        self.positions().words(*position, number, option.kind, option.to)
    }

    fn board(&self, position: &PositionId) -> String {
        self.positions().board(*position)
    }
}

impl Shortcuts for Numbered {
    fn try_options(
        &self,
        position: &PositionId,
        limit: usize,
    ) -> Result<Vec<Move<PositionId>>, Fault> {
        let options = self.positions().options(*position, limit)?;
        Ok(options.into_iter().map(|(kind, to)| Move { to, kind }).collect())
    }

    fn try_parts(&self, position: PositionId) -> Result<Vec<PositionId>, Fault> {
        self.positions().try_parts(position)
    }

    fn theorem_due(&self, position: &PositionId) -> Option<NimberSet> {
        self.positions().theorem_due(*position)
    }

    fn theorem(&self, position: &PositionId) -> Option<EntailingValue> {
        self.positions().theorem(*position)
    }

    fn work_within(&mut self, work: &Work) {
        self.positions().work_within(work);
    }

    fn is_short(&self, position: &PositionId) -> bool {
        self.positions().is_short(*position)
    }

    fn must_be_answered(&self, position: &PositionId) -> bool {
        self.positions().must_be_answered(*position)
    }
}
