//! Labellings as text: tables, data formats and pictures.
//!
//! | format | function | for |
//! |---|---|---|
//! | table | [`write_table`] | people, in a terminal |
//! | JSON | [`write_json`] | programs; [`json`] has the wrappers for single values |
//! | CSV | [`write_csv`] | spreadsheets |
//! | DOT | [`write_dot`] | Graphviz, and reading back |
//! | SVG | [`svg()`] | pictures |
//! | LaTeX | [`latex()`] | pictures in papers |
//!
//! Tables of many positions are written by [`SequenceReport`] and drawn by [`Plot`], digraphs without labels by [`game()`] and [`JsonDigraph`],
//! graphs with Left and Right edges by [`PartizanReport`], [`JsonPartizan`] and [`partizan_svg`].
//!
//! The first four write node by node and keep nothing, so a million nodes need no memory.

use std::borrow::Cow;

use nimoon::impartial::sets::Sets;
use nimoon::{AnyValue, Cover, Digraph, Label, Labels, Node, Outcome, Refutation, Value};

use crate::names::Names;

mod csv;
mod digraph;
mod dot;
mod drawing;
mod formula;
pub mod json;
mod latex;
mod math;
mod partizan;
mod partizan_svg;
mod picture;
mod plot;
mod png;
mod sequence;
mod svg;
mod table;
pub mod terminal;
mod zones;

pub use csv::{field as csv_field, write_csv};
pub use digraph::{JsonDigraph, UnwritableName, game};
pub use dot::write_dot;
pub use drawing::JsonDrawing;
pub use formula::value_math;
pub use json::{JsonLabels, write_json};
pub use latex::latex;
pub use partizan::{JsonPartizan, PartizanReport, lettered};
pub use partizan_svg::partizan_svg;
pub use picture::{PictureError, PictureOptions};
pub use plot::{Plot, PlotError};
pub use sequence::{Family, JsonRow, NotForBFile, ParameterValue, SequenceReport, Shown};
pub use svg::svg;
pub use table::{write_row, write_table};

/// A labelled digraph, ready to be written.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The digraph.
    pub digraph: &'a Digraph,
    /// The names of its nodes.
    pub names: &'a Names,
    /// The labels of its nodes.
    pub labelling: &'a dyn Labels,
    /// The round in which each node was assigned, if rounds were requested.
    pub rounds: Option<&'a [Option<u32>]>,
    /// The sets D, F and P and the function Cr of \[ACLNSS\], if they were requested.
    pub sets: Option<&'a Sets>,
    /// What Algorithm 8 gives as it is printed, if that was requested.
    pub printed: Option<&'a PrintedLabels>,
}

/// The labels that Algorithm 8 of \[ACLNSS\] gives as it is printed.
#[derive(Clone, Debug)]
pub struct PrintedLabels {
    /// The label of each node; none if no printed case applies.
    pub labels: Vec<Option<Label>>,
    /// The step in which each node is assigned; none if it never is.
    pub steps: Vec<Option<u32>>,
}

impl PrintedLabels {
    fn label(&self, node: Node) -> Option<&Label> {
        self.labels.get(node as usize)?.as_ref()
    }

    fn step(&self, node: Node) -> Option<u32> {
        self.steps.get(node as usize).copied().flatten()
    }
}

/// When a node was assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// Rounds were not requested.
    NotRequested,
    /// The node was never assigned.
    Never,
    /// It was assigned in this round.
    At(u32),
}

impl Round {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference to the field")]
    fn is_absent(&self) -> bool {
        *self == Self::NotRequested
    }

    fn at(self) -> Option<u32> {
        match self {
            Self::At(round) => Some(round),
            _ => None,
        }
    }
}

impl<'a> Report<'a> {
    /// The labels of a digraph, without anything beside them.
    pub fn new(digraph: &'a Digraph, names: &'a Names, labelling: &'a dyn Labels) -> Self {
        Self { digraph, names, labelling, rounds: None, sets: None, printed: None }
    }

    fn name(&self, node: Node) -> Cow<'a, str> {
        self.names.name(node)
    }

    fn round(&self, node: Node) -> Round {
        match self.rounds.map(|rounds| rounds.get(node as usize).copied().flatten()) {
            None => Round::NotRequested,
            Some(None) => Round::Never,
            Some(Some(round)) => Round::At(round),
        }
    }

    /// The theories of the labels, as in "short theory".
    fn theories(&self) -> Cow<'static, str> {
        match self.labelling.single() {
            Some(labelling) => Cow::Owned(format!("{} theory", labelling.theory())),
            None => Cow::Borrowed("smallest theory that fits what each node reaches"),
        }
    }

    /// One line about a node: name, value and outcome, or what it covers.
    fn title(&self, node: Node, label: &Label) -> String {
        let name = self.name(node);
        match label {
            Label::White(value) => {
                let outcome = outcome_letter(value.outcome());
                format!("{name}: {value}, outcome {outcome}")
            }
            Label::Gray(Some(cover)) => format!("{name} (gray) covers {cover}"),
            Label::Gray(None) => format!("{name} (gray)"),
        }
    }
}

/// Why a digraph does not fit a theory, in words.
///
/// ```
/// use nimoon::Refutation;
/// use nimoon_formats::{Names, write::refutation_words};
/// let names: Names = ["a", "b"].into_iter().collect();
/// let cycle = Refutation::Cycle(vec![0, 1]);
/// assert_eq!(refutation_words(&cycle, &names), "it has the cycle a → b → a");
/// ```
pub fn refutation_words(refutation: &Refutation, names: &Names) -> String {
    /// The longest cycle that is shown whole.
    const SHOWN: usize = 12;
    match refutation {
        Refutation::GrayNode(node) => format!("node `{}` is gray", names.name(*node)),
        Refutation::ManyOptions(node) => {
            format!("the gray node `{}` has more than one option", names.name(*node))
        }
        Refutation::Cycle(cycle) => {
            let mut way: Vec<String> =
                cycle.iter().take(SHOWN).map(|&node| names.name(node).into_owned()).collect();
            if cycle.len() > SHOWN {
                way.push(format!("… ({} nodes)", cycle.len()));
            }
            way.extend(cycle.first().map(|&node| names.name(node).into_owned()));
            format!("it has the cycle {}", way.join(" → "))
        }
    }
}

/// What is missing from labels that are not complete, in words.
///
/// ```
/// use nimoon::{Work, Limits, Digraph, label};
/// use nimoon_formats::write::missing_words;
/// let digraph = Digraph::new(2, [], vec![(1, 0)]).unwrap();
/// let words = missing_words(&label(&digraph, None, &Work::new(Limits::new(1))).unwrap()).unwrap();
/// assert!(words.ends_with("the values of some nodes are not known"));
/// assert_eq!(missing_words(&label(&digraph, None, &Work::default()).unwrap()), None);
/// ```
pub fn missing_words(labels: &dyn Labels) -> Option<String> {
    let labelling = labels.incomplete()?;
    Some(format!("{}: the values of some nodes are not known", labelling.interrupted()?))
}

/// The letter of an outcome, `?` where it is not known.
pub fn outcome_letter(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::N) => "N",
        Some(Outcome::P) => "P",
        Some(Outcome::D) => "D",
        None => "?",
    }
}

/// Whether a node has neither a nimber nor a moon, nor covers anything known.
fn is_cyclic(label: &Label) -> bool {
    match label {
        Label::White(AnyValue::CarryOn(Value::Cyclic(_) | Value::Ninny(_))) | Label::Gray(None) => {
            true
        }
        Label::White(AnyValue::Control(value)) => {
            value.wins_if_unnumbered().is_some_and(|wins| !wins.is_everything())
        }
        Label::White(AnyValue::General(outcomes)) | Label::Gray(Some(Cover::Mixed(outcomes))) => {
            !outcomes.draw.is_nothing()
        }
        _ => false,
    }
}
