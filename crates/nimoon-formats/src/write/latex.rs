//! Labellings as pictures in LaTeX, drawn with `TikZ`.

use std::fmt::{self, Write};

use super::Report;
use super::math::{Line, Piece};
use super::picture::{
    DrawnNode, Picture, PictureError, PictureOptions, Stub, ZONE_MARGIN, round_width,
};
use super::zones::{BAND, CAPTION, Zone, reach};
use crate::layout::Point;

/// Centimetres for each unit of the layout.
const SCALE: f64 = 0.03;

/// What the values need. `\providecommand` keeps commands that a document has already.
pub(super) const COMMANDS: &str = r"\providecommand{\moon}[1]{{\mathord{\tikz[baseline=-0.7ex]\fill (50:.75ex) arc[start angle=50,end angle=310,radius=.75ex] arc[start angle=294.2,end angle=65.8,radius=.63ex] -- cycle;}}_{#1}}
\providecommand{\fullmoon}{\mathord{\tikz[baseline=-0.7ex]\draw[solid,line width=.5pt] (0,0) circle[radius=.72ex];}}
\providecommand{\newmoon}{\mathord{\tikz[baseline=-0.7ex]\fill (0,0) circle[radius=.75ex];}}
\providecommand{\ninny}[1]{\infty_{*#1}}
";

/// A labelling as a `tikzpicture`, laid out as in [`svg`](super::svg()).
///
/// It needs `\usepackage{tikz}` and nothing else. Names in scripts that LaTeX does not know by
/// itself need an engine that does, such as `LuaLaTeX`.
///
/// ```
/// # use nimoon::{Work, Digraph};
/// # use nimoon_formats::{Names, write::{PictureOptions, Report, latex}};
/// let digraph = Digraph::new(2, [], vec![(1, 0), (1, 1)]).unwrap();
/// let names: Names = ["z", "50%"].into_iter().collect();
/// let labelling = nimoon::label(&digraph, None, &Work::default()).unwrap();
/// let report = Report::new(&digraph, &names, &labelling);
/// let text = latex(&report, &PictureOptions::default()).unwrap();
/// assert!(text.contains(r"$\infty_{0}$") && text.contains(r"50\%"));
/// ```
///
/// # Errors
/// When there are too many nodes or arcs for a picture, or the node to draw around is not there.
pub fn latex(report: &Report<'_>, options: &PictureOptions) -> Result<String, PictureError> {
    let picture = Picture::new(report, options)?;
    Ok(document(report, &picture).unwrap_or_default())
}

/// A length in centimetres.
struct Cm(f64);

impl fmt::Display for Cm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.3}", self.0 * SCALE);
        let short = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if short == "-0" { "0" } else { short })
    }
}

/// A point in centimetres; `y` grows upwards in `TikZ`.
struct At(Point);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", Cm(self.0.x), Cm(-self.0.y))
    }
}

struct Path<'a>(&'a [Point]);

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.0.split_first() else { return Ok(()) };
        write!(f, "{}", At(*first))?;
        for piece in rest.chunks_exact(3) {
            let (a, b, end) = (At(piece[0]), At(piece[1]), At(piece[2]));
            write!(f, " .. controls {a} and {b} .. {end}")?;
        }
        Ok(())
    }
}

/// Text with the characters of LaTeX escaped.
pub(super) struct Tex<'a>(pub(super) &'a str);

impl fmt::Display for Tex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '\\' => f.write_str("\\textbackslash{}")?,
                '{' | '}' | '$' | '&' | '#' | '%' | '_' => write!(f, "\\{c}")?,
                '^' => f.write_str("\\textasciicircum{}")?,
                '~' => f.write_str("\\textasciitilde{}")?,
                '<' => f.write_str("\\textless{}")?,
                '>' => f.write_str("\\textgreater{}")?,
                '|' => f.write_str("\\textbar{}")?,
                '"' => f.write_str("{\\char34}")?,
                '…' => f.write_str("\\dots{}")?,
                // In braces, so that two of them are not joined.
                '-' | '`' | '\'' => write!(f, "{{{c}}}")?,
                c if c.is_control() => f.write_char(' ')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

fn document(report: &Report<'_>, picture: &Picture) -> Result<String, fmt::Error> {
    let mut out = String::new();
    writeln!(out, "% Values in the {}. Needs \\usepackage{{tikz}}.", report.theories())?;
    out.push_str(COMMANDS);
    writeln!(
        out,
        "\\begin{{tikzpicture}}[x=1cm,y=1cm,line width=0.4pt,inner sep=0pt,outer sep=0pt]"
    )?;
    for zone in &picture.zones {
        zone_ground(&mut out, picture, zone)?;
    }
    for curve in &picture.arcs {
        writeln!(out, "\\draw[-latex] {};", Path(&curve.points))?;
    }
    for each in &picture.stubs {
        stub(&mut out, each)?;
    }
    for each in &picture.nodes {
        node(&mut out, each)?;
    }
    for zone in &picture.zones {
        let at = At(zone.caption);
        writeln!(
            out,
            "\\node[anchor=base west,font=\\tiny\\itshape,orange!50!black] at {at} {{{CAPTION}}};",
        )?;
    }
    writeln!(out, "\\end{{tikzpicture}}")?;
    Ok(out)
}

fn zone_ground(out: &mut String, picture: &Picture, zone: &Zone) -> fmt::Result {
    for (colour, grown) in [("orange!60", 0.6), ("orange!12", 0.0)] {
        for &i in &zone.arcs {
            let path = Path(&picture.arcs[i].points);
            let width = Cm(BAND + 2.0 * grown);
            writeln!(out, "\\draw[{colour},line width={width}cm,line cap=round] {path};")?;
        }
        for &i in &zone.nodes {
            let node = &picture.nodes[i];
            let margin = ZONE_MARGIN + grown;
            let radius = node.shape.radius + margin;
            let (left, right) = reach(node);
            writeln!(
                out,
                "\\fill[{colour},rounded corners={}cm] {} rectangle {};",
                Cm(radius * 0.99),
                At(Point::new(left - margin, node.centre.y - radius)),
                At(Point::new(right + margin, node.centre.y + radius)),
            )?;
        }
    }
    Ok(())
}

fn stub(out: &mut String, stub: &Stub) -> fmt::Result {
    writeln!(out, "\\draw[gray,dotted,line width=0.6pt] {};", Path(&stub.curve.points))?;
    let anchor = if stub.outwards { "north" } else { "south" };
    let count = stub.count;
    writeln!(out, "\\node[anchor={anchor},font=\\tiny,gray] at {} {{+{count}}};", At(stub.end))
}

fn node(out: &mut String, node: &DrawnNode) -> fmt::Result {
    let (half_width, radius) = (node.shape.half_width, node.shape.radius);
    let pill = |grown: f64| {
        let corner = Point::new(half_width + grown, radius + grown);
        let from = At(node.centre.moved(-corner.x, -corner.y));
        let to = At(node.centre.moved(corner.x, corner.y));
        format!("rounded corners={}cm] {from} rectangle {to};", Cm((radius + grown) * 0.99))
    };
    if node.focus {
        writeln!(out, "\\draw[red!70!black,{}", pill(3.0))?;
    }
    let fill = if node.gray { "gray!45" } else { "white" };
    let width = if node.cyclic { "line width=1pt," } else { "" };
    writeln!(out, "\\draw[{width}fill={fill},{}", pill(0.0))?;
    let name = Tex(&node.name);
    writeln!(out, "\\node[font=\\footnotesize\\itshape] at {} {{{name}}};", At(node.centre))?;
    for (line, place) in node.lines.iter().zip(node.line_places()) {
        let font = if line.size > 12.0 { "\\normalsize" } else { "\\scriptsize" };
        let colour = if node.gray { "darkgray" } else { "blue!60!black" };
        let at = At(place);
        writeln!(out, "\\node[anchor=west,font={font},{colour}] at {at} {{{}}};", Text(line))?;
    }
    if let Some((place, round)) = node.round {
        let half = round_width(round) / 2.0;
        writeln!(
            out,
            "\\draw[gray,line width=0.2pt,fill=white,rounded corners={}cm] {} rectangle {};",
            Cm(5.4),
            At(place.moved(-half, -5.5)),
            At(place.moved(half, 5.5)),
        )?;
        writeln!(out, "\\node[font=\\tiny] at {} {{{round}}};", At(place))?;
    }
    Ok(())
}

/// A line of a label.
pub(super) struct Text<'a>(pub(super) &'a Line);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.pieces.as_slice() {
            [Piece::Text(number)] if number.bytes().all(|b| b.is_ascii_digit()) => {
                write!(f, "${number}$")
            }
            [Piece::Text(text)] => write!(f, "{}", Tex(text)),
            [Piece::FullMoon] => f.write_str("$\\fullmoon$"),
            [Piece::NewMoon] => f.write_str("$\\newmoon$"),
            [Piece::Moon] => f.write_str("$\\moon{}$"),
            [Piece::Moon, Piece::Subscript(forced)] => write!(f, "$\\moon{{{}}}$", below(forced)),
            [Piece::Infinity] => f.write_str("$\\infty$"),
            [Piece::Infinity, Piece::Subscript(text)] => match text.strip_prefix('*') {
                Some(forced) => write!(f, "$\\ninny{{{}}}$", below(forced)),
                None => write!(f, "$\\infty_{{{}}}$", below(text)),
            },
            pieces => write!(f, "{}", Tex(&format!("{pieces:?}"))),
        }
    }
}

/// A subscript, which may have been cut.
fn below(text: &str) -> String {
    text.replace('…', "\\dots ")
}
