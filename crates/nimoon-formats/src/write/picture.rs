//! What a picture of a labelling shows and where, for the formats that draw.

use nimoon::{Digraph, Label, Node};
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::math::{self, Line};
use super::zones::{self, Zone};
use super::{Report, is_cyclic};
use crate::layout::routing::{self, Curve, Shape};
use crate::layout::{self, Extent, Point};

/// What to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureOptions {
    /// Draw only what is near this node.
    pub around: Option<Node>,
    /// How many arcs, along or against their direction, still count as near.
    pub radius: usize,
    /// More nodes than this are not drawn.
    pub max_nodes: usize,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self { around: None, radius: 2, max_nodes: 300 }
    }
}

/// Why a picture cannot be drawn.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PictureError {
    /// Too many nodes to draw.
    #[error("{}", self.fact())]
    TooLarge {
        /// The number of nodes; for a neighbourhood, at least this many.
        nodes: usize,
        /// The largest number that is drawn.
        limit: usize,
    },
    /// Too many arcs to draw.
    #[error("{}", self.fact())]
    TooManyArcs {
        /// The number of arcs.
        arcs: usize,
        /// The largest number that is drawn: five for each node that is allowed.
        limit: usize,
    },
    /// The node to draw around is not there.
    #[error("{}", self.fact())]
    NoSuchNode {
        /// The requested node.
        node: Node,
        /// The number of nodes.
        len: usize,
    },
}

impl PictureError {
    /// What is wrong, without advice: only a front end knows how a neighbourhood is requested
    /// there.
    pub fn fact(&self) -> String {
        let unreadable = |found, what, limit| {
            format!("a picture of {found} {what} cannot be read (the limit is {limit})")
        };
        match *self {
            Self::TooLarge { nodes, limit } => unreadable(nodes, "nodes", limit),
            Self::TooManyArcs { arcs, limit } => unreadable(arcs, "arcs", limit),
            Self::NoSuchNode { node, len } => {
                let nodes = if len == 1 { "node" } else { "nodes" };
                format!("cannot draw around node {node}: the digraph has only {len} {nodes}")
            }
        }
    }
}

/// Arcs that may be drawn for each node that may be drawn.
pub(super) const ARCS_PER_NODE: usize = 5;
/// The radius of a node, and the space between it and what stands beside it.
pub(super) const RADIUS: f64 = 14.0;
pub(super) const BESIDE: f64 = 5.0;
/// The size of type of names inside nodes, and the longest name that is not cut.
const NAME_SIZE: f64 = 12.5;
const SMALLEST_NAME_SIZE: f64 = 10.0;
const LONGEST_NAME: usize = 20;
/// The type of rounds and captions.
pub(super) const SMALL_SIZE: f64 = 8.5;
/// How far the ground of a cyclic zone reaches beyond its nodes.
pub(super) const ZONE_MARGIN: f64 = 8.0;
/// Empty space around everything.
pub(super) const MARGIN: f64 = 18.0;

/// A node to draw.
pub(super) struct DrawnNode {
    pub(super) node: Node,
    pub(super) centre: Point,
    pub(super) shape: Shape,
    pub(super) name: String,
    /// The size of type of the name.
    pub(super) name_size: f64,
    /// How far a loop and the round reach out on the left.
    pub(super) left_reach: f64,
    pub(super) label: Label,
    pub(super) lines: Vec<Line>,
    pub(super) gray: bool,
    /// Whether it is in a cyclic zone.
    pub(super) cyclic: bool,
    /// Whether the picture was requested around it.
    pub(super) focus: bool,
    /// Where its round is centred, and the round.
    pub(super) round: Option<(Point, u32)>,
}

impl DrawnNode {
    pub(super) fn label_width(&self) -> f64 {
        self.lines.iter().map(Line::width).fold(0.0, f64::max)
    }

    fn label_height(&self) -> f64 {
        self.lines.iter().map(Line::height).sum()
    }

    /// For each line of the label its left end, and the height of its middle.
    pub(super) fn line_places(&self) -> Vec<Point> {
        let x = self.centre.x + self.shape.half_width + BESIDE;
        let mut y = self.centre.y - self.label_height() / 2.0;
        self.lines
            .iter()
            .map(|line| {
                let middle = y + line.height() / 2.0;
                y += line.height();
                Point::new(x, middle)
            })
            .collect()
    }
}

/// Arcs that leave the picture at a node, drawn as one.
pub(super) struct Stub {
    pub(super) curve: Curve,
    /// Where the number of arcs stands.
    pub(super) end: Point,
    pub(super) count: usize,
    /// Whether they lead out of the picture, and not into it.
    pub(super) outwards: bool,
}

/// Everything to draw, and where.
pub(super) struct Picture {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) nodes: Vec<DrawnNode>,
    pub(super) arcs: Vec<Curve>,
    pub(super) stubs: Vec<Stub>,
    pub(super) zones: Vec<Zone>,
}

impl Picture {
    pub(super) fn new(report: &Report<'_>, options: &PictureOptions) -> Result<Self, PictureError> {
        let shown = shown_nodes(report.digraph, options)?;
        let mut nodes: Vec<DrawnNode> =
            shown.iter().map(|&node| drawn_node(report, node, options)).collect();
        let arcs = Arcs::new(report.digraph, &shown);
        let limit = ARCS_PER_NODE * options.max_nodes;
        if arcs.arcs.len() > limit {
            return Err(PictureError::TooManyArcs { arcs: arcs.arcs.len(), limit });
        }
        let stub_room = Extent { left: 9.0, right: 9.0, up: 3.0, down: 3.0 };
        let stub_shape = Shape { radius: 2.0, half_width: 2.0, tall_label: false };
        let mut extents: Vec<Extent> = nodes.iter().map(extent).collect();
        let mut shapes: Vec<Shape> = nodes.iter().map(|node| node.shape).collect();
        extents.resize(nodes.len() + arcs.stubs.len(), stub_room);
        shapes.resize(extents.len(), stub_shape);
        let mut all = arcs.arcs.clone();
        for (i, stub) in arcs.stubs.iter().enumerate() {
            let end = nodes.len() + i;
            all.push(if stub.outwards { (stub.node, end) } else { (end, stub.node) });
        }

        let mut drawing = layout::layout(&extents, &all);
        for point in drawing.nodes.iter_mut().chain(drawing.arcs.iter_mut().flatten()) {
            *point = point.moved(MARGIN, MARGIN);
        }
        let mut curves = routing::curves(&drawing, &all, &shapes);
        let stub_curves = curves.split_off(arcs.arcs.len());
        for (node, &centre) in nodes.iter_mut().zip(&drawing.nodes) {
            node.centre = centre;
            if let Some((place, round)) = &mut node.round {
                let x = node.shape.half_width + node.left_reach - round_width(*round) / 2.0;
                *place = centre.moved(-x, 0.0);
            }
        }
        let stubs: Vec<Stub> = arcs
            .stubs
            .iter()
            .zip(stub_curves)
            .zip(&drawing.nodes[nodes.len()..])
            .map(|((stub, curve), &end)| Stub {
                curve,
                end,
                count: stub.count,
                outwards: stub.outwards,
            })
            .collect();
        let zones = zones::zones(&nodes, &arcs.arcs, &curves, &stubs);
        Ok(Self {
            width: drawing.width + 2.0 * MARGIN,
            height: drawing.height + 2.0 * MARGIN,
            nodes,
            arcs: curves,
            stubs,
            zones,
        })
    }
}

/// The nodes to draw, in order.
fn shown_nodes(digraph: &Digraph, options: &PictureOptions) -> Result<Vec<Node>, PictureError> {
    let limit = options.max_nodes;
    let Some(start) = options.around else {
        let nodes = digraph.len();
        return if nodes > limit {
            Err(PictureError::TooLarge { nodes, limit })
        } else {
            Ok(digraph.nodes().collect())
        };
    };
    if start as usize >= digraph.len() {
        return Err(PictureError::NoSuchNode { node: start, len: digraph.len() });
    }
    let mut distance: FxHashMap<Node, usize> = FxHashMap::default();
    distance.insert(start, 0);
    let mut found = vec![start];
    let mut next = 0;
    while next < found.len() {
        if found.len() > limit {
            return Err(PictureError::TooLarge { nodes: found.len(), limit });
        }
        let node = found[next];
        let here = distance[&node];
        next += 1;
        if here == options.radius {
            continue;
        }
        for &other in digraph.options(node).iter().chain(digraph.predecessors(node)) {
            distance.entry(other).or_insert_with(|| {
                found.push(other);
                here + 1
            });
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Arcs between shown nodes, and how many lead out of the picture or into it, by place.
struct Arcs {
    arcs: Vec<(usize, usize)>,
    stubs: Vec<StubAt>,
}

struct StubAt {
    node: usize,
    count: usize,
    outwards: bool,
}

impl Arcs {
    fn new(digraph: &Digraph, shown: &[Node]) -> Self {
        let mut arcs = Vec::new();
        let mut stubs = Vec::new();
        let whole = shown.len() == digraph.len();
        for (i, &node) in shown.iter().enumerate() {
            let mut count = 0;
            for option in digraph.options(node) {
                match shown.binary_search(option) {
                    Ok(place) => arcs.push((i, place)),
                    Err(_) => count += 1,
                }
            }
            if count > 0 {
                stubs.push(StubAt { node: i, count, outwards: true });
            }
            if !whole {
                let hidden = |v: &&Node| shown.binary_search(v).is_err();
                let count = digraph.predecessors(node).iter().filter(hidden).count();
                if count > 0 {
                    stubs.push(StubAt { node: i, count, outwards: false });
                }
            }
        }
        Self { arcs, stubs }
    }
}

/// A name inside a node: what is left of it, the size of its type, and half the width of the node.
pub(super) struct FittedName {
    pub(super) name: String,
    pub(super) name_size: f64,
    pub(super) half_width: f64,
}

pub(super) fn fitted_name(name: &str) -> FittedName {
    let plain: String =
        name.chars().map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { c }).collect();
    let name = math::shortened(plain.trim(), LONGEST_NAME);
    // A name that nearly fits into a disc gets smaller type, a longer one a longer node.
    let half = math::text_ems(&name) / 2.0;
    let fitting = (RADIUS - 2.5) / half.max(0.1);
    let name_size = if fitting < SMALLEST_NAME_SIZE { NAME_SIZE } else { fitting.min(NAME_SIZE) };
    let half_width =
        if fitting < SMALLEST_NAME_SIZE { half * NAME_SIZE + 5.0 } else { RADIUS }.max(RADIUS);
    FittedName { name, name_size, half_width }
}

fn drawn_node(report: &Report<'_>, node: Node, options: &PictureOptions) -> DrawnNode {
    let label = report.labelling.label(node);
    let lines = math::lines(&label);
    let FittedName { name, name_size, half_width } = fitted_name(&report.names.name(node));
    let height: f64 = lines.iter().map(Line::height).sum();
    let round = report.round(node).at();
    let looped = report.digraph.options(node).contains(&node);
    let loop_reach = if looped { routing::LOOP_REACH + 2.0 } else { 0.0 };
    let round_reach = round.map_or(0.0, |round| 3.0 + round_width(round));
    DrawnNode {
        node,
        centre: Point::default(),
        shape: Shape { radius: RADIUS, half_width, tall_label: height > 20.0 },
        name,
        name_size,
        left_reach: loop_reach + round_reach,
        gray: report.digraph.is_gray(node),
        cyclic: is_cyclic(&label),
        focus: options.around == Some(node),
        label,
        lines,
        round: round.map(|round| (Point::default(), round)),
    }
}

/// The width of the badge with a round in it.
pub(super) fn round_width(round: u32) -> f64 {
    (math::text_ems(&round.to_string()) * SMALL_SIZE + 5.0).max(11.0)
}

/// The room that a node needs with its label, its round and its loop.
fn extent(node: &DrawnNode) -> Extent {
    let half_width = node.shape.half_width;
    let zone = if node.cyclic { ZONE_MARGIN } else { 0.0 };
    let left = half_width + node.left_reach + zone;
    let label = node.label_width();
    let right = half_width + if label > 0.0 { BESIDE + label } else { 0.0 } + zone;
    let half_height = node.shape.radius.max(node.label_height() / 2.0);
    // The caption of a zone fits between layers, and into the margin.
    Extent { left, right, up: half_height + zone, down: half_height + zone }
}
