//! The labels of a digraph, and pieces on its nodes.

use std::sync::Arc;

use nimoon::impartial::theory::label_for_sums;
use nimoon::{Labels, Node, SumError, Theory, Work};
use nimoon_formats::Game;
use nimoon_formats::write::json::Shaped as _;
use nimoon_formats::write::{
    PictureOptions, Report, latex, svg, write_csv, write_dot, write_json, write_table,
};
use nimoon_session::report::{ExplanationReport, Missing, SumReport};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::digraph::{Told, complete, cut_short, json, utf8};
use crate::failure::Failure;
use crate::value::Value;
use crate::work::{Limits, choosing, run};

/// The labels of a digraph.
#[pyclass(frozen, module = "nimoon._native")]
pub(crate) struct Labelling {
    pub(crate) game: Arc<Game>,
    pub(crate) labels: Arc<dyn Labels>,
    pub(crate) budget: Limits,
}

impl Labelling {
    fn check(&self, node: Node) -> Result<Node, Failure> {
        if (node as usize) < self.game.digraph.len() {
            Ok(node)
        } else {
            Err(Failure::input(format!("unknown node {node}")))
        }
    }

    fn with_report<T>(
        &self,
        steps: bool,
        use_it: impl FnOnce(&Report<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let digraph = &self.game.digraph;
        let endless = Work::endless();
        let rounds = steps.then(|| self.labels.try_rounds(digraph, &endless));
        let rounds = rounds.transpose().map_err(Failure::interrupted)?;
        use_it(&Report {
            rounds: rounds.as_deref(),
            ..Report::new(digraph, &self.game.names, &*self.labels)
        })
    }
}

#[pymethods]
impl Labelling {
    fn theory(&self) -> &'static str {
        self.labels.theory().name()
    }

    /// The theory of the label of a node; none where all labels are of one theory.
    fn theory_of(&self, node: Node) -> PyResult<Option<&'static str>> {
        Ok(self.labels.theory_of(self.check(node)?).map(Theory::name))
    }

    fn is_complete(&self) -> bool {
        self.labels.is_complete()
    }

    fn value(&self, node: Node) -> PyResult<Option<Value>> {
        Ok(self.labels.value(self.check(node)?).map(Value))
    }

    /// What a gray node covers, as JSON; none for a white one.
    fn covers(&self, node: Node) -> PyResult<Option<String>> {
        let node = self.check(node)?;
        if !self.game.digraph.is_gray(node) {
            return Ok(None);
        }
        Ok(Some(json(&self.labels.cover(node).shape())?))
    }

    /// The nimbers of all nodes, four bytes each; −1 where there is none.
    fn nimbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let nodes = self.game.digraph.len() as Node;
        PyBytes::new_with(py, 4 * self.game.digraph.len(), |bytes| {
            for (node, place) in (0..nodes).zip(bytes.as_chunks_mut::<4>().0) {
                // Nimbers of a labelling are below 2^31.
                let nimber = self.labels.nimber(node).and_then(|n| i32::try_from(n).ok());
                *place = nimber.unwrap_or(-1).to_ne_bytes();
            }
            Ok(())
        })
    }

    /// The letters of the outcomes of all nodes; a gray node has `-`.
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let nodes = self.game.digraph.len() as Node;
        PyBytes::new_with(py, self.game.digraph.len(), |bytes| {
            for (node, place) in (0..nodes).zip(bytes) {
                let outcome = self.labels.outcome(node).map(|outcome| outcome.to_string());
                *place = outcome.and_then(|text| text.bytes().next()).unwrap_or(b'-');
            }
            Ok(())
        })
    }

    /// The labels in a format of the command line.
    fn write(
        &self,
        format: &str,
        steps: bool,
        around: Option<Node>,
        radius: usize,
        max_nodes: usize,
    ) -> PyResult<String> {
        let around = around.map(|node| self.check(node)).transpose()?;
        let options = PictureOptions { around, radius, max_nodes };
        let is_picture = matches!(format, "svg" | "latex");
        let written = self.with_report(steps || is_picture, |report| {
            let mut out = Vec::new();
            let written = match format {
                "table" => write_table(report, &mut out),
                "json" => write_json(report, &mut out),
                "csv" => write_csv(report, &mut out),
                "dot" => write_dot(report, &mut out),
                "svg" | "latex" => {
                    let drawn = if format == "svg" { svg } else { latex };
                    return drawn(report, &options).map_err(|error| {
                        Failure::input(format!(
                            "{}: ask for a neighbourhood by `around` and a small `radius`, or raise the limit by \
                             `max_nodes`",
                            error.fact()
                        ))
                    });
                }
                _ => {
                    return Err(Failure::input(format!(
                        "unknown format `{format}`: expected table, json, csv, dot, svg or latex"
                    )));
                }
            };
            written.map_err(Failure::bug)?;
            utf8(out)
        });
        Ok(written?)
    }

    /// How much was allowed.
    fn limits(&self) -> Limits {
        self.budget
    }

    /// Why a node has its label, as JSON and text.
    fn explain(&self, py: Python<'_>, node: Node, budget: Limits) -> PyResult<Told> {
        let node = self.check(node)?;
        let (game, labelling) = (Arc::clone(&self.game), Arc::clone(&self.labels));
        run(py, None, move |watch| {
            let explanation = labelling.explain(&game.digraph, node, &watch.work(budget));
            let explanation = explanation.map_err(Failure::interrupted)?;
            let name = |node| game.names.name(node).into_owned();
            let report = ExplanationReport::of_node(node, name, &explanation);
            Ok((json(&report)?, report.text().to_owned()))
        })
    }

    /// The answer about pieces on nodes, as JSON and text.
    fn sum(
        &self,
        py: Python<'_>,
        nodes: Vec<Node>,
        turns: Option<usize>,
        quickest: bool,
        budget: Limits,
    ) -> PyResult<Told> {
        for &node in &nodes {
            self.check(node)?;
        }
        let (game, labels) = (Arc::clone(&self.game), Arc::clone(&self.labels));
        run(py, None, move |watch| {
            let work = choosing(quickest, watch.work(budget));
            // A sum needs values that add: those of one theory.
            let whole;
            let labelling = if let Some(labelling) = labels.single() {
                labelling
            } else {
                whole = label_for_sums(&game.digraph, None, &work).map_err(Failure::bug)?;
                &whole
            };
            let named = |i: usize| game.names.name(nodes[i]).into_owned();
            let answered = SumReport::of_nodes(&game, labelling, nodes.clone(), &work, turns);
            let (report, _, missing) = answered.map_err(|error| match error {
                SumError::TwoGray { first, second } => Failure::input(format!(
                    "`{}` and `{}` are both gray: at most one piece can stand on a gray node, so this \
                     sum does not exist",
                    named(first),
                    named(second)
                )),
                error => Failure::input(error.to_string()),
            })?;
            let cut = || labelling.interrupted().map(cut_short);
            let missing =
                missing.and_then(Missing::into_lack).map(Failure::interrupted).or_else(cut);
            complete((json(&report)?, report.text()), missing)
        })
    }
}
