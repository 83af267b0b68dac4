//! `nimoon loopy`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

use clap::{Args, ValueEnum};
use nimoon::loopy::notation::{self, EvaluateError, Expression};
use nimoon::loopy::{
    Effort, Graph, Interrupted, Outcomes, Player, Sides, Stopper, Stoppers, Vertex, Winner,
};
use nimoon::ruleset::NotationError;
use nimoon_formats::read::partizan::{self, PartizanGame};
use nimoon_formats::write::terminal::padded;
use nimoon_formats::write::{JsonPartizan, PartizanReport, lettered, partizan_svg};
use serde::Serialize;

use crate::args::StatesArgs;
use crate::expressions::Text;
use crate::failure::Failure;
use crate::input;
use crate::output::{print, print_json, print_text};

/// The largest canonical form that is shown to people as a table.
const SHOWN: usize = 40;
/// The longest text in that table.
const LONGEST: usize = 60;

#[derive(Debug, Args)]
pub(crate) struct LoopyArgs {
    /// An expression; a graph as a .json file, or `-` for one on standard input; `@FILE` holds an
    /// expression.
    #[arg(value_name = "EXPR|FILE", allow_hyphen_values = true)]
    pub(crate) game: String,

    #[command(flatten)]
    pub(crate) states: StatesArgs,

    /// How to print the answer; dot and svg draw the canonical form, if the game equals a stopper.
    #[arg(long, value_enum, default_value_t = LoopyFormat::Table)]
    pub(crate) format: LoopyFormat,

    /// Draw the graph as given, and not the canonical form (dot and svg).
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
    let is_picture = matches!(args.format, LoopyFormat::Dot | LoopyFormat::Svg);
    if args.given && !is_picture {
        return Err(Failure::input("--given is for pictures: use it with --format dot or svg"));
    }
    let mut stoppers = Stoppers::new();
    let mut effort = Effort::new(args.states.budget);
    let game = evaluate(Argument::read(&args.game)?, &mut stoppers, &mut effort)?;
    if is_picture {
        draw(args, &game, &mut stoppers)?;
    } else {
        let answer = Answer::new(&game, &mut stoppers, &mut effort);
        match args.format {
            LoopyFormat::Json => print_json(&answer.json())?,
            _ => print_text(&answer.text(&mut stoppers, args.states.budget)?)?,
        }
    }
    game.interrupted.map_or(Ok(()), |interrupted| Err(over_budget(interrupted)))
}

pub(crate) fn over_budget(interrupted: Interrupted) -> Failure {
    Failure::Budget { message: format!("{interrupted}; raise it by --budget") }
}

/// A game as it stands on the command line.
pub(crate) enum Argument {
    /// A graph.
    Graph(PartizanGame),
    /// An expression.
    Expression(Text),
}

impl Argument {
    /// `-`, a name that ends in `.json` and a name of a file hold graphs; `@FILE` holds an expression;
    /// everything else is one.
    pub(crate) fn read(argument: &str) -> Result<Self, Failure> {
        let path = Path::new(argument);
        let is_json = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
        let is_graph = argument == "-" || is_json || path.is_file();
        if !is_graph || argument.starts_with('@') {
            return Ok(Self::Expression(Text::of_argument(argument)?));
        }
        let name = if argument == "-" { "standard input" } else { argument };
        let bytes = input::bytes(path)?;
        let game = partizan::read(&bytes).map_err(|error| Failure::Input {
            message: format!("{name}: {error}"),
            context: error.snippet(&bytes),
        })?;
        Ok(Self::Graph(game))
    }
}

/// What is known of a game.
pub(crate) struct Game {
    source: Source,
    /// Whether the graph as given has no alternating cycle.
    is_stopper: Option<bool>,
    /// The sides, as far as they were found.
    pub(crate) sides: Sides,
    /// Why not more is known.
    pub(crate) interrupted: Option<Interrupted>,
}

/// Where the graph as given comes from.
enum Source {
    Graph(PartizanGame),
    Expression(notation::Game),
    Nothing,
}

const NO_SIDES: Sides = Sides { onside: None, offside: None };

/// Finds out about a game.
pub(crate) fn evaluate(
    argument: Argument,
    stoppers: &mut Stoppers,
    effort: &mut Effort,
) -> Result<Game, Failure> {
    match argument {
        Argument::Graph(given) => Ok(Game::of_graph(given, stoppers, effort)),
        Argument::Expression(text) => Game::of_expression(&text, stoppers, effort),
    }
}

impl Game {
    fn of_graph(given: PartizanGame, stoppers: &mut Stoppers, effort: &mut Effort) -> Self {
        let is_stopper = Some(given.graph.is_stopper(given.start));
        let (sides, interrupted) = match stoppers.sides(&given.graph, given.start, effort) {
            Ok(sides) => (sides, None),
            Err(interrupted) => (NO_SIDES, Some(interrupted)),
        };
        Self { source: Source::Graph(given), is_stopper, sides, interrupted }
    }

    fn of_expression(
        text: &Text,
        stoppers: &mut Stoppers,
        effort: &mut Effort,
    ) -> Result<Self, Failure> {
        let wrong = |error: NotationError| text.wrong(error.at, &error.message);
        let expression: Expression = text.as_str().parse().map_err(wrong)?;
        let game = match expression.evaluate(stoppers, effort) {
            Ok(game) => game,
            Err(EvaluateError::Notation(error)) => return Err(wrong(error)),
            Err(EvaluateError::Interrupted(interrupted)) => {
                let (sides, interrupted) = (NO_SIDES, Some(interrupted));
                return Ok(Self { source: Source::Nothing, is_stopper: None, sides, interrupted });
            }
        };
        let sides = game.sides();
        let (is_stopper, interrupted) = match game.is_stopper(stoppers, effort) {
            Ok(is_stopper) => (Some(is_stopper), None),
            Err(interrupted) => (None, Some(interrupted)),
        };
        Ok(Self { source: Source::Expression(game), is_stopper, sides, interrupted })
    }

    /// The graph as given, where there is one.
    pub(crate) fn given(
        &self,
        stoppers: &Stoppers,
        effort: &mut Effort,
    ) -> Result<Option<Cow<'_, PartizanGame>>, Interrupted> {
        Ok(match &self.source {
            Source::Graph(given) => Some(Cow::Borrowed(given)),
            Source::Expression(game) => {
                game.graph(stoppers, effort)?.map(|graph| Cow::Owned(named(graph)))
            }
            Source::Nothing => None,
        })
    }

    /// Who wins if Left starts and if Right starts, where that is known.
    fn winners(&self, stoppers: &mut Stoppers, effort: &mut Effort) -> [Option<Winner>; 2] {
        let told =
            Player::BOTH.map(|first| stoppers.winner(self.sides, first, effort).ok().flatten());
        if told.iter().all(Option::is_some) {
            return told;
        }
        let Ok(Some(given)) = self.given(stoppers, effort) else { return told };
        let outcomes = Outcomes::new(&given.graph);
        Player::BOTH.map(|first| Some(outcomes.winner(given.start, first)))
    }
}

/// A graph with letters for names, from its first vertex.
fn named(graph: Graph) -> PartizanGame {
    PartizanGame { names: lettered(graph.len()), graph, start: 0 }
}

/// A stopper with its canonical form.
#[derive(Clone)]
struct Canonical {
    game: PartizanGame,
    text: String,
}

impl Canonical {
    fn new(stoppers: &Stoppers, stopper: Stopper) -> Self {
        Self { game: named(stoppers.graph(stopper)), text: stoppers.text(stopper) }
    }

    fn size(&self) -> String {
        let graph = &self.game.graph;
        let edges = |player| graph.edges(player).count();
        format!(
            "{}, {}, {}",
            count(graph.len(), "vertex", "vertices"),
            count(edges(Player::Left), "Left edge", "Left edges"),
            count(edges(Player::Right), "Right edge", "Right edges"),
        )
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Everything that is told.
struct Answer {
    is_stopper: Option<bool>,
    /// If Left starts, and if Right starts.
    winners: [Option<Winner>; 2],
    text: Option<String>,
    canonical: Option<Canonical>,
    onside: Option<Canonical>,
    offside: Option<Canonical>,
    is_complete: bool,
}

impl Answer {
    fn new(game: &Game, stoppers: &mut Stoppers, effort: &mut Effort) -> Self {
        let form = |stopper| Canonical::new(stoppers, stopper);
        let onside = game.sides.onside.map(form);
        // Large forms take time, so that equal ones are made once.
        let (canonical, offside, text) = if game.sides.stopper().is_some() {
            let text = onside.as_ref().map(|form| form.text.clone());
            (onside.clone(), onside.clone(), text)
        } else {
            (None, game.sides.offside.map(form), stoppers.sides_text(game.sides))
        };
        Self {
            canonical,
            onside,
            offside,
            text,
            winners: game.winners(stoppers, effort),
            is_stopper: game.is_stopper,
            is_complete: game.interrupted.is_none(),
        }
    }

    fn json(&self) -> JsonAnswer<'_> {
        let graph = |form: &Canonical| {
            JsonPartizan::new(&form.game.graph, &form.game.names, form.game.start)
        };
        let side = |form: &Option<Canonical>| {
            form.as_ref().map(|form| JsonSide { graph: graph(form), text: form.text.clone() })
        };
        let [left_first, right_first] = self.winners.map(|winner| winner.map(letter));
        JsonAnswer {
            stopper: self.is_stopper,
            outcome: JsonOutcome { left_first, right_first },
            text: self.text.as_deref(),
            canonical: self.canonical.as_ref().map(graph),
            sides: JsonSides { onside: side(&self.onside), offside: side(&self.offside) },
        }
    }

    fn text(&self, stoppers: &mut Stoppers, budget: u64) -> Result<String, Failure> {
        let mut rows: Vec<(&str, String)> = Vec::new();
        rows.push(("value", self.value()));
        for (label, winner) in ["Left starts", "Right starts"].into_iter().zip(self.winners) {
            rows.push((label, winner.map_or(UNKNOWN, in_words).to_owned()));
        }
        rows.push((
            "stopper",
            match self.is_stopper {
                Some(true) => "yes, the graph as given has no alternating cycle".to_owned(),
                Some(false) => "no, the graph as given has an alternating cycle".to_owned(),
                None => UNKNOWN.to_owned(),
            },
        ));
        if let Some(canonical) = &self.canonical {
            rows.push(("canonical", canonical.size()));
        } else {
            for (label, side) in [("onside", &self.onside), ("offside", &self.offside)] {
                let told = side.as_ref().map(|side| format!("{} ({})", side.text, side.size()));
                let none = if self.is_complete { "none was found" } else { UNKNOWN };
                rows.push((label, told.unwrap_or_else(|| none.to_owned())));
            }
        }
        let mut text = String::new();
        for (label, told) in rows {
            let _ = writeln!(text, "{}{told}", padded(label, 14));
        }
        if let Some(Canonical { game, .. }) = &self.canonical {
            text.push('\n');
            if game.graph.len() > SHOWN {
                text.push_str(
                    "The canonical form is too large to be shown here: see --format json.\n",
                );
            } else {
                let values = values(&game.graph, stoppers, budget, LONGEST);
                let mut out = Vec::new();
                PartizanReport { game, values: values.as_deref() }
                    .write_table(&mut out)
                    .map_err(|error| Failure::other(error.to_string()))?;
                text.push_str(&String::from_utf8_lossy(&out));
            }
        }
        Ok(text)
    }

    fn value(&self) -> String {
        match (&self.text, self.is_complete) {
            (Some(text), _) if self.canonical.is_some() => text.clone(),
            (Some(text), _) => format!("{text}, which equals no stopper"),
            (None, true) => "none to tell: not both sides were found".to_owned(),
            (None, false) => UNKNOWN.to_owned(),
        }
    }
}

const UNKNOWN: &str = "not known";

fn letter(winner: Winner) -> &'static str {
    match winner {
        Some(Player::Left) => "L",
        Some(Player::Right) => "R",
        None => "D",
    }
}

fn in_words(winner: Winner) -> &'static str {
    match winner {
        Some(Player::Left) => "Left wins",
        Some(Player::Right) => "Right wins",
        None => "a draw: play is endless",
    }
}

/// What each vertex of a canonical form equals, shortened; none if that takes too much.
fn values(
    graph: &Graph,
    stoppers: &mut Stoppers,
    budget: u64,
    longest: usize,
) -> Option<Vec<String>> {
    let mut effort = Effort::new(budget);
    let mut value = |vertex| {
        let stopper = stoppers.onside(graph, vertex, &mut effort).ok()??;
        let text = stoppers.text(stopper);
        let short: String = text.chars().take(longest).collect();
        Some(if short.len() < text.len() { format!("{short}…") } else { short })
    };
    (0..graph.len() as Vertex).map(&mut value).collect()
}

/// Prints the canonical form as a picture, or the graph as given.
fn draw(args: &LoopyArgs, game: &Game, stoppers: &mut Stoppers) -> Result<(), Failure> {
    let canonical = game.sides.stopper().filter(|_| !args.given);
    let canonical = canonical.map(|stopper| named(stoppers.graph(stopper)));
    let given = match canonical {
        Some(_) => None,
        None => game.given(stoppers, &mut Effort::new(args.states.budget)).map_err(over_budget)?,
    };
    let Some(drawn) = canonical.as_ref().or(given.as_deref()) else {
        return Err(match game.interrupted {
            Some(interrupted) => over_budget(interrupted),
            None => Failure::input("there is no graph to draw: the game is given by its sides"),
        });
    };
    let few = canonical.as_ref().filter(|drawn| drawn.graph.len() <= MOST_DRAWN);
    let values = few.and_then(|drawn| values(&drawn.graph, stoppers, args.states.budget, LONGEST));
    let report = PartizanReport { game: drawn, values: values.as_deref() };
    if args.format == LoopyFormat::Dot {
        return print(|mut out| report.write_dot(&mut out));
    }
    let picture = partizan_svg(&report, MOST_DRAWN)
        .map_err(|error| Failure::input(format!("{}: use --format json", error.fact())))?;
    print_text(&picture)
}

/// The most vertices that are drawn.
const MOST_DRAWN: usize = 300;

#[derive(Serialize)]
struct JsonAnswer<'a> {
    stopper: Option<bool>,
    outcome: JsonOutcome,
    text: Option<&'a str>,
    canonical: Option<JsonPartizan>,
    sides: JsonSides,
}

#[derive(Serialize)]
struct JsonOutcome {
    left_first: Option<&'static str>,
    right_first: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonSides {
    onside: Option<JsonSide>,
    offside: Option<JsonSide>,
}

#[derive(Serialize)]
struct JsonSide {
    graph: JsonPartizan,
    text: String,
}
