//! Readers of digraph files.
//!
//! All files are UTF-8 text; a byte order mark at the start is skipped, and lines may end in
//! `\n` or `\r\n`. A file without any node is an error.
//!
//! | format | extensions | names of nodes | gray nodes | order of nodes |
//! |---|---|---|---|---|
//! | [`json`] | `json` | any strings | the field `gray` | the field `nodes`, or first mention |
//! | [`game`] | `game` | words without `:` and `#` | lines `gray a b` | first mention |
//! | [`edges`] | `edges` `el` `txt` `edgelist` | words without `#` | lines `gray a b` | first mention |
//! | [`dot`] | `dot` `gv` | Graphviz identifiers | attributes | first mention |
//! | [`aut`] | `aut` | `0`, `1`, … | none | by number |
//! | [`pgsolver`] | `pg` `gm` `pgsolver` | numbers | none | order of lines |
//!
//! An arc given twice counts once. Only JSON and `.game` can say how play ends on a terminal node
//! and who moves.
//!
//! Graphs with Left and Right edges are read by [`partizan`], which stands apart.
//!
//! The readers use no parser library. The formats are small, and two things count: the place of an
//! error to the character, and speed on files of hundreds of megabytes. `serde_json` reports the
//! end of a value where the beginning is expected, and a file of arcs is read several times as fast
//! by a scanner that knows the one shape it expects; the tests compare what that scanner accepts
//! with `serde_json`. The other formats share one cursor with the same errors.
//!
//! To add a format: a variant of [`Format`], its names in [`Format::name`] and
//! [`Format::extensions`], a module with a `read` function beside the others and its examples in
//! `tests/readers.rs`.

pub mod aut;
mod chunks;
pub mod dot;
pub mod edges;
mod error;
pub mod game;
pub mod json;
mod json_syntax;
mod marks;
mod nearest;
pub mod partizan;
pub mod pgsolver;
mod place;
mod watch;
mod words;

use nimoon::limits::clock::Instant;
use std::fmt;
use std::str::FromStr;

use nimoon::Work;
use thiserror::Error;

use crate::Source;
use crate::source::Unfit;
use error::Fault;
pub use error::excerpt;
pub use error::{ReadError, ReadErrorKind};
pub use nearest::nearest;
pub use place::BOM;
pub use place::{line_and_column, snippet};
use watch::{NOBODY, Watch};

/// A format of digraph files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// See [`json`].
    Json,
    /// See [`game`].
    Game,
    /// See [`dot`].
    Dot,
    /// See [`edges`].
    Edges,
    /// See [`aut`].
    Aut,
    /// See [`pgsolver`].
    PgSolver,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] =
        [Self::Json, Self::Game, Self::Dot, Self::Edges, Self::Aut, Self::PgSolver];

    /// The name of the format on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Game => "game",
            Self::Dot => "dot",
            Self::Edges => "edges",
            Self::Aut => "aut",
            Self::PgSolver => "pgsolver",
        }
    }

    /// The extensions of files in this format, without the dot.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Json => &["json"],
            Self::Game => &["game"],
            Self::Dot => &["dot", "gv"],
            Self::Edges => &["edges", "el", "txt", "edgelist"],
            Self::Aut => &["aut"],
            Self::PgSolver => &["pg", "gm", "pgsolver"],
        }
    }

    /// The format of files with this extension, given without the dot and in any case.
    ///
    /// ```
    /// use nimoon_formats::read::Format;
    /// assert_eq!(Format::from_extension("GV"), Some(Format::Dot));
    /// assert_eq!(Format::from_extension("pdf"), None);
    /// ```
    pub fn from_extension(extension: &str) -> Option<Self> {
        let known = |known: &&str| known.eq_ignore_ascii_case(extension);
        Self::ALL.into_iter().find(|format| format.extensions().iter().any(known))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is not the name of a [`Format`].
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("unknown format `{name}`; expected one of json, game, dot, edges, aut, pgsolver")]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| UnknownFormat { name: error::excerpt(name) })
    }
}

/// Reads a digraph file.
///
/// ```
/// use nimoon_formats::read::{Format, read};
///
/// let source = read(Format::Edges, b"start middle\nmiddle end\ngray middle\n").unwrap();
/// assert_eq!(source.names.node("end"), Some(2));
/// assert_eq!(source.arcs, [(0, 1), (1, 2)]);
/// assert_eq!(source.gray, [1]);
///
/// let error = read(Format::Edges, b"a b\na b c\n").unwrap_err();
/// assert_eq!((error.line, error.column), (2, 5));
/// ```
///
/// # Errors
/// When the bytes are not a digraph in this format. Errors know their place.
pub fn read(format: Format, bytes: &[u8]) -> Result<Source, ReadError> {
    read_watched(format, bytes, &NOBODY)
}

/// As [`read`], as far as memory, clock and token allow, reporting how many bytes have been read.
/// Aldebaran and `PGSolver` files report nothing.
///
/// ```
/// use nimoon::{Limits, Work};
/// use nimoon_formats::read::{Format, ReadErrorKind, read_within};
///
/// let little = Work::new(Limits::DEFAULT.bytes(10));
/// let error = read_within(Format::Edges, b"a b\nb c\n", &little).unwrap_err();
/// assert!(matches!(error.kind, ReadErrorKind::Interrupted(_)));
/// ```
///
/// # Errors
/// As [`read`], and when the work is interrupted, with the place up to which the file was read.
pub fn read_within(format: Format, bytes: &[u8], work: &Work) -> Result<Source, ReadError> {
    read_watched(format, bytes, &Watch { work: Some(work), all: Some(bytes.len()), refused: None })
}

/// As [`read_within`], for values and sums: these are for impartial games in normal play.
///
/// ```
/// use nimoon::Work;
/// use nimoon_formats::read::{Format, read_impartial};
///
/// let error = read_impartial(Format::Game, b"a: z\ndraw z\n", &Work::default());
/// assert!(error.unwrap_err().to_string().starts_with("line 2, column 6: play does not end with"));
/// ```
///
/// # Errors
/// As [`read_within`], and when the file declares players, or other ends of play than a win for the
/// last player.
pub fn read_impartial(format: Format, bytes: &[u8], work: &Work) -> Result<Source, ReadError> {
    let source = read_within(format, bytes, work)?;
    let Err(found) = source.check_impartial() else { return Ok(source) };
    // There need not be room for it twice.
    drop(source);
    Err(unfit(format, bytes, found, work))
}

/// Finds where a file, which was read, declares what does not fit.
///
/// ```
/// use nimoon::Work;
/// use nimoon_formats::read::{Format, read, unfit};
///
/// let bytes = b"a: z\nleft a\n";
/// let found = read(Format::Game, bytes).unwrap().check_impartial().unwrap_err();
/// let error = unfit(Format::Game, bytes, found, &Work::default());
/// assert_eq!((error.line, error.column), (2, 6));
/// ```
///
/// Reading keeps no places, since only this error needs one. So this reads the file once more. The
/// clock restarts, since the fault is known and only its place is missing.
pub fn unfit(format: Format, bytes: &[u8], unfit: Unfit, work: &Work) -> ReadError {
    let work = work.clone().since(Instant::now());
    let watch = Watch { work: Some(&work), refused: Some(&unfit), ..NOBODY };
    let error = read_watched(format, bytes, &watch).err();
    error.unwrap_or_else(|| ReadError::new(bytes, 0, ReadErrorKind::Unfit(unfit)))
}

fn read_watched(format: Format, bytes: &[u8], watch: &Watch<'_>) -> Result<Source, ReadError> {
    let (skipped, text) = text_of(bytes)?;
    let (result, expected) = match format {
        Format::Json => (json::read(text, watch), "the arcs, as in {\"arcs\":[[\"a\",\"b\"]]}"),
        Format::Game => (game::read(text, watch), "a line for each node, as in `a: b c`"),
        Format::Dot => (dot::read(text, watch), "nodes or arcs between the braces, as in `a -> b`"),
        Format::Edges => (edges::read(text, watch), "a line for each arc, as in `a b`"),
        Format::Aut => (aut::read(text, watch), "a header with states, as in `des (0, 0, 1)`"),
        Format::PgSolver => {
            (pgsolver::read(text, watch), "a line for each node, as in `0 1 0 1,2;`")
        }
    };
    let no_nodes = || Fault::new(0, ReadErrorKind::NoNodes { expected });
    let result = if text.trim_ascii().is_empty() { Err(no_nodes()) } else { result };
    let result = result.and_then(|source| {
        if source.names.is_empty() {
            return Err(no_nodes());
        }
        watch.go_on(text.len(), &source.names, source.arcs.len())?;
        Ok(source)
    });
    match result {
        Ok(mut source) => {
            source.names.shrink_to_fit();
            Ok(source)
        }
        Err(Fault { place, kind }) => Err(ReadError::new(bytes, skipped + place, kind)),
    }
}

/// The text of a file, and how many bytes come before it.
fn text_of(bytes: &[u8]) -> Result<(usize, &str), ReadError> {
    let content = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let skipped = bytes.len() - content.len();
    let text = std::str::from_utf8(content).map_err(|error| {
        let offset = skipped + error.valid_up_to();
        let byte = bytes.get(offset).copied().unwrap_or_default();
        ReadError::new(bytes, offset, ReadErrorKind::NotUtf8 { byte })
    })?;
    Ok((skipped, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::time::Duration;

    use nimoon::{Limits, Progress};

    #[test]
    fn a_known_fault_is_reported_although_the_time_is_over() {
        let bytes = b"a: z\nlose z\n";
        let found = read(Format::Game, bytes).unwrap().check_impartial().unwrap_err();
        let time = Duration::from_secs(100);
        let start = Instant::now().checked_sub(2 * time).unwrap();
        let work = Work::new(Limits::new(0).time(time)).since(start);
        assert!(work.check().is_err());
        let error = unfit(Format::Game, bytes, found, &work);
        assert!(matches!(error.kind, ReadErrorKind::Unfit(_)), "{error}");
        assert_eq!((error.line, error.column), (2, 6));
    }

    #[test]
    fn every_format_is_found_by_its_name_and_its_extensions() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
            for extension in format.extensions() {
                assert_eq!(Format::from_extension(extension), Some(format));
            }
        }
        let error = "yaml".parse::<Format>().unwrap_err();
        assert!(error.to_string().starts_with("unknown format `yaml`; expected one of json, game"));
    }

    #[test]
    fn reading_a_large_file_reports_progress() {
        let lines = |line: fn(usize) -> String| (0..100_000).map(line).collect::<String>();
        let arcs = lines(|i| format!("[\"a{i}\",\"b\"],\n"));
        for (format, text) in [
            (Format::Edges, lines(|i| format!("a{i} b\n"))),
            (Format::Game, lines(|i| format!("a{i}: b\n"))),
            (Format::Dot, format!("digraph {{\n{}}}", lines(|i| format!("a{i} -> b\n")))),
            (Format::Json, format!("{{\"arcs\":[{arcs}[\"c\",\"d\"]]}}")),
        ] {
            let (sender, receiver) = std::sync::mpsc::channel();
            let work = Work::default().on_progress(move |progress| {
                if let Progress::Reading { read, all } = progress {
                    sender.send((read, all)).unwrap();
                }
            });
            read_within(format, text.as_bytes(), &work).unwrap();
            drop(work);
            let reported = receiver.iter().inspect(|&(_, all)| assert_eq!(all, text.len()));
            let reported: Vec<usize> =
                [0].into_iter().chain(reported.map(|(read, _)| read)).collect();
            assert!(
                reported.is_sorted() && reported.last().is_some_and(|&last| last <= text.len())
            );
            let steps = reported
                .windows(2)
                .map(|pair| pair[1] - pair[0])
                .chain([text.len() - reported[reported.len() - 1]]);
            assert!(steps.max().is_some_and(|step| step <= text.len() / 4), "{format}");
        }
    }
}
