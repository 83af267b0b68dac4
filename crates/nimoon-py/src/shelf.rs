//! What expressions may name beside the catalogue: rulesets in Python, scripts and files; and where
//! solved positions are kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nimoon::ruleset::memory::Memory;
use nimoon::ruleset::{Interned, InternedPartizan, PartizanPositions, Remembered, Ruleset};
use nimoon::{Positions, Work};
use nimoon_script::{Limits, Script, ScriptError};
use nimoon_session::expression::{AnyPositions, ExpressionError, Library, of_script};
use nimoon_session::rule_files::{ContentsError, RuleFiles, contents};
use nimoon_store::{Options, Store};
use pyo3::prelude::*;

use crate::failure::{Failure, Kind};
use crate::rules::{PythonPartizanRules, PythonRules, Raised};
use crate::work::{Limits as Allowed, run};

/// What expressions may name beside the catalogue.
#[derive(Default)]
pub(crate) struct Shelf {
    python: Vec<InPython>,
    scripts: Vec<InFile>,
    files: RuleFiles,
    /// Whether a ruleset in Python was asked for since the last one that was made.
    asked_python: bool,
    store: Option<Arc<Store>>,
    /// Within what expressions are read; none for whatever it takes.
    pub(crate) work: Option<Work>,
    pub(crate) raised: Raised,
}

/// What is in a file, of at most so many bytes if there is a bound, read within the limits: a pipe
/// may never come to its end.
#[pyfunction]
#[pyo3(signature = (path, budget, most=None))]
pub(crate) fn contents_of(
    py: Python<'_>,
    path: PathBuf,
    budget: Allowed,
    most: Option<u64>,
) -> PyResult<Vec<u8>> {
    run(py, None, move |watch| contents_within(&path, most, &watch.work(budget)))
}

/// The same where the work is done.
pub(crate) fn contents_within(
    path: &Path,
    most: Option<u64>,
    work: &Work,
) -> Result<Vec<u8>, Failure> {
    let found = contents(path, most.unwrap_or(u64::MAX), work);
    found.map_err(|error| {
        let is_limit = matches!(error, ContentsError::TooLong { .. });
        let failure = Failure::expression("", error.into());
        if is_limit { failure.of_kind(Kind::Budget) } else { failure }
    })
}

/// A ruleset that is an object of Python.
struct InPython {
    name: String,
    object: Py<PyAny>,
    is_partizan: bool,
}

/// A ruleset that is a script.
struct InFile {
    script: Script,
    path: PathBuf,
    source: String,
}

impl Shelf {
    /// Rulesets are objects of Python, or paths of scripts, which are read within these limits; the
    /// store is the path of one.
    pub(crate) fn new(
        rulesets: Vec<Bound<'_, PyAny>>,
        store: Option<PathBuf>,
        budget: Allowed,
    ) -> PyResult<Self> {
        let mut shelf = Self::default();
        for given in rulesets {
            let name = match given.extract::<PathBuf>() {
                Ok(path) => {
                    let most = Limits::default().script as u64;
                    let source = contents_of(given.py(), path.clone(), budget, Some(most))?;
                    shelf.add_script(path, source)?
                }
                Err(_) => shelf.add_object(given)?,
            };
            if shelf.names().iter().filter(|known| **known == name).count() > 1 {
                return Err(Failure::input(format!("there are two rulesets `{name}`")).into());
            }
        }
        if let Some(file) = store {
            let store = Store::open(&file, Options::default()).map_err(|e| Failure::store(&e))?;
            shelf.store = Some(Arc::new(store));
        }
        Ok(shelf)
    }

    fn add_script(&mut self, path: PathBuf, source: Vec<u8>) -> Result<String, Failure> {
        let file = path.display().to_string();
        let source = String::from_utf8(source)
            .map_err(|_| Failure::input(format!("{file}: expected text in UTF-8")))?;
        let script = Script::compile(&file, &source, Limits::default()).map_err(|error| {
            let kind = if error.is_limit() { Kind::Budget } else { Kind::Input };
            Failure::new(kind, error.to_string())
        })?;
        self.files.given(&path, source.as_bytes());
        let name = script.name();
        self.scripts.push(InFile { script, path, source });
        Ok(name)
    }

    fn add_object(&mut self, given: Bound<'_, PyAny>) -> PyResult<String> {
        let name: String = given.getattr("name")?.extract()?;
        let is_partizan = given.getattr("_is_partizan")?.extract()?;
        self.python.push(InPython { name: name.clone(), object: given.unbind(), is_partizan });
        Ok(name)
    }

    /// Whether Python will be called.
    pub(crate) fn calls_python(&self) -> bool {
        !self.python.is_empty()
    }

    /// Where solved positions are kept.
    pub(crate) fn store(&self) -> Option<&Arc<Store>> {
        self.store.as_ref()
    }

    /// The checksum of all files that the rules come from.
    pub(crate) fn files(&self) -> u64 {
        self.files.all()
    }

    /// Brings to the file what was kept. That it fails costs nothing but time.
    pub(crate) fn flush(&self) {
        if let Some(store) = &self.store {
            let _ = store.flush();
        }
    }

    /// The ruleset in Python with this name, if it is of this kind.
    fn rules(&mut self, name: &str, partizan: bool) -> Option<PythonRules> {
        let found = self.python.iter().find(|rules| rules.name == name)?;
        if found.is_partizan != partizan {
            return None;
        }
        self.asked_python = true;
        Python::attach(|py| match PythonRules::new(found.object.bind(py), &self.raised) {
            Ok(rules) => Some(rules),
            Err(error) => {
                self.raised.keep(error);
                None
            }
        })
    }
}

impl Library for Shelf {
    fn file(&mut self, name: &str, most: u64) -> Result<Vec<u8>, ExpressionError> {
        let unlimited = Work::default();
        let work = self.work.as_ref().unwrap_or(&unlimited);
        Ok(self.files.read(Path::new(name), most, work)?)
    }

    fn work(&self) -> Option<&Work> {
        self.work.as_ref()
    }

    fn scripted(
        &mut self,
        name: &str,
        parameters: Option<&str>,
    ) -> Option<Result<AnyPositions, ScriptError>> {
        let found = self.scripts.iter().find(|found| found.script.name() == name)?;
        self.files.named(&found.path, found.source.as_bytes());
        let unlimited = Work::default();
        Some(of_script(&found.script, parameters, self.work.as_ref().unwrap_or(&unlimited)))
    }

    fn ruleset(&mut self, name: &str) -> Option<Box<dyn Positions>> {
        Some(Box::new(Interned::new(self.rules(name, false)?)))
    }

    fn partizan(&mut self, name: &str) -> Option<Box<dyn PartizanPositions>> {
        let rules = PythonPartizanRules(self.rules(name, true)?);
        Some(Box::new(InternedPartizan::new(rules)))
    }

    fn names(&self) -> Vec<String> {
        let python = self.python.iter().map(|rules| rules.name.clone());
        self.scripts.iter().map(|found| found.script.name()).chain(python).collect()
    }

    fn remembering(&mut self, made: Box<dyn Positions>) -> Box<dyn Positions> {
        let files = self.files.of_ruleset();
        // Nobody can tell whether rules in Python are still the same in another run. They may be a
        // part of others, as in an ordinal sum.
        let in_python = std::mem::take(&mut self.asked_python);
        match &self.store {
            // The options of a heap are found faster than they are recalled.
            Some(store) if made.sequence().is_none() && !in_python => {
                let memory: Arc<dyn Memory> = Arc::clone(store) as _;
                Box::new(Remembered::new(made, memory, &files))
            }
            _ => made,
        }
    }
}
