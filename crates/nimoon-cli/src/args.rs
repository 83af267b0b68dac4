//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use nimoon::{Theory, Work};
use nimoon_formats::read::Format;

use crate::certificates::CertificateArgs;
pub(crate) use crate::commands::affine::AffineArgs;
use crate::commands::audit::AuditArgs;
use crate::commands::check::CheckArgs;
use crate::commands::cluster::ClusterArgs;
use crate::commands::compare::CompareArgs;
use crate::commands::completions::CompletionsArgs;
use crate::commands::compound::CompoundArgs;
use crate::commands::explore::ExploreArgs;
use crate::commands::loopy::LoopyArgs;
use crate::commands::man::ManArgs;
use crate::commands::ordinal::OrdinalArgs;
use crate::commands::play::PlayArgs;
use crate::commands::remoteness::RemotenessArgs;
use crate::commands::repl::ReplArgs;
use crate::commands::run::RunArgs;
use crate::commands::search::SearchArgs;
use crate::commands::serve::ServeArgs;
use crate::commands::store::StoreCommandArgs;
use crate::commands::unicycle::UnicycleArgs;
use crate::failure::Failure;
use crate::limits::BudgetArgs;
use crate::reading;

/// Exact values of games with cycles, entailing and carry-on moves.
#[derive(Debug, Parser)]
#[command(name = "nimoon", version, max_term_width = 100, arg_required_else_help = false)]
#[command(
    after_help = "Exit codes: 0 success; 2 bad input or usage; 3 a limit was reached; 130 ended by a \
                        signal; 1 any other failure."
)]
pub(crate) struct Args {
    /// None prints a welcome.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Label every node of a game digraph with its value.
    Label(LabelArgs),
    /// Find value, winner and winning turn of pieces on a digraph.
    Sum(SumArgs),
    /// Find value, winner and winning turn of a sum of positions.
    Value(ValueArgs),
    /// List every position that play can reach, with its value.
    #[command(after_help = crate::commands::explore::EXAMPLES)]
    Explore(ExploreArgs),
    /// Tabulate the values of a family of positions.
    #[command(
        after_help = "A row has no value (- in the table, null in JSON) if the family has no position \
                            for its number, or if the position must be answered, like a gray node. For a gray \
                            node `nimoon value` prints the outcome and the options that it covers.\n\nExamples:\n  nimoon table top-entails 0..200 --format bfile\n  nimoon \
                            table 'wythoff:{a},{b}' a=0..50 b=0..50 --format svg\n  nimoon \
                            table kayles 0..99 --where 'value = 0'\n  nimoon table top-entails 0..100000 \
                            --moons --checkpoint top-entails.checkpoint"
    )]
    Table(TableArgs),
    /// Find the period of a nim-sequence, and whether it is proved.
    #[command(
        after_help = "A period p after a preperiod q means that the values G of heaps satisfy \
                            G(n + p) = G(n) for all n from q on. With a saltus s they satisfy \
                            G(n + p) = G(n) + s.\n\nExamples:\n  nimoon period kayles\n  \
                            nimoon period 'octal[0.156]'\n  nimoon period grundys-game --up-to \
                            50000"
    )]
    Period(PeriodArgs),
    /// Find the first position that satisfies a condition.
    #[command(after_help = crate::commands::search::EXAMPLES)]
    Search(SearchArgs),
    /// List the rulesets, or describe one of them.
    Rulesets(RulesetsArgs),
    /// Print the simplest digraph with a given value.
    Representative(RepresentativeArgs),
    /// Find value, sides and winner of a loopy partizan game.
    #[command(after_help = "Examples:\n  nimoon loopy over\n  nimoon loopy -1\n  nimoon loopy \
                            examples/carousel.json --format json\n  nimoon loopy '@game.txt' \
                            --format svg > game.svg")]
    Loopy(LoopyArgs),
    /// Compare two loopy partizan games.
    #[command(after_help = "Examples:\n  nimoon compare over 0\n  nimoon compare -1 \
                            examples/carousel.json")]
    Compare(CompareArgs),
    /// Evaluate or compare affine games: forms over oo and -oo.
    #[command(
        after_help = "`oo` and `-oo` are the infinities, {oo|G} is a carry-on move of Left to G, `moon` is \
                            {oo|-oo}, and `...` stands for the conjugates of Left's options. You can also write \
                            sums, -G and comparisons; `~` is equality modulo affine impartial games.\n\n\
                            Examples:\n  nimoon affine '{{oo|0},0|{0|-oo},0}'\n  nimoon affine \
                            '{moon,{oo|*}|...}' --format json\n  nimoon affine --of top-entails:5\n  \
                            nimoon affine '{{oo|*}|...} = *'"
    )]
    Affine(AffineArgs),
    /// Find how long play lasts, who wins, and guaranteed payoffs.
    #[command(after_help = crate::commands::remoteness::EXAMPLES)]
    Remoteness(RemotenessArgs),
    /// Solve compounds: moves in all, in some or in one of the games.
    #[command(after_help = crate::commands::compound::EXAMPLES)]
    Compound(CompoundArgs),
    /// Check a certificate, and print what it proves.
    #[command(
        after_help = "Examples:\n  nimoon label examples/zones.game --certificate zones.json\n  nimoon \
                            check zones.json"
    )]
    Check(CheckArgs),
    /// Compare the theories with brute force on many digraphs.
    #[command(
        after_help = "Without --exhaustive and --random, nimoon checks all digraphs of one to four \
                            nodes, then random ones."
    )]
    Audit(AuditArgs),
    /// Play against the engine or a person in the terminal.
    Play(PlayArgs),
    /// Find canonical loopy games with a single cycle.
    #[command(
        after_help = "At vertex i of the cycle the player of letter i moves to the next vertex, \
                            and the other player to exit i. nimoon lists exits in lexicographic \
                            order: the order of --exits at vertex 0, then at vertex 1, and so on.\n\n\
                            Examples:\n  nimoon unicycle LLRR\n  nimoon unicycle LLLRLRRRLR \
                            --exits 0,-1 --all\n  nimoon unicycle LLLRLRRRLR --construct\n  \
                            nimoon unicycle --length 9 --count"
    )]
    Unicycle(UnicycleArgs),
    /// Compute with ordinals, transfinite Nim and pools of coins.
    #[command(
        after_help = "An expression has ordinals below ε₀: numbers, w, and +, * and ^; and the functions natural(a, b, …), \
                            nim(a, b, …), nimproduct(a, b, …), dollars(d, c) with any even number of cents for a \
                            dollar, dollars100(d, c) with a hundred, conjunctive(a, b, …) and selective(a, b, …). \
                            Compare two expressions with <, <=, =, !=, >= or >.\n\nExamples:\n  nimoon \
                            ordinal 'w^2*3 + w + 5'\n  nimoon ordinal 'nim(w^w, w*3 + 5, w)'\n  nimoon \
                            ordinal 'conjunctive(w + 1, w + 2)'\n  nimoon ordinal '1 + w = w'"
    )]
    Ordinal(OrdinalArgs),
    /// Start an interactive session, or run one from a file.
    #[command(after_help = "Examples:\n  nimoon repl\n  nimoon repl session.txt\n  echo 'nim:3 + \
                            nim:5' | nimoon repl\nIn a session, type `help` for the list of commands.")]
    Repl(ReplArgs),
    /// Run a session file of commands and expressions.
    #[command(after_help = crate::commands::run::EXAMPLES)]
    Run(RunArgs),
    /// Inspect, check or change a store of solved positions.
    #[command(after_help = crate::commands::store::EXAMPLES)]
    Store(StoreCommandArgs),
    /// Serve the page for the browser and the JSON API until Ctrl-C.
    Serve(ServeArgs),
    /// Label large digraphs with several workers or hosts.
    #[command(after_help = crate::commands::cluster::EXAMPLES)]
    Cluster(ClusterArgs),
    /// Print the completion script for a shell.
    #[command(after_help = crate::commands::completions::EXAMPLES)]
    Completions(CompletionsArgs),
    /// Print the manual page of nimoon or of a command.
    #[command(after_help = crate::commands::man::EXAMPLES)]
    Man(ManArgs),
}

/// The file of a digraph and its format.
#[derive(Debug, ClapArgs)]
pub(crate) struct InputArgs {
    /// The digraph file, or `-` for standard input; or positions such as kayles:5, where a command says so.
    pub(crate) file: PathBuf,

    /// Read the file in this format (default: by its extension).
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub(crate) input: Option<Format>,
}

impl InputArgs {
    /// What messages call the file.
    pub(crate) fn name(&self) -> String {
        reading::name(&self.file)
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TheoryArgs {
    /// Use this theory (default: auto, the smallest that fits the whole digraph).
    #[arg(long, value_name = "THEORY", value_parser = theories())]
    pub(crate) theory: Option<ChosenTheory>,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs,
}

impl TheoryArgs {
    pub(crate) fn theory(&self) -> Option<Theory> {
        self.theory.and_then(|ChosenTheory(theory)| theory)
    }
}

/// How the turn to play is chosen.
#[derive(Debug, ClapArgs)]
pub(crate) struct TurnArgs {
    /// Choose this turn: `any` that wins, or the `quickest` win, by a search within the limits.
    #[arg(long, value_name = "TURN", value_enum, default_value_t = ChosenTurn::Any)]
    turn: ChosenTurn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ChosenTurn {
    Any,
    Quickest,
}

impl TurnArgs {
    /// The same work, for this choice of a turn.
    pub(crate) fn within(&self, work: &Work) -> Work {
        match self.turn {
            ChosenTurn::Any => work.clone(),
            ChosenTurn::Quickest => work.child(work.limits().quickest()),
        }
    }
}

/// A theory, or none for `auto`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenTheory(pub(crate) Option<Theory>);

#[derive(Debug, ClapArgs)]
pub(crate) struct PictureArgs {
    /// Draw only the nodes near this one (svg and latex).
    #[arg(long, value_name = "NODE", allow_hyphen_values = true)]
    pub(crate) around: Option<String>,

    /// With --around: draw nodes up to this many arcs away.
    #[arg(long, value_name = "ARCS", default_value_t = 2, requires = "around")]
    pub(crate) radius: usize,

    /// Draw at most this many nodes, up to 1000.
    #[arg(long, value_name = "NODES", default_value_t = 300,
          value_parser = clap::value_parser!(u16).range(1..=i64::from(Self::MOST_NODES)))]
    pub(crate) max_nodes: u16,
}

impl PictureArgs {
    /// Larger pictures are slow to draw and too dense to read.
    pub(crate) const MOST_NODES: u16 = 1000;
}

/// The number of threads.
#[derive(Debug, ClapArgs)]
pub(crate) struct ThreadArgs {
    /// Use this many threads (default: the number of processors).
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
}

impl ThreadArgs {
    /// Starts the requested number of threads; for one, uses the current thread.
    pub(crate) fn start(&self) -> Result<(), Failure> {
        let Some(threads) = self.threads else { return Ok(()) };
        let mut pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get());
        if threads.get() == 1 {
            pool = pool.use_current_thread();
        }
        pool.build_global()
            .map_err(|error| Failure::other(format!("could not start {threads} threads: {error}")))
    }
}

#[derive(Debug, ClapArgs)]
#[allow(clippy::struct_excessive_bools, reason = "one for each switch")]
pub(crate) struct LabelArgs {
    /// A digraph file or `-`; or positions as RULESET:POSITION, for everything that play reaches.
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) theory: TheoryArgs,

    /// Label each node by the smallest theory that fits what the node reaches, and name the theory.
    #[arg(long, conflicts_with_all = ["theory", "certificate"])]
    pub(crate) smallest: bool,

    /// Print the labels in this format.
    #[arg(long, value_enum, default_value_t = LabelFormat::Table)]
    pub(crate) format: LabelFormat,

    /// Also print the round in which the paper's algorithm assigns each node: for carry-on moves,
    /// Algorithm 8 with the corrected rule.
    #[arg(long)]
    pub(crate) steps: bool,

    /// Also print the sets D(G), F(G) and P(G) of the carry-on paper, and Cr of gray nodes.
    #[arg(long)]
    pub(crate) sets: bool,

    /// Also print what Algorithm 8 gives as the carry-on paper prints it, with its steps.
    #[arg(long)]
    pub(crate) as_printed: bool,

    /// Explain why this node has its value (table or json).
    #[arg(long, value_name = "NODE", allow_hyphen_values = true,
          conflicts_with_all = ["product", "steps"])]
    pub(crate) explain: Option<String>,

    /// Export the product digraph of two pieces on these nodes as a .game file, or as JSON with
    /// `--format json`; other formats show its labels.
    #[arg(long, num_args = 2, value_names = ["X", "Y"], allow_hyphen_values = true)]
    pub(crate) product: Option<Vec<String>>,

    #[command(flatten)]
    pub(crate) picture: PictureArgs,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,

    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,

    /// Print the time for reading and labelling, on standard output with `--format none` and on
    /// standard error otherwise.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) timing: Option<TimingFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LabelFormat {
    Table,
    Json,
    Csv,
    Dot,
    Svg,
    Latex,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TimingFormat {
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    Table,
    Json,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SumArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,

    /// The nodes with a piece; you can repeat a node.
    #[arg(required = true, value_name = "NODE")]
    pub(crate) nodes: Vec<String>,

    #[command(flatten)]
    pub(crate) theory: TheoryArgs,

    /// Print the answer in this format.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    pub(crate) turn: TurnArgs,

    /// List the winning turns that do not repeat a position, shortest first.
    #[arg(long)]
    pub(crate) turns: bool,

    /// With --turns: list at most this many.
    #[arg(long, value_name = "TURNS", default_value_t = 100, requires = "turns")]
    pub(crate) limit: usize,
}

/// Rulesets that are not in the catalogue.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct RulesArgs {
    /// Add the ruleset in this script; its name is the file name without the extension.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Vec<PathBuf>,
}

/// The file of solved positions.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct StoreArgs {
    /// Reuse solved positions from this file and add new ones; create it if necessary.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ValueArgs {
    /// Positions as `ruleset:position`, joined by `+`; `-` is standard input, `@FILE` a file.
    #[arg(value_name = "EXPR")]
    pub(crate) expression: String,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) theory: TheoryArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    /// Print the answer in this format.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,

    /// Explain why each component has its value.
    #[arg(long)]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(crate) turn: TurnArgs,

    /// List the winning turns that do not repeat a position, shortest first.
    #[arg(long)]
    pub(crate) turns: bool,

    /// With --turns: list at most this many.
    #[arg(long, value_name = "TURNS", default_value_t = 100, requires = "turns")]
    pub(crate) limit: usize,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TableArgs {
    /// A ruleset with its parameters, or positions with {} where the number goes, or with named places
    /// as in 'wythoff:{a},{b}'.
    #[arg(value_name = "RULESET")]
    pub(crate) pattern: String,

    /// The numbers, as in 0..200, including both ends; or the values of each named place, as in
    /// a=0..50, c=0.7,0.77 or w='words(gl,1..4)'.
    #[arg(value_name = "RANGE", required = true)]
    pub(crate) ranges: Vec<String>,

    /// List only rows that satisfy this condition, such as 'value = moon and n > 5'.
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    pub(crate) condition: Option<String>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) theory: TheoryArgs,

    /// Print the table in this format.
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,

    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,

    /// List only the moons.
    #[arg(long)]
    pub(crate) moons: bool,

    /// Save progress to this file, and resume from it.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// With --checkpoint: save every this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, requires = "checkpoint",
          value_parser = seconds)]
    pub(crate) checkpoint_every: f64,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    /// Use these processor instructions; `auto` selects the fastest.
    #[arg(long, value_name = "SET", value_enum, default_value_t = Instructions::Auto)]
    pub(crate) instructions: Instructions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Instructions {
    Auto,
    Portable,
    Avx2,
    Avx512,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    Table,
    Bfile,
    Csv,
    Json,
    Latex,
    Svg,
    Png,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PeriodArgs {
    /// A heap ruleset with its parameters, such as kayles or octal[0.156]; or any family with one number,
    /// such as 'wythoff:3,{}', whose period is then found but not proved.
    pub(crate) ruleset: String,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// Check heaps up to this one (default: 10000; 2000 for hexadecimal codes).
    #[arg(long, value_name = "HEAP", allow_negative_numbers = true)]
    pub(crate) up_to: Option<u64>,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs,

    /// Print the answer in this format.
    #[arg(long, value_enum, default_value_t = PeriodFormat::Text)]
    pub(crate) format: PeriodFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PeriodFormat {
    Text,
    Json,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RulesetsArgs {
    /// Show the rules, the notation and an example of this ruleset.
    pub(crate) name: Option<String>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// Print the list in this format.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,
}

/// Parses a number of threads.
fn threads(text: &str) -> Result<NonZeroUsize, String> {
    match text.parse::<NonZeroUsize>() {
        Ok(threads) if threads.get() <= 256 => Ok(threads),
        _ => Err("expected a number of threads from 1 to 256".to_owned()),
    }
}

/// Parses a number of seconds, at most a day.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0 to 86400".to_owned()),
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RepresentativeArgs {
    /// A value, such as 3, full-moon, moon{0,1}, ninny{2} or oo{0,2}.
    pub(crate) value: String,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs,

    /// Print the digraph in this format.
    #[arg(long, value_enum, default_value_t = RepresentativeFormat::Game)]
    pub(crate) format: RepresentativeFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RepresentativeFormat {
    Game,
    Json,
    Dot,
    Svg,
    Latex,
}

pub(crate) fn theories() -> impl TypedValueParser<Value = ChosenTheory> {
    let names = std::iter::once("auto").chain(Theory::ALL.map(Theory::name));
    PossibleValuesParser::new(names).map(|name| ChosenTheory(name.parse().ok()))
}

fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name)).try_map(|name| name.parse::<Format>())
}
