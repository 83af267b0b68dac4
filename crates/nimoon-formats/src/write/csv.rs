//! Labellings as comma-separated values.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use nimoon::Label;

use super::{Report, Round};

/// Writes a labelling as CSV with a header, node by node.
///
/// The columns are `node,color,value,outcome,covers`, then `theory` where nodes have labels of different
/// theories, and `round`, `D,F,P,Cr`, `printed` and `printed_round` where these are requested.
/// Values are in ASCII and can be read back; fields with commas, quotes or line ends are quoted
/// as in RFC 4180, lines end in a line feed.
///
/// ```
/// # use nimoon::{Work, Digraph};
/// # use nimoon_formats::{Names, write::{Report, write_csv}};
/// let digraph = Digraph::new(2, [], vec![(1, 0)]).unwrap();
/// let names: Names = ["z", "a,b"].into_iter().collect();
/// let labelling = nimoon::label(&digraph, None, &Work::default()).unwrap();
/// let report = Report::new(&digraph, &names, &labelling);
/// let mut out = Vec::new();
/// write_csv(&report, &mut out).unwrap();
/// assert_eq!(out, b"node,color,value,outcome,covers\nz,white,0,P,\n\"a,b\",white,1,N,\n");
/// ```
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_csv(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let round = if report.rounds.is_some() { ",round" } else { "" };
    let theory = if report.labelling.single().is_none() { ",theory" } else { "" };
    let sets = if report.sets.is_some() { ",D,F,P,Cr" } else { "" };
    let printed = if report.printed.is_some() { ",printed,printed_round" } else { "" };
    writeln!(out, "node,color,value,outcome,covers{theory}{round}{sets}{printed}")?;
    for node in report.digraph.nodes() {
        let name = report.name(node);
        let name = field(&name);
        match report.labelling.label(node) {
            Label::White(value) => {
                let text = format!("{value:#}");
                let outcome = value.outcome().map_or_else(String::new, |o| o.to_string());
                write!(out, "{name},white,{},{outcome},", field(&text))?;
            }
            Label::Gray(cover) => {
                let text = cover.map_or_else(String::new, |cover| format!("{cover:#}"));
                write!(out, "{name},gray,,,{}", field(&text))?;
            }
        }
        if let Some(theory) = report.labelling.theory_of(node) {
            write!(out, ",{theory}")?;
        }
        match report.round(node) {
            Round::NotRequested => {}
            Round::Never => write!(out, ",")?,
            Round::At(round) => write!(out, ",{round}")?,
        }
        if let Some(sets) = report.sets {
            let [direct, forced] = [sets.direct(node), sets.forced(node)].map(Some);
            for set in [direct, forced, sets.protected(node), sets.carried(node)] {
                let text = set.map_or_else(String::new, ToString::to_string);
                write!(out, ",{}", field(&text))?;
            }
        }
        if let Some(printed) = report.printed {
            let text = match printed.label(node) {
                Some(Label::White(value)) => format!("{value:#}"),
                Some(Label::Gray(Some(cover))) => format!("{cover:#}"),
                _ => String::new(),
            };
            let step = printed.step(node).map_or_else(String::new, |step| step.to_string());
            write!(out, ",{},{step}", field(&text))?;
        }
        writeln!(out)?;
    }
    out.flush()
}

/// A field, quoted where it has to be.
///
/// ```
/// use nimoon_formats::write::csv_field;
/// assert_eq!((csv_field("nim:5"), csv_field("nim:1,2")), ("nim:5".into(), "\"nim:1,2\"".into()));
/// ```
pub fn field(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_doubled() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a \"b\""), "\"a \"\"b\"\"\"");
        assert_eq!(field("two\nlines"), "\"two\nlines\"");
    }
}
