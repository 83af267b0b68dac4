//! Tables of the values of many positions.
//!
//! | format | method | for |
//! |---|---|---|
//! | table | [`SequenceReport::write_table`] | people, in a terminal |
//! | JSON | [`SequenceReport::write_json`] | programs |
//! | CSV | [`SequenceReport::write_csv`] | spreadsheets |
//! | b-file | [`SequenceReport::b_file`] | the OEIS and its friends |
//! | LaTeX | [`SequenceReport::write_latex`] | papers |

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufWriter, Write};

use nimoon::{AnyValue, EntailingValue, Label, Outcome, Theory};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use super::csv::field;
use super::json::{Json, shaped};
use super::latex::{COMMANDS, Tex, Text};
use super::math::lines;
use super::outcome_letter;
use super::table::write_row;
use super::terminal::{cell_width, visible, width};
use crate::sequence::{Row, Rows};

/// A family of positions: a pattern with parameters, and a number for each row.
pub trait Family {
    /// The pattern.
    fn text(&self) -> &str;

    /// The position of a row.
    fn position(&self, number: u64) -> String;

    /// The names of the parameters.
    fn names(&self) -> Vec<&str>;

    /// The values of the parameters in a row.
    fn values(&self, number: u64) -> Vec<ParameterValue>;
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ParameterValue {
    /// A number.
    Number(u64),
    /// Anything else.
    Text(String),
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A pattern with `{}` where the number of the row goes.
impl Family for &str {
    fn text(&self) -> &str {
        self
    }

    fn position(&self, number: u64) -> String {
        self.replace("{}", &number.to_string())
    }

    fn names(&self) -> Vec<&str> {
        vec!["n"]
    }

    fn values(&self, number: u64) -> Vec<ParameterValue> {
        vec![ParameterValue::Number(number)]
    }
}

/// Which rows are shown.
pub type Shown<'a> = dyn Fn(u64, &Row) -> bool + 'a;

/// The values of many positions, ready to be written.
///
/// ```
/// use nimoon::{EntailingValue::{Moon, Nimber}, Theory};
/// use nimoon_formats::{sequence::Rows, write::SequenceReport};
/// let report = SequenceReport {
///     family: &"top-entails:{}",
///     first: 0,
///     last: 3,
///     theory: Theory::Entailing,
///     rows: &Rows::Heaps(vec![Nimber(0), Moon, Nimber(0), Moon]),
///     moons_only: false,
///     shown: None,
/// };
/// let text = String::from_utf8(report.b_file().unwrap()).unwrap();
/// assert!(text.ends_with("\n0 0\n1 -1\n2 0\n3 -1\n"));
/// ```
#[derive(Clone, Copy)]
pub struct SequenceReport<'a> {
    /// The positions.
    pub family: &'a dyn Family,
    /// The number of the first row.
    pub first: u64,
    /// The number of the last row.
    pub last: u64,
    /// The theory of the values.
    pub theory: Theory,
    /// The rows that are known; those outside of the range are not written.
    pub rows: &'a Rows,
    /// Whether only the moons are written.
    pub moons_only: bool,
    /// Which rows are written; default: all.
    pub shown: Option<&'a Shown<'a>>,
}

/// A value that is neither a nimber nor a moon.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "a b-file has a number in each line, and {position} has {}: use another format",
    value.as_ref().map_or_else(|| "no value".into(), |value| format!("the value {value:#}"))
)]
pub struct NotForBFile {
    /// The position.
    pub position: String,
    /// Its value.
    pub value: Option<Box<AnyValue>>,
}

struct Numbered {
    n: u64,
    row: Row,
}

impl SequenceReport<'_> {
    /// The position of a row.
    fn position(&self, n: u64) -> String {
        self.family.position(n)
    }

    /// The rows from the first one up to the last that is known.
    fn known(&self) -> impl Iterator<Item = Numbered> + '_ {
        let known = (self.first..=self.last).map_while(|n| Some((n, self.rows.row(n)?)));
        known.map(|(n, row)| Numbered { n, row })
    }

    /// The rows to be written.
    fn shown(&self) -> impl Iterator<Item = Numbered> + '_ {
        self.known().filter(|numbered| {
            (!self.moons_only || numbered.row.is_moon())
                && self.shown.is_none_or(|shown| shown(numbered.n, &numbered.row))
        })
    }

    /// The rows to be written, with their numbers.
    pub(super) fn rows_shown(&self) -> impl Iterator<Item = (u64, Row)> + '_ {
        self.shown().map(|Numbered { n, row }| (n, row))
    }

    /// What the table is, in a line.
    pub(super) fn title(&self) -> String {
        let (mut rows, mut moons) = (0_u64, 0_u64);
        for numbered in self.known() {
            rows += 1;
            moons += u64::from(numbered.row.is_moon());
        }
        let count = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let requested = self.last - self.first + 1;
        let of = if rows < requested { format!(" of {requested}") } else { String::new() };
        // The theory of rows that are not known is not known either.
        let theory = if rows > 0 { format!(", {} theory", self.theory) } else { String::new() };
        let names = self.family.names();
        let range = if self.is_numbered() {
            format!(" for {} to {}", self.first, self.last)
        } else {
            format!(" for all {}", names.join(", "))
        };
        let (rows, moons) = (count(rows, "row"), count(moons, "moon"));
        format!("{}{range}{theory}: {rows}{of}, {moons}", visible(self.family.text()))
    }

    /// Whether the number of a row is its one parameter.
    fn is_numbered(&self) -> bool {
        matches!(self.family.values(self.first)[..], [ParameterValue::Number(n)] if n == self.first)
            && self.family.names() == ["n"]
    }

    /// The names of the columns.
    fn header(&self) -> Vec<String> {
        let names = self.family.names().into_iter();
        names.chain(["position", "value", "outcome"]).map(str::to_owned).collect()
    }

    /// Writes a table with a line about the whole on top.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_table(&self, out: &mut impl Write) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let header = self.header();
        let mut widths: Vec<usize> = header.iter().map(|cell| width(cell)).collect();
        for numbered in self.shown() {
            for (widest, cell) in widths.iter_mut().zip(self.cells(&numbered)) {
                *widest = (*widest).max(cell_width(&cell));
            }
        }
        writeln!(out, "{}", self.title())?;
        for (i, numbered) in self.shown().enumerate() {
            if i == 0 {
                writeln!(out)?;
                write_row(&header, &widths, &mut out)?;
                let lines: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
                write_row(&lines, &widths, &mut out)?;
            }
            write_row(&self.cells(&numbered), &widths, &mut out)?;
        }
        out.flush()
    }

    fn cells(&self, Numbered { n, row }: &Numbered) -> Vec<String> {
        let value = row.value.as_ref();
        let parameters = self.family.values(*n).into_iter();
        let mut cells: Vec<String> =
            parameters.map(|value| visible(&value.to_string()).into_owned()).collect();
        cells.extend([
            visible(&self.position(*n)).into_owned(),
            value.map_or_else(|| "-".to_owned(), ToString::to_string),
            outcome_letter(value.and_then(AnyValue::outcome)).to_owned(),
        ]);
        cells
    }

    /// The rows to be written, as JSON has them.
    pub fn json(&self) -> impl Iterator<Item = JsonRow> + '_ {
        let names: Vec<String> = self.family.names().into_iter().map(str::to_owned).collect();
        self.shown().map(move |Numbered { n, row }| JsonRow {
            parameters: names.iter().cloned().zip(self.family.values(n)).collect(),
            position: self.position(n),
            text: row.value.as_ref().map(ToString::to_string),
            outcome: row.value.as_ref().and_then(AnyValue::outcome),
            value: row.value,
        })
    }

    /// Writes a JSON list of `{"n":…,"position":…,"value":…,"text":…,"outcome":…}` and a line end; the value is
    /// `null` where there is none.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        out.write_all(b"[")?;
        for (i, row) in self.json().enumerate() {
            if i > 0 {
                out.write_all(b",")?;
            }
            serde_json::to_writer(&mut out, &row)?;
        }
        out.write_all(b"]\n")?;
        out.flush()
    }

    /// Writes CSV with the columns `n,position,value,outcome`, values in ASCII; other parameters stand in the place of `n`.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        writeln!(out, "{}", self.header().join(","))?;
        for Numbered { n, row } in self.shown() {
            let value = row.value.as_ref();
            let text = value.map_or_else(String::new, |value| format!("{value:#}"));
            let outcome = value.and_then(AnyValue::outcome);
            let outcome = outcome.map_or_else(String::new, |outcome| outcome.to_string());
            for value in self.family.values(n) {
                write!(out, "{},", field(&value.to_string()))?;
            }
            writeln!(out, "{},{},{outcome}", field(&self.position(n)), field(&text))?;
        }
        out.flush()
    }

    /// A b-file: lines `n a(n)`, with −1 for a moon. Rows with other parameters than one number have their
    /// place in the table for `n`.
    ///
    /// # Errors
    /// When a row is neither a nimber nor a moon.
    pub fn b_file(&self) -> Result<Vec<u8>, NotForBFile> {
        let mut text = format!("# {}\n", self.title());
        let mut lines = String::new();
        let mut moons = false;
        for Numbered { n, row } in self.shown() {
            let nimber = row.value.as_ref().and_then(AnyValue::nimber);
            let number = match nimber {
                Some(nimber) => nimber.to_string(),
                None if row.is_moon() => {
                    moons = true;
                    "-1".to_owned()
                }
                None => {
                    return Err(NotForBFile {
                        position: self.position(n),
                        value: row.value.map(Box::new),
                    });
                }
            };
            lines.extend([&n.to_string(), " ", &number, "\n"]);
        }
        if moons {
            text.push_str(
                "# -1 stands for a moon: the player to move wins beside every nim-heap\n",
            );
        }
        if self.moons_only {
            text.push_str("# only the moons are listed\n");
        }
        text.push_str(&lines);
        Ok(text.into_bytes())
    }

    /// Writes a LaTeX tabular: ten values in a line where all are nimbers or plain moons, otherwise
    /// a line for each position.
    ///
    /// It needs `\usepackage{tikz}` for the moons, and nothing else.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_latex(&self, out: &mut impl Write) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        writeln!(out, "% {}. Needs \\usepackage{{tikz}}.", self.title())?;
        out.write_all(COMMANDS.as_bytes())?;
        let plain = |row: &Row| {
            let moon = AnyValue::Entailing(EntailingValue::Moon);
            row.value.as_ref().is_some_and(|value| value.nimber().is_some() || *value == moon)
        };
        let is_whole = !self.moons_only && self.shown.is_none() && self.is_numbered();
        if is_whole && self.known().all(|numbered| plain(&numbered.row)) {
            self.latex_grid(&mut out)?;
        } else {
            self.latex_list(&mut out)?;
        }
        out.flush()
    }

    /// Ten values in a line, by the last digit of their number.
    fn latex_grid(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "\\begin{{tabular}}{{r|*{{10}}{{r}}}}")?;
        write!(out, "$n$")?;
        for digit in 0..10 {
            write!(out, " & ${digit}$")?;
        }
        writeln!(out, " \\\\ \\hline")?;
        let mut line = None;
        for Numbered { n, row } in self.known() {
            let (tens, digit) = (n / 10, n % 10);
            if line != Some(tens) {
                if line.is_some() {
                    writeln!(out, " \\\\")?;
                }
                write!(out, "${}$", tens * 10)?;
                for _ in 0..digit {
                    write!(out, " &")?;
                }
                line = Some(tens);
            }
            write!(out, " & {}", latex_value(row.value))?;
        }
        if line.is_some() {
            writeln!(out, " \\\\")?;
        }
        writeln!(out, "\\end{{tabular}}")
    }

    fn latex_list(&self, out: &mut impl Write) -> io::Result<()> {
        let names = self.family.names();
        let heads: Vec<String> = names.iter().map(|name| format!("${name}$ & ")).collect();
        let columns = "r".repeat(names.len());
        let heads = heads.concat().replace('_', "\\_");
        writeln!(out, "\\begin{{tabular}}{{{columns}ll}}\n{heads}position & value \\\\ \\hline")?;
        for Numbered { n, row } in self.shown() {
            let position = self.position(n);
            for value in self.family.values(n) {
                match value {
                    ParameterValue::Number(number) => write!(out, "${number}$ & ")?,
                    ParameterValue::Text(text) => write!(out, "{} & ", Tex(&text))?,
                }
            }
            writeln!(out, "{} & {} \\\\", Tex(&position), latex_value(row.value))?;
        }
        writeln!(out, "\\end{{tabular}}")
    }
}

fn latex_value(value: Option<AnyValue>) -> String {
    let Some(value) = value else { return String::new() };
    let lines = lines(&Label::White(value));
    let texts: Vec<String> = lines.iter().map(|line| Text(line).to_string()).collect();
    texts.join(", ")
}

/// A row of a table.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TableRow")]
pub struct JsonRow {
    /// The parameters by their names: `n`, where there is one number alone.
    #[serde(flatten)]
    parameters: BTreeMap<String, ParameterValue>,
    /// The position.
    position: String,
    /// Its value; null where it has none or it is not known.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<AnyValue>>")]
    value: Option<AnyValue>,
    /// The value as it is printed; null where it has none.
    text: Option<String>,
    /// Who wins; null where that is not known.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<Outcome>>")]
    outcome: Option<Outcome>,
}

impl JsonRow {
    /// The position, its value and its outcome, in a line.
    pub fn line(&self) -> String {
        let value = self.text.as_deref().unwrap_or("-");
        format!("{}  {value}  {}", visible(&self.position), outcome_letter(self.outcome))
    }
}

#[cfg(test)]
mod tests {
    use nimoon::EntailingValue::{Moon, Nimber};

    use super::*;

    fn report(rows: &Rows, first: u64, last: u64) -> SequenceReport<'_> {
        let (family, theory) = (&"slide[-1;9]:{}", Theory::Cyclic);
        SequenceReport { family, first, last, theory, rows, moons_only: false, shown: None }
    }

    fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn cyclic() -> Rows {
        let row = |value: &str| Row { theory: Theory::Cyclic, value: value.parse().ok() };
        Rows::Explored { first: 7, rows: vec![row("2"), row("oo{0,2}"), row("?")] }
    }

    #[test]
    fn rows_beyond_what_is_known_are_left_out_and_counted() {
        let rows = Rows::Heaps(vec![Nimber(0), Moon, Nimber(3)]);
        let report = report(&rows, 1, 5);
        let text = written(|mut out| report.write_table(&mut out));
        assert!(
            text.starts_with("slide[-1;9]:{} for 1 to 5, cyclic theory: 2 rows of 5, 1 moon\n")
        );
        assert_eq!(text.lines().count(), 6);
    }

    #[test]
    fn a_b_file_has_no_place_for_cyclic_values_unless_they_are_not_listed() {
        let rows = cyclic();
        let mut report = report(&rows, 7, 9);
        let error = report.b_file().unwrap_err().to_string();
        assert!(error.contains("slide[-1;9]:8 has the value oo{0,2}"), "{error}");
        report.moons_only = true;
        assert!(report.b_file().unwrap().starts_with(b"# slide"));
        report.moons_only = false;
        report.last = 7;
        assert!(report.b_file().unwrap().ends_with(b"\n7 2\n"));
    }

    #[test]
    fn json_and_csv_have_a_place_for_rows_without_a_value() {
        let rows = cyclic();
        let report = report(&rows, 8, 9);
        let json = r#"[{"n":8,"position":"slide[-1;9]:8","value":{"kind":"cyclic","exits":[0,2]},"text":"∞₀,₂","outcome":"N"},"#;
        let last = r#"{"n":9,"position":"slide[-1;9]:9","value":null,"text":null,"outcome":null}]"#;
        let json = format!("{json}{last}\n");
        assert_eq!(written(|mut out| report.write_json(&mut out)), json);
        assert_eq!(
            written(|mut out| report.write_csv(&mut out)),
            "n,position,value,outcome\n8,slide[-1;9]:8,\"oo{0,2}\",N\n9,slide[-1;9]:9,,\n"
        );
    }

    #[test]
    fn ten_nimbers_stand_in_a_line_of_latex() {
        let rows = Rows::Heaps((0..23).map(|n| if n == 9 { Moon } else { Nimber(n) }).collect());
        let text = written(|mut out| report(&rows, 8, 22).write_latex(&mut out));
        let lines: Vec<_> = text.lines().skip_while(|line| !line.contains("hline")).collect();
        assert_eq!(lines[1], r"$0$ & & & & & & & & & $8$ & $\moon{}$ \\");
        assert_eq!(lines[3..], [r"$20$ & $20$ & $21$ & $22$ \\", r"\end{tabular}"]);
    }
}
