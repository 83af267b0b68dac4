//! Labellings as tables for people.
//!
//! The columns are set by hand: a million rows take comfy-table eight times as long as this
//! writer, which goes over the nodes twice and keeps none of the text. Cells that are too long
//! are shortened; data formats have all of them.

use std::io::{self, BufWriter, Write};

use nimoon::impartial::rounds::algorithm;
use nimoon::{Label, Node, Theory};

use super::terminal::{cell_width, shortened, visible, width};
use super::{Report, is_cyclic, outcome_letter};

/// Writes a labelling as a table with a line about the whole on top.
///
/// ```
/// # use nimoon::{Work, Digraph};
/// # use nimoon_formats::{Names, write::{Report, write_table}};
/// let digraph = Digraph::new(2, [], vec![(1, 0)]).unwrap();
/// let names: Names = ["z", "a"].into_iter().collect();
/// let labelling = nimoon::label(&digraph, None, &Work::default()).unwrap();
/// let report = Report::new(&digraph, &names, &labelling);
/// let mut out = Vec::new();
/// write_table(&report, &mut out).unwrap();
/// let text = String::from_utf8(out).unwrap();
/// assert!(text.starts_with("short theory: 2 nodes, 1 arc\n"));
/// assert!(text.contains("a     white  1      N\n"));
/// ```
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_table(report: &Report<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let columns = Columns {
        covers: report.digraph.has_gray(),
        theories: report.labelling.single().is_none(),
        rounds: report.rounds.is_some(),
        sets: report.sets.is_some(),
        carried: report.sets.is_some() && report.digraph.has_gray(),
        printed: report.printed.is_some(),
    };
    let header = [
        "node",
        "color",
        "value",
        "outcome",
        "covers",
        "theory",
        "round",
        "D(G)",
        "F(G)",
        "P(G)",
        "Cr(G,k)",
        "printed",
        "its round",
    ];
    let mut header = columns.pick(header.map(String::from));
    let mut widths: Vec<usize> = header.iter().map(|cell| width(cell)).collect();
    let mut cyclic = 0;
    for node in report.digraph.nodes() {
        let label = report.labelling.label(node);
        cyclic += usize::from(is_cyclic(&label));
        for (widest, cell) in widths.iter_mut().zip(columns.row(report, node, &label)) {
            *widest = (*widest).max(cell_width(&cell));
        }
    }
    summary(report, cyclic, &mut out)?;
    if !report.digraph.is_empty() {
        writeln!(out)?;
        write_row(&header, &widths, &mut out)?;
        for (cell, &width) in header.iter_mut().zip(&widths) {
            *cell = "─".repeat(width);
        }
        write_row(&header, &widths, &mut out)?;
    }
    for node in report.digraph.nodes() {
        let label = report.labelling.label(node);
        write_row(&columns.row(report, node, &label), &widths, &mut out)?;
    }
    out.flush()
}

/// Which of the optional columns there are.
#[allow(clippy::struct_excessive_bools, reason = "one for each optional column")]
struct Columns {
    covers: bool,
    theories: bool,
    rounds: bool,
    sets: bool,
    carried: bool,
    printed: bool,
}

impl Columns {
    fn pick(&self, cells: [String; 13]) -> Vec<String> {
        let Self { covers, theories, rounds, sets, carried, printed } = *self;
        let labels = [true, true, true, true, covers, theories, rounds];
        let more = [sets, sets, sets, carried, printed, printed];
        let shown = labels.into_iter().chain(more);
        cells.into_iter().zip(shown).filter_map(|(cell, shown)| shown.then_some(cell)).collect()
    }

    fn row(&self, report: &Report<'_>, node: Node, label: &Label) -> Vec<String> {
        let name = visible(&report.name(node)).into_owned();
        let theory = report.labelling.theory_of(node).map(|theory| theory.to_string());
        let theory = theory.unwrap_or_default();
        let or_dash = |step: Option<u32>| step.map_or_else(|| "-".to_owned(), |at| at.to_string());
        let round = or_dash(report.round(node).at());
        let [color, value, outcome, covers] = match label {
            Label::White(value) => {
                let outcome = outcome_letter(value.outcome()).to_owned();
                ["white".to_owned(), value.to_string(), outcome, String::new()]
            }
            Label::Gray(cover) => {
                let covers = cover.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
                ["gray".to_owned(), String::new(), String::new(), covers]
            }
        };
        let [direct, forced, protected, carried] = match report.sets {
            Some(sets) => {
                let both = [sets.direct(node), sets.forced(node)].map(Some);
                let [protected, carried] = [sets.protected(node), sets.carried(node)];
                [both[0], both[1], protected, carried]
                    .map(|set| set.map_or_else(String::new, ToString::to_string))
            }
            None => Default::default(),
        };
        let (printed, step) = match report.printed {
            Some(printed) => {
                let text = match printed.label(node) {
                    Some(Label::White(value)) => value.to_string(),
                    Some(Label::Gray(Some(cover))) => cover.to_string(),
                    _ => "-".to_owned(),
                };
                (text, or_dash(printed.step(node)))
            }
            None => Default::default(),
        };
        let labels = [name, color, value, outcome, covers, theory, round];
        let more = [direct, forced, protected, carried, printed, step];
        let mut cells = labels.into_iter().chain(more);
        self.pick(std::array::from_fn(|_| cells.next().unwrap_or_default()))
    }
}

fn summary(report: &Report<'_>, cyclic: usize, out: &mut impl Write) -> io::Result<()> {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let nodes = count(report.digraph.len(), "node");
    let gray = report.digraph.gray_nodes().count();
    write!(out, "{}: {nodes}", report.theories())?;
    if gray > 0 {
        write!(out, " ({gray} gray)")?;
    }
    write!(out, ", {}", count(report.digraph.arc_count(), "arc"))?;
    let theories = Theory::ALL.into_iter().filter_map(|theory| {
        let of = report.digraph.nodes().filter(|&n| report.labelling.theory_of(n) == Some(theory));
        let nodes = of.count();
        (nodes > 0).then(|| format!("{nodes} {theory}"))
    });
    let theories: Vec<String> = theories.collect();
    if !theories.is_empty() {
        write!(out, "; {}", theories.join(", "))?;
    }
    if cyclic > 0 {
        write!(out, "; {} in cyclic zones", count(cyclic, "node"))?;
    }
    if !report.labelling.is_complete() {
        write!(out, "; incomplete, since the budget was hit")?;
    }
    writeln!(out)?;
    let algorithm = match report.labelling.single() {
        Some(labelling) => algorithm(labelling.theory()),
        None => Some("the algorithm of each node's theory"),
    };
    if let Some(algorithm) = algorithm.filter(|_| report.rounds.is_some()) {
        writeln!(out, "rounds: the steps of {algorithm}")?;
    }
    if report.printed.is_some() {
        writeln!(out, "printed: Algorithm 8 as it is printed, with its steps")?;
    }
    Ok(())
}

/// A row without spaces at its end.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_row(cells: &[String], widths: &[usize], out: &mut impl Write) -> io::Result<()> {
    let mut pending = 0;
    for (cell, columns) in cells.iter().zip(widths) {
        let cell = shortened(cell);
        let shown = width(&cell);
        if shown > 0 {
            for _ in 0..pending {
                out.write_all(b" ")?;
            }
            out.write_all(cell.as_bytes())?;
            pending = 0;
        }
        pending += columns + 2 - shown;
    }
    writeln!(out)
}
