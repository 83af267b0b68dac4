//! `nimoon cluster`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use nimoon::remoteness::Play;
use nimoon::{AnyValue, Label};
use nimoon_cluster::{
    Checkpoints, ClusterError, Doing, End, Every, Input, Known, Labelled, Manifest, Plan,
    Processes, Progress as Told, Question, nodes_of, read_hosts,
};
use nimoon_formats::write::json::{JsonCover, JsonOutcome, JsonValue};
use serde_json::{Value as Json, json};

use crate::args::{AnswerFormat, ChosenTheory, theories};
use crate::failure::Failure;
use crate::interrupt;
use crate::limits::{self, BudgetArgs};
use crate::output::{print_json, print_text};
use crate::progress::Progress;

pub(crate) const EXAMPLES: &str = "\
Examples:
  nimoon cluster label digraph.edges --workers 4 --out labels
  nimoon cluster label parts/ --hosts hosts.txt --process 0 --workers 8 --out labels --checkpoint kept
  nimoon cluster label --ruleset nimstring:2x3 --workers 2 --out labels
  nimoon cluster query labels/manifest.json a b --format json
A hosts file has a line `host:port` for each process. Each process is started with its own number, and all else alike.";

#[derive(Debug, Args)]
pub(crate) struct ClusterArgs {
    #[command(subcommand)]
    command: ClusterCommand,
}

#[derive(Debug, Subcommand)]
enum ClusterCommand {
    /// Labels a digraph by several workers, here or on several hosts, into shards with a manifest.
    Label(ClusterLabelArgs),
    /// Values and sums of nodes, from the manifest of such a run.
    Query(ClusterQueryArgs),
}

#[derive(Debug, Args)]
#[command(mut_arg("positions", |budget| budget.help("How many positions all processes may explore")))]
#[command(mut_arg("memory", |memory| memory.help(
    "How much memory this process may take, as in 512M or 2G; as much as there is, unless told"
)))]
#[command(mut_arg("time", |time| time.help(
    "After how many seconds to stop; what is known by then is kept with --checkpoint"
)))]
struct ClusterLabelArgs {
    /// Edge lists, or folders of them; each is read in parts, by all workers. Or positions, as
    /// `ruleset:position`, as with --ruleset.
    #[arg(required_unless_present = "ruleset", conflicts_with = "ruleset", value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Explore everything that play reaches from these positions, in place of reading files.
    #[arg(long, value_name = "EXPR")]
    ruleset: Option<String>,

    /// The files are the share of this process alone; the others have the rest.
    #[arg(long, requires = "hosts", conflicts_with = "ruleset")]
    local: bool,

    /// The folder for the shards and the manifest.
    #[arg(long, value_name = "FOLDER", default_value = "labels")]
    out: PathBuf,

    /// How many workers this process has, which are threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    workers: usize,

    /// The addresses of all processes, a line `host:port` for each.
    #[arg(long, value_name = "FILE", requires = "process")]
    hosts: Option<PathBuf>,

    /// Which process of the hosts file this is, from 0 on.
    #[arg(long, value_name = "K", requires = "hosts")]
    process: Option<usize>,

    /// How many seconds to wait for other processes to come, or to say something.
    #[arg(long, value_name = "SECONDS", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(1..=86400))]
    patience: u64,

    /// The theory; `auto`, as without this option, takes the smallest that fits.
    #[arg(long, value_name = "THEORY", value_parser = theories())]
    theory: Option<ChosenTheory>,

    /// Find remoteness and terminal distance in place of values.
    #[arg(long, value_enum, value_name = "PLAY", conflicts_with = "theory")]
    remoteness: Option<PlayName>,

    /// How many shards there are; workers can be no more.
    #[arg(long, value_name = "N", default_value_t = Plan::SHARDS)]
    shards: usize,

    /// Keep checkpoints in this folder, and go on from the last complete one there.
    #[arg(long, value_name = "FOLDER")]
    checkpoint: Option<PathBuf>,

    /// With --checkpoint: how many seconds to wait between two.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "checkpoint")]
    every: u64,

    /// With --checkpoint: how many rounds of messages to wait, in place of time.
    #[arg(long, value_name = "ROUNDS", requires = "checkpoint", conflicts_with = "every",
          value_parser = clap::value_parser!(u64).range(1..))]
    every_rounds: Option<u64>,

    #[command(flatten)]
    limits: BudgetArgs<{ Plan::POSITIONS }>,

    /// How many MiB of a file a worker reads at once.
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    piece: u32,

    /// Print what the first process is at as lines on standard error, which need not be a terminal.
    #[arg(long)]
    log: bool,

    /// How to print the summary.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    format: AnswerFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlayName {
    Normal,
    Misere,
}

#[derive(Debug, Args)]
struct ClusterQueryArgs {
    /// The manifest, or the folder that it is in.
    manifest: PathBuf,

    /// Nodes; for a ruleset that was explored, positions.
    #[arg(required = true, value_name = "NODE")]
    nodes: Vec<String>,

    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    format: AnswerFormat,
}

pub(crate) fn run(args: &ClusterArgs) -> Result<(), Failure> {
    match &args.command {
        ClusterCommand::Label(args) => label(args),
        ClusterCommand::Query(args) => query(args),
    }
}

fn failure(error: &ClusterError) -> Failure {
    let message = error.to_string();
    match error.end() {
        End::Input => Failure::input(message),
        End::Budget(limit) => {
            Failure::Budget { message: format!("{message}; raise it by {}", limits::name(limit)) }
        }
        End::Stopped => Failure::Stopped { message },
        End::Other => Failure::other(message),
    }
}

/// The same for a run: what was kept of it can be gone on from.
fn run_failure(error: &ClusterError, checkpoint: Option<&Path>) -> Failure {
    let Some(folder) = checkpoint.map(Path::display) else { return failure(error) };
    match failure(error) {
        Failure::Budget { message } => Failure::Budget {
            message: format!(
                "{message}, and the command goes on from the last checkpoint in {folder}"
            ),
        },
        Failure::Stopped { message } => {
            interrupt::answering();
            Failure::Stopped {
                message: format!(
                    "{message}; the same command goes on from the last checkpoint in {folder}"
                ),
            }
        }
        failure => failure,
    }
}

/// Whether this is no file that is there, and has the form of positions.
fn is_expression(path: &Path) -> bool {
    !path.exists() && path.to_str().is_some_and(|text| text.contains(':'))
}

fn label(args: &ClusterLabelArgs) -> Result<(), Failure> {
    let input = match (&args.ruleset, &args.inputs[..]) {
        (Some(expression), _) => Input::Expression(expression.clone()),
        (None, [path]) if !args.local && is_expression(path) => {
            Input::Expression(path.to_string_lossy().into_owned())
        }
        (None, paths) => Input::Files { paths: paths.to_vec(), local: args.local },
    };
    let mut plan = Plan::new(input, &args.out);
    plan.question = match args.remoteness {
        Some(PlayName::Normal) => Question::Remoteness(Play::Normal),
        Some(PlayName::Misere) => Question::Remoteness(Play::Misere),
        None => Question::Label(args.theory.and_then(|ChosenTheory(theory)| theory)),
    };
    plan.workers = args.workers;
    plan.shards = args.shards;
    plan.effort = args.limits.effort_with(u64::MAX);
    plan.piece = (args.piece as usize) << 20;
    plan.checkpoints = args.checkpoint.clone().map(|folder| {
        let every = match args.every_rounds {
            Some(rounds) => Every::Supersteps(rounds),
            None => Every::Time(Duration::from_secs(args.every)),
        };
        Checkpoints { folder, every }
    });
    if let (Some(hosts), Some(process)) = (&args.hosts, args.process) {
        let hosts = read_hosts(hosts).map_err(|error| failure(&error))?;
        let patience = Duration::from_secs(args.patience);
        plan.processes = Some(Processes { hosts, process, patience });
    }
    match args.checkpoint {
        // What is known is kept first, however long that takes.
        Some(_) => interrupt::catch_patiently(),
        None => interrupt::catch(),
    }
    // What there is to say about a process that is gone is said once, below.
    nimoon_cluster::hush_connections();
    let (progress, log) = (Progress::new(), args.log);
    let told = nimoon_cluster::label(
        &plan,
        Arc::new(move |told| {
            let line = in_words(told);
            if log {
                eprintln!("{line}");
            }
            progress.say(line);
        }),
    );
    let manifest = told.map_err(|error| run_failure(&error, args.checkpoint.as_deref()))?;
    if args.process.is_some_and(|process| process > 0) {
        return Ok(());
    }
    match args.format {
        AnswerFormat::Table => print_text(&summary(&manifest, &plan)),
        AnswerFormat::Json => print_json(&manifest),
    }
}

/// What the first process is at, in a line.
fn in_words(told: Told) -> String {
    let mut line = match told.stage {
        Doing::Building { met, left: 0 } => format!("{met} nodes met"),
        Doing::Building { met, left } => format!("{met} positions met, {left} to look at"),
        Doing::Labelling { level, labelled, nodes } => {
            format!("level {level}: {labelled} of {nodes} nodes labelled")
        }
        Doing::Kept { serial } => format!("checkpoint {serial} kept"),
        Doing::Resumed { serial } => format!("checkpoint {serial} taken up"),
        Doing::Writing => "writing shards".to_owned(),
    };
    let _ = write!(line, "; {} rounds, {} messages", told.supersteps, told.messages);
    if let Some(memory) = told.memory {
        let _ = write!(line, ", {} MiB", memory >> 20);
    }
    line
}

fn summary(manifest: &Manifest, plan: &Plan) -> String {
    const MOST_LINES: usize = 20;
    let what = match (&manifest.theory, &manifest.remoteness) {
        (Some(theory), _) => format!("{theory} theory"),
        (None, Some(play)) => format!("remoteness in {play} play"),
        (None, None) => "labels".to_owned(),
    };
    let mut text = format!(
        "{what}: {} nodes ({} gray), {} arcs; checksum {}\n{} shards and manifest.json in {}\n\n",
        manifest.nodes,
        manifest.gray,
        manifest.arcs,
        manifest.checksum,
        manifest.shards.len(),
        plan.out.display()
    );
    for count in manifest.histogram.iter().take(MOST_LINES) {
        let label = count.label.as_deref().unwrap_or("others");
        let _ = writeln!(text, "{:>12}  {label}", count.nodes);
    }
    if let Some(more @ 1..) = manifest.histogram.len().checked_sub(MOST_LINES) {
        let _ = writeln!(text, "{:>12}  more in the manifest", format!("{more} labels"));
    }
    text
}

fn query(args: &ClusterQueryArgs) -> Result<(), Failure> {
    let failure = |error: ClusterError| failure(&error);
    let mut labelled = Labelled::open(&args.manifest).map_err(failure)?;
    let mut nodes: Vec<(String, Known)> = Vec::new();
    for asked in &args.nodes {
        if let Some(known) = labelled.node(asked).map_err(failure)? {
            nodes.push((asked.clone(), known));
            continue;
        }
        // A position may be written in several ways, and may be a sum.
        let explored = !labelled.manifest.starts.is_empty();
        let names = if explored { nodes_of(asked).map_err(failure)? } else { Vec::new() };
        let missing =
            || Failure::input(format!("{}: there is no node `{asked}`", args.manifest.display()));
        if names.is_empty() {
            return Err(missing());
        }
        for name in names {
            let known = labelled.node(&name).map_err(failure)?.ok_or_else(missing)?;
            nodes.push((name, known));
        }
    }
    let gray: Vec<&str> = nodes
        .iter()
        .filter(|(_, known)| matches!(known, Known::Label(Label::Gray(_))))
        .map(|(name, _)| name.as_str())
        .collect();
    if let [first, second, ..] = gray[..] {
        return Err(Failure::input(format!(
            "`{first}` and `{second}` are both gray: at most one piece can stand on a gray node, so this sum does not exist"
        )));
    }
    let sum = (nodes.len() > 1).then(|| add(&nodes)).flatten();
    let theory = labelled.theory().map(nimoon::Theory::name);
    match args.format {
        AnswerFormat::Json => print_json(&json!({
            "theory": theory,
            "nodes": nodes.iter().map(|(name, known)| as_json(name, known)).collect::<Vec<_>>(),
            "sum": sum.as_ref().map(|value| json!({
                "value": JsonValue(value), "outcome": JsonOutcome(value.outcome()),
            })),
        })),
        AnswerFormat::Table => {
            let mut text = String::new();
            let width = nodes.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
            for (name, known) in &nodes {
                let pad = " ".repeat(width - name.chars().count());
                let outcome = known.outcome().map_or("-".to_owned(), |outcome| outcome.to_string());
                let _ = writeln!(text, "{name}{pad}  {outcome}  {}", known_text(known));
            }
            if let Some(value) = &sum {
                let outcome = value.outcome().map_or(String::new(), |outcome| outcome.to_string());
                let _ =
                    writeln!(text, "\nsum  {value}, {outcome} ({} theory)", theory.unwrap_or(""));
            }
            print_text(&text)
        }
    }
}

/// The value of the sum, where all nodes are white and have values that add.
fn add(nodes: &[(String, Known)]) -> Option<AnyValue> {
    let mut values = nodes.iter().map(|(_, known)| match known {
        Known::Label(label) => label.value(),
        Known::Remoteness { .. } => None,
    });
    let first = values.next()??.clone();
    values.try_fold(first, |sum, value| sum.try_add(value?))
}

fn known_text(known: &Known) -> String {
    let number = |n: Option<u64>| n.map_or("∞".to_owned(), |n| n.to_string());
    match known {
        Known::Label(Label::White(value)) => value.to_string(),
        Known::Label(Label::Gray(Some(cover))) => format!("gray, covers {cover}"),
        Known::Label(Label::Gray(None)) => "gray, covers -".to_owned(),
        Known::Remoteness { remoteness, distance } => {
            format!("remoteness {}, distance {}", number(*remoteness), number(*distance))
        }
    }
}

fn as_json(name: &str, known: &Known) -> Json {
    let outcome = JsonOutcome(known.outcome());
    match known {
        Known::Label(Label::White(value)) => {
            json!({"node": name, "color": "white", "value": JsonValue(value), "outcome": outcome})
        }
        Known::Label(Label::Gray(cover)) => {
            json!({"node": name, "color": "gray", "covers": JsonCover(cover.as_ref())})
        }
        Known::Remoteness { remoteness, distance } => {
            json!({"node": name, "remoteness": remoteness, "distance": distance, "outcome": outcome})
        }
    }
}
