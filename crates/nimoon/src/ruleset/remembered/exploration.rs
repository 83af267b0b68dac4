//! The options of many positions as bytes, such as a memory can keep.
//!
//! ```text
//! exploration = expanded met text* options*
//! text        = length bytes             for each position that was met: the expanded ones first
//! options     = count different option*  for each that was expanded
//! option      = 3·parts + kind, part*    in the order of the ruleset, each once
//! ```
//!
//! Positions are meant by their place among the texts, and all numbers have seven bits in a byte,
//! low ones first. The count is that of all options, also of equal ones, since a budget may say how
//! many there are at most.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ruleset::{Branch, Kind, PositionId};

const KINDS: [Kind; 3] = [Kind::Ordinary, Kind::Again, Kind::Entailing];

/// The options of positions as they are found, by the numbers of the positions.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The positions, in the order in which they were expanded.
    pub(super) positions: Vec<PositionId>,
    /// Where in `words` the options of each begin.
    starts: Vec<usize>,
    /// For each position, the count of all its options and that of the different ones; for each
    /// of these, three times the number of its parts and its kind, and the parts.
    words: Vec<u32>,
}

impl Found {
    /// Takes in the options of one more position.
    pub(super) fn add(&mut self, position: PositionId, options: &[Branch]) {
        let mut seen: FxHashSet<(Kind, Vec<PositionId>)> = FxHashSet::default();
        self.positions.push(position);
        self.starts.push(self.words.len());
        self.words.push(options.len() as u32);
        let different = self.words.len();
        self.words.push(0);
        for Branch { kind, parts } in options {
            let mut sorted = parts.clone();
            sorted.sort_unstable();
            if seen.insert((*kind, sorted)) {
                self.words[different] += 1;
                self.words.push(3 * parts.len() as u32 + *kind as u32);
                self.words.extend(parts);
            }
        }
    }

    /// The options of the position with this place, and how many there are with equal ones.
    pub(super) fn options(&self, place: usize) -> (usize, Vec<Branch>) {
        let mut words = self.words[self.starts[place]..].iter().copied();
        let mut next = || words.next().unwrap_or_default();
        let (count, different) = (next() as usize, next());
        let options = (0..different).map(|_| {
            let word = next();
            let parts = (0..word / 3).map(|_| next()).collect();
            Branch { kind: KINDS[(word % 3) as usize], parts }
        });
        (count, options.collect())
    }

    /// All of it as bytes, and all positions that are met in it, the expanded ones first.
    pub(super) fn encoded(
        &self,
        text: impl Fn(PositionId) -> String,
    ) -> (Vec<u8>, Vec<PositionId>) {
        let mut met = self.positions.clone();
        let mut places: FxHashMap<PositionId, u32> =
            met.iter().enumerate().map(|(place, &position)| (position, place as u32)).collect();
        let mut options = Vec::new();
        for place in 0..self.positions.len() {
            let (count, different) = self.options(place);
            put(&mut options, count as u32);
            put(&mut options, different.len() as u32);
            for Branch { kind, parts } in different {
                put(&mut options, 3 * parts.len() as u32 + kind as u32);
                for part in parts {
                    let place = *places.entry(part).or_insert_with(|| {
                        met.push(part);
                        met.len() as u32 - 1
                    });
                    put(&mut options, place);
                }
            }
        }
        let mut bytes = Vec::new();
        put(&mut bytes, self.positions.len() as u32);
        put(&mut bytes, met.len() as u32);
        for &position in &met {
            let text = text(position);
            put(&mut bytes, text.len() as u32);
            bytes.extend(text.as_bytes());
        }
        bytes.extend(options);
        (bytes, met)
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number from the front of some bytes.
fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u64;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return u32::try_from(number).ok();
        }
    }
    None
}

/// An exploration that was recalled.
#[derive(Debug)]
pub(super) struct Recalled {
    bytes: Box<[u8]>,
    /// Where the text of each position begins and ends.
    texts: Vec<(u32, u32)>,
    /// Where the options of each expanded position begin.
    options: Vec<u32>,
}

impl Recalled {
    /// Reads an exploration; none if the bytes are not one.
    pub(super) fn new(bytes: Box<[u8]>) -> Option<Self> {
        let length = u32::try_from(bytes.len()).ok()? as usize;
        let mut rest = &*bytes;
        let (expanded, met) = (take(&mut rest)?, take(&mut rest)?);
        // Each text takes a byte at least, and so do the options of each position.
        if expanded > met || met as usize > rest.len() {
            return None;
        }
        let mut texts = Vec::with_capacity(met as usize);
        for _ in 0..met {
            let text_length = take(&mut rest)? as usize;
            let start = length - rest.len();
            std::str::from_utf8(rest.get(..text_length)?).ok()?;
            rest = &rest[text_length..];
            texts.push((start as u32, (length - rest.len()) as u32));
        }
        let mut options = Vec::with_capacity(expanded as usize);
        for _ in 0..expanded {
            options.push((length - rest.len()) as u32);
            let _count = take(&mut rest)?;
            for _ in 0..take(&mut rest)? {
                for _ in 0..take(&mut rest)? / 3 {
                    if take(&mut rest)? >= met {
                        return None;
                    }
                }
            }
        }
        rest.is_empty().then_some(Self { bytes, texts, options })
    }

    /// How many positions are met in it.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether the options of a position are known.
    pub(super) fn is_expanded(&self, place: usize) -> bool {
        place < self.options.len()
    }

    /// The text of a position.
    pub(super) fn text(&self, place: usize) -> Option<&str> {
        let &(start, end) = self.texts.get(place)?;
        std::str::from_utf8(&self.bytes[start as usize..end as usize]).ok()
    }

    /// How many options an expanded position has, also equal ones; and the different ones, with the
    /// places of their parts.
    pub(super) fn options(&self, place: usize) -> Option<(usize, Vec<Branch>)> {
        let mut rest = &self.bytes[*self.options.get(place)? as usize..];
        let (count, different) = (take(&mut rest)?, take(&mut rest)?);
        let options = (0..different).map(|_| {
            let word = take(&mut rest)?;
            let parts = (0..word / 3).map(|_| take(&mut rest)).collect::<Option<_>>()?;
            Some(Branch { kind: KINDS[(word % 3) as usize], parts })
        });
        Some((count as usize, options.collect::<Option<_>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(kind: Kind, parts: &[PositionId]) -> Branch {
        Branch { kind, parts: parts.to_vec() }
    }

    fn sample() -> (Found, Vec<u8>) {
        let mut found = Found::default();
        let again = branch(Kind::Again, &[7, 300]);
        let same = branch(Kind::Again, &[300, 7]);
        found.add(5, &[branch(Kind::Entailing, &[7]), again.clone(), same, again]);
        found.add(7, &[]);
        let (bytes, met) = found.encoded(|position| format!("at {position}"));
        assert_eq!(met, [5, 7, 300]);
        (found, bytes)
    }

    #[test]
    fn what_was_found_is_read_with_equal_options_once_and_in_order() {
        let (found, bytes) = sample();
        let expected = (4, vec![branch(Kind::Entailing, &[7]), branch(Kind::Again, &[7, 300])]);
        assert_eq!(found.options(0), expected);
        let recalled = Recalled::new(bytes.into()).unwrap();
        let expected = (4, vec![branch(Kind::Entailing, &[1]), branch(Kind::Again, &[1, 2])]);
        assert_eq!(recalled.options(0), Some(expected));
        assert_eq!(recalled.options(1), Some((0, Vec::new())));
        assert_eq!((recalled.text(2), recalled.is_expanded(2)), (Some("at 300"), false));
    }

    #[test]
    fn no_bytes_make_it_panic_or_take_much_memory() {
        let (_, bytes) = sample();
        for length in 0..bytes.len() {
            assert!(Recalled::new(bytes[..length].into()).is_none(), "{length}");
        }
        for place in 0..bytes.len() {
            for byte in 0..=255 {
                let mut wrong = bytes.clone();
                wrong[place] = byte;
                if let Some(recalled) = Recalled::new(wrong.into()) {
                    for place in 0..recalled.len() {
                        assert!(recalled.text(place).is_some());
                        assert_eq!(recalled.options(place).is_some(), recalled.is_expanded(place));
                    }
                }
            }
        }
    }
}
