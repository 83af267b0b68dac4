//! The explorer: from positions of rulesets to all their followers.
//!
//! Positions are kept as *parts*: what a move leaves is split into independent components, each in
//! its canonical form, and each part is expanded once. So a ruleset that splits into components
//! costs as much as its single components, and not as much as their products: Kayles with 5,000
//! pins is 5,001 parts and not the partitions of 5,000. What the options leave stands beside them
//! as a list of parts, to be read as a sum.
//!
//! ```text
//!   kayles:4 ──► 3, 2, 1 + 2, 1 + 1, …      parts: 4, 3, 2, 1, 0
//! ```
//!
//! [`digraph`] makes a game digraph of what was explored; [`parts`] finds values part by part.
//!
//! - *Dead parts* count nothing in a sum and are dropped, but for one: a part that must be answered
//!   and has no moves is lost for the player to move.
//! - *Leaves.* Where a theorem or a search of the ruleset gives the value of a part, the part may
//!   be a leaf of the exploration; [`solution`](crate::solve::solution) says when.
//! - *Size.* An option of more than 256 bytes counts for several
//!   ([`Shortcuts::size`](crate::Shortcuts::size)), so that a budget of positions bounds the memory
//!   too.

pub mod digraph;
pub mod parts;
mod search;

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::count::counted;
use crate::impartial::value::EntailingValue;
use crate::limits::{Interrupted, Progress, Work, threads};
use crate::ruleset::{Branch, Branches, Fault, Kind, PositionId, Positions};

pub(crate) use search::for_searches;

/// The number of a part: one component of a position, in its canonical form.
pub type Part = u32;

/// The number of a ruleset among those that stand side by side.
pub type Field = u16;

/// Why exploring stopped early.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExploreError {
    /// A limit was hit, or the work was cancelled.
    #[error(
        "{interrupted}: {met} met, {expanded} expanded, {options} found",
        met = counted(*.met as u64, "position"),
        options = counted(*.options as u64, "option")
    )]
    Interrupted {
        /// Parts whose options are known.
        expanded: usize,
        /// Parts that were met.
        met: usize,
        /// Options that were found.
        options: usize,
        /// Which limit it was.
        interrupted: Interrupted,
    },
    /// The rules failed.
    #[error("{position}: {message}")]
    Rules {
        /// The ruleset.
        position: String,
        /// What it said.
        message: String,
    },
    /// The rules hit a limit of their own.
    #[error("{position}: {message}")]
    Limit {
        /// The ruleset.
        position: String,
        /// What it said.
        message: String,
    },
}

impl ExploreError {
    /// What ended it, if it was not the rules.
    pub fn interrupted(&self) -> Option<Interrupted> {
        match self {
            Self::Interrupted { interrupted, .. } => Some(*interrupted),
            Self::Rules { .. } | Self::Limit { .. } => None,
        }
    }
}

/// Positions of rulesets, split into parts, with all their options.
pub struct Exploration {
    fields: Vec<Box<dyn Positions>>,
    /// Where each part is from.
    parts: Vec<(Field, PositionId)>,
    /// For each ruleset, the part of each of its positions.
    numbers: Vec<Vec<Part>>,
    /// For each expanded part, its first option; one more at the end.
    first_option: Vec<u32>,
    /// For each option, its kind and the first of the parts that it leaves; one more at the end.
    options: Vec<(Kind, u32)>,
    left: Vec<Part>,
    /// Rulesets whose values a theorem or a search gives and whose parts need not be expanded.
    by_theorem: Vec<bool>,
    /// For each part that was visited, whether it was left unexpanded.
    leaves: Vec<bool>,
    /// Whether there are parts that are known by searches alone, or have to be.
    may_search: bool,
    /// Values that searches have found.
    found: FxHashMap<Part, EntailingValue>,
    /// The memory that the positions take, roughly.
    bytes: u64,
    /// Room for the options of each ruleset that were found last.
    branches: Vec<Branches>,
}

const NO_PART: Part = Part::MAX;

/// How many options may be met for each position of the budget.
pub(crate) const OPTIONS_PER_POSITION: u64 = 16;

/// What a part takes in memory beside its position: its place, its number and that in the list of its
/// ruleset.
const PART_BYTES: u64 = 48;

/// The most options of one position: each takes some hundred bytes until it is numbered.
const MOST_OF_ONE: usize = 1 << 22;

/// An option that takes more bytes counts for several.
const BYTES_OF_OPTION: usize = 256;

/// The options that are computed before the next check of the budget, roughly.
const BATCH_OPTIONS: usize = 1 << 16;
const BATCH_PARTS: usize = 1 << 12;

impl Exploration {
    /// Nothing explored so far.
    pub fn new(fields: Vec<Box<dyn Positions>>) -> Self {
        let numbers = vec![Vec::new(); fields.len()];
        let by_theorem = vec![false; fields.len()];
        Self {
            fields,
            parts: Vec::new(),
            numbers,
            first_option: vec![0],
            options: Vec::new(),
            left: Vec::new(),
            by_theorem,
            leaves: Vec::new(),
            may_search: false,
            found: FxHashMap::default(),
            bytes: 0,
            branches: Vec::new(),
        }
    }

    /// The ruleset with this number.
    pub fn field(&self, field: Field) -> &dyn Positions {
        &*self.fields[usize::from(field)]
    }

    /// The ruleset with this number, to read or follow positions.
    pub fn field_mut(&mut self, field: Field) -> &mut dyn Positions {
        &mut *self.fields[usize::from(field)]
    }

    /// Gives the rulesets back, with all positions they have met.
    pub fn into_fields(self) -> Vec<Box<dyn Positions>> {
        self.fields
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there is no part.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Where a part is from.
    pub fn position(&self, part: Part) -> (Field, PositionId) {
        self.parts[part as usize]
    }

    /// Leaves the parts of this ruleset that a theorem or a search gives a value without expanding
    /// them.
    pub fn trust_theorems(&mut self, field: Field) {
        self.by_theorem[usize::from(field)] = true;
    }

    /// Whether all parts are expanded: none is known by a theorem or a search alone.
    pub fn is_complete(&self) -> bool {
        !self.leaves.contains(&true)
    }

    /// Whether the parts that are known by a theorem or a search alone have only ordinary moves below them.
    pub fn leaves_are_short(&self) -> bool {
        let leaves = self.leaves.iter().zip(&self.parts).filter(|(leaf, _)| **leaf);
        leaves.into_iter().all(|(_, &(field, position))| self.field(field).is_short(position))
    }

    /// The number of a canonical position.
    pub(crate) fn number(&mut self, field: Field, canonical: PositionId) -> Part {
        let numbers = &mut self.numbers[usize::from(field)];
        let place = canonical as usize;
        if numbers.len() <= place {
            numbers.resize(place + 1, NO_PART);
        }
        if numbers[place] == NO_PART {
            numbers[place] = self.parts.len() as Part;
            self.parts.push((field, canonical));
            let size = self.fields[usize::from(field)].size(canonical) as u64;
            self.bytes += PART_BYTES + size;
        }
        self.numbers[usize::from(field)][place]
    }

    /// The part of a single component.
    pub fn part(&mut self, field: Field, component: PositionId) -> Part {
        let canonical = self.field_mut(field).canonical(component);
        self.number(field, canonical)
    }

    /// Whether the options of a part are known.
    pub(crate) fn is_expanded(&self, part: Part) -> bool {
        self.leaves.get(part as usize) == Some(&false)
    }

    /// The options of an expanded part: of which kind, and the parts that are left; parts without
    /// options are not listed.
    pub fn options(&self, part: Part) -> impl Iterator<Item = (Kind, &[Part])> {
        let [first, end] = [0, 1].map(|k| self.first_option[part as usize + k] as usize);
        (first..end).map(|option| self.option(option))
    }

    fn option(&self, option: usize) -> (Kind, &[Part]) {
        let (kind, first) = self.options[option];
        let end = self.options.get(option + 1).map_or(self.left.len(), |&(_, end)| end as usize);
        (kind, &self.left[first as usize..end])
    }

    /// Whether an expanded part has no options.
    pub fn is_dead(&self, part: Part) -> bool {
        self.is_expanded(part)
            && self.first_option[part as usize] == self.first_option[part as usize + 1]
    }

    /// Whether some option leaves several parts that have options.
    pub(crate) fn splits(&self) -> bool {
        self.all_options().any(|(_, left)| left.len() > 1)
    }

    /// All the options that were found.
    pub(crate) fn all_options(&self) -> impl Iterator<Item = (Kind, &[Part])> {
        (0..self.options.len()).map(|option| self.option(option))
    }

    /// Expands everything that can be reached from the parts met so far.
    ///
    /// # Errors
    /// When the work is interrupted, or the rules fail.
    pub fn explore(&mut self, work: &Work) -> Result<(), ExploreError> {
        let limits = work.limits();
        let threads = threads::count();
        let most_options = limits.positions.saturating_mul(OPTIONS_PER_POSITION);
        let most_options = most_options.min(u64::from(u32::MAX) / 4) as usize;
        self.work_within(work);
        let first_new = self.options.len();
        let (mut batch, mut spent) = (1, self.options.len());
        while self.first_option.len() <= self.parts.len() {
            let expanded = self.first_option.len() - 1;
            let (met, options) = (self.parts.len(), self.options.len());
            let interrupted =
                |interrupted| ExploreError::Interrupted { expanded, met, options, interrupted };
            work.report(Progress::Exploring { expanded, met, options }).map_err(interrupted)?;
            work.hold(self.bytes()).map_err(interrupted)?;
            let over = interrupted(work.over(None));
            if met as u64 > limits.positions {
                return Err(over);
            }
            let start = expanded;
            let end = met.min(start + batch);
            // Options are as large as what they are options of, or smaller.
            let (field, position) = self.parts[start];
            let weight = (self.field(field).size(position) / BYTES_OF_OPTION).max(1);
            let room = most_options.saturating_sub(spent) / weight;
            self.expand(start..end, room, threads).map_err(|(field, fault)| match fault {
                Fault::TooMany { .. } => over,
                Fault::Interrupted(ended) => interrupted(ended),
                Fault::Rules(message) => {
                    ExploreError::Rules { position: self.field(field).name().to_owned(), message }
                }
                Fault::Limit(message) => {
                    ExploreError::Limit { position: self.field(field).name().to_owned(), message }
                }
            })?;
            let found = self.options.len() - options;
            spent = spent.saturating_add(found.saturating_mul(weight));
            let each = (found / (end - start) + 1).saturating_mul(weight);
            batch = (BATCH_OPTIONS / each).clamp(1, BATCH_PARTS).min(2 * batch);
        }
        self.forget_dead_parts(first_new);
        Ok(())
    }

    /// Lets the rulesets answer within this work.
    pub(crate) fn work_within(&mut self, work: &Work) {
        for field in &mut self.fields {
            field.work_within(work);
        }
    }

    /// What all that was explored takes in memory, roughly.
    fn bytes(&self) -> u64 {
        self.bytes + 8 * self.options.len() as u64 + 4 * self.left.len() as u64
    }

    /// Expands these parts, the next ones in order.
    fn expand(
        &mut self,
        range: std::ops::Range<usize>,
        room: usize,
        threads: usize,
    ) -> Result<(), (Field, Fault)> {
        let mut by_field: Vec<Vec<PositionId>> = vec![Vec::new(); self.fields.len()];
        for part in range.clone() {
            let (field, position) = self.parts[part];
            let by_theorem = self.by_theorem[usize::from(field)];
            let searched = by_theorem && self.field(field).can_search(position);
            let leaf = searched || by_theorem && self.field(field).theorem(position).is_some();
            self.leaves.push(leaf);
            self.may_search |= searched;
            if !leaf {
                by_field[usize::from(field)].push(position);
            }
        }
        let mut answers = std::mem::take(&mut self.branches);
        answers.resize_with(by_field.len(), Branches::default);
        for ((field, positions), answers) in by_field.iter().enumerate().zip(&mut answers) {
            let most = room.min(MOST_OF_ONE);
            answers.clear();
            self.fields[field]
                .expand_into(positions, most, threads, answers)
                .map_err(|fault| (field as Field, fault))?;
        }
        let mut room = room;
        let mut next = vec![0; by_field.len()];
        for part in range {
            let (field, _) = self.parts[part];
            if !self.leaves[part] {
                let (answers, next) = (&answers[usize::from(field)], &mut next[usize::from(field)]);
                room = room
                    .checked_sub(answers.count(*next))
                    .ok_or((field, Fault::TooMany { limit: room }))?;
                for (kind, parts) in answers.of(*next) {
                    self.options.push((kind, self.left.len() as u32));
                    for &position in parts {
                        let left = self.number(field, position);
                        self.left.push(left);
                    }
                }
                *next += 1;
            }
            self.first_option.push(self.options.len() as u32);
        }
        self.branches = answers;
        Ok(())
    }

    /// Parts without options count nothing in a sum: they are left out.
    fn forget_dead_parts(&mut self, first_option: usize) {
        let Some(&(_, first_left)) = self.options.get(first_option) else { return };
        let (mut read, mut written) = (first_left as usize, first_left as usize);
        for option in first_option..self.options.len() {
            let end =
                self.options.get(option + 1).map_or(self.left.len(), |&(_, end)| end as usize);
            let start = written;
            self.options[option].1 = start as u32;
            for place in read..end {
                let part = self.left[place];
                if !self.is_dead(part) {
                    self.left[written] = part;
                    written += 1;
                }
            }
            self.left[start..written].sort_unstable();
            read = end;
        }
        self.left.truncate(written);
    }

    /// These parts in order, without those that have no options.
    pub fn normal(&self, mut parts: Vec<Part>) -> Vec<Part> {
        parts.retain(|&part| !self.is_dead(part));
        parts.sort_unstable();
        parts
    }

    /// The options of a part that is known by a theorem or a search alone, computed again.
    ///
    /// # Errors
    /// When there are more than `limit`, or the rules fail.
    pub(crate) fn options_of_leaf(
        &mut self,
        part: Part,
        limit: usize,
    ) -> Result<Vec<(Kind, Vec<Part>)>, Fault> {
        let (field, position) = self.parts[part as usize];
        let expanded = self.field_mut(field).expand(&[position], limit, 1)?;
        let branches = expanded.into_iter().flatten().map(|Branch { kind, parts }| {
            let mut parts: Vec<_> =
                parts.into_iter().map(|position| self.number(field, position)).collect();
            parts.sort_unstable();
            (kind, parts)
        });
        Ok(branches.collect())
    }
}
