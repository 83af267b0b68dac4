//! Sprague–Grundy functions in the wide sense, as text and JSON.

use std::fmt;

use nimoon::Node;
use nimoon::grundy::wide::WideSense;
use serde::ser::{Serialize, SerializeStruct as _, Serializer};

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
#[derive(Debug)]
pub struct WideReport<'a> {
    names: &'a Names,
    found: &'a WideSense,
    /// The nodes by their names, as JSON lists them.
    by_name: Vec<Node>,
}

impl<'a> WideReport<'a> {
    /// Of these functions, whose nodes have these names.
    pub fn new(names: &'a Names, found: &'a WideSense) -> Self {
        let mut by_name: Vec<Node> = (0..names.len() as Node).collect();
        by_name.sort_unstable_by(|&a, &b| names.name(a).cmp(&names.name(b)));
        Self { names, found, by_name }
    }

    /// A function in each line.
    pub fn text(&self) -> String {
        self.to_string()
    }
}

/// Written one by one, since there may be as many as memory holds.
impl fmt::Display for WideReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.found.functions.len(), self.found.complete) {
            (0, true) => writeln!(f, "There is no Sprague–Grundy function in the wide sense."),
            (1, true) => writeln!(f, "There is one Sprague–Grundy function in the wide sense:"),
            (count, true) => {
                writeln!(f, "There are {count} Sprague–Grundy functions in the wide sense:")
            }
            (count, false) => writeln!(
                f,
                "Sprague–Grundy functions in the wide sense, {count} of them; there may be more:"
            ),
        }?;
        for values in &self.found.functions {
            f.write_str(" ")?;
            for (name, value) in self.names.iter().zip(values) {
                write!(f, " {}={value}", visible(&name))?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

/// The same.
impl Serialize for WideReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut report = serializer.serialize_struct("WideReport", 2)?;
        report.serialize_field("functions", &Functions(self))?;
        report.serialize_field("complete", &self.found.complete)?;
        report.end()
    }
}

struct Functions<'a>(&'a WideReport<'a>);

impl Serialize for Functions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(report) = *self;
        serializer.collect_seq(report.found.functions.iter().map(|values| Named { report, values }))
    }
}

/// A function, by the names of the nodes.
struct Named<'a> {
    report: &'a WideReport<'a>,
    values: &'a [u32],
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { report, values } = *self;
        let named = report.by_name.iter();
        serializer.collect_map(named.map(|&node| (report.names.name(node), values[node as usize])))
    }
}
