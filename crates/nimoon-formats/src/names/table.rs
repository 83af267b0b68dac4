//! A hash table from hashes to nodes.

use nimoon::Node;

/// A hash table of nodes, with 32 bits of hash beside each.
///
/// The names are random places in memory, so that a table that has to look at one for every
/// neighbour of a hash spends its time waiting. Here one access to the table nearly always gives
/// the node. Places are proportional to hashes, so that the table may have any size and is rebuilt
/// in one sweep without reading the names.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeTable {
    /// The hash in the upper half and the node in the lower one, or [`NodeTable::FREE`].
    slots: Vec<u64>,
    len: usize,
}

impl NodeTable {
    const FREE: u64 = u64::MAX;

    #[inline]
    fn start(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    /// The node with this hash for which `is_it` holds.
    #[inline]
    pub(super) fn find(&self, hash: u32, is_it: impl Fn(Node) -> bool) -> Option<Node> {
        let mut place = self.start(hash);
        while let Some(&slot) = self.slots.get(place) {
            if slot == Self::FREE {
                return None;
            }
            if (slot >> 32) as u32 == hash && is_it(slot as Node) {
                return Some(slot as Node);
            }
            place += 1;
            if place == self.slots.len() {
                place = 0;
            }
        }
        None
    }

    /// The first node with this hash, if any; another one may be meant.
    #[inline]
    pub(super) fn find_hash(&self, hash: u32) -> Option<Node> {
        self.find(hash, |_| true)
    }

    /// What is where a search for this hash begins; only to have it fetched from memory.
    #[inline]
    pub(super) fn peek(&self, hash: u32) -> u64 {
        self.slots.get(self.start(hash)).copied().unwrap_or_default()
    }

    /// The number of bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        8 * self.slots.capacity()
    }

    /// Adds a node that is not there.
    pub(super) fn insert(&mut self, hash: u32, node: Node) {
        if 4 * (self.len + 1) > 3 * self.slots.len() {
            self.resize(2 * self.slots.len().max(8));
        }
        self.put(u64::from(hash) << 32 | u64::from(node));
        self.len += 1;
    }

    fn put(&mut self, slot: u64) {
        let mut place = self.start((slot >> 32) as u32);
        while self.slots[place] != Self::FREE {
            place += 1;
            if place == self.slots.len() {
                place = 0;
            }
        }
        self.slots[place] = slot;
    }

    fn resize(&mut self, size: usize) {
        let old = std::mem::replace(&mut self.slots, vec![Self::FREE; size]);
        for slot in old.into_iter().filter(|&slot| slot != Self::FREE) {
            self.put(slot);
        }
    }

    pub(super) fn reserve(&mut self, len: usize) {
        if 4 * len > 3 * self.slots.len() {
            self.resize(4 * len / 3 + 1);
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        let size = 4 * self.len / 3 + 1;
        if size < self.slots.len() {
            self.resize(size);
        }
    }
}
