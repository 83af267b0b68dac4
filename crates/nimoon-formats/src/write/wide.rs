//! Sprague–Grundy functions in the wide sense, as text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use nimoon::grundy::wide::WideSense;
use serde::Serialize;

use super::terminal::visible;
use crate::names::Names;

/// The functions of a digraph, by the names of its nodes.
///
/// ```
/// use nimoon::{Budget, Digraph, grundy::wide::functions};
/// use nimoon_formats::{Names, write::WideReport};
/// let digraph = Digraph::new(2, [], vec![(0, 1), (1, 0)]).unwrap();
/// let names: Names = ["a", "b"].into_iter().collect();
/// let found = functions(&digraph, 1, Budget::DEFAULT);
/// let report = WideReport::new(&names, &found);
/// assert_eq!(serde_json::to_string(&report).unwrap(), r#"{"functions":[{"a":0,"b":1}],"complete":false}"#);
/// assert!(report.text().ends_with("there may be more:\n  a=0 b=1\n"));
/// ```
#[derive(Debug, Serialize)]
pub struct WideReport<'a> {
    functions: Vec<BTreeMap<String, u32>>,
    complete: bool,
    #[serde(skip)]
    names: &'a Names,
    #[serde(skip)]
    found: &'a WideSense,
}

impl<'a> WideReport<'a> {
    /// Of these functions, whose nodes have these names.
    pub fn new(names: &'a Names, found: &'a WideSense) -> Self {
        let named = |values: &Vec<u32>| {
            names.iter().map(std::borrow::Cow::into_owned).zip(values.iter().copied()).collect()
        };
        let functions = found.functions.iter().map(named).collect();
        Self { functions, complete: found.complete, names, found }
    }

    /// A function in each line.
    pub fn text(&self) -> String {
        let mut text = match (self.functions.len(), self.complete) {
            (0, true) => "There is no Sprague–Grundy function in the wide sense.\n".to_owned(),
            (1, true) => "There is one Sprague–Grundy function in the wide sense:\n".to_owned(),
            (count, true) => {
                format!("There are {count} Sprague–Grundy functions in the wide sense:\n")
            }
            (count, false) => format!(
                "Sprague–Grundy functions in the wide sense, {count} of them; there may be more:\n"
            ),
        };
        for values in &self.found.functions {
            let values = self.names.iter().zip(values);
            let shown: Vec<String> =
                values.map(|(name, value)| format!("{}={value}", visible(&name))).collect();
            let _ = writeln!(text, "  {}", shown.join(" "));
        }
        text
    }
}
