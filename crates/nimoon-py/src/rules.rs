//! Rulesets that are written in Python, scripts, and the files that expressions name.
//!
//! Positions are any objects that can be hashed. A dictionary of Python gives each a number, so that the engine
//! compares and hashes numbers alone; what a ruleset says is asked for once for each position.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use nimoon::ruleset::{Interned, Ruleset};
use nimoon::{Fault, Kind, Move, NotationError, Positions};
use nimoon_rulesets::expression::{ExpressionError, Library};
use nimoon_script::{Limits, Script};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::failure::{self, Failure};

/// The exception that a ruleset raised, kept so that the caller sees that very one.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    fn keep(&self, error: PyErr) -> Fault {
        let fault = Fault::Rules(error.to_string());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        fault
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A ruleset that is an object of Python: an instance of `nimoon.Ruleset`.
pub(crate) struct PythonRules {
    object: Py<PyAny>,
    name: String,
    splits: bool,
    is_symmetric: bool,
    /// The number of each position.
    numbers: Py<PyDict>,
    /// The position of each number.
    positions: Py<PyList>,
    raised: Raised,
}

impl PythonRules {
    pub(crate) fn new(object: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Self> {
        let py = object.py();
        Ok(Self {
            name: object.getattr("name")?.extract()?,
            splits: object.getattr("_splits")?.extract()?,
            is_symmetric: object.getattr("_is_symmetric")?.extract()?,
            object: object.clone().unbind(),
            numbers: PyDict::new(py).unbind(),
            positions: PyList::empty(py).unbind(),
            raised: raised.clone(),
        })
    }

    /// The number of a position.
    fn number(&self, position: &Bound<'_, PyAny>) -> PyResult<u32> {
        let py = position.py();
        let numbers = self.numbers.bind(py);
        if let Some(number) = numbers.get_item(position)? {
            return number.extract();
        }
        let positions = self.positions.bind(py);
        let number = u32::try_from(positions.len())?;
        positions.append(position)?;
        numbers.set_item(position, number)?;
        Ok(number)
    }

    fn position<'py>(&self, py: Python<'py>, number: u32) -> PyResult<Bound<'py, PyAny>> {
        self.positions.bind(py).get_item(number as usize)
    }

    fn moves(
        &self,
        py: Python<'_>,
        number: u32,
        limit: usize,
    ) -> PyResult<Result<Vec<Move<u32>>, Fault>> {
        let position = self.position(py, number)?;
        let options = self.object.bind(py).call_method1("options", (position,))?;
        let mut moves = Vec::new();
        for option in options.try_iter()? {
            if moves.len() >= limit {
                return Ok(Err(Fault::TooMany { limit }));
            }
            moves.push(self.read_move(&option?)?);
        }
        Ok(Ok(moves))
    }

    /// `again(position)` and `entailing(position)` are marked; everything else is a position.
    fn read_move(&self, option: &Bound<'_, PyAny>) -> PyResult<Move<u32>> {
        if let Ok(marked) = option.cast::<Marked>() {
            let marked = marked.get();
            let to = self.number(marked.position.bind(option.py()))?;
            return Ok(Move { to, kind: marked.kind });
        }
        Ok(Move::to(self.number(option)?))
    }

    /// What `components` says.
    fn split(&self, py: Python<'_>, number: u32) -> PyResult<Vec<u32>> {
        let position = self.position(py, number)?;
        let parts = self.object.bind(py).call_method1("components", (position,))?;
        parts.try_iter()?.map(|part| self.number(&part?)).collect()
    }

    /// What `canonical` says.
    fn stands_for(&self, py: Python<'_>, number: u32) -> PyResult<u32> {
        let position = self.position(py, number)?;
        self.number(&self.object.bind(py).call_method1("canonical", (position,))?)
    }

    fn parts(&self, py: Python<'_>, number: u32) -> PyResult<Vec<u32>> {
        let mut parts = if self.splits { self.split(py, number)? } else { Vec::new() };
        if parts.is_empty() {
            parts.push(number);
        }
        if self.is_symmetric {
            for part in &mut parts {
                *part = self.stands_for(py, *part)?;
            }
        }
        Ok(parts)
    }

    fn text(
        &self,
        py: Python<'_>,
        method: &str,
        arguments: Bound<'_, PyTuple>,
    ) -> PyResult<String> {
        self.object.bind(py).call_method1(method, arguments)?.str()?.extract()
    }
}

impl Ruleset for PythonRules {
    type Position = u32;

    fn name(&self) -> String {
        self.name.clone()
    }

    // The explorer asks `try_options`, which can tell what went wrong.
    fn options(&self, position: &u32) -> impl Iterator<Item = Move<u32>> {
        self.try_options(position, usize::MAX).unwrap_or_default().into_iter()
    }

    fn try_options(&self, position: &u32, limit: usize) -> Result<Vec<Move<u32>>, Fault> {
        Python::attach(|py| {
            self.moves(py, *position, limit).unwrap_or_else(|error| Err(self.raised.keep(error)))
        })
    }

    fn try_parts(&self, position: u32) -> Result<Vec<u32>, Fault> {
        if !self.splits && !self.is_symmetric {
            return Ok(vec![position]);
        }
        Python::attach(|py| self.parts(py, position).map_err(|error| self.raised.keep(error)))
    }

    fn components(&self, position: u32) -> Vec<u32> {
        if !self.splits {
            return vec![position];
        }
        Python::attach(|py| self.split(py, position)).unwrap_or_else(|error| {
            self.raised.keep(error);
            vec![position]
        })
    }

    fn canonical(&self, position: u32) -> u32 {
        if !self.is_symmetric {
            return position;
        }
        Python::attach(|py| self.stands_for(py, position)).unwrap_or_else(|error| {
            self.raised.keep(error);
            position
        })
    }

    fn is_serial(&self) -> bool {
        true
    }

    fn read(&self, text: &str) -> Result<u32, NotationError> {
        Python::attach(|py| {
            let read = self.object.bind(py).call_method1("read", (text,));
            read.and_then(|position| self.number(&position)).map_err(|error| {
                let message = format!("this is no position of `{}`: {error}", self.name);
                NotationError::at(0, message)
            })
        })
    }

    fn write(&self, position: &u32) -> String {
        Python::attach(|py| {
            let written = self
                .position(py, *position)
                .and_then(|position| self.text(py, "write", PyTuple::new(py, [position])?));
            written.unwrap_or_else(|error| {
                self.raised.keep(error);
                format!("#{position}")
            })
        })
    }

    fn words(&self, position: &u32, number: usize, option: &Move<u32>) -> String {
        let _ = number;
        Python::attach(|py| {
            let words = || {
                let pair = [self.position(py, *position)?, self.position(py, option.to)?];
                self.text(py, "words", PyTuple::new(py, pair)?)
            };
            words().unwrap_or_else(|error| {
                self.raised.keep(error);
                format!("move to {}", self.write(&option.to))
            })
        })
    }
}

/// A position that a move of another kind than the ordinary one leaves; `again` and `entailing` make them.
#[pyclass(frozen, module = "nimoon")]
pub(crate) struct Marked {
    position: Py<PyAny>,
    kind: Kind,
}

#[pymethods]
impl Marked {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let name = if self.kind == Kind::Again { "again" } else { "entailing" };
        Ok(format!("{name}({})", self.position.bind(py).repr()?))
    }
}

/// A move after which the same player moves again, anywhere (a carry-on move).
#[pyfunction]
#[pyo3(signature = (position, /))]
pub(crate) fn again(position: Py<PyAny>) -> Marked {
    Marked { position, kind: Kind::Again }
}

/// A move that the opponent must answer in what it leaves (an entailing move).
#[pyfunction]
#[pyo3(signature = (position, /))]
pub(crate) fn entailing(position: Py<PyAny>) -> Marked {
    Marked { position, kind: Kind::Entailing }
}

/// What expressions may name beside the catalogue.
pub(crate) struct Shelf {
    python: Vec<(String, Py<PyAny>)>,
    scripts: Vec<Script>,
    pub(crate) raised: Raised,
}

impl Shelf {
    /// Rulesets are objects of Python, or texts with the paths of scripts.
    pub(crate) fn new(rulesets: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut shelf = Self { python: Vec::new(), scripts: Vec::new(), raised: Raised::default() };
        for given in rulesets {
            let (name, script) = match given.extract::<PathBuf>() {
                Ok(path) => {
                    let script = script(&path)?;
                    (script.name(), Some(script))
                }
                Err(_) => (given.getattr("name")?.extract()?, None),
            };
            if shelf.names().contains(&name) {
                return Err(Failure::input(format!("there are two rulesets `{name}`")).into());
            }
            match script {
                Some(script) => shelf.scripts.push(script),
                None => shelf.python.push((name, given.unbind())),
            }
        }
        Ok(shelf)
    }

    /// Whether Python will be called.
    pub(crate) fn calls_python(&self) -> bool {
        !self.python.is_empty()
    }
}

fn script(path: &std::path::Path) -> Result<Script, Failure> {
    let file = path.display().to_string();
    let source = std::fs::read_to_string(path).map_err(|error| {
        Failure::new(failure::Kind::File, format!("{file} cannot be read: {error}"))
    })?;
    Script::compile(&file, &source, Limits::default())
        .map_err(|error| Failure::input(error.to_string()))
}

impl Library for Shelf {
    fn file(&mut self, name: &str, most: u64) -> Result<Vec<u8>, ExpressionError> {
        use std::io::Read as _;
        let unreadable = |error| ExpressionError::Unreadable {
            message: format!("{name} cannot be read: {error}"),
        };
        let mut bytes = Vec::new();
        let file = std::fs::File::open(name).map_err(unreadable)?;
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > most {
            let message = format!("{name} has more than {most} bytes, which is the limit");
            return Err(ExpressionError::File { message });
        }
        Ok(bytes)
    }

    fn ruleset(&mut self, name: &str) -> Option<Box<dyn Positions>> {
        if let Some(script) = self.scripts.iter().find(|script| script.name() == name) {
            return Some(Box::new(Interned::new(script.clone())));
        }
        let (_, object) = self.python.iter().find(|(known, _)| known == name)?;
        Python::attach(|py| match PythonRules::new(object.bind(py), &self.raised) {
            Ok(rules) => Some(Box::new(Interned::new(rules)) as Box<dyn Positions>),
            Err(error) => {
                self.raised.keep(error);
                None
            }
        })
    }

    fn names(&self) -> Vec<String> {
        let python = self.python.iter().map(|(name, _)| name.clone());
        self.scripts.iter().map(Ruleset::name).chain(python).collect()
    }
}
