//! Rows of nodes, stored end to end.

use std::ops::Range;

use super::Node;
use crate::graph::partition::Cut;

/// A place in the list of all entries: in four bytes where that is enough, which saves a good part
/// of the cache misses of looking up rows in no order.
trait Place: Copy + Default + Send {
    fn of(place: usize) -> Self;
    fn get(self) -> usize;
}

impl Place for u32 {
    #[inline]
    fn of(place: usize) -> Self {
        place as Self
    }

    #[inline]
    fn get(self) -> usize {
        self as usize
    }
}

impl Place for u64 {
    #[inline]
    fn of(place: usize) -> Self {
        place as Self
    }

    #[inline]
    fn get(self) -> usize {
        self as usize
    }
}

/// Where rows start and end.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Starts {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Starts {
    #[inline]
    fn get(&self, i: usize) -> usize {
        match self {
            Self::Narrow(starts) => starts[i].get(),
            Self::Wide(starts) => starts[i].get(),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Narrow(starts) => starts.len(),
            Self::Wide(starts) => starts.len(),
        }
    }
}

/// How many rows are looked up at a time.
pub(crate) const GATHERED: usize = 64;

/// Reads what will be needed soon, so that it is in the cache by then.
#[inline]
pub(crate) fn touch(values: impl Iterator<Item = u32>) {
    std::hint::black_box(values.fold(0, |all, value| all ^ value));
}

/// Arcs, those of some thousand neighbouring sources together.
struct Heaps {
    /// The number of sources of a heap is 2 to this power.
    shift: u32,
    /// Where the heaps end.
    ends: Vec<usize>,
    arcs: Vec<(Node, Node)>,
}

impl Heaps {
    /// At least 4096 sources a heap, at most 1024 heaps.
    fn shift(len: usize) -> u32 {
        (usize::BITS - (len >> 10).leading_zeros()).max(12)
    }

    fn count(len: usize) -> usize {
        (len >> Self::shift(len)) + 1
    }

    /// Brings the arcs of neighbouring sources together, keeping their order.
    fn new<I: Iterator<Item = (Node, Node)>>(len: usize, arcs: impl Fn() -> I) -> Self {
        let shift = Self::shift(len);
        let mut ends = vec![0_usize; Self::count(len)];
        arcs().for_each(|(from, _)| ends[from as usize >> shift] += 1);
        let mut total = 0;
        for end in &mut ends {
            let start = total;
            total += *end;
            *end = start;
        }
        let mut heaped = vec![(0, 0); total];
        arcs().for_each(|arc: (Node, Node)| {
            let end = &mut ends[arc.0 as usize >> shift];
            heaped[*end] = arc;
            *end += 1;
        });
        Self { shift, ends, arcs: heaped }
    }

    fn heap(&self, i: usize) -> &[(Node, Node)] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.arcs[start..self.ends[i]]
    }
}

/// Rows of nodes, one per node, stored end to end (compressed sparse rows).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    starts: Starts,
    nodes: Vec<Node>,
}

impl Rows {
    /// Sorts arcs into one row per source, keeping the order within a row.
    ///
    /// Arcs come in no order that a cache could guess, so those of a few thousand neighbouring
    /// sources are first brought together, and then each such heap is sorted where it fits the
    /// cache: half the time of sorting at once, for a million nodes.
    ///
    /// ```
    /// use nimoon::graph::digraph::Rows;
    /// let rows = Rows::new(3, || [(2, 0), (0, 1), (2, 1)].into_iter());
    /// assert_eq!(rows.row(2), [0, 1]);
    /// ```
    pub fn new<I: Iterator<Item = (Node, Node)>>(len: usize, arcs: impl Fn() -> I) -> Self {
        if Heaps::count(len) == 1 {
            return Self::small(len, false, &arcs);
        }
        Self::from_heaps(len, &[Heaps::new(len, arcs)], false, Cut::ALONE)
    }

    /// The same by several threads, for arcs in parts.
    pub(crate) fn of_parts<P: Send, I: Iterator<Item = (Node, Node)>>(
        len: usize,
        parts: Vec<P>,
        arcs: impl Fn(&P) -> I + Sync + Send,
        cut: Cut,
    ) -> Self {
        if Heaps::count(len) == 1 && cut.threads == 1 {
            return Self::small(len, false, &|| parts.iter().flat_map(&arcs));
        }
        let heaps = cut.each(parts, |part| Heaps::new(len, || arcs(&part)));
        Self::from_heaps(len, &heaps, false, cut)
    }

    /// The same for lists of arcs, each of which is given back when it has been sorted.
    pub(crate) fn of_lists(len: usize, lists: Vec<Vec<(Node, Node)>>, cut: Cut) -> Self {
        if Heaps::count(len) == 1 && cut.threads == 1 {
            return Self::small(len, false, &|| lists.iter().flatten().copied());
        }
        let heaps = cut.each(lists, |list| Heaps::new(len, || list.iter().copied()));
        Self::from_heaps(len, &heaps, false, cut)
    }

    /// Sorts a list of arcs by several threads and keeps the first of equal ones.
    pub(crate) fn of_list(len: usize, arcs: Vec<(Node, Node)>, cut: Cut) -> Self {
        if Heaps::count(len) == 1 && cut.threads == 1 {
            return Self::small(len, true, &|| arcs.iter().copied());
        }
        let heaps = cut.each(cut.ranges(arcs.len()), |part| {
            Heaps::new(len, || arcs[part.clone()].iter().copied())
        });
        drop(arcs);
        Self::from_heaps(len, &heaps, true, cut)
    }

    /// Sorts arcs that fit the cache.
    fn small<I: Iterator<Item = (Node, Node)>>(
        len: usize,
        unique: bool,
        arcs: &impl Fn() -> I,
    ) -> Self {
        let total = arcs().count();
        if u32::try_from(total).is_err() {
            return Self::from_heaps(len, &[Heaps::new(len, arcs)], unique, Cut::ALONE);
        }
        let mut starts = vec![0_u32; len + 1];
        let mut nodes = vec![0; total];
        let mut piece = Piece::new(0, 0, &mut starts[1..], &mut nodes);
        piece.fill(0..len, unique, arcs);
        let kept = piece.kept;
        nodes.truncate(kept);
        Self { nodes, starts: Starts::Narrow(starts) }
    }

    fn from_heaps(len: usize, parts: &[Heaps], unique: bool, cut: Cut) -> Self {
        let total: usize = parts.iter().map(|part| part.arcs.len()).sum();
        if u32::try_from(total).is_ok() {
            let (starts, nodes) = sorted(len, total, parts, unique, cut);
            Self { starts: Starts::Narrow(starts), nodes }
        } else {
            let (starts, nodes) = sorted(len, total, parts, unique, cut);
            Self { starts: Starts::Wide(starts), nodes }
        }
    }

    /// The row of a node.
    #[inline]
    pub fn row(&self, node: Node) -> &[Node] {
        &self.nodes[self.starts.get(node as usize)..self.starts.get(node as usize + 1)]
    }

    /// Hands the entries of the rows of some nodes to `take`, row by row.
    ///
    /// Each row costs two cache misses, for its place and for itself. Doing the same step for many
    /// rows before the next one lets a processor wait for many of them at once: on large digraphs
    /// labelling took less than half the time for it.
    #[inline]
    pub(crate) fn gather(&self, nodes: &[Node], mut take: impl FnMut(&[Node])) {
        let mut spans = [(0, 0); GATHERED];
        for nodes in nodes.chunks(GATHERED) {
            for (span, &node) in spans.iter_mut().zip(nodes) {
                *span = (self.starts.get(node as usize), self.starts.get(node as usize + 1));
            }
            let spans = &spans[..nodes.len()];
            touch(spans.iter().map(|&(start, _)| self.nodes.get(start).copied().unwrap_or(0)));
            for &(start, end) in spans {
                take(&self.nodes[start..end]);
            }
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of entries in all rows.
    pub fn entry_count(&self) -> usize {
        self.nodes.len()
    }

    /// Every pair of a row and an entry of it, row by row.
    pub fn arcs(&self) -> impl Iterator<Item = (Node, Node)> + '_ {
        self.arcs_of(0..self.len())
    }

    /// Every pair of one of these rows and an entry of it, row by row.
    pub(crate) fn arcs_of(&self, rows: Range<usize>) -> impl Iterator<Item = (Node, Node)> + '_ {
        let mut start = self.starts.get(rows.start);
        (rows.start as Node..rows.end as Node).flat_map(move |v| {
            let end = self.starts.get(v as usize + 1);
            let row = &self.nodes[std::mem::replace(&mut start, end)..end];
            row.iter().map(move |&w| (v, w))
        })
    }

    /// The rows of the reversed arcs.
    #[must_use]
    pub fn reversed(&self) -> Self {
        self.reversed_by(Cut::of(self.len(), self.entry_count()))
    }

    pub(crate) fn reversed_by(&self, cut: Cut) -> Self {
        let arcs = |rows: &Range<usize>| self.arcs_of(rows.clone()).map(|(v, w)| (w, v));
        Self::of_parts(self.len(), cut.ranges(self.len()), arcs, cut)
    }
}

/// Rows that are written one after the other.
#[derive(Debug)]
pub(crate) struct RowsInOrder {
    starts: Vec<u32>,
    nodes: Vec<Node>,
}

impl Default for RowsInOrder {
    fn default() -> Self {
        Self { starts: vec![0], nodes: Vec::new() }
    }
}

impl RowsInOrder {
    /// The number of entries in all rows.
    pub(crate) fn entry_count(&self) -> usize {
        self.nodes.len()
    }

    /// Adds an entry to the last row.
    #[inline]
    pub(crate) fn push(&mut self, node: Node) {
        self.nodes.push(node);
    }

    /// Adds an entry to the last row, unless it is there.
    pub(crate) fn push_once(&mut self, node: Node) {
        let start = self.starts.last().map_or(0, |&start| start as usize);
        if !self.nodes[start..].contains(&node) {
            self.nodes.push(node);
        }
    }

    /// Ends the last row. There are fewer than 2^32 entries.
    #[inline]
    pub(crate) fn end_row(&mut self) {
        self.starts.push(self.nodes.len() as u32);
    }

    pub(crate) fn finish(self) -> Rows {
        Rows { starts: Starts::Narrow(self.starts), nodes: self.nodes }
    }
}

/// Neighbouring rows, to be filled.
struct Piece<'a, P> {
    /// The first source, and where its row starts.
    first: usize,
    start: usize,
    /// Where the rows end, one after the other.
    ends: &'a mut [P],
    nodes: &'a mut [Node],
    /// How many of the nodes were given by heaps so far, and how many of them were kept.
    given: usize,
    kept: usize,
    /// For long rows, in which row each node was last seen.
    seen_in: Vec<Node>,
}

impl<'a, P: Place> Piece<'a, P> {
    fn new(first: usize, start: usize, ends: &'a mut [P], nodes: &'a mut [Node]) -> Self {
        Self { first, start, ends, nodes, given: 0, kept: 0, seen_in: Vec::new() }
    }

    /// Sorts the arcs of a heap of sources into their rows; the heaps come in order.
    fn fill<I: Iterator<Item = (Node, Node)>>(
        &mut self,
        sources: Range<usize>,
        unique: bool,
        arcs: &impl Fn() -> I,
    ) {
        let mut places = vec![0_usize; sources.len()];
        arcs().for_each(|(from, _)| places[from as usize - sources.start] += 1);
        let mut end = self.given;
        for place in &mut places {
            let count = std::mem::replace(place, end);
            end += count;
        }
        arcs().for_each(|(from, to)| {
            let place = &mut places[from as usize - sources.start];
            self.nodes[*place] = to;
            *place += 1;
        });
        // Now each place is the end of its row.
        let mut start = std::mem::replace(&mut self.given, end);
        let ends = &mut self.ends[sources.start - self.first..sources.end - self.first];
        for ((source, end), place) in sources.zip(ends).zip(places) {
            if unique {
                let row = start..place;
                start = place;
                self.kept = keep_first(self.nodes, row, self.kept, source, &mut self.seen_in);
                *end = P::of(self.start + self.kept);
            } else {
                *end = P::of(self.start + place);
            }
        }
        if !unique {
            self.kept = self.given;
        }
    }
}

/// Moves a row to `kept`, with the first of equal entries alone, and returns where it ends then.
#[inline]
fn keep_first(
    nodes: &mut [Node],
    row: Range<usize>,
    mut kept: usize,
    source: usize,
    seen_in: &mut Vec<Node>,
) -> usize {
    let row_start = kept;
    let is_short = row.len() <= 16;
    for i in row {
        let target = nodes[i];
        let repeated = if is_short {
            nodes[row_start..kept].contains(&target)
        } else {
            if seen_in.len() <= target as usize {
                seen_in.resize(target as usize + 1, Node::MAX);
            }
            let source = source as Node;
            std::mem::replace(&mut seen_in[target as usize], source) == source
        };
        if !repeated {
            nodes[kept] = target;
            kept += 1;
        }
    }
    kept
}

/// Sorts heaps into rows: where these start, and what is in them.
fn sorted<P: Place>(
    len: usize,
    total: usize,
    parts: &[Heaps],
    unique: bool,
    cut: Cut,
) -> (Vec<P>, Vec<Node>) {
    let (shift, heaps) = (Heaps::shift(len), Heaps::count(len));
    debug_assert!(parts.iter().all(|part| part.shift == shift));
    let mut starts = vec![P::default(); len + 1];
    let mut nodes = vec![0; total];
    let mut pieces = Vec::new();
    let (mut rest_of_ends, mut rest_of_nodes) = (&mut starts[1..], &mut nodes[..]);
    let mut start = 0;
    for heaps in cut.ranges(heaps) {
        let sources = heaps.start << shift..(heaps.end << shift).min(len);
        let entries = heaps.clone().flat_map(|heap| parts.iter().map(move |part| part.heap(heap)));
        let entries: usize = entries.map(<[_]>::len).sum();
        let (ends, after) = rest_of_ends.split_at_mut(sources.len());
        rest_of_ends = after;
        let (here, after) = rest_of_nodes.split_at_mut(entries);
        rest_of_nodes = after;
        pieces.push((heaps, Piece::new(sources.start, start, ends, here)));
        start += entries;
    }
    let kept = cut.each(pieces, |(heaps, mut piece)| {
        for heap in heaps {
            let sources = heap << shift..((heap + 1) << shift).min(len);
            let arcs = || parts.iter().flat_map(|part| part.heap(heap).iter().copied());
            piece.fill(sources, unique, &arcs);
        }
        (piece.first, piece.ends.len(), piece.start, piece.kept)
    });
    // Close the gaps that repetitions have left between the pieces.
    let mut end = 0;
    for (first, rows, start, kept) in kept {
        if end < start {
            nodes.copy_within(start..start + kept, end);
            for place in &mut starts[first + 1..=first + rows] {
                *place = P::of(place.get() - (start - end));
            }
        }
        end += kept;
    }
    nodes.truncate(end);
    (starts, nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows in the plainest way.
    fn plain(len: usize, arcs: &[(Node, Node)], unique: bool) -> Vec<Vec<Node>> {
        let mut rows = vec![Vec::new(); len];
        for &(from, to) in arcs {
            let row: &mut Vec<Node> = &mut rows[from as usize];
            if !unique || !row.contains(&to) {
                row.push(to);
            }
        }
        rows
    }

    #[test]
    fn rows_do_not_depend_on_threads_and_pieces() {
        // Three heaps, some of the rows long, many arcs twice.
        let len = 9000;
        let mut state = 1_u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            ((state >> 33) % n) as Node
        };
        let mut arcs: Vec<(Node, Node)> = (0..20_000).map(|_| (below(9000), below(5))).collect();
        arcs.extend((0..300).map(|_| (8191, below(100))));
        arcs.extend((0..300).map(|_| (4096, 8000 + below(100))));
        for unique in [false, true] {
            let expected = plain(len, &arcs, unique);
            for threads in [1, 2, 3] {
                let cut = Cut { threads, ..Cut::ALONE };
                let parts = cut.ranges(arcs.len());
                let part = |part: &Range<usize>| arcs[part.clone()].iter().copied();
                let rows = if unique {
                    Rows::of_list(len, arcs.clone(), cut)
                } else {
                    let lists = parts.iter().map(|part| arcs[part.clone()].to_vec()).collect();
                    let rows = Rows::of_parts(len, parts, part, cut);
                    assert_eq!(rows, Rows::of_lists(len, lists, cut));
                    rows
                };
                assert!((0..len).all(|v| rows.row(v as Node) == expected[v]), "{threads} threads");
                assert_eq!(rows.entry_count(), expected.iter().map(Vec::len).sum::<usize>());
                let reversed: Vec<(Node, Node)> = rows.arcs().map(|(v, w)| (w, v)).collect();
                let expected = plain(len, &reversed, false);
                let reversed = rows.reversed_by(cut);
                assert!((0..len).all(|v| reversed.row(v as Node) == expected[v]));
            }
        }
    }
}
