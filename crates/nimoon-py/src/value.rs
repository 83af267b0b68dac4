//! Values of impartial games.

use std::hash::{DefaultHasher, Hash, Hasher};

use nimoon::AnyValue;
use nimoon_formats::write::json::JsonValue;
use nimoon_formats::write::value_math;
use pyo3::prelude::*;

use crate::failure::Failure;

/// The value of an impartial game.
///
/// It is made from a number, or from the text that values are written in:
///
/// >>> from nimoon import Value
/// >>> Value(2), Value("moon{0,1}"), Value("ninny{2}"), Value("oo{0,2}"), Value("full-moon")
/// (Value('2'), Value('moon{0,1}'), Value('ninny{2}'), Value('oo{0,2}'), Value('full-moon'))
///
/// Values add as the games do, and are equal exactly if the games are. Numbers are nimbers:
///
/// >>> Value(1) + 3 == 2
/// True
/// >>> Value("moon{0}") + Value("oo{0,2}") + 1
/// Value('oo{1,3}')
/// >>> print(Value("moon{0}") + Value("ninny{2}"))
/// ☾₂
/// >>> Value("[0/1]") + Value("[2/3]")
/// Value('[2/3]')
#[pyclass(frozen, module = "nimoon")]
#[derive(Clone)]
pub(crate) struct Value(pub(crate) AnyValue);

/// A value, or what one is made from.
#[derive(FromPyObject)]
pub(crate) enum Given<'py> {
    Value(PyRef<'py, Value>),
    Nimber(u64),
    Text(String),
}

impl Given<'_> {
    pub(crate) fn value(self) -> Result<AnyValue, Failure> {
        match self {
            Self::Value(value) => Ok(value.0.clone()),
            Self::Nimber(n) => Ok(AnyValue::CarryOn(nimoon::Value::Nimber(n))),
            Self::Text(text) => {
                text.parse().map_err(|error: nimoon::ValueError| Failure::input(error.to_string()))
            }
        }
    }
}

/// A value or a number, as operators take them.
#[derive(FromPyObject)]
enum Operand<'py> {
    Value(PyRef<'py, Value>),
    Nimber(u64),
}

impl Operand<'_> {
    fn value(self) -> AnyValue {
        match self {
            Self::Value(value) => value.0.clone(),
            Self::Nimber(n) => AnyValue::CarryOn(nimoon::Value::Nimber(n)),
        }
    }
}

#[pymethods]
impl Value {
    #[new]
    fn new(value: Given<'_>) -> PyResult<Self> {
        Ok(Self(value.value()?))
    }

    /// Who wins: N the next player, P the previous one, D nobody.
    ///
    /// >>> Value("oo{0,2}").outcome, Value(0).outcome, Value("ninny{0}").outcome
    /// ('N', 'P', 'D')
    #[getter]
    fn outcome(&self) -> Option<String> {
        self.0.outcome().map(|outcome| outcome.to_string())
    }

    /// What kind of value it is: nimber, full-moon, moon, ninny, cyclic, control, or general where a
    /// limit was hit.
    #[getter]
    fn kind(&self) -> PyResult<String> {
        let json: serde_json::Value =
            serde_json::to_value(JsonValue::from(&self.0)).map_err(Failure::bug)?;
        Ok(json["kind"].as_str().unwrap_or_default().to_owned())
    }

    /// The number of a nimber, or None.
    ///
    /// >>> Value(5).nimber, Value("moon{0}").nimber
    /// (5, None)
    #[getter]
    fn nimber(&self) -> Option<u64> {
        self.0.nimber()
    }

    /// The value in letters of the keyboard, which are read back.
    #[getter]
    fn ascii(&self) -> String {
        format!("{:#}", self.0)
    }

    /// The JSON of the command line, as text.
    fn _json(&self) -> PyResult<String> {
        Ok(serde_json::to_string(&JsonValue::from(&self.0)).map_err(Failure::bug)?)
    }

    /// The value as a formula of LaTeX, without the dollar signs.
    ///
    /// >>> Value("oo{0,2}").latex()
    /// '\\infty_{0,2}'
    fn latex(&self) -> String {
        value_math(&self.0)
    }

    fn _repr_latex_(&self) -> String {
        format!("${}$", value_math(&self.0))
    }

    fn __repr__(&self) -> String {
        format!("Value('{:#}')", self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __hash__(&self) -> u64 {
        // Numbers are nimbers, and equal things have equal hashes.
        if let Some(n) = self.0.nimber() {
            return n % ((1 << 61) - 1);
        }
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    // The interpreter asks the other object where this one does not know it.
    fn __eq__(&self, other: Operand<'_>) -> bool {
        let other = other.value();
        match (self.0.nimber(), other.nimber()) {
            (Some(a), Some(b)) => a == b,
            _ => self.0 == other,
        }
    }

    fn __add__(&self, other: Operand<'_>) -> PyResult<Self> {
        let other = other.value();
        let sum = AnyValue::sum([&self.0, &other], &mut nimoon::Work::default());
        let sum = sum.map_err(Failure::interrupted)?;
        let sum = sum.ok_or_else(|| {
            Failure::input(format!(
                "`{:#}` and `{other:#}` have no sum: there is no algebra for them together",
                self.0
            ))
        })?;
        Ok(Self(sum))
    }

    fn __radd__(&self, other: Operand<'_>) -> PyResult<Self> {
        self.__add__(other)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.ascii(),))
    }
}
