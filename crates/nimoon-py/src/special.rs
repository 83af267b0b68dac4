//! Ordinals, audits and representatives.

use std::time::Duration;

use nimoon::transfinite::expression::{ExpressionErrorKind, read};
use nimoon::{Budget, Node};
use nimoon_audit::{Audit, Mode, Plan, Progress, Stop};
use nimoon_formats::Names;
use nimoon_formats::write::{JsonDigraph, OrdinalReport};
use pyo3::prelude::*;
use serde::Serialize;

use crate::digraph::{Digraph, Told, complete, json, representative_of, theory};
use crate::failure::{Failure, Kind};
use crate::value::Given;
use crate::work::run;

/// What an expression of ordinals is worth, as JSON and text.
#[pyfunction]
#[pyo3(signature = (expression, budget))]
pub(crate) fn ordinal(py: Python<'_>, expression: String, budget: u64) -> PyResult<Told> {
    run(py, None, move |_| {
        let answer = read(&expression, Budget::new(budget)).map_err(|error| {
            let placed = Failure::at(&expression, error.at, &error);
            match error.kind {
                ExpressionErrorKind::Notation(_) => placed,
                ExpressionErrorKind::Limit(_) => Failure::new(Kind::Budget, error.to_string()),
                ExpressionErrorKind::OverBudget { .. } => Failure::budget(error),
            }
        })?;
        let report = OrdinalReport::new(&answer);
        Ok((json(&report)?, report.text()))
    })
}

/// The simplest digraph of a value, and the node that has it.
#[pyfunction]
#[pyo3(signature = (value))]
pub(crate) fn representative(value: Given<'_>) -> PyResult<(Digraph, Node)> {
    Ok(representative_of(&value.value()?)?)
}

/// An audit as JSON tells it.
#[derive(Serialize)]
struct JsonAudit {
    digraphs: u64,
    positions: u64,
    sums: u64,
    wrong: u64,
    counterexample: Option<JsonDigraph>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
}

/// Sets the engine against brute force; what was found, as JSON and text.
#[pyfunction]
#[pyo3(signature = (exhaustive, random, seed, nodes, theory, time, progress))]
#[expect(clippy::too_many_arguments, reason = "they are those of one call in Python")]
pub(crate) fn audit(
    py: Python<'_>,
    exhaustive: Option<usize>,
    random: Option<u64>,
    seed: Option<u64>,
    nodes: Option<usize>,
    theory: Option<&str>,
    time: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Told> {
    let theory = self::theory(theory)?;
    let (seed, max_nodes) = (seed.unwrap_or(Plan::SEED), nodes.unwrap_or(Plan::MAX_NODES));
    let mode = match exhaustive {
        Some(nodes) => Some(Mode::Exhaustive { nodes }),
        None => random.map(|count| Mode::Random { count, seed, max_nodes }),
    };
    let time_limit = time.map(Duration::from_secs);
    run(py, progress, move |watch| {
        let plan = Plan { theory, mode, time_limit, ..Plan::default() };
        let show = |progress: Progress| {
            watch.tell(|| {
                let of = progress.of.map_or_else(String::new, |of| format!(" of {of}"));
                format!("{}{of} digraphs, {} wrong", progress.digraphs, progress.wrong_digraphs)
            });
        };
        let flag = watch.flag();
        let audit = Audit::new(plan).map_err(|error| Failure::input(error.to_string()))?;
        let report = audit.on_progress(&show).cancelled_by(&flag).run();
        let example = report.counterexample.as_ref();
        let told = JsonAudit {
            digraphs: report.digraphs,
            positions: report.positions,
            sums: report.sums,
            wrong: report.wrong,
            counterexample: example.map(|example| {
                let names: Names = example.names().iter().collect();
                JsonDigraph::new(&example.digraph, &names)
            }),
            because: example.map(ToString::to_string),
        };
        let text = format!(
            "digraphs   {}\npositions  {}\nsums       {}\nwrong      {}\n",
            report.digraphs, report.positions, report.sums, report.wrong
        );
        let missing = (report.stop == Stop::TimeLimit).then(|| {
            let message = "the time was up before everything was checked: raise it by `time`";
            Failure::new(Kind::Budget, message)
        });
        complete((json(&told)?, text), missing)
    })
}
