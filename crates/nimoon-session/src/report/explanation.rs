//! Why a node has its label, in words and sets.

use std::fmt::Write as _;

use nimoon::impartial::control::{ActionResult, Member, Place};
use nimoon::impartial::explain::{Against, Explanation, Onto, OptionFact};
use nimoon::impartial::theory::chains::ChainMove;
use nimoon::solve::solution::{OptionInWords, PartExplanation};
use nimoon::{AnyValue, Cover, Label, NimberSet, Node, Theory, Value};
use schemars::JsonSchema;
use serde::Serialize;

use nimoon_formats::write::json::{Json, shaped};
use nimoon_formats::write::terminal::{cell_width, padded_cell, visible};

/// Why a node of a digraph or a position of a ruleset has its label.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Explanation")]
pub struct ExplanationReport {
    /// The node or the position that is explained.
    node: String,
    /// The theory.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Theory>")]
    theory: Theory,
    #[serde(flatten, serialize_with = "shaped")]
    #[schemars(with = "Json<Label>")]
    label: Label,
    /// What there is to say about each option.
    options: Vec<OptionReport>,
    /// The sizes of nim-heaps beside which it is a win to move here first.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<NimberSet>")]
    wins: NimberSet,
    /// The least size that is not among them; null if there is none.
    mex: Option<u64>,
    /// The nimbers that the mover can move to, where the theory has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    direct: Option<Vec<u64>>,
    /// The nimbers that the opponent can be made to move to, where the theory has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    forced: Option<Vec<u64>>,
    /// What a player in control can do by duels, in the general theory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    duels: Vec<DuelReport>,
    /// The explanation in words.
    text: String,
}

/// A duel that a player in control can fight.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Duel")]
struct DuelReport {
    /// What the player enters.
    through: String,
    /// The results between which the opponent chooses; none if the opponent is stuck.
    results: Vec<String>,
    /// What the duel is worth.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<AnyValue>")]
    value: AnyValue,
    /// The place in this list of a duel that is worth as much or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    dominated_by: Option<usize>,
}

/// What there is to say about an option.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Option")]
struct OptionReport {
    /// The option: of a position, what the player does and what that leaves.
    option: String,
    /// What the move is.
    kind: MoveKind,
    /// Where the move comes to, if it is one place.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    /// What the player does, in a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    #[serde(flatten, serialize_with = "shaped")]
    #[schemars(with = "Json<Option<Label>>")]
    label: Option<Label>,
    /// The sizes of nim-heaps beside which the move wins.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<NimberSet>")]
    wins: NimberSet,
    /// What becomes of it beside the nim-heap of the mex; null where there is none.
    beside_mex: Option<BesideMex>,
    /// The reply by which it reverts.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<String>,
}

/// An explanation that is put into words.
struct Telling<'a> {
    /// The node or the position that is explained.
    subject: String,
    /// What it says of each option, in words.
    options: Vec<ToldOption>,
    /// What the duels enter, and where they end.
    duels: Vec<(String, Vec<String>)>,
    /// Whether it is a node of a digraph, which is white or gray.
    is_node: bool,
    /// Why the subject has its label.
    explanation: &'a Explanation,
}

/// An option by the names of nodes or the notation of positions.
#[derive(Clone, Debug)]
struct ToldOption {
    /// The option: of a position, what the player does and what that leaves.
    option: String,
    /// Where the move comes to, if it is one place.
    to: Option<String>,
    /// The reply by which it reverts, if it does.
    reply: Option<String>,
    /// What the player does, in a position.
    words: Option<String>,
}

impl ExplanationReport {
    /// Of a node, by the names of nodes.
    pub fn of_node(node: Node, name: impl Fn(Node) -> String, explanation: &Explanation) -> Self {
        let options = explanation.options.iter().map(|fact| ToldOption {
            option: name(fact.option),
            to: match fact.onto {
                Onto::Chain(ChainMove::Ordinary(to) | ChainMove::Again(to)) => Some(name(to)),
                _ => None,
            },
            reply: match fact.against {
                Against::Reverts { reply } => Some(name(reply)),
                _ => None,
            },
            words: None,
        });
        let options = options.collect();
        let facts = explanation.control.iter().flat_map(|control| &control.actions);
        let duels = facts.map(|fact| {
            let results = fact.action.results.iter().map(|&result| match result {
                ActionResult::Number(n) => n.to_string(),
                ActionResult::Node(node) => name(node),
            });
            (name(fact.action.through), results.collect())
        });
        let duels = duels.collect();
        Telling { subject: name(node), options, duels, is_node: true, explanation }.into()
    }

    /// Of a position.
    pub fn of_position(part: &PartExplanation) -> Self {
        let options =
            part.options.iter().map(|OptionInWords { words, leaves, to, reply }| ToldOption {
                option: format!("{words} → {leaves}"),
                to: Some(to.clone()),
                reply: reply.clone(),
                words: Some(words.clone()),
            });
        let (subject, options) = (part.position.clone(), options.collect());
        let (duels, explanation) = (part.duels.clone(), &part.explanation);
        Telling { subject, options, duels, is_node: false, explanation }.into()
    }

    /// The explanation in words.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl From<Telling<'_>> for ExplanationReport {
    fn from(telling: Telling<'_>) -> Self {
        let (text, mex) = (telling.text(), telling.mex());
        let Telling { subject, options, duels, explanation, .. } = telling;
        let facts = explanation.control.iter().flat_map(|control| &control.actions);
        let duels = facts.zip(duels).map(|(fact, (through, results))| DuelReport {
            through,
            results,
            value: fact.value.clone(),
            dominated_by: fact.dominated_by,
        });
        let duels = duels.collect();
        let Explanation { theory, label, wins, direct, forced, .. } = explanation;
        let facts = explanation.options.iter().zip(options).map(|(fact, told)| {
            let fate = mex.map_or(Against::NoHeap, |_| fact.against);
            let beside_mex = match fate {
                Against::Loses => Some(BesideMex::Loses),
                Against::Reverts { .. } => Some(BesideMex::Reverts),
                Against::Same => Some(BesideMex::Same),
                Against::Holds => Some(BesideMex::Holds),
                Against::NoHeap => None,
            };
            OptionReport {
                option: told.option,
                kind: fact.onto.into(),
                to: told.to,
                words: told.words,
                label: fact.label.clone(),
                wins: fact.wins.clone(),
                beside_mex,
                reply: told.reply.filter(|_| matches!(fate, Against::Reverts { .. })),
            }
        });
        let has_forced = !matches!(theory, Theory::Entailing | Theory::General);
        Self {
            node: subject,
            theory: *theory,
            label: label.clone(),
            options: facts.collect(),
            wins: wins.clone(),
            mex: wins.mex(),
            direct: (*theory != Theory::General).then(|| direct.as_slice().to_vec()),
            forced: has_forced.then(|| forced.as_slice().to_vec()),
            duels,
            text,
        }
    }
}

impl Telling<'_> {
    /// The explanation in words.
    fn text(&self) -> String {
        let Explanation { label, options, .. } = self.explanation;
        let name = visible(&self.subject);
        let mut text = match label {
            Label::White(value) if !self.is_node => format!("{name} has value {value}.\n"),
            Label::White(value) => format!("{name} is white and has value {value}.\n"),
            Label::Gray(Some(Cover::NewMoon)) => format!(
                "{name} is gray and a new moon: the player who must move from it loses, whatever \
                 else is on the board.\n"
            ),
            Label::Gray(Some(Cover::FullMoon)) => format!(
                "{name} is gray and a full moon: the player who must move from it wins, whatever \
                 else is on the board.\n"
            ),
            Label::Gray(Some(Cover::Heaps(set))) => format!(
                "{name} is gray and covers {set}: beside these nim-heaps the player who must move \
                 from it loses.\n"
            ),
            Label::Gray(Some(Cover::Mixed(outcomes))) => format!(
                "{name} is gray. For the player who must move from it, beside nim-heaps: \
                 {outcomes}.\n"
            ),
            Label::Gray(None) => format!(
                "{name} is gray. It covers no set: play from it ends in a cyclic zone, or runs in a \
                 gray circle.\n"
            ),
        };
        if options.is_empty() {
            text.push_str("It has no options.\n");
        } else {
            text.push_str("\nOptions:\n");
        }
        let names: Vec<_> = self.options.iter().map(|told| visible(&told.option)).collect();
        let widest = names.iter().map(|name| cell_width(name)).max().unwrap_or(0);
        for ((fact, told), name) in options.iter().zip(&self.options).zip(&names) {
            let said = self.option_text(fact, told);
            let _ = writeln!(text, "  {}  {said}", padded_cell(name, widest));
        }
        let conclusion = self.conclusion();
        if !conclusion.is_empty() {
            let _ = write!(text, "\n{conclusion}");
        }
        text
    }

    fn option_text(&self, fact: &OptionFact, told: &ToldOption) -> String {
        let to = visible(told.to.as_deref().unwrap_or_default());
        let label = match &fact.label {
            Some(Label::White(value)) => value.to_string(),
            Some(Label::Gray(Some(Cover::Mixed(outcomes)))) => {
                format!("the player sent there: {outcomes}")
            }
            Some(Label::Gray(Some(cover))) => format!("covers {cover}"),
            Some(Label::Gray(None)) => "covers no set".to_owned(),
            None => String::new(),
        };
        let what = match fact.onto {
            Onto::Chain(ChainMove::Ordinary(end)) if end == fact.option => {
                format!("ordinary move, value {label}")
            }
            Onto::Chain(ChainMove::Ordinary(_)) => {
                format!("gray chain, amounts to an ordinary move to {to}, value {label}")
            }
            Onto::Chain(ChainMove::Again(_)) => {
                format!("carry-on move to {to}, value {label}: move again")
            }
            Onto::Chain(ChainMove::Wins) => "checkmate: the opponent is stuck".to_owned(),
            Onto::Chain(ChainMove::Loses) => "suicide: the mover gets stuck".to_owned(),
            Onto::Chain(ChainMove::Endless) => "runs in a circle of gray nodes: a draw".to_owned(),
            Onto::Entailing(_) => format!("entailing move, {label}"),
        };
        let wins = if fact.wins.is_nothing() {
            String::new()
        } else {
            format!("; wins beside *k for k in {}", fact.wins)
        };
        let against = match (fact.against, self.mex()) {
            (Against::Reverts { .. }, Some(m)) => {
                let reply = visible(told.reply.as_deref().unwrap_or_default());
                format!("; beside *{m} it reverts: the reply {reply} leads back to {m}")
            }
            (Against::Loses, Some(m)) => format!("; beside *{m} it loses"),
            (Against::Same, Some(m)) => format!("; beside *{m} it changes nothing"),
            (Against::Holds, Some(m)) => format!("; beside *{m} it does not lose"),
            _ => String::new(),
        };
        format!("{what}{wins}{against}")
    }

    /// The heap that is worth telling what becomes of a move beside it.
    fn mex(&self) -> Option<u64> {
        match &self.explanation.label {
            // From a gray node there is no choice of component, and so no heap of the mex.
            Label::Gray(_) => None,
            Label::White(_) => self.explanation.wins.mex(),
        }
    }

    /// Why a gray node covers what it covers.
    fn gray_conclusion(&self) -> &'static str {
        let Explanation { theory, label, options, .. } = self.explanation;
        match (label, theory) {
            (_, Theory::General) | (Label::Gray(None), _) => "",
            _ if options.is_empty() => "The player who is sent to it cannot move.\n",
            (_, Theory::CarryOn) => "It covers what its only option leaves lost.\n",
            _ => "It covers everything but what its options win.\n",
        }
    }

    fn conclusion(&self) -> String {
        let Explanation { theory, label, wins, direct, forced, .. } = self.explanation;
        let mut text = String::new();
        let value = match label {
            Label::Gray(_) => return self.gray_conclusion().to_owned(),
            Label::White(value) => value,
        };
        if !matches!(value, AnyValue::General(_)) {
            let _ = write!(text, "Moving here first wins beside *k for k in {wins}");
            let _ = match wins.mex() {
                Some(m) => writeln!(text, "; the mex is {m}."),
                None => writeln!(text, "."),
            };
        }
        if *theory == Theory::General {
            text.push_str(&self.control_conclusion(value));
            return text;
        }
        if let AnyValue::CarryOn(_) = value {
            let _ = writeln!(
                text,
                "Direct values, that the mover can move to: {{{direct}}}. Forced values, that the \
                 opponent can be made to move to: {{{forced}}}."
            );
        }
        let because = match value {
            AnyValue::CarryOn(Value::Nimber(m)) => {
                format!("No move wins or draws beside *{m}, so the value is {m}.")
            }
            AnyValue::CarryOn(Value::FullMoon) => {
                "Carry-on moves lead to checkmate, so it is a full moon.".to_owned()
            }
            AnyValue::CarryOn(Value::Moon(_)) => format!(
                "It wins beside every nim-heap, so it is a moon, with the forced values {{{forced}}}."
            ),
            AnyValue::CarryOn(Value::Ninny(f)) => format!(
                "Beside *{f} some move keeps the draw, so it has no nimber; with the one forced \
                 value {f} it is ninny {f}."
            ),
            AnyValue::CarryOn(Value::Cyclic(_)) => format!(
                "Beside the heap of the mex some move keeps the draw, so it has no nimber; without \
                 a forced value it is ∞ with the direct values {{{direct}}}."
            ),
            AnyValue::Entailing(nimoon::EntailingValue::Nimber(m)) => {
                format!("The mex is its value: {m}.")
            }
            AnyValue::Entailing(nimoon::EntailingValue::Moon) => {
                "That is every nim-heap, so it is a moon.".to_owned()
            }
            AnyValue::Control(_) | AnyValue::General(_) => String::new(),
        };
        text.push_str(&because);
        text.push('\n');
        text
    }
}

impl Telling<'_> {
    /// Why a white node has its value in the general theory: who chooses what.
    fn control_conclusion(&self, value: &AnyValue) -> String {
        match (value, value.nimber()) {
            (_, Some(m)) => {
                return format!("No move wins or draws beside *{m}, so the value is {m}.\n");
            }
            (AnyValue::General(outcomes), _) => {
                return format!(
                    "Its value was not found within the limit. Beside nim-heaps: {outcomes}.\n"
                );
            }
            _ => {}
        }
        let mut text = String::new();
        let Some(control) = &self.explanation.control else { return text };
        text.push_str(
            "It has no nimber. What counts is what a player in control can do, who moves here and \
             never leaves the opponent free:\n",
        );
        if control.actions.is_empty() {
            text.push_str("  there is no duel that keeps control\n");
        }
        for (fact, (through, results)) in control.actions.iter().zip(&self.duels) {
            let through = visible(through);
            let choice = match &results[..] {
                [] => "the opponent is stuck".to_owned(),
                [only] => format!("the opponent must leave {}", visible(only)),
                _ => {
                    let names: Vec<_> = results.iter().map(|result| visible(result)).collect();
                    format!("the opponent chooses one of {}", names.join(", "))
                }
            };
            let better = match fact.dominated_by.map(|place| &self.duels[place].0) {
                Some(better) if *better == *through => "; another way there is as good".to_owned(),
                Some(better) => format!("; entering {} is as good or better", visible(better)),
                None => String::new(),
            };
            let _ = writeln!(text, "  enter {through}: {choice}, which is {}{better}", fact.value);
        }
        let _ = match &control.forced {
            forced if forced.is_everything() => writeln!(text, "So the opponent can be stuck."),
            forced if forced.is_nothing() => writeln!(text, "No number can be forced."),
            forced => writeln!(text, "These numbers can be forced: {forced}."),
        };
        let _ = writeln!(text, "So the value is {value}: {}.", in_words(value));
        text
    }
}

/// What the mover can choose, in words.
fn in_words(value: &AnyValue) -> String {
    let Some(control) = value.control() else { return String::new() };
    let Place::State(start) = control.start() else { return "a number".to_owned() };
    let members = control.states()[start as usize].iter().enumerate();
    let choices = members.map(|(member, what)| match what {
        Member::Hand(k) => format!("hand over at {k}"),
        Member::Meet(results) if results.is_empty() => "checkmate".to_owned(),
        Member::Meet(results) => {
            let text = control.member_text(start, member).replace('/', " or ");
            let who = if results.len() > 1 { ", the opponent says which" } else { "" };
            format!("take control with {text}{who}")
        }
    });
    let choices: Vec<String> = choices.collect();
    if choices.is_empty() { "there is nothing to choose".to_owned() } else { choices.join("; or ") }
}

/// What a move is.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum MoveKind {
    /// It ends at a white node.
    Ordinary,
    /// The player moves again.
    CarryOn,
    /// The opponent cannot move.
    Checkmate,
    /// The player cannot move again.
    Suicide,
    /// Play goes round on gray nodes.
    Endless,
    /// The opponent must answer there.
    Entailing,
}

impl From<Onto> for MoveKind {
    fn from(onto: Onto) -> Self {
        match onto {
            Onto::Chain(ChainMove::Ordinary(_)) => Self::Ordinary,
            Onto::Chain(ChainMove::Again(_)) => Self::CarryOn,
            Onto::Chain(ChainMove::Wins) => Self::Checkmate,
            Onto::Chain(ChainMove::Loses) => Self::Suicide,
            Onto::Chain(ChainMove::Endless) => Self::Endless,
            Onto::Entailing(_) => Self::Entailing,
        }
    }
}

/// What becomes of a move beside the nim-heap of the mex.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum BesideMex {
    /// It loses.
    Loses,
    /// A reply leads back to the value of the mex.
    Reverts,
    /// It changes nothing.
    Same,
    /// It holds the draw.
    Holds,
}
