//! What is known of positions, by their codes, in a limited amount of memory.
//!
//! Entries are added to a young half. When that is full it becomes the old half, the old half is
//! forgotten, and a new young half begins; what is found in the old half is added to the young one
//! again. So what was used lately stays, whole codes are kept, and no two positions are ever taken
//! for each other.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What is known of the value of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known(u8);

impl Known {
    const EXACT: u8 = 0x80;

    /// The value is this.
    pub(super) fn value(value: u8) -> Self {
        Self(Self::EXACT | value)
    }

    /// The value, if it is known.
    pub(super) fn exact(self) -> Option<u8> {
        (self.0 & Self::EXACT != 0).then_some(self.0 & !Self::EXACT)
    }

    /// Whether the value is known not to be this.
    pub(super) fn excludes(self, value: u8) -> bool {
        match self.exact() {
            Some(exact) => exact != value,
            None => value < 7 && self.0 >> value & 1 == 1,
        }
    }

    /// The same, and that the value is not this; what does not fit is left out.
    #[must_use]
    pub(super) fn but_not(self, value: u8) -> Self {
        if self.exact().is_some() || value >= 7 { self } else { Self(self.0 | 1 << value) }
    }

    /// Both together.
    #[must_use]
    pub(super) fn with(self, other: Self) -> Self {
        match (self.exact(), other.exact()) {
            (Some(_), _) => self,
            (None, Some(_)) => other,
            (None, None) => Self(self.0 | other.0),
        }
    }

    /// As a byte, for keeping.
    pub(super) fn byte(self) -> u8 {
        self.0
    }

    /// From a byte that was kept.
    pub(super) fn from_byte(byte: u8) -> Self {
        Self(byte)
    }
}

/// A mixed number for a code.
pub(super) fn hash(code: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = code.len() as u64;
    let mut add = |word: u64| {
        hash = (hash ^ word).wrapping_mul(FACTOR);
        hash ^= hash >> 29;
    };
    let (words, rest) = code.as_chunks::<8>();
    for word in words {
        add(u64::from_le_bytes(*word));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    add(u64::from_le_bytes(last));
    hash = hash.wrapping_mul(FACTOR);
    hash ^ hash >> 32
}

/// One half: entries end to end, and where they are.
#[derive(Debug, Default)]
struct Half {
    /// What is known, the length of the code and the code, for each entry.
    entries: Vec<u8>,
    /// The place of an entry plus one, above it 32 bits of its hash; 0 is free.
    slots: Vec<u64>,
    count: usize,
}

impl Half {
    const PLACE: u64 = u64::MAX >> 32;

    fn find(&self, hash: u64, code: &[u8]) -> Option<usize> {
        let last = self.slots.len().checked_sub(1)?;
        let mark = hash >> 32;
        let mut at = mark as usize & last;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if slot >> 32 == mark {
                let place = (slot & Self::PLACE) as usize - 1;
                if usize::from(self.entries[place + 1]) == code.len()
                    && self.entries[place + 2..place + 2 + code.len()] == *code
                {
                    return Some(place);
                }
            }
            at = (at + 1) & last;
        }
    }

    fn add(&mut self, hash: u64, code: &[u8], known: Known) {
        if (self.count + 1) * 4 > self.slots.len() * 3 {
            let more = vec![0; (self.slots.len() * 2).max(64)];
            for slot in std::mem::replace(&mut self.slots, more) {
                if slot != 0 {
                    self.occupy(slot);
                }
            }
        }
        self.occupy(hash >> 32 << 32 | (self.entries.len() as u64 + 1));
        self.entries.extend_from_slice(&[known.byte(), code.len() as u8]);
        self.entries.extend_from_slice(code);
        self.count += 1;
    }

    fn occupy(&mut self, slot: u64) {
        let last = self.slots.len() - 1;
        let mut at = (slot >> 32) as usize & last;
        while self.slots[at] != 0 {
            at = (at + 1) & last;
        }
        self.slots[at] = slot;
    }

    fn bytes(&self) -> usize {
        self.entries.len() + 8 * self.slots.len()
    }
}

#[derive(Debug, Default)]
struct Shelf {
    young: Half,
    old: Half,
}

impl Shelf {
    fn get(&mut self, hash: u64, code: &[u8], most: usize) -> Known {
        if let Some(place) = self.young.find(hash, code) {
            return Known(self.young.entries[place]);
        }
        let Some(place) = self.old.find(hash, code) else { return Known::default() };
        let known = Known(self.old.entries[place]);
        self.add(hash, code, known, most);
        known
    }

    fn put(&mut self, hash: u64, code: &[u8], known: Known, most: usize) {
        match self.young.find(hash, code) {
            Some(place) => {
                let both = known.with(Known(self.young.entries[place]));
                self.young.entries[place] = both.byte();
            }
            None => self.add(hash, code, known, most),
        }
    }

    fn add(&mut self, hash: u64, code: &[u8], known: Known, most: usize) {
        if self.young.bytes() + code.len() + 2 > most {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.add(hash, code, known);
    }
}

/// What is known of positions, for several threads.
#[derive(Debug)]
pub(super) struct Table {
    shelves: Box<[Mutex<Shelf>]>,
    /// How many bytes it was made for.
    bytes: usize,
    /// How many bytes a half of a shelf may take.
    most: AtomicUsize,
}

impl Table {
    const SHELVES: usize = 256;

    /// An empty table that will take at most so many bytes, and little as long as it has little in
    /// it.
    pub(super) fn new(bytes: usize) -> Self {
        let shelves = (0..Self::SHELVES).map(|_| Mutex::default()).collect();
        Self { shelves, bytes, most: AtomicUsize::new(Self::most_of_half(bytes)) }
    }

    fn most_of_half(bytes: usize) -> usize {
        // Where entries lie end to end the list of them may have twice the room that it needs, and
        // growing takes half as much again.
        (bytes / Self::SHELVES / 4).min(u32::MAX as usize)
    }

    /// Takes no more than so many bytes from now on, nor more than it was made for. What is there
    /// already goes as new entries come.
    pub(super) fn keep_within(&self, bytes: u64) {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).min(self.bytes);
        self.most.store(Self::most_of_half(bytes), Ordering::Relaxed);
    }

    fn most(&self) -> usize {
        self.most.load(Ordering::Relaxed)
    }

    fn shelf(&self, hash: u64) -> std::sync::MutexGuard<'_, Shelf> {
        let shelf = &self.shelves[hash as usize % Self::SHELVES];
        shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, hash: u64, code: &[u8]) -> Known {
        self.shelf(hash).get(hash, code, self.most())
    }

    /// Adds what is known to what was known; codes take less than 256 bytes.
    pub(super) fn put(&self, hash: u64, code: &[u8], known: Known) {
        self.shelf(hash).put(hash, code, known, self.most());
    }

    /// How many positions are in it, and how much of its memory it takes, in percent: as far as
    /// one shelf tells, since hashes fill all alike.
    pub(super) fn filled(&self) -> (u64, u8) {
        let shelf = self.shelf(0);
        let bytes = shelf.young.bytes() + shelf.old.bytes();
        let count = (shelf.young.count + shelf.old.count) as u64 * Self::SHELVES as u64;
        (count, (bytes * 100 / (2 * self.most()).max(1)).min(100) as u8)
    }

    /// How many positions are in it.
    pub(super) fn len(&self) -> usize {
        let lock = |shelf: &Mutex<Shelf>| {
            let shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
            shelf.young.count + shelf.old.count
        };
        self.shelves.iter().map(lock).sum()
    }
}
