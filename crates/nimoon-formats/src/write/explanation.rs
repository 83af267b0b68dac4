//! Why a node has its label, in words and sets.

use std::fmt::Write as _;

use nimoon::explain::{Against, Explanation, Onto, OptionFact};
use nimoon::theory::chains::ChainMove;
use nimoon::{AnyValue, Cover, Label, Node, Theory, Value};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::json::{JsonCover, JsonNimberSet, JsonValue};
use super::terminal::{padded, visible, width};

/// An explanation with the names of the nodes.
#[derive(Clone, Copy)]
pub struct ExplanationReport<'a> {
    /// The node that is explained.
    pub node: Node,
    /// The name of a node or, for an option of a position, what the player does.
    pub name: &'a dyn Fn(Node) -> String,
    /// Whether it is a node of a digraph, which is white or gray, or a position of a ruleset.
    pub is_node: bool,
    /// Why the node has its label.
    pub explanation: &'a Explanation,
}

impl ExplanationReport<'_> {
    /// The explanation in words.
    pub fn text(&self) -> String {
        let Explanation { label, options, .. } = self.explanation;
        let name = self.shown(self.node);
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
        let names: Vec<String> = options.iter().map(|fact| self.shown(fact.option)).collect();
        let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
        for (fact, name) in options.iter().zip(&names) {
            let _ = writeln!(text, "  {}  {}", padded(name, widest), self.option_text(fact));
        }
        let conclusion = self.conclusion();
        if !conclusion.is_empty() {
            let _ = write!(text, "\n{conclusion}");
        }
        text
    }

    /// The name of a node as a terminal may have it.
    fn shown(&self, node: Node) -> String {
        visible(&(self.name)(node)).into_owned()
    }

    fn option_text(&self, fact: &OptionFact) -> String {
        let name = |node: Node| self.shown(node);
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
            Onto::Chain(ChainMove::Ordinary(to)) if to == fact.option => {
                format!("ordinary move, value {label}")
            }
            Onto::Chain(ChainMove::Ordinary(to)) => {
                format!("gray chain, amounts to an ordinary move to {}, value {label}", name(to))
            }
            Onto::Chain(ChainMove::Again(to)) => {
                format!("carry-on move to {}, value {label}: move again", name(to))
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
            (Against::Reverts { reply }, Some(m)) => {
                format!("; beside *{m} it reverts: the reply {} leads back to {m}", name(reply))
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
        let Explanation { label, wins, direct, forced, .. } = self.explanation;
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
                "Beside *{f} some move holds the draw, so it has no nimber; with the one forced \
                 value {f} it is ninny {f}."
            ),
            AnyValue::CarryOn(Value::Cyclic(_)) => format!(
                "Beside the heap of the mex some move holds the draw, so it has no nimber; without \
                 a forced value it is ∞ with the direct values {{{direct}}}."
            ),
            AnyValue::Entailing(nimoon::EntailingValue::Nimber(m)) => {
                format!("The mex is its value: {m}.")
            }
            AnyValue::Entailing(nimoon::EntailingValue::Moon) => {
                "That is every nim-heap, so it is a moon.".to_owned()
            }
            AnyValue::General(outcomes) => {
                format!("No algebra is known here. By search, beside nim-heaps: {outcomes}.")
            }
        };
        text.push_str(&because);
        text.push('\n');
        text
    }
}

/// What a move is, as a word.
fn kind(onto: Onto) -> &'static str {
    match onto {
        Onto::Chain(ChainMove::Ordinary(_)) => "ordinary",
        Onto::Chain(ChainMove::Again(_)) => "carry-on",
        Onto::Chain(ChainMove::Wins) => "checkmate",
        Onto::Chain(ChainMove::Loses) => "suicide",
        Onto::Chain(ChainMove::Endless) => "endless",
        Onto::Entailing(_) => "entailing",
    }
}

struct JsonFact<'a>(&'a OptionFact, &'a ExplanationReport<'a>);

impl Serialize for JsonFact<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(fact, report) = self;
        let name = report.name;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("option", &name(fact.option))?;
        map.serialize_entry("kind", kind(fact.onto))?;
        if let Onto::Chain(ChainMove::Ordinary(to) | ChainMove::Again(to)) = fact.onto {
            map.serialize_entry("to", &name(to))?;
        }
        match &fact.label {
            Some(Label::White(value)) => map.serialize_entry("value", &JsonValue(value))?,
            Some(Label::Gray(cover)) => {
                map.serialize_entry("covers", &JsonCover(cover.as_ref()))?;
            }
            None => {}
        }
        map.serialize_entry("wins", &JsonNimberSet(&fact.wins))?;
        let fate = report.mex().map_or(Against::NoHeap, |_| fact.against);
        let against = match fate {
            Against::Loses => Some("loses"),
            Against::Reverts { .. } => Some("reverts"),
            Against::Same => Some("same"),
            Against::Holds => Some("holds"),
            Against::NoHeap => None,
        };
        map.serialize_entry("beside_mex", &against)?;
        if let Against::Reverts { reply } = fate {
            map.serialize_entry("reply", &name(reply))?;
        }
        map.end()
    }
}

impl Serialize for ExplanationReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Explanation { theory, label, options, wins, direct, forced } = self.explanation;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("node", &(self.name)(self.node))?;
        map.serialize_entry("theory", theory.name())?;
        match label {
            Label::White(value) => map.serialize_entry("value", &JsonValue(value))?,
            Label::Gray(cover) => map.serialize_entry("covers", &JsonCover(cover.as_ref()))?,
        }
        let facts: Vec<JsonFact<'_>> = options.iter().map(|fact| JsonFact(fact, self)).collect();
        map.serialize_entry("options", &facts)?;
        map.serialize_entry("wins", &JsonNimberSet(wins))?;
        map.serialize_entry("mex", &wins.mex())?;
        if *theory != Theory::General {
            map.serialize_entry("direct", direct.as_slice())?;
        }
        if !matches!(theory, Theory::Entailing | Theory::General) {
            map.serialize_entry("forced", forced.as_slice())?;
        }
        map.serialize_entry("text", &self.text())?;
        map.end()
    }
}
