//! Positions of one ruleset under numbers, with the type of the ruleset hidden.

use std::hash::BuildHasherDefault;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxHasher;

use super::{Fault, Found, Kind, Move, Notation, NotationError, Sequence, Shortcuts};
use crate::impartial::nimbers::NimberSet;
use crate::impartial::value::EntailingValue;
use crate::limits::threads::side_by_side;
use crate::limits::{Interrupted, Work};
use crate::ruleset::memory::Memory;

/// The number of a position among those of its ruleset that were met so far.
pub type PositionId = u32;

/// An option of a position, with what it leaves split into independent parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Branch {
    /// Who moves then.
    pub kind: Kind,
    /// The canonical forms of the parts. At least one.
    pub parts: Vec<PositionId>,
}

/// The positions of one ruleset, each under a number.
///
/// This is a [`Ruleset`](super::Ruleset) without its type; [`Interned`] makes one of any ruleset.
pub trait Positions: Send {
    /// The name of the ruleset, parameters included.
    fn name(&self) -> &str;

    /// How many positions have a number.
    fn len(&self) -> usize;

    /// Whether no position has a number.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads a position.
    ///
    /// # Errors
    /// When the text is none, with the place.
    fn read(&mut self, text: &str) -> Result<PositionId, NotationError>;

    /// Writes a position, without the name of the ruleset.
    fn text(&self, position: PositionId) -> String;

    /// Writes a position for a memory.
    fn record(&self, position: PositionId) -> String;

    /// Reads what [`Positions::record`] wrote.
    fn restore(&mut self, text: &str) -> Option<PositionId>;

    /// The independent parts of a position, as they stand. At least one.
    fn parts(&mut self, position: PositionId) -> Vec<PositionId>;

    /// Whether the ruleset counts no part in a position, such as an empty heap, which is then a part itself.
    fn has_no_parts(&self, position: PositionId) -> bool;

    /// The canonical form of a part.
    fn canonical(&mut self, part: PositionId) -> PositionId;

    /// The canonical forms of the independent parts of a position. At least one.
    ///
    /// # Errors
    /// When the rules fail.
    fn try_parts(&mut self, position: PositionId) -> Result<Vec<PositionId>, Fault> {
        Ok(self.parts(position).into_iter().map(|part| self.canonical(part)).collect())
    }

    /// The options of a position as they stand, in the order of the ruleset.
    ///
    /// # Errors
    /// When there are more than `limit`, or the rules fail.
    fn options(
        &mut self,
        position: PositionId,
        limit: usize,
    ) -> Result<Vec<(Kind, PositionId)>, Fault>;

    /// The options of each of these canonical parts, in the order of the ruleset; computed by
    /// `threads` threads. Parts that are met for the first time are numbered in this order.
    ///
    /// # Errors
    /// As for [`Positions::options`].
    fn listed(
        &mut self,
        parts: &[PositionId],
        limit: usize,
        threads: usize,
    ) -> Result<Vec<Vec<Branch>>, Fault>;

    /// The same options, sorted, each once.
    ///
    /// # Errors
    /// As for [`Positions::options`].
    fn expand(
        &mut self,
        parts: &[PositionId],
        limit: usize,
        threads: usize,
    ) -> Result<Vec<Vec<Branch>>, Fault> {
        let mut expanded = self.listed(parts, limit, threads)?;
        for branches in &mut expanded {
            for branch in &mut *branches {
                branch.parts.sort_unstable();
            }
            branches.sort_unstable();
            branches.dedup();
        }
        Ok(expanded)
    }

    /// The option with this number, in words.
    fn words(&self, position: PositionId, number: usize, kind: Kind, to: PositionId) -> String;

    /// A picture of the position in text.
    fn board(&self, position: PositionId) -> String;

    /// How many bytes a position takes, roughly.
    fn size(&self, position: PositionId) -> usize;

    /// The value of a part by a theorem.
    fn theorem(&self, part: PositionId) -> Option<EntailingValue>;

    /// The nim-heaps beside which the player loses who must answer in this part, by a theorem.
    fn theorem_due(&self, part: PositionId) -> Option<NimberSet>;

    /// The number, the kind and the position of an option that wins beside this value, if one is found
    /// without a list of all.
    fn winning_option(
        &mut self,
        part: PositionId,
        beside: EntailingValue,
    ) -> Option<(usize, Kind, PositionId)>;

    /// Whether [`Positions::search`] may be called for this part.
    fn can_search(&self, part: PositionId) -> bool;

    /// The value of a part by a search of the ruleset's own, or whether it is this `nimber`.
    ///
    /// # Errors
    /// When the budget is hit, or the work is cancelled.
    fn search(
        &self,
        part: PositionId,
        nimber: Option<u64>,
        work: &mut Work,
    ) -> Result<Option<Found>, Interrupted>;

    /// Keeps what [`Positions::search`] finds in this memory from now on, and recalls from it first.
    fn remember(&mut self, memory: Arc<dyn Memory>);

    /// Answers within this work from now on; see [`Shortcuts::work_within`].
    fn work_within(&mut self, work: &Work);

    /// Whether all moves from here on are ordinary.
    fn is_short(&self, position: PositionId) -> bool;

    /// Whether the player to move must move here.
    fn must_be_answered(&self, position: PositionId) -> bool;

    /// The values of heaps in one pass.
    fn sequence(&self) -> Option<Box<dyn Sequence>>;
}

/// A ruleset with those of its positions that were met so far.
#[derive(Debug)]
pub struct Interned<R: Notation + Shortcuts> {
    ruleset: R,
    name: String,
    positions: IndexSet<R::Position, BuildHasherDefault<FxHasher>>,
}

type Expanded<P> = Vec<(Kind, Vec<P>)>;

impl<R: Notation + Shortcuts> Interned<R> {
    /// No position so far.
    pub fn new(ruleset: R) -> Self {
        let name = ruleset.name();
        Self { ruleset, name, positions: IndexSet::default() }
    }

    /// The number of a position.
    pub fn intern(&mut self, position: R::Position) -> PositionId {
        self.positions.insert_full(position).0 as PositionId
    }

    fn position(&self, id: PositionId) -> &R::Position {
        &self.positions[id as usize]
    }
}

/// The options of a position, unless there are more than `limit` or they take too much memory.
fn options_within<R: Notation + Shortcuts>(
    ruleset: &R,
    position: &R::Position,
    limit: usize,
) -> Result<Vec<Move<R::Position>>, Fault> {
    /// What the options of one position may take together.
    const MOST_BYTES: usize = 1 << 28;
    let most = MOST_BYTES / ruleset.size(position).max(1);
    ruleset.try_options(position, limit.min(most))
}

/// The options of a part with what they leave split into canonical parts.
fn expand<R: Notation + Shortcuts>(
    ruleset: &R,
    position: &R::Position,
    limit: usize,
) -> Result<Expanded<R::Position>, Fault> {
    let options = options_within(ruleset, position, limit)?;
    options.into_iter().map(|Move { to, kind }| Ok((kind, ruleset.try_parts(to)?))).collect()
}

/// The same for many parts, in the order given.
fn expand_all<R: Notation + Shortcuts>(
    ruleset: &R,
    positions: &[&R::Position],
    limit: usize,
    threads: usize,
) -> Result<Vec<Expanded<R::Position>>, Fault> {
    /// Below this, starting a thread costs more than it saves.
    const LEAST_EACH: usize = 64;
    let each = positions.len().div_ceil(threads.max(1)).max(LEAST_EACH);
    if positions.len() <= each {
        return positions.iter().map(|position| expand(ruleset, position, limit)).collect();
    }
    let parts = side_by_side(positions.chunks(each), |chunk| {
        let all = chunk.iter().map(|position| expand(ruleset, position, limit));
        all.collect::<Result<Vec<_>, _>>()
    });
    let mut expanded = Vec::with_capacity(positions.len());
    for part in parts {
        expanded.extend(part?);
    }
    Ok(expanded)
}

impl<R: Notation + Shortcuts> Positions for Interned<R> {
    fn name(&self) -> &str {
        &self.name
    }

    fn len(&self) -> usize {
        self.positions.len()
    }

    fn read(&mut self, text: &str) -> Result<PositionId, NotationError> {
        let position = self.ruleset.read(text)?;
        Ok(self.intern(position))
    }

    fn text(&self, position: PositionId) -> String {
        self.ruleset.write(self.position(position))
    }

    fn record(&self, position: PositionId) -> String {
        self.ruleset.record(self.position(position))
    }

    fn restore(&mut self, text: &str) -> Option<PositionId> {
        let position = self.ruleset.restore(text)?;
        Some(self.intern(position))
    }

    fn parts(&mut self, position: PositionId) -> Vec<PositionId> {
        let parts = self.ruleset.components(self.position(position).clone());
        if parts.is_empty() {
            return vec![position];
        }
        parts.into_iter().map(|part| self.intern(part)).collect()
    }

    fn has_no_parts(&self, position: PositionId) -> bool {
        self.ruleset.components(self.position(position).clone()).is_empty()
    }

    fn try_parts(&mut self, position: PositionId) -> Result<Vec<PositionId>, Fault> {
        let parts = self.ruleset.try_parts(self.position(position).clone())?;
        Ok(parts.into_iter().map(|part| self.intern(part)).collect())
    }

    fn canonical(&mut self, part: PositionId) -> PositionId {
        let canonical = self.ruleset.canonical(self.position(part).clone());
        self.intern(canonical)
    }

    fn options(
        &mut self,
        position: PositionId,
        limit: usize,
    ) -> Result<Vec<(Kind, PositionId)>, Fault> {
        let options = options_within(&self.ruleset, self.position(position), limit)?;
        Ok(options.into_iter().map(|option| (option.kind, self.intern(option.to))).collect())
    }

    fn listed(
        &mut self,
        parts: &[PositionId],
        limit: usize,
        threads: usize,
    ) -> Result<Vec<Vec<Branch>>, Fault> {
        let positions: Vec<_> = parts.iter().map(|&part| self.position(part)).collect();
        let threads = if self.ruleset.is_serial() { 1 } else { threads };
        let expanded = expand_all(&self.ruleset, &positions, limit, threads)?;
        let numbered = expanded.into_iter().map(|options| {
            let branches = options.into_iter().map(|(kind, parts)| Branch {
                kind,
                parts: parts.into_iter().map(|part| self.intern(part)).collect(),
            });
            branches.collect()
        });
        Ok(numbered.collect())
    }

    fn words(&self, position: PositionId, number: usize, kind: Kind, to: PositionId) -> String {
        let option = Move { to: self.position(to).clone(), kind };
        self.ruleset.words(self.position(position), number, &option)
    }

    fn board(&self, position: PositionId) -> String {
        self.ruleset.board(self.position(position))
    }

    fn theorem(&self, part: PositionId) -> Option<EntailingValue> {
        self.ruleset.theorem(self.position(part))
    }

    fn theorem_due(&self, part: PositionId) -> Option<NimberSet> {
        self.ruleset.theorem_due(self.position(part))
    }

    fn size(&self, position: PositionId) -> usize {
        self.ruleset.size(self.position(position))
    }

    fn winning_option(
        &mut self,
        part: PositionId,
        beside: EntailingValue,
    ) -> Option<(usize, Kind, PositionId)> {
        let (number, Move { to, kind }) =
            self.ruleset.winning_option(self.position(part), beside)?;
        Some((number, kind, self.intern(to)))
    }

    fn can_search(&self, part: PositionId) -> bool {
        self.ruleset.can_search(self.position(part))
    }

    fn search(
        &self,
        part: PositionId,
        nimber: Option<u64>,
        work: &mut Work,
    ) -> Result<Option<Found>, Interrupted> {
        self.ruleset.search(self.position(part), nimber, work)
    }

    fn remember(&mut self, memory: Arc<dyn Memory>) {
        self.ruleset.remember(memory);
    }

    fn work_within(&mut self, work: &Work) {
        self.ruleset.work_within(work);
    }

    fn is_short(&self, position: PositionId) -> bool {
        self.ruleset.is_short(self.position(position))
    }

    fn must_be_answered(&self, position: PositionId) -> bool {
        self.ruleset.must_be_answered(self.position(position))
    }

    fn sequence(&self) -> Option<Box<dyn Sequence>> {
        self.ruleset.sequence()
    }
}
