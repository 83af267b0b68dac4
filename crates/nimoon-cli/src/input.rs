//! Digraph files.

use std::io::Read;
use std::path::Path;

use nimoon::{DoesNotFit, LabelProgress, Labelling, Node, label_watched};
use nimoon_formats::read::{Format, ReadError, nearest, read, read_watched};
use nimoon_formats::source::Terminal;
use nimoon_formats::write::refutation_words;
use nimoon_formats::{Game, Names, Source};

use crate::args::{InputArgs, TheoryArgs};
use crate::failure::Failure;

/// Reads a digraph file into a plain list of arcs.
pub(crate) fn source(args: &InputArgs) -> Result<Source, Failure> {
    let format = format(args)?;
    source_of(args, format, &bytes(&args.file)?)
}

/// The same, telling how many of how many bytes are read.
pub(crate) fn source_watched(
    args: &InputArgs,
    watch: &dyn Fn(u64, u64),
) -> Result<Source, Failure> {
    let format = format(args)?;
    let bytes = bytes(&args.file)?;
    let all = bytes.len() as u64;
    let found = read_watched(format, &bytes, &|place| watch(place as u64, all));
    found.map_err(|error| wrong(args, &bytes, &error))
}

/// Reads what is in a digraph file into a plain list of arcs.
pub(crate) fn source_of(args: &InputArgs, format: Format, bytes: &[u8]) -> Result<Source, Failure> {
    read(format, bytes).map_err(|error| wrong(args, bytes, &error))
}

/// An error at a place of a file.
pub(crate) fn wrong(args: &InputArgs, bytes: &[u8], error: &ReadError) -> Failure {
    let name = args.file.display();
    Failure::Input { message: format!("{name}: {error}"), context: error.snippet(bytes) }
}

/// Reads a digraph file.
pub(crate) fn game(args: &InputArgs) -> Result<Game, Failure> {
    build(args, source(args)?)
}

/// Builds the digraph of what was read; play must be normal play.
pub(crate) fn build(args: &InputArgs, source: Source) -> Result<Game, Failure> {
    let name = args.file.display();
    let game = source.into_game().map_err(|error| Failure::input(format!("{name}: {error}")))?;
    if let Some((node, _)) = game.terminals.iter().find(|(_, end)| *end != Terminal::Win) {
        return Err(Failure::input(format!(
            "{name}: play does not end with a win for the last player at `{}`: values and sums \
             are for normal play; leave out the ends of play, or see `nimoon remoteness`",
            game.names.name(*node)
        )));
    }
    if let Some((node, _)) = game.players.first() {
        return Err(Failure::input(format!(
            "{name}: only one player may move at `{}`: values and sums are for impartial games; \
             leave out the players, or see `nimoon remoteness`",
            game.names.name(*node)
        )));
    }
    Ok(game)
}

/// The format of a digraph file, by its extension or as told.
pub(crate) fn format(args: &InputArgs) -> Result<Format, Failure> {
    if let Some(format) = args.input {
        return Ok(format);
    }
    let names = Format::ALL.map(Format::name).join("|");
    if args.file == Path::new("-") {
        let message =
            format!("standard input has no extension: tell the format by --input {names}");
        return Err(Failure::input(message));
    }
    let extension = args.file.extension().map(|extension| extension.to_string_lossy());
    extension.as_deref().and_then(Format::from_extension).ok_or_else(|| {
        Failure::input(format!(
            "{}: the extension tells no format: tell it by --input {names}",
            args.file.display()
        ))
    })
}

/// The contents of a file; `-` is standard input.
pub(crate) fn bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    let cannot = |error| Failure::other(format!("{} cannot be read: {error}", file.display()));
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(cannot)?;
        Ok(bytes)
    } else {
        std::fs::read(file).map_err(cannot)
    }
}

/// Labels a digraph as asked.
pub(crate) fn labelling(
    input: &InputArgs,
    args: &TheoryArgs,
    game: &Game,
) -> Result<Labelling, Failure> {
    labelling_watched(input, args, game, &mut |_| {})
}

/// Labels a digraph as asked, telling how far it is now and then.
pub(crate) fn labelling_watched(
    input: &InputArgs,
    args: &TheoryArgs,
    game: &Game,
    watch: &mut dyn FnMut(LabelProgress),
) -> Result<Labelling, Failure> {
    label_watched(&game.digraph, args.theory(), args.budget(), watch).map_err(|error| {
        Failure::input(format!("{}: {}", input.file.display(), refutation(&error, &game.names)))
    })
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
        let file = input.file.display();
        let nearest = nearest(names.iter(), name)
            .map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"));
        Failure::input(format!("{file} has no node `{name}`{nearest}"))
    })
}
