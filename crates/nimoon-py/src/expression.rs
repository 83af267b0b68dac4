//! Sums of positions, tables of their values, and periods.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use nimoon::ruleset::ImpartialError;
use nimoon::solve::solution::Solution;
use nimoon::{AnyValue, Work};
use nimoon_formats::checkpoint::Header;
use nimoon_formats::sequence::{KnownRows, Rows};
use nimoon_formats::write::SequenceReport;
use nimoon_rulesets::EntryReport;
use nimoon_session::catalogue;
use nimoon_session::expression::{AnyExpression, Expression, MixedExpression, components_alone};
use nimoon_session::kept::KeptRows;
use nimoon_session::period::Searched;
use nimoon_session::report::{ExplainedSum, Missing, PartizanSumReport};
use nimoon_session::table::{Pattern, Range, Request, TableError};
use nimoon_store::Store;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::digraph::{Told, complete, cut_short, json, theory};
use crate::failure::{Failure, Kind, LIMITS};
use crate::shelf::Shelf;
use crate::value::Value;
use crate::work::{Limits, Watch, choosing, run, run_here};

/// Does the work where the rules allow it, and raises what rules in Python raised.
pub(crate) fn run_with<T: Send + 'static>(
    py: Python<'_>,
    mut shelf: Shelf,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&mut Shelf, &Watch) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (raised, here) = (shelf.raised.clone(), shelf.calls_python());
    let found = if here {
        run_here(py, progress, move |watch| work(&mut shelf, watch))
    } else {
        run(py, progress, move |watch| work(&mut shelf, watch))
    };
    match raised.take() {
        Some(error) => Err(error),
        None => found,
    }
}

/// What is asked about a sum.
struct Question {
    expression: String,
    theory: Option<nimoon::Theory>,
    budget: Limits,
    turns: Option<usize>,
    quickest: bool,
    explain: bool,
}

impl Question {
    fn answer(&self, shelf: &mut Shelf, watch: &Watch) -> Result<Told, Failure> {
        let work = choosing(self.quickest, watch.work(self.budget));
        shelf.work = Some(work.clone());
        let read = AnyExpression::read(&self.expression, shelf);
        match read.map_err(|error| Failure::expression(&self.expression, error))? {
            AnyExpression::Impartial(expression) => self.impartial(expression, shelf, &work),
            AnyExpression::Mixed(expression) => self.partizan(expression, &work),
        }
    }

    /// Explores and labels.
    fn solution(&self, expression: Expression, work: &Work) -> Result<Solution, Failure> {
        let Expression { fields, terms } = expression;
        let solved = Solution::new(fields, &terms, self.theory, work);
        solved.map_err(|error| Failure::solution(&error))
    }

    /// A budget that was hit, with the components that are small enough alone.
    fn over_budget(&self, over: Failure, shelf: &mut Shelf, work: &Work) -> Failure {
        let solve = &mut |sum, share: &Work| self.solution(sum, share).ok();
        // It was read before, and is listed although the time may be over: so there is as much of it again.
        shelf.work = Some(work.clone().since(Instant::now()));
        let known = components_alone(&self.expression, shelf, work, solve);
        match known.map(|known| (json(&known), known.text())) {
            Ok((Ok(json), text)) => over.knowing(json, text),
            _ => over,
        }
    }

    fn impartial(
        &self,
        expression: Expression,
        shelf: &mut Shelf,
        work: &Work,
    ) -> Result<Told, Failure> {
        let mut solution = match self.solution(expression, work) {
            Err(over) if over.is_budget() => {
                return Err(self.over_budget(over, shelf, work));
            }
            solved => solved?,
        };
        let start = solution.start().clone();
        let (report, (missing, unexplained)) =
            ExplainedSum::new(&mut solution, &start, self.turns, self.explain);
        let (json, text) = (json(&report)?, report.text());
        let lack = missing.and_then(Missing::into_lack).or(unexplained);
        let missing = lack.map(|error| Failure::answer(&error));
        let cut = || solution.interrupted().map(cut_short);
        complete((json, text), missing.or_else(cut))
    }

    fn partizan(&self, expression: MixedExpression, work: &Work) -> Result<Told, Failure> {
        let only_impartial = [
            ("theory", self.theory.is_some()),
            ("explain", self.explain),
            ("turns", self.turns.is_some()),
        ];
        if let Some((option, _)) = only_impartial.into_iter().find(|(_, is_given)| *is_given) {
            return Err(Failure::input(format!(
                "`{option}` works only for sums of impartial games, and this sum is partizan"
            )));
        }
        let solved = expression.solution(work);
        let solved = solved.map_err(|(at, error)| match error {
            ImpartialError::Interrupted { interrupted, .. } => Failure::over(interrupted, error),
            ImpartialError::Rules(message) => Failure::input(message),
            ImpartialError::Limit(message) => Failure::new(Kind::Budget, message),
            _ => Failure::at(&self.expression, at, error),
        });
        let (report, missing) = PartizanSumReport::new(&mut solved?);
        complete(
            (json(&report)?, report.text()),
            missing.and_then(Missing::into_lack).map(Failure::interrupted),
        )
    }
}

/// The answer about a sum of positions, as JSON and text.
#[pyfunction]
#[pyo3(signature = (expression, theory, budget, turns, quickest, explain, rulesets, store, progress))]
#[expect(clippy::too_many_arguments, reason = "they are those of one call in Python")]
pub(crate) fn value(
    py: Python<'_>,
    expression: String,
    theory: Option<&str>,
    budget: Limits,
    turns: Option<usize>,
    quickest: bool,
    explain: bool,
    rulesets: Vec<Bound<'_, PyAny>>,
    store: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Told> {
    let theory = self::theory(theory)?;
    let question = Question { expression, theory, budget, turns, quickest, explain };
    let shelf = Shelf::new(rulesets, store, budget)?;
    run_with(py, shelf, progress, move |shelf, watch| {
        let answer = question.answer(shelf, watch);
        shelf.flush();
        answer
    })
}

/// The values of many positions.
#[pyclass(frozen, module = "nimoon._native")]
pub(crate) struct Table {
    pattern: Pattern,
    range: Range,
    found: nimoon_session::table::Table,
    moons_only: bool,
}

impl Table {
    fn report(&self) -> SequenceReport<'_> {
        SequenceReport {
            family: &self.pattern,
            first: self.range.first,
            last: self.range.last,
            theory: self.found.theory,
            rows: &self.found.rows,
            moons_only: self.moons_only,
            shown: None,
        }
    }

    fn known(&self) -> impl Iterator<Item = (u64, Option<AnyValue>)> + '_ {
        let Range { first, last } = self.range;
        let known = (first..=last).map_while(|n| Some((n, self.found.rows.row(n)?)));
        let shown = known.filter(|(_, row)| !self.moons_only || row.is_moon());
        shown.map(|(n, row)| (n, row.value))
    }
}

#[pymethods]
impl Table {
    fn theory(&self) -> &'static str {
        self.found.theory.name()
    }

    /// Why rows are missing at the end, if they are.
    fn stopped(&self) -> Option<String> {
        let message = self.found.stopped.as_deref()?;
        Some(match self.found.interrupted {
            Some(interrupted) => interrupted.advise(message, LIMITS),
            None => message.to_owned(),
        })
    }

    /// The numbers of the rows.
    fn numbers(&self) -> Vec<u64> {
        self.known().map(|(n, _)| n).collect()
    }

    fn values(&self) -> Vec<Option<Value>> {
        self.known().map(|(_, value)| value.map(Value)).collect()
    }

    /// The nimbers of the rows, eight bytes each; −1 where there is none.
    fn nimbers<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let nimber = |value: Option<AnyValue>| {
            value.and_then(|value| i64::try_from(value.nimber()?).ok()).unwrap_or(-1)
        };
        let bytes: Vec<u8> =
            self.known().flat_map(|(_, value)| nimber(value).to_ne_bytes()).collect();
        PyBytes::new(py, &bytes)
    }

    /// The table in a format of the command line.
    fn write(&self, format: &str) -> PyResult<String> {
        let mut bytes = Vec::new();
        let report = self.report();
        match format {
            "table" => report.write_table(&mut bytes),
            "json" => report.write_json(&mut bytes),
            "csv" => report.write_csv(&mut bytes),
            "latex" => report.write_latex(&mut bytes),
            "bfile" => {
                bytes = report.b_file().map_err(|error| Failure::input(error.to_string()))?;
                Ok(())
            }
            _ => {
                return Err(Failure::input(format!(
                    "unknown format `{format}`: expected table, json, csv, latex or bfile"
                ))
                .into());
            }
        }
        .map_err(Failure::bug)?;
        Ok(String::from_utf8(bytes).map_err(Failure::bug)?)
    }
}

fn of_table(error: TableError) -> Failure {
    match error {
        TableError::Position { row, error } => Failure::expression(&row, error),
        TableError::Solution(error) => Failure::solution(&error),
        error => Failure::input(error.to_string()),
    }
}

/// The values of the positions of a pattern.
#[pyfunction]
#[pyo3(signature = (pattern, first, last, theory, budget, moons, rulesets, store, progress))]
#[expect(clippy::too_many_arguments, reason = "they are those of one call in Python")]
pub(crate) fn table(
    py: Python<'_>,
    pattern: &str,
    first: u64,
    last: u64,
    theory: Option<&str>,
    budget: Limits,
    moons: bool,
    rulesets: Vec<Bound<'_, PyAny>>,
    store: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let range: Range = format!("{first}..{last}").parse().map_err(of_table)?;
    let pattern: Pattern = pattern.parse().map_err(of_table)?;
    let theory = self::theory(theory)?;
    let shelf = Shelf::new(rulesets, store, budget)?;
    run_with(py, shelf, progress, move |shelf, watch| {
        let work = watch.work(budget);
        shelf.work = Some(work.clone());
        let request = Request { pattern: pattern.clone(), range, theory };
        let plan = request.plan(shelf, work.limits()).map_err(of_table)?;
        let mut known: Rows = plan.nothing();
        // The rows in the store.
        let mut kept: Option<KeptRows<Store>> = None;
        // Nobody can tell whether rules in Python are still the same in another run.
        if let Some(store) = shelf.store().filter(|_| !shelf.calls_python()) {
            let header = Header {
                program: env!("CARGO_PKG_VERSION").to_owned(),
                table: pattern.as_str().to_owned(),
                theory,
                files: shelf.files(),
            };
            let rows = kept.insert(KeptRows::new(Arc::clone(store), header));
            known = rows.recall(known, range.last);
        }
        let hand_over = &mut |known: KnownRows<'_>| {
            watch.tell(|| format!("{} rows", known.len()));
            if let Some(kept) = &mut kept {
                kept.offer(known);
            }
        };
        let table = plan.run(known, shelf, &watch.work(budget), hand_over).map_err(of_table)?;
        if let Some(kept) = &mut kept {
            kept.keep(table.rows.known());
        }
        shelf.flush();
        Ok(Table { pattern, range, found: table, moons_only: moons })
    })
}

/// The period of the values of heaps, as JSON and text.
#[pyfunction]
#[pyo3(signature = (ruleset, up_to, budget, progress))]
pub(crate) fn period(
    py: Python<'_>,
    ruleset: String,
    up_to: Option<u64>,
    budget: Limits,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Told> {
    run(py, progress, move |watch| {
        let wrong = |error| Failure::expression(&ruleset, error);
        let searched = Searched::read(&ruleset).map_err(wrong)?;
        let largest = searched.largest(up_to).map_err(|most| {
            Failure::input(format!("`up_to` may be {most} at most, or the search takes too long"))
        })?;
        let report = searched.search(largest, &watch.work(budget)).map_err(wrong)?;
        let missing = report.interrupted.map(Failure::interrupted);
        complete((json(&report)?, format!("{}\n", report.sentence("`up_to`"))), missing)
    })
}

/// All rulesets that are built in, as JSON.
#[pyfunction]
pub(crate) fn rulesets() -> PyResult<String> {
    let all: Vec<EntryReport> = catalogue().iter().map(EntryReport::new).collect();
    Ok(json(&all)?)
}
