//! Smooth curves for the arcs of a [`Layout`].
//!
//! An arc leaves a node at its lower or upper side and never at its left or right, where labels
//! and loops are. Between its ends it is a chain of cubic pieces, each a function of height: it
//! never turns back, and does not swing past the points that it is led through.

use super::{Layout, Point, coordinates::nearest};

/// A node as it is drawn: a disc, or a pill where it is wider than high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Half the height, and the radius of the round ends.
    pub radius: f64,
    /// Half the width, at least the radius.
    pub half_width: f64,
    /// Whether arcs should keep clear of a tall label on the right.
    pub tall_label: bool,
}

/// A chain of cubic Bézier curves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// The first point, and for each piece two control points and its end.
    pub points: Vec<Point>,
}

/// Ends of arcs at a node leave at most at this angle from the vertical.
const STEEPEST: f64 = 0.87;
/// The same on the side of a tall label.
const STEEPEST_BESIDE_LABEL: f64 = 0.45;
/// Angles between the ends of neighbouring arcs, and of the two arcs of a 2-cycle.
const APART: f64 = 0.17;
const APART_IN_PAIR: f64 = 0.62;
/// How flat an arc may be where it passes through a layer.
const PASSING_SLOPE: f64 = 0.45;
/// How far a loop reaches out of its node, and half the angle between its ends.
pub const LOOP_REACH: f64 = 17.0;
const LOOP_ANGLE: f64 = 0.42;

/// One end of an arc at a node.
#[derive(Clone, Copy)]
struct End {
    arc: usize,
    /// Whether this is the upper end of the arc, at the lower side of the node.
    upper: bool,
    /// The angle from the vertical, to the right.
    angle: f64,
    /// Another node where the arc goes straight on to it.
    neighbour: Option<usize>,
}

/// The curve of each arc, from the border of its source to the border of its target; empty where
/// the layout left the arc out.
///
/// ```
/// use nimoon_formats::layout::{Extent, layout};
/// use nimoon_formats::layout::routing::{Shape, curves};
/// let room = Extent { left: 10.0, right: 10.0, up: 10.0, down: 10.0 };
/// let shape = Shape { radius: 10.0, half_width: 10.0, tall_label: false };
/// let arcs = [(0, 1)];
/// let drawing = layout(&[room; 2], &arcs);
/// let curves = curves(&drawing, &arcs, &[shape; 2]);
/// // Straight down from one border to the other.
/// let (first, last) = (curves[0].points[0], curves[0].points[3]);
/// assert_eq!(first, drawing.nodes[0].moved(0.0, 10.0));
/// assert_eq!(last, drawing.nodes[1].moved(0.0, -10.0));
/// ```
pub fn curves(layout: &Layout, arcs: &[(usize, usize)], shapes: &[Shape]) -> Vec<Curve> {
    let angles = end_angles(layout, arcs, shapes);
    arcs.iter()
        .zip(&layout.arcs)
        .zip(angles)
        .map(|((&(from, to), points), (above, below))| {
            if points.len() < 2 {
                return Curve::default();
            }
            if from == to {
                return loop_curve(layout.nodes[from], &shapes[from]);
            }
            let downwards = points[0].y < points[points.len() - 1].y;
            let (upper, lower) = if downwards { (from, to) } else { (to, from) };
            let mut knots = points.clone();
            if !downwards {
                knots.reverse();
            }
            let last = knots.len() - 1;
            let (dx, dy) = border(&shapes[upper], above);
            knots[0] = knots[0].moved(dx, dy);
            let (dx, dy) = border(&shapes[lower], below);
            knots[last] = knots[last].moved(dx, -dy);
            let mut curve = through(&knots, above.tan(), -below.tan());
            if !downwards {
                curve.points.reverse();
            }
            curve
        })
        .collect()
}

/// Where a ray from the centre at this angle from the downward vertical meets the border.
fn border(shape: &Shape, angle: f64) -> (f64, f64) {
    let flat = (shape.half_width - shape.radius).max(0.0);
    let across = shape.radius * angle.tan();
    if across.abs() <= flat {
        return (across, shape.radius);
    }
    // The ray t·(s, c) meets the disc around (±flat, 0).
    let (s, c) = angle.sin_cos();
    let along = flat * s.abs();
    let t = along + (along * along - flat * flat + shape.radius * shape.radius).max(0.0).sqrt();
    (t * s, t * c)
}

/// The largest angle to the left or right at which arcs may leave.
fn widest_angle(shape: &Shape, to_the_right: bool) -> f64 {
    let steepest = if to_the_right && shape.tall_label { STEEPEST_BESIDE_LABEL } else { STEEPEST };
    let flat = (shape.half_width - shape.radius).max(0.0);
    let (s, c) = steepest.sin_cos();
    (flat + shape.radius * s).atan2(shape.radius * c)
}

/// For each arc the angles of its upper and lower end.
fn end_angles(layout: &Layout, arcs: &[(usize, usize)], shapes: &[Shape]) -> Vec<(f64, f64)> {
    let mut below: Vec<Vec<End>> = vec![Vec::new(); shapes.len()];
    let mut above: Vec<Vec<End>> = vec![Vec::new(); shapes.len()];
    for (arc, (&(from, to), points)) in arcs.iter().zip(&layout.arcs).enumerate() {
        if from == to || points.len() < 2 {
            continue;
        }
        let angle = |here: Point, there: Point| (there.x - here.x).atan2((there.y - here.y).abs());
        let near = points.len() == 2;
        let last = points.len() - 1;
        let downwards = points[0].y < points[last].y;
        let neighbour = |node| near.then_some(node);
        let source = End {
            arc,
            upper: downwards,
            angle: angle(points[0], points[1]),
            neighbour: neighbour(to),
        };
        let target = End {
            arc,
            upper: !downwards,
            angle: angle(points[last], points[last - 1]),
            neighbour: neighbour(from),
        };
        for (node, end) in [(from, source), (to, target)] {
            let side = if end.upper { &mut below } else { &mut above };
            side[node].push(end);
        }
    }
    let mut angles = vec![(0.0, 0.0); arcs.len()];
    for (node, shape) in shapes.iter().enumerate() {
        for ends in [&mut below[node], &mut above[node]] {
            spread(ends, shape);
            for end in ends {
                let slot = &mut angles[end.arc];
                if end.upper {
                    slot.0 = end.angle;
                } else {
                    slot.1 = end.angle;
                }
            }
        }
    }
    angles
}

/// Moves the ends at one side of a node apart, and into the part of the border that is free.
fn spread(ends: &mut [End], shape: &Shape) {
    // Equal angles are sorted by arc, at both ends alike, so that the arcs do not cross.
    ends.sort_by(|a, b| a.angle.total_cmp(&b.angle).then(a.arc.cmp(&b.arc)));
    let (left, right) = (-widest_angle(shape, false), widest_angle(shape, true));
    let mut offsets = vec![0.0; ends.len()];
    for i in 1..ends.len() {
        let pair = ends[i].neighbour.is_some() && ends[i].neighbour == ends[i - 1].neighbour;
        offsets[i] = offsets[i - 1] + if pair { APART_IN_PAIR } else { APART };
    }
    let needed = offsets.last().copied().unwrap_or(0.0);
    if needed > right - left {
        let scale = (right - left) / needed;
        for offset in &mut offsets {
            *offset *= scale;
        }
    }
    let needed = offsets.last().copied().unwrap_or(0.0);
    let wishes: Vec<(f64, f64)> =
        ends.iter().map(|end| (end.angle.clamp(left, right), 1.0)).collect();
    let granted = nearest(&wishes, &offsets);
    for ((end, angle), offset) in ends.iter_mut().zip(granted).zip(&offsets) {
        let room = (right - needed).max(left);
        end.angle = (angle - offset).clamp(left, room) + offset;
    }
}

/// A curve down through the knots, with these slopes (across per down) at its ends.
fn through(knots: &[Point], first: f64, last: f64) -> Curve {
    let secant = |i: usize| {
        let (p, q) = (knots[i], knots[i + 1]);
        (q.x - p.x) / (q.y - p.y).max(1e-6)
    };
    let count = knots.len();
    let slopes: Vec<f64> = (0..count)
        .map(|i| {
            if i == 0 {
                return first;
            }
            if i == count - 1 {
                return last;
            }
            // The harmonic mean keeps the curve from swinging past its knots.
            let (before, after) = (secant(i - 1), secant(i));
            if before * after <= 0.0 {
                return 0.0;
            }
            let mean = 2.0 * before * after / (before + after);
            mean.clamp(-PASSING_SLOPE, PASSING_SLOPE)
        })
        .collect();
    let mut points = vec![knots[0]];
    for i in 0..count - 1 {
        let third = (knots[i + 1].y - knots[i].y) / 3.0;
        points.push(knots[i].moved(slopes[i] * third, third));
        points.push(knots[i + 1].moved(-slopes[i + 1] * third, -third));
        points.push(knots[i + 1]);
    }
    Curve { points }
}

/// A loop at the left of a node.
fn loop_curve(centre: Point, shape: &Shape) -> Curve {
    let flat = (shape.half_width - shape.radius).max(0.0);
    let (s, c) = LOOP_ANGLE.sin_cos();
    let (x, y) = (-flat - shape.radius * c, shape.radius * s);
    // A cubic with its control points at distance d reaches three quarters of d.
    let reach = (LOOP_REACH - shape.radius * (1.0 - c)) / 0.75;
    let points = vec![
        centre.moved(x, -y),
        centre.moved(x - reach, -y - 10.0),
        centre.moved(x - reach, y + 10.0),
        centre.moved(x, y),
    ];
    Curve { points }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DISC: Shape = Shape { radius: 10.0, half_width: 10.0, tall_label: false };

    #[test]
    fn the_border_of_a_pill_is_flat_and_then_round() {
        let pill = Shape { half_width: 30.0, ..DISC };
        assert_eq!(border(&pill, 0.0), (0.0, 10.0));
        let (x, y) = border(&pill, 1.3);
        assert!(((x - 20.0).hypot(y) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn the_two_arcs_of_a_two_cycle_run_apart() {
        let layout = Layout {
            nodes: vec![Point::new(0.0, 0.0), Point::new(0.0, 50.0)],
            arcs: vec![
                vec![Point::new(0.0, 0.0), Point::new(0.0, 50.0)],
                vec![Point::new(0.0, 50.0), Point::new(0.0, 0.0)],
            ],
            ..Layout::default()
        };
        let curves = curves(&layout, &[(0, 1), (1, 0)], &[DISC; 2]);
        assert!(curves[0].points.iter().all(|p| p.x < -2.0));
        assert!(curves[1].points.iter().all(|p| p.x > 2.0));
    }
}
