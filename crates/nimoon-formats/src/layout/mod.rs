//! Layered drawings of digraphs, with arcs pointing down as far as cycles allow.
//!
//! The method of Sugiyama, Tagawa and Toda in four steps, one file each: `acyclic` turns a few
//! arcs round so that no cycle is left, `layering` gives every node a layer, `ordering`
//! sorts the layers so that few arcs cross, `coordinates` gives the nodes their places. Arcs
//! that span several layers pass through a dummy node in each layer between, which keeps them
//! clear of nodes and labels; [`routing`] draws smooth curves through these.
//!
//! Components that are not connected are drawn one by one and set side by side. Equal input
//! gives equal output.
//!
//! The layout crates at hand draw neither loops nor 2-cycles well, and know nothing of labels
//! beside nodes, so this one is our own.
//!
//! ## References
//! K. Sugiyama, S. Tagawa, M. Toda: Methods for visual understanding of hierarchical system
//! structures (1981). E. R. Gansner, E. Koutsofios, S. C. North, K.-P. Vo: A technique for
//! drawing directed graphs (1993).

mod acyclic;
mod coordinates;
mod layering;
mod ordering;
pub mod routing;

/// A point; `y` grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// The point with these coordinates.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The point moved by this much.
    #[must_use]
    pub fn moved(self, dx: f64, dy: f64) -> Self {
        Self { x: self.x + dx, y: self.y + dy }
    }
}

/// The room a node needs around its centre, its labels included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extent {
    /// To the left of the centre.
    pub left: f64,
    /// To the right of the centre.
    pub right: f64,
    /// Above the centre.
    pub up: f64,
    /// Below the centre.
    pub down: f64,
}

/// Where nodes are, and which points the arcs pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The width of everything; the left edge is at 0.
    pub width: f64,
    /// The height of everything; the top edge is at 0.
    pub height: f64,
    /// The centres of the nodes.
    pub nodes: Vec<Point>,
    /// For each arc the centre of its source, points between, and the centre of its target. The
    /// points of an arc go steadily down or steadily up; a loop has two equal points.
    pub arcs: Vec<Vec<Point>>,
}

/// The free space between the extents of neighbours in a layer.
const NODE_GAP: f64 = 14.0;
/// The free space on either side of an arc that passes through a layer.
const ARC_GAP: f64 = 7.0;
/// The free space between layers, and between components.
const LAYER_GAP: f64 = 34.0;
const COMPONENT_GAP: f64 = 30.0;
/// Components fill rows until the drawing is about this much wider than high.
const ASPECT: f64 = 1.6;

/// A digraph sorted into layers; the nodes of the digraph come first, dummies after them.
struct Layered {
    /// The number of nodes that are not dummies.
    real: usize,
    /// The nodes of each layer from left to right.
    layers: Vec<Vec<usize>>,
    /// The layer of each node.
    layer_of: Vec<usize>,
    /// The neighbours in the layer above, and below.
    up: Vec<Vec<usize>>,
    down: Vec<Vec<usize>>,
    /// For each arc, the nodes it passes from top to bottom.
    chains: Vec<Vec<usize>>,
}

impl Layered {
    /// Splits arcs, all of which must point down, into pieces from each layer to the next.
    fn new(layer_of: &[usize], arcs: &[(usize, usize)]) -> Self {
        let real = layer_of.len();
        let mut layer_of = layer_of.to_vec();
        let mut chains = Vec::with_capacity(arcs.len());
        for &(from, to) in arcs {
            let mut chain = vec![from];
            for layer in layer_of[from] + 1..layer_of[to] {
                chain.push(layer_of.len());
                layer_of.push(layer);
            }
            chain.push(to);
            chains.push(chain);
        }
        let depth = layer_of.iter().max().map_or(0, |&last| last + 1);
        let mut layers = vec![Vec::new(); depth];
        for (node, &layer) in layer_of.iter().enumerate() {
            layers[layer].push(node);
        }
        let mut up = vec![Vec::new(); layer_of.len()];
        let mut down = vec![Vec::new(); layer_of.len()];
        for chain in &chains {
            for pair in chain.windows(2) {
                down[pair[0]].push(pair[1]);
                up[pair[1]].push(pair[0]);
            }
        }
        Self { real, layers, layer_of, up, down, chains }
    }

    fn len(&self) -> usize {
        self.layer_of.len()
    }

    fn is_dummy(&self, node: usize) -> bool {
        node >= self.real
    }
}

/// Draws the digraph of the nodes `0..extents.len()` with these arcs.
///
/// Arcs may repeat, be loops and form cycles; arcs that name other nodes are left out, which
/// shows as an empty row in [`Layout::arcs`].
///
/// ```
/// use nimoon_formats::layout::{Extent, layout};
/// let room = Extent { left: 10.0, right: 10.0, up: 10.0, down: 10.0 };
/// // A diamond: 0 on top, 1 and 2 side by side, 3 at the bottom.
/// let drawing = layout(&[room; 4], &[(0, 1), (0, 2), (1, 3), (2, 3)]);
/// assert!(drawing.nodes[0].y < drawing.nodes[1].y && drawing.nodes[1].y < drawing.nodes[3].y);
/// assert!((drawing.nodes[1].y - drawing.nodes[2].y).abs() < 1e-9);
/// assert!((drawing.nodes[2].x - drawing.nodes[1].x).abs() >= 20.0);
/// ```
pub fn layout(extents: &[Extent], arcs: &[(usize, usize)]) -> Layout {
    let mut parts: Vec<Part> =
        components(extents.len(), arcs).into_iter().map(|part| draw(part, extents, arcs)).collect();
    // High components first; the sort is stable, so equal ones keep the order of their nodes.
    parts.sort_by(|a, b| b.drawing.height.total_cmp(&a.drawing.height));
    pack(&parts, extents.len(), arcs.len())
}

/// A connected component: its nodes, the arcs between them, and its drawing.
struct Part {
    nodes: Vec<usize>,
    arcs: Vec<usize>,
    drawing: Layout,
}

/// The nodes and arcs of each weakly connected component.
fn components(len: usize, arcs: &[(usize, usize)]) -> Vec<Part> {
    let inside = |&(_, &(from, to)): &(usize, &(usize, usize))| from < len && to < len;
    let mut root: Vec<usize> = (0..len).collect();
    for (_, &(from, to)) in arcs.iter().enumerate().filter(inside) {
        let (a, b) = (find(&mut root, from), find(&mut root, to));
        root[a.max(b)] = a.min(b);
    }
    let mut place = vec![usize::MAX; len];
    let mut parts: Vec<Part> = Vec::new();
    for node in 0..len {
        let top = find(&mut root, node);
        if top == node {
            place[node] = parts.len();
            let drawing = Layout::default();
            parts.push(Part { nodes: Vec::new(), arcs: Vec::new(), drawing });
        }
        parts[place[top]].nodes.push(node);
    }
    for (i, &(from, _)) in arcs.iter().enumerate().filter(inside) {
        let top = find(&mut root, from);
        parts[place[top]].arcs.push(i);
    }
    parts
}

/// The representative of a node in a forest of sets, with its path halved.
fn find(root: &mut [usize], mut node: usize) -> usize {
    while root[node] != node {
        root[node] = root[root[node]];
        node = root[node];
    }
    node
}

fn draw(mut part: Part, extents: &[Extent], arcs: &[(usize, usize)]) -> Part {
    let local = |node: usize| part.nodes.binary_search(&node).unwrap_or(0);
    let all: Vec<(usize, usize)> =
        part.arcs.iter().map(|&i| (local(arcs[i].0), local(arcs[i].1))).collect();
    let room: Vec<Extent> = part.nodes.iter().map(|&node| extents[node]).collect();
    let proper: Vec<(usize, usize)> = all.iter().copied().filter(|(v, w)| v != w).collect();
    let turned = acyclic::turned_arcs(room.len(), &proper);
    let down: Vec<(usize, usize)> =
        proper.iter().zip(&turned).map(|(&(v, w), &t)| if t { (w, v) } else { (v, w) }).collect();
    let layer_of = layering::layers(room.len(), &down);
    let mut layered = Layered::new(&layer_of, &down);
    ordering::order(&mut layered);
    let places = coordinates::places(&layered, &room);
    let mut chains = layered.chains.iter().zip(&turned);
    let routes = all
        .iter()
        .map(|&(v, w)| {
            if v == w {
                return vec![places[v], places[v]];
            }
            let Some((chain, &turned)) = chains.next() else { return Vec::new() };
            let mut points: Vec<Point> = chain.iter().map(|&node| places[node]).collect();
            if turned {
                points.reverse();
            }
            points
        })
        .collect();
    let mut width = 0.0_f64;
    let mut height = 0.0_f64;
    for (node, &place) in places.iter().enumerate() {
        let room = room.get(node).copied().unwrap_or_default();
        width = width.max(place.x + room.right);
        height = height.max(place.y + room.down);
    }
    let nodes = places[..layered.real].to_vec();
    part.drawing = Layout { width, height, nodes, arcs: routes };
    part
}

/// Sets the components in rows, each at its place. Within a row, components that are lower than
/// it stand below each other in columns.
fn pack(parts: &[Part], nodes: usize, arcs: usize) -> Layout {
    let area: f64 = parts
        .iter()
        .map(|part| (part.drawing.width + COMPONENT_GAP) * (part.drawing.height + COMPONENT_GAP))
        .sum();
    let widest = parts.iter().map(|part| part.drawing.width).fold(0.0, f64::max);
    let limit = widest.max((area * ASPECT).sqrt());
    let mut whole = Layout {
        nodes: vec![Point::default(); nodes],
        arcs: vec![Vec::new(); arcs],
        ..Layout::default()
    };
    // The row: its top and height; the column: its left edge, its width, and its next free height.
    let (mut top, mut row_height) = (0.0, 0.0);
    let (mut left, mut column, mut free) = (0.0, 0.0_f64, 0.0);
    for part in parts {
        let drawing = &part.drawing;
        let fits_below = free > top && free + drawing.height <= top + row_height;
        if !fits_below || left + drawing.width > limit.max(left + column) {
            if free > top {
                left += column + COMPONENT_GAP;
            }
            column = 0.0;
            free = top;
            if left > 0.0 && left + drawing.width > limit {
                top += row_height + COMPONENT_GAP;
                (left, free, row_height) = (0.0, top, 0.0);
            }
        }
        for (&node, &place) in part.nodes.iter().zip(&drawing.nodes) {
            whole.nodes[node] = place.moved(left, free);
        }
        for (&arc, points) in part.arcs.iter().zip(&drawing.arcs) {
            whole.arcs[arc] = points.iter().map(|p| p.moved(left, free)).collect();
        }
        column = column.max(drawing.width);
        row_height = f64::max(row_height, free + drawing.height - top);
        whole.width = whole.width.max(left + column);
        whole.height = whole.height.max(top + row_height);
        free += drawing.height + COMPONENT_GAP;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Extent = Extent { left: 10.0, right: 10.0, up: 10.0, down: 10.0 };

    #[test]
    fn components_stand_apart() {
        let drawing = layout(&[ROOM; 6], &[(0, 1), (1, 0), (2, 3), (3, 3)]);
        for a in 0..6 {
            for b in 0..a {
                let (p, q) = (drawing.nodes[a], drawing.nodes[b]);
                assert!((p.x - q.x).abs() >= 19.9 || (p.y - q.y).abs() >= 19.9, "{a} {b}");
            }
        }
        assert_eq!(drawing.arcs[3], [drawing.nodes[3]; 2]);
    }

    #[test]
    fn an_arc_to_nowhere_is_left_out() {
        let drawing = layout(&[ROOM], &[(0, 7)]);
        assert_eq!(drawing.arcs, [Vec::new()]);
    }

    #[test]
    fn nothing_has_no_size() {
        assert_eq!(layout(&[], &[]), Layout::default());
    }
}
