//! Files and scripts that expressions may name: those that come with a question and, where it is
//! asked locally, files.

use std::collections::BTreeMap;
use std::path::Path;

use crate::expression::{AnyPositions, ExpressionError, Library, of_script};
use nimoon::ruleset::Ruleset;
use nimoon_script::{Limits, Script, ScriptError};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::rule_files::RuleFiles;
use crate::{Error, ErrorKind, Session, Work};

/// What an expression may name.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// The contents of files, by the names that stand in brackets, as in `digraph[NAME]:node`.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Scripts with the rules of games, by the names of the games.
    #[serde(default)]
    rules: BTreeMap<String, String>,
}

impl Given {
    /// Files and scripts for expressions, which are read within what is allowed.
    pub(crate) fn library(&self, session: &Session, work: &Work) -> Result<Shelf<'_>, Error> {
        let scripts = self.rules.iter().map(|(name, source)| {
            let file = format!("{name}.rhai");
            Script::compile(&file, source, Limits::default()).map_err(|error| {
                let kind = if error.is_limit() { ErrorKind::Budget } else { ErrorKind::Input };
                Error::new(kind, error.to_string())
            })
        });
        let scripts = scripts.collect::<Result<_, _>>()?;
        let disk = session.reads_files().then(RuleFiles::default);
        Ok(Shelf { files: &self.files, disk, scripts, work: work.child(work.limits()) })
    }

    /// Something that is equal for equal contents.
    pub(crate) fn key(&self) -> String {
        format!("{:?} {:?}", self.files, self.rules)
    }
}

/// The files and scripts that expressions may name.
pub(crate) struct Shelf<'a> {
    files: &'a BTreeMap<String, String>,
    /// The files of this machine, where the question may name them.
    disk: Option<RuleFiles>,
    scripts: Vec<Script>,
    work: Work,
}

impl Library for Shelf<'_> {
    fn file(&mut self, name: &str, most: u64) -> Result<Vec<u8>, ExpressionError> {
        let Some(content) = self.files.get(name) else {
            if let Some(disk) = &mut self.disk {
                return Ok(disk.read(Path::new(name), most, &self.work)?);
            }
            let message = format!(
                "`{name}`: no files are read here; send the contents with the request, as `given.files`"
            );
            return Err(ExpressionError::Unreadable { message });
        };
        if content.len() as u64 > most {
            let message = format!("`{name}` is longer than the limit of {most} bytes");
            return Err(ExpressionError::File { message });
        }
        Ok(content.clone().into_bytes())
    }

    fn scripted(
        &mut self,
        name: &str,
        parameters: Option<&str>,
    ) -> Option<Result<AnyPositions, ScriptError>> {
        let script = self.scripts.iter().find(|script| script.name() == name)?;
        Some(of_script(script, parameters, &self.work))
    }

    fn work(&self) -> Option<&Work> {
        Some(&self.work)
    }

    fn names(&self) -> Vec<String> {
        self.scripts.iter().map(Ruleset::name).collect()
    }
}
