//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use nimoon::Theory;
use nimoon_formats::read::Format;

use crate::certificates::CertificateArgs;
pub(crate) use crate::commands::affine::AffineArgs;
use crate::commands::audit::AuditArgs;
use crate::commands::check::CheckArgs;
use crate::commands::cluster::ClusterArgs;
use crate::commands::compare::CompareArgs;
use crate::commands::compound::CompoundArgs;
use crate::commands::loopy::LoopyArgs;
use crate::commands::ordinal::OrdinalArgs;
use crate::commands::play::PlayArgs;
use crate::commands::remoteness::RemotenessArgs;
use crate::commands::repl::ReplArgs;
use crate::commands::serve::ServeArgs;
use crate::commands::store::StoreCommandArgs;
use crate::commands::unicycle::UnicycleArgs;
use crate::failure::Failure;
use crate::limits::BudgetArgs;
use crate::reading;

/// Exact values of games with cycles, entailing and carry-on moves.
#[derive(Debug, Parser)]
#[command(name = "nimoon", version, max_term_width = 100, arg_required_else_help = false)]
#[command(after_help = "Exit codes: 0 answered; 2 bad input or usage; 3 a budget was hit; 1 \
                        anything else.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The value of every node of a game digraph.
    Label(LabelArgs),
    /// Pieces on nodes: the value of the sum, who wins, and the whole turn to play.
    Sum(SumArgs),
    /// Positions of rulesets: the value of their sum, who wins, and the whole turn to play.
    Value(ValueArgs),
    /// The values of many positions of a ruleset, told apart by a number.
    #[command(
        after_help = "A number at which the game has no position, as at the start of a ladder, makes \
                            a row without a value: - in the table, null in JSON. So does a position that must be answered, \
                            as a gray node: `nimoon value` tells its outcome and what it covers.\n\nExamples:\n  nimoon table top-entails 0..200 --format bfile\n  nimoon \
                            table 'wythoff:3,{}' 0..20\n  nimoon table top-entails 0..100000 \
                            --moons --checkpoint top-entails.checkpoint"
    )]
    Table(TableArgs),
    /// The period of the values of heaps, and whether it is proved.
    #[command(after_help = "A period p after a preperiod q means that the values G of heaps have \
                            G(n + p) = G(n) for all n from q on; with a saltus s it is \
                            G(n + p) = G(n) + s.\n\nExamples:\n  nimoon period kayles\n  \
                            nimoon period 'octal[0.156]'\n  nimoon period grundys-game --up-to \
                            50000")]
    Period(PeriodArgs),
    /// The rulesets: rules, notation, and an example of each.
    Rulesets(RulesetsArgs),
    /// The simplest digraph that has a value.
    Representative(RepresentativeArgs),
    /// A loopy partizan game: its value, its sides, and who wins.
    #[command(after_help = "Examples:\n  nimoon loopy over\n  nimoon loopy -1\n  nimoon loopy \
                            examples/carousel.json --format json\n  nimoon loopy '@game.txt' \
                            --format svg > game.svg")]
    Loopy(LoopyArgs),
    /// The order of two loopy partizan games.
    #[command(after_help = "Examples:\n  nimoon compare over 0\n  nimoon compare -1 \
                            examples/carousel.json")]
    Compare(CompareArgs),
    /// A form over oo and -oo: who wins, and what it is worth if it is affine impartial.
    #[command(
        after_help = "`oo` and `-oo` are the infinities, {oo|G} is a carry-on move of Left to G, `moon` is \
                            {oo|-oo}, and `...` stands for the conjugates of Left's options. Sums, -G and \
                            comparisons are read, `~` is equality modulo affine impartial games.\n\n\
                            Examples:\n  nimoon affine '{{oo|0},0|{0|-oo},0}'\n  nimoon affine \
                            '{moon,{oo|*}|...}' --format json\n  nimoon affine --of top-entails:5\n  \
                            nimoon affine '{{oo|*}|...} = *'"
    )]
    Affine(AffineArgs),
    /// How far each node is from the end of play, who wins, and what players can be sure of.
    #[command(after_help = crate::commands::remoteness::EXAMPLES)]
    Remoteness(RemotenessArgs),
    /// Several games at once, with moves in all, in some or in one of them.
    #[command(after_help = crate::commands::compound::EXAMPLES)]
    Compound(CompoundArgs),
    /// What a certificate proves, or what is wrong with it.
    #[command(
        after_help = "Examples:\n  nimoon label examples/zones.game --certificate zones.json\n  nimoon \
                            check zones.json"
    )]
    Check(CheckArgs),
    /// Theory against brute force, on all small or many random digraphs.
    #[command(
        after_help = "Without --exhaustive and --random: all digraphs of one to four nodes, \
                            then random ones."
    )]
    Audit(AuditArgs),
    /// A game against the engine or another person, in the terminal.
    Play(PlayArgs),
    /// Loopy games with a single cycle: exits that make a pattern of L and R a canonical form.
    #[command(
        after_help = "At vertex i of the cycle the player of letter i moves to the next vertex, \
                            and the other player to exit i. Found exits come in lexicographic \
                            order: that of --exits at vertex 0, then at vertex 1, and so on.\n\n\
                            Examples:\n  nimoon unicycle LLRR\n  nimoon unicycle LLLRLRRRLR \
                            --exits 0,-1 --all\n  nimoon unicycle LLLRLRRRLR --construct\n  \
                            nimoon unicycle --length 9 --count"
    )]
    Unicycle(UnicycleArgs),
    /// Ordinals below ε₀, transfinite Nim, and pools of dollars and cents.
    #[command(
        after_help = "An expression has numbers, w, +, * and ^ in the usual sense of ordinals, natural(a, b, …), \
                            nim(a, b, …), nimproduct(a, b, …), dollars(d, c) with any even number of cents for a \
                            dollar, dollars100(d, c) with a hundred, conjunctive(a, b, …) and selective(a, b, …); \
                            or it compares two of these by <, <=, =, !=, >= or >.\n\nExamples:\n  nimoon \
                            ordinal 'w^2*3 + w + 5'\n  nimoon ordinal 'nim(w^w, w*3 + 5, w)'\n  nimoon \
                            ordinal 'conjunctive(w + 1, w + 2)'\n  nimoon ordinal '1 + w = w'"
    )]
    Ordinal(OrdinalArgs),
    /// A session: expressions, names for them, and help; from a terminal, a file or a pipe.
    #[command(after_help = "Examples:\n  nimoon repl\n  nimoon repl session.txt\n  echo 'nim:3 + \
                            nim:5' | nimoon repl\nIn a session `help` tells what can be typed.")]
    Repl(ReplArgs),
    /// What is in a store: the file that --store keeps solved positions in.
    #[command(after_help = crate::commands::store::EXAMPLES)]
    Store(StoreCommandArgs),
    /// A page in the browser to play, draw and understand, and a JSON API; until Ctrl-C.
    Serve(ServeArgs),
    /// Labelling by several workers, here or on several hosts, and answers from what they found.
    #[command(after_help = crate::commands::cluster::EXAMPLES)]
    Cluster(ClusterArgs),
}

/// Where a digraph comes from, and how it is read.
#[derive(Debug, ClapArgs)]
pub(crate) struct InputArgs {
    /// The digraph file; `-` is standard input.
    pub(crate) file: PathBuf,

    /// The format of the file, where the extension does not tell it.
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
    /// The theory to use; `auto`, as without this option, takes the smallest that fits the whole
    /// digraph.
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

/// A theory, or none for `auto`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenTheory(pub(crate) Option<Theory>);

#[derive(Debug, ClapArgs)]
pub(crate) struct PictureArgs {
    /// Draw only what is near this node (for svg and latex).
    #[arg(long, value_name = "NODE", allow_hyphen_values = true)]
    pub(crate) around: Option<String>,

    /// With --around: how many arcs away is near.
    #[arg(long, value_name = "ARCS", default_value_t = 2, requires = "around")]
    pub(crate) radius: usize,

    /// The largest number of nodes to draw, at most 1000.
    #[arg(long, value_name = "NODES", default_value_t = 300,
          value_parser = clap::value_parser!(u16).range(1..=i64::from(Self::MOST_NODES)))]
    pub(crate) max_nodes: u16,
}

impl PictureArgs {
    /// Larger pictures take long, and nobody can read them.
    pub(crate) const MOST_NODES: u16 = 1000;
}

/// How many threads there are.
#[derive(Debug, ClapArgs)]
pub(crate) struct ThreadArgs {
    /// How many threads may share the work, where it can be shared; all processors unless told.
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
}

impl ThreadArgs {
    /// Starts as many as were asked for; for one, none is started.
    pub(crate) fn start(&self) -> Result<(), Failure> {
        let Some(threads) = self.threads else { return Ok(()) };
        let mut pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get());
        if threads.get() == 1 {
            pool = pool.use_current_thread();
        }
        pool.build_global()
            .map_err(|error| Failure::other(format!("{threads} threads cannot be had: {error}")))
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct LabelArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) theory: TheoryArgs,

    /// How to print the labels.
    #[arg(long, value_enum, default_value_t = LabelFormat::Table)]
    pub(crate) format: LabelFormat,

    /// Also tell the round in which each node was assigned.
    #[arg(long)]
    pub(crate) steps: bool,

    /// Tell in words and sets why this node has its value (table or json).
    #[arg(long, value_name = "NODE", allow_hyphen_values = true,
          conflicts_with_all = ["product", "steps"])]
    pub(crate) explain: Option<String>,

    /// Export the product digraph of two pieces on these nodes: as a .game file, or with
    /// `--format json` as JSON; the other formats show its labels.
    #[arg(long, num_args = 2, value_names = ["X", "Y"], allow_hyphen_values = true)]
    pub(crate) product: Option<Vec<String>>,

    #[command(flatten)]
    pub(crate) picture: PictureArgs,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,

    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,

    /// Print how long reading and labelling took: on standard output after `--format none`,
    /// otherwise on standard error.
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
    pub(crate) certificate: CertificateArgs,

    /// The nodes with a piece; a node may be given more than once.
    #[arg(required = true, value_name = "NODE")]
    pub(crate) nodes: Vec<String>,

    #[command(flatten)]
    pub(crate) theory: TheoryArgs,

    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    /// List the winning turns that repeat no position, shorter ones first.
    #[arg(long)]
    pub(crate) turns: bool,

    /// With --turns: the most turns to list.
    #[arg(long, value_name = "TURNS", default_value_t = 100, requires = "turns")]
    pub(crate) limit: usize,
}

/// Rulesets that are not in the catalogue.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct RulesArgs {
    /// A script with the rules of a game; its name is that of the file, without the extension.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Vec<PathBuf>,
}

/// Where solved positions are kept.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct StoreArgs {
    /// Find what was worked out before in this file, and keep there what is worked out now; it is
    /// made if there is none.
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

    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,

    /// Tell in words and sets why each component has its value.
    #[arg(long)]
    pub(crate) explain: bool,

    /// List the winning turns that repeat no position, shorter ones first.
    #[arg(long)]
    pub(crate) turns: bool,

    /// With --turns: the most turns to list.
    #[arg(long, value_name = "TURNS", default_value_t = 100, requires = "turns")]
    pub(crate) limit: usize,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TableArgs {
    /// A ruleset with its parameters, or positions with {} where the number goes.
    #[arg(value_name = "RULESET")]
    pub(crate) pattern: String,

    /// The numbers, as in 0..200; both ends are included.
    #[arg(allow_hyphen_values = true)]
    pub(crate) range: String,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) theory: TheoryArgs,

    /// How to print the table.
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,

    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,

    /// List only the moons.
    #[arg(long)]
    pub(crate) moons: bool,

    /// Keep what is known in this file, and go on from it after an interruption.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// With --checkpoint: after how many seconds to save again.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, requires = "checkpoint",
          value_parser = seconds)]
    pub(crate) checkpoint_every: f64,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    /// Which instructions to use, where there is a choice; `auto` are the fastest that the
    /// processor has.
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
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PeriodArgs {
    /// A ruleset of heaps with its parameters, as in kayles or octal[0.156].
    pub(crate) ruleset: String,

    /// The largest heap to look at; 10000 unless told, 2000 for hexadecimal codes.
    #[arg(long, value_name = "HEAP", allow_negative_numbers = true)]
    pub(crate) up_to: Option<u64>,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs,

    /// How to print the answer.
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
    /// Tell everything about this ruleset.
    pub(crate) name: Option<String>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// How to print the list.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,
}

/// A number of threads that a machine can have.
fn threads(text: &str) -> Result<NonZeroUsize, String> {
    match text.parse::<NonZeroUsize>() {
        Ok(threads) if threads.get() <= 256 => Ok(threads),
        _ => Err("expected a number of threads from 1 to 256".to_owned()),
    }
}

/// A time that someone would wait.
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

    /// How to print the digraph.
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
