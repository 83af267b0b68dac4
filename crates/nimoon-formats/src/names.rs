//! Names of nodes, kept beside the digraph.
//!
//! Most large digraphs have whole numbers for names. Such names are kept as numbers, with a table
//! from number to node: eight bytes a node when the numbers are dense. As soon as one name is not
//! a number below 2³² in plain decimal notation, all are kept as text: end to end in one string,
//! with a hash table of nodes that looks into that string, so that no name is stored twice.
//!
//! Readers look names up in batches with one hash each: first the places in the table of all of
//! them, then the bounds of the names found there, then their text, so that a batch waits for
//! memory together. A DOT file may say something that depends on the nodes before it, so there the
//! names that wait are looked up first.

mod order;
mod table;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::hash::Hasher as _;
use std::hint::black_box;

use nimoon::Node;
use rustc_hash::FxHasher;

use table::NodeTable;

/// Marks a number that names no node. A digraph has at most `Node::MAX` nodes, so that this is
/// never one of them.
const NO_NODE: Node = Node::MAX;

/// How many names are best looked up together, see [`Names::try_intern_all`].
pub(crate) const BATCH: usize = 32;

/// The names of the nodes of a digraph, all different, in the order of the nodes.
///
/// ```
/// use nimoon_formats::Names;
/// let mut names: Names = ["7", "12"].into_iter().collect();
/// assert_eq!(names.node("12"), Some(1));
/// assert_eq!(names.intern("start"), 2);
/// assert_eq!(names.name(0), "7");
/// assert_eq!(names.node("07"), None);
/// ```
#[derive(Clone, Debug)]
pub struct Names {
    store: Store,
    /// Numbers below this get a place in a table even while there are few names.
    dense_below: u32,
}

#[derive(Clone, Debug)]
enum Store {
    Numbers { numbers: Vec<u32>, index: NumberIndex },
    Text(Text),
}

/// From a number to the node it names.
#[derive(Clone, Debug)]
enum NumberIndex {
    Dense(Vec<Node>),
    Sparse(NodeTable),
}

#[derive(Clone, Debug, Default)]
struct Text {
    joined: String,
    /// `ends[v]` is where the name of `v` ends and the next begins.
    ends: Vec<u32>,
    index: NodeTable,
}

/// Mixes the bits of a number, no two numbers to the same hash (the last steps of `MurmurHash3`).
fn hash_number(number: u32) -> u32 {
    let mut hash = number;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85EB_CA6B);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xC2B2_AE35);
    hash ^ (hash >> 16)
}

/// The hash of a name that is not a number.
#[inline]
pub(crate) fn hash_text(name: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    (hasher.finish().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

/// The number that `name` denotes, if it is how that number is written: digits only, no zero in
/// front.
fn canonical_number(name: &str) -> Option<u32> {
    let bytes = name.as_bytes();
    match bytes {
        [b'0'] => Some(0),
        [b'1'..=b'9', rest @ ..] if rest.len() < 10 && rest.iter().all(u8::is_ascii_digit) => {
            name.parse().ok()
        }
        _ => None,
    }
}

impl Text {
    fn name(&self, node: Node) -> &str {
        slice(&self.joined, &self.ends, node)
    }

    fn node(&self, name: &str) -> Option<Node> {
        self.index.find(hash_text(name), |node| self.name(node) == name)
    }

    /// The hashes of a batch of names, and the first node with each hash, or [`NO_NODE`]. All that
    /// comparing the names needs has been fetched from memory then.
    #[inline]
    fn look_up(&self, batch: usize, hash: impl Fn(usize) -> u32) -> ([u32; BATCH], [Node; BATCH]) {
        let Self { joined, ends, index } = self;
        let (mut hashes, mut nodes) = ([0; BATCH], [NO_NODE; BATCH]);
        let mut slots = 0;
        for (i, of) in hashes[..batch].iter_mut().enumerate() {
            *of = hash(i);
            slots ^= index.peek(*of);
        }
        black_box(slots);
        for (node, &hash) in nodes.iter_mut().zip(&hashes[..batch]) {
            *node = index.find_hash(hash).unwrap_or(NO_NODE);
        }
        let mut places = [0; BATCH];
        for (place, &node) in places.iter_mut().zip(&nodes[..batch]) {
            *place = ends.get(node as usize).copied().unwrap_or_default();
        }
        let mut last = 0;
        for &place in &places[..batch] {
            last ^= joined.as_bytes().get((place as usize).saturating_sub(1)).copied().unwrap_or(0);
        }
        black_box(last);
        (hashes, nodes)
    }

    fn try_intern(&mut self, name: &str) -> Option<Node> {
        self.try_intern_hashed(name, hash_text(name))
    }

    fn try_intern_hashed(&mut self, name: &str, hash: u32) -> Option<Node> {
        let Self { joined, ends, index } = self;
        if let Some(node) = index.find(hash, |node| slice(joined, ends, node) == name) {
            return Some(node);
        }
        if ends.len() >= NO_NODE as usize {
            return None;
        }
        let end = u32::try_from(joined.len() + name.len()).ok()?;
        let node = ends.len() as Node;
        joined.push_str(name);
        ends.push(end);
        index.insert(hash, node);
        Some(node)
    }
}

/// The node that a number names, which gets the next one if it is new and in the table.
#[inline]
fn node_or_next(table: &mut [Node], numbers: &mut Vec<u32>, number: u32) -> Option<Node> {
    let node = table.get_mut(number as usize)?;
    if *node == NO_NODE {
        if numbers.len() >= NO_NODE as usize {
            return None;
        }
        *node = numbers.len() as Node;
        numbers.push(number);
    }
    Some(*node)
}

#[inline]
fn slice<'a>(text: &'a str, ends: &[u32], node: Node) -> &'a str {
    let node = node as usize;
    let start = if node == 0 { 0 } else { ends[node - 1] as usize };
    &text[start..ends[node] as usize]
}

impl Names {
    /// No names yet, of a digraph to be read from a text of this many bytes.
    ///
    /// The length of the text bounds what may be spent on a table of numbers before it is known
    /// how many nodes there are: at most as many bytes as the text has.
    pub fn for_text_of(bytes: usize) -> Self {
        Self { dense_below: u32::try_from(bytes / 4).unwrap_or(u32::MAX), ..Self::default() }
    }

    /// The names `0`, `1`, … of `len` nodes.
    ///
    /// ```
    /// use nimoon_formats::Names;
    /// assert_eq!(Names::numbered(3), ["0", "1", "2"].into_iter().collect());
    /// ```
    pub fn numbered(len: Node) -> Self {
        Self {
            store: Store::Numbers {
                numbers: (0..len).collect(),
                index: NumberIndex::Dense((0..len).collect()),
            },
            dense_below: 0,
        }
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        match &self.store {
            Store::Numbers { numbers, .. } => numbers.len(),
            Store::Text(text) => text.ends.len(),
        }
    }

    /// What they take in memory, roughly, without room for more.
    pub(crate) fn bytes(&self) -> usize {
        /// Where a name ends, and its place in a table that is at most half empty.
        const EACH: usize = 12;
        match &self.store {
            Store::Numbers { numbers, .. } => EACH * numbers.len(),
            Store::Text(text) => EACH * text.ends.len() + text.joined.len(),
        }
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of a node.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn name(&self, node: Node) -> Cow<'_, str> {
        match &self.store {
            Store::Numbers { numbers, .. } => Cow::Owned(numbers[node as usize].to_string()),
            Store::Text(text) => Cow::Borrowed(text.name(node)),
        }
    }

    /// All names in the order of the nodes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Cow<'_, str>> {
        (0..self.len()).map(|node| self.name(node as Node))
    }

    /// The node with this name.
    pub fn node(&self, name: &str) -> Option<Node> {
        match &self.store {
            Store::Numbers { .. } => self.node_of_number(canonical_number(name)?),
            Store::Text(text) => text.node(name),
        }
    }

    /// The node whose name is this number.
    pub(crate) fn node_of_number(&self, number: u32) -> Option<Node> {
        match &self.store {
            Store::Numbers { index: NumberIndex::Dense(table), .. } => {
                table.get(number as usize).copied().filter(|&node| node != NO_NODE)
            }
            // Different numbers have different hashes.
            Store::Numbers { index: NumberIndex::Sparse(table), .. } => {
                table.find(hash_number(number), |_| true)
            }
            Store::Text(text) => text.node(&number.to_string()),
        }
    }

    /// Whether all names are numbers so far.
    pub(crate) fn are_numbers(&self) -> bool {
        matches!(self.store, Store::Numbers { .. })
    }

    /// The node with this name, which gets the next number if the name is new.
    ///
    /// # Panics
    /// When there are more names than nodes can be counted, or 4 GiB of text. See
    /// [`Names::try_intern`].
    pub fn intern(&mut self, name: &str) -> Node {
        self.try_intern(name).expect("more names than a digraph can have nodes")
    }

    /// As [`Names::intern`], but `None` when the name is new and there is no room for it: there
    /// are `Node::MAX` names already, or their text would exceed 4 GiB.
    #[inline]
    pub fn try_intern(&mut self, name: &str) -> Option<Node> {
        if let Store::Numbers { .. } = self.store {
            if let Some(number) = canonical_number(name) {
                return self.try_intern_number(number);
            }
            self.turn_into_text()?;
        }
        match &mut self.store {
            Store::Text(text) => text.try_intern(name),
            Store::Numbers { .. } => None,
        }
    }

    /// As [`Names::try_intern`] for a name that is a number.
    #[inline]
    pub(crate) fn try_intern_number(&mut self, number: u32) -> Option<Node> {
        if let Store::Numbers { index: NumberIndex::Dense(table), .. } = &self.store
            && let Some(&node) = table.get(number as usize)
            && node != NO_NODE
        {
            return Some(node);
        }
        self.try_intern_number_slowly(number)
    }

    fn try_intern_number_slowly(&mut self, number: u32) -> Option<Node> {
        let (numbers, index) = match &mut self.store {
            Store::Numbers { numbers, index } => (numbers, index),
            Store::Text(text) => return text.try_intern(&number.to_string()),
        };
        if numbers.len() >= NO_NODE as usize {
            return None;
        }
        let node = numbers.len() as Node;
        if let NumberIndex::Dense(table) = index
            && number as usize >= table.len()
        {
            let fair = (self.dense_below as usize).max(2 * numbers.len() + 1024);
            if (number as usize) < fair {
                // Room for twice the number, so that growing numbers do not mean a copy each.
                let room = (2 * (number as usize + 1)).clamp(64, fair);
                table.reserve_exact(room.saturating_sub(table.len()));
                table.resize(number as usize + 1, NO_NODE);
            } else {
                let mut sparse = NodeTable::default();
                sparse.reserve(numbers.len() + 1);
                for (node, &number) in numbers.iter().enumerate() {
                    sparse.insert(hash_number(number), node as Node);
                }
                *index = NumberIndex::Sparse(sparse);
            }
        }
        match index {
            NumberIndex::Dense(table) => {
                table[number as usize] = node;
                numbers.push(number);
            }
            NumberIndex::Sparse(table) => {
                let hash = hash_number(number);
                if let Some(node) = table.find(hash, |_| true) {
                    return Some(node);
                }
                numbers.push(number);
                table.insert(hash, node);
            }
        }
        Some(node)
    }

    /// As [`Names::try_intern`] for many names, each with its [`hash_text`], which is computed only
    /// where it is needed; the nodes are given to `each` in the order of the names. False, at the
    /// first name for which there is no room.
    ///
    /// One by one, lookups among a million names wait for memory three times each: for the table,
    /// for the bounds of the name and for its text. In batches they wait together, which makes
    /// reading such names two to three times as fast.
    pub(crate) fn try_intern_all<'a>(
        &mut self,
        count: usize,
        name: impl Fn(usize) -> &'a str,
        hash: impl Fn(usize) -> u32,
        mut each: impl FnMut(usize, Option<Node>) -> bool,
    ) -> bool {
        let mut done = 0;
        while done < count && self.are_numbers() {
            let node = self.try_intern(name(done));
            if !each(done, node) {
                return false;
            }
            done += 1;
        }
        let Store::Text(text) = &mut self.store else {
            return true;
        };
        while done < count {
            let batch = BATCH.min(count - done);
            let (hashes, nodes) = text.look_up(batch, |i| hash(done + i));
            for i in 0..batch {
                let name = name(done + i);
                // The table may have changed since, but a name that was there still is.
                let node = match nodes[i] {
                    NO_NODE => text.try_intern_hashed(name, hashes[i]),
                    node if text.name(node) == name => Some(node),
                    _ => text.try_intern_hashed(name, hashes[i]),
                };
                if !each(done + i, node) {
                    return false;
                }
            }
            done += batch;
        }
        true
    }

    /// As [`Names::try_intern`] for the two ends of each of these arcs, that are numbers; the arcs
    /// between nodes are added to `arcs`. False, at the first number for which there is no room.
    pub(crate) fn try_intern_arcs(
        &mut self,
        numbers: &[(u32, u32)],
        arcs: &mut Vec<(Node, Node)>,
    ) -> bool {
        arcs.reserve(numbers.len());
        let mut rest = numbers;
        while !rest.is_empty() {
            if let Store::Numbers { index: NumberIndex::Dense(table), numbers: all } =
                &mut self.store
            {
                let mut known = 0;
                for &(from, to) in rest {
                    let Some(from) = node_or_next(table, all, from) else { break };
                    let Some(to) = node_or_next(table, all, to) else { break };
                    arcs.push((from, to));
                    known += 1;
                }
                rest = &rest[known..];
            }
            let Some((&(from, to), others)) = rest.split_first() else { break };
            let Some(from) = self.try_intern_number(from) else { return false };
            let Some(to) = self.try_intern_number(to) else { return false };
            arcs.push((from, to));
            rest = others;
        }
        true
    }

    /// Keeps names as text from now on; the nodes stay.
    fn turn_into_text(&mut self) -> Option<()> {
        let Store::Numbers { numbers, .. } = &self.store else {
            return Some(());
        };
        let mut text = Text::default();
        text.ends.reserve(numbers.len() + 1);
        for &number in numbers {
            // Writing to a string does not fail.
            let _ = write!(text.joined, "{number}");
            text.ends.push(u32::try_from(text.joined.len()).ok()?);
        }
        let Text { joined, ends, index } = &mut text;
        index.reserve(ends.len() + 1);
        for node in 0..ends.len() as Node {
            index.insert(hash_text(slice(joined, ends, node)), node);
        }
        self.store = Store::Text(text);
        Some(())
    }

    /// Gives back the memory kept for further names.
    pub fn shrink_to_fit(&mut self) {
        match &mut self.store {
            Store::Numbers { numbers, index } => {
                numbers.shrink_to_fit();
                match index {
                    NumberIndex::Dense(table) => table.shrink_to_fit(),
                    NumberIndex::Sparse(table) => table.shrink_to_fit(),
                }
            }
            Store::Text(Text { joined, ends, index }) => {
                joined.shrink_to_fit();
                ends.shrink_to_fit();
                index.shrink_to_fit();
            }
        }
    }

    /// The number of bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        match &self.store {
            Store::Numbers { numbers, index } => {
                4 * numbers.capacity()
                    + match index {
                        NumberIndex::Dense(table) => 4 * table.capacity(),
                        NumberIndex::Sparse(table) => table.heap_bytes(),
                    }
            }
            Store::Text(Text { joined, ends, index }) => {
                joined.capacity() + 4 * ends.capacity() + index.heap_bytes()
            }
        }
    }
}

impl Default for Names {
    fn default() -> Self {
        let store = Store::Numbers { numbers: Vec::new(), index: NumberIndex::Dense(Vec::new()) };
        Self { store, dense_below: 0 }
    }
}

impl PartialEq for Names {
    /// The same names in the same order.
    fn eq(&self, other: &Self) -> bool {
        match (&self.store, &other.store) {
            (Store::Numbers { numbers: a, .. }, Store::Numbers { numbers: b, .. }) => a == b,
            (Store::Text(a), Store::Text(b)) => a.ends == b.ends && a.joined == b.joined,
            _ => self.iter().eq(other.iter()),
        }
    }
}

impl Eq for Names {}

impl<S: AsRef<str>> FromIterator<S> for Names {
    /// Equal names are taken as one.
    fn from_iter<I: IntoIterator<Item = S>>(iter: I) -> Self {
        let mut names = Self::default();
        for name in iter {
            names.intern(name.as_ref());
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_decimal_notation_is_a_number() {
        for (name, number) in [
            ("0", Some(0)),
            ("10", Some(10)),
            ("4294967295", Some(u32::MAX)),
            ("4294967296", None),
            ("99999999999", None),
            ("00", None),
            ("01", None),
            ("+1", None),
            ("-1", None),
            ("", None),
            ("1a", None),
            ("١", None),
        ] {
            assert_eq!(canonical_number(name), number, "{name}");
        }
    }

    #[test]
    fn numbers_that_turn_into_text_keep_their_nodes() {
        let mut names = Names::default();
        let given = ["5", "0", "4294967295", "70000", "a", "05", "5", "", "0", "é", "a"];
        let nodes: Vec<_> = given.iter().map(|name| names.intern(name)).collect();
        assert_eq!(nodes, [0, 1, 2, 3, 4, 5, 0, 6, 1, 7, 4]);
        for (name, node) in given.iter().zip(nodes) {
            assert_eq!(names.node(name), Some(node));
            assert_eq!(names.name(node), *name);
        }
        assert_eq!(names.node("b"), None);
        assert!(!names.are_numbers());
    }

    #[test]
    fn dense_and_sparse_numbers_are_distinguished() {
        for step in [1_u32, 3, 4000] {
            let mut names = Names::default();
            let number = |i: u32| ((i * 617) % 1000) * step;
            for i in 0..1000 {
                assert_eq!(names.intern(&number(i).to_string()), i);
            }
            for i in 0..1000 {
                assert_eq!(names.intern(&number(i).to_string()), i);
                assert_eq!(names.node_of_number(number(i)), Some(i));
                assert_eq!(names.name(i), number(i).to_string());
            }
            assert_eq!(names.node_of_number(1000 * step), None);
            assert_eq!(names.node("-1"), None);
        }
    }

    #[test]
    fn names_are_equal_however_they_are_kept() {
        let mut text: Names = ["1", "x"].into_iter().collect();
        let mut other: Names = ["1"].into_iter().collect();
        assert_ne!(text, other);
        other.intern("x");
        assert_eq!(text, other);
        text.shrink_to_fit();
        assert_eq!(text.node("x"), Some(1));
        assert_eq!(text, other);
    }

    #[test]
    fn a_million_numbers_take_eight_bytes_each() {
        let count = 1_000_000_u32;
        let mut names = Names::for_text_of(4_000_000 * 14);
        for i in 0..count {
            names.try_intern_number((u64::from(i) * 617_357 % u64::from(count)) as u32);
        }
        names.shrink_to_fit();
        assert_eq!(names.len(), count as usize);
        assert_eq!(names.heap_bytes(), 8 * count as usize);
    }
}
