//! Cyclic zones: connected nodes without a nimber or a moon, and where to name them.

use super::picture::{BESIDE, DrawnNode, Stub, ZONE_MARGIN};
use crate::layout::Point;
use crate::layout::routing::Curve;

pub(super) const CAPTION: &str = "cyclic zone";
pub(super) const CAPTION_SIZE: f64 = 7.5;
const CAPTION_WIDTH: f64 = 44.0;
/// The width of the ground along the arcs of a zone: the two arcs of a 2-cycle leave no gap.
pub(super) const BAND: f64 = 24.0;

/// A cyclic zone.
pub(super) struct Zone {
    /// Places of its nodes.
    pub(super) nodes: Vec<usize>,
    /// Places of the arcs between them.
    pub(super) arcs: Vec<usize>,
    /// Where the caption begins, on its base line.
    pub(super) caption: Point,
}

/// Groups of nodes without a nimber or a moon that are joined by arcs.
pub(super) fn zones(
    nodes: &[DrawnNode],
    arcs: &[(usize, usize)],
    curves: &[Curve],
    stubs: &[Stub],
) -> Vec<Zone> {
    let mut group: Vec<Option<usize>> =
        nodes.iter().enumerate().map(|(i, node)| node.cyclic.then_some(i)).collect();
    // There are few nodes: spread the least number until nothing changes.
    loop {
        let mut changed = false;
        for &(v, w) in arcs {
            if let (Some(a), Some(b)) = (group[v], group[w])
                && a != b
            {
                group[v] = Some(a.min(b));
                group[w] = Some(a.min(b));
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut taken: Vec<Point> = Vec::new();
    for curve in curves.iter().chain(stubs.iter().map(|stub| &stub.curve)) {
        trace(curve, &mut taken);
    }
    let mut zones = Vec::new();
    for first in 0..nodes.len() {
        if group[first] != Some(first) {
            continue;
        }
        let members: Vec<usize> =
            (first..nodes.len()).filter(|&i| group[i] == Some(first)).collect();
        let inner = |&i: &usize| {
            let (v, w) = arcs[i];
            v != w && group[v] == Some(first) && group[w] == Some(first)
        };
        let caption = caption(nodes, &members, &taken);
        zones.push(Zone { nodes: members, arcs: (0..arcs.len()).filter(inner).collect(), caption });
    }
    zones
}

/// Points on a curve, a few units apart.
fn trace(curve: &Curve, points: &mut Vec<Point>) {
    let Some(&(mut start)) = curve.points.first() else { return };
    for piece in curve.points[1..].chunks_exact(3) {
        let (a, b, end) = (piece[0], piece[1], piece[2]);
        let length = (end.x - start.x).abs() + (end.y - start.y).abs();
        let steps = (1..=200).find(|&n| length < 4.0 * f64::from(n)).unwrap_or(200);
        for i in 0..=steps {
            let t = f64::from(i) / f64::from(steps);
            let s = 1.0 - t;
            let mix = |p: f64, q: f64, r: f64, u: f64| {
                s * s * s * p + 3.0 * s * s * t * q + 3.0 * s * t * t * r + t * t * t * u
            };
            points.push(Point::new(mix(start.x, a.x, b.x, end.x), mix(start.y, a.y, b.y, end.y)));
        }
        start = end;
    }
}

/// The first free place above or below a node of the zone, from the top; else above the topmost.
fn caption(nodes: &[DrawnNode], members: &[usize], taken: &[Point]) -> Point {
    let mut sorted: Vec<&DrawnNode> = members.iter().map(|&i| &nodes[i]).collect();
    sorted.sort_by(|a, b| {
        let by_height = a.centre.y.total_cmp(&b.centre.y);
        by_height.then(a.centre.x.total_cmp(&b.centre.x))
    });
    let candidates: Vec<Point> = sorted
        .iter()
        .flat_map(|node| {
            let (left, right) = reach(node);
            let up = node.shape.radius + ZONE_MARGIN + 3.0;
            let centred = node.centre.x - CAPTION_WIDTH / 2.0;
            let across = [centred, left, right - CAPTION_WIDTH];
            across
                .map(|x| Point::new(x, node.centre.y - up))
                .into_iter()
                .chain(across.map(|x| Point::new(x, node.centre.y + up + CAPTION_SIZE * 0.7)))
        })
        .collect();
    let covered = |place: &Point, x: f64, y: f64, margin: f64| {
        x > place.x - margin
            && x < place.x + CAPTION_WIDTH + margin
            && y > place.y - CAPTION_SIZE - margin
            && y < place.y + 2.0 + margin
    };
    let free = |place: &Point, margin: f64| {
        !taken.iter().any(|point| covered(place, point.x, point.y, margin))
            && place.x > 0.0
            && nodes.iter().all(|node| {
                let (left, right) = reach(node);
                let margin = if node.cyclic { ZONE_MARGIN } else { 2.0 };
                place.x > right + 2.0
                    || place.x + CAPTION_WIDTH < left - 2.0
                    || place.y < node.centre.y - node.shape.radius - margin
                    || place.y - CAPTION_SIZE > node.centre.y + node.shape.radius + margin - 3.0
            })
    };
    // Clear of the bands along arcs if possible, and else of the arcs themselves.
    let found = [BAND / 2.0 + 1.0, 1.5]
        .into_iter()
        .find_map(|margin| candidates.iter().find(|place| free(place, margin)));
    found.or(candidates.first()).copied().unwrap_or_default()
}

/// The left and right end of a node with all that stands beside it.
pub(super) fn reach(node: &DrawnNode) -> (f64, f64) {
    let label = node.label_width();
    let beside = if label > 0.0 { BESIDE + label } else { 0.0 };
    let half_width = node.shape.half_width;
    (node.centre.x - half_width - node.left_reach, node.centre.x + half_width + beside)
}
