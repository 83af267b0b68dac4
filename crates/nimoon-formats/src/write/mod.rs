//! Labellings as text: tables, data formats and pictures.

use std::borrow::Cow;

use nimoon::{Digraph, Label, Labelling, Node, Outcome};

use crate::names::Names;

mod math;
mod picture;
mod svg;
mod zones;

pub use picture::{PictureError, PictureOptions};
pub use svg::svg;

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

impl<'a> Report<'a> {
    fn name(&self, node: Node) -> Cow<'a, str> {
        self.names.name(node)
    }

    /// The round of a node; none where no rounds are asked for.
    fn round(&self, node: Node) -> Option<Option<u32>> {
        let rounds = self.rounds?;
        Some(rounds.get(node as usize).copied().flatten())
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

/// The letter of an outcome, `?` where it is not known.
fn outcome_letter(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::N) => "N",
        Some(Outcome::P) => "P",
        Some(Outcome::D) => "D",
        None => "?",
    }
}
