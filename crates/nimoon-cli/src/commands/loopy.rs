//! `nimoon loopy`.

use std::borrow::Cow;
use std::path::Path;

use clap::{Args, ValueEnum};
use nimoon::{Work, partizan::Stoppers};
use nimoon_formats::read::partizan::{self, PartizanGame};
use nimoon_session::certificate::LoopyCertificate;
use nimoon_session::loopy::{DrawError, Drawing, LoopyGame, LoopyReport};

use crate::certificates::{self, CertificateArgs};
use crate::expressions::Text;
use crate::failure::Failure;
use crate::input;
use crate::limits::{BudgetArgs, over_budget};
use crate::output::{or_unknown, print_json, print_text};
use crate::reading;

#[derive(Debug, Args)]
pub(crate) struct LoopyArgs {
    /// An expression, a .json file with a graph, `-` for a graph on standard input, or `@FILE` with
    /// an expression in it.
    #[arg(value_name = "EXPR|FILE", allow_hyphen_values = true)]
    pub(crate) game: String,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs,

    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,

    /// Print the answer in this format; dot and svg draw the canonical form if the game equals a
    /// stopper.
    #[arg(long, value_enum, default_value_t = LoopyFormat::Table)]
    pub(crate) format: LoopyFormat,

    /// Draw the graph as given, not the canonical form (dot and svg).
    #[arg(long)]
    pub(crate) given: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LoopyFormat {
    Table,
    Json,
    Dot,
    Svg,
}

pub(crate) fn run(args: &LoopyArgs) -> Result<(), Failure> {
    or_unknown(answer(args), args.format == LoopyFormat::Json, &LoopyReport::default())
}

fn answer(args: &LoopyArgs) -> Result<(), Failure> {
    let is_picture = matches!(args.format, LoopyFormat::Dot | LoopyFormat::Svg);
    if args.given && !is_picture {
        return Err(Failure::input("--given is for pictures: use it with --format dot or svg"));
    }
    let mut stoppers = Stoppers::new();
    let mut work = args.limits.work();
    let game = evaluate(Argument::read(&args.game, &work)?, &mut stoppers, &mut work)?;
    if args.certificate.is_requested() && game.interrupted.is_none() {
        let given = graph(&game, &stoppers, &mut work)?;
        let certificate = LoopyCertificate::new(&given, game.sides, &stoppers, &mut work)
            .map_err(certificates::failure)?;
        args.certificate.save(|out| Ok(serde_json::to_writer(out, &certificate)?))?;
    }
    let more = args.limits.work();
    let drawing = match args.format {
        LoopyFormat::Dot => Some(Drawing::Dot),
        LoopyFormat::Svg => Some(Drawing::Svg),
        LoopyFormat::Table | LoopyFormat::Json => None,
    };
    let interrupted = if let Some(drawing) = drawing {
        print_text(&game.draw(&mut stoppers, drawing, args.given, &more).map_err(undrawn)?)?;
        game.interrupted
    } else {
        let report = LoopyReport::new(&game, &mut stoppers, &mut work);
        if args.format == LoopyFormat::Json {
            print_json(&report)?;
            report.interrupted()
        } else {
            let text = report.text(&mut stoppers, &more);
            let (text, interrupted) = text.map_err(|error| Failure::other(error.to_string()))?;
            print_text(&text)?;
            interrupted
        }
    };
    interrupted.map_or(Ok(()), |interrupted| Err(over_budget(interrupted)))
}

/// A game on the command line.
pub(crate) enum Argument {
    /// A graph.
    Graph(PartizanGame),
    /// An expression.
    Expression(Text),
}

impl Argument {
    /// `-`, names that end in `.json` and names of files are graphs; everything else is an
    /// expression, or `@FILE` with one.
    pub(crate) fn read(argument: &str, work: &Work) -> Result<Self, Failure> {
        let path = Path::new(argument);
        let is_json = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
        let is_graph = argument == "-" || is_json || path.is_file();
        if !is_graph || argument.starts_with('@') {
            return Ok(Self::Expression(Text::of_argument(argument, work)?));
        }
        let name = reading::name(path);
        let bytes = input::bytes(path, work)?;
        let game = partizan::read_within(&bytes, work)
            .map_err(|error| input::unread(&name, &bytes, &error))?;
        Ok(Self::Graph(game))
    }
}

/// Solves a game.
pub(crate) fn evaluate(
    argument: Argument,
    stoppers: &mut Stoppers,
    work: &mut Work,
) -> Result<LoopyGame, Failure> {
    match argument {
        Argument::Graph(given) => Ok(LoopyGame::of_graph(given, stoppers, work)),
        Argument::Expression(text) => LoopyGame::of_expression(text.as_str(), stoppers, work)
            .map_err(|error| text.wrong(error.at, &error.message)),
    }
}

/// The graph of a game, for a certificate.
pub(crate) fn graph<'a>(
    game: &'a LoopyGame,
    stoppers: &Stoppers,
    work: &mut Work,
) -> Result<Cow<'a, PartizanGame>, Failure> {
    let given = game.given(stoppers, work).map_err(over_budget)?;
    given.ok_or_else(|| certificates::none("a game that is given by its sides, without a graph"))
}

fn undrawn(error: DrawError) -> Failure {
    match error {
        DrawError::Interrupted(interrupted) => over_budget(interrupted),
        DrawError::Picture(error) => Failure::input(format!("{}: use --format json", error.fact())),
        DrawError::NoGraph => Failure::input(error.to_string()),
        error => Failure::other(error.to_string()),
    }
}
