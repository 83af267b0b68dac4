//! Values and labellings as JSON.
//!
//! The wrappers here are the one place where values become JSON; whoever prints a value wraps
//! it: `serde_json::to_string(&JsonValue(&value))`.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use nimoon::{AnyValue, Cover, EntailingValue, Label, NimberSet, Outcome, Value};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{Report, Round};

/// A value as JSON.
///
/// ```
/// use nimoon::AnyValue;
/// use nimoon_formats::write::json::JsonValue;
/// let json = |text: &str| {
///     let value: AnyValue = text.parse().unwrap();
///     serde_json::to_string(&JsonValue(&value)).unwrap()
/// };
/// assert_eq!(json("3"), r#"{"kind":"nimber","n":3}"#);
/// assert_eq!(json("full-moon"), r#"{"kind":"full-moon"}"#);
/// assert_eq!(json("moon{0,1}"), r#"{"kind":"moon","forced":[0,1]}"#);
/// assert_eq!(json("moon"), r#"{"kind":"moon"}"#);
/// assert_eq!(json("ninny{2}"), r#"{"kind":"ninny","forced":2}"#);
/// assert_eq!(json("oo{0,2}"), r#"{"kind":"cyclic","exits":[0,2]}"#);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct JsonValue<'a>(pub &'a AnyValue);

impl Serialize for JsonValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            AnyValue::CarryOn(Value::Nimber(n))
            | AnyValue::Entailing(EntailingValue::Nimber(n)) => {
                map.serialize_entry("kind", "nimber")?;
                map.serialize_entry("n", n)?;
            }
            AnyValue::CarryOn(Value::FullMoon) => map.serialize_entry("kind", "full-moon")?,
            AnyValue::CarryOn(Value::Moon(forced)) => {
                map.serialize_entry("kind", "moon")?;
                map.serialize_entry("forced", forced.as_slice())?;
            }
            AnyValue::Entailing(EntailingValue::Moon) => map.serialize_entry("kind", "moon")?,
            AnyValue::CarryOn(Value::Ninny(forced)) => {
                map.serialize_entry("kind", "ninny")?;
                map.serialize_entry("forced", forced)?;
            }
            AnyValue::CarryOn(Value::Cyclic(exits)) => {
                map.serialize_entry("kind", "cyclic")?;
                map.serialize_entry("exits", exits.as_slice())?;
            }
            AnyValue::General(outcomes) => {
                map.serialize_entry("kind", "general")?;
                map.serialize_entry("win", &JsonNimberSet(&outcomes.win))?;
                map.serialize_entry("loss", &JsonNimberSet(&outcomes.loss))?;
                map.serialize_entry("draw", &JsonNimberSet(&outcomes.draw))?;
            }
        }
        map.end()
    }
}

/// A set of nimbers as JSON: `{"only":[…]}` or `{"all_except":[…]}`.
///
/// ```
/// use nimoon::NimberSet;
/// use nimoon_formats::write::json::JsonNimberSet;
/// let set = NimberSet::all_except([2, 0]);
/// let json = serde_json::to_string(&JsonNimberSet(&set)).unwrap();
/// assert_eq!(json, r#"{"all_except":[0,2]}"#);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct JsonNimberSet<'a>(pub &'a NimberSet);

impl Serialize for JsonNimberSet<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self.0 {
            NimberSet::Only(elements) => map.serialize_entry("only", elements.as_slice())?,
            NimberSet::AllExcept(without) => {
                map.serialize_entry("all_except", without.as_slice())?;
            }
        }
        map.end()
    }
}

/// What a gray node covers, as JSON: a set, `"new-moon"`, `"full-moon"` or `null`.
///
/// ```
/// use nimoon::Cover;
/// use nimoon_formats::write::json::JsonCover;
/// let cover = Cover::NewMoon;
/// assert_eq!(serde_json::to_string(&JsonCover(Some(&cover))).unwrap(), r#""new-moon""#);
/// assert_eq!(serde_json::to_string(&JsonCover(None)).unwrap(), "null");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct JsonCover<'a>(pub Option<&'a Cover>);

impl Serialize for JsonCover<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            None | Some(Cover::Mixed(_)) => serializer.serialize_none(),
            Some(Cover::NewMoon) => serializer.serialize_str("new-moon"),
            Some(Cover::FullMoon) => serializer.serialize_str("full-moon"),
            Some(Cover::Heaps(set)) => JsonNimberSet(set).serialize(serializer),
        }
    }
}

/// An outcome as JSON: `"N"`, `"P"` or `"D"`; `null` where it is not known.
///
/// ```
/// use nimoon::Outcome;
/// use nimoon_formats::write::json::JsonOutcome;
/// assert_eq!(serde_json::to_string(&JsonOutcome(Some(Outcome::P))).unwrap(), r#""P""#);
/// assert_eq!(serde_json::to_string(&JsonOutcome(None)).unwrap(), "null");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct JsonOutcome(pub Option<Outcome>);

impl Serialize for JsonOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            None => serializer.serialize_none(),
            Some(outcome) => serializer.collect_str(&outcome),
        }
    }
}

/// A labelled node as JSON.
///
/// ```
/// use nimoon::Label;
/// use nimoon_formats::write::{Round, json::JsonNode};
/// let label = Label::White("oo{0}".parse().unwrap());
/// let node = JsonNode { name: "a".into(), label: &label, round: Round::NotAsked };
/// assert_eq!(
///     serde_json::to_string(&node).unwrap(),
///     r#"{"node":"a","color":"white","value":{"kind":"cyclic","exits":[0]},"text":"∞₀","outcome":"N"}"#,
/// );
/// ```
#[derive(Clone, Debug)]
pub struct JsonNode<'a> {
    /// The name of the node.
    pub name: Cow<'a, str>,
    /// What the theory says about it.
    pub label: &'a Label,
    /// The round of assignment.
    pub round: Round,
}

impl Serialize for JsonNode<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("node", &self.name)?;
        match self.label {
            Label::White(value) => {
                map.serialize_entry("color", "white")?;
                map.serialize_entry("value", &JsonValue(value))?;
                map.serialize_entry("text", &format_args!("{value}"))?;
                map.serialize_entry("outcome", &JsonOutcome(value.outcome()))?;
            }
            Label::Gray(cover) => {
                map.serialize_entry("color", "gray")?;
                map.serialize_entry("covers", &JsonCover(cover.as_ref()))?;
            }
        }
        match self.round {
            Round::NotAsked => {}
            Round::Never => map.serialize_entry("round", &None::<u32>)?,
            Round::At(round) => map.serialize_entry("round", &round)?,
        }
        map.end()
    }
}

/// Writes a labelling as one JSON value and a line end, node by node.
///
/// A labelling that was cut short by a budget has `"complete":false`.
///
/// ```
/// # use nimoon::{Budget, Digraph};
/// # use nimoon_formats::{Names, write::{Report, json::write_json}};
/// let digraph = Digraph::new(1, [], vec![]).unwrap();
/// let names: Names = ["z"].into_iter().collect();
/// let labelling = nimoon::label(&digraph, None, Budget::DEFAULT).unwrap();
/// let report = Report { digraph: &digraph, names: &names, labelling: &labelling, rounds: None };
/// let mut out = Vec::new();
/// write_json(&report, &mut out).unwrap();
/// assert!(out.starts_with(br#"{"theory":"short","nodes":[{"node":"z","color":"white","#));
/// ```
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_json(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    write!(out, r#"{{"theory":"{}","#, report.labelling.theory())?;
    if !report.labelling.is_complete() {
        write!(out, r#""complete":false,"#)?;
    }
    write!(out, r#""nodes":["#)?;
    for node in report.digraph.nodes() {
        if node > 0 {
            out.write_all(b",")?;
        }
        let label = report.labelling.label(node);
        let node = JsonNode { name: report.name(node), label: &label, round: report.round(node) };
        serde_json::to_writer(&mut out, &node)?;
    }
    out.write_all(b"]}\n")?;
    out.flush()
}

/// What is known of a digraph that was not read to its end, as JSON.
///
/// ```
/// use nimoon_formats::write::JsonOfNothing;
/// let json = serde_json::to_string(&JsonOfNothing::default()).unwrap();
/// assert_eq!(json, r#"{"theory":null,"complete":false,"nodes":[]}"#);
/// ```
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct JsonOfNothing {
    theory: Option<()>,
    complete: bool,
    nodes: [(); 0],
}
