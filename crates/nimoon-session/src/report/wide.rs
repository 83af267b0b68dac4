//! Sprague–Grundy functions in the wide sense, as text and JSON.

use std::collections::BTreeMap;
use std::fmt;

use nimoon::Node;
use nimoon::smith::grundy::wide::WideSense;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use nimoon_formats::Names;
use nimoon_formats::write::terminal::visible;

/// The functions of a digraph, by the names of its nodes.
///
/// ```
/// use nimoon::{Work, Digraph, smith::grundy::wide::functions};
/// use nimoon_formats::Names;
/// use nimoon_session::report::WideReport;
/// let digraph = Digraph::new(2, [], vec![(0, 1), (1, 0)]).unwrap();
/// let names: Names = ["a", "b"].into_iter().collect();
/// let found = functions(&digraph, 1, &Work::default());
/// let report = WideReport::new(names, found);
/// assert_eq!(serde_json::to_string(&report).unwrap(), r#"{"functions":[{"a":0,"b":1}],"complete":false}"#);
/// assert!(report.text().ends_with("there may be more:\n  a=0 b=1\n"));
/// ```
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "WideSense")]
pub struct WideReport {
    /// The functions, each with the value of every node.
    #[serde(serialize_with = "functions")]
    #[schemars(with = "Vec<BTreeMap<String, u32>>")]
    functions: Functions,
    /// Whether these are all.
    complete: bool,
}

#[derive(Debug)]
struct Functions {
    names: Names,
    found: WideSense,
    /// The nodes by their names, as JSON lists them.
    by_name: Vec<Node>,
}

impl WideReport {
    /// Of these functions, whose nodes have these names.
    pub fn new(names: Names, found: WideSense) -> Self {
        let mut by_name: Vec<Node> = (0..names.len() as Node).collect();
        by_name.sort_unstable_by(|&a, &b| names.name(a).cmp(&names.name(b)));
        let complete = found.complete;
        Self { functions: Functions { names, found, by_name }, complete }
    }

    /// A function in each line.
    pub fn text(&self) -> String {
        self.to_string()
    }
}

/// Written one by one, since there may be as many as memory holds.
impl fmt::Display for WideReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Functions { names, found, .. } = &self.functions;
        match (found.functions.len(), self.complete) {
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
        for values in &found.functions {
            f.write_str(" ")?;
            for (name, value) in names.iter().zip(values) {
                write!(f, " {}={value}", visible(&name))?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

fn functions<S: Serializer>(functions: &Functions, serializer: S) -> Result<S::Ok, S::Error> {
    let Functions { names, found, by_name } = functions;
    serializer.collect_seq(found.functions.iter().map(|values| Named { names, by_name, values }))
}

/// A function, by the names of the nodes.
struct Named<'a> {
    names: &'a Names,
    by_name: &'a [Node],
    values: &'a [u32],
}

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let named = self.by_name.iter();
        let entry = |&node: &Node| (self.names.name(node), self.values[node as usize]);
        serializer.collect_map(named.map(entry))
    }
}
