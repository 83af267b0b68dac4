//! Ordinals, affine forms, audits and representatives.

use nimoon::solve::explore::ExploreError;
use nimoon::transfinite::expression::{ExpressionErrorKind, read};
use nimoon::{
    Fault, Interrupted, Node, Theory, Work,
    affine::{Form, Forms, Question, ReadError},
    solve::affine::PositionError,
};
use nimoon_audit::{Algorithm, Audit, Mode, Plan, PrintableReport, Stop};
use nimoon_session::affine::{FormReport, FormsCompared, Lack, form_table, unknown_form_table};
use nimoon_session::expression::Expression;
use nimoon_session::report::OrdinalReport;
use pyo3::prelude::*;

use crate::digraph::{Digraph, Told, complete, json, representative_of, theory};
use crate::expression::run_with;
use crate::failure::{Failure, Kind};
use crate::shelf::Shelf;
use crate::value::Given;
use crate::work::{Limits, run};

/// What an expression of ordinals is worth, as JSON and text.
#[pyfunction]
#[pyo3(signature = (expression, budget))]
pub(crate) fn ordinal(py: Python<'_>, expression: String, budget: Limits) -> PyResult<Told> {
    run(py, None, move |watch| {
        let answer = read(&expression, &mut watch.work(budget)).map_err(|error| {
            let placed = Failure::at(&expression, error.at, &error);
            match error.kind {
                ExpressionErrorKind::Limit(_) => placed.of_kind(Kind::Budget),
                ExpressionErrorKind::Interrupted(interrupted) => {
                    Failure::over_at(&expression, error.at, interrupted, &error)
                }
                _ => placed,
            }
        });
        let reply = |report: &OrdinalReport| Ok::<Told, Failure>((json(report)?, report.text()));
        match answer {
            Ok(answer) => reply(&OrdinalReport::new(&answer)),
            Err(over) if over.is_budget() => {
                complete(reply(&OrdinalReport::unknown())?, Some(over))
            }
            Err(wrong) => Err(wrong),
        }
    })
}

/// What a literal form is worth, or how two compare, as JSON and text; `of` makes the form of
/// positions.
#[pyfunction]
#[pyo3(signature = (form, of, more, budget, rulesets))]
pub(crate) fn affine(
    py: Python<'_>,
    form: String,
    of: bool,
    more: bool,
    budget: Limits,
    rulesets: Vec<Bound<'_, PyAny>>,
) -> PyResult<Told> {
    let shelf = Shelf::new(rulesets, None, budget)?;
    run_with(py, shelf, None, move |shelf, watch| {
        let mut forms = Forms::new();
        let limits = watch.work(budget);
        let mut work = limits.clone();
        let question = if of {
            form_of(&form, shelf, &mut forms, &mut work).map(Question::Form)
        } else {
            forms.read_question(&form, &mut work).map_err(|error| match error {
                ReadError::Notation(error) => Failure::notation(&form, &error),
                ReadError::Interrupted(interrupted) => Failure::interrupted(interrupted),
                error => Failure::input(error.to_string()),
            })
        };
        let question = match question {
            Err(over) if over.is_budget() => {
                let nothing = json(&FormReport::default())?;
                return Err(over.knowing(nothing, unknown_form_table()));
            }
            question => question?,
        };
        match question {
            Question::Form(form) => {
                let (report, lack) = FormReport::new(&mut forms, form, &limits, more);
                let (text, missing) = form_table(&mut forms, form, &limits);
                let lack = lack.or(missing.map(Lack::Interrupted)).map(|lack| match lack {
                    Lack::Interrupted(interrupted) => Failure::interrupted(interrupted),
                    _ => Failure::new(Kind::Budget, lack.to_string()),
                });
                complete((json(&report)?, text), lack)
            }
            Question::Compare(g, relation, h) => {
                let (compared, lack) = FormsCompared::new(&mut forms, [g, h], relation, &limits);
                complete((json(&compared)?, compared.text()), lack.map(Failure::interrupted))
            }
        }
    })
}

fn form_of(
    text: &str,
    shelf: &mut Shelf,
    forms: &mut Forms,
    work: &mut Work,
) -> Result<Form, Failure> {
    shelf.work = Some(work.clone());
    let read = Expression::read(text, shelf).map_err(|error| Failure::expression(text, error));
    let Expression { fields, terms } = read?;
    let found = forms.of_position(fields, &terms, work);
    found.map_err(|error| match &error {
        PositionError::Interrupted(interrupted)
        | PositionError::Fault(Fault::Interrupted(interrupted))
        | PositionError::Explore(ExploreError::Interrupted { interrupted, .. }) => {
            Failure::over(*interrupted, &error)
        }
        PositionError::Fault(Fault::TooMany { limit }) => {
            Failure::over(Interrupted::positions(*limit as u64), &error)
        }
        PositionError::Fault(Fault::Limit(_))
        | PositionError::Explore(ExploreError::Limit { .. }) => {
            Failure::new(Kind::Budget, error.to_string())
        }
        _ => Failure::input(error.to_string()),
    })
}

/// The simplest digraph of a value, and the node that has it.
#[pyfunction]
#[pyo3(signature = (value, budget))]
pub(crate) fn representative(
    py: Python<'_>,
    value: Given<'_>,
    budget: Limits,
) -> PyResult<(Digraph, Node)> {
    let value = value.value()?;
    run(py, None, move |watch| representative_of(&value, &watch.work(budget)))
}

/// Sets the engine, or the algorithm of the paper, against brute force; what was found, as JSON and
/// text.
#[pyfunction]
#[pyo3(signature = (exhaustive, random, seed, nodes, theory, algorithm, budget, progress))]
#[expect(clippy::too_many_arguments, reason = "they are those of one call in Python")]
pub(crate) fn audit(
    py: Python<'_>,
    exhaustive: Option<usize>,
    random: Option<u64>,
    seed: Option<u64>,
    nodes: Option<usize>,
    theory: Option<&str>,
    algorithm: &str,
    budget: Limits,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Told> {
    let theory = self::theory(theory)?;
    let algorithm = match algorithm {
        "as-printed" => Algorithm::AsPrinted,
        "frozen" => Algorithm::Frozen,
        _ => Algorithm::Engine,
    };
    if let Some(theory) = theory.filter(|&theory| theory != Theory::CarryOn)
        && algorithm != Algorithm::Engine
    {
        return Err(Failure::input(format!(
            "`as_printed` is the algorithm of the carry-on theory: it cannot be used with `theory` \
             {theory}"
        ))
        .into());
    }
    let (seed, max_nodes) = (seed.unwrap_or(Plan::SEED), nodes.unwrap_or(Plan::MAX_NODES));
    let mode = match exhaustive {
        Some(nodes) => Some(Mode::Exhaustive { nodes }),
        None => random.map(|count| Mode::Random { count, seed, max_nodes }),
    };
    run(py, progress, move |watch| {
        let plan = Plan { algorithm, theory, mode, ..Plan::default() };
        let audit = Audit::new(plan).map_err(|error| Failure::input(error.to_string()))?;
        let report = audit.within(watch.work(budget)).run();
        let printable = PrintableReport::new(&report, algorithm);
        if report.wrong > 0 && algorithm == Algorithm::Engine {
            let message = "the engine is wrong: please report the counterexample";
            return Err(Failure::bug(format!("{message}\n{}", printable.text())));
        }
        let missing = match report.stop {
            Stop::Finished => None,
            Stop::Interrupted(interrupted) => {
                Some(Failure::over(interrupted, report.stop.to_string()))
            }
        };
        complete((json(&printable)?, printable.text()), missing)
    })
}
