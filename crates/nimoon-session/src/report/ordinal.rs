//! Ordinals, and games of them, as text and JSON.

use std::fmt::Write as _;

use nimoon::Outcome;
use nimoon::transfinite::expression::Answer;
use nimoon::transfinite::{Compound, Followers, Ordinal, Pool};
use nimoon_formats::write::json::{Json, Shaped, shaped};
use schemars::JsonSchema;
use serde::Serialize;

/// The report about an expression.
///
/// ```
/// use nimoon::{Work, transfinite::expression::read};
/// use nimoon_session::report::OrdinalReport;
/// let answer = read("1 + w", &mut Work::default()).unwrap();
/// let report = OrdinalReport::new(&answer);
/// assert_eq!(report.text(), "w\n\neven, a limit\n");
/// assert_eq!(serde_json::to_string(&report).unwrap(), r#"{"value":"w","even":true}"#);
/// ```
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(transparent)]
pub struct OrdinalReport(
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Told>")]
    Told,
);

#[derive(Debug)]
enum Told {
    /// Nothing, since a limit was hit.
    Nothing,
    Truth(bool),
    Ordinal {
        value: Ordinal,
        game: Option<Game>,
    },
}

/// An expression that is a game.
#[derive(Debug)]
struct Game {
    kind: Kind,
    components: Vec<String>,
    outcome: Outcome,
    /// A winning move; none if there is none, or it is not known.
    moves: Option<Vec<Step>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Nim,
    Pool,
    Pools(Compound),
    /// A compound of compounds, of which the remoteness is all that is known.
    Compound,
}

/// A move in one component.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OrdinalMove")]
struct Step {
    /// The number of the component.
    component: usize,
    /// The component before the move.
    from: String,
    /// The component after it.
    to: String,
    #[serde(skip)]
    words: Option<String>,
}

impl OrdinalReport {
    /// The report about this answer.
    pub fn new(answer: &Answer) -> Self {
        let game = match answer {
            Answer::Truth(truth) => return Self(Told::Truth(*truth)),
            Answer::Ordinal(_) => None,
            Answer::Nim(nim, _) => Some(Game {
                kind: Kind::Nim,
                components: nim.heaps().iter().map(Ordinal::to_string).collect(),
                outcome: nim.outcome(),
                moves: nim.winning_move().map(|step| {
                    let from = nim.heaps()[step.heap].to_string();
                    let to = step.to.to_string();
                    vec![Step { component: step.heap, from, to, words: None }]
                }),
            }),
            Answer::Pool(pool) => {
                let is_won = !pool.remoteness().is_even();
                let follower = pool.follower_at_least(&Ordinal::ZERO).filter(|_| is_won);
                Some(Game {
                    kind: Kind::Pool,
                    components: vec![pool.to_string()],
                    outcome: outcome(is_won),
                    moves: follower.map(|to| vec![Step::in_pool(0, pool, &to)]),
                })
            }
            Answer::Pools(pools, _) => {
                let moves = pools.winning_move().map(|step| {
                    let steps = pools.pools().iter().zip(&step).enumerate();
                    let step = |(i, (pool, to)): (usize, (&Pool, &Option<Pool>))| {
                        to.as_ref().map(|to| Step::in_pool(i, pool, to))
                    };
                    steps.filter_map(step).collect()
                });
                Some(Game {
                    kind: Kind::Pools(pools.compound()),
                    components: pools.pools().iter().map(Pool::to_string).collect(),
                    outcome: pools.outcome(),
                    moves,
                })
            }
            Answer::Compound(_, value) => Some(Game {
                kind: Kind::Compound,
                components: Vec::new(),
                outcome: outcome(!value.is_even()),
                moves: None,
            }),
        };
        Self(Told::Ordinal { value: answer.value().unwrap_or_default(), game })
    }

    /// The report about an expression that is beyond the limits.
    ///
    /// ```
    /// use nimoon_session::report::OrdinalReport;
    /// let report = OrdinalReport::unknown();
    /// assert_eq!(report.text(), "value  not known\n");
    /// assert_eq!(serde_json::to_string(&report).unwrap(), r#"{"value":null,"even":null}"#);
    /// ```
    pub fn unknown() -> Self {
        Self(Told::Nothing)
    }

    /// The answer in words.
    pub fn text(&self) -> String {
        let (value, game) = match &self.0 {
            Told::Nothing => return "value  not known\n".to_owned(),
            Told::Truth(truth) => return format!("{truth}\n"),
            Told::Ordinal { value, game } => (value, game),
        };
        let parity = if value.is_even() { "even" } else { "odd" };
        match game {
            None => format!("{value}\n\n{parity}{}\n", nature(value)),
            Some(game) => game.text(value),
        }
    }
}

impl Shaped for Told {
    type Shape<'a> = JsonAnswer<'a>;

    fn shape(&self) -> JsonAnswer<'_> {
        match self {
            Self::Nothing => JsonAnswer::Nothing { value: (), even: () },
            Self::Truth(truth) => JsonAnswer::Truth { value: *truth },
            Self::Ordinal { value, game } => {
                let text = value.to_string();
                let even = value.is_even();
                let Some(game) = game else { return JsonAnswer::Ordinal { value: text, even } };
                let outcome = game.outcome.to_string();
                match game.kind {
                    Kind::Nim | Kind::Pool => {
                        let step = game.moves.as_ref().and_then(|moves| moves.first());
                        JsonAnswer::Game { value: text, even, outcome, step }
                    }
                    Kind::Pools(_) | Kind::Compound => {
                        let moves = game.moves.as_deref();
                        JsonAnswer::Compound { value: text, even, outcome, moves }
                    }
                }
            }
        }
    }
}

fn outcome(is_won: bool) -> Outcome {
    if is_won { Outcome::N } else { Outcome::P }
}

/// What kind of ordinal it is, behind its parity.
fn nature(value: &Ordinal) -> &'static str {
    if value.is_limit() {
        ", a limit"
    } else if value.as_finite().is_some() {
        ", finite"
    } else {
        ", a successor"
    }
}

impl Step {
    fn in_pool(component: usize, pool: &Pool, to: &Pool) -> Self {
        let words = match pool.followers() {
            // What is left of the coin, and the cent that is taken, were given for it.
            Followers::Odd { rest, coin } => {
                let left = to.coins().remainder_after(&rest).unwrap_or_default();
                let amount = left.successor().unwrap_or(left);
                if coin == Ordinal::omega() {
                    format!("exchange a dollar for {amount} cents and take one")
                } else {
                    format!("exchange {coin} for {amount} and take a cent")
                }
            }
            _ if pool.coins().is_limit() => {
                "exchange a dollar for 100 cents and take one".to_owned()
            }
            _ => "take a cent".to_owned(),
        };
        Self { component, from: pool.to_string(), to: to.to_string(), words: Some(words) }
    }
}

impl Game {
    fn text(&self, value: &Ordinal) -> String {
        let mut text = String::new();
        for (i, component) in self.components.iter().enumerate() {
            let _ = writeln!(text, "{i:>4}  {component}");
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let name = if self.kind == Kind::Nim { "nim-sum" } else { "remoteness" };
        let who = match self.outcome {
            Outcome::N => "the next player wins",
            _ => "the previous player wins",
        };
        let _ = writeln!(text, "{name}  {value}, {}: {who}", self.outcome);
        if self.kind != Kind::Nim && value.as_finite().is_none() {
            text.push_str(
                "The loser can put the end off for any number of moves, but not for ever.\n",
            );
        }
        let Some(moves) = &self.moves else { return text };
        let heading = match self.kind {
            Kind::Pools(Compound::Conjunctive) => "A winning move, in all components",
            _ => "A winning move",
        };
        let _ = writeln!(text, "\n{heading}:");
        for Step { component, from, to, words } in moves {
            let words = words.as_ref().map_or(String::new(), |words| format!("{words}:  "));
            let _ = writeln!(text, "  component {component}:  {words}{from} → {to}");
        }
        text
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
enum JsonAnswer<'a> {
    /// A limit was hit before anything was known.
    Nothing {
        /// Null.
        value: (),
        /// Null.
        even: (),
    },
    /// A comparison.
    Truth {
        /// Whether it holds.
        value: bool,
    },
    /// An ordinal.
    Ordinal {
        /// The ordinal.
        value: String,
        /// Whether it is even.
        even: bool,
    },
    /// A game with moves in one component.
    Game {
        /// Its value or its remoteness.
        value: String,
        /// Whether that is even.
        even: bool,
        /// Who wins: N or P.
        outcome: String,
        /// A winning move; null if there is none.
        #[serde(rename = "move")]
        step: Option<&'a Step>,
    },
    /// A game with moves in several components.
    Compound {
        /// Its remoteness.
        value: String,
        /// Whether that is even.
        even: bool,
        /// Who wins: N or P.
        outcome: String,
        /// A winning move in each component in which the player moves; null if there is none or it
        /// is not known.
        moves: Option<&'a [Step]>,
    },
}
