//! Positions whose options are recalled, where they were computed before.
//!
//! What costs time in most games is the rules: what the options of a position are, into which parts
//! they split, and what the canonical form of each is. [`Remembered`] stands between a ruleset and
//! the explorer and recalls just that from a [`Memory`](super::memory::Memory): for each part its
//! options, as text. Everything after it, the theory, the values and the turns, is computed again,
//! in exactly the way without a memory, since parts get the same numbers in the same order. So
//! there is no second way to an answer that could go wrong, and no theory has to know about it.
//! Values of parts were not kept instead, since a turn needs more than them: the measure that
//! falls, and the options themselves.
//!
//! **What an entry is.** An exploration is one entry: the texts of its positions, and for each its
//! options in the order of the ruleset. It is kept once all followers are known. Each of its
//! positions, or the first 65,536 of them, has an entry of its own that leads to it, so an
//! exploration is found from its start, from any follower, and from any sum that has one of them as
//! a component. Positions of an exploration that is kept already are not kept twice. While nothing
//! is found, the program asks the memory for the first positions, and later for one in sixteen.
//!
//! **When it is believed.** Before an exploration is relied on, the options of the position that
//! led to it are computed by the rules as well; if they differ, the memory is of other rules, and
//! nothing of it is used. A text must be read as the position that it was written for. This is
//! checked before it is kept, so that a notation that says too little costs the memory and not the
//! answer.
//!
//! Entries belong to the name of the ruleset with its parameters and to the checksum of all files
//! that the ruleset was made from. The file belongs to a version of the program and to
//! [`MEANING`](super::memory::MEANING), which is raised whenever rules, canonical forms or
//! notations change.

mod exploration;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Branch, Fault, Kind, NotationError, PositionId, Positions, Sequence};
use crate::impartial::nimbers::NimberSet;
use crate::impartial::value::EntailingValue;
use crate::limits::{Interrupted, Work};
use crate::ruleset::memory::Memory;

use exploration::{Found, Recalled};

/// Positions with a memory.
///
/// ```
/// # use std::collections::HashMap;
/// # use std::sync::Mutex;
/// # use nimoon::ruleset::memory::Memory;
/// # #[derive(Default)]
/// # struct Library(Mutex<HashMap<Vec<u8>, Box<[u8]>>>);
/// # impl Memory for Library {
/// #     fn recall(&self, ruleset: &str, key: &[u8]) -> Option<Box<[u8]>> {
/// #         self.0.lock().unwrap().get(&[ruleset.as_bytes(), key].concat()).cloned()
/// #     }
/// #     fn keep(&self, ruleset: &str, key: &[u8], value: &[u8]) {
/// #         self.0.lock().unwrap().insert([ruleset.as_bytes(), key].concat(), value.into());
/// #     }
/// # }
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use nimoon::{Notation, Ruleset, Shortcuts, notation::NotationError};
/// use nimoon::ruleset::{Interned, Move, Positions, Remembered};
///
/// /// Take any number of tokens; counts the calls of the rules.
/// struct Nim(Arc<AtomicUsize>);
///
/// impl Ruleset for Nim {
///     type Position = u64;
///     fn name(&self) -> String {
///         "nim".into()
///     }
///     fn options(&self, heap: &u64) -> impl Iterator<Item = Move<u64>> {
///         self.0.fetch_add(1, Ordering::Relaxed);
///         (0..*heap).map(Move::to)
///     }
///     fn read(&self, text: &str) -> Result<u64, NotationError> {
///         text.parse().map_err(|_| NotationError::at(0, "expected a number"))
///     }
///     fn write(&self, heap: &u64) -> String {
///         heap.to_string()
///     }
/// }
/// impl Notation for Nim {}
/// impl Shortcuts for Nim {}
///
/// let calls = Arc::new(AtomicUsize::new(0));
/// let memory: Arc<dyn Memory> = Arc::new(Library::default());
/// let explore = || {
///     let nim = Box::new(Interned::new(Nim(Arc::clone(&calls))));
///     let mut nim = Remembered::new(nim, Arc::clone(&memory), "");
///     let heaps: Vec<_> = (0..=50).rev().map(|heap| nim.read(&heap.to_string()).unwrap()).collect();
///     nim.expand(&heaps, 100, 1).unwrap()
/// };
/// let (first, before) = (explore(), calls.load(Ordering::Relaxed));
/// assert_eq!(before, 51);
/// // The rules are called once more, for the first heap.
/// assert_eq!((explore(), calls.load(Ordering::Relaxed)), (first, 52));
/// ```
pub struct Remembered {
    positions: Box<dyn Positions>,
    memory: Arc<dyn Memory>,
    /// The ruleset, as the memory knows it.
    name: String,
    /// For each position, where its options are known from.
    known: Vec<Source>,
    /// What was found by the rules and is not kept yet.
    found: Found,
    recalled: Vec<(Recalled, Vec<PositionId>)>,
    /// The explorations that were recalled, by their keys; none for those that are of no use.
    by_key: FxHashMap<Box<[u8]>, Option<u32>>,
    /// Positions that were met, and of which the options are not yet known.
    open: usize,
    /// How often the memory had nothing.
    misses: usize,
    /// Whether the memory is of other rules, or texts do not say what a position is.
    useless: bool,
    /// Fewer positions are not kept.
    least: usize,
}

/// Where the options of a position are known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// It was not met so far.
    Unmet,
    /// It was met as a part of an option.
    Met,
    /// The same, and its options were recalled: the exploration, and the place in it.
    Recalled(u32, u32),
    /// They were recalled or kept, and used.
    Used(u32, u32),
    /// They were found by the rules, and have this place there.
    Found(u32),
}

const UNNUMBERED: PositionId = PositionId::MAX;

/// Fewer positions are explored faster than they are recalled.
const LEAST_KEPT: usize = 32;

/// As many positions lead to an exploration, the first ones; of larger ones an eighth. Those that
/// come later are close to the end of play.
const MOST_KEYS: usize = 1 << 16;

/// What the keys of positions and of explorations begin with.
const POSITION: u8 = b'p';
const EXPLORATION: u8 = b'e';

impl Remembered {
    /// Gives positions a memory. `rules` distinguishes rulesets of one name, as a checksum of the
    /// files that the rules come from does.
    pub fn new(mut positions: Box<dyn Positions>, memory: Arc<dyn Memory>, rules: &str) -> Self {
        positions.remember(Arc::clone(&memory));
        let name = format!("{}\texplored\t{rules}", positions.name());
        Self {
            positions,
            memory,
            name,
            known: Vec::new(),
            found: Found::default(),
            recalled: Vec::new(),
            by_key: FxHashMap::default(),
            open: 0,
            misses: 0,
            useless: false,
            least: LEAST_KEPT,
        }
    }

    /// Keeps explorations of at least this many positions. By default those of few are not kept,
    /// since they are explored faster than they are recalled.
    #[must_use]
    pub fn keeping_from(mut self, least: usize) -> Self {
        self.least = least.max(1);
        self
    }

    fn source(&self, position: PositionId) -> Source {
        self.known.get(position as usize).copied().unwrap_or(Source::Unmet)
    }

    fn set(&mut self, position: PositionId, source: Source) {
        let place = position as usize;
        if self.known.len() <= place {
            self.known.resize(place + 1, Source::Unmet);
        }
        self.known[place] = source;
    }

    /// Takes note that positions are parts of options.
    fn meet(&mut self, options: &[Branch]) {
        for &part in options.iter().flat_map(|option| &option.parts) {
            if self.source(part) == Source::Unmet {
                self.set(part, Source::Met);
                self.open += 1;
            }
        }
    }

    /// Looks for the options of a position in the memory, if that is worth its time.
    fn look_up(&mut self, position: PositionId) -> Option<(u32, u32)> {
        /// At least so many times it is worth it, and later once for so many that were found.
        const TRIES: usize = 64;
        const SHARE: usize = 16;
        if self.useless || self.misses > TRIES + self.found.positions.len() / SHARE {
            return None;
        }
        let text = self.positions.record(position);
        let key = [&[POSITION], text.as_bytes()].concat();
        let found = self.memory.recall(&self.name, &key).and_then(|entry| {
            let (place, key) = entry.split_first_chunk::<4>()?;
            let number = self.exploration(key)?;
            let place = u32::from_le_bytes(*place);
            let (recalled, _) = &self.recalled[number as usize];
            let is_meant = recalled.text(place as usize) == Some(&text);
            (is_meant && recalled.is_expanded(place as usize)).then_some((number, place))
        });
        if found.is_none() {
            self.misses += 1;
        }
        found
    }

    /// The number of the exploration with this key.
    fn exploration(&mut self, key: &[u8]) -> Option<u32> {
        if let Some(&number) = self.by_key.get(key) {
            return number;
        }
        let bytes = self.memory.recall(&self.name, key);
        let number = bytes.and_then(Recalled::new).map(|recalled| {
            let numbers = vec![UNNUMBERED; recalled.len()];
            self.recalled.push((recalled, numbers));
            self.recalled.len() as u32 - 1
        });
        self.by_key.insert(key.into(), number);
        number
    }

    /// The options of a position by an exploration, numbered as the rules would number them; and
    /// how many there are with equal ones.
    fn replayed(&mut self, number: u32, place: u32) -> Option<(usize, Vec<Branch>)> {
        let (recalled, numbers) = &mut self.recalled[number as usize];
        let (count, mut options) = recalled.options(place as usize)?;
        let mut new = Vec::new();
        for part in options.iter_mut().flat_map(|option| &mut option.parts) {
            let place = *part;
            let known = &mut numbers[place as usize];
            if *known == UNNUMBERED {
                *known = self.positions.restore(recalled.text(place as usize)?)?;
                if recalled.is_expanded(place as usize) {
                    new.push((*known, place));
                }
            }
            *part = *known;
        }
        self.meet(&options);
        for (position, place) in new {
            if self.source(position) == Source::Met {
                self.set(position, Source::Recalled(number, place));
            }
        }
        Some((count, options))
    }

    /// Where the options of a position are known from, perhaps after a look into the memory.
    fn known(&mut self, position: PositionId) -> Option<Source> {
        match self.source(position) {
            found @ Source::Found(_) => Some(found),
            _ if self.useless => None,
            Source::Unmet | Source::Met => {
                self.look_up(position).map(|(number, place)| Source::Recalled(number, place))
            }
            recalled => Some(recalled),
        }
    }

    /// The options of a position that are known.
    fn options_from(
        &mut self,
        known: Source,
        position: PositionId,
        limit: usize,
    ) -> Result<Vec<Branch>, Fault> {
        let (count, options) = match known {
            Source::Found(place) => self.found.options(place as usize),
            Source::Recalled(number, place) | Source::Used(number, place) => {
                let is_new = matches!(self.source(position), Source::Unmet | Source::Met);
                let by_rules = if is_new { Some(self.compared(position, limit)?) } else { None };
                match self.replayed(number, place) {
                    Some(replayed) if by_rules.is_none_or(|by_rules| by_rules == replayed) => {
                        self.recalled[number as usize].1[place as usize] = position;
                        self.settle(position, Source::Used(number, place));
                        replayed
                    }
                    _ => {
                        self.useless = true;
                        return Ok(self.by_rules(&[position], limit, 1)?.remove(0));
                    }
                }
            }
            Source::Unmet | Source::Met => {
                return Ok(self.by_rules(&[position], limit, 1)?.remove(0));
            }
        };
        if count > limit { Err(Fault::TooMany { limit }) } else { Ok(options) }
    }

    /// The options of a position by the rules, in the form in which they are recalled.
    fn compared(
        &mut self,
        position: PositionId,
        limit: usize,
    ) -> Result<(usize, Vec<Branch>), Fault> {
        let mut found = Found::default();
        for options in self.positions.listed(&[position], limit, 1)? {
            found.add(position, &options);
        }
        Ok(found.options(0))
    }

    /// The options of positions by the rules, of which note is taken.
    fn by_rules(
        &mut self,
        positions: &[PositionId],
        limit: usize,
        threads: usize,
    ) -> Result<Vec<Vec<Branch>>, Fault> {
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        let listed = self.positions.listed(positions, limit, threads)?;
        for (&position, options) in positions.iter().zip(&listed) {
            if !matches!(self.source(position), Source::Found(_) | Source::Used(..)) {
                let place = self.found.positions.len() as u32;
                self.found.add(position, options);
                self.settle(position, Source::Found(place));
                self.meet(options);
            }
        }
        Ok(listed)
    }

    /// Takes note that the options of a position are known.
    fn settle(&mut self, position: PositionId, source: Source) {
        if matches!(self.source(position), Source::Met | Source::Recalled(..)) {
            self.open -= 1;
        }
        self.set(position, source);
    }

    /// Keeps what was found, once all followers are known.
    fn keep(&mut self) {
        if self.open > 0 || self.useless || self.found.positions.len() < self.least {
            return;
        }
        let (bytes, met) = self.found.encoded(|position| self.positions.record(position));
        // What a text does not say would be lost: then nothing is kept.
        let Some(recalled) = Recalled::new(bytes.clone().into()) else { return };
        for (place, &position) in met.iter().enumerate() {
            let text = recalled.text(place).unwrap_or_default();
            if self.positions.restore(text) != Some(position) {
                self.useless = true;
                return;
            }
        }
        let key = [&[EXPLORATION][..], &sum(&bytes).to_le_bytes()].concat();
        self.memory.keep(&self.name, &key, &bytes);
        let expanded = self.found.positions.len();
        for place in 0..expanded.min(MOST_KEYS.max(expanded / 8)) {
            let text = recalled.text(place).unwrap_or_default();
            let entry = [&(place as u32).to_le_bytes()[..], &key].concat();
            self.memory.keep(&self.name, &[&[POSITION], text.as_bytes()].concat(), &entry);
        }
        // The rest of the run takes its options from what was kept.
        let number = self.recalled.len() as u32;
        for (place, &position) in met.iter().enumerate().take(expanded) {
            self.set(position, Source::Used(number, place as u32));
        }
        self.recalled.push((recalled, met));
        self.by_key.insert(key.into(), Some(number));
        self.found = Found::default();
    }
}

impl Positions for Remembered {
    fn name(&self) -> &str {
        self.positions.name()
    }

    fn len(&self) -> usize {
        self.positions.len()
    }

    fn read(&mut self, text: &str) -> Result<PositionId, NotationError> {
        self.positions.read(text)
    }

    fn text(&self, position: PositionId) -> String {
        self.positions.text(position)
    }

    fn record(&self, position: PositionId) -> String {
        self.positions.record(position)
    }

    fn restore(&mut self, text: &str) -> Option<PositionId> {
        self.positions.restore(text)
    }

    fn parts(&mut self, position: PositionId) -> Vec<PositionId> {
        self.positions.parts(position)
    }

    fn has_no_parts(&self, position: PositionId) -> bool {
        self.positions.has_no_parts(position)
    }

    fn try_parts(&mut self, position: PositionId) -> Result<Vec<PositionId>, Fault> {
        self.positions.try_parts(position)
    }

    fn canonical(&mut self, part: PositionId) -> PositionId {
        self.positions.canonical(part)
    }

    fn options(
        &mut self,
        position: PositionId,
        limit: usize,
    ) -> Result<Vec<(Kind, PositionId)>, Fault> {
        self.positions.options(position, limit)
    }

    /// As by the rules, but equal options may be listed once.
    fn listed(
        &mut self,
        parts: &[PositionId],
        limit: usize,
        threads: usize,
    ) -> Result<Vec<Vec<Branch>>, Fault> {
        let mut listed = Vec::with_capacity(parts.len());
        let mut unknown = Vec::new();
        for &position in parts {
            let Some(known) = self.known(position) else {
                unknown.push(position);
                continue;
            };
            // Positions are numbered in the order of the parts whose options they are.
            listed.extend(self.by_rules(&unknown, limit, threads)?);
            unknown.clear();
            listed.push(self.options_from(known, position, limit)?);
        }
        listed.extend(self.by_rules(&unknown, limit, threads)?);
        self.keep();
        Ok(listed)
    }

    fn words(&self, position: PositionId, number: usize, kind: Kind, to: PositionId) -> String {
        self.positions.words(position, number, kind, to)
    }

    fn board(&self, position: PositionId) -> String {
        self.positions.board(position)
    }

    fn size(&self, position: PositionId) -> usize {
        self.positions.size(position)
    }

    fn theorem(&self, part: PositionId) -> Option<EntailingValue> {
        self.positions.theorem(part)
    }

    fn theorem_due(&self, part: PositionId) -> Option<NimberSet> {
        self.positions.theorem_due(part)
    }

    fn winning_option(
        &mut self,
        part: PositionId,
        beside: EntailingValue,
    ) -> Option<(usize, Kind, PositionId)> {
        self.positions.winning_option(part, beside)
    }

    fn can_search(&self, part: PositionId) -> bool {
        self.positions.can_search(part)
    }

    fn search(
        &self,
        part: PositionId,
        nimber: Option<u64>,
        work: &mut Work,
    ) -> Result<Option<super::Found>, Interrupted> {
        self.positions.search(part, nimber, work)
    }

    fn remember(&mut self, memory: Arc<dyn Memory>) {
        self.positions.remember(memory);
    }

    fn work_within(&mut self, work: &Work) {
        self.positions.work_within(work);
    }

    fn is_short(&self, position: PositionId) -> bool {
        self.positions.is_short(position)
    }

    fn must_be_answered(&self, position: PositionId) -> bool {
        self.positions.must_be_answered(position)
    }

    fn sequence(&self) -> Option<Box<dyn Sequence>> {
        self.positions.sequence()
    }
}

/// A checksum that identifies explorations: FNV-1a.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
