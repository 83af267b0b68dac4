//! Labellings in DOT, for Graphviz.

use std::fmt;
use std::io::{self, BufWriter, Write};

use nimoon::Label;

use super::{Report, Round, is_cyclic};

/// Writes a labelling in DOT, node by node and arc by arc.
///
/// Gray nodes are filled gray, so the digraph can be read back; nodes in cyclic zones are bold;
/// values stand below the names, rounds beside the nodes.
///
/// ```
/// # use nimoon::{Work, Digraph};
/// # use nimoon_formats::{Names, write::{Report, write_dot}};
/// let digraph = Digraph::new(2, [1], vec![(1, 0)]).unwrap();
/// let names: Names = ["z", "say \"g\""].into_iter().collect();
/// let labelling = nimoon::label(&digraph, None, &Work::default()).unwrap();
/// let report = Report::new(&digraph, &names, &labelling);
/// let mut out = Vec::new();
/// write_dot(&report, &mut out).unwrap();
/// let text = String::from_utf8(out).unwrap();
/// assert!(text.contains(r#""say \"g\"" -> "z";"#));
/// assert!(text.contains("fillcolor=gray70"));
/// ```
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_dot(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    writeln!(out, "digraph {{")?;
    writeln!(out, "  // Values in the {}.", report.theories())?;
    writeln!(out, "  node [shape=ellipse, style=filled, fillcolor=white];")?;
    for node in report.digraph.nodes() {
        let name = report.name(node);
        let label = report.labelling.label(node);
        let text = match &label {
            Label::White(value) => value.to_string(),
            Label::Gray(Some(cover)) => cover.to_string(),
            Label::Gray(None) => String::new(),
        };
        let line = if text.is_empty() { "" } else { "\\n" };
        write!(out, "  {} [label=\"{}{line}{text}\"", Id(&name), LabelText(&name))?;
        if is_cyclic(&label) {
            write!(out, ", style=\"filled,bold\"")?;
        }
        if report.digraph.is_gray(node) {
            write!(out, ", fillcolor=gray70")?;
        }
        if let Round::At(round) = report.round(node) {
            write!(out, ", xlabel=\"{round}\"")?;
        }
        writeln!(out, "];")?;
    }
    for (from, to) in report.digraph.arcs() {
        writeln!(out, "  {} -> {};", Id(&report.name(from)), Id(&report.name(to)))?;
    }
    writeln!(out, "}}")?;
    out.flush()
}

/// A quoted identifier.
pub(super) struct Id<'a>(pub(super) &'a str);

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.contains(['\\', '"']) {
            write!(f, "\"{}\"", self.0.replace('\\', "\\\\").replace('"', "\\\""))
        } else {
            write!(f, "\"{}\"", self.0)
        }
    }
}

/// Text within a label, where Graphviz knows escapes and HTML entities.
pub(super) struct LabelText<'a>(pub(super) &'a str);

impl fmt::Display for LabelText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '\\' => f.write_str("\\\\")?,
                '"' => f.write_str("\\\"")?,
                '&' => f.write_str("&amp;")?,
                '\n' => f.write_str("\\n")?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}
