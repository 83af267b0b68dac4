//! `nimoon compare`.

use clap::Args;
use nimoon::loopy::order::{Comparison, Relation, ge_plus};
use nimoon::loopy::{Effort, Interrupted, Stoppers};
use nimoon_formats::write::terminal::visible;
use serde::Serialize;

use super::loopy::{Argument, Game, evaluate, over_budget};
use crate::args::{AnswerFormat, StatesArgs};
use crate::failure::Failure;
use crate::output::{print_json, print_text};

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The first game: an expression, a .json file, `-` for a graph on standard input, or `@FILE`
    /// with an expression in it.
    #[arg(value_name = "A", allow_hyphen_values = true)]
    pub(crate) first: String,

    /// The second game.
    #[arg(value_name = "B", allow_hyphen_values = true)]
    pub(crate) second: String,

    #[command(flatten)]
    pub(crate) states: StatesArgs,

    /// How to print the answer.
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,
}

pub(crate) fn run(args: &CompareArgs) -> Result<(), Failure> {
    if args.first == "-" && args.second == "-" {
        return Err(Failure::input("only one of the two games can be on standard input"));
    }
    let arguments = [Argument::read(&args.first)?, Argument::read(&args.second)?];
    let mut stoppers = Stoppers::new();
    let mut effort = Effort::new(args.states.budget);
    let mut game = |argument| evaluate(argument, &mut stoppers, &mut effort);
    let [first, second] = arguments;
    let games = [game(first)?, game(second)?];
    let mut relations = Relations::default();
    let found = relations.find(&games, &mut stoppers, &mut effort);
    match args.format {
        AnswerFormat::Table => print_text(&relations.text(&args.first, &args.second))?,
        AnswerFormat::Json => print_json(&relations.json())?,
    }
    found.map_err(over_budget)
}

/// What is known of the four relations: from onsides and offsides where they are known, for they are
/// small, and else from the graphs as given.
#[derive(Default)]
struct Relations {
    ge_plus: Option<bool>,
    ge_minus: Option<bool>,
    le_plus: Option<bool>,
    le_minus: Option<bool>,
}

impl Relations {
    fn find(
        &mut self,
        [a, b]: &[Game; 2],
        stoppers: &mut Stoppers,
        effort: &mut Effort,
    ) -> Result<(), Interrupted> {
        let plus = a.sides.onside.zip(b.sides.onside);
        let minus = a.sides.offside.zip(b.sides.offside);
        if let Some((a, b)) = plus {
            self.ge_plus = Some(stoppers.ge(a, b, effort)?);
            self.le_plus = Some(stoppers.ge(b, a, effort)?);
        }
        if let Some((a, b)) = minus {
            self.ge_minus = Some(stoppers.ge(a, b, effort)?);
            self.le_minus = Some(stoppers.ge(b, a, effort)?);
        }
        if plus.is_some() && minus.is_some() {
            return Ok(());
        }
        if let Some(interrupted) = a.interrupted.or(b.interrupted) {
            return Err(interrupted);
        }
        let (Some(a), Some(b)) = (a.given(stoppers, effort)?, b.given(stoppers, effort)?) else {
            return Ok(());
        };
        let (first, second) = ((&a.graph, a.start), (&b.graph, b.start));
        if plus.is_none() {
            self.ge_plus = Some(ge_plus(first, second, effort)?);
            self.le_plus = Some(ge_plus(second, first, effort)?);
        }
        if minus.is_none() {
            // The minus-values of games are the plus-values of their negatives, in reverse order.
            let [a, b] = [a.graph.negative(), b.graph.negative()];
            let (first, second) = ((&a, first.1), (&b, second.1));
            self.ge_minus = Some(ge_plus(second, first, effort)?);
            self.le_minus = Some(ge_plus(first, second, effort)?);
        }
        Ok(())
    }

    fn relation(&self) -> Option<Relation> {
        let comparison = Comparison {
            ge_plus: self.ge_plus?,
            ge_minus: self.ge_minus?,
            le_plus: self.le_plus?,
            le_minus: self.le_minus?,
        };
        Some(comparison.relation())
    }

    fn json(&self) -> JsonComparison {
        JsonComparison {
            ge_plus: self.ge_plus,
            ge_minus: self.ge_minus,
            le_plus: self.le_plus,
            le_minus: self.le_minus,
            relation: self.relation().map(|relation| relation.to_string()),
        }
    }

    fn text(&self, first: &str, second: &str) -> String {
        let told = match self.relation() {
            Some(Relation::Equal) => "A = B: they are equal",
            Some(Relation::Greater) => "A > B: A is better for Left",
            Some(Relation::Less) => "A < B: B is better for Left",
            Some(Relation::Incomparable) => "A || B: neither is better for Left in all sums",
            None => "how A and B compare is not known",
        };
        let cell = |known: Option<bool>| match known {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not known",
        };
        format!(
            "{told}\n\nA  {}\nB  {}\n\nendless play is won by  A ≥ B      A ≤ B\n\
             ──────────────────────  ─────────  ─────────\n{:22}  {:9}  {}\n{:22}  {:9}  {}\n",
            visible(first),
            visible(second),
            "Left",
            cell(self.ge_plus),
            cell(self.le_plus),
            "Right",
            cell(self.ge_minus),
            cell(self.le_minus),
        )
    }
}

#[derive(Serialize)]
struct JsonComparison {
    ge_plus: Option<bool>,
    ge_minus: Option<bool>,
    le_plus: Option<bool>,
    le_minus: Option<bool>,
    relation: Option<String>,
}
