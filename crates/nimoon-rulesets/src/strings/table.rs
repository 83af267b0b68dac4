//! What is known of positions, by their codes, in a limited amount of memory.
//!
//! Entries are added to a young half. When that is full it becomes the old half, the old half is
//! forgotten, and a new young half begins; what is found in the old half is added to the young one
//! again. So what was used lately stays. Of what is forgotten, the entries that took most work to
//! find are taken over too, as long as they fill no more than a part of the new half. Whole codes
//! are kept, and no two positions are ever taken for each other.

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
pub(super) fn hash_of(code: &[u8]) -> u64 {
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

/// How many positions it took to find something out, as the number of its bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost(u8);

impl Cost {
    const KINDS: usize = 65;

    pub(super) fn of(positions: u64) -> Self {
        Self((u64::BITS - positions.leading_zeros()) as u8)
    }
}

/// One half: entries end to end, and where they are.
#[derive(Debug, Default)]
struct Half {
    /// What is known, the work that it took, the length of the code and the code, for each entry.
    entries: Vec<u8>,
    /// The place of an entry plus one, above it some bits of its hash; 0 is free.
    slots: Vec<u32>,
    count: usize,
}

impl Half {
    /// What stands before each code.
    const HEAD: usize = 3;
    /// How many bits of a slot hold a place.
    const PLACE_BITS: u32 = 23;
    /// No half takes more bytes.
    const MOST: usize = (1 << Self::PLACE_BITS) - 1;

    /// The bits of a hash that stand in a slot; lower ones choose the shard, and the highest ones
    /// the slot.
    fn mark(hash: u64) -> u32 {
        (hash >> 8) as u32 >> Self::PLACE_BITS
    }

    /// The first slot where an entry of this hash may be.
    fn first(&self, hash: u64) -> usize {
        (((hash >> 32) * self.slots.len() as u64) >> 32) as usize
    }

    fn next(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() { 0 } else { at + 1 }
    }

    fn find(&self, hash: u64, code: &[u8]) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let mark = Self::mark(hash);
        let mut at = self.first(hash);
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if slot >> Self::PLACE_BITS == mark {
                let place = (slot & Self::MOST as u32) as usize - 1;
                if self.code(place) == code {
                    return Some(place);
                }
            }
            at = self.next(at);
        }
    }

    fn known(&self, place: usize) -> Known {
        Known(self.entries[place])
    }

    fn work(&self, place: usize) -> Cost {
        Cost(self.entries[place + 1])
    }

    fn code(&self, place: usize) -> &[u8] {
        let start = place + Self::HEAD;
        &self.entries[start..start + usize::from(self.entries[place + 2])]
    }

    /// The places of all entries.
    fn places(&self) -> impl Iterator<Item = usize> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let place = next;
            let length = *self.entries.get(place + 2)?;
            next += Self::HEAD + usize::from(length);
            Some(place)
        })
    }

    fn add(&mut self, hash: u64, code: &[u8], known: Known, work: Cost) {
        let place = self.entries.len();
        // A list that doubles would leave half of its room free.
        if self.entries.capacity() - place < Self::HEAD + code.len() {
            self.entries.reserve_exact((place / 8).max(1024));
        }
        self.entries.extend_from_slice(&[known.byte(), work.0, code.len() as u8]);
        self.entries.extend_from_slice(code);
        self.count += 1;
        if self.count * 5 <= self.slots.len() * 4 {
            self.occupy(hash, place);
            return;
        }
        self.slots = vec![0; (self.slots.len() * 3 / 2).max(64)];
        let places: Vec<_> = self.places().collect();
        for place in places {
            self.occupy(hash_of(self.code(place)), place);
        }
    }

    fn occupy(&mut self, hash: u64, place: usize) {
        let mut at = self.first(hash);
        while self.slots[at] != 0 {
            at = self.next(at);
        }
        self.slots[at] = Self::mark(hash) << Self::PLACE_BITS | (place as u32 + 1);
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() + size_of_val(self.slots.as_slice())
    }

    /// The least work of entries that fill no more than this many bytes together.
    fn least_work(&self, bytes: usize) -> Cost {
        let mut filled = [0; Cost::KINDS];
        for place in self.places() {
            filled[usize::from(self.work(place).0)] += Self::HEAD + self.code(place).len();
        }
        let mut sum = 0;
        let too_much = filled.iter().rposition(|bytes_of_kind| {
            sum += bytes_of_kind;
            sum > bytes
        });
        Cost(too_much.map_or(0, |kind| kind as u8 + 1))
    }
}

#[derive(Debug, Default)]
struct Shard {
    young: Half,
    old: Half,
}

impl Shard {
    fn get(&mut self, hash: u64, code: &[u8], most: usize) -> Known {
        if let Some(place) = self.young.find(hash, code) {
            return self.young.known(place);
        }
        let Some(place) = self.old.find(hash, code) else { return Known::default() };
        let (known, work) = (self.old.known(place), self.old.work(place));
        self.add(hash, code, known, work, most);
        known
    }

    fn put(&mut self, hash: u64, code: &[u8], known: Known, work: Cost, most: usize) {
        match self.young.find(hash, code) {
            Some(place) => {
                let both = known.with(self.young.known(place));
                self.young.entries[place] = both.byte();
                self.young.entries[place + 1] = work.max(self.young.work(place)).0;
            }
            None => self.add(hash, code, known, work, most),
        }
    }

    fn add(&mut self, hash: u64, code: &[u8], known: Known, work: Cost, most: usize) {
        if self.young.bytes() + Half::HEAD + code.len() > most {
            self.age(most);
            // It may be among what was taken over.
            if self.young.find(hash, code).is_some() {
                return self.put(hash, code, known, work, most);
            }
        }
        self.young.add(hash, code, known, work);
    }

    /// Forgets the old half but for what took most work.
    fn age(&mut self, most: usize) {
        let young = std::mem::take(&mut self.young);
        let forgotten = std::mem::replace(&mut self.old, young);
        let least = forgotten.least_work(most / Self::TAKEN_OVER);
        for place in forgotten.places().filter(|&place| forgotten.work(place) >= least) {
            let code = forgotten.code(place);
            let hash = hash_of(code);
            if self.old.find(hash, code).is_none() {
                self.young.add(hash, code, forgotten.known(place), forgotten.work(place));
            }
        }
    }

    /// The part of a half that is taken over when it is forgotten: one in so many bytes.
    const TAKEN_OVER: usize = 4;
}

/// What is known of positions, for several threads.
#[derive(Debug)]
pub(super) struct Table {
    shards: Box<[Mutex<Shard>]>,
    /// How many bytes it was made for.
    bytes: usize,
    /// How many bytes a half of a shard may take.
    most: AtomicUsize,
}

impl Table {
    /// How many shards a table has at least, and how many more where a half could not use its
    /// bytes.
    const SHARDS: usize = 256;

    /// An empty table that will take at most this many bytes, and little as long as it has little
    /// in it.
    pub(super) fn new(bytes: usize) -> Self {
        let shards = (bytes / (2 * Half::MOST)).next_power_of_two().max(Self::SHARDS);
        let shards: Box<[_]> = (0..shards).map(|_| Mutex::default()).collect();
        let most = AtomicUsize::new(Self::most_of_half(bytes, shards.len()));
        Self { shards, bytes, most }
    }

    fn most_of_half(bytes: usize, shards: usize) -> usize {
        // A list may have an eighth more room than it needs, and slots grow by half.
        (bytes / shards / 2 / 5 * 4).min(Half::MOST)
    }

    /// How many bytes it may take now.
    pub(super) fn most_bytes(&self) -> u64 {
        (self.most() * self.shards.len() * 2 / 4 * 5) as u64
    }

    /// Takes no more than this many bytes from now on, nor more than it was made for. What is there
    /// already goes as new entries come.
    pub(super) fn keep_within(&self, bytes: u64) {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).min(self.bytes);
        self.most.store(Self::most_of_half(bytes, self.shards.len()), Ordering::Relaxed);
    }

    fn most(&self) -> usize {
        self.most.load(Ordering::Relaxed)
    }

    fn shard(&self, hash: u64) -> std::sync::MutexGuard<'_, Shard> {
        let shard = &self.shards[hash as usize % self.shards.len()];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, hash: u64, code: &[u8]) -> Known {
        self.shard(hash).get(hash, code, self.most())
    }

    /// Adds what is known to what was known; codes take less than 256 bytes.
    pub(super) fn put(&self, hash: u64, code: &[u8], known: Known, work: Cost) {
        self.shard(hash).put(hash, code, known, work, self.most());
    }

    /// How many positions are in it, and how much of its memory it takes, in percent: estimated
    /// from one shard, since hashes fill all alike.
    pub(super) fn filled(&self) -> (u64, u8) {
        let shard = self.shard(0);
        let bytes = shard.young.bytes() + shard.old.bytes();
        let count = (shard.young.count + shard.old.count) as u64 * self.shards.len() as u64;
        (count, (bytes * 100 / (2 * self.most()).max(1)).min(100) as u8)
    }

    /// How many bytes it takes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let lock = |shard: &Mutex<Shard>| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.young.bytes() + shard.old.bytes()
        };
        self.shards.iter().map(lock).sum()
    }

    /// How many positions are in it.
    pub(super) fn len(&self) -> usize {
        let lock = |shard: &Mutex<Shard>| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.young.count + shard.old.count
        };
        self.shards.iter().map(lock).sum()
    }
}
