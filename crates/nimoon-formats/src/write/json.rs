//! Values and labellings as JSON.
//!
//! The types here are the one place where values become JSON: code that prints a value converts it, as in
//! `serde_json::to_string(&JsonValue::from(&value))`. Types that hold a value name the conversion beside the field, by
//! `#[serde(serialize_with = "shaped")]` and `#[schemars(with = "Json<…>")]`.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufWriter, Write};

use nimoon::impartial::control::Control;
use nimoon::impartial::sets::Sets;
use nimoon::solve::partizan::PartizanGuide;
use nimoon::{
    AnyValue, Cover, EntailingValue, Guide, Label, NimberSet, Node, Outcome, Theory, TurnKind,
    Value,
};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{PrintedLabels, Report, Round};

/// Something that is written as JSON in the shape of another type.
///
/// ```
/// use nimoon::{Outcome, Theory};
/// use nimoon_formats::write::json::Shaped;
/// let json = |shape| serde_json::to_string(&shape).unwrap();
/// assert_eq!(serde_json::to_string(&Theory::CarryOn.shape()).unwrap(), r#""carry-on""#);
/// assert_eq!(json(Some(Outcome::P).shape()), r#""P""#);
/// assert_eq!(json(None::<Outcome>.shape()), "null");
/// ```
pub trait Shaped {
    /// The type that has this shape.
    type Shape<'a>: Serialize
    where
        Self: 'a;

    /// The same in that shape.
    fn shape(&self) -> Self::Shape<'_>;
}

/// The shape of the JSON of `T`.
pub type Json<T> = <T as Shaped>::Shape<'static>;

/// Writes something in its shape.
///
/// # Errors
/// Those of the serializer.
pub fn shaped<T: Shaped, S: Serializer>(told: &T, serializer: S) -> Result<S::Ok, S::Error> {
    told.shape().serialize(serializer)
}

/// Writes a text without keeping it.
fn displayed<T: Display, S: Serializer>(told: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(told)
}

/// Whether a field is `true`, and so left out.
// Serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub fn is_true(field: &bool) -> bool {
    *field
}

/// Whether a field is `false`, and so left out.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub fn is_false(field: &bool) -> bool {
    !field
}

impl<T: Shaped> Shaped for Option<T> {
    type Shape<'a>
        = Option<T::Shape<'a>>
    where
        T: 'a;

    fn shape(&self) -> Self::Shape<'_> {
        self.as_ref().map(T::shape)
    }
}

macro_rules! names {
    ($($(#[$about:meta])* $shape:ident($name:literal) of $shaped:ident { $($(#[$meant:meta])* $variant:ident,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        #[schemars(rename = $name)]
        pub enum $shape {
            $($(#[$meant])* $variant,)*
        }

        impl Shaped for $shaped {
            type Shape<'a> = $shape;

            fn shape(&self) -> $shape {
                match self {
                    $(Self::$variant => $shape::$variant,)*
                }
            }
        }
    )*};
}

names! {
    /// A theory.
    JsonTheory("Theory") of Theory {
        /// Sprague–Grundy: no cycles, no gray nodes.
        Short,
        /// Smith, Fraenkel and Perl: cycles, no gray nodes.
        Cyclic,
        /// Larsson, Nowakowski and Santos: gray nodes, no cycles.
        Entailing,
        /// Abuku and others: cycles, and gray nodes with at most one option.
        CarryOn,
        /// Cycles, and gray nodes with any number of options.
        General,
    }

    /// Who wins.
    JsonOutcome("Outcome") of Outcome {
        /// The next player wins.
        #[serde(rename = "N")]
        N,
        /// The previous player wins.
        #[serde(rename = "P")]
        P,
        /// A draw.
        #[serde(rename = "D")]
        D,
    }

    /// What a turn achieves.
    JsonTurnKind("TurnKind") of TurnKind {
        /// It wins.
        Winning,
        /// It holds the draw.
        Drawing,
        /// It loses, like every other one.
        Losing,
        /// There is no move: the player has lost.
        None,
    }
}

/// What a turn was chosen by.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(tag = "guide", rename_all = "lowercase")]
#[schemars(rename = "Guide")]
pub enum JsonGuide {
    /// An exact search through the product of the components.
    Search {
        /// In how many plies the game ends if both play well; null if nobody wins.
        remoteness: Option<u32>,
    },
    /// A measure that falls with each turn.
    Measure,
    /// The values of what the moves lead to.
    Values,
}

impl Shaped for Guide {
    type Shape<'a> = JsonGuide;

    fn shape(&self) -> JsonGuide {
        match *self {
            Self::Search { remoteness } => JsonGuide::Search { remoteness },
            Self::Measure => JsonGuide::Measure,
        }
    }
}

impl Shaped for PartizanGuide {
    type Shape<'a> = JsonGuide;

    fn shape(&self) -> JsonGuide {
        match *self {
            Self::Search { remoteness } => JsonGuide::Search { remoteness },
            Self::Values => JsonGuide::Values,
        }
    }
}

/// A value.
///
/// ```
/// use nimoon::AnyValue;
/// use nimoon_formats::write::json::JsonValue;
/// let json = |text: &str| {
///     let value: AnyValue = text.parse().unwrap();
///     serde_json::to_string(&JsonValue::from(&value)).unwrap()
/// };
/// assert_eq!(json("3"), r#"{"kind":"nimber","n":3}"#);
/// assert_eq!(json("full-moon"), r#"{"kind":"full-moon"}"#);
/// assert_eq!(json("moon{0,1}"), r#"{"kind":"moon","forced":[0,1]}"#);
/// assert_eq!(json("moon"), r#"{"kind":"moon"}"#);
/// assert_eq!(json("ninny{2}"), r#"{"kind":"ninny","forced":2}"#);
/// assert_eq!(json("oo{0,2}"), r#"{"kind":"cyclic","exits":[0,2]}"#);
/// assert_eq!(
///     json("[0/1, >0]"),
///     r#"{"kind":"control","term":"[0/1, >0]","win":{"all_except":[1]},"loss":{"only":[]},"draw":{"only":[1]}}"#,
/// );
/// ```
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(rename = "Value")]
pub enum JsonValue<'a> {
    /// The value of a nim-heap.
    Nimber {
        /// The size of the heap.
        n: u64,
    },
    /// A checkmate: the next player wins beside everything.
    FullMoon,
    /// The next player wins beside every nim-heap.
    Moon {
        /// The nimbers that the opponent can be made to move to, in the carry-on theory.
        #[serde(skip_serializing_if = "Option::is_none")]
        forced: Option<&'a [u64]>,
    },
    /// Play can be endless, with one forced value.
    Ninny {
        /// The nimber that the opponent can be made to move to.
        forced: u64,
    },
    /// Play can be endless.
    Cyclic {
        /// The nimbers that a player can move to.
        exits: &'a [u64],
    },
    /// A value of the general theory that no smaller theory has.
    Control {
        /// The value as a term; null where it is written with equations.
        term: Option<JsonTerm<'a>>,
        /// The right side of the equation of each variable, where it is written with equations.
        #[serde(skip_serializing_if = "Option::is_none")]
        equations: Option<JsonEquations<'a>>,
        /// The variable of the value.
        #[serde(skip_serializing_if = "Option::is_none")]
        start: Option<&'static str>,
        /// Beside these nim-heaps the next player wins.
        win: JsonNimberSet<'a>,
        /// Beside these the next player loses.
        loss: JsonNimberSet<'a>,
        /// Beside these it is a draw.
        draw: JsonNimberSet<'a>,
    },
    /// What is known where a limit was hit before a value of the general theory was found.
    General {
        /// Beside these nim-heaps the next player wins.
        win: JsonNimberSet<'a>,
        /// Beside these the next player loses.
        loss: JsonNimberSet<'a>,
        /// Beside these it is a draw.
        draw: JsonNimberSet<'a>,
        /// The numbers that a player in control can force; left out where that is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        forced: Option<JsonNimberSet<'a>>,
    },
}

/// A value of the general theory, written as a term.
#[derive(Clone, Copy, Debug, JsonSchema)]
#[schemars(rename = "Term", transparent)]
pub struct JsonTerm<'a>(#[schemars(with = "String")] &'a Control);

impl Serialize for JsonTerm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:#}", self.0))
    }
}

/// The equations of a value of the general theory.
#[derive(Clone, Copy, Debug, JsonSchema)]
#[schemars(rename = "Equations", transparent)]
pub struct JsonEquations<'a>(
    #[schemars(with = "std::collections::BTreeMap<String, String>")] &'a Control,
);

impl Serialize for JsonEquations<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.equations())
    }
}

impl<'a> From<&'a Control> for JsonValue<'a> {
    fn from(value: &'a Control) -> Self {
        const NOTHING: JsonNimberSet<'_> = JsonNimberSet::Only(&[]);
        let win = value.wins_if_unnumbered().map_or(NOTHING, JsonNimberSet::from);
        let is_term = value.is_term();
        Self::Control {
            term: is_term.then_some(JsonTerm(value)),
            equations: (!is_term).then_some(JsonEquations(value)),
            start: (!is_term).then_some("X"),
            win,
            loss: NOTHING,
            draw: win.complement(),
        }
    }
}

impl<'a> From<&'a AnyValue> for JsonValue<'a> {
    fn from(value: &'a AnyValue) -> Self {
        match value {
            &(AnyValue::CarryOn(Value::Nimber(n))
            | AnyValue::Entailing(EntailingValue::Nimber(n))) => Self::Nimber { n },
            AnyValue::CarryOn(Value::FullMoon) => Self::FullMoon,
            AnyValue::CarryOn(Value::Moon(forced)) => {
                Self::Moon { forced: Some(forced.as_slice()) }
            }
            AnyValue::Entailing(EntailingValue::Moon) => Self::Moon { forced: None },
            &AnyValue::CarryOn(Value::Ninny(forced)) => Self::Ninny { forced },
            AnyValue::CarryOn(Value::Cyclic(exits)) => Self::Cyclic { exits: exits.as_slice() },
            AnyValue::Control(value) => Self::from(&**value),
            AnyValue::General(outcomes) => Self::General {
                win: (&outcomes.win).into(),
                loss: (&outcomes.loss).into(),
                draw: (&outcomes.draw).into(),
                forced: outcomes.forced.shape(),
            },
        }
    }
}

impl Shaped for AnyValue {
    type Shape<'a> = JsonValue<'a>;

    fn shape(&self) -> JsonValue<'_> {
        self.into()
    }
}

/// A set of nimbers: these alone, or all except these.
///
/// ```
/// use nimoon::NimberSet;
/// use nimoon_formats::write::json::JsonNimberSet;
/// let set = NimberSet::all_except([2, 0]);
/// let json = serde_json::to_string(&JsonNimberSet::from(&set)).unwrap();
/// assert_eq!(json, r#"{"all_except":[0,2]}"#);
/// ```
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "NimberSet")]
pub enum JsonNimberSet<'a> {
    /// These.
    Only(&'a [u64]),
    /// All but these.
    AllExcept(&'a [u64]),
}

impl JsonNimberSet<'_> {
    /// All others.
    fn complement(self) -> Self {
        match self {
            Self::Only(elements) => Self::AllExcept(elements),
            Self::AllExcept(without) => Self::Only(without),
        }
    }
}

impl<'a> From<&'a NimberSet> for JsonNimberSet<'a> {
    fn from(set: &'a NimberSet) -> Self {
        match set {
            NimberSet::Only(elements) => Self::Only(elements.as_slice()),
            NimberSet::AllExcept(without) => Self::AllExcept(without.as_slice()),
        }
    }
}

impl Shaped for NimberSet {
    type Shape<'a> = JsonNimberSet<'a>;

    fn shape(&self) -> JsonNimberSet<'_> {
        self.into()
    }
}

/// What a gray node covers.
///
/// ```
/// use nimoon::Cover;
/// use nimoon_formats::write::json::Shaped;
/// let cover = Some(Cover::NewMoon);
/// assert_eq!(serde_json::to_string(&cover.shape()).unwrap(), r#""new-moon""#);
/// ```
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Cover")]
pub enum JsonCover<'a> {
    /// The player who must move from it loses, whatever stands beside it.
    NewMoon,
    /// The player who must move from it wins, whatever stands beside it.
    FullMoon,
    /// Beside these nim-heaps the player who must move from it loses.
    #[serde(untagged)]
    Heaps(JsonNimberSet<'a>),
    /// No set.
    #[serde(untagged)]
    Nothing(()),
}

impl Shaped for Cover {
    type Shape<'a> = JsonCover<'a>;

    fn shape(&self) -> JsonCover<'_> {
        match self {
            Self::NewMoon => JsonCover::NewMoon,
            Self::FullMoon => JsonCover::FullMoon,
            Self::Heaps(set) => JsonCover::Heaps(set.into()),
            Self::Mixed(_) => JsonCover::Nothing(()),
        }
    }
}

/// What a theory says about a node: the value of a white one, or what a gray one covers.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Label")]
pub enum JsonLabel<'a> {
    /// Of a white node.
    White {
        /// The value; null where a limit was hit before it was known.
        value: Option<JsonValue<'a>>,
    },
    /// Of a gray node.
    Gray {
        /// What it covers; null if that is not a set.
        covers: Option<JsonCover<'a>>,
    },
}

impl Shaped for Label {
    type Shape<'a> = JsonLabel<'a>;

    fn shape(&self) -> JsonLabel<'_> {
        match self {
            Self::White(value) => JsonLabel::White { value: Some(value.into()) },
            Self::Gray(cover) => JsonLabel::Gray { covers: cover.shape() },
        }
    }
}

/// Writes a label, or a value of null where it is not known.
///
/// # Errors
/// Those of the serializer.
pub fn label_or_null<S: Serializer>(
    label: &Option<Label>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    label.shape().unwrap_or(JsonLabel::White { value: None }).serialize(serializer)
}

/// A labelled node.
///
/// ```
/// use nimoon::Label;
/// use nimoon_formats::write::{Round, json::JsonNode};
/// let label = Label::White("oo{0}".parse().unwrap());
/// let node = JsonNode::new("a", &label, None, Round::NotRequested);
/// assert_eq!(
///     serde_json::to_string(&node).unwrap(),
///     r#"{"node":"a","color":"white","value":{"kind":"cyclic","exits":[0]},"text":"∞₀","outcome":"N"}"#,
/// );
/// ```
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Node")]
pub struct JsonNode<'a> {
    /// The name of the node.
    node: Cow<'a, str>,
    #[serde(flatten)]
    label: JsonColor<'a>,
    /// The theory of the label, where each node has the smallest that fits what it reaches.
    #[serde(skip_serializing_if = "Option::is_none")]
    theory: Option<JsonTheory>,
    /// The round in which the node was assigned, where that was asked for; null for a node that was not.
    #[serde(skip_serializing_if = "Round::is_absent", serialize_with = "round")]
    #[schemars(with = "Option<u32>")]
    round: Round,
    /// D(G), F(G), P(G) and Cr, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    sets: Option<JsonSets<'a>>,
    /// What Algorithm 8 gives as it is printed, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    printed: Option<JsonPrinted<'a>>,
}

/// The sets of a node, under the names of the carry-on paper.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Sets")]
struct JsonSets<'a> {
    /// The direct values D(G).
    #[serde(rename = "D")]
    direct: JsonNimberSet<'a>,
    /// The forcing values F(G).
    #[serde(rename = "F")]
    forced: JsonNimberSet<'a>,
    /// The protected values P(G) of a white node.
    #[serde(rename = "P", skip_serializing_if = "Option::is_none")]
    protected: Option<JsonNimberSet<'a>>,
    /// The k for which Cr(G, k) is true of a gray node.
    #[serde(rename = "Cr", skip_serializing_if = "Option::is_none")]
    carried: Option<JsonNimberSet<'a>>,
}

impl<'a> JsonSets<'a> {
    fn new(sets: &'a Sets, node: Node) -> Self {
        Self {
            direct: sets.direct(node).into(),
            forced: sets.forced(node).into(),
            protected: sets.protected(node).map(Into::into),
            carried: sets.carried(node).map(Into::into),
        }
    }
}

/// The label of a node by Algorithm 8 as it is printed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Printed")]
struct JsonPrinted<'a> {
    /// The label; a value of null where no printed case applies.
    #[serde(flatten)]
    label: JsonLabel<'a>,
    /// The value as it is printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The step in which the node is assigned; null for a node that is not.
    round: Option<u32>,
}

impl<'a> JsonPrinted<'a> {
    fn new(printed: &'a PrintedLabels, node: Node) -> Self {
        let label = printed.label(node);
        let text = match label {
            Some(Label::White(value)) => Some(value.to_string()),
            _ => None,
        };
        let label = label.map_or(JsonLabel::White { value: None }, Shaped::shape);
        Self { label, text, round: printed.step(node) }
    }
}

/// The colour of a node, and what the theory says about it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "color", rename_all = "lowercase")]
#[schemars(inline)]
enum JsonColor<'a> {
    /// A piece on a white node may be moved by the player to move.
    White {
        /// The value.
        value: JsonValue<'a>,
        /// The value as it is printed.
        #[serde(serialize_with = "displayed")]
        #[schemars(with = "String")]
        text: &'a AnyValue,
        /// Who wins a piece alone; null where that is not known.
        outcome: Option<JsonOutcome>,
    },
    /// A piece on a gray node must be moved.
    Gray {
        /// What it covers; null if that is not a set.
        covers: Option<JsonCover<'a>>,
    },
}

impl<'a> JsonNode<'a> {
    /// A node with this name and label, with the theory and the round where they are asked for.
    pub fn new(
        name: impl Into<Cow<'a, str>>,
        label: &'a Label,
        theory: Option<Theory>,
        round: Round,
    ) -> Self {
        let label = match label {
            Label::White(value) => JsonColor::White {
                value: value.into(),
                text: value,
                outcome: value.outcome().shape(),
            },
            Label::Gray(cover) => JsonColor::Gray { covers: cover.shape() },
        };
        let theory = theory.shape();
        Self { node: name.into(), label, theory, round, sets: None, printed: None }
    }

    pub(super) fn of(report: &Report<'a>, node: Node, label: &'a Label) -> Self {
        let (theory, round) = (report.labelling.theory_of(node), report.round(node));
        Self {
            sets: report.sets.map(|sets| JsonSets::new(sets, node)),
            printed: report.printed.map(|printed| JsonPrinted::new(printed, node)),
            ..Self::new(report.name(node), label, theory, round)
        }
    }
}

/// A labelling, node by node.
///
/// One that was cut short by a budget has `"complete":false`. Where nodes have labels of different
/// theories, each has its `"theory"`, and that of the whole is one that fits the whole digraph. The default
/// is what is known of a digraph that was not read to its end.
///
/// ```
/// use nimoon_formats::write::JsonLabels;
/// let json = serde_json::to_string(&JsonLabels::default()).unwrap();
/// assert_eq!(json, r#"{"theory":null,"complete":false,"nodes":[]}"#);
/// ```
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "Labels")]
pub struct JsonLabels<'a> {
    /// A theory that fits the whole digraph; null where the digraph was not read to its end.
    theory: Option<JsonTheory>,
    /// False where a limit was hit; left out otherwise.
    #[serde(skip_serializing_if = "is_true")]
    complete: bool,
    /// The nodes in the order in which they were read.
    #[serde(serialize_with = "nodes")]
    #[schemars(with = "Vec<JsonNode>")]
    nodes: Option<Report<'a>>,
}

impl<'a> From<Report<'a>> for JsonLabels<'a> {
    fn from(report: Report<'a>) -> Self {
        Self {
            theory: Some(report.labelling.theory().shape()),
            complete: report.labelling.is_complete(),
            nodes: Some(report),
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference to the field")]
fn round<S: Serializer>(round: &Round, serializer: S) -> Result<S::Ok, S::Error> {
    round.at().serialize(serializer)
}

/// Writes the nodes one by one, and keeps nothing.
#[allow(clippy::ref_option, reason = "serde passes a reference to the field")]
fn nodes<S: Serializer>(report: &Option<Report<'_>>, serializer: S) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeSeq as _;
    let mut list = serializer.serialize_seq(None)?;
    if let Some(report) = report {
        for node in report.digraph.nodes() {
            list.serialize_element(&JsonNode::of(report, node, &report.labelling.label(node)))?;
        }
    }
    list.end()
}

/// Writes a labelling as one JSON value and a line end, node by node.
///
/// ```
/// # use nimoon::{Work, Digraph};
/// # use nimoon_formats::{Names, write::{Report, json::write_json}};
/// let digraph = Digraph::new(1, [], vec![]).unwrap();
/// let names: Names = ["z"].into_iter().collect();
/// let labelling = nimoon::label(&digraph, None, &Work::default()).unwrap();
/// let report = Report::new(&digraph, &names, &labelling);
/// let mut out = Vec::new();
/// write_json(&report, &mut out).unwrap();
/// assert!(out.starts_with(br#"{"theory":"short","nodes":[{"node":"z","color":"white","#));
/// ```
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_json(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    serde_json::to_writer(&mut out, &JsonLabels::from(*report))?;
    out.write_all(b"\n")?;
    out.flush()
}
