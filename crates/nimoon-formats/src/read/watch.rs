//! What happens while a file is read: progress reports, and checks of the limits.

use nimoon::{Progress, Work};

use super::ReadErrorKind;
use super::error::Fault;
use super::marks::Mark;
use crate::Names;
use crate::source::{Declared, Unfit};

/// How many lines are read between two looks, where a line is soon read.
pub(super) const LINES_PER_LOOK: usize = 64;

/// Within what a text is read.
pub(super) struct Watch<'w> {
    pub(super) work: Option<&'w Work>,
    /// The length of the text, where it is reported how much of it is read.
    pub(super) all: Option<usize>,
    /// What is refused where it is declared.
    pub(super) refused: Option<&'w Unfit>,
}

/// No reports and no limits.
pub(super) const NOBODY: Watch<'static> = Watch { work: None, all: None, refused: None };

impl Watch<'_> {
    /// Reports that the text is read up to this place, and checks whether there is memory for the
    /// names and arcs that were found in it.
    pub(super) fn reached(&self, place: usize, names: &Names, arcs: usize) -> Result<(), Fault> {
        let progress = self.all.map(|all| Progress::Reading { read: place, all });
        self.within(place, names, arcs, progress.unwrap_or(Progress::Working))
    }

    /// The same for readers that report nothing.
    pub(super) fn go_on(&self, place: usize, names: &Names, arcs: usize) -> Result<(), Fault> {
        self.within(place, names, arcs, Progress::Working)
    }

    fn within(
        &self,
        place: usize,
        names: &Names,
        arcs: usize,
        progress: Progress,
    ) -> Result<(), Fault> {
        /// An arc in the list that is read, and where the digraph has it.
        const ARC_BYTES: usize = 16;
        let Some(work) = self.work else { return Ok(()) };
        let bytes = names.bytes() + ARC_BYTES * arcs;
        let found = work.hold(bytes as u64).and_then(|()| work.report(progress));
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
