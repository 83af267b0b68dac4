//! Labellings as pictures in SVG.
//!
//! White nodes are white and gray nodes gray, with their names inside. The value stands to the
//! right of a node, what a gray node covers in smaller type, the round of assignment in a small
//! badge to the left. Cyclic zones (nodes with neither a nimber nor a moon) have bold borders and
//! a ground of their own. Arcs point down as far as cycles allow.

use std::fmt::{self, Write};

use super::Report;
use super::math::{Line, Piece, SUBSCRIPT};
use super::picture::{
    DrawnNode, Picture, PictureError, PictureOptions, SMALL_SIZE, Stub, ZONE_MARGIN, round_width,
};
use super::zones::{BAND, CAPTION, CAPTION_SIZE, Zone, reach};
use crate::layout::Point;
use crate::layout::routing::Curve;

pub(super) const FONTS: &str =
    "'STIX Two Text','Latin Modern Roman','Libertinus Serif',Cambria,'DejaVu Serif',serif";
const ZONE_FILL: &str = "#fdf3d8";
const ZONE_EDGE: &str = "#d9b95c";
const VALUE_COLOUR: &str = "#0b3d91";
pub(super) const ARROW: f64 = 7.5;

/// A labelling as a standalone SVG document.
///
/// ```
/// use nimoon::{Work, Digraph};
/// use nimoon_formats::Names;
/// use nimoon_formats::write::{PictureOptions, Report, svg};
/// let digraph = Digraph::new(2, [], vec![(1, 0)]).unwrap();
/// let names: Names = ["z", "a"].into_iter().collect();
/// let labelling = nimoon::label(&digraph, None, &Work::default()).unwrap();
/// let report = Report::new(&digraph, &names, &labelling);
/// let text = svg(&report, &PictureOptions::default()).unwrap();
/// assert!(text.starts_with("<svg ") && text.contains("<title>a: 1, outcome N</title>"));
/// ```
///
/// # Errors
/// When there are too many nodes or arcs for a picture, or the node to draw around is not there.
pub fn svg(report: &Report<'_>, options: &PictureOptions) -> Result<String, PictureError> {
    let picture = Picture::new(report, options)?;
    Ok(document(report, &picture).unwrap_or_default())
}

/// A coordinate with at most two decimals.
pub(super) struct C(pub(super) f64);

impl fmt::Display for C {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.2}", self.0);
        let short = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if short == "-0" { "0" } else { short })
    }
}

/// Two coordinates.
struct P(Point);

impl fmt::Display for P {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", C(self.0.x), C(self.0.y))
    }
}

/// Text with the characters of XML escaped; what XML cannot hold becomes U+FFFD.
pub(super) struct Xml<'a>(pub(super) &'a str);

impl fmt::Display for Xml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' => f.write_char(c)?,
                '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                    f.write_char('\u{fffd}')?;
                }
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

fn document(report: &Report<'_>, picture: &Picture) -> Result<String, fmt::Error> {
    let mut out = String::new();
    let (width, height) = (C(picture.width.ceil()), C(picture.height.ceil()));
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="{FONTS}">"#,
    )?;
    writeln!(out, "<desc>Values in the {}</desc>", report.theories())?;
    writeln!(out, r#"<rect width="{width}" height="{height}" fill="white"/>"#)?;
    for zone in &picture.zones {
        zone_ground(&mut out, picture, zone)?;
    }
    writeln!(out, r#"<g fill="none" stroke="black" stroke-width="1">"#)?;
    for curve in &picture.arcs {
        arc(&mut out, curve)?;
    }
    writeln!(out, "</g>")?;
    for each in &picture.stubs {
        stub(&mut out, each)?;
    }
    for each in &picture.nodes {
        node(&mut out, report, each)?;
    }
    for zone in &picture.zones {
        let place = zone.caption;
        writeln!(
            out,
            r##"<text x="{}" y="{}" font-size="{CAPTION_SIZE}" font-style="italic" fill="#7a5c00">{CAPTION}</text>"##,
            C(place.x),
            C(place.y),
        )?;
    }
    out.push_str("</svg>\n");
    Ok(out)
}

/// The path of a curve.
pub(super) struct Path<'a>(pub(super) &'a [Point]);

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.0.split_first() else { return Ok(()) };
        write!(f, "M{}", P(*first))?;
        for piece in rest.chunks_exact(3) {
            write!(f, "C{} {} {}", P(piece[0]), P(piece[1]), P(piece[2]))?;
        }
        Ok(())
    }
}

/// The ground of a zone: discs around its nodes and broad bands along its arcs, drawn once a
/// little larger in the colour of the edge and once in that of the ground.
fn zone_ground(out: &mut String, picture: &Picture, zone: &Zone) -> fmt::Result {
    for (colour, grown) in [(ZONE_EDGE, 0.8), (ZONE_FILL, 0.0)] {
        writeln!(out, r#"<g fill="{colour}" stroke="{colour}" stroke-linecap="round">"#)?;
        for &i in &zone.arcs {
            let width = C(BAND + 2.0 * grown);
            let path = Path(&picture.arcs[i].points);
            writeln!(out, r#"<path d="{path}" fill="none" stroke-width="{width}"/>"#)?;
        }
        for &i in &zone.nodes {
            let node = &picture.nodes[i];
            let margin = ZONE_MARGIN + grown;
            let radius = node.shape.radius + margin;
            let (left, right) = reach(node);
            let (left, right) = (left - margin, right + margin);
            writeln!(
                out,
                r#"<rect x="{}" y="{}" width="{}" height="{}" rx="{}" stroke="none"/>"#,
                C(left),
                C(node.centre.y - radius),
                C(right - left),
                C(2.0 * radius),
                C(radius),
            )?;
        }
        writeln!(out, "</g>")?;
    }
    Ok(())
}

/// The direction of a curve at its end, and its points with the end drawn back by this much.
pub(super) fn drawn_back(curve: &Curve, by: f64) -> Option<(Point, Vec<Point>)> {
    let mut points = curve.points.clone();
    let [.., before, control, tip] = points.as_mut_slice() else { return None };
    let from = if (tip.x - control.x).hypot(tip.y - control.y) > 1e-3 { *control } else { *before };
    let length = (tip.x - from.x).hypot(tip.y - from.y).max(1e-6);
    let direction = Point::new((tip.x - from.x) / length, (tip.y - from.y) / length);
    *tip = tip.moved(-direction.x * by, -direction.y * by);
    if length < by {
        *control = *tip;
    }
    Some((direction, points))
}

fn arc(out: &mut String, curve: &Curve) -> fmt::Result {
    let Some((direction, points)) = drawn_back(curve, ARROW - 2.0) else { return Ok(()) };
    let Some(&tip) = curve.points.last() else { return Ok(()) };
    writeln!(out, r#"<path d="{}"/>"#, Path(&points))?;
    arrowhead(out, tip, direction, "black")
}

pub(super) fn arrowhead(out: &mut String, tip: Point, direction: Point, fill: &str) -> fmt::Result {
    let back = tip.moved(-direction.x * ARROW, -direction.y * ARROW);
    let (nx, ny) = (-direction.y * 2.9, direction.x * 2.9);
    let notch = tip.moved(-direction.x * (ARROW - 2.0), -direction.y * (ARROW - 2.0));
    writeln!(
        out,
        r#"<path d="M{}L{}L{}L{}Z" fill="{fill}" stroke="none"/>"#,
        P(tip),
        P(back.moved(nx, ny)),
        P(notch),
        P(back.moved(-nx, -ny)),
    )
}

/// Arcs that leave the picture: dotted, and only part of the way.
fn stub(out: &mut String, stub: &Stub) -> fmt::Result {
    let path = Path(&stub.curve.points);
    writeln!(
        out,
        r##"<path d="{path}" fill="none" stroke="#888" stroke-width="1" stroke-dasharray="1.5 3" stroke-linecap="round"/>"##,
    )?;
    let y = stub.end.y + if stub.outwards { 5.0 } else { 0.0 };
    writeln!(
        out,
        r##"<text x="{}" y="{}" text-anchor="middle" font-size="{SMALL_SIZE}" fill="#666">+{}</text>"##,
        C(stub.end.x),
        C(y),
        stub.count,
    )
}

fn pill(out: &mut String, node: &DrawnNode, grown: f64, attributes: &str) -> fmt::Result {
    let (half_width, radius) = (node.shape.half_width + grown, node.shape.radius + grown);
    writeln!(
        out,
        r#"<rect x="{}" y="{}" width="{}" height="{}" rx="{}" {attributes}/>"#,
        C(node.centre.x - half_width),
        C(node.centre.y - radius),
        C(2.0 * half_width),
        C(2.0 * radius),
        C(radius),
    )
}

fn node(out: &mut String, report: &Report<'_>, node: &DrawnNode) -> fmt::Result {
    writeln!(out, "<g>")?;
    let title = report.title(node.node, &node.label);
    writeln!(out, "<title>{}</title>", Xml(&title))?;
    let fill = if node.gray { "#c4c4c4" } else { "white" };
    let border = if node.cyclic { "2.4" } else { "1.1" };
    if node.focus {
        pill(out, node, 3.0, r##"fill="none" stroke="#b3261e" stroke-width="1.2""##)?;
    }
    let attributes =
        format!(r#"class="node" fill="{fill}" stroke="black" stroke-width="{border}""#);
    pill(out, node, 0.0, &attributes)?;
    writeln!(
        out,
        r#"<text x="{}" y="{}" text-anchor="middle" font-size="{}" font-style="italic">{}</text>"#,
        C(node.centre.x),
        C(node.centre.y + node.name_size * 0.32),
        C(node.name_size),
        Xml(&node.name),
    )?;
    let colour = if node.gray { "#444" } else { VALUE_COLOUR };
    for (line, place) in node.lines.iter().zip(node.line_places()) {
        math(out, line, place, colour)?;
    }
    if let Some((place, round)) = node.round {
        let width = round_width(round);
        writeln!(
            out,
            r##"<rect x="{}" y="{}" width="{}" height="11" rx="5.5" fill="white" stroke="#999" stroke-width="0.6"/><text x="{}" y="{}" text-anchor="middle" font-size="{SMALL_SIZE}" font-family="'DejaVu Sans',Helvetica,Arial,sans-serif" fill="#555">{round}</text>"##,
            C(place.x - width / 2.0),
            C(place.y - 5.5),
            C(width),
            C(place.x),
            C(place.y + SMALL_SIZE * 0.36),
        )?;
    }
    writeln!(out, "</g>")
}

/// A line of a label that begins at a place, its middle at that height.
fn math(out: &mut String, line: &Line, place: Point, colour: &str) -> fmt::Result {
    let mut x = place.x;
    let baseline = place.y + line.size * 0.33;
    for piece in &line.pieces {
        let radius = line.size * 0.36;
        let centre = Point::new(x + radius, place.y);
        match piece {
            Piece::Text(text) => text_at(out, x, baseline, line.size, colour, text)?,
            Piece::Infinity => infinity(out, x, place.y, line.size, colour)?,
            Piece::Subscript(text) => {
                let below = baseline + line.size * 0.2;
                text_at(out, x, below, line.size * SUBSCRIPT, colour, text)?;
            }
            Piece::Moon => {
                let (hx, hy) = (radius * 0.62, radius * 0.785);
                writeln!(
                    out,
                    r#"<path d="M{} A{r} {r} 0 1 0 {} A{q} {q} 0 1 1 {}Z" fill="{colour}"/>"#,
                    P(centre.moved(hx, -hy)),
                    P(centre.moved(hx, hy)),
                    P(centre.moved(hx, -hy)),
                    r = C(radius),
                    q = C(radius * 0.84),
                )?;
            }
            Piece::FullMoon | Piece::NewMoon => {
                let fill = if *piece == Piece::NewMoon { colour } else { "white" };
                writeln!(
                    out,
                    r#"<circle cx="{}" cy="{}" r="{}" fill="{fill}" stroke="{colour}" stroke-width="1.2"/>"#,
                    C(centre.x),
                    C(centre.y),
                    C(radius * 0.95),
                )?;
            }
        }
        x += line.size * piece.ems();
    }
    Ok(())
}

/// ∞, drawn, since its width differs much from one type to another.
fn infinity(out: &mut String, x: f64, y: f64, size: f64, colour: &str) -> fmt::Result {
    let (half, up) = (size * 0.42, size * 0.32);
    let middle = Point::new(x + half + size * 0.04, y + size * 0.04);
    let mut path = format!("M{}", P(middle));
    for (side, turn) in [(1.0, -1.0), (-1.0, -1.0)] {
        // Out on one branch of the crossing, and back on the other.
        let tip = middle.moved(side * half, 0.0);
        write!(
            path,
            "C{} {} {}C{} {} {}",
            P(middle.moved(side * half * 0.35, turn * up * 0.62)),
            P(tip.moved(0.0, turn * up)),
            P(tip),
            P(tip.moved(0.0, -turn * up)),
            P(middle.moved(side * half * 0.35, -turn * up * 0.62)),
            P(middle),
        )?;
    }
    let width = C(size * 0.085);
    writeln!(
        out,
        r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"/>"#,
    )
}

fn text_at(out: &mut String, x: f64, y: f64, size: f64, colour: &str, text: &str) -> fmt::Result {
    writeln!(
        out,
        r#"<text x="{}" y="{}" font-size="{}" fill="{colour}">{}</text>"#,
        C(x),
        C(y),
        C(size),
        Xml(text),
    )
}
