//! What is in the file, byte by byte. Numbers are little-endian.
//!
//! ```text
//! file    = head batch*
//! head    = 256 bytes of text, the last line of which is a checksum of the others:
//!           nimoon store, format 1
//!           engine 0.1.0
//!           meaning 1                    of the entries, nimoon::ruleset::memory::MEANING
//!           most 1073741824              the most bytes of the file
//!           made 5d1c6f0a33b1e2f4        another number for each file
//! batch   = label name record* index     entries of one ruleset, kept together
//! label   = 64 bytes: a mark, the length of the batch, the number of entries, where the index
//!           begins, the length of the name, the checksum of the name, where in the file this batch
//!           begins, and the checksum of all this and of the number of the file
//! name    = the ruleset, filled up with zeros to eight bytes
//! record  = the lengths of key and value (4 bytes each), key, value, checksum of all of it and
//!           of the ruleset
//! index   = for each record the checksum of its key and where in the batch it begins (8 bytes
//!           each), in this order; batches begin and end at multiples of eight
//! ```
//!
//! An index needs no checksum: only a record with the right key and the right checksum is used,
//! whatever the index says.

use nimoon::ruleset::memory::MEANING;

use crate::checksum::checksum;

/// The length of the head of a file.
pub(crate) const HEAD: u64 = 256;
/// The length of the label of a batch.
pub(crate) const LABEL: u64 = 64;
/// The length of an entry of an index.
pub(crate) const PLACE: u64 = 16;
/// The bytes of a record beside its key and value.
pub(crate) const RECORD: u64 = 16;

/// The first line of the head.
const FIRST_LINE: &str = "nimoon store, format 1";
/// The beginning of the first line in every format.
const ANY_FORMAT: &str = "nimoon store, format ";
/// The length of the last line.
const LAST_LINE: usize = "check 0123456789abcdef\n".len();

/// What a label begins with.
pub(crate) const MARK: [u8; 8] = *b"\x89nimoon\n";

/// The version of the engine that keeps entries.
pub(crate) const ENGINE: &str = env!("CARGO_PKG_VERSION");

/// What the head of a file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// The most bytes of the file.
    pub(crate) most: u64,
    /// The number of the file.
    pub(crate) made: u64,
}

/// What is wrong with a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WrongHead {
    /// It is not the head of a store.
    NotOne,
    /// It belongs to a store in another format.
    OtherFormat(String),
    /// It belongs to a store of another engine.
    OtherEngine(String),
    /// It is cut off, or its checksum is wrong.
    Damaged,
}

impl Head {
    pub(crate) fn bytes(self) -> Vec<u8> {
        let Self { most, made } = self;
        let mut text = format!(
            "{FIRST_LINE}\nengine {ENGINE}\nmeaning {MEANING}\nmost {most}\nmade {made:016x}\n"
        );
        let length = HEAD as usize - LAST_LINE;
        debug_assert!(text.len() < length, "a version is short");
        while text.len() + 1 < length {
            text.push(' ');
        }
        text.push('\n');
        let last = last_line(text.as_bytes());
        text.push_str(&last);
        text.into_bytes()
    }

    /// Reads the head at the beginning of a file; `bytes` may be shorter.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, WrongHead> {
        let begins = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        if begins != FIRST_LINE.as_bytes() {
            let shown = String::from_utf8_lossy(begins);
            return Err(match shown.strip_prefix(ANY_FORMAT) {
                // A line without its end may be incomplete.
                Some(format) if begins.len() < bytes.len() => {
                    WrongHead::OtherFormat(format.chars().take(20).collect())
                }
                _ if FIRST_LINE.as_bytes().starts_with(begins) && begins.len() == bytes.len() => {
                    WrongHead::Damaged
                }
                _ => WrongHead::NotOne,
            });
        }
        let (text, last) = bytes
            .get(..HEAD as usize)
            .and_then(|head| head.split_at_checked(HEAD as usize - LAST_LINE))
            .ok_or(WrongHead::Damaged)?;
        if last != last_line(text).as_bytes() {
            return Err(WrongHead::Damaged);
        }
        let text = std::str::from_utf8(text).map_err(|_| WrongHead::Damaged)?;
        let mut lines = text.lines().skip(1);
        let mut field = |name: &str| {
            let line = lines.next().and_then(|line| line.strip_prefix(name));
            line.and_then(|line| line.strip_prefix(' ')).ok_or(WrongHead::Damaged)
        };
        let (engine, meaning) = (field("engine")?, field("meaning")?);
        if engine != ENGINE || meaning != MEANING.to_string() {
            return Err(WrongHead::OtherEngine(format!("{engine}, meaning {meaning}")));
        }
        let most = field("most")?.parse().map_err(|_| WrongHead::Damaged)?;
        let made = u64::from_str_radix(field("made")?, 16).map_err(|_| WrongHead::Damaged)?;
        Ok(Self { most, made })
    }
}

/// The last line of a head, below this text.
fn last_line(text: &[u8]) -> String {
    format!("check {:016x}\n", checksum(&[text]))
}

/// What the label of a batch says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// Where in the file the batch begins.
    pub(crate) start: u64,
    /// How long it is.
    pub(crate) length: u64,
    /// How many entries it has.
    pub(crate) count: u64,
    /// Where in the batch the index begins.
    pub(crate) index: u64,
    /// The length of the name.
    pub(crate) name: u32,
    /// The checksum of the name.
    pub(crate) name_sum: u64,
}

impl Label {
    fn bytes(self, made: u64) -> [u8; LABEL as usize] {
        let mut bytes = [0; LABEL as usize];
        let Self { start, length, count, index, name, name_sum } = self;
        bytes[..8].copy_from_slice(&MARK);
        let words = [length, count, index, u64::from(name), name_sum, start];
        for (place, word) in words.into_iter().enumerate() {
            bytes[8 * (place + 1)..][..8].copy_from_slice(&word.to_le_bytes());
        }
        let sum = checksum(&[&made.to_le_bytes(), &bytes[..56]]);
        bytes[56..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads the label at a place of the file with this number. The places within the batch are
    /// checked to be possible.
    pub(crate) fn read(bytes: &[u8; LABEL as usize], start: u64, made: u64) -> Option<Self> {
        let word = |place: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[8 * place..][..8]);
            u64::from_le_bytes(word)
        };
        let sum = checksum(&[&made.to_le_bytes(), &bytes[..56]]);
        if bytes[..8] != MARK || word(7) != sum || word(6) != start {
            return None;
        }
        let name = u32::try_from(word(4)).ok()?;
        let label = Self {
            start,
            length: word(1),
            count: word(2),
            index: word(3),
            name,
            name_sum: word(5),
        };
        let index_end = label.count.checked_mul(PLACE)?.checked_add(label.index)?;
        let fits = label.records() <= label.index && index_end == label.length;
        let end = label.start.checked_add(label.length)?;
        (fits && end.is_multiple_of(8)).then_some(label)
    }

    /// Where in the batch the records begin.
    pub(crate) fn records(self) -> u64 {
        LABEL + u64::from(self.name).next_multiple_of(8)
    }

    /// Where in the file the batch ends.
    pub(crate) fn end(self) -> u64 {
        self.start + self.length
    }
}

/// The checksum by which keys are sorted.
pub(crate) fn key_sum(key: &[u8]) -> u64 {
    checksum(&[key])
}

/// The checksum of a record; the lengths are parts of it.
pub(crate) fn record_sum(name: &str, key: &[u8], value: &[u8]) -> u64 {
    checksum(&[name.as_bytes(), key, value])
}

/// The bytes that a batch with these entries takes.
pub(crate) fn batch_length(name: &str, entries: u64, bytes: u64) -> u64 {
    let head = LABEL + (name.len() as u64).next_multiple_of(8);
    head + (bytes + entries * RECORD).next_multiple_of(8) + entries * PLACE
}

/// A batch that begins at this place of the file with this number. Keys and values are shorter than
/// 4 GiB each.
pub(crate) fn batch<'a>(
    name: &str,
    entries: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    start: u64,
    made: u64,
) -> Vec<u8> {
    let mut bytes = vec![0; LABEL as usize];
    bytes.extend(name.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let mut places = Vec::new();
    for (key, value) in entries {
        let (Ok(key_length), Ok(value_length)) =
            (u32::try_from(key.len()), u32::try_from(value.len()))
        else {
            continue;
        };
        places.push((key_sum(key), bytes.len() as u64));
        bytes.extend(key_length.to_le_bytes());
        bytes.extend(value_length.to_le_bytes());
        bytes.extend(key);
        bytes.extend(value);
        bytes.extend(record_sum(name, key, value).to_le_bytes());
    }
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    places.sort_unstable();
    let label = Label {
        start,
        length: bytes.len() as u64 + places.len() as u64 * PLACE,
        count: places.len() as u64,
        index: bytes.len() as u64,
        name: name.len() as u32,
        name_sum: checksum(&[name.as_bytes()]),
    };
    for (sum, place) in places {
        bytes.extend(sum.to_le_bytes());
        bytes.extend(place.to_le_bytes());
    }
    bytes[..LABEL as usize].copy_from_slice(&label.bytes(made));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_head_says_is_read() {
        let head = Head { most: u64::MAX, made: 7 };
        let bytes = head.bytes();
        assert_eq!(bytes.len() as u64, HEAD);
        assert_eq!(Head::read(&bytes), Ok(head));
    }

    #[test]
    fn a_head_that_is_cut_off_or_has_a_wrong_bit_is_refused() {
        let bytes = Head { most: 1 << 30, made: 7 }.bytes();
        for length in 0..bytes.len() {
            assert_eq!(Head::read(&bytes[..length]), Err(WrongHead::Damaged), "{length}");
        }
        for bit in 0..bytes.len() * 8 {
            let mut wrong = bytes.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert!(Head::read(&wrong).is_err(), "{bit}");
        }
    }

    #[test]
    fn heads_of_other_files_are_distinguished() {
        assert_eq!(Head::read(b"PK\x03\x04 and more"), Err(WrongHead::NotOne));
        assert_eq!(Head::read(b"nimoon store, formal\n"), Err(WrongHead::NotOne));
        let newer = b"nimoon store, format 2\nanything";
        assert_eq!(Head::read(newer), Err(WrongHead::OtherFormat("2".into())));
        let text = String::from_utf8(Head { most: 1, made: 2 }.bytes()).unwrap();
        let other = text.replace(&format!("engine {ENGINE}"), "engine 9.9.9");
        let (above, _) = other.split_at(HEAD as usize - LAST_LINE);
        let other = format!("{above}{}", last_line(above.as_bytes()));
        let expected = WrongHead::OtherEngine(format!("9.9.9, meaning {MEANING}"));
        assert_eq!(Head::read(other.as_bytes()), Err(expected));
    }

    #[test]
    fn a_label_is_read_only_at_its_place_and_without_a_wrong_bit() {
        let entries = [(&b"key"[..], &b"value"[..])];
        let bytes = batch("nim", entries.into_iter(), 256, 7);
        assert_eq!(bytes.len() as u64, batch_length("nim", 1, 8));
        let label: [u8; LABEL as usize] = bytes[..LABEL as usize].try_into().unwrap();
        let read = Label::read(&label, 256, 7).unwrap();
        assert_eq!((read.count, read.end()), (1, 256 + bytes.len() as u64));
        assert_eq!(Label::read(&label, 264, 7), None);
        assert_eq!(Label::read(&label, 256, 8), None);
        for bit in 0..label.len() * 8 {
            let mut wrong = label;
            wrong[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Label::read(&wrong, 256, 7), None, "{bit}");
        }
    }
}
