//! Which memory is spare. This module handles addresses only; it accesses no memory.

/// Neighbouring addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) len: usize,
}

impl Span {
    const EMPTY: Self = Self { start: 0, len: 0 };

    fn end(self) -> usize {
        self.start + self.len
    }
}

/// Spans in the order of their addresses, with a gap between any two.
#[derive(Debug)]
pub(super) struct Spare {
    spans: [Span; Self::MOST_SPANS],
    count: usize,
    /// The bytes of all spans.
    bytes: usize,
}

impl Spare {
    /// An array, since a list that grows would need memory from here.
    const MOST_SPANS: usize = 64;

    pub(super) const fn new() -> Self {
        Self { spans: [Span::EMPTY; Self::MOST_SPANS], count: 0, bytes: 0 }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    fn spans(&self) -> &[Span] {
        &self.spans[..self.count]
    }

    /// Takes this many bytes from the smallest span that has them, and returns their address.
    pub(super) fn take(&mut self, len: usize) -> Option<usize> {
        let fits = |i: &usize| self.spans[*i].len >= len;
        let i = (0..self.count).filter(fits).min_by_key(|&i| self.spans[i].len)?;
        let Span { start, len: all } = self.spans[i];
        self.spans[i] = Span { start: start + len, len: all - len };
        self.bytes -= len;
        self.remove_if_empty(i);
        Some(start)
    }

    /// Adds a span. If there is no room, returns the smallest one.
    pub(super) fn put(&mut self, span: Span) -> Option<Span> {
        self.bytes += span.len;
        let i = self.spans().partition_point(|other| other.start < span.start);
        let joins_before = i > 0 && self.spans[i - 1].end() == span.start;
        let joins_after = i < self.count && span.end() == self.spans[i].start;
        match (joins_before, joins_after) {
            (true, true) => {
                self.spans[i - 1].len += span.len + self.spans[i].len;
                self.spans[i].len = 0;
                self.remove_if_empty(i);
            }
            (true, false) => self.spans[i - 1].len += span.len,
            (false, true) => {
                self.spans[i] = Span { start: span.start, len: span.len + self.spans[i].len };
            }
            (false, false) if self.count == Self::MOST_SPANS => {
                self.bytes -= span.len;
                if self.spans().iter().all(|other| other.len >= span.len) {
                    return Some(span);
                }
                let smallest = self.give(usize::MAX);
                self.put(span);
                return smallest;
            }
            (false, false) => {
                self.spans.copy_within(i..self.count, i + 1);
                self.spans[i] = span;
                self.count += 1;
            }
        }
        None
    }

    /// Removes a span of at most this many bytes: the smallest one, or its end.
    pub(super) fn give(&mut self, most: usize) -> Option<Span> {
        let i = (0..self.count).min_by_key(|&i| self.spans[i].len).filter(|_| most > 0)?;
        let len = self.spans[i].len.min(most);
        self.spans[i].len -= len;
        self.bytes -= len;
        let given = Span { start: self.spans[i].end(), len };
        self.remove_if_empty(i);
        Some(given)
    }

    fn remove_if_empty(&mut self, i: usize) {
        if self.spans[i].len == 0 {
            self.spans.copy_within(i + 1..self.count, i);
            self.count -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares random sequences of calls with a set of single addresses.
    #[test]
    fn no_byte_is_lost_or_taken_twice() {
        const ALL: usize = 2000;
        let mut state = 1_u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            (state >> 33) as usize % n
        };
        let (mut full, mut given, mut taken) = ([0, 0], 0, 0);
        for _ in 0..20 {
            let mut spare = Spare::new();
            // Whether an address is spare.
            let mut model = vec![false; ALL];
            for _ in 0..2000 {
                let len = 1 + below(9);
                match below(12) {
                    0 => {
                        let runs = |&start: &usize| {
                            model[start..].iter().take_while(|spare| **spare).count() >= len
                        };
                        let can = (0..ALL).any(|start| runs(&start));
                        let found = spare.take(len);
                        assert_eq!(found.is_some(), can);
                        if let Some(start) = found {
                            assert!(model[start..start + len].iter().all(|spare| *spare));
                            model[start..start + len].fill(false);
                            taken += 1;
                        }
                    }
                    1 => {
                        if let Some(span) = spare.give(len) {
                            assert!(span.len <= len && span.len > 0);
                            assert!(model[span.start..span.end()].iter().all(|spare| *spare));
                            model[span.start..span.end()].fill(false);
                            given += 1;
                        } else {
                            assert!(!model.contains(&true));
                        }
                    }
                    _ => {
                        let start = below(ALL - len);
                        if !model[start..start + len].contains(&true) {
                            let span = Span { start, len };
                            let smallest = spare.spans().iter().map(|span| span.len).min();
                            model[start..start + len].fill(true);
                            if let Some(left) = spare.put(span) {
                                assert_eq!(spare.count, Spare::MOST_SPANS);
                                assert_eq!(Some(left.len), smallest.min(Some(len)));
                                assert!(model[left.start..left.end()].iter().all(|spare| *spare));
                                model[left.start..left.end()].fill(false);
                                full[usize::from(left == span)] += 1;
                            }
                        }
                    }
                }
                assert_eq!(spare.bytes(), model.iter().filter(|spare| **spare).count());
                let listed = spare.spans().iter().flat_map(|span| span.start..span.end());
                assert!(listed.eq((0..ALL).filter(|&address| model[address])));
                assert!(spare.spans().windows(2).all(|pair| pair[0].end() < pair[1].start));
            }
        }
        assert!(!full.contains(&0) && given > 0 && taken > 0, "{full:?}, {given}, {taken}");
    }
}
