//! What goes on beside the reading: who is told how far it is, and what may end it.

use nimoon::Effort;

use super::ReadErrorKind;
use super::error::Fault;
use super::marks::Mark;
use crate::Names;
use crate::source::{Declared, Unfit};

/// How many lines are read between two looks, where a line is soon read.
pub(super) const LINES_PER_LOOK: usize = 64;

/// Who is told how far the text is read, and within what.
pub(super) struct Watch<'w> {
    pub(super) effort: Option<&'w Effort>,
    pub(super) tell: &'w dyn Fn(usize),
    /// What is refused where it is declared.
    pub(super) refused: Option<&'w Unfit>,
}

/// Nobody, and whatever it takes.
pub(super) const NOBODY: Watch<'static> = Watch { effort: None, tell: &|_| {}, refused: None };

impl Watch<'_> {
    /// Tells that the text is read up to this place, and looks whether what was found in it may be held:
    /// names and arcs.
    pub(super) fn reached(&self, place: usize, names: &Names, arcs: usize) -> Result<(), Fault> {
        (self.tell)(place);
        self.go_on(place, names, arcs)
    }

    /// The same for readers that tell nothing.
    pub(super) fn go_on(&self, place: usize, names: &Names, arcs: usize) -> Result<(), Fault> {
        /// An arc in the list that is read, and where the digraph has it.
        const ARC_BYTES: usize = 16;
        let Some(effort) = self.effort else { return Ok(()) };
        let bytes = names.bytes() + ARC_BYTES * arcs;
        let found = effort.hold(bytes as u64).and_then(|()| effort.check());
        found.map_err(|interrupted| Fault::new(place, interrupted.into()))
    }

    /// Refuses what was declared, if it was found before that it does not fit.
    pub(super) fn admit<T>(&self, declared: Declared, mark: &Mark<'_, T>) -> Result<(), Fault> {
        match self.refused {
            Some(unfit) if unfit.declared == declared && unfit.name == mark.name => {
                Err(Fault::new(mark.place, ReadErrorKind::Unfit(unfit.clone())))
            }
            _ => Ok(()),
        }
    }
}
