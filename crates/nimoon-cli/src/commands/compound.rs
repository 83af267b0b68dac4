//! `nimoon compound`.

use clap::Args;
use nimoon::smith::compound::{Compound, Compounds, Kind};
use nimoon::smith::remoteness::Play;
use nimoon::{Interrupted, Work};
use nimoon_formats::Game;
use nimoon_session::report::CompoundReport;

use crate::args::{AnswerFormat, InputArgs, RulesArgs, TurnArgs};
use crate::expressions::Text;
use crate::failure::Failure;
use crate::input;
use crate::limits::{self, BudgetArgs, OPTIONS};
use crate::output::{note, or_unknown, print_json, print_text};

pub(crate) const EXAMPLES: &str = "\
In a conjunctive compound a player moves in every component, and play ends as soon as one of them ends. In a selective compound \
a player moves in one or more components, in a disjunctive compound in exactly one. nimoon uses a formula if there is one and \
searches otherwise; the answer says which.

Examples:
  nimoon compound conjunctive examples/nim.game 2 3
  nimoon compound 'selective(conjunctive(2,3),1)' examples/nim.game
  nimoon compound disjunctive examples/smith-trap.game a b --misere";

#[derive(Debug, Args)]
pub(crate) struct CompoundArgs {
    /// conjunctive, selective or disjunctive, with the nodes after the file; or a compound such as
    /// selective(conjunctive(a,b),c), or `@FILE` with one in it.
    #[arg(value_name = "KIND")]
    kind: String,

    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// The nodes with a piece, one per component; you can repeat a node.
    #[arg(value_name = "NODE")]
    nodes: Vec<String>,

    /// Solve misère play: the player who moves last loses, and terminal positions have remoteness 1.
    #[arg(long)]
    misere: bool,

    #[command(flatten)]
    turn: TurnArgs,

    #[command(flatten)]
    limits: BudgetArgs,

    /// Print the answer in this format.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    format: AnswerFormat,
}

pub(crate) fn run(args: &CompoundArgs) -> Result<(), Failure> {
    or_unknown(answer(args), args.format == AnswerFormat::Json, &CompoundReport::default())
}

fn answer(args: &CompoundArgs) -> Result<(), Failure> {
    let work = args.limits.work();
    let game = input::game_or_positions(&args.input, &args.rules, &work)?;
    work.admit_listed(game.digraph.len() as u64).map_err(limits::over_budget)?;
    let compound = compound(args, &game)?;
    let play = if args.misere { Play::Misere } else { Play::Normal };
    let work = args.turn.within(&args.limits.work());
    let compounds = Compounds::new(&game.digraph, &work).map_err(|gray| {
        Failure::input(format!(
            "{}: node `{}` is gray: compounds are for digraphs without gray nodes; `nimoon sum` adds \
             positions with them",
            args.input.name(),
            game.names.name(gray.node)
        ))
    })?;
    let answer = compounds.solve(&compound, play);
    let report = CompoundReport::new(&compound, &game.names, play, &answer);
    match args.format {
        AnswerFormat::Table => print_text(&report.text())?,
        AnswerFormat::Json => print_json(&report)?,
    }
    let (Some(too_large), Some(missing)) = (answer.too_large, report.missing()) else {
        return Ok(());
    };
    let cheap = Interrupted::positions(work.limits().turn);
    if report.has_outcome() && too_large.interrupted == cheap && cheap != over(&work) {
        note(&format!("{missing}: {too_large}; search with --turn quickest"));
        return Ok(());
    }
    match limits::interrupted(too_large.interrupted, too_large, OPTIONS) {
        Failure::Budget { message } if report.has_outcome() => {
            note(&format!("{missing}: {message}"));
            Ok(())
        }
        failure => Err(failure),
    }
}

/// That all positions that are allowed were visited.
fn over(work: &Work) -> Interrupted {
    Interrupted::positions(work.limits().positions)
}

/// The requested compound.
fn compound(args: &CompoundArgs, game: &Game) -> Result<Compound, Failure> {
    if let Some(kind) = Kind::from_name(&args.kind) {
        let nodes: Result<Vec<_>, _> =
            args.nodes.iter().map(|name| input::node(&args.input, &game.names, name)).collect();
        return Compound::new(kind, nodes?).ok_or_else(|| {
            Failure::input(format!(
                "a {kind} compound needs at least one component: name nodes after the file"
            ))
        });
    }
    if !args.kind.starts_with('@') && args.kind != "-" && !args.kind.contains('(') {
        return Err(Failure::input(format!(
            "unknown compound `{}`: expected conjunctive, selective or disjunctive, or a compound \
             such as selective(conjunctive(a,b),c)",
            args.kind
        )));
    }
    if let Some(node) = args.nodes.first() {
        return Err(Failure::input(format!(
            "unexpected node `{node}`: the compound already names its nodes"
        )));
    }
    let text = Text::of_argument(&args.kind, &args.limits.work())?;
    let node = |name: &str| game.names.node(name);
    Compound::read(text.as_str(), node).map_err(|error| text.wrong(error.at, &error.message))
}
