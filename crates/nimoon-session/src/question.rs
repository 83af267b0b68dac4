//! Every question that can be asked, in one table.
//!
//! | name | asks for | on the command line |
//! |---|---|---|
//! | `value` | the value of a sum of positions, who wins, and what to play | `nimoon value` |
//! | `explain` | the same, with the reasons, and how the values add | `nimoon value --explain` |
//! | `turns` | the same, with all winning turns | `nimoon value --turns` |
//! | `moves` | a game as it stands, and every move with what it achieves | `nimoon play` |
//! | `engine` | the engine's next move in a game | `nimoon play` |
//! | `label` | the labels of a digraph, and pictures of it | `nimoon label` |
//! | `sum` | pieces on the nodes of a digraph | `nimoon sum` |
//! | `remoteness` | how far each node is from the end of play | `nimoon remoteness` |
//! | `compound` | who wins where players move in all, some or one component | `nimoon compound` |
//! | `loopy` | a loopy partizan game | `nimoon loopy` |
//! | `compare` | the order of two loopy games, or of two impartial values | `nimoon compare` |
//! | `affine` | forms over ∞ and −∞ | `nimoon affine` |
//! | `ordinal` | ordinals and transfinite games | `nimoon ordinal` |
//! | `unicycle` | unicycles with a pattern | `nimoon unicycle` |
//! | `table`, `period` | many positions of a ruleset | `nimoon table`, `nimoon period` |
//! | `explore` | all positions that play can reach, with what is known of each | `nimoon explore` |
//! | `search` | the first position of a family that satisfies a condition | `nimoon search` |
//! | `representative` | the simplest digraph of a value | `nimoon representative` |
//! | `rulesets` | the rulesets | `nimoon rulesets` |
//! | `check` | whether a certificate proves its claim | `nimoon check` |
//! | `audit` | whether theory and brute force agree | `nimoon audit` |
//!
//! `play`, `repl`, `serve`, `store` and `cluster` are not questions: they go on until somebody ends them, or work on files.

use nimoon_audit::PrintableReport;
use nimoon_rulesets::EntryReport;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::{
    affine, check, digraph, explore, loopy, ordinal, play, search, smith, sum, table, unicycle,
};
use crate::describe::{Described, Schemas};
use crate::loopy::LoopyReport;
use crate::report::{CompoundReport, ExplainedSum, OrdinalReport, SumReport};
use crate::request::{Asked, read};
use crate::{Answer, Error, ErrorKind, Session, Wanted, Work};

macro_rules! questions {
    ($($(#[doc = $about:literal])* $variant:ident($request:ty) -> $report:ty = $name:literal, $answer:path, $example:literal;)*) => {
        /// A question.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum Question {
            $($(#[doc = $about])* $variant($request),)*
        }

        /// The data of an answer: for each question its own type.
        #[derive(Debug, Serialize)]
        #[serde(untagged)]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant, reason = "there is one report for each answer")]
        pub enum Report {
            $(#[doc = concat!("The answer to [`Question::", stringify!($variant), "`].")] $variant($report),)*
        }

        impl Question {
            /// The names of all questions.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Reads the fields of the question with this name from JSON, and the limits beside them.
            ///
            /// # Errors
            /// When there is no such question, or its fields are wrong, with the place in the JSON.
            pub fn read(name: &str, json: &[u8]) -> Result<(Self, Wanted), Error> {
                match name {
                    $($name => {
                        let Asked(question, wanted) = read::<$request>(json)?;
                        Ok((Self::$variant(question), wanted))
                    })*
                    _ => Err(unknown(name)),
                }
            }

            pub(crate) fn answer(&self, session: &Session, work: &Work) -> Result<Answer, Error> {
                match self {
                    $(Self::$variant(question) => {
                        let answer: Answer<$report> = $answer(question, session, work)?;
                        Ok(answer.map(Report::$variant))
                    })*
                }
            }
        }

        /// Describes every question.
        pub(crate) fn described(schemas: &mut Schemas) -> Vec<Described> {
            vec![$(schemas.described::<$request, $report>($name, concat!($($about, "\n"),*), $example)),*]
        }
    };
}

questions! {
    /// Ask for the value of a sum of positions, who wins, and the turn to play.
    ///
    /// The program answers it by `nimoon value`.
    Value(sum::Request) -> sum::ValueReport = "value", sum::value,
        r#"{"expression": "top-entails:7 + nimstring:1x3 + kayles:9"}"#;
    /// Ask for the value of a sum with the reasons.
    ///
    /// The answer also says why each component has its value, how the values add, and why the turn is the one to play. The
    /// program answers it by `nimoon value --explain`.
    Explain(play::Request) -> ExplainedSum = "explain", play::explain,
        r#"{"position": "green-lime:0-1g,1-2l,1-3l + nim:2"}"#;
    /// Ask for the value of a sum with all winning turns, or in a draw all that hold it, that repeat no position.
    ///
    /// The program answers it by `nimoon value --turns`.
    Turns(sum::TurnsRequest) -> SumReport = "turns", sum::turns,
        r#"{"expression": "nim:3 + nim:5"}"#;
    /// Ask for a game as it stands: the position, what the player is bound to, and every move with what it achieves.
    ///
    /// Moves come sorted: wins before draws before losses, quick wins first. In a sum with partizan components Left begins, or
    /// Right if `starts` says so.
    Moves(play::Request) -> play::MovesReport = "moves", play::moves,
        r#"{"position": "top-entails:4 + nim:2", "moves": [0]}"#;
    /// Ask for the engine's next move in a game, for the player to move.
    Engine(play::EngineRequest) -> play::EngineReport = "engine", play::engine,
        r#"{"game": {"position": "nim:3 + nim:5"}, "skill": 10}"#;
    /// Ask for the label of every node of a digraph, or a picture of it.
    ///
    /// The program answers it by `nimoon label`.
    Label(digraph::LabelRequest) -> digraph::LabelReport = "label", digraph::label,
        r#"{"digraph": {"text": "gray g\nz:\nc: c g\ng: z\n"}, "steps": true}"#;
    /// Ask for the value of pieces on the nodes of a digraph.
    ///
    /// The program answers it by `nimoon sum`.
    Sum(digraph::SumRequest) -> SumReport = "sum", digraph::sum,
        r#"{"digraph": {"text": "gray g\nz:\nc: c g\ng: z\n"}, "nodes": ["c", "z"]}"#;
    /// Ask how far each node is from the end of play.
    ///
    /// The program answers it by `nimoon remoteness`.
    Remoteness(smith::RemotenessRequest) -> smith::RemotenessAnswer = "remoteness", smith::remoteness,
        r#"{"digraph": {"text": "a: b\nb: a c\nc: d\nd:\n"}, "strategy": true, "grundy": true}"#;
    /// Ask who wins where players move in all, some or one component.
    ///
    /// The program answers it by `nimoon compound`.
    Compound(smith::CompoundRequest) -> CompoundReport = "compound", smith::compound,
        r#"{"compound": "selective(conjunctive(a,b),c)", "digraph": {"text": "a: b\nb: c\nc:\n"}}"#;
    /// Ask for the value of a loopy partizan game, its sides, and who wins.
    ///
    /// The program answers it by `nimoon loopy`.
    Loopy(loopy::Request) -> LoopyReport = "loopy", loopy::game,
        r#"{"game": "a{1||a|0}"}"#;
    /// Ask for the order of two loopy partizan games, or of two impartial values or positions.
    ///
    /// Where impartial values differ the answer has positions that tell them apart.
    /// The program answers it by `nimoon compare`.
    Compare(loopy::CompareRequest) -> loopy::CompareReport = "compare", loopy::compare,
        r#"{"a": "upon", "b": "over"}"#;
    /// Ask for the value of a form over ∞ and −∞, or for a comparison of two forms.
    ///
    /// The program answers it by `nimoon affine`.
    Affine(affine::Request) -> affine::AffineReport = "affine", affine::form,
        r#"{"form": "{{oo|0},0|{0|-oo},0}"}"#;
    /// Ask for the value of an ordinal expression or a transfinite game.
    ///
    /// The program answers it by `nimoon ordinal`.
    Ordinal(ordinal::Request) -> OrdinalReport = "ordinal", ordinal::expression,
        r#"{"expression": "nim(w, w^2*3 + 5)"}"#;
    /// Ask for the unicycles with a pattern, or with all patterns of a length.
    ///
    /// The program answers it by `nimoon unicycle`.
    Unicycle(unicycle::Request) -> unicycle::UnicycleReport = "unicycle", unicycle::unicycles,
        r#"{"pattern": "LLRR", "exits": "0,*", "count": true}"#;
    /// Ask for the values of a family of positions.
    ///
    /// The program answers it by `nimoon table`.
    Table(table::Request) -> table::TableAnswer = "table", table::table,
        r#"{"pattern": "top-entails", "range": "0..50"}"#;
    /// Ask for the period of the values of heaps, and whether it is proved.
    ///
    /// The program answers it by `nimoon period`.
    Period(table::PeriodRequest) -> table::AnyPeriod = "period", table::period,
        r#"{"ruleset": "kayles"}"#;
    /// Ask for all positions that play can reach from a sum, with the value, the winner and the moves of each.
    ///
    /// The program answers it by `nimoon explore`.
    Explore(explore::Request) -> explore::ExploreAnswer = "explore", explore::explore,
        r#"{"expression": "green-lime:gl"}"#;
    /// Ask for the first position of a family that satisfies a condition, such as a counterexample.
    ///
    /// The program answers it by `nimoon search`.
    Search(search::Request) -> crate::search::SearchReport = "search", search::search,
        r#"{"pattern": "wythoff:{a},{b}", "range": "a=0..9 b=0..9", "where": "value != a xor b"}"#;
    /// Ask for the simplest digraph that has a value.
    ///
    /// The program answers it by `nimoon representative`.
    Representative(digraph::RepresentativeRequest) -> digraph::LabelReport = "representative", digraph::representative,
        r#"{"value": "ninny{1}"}"#;
    /// Ask for the rulesets: the rules, the notation and an example of each.
    ///
    /// The program answers it by `nimoon rulesets`.
    Rulesets(RulesetsRequest) -> Vec<EntryReport> = "rulesets", rulesets,
        r#"{"name": "nim"}"#;
    /// Ask whether a certificate proves its claim.
    ///
    /// The program answers it by `nimoon check`.
    Check(check::Request) -> check::CheckReport = "check", check::certificate,
        r#"{"certificate": "{\"certificate\":\"labels\",\"version\":1,\"theory\":\"short\",\"nodes\":[\"a\",\"b\"],\"gray\":[],\"options\":[[],[0]],\"values\":[0,1],\"order\":[0,1]}"}"#;
    /// Ask whether theory and brute force agree.
    ///
    /// The program answers it by `nimoon audit`.
    Audit(check::AuditRequest) -> PrintableReport = "audit", check::audit,
        r#"{"exhaustive": 2}"#;
}

impl Question {
    /// Whether the question is known to take long before anything is computed.
    pub fn is_slow(&self) -> bool {
        match self {
            Self::Label(asked) => asked.is_slow(),
            Self::Sum(asked) => asked.is_slow(),
            Self::Remoteness(asked) => asked.is_slow(),
            Self::Compound(asked) => asked.is_slow(),
            Self::Table(asked) => asked.is_slow(),
            Self::Period(asked) => asked.is_slow(),
            Self::Unicycle(_)
            | Self::Search(_)
            | Self::Explore(_)
            | Self::Check(_)
            | Self::Audit(_) => true,
            _ => false,
        }
    }
}

fn unknown(name: &str) -> Error {
    let names = Question::NAMES.join(", ");
    Error::new(ErrorKind::NotFound, format!("unknown question `{name}`; expected one of {names}"))
}

/// Asks for the rulesets.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RulesetsRequest {
    /// The name of one of them; default: all.
    name: Option<String>,
}

fn rulesets(
    asked: &RulesetsRequest,
    _session: &Session,
    _work: &Work,
) -> Result<Answer<Vec<EntryReport>>, Error> {
    use crate::expression::{NoLibrary, unknown};
    let entries = match &asked.name {
        None => crate::catalogue(),
        Some(name) => {
            vec![crate::find(name).ok_or_else(|| Error::input(unknown(name, &NoLibrary)))?]
        }
    };
    Ok(Answer::data(entries.iter().map(EntryReport::new).collect::<Vec<_>>()))
}
