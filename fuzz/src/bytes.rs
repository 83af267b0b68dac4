//! Inputs as small numbers.

/// Small numbers from the bytes of an input, and zeros after its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    /// A number below `most`, which is not 0.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        usize::from(self.byte()) % most
    }

    /// A number below `most`, which may be large, and is not 0.
    pub(crate) fn below_large(&mut self, most: usize) -> usize {
        let [high, low] = [self.byte(), self.byte()].map(usize::from);
        (high << 8 | low) % most
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All that is left.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.0
    }
}

/// The input as text, if it is UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// A place in a text that a message points at.
#[track_caller]
pub(crate) fn within(text: &str, at: usize) {
    assert!(at <= text.len(), "byte {at} is beyond the {} bytes of {text:?}", text.len());
}
