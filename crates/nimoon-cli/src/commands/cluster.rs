//! `nimoon cluster`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use nimoon::smith::remoteness::Play;
use nimoon::{AnyValue, Label};
use nimoon_cluster::{
    Activity, Checkpoints, ClusterError, End, Every, Input, Known, Labelled, Manifest, Plan,
    Processes, Progress as ClusterProgress, Question, nodes_of, read_hosts,
};
use nimoon_formats::write::json::{JsonValue, Shaped as _};
use serde_json::{Value as Json, json};

use crate::args::{AnswerFormat, ChosenTheory, theories};
use crate::failure::Failure;
use crate::interrupt;
use crate::limits::{self, BudgetArgs};
use crate::output::{complain, print_answer_text, print_json, print_text};
use crate::progress::Progress;

pub(crate) const EXAMPLES: &str = "\
Examples:
  nimoon cluster label digraph.edges --workers 4 --out labels
  nimoon cluster label parts/ --hosts hosts.txt --process 0 --workers 8 --out labels --checkpoint kept
  nimoon cluster label --ruleset nimstring:2x3 --workers 2 --out labels
  nimoon cluster query labels/manifest.json a b --format json
A hosts file has a line `host:port` for each process. Start each process with its own `--process` number and the same \
other options.";

#[derive(Debug, Args)]
pub(crate) struct ClusterArgs {
    #[command(subcommand)]
    command: ClusterCommand,
}

#[derive(Debug, Subcommand)]
enum ClusterCommand {
    /// Label a digraph with several workers, and write shards with a manifest.
    Label(ClusterLabelArgs),
    /// Print the values and the sum of nodes from such a manifest.
    Query(ClusterQueryArgs),
}

#[derive(Debug, Args)]
#[command(mut_arg("positions", |budget| budget.help("Stop after exploring this many positions in all processes")))]
#[command(mut_arg("memory", |memory| memory.help(
    "Use at most this much memory in this process, such as 512M or 2G (default: no limit)"
)))]
#[command(mut_arg("time", |time| time.help(
    "Stop after this many seconds; with --checkpoint, save the progress first"
)))]
struct ClusterLabelArgs {
    /// Edge lists, or folders of edge lists; or positions written `ruleset:position`.
    #[arg(required_unless_present = "ruleset", conflicts_with = "ruleset", value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Explore everything that play reaches from these positions instead of reading files.
    #[arg(long, value_name = "EXPR")]
    ruleset: Option<String>,

    /// Read the files as the share of this process only; other processes read the rest.
    #[arg(long, requires = "hosts", conflicts_with = "ruleset")]
    local: bool,

    /// Write the shards and the manifest to this folder.
    #[arg(long, value_name = "FOLDER", default_value = "labels")]
    out: PathBuf,

    /// Run this many workers (threads) in this process.
    #[arg(long, value_name = "N", default_value_t = 1)]
    workers: usize,

    /// Read the addresses of all processes from this file, one `host:port` per line.
    #[arg(long, value_name = "FILE", requires = "process")]
    hosts: Option<PathBuf>,

    /// The number of this process in the hosts file, from 0 on.
    #[arg(long, value_name = "K", requires = "hosts")]
    process: Option<usize>,

    /// Give up after waiting this many seconds for another process.
    #[arg(long, value_name = "SECONDS", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(1..=86400))]
    patience: u64,

    /// Use this theory (default: auto, the smallest that fits).
    #[arg(long, value_name = "THEORY", value_parser = theories())]
    theory: Option<ChosenTheory>,

    /// Find remoteness and terminal distance instead of values.
    #[arg(long, value_enum, value_name = "PLAY", conflicts_with = "theory")]
    remoteness: Option<PlayName>,

    /// Write this many shards, at least one per worker.
    #[arg(long, value_name = "N", default_value_t = Plan::SHARDS)]
    shards: usize,

    /// Save checkpoints in this folder, and resume from the last complete one.
    #[arg(long, value_name = "FOLDER")]
    checkpoint: Option<PathBuf>,

    /// With --checkpoint: save every this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "checkpoint")]
    every: u64,

    /// With --checkpoint: save every this many rounds of messages instead.
    #[arg(long, value_name = "ROUNDS", requires = "checkpoint", conflicts_with = "every",
          value_parser = clap::value_parser!(u64).range(1..))]
    every_rounds: Option<u64>,

    #[command(flatten)]
    limits: BudgetArgs<{ Plan::POSITIONS }>,

    /// Read files in pieces of this many MiB.
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    piece: u32,

    /// Log the progress of the first process on standard error, even without a terminal.
    #[arg(long)]
    log: bool,

    /// Print the summary in this format.
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
    /// The manifest, or its folder.
    manifest: PathBuf,

    /// Nodes, or positions if the run explored a ruleset.
    #[arg(required = true, value_name = "NODE")]
    nodes: Vec<String>,

    /// Print the answer in this format.
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
            Failure::Budget { message: format!("{message}; raise it with {}", limits::name(limit)) }
        }
        End::Stopped => Failure::Stopped { message },
        End::Other => Failure::other(message),
    }
}

/// The same for a run, which can resume from its checkpoints.
fn run_failure(error: &ClusterError, checkpoint: Option<&Path>) -> Failure {
    let Some(folder) = checkpoint.map(Path::display) else { return failure(error) };
    match failure(error) {
        Failure::Budget { message } => Failure::Budget {
            message: format!(
                "{message}; the command then resumes from the last checkpoint in {folder}"
            ),
        },
        Failure::Stopped { message } => {
            interrupt::answering();
            Failure::Stopped {
                message: format!(
                    "{message}; the same command resumes from the last checkpoint in {folder}"
                ),
            }
        }
        failure => failure,
    }
}

/// Whether this looks like positions and is not the name of a file.
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
    plan.work = args.limits.work_with(u64::MAX);
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
        // Save the progress first, however long that takes.
        Some(_) => interrupt::catch_patiently(),
        None => interrupt::catch(),
    }
    // A lost process is reported only once, below.
    nimoon_cluster::hush_connections();
    let (progress, log) = (Progress::new(), args.log);
    let manifest = nimoon_cluster::label(
        &plan,
        Arc::new(move |at| {
            let line = in_words(at);
            if log {
                complain(format_args!("{line}"));
            }
            progress.say(line);
        }),
    );
    let manifest = manifest.map_err(|error| run_failure(&error, args.checkpoint.as_deref()))?;
    if args.process.is_some_and(|process| process > 0) {
        return Ok(());
    }
    match args.format {
        AnswerFormat::Table => print_text(&summary(&manifest, &plan)),
        AnswerFormat::Json => print_json(&manifest),
    }
}

/// The progress of the first process, in a line.
fn in_words(progress: ClusterProgress) -> String {
    let mut line = match progress.stage {
        Activity::Building { found, left: 0 } => format!("{found} nodes found"),
        Activity::Building { found, left } => format!("{found} positions found, {left} to expand"),
        Activity::Labelling { level, labelled, nodes } => {
            format!("level {level}: {labelled} of {nodes} nodes labelled")
        }
        Activity::Kept { serial } => format!("checkpoint {serial} saved"),
        Activity::Resumed { serial } => format!("resumed from checkpoint {serial}"),
        Activity::Writing => "writing shards".to_owned(),
    };
    let _ = write!(line, "; {} rounds, {} messages", progress.supersteps, progress.messages);
    if let Some(memory) = progress.memory {
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
    for requested in &args.nodes {
        if let Some(known) = labelled.node(requested).map_err(failure)? {
            nodes.push((requested.clone(), known));
            continue;
        }
        // A position may be written in several ways, and may be a sum.
        let explored = !labelled.manifest.starts.is_empty();
        let names = if explored { nodes_of(requested).map_err(failure)? } else { Vec::new() };
        let missing =
            || Failure::input(format!("{}: unknown node `{requested}`", args.manifest.display()));
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
            "`{first}` and `{second}` are both gray, and a sum has at most one piece on a gray node"
        )));
    }
    let sum = (nodes.len() > 1).then(|| add(&nodes)).flatten();
    let theory = labelled.theory().map(nimoon::Theory::name);
    match args.format {
        AnswerFormat::Json => print_json(&json!({
            "theory": theory,
            "nodes": nodes.iter().map(|(name, known)| as_json(name, known)).collect::<Vec<_>>(),
            "sum": sum.as_ref().map(|value| json!({
                "value": JsonValue::from(value), "outcome": value.outcome().shape(),
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
            print_answer_text(&text)
        }
    }
}

/// The value of the sum, if all nodes are white and have values that add.
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
    let outcome = known.outcome().shape();
    match known {
        Known::Label(Label::White(value)) => {
            json!({"node": name, "color": "white", "value": JsonValue::from(value), "outcome": outcome})
        }
        Known::Label(Label::Gray(cover)) => {
            json!({"node": name, "color": "gray", "covers": cover.shape()})
        }
        Known::Remoteness { remoteness, distance } => {
            json!({"node": name, "remoteness": remoteness, "distance": distance, "outcome": outcome})
        }
    }
}
