//! Positions of one ruleset under numbers, with the type of the ruleset hidden.

use std::sync::Arc;

use super::numbers::Numbers;
use super::{Branches, Fault, Kind, Move, Notation, NotationError, Ruleset, Sequence, Shortcuts};
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

    /// The same, added to `branches`.
    ///
    /// # Errors
    /// As for [`Positions::options`].
    fn expand_into(
        &mut self,
        parts: &[PositionId],
        limit: usize,
        threads: usize,
        branches: &mut Branches,
    ) -> Result<(), Fault> {
        for options in self.expand(parts, limit, threads)? {
            branches.add_part(&options);
        }
        Ok(())
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
    ) -> Result<Option<super::Found>, Interrupted>;

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
    positions: Numbers<R::Position>,
    /// What an option leaves, until it is numbered.
    left: Vec<R::Position>,
}

impl<R: Notation + Shortcuts> Interned<R> {
    /// No position so far.
    pub fn new(ruleset: R) -> Self {
        let name = ruleset.name();
        Self { ruleset, name, positions: Numbers::new(), left: Vec::new() }
    }

    /// The number of a position.
    pub fn intern(&mut self, position: R::Position) -> PositionId {
        self.positions.number(position)
    }

    fn position(&self, id: PositionId) -> &R::Position {
        self.positions.get(id)
    }

    /// The options of each part, in the order of the ruleset or sorted.
    fn add_options(
        &mut self,
        parts: &[PositionId],
        limit: usize,
        threads: usize,
        sorted: bool,
        branches: &mut Branches,
    ) -> Result<(), Fault> {
        let each = chunk::<R>(parts.len(), if self.ruleset.is_serial() { 1 } else { threads });
        if parts.len() > each {
            return self.add_options_by_threads(parts.chunks(each), limit, sorted, branches);
        }
        for &part in parts {
            let options = options_within(&self.ruleset, self.positions.get(part), limit)?;
            for Move { to, kind } in options {
                let added = self.ruleset.add_parts(to, &mut self.left);
                if added.is_err() {
                    self.left.clear();
                }
                added?;
                for part in self.left.drain(..) {
                    branches.leave(self.positions.number(part));
                }
                branches.end_option(kind);
            }
            end(branches, sorted);
        }
        Ok(())
    }

    /// The same by several threads. Positions are numbered in the same order, up to the same fault.
    fn add_options_by_threads(
        &mut self,
        chunks: std::slice::Chunks<'_, PositionId>,
        limit: usize,
        sorted: bool,
        branches: &mut Branches,
    ) -> Result<(), Fault> {
        let (ruleset, positions) = (&self.ruleset, &self.positions);
        let found = side_by_side(chunks, |chunk| {
            let mut found = Vec::new();
            let mut all = chunk.iter().map(|&part| positions.get(part));
            let ended = all.try_for_each(|part| add_found(ruleset, part, limit, &mut found));
            (found, ended)
        });
        for (found, ended) in found {
            for next in found {
                match next {
                    Event::Left(part) => branches.leave(self.positions.number(part)),
                    Event::Option(kind) => branches.end_option(kind),
                    Event::Part => end(branches, sorted),
                }
            }
            ended?;
        }
        Ok(())
    }
}

/// What a thread finds, in order: the parts that options leave, the ends of options and those of parts.
enum Event<P> {
    Left(P),
    Option(Kind),
    Part,
}

/// Adds the options of a part.
fn add_found<R: Notation + Shortcuts>(
    ruleset: &R,
    part: &R::Position,
    limit: usize,
    found: &mut Vec<Event<R::Position>>,
) -> Result<(), Fault> {
    let mut left = Vec::new();
    for Move { to, kind } in options_within(ruleset, part, limit)? {
        ruleset.add_parts(to, &mut left)?;
        found.extend(left.drain(..).map(Event::Left));
        found.push(Event::Option(kind));
    }
    found.push(Event::Part);
    Ok(())
}

/// How many parts a thread takes at least. Positions without a heap of their own are found faster than
/// they are handed over, so one thread takes them all.
fn chunk<R: Ruleset>(parts: usize, threads: usize) -> usize {
    /// Below this, starting a thread costs more than it saves.
    const LEAST_EACH: usize = 64;
    if !std::mem::needs_drop::<R::Position>() {
        return parts;
    }
    parts.div_ceil(threads.max(1)).max(LEAST_EACH)
}

/// Ends the options of a part.
fn end(branches: &mut Branches, sorted: bool) {
    if sorted { branches.end_sorted_part() } else { branches.end_part() }
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
        let mut branches = Branches::default();
        self.add_options(parts, limit, threads, false, &mut branches)?;
        Ok(branches.lists())
    }

    fn expand_into(
        &mut self,
        parts: &[PositionId],
        limit: usize,
        threads: usize,
        branches: &mut Branches,
    ) -> Result<(), Fault> {
        self.add_options(parts, limit, threads, true, branches)
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
    ) -> Result<Option<super::Found>, Interrupted> {
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
