//! `nimoon remoteness`.

use clap::Args;
use nimoon::Work;
use nimoon::smith::grundy::wide::functions;
use nimoon::smith::grundy::{GrundyError, GrundyPair};
use nimoon::smith::remoteness::{PartizanRemoteness, Play, Remoteness};
use nimoon_formats::Game;
use nimoon_formats::read::{Format, partizan, unfit};
use nimoon_session::certificate::{write_partizan_remoteness, write_remoteness};
use nimoon_session::is_partizan;
use nimoon_session::report::{
    NodeRows, PartizanRemotenessReport, Payoffs, PayoffsError, RemotenessReport, WideReport,
    write_node_json, write_node_table,
};
use serde_json::json;

use crate::args::{AnswerFormat, InputArgs, RulesArgs};
use crate::certificates::CertificateArgs;
use crate::failure::Failure;
use crate::input;
use crate::limits::{self, BudgetArgs, OPTIONS, over_budget};
use crate::output::{complain, or_unknown, print, print_answer, print_json};

pub(crate) const EXAMPLES: &str = "\
The distance is the length of the longest play. The remoteness is the length of play if the winner hurries and the loser \
delays: odd if the next player wins (N), even if the previous player wins (P), infinite in a draw (D). A single piece must be \
moved in any case, so gray nodes count as white nodes here.

A file can state the result at each terminal node for the player who moved last: a win, a loss, a draw or a payoff. nimoon then \
prints what the next and the previous player can guarantee, with the least number of moves. It also reads graphs with Left and \
Right edges as JSON.

Examples:
  nimoon remoteness examples/smith-trap.game --strategy
  nimoon remoteness examples/smith-trap.game --grundy
  nimoon remoteness examples/payoffs.json
  nimoon remoteness examples/over.json";

const GRUNDY_WITH_MISERE: &str = "--grundy cannot be used with --misere: G, H and J are functions of normal play, and \
                                  do not give the outcomes of misère play";

const GRUNDY_WITHOUT_CERTIFICATE: &str =
    "the certificate proves distance, remoteness and outcome, but not G, H and J";

// Each flag is an independent option of the command line.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Args)]
pub(crate) struct RemotenessArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// Solve misère play: the player who moves last loses, and terminal nodes have remoteness 1.
    #[arg(long)]
    misere: bool,

    /// Also print a best move from each node: the fastest win, the slowest loss, or a move that
    /// keeps the draw.
    #[arg(long)]
    strategy: bool,

    /// Also print Smith's functions of normal play: G, the strict Sprague–Grundy function, the
    /// least H beside it, and J, the G of the options.
    #[arg(long)]
    grundy: bool,

    /// List the Sprague–Grundy functions in the wide sense: all that are everywhere the mex of the
    /// options.
    #[arg(long, conflicts_with_all = ["misere", "strategy", "grundy"])]
    wide: bool,

    /// With --wide: list at most this many.
    #[arg(long, value_name = "FUNCTIONS", default_value_t = 100, requires = "wide")]
    limit: usize,

    #[command(flatten)]
    certificate: CertificateArgs,

    #[command(flatten)]
    limits: BudgetArgs,

    /// Print the answer in this format.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    format: AnswerFormat,
}

impl RemotenessArgs {
    fn play(&self) -> Play {
        if self.misere { Play::Misere } else { Play::Normal }
    }

    /// Returns an error for an option that has no meaning here.
    fn refuse(&self, options: &[&str], why: &str) -> Result<(), Failure> {
        let given = [
            ("--misere", self.misere),
            ("--strategy", self.strategy),
            ("--grundy", self.grundy),
            ("--wide", self.wide),
        ];
        let found = given.iter().find(|(option, given)| *given && options.contains(option));
        found.map_or(Ok(()), |(option, _)| {
            let file = self.input.name();
            Err(Failure::input(format!("{option} cannot be used here: {file} {why}")))
        })
    }
}

pub(crate) fn run(args: &RemotenessArgs) -> Result<(), Failure> {
    let unknown = if args.wide { json!({ "functions": [], "complete": false }) } else { json!([]) };
    or_unknown(answer(args), args.format == AnswerFormat::Json, &unknown)
}

fn answer(args: &RemotenessArgs) -> Result<(), Failure> {
    if args.misere && args.grundy {
        return Err(Failure::input(GRUNDY_WITH_MISERE.to_owned()));
    }
    let work = args.limits.work();
    let game = match input::explored(&args.input, &args.rules, &work)? {
        Some(game) => game,
        None => match of_file(args, &work)? {
            Some(game) => game,
            None => return Ok(()),
        },
    };
    if !game.terminals.is_empty() {
        args.refuse(&["--misere"], "says that the last player wins")?;
    }
    if let Some(gray) = game.digraph.gray_nodes().next().filter(|_| args.grundy || args.wide) {
        let name = game.names.name(gray);
        return Err(wrong(
            args,
            &format!(
                "node `{name}` is gray: Sprague–Grundy functions need digraphs without gray nodes; \
                 `nimoon label` finds the values of other digraphs"
            ),
        ));
    }
    if args.wide {
        args.certificate.refuse("Sprague–Grundy functions in the wide sense")?;
        return run_wide(args, game);
    }
    let work = args.limits.work();
    // Print the remoteness, which is cheapest, even if a limit stops the search for G.
    let remoteness = Remoteness::try_new(&game.digraph, args.play(), &work).map_err(over_budget)?;
    let pair = args.grundy.then(|| GrundyPair::try_new(&game.digraph, &work)).transpose();
    let (pair, missing) = match pair {
        Ok(pair) => (pair, None),
        Err(GrundyError::Interrupted(interrupted)) => (None, Some(interrupted)),
        Err(error) => return Err(wrong(args, &error.to_string())),
    };
    let report = RemotenessReport {
        digraph: &game.digraph,
        names: &game.names,
        remoteness: &remoteness,
        strategy: args.strategy,
        pair: pair.as_ref(),
    };
    args.certificate.save(|out| write_remoteness(&game.digraph, &game.names, &remoteness, out))?;
    if args.grundy && args.certificate.is_requested() {
        complain(format_args!("warning: {GRUNDY_WITHOUT_CERTIFICATE}"));
    }
    write(args, &report)?;
    missing.map_or(Ok(()), |interrupted| {
        let message = format!("{interrupted}: G, H and J are not known");
        Err(limits::interrupted(interrupted, message, OPTIONS))
    })
}

fn wrong(args: &RemotenessArgs, message: &str) -> Failure {
    Failure::input(format!("{}: {message}", args.input.name()))
}

fn write(args: &RemotenessArgs, report: &impl NodeRows) -> Result<(), Failure> {
    match args.format {
        AnswerFormat::Table => print_answer(|out| write_node_table(report, out)),
        AnswerFormat::Json => print(|out| write_node_json(report, out)),
    }
}

fn run_partizan(args: &RemotenessArgs, bytes: &[u8]) -> Result<(), Failure> {
    args.refuse(
        &["--grundy", "--wide"],
        "has Left and Right edges, and G is defined for impartial games",
    )?;
    let game = partizan::read_within(bytes, &args.limits.work())
        .map_err(|error| input::wrong(&args.input, bytes, &error))?;
    let remoteness = PartizanRemoteness::try_new(&game.graph, args.play(), &args.limits.work())
        .map_err(over_budget)?;
    args.certificate.save(|out| write_partizan_remoteness(&game, args.play(), &remoteness, out))?;
    let report = PartizanRemotenessReport {
        graph: &game.graph,
        names: &game.names,
        remoteness: &remoteness,
        strategy: args.strategy,
    };
    write(args, &report)
}

fn run_payoffs(
    args: &RemotenessArgs,
    game: &Game,
    format: Format,
    bytes: &[u8],
) -> Result<(), Failure> {
    args.refuse(&["--misere", "--grundy", "--wide"], "defines how play ends, or who moves")?;
    args.certificate.refuse("games whose terminal nodes are not all wins of the last player")?;
    let work = args.limits.work();
    let failure = |error: PayoffsError| match error {
        PayoffsError::Interrupted { interrupted, .. } => {
            limits::interrupted(interrupted, &error, OPTIONS)
        }
        PayoffsError::Unfit(found) => {
            input::wrong(&args.input, bytes, &unfit(format, bytes, found, &work))
        }
        error => wrong(args, &error.to_string()),
    };
    let solved = Payoffs::new(game, &work).map_err(failure)?;
    solved.with_report(&game.names, |report| write(args, report)).map_err(failure)?
}

/// The digraph of a file; none where it says itself how play ends, or who moves, and is answered.
fn of_file(args: &RemotenessArgs, work: &Work) -> Result<Option<Game>, Failure> {
    let format = input::format(&args.input)?;
    let bytes = input::bytes(&args.input.file, work)?;
    if format == Format::Json && is_partizan(&bytes) {
        return run_partizan(args, &bytes).map(|()| None);
    }
    let source = input::source_of(&args.input, format, &bytes, work)?;
    let impartial = source.check_impartial().is_ok();
    let game = input::build(&args.input, source)?;
    if !impartial {
        return run_payoffs(args, &game, format, &bytes).map(|()| None);
    }
    Ok(Some(game))
}

fn run_wide(args: &RemotenessArgs, game: Game) -> Result<(), Failure> {
    let found = functions(&game.digraph, args.limit, &args.limits.work());
    let (complete, interrupted) = (found.complete, found.interrupted);
    let report = WideReport::new(game.names, found);
    match args.format {
        AnswerFormat::Json => print_json(&report)?,
        AnswerFormat::Table => print(|out| write!(out, "{report}"))?,
    }
    if complete {
        return Ok(());
    }
    Err(match interrupted {
        Some(interrupted) => over_budget(interrupted),
        None => Failure::Budget {
            message: format!(
                "there are more than {} functions; raise the limit with --limit",
                args.limit
            ),
        },
    })
}
