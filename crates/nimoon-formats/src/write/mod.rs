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
//! The answers for sums ([`SumReport`]) and for why a node has its label ([`ExplanationReport`])
//! are written as text and JSON, tables of many positions by [`SequenceReport`], digraphs without labels by [`game()`] and [`JsonDigraph`].
//! Sums of partizan positions have their own answer ([`PartizanSumReport`]).
//! Graphs with Left and Right edges are written by [`PartizanReport`], [`JsonPartizan`] and [`partizan_svg`].
//!
//! Remoteness is written by [`RemotenessReport`] and its kin, compounds by [`CompoundReport`], ordinals by [`OrdinalReport`].
//!
//! Certificates, which show an answer to be right, are written by [`certificate`].
//!
//! The first four write node by node and keep nothing, so a million nodes are no matter.

use std::borrow::Cow;

use nimoon::{AnyValue, Cover, Digraph, Label, Labelling, Node, Outcome, Refutation, Value};

use crate::names::Names;

mod answer;
pub mod certificate;
mod compound;
mod csv;
mod digraph;
mod dot;
mod drawing;
mod explanation;
mod formula;
pub mod json;
mod latex;
mod math;
mod ordinal;
mod partizan;
mod partizan_answer;
mod partizan_placement;
mod partizan_svg;
mod payoffs;
mod picture;
mod placement;
mod play;
mod reason;
mod remoteness;
mod sequence;
mod svg;
mod table;
pub mod terminal;
mod wide;
mod zones;

pub use answer::{ComponentReport, PlyReport, SumReport, TurnReport, outcome_words, turns_text};
pub use compound::CompoundReport;
pub use csv::write_csv;
pub use digraph::{JsonDigraph, UnwritableName, game};
pub use dot::write_dot;
pub use drawing::JsonDrawing;
pub use explanation::ExplanationReport;
pub use formula::value_math;
pub use json::{JsonOfNothing, write_json};
pub use latex::latex;
pub use ordinal::OrdinalReport;
pub use partizan::{JsonPartizan, PartizanReport, lettered};
pub use partizan_answer::{
    LoopyValue, PartizanComponentReport, PartizanOutcome, PartizanSumReport, PartizanTurnReport,
};
pub use partizan_svg::partizan_svg;
pub use payoffs::{Payoffs, PayoffsError};
pub use picture::{PictureError, PictureOptions};
pub use placement::PartReport;
pub use play::{MoveReport, PlayReport};
pub use reason::{AdditionReport, AdditionStep, TurnReasonReport};
pub use remoteness::{
    NodeRows, PartizanRemotenessReport, PayoffReport, RemotenessReport, write_node_json,
    write_node_table,
};
pub use sequence::{NotForBFile, SequenceReport};
pub use svg::svg;
pub use table::write_table;
pub use wide::WideReport;

/// A labelled digraph, ready to be written.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The digraph.
    pub digraph: &'a Digraph,
    /// The names of its nodes.
    pub names: &'a Names,
    /// The labels of its nodes.
    pub labelling: &'a Labelling,
    /// The round in which each node was assigned, where that is asked for.
    pub rounds: Option<&'a [Option<u32>]>,
}

/// When a node was assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// Nobody wants to know.
    NotAsked,
    /// It was not.
    Never,
    /// In this round.
    At(u32),
}

impl Round {
    fn at(self) -> Option<u32> {
        match self {
            Self::At(round) => Some(round),
            _ => None,
        }
    }
}

impl<'a> Report<'a> {
    fn name(&self, node: Node) -> Cow<'a, str> {
        self.names.name(node)
    }

    fn round(&self, node: Node) -> Round {
        match self.rounds.map(|rounds| rounds.get(node as usize).copied().flatten()) {
            None => Round::NotAsked,
            Some(None) => Round::Never,
            Some(Some(round)) => Round::At(round),
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

/// The letter of an outcome, `?` where it is not known.
fn outcome_letter(outcome: Option<Outcome>) -> &'static str {
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
        Label::White(AnyValue::General(outcomes)) | Label::Gray(Some(Cover::Mixed(outcomes))) => {
            !outcomes.draw.is_nothing()
        }
        _ => false,
    }
}
