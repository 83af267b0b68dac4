//! Places for the nodes of a digraph whose layers are sorted.
//!
//! Arcs want to be vertical, those between dummies most of all. The squared horizontal lengths,
//! weighted, are made small layer by layer: within a layer, with its neighbours fixed, the
//! least sum under the required distances is an isotonic regression, which is solved exactly.
//! Since the distances tie only nodes of one layer to each other, the sweeps go to the common
//! optimum.

use super::{ARC_GAP, Extent, LAYER_GAP, Layered, NODE_GAP, Point};

const SWEEPS: usize = 160;

/// The centre of every node, dummies included; the leftmost extent begins at 0, and so does the
/// topmost.
pub(super) fn places(layered: &Layered, room: &[Extent]) -> Vec<Point> {
    let x = across(layered, room);
    let y = levels(layered, room, &x);
    let left = (0..layered.len())
        .map(|v| x[v] - room.get(v).map_or(0.0, |room| room.left))
        .fold(f64::INFINITY, f64::min);
    (0..layered.len()).map(|v| Point::new(x[v] - left, y[layered.layer_of[v]])).collect()
}

/// How far the centres of two neighbours in a layer must be apart.
fn distance(layered: &Layered, room: &[Extent], left: usize, right: usize) -> f64 {
    match (layered.is_dummy(left), layered.is_dummy(right)) {
        (true, true) => 2.0 * ARC_GAP,
        (true, false) => ARC_GAP + NODE_GAP / 2.0 + room[right].left,
        (false, true) => room[left].right + NODE_GAP / 2.0 + ARC_GAP,
        (false, false) => room[left].right + NODE_GAP + room[right].left,
    }
}

fn across(layered: &Layered, room: &[Extent]) -> Vec<f64> {
    let mut x = vec![0.0; layered.len()];
    // For each layer, how far each node is at least from the first.
    let offsets: Vec<Vec<f64>> = layered
        .layers
        .iter()
        .map(|layer| {
            let mut sum = 0.0;
            let mut offsets = vec![0.0; layer.len()];
            for i in 1..layer.len() {
                sum += distance(layered, room, layer[i - 1], layer[i]);
                offsets[i] = sum;
            }
            offsets
        })
        .collect();
    for (layer, offsets) in layered.layers.iter().zip(&offsets) {
        let half = offsets.last().map_or(0.0, |last| last / 2.0);
        for (&v, offset) in layer.iter().zip(offsets) {
            x[v] = offset - half;
        }
    }
    let depth = layered.layers.len();
    let sweeps = (400_000 / layered.len().max(1)).clamp(8, SWEEPS);
    for sweep in 0..sweeps {
        // At first each sweep looks back only: that carries changes from end to end at once.
        let one_sided = sweep < 8;
        for downwards in [true, false] {
            for i in 0..depth {
                let at = if downwards { i } else { depth - 1 - i };
                let layer = &layered.layers[at];
                let wishes: Vec<(f64, f64)> = layer
                    .iter()
                    .map(|&v| {
                        let sides = match (one_sided, downwards) {
                            (true, true) => [&layered.up[v][..], &[]],
                            (true, false) => [&[], &layered.down[v][..]],
                            (false, _) => [&layered.up[v][..], &layered.down[v][..]],
                        };
                        wish(layered, &x, v, sides)
                    })
                    .collect();
                for (&v, place) in layer.iter().zip(nearest(&wishes, &offsets[at])) {
                    x[v] = place;
                }
            }
        }
    }
    x
}

/// Where a node would like to be, and how much.
fn wish(layered: &Layered, x: &[f64], node: usize, sides: [&[usize]; 2]) -> (f64, f64) {
    let (mut sum, mut weights) = (0.0, 0.0);
    for &other in sides.into_iter().flatten() {
        let weight = match (layered.is_dummy(node), layered.is_dummy(other)) {
            (true, true) => 8.0,
            (false, false) => 1.0,
            _ => 2.0,
        };
        sum += weight * x[other];
        weights += weight;
    }
    if weights > 0.0 { (sum / weights, weights) } else { (x[node], 0.05) }
}

/// The places nearest to the wishes (each with a weight) of which each lies to the right of the
/// first by at least the difference of their offsets: isotonic regression by pooling.
pub(super) fn nearest(wishes: &[(f64, f64)], offsets: &[f64]) -> Vec<f64> {
    // Pools of neighbours that touch: mean, weight, number.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (&(wish, weight), offset) in wishes.iter().zip(offsets) {
        let mut pool = (wish - offset, weight, 1);
        while let Some(&(mean, before, count)) = pools.last() {
            if mean <= pool.0 {
                break;
            }
            let both = before + pool.1;
            pool = ((mean * before + pool.0 * pool.1) / both, both, count + pool.2);
            pools.pop();
        }
        pools.push(pool);
    }
    let means = pools.into_iter().flat_map(|(mean, _, count)| std::iter::repeat_n(mean, count));
    means.zip(offsets).map(|(mean, offset)| mean + offset).collect()
}

/// The height of the centre line of each layer. Gaps with long flat arcs are wider.
fn levels(layered: &Layered, room: &[Extent], x: &[f64]) -> Vec<f64> {
    let mut levels = Vec::with_capacity(layered.layers.len());
    let mut y = 0.0;
    for (at, layer) in layered.layers.iter().enumerate() {
        let rooms = || layer.iter().filter_map(|&v| room.get(v));
        let up = rooms().map(|room| room.up).fold(0.0, f64::max);
        let down = rooms().map(|room| room.down).fold(0.0, f64::max);
        if at > 0 {
            let pieces = layer.iter().flat_map(|&v| layered.up[v].iter().map(move |&u| (u, v)));
            let widest = pieces.map(|(u, v)| (x[u] - x[v]).abs()).fold(0.0, f64::max);
            y += LAYER_GAP + (widest * 0.1).min(60.0);
        }
        y += up;
        levels.push(y);
        y += down;
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_that_fit_are_granted() {
        assert_eq!(nearest(&[(0.0, 1.0), (5.0, 1.0)], &[0.0, 3.0]), [0.0, 5.0]);
    }

    #[test]
    fn crowded_wishes_share_the_shift() {
        let placed = nearest(&[(0.0, 1.0), (0.0, 1.0), (0.0, 1.0)], &[0.0, 3.0, 6.0]);
        assert_eq!(placed, [-3.0, 0.0, 3.0]);
    }
}
