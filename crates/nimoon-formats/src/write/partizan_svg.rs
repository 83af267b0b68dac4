//! Partizan graphs as pictures in SVG.
//!
//! Left edges are blue and solid, Right edges red and dashed, as the legend says; the start has two
//! borders. Loops of Left are on the left of a vertex, those of Right on its right, where also
//! stands what it is worth. Edges point down as far as cycles allow.

use std::fmt::{self, Write};

use nimoon::{partizan::Vertex, player::Player};

use super::math;
use super::partizan::{LEFT_COLOUR, PartizanReport, RIGHT_COLOUR};
use super::picture::{
    ARCS_PER_NODE, BESIDE, FittedName, MARGIN, PictureError, RADIUS, fitted_name,
};
use super::svg::{ARROW, C, FONTS, Path, Xml, arrowhead, drawn_back};
use crate::layout::routing::{self, Curve, Shape};
use crate::layout::{self, Extent, Point};

/// The type of what a vertex is worth, and the longest that is not cut.
const VALUE_SIZE: f64 = 13.0;
const LONGEST_VALUE: usize = 24;
const LEGEND_SIZE: f64 = 10.5;
const LEGEND_WIDTH: f64 = 178.0;
const LEGEND_HEIGHT: f64 = 20.0;
/// The space between the two borders of the start.
const RING: f64 = 3.0;

/// A partizan graph as a standalone SVG document.
///
/// ```
/// use nimoon_formats::read::partizan::read;
/// use nimoon_formats::write::{PartizanReport, partizan_svg};
/// let game = read(br#"{"left":[["a","b"]],"right":[["a","a"]],"start":"a"}"#).unwrap();
/// let text = partizan_svg(&PartizanReport { game: &game, values: None }, 300).unwrap();
/// assert!(text.starts_with("<svg ") && text.contains("<title>a, the start</title>"));
/// ```
///
/// # Errors
/// When there are more than `max_nodes` vertices, or too many edges for a picture.
pub fn partizan_svg(report: &PartizanReport<'_>, max_nodes: usize) -> Result<String, PictureError> {
    let picture = Picture::new(report, max_nodes)?;
    Ok(picture.document().unwrap_or_default())
}

/// A vertex to draw.
struct Drawn {
    title: String,
    centre: Point,
    shape: Shape,
    fitted: FittedName,
    value: String,
    is_start: bool,
    /// How far loops reach out, of Left on the left and of Right on the right.
    reach: [f64; 2],
}

struct Picture {
    width: f64,
    height: f64,
    vertices: Vec<Drawn>,
    edges: Vec<(Player, Curve)>,
}

impl Picture {
    fn new(report: &PartizanReport<'_>, max_nodes: usize) -> Result<Self, PictureError> {
        let graph = &report.game.graph;
        if graph.len() > max_nodes {
            return Err(PictureError::TooLarge { nodes: graph.len(), limit: max_nodes });
        }
        let edges: Vec<(Player, usize, usize)> = Player::BOTH
            .iter()
            .flat_map(|&player| {
                graph.edges(player).map(move |(from, to)| (player, from as usize, to as usize))
            })
            .collect();
        let limit = ARCS_PER_NODE * max_nodes;
        if edges.len() > limit {
            return Err(PictureError::TooManyArcs { arcs: edges.len(), limit });
        }
        let mut vertices: Vec<Drawn> =
            report.vertices().map(|vertex| drawn(report, vertex)).collect();
        let extents: Vec<Extent> = vertices.iter().map(extent).collect();
        let shapes: Vec<Shape> = vertices.iter().map(|drawn| drawn.shape).collect();
        let arcs: Vec<(usize, usize)> = edges.iter().map(|&(_, from, to)| (from, to)).collect();
        let mut drawing = layout::layout(&extents, &arcs);
        for point in drawing.nodes.iter_mut().chain(drawing.arcs.iter_mut().flatten()) {
            *point = point.moved(MARGIN, MARGIN);
        }
        for (vertex, &centre) in vertices.iter_mut().zip(&drawing.nodes) {
            vertex.centre = centre;
        }
        let curves = routing::curves(&drawing, &arcs, &shapes);
        let edges = edges.iter().zip(curves).map(|(&(player, from, to), mut curve)| {
            if from == to && player == Player::Right {
                // Loops come on the left, where that of Left may be.
                for point in &mut curve.points {
                    point.x = 2.0 * drawing.nodes[from].x - point.x;
                }
            }
            (player, curve)
        });
        Ok(Self {
            edges: edges.collect(),
            width: drawing.width.max(LEGEND_WIDTH) + 2.0 * MARGIN,
            height: drawing.height + 2.0 * MARGIN + LEGEND_HEIGHT,
            vertices,
        })
    }

    fn document(&self) -> Result<String, fmt::Error> {
        let mut out = String::new();
        let (width, height) = (C(self.width.ceil()), C(self.height.ceil()));
        writeln!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="{FONTS}">"#,
        )?;
        writeln!(out, "<desc>A partizan graph: Left edges are solid, Right edges dashed</desc>")?;
        writeln!(out, r#"<rect width="{width}" height="{height}" fill="white"/>"#)?;
        for (player, curve) in &self.edges {
            edge(&mut out, *player, curve)?;
        }
        for each in &self.vertices {
            vertex(&mut out, each)?;
        }
        legend(&mut out, Point::new(MARGIN, self.height - MARGIN + 4.0))?;
        out.push_str("</svg>\n");
        Ok(out)
    }
}

fn drawn(report: &PartizanReport<'_>, vertex: Vertex) -> Drawn {
    let game = report.game;
    let name = game.names.name(vertex);
    let fitted = fitted_name(&name);
    let is_start = vertex == game.start;
    let mut title = name.clone().into_owned();
    if let Some(value) = report.value(vertex) {
        let _ = write!(title, " = {value}");
    }
    if is_start {
        title.push_str(", the start");
    }
    let reach = Player::BOTH.map(|player| {
        let looped = game.graph.options(vertex, player).contains(&vertex);
        if looped { routing::LOOP_REACH + 2.0 } else { 0.0 }
    });
    // The outer border of the start is where its edges end.
    let ring = if is_start { RING } else { 0.0 };
    let shape =
        Shape { radius: RADIUS + ring, half_width: fitted.half_width + ring, tall_label: false };
    let value = math::shortened(report.value(vertex).unwrap_or_default(), LONGEST_VALUE);
    Drawn { title, centre: Point::default(), shape, fitted, value, is_start, reach }
}

/// The room that a vertex needs with its loops and what it is worth.
fn extent(drawn: &Drawn) -> Extent {
    let Shape { radius, half_width, .. } = drawn.shape;
    let value = math::text_ems(&drawn.value) * VALUE_SIZE;
    let [left, right] = drawn.reach;
    let beside = if value > 0.0 { BESIDE + value } else { 0.0 };
    Extent { left: half_width + left, right: half_width + right + beside, up: radius, down: radius }
}

fn colour(player: Player) -> &'static str {
    match player {
        Player::Left => LEFT_COLOUR,
        Player::Right => RIGHT_COLOUR,
    }
}

fn edge(out: &mut String, player: Player, curve: &Curve) -> fmt::Result {
    let Some((direction, points)) = drawn_back(curve, ARROW - 2.0) else { return Ok(()) };
    let Some(&tip) = curve.points.last() else { return Ok(()) };
    let colour = colour(player);
    let (class, dashes) = match player {
        Player::Left => ("left", ""),
        Player::Right => ("right", r#" stroke-dasharray="5 3""#),
    };
    writeln!(
        out,
        r#"<path class="{class}" d="{}" fill="none" stroke="{colour}" stroke-width="1.3"{dashes}/>"#,
        Path(&points),
    )?;
    arrowhead(out, tip, direction, colour)
}

fn vertex(out: &mut String, drawn: &Drawn) -> fmt::Result {
    writeln!(out, "<g>\n<title>{}</title>", Xml(&drawn.title))?;
    let ring = if drawn.is_start { RING } else { 0.0 };
    let Shape { radius, half_width, .. } = drawn.shape;
    if drawn.is_start {
        pill(out, drawn.centre, half_width, radius, "start")?;
    }
    pill(out, drawn.centre, half_width - ring, radius - ring, "node")?;
    let FittedName { name, name_size, .. } = &drawn.fitted;
    writeln!(
        out,
        r#"<text x="{}" y="{}" text-anchor="middle" font-size="{}" font-style="italic">{}</text>"#,
        C(drawn.centre.x),
        C(drawn.centre.y + name_size * 0.32),
        C(*name_size),
        Xml(name),
    )?;
    if !drawn.value.is_empty() {
        writeln!(
            out,
            r##"<text x="{}" y="{}" font-size="{VALUE_SIZE}" fill="#222">{}</text>"##,
            C(drawn.centre.x + half_width + drawn.reach[1] + BESIDE),
            C(drawn.centre.y + VALUE_SIZE * 0.33),
            Xml(&drawn.value),
        )?;
    }
    writeln!(out, "</g>")
}

fn pill(out: &mut String, centre: Point, half_width: f64, radius: f64, class: &str) -> fmt::Result {
    writeln!(
        out,
        r#"<rect class="{class}" x="{}" y="{}" width="{}" height="{}" rx="{}" fill="white" stroke="black" stroke-width="1.1"/>"#,
        C(centre.x - half_width),
        C(centre.y - radius),
        C(2.0 * half_width),
        C(2.0 * radius),
        C(radius),
    )
}

/// What the two kinds of edges and the two borders mean.
fn legend(out: &mut String, place: Point) -> fmt::Result {
    let middle = place.y - LEGEND_SIZE * 0.33;
    let mut x = place.x;
    for (player, width) in [(Player::Left, 58.0), (Player::Right, 66.0)] {
        let (from, to) = (Point::new(x, middle), Point::new(x + 26.0, middle));
        let points = vec![from, from.moved(8.0, 0.0), to.moved(-8.0, 0.0), to];
        edge(out, player, &Curve { points })?;
        legend_text(out, x + 30.0, place.y, &player.to_string())?;
        x += width;
    }
    for radius in [5.0, 3.0] {
        writeln!(
            out,
            r#"<circle cx="{}" cy="{}" r="{radius}" fill="white" stroke="black" stroke-width="0.9"/>"#,
            C(x + 7.0),
            C(middle),
        )?;
    }
    legend_text(out, x + 16.0, place.y, "start")
}

fn legend_text(out: &mut String, x: f64, y: f64, text: &str) -> fmt::Result {
    writeln!(
        out,
        r##"<text x="{}" y="{}" font-size="{LEGEND_SIZE}" fill="#444">{text}</text>"##,
        C(x),
        C(y),
    )
}
