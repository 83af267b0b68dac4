//! Files and scripts that come with a request.

use std::collections::BTreeMap;

use nimoon::ruleset::{Interned, Ruleset};
use nimoon::{Effort, Positions};
use nimoon_rulesets::expression::{ExpressionError, Library};
use nimoon_script::{Limits, Script};
use serde::Deserialize;

use crate::failure::Failure;
use crate::work::Allowance;

/// What an expression may name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Given {
    /// The contents of files, by the names that stand in brackets.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Scripts with the rules of games, by the names of the games.
    #[serde(default)]
    rules: BTreeMap<String, String>,
}

impl Given {
    /// Files and scripts for expressions, which are read within what is allowed.
    pub(super) fn library(&self, allowance: &Allowance) -> Result<Shelf<'_>, Failure> {
        let scripts = self.rules.iter().map(|(name, source)| {
            let file = format!("{name}.rhai");
            Script::compile(&file, source, Limits::default())
                .map_err(|error| Failure::input(error.to_string()))
        });
        let scripts = scripts.collect::<Result<_, _>>()?;
        Ok(Shelf { files: &self.files, scripts, effort: allowance.effort() })
    }

    /// Something that is equal for equal contents.
    pub(super) fn key(&self) -> String {
        format!("{:?} {:?}", self.files, self.rules)
    }
}

/// The files and scripts of a request, and nothing of the disk.
pub(super) struct Shelf<'a> {
    files: &'a BTreeMap<String, String>,
    scripts: Vec<Script>,
    effort: Effort,
}

impl Library for Shelf<'_> {
    fn file(&mut self, name: &str, most: u64) -> Result<Vec<u8>, ExpressionError> {
        let Some(content) = self.files.get(name) else {
            let message = format!(
                "`{name}`: no files are read here; send the contents with the request, as `given.files`"
            );
            return Err(ExpressionError::Unreadable { message });
        };
        if content.len() as u64 > most {
            let message = format!("`{name}` has more than {most} bytes, which is the limit");
            return Err(ExpressionError::File { message });
        }
        Ok(content.clone().into_bytes())
    }

    fn ruleset(&mut self, name: &str) -> Option<Box<dyn Positions>> {
        let script = self.scripts.iter().find(|script| script.name() == name)?;
        Some(Box::new(Interned::new(script.clone())))
    }

    fn effort(&self) -> Option<&Effort> {
        Some(&self.effort)
    }

    fn names(&self) -> Vec<String> {
        self.scripts.iter().map(Ruleset::name).collect()
    }
}
