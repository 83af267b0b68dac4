//! Digraph files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use nimoon::impartial::theory::label_for_sums;
use nimoon::{DoesNotFit, Labelling, Node, Work, label};
use nimoon_formats::read::{
    Format, ReadError, ReadErrorKind, nearest, read_impartial, read_within,
};
use nimoon_formats::streams;
use nimoon_formats::write::refutation_words;
use nimoon_formats::{Game, Names, Source};
use nimoon_session::explore::digraph_of;

use crate::args::{InputArgs, RulesArgs, TheoryArgs};
use crate::expressions::{Rules, Text};
use crate::failure::Failure;
use crate::limits::{self, OPTIONS};
use crate::reading;

/// Reads a digraph file into a plain list of arcs; play must be normal play of an impartial game.
pub(crate) fn source(args: &InputArgs, work: &Work) -> Result<Source, Failure> {
    let format = format(args)?;
    let bytes = bytes(&args.file, work)?;
    let found = read_impartial(format, &bytes, work);
    found.map_err(|error| wrong(args, &bytes, &error))
}

/// Reads a digraph file into a plain list of arcs, with any rules for the end of play and any
/// players.
pub(crate) fn source_of(
    args: &InputArgs,
    format: Format,
    bytes: &[u8],
    work: &Work,
) -> Result<Source, Failure> {
    read_within(format, bytes, work).map_err(|error| wrong(args, bytes, &error))
}

/// An error at a place of a file.
pub(crate) fn wrong(args: &InputArgs, bytes: &[u8], error: &ReadError) -> Failure {
    unread(&args.name(), bytes, error)
}

/// The same for a file of this name.
pub(crate) fn unread(name: &str, bytes: &[u8], error: &ReadError) -> Failure {
    let message = format!("{name}: {error}");
    match error.kind {
        ReadErrorKind::Interrupted(interrupted) => {
            limits::interrupted(interrupted, message, OPTIONS)
        }
        _ => Failure::Input { message, context: error.snippet(bytes) },
    }
}

/// The argument, if it names positions of rulesets and not a file.
fn position(args: &InputArgs) -> Option<&str> {
    let text = args.file.to_str().filter(|text| text.contains(':'))?;
    (args.input.is_none() && !args.file.exists()).then_some(text)
}

/// The digraph of all that play reaches, if the argument names positions of rulesets and not a file.
pub(crate) fn explored(
    args: &InputArgs,
    rules: &RulesArgs,
    work: &Work,
) -> Result<Option<Game>, Failure> {
    let Some(text) = position(args) else { return Ok(None) };
    let mut rules = Rules::new(rules, work)?;
    let found = digraph_of(text, &mut rules, work);
    found.map(Some).map_err(|error| Text::new(text).unanswered(&error))
}

/// Reads a digraph file, or finds what play reaches from positions of rulesets.
pub(crate) fn game_or_positions(
    args: &InputArgs,
    rules: &RulesArgs,
    work: &Work,
) -> Result<Game, Failure> {
    explored(args, rules, work)?.map_or_else(|| game(args, work), Ok)
}

/// Reads a digraph file.
pub(crate) fn game(args: &InputArgs, work: &Work) -> Result<Game, Failure> {
    build(args, source(args, work)?)
}

/// Builds the digraph of what was read.
pub(crate) fn build(args: &InputArgs, source: Source) -> Result<Game, Failure> {
    let name = args.name();
    source.into_game().map_err(|error| Failure::input(format!("{name}: {error}")))
}

/// The format of a digraph file: the requested one, or the one of its extension.
pub(crate) fn format(args: &InputArgs) -> Result<Format, Failure> {
    if let Some(format) = args.input {
        return Ok(format);
    }
    let names = Format::ALL.map(Format::name).join("|");
    if args.file == Path::new("-") {
        let message =
            format!("standard input has no extension: choose the format with --input {names}");
        return Err(Failure::input(message));
    }
    let extension = args.file.extension().map(|extension| extension.to_string_lossy());
    if let Some(format) = extension.as_deref().and_then(Format::from_extension) {
        return Ok(format);
    }
    let name = args.name();
    look_into(&args.file).map_err(|error| reading::cannot(&name, &error))?;
    Err(Failure::input(format!(
        "{name}: unknown extension: choose the format with --input {names}"
    )))
}

/// Returns an error unless the file exists and can be read.
fn look_into(file: &Path) -> io::Result<()> {
    let kind = std::fs::metadata(file)?.file_type();
    // Reading from a stream would lose what is read.
    if kind.is_file() || kind.is_dir() {
        let _ = File::open(file)?.read(&mut [0])?;
    }
    Ok(())
}

/// The contents of a file; `-` is standard input. Devices are errors, and so are files that are too
/// large for the limits.
pub(crate) fn bytes(file: &Path, work: &Work) -> Result<Vec<u8>, Failure> {
    let name = reading::name(file);
    let most = most_bytes();
    let failure = |error| match error {
        Unread::Io(error) => reading::cannot(&name, &error),
        Unread::NoText => Failure::input(format!(
            "{name}: not a text file: there is a zero byte in the first {FIRST} bytes; digraph files \
             are text"
        )),
        Unread::TooLong => Failure::input(format!(
            "{name}: the input has more than {most} bytes, which is too much for the memory of this \
             machine"
        )),
    };
    if file == Path::new("-") {
        return contents(reading::standard_input(work), 0, most, work).map_err(failure);
    }
    let opened = std::fs::metadata(file).map_err(|error| failure(Unread::Io(error)))?;
    if is_device(&opened) {
        return Err(Failure::input(format!(
            "{name}: this is a device and not a file; `-` is standard input"
        )));
    }
    if opened.is_file() && opened.len() > most {
        return Err(failure(Unread::TooLong));
    }
    let text = streams::open(file, work);
    contents(text, opened.len(), most, work).map_err(failure)
}

/// Why reading stopped before the end.
#[derive(Debug)]
enum Unread {
    Io(io::Error),
    NoText,
    TooLong,
}

/// The number of bytes that are checked before more is read.
const FIRST: u64 = 1 << 16;

/// Reads everything, unless it is not text or has more than `most` bytes. Short input goes to the
/// reader of its format, which can say where it is wrong. Reserves memory for `expected` bytes.
fn contents(
    mut input: impl Read,
    expected: u64,
    most: u64,
    work: &Work,
) -> Result<Vec<u8>, Unread> {
    let mut bytes = Vec::new();
    work.hold(expected).map_err(|error| Unread::Io(io::Error::other(error)))?;
    let room = usize::try_from(expected).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(room).map_err(|error| Unread::Io(io::Error::other(error)))?;
    streams::fill(&mut bytes, &mut input, FIRST, work).map_err(Unread::Io)?;
    if bytes.len() as u64 == FIRST && bytes.contains(&0) {
        return Err(Unread::NoText);
    }
    streams::fill(&mut bytes, &mut input, most + 1, work).map_err(Unread::Io)?;
    if bytes.len() as u64 > most { Err(Unread::TooLong) } else { Ok(bytes) }
}

/// The most bytes of input: half of the memory of the machine where that is known, and at most 16
/// GiB.
fn most_bytes() -> u64 {
    const MOST: u64 = 16 << 30;
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = info.lines().find_map(|line| line.strip_prefix("MemTotal:")?.strip_suffix("kB"));
    let total = total.and_then(|kib| kib.trim().parse::<u64>().ok());
    total.map_or(MOST, |kib| (kib * 512).min(MOST))
}

#[cfg(unix)]
fn is_device(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = metadata.file_type();
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &std::fs::Metadata) -> bool {
    false
}

/// Labels a digraph by the requested theory, for sums.
pub(crate) fn labelling_for_sums(
    input: &InputArgs,
    args: &TheoryArgs,
    game: &Game,
) -> Result<Labelling, Failure> {
    label_for_sums(&game.digraph, args.theory(), &args.limits.work())
        .map_err(|error| unfit(input, game, &error))
}

/// Labels a digraph by the requested theory.
pub(crate) fn labelling(
    input: &InputArgs,
    args: &TheoryArgs,
    game: &Game,
    work: &Work,
) -> Result<Labelling, Failure> {
    label(&game.digraph, args.theory(), work).map_err(|error| unfit(input, game, &error))
}

fn unfit(input: &InputArgs, game: &Game, error: &DoesNotFit) -> Failure {
    Failure::input(format!("{}: {}", input.name(), refutation(error, &game.names)))
}

fn refutation(error: &DoesNotFit, names: &Names) -> String {
    let because = refutation_words(&error.refutation, names);
    format!(
        "the digraph does not fit the {} theory: {because}; --theory {} fits",
        error.theory, error.fitting
    )
}

/// Looks a node up by its name.
pub(crate) fn node(input: &InputArgs, names: &Names, name: &str) -> Result<Node, Failure> {
    names.node(name).ok_or_else(|| {
        let file = input.name();
        let nearest = nearest(names.iter(), name)
            .map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"));
        Failure::input(format!("{file} has no node `{name}`{nearest}"))
    })
}

#[cfg(test)]
mod tests {
    use nimoon::Limits;

    use super::*;

    #[test]
    fn input_is_read_up_to_a_bound() {
        let contents = |input: &mut dyn Read, expected, most| {
            contents(input, expected, most, &Work::new(Limits::new(0)))
        };
        let most = 3 * FIRST;
        for length in [0, 1, FIRST - 1, FIRST, FIRST + 1, most] {
            let read = contents(&mut io::repeat(b'a').take(length), length / 2, most);
            assert_eq!(read.unwrap().len() as u64, length);
        }
        let long = contents(&mut io::repeat(b'a').take(most + 1), 0, most);
        assert!(matches!(long, Err(Unread::TooLong)));
        assert!(matches!(contents(&mut io::repeat(b'a'), 0, most), Err(Unread::TooLong)));
        // More than anybody could read: the first bytes must be enough to reject it.
        assert!(matches!(contents(&mut io::repeat(0), 0, u64::MAX - 1), Err(Unread::NoText)));
        assert_eq!(contents(&mut &b"a\0"[..], 2, most).unwrap(), b"a\0");
    }

    #[test]
    fn the_bound_is_generous() {
        assert!((1 << 28..=16 << 30).contains(&most_bytes()));
    }
}
