//! Rulesets that are written in Python.
//!
//! Positions are any objects that can be hashed. A dictionary of Python gives each a number, so
//! that the engine compares and hashes numbers alone; what a ruleset says is asked for once for
//! each position.

use std::sync::{Arc, Mutex, PoisonError};

use nimoon::player::Player;
use nimoon::ruleset::{Notation, PartizanRuleset, Ruleset, Shortcuts};
use nimoon::{Fault, Kind, Move, NotationError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::failure::{self, Failure};

/// The exception that a ruleset raised, kept so that the caller sees that very one.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    pub(crate) fn keep(&self, error: PyErr) -> Fault {
        let fault = Fault::Rules(error.to_string());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        fault
    }

    fn is_some(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A ruleset that is an object of Python: an instance of `nimoon.Ruleset` or
/// `nimoon.PartizanRuleset`.
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
        if self.is_empty_sum(py, number)? {
            return Ok(Ok(Vec::new()));
        }
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

    /// Whether `components` says that there are no parts: then nobody can move.
    fn is_empty_sum(&self, py: Python<'_>, number: u32) -> PyResult<bool> {
        Ok(self.splits && self.split(py, number)?.is_empty())
    }

    /// What `canonical` says of a part.
    fn stands_for(&self, py: Python<'_>, number: u32) -> PyResult<u32> {
        let position = self.position(py, number)?;
        self.number(&self.object.bind(py).call_method1("canonical", (position,))?)
    }

    /// The canonical parts; a position without parts is the empty sum, and stands for itself.
    fn parts(&self, py: Python<'_>, number: u32) -> PyResult<Vec<u32>> {
        let mut parts = if self.splits { self.split(py, number)? } else { vec![number] };
        if parts.is_empty() {
            return Ok(vec![number]);
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
        let canonical = |py: Python<'_>| {
            if self.is_empty_sum(py, position)? {
                Ok(position)
            } else {
                self.stands_for(py, position)
            }
        };
        Python::attach(canonical).unwrap_or_else(|error| {
            self.raised.keep(error);
            position
        })
    }

    fn read(&self, text: &str) -> Result<u32, NotationError> {
        Python::attach(|py| {
            let read = self.object.bind(py).call_method1("read", (text,));
            read.and_then(|position| self.number(&position)).map_err(|error| {
                let message = format!("not a position of `{}`: {error}", self.name);
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
}

impl Notation for PythonRules {
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

impl Shortcuts for PythonRules {
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

    fn is_serial(&self) -> bool {
        true
    }
}

/// A partizan ruleset that is an object of Python: an instance of `nimoon.PartizanRuleset`.
pub(crate) struct PythonPartizanRules(pub(crate) PythonRules);

impl PythonPartizanRules {
    /// More options than any position has: who lists so many never ends.
    const MOST: usize = 1 << 20;

    fn moves(&self, py: Python<'_>, number: u32, player: Player) -> PyResult<Vec<u32>> {
        let method = match player {
            Player::Left => "left_options",
            Player::Right => "right_options",
        };
        let position = self.0.position(py, number)?;
        let options = self.0.object.bind(py).call_method1(method, (position,))?;
        let mut found = Vec::new();
        for option in options.try_iter()? {
            let option = option?;
            if found.len() == Self::MOST {
                let message = format!("{method} lists more than {} options", Self::MOST);
                return Err(Failure::new(failure::Kind::Budget, message).into());
            }
            if option.is_instance_of::<Marked>() {
                return Err(Failure::input(format!(
                    "{} is an option of a partizan game: moves after which the same player moves again, or \
                     which must be answered, are for impartial games",
                    option.repr()?
                ))
                .into());
            }
            found.push(self.0.number(&option)?);
        }
        Ok(found)
    }
}

impl PartizanRuleset for PythonPartizanRules {
    type Position = u32;

    fn name(&self) -> String {
        self.0.name.clone()
    }

    fn options(&self, position: &u32, player: Player) -> impl Iterator<Item = u32> {
        // What was raised once is raised to the caller in the end, so there is nothing more to ask
        // for.
        let found = if self.0.raised.is_some() {
            Vec::new()
        } else {
            Python::attach(|py| self.moves(py, *position, player)).unwrap_or_else(|error| {
                self.0.raised.keep(error);
                Vec::new()
            })
        };
        found.into_iter()
    }

    fn read(&self, text: &str) -> Result<u32, NotationError> {
        Ruleset::read(&self.0, text)
    }

    fn write(&self, position: &u32) -> String {
        Ruleset::write(&self.0, position)
    }

    fn words(&self, position: &u32, _player: Player, number: usize, option: &u32) -> String {
        Notation::words(&self.0, position, number, &Move::to(*option))
    }

    fn canonical(&self, position: u32) -> u32 {
        Ruleset::canonical(&self.0, position)
    }
}

/// A position that a move of another kind than the ordinary one leaves; `again` and `entailing`
/// make them.
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
