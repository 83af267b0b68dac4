//! The file in which a long table is kept while it is being made.
//!
//! Nothing but text is dealt with here; who keeps the file replaces it as a whole. It is made so
//! that no torn or damaged file is taken for a good one: the last line has the number of rows and
//! a checksum of everything above it, and must itself be there to the last byte.
//!
//! ```text
//! nimoon table, checkpoint format 1
//! program 0.1.0                     values of another version may have been corrected since
//! table top-entails:{}
//! theory auto
//! files 0000000000000000            of what files the table depends on
//! rows of heaps from 0              or: rows explored from 17
//! 0
//! moon
//! end 2 92c5…
//! ```
//!
//! Rows that were explored have the theory in front of the value, since it may turn out that a
//! later row needs a larger one: `carry-on moon{0,1}`; `general -` is a row without a value.
//!
//! The checksum is FNV-1a with 64 bits. Each step is a bijection for a given byte, so it finds
//! every change of a single byte, and all but one in 2⁶⁴ of the others. It does not protect against
//! malice.
//!
//! ## References
//! G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, The FNV non-cryptographic hash algorithm (IETF
//! draft, 2012).

use std::io::{self, Write};

use nimoon::{AnyValue, EntailingValue, Theory, Value};
use thiserror::Error;

use crate::sequence::{KnownRows, Row, Rows};

const FIRST_LINE: &str = "nimoon table, checkpoint format 1";
/// The beginning of the first line, whatever the format.
const ANY_FORMAT: &str = "nimoon table, checkpoint format ";

/// Identifies the table. Rows are only of use to the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version of the program.
    pub program: String,
    /// The pattern of the positions.
    pub table: String,
    /// The theory requested; none for the smallest that fits.
    pub theory: Option<Theory>,
    /// The checksum of the files that the table depends on.
    pub files: u64,
}

/// Why a file cannot be used as a checkpoint.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It does not begin like one.
    #[error("this is not a checkpoint of a table")]
    NotOne,
    /// Another version of the program wrote it in another way.
    #[error("this checkpoint has another format: another version of nimoon wrote it")]
    OtherFormat,
    /// It is damaged, or was cut off.
    #[error("this checkpoint is damaged: {0}")]
    Damaged(&'static str),
    /// It belongs to something else.
    #[error(
        "this checkpoint does not belong to this table: its {what} is {found}, not {requested}"
    )]
    Another {
        /// In what it differs.
        what: &'static str,
        /// What the file has.
        found: String,
        /// What is needed.
        requested: String,
    },
}

/// A checksum of bytes that arrive in chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    /// Takes in these bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The checksum.
    pub fn value(self) -> u64 {
        self.0
    }
}

/// Writes what it is given, and keeps the checksum.
struct Summed<W> {
    out: W,
    checksum: Checksum,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.checksum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Header {
    fn theory(&self) -> &'static str {
        self.theory.map_or("auto", Theory::name)
    }

    /// The lines above the rows.
    fn text(&self, rows: KnownRows<'_>) -> String {
        let kind = match rows {
            KnownRows::Heaps(_) => "of heaps from 0".to_owned(),
            KnownRows::Explored { first, .. } => format!("explored from {first}"),
        };
        format!(
            "{FIRST_LINE}\nprogram {}\ntable {}\ntheory {}\nfiles {:016x}\nrows {kind}\n",
            one_line(&self.program),
            one_line(&self.table),
            self.theory(),
            self.files
        )
    }

    /// Whether rows of that table are rows of this one.
    ///
    /// # Errors
    /// When they are not: in what the tables differ.
    pub fn check(&self, found: &Self) -> Result<(), CheckpointError> {
        let differ = |what, found: &str, requested: &str| {
            let (found, requested) = (format!("`{found}`"), format!("`{requested}`"));
            Err(CheckpointError::Another { what, found, requested })
        };
        if one_line(&self.table) != one_line(&found.table) {
            differ("ruleset", &found.table, &self.table)
        } else if self.theory != found.theory {
            differ("theory", found.theory(), self.theory())
        } else if self.program != found.program {
            differ("version of the program", &found.program, &self.program)
        } else if self.files != found.files {
            let [found, requested] = [found, self].map(|header| format!("{:016x}", header.files));
            differ("checksum of the files with the rules", &found, &requested)
        } else {
            Ok(())
        }
    }
}

/// Line ends and backslashes escaped.
fn one_line(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

/// The text before [`one_line`].
fn several_lines(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        plain.push(match (c, c == '\\') {
            (_, true) => match rest.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                _ => '\\',
            },
            (c, false) => c,
        });
    }
    plain
}

/// Writes a checkpoint, and gives its checksum.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(header: &Header, rows: KnownRows<'_>, out: &mut impl Write) -> io::Result<u64> {
    let mut out = Summed { out, checksum: Checksum::default() };
    out.write_all(header.text(rows).as_bytes())?;
    match rows {
        KnownRows::Heaps(values) => {
            for value in values {
                writeln!(out, "{value:#}")?;
            }
        }
        KnownRows::Explored { rows, .. } => {
            for row in rows {
                match &row.value {
                    Some(value) => writeln!(out, "{} {value:#}", row.theory)?,
                    None => writeln!(out, "{} -", row.theory)?,
                }
            }
        }
    }
    let checksum = out.checksum.value();
    writeln!(out.out, "end {} {checksum:016x}", rows.len())?;
    Ok(checksum)
}

/// How many bytes show whether a file begins like a checkpoint.
pub const BEGINNING: usize = FIRST_LINE.len() + 1;

/// Whether a file with these first bytes can be a checkpoint, so that a large file of another kind
/// need not be read.
///
/// ```
/// use nimoon_formats::checkpoint::{BEGINNING, CheckpointError, check_beginning};
/// let file = b"nimoon table, checkpoint format 1\nprogram 0.1.0\n";
/// assert!(check_beginning(&file[..BEGINNING]).is_ok());
/// assert_eq!(check_beginning(b"PK\x03\x04"), Err(CheckpointError::NotOne));
/// ```
///
/// # Errors
/// When it cannot.
pub fn check_beginning(bytes: &[u8]) -> Result<(), CheckpointError> {
    let begins = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if begins == FIRST_LINE.as_bytes() {
        Ok(())
    } else if FIRST_LINE.as_bytes().starts_with(begins) && begins.len() == bytes.len() {
        Err(CheckpointError::Damaged("its end is missing"))
    } else if begins.starts_with(ANY_FORMAT.as_bytes()) {
        Err(CheckpointError::OtherFormat)
    } else {
        Err(CheckpointError::NotOne)
    }
}

/// Reads a checkpoint.
///
/// ```
/// use nimoon::EntailingValue::{Moon, Nimber};
/// use nimoon_formats::checkpoint::{Header, read, write};
/// use nimoon_formats::sequence::Rows;
/// let header =
///     Header { program: "1".into(), table: "top-entails:{}".into(), theory: None, files: 0 };
/// let rows = Rows::Heaps(vec![Nimber(0), Moon]);
/// let mut file = Vec::new();
/// write(&header, rows.known(), &mut file).unwrap();
/// assert_eq!(read(&file).unwrap(), (header, rows));
/// assert!(read(&file[..file.len() - 1]).is_err());
/// ```
///
/// # Errors
/// When it is damaged, or something else.
pub fn read(bytes: &[u8]) -> Result<(Header, Rows), CheckpointError> {
    use CheckpointError::Damaged;
    check_beginning(bytes)?;
    let cut = Damaged("its end is missing");
    let body = bytes.strip_suffix(b"\n").ok_or(cut.clone())?;
    let last = body.iter().rposition(|&byte| byte == b'\n').ok_or(cut.clone())? + 1;
    let end = body[last..].strip_prefix(b"end ").ok_or(cut)?;
    let mut checksum = Checksum::default();
    checksum.update(&bytes[..last]);
    let text = std::str::from_utf8(&bytes[..last]).map_err(|_| Damaged("it is not UTF-8 text"))?;
    let mut lines = text.lines().skip(1);
    let mut field = |name: &str| {
        let line = lines.next().and_then(|line| line.strip_prefix(name));
        line.and_then(|line| line.strip_prefix(' ')).ok_or(Damaged("its head is incomplete"))
    };
    let (program, table) = (several_lines(field("program")?), several_lines(field("table")?));
    let theory = match field("theory")? {
        "auto" => None,
        name => Some(name.parse().map_err(|_| Damaged("its theory is unknown"))?),
    };
    let files = u64::from_str_radix(field("files")?, 16)
        .map_err(|_| Damaged("its checksum of files is not a number"))?;
    let bad_row = Damaged("a row is not a value");
    let rows = match field("rows")? {
        "of heaps from 0" => {
            let values = lines.map(heap).collect::<Option<Vec<_>>>();
            Rows::Heaps(values.ok_or(bad_row)?)
        }
        kind => {
            let first = kind.strip_prefix("explored from ").and_then(|first| first.parse().ok());
            let first = first.ok_or(Damaged("its kind of rows is unknown"))?;
            let rows = lines.map(row).collect::<Option<Vec<_>>>();
            Rows::Explored { first, rows: rows.ok_or(bad_row)? }
        }
    };
    let expected = format!("{} {:016x}", rows.known().len(), checksum.value());
    if end != expected.as_bytes() {
        return Err(Damaged("its checksum is wrong"));
    }
    Ok((Header { program, table, theory, files }, rows))
}

fn heap(line: &str) -> Option<EntailingValue> {
    match line {
        "moon" => Some(EntailingValue::Moon),
        number => number.parse().ok().map(EntailingValue::Nimber),
    }
}

fn row(line: &str) -> Option<Row> {
    let (theory, value) = line.split_once(' ')?;
    let theory: Theory = theory.parse().ok()?;
    let value = match value {
        "-" => None,
        value => Some(match (value.parse().ok()?, theory) {
            // A number is written in the same way in both kinds of value.
            (AnyValue::CarryOn(Value::Nimber(n)), Theory::Entailing) => {
                AnyValue::Entailing(EntailingValue::Nimber(n))
            }
            (value, _) => value,
        }),
    };
    Some(Row { theory, value })
}

#[cfg(test)]
mod tests {
    use nimoon::EntailingValue::{Moon, Nimber};

    use super::*;

    fn header() -> Header {
        let table = "nimstring:\\1x{}\n".into();
        Header { program: "0.1.0".into(), table, theory: Some(Theory::CarryOn), files: 7 }
    }

    fn both() -> [Rows; 2] {
        let row = |theory, value: &str| Row { theory, value: value.parse().ok() };
        let rows = vec![
            row(Theory::Short, "3"),
            row(Theory::Entailing, "moon"),
            Row { theory: Theory::Entailing, value: Some(AnyValue::Entailing(Nimber(4))) },
            row(Theory::CarryOn, "moon{0,1}"),
            row(Theory::CarryOn, "full-moon"),
            row(Theory::CarryOn, "ninny{2}"),
            row(Theory::Cyclic, "oo{}"),
            row(Theory::General, "win all but {0}, loss {0}, draw {}"),
            Row { theory: Theory::General, value: None },
        ];
        [Rows::Heaps(vec![Nimber(0), Moon, Nimber(12)]), Rows::Explored { first: 5, rows }]
    }

    fn written(rows: &Rows) -> Vec<u8> {
        let mut file = Vec::new();
        write(&header(), rows.known(), &mut file).unwrap();
        file
    }

    #[test]
    fn what_was_written_is_read() {
        for rows in both() {
            assert_eq!(read(&written(&rows)).unwrap(), (header(), rows));
        }
    }

    #[test]
    fn a_file_that_is_cut_off_anywhere_is_refused() {
        for rows in both() {
            let file = written(&rows);
            for length in 0..file.len() {
                assert!(read(&file[..length]).is_err(), "{length}");
            }
            let twice = [&file[..], &file[..]].concat();
            assert!(read(&twice).is_err());
        }
    }

    #[test]
    fn a_file_with_one_wrong_bit_is_refused() {
        for rows in both() {
            let file = written(&rows);
            for place in 0..file.len() {
                for bit in 0..8 {
                    let mut wrong = file.clone();
                    wrong[place] ^= 1 << bit;
                    assert!(read(&wrong).is_err(), "{place} {bit}");
                }
            }
        }
    }

    #[test]
    fn the_first_line_identifies_the_file() {
        use CheckpointError::{Damaged, NotOne, OtherFormat};
        let cut = Err(Damaged("its end is missing"));
        assert_eq!(check_beginning(&written(&both()[0])[..BEGINNING]), Ok(()));
        assert_eq!(check_beginning(b""), cut);
        assert_eq!(check_beginning(b"nimoon tab"), cut);
        assert_eq!(check_beginning(b"nimoon tab\n"), Err(NotOne));
        assert_eq!(check_beginning(b"\n"), Err(NotOne));
        assert_eq!(check_beginning(b"nimoon table, checkpoint format 2\n"), Err(OtherFormat));
        assert_eq!(check_beginning(b"nimoon table, checkpoint format 10"), Err(OtherFormat));
    }

    #[test]
    fn a_checkpoint_of_another_table_is_rejected() {
        let other = |change: fn(&mut Header)| {
            let mut other = header();
            change(&mut other);
            header().check(&other).unwrap_err().to_string()
        };
        assert!(header().check(&header()).is_ok());
        assert!(other(|header| header.table = "nim:{}".into()).contains("ruleset is `nim:{}`"));
        assert!(other(|header| header.theory = None).contains("theory is `auto`, not `carry-on`"));
        assert!(other(|header| header.files = 8).contains("files"));
        assert!(other(|header| header.program = "0.0.9".into()).contains("version"));
    }
}
